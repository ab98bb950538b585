"""The calendar: what takes time, what is over in time, and how often one may rest."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.builders import Json, clock, spelt
from tests.tools.conftest import HallWith
from tests.tools.hall import Hall, ephemeral, fight, hall_documents, linked

from turnwright import Campaign, Viewer

ON = {"rules": {"calendar": True}}


@pytest.fixture(name="dated")
def fixture_dated(hall_with: HallWith) -> Hall:
    return dated_with(hall_with)


def dated_with(hall_with: HallWith, *more: dict[str, Json]) -> Hall:
    campaign = hall_documents()["campaign.json"]
    return hall_with({"campaign.json": {**campaign, "settings": ON}}, *more)


def rest(hall: Hall, who: str, kind: str = "short", **args: object) -> Json:
    return hall.do("take_rest", character_id=who, rest_type=kind, **args)


def seconds(hall: Hall) -> int:
    found: Json = hall.campaign.state.get("calendar.json", {"seconds": 0})
    return int(found["seconds"])


def bless(hall: Hall, who: str, rounds: int) -> None:
    hall.do(
        "manage_effect", target_id=who, operation="add", effect={"name": "Bless", "type": "boon", "duration": rounds}
    )


def names(hall: Hall, who: str) -> list[str]:
    return [each["name"] for each in hall.person(who).get("effects", ())]


@pytest.mark.parametrize(
    ("args", "hours"),
    [
        ({"kind": "short"}, 1),
        ({"kind": "short", "hours": 3}, 3),
        ({"kind": "long"}, 8),
        ({"kind": "long", "hours": 11}, 11),
        ({"kind": "long", "hours": 2, "uninterrupted": False}, 2),
        ({"kind": "long", "uninterrupted": False}, 0),
    ],
)
def test_a_rest_takes_its_hours(dated: Hall, args: Json, hours: int) -> None:
    rest(dated, "aria", **args)
    assert seconds(dated) == hours * 3600


def test_without_a_calendar_no_time_passes(hall: Hall) -> None:
    bless(hall, "aria", 10)
    assert "time" not in rest(hall, "aria", "long")
    assert rest(hall, "aria", "long")["rest_type"] == "long"
    assert names(hall, "aria") == ["Bless"]
    assert "calendar.json" not in hall.campaign.state
    assert hall.fail("take_rest", character_id="aria", rest_type="long", hours=8)["reason"] == "invalid_args"


@pytest.mark.parametrize(("rounds", "is_left"), [(600, False), (601, True), (1, False), (4800, True)])
def test_an_hour_is_six_hundred_rounds(dated: Hall, rounds: int, is_left: bool) -> None:
    bless(dated, "dain", rounds)
    over = rest(dated, "aria")["time"]["over"]
    assert names(dated, "dain") == (["Bless"] if is_left else [])
    assert over == ([] if is_left else [{"target_id": "dain", "name": "Bless"}])


def test_what_lasts_otherwise_is_left_alone(dated: Hall) -> None:
    lasting = {"name": "Curse", "type": "curse", "duration": "until_dispelled"}
    dated.do("manage_effect", target_id="dain", operation="add", effect=lasting)
    dated.do("manage_condition", target_id="dain", operation="add", condition="charmed")
    rest(dated, "aria", "long")
    assert names(dated, "dain") == ["Curse"]
    assert [each["condition"] for each in dated.person("dain")["conditions"]] == ["charmed"]


def test_concentration_ends_with_all_that_hangs_on_it(dated: Hall) -> None:
    dated.do("manage_concentration", operation="set", character_id="cyra", spell_name="Haste", duration=10)
    held = {"name": "Haste", "type": "boon", "duration": "concentration", "source": "cyra"}
    dated.do("manage_effect", target_id="dain", operation="add", effect=held)
    assert rest(dated, "aria")["time"]["over"] == [{"target_id": "cyra", "name": "Haste"}]
    assert names(dated, "dain") == []


def test_concentration_that_lasts_longer_has_so_much_less_left(dated: Hall) -> None:
    dated.do("manage_concentration", operation="set", character_id="cyra", spell_name="Fog", duration=700)
    rest(dated, "aria")
    assert dated.person("cyra")["concentration"]["rounds_remaining"] == 100


def test_those_who_rest_in_one_turn_rest_at_the_same_time(dated: Hall) -> None:
    who = ("aria", "brom", "cyra")
    calls = [{"id": each, "tool": "take_rest", "args": {"character_id": each, "rest_type": "long"}} for each in who]
    assert dated.campaign.process({"tool_calls": calls})["status"] == "applied"
    assert seconds(dated) == 8 * 3600
    assert {dated.person(each)["sheet"]["long_rest_at"] for each in who} == {8 * 3600}


def test_two_rests_of_one_person_follow_each_other(dated: Hall) -> None:
    calls = [{"id": each, "tool": "take_rest", "args": {"character_id": "aria", "rest_type": "short"}} for each in "ab"]
    assert dated.campaign.process({"tool_calls": calls})["status"] == "applied"
    assert seconds(dated) == 2 * 3600


def test_a_second_long_rest_ends_a_day_after_the_first_at_the_earliest(dated: Hall) -> None:
    rest(dated, "aria", "long")
    failure = dated.fail("take_rest", character_id="aria", rest_type="long")
    assert failure["reason"] == "rule_violation"
    assert "can begin in 16 hours" in failure["detail"]
    rest(dated, "brom", "short", hours=15)
    assert dated.fail("take_rest", character_id="aria", rest_type="long")["reason"] == "rule_violation"
    assert rest(dated, "aria", "long", hours=9)["time"]["ended"] == {"day": 2, "hour": 16, "minute": 0}


def test_an_interrupted_long_rest_is_none(dated: Hall) -> None:
    rest(dated, "aria", "long", uninterrupted=False, hours=4)
    assert "long_rest_at" not in dated.person("aria")["sheet"]
    assert rest(dated, "aria", "long")["interrupted"] is False


def fighting(hall_with: HallWith) -> Hall:
    return dated_with(hall_with, fight(linked("aria", 0, 0), ephemeral("rat", 5, 5), round=3))


@pytest.mark.parametrize(("commit", "passed"), [(True, 18), (False, 0)])
def test_a_fight_takes_six_seconds_a_round_unless_it_was_a_dream(
    hall_with: HallWith, commit: bool, passed: int
) -> None:
    hall = fighting(hall_with)
    bless(hall, "aria", 2)
    bless(hall, "dain", 2)
    hall.do("end_encounter", encounter_id="encounter-1", outcome="victory", commit=commit)
    assert seconds(hall) == passed
    # For her the rounds went by one by one, in her turns.
    assert (names(hall, "aria"), names(hall, "dain")) == (["Bless"], [] if commit else ["Bless"])


def test_who_fights_meanwhile_is_left_alone(hall_with: HallWith) -> None:
    hall = fighting(hall_with)
    bless(hall, "aria", 2)
    rest(hall, "brom")
    assert names(hall, "aria") == ["Bless"]


def test_undo_turns_the_clock_back(dated: Hall) -> None:
    before = spelt(dated.campaign.state)
    rest(dated, "aria", "long")
    dated.campaign.undo()
    assert spelt(dated.campaign.state) == before


def test_players_do_not_see_what_was_over_for_others(dated: Hall) -> None:
    bless(dated, "ogg", 3)
    call = {"id": "a", "tool": "take_rest", "args": {"character_id": "aria", "rest_type": "long"}}
    seen = dated.campaign.project(dated.campaign.process({"tool_calls": [call]}), Viewer.of("player:aria"))
    assert "Bless" not in spelt(seen)
    assert "calendar" not in spelt(seen)


def test_new_games_keep_a_calendar_and_look_from_corners(tmp_path: Path) -> None:
    with Campaign.new(tmp_path / "c", template="toolkit", seed="new", clock=clock) as campaign:
        assert campaign.state["campaign.json"]["settings"] == {"rules": {"calendar": True, "cover": "corners"}}
    with Campaign.new(tmp_path / "d", seed="old", clock=clock) as campaign:
        assert campaign.state["campaign.json"]["settings"] == {}
