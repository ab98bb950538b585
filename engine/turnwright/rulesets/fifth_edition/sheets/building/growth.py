"""The gains of new levels in a class, by its content entry. Source: docs/toolkit.md, "New levels"."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple, get_args

from turnwright.content.library import Library
from turnwright.content.pack import Found
from turnwright.model.item import Item
from turnwright.model.sheet import Sheet
from turnwright.model.vocabulary import Ability, AbilityWord
from turnwright.rulesets.fifth_edition.sheets.building.build import (
    added_speed,
    is_armored,
    unarmored_ac,
    undecided_features,
)
from turnwright.rulesets.fifth_edition.sheets.building.facts import Facts, facts_of
from turnwright.rulesets.fifth_edition.sheets.building.spells import BOOK, SPELLS_A_LEVEL
from turnwright.rulesets.fifth_edition.sheets.classes import IMPROVES
from turnwright.rulesets.fifth_edition.sheets.multiclass import own_level

if TYPE_CHECKING:
    from turnwright.rulesets.fifth_edition.entry_shapes import ClassLevelEntry, FeatureEntry


class Growth(NamedTuple):
    """The gains of new levels in a class.

    Attributes:
        facts: the entry of the class.
        had: its features of earlier levels.
        features: those of the new levels, by name.
        options: features that leave a choice to the player, by name.
        spells: how many spells are learned, in words.
        improvements: the number of ability score improvements.
        subclass: the subclass that the levels grant; empty if the player chooses it, or has it already.
        proficiencies: those of a class that is new to the character.
        speed: the feet of speed that features add, armor aside.
    """

    facts: Facts
    had: tuple[FeatureEntry, ...]
    features: tuple[str, ...]
    options: tuple[str, ...]
    spells: tuple[str, ...]
    improvements: int
    subclass: str
    proficiencies: tuple[str, ...]
    speed: int

    @property
    def found(self) -> tuple[Found, ...]:
        """The entries that something was taken from."""
        return self.facts.found

    def added_to(self, sheet: Sheet, before: Sheet, inventory: Iterable[Item]) -> Sheet:
        """Return a sheet with the gains of the class beside features.

        Args:
            sheet: at its new level.
            before: the sheet at the old one.
            inventory: all that the character carries; armor keeps it from being faster.
        """
        added: dict[str, object] = {}
        if self.subclass:
            added["subclass"] = self.subclass
        if self.proficiencies:
            added["proficiencies"] = tuple(dict.fromkeys((*sheet.proficiencies, *self.proficiencies)))
        if self.speed and not is_armored(inventory):
            added["speed"] = sheet.speed + self.speed
        old, new = (unarmored_ac(self.had, _scores(each)) for each in (before, sheet))
        if old is not None and before.ac == old:
            added["ac"] = new
        return sheet.replace(**added) if added else sheet


def growth_in(library: Library, sheet: Sheet, class_name: str, before: int, after: int) -> Growth | None:
    """Return the gains of levels in a class; None for a character whose features are recorded by hand.

    A character with every feature of their first class so far was built from its entry, or is maintained by it.

    Args:
        library: the campaign's entries.
        sheet: the sheet before the levels.
        class_name: the class of the new levels.
        before: the level in it so far; 0 for a new class.
        after: the new level in it.

    Raises:
        PackError: when a pack cannot be read.
    """
    own, facts = facts_of(library, None, sheet.class_, None), facts_of(library, None, class_name, None)
    kept = {feature["name"] for feature in own.features(own_level(sheet))} - {IMPROVES}
    if facts.class_ is None or not kept or not kept <= set(sheet.features):
        return None
    had = tuple(facts.features(before)) if before else ()
    new = [feature for feature in facts.features(after) if feature not in had]
    names = dict.fromkeys(feature["name"] for feature in new)
    is_new = not before and class_name != sheet.class_
    subclass = facts.subclass(after).get("name", "")
    return Growth(
        facts=facts,
        had=had,
        features=tuple(name for name in names if name != IMPROVES),
        options=tuple(name for name in undecided_features(facts, new) if name != IMPROVES),
        spells=tuple(_spells(facts, before, after)),
        improvements=sum(feature["name"] == IMPROVES for feature in new),
        subclass=subclass if class_name == sheet.class_ and not sheet.subclass else "",
        proficiencies=tuple(_proficiencies(facts)) if is_new else (),
        speed=added_speed(new),
    )


def _scores(sheet: Sheet) -> Mapping[Ability, int]:
    return {ability: getattr(sheet.stats, ability) for ability in get_args(AbilityWord)}


def _proficiencies(facts: Facts) -> Sequence[str]:
    return facts.of_class.get("multiclass", {}).get("proficiencies", ())


def _spells(facts: Facts, before: int, after: int) -> Iterator[str]:
    """Yield how many spells are learned, in words; classes that prepare spells without a book learn none."""
    rows: list[ClassLevelEntry] = [facts.class_row(level) if level else {} for level in (before, after)]
    old, new = rows
    kinds: tuple[tuple[Literal["cantrips_known", "spells_known"], str], ...] = (
        ("cantrips_known", "cantrip"),
        ("spells_known", "spell"),
    )
    for key, singular in kinds:
        more = (new.get(key) or 0) - (old.get(key) or 0)
        if more > 0:
            yield f"{more} {singular}{'' if more == 1 else 's'}"
    if before and any(item["id"] == BOOK for item in facts.of_class.get("starting_equipment", ())):
        yield f"{SPELLS_A_LEVEL * (after - before)} spells for the spellbook"
