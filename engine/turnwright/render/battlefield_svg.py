"""Draw a fight as one self-contained SVG document: the grid, everybody in the order of turns, and a legend."""

from __future__ import annotations

from collections.abc import Iterator

from turnwright.render.battlefield_ground import ground_panel
from turnwright.render.battlefield_people import ROSTER, roster_panel
from turnwright.render.battlefield_signs import signs_panel
from turnwright.render.battlefield_view import FightView, headline_of, summary_of_fight
from turnwright.render.map_panel import Panel
from turnwright.render.map_shapes import STYLE, fitted, num, shown, words

_MARGIN = 28
_TOP = 88
_GAP = 22
_MORE_STYLE = """
.turnwright-map .square{fill:none;stroke:#d8d2c4;stroke-width:0.6}
.turnwright-map .floor{fill:#f4f0e6}
.turnwright-map .obstacle{fill:#4a4f58}
.turnwright-map .difficult{fill:#d9c7a0}
.turnwright-map .water{fill:#9cc4e0}
.turnwright-map .hazard{fill:#e8a598}
.turnwright-map .sign{font-size:11px;fill:#6d5636;text-anchor:middle}
.turnwright-map .ruler{font-size:9.5px;fill:#6a7280;text-anchor:middle}
.turnwright-map .reach{fill:#3f9a55;fill-opacity:0.22}
.turnwright-map .aura{fill:#8d5fb0;fill-opacity:0.13;stroke:#8d5fb0;stroke-width:1.4;stroke-dasharray:5 3}
.turnwright-map .light{fill:#14203c}
.turnwright-map .symbol{font-weight:bold;fill:#ffffff;text-anchor:middle}
.turnwright-map .under{font-size:9px;text-anchor:middle}
.turnwright-map .turn{fill:none;stroke:#c8961e;stroke-width:2.6}
.turnwright-map .strike{stroke:#c62828;stroke-width:2;fill:none}
.turnwright-map .prop{fill:#b98d52;stroke:#6d5636}
"""


def render_battlefield_svg(view: FightView) -> str:
    """Draw a fight as SVG 1.1; the same fight always gives the same bytes, ending in a newline.

    For programs: participants carry `data-token`, props `data-prop`, auras `data-aura`, terrain `data-square`.
    """
    ground, roster = ground_panel(view), roster_panel(view)
    signs = signs_panel(view, ground.width + _GAP + ROSTER)
    tall = max(ground.height, roster.height)
    width = signs.width + 2 * _MARGIN
    height = _TOP + tall + _GAP + signs.height + _MARGIN
    panels = (
        _placed(ground, _MARGIN, _TOP, tall),
        _placed(roster, _MARGIN + ground.width + _GAP, _TOP, tall),
        _placed(signs, _MARGIN, _TOP + tall + _GAP, signs.height),
    )
    return "\n".join([*_head(view, width, height), *panels, "</svg>", ""])


def _placed(panel: Panel, left: float, top: float, height: float) -> str:
    frame = f'<rect class="panel" x="0" y="0" width="{num(panel.width)}" height="{num(height)}" rx="14"/>'
    return f'<g transform="translate({num(left)} {num(top)})">{frame}{panel.svg}</g>'


def _head(view: FightView, width: float, height: float) -> Iterator[str]:
    size = f'width="{num(width)}" height="{num(height)}" viewBox="0 0 {num(width)} {num(height)}"'
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" version="1.1" class="turnwright-map" {size} '
        'role="img" aria-labelledby="fight-title fight-desc">'
    )
    yield f'<title id="fight-title">{shown(view.title) or "Fight"}</title>'
    yield f'<desc id="fight-desc">{shown(summary_of_fight(view))}</desc>'
    yield f'<style type="text/css">{STYLE}{_MORE_STYLE}</style>'
    yield f'<rect class="sheet" x="0" y="0" width="{num(width)}" height="{num(height)}"/>'
    yield words(_MARGIN, 44, fitted(view.title, (width - 2 * _MARGIN) / 1.15, 26), "headline")
    yield words(_MARGIN, 68, fitted(headline_of(view), width - 2 * _MARGIN, 13), "summary")
