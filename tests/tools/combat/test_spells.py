"""execute_action cast_spell and ready: slots, saves, spell attacks, concentration."""

from __future__ import annotations

from typing import Any

import pytest
from tests.builders import Json
from tests.tools.conftest import HallWith
from tests.tools.hall import Hall, changed, ephemeral, fight, linked

ACT = "execute_action"
GIVEN = {"encounter_id": "encounter-1", "actor_id": "cyra", "action_type": "cast_spell"}
FIREBALL = {"spell_name": "Fireball", "spell_slot": 3, "damage_expression": "2d6", "damage_type": "fire"}
FIREBALL |= {"save_ability": "dex", "half_on_save": True}


def cast(hall: Hall, dice: tuple[int, ...] = (), **args: Any) -> Json:
    return hall.do(ACT, dice, **(GIVEN | args))


def refused(hall: Hall, **args: Any) -> Json:
    return hall.fail(ACT, **(GIVEN | args))


def duel(hall_with: HallWith, *more: dict[str, Json], **cyra: Any) -> Hall:
    foes = (ephemeral("g1", 8, 5, 20), ephemeral("g2", 8, 7, 20))
    return hall_with(*more, fight(linked("cyra", 5, 5, **cyra), *foes))


def slots(hall: Hall, character_id: str = "cyra") -> dict[str, int]:
    return {level: pool["current"] for level, pool in hall.person(character_id)["sheet"]["spell_slots"].items()}


# Cyra: INT 18 (+4), level 5 (+3): spell attack +7, save DC 15; slots 4, 1 of 3, 2


def test_targets_save_against_the_casters_dc_and_the_damage_falls_once(hall_with: HallWith) -> None:
    hall = duel(hall_with)
    result = cast(hall, (6, 5, 15, 14), **FIREBALL, target_ids=["g1", "g2"])
    assert result["slot"] == {"level": 3, "remaining": 1}
    assert slots(hall) == {"1": 4, "2": 1, "3": 1}
    first, second = result["targets"]
    assert (first["save"]["dc"], first["save"]["success"], first["damage"]["final"]) == (15, True, 5)
    assert (second["save"]["success"], second["damage"]["final"]) == (False, 11)
    assert result["save"] == first["save"]
    assert result["damage"] == first["damage"]
    assert first["target_hp"] == {"before": 20, "after": 15, "max": 20, "temp": 0}
    assert hall.encounter()["participants"][0]["statistics"] == {"damage_dealt": 16}


def test_without_half_a_save_spares_all(hall_with: HallWith) -> None:
    result = cast(duel(hall_with), (6, 5, 15), **(FIREBALL | {"half_on_save": False}), target_id="g1", save_dc=15)
    assert (result["save"]["success"], result["damage"], result["target_hp"]["after"]) == (True, None, 20)
    assert "targets" not in result


def test_cover_helps_against_what_spreads(hall_with: HallWith) -> None:
    crate = {"id": "prop-1", "name": "Crate", "type": "crate", "position": {"x": 7, "y": 5}, "cover_type": "half"}
    hall = hall_with(fight(linked("cyra", 5, 5), ephemeral("g1", 9, 5), props=[crate]))
    result = cast(hall, (6, 5, 5), **FIREBALL, target_id="g1")
    assert result["save"]["modifier"] == 2
    hall = hall_with(fight(linked("cyra", 5, 5), ephemeral("g1", 9, 5), props=[crate]))
    result = cast(hall, (6, 5, 5), **FIREBALL, target_id="g1", target_position={"x": 9, "y": 8})
    assert result["save"]["modifier"] == 0


def test_total_cover_spares_whom_it_hides(hall_with: HallWith) -> None:
    there = fight(linked("cyra", 5, 5), ephemeral("g1", 9, 5), ephemeral("g2", 5, 9), terrain={"obstacles": ["7,5"]})
    told = refused(hall_with(there), **FIREBALL, target_ids=["g1", "g2"])
    hint = {"field": "args.target_ids", "got": ["g1", "g2"]}
    assert (told["reason"], told["hint"]) == ("rule_violation", hint)
    cast(hall_with(there), (1, 1, 1), **FIREBALL, target_id="g1", target_position={"x": 9, "y": 8})


def test_without_a_save_it_is_a_spell_attack(hall_with: HallWith) -> None:
    bolt = {"spell_name": "Fire Bolt", "damage_expression": "1d10", "damage_type": "fire"}
    hall = duel(hall_with)
    result = cast(hall, (3, 7), **bolt, target_id="g1")
    assert (result["attack"]["bonus"], result["attack"]["total"], result["attack"]["result"]) == (7, 10, "hit")
    assert (result["damage"]["final"], result["slot"], result["spell"]) == (7, None, "Fire Bolt")
    assert hall.encounter()["participants"][0]["statistics"]["attacks_hit"] == 1


