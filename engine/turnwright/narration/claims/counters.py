"""Amounts that a ruleset counts: "Mira has 4 momentum left", "you have two luck points", "Bran is at 3 momentum"."""

from __future__ import annotations

from collections.abc import Iterator

from turnwright.language.tokens import words_of
from turnwright.narration.claims._clause_reader import ClauseView
from turnwright.narration.claims._finding import SEVERITY, Finding, FindingKind, some_of
from turnwright.narration.facts import Counter


class CounterClaims:
    """Claims of how much of something a person has, compared with the counters of the campaign's rulesets.

    expected: `{"character_id": ..., "counter": "momentum", "amount": 4}`. actual: `{"amount": 2}`.
    """

    name = "counter"

    def read(self, reading: ClauseView) -> Iterator[Finding]:
        """Yield the amounts in this clause that the subject of its verb does not have."""
        counters = reading.page.scene.counters
        if not counters:
            return
        for at in range(len(reading.words)):
            start = _amount_at(reading, at)
            number = reading.lexicon.number(reading.words[start]) if start < len(reading.words) else None
            if start == at or number is None or not reading.asserts(at):
                continue
            for mention in reading.subjects(at):
                held = [one for one in counters if one.who in mention.ids and not mention.plural]
                told = [(one, past) for one in held if (past := _past_name(reading, start + 1, one))]
                is_past = "past" in reading.lexicon.forms(reading.words[at])
                if told and all(number not in _amounts(one, may_be_before=is_past) for one, _ in told):
                    yield _not_so(reading, [one for one, _ in told], number, (at, told[0][1]))


def _amount_at(reading: ClauseView, at: int) -> int:
    """Return where the amount begins that the verb at `at` says a person has; `at` where it says none."""
    start = at + 1
    if reading.is_verb("statement.be", at):
        length = reading.lexicon.phrases["state_at"].length_at(reading.words, start)
        if not length:
            return at
        start += length
    elif not reading.is_verb("statement.have", at):
        return at
    while start < len(reading.words) and reading.lexicon.is_adverb(reading.words[start]):
        start += 1
    return start


def _past_name(reading: ClauseView, at: int, counter: Counter) -> int | None:
    """Return where the name of a counter ends that begins at `at`: "momentum", "points of momentum"."""
    if reading.has("points", at) and reading.has("of", at + 1):
        at += 2
    for name in counter.names:
        norms = [word.norm for word in words_of(name)]
        past = at + len(norms)
        is_named = [word.norm for word in reading.words[at:past]] == norms
        if is_named and (reading.ends_phrase(past) or reading.has("state_left", past)):
            return past
    return None


def _amounts(counter: Counter, *, may_be_before: bool) -> set[int]:
    return {counter.amount, *([counter.was] if may_be_before else [])}


def _not_so(reading: ClauseView, told: list[Counter], number: int, span: tuple[int, int]) -> Finding:
    kind = FindingKind.CONTRADICTION
    expected = {"character_id": some_of(one.who for one in told), "counter": told[0].names[0], "amount": number}
    actual = {"amount": told[0].amount if len(told) == 1 else None}
    return Finding(kind, None, expected, actual, SEVERITY[kind], reading.span(*span))
