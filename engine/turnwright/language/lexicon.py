"""The word lists of one language, read once from `words/<language>.json`."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from itertools import product
from typing import Any, TypedDict

from turnwright.language.inflect import forms_of
from turnwright.language.tokens import Word

LANGUAGES = ("en",)
"""Languages that have a word list. Texts in any other are not analysed."""

_FORMS = ("third", "past", "gerund", "participle")
_BEHIND, _AHEAD = "^", "$"
_MAX_ADVERBS = 2
_MAX_LENGTH = 8


@dataclass(frozen=True, slots=True)
class Verb:
    """One spelling of a verb: its base form, and which forms are spelled this way."""

    lemma: str
    forms: frozenset[str]


class AdverbRow(TypedDict):
    """The same as the word list of a language has it; lists are texts with blanks between the words."""

    endings: str
    shortest: int
    in_phrases: str


@dataclass(frozen=True, slots=True)
class Adverbs:
    """The adverb spellings of a language.

    Attributes:
        endings: an ending that makes a word an adverb.
        shortest: the length from which an ending counts between two slots of a phrase.
        in_phrases: the adverbs without such an ending that may be between two slots of a phrase.
    """

    endings: tuple[str, ...] = ()
    shortest: int = 0
    in_phrases: frozenset[str] = frozenset()

    def is_in_phrase(self, word: Word) -> bool:
        """Return whether `word` changes nothing between two slots of a phrase."""
        return word.sign in self.in_phrases or (word.sign.endswith(self.endings) and len(word.sign) >= self.shortest)


class Phrases:
    """Fixed phrases, found word by word.

    A pattern is a row of slots: `a|b` any of these words, `a+` any form of the verb, `*` any word, `a?` optional. A
    first slot with `^` looks behind (start of the clause, or one of its words), a last slot with `$` ahead (end, a
    mark, or one of its words). Between two slots adverbs may stand that change nothing ("falls just short").
    """

    def __init__(self, patterns: Iterable[str], forms: Mapping[str, frozenset[str]], adverbs: Adverbs) -> None:
        self._by_first: dict[str, list[_Pattern]] = {}
        for pattern in patterns:
            for variant in _variants(pattern, forms, adverbs):
                for first in sorted(variant.slots[0]):
                    self._by_first.setdefault(first, []).append(variant)

    def length_at(self, words: Sequence[Word], at: int) -> int:
        """Return how many words the longest phrase beginning at `at` has, 0 for none."""
        patterns = self._by_first.get(words[at].sign)
        return max(pattern.matches(words, at) for pattern in patterns) if patterns else 0

    def ends_at(self, words: Sequence[Word], past: int) -> bool:
        """Return whether a phrase ends just before `past`."""
        begins = range(max(past - _MAX_LENGTH, 0), past)
        return any(pattern.matches(words, i) == past - i for i in begins for pattern in self._at(words[i]))

    def _at(self, word: Word) -> Sequence[_Pattern]:
        return self._by_first.get(word.sign, ())

    def find(self, words: Sequence[Word]) -> list[tuple[int, int]]:
        """Return `(first, past the last)` of every phrase, at most one for each first word."""
        begins = [i for i, word in enumerate(words) if word.sign in self._by_first]
        return [(i, i + length) for i in begins if (length := self.length_at(words, i))]

    def occur_in(self, words: Sequence[Word]) -> bool:
        """Return whether any phrase occurs."""
        return any(word.sign in self._by_first and self.length_at(words, i) for i, word in enumerate(words))

    @property
    def first_words(self) -> frozenset[str]:
        """Every word that a phrase can begin with."""
        return frozenset(self._by_first)


@dataclass(frozen=True, slots=True)
class _Pattern:
    slots: tuple[frozenset[str], ...]
    behind: frozenset[str] | None
    ahead: frozenset[str] | None
    adverbs: Adverbs

    def matches(self, words: Sequence[Word], at: int) -> int:
        if self.behind is not None and at > 0 and words[at - 1].sign not in self.behind:
            return 0
        end = at
        for slot in self.slots:
            end = self._past_adverbs(words, end, slot) if end > at else end
            if end >= len(words) or not _fills(slot, words[end]):
                return 0
            end += 1
        if self.ahead is not None and end < len(words) and not (words[end].is_mark or words[end].sign in self.ahead):
            return 0
        return end - at

    def _past_adverbs(self, words: Sequence[Word], at: int, slot: frozenset[str]) -> int:
        """Return where the next slot may be filled: behind a few adverbs, if the first of them does not fill it."""
        past, last = at, min(at + _MAX_ADVERBS, len(words))
        while past < last and not _fills(slot, words[past]) and self.adverbs.is_in_phrase(words[past]):
            past += 1
        return past


def _fills(slot: frozenset[str], word: Word) -> bool:
    return word.sign in slot or ("*" in slot and not word.is_mark)


def _variants(pattern: str, forms: Mapping[str, frozenset[str]], adverbs: Adverbs) -> list[_Pattern]:
    slots = pattern.split()
    behind = frozenset(slots.pop(0).split("|")) if _BEHIND in slots[0] else None
    ahead = frozenset(slots.pop().split("|")) if _AHEAD in slots[-1] else None
    choices = [((slot[:-1],), ()) if slot.endswith("?") and len(slot) > 1 else ((slot,),) for slot in slots]
    rows = (sum(row, ()) for row in product(*choices))
    return [_Pattern(tuple(_slot(slot, forms) for slot in row), behind, ahead, adverbs) for row in rows if row]


def _slot(slot: str, forms: Mapping[str, frozenset[str]]) -> frozenset[str]:
    found: set[str] = set()
    for word in slot.split("|"):
        lemma = word.removesuffix("+")
        found.update([word] if lemma == word else forms.get(lemma) or forms_of(lemma, {}, frozenset()))
    return frozenset(found)


@dataclass(frozen=True, slots=True)
class Lexicon:
    """All language-specific data: numbers, verb forms, groups of verbs, lists of words and of phrases.

    `abilities` maps abbreviations ("dex") to words, `multiples` maps a word to the factor for the number before it, and
    `skills` are groups of skills whose outcomes are described in the same words. `triggers` lists words by kind of
    claim: a clause without any of them cannot make such a claim, so the search stops early.
    """

    numbers: Mapping[str, int]
    verbs: Mapping[str, Verb]
    lemmas: Mapping[str, frozenset[str]]
    lists: Mapping[str, frozenset[str]]
    phrases: Mapping[str, Phrases]
    reflects: Mapping[str, frozenset[str]]
    abilities: Mapping[str, str]
    multiples: Mapping[str, int]
    skills: Mapping[str, frozenset[str]]
    triggers: Mapping[str, frozenset[str]]
    adverbs: Adverbs

    def has(self, name: str, word: Word) -> bool:
        """Return whether `word` is in the list `name`; a character's name never is."""
        return word.sign in self.lists[name]

    def is_adverb(self, word: Word) -> bool:
        """Return whether `word` may stand between a subject and its verb."""
        listed = word.sign in self.lists["adverbs"]
        return listed or (word.sign.endswith(self.adverbs.endings) and word.sign not in self.lists["not_adverbs"])

    def is_verb(self, word: Word, group: str) -> bool:
        """Return whether `word` is a form of a verb of `group`."""
        verb = self.verbs.get(word.sign)
        return verb is not None and verb.lemma in self.lemmas[group]

    def forms(self, word: Word) -> frozenset[str]:
        """Return the verb forms `word` can be; empty when it is not a verb."""
        verb = self.verbs.get(word.sign)
        return verb.forms if verb else frozenset()

    def knows(self, word: Word) -> bool:
        """Return whether `word` is a verb or in any list."""
        return word.sign in self.verbs or any(word.sign in one for one in self.lists.values())

    def number(self, word: Word) -> int | None:
        """Return the whole number `word` states in digits or words (up to ninety-nine), else None."""
        text = word.norm
        if text.isascii() and text.replace(",", "").isdigit():
            digits = text.replace(",", "")
            grouped = "," not in text or len(text) - text.index(",") == 4
            return int(digits) if grouped and len(digits) < 10 else None
        tens, _, unit = text.partition("-")
        if unit and self.numbers.get(tens, 0) >= 20 and 0 < self.numbers.get(unit, 0) < 10:
            return self.numbers[tens] + self.numbers[unit]
        return self.numbers.get(text)


