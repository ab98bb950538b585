"""Every event of a scene game, and its audience.

Source: docs/tools/scenes.md, "Events".
"""

from __future__ import annotations

from collections.abc import Mapping

from turnwright.rulesets.events import EventType, Names

_CLOCKS = Names("id", ("target", "clock_id", "clocks_advanced"))
"""The places where clocks are named."""

EVENTS: Mapping[str, EventType] = {
    "NarrativeAdded": EventType(("text", "source"), "prose for the log of the game; once for each text", prose="text"),
    "RandomChoice": EventType(("label", "index", "weights"), "`choose`", "gm"),
    "DiceOffered": EventType(("situation", "position", "dice"), "`spend_die` commits outcomes"),
    "DieSpent": EventType(("value", "tier", "narrative"), "a die is chosen", prose="narrative"),
    "DicePoolDepleted": EventType(("context",), "the last die is gone, or an engagement without dice"),
    "DiceGained": EventType(("values", "pool_size", "source"), "dice come into the pool"),
    "StressChanged": EventType(("from", "to", "reason"), "stress really changed"),
    "HeatChanged": EventType(("from", "to", "reason"), "heat really changed"),
    "WantedChanged": EventType(("from", "to", "reason"), "the wanted level really changed"),
    "CoinChanged": EventType(("from", "to", "reason"), "coin really changed"),
    "DeltaClamped": EventType(("field", "requested", "applied"), "a change met a bound", "gm"),
    "TraumaTriggered": EventType(("trauma", "trigger", "breaking_point"), "a trauma is assigned"),
    "MoodTransition": EventType(("tool", "from_mood", "to_mood"), "the mood changes", "log"),
    "BargainOffered": EventType(("context", "can_retreat"), "the bargain begins"),
    "BargainOptionsPresented": EventType(("offers",), "the offers of a bargain are committed"),
    "BargainAccepted": EventType(("description", "cost_type", "amount", "target", "name"), "a deal is taken"),
    "ClockAdvanced": EventType(
        ("id", "name", "from", "to", "segments", "cause"), "a clock moves on", "visible", hides=_CLOCKS
    ),
    "ClockCompleted": EventType(("clock_id", "clock_name", "consequence"), "a clock is full", "visible"),
    "ConsequenceApplied": EventType(("id", "effects", "note"), "an output makes a full clock real", prose="note"),
    "InterruptFired": EventType(
        ("clock_id", "description", "forces_action"), "a full clock breaks in", private=("clock_id",)
    ),
    "SceneStarted": EventType(("location",), "a scene begins"),
    "SceneEnded": EventType(("reason",), "a scene ends"),
    "SceneStyleChanged": EventType(("from", "to"), "`set_scene_style` changed something", "gm"),
    "SceneCompressed": EventType(("summary",), "beats became a summary", "log", prose="summary"),
    "CompressionFailed": EventType(("errors",), "no summary was to be had", "log"),
    "InterludeEntered": EventType(("options",), "the crew chooses what to do between scenes"),
    "InterludeChosen": EventType(("option",), "it has chosen"),
    "EntanglementStarted": EventType(("type",), "the law closes in"),
    "EntanglementResolved": EventType(("option",), "the crew got out, at a price"),
    "CharacterCreated": EventType(("character_id", "name"), "a player made a character"),
    "ScenarioGenerated": EventType(("opening",), "the opening is told"),
    "ThreatFaded": EventType(("text",), "an old threat dropped off the list", "gm"),
    "AutoAccepted": EventType((), "an aftermath went on too long", "log"),
    "TurnCompleted": EventType(
        ("narration", "stress_delta", "heat_delta", "coin_delta", "suggested_actions"), "a turn is told to its end"
    ),
    "TurnFallback": EventType(("reason",), "the engine put something in the place of an output", "log"),
    "TurnLimitReached": EventType(("reason",), "too many moods in one turn", "log"),
}


PROSE: Mapping[str, str] = {name: kind.prose for name, kind in EVENTS.items() if kind.prose}
"""The events that carry a text of the game master's, each with its key."""
