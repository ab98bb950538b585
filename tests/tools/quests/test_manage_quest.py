"""manage_quest: from offer to end, and nothing twice."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests import builders
from tests.builders import Json, call, spelt, turn
from tests.conftest import MakeCampaign
from tests.sampling import tries
from tests.tools.conftest import HallWith
from tests.tools.hall import Hall, hall_documents

from turnwright.audit.check import check_directory
from turnwright.audit.verify import verify
from turnwright.model.state.fold import fold

TOOL = "manage_quest"
WANTED = {"start": "offered", "decline": "offered", "complete": "active", "fail": "active"}
BECOMES = {"start": "active", "decline": "declined", "complete": "completed", "fail": "failed"}
CLOSED = ("completed", "failed", "declined")


def offer(hall: Hall, title: str = "Rats", *objectives: str, **fields: Any) -> str:
    """Offer a quest and return its id."""
    result = hall.do(TOOL, operation="offer", title=title, objectives=list(objectives), **fields)
    return str(result["quest"]["quest_id"])


def quest_that_is(hall: Hall, status: str) -> str:
    """Return a quest that was brought to a status by the tool itself."""
    quest = offer(hall)
    for operation in {"offered": [], "declined": ["decline"], "active": ["start"]}.get(status, ["start"]):
        hall.do(TOOL, operation=operation, quest_id=quest)
    if status in ("completed", "failed"):
        hall.do(TOOL, operation={"completed": "complete", "failed": "fail"}[status], quest_id=quest)
    return quest


def status(hall: Hall, quest: str) -> str:
    return str(hall.campaign.state[f"quests/{quest}.json"]["status"])


def test_an_offer_holds_what_was_asked_and_when(hall: Hall) -> None:
    hall.do("roll_dice", [3], expression="1d6")
    result = hall.do(
        TOOL, operation="offer", title=" Rats ", giver_name="LENA", objectives=["Nest", "King"], reward="20 gp"
    )
    document = {
        "id": "quest-1",
        "title": "Rats",
        "giver_id": "lena",
        "status": "offered",
        "objectives": [
            {"id": "objective-1", "text": "Nest", "done": False},
            {"id": "objective-2", "text": "King", "done": False},
        ],
        "reward": "20 gp",
        "offered_turn": 1,
        "closed_turn": None,
    }
    assert hall.campaign.state["quests/quest-1.json"] == document
    shown = {"quest_id": document.pop("id"), **document}
    assert result == {"quest": shown, "total": 1}


def test_an_offer_needs_a_title_and_nothing_else(hall: Hall) -> None:
    assert hall.fail(TOOL, operation="offer")["hint"]["field"] == "args.title"
    assert hall.why(TOOL, operation="offer", title=" ") == "invalid_args"
    quest = hall.do(TOOL, operation="offer", title="Bread")["quest"]
    assert (quest["giver_id"], quest["objectives"], quest["reward"]) == (None, [], None)


def test_the_giver_is_a_character(hall: Hall) -> None:
    feedback = hall.fail(TOOL, operation="offer", title="Rats", giver_id="lenna")
    assert (feedback["reason"], feedback["hint"]["allowed"][0]) == ("not_found", "lena")
    assert hall.why(TOOL, operation="offer", title="Rats", giver_name="Aria") == "ambiguous"


def test_a_new_quest_is_given_its_id_and_never_an_old_one(hall: Hall) -> None:
    feedback = hall.fail(TOOL, operation="offer", title="Rats", quest_id="rats")
    assert feedback["hint"] == {"field": "args.quest_id", "remove": True}
    assert offer(hall) == "quest-1"
    hall.campaign.undo()
    assert "quests/quest-1.json" not in hall.campaign.state
    assert offer(hall) == "quest-2"


def test_a_second_open_quest_of_a_title_is_offered_with_a_warning(hall: Hall) -> None:
    first = offer(hall, "Rats")
    action = hall.action(TOOL, operation="offer", title="RATS")
    assert action["warnings"] == ["there is another open quest called RATS: quest-1"]
    hall.do(TOOL, operation="decline", quest_id=first)
    hall.do(TOOL, operation="decline", quest_id="quest-2")
    assert "warnings" not in hall.action(TOOL, operation="offer", title="rats")


@pytest.mark.parametrize("operation", WANTED)
@pytest.mark.parametrize("now", ["offered", "active", *CLOSED])
def test_only_legal_moves_are_made(hall: Hall, operation: str, now: str) -> None:
    quest = quest_that_is(hall, now)
    if now == WANTED[operation]:
        hall.do(TOOL, operation=operation, quest_id=quest)
        assert status(hall, quest) == BECOMES[operation]
        return
    is_again = now in CLOSED or (operation, now) == ("start", "active")
    assert hall.why(TOOL, operation=operation, quest_id=quest) == ("conflict" if is_again else "rule_violation")


@pytest.mark.parametrize("now", ["offered", *CLOSED])
def test_objectives_are_done_only_while_the_quest_is_active(hall: Hall, now: str) -> None:
    quest = quest_that_is(hall, now)
    reason = hall.why(TOOL, operation="complete_objective", quest_id=quest, objective_id="objective-1")
    assert reason == ("rule_violation" if now == "offered" else "conflict")


def test_each_objective_is_done_once(hall: Hall) -> None:
    quest = offer(hall, "Rats", "Nest", "King")
    hall.do(TOOL, operation="start", quest_id=quest)
    done = hall.do("complete_objective", quest_id=quest, objective_id="objective-2")["quest"]
    assert [each["done"] for each in done["objectives"]] == [False, True]
    again = hall.fail("complete_objective", quest_id=quest, objective_id="objective-2")
    assert (again["reason"], again["hint"]["choices"]) == ("conflict", ["objective-1"])
    unknown = hall.fail("complete_objective", quest_id=quest, objective_id="objective-3")
    assert (unknown["reason"], unknown["hint"]["choices"]) == ("not_found", ["objective-1"])


def test_an_objective_of_a_quest_without_any_is_not_found(hall: Hall) -> None:
    quest = quest_that_is(hall, "active")
    feedback = hall.fail(TOOL, operation="complete_objective", quest_id=quest, objective_id="objective-1")
    assert feedback["reason"] == "not_found"
    assert feedback["hint"] == {"field": "args.objective_id", "got": "objective-1"}


@pytest.mark.parametrize("given", [{}, {"force": False}])
def test_open_objectives_are_left_open_only_by_force(hall: Hall, given: Json) -> None:
    quest = offer(hall, "Rats", "Nest", "King")
    hall.do(TOOL, operation="start", quest_id=quest)
    hall.do(TOOL, operation="complete_objective", quest_id=quest, objective_id="objective-1")
    feedback = hall.fail(TOOL, operation="complete", quest_id=quest, **given)
    assert (feedback["reason"], feedback["detail"]) == ("rule_violation", "quest-1 has open objectives: objective-2")
    assert (feedback["hint"]["field"], feedback["hint"]["choices"]) == ("args.force", [True])
    action = hall.action(TOOL, operation="complete", quest_id=quest, force=True)
    assert action["warnings"] == ["completed with open objectives: objective-2"]
    assert [each["done"] for each in action["result"]["quest"]["objectives"]] == [True, False]


def test_a_quest_fails_with_its_objectives_open(hall: Hall) -> None:
    quest = offer(hall, "Rats", "Nest")
    hall.do(TOOL, operation="start", quest_id=quest)
    action = hall.action(TOOL, operation="fail", quest_id=quest)
    assert action["result"]["quest"]["status"] == "failed"
    assert "warnings" not in action


def test_turns_are_counted_as_they_are_closed(hall: Hall) -> None:
    quest = offer(hall)
    hall.campaign.process({"user_input": "Hm."})
    hall.do(TOOL, operation="start", quest_id=quest)
    shown = hall.do(TOOL, operation="complete", quest_id=quest)["quest"]
    assert (shown["offered_turn"], shown["closed_turn"]) == (0, 3)


def test_all_calls_of_a_turn_see_the_same_number_of_closed_turns(hall: Hall) -> None:
    hall.campaign.process({"user_input": "Hm."})
    calls = [
        call(TOOL, operation="offer", title="A"),
        call("start_quest", quest_id="A"),
        call("complete_quest", quest_id="A"),
    ]
    assert hall.campaign.process(turn(*calls))["status"] == "applied"
    kept = hall.campaign.state["quests/quest-1.json"]
    assert (kept["status"], kept["offered_turn"], kept["closed_turn"]) == ("completed", 1, 1)


@pytest.mark.parametrize("named", ["quest-1", "Rats in the cellar", "  RATS  in the cellar "])
def test_a_quest_is_named_by_id_or_title(hall: Hall, named: str) -> None:
    offer(hall, "Rats in the cellar")
    assert hall.do(TOOL, operation="start", quest_id=named)["quest"]["quest_id"] == "quest-1"


def test_a_title_of_two_quests_is_ambiguous_and_the_fitting_one_comes_first(hall: Hall) -> None:
    hall.do(TOOL, operation="decline", quest_id=offer(hall, "Rats"))
    offer(hall, "rats")
    feedback = hall.fail(TOOL, operation="start", quest_id="Rats")
    assert (feedback["reason"], feedback["hint"]["choices"]) == ("ambiguous", ["quest-2", "quest-1"])


def test_hints_name_the_quests_that_the_operation_could_be_done_with(hall: Hall) -> None:
    nobodys = {"field": "args.quest_id", "got": "quest-1"}
    assert hall.fail(TOOL, operation="start", quest_id="quest-1")["hint"] == nobodys
    for _ in range(3):
        offer(hall)
    hall.do(TOOL, operation="start", quest_id="quest-2")
    assert hall.fail(TOOL, operation="start", quest_id="quest-9")["hint"]["choices"] == ["quest-1", "quest-3"]
    assert hall.fail(TOOL, operation="start", quest_id="quest-2")["hint"]["choices"] == ["quest-1", "quest-3"]
    assert hall.fail(TOOL, operation="fail", quest_id="quest-1")["hint"]["choices"] == ["quest-2"]
    hall.do(TOOL, operation="fail", quest_id="quest-2")
    assert hall.fail(TOOL, operation="fail", quest_id="quest-1")["hint"] == nobodys


def test_a_list_has_the_newest_first_and_of_one_status_if_wanted(hall: Hall) -> None:
    for number in range(1, 12):
        offer(hall, str(number))
    hall.do(TOOL, operation="start", quest_id="quest-4")
    listed = hall.do(TOOL, operation="list", limit=3)
    assert ([each["title"] for each in listed["quests"]], listed["count"]) == (["11", "10", "9"], 11)
    active = hall.do(TOOL, operation="list", status="active")
    assert ([each["quest_id"] for each in active["quests"]], active["count"], active["total"]) == (["quest-4"], 1, 11)


@pytest.mark.parametrize("word", ["Offer", "create", "add", "new"])
def test_a_quest_is_offered_by_other_words(hall: Hall, word: str) -> None:
    action = hall.action(TOOL, operation=word, title="Rats")
    assert (action["args"]["operation"], action["result"]["quest"]["status"]) == ("offer", "offered")


@pytest.mark.parametrize("start", ["accept", "begin"])
@pytest.mark.parametrize(
    ("word", "end"), [("finish", "completed"), ("done", "completed"), ("close", "completed"), ("abandon", "failed")]
)
def test_a_quest_is_taken_on_and_ended_by_other_words(hall: Hall, start: str, word: str, end: str) -> None:
    quest = offer(hall)
    action = hall.action(TOOL, operation=start, quest_id=quest)
    assert action["corrections"] == [{"field": "args.operation", "from": start, "to": "start", "how": "alias"}]
    assert status(hall, quest) == "active"
    hall.do(TOOL, operation=word, quest_id=quest)
    assert status(hall, quest) == end


def test_all_is_every_quest_and_the_failure_of_none(hall: Hall) -> None:
    quest = quest_that_is(hall, "active")
    assert hall.do(TOOL, operation="all", quest_id=quest)["count"] == 1
    assert status(hall, quest) == "active"


def test_a_strange_operation_is_refused(hall: Hall) -> None:
    assert hall.why(TOOL, operation="postpone", title="Rats") == "invalid_args"


def test_arguments_may_be_in_camel_case(hall: Hall) -> None:
    action = hall.action(TOOL, operation="offer", title="Rats", giverId="lena")
    assert action["args"] == {"operation": "offer", "title": "Rats", "giver_id": "lena"}


def test_several_objectives_are_done_at_once(hall: Hall) -> None:
    quest = offer(hall, "Rats", "Nest", "King")
    hall.do(TOOL, operation="start", quest_id=quest)
    items = [{"quest_id": quest, "objective_id": f"objective-{number}"} for number in (1, 2, 3)]
    result = hall.reply("complete_objective", {"batch": items})["applied_actions"][0]["result"]
    assert (result["succeeded"], result["failed"]) == (2, 1)
    assert hall.do(TOOL, operation="complete", quest_id=quest)["quest"]["status"] == "completed"


def test_quests_are_opt_in(make_campaign: MakeCampaign) -> None:
    values = hall_documents()
    values["campaign.json"]["allowlist"].remove(TOOL)
    hall = Hall(make_campaign(values))
    assert hall.why(TOOL, operation="list") == "tool_not_allowed"
    assert hall.why("start_quest", quest_id="quest-1") == "tool_not_allowed"


def test_who_gave_quests_can_be_deleted_and_the_quests_stay(hall: Hall) -> None:
    offer(hall, "Rats", giver_id="lena")
    hall.do(TOOL, operation="decline", quest_id=offer(hall, "Mice", giver_id="lena"))
    offer(hall, "Wolves", giver_id="ogg")
    action = hall.action("delete_character", character_id="lena")
    assert action["warnings"] == ["quest-1 has no giver any more"]
    givers = [hall.campaign.state[f"quests/quest-{number}.json"]["giver_id"] for number in (1, 2, 3)]
    assert givers == [None, None, "ogg"]


def test_ids_that_are_legal_now_are_told(hall: Hall) -> None:
    offer(hall)
    text = spelt(hall.campaign.legal())
    assert '"quest-1"' in text
    assert '"quest-2"' not in text


# whatever is asked

STEPS = st.tuples(
    st.sampled_from(["offer", "start", "decline", "complete_objective", "complete", "fail", "list"]),
    st.integers(1, 3),
    st.integers(1, 3),
    st.booleans(),
)


def expected(quests: dict[str, Json], step: tuple[str, int, int, bool]) -> str:
    """Do a step in a model of the rules, and return the reason for which it must fail, or nothing."""
    operation, number, objective, force = step
    if operation == "offer":
        quests[f"quest-{len(quests) + 1}"] = {"status": "offered", "open": set(range(1, objective))}
    quest = quests.get(f"quest-{number}")
    if operation in ("offer", "list"):
        return ""
    if quest is None:
        return "not_found"
    wanted = WANTED.get(operation, "active")
    if quest["status"] != wanted:
        is_again = quest["status"] in CLOSED or operation == "start"
        return "conflict" if is_again else "rule_violation"
    if operation == "complete_objective":
        if objective not in quest["open"]:
            return "conflict" if objective in quest.get("done", ()) else "not_found"
        quest["open"].discard(objective)
        quest["done"] = {*quest.get("done", ()), objective}
    elif operation == "complete" and quest["open"] and not force:
        return "rule_violation"
    else:
        quest["status"] = BECOMES[operation]
    return ""


def arguments(step: tuple[str, int, int, bool]) -> Json:
    operation, number, objective, force = step
    if operation == "offer":
        texts = [f"do {each}" for each in range(1, objective)]
        return {"operation": operation, "title": f"after {number}", "objectives": texts, "giver_id": "ogg"}
    if operation == "list":
        return {"operation": operation}
    args: Json = {"operation": operation, "quest_id": f"quest-{number}"}
    if operation == "complete_objective":
        args["objective_id"] = f"objective-{objective}"
    return args | ({"force": force} if operation == "complete" else {})


@settings(max_examples=tries(20))
@given(st.lists(STEPS, min_size=1, max_size=15))
def test_any_calls_make_legal_moves_only_and_the_log_folds_to_the_documents(
    steps: Sequence[tuple[str, int, int, bool]],
) -> None:
    quests: dict[str, Json] = {}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "hall"
        with builders.begin(path, hall_documents()) as campaign:
            for step in steps:
                reason = expected(quests, step)
                reply = campaign.process(turn(call(TOOL, **arguments(step))))
                told = [feedback["reason"] for feedback in reply["tool_feedback"]["failed_calls"]]
                assert told == ([reason] if reason else []), step
            state = campaign.state
            assert spelt(fold(list(campaign.records()))) == spelt(state)
        kept = {key.removeprefix("quests/"): value for key, value in state.items() if key.startswith("quests/")}
        assert {key: value["status"] for key, value in kept.items()} == {
            f"{key}.json": quest["status"] for key, quest in quests.items()
        }
        for key, quest in quests.items():
            left = {int(each["id"].split("-")[1]) for each in kept[f"{key}.json"]["objectives"] if not each["done"]}
            assert left == quest["open"]
            assert (kept[f"{key}.json"]["closed_turn"] is None) == (quest["status"] in ("offered", "active"))
        assert [problem for problem in check_directory(path) if not problem.warning] == []
        assert not verify(path).problems


def test_a_quest_may_be_written_by_hand(hall_with: HallWith) -> None:
    written = {"quests/rats.json": {"id": "rats", "title": "Rats", "extra": {"map": "cellar"}}}
    hall = hall_with(written)
    assert hall.do(TOOL, operation="start", quest_id="rats")["quest"]["status"] == "active"
    assert hall.campaign.state["quests/rats.json"]["extra"] == {"map": "cellar"}
