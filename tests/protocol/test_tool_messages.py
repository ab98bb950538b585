"""`reply_as`: what became of each call, told as the APIs of models and MCP want to be told it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from tests import builders
from tests.builders import Json, call, documents, hp_delta, move, turn, untyped
from tests.cached_fixtures import schemas
from tests.conftest import MakeCampaign
from tests.hostile.evil_objects import evil_objects
from tests.shaped import SHAPED

from turnwright import Campaign
from turnwright.cli.main import run
from turnwright.model.call_shapes import PROTOCOLS
from turnwright.model.errors import BadRequest
from turnwright.model.viewer import Viewer
from turnwright.protocol.stage6_publish.publish import project
from turnwright.schemas.schemas import validator

GOOD = hp_delta(-1, "pc_002")
STEP, BAD = move("area_002"), move("area_004")
HURT = {"status": "applied", "result": {"new_hp": 7}}


def told(reply: Mapping[str, Any]) -> list[tuple[str, Json, bool]]:
    """Return what is told of each call in any form: its id, which MCP has none of, what is said, whether it failed."""
    found: list[tuple[str, Json, bool]] = []
    for message in reply["tool_messages"]:
        if "structuredContent" in message:
            [block] = message["content"]
            assert json.loads(block["text"]) == message["structuredContent"]
            found.append(("", message["structuredContent"], message["isError"]))
        elif message["role"] == "tool":
            content = json.loads(message["content"])
            found.append((message["tool_call_id"], content, "reason" in content))
        else:
            found += [(one["tool_use_id"], json.loads(one["content"]), one["is_error"]) for one in message["content"]]
    return found


def contents(reply: Mapping[str, Any]) -> list[Json]:
    return [content for _, content, _ in told(reply)]


def test_each_protocol_has_its_own_messages(make_campaign: MakeCampaign) -> None:
    asked = turn({**GOOD, "id": "a"}, {**BAD, "id": "b"})
    replies = {form: make_campaign().process(asked, reply_as=form) for form in PROTOCOLS}
    [failure] = replies["openai"]["tool_feedback"]["failed_calls"]
    wrong = {key: failure[key] for key in ("status", "reason", "detail", "hint")}
    assert replies["openai"]["tool_messages"] == [
        {"role": "tool", "tool_call_id": "a", "content": '{"status":"applied","result":{"new_hp":7}}'},
        {"role": "tool", "tool_call_id": "b", "content": json.dumps(wrong, separators=(",", ":"))},
    ]
    messages: Any = replies["anthropic"]["tool_messages"]
    [message] = messages
    assert (message["role"], [block["type"] for block in message["content"]]) == ("user", ["tool_result"] * 2)
    assert [set(message) for message in replies["mcp"]["tool_messages"]] == [
        {"content", "structuredContent", "isError"}
    ] * 2
    assert told(replies["anthropic"]) == told(replies["openai"]) == [("a", HURT, False), ("b", wrong, True)]
    assert [one[1:] for one in told(replies["mcp"])] == [(HURT, False), (wrong, True)]
    for reply in replies.values():
        validator(schemas()["reply.json"]).validate(untyped(reply))


@pytest.mark.parametrize("form", PROTOCOLS)
def test_they_change_nothing_of_the_reply_and_stand_nowhere_else(tmp_path: Path, form: str) -> None:
    asked = turn(GOOD, BAD, *(SHAPED[shape](GOOD) for shape in SHAPED))
    plainly, shaped = builders.begin(tmp_path / "a"), builders.begin(tmp_path / "b")
    expected, reply = plainly.process(asked), shaped.process(asked, reply_as=form)
    assert {key: untyped(reply)[key] for key in reply if key != "tool_messages"} == expected
    assert "tool_messages" not in project(reply, Viewer.of("player:pc_001"), own=True)
    plainly.close()
    shaped.close()
    for place in ("log.jsonl", "results/turn_0001.json"):
        assert (tmp_path / "a" / place).read_bytes() == (tmp_path / "b" / place).read_bytes()


def test_each_call_has_a_message_in_the_order_of_the_turn(make_campaign: MakeCampaign) -> None:
    calls = [BAD, {**GOOD, "id": "x"}, None, {**BAD, "id": "x"}, {"name": "move_options"}, {"id": 7}, GOOD]
    reply = make_campaign().process(turn(*calls), reply_as="openai")
    ids = ["call_001", "x", "", "x", "call_005", "", "call_001"]
    assert [(one[0], one[2]) for one in told(reply)] == list(
        zip(ids, [True, False, True, True, False, True, False], strict=True)
    )


def test_a_turn_without_calls_has_no_messages(make_campaign: MakeCampaign) -> None:
    for form in PROTOCOLS:
        turns: list[Json] = [
            {},
            {"user_input": "Hello."},
            {"tool_calls": []},
            {"answer": {"request_id": "r", "value": 1}},
        ]
        for asked in turns:
            assert make_campaign().process(asked, reply_as=form)["tool_messages"] == []


def test_other_parts_of_the_turn_are_not_told_as_calls(make_campaign: MakeCampaign) -> None:
    asked = turn(GOOD, answer={"request_id": "r", "value": 1}, output={"narration": "Rain."})
    reply = make_campaign().process(asked, reply_as="anthropic")
    assert len(reply["tool_feedback"]["failed_calls"]) == 2
    assert told(reply) == [("call_001", HURT, False)]


def test_a_batch_of_which_only_some_was_done_is_partial_and_no_error(make_campaign: MakeCampaign) -> None:
    dice = call("roll_dice", batch=[{"expression": "1d2"}, {"expression": "nonsense"}])
    reply = make_campaign(documents(allowlist=["roll_dice"])).process(turn(dice), reply_as="mcp")
    [(_, content, is_error)] = told(reply)
    assert (content["status"], content["result"]["failed"], is_error) == ("partial", 1, False)
    assert set(content) == {"status", "result"}


def test_what_an_atomic_turn_did_not_do_is_told_of_each_call(make_campaign: MakeCampaign) -> None:
    reply = make_campaign().process(turn(GOOD, BAD, GOOD, atomic=True), reply_as="openai")
    assert [content["reason"] for content in contents(reply)] == ["turn_aborted", "invalid_args", "turn_aborted"]


def test_a_turn_that_is_wanted_again_has_an_error_for_each_call(make_campaign: MakeCampaign) -> None:
    campaign = make_campaign(documents(settings={"narration": {"check": "retry"}}))
    asked = turn(GOOD, BAD, turn_id="t", assistant_text="Mira takes 5 damage.")
    reply = campaign.process(asked, reply_as="anthropic")
    assert reply["status"] == "retry_needed"
    assert [content["reason"] for content in contents(reply)] == ["turn_aborted", "invalid_args"]


def test_a_turn_that_comes_twice_has_the_same_messages_in_any_form(make_campaign: MakeCampaign) -> None:
    campaign = make_campaign()
    asked = turn(BAD, SHAPED["anthropic"](GOOD), turn_id="once")
    first = campaign.process(asked, reply_as="openai")
    assert campaign.process(asked, reply_as="openai") == first
    assert told(campaign.process(json.dumps(asked).encode(), reply_as="anthropic")) == told(first)
    campaign.undo()
    again = campaign.process(asked, reply_as="openai")
    assert (again["undone_by"], again["tool_messages"]) == (2, first["tool_messages"])


def test_every_call_of_a_refused_turn_is_refused(make_campaign: MakeCampaign) -> None:
    asked = turn(GOOD, SHAPED["anthropic"](BAD), 7, actor_id="nobody")
    for handed_in in (asked, json.dumps(asked).encode()):
        reply = make_campaign().process(handed_in, reply_as="openai")
        assert reply["reason"] == "actor_not_in_party"
        content = {key: reply[key] for key in ("status", "reason", "detail", "hint")}
        assert told(reply) == [("call_001", content, True), ("call_001", content, True), ("", content, True)]
        validator(schemas()["reply.json"]).validate(untyped(reply))


@pytest.mark.parametrize("turn_file", [b"{", b"[]", b"\xff", b'{"tool_calls": {}}', b'"text"', b'{"tool_calls": [1,]}'])
def test_of_what_is_no_turn_nothing_is_told_call_by_call(make_campaign: MakeCampaign, turn_file: bytes) -> None:
    reply = make_campaign().process(turn_file, reply_as="openai")
    assert (reply["status"], reply["tool_messages"]) == ("refused", [])


@pytest.mark.parametrize("name", evil_objects())
@pytest.mark.parametrize("form", PROTOCOLS)
def test_whatever_a_program_hands_in_has_messages_that_are_json(
    make_campaign: MakeCampaign, name: str, form: str
) -> None:
    campaign = make_campaign()
    places: list[Any] = [
        lambda evil: evil,
        lambda evil: {"tool_calls": evil},
        lambda evil: {"tool_calls": [evil, GOOD]},
        lambda evil: {"tool_calls": [{"id": evil, "type": "tool_use", "name": evil, "input": evil}]},
        lambda evil: {"tool_calls": [{"type": evil, "function": evil, "name": "move", "arguments": {"a": evil}}]},
        lambda evil: {"tool_calls": [{"id": "a", "type": "tool_use", "name": "move", "input": {"a": evil}}]},
        lambda evil: {"tool_calls": [GOOD], "answer": evil, "output": evil},
    ]
    for place in places:
        reply = campaign.process(place(evil_objects()[name]), reply_as=form)
        assert json.loads(json.dumps(reply["tool_messages"])) == reply["tool_messages"]


def test_a_turn_that_holds_itself_is_refused_call_by_call(make_campaign: MakeCampaign) -> None:
    args: Json = {}
    args["again"] = args
    reply = make_campaign().process(turn({"id": "a", "tool": "move", "args": args}), reply_as="openai")
    assert [(one[0], one[1]["status"]) for one in told(reply)] == [("a", "refused")]


def test_a_player_is_told_what_players_may_know(make_campaign: MakeCampaign) -> None:
    campaign = make_campaign(documents(settings={"players": {"tools": ["move", "hp_delta"]}}))
    asked = turn(BAD, hp_delta(-1, "ghost"), STEP, {**GOOD, "tool": "map_generate"})
    seen = told(campaign.process(asked, authority="player:pc_001", reply_as="openai"))
    assert [content.get("reason") for _, content, _ in seen] == ["invalid_args", "invalid_args", None, "not_permitted"]
    allowed = [content.get("hint", {}).get("allowed", []) for _, content, _ in seen]
    assert "npc_001" not in json.dumps(allowed)
    everything = told(make_campaign().process(turn(hp_delta(-1, "ghost")), reply_as="openai"))
    assert "npc_001" in json.dumps(everything)


def test_a_dry_run_has_messages_too(make_campaign: MakeCampaign) -> None:
    assert contents(make_campaign().process(turn(GOOD), dry_run=True, reply_as="mcp")) == [HURT]


@pytest.mark.parametrize("form", ["", "OpenAI", "gemini", 5, [], {}])
def test_a_form_that_there_is_none_of_is_a_bad_request(make_campaign: MakeCampaign, form: Any) -> None:
    campaign = make_campaign()
    with pytest.raises(BadRequest, match="reply_as is one of openai, anthropic, mcp"):
        campaign.process(turn(GOOD), reply_as=form)
    with pytest.raises(BadRequest, match="reply_as is one of"):
        list(campaign.process_drop(reply_as=form))
    assert len(list(campaign.records())) == 1


# the command


@pytest.fixture
def table(tmp_path: Path) -> Path:
    builders.begin(tmp_path / "table").close()
    (tmp_path / "turn.json").write_text(json.dumps(turn(GOOD)), encoding="utf-8")
    (tmp_path / "table" / "turns" / "1.json").write_text(json.dumps(turn(BAD)), encoding="utf-8")
    (tmp_path / "table" / "turns" / "2.json").write_text(json.dumps(turn(GOOD, actor_id="nobody")), encoding="utf-8")
    return tmp_path / "table"


def test_the_command_tells_them_of_a_file(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(["process", str(table), str(table.parent / "turn.json"), "--json", "--reply-as", "openai"])
    assert contents(json.loads(capsys.readouterr().out)) == [HURT]


def test_the_command_tells_them_of_the_drop_folder_and_files_are_without(
    table: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(["process", str(table), "--json", "--reply-as", "anthropic"])
    first, second = map(json.loads, capsys.readouterr().out.splitlines())
    assert [content["reason"] for reply in (first, second) for content in contents(reply)] == [
        "invalid_args",
        "actor_not_in_party",
    ]
    for path in ("results/turn_0001.json", "log.jsonl", "turns/refused/2.json.reason.json"):
        assert b"tool_messages" not in (table / path).read_bytes()


def test_the_command_tells_them_of_a_dry_run_of_the_drop_folder(
    table: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(["process", str(table), "--json", "--reply-as", "mcp", "--dry-run"])
    assert [len(json.loads(line)["tool_messages"]) for line in capsys.readouterr().out.splitlines()] == [1, 1]


def test_a_file_whose_record_was_made_before_a_crash_has_its_messages(table: Path) -> None:
    with Campaign.open(table, builders.clock) as campaign:
        [_, _] = list(campaign.process_drop())
    (table / "turns" / "done" / "1.json").rename(table / "turns" / ".claimed" / "1__1.json")
    with Campaign.open(table, builders.clock) as campaign:
        [(name, reply)] = campaign.process_drop(reply_as="openai")
        assert name == "1.json"
        assert [content["reason"] for content in contents(reply)] == ["invalid_args"]
        assert len(list(campaign.records())) == 2


def test_without_json_there_is_nothing_they_could_stand_in(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["process", str(table), "--reply-as", "openai"]) == 64
    assert "use it with --json" in capsys.readouterr().err
