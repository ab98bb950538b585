"""What stat blocks leave for later: diseases and rot that work day by day, lost strength, and who rises again."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.builders import Json, clock
from tests.tools.blocks import act, advance, begin, call, person

from turnwright import Campaign

ABILITIES = ("str", "dex", "con", "int", "wis", "cha")
HERO: Json = {
    "name": "Hero",
    "class": "fighter",
    "race": "human",
    "level": 5,
    "stats": dict.fromkeys(ABILITIES, 10),
    "hp": 44,
    "max_hp": 44,
    "ac": 10,
}


@pytest.fixture(name="campaign")
def fixture_campaign(tmp_path: Path) -> Iterator[Campaign]:
    with Campaign.new(tmp_path / "c", template="toolkit", seed="afflictions", clock=clock) as campaign:
        yield campaign


def meet(campaign: Campaign, monster: str) -> str:
    """Let a character meet a monster that is beside them and goes first; return the character's id."""
    made = call(campaign, "create_character", HERO)["result"]
    who = str(made["character_id"])
    party = [{"character_id": who, "position": {"x": 10, "y": 10}}]
    monsters = [{"monster": monster, "positions": [{"x": 11, "y": 10}]}]
    call(campaign, "create_encounter", {"participants": party, "monsters": monsters}, 1, 20)
    return who


def hero(campaign: Campaign, who: str) -> Json:
    found: Json = campaign.state[f"characters/{who}.json"]
    return found


def part_ways(campaign: Campaign) -> None:
    call(campaign, "end_encounter", {"encounter_id": "encounter-1", "outcome": "fled"})


def rest(campaign: Campaign, who: str, *dice: int, **more: object) -> Json:
    return call(campaign, "take_rest", {"character_id": who, "rest_type": "long", **more}, *dice)


def cast_on(campaign: Campaign, who: str, spell: str, **more: object) -> Json:
    args = {"name": "Healer", "class": "cleric", "level": 9, "hp": 40, "max_hp": 40}
    healer = call(campaign, "create_character", args)["result"]["character_id"]
    found: Json = call(campaign, "cast_spell", {"caster_id": healer, "spell": spell, "target_ids": [who], **more})
    return found


# day by day


def test_mummy_rot_bars_healing_and_takes_3d6_of_the_maximum_a_day(campaign: Campaign) -> None:
    who = meet(campaign, "mummy")
    hit = act(campaign, "mummy", "Rotting Fist", 15, 1, 1, 1, 1, 1, 1, target_id=who)
    assert (hit["damage"]["final"], hit["save"]["dc"], hit["effects"]) == (8, 12, ["Mummy rot"])
    part_ways(campaign)
    (rot,) = hero(campaign, who)["effects"]
    assert (rot["cured_as"], rot["healing"], rot["daily"]) == (["curse"], "none", {"max_hp": "3d6", "passed": 6})
    first = rest(campaign, who)
    assert (first["result"]["hp_after"], first["result"].get("warnings")) == (36, None)
    second = rest(campaign, who, 2, 3, 4, hours=24)
    assert second["warnings"] == [f"{who}, Mummy rot: hit point maximum 9 lower, now 35"]
    assert second["result"]["hp_after"] == 35
    assert hero(campaign, who)["effects"][0]["daily"]["passed"] == 8 * 3600 + 6


def test_whose_maximum_rot_brings_to_0_dies(campaign: Campaign) -> None:
    who = meet(campaign, "mummy lord")
    act(campaign, "mummy-lord", "Rotting Fist", 15, *[1] * 10, target_id=who)
    part_ways(campaign)
    told = rest(campaign, who, *[6] * 9, hours=72)
    assert told["warnings"] == [
        f"{who}, Mummy rot: hit point maximum 18 lower, now 26",
        f"{who}, Mummy rot: hit point maximum 18 lower, now 8",
        f"{who}, Mummy rot: hit point maximum 18 lower, dies of it",
    ]
    assert hero(campaign, who)["death_saves"]["dead"] is True


def test_remove_curse_ends_mummy_rot_and_what_it_has_taken(campaign: Campaign) -> None:
    who = meet(campaign, "mummy")
    act(campaign, "mummy", "Rotting Fist", 15, *[1] * 6, target_id=who)
    part_ways(campaign)
    rest(campaign, who, 6, 6, 6, hours=24)
    ended = cast_on(campaign, who, "remove curse")
    assert ended["result"]["targets"][0]["ended"] == ["Mummy rot"]
    assert "effects" not in hero(campaign, who)


