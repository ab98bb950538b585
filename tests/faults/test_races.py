"""Many processes, one campaign: nothing lost or doubled, one effect for one turn, and no reader sees half of one."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import ExitStack, contextmanager
from pathlib import Path
from random import Random
from threading import Event
from time import monotonic
from typing import Any

import pytest
from tests import builders
from tests.faults.processes import (
    COMMANDS,
    PATIENCE,
    PROGRAM,
    TURNWRIGHT,
    Child,
    Json,
    Witness,
    drop,
    require_finished,
    turn_names,
)
from tests.sampling import count

from turnwright import Campaign

TURNS = count(quick=40, thorough=100)
"""How many turns each writer has."""
AT_ONCE = count(quick=5, thorough=10)
"""How many processes do the same at the same time."""
PROCESS = (*TURNWRIGHT, "process", "--json")
WATCH = (*TURNWRIGHT, "watch", "--json")
FOLLOW = (*TURNWRIGHT, "log", "--follow", "--json")
PAUSE = 0.02
ENOUGH = 4
"""How many states a reader must have seen."""
Arguments = tuple[object, ...]
Lanes = dict[str, list[Arguments]]


@pytest.fixture(name="path")
def fixture_path(tmp_path: Path) -> Path:
    builders.begin(tmp_path / "campaign").close()
    return tmp_path / "campaign"


def turn(name: str, **keys: Any) -> Json:
    """Return a turn that heals two people by one: in each document shows how many turns it has seen."""
    return builders.turn(builders.hp_delta(1, "pc_001"), builders.hp_delta(1, "pc_002"), user_input=name, **keys)


def names_of(writer: str, count: int = TURNS) -> list[str]:
    return [f"{writer} {number:03d}" for number in range(count)]


def files_of(folder: Path, writer: str) -> list[Path]:
    """Return a writer's turns as files that lie outside the campaign."""
    files = [folder / f"{name}.json" for name in names_of(writer)]
    for file in files:
        file.write_text(json.dumps(turn(file.stem)), encoding="utf-8")
    return files


def lines_of(folder: Path, writer: str) -> Path:
    """Return a writer's turns as one file, one a line."""
    file = folder / f"{writer}.jsonl"
    file.write_text("".join(json.dumps(turn(name)) + "\n" for name in names_of(writer)), encoding="utf-8")
    return file


def mixed_writers(path: Path) -> Lanes:
    """Return one writer of each kind, as the processes that it runs one after another."""
    files = files_of(path.parent, "shell")
    return {
        "shell": [(*PROCESS, path, *files[first : first + 20]) for first in range(0, TURNS, 20)],
        "commands": [("-c", COMMANDS, path, *files_of(path.parent, "commands"))],
        "program": [("-c", PROGRAM, path, lines_of(path.parent, "program"))],
    }


def shell_writers(path: Path) -> Lanes:
    """Return three writers that start a process for each of their turns."""
    writers = ("first", "second", "third")
    return {writer: [(*PROCESS, path, file) for file in files_of(path.parent, writer)] for writer in writers}


def told_by(commands: Sequence[Arguments]) -> list[Json]:
    """Run one process after another to its end, and return all that they told."""
    told: list[Json] = []
    for arguments in commands:
        with Child(*arguments) as child:
            told += child.end()
    return told


class Viewer:
    """Runs `turnwright show` again and again until it is told that it is enough.

    Attributes:
        views: everybody's hit points each time.
        is_enough: to be set.
    """

    def __init__(self) -> None:
        self.views: list[dict[str, int]] = []
        self.is_enough = Event()

    def run(self, path: Path) -> None:
        while not self.is_enough.wait(10 * PAUSE):
            (view,) = told_by([(*TURNWRIGHT, "show", path, "--json")])
            self.views.append({person["id"]: person["hp"] for person in view["characters"]})

    def states(self) -> int:
        """Return how many states were seen so far."""
        return len({view["pc_001"] for view in self.views})


@contextmanager
def viewer_at_work(path: Path) -> Iterator[Viewer]:
    viewer = Viewer()
    with ThreadPoolExecutor() as pool:
        viewing = pool.submit(viewer.run, path)
        try:
            yield viewer
        finally:
            viewer.is_enough.set()
        viewing.result()


def states_until(path: Path, writers: Sequence[Future[list[Json]]], names: Sequence[str], viewer: Viewer) -> list[str]:
    """Drop a turn and read the state, by turns, until all is dropped and all writers are done; return the states.

    The viewer sees enough, however slow it is: turns are kept back until it has seen the state before them.
    """
    states, dropped, latest = [], 0, monotonic() + 5 * PATIENCE
    with Campaign.open(path) as staying:
        while dropped < len(names) or viewer.states() < ENOUGH or not all(writer.done() for writer in writers):
            assert monotonic() < latest, f"{dropped} turns dropped, {viewer.states()} states viewed"
            if dropped < len(names) * min(viewer.states() + 1, ENOUGH) // ENOUGH:
                drop(path, f"{names[dropped]}.json", turn(names[dropped]))
                dropped += 1
            states.append(builders.spelt(staying.state))
            with Campaign.open(path) as fresh:
                states.append(builders.spelt(fresh.state))
            wait(writers, timeout=PAUSE)
    return states


