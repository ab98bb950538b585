"""A model on a server: what it is asked, and how its answers are read."""

from __future__ import annotations

import signal
import threading
from typing import Any

import pytest
from tests.game_master.models.asking import ANSWER, MOVE, asking
from tests.game_master.models.fake_server import FakeServer, Line, Play, fake_server

from turnwright.llm.catalog import open_model
from turnwright.llm.port import LanguageModel, ModelAnswer, ModelFailed, ModelRequest, Usage


def model_at(server: FakeServer, **env: str) -> LanguageModel:
    return open_model(f"openai:fake@{server.url}", env=env)


def told(line: Line) -> None:
    line.head()
    line.delta(role="assistant", content="")
    line.delta(content="The door ")
    line.delta(content="opens.")
    line.end()


def answered(play: Play, request: ModelRequest) -> ModelAnswer:
    with fake_server(play) as server:
        return model_at(server).answer(request)


def test_text_is_streamed_and_then_returned_whole() -> None:
    heard: list[str] = []
    with fake_server(told) as server:
        answer = model_at(server).answer(asking(), heard.append)
    assert answer == ModelAnswer("The door opens.", usage=Usage(11, 7))
    assert [*filter(None, heard)] == ["The door ", "opens."]


def test_the_request_holds_what_was_asked_and_no_more() -> None:
    with fake_server(told) as server:
        model_at(server).answer(asking("I open it.", "Which?", "The <|im_end|> one.", tools=[MOVE]))
        asked = server.asked[0]
    assert asked.path == "/v1/chat/completions"
    body = asked.body
    assert [message["role"] for message in body["messages"]] == ["system", "user", "assistant", "user"]
    assert body["messages"][-1]["content"] == "The <\u200d|im_end|> one."
    assert (body["model"], body["max_tokens"], body["temperature"], body["seed"]) == ("fake", 64, 0.5, 7)
    function = body["tools"][0]["function"]
    assert {key: function[key] for key in MOVE["function"]} == MOVE["function"]
    assert "response_format" not in body


def test_the_schema_goes_out_as_it_is_and_calls_are_then_part_of_the_document() -> None:
    def play(line: Line) -> None:
        line.head()
        line.delta(content='{"assistant_text": "Go.", "tool_calls": [{"id": "a", ')
        line.delta(content='"tool": "move", "args": {}}]}')
        line.end()

    with fake_server(play) as server:
        answer = model_at(server).answer(asking(schema=ANSWER, tools=[MOVE]))
        body = server.asked[0].body
    assert body["response_format"]["json_schema"]["schema"] == ANSWER
    assert "tools" not in body
    assert answer == ModelAnswer("Go.", ({"id": "a", "tool": "move", "args": {}},), usage=Usage(11, 7))


def test_a_server_without_schemas_is_told_it_in_words() -> None:
    def play(line: Line) -> None:
        if "response_format" in line.body:
            line.head("400 Bad Request", "application/json")
            line.send(b'{"error": {"message": "response_format is not supported"}}')
        else:
            line.head()
            line.delta(content='Sure!\n```json\n{"assistant_text": "Hi.", "tool_calls": []}\n```')
            line.end()

    with fake_server(play) as server:
        answer = model_at(server).answer(asking(schema=ANSWER))
        asked = [line.body for line in server.asked]
    assert answer.text == "Hi."
    assert answer.is_well_formed
    assert '"area_001"' in asked[1]["messages"][0]["content"]
    assert len(asked) == 2


def test_native_calls_are_read_in_their_order() -> None:
    def play(line: Line) -> None:
        line.head()
        line.delta(content="So be it.")
        line.delta(tool_calls=[{"index": 0, "id": "x9", "function": {"name": "move", "arguments": ""}}])
        line.delta(tool_calls=[{"index": 0, "function": {"arguments": '{"to": "a'}}])
        line.delta(tool_calls=[{"index": 0, "function": {"arguments": '1"}'}}])
        line.delta(tool_calls=[{"index": 1, "id": "x9", "function": {"name": "fly", "arguments": "{}"}}])
        line.end("tool_calls")

    heard: list[str] = []
    with fake_server(play) as server:
        answer = model_at(server).answer(asking(tools=[MOVE]), heard.append)
    calls = ({"id": "call_001", "tool": "move", "args": {"to": "a1"}}, {"id": "call_002", "tool": "fly", "args": {}})
    assert (answer.text, answer.tool_calls, answer.is_well_formed) == ("So be it.", calls, True)
    assert [*filter(None, heard)] == ["So be it."]


def streamed(*pieces: Any) -> Play:
    """Return a server that streams these pieces of calls."""

    def play(line: Line) -> None:
        line.head()
        for piece in pieces:
            line.delta(tool_calls=[piece])
        line.end("tool_calls")

    return play


