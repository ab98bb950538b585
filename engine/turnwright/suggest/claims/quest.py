"""Quests: "you accept the quest", "Bran offers you a quest", "the quest is complete"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from turnwright.suggest.claims._finding import Finding, Severity, finding_of, some_of, unmet
from turnwright.suggest.claims._page import Page
from turnwright.suggest.claims._reading import NP_REACH, Reading
from turnwright.suggest.scene import Deed, DeedKind

TOOLS = ("manage_quest", "manage_notes")
_STEPS = {
    "offer": (frozenset({"offer", "start"}), frozenset({"offered", "active", "completed"})),
    "start": (frozenset({"start"}), frozenset({"active", "completed"})),
    "complete": (frozenset({"complete"}), frozenset({"completed"})),
    "fail": (frozenset({"fail"}), frozenset({"failed"})),
}
"""For each step: the operations that make it true, and the states of a quest in which it is."""
_VERBS = {"quest.accept": "start", "quest.complete": "complete", "quest.fail": "fail"}


@dataclass(frozen=True, slots=True)
class _Claim:
    step: str
    titles: frozenset[str]
    first: int
    past: int
    is_lasting: bool
    """Whether it tells how things stand by now, and not only what happens."""


class QuestClaims:
    """Claims that a quest was offered, accepted, completed or failed."""

    tools: tuple[str, ...] = ("manage_quest",)

    def read(self, reading: Reading) -> Iterator[Finding]:
        """Yield what this clause claims and nothing did."""
        if reading.page.said_in(reading.clause.sentence, "declines"):
            return
        for at in range(len(reading.words)):
            claim = _claim(reading, at)
            finding = _judge(claim, reading) if claim else None
            if finding:
                yield finding
                return


def _claim(reading: Reading, at: int) -> _Claim | None:
    helper = reading.happens(at) if reading.lexicon.forms(reading.words[at]) else None
    if helper is None:
        return _headline(reading, at) or _standing(reading, at)
    for verb, step in _VERBS.items():
        if reading.is_verb(verb, at):
            found = _quest_at(reading, at + 1 + reading.has("particles", at + 1))
            doers = reading.subjects(helper) if found and not reading.is_command(at) else []
            if found and (any(m.ids for m in doers) or reading.has("first_plural", helper - 1)):
                return _Claim(step, found[0], at, found[1], helper != at)
    if reading.is_verb("quest.offer", at) and not reading.is_command(at) and reading.subjects(helper):
        to = reading.object_at(at + 1)
        found = _quest_at(reading, max((m.past for m in to), default=at + 1)) if to else None
        if found:
            return _Claim("offer", found[0], at, found[1], helper != at)
    return _standing(reading, at)


def _quest_at(reading: Reading, at: int) -> tuple[frozenset[str], int] | None:
    """Return which titles the noun phrase at `at` can mean (none: not told), and where it ends."""
    for i in range(at, min(at + 1 + NP_REACH, len(reading.words))):
        titled = _title_at(reading, i)
        if titled:
            return titled
        if reading.has("quests", i) and i > at:
            after = _title_at(reading, i + 1)
            if after:
                return after
            ends = reading.is_end(i + 1) or (reading.has("function", i + 1) and not reading.has("aims", i + 1))
            return (frozenset(), i + 1) if ends else None
        if reading.is_end(i) or (reading.has("function", i) and not reading.has("determiners", i)):
            return None
    return None


def _title_at(reading: Reading, at: int) -> tuple[frozenset[str], int] | None:
    mention = reading.page.quests.at(reading.words, at) if at < len(reading.words) else None
    return (mention.ids, mention.past) if mention and mention.exact else None


def _standing(reading: Reading, at: int) -> _Claim | None:
    """Read "the quest is complete", "the quest has failed" at its verb."""
    if not (reading.is_verb("be", at) or reading.has("quest_states", at)):
        return None
    helper = at if reading.is_verb("be", at) else reading.happens(at)
    if helper is None or not (reading.asserts(helper) or helper != at):
        return None
    state = at + 1 if helper == at else at
    while state < len(reading.words) and reading.lexicon.is_adverb(reading.words[state]):
        state += 1
    if not reading.has("quest_states", state):
        return None
    noun = helper - 1
    found = next(
        (f for i in range(max(noun - NP_REACH, 0), helper) if (f := _quest_at(reading, i)) and f[1] == helper), None
    )
    if found is None:
        return None
    failed = reading.has("quest_failed", state)
    return _Claim("fail" if failed else "complete", found[0], noun, state + 1, is_lasting=True)


def _headline(reading: Reading, at: int) -> _Claim | None:
    """Read "Quest accepted", "Quest complete: Rats in the Cellar"."""
    first = at == 0 and reading.has("quests", at) and reading.clause.kind.value == "commit"
    if not first or not (reading.is_end(at + 2) or reading.has("function", at + 2)):
        return None
    for name, step in (("quest_begun", "start"), ("quest_states", "complete"), ("quest_failed", "fail")):
        if reading.has(name, at + 1) and (step != "complete" or not reading.has("quest_failed", at + 1)):
            return _Claim(step, frozenset(), at, at + 2, is_lasting=False)
    return None


def _judge(claim: _Claim, reading: Reading) -> Finding | None:
    page = reading.page
    steps, states = _STEPS[claim.step]
    known = {name for quest in page.scene.quests for name in (quest.id, quest.title)}
    meant = [quest for quest in page.scene.quests if quest.title in claim.titles]
    names = {name for quest in meant for name in (quest.id, quest.title)}

    def is_meant(deed: Deed) -> bool:
        told = deed.what & known
        return not names or not told or not told.isdisjoint(names)

    lasting = meant or (page.scene.quests if claim.is_lasting else ())
    if any(quest.status in states for quest in lasting):
        return None
    verdict = unmet(
        page.of_kind(DeedKind.QUEST),
        lambda deed: is_meant(deed) and not deed.what.isdisjoint(steps | {"any"}),
        is_meant,
    )
    expected = {"operation": claim.step, "quest_id": some_of(quest.id for quest in meant)}
    return finding_of(page, verdict, TOOLS, expected, reading.span(claim.first, claim.past), _severity(page))


def _severity(page: Page) -> Severity:
    """Return how bad a quest is that is told only: where notes alone can hold one, nobody is bound to make any."""
    only_notes = page.scene.permitted is not None and not page.may_call(TOOLS[0]) and page.may_call(TOOLS[1])
    return Severity.WARN if only_notes else Severity.ERROR
