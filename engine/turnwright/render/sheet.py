"""The sheet that is drawn on: its head with title and summary, its margins, and the frames of panels."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from turnwright.render.map_panel import Panel
from turnwright.render.map_shapes import STYLE, fitted, num, shown, words

MARGIN = 28
TOP = 88
GAP = 22


@dataclass(frozen=True, slots=True)
class Sheet:
    """A drawing without its panels.

    Attributes:
        kind: the kind of drawing, such as `map`; part of the ids of title and description, and the default title.
        title: the name of the drawing.
        description: its content, for readers who cannot see it.
        summary: one line below the title.
        width: of the whole sheet, in pixels.
        height: the same.
        style: further rules of style.
    """

    kind: str
    title: str
    description: str
    summary: str
    width: float
    height: float
    style: str = ""

    def drawn(self, panels: Iterable[str]) -> str:
        """Return the whole document as SVG 1.1, ending in a newline."""
        return "\n".join([*self._head(), *panels, "</svg>", ""])

    def _head(self) -> Iterator[str]:
        width, height = num(self.width), num(self.height)
        size = f'width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
        yield (
            f'<svg xmlns="http://www.w3.org/2000/svg" version="1.1" class="turnwright-map" {size} '
            f'role="img" aria-labelledby="{self.kind}-title {self.kind}-desc">'
        )
        yield f'<title id="{self.kind}-title">{shown(self.title) or self.kind.title()}</title>'
        yield f'<desc id="{self.kind}-desc">{shown(self.description)}</desc>'
        yield f'<style type="text/css">{STYLE}{self.style}</style>'
        yield f'<rect class="sheet" x="0" y="0" width="{width}" height="{height}"/>'
        yield words(MARGIN, 44, fitted(self.title, (self.width - 2 * MARGIN) / 1.15, 26), "headline")
        yield words(MARGIN, 68, self.summary, "summary")


def framed(panel: Panel, left: float, top: float, height: float) -> str:
    """Return a panel in its place, in a frame of this height."""
    frame = f'<rect class="panel" x="0" y="0" width="{num(panel.width)}" height="{num(height)}" rx="14"/>'
    return f'<g transform="translate({num(left)} {num(top)})">{frame}{panel.svg}</g>'
