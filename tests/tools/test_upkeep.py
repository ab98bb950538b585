"""What somebody keeps up only while they can, whatever fells them: a grip, what is in hand, a spell."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from tests.builders import Json, call, turn
from tests.tools.conftest import HallWith
from tests.tools.hall import Hall, changed, ephemeral, fight, hall_documents, linked

FIRE = {"hazards": [{"position": "6,5", "type": "fire", "damage": "10d6"}]}
AURA = {
    "id": "aura-1",
    "owner_id": "cyra",
    "spell_name": "Spirits",
    "radius": 30,
    "affects_enemies": True,
    "encounter_id": "encounter-1",
    "damage": "10d6",
}
MISHAP = {"name": "Ice", "level": 1, "school": "evocation", "effect": {"type": "control"}, "range": 60}


def held(by: str, **fields: Any) -> dict[str, Json]:
    return changed("brom", conditions=[{"condition": "grappled", "source": by} | fields])


def conditions(hall: Hall, who: str) -> list[str]:
    return [each["condition"] for each in hall.person(who).get("conditions", [])]


# a grip: Grik (7 hit points) holds Brom, and falls


def _by_hp_delta(hall: Hall) -> None:
    args = {"target_character_id": "grik", "delta": -7, "cause": "a stone"}
    hall.campaign.process(turn(call("hp_delta", **args)))


def _by_update(hall: Hall) -> None:
    hall.do("update_character", character_id="grik", hp="-7")


def _by_setting(hall: Hall) -> None:
    hall.do("update_character", character_id="grik", hp=0)


def _by_decree(hall: Hall) -> None:
    hall.do("update_character", character_id="grik", character_state="dead")


def _by_an_aura(hall: Hall) -> None:
    hall.do("manage_aura", [6] * 10, operation="process", aura_id="aura-1", targets=[{"target_id": "grik"}])


def _by_an_aura_of_a_turn(hall: Hall) -> None:
    told = hall.do("advance_turn", [6] * 10, encounter_id="encounter-1")
    assert told["expired"] == [{"target_id": "brom", "condition": "grappled"}]


def _by_a_hazard(hall: Hall) -> None:
    told = hall.do("advance_turn", [6] * 10, encounter_id="encounter-1", process_auras=False)
    assert told["expired"] == [{"target_id": "brom", "condition": "grappled"}]


def _by_a_spell(hall: Hall) -> None:
    spell = {"spell_name": "Fireball", "spell_slot": 3, "damage_expression": "8d6", "save_ability": "dex"}
    given = {"encounter_id": "encounter-1", "actor_id": "cyra", "action_type": "cast_spell"}
    told = hall.do("execute_action", [6] * 8 + [1], **given, **spell, target_id="grik")
    assert told["freed"] == ["brom"]


def _by_a_condition(hall: Hall) -> None:
    hall.do("manage_condition", target_id="grik", operation="add", condition="stunned")


def _by_exhaustion(hall: Hall) -> None:
    hall.do("manage_condition", target_id="grik", operation="add", condition="exhaustion", exhaustion_levels=6)


@pytest.mark.parametrize(
    "fell",
    [
        _by_hp_delta,
        _by_update,
        _by_setting,
        _by_decree,
        _by_an_aura,
        _by_an_aura_of_a_turn,
        _by_a_hazard,
        _by_a_spell,
        _by_a_condition,
        _by_exhaustion,
    ],
)
def test_a_grip_loosens_at_once_whatever_fells_who_holds(hall_with: HallWith, fell: Callable[[Hall], None]) -> None:
    is_hazard = fell is _by_a_hazard
    people = (linked("cyra", 5, 3), linked("grik", 6, 5, is_enemy=True), linked("brom", 7, 5))
    terrain: dict[str, Any] = {"terrain": FIRE} if is_hazard else {}
    hall = hall_with(held("grik"), {"auras/aura-1.json": AURA}, fight(*people, **terrain))
    assert conditions(hall, "brom") == ["grappled"]
    fell(hall)
    assert conditions(hall, "brom") == []


def test_who_is_hurt_and_stands_holds_on(hall_with: HallWith) -> None:
    hall = hall_with(held("grik"), fight(linked("grik", 6, 5, is_enemy=True), linked("brom", 7, 5)))
    hall.do("update_character", character_id="grik", hp="-6")
    assert conditions(hall, "brom") == ["grappled"]


# hands


def test_the_unconscious_drop_what_they_hold_but_not_their_shield(hall_with: HallWith) -> None:
    gear = [
        *hall_documents()["characters/aria.json"]["inventory"],
        {"id": "item-9", "name": "Shield", "type": "shield"},
    ]
    hall = hall_with(changed("aria", inventory=gear, equipped={"mainhand": "item-a1", "offhand": "item-9"}))
    action = hall.action("update_character", character_id="aria", hp="-44")
    assert action["warnings"] == ["aria drops Longsword"]
    assert hall.person("aria")["equipped"] == {"offhand": "item-9"}
    assert len(hall.person("aria")["inventory"]) == 3


@pytest.mark.parametrize(
    ("tool", "args"),
    [
        ("manage_condition", {"target_id": "aria", "operation": "add", "condition": "unconscious"}),
        ("update_character", {"character_id": "aria", "hp": 0}),
        ("hp_delta", {"target_character_id": "aria", "delta": -44, "cause": "a fall"}),
    ],
)
def test_whatever_takes_consciousness_empties_the_hands(hall: Hall, tool: str, args: Json) -> None:
    assert hall.action(tool, **args)["warnings"] == ["aria drops Longsword"]
    assert "equipped" not in hall.person("aria")


@pytest.mark.parametrize("name", ["stunned", "paralyzed", "prone"])
def test_other_conditions_leave_the_weapon_in_hand(hall: Hall, name: str) -> None:
    assert "warnings" not in hall.action("manage_condition", target_id="aria", operation="add", condition=name)
    assert hall.person("aria")["equipped"] == {"mainhand": "item-a1"}


def test_who_is_struck_down_in_a_fight_drops_the_weapon(hall_with: HallWith) -> None:
    hall = hall_with(changed("aria", hp=3), fight(ephemeral("orc", 6, 5), linked("aria", 5, 5)))
    given = {"encounter_id": "encounter-1", "actor_id": "orc", "action_type": "attack", "target_id": "aria"}
    action = hall.action("execute_action", (19, 6), **given)
    assert action["warnings"] == ["aria drops Longsword"]
    assert "equipped" not in hall.person("aria")


def test_a_hazard_and_an_aura_tell_what_was_dropped(hall_with: HallWith) -> None:
    people = (linked("grik", 0, 0, is_enemy=True), linked("aria", 6, 5))
    hall = hall_with(changed("aria", hp=3), fight(*people, terrain=FIRE))
    assert hall.action("advance_turn", [1] * 10, encounter_id="encounter-1")["warnings"] == ["aria drops Longsword"]
    hall = hall_with(changed("aria", hp=3), {"auras/aura-1.json": AURA | {"owner_id": "grik"}}, fight(*people))
    assert hall.action("advance_turn", [1] * 10, encounter_id="encounter-1")["warnings"] == ["aria drops Longsword"]


# one id in two fights


def _guards(encounter_id: str) -> Json:
    caster = ephemeral("mage", 0, 0, concentration={"spell_name": "Web"})
    stuck = {"condition": "restrained", "duration": "concentration", "source": "mage"}
    return fight(caster, ephemeral("rat", 1, 0, conditions=[stuck]), encounter_id=encounter_id)


def _web(aura_id: str, encounter_id: str) -> dict[str, Json]:
    value = {"id": aura_id, "owner_id": "mage", "spell_name": "Web", "radius": 5, "encounter_id": encounter_id}
    return {f"auras/{aura_id}.json": value}


def test_who_has_the_same_id_in_another_fight_keeps_what_is_theirs(hall_with: HallWith) -> None:
    fights = _guards("encounter-1") | _guards("encounter-2")
    hall = hall_with(fights, _web("aura-1", "encounter-1"), _web("aura-2", "encounter-2"))
    mage = {"encounter_id": "encounter-1", "character_id": "mage"}
    assert hall.do("manage_concentration", operation="break", **mage)["broken"]
    state = hall.campaign.state
    assert [path for path in state if path.startswith("auras/")] == ["auras/aura-2.json"]
    assert "conditions" not in hall.encounter()["participants"][1]["body"]
    assert "conditions" in hall.encounter("encounter-2")["participants"][1]["body"]


def test_a_character_is_not_freed_by_the_namesake_of_who_holds_them(hall_with: HallWith) -> None:
    stuck = {"condition": "restrained", "duration": "concentration", "source": "mage"}
    fights = _guards("encounter-1") | fight(
        ephemeral("mage", 0, 0, concentration={"spell_name": "Web"}), linked("brom", 1, 0), encounter_id="encounter-2"
    )
    hall = hall_with(changed("brom", conditions=[stuck]), fights)
    hall.do("manage_concentration", operation="break", encounter_id="encounter-1", character_id="mage")
    assert conditions(hall, "brom") == ["restrained"]
    hall.do("manage_concentration", operation="break", encounter_id="encounter-2", character_id="mage")
    assert conditions(hall, "brom") == []


def test_a_character_and_its_namesake_of_a_fight_are_two(hall_with: HallWith) -> None:
    caster = changed("cyra", concentration={"spell_name": "Web"})
    own = {"auras/aura-3.json": {"id": "aura-3", "owner_id": "cyra", "spell_name": "Web", "radius": 5}}
    theirs = {"auras/aura-4.json": own["auras/aura-3.json"] | {"id": "aura-4", "encounter_id": "encounter-1"}}
    hall = hall_with(caster, own, theirs, fight(ephemeral("cyra", 0, 0, concentration={"spell_name": "Web"})))
    hall.do("manage_concentration", operation="break", character_id="cyra")
    assert [path for path in hall.campaign.state if path.startswith("auras/")] == ["auras/aura-4.json"]
    hall.do("delete_character", character_id="cyra")
    assert "auras/aura-4.json" in hall.campaign.state


def test_a_caster_outside_of_a_fight_lets_go_of_who_exists_in_it_alone(hall_with: HallWith) -> None:
    fights = fight(ephemeral("rat", 1, 0), ephemeral("owl", 2, 0)) | _guards("encounter-2")
    hall = hall_with(fights)
    hall.do("manage_concentration", character_id="brom", operation="set", spell_name="Bless")
    held = {"encounter_id": "encounter-1", "operation": "add"}
    bless = {"name": "Bless", "ac_bonus": 2, "type": "boon", "duration": "concentration", "source": "brom"}
    hall.do("manage_effect", **held, target_id="rat", effect=bless)
    stuck = {"condition": "restrained", "duration": "concentration", "source": "brom"}
    hall.do("manage_condition", **held, target_id="owl", **stuck)
    hall.do("manage_concentration", character_id="brom", operation="break")
    rat, owl = (person["body"] for person in hall.encounter()["participants"])
    assert ("effects" in rat, "conditions" in owl) == (False, False)
    assert "conditions" in hall.encounter("encounter-2")["participants"][1]["body"]


def test_a_namesake_in_a_fight_keeps_what_is_theirs_when_a_character_lets_go(hall_with: HallWith) -> None:
    stuck = {"condition": "restrained", "duration": "concentration", "source": "cyra"}
    mage = ephemeral("cyra", 0, 0, concentration={"spell_name": "Web"})
    there = fight(mage, ephemeral("rat", 1, 0, conditions=[stuck]))
    hall = hall_with(changed("cyra", concentration={"spell_name": "Web"}), there)
    hall.do("manage_concentration", character_id="cyra", operation="break")
    assert "conditions" in hall.encounter()["participants"][1]["body"]
    hall.do("manage_concentration", character_id="cyra", encounter_id="encounter-1", operation="break")
    assert "conditions" not in hall.encounter()["participants"][1]["body"]


# a dodge


def _dodger(*conditions: str) -> dict[str, Json]:
    people = fight(linked("aria", 5, 5, dodging=True), ephemeral("orc", 6, 5))
    return people | changed("aria", conditions=[{"condition": name} for name in conditions])


def test_a_dodge_is_lost_for_good_with_the_power_to_act(hall_with: HallWith) -> None:
    hall = hall_with(_dodger())
    aria = {"target_id": "aria", "condition": "stunned"}
    hall.do("manage_condition", operation="add", **aria)
    hall.do("manage_condition", operation="remove", **aria)
    assert "dodging" not in hall.encounter()["participants"][0]


@pytest.mark.parametrize("who", ["aria", "orc"])
@pytest.mark.parametrize(
    ("tool", "bound", "free"),
    [
        ("manage_condition", {"condition": "restrained"}, {"condition": "restrained"}),
        ("manage_effect", {"effect": {"name": "Slow", "type": "curse", "speed_modifier": -60}}, {"name": "Slow"}),
    ],
)
def test_a_dodge_is_lost_for_good_with_the_last_foot_of_speed(
    hall_with: HallWith, who: str, tool: str, bound: Json, free: Json
) -> None:
    hall = hall_with(fight(linked("aria", 5, 5, dodging=True), ephemeral("orc", 6, 5) | {"dodging": True}))
    where = {"target_id": who, "encounter_id": "encounter-1"}
    hall.do(tool, **where, operation="add", **bound)
    hall.do(tool, **where, operation="remove", **free)
    dodging = [person["id"] for person in hall.encounter()["participants"] if person.get("dodging")]
    assert dodging == [each for each in ("aria", "orc") if each != who]


@pytest.mark.parametrize(
    ("name", "mode"), [("prone", "advantage"), ("grappled", "normal"), ("restrained", "disadvantage")]
)
def test_a_save_that_is_asked_for_knows_who_cannot_dodge(hall_with: HallWith, name: str, mode: str) -> None:
    hall = hall_with(_dodger(name))
    faces = (10,) if mode == "normal" else (10, 12)
    told = hall.do("roll_check", faces, character_id="aria", check_type="save", ability="dex")
    assert told["mode"] == mode
