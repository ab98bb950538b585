"""One call for many: limits, order, failures of single items, all or nothing, and what may stand once for all."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.builders import Json, call, failed, spelt, turn
from tests.conftest import MakeCampaign
from tests.sampling import tries
from tests.tools.hall import Hall, ephemeral, fight, hall_documents

from turnwright.model.viewer import Viewer
from turnwright.rulesets.toolbox import TOOLS

BATCH = (
    "roll_dice",
    "get_character",
    "update_character",
    "delete_character",
    "take_rest",
    "level_up",
    "manage_condition",
    "manage_spell_slots",
    "manage_inventory",
    "execute_action",
    "roll_check",
    "manage_effect",
    "manage_concentration",
    "manage_notes",
    "manage_quest",
)


@pytest.fixture
def hall(make_campaign: MakeCampaign) -> Hall:
    return Hall(make_campaign(hall_documents()))


def hurt(who: Any, amount: int = 1) -> Json:
    return {"character_id": who, "hp": f"-{amount}"}


def told(reply: Json) -> list[Any]:
    """Return for each item of the applied batch its hit points now, or why it failed."""
    entries = reply["applied_actions"][0]["result"]["results"]
    assert [entry["index"] for entry in entries] == list(range(len(entries)))
    return [entry["result"]["hp"]["after"] if entry["ok"] else entry["reason"] for entry in entries]


def test_just_these_tools_take_batches() -> None:
    assert {name for name, tool in TOOLS.items() if tool.batch} == set(BATCH)


@pytest.mark.parametrize("name", [name for name in TOOLS if name not in BATCH and TOOLS[name].family == "toolkit"])
def test_no_other_tool_knows_the_word(hall: Hall, name: str) -> None:
    feedback = hall.fail(name, batch=[{}])
    assert (feedback["reason"], feedback["hint"]["field"]) == ("invalid_args", "args.batch")


@pytest.mark.parametrize("count", [1, 2, 20])
def test_up_to_twenty_items_run_in_order(hall: Hall, count: int) -> None:
    reply = hall.reply("update_character", {"batch": [hurt("aria")] * count})
    assert reply["status"] == "applied"
    assert told(reply) == [43 - number for number in range(count)]
    result = reply["applied_actions"][0]["result"]
    assert (result["succeeded"], result["failed"]) == (count, 0)


@pytest.mark.parametrize("name", BATCH)
def test_a_batch_has_one_to_twenty_items(hall: Hall, name: str) -> None:
    items = [dict(TOOLS[name].example)] * 21
    too_long = hall.fail(name, batch=items)
    assert (too_long["status"], too_long["reason"]) == ("error", "limit_exceeded")
    assert too_long["hint"]["got"] == 21
    assert "allowed" not in too_long["hint"]
    empty = hall.fail(name, batch=[])
    assert (empty["status"], empty["reason"]) == ("error", "invalid_args")
    assert empty["hint"] == {"field": "args.batch", "got": []}  # an example would be done to somebody nobody named


@pytest.mark.parametrize("batch", [{}, "all", 3, True])
def test_a_batch_is_a_list(hall: Hall, batch: Any) -> None:
    feedback = hall.fail("update_character", batch=batch)
    assert (feedback["reason"], feedback["hint"]["field"]) == ("invalid_args", "args.batch")


DODGE = {"encounter_id": "encounter-1", "actor_id": "rat", "action_type": "dodge"}


@pytest.mark.parametrize(
    ("name", "args"),
    [
        ("roll_dice", {"expression": "1d20", "batch": None}),
        ("quick_roll", {"Batch": None, "formula": "1d20"}),
        ("batch_execute_action", {"actions": None, "batch": [DODGE]}),
    ],
)
def test_a_batch_of_null_is_none(make_campaign: MakeCampaign, name: str, args: Json) -> None:
    hall = Hall(make_campaign(hall_documents() | fight(ephemeral("rat", 1, 1))))
    without = {key: value for key, value in args.items() if value is not None}
    replies = [hall.campaign.process(turn(call(name, **each)), dry_run=True) for each in (args, without)]
    assert replies[0] == replies[1]
    assert replies[0]["applied_actions"]
    assert hall.fail("roll_dice", batch=None)["hint"]["field"] == "args.expression"


@pytest.mark.parametrize(
    ("item", "repair"),
    [(None, {}), ("aria", {}), (3, {}), ([], {}), ([hurt("aria")], {"allowed": [hurt("aria")]})],
)
def test_an_item_is_an_object(hall: Hall, item: Any, repair: Json) -> None:
    reply = hall.reply("update_character", {"batch": [hurt("aria"), item]})
    assert told(reply) == [43, "invalid_args"]
    hint = reply["applied_actions"][0]["result"]["results"][1]["hint"]
    assert hint == {"field": "args.batch.1", "got": item, **repair}


def test_items_fail_by_themselves_and_the_turn_is_partial(hall: Hall) -> None:
    reply = hall.reply("update_character", {"batch": [hurt("nobody"), hurt("aria"), hurt("aria", 50)]})
    assert (reply["status"], told(reply)) == ("partial", ["not_found", 43, 0])
    assert reply["tool_feedback"]["failed_calls"] == []
    entry = reply["applied_actions"][0]["result"]["results"][0]
    assert {key: entry[key] for key in ("ok", "status", "reason")} == {
        "ok": False,
        "status": "error",
        "reason": "not_found",
    }
    assert entry["hint"]["field"] == "args.batch.0.character_id"


def test_with_no_item_done_the_call_failed_for_the_reason_of_the_first(hall: Hall) -> None:
    items = [hurt("lena") | {"level": 3}, hurt("nobody")]
    feedback = hall.fail("update_character", batch=items)
    assert (feedback["status"], feedback["reason"]) == ("rejected", "rule_violation")
    assert [entry["reason"] for entry in feedback["hint"]["items"]] == ["rule_violation", "not_found"]
    assert [entry["hint"]["field"] for entry in feedback["hint"]["items"]] == [
        "args.batch.0.max_hp",
        "args.batch.1.character_id",
    ]


def test_hints_of_items_name_the_place_in_the_whole_call(hall: Hall) -> None:
    items: list[Json] = [
        {"character_id": "aria", "stats": {"str": 99}},
        {"character_id": "aria", "custom_race": {"name": "x", "resistances": ["banana"]}},
        {"character_id": "aria", "armour": 3},
        {"character_id": "aria", "hp": 99},
    ]
    feedback = hall.fail("update_character", batch=items)
    assert [entry["hint"]["field"] for entry in feedback["hint"]["items"]] == [
        "args.batch.0.stats.str",
        "args.batch.1.custom_race.resistances.0",
        "args.batch.2.armour",
        "args.batch.3.hp",
    ]


def test_the_argument_to_use_is_named_in_the_whole_call_too(make_campaign: MakeCampaign) -> None:
    twins = {f"characters/t{n}.json": {"id": f"t{n}", "name": "Twin"} for n in (1, 2)}
    hall = Hall(make_campaign(hall_documents() | twins))
    reply = hall.reply("get_character", {"batch": [{"character_id": "aria"}, {"character_name": "Twin"}]})
    hint = reply["applied_actions"][0]["result"]["results"][1]["hint"]
    assert (hint["field"], hint["use"]) == ("args.batch.1.character_id", "args.batch.1.character_id")


def test_a_player_is_told_of_a_failed_item_what_a_failed_call_would_tell(make_campaign: MakeCampaign) -> None:
    hall = Hall(make_campaign(hall_documents()))
    hall.campaign.set({"players.tools": ["manage_inventory"]})
    mine = {"character_id": "aria"}
    hand_on = {"operation": "transfer", "item_name": "Longsword", "to_character_name": "Nobody"}
    batch = [mine | {"operation": "list"}, mine | hand_on, mine | {"operation": "dance"}]
    reply = hall.campaign.process(turn(call("manage_inventory", batch=batch)), authority="player:aria")
    seen = hall.campaign.project(reply, Viewer.player("aria"))
    (action,) = seen["applied_actions"]
    done, unknown, unclear = action["result"]["results"]
    assert done == reply["applied_actions"][0]["result"]["results"][0]
    assert (unknown["reason"], unknown["detail"]) == ("not_found", "something that the call names does not exist")
    assert unclear["detail"] == reply["applied_actions"][0]["result"]["results"][2]["detail"]
    assert "hint" not in unknown | unclear


# all or nothing


def test_all_or_nothing_is_all_when_nothing_fails(hall: Hall) -> None:
    reply = hall.reply("update_character", {"batch": [hurt("aria"), hurt("brom")], "atomic": True})
    assert (reply["status"], told(reply)) == ("applied", [43, 37])
    assert reply["applied_actions"][0]["args"]["atomic"] is True


def test_all_or_nothing_is_nothing_when_one_fails(hall: Hall) -> None:
    items: list[Json] = [{"expression": "1d6"}, {"expression": "9d"}, {"expression": "x"}]
    feedback = hall.fail("roll_dice", batch=items, atomic=True)
    assert feedback["reason"] == "invalid_args"
    assert feedback["hint"]["field"] == "args.batch.1.expression"
    assert [entry["index"] for entry in feedback["hint"]["items"]] == [1]


def test_dice_of_a_batch_that_was_not_done_are_not_used_up(hall: Hall) -> None:
    items = [{"expression": "1d6"}, {"expression": "x"}]
    calls = [call("roll_dice", "one", batch=items, atomic=True), call("roll_dice", "two", expression="1d6")]
    reply = hall.campaign.process(turn(*calls), dice=[5])
    assert [action["result"]["total"] for action in reply["applied_actions"]] == [5]
    assert [(draw["part"], draw["draw"], draw["value"]) for draw in hall.draws()] == [(2, 0, 5)]


@pytest.mark.parametrize("atomic", [None, 1, "true", []])
def test_all_or_nothing_is_yes_or_no(hall: Hall, atomic: Any) -> None:
    feedback = hall.fail("update_character", batch=[hurt("aria")], atomic=atomic)
    assert (feedback["reason"], feedback["hint"]["field"]) == ("invalid_args", "args.atomic")


def test_all_or_nothing_belongs_to_a_batch(hall: Hall) -> None:
    feedback = hall.fail("update_character", **hurt("aria"), atomic=True)
    assert feedback["hint"] == {"field": "args.atomic", "got": True}


# what may stand beside it


@pytest.mark.parametrize("key", ["character_id", "hp", "characterId", "anything"])
def test_single_arguments_do_not_stand_beside_a_batch(hall: Hall, key: str) -> None:
    feedback = hall.fail("update_character", batch=[hurt("aria")], **{key: "aria"})
    assert (feedback["reason"], feedback["hint"]) == ("invalid_args", {"field": f"args.{key}", "remove": True})


def test_a_reason_may_stand_once_for_all_rolls_and_an_item_may_have_its_own(hall: Hall) -> None:
    items = [{"expression": "1d6"}, {"expression": "1d6", "reason": "sparks"}]
    hall.reply("roll_dice", {"batch": items, "reason": "rain"}, [1, 2])
    assert [draw["why"] for draw in hall.draws()] == ["rain", "sparks"]


@pytest.mark.parametrize("key", ["encounter_id", "encounterId"])
def test_a_fight_may_stand_once_for_all_items(make_campaign: MakeCampaign, key: str) -> None:
    hall = Hall(make_campaign(hall_documents() | fight(ephemeral("g1", 0, 0), ephemeral("g2", 1, 0))))
    reply = hall.reply("update_character", {"batch": [hurt("g1", 3), hurt("g2", 4)], key: "encounter-1"})
    assert told(reply) == [7, 6]
    assert reply["applied_actions"][0]["args"]["batch"] == [hurt("g1", 3), hurt("g2", 4)]


def test_every_tool_that_takes_a_fight_takes_it_once_for_all_items() -> None:
    for name in BATCH:
        assert ("encounter_id" in TOOLS[name].shared) == ("encounter_id" in TOOLS[name].args.model_fields), name


# what is logged


def test_the_action_holds_the_items_as_they_were_understood(hall: Hall) -> None:
    items = [{"characterId": "aria", "restType": "Short Rest"}, {"characterId": "brom", "restType": "nap"}]
    action = hall.reply("take_rest", {"batch": items})["applied_actions"][0]
    assert action["args"]["batch"] == [{"character_id": "aria", "rest_type": "short"}, items[1]]
    assert action["corrections"] == [
        {"field": "args.batch.0.rest_type", "from": "Short Rest", "to": "short", "how": "alias"}
    ]


def test_warnings_stand_with_their_items(hall: Hall) -> None:
    items = [hurt("aria"), {"character_id": "aria", "hp": "-1", "healing": 1}]
    action = hall.reply("update_character", {"batch": items})["applied_actions"][0]
    first, second = action["result"]["results"]
    assert "warnings" not in first
    assert second["warnings"] == ["hp was not looked at: healing goes before it"]


def test_a_batch_is_read_outside_of_turns_too(hall: Hall) -> None:
    answer = hall.campaign.query("get_character", {"batch": [{"character_id": "aria"}, {"character_id": "x"}]})
    assert (answer["ok"], answer["result"]["succeeded"], answer["result"]["failed"]) == (True, 1, 1)


def test_an_atomic_turn_fails_with_a_batch_of_which_nothing_was_done(hall: Hall) -> None:
    before = spelt(hall.campaign.state)
    calls = [call("update_character", "one", batch=[hurt("aria")]), call("update_character", "two", batch=[hurt("x")])]
    reply = hall.campaign.process(turn(*calls, atomic=True))
    assert failed(reply) == [("rejected", "turn_aborted"), ("error", "not_found")]
    assert spelt(hall.campaign.state) == before


def test_in_an_atomic_turn_a_batch_is_all_or_nothing(hall: Hall) -> None:
    before = spelt(hall.campaign.state)
    items = [{"expression": "1d6"}, {"expression": "1d6", "x": 1}]
    calls = [call("update_character", "one", **hurt("aria")), call("roll_dice", "two", batch=items)]
    reply = hall.campaign.process(turn(*calls, atomic=True))
    assert (reply["status"], reply["applied_actions"]) == ("failed", [])
    aborted, feedback = reply["tool_feedback"]["failed_calls"]
    assert (aborted["reason"], feedback["reason"]) == ("turn_aborted", "invalid_args")
    alone = hall.fail("roll_dice", batch=items, atomic=True)
    assert (feedback["detail"], feedback["hint"]) == (alone["detail"], alone["hint"])
    assert spelt(hall.campaign.state) == before
    assert hall.campaign.process(turn(*calls))["status"] == "partial"
    assert hall.campaign.process(turn(call("roll_dice", batch=items[:1]), atomic=True))["status"] == "applied"


def test_an_integer_that_is_too_large_is_named_where_it_stands_in_a_batch(hall: Hall) -> None:
    feedback = hall.fail("roll_dice", batch=[{"expression": "1d6"}, {"expression": "1d6", "x": 2**53 + 1}])
    assert feedback["hint"] == {"field": "args.batch.1.x", "got": 2**53 + 1}


PEOPLE = st.sampled_from(["aria", "brom", "dain", "lena", "nobody", None])


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=tries(20))
@given(st.lists(st.builds(hurt, PEOPLE, st.integers(0, 30)), min_size=1, max_size=20), st.booleans())
def test_a_batch_does_what_its_items_do_one_by_one(hall: Hall, items: list[Json], atomic: bool) -> None:
    batch = hall.campaign.process(turn(call("update_character", batch=items, atomic=atomic)), dry_run=True)
    singly = hall.campaign.process(turn(*(call("update_character", **item) for item in items)), dry_run=True)
    wanted = [action["result"] for action in singly["applied_actions"]]
    whole = bool(wanted) and not (atomic and len(wanted) < len(items))
    assert (batch["status"] != "failed") == whole
    if whole:
        entries = batch["applied_actions"][0]["result"]["results"]
        assert [entry["result"] for entry in entries if entry["ok"]] == wanted
