"""Experience points: how they are counted and shared, and which level they are enough for."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.builders import Json, clock
from tests.tools.hall import Hall

from turnwright import Campaign
from turnwright.rulesets.fifth_edition.sheets.experience import XP_FOR_LEVEL, level_for


def test_there_is_a_number_for_each_level_and_none_is_below_the_one_before() -> None:
    assert len(XP_FOR_LEVEL) == 20
    assert list(XP_FOR_LEVEL) == sorted(set(XP_FOR_LEVEL))


@pytest.mark.parametrize(
    ("points", "level"),
    [(0, 1), (299, 1), (300, 2), (899, 2), (900, 3), (6499, 4), (6500, 5), (354_999, 19), (355_000, 20), (10**9, 20)],
)
def test_a_level_is_reached_with_its_points(points: int, level: int) -> None:
    assert level_for(points) == level


@pytest.mark.parametrize(
    ("before", "change", "after", "due"),
    [
        (None, 300, 300, None),
        (None, "+14000", 14_000, 6),
        (6500, "+7499", 13_999, None),
        (6500, "+7500", 14_000, 6),
        (6500, "-7000", 0, None),
        (None, 355_000, 355_000, 20),
    ],
)
def test_points_are_added_or_set_and_the_level_that_is_due_is_told(
    hall: Hall, before: int | None, change: int | str, after: int, due: int | None
) -> None:
    if before is not None:
        hall.do("update_character", character_id="aria", experience=before)
    result = hall.do("update_character", character_id="aria", experience=change)
    assert result["character"]["sheet"]["experience"] == after
    assert result["character"].get("level_due") == due
    assert hall.do("get_character", character_id="aria")["character"].get("level_due") == due
    assert result["character"]["sheet"]["level"] == 5  # nothing rises by itself


def test_a_level_that_was_due_is_due_no_more_once_it_is_reached(hall: Hall) -> None:
    hall.do("update_character", character_id="aria", experience=14_000)
    hall.do("level_up", character_id="aria")
    found = hall.do("get_character", character_id="aria")["character"]
    assert (found["sheet"]["level"], "level_due" in found) == (6, False)


def test_who_counts_no_points_is_shown_as_before(hall: Hall) -> None:
    assert "level_due" not in json.dumps(hall.do("get_character", character_id="aria"))
    assert "experience" not in json.dumps(hall.person("aria"))


@pytest.fixture(name="campaign")
def fixture_campaign(tmp_path: Path) -> Iterator[Campaign]:
    with Campaign.new(tmp_path / "c", template="toolkit", seed="xp", clock=clock) as campaign:
        for name, kind in (("Ada", "pc"), ("Bran", "pc"), ("Cole", "npc")):
            sheet = {"name": name, "race": "Human", "class": "Fighter", "character_type": kind}
            do(campaign, "create_character", **sheet)
        yield campaign


def do(campaign: Campaign, tool: str, **args: object) -> Json:
    reply = campaign.process({"tool_calls": [{"id": "a", "tool": tool, "args": args}]})
    assert reply["status"] == "applied", reply["tool_feedback"]
    found: Json = reply["applied_actions"][0]["result"]
    return found


def fought(campaign: Campaign, *monsters: Json, slain: tuple[str, ...] = ()) -> None:
    people = [{"character_name": name} for name in ("Ada", "Bran", "Cole")]
    do(campaign, "create_encounter", participants=people, monsters=list(monsters))
    for each in slain:
        do(campaign, "update_character", character_id=each, encounter_id="encounter-1", hp="-999")


@pytest.mark.parametrize(
    ("which", "xp", "counted"), [("defeated", 450, ["ogre"]), ("all", 550, ["goblin-1", "goblin-2", "ogre"])]
)
def test_monsters_are_shared_among_the_players_characters(
    campaign: Campaign, which: str, xp: int, counted: list[str]
) -> None:
    fought(campaign, {"monster": "ogre"}, {"monster": "goblin", "count": 2}, slain=("ogre",))
    told = do(campaign, "end_encounter", encounter_id="encounter-1", outcome="victory", award_xp=which)["experience"]
    assert (told["xp"], told["share"], sorted(told["monsters"])) == (xp, xp // 2, counted)
    assert sorted(each["character_id"] for each in told["gained"]) == ["character-1", "character-2"]
    sheets = [campaign.state[f"characters/character-{n}.json"]["sheet"] for n in (1, 2, 3)]
    assert [sheet.get("experience") for sheet in sheets] == [xp // 2, xp // 2, None]


def test_the_dead_learn_nothing_more(campaign: Campaign) -> None:
    fought(campaign, {"monster": "ogre"}, slain=("ogre",))
    do(campaign, "update_character", character_name="Bran", character_state="dead")
    told = do(campaign, "end_encounter", encounter_id="encounter-1", outcome="victory", award_xp="defeated")
    assert [each["experience"] for each in told["experience"]["gained"]] == [450]
    assert told["experience"]["gained"][0]["level_due"] == 2


def test_without_the_argument_nobody_gets_any(campaign: Campaign) -> None:
    fought(campaign, {"monster": "ogre"}, slain=("ogre",))
    assert "experience" not in do(campaign, "end_encounter", encounter_id="encounter-1", outcome="victory")
    assert "experience" not in campaign.state["characters/character-1.json"]["sheet"]