def test_of_an_otyugh_disease_a_save_a_day_heals_and_each_that_fails_takes_1d10(campaign: Campaign) -> None:
    who = meet(campaign, "otyugh")
    bite = act(campaign, "otyugh", "Bite", 15, 1, 1, 1, target_id=who)
    assert (bite["effects"], bite["inflicted"], bite["save"]["dc"]) == (["Otyugh disease"], ["poisoned"], 15)
    again = act(campaign, "otyugh", "Bite", 15, 1, 1, 1, target_id=who, ignore_economy=True)
    assert "effects" not in again
    part_ways(campaign)
    worse = rest(campaign, who, 1, 7, hours=24)
    assert worse["warnings"][0].endswith("against DC 15, hit point maximum 7 lower, now 37")
    assert [each["condition"] for each in hero(campaign, who)["conditions"]] == ["poisoned"]
    better = rest(campaign, who, 20, hours=24)
    assert better["warnings"][0].endswith("against DC 15, cured")
    assert {"effects", "conditions"}.isdisjoint(hero(campaign, who))


def test_a_save_against_a_death_dog_spares_but_only_magic_cures(campaign: Campaign) -> None:
    who = meet(campaign, "death dog")
    act(campaign, "death-dog", "Bite", 15, 1, 1, target_id=who)
    part_ways(campaign)
    spared = rest(campaign, who, 20, hours=24)
    assert spared["warnings"][0].endswith("against DC 12, no worse")
    (sick,) = hero(campaign, who)["effects"]
    assert (sick["daily"]["save"], "max_hp_modifier" in sick) == ({"ability": "con", "dc": 12}, False)
    cured = cast_on(campaign, who, "lesser restoration", choice="disease")
    assert cured["result"]["targets"][0]["ended"] == ["Death dog disease"]
    assert {"effects", "conditions"}.isdisjoint(hero(campaign, who))


def test_of_a_rats_disease_only_magic_heals(campaign: Campaign) -> None:
    who = meet(campaign, "giant rat (diseased)")
    bite = act(campaign, "giant-rat-diseased", "Bite", 15, 4, 1, target_id=who)
    assert (bite["damage"]["final"], bite["save"]["dc"], bite["effects"]) == (6, 10, ["Rat disease"])
    part_ways(campaign)
    short = call(campaign, "take_rest", {"character_id": who, "rest_type": "short", "hit_dice_to_spend": 1}, 5)
    assert short["result"]["hp_after"] == 38
    healed = cast_on(campaign, who, "cure wounds")
    assert healed["result"]["targets"][0]["target_hp"]["after"] > 38


def test_without_a_calendar_a_long_rest_stands_for_a_day(tmp_path: Path) -> None:
    with Campaign.new(tmp_path / "c", template="toolkit", seed="afflictions", clock=clock) as campaign:
        campaign.set({"rules.calendar": False})
        who = meet(campaign, "mummy")
        act(campaign, "mummy", "Rotting Fist", 15, *[1] * 6, target_id=who)
        part_ways(campaign)
        assert rest(campaign, who, 1, 1, 1)["warnings"] == [f"{who}, Mummy rot: hit point maximum 3 lower, now 41"]


# strength, and who rises


def test_strength_that_a_shadow_drains_comes_back_with_a_rest(campaign: Campaign) -> None:
    who = meet(campaign, "shadow")
    for lost in (4, 2):
        hit = act(campaign, "shadow", "Strength Drain", 15, 1, 1, lost, target_id=who, ignore_economy=True)
        assert (hit["damage"]["final"], hit["effects"]) == (4, ["Strength Drain"])
    (drained,) = hero(campaign, who)["effects"]
    assert (drained["ability_bonuses"], drained["duration"]) == ({"str": -6}, "until_rest")
    part_ways(campaign)
    told = call(campaign, "take_rest", {"character_id": who, "rest_type": "short"})["result"]
    assert told["effects_ended"] == ["Strength Drain"]


def test_who_has_no_strength_left_dies_and_rises_as_a_shadow(campaign: Campaign) -> None:
    who = meet(campaign, "shadow")
    for _ in range(2):
        act(campaign, "shadow", "Strength Drain", 15, 1, 1, 4, target_id=who, ignore_economy=True)
    last = act(campaign, "shadow", "Strength Drain", 15, 1, 1, 4, 3, target_id=who, ignore_economy=True)
    assert last["target_status"] == "dead"
    assert last["rises"] == {"monster": "shadow", "after": "3 hours"}


def test_a_humanoid_that_a_wight_slays_rises_as_a_zombie_but_no_beast_does(campaign: Campaign) -> None:
    commoner = {"monster": "commoner", "is_enemy": False, "positions": [{"x": 12, "y": 11}]}
    wolf = {"monster": "wolf", "is_enemy": False, "positions": [{"x": 12, "y": 9}], "max_hp": 2}
    begin(campaign, {"monster": "wight"}, commoner, wolf)
    slain = act(campaign, "wight", "Life Drain", 15, 6, 20, target_id="commoner")
    assert (slain["target_hp"]["after"], slain["rises"]) == (0, {"monster": "zombie", "after": "24 hours"})
    assert person(campaign, "wight")["block_use"]["uses"] == {"life-drain.raises": 1}
    beast = act(campaign, "wight", "Life Drain", 15, 6, 20, target_id="wolf", ignore_economy=True)
    assert (beast["target_hp"]["after"], "rises" in beast) == (0, False)


