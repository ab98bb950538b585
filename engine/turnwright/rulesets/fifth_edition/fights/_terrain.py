"""Terrain arguments of a fight: squares on the grid, the terrain on them, and terrain that expires.

Source: docs/toolkit.md, "Space".
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

from pydantic import Field

from turnwright.model.base import ListOf, Model
from turnwright.model.encounter import Hazard, HazardDetails, Side, SquareKey, Terrain, TimedTerrain
from turnwright.model.vocabulary import GridTerrain
from turnwright.model.wire import hint
from turnwright.model.wire.reason import CallFailed, Reason
from turnwright.rulesets.fifth_edition.space.grid.space import Grid, parse_key, render_key
from turnwright.rulesets.references import DiceText, NewLabel

PLAIN: dict[GridTerrain, Literal["obstacles", "difficult_terrain", "water"]] = {
    "obstacle": "obstacles",
    "difficult_terrain": "difficult_terrain",
    "water": "water",
}
"""Kinds of terrain that are a mere list of squares, and which list it is."""


class HazardArgs(HazardDetails):
    """The effect of a hazard on a combatant who starts a turn in it."""

    type: NewLabel = Field(description="Its type, such as fire.")
    damage: DiceText | None = Field(default=None, description="Dice, such as 2d6.")


class PlacedHazardArgs(HazardArgs):
    """A square that hurts combatants who start a turn in it."""

    position: SquareKey


class TerrainArgs(Model):
    """The size of the grid in squares, and the terrain on them; squares are written `x,y`, counted from 0."""

    width: Side = 20
    height: Side = 20
    obstacles: ListOf[SquareKey] = Field(default=(), description="Squares that no creature can enter, such as walls.")
    difficult_terrain: ListOf[SquareKey] = Field(default=(), description="Squares that cost double to enter.")
    water: ListOf[SquareKey] = Field(default=(), description="Squares of water; they cost double, too.")
    hazards: ListOf[PlacedHazardArgs] = Field(default=(), description="Squares that hurt at the start of a turn.")


class Changed(NamedTuple):
    """Terrain after a change, and the squares that changed, in the order in which they were named."""

    terrain: Terrain
    affected: tuple[str, ...]


def laid_out(args: TerrainArgs) -> Terrain:
    """Return the terrain that a call describes; squares named twice count once.

    Raises:
        CallFailed: `invalid_args`, for a square off the grid or a hazard whose save has no DC.
    """
    grid = Grid(args.width, args.height)
    hazards: dict[tuple[str, str], Hazard] = {}
    for index, given in enumerate(args.hazards):
        place = f"args.terrain.hazards.{index}"
        require_dc(given, place)
        (position,) = on_grid([given.position], grid, f"{place}.position", is_list=False)
        hazard = _hazard(given, position)
        hazards.setdefault(_identity(hazard), hazard)
    return Terrain(
        width=args.width,
        height=args.height,
        obstacles=on_grid(args.obstacles, grid, "args.terrain.obstacles"),
        difficult_terrain=on_grid(args.difficult_terrain, grid, "args.terrain.difficult_terrain"),
        water=on_grid(args.water, grid, "args.terrain.water"),
        hazards=tuple(hazards.values()),
    )


def on_grid(keys: Sequence[str], grid: Grid, where: str, *, is_list: bool = True) -> tuple[str, ...]:
    """Return squares in their one spelling, each once; all must be on the grid."""
    for index, key in enumerate(keys):
        x, y = parse_key(key)
        if x >= grid.width or y >= grid.height:
            field = f"{where}.{index}" if is_list else where
            detail = f"{field}: {key} is off the grid of {grid.width} x {grid.height} squares"
            raise CallFailed(Reason.INVALID_ARGS, detail, hint.ask(field, key))
    return in_one_spelling(keys)


def in_one_spelling(keys: Iterable[str]) -> tuple[str, ...]:
    """Return squares as terrain holds them, each once."""
    return tuple(dict.fromkeys(render_key(*parse_key(key)) for key in keys))


def require_dc(hazard: HazardDetails, where: str) -> None:
    """Refuse a hazard that names the ability of a save but no DC: the save would be impossible."""
    if hazard.save_ability is not None and hazard.dc is None:
        detail = f"{where}.dc: is required beside save_ability"
        raise CallFailed(Reason.INVALID_ARGS, detail, hint.ask_for(f"{where}.dc"))


def squares_of(terrain: Terrain, kind: GridTerrain) -> tuple[str, ...]:
    """Return the squares of one kind of terrain, each once."""
    if kind == "hazard":
        return tuple(dict.fromkeys(hazard.position for hazard in terrain.hazards))
    squares: tuple[str, ...] = getattr(terrain, PLAIN[kind])
    return squares


def with_added(
    terrain: Terrain,
    kind: GridTerrain,
    positions: Sequence[str],
    hazard: HazardArgs | None = None,
    *,
    duration: int | None = None,
    source: str | None = None,
) -> Changed:
    """Return terrain with more of a kind; squares that already have that kind stay unchanged.

    Args:
        terrain: the present terrain.
        kind: the kind of terrain.
        positions: the squares, in canonical spelling.
        hazard: the effect, for hazards.
        duration: rounds until it is removed.
        source: the creature or thing that created it.
    """
    if kind == "hazard":
        assert hazard is not None, "the caller asks for the details"
        lying = {_identity(other) for other in terrain.hazards}
        laid = [_hazard(hazard, position) for position in positions]
        fresh = [one for one in laid if _identity(one) not in lying]
        affected = tuple(one.position for one in fresh)
        after = terrain.replace(hazards=(*terrain.hazards, *fresh))
    else:
        there = frozenset(squares_of(terrain, kind))
        affected = tuple(position for position in positions if position not in there)
        after = terrain.replace(**{PLAIN[kind]: (*squares_of(terrain, kind), *affected)})
    if duration is None or not affected:
        return Changed(after, affected)
    named = None if hazard is None else hazard.type
    timed = TimedTerrain(terrain_type=kind, hazard=named, positions=affected, rounds_remaining=duration, source=source)
    return Changed(after.replace(timed=(*after.timed, timed)), affected)


def without(terrain: Terrain, kind: GridTerrain, positions: Iterable[str]) -> Changed:
    """Return terrain without a kind of it on these squares, whatever it was to last."""
    there = frozenset(squares_of(terrain, kind))
    gone = tuple(position for position in positions if position in there)
    timed = [
        part
        for each in terrain.timed
        for part in ([_shrunk(each, frozenset(gone))] if each.terrain_type == kind else [each])
        if part.positions
    ]
    return Changed(_cleared(terrain, kind, frozenset(gone)).replace(timed=tuple(timed)), gone)


def one_round_later(terrain: Terrain) -> tuple[Terrain, tuple[TimedTerrain, ...]]:
    """Return terrain after a round, and the terrain that expired."""
    over = tuple(each for each in terrain.timed if each.rounds_remaining <= 1)
    left = tuple(
        each.replace(rounds_remaining=each.rounds_remaining - 1) for each in terrain.timed if each.rounds_remaining > 1
    )
    if not terrain.timed:
        return terrain, ()
    after = terrain.replace(timed=left)
    for each in over:
        after = _cleared(after, each.terrain_type, frozenset(each.positions), each.hazard)
    return after, over


def _cleared(terrain: Terrain, kind: GridTerrain, gone: frozenset[str], hazard: str | None = None) -> Terrain:
    if kind == "hazard":
        kept = (
            one for one in terrain.hazards if one.position not in gone or (hazard is not None and one.type != hazard)
        )
        return terrain.replace(hazards=tuple(kept))
    squares = (position for position in squares_of(terrain, kind) if position not in gone)
    return terrain.replace(**{PLAIN[kind]: tuple(squares)})


def _shrunk(timed: TimedTerrain, gone: frozenset[str]) -> TimedTerrain:
    return timed.replace(positions=tuple(position for position in timed.positions if position not in gone))


def _hazard(details: HazardArgs, position: str) -> Hazard:
    given = {name: getattr(details, name) for name in HazardDetails.model_fields}
    return Hazard(position=position, **given)


def _identity(hazard: Hazard) -> tuple[str, str]:
    """Return the identity of a hazard in a fight: its place and type."""
    return hazard.position, hazard.type.casefold()
