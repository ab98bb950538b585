"""manage_spell_slots: seen, spent, given back, and set by the referee."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.builders import Json
from tests.sampling import tries
from tests.tools.conftest import HallWith
from tests.tools.hall import Hall, hall_documents

TOOL = "manage_spell_slots"


def warlock(current: int = 2, **sheet: Any) -> dict[str, Json]:
    """Return Dain as a warlock of the fifth level: two slots of the third."""
    path = "characters/dain.json"
    dain = hall_documents()[path]
    pact = {"current": current, "max": 2, "slot_level": 3}
    return {path: dain | {"sheet": dain["sheet"] | {"class": "Warlock", "pact_slots": pact} | sheet}}


def expend(hall: Hall, level: int | None = 1, who: str = "cyra", **more: Any) -> Json:
    args: Json = {"character_id": who, "operation": "expend"} | ({} if level is None else {"slot_level": level})
    return hall.do(TOOL, **args, **more)


def test_slots_are_seen_by_level(hall: Hall) -> None:
    seen = hall.do(TOOL, character_name="Cyra", operation="view")
    assert seen == {
        "character_id": "cyra",
        "operation": "view",
        "caster_type": "full",
        "slots": {"1": {"current": 4, "max": 4}, "2": {"current": 1, "max": 3}, "3": {"current": 2, "max": 2}},
        "pact": None,
        "expended": [],
        "restored": [],
    }


@pytest.mark.parametrize("who", ["aria", "grik", "ogg", "aria_2"])
def test_a_view_never_fails_for_who_casts_nothing(hall: Hall, who: str) -> None:
    seen = hall.do(TOOL, character_id=who, operation="view")
    assert (seen["caster_type"], seen["slots"], seen["pact"]) == ("none", {}, None)


def test_a_slot_is_spent(hall: Hall) -> None:
    spent = expend(hall)
    assert spent["expended"] == [{"level": 1, "count": 1, "pact": False}]
    assert spent["slots"]["1"] == {"current": 3, "max": 4}
    assert expend(hall, count=3)["slots"]["1"] == {"current": 0, "max": 4}
    assert hall.person("cyra")["sheet"]["spell_slots"]["1"] == {"current": 0, "max": 4}


def test_slots_of_a_level_come_back_to_the_maximum_and_no_further(hall: Hall) -> None:
    back = hall.do(TOOL, character_id="cyra", operation="restore", slot_level=2)
    assert (back["slots"]["2"]["current"], back["restored"]) == (2, [{"level": 2, "count": 1, "pact": False}])
    more = hall.do(TOOL, character_id="cyra", operation="restore", slot_level=2, count=9)
    assert (more["slots"]["2"]["current"], more["restored"]) == (3, [{"level": 2, "count": 1, "pact": False}])
    none = hall.do(TOOL, character_id="cyra", operation="restore", slot_level=2)
    assert none["restored"] == [{"level": 2, "count": 0, "pact": False}]


def test_without_a_level_all_slots_come_back(hall: Hall) -> None:
    expend(hall, 3, count=2)
    back = hall.do(TOOL, character_id="cyra", operation="restore")
    assert {pool["current"] - pool["max"] for pool in back["slots"].values()} == {0}
    assert [(row["level"], row["count"]) for row in back["restored"]] == [(2, 2), (3, 2)]


def test_a_pact_has_slots_of_one_level(hall_with: HallWith) -> None:
    hall = hall_with(warlock())
    spent = expend(hall, None, "dain", pact_magic=True)
    assert spent["pact"] == {"current": 1, "max": 2, "slot_level": 3}
    assert (spent["caster_type"], spent["slots"]) == ("warlock", {})
    assert spent["expended"] == [{"level": 3, "count": 1, "pact": True}]
    assert expend(hall, 3, "dain", pact_magic=True)["pact"]["current"] == 0
    back = hall.do(TOOL, character_id="dain", operation="restore", pact_magic=True)
    assert (back["pact"]["current"], back["restored"]) == (1, [{"level": 3, "count": 1, "pact": True}])
    assert hall.do(TOOL, character_id="dain", operation="restore")["pact"]["current"] == 2


def test_the_referee_may_give_anybody_slots(hall: Hall) -> None:
    slots = {"1": {"current": 1, "max": 99}, "9": {"current": 0, "max": 1}, "pact": {"current": 2, "max": 2}}
    given_slots = hall.do(TOOL, character_id="aria", operation="set", slots=slots)
    assert given_slots["slots"] == {"1": {"current": 1, "max": 99}, "9": {"current": 0, "max": 1}}
    assert given_slots["pact"] == {"current": 2, "max": 2, "slot_level": 1}
    assert expend(hall, 1, "aria")["slots"]["1"]["current"] == 0
    gone = hall.do(TOOL, character_id="aria", operation="set", slots={"9": {"current": 0, "max": 0}})
    assert set(gone["slots"]) == {"1"}
    no_pact = hall.do(TOOL, character_id="aria", operation="set", slots={"pact": {"current": 0, "max": 0}})
    assert no_pact["pact"] is None


def test_a_pact_that_is_set_keeps_its_level(hall_with: HallWith) -> None:
    hall = hall_with(warlock(0))
    told = hall.do(TOOL, character_id="dain", operation="set", slots={"pact": {"current": 4, "max": 4}})
    assert told["pact"] == {"current": 4, "max": 4, "slot_level": 3}


def test_who_has_a_maximum_and_no_sheet_may_be_given_slots(hall: Hall) -> None:
    hall.do(TOOL, character_id="aria_2", operation="set", slots={"2": {"current": 1, "max": 1}})
    assert hall.person("aria_2")["sheet"]["spell_slots"] == {"2": {"current": 1, "max": 1}}


@pytest.mark.parametrize(
    ("args", "reason", "field", "first"),
    [
        ({"operation": "view"}, "invalid_args", "args.character_id", None),
        ({"character_id": "nobody", "operation": "view"}, "not_found", "args.character_id", None),
        ({"character_name": "Aria", "operation": "view"}, "ambiguous", "args.character_id", None),
        ({"character_id": "cyra"}, "invalid_args", "args.operation", None),
        ({"character_id": "cyra", "operation": "expend"}, "invalid_args", "args.slot_level", 1),
        ({"character_id": "cyra", "operation": "expend", "slot_level": 0}, "invalid_args", "args.slot_level", None),
        ({"character_id": "cyra", "operation": "expend", "slot_level": 10}, "invalid_args", "args.slot_level", None),
        ({"character_id": "cyra", "operation": "expend", "slot_level": 2.5}, "invalid_args", "args.slot_level", None),
        ({"character_id": "cyra", "operation": "expend", "slot_level": True}, "invalid_args", "args.slot_level", None),
        (
            {"character_id": "cyra", "operation": "expend", "slot_level": 1, "count": 0},
            "invalid_args",
            "args.count",
            None,
        ),
        ({"character_id": "cyra", "operation": "expend", "slot_level": 9}, "rule_violation", "args.slot_level", 1),
        (
            {"character_id": "cyra", "operation": "expend", "slot_level": 2, "count": 2},
            "rule_violation",
            "args.count",
            None,
        ),
        (
            {"character_id": "cyra", "operation": "expend", "pact_magic": True},
            "rule_violation",
            "args.pact_magic",
            None,
        ),
        ({"character_id": "aria", "operation": "expend", "slot_level": 1}, "rule_violation", None, None),
        ({"character_id": "aria", "operation": "restore"}, "rule_violation", None, None),
        ({"character_id": "cyra", "operation": "restore", "slot_level": 8}, "rule_violation", "args.slot_level", 1),
        ({"character_id": "lena", "operation": "view"}, "rule_violation", None, None),
        ({"character_id": "cyra", "operation": "set"}, "invalid_args", "args.slots", None),
        ({"character_id": "cyra", "operation": "set", "slots": {}}, "invalid_args", "args.slots", None),
        (
            {"character_id": "cyra", "operation": "set", "slots": {"1": {"current": 3, "max": 2}}},
            "invalid_args",
            "args.slots.1.current",
            None,
        ),
        (
            {"character_id": "cyra", "operation": "set", "slots": {"1": {"current": 3, "max": 100}}},
            "invalid_args",
            "args.slots.1.max",
            None,
        ),
        (
            {"character_id": "cyra", "operation": "set", "slots": {"10": {"current": 1, "max": 1}}},
            "invalid_args",
            "args.slots.10",
            None,
        ),
    ],
)
def test_what_is_wrong_is_told_and_changes_nothing(
    hall: Hall, args: Json, reason: str, field: str | None, first: Any
) -> None:
    feedback = hall.fail(TOOL, **args)
    repair = feedback.get("hint", {})
    assert (feedback["reason"], repair.get("field")) == (reason, field)
    assert "allowed" not in repair
    if first is not None:
        assert repair["choices"][0] == first


def test_a_warlock_is_pointed_to_the_pact(hall_with: HallWith) -> None:
    hall = hall_with(warlock())
    repair = hall.fail(TOOL, character_id="dain", operation="expend", slot_level=3)["hint"]
    assert (repair["field"], repair["choices"]) == ("args.pact_magic", [True])
    assert hall.fail(TOOL, character_id="dain", operation="expend")["hint"] == repair
    wrong = hall.fail(TOOL, character_id="dain", operation="expend", slot_level=4, pact_magic=True)
    assert (wrong["reason"], wrong["hint"]["choices"]) == ("rule_violation", [3])
    assert "hint" not in hall.fail(TOOL, character_id="dain", operation="expend", slot_level=4)
    few = hall.fail(TOOL, character_id="dain", operation="expend", pact_magic=True, count=3)
    assert few["hint"] == {"field": "args.count", "got": 3}


def test_a_slot_of_the_pact_does_for_a_lower_level_and_counts_as_its_own(hall_with: HallWith) -> None:
    hall = hall_with(warlock())
    repair = hall.fail(TOOL, character_id="dain", operation="expend", slot_level=1)["hint"]
    assert repair == {"field": "args.pact_magic", "add": True, "choices": [True]}
    assert expend(hall, 1, "dain", pact_magic=True)["expended"] == [{"level": 3, "count": 1, "pact": True}]


def test_a_batch_sees_what_the_item_before_left(hall: Hall) -> None:
    items = [{"characterId": "cyra", "operation": "spend", "slotLevel": 2} for _ in range(2)]
    reply = hall.reply(TOOL, {"batch": items})
    assert reply["status"] == "partial"
    assert [row["ok"] for row in reply["applied_actions"][0]["result"]["results"]] == [True, False]
    assert hall.person("cyra")["sheet"]["spell_slots"]["2"]["current"] == 0


STEPS = st.lists(
    st.tuples(st.sampled_from(["expend", "restore"]), st.integers(1, 4), st.integers(1, 5)), min_size=1, max_size=8
)


@given(STEPS)
@settings(max_examples=tries(10), suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_slots_stay_between_none_and_their_maximum(hall_with: HallWith, steps: list[tuple[str, int, int]]) -> None:
    hall = hall_with()
    items = [
        {"character_id": "cyra", "operation": operation, "slot_level": level, "count": count}
        for operation, level, count in steps
    ]
    hall.reply(TOOL, {"batch": items})
    pools = hall.person("cyra")["sheet"]["spell_slots"]
    assert {level: pool["max"] for level, pool in pools.items()} == {"1": 4, "2": 3, "3": 2}
    assert all(0 <= pool["current"] <= pool["max"] for pool in pools.values())
