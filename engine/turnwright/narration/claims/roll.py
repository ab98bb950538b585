"""Die results: "you rolled 23", "Perception: 19 vs DC 12 - success" when no recorded roll matches."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from turnwright.language.tokens import Word
from turnwright.narration.claims._clause_reader import ClauseView
from turnwright.narration.claims._document import AnnotatedText
from turnwright.narration.claims._finding import SEVERITY, Finding, FindingKind, Severity
from turnwright.narration.claims._roll_wording import RollLine, roll_lines
from turnwright.narration.facts import ROLLS, Effect, EffectKind

if TYPE_CHECKING:
    from turnwright.model.json_types import JsonObject

_REACH = 5
_NEEDED = 7
"""How far from a number it may be said that it is needed."""
_MAX_IN_ORDER = 40
_SHOWN = 20
_ALIKE = 2
"""How many dice a pair of alike faces needs."""
_DIE = re.compile(r"\d{0,3}d\d{1,3}")
_SMALL = 4
"""A number word below this is as likely to count people as pips."""
"""How many of the values drawn a finding lists."""


class RollClaims:
    """Stated results of dice.

    expected: `{"face": 19}` of a number that no die showed; `{"total": 22}` of a line where no roll came to it;
    `{"outcome": "success", "check": "stealth"}` of a line that says how a roll came out; `{"dc": 12}` of what it was
    held against. actual: `{"faces": [...]}`, of a total with the roll where one is meant; else the roll.
    """

    name = "die_result"

    def read(self, reading: ClauseView) -> Iterator[Finding]:
        """Yield the results this clause states that no draw and no total was."""
        if not reading.may_tell(self.name) and not any(word.norm[0].isdigit() for word in reading.words):
            return
        stated: set[int] = set()
        for line in roll_lines(reading.page, *_place(reading)):
            stated.update(reading.page.voice[i].start for i in line.numbers)
            found = _judge_line(line, reading.page)
            if found:
                yield found
        yield from _order(reading, stated)
        is_command = reading.is_verb("roll", 0) and reading.is_command(0)  # "roll a natural 20, and he might"
        for at in range(len(reading.words)):
            number = _result(reading, at) if reading.asserts(at) else None
            is_rule = number is not None and (is_command or _is_needed(reading, number))
            if is_rule and not _is_own_roll(reading, at):
                continue
            while number is not None:
                if reading.words[number].start not in stated:
                    stated.add(reading.words[number].start)
                    yield from _judge(reading, at, number)
                number = _number_after(reading, number + 2, "roll_fillers") if reading.has("and", number + 1) else None


def _is_needed(reading: ClauseView, number: int) -> bool:
    """Whether the words around a number state the needed number, not the roll."""
    first = next(
        (i for i in range(number - 1, max(number - _NEEDED, 0), -1) if _is_joint(reading, i)), max(number - _NEEDED, 0)
    )
    past = next((i for i in range(number + 1, number + _NEEDED) if _is_joint(reading, i)), number + _NEEDED)
    return any(reading.has("roll_needed", i) for i in range(first, past))


def _is_joint(reading: ClauseView, at: int) -> bool:
    return reading.is_end(at) or reading.has("and", at) or reading.has("but", at)


def _place(reading: ClauseView) -> tuple[int, int]:
    """Return where in the whole text the clause begins and ends."""
    page, words = reading.page, reading.words
    return page.place_of(words[0].start), page.place_of(words[-1].end)


def loosely(reading: ClauseView) -> Iterator[Finding]:
    """Yield a number in a sentence about dice that matches no number of the turn."""
    page, near = reading.page, reading.page.words_about(reading.clause.sentence)
    yield from _faces_told(reading)
    is_rule = any(reading.has(name, i) for name in ("roll_needed", "roll_wanted") for i in range(len(reading.words)))
    is_rule = is_rule or (reading.is_verb("roll", 0) and reading.is_command(0))
    is_of_dice = any(page.lexicon.has("dice_talk", word) or _is_die(word) for word in near) or _is_bare(reading)
    is_of_dice = is_of_dice or _is_only_dice(page)
    if is_rule or not is_of_dice or _is_strangers(reading):
        return
    for at, word in enumerate(reading.words):
        value = page.lexicon.number(word)
        if value is None and reading.has("doubles", at - 1):
            value = page.lexicon.number(replace(word, norm=word.norm.removesuffix("es").removesuffix("s")))
        if value is None or not reading.states(at) or not _stands_alone(reading, at):
            continue
        is_shown = bool(page.rolled) and any(reading.has("dice", i) for i in range(at))
        is_face = is_shown and reading.has("a_face", at - 1)  # "the dice are a 6 and a 4": no modifier, no target
        is_shown = is_shown or (
            _is_only_dice(page) and reading.has("shown_on", at - 1) and not reading.has("of", at + 1)
        )
        is_on_die = bool(page.rolled) and (_is_on_die(reading, at) or _answers_die(reading, at))
        is_shown = is_shown or is_on_die
        is_lone = _is_only_dice(page) and _is_lone(reading, at)
        is_shown = is_shown or is_lone
        is_sum = any(page.lexicon.has("plus", other) or other.norm in ("+", "-", "minus") for other in near)
        is_all = is_lone or (is_shown and _is_only_dice(page) and word.norm != "one")
        is_sure = is_face or is_on_die or (is_all and not is_sum)
        known = page.rolled if is_sure and page.rolled else page.dice
        if value not in known and (value >= _SMALL or word.norm.isdigit() or is_shown):
            yield replace(_invented(page, value, (word.start, word.end)), severity=Severity.WARN)


def _is_strangers(reading: ClauseView) -> bool:
    """Whether an unknown person rolls: "two tables over, a dicer throws a twelve"."""
    return any(
        reading.lexicon.forms(reading.words[i]) & {"third", "past"}
        and reading.has("indefinite", i - 2)
        and not (
            reading.has("dice", i - 1) or reading.lexicon.number(reading.words[i - 1]) or _is_die(reading.words[i - 1])
        )
        for i in range(2, len(reading.words))
    )


def _faces_told(reading: ClauseView) -> Iterator[Finding]:
    """Yield faces called by players' names for them: "double fours", "a pair of sixes", "snake eyes"."""
    page = reading.page
    if not page.rolled:
        return
    for at, word in enumerate(reading.words):
        value = None
        if any(reading.has("several", i) for i in (at - 1, at - 2)):
            singular = word.norm.removesuffix("es") if word.norm == "sixes" else word.norm.removesuffix("s")
            value = page.lexicon.number(replace(word, norm=singular)) if singular != word.norm else None
        if reading.lexicon.phrases["faces_one"].length_at(reading.words, at):
            value = 1
        elif reading.lexicon.phrases["faces_six"].length_at(reading.words, at):
            value = 6
        is_alike = value in page.dice and (reading.has("several", at - 1) or reading.has("several", at - 2))
        is_short = is_alike and len(page.scene.faces) > 1 and page.scene.faces.count(value or 0) < _ALIKE
        if value is not None and (value not in page.dice or is_short) and reading.states(at):
            yield replace(_invented(page, value, (word.start, word.end)), severity=Severity.WARN)
            return


