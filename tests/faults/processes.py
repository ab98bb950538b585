"""turnwright as real processes, and a witness that reads their campaign without the engine's help."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryFile
from threading import Condition, Thread
from typing import Any, Self

import jsonpatch
from tests import builders, warm_python

from turnwright import Campaign
from turnwright.audit.verify import verify

Json = Any
PATIENCE = 60.0
"""Seconds after which a process that should have told something, or ended, fails the test."""
TURNWRIGHT = ("-m", "turnwright")
PROGRAM = """
import fileinput, json, sys
from turnwright import Campaign
with Campaign.open(sys.argv[1]) as campaign:
    for line in fileinput.input(sys.argv[2:], encoding="utf-8"):
        print(json.dumps(campaign.process(json.loads(line))), flush=True)
"""
"""Somebody's program that stays: takes the turns of some files, or of its standard input, one a line."""
COMMANDS = """
import json, sys
from turnwright.cli.main import run
for file in sys.argv[2:]:
    run(["process", sys.argv[1], file, "--json"])
"""
"""`turnwright process` for one file after the other, without starting Python for each."""


class Child:
    """A process that tells JSON, line by line; it is killed at the latest when its `with` block ends."""

    def __init__(self, *arguments: object) -> None:
        self._arguments = [str(argument) for argument in arguments]
        self._errors = TemporaryFile()  # noqa: SIM115  # closed with the child
        self._process = subprocess.Popen(
            [*warm_python.command(), *self._arguments],
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
        )
        self._told: list[Json] = []
        self._heard = Condition()
        self._is_silent = False
        self._ear = Thread(target=self._listen)
        self._ear.start()

    def _listen(self) -> None:
        assert self._process.stdout is not None
        try:
            for line in self._process.stdout:
                if line.endswith(b"\n"):  # a kill may cut the last one
                    value = json.loads(line)
                    with self._heard:
                        self._told.append(value)
                        self._heard.notify_all()
        finally:
            with self._heard:
                self._is_silent = True
                self._heard.notify_all()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        with self._errors, self._process:
            self.kill()

    def kill(self) -> list[Json]:
        """Kill it as `kill -9` does, unless it has ended; return all that it told."""
        warm_python.kill(self._process)
        self._process.wait()
        self._ear.join()
        return self._told

    def ends_within(self, seconds: float) -> bool:
        """Wait for it to end by itself, at most so long; return whether it did."""
        try:
            self._process.wait(max(0.0, seconds))
        except subprocess.TimeoutExpired:
            return False
        return True

    def tell(self, value: Any) -> None:
        """Write a line of JSON to its standard input."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(value).encode() + b"\n")
        self._process.stdin.flush()

    def hear(self, enough: Callable[[Sequence[Json]], bool], what: str, patience: float = PATIENCE) -> list[Json]:
        """Wait until what it has told is enough, and return it."""
        with self._heard:
            self._heard.wait_for(lambda: self._is_silent or enough(self._told), patience)
            assert enough(self._told), f"waited for {what}; told so far: {len(self._told)} lines. {self._report()}"
            return list(self._told)

    def hear_of(self, name: str, patience: float = PATIENCE) -> Json:
        """Wait until a watcher has told of a turn file, and return the reply to it."""
        told = self.hear(lambda told: any(line["file"] == name for line in told), f"word of {name}", patience)
        reply: Json = next(line["reply"] for line in told if line["file"] == name)
        return reply

    def hear_lines(self, count: int) -> list[Json]:
        """Wait until it has told so many lines, and return them."""
        return self.hear(lambda told: len(told) >= count, f"{count} lines")

    def end(self, *codes: int) -> list[Json]:
        """Wait for it to end by itself, with one of these exit codes, or 0; return all that it told."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        assert self.ends_within(PATIENCE), f"did not end in {PATIENCE:.0f} s. {self._report()}"
        assert self._process.returncode in (0, *codes), f"ended with {self._process.returncode}. {self._report()}"
        self._ear.join()
        return self._told

    def stop(self, by: signal.Signals = signal.SIGINT) -> list[Json]:
        """Ask it to end, as Ctrl-C does or by another signal, and wait until it has; return all that it told."""
        self._process.send_signal(by)
        return self.end()

    @property
    def complaints(self) -> str:
        """What it wrote to its standard error."""
        self._errors.seek(0)
        return self._errors.read().decode(errors="replace")

    def _report(self) -> str:
        return f"{' '.join(self._arguments)[:300]} complained: {self.complaints[-3000:] or 'of nothing'}"


