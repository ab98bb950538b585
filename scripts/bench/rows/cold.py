"""P1 and P7: a whole process that takes one turn."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from scripts.bench.ground import Ground
from scripts.bench.measuring import ratio, timed, wall
from scripts.bench.table import Row
from scripts.bench.walk import Walk

_FLOOR = """
import os, sys
import click
from pydantic import BaseModel
class Turn(BaseModel):
    turn_id: str
descriptor = os.open(sys.argv[1], os.O_WRONLY | os.O_APPEND | os.O_CREAT)
os.write(descriptor, sys.stdin.buffer.read())
os.fdatasync(descriptor)
"""


def new_campaign(ground: Ground) -> Iterator[Row]:
    """P1: `turnwright process` of one move in a new campaign, against imports, one model and a synced append."""
    folder = ground.small_campaign(ground.disk)
    walk = Walk(folder)
    line = walk.batch(1).lines[0]
    walk.close()
    append = [sys.executable, "-c", _FLOOR, str(ground.fresh(ground.disk) / "lines")]
    value = ratio(ground.pick(15, 7), _process(folder), lambda: _run(append, line))
    yield Row("P1", "cold process of one move", "python, click, pydantic, one synced append", value, 1.4)


def big_campaign(ground: Ground) -> Iterator[Row]:
    """P7: `turnwright process` of one move in a large and old campaign, against a new one."""
    small = ground.small_campaign(ground.memory)
    value = ratio(ground.pick(15, 7), _process(ground.long_log()), _process(small))
    what = f"cold process of one move, {ground.areas:,} areas, {ground.records:,} records"
    yield Row("P7", what, "itself on a new campaign", value, 1.5)


def _process(folder: Path) -> Callable[[], float]:
    walk = Walk(folder)
    walk.close()
    command = [sys.executable, "-m", "turnwright", "process", str(folder), "-"]
    return lambda: _run(command, next(walk.laps)[1])


def _run(command: Sequence[str], given: bytes) -> float:
    """Return how long a process takes; it must succeed."""
    return timed(lambda: subprocess.run(command, input=given, check=True, stdout=subprocess.DEVNULL), wall)[0]
