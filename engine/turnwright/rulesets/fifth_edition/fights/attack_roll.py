"""Whether an attack hits. Source: SRD 5.1, "Attack Rolls"."""

from __future__ import annotations

from typing import Literal

AttackResult = Literal["hit", "miss", "critical_hit", "critical_miss"]


def attack_result(natural: int, total: int, ac: int, *, hits_are_critical: bool = False) -> AttackResult:
    """Return the outcome of an attack roll; the die's 20 and 1 count for more than any total.

    Args:
        natural: the face of the d20 that counts.
        total: the face and all that is added.
        ac: armor class, cover included.
        hits_are_critical: the target is helpless and close, so that whatever hits hits critically.
    """
    if natural == 20:
        return "critical_hit"
    if natural == 1:
        return "critical_miss"
    if total < ac:
        return "miss"
    return "critical_hit" if hits_are_critical else "hit"


def is_hit(result: AttackResult) -> bool:
    """Return whether it deals damage."""
    return result in ("hit", "critical_hit")