def _is_only_dice(page: AnnotatedText) -> bool:
    """Whether the turn only rolled dice, so that numbers in its text are most likely results."""
    done = [outcome for outcome in page.scene.outcomes if outcome.applied]
    return bool(page.rolled) and all(outcome.tool == "roll_dice" for outcome in done)


def _is_bare(reading: ClauseView) -> bool:
    """Whether a clause is hardly more than a number, where dice were rolled: "That's twelve."."""
    words = [i for i, word in enumerate(reading.words) if not word.is_mark]
    listed = ("function", "determiners", "roll_fillers", "is_it")
    plain = (
        any(reading.has(name, i) for name in listed) or reading.lexicon.number(reading.words[i]) is not None
        for i in words
    )
    return _does_only_roll(reading.page) and len(words) <= _SMALL and all(plain)


def _does_only_roll(page: AnnotatedText) -> bool:
    """Whether dice were rolled in the turn, and no one got or lost anything by them."""
    return bool(page.rolled) and not page.of_kind(EffectKind.HP) and not page.of_kind(EffectKind.GOODS)


def _is_on_die(reading: ClauseView, at: int) -> bool:
    """Whether a number is the face of a die: "a 1 on the d4"."""
    past = at + 2 + reading.has("determiners", at + 2)
    return reading.has("on", at + 1) and past < len(reading.words) and _is_die(reading.words[past])


