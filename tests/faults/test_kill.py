"""`kill -9` at any instant, on real processes: every turn is applied once, and every answer stays true."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from compileall import compile_dir
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import monotonic

import pytest
from tests import builders
from tests.faults.processes import (
    PROGRAM,
    TURNWRIGHT,
    Child,
    Json,
    Witness,
    drop,
    require_finished,
    require_whole,
    turn_names,
)

import turnwright

WRITING = "while a record was being written, or before its answer was out"
TAKEN = "after a turn file was taken, before its record"
BETWEEN = "while starting, or between turns, or while one was read and worked out"


def name_of(number: int) -> str:
    return f"t{number:05d}"


@dataclass(frozen=True)
class Door:
    """A way in for turns.

    Attributes:
        command: what is run, with the campaign for its next argument.
        at_once: how many turns a process finds, or meets while it runs.
        seconds: over what time the half of them are delivered after the first answer; 0: all before the start.
        is_folder: whether turns wait in the drop folder; else they are named, and again until there is an answer.
    """

    command: tuple[str, ...]
    at_once: int = 60
    seconds: float = 0.0
    is_folder: bool = True

    def turn(self, number: int) -> Json:
        """Return a turn that is right only after the one before it, and whose halves are in two documents.

        Without an id, a turn in a drop folder is applied once because of its file alone.
        """
        here, there = ("area_001", "area_002") if number % 2 else ("area_002", "area_001")
        ids = {} if self.is_folder and number % 3 else {"turn_id": name_of(number)}
        return builders.turn(
            builders.move(there, here), builders.hp_delta(1, "pc_002"), user_input=name_of(number), **ids
        )

    def deliver(self, path: Path, number: int) -> None:
        """Put a turn where it can be taken."""
        if self.is_folder:
            drop(path, f"{name_of(number)}.json", self.turn(number))
        else:
            file_of(path, number).write_text(json.dumps(self.turn(number)), encoding="utf-8")

    def start(self, path: Path, waiting: list[int]) -> Child:
        """Start a process that takes turns."""
        files = [] if self.is_folder else [file_of(path, number) for number in waiting]
        return Child(*self.command, path, *files)


def file_of(path: Path, number: int) -> Path:
    return path.with_name(f"{name_of(number)}.json")


DOORS = {
    "process": Door((*TURNWRIGHT, "process", "--json")),
    "process-files": Door((*TURNWRIGHT, "process", "--json"), is_folder=False, at_once=40),
    "watch": Door((*TURNWRIGHT, "watch", "--json"), seconds=0.3),
    "program": Door(("-c", PROGRAM), is_folder=False, at_once=100),
}


@dataclass
class Driver:
    """Gives turns to one process after the other, kills them, and looks at what they left behind.

    Attributes:
        delivered: how many turns there are so far.
        answered: the names of those whose answer was told.
        starting: after how many seconds an undisturbed process gave its first answer.
        answering: how many seconds it lived on, or had work to do.
        hits: how many kills hit what.
    """

    door: Door
    path: Path
    chance: Random
    witness: Witness
    delivered: int = 0
    answered: set[str] = field(default_factory=set)
    starting: float = 0.0
    answering: float = 0.0
    hits: Counter[str] = field(default_factory=Counter)

    def run_to_the_end(self) -> None:
        """Let a process take everything, and measure it."""
        waiting, began = self._supplied(), monotonic()
        with self.door.start(self.path, waiting) as child:
            child.hear_lines(1)
            self.starting, began = monotonic() - began, monotonic()
            self._feed(child, self.door.seconds)
            if self.door.seconds:
                files = {f"{name_of(number)}.json" for number in self._waiting()}
                child.hear(lambda told: files <= {line["file"] for line in told}, f"answers to {len(files)} files")
                self.answering = monotonic() - began
                told = child.stop()
            else:
                told = child.end()
                self.answering = monotonic() - began
        self._look(told, verified=True)
        assert self._waiting() == []

    def run_and_kill(self, *, early: bool) -> None:
        """Kill a process before its first answer, or some time after, unless it comes to its end before."""
        waiting, known = self._supplied(), len(self.witness.records)
        with self.door.start(self.path, waiting) as child:
            if early:
                has_ended = child.ends_within(self.chance.uniform(0, self.starting))
            else:
                child.hear_lines(1)
                began = monotonic()
                has_ended = self._feed(child, self.chance.uniform(0, self.answering))
                self.answering = monotonic() - began if has_ended else self.answering
            told = child.kill()
        torn = self._look(told, verified=self.hits.total() % 4 == 0)
        if not has_ended:
            self.hits[self._hit(known, torn)] += 1

    def _supplied(self) -> list[int]:
        """Deliver what a process shall find; return all that waits."""
        found = self.door.at_once // 2 if self.door.seconds else self.door.at_once
        for _ in range(found - len(self._waiting())):
            self._deliver()
        return self._waiting()

    def _feed(self, child: Child, seconds: float) -> bool:
        """Deliver the rest to a process that watches, for so many seconds; return whether the process has ended."""
        began = monotonic()
        rest = self.door.at_once - len(self._waiting()) if self.door.seconds else 0
        for instant in sorted(self.chance.uniform(0, self.door.seconds) for _ in range(rest)):
            if instant < seconds:
                child.ends_within(began + instant - monotonic())
                self._deliver()
        return child.ends_within(began + seconds - monotonic())

    def _deliver(self) -> None:
        self.delivered += 1
        self.door.deliver(self.path, self.delivered)

    def _waiting(self) -> list[int]:
        logged = {record["user_input"] for record in self.witness.turns()}
        settled = logged if self.door.is_folder else self.answered
        return [number for number in range(1, self.delivered + 1) if name_of(number) not in settled]

    def _look(self, told: list[Json], *, verified: bool) -> bytes:
        """Require that all is whole and nothing said was untrue; return the torn end of the log."""
        torn = self.witness.read()
        require_whole(self.path, self.witness, verified=verified)
        replies = [line.get("reply", line) for line in told]
        self.answered |= {self.witness.require_record(reply)["user_input"] for reply in replies}
        if self.door.is_folder:
            found = Counter(name for folder in ("", ".claimed", "done") for name in turn_names(self.path, folder))
            assert found == Counter(f"{name_of(number)}.json" for number in range(1, self.delivered + 1))
        return torn

    def _hit(self, known: int, torn: bytes) -> str:
        """Return what a kill hit, as disk and answers tell; `known` records were there before."""
        if torn or any(record["user_input"] not in self.answered for record in self.witness.records[known:]):
            return WRITING
        return TAKEN if turn_names(self.path, ".claimed") else BETWEEN


KILLS = {"process": 14, "process-files": 10, "watch": 14, "program": 12}
"""How many kills for each way in: 50 for one seed."""
SAMPLE = 5
"""In the ordinary tests there are so many times fewer."""
SAMPLED = ("process-files", "watch", "program")
"""Which ways in are among them; to hit the writing of a record takes the most processes by the one that is not."""
RUNS = [
    *(pytest.param(door, 0, SAMPLE, id=f"{door}-sample") for door in SAMPLED),
    *(pytest.param(door, seed, 1, marks=pytest.mark.slow, id=f"{door}-{seed}") for door in DOORS for seed in range(11)),
]


@pytest.fixture
def on_disk() -> Iterator[Path]:
    """Give a folder that is not in memory, where writing is over too soon for a kill to hit it."""
    place = "/var/tmp" if Path("/var/tmp").is_dir() else None
    with TemporaryDirectory(prefix="turnwright-kill-", dir=place) as folder:
        yield Path(folder)


@pytest.mark.parametrize(("door", "seed", "times_fewer"), RUNS)
def test_no_kill_loses_a_turn_or_applies_one_twice(door: str, seed: int, times_fewer: int, on_disk: Path) -> None:
    path, kills = on_disk / "campaign", KILLS[door] // times_fewer
    builders.begin(path).close()
    driver = Driver(DOORS[door], path, Random(f"{door} {seed}"), Witness(path))
    compile_dir(Path(turnwright.__file__).parent, quiet=1)  # or the first process would, and be slower than others
    driver.run_to_the_end()
    lives = 0
    while driver.hits.total() < kills or not driver.hits[WRITING]:
        lives += 1
        assert lives <= 5 * KILLS[door], f"{lives} processes, and no kill hit {WRITING}: {driver.hits}"
        driver.run_and_kill(early=lives % 2 == 0)
    driver.run_to_the_end()

    print(f"undisturbed {driver.starting:.2f} + {driver.answering:.2f} s; {driver.hits.total()} kills: {driver.hits}")
    turns = driver.witness.turns()
    assert [record["user_input"] for record in turns] == [name_of(number + 1) for number in range(driver.delivered)]
    assert {record["status"] for record in turns} == {"applied"}
    assert len(turns) == len(driver.witness.records) - 1
    require_finished(path, driver.witness)
