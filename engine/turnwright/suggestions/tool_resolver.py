"""From an intent to a tool that is permitted now, with the arguments that are sure.

Source: docs/suggestions.md, "Intents and tools".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from turnwright.model.base import name_tag
from turnwright.rulesets.agent_tools import OPERATIONS_OF, TOOLS_OF
from turnwright.rulesets.scenes.moods import SCENE_TOOLS, TOOLS_OF_MOOD
from turnwright.suggestions.intents import CANDIDATES
from turnwright.suggestions.rule import Hit
from turnwright.suggestions.sanitize import safe
from turnwright.suggestions.snapshot import Named, Snapshot

ONLY_IN_FIGHT = frozenset({"execute_action", "advance_turn", "end_encounter", "roll_death_save"})
ONLY_OUT_OF_FIGHT = frozenset({"create_encounter", "take_rest", "move_party"})


class Resolved(NamedTuple):
    """The result of a hit: a tool with arguments, or the reason why there is none, with a note for the model."""

    tool: str | None
    arguments: Mapping[str, Any] = {}
    cause: str = ""
    note: str = ""


def is_permitted(tool: str, seen: Snapshot) -> bool:
    """Return whether a tool is registered, allowed, the agent's, legal now, and of use in the mood and the fight."""
    if seen.registry is not None and tool not in seen.registry:
        return False
    if seen.allowlist is not None and tool not in seen.allowlist:
        return False
    if tool not in TOOLS_OF[seen.agent] or (seen.legal is not None and tool not in seen.legal):
        return False
    if tool in SCENE_TOOLS and (seen.mood is None or tool not in TOOLS_OF_MOOD.get(seen.mood, ())):  # type: ignore[call-overload]
        return False
    if tool in ONLY_IN_FIGHT and seen.encounter.active is False:
        return False
    return not (tool in ONLY_OUT_OF_FIGHT and seen.encounter.active is True)


def resolve_tool(hit: Hit, seen: Snapshot) -> Resolved:
    """Return the first permitted tool of a hit's intent with its arguments."""
    candidates = CANDIDATES[hit.intent]
    if not candidates:
        return Resolved(None, cause="unmapped")
    cause, note = "not_permitted", ""
    if hit.intent.startswith("rest.") and seen.encounter.active:
        return Resolved(None, cause="encounter_active", note="An encounter is active: nobody can rest.")
    for tool in candidates:
        if not is_permitted(tool, seen):
            continue
        found = _ARGUMENTS[tool](hit, seen) if tool in _ARGUMENTS else _as_read(tool, hit)
        operations = OPERATIONS_OF.get(seen.agent, {}).get(tool)
        if operations is not None and found.arguments.get("operation") not in operations:
            continue
        if found.tool is not None:
            return found
        cause, note = found.cause, note or found.note
    return Resolved(None, cause=cause, note=note)


def _as_read(tool: str, hit: Hit) -> Resolved:
    """Return a tool that takes the arguments by the names the rule gave them."""
    return Resolved(tool, {key: value for key, value in hit.arguments.items() if value is not None})


_OF_ITEMS = {"item.give": "transfer", "item.equip": "equip", "item.unequip": "unequip", "item.use": "use"}
"""The operations on things; whatever else becomes somebody's is made by `give`."""


def _inventory(hit: Hit, seen: Snapshot) -> Resolved:
    given = hit.arguments
    if hit.intent == "money.change":
        # Coins go into a purse with `give` and out of it with `take`.
        arguments: dict[str, Any] = {"operation": "take" if given.get("sign", 1) < 0 else "give"}
        if given.get("denomination"):
            arguments["item_name"] = given["denomination"]
        if given.get("amount"):
            arguments["quantity"] = abs(given["amount"])
    else:
        arguments = {"operation": _OF_ITEMS.get(hit.intent, "give")}
        arguments |= {key: given[key] for key in ("item_name", "quantity", "target_id") if given.get(key)}
    # `give` makes a thing and `take` does away with it; between two people it is a `transfer`.
    if owner := given.get("owner"):
        whose = {"character_id": owner.id} if owner.id else {"character_name": owner.name}
        to = {"to_character_id": seen.actor.id} if seen.actor.id else {}
        return Resolved("manage_inventory", {**arguments, "operation": "transfer", **whose, **to})
    if given.get("to"):
        arguments |= {"operation": "transfer", "to_character_name": given["to"]}
    return Resolved("manage_inventory", {**arguments, **_own(seen)})


def _own(seen: Snapshot) -> dict[str, Any]:
    """Return whose belongings a player speaks of."""
    return {"character_id": seen.actor.id} if seen.actor.id else {}


def _quest(hit: Hit, _seen: Snapshot) -> Resolved:
    operation = {"quest.accept": "start", "quest.objective": "complete_objective", "quest.complete": "complete"}[
        hit.intent
    ]
    known = {key: hit.arguments[key] for key in ("quest_id", "objective_id") if hit.arguments.get(key)}
    return Resolved("manage_quest", {"operation": operation, **known})


def _notes(hit: Hit, _seen: Snapshot) -> Resolved:
    state = {"quest.accept": "active", "quest.objective": "progress", "quest.complete": "completed"}[hit.intent]
    quest = hit.arguments.get("quest_id")
    return Resolved(
        "manage_notes", {"operation": "add", "tags": ["quest", *([f"quest:{quest}"] if quest else []), state]}
    )


