"""Calls in the shapes of other protocols: each is what the same call is in ours, wherever anybody looks."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests import builders
from tests.builders import Json, call, documents, failed, hp_delta, move, turn
from tests.conftest import MakeCampaign
from tests.shaped import SHAPED, with_arguments
from tests.tools.hall import fight, hall_documents, linked

from turnwright import Campaign
from turnwright.audit.check import check_directory
from turnwright.audit.verify import verify
from turnwright.model.call_shapes import shape_of, understood
from turnwright.model.state.log_state import failure_keys
from turnwright.rulesets.toolbox import TOOLS

GOOD, BAD = hp_delta(-2), move("area_004")
SAMPLES: list[Json] = [
    GOOD,
    BAD,
    move("area_002"),
    hp_delta("-2"),
    hp_delta(-2, target="nobody"),
    hp_delta(2**60),
    call("map_generate", parent_area_id=None, constraints={"size": 3, "seed": "é\U0001f409"}),
    call("move_options"),
    call("fly", to="the moon"),
    call("roll_dice", expression="2d6+1"),
]
IN_THE_HALL: list[Json] = [
    *(call(name, **tool.example) for name, tool in TOOLS.items() if tool.family in ("toolkit", "core")),
    call("roll_dice", batch=[{"expression": "1d6"}, {"expression": "nothing"}]),
    call("rollDice", expression="1d6"),
    call("roll_skill_check", character_name="Aria", skill="perception", dc=12),
    call("get_character", characterId="aria"),
]


def require_same(campaign: Campaign, calls: list[Json], shapes: list[str], **keys: Any) -> None:
    """Find the reply to calls in other shapes to be that to the same calls in ours, byte for byte."""
    ours = campaign.process(turn(*calls, **keys), dry_run=True)
    entries = [SHAPED[shape](one) for shape, one in zip(shapes, calls, strict=True)]
    theirs = campaign.process(turn(*entries, **keys), dry_run=True)
    assert json.dumps(theirs) == json.dumps(ours)
    as_text = campaign.process(json.dumps(turn(*entries, **keys)).encode(), dry_run=True)
    assert json.dumps(as_text) == json.dumps(ours)


@pytest.mark.parametrize("shape", SHAPED)
def test_a_call_in_any_shape_has_the_reply_of_the_same_call_in_ours(make_campaign: MakeCampaign, shape: str) -> None:
    for sample in SAMPLES:
        require_same(make_campaign(), [sample], [shape])
    hall = make_campaign(hall_documents() | fight(linked("aria", 1, 1), linked("grik", 2, 1, is_enemy=True)))
    for sample in IN_THE_HALL:
        require_same(hall, [sample], [shape])


@given(st.lists(st.tuples(st.sampled_from(SAMPLES), st.sampled_from(sorted(SHAPED))), max_size=6), st.booleans())
def test_calls_in_mixed_shapes_have_the_reply_of_the_same_calls_in_ours(
    kept_plain: Campaign, asked: list[tuple[Json, str]], is_atomic: bool
) -> None:
    calls = [{**one, "id": f"c{place}"} for place, (one, _) in enumerate(asked)]
    require_same(kept_plain, calls, [shape for _, shape in asked], atomic=is_atomic)


@pytest.fixture(scope="module")
def kept_plain(tmp_path_factory: pytest.TempPathFactory) -> Campaign:
    return builders.begin(tmp_path_factory.mktemp("shapes") / "plain")


@pytest.mark.parametrize("shape", SHAPED)
@pytest.mark.parametrize("empty", [None, "", " \n", "{}", "null", {}])
def test_arguments_that_are_not_there_are_none(make_campaign: MakeCampaign, shape: str, empty: Any) -> None:
    reply = make_campaign().process(turn(with_arguments(shape, empty)))
    assert reply["applied_actions"][0]["args"] == {}


def test_arguments_that_are_left_out_are_none(make_campaign: MakeCampaign) -> None:
    bare: list[Json] = [
        {"type": "function", "function": {"name": "move_options"}},
        {"type": "function_call", "call_id": "a", "name": "move_options"},
        {"type": "tool_use", "id": "a", "name": "move_options"},
        {"name": "move_options"},
        {"method": "tools/call", "params": {"name": "move_options"}},
    ]
    reply = make_campaign().process(turn(*bare))
    assert reply["status"] == "applied"
    assert [action["args"] for action in reply["applied_actions"]] == [{}] * 5


def test_a_call_without_an_id_is_called_after_its_place(make_campaign: MakeCampaign) -> None:
    look = call("move_options")
    shaped = [SHAPED[shape](look) for shape in SHAPED]
    entries = [{key: item for key, item in entry.items() if key not in ("id", "call_id")} for entry in shaped]
    numbered = {**SHAPED["mcp request"](look), "id": 7}
    reply = make_campaign().process(turn(look, *entries, numbered, {**SHAPED["mcp"](look), "id": None}))
    ids = [action["id"] for action in reply["applied_actions"]]
    assert ids == ["call_001", *(f"call_{place:03d}" for place in range(2, 8)), "7", "call_009"]


def test_an_id_that_is_no_text_is_refused_as_in_ours(make_campaign: MakeCampaign) -> None:
    campaign = make_campaign()
    for shape in ("openai", "anthropic"):
        [told] = campaign.process(turn({**SHAPED[shape](GOOD), "id": 7}))["tool_feedback"]["failed_calls"]
        assert (told["reason"], told["hint"]["field"]) == ("invalid_call", "id")


@pytest.mark.parametrize("key", ["tool", "args"])
def test_an_entry_with_a_key_of_ours_is_ours(make_campaign: MakeCampaign, key: str) -> None:
    """What stands in it under the names of others is not looked at, as all keys are that a call does not have."""
    entry = {**SHAPED["anthropic"](GOOD), key: GOOD[key]}
    [told] = make_campaign().process(turn(entry))["tool_feedback"]["failed_calls"]
    assert told["reason"] == "invalid_call"


@pytest.mark.parametrize(
    "entry",
    [
        {"id": "a", "name": "hp_delta", "parameters": GOOD["args"]},
        {"id": "a", "name": "hp_delta", "input": GOOD["args"]},
        {"id": "a", "type": "tool_use", "name": "hp_delta", "arguments": GOOD["args"]},
        {"id": "a", "function": {"name": "hp_delta", "parameters": GOOD["args"]}},
        {"id": "a", "type": "custom", "function": {"name": "hp_delta", "arguments": GOOD["args"]}},
        {"id": "a", "method": "tools/list", "params": {"name": "hp_delta", "arguments": GOOD["args"]}},
        {"id": "a", "type": ["tool_use"], "name": "hp_delta", "input": GOOD["args"]},
    ],
)
def test_arguments_under_a_name_of_another_shape_are_not_left_out(make_campaign: MakeCampaign, entry: Json) -> None:
    assert shape_of(entry) is None
    assert failed(make_campaign().process(turn(entry))) == [("error", "invalid_call")]


FURTHER = {"delta": -1}
ARGS = GOOD["args"]


@pytest.mark.parametrize(
    "entry",
    [
        {**GOOD, "arguments": FURTHER},
        {**GOOD, "input": '{"delta": -1}'},
        {**GOOD, "function": {"arguments": FURTHER}},
        {**GOOD, "params": {"parameters": FURTHER}},
        {"id": "a", "type": "function", "function": {"name": "hp_delta", "arguments": ARGS}, "arguments": FURTHER},
        {"id": "a", "function": {"name": "hp_delta", "arguments": json.dumps(ARGS)}, "arguments": '{"delta": -1}'},
        {"id": "a", "function": {"name": "hp_delta", "arguments": ARGS, "input": FURTHER}},
        {"type": "function_call", "call_id": "a", "name": "hp_delta", "arguments": ARGS, "input": FURTHER},
        {"id": "a", "type": "tool_use", "name": "hp_delta", "input": ARGS, "arguments": FURTHER},
        {"method": "tools/call", "params": {"name": "hp_delta", "arguments": ARGS}, "arguments": FURTHER},
        {"id": "a", "name": "hp_delta", "arguments": ARGS, "parameters": FURTHER},
    ],
)
def test_a_second_object_of_arguments_is_asked_about(make_campaign: MakeCampaign, entry: Json) -> None:
    campaign = make_campaign()
    [told] = campaign.process(turn(entry), dry_run=True)["tool_feedback"]["failed_calls"]
    assert (told["reason"], told["tool"], "allowed" in told["hint"]) == ("invalid_call", "hp_delta", False)


@pytest.mark.parametrize(
    "entry",
    [
        {"id": "a", "tool": "hp_delta", "args": {}, "arguments": ARGS},
        {"id": "a", "function": {"name": "hp_delta"}, "arguments": json.dumps(ARGS)},
        {"id": "a", "method": "tools/call", "params": {"name": "hp_delta"}, "arguments": ARGS},
    ],
)
def test_arguments_in_another_place_than_the_shape_has_them_are_kept_in_the_hint(
    make_campaign: MakeCampaign, entry: Json
) -> None:
    [told] = make_campaign().process(turn(entry))["tool_feedback"]["failed_calls"]
    assert (told["reason"], told["hint"]) == ("invalid_call", {"field": "args", "got": {}, "allowed": [ARGS]})


@pytest.mark.parametrize("further", [None, "", {}, "{ }", "some words", ARGS, json.dumps(ARGS)])
def test_a_second_place_of_arguments_that_says_nothing_else_changes_nothing(
    make_campaign: MakeCampaign, further: Json
) -> None:
    entries = [{**GOOD, "arguments": further}, {**SHAPED["anthropic"](GOOD), "arguments": further}]
    assert make_campaign().process(turn(*entries))["status"] == "applied"


def test_check_tells_a_second_object_of_arguments(tmp_path: Path) -> None:
    builders.begin(tmp_path / "c").close()
    entry = {**SHAPED["anthropic"](GOOD), "arguments": FURTHER}
    (tmp_path / "c" / "turns" / "a.json").write_text(json.dumps(turn(entry)), encoding="utf-8")
    [problem] = check_directory(tmp_path / "c")
    assert (problem.path, problem.rule, problem.warning) == ("$.tool_calls[0]", "invalid_call", True)


# arguments that are a text


def deep(levels: int) -> str:
    return '{"a":' * levels + "1" + "}" * levels


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('{"actor_id": "pc_001", "actor_id": "pc_002"}', "twice in one object"),
        ('{"n": NaN}', "NaN is not JSON"),
        ('{"n": 1e999}', "too large"),
        (deep(30), "nested more than 29 deep"),
        ("{", "(line 1, column 2)"),
        ("three arrows", "Expecting value (line 1, column 1)"),
        ('"pc_001"', ""),
        ("5", ""),
        ('{"a": "\\ud83d"}', "surrogate"),
    ],
)
@pytest.mark.parametrize("shape", ["openai", "openai responses", "mcp"])
def test_text_that_breaks_a_rule_of_intake_fails_alone_and_is_replaced_by_nothing(
    make_campaign: MakeCampaign, shape: str, text: str, why: str
) -> None:
    reply = make_campaign().process(turn(with_arguments(shape, text), GOOD))
    [told] = reply["tool_feedback"]["failed_calls"]
    assert (told["id"], told["tool"], told["reason"]) == ("a", "move_options", "invalid_call")
    assert told["hint"] == {"field": "args", "got": text}
    assert why in told["detail"]
    assert [action["id"] for action in reply["applied_actions"]] == ["call_001"]


def test_text_may_nest_as_deep_as_an_object_in_its_place(make_campaign: MakeCampaign) -> None:
    campaign = make_campaign()
    for levels, is_taken in ((29, True), (30, False)):
        as_text = campaign.process(turn(with_arguments("openai", deep(levels))), dry_run=True)
        as_ours = campaign.process(turn(call("move_options", **json.loads(deep(levels)))), dry_run=True)
        assert (as_text["status"], as_ours["status"]) == (("applied",) * 2 if is_taken else ("failed", "refused"))


def test_text_that_is_almost_json_keeps_the_one_reading_there_is(make_campaign: MakeCampaign) -> None:
    campaign = make_campaign()
    for text in (str(GOOD["args"]), json.dumps(GOOD["args"])[:-1] + ",}", json.dumps(json.dumps(GOOD["args"]))):
        entry = {"id": "a", "type": "function", "function": {"name": "hp_delta", "arguments": text}}
        [told] = campaign.process(turn(entry))["tool_feedback"]["failed_calls"]
        assert told["reason"] == "invalid_call"
        assert told["hint"] == {"field": "args", "got": text, "allowed": [GOOD["args"]]}


@pytest.mark.parametrize("shape", ["openai", "openai responses", "mcp"])
def test_the_text_of_an_empty_list_is_taken_for_no_arguments(make_campaign: MakeCampaign, shape: str) -> None:
    reply = make_campaign().process(turn(with_arguments(shape, "[]"), GOOD))
    [told] = reply["tool_feedback"]["failed_calls"]
    assert told["hint"] == {"field": "args", "got": "[]", "allowed": [{}]}


@pytest.mark.parametrize("shape", SHAPED)
@pytest.mark.parametrize("value", [2**53 + 1, -(2**70)])
def test_an_integer_that_is_too_large_is_the_calls_own_fault(
    make_campaign: MakeCampaign, shape: str, value: int
) -> None:
    sample = call("roll_dice", "a", expression="1d6", count=value)
    for entry in (SHAPED[shape](sample), with_arguments(shape, {"deep": [value]})):
        campaign = make_campaign(documents(allowlist=["roll_dice", "move_options"]))
        for handed_in in (turn(entry), json.dumps(turn(entry)).encode()):
            [told] = campaign.process(handed_in)["tool_feedback"]["failed_calls"]
            assert told["reason"] == "invalid_args"
            assert (told["hint"]["got"], told["hint"].keys() & {"allowed", "remove"}) == (value, set())


def test_an_integer_in_escapes_is_too_large_as_well(make_campaign: MakeCampaign) -> None:
    text = "".join(f"\\u{ord(char):04x}" for char in '{"n": 9007199254740993}')
    data = f'{{"tool_calls": [{{"name": "move_options", "arguments": "{text}"}}]}}'.encode()
    assert failed(make_campaign().process(data)) == [("error", "invalid_args")]


def test_what_json_cannot_hold_is_the_calls_own_fault(make_campaign: MakeCampaign) -> None:
    for shape in ("openai, an object", "anthropic", "mcp", "mcp request"):
        campaign = make_campaign()
        reply = campaign.process(turn(with_arguments(shape, {"people": {1, 2}}), GOOD))
        assert failed(reply) == [("error", "invalid_args")]
        assert "<not JSON: set>" in json.dumps(list(campaign.records())[-1]["tool_calls"][0])


# what the log holds


@pytest.mark.parametrize("shape", SHAPED)
def test_the_record_keeps_calls_as_received_and_its_content_is_theirs(tmp_path: Path, shape: str) -> None:
    campaign = builders.begin(tmp_path / "plain")
    entries = [SHAPED[shape](GOOD), SHAPED[shape](BAD)]
    first = campaign.process({"turn_id": "one", "tool_calls": entries})
    assert list(campaign.records())[-1]["tool_calls"] == entries
    assert campaign.process({"turn_id": "one", "tool_calls": entries}) == first
    ours = campaign.process({"turn_id": "one", "tool_calls": [GOOD, BAD]})
    assert (ours["status"], ours["reason"]) == ("refused", "turn_conflict")
    campaign.close()
    assert list(verify(tmp_path / "plain").problems) == []


def test_a_call_that_fails_in_one_shape_after_the_other_is_a_repeat(make_campaign: MakeCampaign) -> None:
    campaign = make_campaign(documents(protocol={"repeat_window": 3}))
    shapes = ["openai", "anthropic", "mcp request"]
    told = [failed(campaign.process(turn(SHAPED[shape](BAD)))) for shape in shapes]
    assert told == [[("error", "invalid_args")]] * 3
    assert failed(campaign.process(turn(BAD))) == [("rejected", "repeat_illegal_request")]
    assert failed(campaign.process(turn(SHAPED["mcp"](BAD)))) == [("rejected", "repeat_illegal_request")]


def test_calls_without_an_id_are_told_different_ones(campaign: Campaign) -> None:
    bare = {key: value for key, value in GOOD.items() if key != "id"}
    failures = campaign.process(turn(bare, {**bare, "id": None}, bare))["tool_feedback"]["failed_calls"]
    assert [failure["hint"]["allowed"] for failure in failures] == [["call_001"], ["call_002"], ["call_003"]]


def test_older_records_in_which_such_calls_were_refused_are_still_read() -> None:
    """They name no tool, and no id where there was none; the calls beside them are found all the same."""
    refused = {"status": "error", "reason": "invalid_call", "detail": "id is missing"}
    stands = {"status": "error", "reason": "invalid_args", "detail": "cannot be reached"}
    record: Json = {
        "tool_calls": [SHAPED["openai"](GOOD), {"name": "move"}, BAD, GOOD],
        "actor_id": "pc_001",
        "applied_actions": [{**GOOD, "result": {"new_hp": 8}}],
        "tool_feedback": {
            "failed_calls": [
                {"id": "call_001", "tool": "", **refused},
                {"id": "", "tool": "", **refused},
                {"id": "call_001", "tool": "move", **stands},
            ]
        },
    }
    assert [key[::3] for key in failure_keys(record)] == [("move", "invalid_args")]


def test_a_turn_that_closes_in_conflict_reports_calls_as_they_were_understood(make_campaign: MakeCampaign) -> None:
    campaign = make_campaign(documents(settings={"narration": {"check": "retry"}}))
    lie: Json = {"turn_id": "one", "assistant_text": "Tomas takes 5 damage.", "tool_calls": [SHAPED["anthropic"](GOOD)]}
    assert campaign.process(lie)["status"] == "retry_needed"
    campaign.process({"turn_id": "two", "user_input": "Well?"})
    closed = next(record for record in campaign.records() if record.get("conflict_report"))
    [told] = closed["tool_feedback"]["failed_calls"]
    assert (told["id"], told["tool"], told["reason"]) == ("call_001", "hp_delta", "turn_aborted")


def test_a_text_handed_in_later_is_compared_with_such_calls(make_campaign: MakeCampaign) -> None:
    campaign = make_campaign()
    campaign.process(turn(SHAPED["openai"](move("area_003", actor="pc_002")), user_input="I go."))
    [finding] = campaign.process({"assistant_text": "Mira is now in the Area 003."})["findings"]
    assert (finding["kind"], finding["tool"]) == ("rejected", "move")


# doors


def test_players_may_hand_in_what_they_may_in_any_shape(make_campaign: MakeCampaign) -> None:
    campaign = make_campaign()
    for shape in SHAPED:
        assert failed(campaign.process(turn(SHAPED[shape](GOOD)), authority="player:pc_001")) == [
            ("rejected", "not_permitted")
        ]
        asked = SHAPED[shape](call("move_options"))
        assert campaign.process(turn(asked), authority="player:pc_001")["status"] == "applied"


@pytest.mark.parametrize("entry", [None, 7, [], "move", {}, {"name": 5}, {"function": []}, {"type": "tool_use"}])
def test_nothing_is_made_of_what_is_no_call(entry: Any) -> None:
    read = understood(entry, 3)
    assert read is entry if shape_of(entry) is None else read["id"] == "call_003"
