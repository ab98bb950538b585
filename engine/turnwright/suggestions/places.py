"""Find the known places that a message names.

A full name beats a partial one, wherever the place is: "the Old Bridge" means no other bridge. The last word alone
("the bridge") is enough if no word beside it contradicts the name. If no name ends with that word, the kind of place is
enough: "the temple" for the Temple of Dawn, "the market" for Market Square.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from turnwright.suggestions.entities import OF, all_mentioned, has_head_first, spelling_of
from turnwright.suggestions.rule import RuleContext
from turnwright.suggestions.snapshot import AreasView, Named

_STARTS = ("articles", "owners")
_FURTHER = ("place_nouns", "people")
_BORDERS = (*_STARTS, "always_np_end", "np_end")
_BARE_OF = ("of", "de", "d")
"""Prepositions of material or kind without an article: "la puerta de hierro" does not name "Puente de Hierro"."""
_SHORTEST = 4
"""Minimum length of a word whose ending may differ: "zur alten Brücke" for "Alte Brücke"."""


class KnownPlace(NamedTuple):
    """A place as the snapshot has it: `reachable`, `current` or only `known`."""

    nearness: str
    place: Named


def places_named(look: RuleContext, text: str, before: str = "", after: str = "") -> list[KnownPlace]:
    """Return the place that a text names, or all candidates, reachable ones first.

    Args:
        look: the known places, and the words of the language.
        text: the phrase.
        before: the text before it, which may hold its article and adjectives.
        after: the text behind it, which may hold an "of" phrase.
    """
    areas = look.snapshot.areas
    behind = _parted(after)
    words = (*_adjectives(look, _parted(before)), *_parted(text), *(behind if behind and behind[0] in OF else ()))
    plain = [word for word in words if word != ","]
    by_name, by_id = _called(areas)
    for places in (by_name, by_id):
        found = all_mentioned(places, plain)
        full = [name for is_full, name in found if is_full]
        whole = [name for i, name in enumerate(full) if not any(_is_part(name, longer) for longer in full[:i])]
        part = [name for _, name in found if not full and _may_mean(look, name, spelling_of(name).tails, words)]
        if whole or part:
            meant = [one for name, one in places.items() if name in (whole or part)]
            return meant[:1] if whole else meant
    return [one for name, one in by_name.items() if _may_mean(look, name, _cores(look, name), words)]


def only_way_out(areas: AreasView, left: Named) -> Named | None:
    """Return where one gets from the place where one is, if that is but one place."""
    near = areas.exits if left == areas.place else areas.reachable
    return near[0] if near and len(near) == 1 else None


def _parted(text: str) -> list[str]:
    """Return the words of a text, with its commas among them."""
    return text.replace(",", " , ").split()


def _called(areas: AreasView) -> tuple[dict[str, KnownPlace], dict[str, KnownPlace]]:
    """Return all places by their names, and by their ids."""
    current = [place for place in (areas.current, areas.place) if place]
    near = (*(areas.reachable or ()), *(areas.exits or ()))
    rows = (("reachable", near), ("current", current), ("known", areas.known or ()))
    by_name: dict[str, KnownPlace] = {}
    by_id: dict[str, KnownPlace] = {}
    for nearness, places in rows:
        for place in places:
            by_name.setdefault(place.name, KnownPlace(nearness, place))
            by_id.setdefault(place.id or place.name, KnownPlace(nearness, place))
    return by_name, by_id


def _is_part(name: str, longer: str) -> bool:
    return f" {spelling_of(name).full} " in f" {spelling_of(longer).full} "


def _cores(look: RuleContext, name: str) -> frozenset[str]:
    """Return the word for the kind of place: "temple" of the Temple of Dawn, "market" of Market Square."""
    first, joint, _ = spelling_of(name).full.partition(" of ")
    words = first.split()
    if joint:
        return frozenset(words[-1:])
    ground, core = (words[:1], words[-1:]) if has_head_first(look) else (words[-1:], words[-2:-1])
    return frozenset(core if look.has_any("grounds", ground) else ())


def _may_mean(look: RuleContext, name: str, telling: Collection[str], words: Sequence[str]) -> bool:
    """Whether a noun phrase has a distinctive word of the name, and no word that the name lacks."""
    spelling = spelling_of(name)
    known = spelling.tails.union(*(form.split() for form in (spelling.full, *spelling.forms)))
    heads = [at for at, word in enumerate(words) if word in telling]
    phrases = (_phrase_at(look, words, at) for at in heads if not at or words[at - 1] not in _BARE_OF)
    return any(all(any(_is_same(word, own) for own in known) for word in phrase) for phrase in phrases)


def _phrase_at(look: RuleContext, words: Sequence[str], at: int) -> Sequence[str]:
    """Return the words of the noun phrase around one of its nouns, including its "of" phrase."""
    first, past = at, at + 1
    while first and not _is_border(look, words[first - 1]):
        first -= 1
    if has_head_first(look):
        past = _end_of(look, words, past)
    while past < len(words) and any(look.has(listed, words[past]) for listed in _FURTHER):  # "the market [hall]"
        past += 1
    if past == len(words) or words[past] not in OF:
        return words[first:past]
    owner = past + 1
    while owner < len(words) and any(look.has(name, words[owner]) for name in _STARTS):
        owner += 1
    return (*words[first:past], *words[owner : _end_of(look, words, owner)])


def _end_of(look: RuleContext, words: Sequence[str], at: int) -> int:
    return next((i for i in range(at, len(words)) if _is_border(look, words[i])), len(words))


def _is_border(look: RuleContext, word: str) -> bool:
    return word == "," or any(look.has(name, word) for name in _BORDERS)


def _is_same(word: str, other: str) -> bool:
    """Whether two words are equal except for their last letter: "alten" and "Alte"."""
    shorter = min(len(word), len(other))
    alike = shorter >= _SHORTEST and abs(len(word) - len(other)) <= 1 and word[: shorter - 1] == other[: shorter - 1]
    return alike or word == other


def _adjectives(look: RuleContext, before: Sequence[str]) -> Sequence[str]:
    """Return the words that stand between the last article and what follows, if nothing else parts them."""
    at = next((i for i in range(len(before) - 1, -1, -1) if _is_border(look, before[i])), -1)
    has_article = at >= 0 and any(look.has(name, before[at]) for name in _STARTS)
    return before[at + 1 :] if has_article else ()
