"""The entries that a character is made from: race, class and background by name, and what they name in turn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from turnwright.content.library import AmbiguousEntry, Filters, Library, UnknownEntry
from turnwright.content.names import key_of
from turnwright.content.pack import Found, Row

Json = Mapping[str, Any]
_NOTHING: Json = {}


@dataclass(frozen=True, slots=True)
class Facts:
    """What the entries say.

    Attributes:
        library: where the entries that these name are looked up.
        race: the race; None where no entry has the name that was given, or none was given.
        subrace: the part of the race, if it has one: that which was named, or the only one there is.
        ancestry: the line of descent, likewise; the first one where none was named.
        race_name: what a sheet calls the race.
        class_: the class.
        background: the background.
    """

    library: Library
    race: Found | None = None
    subrace: Json = field(default_factory=dict)
    ancestry: Json = field(default_factory=dict)
    race_name: str = ""
    class_: Found | None = None
    background: Found | None = None

    @property
    def found(self) -> tuple[Found, ...]:
        """The entries."""
        return tuple(entry for entry in (self.race, self.class_, self.background) if entry is not None)

    @property
    def of_race(self) -> Json:
        """The entry of the race; empty where there is none."""
        return self.race.value if self.race else _NOTHING

    @property
    def of_class(self) -> Json:
        """The entry of the class; empty where there is none."""
        return self.class_.value if self.class_ else _NOTHING

    @property
    def of_background(self) -> Json:
        """The entry of the background; empty where there is none."""
        return self.background.value if self.background else _NOTHING

    def features(self, level: int) -> Iterator[Json]:
        """Yield the features of class and subclass that somebody of a level has, in the order of levels."""
        by_id = {feature["id"]: feature for feature in self.of_class.get("features", ())}
        subclass = self.subclass(level)
        rows = [*self.of_class.get("levels", ()), *subclass.get("levels", ())]
        for row in sorted(rows, key=lambda row: row["level"]):
            if row["level"] <= level:
                yield from (by_id[name] for name in row.get("features", ()))

    def subclass(self, level: int) -> Json:
        """Return the subclass that somebody of a level has, where the class has only one; empty where not."""
        subclasses: Sequence[Json] = self.of_class.get("subclasses", ())
        if len(subclasses) != 1:
            return _NOTHING
        first = min((row["level"] for row in subclasses[0].get("levels", ())), default=level)
        return subclasses[0] if level >= first else _NOTHING

    def class_row(self, level: int) -> Json:
        """Return the row of the class table."""
        rows: Sequence[Json] = self.of_class.get("levels", ())
        return rows[level - 1] if rows else _NOTHING

    def traits(self) -> list[Json]:
        """Return the traits of race and subrace; of an ancestry its damage, which the race leaves open."""
        found = [*self.of_race.get("traits", ()), *self.subrace.get("traits", ())]
        return [*found, self._of_ancestry()] if self.ancestry else found

    def _of_ancestry(self) -> Json:
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
    """Return the entries that have these names; a name that is only near to one means none.

    Args:
        library: the campaign's entries.
        race: as it was given; `hill dwarf` and `red dragonborn` name a part of a race.
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


def _race(library: Library, name: str | None) -> tuple[Found | None, Json, Json]:
    if (found := _entry(library, "races", name)) is not None:
        parts = found.value.get("subraces", ())
        lines = found.value.get("ancestries", ())
        return found, parts[0] if len(parts) == 1 else _NOTHING, lines[0] if lines else _NOTHING
    first, _, last = key_of(name or "").rpartition("-")
    found = _entry(library, "races", last) if first else None
    if found is None:
        return None, _NOTHING, _NOTHING
    value = found.value
    parts = [each for each in value.get("subraces", ()) if f"{first}-{last}" in (each["id"], key_of(each["name"]))]
    lines = [each for each in value.get("ancestries", ()) if each["id"].endswith(f"-{first}")]
    if not parts and not lines:
        return None, _NOTHING, _NOTHING
    return found, parts[0] if parts else _NOTHING, lines[0] if lines else _NOTHING
