"""Movement in a fight: whether a move is allowed, and its cost.

To another height the way leads over the ground first and then up or down, or the other way round.
Source: SRD 5.1, "Movement and Position"; docs/toolkit.md, "Fights".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from turnwright.model.encounter import Encounter, Participant
from turnwright.model.state.overlay import World
from turnwright.model.wire import hint
from turnwright.model.wire.reason import CallFailed, Reason
from turnwright.rulesets.fifth_edition.battlefield import (
    body_on_grid,
    ground_for,
    may_overlap,
    occupant_of,
    position_of,
    solid_squares,
    square_of,
    values_of,
)
from turnwright.rulesets.fifth_edition.condition_list import found
from turnwright.rulesets.fifth_edition.condition_sources import frightened_of, hand_reach, held_by
from turnwright.rulesets.fifth_edition.fights._action import ActionContext
from turnwright.rulesets.fifth_edition.fights._attaching import feet_to_let_go
from turnwright.rulesets.fifth_edition.fights._economy import movement_left
from turnwright.rulesets.fifth_edition.fights._swallowing import way_out
from turnwright.rulesets.fifth_edition.fights.traits import figures
from turnwright.rulesets.fifth_edition.sheets.derived_stats import Effective
from turnwright.rulesets.fifth_edition.space.grid.distance import between
from turnwright.rulesets.fifth_edition.space.grid.ground import Gait, Ground
from turnwright.rulesets.fifth_edition.space.grid.paths import find_path, reach
from turnwright.rulesets.fifth_edition.space.grid.space import FEET, SIZES, Body, Square
from turnwright.rulesets.fifth_edition.targets import body_of

if TYPE_CHECKING:
    from turnwright.model.content_shapes import BlockPart, StatBlock

_CLIMB, _FLY = 10, 5
_BOUNDLESS = 100_000
_OFFERED = 5


class Walk(NamedTuple):
    """A possible move.

    Attributes:
        rise: feet that standing up costs, or None.
        squares: the mover's positions, both ends included, with heights.
        costs: feet that each step costs.
        dragged: ids of the dragged creatures.
        letting_go: feet that it costs the mover to detach from its victim.
    """

    rise: int | None
    squares: tuple[Square, ...]
    costs: tuple[int, ...] = ()
    dragged: tuple[str, ...] = ()
    letting_go: int = 0

    def cost(self, steps: int | None = None) -> int:
        """Return the feet that so many steps cost, or all of them, standing up included."""
        return (self.rise or 0) + self.letting_go + sum(self.costs[:steps])


def planned(act: ActionContext, gained: int = 0, *, afterwards: bool = False) -> Walk | None:
    """Return the move that a call asks for, or None when it asks for none; it changes nothing.

    Args:
        act: the action.
        gained: feet that the action itself adds to the movement of the turn.
        afterwards: the action is already done, so its grapple has succeeded or failed.

    Raises:
        CallFailed: `invalid_args` off the grid, `conflict` for a taken square, `rule_violation` for too far, no way,
            no speed, and what the actor's conditions forbid.
    """
    if not act.moves:
        return None
    mover = act.actor
    budget = _budget(act, mover, gained)
    rise = _rise(act, mover, budget)
    if act.args.move_to is None:
        return Walk(rise, (square_of(mover.position),))
    goal = square_of(act.args.move_to)
    if mover.swallowed_by is not None:
        feet = way_out(act, goal)
        if budget is not None and feet > budget:
            detail = f"coming out costs {feet} feet, and {mover.id} has {budget} left"
            raise CallFailed(Reason.RULE_VIOLATION, detail, hint.ask("args.move_to", act.args.move_to.as_written))
        return Walk(None, (square_of(mover.position), goal), (feet,))
    dragged = _dragged(act, mover, afterwards=afterwards)
    letting_go = feet_to_let_go(act.encounter, mover)
    trip = _Trip(act, mover, goal, rise, dragged, None if budget is None else budget - (rise or 0) - letting_go)
    trip.require_place()
    walk = trip.walk()._replace(letting_go=letting_go)
    _require_courage(act, mover, walk)
    if dragged and placed(act.world, act.encounter, mover, walk.squares, dragged) is None:
        detail = f"there is no room beside {_told(goal)} for whom {mover.id} drags"
        raise CallFailed(Reason.RULE_VIOLATION, detail, hint.ask("args.drag", True))
    return walk


class _Trip(NamedTuple):
    """A move being checked: `left` are the feet that may be spent on it, None for no limit."""

    act: ActionContext
    mover: Participant
    goal: Square
    rise: int | None
    dragged: tuple[str, ...]
    left: int | None

    @property
    def body(self) -> Body:
        return body_on_grid(self.act.world, self.mover)

    @property
    def gait(self) -> Gait:
        values = values_of(self.act.world, self.mover)
        crawls = any(
            done.can_only_crawl and not (name == "prone" and self.rise is not None)
            for name, done in values.impairment.conditions
        )
        return Gait(surcharge=FEET if crawls else 0, factor=2 if self._is_weighed_down(values) else 1)

    @property
    def ground(self) -> Ground:
        return ground_for(self.act.world, self.act.encounter, self.mover, ignore=self.dragged)

    def walk(self) -> Walk:
        """Return the cheapest way; to another height, over the ground first or up and down first.

        Raises:
            CallFailed: `rule_violation` when there is none, or it costs too much.
        """
        ways = [way for way in (self._level_first(), self._height_first()) if way is not None]
        if not ways:
            raise self._not_there(Reason.RULE_VIOLATION, f"no way leads {self.mover.id} to {_told(self.goal)}")
        walk = min(ways, key=lambda way: way.cost())  # of equal ones the first
        if self.left is not None and sum(walk.costs) > self.left:
            detail = f"moving there costs {sum(walk.costs)} feet, and {self.mover.id} has {self.left} left"
            raise self._not_there(Reason.RULE_VIOLATION, detail)
        return walk

    def _level_first(self) -> Walk | None:
        leg = self._leg(self.mover)
        if leg is None:
            return None
        squares, costs = leg
        if self.goal.z == squares[-1].z:
            return Walk(self.rise, squares, costs, self.dragged)
        return Walk(self.rise, (*squares, self.goal), (*costs, self._climb()), self.dragged)

    def _height_first(self) -> Walk | None:
        above = self.body.at._replace(z=self.goal.z)
        if above == self.body.at:
            return None
        risen = self.mover.replace(position=position_of(above))
        squares = self.body._replace(at=above).squares
        leg = self._leg(risen)
        if leg is None or occupant_of(self.act.world, self.act.encounter, squares, {self.mover.id, *self.dragged}):
            return None
        return Walk(self.rise, (self.body.at, *leg[0]), (self._climb(), *leg[1]), self.dragged)

    def _leg(self, mover: Participant) -> tuple[tuple[Square, ...], tuple[int, ...]] | None:
        """Return the way over the ground to below or above the goal, on the mover's height."""
        ground = ground_for(self.act.world, self.act.encounter, mover, ignore=self.dragged, end_z=self.goal.z)
        body = self.body._replace(at=square_of(mover.position))
        path = find_path(ground, body, (self.goal.x, self.goal.y), self.gait)
        return (path.squares, step_costs(ground, body, path.squares, self.gait)) if path else None

    def _climb(self) -> int:
        sheet = values_of(self.act.world, self.mover).sheet
        feet = _FLY if sheet.fly_speed or sheet.climb_speed else _CLIMB
        return abs(self.goal.z - self.body.at.z) * feet * self.gait.factor

    def require_place(self) -> None:
        """Refuse a goal off the grid, inside of something solid, or that is occupied."""
        world, encounter, there = self.act.world, self.act.encounter, self.body._replace(at=self.goal)
        if not self.ground.grid.has(there):
            raise self._not_there(Reason.INVALID_ARGS, f"args.move_to: {_told(self.goal)} is off the grid")
        if {(x, y) for x, y, _ in there.squares} & solid_squares(encounter):
            raise self._not_there(Reason.RULE_VIOLATION, f"nobody can stand on {_told(self.goal)}")
        overlapping = {other.id for other in encounter.participants if may_overlap(encounter, self.mover, other)}
        standing = occupant_of(world, encounter, there.squares, {self.mover.id, *self.dragged, *overlapping})
        if standing is not None:
            raise self._not_there(Reason.CONFLICT, f"{standing.id} stands on {_told(self.goal)}")

    def _not_there(self, reason: Reason, detail: str) -> CallFailed:
        """Return the failure for a goal, with the nearest squares that can be reached."""
        body, goal = self.body, self.goal
        within = reach(self.ground, body, _BOUNDLESS if self.left is None else max(0, self.left), self.gait)[1:]
        within.sort(key=lambda at: ((at[0] - goal.x) ** 2 + (at[1] - goal.y) ** 2, at[2], at[1], at[0]))
        offered = [{"x": x, "y": y, "z": body.at.z} for x, y, _ in within[:_OFFERED]]
        given = {"x": goal.x, "y": goal.y, "z": goal.z}
        return CallFailed(reason, detail, hint.ask("args.move_to", given, offered))

    def _is_weighed_down(self, values: Effective) -> bool:
        own = SIZES.index(values.size)
        sizes = [values_of(self.act.world, self.act.person(each)).size for each in self.dragged]
        return any(own - SIZES.index(size) < 2 for size in sizes)


