"""Taking an exchange back, prose and state together, and having it again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests import builders
from tests.builders import Json, call, log_of
from tests.cli.conftest import NOW, Play, Turnwright
from tests.game_master.playing import says

from turnwright import Campaign, Viewer
from turnwright.audit.verify import verify
from turnwright.model.errors import BadRequest
from turnwright.model.viewer import GAME_MASTER

GO: Json = call("move", actor_id="ilse", to_area_id="shaft_head")
NOTHING = "error  the last record took nothing back, so there is nothing to bring back"
SAID, TOLD = "I climb down", "The rails end at a black hole."


@pytest.fixture
def delve(tmp_path: Path) -> Path:
    """Give a campaign with an exchange of three records: what was said, what was done, what was told."""
    with Campaign.new(tmp_path / "delve", "delve", seed="x", clock=builders.clock) as campaign:
        campaign.process({"dm_note": "before"})
        campaign.process({"user_input": SAID})
        campaign.process({"tool_calls": [GO], "agent": "narrative"})
        campaign.process({"assistant_text": TOLD, "agent": "narrative"})
    return tmp_path / "delve"


def where(path: Path) -> str:
    with Campaign.open(path) as campaign:
        place: str = campaign.state["characters/ilse.json"]["position"]
    return place


def standing(campaign: Campaign) -> Json:
    """Return the documents that an undo leads back: all but the campaign's own, whose counters go on."""
    return {path: value for path, value in campaign.state.items() if path != "campaign.json"}


def test_an_exchange_goes_as_a_whole_by_one_record(turnwright: Turnwright, delve: Path) -> None:
    before = len(log_of(delve))
    code, out, _ = turnwright("undo", delve, "--exchange", NOW)
    assert code == 0
    assert out.splitlines()[:4] == [
        "  takes back record 2 and everything since, 3 records:",
        f"  takes back record 4  turn  turn_0004  told: {TOLD}",
        "  takes back record 3  turn  turn_0003  Ilse goes to Shaft Head (shaft_head)",
        f'  takes back record 2  turn  turn_0002  "{SAID}"',
    ]
    assert where(delve) == "gate"
    (undone,) = log_of(delve)[before:]
    assert (undone["kind"], undone["undone_from"], undone["undone"]) == ("undo", 2, [4, 3, 2])
    assert not verify(delve).problems


def test_redo_brings_it_back_and_only_right_after(turnwright: Turnwright, delve: Path) -> None:
    turnwright("undo", delve, "--exchange", NOW)
    assert turnwright("undo", delve, "--redo", NOW)[0] == 0
    assert where(delve) == "shaft_head"
    turnwright("undo", delve, "--exchange", NOW)
    with Campaign.open(delve, builders.clock) as campaign:
        campaign.process({"user_input": "I stay"})
    code, _, err = turnwright("undo", delve, "--redo", NOW)
    assert (code, "there is nothing to bring back" in err) == (64, True)


def test_each_redo_brings_back_one_more(delve: Path) -> None:
    with Campaign.open(delve, builders.clock) as campaign:
        campaign.process({"user_input": "I look around"})
        states = [standing(campaign)]
        for _ in range(3):
            campaign.undo()
            states.append(standing(campaign))
        assert len({json.dumps(state) for state in states}) > 1
        for state in reversed(states[:-1]):
            campaign.undo(last="undo")
            assert standing(campaign) == state
        with pytest.raises(BadRequest, match="nothing to bring back"):
            campaign.undo(last="undo")
        campaign.undo()
        campaign.undo(last="undo")
        assert standing(campaign) == states[0]
    assert not verify(delve).problems


def test_an_exchange_that_was_taken_back_is_not_the_last_any_more(delve: Path) -> None:
    with Campaign.open(delve, builders.clock) as campaign:
        campaign.undo(last="exchange")
        with pytest.raises(BadRequest, match="nobody has said anything"):
            campaign.undo(last="exchange")
        with pytest.raises(BadRequest, match="cannot be the last exchange"):
            campaign.undo("turn_0001", last="exchange")


def test_a_turn_and_an_exchange_exclude_each_other(turnwright: Turnwright, delve: Path) -> None:
    code, _, err = turnwright("undo", delve, "turn_0003", "--exchange")
    assert (code, "exclude each other" in err) == (64, True)


def test_neither_prompt_nor_recap_nor_recall_remembers_it(play: Play, delve: Path) -> None:
    out = play(delve, [], "/retcon", "/quit")
    assert "taken back: turn_0004" in out
    assert "turn_0002: " in out
    assert f"it began with: {SAID}" in out
    with Campaign.open(delve, builders.clock) as campaign:
        for viewer in (GAME_MASTER, Viewer.player("ilse")):
            shown = json.dumps(campaign.prompt("I wait", viewer=viewer))
            assert SAID not in shown
            assert TOLD not in shown
    out = play(delve, [says("Wet grass.")], "I look around", "/quit")
    assert SAID not in out
    assert TOLD not in out


def test_redo_in_play_remembers_it_again(play: Play, delve: Path) -> None:
    out = play(delve, [], "/undo", "/redo", "/redo", "/quit", error=NOTHING)
    assert "what was taken back is there again" in out
    assert where(delve) == "shaft_head"
    assert TOLD in play(delve, [], "/quit")


def test_a_player_takes_nothing_back(play: Play, delve: Path) -> None:
    out = play(delve, [], "/retcon", "/redo", options=["--as=player:ilse"])
    assert out.count("only the table or gm can undo") == 2
    assert where(delve) == "shaft_head"


def test_no_model_takes_anything_back(delve: Path) -> None:
    with Campaign.open(delve, builders.clock) as campaign:
        reply = campaign.process({"agent": "narrative", "tool_calls": [call("undo", last="exchange")]})
        assert reply["tool_feedback"]["failed_calls"][0]["reason"] == "tool_not_allowed"
        names = [tool["function"]["name"] for tool in campaign.tools("openai", viewer=GAME_MASTER)]
    assert "undo" not in names


def test_undo_says_what_goes_in_the_words_of_the_story(turnwright: Turnwright, tmp_path: Path) -> None:
    place = tmp_path / "c"
    turnwright("new", place, "--seed", "x", NOW)
    hit = {"id": "a", "tool": "hp_delta", "args": {"target_character_id": "pc_001", "delta": -2, "cause": "a stone"}}
    with Campaign.open(place, clock=builders.clock) as campaign:
        campaign.process({"user_input": "I duck.", "assistant_text": "Too late.", "tool_calls": [hit]})
        campaign.process({"assistant_text": "Rain falls. " * 20})
    _, out, _ = turnwright("undo", place, "1", "--yes", NOW)
    told = " ".join(out.split())
    assert "takes back record 1 and everything since, 2 records:" in told
    assert 'takes back record 1 turn turn_0001 "I duck."; pc_001 10 -> 8 hp (a stone)' in told
    assert "takes back record 2 turn turn_0002 told: Rain falls. Rain falls." in told
    assert out.count("Rain falls") < 10
    _, out, _ = turnwright("undo", place, "#3", NOW)
    assert "record 3 undo took back record 1 and what followed" in " ".join(out.split())
