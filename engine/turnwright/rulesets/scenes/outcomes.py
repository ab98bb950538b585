"""Futures written before the die is chosen: whether they fit the pool, and which die each belongs to.

Source: docs/tools/scenes.md, "spend_die".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, permutations
from typing import Any, Literal, NamedTuple, Protocol, TypeVar

from turnwright.model.wire.reason import Reason

COSTS = {"stress_cost": (-3, 4), "heat_cost": (-1, 3), "coin_delta": (-4, 8)}
"""The lowest and the highest of each cost, in the order in which they are checked and paid."""
TEXTS = {"hint": 80, "narrative": 600}
"""The most characters of each text, blanks around it not counted."""
HINT_WORDS = (3, 8)

OutcomeLint = Literal["lint_outcome_inverted", "lint_hint_length"]


class Outcome(Protocol):
    """The outcome of one die when it is chosen."""

    @property
    def die_value(self) -> int:
        """The face that the outcome is written for."""

    @property
    def hint(self) -> str:
        """The text shown before the choice."""

    @property
    def stress_cost(self) -> int:
        """Stress to take; relief when negative."""

    @property
    def heat_cost(self) -> int:
        """Heat to add; negative values reduce heat."""

    @property
    def coin_delta(self) -> int:
        """Coin to gain, or to lose when negative."""

    @property
    def narrative(self) -> str:
        """The text told after the choice."""


class Fault(NamedTuple):
    """Why outcomes are not valid.

    Attributes:
        reason: the reason code.
        detail: a sentence for a person.
        field: the field to correct, such as `outcomes.1.stress_cost`.
        got: the given value; for `outcomes` as a whole, the faces they are written for.
        choices: the allowed values, nearest first.
    """

    reason: Reason
    detail: str
    field: str
    got: Any
    choices: list[Any]


AnyOutcome = TypeVar("AnyOutcome", bound=Outcome)


def fault(pool: Sequence[int], outcomes: Sequence[Outcome]) -> Fault | None:
    """Return the first fault of the outcomes, or None: number, faces, costs, texts, in this order."""
    checks = (
        _count_faults(pool, outcomes),
        _face_faults(pool, outcomes),
        _cost_faults(outcomes),
        _text_faults(outcomes),
    )
    return next(chain.from_iterable(checks), None)


def aligned(pool: Sequence[int], outcomes: Sequence[AnyOutcome]) -> tuple[AnyOutcome, ...]:
    """Return the outcomes in the order of the pool: the k-th one for a face belongs to the k-th die that shows it.

    Outcomes that are in the order of the pool already stay as they are. There must be no fault.
    """
    waiting = {face: iter([one for one in outcomes if one.die_value == face]) for face in pool}
    return tuple([next(waiting[face]) for face in pool])


def lints(outcomes: Sequence[Outcome]) -> tuple[OutcomeLint, ...]:
    """Return possible improvements: a high face that costs more than a low one, a hint too short or too long."""
    found: list[OutcomeLint] = []
    if any(high.die_value > low.die_value and _price(high) > _price(low) for high, low in permutations(outcomes, 2)):
        found.append("lint_outcome_inverted")
    fewest, most = HINT_WORDS
    if not all(fewest <= len(one.hint.split()) <= most for one in outcomes):
        found.append("lint_hint_length")
    return tuple(found)


def _price(outcome: Outcome) -> int:
    return outcome.stress_cost + outcome.heat_cost


def _count_faults(pool: Sequence[int], outcomes: Sequence[Outcome]) -> Iterator[Fault]:
    if len(outcomes) != len(pool):
        detail = f"{len(outcomes)} outcomes for {len(pool)} dice; each die needs one of its own"
        yield Fault(Reason.OUTCOME_COUNT_MISMATCH, detail, "outcomes", _faces(outcomes), [])


def _face_faults(pool: Sequence[int], outcomes: Sequence[Outcome]) -> Iterator[Fault]:
    missing = Counter(pool) - Counter(_faces(outcomes))
    left = Counter(pool)
    for place, face in enumerate(_faces(outcomes)):
        left[face] -= 1
        if left[face] < 0:
            detail = f"no die of the pool is left to show the {face} of outcome {place}"
            yield Fault(
                Reason.OUTCOME_DIE_NOT_IN_POOL, detail, f"outcomes.{place}.die_value", face, _by_distance(face, missing)
            )


def _cost_faults(outcomes: Sequence[Outcome]) -> Iterator[Fault]:
    for place, outcome in enumerate(outcomes):
        for field, (low, high) in COSTS.items():
            cost = getattr(outcome, field)
            if not low <= cost <= high:
                detail = f"the {field} of outcome {place} must lie between {low} and {high}"
                yield Fault(Reason.OUTCOME_COST_RANGE, detail, f"outcomes.{place}.{field}", cost, [])


def _text_faults(outcomes: Sequence[Outcome]) -> Iterator[Fault]:
    for place, outcome in enumerate(outcomes):
        for field, most in TEXTS.items():
            text = getattr(outcome, field)
            if not 1 <= len(text.strip()) <= most:
                detail = f"the {field} of outcome {place} must have 1 to {most} characters"
                yield Fault(Reason.OUTCOME_TEXT, detail, f"outcomes.{place}.{field}", text, [])
    told: set[str] = set()
    for place, outcome in enumerate(outcomes):
        text = outcome.narrative.strip()
        if text in told:
            detail = f"the narrative of outcome {place} has been told before; each die needs its own future"
            yield Fault(Reason.OUTCOME_TEXT, detail, f"outcomes.{place}.narrative", outcome.narrative, [])
        told.add(text)


def _by_distance(given: int, values: Iterable[int]) -> list[int]:
    return sorted(values, key=lambda value: (abs(value - given), value))


def _faces(outcomes: Sequence[Outcome]) -> list[int]:
    return [outcome.die_value for outcome in outcomes]
