"""Spells that have variants, carry words, show illusions or send creatures away, put to work."""

from __future__ import annotations

import pytest
from tests.builders import Json
from tests.tools.conftest import HallWith
from tests.tools.hall import Hall
from tests.tools.magic.spell_table import (
    CASTER,
    FIGHT,
    FOE,
    FRIEND,
    advance,
    body,
    cast,
    conditions,
    effects,
    spell_table,
    strike,
)


@pytest.fixture(name="table")
def fixture_table(hall_with: HallWith) -> Hall:
    """Give the fight in which spells are put to work."""
    return spell_table(hall_with)


def act(table: Hall, who: str, name: str, *dice: int, on: str | None = None) -> Json:
    args: Json = {"encounter_id": FIGHT, "actor_id": who, "action": name, "ignore_economy": True}
    return table.do("execute_action", dice, **args | ({} if on is None else {"target_id": on}))


def refused(table: Hall, tool: str, **args: object) -> Json:
    return table.fail(tool, **args)


# somewhere else


def test_nobody_reaches_the_banished_who_come_back_as_it_ends(table: Hall) -> None:
    row = cast(table, "banishment", FOE, dice=(1,))["targets"][0]
    assert (row["effect"], row["conditions"]) == ("Banishment", ["incapacitated"])
    blow = {"encounter_id": FIGHT, "actor_id": FRIEND, "action_type": "attack", "target_id": FOE}
    assert refused(table, "execute_action", **blow, ignore_economy=True)["reason"] == "rule_violation"
    table.do("manage_concentration", operation="break", character_id=CASTER)
    assert (effects(table, FOE), conditions(table, FOE)) == ([], [])
    assert strike(table, FRIEND, FOE, 2, attack_bonus=-9)["attack"]["result"] == "miss"


def test_a_maze_is_left_by_a_check_of_intelligence(table: Hall) -> None:
    cast(table, "maze", FRIEND)
    failed = act(table, FRIEND, "Maze", 12)["check"]
    assert (failed["ability"], failed["dc"], failed["success"]) == ("int", 20, False)
    assert effects(table, FRIEND) == ["Maze"]
    left = act(table, FRIEND, "maze", 20)
    assert (left["check"]["success"], effects(table, FRIEND)) == (True, [])
    assert body(table, CASTER).get("concentration") is None


def test_the_ethereal_are_out_of_reach_until_they_come_back(table: Hall) -> None:
    cast(table, "etherealness")
    blow = {"encounter_id": FIGHT, "actor_id": FOE, "action_type": "attack", "target_id": CASTER}
    assert refused(table, "execute_action", **blow, ignore_economy=True)["reason"] == "rule_violation"
    act(table, CASTER, "Etherealness")
    assert effects(table, CASTER) == []
    told = refused(table, "cast_spell", caster_id=CASTER, spell="etherealness", target_ids=[FRIEND], slot=7)
    assert "takes 0 along" in told["detail"]
    rows = cast(table, "etherealness", FRIEND, slot=8)["targets"]
    assert [row["target_id"] for row in rows] == [CASTER, FRIEND]


def test_who_blinks_is_gone_for_a_round_on_an_eleven(table: Hall) -> None:
    cast(table, "blink")
    assert advance(table, 10)["lasting"] == [{"target_id": CASTER, "name": "Blink", "rolled": 10, "away": False}]
    advance(table)
    advance(table)
    assert advance(table, 11)["lasting"][0]["away"] is True
    assert effects(table, CASTER) == ["Blink", "Blink away"]
    advance(table)
    advance(table)
    assert effects(table, CASTER) == ["Blink"]


def test_a_friend_lets_the_sphere_close_and_a_foe_saves(table: Hall) -> None:
    row = cast(table, "resilient sphere", FRIEND)["targets"][0]
    assert ("save" in row, row["effect"]) == (False, "Resilient Sphere")
    row = cast(table, "resilient sphere", FOE, dice=(20,))["targets"][0]
    assert (row["save"]["success"], "effect" in row) == (True, False)


# curses


def test_a_curse_hinders_checks_and_saves_of_one_ability(table: Hall) -> None:
    cast(table, "bestow curse", FRIEND, dice=(1,), choice="con")
    held = body(table, FRIEND)["effects"][0]
    assert (held["disadvantage_on"], held["duration"]) == (["con_checks", "con_saves"], "concentration")
    rolled = table.do("roll_check", (18, 3), character_id=FRIEND, check_type="save", ability="con", dc=10)
    assert (rolled["mode"], rolled["natural"]) == ("disadvantage", 3)
    told = cast(table, "remove curse", FRIEND)["targets"][0]
    assert (told["ended"], effects(table, FRIEND)) == (["Bestow Curse"], [])


