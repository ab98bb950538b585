"""execute_action attack: does it hit, how hard, and what stands in the way."""

from __future__ import annotations

from typing import Any

import pytest
from tests.builders import Json
from tests.tools.conftest import HallWith
from tests.tools.hall import Hall, changed, ephemeral, fight, linked

ACT = "execute_action"


def duel(hall_with: HallWith, *more: Json, grik: Json | None = None, aria: Json | None = None, **fields: Any) -> Hall:
    """Begin a fight between Aria on 5,5, whose turn it is, and Grik on 6,5."""
    own = linked("aria", 5, 5, **(aria or {}))
    foe = linked("grik", 6, 5, is_enemy=True, **(grik or {}))
    return hall_with(fight(own, foe, *more, **fields))


def attack(hall: Hall, dice: list[int], **args: Any) -> Json:
    given = {"encounter_id": "encounter-1", "actor_id": "aria", "target_id": "grik", "action_type": "attack"} | args
    return hall.do(ACT, dice, **{key: value for key, value in given.items() if value is not None})


def refused(hall: Hall, **args: Any) -> Json:
    given = {"encounter_id": "encounter-1", "actor_id": "aria", "target_id": "grik", "action_type": "attack"} | args
    return hall.fail(ACT, **{key: value for key, value in given.items() if value is not None})


# hand-worked: Aria has STR 18 (+4), level 5 (+3), a longsword 1d8 slashing; Grik has AC 15 and 7 hit points


def test_the_sheet_gives_the_bonus_and_the_weapon_the_damage(hall_with: HallWith) -> None:
    hall = duel(hall_with)
    result = attack(hall, [8, 2])
    assert result["attack"] == {
        "natural": 8,
        "rolls": [8],
        "mode": "normal",
        "bonus": 7,
        "total": 15,
        "target_ac": 15,
        "result": "hit",
        "advantage_reasons": [],
        "disadvantage_reasons": [],
        "weapon": "Longsword",
    }
    assert result["damage"] == {
        "expression": "1d8+4",
        "rolls": [2],
        "raw": 6,
        "final": 6,
        "type": "slashing",
        "adjusted": "none",
    }
    assert result["target_hp"] == {"before": 7, "after": 1, "max": 7, "temp": 0}
    assert (result["target_status"], result["target_conditions"]) == ("critical", [])
    assert hall.person("grik")["hp"] == 1
    keys = {"action_type", "actor", "target", "action_cost", "opportunity_attacks", "economy", "concentration_check"}
    assert keys <= set(result)
    assert (result["actor"], result["target"], result["action_cost"]) == ("aria", "grik", "action")


def test_one_below_the_armor_class_misses_and_draws_no_damage(hall_with: HallWith) -> None:
    result = attack(duel(hall_with), [7])
    assert (result["attack"]["total"], result["attack"]["result"], result["damage"]) == (14, "miss", None)
    assert result["target_hp"]["after"] == 7


def test_a_natural_20_hits_whatever_the_armor_and_throws_every_die_twice(hall_with: HallWith) -> None:
    hall = duel(hall_with, grik={"overrides": {"ac": 60}})
    result = attack(hall, [20, 1, 1], damage_expression="1d6+2")
    assert result["attack"]["result"] == "critical_hit"
    assert (result["damage"]["rolls"], result["damage"]["raw"]) == ([1, 1], 4)


def test_a_natural_1_misses_whatever_the_bonus(hall_with: HallWith) -> None:
    result = attack(duel(hall_with), [1], attack_bonus=50)
    assert result["attack"]["result"] == "critical_miss"
    assert result["damage"] is None


def test_what_the_call_says_replaces_the_sheet(hall_with: HallWith) -> None:
    result = attack(
        duel(hall_with),
        [11, 3],
        attack_bonus=4,
        damage_expression="1d4",
        damage_type="cold",
    )
    assert (result["attack"]["bonus"], result["damage"]["raw"], result["damage"]["type"]) == (4, 3, "cold")


@pytest.mark.parametrize(
    ("weapon_type", "bonus"), [("melee", 3), ("ranged_thrown", 3), ("ranged", 7), ("melee_finesse", 7)]
)
def test_the_kind_of_weapon_decides_the_ability(hall_with: HallWith, weapon_type: str, bonus: int) -> None:
    # Dain: STR 10, DEX 18, level 5, nothing in hand
    hall = hall_with(fight(linked("dain", 5, 5), linked("grik", 7, 5, is_enemy=True)))
    far = {"weapon_type": weapon_type, "damage_expression": "1d4"}
    if weapon_type.startswith("melee"):
        hall = hall_with(fight(linked("dain", 5, 5), linked("grik", 6, 5, is_enemy=True)))
    result = attack(hall, [2], actor_id="dain", **far)
    assert result["attack"]["bonus"] == bonus


