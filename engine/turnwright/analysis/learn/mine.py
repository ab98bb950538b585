"""Find rows of words after which a tool was applied, far more often than after others.

Source: docs/report.md, "Learning from play".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from typing import NamedTuple

from turnwright.analysis.learn.examples import Example, Use
from turnwright.analysis.learn.slots import SLOTS, Tokens
from turnwright.analysis.report.figure import wilson
from turnwright.model import data

MAX_LENGTH = 4
"""The most words of a pattern."""
GAP = "..."
"""In a pattern, matches up to `WIDEST` words, or none."""
WIDEST = 2
MIN_TURNS, MIN_CAMPAIGNS = 8, 2
MIN_BOUND, MIN_LIFT = 0.7, 3.0
HIGHEST_CONFIDENCE = 0.9
MIN_COVERED = 0.5
"""From this share of its turns on a pattern is covered by the rules there are."""


class Evidence(NamedTuple):
    """In how many messages a pattern stands, after how many of them the tool was applied, in how many campaigns."""

    turns: int
    hits: int
    campaigns: int
    lift: float

    @property
    def bound(self) -> float:
        """The lower end of the 95 % interval of the share of hits."""
        return wilson(self.hits, self.turns)[0]

    @property
    def is_enough(self) -> bool:
        """Whether a pattern may be proposed for it."""
        return (
            self.hits >= MIN_TURNS
            and self.campaigns >= MIN_CAMPAIGNS
            and self.bound >= MIN_BOUND
            and self.lift >= MIN_LIFT
        )


class Mined(NamedTuple):
    """A pattern and the use of a tool it stands for.

    Attributes:
        agent: who answered the messages.
        language: what they are written in.
        pattern: words, slots and at most one gap.
        use: what was applied.
        unshown: what messages tell for which this was not hinted at.
        all: what all messages tell; a hint that was followed is weak evidence.
        example: a clause it stands in, names replaced.
    """

    agent: str
    language: str
    pattern: Tokens
    use: Use
    unshown: Evidence
    all: Evidence
    example: Tokens

    @property
    def evidence(self) -> Evidence:
        """The evidence it is proposed for: that without hints if it is enough."""
        return self.unshown if self.unshown.is_enough else self.all

    @property
    def confidence(self) -> float:
        """The confidence a rule should have for it."""
        return round(min(HIGHEST_CONFIDENCE, self.evidence.bound), 3)


def mined(examples: Sequence[Example]) -> list[Mined]:
    """Return every pattern worth proposing, by agent, language and tool, and the most frequent first.

    Of patterns that say the same of the same messages the shortest stands for all.
    """
    groups: dict[tuple[str, str], list[Example]] = {}
    for example in examples:
        groups.setdefault((example.agent, example.language), []).append(example)
    return [found for key in sorted(groups) for found in _mined(key, groups[key])]


def _mined(key: tuple[str, str], examples: Sequence[Example]) -> Iterator[Mined]:
    candidates = _candidates(examples)
    places: dict[Tokens, list[int]] = {pattern: [] for pattern in candidates}
    for place, example in enumerate(examples):
        for pattern in patterns_in(example.clauses, example.language) & places.keys():
            places[pattern].append(place)
    for use in sorted({use for uses in candidates.values() for use in uses}):
        wanted = [pattern for pattern, uses in candidates.items() if use in uses]
        found = [_judged(key, pattern, use, places[pattern], examples) for pattern in wanted]
        yield from _apart([one for one in found if one is not None], places, examples)


def _candidates(examples: Sequence[Example]) -> dict[Tokens, set[Use]]:
    """Return the patterns that stand in enough messages after which a tool was applied, with those tools."""
    words = Counter(word for example in examples for word in {word for clause in example.clauses for word in clause})
    frequent = frozenset(word for word, count in words.items() if count >= MIN_TURNS) | {GAP}
    hits: Counter[tuple[Tokens, Use]] = Counter()
    for example in examples:
        if example.applied:
            found = patterns_in(example.clauses, example.language, frequent)
            hits.update((pattern, use) for use in example.applied for pattern in found)
    candidates: dict[Tokens, set[Use]] = {}
    for (pattern, use), count in hits.items():
        if count >= MIN_TURNS:
            candidates.setdefault(pattern, set()).add(use)
    return candidates


def patterns_in(clauses: Iterable[Tokens], language: str, known: frozenset[str] | None = None) -> set[Tokens]:
    """Return every pattern that stands in any of the clauses; with `known`, those of known words alone.

    A pattern needs a word with a meaning of its own, which a slot is not.
    """
    hollow = _hollow(language)
    return {
        pattern
        for clause in clauses
        for start in range(len(clause))
        for pattern in _patterns_at(clause, start)
        if not hollow.issuperset(pattern) and (known is None or known.issuperset(pattern))
    }


@cache
def _hollow(language: str) -> frozenset[str]:
    words = data.load("learning")["empty_words"]
    return frozenset(words.get(language.partition("-")[0], "").split()) | {*SLOTS, GAP}


def _patterns_at(clause: Tokens, start: int) -> Iterator[Tokens]:
    for length in range(1, MAX_LENGTH + 1):
        if start + length <= len(clause):
            yield clause[start : start + length]
        for before in range(1, length):
            for skipped in range(WIDEST + 1):
                rest = start + before + skipped
                if rest + length - before <= len(clause):
                    yield (*clause[start : start + before], GAP, *clause[rest : rest + length - before])


def _judged(
    key: tuple[str, str], pattern: Tokens, use: Use, places: Sequence[int], examples: Sequence[Example]
) -> Mined | None:
    at = [examples[place] for place in places]
    unshown = _evidence(at, examples, use, lambda example: use not in example.shown)
    every = _evidence(at, examples, use, lambda _: True)
    if not (unshown.is_enough or every.is_enough):
        return None
    hits = [example for example in at if use in example.applied]
    if sum(use in example.known | example.shown for example in hits) >= MIN_COVERED * len(hits):
        return None
    clause = next(clause for clause in hits[0].clauses if pattern in patterns_in([clause], key[1]))
    return Mined(*key, pattern, use, unshown, every, clause)


def _evidence(
    at: Iterable[Example], examples: Iterable[Example], use: Use, counts: Callable[[Example], bool]
) -> Evidence:
    there = [example for example in at if counts(example)]
    everywhere = [use in example.applied for example in examples if counts(example)]
    hits = [example for example in there if use in example.applied]
    usual = sum(everywhere) / len(everywhere) if everywhere else 0.0
    lift = len(hits) / len(there) / usual if hits and usual else 0.0
    return Evidence(len(there), len(hits), len({example.campaign for example in hits}), round(lift, 2))


def _apart(found: Sequence[Mined], places: dict[Tokens, list[int]], examples: Sequence[Example]) -> Iterator[Mined]:
    """Yield patterns that add enough messages to those before: of many ways to say one thing, one is enough to read."""
    explained: set[int] = set()
    for one in sorted(found, key=_rank):
        hits = {place for place in places[one.pattern] if one.use in examples[place].applied}
        if len(hits - explained) >= MIN_TURNS:
            explained |= hits
            yield one


def _rank(one: Mined) -> tuple[bool, int, float, int, Tokens]:
    strength = -one.evidence.hits, -round(one.evidence.bound, 6)
    return not one.unshown.is_enough, *strength, len(one.pattern), one.pattern