def test_a_curse_hinders_attacks_at_its_caster_alone(table: Hall) -> None:
    cast(table, "bestow curse", FOE, dice=(1,), choice="attacks")
    attack = strike(table, FOE, CASTER, 15, 2, attack_bonus=-9)["attack"]
    assert attack["disadvantage_reasons"] == ["Bestow Curse"]
    assert strike(table, FOE, FRIEND, 2, attack_bonus=-9)["attack"]["disadvantage_reasons"] == []


def test_a_curse_costs_the_action_of_who_fails_as_the_turn_starts(table: Hall) -> None:
    cast(table, "bestow curse", FOE, dice=(1,), choice="turns")
    advance(table)
    made = advance(table, 1)["saves"][0]
    assert (made["condition"], made["success"]) == ("Bestow Curse", False)
    spent = refused(table, "execute_action", encounter_id=FIGHT, actor_id=FOE, action_type="attack", target_id=FRIEND)
    assert "spent" in spent["detail"]
    advance(table)
    advance(table)
    assert advance(table, 20)["saves"][0]["success"] is True
    assert table.do("execute_action", (2,), encounter_id=FIGHT, actor_id=FOE, action_type="attack", target_id=FRIEND)


def test_a_curse_adds_to_what_its_caster_deals_and_to_nobody_elses(table: Hall) -> None:
    cast(table, "bestow curse", FOE, dice=(1,), choice="damage", slot=5)
    assert body(table, CASTER).get("concentration") is None
    assert body(table, FOE)["effects"][0]["duration"] == 4800
    row = cast(table, "acid splash", FOE, dice=(6, 6, 1, 8))["targets"][0]
    assert [part["type"] for part in (row["damage"], *row["further_damage"])] == ["acid", "necrotic"]
    assert strike(table, CASTER, FOE, 19, 5, attack_bonus=9)["damage"]["parts"][-1]["type"] == "necrotic"
    assert "parts" not in (strike(table, FRIEND, FOE, 19, 2, attack_bonus=9)["damage"] or {})


def test_what_is_not_of_the_entry_cannot_be_chosen(table: Hall) -> None:
    told = refused(table, "cast_spell", caster_id=CASTER, spell="bestow curse", target_ids=[FOE])
    assert told["hint"]["field"] == "args.choice"
    assert {"damage", "con", "turns"} < set(told["hint"]["choices"])
    wrong = refused(table, "cast_spell", caster_id=CASTER, spell="bestow curse", target_ids=[FOE], choice="luck")
    assert (wrong["reason"], wrong["hint"]["field"]) == ("invalid_args", "args.choice")


# eyes and signs


def test_an_eye_is_turned_on_others_again_and_on_nobody_who_withstood_it(table: Hall) -> None:
    slot = cast(table, "eyebite", FOE, dice=(20,), choice="asleep")["targets"][0]
    assert (slot["save"]["success"], conditions(table, FOE)) == (True, [])
    again = cast(table, "eyebite", FOE, choice="panicked", again=True)["targets"][0]
    assert again["unaffected"] == "Eyebite withstood blocks it"
    other = cast(table, "eyebite", FRIEND, dice=(1,), choice="sickened", again=True)
    assert (other["slot"], other["targets"][0]["effect"]) == (None, "Eyebite")
    assert strike(table, FRIEND, FOE, 9, 2, attack_bonus=-9)["attack"]["disadvantage_reasons"] == ["Eyebite"]
    advance(table)
    assert advance(table, 20)["effects_expired"][0]["name"] == "Eyebite"
    table.do("manage_concentration", operation="break", character_id=CASTER)
    assert effects(table, FOE) == []


def test_a_sleeper_of_the_eye_wakes_when_hurt(table: Hall) -> None:
    cast(table, "eyebite", FOE, dice=(1,), choice="asleep")
    assert "unconscious" in conditions(table, FOE)
    strike(table, FRIEND, FOE, 19, 19, 2, 3, attack_bonus=20)
    assert "unconscious" not in conditions(table, FOE)


