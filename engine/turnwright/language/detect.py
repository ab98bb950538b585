"""Which language a message is in: by its script, else by the small words that only one language has."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from turnwright.model.data import load

_WORD = re.compile(r"[^\W\d_]+")
_MAX_COUNT = 400
DEFAULT = "en"


def language_of(text: str, default: str | None = None) -> str:
    """Return the language of a text; where nothing tells, `default`, else English.

    Reads no more than the first few hundred characters.
    """
    text = text[:_MAX_COUNT]
    if not text.isascii():
        for character in text:
            if "\u3040" <= character <= "\u30ff":
                return "ja"
            if "\u0400" <= character <= "\u04ff":
                return "ru"
        if any("\u4e00" <= character <= "\u9fff" for character in text):
            return "zh"
    words = _WORD.findall(text.lower())
    counts = {name: sum(map(small.__contains__, words)) for name, small in _small_words().items()}
    if not text.isascii():
        for name, letters in load("suggest/languages")["letters"].items():
            counts[name] += sum(map(text.count, letters))
    best = max(counts.values())
    winners = [name for name, count in counts.items() if count == best]
    preferred = default if default in counts else DEFAULT
    return preferred if best == 0 or preferred in winners else winners[0]


@cache
def _small_words() -> Mapping[str, frozenset[str]]:
    return {name: frozenset(words.split()) for name, words in load("suggest/languages")["small_words"].items()}
