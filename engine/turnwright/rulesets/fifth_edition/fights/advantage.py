"""Advantage and disadvantage: the sources of either, and which d20 counts.

Source: SRD 5.1, "Advantage and Disadvantage".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

Mode = Literal["normal", "advantage", "disadvantage", "cancelled"]
"""`cancelled`: there was both, however much of each, so one die is rolled as if there were neither."""


@dataclass(frozen=True, slots=True)
class Sources:
    """Everything that gives a roll advantage or disadvantage, by name."""

    advantage: tuple[str, ...] = ()
    disadvantage: tuple[str, ...] = ()

    def __add__(self, other: Sources) -> Sources:
        return Sources(_merged(self.advantage, other.advantage), _merged(self.disadvantage, other.disadvantage))

    @property
    def mode(self) -> Mode:
        """The resulting mode."""
        if self.advantage and self.disadvantage:
            return "cancelled"
        return "advantage" if self.advantage else "disadvantage" if self.disadvantage else "normal"


def d20_count(mode: Mode) -> int:
    """Return how many d20s are rolled."""
    return 2 if mode in ("advantage", "disadvantage") else 1


def pick_d20(mode: Mode, faces: Sequence[int]) -> int:
    """Return the face that counts of one or two; the first, where the mode wants one only."""
    if mode == "advantage":
        return max(faces)
    return min(faces) if mode == "disadvantage" else faces[0]


def _merged(left: tuple[str, ...], right: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(left + right))
