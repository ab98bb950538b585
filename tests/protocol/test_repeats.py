"""Repeated illegal requests: by call and reason, over the last turns, after the checks, and never for what is legal."""

from __future__ import annotations

from typing import Any

import pytest
from tests.builders import Json, clock, documents, failed, hp_delta, move, person, turn
from tests.conftest import MakeCampaign

from turnwright import Campaign

ERROR = ("error", "invalid_args")
REPEAT = ("rejected", "repeat_illegal_request")
RESTRICTED = ("rejected", "actor_state_restricted")
BAD = move("area_004")


def guarded(make: MakeCampaign, window: int | None = None, people: list[Json] | None = None, **more: Any) -> Campaign:
    protocol = {} if window is None else {"repeat_window": window}
    return make(documents(people or [person("pc_001"), person("pc_002")], protocol=protocol, **more))


def ask(campaign: Campaign, *calls: Any, **keys: Any) -> list[tuple[str, str]]:
    return failed(campaign.process(turn(*calls, **keys)))


def test_after_three_turns_the_fourth_is_a_repeat_and_stays_one(make_campaign: MakeCampaign) -> None:
    campaign = guarded(make_campaign)
    assert [ask(campaign, BAD) for _ in range(8)] == [[ERROR]] * 3 + [[REPEAT]] * 5


@pytest.mark.parametrize("window", [1, 2, 5])
def test_the_window_is_the_protocols(make_campaign: MakeCampaign, window: int) -> None:
    campaign = guarded(make_campaign, window)
    assert [ask(campaign, BAD) for _ in range(window + 2)] == [[ERROR]] * window + [[REPEAT]] * 2


def test_a_window_of_nothing_and_a_campaign_without_a_protocol_never_repeat(make_campaign: MakeCampaign) -> None:
    for campaign in (guarded(make_campaign, 0), make_campaign()):
        assert [ask(campaign, BAD) for _ in range(6)] == [[ERROR]] * 6


def test_the_first_reason_and_the_repair_stand_in_the_hint(make_campaign: MakeCampaign) -> None:
    campaign = guarded(make_campaign)
    told = [campaign.process(turn(BAD))["tool_feedback"]["failed_calls"][0] for _ in range(5)]
    assert "first_reason" not in told[0]["hint"]
    for late in told[3:]:
        assert late["hint"] == {**told[0]["hint"], "first_reason": "invalid_args"}


def test_a_turn_without_the_call_opens_the_window_again(make_campaign: MakeCampaign) -> None:
    campaign = guarded(make_campaign)
    ask(campaign, BAD), ask(campaign, BAD), ask(campaign, hp_delta(0))
    assert [ask(campaign, BAD) for _ in range(4)] == [[ERROR]] * 3 + [[REPEAT]]
    campaign.process({"user_input": "Let us talk."})
    assert ask(campaign, BAD) == [ERROR]


def test_twice_in_one_turn_is_one_turn(make_campaign: MakeCampaign) -> None:
    campaign = guarded(make_campaign)
    assert ask(campaign, BAD, BAD, BAD, BAD) == [ERROR] * 4
    assert ask(campaign, BAD) == ask(campaign, BAD) == [ERROR]
    assert ask(campaign, BAD, BAD) == [REPEAT, REPEAT]


def test_a_legal_call_of_the_same_tool_is_never_suppressed(make_campaign: MakeCampaign) -> None:
    campaign = guarded(make_campaign)
    for _ in range(3):
        reply = campaign.process(turn(BAD, hp_delta(-1), hp_delta(True)))
        assert (len(reply["applied_actions"]), failed(reply)) == (1, [ERROR, ERROR])
    for _ in range(3):
        reply = campaign.process(turn(BAD, hp_delta(-1), hp_delta(True)))
        assert (len(reply["applied_actions"]), failed(reply)) == (1, [REPEAT, REPEAT])


def test_a_world_that_changed_gives_another_answer_by_itself(make_campaign: MakeCampaign) -> None:
    campaign = guarded(make_campaign)
    go = move("area_004", "area_002")
    assert [ask(campaign, go) for _ in range(4)] == [[ERROR]] * 3 + [[REPEAT]]
    assert ask(campaign, move("area_002"), go) == []


def test_another_reason_is_another_failure(make_campaign: MakeCampaign) -> None:
    campaign = guarded(make_campaign)
    assert [ask(campaign, BAD) for _ in range(4)] == [[ERROR]] * 3 + [[REPEAT]]
    campaign.process(turn(hp_delta(-99)))
    assert [ask(campaign, BAD) for _ in range(4)] == [[RESTRICTED]] * 3 + [[REPEAT]]
    told = campaign.process(turn(BAD))["tool_feedback"]["failed_calls"][0]
    assert told["hint"]["first_reason"] == "actor_state_restricted"


