"""P13: what a call costs through `turnwright mcp`, against an empty tool of the same SDK and the call itself."""

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

from turnwright import Campaign

_OURS = """
import sys
from scripts.bench.measuring import unsynced
from turnwright.cli.main import main
with unsynced():
    main(["mcp", sys.argv[1]])
"""
_EMPTY = """
import anyio
import mcp_types as types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

async def call(ctx, params):
    return types.CallToolResult(content=[types.TextContent(type="text", text="done")], structured_content={})

async def main():
    server = Server("empty", on_call_tool=call)
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())

anyio.run(main)
"""
_HELLO = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}}
Call = tuple[str, dict[str, Any]]
_CALLS: Sequence[Call] = (
    ("measure_distance", {"from": {"x": 0, "y": 0}, "to": {"x": 3, "y": 4}}),
    ("roll_dice", {"expression": "2d6+3"}),
    ("hp_delta", {"target_character_id": "pc_001", "delta": 1, "cause": "luck"}),
)


def calls(ground: Ground) -> Iterator[Row]:
    """P13: CPU time of a call over stdio, against an empty tool and the same call through `Campaign`; p99 beside it."""
    for call in _CALLS:
        ours, floor, p99 = _measured(ground, call, ground.burst)
        what = "an empty tool of the same SDK + the same through Campaign"
        yield Row("P13", f"CPU of {call[0]} through MCP, syncing off", what, ours / floor, 1.25)
        yield Row("P13", f"p99 of {call[0]} through MCP, each answer awaited", "", p99 * 1000, None, unit="ms")


def _measured(ground: Ground, call: Call, number: int) -> tuple[float, float, float]:
    """Return the CPU seconds of many calls through MCP and of their floor, and the slowest wait but 1 %."""
    waits: list[float] = []

    def through_mcp() -> float:
        command = [sys.executable, "-c", _OURS, str(_campaign(ground))]
        waits.extend(_talk(command, call, number // 10)[1])
        return _cpu_of(command, call, number)

    def empty() -> float:
        return _cpu_of([sys.executable, "-c", _EMPTY], call, number)

    def through_campaign() -> float:
        with Campaign.open(_campaign(ground)) as campaign, unsynced():
            _do(campaign, call, number // 10)
            campaign.flush()
            return timed(lambda: _do(campaign, call, number), cpu)[0]

    ours, *floor = in_turn(ground.rounds, through_mcp, empty, through_campaign)
    return ours, sum(floor), quantile(waits, 0.99)


def _campaign(ground: Ground) -> Path:
    """Return a campaign that allows the calls."""
    folder = ground.small_campaign(ground.memory)
    path = folder / "campaign.json"
    document = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps({**document, "allowlist": [name for name, _ in _CALLS]}), encoding="utf-8")
    with Campaign.open(folder) as campaign:
        campaign.process({})  # takes the new list over
    return folder


def _do(campaign: Campaign, call: Call, number: int) -> None:
    name, args = call
    do: Callable[[], Any] = lambda: campaign.query(name, args)  # noqa: E731 - one of two
    if name != "measure_distance":
        turn = {"agent": "narrative", "tool_calls": [{"id": "call", "tool": name, "args": args}]}
        do = lambda: campaign.process(turn)  # noqa: E731
    for _ in range(number):
        do()
    campaign.flush()  # a server writes its files, too, before it ends


def _cpu_of(command: Sequence[str], call: Call, number: int) -> float:
    """Return the CPU seconds of a server for so many calls, without those of its start, its first calls and its end."""
    warm = number // 10
    return _talk(command, call, number + warm)[0] - _talk(command, call, warm)[0]


def _talk(command: Sequence[str], call: Call, number: int) -> tuple[float, list[float]]:
    """Return the CPU seconds of a server from its start to its end, and how long each answer was waited for."""
    name, args = call
    before, waits = os.times(), []
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        output, send = process.stdout, process.stdin.write
        send(_line(id="hello", method="initialize", params=_HELLO) + _line(method="notifications/initialized"))
        output.readline()
        for place in range(number):
            start = time.perf_counter()
            send(_line(id=place, method="tools/call", params={"name": name, "arguments": args}))
            while (answer := json.loads(output.readline())).get("id") != place:
                pass
            waits.append(time.perf_counter() - start)
            if answer["result"].get("isError"):
                raise RuntimeError(answer)
        process.stdin.close()
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system, waits


def _line(**message: Any) -> bytes:
    return json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n"
