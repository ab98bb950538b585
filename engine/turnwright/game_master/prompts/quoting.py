"""Text in prompts: our own stands as it is, everybody else's is quoted.

A value that comes out of a template is quoted unless it is known to be ours, so that no template can forget it. World
text can neither begin a line nor end its quotation, and so never pose as a part of the prompt.
Source: docs/tools/scenes.md, "Prompts".
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from typing import Any

from turnwright.render.escape import HIDDEN, terminal_safe

_WORD = re.compile(r"[a-z]+(_[a-z]+)*")


class Ours(str):
    """Text written by us, or made harmless: it goes into a prompt as it is."""

    __slots__ = ()


def quoted(text: str) -> Ours:
    """Return text as one JSON string on one line; whatever hides itself is spelled as an escape."""
    spelt = json.dumps(text, ensure_ascii=False)
    return Ours(re.sub(HIDDEN, _escaped, spelt))


def _escaped(match: re.Match[str]) -> str:
    char = match[0]
    if "\ud800" <= char <= "\udfff":
        return f"\\u{ord(char):04x}"
    pairs = char.encode("utf-16-be")
    return "".join(f"\\u{pairs[at]:02x}{pairs[at + 1]:02x}" for at in range(0, len(pairs), 2))


def block(text: str) -> Ours:
    """Return text on lines of its own, each behind `> `, and a blank one; whatever hides itself is made visible."""
    return Ours("".join(f"{f'> {terminal_safe(line)}'.rstrip()}\n" for line in text.splitlines() or [""]))


def each(texts: Iterable[str]) -> Ours:
    """Return texts one after the other, each quoted."""
    return Ours(", ".join(map(quoted, texts)))


def word(text: str) -> Ours:
    """Return one of the words of the game without quotation marks.

    Raises:
        ValueError: when it does not look like one, and so may be anybody's.
    """
    if not _WORD.fullmatch(text):
        raise ValueError(f"{text!r} is no word of the game")
    return Ours(text.replace("_", " "))


def shown(value: Any) -> str:
    """Return a value as a prompt holds it: numbers and our own text as they are, all other text quoted.

    Raises:
        TypeError: for what nobody should see, such as None where a value was expected.
    """
    if isinstance(value, Ours) or type(value) is int:
        return str(value)
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, Sequence) and all(type(face) is int for face in value):
        return json.dumps(list(value))
    raise TypeError(f"{type(value).__name__} cannot be shown in a prompt")