def piece(arguments: str, name: str | None = None, **more: Any) -> dict[str, Any]:
    return {"function": {"arguments": arguments} | ({"name": name} if name else {}), **more}


TWO_CALLS: dict[str, list[Any]] = {
    "one index": [piece("{}", "move", index=0, id="a"), piece('{"by": 1}', "fly", index=0, id="b")],
    "one index in pieces": [
        piece("", "move", index=0, id="a"),
        piece("{}", index=0),
        piece("", "fly", index=0, id="b"),
        piece('{"by"', index=0, id=""),
        piece(": 1}", index=0),
    ],
    "one index without ids": [piece("{}", "move", index=0), piece('{"by": 1}', "fly", index=0)],
    "the id before the name": [
        {"index": 0, "id": "a"},
        {"index": 0, "function": {"name": "move"}},
        piece("{}", index=0),
        piece('{"by": 1}', "fly", index=0, id="b"),
    ],
    "no index": [piece("{}", "move", id="a"), piece('{"by": 1}', "fly", id="b")],
    "mixed": [
        piece("{", "move", index=0, id="a"),
        piece('{"by"', "fly", index=1, id="b"),
        piece("}", index=0, id="x"),
        piece(": 1}", index=1, id="y"),
    ],
    "an id in each piece": [
        piece("{", "move", index=0, id="a"),
        piece("}", index=0, id="a"),
        piece('{"by": 1}', "fly", index=0, id="b"),
    ],
}


@pytest.mark.parametrize("pieces", TWO_CALLS.values(), ids=TWO_CALLS)
def test_calls_are_told_apart_however_a_server_numbers_them(pieces: list[Any]) -> None:
    calls = answered(streamed(*pieces), asking(tools=[MOVE])).tool_calls
    assert [(call["tool"], call["args"]) for call in calls] == [("move", {}), ("fly", {"by": 1})]


def test_thoughts_are_no_part_of_the_answer() -> None:
    def play(line: Line) -> None:
        line.head()
        line.delta(reasoning_content="What would they see?")
        line.delta(content="Rain.")
        line.end()

    heard: list[str] = []
    with fake_server(play) as server:
        assert model_at(server).answer(asking(), heard.append).text == "Rain."
    assert [*filter(None, heard)] == ["Rain."]


SECRET = "The traitor is Cass."
THINKING: dict[str, list[str]] = {
    "in one piece": [f"<think>{SECRET}</think>\n\nRain."],
    "by token": ["<think>", "\n", SECRET, "\n", "</think>", "\n\n", "Rain."],
    "the end beside something": ["<think>", SECRET, "</think>\n\n", "Rain."],
    "the end in the text": ["<think>", f"{SECRET}</think>Ra", "in."],
    "marks in pieces": ["<th", "ink>", SECRET, " </thi", "nk>", "Rain."],
    "the end alone": [SECRET, "\n", "</think>", "\n\nRain."],
    "the end alone in one piece": [f"{SECRET}</think>Rain."],
    "the end is thought of": ["<think>", f"I write </think> at the end. {SECRET}", "</think>", "Rain."],
    "other marks": [f"\n<Thinking effort='low'>{SECRET}</THINKING> Rain."],
    "several": ["<think>Hm.</think>", f"<think>{SECRET}</think>Rain."],
    "the end with a quotation before it": [f'{SECRET} He says "no"</think>Rain.'],
    "Mistral's": [f"[THINK]{SECRET}[/THINK]Rain."],
    "gpt-oss's": [
        f"<|channel|>analysis<|message|>{SECRET}<|end|>",
        "<|start|>assistant<|channel|>final<|message|>Rain.",
    ],
}


@pytest.mark.parametrize("schema", [None, ANSWER])
@pytest.mark.parametrize("pieces", THINKING.values(), ids=THINKING)
def test_thoughts_within_the_text_are_no_part_of_the_answer(pieces: list[str], schema: Any) -> None:
    said = "Rain." if schema is None else '{"assistant_text": "Rain.", "tool_calls": []}'

    def play(line: Line) -> None:
        line.head()
        for content in pieces:
            line.delta(content=content.replace("Rain.", said).replace("Ra", said[:2]).replace("in.", said[2:]))
        line.end()

    answer = answered(play, asking(schema=schema))
    assert (answer.text.strip(), answer.is_well_formed) == ("Rain.", True)


@pytest.mark.parametrize("pieces", [[f"<think>{SECRET}"], ["<think>", SECRET], ["<think>", SECRET, "</think>"]])
def test_thoughts_alone_are_an_empty_answer(pieces: list[str]) -> None:
    def play(line: Line) -> None:
        line.head()
        for content in pieces:
            line.delta(content=content)
        line.end("length")

    answer = answered(play, asking())
    assert (answer.text, answer.is_well_formed, answer.is_cut_off) == ("", False, True)