@contextmanager
def watcher_at_work(path: Path, names: Sequence[str]) -> Iterator[Child]:
    """Start a watcher, and drop one turn after another, so that it is seen to be past its beginning."""
    with Child(*WATCH, path) as watching:
        for name in names:
            drop(path, f"{name}.json", turn(name))
            watching.hear_of(f"{name}.json")
        yield watching


def seqs_of(seen: Sequence[dict[str, int]]) -> list[int]:
    """Return after which record each view was taken; half a turn would show in one of the two only."""
    seqs = [hp["pc_001"] - 10 for hp in seen]
    assert seqs == [hp["pc_002"] - 8 for hp in seen]
    return seqs


def require_order(seqs: Sequence[int], what: str) -> None:
    """Require that a reader never saw an older state after a newer one, and saw enough for this to mean something."""
    assert list(seqs) == sorted(seqs)
    assert len(set(seqs)) >= ENOUGH, f"{what} saw {len(set(seqs))} states only"


@pytest.mark.parametrize("writers", [mixed_writers, pytest.param(shell_writers, marks=pytest.mark.slow)])
def test_four_writers_lose_and_double_nothing_and_readers_see_whole_turns(
    path: Path, writers: Callable[[Path], Lanes]
) -> None:
    lanes, dropped = writers(path), names_of("dropped")
    with (
        ThreadPoolExecutor() as pool,
        watcher_at_work(path, dropped[:2]) as watching,
        Child(*FOLLOW, path) as following,
        viewer_at_work(path) as viewer,
    ):
        running = {writer: pool.submit(told_by, commands) for writer, commands in lanes.items()}
        states = states_until(path, list(running.values()), dropped[2:], viewer)
        watched = watching.hear_lines(TURNS)
        assert watching.stop() == watched
        followed = following.hear_lines(4 * TURNS + 1)
        assert following.stop() == followed

    witness = Witness(path)
    witness.read()
    turns = witness.turns()
    assert [record["kind"] for record in witness.records] == ["new"] + ["turn"] * 4 * TURNS
    assert {record["status"] for record in turns} == {"applied"}
    for writer in (*lanes, "dropped"):
        assert [r["user_input"] for r in turns if r["user_input"].startswith(writer)] == names_of(writer)
    assert seqs_of([{place[11:-5]: value["hp"] for place, value in witness.state.items() if "pc_" in place}]) == [
        4 * TURNS
    ]
    for writer, future in running.items():
        answered = [witness.require_record(reply)["user_input"] for reply in future.result()]
        assert answered == names_of(writer)
    assert {line["file"]: witness.require_record(line["reply"])["user_input"] for line in watched} == {
        f"{name}.json": name for name in dropped
    }

    assert followed == witness.records
    require_order([witness.seq_of[state] for state in states], "Campaign.state")
    require_order(seqs_of(viewer.views), "turnwright show")
    require_finished(path, witness)


def test_a_turn_delivered_by_many_processes_at_once_has_one_effect_and_equal_answers(path: Path) -> None:
    files = []
    for number in range(10):
        files.append(path.with_name(f"{number}.json"))
        files[-1].write_text(json.dumps(turn("same", turn_id=f"same-{number}")), encoding="utf-8")
    with ExitStack() as stack:
        children = [stack.enter_context(Child(*PROCESS, path, *files)) for _ in range(AT_ONCE)]
        told = [child.end() for child in children]

    witness = Witness(path)
    witness.read()
    assert [record["turn_id"] for record in witness.turns()] == [f"same-{number}" for number in range(10)]
    assert [witness.require_record(reply)["status"] for reply in told[0]] == ["applied"] * 10
    assert told == [told[0]] * AT_ONCE
    require_finished(path, witness)


def test_ten_copies_in_the_drop_folder_have_one_effect_and_ten_equal_answers(path: Path) -> None:
    names = [f"{copy}-{number}" for copy in range(10) for number in range(5)]

    def drop_all(names: Sequence[str]) -> None:
        for name in names:
            drop(path, f"{name}.json", turn("same", turn_id=f"same-{name[-1]}"))

    drop_all(names[:-5])
    with Child(*WATCH, path) as watching, Child(*PROCESS, path) as one, Child(*PROCESS, path) as other:
        told = one.end() + other.end()
        drop_all(names[-5:])
        watching.hear_lines(len(names) - len(told))
        told += [line["reply"] for line in watching.stop()]

    witness = Witness(path)
    witness.read()
    assert sorted(record["turn_id"] for record in witness.turns()) == [f"same-{number}" for number in range(5)]
    assert Counter(witness.require_record(reply)["turn_id"] for reply in told) == {f"same-{n}": 10 for n in range(5)}
    assert turn_names(path, "done") == [f"{name}.json" for name in names]
    require_finished(path, witness)


