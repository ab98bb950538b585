"""What is no message, comes at the wrong time, or is too much: an error of the protocol, and nothing is changed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests import warm_python
from tests.json_samples import any_json
from tests.mcp.harness import PATIENCE
from tests.mcp.raw import META, RawServer, raw_server, request
from tests.mcp.worlds import table
from tests.sampling import count, sampled

from turnwright import Campaign, Record
from turnwright.mcp.wire import MAX_LINE_BYTES

GARBAGE = {
    "no JSON": b"{nonsense",
    "half a message": b'{"jsonrpc":"2.0","id":1,',
    "no object": b"[1,2,3]",
    "a number": b"17",
    "no version": b'{"id":1,"method":"ping"}',
    "an old version": b'{"jsonrpc":"1.0","id":1,"method":"ping"}',
    "a method that is none": b'{"jsonrpc":"2.0","id":1,"method":7}',
    "bytes that are no text": b"\xff\xfe\x00\x80",
    "a deep list": b"[" * 20000 + b"]" * 20000,
    "a deep message": b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":' + b'{"a":' * 5000 + b"1" + b"}" * 5001,
}
NOTHING_ASKED = (
    b'{"jsonrpc":"2.0","id":{"a":1},"method":"ping"}',
    b'{"jsonrpc":"2.0","id":1.5,"method":"ping"}',
    b'{"jsonrpc":"2.0","id":1,"result":{}}',
    b'{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"?"}}',
)
"""What asks for nothing that an answer could name."""
CALL: dict[str, Any] = {"name": "roll_dice", "arguments": {"expression": "1d6"}}


@pytest.fixture(name="path")
def fixture_path(tmp_path: Path) -> Path:
    table(tmp_path / "table").close()
    return tmp_path / "table"


@pytest.fixture(name="running", scope="module")
def fixture_running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[RawServer, Path]]:
    """Give a server that goes on whatever it is sent: to start one takes longer than all that most tests ask of it."""
    path = tmp_path_factory.mktemp("wire") / "table"
    table(path).close()
    with raw_server(path) as server:
        server.shake_hands()
        yield server, path
        assert "Traceback" not in server.end()


def records(path: Path) -> list[Record]:
    with Campaign.open(path) as campaign:
        return list(campaign.records())


def test_garbage_is_answered_with_an_error_and_changes_nothing(running: tuple[RawServer, Path]) -> None:
    server, path = running
    before = records(path)
    for name, line in GARBAGE.items():
        server.send(line)
        answer = server.receive()
        assert answer["error"]["code"] in (-32700, -32600), name
        assert answer["id"] is None, name
    server.send(*NOTHING_ASKED)
    assert server.ask(1, "ping")["result"] == {}
    assert "Traceback" not in server.errors
    assert records(path) == before


EARLY: list[tuple[str, Any]] = [
    ("tools/call", CALL),
    ("tools/list", None),
    ("resources/read", {"uri": "turnwright://state"}),
    ("prompts/get", {"name": "recap"}),
    ("no/such", {}),
]


def test_a_call_before_the_handshake_is_an_error(path: Path) -> None:
    with raw_server(path) as server:
        for number, (method, params) in enumerate(EARLY):
            assert server.ask(number, method, params)["error"]["code"] < 0, method
        server.shake_hands()
        assert "result" in server.ask(2, "tools/list")
    assert len(records(path)) == 1


WRONG: list[tuple[str, Any]] = [
    ("no/such", {}),
    ("initialize", {}),
    ("tools/call", {}),
    ("tools/call", {"name": 7}),
    ("tools/call", {"name": "move", "arguments": [1]}),
    ("tools/list", {"cursor": "x"}),
    ("resources/read", {"uri": "file:///etc/passwd"}),
    ("resources/read", {"uri": "turnwright://../campaign.json"}),
    ("resources/read", {"uri": "turnwright://sheet/..%2F..%2Fcampaign"}),
    ("resources/read", {}),
    ("prompts/get", {"name": "no_such"}),
    ("prompts/get", {"name": "persona", "arguments": {"agent": "../../narrative"}}),
    ("completion/complete", {"ref": {"type": "ref/prompt", "name": "persona"}}),
    ("logging/setLevel", {"level": "debug"}),
    ("sampling/createMessage", {}),
]


def test_a_wrong_request_is_an_error(running: tuple[RawServer, Path]) -> None:
    server, path = running
    before = records(path)
    for number, (method, params) in enumerate(WRONG):
        assert server.ask(number, method, params)["error"]["code"] <= 0, (method, params)
    assert server.ask("after", "ping")["result"] == {}
    assert records(path) == before


def test_a_line_that_is_too_long_is_no_message_and_the_next_one_is_read(running: tuple[RawServer, Path]) -> None:
    server, _ = running
    server.send(b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"' + b"x" * MAX_LINE_BYTES + b'"}}')
    answer = server.receive()
    assert (answer["id"], answer["error"]["code"]) == (None, -32700)
    assert server.ask(2, "ping")["result"] == {}


def test_answers_are_whole_for_a_client_that_reads_late(running: tuple[RawServer, Path]) -> None:
    server, _ = running
    server.send(*(request(number, "tools/list") for number in range(20)))
    time.sleep(0.5)
    server.send(request("last", "ping"))
    ids = [server.receive()["id"] for _ in range(21)]
    assert sorted(map(str, ids)) == sorted(map(str, [*range(20), "last"]))


HUGE = {
    "a long text": {"expression": "1d6", "reason": "x" * 2_000_000},
    "a long list": {"batch": [{"expression": "1d6"}] * 30_000},
    "a number that is none of ours": {"expression": "1d6", "modifier": 10**400},
}


@pytest.mark.slow
def test_too_much_in_a_call_is_refused_and_rolls_nothing(path: Path) -> None:
    deep: Any = {}
    for _ in range(100):
        deep = {"a": deep}
    with raw_server(path) as server:
        server.shake_hands()
        for name, args in {**HUGE, "deep arguments": deep}.items():
            answer = server.ask(name, "tools/call", {"name": "roll_dice", "arguments": args})
            assert "error" in answer or answer["result"]["isError"], name
        assert server.ask("after", "ping")["result"] == {}
        assert "Traceback" not in server.end()
    assert not [record for record in records(path) if record.get("draws")]


@pytest.mark.slow
def test_ten_thousand_notifications_are_let_be(path: Path) -> None:
    many = 10_000
    notes = [
        {"jsonrpc": "2.0", "method": method, "params": {"requestId": number, "progressToken": number, "progress": 1}}
        for number, method in zip(
            range(many),
            ["notifications/cancelled", "notifications/progress", "notifications/nothing", "notifications/initialized"]
            * many,
            strict=False,
        )
    ]
    with raw_server(path) as server:
        server.shake_hands()
        server.send(*notes)
        assert server.ask(1, "ping")["result"] == {}
        assert "Traceback" not in server.end()
    assert len(records(path)) == 1


@pytest.mark.slow
def test_a_call_that_was_canceled_is_applied_whole_or_not_at_all(path: Path) -> None:
    with raw_server(path) as server:
        server.shake_hands()
        for number in range(20):
            server.send(
                request(number, "tools/call", CALL),
                {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": number}},
            )
        assert "result" in server.ask("after", "tools/call", CALL)
        server.end()
    turns = records(path)[1:]
    assert 1 <= len(turns) <= 21
    assert all(turn["status"] == "applied" for turn in turns)


@pytest.mark.slow
def test_requests_with_one_id_are_all_answered(path: Path) -> None:
    with raw_server(path) as server:
        server.shake_hands()
        server.send(*[request(7, "tools/call", CALL)] * 5)
        assert all(server.receive()["id"] == 7 for _ in range(5))
        server.end()
    assert len(records(path)) == 6


def test_calls_that_are_sent_together_run_in_order(path: Path) -> None:
    steps = [("area_001", "area_002"), ("area_002", "area_004"), ("area_004", "area_002"), ("area_002", "area_001")] * 5
    with raw_server(path) as server:
        server.shake_hands()
        calls = [
            {"name": "move", "arguments": {"actor_id": "pc_001", "from_area_id": start, "to_area_id": to}}
            for start, to in steps
        ]
        server.send(*(request(number, "tools/call", call) for number, call in enumerate(calls)))
        assert [server.receive()["result"]["isError"] for _ in calls] == [False] * len(calls)
        server.end()


def test_the_version_without_a_handshake_wants_its_envelope(path: Path) -> None:
    with raw_server(path) as server:
        assert "result" in server.ask(1, "server/discover", {"_meta": META})
        assert "result" in server.ask(2, "tools/call", {**CALL, "_meta": META})
        assert server.ask(3, "tools/call", CALL)["error"]["code"] < 0
        assert server.ask(4, "initialize", {"protocolVersion": "2025-11-25"})["error"]["code"] < 0
        server.end()
    assert len(records(path)) == 2


@pytest.mark.parametrize("number", sampled([signal.SIGTERM, signal.SIGINT], 1))
def test_a_signal_ends_the_server_and_leaves_the_files_up_to_date(path: Path, number: signal.Signals) -> None:
    with raw_server(path) as server:
        server.shake_hands()
        for asked in range(5):
            server.ask(asked, "tools/call", HEAL)
        server.process.send_signal(number)
        assert server.process.wait(30) == 0
        assert "Traceback" not in server.errors
    written = json.loads((path / "characters" / "pc_001.json").read_text(encoding="utf-8"))
    assert written["hp"] == 15


HEAL = {"name": "hp_delta", "arguments": {"target_character_id": "pc_001", "delta": 1, "cause": "luck"}}


def test_a_client_that_leaves_without_a_word_ends_the_server(path: Path) -> None:
    unread, written = os.pipe()
    os.close(unread)
    hello = json.dumps(request(1, "server/discover", {"_meta": META})).encode() + b"\n"
    command = [*warm_python.command(), "-m", "turnwright", "mcp", str(path)]
    done = subprocess.run(command, input=hello, stdout=written, stderr=subprocess.PIPE, timeout=PATIENCE, check=False)
    os.close(written)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.slow
def test_a_server_that_is_killed_loses_nothing_it_told_of(path: Path) -> None:
    told = 0
    for _ in range(count(quick=3, thorough=10)):
        with raw_server(path) as server:
            server.shake_hands()
            for asked in range(3):
                told += not server.ask(asked, "tools/call", HEAL)["result"]["isError"]
            server.send(request("last", "tools/call", HEAL))
            warm_python.kill(server.process)
    with Campaign.open(path) as campaign:
        turns = [record for record in campaign.records() if record["kind"] == "turn"]
        assert told <= len(turns)
        assert campaign.state["characters/pc_001.json"]["hp"] == 10 + len(turns)
        assert campaign.process({"tool_calls": []})["status"] == "empty"


@pytest.mark.slow
def test_two_clients_lose_no_change(path: Path) -> None:
    with raw_server(path) as one, raw_server(path) as other:
        servers: list[RawServer] = [one, other]
        for server in servers:
            server.shake_hands()
        for number in range(10):
            for server in servers:
                server.send(request(number, "tools/call", HEAL))
        for server in servers:
            assert [server.receive()["result"]["isError"] for _ in range(10)] == [False] * 10
            server.end()
    with Campaign.open(path) as campaign:
        assert campaign.state["characters/pc_001.json"]["hp"] == 30


# anything


METHODS = st.sampled_from(
    ["tools/call", "tools/list", "resources/read", "resources/subscribe", "prompts/get", "completion/complete", "ping"]
)
PARAMS = any_json | st.fixed_dictionaries(
    {}, optional=dict.fromkeys(("name", "arguments", "uri", "_meta", "ref", "argument", "requestState"), any_json)
)


@given(method=METHODS | st.text(max_size=12), params=PARAMS)
def test_any_request_gets_an_answer(running: tuple[RawServer, Path], method: str, params: Any) -> None:
    server, path = running
    before = len(records(path))
    server.send(request("any", method, params))
    while True:  # what is no request at all is answered without its id
        answer = server.receive()
        if answer.get("id") == "any" or (answer.get("id", 0) is None and "error" in answer):
            break
    assert ("result" in answer) != ("error" in answer)
    assert len(records(path)) == before


@given(line=st.binary(max_size=60).filter(lambda line: b"\n" not in line and b"\r" not in line))
def test_any_line_leaves_the_server_running(running: tuple[RawServer, Path], line: bytes) -> None:
    server, _ = running
    server.send(line)
    assert server.ask("still there", "ping")["result"] == {}
