"""Positions in a call: a square, or a participant of a fight and the squares that they fill.

Source: docs/toolkit.md, "Space".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, NamedTuple

from pydantic import Field, PlainValidator, ValidationError, WithJsonSchema
from pydantic_core import PydanticCustomError

from turnwright.model.base import Id, Model, Number, SafeInt, Text, name_tag
from turnwright.model.encounter import Encounter, Participant
from turnwright.model.state.overlay import World
from turnwright.model.vocabulary import Size as BodySize
from turnwright.model.wire import hint
from turnwright.model.wire.reason import CallFailed, Reason
from turnwright.rulesets.fifth_edition.battlefield import body_on_grid
from turnwright.rulesets.fifth_edition.space.grid.space import Body, Grid, Square
from turnwright.rulesets.fifth_edition.targets import require_encounter
from turnwright.rulesets.reference_lookup import replace_person, running_encounter_ids

FARTHEST = 1_000_000
"""Squares from the origin; a larger number is a mistake."""
LARGEST = 1000
"""Feet; the largest size of an area."""

Coordinate = Annotated[int, Field(strict=True, ge=-FARTHEST, le=FARTHEST)]
Size = Annotated[
    Number,
    Field(gt=0, le=LARGEST),
    WithJsonSchema({"type": "number", "exclusiveMinimum": 0, "maximum": LARGEST, "examples": [20]}),
]
"""A size of an area, in feet."""
Range = Annotated[
    Number, Field(ge=0, le=FARTHEST), WithJsonSchema({"type": "number", "minimum": 0, "maximum": FARTHEST})
]
"""How far a sense reaches, or how high something is, in feet."""


class Spot(Model):
    """A square: x grows right, y grows down, z grows up; one square is 5 feet each way."""

    x: Coordinate
    y: Coordinate
    z: Coordinate = 0

    @property
    def square(self) -> Square:
        """The square in the form that the grid rules use."""
        return Square(self.x, self.y, self.z)


class SpotResult(Model):
    """A square."""

    x: SafeInt
    y: SafeInt
    z: SafeInt


def _spot_or_id(value: Any) -> Spot | str:
    if isinstance(value, str):
        if not 1 <= len(value) <= 200:
            raise ValueError("wants 1 to 200 characters")
        return value
    try:
        return Spot.model_validate(value)
    except ValidationError as error:
        raise PydanticCustomError("within", "does not fit", {"faults": error.errors(include_url=False)}) from None


SpotOrId = Annotated[Spot | Text, PlainValidator(_spot_or_id, json_schema_input_type=Spot | Id)]
"""A square, or the id or name of a participant in a fight."""


class End(NamedTuple):
    """One end of a line: its squares, and the participant there, if any."""

    body: Body
    person: Participant | None = None

    @property
    def but(self) -> tuple[str, ...]:
        """The ids that do not count as standing in the way."""
        return (self.person.id,) if self.person else ()


def fight_meant(world: World, encounter_id: str | None) -> Encounter | None:
    """Return the fight that a call names, running or ended; None when it names none."""
    return None if encounter_id is None else require_encounter(world, encounter_id)


def require_end(
    world: World, encounter: Encounter | None, spot: Spot | None, identifier: str | None, field: str
) -> End:
    """Return the end given by a square or a participant, of which exactly one is given.

    Raises:
        CallFailed: `invalid_args` for both, neither, or a participant without a fight; `not_found` and `ambiguous`.
    """
    if spot is not None and identifier is not None:
        detail = f"args.{field}: stands beside {field}_id"
        raise CallFailed(Reason.INVALID_ARGS, detail, hint.remove(f"args.{field}"))
    if identifier is not None:
        person = require_participant(world, encounter, identifier, f"{field}_id")
        return End(body_on_grid(world, person), person)
    if spot is None:
        people = [person.id for person in encounter.participants] if encounter else []
        repair = hint.ask_for(f"args.{field}_id", people) if people else hint.ask_for(f"args.{field}")
        raise CallFailed(Reason.INVALID_ARGS, f"args.{field}: is required, or {field}_id", repair)
    return End(Body(spot.square))


def require_participant(world: World, encounter: Encounter | None, wanted: str, field: str) -> Participant:
    """Return the participant that an id or a name means: of the participant, or of the character behind it."""
    if encounter is None:
        repair = hint.ask_for("args.encounter_id", running_encounter_ids(world))
        raise CallFailed(Reason.INVALID_ARGS, f"args.encounter_id: is required to find {wanted}", repair)
    found = _those_meant(encounter.participants, wanted)
    if len(found) == 1:
        return found[0]
    key = f"args.{field}"
    if found:
        ids = [person.id for person in found]
        raise CallFailed(Reason.AMBIGUOUS, f"{wanted} could be {', '.join(ids)}", hint.ask(key, wanted, ids))
    known = [person.id for person in encounter.participants]
    repair = replace_person(world, key, wanted, known, [encounter])
    detail = f"{wanted} takes no part in {encounter.id}"
    raise CallFailed(Reason.NOT_FOUND, detail, repair)


def _those_meant(people: Sequence[Participant], wanted: str) -> list[Participant]:
    by_id = [person for person in people if wanted == person.id]
    by_id = by_id or [person for person in people if wanted == person.character_id]
    return by_id or [person for person in people if name_tag(wanted) == name_tag(person.name)]


def require_on_grid(grid: Grid, spot: Spot, field: str, size: BodySize = "medium") -> None:
    """Refuse a square off a grid, or one on which a body of this size would extend beyond the edge."""
    body = Body(spot.square, size)
    if not grid.has(body):
        detail = f"args.{field}: is off the grid of {grid.width} x {grid.height} squares"
        raise CallFailed(Reason.INVALID_ARGS, detail, hint.ask(f"args.{field}", spot.as_written))
