"""Resolve what a phrase names: a known thing, a kind of thing, money, a person or a place.

The names of the snapshot are the strongest evidence; a verb alone is the weakest.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from turnwright.language.message_text import WORD, folded
from turnwright.suggestions.rule import RuleContext
from turnwright.suggestions.snapshot import Belonging, ItemsView, Named

_SHORTEST = 3
_NONE: frozenset[str] = frozenset()
_BORDERS = ("always_np_end", "np_end", "articles", "owners")
"""Lists of words that end a noun phrase wherever they stand, end one that has begun, and begin one."""
_OF = re.compile(r" (?:de|del|du|des|da|do|dos|das) | d'")
"""In "espada de hierro" the word that names the thing is the first one."""
_JOINT = re.compile(f" of |{_OF.pattern}")
"""In front of it stands the word that has a plural: "potions of healing"."""
OF = frozenset({"of", "de", "del", "du", "des", "d", "da", "do", "dos", "das"})
"""Words that join what a thing is of to its name."""


_ES = ("ch", "sh", "x", "s", "z")
_PLURALS = (*((last, "es") for last in _ES), ("e", "n"), ("el", "n"))
"""Plural endings other than "s", and the letters they follow."""


class Thing(NamedTuple):
    """A thing as a message names it.

    Attributes:
        name: as the snapshot spells it if known, else as the message does, without article.
        quantity: the number of things; 1 by default.
        where: `area`, `npcs` or `actor` for a known thing; else `kind` for a kind of thing, `other` for any noun.
    """

    name: str
    quantity: int
    where: str


class Phrase(NamedTuple):
    """A noun phrase: its words without articles and numbers."""

    words: tuple[str, ...]
    original: str
    quantity: int
    owner: str
    has_article: bool


def noun_phrase(look: RuleContext, text: str, original: str) -> Phrase:
    """Return the noun phrase at the beginning of a text: up to the first preposition or comma."""
    asked = ("noun phrase", id(look.words.lists), text, original)
    if asked not in look.message.found:
        look.message.found[asked] = _noun_phrase(look, text, original)
    found: Phrase = look.message.found[asked]
    return found


def _noun_phrase(look: RuleContext, text: str, original: str) -> Phrase:
    owner, quantity, has_article = "", 1, False
    kept: list[tuple[int, int, str]] = []
    past = 0
    lists = look.words.lists
    never, ends, articles, owners = (lists.get(name, _NONE) for name in _BORDERS)
    for match in WORD.finditer(text):
        word = match[0]
        if word in never:
            break
        is_apart = "," in text[past : match.start()]
        past = match.end()
        if kept:
            if word in ends or word in articles or (is_apart and word != kept[-1][2]):
                break
        elif is_apart and has_article:  # "this, you fiend"
            break
        elif (number := number_of(look, word)) is not None:
            quantity, has_article = number, True
            continue
        elif word in owners:
            owner, has_article = word, True
            continue
        elif word in articles or (has_article and word in ends):  # "two of the candles"
            has_article = True
            continue
        kept.append((match.start(), match.end(), word))
    if not kept:
        return Phrase((), "", quantity, owner, has_article)
    first, last = kept[0][0], kept[-1][1]
    return Phrase(tuple(word for _, _, word in kept), original[first:last], quantity, owner, has_article)


def number_of(look: RuleContext, word: str) -> int | None:
    """Return the number a word stands for, in digits or as a word of the pack's list `numbers` in its order."""
    if word.isascii() and word.isdigit():
        return min(int(word[:9]), 999_999)
    return valued(look.words.lists.get("number_words", frozenset())).get(word)


@lru_cache(maxsize=64)
def valued(entries: frozenset[str]) -> dict[str, int]:
    """Return the numbers of a list whose entries are `name=number`."""
    return {entry.partition("=")[0]: int(entry.rpartition("=")[2]) for entry in entries}


def mentioned(names: Iterable[str], words: Sequence[str]) -> str | None:
    """Return the name that the words speak of: in full, else by its last word; the longest first."""
    return next((name for _, name in all_mentioned(names, words)), None)


def all_mentioned(names: Iterable[str], words: Sequence[str]) -> list[tuple[bool, str]]:
    """Return every name that the words speak of, and whether in full or by its last word; the plainest first."""
    said = frozenset(words)
    text = f" {' '.join(words)} "
    found: list[tuple[bool, int, str]] = []
    for name in names:
        spelling = spelling_of(name)
        if spelling.is_unspaced:
            if spelling.full in text:
                found.append((True, len(spelling.full), name))
        elif not spelling.tails.isdisjoint(said):
            is_full = any(f" {form} " in text for form in spelling.forms)
            found.append((is_full, len(spelling.full if is_full else spelling.tail), name))
    found.sort(key=lambda row: row[:2], reverse=True)
    return [(is_full, name) for is_full, _, name in found]


class Spelling(NamedTuple):
    """A name as messages spell it: in one number and the other, whole and by the word that tells."""

    full: str
    tail: str
    forms: tuple[str, ...]
    tails: frozenset[str]
    is_unspaced: bool


