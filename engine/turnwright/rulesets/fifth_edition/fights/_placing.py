"""Place new participants of a fight: on the squares that a call names, or on the first free ones."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from turnwright.model.encounter import Position, Terrain
from turnwright.model.vocabulary import Size
from turnwright.model.wire import hint
from turnwright.model.wire.reason import CallFailed, Reason
from turnwright.rulesets.fifth_edition.fights._joining import Entrant
from turnwright.rulesets.fifth_edition.space.grid.space import XY, Body, Grid, Square, parse_key

_APART = 6
"""How many squares from its foes a monster is placed that has no place: 30 feet."""
_HIGHEST = 1000
"""Squares above or below the ground."""


class Standing(NamedTuple):
    """A body that is on the grid already."""

    at: Square
    size: Size
    is_enemy: bool


def placed(
    entrants: Sequence[Entrant],
    terrain: Terrain,
    standing: Sequence[Standing] = (),
    blocked: Iterable[XY] = (),
) -> list[Position]:
    """Return the positions of all entrants, in their order; those without a square get free ones.

    Args:
        entrants: the new participants.
        terrain: the ground.
        standing: the bodies that are there already.
        blocked: squares that are solid in addition to the obstacles of the terrain.

    Raises:
        CallFailed: `invalid_args` for a square off the grid, `conflict` for a taken or solid one, or when none
            is free.
    """
    solid = frozenset([*map(parse_key, terrain.obstacles), *blocked])
    grid = Grid(terrain.width, terrain.height)
    taken: set[Square] = {square for each in standing for square in Body(each.at, each.size).squares}
    found: dict[int, Square] = {}
    for index, entrant in enumerate(entrants):
        if entrant.args.position is not None:
            found[index] = _named(entrant, grid, solid, taken)
            taken.update(Body(found[index], entrant.size).squares)
    apart: Sequence[Square] | None = None
    for index, entrant in enumerate(entrants):
        if index not in found:
            if entrant.stat_block is None:
                free = first_free(entrant, grid, solid, taken)
            else:
                foes = [each.at for each in standing if each.is_enemy != entrant.is_enemy]
                foes += [found[place] for place in found if entrants[place].is_enemy != entrant.is_enemy]
                apart = _apart_from(foes, grid) if apart is None else apart
                free = _first_of(apart, entrant, grid, solid, taken)
            if free is None:
                raise CallFailed(Reason.CONFLICT, f"{entrant.position_field}: no square is free for {entrant.id}")
            found[index] = free
            taken.update(Body(free, entrant.size).squares)
    return [Position(x=found[i].x, y=found[i].y, z=found[i].z) for i in range(len(entrants))]


def first_free(entrant: Entrant, grid: Grid, solid: frozenset[XY], taken: set[Square], z: int = 0) -> Square | None:
    """Return the first place, row by row, that holds a body without overlapping another body or a solid square."""
    squares = (Square(x, y, z) for y in range(grid.height) for x in range(grid.width))
    return _first_of(squares, entrant, grid, solid, taken)


def _first_of(
    squares: Iterable[Square], entrant: Entrant, grid: Grid, solid: frozenset[XY], taken: set[Square]
) -> Square | None:
    places = (Body(square, entrant.size) for square in squares)
    return next((body.at for body in places if grid.has(body) and _is_free(body, solid, taken)), None)


def _apart_from(foes: Sequence[Square], grid: Grid) -> Sequence[Square]:
    """Return the squares of a grid, those first that are nearest to `_APART` squares from the nearest foe."""
    squares = [Square(x, y, 0) for y in range(grid.height) for x in range(grid.width)]
    if not foes:
        return squares

    def unlikeness(square: Square) -> int:
        return abs(min(max(abs(square.x - foe.x), abs(square.y - foe.y)) for foe in foes) - _APART)

    return sorted(squares, key=unlikeness)


def _named(entrant: Entrant, grid: Grid, solid: frozenset[XY], taken: set[Square]) -> Square:
    position = entrant.args.position
    assert position is not None
    field = entrant.position_field
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
