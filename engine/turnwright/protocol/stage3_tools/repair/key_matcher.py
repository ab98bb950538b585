"""Match an unknown key to the tool's key that it means.

A key's meaning never depends on whether the other key is present: successive hints cannot undo each other.
Source: docs/stages/3-tools.md, "Hints".
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from turnwright.model.edit_distance import edit_distance
from turnwright.protocol.stage3_tools.normalize import snake

Words = tuple[str, ...]
_ENDS = frozenset({"id", "ids", "name"})
_NEUTRAL = _ENDS | {"amount", "area", "character", "expression", "location", "position"}
"""Words that may be left out at the end of a key without making another one of it."""
_DOERS = frozenset({"actor", "attacker", "caster", "owner"})
_ANYBODY = ("character", "combatant", "creature", "npc", "participant", "pc", "person", "player", "target", "victim")
_PEOPLE = _DOERS.union(_ANYBODY)
"""Names of keys for an actor or target, except `id` and `name`."""
_PLACES = frozenset({"area", "location", "place"})
"""Names of keys for a place, except `id` and `name`."""
_GOALS = frozenset({"destination", "new", "next", "target"})
"""Words before a place that mark it as a destination."""
_THINGS = frozenset(
    {
        *("area", "aura", "character", "condition", "effect", "encounter", "hp", "item", "location", "note", "place"),
        *("prop", "quest", "spell"),
    }
)
"""Prefixes of keys for a thing."""
_MIN_LETTERS = 5
"""Of shorter keys one letter makes another one."""
_MAX_LETTERS = 100
_ABBREVIATIONS = {
    "char": "character",
    "desc": "description",
    "dmg": "damage",
    "expr": "expression",
    "loc": "location",
    "pos": "position",
    "qty": "quantity",
}
_ALSO: Mapping[str, Sequence[str]] = {
    "amount": ("quantity", "delta"),
    "area": ("location",),
    "attacker": ("actor",),
    "attribute": ("ability",),
    "battle": ("encounter",),
    "body": ("content",),
    "charisma": ("cha",),
    "combat": ("encounter",),
    "constitution": ("con",),
    "count": ("quantity",),
    "defender": ("target",),
    "destination": ("to",),
    "dexterity": ("dex",),
    "dice": ("expression",),
    "difficulty": ("dc",),
    "fight": ("encounter",),
    "formula": ("expression",),
    "goals": ("objectives",),
    "hit_points": ("hp",),
    "intelligence": ("int",),
    "level": ("target_level", "slot_level"),
    "location": ("area",),
    "message": ("content",),
    "name": ("title",),
    "new_level": ("target_level",),
    "notation": ("expression",),
    "note": ("content",),
    "number": ("quantity",),
    "origin": ("from",),
    "place": ("location", "area"),
    "reason": ("cause",),
    "recipient": ("to_character",),
    "result": ("outcome",),
    "roll": ("expression",),
    "spell": ("scroll",),
    "spell_level": ("slot_level", "spell_slot"),
    "start": ("from",),
    "stat": ("ability",),
    "strength": ("str",),
    "text": ("content",),
    "title": ("name",),
    "victim": ("target",),
    "why": ("cause", "reason"),
    "wisdom": ("wis",),
}
"""Meanings of keys that do not resemble the key they mean."""


class Place(NamedTuple):
    """The context of an unknown key.

    Attributes:
        known: the keys allowed there.
        required: the allowed keys that are required.
        others: the other unknown keys there with a different value.
        takes: whether the value fits a known key, or at least implies a value that does.
        fits: whether it fits unchanged.
        is_id: whether the value is one of the ids that a known key may hold now.
    """

    known: Sequence[str]
    required: Collection[str]
    others: Collection[str]
    takes: Callable[[str], bool]
    fits: Callable[[str], bool]
    is_id: Callable[[str], bool]


def match_key(key: str, place: Place) -> str | None:
    """Return the known key that is clearly meant by another one and can take its value, or None."""
    words = _words(key) if len(key) <= _MAX_LETTERS else ()
    for names in _readings(words, place) if words else ():
        found = [name for name in dict.fromkeys(names) if place.takes(name)]
        if name := _one(found, place) or (_one([*filter(place.fits, found)], place) if len(found) > 1 else None):
            return name
    return None


def is_of_person(key: str, roles: Collection[str]) -> bool:
    """Return whether a key names a person by one of these role words, and nothing but a person."""
    words = set(_words(key)) if len(key) <= _MAX_LETTERS else set()
    return not words.isdisjoint(roles) and words <= {*roles, *_PEOPLE, *_ENDS, "give", "given", "new"}


def twin_of(name: str) -> str | None:
    """Return the key under which the name stands in place of an id, and the other way about."""
    for end, other in (("_id", "_name"), ("_name", "_id")):
        if name.endswith(end):
            return name.removesuffix(end) + other
    return None


def _readings(words: Words, place: Place) -> Iterator[Iterable[str]]:
    """Yield the keys that may be meant, the surest first."""
    plain = "".join(words)
    for most in (0, 1) if len(plain) >= _MIN_LETTERS else (0,):
        yield [name for name in place.known if edit_distance(plain, "".join(_words(name)), most) is not None]
    for each in dict.fromkeys([words, _mended(words, place.known)]):
        yield [name for name in place.known if _words(name) == each]
        inner = _of_thing(each)
        yield [name for name in place.required if inner and _words(name) in (inner, *_others(inner))]
        for meant in (each, *_others(each), *((inner, *_others(inner)) if inner else ())):
            yield _begun_with(meant, place)
            yield [name for name in place.required if _ends_with(name, meant)]
            yield [name for name in place.required if _words(name) == (*meant, "type")]
    if set(_stem(words)) <= _PEOPLE:
        yield _only_person(words, place)


def _ends_with(name: str, words: Words) -> bool:
    """Return whether a key ends with some words, where they do not tell ids from names in these or without them."""
    known = _words(name)
    return words in (known[-len(words) :], _stem(known)[-len(words) :])


def _others(words: Words) -> Iterator[Words]:
    """Yield other words for a key."""
    stem = _stem(words)
    yield from map(_words, _ALSO.get("_".join(words), _ALSO.get("_".join(stem), ())))
    if stem[0] in _GOALS and len(stem) > 1 and _PLACES.issuperset(stem[1:]):
        yield from (("to", place) for place in sorted(_PLACES))


def _of_thing(words: Words) -> Words:
    """Return a key without the thing that it is of, as `effect_name` has it; empty for any other."""
    return words[1:] if len(words) == 2 and words[0] in _THINGS else ()


def _begun_with(words: Words, place: Place) -> list[str]:
    """Return the keys that are some words and at most neutral ones after them; an id is no name, nor a name an id."""
    stem, end = _stem(words), set(words) & _ENDS
    begun = [name for name in place.known if _words(name)[: len(stem)] == stem]
    found = [name for name in begun if set(_words(name)[len(stem) :]) <= _NEUTRAL]
    if end:
        return [name for name in found if end & set(_words(name))] or found
    # A thing that is no id known here may be described; people and places have names that ids are found by.
    return [name for name in found if not name.endswith("_id") or _has_name(name, place) or place.is_id(name)]


def _has_name(name: str, place: Place) -> bool:
    """Return whether a name does where an id is wanted, or at least leads to it."""
    return name in place.required or bool((_PEOPLE | {"area", "location", "to", "from"}) & set(_words(name)))


def _only_person(words: Words, place: Place) -> list[str]:
    """Return the keys that name the only person a tool takes, if no other person is named.

    The actor is not a target, and is the least likely meaning.
    """
    people = [name for name in place.known if _is_person(_words(name))]
    others = [_words(other) for other in place.others if _is_person(_words(other))]
    if not _DOERS.isdisjoint(words):
        people = [] if others or any("target" in _words(name) for name in people) else people
    elif not all(_DOERS & set(other) for other in others):
        return []
    return people if len({_stem(_words(name)) for name in people}) == 1 else []


def _is_person(words: Words) -> bool:
    return bool(_PEOPLE & set(_stem(words)[-1:]))


def _mended(words: Words, known: Iterable[str]) -> Words:
    """Return words with slips of spelling mended where only one word of the known keys can be meant."""
    vocabulary = dict.fromkeys(word for name in known for word in _words(name))
    return tuple(word if word in vocabulary else _nearly(word, vocabulary) for word in words)


def _nearly(word: str, vocabulary: Iterable[str]) -> str:
    """Return the only word that another one is a misspelling of, or else that one."""
    slips = {other: edits for other in vocabulary if (edits := _slip(word, other)) is not None}
    found = [other for other, edits in slips.items() if edits == min(slips.values())]
    return found[0] if len(found) == 1 else word


def _slip(word: str, other: str) -> int | None:
    """Return the edits that make a word a misspelling of another one, or None; short ones such as `min` are none."""
    if min(len(word), len(other)) < 4:
        return None
    if sorted(word) == sorted(other):
        return 1
    return edit_distance(word, other, 2 if max(len(word), len(other)) >= 7 and word[0] == other[0] else 1)


def _one(names: Sequence[str], place: Place) -> str | None:
    """Return the only one of some keys; an id and a name of the same count as one, which the value decides."""
    if len(names) == 2 and twin_of(names[0]) == names[1]:
        number, name = sorted(names, key=lambda each: not each.endswith("_id"))
        return number if place.is_id(number) else name
    return names[0] if len(names) == 1 else None


def _words(key: str) -> Words:
    plain = snake(key).lower().replace("-", "_").replace(" ", "_")
    return tuple(_ABBREVIATIONS.get(word, word) for word in plain.split("_") if word)


def _stem(words: Words) -> Words:
    """Return words without what tells ids from names."""
    return words[:-1] if len(words) > 1 and words[-1] in _ENDS else words
