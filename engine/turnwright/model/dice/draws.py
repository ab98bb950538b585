"""The stream of dice of one record: seeded, replayable, every draw kept.

Source: docs/stages/5-commit.md, "Dice".
"""

import hmac
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from turnwright.model.errors import BadRequest


def uniform(secret: bytes, label: str) -> int:
    """Return the 64-bit number that belongs to a label, evenly spread."""
    return int.from_bytes(hmac.new(secret, label.encode(), sha256).digest()[:8], "big")


def face(number: int, sides: int) -> int:
    """Return the face 1..sides that a 64-bit number stands for."""
    return 1 + (number * sides >> 64)


def real(number: int) -> float:
    """Return the real in [0, 1) that a 64-bit number stands for."""
    return float(number >> 11) / 2**53


@dataclass(slots=True, eq=False)
class Dice:
    """The dice of one record.

    Attributes:
        secret: the campaign's dice secret.
        label: what stands before part and draw: the `seq` of the record (of its first attempt).
        given: faces to use before the generator, in the order of drawing.
        drawn: every draw so far, as the record holds it.
    """

    secret: bytes
    label: str
    given: deque[int] = field(default_factory=deque)
    drawn: list[dict[str, Any]] = field(default_factory=list)

    def part(self, number: int) -> "PartDice":
        """Return the dice of one part of the turn; drawing starts anew at 0 in each."""
        return PartDice(self, number)

    def forget(self, kept: int, given: Iterable[int]) -> None:
        """Return to an earlier point: the first `kept` draws, and the given faces that were left then."""
        del self.drawn[kept:]
        self.given = deque(given)


@dataclass(slots=True, eq=False)
class PartDice:
    """Draws on behalf of one part of a turn."""

    dice: Dice
    part: int
    count: int = 0

    def mark(self) -> tuple[int, int, tuple[int, ...]]:
        """Return the point that `back_to` goes back to."""
        return self.count, len(self.dice.drawn), tuple(self.dice.given)

    def back_to(self, mark: tuple[int, int, tuple[int, ...]]) -> None:
        """Take back every draw since a point."""
        self.count, kept, given = mark
        self.dice.forget(kept, given)

    def draw(self, sides: int, why: str) -> int:
        """Draw one face 1..sides.

        Raises:
            BadRequest: when a face given for this draw does not fit the die.
        """
        if self.dice.given:
            value = self.dice.given.popleft()
            if type(value) is not int or not 1 <= value <= sides:
                raise BadRequest(f"the given face {value!r} does not fit a d{sides}")
            return int(self._keep(why, sides, value, True))
        return int(self._keep(why, sides, face(self._number(), sides), False))

    def take(self, face: int, sides: int, why: str) -> int:
        """Keep a face that the call itself names, in place of a draw."""
        return int(self._keep(why, sides, face, True))

    def take_total(self, total: int, why: str) -> int:
        """Keep what dice of the table came to that nobody named one by one, in place of drawing them."""
        return int(self._keep(why, None, total, True))

    def draw_real(self, why: str) -> float:
        """Draw a real in [0, 1)."""
        return float(self._keep(why, None, real(self._number()), False))

    def _number(self) -> int:
        return uniform(self.dice.secret, f"{self.dice.label}/{self.part}/{self.count}")

    def _keep(self, why: str, sides: int | None, value: float, given: bool) -> float:
        draw = {"part": self.part, "draw": self.count, "why": why, "sides": sides, "value": value, "given": given}
        self.dice.drawn.append(draw)
        self.count += 1
        return value
