"""Hit points: "Mira has 5 hit points left", "leaves you at 3 HP", "HP: 12 -> 4", held against those they have."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from turnwright.narration.claims._clause_reader import ClauseView
from turnwright.narration.claims._document import AnnotatedText
from turnwright.narration.claims._finding import SEVERITY, Finding, FindingKind, some_of
from turnwright.narration.claims._loose import Loose, Role, loose_numbers, numbers_of
from turnwright.narration.claims._quantity import unit_past
from turnwright.narration.facts import EffectKind, Person
from turnwright.narration.names import Mention

if TYPE_CHECKING:
    from turnwright.model.json_types import JsonObject

_REACH = 3
_BEFORE = 12
"""How many words before a note of hit points their owner may be named."""
_ARROWS = ("→", "⟶", "➜", "➔", "-", "–", "—", "=")


_SIGNS = ("+", "-", "−", "–")


@dataclass(frozen=True, slots=True)
class _Total:
    """A person's hit points, maximum and earlier hit points, as the text states them. `past` ends the words."""

    now: int
    past: int
    most: int | None = None
    before: int | None = None


class StandingClaims:
    """Claims of how many hit points a person has.

    expected: `{"character_id": ..., "hp": 4}`, with `hp_before` or `max_hp` in place of `hp` where that one is
    wrong. actual: the same key, with the true value.
    """

    name = "hit_points"

    def read(self, reading: ClauseView) -> Iterator[Finding]:
        """Yield the numbers of this clause that no one has, or had at any time in the turn."""
        if not reading.may_tell(self.name) and not any(word.norm[0].isdigit() for word in reading.words):
            return
        for at, word in enumerate(reading.words):
            if reading.lexicon.forms(word) and reading.asserts(at):
                yield from _told(reading, at)
            elif _begins_note(reading, at) and reading.clause.asserts(at):
                yield from _judge_note(reading.page, reading.page.place_of(word.start))
            if reading.clause.asserts(at):
                yield from _fullness(reading, at)


def loosely(reading: ClauseView) -> Iterator[Finding]:
    """Yield the hit points in a clause that no one who may be meant has, in any wording."""
    if any(reading.lexicon.has("multiples", word) for word in reading.words):
        return
    for loose in loose_numbers(reading):
        yield from _judge_loose(reading, loose)
    yield from _listed(reading)
    yield from _changed(reading)


def _judge_loose(reading: ClauseView, loose: Loose) -> Iterator[Finding]:
    """Yield that no one who may be meant has so many hit points."""
    people = [one for one in (_people(reading, loose.who) or reading.page.scene.people) if one.hp is not None]
    if loose.role is Role.CHANGE or not people:
        return
    verbs = [forms for word in reading.words[: loose.first] if (forms := reading.lexicon.forms(word))]
    is_past = any("past" in forms for forms in verbs)
    known = numbers_of(
        reading.page, {person.id for person in people}, loose.role, may_be_before=is_past or not loose.who
    )
    if loose.amount not in known:
        yield _not_so(reading, people, loose.amount, (loose.first, loose.past))


def _listed(reading: ClauseView) -> Iterator[Finding]:
    """Yield what is wrong in a list of people's hit points: "Ada four, Bran two"."""
    found = [
        (m, m.past + (reading.words[m.past].norm in (":", "|") if m.past < len(reading.words) else 0))
        for m in reading.mentions
        if not m.owner
    ]
    numbers = [(m, at) for m, at in found if _count_at(reading, at) is not None]
    rows = [(m, at) for m, at in numbers if reading.ends_phrase(at + 1) or reading.names_person(at + 1)]
    is_of_hp = _speaks_of_hp(reading.page)
    is_list = len(rows) > 1 or is_of_hp
    is_other = any(reading.has("initiative", i) or reading.has("dice_talk", i) for i in range(len(reading.words)))
    for mention, at in rows if is_list and not is_other else ():
        people = [person for person in _people(reading, mention.ids) if person.hp is not None]
        number = _count_at(reading, at)
        known = numbers_of(reading.page, {person.id for person in people}, Role.POINTS, may_be_before=True)
        known |= frozenset() if is_of_hp else reading.page.rolled  # "Ada 17, Odo 8" may be what they rolled
        if people and number is not None and number not in known and reading.clause.asserts(at):
            yield _not_so(reading, people, number, (mention.first, at + 1))