@lru_cache(maxsize=4096)
def spelling_of(name: str) -> Spelling:
    """Return how messages spell a name."""
    words = WORD.findall(folded(name.replace("_", " ")))
    words = words[1:] if words[:1] == ["the"] and len(words) > 1 else words
    full = " ".join(words)
    tail = _OF.split(full)[0].rpartition(" ")[2]
    # "the Gull's Rest" for the Gull's Rest Inn, but no "Bridge of" for the Bridge of Sighs
    short = " ".join(words[:-1]) if len(words) > 2 and OF.isdisjoint(words) else full
    forms = tuple(dict.fromkeys((*_numbers(full), short))) if len(full) >= _SHORTEST else ()
    lasts = {form.rpartition(" ")[2] for form in forms}
    tails = _numbers(tail) if len(tail) >= _SHORTEST else ()
    return Spelling(full, tail, forms, frozenset(lasts.union(tails)), _is_unspaced(full))


def _numbers(name: str) -> tuple[str, ...]:
    """Return a name in one number and the other: "torch" and "torches", "berry" and "berries", "Fackel", "Fackeln"."""
    plurals = [f"{name}s", *(f"{name}{ending}" for last, ending in _PLURALS if name.endswith(last))]
    if name.endswith("y"):
        plurals.append(f"{name[:-1]}ies")
    singulars = [_singular(name), *(name.removesuffix("es") for last in _ES if name.endswith(f"{last}es"))]
    if joint := _JOINT.search(name):
        plurals += [f"{head}{name[joint.start() :]}" for head in _numbers(name[: joint.start()])]
    return tuple(dict.fromkeys((name, *plurals, *singulars)))


def _is_unspaced(form: str) -> bool:
    """Return whether a name is in a script that leaves no blanks between words."""
    return not form.isascii() and any("\u3040" <= character <= "\u9fff" for character in form)


def has_head_first(look: RuleContext) -> bool:
    """Return whether the language has the noun of a noun phrase before most of what describes it."""
    return look.has("noun_phrase", "head first")


def head_of(look: RuleContext, words: Sequence[str]) -> str:
    """Return the noun of a noun phrase: its last word, or the first where the language has it there."""
    if not has_head_first(look):
        return words[-1]
    return next((word for word in words if not look.has("before_nouns", word)), words[-1])


def _singular(word: str) -> str:
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def named_of(people: Iterable[Named] | None, words: Sequence[str]) -> Named | None:
    """Return the entity that the words name, by name or id."""
    candidates = tuple(people or ())
    by_name = {one.name: one for one in candidates}
    if found := mentioned(by_name, words):
        return by_name[found]
    by_id = {one.id: one for one in candidates if one.id}
    return by_id[found] if (found := mentioned(by_id, words)) else None


def person_of(look: RuleContext, people: Iterable[Named] | None, words: Sequence[str]) -> Named | None:
    """Return the person that the words name, by name, id or first name."""
    candidates = tuple(people or ())
    if not candidates:
        return None
    if found := named_of(candidates, words):
        return found
    for one in candidates:
        first = folded(one.name).partition(" ")[0]
        if (
            len(first) >= _SHORTEST
            and first in words
            and not look.has("people", first)
            and not look.has("titles", first)
        ):
            return one
    return None


def others(look: RuleContext) -> tuple[Named, ...]:
    """Return the people present other than the acting character."""
    candidates = (*(look.snapshot.npcs_present or ()), *(look.snapshot.party or ()))
    return tuple(one for one in candidates if one.id is None or one.id != look.snapshot.actor.id)


def person_after(look: RuleContext, prepositions: str, text: str, *, parts: Collection[str] = ()) -> Named | None:
    """Return the first person named right after a listed preposition: "to old Lena", but not "to let Lena go".

    The first phrase that names a person decides: "to the man next to Lena" is not to her.

    Args:
        look: the people present, and the words of the language.
        prepositions: the list.
        text: the text.
        parts: word lists of body parts and belongings that stand for their owner: "from Lena's belt".
    """
    for match in WORD.finditer(text):
        if look.has(prepositions, match[0]):
            rest = text[match.end() :]
            words = noun_phrase(look, rest, rest).words
            bare = tuple(word.removesuffix("'s") for word in words)
            if person := person_of(look, others(look), bare):
                return person if _is_first(look, person, words, bare, parts) else None
            if look.has_any("people", bare):
                return None
    return None


def _is_first(
    look: RuleContext, person: Named, words: tuple[str, ...], bare: tuple[str, ...], parts: Collection[str]
) -> bool:
    """Return whether a noun phrase is the person's name, with or without titles, or names a part of that person."""
    own = {*spelling_of(person.name).full.split(), *spelling_of(person.id or "").full.split(), person.id}
    forms = own | spelling_of(person.name).tails  # German "Lenas"
    titles = (word not in forms and (look.has("titles", word) or look.has("people", word)) for word in bare)
    first = next((at for at, is_title in enumerate(titles) if not is_title), len(bare))
    past = next((at for at in range(first, len(bare)) if bare[at] not in forms), len(bare))
    if past == first:
        return False
    is_part = any(look.has_any(part, words[past:]) for part in parts) and words[past:] == bare[past:]
    return words[past - 1] in own or is_part