def _answers_die(reading: ClauseView, at: int) -> bool:
    """Whether the number at `at` is all that a clause says, and the one before it is of a die: "d12 says... three"."""
    words = reading.before.words if reading.before is not None else ()
    is_said = any(_is_die(word) for word in words) and bool(words) and reading.lexicon.has("roll_verbs", words[-1])
    return is_said and all(i == at or reading.words[i].is_mark for i in range(len(reading.words)))


def _is_lone(reading: ClauseView, at: int) -> bool:
    """Whether a clause says no more than that something is a number: "it's a 1", "... two!"."""
    names = ("is_it", "indefinite", "it", "that", "be_forms")
    rest = (i for i in range(len(reading.words)) if i != at and not reading.words[i].is_mark)
    return all(any(reading.has(name, i) for name in names) for i in rest)


def _is_die(word: Word) -> bool:
    return _DIE.fullmatch(word.norm) is not None


def _stands_alone(reading: ClauseView, at: int) -> bool:
    """Whether a number has no unit or noun: "stops at 13", "17 on the die", not "15 feet" or "round 2"."""
    if reading.has("counted_before", at - 1) or (at and reading.words[at - 1].norm in ("+", "-", "/", "dc", "ac")):
        return False
    if any(reading.has(name, at + 1) for name in ("hit_points", "hp_units", "harm_units")):
        return False
    return reading.is_end(at + 1) or any(reading.has(name, at + 1) for name in ("function", "roll_after", "fillers"))


# lines


def _judge_line(line: RollLine, page: AnnotatedText) -> Finding | None:
    rolls = _rolls_meant(line, page)
    if line.is_plain and not rolls:
        return None
    known = frozenset(number for roll in rolls for number in roll.amounts) if rolls else _all_numbers(page)
    for place in line.numbers:
        value = page.lexicon.number(page.voice[place])
        is_natural = any(page.has_voice("natural", i) for i in range(max(place - 2, line.first), place))
        borne_out = page.naturals if is_natural else known | page.rolled | (frozenset() if line.kinds else page.dice)
        if value is not None and value not in borne_out:
            totals = [roll for roll in rolls if roll.total is not None]
            span = _span(page, line.first, line.past)
            return _invented(page, value, span) if is_natural or not totals else _false_total(page, value, totals, span)
    if line.success is not None:
        return _judge_outcome(line, rolls, page)
    dcs = {roll.dc for roll in rolls}
    if line.target is not None and dcs and None not in dcs and line.target not in dcs:
        return _mismatch(line, {"dc": line.target}, rolls[0], page, Severity.WARN)
    return None


def _rolls_meant(line: RollLine, page: AnnotatedText) -> Sequence[Effect]:
    """Return the rolls that a line can mean: of its kind, of the skill and the people it names."""
    found = [roll for roll in page.rolls() if roll.applied and roll.kind in line.kinds]
    if line.words:
        found = [roll for roll in found if not roll.what or not roll.what.isdisjoint(line.words)]
    own = [roll for roll in found if roll.who in line.who]
    return own or found