def test_who_flees_an_eye_far_enough_and_out_of_sight_is_free(table: Hall) -> None:
    cast(table, "eyebite", FOE, dice=(1,), choice="panicked")
    blow = {"encounter_id": FIGHT, "actor_id": FOE, "action_type": "attack", "target_id": FRIEND}
    assert "Eyebite keeps thug from it" in refused(table, "execute_action", **blow, ignore_economy=True)["detail"]
    for unseen in (False, True):
        if unseen:
            blind = {"target_id": FOE, "operation": "add", "condition": "blinded", "encounter_id": FIGHT}
            table.do("manage_condition", **blind)
        advance(table)
        advance(table)
        advance(table)
        assert "frightened" in conditions(table, FOE)
    far = {"encounter_id": FIGHT, "actor_id": FOE, "move_to": {"x": 16, "y": 6}, "ignore_economy": True}
    table.campaign.process({"tool_calls": [{"id": "a", "tool": "execute_action", "args": far}]})
    advance(table)
    advance(table)
    assert advance(table)["effects_expired"][0]["name"] == "Eyebite"
    assert "frightened" not in conditions(table, FOE)


def test_a_symbol_waits_and_goes_off_as_it_was_drawn(table: Hall) -> None:
    drawn = cast(table, "symbol", choice="hopelessness")
    assert (drawn["targets"], effects(table, CASTER)) == ([], ["Symbol"])
    told = refused(table, "cast_spell", caster_id=CASTER, spell="symbol", target_ids=[FOE], again=True, choice="death")
    assert told["hint"]["field"] == "args.choice"
    cast(table, "symbol", FOE, dice=(1,), again=True)
    blow = {"encounter_id": FIGHT, "actor_id": FOE, "action_type": "attack", "target_id": FRIEND}
    assert "Symbol keeps thug from it" in refused(table, "execute_action", **blow, ignore_economy=True)["detail"]
    assert body(table, CASTER)["effects"][0]["rounds_remaining"] == 100


def test_who_is_without_hope_casts_nothing_that_harms(table: Hall) -> None:
    cast(table, "symbol", choice="hopelessness")
    cast(table, "symbol", CASTER, dice=(1,), again=True)
    told = refused(table, "cast_spell", caster_id=CASTER, spell="acid splash", target_ids=[FOE], ignore_economy=True)
    assert "keeps cyra from harming anybody" in told["detail"]
    assert cast(table, "mage hand")["targets"][0]["effect"] == "Mage Hand"


def test_a_glyph_goes_off_once(table: Hall) -> None:
    cast(table, "glyph of warding", choice="cold", slot=4)
    row = cast(table, "glyph of warding", FOE, dice=(1, 1, 1, 1, 1, 1, 1), again=True, choice="cold")["targets"][0]
    assert (row["damage"]["expression"], row["damage"]["type"]) == ("6d8", "cold")
    told = refused(
        table, "cast_spell", caster_id=CASTER, spell="glyph of warding", target_ids=[FOE], again=True, choice="cold"
    )
    assert "keeps up no Glyph of Warding" in told["detail"]


# what somebody cannot do, or does better


def test_a_cloud_neither_attacks_nor_casts(table: Hall) -> None:
    cast(table, "gaseous form", FRIEND)
    blow = {"encounter_id": FIGHT, "actor_id": FRIEND, "action_type": "attack", "target_id": FOE}
    assert "Gaseous Form keeps brom from it" in refused(table, "execute_action", **blow)["detail"]
    table.do("execute_action", encounter_id=FIGHT, actor_id=FRIEND, action_type="dash", ignore_economy=True)
    cast(table, "wind walk", CASTER)
    hide = {"encounter_id": FIGHT, "actor_id": CASTER, "action_type": "hide", "ignore_economy": True}
    assert "Wind Walk keeps cyra from it" in refused(table, "execute_action", **hide)["detail"]


def test_a_true_strike_helps_one_attack_at_its_target(table: Hall) -> None:
    cast(table, "true strike", FOE)
    assert strike(table, CASTER, FRIEND, 2, attack_bonus=-9)["attack"]["advantage_reasons"] == []
    assert strike(table, CASTER, FOE, 2, 3, attack_bonus=-9)["attack"]["advantage_reasons"] == ["True Strike"]
    assert strike(table, CASTER, FOE, 2, attack_bonus=-9)["attack"]["advantage_reasons"] == []


def test_a_bond_lets_its_caster_take_the_same_damage(table: Hall) -> None:
    cast(table, "warding bond", FRIEND)
    before = {who: body(table, who)["hp"] for who in (CASTER, FRIEND)}
    told = strike(table, FOE, FRIEND, 19, attack_bonus=20, damage_expression="9", damage_type="fire")
    assert told["damage"]["final"] == 4
    assert {who: before[who] - body(table, who)["hp"] for who in before} == {CASTER: 4, FRIEND: 4}


