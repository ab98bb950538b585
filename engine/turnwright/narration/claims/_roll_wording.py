"""How game masters write a roll: "Rolling Perception... 19 vs DC 12 - success!", "Attack: 14 + 5 = 19, hit".

Such a line runs across clauses and sentences, so it is read from the words of the whole text in their order.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from turnwright.narration.claims._document import AnnotatedText
from turnwright.narration.facts import ROLLS, EffectKind

_DIE = re.compile(r"\d{0,3}d\d{1,3}")
_MAX_COUNT = 18
"""How many words and marks a value may take: "(disadvantage: 15, 10) + 3 = 13"."""
_CHECKED = (EffectKind.CHECK, EffectKind.SAVE, EffectKind.DEATH_SAVE)
_GAP = 5
_REACH = 6


@dataclass(frozen=True, slots=True)
class RollLine:
    """A roll as a line states it. Places count words of `Page.voice`; the words end before `past`.

    Attributes:
        kinds: what may have been rolled; empty for damage.
        words: the skill or ability, if the line names one.
        numbers: the places of its results: the roll and its total.
        target: the difficulty or armor class it is compared with, if the line gives one.
        success: the outcome, if the line states it.
        is_critical: whether it says that it was a critical one.
        who: the roller; empty where the line does not say.
    """

    kinds: tuple[EffectKind, ...]
    words: frozenset[str]
    numbers: tuple[int, ...]
    target: int | None
    success: bool | None
    is_critical: bool
    who: frozenset[str]
    first: int
    past: int
    is_plain: bool
    """Whether it says no more than a word and a number, so that something else may be meant."""


@dataclass(frozen=True, slots=True)
class _Label:
    """The roll that a line names. `is_plain`: a bare word, which may be a heading of something else."""

    kinds: tuple[EffectKind, ...]
    words: frozenset[str]
    past: int
    is_plain: bool = False


def roll_lines(page: AnnotatedText, first: int, past: int) -> Iterator[RollLine]:
    """Yield the rolls whose name begins between two places of the text."""
    at = first
    while at < past:
        line = _line_at(page, at)
        if line:
            yield line
        at = max(line.past, at + 1) if line else at + 1


def _line_at(page: AnnotatedText, at: int) -> RollLine | None:
    label = _label_at(page, at)
    if label is None or _is_fixed(page, at):
        return None
    start = _past_gap(page, label.past)
    target, start = _target_at(page, start)
    start = _past_gap(page, start) if target is not None else start
    numbers, total, past = _value_at(page, start, is_damage=not label.kinds)
    if not all(page.is_asserted(page.voice[i]) for i in numbers):
        return None
    behind, past = _target_at(page, _past_marks(page, past))
    target = target if behind is None else behind
    success, is_critical, past = _outcome_at(page, past)
    if _is_rule(page, at, past):
        return None
    if not numbers and (success is None or (label.is_plain and not _is_heading(page, label.past))):
        return None
    is_told = target is not None or success is not None or total or _is_rolling(page, at)
    who, end = _whose(page, at), max(past, label.past, *(number + 1 for number in numbers))
    is_plain = label.is_plain and not is_told
    return RollLine(label.kinds, label.words, numbers, target, success, is_critical, who, at, end, is_plain)


# what is rolled


def _label_at(page: AnnotatedText, at: int) -> _Label | None:
    """Return what the words from `at` on say is rolled: "Stealth check", "DEX save", "attack", "death save", "d20"."""
    has = page.has_voice
    if has("roll_death", at) and _past_check(page, at + 1) > at + 1:
        return _Label((EffectKind.DEATH_SAVE,), frozenset(), _past_check(page, at + 1))
    if has("roll_checks", at) or has("roll_abilities", at):
        return _of_skill(page, at)
    if has("roll_attacks", at):
        past = at + 1 + has("dice", at + 1)
        return _Label((EffectKind.ATTACK,), frozenset(), past, is_plain=True)
    if has("damage_label", at):
        return _Label((), frozenset(), at + 1 + has("dice", at + 1), is_plain=True)
    if has("saving", at) and _past_check(page, at + 1) > at + 1:
        return _Label((EffectKind.SAVE, EffectKind.DEATH_SAVE), frozenset(), _past_check(page, at + 1))
    if _is_die(page, at) and not _is_die(page, at - 1):
        past = at + 1
        while page.norm(past) in ("+", "-", "−") and _number(page, past + 1) is not None:
            past += 2
        return _Label(ROLLS, frozenset(), past, is_plain=not page.is_mark(past) or page.norm(past) == "(")
    if _number(page, at) is not None and page.norm(at - 1) not in ("+", "-", "−", "=", "/"):
        return _of_target(page, at)
    return None


def _of_target(page: AnnotatedText, at: int) -> _Label | None:
    """Return what is rolled where only what it is held against tells: "18 vs AC 14, hit"."""
    past = at + 1
    if not page.has_voice("versus", past):
        return None
    told = next((i for i in range(past + 1, past + 5) if page.has_voice("targets", i)), None)
    if told is None or _is_fixed(page, at):
        return None
    is_attack = page.has_voice("armor_targets", told)
    return _Label((EffectKind.ATTACK,) if is_attack else _CHECKED, frozenset(), at)


def _number(page: AnnotatedText, at: int) -> int | None:
    return page.lexicon.number(page.voice[at]) if 0 <= at < len(page.voice) else None


def _of_skill(page: AnnotatedText, at: int) -> _Label:
    """Return a check or save: "Dexterity (Stealth) check", "Sleight of Hand", "WIS save"."""
    words, past = set[str](), at
    while page.has_voice("roll_checks", past) or page.has_voice("roll_abilities", past):
        word = page.voice[past].sign
        words.add(page.lexicon.abilities.get(word, word))
        past += 1
        if page.norm(past) == "of" and page.has_voice("roll_checks", past + 1):
            past += 1
        while page.norm(past) in ("(", ")", "/"):
            past += 1
    end = _past_check(page, past)
    is_save = any(page.has_voice("saves", i) for i in range(past, end))
    kinds = (
        (EffectKind.SAVE,) if is_save else (EffectKind.CHECK,) if end > past else (EffectKind.CHECK, EffectKind.SAVE)
    )
    return _Label(kinds, frozenset(words), end, is_plain=end == past)


def _past_check(page: AnnotatedText, at: int) -> int:
    """Return where "check", "saving throw" or "roll" ends that begins at `at`; `at` for none."""
    past = at + page.has_voice("saving", at)
    while page.has_voice("checks", past) or page.has_voice("dice", past):
        past += 1
    return past


def _is_die(page: AnnotatedText, at: int) -> bool:
    return 0 <= at < len(page.voice) and _DIE.fullmatch(page.voice[at].norm) is not None


def _is_rolling(page: AnnotatedText, at: int) -> bool:
    """Whether "rolling (for)" comes before the roll's name."""
    near = range(max(at - 3, 0), at)
    return any(page.has_voice("rolling", i) for i in near)


