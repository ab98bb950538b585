"""Rests: "you take a short rest", "the party sleeps until morning"."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile

from turnwright.suggest.claims._finding import Finding, finding_of, unmet
from turnwright.suggest.claims._reading import NP_REACH, Reading
from turnwright.suggest.scene import DeedKind

TOOLS = ("take_rest",)
_REACH = 6


class RestClaims:
    """Claims that the party took a rest."""

    name = "rest"
    tools: tuple[str, ...] = TOOLS

    def read(self, reading: Reading) -> Iterator[Finding]:
        """Yield the rests of this clause that nobody took."""
        after = _after_rest(reading)
        if after:
            yield after
            return
        for at, word in enumerate(reading.words):
            helper = reading.happens(at) if reading.lexicon.forms(word) else None
            if helper is None or reading.is_command(at):
                continue
            kind, past = _rest(reading, at)
            if past and _party_rests(reading, helper):
                finding = _judge(reading, kind, at, past)
                if finding:
                    yield finding
                    return


def _rest(reading: Reading, at: int) -> tuple[str | None, int]:
    """Return which rest the verb at `at` tells of, and where its words end; 0 for none."""
    if reading.is_verb("rest.take", at):
        for i in range(at + 1, min(at + 2 + NP_REACH, len(reading.words) - 1)):
            if reading.has("rest_kinds", i) and reading.has("rests", i + 1):
                return reading.words[i].norm, i + 2
            if not reading.has("determiners", i) and not reading.has("rest_fillers", i):
                break
    elif reading.is_verb("rest.rest", at) and not (reading.has("own", at + 1) or _is_broken(reading)):
        quiet = (
            reading.lexicon.phrases["rest_quiet"].length_at(reading.words, at + 1) if at + 1 < len(reading.words) else 0
        )
        if quiet:
            return None, at + 1 + quiet
        through = next((i for i in _following(reading, at) if reading.has("rest_through", i)), len(reading.words))
        for i in _following(reading, through):
            if reading.has("rest_night", i):
                return "long", i + 1
            if reading.has("rest_hour", i):
                return "short", i + 1
    return None, 0


def _after_rest(reading: Reading) -> Finding | None:
    """Read "After a short rest you feel better", "your long rest is complete", "a short rest later"."""
    for at in range(len(reading.words) - 1):
        if not (reading.has("rest_kinds", at) and reading.has("rests", at + 1) and reading.clause.asserts(at)):
            continue
        first = at
        while first > 0 and (reading.has("determiners", first - 1) or reading.has("rest_fillers", first - 1)):
            first -= 1
        ours = any(m.second or _is_ours(reading, m.ids) for m in reading.mentions if not m.owner)
        is_after = reading.has("rest_after", first - 1) and (ours or reading.has("first_plural", at + 3))
        is_later = reading.has("rest_later", at + 2) and (ours or reading.is_end(at + 3))
        owned = any(m.owner and m.first == first and (m.second or _is_ours(reading, m.ids)) for m in reading.mentions)
        is_over = reading.is_verb("be", at + 2) and reading.has("over", at + 3)
        if is_after or is_later or (is_over and (owned or reading.has("definite", first))):
            past = at + 2 + (is_later + 2 * is_over if is_later or is_over else 0)
            return _judge(reading, reading.words[at].norm, first - is_after, past)
    return None


def _is_ours(reading: Reading, people: frozenset[str]) -> bool:
    scene = reading.page.scene
    return scene.acting in people or not people.isdisjoint(scene.party or ())


def _is_broken(reading: Reading) -> bool:
    """Whether somebody is told to watch or to sleep badly meanwhile, so that not all of them need have rested."""
    return reading.page.said_in(reading.clause.sentence, "rest_broken")


def _following(reading: Reading, at: int) -> Iterator[int]:
    """Return where the next few words of the clause stand."""
    return takewhile(lambda i: not reading.is_end(i), range(at + 1, at + 1 + _REACH))


def _party_rests(reading: Reading, at: int) -> bool:
    party = reading.page.scene.party or frozenset()
    ours = party | ({reading.page.scene.acting} if reading.page.scene.acting is not None else set())
    mentions = reading.subjects(at)
    return any(m.second or not ours.isdisjoint(m.ids) for m in mentions) or reading.has("first_plural", at - 1)


def _judge(reading: Reading, kind_of_rest: str | None, at: int, past: int) -> Finding | None:
    page = reading.page
    verdict = unmet(
        page.of_kind(DeedKind.REST), lambda deed: kind_of_rest is None or kind_of_rest in deed.what, lambda _: True
    )
    return finding_of(page, verdict, TOOLS, {"rest_type": kind_of_rest}, reading.span(at, past))