def _changed(reading: ClauseView) -> Iterator[Finding]:
    """Yield what is wrong in a note of what a person had and has, without a unit: "Ada: 12 -> 4"."""
    for mention in reading.mentions:
        at = mention.past
        while (
            at < len(reading.words)
            and (reading.words[at].is_mark or reading.has("hp_units", at))
            and at < mention.past + 4
        ):
            at += 1
        before, arrow = _count_at(reading, at), at + 1
        while arrow < len(reading.words) and reading.words[arrow].norm in _ARROWS:
            arrow += 1
        now = _count_at(reading, arrow) if arrow > at + 1 else None
        people = [person for person in _people(reading, mention.ids) if person.hp is not None]
        is_of_hp = any(before in (person.hp_was, person.hp) for person in people)
        if before is None or now is None or not is_of_hp or not reading.clause.asserts(at) or mention.owner:
            continue
        if now not in numbers_of(reading.page, mention.ids, Role.LEVEL, may_be_before=False):
            yield _not_so(reading, people, now, (mention.first, arrow + 1))
            return


def _speaks_of_hp(page: AnnotatedText) -> bool:
    return page.once("speaks_of_hp", lambda: any(page.lexicon.has("hp_units", word) for word in page.voice))


def _not_so(reading: ClauseView, people: Collection[Person], number: int, span: tuple[int, int]) -> Finding:
    kind = FindingKind.CONTRADICTION
    expected = {"character_id": some_of(person.id for person in people), "hp": number}
    actual = {"hp": next(iter(people)).hp if len(people) == 1 else None}
    return Finding(kind, None, expected, actual, SEVERITY[kind], reading.span(*span))


def _told(reading: ClauseView, at: int) -> Iterator[Finding]:
    """Yield what the verb at `at` says of hit points that no one has."""
    stated, left = _stated(reading, at), _left(reading, at)
    if stated:
        number, past = stated
        is_past = "past" in reading.lexicon.forms(reading.words[at])
        for mention in reading.subjects(at):
            people = [] if mention.plural else _people(reading, mention.ids)
            if mention.second and any(number == person.hp for person in _party(reading)):
                continue  # another of the party may be spoken to
            span = reading.span(at, past)
            yield from _judge(reading.page, people, _Total(number, past), span, may_be_before=is_past)
    elif left:
        mentions, total = left
        people = [person for m in mentions if not m.plural for person in _people(reading, m.ids)]
        yield from _judge(reading.page, people, total, reading.span(at, total.past))


