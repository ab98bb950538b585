"""R1 and R2: what it costs to read again what was read before: a campaign that is open, and words that were tried."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from scripts.bench.campaigns import clock
from scripts.bench.ground import Ground
from scripts.bench.measuring import cpu, ratio, timed
from scripts.bench.table import Row

from turnwright import Campaign
from turnwright.model import data
from turnwright.suggest.pack import load_pack, read_pack
from turnwright.suggest.rules import RULES_BY_ID

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


def words(ground: Ground) -> Iterator[Row]:
    """R2: CPU time until the words of a language can be used, over that of parsing and trying their file."""
    text = data.text_of("suggest/en")

    def kept() -> float:
        re.purge()  # Python keeps some hundred patterns that it compiled; a process that begins has none
        return timed(lambda: load_pack("en"), cpu)[0]

    def tried() -> float:
        re.purge()
        return timed(lambda: read_pack(text, "suggest/en.yaml", RULES_BY_ID), cpu)[0]

    what, floor = "CPU time until the English words of suggestions can be used", "parsing and trying their file"
    yield Row("R2", what, floor, ratio(ground.rounds, kept, tried), _MOST_TIMES)