def test_who_is_made_up_for_a_fight_attacks_by_spell_as_well_as_was_said(hall: Hall) -> None:
    mage: Json = {"id": "mage", "name": "Mage", "hp": 9, "max_hp": 9, "position": {"x": 1, "y": 1}}
    hall.do("create_encounter", [5, 6], participants=[mage | {"attack_bonus": 7}, {"character_id": "cyra"}])
    bolt: Json = {"spell_name": "Bolt", "damage_expression": "1d10", "ignore_economy": True}
    assert cast(hall, (3,), **bolt, actor_id="mage", target_id="cyra")["attack"]["bonus"] == 7
    hall.do("delete_character", character_id="cyra")
    assert cast(hall, (2,), **bolt, target_id="mage")["attack"]["bonus"] == 7


def test_of_several_attacked_only_who_is_hit_critically_takes_the_double(hall_with: HallWith) -> None:
    ray = {"spell_name": "Ray", "damage_expression": "2d6+1", "target_ids": ["g1", "g2"]}
    result = cast(duel(hall_with), (10, 20, 3, 4, 5, 6), **ray)
    first, second = result["targets"]
    assert (first["attack"]["result"], first["damage"]["raw"], first["damage"]["rolls"]) == ("hit", 8, [3, 4])
    assert (second["attack"]["result"], second["damage"]["raw"]) == ("critical_hit", 19)


def test_a_spell_from_afar_is_hard_with_an_enemy_close_and_a_touch_needs_one(hall_with: HallWith) -> None:
    near = hall_with(fight(linked("cyra", 5, 5), ephemeral("g1", 6, 5), ephemeral("g2", 9, 5)))
    bolt = {"spell_name": "Bolt", "damage_expression": "1d10"}
    assert cast(near, (1, 9), **bolt, target_id="g2")["attack"]["disadvantage_reasons"] == ["enemy close"]
    touch = bolt | {"weapon_type": "melee", "ignore_economy": True}
    assert cast(near, (1,), **touch, target_id="g1")["attack"]["mode"] == "normal"
    told = refused(near, **touch, target_id="g2")
    assert (told["reason"], told["hint"]["choices"]) == ("rule_violation", ["g1"])


def test_damage_wants_somebody_to_take_it(hall_with: HallWith) -> None:
    told = refused(duel(hall_with), **FIREBALL)
    assert (told["reason"], told["hint"]["choices"][0]) == ("invalid_args", ["g1"])
    assert cast(duel(hall_with), (1, 1), **FIREBALL, target_position={"x": 1, "y": 1})["slot"]["remaining"] == 1


def test_damage_wants_somebody_before_it_wants_a_slot(hall_with: HallWith) -> None:
    assert refused(duel(hall_with), **FIREBALL | {"spell_slot": 9})["reason"] == "invalid_args"


def test_a_spell_without_numbers_only_costs_its_slot(hall_with: HallWith) -> None:
    hall = duel(hall_with)
    result = cast(hall, spell_name="Mage Armor", spell_slot=1)
    assert (result["slot"], result["target"]) == ({"level": 1, "remaining": 3}, None)


# slots


def test_a_slot_must_be_there(hall_with: HallWith) -> None:
    hall = duel(hall_with, strike={"attacks": 1})
    cast(hall, spell_name="Web", spell_slot=2)
    told = refused(hall, spell_name="Web", spell_slot=2, action_cost="reaction")
    assert (told["reason"], told["hint"]["choices"]) == ("rule_violation", [3, 1, 0])
    assert refused(duel(hall_with), spell_name="Wish", spell_slot=9)["reason"] == "rule_violation"
    assert refused(duel(hall_with), spell_name="Wish", spell_slot=10)["reason"] == "invalid_args"
    fighter = hall_with(fight(linked("aria", 5, 5)))
    assert refused(fighter, actor_id="aria", spell_name="Shield", spell_slot=1)["reason"] == "rule_violation"


def test_a_pact_slot_has_a_level_of_its_own(hall_with: HallWith) -> None:
    sheet = {"class": "Warlock", "level": 5, "pact_slots": {"current": 1, "max": 2, "slot_level": 3}}
    hall = duel(hall_with, changed("cyra", sheet=sheet))
    result = cast(hall, spell_name="Hex", pact_magic=True)
    assert result["slot"] == {"level": 3, "remaining": 0}
    told = refused(hall, spell_name="Hex", pact_magic=True, action_cost="reaction")
    assert (told["reason"], told["hint"]) == ("rule_violation", {"field": "args.pact_magic", "got": True})
    assert refused(duel(hall_with), spell_name="Hex", pact_magic=True)["reason"] == "rule_violation"


