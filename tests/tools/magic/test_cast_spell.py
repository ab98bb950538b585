"""cast_spell: spells by name, what they cost, and what becomes of what they leave behind."""

from __future__ import annotations

import pytest
from tests.builders import Json
from tests.tools.conftest import HallWith
from tests.tools.hall import Hall, ephemeral, fight, hall_documents, linked

CASTER, FOE, TOOL = "cyra", "thug", "cast_spell"


@pytest.fixture(name="table")
def fixture_table(hall_with: HallWith) -> Hall:
    """Give a fight in which it is Cyra's turn, in a campaign that uses the SRD."""
    campaign = {"campaign.json": hall_documents()["campaign.json"] | {"content": ["srd-5.1"]}}
    people = [linked(CASTER, 2, 5), linked("brom", 3, 8), ephemeral(FOE, 4, 5, 40, "enemy")]
    return hall_with(campaign, fight(*people))


def names(hall: Hall, identifier: str = FOE) -> list[str]:
    """Return the conditions of a participant."""
    person = next(each for each in hall.encounter()["participants"] if each["id"] == identifier)
    return [each["condition"] for each in person["body"].get("conditions", [])]


def test_a_slot_is_spent_with_the_action_and_the_record_names_the_pack(table: Hall) -> None:
    result = table.do(TOOL, [3, 3, 3, 10], caster_id=CASTER, spell="burning hands", target_ids=[FOE], slot=1)
    assert result["slot"] == {"level": 1, "remaining": 3}
    assert (result["economy"]["action"], result["level"]) == (False, 1)
    assert list(table.last_record()["packs"]) == ["srd-5.1"]
    assert table.why(TOOL, caster_id=CASTER, spell="burning hands", target_ids=[FOE]) == "rule_violation"


def test_a_missed_save_holds_until_one_at_the_end_of_a_turn_succeeds(table: Hall) -> None:
    table.do(TOOL, [1], caster_id=CASTER, spell="hold person", target_ids=[FOE])
    assert names(table) == ["paralyzed"]
    table.do("advance_turn", encounter_id="encounter-1")
    table.do("advance_turn", encounter_id="encounter-1")
    assert table.do("advance_turn", [2], encounter_id="encounter-1")["saves"][0]["success"] is False
    assert names(table) == ["paralyzed"]
    table.do("advance_turn", encounter_id="encounter-1")
    table.do("advance_turn", encounter_id="encounter-1")
    assert table.do("advance_turn", [20], encounter_id="encounter-1")["saves"][0]["success"] is True
    assert names(table) == []


def test_what_concentration_holds_ends_with_it(table: Hall) -> None:
    table.do(TOOL, [1], caster_id=CASTER, spell="hold person", target_ids=[FOE])
    assert table.person(CASTER)["concentration"]["spell_name"] == "Hold Person"
    table.do("manage_concentration", operation="break", character_id=CASTER)
    assert names(table) == []


def test_half_damage_on_a_save_and_each_part_has_its_own_type(table: Hall) -> None:
    referee = {"ignore_economy": True, "target_ids": [FOE], "caster_id": CASTER}
    faces = [4, 3, 2, 2, 6, 6, 5, 1]
    result = table.do(TOOL, [*faces, 20], spell="flame strike", **referee)
    row = result["targets"][0]
    shown: list[Json] = [row["damage"], *row["further_damage"]]
    assert [(each["raw"], each["final"], each["type"]) for each in shown] == [(11, 5, "fire"), (18, 9, "radiant")]
    assert row["target_hp"] == {"before": 40, "after": 26, "max": 40, "temp": 0}


def test_overrides_are_told(table: Hall) -> None:
    action = table.action(
        TOOL, [2], caster_id=CASTER, spell="fire bolt", target_ids=[FOE], attack_bonus=1, ignore_economy=True
    )
    assert action["corrections"] == [{"field": "args.attack_bonus", "from": 7, "to": 1, "how": "override"}]


def test_without_a_pack_no_name_means_anything(hall: Hall) -> None:
    assert hall.why(TOOL, caster_id=CASTER, spell="fireball", target_ids=["ogg"]) == "not_found"


@pytest.mark.parametrize("spell", ["cure wounds", "mass healing word"])
def test_the_dead_are_not_healed_and_no_slot_is_spent(hall_with: HallWith, spell: str) -> None:
    campaign = {"campaign.json": hall_documents()["campaign.json"] | {"content": ["srd-5.1"]}}
    dead = hall_documents()["characters/brom.json"] | {"hp": 0, "character_state": "dead"}
    people = [linked(CASTER, 2, 5), linked("brom", 3, 5), linked("aria", 2, 6)]
    hall = hall_with(campaign, {"characters/brom.json": dead}, fight(*people))
    before = hall.person(CASTER)
    args = {"caster_id": CASTER, "spell": spell, "target_ids": ["brom"], "slot": 3 if spell[0] == "m" else 1}
    told = hall.fail(TOOL, **args)
    assert (told["reason"], told["detail"]) == ("rule_violation", "brom is dead, and cannot be healed")
    assert hall.person(CASTER) == before
