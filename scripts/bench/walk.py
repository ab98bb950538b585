"""Turns that walk in circles, and how long a batch of them takes."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count, cycle, islice, pairwise
from pathlib import Path
from typing import Any

from scripts.bench.campaigns import WALKER, clock
from scripts.bench.measuring import Now, cpu, timed

from turnwright import Campaign
from turnwright.model.area import area_number


def turn_file(turn_id: str, tool: str, args: dict[str, Any]) -> bytes:
    """Return a turn file with one call."""
    return json.dumps({"turn_id": turn_id, "tool_calls": [{"id": "call_001", "tool": tool, "args": args}]}).encode()


def laps(areas: Sequence[str], stem: str) -> Iterator[tuple[str, bytes]]:
    """Yield, without end, id and content of turns that each walk one area further along a ring."""
    for number, (start, end) in zip(count(), pairwise(cycle(areas))):
        turn_id = f"{stem}-{number}"
        yield turn_id, turn_file(turn_id, "move", {"actor_id": WALKER, "from_area_id": start, "to_area_id": end})


@dataclass(frozen=True, slots=True)
class Batch:
    """Turns that were taken, the lines of the log and the records they became, and how long that took."""

    seconds: float
    turns: Sequence[bytes]
    lines: Sequence[bytes]
    records: Sequence[Any]


class Walk:
    """Somebody who walks round the layer they stand in."""

    def __init__(self, folder: Path) -> None:
        self._campaign = Campaign.open(folder, clock)
        self._log = folder / "log.jsonl"
        self.laps = laps(_ring(self._campaign), f"w{self._log.stat().st_size}")

    def batch(self, turns: int, now: Now = cpu) -> Batch:
        """Take some turns, and measure until everything that follows from them is on disk."""
        files = [content for _, content in islice(self.laps, turns)]
        before = self._log.stat().st_size
        seconds, _ = timed(lambda: take(self._campaign, files), now)
        with self._log.open("rb") as log:
            log.seek(before)
            lines = list(log)
        return Batch(seconds, files, lines, [json.loads(line) for line in lines])

    def seconds(self, turns: int) -> Callable[[], float]:
        """Return a measure of the CPU time of that many turns."""
        return lambda: self.batch(turns).seconds

    def close(self) -> None:
        """Close the campaign."""
        self._campaign.close()


def take(campaign: Campaign, files: Sequence[bytes]) -> None:
    """Take turns one by one, each after the reply to the one before, and bring all files up to date."""
    statuses = {campaign.process(file)["status"] for file in files}
    campaign.flush()
    if statuses != {"applied"}:
        raise RuntimeError(f"not all turns were applied: {statuses}")


def _ring(campaign: Campaign) -> list[str]:
    """Return the areas of the layer in which the walking begins, from where it begins."""
    with campaign.reading() as world:
        walker = world.character(WALKER)
        start = world.area(walker.position) if walker and walker.position else None
        layer = world.layer(start.parent_area_id) if start else None
        assert start is not None
        assert layer is not None
        areas = sorted(layer.areas, key=lambda area_id: area_number(area_id) or 0)
    at = areas.index(start.id)
    return areas[at:] + areas[:at]
