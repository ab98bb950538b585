"""Movement of the acting character's party: "you enter the Harbour", "Mira walks back to the mill"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile

from turnwright.language.clauses import ClauseKind
from turnwright.narration.claims._clause_reader import NP_REACH, ClauseView
from turnwright.narration.claims._cues import cue_in
from turnwright.narration.claims._document import AnnotatedText
from turnwright.narration.claims._finding import SEVERITY, Finding, FindingKind, Severity, some_of, unmet
from turnwright.narration.facts import Effect, EffectKind
from turnwright.narration.names import Mention

CLAIM = "movement"
_ARROWS = ("→", "⟶", "➜", "➔", "⇒")
_MOVING = ("go", "arrive", "enter", "lead", "climb", "make", "follow")
_BEFORE = 5
"""How many words may stand between a preposition and its place: "at the top of the old"."""
_TAKING = 8
"""How many words behind a place may say that it takes in, or carries, a person."""
_REACH = 12
"""How many words may stand between a verb of motion and where it leads."""
_BACK = 2
"""How many sentences before a place the party may have set out for it."""


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

    def suits(self, deed: Effect) -> bool:
        """Return whether it led there, or, of a departure, away at all."""
        return self.leaving or not deed.what.isdisjoint(self.place.ids)


class MoveClaims:
    """Claims that the party went somewhere: to or from an area known by name."""

    name = CLAIM

    def read(self, reading: ClauseView) -> Iterator[Finding]:
        """Yield claims of this clause that no call supports."""
        yield from _held_back(reading)
        yield from _in_place(reading)
        yield from _noted(reading)
        for at, word in enumerate(reading.words):
            if reading.has("inside", at) and at <= 1:
                yield from _inside(reading, at)
            if reading.is_verb("leave", at) and not reading.asserts(at):
                yield from _stays(reading, at)
            helper = reading.happens(at) if reading.lexicon.forms(word) else None
            if helper is None:
                continue
            place = _destination(reading, at) if reading.asserts(at) else None
            place = place or _just_named(reading, at)
            leaving = place is None and reading.is_verb("leave", at)
            if leaving:
                place = _place_at(reading, at + (2 if reading.has("from", at + 1) else 1))
                place = None if place and place.is_far else place  # people not there may have left it at any time
            if place and place.is_far and "past" in reading.lexicon.forms(word):
                continue  # it may tell of any time: "as a squire you arrived at Castle Black"
            found = (
                place is None
                and reading.is_verb("find", at)
                and (reading.has("selves", at + 1) or reading.has("you", at + 1))
            )
            standing = place is None and (found or reading.is_verb("stand", at))
            if standing:
                place = _whereabouts(reading, at + 1 + found)
            if place and _party_moves(reading, at, helper):
                there = standing or reading.is_verb("enter", at) or reading.is_verb("arrive", at)
                underway = place.is_far and not there
                claim = _Claim(place, leaving, _span(reading, at, place), standing, underway)
                finding = _judge(claim, reading.page)
                if finding:
                    yield finding


def _held_back(reading: ClauseView) -> Iterator[Finding]:
    """Yield claims that no one got away, where a call moved them; unless the text tells where they are now."""
    page = reading.page
    deeds = [deed for deed in page.of_kind(EffectKind.TRAVEL) if not deed.is_net]
    moved = next((deed for deed in deeds if deed.applied and not deed.told), None)
    cue = cue_in(reading, ["move_bad"]) if moved else None
    here = (page.areas.at(reading.words, i) for i in range(len(reading.words)))
    if any(place and not place.ids.isdisjoint(page.scene.here) for place in here) and any(
        reading.has("than", i) for i in range(len(reading.words))
    ):
        return  # "you go no further than Market Square"
    if moved and cue and all(deed.applied for deed in deeds) and not _tells_of_arrival(page, reading):
        expected = {"moved": False}
        span = reading.span(*cue)
        yield Finding(FindingKind.MISMATCH, moved.tool, expected, dict(moved.shown), Severity.WARN, span)


def _tells_of_arrival(page: AnnotatedText, but: ClauseView | None = None) -> bool:
    """Whether another clause speaks of the place where they are now as something that is so."""
    for clause in page.clauses:
        is_left_out = but is not None and clause is but.clause and not any(map(but.is_arrival, range(len(but.words))))
        if clause.sentence < 0 or is_left_out:
            continue
        for i in range(len(clause.words)):
            mention = page.areas.at(clause.words, i)
            is_aim = any(page.lexicon.has("aim_words", word) for word in clause.words[max(i - 3, 0) : i])
            is_seen = any(page.lexicon.has("move_not", word) for word in clause.words)
            is_seen = is_seen or any(page.lexicon.has("doorways", word) for word in clause.words[i + 1 : i + 2])
            if (
                mention
                and not (mention.owner or is_aim or is_seen or mention.ids.isdisjoint(page.scene.here))
                and clause.asserts(i)
            ):
                named = ClauseView(page, clause, None).named()
                return not named or page.scene.acting in named or page.scene.party is None or len(named) > 1
    return False


def loosely(reading: ClauseView) -> Iterator[Finding]:
    """Yield places where the text wrongly puts the party, or lets it arrive, in any wording."""
    yield from _placed(reading)
    yield from _reached(reading)
    yield from _stays_there(reading)
    yield from _passes_door(reading)


def _placed(reading: ClauseView) -> Iterator[Finding]:
    """Yield a place where the text wrongly puts the party, or lets it arrive, in any wording.

    A place counts behind a preposition: "in the Tavern", "up the stairs of the Watchtower", where a party member is
    named, or a verb of motion comes before it, and the text does not just see, hear or mention it.
    """
    page = reading.page
    for at in range(len(reading.words)):
        found = page.areas.at(reading.words, at) or _far_at(reading, at)
        if found is None or not reading.tells(at):
            continue
        preposition = _preposition_before(reading, at)
        if preposition is None and (_takes_in(reading, found) or _is_underfoot(reading, found)):
            preposition = at
        elif preposition is None or _is_only_told_of(reading, at) or not _is_of_party(reading, at, preposition):
            continue
        place = _Place(found.ids, True, found.past)
        is_now = reading.has("now", found.past) and reading.clause.kind is ClauseKind.COMMIT
        is_passed = _came_by(place, page) and not (is_now or _is_left_behind(reading, place))
        if page.scene.here and page.scene.here.isdisjoint(found.ids) and not is_passed:
            expected, actual = {"area_id": some_of(found.ids)}, {"area_id": some_of(page.scene.here)}
            tool, span = page.tool_for(CLAIM), reading.span(preposition, found.past)
            yield Finding(FindingKind.CONTRADICTION, tool, expected, actual, Severity.WARN, span)
            return


def _reached(reading: ClauseView) -> Iterator[Finding]:
    """Yield a place that the text makes the scene after the party set out, though the party is not there.

    "You step outside. Market Square lies empty", "they go to a pub instead: the Gilded Eel", "you push open the door of
    the Smithy".
    """
    page = reading.page
    for at in range(len(reading.words)):
        place = page.areas.at(reading.words, at) or _far_at(reading, at)
        if place is None or place.owner or not reading.states(at) or _is_name_of_more(reading, place):
            continue
        found = _Place(place.ids, True, place.past)
        is_elsewhere = bool(page.scene.here) and page.scene.here.isdisjoint(place.ids) and not _came_by(found, page)
        opens = _opens_door(reading, at)
        is_scene = _is_scene(reading, place) and (
            any(
                _sets_out(view, is_named=view.clause.sentence == reading.clause.sentence)
                for view in reading.back(_BACK)
            )
            or _has_arrived(reading)
            or _is_heading(reading, place)
            or page.once("only_place", lambda: _is_only_place(page))
        )
        if not (is_elsewhere and (opens or is_scene)) or _ends_here(reading, place):
            continue
        expected, actual = {"area_id": some_of(place.ids)}, {"area_id": some_of(page.scene.here)}
        tool, span = page.tool_for(CLAIM), reading.span(place.first, place.past)
        yield Finding(FindingKind.CONTRADICTION, tool, expected, actual, Severity.WARN, span)
        return


def _stays_there(reading: ClauseView) -> Iterator[Finding]:
    """Yield that they stop at a place on their way, as the text tells, from which a call led them on."""
    page = reading.page
    if not reading.lexicon.phrases["stays_there"].occur_in(reading.words) or not reading.is_by_party():
        return
    for view in reading.back(0):
        for at in range(len(view.words)):
            place = page.areas.at(view.words, at)
            if place is None or place.owner or not view.clause.asserts(at):
                continue
            is_passed = page.scene.here.isdisjoint(place.ids) and _came_by(_Place(place.ids, True, place.past), page)
            if page.scene.here and is_passed and not _tells_of_arrival(page, reading):
                expected, actual = {"area_id": some_of(place.ids)}, {"area_id": some_of(page.scene.here)}
                tool, span = page.tool_for(CLAIM), view.span(place.first, place.past)
                yield Finding(FindingKind.CONTRADICTION, tool, expected, actual, Severity.WARN, span)
                return


def _is_only_place(page: AnnotatedText) -> bool:
    """Whether a call moved them, and the text never names the place where they are now."""
    moved = any(deed.applied and not deed.told for deed in page.of_kind(EffectKind.TRAVEL))
    named = (page.areas.at(clause.words, i) for clause in page.clauses for i in range(len(clause.words)))
    return moved and all(place is None or place.ids.isdisjoint(page.scene.here) for place in named)


def _is_heading(reading: ClauseView, place: Mention) -> bool:
    """Whether the text begins with the place alone: "The Smithy. Sparks, soot, ..."."""
    is_alone = all(
        reading.words[i].is_mark or reading.has("determiners", i)
        for i in range(len(reading.words))
        if not place.first <= i < place.past
    )
    told = [clause for clause in reading.page.clauses if clause.sentence >= 0][:2]
    is_told_on = any(reading.lexicon.has("it", word) for clause in told[1:] for word in clause.words)
    return is_alone and not is_told_on and told[0] is reading.clause


def _is_name_of_more(reading: ClauseView, place: Mention) -> bool:
    """Whether a place only tells which thing is meant: "the Smithy key", "the Market Square well"."""
    past = place.past
    is_noun = not (reading.ends_phrase(past) or reading.lexicon.forms(reading.words[past]))
    return is_noun or reading.has("place_things", past)


def _is_scene(reading: ClauseView, place: Mention) -> bool:
    """Whether a clause is about a place, or names it behind a colon: no word in it says that it is off or shut."""
    near = range(min(place.past + _BEFORE, len(reading.words)))
    if any(reading.has(name, i) for name in ("place_off", "move_not") for i in near):
        return False
    here = (reading.page.areas.at(reading.words, i) for i in range(place.past, len(reading.words)))
    if any(other and not other.ids.isdisjoint(reading.page.scene.here) for other in here):
        return False  # "the Gilded Eel is the loudest house on the square"
    before = place.first - 1
    while before >= 0 and (reading.has("determiners", before) or reading.has("leads", before)):
        before -= 1
    if reading.has("of", before) and reading.has("place_parts", before - 1):
        before -= 2
        while before >= 0 and any(reading.has(name, before) for name in ("determiners", "place_parts", "leads")):
            before -= 1
    is_found = before > 0 and reading.is_verb("find", before) and reading.is_by_party()  # "you find the Smithy hot"
    is_first = before < 0 or is_found or (before == 0 and reading.has("inside", 0))
    return is_first or reading.words[before].norm == ":"


def _opens_door(reading: ClauseView, at: int) -> bool:
    """Whether one of the party opens the door of the place at `at`: "you push open the door of the Smithy"."""
    start = at - 1 - reading.has("determiners", at - 1)
    if not (reading.has("of", start) and reading.has("doorways", start - 1)) or not reading.clause.asserts(start):
        return False
    before = range(max(start - _BEFORE, 0), start - 1)
    return any(reading.has("opens", i) for i in before) and reading.is_by_party()


def _has_arrived(reading: ClauseView) -> bool:
    """Whether this sentence or the next tells of an arrival: "you have made it"."""
    near = reading.page.words_near(reading.clause.sentence)
    return reading.lexicon.phrases["move_done"].occur_in(near)


def _sets_out(reading: ClauseView, *, is_named: bool) -> bool:
    """Whether the party goes off somewhere: "you step outside", "they follow the lane"; not "you walk up to the stall".

    Where the place is named in the same sentence, any going counts: "they go to a pub: the Gilded Eel".
    """
    is_bare = not any(reading.lexicon.forms(word) & {"third", "past"} for word in reading.words)
    if is_named and is_bare and reading.has("ways_out", 0):
        return reading.states(0)  # "out the back, over a wall: the smithy"
    for at in range(len(reading.words)):
        goes = reading.is_verb("go", at) or reading.is_verb("climb", at) or reading.is_verb("follow", at)
        leaves = reading.is_verb("leave", at)
        if not (goes or leaves) or not reading.tells(at) or reading.is_command(at) or not reading.is_by_party():
            continue
        near = list(takewhile(lambda i: not reading.is_end(i), range(at + 1, at + _REACH)))
        is_way = any(reading.has("ways_out", i) or reading.has("ways", i) for i in near)
        is_way = is_way or (at > 1 and any(reading.has(name, 0) for name in ("ways_out", "downward")))  # "down you go"
        leaves = leaves and (is_way or _is_of_place(reading, at, near))
        if leaves or is_named or (is_way and not any(reading.has("aims_at", i) for i in near)):
            return True
    return False


def _is_of_place(reading: ClauseView, at: int, near: Sequence[int]) -> bool:
    """Whether what the verb at `at` leaves is a place: "leave the noise of the market", but not "leave it to Nim"."""
    is_behind = any(reading.has("left_behind", i) or reading.has("place_parts", i) for i in near)
    return is_behind or reading.is_end(at + 1) or any(reading.page.areas.at(reading.words, i) for i in near)


def _ends_here(reading: ClauseView, place: Mention) -> bool:
    """Whether the text then says that they got no further, or where they are now."""
    page, start = reading.page, reading.words[place.first].start
    moved = any(deed.applied for deed in page.of_kind(EffectKind.TRAVEL))
    is_stopped = not moved and page.once("last_stop", lambda: _last_stop(page)) > start
    return is_stopped or page.once("arrives", lambda: _tells_of_arrival(page))


def _last_stop(page: AnnotatedText) -> int:
    """Return where the last clause ends that tells of a way that was not taken; 0 for none."""
    told = (one for one in reversed(page.clauses) if one.sentence >= 0)
    return next((one.words[-1].end for one in told if cue_in(ClauseView(page, one, None), ["move_bad"])), 0)


def _is_left_behind(reading: ClauseView, place: _Place) -> bool:
    """Whether the text says that they are still where they set out from, and no place they came to."""
    page = reading.page
    stays = any(reading.has("stays_on", i) for i in range(len(reading.words)))
    return (
        stays
        and not _tells_of_arrival(page, reading)
        and any(deed.applied and deed.left in place.ids for deed in page.of_kind(EffectKind.TRAVEL))
    )


def _takes_in(reading: ClauseView, place: Mention) -> bool:
    """Whether the text says that a place takes the party in: "the crypt swallows you"."""
    verb = next((i for i in range(place.past, place.past + 3) if reading.has("place_takes", i)), None)
    before = place.first - 1 - reading.has("determiners", place.first - 1)
    longer = reading.page.areas.at(reading.words, place.first - 1) if place.first else None
    is_other = (
        (longer is not None and longer.past >= place.past)
        or reading.has("from", before)
        or any(reading.has("and", i) or reading.words[i].norm == "'s" for i in range(place.past, verb or place.past))
        or reading.has("place_voices", before - 1)
    )
    if verb is None or is_other:
        return False
    whom = range(verb + 1, min(verb + 1 + _TAKING, len(reading.words)))
    return any(reading.has(name, i) for name in ("you", "party_pronouns") for i in whom) or any(
        mention.first in whom and _is_ours(reading.page, mention.ids) for mention in reading.mentions
    )


def _is_underfoot(reading: ClauseView, place: Mention) -> bool:
    """Whether the text says that a place is under a party member: "the planks of the jetty creak under her boots"."""
    near = range(place.past, min(place.past + _TAKING, len(reading.words)))
    return any(
        mention.owner
        and mention.first in near
        and reading.has("under", mention.first - 1)
        and reading.has("feet", reading.noun_after(mention))
        and (mention.second or _is_ours(reading.page, mention.ids or reading.near()))
        for mention in reading.mentions
    )


def _is_ours(page: AnnotatedText, people: frozenset[str]) -> bool:
    return page.scene.acting in people or not people.isdisjoint(page.scene.party or ())


def _preposition_before(reading: ClauseView, at: int) -> int | None:
    """Return the place of the preposition, or verb of arrival, that a place at `at` belongs to."""
    for k in range(at - 1, max(at - 1 - _BEFORE, -1), -1):
        if reading.has("place_prepositions", k) or reading.is_verb("enter", k) or reading.words[k].norm in _ARROWS:
            return k
        if reading.has("from", k):  # a person looking down from the top of a tower is there
            return k if any(reading.has("place_heights", i) for i in range(k, at)) else None
        if reading.words[k].is_mark or not (
            reading.has("determiners", k) or reading.has("of", k) or _is_part(reading, k)
        ):
            return None
    return None


def _is_part(reading: ClauseView, at: int) -> bool:
    is_word = not (reading.lexicon.forms(reading.words[at]) or reading.has("function", at))
    return reading.has("place_parts", at) or is_word


def _is_only_told_of(reading: ClauseView, at: int) -> bool:
    preposition = _preposition_before(reading, at)
    if preposition is not None and reading.has("from", preposition):
        return False
    is_seen = any(reading.has("move_not", i) for i in range(len(reading.words))) or reading.has("place_things", at + 1)
    is_all_the_way = preposition is not None and reading.has("all_of", preposition - 3)
    return is_seen or (preposition is not None and reading.has("leads_to", preposition - 1) and not is_all_the_way)


def _is_of_party(reading: ClauseView, at: int, preposition: int) -> bool:
    """Whether the people at a place named at `at`, or on their way there, are party members."""
    is_open = reading.has("from", preposition) or reading.has("scene_cuts", preposition - 1)
    page, words = reading.page, range(len(reading.words) if is_open else preposition + 1)
    if reading.words[preposition].norm in _ARROWS:
        return True
    party = (page.scene.party or frozenset()) | ({page.scene.acting} if page.scene.acting is not None else set())
    moves = any(reading.is_verb(group, i) for group in _MOVING for i in words)
    named = reading.named(0, at)
    if named and named.isdisjoint(party):
        return False
    is_ours = (
        bool(named)
        or any(m.plural and m.ids & party for m in reading.mentions if m.first < at)
        or any(reading.has(name, i) for name in ("party_pronouns", "you", "your") for i in words)
        or (reading.clause.elided and reading.is_by_party())
    )
    goes_to = reading.has("to", preposition) and reading.words[preposition].norm not in ("inside",)
    if goes_to and not (moves or is_open) and not reading.has("into", preposition):
        return False
    return is_ours or (moves and not reading.near().isdisjoint(party))


def _passes_door(reading: ClauseView) -> Iterator[Finding]:
    """Yield that a door closed behind them, as the text tells, where no call moved them."""
    page = reading.page
    cue = cue_in(reading, ["move_through"]) or (_goes_in(reading) if page.of_kind(EffectKind.TRAVEL) else None)
    if cue is None or any(deed.applied for deed in page.of_kind(EffectKind.TRAVEL)):
        return
    refused = next((deed for deed in page.of_kind(EffectKind.TRAVEL) if not deed.told), None)
    kind = FindingKind.MISSING if refused is None else FindingKind.REJECTED
    tool, actual = page.tool_for(CLAIM), dict(refused.shown) if refused else None
    yield Finding(kind, tool, {"to_area_id": None}, actual, Severity.WARN, reading.span(*cue))


def _goes_in(reading: ClauseView) -> tuple[int, int] | None:
    """Return the words in which the party goes into something without a name: "you descend into the dark"."""
    for at in range(len(reading.words) - 2):
        is_taken_in = reading.has("interiors", at) and reading.has("place_takes", at + 1) and reading.asserts(at + 1)
        if is_taken_in and any(reading.has(name, at + 2) for name in ("you", "party_pronouns")):
            return at, at + 3  # "the dark takes you in"
        is_going = any(reading.is_verb(group, at) for group in ("go", "climb", "enter")) and reading.asserts(at)
        if not is_going or reading.is_command(at) or not _party_moves(reading, at, at):
            continue
        near = range(at + 1, min(at + 1 + NP_REACH + 2, len(reading.words)))
        into = next((i for i in near if reading.has("into_through", i)), None)
        if into is not None and not all(reading.has("path", i) or _is_manner(reading, i) for i in range(at + 1, into)):
            continue  # "you move the crate into the dark"
        inside = range(into + 1, min(into + 1 + NP_REACH + 1, len(reading.words))) if into is not None else range(0)
        end = next((i + 1 for i in inside if reading.has("interiors", i)), None)
        if end is not None:
            return at, end
    return None


def _in_place(reading: ClauseView) -> Iterator[Finding]:
    """Yield that the party does something "in the Watchtower", where it is not."""
    at = 0
    while reading.has("leads", at):
        at += 1
    place = _whereabouts(reading, at) if at < len(reading.words) and reading.clause.asserts(at) else None
    if place is None or place.is_far or place.past >= len(reading.words):
        return
    start = place.past + (reading.words[place.past].norm == ",")
    doers = [mention for mention in reading.mentions if mention.first == start and not mention.owner]
    if any(m.second or reading.page.scene.acting in m.ids for m in doers) and not _came_by(place, reading.page):
        claim = _Claim(place, False, reading.span(at, place.past), True)
        finding = _judge(claim, reading.page)
        if finding:
            yield finding


def _noted(reading: ClauseView) -> Iterator[Finding]:
    """Yield wrong places in notes: "Location: Old Crypt"."""
    at = next((i for i in range(min(5, len(reading.words))) if reading.has("location_labels", i)), None)
    if (
        at is None
        or at + 2 >= len(reading.words)
        or ":" not in (reading.words[at + 1].norm, reading.words[at + 2].norm)
    ):
        return
    at += reading.words[at + 1].norm != ":"
    is_way = any(word.norm in _ARROWS for word in reading.words)
    place = _place_at(reading, at + 2) if reading.clause.asserts(at) and not is_way else None
    if place and place.exact:
        finding = _judge(_Claim(place, False, reading.span(at, place.past), True), reading.page)
        if finding:
            yield finding


def _came_by(place: _Place, page: AnnotatedText) -> bool:
    """Whether a call led there, or from there, so that the party was in that place for a while."""
    return any(
        deed.applied and (deed.left in place.ids or not deed.what.isdisjoint(place.ids))
        for deed in page.of_kind(EffectKind.TRAVEL)
    )


def _inside(reading: ClauseView, at: int) -> Iterator[Finding]:
    """Yield that a clause plays "inside the Old Crypt" when the way there was refused."""
    place = _place_at(reading, at + 1) if reading.clause.asserts(at) else None
    deeds = reading.page.of_kind(EffectKind.TRAVEL)
    if place is None or not place.exact or any(deed.applied for deed in deeds):
        return
    claim = _Claim(place, False, reading.span(at, place.past))
    refused = next((deed for deed in deeds if not deed.told and claim.suits(deed)), None)
    if refused and reading.page.scene.here.isdisjoint(place.ids):
        kind = FindingKind.REJECTED
        yield Finding(
            kind, refused.tool, {"to_area_id": some_of(place.ids)}, dict(refused.shown), SEVERITY[kind], claim.span
        )


def _stays(reading: ClauseView, at: int) -> Iterator[Finding]:
    """Yield that they "never leave the Square" that they left."""
    place = _place_at(reading, at + 1) if reading.clause.kind is ClauseKind.COMMIT else None
    moved = [deed for deed in reading.page.of_kind(EffectKind.TRAVEL) if deed.applied and not deed.told]
    subject = reading.subject or reading.subjects(at)
    ours = any(m.second or reading.page.scene.acting in m.ids for m in subject)
    if place and place.exact and moved and ours and not place.is_far and reading.has("never_leaves", at - 1):
        finding = _elsewhere(_Claim(place, False, reading.span(at - 1, place.past), True), reading.page)
        if finding:
            yield finding


def _span(reading: ClauseView, at: int, place: _Place) -> tuple[int, int]:
    first = next((m.first for m in reading.subjects(at) if at - NP_REACH <= m.first < at and m in reading.mentions), at)
    return reading.span(first, place.past)


def _party_moves(reading: ClauseView, at: int, helper: int) -> bool:
    """Whether the acting character is among those who move, in person or as one of the party.

    `helper` is the place of the verb that carries the tense: the "has" of "has reached".
    """
    acting = reading.page.scene.acting
    mentions = reading.subjects(helper)
    if reading.is_verb("lead", at):
        mentions = reading.object_at(at + 1)
    elif reading.is_verb("find", at):
        mentions = [*mentions, *reading.object_at(at + 1)]
    named = any(acting in mention.ids for mention in mentions) and acting is not None
    return named or _they(reading, helper) or any(mention.second for mention in mentions) or _we(reading, helper)


def _they(reading: ClauseView, at: int) -> bool:
    """Whether "they" can only be the party, since the text names no one else."""
    party = reading.page.scene.party
    return bool(party) and reading.has("they", at - 1) and reading.page.named <= (party or frozenset())


def _we(reading: ClauseView, at: int) -> bool:
    return reading.has("first_plural", at - 1)


def _destination(reading: ClauseView, at: int) -> _Place | None:
    if reading.is_verb("enter", at):
        is_apart = reading.has("to", at + 1) or (at + 1 < len(reading.words) and reading.words[at + 1].norm == ":")
        return _place_at(reading, at + 1 + is_apart)
    if reading.is_verb("climb", at) and (place := _part_at(reading, at + 1)):
        return place
    arriving = reading.is_verb("arrive", at)
    start = at + 1
    if reading.is_verb("lead", at):
        start = max((mention.past for mention in reading.object_at(at + 1)), default=at + 1)
    way = next((i for i in range(at + 1, at + 4) if reading.has("way", i)), None)
    if way is not None and reading.is_verb("make", at):
        start = way + 1
    elif reading.is_verb("follow", at):
        if not any(reading.has("ways", i) for i in range(at + 1, at + 2 + NP_REACH)):
            return None
    else:
        going = arriving or reading.is_verb("go", at) or reading.is_verb("lead", at)
        if not going or not (reading.has("path", start) or _is_manner(reading, start)):
            return None
    for i in range(start, min(start + _REACH, len(reading.words))):
        if reading.is_end(i) or reading.has("stops", i):
            return None
        if reading.has("to", i) or (arriving and reading.has("at", i)):
            place = _place_at(reading, i + 1)
            if place:
                return place
        elif reading.has("amid", i) and (place := _part_at(reading, i + 1)):
            return place
    return None


def _just_named(reading: ClauseView, at: int) -> _Place | None:
    """Return the place that "it" means in "Ione reaches it", if the clause before ends with its name."""
    if not (reading.is_verb("enter", at) and reading.has("it", at + 1)) or reading.before is None:
        return None
    if reading.before.clause.kind is not ClauseKind.COMMIT:
        return None
    words = reading.before.words
    places = (reading.page.areas.at(words, i) or _far_at(reading.before, i) for i in range(len(words)))
    place = next((mention for mention in places if mention and mention.past >= len(words)), None)
    return _Place(place.ids, place.exact, at + 2) if place else None


def _whereabouts(reading: ClauseView, at: int) -> _Place | None:
    """Return where the text says a person is now: "are now in the Harbour"."""
    while at < len(reading.words) and reading.lexicon.is_adverb(reading.words[at]):
        at += 1
    place = _place_at(reading, at + 1) if reading.has("at", at) or reading.has("to", at) else None
    if place is None and (reading.has("on", at) or reading.has("amid", at)):
        place = _part_at(reading, at + 1)
    return place if place and place.exact else None


def _is_manner(reading: ClauseView, at: int) -> bool:
    return at < len(reading.words) and reading.lexicon.is_adverb(reading.words[at])


def _place_at(reading: ClauseView, at: int) -> _Place | None:
    """Return the place named by the noun phrase at `at`, if it is not part of a longer one ("the Harbour tavern")."""
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


def _part_at(reading: ClauseView, at: int) -> _Place | None:
    """Return the place of which a part is named: "the warmth of the Tavern", "the steps of the Tower"."""
    for i in range(at, at + 1 + NP_REACH):
        if reading.has("place_parts", i) and reading.has("of", i + 1):
            return _place_at(reading, i + 2)
    return None


def _far_at(reading: ClauseView, at: int) -> Mention | None:
    """Return the place further off that is named at `at`, in full and as a name: "the cellar" may be any."""
    mention = reading.page.far.at(reading.words, at)
    is_name = mention and mention.exact and any(word.capital for word in reading.words[at : mention.past])
    return mention if is_name else None


def _judge(claim: _Claim, page: AnnotatedText) -> Finding | None:
    deeds = page.of_kind(EffectKind.TRAVEL)
    moved = any(deed.applied for deed in deeds)
    if claim.underway and moved:
        return None
    verdict = unmet(deeds, claim.suits, lambda deed: _concerns(claim, deed, page))
    if verdict is None:
        return None
    kind, blamed = verdict
    if claim.standing and not (kind is FindingKind.REJECTED and blamed and claim.suits(blamed) and not moved):
        return None if _goes_on(claim, page) else _elsewhere(claim, page)
    # A place without a name of its own may be inside an area: only a refused move contradicts it.
    if not claim.place.exact and (moved or kind is FindingKind.MISMATCH or (not claim.place.ids and blamed is None)):
        return None
    expected = {"from_area_id" if claim.leaving else "to_area_id": some_of(claim.place.ids)}
    tool = (blamed.tool if blamed else "") or page.tool_for(CLAIM)
    return Finding(kind, tool, expected, dict(blamed.shown) if blamed else None, SEVERITY[kind], claim.span)


def _goes_on(claim: _Claim, page: AnnotatedText) -> bool:
    """Whether a way began there and the text continues to its end: "you wait at the Mill, then walk to the Harbour"."""
    if not any(deed.applied and deed.left in claim.place.ids for deed in page.of_kind(EffectKind.TRAVEL)):
        return False
    later = ((c.words, i) for c in page.clauses for i, word in enumerate(c.words) if word.start >= claim.span[1])
    named = (page.areas.at(words, i) for words, i in later)
    return any(mention and not mention.ids.isdisjoint(page.scene.here) for mention in named)


def _elsewhere(claim: _Claim, page: AnnotatedText) -> Finding | None:
    """Return that they stand where they are not, if it is known where they are."""
    if not page.scene.here or not page.scene.here.isdisjoint(claim.place.ids):
        return None
    kind = FindingKind.CONTRADICTION
    expected, actual = {"area_id": some_of(claim.place.ids)}, {"area_id": some_of(page.scene.here)}
    return Finding(kind, page.tool_for(CLAIM), expected, actual, SEVERITY[kind], claim.span)


def _concerns(claim: _Claim, deed: Effect, page: AnnotatedText) -> bool:
    """Whether a move that does not lead there may still be meant: it was made, or asked for no known area."""
    known = page.scene.areas.keys() | page.scene.far.keys()
    return deed.applied or not claim.place.ids or deed.what.isdisjoint(known)
