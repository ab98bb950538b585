"""A model's server that does everything wrong: each fault is a failure of the model or an answer that is marked."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.game_master.models.asking import asking
from tests.game_master.models.fake_server import Line, Play, fake_server
from tests.sampling import tries

from turnwright.llm import http as wire
from turnwright.llm import stream as listening
from turnwright.llm.catalog import open_model
from turnwright.llm.port import FailureKind, ModelAnswer, ModelFailed, ModelRequest

SECRET = "sk-very-secret"
STREAM, JSON = "text/event-stream", "application/json"


def ask(play: Play, request: ModelRequest) -> ModelAnswer:
    with fake_server(play) as server:
        return open_model(f"openai:fake@{server.url}", env={"TURNWRIGHT_API_KEY": SECRET}).answer(request)


def failure(play: Play, **limits: Any) -> ModelFailed:
    with pytest.raises(ModelFailed) as failed:
        ask(play, asking(**limits))
    assert "\n" not in str(failed.value)
    assert len(str(failed.value)) < 500
    return failed.value


def body(data: bytes, kind: str = STREAM, status: str = "200 OK", more: str = "") -> Play:
    def play(line: Line) -> None:
        line.head(status, kind, more)
        line.send(data)

    return play


def raw(data: bytes) -> Play:
    return lambda line: line.send(data)


@pytest.mark.parametrize(
    "play",
    [
        raw(b"\x00\xffnonsense\r\n\r\n"),
        raw(b"SSH-2.0-OpenSSH_9.2\r\n\r\n"),
        body(b"\xff\xfe\x00garb\x80" * 50),
        body(b"data: \xff\xfe{\n\n"),
        body(b"data: hello\n\n"),
        body(b'data: {"choices": [{"delta"\n\n'),
        body(b"data: 5\n\ndata: [1]\n\n"),
        body(b'data: {"choices": 7}\n\ndata: [DONE]\n\n'),
        body(b'data: {"choices": [{"delta": {"content": 7, "tool_calls": [3]}}]}\n\n'),
        body(b"data: " + b'{"a":' * 50_000 + b"\n\n"),
        body(b"<html>Welcome</html>", "text/html"),
        body(b'{"choices": [{"message": {"content": "hi"}}]}', JSON),
        body(b""),
    ],
    ids=range(13),
)
def test_what_is_no_answer_is_garbage(play: Play) -> None:
    assert failure(play).kind == "garbage"


@pytest.mark.parametrize(
    ("status", "kind", "told"),
    [
        ("500 Internal Server Error", "unavailable", "500"),
        ("503 Service Unavailable", "unavailable", "503"),
        ("429 Too Many Requests", "refused", "too many requests"),
        ("401 Unauthorized", "refused", "key"),
        ("403 Forbidden", "refused", "key"),
        ("404 Not Found", "refused", "no such model"),
        ("400 Bad Request", "refused", "400"),
        ("402 Payment Required", "refused", "402"),
        ("408 Request Timeout", "timeout", "408"),
        ("302 Found", "refused", "elsewhere"),
    ],
)
@pytest.mark.parametrize("data", [b'{"error": {"message": "bad sk-very-secret"}}', b"<h1>no</h1>", b"\xff\x00", b""])
def test_a_status_says_what_is_wrong(status: str, kind: FailureKind, told: str, data: bytes) -> None:
    failed = failure(body(data, JSON, status, "Location: http://127.0.0.1:1/\r\nRetry-After: 7\r\n"))
    assert failed.kind == kind
    assert told in str(failed)
    assert SECRET not in str(failed)


def test_a_server_is_asked_once() -> None:
    with fake_server(body(b"{}", JSON, "503 Down", "Retry-After: 0\r\n")) as server:
        with pytest.raises(ModelFailed):
            open_model(f"openai:fake@{server.url}", env={}).answer(asking())
        assert len(server.asked) == 1


def test_an_error_within_the_stream_is_the_servers() -> None:
    def play(line: Line) -> None:
        line.head()
        line.delta(content="The ")
        line.event({"error": {"message": "out of memory", "code": 500}})

    assert failure(play).kind == "unavailable"


def test_silence_before_the_first_byte_and_in_the_middle_is_a_timeout() -> None:
    def stalls(line: Line) -> None:
        line.head()
        line.delta(content="The ")
        line.wait()

    for play in (Line.wait, stalls):
        failed = failure(play, timeout=0.2)
        assert failed.kind == "timeout"
        assert "0.2 seconds" in str(failed)


def test_the_time_is_that_of_the_whole_answer() -> None:
    """A drop now and then keeps a connection alive, and must not keep a table waiting."""

    def drips(line: Line) -> None:
        line.head()
        while not line.over.wait(0.02):
            line.delta(content="drip ")

    assert failure(drips, timeout=0.3, max_tokens=4000).kind == "timeout"


def cut(line: Line) -> None:
    line.head()
    line.delta(content="The ")


def cut_in_a_chunk(line: Line) -> None:
    line.head(more="Transfer-Encoding: chunked\r\n")
    line.send(b"64\r\ndata: {")


def cut_in_a_line(line: Line) -> None:
    cut(line)
    line.send(b'data: {"choices": [')


@pytest.mark.parametrize("play", [cut, cut_in_a_chunk, cut_in_a_line, raw(b""), raw(b"HTT")])
def test_a_connection_that_ends_too_soon(play: Play) -> None:
    assert failure(play).kind == "disconnected"


def forever(data: bytes, *, status: str = "200 OK", head: bytes = b"") -> Play:
    def play(line: Line) -> None:
        line.head(status)
        line.send(head)
        while True:
            line.send(data)

    return play


TEXT = b'data: {"choices": [{"index": 0, "delta": {"content": "and on "}}]}\n\n'
NOTHING = b'data: {"choices": [{"index": 0, "delta": {"content": ""}}]}\n\n' * 50
CALL = (
    b'data: {"choices": [{"index": 0, "delta": {"tool_calls": [{"index": 0, "id": "a", "function": '
    b'{"name": "move", "arguments": "["}}]}}]}\n\n'
)


@pytest.mark.parametrize(
    "play",
    [
        forever(TEXT),
        forever(NOTHING),
        forever(CALL),
        forever(TEXT.replace(b"content", b"reasoning_content")),
        forever(b"x" * 4096, head=b"data: "),
        forever(b": still here\n\n" * 100),
        forever(b"no " * 1000, status="500 Oops"),
    ],
    ids=["text", "nothing", "calls", "thoughts", "a line", "comments", "an error"],
)
def test_a_model_that_does_not_stop_is_stopped_and_its_connection_closed(
    play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listening, "_SLACK", 256)
    monkeypatch.setattr(wire, "_SLACK", 1 << 16)
    with fake_server(play) as server:
        with pytest.raises(ModelFailed) as failed:
            open_model(f"openai:fake@{server.url}", env={}).answer(asking(max_tokens=8))
        assert failed.value.kind == "too_long"
        assert server.closed.wait(20)


@pytest.mark.parametrize("size", [10_000, 3_000_000])
def test_a_huge_answer_is_too_long(size: int) -> None:
    assert failure(body(TEXT.replace(b"and on", b"on" * size))).kind == "too_long"


def test_an_endless_head_is_no_answer() -> None:
    def play(line: Line) -> None:
        line.send(b"HTTP/1.1 200 OK\r\nX: ")
        while True:
            line.send(b"x" * 4096)

    assert failure(play).kind in ("garbage", "disconnected")


def calls(*asked: tuple[object, object]) -> Play:
    def play(line: Line) -> None:
        line.head()
        for index, (name, arguments) in enumerate(asked):
            line.delta(
                tool_calls=[{"index": index, "id": f"c{index}", "function": {"name": name, "arguments": arguments}}]
            )
        line.end("tool_calls")

    return play


def nothing(line: Line) -> None:
    line.head()
    line.end()


def test_unknown_tools_are_handed_on_for_the_engine_to_refuse() -> None:
    answer = ask(calls(("summon_demon", '{"at": 1}'), ("../../etc", "{}")), asking())
    assert [call["tool"] for call in answer.tool_calls] == ["summon_demon", "../../etc"]
    assert answer.is_well_formed


@pytest.mark.parametrize("arguments", ['{"to": ', "north", "[1]", "NaN", '{"a": 1, "a": 2}', "\ud800"])
def test_arguments_that_are_no_json_object_are_handed_on_for_the_engine_to_refuse(arguments: str) -> None:
    answer = ask(calls(("move", arguments)), asking())
    assert answer.is_well_formed
    assert [call["tool"] for call in answer.tool_calls] == ["move"]
    assert not isinstance(answer.tool_calls[0]["args"], dict)


@pytest.mark.parametrize("play", [calls((None, None)), calls(), nothing])
def test_an_answer_with_nothing_in_it_is_marked(play: Callable[[Line], None]) -> None:
    answer = ask(play, asking())
    assert (answer.text, answer.is_well_formed) == ("", False)


PIECES = st.sampled_from(
    [
        b"data: ",
        b"\n\n",
        b"[DONE]",
        b"{}",
        b"null",
        b'{"choices": [',
        b'{"delta": {"content": "a"}}',
        b'{"delta": null}',
        b'{"delta": {"tool_calls": [{"index": null}]}}',
        b'{"delta": {"tool_calls": [{"index": -1, "function": {"name": 1}}]}}',
        b'"finish_reason": "stop"',
        b", ",
        b"]}",
        b"\xff",
        b"event: error\n",
        b'"usage": {"prompt_tokens": "x"}',
    ]
)


@settings(max_examples=tries(40), deadline=None)
@given(st.lists(PIECES, max_size=14).map(b"".join))
def test_no_stream_whatever_raises_anything_else(data: bytes) -> None:
    with suppress(ModelFailed):
        ask(body(data), asking())