def _budget(act: ActionContext, mover: Participant, gained: int) -> int | None:
    if act.args.ignore_economy:
        return None
    values = values_of(act.world, mover)
    if values.speed.effective == 0:
        why = " and ".join(name for name, done in values.impairment.conditions if done.cannot_move)
        raise CallFailed(Reason.RULE_VIOLATION, f"{mover.id} has a speed of 0{f', being {why}' if why else ''}")
    if act.cost == "legendary" and act.deed is not None:
        return _legendary_move(act.encounter.block_of(mover) or {}, act.deed.part, values.speed.effective)
    return values.speed.effective if act.cost == "reaction" else movement_left(act.world, mover) + gained


def _legendary_move(block: StatBlock, part: BlockPart, speed: int) -> int:
    """Return the feet that a legendary action lets a combatant move: 0 where it allows no move."""
    said = figures(part).get("move") or figures(part).get("then_move")
    if said is None:
        return 0
    whole = block["speeds"].get("fly", 0) if "fly" in str(said) else speed
    return whole // 2 if str(said).startswith("half") else whole


def _rise(act: ActionContext, mover: Participant, budget: int | None) -> int | None:
    """Return what standing up costs, or None for a mover that does not."""
    if not act.args.stand_up:
        return None
    if found(body_of(act.world, mover), "prone") is None:
        raise CallFailed(Reason.RULE_VIOLATION, f"{mover.id} is not prone", hint.remove("args.stand_up"))
    cost = values_of(act.world, mover).speed.effective // 2
    if budget is not None and cost > budget:
        detail = f"standing up costs {cost} feet, and {mover.id} has {budget} left"
        raise CallFailed(Reason.RULE_VIOLATION, detail, hint.ask("args.stand_up", True))
    return cost


