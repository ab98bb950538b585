"""Entries by name, among the packs of a campaign and its own entries; what comes later overrides by id.

Source: docs/content.md, "Names".
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Literal, NamedTuple

from turnwright.content.kinds import KINDS
from turnwright.content.names import key_of, keys_meant
from turnwright.content.pack import Found, Pack, Row
from turnwright.model.json_types import JsonObject

MAX_CHOICES = 20
"""How many entries an error lists at the most."""
How = Literal["name", "plural", "spelling"]


class Match(NamedTuple):
    """An entry that a name means.

    Attributes:
        found: the entry.
        how: by its own name, in the plural, or as the only name that this one is a misspelling of.
    """

    found: Found
    how: How


class UnknownEntry(Exception):
    """No entry has this name.

    Attributes:
        choices: up to 20 entries, the most similar first.
        likely: those with names that share a word with it, or resemble it.
    """

    def __init__(self, choices: Sequence[Row], likely: Sequence[Row] = ()) -> None:
        self.choices = tuple(choices)
        self.likely = tuple(likely)
        super().__init__("no entry has this name")


class AmbiguousEntry(Exception):
    """Several entries have this name. `choices` holds them."""

    def __init__(self, choices: Sequence[Found]) -> None:
        self.choices = tuple(choices)
        super().__init__(f"is the name of {', '.join(each.reference for each in choices)}")


class Filters(NamedTuple):
    """Filters of a search; None matches anything.

    Attributes:
        kind: of this kind.
        cr: challenge rating, from and to.
        level: spell level, from and to.
        of_class: on the spell list of this class.
        type: of this type: of creatures, or of magic items.
        tier: executed so far.
    """

    kind: str | None = None
    cr: tuple[float, float] | None = None
    level: tuple[float, float] | None = None
    of_class: str | None = None
    type: str | None = None
    tier: str | None = None

    def keep(self, row: Row) -> bool:
        """Return whether a row passes."""
        facets = row.facets
        return (
            self.kind in (None, row.kind)
            and self.tier in (None, row.tier)
            and _is_within(facets.get("cr"), self.cr)
            and _is_within(facets.get("level"), self.level)
            and (self.of_class is None or key_of(self.of_class) in facets.get("classes", ()))
            and (self.type is None or key_of(self.type) in _types(facets))
        )


def known_words(rows: Iterable[Row]) -> tuple[set[str], set[str]]:
    """Return the classes and the types that rows have, as filters compare them."""
    classes: set[str] = set()
    types: set[str] = set()
    for row in rows:
        classes.update(row.facets.get("classes", ()))
        types.update(_types(row.facets))
    return classes, types


def _is_within(value: Any, bounds: tuple[float, float] | None) -> bool:
    return bounds is None or (value is not None and bounds[0] <= value <= bounds[1])


def _types(facets: JsonObject) -> Iterable[str]:
    return (key_of(str(facets[key])) for key in ("type", "category", "rarity", "school") if key in facets)


class Library:
    """Entries by name. It reads no pack before the first lookup."""

    def __init__(self, packs: Sequence[Pack]) -> None:
        """Take the packs in order: a later one overrides entries of an earlier one with the same kind and id."""
        self.packs = tuple(packs)
        self._known: dict[tuple[str, str | None], Match] = {}

    def look_up(self, name: str, kind: str | None = None) -> Match:
        """Return the entry that a name means: an id, a name or another name, in the plural too, or a misspelled one.

        `healing potion` is `Potion of Healing`: the same words in another order are the same name.

        Args:
            name: as it was given; `kind/id` names an entry exactly.
            kind: only of this kind.

        Raises:
            UnknownEntry: when nothing has this name.
            AmbiguousEntry: when several have.
            PackError: when a pack cannot be read.
        """
        known = self._known.get((name, kind))
        if known is None:
            known = self._known[name, kind] = self._look_up(name, kind)
        return known

    def look_up_spelled(self, name: str, kind: str | None = None) -> Match | None:
        """Return what `look_up` does for a name without a wrong letter; None for any other, which is not guessed at.

        Raises:
            AmbiguousEntry: when several entries have the name.
            PackError: when a pack cannot be read.
        """
        left, slash, right = name.partition("/")
        if slash and left in KINDS and kind in (None, left):
            if found := self.entry(left, right):
                return Match(found, "name")
            name, kind = right, left
        for place, key in enumerate(keys_meant(name)):
            if matches := self._with_key(key, kind):
                return Match(_only(matches, key), "plural" if place else "name")
        return None

    def entry(self, kind: str, entry_id: str) -> Found | None:
        """Return an entry by kind and id, of the last pack that has it, or None."""
        return next((found for pack in reversed(self.packs) if (found := pack.entry(kind, entry_id))), None)

    def rows(self) -> list[Row]:
        """Return every entry in short, sorted by kind and name; of those with the same kind and id the last one."""
        rows = {(row.kind, row.id): row for pack in self.packs for row in pack.rows()}
        return sorted(rows.values(), key=lambda row: (KINDS.index(row.kind), key_of(row.name), row.id))

    def search(self, text: str, filters: Filters) -> list[Row]:
        """Return the entries that pass the filters and whose name has every word of a text; those it begins first."""
        key = key_of(text)
        words = key.split("-") if key else []
        rows = [row for row in self.rows() if filters.keep(row) and all(map(_search_key(row).__contains__, words))]
        return sorted(rows, key=lambda row: not key_of(row.name).startswith(key))

    def _look_up(self, name: str, kind: str | None) -> Match:
        match = self.look_up_spelled(name, kind)
        if match is not None:
            return match
        left, slash, right = name.partition("/")
        if slash and left in KINDS and kind in (None, left):
            name, kind = right, left
        return self._misspelt(name, kind)

    def _with_key(self, key: str, kind: str | None) -> list[Found]:
        found: dict[tuple[str, str], Found] = {}
        for pack in self.packs:
            for each in pack.with_key(key):
                if kind in (None, each.kind):
                    found[each.kind, each.id] = each
        if len(self.packs) > 1:  # one that overrides may have another name
            found = {place: self.entry(*place) or each for place, each in found.items()}
        return list(found.values())

    def _misspelt(self, name: str, kind: str | None) -> Match:
        from turnwright.model.fuzzy_match import alike, misspelt, nearest

        rows = [row for row in self.rows() if kind in (None, row.kind)]
        labels: dict[str, list[Row]] = {}
        for row in rows:
            for label in (row.name, *row.aliases):
                labels.setdefault(label, []).append(row)
        wordings = {wording for key in keys_meant(name) if (wording := _wording(key))}
        if same := [label for label in labels if _wording(key_of(label)) in wordings]:
            return Match(_only(self._entries(row for label in same for row in labels[label]), key_of(same[0])), "name")
        shared = {label: max((_shared(each, label) for each in wordings), default=0) for label in labels}
        sharing = sorted((label for label in labels if shared[label]), key=lambda label: -shared[label])[:MAX_CHOICES]
        is_spelled = sharing and shared[sharing[0]] == 1  # all its words: `dragon` is not a misspelled wagon
        spellings = () if is_spelled else (name, *keys_meant(name)[1:])
        meant = next(filter(None, (misspelt(each, labels) for each in spellings)), None)
        if meant is not None:
            return Match(_only(self._entries(labels[meant]), key_of(meant)), _how_misspelt(name, meant))
        near = [*sharing, *alike(name, labels, MAX_CHOICES)]
        likely = _unique(row for label in near for row in labels[label])
        others = (row for label in nearest(name, labels, MAX_CHOICES) for row in labels[label])
        raise UnknownEntry(_unique([*likely, *others]), likely)

    def _entries(self, rows: Iterable[Row]) -> list[Found]:
        return [found for row in _unique(rows) if (found := self.entry(row.kind, row.id))]


def _unique(rows: Iterable[Row]) -> list[Row]:
    return list({(row.kind, row.id): row for row in rows}.values())[:MAX_CHOICES]


def _only(matches: Sequence[Found], key: str) -> Found:
    """Return the one entry that a key means.

    An exact id or whole name comes before other matches, and an item before its family of items.
    """
    exact = [each for each in matches if key in (each.id, key_of(each.name))] or list(matches)
    members = {name for each in exact for name in each.value.get("variants", ())}
    is_split = any(each.kind == "magic_items" and each.id in members for each in exact)
    chosen = [each for each in exact if not (is_split and "variants" in each.value)]
    if len(chosen) > 1:
        raise AmbiguousEntry(chosen[:MAX_CHOICES])
    return chosen[0]


_SMALL = frozenset({"a", "an", "and", "for", "in", "of", "or", "the", "with"})


def _wording(key: str) -> frozenset[str]:
    """Return the words of a key in no order: `potion of healing` is a `healing potion`."""
    return frozenset(key.split("-")) - {"of"}


def _shared(wording: frozenset[str], label: str) -> float:
    """Return the share of words that are also in a name; small words, which distinguish nothing, are ignored."""
    words = wording - _SMALL
    return len(words & _wording(key_of(label))) / len(words) if words else 0


def _how_misspelt(name: str, meant: str) -> How:
    """Return how a name is understood as one that it nearly is: other blanks make no other name."""
    return "name" if key_of(name).replace("-", "") == key_of(meant).replace("-", "") else "spelling"


def _search_key(row: Row) -> str:
    return " ".join(map(key_of, (row.name, *row.aliases)))
