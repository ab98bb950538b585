"""What no tool could have left behind: momentum of nobody, or too much of it."""

from __future__ import annotations

from collections.abc import Iterator

from turnwright.rulesets.api import Edit, Problem
from turnwright_minimal.momentum import MAX_MOMENTUM, Momentum


def momentum_problems(edit: Edit) -> Iterator[Problem]:
    """Yield what is wrong with edited momentum given the rest of the campaign."""
    for momentum in edit.documents(Momentum):
        if edit.world.character(momentum.id) is None:
            yield Problem(momentum.path, "$.id", "unknown_character", f"there is no character {momentum.id}")
        if momentum.amount > MAX_MOMENTUM:
            yield Problem(momentum.path, "$.amount", "too_much", f"must be at most {MAX_MOMENTUM}")
