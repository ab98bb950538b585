"""Dice of the table at a terminal: `process` says what is needed, `answer` and `play` ask for it."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest
from tests import builders
from tests.builders import Json, call, log_of
from tests.cli.conftest import NOW, Play, Turnwright
from tests.game_master.playing import says
from tests.tools.hall import hall_documents

from turnwright import Campaign
from turnwright.analysis.report.joined import play_of
from turnwright.audit.verify import verify

SNEAK = call("roll_check", character_id="dain", check_type="skill", skill="stealth")
OMEN = call("roll_dice", expression="2d6", reason="does the assassin strike?")


class Terminal(io.StringIO):
    """What a person types."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def table(tmp_path: Path) -> Path:
    values = hall_documents()
    values["campaign.json"] |= {"settings": {"dice": {"source": "table"}, "narration": {"check": "log"}}}
    values["campaign.json"]["selected"] |= {"party_character_ids": ["dain"], "active_actor_id": "dain"}
    builders.begin(tmp_path / "table", values).close()
    return tmp_path / "table"


@pytest.fixture
def waiting(table: Path) -> Path:
    with Campaign.open(table, builders.clock) as campaign:
        campaign.process({"turn_id": "sneak", "tool_calls": [SNEAK, OMEN]})
    return table


def last(path: Path) -> Json:
    return log_of(path)[-1]


def faces(record: Json) -> list[int]:
    return [draw["value"] for draw in record["draws"] if draw["given"]]


# process and answer


def test_process_prints_the_dice_and_leaves_with_1(turnwright: Turnwright, table: Path, tmp_path: Path) -> None:
    file = tmp_path / "sneak.json"
    file.write_text(json.dumps({"turn_id": "sneak", "tool_calls": [SNEAK]}))
    code, out, _ = turnwright("process", table, file, NOW)
    assert (code, out.splitlines()[1:]) == (1, ["  dice-1 waits for 1 die:", "    d20  Dain stealth skill"])
    code, out, _ = turnwright("process", table, file, "--json", "--reply-as=openai", NOW)
    reply = json.loads(out)
    assert (code, reply["status"], reply["request"]["request_id"]) == (1, "waiting", "dice-1")
    assert [json.loads(message["content"]) for message in reply["tool_messages"]] == [{"status": "waiting"}]


def test_a_dropped_answer_is_taken(turnwright: Turnwright, waiting: Path) -> None:
    for number, value in (("1", [14]), ("2", [3, 4])):
        request = {"request_id": f"dice-{number}", "value": value}
        (waiting / "turns" / f"{number}.json").write_text(json.dumps({"answer": request}))
    code, out, _ = turnwright("process", waiting, NOW)
    assert (code, out.count("waiting"), last(waiting)["status"]) == (1, 1, "applied")
    assert last(waiting)["source"].endswith("__2.json")


@pytest.mark.parametrize("written", ["14 3", "14,3", "[14, 3]", " 14;3 "])
def test_faces_may_be_written_in_several_ways(turnwright: Turnwright, table: Path, written: str) -> None:
    with Campaign.open(table, builders.clock) as campaign:
        advantage = {**SNEAK, "args": SNEAK["args"] | {"advantage": True}}
        campaign.process({"tool_calls": [advantage]})
    code, out, _ = turnwright("answer", table, written, NOW)
    assert (code, faces(last(table))) == (0, [14, 3])
    assert "14 (given), 3 (given)" in out


@pytest.mark.parametrize("written", ["", "one", "1.5", "[1.5]", "[true]", "[", "{}", "-1", "[]", "१"])
def test_what_is_no_face_is_not_handed_in(turnwright: Turnwright, waiting: Path, written: str) -> None:
    code, out, err = turnwright("answer", waiting, "--", written)
    assert (code, out, len(log_of(waiting))) == (64, "", 2)
    assert "the faces are" in err


def test_a_wrong_face_leaves_the_request_open(turnwright: Turnwright, waiting: Path) -> None:
    code, out, _ = turnwright("answer", waiting, "21", "--json", NOW)
    reply = json.loads(out)
    assert (code, reply["status"]) == (1, "waiting")
    assert reply["tool_feedback"]["failed_calls"][0]["reason"] == "answer_invalid"
    code, out, _ = turnwright("answer", waiting, "20", "--json", NOW)
    assert (code, json.loads(out)["request"]["request_id"]) == (1, "dice-3")


def test_without_a_value_and_a_terminal_the_request_is_shown(turnwright: Turnwright, waiting: Path) -> None:
    code, out, _ = turnwright("answer", waiting)
    assert (code, out.splitlines()[-1]) == (64, f'  answer with: turnwright answer {waiting} "FACE", or cancel')
    code, out, _ = turnwright("answer", waiting, "--json")
    assert (code, json.loads(out)["request_id"]) == (64, "dice-1")