def _fullness(reading: ClauseView, at: int) -> Iterator[Finding]:
    """Yield people who are not as healthy as the words at `at` say: "at full health", "without a scratch"."""
    length = reading.lexicon.phrases["state_full"].length_at(reading.words, at)
    is_full = length > 0
    length = length or reading.lexicon.phrases["state_half"].length_at(reading.words, at)
    if not length or not reading.ends_phrase(at + length):
        return
    doers = reading.subjects(at) if reading.lexicon.forms(reading.words[at]) else reading.subject
    if reading.words[at].norm == "'s":
        doers = [mention for mention in reading.mentions if mention.past == at]
    for mention in doers:
        people = [] if mention.plural or mention.second else _people(reading, mention.ids)
        if len(people) != 1 or people[0].hp is None or people[0].max_hp is None:
            continue
        hp, most = people[0].hp, people[0].max_hp
        if (is_full and hp == most) or (not is_full and 0 < 2 * hp <= most):
            continue
        expected: JsonObject = {"character_id": people[0].id, "hp": most if is_full else most // 2}
        kind = FindingKind.CONTRADICTION
        yield Finding(kind, None, expected, {"hp": hp, "max_hp": most}, SEVERITY[kind], reading.span(at, at + length))


def _party(reading: ClauseView) -> list[Person]:
    return _people(reading, reading.page.scene.party or ())


def _people(reading: ClauseView, ids: Collection[str]) -> list[Person]:
    return [person for person in reading.page.scene.people if person.id in ids]


def _judge(
    page: AnnotatedText, people: list[Person], total: _Total, span: tuple[int, int], *, may_be_before: bool = False
) -> Iterator[Finding]:
    """Yield that none of the people has that many, if the hit points of all of them are known."""
    if not people or any(person.hp is None for person in people):
        return
    wrong = [_wrong(page, person, total, may_be_before=may_be_before) for person in people]
    if None in wrong:
        return
    key, said, real = next(filter(None, wrong))
    kind = FindingKind.CONTRADICTION
    expected = {"character_id": some_of(person.id for person in people), key: said}
    yield Finding(kind, None, expected, {key: real}, SEVERITY[kind], span)


def _begins_note(reading: ClauseView, at: int) -> bool:
    return reading.lexicon.number(reading.words[at]) is not None or unit_past(reading, at, "hp_units") is not None


def _judge_note(page: AnnotatedText, place: int) -> Iterator[Finding]:
    total = _noted(page, place)
    if total:
        span = page.voice[place].start, page.voice[total.past - 1].end
        yield from _judge(page, _holders(page, place), total, span)


def _wrong(
    page: AnnotatedText, person: Person, total: _Total, *, may_be_before: bool
) -> tuple[str, int, int | None] | None:
    """Return a person's wrong number, as the text states it and as it is."""
    deeds = [deed for deed in page.of_kind(EffectKind.HP) if deed.who == person.id]
    totals = {deed.total for deed in deeds} | {person.hp}
    before = (deed.total - (deed.delta or 0) for deed in deeds if deed.total is not None)
    earlier = {*before, person.hp_was, *totals}
    if total.now not in totals | (earlier if may_be_before else set()):
        return "hp", total.now, person.hp
    if total.before is not None and total.before not in earlier and person.hp_was is not None:
        return "hp_before", total.before, person.hp_was
    if total.most is not None and person.max_hp not in (None, total.most):
        return "max_hp", total.most, person.max_hp
    return None


def _stated(reading: ClauseView, at: int) -> tuple[int, int] | None:
    """Return the number that the verb at `at` says a person has, and where the words end."""
    start, has = at + 1, reading.is_verb("statement.have", at)
    if reading.is_verb("statement.be", at):
        near = range(at + 1, min(at + 1 + _REACH, len(reading.words)))
        lengths = ((i, reading.lexicon.phrases["state_at"].length_at(reading.words, i)) for i in near)
        start = next((i + length for i, length in lengths if length), len(reading.words))
    elif not has:
        return None
    while start < len(reading.words) and reading.lexicon.is_adverb(reading.words[start]):
        start += 1
    number = _count_at(reading, start)
    most = start + 2 if reading.has("state_of", start + 1) else start  # "7/16 HP", "7 of 16 HP"
    past = unit_past(reading, most + 1, "hp_units") if _count_at(reading, most) is not None else None
    # "3 HP from the top" are lost, not left.
    if number is None or past is None or reading.has("of", past) or reading.has("from", past):
        return None
    ends = reading.is_end(past) or reading.has("state_left", past) or (not has and reading.has("unit_tail", past))
    return (number, past) if ends else None


def _left(reading: ClauseView, at: int) -> tuple[list[Mention], _Total] | None:
    """Read "leaves Ada at 5 hit points", "leaving you with 3 HP"."""
    if not reading.is_verb("statement.leave", at):
        return None
    who = [mention for mention in reading.object_at(at + 1) if mention.ids]
    start = max((mention.past for mention in who), default=at)
    if not who or not (reading.has("state_leave", start)):
        return None
    start += 1
    while start < len(reading.words) and reading.lexicon.is_adverb(reading.words[start]):
        start += 1
    number = _count_at(reading, start)
    past = unit_past(reading, start + 1, "hp_units") if number is not None else None
    return (who, _Total(number, past)) if number is not None and past is not None else None


def _count_at(reading: ClauseView, at: int) -> int | None:
    return reading.lexicon.number(reading.words[at]) if at < len(reading.words) else None


# notes


def _noted(page: AnnotatedText, at: int) -> _Total | None:
    """Read "HP: 12 -> 4", "HP: 4/12", "4/12 HP", "12 -> 4 HP", and "4 HP" alone behind a name or in brackets."""
    past = _unit_past(page, at)
    is_alone = past is not None and _begins_line(page, at)
    if not is_alone and (
        _number_at(page, at - 1) is not None or page.norm(at - 1) in ("+", "-", "−") or page.norm(at - 1) in _ARROWS
    ):
        return None
    if past is not None:
        start = past
        while page.norm(start) in (":", "=", "("):
            start += 1
        total = _numbers_at(page, start)
        is_note = total and (is_alone or start > past or total.before is not None or total.most is not None)
        return total if total and is_note and _ends(page, total.past) else None
    total = _numbers_at(page, at)
    if total and total.most is not None and _is_named_before(page, at, total.most) and _ends(page, total.past):
        return total
    past = _unit_past(page, total.past) if total else None
    if total is None or past is None or not (_ends(page, past) or page.has_voice("state_left", past)):
        return None
    if page.norm(past) in _SIGNS and _number_at(page, past + 1) is not None:
        return None  # "20 HP - 3 = 17 HP" tells what was there before
    is_changed = total.before is not None or total.most is not None
    is_alone = at == 0 or page.norm(at - 1) in (":", "(", "[", "|", "\n") or page.has_voice("state_note", at - 1)
    is_alone = is_alone or (page.is_mark(at - 1) and page.has_voice("state_left", past))  # "(4 damage, 7 HP left)"
    is_adjunct = page.is_mark(at - 3) and page.has_voice("state_down", at - 2) and page.has_voice("state_to", at - 1)
    return _Total(total.now, past, total.most, total.before) if is_changed or is_alone or is_adjunct else None


def _begins_line(page: AnnotatedText, at: int) -> bool:
    """Whether its line has only a name before `at`: "HP 6", "Ada HP 6", "Ada - HP 6"."""
    past = at
    while page.norm(past - 1) in (":", "-", "–", "—", ",", "|"):
        past -= 1
    if past == 0 or page.norm(past - 1) in ("\n", ";", "(", "["):
        return True
    found = (page.people.at(page.voice, first) for first in range(max(past - 4, 0), past))
    first = next((mention.first for mention in found if mention and mention.past == past), None)
    return first == 0 or (first is not None and page.norm(first - 1) in ("\n", ".", ";", "(", "[", ",", "|"))


def _is_named_before(page: AnnotatedText, at: int, most: int) -> bool:
    """Whether a person who can have just that many hit points is named right before: "Ada 4/12", "Ada: 4/12"."""
    past = at
    while page.norm(past - 1) in (":", "(", "-", "–", "—", "["):
        past -= 1
    for first in range(max(past - 4, 0), past):
        mention = page.people.at(page.voice, first)
        if mention and mention.past == past:
            return any(person.max_hp == most for person in page.scene.people if person.id in mention.ids)
    return False


def _unit_past(page: AnnotatedText, at: int) -> int | None:
    if page.has_voice("hit_points", at) and page.has_voice("points", at + 1):
        return at + 2
    return at + 1 if page.has_voice("hp_units", at) else None


def _ends(page: AnnotatedText, at: int) -> bool:
    return at >= len(page.voice) or (page.is_mark(at) and page.norm(at) != "'")


def _numbers_at(page: AnnotatedText, at: int) -> _Total | None:
    """Return the numbers at `at`: "4", "4/12", "4 of 12", "12 -> 4", "12 -> 4/12"."""
    first = _number_at(page, at)
    if first is None:
        return None
    past, before, now = at + 1, None, first
    arrow = past
    while page.norm(arrow) in _ARROWS:
        arrow += 1
    arrow += arrow == past and page.has_voice("state_arrow", past)
    changed = _number_at(page, arrow) if arrow > past else None
    if changed is not None:
        before, now, past = first, changed, arrow + 1
        if page.norm(past) == "=":  # "12 - 8 = 4"
            return None
    most = _number_at(page, past + 1) if page.has_voice("state_of", past) else None
    return _Total(now, past + 2 if most is not None else past, most, before)


def _number_at(page: AnnotatedText, at: int) -> int | None:
    return page.lexicon.number(page.voice[at]) if 0 <= at < len(page.voice) else None


def _holders(page: AnnotatedText, place: int) -> list[Person]:
    """Return the owners of the hit points noted at `place`: the people named in the line before it, or anyone near."""
    found: set[str] = set()
    for i in range(place - 1, max(place - 1 - _BEFORE, -1), -1):
        if page.norm(i) in ("\n", ";") or (page.voice[i].is_stop and found):
            break
        mention = page.people.at(page.voice, i)
        if mention:
            found |= mention.ids
            if page.norm(place + 1) == "/" and mention.past >= place - 2:
                break  # "Ada 4/12, Bran 5/8": of a list only the name right before it
        elif (page.has_voice("you", i) or page.has_voice("your", i)) and page.scene.acting is not None:
            found.add(page.scene.acting)
    return [person for person in page.scene.people if (person.id in found if found else person.away is None)]
