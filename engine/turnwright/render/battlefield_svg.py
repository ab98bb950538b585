"""Draw a fight as one self-contained SVG document: the grid, the participants in initiative order, and a legend."""

from __future__ import annotations

from turnwright.render.battlefield_ground import ground_panel
from turnwright.render.battlefield_people import ROSTER, roster_panel
from turnwright.render.battlefield_signs import signs_panel
from turnwright.render.battlefield_view import FightView, headline_of, summary_of_fight
from turnwright.render.map_shapes import fitted
from turnwright.render.sheet import GAP, MARGIN, TOP, Sheet, framed

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
    signs = signs_panel(view, ground.width + GAP + ROSTER)
    tall = max(ground.height, roster.height)
    width = signs.width + 2 * MARGIN
    height = TOP + tall + GAP + signs.height + MARGIN
    panels = (
        framed(ground, MARGIN, TOP, tall),
        framed(roster, MARGIN + ground.width + GAP, TOP, tall),
        framed(signs, MARGIN, TOP + tall + GAP, signs.height),
    )
    summary = fitted(headline_of(view), width - 2 * MARGIN, 13)
    sheet = Sheet("fight", view.title, summary_of_fight(view), summary, width, height, _MORE_STYLE)
    return sheet.drawn(panels)
