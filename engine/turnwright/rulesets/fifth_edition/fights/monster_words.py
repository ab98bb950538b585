"""Monsters as people list them: "goblin x 3, an ogre and two wolves"."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from turnwright.model.fuzzy_match import NUMBERS

if TYPE_CHECKING:
    from typing import NotRequired, TypedDict

    class CountedMonster(TypedDict):
        """Monsters of one name, as tools take them; without a count one is meant."""

        monster: str
        count: NotRequired[int]


_JOINS_OF_MONSTERS = re.compile(r"[,;&+]|\band\b|\bplus\b", re.IGNORECASE)
_TIMES = ("x", "\u00d7")
_ARTICLES = ("a", "an", "the")
_GROUPS = {"pair": 2, "couple": 2, "trio": 3, "dozen": 12}
_MAX_DIGITS_OF_COUNT = 6


def monsters_in(text: str) -> list[CountedMonster]:
    """Return the monsters that a list in words names.

    Raises:
        ValueError: when a part of it names none.
    """
    return [_counted(part) for part in _JOINS_OF_MONSTERS.split(text) if part.strip()]


def _counted(part: str) -> CountedMonster:
    words, count = part.split(), None
    if words[0].casefold() in _ARTICLES and len(words) > 1:
        words = words[1:]
    if (first := _number(words[0])) is not None:
        count, words = first, words[1:]
        words = words[1:] if words and words[0].casefold() in (*_TIMES, "of") else words
    elif (last := _number(words[-1])) is not None and words[-1].casefold() not in (*NUMBERS, *_GROUPS):
        count, words = last, words[:-1]
        words = words[:-1] if words and words[-1].casefold() in _TIMES else words
    if not words:
        raise ValueError(f"{part.strip()[:40]!r} names no monster")
    name = " ".join(words)
    return {"monster": name} if count is None else {"monster": name, "count": count}


def _number(word: str) -> int | None:
    """Return the number that a word is, as in `3`, `3x`, `x3`, `three` and `pair`; None for other words."""
    low = word.casefold()
    digits = low.strip("".join(_TIMES))
    if digits.isascii() and digits.isdecimal() and len(digits) <= _MAX_DIGITS_OF_COUNT:
        return int(digits)
    return NUMBERS.get(low, _GROUPS.get(low))
