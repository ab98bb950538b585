"""Loose hit point numbers: find what each can count, so that one no person has or lost stands out.

The frames of `_hp_wording` and `standing` know person and meaning. This reads only the number and its unit, or a
place for such a number ("down to three", "Ada four, Bran two"); any person named nearby may be meant.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations

from turnwright.narration.claims._clause_reader import ClauseView
from turnwright.narration.claims._document import AnnotatedText
from turnwright.narration.facts import Effect, EffectKind

_REACH = 3
"""How many words may stand between a number and its unit."""
_MAX_SUM = 6


class Role(StrEnum):
    """What a number counts: points that a person has, points lost or regained, or either of them."""

    LEVEL = "level"
    CHANGE = "change"
    POINTS = "points"


@dataclass(frozen=True, slots=True)
class Loose:
    """A number of hit points, by its place in the clause; the words about it end before `past`."""

    amount: int
    role: Role
    first: int
    past: int
    who: frozenset[str]
    """All people who may be meant; empty for any person near."""


def loose_numbers(reading: ClauseView) -> Iterator[Loose]:
    """Yield the numbers of a clause that count hit points, as far as its words or its form say so."""
    words = range(len(reading.words))
    if any(reading.has("loose_not", i) for i in words):
        return
    # Behind a thing that is counted, numbers count things.
    thing = next((i for i in words if reading.has("objects", i)), len(words))
    for at in words[: thing + 1]:
        amount = _number(reading, at)
        if amount is None or not reading.states(at) or _is_other(reading, at):
            continue
        unit, past = _unit(reading, _past_most(reading, at))
        role = None
        if unit is not None:
            if reading.has("from", past):
                continue  # "3 HP from the top" are lost, not left
            is_level = unit is Role.POINTS and _is_level(reading, at, past)
            role = Role.LEVEL if is_level else Role.CHANGE if _is_signed(reading, at) else unit
        elif _is_bare_level(reading, at):
            role, past = Role.LEVEL, at + 1
        elif _is_bare_change(reading, at) or _is_labelled(reading, at):
            role, past = Role.CHANGE, at + 1
        if role is not None:
            yield Loose(amount, role, at, past, reading.about(at) | reading.named(at))


def _number(reading: ClauseView, at: int) -> int | None:
    if reading.has("last_one", at) and reading.has("hit_points", at + 1):
        return 1
    return reading.lexicon.number(reading.words[at])


def _past_most(reading: ClauseView, at: int) -> int:
    """Return the end of a number told with its maximum: "20 of her 20"; otherwise the place behind the number."""
    near = range(at + 2, min(at + 4, len(reading.words))) if reading.has("of", at + 1) else range(0)
    return next((i + 1 for i in near if _number(reading, i) is not None), at + 1)


def _unit(reading: ClauseView, at: int) -> tuple[Role | None, int]:
    """Return what the words behind a number say it counts, and where they end."""
    if reading.has("points", at) and (reading.ends_phrase(at + 1) or reading.has("particles", at + 1)):
        return Role.CHANGE, at + 1
    for i in range(at, min(at + 1 + _REACH, len(reading.words))):
        if reading.has("hit_points", i) and reading.has("points", i + 1):
            return Role.POINTS, i + 2
        if reading.has("hp_units", i) and reading.words[i].norm != "health":
            return Role.POINTS, i + 1
        if reading.has("harm_units", i) or reading.has("harm_kinds", i):
            return Role.CHANGE, i + 1
        if not (reading.has("fillers", i) or reading.has("of", i) or reading.has("state_left", i)):
            break
    return None, at


def _is_signed(reading: ClauseView, at: int) -> bool:
    """Whether a number has a sign, and is not part of a sum: "-5 HP"."""
    return bool(at) and reading.words[at - 1].norm in ("-", "−", "+") and (at < 2 or _number(reading, at - 2) is None)


def _is_other(reading: ClauseView, at: int) -> bool:
    """Whether a number is not an amount by itself: part of a sum or ratio, or a count of something else."""
    if any(reading.has("loose_about", i) for i in range(max(at - 2, 0), at)):
        return True
    if reading.has("of", at - 1) and at > 1 and _number(reading, at - 2):
        return True
    before = reading.words[at - 1].norm if at else ""
    behind = reading.words[at + 1].norm if at + 1 < len(reading.words) else ""
    is_part = before in ("+", "-", "−", "/", "plus", "minus") and not _is_signed(reading, at)
    return is_part or behind in ("+", "/", "plus", "minus", "x")


def _is_level(reading: ClauseView, at: int, past: int) -> bool:
    back = at - 1
    while back > 0 and (reading.has("fillers", back) or reading.lexicon.is_adverb(reading.words[back])):
        back -= 1
    if any(reading.has("state_left", i) for i in (at + 1, past)):
        return True
    if reading.has("shows_it", back - 1) or reading.has("it", back - 1):
        return False  # "that's seven for her"
    return any(reading.has(name, back) for name in ("level_before", "level_verbs"))


def _is_bare_level(reading: ClauseView, at: int) -> bool:
    """Whether a number without a unit tells how many hit points are left: "down to three", "two left"."""
    page = reading.page
    if not (page.of_kind(EffectKind.HP) or page.scene.fight is not None):
        return False
    past = at + 2
    if reading.has("infinitive", past) and reading.has("left_to", past + 1):
        past += 2  # "three left to lose"
    is_over = reading.is_end(past) or reading.has("left_after", past)  # "nine left after that", "one left on the wolf"
    if reading.has("state_left", at + 1) and is_over:
        return not any(reading.has("denominations", i) for i in range(at))
    is_for = reading.has("for", at + 1) and any(reading.names_person(i) for i in (at + 2, at + 3))
    if not (reading.is_end(at + 1) or reading.has("level_tail", at + 1) or is_for):
        return False
    first = at
    while reading.has("level_fillers", first - 1):
        first -= 1
    is_persons = reading.has("level_at_words", first - 1) and any(m.past == first - 1 for m in reading.mentions)
    return is_persons or reading.lexicon.phrases["level_at"].ends_at(reading.words, first)


def _is_labelled(reading: ClauseView, at: int) -> bool:
    """Whether a number without a unit is noted as harm or healing: "Damage dealt: 9", "heals +9"."""
    if not reading.ends_phrase(at + 1) and reading.words[at + 1].norm != "(":
        return False
    labels = any(reading.has(name, i) for name in ("harm_units", "heal_labels") for i in range(max(at - 5, 0), at))
    return labels and (reading.words[at - 1].norm == ":" or _is_signed(reading, at))


def _is_bare_change(reading: ClauseView, at: int) -> bool:
    """Whether a number without a unit tells how many were lost or regained: "he's healed for seven"."""
    if not (reading.has("for", at - 1) and reading.ends_phrase(at + 1)) or reading.has("charges", at - 2):
        return False
    if any(reading.is_verb(group, i) for group in ("hp.heal", "hp.hit") for i in range(at - 1)):
        return True
    is_of_hp = reading.page.of_kind(EffectKind.HP) or reading.page.scene.fight is not None
    return bool(is_of_hp) and reading.is_end(at + 1) and not reading.page.of_kind(EffectKind.GOODS)


def numbers_of(page: AnnotatedText, ids: Collection[str], role: Role, *, may_be_before: bool) -> frozenset[int]:
    """Return every number that a text may give for hit points of these people in a role."""
    people = [person for person in page.scene.people if person.id in ids]
    deeds = [deed for deed in page.of_kind(EffectKind.HP) if deed.applied and (deed.who is None or deed.who in ids)]
    levels: set[int | None] = {person.hp for person in people} | {deed.total for deed in deeds}
    changes = _changes(deeds)
    if role is not Role.LEVEL or may_be_before:
        levels |= {person.hp_was for person in people}
        levels |= {deed.total - (deed.delta or 0) for deed in deeds if deed.total is not None}
    if role is Role.LEVEL:
        return frozenset(number for number in levels if number is not None)
    if role is Role.POINTS:
        changes = changes | levels | {person.max_hp for person in people}
    return frozenset(number for number in changes if number is not None)


def _changes(deeds: Collection[Effect]) -> set[int | None]:
    found: set[int | None] = {number for deed in deeds for number in deed.amounts}
    own = [abs(deed.delta or 0) for deed in deeds if not deed.is_net][:_MAX_SUM]
    return found.union([sum(own)] if own else [], map(sum, combinations(own, 2)))
