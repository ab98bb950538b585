"""`turnwright play --approve`: who decides about what a model wants, before it is recorded."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests import builders
from tests.builders import Json, call, log_of
from tests.cli.conftest import Play
from tests.game_master.playing import says
from tests.scenes import night

from turnwright import Campaign
from turnwright.audit.verify import verify


@pytest.fixture
def delve(tmp_path: Path) -> Path:
    with Campaign.new(tmp_path / "delve", "delve", seed="x", clock=builders.clock):
        return tmp_path / "delve"


GO: Json = call("move", actor_id="ilse", to_area_id="shaft_head")


def turns_of(path: Path) -> list[Json]:
    assert not verify(path).problems
    return [record for record in log_of(path) if record["kind"] == "turn"]


def test_review_shows_calls_and_text_before_they_are_recorded(play: Play, delve: Path) -> None:
    answers = [says("", GO), says("The rails end at a black hole.")]
    out = play(delve, answers, "I go down", "yes", "yes", options=["--approve=review"])
    wanted = "The game master wants:\n  1  move  actor_id=Ilse, to_area_id=Shaft Head\n"
    assert out.index(wanted) < out.index("Ilse goes to Shaft Head")
    assert out.index("  | The rails end at a black hole.") < out.rindex("The rails end at a black hole.")
    said, moved, told = turns_of(delve)
    assert "x_review" not in said
    assert (moved["x_review"], told["x_review"]) == ("approved", "approved")


def test_no_records_nothing_and_keeps_what_was_said(play: Play, delve: Path) -> None:
    out = play(delve, [says("", GO)], "I go down", "no", options=["--approve=review"])
    assert "nothing of it was recorded; what was said is kept: /again asks once more" in out
    assert [record.get("user_input") for record in turns_of(delve)] == ["I go down"]


def test_an_edit_is_shown_again_and_recorded_as_edited(play: Play, delve: Path) -> None:
    answers = [says("", GO, call("hp_delta", target_character_id="ilse", delta=-9, cause="a fall")), says("You fall.")]
    lines = ["I go down", "what?", "call 2 delta=-1 cause=a scratch", "drop 1", "yes", "text You slip.", "yes"]
    out = play(delve, answers, *lines, options=["--approve=review"])
    assert "drop N leaves call N out" in out, "what is no answer is told how to answer"
    assert out.count("The game master wants:") == 5
    _, hurt, told = turns_of(delve)
    assert [(one["tool"], one["args"]) for one in hurt["applied_actions"]] == [
        ("hp_delta", {"target_character_id": "ilse", "delta": -1, "cause": "a scratch"})
    ]
    assert (hurt["x_review"], told["x_review"], told["assistant_text"]) == ("edited", "edited", "You slip.")


def test_an_edit_that_the_engine_would_refuse_is_told_and_asked_again(play: Play, delve: Path) -> None:
    lines = ["I go down", "call 1 to_area_id=moon", "call 1 to_area_id=shaft_head", "yes", "yes"]
    out = play(delve, [says("", GO), says("Dark.")], *lines, options=["--approve=review"])
    assert "! move would fail: moon cannot be reached" in out
    assert [len(record["applied_actions"]) for record in turns_of(delve)] == [0, 1, 0]


def test_what_the_engine_refuses_anyway_is_asked_of_nobody(play: Play, delve: Path) -> None:
    astray = call("move", actor_id="ilse", to_area_id="moon")
    out = play(delve, [says("", astray), says("There is no way.")], "I fly", "yes", options=["--approve=review"])
    assert out.count("The game master wants:") == 1


def test_no_face_is_shown_before_it_is_taken_and_a_no_wins_no_other(play: Play, tmp_path: Path) -> None:
    path = tmp_path / "barrow"
    with Campaign.new(path, "barrow", seed="x", clock=builders.clock, with_turns=False):
        pass
    roll = call("roll_check", check_type="skill", skill="stealth", character_id="sigrun")
    answers = [says("", roll), says("", roll), says("Hush.")]
    out = play(path, answers, "I hide", "no", "/again", "yes", "yes", options=["--approve=review"])
    shown, _, _ = out.partition("Sigrun, Stealth")
    assert "d20" not in shown.rpartition("The game master wants:")[2].partition("yes, no, or edit > yes")[0]
    (rolled,) = [record for record in turns_of(path) if record["applied_actions"]]
    with Campaign.new(tmp_path / "other", "barrow", seed="x", clock=builders.clock, with_turns=False) as other:
        other.set({"narration.check": "retry"})
        other.process({"user_input": "I hide", "actor_id": "sigrun"})
        other.process({"actor_id": "sigrun", "tool_calls": [roll]})
    (same,) = [record for record in turns_of(tmp_path / "other") if record["applied_actions"]]
    assert rolled["draws"] == same["draws"]


def test_assist_has_the_model_propose_calls_for_what_a_person_tells(play: Play, delve: Path) -> None:
    answers = [says("", GO), says("")]
    lines = ["Ilse climbs down to the shaft head.", "yes", "It is dark.", "/quit"]
    out = play(delve, answers, *lines, options=["--approve=assist"])
    assert out.index("The game master wants:") < out.index("Ilse goes to Shaft Head")
    moved, told, again = turns_of(delve)
    assert (moved["agent"], moved["x_review"]) == ("narrative", "approved")
    assert ["agent" in told, "agent" in again] == [False, False], "a person told it"
    assert told["assistant_text"] == "Ilse climbs down to the shaft head."


def test_assist_without_an_answer_records_what_was_told(play: Play, delve: Path) -> None:
    out = play(delve, [{"fail": "timeout"}], "It is dark.", options=["--approve=assist"])
    assert "the game master gave no answer (timeout)" in out
    assert [record["assistant_text"] for record in turns_of(delve)] == ["It is dark."]


def test_human_asks_no_model(play: Play, delve: Path) -> None:
    out = play(delve, [], "It is dark.", "/move shaft head", options=["--approve=human"])
    assert "Ilse goes to Shaft Head" in out
    assert len(turns_of(delve)) == 2


def test_the_way_is_changed_in_play_and_kept(play: Play, delve: Path) -> None:
    lines = ["/approve", "/approve maybe", "/approve review", "I go down", "no", "/approve human", "It is dark."]
    out = play(delve, [says("", GO)], *lines)
    assert "auto: the model is the game master" in out
    assert "/approve takes one of auto, review, assist, human" in out
    assert "from now on you see what the model wants" in out
    with Campaign.open(delve) as campaign:
        assert campaign.state["campaign.json"]["settings"]["agents"]["approve"] == "human"


def test_without_a_model_only_a_person_decides(play: Play, delve: Path) -> None:
    out = play(delve, [], "/approve review", model="none")
    assert "no model is there to decide about" in out


def test_a_scene_game_keeps_its_model(play: Play, tmp_path: Path) -> None:
    lines = ["Mira", "2", "lurk", "a child", "yes", "/approve human", "/quit"]
    out = play(tmp_path / "night", [{"output": night.OPENING}], *lines, options=["--new=scenes", "--seed=x"])
    assert "a scene game needs a model as its game master" in out


def test_a_document_of_a_scene_game_is_reviewed_by_its_narration(play: Play, tmp_path: Path) -> None:
    path = tmp_path / "night"
    lines = ["Mira", "2", "lurk", "a child", "yes", "text Three cards lie there.", "yes", "/quit"]
    options = ["--new=scenes", "--seed=x", "--approve=review"]
    out = play(path, [{"output": night.OPENING}], *lines, options=options)
    assert out.count("The game master wants:") == 2
    assert "Three cards lie there." in out
    (opened,) = [record for record in turns_of(path) if record.get("x_review")]
    assert (opened["x_review"], opened["output"]["narration"]) == ("edited", "Three cards lie there.")