class Witness:
    """Reads a log as the contract describes it, and folds it with a JSON Patch library that is not ours.

    Attributes:
        records: the complete lines read so far, parsed; each checked to follow the one before.
        state: every document as of the last of them.
        seq_of: from each state the campaign ever had, as `builders.spelt` writes it, to the last record that left it.
    """

    def __init__(self, path: Path) -> None:
        self._log = path / "log.jsonl"
        self._size = 0
        self._head = "0" * 64
        self._turns: dict[str, Json] = {}
        self.records: list[Json] = []
        self.state: Json = {}
        self.seq_of: dict[str, int] = {}

    def read(self) -> bytes:
        """Take in what was appended; return the bytes after the last complete line."""
        with self._log.open("rb") as file:
            file.seek(self._size)
            *lines, torn = file.read().split(b"\n")
        for line in lines:
            record = json.loads(line)
            assert (record["seq"], record["prev"]) == (len(self.records), self._head)
            self._head = hashlib.sha256(line).hexdigest()
            self._size += len(line) + 1
            self.records.append(record)
            if record["kind"] == "turn":
                assert record["turn_id"] not in self._turns
                self._turns[record["turn_id"]] = record
            self._fold(record.get("changes", {}))
        return torn

    def _fold(self, changes: Mapping[str, list[Json]]) -> None:
        for path, patch in changes.items():
            if patch == [{"op": "remove", "path": ""}]:
                del self.state[path]
            else:
                assert path in self.state or patch[0]["path"] == ""
                self.state[path] = jsonpatch.apply_patch(self.state.get(path, {}), json.dumps(patch))
        self.seq_of[builders.spelt(self.state)] = len(self.records) - 1

    def turns(self) -> list[Json]:
        """Return the records of turns, in order; no two have the same id."""
        return list(self._turns.values())

    def require_record(self, reply: Json) -> Json:
        """Return the record of the turn that a reply answers, and require that the reply says what it holds."""
        record = self._turns[reply["turn_id"]]
        assert reply == {key: record[key] for key in reply}
        return record


def drop(path: Path, name: str, turn: Json) -> None:
    """Drop a turn file as a careful program does: written under another name, then renamed."""
    beside = path / "turns" / f".{name}"
    beside.write_text(json.dumps(turn), encoding="utf-8")
    beside.rename(path / "turns" / name)


def turn_names(path: Path, folder: str) -> list[str]:
    """Return which turn files lie in a folder below `turns/`, by the names under which they were dropped, sorted."""
    return sorted(file.name.rpartition("__")[2] for file in (path / "turns" / folder).glob("*.json"))


def require_whole(path: Path, witness: Witness, *, verified: bool = True) -> None:
    """Require what must hold whenever nobody writes, however the last writer ended.

    Args:
        path: the campaign.
        witness: who has read all of its log.
        verified: whether to verify the whole campaign, too, which takes longer the longer its log.
    """
    with Campaign.open(path) as reader:
        assert reader.state == witness.state
    if verified:
        found = verify(path)
        assert (found.problems, found.records) == ((), len(witness.records))


def require_finished(path: Path, witness: Witness) -> None:
    """Require what must hold when every writer has left as it should: all files are what the log says."""
    require_whole(path, witness, verified=False)
    found = verify(path)
    assert (found.problems, found.notes, found.records) == ((), (), len(witness.records))
    assert builders.on_disk(path) == witness.state
    newest = witness.turns()[-500:]
    results = {file.stem: json.loads(file.read_text(encoding="utf-8")) for file in (path / "results").iterdir()}
    assert sorted(results) == sorted(record["turn_id"] for record in newest)
    for reply in results.values():
        witness.require_record(reply)
    for folder in ("", ".claimed", "refused"):
        assert turn_names(path, folder) == []