def test_a_bond_that_has_stretched_too_far_is_over(table: Hall) -> None:
    cast(table, "warding bond", FRIEND)
    table.do(
        "execute_action",
        encounter_id=FIGHT,
        actor_id=CASTER,
        action_type="disengage",
        move_to={"x": 16, "y": 5},
        ignore_economy=True,
    )
    strike(table, FOE, FRIEND, 19, attack_bonus=20, damage_expression="8")
    assert (body(table, CASTER)["hp"], effects(table, FRIEND)) == (90, [])


def test_calm_suppresses_fear(table: Hall) -> None:
    fear = {"target_id": FRIEND, "operation": "add", "condition": "frightened", "source": FOE, "encounter_id": FIGHT}
    table.do("manage_condition", **fear)
    cast(table, "calm emotions", FRIEND, dice=(1,), choice="suppress")
    assert strike(table, FRIEND, FOE, 2, attack_bonus=-9)["attack"]["disadvantage_reasons"] == []
    table.do("manage_concentration", operation="break", character_id=CASTER)
    assert strike(table, FRIEND, FOE, 2, 3, attack_bonus=-9)["attack"]["mode"] == "disadvantage"


# what is not there


def test_an_illusion_is_seen_through_by_who_looks_hard(table: Hall) -> None:
    cast(table, "silent image", target_position={"x": 5, "y": 5})
    failed = act(table, FOE, "Silent Image", 1, on=CASTER)
    assert (failed["check"]["skill"], failed["check"]["success"]) == ("investigation", False)
    seen = act(table, FOE, "Silent Image", 20, on=CASTER)
    assert seen["check"]["dc"] == body(table, CASTER)["effects"][0]["discerned"]["dc"]
    assert body(table, CASTER)["effects"][0]["discerned"]["by"] == [FOE]
    far = refused(
        table, "cast_spell", caster_id=CASTER, spell="silent image", target_position={"x": 19, "y": 5}, save_dc=13
    )
    assert "reaches 60 feet" in far["detail"]


def test_an_image_of_a_high_slot_needs_no_concentration(table: Hall) -> None:
    told = cast(table, "major image", slot=6)
    assert (told["concentration"], told["rounds"]) == (False, None)
    assert body(table, CASTER)["effects"][0]["duration"] == "until_dispelled"
    cast(table, "dispel magic", CASTER, slot=6)
    assert effects(table, CASTER) == []


# words and light


def test_a_mouth_says_what_it_was_told_and_no_more_than_it_can(table: Hall) -> None:
    asked = refused(table, "cast_spell", caster_id=CASTER, spell="magic mouth", ignore_economy=True)
    assert (asked["reason"], asked["hint"]["field"]) == ("invalid_args", "args.choice")
    many = refused(table, "cast_spell", caster_id=CASTER, spell="magic mouth", choice="no " * 26, ignore_economy=True)
    assert "carries 25 words, and these are 26" in many["detail"]
    cast(table, "magic mouth", choice="Turn back.")
    assert body(table, CASTER)["effects"][0]["trigger_effect"] == "Turn back."


def test_a_messenger_is_a_tiny_beast(table: Hall) -> None:
    told = refused(
        table,
        "cast_spell",
        caster_id=CASTER,
        spell="animal messenger",
        target_ids=[FRIEND],
        choice="Come home.",
        ignore_economy=True,
    )
    assert "it is humanoid, and no beast" in told["detail"]


def test_light_is_on_an_object_and_a_foe_may_keep_it_off_its_own(table: Hall) -> None:
    assert cast(table, "light")["figures"] == {"light": {"bright": 20, "dim": 20}}
    assert effects(table, CASTER) == ["Light"]
    row = cast(table, "light", FOE, dice=(20,))["targets"][0]
    assert (row["save"]["ability"], effects(table, FOE)) == ("dex", [])
    cast(table, "light", FOE, dice=(1,))
    assert effects(table, FOE) == ["Light"]
    assert "save" not in cast(table, "light", FRIEND)["targets"][0]


def test_what_a_spell_costs_is_told(table: Hall) -> None:
    assert cast(table, "continual flame")["materials"] == {"gp": 50, "consumed": True}
    assert "materials" not in cast(table, "light")
