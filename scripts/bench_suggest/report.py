"""What the bench tells: targets, tools, rules and the cases that went wrong, as text and as data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from scripts.bench_suggest import scoring
from scripts.bench_suggest.cases import KINDS
from scripts.bench_suggest.scoring import Result, Tally, share

ENOUGH_EXPECTED = 10
_VERDICTS = ("right", "tolerated", "wrong", "forbidden", "missed")


@dataclass(frozen=True, slots=True)
class Target:
    """A figure with the bound it must keep."""

    what: str
    value: float
    bound: float
    is_least: bool = True

    @property
    def is_met(self) -> bool:
        """Whether the bound is kept."""
        return self.value >= self.bound if self.is_least else self.value <= self.bound


def targets(results: Sequence[Result]) -> list[Target]:
    """Return every figure that has a target."""
    negatives = [result for result in results if result.case.kind == "negative"]
    positives = [result for result in results if result.case.kind == "positive"]
    busy = {name: one for name, one in scoring.tally_by_tool(results).items() if one.expected >= ENOUGH_EXPECTED}
    return [
        Target("F1", scoring.tally(results).f1, 0.85),
        Target("cases with a forbidden tool", _forbidden(results), 0.03, is_least=False),
        Target("cases of plain talk with one", _forbidden(negatives), 0, is_least=False),
        Target("hints >= 0.8 right or tolerated", share(*scoring.sure(results)), 0.9),
        Target("recall on positive cases", scoring.tally(positives).recall, 0.75),
        Target("exact sets", share(sum(result.is_exact for result in results), len(results)), 0.75),
        *(Target(f"F1 of {name}", one.f1, 0.7) for name, one in busy.items()),
    ]


def as_json(split: str, results: Sequence[Result]) -> dict[str, Any]:
    """Return everything that is measured, as data."""
    return {
        "split": split,
        "cases": {kind: sum(result.case.kind == kind for result in results) for kind in KINDS},
        "total": _figures(scoring.tally(results)),
        "targets": [{**asdict(target), "is_met": target.is_met} for target in targets(results)],
        "arguments": dict(zip(("agreed", "labelled"), scoring.arguments_agree(results), strict=True)),
        "tools": {name: _figures(one) for name, one in scoring.tally_by_tool(results).items()},
        "rules": {
            rule: {word: counts[word] for word in _VERDICTS} for rule, counts in scoring.confusion(results).items()
        },
    }


def as_text(split: str, results: Sequence[Result]) -> str:
    """Return everything that is measured, as tables."""
    return "\n".join(_lines(split, results))


def misses(results: Sequence[Result]) -> Iterator[str]:
    """Yield what is wrong with each case that is not exact."""
    for result in results:
        if result.is_exact:
            continue
        case = result.case
        yield f"{case.id} {case.kind} {case.rule or '-'} {case.agent}: {case.message!r} ({case.note})"
        for call in result.missed:
            yield f"    missed {call}"
        for hint, verdict in result.hints:
            if verdict in ("wrong", "forbidden"):
                yield f"    {verdict} {hint}"


def _lines(split: str, results: Sequence[Result]) -> Iterator[str]:
    total = scoring.tally(results)
    kinds = ", ".join(f"{sum(result.case.kind == kind for result in results)} {kind}" for kind in KINDS)
    yield f"{split}: {len(results)} cases ({kinds})"
    yield f"precision {total.precision:.3f}  recall {total.recall:.3f}  F1 {total.f1:.3f}"
    yield "arguments agree: {} of {}".format(*scoring.arguments_agree(results))
    yield ""
    yield from _table(
        ("target", "bound", "measured", "met"),
        [
            (
                one.what,
                f"{'>=' if one.is_least else '<='} {one.bound:g}",
                f"{one.value:.3f}",
                "yes" if one.is_met else "NO",
            )
            for one in targets(results)
        ],
    )
    yield ""
    yield from _table(
        ("tool", "found", "wrong", "missed", "P", "R", "F1"),
        [
            (name, *map(str, (one.found, one.wrong, one.missed)), *_ratios(one))
            for name, one in scoring.tally_by_tool(results).items()
        ],
    )
    yield ""
    yield from _table(
        ("rule", *_VERDICTS),
        [(rule, *(str(counts[word]) for word in _VERDICTS)) for rule, counts in scoring.confusion(results).items()],
    )


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    lines = [heads, *rows]
    widths = [max(len(line[column]) for line in lines) for column in range(len(heads))]
    for line in lines:
        yield "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()


def _forbidden(results: Sequence[Result]) -> float:
    return sum(result.has_forbidden for result in results) / len(results) if results else 0.0


def _ratios(one: Tally) -> tuple[str, ...]:
    return tuple(f"{ratio:.3f}" for ratio in (one.precision, one.recall, one.f1))


def _figures(one: Tally) -> dict[str, float]:
    return {**asdict(one), "precision": one.precision, "recall": one.recall, "f1": one.f1}
