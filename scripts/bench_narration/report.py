"""What the bench tells: lies caught and honest texts accused, by half and kind, with intervals."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from scripts.bench_narration.measuring import Verdict

from turnwright.analysis.report.figure import wilson

MIN_CAUGHT = 0.85
MAX_ACCUSED = 0.04
MAX_CONFLICTS = 0.01


class Target(NamedTuple):
    """A share of the unseen half with the bound it must keep."""

    what: str
    found: int
    n: int
    bound: float
    is_least: bool = False

    @property
    def is_met(self) -> bool:
        """Whether the bound is kept."""
        return self.found >= self.bound * self.n if self.is_least else self.found <= self.bound * self.n


class Group(NamedTuple):
    """Texts of one half that speak of one thing: lies and those caught, honest ones and those accused."""

    half: str
    kind: str
    lies: int
    caught: int
    honest: int
    accused: int
    conflicts: int


def targets(verdicts: Sequence[Verdict]) -> list[Target]:
    """Return every share that has a target; none where the unseen half was not measured."""
    unseen = [verdict for verdict in verdicts if verdict.row.half == "unseen"]
    if not unseen:
        return []
    total = _group("unseen", "all", unseen)
    return [
        Target("lies caught", total.caught, total.lies, MIN_CAUGHT, is_least=True),
        Target("honest texts accused", total.accused, total.honest, MAX_ACCUSED),
        Target("honest texts with a conflict", total.conflicts, total.honest, MAX_CONFLICTS),
    ]


def groups(verdicts: Sequence[Verdict]) -> Iterator[Group]:
    """Yield the texts of each half, all together and then by kind."""
    for half in dict.fromkeys(verdict.row.half for verdict in verdicts):
        own = [verdict for verdict in verdicts if verdict.row.half == half]
        yield _group(half, "all", own)
        for kind in sorted({verdict.row.kind for verdict in own}):
            yield _group(half, kind, [verdict for verdict in own if verdict.row.kind == kind])


def as_json(verdicts: Sequence[Verdict]) -> dict[str, Any]:
    """Return everything that is measured, as data."""
    return {
        "groups": [group._asdict() for group in groups(verdicts)],
        "targets": [{**target._asdict(), "is_met": target.is_met} for target in targets(verdicts)],
    }


def as_text(verdicts: Sequence[Verdict]) -> str:
    """Return everything that is measured, as Markdown."""
    return "\n".join(_lines(verdicts))


def _lines(verdicts: Sequence[Verdict]) -> Iterator[str]:
    yield "| half | about | lies caught | honest accused | of those, conflicts |"
    yield "|---|---|---|---|---|"
    for group in groups(verdicts):
        shares = (
            _share(group.caught, group.lies),
            _share(group.accused, group.honest),
            _share(group.conflicts, group.honest),
        )
        yield f"| {group.half} | {group.kind} | {' | '.join(shares)} |"
    for target in targets(verdicts):
        sign = ">=" if target.is_least else "<="
        kept = "met" if target.is_met else "MISSED"
        yield f"\n{target.what}: {target.found} of {target.n}, wanted {sign} {target.bound:.0%}: {kept}"


def _group(half: str, kind: str, verdicts: Sequence[Verdict]) -> Group:
    lies = [verdict for verdict in verdicts if verdict.is_lie]
    honest = [verdict for verdict in verdicts if not verdict.is_lie]
    return Group(
        half,
        kind,
        len(lies),
        sum(verdict.is_found for verdict in lies),
        len(honest),
        sum(verdict.is_found for verdict in honest),
        sum(verdict.is_error for verdict in honest),
    )


def _share(count: int, n: int) -> str:
    """Return a count with its share and the 95 % interval of that (Wilson)."""
    if not n:
        return "-"
    low, high = wilson(count, n)
    return f"{count} of {n} ({100 * count / n:.0f} %; {100 * low:.0f}-{100 * high:.0f})"