def test_a_bare_fist_deals_one_and_the_strength_modifier(hall_with: HallWith) -> None:
    hall = duel(hall_with, aria={}, grik={})
    hall.do("manage_inventory", operation="unequip", character_id="aria", item_name="Longsword")
    result = attack(hall, [15])
    assert (result["damage"]["expression"], result["damage"]["type"]) == ("1+4", "bludgeoning")
    assert result["damage"]["final"] == 5


def test_a_weapon_knows_its_reach_its_range_and_its_kind(hall_with: HallWith) -> None:
    bow = {"id": "i1", "name": "Longbow", "type": "weapon"}
    bow["weapon_stats"] = {"damage": "1d8", "damage_type": "piercing", "range": 50, "long_range": 100}  # type: ignore[assignment]
    armed = changed("aria", inventory=[bow], equipped={"mainhand": "i1"})
    near = hall_with(armed, fight(linked("aria", 0, 0), linked("grik", 10, 0, is_enemy=True), terrain=WIDE))
    result = attack(near, [10, 3])
    assert (result["attack"]["bonus"], result["attack"]["mode"], result["damage"]["expression"]) == (
        5,
        "normal",
        "1d8+2",
    )
    far = hall_with(armed, fight(linked("aria", 0, 0), linked("grik", 11, 0, is_enemy=True), terrain=WIDE))
    result = attack(far, [20, 10, 3])
    assert result["attack"]["natural"] == 10
    assert result["attack"]["disadvantage_reasons"] == ["long range"]
    beyond = hall_with(armed, fight(linked("aria", 0, 0), linked("grik", 21, 0, is_enemy=True), terrain=WIDE))
    assert refused(beyond)["reason"] == "rule_violation"
    assert attack(beyond, [2], damage_expression="1d4", weapon_type="ranged_thrown")["attack"]["bonus"] == 7


WIDE: Json = {"width": 40, "height": 20}


def test_a_reach_weapon_reaches_ten_feet_and_others_five(hall_with: HallWith) -> None:
    there = fight(linked("aria", 5, 5), linked("grik", 7, 5, is_enemy=True), ephemeral("g1", 6, 6))
    told = refused(hall_with(there))
    assert told["reason"] == "rule_violation"
    assert told["hint"] == {"field": "args.target_id", "got": "grik", "choices": ["g1"]}
    glaive = {
        "id": "i1",
        "name": "Glaive",
        "type": "weapon",
        "weapon_stats": {"damage": "1d10", "properties": ["reach"]},
    }
    armed = changed("aria", inventory=[glaive], equipped={"mainhand": "i1"})
    assert attack(hall_with(armed, there), [5])["attack"]["result"] == "miss"
    assert attack(hall_with(fight(linked("ogg", 5, 5), linked("grik", 7, 5))), [1], actor_id="ogg")["actor"] == "ogg"


def test_a_participant_of_the_fight_alone_strikes_as_it_was_described(hall_with: HallWith) -> None:
    goblin = ephemeral("g1", 4, 5) | {"strike": {"attack_bonus": 4, "damage": "1d6+2", "damage_type": "piercing"}}
    hall = hall_with(fight(goblin, linked("aria", 5, 5), ephemeral("g2", 6, 5)))
    result = attack(hall, [13, 6], actor_id="g1", target_id="aria")
    assert (result["attack"]["total"], result["damage"]["final"], result["damage"]["type"]) == (17, 8, "piercing")
    assert hall.person("aria")["hp"] == 36


def test_somebody_undescribed_strikes_without_bonus_for_1d6_and_2(hall_with: HallWith) -> None:
    hall = hall_with(fight(ephemeral("g1", 4, 5), linked("aria", 5, 5)))
    result = attack(hall, [19, 3], actor_id="g1", target_id="aria")
    assert (result["attack"]["bonus"], result["damage"]["expression"], result["damage"]["type"]) == (
        0,
        "1d6+2",
        "slashing",
    )


def test_what_was_said_on_joining_goes_before_the_sheet(hall_with: HallWith) -> None:
    hall = duel(hall_with, aria={"strike": {"attack_bonus": 1, "damage": "2d4", "damage_type": "fire"}})
    result = attack(hall, [14, 1, 1])
    assert (result["attack"]["bonus"], result["damage"]["expression"], result["damage"]["type"]) == (1, "2d4", "fire")


def test_what_was_said_on_joining_is_a_blow_and_no_shot(hall_with: HallWith) -> None:
    bow: Json = {"id": "i1", "name": "Longbow", "type": "weapon"}
    bow["weapon_stats"] = {"damage": "1d8", "damage_type": "piercing", "range": 150, "long_range": 600}
    armed = changed("aria", inventory=[bow], equipped={"mainhand": "i1"})
    said = {"attack_bonus": 1, "damage": "1d4", "damage_type": "bludgeoning"}
    there = fight(linked("aria", 5, 5, strike=said), linked("ogg", 10, 5, is_enemy=True), ephemeral("g1", 4, 5, 30))
    for kind in (None, "ranged"):
        shot = attack(hall_with(armed, there), [16, 15, 3], target_id="ogg", weapon_type=kind)
        assert (shot["attack"]["weapon"], shot["attack"]["bonus"]) == ("Longbow", 5)
        assert (shot["damage"]["expression"], shot["damage"]["type"]) == ("1d8+2", "piercing")
    blow = attack(hall_with(armed, there), [16, 3], target_id="g1", weapon_type="melee")
    assert (blow["attack"]["bonus"], blow["damage"]["expression"], blow["damage"]["type"]) == (1, "1d4", "bludgeoning")