def _is_heading(page: AnnotatedText, at: int) -> bool:
    """Whether a word is the heading of an outcome: "Perception: failed", "Insight success"."""
    is_noun = page.has_voice("outcome_noun_good", at) or page.has_voice("outcome_noun_bad", at)
    return is_noun or page.norm(at) == ":"


def _is_fixed(page: AnnotatedText, at: int) -> bool:
    """Whether it is not a roll: a difficulty, or a passive value, which takes no roll."""
    for i in range(at - 1, max(at - 1 - _REACH, -1), -1):
        if page.voice[i].is_stop or page.has_voice("roll_fixed", i):
            return not page.voice[i].is_stop
    return False


def _is_rule(page: AnnotatedText, first: int, past: int) -> bool:
    """Whether the text states the needed number, not the roll: "a check of 15 is required"."""
    return any(page.has_voice("roll_wanted", i) for i in range(max(first - 3, 0), past + 3))


def _whose(page: AnnotatedText, at: int) -> frozenset[str]:
    """Return the roller of the roll named at `at`: the only person named before it in its line."""
    found: set[str] = set()
    for i in range(at - 1, max(at - 1 - _REACH, -1), -1):
        if page.voice[i].is_stop and not page.norm(i).startswith("..") and i < at - 1:
            break
        mention = page.people.at(page.voice, i)
        if mention and mention.past <= at:
            found |= mention.ids
        elif (page.has_voice("you", i) or page.has_voice("your", i)) and page.scene.acting is not None:
            found.add(page.scene.acting)
    return frozenset(found) if len(found) == 1 else frozenset()


# what it came to


def _past_gap(page: AnnotatedText, at: int) -> int:
    """Return where the text after a label begins: "check: ", "check... ", "check of ", "check comes to a "."""
    if page.has_voice("for", at) and (
        mention := page.people.at(page.voice, at + 1) if at + 1 < len(page.voice) else None
    ):
        at = mention.past
    for i in range(at, at + _GAP):
        if not (page.is_mark(i) or page.has_voice("roll_between", i)) or page.norm(i) == "\n" or _is_signed(page, i):
            return i
    return at + _GAP


