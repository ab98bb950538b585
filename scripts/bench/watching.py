"""A `turnwright watch` in a process of its own, and how long until it has answered."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from scripts.bench.measuring import wall

_PATIENCE = 60.0
_LOOK_EVERY = 0.0002


@contextmanager
def watcher(root: Path) -> Iterator[int]:
    """Watch a folder as long as the block lasts; give the id of the process that does."""
    command = [sys.executable, "-m", "turnwright", "watch", str(root)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            yield process.pid
        finally:
            process.terminate()


def drop(folder: Path, turn_id: str, content: bytes) -> float:
    """Drop a turn file into a campaign as a finished file; return the seconds until its result can be seen."""
    beside, name = folder.with_name(f".{turn_id}"), f"{turn_id}.json"
    beside.write_bytes(content)
    start = wall()
    beside.rename(folder / "turns" / name)
    return wait_for(folder / "results" / name, start)


def wait_for(place: Path, start: float) -> float:
    """Wait until there is such a file; return the seconds since a moment."""
    while not place.exists():
        if wall() - start > _PATIENCE:
            raise TimeoutError(f"{place} never came")
        time.sleep(_LOOK_EVERY)
    return wall() - start
