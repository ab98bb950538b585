"""The cheapest path over the ground, and all reachable squares: Dijkstra's algorithm on a board.

Ties between equally good paths are broken, so that the same ground gives the same path everywhere: least cost, then
fewest steps, then the path whose squares, compared one by one from the start, have the smallest (y, x).

Source: SRD 5.1, "Movement and Position" and "Playing on a Grid".
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from operator import itemgetter
from typing import NamedTuple

from turnwright.rulesets.fifth_edition.space.grid.board import Board, lay_out
from turnwright.rulesets.fifth_edition.space.grid.ground import Gait, Ground
from turnwright.rulesets.fifth_edition.space.grid.space import XY, Body, Square

_FAR = 1 << 62
_CLOSED = -1


class Path(NamedTuple):
    """A path over the ground, at the height of the mover.

    Attributes:
        squares: the mover's squares, both ends included.
        cost_feet: the total cost of all steps.
        steps: the number of steps.
        difficult_squares: the number of squares that cost double because of the ground.
    """

    squares: tuple[Square, ...]
    cost_feet: int
    steps: int
    difficult_squares: int


def find_path(ground: Ground, mover: Body, goal: XY, gait: Gait | None = None) -> Path | None:
    """Return the best path to a place, or None when there is none; a mover that is already there has an empty one."""
    there = mover._replace(at=Square(*goal, mover.at.z))
    if not ground.grid.has(mover) or not ground.grid.has(there):
        return None
    if there == mover:
        return Path((mover.at,), 0, 0, 0)
    board = lay_out(ground, mover.side, gait or Gait())
    begin, ends = board.states(mover.at[:2])[0], board.states(goal)
    if board.taken[ends[0]] or board.closed[ends[0]]:
        return None
    best = _search(board, begin, ends)
    cost = min(best[end] for end in ends)
    if cost == _FAR:
        return None
    states = _first_of_the_best(board, best, begin, {end for end in ends if best[end] == cost})
    squares = tuple(Square(*board.xy(state), mover.at.z) for state in states)
    rough = sum(board.rough[state % board.size] for state in states[1:])
    return Path(squares, cost, len(states) - 1, rough)


def reach(ground: Ground, mover: Body, budget: int, gait: Gait | None = None) -> list[tuple[int, int, int]]:
    """Return the squares where a mover can end within a cost in feet, as (x, y, cost), sorted by cost, y, x.

    The start is always the first, at no cost. The list is empty when the mover is off the grid.
    """
    if not ground.grid.has(mover):
        return []
    board = lay_out(ground, mover.side, gait or Gait())
    begin = board.states(mover.at[:2])[0]
    costs = _search(board, begin, limit=budget)
    if len(costs) > board.size:
        parities = zip(costs[: board.size], costs[board.size :], strict=True)
        costs = [even if even < odd else odd for even, odd in parities]
    if any(board.taken):
        costs = [_FAR if taken else cost for cost, taken in zip(costs, board.taken, strict=True)]
    rows = ((y, board.states((0, y))[0]) for y in range(ground.height))
    within = [
        (x, y, cost) for y, row in rows for x, cost in enumerate(costs[row : row + ground.width]) if 0 < cost <= budget
    ]
    within.sort(key=itemgetter(2))  # stable: places of one cost stay in the order of y, x
    return [(*mover.at[:2], 0), *within]


def _search(board: Board, begin: int, ends: Sequence[int] = (), limit: int = _FAR) -> list[int]:
    """Return the least cost by state; values above the cost of the first end, or the limit, are only upper bounds."""
    steps = board.steps
    best = [_CLOSED if closed else _FAR for closed in board.closed]
    best[begin] = 0
    waiting: defaultdict[int, list[int]] = defaultdict(list)
    waiting[0].append(begin)
    while waiting:
        cost = min(waiting)  # there are never more than a few
        if cost > limit or any(best[end] <= cost for end in ends):
            break
        soonest = cost + board.least  # nothing that is reached from here is reached earlier
        for state in waiting.pop(cost):
            if best[state] != cost:
                continue
            for offset, costs in steps[state]:
                there = state + offset
                if best[there] > soonest:
                    total = cost + costs[there]
                    if total < best[there]:
                        best[there] = total
                        waiting[total].append(there)
    return best


def _first_of_the_best(board: Board, best: Sequence[int], begin: int, ends: set[int]) -> list[int]:
    """Return, among the paths with least cost and fewest steps, the one whose places come first in order."""
    # The states from which so many steps lead to an end; the start turns up after the fewest.
    layers = [ends]
    while begin not in layers[-1]:
        layers.append({before for state in layers[-1] for before in _before(board, best, state)})
    path = [begin]
    for layer in layers[-2::-1]:
        open_to = layer if len(layer) == 1 else layer & _after(board, best, path[-1])
        path.append(min(open_to, key=lambda state: state % board.size))
    return path


def _before(board: Board, best: Sequence[int], state: int) -> Iterator[int]:
    """Yield the states from which one step leads to a state for the least cost."""
    for offset, costs in board.steps[state]:
        if 0 <= best[state + offset] == best[state] - costs[state]:
            yield state + offset


def _after(board: Board, best: Sequence[int], state: int) -> set[int]:
    """Return the states to which one step leads for the least cost."""
    return {
        state + offset
        for offset, costs in board.steps[state]
        if best[state + offset] == best[state] + costs[state + offset]
    }
