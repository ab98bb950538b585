"""Where those who join a fight stand: the squares a call names, or the first that are free."""

from __future__ import annotations

from collections.abc import Sequence

from turnwright.model.encounter import Position, Terrain
from turnwright.model.wire import hint
from turnwright.model.wire.reason import CallFailed, Reason
from turnwright.rulesets.fifth_edition.fights._joining import Entrant
from turnwright.rulesets.fifth_edition.space.grid.space import XY, Body, Grid, Square, parse_key

_HIGHEST = 1000
"""Squares above or below the ground."""


def placed(entrants: Sequence[Entrant], terrain: Terrain) -> list[Position]:
    """Return where everybody stands, in their order; who names no square gets what the others leave free.

    Raises:
        CallFailed: `invalid_args` for a square off the grid, `conflict` for one that is taken or solid, or when nothing
            is free.
    """
    solid = frozenset(map(parse_key, terrain.obstacles))
    grid = Grid(terrain.width, terrain.height)
    taken: set[Square] = set()
    found: dict[int, Square] = {}
    for index, entrant in enumerate(entrants):
        if entrant.args.position is not None:
            found[index] = _named(entrant, index, grid, solid, taken)
            taken.update(Body(found[index], entrant.size).squares)
    for index, entrant in enumerate(entrants):
        if index not in found:
            free = first_free(entrant, grid, solid, taken)
            if free is None:
                field = f"args.participants.{index}.position"
                raise CallFailed(Reason.CONFLICT, f"{field}: no square is free for {entrant.id}")
            found[index] = free
            taken.update(Body(free, entrant.size).squares)
    return [Position(x=found[i].x, y=found[i].y, z=found[i].z) for i in range(len(entrants))]


def first_free(entrant: Entrant, grid: Grid, solid: frozenset[XY], taken: set[Square], z: int = 0) -> Square | None:
    """Return the first place, row by row, that holds a body without touching anybody or anything solid."""
    places = (Body(Square(x, y, z), entrant.size) for y in range(grid.height) for x in range(grid.width))
    return next((body.at for body in places if grid.has(body) and _is_free(body, solid, taken)), None)


def _named(entrant: Entrant, index: int, grid: Grid, solid: frozenset[XY], taken: set[Square]) -> Square:
    position = entrant.args.position
    assert position is not None
    field = f"args.participants.{index}.position"
    got = position.as_written
    at = Square(position.x, position.y, position.z)
    body = Body(at, entrant.size)
    if not grid.has(body) or abs(at.z) > _HIGHEST:
        detail = f"{field}: {entrant.id} would not stand on the grid of {grid.width} x {grid.height} squares"
        raise CallFailed(Reason.INVALID_ARGS, detail, hint.ask(field, got))
    if not _is_free(body, solid, taken):
        free = first_free(entrant, grid, solid, taken, at.z)
        detail = f"{field}: somebody or something solid is where {entrant.id} would stand"
        raise CallFailed(Reason.CONFLICT, detail, hint.ask(field, got, [free._asdict()] if free else []))
    return at


def _is_free(body: Body, solid: frozenset[XY], taken: set[Square]) -> bool:
    return not any(square in taken or (square.x, square.y) in solid for square in body.squares)
