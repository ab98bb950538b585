"""A character's inventory: entries that stack, and their total weight.

An entry counts its pieces; `uses_remaining` counts the uses that all its pieces have left together. Functions here
refuse nothing: the caller checks first. Source: docs/toolkit.md, "Equipment"; SRD 5.1, "Lifting and Carrying".
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import NamedTuple

from turnwright.model.character import Character
from turnwright.model.fuzzy_match import probable
from turnwright.model.item import Item
from turnwright.model.strict_json import MAX_INT
from turnwright.model.vocabulary import Size, words
from turnwright.rulesets.fifth_edition.belongings.equipment import slots_of, with_emptied

MAX_PIECES = 1_000_000
MAX_ENTRIES = 1_000
_POUNDS_A_POINT = 15
_WORD = re.compile(r"\w+")
_SMALL_WORDS = frozenset({"of", "the", "a", "my"})


# entries


def spelt(name: str | None) -> str:
    """Return a name in the form for comparison: without regard to case and blanks."""
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
    """Return the entries of a name; in one container only, if given (empty: carried loose)."""
    found = [item for item in character.inventory if spelt(item.name) == spelt(name)]
    return found if container is None else [item for item in found if spelt(item.container) == spelt(container)]


def called(character: Character, name: str) -> Item | None:
    """Return the first entry of a name, else of the one name that has the same words: `healing potion`."""
    wanted = words_of(name)
    found = [item for item in character.inventory if wanted and words_of(item.name) == wanted]
    one_name = found if len({spelt(item.name) for item in found}) == 1 else []
    return next(iter(named(character, name) or one_name), None)


def probably_called(character: Character, name: str) -> list[str]:
    """Return the names of entries that a misspelled name probably means, the likeliest first."""
    names = list(dict.fromkeys(item.name for item in character.inventory))
    sorted_words = {_in_order(other): other for other in reversed(names) if words_of(other)}
    near = (probable(name, names), sorted_words.get(probable(_in_order(name), sorted_words) or ""))
    wanted = words_of(name)
    meant = [other for other in names if wanted and (words_of(other) == wanted or _is_of_kind(wanted, other))]
    return list(dict.fromkeys([*meant, *(other for other in near if other)]))


def words_of(name: str) -> frozenset[str]:
    """Return the words that identify a thing."""
    return frozenset(_WORD.findall(name.casefold())) - _SMALL_WORDS


def _in_order(name: str) -> str:
    return " ".join(sorted(words_of(name)))


def _is_of_kind(wanted: frozenset[str], name: str) -> bool:
    """Return whether a thing is of a kind: a potion of healing is a potion, a door key is not a door."""
    kind = _WORD.findall(name.casefold().partition(" of ")[0])[-1:]
    return wanted <= words_of(name) and wanted.issuperset(kind)


class Stacked(NamedTuple):
    """A character with an added item, and the entry that holds it."""

    character: Character
    item: Item


def with_item(character: Character, item: Item) -> Stacked:
    """Return a character with an added item: on an equal entry, which keeps its other values, else on a new one."""
    onto = alike(character, item)
    if onto is None:
        return Stacked(character.replace(inventory=(*character.inventory, item)), item)
    uses = None
    if onto.uses_remaining is not None or item.uses_remaining is not None:
        uses = min(MAX_INT, _uses(onto) + _uses(item))
    stacked = onto.replace(quantity=onto.quantity + item.quantity, uses_remaining=uses)
    return Stacked(_with_entry(character, stacked), stacked)


class Taken(NamedTuple):
    """A character after pieces were removed.

    Attributes:
        character: the character with the rest.
        item: the removed pieces, as an entry.
        left: the number of pieces that stay.
        unequipped: the slots that became empty.
    """

    character: Character
    item: Item
    left: int
    unequipped: tuple[str, ...]


def without_item(character: Character, item: Item, quantity: int) -> Taken:
    """Return a character without some pieces of an entry; uses are divided in proportion, rounded down."""
    left = item.quantity - quantity
    uses = item.uses_remaining
    gone = None if uses is None else uses * quantity // max(1, item.quantity)
    kept = item.replace(quantity=left, uses_remaining=None if uses is None or gone is None else uses - gone)
    rest = _with_entry(character, kept) if left else _without_entry(character, item)
    freed = slots_of(character, item.id)[max(0, left) :]
    return Taken(with_emptied(rest, freed), item.replace(quantity=quantity, uses_remaining=gone), left, freed)


class Used(NamedTuple):
    """A character after using an item.

    Attributes:
        character: the character with the rest of it.
        remaining: uses left, or pieces of a consumable that is not counted in uses; None if nothing is used up.
        unequipped: the slots that became empty.
    """

    character: Character
    remaining: int | None
    unequipped: tuple[str, ...] = ()


def is_used_up(item: Item) -> bool:
    """Return whether nothing is left of an item to be used."""
    return item.uses_remaining == 0 or item.quantity == 0


def with_item_used(character: Character, item: Item) -> Used:
    """Return a character after one use; a consumable is removed with its last, any other item stays with none."""
    consumable = item.type == "consumable"
    if item.uses_remaining is None and not consumable:
        return Used(character, None)
    left = _uses(item) - 1
    if not consumable:
        return Used(_with_entry(character, item.replace(uses_remaining=left)), left)
    if left == 0:
        freed = slots_of(character, item.id)
        return Used(with_emptied(_without_entry(character, item), freed), 0, freed)
    pieces = min(item.quantity, left)
    used = item.replace(quantity=pieces, uses_remaining=None if item.uses_remaining is None else left)
    freed = slots_of(character, item.id)[pieces:]
    return Used(with_emptied(_with_entry(character, used), freed), left, freed)


def _uses(item: Item) -> int:
    return item.quantity if item.uses_remaining is None else item.uses_remaining


def _with_entry(character: Character, item: Item) -> Character:
    return character.replace(inventory=tuple(item if held.id == item.id else held for held in character.inventory))


def _without_entry(character: Character, item: Item) -> Character:
    return character.replace(inventory=tuple(held for held in character.inventory if held.id != item.id))


# weight


def total_weight(character: Character) -> int | float:
    """Return the pounds of everything carried, with no more digits than the weights have."""
    pounds = sum((Decimal(str(item.weight or 0)) * item.quantity for item in character.inventory), Decimal(0))
    pounds = min(pounds, Decimal(MAX_INT))
    return int(pounds) if pounds == int(pounds) else float(pounds)


def capacity(strength: int, size: Size) -> int | float:
    """Return a character's capacity in pounds: doubled for each size above medium, halved for tiny."""
    steps = words(Size).index(size) - words(Size).index("medium")
    pounds = _POUNDS_A_POINT * strength
    if size == "tiny":
        return pounds // 2 if pounds % 2 == 0 else pounds / 2
    return pounds << max(0, steps)
