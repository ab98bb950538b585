"""Movement of the acting character's party: "you enter the Harbour", "Mira walks back to the mill"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from turnwright.suggest.claims._finding import SEVERITY, Finding, FindingKind, some_of, unmet
from turnwright.suggest.claims._page import Page
from turnwright.suggest.claims._reading import NP_REACH, Reading
from turnwright.suggest.names import Mention
from turnwright.suggest.scene import Deed, DeedKind

TOOLS = ("move", "move_party")
_REACH = 12
"""How many words may stand between a verb of motion and where it leads."""


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a movement leads: areas it can mean, none for "the next room". The words end before `past`."""

    ids: frozenset[str]
    exact: bool
    past: int
    is_far: bool = False


@dataclass(frozen=True, slots=True)
class _Claim:
    place: _Place
    leaving: bool
    span: tuple[int, int]
    standing: bool = False
    underway: bool = False
    """Whether it may be the whole way of which a call was a part: "walk to the Harbour", not "reach the Harbour"."""

    def suits(self, deed: Deed) -> bool:
        """Return whether it led there, or, of a departure, away at all."""
        return self.leaving or not deed.what.isdisjoint(self.place.ids)


class MoveClaims:
    """Claims that the party went somewhere: to an area known by name, or from one."""

    name = "movement"
    tools: tuple[str, ...] = TOOLS

    def read(self, reading: Reading) -> Iterator[Finding]:
        """Yield what this clause claims and nothing did."""
        for at, word in enumerate(reading.words):
            if not reading.lexicon.forms(word) or not reading.asserts(at):
                continue
            place = _destination(reading, at)
            leaving = place is None and reading.is_verb("leave", at)
            if leaving:
                place = _place_at(reading, at + (2 if reading.has("from", at + 1) else 1))
                place = None if place and place.is_far else place  # who is not there may have left it any time
            if place and place.is_far and "past" in reading.lexicon.forms(word):
                continue  # it may tell of any time: "as a squire you arrived at Castle Black"
            found = place is None and reading.is_verb("find", at) and reading.has("selves", at + 1)
            standing = place is None and (found or reading.is_verb("stand", at))
            if standing:
                place = _whereabouts(reading, at + 1 + found)
            if place and _party_moves(reading, at):
                there = standing or reading.is_verb("enter", at) or reading.is_verb("arrive", at)
                underway = place.is_far and not there
                claim = _Claim(place, leaving, _span(reading, at, place), standing, underway)
                finding = _judge(claim, reading.page)
                if finding:
                    yield finding


def _span(reading: Reading, at: int, place: _Place) -> tuple[int, int]:
    first = next((m.first for m in reading.subjects(at) if at - NP_REACH <= m.first < at and m in reading.mentions), at)
    return reading.span(first, place.past)


def _party_moves(reading: Reading, at: int) -> bool:
    """Whether the acting character is among those who move, in person or as one of the party."""
    acting = reading.page.scene.acting
    mentions = reading.subjects(at)
    named = any(acting in mention.ids for mention in mentions) and acting is not None
    return named or any(mention.second for mention in mentions) or _we(reading, at)


def _we(reading: Reading, at: int) -> bool:
    return reading.has("first_plural", at - 1)


def _destination(reading: Reading, at: int) -> _Place | None:
    if reading.is_verb("enter", at):
        return _place_at(reading, at + (2 if reading.has("to", at + 1) else 1))
    arriving = reading.is_verb("arrive", at)
    start = at + 1
    if reading.is_verb("make", at):
        way = next((i for i in range(at + 1, at + 4) if reading.has("way", i)), None)
        if way is None:
            return None
        start = way + 1
    elif reading.is_verb("follow", at):
        if not any(reading.has("ways", i) for i in range(at + 1, at + 2 + NP_REACH)):
            return None
    else:
        going = arriving or reading.is_verb("go", at)
        if not going or not (reading.has("path", start) or _is_manner(reading, start)):
            return None
    for i in range(start, min(start + _REACH, len(reading.words))):
        if reading.is_end(i) or reading.has("stops", i):
            return None
        if reading.has("to", i) or (arriving and reading.has("at", i)):
            place = _place_at(reading, i + 1)
            if place:
                return place
    return None


