"""The items of a character built from content: choose the equipment of class and background, and put it on.

Source: SRD 5.1, "Equipment", and the starting equipment of each class.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from turnwright.content.pack import Found
from turnwright.model.dice.expression import bounds, parse
from turnwright.model.item import Item
from turnwright.rulesets.fifth_edition.belongings.content_items import figures_of
from turnwright.rulesets.fifth_edition.sheets.building.facts import Facts
from turnwright.rulesets.fifth_edition.sheets.building.scores import Scores
from turnwright.rulesets.fifth_edition.sheets.skills import ability_modifier

if TYPE_CHECKING:
    from turnwright.rulesets.fifth_edition.entry_shapes import ChoiceEntry, CountedEntry

_BACKPACK = "backpack"
_COINS = {"id": "gold", "name": "Gold", "type": "currency", "weight": 0.02}
_SLOTS = (("armor", "armor"), ("offhand", "shield"), ("quiver", "ammunition"))
_TWO_HANDED = "two-handed"
_OF_CATEGORY: Mapping[str, tuple[str, ...]] = {
    "martial-weapons": ("longsword", "rapier"),
    "martial-melee-weapons": ("longsword", "rapier"),
    "simple-weapons": ("mace", "dagger"),
    "simple-melee-weapons": ("mace", "dagger"),
    "holy-symbols": ("amulet",),
    "arcane-foci": ("crystal",),
    "druidic-foci": ("sprig-of-mistletoe",),
    "musical-instruments": ("lute",),
    "artisans-tools": ("smiths-tools",),
}
"""The choice from a category: the first, or of two weapons the second if DEX is higher than STR."""


class Gear(NamedTuple):
    """A character's carried and worn items, and the entries that they came from."""

    inventory: tuple[Item, ...]
    equipped: Mapping[str, str]
    found: tuple[Found, ...]


def starting_gear(facts: Facts, scores: Scores, proficiencies: Sequence[str]) -> Gear:
    """Return the starting equipment of class and background.

    Of each choice the first usable option is taken; of options with armor the one that protects most.
    """
    chooser = _Chooser(facts, scores, frozenset(proficiencies))
    counts: dict[str, int] = {}
    of_class, of_background = facts.of_class, facts.of_background
    for fixed, choices in (
        (of_class.get("starting_equipment", ()), of_class.get("starting_equipment_choices", ())),
        (of_background.get("equipment", ()), of_background.get("equipment_choices", ())),
    ):
        for name, count in [*_counted(fixed), *(each for choice in choices for each in chooser.chosen(choice))]:
            counts[name] = counts.get(name, 0) + count
    found = {name: item for name in counts if (item := facts.item(name)) is not None}
    inventory = list(_items(facts, found, counts))
    gold = of_background.get("gold")
    if gold:
        inventory.append(Item.model_validate({**_COINS, "quantity": gold}))
    return Gear(tuple(inventory), _worn(inventory, scores), tuple(found.values()))


def _counted(rows: Iterable[CountedEntry]) -> Iterator[tuple[str, int]]:
    return ((row["id"], row.get("count", 1)) for row in rows or ())


def _items(facts: Facts, found: Mapping[str, Found], counts: Mapping[str, int]) -> Iterator[Item]:
    """Yield items in the order in which they were chosen; the contents of a pack go into a backpack."""
    packed: dict[str, int] = {}
    for name, entry in found.items():
        contents = entry.value.get("contents", ())
        for each, count in _counted(contents):
            packed[each] = packed.get(each, 0) + count
        if not contents:
            yield _item(entry, counts[name])
    for name, count in packed.items():
        packed_entry = facts.item(name)
        if packed_entry is None or (name in counts and name != _BACKPACK):
            continue
        container = None if name == _BACKPACK or _BACKPACK not in packed else _BACKPACK
        yield _item(packed_entry, count, container)


def _item(entry: Found, count: int, container: str | None = None) -> Item:
    given: dict[str, Any] = {"id": entry.id, "name": entry.name, **figures_of(entry), "quantity": count}
    return Item.model_validate(given | ({"container": container} if container else {}))


def _worn(inventory: Sequence[Item], scores: Scores) -> dict[str, str]:
    """Return the items to put on: armor, a shield, ammunition, and the melee weapon that deals most damage."""
    found = {item.type: item for item in reversed(inventory)}
    equipped = {slot: found[kind].id for slot, kind in _SLOTS if kind in found}
    hands = [item for item in inventory if _is_melee(item) and not ("offhand" in equipped and _has(item, _TWO_HANDED))]
    if hands:
        equipped["mainhand"] = max(hands, key=lambda item: _expected_damage(item, scores)).id
    return equipped


def _is_melee(item: Item) -> bool:
    return item.type == "weapon" and item.weapon_stats is not None and not _has(item, "ammunition")


def _has(item: Item, wanted: str) -> bool:
    return item.weapon_stats is not None and wanted in item.weapon_stats.properties


def _expected_damage(item: Item, scores: Scores) -> float:
    dice = item.weapon_stats.damage if item.weapon_stats else None
    ability = max(scores["str"], scores["dex"]) if _has(item, "finesse") else scores["str"]
    dealt = bounds(parse(dice or "0"))
    return (dealt.min + (dealt.max or dealt.min)) / 2 + ability_modifier(ability)


class _Chooser:
    def __init__(self, facts: Facts, scores: Scores, proficiencies: frozenset[str]) -> None:
        self._facts = facts
        self._scores = scores
        self._proficiencies = proficiencies
        self._is_quick = scores["dex"] > scores["str"]

    def chosen(self, choice: ChoiceEntry) -> list[tuple[str, int]]:
        """Return the items of the best option, with how many of each."""
        count = choice.get("choose", 1)
        if "category" in choice:
            return self._of_category(choice["category"], count)
        options = [self._contents(option) for option in choice.get("options", ())]
        options = [option for option in options if option and all(self._can_use(name) for name, _ in option)]
        return max(options, key=self._protection) if options else []

    def _contents(self, option: Any) -> list[tuple[str, int]]:
        if "all" in option:
            return [each for part in option["all"] for each in self._contents(part)]
        if "choose" in option:
            return self.chosen(option)
        return [(option["id"], option.get("count", 1))]

    def _of_category(self, category: str, count: int) -> list[tuple[str, int]]:
        names = _OF_CATEGORY.get(category, ())
        return [(names[-1] if self._is_quick else names[0], count)] if names else []

    def _can_use(self, name: str) -> bool:
        armor = self._facts.library.entry("armor", name)
        if armor is None:
            return self._facts.item(name) is not None
        category = armor.value["category"]
        return bool(
            {"all-armor" if category != "shield" else "", f"{category}-armor", f"{category}s"} & self._proficiencies
        )

    def _protection(self, option: Sequence[tuple[str, int]]) -> int:
        """Return the armor class of the armor among items; 0 if there is none, or it is too heavy."""
        best = 0
        for name, _ in option:
            armor = self._facts.library.entry("armor", name)
            if armor is None or "ac" not in armor.value or (armor.value.get("str_minimum") or 0) > self._scores["str"]:
                continue
            most = armor.value["ac"]["dex"]
            dex = ability_modifier(self._scores["dex"])
            best = max(best, armor.value["ac"]["base"] + (dex if most == "full" else min(dex, most)))
        return best
