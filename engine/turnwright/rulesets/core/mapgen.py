"""Generate a batch of areas: a pure function of the map, the parent, theme, size and seed.

Source: docs/stages/3-tools.md, "map_generate".
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from turnwright.model.area import Area

DEFAULT_SIZE = 6
SIZES = range(1, 31)
DEFAULT_SEED = "turnwright"
DEFAULT_THEME = "Generated"
_FIRST_WITH_SHORTCUTS = 4


@dataclass(frozen=True, slots=True)
class Batch:
    """The parameters of one call. `theme` only affects names; ids and links come from the rest."""

    parent_area_id: str | None
    theme: str
    size: int
    seed: str
    two_way: bool


def new_area_ids(highest: int, size: int) -> list[str]:
    """Return `size` ids numbered upward from `highest`, with at least three digits."""
    return [f"area_{number:03d}" for number in range(highest + 1, highest + 1 + size)]


def generate(batch: Batch, area_ids: Sequence[str]) -> list[Area]:
    """Return the new areas in creation order: a chain, and about one forward shortcut per three areas."""
    links: list[set[str]] = [set() for _ in area_ids]
    for start, end in [*_chain(len(area_ids)), *shortcuts(batch.seed, len(area_ids))]:
        links[start].add(area_ids[end])
        if batch.two_way:
            links[end].add(area_ids[start])
    return [
        Area(
            id=area_id,
            name=area_name(batch.theme, number),
            parent_area_id=batch.parent_area_id,
            reachable_area_ids=tuple(sorted(reached)),
        )
        for number, (area_id, reached) in enumerate(zip(area_ids, links, strict=True), start=1)
    ]


def area_name(theme: str, number: int) -> str:
    """Return the name of the `number`-th area of a batch, counted from 1."""
    return f"{theme} Entry" if number == 1 else f"{theme} Area {number:02d}"


def _chain(size: int) -> list[tuple[int, int]]:
    return [(place, place + 1) for place in range(size - 1)]


def shortcuts(seed: str, size: int) -> list[tuple[int, int]]:
    """Return the forward shortcuts of a batch, as pairs of places at least two apart, none twice.

    The seed alone decides: candidates are ordered by the SHA-256 of the seed and their places, so that neither the
    process nor the order of a set matters.
    """
    if size < _FIRST_WITH_SHORTCUTS:
        return []
    candidates = [(start, end) for start in range(size) for end in range(start + 2, size)]
    return sorted(sorted(candidates, key=lambda pair: _rank(seed, pair))[: size // 3])


def _rank(seed: str, pair: tuple[int, int]) -> bytes:
    return hashlib.sha256(f"{pair[0]}>{pair[1]}/{seed}".encode()).digest()