def _judge_outcome(line: RollLine, rolls: Sequence[Effect], page: AnnotatedText) -> Finding | None:
    known = [roll for roll in rolls if roll.success is not None and not roll.told]
    if not known or any(roll.success is line.success and (roll.is_critical or not line.is_critical) for roll in known):
        return None
    named = next(iter(sorted(line.words)), None)
    is_save = named is not None and known[0].kind is EffectKind.SAVE
    expected = {"outcome": _outcome(line), "check": f"{named} save" if is_save else named or known[0].kind.value}
    return _mismatch(line, expected, known[0], page, SEVERITY[FindingKind.MISMATCH])


def _outcome(line: RollLine) -> str:
    return f"{'critical ' if line.is_critical else ''}{'success' if line.success else 'failure'}"


def _mismatch(line: RollLine, expected: JsonObject, roll: Effect, page: AnnotatedText, severity: Severity) -> Finding:
    span = _span(page, line.first, line.past)
    return Finding(FindingKind.MISMATCH, roll.tool, expected, dict(roll.shown), severity, span)


def _all_numbers(page: AnnotatedText) -> frozenset[int]:
    deeds = (deed for kind in ROLLS for deed in page.of_kind(kind) if deed.applied)
    return frozenset(number for deed in deeds for number in deed.amounts)


def _span(page: AnnotatedText, first: int, past: int) -> tuple[int, int]:
    return page.voice[first].start, page.voice[past - 1].end


# the order of a fight


def _order(reading: ClauseView, stated: set[int]) -> Iterator[Finding]:
    """Yield wrong results in "Initiative: Ada 17, Grell 12"."""
    page = reading.page
    first = next((i for i in range(len(reading.words)) if reading.has("initiative", i)), None)
    if first is None or not reading.clause.asserts(first):
        return
    place = page.place_of(reading.words[first].start)
    known = {deed.total for deed in page.rolls() if "initiative" in deed.what} | page.rolled
    if page.scene.fight is not None:
        known |= set(page.scene.fight.initiatives)
    for i in range(place + 1, min(place + _MAX_IN_ORDER, len(page.voice))):
        mention = page.people.at(page.voice, i)
        at = mention.past if mention else i
        while mention and at < len(page.voice) and (page.is_mark(at) or page.has_voice("initiative_rolls", at)):
            at += 1
        value = page.lexicon.number(page.voice[at]) if mention and at < len(page.voice) else None
        if value is not None and value not in known and page.is_asserted(page.voice[at]):
            stated.add(page.voice[at].start)
            yield _invented(page, value, _span(page, i, at + 1))
            return


# statements in a clause


def _judge(reading: ClauseView, at: int, number: int) -> Iterator[Finding]:
    value = reading.lexicon.number(reading.words[number])
    is_natural = any(reading.has("natural", i) for i in range(max(number - 2, 0), number))
    if value is not None and value not in (reading.page.naturals if is_natural else reading.page.rolled):
        yield _invented(reading.page, value, reading.span(at, number + 1))


def _invented(page: AnnotatedText, value: int, span: tuple[int, int]) -> Finding:
    kind = FindingKind.INVENTED_ROLL
    faces = {"faces": list((page.scene.faces or sorted(page.rolled))[:_SHOWN])}
    return Finding(kind, None, {"face": value}, faces, SEVERITY[kind], span)


def _false_total(page: AnnotatedText, value: int, rolls: Sequence[Effect], span: tuple[int, int]) -> Finding:
    """Return that no roll came to `value`; where one roll is meant, with its total."""
    finding = _invented(page, value, span)
    roll = dict(rolls[0].shown) if len(rolls) == 1 else {}
    return replace(finding, expected={"total": value}, actual={**roll, **(finding.actual or {})})


