"""A fight and its turns: "the battle is over", "it is now Bran's turn", "your turn ends"."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from turnwright.narration.claims._clause_reader import ClauseView
from turnwright.narration.claims._finding import Finding, finding_of, some_of, unmet
from turnwright.narration.facts import Effect, EffectKind, Fight

_OVER = "fight"
_TURN = "fight_turn"
_Span = tuple[int, int]


class FightClaims:
    """Claims that the fight ended or a turn passed. Without a running fight, there is nothing to compare with."""

    name = _OVER

    def read(self, reading: ClauseView) -> Iterator[Finding]:
        """Yield this clause's wrong claims about a running fight."""
        fight = reading.page.scene.fight
        if fight is None:
            return
        for at, word in enumerate(reading.words):
            if not (reading.lexicon.forms(word) or _is_it_is(reading, at)):
                continue
            finding = _over(reading, at) or _turn(reading, at, fight)
            if finding:
                yield finding
                return


def _found(
    reading: ClauseView,
    kind: EffectKind,
    claim: str,
    fits: Callable[[Effect], bool],
    expected: Any,
    span: _Span,
) -> Finding | None:
    verdict = unmet(reading.page.of_kind(kind), fits, lambda _: True)
    return finding_of(reading.page, verdict, reading.page.tools(claim), expected, reading.span(*span))


def _over(reading: ClauseView, at: int) -> Finding | None:
    """Read "the battle is over", "the fight ends", "combat has ended" while it still runs."""
    span = _ending(reading, at)
    return _found(reading, EffectKind.FIGHT_OVER, _OVER, lambda _: True, {"is_over": True}, span) if span else None


def _ending(reading: ClauseView, at: int) -> _Span | None:
    if reading.is_verb("be", at) and reading.asserts(at):
        state = at + 1
        while state < len(reading.words) and reading.lexicon.is_adverb(reading.words[state]):
            state += 1
        ends = reading.is_end(state + 1) or reading.has("closing", state + 1)
        return (at - 1, state + 1) if reading.has("over", state) and ends and _is_fight(reading, at) else None
    if reading.is_verb("fight.end", at):
        helper = reading.happens(at)
        if (
            helper is not None
            and _is_fight(reading, helper)
            and (reading.is_end(at + 1) or reading.has("function", at + 1))
        ):
            return helper - 1, at + 1
    return None


def _is_fight(reading: ClauseView, past: int) -> bool:
    """Whether the subject that ends before `past` is this fight: "the battle", "combat", not "a battle of wits"."""
    if not reading.has("fights", past - 1):
        return False
    before = past - 2
    return (
        before < 0 or reading.has("definite", before) or reading.words[before].is_mark or reading.has("leads", before)
    )


def _turn(reading: ClauseView, at: int, fight: Fight) -> Finding | None:
    if not reading.asserts(at):
        return None
    return _whose(reading, at, fight) or _round(reading, at, fight) or _ended(reading, at)


def _whose(reading: ClauseView, at: int, fight: Fight) -> Finding | None:
    """Read "it is now Bran's turn", "Bran's turn begins"."""
    begins = reading.is_verb("turn.begin", at)
    if not begins and not (reading.is_verb("be", at) and reading.has("it", at - 1)) and not _is_it_is(reading, at):
        return None
    for mention in reading.mentions:
        noun = reading.noun_after(mention) if mention.owner else -1
        if not mention.ids or mention.plural or not reading.has("turns", noun):
            continue
        is_here = noun + 1 == at if begins else at < mention.first <= at + 3 and _stops(reading, noun + 1)
        if is_here and fight.current.isdisjoint(mention.ids):
            span = (mention.first, max(at, noun) + 1)
            expected = {"current": some_of(mention.ids)}
            return _found(reading, EffectKind.TURN, _TURN, partial(_is_of, mention.ids), expected, span)
    return None


def _is_of(people: frozenset[str], deed: Effect) -> bool:
    return deed.who in people


def _is_it_is(reading: ClauseView, at: int) -> bool:
    return reading.words[at].norm == "'s" and reading.has("it", at - 1)


def _round(reading: ClauseView, at: int, fight: Fight) -> Finding | None:
    """Read "round 3 begins", "the next round begins"."""
    if not reading.is_verb("turn.begin", at):
        return None
    if reading.has("rounds", at - 1) and reading.has("next_one", at - 2):
        return _found(reading, EffectKind.TURN, _TURN, lambda _: True, {"round": None}, (at - 2, at + 1))
    number = reading.lexicon.number(reading.words[at - 1]) if at > 1 and reading.has("rounds", at - 2) else None
    if number is None or number == fight.round:
        return None
    return _found(
        reading, EffectKind.TURN, _TURN, lambda deed: deed.total == number, {"round": number}, (at - 2, at + 1)
    )


def _ended(reading: ClauseView, at: int) -> Finding | None:
    """Read "your turn ends", "you end your turn"."""
    if not reading.is_verb("turn.end", at):
        return None
    owners = [m for m in reading.mentions if m.owner and reading.has("turns", reading.noun_after(m))]
    ending = next((m for m in owners if reading.noun_after(m) + 1 == at and reading.ends_phrase(at + 1)), None)
    if ending:
        return _found(reading, EffectKind.TURN, _TURN, lambda _: True, {"is_over": True}, (ending.first, at + 1))
    own = next((m for m in owners if m.first == at + 1), None)
    if own and reading.subjects(at) and reading.ends_phrase(reading.noun_after(own) + 1):
        span = (at, reading.noun_after(own) + 1)
        return _found(reading, EffectKind.TURN, _TURN, lambda _: True, {"is_over": True}, span)
    return None


def _stops(reading: ClauseView, at: int) -> bool:
    """Whether "turn" is a turn of the fight: not "your turn to keep watch"."""
    return reading.ends_phrase(at) and not reading.has("infinitive", at)
