"""Whatever the machine refuses: somebody is told so in clear words, and all goes on when it refuses no more."""

from __future__ import annotations

import errno
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice

import pytest
from tests.faults.errors import CODES, ErrorPoint, error_points, faults_of
from tests.faults.outcome import require_nothing_wrong
from tests.faults.recovery import Recovery
from tests.faults.scenario import STEPS

SHARDS = 16
SAMPLE = 193
"""In the ordinary tests every so many-th point is tried; a prime, so that they fall on all errors and operations."""


def wrong_after(recovery: Recovery, points: Iterable[ErrorPoint]) -> Iterator[str]:
    """Let the machine refuse something at each point, and yield what was wrong, a paragraph for each."""
    for point in points:
        if faults := list(faults_of(recovery, point)):
            yield "\n    ".join([str(point), *faults])


@pytest.mark.filterwarnings("default::pytest.PytestUnraisableExceptionWarning")
def test_a_sample_of_errors_is_told_and_mended(recovery: Recovery) -> None:
    points = list(islice(error_points(), 0, None, SAMPLE))
    assert len(points) >= 30
    assert {point.code for point in points} == set(CODES)
    require_nothing_wrong(wrong_after(recovery, points))


def test_what_is_wrong_with_a_folder_is_held_against_no_file_in_it(recovery: Recovery) -> None:
    """A file that was passed over would be taken after those that came later."""
    step = next(number for number, step in enumerate(STEPS) if "turns/a.json" in step.people)
    looks = [point for point in error_points() if point.step == step and "(look turns" in point.about]
    assert {point.is_stubborn for point in looks} == {False, True}
    require_nothing_wrong(wrong_after(recovery, [replace(point, code=errno.EACCES) for point in looks]))


@pytest.mark.filterwarnings("default::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.slow
@pytest.mark.parametrize("shard", range(SHARDS))
def test_every_error_at_every_operation_is_told_and_mended(recovery: Recovery, shard: int) -> None:
    require_nothing_wrong(wrong_after(recovery, islice(error_points(), shard, None, SHARDS)))
