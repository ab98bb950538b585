"""The sample campaign of the scene game: a whole session, told so that people can read it."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from turnwright import Campaign
from turnwright.audit.check import check_directory
from turnwright.audit.verify import verify
from turnwright.cli.main import run
from turnwright.model.mood import MOODS
from turnwright.rulesets.scenes.events import EVENTS

Json = Any
SEED = "heist"
ILSE, BRAM = "character-1", "bram"
WIDTH = 90
PAINTED = re.compile(r"\x1b\[")


def clock() -> datetime:
    return datetime(2026, 1, 14, 16, 5, 31, tzinfo=UTC)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("heist") / "heist"
    with Campaign.new(path, template="heist", seed=SEED, clock=clock) as campaign:
        for _ in campaign.process_drop():
            pass
    return path


@pytest.fixture(scope="module")
def records(home: Path) -> list[Json]:
    with Campaign.open(home, clock) as campaign:
        return list(campaign.records())


@pytest.fixture(scope="module")
def state(home: Path) -> Json:
    with Campaign.open(home, clock) as campaign:
        return campaign.state


@pytest.fixture
def told(home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> str:
    """Give what `turnwright log` prints."""
    monkeypatch.setenv("COLUMNS", str(WIDTH))
    assert run(["log", str(home)]) == 0
    return capsys.readouterr().out


def events(records: list[Json], kind: str) -> Iterator[Json]:
    return (event["data"] for record in records[1:] for event in record["events"] if event["type"] == kind)


# what is in it


def test_every_type_of_event_happens(records: list[Json]) -> None:
    assert {event["type"] for record in records[1:] for event in record["events"]} == set(EVENTS)


def test_every_mood_is_met(records: list[Json]) -> None:
    assert {data["to_mood"] for data in events(records, "MoodTransition")} >= set(MOODS)


def test_scene_and_toolkit_share_one_turn_and_one_world(records: list[Json], state: Json) -> None:
    tools = {action["tool"] for record in records[1:] for action in record["applied_actions"]}
    assert tools >= {"move", "hp_delta", "roll_dice", "create_encounter", "execute_action", "end_encounter", "engage"}
    assert state["encounters/encounter-1.json"]["outcome"] == "victory"
    assert state["locations/weigh-house.json"]["area_id"] == "weigh_roof"


def test_stress_is_whose_die_it_was_and_heat_the_crews(state: Json) -> None:
    ilse, bram = (state[f"characters/{who}.json"] for who in (ILSE, BRAM))
    assert (ilse["stress"], ilse["trauma"]) == (3, ["haunted"])
    assert (bram["stress"], bram.get("trauma", [])) == (2, [])
    assert (state["crew.json"]["heat"], state["crew.json"]["wanted"]) == (2, 2)


@pytest.mark.parametrize("kind", ["HeatChanged", "WantedChanged"])
def test_what_is_the_crews_changes_without_a_gap(kind: str, records: list[Json]) -> None:
    value = 0
    for data in events(records, kind):
        assert data["from"] == value
        value = data["to"]
    assert value == 2


def test_every_clock_is_full_in_the_end_and_was_made_real(records: list[Json], state: Json) -> None:
    clocks = [value for path, value in state.items() if path.startswith("clocks/")]
    assert [clock["filled"] for clock in clocks] == [clock["segments"] for clock in clocks]
    assert len(list(events(records, "ConsequenceApplied"))) == len(clocks) == 3
    assert state["crew.json"]["pending_consequences"] == []


# what it proves


def test_it_verifies_and_nothing_is_wrong_with_it(home: Path) -> None:
    assert verify(home).problems == ()
    assert check_directory(home) == []


def test_another_seed_deals_other_cards_and_the_engine_refuses_what_was_written_for_these(tmp_path: Path) -> None:
    with Campaign.new(tmp_path / "c", template="heist", seed="another", clock=clock) as campaign:
        replies = [reply for _, reply in campaign.process_drop()]
        left = campaign.state["crew.json"]
    reasons = {call["reason"] for reply in replies for call in reply["tool_feedback"]["failed_calls"]}
    assert reasons & {"outcome_die_not_in_pool", "request_stale", "awaiting_player"}
    assert left["phase"]["tag"] == "playing"


def test_the_next_session_begins_where_this_one_ended(home: Path, tmp_path: Path) -> None:
    shutil.copytree(home, tmp_path / "again")
    with Campaign.open(tmp_path / "again", clock) as campaign:
        request = campaign.resume()["request"]
        keys = [option["key"] for option in request["payload"]["options"]]
        answer = {"request_id": request["id"], "value": "lay_low"}
        assert campaign.process({"answer": answer})["status"] == "applied"
        assert campaign.state["crew.json"]["heat"] == 1
    assert keys == ["lay_low", "recover", "new_scene", "end_session"]


# how it is told


def test_the_log_tells_every_narration_once(told: str, records: list[Json]) -> None:
    flat = " ".join(told.split())
    texts = [data["text"] for data in events(records, "NarrativeAdded")]
    assert len(texts) > 40
    assert [text for text in texts if flat.count(" ".join(text.split())) != 1] == []


def test_the_log_tells_each_future_and_which_came(told: str) -> None:
    assert "- 6, critical: you and the jar, clean through" in told
    assert "- 5, success: you hold it, and Pim gets out (stress +2, heat +1)" in told
    assert "* a 5, success: You put your back under the edge and stand up." in told
    assert "* it is too much: somebody breaks" in told


def test_the_log_tells_calls_in_words_and_never_as_json(told: str) -> None:
    assert "engage: risky infiltration: reach the gallery unseen" in told
    assert '{"' not in told
    assert "applied   output" not in told
    assert "applied   answer" not in told


def test_what_is_told_of_the_scene_game_fits_the_terminal(told: str) -> None:
    lines = [line for line in told.splitlines() if line.startswith(" " * 9)]
    story = [line for line in lines if not re.match(r" {9}(applied|rejected|error|finding|narration)\b", line)]
    assert len(story) > 200
    assert max(map(len, story)) < WIDTH


def test_where_output_is_no_terminal_nothing_is_coloured(told: str) -> None:
    assert not PAINTED.search(told)


def test_a_text_that_was_not_taken_is_told_as_it_was_said(told: str) -> None:
    assert "player: Same time next week?" in told
    assert told.count("player: ") == 1
