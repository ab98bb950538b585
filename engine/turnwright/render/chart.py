"""Plots as SVG: bars with counts and intervals, and how confidence compares with what came of it.

A plot is a panel of a fixed width; a page puts panels below each other. The same figures give the same bytes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from turnwright.render.map_shapes import fitted, num, shown, words

WIDTH = 720.0
_LABEL, _ROW, _HEAD, _PAD = 230.0, 24.0, 44.0, 16.0
_NOTE = 150.0
SERIES = ("#2f6f9f", "#c2703d")
"""The colors of the first group and the one it is compared with; both differ in gray, too."""
STYLE = """
.turnwright-plot{font-family:'Helvetica Neue',Helvetica,Arial,'Liberation Sans','DejaVu Sans',sans-serif;fill:#2b2f36}
.turnwright-plot .sheet{fill:#ffffff}
.turnwright-plot .panel{fill:#fbf9f4;stroke:#ded7c8}
.turnwright-plot .heading{font:bold 15px Georgia,'Liberation Serif','DejaVu Serif',serif}
.turnwright-plot .label{font-size:12px}
.turnwright-plot .note{font-size:11px;fill:#555d69}
.turnwright-plot .axis{stroke:#b9b3a5;stroke-width:1}
.turnwright-plot .ideal{stroke:#8d97a5;stroke-width:1;stroke-dasharray:4 4}
.turnwright-plot .reach{stroke:#2b2f36;stroke-width:1.4}
"""


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar: `value` is drawn against the plot's greatest, `low` and `high` as a whisker, `note` behind it."""

    label: str
    value: float
    note: str
    low: float | None = None
    high: float | None = None
    series: int = 0


@dataclass(frozen=True, slots=True)
class Dot:
    """One point of a square from 0 to 1; the more it stands for, the larger."""

    x: float
    y: float
    count: int
    note: str


@dataclass(frozen=True, slots=True)
class Plot:
    """A panel, drawn from its upper left corner."""

    title: str
    height: float
    svg: str


def bars(title: str, rows: Sequence[Bar], *, most: float | None = None) -> Plot:
    """Draw horizontal bars below each other; `most` is the end of the scale, by default the greatest value."""
    reach = max([most or 0.0, *(bar.high or bar.value for bar in rows)]) or 1.0
    scale = (WIDTH - _LABEL - _NOTE - 2 * _PAD) / reach
    parts = [piece for place, bar in enumerate(rows) for piece in _bar(bar, _HEAD + place * _ROW, scale)]
    if not rows:
        parts.append(words(_PAD, _HEAD + 14, "nothing to show", "note"))
    height = _HEAD + max(1, len(rows)) * _ROW + _PAD
    left = _PAD + _LABEL
    axis = f'<line class="axis" x1="{num(left)}" y1="{num(_HEAD - 4)}" x2="{num(left)}" y2="{num(height - _PAD)}"/>'
    return Plot(title, height, axis + "".join(parts))


def _bar(bar: Bar, top: float, scale: float) -> Iterator[str]:
    left, middle = _PAD + _LABEL, top + _ROW / 2
    yield words(_PAD, middle + 4, fitted(bar.label, _LABEL - 10, 12), "label")
    size = f'width="{num(bar.value * scale)}" height="{num(_ROW - 8)}"'
    yield f'<rect x="{num(left)}" y="{num(top + 4)}" {size} fill="{SERIES[bar.series]}"/>'
    end = bar.value
    if bar.low is not None and bar.high is not None:
        end = max(end, bar.high)
        ends = f'x1="{num(left + bar.low * scale)}" x2="{num(left + bar.high * scale)}"'
        yield f'<line class="reach" {ends} y1="{num(middle)}" y2="{num(middle)}"/>'
    x = left + end * scale + 8
    yield words(x, middle + 4, fitted(bar.note, WIDTH - _PAD - x, 11), "note")


def scatter(title: str, dots: Sequence[Dot], x_name: str, y_name: str) -> Plot:
    """Draw points in a square from 0 to 1, with the line on which both are the same."""
    side, left, top = 240.0, _PAD + 60, _HEAD + 10
    most = max((dot.count for dot in dots), default=1)
    parts = [
        f'<rect x="{num(left)}" y="{num(top)}" width="{num(side)}" height="{num(side)}" fill="#ffffff" class="axis"/>',
        f'<line class="ideal" x1="{num(left)}" y1="{num(top + side)}" x2="{num(left + side)}" y2="{num(top)}"/>',
        words(left, top + side + 18, f"{x_name}: 0 to 1, left to right", "note"),
        words(left, top + side + 34, f"{y_name}: 0 to 1, upwards", "note"),
    ]
    for dot in dots:
        radius = 4 + 8 * dot.count / most
        at = f'cx="{num(left + dot.x * side)}" cy="{num(top + side - dot.y * side)}"'
        parts.append(f'<circle {at} r="{num(radius)}" fill="{SERIES[0]}" fill-opacity="0.7"><title>')
        parts.append(f"{shown(dot.note)}</title></circle>")
    for place, dot in enumerate(dots):
        parts.append(words(left + side + 40, top + 14 + place * 18, fitted(dot.note, 340, 11), "note"))
    return Plot(title, top + max(side + 40, len(dots) * 18) + _PAD, "".join(parts))


def page(title: str, plots: Iterable[Plot]) -> str:
    """Draw plots below each other as one self-contained SVG document, ending in a newline."""
    panels: list[str] = []
    top = 56.0
    for plot in plots:
        frame = f'<rect class="panel" x="0" y="0" width="{num(WIDTH)}" height="{num(plot.height)}" rx="10"/>'
        heading = words(_PAD, 26, fitted(plot.title, WIDTH - 2 * _PAD, 15), "heading")
        panels.append(f'<g transform="translate({num(_PAD)} {num(top)})">{frame}{heading}{plot.svg}</g>')
        top += plot.height + _PAD
    width, height = WIDTH + 2 * _PAD, top
    size = f'width="{num(width)}" height="{num(height)}" viewBox="0 0 {num(width)} {num(height)}"'
    return "\n".join(
        [
            '<svg xmlns="http://www.w3.org/2000/svg" version="1.1" class="turnwright-plot" '
            f'{size} role="img" aria-labelledby="plot-title">',
            f'<title id="plot-title">{shown(title)}</title>',
            f'<style type="text/css">{STYLE}</style>',
            f'<rect class="sheet" x="0" y="0" width="{num(width)}" height="{num(height)}"/>',
            words(_PAD, 34, fitted(title, width - 2 * _PAD, 15), "heading"),
            *panels,
            "</svg>",
            "",
        ]
    )
