"""Measure the width of text, in terminal columns or ems, and cut it to fit."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable

from turnwright.render.escape import JOINERS

ELLIPSIS = "\u2026"
_NARROW = frozenset("ijlI.,:;'|!` ")
_SLIM = frozenset('frtJ()[]{}-/\\"*\u00b7')
_BROAD = frozenset("mwMWOQ@%")
_HUGE = frozenset("\u0bf5\ua9c5\ufdfa\ufdfd")

CharWidth = Callable[[str], float]


def column_width(char: str) -> int:
    """Count the terminal columns one character takes: 0, 1 or 2."""
    if char in JOINERS:
        return 0
    if unicodedata.category(char) in {"Mn", "Me"}:
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def em_width(char: str) -> float:
    """Estimate one character's width in ems, erring on the wide side of the usual sans-serif faces."""
    if column_width(char) != 1:
        return float(column_width(char)) / 2
    if char in _NARROW:
        return 0.33
    if char in _SLIM:
        return 0.46
    if char in _BROAD:
        return 1.0
    if char in _HUGE or "\U00012000" <= char <= "\U000123ff":
        return 5.0
    if char.isupper() and char < "\u0250":
        return 1.34 if char in "ÆŒǄ" else 0.78
    return 0.64 if char < "\u0250" else 1.0


def columns(text: str) -> int:
    """Count the terminal columns a text takes."""
    return sum(map(column_width, text))


def ems(text: str) -> float:
    """Estimate a text's width in ems."""
    return sum(map(em_width, text))


def clip(text: str, limit: float, char_width: CharWidth) -> str:
    """Return the text, or as much of its start as fits the limit together with an ellipsis."""
    return (
        text
        if sum(map(char_width, text)) <= limit
        else _head(text, limit - char_width(ELLIPSIS), char_width) + ELLIPSIS
    )


def wrap(text: str, limit: float, lines: int, char_width: CharWidth) -> list[str]:
    """Break a text into at most so many lines, at spaces where it has some; what does not fit ends in an ellipsis."""
    done: list[str] = []
    rest = text
    while len(done) < lines - 1 and sum(map(char_width, rest)) > limit:
        head = _head(rest, limit, char_width)
        cut = len(head) if rest[len(head) : len(head) + 1] == " " else head.rfind(" ")
        cut = cut if cut > 0 else len(head)
        done.append(rest[:cut])
        rest = rest[cut:].removeprefix(" ")
    return [*done, clip(rest, limit, char_width)]


def _head(text: str, limit: float, char_width: CharWidth) -> str:
    used = 0.0
    for index, char in enumerate(text):
        used += char_width(char)
        if used > limit:
            return text[:index]
    return text
