"""How long work takes, on a machine that others use too and that is not always equally fast.

Times are CPU times. Bounds are for the machine that they were measured on; a slower one is given more.
"""

from __future__ import annotations

import gc
import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_REFERENCE_S = 0.013
"""How long the yardstick takes on the machine that the bounds are for."""
_YARDSTICK = json.dumps([{"a": [1, 2.5, "three"]}] * 12_000)


def pace() -> float:
    """Return how many times as slow this machine is now as the one that the bounds are for; at least 1."""
    return max(1.0, min(seconds(lambda: json.loads(_YARDSTICK)) for _ in range(2)) / _REFERENCE_S)


def seconds(work: Callable[[], object]) -> float:
    """Return the CPU time of some work."""
    with alone():
        started = time.process_time()
        work()
        return time.process_time() - started


@contextmanager
def alone() -> Iterator[None]:
    """Keep what other tests left behind out of each collection of garbage as long as the context lasts."""
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


def best(work: Callable[[], object], bound: float, tries: int = 3) -> float:
    """Return the least CPU time of some tries, the last of which is the first one within the bound.

    Where none is, the time is given as it would be on the machine that the bound is for.
    """
    least = float("inf")
    for _ in range(tries):
        least = min(least, seconds(work))
        if least < bound:
            return least
    return least / pace()
