"""P12: what a call costs through `turnwright pipe`, against the same call through `Campaign`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from scripts.bench.ground import Ground
from scripts.bench.measuring import cpu, in_turn, quantile, timed, unsynced
from scripts.bench.table import Row
from scripts.bench.walk import Walk

from turnwright import Campaign

_UNSYNCED = """
import sys
from scripts.bench.measuring import unsynced
from turnwright.cli.main import main
with unsynced():
    main(["pipe", sys.argv[1]])
"""
_QUERY = {"tool": "move_options", "args": {}}


def calls(ground: Ground) -> Iterator[Row]:
    """P12: CPU time of a turn and of a query through a pipe, against the same through `Campaign`; p99 beside it."""
    number = ground.burst
    for name, lines in (("turn", _turns), ("query", _queries)):
        ours, floor, p99 = _measured(ground, lines, number)
        yield Row("P12", f"CPU of a {name} through a pipe, syncing off", "the same through Campaign", ours / floor, 1.3)
        yield Row("P12", f"p99 of a {name} through a pipe, each answer awaited", "", p99 * 1000, None, unit="ms")


Lines = Callable[[Path, int], list[dict[str, Any]]]


def _turns(folder: Path, number: int) -> list[dict[str, Any]]:
    walk = Walk(folder)
    turns = [json.loads(next(walk.laps)[1]) for _ in range(number)]
    walk.close()
    return [{"id": place, "op": "turn", "turn": turn} for place, turn in enumerate(turns)]


def _queries(_: Path, number: int) -> list[dict[str, Any]]:
    return [{"id": place, "op": "query", **_QUERY} for place in range(number)]


def _measured(ground: Ground, lines: Lines, number: int) -> tuple[float, float, float]:
    """Return the CPU seconds of many calls through a pipe and through `Campaign`, and the slowest wait but 1 %."""
    waits: list[float] = []

    def through_pipe() -> float:
        folder = ground.small_campaign(ground.memory)
        requests = lines(folder, number)
        waits.extend(_waits(folder, requests[: number // 10]))
        rest = requests[number // 10 :]
        return _child_cpu(folder, rest) - _child_cpu(folder, [])

    def through_campaign() -> float:
        folder = ground.small_campaign(ground.memory)
        requests = lines(folder, number)
        with Campaign.open(folder) as campaign, unsynced():
            _do_all(campaign, requests[: number // 10])
            rest = [json.dumps(request).encode() for request in requests[number // 10 :]]
            return timed(lambda: _do_all(campaign, map(json.loads, rest)), cpu)[0]

    ours, floor = in_turn(ground.rounds, through_pipe, through_campaign)
    return ours, floor, quantile(waits, 0.99)


def _do_all(campaign: Campaign, requests: Any) -> None:
    for request in requests:
        if request["op"] == "turn":
            campaign.process(request["turn"])
        else:
            campaign.query(request["tool"], request["args"])
    campaign.flush()  # a pipe writes its files, too, before it ends


def _child_cpu(folder: Path, requests: Sequence[dict[str, Any]]) -> float:
    """Return the CPU seconds of a pipe from its start to its end, which all of these requests have to reach."""
    given = b"".join(json.dumps(request).encode() + b"\n" for request in requests)
    before = os.times()
    done = subprocess.run(_command(folder), input=given, stdout=subprocess.PIPE, check=True)
    after = os.times()
    if done.stdout.count(b'"ok":true') != len(requests):
        raise RuntimeError("not all requests were done")
    return after.children_user + after.children_system - before.children_user - before.children_system


def _waits(folder: Path, requests: Sequence[dict[str, Any]]) -> Iterator[float]:
    """Yield how long each answer is waited for, in seconds."""
    with subprocess.Popen(_command(folder), stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        output = process.stdout
        for request in requests:
            start = time.perf_counter()
            process.stdin.write(json.dumps(request).encode() + b"\n")
            output.readline()
            yield time.perf_counter() - start


def _command(folder: Path) -> list[str]:
    return [sys.executable, "-c", _UNSYNCED, str(folder)]
