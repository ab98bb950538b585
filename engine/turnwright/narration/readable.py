"""Whether a text is in a language that the check of narrations has words for.

Source: docs/stages/4-conflicts.md, "Languages".
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import NamedTuple

from turnwright.language.shown import shown
from turnwright.language.tokens import regions_of

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_MAX_COUNT = 2000
"""How many characters are looked at."""
_TELLING_LETTERS = 8
"""How many letters of another script make a text one in that script."""
_TELLING_WORDS = 3
"""How many small words of another language tell that a text is in it."""
_LONG = 8
"""How many words of a text cannot all be names or spells."""


class _SmallWords(NamedTuple):
    """The small words of the language that is read, its clitics, and the small words that only others have."""

    own: frozenset[str]
    clitics: frozenset[str]
    others: Mapping[str, frozenset[str]]


def can_read(text: str) -> bool:
    """Return whether the check of narrations can read a text: today, whether it is English.

    A text that shows no language counts as one that can be read: a few words, names, spells.
    """
    text = _unquoted(shown(text[:_MAX_COUNT]).text)
    if not text.isascii() and _is_in_another_script(text):
        return False
    words = _WORD.findall(text)
    small = _small_words()
    folded = [word.lower().replace("’", "'") for word in words]
    own = sum(word in small.own or _contracted(word, small.clitics) in small.own for word in folded)
    best = max(sum(map(other.__contains__, folded)) for other in small.others.values())
    if best > own and best >= (_TELLING_WORDS if own else _TELLING_WORDS - 1):
        return False
    # Names and spells have capitals: many words without capitals, and no function word of English, are not English.
    return own > 0 or sum(word[0].islower() for word in words) < _LONG


def _contracted(word: str, clitics: frozenset[str]) -> str:
    """Return the word that a clitic is joined to: "there" of "there's"."""
    base, _, clitic = word.partition("'")
    return base if clitic in clitics else word


def _unquoted(text: str) -> str:
    """Return a text without its quotations, where others may speak; the whole text where it is only quotations."""
    kept, past = [], 0
    for region in regions_of(text):
        if region.quoted:
            kept.append(text[past : region.start])
            past = region.end
    kept.append(text[past:])
    told = " ".join(kept)
    return told if len(_WORD.findall(told)) >= _TELLING_WORDS else text


def _is_in_another_script(text: str) -> bool:
    letters = [letter for letter in text if letter.isalpha()]
    foreign = sum(not _is_latin(letter) for letter in letters)
    return 2 * foreign > len(letters) and (foreign >= _TELLING_LETTERS or foreign == len(letters))


def _is_latin(letter: str) -> bool:
    return letter.isascii() or unicodedata.name(letter, "").startswith("LATIN")


@cache
def _small_words() -> _SmallWords:
    source = resources.files("turnwright.language").joinpath("words", "languages.json")
    data = json.loads(source.read_text(encoding="utf-8"))
    lists = {name: frozenset(words.split()) for name, words in data["words"].items()}
    own = lists.pop(data["read"])
    shared = own | frozenset(data["besides"].split())
    elsewhere = frozenset().union(*lists.values())
    clitics = frozenset(data["clitics"].split())
    return _SmallWords(own - elsewhere, clitics, {name: words - shared for name, words in lists.items()})
