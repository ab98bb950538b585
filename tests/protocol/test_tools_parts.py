"""Stage 3: every part of a turn ends in exactly one list, each sees what the one before left, and atomic means all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from tests.builders import Json, begin, call, documents, failed, hp_delta, log_of, move, results, spelt, turn, untyped
from tests.conftest import MakeCampaign
from tests.sampling import tries

from turnwright import Campaign
from turnwright.model.wire.shapes import FailedCall

RESTRICTED = ("rejected", "actor_state_restricted")
ERROR = ("error", "invalid_args")
INVALID_CALL = ("error", "invalid_call")
ABORTED = ("rejected", "turn_aborted")
STAGE = ("rejected", "stage_mismatch")

MALFORMED: list[Any] = [
    None,
    5,
    "move",
    [],
    {},
    {"id": "a", "tool": "move"},
    {"id": "a", "args": {}},
    {"tool": "move", "args": {}},
    {"id": 5, "tool": "move", "args": {}},
    {"id": "a", "tool": None, "args": {}},
    {"id": "a", "tool": "move", "args": []},
    {"id": "a", "tool": "move", "args": None},
    {"id": "a", "tool": "move", "args": "{}"},
    {"id": "a", "tool": "move", "args": {}, "reason": 5},
    {"id": "a", "tool": "move", "args": {}, "reason": ["why"]},
]


@pytest.mark.parametrize("entry", MALFORMED, ids=repr)
def test_a_malformed_entry_is_told_of_and_its_neighbours_still_run(campaign: Campaign, entry: Any) -> None:
    reply = campaign.process(turn(hp_delta(-1), entry, hp_delta(-1)))
    assert results(reply) == [{"new_hp": 9}, {"new_hp": 8}]
    assert failed(reply) == [INVALID_CALL]
    told = reply["tool_feedback"]["failed_calls"][0]
    given = entry if isinstance(entry, dict) else {}
    assert told["id"] == (given["id"] if isinstance(given.get("id"), str) else "")
    assert told["tool"] == (given["tool"] if isinstance(given.get("tool"), str) else "")
    assert list(campaign.records())[-1]["tool_calls"][1] == entry


def test_an_id_is_opaque_and_a_reason_is_never_an_argument(campaign: Campaign) -> None:
    odd = hp_delta(-1) | {"id": "  \n é" * 50, "reason": "because", "unknown": {"a": 1}}
    reply = campaign.process(turn(odd, hp_delta(-1) | {"id": "", "reason": None}))
    assert [action["id"] for action in reply["applied_actions"]] == ["  \n é" * 50, ""]
    assert reply["applied_actions"][0]["args"] == hp_delta(-1)["args"]


# random turns

ENTRIES = st.one_of(
    st.sampled_from(MALFORMED),
    st.builds(
        hp_delta,
        st.sampled_from([-10, -3, 0, 1, 4, True, None]),
        st.sampled_from(["pc_001", "pc_001", "pc_002", "npc_001", "nobody"]),
    ),
    st.builds(
        move,
        st.sampled_from(["area_001", "area_002", "area_003", "area_004", "nowhere"]),
        st.sampled_from(["area_001", "area_002", "area_004"]),
    ),
    st.builds(
        lambda parent, size: call("map_generate", parent_area_id=parent, constraints={"size": size}),
        st.sampled_from([None, "area_001", "area_003", "area_005", "nowhere"]),
        st.sampled_from([1, 2, 5, 31]),
    ),
    st.just(call("move_options")),
    st.just(call("ghost")),
)
NUMBERED = st.lists(ENTRIES, max_size=8).map(
    lambda entries: [{**e, "id": str(n)} if isinstance(e, dict) and "id" in e else e for n, e in enumerate(entries)]
)


@pytest.fixture(scope="module", name="room")
def fixture_room(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("parts")


def fresh(room: Path) -> Campaign:
    return begin(room / str(sum(1 for _ in room.iterdir())))


@hypothesis_settings(max_examples=tries(40))
@given(NUMBERED, st.booleans())
def test_every_entry_ends_in_exactly_one_list_in_call_order(room: Path, entries: list[Any], atomic: bool) -> None:
    with fresh(room) as campaign:
        reply = campaign.process({"tool_calls": entries, "atomic": atomic})
    applied = [action["id"] for action in reply["applied_actions"]]
    rejected = [call["id"] for call in reply["tool_feedback"]["failed_calls"]]
    assert len(applied) + len(rejected) == len(entries)
    shown = [e["id"] if isinstance(e, dict) and isinstance(e.get("id"), str) else "" for e in entries]
    rest = iter(applied), iter(rejected)
    heads = [next(side, None) for side in rest]
    for name in shown:
        side = 0 if heads[0] == name else 1
        assert heads[side] == name
        heads[side] = next(rest[side], None)
    wanted = "empty" if not entries else "failed" if not applied else "partial" if rejected else "applied"
    assert reply["status"] == wanted


@hypothesis_settings(max_examples=tries(25))
@given(NUMBERED)
def test_one_turn_of_many_calls_does_what_many_turns_of_one_call_do(room: Path, entries: list[Any]) -> None:
    with fresh(room) as whole, fresh(room) as steps:
        together = whole.process(turn(*entries))
        apart = [steps.process(turn(entry)) for entry in entries]
        assert spelt(whole.state) == spelt(steps.state)
    assert together["applied_actions"] == [action for reply in apart for action in reply["applied_actions"]]
    told_apart = [told for reply in apart for told in reply["tool_feedback"]["failed_calls"]]
    assert without_free_ids(together["tool_feedback"]["failed_calls"]) == without_free_ids(told_apart)


def without_free_ids(failed: Sequence[FailedCall]) -> list[Mapping[str, object]]:
    """Return failed calls without the ids that are offered to those that have none: they depend on the whole turn."""
    return [
        {**told, "hint": {**told["hint"], "allowed": None}} if told.get("hint", {}).get("field") == "id" else told
        for told in failed
    ]


@hypothesis_settings(max_examples=tries(25))
@given(NUMBERED)
def test_an_atomic_turn_applies_whole_or_leaves_everything_as_it_was(room: Path, entries: list[Any]) -> None:
    with fresh(room) as loose, fresh(room) as strict:
        before = spelt(strict.state)
        one_by_one = loose.process(turn(*entries))
        whole = strict.process(turn(*entries, atomic=True))
        if not failed(one_by_one):
            assert whole == one_by_one
            assert spelt(strict.state) == spelt(loose.state)
            return
        assert spelt(strict.state) == before
        assert list(strict.records())[-1]["changes"] == {}
    told = whole["tool_feedback"]["failed_calls"]
    first = one_by_one["tool_feedback"]["failed_calls"][0]
    assert (whole["status"], whole["applied_actions"], len(told)) == ("failed", [], len(entries))
    assert [one for one in told if one["reason"] != "turn_aborted"] == [first]
    assert {one["status"] for one in told if one["reason"] == "turn_aborted"} <= {"rejected"}


# by hand


def test_twenty_calls_see_each_others_effects_in_order(campaign: Campaign) -> None:
    make = call("map_generate", parent_area_id="area_003", constraints={"size": 2})
    calls = [
        hp_delta(-4),
        hp_delta(-5),
        move("area_002"),
        move("area_002"),  # stale
        move("area_001", "area_002"),
        make,
        move("area_003"),
        move("area_005", "area_003"),
        move("area_006", "area_005"),
        move("area_005", "area_006"),  # one way
        hp_delta(-3),
        hp_delta(-1),  # dying
        move("area_005", "area_006"),  # dying
        hp_delta(5),
        hp_delta(-2),
        call("move_options"),
        make,
        hp_delta(-9, "npc_001"),
        hp_delta(1, "npc_001"),
        hp_delta(0),
    ]
    assert len(calls) == 20
    reply = campaign.process(turn(*({**one, "id": str(n)} for n, one in enumerate(calls))))
    assert [told["id"] for told in reply["tool_feedback"]["failed_calls"]] == ["3", "9", "11", "12"]
    assert failed(reply) == [ERROR, ERROR, RESTRICTED, RESTRICTED]
    by_id = {action["id"]: action["result"] for action in reply["applied_actions"]}
    assert [by_id[n]["new_hp"] for n in ("0", "1", "10", "13", "14", "17", "18", "19")] == [6, 1, 0, 5, 3, 0, 1, 3]
    assert by_id["16"]["created_area_ids"] == ["area_007", "area_008"]
    assert by_id["15"] == {"options": []}
    assert reply["state_summary"]["positions"]["pc_001"] == "area_006"
    assert reply["state_summary"]["character_states"]["npc_001"] == "alive"


def test_duplicate_ids_both_run(campaign: Campaign) -> None:
    reply = campaign.process(turn(hp_delta(-1), hp_delta(-1), hp_delta(True)))
    assert results(reply) == [{"new_hp": 9}, {"new_hp": 8}]
    assert [told["id"] for told in reply["tool_feedback"]["failed_calls"]] == ["call_001"]


@pytest.mark.parametrize("calls", [[], [hp_delta(-1)], [hp_delta(True)]])
@pytest.mark.parametrize("part", ["answer", "output"])
def test_where_no_scene_game_runs_answer_and_output_are_failed_parts(
    campaign: Campaign, part: str, calls: list[Json]
) -> None:
    content = {"request_id": "r", "value": 1} if part == "answer" else {"narration": "..."}
    reply = campaign.process({"tool_calls": calls, part: content})
    told = [one for one in reply["tool_feedback"]["failed_calls"] if one["tool"] == part]
    assert [(one["id"], one["status"], one["reason"]) for one in told] == [(part, *STAGE)]
    assert reply["status"] == ("partial" if results(reply) else "failed")
    assert untyped(list(campaign.records())[-1])[part] == content


def test_answer_comes_first_and_output_last_whatever_the_order_of_keys(campaign: Campaign) -> None:
    reply = campaign.process({"output": {}, "tool_calls": [hp_delta(True)], "answer": {}})
    assert [told["tool"] for told in reply["tool_feedback"]["failed_calls"]] == ["answer", "hp_delta", "output"]


@pytest.mark.parametrize("part", ["answer", "output"])
def test_a_failing_answer_or_output_aborts_an_atomic_turn(campaign: Campaign, part: str) -> None:
    before = spelt(campaign.state)
    reply = campaign.process({"tool_calls": [hp_delta(-1)], part: {}, "atomic": True})
    assert sorted(failed(reply)) == sorted([STAGE, ABORTED])
    assert spelt(campaign.state) == before


def test_in_an_atomic_turn_each_call_still_sees_the_one_before(campaign: Campaign) -> None:
    calls = [move("area_002"), move("area_001", "area_002"), hp_delta(-10), hp_delta(1), move("area_003")]
    assert campaign.process(turn(*calls, atomic=True))["status"] == "applied"


def test_a_user_input_alone_is_recorded_and_no_part(campaign: Campaign) -> None:
    reply = campaign.process({"user_input": "I look around."})
    assert (reply["status"], reply["applied_actions"], failed(reply)) == ("empty", [], [])
    assert list(campaign.records())[-1]["user_input"] == "I look around."


@pytest.mark.parametrize("value", [{}, {"tool_calls": []}, {"atomic": True}, {"assistant_text": "Rain."}])
def test_a_turn_without_parts_is_empty_and_still_recorded(campaign: Campaign, value: Json) -> None:
    reply = campaign.process(value)
    assert (reply["status"], reply["seq"]) == ("empty", 1)
    assert set(reply) == {
        "turn_id",
        "seq",
        "timestamp",
        "status",
        "applied_actions",
        "tool_feedback",
        "events",
        "findings",
        "request",
        "state_summary",
    }


ORDER = (
    "seq kind prev turn_id timestamp authority source actor_id user_input assistant_text dialog_type",
    "dialog_type_source settings_revision tool_calls output answer atomic prompt_id keep_narration dm_note agent",
    "speaker_id addressees private area_id present_ids x_more content status applied_actions tool_feedback events",
    "findings request state_summary conflict_report changes draws",
)


def test_the_record_of_a_turn_has_its_keys_in_the_documented_order(make_campaign: MakeCampaign, tmp_path: Path) -> None:
    campaign = make_campaign(documents(settings={"narration": {"check": "off"}}))
    value = {
        "turn_id": "t",
        "actor_id": "pc_001",
        "user_input": "a",
        "assistant_text": "b",
        "dialog_type": "ACTION_PROMPT ",
        "tool_calls": [hp_delta(-1)],
        "output": {"z": 1, "a": 2},
        "atomic": False,
        "prompt_id": 3,
        "keep_narration": True,
        "dm_note": "c",
        "agent": "d",
        "speaker_id": "pc_001",
        "addressees": ["pc_002"],
        "private": False,
        "x_more": 1,
    }
    campaign.process(value)
    record = log_of(tmp_path / "campaign_0")[-1]
    order = [key for line in ORDER for key in line.split()]
    assert list(record) == [key for key in order if key in record]
    assert set(order) - set(record) == {"source", "answer", "conflict_report"}
    assert {key: record[key] for key in value if key != "dialog_type"} == {
        k: v for k, v in value.items() if k != "dialog_type"
    }
    assert (record["dialog_type"], record["dialog_type_source"]) == ("action_prompt", "model")


def test_the_same_campaign_turns_clock_and_secret_give_the_same_bytes(
    make_campaign: MakeCampaign, tmp_path: Path
) -> None:
    turns = [
        turn(hp_delta(-1), move("area_404"), hp_delta(True)),
        {"user_input": "é"},
        turn(call("map_generate", parent_area_id=None)),
    ]
    for campaign in (make_campaign(), make_campaign()):
        for one in turns:
            campaign.process(one)
        campaign.close()
    files = [path.relative_to(tmp_path / "campaign_0") for path in sorted((tmp_path / "campaign_0").rglob("*.json*"))]
    assert Path("log.jsonl") in files
    for name in files:
        if ".turnwright" not in name.parts:
            assert (tmp_path / "campaign_0" / name).read_bytes() == (tmp_path / "campaign_1" / name).read_bytes()
