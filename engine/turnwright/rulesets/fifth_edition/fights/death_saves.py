"""Death saves: between dying, stable and dead. Source: SRD 5.1, "Death Saving Throws"."""

from __future__ import annotations

from typing import Literal, NamedTuple

DeathSaveOutcome = Literal["success", "failure", "critical_failure", "stabilized", "revived", "death"]

NEEDED = 3
_DC = 10


class DeathSave(NamedTuple):
    """The outcome of a death save, with the counts that decided it (0 and 0 for the revived)."""

    outcome: DeathSaveOutcome
    successes: int
    failures: int

    @property
    def kept(self) -> tuple[int, int]:
        """The successes and failures so far: both are 0 for a creature that is stable or awake."""
        return (0, 0) if self.outcome in ("stabilized", "revived") else (self.successes, self.failures)


def death_save(natural: int, total: int, successes: int, failures: int) -> DeathSave:
    """Return what a death save does to a creature at 0 hit points that is neither stable nor dead.

    Args:
        natural: the face of the d20 that counts; 20 and 1 are judged by it alone.
        total: the face and its modifier.
        successes, failures: so far, 0..2.
    """
    if natural == 20:
        return DeathSave("revived", 0, 0)
    if natural != 1 and total >= _DC:
        successes += 1
        return DeathSave("stabilized" if successes >= NEEDED else "success", successes, failures)
    failures = min(NEEDED, failures + (2 if natural == 1 else 1))
    if failures == NEEDED:
        return DeathSave("death", successes, failures)
    return DeathSave("critical_failure" if natural == 1 else "failure", successes, failures)
