"""R1: what a reading costs a program that has the campaign open, against opening it for that."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from scripts.bench.campaigns import clock
from scripts.bench.ground import Ground
from scripts.bench.measuring import cpu, ratio, timed
from scripts.bench.table import Row

from turnwright import Campaign

_FLOOR = "the same by who opens the campaign for it"
_MOST_TIMES = 0.5


def again(ground: Ground) -> Iterator[Row]:
    """R1: CPU time of `Campaign.state` where nothing is new, over that of opening, reading and closing."""
    folder, times = ground.small_campaign(ground.memory), ground.pick(300, 20)
    with Campaign.open(folder, clock) as campaign:
        expected = campaign.state
        if _opened_for_it(folder) != expected:
            raise RuntimeError("who goes on reading sees another state than who begins to")

        def ours() -> float:
            return timed(lambda: [campaign.state for _ in range(times)], cpu)[0]

        def anew() -> float:
            return timed(lambda: [_opened_for_it(folder) for _ in range(times)], cpu)[0]

        value = ratio(ground.rounds, ours, anew)
    yield Row("R1", "CPU time of reading the whole state, nothing new since", _FLOOR, value, _MOST_TIMES)


def _opened_for_it(folder: Path) -> dict[str, object]:
    with Campaign.open(folder, clock) as campaign:
        return campaign.state
