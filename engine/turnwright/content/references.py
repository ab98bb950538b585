"""Which entries an entry refers to."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypedDict

from turnwright.model.json_types import JsonObject

if TYPE_CHECKING:
    from turnwright.model.content_shapes import StatBlock

Reference = tuple[str, tuple[str, ...], str]
"""Where in an entry it is, the kinds that it may be of, and the id."""

_GOODS = ("gear", "weapons", "armor", "magic_items")


def references_in(kind: str, value: JsonObject) -> Iterator[Reference]:
    """Yield an entry's references to entries of its own pack or of one that the pack requires."""
    find = _BY_KIND.get(kind)
    if find is not None:
        yield from find(value)


class NamedId(TypedDict):
    """A reference to an entry by its id."""

    id: str


class SummonedCreature(TypedDict, total=False):
    """Creatures that a spell may summon; an id if only one."""

    id: str


class SummonsShape(TypedDict, total=False):
    """Creatures that a spell summons."""

    choices: Sequence[str]
    options: Sequence[SummonedCreature]
    by_slot: Mapping[str, Sequence[SummonedCreature]]


class SpellReferences(TypedDict, total=False):
    """References of a spell."""

    classes: Sequence[str]
    summons: SummonsShape


class GoodsReferences(TypedDict, total=False):
    """References of goods."""

    ammunition: str
    contents: Sequence[NamedId]


class MagicItemReferences(TypedDict, total=False):
    """References of a magic item."""

    variants: Sequence[str]
    weapons: Sequence[str]
    spells: Sequence[NamedId]


class SubclassReferences(TypedDict, total=False):
    """References of a subclass."""

    spells: Sequence[NamedId]


class ClassReferences(TypedDict, total=False):
    """References of a class; choices of equipment nest."""

    spells: Sequence[str]
    starting_equipment: Sequence[NamedId]
    starting_equipment_choices: Sequence[Any]
    subclasses: Sequence[SubclassReferences]


class BackgroundReferences(TypedDict, total=False):
    """References of a background; choices of equipment nest."""

    equipment: Sequence[NamedId]
    equipment_choices: Sequence[Any]


def _ids(path: str, kinds: tuple[str, ...], ids: Any) -> Iterator[Reference]:
    for place, name in enumerate(ids):
        yield f"{path}[{place}]", kinds, name


def _of_monster(value: StatBlock) -> Iterator[Reference]:
    yield from _ids("$.forms_of", ("monsters",), value.get("forms_of", ()))
    for at, trait in enumerate(value.get("traits", ())):
        casting = trait.get("spellcasting")
        if casting:
            where = f"$.traits[{at}].spellcasting"
            yield from _ids(f"{where}.at_will", ("spells",), casting.get("at_will", ()))
            for group, lists in (("prepared", casting.get("prepared", {})), ("per_day", casting.get("per_day", {}))):
                for key, ids in lists.items():
                    yield from _ids(f"{where}.{group}.{key}", ("spells",), ids)


def _of_spell(value: SpellReferences) -> Iterator[Reference]:
    yield from _ids("$.classes", ("classes",), value.get("classes", ()))
    summons = value.get("summons", {})
    yield from _ids("$.summons.choices", ("monsters",), summons.get("choices", ()))
    groups = [("$.summons.options", summons.get("options", ()))]
    groups += [(f"$.summons.by_slot.{slot}", group) for slot, group in summons.get("by_slot", {}).items()]
    for path, group in groups:
        for at, option in enumerate(group):
            if "id" in option:
                yield f"{path}[{at}].id", ("monsters",), option["id"]


def _of_goods(value: GoodsReferences) -> Iterator[Reference]:
    if "ammunition" in value:
        yield "$.ammunition", ("gear",), value["ammunition"]
    for at, part in enumerate(value.get("contents", ())):
        yield f"$.contents[{at}].id", _GOODS, part["id"]


def _of_magic_item(value: MagicItemReferences) -> Iterator[Reference]:
    yield from _ids("$.variants", ("magic_items",), value.get("variants", ()))
    yield from _ids("$.weapons", ("weapons",), value.get("weapons", ()))
    for at, spell in enumerate(value.get("spells", ())):
        yield f"$.spells[{at}].id", ("spells",), spell["id"]


def _of_class(value: ClassReferences) -> Iterator[Reference]:
    yield from _ids("$.spells", ("spells",), value.get("spells", ()))
    for at, part in enumerate(value.get("starting_equipment", ())):
        yield f"$.starting_equipment[{at}].id", _GOODS, part["id"]
    yield from _of_choices("$.starting_equipment_choices", value.get("starting_equipment_choices", ()))
    for at, sub in enumerate(value.get("subclasses", ())):
        for place, spell in enumerate(sub.get("spells", ())):
            yield f"$.subclasses[{at}].spells[{place}].id", ("spells",), spell["id"]


def _of_background(value: BackgroundReferences) -> Iterator[Reference]:
    for at, part in enumerate(value.get("equipment", ())):
        yield f"$.equipment[{at}].id", _GOODS, part["id"]
    yield from _of_choices("$.equipment_choices", value.get("equipment_choices", ()))


def _of_choices(path: str, node: Any) -> Iterator[Reference]:
    """Yield the items that choices of equipment offer, at any depth."""
    if isinstance(node, list):
        for at, item in enumerate(node):
            yield from _of_choices(f"{path}[{at}]", item)
    elif isinstance(node, Mapping):
        if "id" in node:
            yield f"{path}.id", _GOODS, node["id"]
        for key in ("options", "all"):
            yield from _of_choices(f"{path}.{key}", node.get(key, []))


_BY_KIND: Mapping[str, Callable[[Any], Iterator[Reference]]] = {
    "monsters": _of_monster,
    "spells": _of_spell,
    "weapons": _of_goods,
    "gear": _of_goods,
    "magic_items": _of_magic_item,
    "classes": _of_class,
    "backgrounds": _of_background,
}
