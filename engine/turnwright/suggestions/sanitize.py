"""Text of players on its way into a prompt: bounded, and without what could end a line or begin a heading."""

from __future__ import annotations

import unicodedata

MAX_LENGTH = 60
"""The most characters of one value."""
_REMOVED = frozenset("`#|<>[]{}*_~\\")
_KEPT = frozenset("_")


def safe(value: object) -> str:
    """Return a value as one line may contain it: no control characters, line breaks, backticks or `#`."""
    text = "".join(" " if _is_control(char) else char for char in str(value) if char not in _REMOVED or char in _KEPT)
    return " ".join(text.split())[:MAX_LENGTH]


def _is_control(char: str) -> bool:
    return unicodedata.category(char) in ("Cc", "Cf", "Zl", "Zp", "Cs", "Co", "Cn")
