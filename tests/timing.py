"""How long work takes, on a machine that others use too and that is not always equally fast.

Times are CPU times. Bounds are for the machine that they were measured on; what takes longer is given as it would be
there.
"""

from __future__ import annotations

import gc
import json
import time
from collections.abc import Callable

TRIES = 8
_REFERENCE_S = 0.0115
"""How long the yardstick takes on the machine that the bounds are for, while it does nothing else."""
_YARDSTICK = json.dumps([{"a": [1, 2.5, "three"]}] * 12_000)


def seconds(work: Callable[[], object]) -> float:
    """Return the CPU time of some work."""
    forget_others()
    started = time.process_time()
    work()
    return time.process_time() - started


def forget_others() -> None:
    """Keep what other tests left behind out of each collection of garbage from now on."""
    gc.freeze()


def best(work: Callable[[], object], bound: float, tries: int = TRIES) -> float:
    """Return the least CPU time of some tries, the last of which is the first one within the bound."""
    return least(lambda: seconds(work), bound, tries)


def least(measure: Callable[[], float], bound: float, tries: int = TRIES) -> float:
    """Return the least of some measurements in seconds, the last of which is the first one within the bound.

    One that is not is compared with what the machine can do in that moment: it swings between one try and the next.
    """
    found = float("inf")
    for _ in range(tries):
        took = measure()
        found = min(found, took if took < bound else took / _pace())
        if found < bound:
            break
    return found


def _pace() -> float:
    """Return how many times as slow this machine is now as the one that the bounds are for; at least 1."""
    return max(1.0, seconds(_yardstick) / _REFERENCE_S)


def _yardstick() -> None:
    """Do what is done by compiled code and makes objects, and what is done by the interpreter, for as long."""
    json.loads(_YARDSTICK)
    total = 0
    for number in range(150_000):
        total += number & 7
