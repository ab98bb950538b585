"""Stage 4: narration that claims what nothing did, and the retry protocol over it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.builders import Json, clock, documents, failed, hp_delta, log_of, move, on_disk, person, results, spelt, turn
from tests.conftest import MakeCampaign

from turnwright import Campaign
from turnwright.audit.verify import verify

LIE = "Mira takes 5 damage."
TRUTH = "Rain drums on the roof."
ABORTED = ("rejected", "turn_aborted")


def told(text: str, *calls: Any, turn_id: str | None = "t", **keys: Any) -> Json:
    return turn(*calls, assistant_text=text, **keys) | ({"turn_id": turn_id} if turn_id else {})


@pytest.fixture(name="strict")
def fixture_strict(make_campaign: MakeCampaign) -> Campaign:
    return make_campaign(documents(settings={"narration": {"check": "retry"}}))


def kinds(path: Path) -> list[str]:
    return [record["kind"] for record in log_of(path / "campaign_0")]


def errors(reply: Json) -> list[str]:
    return [finding["kind"] for finding in reply["findings"] if finding["severity"] == "error"]


# what the other modes do


@pytest.mark.parametrize("mode", ["log", "note"])
def test_without_retry_a_conflict_is_a_finding_and_nothing_more(make_campaign: MakeCampaign, mode: str) -> None:
    campaign = make_campaign(documents(settings={"narration": {"check": mode}}))
    reply = campaign.process(told(LIE, hp_delta(-1, "pc_002")))
    assert (reply["status"], errors(reply)) == ("applied", ["missing"])
    assert "conflict_report" not in reply
    assert campaign.state["characters/pc_002.json"]["hp"] == 7


def test_switched_off_nothing_is_looked_at(make_campaign: MakeCampaign) -> None:
    reply = make_campaign(documents(settings={"narration": {"check": "off"}})).process(told(LIE))
    assert (reply["status"], reply["findings"]) == ("empty", [])


@pytest.mark.parametrize(
    ("text", "calls"),
    [
        (LIE, [hp_delta(-5)]),
        ("Mira takes 5 damage.", [hp_delta(-2), hp_delta(-5)]),
        (TRUTH, []),
        ("", []),
        ("   ", []),
        ("In the center of the yard, past the deadline, she removes her hat.", [move("area_404")]),
        ("Mira would take 5 damage if she jumped.", []),
        ('"You take 5 damage," the sign says.', []),
    ],
)
def test_what_is_borne_out_or_claims_nothing_is_no_conflict(strict: Campaign, text: str, calls: list[Json]) -> None:
    assert errors(strict.process(told(text, *calls))) == []


@pytest.mark.parametrize(("regained", "found"), [(4, []), (8, []), (9, ["mismatch"])])
def test_who_is_healed_to_the_full_regains_what_was_missing(
    make_campaign: MakeCampaign, regained: int, found: list[str]
) -> None:
    hurt = person("pc_001", name="Mira", hp=8, max_hp=12)
    campaign = make_campaign(documents([hurt], party=["pc_001"]))
    assert errors(campaign.process(told(f"Mira regains {regained} hit points.", hp_delta(8)))) == found


def test_two_hits_and_two_moves_in_one_turn_are_no_conflict(strict: Campaign) -> None:
    text = "Mira takes 3 damage. Mira takes 2 damage. Then she walks to Area 002."
    reply = strict.process(told(text, hp_delta(-3), hp_delta(-2), move("area_002")))
    assert (reply["status"], errors(reply)) == ("applied", [])


# the retry protocol


def test_a_conflict_leaves_an_attempt_and_changes_nothing(strict: Campaign, tmp_path: Path) -> None:
    before, summary = on_disk(tmp_path / "campaign_0"), strict.process({})["state_summary"]
    reply = strict.process(told(LIE, hp_delta(-1, "pc_002"), hp_delta(True, "pc_002")))
    assert (reply["status"], errors(reply), reply["applied_actions"]) == ("retry_needed", ["missing"], [])
    assert reply["state_summary"] == summary
    assert "conflict_report" not in reply
    assert kinds(tmp_path) == ["new", "turn", "attempt"]
    record = log_of(tmp_path / "campaign_0")[-1]
    assert "changes" not in record
    assert "draws" not in record
    assert len(record["tool_calls"]) == 2
    assert on_disk(tmp_path / "campaign_0") == before
    assert spelt(strict.state) == spelt(before)


def test_the_next_content_under_the_id_is_the_next_attempt_and_may_come_right(strict: Campaign, tmp_path: Path) -> None:
    first = strict.process(told(LIE))
    second = strict.process(told("Mira takes 4 damage.", hp_delta(-5)))
    third = strict.process(told(LIE, hp_delta(-5)))
    assert [reply["status"] for reply in (first, second, third)] == ["retry_needed", "retry_needed", "applied"]
    assert results(third) == [{"new_hp": 5}]
    assert third["conflict_report"]["retries"] == 2
    assert third["conflict_report"]["conflicts"] == [f for f in second["findings"] if f["severity"] == "error"]
    assert kinds(tmp_path) == ["new", "attempt", "attempt", "turn"]
    assert log_of(tmp_path / "campaign_0")[-1]["assistant_text"] == LIE
    assert strict.process({"user_input": "next"})["turn_id"] == "turn_0002"


def test_a_fork_throws_for_an_attempt_what_the_first_one_threw(make_campaign: MakeCampaign, tmp_path: Path) -> None:
    values = documents(settings={"narration": {"check": "retry"}}, allowlist=["hp_delta", "roll_dice"])
    campaign = make_campaign(values)
    roll = {"id": "r", "tool": "roll_dice", "args": {"expression": "3d100"}}
    campaign.process(told(LIE, roll))
    fork = campaign.fork(tmp_path / "fork", "#1", seed="another")
    for answer in (told(TRUTH, roll), {"turn_id": "next", "tool_calls": [roll]}):
        with Campaign.open(fork, clock) as other:
            here, there = ([draw["value"] for draw in one_draws(one, answer)] for one in (campaign, other))
        assert (here == there) == (answer["turn_id"] == "t")
    assert not verify(fork).problems
    assert not verify(tmp_path / "campaign_0").problems


def one_draws(campaign: Campaign, answer: Json) -> list[Json]:
    assert campaign.process(answer)["status"] == "applied"
    *_, record = campaign.records()
    draws: list[Json] = [*record["draws"]]
    return draws


def test_the_same_content_again_is_an_attempt_too(strict: Campaign) -> None:
    assert [strict.process(told(LIE))["status"] for _ in range(3)] == ["retry_needed", "retry_needed", "failed"]


def test_the_third_conflict_closes_the_turn_without_narration_or_change(strict: Campaign, tmp_path: Path) -> None:
    before = spelt(strict.state)
    for _ in range(2):
        strict.process(told(LIE, hp_delta(-1)))
    reply = strict.process(told(LIE, hp_delta(-2), hp_delta(True)))
    assert (reply["status"], reply["applied_actions"]) == ("failed", [])
    assert failed(reply) == [ABORTED, ABORTED]
    assert reply["conflict_report"]["retries"] == 2
    assert [item["severity"] for item in reply["conflict_report"]["conflicts"]] == ["error"]
    assert spelt(strict.state) == before
    record = log_of(tmp_path / "campaign_0")[-1]
    assert (record["kind"], record["changes"], record["draws"]) == ("turn", {}, [])
    assert "assistant_text" not in record
    assert strict.process(told(LIE, hp_delta(-2), hp_delta(True))) == reply
    assert strict.process(told(LIE, hp_delta(-1)))["reason"] == "turn_conflict"


def test_a_turn_with_another_id_closes_the_one_that_waits(strict: Campaign, tmp_path: Path) -> None:
    waiting = told(LIE, hp_delta(-1), user_input="Duck!")
    strict.process(told(LIE))
    strict.process(waiting)
    other = strict.process(told(TRUTH, hp_delta(-3), turn_id="u"))
    assert (other["status"], other["seq"]) == ("applied", 4)
    assert kinds(tmp_path) == ["new", "attempt", "attempt", "turn", "turn"]
    closed = log_of(tmp_path / "campaign_0")[3]
    assert (closed["turn_id"], closed["status"], closed["user_input"]) == ("t", "failed", "Duck!")
    assert closed["conflict_report"]["retries"] == 1
    assert failed(closed) == [ABORTED]
    assert (closed["changes"], closed["draws"]) == ({}, [])
    assert "assistant_text" not in closed
    again = strict.process(waiting)
    assert (again["status"], again["seq"]) == ("failed", 3)
    assert strict.process(told(LIE))["reason"] == "turn_conflict"


def test_a_turn_closed_in_conflict_can_be_read_like_any_other(strict: Campaign, tmp_path: Path) -> None:
    strict.process(told(LIE))
    strict.process(told(TRUTH, turn_id="u"))
    records = log_of(tmp_path / "campaign_0")
    attempt, closed = records[1:3]
    said = {"assistant_text", "area_id", "present_ids"}
    assert set(closed) - said == set(attempt) - said | {"conflict_report", "changes", "draws"}
    assert [key for key in closed if key in attempt] == [key for key in attempt if key in closed]
    assert set(strict.process(told(LIE))) == set(strict.process(told(TRUTH, turn_id="u"))) | {"conflict_report"}


def test_a_refused_turn_closes_nothing(strict: Campaign) -> None:
    strict.process(told(LIE))
    assert strict.process({"turn_id": "u", "atomic": 5})["status"] == "refused"
    assert strict.process({"turn_id": "v", "actor_id": "nobody"})["status"] == "refused"
    assert strict.process(told(TRUTH))["conflict_report"]["retries"] == 1


def test_a_duplicate_of_a_closed_turn_closes_nothing(strict: Campaign, tmp_path: Path) -> None:
    done = {"turn_id": "done", "user_input": "a"}
    first = strict.process(done)
    strict.process(told(LIE))
    assert strict.process(done) == first
    assert kinds(tmp_path) == ["new", "turn", "attempt"]
    assert strict.process(told(TRUTH))["status"] == "empty"


def test_settings_edits_and_undo_between_the_attempts_leave_the_turn_open(strict: Campaign, tmp_path: Path) -> None:
    strict.process(turn(hp_delta(-3), turn_id="before"))
    strict.process(told(LIE))
    strict.set({"limits.calls": 9})
    strict.undo("before")
    reply = strict.process(told(LIE, hp_delta(-5)))
    assert (reply["status"], results(reply)) == ("applied", [{"new_hp": 5}])
    assert reply["conflict_report"]["retries"] == 1


def test_the_attempts_are_remembered_by_whoever_opens_the_campaign_next(strict: Campaign, tmp_path: Path) -> None:
    strict.process(told(LIE))
    strict.close()
    (tmp_path / "campaign_0" / ".turnwright" / "checkpoint.sqlite3").unlink()
    with Campaign.open(tmp_path / "campaign_0", clock) as again:
        assert again.process(told(LIE))["status"] == "retry_needed"
        assert again.process(told(LIE))["status"] == "failed"


def test_a_turn_without_an_id_is_tried_again_under_the_id_it_was_given(strict: Campaign) -> None:
    first = strict.process(told(LIE, turn_id=None))
    assert (first["status"], first["turn_id"]) == ("retry_needed", "turn_0001")
    second = strict.process(told(LIE, hp_delta(-5), turn_id="turn_0001"))
    assert (second["status"], second["conflict_report"]["retries"]) == ("applied", 1)


@pytest.mark.parametrize(("waiting", "fresh"), [("mine", "turn_0002"), ("turn_0002", "turn_0003")])
def test_the_waiting_turn_is_closed_and_counted_before_the_next_one_is_numbered(
    strict: Campaign, waiting: str, fresh: str
) -> None:
    strict.process(told(LIE, turn_id=waiting))
    assert strict.process({"user_input": "Enough of that."})["turn_id"] == fresh


def test_a_players_turn_is_no_attempt_at_the_game_masters(strict: Campaign, tmp_path: Path) -> None:
    waiting = strict.process(told(LIE, hp_delta(-3), turn_id=None))
    assert (waiting["status"], waiting["turn_id"]) == ("retry_needed", "turn_0001")
    taken_over = strict.process(turn(move("area_002"), turn_id="turn_0001"), authority="player:pc_001")
    assert (taken_over["status"], taken_over["reason"]) == ("refused", "turn_conflict")
    assert strict.process(told(LIE, hp_delta(-3), turn_id="turn_0001"))["status"] == "retry_needed"
    moved = strict.process(turn(move("area_002")), authority="player:pc_001")
    assert (moved["status"], moved["turn_id"]) == ("applied", "turn_0002")
    assert "conflict_report" not in moved
    assert kinds(tmp_path) == ["new", "attempt", "attempt", "turn", "turn"]
    closed = log_of(tmp_path / "campaign_0")[3]
    assert (closed["turn_id"], closed["authority"], closed["status"]) == ("turn_0001", "gm", "failed")
    assert closed["conflict_report"]["retries"] == 1


@pytest.mark.parametrize("key", ["user_input", "answer"])
def test_what_a_player_says_anew_is_no_attempt_at_the_turn_that_waits(strict: Campaign, key: str) -> None:
    said = {"user_input": "Duck!"} if key == "user_input" else {"answer": {"request_id": "r", "value": 1}}
    assert strict.process(told(LIE, turn_id=None))["turn_id"] == "turn_0001"
    answered = strict.process(told(LIE, turn_id=None, **said))
    assert (answered["status"], answered["turn_id"]) == ("retry_needed", "turn_0002")
    again = strict.process(told(TRUTH, turn_id=None, **said))
    assert (again["turn_id"], again["conflict_report"]["retries"]) == ("turn_0002", 1)


def test_only_what_conflicts_is_reported_and_not_every_finding(strict: Campaign) -> None:
    strict.process(told(f"{LIE} {TRUTH}", hp_delta(-1, "npc_001")))
    reply = strict.process(told(TRUTH))
    assert {item["severity"] for item in reply["conflict_report"]["conflicts"]} == {"error"}


def test_of_a_text_that_explains_rules_only_a_decree_is_a_conflict(strict: Campaign) -> None:
    reply = strict.process(told(LIE, dialog_type="rule_explanation"))
    assert (reply["status"], errors(reply)) == ("empty", [])


def test_switching_the_check_off_lets_the_waiting_turn_through(strict: Campaign) -> None:
    strict.process(told(LIE))
    strict.set({"narration.check": "log"})
    reply = strict.process(told(LIE))
    assert (reply["status"], reply["conflict_report"]["retries"]) == ("empty", 1)


def test_retries_are_pressure_for_the_milestone_and_a_failed_turn_is_none(make_campaign: MakeCampaign) -> None:
    settings = {"narration": {"check": "retry"}, "lifecycle": {"enabled": True}}
    campaign = make_campaign(documents(settings=settings, milestone={"pressure_threshold": 3}))

    def found() -> tuple[str, int]:
        milestone = campaign.state["campaign.json"]["milestone"]
        return milestone["current"], milestone["pressure"]

    for _ in range(3):
        campaign.process(told(LIE))
    assert found() == ("intro", 0)
    for text in (LIE, LIE, TRUTH):
        campaign.process(told(text, turn_id="u"))
    assert found() == ("intro", 2)
    for text in (LIE, TRUTH):
        campaign.process(told(text, turn_id="v"))
    assert found() == ("milestone_1", 0)


def test_a_dry_run_of_an_attempt_says_what_would_happen_and_counts_nothing(strict: Campaign, tmp_path: Path) -> None:
    for _ in range(4):
        assert strict.process(told(LIE), dry_run=True)["status"] == "retry_needed"
    strict.process(told(LIE))
    strict.process(told(LIE))
    assert strict.process(told(LIE), dry_run=True)["status"] == "failed"
    assert strict.process(told(TRUTH), dry_run=True)["conflict_report"]["retries"] == 2
    assert kinds(tmp_path) == ["new", "attempt", "attempt"]


def test_a_dry_run_under_another_id_is_no_attempt_of_the_one_that_waits(strict: Campaign) -> None:
    strict.process(told(LIE))
    assert "conflict_report" not in strict.process(told(TRUTH, turn_id="u"), dry_run=True)
    strict.process(told(LIE))
    assert strict.process(told(LIE, turn_id="u"), dry_run=True)["status"] == "retry_needed"


def test_a_dry_run_beside_the_turn_that_waits_counts_as_it_will_be_counted(strict: Campaign) -> None:
    strict.process(told(LIE))
    for value in (told(TRUTH, turn_id="u"), {"user_input": "Enough of that."}):
        tried = strict.process(value, dry_run=True)
        assert tried["seq"] == 3
    assert strict.process(value)["seq"] == tried["seq"]