@pytest.mark.parametrize(
    ("monster", "needs"),
    [
        ("lich", ["phylactery"]),
        (
            "lemure",
            [
                "died in the nine hells",
                "not killed by a good creature under bless",
                "not holy water on its remains",
            ],
        ),
        ("mummy lord", ["heart"]),
    ],
)
def test_who_comes_back_says_after_how_long_and_what_that_takes(
    campaign: Campaign, monster: str, needs: list[str]
) -> None:
    begin(campaign, {"monster": monster})
    who = monster.replace(" ", "-")
    blow = {"encounter_id": "encounter-1", "actor_id": "post", "target_id": who, "action_type": "attack"}
    figures = {"attack_bonus": 30, "damage_expression": "500", "weapon_is": ["magical"], "ignore_economy": True}
    (row,) = call(campaign, "execute_action", {**blow, **figures, "damage_type": "force"}, 10, 7)["result"]["traits"]
    assert row["returns_after"] == ("24 hours" if monster == "mummy lord" else "7 days")
    assert row["returns_if"] == needs


# what helps near, and what spells make of blocks


def turn_undead(campaign: Campaign, *dice: int) -> Json:
    args = {"encounter_id": "encounter-1", "actor_id": "post", "action_type": "cast_spell", "spell_name": "Turn Undead"}
    saves = {"save_ability": "wis", "save_dc": 12, "target_ids": ["ghoul"], "ignore_economy": True}
    found: Json = call(campaign, "execute_action", {**args, **saves}, *dice)["result"]["save"]
    return found


def test_ghouls_near_a_ghast_save_with_advantage_against_being_turned(campaign: Campaign) -> None:
    begin(campaign, {"monster": "ghast"}, {"monster": "ghoul", "positions": [{"x": 16, "y": 10}]})
    assert turn_undead(campaign, 3, 18)["rolls"] == [3, 18]
    blow = {"encounter_id": "encounter-1", "actor_id": "post", "target_id": "ghast", "action_type": "attack"}
    figures = {"attack_bonus": 30, "damage_expression": "500", "ignore_economy": True}
    call(campaign, "execute_action", {**blow, **figures}, 10)
    assert turn_undead(campaign, 3)["rolls"] == [3]


def test_a_ghast_farther_off_than_30_feet_helps_no_ghoul(campaign: Campaign) -> None:
    begin(campaign, {"monster": "ghast"}, {"monster": "ghoul", "positions": [{"x": 18, "y": 10}]})
    assert turn_undead(campaign, 3)["rolls"] == [3]


def test_a_druid_strikes_with_shillelagh_once_it_is_cast(campaign: Campaign) -> None:
    wight = {"monster": "wight", "is_enemy": False, "positions": [{"x": 11, "y": 9}]}
    begin(campaign, {"monster": "druid"}, wight)
    advance(campaign)  # the wight is quicker
    plain = act(campaign, "druid", "Quarterstaff", 15, 6)
    assert (plain["attack"]["bonus"], plain["damage"]["expression"]) == (2, "1d6")
    spell = {"encounter_id": "encounter-1", "caster_id": "druid", "spell": "shillelagh", "target_ids": ["druid"]}
    call(campaign, "cast_spell", spell)
    struck = act(campaign, "druid", "Quarterstaff", 15, 6, ignore_economy=True, target_id="wight", two_handed=True)
    assert (struck["attack"]["bonus"], struck["damage"]["expression"]) == (4, "1d8+2")
    assert (struck["damage"]["final"], struck["damage"]["adjusted"]) == (8, "none")


def test_an_archmage_takes_half_of_plain_blows_while_stoneskin_lasts(campaign: Campaign) -> None:
    begin(campaign, {"monster": "archmage"})
    blow = {"encounter_id": "encounter-1", "actor_id": "post", "target_id": "archmage", "action_type": "attack"}
    figures = {"attack_bonus": 30, "damage_expression": "10", "damage_type": "slashing", "ignore_economy": True}
    before = call(campaign, "execute_action", {**blow, **figures}, 10)["result"]
    spell = {"encounter_id": "encounter-1", "caster_id": "archmage", "spell": "stoneskin", "target_ids": ["archmage"]}
    call(campaign, "cast_spell", spell)
    after = call(campaign, "execute_action", {**blow, **figures}, 10, 10)["result"]
    assert (before["damage"]["final"], after["damage"]["final"]) == (10, 5)
    assert after["damage"]["adjusted"] == "resisted"
