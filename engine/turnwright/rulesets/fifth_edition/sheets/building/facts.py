"""The entries that a character is built from: race, class and background by name, and the entries that these name."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, cast

from turnwright.content.library import AmbiguousEntry, Filters, Library, UnknownEntry
from turnwright.content.names import key_of
from turnwright.content.pack import Found, Row

if TYPE_CHECKING:
    from turnwright.rulesets.fifth_edition.entry_shapes import (
        AncestryEntry,
        BackgroundEntry,
        ClassEntry,
        ClassLevelEntry,
        FeatureEntry,
        RaceEntry,
        SubclassEntry,
        SubraceEntry,
    )


def _no_subrace() -> SubraceEntry:
    return {}


def _no_ancestry() -> AncestryEntry:
    return {}


@dataclass(frozen=True, slots=True)
class Facts:
    """The entries of a character.

    Attributes:
        library: the library in which further entries are looked up.
        race: the race; None if no entry has the given name, or none was given.
        subrace: the subrace, if the race has any: the named one, or the only one.
        ancestry: the line of descent, likewise; by default the first one.
        race_name: the name of the race on the sheet.
        class_: the class.
        background: the background.
    """

    library: Library
    race: Found | None = None
    subrace: SubraceEntry = field(default_factory=_no_subrace)
    ancestry: AncestryEntry = field(default_factory=_no_ancestry)
    race_name: str = ""
    class_: Found | None = None
    background: Found | None = None

    @property
    def found(self) -> tuple[Found, ...]:
        """The entries."""
        return tuple(entry for entry in (self.race, self.class_, self.background) if entry is not None)

    @property
    def of_race(self) -> RaceEntry:
        """The entry of the race; empty if there is none."""
        return cast("RaceEntry", self.race.value) if self.race else {}

    @property
    def of_class(self) -> ClassEntry:
        """The entry of the class; empty if there is none."""
        return cast("ClassEntry", self.class_.value) if self.class_ else {}

    @property
    def of_background(self) -> BackgroundEntry:
        """The entry of the background; empty if there is none."""
        return cast("BackgroundEntry", self.background.value) if self.background else {}

    def features(self, level: int) -> Iterator[FeatureEntry]:
        """Yield the features of class and subclass up to a level, in the order of levels."""
        by_id = {feature["id"]: feature for feature in self.of_class.get("features", ())}
        subclass = self.subclass(level)
        rows = [*self.of_class.get("levels", ()), *subclass.get("levels", ())]
        for row in sorted(rows, key=lambda row: row["level"]):
            if row["level"] <= level:
                yield from (by_id[name] for name in row.get("features", ()))

    def subclass(self, level: int) -> SubclassEntry:
        """Return the subclass of a character at a level, if the class has only one; empty otherwise."""
        subclasses = self.of_class.get("subclasses", ())
        if len(subclasses) != 1:
            return {}
        first = min((row["level"] for row in subclasses[0].get("levels", ())), default=level)
        return subclasses[0] if level >= first else {}

    def class_row(self, level: int) -> ClassLevelEntry:
        """Return the row of the class table."""
        rows = self.of_class.get("levels", ())
        return rows[level - 1] if rows else {}

    def traits(self) -> list[FeatureEntry]:
        """Return the traits of race and subrace; of an ancestry its damage, which the race leaves open."""
        found = [*self.of_race.get("traits", ()), *self.subrace.get("traits", ())]
        return [*found, self._of_ancestry()] if self.ancestry else found

    def _of_ancestry(self) -> FeatureEntry:
        kind = self.ancestry["damage_type"]
        return {"id": self.ancestry["id"], "name": self.ancestry["name"], "figures": {"resistances": [kind]}}

    def spells(self, class_id: str, highest: int) -> list[Row]:
        """Return the spells on the list of a class up to a level, in short."""
        filters = Filters(kind="spells", level=(0, highest), of_class=class_id)
        return self.library.search("", filters)

    def item(self, entry_id: str) -> Found | None:
        """Return a piece of equipment."""
        kinds = ("weapons", "armor", "gear")
        return next((found for kind in kinds if (found := self.library.entry(kind, entry_id))), None)


def facts_of(library: Library, race: str | None, class_: str | None, background: str | None) -> Facts:
    """Return the entries that have these names; a misspelled name matches none.

    Args:
        library: the campaign's entries.
        race: the given name; `hill dwarf` and `red dragonborn` name a part of a race.
        class_: the class, or None.
        background: the background, or None.

    Raises:
        PackError: when a pack cannot be read.
    """
    found, subrace, ancestry = _race(library, race)
    return Facts(
        library,
        found,
        subrace,
        ancestry,
        str(subrace.get("name", found.name)) if found and race and key_of(race) != found.id else _name(found),
        _entry(library, "classes", class_),
        _entry(library, "backgrounds", background),
    )


def _name(found: Found | None) -> str:
    return found.name if found else ""


def _entry(library: Library, kind: str, name: str | None) -> Found | None:
    if not name or not key_of(name):
        return None
    try:
        match = library.look_up(name, kind)
    except (UnknownEntry, AmbiguousEntry):
        return None
    return match.found if match.how == "name" else None


def _race(library: Library, name: str | None) -> tuple[Found | None, SubraceEntry, AncestryEntry]:
    if (found := _entry(library, "races", name)) is not None:
        value = cast("RaceEntry", found.value)
        own, descents = value.get("subraces", ()), value.get("ancestries", ())
        return found, own[0] if len(own) == 1 else {}, descents[0] if descents else {}
    first, _, last = key_of(name or "").rpartition("-")
    found = _entry(library, "races", last) if first else None
    if found is None:
        return None, {}, {}
    value = cast("RaceEntry", found.value)
    parts = [each for each in value.get("subraces", ()) if f"{first}-{last}" in (each["id"], key_of(each["name"]))]
    lines = [each for each in value.get("ancestries", ()) if each["id"].endswith(f"-{first}")]
    if not parts and not lines:
        return None, {}, {}
    return found, parts[0] if parts else {}, lines[0] if lines else {}
