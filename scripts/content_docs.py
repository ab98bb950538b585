"""The generated parts of docs/content.md and docs/srd-tiers.md: keys of entries, and what of the SRD is executed."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from turnwright.content.folders import read_folder
from turnwright.content.kinds import KINDS
from turnwright.content.pack import Row, row_of
from turnwright.content.source import PackSource, read_pack

Table = Callable[[Sequence[str], Iterable[Sequence[str]]], str]
_PACK = Path(__file__).resolve().parent.parent / "content" / "srd-5.1"
_TIERS = ("full", "partly", "reference")


def _source() -> PackSource:
    return read_pack(read_folder(_PACK))


def tiers(table: Table) -> str:
    """Return how many entries of each kind are in each tier."""
    rows = []
    for kind, entries in _sorted_entries(_source()):
        counts = Counter(value["tier"] for _, value in entries)
        rows.append([kind.replace("_", " "), str(len(entries)), *(str(counts[tier]) for tier in _TIERS)])
    total = [str(sum(int(row[place]) for row in rows)) for place in range(1, len(_TIERS) + 2)]
    return table(["kind", "entries", *_TIERS], [*rows, ["all", *total]])


def entries(table: Table) -> str:
    """Return every entry of the pack by kind and tier; those that are not executed in full with what is missing."""
    parts = []
    for kind, found in _sorted_entries(_source()):
        full = ", ".join(row.name for row, value in found if value["tier"] == "full")
        rows = [
            [row.name, str(value["tier"]), ", ".join(value.get("missing", ()))]
            for row, value in found
            if value["tier"] != "full"
        ]
        parts.append(f"## {kind.replace('_', ' ').capitalize()}\n")
        if full:
            parts.append(textwrap.fill(f"Full: {full}.", 120, break_long_words=False, break_on_hyphens=False) + "\n")
        if rows:
            parts.append(table(["entry", "tier", "not executed"], rows))
    return "\n".join(parts)


def _sorted_entries(source: PackSource) -> Iterable[tuple[str, list[tuple[Row, dict[str, Any]]]]]:
    for kind in KINDS:
        rows = [(row_of(kind, value), value) for value in source.entries[kind].values()]
        yield kind, sorted(rows, key=lambda pair: (pair[0].name.casefold(), pair[0].id))
