"""Which model a file of a campaign directory has. A new kind of document is one row."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module

from turnwright.model.base import Document


class _Models(Mapping[str, type[Document]]):
    """Models by path or folder; each is imported when it is first asked for."""

    def __init__(self, rows: Mapping[str, str]) -> None:
        self._rows = rows
        self._loaded: dict[str, type[Document]] = {}

    def __getitem__(self, key: str) -> type[Document]:
        if key not in self._loaded:
            module, _, name = self._rows[key].partition(":")
            self._loaded[key] = getattr(import_module(f"turnwright.model.{module}"), name)
        return self._loaded[key]

    def __contains__(self, key: object) -> bool:
        return key in self._rows

    def __iter__(self) -> Iterator[str]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)


SINGLE: Mapping[str, type[Document]] = _Models(
    {
        "campaign.json": "campaign:CampaignDocument",
        "party.json": "party:PartyDocument",
    }
)
"""Documents that are one file each, by path."""

COLLECTIONS: Mapping[str, type[Document]] = _Models(
    {
        "maps/": "area:Layer",
        "characters/": "character:Character",
        "encounters/": "encounter:Encounter",
        "auras/": "aura:Aura",
        "locations/": "location:Location",
        "moves/": "party:Step",
        "notes/": "note:Note",
    }
)
"""Documents that are many files each, by folder."""


def model_of(path: str) -> type[Document] | None:
    """Return the model of the document at this path, or None when the path is nobody's."""
    if path in SINGLE:
        return SINGLE[path]
    folder, slash, name = path.partition("/")
    is_plain = slash and name.endswith(".json") and not name.startswith(".") and not {"/", "\0"} & set(name)
    folder += "/"
    return COLLECTIONS[folder] if is_plain and folder in COLLECTIONS else None
