"""Moments of the samples in which the calls are different that are legal."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.directory_snapshot import KeptDirectory

from turnwright import Campaign

CAMPAIGNS = Path(__file__).parents[1] / "campaigns"
AFTER = {
    "barrow": ("barrow", 0),
    "barrow, fight": ("barrow", 5),
    "delve": ("delve", 0),
    "heist": ("heist", 0),
    "heist, scenario": ("heist", 2),
    "heist, scene": ("heist", 4),
    "heist, action": ("heist", 8),
    "heist, aftermath": ("heist", 12),
    "heist, trauma": ("heist", 25),
    "heist, bargain": ("heist", 35),
    "heist, interlude": ("heist", 61),
}
"""The sample and how many of its turns have been played."""
MOMENTS = tuple(AFTER)


@contextmanager
def campaign_at(moment: str, folder: Path) -> Iterator[Campaign]:
    """Give the sample as it is at a moment, which has what the moment is named for."""
    template, after = AFTER[moment]
    _played(template, after).lay_down(folder / template)
    with Campaign.open(folder / template) as campaign:
        wanted = moment.partition(", ")[2]
        if wanted == "fight":
            assert any(path.startswith("encounters/") for path in campaign.state)
        elif wanted in ("scene", "action", "aftermath", "trauma", "bargain"):
            assert campaign.state["crew.json"]["phase"]["mood"]["mood"] == wanted
        yield campaign


@cache
def _played(template: str, after: int) -> KeptDirectory:
    """Return the sample after so many turns; it goes on from the moment before."""
    before = max((count for name, count in AFTER.values() if name == template and count < after), default=None)
    with TemporaryDirectory() as folder:
        path = Path(folder) / template
        if before is None:
            Campaign.new(path, template=template, seed=template).close()
        else:
            _played(template, before).lay_down(path)
        with Campaign.open(path) as campaign:
            for turn in sorted(CAMPAIGNS.joinpath(template, "turns").glob("*.json"))[before or 0 : after]:
                campaign.process(json.loads(turn.read_bytes()))
        return KeptDirectory(path)
