"""manage_party: one list of members, one leader, and who acts."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.builders import Json
from tests.sampling import tries
from tests.tools.conftest import HallWith
from tests.tools.hall import Hall, hall_documents

TOOL = "manage_party"
PARTY = ["aria", "brom", "cyra", "dain"]


def selected(hall: Hall) -> Json:
    chosen: Json = hall.campaign.state["campaign.json"]["selected"]
    return chosen


def members(hall: Hall) -> list[str]:
    return list(selected(hall)["party_character_ids"])


def roles(hall: Hall) -> Any:
    return hall.campaign.state.get("party.json", {}).get("roles", {})


def test_the_list_has_everybody_in_the_party_s_order_as_they_are_now(hall: Hall) -> None:
    hall.do("manage_party", operation="add", character_name="Lena")
    listed = hall.do(TOOL, operation="list")
    assert listed["size"] == 5
    assert [member["character_id"] for member in listed["members"]] == [*PARTY, "lena"]
    assert listed["members"][0] == {
        "character_id": "aria",
        "name": "Aria",
        "class": "Fighter",
        "level": 5,
        "role": None,
        "hp": 44,
        "max_hp": 44,
        "ac": 17,
    }
    lena = listed["members"][-1]
    assert (lena["class"], lena["level"], lena["hp"], lena["max_hp"], lena["ac"]) == (None, None, 8, None, None)


def test_values_are_the_effective_ones(hall_with: HallWith) -> None:
    brom = hall_documents()["characters/brom.json"]
    exhausted = {"condition": "exhaustion", "exhaustion_level": 4}
    hall = hall_with({"characters/brom.json": brom | {"conditions": [exhausted]}})
    member = hall.do(TOOL, operation="get", character_id="brom")["member"]
    assert (member["hp"], member["max_hp"]) == (19, 19)


def test_somebody_joins_at_the_end_with_a_role(hall: Hall) -> None:
    shown = hall.do(TOOL, operation="join", characterId="lena", role="medic")
    assert (shown["size"], shown["member"]["role"]) == (5, "healer")
    assert members(hall) == [*PARTY, "lena"]
    assert selected(hall)["active_actor_id"] == "aria"
    assert roles(hall) == {"lena": "healer"}


def test_a_newcomer_who_stands_nowhere_is_put_where_the_party_is(hall_with: HallWith) -> None:
    hall = hall_with({"characters/lena.json": {**hall_documents()["characters/lena.json"], "position": None}})
    hall.do(TOOL, operation="add", character_id="lena")
    hall.do(TOOL, operation="add", character_id="aria_2")
    where = {who: hall.campaign.state[f"characters/{who}.json"]["position"] for who in ("aria", "lena", "aria_2")}
    assert where == {"aria": "area_001", "lena": "area_001", "aria_2": "area_002"}


def test_the_first_who_joins_is_put_where_the_party_was_last(hall_with: HallWith) -> None:
    hall = hall_with({"characters/lena.json": {**hall_documents()["characters/lena.json"], "position": None}})
    hall.do("manage_location", operation="create", name="Cellar stairs", area_id="area_002")
    hall.do("move_party", to_location_name="Cellar stairs")
    hall.do(TOOL, operation="clear")
    hall.do(TOOL, operation="add", character_id="lena")
    assert hall.campaign.state["characters/lena.json"]["position"] == "area_002"


def test_joining_twice_is_a_conflict_and_the_others_are_told(hall: Hall) -> None:
    feedback = hall.fail(TOOL, operation="add", character_id="brom")
    assert feedback["reason"] == "conflict"
    assert set(feedback["hint"]["choices"]) == {"aria_2", "grik", "lena", "ogg"}
    feedback = hall.fail(TOOL, operation="add", character_name="Brom")
    assert feedback["hint"]["field"] == "args.character_name"
    assert {"Grik", "Lena", "Ogg"} < set(feedback["hint"]["choices"])


def test_who_is_nobody_is_not_found_and_a_name_of_two_is_ambiguous(hall: Hall) -> None:
    assert hall.why(TOOL, operation="add", character_id="nobody") == "not_found"
    assert hall.why(TOOL, operation="add", character_name="Nobody") == "not_found"
    assert hall.why(TOOL, operation="get", character_name="ARIA") == "ambiguous"
    assert hall.why(TOOL, operation="add") == "invalid_args"
    assert hall.why(TOOL, operation="add", character_id="lena", character_name="Ogg") == "invalid_args"


def test_who_is_not_named_could_be_those_whom_the_operation_is_for(hall: Hall) -> None:
    strangers = ["aria_2", "grik", "lena", "ogg"]
    for args, ids in (
        ({"operation": "add"}, strangers),
        ({"operation": "remove"}, PARTY),
        ({"operation": "get"}, PARTY),
        ({"operation": "set_role", "role": "scout"}, PARTY),
    ):
        assert hall.fail(TOOL, **args)["hint"] == {"field": "args.character_id", "add": True, "choices": ids}
        assert set(hall.fail(TOOL, **args, character_id="x")["hint"]["choices"]) == set(ids)
    assert set(hall.fail(TOOL, operation="get", character_name="Og")["hint"]["choices"]) == {
        "Aria",
        "Brom",
        "Cyra",
        "Dain",
    }


@pytest.mark.parametrize("operation", ["remove", "get"])
def test_who_is_no_member_is_not_found(hall: Hall, operation: str) -> None:
    feedback = hall.fail(TOOL, operation=operation, character_id="ogg")
    assert (feedback["reason"], sorted(feedback["hint"]["choices"])) == ("not_found", PARTY)
    feedback = hall.fail(TOOL, operation=operation, character_name="Ogg")
    assert (feedback["reason"], sorted(feedback["hint"]["choices"])) == ("not_found", ["Aria", "Brom", "Cyra", "Dain"])


def test_who_leaves_loses_the_role_and_the_turn(hall: Hall) -> None:
    hall.do(TOOL, operation="set_role", character_id="aria", role="leader")
    shown = hall.do(TOOL, operation="remove", character_id="aria")
    assert (shown["removed"], shown["size"], shown["member"]["role"]) == (1, 3, "leader")
    assert members(hall) == PARTY[1:]
    assert selected(hall)["active_actor_id"] is None
    assert roles(hall) == {}
    assert hall.person("aria")["hp"] == 44


def test_who_leaves_without_acting_leaves_the_acting_character(hall: Hall) -> None:
    hall.do(TOOL, operation="remove", character_name="dain")
    assert selected(hall)["active_actor_id"] == "aria"


def test_clear_tells_how_many_left_and_keeps_where_the_party_is(hall: Hall) -> None:
    hall.do("create_location", name="Inn")
    hall.do("move_party", to_location_id="Inn", force=True)
    hall.do(TOOL, operation="set_role", character_id="brom", role="healer")
    assert hall.do(TOOL, operation="clear") == {"members": [], "size": 0, "removed": 4}
    assert (members(hall), selected(hall)["active_actor_id"], roles(hall)) == ([], None, {})
    assert hall.campaign.state["party.json"]["location_id"] == "location-1"
    assert hall.do(TOOL, operation="clear")["removed"] == 0


@pytest.mark.parametrize("who", [{"character_id": "dain"}, {"character_name": "Dain"}])
def test_nobody_is_sent_away_on_account_of_another(hall: Hall, who: Json) -> None:
    feedback = hall.fail(TOOL, operation="clear", **who)
    assert (feedback["reason"], feedback["hint"]) == (
        "invalid_args",
        {"field": "args.operation", "got": "clear", "choices": ["remove"]},
    )
    feedback = hall.fail(TOOL, operation="clear", role="healer")
    assert (feedback["reason"], feedback["hint"]) == ("invalid_args", {"field": "args.role", "remove": True})
    assert members(hall) == PARTY


def test_the_first_member_acts_when_nobody_does(hall: Hall) -> None:
    hall.do(TOOL, operation="clear")
    hall.do(TOOL, operation="add", character_id="brom")
    hall.do(TOOL, operation="add", character_id="cyra")
    assert selected(hall)["active_actor_id"] == "brom"


def test_a_new_leader_takes_the_lead_from_the_old_one(hall: Hall) -> None:
    assert hall.do(TOOL, operation="set_role", character_id="aria", role="leader")["previous_role"] is None
    action = hall.action(TOOL, operation="set_role", character_name="Brom", role="captain")
    assert action["warnings"] == ["aria leads the party no more, and has no role now"]
    assert (action["result"]["member"]["role"], action["result"]["previous_role"]) == ("leader", None)
    assert roles(hall) == {"brom": "leader"}
    action = hall.action(TOOL, operation="set_role", character_id="brom", role="leader")
    assert ("warnings" in action, action["result"]["previous_role"]) == (False, "leader")
    assert hall.action(TOOL, operation="add", character_id="lena", role="leader")["warnings"]
    assert roles(hall) == {"lena": "leader"}


def test_a_role_needs_a_word_and_a_member(hall: Hall) -> None:
    assert hall.fail(TOOL, operation="set_role", character_id="aria")["hint"]["field"] == "args.role"
    assert hall.why(TOOL, operation="set_role", character_id="ogg", role="tank") == "not_found"
    assert hall.why(TOOL, operation="set_role", character_id="aria", role="dancer") == "invalid_args"


@pytest.mark.parametrize("operation", ["remov", "cleer", "ad"])
def test_nobody_leaves_by_a_slip_of_the_pen(hall: Hall, operation: str) -> None:
    reply = hall.reply(TOOL, {"operation": operation, "character_id": "lena"})
    assert (reply["status"] == "applied") == (operation == "ad")


CALLS = st.lists(
    st.fixed_dictionaries(
        {"operation": st.sampled_from(["add", "remove", "set_role", "clear"])},
        optional={
            "character_id": st.sampled_from([*PARTY, "lena", "ogg"]),
            "role": st.sampled_from(["leader", "scout"]),
        },
    ),
    max_size=8,
)


@settings(max_examples=tries(15), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(CALLS)
def test_there_is_never_a_second_leader_nor_somebody_acting_who_is_no_member(hall_with: HallWith, asked: Any) -> None:
    hall = hall_with()
    for args in asked:
        hall.reply(TOOL, args)
        own = roles(hall)
        assert list(own.values()).count("leader") <= 1
        assert set(own) <= set(members(hall))
        assert selected(hall)["active_actor_id"] in (None, *members(hall))
