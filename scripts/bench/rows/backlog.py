"""P3: how much of its speed a watcher keeps when what it publishes must be durable."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from itertools import cycle, islice
from pathlib import Path

from scripts.bench.campaigns import clock, ring
from scripts.bench.ground import Ground
from scripts.bench.measuring import ratio, timed, unsynced, wall
from scripts.bench.table import Row
from scripts.bench.walk import laps

from turnwright.campaign.inbox_watcher import Watcher

_AREAS = 10


def syncing(ground: Ground) -> Iterator[Row]:
    """P3: a backlog in one campaign and in many, against itself with syncing off; both on a real disk."""
    turns = ground.pick(2000, 400)
    for campaigns, target in ((1, 0.7), (32, 0.8)):
        unsynced_seconds, synced_seconds = (
            _measure(ground, campaigns, turns, is_synced=each) for each in (False, True)
        )
        rate = ratio(3, unsynced_seconds, synced_seconds, warm=False)
        what = f"rate at {turns:,} waiting turn files, campaigns: {campaigns}"
        yield Row("P3", what, "itself with syncing off", rate, target, is_least=True)


def _measure(ground: Ground, campaigns: int, turns: int, *, is_synced: bool) -> Callable[[], float]:
    model = ground.small_campaign(ground.disk, areas=_AREAS)

    def seconds() -> float:
        root = ground.fresh(ground.disk)
        drop(root, model, campaigns, turns)
        with nullcontext() if is_synced else unsynced():
            taken, replies = timed(lambda: take_all(root), wall)
        shutil.rmtree(root)
        if replies != ["applied"] * turns:
            raise RuntimeError(f"not all turn files were applied: {len(replies)} of {turns} were taken")
        return taken

    return seconds


def drop(root: Path, model: Path, campaigns: int, turns: int) -> None:
    """Drop turn files into copies of a campaign, evenly."""
    folders = [root / f"campaign-{number:02d}" for number in range(campaigns)]
    walks = [laps(ring(1, _AREAS), "b") for _ in folders]
    for folder in folders:
        shutil.copytree(model, folder)
    for number, (folder, walk) in enumerate(islice(cycle(zip(folders, walks, strict=True)), turns)):
        (folder / "turns" / f"{number:06d}.json").write_bytes(next(walk)[1])


def take_all(root: Path) -> list[str]:
    """Take every turn file that waits in any campaign below a folder; return the result of each."""
    replies: list[str] = []

    def failed(folder: Path, error: Exception) -> None:
        raise RuntimeError(f"{folder}: {error}")

    watcher = Watcher(root, lambda _folder, _name, reply: replies.append(reply["status"]), failed, clock=clock)
    try:
        watcher.sweep()
    finally:
        watcher.close()
    return replies
