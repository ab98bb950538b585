"""What the bench tells: verdicts by mechanism, the targets, and every row that went wrong."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from scripts.bench_hints.playing import VERDICTS, Outcome

MIN_REPAIRED = 0.95
"""The share of the rows in which a call was meant that has to be repaired to it."""
_HEADS = ("mechanism", "rows", "meant: none", *VERDICTS)


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


def targets(outcomes: Sequence[Outcome]) -> list[Target]:
    """Return every figure that has a target."""
    meant = [one.verdict for one in outcomes if one.row.meant]
    none = [one.verdict for one in outcomes if not one.row.meant]
    return [
        Target("rows with a call, repaired to it", _share(meant, "repaired"), MIN_REPAIRED),
        Target("rows with none, rightly silent", _share(none, "rightly silent"), 1.0),
        Target(
            "rows where something else was done", meant.count("something else") + none.count("something else"), 0, False
        ),
    ]


def as_markdown(outcomes: Sequence[Outcome]) -> str:
    """Return the verdicts by mechanism, and the targets, as two tables."""
    return "\n".join(
        [*_table(_HEADS, _rows(outcomes)), "", *_table(("target", "bound", "measured", "met"), _told(outcomes))]
    )


def as_json(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """Return the same as data."""
    return {
        "mechanisms": [dict(zip(_HEADS, row, strict=True)) for row in _rows(outcomes)],
        "targets": [
            {"what": one.what, "value": one.value, "bound": one.bound, "is_met": one.is_met}
            for one in targets(outcomes)
        ],
    }


def misses(outcomes: Sequence[Outcome]) -> Iterator[str]:
    """Yield what is wrong with each row that was neither repaired nor rightly silent."""
    for one in outcomes:
        if one.verdict in ("repaired", "rightly silent"):
            continue
        yield f"{one.row.id} {one.row.mechanism}: {one.verdict} after {one.rounds} rounds ({one.row.why})"
        yield f"    in {one.row.world}: {_spelt(one.row.call)}"
        for failed in one.told:
            hints = failed.get("hints") or failed.get("hint")
            yield f"    told {failed.get('reason')}: {failed.get('detail')} {_spelt(hints)}"
        yield f"    applied {_spelt(one.applied)}"
        yield from (f"    meant {_spelt(call)}" for call in one.row.meant)


def _rows(outcomes: Sequence[Outcome]) -> list[tuple[Any, ...]]:
    mechanisms = list(dict.fromkeys(one.row.mechanism for one in outcomes))
    counted = [_counts(name, [one for one in outcomes if one.row.mechanism == name]) for name in mechanisms]
    return [*counted, _counts("all", outcomes)]


def _counts(name: str, outcomes: Sequence[Outcome]) -> tuple[Any, ...]:
    verdicts = Counter(one.verdict for one in outcomes)
    none = sum(not one.row.meant for one in outcomes)
    return (name, len(outcomes), none, *(verdicts[verdict] for verdict in VERDICTS))


def _told(outcomes: Sequence[Outcome]) -> list[tuple[Any, ...]]:
    return [
        (
            one.what,
            f"{'>=' if one.is_least else '<='} {one.bound:g}",
            f"{one.value:.3f}" if one.is_least else f"{one.value:g}",
            "yes" if one.is_met else "NO",
        )
        for one in targets(outcomes)
    ]


def _table(heads: Sequence[str], rows: Sequence[Sequence[Any]]) -> Iterator[str]:
    yield f"| {' | '.join(heads)} |"
    yield f"|{'---|' * len(heads)}"
    yield from (f"| {' | '.join(map(str, row))} |" for row in rows)


def _share(verdicts: Sequence[str], wanted: str) -> float:
    return verdicts.count(wanted) / len(verdicts) if verdicts else 1.0


def _spelt(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