def _move(hit: Hit, seen: Snapshot) -> Resolved:
    """Suggest a move only where it is bound to be legal: from here to a reachable area, by the acting character."""
    return move_to(hit.arguments.get("area_id"), seen)


def move_to(wanted: Any, seen: Snapshot) -> Resolved:
    """Return the move to an area, or why there is none."""
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
    """Suggest that the party goes where a way leads it; what is no known place is made before it goes there."""
    return party_to(hit.arguments.get("destination", ""), hit.arguments.get("area_id"), seen)


def party_to(name: str, wanted: str | None, seen: Snapshot) -> Resolved:
    """Return the party's way to a place, by its name and where it is known its id, or why there is none."""
    places, exits = seen.areas.places, seen.areas.exits
    is_known = bool(name) and _has(places or (), wanted, name)
    if wanted and places is not None and not is_known:
        return Resolved(None, cause="not_reachable")  # an area of the map, which is no place of the story
    if exits is not None and not (_has(exits, wanted, name) if wanted or is_known else exits or name):
        return _out_of_reach(exits)
    return Resolved("move_party", {"operation": "move"} | ({"to_location_name": name} if name else {}))


def _has(places: Sequence[Named], wanted: str | None, name: str) -> bool:
    return any(wanted == (one.id or one.name) or name_tag(name) == name_tag(one.name) for one in places)


def _rest(hit: Hit, _seen: Snapshot) -> Resolved:
    return Resolved("take_rest", {"rest_type": hit.intent.removeprefix("rest.")})


def _party(hit: Hit, _seen: Snapshot) -> Resolved:
    return Resolved("manage_party", {"operation": hit.intent.removeprefix("party."), **hit.arguments})


def _action(hit: Hit, seen: Snapshot) -> Resolved:
    arguments = {"action_type": hit.arguments.get("action_type", "attack")}
    if hit.arguments.get("target"):
        arguments["target_name"] = hit.arguments["target"]
    if hit.arguments.get("item_name"):
        arguments["item_name"] = hit.arguments["item_name"]
    return Resolved("execute_action", _in_encounter(arguments, seen))


def _in_encounter(arguments: Mapping[str, Any], seen: Snapshot) -> dict[str, Any]:
    return {**({"encounter_id": seen.encounter.id} if seen.encounter.id else {}), **arguments}


def _advance(_hit: Hit, seen: Snapshot) -> Resolved:
    return Resolved("advance_turn", _in_encounter({}, seen))


def _end(hit: Hit, seen: Snapshot) -> Resolved:
    return Resolved("end_encounter", _in_encounter(hit.arguments, seen))


def _create(_hit: Hit, _seen: Snapshot) -> Resolved:
    return Resolved("create_encounter")


def _hp_delta(hit: Hit, _seen: Snapshot) -> Resolved:
    if hit.intent == "hp.attack":
        return Resolved("hp_delta", {"cause": "an attack"})
    return Resolved(
        "hp_delta", {key: hit.arguments[key] for key in ("target_character_id", "delta") if key in hit.arguments}
    )


def _secret(_hit: Hit, _seen: Snapshot) -> Resolved:
    return Resolved("manage_location", {"operation": "update", "hidden": False})


def _map(hit: Hit, _seen: Snapshot) -> Resolved:
    return Resolved("map_generate", dict(hit.arguments))


def _location(hit: Hit, seen: Snapshot) -> Resolved:
    if hit.intent == "map.new":
        name = hit.arguments.get("theme")
        return Resolved("manage_location", {"operation": "create"} | ({"name": name} if name else {}))
    return _secret(hit, seen)


def _slot(hit: Hit, _seen: Snapshot) -> Resolved:
    level = hit.arguments.get("level")
    return Resolved("manage_spell_slots", {"operation": "expend"} | ({"slot_level": level} if level else {}))


def _dice(_hit: Hit, _seen: Snapshot) -> Resolved:
    return Resolved("roll_dice", {"expression": "1d20"})


def _concentration(hit: Hit, _seen: Snapshot) -> Resolved:
    told = {"character_id": hit.arguments.get("character_id"), "damage_amount": hit.arguments.get("damage")}
    known = {key: value for key, value in told.items() if value is not None}
    return Resolved("manage_concentration", {"operation": "check", **known})


def _update(_hit: Hit, seen: Snapshot) -> Resolved:
    return Resolved("update_character", {"character_id": seen.actor.id} if seen.actor.id else {})


def _bare(tool: str) -> Callable[[Hit, Snapshot], Resolved]:
    return lambda _hit, _seen: Resolved(tool)


_ARGUMENTS: Mapping[str, Callable[[Hit, Snapshot], Resolved]] = {
    "manage_inventory": _inventory,
    "manage_quest": _quest,
    "manage_notes": _notes,
    "move": _move,
    "move_party": _move_party,
    "take_rest": _rest,
    "manage_party": _party,
    "execute_action": _action,
    "advance_turn": _advance,
    "end_encounter": _end,
    "create_encounter": _create,
    "hp_delta": _hp_delta,
    "manage_location": _location,
    "map_generate": _map,
    "manage_spell_slots": _slot,
    "roll_dice": _dice,
    "manage_concentration": _concentration,
    "update_character": _update,
    **{tool: _bare(tool) for tool in SCENE_TOOLS},
}
