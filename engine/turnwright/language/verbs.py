"""The verbs of a language: their forms, and the slips of the finger that stand for one.

Source: docs/suggestions.md, "A pack of words".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from turnwright.language.inflect import forms_of

_PAST = 2
"""Index of the past among the forms of a verb."""
_ENDING = 2
"""How many letters of a verb mark its person and tense, in a language with many endings."""
_SHORTEST, _MAX_LENGTH = 5, 24
"""Minimum and maximum number of letters of a misspelled verb."""


def phrases(text: str) -> tuple[str, ...]:
    """Return the entries of a word list: separated by spaces, `_` inside an entry stands for a space."""
    return tuple(entry.replace("_", " ") for entry in text.split())


def any_of(entries: Collection[str]) -> str:
    """Return a pattern that matches any of the entries, the longest first."""
    return "|".join(re.escape(entry) for entry in sorted(entries, key=lambda entry: (-len(entry), entry)))


@dataclass(frozen=True)
class Verbs:
    """All verbs of a pack: `groups` by name, each with all spellings; forms by spelling.

    `groups` map a name to spellings with their particle ("pick up": "picks up"); `first` holds every first word;
    `endings` last letters tell person and tense; `spelt` gives all spellings of any lemma.
    """

    groups: Mapping[str, frozenset[str]]
    first: frozenset[str]
    past: frozenset[str]
    base: frozenset[str]
    third: frozenset[str]
    gerund: frozenset[str]
    participles: frozenset[str]
    endings: int
    corrections: Mapping[str, str]
    spelt: Callable[[str], frozenset[str]]

    @classmethod
    def of(
        cls,
        data: Mapping[str, str],
        irregular: Mapping[str, str],
        doubled: str,
        *,
        inflects: bool,
        words: frozenset[str],
        conjugations: Mapping[str, str] | None = None,
    ) -> Verbs:
        """Return the verbs of a pack.

        Args:
            data: lists of lemmas by group.
            irregular: past and participle by lemma.
            doubled: verbs that irregularly double their last letter.
            inflects: whether forms follow the rules of English; else only listed forms are known: `tom+ar` is
                the stem with each ending of the conjugation `ar`, and `~tomé` a form of the past.
            words: words that look like misspelled verbs but are not.
            conjugations: endings by name, those of the past with `~` before them.
        """
        twice = frozenset(doubled.split())

        def forms(lemma: str) -> tuple[str, ...]:
            return forms_of(lemma, irregular, twice) if inflects else (lemma,) * 5

        groups, parts = {}, [set[str]() for _ in range(5)]
        for name, listed in data.items():
            spelt = set()
            for entry in _conjugated(phrases(listed), conjugations or {}):
                lemma, _, particle = entry.removeprefix("~").partition(" ")
                for number, form in enumerate(forms(lemma)):
                    spelt.add(f"{form} {particle}".strip())
                    if number == _PAST or not entry.startswith("~"):
                        parts[number].add(form)
            groups[name] = frozenset(spelt)
        base, third, past, gerund, participles = map(frozenset, parts)
        first = frozenset().union(*parts)
        endings = 0 if inflects else _ENDING
        return cls(
            groups=groups,
            first=first,
            past=past - base,
            base=base,
            third=third,
            gerund=gerund,
            participles=participles,
            endings=endings,
            corrections=_near(first, words, alike=endings),
            spelt=lambda lemma: frozenset(forms(lemma)),
        )

    def correction(self, word: str) -> str | None:
        """Return the verb that a word of five letters or more is one slip away from; None where it is none."""
        if not _SHORTEST <= len(word) <= _MAX_LENGTH or word in self.first or not word.isalpha():
            return None
        if word in self.corrections:
            return self.corrections[word]
        shorter = (word[:i] + word[i + 1 :] for i in range(len(word) - self.endings))
        return next((slip for slip in shorter if len(slip) > 4 and slip in self.first), None)


def _conjugated(entries: Iterable[str], conjugations: Mapping[str, str]) -> Iterator[str]:
    """Yield the forms of entries: `stem+name` with each ending of that conjugation (`-`: none), any other as it is."""
    for entry in entries:
        first, blank, rest = entry.partition(" ")
        stem, plus, name = first.partition("+")
        if not plus:
            yield entry
            continue
        if name not in conjugations:
            raise ValueError(f"conjugations: there is none named {name}")
        for ending in conjugations[name].split():
            past = "~" if ending.startswith("~") else ""
            yield f"{past}{stem}{ending.removeprefix('~').strip('-')}{blank}{rest}"


def _near(spellings: frozenset[str], real: frozenset[str], alike: int) -> dict[str, str]:
    """Return what is one slip away from a verb of five or more letters: a letter too few, or two swapped.

    A letter too many, or a wrong one, is found when it is looked up (`correction`). `alike` last letters have to be
    those of the verb, since a language with many endings has another person or tense there.
    """
    found: dict[str, str] = {}
    for word in sorted(spellings):
        if len(word) < 5:
            continue
        slips = {word[:i] + word[i + 1 :] for i in range(len(word))}
        slips |= {word[:i] + word[i + 1] + word[i] + word[i + 2 :] for i in range(len(word) - 1)}
        for slip in slips - spellings - real:
            if slip[-alike:] == word[-alike:] or not alike:
                found.setdefault(slip, word)
    if alike:
        found |= {word: word for word in real - spellings}
    return found
