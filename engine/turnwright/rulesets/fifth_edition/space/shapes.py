"""The keys of the results of the space tools, for type checkers; the models beside the tools say the same."""

from collections.abc import Mapping, Sequence
from typing import NotRequired, TypedDict

from turnwright.rulesets.fifth_edition.shapes import SquareWay


class PathReport(TypedDict):
    """A path to a square; nulls if there is none."""

    path: Sequence[Sequence[int]]
    cost_feet: int | None
    steps: int | None
    difficult_squares: int | None
    reachable: bool
    within_movement: bool
    opportunity_attacks_from: NotRequired[Sequence[str]]


class ReachReport(TypedDict):
    """The squares that a creature can reach."""

    squares: Sequence[Sequence[int]]
    count: int


class AdjacentSquare(TypedDict):
    """A square adjacent to a creature, and its occupant."""

    x: int
    y: int
    status: str
    occupant: str | None


class AdjacentReport(TypedDict):
    """The squares adjacent to a creature."""

    squares: Sequence[AdjacentSquare]
    count: int


class PropReport(TypedDict):
    """A prop, with its current cover and blocking."""

    prop_id: str
    name: str
    type: str
    position: Mapping[str, int]
    state: str | None
    locked: bool
    lock_dc: int | None
    cover_type: str
    blocks_movement: bool
    destructible: bool
    broken: bool
    hp: int | None
    ac: int | None
    size: str | None
    description: str | None
    hidden: bool
    trap_dc: int | None
    trap_damage: str | None
    trigger: str | None


class PlacedProp(TypedDict):
    """A changed prop, the number of props, and its move."""

    prop: PropReport
    count: int
    moved: NotRequired[SquareWay]
