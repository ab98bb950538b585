"""Stage 6 again: of the hints of a player's own turn, what the player may see already. Rather none than a secret told.

Source: docs/stages/6-publish.md, "Projections".
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from turnwright.model.base import name_tag
from turnwright.model.settings import settings_of
from turnwright.model.state.overlay import World
from turnwright.model.strict_json import texts_in
from turnwright.model.wire import hint as hints
from turnwright.protocol.stage3_tools.repair.loose_json import read_loosely
from turnwright.rulesets.in_use import tables_of

if TYPE_CHECKING:
    from turnwright.model.wire.shapes import ConversationRequest, Hint


class Known(NamedTuple):
    """The names that a hint may show to a player.

    Attributes:
        tools: the tools that players may call.
        areas: the area of the player's character, and its known exits.
        people: the party.
        here: the area of the player's character, or "".
        names: the names of these areas and people, by id.
    """

    tools: Collection[str] = ()
    areas: Collection[str] = ()
    people: Collection[str] = ()
    here: str = ""
    names: Mapping[str, str] = MappingProxyType({})


NOTHING = Known()


def known_to(world: World, character_id: str) -> Known:
    """Return the names a hint may show to a character's player; none for a character outside the party."""
    campaign = world.campaign
    people = campaign.selected.party_character_ids
    me = world.character(character_id)
    if me is None or character_id not in people:
        return NOTHING
    tools = set(settings_of(campaign.settings)["players.tools"]) & set(campaign.allowlist)
    here = world.area(me.position) if me.position else None
    beyond = tables_of(campaign).actors.exits(world, here, only_known=True) if here else ()
    areas = {area.id: area.name for area in [here, *beyond]} if here else {}
    names = {member.id: member.label for member in map(world.character, people) if member}
    return Known(tools, areas.keys(), people, here.id if here else "", {**areas, **names})


def redact_hint(hint: Hint, known: Known, request: ConversationRequest | None) -> Hint:
    """Return what a player may see of a hint; empty when nothing actionable is left.

    Args:
        hint: the game master's view of it.
        known: the names that the player may see.
        request: the player's open request.
    """
    field = hint.get("field")
    if not isinstance(field, str):
        return {}
    if hint.get("remove"):
        return {"field": field, "remove": True}
    got = hint.get("got")
    if _names_others(field) and isinstance(got, str):
        return _as_known(field, got, known)
    left: Hint = {"field": field}
    if "got" in hint:
        left["got"] = hint["got"]
    if "add" in hint:
        left["add"] = hint["add"]
    allowed = [each for each in hint.get("allowed", ()) if _is_namable(each, hint, known, request)]
    choices = [each for each in hint.get("choices", ()) if _is_namable(each, hint, known, request)]
    if allowed:
        left["allowed"] = allowed
    if choices:
        left["choices"] = choices
    return left if allowed or choices else {}


def _names_others(field: str) -> bool:
    """Return whether a field names a person or a place that the player may not know."""
    last = field.rpartition(".")[2]
    return last.endswith(("_id", "_name")) and last not in _OWN and not field.startswith("answer.")


_OWN = ("actor_id", "from_area_id", "request_id")
"""Fields whose hints speak of the player's own character, or of what the player is asked."""


def _as_known(field: str, got: str, known: Known) -> Hint:
    """Return the hint for a name as it is where nothing is but what the player knows, whatever the world holds."""
    is_area = field.endswith("area_id")
    ids = [each for each in (known.areas if is_area else known.people) if not (is_area and each == known.here)]
    labels = {each: known.names[each] for each in ids if each in known.names}
    others = {known.here} if is_area else set[str]()
    if field.endswith("_name"):
        told = hints.name(field, got, labels.values())
    else:
        called = {each for each, label in labels.items() if name_tag(label) == name_tag(got)}
        told = hints.identifier(field, got, ids, called, others, labels)
    return told if told.get("allowed") or told.get("choices") else {}


def _is_namable(value: Any, hint: Hint, known: Known, request: ConversationRequest | None) -> bool:
    """Return whether a hint may offer a value: one that may be named, or one made of what was handed in alone."""
    if isinstance(value, (Mapping, list)):
        return "got" in hint and set(texts_in(value)) <= {*texts_in(hint["got"])} | _words(hint["got"])
    if type(value) in (bool, float):
        return hint["field"].startswith("args.") and "got" in hint and "allowed" in hint
    return value in _namable(hint["field"], known, request, type(value))


def _words(got: Any) -> set[str]:
    """Return the texts of the JSON that a text says."""
    return set(texts_in(read_loosely(got).value)) if isinstance(got, str) else set()


def _namable(field: str, known: Known, request: ConversationRequest | None, kind: type) -> Collection[Any]:
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