def _past_marks(page: AnnotatedText, at: int) -> int:
    while page.is_mark(at) and page.norm(at) != "\n":
        at += 1
    return at


def _is_signed(page: AnnotatedText, at: int) -> bool:
    """Whether there is a sign at `at` that makes the number behind it a bonus: "+5"."""
    return (
        page.norm(at) in ("+", "-", "−") and at + 1 < len(page.voice) and page.voice[at].end == page.voice[at + 1].start
    )


def _value_at(page: AnnotatedText, at: int, *, is_damage: bool) -> tuple[tuple[int, ...], bool, int]:
    """Return the places of the results in a value from `at` on, whether it adds up, and where it ends.

    A modifier is not a result; nor is a number that counts something else ("20 feet").
    """
    numbers: list[int] = []
    depth, adds_up, i = 0, False, at
    while i < min(at + _MAX_COUNT, len(page.voice)):
        word = page.voice[i]
        number = page.lexicon.number(word)
        if number is not None:
            if page.norm(i - 1) == "=":
                adds_up = True
                numbers.append(i)
            elif page.norm(i - 1) not in ("+", "-", "−", "plus", "minus") or not _is_added(page, i, numbers):
                numbers.append(i)
        elif word.norm in ("(", "["):
            depth += 1
        elif word.norm in (")", "]"):
            depth -= 1
        elif not (_joins(page, i) or (depth > 0 and word.norm in (",", "/"))):
            break
        i += 1
    if numbers and not _closes(page, numbers[-1] + 1, is_damage=is_damage):
        return (), False, i
    return tuple(numbers), adds_up, i


def _joins(page: AnnotatedText, at: int) -> bool:
    """Whether the word or mark at `at` is a part of a value, between its numbers."""
    if page.norm(at) in ("+", "−", "=", ":") or _is_die(page, at) or page.has_voice("roll_parts", at):
        return True
    return page.norm(at) == "-" and _is_minus(page, at)


def _is_added(page: AnnotatedText, at: int, numbers: list[int]) -> bool:
    """Whether the number at `at`, preceded by a sign, is added to something: a number, a die, a bracket."""
    return bool(numbers) or page.norm(at - 1) in ("plus", "minus") or _is_die(page, at - 2) or _is_signed(page, at - 1)


def _is_minus(page: AnnotatedText, at: int) -> bool:
    following = page.voice[at + 1] if at + 1 < len(page.voice) else None
    return following is not None and page.lexicon.number(following) is not None


def _closes(page: AnnotatedText, at: int, *, is_damage: bool) -> bool:
    """Whether a number that ends here is a result."""
    if (
        at >= len(page.voice)
        or page.is_mark(at)
        or page.has_voice("roll_after", at)
        or page.has_voice("roll_parts", at)
    ):
        return page.norm(at) not in ("/", "%")
    told = page.has_voice("outcome_good", at) or page.has_voice("outcome_bad", at) or page.has_voice("targets", at)
    return told or (is_damage and (page.has_voice("fillers", at) or page.has_voice("harm_units", at)))


def _target_at(page: AnnotatedText, at: int) -> tuple[int | None, int]:
    """Return what a roll is held against by the words at `at`, "vs DC 12", "beats the AC of 15"; and where they end."""
    i = at
    for _ in range(_GAP):
        if page.has_voice("targets", i):
            number = next((k for k in range(i + 1, i + 4) if not (page.is_mark(k) or page.has_voice("of", k))), i)
            value = page.lexicon.number(page.voice[number]) if number < len(page.voice) else None
            return (value, _past_marks(page, number + 1)) if value is not None else (None, at)
        if not (page.has_voice("against", i) or page.has_voice("target_fillers", i) or page.is_mark(i)):
            break
        i += 1
    return None, at


def _outcome_at(page: AnnotatedText, at: int) -> tuple[bool | None, bool, int]:
    """Return the outcome by the words at `at`, whether that is critical, and where they end."""
    is_critical = False
    for i in range(at, min(at + _REACH, len(page.voice))):
        good, bad = page.has_voice("outcome_good", i), page.has_voice("outcome_bad", i)
        if (good or bad) and page.is_asserted(page.voice[i]):
            return good, is_critical, i + 1
        if page.has_voice("critical", i):
            is_critical = True
        elif not (page.is_mark(i) or page.has_voice("outcome_fillers", i)) or page.norm(i) == "\n":
            break
    return None, False, at
