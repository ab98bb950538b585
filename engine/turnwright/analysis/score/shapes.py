"""The keys of runs and of the measures over them, for type checkers.

Source: docs/score.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict

if TYPE_CHECKING:
    from turnwright.analysis.report.shapes import Figure


class PlayedMessage(TypedDict):
    """One message of a scenario, and what was done about it; counts unless they say otherwise.

    Attributes:
        answered: whether the model answered with a text.
        abstained: whether it called nothing that changes anything; None where it was not to abstain.
    """

    id: str
    outcome: str
    answered: bool
    asked: int
    well_formed: int
    cut_off: int
    failures: dict[str, int]
    calls: dict[str, int]
    made: int
    applied: int
    repaired: int
    expected: int
    met: int
    abstained: bool | None
    findings: int
    tokens: int
    ms: int


class Run(TypedDict):
    """A scenario that was played once.

    Attributes:
        goal: which of its checks hold in the end; empty where only a part of it was played.
        passed: whether all do; None where there are none.
    """

    pack: str
    seed: int
    messages: list[PlayedMessage]
    goal: list[bool]
    passed: bool | None


class Mean(TypedDict):
    """A mean and its 95 % interval; null without enough turns."""

    n: int
    mean: float | None
    low: float | None
    high: float | None


class PassRow(TypedDict):
    """The estimate that `k` runs all pass, and its interval."""

    k: int
    rate: float
    low: float
    high: float


class PassFigures(TypedDict):
    """How many runs passed, and the estimates for every k."""

    passed: int
    n: int
    pass_k: list[PassRow]


class Passes(TypedDict):
    """The same for each pack, and over all."""

    packs: dict[str, PassFigures]
    all: PassFigures


Measures = TypedDict(
    "Measures",
    {
        "runs": int,
        "turns": int,
        "enough_turns": bool,
        "answered": "Figure",
        "well_formed": "Figure",
        "cut_off": "Figure",
        "legal": "Figure",
        "repaired": "Figure",
        "abstained": "Figure",
        "expected": "Figure",
        "findings": "Figure",
        "tokens": Mean,
        "seconds": Mean,
        "failures": dict[str, int],
        "pass": Passes,
    },
)
"""The measures over all runs of one way of playing."""
