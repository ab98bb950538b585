"""manage_notes: what is noted is found again."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.builders import Json
from tests.sampling import tries
from tests.tools.conftest import HallWith
from tests.tools.hall import Hall

TOOL = "manage_notes"


def note(hall: Hall, content: str, *tags: str, **fields: Any) -> Json:
    shown: Json = hall.do(TOOL, operation="add", content=content, tags=list(tags), **fields)["note"]
    return shown


def found(hall: Hall, **args: Any) -> list[str]:
    return [shown["content"] for shown in hall.do(TOOL, operation="search", **args)["notes"]]


def test_a_note_holds_what_was_said_and_when(hall: Hall) -> None:
    hall.do("roll_dice", [3], expression="1d6")
    shown = hall.do(TOOL, operation="add", content="Lena lies.", tags=["npc"], importance="urgent")
    assert shown == {
        "note": {"note_id": "note-1", "content": "Lena lies.", "tags": ["npc"], "importance": "critical", "turn": 2},
        "total": 1,
    }
    assert hall.do(TOOL, operation="get", note_id="note-1")["note"] == shown["note"]
    assert note(hall, "Plain.")["importance"] == "medium"


def test_a_search_looks_for_text_and_for_all_tags_in_any_case(hall: Hall) -> None:
    note(hall, "The STRASSE is closed", "Town", "road")
    note(hall, "the straße is open", "town")
    note(hall, "A dragon!", "road")
    assert found(hall, query="straße") == ["the straße is open", "The STRASSE is closed"]
    assert found(hall, query="IS", tag_filter=["TOWN", "Road"]) == ["The STRASSE is closed"]
    assert found(hall, tag_filter=["road "]) == ["A dragon!", "The STRASSE is closed"]
    assert found(hall, tag_filter=["roa"]) == []
    assert len(found(hall)) == len(found(hall, query="", tag_filter=[])) == 3
    assert found(hall, query=".*") == []


def test_count_is_what_fits_and_total_what_there_is(hall: Hall) -> None:
    for number in range(5):
        note(hall, f"note {number % 2}")
    result = hall.do(TOOL, operation="search", query="note 0", limit=2)
    assert (len(result["notes"]), result["count"], result["total"]) == (2, 3, 5)
    result = hall.do(TOOL, operation="list", limit=2)
    assert (len(result["notes"]), result["count"], result["total"]) == (2, 5, 5)


def test_the_newest_is_the_one_with_the_highest_number(hall: Hall) -> None:
    for number in range(1, 12):
        note(hall, str(number))
    listed = hall.do(TOOL, operation="list")["notes"]
    assert [shown["content"] for shown in listed] == [str(number) for number in range(11, 0, -1)]


def test_a_deleted_note_is_gone_and_its_id_with_it(hall: Hall) -> None:
    note(hall, "Old.")
    assert hall.do(TOOL, operation="remove", note_id="note-1")["total"] == 0
    assert "notes/note-1.json" not in hall.campaign.state
    assert hall.why(TOOL, operation="get", note_id="note-1") == "not_found"
    assert note(hall, "New.")["note_id"] == "note-2"


@pytest.mark.parametrize("operation", ["get", "delete"])
def test_an_unknown_note_is_not_found(hall: Hall, operation: str) -> None:
    note(hall, "One.")
    feedback = hall.fail(TOOL, operation=operation, note_id="note-12")
    assert (feedback["reason"], feedback["hint"]["choices"]) == ("not_found", ["note-1"])
    assert hall.why(TOOL, operation=operation, note_id="../campaign") == "not_found"
    assert hall.fail(TOOL, operation=operation)["hint"]["field"] == "args.note_id"


@pytest.mark.parametrize(
    "args",
    [
        {"operation": "add"},
        {"operation": "add", "content": ""},
        {"operation": "add", "content": " \n\t"},
        {"operation": "add", "content": "x" * 20_001},
        {"operation": "add", "content": "x", "tags": [""]},
        {"operation": "add", "content": "x", "tags": ["inn", "  "]},
        {"operation": "add", "content": "x", "importance": "banana"},
        {"operation": "list", "limit": 0},
        {"operation": "delet", "note_id": "note-1"},
        {"content": "x"},
    ],
)
def test_ill_formed_arguments_are_refused(hall: Hall, args: Json) -> None:
    assert hall.why(TOOL, **args) == "invalid_args"


def test_several_notes_are_taken_at_once_each_by_itself(hall: Hall) -> None:
    items = [{"operation": "add", "content": "One."}, {"operation": "add", "content": " "}]
    reply = hall.reply(TOOL, {"batch": [*items, {"operation": "add", "content": "ERROR is a word."}]})
    assert reply["status"] == "partial"
    result = reply["applied_actions"][0]["result"]
    assert (result["succeeded"], result["failed"]) == (2, 1)
    assert result["results"][1]["hint"]["field"] == "args.batch.1.content"
    assert hall.do(TOOL, operation="list")["total"] == 2
    assert hall.why(TOOL, batch=items, atomic=True) == "invalid_args"
    assert hall.why(TOOL, batch=[items[0]] * 21) == "limit_exceeded"


def test_old_names_do_the_same(hall: Hall) -> None:
    assert hall.do("add_session_note", content="One.", tags=["a"])["note"]["note_id"] == "note-1"
    assert hall.reply("add_session_note", {"batch": [{"content": "Two."}]})["status"] == "applied"
    action = hall.action("search_notes", query="TWO", tagFilter=[])
    assert (action["alias_of"], action["result"]["count"]) == ("search_notes", 1)
    assert hall.why("search_notes", operation="delete", note_id="note-1") == "invalid_args"


TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1, max_size=30).filter(str.strip)


@settings(max_examples=tries(15), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(TEXTS, st.data())
def test_every_part_of_a_note_finds_it(hall_with: HallWith, content: str, data: st.DataObject) -> None:
    hall = hall_with()
    note(hall, content)
    start = data.draw(st.integers(0, len(content) - 1))
    end = data.draw(st.integers(start + 1, len(content)))
    assert found(hall, query=content[start:end]) == [content]
    assert found(hall, query=content.upper()) in ([content], [])
