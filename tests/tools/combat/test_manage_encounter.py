"""manage_encounter: four operations, each the same as the tool for it."""

from __future__ import annotations

import pytest
from tests.builders import Json, call, failed
from tests.tools.hall import Hall

PEOPLE = [{"character_id": "aria"}, {"character_id": "grik", "position": {"x": 5, "y": 5}}]


def manage(hall: Hall, operation: str, dice: tuple[int, ...] = (), /, **args: object) -> Json:
    return hall.do("manage_encounter", dice, operation=operation, **args)


def test_creating_looking_and_ending_are_as_by_the_tools_themselves(hall: Hall) -> None:
    given = {"participants": PEOPLE, "terrain": {"width": 9}, "lighting": "dim", "surprise": ["grik"]}
    by_tool = hall.do("create_encounter", [9, 8], **given)
    looked = hall.do("get_encounter", encounter_id="encounter-1", verbosity="summary")
    ended = hall.do("end_encounter", encounter_id="encounter-1", outcome="fled", notes="Gone.", commit=False)
    again = manage(hall, "create", (9, 8), **given)
    assert again == by_tool | {"encounter_id": "encounter-2"}
    shown = manage(hall, "get", encounter_id="encounter-2", verbosity="summary")
    assert shown == looked | {"encounter_id": "encounter-2"}
    assert manage(hall, "end", encounter_id="encounter-2", outcome="fled", notes="Gone.", commit=False) == ended
    documents = hall.encounter("encounter-1"), hall.encounter("encounter-2")
    assert documents[0] | {"id": "encounter-2"} == documents[1]


def test_the_list_holds_what_goes_on_and_if_wished_what_is_over(hall: Hall) -> None:
    assert manage(hall, "list") == {"encounters": [], "count": 0}
    for number in range(1, 12):
        manage(hall, "create", (9,), participants=[{"character_id": "aria"}])
        if number < 11:
            manage(hall, "end", encounter_id=f"encounter-{number}", outcome="victory")
    running = {"encounter_id": "encounter-11", "status": "running", "round": 1, "participant_count": 1, "outcome": None}
    assert manage(hall, "list") == {"encounters": [running], "count": 1}
    everything = manage(hall, "list", include_ended=True)
    assert [row["encounter_id"] for row in everything["encounters"]] == [f"encounter-{n}" for n in range(1, 12)]
    assert everything["encounters"][0] == {
        "encounter_id": "encounter-1",
        "status": "ended",
        "round": 1,
        "participant_count": 1,
        "outcome": "victory",
    }


@pytest.mark.parametrize("word", ["begin", "Create", "craete"])
def test_operations_are_understood_loosely(hall: Hall, word: str) -> None:
    assert manage(hall, word, (9,), participants=[{"character_id": "aria"}])["encounter_id"] == "encounter-1"


@pytest.mark.parametrize("word", ["ned", "en", "edn"])
def test_ending_is_never_guessed(hall: Hall, word: str) -> None:
    manage(hall, "create", (9,), participants=[{"character_id": "aria"}])
    assert hall.why("manage_encounter", operation=word, encounter_id="encounter-1", outcome="fled") == "invalid_args"


@pytest.mark.parametrize(
    ("args", "field"),
    [
        ({}, "operation"),
        ({"operation": "create"}, "participants"),
        ({"operation": "get"}, "encounter_id"),
        ({"operation": "end", "outcome": "fled"}, "encounter_id"),
        ({"operation": "end", "encounter_id": "encounter-1"}, "outcome"),
        ({"operation": "list", "encounter_id": "encounter-1"}, "encounter_id"),
        ({"operation": "get", "encounter_id": "encounter-1", "commit": False}, "commit"),
        ({"operation": "create", "participants": PEOPLE, "verbosity": "minimal"}, "verbosity"),
        ({"operation": "create", "participants": []}, "participants"),
    ],
)
def test_each_operation_wants_its_own_arguments(hall: Hall, args: Json, field: str) -> None:
    manage(hall, "create", (9,), participants=[{"character_id": "brom"}])
    failure = hall.fail("manage_encounter", **args)
    assert failure["reason"] == "invalid_args"
    assert failure["detail"].startswith(f"args.{field}: ")
    if field == "encounter_id" and args["operation"] != "list":
        assert failure["hint"]["choices"] == ["encounter-1"]


def test_reasons_are_those_of_the_tools(hall: Hall) -> None:
    assert hall.why("manage_encounter", operation="get", encounter_id="encounter-1") == "not_found"
    assert hall.why("manage_encounter", operation="create", participants=[{"character_name": "aria"}]) == "ambiguous"
    assert hall.why("manage_encounter", operation="create", participants=[{"character_id": "lena"}]) == "rule_violation"
    too_many = [{"character_id": f"c{i}"} for i in range(101)]
    failure = hall.fail("manage_encounter", operation="create", participants=too_many)
    assert (failure["reason"], failure["hint"]) == ("limit_exceeded", {"field": "args.participants", "got": 101})


def test_ending_twice_in_one_turn_is_a_conflict(hall: Hall) -> None:
    manage(hall, "create", (9,), participants=[{"character_id": "aria"}])
    calls = [call("manage_encounter", who, operation="end", encounterId="encounter-1", outcome="fled") for who in "ab"]
    reply = hall.campaign.process({"tool_calls": calls})
    assert failed(reply) == [("rejected", "conflict")]
