"""The context for describing a call, beside its arguments and result: the reader, the acting character, the dice."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from turnwright.model.knowledge import Knowledge
from turnwright.rulesets.facts import Facts

if TYPE_CHECKING:
    from turnwright.model.wire.shapes import AppliedAction, Record

SOMEONE = "someone"
UNSEEN = "someone unseen"


@dataclass(slots=True)
class StoryContext:
    """One call as it is described to a reader.

    Attributes:
        reader: what the reader knows.
        actor_id: the acting character; empty if unknown.
        encounter_id: the fight in which it happened; empty if there was none, or it is unknown.
        dice: face, and whether it was given, of every die of the call that was not described yet, in order; empty
            without a record.
    """

    reader: Knowledge
    actor_id: str = ""
    encounter_id: str = ""
    dice: Sequence[tuple[int, bool]] = ()

    @property
    def actor(self) -> str:
        """The name of the acting character."""
        return self.person(self.actor_id)

    def person(self, named: str) -> str:
        """Return the name of a character, given by id or name."""
        if not named:
            return SOMEONE
        if not self.reader.sees(named):
            return UNSEEN
        return one_line(self.reader.called(named, self.encounter_id)) or self._unknown(named)

    def people(self, named: Iterable[str]) -> str:
        """Return the names of several characters, without hidden ones."""
        return listed([self.person(each) for each in named if self.reader.sees(each)])

    def who(self, args: Facts, *keys: str) -> str:
        """Return the character's name that arguments hold under one of these keys, such as `target` for `target_id`."""
        return self.person(named_in(args, *keys))

    def area(self, area_id: str) -> str:
        """Return the name of an area."""
        name = one_line(self.reader.area_called(area_id)) if area_id else ""
        return self.with_id(name, area_id) if name else self._unknown(area_id) or "somewhere"

    def place(self, location_id: str) -> str:
        """Return the name of a place of the story."""
        name = one_line(self.reader.place_called(location_id)) if location_id else ""
        return self.with_id(name, location_id) if name else self._unknown(location_id) or "somewhere"

    def with_id(self, name: str, identifier: str) -> str:
        """Return a name followed by its id, for a reader who may need it in the next call."""
        shown = self.reader.shows_ids and identifier and identifier != name
        return f"{name} ({identifier})" if shown else name

    def faces(self, rolls: Sequence[int], args: Facts, *manual: str) -> list[str]:
        """Return rolled faces as text, with a mark behind those that were given.

        Args:
            rolls: the faces, in order.
            args: the arguments of the call.
            manual: the arguments that give such faces, for use if the record does not tell.
        """
        found = self._found(rolls)
        if found is None:
            found = [any(key in args for key in manual)] * len(rolls)
        return [f"{face} (given)" if given else str(face) for face, given in zip(rolls, found, strict=True)]

    def _found(self, rolls: Sequence[int]) -> list[bool] | None:
        """Return whether each die of a consecutive run was given, and remove the run."""
        count, wanted = len(rolls), list(rolls)
        for start in range(len(self.dice) - count + 1):
            run = self.dice[start : start + count]
            if count and [face for face, _ in run] == wanted:
                self.dice = [*self.dice[:start], *self.dice[start + count :]]
                return [given for _, given in run]
        return None

    def _unknown(self, identifier: str) -> str:
        return identifier if self.reader.shows_ids else identifier.replace("_", " ")


def one_line(text: str | None) -> str:
    """Return a text on one line; empty for none."""
    return " ".join((text or "").split())


def named_in(args: Facts, *keys: str) -> str:
    """Return the character that arguments name under one of these keys, by id or by name; empty if there is none."""
    return args.text(*(key + ending for key in keys for ending in ("_id", "_name", "")))


def listed(texts: Iterable[str], most: int = 8) -> str:
    """Return texts as a list, at most so many; empty for none."""
    kept = [text for text in texts if text]
    return ", ".join(kept[:most]) + (f" and {len(kept) - most} more" if len(kept) > most else "")


def joined(*parts: str) -> str:
    """Join the non-empty parts of a sentence."""
    return ", ".join(part for part in parts if part)


def dice_of(record: Record, action: AppliedAction) -> list[tuple[int, bool]]:
    """Return the faces that a record holds for one of its actions, each with whether it was given.

    Returns nothing for calls that share an id, as their dice cannot be told apart.
    """
    calls = record.get("tool_calls")
    places = [
        place
        for place, call in enumerate(calls if isinstance(calls, list) else (), 1)
        if _id_of(call, place) == action.get("id")
    ]
    if len(places) != 1:
        return []
    draws = [draw for draw in record.get("draws") or () if draw.get("part") == places[0]]
    return [(int(draw["value"]), draw.get("given") is True) for draw in draws if type(draw.get("value")) is int]


def _id_of(call: object, place: int) -> object:
    """Return the id of a call as its action has it, in any of its shapes."""
    given = Facts(call).text("id", "call_id")
    return given or f"call_{place:03d}"
