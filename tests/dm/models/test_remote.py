"""A model on a server: what it is asked, and how its answers are read."""

from __future__ import annotations

import signal
from typing import Any

import pytest
from tests.dm.models.asking import ANSWER, MOVE, asking
from tests.dm.models.fake_server import FakeServer, Line, Play, fake_server

from turnwright.dm.model import Model, ModelAnswer, ModelFailed, ModelRequest, Usage
from turnwright.dm.models import open_model


def model_at(server: FakeServer, **env: str) -> Model:
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
    assert heard == ["The door ", "opens."]


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
    assert heard == ["So be it."]


def test_thoughts_are_no_part_of_the_answer() -> None:
    def play(line: Line) -> None:
        line.head()
        line.delta(reasoning_content="What would they see?")
        line.delta(content="Rain.")
        line.end()

    heard: list[str] = []
    with fake_server(play) as server:
        assert model_at(server).answer(asking(), heard.append).text == "Rain."
    assert heard == ["Rain."]


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
        raise Enough(piece)

    with fake_server(told) as server, pytest.raises(Enough, match="The door"):
        model_at(server).answer(asking(), enough)


def test_ctrl_c_stops_a_model_that_is_answering() -> None:
    def play(line: Line) -> None:
        line.head()
        line.delta(content="The ")
        line.wait()

    with fake_server(play) as server, pytest.raises(KeyboardInterrupt):
        model_at(server).answer(asking(), lambda _: signal.raise_signal(signal.SIGINT))


def test_one_model_answers_in_several_threads() -> None:
    from concurrent.futures import ThreadPoolExecutor

    with fake_server(told) as server, ThreadPoolExecutor(3) as pool:
        model = model_at(server)
        assert {answer.text for answer in pool.map(model.answer, [asking()] * 6)} == {"The door opens."}


def test_the_price_is_known_where_the_model_is(monkeypatch: pytest.MonkeyPatch) -> None:
    from pydantic_ai.messages import ModelResponse, TextPart
    from pydantic_ai.usage import RequestUsage

    from turnwright.dm.models.remote import _usage

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
