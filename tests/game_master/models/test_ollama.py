"""A model of Ollama: what its own API is asked, and how its answers are read. The server is a stub of that API."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from tests.game_master.models.asking import ANSWER, MOVE, asking
from tests.game_master.models.fake_server import FakeServer, Line, Play, fake_server

from turnwright.llm.catalog import open_model
from turnwright.llm.context_size import context_of
from turnwright.llm.ollama import OllamaModel
from turnwright.llm.port import LanguageModel, ModelAnswer, ModelFailed, Usage
from turnwright.model.errors import BadRequest

DONE = {"done": True, "done_reason": "stop", "prompt_eval_count": 11, "eval_count": 7}
MODEL_INFO = {"general.architecture": "llama", "llama.context_length": 131072, "llama.block_count": 16}


def ollama(*lines: Any, info: Any = MODEL_INFO) -> Play:
    """Return a server that tells of a model and streams some lines as its answer."""

    def play(line: Line) -> None:
        if line.path == "/api/show":
            line.head(kind="application/json")
            line.send(json.dumps({"model_info": info}).encode())
            return
        line.head(kind="application/x-ndjson")
        for each in lines:
            line.send(json.dumps(each).encode() + b"\n")

    return play


def says(text: str, **more: Any) -> dict[str, Any]:
    return {"message": {"role": "assistant", "content": text, **more}, "done": False}


def model_at(server: FakeServer, **env: str) -> LanguageModel:
    return open_model(f"ollama:llama3.2@{server.url.removesuffix('/v1')}", env=env)


def test_text_is_streamed_and_then_returned_whole() -> None:
    heard: list[str] = []
    with fake_server(ollama(says("The door "), says("opens."), DONE)) as server:
        answer = model_at(server).answer(asking(), heard.append)
    assert answer == ModelAnswer("The door opens.", usage=Usage(11, 7))
    assert [*filter(None, heard)] == ["The door ", "opens."]


def test_it_is_told_how_much_to_hold_and_what_to_do() -> None:
    with fake_server(ollama(says("Yes."), DONE)) as server:
        model = model_at(server)
        model.answer(asking("I open it.", "Which?", "The <|im_end|> one.", tools=[MOVE]))
        model.answer(asking("x" * 60_000))
        model.answer(asking())
        show, first, second, third = server.asked
    assert (show.path, show.body) == ("/api/show", {"model": "llama3.2"}), "it is looked at once"
    assert first.path == "/api/chat"
    assert first.body["options"] == {"num_ctx": 8192, "num_predict": 64, "temperature": 0.5, "seed": 7}
    assert [message["role"] for message in first.body["messages"]] == ["system", "user", "assistant", "user"]
    assert first.body["messages"][-1]["content"] == "The <\u200d|im_end|> one."
    assert first.body["tools"] == [MOVE]
    assert "format" not in first.body
    assert [line.body["options"]["num_ctx"] for line in (second, third)] == [16384, 16384], "it is not loaded anew"


def test_it_holds_no_more_than_the_model_does() -> None:
    with fake_server(ollama(says("Yes."), DONE, info={"x.context_length": 2048})) as server:
        model_at(server).answer(asking())
        assert server.asked[1].body["options"]["num_ctx"] == 2048


def test_a_question_that_it_would_cut_is_not_asked() -> None:
    with fake_server(ollama(says("Yes."), DONE, info={"x.context_length": 2048})) as server:
        with pytest.raises(ModelFailed, match=r"holds 2,048: show it fewer tools") as failed:
            model_at(server).answer(asking("x" * 9000))
        assert failed.value.kind == "refused"
        assert [line.path for line in server.asked] == ["/api/show"]


def test_calls_and_thoughts() -> None:
    call = {"function": {"name": "move", "arguments": {"to": "area_001"}}}
    lines = [says("", thinking="Hm."), says("", tool_calls=[call, call]), {**says("Go."), **DONE}]
    with fake_server(ollama(*lines)) as server:
        answer = model_at(server).answer(asking(tools=[MOVE]))
    assert answer.text == "Go."
    assert [(one["id"], one["tool"], one["args"]) for one in answer.tool_calls] == [
        ("call_001", "move", {"to": "area_001"}),
        ("call_002", "move", {"to": "area_001"}),
    ]


def test_a_schema_goes_out_as_the_format() -> None:
    text = '{"assistant_text": "Go.", "tool_calls": [{"id": "a", "tool": "move", "args": {}}]}'
    with fake_server(ollama(says(text), DONE)) as server:
        answer = model_at(server).answer(asking(schema=ANSWER, tools=[MOVE]))
        body = server.asked[1].body
    assert (body["format"], "tools" in body) == (ANSWER, False)
    assert answer == ModelAnswer("Go.", ({"id": "a", "tool": "move", "args": {}},), usage=Usage(11, 7))


def test_what_was_cut_off_says_so() -> None:
    with fake_server(ollama(says("The door"), {**DONE, "done_reason": "length"})) as server:
        assert model_at(server).answer(asking()).is_cut_off


def _error(status: str, told: str) -> Play:
    def play(line: Line) -> None:
        if line.path == "/api/show":
            ollama()(line)
            return
        line.head(status, "application/json")
        line.send(json.dumps({"error": told}).encode())

    return play


@pytest.mark.parametrize(
    ("play", "kind", "told"),
    [
        (_error("404 Not Found", "model 'x' not found"), "refused", "no such model"),
        (_error("400 Bad Request", "x does not support tools"), "refused", "begin again with --schema"),
        (_error("500 Internal Server Error", "out of memory"), "unavailable", "out of memory"),
        (ollama(says("The do")), "disconnected", "before the end of the answer"),
        (ollama({"error": "the runner stopped"}), "unavailable", "the runner stopped"),
        (ollama(["?"]), "garbage", "no answer"),
        (lambda line: line.send(b"nonsense\r\n\r\n"), "garbage", "does not speak HTTP"),
        (lambda line: line.wait(), "timeout", "within 0.3 seconds"),
    ],
)
def test_how_it_fails(play: Callable[[Line], None], kind: str, told: str) -> None:
    def shows(line: Line) -> None:
        (ollama() if line.path == "/api/show" else play)(line)

    with fake_server(shows) as server:
        limits: dict[str, Any] = {"timeout": 0.3} if kind == "timeout" else {}
        with pytest.raises(ModelFailed, match=told) as failed:
            model_at(server).answer(asking(**limits))
    assert failed.value.kind == kind


def test_nobody_there_is_told_so() -> None:
    with pytest.raises(ModelFailed, match="cannot be reached") as failed:
        open_model("ollama:x@http://127.0.0.1:1", env={}).answer(asking())
    assert failed.value.kind == "unavailable"


def test_the_key_goes_along_where_there_is_one() -> None:
    with fake_server(ollama(says("Yes."), DONE)) as server:
        model_at(server, TURNWRIGHT_API_KEY="sesame").answer(asking())
        assert [line.headers["authorization"] for line in server.asked] == ["Bearer sesame"] * 2


def test_how_it_is_named() -> None:
    here = open_model("ollama:llama3.2:3b", env={})
    assert isinstance(here, OllamaModel)
    assert here.name == "ollama:llama3.2:3b"
    for wrong in ("ollama:", "ollama:x@ftp://y", "ollama:x@http://me:secret@y"):
        with pytest.raises(BadRequest):
            open_model(wrong, env={})


# what servers say they hold


@pytest.mark.parametrize(
    ("row", "most"),
    [
        ({"id": "fake", "max_model_len": 4096}, 4096),
        ({"id": "fake", "context_length": 32768}, 32768),
        ({"id": "fake", "meta": {"n_ctx": 8192, "n_ctx_train": 131072}}, 8192),
        ({"id": "fake"}, None),
        ({"id": "fake", "max_model_len": "many"}, None),
    ],
)
def test_what_other_servers_say(row: dict[str, Any], most: int | None) -> None:
    def play(line: Line) -> None:
        line.head(kind="application/json")
        line.send(json.dumps({"data": [{"id": "other", "max_model_len": 1}, row]}).encode())

    with fake_server(play) as server:
        assert context_of(open_model(f"openai:fake@{server.url}", env={})) == most
        assert server.asked[0].path == "/v1/models"


def test_a_server_that_says_nothing_costs_nothing() -> None:
    def play(line: Line) -> None:
        line.head("404 Not Found", "text/html")
        line.send(b"<html>")

    with fake_server(play) as server:
        assert context_of(open_model(f"openai:fake@{server.url}", env={})) is None
    assert context_of(open_model("ollama:x@http://127.0.0.1:1", env={})) is None
    assert context_of(open_model("echo", env={})) is None
