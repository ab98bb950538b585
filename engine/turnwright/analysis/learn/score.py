"""How the rules fare on campaigns that nothing was learned from, without the proposals and with them.

Source: docs/report.md, "Learning from play".
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypedDict

from turnwright.analysis.learn.examples import Example, Use
from turnwright.analysis.learn.mine import MIN_TURNS, Mined, patterns_in
from turnwright.analysis.report.figure import wilson
from turnwright.analysis.report.play import Play

LOWEST_BOUND = 0.4
"""A rule whose hints are used more rarely, by the lower end of the interval, is pointed out."""


class Wrong(NamedTuple):
    """A message for which only a proposal suggests a tool that no turn applied."""

    campaign: str
    turn_id: str
    use: Use
    pattern: str


class ScoreFigures(TypedDict):
    """A score as plain JSON, with precision and recall."""

    right: int
    suggested: int
    wanted: int
    precision: float | None
    recall: float | None


class DoubtfulRule(TypedDict):
    """A rule and intent whose hints were rarely used."""

    rule: str
    intent: str
    shown: int
    used: int
    bound: float


class Score(NamedTuple):
    """How many suggestions were right, of how many, and of how many that would have been."""

    right: int
    suggested: int
    wanted: int

    def as_json(self) -> ScoreFigures:
        """Return it with precision and recall; null where there is nothing to divide by."""
        return {
            "right": self.right,
            "suggested": self.suggested,
            "wanted": self.wanted,
            "precision": round(self.right / self.suggested, 4) if self.suggested else None,
            "recall": round(self.right / self.wanted, 4) if self.wanted else None,
        }


class Trial(NamedTuple):
    """What a trial of proposals gave."""

    messages: int
    before: Score
    after: Score
    wrong: list[Wrong]


def tried(proposals: Sequence[Mined], examples: Sequence[Example]) -> Trial:
    """Return how suggestions fare on these messages, before and after."""
    before, after, wrong = Score(0, 0, 0), Score(0, 0, 0), []
    for example in examples:
        standing = patterns_in(example.clauses, example.language)
        fitting = [
            one
            for one in proposals
            if (one.agent, one.language) == (example.agent, example.language) and one.pattern in standing
        ]
        new = {one.use: one for one in fitting}
        before = _plus(before, example.known, example.applied)
        after = _plus(after, example.known | new.keys(), example.applied)
        wrong += [
            Wrong(example.campaign, example.turn_id, use, " ".join(new[use].pattern))
            for use in sorted(new.keys() - example.known - example.applied)
        ]
    return Trial(len(examples), before, after, wrong)


def _plus(score: Score, suggested: Iterable[Use], applied: frozenset[Use]) -> Score:
    given = set(suggested)
    return Score(score.right + len(given & applied), score.suggested + len(given), score.wanted + len(applied))


def doubtful(plays: Iterable[Play]) -> list[DoubtfulRule]:
    """Return the rules and intents whose hints were rarely used: candidates for being narrowed or taken out."""
    seen: dict[tuple[str, str], list[bool]] = {}
    for play in plays:
        for exchange in play.exchanges:
            for hint in exchange.hints:
                seen.setdefault((hint.rule, hint.intent), []).append(hint.tool in exchange.tools)
    found: list[DoubtfulRule] = []
    for (rule, intent), used in sorted(seen.items()):
        bound = wilson(sum(used), len(used))[0]
        if len(used) >= MIN_TURNS and bound < LOWEST_BOUND:
            found.append(
                {"rule": rule, "intent": intent, "shown": len(used), "used": sum(used), "bound": round(bound, 3)}
            )
    return found
