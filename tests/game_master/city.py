"""A city to prompt about, as plain documents: everything there is to show, and everything that must stay away.

What no prompt may show says `SECRET`; what only the game master sees says `HIDDEN`.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from tests.builders import Json

from turnwright.game_master.prompts.scene_prompt import Prompt, prompt_of
from turnwright.model.base import Document
from turnwright.model.state.overlay import InMemorySource, World
from turnwright.rulesets.in_use import settings_in
from turnwright.rulesets.registry import BUILT_IN
from turnwright.store.documents import document_from

SECRET, HIDDEN = "SECRET", "HIDDEN"
TEXT = "I take the ledger while the bell rings."
TOOLS = (
    "set_scene_style",
    "choose",
    "spend_die",
    "engage",
    "resolve",
    "accept",
    "accept_bargain",
    "retreat",
    "pass_out",
)
REMOVED = ("think", "think_as_dm", "speak_as_npc", "ask_player")

_DEED: Json = {
    "die_chosen": 2,
    "position": "risky",
    "tier": "partial",
    "other_dice": [5],
    "domain": "infiltration",
    "situation": "The drawer is open",
    "stakes": "the clerk turns round",
}
_ACTION: Json = {"mood": "action", "intent": "lift the ledger", "approach": "under the bell"}
_RISKY: Json = {**_ACTION, "variant": "risky", "threat": "the clerk turns", "opportunity": "the names"}
_BARGAIN: Json = {
    "mood": "bargain",
    "variant": "bargaining",
    "what_drained": "the drawer",
    "can_retreat": True,
    "retreat_desc": "slip away",
    "pass_out_desc": "let go",
    "previous_mood": _RISKY,
}
MOODS: Mapping[str, Json] = {
    "encounter": {"mood": "scene", "variant": "encounter", "source": "Marrow behind glass", "urgency": "high"},
    "no_escape": {"mood": "scene", "variant": "encounter", "source": "the watch", "escapable": False},
    "opportunity": {"mood": "scene", "variant": "opportunity", "offered_by": "marrow", "nature": "a key", "catch": "x"},
    "windfall": {"mood": "scene", "variant": "opportunity", "nature": "an open drawer", "catch": "it is counted"},
    "discovery": {"mood": "scene", "variant": "discovery", "what": "two ledgers", "implications": ["one is false"]},
    "controlled": {**_ACTION, "variant": "controlled", "advantage_source": "the bell", "risk_if_fails": "a witness"},
    "risky": {**_RISKY, "domain": "infiltration"},
    "desperate": {**_ACTION, "variant": "desperate", "why_desperate": "no bell", "stakes": "everything"},
    "clean": {"mood": "aftermath", "variant": "clean", "what_achieved": "it is yours", "action_context": _DEED},
    "costly": {
        "mood": "aftermath",
        "variant": "costly",
        "what_achieved": "it is yours",
        "costs_paid": ["a sleeve"],
        "new_complications": ["a seed of trouble"],
        "action_context": _DEED,
    },
    "setback": {
        "mood": "aftermath",
        "variant": "setback",
        "what_went_wrong": "the drawer sticks",
        "escape_route": "the yard",
        "new_complications": ["a seed of trouble"],
        "action_context": _DEED,
    },
    "danger": {
        "mood": "aftermath",
        "variant": "setback",
        "what_went_wrong": "the drawer sticks",
        "immediate_danger": True,
        "escape_route": "the yard",
        "action_context": {key: value for key, value in _DEED.items() if key != "domain"},
    },
    "disaster": {
        "mood": "aftermath",
        "variant": "disaster",
        "catastrophe": "the boiler",
        "trauma_risk": True,
        "costs_paid": ["the ledger"],
        "world_state_changes": ["the works burn"],
        "action_context": _DEED,
    },
    "breaking": {
        "mood": "trauma",
        "variant": "breaking",
        "for": "character-1",
        "what_broke": "the head count",
        "trigger": "turn",
    },
    "breaking_in_action": {
        "mood": "trauma",
        "variant": "breaking",
        "for": "character-1",
        "what_broke": "the drawer",
        "trigger": "dice",
        "adrenaline": True,
        "suggested": "cold",
        "end_scene_after": True,
    },
    "bargaining": _BARGAIN,
    "cornered": {**_BARGAIN, "can_retreat": False, "retreat_desc": "", "previous_mood": {**_RISKY, "intent": "flee"}},
}
CHOSEN: Json = {
    "situation": "The drawer is open",
    "position": "risky",
    "stakes": "the clerk turns",
    "outcomes": [
        {
            "die_value": 2,
            "hint": "out, but seen",
            "stress_cost": 2,
            "heat_cost": 1,
            "coin_delta": 0,
            "narrative": "The catch keeps your sleeve.",
        },
        {
            "die_value": 5,
            "hint": "gone in time",
            "stress_cost": 0,
            "heat_cost": 0,
            "coin_delta": 0,
            "narrative": f"{SECRET} nobody knows what would have been",
        },
    ],
    "request_id": "request-1",
    "for": "character-1",
    "chosen_index": 0,
    "chosen_die": 2,
    "chosen_tier": "partial",
    "other_dice": [5],
    "applied_costs": {"stress": 2, "heat": 1, "coin": 0},
}
ENTRIES: Mapping[str, Json] = {
    "fresh": {"origin": "fresh"},
    "from_aftermath": {"origin": "from_aftermath", "transition_note": "The shift carries you out."},
    "from_trauma": {
        "origin": "from_trauma",
        "trauma_gained": "reckless",
        "adrenaline": True,
        "unresolved_action": _DEED,
    },
    "from_pass_out": {"origin": "from_pass_out", "narration": "The lamps run.", "clocks_advanced": ["marrow-knows"]},
    "from_interlude": {
        "origin": "from_interlude",
        "option": "work_goal:the-lamp",
        "narration": "Four days of fog.",
        "completed_clocks": ["old-debt"],
    },
}
BEATS: tuple[Json, ...] = (
    {"beat": "player_action", "text": "I look at the desk.", "by": "character-1"},
    {"beat": "dm_narration", "text": "The ledger lies open.\n\nMarrow smiles.", "mood": "scene"},
    {"beat": "npc_speech", "npc_id": "marrow", "text": "I was fond of that house.", "manner": "softly"},
    {"beat": "npc_action", "npc_id": "marrow", "text": "straightens the letter"},
    {"beat": "environment_shift", "text": "The bell begins."},
    {"beat": "revelation", "secret": {"content": "the harbour men are paid twice"}},
    {"beat": "dice_roll", "value": 4, "tier": "success", "situation": "Past the porter"},
    {"beat": "clock_tick", "clock_id": "marrow-knows", "ticks": 1},
)


DUE: Json = {
    "id": "c-1",
    "clock_id": "old-debt",
    "name": "An old debt",
    "type": "threat",
    "text": "They come.",
    "prompt_id": 1,
}
BREAK_IN: Json = {
    "clock_id": "old-debt",
    "event_type": "clock_completed",
    "description": "They come.",
    "forces_action": False,
}


def _clock(identifier: str, name: str, kind: str, segments: int, filled: int, **fields: Any) -> Json:
    head = {"id": identifier, "name": name, "type": kind, "segments": segments, "filled": filled}
    return {**head, "consequence": f"What comes of {name}.", **fields}


def _faction(identifier: str, name: str, attitude: str, goal: str) -> Json:
    goals = [
        {"id": "g0", "description": f"{SECRET} a goal given up", "status": "abandoned"},
        {"id": "g1", "description": goal},
    ]
    secrets = [{"content": f"{SECRET} of {name}", "known_by": ["marrow"]}]
    return {"id": identifier, "name": name, "attitude": attitude, "goals": goals, "secrets": secrets}


def _npc(identifier: str, name: str, **fields: Any) -> Json:
    knows = [{"content": f"{SECRET} of {name}"}]
    return {"id": identifier, "name": name, "character_type": "npc", "knows": knows, **fields}


def values(mood: str | None = "encounter", stage: str = "dm_turn", **crew: Any) -> dict[str, Json]:
    """Return the city as plain documents; keys are fields of the crew, or whole documents by path."""
    documents = {path: crew.pop(path) for path in list(crew) if path.endswith(".json")}
    phase: Json = {"tag": "playing", "scene_id": "scene-1", "mood": MOODS[mood]} if mood else {"tag": "between_scenes"}
    awaiting = {
        "stage": stage,
        "for": "character-1",
        "prompt_id": 7,
        "segment": 1,
        "mood": MOODS[mood]["mood"] if mood else None,
        "player_text": TEXT if stage == "dm_turn" else "",
    }
    beats = [{**beat, "seq": at, "turn": 1} for at, beat in enumerate(BEATS)]
    base: dict[str, Json] = {
        "campaign.json": {
            "format": 2,
            "id": "city",
            "allowlist": list(TOOLS),
            "selected": {"party_character_ids": ["character-1"], "active_actor_id": "character-1"},
        },
        "characters/character-1.json": {
            "id": "character-1",
            "name": "Ana Vell",
            "hp": 10,
            "stress": 4,
            "coin": 3,
            "trauma": ["haunted"],
            "choices": {
                "name": "Ana Vell",
                "pronouns": "she_her",
                "archetype": "lurk",
                "background": "carried a key to Candle Street",
                "tarot_spread": ["the_tower", "five_of_pentacles", "the_star"],
            },
        },
        "characters/marrow.json": _npc(
            "marrow",
            "Marrow",
            faction="the-works",
            disposition="suspicious",
            wants=[
                {"description": "a quiet night", "urgency": "low"},
                {"description": "the name of whoever had the key", "urgency": "desperate"},
            ],
            fears=[{"description": f"{SECRET} a flood"}],
            voice_notes="very polite",
            location="pump-hall",
        ),
        "characters/sergeant-oll.json": _npc("sergeant-oll", "Sergeant Oll", disposition="neutral"),
        "characters/ghost.json": _npc("ghost", f"{SECRET} a dead man", hp=0, character_state="dead"),
        "clocks/marrow-knows.json": _clock("marrow-knows", "Marrow knows", "threat", 6, 2),
        "clocks/the-lamp.json": _clock("the-lamp", "The lamp", "goal", 8, 7),
        "clocks/the-cold.json": _clock("the-cold", f"{HIDDEN} cold", "threat", 4, 3, visible=False),
        "clocks/old-debt.json": _clock("old-debt", "An old debt", "threat", 4, 4, completed_at_turn=1),
        "factions/the-works.json": _faction("the-works", "The Works", "wary", "a price on dry ground"),
        "factions/fourth-shift.json": _faction("fourth-shift", "The Fourth Shift", "neutral", "own the pumps"),
        "locations/pump-hall.json": {
            "id": "pump-hall",
            "name": "The pump hall",
            "description": "Iron galleries.\nWater below.",
            "features": ["a desk behind glass"],
            "controlled_by": "the-works",
        },
        "locations/stove-row.json": {"id": "stove-row", "name": "Stove Row"},
        "threads/thread-1.json": {
            "id": "thread-1",
            "hook": "Whose names?",
            "tension": "rising",
            "deadline": "the-lamp",
        },
        "threads/thread-2.json": {"id": "thread-2", "hook": "A quiet matter"},
        "rumors/rumor-1.json": {"id": "rumor-1", "content": "A woman over the wall", "spread": "tavern"},
        "rumors/rumor-2.json": {"id": "rumor-2", "content": f"{SECRET} whispered once"},
        "summaries/summary-1.json": {
            "id": "summary-1",
            "text": "Ana came to the works.",
            "key_moments": ["The porter took a coin"],
            "scene_id": "scene-0",
            "scene_location": "stove-row",
            "beat_range": [0, 4],
        },
        "scenes/scene-0.json": {"id": "scene-0", "location": "stove-row", "open": False},
        "scenes/scene-1.json": {
            "id": "scene-1",
            "location": "pump-hall",
            "present": ["marrow"],
            "stakes": "the ledger, or your name",
            "beats": beats,
            "ledger": {"stress": 4, "heat": 1, "coin": -1},
            "open": mood is not None,
        },
        "crew.json": {
            "phase": phase,
            "heat": 5,
            "wanted": 1,
            "tone": "tense",
            "session_goals": ["find the boat"],
            "dice_pool": [] if mood in ("bargaining", "cornered") else [2, 5],
            "recent_costs": ["half a sleeve"],
            "unresolved_threats": ["the gate is closed for a count"],
            "recent_summary_ids": ["summary-1"],
            "awaiting": awaiting,
            "turn": 3,
        },
    }
    base["crew.json"] |= crew
    return {**base, **documents}


def between(stage: str, step: str, **context: Any) -> dict[str, Json]:
    """Return the city between two scenes."""
    phase = {"tag": "between_scenes", "context": {"stage": step, **context}}
    return values(None, stage, phase=phase)


def stages() -> dict[str, dict[str, Json]]:
    """Return the city at each stage at which something is asked of a game master outside a mood."""
    told = {"transition_narration": "Four days of fog.", "chosen": "work_goal:the-lamp"}
    choice = {
        "id": "asked",
        "kind": "choice",
        "payload": {"options": [{"index": 0, "key": "new_scene", "label": "go"}]},
    }
    offered = [{"key": "new_scene", "option": "new_scene", "label": "go"}]
    choosing = between("player_choice", "choosing", options=offered)
    beginning = {"tag": "scenario_init", "for": "character-1"}
    start = values(None, "dm_scenario", phase=beginning, recent_summary_ids=[], recent_costs=[], unresolved_threats=[])
    return {
        "fate": {path: start[path] for path in ("campaign.json", "characters/character-1.json", "crew.json")},
        "archivist": values("encounter", "dm_compression"),
        "archivist_of_a_closed_scene": {
            **between("dm_compression", "entering"),
            "crew.json": {**between("dm_compression", "entering")["crew.json"], "closed_scene_id": "scene-1"},
        },
        "entangler": between("dm_entanglement", "entanglement"),
        "interlude_narrator": between("dm_transition", "narrating"),
        "opener": between("dm_scene_init", "scene_init", **told),
        "opener_without_a_past": between("dm_scene_init", "scene_init"),
        "waiting_for_a_choice": {**choosing, "crew.json": {**choosing["crew.json"], "request": choice}},
    }


def world_of(documents: Mapping[str, Json]) -> World:
    """Return the world of plain documents."""
    found: dict[str, Document] = {}
    for path, value in documents.items():
        document, problems = document_from(path, value, BUILT_IN.documents)
        assert document is not None, problems
        found[path] = document
    return World(InMemorySource(found))


def prompt(documents: Mapping[str, Json]) -> Prompt:
    """Return the prompt of plain documents."""
    world = world_of(documents)
    return prompt_of(world, settings_in(world.campaign))


def accepted(name: str = "costly") -> dict[str, Json]:
    """Return the city with an aftermath of this variant that was accepted without its output."""
    entry = {**ENTRIES["from_aftermath"], "untold": MOODS[name]}
    city = values("encounter", scene_entry_context=entry)
    city["crew.json"]["awaiting"]["mood"] = "aftermath"
    return city


EVERYTHING = {**{name: values(name) for name in MOODS}, **stages(), "echo_accepted": accepted()}
"""The city in every variant of every mood, and at every other stage."""


@cache
def shown(name: str) -> Prompt:
    """Return the prompt of one of these."""
    return prompt(EVERYTHING[name])
