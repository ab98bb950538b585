"""Find people and places in a clause by their names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from turnwright.language.lexicon import Lexicon
from turnwright.language.tokens import Word, words_of

_SHORTEST = 3


@dataclass(frozen=True, slots=True)
class Mention:
    """A person or thing named by `words[first:past]`.

    `ids` are all that it can mean; empty for a pronoun. `owner`: a possessive, so that what follows is meant.
    `exact` is false for a part of a name. `second`: "you".
    """

    first: int
    past: int
    ids: frozenset[str]
    plural: bool = False
    owner: bool = False
    exact: bool = True
    second: bool = False


@dataclass(frozen=True, slots=True)
class _Alias:
    norms: tuple[str, ...]
    ids: frozenset[str]
    exact: bool
    proper: bool
    is_last: bool
    """Whether it is the last word of some name: "hag" of "Marsh Hag"."""


class Names:
    """The names of some things, each with the ids it can mean.

    A word of a longer name counts too ("Mira" for "Mira Stone"); with `last_word_only` its last alone ("the mill").
    """

    def __init__(self, names: Mapping[str, str | None], lexicon: Lexicon, *, last_word_only: bool = False) -> None:
        found: dict[tuple[str, ...], tuple[set[str], set[str]]] = {}
        for identifier, name in names.items():
            for norms, exact in _aliases(identifier, name, lexicon, last_word_only):
                whole, part = found.setdefault(norms, (set(), set()))
                (whole if exact else part).add(identifier)
        last_words = {words_of(name)[-1].norm for name in names.values() if name and words_of(name)}
        self._lexicon = lexicon
        self._by_first: dict[str, list[_Alias]] = {}
        for norms in sorted(found, key=lambda n: (-len(n), n)):
            whole, part = found[norms]
            is_proper = len(norms) == 1 and norms[0].isalpha()
            alias = _Alias(norms, frozenset(whole or part), bool(whole), is_proper, norms[-1] in last_words)
            self._by_first.setdefault(norms[0], []).append(alias)

    @property
    def single_words(self) -> frozenset[str]:
        """Every one-word name: a capitalized word means this before anything else."""
        return frozenset(a.norms[0] for row in self._by_first.values() for a in row if len(a.norms) == 1)

    def at(self, words: Sequence[Word], i: int) -> Mention | None:
        """Return what is named at `i`, preferring the longest name."""
        for alias in self._by_first.get(words[i].norm, ()):
            past = i + len(alias.norms)
            if tuple(word.norm for word in words[i:past]) == alias.norms and self._fits(alias, words, i):
                owner = past < len(words) and words[past].norm == "'s"
                return Mention(i, past, alias.ids, owner=owner, exact=alias.exact)
        return None

    def _fits(self, alias: _Alias, words: Sequence[Word], i: int) -> bool:
        """Whether a single common word is meant as a name: with a capital, or with an article before it."""
        if not alias.proper or words[i].capital:
            return True
        if not (alias.exact or alias.is_last):
            return False  # "the marsh" is not a Marsh Hag
        for word in reversed(words[max(i - 3, 0) : i]):
            if word.is_mark:
                return False
            if self._lexicon.has("determiners", word):
                return not self._lexicon.has("indefinite", word)
        return False


def _aliases(
    identifier: str, name: str | None, lexicon: Lexicon, last_word_only: bool
) -> Iterable[tuple[tuple[str, ...], bool]]:
    """Yield the id, words made from it ("goblin_2": goblin), the name, and the telling words of a longer name."""
    by_id = tuple(word.norm for word in words_of(identifier))
    if by_id:
        yield by_id, True
    slug = [part for part in identifier.lower().replace("-", "_").split("_") if not part.isdigit()]
    if slug and not lexicon.lists["generic_ids"].intersection(slug) and len("".join(slug)) >= _SHORTEST:
        yield tuple(slug), True
    titles = lexicon.lists["titles"]
    norms = [word.norm for word in words_of(name or "") if not word.is_mark]
    while len(norms) > 1 and norms[0] in lexicon.lists["determiners"]:
        norms = norms[1:]
    if norms and not (len(norms) == 1 and (norms[0] in titles or norms[0].isdigit())):
        yield tuple(norms), True
    cut = next((i for i, norm in enumerate(norms) if norm in lexicon.lists["titles_cut"]), len(norms))
    if len(norms) > 1:
        for norm in norms[:cut][-1:] if last_word_only else norms[:cut]:
            if norm not in titles and len(norm) >= _SHORTEST and not norm.startswith("'") and not norm.isdigit():
                yield (norm,), False
