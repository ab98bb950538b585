"""P8: how long a dropped file waits for its result, and what waiting for files costs."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from scripts.bench import watching
from scripts.bench.ground import Ground
from scripts.bench.measuring import quantile, wall
from scripts.bench.table import Row
from scripts.bench.walk import Walk

_FLOOR = "watchfiles and one synced append"


def latency(ground: Ground) -> Iterator[Row]:
    """P8: from the drop of a file to its result, against watchfiles and an append; and the CPU of doing nothing."""
    drops = ground.pick(300, 60)
    folder = ground.small_campaign(ground.disk)
    walk = Walk(folder)
    line = walk.batch(1).lines[0]
    walk.close()
    with watching.watcher(folder) as process_id, bare_watcher(ground, line) as drop_bare:
        watching.drop(folder, *next(walk.laps))  # the first waits until the watcher is there
        ours, floor = [], []
        for number in range(drops):
            turn_id, content = next(walk.laps)
            _pause(number)
            ours.append(1000 * watching.drop(folder, turn_id, content))
            _pause(number + 1)
            floor.append(1000 * drop_bare(turn_id, content))
        busy = 100 * _share_of_cpu(process_id, ground.pick(12, 6))
    for part, target in ((0.5, 8), (0.99, 25)):
        what = f"dropped file to visible result, p{100 * part:g} of {drops}"
        yield Row("P8", what, _FLOOR, quantile(ours, part) - quantile(floor, part), target, "ms over")
    yield Row("P8", "watcher without work", "one CPU", busy, 1.5, "%")


@contextmanager
def bare_watcher(ground: Ground, line: bytes) -> Iterator[Callable[[str, bytes], float]]:
    """Run the floor in a process of its own; give a function that drops a file and waits for the append."""
    folder, beside = ground.fresh(ground.disk), ground.fresh(ground.disk)
    (beside / "line").write_bytes(line)
    command = [sys.executable, "-m", "scripts.bench.bare_watch", str(folder), str(beside / "line"), str(beside / "log")]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        told = process.stdout.fileno()

        def drop(turn_id: str, content: bytes) -> float:
            (beside / turn_id).write_bytes(content)
            start = wall()
            (beside / turn_id).rename(folder / f"{turn_id}.json")
            os.read(told, 1)
            return wall() - start

        os.read(told, 1)
        try:
            yield drop
        finally:
            process.terminate()


def _pause(number: int) -> None:
    """Wait for a time that is never in step with anything."""
    time.sleep((20 + number * 7 % 23) / 1000)


def _share_of_cpu(process_id: int, seconds: int) -> float:
    """Return which part of a CPU a process uses (Linux)."""
    time.sleep(1)
    start, used = wall(), _cpu_seconds(process_id)
    time.sleep(seconds)
    return (_cpu_seconds(process_id) - used) / (wall() - start)


def _cpu_seconds(process_id: int) -> float:
    fields = Path(f"/proc/{process_id}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
