"""Every instant of the scenario at which the world may stop, and every way in which it may be found afterwards."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from tests.faults import scenario
from tests.faults.disk import Operation, TellingDisk, tell_of_checkpoints, use
from tests.faults.machine import (
    ALL_IS_LOST,
    BYTES_ARE_LOST,
    NOTHING_IS_LOST,
    Content,
    Loss,
    Machine,
    some_is_lost,
)
from tests.faults.outcome import Left
from tests.faults.scenario import STEPS, Process

from turnwright.store.checkpoint_file import CHECKPOINT_PATH
from turnwright.store.log import LOG_PATH

Json = Any
MEMORY = Path("/dev/shm")
"""Where Linux keeps files in memory: what is tested here waits for no disk."""
NO_CHECKPOINT: Mapping[str, bytes] = {}
GARBAGE = {CHECKPOINT_PATH: b"SQLite format 3\0 or so" * 400}


def room() -> TemporaryDirectory[str]:
    """Return a folder for many small campaigns, in memory where that can be had."""
    return TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None)


@dataclass(frozen=True)
class Instant:
    """The world at one instant.

    Attributes:
        step: which step was under way.
        about: what was being done.
        machine: the files, as they are and as a power cut would leave them.
        checkpoint: the files of SQLite.
        told: the replies that somebody had been told, in this step and before.
    """

    step: int
    about: str
    machine: Machine
    checkpoint: Mapping[str, bytes]
    told: tuple[Json, ...]

    def shown(self) -> list[Json]:
        """Return the replies that anybody could read in a file."""
        return list(Left.of(self.machine.files()).results.values())


@dataclass(frozen=True)
class CrashPoint:
    """One instant, and one way in which the world is found afterwards.

    Attributes:
        number: among all crash points, from 0.
        way: what happened.
        loss: what a power cut takes; None when only the process died.
    """

    number: int
    instant: Instant
    way: str
    loss: Loss | None
    checkpoint: Mapping[str, bytes]

    def __str__(self) -> str:
        step = self.instant.step
        return f"point {self.number}: step {step} ({STEPS[step].title}), {self.instant.about}: {self.way}"

    def machine(self) -> Machine:
        """Return the files as they are found."""
        machine = self.instant.machine
        return machine.after_power_cut(self.loss) if self.loss else machine.clone()


@dataclass
class Undisturbed:
    """The scenario with nothing going wrong.

    Attributes:
        instants: every instant at which it could have been stopped, in order.
        after: what each step left behind.
        before: the files before each step, with what people did.
        checkpoints: the files of SQLite before each step.
    """

    instants: list[Instant] = field(default_factory=list)
    after: list[Left] = field(default_factory=list)
    before: list[Machine] = field(default_factory=list)
    checkpoints: list[Mapping[str, bytes]] = field(default_factory=list)


@cache
def undisturbed() -> Undisturbed:
    """Play the scenario once, looking around before everything that is done to a file."""
    seen = Undisturbed()
    told: list[Json] = []
    with room() as name, pytest.MonkeyPatch.context() as monkeypatch:
        place = Path(name) / "campaign"
        scenario.begin(place)
        tell_of_checkpoints(monkeypatch)
        disk = TellingDisk(place, Machine.of(place))
        use(monkeypatch, disk)
        for number in range(len(STEPS)):
            let_people_work(place, disk.machine, number)
            seen.before.append(disk.machine.clone())
            seen.checkpoints.append(checkpoint_of(place))
            operations = count(1)

            def meet(operation: Operation, number: int = number, operations: Iterator[int] = operations) -> None:
                if operation.changes:
                    seen.instants += instants_of(number, next(operations), operation, disk.machine, place, told)

            disk.meet = meet
            STEPS[number].act(Process(place, scenario.moment(number), told))
            meet(Operation("end", ""))
            require_all_told_of(disk.machine, place)
            seen.after.append(Left.of(disk.machine.files()))
    return seen


def let_people_work(place: Path, machine: Machine, number: int) -> None:
    """Put the files of a step in place as people do; they see to it that theirs survive."""
    for path, change in STEPS[number].people.items():
        old = (place / path).read_bytes() if (place / path).exists() else b""
        (place / f"{path}.mine").write_bytes(change(old))
        (place / f"{path}.mine").replace(place / path)
        machine.put(path, Content((place / path).read_bytes(), (place / path).stat().st_mtime_ns))


def checkpoint_of(place: Path) -> Mapping[str, bytes]:
    """Return the files of SQLite; what it shares with other processes only while it runs is left out."""
    found = ((path, place / path) for path in (CHECKPOINT_PATH, f"{CHECKPOINT_PATH}-wal"))
    return {path: file.read_bytes() for path, file in found if file.exists()}


def require_all_told_of(machine: Machine, place: Path) -> None:
    """Require that the machine knows of every file: whatever goes past the port could not be tested."""
    found = {file.relative_to(place).as_posix(): file.read_bytes() for file in place.rglob("*") if file.is_file()}
    found = {path: data for path, data in found.items() if not path.startswith(CHECKPOINT_PATH)}
    assert found == {path: content.data for path, content in machine.files().items()}


# instants


def instants_of(
    step: int, number: int, operation: Operation, machine: Machine, place: Path, told: list[Json]
) -> Iterator[Instant]:
    """Yield the instant before an operation, and those in the middle of a write."""
    about = f"operation {number} ({operation.name} {operation.path})".replace(" )", ")")
    before = Instant(step, f"before {about}", machine.clone(), checkpoint_of(place), tuple(told))
    yield before
    if operation.name == "write":
        assert operation.number is not None
        offset = len(machine.written[operation.number].data)
        for cut in cuts_of(operation):
            torn = machine.clone()
            torn.write(operation.number, operation.data[:cut], offset, torn.written[operation.number].mtime_ns)
            yield replace(before, about=f"after {cut} of {len(operation.data)} bytes of {about}", machine=torn)


def cuts_of(operation: Operation) -> list[int]:
    """Return where a write is stopped: half-way, and for the log at each edge and between any two keys of a record."""
    middle, end = len(operation.data) // 2, len(operation.data)
    if operation.path != LOG_PATH:
        return [middle]
    cuts, start = {1, middle}, 0
    for line in operation.data.splitlines(keepends=True):
        cuts |= {start + 1, start + len(line) - 1, start + len(line)}
        cuts |= {start + edge for edge in edges_of(line)}
        start += len(line)
    return sorted(cuts - {0, end})


def edges_of(line: bytes) -> Iterator[int]:
    """Yield where the keys of a record begin, in the bytes of its line."""
    at = 0
    for key, value in json.loads(line).items():
        yield at
        pair = json.dumps({key: value}, ensure_ascii=False, separators=(",", ":"))
        at += len(pair.encode()) - 1


# ways


def crash_points() -> Iterator[CrashPoint]:
    """Yield every crash point of the scenario."""
    seen = undisturbed()
    numbers = count()
    for instant in seen.instants:
        for way, loss, checkpoint in ways(instant, seen):
            yield CrashPoint(next(numbers), instant, way, loss, checkpoint)


def ways(instant: Instant, seen: Undisturbed) -> Iterator[tuple[str, Loss | None, Mapping[str, bytes]]]:
    """Yield in which ways the world may be found after an instant, with what became of the checkpoint."""
    as_is = instant.checkpoint
    chance = f"{instant.step} {instant.about}"
    before, long_before = seen.checkpoints[instant.step], seen.checkpoints[instant.step // 2]
    yield "killed", None, as_is
    if instant.about.startswith("after"):
        yield "power cut, some is lost", some_is_lost(chance), as_is
        return
    yield "killed, checkpoint deleted", None, NO_CHECKPOINT
    yield "killed, checkpoint full of rubbish", None, GARBAGE
    without_latest = {CHECKPOINT_PATH: as_is.get(CHECKPOINT_PATH, b"")}
    yield "power cut, the latest of the checkpoint is lost", NOTHING_IS_LOST, without_latest
    yield "power cut, all is lost", ALL_IS_LOST, as_is
    yield "power cut, all is lost, checkpoint deleted", ALL_IS_LOST, NO_CHECKPOINT
    yield "power cut, all is lost, older checkpoint", ALL_IS_LOST, before
    yield "power cut, all bytes are lost", BYTES_ARE_LOST, as_is
    yield "power cut, some is lost", some_is_lost(chance), as_is
    yield "power cut, some is lost, far older checkpoint", some_is_lost(chance + "!"), long_before