def lexicon(language: str) -> Lexicon | None:
    """Return the word lists of `language` (`en`, `en-GB`), or None where there are none."""
    primary = language.replace("_", "-").partition("-")[0].lower()
    return _load(primary) if primary in LANGUAGES else None


@cache
def _load(language: str) -> Lexicon:
    source = resources.files("turnwright.language").joinpath("words", f"{language}.json")
    data: dict[str, Any] = json.loads(source.read_text(encoding="utf-8"))
    rows = {lemma: " ".join(forms_of(lemma, {}, frozenset())[1:]) for lemma in data["regular"].split()} | data["verbs"]
    verbs, lemmas, lists = _verbs(rows), _word_sets(data["lemmas"]), _word_sets(data["words"])
    forms = {lemma: frozenset((lemma, *row.split())) for lemma, row in rows.items()}
    adverbs = _adverbs(data["adverbs"])
    phrases = {name: Phrases(patterns, forms, adverbs) for name, patterns in data["phrases"].items()}

    def trigger(name: str) -> frozenset[str]:
        if name in lemmas:
            return frozenset(spelling for spelling, verb in verbs.items() if verb.lemma in lemmas[name])
        return phrases[name].first_words if name in phrases else lists[name]

    return Lexicon(
        numbers=data["numbers"],
        verbs=verbs,
        lemmas=lemmas,
        lists=lists,
        phrases=phrases,
        reflects=_word_sets(data["reflects"]),
        abilities=data["abilities"],
        multiples=data["multiples"],
        skills=_word_sets(data["skills"]),
        triggers={name: frozenset().union(*map(trigger, row.split())) for name, row in data["triggers"].items()},
        adverbs=adverbs,
    )


def _adverbs(row: AdverbRow) -> Adverbs:
    return Adverbs(tuple(row["endings"].split()), row["shortest"], frozenset(row["in_phrases"].split()))


def _word_sets(rows: Mapping[str, str]) -> dict[str, frozenset[str]]:
    return {name: frozenset(row.split()) for name, row in rows.items()}


def _verbs(rows: Mapping[str, str]) -> dict[str, Verb]:
    spelt: dict[str, tuple[str, set[str]]] = {}
    for lemma, row in rows.items():
        for form, spelling in zip(("base", *_FORMS), (lemma, *row.split()), strict=True):
            first_lemma, forms = spelt.setdefault(spelling, (lemma, set()))
            if first_lemma == lemma:
                forms.add(form)
    return {spelling: Verb(lemma, frozenset(forms)) for spelling, (lemma, forms) in spelt.items()}
