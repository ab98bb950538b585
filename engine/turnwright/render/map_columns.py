"""Set the rows of a text map in aligned columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from turnwright.render.measure import clip, column_width, columns

_HEADS = ("Area", "Name", "Exits", "Here")
_GAP = "  "
_WIDEST_EXITS = 48
_SHORTEST_NAME = 8
_ROOM_FOR_HERE = 80

Piece = tuple[str, str]
"""A text in two parts: one may be cut when space is short, the other is kept."""


@dataclass(frozen=True, slots=True)
class Row:
    """One area's row before its columns are sized; `below` carries the tree on along the row's further lines.

    A row with a note, or with no tree, is its note and nothing else.
    """

    tree: str
    below: str = ""
    name: str = ""
    exits: tuple[Piece, ...] = ()
    here: tuple[Piece, ...] = ()
    note: str = ""


def set_columns(rows: Sequence[Row], width: int) -> Iterator[str]:
    """Draw headings and rows, no line wider than `width` terminal columns.

    On narrow paper the characters in an area get separate lines instead of a column.
    """
    sizes = _column_sizes(rows, width)
    yield _line(_HEADS, sizes)
    for row in rows:
        yield from _draw(row, sizes, width)


def fit(piece: Piece, size: int) -> str:
    """Cut a piece down to a number of terminal columns."""
    cut, kept = piece
    return clip(clip(cut, max(size - columns(kept), 6), column_width) + kept, size, column_width)


def _column_sizes(rows: Sequence[Row], width: int) -> list[int]:
    """Give the tree what it needs (up to two fifths), and the other columns equal shares of what they need.

    A size of 0 is a column that is left out: empty, or on narrow paper the last one.
    """
    needs = [
        max((columns(row.tree) for row in rows), default=0),
        max((columns(row.name) for row in rows), default=0),
        min(max((columns(", ".join(map("".join, row.exits))) for row in rows), default=0), _WIDEST_EXITS),
        max((columns("".join(piece)) for row in rows for piece in row.here), default=0),
    ]
    needs = [max(need, len(head)) if need else 0 for need, head in zip(needs, _HEADS, strict=True)]
    if width < _ROOM_FOR_HERE:
        needs[3] = 0
    left = width - len(_GAP) * (sum(map(bool, needs)) - 1)
    sizes = [min(needs[0], left * 2 // 5), 0, 0, 0]
    left -= sizes[0]
    for share, column in zip((3, 2, 1), sorted((1, 2, 3), key=needs.__getitem__), strict=True):
        sizes[column] = min(needs[column], left // share)
        left -= sizes[column]
    # An exit cut short names nothing; a name cut short still reads.
    longest = max((columns("".join(piece)) for row in rows for piece in row.exits), default=0)
    moved = max(0, min(longest - sizes[2], sizes[1] - _SHORTEST_NAME))
    return [sizes[0], sizes[1] - moved, sizes[2] + moved, sizes[3]]


def _draw(row: Row, sizes: Sequence[int], width: int) -> Iterator[str]:
    if row.note or not row.tree:
        yield clip(f"{row.tree}{row.note}", width, column_width)
        return
    beside = [fit(piece, sizes[3]) for piece in row.here] if sizes[3] else []
    lines = zip_longest(_exit_lines(row.exits, sizes[2]) or [""], beside, fillvalue="")
    for index, (exits, here) in enumerate(lines):
        yield _line((row.below, "", exits, here) if index else (row.tree, row.name, exits, here), sizes)
    if not sizes[3]:
        margin = row.below.ljust(sizes[0]) + _GAP
        yield from (margin + fit(piece, width - len(margin)) for piece in row.here)


def _exit_lines(exits: Sequence[Piece], size: int) -> list[str]:
    lines: list[str] = []
    for piece in exits:
        text = fit(piece, size)
        if lines and columns(lines[-1]) + columns(text) + 2 <= size:
            lines[-1] += f", {text}"
        else:
            lines.append(text)
    return lines


def _line(cells: Sequence[str], sizes: Sequence[int]) -> str:
    fitted = [clip(cell, size, column_width) for cell, size in zip(cells, sizes, strict=True) if size]
    padded = [cell + " " * (size - columns(cell)) for cell, size in zip(fitted, filter(None, sizes), strict=True)]
    return _GAP.join(padded).rstrip()
