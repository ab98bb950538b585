"""What a ruleset adds to a new campaign: how `turnwright new` and `turnwright add` turn a few words into tool calls.

Descriptions become tool calls, so that the same rules apply to a new game and a running one. Source:
docs/your-own-campaign.md; docs/rulesets.md, "Beginnings".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypedDict, get_args
from unicodedata import combining, normalize

from turnwright.model.base import name_tag
from turnwright.model.character import Character
from turnwright.model.state.overlay import World

if TYPE_CHECKING:
    from turnwright.content.library import Library

Kind = Literal["hero", "npc", "place", "monster"]
"""The kinds that can be added at any time."""
KINDS: tuple[Kind, ...] = get_args(Kind)
Readable = Literal[Kind, "map"]
"""What words can be read as: `map` makes a number of areas where something is added, for a new game only."""
OPENING_TURN = "opening"
"""The id of the turn that tells how a game of your own begins."""
MAX_WORDS = 200
"""Characters of one answer."""
MAX_NAME = 60
"""Characters of a name."""
MAX_ID = 40
_APOSTROPHES = str.maketrans("", "", "'\u2019\u2018`")
_OTHER = re.compile(r"[^a-z0-9]+")


class Unclear(Exception):
    """A description that cannot be read; the message says why, and what would be clear."""


class Situation(NamedTuple):
    """The place where something is added.

    Attributes:
        world: the campaign.
        library: the entries of its content; None if it uses none.
        area_id: the area where it goes; None if it is not on the map.
    """

    world: World
    library: Library | None
    area_id: str | None


class PlannedCall(TypedDict):
    """A call of a tool that makes something."""

    tool: str
    args: Mapping[str, Any]


class Made(NamedTuple):
    """A character, place or map read from a description.

    Attributes:
        calls: the tool calls that make it, in order: `tool` and `args`.
        people: characters that no tool of the ruleset can make; only a new campaign accepts them.
        lines: a summary, for the person who accepts or rejects it.
        name: its name.
    """

    calls: Sequence[PlannedCall] = ()
    people: Sequence[Character] = ()
    lines: Sequence[str] = ()
    name: str = ""


Reader = Callable[[str, Situation], Made]
"""Makes something of words; raises `Unclear`."""


class Trouble(NamedTuple):
    """The first trouble, read from a description.

    Attributes:
        calls: the tool calls that prepare it.
        place: the name of the place where it is; empty if the description names none.
        lines: a summary.
    """

    calls: Sequence[PlannedCall] = ()
    place: str = ""
    lines: Sequence[str] = ()


def _no_trouble(words: str, situation: Situation, heroes: int) -> Trouble:
    del words, situation, heroes
    return Trouble()


def _no_lines(character: Character) -> Sequence[str]:
    del character
    return ()


class Beginning(NamedTuple):
    """How a ruleset begins a game.

    Attributes:
        title: the display name of the game.
        needs: tools that a running campaign must allow for these readers to apply.
        allowlist: the tools that a new campaign allows in addition to those of every campaign.
        content: the content packs that it uses.
        documents: its documents beside `campaign.json`, as plain JSON by path.
        settings: its settings, nested.
        readers: the functions that read descriptions, by kind.
        missing: why it cannot make a kind, by kind.
        trouble: prepares the first trouble, given the description and the number of heroes.
        describe: describes a character with a sheet in a few lines.
        default_hero: the hero of a player who names none; empty if there is no default.
        hero_words: how a hero is described in the question that asks for one.
    """

    title: str
    needs: Sequence[str]
    allowlist: Sequence[str] = ()
    content: Sequence[str] = ()
    documents: Mapping[str, Any] = {}
    settings: Mapping[str, Any] = {}
    readers: Mapping[Readable, Reader] = {}
    missing: Mapping[Readable, str] = {}
    trouble: Callable[[str, Situation, int], Trouble] = _no_trouble
    describe: Callable[[Character], Sequence[str]] = _no_lines
    default_hero: str = ""
    hero_words: str = "name"


def clear_words(text: str, what: str, limit: int = MAX_WORDS) -> str:
    """Return an answer with surrounding blanks removed and repeated ones collapsed.

    Args:
        text: as it was typed.
        what: the thing asked for, for the message.
        limit: the most characters.

    Raises:
        Unclear: when it is empty, too long, holds unprintable characters, or no letter or digit.
    """
    words = " ".join(text.split())
    if any(not char.isprintable() for char in words):
        raise Unclear(f"{what} may hold only letters, digits, marks and blanks")
    if not any(char.isalnum() for char in words):
        raise Unclear(f"{what} needs a word")
    if len(words) > limit:
        raise Unclear(f"{what} has at most {limit} characters, and this has {len(words)}")
    return words


def readable_id(name: str, otherwise: str, find: Callable[[str], object | None]) -> str:
    """Return an id that a person can type: the letters and digits of a name, with a number if it is taken.

    Args:
        name: the name of the thing that gets the id.
        otherwise: the id to use if the name has no such letters.
        find: returns the thing with an id, or None.
    """
    plain = "".join(char for char in normalize("NFKD", name) if not combining(char))
    base = _OTHER.sub("-", plain.casefold().translate(_APOSTROPHES)).strip("-")[:MAX_ID].strip("-") or otherwise
    number, found = 1, base
    while find(found) is not None:
        number += 1
        found = f"{base}-{number}"
    return found


def new_name(text: str, world: World, what: str) -> str:
    """Return a name that is not taken in the campaign.

    Raises:
        Unclear: when it is not a name, or is taken.
    """
    name = clear_words(text, what, MAX_NAME)
    taken = world.tagged(Character.collection, name_tag(name)) or world.character(name) is not None
    if taken:
        raise Unclear(f"there is a {name} already; give another name")
    return name
