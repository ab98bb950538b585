"""What somebody carries: entries that stack, slots that hold them, and what it all weighs.

An entry counts its pieces; `uses_remaining` counts the uses that all its pieces have left together. Nothing here
refuses anything: the caller asks first. Source: docs/toolkit.md, "Equipment"; SRD 5.1, "Lifting and Carrying".
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from types import MappingProxyType
from typing import NamedTuple, get_args

from turnwright.model.character import Character
from turnwright.model.item import Item, Slot
from turnwright.model.strict_json import MAX_INT
from turnwright.model.vocabulary import Size, words

SLOTS: tuple[str, ...] = get_args(Slot)
RINGS = ("ring1", "ring2")
MOST_PIECES = 1_000_000
MOST_ENTRIES = 1_000
MOST_ATTUNED = 3

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
"""What a weapon shoots, by a part of its name: the first that fits."""
_PROPERTY = re.compile(r"[a-z-]+")
_TWO = re.compile(r"^two[\s_-]*(?=hand)")
_RING = re.compile(r"\brings?\b", re.IGNORECASE)
_POUNDS_A_POINT = 15


# entries


def spelt(name: str | None) -> str:
    """Return a name as it is compared: without regard to case and blanks."""
    return " ".join((name or "").split()).casefold()


def is_alike(one: Item, other: Item) -> bool:
    """Return whether two entries stack: same name, type and container."""
    return all(spelt(getattr(one, part)) == spelt(getattr(other, part)) for part in ("name", "type", "container"))


def entry(character: Character, item_id: str) -> Item | None:
    """Return the entry of this id, or None."""
    return next((item for item in character.inventory if item.id == item_id), None)


def alike(character: Character, item: Item) -> Item | None:
    """Return the entry on which an item would stack, or None."""
    return next((held for held in character.inventory if held.id != item.id and is_alike(held, item)), None)


def named(character: Character, name: str, container: str | None = None) -> list[Item]:
    """Return the entries of a name, in one container only where one is given (empty: carried loose)."""
    found = [item for item in character.inventory if spelt(item.name) == spelt(name)]
    return found if container is None else [item for item in found if spelt(item.container) == spelt(container)]


class Stacked(NamedTuple):
    """Somebody with an item more, and the entry that holds it."""

    character: Character
    item: Item


def with_item(character: Character, item: Item) -> Stacked:
    """Return somebody with an item more: on the entry that is like it, which keeps its other values, else by itself."""
    onto = alike(character, item)
    if onto is None:
        return Stacked(character.having(inventory=(*character.inventory, item)), item)
    uses = None
    if onto.uses_remaining is not None or item.uses_remaining is not None:
        uses = min(MAX_INT, _uses(onto) + _uses(item))
    stacked = onto.having(quantity=onto.quantity + item.quantity, uses_remaining=uses)
    return Stacked(_with_entry(character, stacked), stacked)


class Taken(NamedTuple):
    """Somebody with pieces less.

    Attributes:
        character: who has the rest.
        item: what was taken, as an entry.
        left: how many pieces stay.
        unequipped: the slots that became empty.
    """

    character: Character
    item: Item
    left: int
    unequipped: tuple[str, ...]


def without_item(character: Character, item: Item, quantity: int) -> Taken:
    """Return somebody without some pieces of an entry; uses go along in proportion, rounded down."""
    left = item.quantity - quantity
    uses = item.uses_remaining
    gone = None if uses is None else uses * quantity // max(1, item.quantity)
    kept = item.having(quantity=left, uses_remaining=None if uses is None or gone is None else uses - gone)
    rest = _with_entry(character, kept) if left else _without_entry(character, item)
    freed = slots_of(character, item.id)[max(0, left) :]
    return Taken(_emptied(rest, freed), item.having(quantity=quantity, uses_remaining=gone), left, freed)


class Used(NamedTuple):
    """Somebody who used an item.

    Attributes:
        character: who has what is left of it.
        remaining: uses left, or pieces of a consumable that is not counted in uses; None where nothing is used up.
        unequipped: the slots that became empty.
    """

    character: Character
    remaining: int | None
    unequipped: tuple[str, ...] = ()


def is_used_up(item: Item) -> bool:
    """Return whether nothing is left of an item to be used."""
    return item.uses_remaining == 0 or item.quantity == 0


def with_item_used(character: Character, item: Item) -> Used:
    """Return somebody after one use; a consumable is gone with its last, anything else stays with none."""
    consumable = item.type == "consumable"
    if item.uses_remaining is None and not consumable:
        return Used(character, None)
    left = _uses(item) - 1
    if not consumable:
        return Used(_with_entry(character, item.having(uses_remaining=left)), left)
    if left == 0:
        freed = slots_of(character, item.id)
        return Used(_emptied(_without_entry(character, item), freed), 0, freed)
    pieces = min(item.quantity, left)
    used = item.having(quantity=pieces, uses_remaining=None if item.uses_remaining is None else left)
    freed = slots_of(character, item.id)[pieces:]
    return Used(_emptied(_with_entry(character, used), freed), left, freed)


def _uses(item: Item) -> int:
    return item.quantity if item.uses_remaining is None else item.uses_remaining


def _with_entry(character: Character, item: Item) -> Character:
    return character.having(inventory=tuple(item if held.id == item.id else held for held in character.inventory))


def _without_entry(character: Character, item: Item) -> Character:
    return character.having(inventory=tuple(held for held in character.inventory if held.id != item.id))


# what a weapon asks for


def has_property(item: Item, wanted: str) -> bool:
    """Return whether a weapon has a property, whatever stands behind the word, such as its ranges."""
    words = (*item.properties, *(item.weapon_stats.properties if item.weapon_stats else ()))
    return any(found[0] == wanted for word in words if (found := _PROPERTY.match(_dashed(word))))


def _dashed(text: str) -> str:
    return _TWO.sub("two-", text.strip().casefold())


def ammunition_for(character: Character, weapon: Item) -> Item | None:
    """Return what somebody shoots with a weapon: what is in the quiver, else what they carry that goes with it."""
    carried = [item for item in character.inventory if item.type == "ammunition" and item.quantity > 0]
    in_quiver = [item for item in carried if item.id == character.equipped.get("quiver")]
    kind = next((shot for name, shot in _SHOT_BY if name in weapon.name.casefold()), "")
    return next(iter(in_quiver), None) or next((item for item in carried if kind in item.name.casefold()), None)


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
    """Return where an item goes when nobody says: its own slot, or the usual one of its type; None where neither is."""
    suitable = suitable_slots(item)
    if suitable[:1] and suitable[0] in RINGS:
        return next((slot for slot in suitable if slot not in character.equipped), suitable[0])
    return item.slot or (suitable[0] if item.type in _BY_TYPE and suitable else None)


class Equipped(NamedTuple):
    """Somebody with an item in a slot, and what left which slots for it: id of the item by slot."""

    character: Character
    unequipped: Mapping[str, str]


def with_equipped(character: Character, item: Item, slot: str, *, both_hands: bool = True) -> Equipped:
    """Return somebody with an item in a slot: who was there leaves it, and no more slots hold it than it has pieces.

    A weapon for two hands leaves no room in the other, and what the other takes up leaves none for such a weapon,
    unless `both_hands` is not asked for.
    """
    others = [held for held in slots_of(character, item.id) if held != slot]
    left = dict.fromkeys(others[max(0, item.quantity - 1) :], item.id)
    before = character.equipped.get(slot)
    if before is not None and before != item.id:
        left[slot] = before
    other = next((hand for hand in _HELD if slot in _HELD and hand != slot), "")
    held = entry(character, character.equipped.get(other, ""))
    if both_hands and held is not None and (has_property(item, _TWO_HANDED) or has_property(held, _TWO_HANDED)):
        left[other] = held.id
    equipped = {held: item_id for held, item_id in character.equipped.items() if held not in left} | {slot: item.id}
    return Equipped(character.having(equipped=equipped), {held: left[held] for held in _in_order(left)})


def with_emptied(character: Character, slots: Sequence[str]) -> Character:
    """Return somebody with nothing in these slots."""
    return _emptied(character, slots)


def with_hands_empty(character: Character) -> tuple[Character, tuple[Item, ...]]:
    """Return somebody who drops what they hold, and what that is; a shield is strapped on and stays."""
    by_id = {item.id: item for item in character.inventory}
    held = {slot: item for slot in _HELD if (item := by_id.get(character.equipped.get(slot, ""))) is not None}
    dropped = {slot: item for slot, item in held.items() if item.type != "shield"}
    return _emptied(character, tuple(dropped)), tuple(dropped.values())


def attuned(character: Character) -> list[Item]:
    """Return the items somebody is attuned to: those they have equipped that ask for it."""
    worn = set(character.equipped.values())
    return [item for item in character.inventory if item.id in worn and item.requires_attunement]


def _emptied(character: Character, slots: Sequence[str]) -> Character:
    if not slots:
        return character
    return character.having(equipped={slot: held for slot, held in character.equipped.items() if slot not in slots})


def _in_order(slots: Mapping[str, str]) -> list[str]:
    known = [slot for slot in SLOTS if slot in slots]
    return [*known, *(slot for slot in slots if slot not in SLOTS)]


# weight


def total_weight(character: Character) -> int | float:
    """Return the pounds of everything carried, with no more digits than the weights have."""
    pounds = sum((Decimal(str(item.weight or 0)) * item.quantity for item in character.inventory), Decimal(0))
    pounds = min(pounds, Decimal(MAX_INT))
    return int(pounds) if pounds == int(pounds) else float(pounds)


def capacity(strength: int, size: Size) -> int | float:
    """Return the pounds that somebody can carry: twice as many for each size above medium, half for the tiny."""
    steps = words(Size).index(size) - words(Size).index("medium")
    pounds = _POUNDS_A_POINT * strength
    if size == "tiny":
        return pounds // 2 if pounds % 2 == 0 else pounds / 2
    return pounds << max(0, steps)
