"""Improvised magic: its difficulty, and the outcome of a check. A house rule; its numbers are settings.

Source: docs/toolkit.md, "Rolls".
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from turnwright.model.dice.expression import Expression
from turnwright.model.dice.tree import span_of
from turnwright.model.settings import Settings

Outcome = Literal["critical_success", "strong_success", "success", "failure", "mishap"]
SUCCESSES: frozenset[Outcome] = frozenset({"critical_success", "strong_success", "success"})


class Numbers(NamedTuple):
    """The numbers in force; the names are those of the settings `rules.improvised_...`."""

    base_dc: int = 12
    dc_per_two_levels: int = 3
    mishap_die: int = 6
    mishap_margin: int = 10
    strong_margin: int = 10

    def dc(self, level: int, circumstances: int = 0) -> int:
        """Return the DC of a spell of this level: with the usual numbers 12 + level + level/2, rounded down."""
        return self.base_dc + self.dc_per_two_levels * level // 2 + circumstances

    def outcome(self, natural: int, margin: int, *, reckless: bool = False) -> Outcome:
        """Return the outcome of a check by its distance above or below its DC."""
        if natural in (1, 20):
            return "mishap" if natural == 1 else "critical_success"
        if margin >= 0:
            return "strong_success" if margin >= self.strong_margin else "success"
        return "mishap" if reckless or margin <= -self.mishap_margin else "failure"

    def mishap(self, level: int) -> str:
        """Return the dice of a mishap's damage to the caster."""
        return f"{level}d{self.mishap_die}"


def numbers(settings: Settings) -> Numbers:
    """Return the numbers of a campaign."""
    return Numbers(**{name: settings[f"rules.improvised_{name}"] for name in Numbers._fields})


def maximum(expression: Expression) -> int:
    """Return the most that dice can come to when none of them explodes."""
    return span_of(expression, lambda term: (term.count_kept(term.count), term.count_kept(term.count) * term.sides))[1]
