"""The pictures of the documentation: maps of the sample `barrow`, drawn by the program itself."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

from turnwright import Campaign
from turnwright.render.battlefield_svg import render_battlefield_svg
from turnwright.render.map_svg import render_svg
from turnwright.store.package_files import seed_of_sample
from turnwright.views.fight import fight_view
from turnwright.views.state import map_view

SAMPLE = "barrow"
IN_THE_FIGHT = "0013-sigrun-charges.json"
"""The turn after which the fight is drawn; the map is drawn at the end."""
NOW = datetime(2026, 1, 14, 16, tzinfo=UTC)


def pictures() -> Mapping[str, str]:
    """Return the pictures as SVG, by the name of their file in `docs/images/`."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / SAMPLE
        with Campaign.new(home, template=SAMPLE, seed=seed_of_sample(SAMPLE), clock=lambda: NOW) as campaign:
            return _drawn(campaign, home / "turns")


def _drawn(campaign: Campaign, turns: Path) -> Mapping[str, str]:
    fight = ""
    for file in sorted(turns.glob("*.json")):
        campaign.process(json.loads(file.read_bytes()))
        if file.name == IN_THE_FIGHT:
            with campaign.reading() as world:
                fight = render_battlefield_svg(fight_view(world, "encounter-1"))
    with campaign.reading() as world:
        return {"barrow-map.svg": render_svg(map_view(world)), "barrow-fight.svg": fight}
