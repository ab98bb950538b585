"""P2 and P4: what a turn costs in a process that takes many, in time and in work."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path

from scripts.bench.bare_moves import BareMoves, bare_moves
from scripts.bench.ground import Ground
from scripts.bench.measuring import Now, cpu, ratio, timed, unsynced, wall
from scripts.bench.table import Row
from scripts.bench.walk import Batch, Walk

from turnwright.store import platform

Floor = Callable[[Batch, int], None]


def durable(ground: Ground) -> Iterator[Row]:
    """P2: turns one by one on a real disk, each reply awaited, against parsing and a synced append."""
    value = _ratio(ground, ground.disk, parse_and_sync, wall)
    yield Row("P2", f"durable turns, {ground.burst} in a row", "parse, append, fdatasync of the same", value, 2.5)


def cpu_time(ground: Ground) -> Iterator[Row]:
    """P4: CPU time of a turn without syncing, against parsing, dumping and appending; and how low it could be."""
    with unsynced():
        value = _ratio(ground, ground.memory, parse_and_dump, cpu)
        least = _least(ground)
    floor = "json.loads, json.dumps, append of the same"
    yield Row("P4", "CPU of a turn, syncing off", floor, value, 6)
    yield Row("P4", "the same lines by a loop made for these turns alone", floor, least, None)


def _ratio(ground: Ground, base: Path, floor: Floor, now: Now) -> float:
    walk = Walk(ground.small_campaign(base))
    batches: list[Batch] = []
    descriptor = os.open(ground.fresh(base) / "lines", os.O_WRONLY | os.O_APPEND | os.O_CREAT)

    def ours() -> float:
        batches.append(walk.batch(ground.burst, now))
        return batches[-1].seconds

    def floor_seconds() -> float:
        return timed(lambda: floor(batches[-1], descriptor), now)[0]

    try:
        return ratio(ground.rounds, ours, floor_seconds)
    finally:
        os.close(descriptor)
        walk.close()


def _least(ground: Ground) -> float:
    campaign = ground.small_campaign(ground.memory)
    walk = Walk(campaign)
    batch = walk.batch(ground.burst)
    walk.close()
    descriptor = os.open(ground.fresh(ground.memory) / "lines", os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    try:
        with bare_moves(ground.fresh(ground.memory), campaign) as bare:
            return ratio(
                ground.rounds,
                lambda: _bare_seconds(bare, batch),
                lambda: timed(lambda: parse_and_dump(batch, descriptor), cpu)[0],
            )
    finally:
        os.close(descriptor)


def _bare_seconds(bare: BareMoves, batch: Batch) -> float:
    bare.begin(batch)
    seconds, _ = timed(lambda: bare.take(batch), cpu)
    if bare.lines != batch.lines:
        raise RuntimeError("turns taken bare leave other lines than the engine's")
    return seconds


def parse_and_sync(batch: Batch, descriptor: int) -> None:
    """Parse each turn of a batch, append the line it became, and wait until that is durable."""
    for turn, line in zip(batch.turns, batch.lines, strict=True):
        json.loads(turn)
        os.write(descriptor, line)
        platform.sync_file(descriptor)


def parse_and_dump(batch: Batch, descriptor: int) -> None:
    """Parse each turn of a batch, dump the record it became, and append its line."""
    for turn, record, line in zip(batch.turns, batch.records, batch.lines, strict=True):
        json.loads(turn)
        json.dumps(record)
        os.write(descriptor, line)
