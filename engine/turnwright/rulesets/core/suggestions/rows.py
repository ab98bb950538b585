"""The tools of the core ruleset for suggestions: what they are for, and how their arguments are built.

Source: docs/suggestions.md, "Intents and tools".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from turnwright.model.base import name_tag
from turnwright.rulesets.core.suggestions.journey import Travel, UnknownPlace
from turnwright.rulesets.core.suggestions.party import Party
from turnwright.rulesets.core.suggestions.quests import QuestAccept, QuestProgress
from turnwright.rulesets.core.suggestions.secret import Secret
from turnwright.suggestions.rule import Hit
from turnwright.suggestions.sanitize import safe
from turnwright.suggestions.snapshot import Named, Snapshot
from turnwright.suggestions.tables import Resolved, SuggestionRows

_QUEST_OPERATIONS = {"quest.accept": "start", "quest.objective": "complete_objective", "quest.complete": "complete"}
_QUEST_STATES = {"quest.accept": "active", "quest.objective": "progress", "quest.complete": "completed"}


def _quest(hit: Hit, _seen: Snapshot) -> Resolved:
    known = {key: hit.arguments[key] for key in ("quest_id", "objective_id") if hit.arguments.get(key)}
    return Resolved("manage_quest", {"operation": _QUEST_OPERATIONS[hit.intent], **known})


def _notes(hit: Hit, _seen: Snapshot) -> Resolved:
    quest = hit.arguments.get("quest_id")
    tags = ["quest", *([f"quest:{quest}"] if quest else []), _QUEST_STATES[hit.intent]]
    return Resolved("manage_notes", {"operation": "add", "tags": tags})


def _move(hit: Hit, seen: Snapshot) -> Resolved:
    """Suggest a move only if it is certain to be legal: from here to a reachable area, by the acting character."""
    return move_to(hit.arguments.get("area_id"), seen)


def move_to(wanted: Any, seen: Snapshot) -> Resolved:
    """Return the move to an area, or the reason why there is none."""
    reachable = {place.id: place for place in seen.areas.reachable or () if place.id}
    if wanted not in reachable or seen.actor.id is None:
        return _out_of_reach(seen.areas.reachable)
    arguments = {"actor_id": seen.actor.id, "to_area_id": wanted}
    here = seen.areas.current.id if seen.areas.current else seen.actor.area
    if seen.from_area_wanted and here:
        arguments["from_area_id"] = here
    return Resolved("move", arguments)


def _out_of_reach(near: Sequence[Named] | None) -> Resolved:
    names = ", ".join(safe(place.name) for place in (near or ())[:6])
    return Resolved(None, cause="not_reachable", note=f"Reachable from here: {names}." if names else "")


def _move_party(hit: Hit, seen: Snapshot) -> Resolved:
    """Suggest that the party takes a way to a place; an unknown place is created before the party goes there."""
    return party_to(hit.arguments.get("destination", ""), hit.arguments.get("area_id"), seen)


def party_to(name: str, wanted: str | None, seen: Snapshot) -> Resolved:
    """Return the party's way to a place, by name and, if known, by id, or the reason why there is none."""
    places, exits = seen.areas.places, seen.areas.exits
    is_known = bool(name) and _has(places or (), wanted, name)
    if wanted and places is not None and not is_known:
        return Resolved(None, cause="not_reachable")  # an area of the map that is not a place of the story
    if exits is not None and not (_has(exits, wanted, name) if wanted or is_known else exits or name):
        return _out_of_reach(exits)
    return Resolved("move_party", {"operation": "move"} | ({"to_location_name": name} if name else {}))


def _has(places: Sequence[Named], wanted: str | None, name: str) -> bool:
    return any(wanted == (one.id or one.name) or name_tag(name) == name_tag(one.name) for one in places)


def _party(hit: Hit, _seen: Snapshot) -> Resolved:
    return Resolved("manage_party", {"operation": hit.intent.removeprefix("party."), **hit.arguments})


def _hp_delta(hit: Hit, _seen: Snapshot) -> Resolved:
    if hit.intent == "hp.attack":
        return Resolved("hp_delta", {"cause": "an attack"})
    return Resolved(
        "hp_delta", {key: hit.arguments[key] for key in ("target_character_id", "delta") if key in hit.arguments}
    )


def _map(hit: Hit, _seen: Snapshot) -> Resolved:
    return Resolved("map_generate", dict(hit.arguments))


def _location(hit: Hit, _seen: Snapshot) -> Resolved:
    if hit.intent == "map.new":
        name = hit.arguments.get("theme")
        return Resolved("manage_location", {"operation": "create"} | ({"name": name} if name else {}))
    return Resolved("manage_location", {"operation": "update", "hidden": False})


SUGGESTIONS = SuggestionRows(
    rules=(QuestAccept(), QuestProgress(), Travel(), Party(), Secret(), UnknownPlace()),
    intents={
        "quest.accept": ("manage_quest", "manage_notes"),
        "quest.objective": ("manage_quest", "manage_notes"),
        "quest.complete": ("manage_quest", "manage_notes"),
        "travel": ("move_party", "move"),
        "map.new": ("map_generate", "manage_location"),
        "party.add": ("manage_party",),
        "party.remove": ("manage_party",),
        "secret.reveal": ("manage_location",),
        "time.advance": (),
    },
    arguments={
        "manage_quest": _quest,
        "manage_notes": _notes,
        "move": _move,
        "move_party": _move_party,
        "manage_party": _party,
        "hp_delta": _hp_delta,
        "manage_location": _location,
        "map_generate": _map,
    },
    useful={"move_party": lambda seen: seen.encounter.active is not True},
    exclusive_of_one=(("party.add", "party.remove"),),
    subjects={
        "manage_notes": "notes",
        "manage_quest": "quests",
        "manage_location": "places",
        "move": "your own movement",
    },
)