def test_a_person_is_asked_die_by_die_and_round_by_round(
    turnwright: Turnwright, waiting: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", Terminal("0\n21\nx\n14\n3\n4\n"))
    code, out, _ = turnwright("answer", waiting, NOW)
    assert (code, faces(last(waiting))) == (0, [14, 3, 4])
    assert out.count("a d20 shows 1 to 20") == 3
    assert out.count("Dain stealth skill: roll a d20 and type the face > ") == 4


def test_a_person_may_leave_or_give_up_the_turn(
    turnwright: Turnwright, waiting: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", Terminal("q\n"))
    assert turnwright("answer", waiting, NOW)[::2] == (0, "nothing was sent\n")
    monkeypatch.setattr(sys, "stdin", Terminal("14\ncancel\n"))
    code, out, _ = turnwright("answer", waiting, NOW)
    assert (code, last(waiting)["status"], last(waiting)["draws"]) == (1, "failed", [])
    assert "the turn was canceled while it waited for dice" in out
    code, _, err = turnwright("answer", waiting, "14")
    assert (code, "no turn waits for dice" in err) == (64, True)


def test_show_log_and_report_read_a_campaign_that_waits(turnwright: Turnwright, waiting: Path) -> None:
    turnwright("answer", waiting, "14", NOW)
    code, out, _ = turnwright("log", waiting)
    assert (code, out.count("waits for")) == (0, 2)
    code, out, _ = turnwright("show", waiting)
    assert (code, out.splitlines()[-3:]) == (
        0,
        [
            "  dice-2 waits for 2 dice:",
            "    d6 d6  does the assassin strike?",
            f'  answer with: turnwright answer {waiting} "FACE FACE", or cancel',
        ],
    )
    assert json.loads(turnwright("show", waiting, "--json")[1])["dice_request"]["request_id"] == "dice-2"
    for more in (("--at", "sneak"), ("--as", "player:dain")):
        code, out, _ = turnwright("show", waiting, *more)
        assert (code, "waits for" in out) == (0, False)
    assert turnwright("report", waiting)[0] == 0
    assert turnwright("check", waiting)[0] == 0
    assert turnwright("verify", waiting)[0] == 0


def test_waiting_for_dice_is_no_retry_in_a_report(turnwright: Turnwright, waiting: Path) -> None:
    turnwright("answer", waiting, "14", NOW)
    turnwright("answer", waiting, "3 4", NOW)
    (exchange,) = play_of("table", log_of(waiting), []).exchanges
    assert ([step.turn_id for step in exchange.steps], exchange.was_retried) == (["sneak"], False)


# play


def test_play_asks_for_the_dice_of_the_game_master(play: Play, table: Path) -> None:
    answers = [says("", SNEAK), says("Dain slips past.")]
    out = play(table, answers, "I sneak past", "25", "14", "/quit")
    assert "Dain stealth skill: roll a d20 and type the face > " in out
    assert "a d20 shows 1 to 20" in out
    assert "d20 14*" in out
    assert "Dain slips past." in out
    by_calls = next(record for record in log_of(table) if record["kind"] == "turn" and "dice_answer" in record)
    assert (faces(by_calls), by_calls["agent"]) == ([14], "narrative")
    assert verify(table).problems == ()


def test_the_next_session_asks_for_dice_that_nobody_threw(play: Play, table: Path) -> None:
    out = play(table, [says("", SNEAK)], "I sneak past", "q")
    assert "waits on" in out
    assert last(table)["status"] == "waiting"
    out = play(table, [says("Dain slips past.")], "14", "/quit")
    assert "Dain, Stealth 14 (given)" in out
    assert "Dain slips past." in out


def test_a_turn_may_be_given_up_in_play(play: Play, table: Path) -> None:
    out = play(table, [says("", SNEAK), says("Dain thinks better of it.")], "I sneak past", "cancel", "/quit")
    assert "Dain thinks better of it." in out
    assert [record["status"] for record in log_of(table) if record["kind"] == "turn"] == ["empty", "failed", "empty"]


def test_what_the_game_master_rolls_for_is_told_to_the_game_master_alone(play: Play, table: Path) -> None:
    answers = [says("", OMEN), says("A shadow moves.")]
    out = play(table, answers, "I wait", "q", options=["--as=table"])
    assert "the game master rolls: roll a d6" in out
    assert "assassin" not in out
    out = play(table, [], "q", options=["--as=gm"])
    assert "does the assassin strike?: roll a d6" in out