def test_the_reason_must_be_the_same_in_every_turn_of_the_window(make_campaign: MakeCampaign) -> None:
    campaign = guarded(make_campaign, 2)
    assert ask(campaign, BAD) == [ERROR]
    campaign.set({"selected.active_actor_id": None})
    assert ask(campaign, BAD, actor_id="pc_001") == [ERROR]
    assert ask(campaign, BAD, actor_id="pc_001") == [REPEAT]
    assert ask(campaign, BAD) == [("rejected", "invalid_actor_state")]
    assert ask(campaign, BAD, actor_id="pc_001") == [ERROR]


def test_another_acting_character_is_another_request(make_campaign: MakeCampaign) -> None:
    campaign = guarded(make_campaign)
    bad = hp_delta(True)
    for _ in range(3):
        ask(campaign, bad)
    assert ask(campaign, bad, actor_id="pc_002") == [ERROR]
    assert ask(campaign, bad) == [ERROR], "the turn of another broke the window"


@pytest.mark.parametrize("other", [{"delta": 1.0}, {"delta": "1"}, {"cause": ""}, {"more": None}])
def test_other_arguments_are_another_request(make_campaign: MakeCampaign, other: Json) -> None:
    campaign = guarded(make_campaign)
    for _ in range(3):
        ask(campaign, hp_delta(True))
    changed = hp_delta(True)
    changed["args"] |= other
    assert ask(campaign, changed) == [ERROR]


def test_id_and_reason_of_a_call_and_the_order_of_its_keys_do_not_make_it_another(make_campaign: MakeCampaign) -> None:
    campaign = guarded(make_campaign)
    for number in range(3):
        ask(campaign, BAD | {"id": str(number), "reason": str(number)})
    turned = {"args": dict(reversed(BAD["args"].items())), "tool": "move", "id": "x"}
    assert ask(campaign, turned) == [REPEAT]


def test_what_is_not_allowed_repeats_too_and_malformed_entries_never_do(make_campaign: MakeCampaign) -> None:
    campaign = guarded(make_campaign)
    ghost, broken = BAD | {"tool": "ghost"}, {"tool": "move", "args": {}}
    for _ in range(3):
        assert ask(campaign, ghost, broken) == [("rejected", "tool_not_allowed"), ("error", "invalid_call")]
    assert ask(campaign, ghost, broken) == [REPEAT, ("error", "invalid_call")]


def test_records_between_turns_do_not_count_and_the_window_survives_a_reopening(
    make_campaign: MakeCampaign, tmp_path: Any
) -> None:
    campaign = guarded(make_campaign)
    ask(campaign, BAD)
    campaign.set({"limits.calls": 9})
    ask(campaign, BAD), ask(campaign, BAD)
    campaign.close()
    with Campaign.open(tmp_path / "campaign_0", clock) as again:
        assert ask(again, BAD) == [REPEAT]


def test_a_dry_run_neither_counts_nor_is_spared(make_campaign: MakeCampaign) -> None:
    campaign = guarded(make_campaign)
    for _ in range(5):
        assert failed(campaign.process(turn(BAD), dry_run=True)) == [ERROR]
    for _ in range(3):
        ask(campaign, BAD)
    assert failed(campaign.process(turn(BAD), dry_run=True)) == [REPEAT]


def test_an_aborted_call_has_another_reason_and_so_opens_the_window(make_campaign: MakeCampaign) -> None:
    campaign = guarded(make_campaign, 2)
    first, second = hp_delta(True), BAD
    assert ask(campaign, first, second, atomic=True) == [ERROR, ("rejected", "turn_aborted")]
    assert ask(campaign, first, second) == [ERROR, ERROR]
    assert ask(campaign, first, second) == [REPEAT, ERROR]
    assert ask(campaign, first, second) == [REPEAT, REPEAT]


def test_a_repeat_changes_nothing_and_counts_as_a_failed_part(make_campaign: MakeCampaign) -> None:
    campaign = guarded(make_campaign, 1)
    ask(campaign, BAD)
    before = campaign.state
    assert campaign.process(turn(BAD))["status"] == "failed"
    assert campaign.process(turn(BAD, hp_delta(0)))["status"] == "partial"
    assert campaign.process(turn(BAD, hp_delta(-1), atomic=True))["status"] == "failed"
    assert campaign.state == before


def test_attempts_are_no_turns_and_a_turn_closed_in_conflict_failed_for_another_reason(
    make_campaign: MakeCampaign,
) -> None:
    campaign = guarded(make_campaign, 1, [person("pc_001", name="Mira")], party=["pc_001"])
    campaign.set({"narration.check": "retry"})
    for wanted in ([ERROR], [ERROR], [("rejected", "turn_aborted")]):
        assert ask(campaign, BAD, turn_id="t", assistant_text="Mira takes 5 damage.") == wanted
    assert ask(campaign, BAD) == [ERROR]
    assert ask(campaign, BAD) == [REPEAT]
