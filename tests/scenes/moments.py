"""Tables at a moment of the game: in each mood, before a scene, between two, and before everything."""

from __future__ import annotations

from typing import Any

from tests.builders import Json
from tests.scenes.doing import RETREAT, do
from tests.scenes.table import TOOLS, Table, clock, started

RISKY: Json = {
    "mood": "action",
    "variant": "risky",
    "intent": "get in",
    "approach": "rope",
    "threat": "the guard",
    "opportunity": "the vault",
}
BARGAIN: Json = {
    "mood": "bargain",
    "variant": "bargaining",
    "what_drained": "the roof",
    "can_retreat": True,
    "previous_mood": RISKY,
}
ECHO: Json = {
    "mood": "aftermath",
    "variant": "clean",
    "what_achieved": "in",
    "action_context": {"die_chosen": 6, "position": "risky", "tier": "critical"},
}
BROKEN: Json = {"mood": "trauma", "variant": "breaking", "for": "pc", "what_broke": "it", "trigger": "turn"}
CALM: Json = {"mood": "scene", "variant": "encounter", "source": "somebody on the roof"}
MOODS: dict[str, Json] = {"scene": CALM, "action": RISKY, "aftermath": ECHO, "trauma": BROKEN, "bargain": BARGAIN}
SCENE: Json = {
    "location_id": "roof",
    "stakes": "find out",
    "variant": {"variant": "encounter", "source": "the rain"},
    "opening_narration": "Morning.",
    "suggested_actions": ["Look", "Run"],
}
CHOICES = {"name": "Mira", "pronouns": "she_her", "archetype": "lurk"}
SUMMARY: Json = {"summary": "They met.", "key_moments": ["a door"]}
WAYS: list[Json] = [
    {"eo_label": "pay", "eo_cost_type": "coin", "eo_cost_amount": 1, "eo_resolution": "It is settled."},
    {"eo_label": "talk", "eo_cost_type": "stress", "eo_cost_amount": 2, "eo_resolution": "You talk for hours."},
    {"eo_label": "run", "eo_cost_type": "stress", "eo_cost_amount": 3, "eo_resolution": "You run."},
]


def at(mood: Json, **crew: Any) -> Table:
    """Return a table where the game master answers a player in this mood."""
    waiting = {"stage": "dm_turn", "for": "pc", "mood": mood["mood"], "segment": 1, "player_text": "Go!"}
    return Table(started(mood=mood, awaiting=waiting, request=None, **crew))


def in_bargain(**crew: Any) -> Table:
    return at({**BARGAIN, **crew.pop("bargain", {})}, dice_pool=[], **crew)


def in_aftermath(**crew: Any) -> Table:
    return at(ECHO, **crew)


def in_mood(name: str, **crew: Any) -> Table:
    pool: Json = {"dice_pool": []} if name == "bargain" else {}
    person = {"pc": {"stress": 9}} if name == "trauma" else {}
    return at(MOODS[name], **pool, **person, **crew)


def forcing(**more: Any) -> Json:
    """Return an interrupt that forces the crew to act, and its clock."""
    interrupt = {"clock_id": "wardens", "event_type": "clock_completed", "description": "They are here."}
    return {"pending_interrupt": {**interrupt, "forces_action": True, **more}, **clock("wardens", 1)}


def due() -> Json:
    """Return a full clock whose consequence is owed."""
    consequence = {"id": "due", "clock_id": "wardens", "name": "The wardens", "type": "threat", "text": "They come."}
    return {"pending_consequences": [{**consequence, "prompt_id": 0}], **clock("wardens", 4, completed_at_turn=1)}


def between(stage: str, **context: Any) -> Json:
    return {"tag": "between_scenes", "context": {"stage": stage, "chosen": "new_scene", **context}}


def opening(**crew: Any) -> Table:
    """Return a table where the opening of a scene is awaited."""
    waiting = {"stage": "dm_scene_init", "for": "pc"}
    values = started(phase=between("scene_init"), awaiting=waiting, request=None, **crew)
    values["scenes/s.json"] = {**values["scenes/s.json"], "open": False}
    return Table(values)


def night() -> Table:
    """Return a table at the choice between two scenes."""
    table = in_bargain()
    do(table, RETREAT)
    do(table, output={"text": "Days go by."})
    return table


def unborn() -> Table:
    """Return a table that waits for its first character."""
    campaign = {"campaign.json": {"format": 2, "id": "c", "allowlist": list(TOOLS)}}
    return Table({**campaign, "crew.json": {}})
