"""Find each area of a layer a square on a grid, so that linked areas are neighbors and few links cross.

Descent from a few fixed starting orders, no chance anywhere: the same layer always looks the same.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from math import ceil, gcd, sqrt

_EFFORT = 120_000
_ANYWHERE_UP_TO = 40
_MINDS_CROSSINGS_UP_TO = 90
_SPARE_ROW_UP_TO = 100
_PASSED_BY = 4.0
_CROSSED = 3.0

Cell = tuple[int, int]
"""Column and row, from 0; row 0 is on top."""


def place(count: int, links: Iterable[tuple[int, int]]) -> list[Cell]:
    """Give each of the areas 0..count-1 its own cell, in a landscape grid without empty rows or columns."""
    pairs = sorted({(min(pair), max(pair)) for pair in links if pair[0] != pair[1]})
    width = ceil(sqrt(count * 0.8))
    height = ceil(count / width) + (3 < count <= _SPARE_ROW_UP_TO) if count else 0
    boards = [_Board(width, height, order, pairs) for order in _orders(count, pairs)]
    for board in boards:
        board.settle(_EFFORT)
        board.minds_crossings = len(pairs) <= _MINDS_CROSSINGS_UP_TO
    if not boards:
        return []
    best = min(boards, key=_Board.total)
    if best.minds_crossings:
        best.settle(2 * _EFFORT)
    return _trim(best.cells)


class _Board:
    """A grid with areas on it, and what it costs: long links, links behind other areas, crossing links."""

    def __init__(self, width: int, height: int, order: Sequence[int], pairs: Sequence[tuple[int, int]]) -> None:
        self.width, self.height, self.pairs = width, height, pairs
        self.minds_crossings = False
        self.effort = 0
        self.cells: list[Cell] = [(0, 0)] * len(order)
        self.tenants: dict[Cell, int] = {}
        self.near: list[list[int]] = [[] for _ in order]
        for a, b in pairs:
            self.near[a].append(b)
            self.near[b].append(a)
        for step, area in enumerate(order):
            row, column = divmod(step, width)
            self._put(area, (width - 1 - column if row % 2 else column, row))

    def settle(self, effort: int) -> None:
        """Move or swap areas, each time the best way, until no move helps or the effort is used up."""
        self.effort, moved = effort, True
        while moved:
            moved = False
            for area in range(len(self.cells)):
                if self.effort < 0:
                    return
                moved = self._improve(area) or moved

    def total(self) -> float:
        """Add up the cost of the whole board."""
        return sum(self._cost(a, b) for a, b in self.pairs)

    def _improve(self, area: int) -> bool:
        home, best, gain = self.cells[area], self.cells[area], 1e-6
        for cell in self._targets(area):
            saved = self._saving(area, cell)
            if saved > gain:
                best, gain = cell, saved
        if best != home:
            self._swap(area, best)
        return best != home

    def _saving(self, area: int, cell: Cell) -> float:
        home, other = self.cells[area], self.tenants.get(cell)
        moved = (area,) if other is None else (area, other)
        before = self._local(moved)
        self._swap(area, cell)
        after = self._local(moved)
        self._swap(area, home)
        return before - after

    def _targets(self, area: int) -> Iterator[Cell]:
        if len(self.cells) <= _ANYWHERE_UP_TO:
            spots: Iterable[Cell] = ((x, y) for y in range(self.height) for x in range(self.width))
        else:
            near = [self.cells[other] for other in self.near[area]]
            spots = dict.fromkeys((x + dx, y + dy) for x, y in near for dx, dy in _AROUND)
        for x, y in spots:
            if 0 <= x < self.width and 0 <= y < self.height and (x, y) != self.cells[area]:
                yield x, y

    def _local(self, moved: tuple[int, ...]) -> float:
        return sum(self._cost(area, other) for area in moved for other in self.near[area])

    def _cost(self, a: int, b: int) -> float:
        (ax, ay), (bx, by) = self.cells[a], self.cells[b]
        across, down = bx - ax, by - ay
        self.effort -= 1
        cost = float(across * across + down * down) + 0.01 * (ay + by)
        steps = gcd(across, down)
        for step in range(1, steps):
            if (ax + across * step // steps, ay + down * step // steps) in self.tenants:
                cost += _PASSED_BY
        if self.minds_crossings:
            self.effort -= len(self.pairs) // 3
            cost += _CROSSED * self._crossings(a, b)
        return cost

    def _crossings(self, a: int, b: int) -> int:
        p, q = self.cells[a], self.cells[b]
        low, high, top, bottom = min(p[0], q[0]), max(p[0], q[0]), min(p[1], q[1]), max(p[1], q[1])
        count = 0
        for c, d in self.pairs:
            r, s = self.cells[c], self.cells[d]
            apart = (r[0] < low and s[0] < low) or (r[0] > high and s[0] > high)
            apart = apart or (r[1] < top and s[1] < top) or (r[1] > bottom and s[1] > bottom)
            if not apart and a not in (c, d) and b not in (c, d):
                count += _turn(p, q, r) * _turn(p, q, s) < 0 and _turn(r, s, p) * _turn(r, s, q) < 0
        return count

    def _swap(self, area: int, cell: Cell) -> None:
        home, other = self.cells[area], self.tenants.get(cell)
        del self.tenants[home]
        if other is not None:
            self._put(other, home)
        self._put(area, cell)

    def _put(self, area: int, cell: Cell) -> None:
        self.cells[area] = cell
        self.tenants[cell] = area


_AROUND = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if (x, y) != (0, 0)]


def _turn(p: Cell, q: Cell, r: Cell) -> int:
    return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])


def _orders(count: int, pairs: Sequence[tuple[int, int]]) -> Iterator[list[int]]:
    """Give the orders to fill the grid in: as listed, breadth first, depth first; one for a layer of one area."""
    if count:
        yield list(range(count))
    if count > 2:
        near: list[list[int]] = [[] for _ in range(count)]
        for a, b in pairs:
            near[a].append(b)
            near[b].append(a)
        yield _walk(near, breadth_first=True)
        yield _walk(near, breadth_first=False)


def _walk(near: Sequence[Sequence[int]], *, breadth_first: bool) -> list[int]:
    seen: dict[int, None] = {}
    for root in range(len(near)):
        waiting = deque([root])
        while waiting:
            area = waiting.popleft() if breadth_first else waiting.pop()
            if area not in seen:
                seen[area] = None
                waiting.extend(near[area] if breadth_first else reversed(near[area]))
    return list(seen)


def _trim(cells: Sequence[Cell]) -> list[Cell]:
    """Drop empty rows and columns, and turn the board so that the first area is in the upper left."""
    across = {x: index for index, x in enumerate(sorted({x for x, _ in cells}))}
    down = {y: index for index, y in enumerate(sorted({y for _, y in cells}))}
    tidy = [(across[x], down[y]) for x, y in cells]
    right, bottom = len(across) - 1, len(down) - 1
    mirrored, flipped = 2 * tidy[0][0] > right, 2 * tidy[0][1] > bottom
    return [(right - x if mirrored else x, bottom - y if flipped else y) for x, y in tidy]
