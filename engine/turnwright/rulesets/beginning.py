"""What a ruleset brings to a campaign of your own: what `turnwright new` and `turnwright add` make of a few words.

A person's words become calls of tools, so that a new game and a running one are made by the same rules. Source:
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
"""What can be added at any time."""
KINDS: tuple[Kind, ...] = get_args(Kind)
Readable = Literal[Kind, "map"]
"""What words can be read as: `map` makes a number of areas where something is added, for a new game alone."""
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
    """Words that nothing can be made of; the message says why, and what would be clear."""


class Situation(NamedTuple):
    """Where something is added.

    Attributes:
        world: the campaign.
        library: the entries of its content; None where it uses none.
        area_id: the area where it goes; None for nowhere on the map.
    """

    world: World
    library: Library | None
    area_id: str | None


class PlannedCall(TypedDict):
    """A call of a tool that makes something."""

    tool: str
    args: Mapping[str, Any]


class Made(NamedTuple):
    """What somebody described.

    Attributes:
        calls: calls of tools that make it, in order: `tool` and `args`.
        people: characters that no tool of the ruleset makes; only a new campaign takes them.
        lines: how it reads, for the person who decides whether it is taken.
        name: what it is called.
    """

    calls: Sequence[PlannedCall] = ()
    people: Sequence[Character] = ()
    lines: Sequence[str] = ()
    name: str = ""


Reader = Callable[[str, Situation], Made]
"""Makes something of words; raises `Unclear`."""


class Trouble(NamedTuple):
    """What the first trouble comes to.

    Attributes:
        calls: calls of tools that make it ready.
        place: the name of the place where it is; empty where the words name none.
        lines: how it reads.
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
    """How a game of a ruleset begins.

    Attributes:
        title: what people call the game.
        needs: tools that a running campaign must allow, so that these readers are for it.
        allowlist: the tools that a new campaign allows beside those that every one does.
        content: the content packs that it uses.
        documents: documents that it has beside `campaign.json`, as plain JSON by path.
        settings: settings of its own, nested.
        readers: what makes something of words, by kind.
        missing: why it makes nothing of a kind, by kind.
        trouble: what makes the first trouble ready: the words, and how many heroes there are.
        describe: returns a character with a sheet in a few lines.
        default_hero: the hero of somebody who names none; empty where there is none to name.
        hero_words: what is said of a hero, for the question that asks for one.
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
    """Return an answer without blanks around and doubled inside.

    Args:
        text: as it was typed.
        what: what is asked for, for the message.
        limit: the most characters.

    Raises:
        Unclear: when it is empty, too long, or holds what nobody can read.
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
    """Return an id that a person can type: the letters and digits of a name, with a number where it is taken.

    Args:
        name: of what it is the id.
        otherwise: what it is where the name has no such letters.
        find: returns what has an id, or None.
    """
    plain = "".join(char for char in normalize("NFKD", name) if not combining(char))
    base = _OTHER.sub("-", plain.casefold().translate(_APOSTROPHES)).strip("-")[:MAX_ID].strip("-") or otherwise
    number, found = 1, base
    while find(found) is not None:
        number += 1
        found = f"{base}-{number}"
    return found


def new_name(text: str, world: World, what: str) -> str:
    """Return a name that nobody in the campaign has.

    Raises:
        Unclear: when it is no name, or somebody has it.
    """
    name = clear_words(text, what, MAX_NAME)
    taken = world.tagged(Character.collection, name_tag(name)) or world.character(name) is not None
    if taken:
        raise Unclear(f"there is a {name} already; give another name")
    return name
