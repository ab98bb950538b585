"""Quests: "you accept the quest", "Bran offers you a quest", "the quest is complete"."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from turnwright.language.inflect import singulars_of
from turnwright.narration.claims._clause_reader import NP_REACH, ClauseView
from turnwright.narration.claims._document import AnnotatedText
from turnwright.narration.claims._finding import Finding, Severity, finding_of, some_of, unmet
from turnwright.narration.facts import Effect, EffectKind
from turnwright.narration.names import Mention

CLAIM = "quest"
_NOTE = "quest_note"
"""The tool that can hold a quest where no tool keeps quests."""
_STEPS = {
    "offer": (frozenset({"offer", "start"}), frozenset({"offered", "active", "completed"})),
    "start": (frozenset({"start"}), frozenset({"active", "completed"})),
    "complete": (frozenset({"complete"}), frozenset({"completed"})),
    "fail": (frozenset({"fail"}), frozenset({"failed"})),
    "decline": (frozenset({"decline"}), frozenset({"declined"})),
}
"""For each step: the operations that make it true, and the states of a quest in which it is."""
_VERBS = {"quest.accept": "start", "quest.complete": "complete", "quest.fail": "fail", "quest.decline": "decline"}


@dataclass(frozen=True, slots=True)
class _Claim:
    step: str
    titles: frozenset[str]
    first: int
    past: int
    is_lasting: bool
    """Whether it tells how things stand by now, and not only what happens."""


class QuestClaims:
    """Claims that a quest was offered, accepted, declined, completed or failed."""

    name = CLAIM

    def read(self, reading: ClauseView) -> Iterator[Finding]:
        """Yield claims of this clause that no call supports."""
        declines = reading.page.said_in(reading.clause.sentence, "declines")
        for at in range(len(reading.words)):
            claim = _claim(reading, at)
            finding = _judge(claim, reading) if claim and declines is (claim.step == "decline") else None
            if finding:
                yield finding
                return


def _claim(reading: ClauseView, at: int) -> _Claim | None:
    helper = reading.happens(at) if reading.lexicon.forms(reading.words[at]) else None
    if helper is None:
        return _headline(reading, at) or _standing(reading, at)
    for verb, step in _VERBS.items():
        if reading.is_verb(verb, at):
            found = _quest_at(reading, at + 1 + reading.has("particles", at + 1))
            doers = reading.subjects(helper) if found and not reading.is_command(at) else []
            if found and (_are_ours(reading, doers, step) or reading.has("first_plural", helper - 1)):
                return _Claim(step, found[0], at, found[1], helper != at)
    if reading.is_verb("quest.offer", at) and not reading.is_command(at) and reading.subjects(helper):
        to = reading.object_at(at + 1)
        found = _quest_at(reading, max((m.past for m in to), default=at + 1), "infinitive") if to else None
        if found:
            return _Claim("offer", found[0], at, found[1], helper != at)
    return _own_offer(reading, at) or _standing(reading, at)


def _are_ours(reading: ClauseView, doers: Iterable[Mention], step: str) -> bool:
    """Whether a party member does it, as far as known: quests that others accept do not matter.

    Only the acting character can decline; if a friend declines, the rest may still accept.
    """
    party, acting = reading.page.scene.party, reading.page.scene.acting
    if step == "decline":
        return any(acting in m.ids for m in doers)
    return any(m.ids and (party is None or acting in m.ids or not party.isdisjoint(m.ids)) for m in doers)


def _own_offer(reading: ClauseView, at: int) -> _Claim | None:
    """Read "I have a quest for you" of a speaking character, where no quest on offer matches."""
    scene = reading.page.scene
    is_said = reading.is_verb("statement.have", at) and reading.has("first_person", at - 1)
    if scene.speaker is None or not is_said or any(quest.status == "offered" for quest in scene.quests):
        return None
    found = _quest_at(reading, at + 1, "for")
    if found is None or not reading.has("you", found[1] + 1):
        return None
    return _Claim("offer", found[0], at, found[1] + 2, is_lasting=False)


def _quest_at(reading: ClauseView, at: int, aim: str = "") -> tuple[frozenset[str], int] | None:
    """Return which titles the noun phrase at `at` can mean (empty if the text does not say), and where it ends.

    "The quest for answers" is a figure of speech; only a word of the list `aim` may follow and name the purpose.
    """
    for i in range(at, min(at + 1 + NP_REACH, len(reading.words))):
        titled = _title_at(reading, i)
        if titled:
            return titled
        if reading.has("quests", i) and i > at:
            after = _title_at(reading, i + 1)
            if after:
                return after
            is_figure = reading.has("aims", i + 1) and not (aim and reading.has(aim, i + 1))
            ends = reading.is_end(i + 1) or (reading.has("function", i + 1) and not is_figure)
            return (frozenset(), i + 1) if ends else None
        is_other = reading.has("function", i) and not reading.has("determiners", i)
        if reading.is_end(i) or is_other or reading.has("nothing", i):
            return None
    return None


def _title_at(reading: ClauseView, at: int) -> tuple[frozenset[str], int] | None:
    mention = reading.page.quests.at(reading.words, at) if at < len(reading.words) else None
    return (mention.ids, mention.past) if mention and mention.exact else None


def _standing(reading: ClauseView, at: int) -> _Claim | None:
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


def _headline(reading: ClauseView, at: int) -> _Claim | None:
    """Read "Quest accepted", "Quest complete: Rats in the Cellar", "New quest: find the cat"."""
    if at != 0 or reading.clause.kind.value != "commit" or not (reading.is_end(2) or reading.has("function", 2)):
        return None
    noun = int(reading.has("quest_new", at))
    if not reading.has("quests", noun) or len(singulars_of(reading.words[noun].norm)) > 1 or reading.has("nothing", 3):
        return None
    titled = (_title_at(reading, i) for i in range(2, len(reading.words)))
    titles, past = next(filter(None, titled), (frozenset[str](), 2))
    if noun:
        return _Claim("offer", titles, at, past, is_lasting=False) if reading.is_end(2) else None
    for name, step in (("quest_begun", "start"), ("quest_states", "complete"), ("quest_failed", "fail")):
        if reading.has(name, at + 1) and (step != "complete" or not reading.has("quest_failed", at + 1)):
            return _Claim(step, titles, at, past, is_lasting=False)
    return None


def _judge(claim: _Claim, reading: ClauseView) -> Finding | None:
    page = reading.page
    steps, states = _STEPS[claim.step]
    known = {name for quest in page.scene.quests for name in (quest.id, quest.title)}
    meant = [quest for quest in page.scene.quests if quest.title in claim.titles]
    if claim.step == "decline":  # an offer that the campaign does not keep is declined in talk alone
        meant = [quest for quest in meant or page.scene.quests if quest.status == "offered"]
        if len(meant) != 1:
            return None
    names = {name for quest in meant for name in (quest.id, quest.title)}

    def is_meant(deed: Effect) -> bool:
        told = deed.what & known
        return not names or not told or not told.isdisjoint(names)

    lasting = meant or (page.scene.quests if claim.is_lasting else ())
    if any(quest.status in states for quest in lasting):
        return None
    verdict = unmet(
        page.of_kind(EffectKind.QUEST),
        lambda deed: is_meant(deed) and not deed.what.isdisjoint(steps | {"any"}),
        is_meant,
    )
    expected = {"operation": claim.step, "quest_id": some_of(quest.id for quest in meant)}
    tools = (*page.tools(CLAIM), *page.tools(_NOTE))
    return finding_of(page, verdict, tools, expected, reading.span(claim.first, claim.past), _severity(page))


def _severity(page: AnnotatedText) -> Severity:
    """Return the severity of a quest that the text alone has: where only notes can hold one, no note is required."""
    only_notes = page.scene.permitted is not None and not page.may_make(CLAIM) and page.may_make(_NOTE)
    return Severity.WARN if only_notes else Severity.ERROR
