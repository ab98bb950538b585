"""The interface of a pack for lookups of entries, whatever its place and storage format."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, NotRequired, Protocol, TypedDict, cast

from turnwright.content.kinds import KINDS

if TYPE_CHECKING:
    from turnwright.model.json_types import JsonObject

    pass

FORMAT = 1
"""The newest format of packs that this version reads."""


class Found(NamedTuple):
    """One entry.

    Attributes:
        pack: the id of the pack that holds it; "" for one of a campaign's own.
        kind: its kind, such as `monsters`.
        id: its id.
        value: its JSON. It is shared, and so not to be changed.
    """

    pack: str
    kind: str
    id: str
    value: Mapping[str, Any]

    @property
    def name(self) -> str:
        """Its name."""
        return str(self.value["name"])

    @property
    def reference(self) -> str:
        """Its unique key: kind and id."""
        return f"{self.kind}/{self.id}"


class Row(NamedTuple):
    """One entry in the list of a pack: enough to list, filter and guess it without reading the entry.

    Attributes:
        kind: its kind.
        id: its id.
        name: its name.
        aliases: its other names.
        tier: how much of it the engine can execute.
        facets: the filters for it: cr, type, size, level, school, classes, category, rarity.
    """

    kind: str
    id: str
    name: str
    aliases: Sequence[str]
    tier: str
    facets: Mapping[str, Any]

    @property
    def reference(self) -> str:
        """Its unique key: kind and id."""
        return f"{self.kind}/{self.id}"


FACETS: Mapping[str, Sequence[str]] = {
    "monsters": ("cr", "type", "size"),
    "spells": ("level", "school", "classes"),
    "weapons": ("category",),
    "armor": ("category",),
    "gear": ("category",),
    "magic_items": ("rarity", "kind"),
}
"""What entries are filtered by, by kind."""
FACET_NAMES: Mapping[tuple[str, str], str] = {("magic_items", "kind"): "type"}
"""Facets that are called otherwise than the key, so that `kind` always is the kind of an entry."""


def row_of(kind: str, value: JsonObject) -> Row:
    """Return the row of an entry."""
    facets = {FACET_NAMES.get((kind, key), key): value[key] for key in FACETS.get(kind, ()) if key in value}
    head = cast("EntryJson", value)
    return Row(kind, head["id"], head["name"], tuple(head.get("aliases", ())), head["tier"], facets)


class EntryJson(TypedDict):
    """Keys that every entry has; its kind defines the others."""

    id: str
    name: str
    tier: str
    aliases: NotRequired[Sequence[str]]


class ManifestJson(TypedDict):
    """Contents of `pack.json`; empty values are left out."""

    format: int
    id: str
    title: NotRequired[str]
    version: NotRequired[str]
    license: NotRequired[str]
    attribution: NotRequired[str]
    sources: NotRequired[list[str]]
    requires: NotRequired[list[str]]


@dataclass(frozen=True, slots=True)
class Manifest:
    """The values in `pack.json`.

    Attributes:
        id: the id that campaigns use.
        title: the display name.
        version: its own version.
        license: under which it may be used, as an SPDX id or in words.
        attribution: the notice required with every copy.
        sources: where its content comes from.
        requires: the packs that its entries refer to.
    """

    id: str
    title: str
    version: str = ""
    license: str = ""
    attribution: str = ""
    sources: Sequence[str] = ()
    requires: Sequence[str] = ()

    def as_json(self) -> ManifestJson:
        """Return it as `pack.json` holds it."""
        told: ManifestJson = {"format": FORMAT, "id": self.id}
        if self.title:
            told["title"] = self.title
        if self.version:
            told["version"] = self.version
        if self.license:
            told["license"] = self.license
        if self.attribution:
            told["attribution"] = self.attribution
        if self.sources:
            told["sources"] = list(self.sources)
        if self.requires:
            told["requires"] = list(self.requires)
        return told


class PackError(Exception):
    """A pack that cannot be read; the message names it and says why."""


class Pack(Protocol):
    """The one interface to packs."""

    @property
    def id(self) -> str:
        """The id that campaigns use."""

    @property
    def manifest(self) -> Manifest:
        """Its manifest."""

    @property
    def sha256(self) -> str:
        """The SHA-256 of its content, the same in whatever form it is stored."""

    def with_key(self, key: str) -> Sequence[Found]:
        """Return the entries that have this key (`content.names`), of any kind."""

    def entry(self, kind: str, entry_id: str) -> Found | None:
        """Return an entry by kind and id, or None."""

    def rows(self) -> Sequence[Row]:
        """Return every entry in short, by kind and id."""


@dataclass(slots=True)
class LoadedPack:
    """A pack whose entries are all in memory, such as the packs that a campaign carries along."""

    manifest: Manifest
    sha256: str
    entries: Mapping[str, Mapping[str, Mapping[str, Any]]]
    _by_key: dict[str, list[Found]] = field(default_factory=dict)

    @property
    def id(self) -> str:
        """The id that campaigns use."""
        return self.manifest.id

    def with_key(self, key: str) -> Sequence[Found]:
        """Return the entries that have this key, of any kind."""
        from turnwright.content.names import keys_of

        if not self._by_key:
            for kind, entries in self.entries.items():
                for entry_id, value in entries.items():
                    for each in keys_of(value):
                        self._by_key.setdefault(each, []).append(Found(self.id, kind, entry_id, value))
        return self._by_key.get(key, ())

    def entry(self, kind: str, entry_id: str) -> Found | None:
        """Return an entry by kind and id, or None."""
        value = self.entries.get(kind, {}).get(entry_id)
        return Found(self.id, kind, entry_id, value) if value is not None else None

    def rows(self) -> Sequence[Row]:
        """Return every entry in short, by kind and id."""
        return [row_of(kind, value) for kind in KINDS for _, value in sorted(self.entries.get(kind, {}).items())]
