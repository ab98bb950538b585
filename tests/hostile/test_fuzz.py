"""What is fuzzed, tried on its seeds and on the same changed a little, so that it does not rot between two fuzzings."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from tests.fuzz.mutation import mutated
from tests.fuzz.seeds import seeds
from tests.fuzz.targets import TARGETS, played

from turnwright.store.log import LOG_PATH

_MAX_SEEDS = 16
_CHANGED = {"directory": 20}


def inputs(target: str, number: int) -> Iterator[bytes]:
    """Yield changed seeds, the same every time."""
    randomness = Random(target)
    for _ in range(number):
        data = randomness.choice(seeds(target))
        changed = mutated(target, data, randomness) if randomness.random() < 0.8 else None
        yield _spoilt(data, randomness) if changed is None else changed


def _spoilt(data: bytes, randomness: Random) -> bytes:
    spoilt = bytearray(data or b"\0")
    for _ in range(randomness.randint(1, 4)):
        spoilt[randomness.randrange(len(spoilt))] = randomness.randrange(256)
    return bytes(spoilt)


@pytest.mark.parametrize("target", TARGETS)
def test_there_are_seeds_and_they_are_answered(target: str) -> None:
    assert seeds(target)
    for data in seeds(target)[:_MAX_SEEDS]:
        TARGETS[target](data)


@pytest.mark.parametrize("target", TARGETS)
def test_changed_seeds_are_answered(target: str) -> None:
    for data in inputs(target, _CHANGED.get(target, 60)):
        TARGETS[target](data)


@pytest.mark.slow
@pytest.mark.parametrize(
    "target",
    # What is known is found by chance here, or not; the examples below provoke it.
    TARGETS,
)
def test_many_changed_seeds_are_answered(target: str) -> None:
    for data in inputs(target, 500 if target == "directory" else 2000):
        TARGETS[target](data)


@pytest.mark.parametrize(
    "data",
    [
        b'{"id":"a","state":{"positions_child":{"pc_001":[]}}}',
        b'{"id":"a","actors":{"pc_001":{"position":[]}}}',
    ],
)
def test_an_import_with_a_list_where_a_name_should_be_is_refused(data: bytes) -> None:
    TARGETS["one_file"](data)


FORGED: dict[str, tuple[bytes, bytes]] = {
    "turn_id": (b'"turn_id":"turn_0001"', b'"turn_id":5'),
    "timestamp": (b'"timestamp":', b'"moment":'),
    "kind": (b'"kind":"settings"', b'"kind":[]'),
    "a large kind": (b'"kind":"settings"', b'"kind":1' + b"0" * 30),
    "undone_from": (b'"undone_from":4', b'"undone_from":null'),
}


@pytest.mark.parametrize(
    "name",
    FORGED,
)
def test_a_forged_log_is_told_to_be_one(name: str) -> None:
    TARGETS["log"](b"\x03" + (played() / LOG_PATH).read_bytes().replace(*FORGED[name]))


def test_what_is_forged_stands_in_the_log() -> None:
    text = (played() / LOG_PATH).read_bytes()
    assert all(old in text for old, _ in FORGED.values())


def test_the_seeds_are_taken_from_what_lies_here_already() -> None:
    assert not [
        place for place in Path(__file__).parents[1].glob("fuzz/**/*") if place.suffix not in ("", ".py", ".pyc")
    ]
