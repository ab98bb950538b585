"""Measure what a turn costs against floors measured in the same run, and print ratios, never bare times.

    make bench

Each row measures floor and ours in turn, several times, and compares medians.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from typing import Any

from turnwright import Campaign
from turnwright.store import platform

FLOOR_PROGRAM = """
import os, sys
import click
from pydantic import BaseModel
class Turn(BaseModel):
    turn_id: str
descriptor = os.open(sys.argv[1], os.O_WRONLY | os.O_APPEND | os.O_CREAT)
os.write(descriptor, sys.stdin.buffer.read())
os.fdatasync(descriptor)
"""
Row = tuple[str, str, float]


def clock() -> datetime:
    """Return a moment that stands still."""
    return datetime(2026, 1, 14, 16, 5, 31, tzinfo=UTC)


def new_campaign(path: Path) -> Campaign:
    """Make a campaign of two areas that lead to each other."""
    Campaign.new(path, seed="bench", clock=clock).close()
    layer = json.loads((path / "maps/root.json").read_text())
    layer["areas"]["area_002"]["reachable_area_ids"] = ["area_001"]
    (path / "maps/root.json").write_text(json.dumps(layer))
    return Campaign.open(path, clock)


def moves(first: int, count: int) -> list[bytes]:
    """Return turn files that walk to and fro."""
    areas = ("area_001", "area_002")
    turns = []
    for number in range(first, first + count):
        args = {"actor_id": "pc_001", "from_area_id": areas[number % 2], "to_area_id": areas[1 - number % 2]}
        call = {"id": "call_001", "tool": "move", "args": args}
        turns.append(json.dumps({"turn_id": f"t{number}", "tool_calls": [call]}).encode())
    return turns


def in_turn(floor: Callable[[], float], ours: Callable[[], float], rounds: int) -> float:
    """Return the ratio of the medians of two measurements made in turn."""
    pairs = [(floor(), ours()) for _ in range(rounds)]
    return median(our for _, our in pairs) / median(low for low, _ in pairs)


def timed(work: Callable[[], object], now: Callable[[], float]) -> float:
    """Return how long some work takes by a clock."""
    start = now()
    work()
    return now() - start


def last_line(folder: Path) -> bytes:
    """Return the last line of a campaign's log, with its line feed."""
    return (folder / "log.jsonl").read_bytes().splitlines(keepends=True)[-1]


def cold_start(home: Path, rounds: int) -> float:
    """P1: a whole process that takes one move."""
    folder = home / "cold"
    with new_campaign(folder) as campaign:
        campaign.process(moves(0, 1)[0])
    line = last_line(folder)
    turns = iter(moves(1, rounds))

    def floor() -> float:
        command = [sys.executable, "-c", FLOOR_PROGRAM, str(home / "floor")]
        return timed(lambda: subprocess.run(command, input=line, check=True), time.perf_counter)

    def ours() -> float:
        command = [sys.executable, "-m", "turnwright", "process", str(folder), "-"]
        turn = next(turns)
        return timed(
            lambda: subprocess.run(command, input=turn, check=True, stdout=subprocess.DEVNULL), time.perf_counter
        )

    return in_turn(floor, ours, rounds)


def turn_cost(home: Path, rounds: int, *, durable: bool) -> float:
    """P2 and P4: turns in one process, awaited one by one; wall time when durable, else CPU time without syncing."""
    folder = home / f"turns-{durable}"
    campaign = new_campaign(folder)
    each = 200
    campaign.process(moves(0, 1)[0])
    line = last_line(folder)
    record = json.loads(line)
    turns = iter(moves(1, rounds * each))
    now = time.perf_counter if durable else time.process_time
    descriptor = os.open(home / "lines", os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    parsed = moves(0, 1)[0]

    def floor() -> float:
        return timed(straight, now)

    def straight() -> None:
        for _ in range(each):
            json.loads(parsed)
            os.write(descriptor, line if durable else json.dumps(record).encode() + b"\n")
            if durable:
                os.fdatasync(descriptor)

    def ours() -> float:
        batch = [next(turns) for _ in range(each)]
        return timed(lambda: [campaign.process(turn) for turn in batch], now)

    ratio = in_turn(floor, ours, rounds)
    os.close(descriptor)
    campaign.close()
    return ratio


def _leave_unsynced(descriptor: int) -> None:
    del descriptor


def without_sync(work: Callable[[], float]) -> float:
    """Run a measurement with syncing switched off."""
    kept = platform.sync_file
    platform.sync_file = _leave_unsynced
    try:
        return work()
    finally:
        platform.sync_file = kept


def verification(home: Path, rounds: int) -> float:
    """P9: chain and full replay, against parsing and hashing every line."""
    from turnwright.verifier import verify

    folder = home / "verified"
    with new_campaign(folder) as campaign:
        for turn in moves(0, 1000):
            campaign.process(turn)
    lines = (folder / "log.jsonl").read_bytes().splitlines()

    def floor() -> float:
        return timed(lambda: [(json.loads(line), hashlib.sha256(line).digest()) for line in lines], time.process_time)

    return in_turn(floor, lambda: timed(lambda: verify(folder), time.process_time), rounds)


def measure(home: Path, rounds: int) -> list[Row]:
    """Return the table: what, floor, ratio."""
    memory = Path("/dev/shm") if Path("/dev/shm").is_dir() else home
    with tempfile.TemporaryDirectory(dir=memory) as scratch:
        cpu = without_sync(lambda: turn_cost(Path(scratch), rounds, durable=False))
        checked = without_sync(lambda: verification(Path(scratch), rounds))
    return [
        ("cold process of one move", "python, click, pydantic, one synced append", cold_start(home, rounds)),
        (
            "durable turn in one process",
            "parse and synced append of the same line",
            turn_cost(home, rounds, durable=True),
        ),
        ("CPU of a turn, syncing off", "parse, dump and append of the same line", cpu),
        ("verify 1,000 turns", "parse and hash of every line", checked),
    ]


def main() -> None:
    """Print the table, and write it as JSON where asked."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=9, help="measurements of floor and ours each")
    parser.add_argument("--json", type=Path, help="write the table to this file too")
    options = parser.parse_args()
    home = Path(tempfile.mkdtemp(prefix="turnwright-bench-"))
    try:
        rows = measure(home, options.rounds)
    finally:
        shutil.rmtree(home)
    width = max(len(what) for what, _, _ in rows)
    for what, floor, ratio in rows:
        print(f"{what:<{width}}  {ratio:7.2f} x  {floor}")
    if options.json:
        table: list[dict[str, Any]] = [{"what": what, "floor": floor, "ratio": ratio} for what, floor, ratio in rows]
        options.json.write_text(json.dumps(table, indent=2) + "\n")


if __name__ == "__main__":
    main()
