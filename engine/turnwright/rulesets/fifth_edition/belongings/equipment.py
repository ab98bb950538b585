"""Worn and wielded items: the slots that hold carried pieces, and the requirements of weapons.

Functions here refuse nothing: the caller checks first. Source: docs/toolkit.md, "Equipment".
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Literal, NamedTuple, get_args

from turnwright.model.character import Character
from turnwright.model.item import Item, Slot

SLOTS: tuple[str, ...] = get_args(Slot)
RINGS = ("ring1", "ring2")
MAX_ATTUNED = 3

_BY_TYPE: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "weapon": ("mainhand", "offhand"),
        "armor": ("armor",),
        "shield": ("offhand",),
        "ammunition": ("quiver",),
        "currency": (),
    }
)
_HELD = ("mainhand", "offhand")
_ANYWHERE = tuple(slot for slot in SLOTS if slot not in ("armor", "quiver", *_HELD)) + _HELD
_TWO_HANDED = "two-handed"
_SHOT_BY = (("crossbow", "bolt"), ("bow", "arrow"), ("sling", "bullet"), ("blowgun", "needle"))
"""The ammunition of a weapon, by a part of its name: the first that fits."""
_PROPERTY = re.compile(r"[a-z-]+")
_TWO = re.compile(r"^two[\s_-]*(?=hand)")
_RING = re.compile(r"\brings?\b", re.IGNORECASE)


# slots


def slots_of(character: Character, item_id: str) -> tuple[str, ...]:
    """Return the slots that hold pieces of an entry, in the order of slots."""
    return tuple(slot for slot in _in_order(character.equipped) if character.equipped[slot] == item_id)


def suitable_slots(item: Item) -> tuple[str, ...]:
    """Return the slots that suit an item, the usual one first."""
    if item.type in _BY_TYPE:
        return _BY_TYPE[item.type]
    if item.slot in RINGS or (item.slot is None and _RING.search(item.name)):
        return RINGS if item.slot != RINGS[1] else RINGS[::-1]
    return _ANYWHERE if item.slot is None else (item.slot,)


def usual_slot(character: Character, item: Item) -> str | None:
    """Return the default slot of an item: its own, or the usual one of its type; None if it has neither."""
    suitable = suitable_slots(item)
    if suitable[:1] and suitable[0] in RINGS:
        return next((slot for slot in suitable if slot not in character.equipped), suitable[0])
    return item.slot or (suitable[0] if item.type in _BY_TYPE and suitable else None)


class Equipped(NamedTuple):
    """A character with an item in a slot, and the items that left their slots for it: id of the item by slot."""

    character: Character
    unequipped: Mapping[str, str]


def with_equipped(character: Character, item: Item, slot: str, *, both_hands: bool = True) -> Equipped:
    """Return a character with an item in a slot: an item there leaves it, and no more slots hold it than it has pieces.

    A two-handed weapon empties the other hand, and an item in the other hand displaces such a weapon, unless
    `both_hands` is false.
    """
    others = [held for held in slots_of(character, item.id) if held != slot]
    left = dict.fromkeys(others[max(0, item.quantity - 1) :], item.id)
    before = character.equipped.get(slot)
    if before is not None and before != item.id:
        left[slot] = before
    other = next((hand for hand in _HELD if slot in _HELD and hand != slot), "")
    held = _item_in(character, other)
    if both_hands and held is not None and (has_property(item, _TWO_HANDED) or has_property(held, _TWO_HANDED)):
        left[other] = held.id
    equipped = {held: item_id for held, item_id in character.equipped.items() if held not in left} | {slot: item.id}
    return Equipped(character.replace(equipped=equipped), {held: left[held] for held in _in_order(left)})


def with_emptied(character: Character, slots: Sequence[str]) -> Character:
    """Return a character with these slots empty."""
    if not slots:
        return character
    return character.replace(equipped={slot: held for slot, held in character.equipped.items() if slot not in slots})


def with_hands_empty(character: Character) -> tuple[Character, tuple[Item, ...]]:
    """Return a character who drops held items, and those items; a shield is strapped on and stays."""
    held = {slot: item for slot in _HELD if (item := _item_in(character, slot)) is not None}
    dropped = {slot: item for slot, item in held.items() if item.type != "shield"}
    return with_emptied(character, tuple(dropped)), tuple(dropped.values())


def attuned(character: Character) -> list[Item]:
    """Return the items that a character is attuned to: the equipped ones that require attunement."""
    worn = set(character.equipped.values())
    return [item for item in character.inventory if item.id in worn and item.requires_attunement]


def _item_in(character: Character, slot: str) -> Item | None:
    held = character.equipped.get(slot)
    return next((item for item in character.inventory if item.id == held), None)


def _in_order(slots: Mapping[str, str]) -> list[str]:
    known = [slot for slot in SLOTS if slot in slots]
    return [*known, *(slot for slot in slots if slot not in SLOTS)]


# requirements of weapons


def has_property(item: Item, wanted: str) -> bool:
    """Return whether a weapon has a property, ignoring any text after the word, such as its ranges."""
    words = (*item.properties, *(item.weapon_stats.properties if item.weapon_stats else ()))
    return any(found[0] == wanted for word in words if (found := _PROPERTY.match(_dashed(word))))


Stuff = Literal["metal", "wood", "other"]
_STUFFS: tuple[Stuff, ...] = ("metal", "wood")
_WOODEN = frozenset({"club", "greatclub", "quarterstaff", "blowgun", "longbow", "shortbow", "staff", "shield"})
_OF_OTHER_STUFF = frozenset({"whip", "net", "sling", "hide", "leather", "padded", "studded leather"})


def stuff_of(item: Item) -> Stuff:
    """Return the material of a weapon, armor or shield: by its properties, else by its name.

    The SRD gives few materials: by default an item is of metal, and a shield of wood.
    """
    for stuff in _STUFFS:
        if has_property(item, stuff):
            return stuff
    name = item.name.strip().casefold().removesuffix(" armor")
    if name in _OF_OTHER_STUFF:
        return "other"
    return "wood" if name in _WOODEN or item.type == "shield" else "metal"


def is_mundane(item: Item) -> bool:
    """Return whether an item is not magical: by its rarity, and by its properties."""
    return not has_property(item, "magical") and (item.rarity or "").casefold() in MUNDANE


MUNDANE = ("", "none", "mundane", "unknown")
"""Rarities of items that are not magical."""


def _dashed(text: str) -> str:
    return _TWO.sub("two-", text.strip().casefold())


def ammunition_for(character: Character, weapon: Item) -> Item | None:
    """Return a character's ammunition for a weapon: that in the quiver, else any suitable carried item."""
    carried = [item for item in character.inventory if item.type == "ammunition" and item.quantity > 0]
    in_quiver = [item for item in carried if item.id == character.equipped.get("quiver")]
    kind = next((shot for name, shot in _SHOT_BY if name in weapon.name.casefold()), "")
    return next(iter(in_quiver), None) or next((item for item in carried if kind in item.name.casefold()), None)
