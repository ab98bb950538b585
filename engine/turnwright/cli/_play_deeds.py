"""What an applied call did, on one line beside the story."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from turnwright.cli._output import action_in_words, safe
from turnwright.world.overlay import World

Json = Mapping[str, Any]


def deed_in_words(action: Json, world: World, acting_id: str | None) -> str:
    """Return what an action did, with people and places by their names."""
    tell = _WORDS.get(action["tool"])
    if tell is None:
        return f"{safe(action['tool'])}: {action_in_words(action)}"
    return safe(tell(action, world, acting_id))


def _move(action: Json, world: World, acting_id: str | None) -> str:
    return f"{_person(world, acting_id)} goes to {_area(world, action['result']['to_area_id'])}"


def _hp(action: Json, world: World, _: str | None) -> str:
    args, result = action["args"], action["result"]
    cause = f" ({args['cause']})" if args.get("cause") else ""
    who = _person(world, args["target_character_id"])
    if "look" in result:
        return f"{who} {args['delta']:+d} hp, looks {result['look']}{cause}"
    left = f", now {result['new_hp']}" if "new_hp" in result else ""
    return f"{who} {args['delta']:+d} hp{left}{cause}"


def _map(action: Json, world: World, _: str | None) -> str:
    made = action["result"].get("created_area_ids", ())
    return f"the map grows: {', '.join(_area(world, area) for area in made[:8])}{' ...' if len(made) > 8 else ''}"


def _person(world: World, character_id: str | None) -> str:
    person = world.character(character_id) if character_id else None
    return person.label if person else str(character_id)


def _area(world: World, area_id: str) -> str:
    area = world.area(area_id)
    return area.name if area else area_id


_WORDS: Mapping[str, Callable[[Json, World, str | None], str]] = {"move": _move, "hp_delta": _hp, "map_generate": _map}