def _dragged(act: ActionContext, mover: Participant, *, afterwards: bool) -> tuple[str, ...]:
    """Return the dragged creatures; before the action, a creature the actor is about to grapple counts already."""
    if not act.args.drag:
        return ()
    held = [person.id for person in held_by(act.world, act.encounter, mover)]
    is_grappling = act.args.action_type == "grapple" and not act.args.escape and not afterwards
    if is_grappling and act.target_id is not None and act.target_id not in held:
        held.append(act.target_id)
    if not held:
        raise CallFailed(Reason.RULE_VIOLATION, f"{mover.id} has grappled nobody", hint.ask("args.drag", True))
    return tuple(held)


def _require_courage(act: ActionContext, mover: Participant, walk: Walk) -> None:
    feared = None if act.args.ignore_economy else frightened_of(act.world, act.encounter, mover)
    if feared is None or feared.id == mover.id:
        return
    body, source = body_on_grid(act.world, mover), body_on_grid(act.world, feared)
    if any(between(body._replace(at=square), source) < between(body, source) for square in walk.squares):
        detail = f"{mover.id} is frightened of {feared.id}, and may come no nearer"
        raise CallFailed(Reason.RULE_VIOLATION, detail)


def step_costs(ground: Ground, body: Body, squares: Sequence[Square], gait: Gait) -> tuple[int, ...]:
    """Return the feet that each step of a way costs, where diagonal steps cost what straight ones do."""
    slow = frozenset() if gait.ignore_difficult else ground.difficult | ground.water | ground.crowded
    rough = [any((x, y) in slow for x, y, _ in body._replace(at=square).squares) for square in squares[1:]]
    return tuple((FEET * (2 if double else 1) + gait.surcharge) * gait.factor for double in rough)


def placed(
    world: World, encounter: Encounter, mover: Participant, squares: Sequence[Square], dragged: Sequence[str]
) -> Mapping[str, Square] | None:
    """Return where dragged creatures end when the mover has gone over these squares; None when there is no room."""
    start, end = squares[0], squares[-1]
    body = body_on_grid(world, mover)._replace(at=end)
    full = set(body.squares)
    around = [Square(end.x + dx, end.y + dy, end.z) for dy in (-1, 0, 1) for dx in (-1, 0, 1)]
    found_places: dict[str, Square] = {}
    for person in (person for person in encounter.participants if person.id in dragged):
        own = body_on_grid(world, person)
        same = Square(own.at.x + end.x - start.x, own.at.y + end.y - start.y, own.at.z + end.z - start.z)
        for at in (same, *(square._replace(z=end.z) for square in squares[-2::-1]), *around):
            there = own._replace(at=at)
            if (
                between(body, there) <= hand_reach(mover)
                and not full.intersection(there.squares)
                and _is_free(world, encounter, there, {mover.id, *dragged})
            ):
                found_places[person.id] = at
                full |= set(there.squares)
                break
        else:
            return None
    return found_places


def _is_free(world: World, encounter: Encounter, body: Body, but: set[str]) -> bool:
    grid = ground_for(world, encounter).grid
    solid = {(x, y) for x, y, _ in body.squares} & solid_squares(encounter)
    return grid.has(body) and not solid and occupant_of(world, encounter, body.squares, but) is None


def _told(square: Square) -> str:
    return f"{square.x},{square.y}" + (f" at height {square.z}" if square.z else "")