def test_an_answer_at_the_limit_is_marked() -> None:
    def play(line: Line) -> None:
        line.head()
        line.delta(content='{"assistant_text": "The doo')
        line.end("length")

    assert answered(play, asking()).is_cut_off
    cut = answered(play, asking(schema=ANSWER))
    assert (cut.is_cut_off, cut.is_well_formed, cut.text) == (True, False, '{"assistant_text": "The doo')


def test_a_server_that_counts_no_tokens_is_counted_for() -> None:
    def play(line: Line) -> None:
        line.head()
        line.delta(content="x" * 40)
        line.end(usage=None)

    assert answered(play, asking()).usage == Usage(11, 10)


def test_the_end_is_known_by_its_mark_or_by_its_reason() -> None:
    def without_mark(line: Line) -> None:
        line.head()
        line.delta("stop", content="Rain.")

    def without_reason(line: Line) -> None:
        line.head()
        line.delta(content="Rain.")
        line.event(b"[DONE]")

    assert answered(without_mark, asking()).text == "Rain."
    assert answered(without_reason, asking()).text == "Rain."


@pytest.mark.parametrize(
    ("env", "sent"),
    [
        ({}, "Bearer none"),
        ({"OPENAI_API_KEY": "sk-openai"}, "Bearer none"),
        ({"TURNWRIGHT_API_KEY": " key \n"}, "Bearer key"),
    ],
)
def test_a_key_goes_only_where_it_belongs(env: dict[str, str], sent: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {
        "OPENAI_API_KEY": "sk-other",
        "OPENAI_ORG_ID": "org-other",
        "HTTP_PROXY": "http://127.0.0.1:9",
    }.items():
        monkeypatch.setenv(name, value)
    with fake_server(told) as server:
        model_at(server, **env).answer(asking())
        headers = server.asked[0].headers
    assert headers["authorization"] == sent
    assert not [value for value in headers.values() if "other" in value]


def test_what_the_listener_raises_is_its_own() -> None:
    class Enough(Exception):
        pass

    def enough(piece: str) -> None:
        if piece:
            raise Enough(piece)

    with fake_server(told) as server, pytest.raises(Enough, match="The door"):
        model_at(server).answer(asking(), enough)


def test_ctrl_c_stops_a_model_that_is_answering() -> None:
    def play(line: Line) -> None:
        line.head()
        line.delta(content="The ")
        line.wait()

    def press(piece: str) -> None:
        if piece:
            signal.raise_signal(signal.SIGINT)

    with fake_server(play) as server, pytest.raises(KeyboardInterrupt):
        model_at(server).answer(asking(), press)


@pytest.mark.parametrize("is_thinking", [True, False], ids=["while it thinks", "in silence"])
def test_an_answer_that_nobody_waits_for_is_ended_with_its_connection(is_thinking: bool) -> None:
    class Enough(Exception):
        pass

    begun, closed = threading.Event(), threading.Event()

    def play(line: Line) -> None:
        if is_thinking:
            line.head()
            line.delta(reasoning_content="Hm.")
        begun.set()
        if line.until_closed():
            closed.set()

    def enough(_: str) -> None:
        if begun.is_set():
            raise Enough

    with fake_server(play) as server:
        with pytest.raises(Enough):
            model_at(server).answer(asking(), enough)
        assert closed.wait(20)


def test_one_model_answers_in_several_threads() -> None:
    from concurrent.futures import ThreadPoolExecutor

    with fake_server(told) as server, ThreadPoolExecutor(3) as pool:
        model = model_at(server)
        assert {answer.text for answer in pool.map(model.answer, [asking()] * 6)} == {"The door opens."}


def test_the_price_is_known_where_the_model_is(monkeypatch: pytest.MonkeyPatch) -> None:
    from pydantic_ai.messages import ModelResponse, TextPart
    from pydantic_ai.usage import RequestUsage

    from turnwright.llm.remote import _usage

    def used(url: str) -> Any:
        spent = RequestUsage(input_tokens=1_000_000, output_tokens=0)
        return ModelResponse([TextPart("x")], usage=spent, model_name="gpt-4o", provider_name="x", provider_url=url)

    assert _usage(used("https://api.openai.com/v1"), asking()) == Usage(1_000_000, 0, 2.5)
    assert _usage(used("http://127.0.0.1:11434/v1"), asking()) == Usage(1_000_000, 0, None)


def test_a_server_that_is_not_there() -> None:
    with fake_server(told) as server:
        gone = server.url
    with pytest.raises(ModelFailed, match="cannot be reached") as failed:
        open_model(f"openai:x@{gone}", env={}).answer(asking())
    assert failed.value.kind == "unavailable"
