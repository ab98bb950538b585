"""Lead a link from one box to another on a grid of boxes without touching a third."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from turnwright.render.map_layout import Cell

_CLEARANCE = 5.0
_BENDS = (0.0, 0.1, -0.1, 0.17, -0.17, 0.28, -0.28)
_CURVE_STEPS = 12
_TRACKS = (0.0, 5.5, -5.5, 11.0, -11.0)
_SIDE_PORTS = (10.0, -10.0, 5.0, -5.0)
_TOP_PORTS = (14.0, -14.0, 28.0, -28.0, 42.0, -42.0)

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle; x and y are its upper left corner, y grows down."""

    x: float
    y: float
    width: float
    height: float

    @property
    def centre(self) -> Point:
        """Find the middle."""
        return self.x + self.width / 2, self.y + self.height / 2

    def grown(self, by: float) -> Box:
        """Move every side out."""
        return Box(self.x - by, self.y - by, self.width + 2 * by, self.height + 2 * by)


@dataclass(frozen=True, slots=True)
class Grid:
    """Boxes by cell, and the lanes between them: `columns[n]` and `rows[n]` are the lanes before column or row n.

    There is one lane more than there are columns or rows; no box reaches within 25 of a lane.
    """

    boxes: Mapping[Cell, Box]
    columns: Sequence[float]
    rows: Sequence[float]

    def holds(self, point: Point) -> bool:
        """Tell whether a point is inside the outermost lanes."""
        x, y = point
        return self.columns[0] <= x <= self.columns[-1] and self.rows[0] <= y <= self.rows[-1]

    def between(self, a: Cell, b: Cell) -> Iterator[Box]:
        """List the boxes other than a's and b's in the rectangle these span, one cell more on each side."""
        for x in range(min(a[0], b[0]) - 1, max(a[0], b[0]) + 2):
            for y in range(min(a[1], b[1]) - 1, max(a[1], b[1]) + 2):
                if (x, y) in self.boxes and (x, y) not in (a, b):
                    yield self.boxes[x, y]


@dataclass(frozen=True, slots=True)
class Route:
    """A way from border to border: a straight line, a curve (start, control point, end) or a bent line."""

    points: tuple[Point, ...]
    is_curve: bool = False


class Lanes:
    """Remembers where lines run in the lanes of one grid, so that they keep apart while there is room."""

    def __init__(self) -> None:
        self.lines: dict[tuple[str, float, float], list[tuple[float, float, float]]] = {}
        self.count = 0

    def shift(self, lane: tuple[str, float, float], ends: tuple[float, float], choices: Sequence[float]) -> float:
        """Choose how far beside a lane a line is to run between two points on it."""
        lines, low, high = self.lines.setdefault(lane, []), min(ends), max(ends)
        taken = [shift for start, end, shift in lines if start <= high and low <= end]
        best = min(choices, key=taken.count)
        lines.append((low, high, best))
        return best


def route(grid: Grid, a: Cell, b: Cell, lanes: Lanes) -> Route:
    """Lead a link from a's box to b's: straight if nothing is in the way, else in a bow, else along the lanes."""
    in_the_way = [box.grown(_CLEARANCE) for box in grid.between(a, b)]
    for bend in _BENDS:
        found = _bow(grid.boxes[a], grid.boxes[b], bend)
        steps = flatten(found)
        hit = any(_hits(box, p, q) for p, q in pairwise(steps) for box in in_the_way)
        if not hit and all(map(grid.holds, steps)):
            return found
    return Route(_along_lanes(grid, a, b, lanes))


def flatten(way: Route) -> list[Point]:
    """Turn a route into the corner points of straight pieces."""
    if not way.is_curve:
        return list(way.points)
    start, control, end = way.points
    steps = [step / _CURVE_STEPS for step in range(_CURVE_STEPS + 1)]
    return [
        (
            (1 - t) ** 2 * start[0] + 2 * t * (1 - t) * control[0] + t * t * end[0],
            (1 - t) ** 2 * start[1] + 2 * t * (1 - t) * control[1] + t * t * end[1],
        )
        for t in steps
    ]


def _bow(a: Box, b: Box, bend: float) -> Route:
    (ax, ay), (bx, by) = a.centre, b.centre
    if not bend:
        return Route((_border(a, b.centre), _border(b, a.centre)))
    # Twice the bend, because a quadratic curve passes half way to its control point.
    control = ((ax + bx) / 2 - (by - ay) * 2 * bend, (ay + by) / 2 + (bx - ax) * 2 * bend)
    return Route((_border(a, control), control, _border(b, control)), is_curve=True)


def _border(box: Box, towards: Point) -> Point:
    """Find where the line from the middle of a box to a point outside leaves the box."""
    (x, y), (to_x, to_y) = box.centre, towards
    across, down = to_x - x, to_y - y
    reach = max(abs(across) / (box.width / 2), abs(down) / (box.height / 2))
    return (x + across / reach, y + down / reach) if reach else (x, y)


def _along_lanes(grid: Grid, a: Cell, b: Cell, lanes: Lanes) -> tuple[Point, ...]:
    """Leave a's box through its top or bottom, and enter b's the same way in the same row, else from a side."""
    start, end = grid.boxes[a], grid.boxes[b]
    lanes.count += 1
    goes_down = a[1] < b[1] or (a[1] == b[1] and lanes.count % 2 == 0)
    leave = _port(lanes, a, start, goes_down), start.y + start.height * goes_down
    if a[1] == b[1]:
        enter = _port(lanes, b, end, goes_down), end.y + end.height * goes_down
        lane_y = _lane_y(grid, lanes, a[1] + goes_down, (leave[0], enter[0]))
        return leave, (leave[0], lane_y), (enter[0], lane_y), enter
    from_left = a[0] < b[0] or (a[0] == b[0] and lanes.count % 2 == 0)
    enter_y = end.centre[1] + lanes.shift(("side", *end.centre), (from_left, from_left), _SIDE_PORTS)
    lane_x = grid.columns[b[0] + (not from_left)]
    lane_y = _lane_y(grid, lanes, a[1] + goes_down, (leave[0], lane_x))
    lane_x += lanes.shift(("column", lane_x, 0), (lane_y, enter_y), _TRACKS)
    enter = end.x if from_left else end.x + end.width, enter_y
    return leave, (leave[0], lane_y), (lane_x, lane_y), (lane_x, enter_y), enter


def _port(lanes: Lanes, cell: Cell, box: Box, is_bottom: bool) -> float:
    return box.centre[0] + lanes.shift(("top", *cell), (is_bottom, is_bottom), _TOP_PORTS)


def _lane_y(grid: Grid, lanes: Lanes, row: int, ends: tuple[float, float]) -> float:
    return grid.rows[row] + lanes.shift(("row", row, 0), ends, _TRACKS)


def _hits(box: Box, p: Point, q: Point) -> bool:
    """Tell whether the straight line from p to q touches the box."""
    low, high = 0.0, 1.0
    for start, end, near, far in ((p[0], q[0], box.x, box.x + box.width), (p[1], q[1], box.y, box.y + box.height)):
        step = end - start
        if step == 0:
            if not near <= start <= far:
                return False
            continue
        first, last = sorted(((near - start) / step, (far - start) / step))
        low, high = max(low, first), min(high, last)
        if low > high:
            return False
    return True
