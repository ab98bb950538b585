"""The party: "Lena joins the party", "Bran leaves the group", "Bran parts ways with you"."""

from __future__ import annotations

from collections.abc import Iterator

from turnwright.narration.claims._clause_reader import NP_REACH, ClauseView
from turnwright.narration.claims._finding import Finding, finding_of, some_of, unmet
from turnwright.narration.facts import Effect, EffectKind
from turnwright.narration.names import Mention

CLAIM = "party"


class PartyClaims:
    """Claims that a known character joined the party or left it, compared with its present members."""

    name = CLAIM

    def read(self, reading: ClauseView) -> Iterator[Finding]:
        """Yield characters wrongly said to have joined or left."""
        if reading.page.scene.party is None:
            return
        for at, word in enumerate(reading.words):
            helper = reading.happens(at) if reading.lexicon.forms(word) else None
            if helper is None or reading.is_command(at):
                continue
            for joins, past in _changes(reading, at):
                for mention in reading.subjects(helper):
                    finding = _judge(reading, mention, at, past, joins=joins)
                    if finding:
                        yield finding


def _changes(reading: ClauseView, at: int) -> Iterator[tuple[bool, int]]:
    """Yield whether the verb at `at` tells of joining (else of leaving), and where its words end."""
    if reading.is_verb("party.join", at):
        past = _party_at(reading, at + 1) or _journey_at(reading, at + 1)
        if past:
            yield True, past
    elif reading.is_verb("party.leave", at):
        past = _party_at(reading, at + 1)
        if past:
            yield False, past
    elif reading.is_verb("party.part", at) and reading.has("ways_parted", at + 1) and reading.has("with", at + 2):
        past = at + 4 if reading.has("you", at + 3) else _party_at(reading, at + 3)
        if past:
            yield False, past


def _party_at(reading: ClauseView, at: int) -> int | None:
    """Return where "the party" that begins at `at` ends, if it is not part of a longer name."""
    for i in range(at, min(at + 1 + NP_REACH, len(reading.words))):
        if reading.has("party_words", i) and i > at:
            ends = (
                reading.is_end(i + 1)
                or reading.has("function", i + 1)
                or reading.lexicon.is_adverb(reading.words[i + 1])
            )
            return i + 1 if ends and not reading.has("of", i + 1) else None
        if not reading.has("determiners", i) and not reading.has("party_fillers", i):
            return None
    return None


def _journey_at(reading: ClauseView, at: int) -> int | None:
    """Return where "you on your quest" ends."""
    if not reading.has("you", at) or not (reading.has("on_for", at + 1)):
        return None
    return next((i + 1 for i in range(at + 2, at + 3 + NP_REACH) if reading.has("journey", i)), None)


def _judge(reading: ClauseView, mention: Mention, at: int, past: int, *, joins: bool) -> Finding | None:
    page = reading.page
    party = page.scene.party or frozenset()
    if not mention.ids or (mention.plural and len(mention.ids) > 1) or mention.second:
        return None
    if any((identifier in party) is joins for identifier in mention.ids):
        return None

    def fits(deed: Effect) -> bool:
        right = deed.what & ({"add"} if joins else {"remove", "clear"})
        return bool(right) and (deed.who is None or deed.who in mention.ids)

    verdict = unmet(page.of_kind(EffectKind.PARTY), fits, lambda deed: deed.who in mention.ids)
    first = mention.first if mention in reading.mentions and mention.first < at else at
    expected = {"operation": "add" if joins else "remove", "character_id": some_of(mention.ids)}
    return finding_of(page, verdict, page.tools(CLAIM), expected, reading.span(first, past))
