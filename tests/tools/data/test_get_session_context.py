"""get_session_context: where everything stands, in three lengths."""

from __future__ import annotations

from typing import Any

import pytest
from tests.builders import Json
from tests.tools.conftest import HallWith
from tests.tools.hall import Hall, ephemeral, fight, hall_documents, linked

TOOL = "get_session_context"
INN: Json = {
    "id": "inn",
    "name": "Inn",
    "area_id": "area_001",
    "location_type": "indoor",
    "description": "Warm.",
    "lighting": "dim",
    "edges": [
        {"id": "edge-1", "to_location_id": "gate", "locked": True},
        {"id": "edge-2", "to_location_id": "crypt", "hidden": True},
    ],
}
LONG = "x" * 70


def noted(*importances: str) -> dict[str, Json]:
    return {
        f"notes/note-{number}.json": {
            "id": f"note-{number}",
            "content": f"{number} {LONG}",
            "importance": importance,
            "turn": number,
        }
        for number, importance in enumerate(importances, start=1)
    }


@pytest.fixture
def town(hall_with: HallWith) -> Hall:
    poisoned = {"conditions": [{"condition": "poisoned"}]}
    return hall_with(
        {
            "locations/inn.json": INN,
            "locations/gate.json": {"id": "gate", "name": "Gate"},
            "locations/crypt.json": {"id": "crypt", "name": "Crypt"},
            "party.json": {"location_id": "inn", "roles": {"aria": "leader"}},
            "characters/brom.json": hall_documents()["characters/brom.json"] | poisoned,
        },
        noted("low", "high", "medium", "critical", "high"),
        fight(linked("brom", 1, 1), ephemeral("rat", 2, 2, hp=3), round=4, turn_index=1),
        {"encounters/old.json": _ended("old")},
    )


def _ended(identifier: str) -> Json:
    over = fight(ephemeral("rat", 1, 1), status="ended", outcome="victory")["encounters/encounter-1.json"]
    return over | {"id": identifier}


def look(hall: Hall, section: str, **args: Any) -> Any:
    result = hall.do(TOOL, include=[section], **args)
    assert list(result) == [section]
    return result[section]


def test_all_parts_stand_in_one_order_and_no_others_than_asked_for(town: Hall) -> None:
    assert list(town.do(TOOL)) == ["location", "party", "notes", "combat", "summary"]
    assert list(town.do(TOOL, include=["summary", "party", "summary"])) == ["party", "summary"]


def test_the_location(town: Hall) -> None:
    assert look(town, "location", format="brief") == {"name": "Inn"}
    assert look(town, "location", format="compact") == {"name": "Inn", "location_type": "indoor"}
    detailed = look(town, "location")
    assert (detailed["description"], detailed["terrain"], detailed["lighting"]) == ("Warm.", None, "dim")
    assert [(way["name"], way["locked"]) for way in detailed["exits"]] == [("Gate", True), ("Cellar", False)]


def test_the_party(town: Hall) -> None:
    assert look(town, "party", format="brief") == {
        "size": 4,
        "members": [{"name": name} for name in ("Aria", "Brom", "Cyra", "Dain")],
    }
    assert look(town, "party", format="compact")["members"][0] == {"name": "Aria", "role": "leader"}
    assert look(town, "party")["members"][1] == {
        "name": "Brom",
        "role": None,
        "character_id": "brom",
        "class": "Cleric",
        "level": 5,
        "hp": 38,
        "max_hp": 38,
        "conditions": ["poisoned"],
    }


def ids(notes: Json) -> list[str]:
    return [shown["note_id"] for shown in notes["shown"]]


def test_notes_come_by_importance_and_then_the_newest(town: Hall) -> None:
    notes = look(town, "notes")
    assert (notes["total"], ids(notes)) == (5, ["note-4", "note-5", "note-2", "note-3", "note-1"])
    assert ids(look(town, "notes", max_notes=2)) == ["note-4", "note-5"]
    assert ids(look(town, "notes", format="compact")) == ["note-4", "note-5", "note-2"]
    assert ids(look(town, "notes", format="compact", max_notes=1)) == ["note-4"]
    assert ids(look(town, "notes", format="brief", max_notes=9)) == ["note-4"]


@pytest.mark.parametrize(("form", "letters"), [("brief", 50), ("compact", 40), ("detailed", 60)])
def test_notes_are_cut_and_say_so(town: Hall, form: str, letters: int) -> None:
    first = look(town, "notes", format=form)["shown"][0]
    assert (first["content"], first["cut"]) == (f"4 {LONG}"[:letters], True)
    assert ("importance" in first, "tags" in first) == (form == "detailed", form == "detailed")


def test_a_note_that_is_short_enough_is_whole(hall: Hall) -> None:
    hall.do("add_session_note", content="y" * 60)
    assert look(hall, "notes")["shown"][0] == {
        "note_id": "note-1",
        "content": "y" * 60,
        "importance": "medium",
        "tags": [],
    }
    assert look(hall, "notes", include_timestamps=True)["shown"][0]["turn"] == 1


def test_the_fights_that_go_on_are_told(town: Hall) -> None:
    assert look(town, "combat", format="brief") == {"active": True, "encounters": [{"encounter_id": "encounter-1"}]}
    compact = {"encounter_id": "encounter-1", "round": 4, "current_turn": {"id": "rat", "name": "Rat"}}
    assert look(town, "combat", format="compact")["encounters"] == [compact]
    assert look(town, "combat")["encounters"][0]["participants"] == [
        {"id": "brom", "name": "Brom", "hp": 38, "max_hp": 38, "conditions": ["poisoned"]},
        {"id": "rat", "name": "Rat", "hp": 3, "max_hp": 3, "conditions": []},
    ]


@pytest.mark.parametrize("form", ["brief", "compact", "detailed"])
def test_the_summary_is_the_same_in_every_format(town: Hall, form: str) -> None:
    counts = {"location": "Inn", "party_size": 4, "notes": 5, "active_encounters": 1}
    assert look(town, "summary", format=form) == counts


def test_a_campaign_in_which_nothing_is(hall: Hall) -> None:
    hall.do("manage_party", operation="clear")
    assert hall.do(TOOL) == {
        "location": None,
        "party": {"size": 0, "members": []},
        "notes": {"total": 0, "shown": []},
        "combat": {"active": False, "encounters": []},
        "summary": {"location": None, "party_size": 0, "notes": 0, "active_encounters": 0},
    }


def test_it_can_be_asked_outside_of_turns_and_changes_nothing(town: Hall) -> None:
    before = town.campaign.state
    answer = town.campaign.query(TOOL, {"include": ["Sumary"], "format": "MINI-mal"})
    assert answer["result"] == {"summary": {"location": "Inn", "party_size": 4, "notes": 5, "active_encounters": 1}}
    assert town.campaign.state == before


def test_words_are_read_loosely_also_within_the_list(hall: Hall) -> None:
    action = hall.action(TOOL, include=["battle", "noets"], maxNotes=3)
    assert action["args"] == {"include": ["combat", "notes"], "max_notes": 3}
    assert [correction["how"] for correction in action["corrections"]] == ["alias", "fuzzy"]


@pytest.mark.parametrize(
    "args", [{"include": []}, {"include": ["banana"]}, {"max_notes": 0}, {"format": "purple"}, {"include": "party"}]
)
def test_ill_formed_arguments_are_refused(hall: Hall, args: Json) -> None:
    assert hall.why(TOOL, **args) == "invalid_args"
