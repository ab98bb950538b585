"""Keys by which entries are found: a name in any case and spelling of blanks, in the plural, or turned around.

Source: docs/content.md, "Names".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from turnwright.content.pack import EntryJson
    from turnwright.model.json_types import JsonObject

_APOSTROPHES = str.maketrans("", "", "'\u2019\u2018`")
_OTHER = re.compile(r"[^a-z0-9]+")
_ASIDE = re.compile(r"\s?\([^()]*\)")
_IRREGULAR = {
    "mice": "mouse",
    "oxen": "ox",
    "teeth": "tooth",
    "thieves": "thief",
    "wolves": "wolf",
    "dwarves": "dwarf",
    "elves": "elf",
    "knives": "knife",
    "staves": "staff",
    "geese": "goose",
    "succubi": "succubus",
    "incubi": "incubus",
    "octopi": "octopus",
}
_MAX_LENGTH = 200


def key_of(name: str) -> str:
    """Return the key of a name: lower-case letters and digits, with a hyphen between words; an id is its own key."""
    return _OTHER.sub("-", name[:_MAX_LENGTH].casefold().translate(_APOSTROPHES)).strip("-")


def keys_of(entry: JsonObject) -> list[str]:
    """Return the keys of an entry: its id, its names, and these turned around or without what is in parentheses.

    `Crossbow, light` is also `light crossbow`, `Holy water (flask)` is also `holy water`, and `Blindness/Deafness` is
    found by either word.
    """
    head = cast("EntryJson", entry)
    names = [head["id"], head["name"], *head.get("aliases", ())]
    found: dict[str, None] = {}
    for name in names:
        plain = _ASIDE.sub("", name)
        found[key_of(name)] = None
        found[key_of(plain)] = None
        if "/" in plain:
            found |= dict.fromkeys(map(key_of, plain.split("/")))
        last, comma, first = plain.partition(", ")
        if comma and "," not in first:
            found[key_of(f"{first} {last}")] = None
    found.pop("", None)
    return list(found)


@lru_cache(maxsize=1024)
def keys_meant(name: str) -> tuple[str, ...]:
    """Return the keys that a name may mean, the likeliest first: as it is, then in the singular."""
    key = key_of(name)
    return tuple(dict.fromkeys([key, *_singulars(key)])) if key else ()


def _singulars(key: str) -> Iterator[str]:
    """Yield a key with its last word in the singular, and, where it is `some of others`, the word before `of`."""
    words = key.split("-")
    for place in dict.fromkeys([len(words) - 1, words.index("of") - 1 if "of" in words[1:] else len(words) - 1]):
        for word in _singular(words[place]):
            yield "-".join([*words[:place], word, *words[place + 1 :]])
    for word in _singular(words[0]):
        yield "-".join([word, *words[1:]])


def _singular(word: str) -> Iterable[str]:
    if word in _IRREGULAR:
        return (_IRREGULAR[word],)
    found = []
    if word.endswith("men") and len(word) > len("men"):
        found.append(f"{word[:-3]}man")
    if word.endswith("ies") and len(word) > len("ties"):
        found.append(f"{word[:-3]}y")
    if word.endswith("ves") and len(word) > len("aves"):
        found += [f"{word[:-3]}f", f"{word[:-3]}fe"]
    if word.endswith("es") and len(word) > len("axes") - 1:
        found.append(word[:-2])
    if word.endswith("s") and not word.endswith("ss") and len(word) > len("as"):
        found.append(word[:-1])
    return found
