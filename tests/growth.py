"""How the cost of work grows with the size of its input, as a ratio measured in one moment.

Times are CPU times, and none is compared with a constant: a busy or slow machine takes longer for both sizes.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable

Work = Callable[[], object]
Clock = Callable[[], float]
TRIES = 6


def seconds(work: Work, times: int = 1, *, clock: Clock = time.process_time) -> float:
    """Return the CPU time of doing some work a number of times."""
    gc.freeze()  # what other tests left behind stays out of each collection of garbage from now on
    started = clock()
    for _ in range(times):
        work()
    return clock() - started


def growth(
    make: Callable[[int], Work],
    short: int,
    long: int,
    most: float,
    *,
    repeat: int = 1,
    clock: Clock = time.process_time,
) -> float:
    """Return by which factor the cost of one unit of input grows from a short input to a long one.

    It is 1 for work in proportion to its input and `long / short` for work that grows with the square. The long input
    is compared with the short one as often as both hold the same in all, so that both take about as long.

    Args:
        make: gives the work for an input of a size.
        short: the smaller size.
        long: the larger size.
        most: what is expected at most; the first of `TRIES` tries below it decides, otherwise the least.
        repeat: how often both are done, where once is over too soon to be measured.
        clock: what gives the time.
    """
    work, floor = make(long), make(short)
    return ratio(lambda: _again(work, repeat), floor, most, times=repeat * (long // short), clock=clock)


def _again(work: Work, times: int) -> None:
    for _ in range(times):
        work()


def ratio(work: Work, floor: Work, most: float, *, times: int = 1, clock: Clock = time.process_time) -> float:
    """Return how many times as long some work takes as other work done `times` times.

    Args:
        work: what is measured.
        floor: what it is compared with.
        most: what is expected at most; the first of `TRIES` tries below it decides, otherwise the least.
        times: how often the floor is repeated.
        clock: what gives the time.
    """
    found = float("inf")
    for _ in range(TRIES):
        below = seconds(floor, times, clock=clock)
        found = min(found, seconds(work, clock=clock) / max(below, time.get_clock_info("process_time").resolution))
        if found < most:
            break
    return found
