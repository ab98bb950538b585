"""Words spelled loosely: which word of an enumeration was meant.

Tried in this order: the word itself; another spelling of it (case, blanks, hyphens, underscores); a synonym, whose
spelling may vary as much and no more; the word that is fewest edits away, if those are few and
the first letter is the same. An ambiguous guess does not count.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from functools import cache, lru_cache
from types import MappingProxyType
from typing import Literal, NamedTuple

from turnwright.model.data import load
from turnwright.model.edit_distance import edit_distance
from turnwright.model.fuzzy_match import nearest
from turnwright.model.vocabulary import CATEGORIES

How = Literal["case", "alias", "fuzzy"]
Synonyms = Mapping[str, Sequence[str]]
"""The synonyms of each word."""

DESTRUCTIVE = frozenset({"remove", "delete", "clear", "unlink", "end"})
"""Operations that a misspelling never selects."""

_NO_SYNONYMS: Synonyms = MappingProxyType({})
_SHORT, _EDITS_IN_SHORT, _EDITS = 5, 2, 3
"""Texts of up to so many letters may be so many edits off, longer ones so many."""
_SEPARATORS = re.compile(r"[\s_-]+")


class Match(NamedTuple):
    """The word that was meant, and how it was found; None when it was given exactly."""

    word: str
    how: How | None


class UnknownWord(Exception):
    """The text matches no word. `nearest` holds up to 20 words, the most similar first."""

    def __init__(self, nearest: Sequence[str]) -> None:
        self.nearest = tuple(nearest)
        super().__init__(f"none of the words; nearest are {', '.join(self.nearest)}")


class AmbiguousWord(Exception):
    """The text is as near to one word as to another. `candidates` holds them in the order of the list."""

    def __init__(self, candidates: Sequence[str]) -> None:
        self.candidates = tuple(candidates)
        super().__init__(f"could be any of {', '.join(self.candidates)}")


def match(category: str, text: str, *, among: Sequence[str] | None = None) -> Match:
    """Return the word of a category of `CATEGORIES` that was meant.

    Args:
        category: the category whose synonyms count.
        text: as it was given.
        among: the words to choose from, if they differ from those of the category.

    Raises:
        UnknownWord: if it is none of them.
        AmbiguousWord: if it could be more than one of them.
    """
    words = CATEGORIES[category] if among is None else tuple(among)
    found = _spelt(words, text) or _alias(words, text, _category_aliases(category))
    return found or _guess(words, text)


def match_in(words: Sequence[str], text: str, *, synonyms: Synonyms = _NO_SYNONYMS) -> Match:
    """Return the word of any list that was meant, such as names of operations; raises as `match` does.

    Destructive words are never found by edits.

    Args:
        words: the words to choose from.
        text: as it was given.
        synonyms: their synonyms.
    """
    words = tuple(words)
    found = _spelt(words, text) or _alias(words, text, _by_synonym(synonyms))
    return found or _guess(words, text, but=DESTRUCTIVE)


def spelling(text: str) -> str:
    """Return what remains of a word when case, blanks, hyphens and underscores do not matter."""
    return _SEPARATORS.sub("", text.lower())


def _spelt(words: tuple[str, ...], text: str) -> Match | None:
    if text in words:
        return Match(text, None)
    word = _by_spelling(words).get(spelling(text))
    return Match(word, "case") if word is not None else None


def _alias(words: tuple[str, ...], text: str, aliases: Mapping[str, str]) -> Match | None:
    word = aliases.get(spelling(text))
    return Match(word, "alias") if word in words else None


def _guess(words: tuple[str, ...], text: str, but: Collection[str] = ()) -> Match:
    """Return the one word that is fewest edits away, unless it is one of those that are never guessed."""
    given = text.strip().lower()
    most = _EDITS_IN_SHORT if len(given) <= _SHORT else _EDITS
    distances = {word: edits for word in words if (edits := edit_distance(given, word, most)) is not None}
    least = min(distances.values(), default=0)
    closest = [word for word, edits in distances.items() if edits == least]
    # Two edits make anything of three letters: at least half of the longer word has to stay.
    if not any(2 * least <= max(len(given), len(word)) for word in closest):
        raise UnknownWord(nearest(given, words))
    if len(closest) > 1:
        raise AmbiguousWord(closest)
    # A slip seldom is in the first letter; another one makes another word: ride, hide; conscious, unconscious.
    if closest[0] in but or closest[0][:1] != given[:1]:
        raise UnknownWord(nearest(given, words))
    return Match(closest[0], "fuzzy")


@lru_cache(maxsize=256)
def _by_spelling(words: tuple[str, ...]) -> Mapping[str, str]:
    return {spelling(word): word for word in words}


@cache
def _category_aliases(category: str) -> Mapping[str, str]:
    return _by_synonym(load("synonyms")[category])


def _by_synonym(synonyms: Synonyms) -> Mapping[str, str]:
    return {spelling(synonym): word for word, said in synonyms.items() for synonym in said}
