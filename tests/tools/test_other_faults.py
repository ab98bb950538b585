"""All faults of a call that its tool refuses: those that do not hang on one another are told at once."""

from __future__ import annotations

from typing import Any

import pytest
from tests.builders import Json
from tests.tools.conftest import HallWith
from tests.tools.hall import Hall, fight, linked

FIGHT: Json = {"encounter_id": "encounter-1"}


def hints_of(hall: Hall, tool: str, **args: Any) -> dict[str, Any]:
    """Return what each hint of a refused call offers, by field; a question offers nothing."""
    failed = hall.fail(tool, **args)
    hints = failed.get("hints", [failed["hint"]])
    assert failed["hint"] == hints[0]
    return {hint["field"]: hint.get("allowed") for hint in hints}


@pytest.fixture(name="fighting")
def fixture_fighting(hall_with: HallWith) -> Hall:
    return hall_with(fight(linked("aria", 1, 1), linked("grik", 2, 1, is_enemy=True)))


def test_what_the_repaired_call_would_fail_with_is_told_beside_the_first_fault(hall: Hall) -> None:
    args = {"operation": "transfer", "character_id": "arya", "item_name": "Potion of Heeling"}
    assert hints_of(hall, "manage_inventory", **args, to_character_id="bromm") == {
        "args.character_id": ["aria"],
        "args.item_name": ["Potion of Healing"],
        "args.to_character_id": ["brom"],
    }


def test_ids_and_names_of_nobody_are_told_beside_a_question(fighting: Hall) -> None:
    blow = {**FIGHT, "action_type": "attack"}
    assert hints_of(fighting, "execute_action", **blow, actor_id="zzz", target_id="grikk") == {
        "args.actor_id": None,
        "args.target_id": ["grik"],
    }
    assert hints_of(fighting, "execute_action", **blow, actor_name="zzz", target_ids=["yyy", "grikk"]) == {
        "args.actor_name": None,
        "args.target_ids.0": None,
        "args.target_ids.1": ["grik"],
    }
    assert hints_of(
        fighting, "roll_check", character_name="zzz", check_type="save", ability="dex", contested_by="x"
    ) == {
        "args.character_name": None,
        "args.contested_by": None,
    }


def test_one_fault_of_one_argument_is_told_once(fighting: Hall) -> None:
    blow = {**FIGHT, "action_type": "attack", "target_id": "grik"}
    assert hints_of(fighting, "execute_action", **blow, actor_id="zzz") == {"args.actor_id": None}
    assert hints_of(fighting, "execute_action", **blow, actor_id="arya") == {"args.actor_id": ["aria"]}
    assert hints_of(fighting, "get_character", character_id="zzz", character_name="zzz") == {"args.character_id": None}


def test_two_places_that_are_misspelt_are_told_at_once(hall: Hall) -> None:
    for name in ("Gate", "Crypt"):
        hall.do("manage_location", operation="create", name=name)
    assert hints_of(hall, "manage_location", operation="link", from_location_id="nowhere", to_location_id="Cript") == {
        "args.from_location_id": None,
        "args.to_location_id": ["Crypt"],
    }


def test_each_item_of_a_batch_is_told_all_that_is_wrong_with_it(hall: Hall) -> None:
    item = {"operation": "transfer", "character_id": "arya", "item_name": "Longsword", "to_character_id": "bromm"}
    failed = hall.fail("manage_inventory", batch=[item, {"operation": "list", "character_id": "arya"}])
    told = [[hint["field"] for hint in each.get("hints", [each["hint"]])] for each in failed["hint"]["items"]]
    assert told == [["args.batch.0.character_id", "args.batch.0.to_character_id"], ["args.batch.1.character_id"]]


def test_no_die_falls_and_nothing_changes_when_a_repaired_call_is_tried(fighting: Hall) -> None:
    before = fighting.campaign.state
    args = {**FIGHT, "actor_id": "arya", "action_type": "attack", "target_id": "grik"}
    failed = fighting.fail("execute_action", **args)
    assert (failed["hint"]["allowed"], "hints" in failed) == (["aria"], False)
    assert fighting.draws() == []
    assert fighting.campaign.state == before