def test_a_kind_of_damage_said_on_joining_is_that_of_the_weapon(hall_with: HallWith) -> None:
    hall = duel(hall_with, aria={"strike": {"damage_type": "fire"}})
    result = attack(hall, [14, 1])
    assert (result["attack"]["weapon"], result["damage"]["expression"]) == ("Longsword", "1d8+4")
    assert result["damage"]["type"] == "fire"
    hall = duel(hall_with, aria={"strike": {"damage_type": "fire"}})
    assert attack(hall, [14, 1], damage_expression="1d4")["damage"]["type"] == "fire"


def test_effects_add_to_the_roll_and_to_the_damage(hall_with: HallWith) -> None:
    effect = {"effect_id": "effect-1", "name": "Smite", "attack_bonus": 2, "damage_bonus": "1d4"}
    hall = hall_with(changed("aria", effects=[effect]), fight(linked("aria", 5, 5), linked("ogg", 6, 5, is_enemy=True)))
    result = attack(hall, [10, 8, 4], target_id="ogg")
    assert (result["attack"]["bonus"], result["damage"]["raw"]) == (9, 16)


@pytest.mark.parametrize(
    ("field", "final", "adjusted"),
    [("resistances", 3, "resisted"), ("immunities", 0, "immune"), ("vulnerabilities", 12, "vulnerable")],
)
def test_resistances_apply(hall_with: HallWith, field: str, final: int, adjusted: str) -> None:
    foe = ephemeral("g1", 6, 5, 30, sheet={field: ["slashing"]})
    hall = hall_with(fight(linked("aria", 5, 5), foe))
    result = attack(hall, [15, 2], target_id="g1")
    assert (result["damage"]["raw"], result["damage"]["final"], result["damage"]["adjusted"]) == (6, final, adjusted)


def typed(hall_with: HallWith, dice: list[int], **args: Any) -> Json:
    """Return the damage of a blow against somebody resistant to fire."""
    foe = ephemeral("g1", 6, 5, 60, sheet={"resistances": ["fire"]})
    hall = hall_with(fight(linked("aria", 5, 5), foe))
    damage: Json = attack(hall, dice, target_id="g1", **args)["damage"]
    return damage


