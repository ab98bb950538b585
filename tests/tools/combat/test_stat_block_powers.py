"""What stat blocks do beside attacks and saves: spells without slots, other shapes, effects that last."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.builders import Json, clock
from tests.tools.blocks import act, advance, begin, call, fails, person, reply_to

from turnwright import Campaign
from turnwright.content.registry import built_in


@pytest.fixture(name="campaign")
def fixture_campaign(tmp_path: Path) -> Iterator[Campaign]:
    with Campaign.new(tmp_path / "c", template="toolkit", seed="powers", clock=clock) as campaign:
        yield campaign


def cast(campaign: Campaign, caster: str, spell: str, *dice: int, **more: object) -> Json:
    args = {"encounter_id": "encounter-1", "caster_id": caster, "spell": spell, **more}
    return reply_to(campaign, "cast_spell", args, *dice)


def entry(name: str) -> Json:
    found = built_in("srd-5.1").entry("monsters", name)
    assert found is not None
    value: Json = dict(found.value)
    return value


# spells without slots


def test_a_spell_without_slots_takes_one_of_its_uses_a_day_and_the_dc_of_the_block(campaign: Campaign) -> None:
    begin(campaign, {"monster": "drow"})
    lit = cast(campaign, "drow", "faerie fire", 5, target_ids=["post"], target_position={"x": 10, "y": 10})
    assert lit["status"] == "applied", lit["tool_feedback"]
    result = lit["applied_actions"][0]["result"]
    assert (result["slot"], result["level"], result["targets"][0]["save"]["dc"]) == (None, 1, 11)
    assert person(campaign, "drow")["block_use"]["uses"] == {"innate-spellcasting.faerie-fire": 1}
    advance(campaign, 5)
    advance(campaign)
    again = cast(campaign, "drow", "faerie fire", target_ids=["post"], target_position={"x": 10, "y": 10})
    failed = again["tool_feedback"]["failed_calls"][0]
    assert (failed["reason"], "once a day" in failed["detail"]) == ("rule_violation", True)


def test_what_is_cast_at_will_is_never_used_up_and_a_derived_dc_counts(campaign: Campaign) -> None:
    block = entry("pit-fiend")
    begin(campaign, {"monster": "pit fiend"})
    for _ in range(2):
        thrown = cast(campaign, "pit-fiend", "fireball", *[1] * 8, 5, target_position={"x": 10, "y": 12})
        assert thrown["status"] == "applied", thrown["tool_feedback"]
        advance(campaign)
        advance(campaign)
    assert "uses" not in person(campaign, "pit-fiend").get("block_use", {})
    casting = next(each["spellcasting"] for each in block["traits"] if "spellcasting" in each)
    assert thrown["applied_actions"][0]["result"]["targets"][0]["save"]["dc"] == casting["dc"]


def test_a_dc_that_is_not_printed_is_worked_out_for_the_block(campaign: Campaign) -> None:
    begin(campaign, {"monster": "cloud giant"})
    casting = next(each["spellcasting"] for each in entry("cloud-giant")["traits"] if "spellcasting" in each)
    fly = cast(campaign, "cloud-giant", "fly", target_ids=["cloud-giant"])
    assert fly["status"] == "applied", fly["tool_feedback"]
    assert (casting["dc_derived"], "dc" in casting) == (15, False)


def test_what_a_block_casts_on_itself_alone_is_refused_for_others(campaign: Campaign) -> None:
    begin(campaign, {"monster": "planetar"})
    failed = cast(campaign, "planetar", "invisibility", target_ids=["post"])["tool_feedback"]["failed_calls"][0]
    assert (failed["reason"], failed["detail"]) == ("rule_violation", "planetar casts invisibility on itself alone")
    assert cast(campaign, "planetar", "invisibility", target_ids=["planetar"])["status"] == "applied"


def test_a_spell_by_its_name_alone_takes_a_use_too(campaign: Campaign) -> None:
    begin(campaign, {"monster": "ice mephit"})
    args = {"encounter_id": "encounter-1", "actor_id": "ice-mephit", "action_type": "cast_spell"}
    call(campaign, "execute_action", {**args, "spell_name": "Fog Cloud"})
    advance(campaign)
    advance(campaign)
    again = fails(campaign, {"actor_id": "ice-mephit", "action_type": "cast_spell", "spell_name": "Fog Cloud"})
    assert "once a day" in again["detail"]


def test_magic_puts_no_drow_to_sleep(campaign: Campaign) -> None:
    begin(campaign, {"monster": "dust mephit"}, {"monster": "drow", "is_enemy": False})
    slept = cast(campaign, "dust-mephit", "sleep", *[8] * 5, target_position={"x": 9, "y": 9})
    assert slept["status"] == "applied", slept["tool_feedback"]
    rows = {row["target_id"]: row for row in slept["applied_actions"][0]["result"]["targets"]}
    assert rows["drow"]["unaffected"] == "magic cannot put it to sleep"


# effects that last


def test_a_slowed_creature_has_no_reactions_and_one_attack_until_it_saves(campaign: Campaign) -> None:
    begin(
        campaign, {"monster": "stone golem"}, {"monster": "ettin", "is_enemy": False, "positions": [{"x": 11, "y": 8}]}
    )
    slowed = act(campaign, "stone-golem", "Slow", 1, target_id="ettin")
    assert slowed["effects"] == ["Slow"]
    (effect,) = person(campaign, "ettin")["body"]["effects"]
    assert (effect["slowed"], effect["speed_factor"], effect["rounds_remaining"]) == (True, 0.5, 10)
    assert effect["repeat_save"] == {"ability": "wis", "dc": 17}
    advance(campaign)
    args = {"encounter_id": "encounter-1", "actor_id": "ettin", "target_id": "stone-golem", "action": "Multiattack"}
    done = call(campaign, "execute_action", args, 1)["result"]
    assert "targets" not in done
    assert done["economy"] == {
        "action": False,
        "bonus_action": False,
        "reaction": False,
        "free_object": True,
        "movement": 20,
        "attacks": 0,
    }
    more = fails(campaign, {"actor_id": "ettin", "target_id": "stone-golem", "action": "Morningstar"})
    assert more["detail"] == "ettin is slowed, and has one attack in a turn"
    saved = advance(campaign, 20)
    assert [each["success"] for each in saved["saves"]] == [True]
    assert "effects" not in person(campaign, "ettin")["body"]


def test_a_weakened_creature_attacks_and_saves_with_strength_at_a_disadvantage(campaign: Campaign) -> None:
    begin(
        campaign,
        {"monster": "young gold dragon"},
        {"monster": "ogre", "is_enemy": False, "positions": [{"x": 11, "y": 8}]},
    )
    breath = act(campaign, "young-gold-dragon", "Weakening Breath", 1, target_id="ogre")
    assert breath["effects"] == ["Weakening Breath"]
    advance(campaign)
    args = {"encounter_id": "encounter-1", "actor_id": "ogre", "target_id": "young-gold-dragon"}
    struck = call(campaign, "execute_action", {**args, "action": "Greatclub"}, 20, 2)["result"]["attack"]
    assert (struck["mode"], struck["disadvantage_reasons"]) == ("disadvantage", ["Weakening Breath"])


def test_drained_life_lowers_the_maximum_until_a_long_rest_and_kills_at_0(campaign: Campaign) -> None:
    begin(campaign, {"monster": "specter"}, post={"hp": 60, "max_hp": 60})
    drained = act(campaign, "specter", "Life Drain", 19, 4, 4, 4, 1)
    assert (drained["effects"], drained["target_hp"]["max"], drained["target_hp"]["after"]) == (["Life Drain"], 48, 48)
    advance(campaign)
    advance(campaign)
    again = act(campaign, "specter", "Life Drain", 19, 6, 6, 6, 1)
    assert again["target_hp"]["max"] == 30
    (effect,) = person(campaign, "post")["body"]["effects"]
    assert (effect["max_hp_modifier"], effect["duration"]) == (-30, "until_long_rest")
    for _ in range(2):
        advance(campaign)
        advance(campaign)
        last = act(campaign, "specter", "Life Drain", 19, 6, 6, 6, 1)
    assert last["target_status"] == "dead"


def test_a_saved_life_drain_takes_hit_points_alone(campaign: Campaign) -> None:
    begin(campaign, {"monster": "specter"})
    saved = act(campaign, "specter", "Life Drain", 19, 4, 4, 4, 20)
    assert ("effects" in saved, saved["target_hp"]["max"]) == (False, 200)


def test_a_curse_hampers_checks_and_one_save(campaign: Campaign) -> None:
    begin(campaign, {"monster": "lamia"})
    assert act(campaign, "lamia", "Intoxicating Touch", 15)["effects"] == ["Intoxicating Touch"]
    (effect,) = person(campaign, "post")["body"]["effects"]
    assert (effect["disadvantage_on"], effect["duration"]) == (["wis_saves", "ability_checks"], 600)


# other shapes


def test_a_lycanthrope_takes_each_of_its_forms_and_dies_in_its_own(campaign: Campaign) -> None:
    begin(campaign, {"monster": "werewolf, wolf form"})
    who = "werewolf-wolf-form"
    changed = act(campaign, who, "Shapechanger", form="hybrid")
    assert changed["outcome"] == f"{who} takes the shape of Werewolf, Hybrid Form"
    now = person(campaign, who)
    assert (now["stat_block"], now["true_shape"]["stat_block"]) == ("werewolf-hybrid", "werewolf-human")
    assert now["body"]["sheet"]["ac"] == entry("werewolf-hybrid")["ac"]["value"]
    advance(campaign)
    advance(campaign)
    act(campaign, who, "Multiattack", 1, 1)
    advance(campaign)
    args = {"encounter_id": "encounter-1", "actor_id": "post", "target_id": who, "action_type": "attack"}
    figures = {"attack_bonus": 30, "damage_expression": "500", "weapon_is": ["silvered"]}
    call(campaign, "execute_action", {**args, **figures}, 15)
    fallen = person(campaign, who)
    assert (fallen["stat_block"], "true_shape" in fallen) == ("werewolf-human", False)
    assert fallen["body"]["sheet"]["ac"] == entry("werewolf-human")["ac"]["value"]


def test_every_lycanthrope_can_take_all_its_other_forms(campaign: Campaign) -> None:
    rows = [row.id for row in built_in("srd-5.1").rows() if row.kind == "monsters" and row.id.startswith("were")]
    assert len(rows) == 15
    for name in rows:
        begun = {"participants": [], "monsters": [{"monster": name, "positions": [{"x": 3, "y": 3}]}]}
        began = call(campaign, "create_encounter", {**begun, "participants": [{**_POST}]})["result"]
        fight, who = began["encounter_id"], began["monsters"][0]["ids"][0]
        for form in (*entry(name)["forms_of"], name):
            args = {"encounter_id": fight, "actor_id": who, "action": "Shapechanger", "form": form}
            call(campaign, "execute_action", {**args, "ignore_economy": True})
            people = campaign.state[f"encounters/{fight}.json"]["participants"]
            now = next(each for each in people if each["id"] == who)
            assert now["stat_block"] == form
            assert now["body"]["sheet"].get("speed", 30) == entry(form)["speeds"].get("walk")
        call(campaign, "end_encounter", {"encounter_id": fight, "outcome": "fled"})


_POST: Json = {"id": "post", "name": "Post", "hp": 50, "max_hp": 50, "ac": 10, "position": {"x": 10, "y": 10}}


def test_a_bite_leaves_the_curse_of_lycanthropy_on_humanoids_who_fail(campaign: Campaign) -> None:
    begin(
        campaign, {"monster": "werewolf-wolf"}, {"monster": "ogre", "is_enemy": False, "positions": [{"x": 11, "y": 8}]}
    )
    bitten = act(campaign, "werewolf-wolf-form", "Bite", 15, 4, 1)
    assert (bitten["effects"], bitten["save"]["dc"]) == (["Werewolf lycanthropy"], 12)
    (effect,) = person(campaign, "post")["body"]["effects"]
    assert (effect["type"], "duration" in effect) == ("curse", False)
    spared = act(campaign, "werewolf-wolf-form", "Bite", 15, 4, target_id="ogre", ignore_economy=True)
    assert "save" not in spared


def test_a_dragon_keeps_its_mind_and_hit_points_in_the_shape_of_a_beast(campaign: Campaign) -> None:
    dragon, bear = entry("ancient-silver-dragon"), entry("brown-bear")
    begin(campaign, {"monster": "ancient silver dragon", "positions": [{"x": 14, "y": 10}]})
    who = "ancient-silver-dragon"
    act(campaign, who, "Change Shape", form="brown bear", target_id=None)
    now = person(campaign, who)
    sheet = now["body"]["sheet"]
    assert now["stat_block"] == "ancient-silver-dragon.brown-bear"
    assert {each: sheet["stats"].get(each, 10) for each in ("str", "dex", "con")} == {
        each: bear["stats"].get(each, 10) for each in ("str", "dex", "con")
    }
    assert {each: sheet["stats"].get(each, 10) for each in ("int", "wis", "cha")} == {
        each: dragon["stats"].get(each, 10) for each in ("int", "wis", "cha")
    }
    assert (now["body"]["hp"], sheet["ac"], sheet["size"]) == (487, bear["ac"]["value"], "large")
    assert now["save_bonuses"] == {"dex": 7, "con": 10, "wis": 9, "cha": 13}
    block = campaign.state["encounters/encounter-1.json"]["stat_blocks"]["ancient-silver-dragon.brown-bear"]
    assert [each["id"] for each in block["traits"]] == ["legendary-resistance", "keen-smell"]
    assert "legendary" not in block
    advance(campaign)
    advance(campaign)
    back = act(campaign, who, "Change Shape", form="true form", target_id=None)
    assert back["outcome"] == f"{who} has its own shape again: Ancient Silver Dragon"
    assert person(campaign, who)["stat_block"] == who


def test_a_change_of_shape_gives_no_other_kinds_and_no_higher_challenge(campaign: Campaign) -> None:
    begin(campaign, {"monster": "couatl"})
    known = {"actor_id": "couatl", "action": "Change Shape"}
    assert "is undead" in fails(campaign, {**known, "form": "zombie"})["detail"]
    assert "challenge rating" in fails(campaign, {**known, "form": "tyrannosaurus rex"})["detail"]
    assert fails(campaign, known)["reason"] == "invalid_args"
    act(campaign, "couatl", "Change Shape", form="giant eagle", target_id=None)
    sheet = person(campaign, "couatl")["body"]["sheet"]
    couatl, eagle = entry("couatl"), entry("giant-eagle")
    assert (sheet["stats"]["str"], sheet["stats"]["con"]) == (eagle["stats"]["str"], couatl["stats"]["con"])
    assert sheet["fly_speed"] == eagle["speeds"]["fly"]


# what lasts turn after turn


def test_poison_of_a_pit_fiend_hurts_each_turn_and_keeps_from_healing(campaign: Campaign) -> None:
    begin(campaign, {"monster": "pit fiend"})
    bitten = act(campaign, "pit-fiend", "Bite", 15, 1, 1, 1, 1, 1)
    assert bitten["inflicted"] == ["poisoned"]
    (condition,) = person(campaign, "post")["body"]["conditions"]
    assert (condition["no_healing"], condition["turn_damage"]) == (
        True,
        {"dice": "6d6", "type": "poison", "at": "start"},
    )
    begun = advance(campaign, 1, 1, 1, 1, 1, 1)
    assert begun["lasting"] == [{"target_id": "post", "name": "poisoned", "rolled": 6, "damage": 6}]


def test_a_wound_grows_with_each_hit_and_is_tended_by_a_check(campaign: Campaign) -> None:
    begin(campaign, {"monster": "horned devil"})
    act(campaign, "horned-devil", "Tail", 15, 1, 1)
    again = act(campaign, "horned-devil", "Tail", 15, 1, 20, ignore_economy=True)
    assert (again["save"]["success"], again["effects"]) == (True, ["Wound (Tail)"])
    begun = advance(campaign, 1, 1, 1, 1, 1, 1)
    assert begun["lasting"] == [{"target_id": "post", "name": "Wound (Tail)", "rolled": 6, "damage": 6}]
    tend = {"encounter_id": "encounter-1", "actor_id": "post", "action": "Wound (Tail)"}
    failed = call(campaign, "execute_action", tend, 11)["result"]
    assert (failed["check"]["skill"], failed["check"]["dc"], failed["check"]["success"]) == ("medicine", 12, False)
    stopped = call(campaign, "execute_action", {**tend, "ignore_economy": True}, 12)["result"]
    assert stopped["outcome"] == "Wound (Tail) of post is over"
    assert "effects" not in person(campaign, "post")["body"]


def test_fire_burns_at_the_end_of_each_turn_until_an_action_puts_it_out(campaign: Campaign) -> None:
    begin(campaign, {"monster": "magmin"})
    assert act(campaign, "magmin", "Touch", 15, 1, 1)["effects"] == ["Burning"]
    advance(campaign)
    burned = advance(campaign, 3)
    assert burned["lasting"] == [{"target_id": "post", "name": "Burning", "rolled": 3, "damage": 3}]
    advance(campaign)
    done = {"encounter_id": "encounter-1", "actor_id": "post", "action": "Burning"}
    assert call(campaign, "execute_action", done)["result"]["outcome"] == "Burning of post is over"
    assert "lasting" not in advance(campaign)


def test_spores_poison_and_hurt_until_a_save(campaign: Campaign) -> None:
    begin(campaign, {"monster": "vrock"})
    act(campaign, "vrock", "Spores", 1, target_id=None)
    assert advance(campaign, 7)["lasting"][0]["damage"] == 7
    assert advance(campaign, 20)["saves"][0]["success"]


def test_an_arrow_poisons_until_the_poison_is_cured(campaign: Campaign) -> None:
    begin(
        campaign, {"monster": "erinyes"}, {"monster": "planetar", "is_enemy": False, "positions": [{"x": 11, "y": 8}]}
    )
    act(campaign, "erinyes", "Longbow", 15, 15, 1, 1, 1, 1, 1, ignore_economy=True)
    (condition,) = person(campaign, "post")["body"]["conditions"]
    assert (condition["condition"], "duration" in condition) == ("poisoned", False)
    healed = act(campaign, "planetar", "Healing Touch", *[1] * 6)
    assert healed["target_conditions"] == []


def test_a_bearded_devil_that_sees_a_friend_is_not_frightened(campaign: Campaign) -> None:
    begin(campaign, {"monster": "bearded devil"}, {"monster": "bearded devil"})
    fear = {
        "encounter_id": "encounter-1",
        "target_id": "bearded-devil-1",
        "operation": "add",
        "condition": "frightened",
    }
    call(campaign, "manage_condition", fear)
    body = person(campaign, "bearded-devil-1")["body"]
    assert "conditions" not in body


# gazes, holds, rocks, reactions


def test_a_gaze_petrifies_at_once_who_fails_by_5_and_spares_who_does_not_see(campaign: Campaign) -> None:
    begin(campaign, {"monster": "medusa"})
    met = advance(campaign, 9)
    assert (met["traits"][0]["save"]["dc"], met["traits"][0]["inflicted"]) == (14, ["petrified"])


def test_who_meets_a_gaze_turns_to_stone_after_two_failed_saves(campaign: Campaign) -> None:
    begin(campaign, {"monster": "basilisk"})
    assert advance(campaign, 11)["traits"][0]["inflicted"] == ["restrained"]
    assert "post is now petrified" in call(campaign, "advance_turn", {"encounter_id": "encounter-1"}, 5)["warnings"]


def test_who_is_blind_meets_no_gaze(campaign: Campaign) -> None:
    begin(campaign, {"monster": "basilisk"})
    blind = {"encounter_id": "encounter-1", "target_id": "post", "operation": "add", "condition": "blinded"}
    call(campaign, "manage_condition", blind)
    assert "traits" not in advance(campaign)


def test_a_tail_that_holds_strikes_without_a_roll(campaign: Campaign) -> None:
    begin(campaign, {"monster": "salamander"})
    held = act(campaign, "salamander", "Tail", 15, 1, 1, 1, 1)
    assert held["inflicted"] == ["grappled", "restrained"]
    sure = act(campaign, "salamander", "Tail", 2, 2, 2, 2, ignore_economy=True)
    assert (sure["attack"]["rolls"], sure["attack"]["result"], sure["damage"]["final"]) == ([], "hit", 12)


def test_a_marilith_reacts_in_every_turn(campaign: Campaign) -> None:
    begin(campaign, {"monster": "marilith"})
    advance(campaign)
    for _ in range(2):
        parried = {"encounter_id": "encounter-1", "actor_id": "post", "target_id": "marilith", "action_type": "attack"}
        figures = {"attack_bonus": 10, "damage_expression": "1d6", "ignore_economy": True}
        struck = call(campaign, "execute_action", {**parried, **figures}, 10)["result"]
        assert struck["attack"]["parry"] == 5
        assert person(campaign, "marilith")["economy"]["reaction"]
        advance(campaign)
        assert "reaction" not in person(campaign, "marilith").get("economy", {})
        advance(campaign)


def test_a_stone_giant_catches_a_rock(campaign: Campaign) -> None:
    far = {"positions": [{"x": 4, "y": 4}]}
    begin(
        campaign,
        {"monster": "hill giant", **far},
        {"monster": "stone giant", "is_enemy": False, "positions": [{"x": 12, "y": 12}]},
    )
    hurl = {"encounter_id": "encounter-1", "actor_id": "hill-giant", "target_id": "stone-giant", "action": "Rock"}
    free = {**hurl, "ignore_economy": True}
    caught = call(campaign, "execute_action", free, 19, 1, 1, 1, 20)["result"]
    assert (caught["caught"]["success"], caught["damage"]["final"]) == (True, 0)
    late = call(campaign, "execute_action", free, 19, 1, 1, 1)["result"]
    assert ("caught" in late, late["damage"]["final"]) == (False, 8)


# what monsters do to themselves


def test_a_reckless_attack_helps_both_sides(campaign: Campaign) -> None:
    begin(campaign, {"monster": "berserker"})
    act(campaign, "berserker", "Reckless", target_id=None)
    struck = act(campaign, "berserker", "Greataxe", 2, 15, 3)["attack"]
    assert (struck["mode"], struck["advantage_reasons"]) == ("advantage", ["Reckless"])
    late = fails(campaign, {"actor_id": "berserker", "action": "Reckless"})
    assert late["detail"] == "Reckless is decided as the turn of berserker begins"
    advance(campaign)
    back = {"encounter_id": "encounter-1", "actor_id": "post", "target_id": "berserker", "action_type": "attack"}
    answered = call(campaign, "execute_action", {**back, "attack_bonus": 0, "damage_expression": "1"}, 1, 2)["result"]
    assert answered["attack"]["advantage_reasons"] == ["Reckless defense"]
    advance(campaign)
    assert "effects" not in person(campaign, "berserker")["body"]


def test_a_priest_spends_a_slot_on_radiant_damage_for_this_turn(campaign: Campaign) -> None:
    begin(campaign, {"monster": "priest"})
    blessed = act(campaign, "priest", "Divine Eminence", spell_slot=2, target_id=None)
    assert blessed["slot"] == {"level": 2, "remaining": 2}
    struck = act(campaign, "priest", "Mace", 15, 1, 1, 2, 3, 4)["damage"]
    assert [(part["type"], part["final"]) for part in struck["parts"]] == [("bludgeoning", 1), ("radiant", 10)]
    advance(campaign)
    assert "effects" not in person(campaign, "priest")["body"]


def test_invisibility_lasts_until_an_attack(campaign: Campaign) -> None:
    begin(campaign, {"monster": "imp"})
    act(campaign, "imp", "Invisibility", target_id=None)
    body = person(campaign, "imp")["body"]
    assert [each["condition"] for each in body["conditions"]] == ["invisible"]
    assert body["concentration"]["spell_name"] == "Invisibility"
    advance(campaign)
    advance(campaign)
    act(campaign, "imp", "Sting", 1, 2)
    assert "conditions" not in person(campaign, "imp")["body"]


def test_an_imp_flies_as_a_raven_and_walks_as_a_rat(campaign: Campaign) -> None:
    begin(campaign, {"monster": "imp"})
    act(campaign, "imp", "Shapechanger", form="rat", target_id=None)
    sheet = person(campaign, "imp")["body"]["sheet"]
    assert (sheet["speed"], "fly_speed" in sheet, sheet["ac"]) == (20, False, 13)
    act(campaign, "imp", "Shapechanger", form="raven", target_id=None, ignore_economy=True)
    assert person(campaign, "imp")["body"]["sheet"]["fly_speed"] == 60


def test_the_glaive_of_an_oni_is_smaller_in_a_smaller_shape(campaign: Campaign) -> None:
    begin(campaign, {"monster": "oni"})
    act(campaign, "oni", "Change Shape", form="small humanoid", target_id=None)
    assert act(campaign, "oni", "Glaive", 15, 5, ignore_economy=True)["damage"]["expression"] == "1d10+4"
    act(campaign, "oni", "Change Shape", form="true form", target_id=None, ignore_economy=True)
    assert act(campaign, "oni", "Glaive", 15, 5, 5, ignore_economy=True)["damage"]["expression"] == "2d10+4"


def test_an_enlarged_duergar_deals_twice_the_dice_and_is_seen(campaign: Campaign) -> None:
    begin(campaign, {"monster": "duergar"})
    act(campaign, "duergar", "Invisibility", target_id=None)
    act(campaign, "duergar", "Enlarge", target_id=None, ignore_economy=True)
    body = person(campaign, "duergar")["body"]
    assert ("conditions" in body, body["effects"][0]["advantage_on"]) == (False, ["str_checks", "str_saves"])
    struck = act(campaign, "duergar", "War Pick", 15, 3, 4, ignore_economy=True)
    assert struck["damage"]["expression"] == "2d8+2"


def test_a_wisp_takes_the_life_of_the_fallen_alone(campaign: Campaign) -> None:
    begin(campaign, {"monster": "will-o'-wisp", "max_hp": 50, "hp": "average"}, post={"character_type": "pc"})
    refused = fails(campaign, {"actor_id": "will-o-wisp", "action": "Consume Life", "target_id": "post"})
    assert refused["detail"] == "post is not at 0 hit points, which Consume Life needs"


def test_an_invisible_stalker_is_never_seen(campaign: Campaign) -> None:
    begin(campaign, {"monster": "invisible stalker"})
    struck = act(campaign, "invisible-stalker", "Slam", 2, 15, 1, 1)
    assert struck["attack"]["mode"] == "advantage"
    assert [each["condition"] for each in person(campaign, "invisible-stalker")["body"]["conditions"]] == ["invisible"]


# spells as legendary actions, roars in their order


def test_a_sphinx_casts_in_the_turn_of_another_as_a_legendary_action(campaign: Campaign) -> None:
    begin(campaign, {"monster": "gynosphinx"})
    advance(campaign)
    cast_now = cast(campaign, "gynosphinx", "detect magic")
    assert cast_now["status"] == "applied", cast_now["tool_feedback"]
    assert person(campaign, "gynosphinx")["block_use"]["legendary"] == 3
    assert cast_now["applied_actions"][0]["result"]["slot"]["level"] == 1


def test_an_androsphinx_roars_in_order(campaign: Campaign) -> None:
    begin(campaign, {"monster": "androsphinx"})
    early = fails(campaign, {"actor_id": "androsphinx", "action": "Second Roar"})
    assert early["detail"] == "First Roar is the next Roar of androsphinx"
    act(campaign, "androsphinx", "First Roar", 1, target_id=None)
    advance(campaign, 1)
    advance(campaign)
    assert act(campaign, "androsphinx", "Second Roar", 1, target_id=None)["save"]["dc"] == 18


# inside others, and on other planes


def swallowed(campaign: Campaign, frog: str = "giant toad", **post: object) -> str:
    """Begin a fight in which a monster bites the post, holds it and swallows it."""
    begin(campaign, {"monster": frog}, post=dict(post))
    who = frog.replace(" ", "-")
    refused = fails(campaign, {"actor_id": who, "action": "Swallow", "target_id": "post"})
    assert refused["detail"] == f"{who} has not grappled post, which Swallow needs"
    assert act(campaign, who, "Bite", 15, *_bite_dice(frog))["inflicted"] == ["grappled", "restrained"]
    advance(campaign)
    advance(campaign)
    done = act(campaign, who, "Swallow", 15, *_bite_dice(frog))
    assert done["effects"] == ["Swallowed"]
    assert done["target_conditions"] == ["blinded", "restrained"]
    return who


def _bite_dice(monster: str) -> list[int]:
    bite = next(each for each in entry(monster.replace(" ", "-"))["actions"] if each["id"] == "bite")
    return [1] * sum(int(each["dice"].partition("d")[0]) for each in bite["damage"])


def test_who_is_swallowed_is_hurt_as_each_turn_of_the_swallower_starts(campaign: Campaign) -> None:
    toad = swallowed(campaign)
    advance(campaign)
    begun = advance(campaign, 1, 2, 3)
    assert begun["lasting"] == [{"target_id": "post", "name": "Swallowed", "rolled": 6, "damage": 6}]
    moved = {"encounter_id": "encounter-1", "actor_id": toad, "move_to": {"x": 13, "y": 10}}
    call(campaign, "execute_action", moved)
    assert person(campaign, "post")["position"]["x"] == 13


def test_nobody_outside_reaches_who_is_swallowed(campaign: Campaign) -> None:
    toad = swallowed(campaign)
    wolf = {"monster": "wolf", "is_enemy": False, "positions": [{"x": 10, "y": 10}]}
    call(campaign, "manage_encounter", {"operation": "add", "encounter_id": "encounter-1", "monsters": [wolf]})
    free = {"encounter_id": "encounter-1", "ignore_economy": True}
    outside = fails(campaign, {**free, "actor_id": "wolf", "action": "Bite", "target_id": "post"})
    assert outside["detail"] == "post has total cover from wolf"
    inside = {**free, "actor_id": "post", "target_id": toad, "action_type": "attack", "attack_bonus": 30}
    struck = call(campaign, "execute_action", {**inside, "damage_expression": "1"}, 10, 10)["result"]
    assert struck["attack"]["result"] == "hit"


def test_enough_damage_from_within_brings_everybody_out_again(campaign: Campaign) -> None:
    remorhaz = swallowed(campaign, "remorhaz", hp=400, max_hp=400)
    advance(campaign)
    figures = {"attack_bonus": 30, "damage_expression": "30", "weapon_is": ["magical"]}
    blow = {"encounter_id": "encounter-1", "actor_id": "post", "target_id": remorhaz, "action_type": "attack"}
    call(campaign, "execute_action", {**blow, **figures}, 10, 10)
    assert person(campaign, remorhaz)["block_use"]["from_within"] == 30
    spat = advance(campaign, 1)
    assert (spat["saves"][0]["dc"], spat["saves"][0]["success"]) == (15, False)
    out = person(campaign, "post")
    assert "swallowed_by" not in out
    assert [each["condition"] for each in out["body"]["conditions"]] == ["prone"]
    assert "effects" not in out["body"]


def test_a_carcass_lets_out_who_was_swallowed(campaign: Campaign) -> None:
    toad = swallowed(campaign)
    advance(campaign)
    alive = fails(campaign, {"actor_id": "post", "move_to": {"x": 10, "y": 10}})
    assert alive["reason"] == "rule_violation"
    figures = {"attack_bonus": 30, "damage_expression": "500"}
    blow = {"encounter_id": "encounter-1", "actor_id": "post", "target_id": toad, "action_type": "attack"}
    call(campaign, "execute_action", {**blow, **figures}, 10, 10)
    assert [each["condition"] for each in person(campaign, "post")["body"]["conditions"]] == ["blinded"]
    out = {"encounter_id": "encounter-1", "actor_id": "post", "move_to": {"x": 10, "y": 10}}
    crept = call(campaign, "execute_action", out)["result"]["movement"]
    assert crept["cost"] == 5
    assert [each["condition"] for each in person(campaign, "post")["body"]["conditions"]] == ["prone"]


def test_a_purple_worm_swallows_whom_it_bites(campaign: Campaign) -> None:
    begin(campaign, {"monster": "purple worm"})
    bitten = act(campaign, "purple-worm", "Bite", 15, 1, 1, 1, 1)
    assert (bitten["effects"], person(campaign, "post")["swallowed_by"]) == (["Swallowed"], "purple-worm")


def test_a_phase_spider_is_out_of_reach_on_the_ethereal_plane(campaign: Campaign) -> None:
    begin(campaign, {"monster": "phase spider"})
    gone = act(campaign, "phase-spider", "Ethereal Jaunt", target_id=None)
    assert gone["outcome"] == "phase-spider is on the Ethereal Plane"
    assert (gone["economy"]["action"], gone["economy"]["bonus_action"]) == (True, False)
    blow = {"actor_id": "phase-spider", "action": "Bite", "target_id": "post"}
    assert fails(campaign, blow)["detail"] == "post has total cover from phase-spider"
    advance(campaign)
    advance(campaign)
    back = act(campaign, "phase-spider", "Ethereal Jaunt", target_id=None)
    assert back["outcome"] == "phase-spider is on the Material Plane"


def test_a_harpoon_pulls_whom_the_merrow_overpowers(campaign: Campaign) -> None:
    far = {"positions": [{"x": 14, "y": 10}]}
    begin(campaign, {"monster": "merrow", **far})
    assert act(campaign, "merrow", "Harpoon", 15, 1, 1, 5, 19)["target_hp"]["after"] == 194
    assert person(campaign, "post")["position"]["x"] == 10
    act(campaign, "merrow", "Harpoon", 15, 1, 1, 15, 5, ignore_economy=True)
    assert person(campaign, "post")["position"]["x"] == 13


def test_an_arrow_of_a_sprite_sends_to_sleep_who_saves_with_5_or_less(campaign: Campaign) -> None:
    begin(campaign, {"monster": "sprite"})
    assert act(campaign, "sprite", "Shortbow", 19, 19, 6)["inflicted"] == ["poisoned"]
    shot = act(campaign, "sprite", "Shortbow", 19, 19, 5, ignore_economy=True)
    assert "unconscious" in shot["inflicted"]


def test_a_sprite_reads_the_heart_of_a_fiend_whatever_it_throws(campaign: Campaign) -> None:
    begin(campaign, {"monster": "sprite"}, {"monster": "imp", "positions": [{"x": 11, "y": 11}]})
    read = act(campaign, "sprite", "Heart Sight", 20, target_id="imp")
    assert (read["save"]["natural"], read["save"]["success"]) == (20, False)


# golems and nagas


def test_a_hurt_golem_goes_berserk_on_a_6_and_is_calmed_by_words(campaign: Campaign) -> None:
    begin(campaign, {"monster": "flesh golem"})
    blow = {"encounter_id": "encounter-1", "actor_id": "post", "target_id": "flesh-golem", "action_type": "attack"}
    figures = {"attack_bonus": 30, "damage_expression": "60", "weapon_is": ["magical"], "ignore_economy": True}
    call(campaign, "execute_action", {**blow, **figures}, 10)
    advance(campaign)
    assert advance(campaign, 5)["traits"] == [
        {"source_id": "flesh-golem", "action": "Berserk", "natural": 5, "needed": 6}
    ]
    advance(campaign)
    assert advance(campaign, 6)["traits"][0]["outcome"] == "flesh-golem goes berserk"
    advance(campaign)
    calm = {"encounter_id": "encounter-1", "actor_id": "post", "action": "Berserk", "target_id": "flesh-golem"}
    calmed = call(campaign, "execute_action", calm, 15)["result"]
    assert (calmed["check"]["skill"], calmed["check"]["dc"], calmed["check"]["success"]) == ("persuasion", 15, True)
    assert "effects" not in person(campaign, "flesh-golem")["body"]


def test_haste_of_a_clay_golem_lasts_until_its_next_turn_ends(campaign: Campaign) -> None:
    begin(campaign, {"monster": "clay golem"})
    act(campaign, "clay-golem", "Haste", target_id=None)
    slam = act(campaign, "clay-golem", "Slam", 15, 1, 1, 1, action_cost="bonus_action")
    assert slam["effects"] == ["Slam"]
    (haste,) = person(campaign, "clay-golem")["body"]["effects"]
    assert (haste["ac_bonus"], haste["advantage_on"]) == (2, ["dex_saves"])
    advance(campaign)
    assert person(campaign, "clay-golem")["body"]["effects"]
    advance(campaign, 1)
    advance(campaign)
    assert "effects" not in person(campaign, "clay-golem")["body"]


def test_a_naga_that_dies_comes_back_after_days(campaign: Campaign) -> None:
    begin(campaign, {"monster": "spirit naga"})
    blow = {"encounter_id": "encounter-1", "actor_id": "post", "target_id": "spirit-naga", "action_type": "attack"}
    figures = {"attack_bonus": 30, "damage_expression": "500", "ignore_economy": True}
    done = call(campaign, "execute_action", {**blow, **figures}, 10, 4)["result"]
    (row,) = done["traits"]
    assert (row["action"], row["returns_after"], row["target_hp"]["after"]) == ("Rejuvenation", "4 days", 0)


def test_who_is_inside_when_the_fight_ends_comes_out(campaign: Campaign) -> None:
    swallowed(campaign)
    call(campaign, "end_encounter", {"encounter_id": "encounter-1", "outcome": "fled"})
    out = person(campaign, "post")
    assert "swallowed_by" not in out
    assert [each["condition"] for each in out["body"]["conditions"]] == ["prone"]
    assert "effects" not in out["body"]


# conditions that hang on others


@pytest.mark.parametrize(
    ("monster", "action", "dice", "usual", "worse"),
    [
        ("mummy", "Dreadful Glare", (1,), "frightened", "paralyzed"),
        ("pseudodragon", "Sting", (15, 1, 1), "poisoned", "unconscious"),
        ("drow", "Hand Crossbow", (15, 15, 1, 1), "poisoned", "unconscious"),
        ("couatl", "Bite", (15, 1, 1), "poisoned", "unconscious"),
    ],
)
def test_what_a_save_that_fails_by_much_brings_lasts_as_long_as_the_rest(
    campaign: Campaign, monster: str, action: str, dice: tuple[int, ...], usual: str, worse: str
) -> None:
    begin(campaign, {"monster": monster})
    brought = act(campaign, monster, action, *dice, save_dc=30)
    assert sorted(brought["inflicted"]) == sorted([usual, worse])
    held = {each["condition"]: each for each in person(campaign, "post")["body"]["conditions"]}
    timing = ("duration", "rounds_remaining", "ends")
    assert [held[worse].get(key) for key in timing] == [held[usual].get(key) for key in timing]
    assert any(held[worse].get(key) for key in timing)
    assert "ends_on" not in held[usual]
    wakes = "damage" in next(each for each in entry(monster)["actions"] if each["name"] == action).get(
        "figures", {}
    ).get("ends_on", ())
    assert (held[worse].get("ends_on") == ["damage"]) == wakes


def test_a_paralyzing_glare_ends_with_the_fear_that_it_brings(campaign: Campaign) -> None:
    begin(campaign, {"monster": "mummy"})
    act(campaign, "mummy", "Dreadful Glare", 1, save_dc=30)
    for _ in range(4):
        advance(campaign)
    assert not person(campaign, "post")["body"].get("conditions")


def test_a_guise_is_told_by_what_it_looks_like(campaign: Campaign) -> None:
    begin(campaign, {"monster": "imp"})
    args = {"encounter_id": "encounter-1", "actor_id": "imp", "action": "Shapechanger", "form": "raven"}
    assert call(campaign, "execute_action", args)["result"]["outcome"] == "imp takes the shape of raven"


# illusions


@pytest.mark.parametrize(("hag", "dc"), [("sea hag", 16), ("green hag", 20)])
def test_who_examines_the_looks_of_a_hag_sees_through_them_by_a_check(campaign: Campaign, hag: str, dc: int) -> None:
    who = hag.replace(" ", "-")
    begin(campaign, {"monster": hag})
    told = act(campaign, who, "Illusory Appearance", target_id=None)
    assert told["outcome"] == f"{who} looks like somebody else"
    advance(campaign, *([20] if hag == "sea hag" else []))
    look = {"encounter_id": "encounter-1", "actor_id": "post", "action": "Illusory Appearance", "target_id": who}
    fooled = call(campaign, "execute_action", {**look, "ignore_economy": True}, dc - 1)["result"]
    assert (fooled["check"]["skill"], fooled["check"]["dc"], fooled["check"]["success"]) == ("investigation", dc, False)
    seen = call(campaign, "execute_action", {**look, "ignore_economy": True}, 20)["result"]
    assert (seen["check"]["success"], "sees through" in seen["outcome"]) == (True, True)
    (effect,) = person(campaign, who)["body"]["effects"]
    assert effect["disguise"] == {"skill": "investigation", "dc": dc, "seen_through_by": ["post"]}


def test_a_hag_ends_her_illusion_by_a_bonus_action_and_death_ends_it(campaign: Campaign) -> None:
    begin(campaign, {"monster": "sea hag"})
    act(campaign, "sea-hag", "Illusory Appearance", target_id=None)
    ended = act(campaign, "sea-hag", "Illusory Appearance", target_id=None)
    assert (ended["action_cost"], ended["outcome"]) == ("bonus_action", "sea-hag looks like itself again")
    assert "effects" not in person(campaign, "sea-hag")["body"]
    act(campaign, "sea-hag", "Illusory Appearance", target_id=None, ignore_economy=True)
    blow = {"encounter_id": "encounter-1", "actor_id": "post", "target_id": "sea-hag", "action_type": "attack"}
    call(
        campaign, "execute_action", {**blow, "attack_bonus": 30, "damage_expression": "99", "ignore_economy": True}, 10
    )
    assert "effects" not in person(campaign, "sea-hag")["body"]


def test_a_green_hag_passes_unseen_until_she_strikes(campaign: Campaign) -> None:
    begin(campaign, {"monster": "green hag"})
    act(campaign, "green-hag", "Invisible Passage", target_id=None)
    (unseen,) = person(campaign, "green-hag")["body"]["conditions"]
    assert (unseen["condition"], unseen["ends_on"]) == ("invisible", ["attacks", "casts_spell"])
    act(campaign, "green-hag", "Claws", 15, 15, 1, 1, ignore_economy=True)
    assert "conditions" not in person(campaign, "green-hag")["body"]
