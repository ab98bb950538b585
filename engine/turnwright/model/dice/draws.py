"""The stream of dice of one record: seeded, replayable, every draw kept.

Source: docs/stages/5-commit.md, "Dice".
"""

import hmac
from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Literal, TypedDict

from turnwright.model.errors import BadRequest


class Draw(TypedDict):
    """A die that fell, as a record holds it. `sides` is None for a real, and for a total that was given."""

    part: int
    draw: int
    why: str
    sides: int | None
    value: float
    given: bool


class Wanted(TypedDict):
    """A die that the table has to throw, as a request names it."""

    part: int
    draw: int
    sides: int
    why: str


DiceRequest = TypedDict(
    "DiceRequest", {"request_id": str, "kind": Literal["dice"], "dice": list[Wanted], "for": str | None}
)
"""The dice request of a turn that waits for the table; `for` is the acting character."""


class UnfitFace(BadRequest):
    """A face that was given for a draw does not fit the die."""


class DiceNeeded(BaseException):
    """The turn cannot continue before the table has rolled these dice. A tool that catches every `Exception` does not
    catch it.

    Attributes:
        dice: the dice, in the order of drawing; never empty.
    """

    def __init__(self, dice: list[Wanted]) -> None:
        super().__init__(f"{len(dice)} dice of the table are needed")
        self.dice = dice


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
        label: prefix of part and draw: the `seq` of the record (of its first attempt).
        given: faces to use before the generator, in the order of drawing.
        drawn: every draw so far, as the record holds it.
        table: faces that the table rolled for this turn, by part and draw; each serves exactly the die it was requested
            for.
        asks: whether a face that is not given is requested from the table; otherwise the generator draws it.
    """

    secret: bytes
    label: str
    given: deque[int] = field(default_factory=deque)
    drawn: list[Draw] = field(default_factory=list)
    table: Mapping[tuple[int, int], Draw] = field(default_factory=dict)
    asks: bool = False

    def part(self, number: int) -> "PartDice":
        """Return the dice of one part of the turn; draws are numbered from 0 in each."""
        return PartDice(self, number)

    def forget(self, kept: int, given: Iterable[int]) -> None:
        """Return to an earlier point: the first `kept` draws, and the given faces that were left then."""
        del self.drawn[kept:]
        self.given = deque(given)

    def faces_given(self) -> list[Draw]:
        """Return every face given for the turn so far, in the order of parts and draws, for resuming it later."""
        drawn = {(draw["part"], draw["draw"]): draw for draw in self.drawn if draw["given"] and draw["sides"]}
        faces = {**self.table, **drawn}
        return [faces[place] for place in sorted(faces)]


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

    def expect(self, dice: Iterable[tuple[int, str] | None]) -> None:
        """Say which dice are drawn next whatever falls, so that the table is asked for all of them at once.

        Args:
            dice: sides and purpose of each, in the order of drawing; None for one that the players may not see.

        Raises:
            DiceNeeded: when the table has to throw some of them.
        """
        if not self.dice.asks:
            return
        missing = [
            Wanted(part=self.part, draw=number, sides=die[0], why=die[1])
            for number, die in enumerate(dice, self.count)
            if die is not None and self._thrown(number, *die) is None
        ]
        if missing := missing[len(self.dice.given) :]:
            raise DiceNeeded(missing)

    def draw(self, sides: int, why: str, *, hidden: bool = False) -> int:
        """Draw one face 1..sides.

        Args:
            sides: of the die.
            why: its purpose.
            hidden: whether the roll is hidden from players: the table is then not asked for it.

        Raises:
            BadRequest: when a face given for this draw does not fit the die.
            DiceNeeded: when the table has to roll it.
        """
        thrown = self._thrown(self.count, sides, why)
        if thrown is not None:
            return int(self._keep(why, sides, thrown, True))
        if self.dice.given:
            value = self.dice.given.popleft()
            if type(value) is not int or not 1 <= value <= sides:
                raise UnfitFace(f"the given face {value!r} does not fit a d{sides}")
            return int(self._keep(why, sides, value, True))
        if not hidden:
            self.expect([(sides, why)])
        return int(self._keep(why, sides, face(self._number(), sides), False))

    def take(self, face: int, sides: int, why: str) -> int:
        """Keep a face that the call itself names, in place of a draw."""
        return int(self._keep(why, sides, face, True))

    def take_total(self, total: int, why: str) -> int:
        """Record the total of table dice given without single faces, instead of drawing them."""
        return int(self._keep(why, None, total, True))

    def draw_real(self, why: str) -> float:
        """Draw a real in [0, 1)."""
        return float(self._keep(why, None, real(self._number()), False))

    def _thrown(self, number: int, sides: int, why: str) -> float | None:
        """Return the face that the table threw for a draw; None where it threw none, or for another die."""
        found = self.dice.table.get((self.part, number))
        return found["value"] if found and (found["sides"], found["why"]) == (sides, why) else None

    def _number(self) -> int:
        return uniform(self.dice.secret, f"{self.dice.label}/{self.part}/{self.count}")

    def _keep(self, why: str, sides: int | None, value: float, given: bool) -> float:
        draw = Draw(part=self.part, draw=self.count, why=why, sides=sides, value=value, given=given)
        self.dice.drawn.append(draw)
        self.count += 1
        return value