@pytest.mark.parametrize("action_type", ["cast_spell", "ready"])
def test_a_pact_slot_pays_for_no_spell_above_its_level(hall_with: HallWith, action_type: str) -> None:
    sheet = {"class": "Warlock", "level": 5, "pact_slots": {"current": 2, "max": 2, "slot_level": 3}}
    hall = duel(hall_with, changed("cyra", sheet=sheet))
    spell: Json = {"action_type": action_type, "spell_name": "Blight", "pact_magic": True}
    spell |= {"trigger": "they come", "readied_action": "wither them"} if action_type == "ready" else {}
    told = refused(hall, **spell, spell_slot=4)
    assert (told["reason"], told["detail"]) == ("rule_violation", "the pact slots of cyra are of level 3")
    assert told["hint"] == {"field": "args.spell_slot", "got": 4, "choices": [3]}
    assert cast(hall, **spell, spell_slot=2)["slot"] == {"level": 3, "remaining": 1}


def test_a_cantrip_costs_no_slot(hall_with: HallWith) -> None:
    hall = duel(hall_with)
    cast(hall, spell_name="Light")
    assert slots(hall) == {"1": 4, "2": 1, "3": 2}


def test_the_referee_lets_cast_without_a_slot(hall_with: HallWith) -> None:
    hall = hall_with(fight(linked("cyra", 5, 5), ephemeral("g1", 8, 5)))
    spell = FIREBALL | {"actor_id": "g1", "target_id": "cyra", "save_dc": 5, "ignore_economy": True}
    assert cast(hall, (1, 1, 10), **spell)["slot"] is None


@pytest.mark.parametrize(
    ("first", "second", "works"),
    [
        (("bonus_action", 1), ("action", 0), True),
        (("bonus_action", 1), ("action", 1), False),
        (("bonus_action", 0), ("action", 1), False),
        (("action", 1), ("bonus_action", 1), False),
        (("action", 1), ("bonus_action", 0), False),
        (("action", 0), ("bonus_action", 1), True),
    ],
)
def test_beside_a_bonus_action_spell_only_a_cantrip_is_cast(
    hall_with: HallWith, first: tuple[str, int], second: tuple[str, int], works: bool
) -> None:
    hall = duel(hall_with)
    cast(hall, spell_name="One", action_cost=first[0], spell_slot=first[1])
    if works:
        cast(hall, spell_name="Two", action_cost=second[0], spell_slot=second[1])
    else:
        told = refused(hall, spell_name="Two", action_cost=second[0], spell_slot=second[1])
        assert told["reason"] == "rule_violation"


def test_nobody_harms_its_charmer_by_magic(hall_with: HallWith) -> None:
    charmed = changed("cyra", conditions=[{"condition": "charmed", "source": "g1"}])
    assert refused(duel(hall_with, charmed), **FIREBALL, target_id="g1")["reason"] == "rule_violation"
    thrown = {"spell_name": "Fire Bolt", "manual_damage_roll": 7}
    assert refused(duel(hall_with, charmed), **thrown, target_id="g1")["reason"] == "rule_violation"
    cast(duel(hall_with, charmed), spell_name="Guidance", target_id="g1")


# concentration


def test_concentration_is_set_and_ends_the_one_before(hall_with: HallWith) -> None:
    held = changed("cyra", concentration={"spell_name": "Fly", "targets": ["brom"]})
    flying = changed(
        "brom", effects=[{"effect_id": "e1", "name": "Fly", "duration": "concentration", "source": "cyra"}]
    )
    hall = duel(hall_with, held, flying)
    given = GIVEN | {"spell_name": "Web", "spell_slot": 2, "concentration": True, "duration": 10, "target_id": "g1"}
    action = hall.action(ACT, (), **given)
    assert action["warnings"] == ["cyra no longer concentrates on Fly"]
    assert hall.person("cyra")["concentration"] == {
        "spell_name": "Web",
        "targets": ["g1"],
        "duration": 10,
        "rounds_remaining": 10,
        "started_round": 1,
        "encounter_id": "encounter-1",
    }
    assert "effects" not in hall.person("brom")


def test_saves_of_concentration_come_last_in_the_order_of_the_targets(hall_with: HallWith) -> None:
    held = {"spell_name": "Hex"}
    foes = (ephemeral("g1", 8, 5, 30, concentration=held), ephemeral("g2", 8, 7, 30, concentration=held))
    hall = hall_with(fight(linked("cyra", 5, 5), *foes))
    result = cast(hall, (6, 6, 2, 3, 1, 20), **FIREBALL, target_ids=["g1", "g2"])
    assert [(each["target_id"], each["broken"]) for each in result["concentration_checks"]] == [
        ("g1", True),
        ("g2", False),
    ]