def _result(reading: ClauseView, at: int) -> int | None:
    """Return the place of the number that the words from `at` on give as a result, or None."""
    if reading.is_verb("roll", at) and not reading.is_command(at):
        return _number_after(reading, at + 1, "roll_fillers")
    if reading.has("dice", at) and (reading.has("roll_verbs", at + 1) or _colon(reading, at + 1)):
        return _number_after(reading, at + 2, "roll_gap")
    if _is_check(reading, at) and (reading.has("comes", at + 1) or _heads(reading, at)):
        return _number_after(reading, at + 2, "roll_gap")
    if reading.has("got", at):
        number = _number_after(reading, at + 1, "roll_fillers")
        is_roll = _speaks_of_dice(reading) or _is_only_dice(reading.page)
        is_roll = is_roll or (reading.has("indefinite", at + 1) and _does_only_roll(reading.page))
        return number if number and (is_roll or _is_on_check(reading, number + 1)) else None
    if reading.lexicon.number(reading.words[at]) is not None and reading.words[max(at - 1, 0)].norm not in ("+", "-"):
        is_to_hit = reading.has("infinitive", at + 1) and reading.has("hit_verb", at + 2)
        return at if (is_to_hit or _is_on_check(reading, at + 1)) and not _is_target(reading, at) else None
    if reading.has("natural", at):
        return _number_after(reading, at + 1, "roll_fillers")
    return None


def _is_check(reading: ClauseView, at: int) -> bool:
    """Whether "perception check" ends at `at`: not its difficulty, nor a passive one, which takes no roll."""
    is_own = any(mention.owner and reading.noun_after(mention) == at for mention in reading.mentions)
    if not (reading.has("checks", at) and (reading.has("roll_checks", at - 1) or is_own)):
        return False
    return not any(reading.has("roll_fixed", i) for i in range(at))


def _heads(reading: ClauseView, at: int) -> bool:
    """Whether the check that ends at `at` is the heading of what it came to: "Stealth check: 17"."""
    return _colon(reading, at + 1) and not any(reading.lexicon.forms(word) for word in reading.words[: at - 1])


def _is_on_check(reading: ClauseView, at: int) -> bool:
    """Whether "on the stealth check" begins at `at`: not a passive one, which takes no roll."""
    named = range(at + 1, min(at + 1 + _REACH, len(reading.words)))
    past = next((i for i in named if reading.has("checks", i)), at)
    if past == at and reading.has("on", at) and reading.has("roll_checks", at + 1) and reading.is_end(at + 2):
        past = at + 1
    return reading.has("on_for", at) and past > at and not any(reading.has("roll_fixed", i) for i in range(at, past))


def _is_target(reading: ClauseView, at: int) -> bool:
    return any(reading.has("roll_fixed", i) for i in range(at))


def _is_own_roll(reading: ClauseView, at: int) -> bool:
    """Whether a roll that was made is meant: "your roll of 17 beats the lock", not "a roll of 17"."""
    return reading.has("dice", at) and any(m.owner and reading.noun_after(m) == at for m in reading.mentions)


def _speaks_of_dice(reading: ClauseView) -> bool:
    return reading.page.said_in(reading.clause.sentence, "dice")


def _colon(reading: ClauseView, at: int) -> bool:
    return at < len(reading.words) and reading.words[at].norm in (":", "=")


def _number_after(reading: ClauseView, at: int, fillers: str) -> int | None:
    end = min(at + _REACH, len(reading.words))
    found = next((i for i in range(at, end) if not (reading.has(fillers, i) or _colon(reading, i))), end)
    if found >= end or reading.lexicon.number(reading.words[found]) is None:
        return None
    return found if _closes(reading, found + 1) else None


def _closes(reading: ClauseView, at: int) -> bool:
    """Whether a number that ends here is a result: not "20 feet", "3 dice" or "5 to 6"."""
    if reading.has("infinitive", at):
        return reading.has("hit_verb", at + 1)
    return reading.is_end(at) or reading.has("roll_after", at)
