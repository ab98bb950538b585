"""Text in prompts: the engine's own is inserted as it is, all other text is quoted.

A template value is quoted unless it is known to be the engine's, so that no template can forget to quote. World
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
    """Return text on separate lines, each behind `> `, and a blank one; invisible characters are made visible."""
    return Ours("".join(f"{f'> {terminal_safe(line)}'.rstrip()}\n" for line in text.splitlines() or [""]))


def each(texts: Iterable[str]) -> Ours:
    """Return texts one after the other, each quoted."""
    return Ours(", ".join(map(quoted, texts)))


def word(text: str) -> Ours:
    """Return one of the words of the game without quotation marks.

    Raises:
        ValueError: when it does not look like one, and so may be untrusted text.
    """
    if not _WORD.fullmatch(text):
        raise ValueError(f"{text!r} is no word of the game")
    return Ours(text.replace("_", " "))


def shown(value: Any) -> str:
    """Return a value for a prompt: numbers and the engine's own text unchanged, all other text quoted.

    Raises:
        TypeError: for a value that must not be shown, such as None where a value was expected.
    """
    if isinstance(value, Ours) or type(value) is int:
        return str(value)
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, Sequence) and all(type(face) is int for face in value):
        return json.dumps(list(value))
    raise TypeError(f"{type(value).__name__} cannot be shown in a prompt")
