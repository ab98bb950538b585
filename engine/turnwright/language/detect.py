"""Detect the language of a message: by its script, else by function words that only one language has."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import NamedTuple

from turnwright.model.data import load

_WORD = re.compile(r"[^\W\d_]+")
_MAX_COUNT = 400
DEFAULT = "en"


class Signs(NamedTuple):
    """The evidence that a short text is in a language.

    Attributes:
        words: function words, in lower case, that other languages do not have.
        letters: letters beyond ASCII that other languages do not have.
    """

    words: frozenset[str]
    letters: str = ""


_NO_SIGNS: Mapping[str, Signs] = MappingProxyType({})


def language_of(text: str, default: str = DEFAULT, more: Mapping[str, Signs] = _NO_SIGNS) -> str:
    """Return the language of a text; `default` without evidence, or if no other language has more of it.

    Reads no more than the first few hundred characters.

    Args:
        text: the message.
        default: the expected language.
        more: the signs of further languages, by language code; entries for built-in languages are ignored.
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
    signs = {**_known_signs(), **{name: one for name, one in more.items() if name not in _known_signs()}}
    words = _WORD.findall(text.lower())
    counts = {name: sum(map(one.words.__contains__, words)) for name, one in signs.items()}
    if not text.isascii():
        for name, one in signs.items():
            counts[name] += sum(map(text.count, one.letters))
    best = max(counts.values())
    winners = [name for name, count in counts.items() if count == best]
    return default if best == 0 or default in winners else winners[0]


@cache
def _known_signs() -> Mapping[str, Signs]:
    rows = load("suggest/languages")
    letters = rows["letters"]
    return {name: Signs(frozenset(words.split()), letters.get(name, "")) for name, words in rows["small_words"].items()}