def test_of_two_turns_under_one_id_at_once_one_wins_and_the_other_is_refused(path: Path) -> None:
    ids = [f"t{number}" for number in range(10)]
    for side in ("left", "right"):
        (path.parent / side).mkdir()
        for turn_id in ids:
            (path.parent / side / turn_id).write_text(json.dumps(turn(side, turn_id=turn_id)), encoding="utf-8")
    sides = ("left", "right") * (AT_ONCE // 2)
    with ExitStack() as stack:
        files = [[path.parent / side / turn_id for turn_id in ids] for side in sides]
        children = [stack.enter_context(Child(*PROCESS, path, *own)) for own in files]
        told = [child.end(2) for child in children]

    witness = Witness(path)
    witness.read()
    winners = {record["turn_id"]: record["user_input"] for record in witness.turns()}
    assert sorted(winners) == ids
    for side, replies in zip(sides, told, strict=True):
        for turn_id, reply in zip(ids, replies, strict=True):
            if winners[turn_id] == side:
                assert witness.require_record(reply)["turn_id"] == turn_id
            else:
                assert (reply["status"], reply["reason"], reply["turn_id"]) == ("refused", "turn_conflict", turn_id)
    require_finished(path, witness)


def test_what_a_program_was_answered_everybody_sees_while_it_stays_open(path: Path) -> None:
    witness = Witness(path)
    with Child("-c", PROGRAM, path) as program, Campaign.open(path) as here:
        for number in range(40):
            program.tell(turn("there"))
            (*_, answer) = program.hear_lines(number + 1)
            witness.read()
            assert witness.require_record(answer) is witness.records[-1]
            assert here.state == witness.state
            answer = here.process(turn("here"))
            witness.read()
            assert witness.require_record(answer) is witness.records[-1]
            with Campaign.open(path) as fresh:
                assert fresh.state == witness.state
        program.end()
    assert [record["user_input"] for record in witness.turns()] == ["there", "here"] * 40
    require_finished(path, witness)


def test_writers_that_are_killed_hold_up_no_other(path: Path) -> None:
    """The killed ones leave locks, claims and half a checkpoint behind; those that live on must cope at once."""
    chance = Random("victims")
    files = [path.with_name(f"victim {number:03d}.json") for number in range(TURNS)]
    for file in files:
        file.write_text(json.dumps(turn(file.stem, turn_id=file.stem.replace(" ", "-"))), encoding="utf-8")
    dropped = names_of("dropped")
    with ThreadPoolExecutor() as pool, watcher_at_work(path, dropped[:2]) as watching:
        writing = pool.submit(told_by, [("-c", PROGRAM, path, lines_of(path.parent, "program"))])
        for start in range(2, TURNS, TURNS // 3):
            for name in dropped[start : start + TURNS // 3]:
                drop(path, f"{name}.json", turn(name))
            for victim in ((*PROCESS, path, *files), (*PROCESS, path)):
                with Child(*victim) as child:
                    child.ends_within(chance.uniform(0.2, 0.8))
        told_by([(*PROCESS, path, *files), (*PROCESS, path)])
        writing.result()
        watching.stop()

    witness = Witness(path)
    witness.read()
    names = sorted(record["user_input"] for record in witness.turns())
    assert names == sorted([*names_of("dropped"), *names_of("program"), *names_of("victim")])
    assert turn_names(path, "done") == [f"{name}.json" for name in dropped]
    assert {record["status"] for record in witness.turns()} == {"applied"}
    require_finished(path, witness)


SOON = 10.0
"""Seconds in which a watcher must have seen what was dropped, on a busy machine."""


def test_a_file_dropped_while_a_watcher_begins_is_taken_soon(path: Path) -> None:
    for name in names_of("start", 2):
        drop(path, f"{name} early.json", turn(name))
        with Child(*WATCH, path) as watching:
            watching.hear_of(f"{name} early.json")
            drop(path, f"{name} late.json", turn(name))
            assert watching.hear_of(f"{name} late.json", SOON)["status"] == "applied"
            watching.stop()


def test_a_file_that_does_not_parse_is_refused_when_it_is_quiet_although_somebody_follows(path: Path) -> None:
    with watcher_at_work(path, ["one", "two"]) as watching, Child(*FOLLOW, path) as following:
        following.hear_lines(3)
        (path / "turns" / "half.json").write_text('{"user_input": ', encoding="utf-8")
        assert watching.hear_of("half.json", SOON)["status"] == "refused"
