"""The meaning of a spent die, its possible results, and its usual costs.

Source: docs/tools/scenes.md, "Precommitted dice".
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, NamedTuple

from turnwright.model.mood import Position, Tier

Resolution = Literal["clean", "costly", "setback", "disaster"]


def _column(one: Tier) -> Mapping[int, Tier]:
    """Return the tiers of one position; positions differ only in the meaning of a 1."""
    return MappingProxyType({6: "critical", 5: "success", 4: "success", 3: "partial", 2: "partial", 1: one})


TIERS: Mapping[Position, Mapping[int, Tier]] = MappingProxyType(
    {"controlled": _column("partial"), "risky": _column("bad"), "desperate": _column("disaster")}
)
"""The tier of each face in each position: the only definition of tiers."""

RESOLUTIONS: Mapping[Tier, tuple[Resolution, ...]] = MappingProxyType(
    {
        "critical": ("clean",),
        "success": ("clean", "costly"),
        "partial": ("costly", "setback"),
        "bad": ("setback", "disaster"),
        "disaster": ("disaster",),
    }
)
"""How a die of each tier may be resolved, the kindest way first."""


class Guidance(NamedTuple):
    """The usual costs of a tier's outcome: lowest and highest amount, and how it should feel.

    Advice for authors of outcomes; no outcome is refused for straying from it. Negative stress is relief.
    """

    stress: tuple[int, int]
    heat: tuple[int, int]
    feel: str


COST_GUIDANCE: Mapping[Tier, Guidance] = MappingProxyType(
    {
        "critical": Guidance((-3, 0), (0, 0), "all of it, and a gift on top"),
        "success": Guidance((0, 1), (0, 1), "it works and hardly leaves a mark"),
        "partial": Guidance((2, 3), (1, 2), "it works, and the bill comes at once"),
        "bad": Guidance((3, 3), (2, 2), "it fails and wakes a new trouble"),
        "disaster": Guidance((3, 4), (2, 3), "it fails, and so does everything it stood on"),
    }
)


def tier(position: Position, face: int) -> Tier:
    """Return the tier of a face from 1 to 6 in a position."""
    return TIERS[position][face]
