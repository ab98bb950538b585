"""How something is measured: by which clock, in turn with what it is compared with, synced or not."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from math import ceil
from multiprocessing import get_context
from statistics import median
from typing import ParamSpec, TypeVar

from turnwright.store import platform

P = ParamSpec("P")
R = TypeVar("R")
Now = Callable[[], float]
wall: Now = time.perf_counter
cpu: Now = time.process_time


def timed(work: Callable[[], R], now: Now) -> tuple[float, R]:
    """Return how long some work takes by a clock, and what it gives."""
    gc.collect()  # rubbish of what was measured before is nobody's cost
    start = now()
    result = work()
    return now() - start, result


def in_turn(rounds: int, *measures: Callable[[], float], warm: bool = True) -> list[float]:
    """Return the median of each measure, taken in turn; a first round warms up and does not count."""
    if warm:
        for measure in measures:
            measure()
    taken = [[measure() for measure in measures] for _ in range(rounds)]
    return [median(values) for values in zip(*taken, strict=True)]


def ratio(rounds: int, ours: Callable[[], float], floor: Callable[[], float], *, warm: bool = True) -> float:
    """Return the median of ours over that of the floor, measured in turn."""
    high, low = in_turn(rounds, ours, floor, warm=warm)
    return high / low


def quantile(values: list[float], part: float) -> float:
    """Return the value that a part of all do not exceed."""
    return sorted(values)[ceil(part * len(values)) - 1]


@contextmanager
def unsynced() -> Iterator[None]:
    """Switch syncing off in this process."""
    kept = platform.sync_file, platform.sync_folder
    platform.sync_file, platform.sync_folder = _leave_file, _leave_folder
    try:
        yield
    finally:
        platform.sync_file, platform.sync_folder = kept


def _leave_file(descriptor: int) -> None:
    del descriptor


def _leave_folder(path: str) -> None:
    del path


def in_child(work: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    """Do some work in a process of its own, so that what it keeps in memory is in nobody's way."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(work, *args, **kwargs).result()