def belonging(look: RuleContext, text: str, behind: str) -> Belonging | None:
    """Return another character's belonging named at the start of a text, if it or the words behind name the owner."""
    if not look.snapshot.items.owned:
        return None
    phrase = noun_phrase(look, text, text)
    words = [word.removesuffix("'s") for word in phrase.words]
    owner = person_of(look, others(look), words[:-1]) or person_after(
        look, "from_words", behind, parts=("carriers", "hands")
    )
    return carried(look, words, (owner,)) if owner else None


def carried(look: RuleContext, words: Sequence[str], owners: Collection[Named]) -> Belonging | None:
    """Return the one thing that one of these people is known to carry and the words name, and no other."""
    theirs = [one for one in look.snapshot.items.owned if one.owner in owners]
    found = all_mentioned(dict.fromkeys(one.name for one in theirs), words)
    full = [name for is_full, name in found if is_full]
    part = [name for _, name in found if set(words) <= {*spelling_of(name).full.split(), *spelling_of(name).tails}]
    return next((one for name in (*full, *part) for one in theirs if one.name == name), None)


def own_thing(look: RuleContext, text: str) -> str | None:
    """Return the name of the one thing on the acting character that a text begins with: said whole, or in part."""
    phrase = noun_phrase(look, text, text)
    if not phrase.words:
        return None
    said = {*phrase.words, *_of_what(look, text, phrase.words[-1])} - OF
    known = {name: {*spelling_of(name).full.split()} - OF for name in look.snapshot.items.actor or ()}
    part = [name for name in known if all(not known[name].isdisjoint(_numbers(word)) for word in said)]
    found = [name for name in part if len(known[name]) == len(said)] or part
    return found[0] if len(found) == 1 else None


def thing(look: RuleContext, text: str, original: str) -> Thing | None:
    """Return the thing that a text begins with; None where it names no thing that can be held."""
    phrase = noun_phrase(look, text, original)
    if not phrase.words:
        return None
    items = look.snapshot.items
    words, of_what = phrase.words, _of_what(look, text, phrase.words[-1])
    named = (*words, *of_what)
    if len(words) == 1 and look.has("pronouns", words[0]):
        return None
    name = phrase.original
    if _holds_several(look, words, of_what):
        items = _fitting(items, named)
        name = " ".join((name, *of_what))
    for where, names in (("area", items.area), ("npcs", items.npcs), ("actor", items.actor)):
        if phrase.owner and look.has("own", phrase.owner) and where != "actor":
            continue
        if names and (known := mentioned(names, named)):
            return Thing(known, phrase.quantity, where)
    head = head_of(look, words)
    if look.has_any("abstract", (head, _singular(head))) or look.has_any("people", (head, _singular(head))):
        return None
    if person_of(look, (*(look.snapshot.npcs_present or ()), *(look.snapshot.party or ())), words):
        return None
    if look.has_any("item_nouns", (head, _singular(head))) or look.has("item_nouns", " ".join(words[-2:])):
        return Thing(name, phrase.quantity, "kind")
    if phrase.has_article and len(words) <= 4 and len(head) >= _SHORTEST and not look.has("place_nouns", head):
        return Thing(phrase.original, phrase.quantity, "other")
    return None


def _holds_several(look: RuleContext, words: Sequence[str], of_what: Sequence[str]) -> bool:
    """Return whether a thing is one that holds others, which are not meant: "bag of torches", "ring of keys"."""
    is_item = look.has_any("item_nouns", (words[-1], _singular(words[-1])))
    return is_item and len(of_what) > 1 and _singular(of_what[-1]) != of_what[-1]


def _fitting(items: ItemsView, words: Sequence[str]) -> ItemsView:
    """Return the things whose names have all of these words."""
    said = set(words) - OF

    def fitting(names: Iterable[str] | None) -> tuple[str, ...]:
        known = ((name, spelling_of(name)) for name in names or ())
        return tuple(name for name, spelling in known if said <= {*spelling.full.split(), *spelling.tails})

    return ItemsView(fitting(items.actor), fitting(items.area), fitting(items.npcs))


def _of_what(look: RuleContext, text: str, last: str) -> Sequence[str]:
    """Return what a text says right behind a word that the thing is of: "of healing"."""
    rest = text[text.find(last) + len(last) :].split()
    return (rest[0], *noun_phrase(look, " ".join(rest[1:]), "").words) if rest and rest[0] in OF else ()


def is_money(look: RuleContext, words: Sequence[str]) -> bool:
    """Return whether a noun phrase names coins, as "silver" does and "silver amulet" does not."""
    return look.has("denominations", " ".join(words[-1:])) or look.has("denominations", " ".join(words[-2:]))
