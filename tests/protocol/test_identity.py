"""Turn ids: the same turn twice is one turn, another under its id is a conflict, and ids are given out in order."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from tests import builders
from tests.builders import Json, begin, clock, hp_delta, log_of, move, results, spelt, turn
from tests.conftest import MakeCampaign
from tests.sampling import tries

from turnwright import Campaign


def test_the_same_turn_again_gets_the_first_reply_and_nothing_happens(campaign: Campaign, tmp_path: Path) -> None:
    value = turn(hp_delta(-3), turn_id="t-1")
    first = campaign.process(value)
    assert [campaign.process(dict(value)) for _ in range(3)] == [first] * 3
    assert (
        campaign.process(json.dumps({"tool_calls": value["tool_calls"], "turn_id": "t-1"}, indent=1).encode()) == first
    )
    assert len(log_of(tmp_path / "campaign_0")) == 2
    assert campaign.state["characters/pc_001.json"]["hp"] == 7


def test_a_closed_turn_is_known_again_when_a_new_one_may_have_fewer_calls(campaign: Campaign) -> None:
    value = turn(hp_delta(-1), hp_delta(-1), hp_delta(-1), turn_id="t-1")
    first = campaign.process(value)
    campaign.set({"limits.calls": 2})
    assert campaign.process(value) == campaign.process(json.dumps(value).encode()) == first
    assert campaign.process(value | {"x_note": 1})["reason"] == "turn_conflict"
    for turn_id in ("t-2", "", "\ud800", ["t-1"], "t-1\n"):
        assert campaign.process(value | {"turn_id": turn_id})["reason"] == "invalid_turn"
    most = turn(*[hp_delta(-1)] * 1025, turn_id="t-1")
    assert campaign.process(most)["reason"] == "invalid_turn"
    assert campaign.state["characters/pc_001.json"]["hp"] == 7


def test_an_attempt_that_is_wanted_again_has_no_more_calls_than_a_new_turn(make_campaign: MakeCampaign) -> None:
    campaign = make_campaign(builders.documents(settings={"narration": {"check": "retry"}}))
    value = turn(hp_delta(-1), hp_delta(-1), turn_id="t-1", assistant_text="You lose 7 hit points.")
    assert campaign.process(value)["status"] == "retry_needed"
    campaign.set({"limits.calls": 1})
    assert campaign.process(value)["reason"] == "invalid_turn"


@pytest.mark.parametrize(
    "other",
    [
        turn(hp_delta(-4), turn_id="t-1"),
        turn(hp_delta(-3), hp_delta(-3), turn_id="t-1"),
        turn(hp_delta(-3), turn_id="t-1", user_input=""),
        turn(hp_delta(-3), turn_id="t-1", atomic=False),
        turn(hp_delta(-3) | {"reason": None}, turn_id="t-1"),
        turn(hp_delta(-3.0), turn_id="t-1"),
        turn(hp_delta(-3), turn_id="t-1", x_note=1),
        {"turn_id": "t-1"},
    ],
    ids=range(8),
)
def test_other_content_under_a_closed_id_is_a_conflict(campaign: Campaign, tmp_path: Path, other: Json) -> None:
    campaign.process(turn(hp_delta(-3), turn_id="t-1"))
    reply = campaign.process(other)
    assert (reply["status"], reply["reason"]) == ("refused", "turn_conflict")
    assert (reply["turn_id"], reply["seq"]) == ("t-1", None)
    assert len(log_of(tmp_path / "campaign_0")) == 2
    assert campaign.state["characters/pc_001.json"]["hp"] == 7


@pytest.mark.parametrize("pair", [(1, 1.0), (1, True), (0, False), (0, None)])
def test_content_is_compared_as_json_and_not_as_python(campaign: Campaign, pair: tuple[Any, Any]) -> None:
    campaign.process({"turn_id": "t", "x_note": pair[0]})
    assert campaign.process({"turn_id": "t", "x_note": pair[1]})["reason"] == "turn_conflict"


def test_a_failed_turn_is_closed_too(campaign: Campaign) -> None:
    value = turn(move("area_404"), turn_id="t")
    first = campaign.process(value)
    assert first["status"] == "failed"
    assert campaign.process(value) == first
    assert campaign.process(turn(move("area_002"), turn_id="t"))["reason"] == "turn_conflict"


def test_a_refused_turn_takes_no_id(campaign: Campaign) -> None:
    assert campaign.process({"turn_id": "t", "atomic": 1})["status"] == "refused"
    assert campaign.process({"turn_id": "t", "atomic": True})["status"] == "empty"


def test_after_an_undo_the_duplicate_says_which_record_took_it_back(campaign: Campaign) -> None:
    value = turn(hp_delta(-3), turn_id="t")
    first = campaign.process(value)
    undone = campaign.undo("t")["record"]
    assert campaign.process(value) == {**first, "undone_by": undone}
    assert campaign.state["characters/pc_001.json"]["hp"] == 10
    campaign.undo(str(undone))
    assert campaign.process(value) == first
    assert campaign.state["characters/pc_001.json"]["hp"] == 7


def test_a_duplicate_is_known_to_whoever_opens_the_campaign_next(campaign: Campaign, tmp_path: Path) -> None:
    value = turn(hp_delta(-3), turn_id="t")
    first = campaign.process(value)
    campaign.close()
    (tmp_path / "campaign_0" / ".turnwright" / "checkpoint.sqlite3").unlink()
    with Campaign.open(tmp_path / "campaign_0", clock) as again:
        assert again.process(value) == first


def test_turns_without_an_id_are_numbered_by_closed_turns(campaign: Campaign) -> None:
    ids = [campaign.process(value)["turn_id"] for value in ({}, {"turn_id": "mine"}, {}, turn(move("nowhere")), {})]
    assert ids == ["turn_0001", "mine", "turn_0003", "turn_0004", "turn_0005"]


def test_the_same_content_without_an_id_is_another_turn(campaign: Campaign) -> None:
    replies = [campaign.process(turn(hp_delta(-3))) for _ in range(2)]
    assert [reply["turn_id"] for reply in replies] == ["turn_0001", "turn_0002"]
    assert [results(reply)[0]["new_hp"] for reply in replies] == [7, 4]


def test_a_number_that_is_taken_is_passed_over(campaign: Campaign) -> None:
    campaign.process({"turn_id": "turn_0002"})
    campaign.process({"turn_id": "turn_0003"})
    assert campaign.process({})["turn_id"] == "turn_0004"
    campaign.process({"turn_id": "turn_0006"})
    assert [campaign.process({})["turn_id"] for _ in range(2)] == ["turn_0005", "turn_0007"]


def test_records_that_are_no_turns_and_undone_turns_leave_no_gap(campaign: Campaign) -> None:
    campaign.process({})
    campaign.set({"limits.calls": 9})
    campaign.undo()
    assert campaign.process({})["turn_id"] == "turn_0002"


def test_a_turn_can_be_called_by_a_number_and_is_then_meant_before_the_record(campaign: Campaign) -> None:
    campaign.process(turn(hp_delta(-3), turn_id="2"))
    campaign.process(turn(hp_delta(-1)))
    assert campaign.state_at("2")["characters/pc_001.json"]["hp"] == 7
    assert campaign.state_at("#2")["characters/pc_001.json"]["hp"] == 6


@hypothesis_settings(max_examples=tries(15))
@given(st.lists(st.sampled_from([None, "a", "b", "turn_0001", "turn_0002", "turn_0004"]), max_size=8))
def test_ids_are_never_given_out_twice(tmp_path_factory: pytest.TempPathFactory, names: list[str | None]) -> None:
    """The model keeps content by id: a taken id answers or conflicts, a free one runs."""
    known: dict[str, tuple[str, Json]] = {}
    with begin(tmp_path_factory.mktemp("ids") / "c") as campaign:
        for number, name in enumerate(names):
            value: Json = {"x_n": number // 2} | ({"turn_id": name} if name else {})
            reply = campaign.process(value)
            if name in known:
                same = known[name][0] == spelt(value)
                assert reply == known[name][1] if same else reply["reason"] == "turn_conflict"
                continue
            fresh = len(known) + 1
            while f"turn_{fresh:04d}" in known:
                fresh += 1
            assert reply["turn_id"] == (name or f"turn_{fresh:04d}")
            known[reply["turn_id"]] = spelt(value), reply
