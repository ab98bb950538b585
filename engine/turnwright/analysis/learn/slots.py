"""What messages of different campaigns have in common: words, with every name in them replaced by what it names.

Names are taken from the log itself, so that no proposal carries a campaign's own words further than it must.
Source: docs/report.md, "Learning from play".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from turnwright.language.lexicon import lexicon

if TYPE_CHECKING:
    from turnwright.model.wire.shapes import Record

ITEM, AREA, NPC, NUM, DIE = SLOTS = ("ITEM", "AREA", "NPC", "NUM", "DIE")
Tokens = tuple[str, ...]

_OF_COLLECTION = {"characters": NPC, "encounters": NPC, "maps": AREA, "locations": AREA}
_HOLDERS_OF_ITEMS = frozenset({"inventory", "items", "equipment", "loot"})
_WORD = re.compile(r"[^\W_][\w'-]*")
_NUMBER = re.compile(r"\d[\d.,]*")
_DICE_WORD = re.compile(r"\d{0,4}d\d{1,4}")
_SHORTEST_NAME = 3
_DEEPEST = 12


class Names:
    """The names of a campaign's people, places and things, and what each names."""

    def __init__(self) -> None:
        self._slots: dict[Tokens, str] = {}
        self._longest: dict[str, int] = {}

    def watching(self, records: Iterable[Record]) -> Iterator[Record]:
        """Yield records as they come, taking up every name that a document got in them."""
        for record in records:
            for path, patch in record.get("changes", {}).items():
                slot = _OF_COLLECTION.get(path.partition("/")[0])
                for step in patch if slot else ():
                    kind = ITEM if _HOLDERS_OF_ITEMS & set(step["path"].split("/")) else str(slot)
                    self._take_up(step.get("value"), kind, 0)
                    if step["path"].endswith("/name"):
                        self.add(step.get("value"), kind)
            for action in record.get("applied_actions", ()):
                self.add(action["args"].get("item_name"), ITEM)
            yield record

    def _take_up(self, value: Any, slot: str, depth: int) -> None:
        if depth > _DEEPEST or not isinstance(value, (Mapping, list)):
            return
        if not isinstance(value, Mapping):
            for entry in value:
                self._take_up(entry, slot, depth + 1)
            return
        self.add(value.get("name"), slot)
        for key, inner in value.items():
            self._take_up(inner, ITEM if key in _HOLDERS_OF_ITEMS else slot, depth + 1)

    def add(self, name: Any, slot: str) -> None:
        """Take up one name; anything that is none is left alone."""
        words = words_of(name) if isinstance(name, str) and len(name) >= _SHORTEST_NAME else ()
        for each in (words, _called(words) if slot == NPC else ()):
            if each:
                self._slots.setdefault(each, slot)
                self._longest[each[0]] = max(len(each), self._longest.get(each[0], 0))

    def filled(self, text: str, language: str) -> Tokens:
        """Return the words of a text with names, numbers and dice replaced by their slots."""
        words = words_of(text)
        found: list[str] = []
        at = 0
        while at < len(words):
            slot, length = self._named(words, at)
            found.append(slot or _plain(words[at], language))
            at += length
        return tuple(found)

    def _named(self, words: Sequence[str], at: int) -> tuple[str | None, int]:
        """Return what is named from a word on, and by how many words; the longest name counts."""
        longest = max(self._longest.get(_owner(words[at]), 0), self._longest.get(words[at], 0))
        for length in range(min(longest, len(words) - at), 0, -1):
            name = tuple(words[at : at + length])
            slot = self._slots.get(name) or self._slots.get((*name[:-1], _owner(name[-1])))
            if slot:
                return slot, length
        return None, 1


def _called(words: Tokens) -> Tokens:
    """Return the single word by which people call a character: the first of a name, the last behind a title."""
    known = lexicon("en")
    empty = known.lists["titles"] | known.lists["determiners"] if known else frozenset()
    word = words[-1] if words and words[0] in empty else words[0] if words else ""
    return (word,) if len(word) >= _SHORTEST_NAME and word not in empty else ()


def _owner(word: str) -> str:
    return word.removesuffix("'s")


def words_of(text: str) -> Tokens:
    """Return the words of a text in lower case."""
    return tuple(_WORD.findall(text.lower()))


def _plain(word: str, language: str) -> str:
    if _DICE_WORD.fullmatch(word):
        return DIE
    if _NUMBER.fullmatch(word):
        return NUM
    known = lexicon(language)
    return NUM if known and known.numbers.get(word, 0) > 1 else word