def test_each_type_of_one_blow_has_its_own_resistance(hall_with: HallWith) -> None:
    damage = typed(hall_with, [15, 5, 4, 5], damage_expression="1d8[slashing]+2d6[fire]")
    assert (damage["raw"], damage["final"], damage["adjusted"]) == (14, 5 + 9 // 2, "resisted")
    assert [(part["type"], part["raw"], part["final"]) for part in damage["parts"]] == [
        ("slashing", 5, 5),
        ("fire", 9, 4),
    ]


def test_a_critical_hit_doubles_the_dice_of_every_type(hall_with: HallWith) -> None:
    damage = typed(hall_with, [20, 1, 2, 3, 4, 5, 6], damage_expression="1d8[slashing]+2[slashing]+2d6[fire]")
    assert [(part["type"], part["raw"]) for part in damage["parts"]] == [("slashing", 1 + 4 + 2), ("fire", 5 + 11)]


@pytest.mark.parametrize(
    ("expression", "given", "parts"),
    [
        ("1d8[slashing]+3+1d6[fire]", None, [("slashing", 5), ("fire", 4)]),  # with the first type
        ("1d8+3+1d6[fire]", "piercing", [("piercing", 5), ("fire", 4)]),
        ("1d6[fire]-(1-1d6[cold])", None, [("fire", 1), ("cold", 4)]),
        ("(1d8+1d6[fire])[cold]", None, None),
    ],
)
def test_what_has_no_label_is_of_the_type_of_the_blow(
    hall_with: HallWith, expression: str, given: str | None, parts: list[tuple[str, int]] | None
) -> None:
    if parts is None:
        told = refused(duel(hall_with), damage_expression=expression)
        assert (told["reason"], told["hint"]["field"]) == ("invalid_args", "args.damage_expression")
        return
    damage = typed(hall_with, [15, 2, 4], damage_expression=expression, damage_type=given)
    assert [(part["type"], part["raw"]) for part in damage["parts"]] == parts


def test_labels_of_one_type_are_no_parts(hall_with: HallWith) -> None:
    damage = typed(hall_with, [15, 2, 3], damage_expression="2d6[fire]+3")
    assert (damage["type"], damage["raw"], damage["final"]) == ("fire", 8, 4)
    assert "parts" not in damage


def test_a_weapon_that_burns_says_so_in_its_dice(hall_with: HallWith) -> None:
    sword = {"id": "flame", "name": "Flame Tongue", "type": "weapon", "weapon_stats": {"damage": "1d8+2d6[fire]"}}
    foe = ephemeral("g1", 6, 5, 60, sheet={"immunities": ["fire"]})
    armed = changed("aria", inventory=[sword], equipped={"mainhand": "flame"})
    damage = attack(hall_with(armed, fight(linked("aria", 5, 5), foe)), [15, 3, 6, 6], target_id="g1")["damage"]
    assert (damage["type"], damage["raw"], damage["final"]) == ("slashing", 19, 7)


@pytest.mark.parametrize(
    ("defense", "weapon_is", "final"),
    [
        ("nonmagical", [], 3),
        ("nonmagical", ["silvered", "adamantine"], 3),
        ("nonmagical", ["magical"], 6),
        ("nonmagical_not_silvered", ["adamantine"], 3),
        ("nonmagical_not_silvered", ["silvered"], 6),
        ("nonmagical_not_adamantine", ["adamantine"], 6),
    ],
)
def test_who_is_described_can_resist_plain_weapons(
    hall_with: HallWith, defense: str, weapon_is: list[str], final: int
) -> None:
    foe = ephemeral("g1", 6, 5, 30, sheet={"halved_weapons": defense})
    hall = hall_with(fight(linked("aria", 5, 5), foe))
    assert attack(hall, [15, 2], target_id="g1", weapon_is=weapon_is)["damage"]["final"] == final


def test_resistance_to_weapons_is_none_to_other_types_and_to_spells(hall_with: HallWith) -> None:
    foe = ephemeral("g1", 6, 5, 30, sheet={"harmless_weapons": "nonmagical"})
    hall = hall_with(fight(linked("aria", 5, 5), foe))
    damage = attack(hall, [15, 3, 4], target_id="g1", damage_expression="1d8[slashing]+1d6[fire]")["damage"]
    assert [(part["type"], part["final"]) for part in damage["parts"]] == [("slashing", 0), ("fire", 4)]
    spell = {"action_type": "cast_spell", "spell_name": "Spike", "damage_expression": "1d6", "ignore_economy": True}
    assert attack(hall, [19, 19, 5], target_id="g1", damage_type="piercing", **spell)["damage"]["final"] == 5


def test_temporary_hit_points_go_first(hall_with: HallWith) -> None:
    hall = hall_with(fight(linked("aria", 5, 5), ephemeral("g1", 6, 5, temp_hp=4)))
    result = attack(hall, [15, 2], target_id="g1")
    assert result["target_hp"] == {"before": 10, "after": 8, "max": 10, "temp": 0}


# advantage and disadvantage


def condition(name: str, **more: Any) -> Json:
    return {"condition": name} | more


def struck_by(hall_with: HallWith, conditions: list[Json], apart: int = 1, **args: Any) -> Json:
    foe = ephemeral("g1", 5 + apart, 5, 60, conditions=conditions, sheet={"ac": 30})
    hall = hall_with(fight(linked("aria", 5, 5), foe))
    helped = args.pop("dice", [5, 6])
    return attack(hall, helped, target_id="g1", **args)


@pytest.mark.parametrize("name", ["blinded", "paralyzed", "petrified", "restrained", "stunned", "unconscious", "prone"])
def test_the_helpless_the_bound_and_the_prone_nearby_are_struck_with_advantage(hall_with: HallWith, name: str) -> None:
    result = struck_by(hall_with, [condition(name)])
    assert (result["attack"]["mode"], result["attack"]["natural"]) == ("advantage", 6)
    assert name in result["attack"]["advantage_reasons"]


@pytest.mark.parametrize(("name", "apart"), [("invisible", 1), ("prone", 3)])
def test_the_invisible_and_the_prone_far_away_are_struck_with_disadvantage(
    hall_with: HallWith, name: str, apart: int
) -> None:
    more = {"weapon_type": "ranged", "damage_expression": "1d6"} if apart > 1 else {}
    result = struck_by(hall_with, [condition(name)], apart, **more)
    assert (result["attack"]["mode"], result["attack"]["natural"]) == ("disadvantage", 5)


@pytest.mark.parametrize("name", ["blinded", "frightened", "poisoned", "prone", "restrained"])
def test_own_conditions_hinder_own_attacks(hall_with: HallWith, name: str) -> None:
    impaired = changed("aria", conditions=[condition(name)])
    hall = hall_with(impaired, fight(linked("aria", 5, 5), linked("grik", 6, 5, is_enemy=True)))
    result = attack(hall, [5, 6])
    assert (result["attack"]["mode"], result["attack"]["natural"]) == ("disadvantage", 5)
    assert name in result["attack"]["disadvantage_reasons"]


@pytest.mark.parametrize(("level", "mode", "dice"), [(2, "normal", [5]), (3, "disadvantage", [5, 6])])
def test_exhaustion_hinders_attacks_from_the_third_level_on(
    hall_with: HallWith, level: int, mode: str, dice: list[int]
) -> None:
    tired = changed("aria", conditions=[condition("exhaustion", exhaustion_level=level)])
    hall = hall_with(tired, fight(linked("aria", 5, 5), linked("grik", 6, 5, is_enemy=True)))
    assert attack(hall, dice)["attack"]["mode"] == mode


def test_fear_hinders_only_while_its_source_is_in_sight(hall_with: HallWith) -> None:
    afraid = changed("aria", conditions=[condition("frightened", source="ogg")])
    people = (linked("aria", 5, 5), linked("grik", 6, 5, is_enemy=True), linked("ogg", 5, 0, is_enemy=True))
    seen = attack(hall_with(afraid, fight(*people)), [5, 6])
    assert seen["attack"]["mode"] == "disadvantage"
    wall = {"obstacles": [f"{x},3" for x in range(20)]}
    unseen = attack(hall_with(afraid, fight(*people, terrain=wall)), [5])
    assert unseen["attack"]["mode"] == "normal"


def test_both_cancel_to_one_die_however_many_there_are(hall_with: HallWith) -> None:
    result = struck_by(hall_with, [condition("restrained"), condition("stunned")], disadvantage=True, dice=[5])
    assert result["attack"]["mode"] == "cancelled"
    assert result["attack"]["rolls"] == [5]


def test_the_invisible_attacker_has_advantage_unless_it_is_seen(hall_with: HallWith) -> None:
    unseen = changed("aria", conditions=[condition("invisible")])
    plain = fight(linked("aria", 5, 5), linked("grik", 6, 5, is_enemy=True))
    result = attack(hall_with(unseen, plain), [5, 6])
    assert (result["attack"]["natural"], result["attack"]["mode"]) == (6, "advantage")
    seeing = ephemeral("g1", 6, 5, sheet={"senses": {"truesight": 30}, "ac": 40})
    result = attack(hall_with(unseen, fight(linked("aria", 5, 5), seeing)), [5], target_id="g1")
    assert result["attack"]["mode"] == "normal"


def test_who_sees_in_the_dark_strikes_who_does_not_with_advantage(hall_with: HallWith) -> None:
    # Grik has darkvision, Aria has none
    dark = fight(linked("grik", 6, 5, is_enemy=True), linked("aria", 5, 5), lighting="darkness")
    result = attack(hall_with(dark), [5, 6], actor_id="grik", target_id="aria")
    assert result["attack"]["advantage_reasons"] == ["unseen"]
    both_blind = fight(linked("aria", 5, 5), ephemeral("g1", 6, 5), lighting="darkness")
    result = attack(hall_with(both_blind), [2], target_id="g1")
    assert result["attack"]["mode"] == "cancelled"


def test_who_hides_strikes_with_advantage_once(hall_with: HallWith) -> None:
    hall = duel(hall_with, aria={"hidden": True, "strike": {"attacks": 2}})
    assert attack(hall, [3, 2])["attack"]["advantage_reasons"] == ["hidden"]
    assert attack(hall, [2])["attack"]["mode"] == "normal"


def test_who_dodges_is_hard_to_hit_unless_it_cannot(hall_with: HallWith) -> None:
    assert attack(duel(hall_with, grik={"dodging": True}), [5, 6])["attack"]["disadvantage_reasons"] == ["dodging"]
    held = changed("grik", conditions=[condition("grappled")])
    there = fight(linked("aria", 5, 5), linked("grik", 6, 5, is_enemy=True, dodging=True))
    assert attack(hall_with(held, there), [5])["attack"]["mode"] == "normal"


def test_shooting_with_an_enemy_close_is_hard_unless_it_is_helpless(hall_with: HallWith) -> None:
    shot = {"target_id": "ogg", "weapon_type": "ranged", "damage_expression": "1d6"}
    people = (linked("aria", 5, 5), linked("grik", 6, 5, is_enemy=True), linked("ogg", 10, 10, is_enemy=True))
    assert attack(hall_with(fight(*people)), [5, 6], **shot)["attack"]["disadvantage_reasons"] == ["enemy close"]
    asleep = changed("grik", conditions=[condition("unconscious")])
    assert attack(hall_with(asleep, fight(*people)), [1], **shot)["attack"]["mode"] == "normal"


def test_whatever_hits_the_helpless_from_close_by_is_critical(hall_with: HallWith) -> None:
    asleep = [condition("unconscious")]
    foe = ephemeral("g1", 6, 5, 60, conditions=asleep)
    result = attack(hall_with(fight(linked("aria", 5, 5), foe)), [5, 9, 1, 2], target_id="g1")
    assert (result["attack"]["result"], result["damage"]["rolls"]) == ("critical_hit", [1, 2])


# cover, charm, targets


@pytest.mark.parametrize(("cover", "ac"), [("half", 12), ("three_quarters", 15)])
def test_cover_adds_to_the_armor_class(hall_with: HallWith, cover: str, ac: int) -> None:
    crate = {"id": "prop-1", "name": "Crate", "type": "crate", "position": {"x": 7, "y": 5}, "cover_type": cover}
    there = fight(linked("aria", 5, 5), ephemeral("g1", 9, 5), props=[crate])
    shot = {"target_id": "g1", "weapon_type": "ranged", "damage_expression": "1d6"}
    result = attack(hall_with(there), [2], **shot)
    assert (result["attack"]["target_ac"], result["attack"]["cover"]) == (ac, cover)


def test_a_creature_in_between_is_half_cover(hall_with: HallWith) -> None:
    there = fight(linked("aria", 5, 5), ephemeral("g1", 9, 5), linked("brom", 7, 5))
    shot = {"target_id": "g1", "weapon_type": "ranged", "damage_expression": "1d6"}
    assert attack(hall_with(there), [2], **shot)["attack"]["target_ac"] == 12


def test_nobody_strikes_through_a_wall(hall_with: HallWith) -> None:
    there = fight(linked("aria", 5, 5), ephemeral("g1", 9, 5), terrain={"obstacles": ["7,5"]})
    told = refused(hall_with(there), target_id="g1", weapon_type="ranged", damage_expression="1d6")
    assert told["reason"] == "rule_violation"
    assert "total cover" in told["detail"]


@pytest.mark.parametrize("source", ["grik", "Grik "])
def test_nobody_strikes_who_has_charmed_it(hall_with: HallWith, source: str) -> None:
    charmed = changed("aria", conditions=[condition("charmed", source=source)])
    there = fight(linked("aria", 5, 5), linked("grik", 6, 5, is_enemy=True), linked("ogg", 5, 6, is_enemy=True))
    told = refused(hall_with(charmed, there))
    assert (told["reason"], told["hint"]["choices"]) == ("rule_violation", ["ogg"])


def test_nobody_strikes_itself(hall_with: HallWith) -> None:
    far, near = linked("ogg", 15, 5, is_enemy=True), ephemeral("g1", 4, 5)
    told = refused(
        hall_with(fight(far, linked("brom", 5, 6), linked("aria", 5, 5), near, turn_index=2)), target_id="aria"
    )
    assert (told["reason"], told["detail"]) == ("rule_violation", "aria cannot do that to itself")
    assert told["hint"] == {"field": "args.target_id", "got": "aria", "choices": ["g1"]}


def test_who_names_no_target_is_told_of_enemies_first_and_of_the_nearest(hall_with: HallWith) -> None:
    people = (linked("ogg", 15, 5, is_enemy=True), linked("brom", 5, 6), linked("aria", 5, 5), ephemeral("g1", 4, 5))
    told = refused(hall_with(fight(*people, turn_index=2)), target_id=None)
    assert (told["reason"], told["hint"]["choices"]) == ("invalid_args", ["g1", "ogg", "brom"])


def test_a_target_is_named_by_name_too(hall_with: HallWith) -> None:
    result = attack(duel(hall_with), [2], actor_id=None, actor_name=" ARIA", target_id=None, target_name="grik")
    assert (result["actor"], result["target"]) == ("aria", "grik")


def test_a_target_nobody_knows_is_not_found(hall_with: HallWith) -> None:
    told = refused(duel(hall_with), target_id="gruk")
    assert (told["reason"], told["hint"]["allowed"][0]) == ("not_found", "grik")


def test_a_name_that_two_have_is_ambiguous(hall_with: HallWith) -> None:
    twin = ephemeral("g1", 5, 6) | {"name": "grik"}
    told = refused(duel(hall_with, twin), target_id=None, target_name="Grik")
    assert (told["reason"], told["hint"]["choices"]) == ("ambiguous", ["grik", "g1"])


def test_an_attack_wants_a_target(hall_with: HallWith) -> None:
    told = refused(duel(hall_with), target_id=None)
    assert (told["reason"], told["hint"]) == (
        "invalid_args",
        {"field": "args.target_id", "add": True, "choices": ["grik"]},
    )


# faces from the table


def test_a_face_from_the_table_stands_in_for_the_draw(hall_with: HallWith) -> None:
    hall = duel(hall_with, grik={"dodging": True})
    result = hall.do(
        ACT,
        [],
        [20, 3],
        encounter_id="encounter-1",
        actor_id="aria",
        target_id="grik",
        action_type="attack",
        manual_attack_roll=20,
        manual_damage_roll=3,
    )
    assert (result["attack"]["rolls"], result["attack"]["result"]) == ([20], "critical_hit")
    assert (result["damage"]["raw"], result["damage"]["final"], result["damage"]["rolls"]) == (3, 3, [])
    assert [(draw["sides"], draw["value"], draw["given"]) for draw in hall.draws()] == [(20, 20, True), (None, 3, True)]


def test_a_total_of_0_from_the_table_is_0(hall_with: HallWith) -> None:
    hall = duel(hall_with)
    result = hall.do(
        ACT,
        [15],
        [0],
        encounter_id="encounter-1",
        actor_id="aria",
        target_id="grik",
        action_type="attack",
        manual_damage_roll=0,
    )
    assert result["damage"]["final"] == 0
    assert result["target_hp"]["after"] == 7


# what it leads to


def test_who_drops_is_told_and_the_fight_counts(hall_with: HallWith) -> None:
    hall = duel(hall_with)
    result = attack(hall, [15, 8])
    assert (result["target_status"], result["target_hp"]["after"]) == ("down", 0)
    people = hall.encounter()["participants"]
    assert people[0]["statistics"] == {"damage_dealt": 7, "attacks_made": 1, "attacks_hit": 1}
    assert people[1]["statistics"] == {"damage_taken": 7}


def test_a_player_character_at_0_suffers_two_failures_from_a_critical_hit(hall_with: HallWith) -> None:
    down = changed(
        "dain",
        hp=0,
        character_state="dying",
        death_saves={},
        conditions=[condition("unconscious", source="hp_zero"), condition("prone")],
    )
    hall = hall_with(down, fight(linked("ogg", 5, 5, is_enemy=True), linked("dain", 7, 5)))
    result = attack(hall, [15, 3, 1, 1], actor_id="ogg", target_id="dain", damage_expression="1d6")
    assert result["attack"]["result"] == "critical_hit"
    assert hall.person("dain")["death_saves"]["failures"] == 2


def test_damage_asks_for_concentration_after_all_other_dice(hall_with: HallWith) -> None:
    held = changed("brom", concentration={"spell_name": "Bless"})
    hall = hall_with(held, fight(linked("ogg", 5, 5, is_enemy=True), linked("brom", 7, 5)))
    result = attack(hall, [15, 12, 12, 1], actor_id="ogg", target_id="brom", damage_expression="2d12")
    told = result["concentration_check"]
    assert (told["dc"], told["total"], told["broken"]) == (12, 3, True)
    assert "concentration" not in hall.person("brom")


def test_striking_the_dead_is_told(hall_with: HallWith) -> None:
    dead = changed("grik", hp=0, character_state="dead")
    hall = hall_with(dead, fight(linked("aria", 5, 5), linked("grik", 6, 5, is_enemy=True)))
    given = {"encounter_id": "encounter-1", "actor_id": "aria", "target_id": "grik", "action_type": "attack"}
    action = hall.action(ACT, [2], **given)
    assert action["warnings"] == ["grik is dead already"]


def test_resolve_attack_is_an_attack(hall_with: HallWith) -> None:
    hall = duel(hall_with)
    action = hall.action("resolve_attack", [2], encounterId="encounter-1", attackerId="aria", targetId="grik")
    assert (action["tool"], action["alias_of"]) == ("execute_action", "resolve_attack")
    assert action["args"]["action_type"] == "attack"
    told = hall.fail("resolve_attack", encounter_id="encounter-1", attacker_id="aria", action_type="dodge")
    assert told["reason"] == "invalid_args"


# ammunition


def archer(weapon: str, *ammunition: Json, **equipped: str) -> dict[str, Json]:
    """Return Aria with a weapon that shoots, and what she has to shoot with it."""
    stats = {"damage": "1d8", "properties": ["ammunition (range 150/600)", "two-handed"], "range": 150}
    bow = {"id": "bow", "name": weapon, "type": "weapon", "weapon_stats": stats}
    shots = [{"type": "ammunition", "quantity": 2} | each for each in ammunition]
    return changed("aria", inventory=[bow, *shots], equipped={"mainhand": "bow", **equipped})


ARROWS, BOLTS = {"id": "i1", "name": "Arrow"}, {"id": "i2", "name": "Crossbow Bolt"}


def test_every_shot_takes_a_piece_of_ammunition_be_it_a_hit_or_not(hall_with: HallWith) -> None:
    hall = hall_with(
        archer("Longbow", ARROWS, quiver="i1"),
        fight(linked("aria", 5, 5), linked("grik", 15, 5, is_enemy=True)),
    )
    assert attack(hall, [1])["attack"]["ammunition"] == {"name": "Arrow", "remaining": 1}
    assert hall.person("aria")["inventory"][1]["quantity"] == 1
    given = {"encounter_id": "encounter-1", "actor_id": "aria", "target_id": "grik", "action_type": "attack"}
    last = hall.action(ACT, [15, 1], **given, ignore_economy=True)
    assert last["result"]["attack"]["ammunition"] == {"name": "Arrow", "remaining": 0}
    assert hall.person("aria")["equipped"] == {"mainhand": "bow"}
    without = hall.action(ACT, [1], **given, ignore_economy=True)
    assert without["warnings"] == ["aria has no ammunition for Longbow"]
    assert "ammunition" not in without["result"]["attack"]


@pytest.mark.parametrize(
    ("weapon", "ammunition", "equipped", "taken"),
    [
        ("Longbow", (BOLTS, ARROWS), {}, "Arrow"),
        ("Heavy Crossbow", (ARROWS, BOLTS), {}, "Crossbow Bolt"),
        ("Longbow", (ARROWS, BOLTS), {"quiver": "i2"}, "Crossbow Bolt"),
        ("Pistol", (ARROWS,), {}, "Arrow"),
        ("Sling", (ARROWS, BOLTS), {}, None),
        ("Longbow", (ARROWS | {"quantity": 0},), {}, None),
    ],
)
def test_the_quiver_goes_first_then_what_suits_the_weapon(
    hall_with: HallWith, weapon: str, ammunition: tuple[Json, ...], equipped: dict[str, str], taken: str | None
) -> None:
    hall = hall_with(
        archer(weapon, *ammunition, **equipped),
        fight(linked("aria", 5, 5), linked("grik", 15, 5, is_enemy=True)),
    )
    assert attack(hall, [1])["attack"].get("ammunition", {}).get("name") == taken


def test_a_blow_with_the_fist_and_a_thrown_weapon_take_none(hall_with: HallWith) -> None:
    hall = hall_with(archer("Longbow", ARROWS), fight(linked("aria", 5, 5), linked("grik", 6, 5, is_enemy=True)))
    assert "ammunition" not in attack(hall, [1], weapon_type="melee")["attack"]
    stats = {"damage": "1d6", "properties": ["thrown"], "range": 20}
    spear = {"id": "s", "name": "Spear", "type": "weapon", "weapon_stats": stats}
    thrower = changed("aria", inventory=[spear, ARROWS | {"type": "ammunition"}], equipped={"mainhand": "s"})
    hall = hall_with(thrower, fight(linked("aria", 5, 5), linked("grik", 8, 5, is_enemy=True)))
    assert "ammunition" not in attack(hall, [1], weapon_type="ranged_thrown")["attack"]


# weapons by name, and with both hands; Aria has STR +4, DEX +2 and proficiency +3

ARMS: list[Json] = [
    {
        "id": "blade",
        "name": "Longsword",
        "type": "weapon",
        "weapon_stats": {"damage": "1d8", "damage_type": "slashing", "properties": ["versatile (1d10)"]},
    },
    {
        "id": "club",
        "name": "Mace",
        "type": "weapon",
        "weapon_stats": {"damage": "1d6", "damage_type": "bludgeoning"},
    },
    {
        "id": "maul",
        "name": "Maul",
        "type": "weapon",
        "weapon_stats": {"damage": "2d6", "damage_type": "bludgeoning", "properties": ["heavy", "two-handed"]},
    },
    {"id": "board", "name": "Shield", "type": "shield"},
]


def armed(hall_with: HallWith, equipped: Json, **own: Any) -> Hall:
    foe = ephemeral("g1", 6, 5, 60)
    return hall_with(changed("aria", inventory=ARMS, equipped=equipped), fight(linked("aria", 5, 5, **own), foe))


def test_a_weapon_by_name_has_its_figures_from_the_sheet(hall_with: HallWith) -> None:
    hall = armed(hall_with, {"mainhand": "blade"}, strike={"attack_bonus": 1, "damage": "1d4"})
    result = attack(hall, [10, 5], target_id="g1", weapon="mace")
    assert (result["attack"]["bonus"], result["attack"]["weapon"]) == (7, "Mace")
    assert (result["damage"]["expression"], result["damage"]["type"]) == ("1d6+4", "bludgeoning")


def test_a_weapon_that_is_not_in_hand_is_drawn_once_a_turn(hall_with: HallWith) -> None:
    hall = armed(hall_with, {"mainhand": "blade"}, strike={"attacks": 3})
    attack(hall, [10, 5], target_id="g1", weapon="Mace")
    assert hall.person("aria")["equipped"] == {"mainhand": "club"}
    attack(hall, [10, 5], target_id="g1", weapon="Mace")
    told = refused(hall, target_id="g1", weapon="Longsword")
    assert (told["reason"], told["hint"]["choices"]) == ("rule_violation", ["Mace"])


@pytest.mark.parametrize(
    ("equipped", "args", "reason"),
    [
        ({"mainhand": "blade"}, {"weapon": "Halberd"}, "not_found"),
        ({"mainhand": "blade"}, {"weapon": "Shield"}, "not_found"),
        ({"mainhand": "blade", "offhand": "board"}, {"weapon": "Maul"}, "rule_violation"),
        ({"mainhand": "blade"}, {"weapon": "Mace", "action_cost": "reaction"}, "rule_violation"),
        ({"mainhand": "blade", "offhand": "board"}, {"two_handed": True}, "rule_violation"),
    ],
)
def test_what_cannot_be_held_is_no_weapon(hall_with: HallWith, equipped: Json, args: Json, reason: str) -> None:
    assert refused(armed(hall_with, equipped), target_id="g1", **args)["reason"] == reason


@pytest.mark.parametrize(("two_handed", "expression"), [(False, "1d8+4"), (True, "1d10+4")])
def test_a_versatile_weapon_deals_more_with_both_hands(hall_with: HallWith, two_handed: bool, expression: str) -> None:
    hall = armed(hall_with, {"mainhand": "blade"})
    result = attack(hall, [10, 5], target_id="g1", two_handed=two_handed)
    assert result["damage"]["expression"] == expression
