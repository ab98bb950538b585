"""Commands of play for the core tools: moves, hit points, the party, places, notes and quests."""

from __future__ import annotations

from collections.abc import Callable

from turnwright.model.encounter import RUNNING_TAG, Encounter
from turnwright.model.json_types import JsonObject
from turnwright.model.location import Location
from turnwright.model.quest import Quest
from turnwright.rulesets.play_commands import Options, PlayCommand, PlayMoment, Slot, Values, someone, words


def _places(moment: PlayMoment, _: JsonObject) -> Options:
    return {place.name: place.id for place in moment.world.all(Location)}


def _quests(moment: PlayMoment, _: JsonObject) -> Options:
    return {quest.title: quest.id for quest in moment.world.all(Quest)}


def _move(moment: PlayMoment, values: Values) -> JsonObject:
    asked = {key: moment.legal[key] for key in ("actor_id", "from_area_id") if key in moment.legal}
    only = {key: legal[0] for key, legal in asked.items() if isinstance(legal, list) and len(legal) == 1}
    return {**only, **values}


def _fights(moment: PlayMoment) -> str | None:
    """Return why the party cannot travel while a member fights: within a fight, /step moves."""
    party = moment.world.campaign.selected.party_character_ids
    fighters = [one for fight in moment.world.all_tagged(Encounter, RUNNING_TAG) for one in fight.participants]
    if all(one.character_id not in party for one in fighters):
        return None
    return "the party is in a fight: /step moves within it, and /endfight fled leaves it"


def _amount(values: Values) -> int:
    """Return by how much hit points are to change."""
    delta = values.get("delta", 0)
    return delta if isinstance(delta, int) else 0


def _is_dead(moment: PlayMoment, values: Values) -> str | None:
    """Return why hit points cannot revive the dead."""
    person = moment.world.character(str(values.get("target_character_id")))
    if person is None or not person.is_dead or _amount(values) <= 0:
        return None
    return f"{person.label} is dead, and hit points bring nobody back to life"


def _hit_points(_: PlayMoment, values: Values) -> JsonObject:
    cause = "healing" if _amount(values) > 0 else "damage"
    return {"cause": cause, **values}


def _operation(operation: str) -> Callable[[PlayMoment, Values], JsonObject]:
    return lambda _, values: {"operation": operation, **values}


COMMANDS = {
    "move": PlayCommand(
        "move",
        "travel",
        "one character takes one step on the map",
        (Slot("to_area_id", "PLACE", "where to"),),
        _move,
        _fights,
    ),
    "travel": PlayCommand(
        "move_party",
        "travel",
        "the whole party goes to a place",
        (Slot("to_location_id", "PLACE", "where to", _places),),
        why_not=_fights,
    ),
    "place": PlayCommand(
        "manage_location",
        "story",
        "a new place",
        (Slot("name", "NAME", "what is it called", kind="words"),),
        _operation("create"),
    ),
    "link": PlayCommand(
        "manage_location",
        "story",
        "a way between two places",
        (
            Slot("from_location_id", "PLACE", "from which place", _places),
            Slot("to_location_id", "PLACE", "to which place", _places, after=("to", "and")),
        ),
        _operation("link"),
    ),
    "hp": PlayCommand(
        "hp_delta",
        "people",
        "take hit points (-5) or give them back (5)",
        (
            someone("whose hit points", "target_character_id"),
            Slot("delta", "AMOUNT", "how many (-5 hurts, 5 heals)", kind="number"),
            Slot("cause", "CAUSE", "by what", kind="words", is_optional=True),
        ),
        _hit_points,
        objection=_is_dead,
    ),
    "join": PlayCommand(
        "manage_party", "people", "somebody joins the party", (someone("who joins"),), _operation("add")
    ),
    "part": PlayCommand(
        "manage_party", "people", "somebody leaves the party", (someone("who leaves"),), _operation("remove")
    ),
    "note": PlayCommand(
        "manage_notes",
        "story",
        "something to remember",
        (Slot("content", "TEXT", "what is to be remembered", kind="words"),),
        _operation("add"),
    ),
    "quest": PlayCommand(
        "manage_quest",
        "story",
        "a new task for the party",
        (Slot("title", "TITLE", "what is it called", kind="words"),),
        _operation("offer"),
    ),
    "task": PlayCommand(
        "manage_quest",
        "story",
        "a task is begun, done or failed",
        (
            Slot(
                "operation",
                "start|decline|complete|fail",
                "what happened to it",
                words("start", "decline", "complete", "fail"),
            ),
            Slot("quest_id", "TASK", "which task", _quests),
        ),
    ),
}
