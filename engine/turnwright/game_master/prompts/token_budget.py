"""Fit a prompt to its token budget, dropping the least important parts first.

Source: docs/stages/0-prepare.md, "The budget".
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

_MAX_EXAMPLES = 16


class Budget(NamedTuple):
    """The space for each kind of prompt content. Content not named here always stays.

    Attributes:
        examples: worked examples, the first ones.
        exchanges: earlier messages with what was answered, the last ones.
        known_places: other places than those that can be reached.
        notes: notes, memories and quests.
        has_details: descriptions, spells, belongings.
        has_guidance: when to use each tool, and when not.
        listed: people and ways out.
        names_tools: the bare list of tools, where there is no room for guidance.
        has_hints: what was suggested for the message.
    """

    examples: int = _MAX_EXAMPLES
    exchanges: int = 12
    known_places: int = 20
    notes: int = 12
    has_details: bool = True
    has_guidance: bool = True
    listed: int = 40
    names_tools: bool = True
    has_hints: bool = True


_CUTS: Sequence[Mapping[str, Any]] = (
    *({"examples": left} for left in reversed(range(_MAX_EXAMPLES))),
    {"exchanges": 6},
    {"exchanges": 3},
    {"known_places": 0},
    {"notes": 4},
    {"notes": 0},
    {"has_details": False},
    {"has_guidance": False},
    {"exchanges": 1},
    {"listed": 12},
    {"listed": 4},
    {"names_tools": False},
    {"has_hints": False},
    {"exchanges": 0},
)
"""The parts dropped when the budget is small, in this order."""


def rooms() -> Iterator[Budget]:
    """Yield every size of a prompt, the largest first."""
    room = Budget()
    yield room
    for cut in _CUTS:
        room = room._replace(**cut)
        yield room


def tokens_of(*texts: str) -> int:
    """Return about how many tokens texts take: their characters divided by 4."""
    return -(-sum(map(len, texts)) // 4)


def fit(render: Callable[[Budget], Sequence[str]], budget: int) -> Budget:
    """Return the largest room in which all texts together keep within a budget of tokens; else the smallest."""
    sizes = list(rooms())

    def is_enough(room: Budget) -> bool:
        return tokens_of(*render(room)) <= budget

    if is_enough(sizes[0]):  # as it is nearly always
        return sizes[0]
    place = bisect_left(sizes, True, key=is_enough)
    return sizes[min(place, len(sizes) - 1)]
