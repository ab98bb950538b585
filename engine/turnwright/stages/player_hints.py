"""Stage 6 again: of the hints of a player's own turn, what the player may see already. Rather none than a secret told.

Source: docs/stages/6-publish.md, "Projections".
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any, NamedTuple

from turnwright.model.settings import settings_of
from turnwright.stages.loose_json import read_loosely
from turnwright.world.exits import exits_of
from turnwright.world.overlay import World

Hint = dict[str, Any]


class Known(NamedTuple):
    """What a hint may name to a player.

    Attributes:
        tools: those that players may call.
        areas: where the player's character stands, and the ways out of there that are no secret.
        people: the party.
    """

    tools: Collection[str] = ()
    areas: Collection[str] = ()
    people: Collection[str] = ()


NOTHING = Known()


def known_to(world: World, character_id: str) -> Known:
    """Return what a hint may name to the player of a character; nothing to who is not in the party."""
    campaign = world.campaign
    people = campaign.selected.party_character_ids
    me = world.character(character_id)
    if me is None or character_id not in people:
        return NOTHING
    tools = set(settings_of(campaign.settings)["players.tools"]) & set(campaign.allowlist)
    here = world.area(me.position) if me.position else None
    areas = {here.id, *(area.id for area in exits_of(world, here, only_known=True))} if here else set[str]()
    return Known(tools, areas, people)


def shown(hint: Mapping[str, Any], known: Known, request: Mapping[str, Any] | None) -> Hint:
    """Return what a player may see of a hint; empty when nothing is left that it could be followed by.

    Args:
        hint: as the game master sees it.
        known: what may be named to the player.
        request: the one that is open for the player.
    """
    field = hint.get("field")
    if not isinstance(field, str):
        return {}
    if hint.get("remove"):
        return {"field": field, "remove": True}
    told = {
        key: some
        for key in ("allowed", "choices")
        if (some := [each for each in hint.get(key, ()) if _is_namable(each, hint, known, request)])
    }
    return {key: hint[key] for key in ("field", "got", "add") if key in hint} | told if told else {}


def _is_namable(value: Any, hint: Mapping[str, Any], known: Known, request: Mapping[str, Any] | None) -> bool:
    """Return whether a hint may offer a value: one that may be named, or one made of what was handed in alone."""
    if isinstance(value, (Mapping, list)):
        return "got" in hint and set(_texts(value)) <= {*_texts(hint["got"])} | _words(hint["got"])
    if type(value) in (bool, float):
        return "got" in hint and "allowed" in hint
    return value in _namable(hint["field"], known, request, type(value))


def _texts(value: Any) -> Iterator[str]:
    """Yield every text in a JSON value, keys of objects among them."""
    if isinstance(value, Mapping):
        yield from value
        value = list(value.values())
    if isinstance(value, list):
        for each in value:
            yield from _texts(each)
    elif isinstance(value, str):
        yield value


def _words(got: Any) -> set[str]:
    """Return the texts of the JSON that a text says."""
    return set(_texts(read_loosely(got).value)) if isinstance(got, str) else set()


def _namable(field: str, known: Known, request: Mapping[str, Any] | None, kind: type) -> Collection[Any]:
    """Return the values of a type that a hint for this field may offer."""
    if field == "user_input" or field.startswith("answer."):
        return [value for value in _scalars(request) if type(value) is kind]
    if field == "tool":
        return known.tools
    return known.areas if field.endswith("area_id") else known.people


def _scalars(value: Any) -> Iterator[Any]:
    """Yield every text and number in a JSON value."""
    if isinstance(value, Mapping):
        value = list(value.values())
    if isinstance(value, list):
        for item in value:
            yield from _scalars(item)
    elif isinstance(value, str) or type(value) is int:
        yield value
