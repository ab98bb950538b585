"""Strict scoring: a hint that is neither expected nor tolerated is wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from scripts.bench_suggest.cases import Call, Case

from turnwright.rulesets.suggesting import BUILT_IN

Verdict = Literal["right", "tolerated", "wrong", "forbidden"]
HIGHLY_RECOMMENDED = 0.8


@dataclass(frozen=True, slots=True)
class Hint:
    """What was suggested; one with several operations is given once for each."""

    tool: str
    operation: str | None
    confidence: float
    rule_id: str
    arguments: Mapping[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{Call(self.tool, self.operation)} {self.confidence:g} {self.rule_id}"


@dataclass(frozen=True, slots=True)
class Result:
    """A case with the hints it got, each with its verdict, and what was expected in vain."""

    case: Case
    hints: Sequence[tuple[Hint, Verdict]]
    missed: Sequence[Call]

    @property
    def found(self) -> int:
        """How many of the expected calls were suggested."""
        return len(self.case.expected) - len(self.missed)

    @property
    def wrong(self) -> Sequence[Hint]:
        """The hints that should not be there, forbidden ones included."""
        return [hint for hint, verdict in self.hints if verdict in ("wrong", "forbidden")]

    @property
    def has_forbidden(self) -> bool:
        """Whether a hint is forbidden."""
        return any(verdict == "forbidden" for _, verdict in self.hints)

    @property
    def is_exact(self) -> bool:
        """Whether everything expected was suggested and, tolerated hints aside, nothing else."""
        return not self.missed and not self.wrong


@dataclass(slots=True)
class Tally:
    """Expected calls that were found and missed, and hints that were wrong."""

    found: int = 0
    wrong: int = 0
    missed: int = 0

    @property
    def expected(self) -> int:
        """How many calls were expected."""
        return self.found + self.missed

    @property
    def precision(self) -> float:
        """Share of what was suggested that was asked for; 1 when nothing was suggested."""
        return share(self.found, self.found + self.wrong)

    @property
    def recall(self) -> float:
        """Share of what was expected that was suggested; 1 when nothing was expected."""
        return share(self.found, self.expected)

    @property
    def f1(self) -> float:
        """Harmonic mean of the two."""
        return share(2 * self.found, 2 * self.found + self.wrong + self.missed)


def share(part: int, whole: int) -> float:
    """Return part / whole, and 1 of nothing."""
    return part / whole if whole else 1.0


def judge(case: Case, hints: Sequence[Hint]) -> Result:
    """Compare the hints of a case with its labels."""
    judged = [(hint, _verdict(case, hint)) for hint in hints]
    kept = [hint for hint, verdict in judged if verdict != "forbidden"]
    missed = [call for call in case.expected if not any(_covers(call, hint) for hint in kept)]
    return Result(case, judged, missed)


def tally(results: Iterable[Result]) -> Tally:
    """Add up all results."""
    total = Tally()
    for result in results:
        total.found += result.found
        total.wrong += len(result.wrong)
        total.missed += len(result.missed)
    return total


def tally_by_tool(results: Iterable[Result]) -> dict[str, Tally]:
    """Add up by tool, sorted by name."""
    tools: dict[str, Tally] = {}
    for result in results:
        for call in result.case.expected:
            one = tools.setdefault(call.tool, Tally())
            if call in result.missed:
                one.missed += 1
            else:
                one.found += 1
        for hint in result.wrong:
            tools.setdefault(hint.tool, Tally()).wrong += 1
    return dict(sorted(tools.items()))


def confusion(results: Iterable[Result]) -> dict[str, Counter[str]]:
    """Count by rule: the outcome of its hints, and what the cases that exercise it expected in vain.

    Keys of a counter are the verdicts and `missed`.
    """
    rules: dict[str, Counter[str]] = {}
    for result in results:
        for hint, verdict in result.hints:
            rules.setdefault(hint.rule_id, Counter())[verdict] += 1
        if result.missed:
            rules.setdefault(rule_id(result.case.rule), Counter())["missed"] += len(result.missed)
    return dict(sorted(rules.items()))


def rule_id(code: str | None) -> str:
    """Return the id of the rule that the labels call by its number: `r01_quest_accept` for `R01`."""
    begins = f"{(code or '').lower()}_"
    return next((rule.id for rule in BUILT_IN.rules if rule.id.startswith(begins)), code or "none")


def sure(results: Iterable[Result]) -> tuple[int, int]:
    """Return how many highly recommended hints were right or tolerated, and how many there were."""
    verdicts = [
        verdict for result in results for hint, verdict in result.hints if hint.confidence >= HIGHLY_RECOMMENDED
    ]
    return sum(verdict in ("right", "tolerated") for verdict in verdicts), len(verdicts)


def arguments_agree(results: Iterable[Result]) -> tuple[int, int]:
    """Return how many labeled arguments the matching hints gave with that value, and how many are labeled there."""
    agreed = labeled = 0
    for result in results:
        for call in result.case.expected:
            hint = next((hint for hint, verdict in result.hints if verdict == "right" and _covers(call, hint)), None)
            for name, value in (call.arguments or {}).items() if hint else ():
                labeled += 1
                agreed += hint is not None and hint.arguments.get(name) == value
    return agreed, labeled


def _verdict(case: Case, hint: Hint) -> Verdict:
    if any(_covers(call, hint) for call in case.forbidden):
        return "forbidden"
    if any(_covers(call, hint) for call in case.expected):
        return "right"
    return "tolerated" if any(_covers(call, hint) for call in case.tolerated) else "wrong"


def _covers(call: Call, hint: Hint) -> bool:
    return call.covers(hint.tool, hint.operation)