def _whereabouts(reading: Reading, at: int) -> _Place | None:
    """Return where somebody is said to be now: "are now in the Harbour"."""
    while at < len(reading.words) and reading.lexicon.is_adverb(reading.words[at]):
        at += 1
    place = _place_at(reading, at + 1) if reading.has("at", at) or reading.has("to", at) else None
    return place if place and place.exact else None


def _is_manner(reading: Reading, at: int) -> bool:
    return at < len(reading.words) and reading.lexicon.is_adverb(reading.words[at])


def _place_at(reading: Reading, at: int) -> _Place | None:
    """Return the place named by the noun phrase at `at`, if it is no part of a longer one ("the Harbour tavern")."""
    words = reading.words
    part = next(
        (i for i in range(at, at + 1 + NP_REACH) if reading.has("place_parts", i) and reading.has("of", i + 1)), None
    )
    if part is not None:  # "into the warmth of the Tavern"
        return _place_at(reading, part + 2)
    for i in range(at, min(at + 1 + NP_REACH, len(words))):
        mention = reading.page.areas.at(words, i)
        further = _far_at(reading, i)
        is_far = further is not None and (mention is None or further.past > mention.past)
        mention = further if is_far else mention
        if mention:
            whole = not mention.owner and reading.ends_phrase(mention.past)
            return _Place(mention.ids, mention.exact, mention.past, is_far) if whole else None
        if reading.has("places", i):
            nameless = reading.has("determiners", at) and reading.ends_phrase(i + 1)
            return _Place(frozenset(), False, i + 1) if nameless else None
        article = i == at and reading.has("determiners", i)
        if not article and (reading.is_end(i) or reading.has("function", i) or words[i].capital):
            return None
    return None


def _far_at(reading: Reading, at: int) -> Mention | None:
    """Return the place further off that is named at `at`, in full and as a name: "the cellar" may be any."""
    mention = reading.page.far.at(reading.words, at)
    is_name = mention and mention.exact and any(word.capital for word in reading.words[at : mention.past])
    return mention if is_name else None


def _judge(claim: _Claim, page: Page) -> Finding | None:
    deeds = page.of_kind(DeedKind.TRAVEL)
    moved = any(deed.applied for deed in deeds)
    if claim.underway and moved:
        return None
    verdict = unmet(deeds, claim.suits, lambda deed: _concerns(claim, deed, page))
    if verdict is None:
        return None
    kind, blamed = verdict
    if claim.standing and not (kind is FindingKind.REJECTED and blamed and claim.suits(blamed) and not moved):
        return None if _goes_on(claim, page) else _elsewhere(claim, page)
    # A place without a name of its own may lie inside an area: only a move that was refused speaks against it.
    if not claim.place.exact and (moved or kind is FindingKind.MISMATCH or (not claim.place.ids and blamed is None)):
        return None
    expected = {"from_area_id" if claim.leaving else "to_area_id": some_of(claim.place.ids)}
    tool = (blamed.tool if blamed else "") or page.tool_among(*TOOLS)
    return Finding(kind, tool, expected, dict(blamed.shown) if blamed else None, SEVERITY[kind], claim.span)


def _goes_on(claim: _Claim, page: Page) -> bool:
    """Whether a way began there and the text goes on to its end: "you wait at the Mill, then walk to the Harbour"."""
    if not any(deed.applied and deed.left in claim.place.ids for deed in page.of_kind(DeedKind.TRAVEL)):
        return False
    later = ((c.words, i) for c in page.clauses for i, word in enumerate(c.words) if word.start >= claim.span[1])
    named = (page.areas.at(words, i) for words, i in later)
    return any(mention and not mention.ids.isdisjoint(page.scene.here) for mention in named)


def _elsewhere(claim: _Claim, page: Page) -> Finding | None:
    """Return that they stand where they are not, if it is known where they are."""
    if not page.scene.here or not page.scene.here.isdisjoint(claim.place.ids):
        return None
    kind = FindingKind.CONTRADICTION
    expected, actual = {"area_id": some_of(claim.place.ids)}, {"area_id": some_of(page.scene.here)}
    return Finding(kind, page.tool_among(*TOOLS), expected, actual, SEVERITY[kind], claim.span)


def _concerns(claim: _Claim, deed: Deed, page: Page) -> bool:
    """Whether a move that does not lead there may still be meant: it was made, or asked for no known area."""
    known = page.scene.areas.keys() | page.scene.far.keys()
    return deed.applied or not claim.place.ids or deed.what.isdisjoint(known)
