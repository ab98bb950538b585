"""The cards that seed a game: the deck, the deal, and the people that a spread suggests.

Source: docs/tools/scenes.md, "Starting a game".
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Literal, NamedTuple

from turnwright.model.data import load

Suit = Literal["major", "wands", "cups", "swords", "pentacles"]

POSITIONS = ("past", "present", "future")
"""The meaning of the three cards of a spread; the first two seed threats, the last one a goal."""


class Card(NamedTuple):
    """One of the 78; `rank` is its place in its suit, from 0."""

    id: str
    name: str
    suit: Suit
    rank: int
    meaning: str


class Hook(NamedTuple):
    """A want or fear for a character in the opening, and the card that suggests it."""

    kind: Literal["want", "fear"]
    text: str
    card: str


Spread = tuple[Card, Card, Card]


@cache
def deck() -> tuple[Card, ...]:
    """Return all cards: the majors, then wands, cups, swords and pentacles, each from the ace to the king."""
    return tuple(
        Card(id, _name(id), suit, rank, meaning)
        for suit, group in load("tarot").items()
        for rank, (id, meaning) in enumerate(group["cards"].items())
    )


def card(id: str) -> Card | None:
    """Return the card of this id, or None."""
    return _by_id().get(id)


def deal(draw: Callable[[int, str], int]) -> Spread:
    """Deal a spread, in the order of `POSITIONS`.

    Args:
        draw: draws one face from 1 up to so many sides, for a purpose. It is called three times, for 78, 77 and 76
            sides; each face counts among the cards that are left, in the order of the deck.
    """
    left = list(deck())
    past, present, future = (left.pop(draw(len(left), "tarot") - 1) for _ in POSITIONS)
    return past, present, future


def hooks(cards: Sequence[Card]) -> tuple[Hook, ...]:
    """Return a want and a fear for the people of the opening; nothing without cards.

    The last card, which is the future, gives the want, and the first, which is the past, the fear. Each suit and the
    majors have lists of both; the list is divided evenly among the cards of the suit, so that two neighbors have a line
    in common.
    """
    if not cards:
        return ()
    return _hook("want", cards[-1]), _hook("fear", cards[0])


def _hook(kind: Literal["want", "fear"], card: Card) -> Hook:
    group = load("tarot")[card.suit]
    lines: tuple[str, ...] = group[f"{kind}s"]
    return Hook(kind, lines[card.rank * len(lines) // len(group["cards"])], card.id)


@cache
def _by_id() -> dict[str, Card]:
    return {card.id: card for card in deck()}


def _name(id: str) -> str:
    return " ".join(word if word == "of" else word.capitalize() for word in id.split("_"))