def test_a_readied_spell_is_spent_now_and_released_by_the_reaction(hall_with: HallWith) -> None:
    hall = duel(hall_with)
    ready = {"action_type": "ready", "trigger": "they come", "readied_action": "burn them"}
    result = cast(hall, (), **ready, spell_name="Burning Hands", spell_slot=1)
    assert result["slot"] == {"level": 1, "remaining": 3}
    assert hall.person("cyra")["concentration"]["spell_name"] == "Burning Hands"
    burn = {"damage_expression": "3d6", "save_ability": "dex", "target_id": "g1"}
    released = cast(hall, (1, 1, 1, 20), spell_name="burning hands", action_cost="reaction", spell_slot=1, **burn)
    assert (released["slot"], slots(hall)["1"]) == (None, 3)
    assert "concentration" not in hall.person("cyra")


def test_a_readied_spell_is_lost_with_concentration_or_with_the_reaction(hall_with: HallWith) -> None:
    ready = {"action_type": "ready", "trigger": "they come", "readied_action": "burn them", "spell_name": "Hands"}
    hall = duel(hall_with)
    cast(hall, (), **ready, spell_slot=1)
    hall.do("manage_concentration", operation="break", character_id="cyra")
    again = cast(hall, spell_name="Hands", action_cost="reaction", spell_slot=1)
    assert again["slot"] == {"level": 1, "remaining": 2}
    hall = duel(hall_with)
    cast(hall, (), **ready, spell_slot=1)
    cast(hall, spell_name="Shield", action_cost="reaction", spell_slot=1)
    assert "concentration" not in hall.person("cyra")


READY = {"action_type": "ready", "trigger": "they come", "readied_action": "burn them", "spell_name": "Hands"}


def test_a_readied_spell_is_held_until_the_casters_next_turn_and_no_longer(hall_with: HallWith) -> None:
    hall = duel(hall_with)
    cast(hall, (), **READY, spell_slot=1)
    for _ in range(2):  # the turns of the others
        assert hall.do("advance_turn", encounter_id="encounter-1", process_effects=False)["concentration_ended"] == []
        assert hall.person("cyra")["concentration"]["spell_name"] == "Hands"
    told = hall.do("advance_turn", encounter_id="encounter-1", process_effects=False)
    assert told["concentration_ended"] == [{"target_id": "cyra", "spell_name": "Hands"}]
    assert "concentration" not in hall.person("cyra")


def test_a_readied_spell_is_gone_when_something_else_is_waited_for_or_the_fight_ends(hall_with: HallWith) -> None:
    hall = duel(hall_with)
    cast(hall, (), **READY, spell_slot=1)
    instead = {"action_type": "ready", "trigger": "the door opens", "readied_action": "run", "ignore_economy": True}
    action = hall.action(ACT, (), **{"encounter_id": "encounter-1", "actor_id": "cyra"}, **instead)
    assert action["warnings"] == ["cyra no longer concentrates on Hands"]
    assert "concentration" not in hall.person("cyra")
    hall = duel(hall_with)
    cast(hall, (), **READY, spell_slot=1)
    hall.do("end_encounter", encounter_id="encounter-1", outcome="fled")
    assert "concentration" not in hall.person("cyra")
    assert hall.encounter()["status"] == "ended"
    assert not any("concentration" in person["body"] for person in hall.encounter()["participants"])


def test_a_readied_spell_is_released_once_by_the_referees_word_too(hall_with: HallWith) -> None:
    hall = duel(hall_with)
    cast(hall, (), **READY, spell_slot=1)
    hall.do("advance_turn", encounter_id="encounter-1")
    released: Json = {"spell_name": "Hands", "action_cost": "reaction", "spell_slot": 1}
    assert cast(hall, **released, ignore_economy=True)["economy"]["reaction"] is True
    assert "concentration" not in hall.person("cyra")
    assert "readied" not in hall.encounter()["participants"][0]
    assert cast(hall, **released)["slot"] == {"level": 1, "remaining": 2}


def test_who_cannot_concentrate_does_not(hall_with: HallWith) -> None:
    hall = duel(hall_with, changed("cyra", conditions=[{"condition": "stunned"}]))
    action = hall.action(ACT, (), **GIVEN, spell_name="Web", spell_slot=2, concentration=True, ignore_economy=True)
    assert action["warnings"] == ["cyra cannot concentrate"]
    assert "concentration" not in hall.person("cyra")
