"""What oozes and rust monsters make of weapons and armor."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.builders import Json, clock
from tests.tools.blocks import call, fails

from turnwright import Campaign

ABILITIES = dict.fromkeys(("str", "dex", "con", "int", "wis", "cha"), 14)
HERO: Json = {"name": "Mara", "class": "barbarian", "level": 5, "stats": ABILITIES, "hp": 60, "max_hp": 60}
WHO = "character-1"


@pytest.fixture(name="campaign")
def fixture_campaign(tmp_path: Path) -> Iterator[Campaign]:
    with Campaign.new(tmp_path / "c", template="toolkit", seed="corroding", clock=clock) as campaign:
        yield campaign


def meet(campaign: Campaign, monster: str, **worn: str | Json) -> str:
    """Let a character with these items in these slots meet a monster that goes first; return the monster's id."""
    call(campaign, "create_character", HERO)
    for slot, item in worn.items():
        wanted = {"item_name": item} if isinstance(item, str) else {"item": item}
        given = call(campaign, "manage_inventory", {"operation": "give", "character_id": WHO, **wanted})
        name = given["result"]["item"]["name"]
        args = {"operation": "equip", "character_id": WHO, "item_name": name, "slot": slot}
        call(campaign, "manage_inventory", args)
    party = [{"character_id": WHO, "position": {"x": 10, "y": 10}}]
    monsters = [{"monster": monster, "positions": [{"x": 11, "y": 10}]}]
    begun = call(campaign, "create_encounter", {"participants": party, "monsters": monsters}, 1, 20)
    return str(begun["result"]["monsters"][0]["ids"][0])


def item(campaign: Campaign, name: str) -> Json | None:
    inventory = campaign.state[f"characters/{WHO}.json"]["inventory"]
    return next((dict(each) for each in inventory if each["name"] == name), None)


def armor_class(campaign: Campaign) -> int:
    told = call(campaign, "get_character", {"character_id": WHO})["result"]
    return int(told["effective"]["ac"]["effective"])


def strike(campaign: Campaign, target: str, *dice: int, **more: Any) -> Json:
    args = {"encounter_id": "encounter-1", "actor_id": WHO, "target_id": target, "action_type": "attack"}
    return call(campaign, "execute_action", {**args, "ignore_economy": True, **more}, *dice)


def struck(campaign: Campaign, actor: str, action: str, *dice: int) -> Json:
    args = {"encounter_id": "encounter-1", "actor_id": actor, "target_id": WHO, "action": action}
    return call(campaign, "execute_action", {**args, "ignore_economy": True}, *dice)


def test_a_blade_loses_1_damage_for_each_hit_on_a_gray_ooze_and_is_gone_after_5(campaign: Campaign) -> None:
    ooze = meet(campaign, "gray ooze", mainhand="Longsword")
    first = strike(campaign, ooze, 19, 1)
    assert first["result"]["damage"]["expression"] == "1d8+2"
    assert first["warnings"] == [f"Longsword of {WHO} corrodes: -1 to its damage"]
    second = strike(campaign, ooze, 19, 1)
    assert (second["result"]["damage"]["expression"], second["result"]["damage"]["final"]) == ("1d8+2-1", 2)
    for _ in range(2):
        strike(campaign, ooze, 19, 1)
    last = strike(campaign, ooze, 19, 4)
    assert last["warnings"] == [f"Longsword of {WHO} is destroyed"]
    assert item(campaign, "Longsword") is None


@pytest.mark.parametrize(
    ("monster", "weapon", "corrodes"),
    [
        ("gray ooze", "Quarterstaff", False),
        ("black pudding", "Quarterstaff", True),
        ("rust monster", "Quarterstaff", False),
        ("rust monster", "Mace", True),
        ("black pudding", "Whip", False),
    ],
)
def test_what_corrodes_hangs_on_what_it_is_made_of(
    campaign: Campaign, monster: str, weapon: str, corrodes: bool
) -> None:
    ooze = meet(campaign, monster, mainhand=weapon)
    strike(campaign, ooze, 19, 1, 1)
    found = item(campaign, weapon)
    assert found is not None
    assert found.get("corrosion", 0) == int(corrodes)


def test_magical_weapons_do_not_corrode(campaign: Campaign) -> None:
    sword = {"name": "Bright Blade", "type": "weapon", "rarity": "rare", "weapon_stats": {"damage": "1d8"}}
    ooze = meet(campaign, "gray ooze", mainhand=sword)
    assert "warnings" not in strike(campaign, ooze, 19, 1)


def test_of_several_pieces_only_the_one_in_hand_corrodes(campaign: Campaign) -> None:
    daggers = {"name": "Dagger", "type": "weapon", "quantity": 3, "weapon_stats": {"damage": "1d4"}}
    ooze = meet(campaign, "gray ooze", mainhand=daggers)
    strike(campaign, ooze, 19, 1)
    kept = [each for each in campaign.state[f"characters/{WHO}.json"]["inventory"] if each["name"] == "Dagger"]
    assert [(each["quantity"], each.get("corrosion", 0)) for each in kept] == [(2, 0), (1, 1)]


def test_pseudopods_eat_armor_until_it_protects_no_more(campaign: Campaign) -> None:
    pudding = meet(campaign, "black pudding", armor="Hide Armor")
    before = armor_class(campaign)
    hit = struck(campaign, pudding, "Pseudopod", 19, 1, 1, 1, 1, 1)
    assert hit["warnings"] == [f"Hide Armor of {WHO} corrodes: -1 to its armor class"]
    assert armor_class(campaign) == before - 1
    gone = struck(campaign, pudding, "Pseudopod", 19, 1, 1, 1, 1, 1)
    assert gone["warnings"] == [f"Hide Armor of {WHO} is destroyed"]


def test_a_gray_ooze_eats_metal_armor_alone(campaign: Campaign) -> None:
    ooze = meet(campaign, "gray ooze", armor="Hide Armor")
    assert "warnings" not in struck(campaign, ooze, "Pseudopod", 19, 1, 1, 1)


def test_antennae_rust_armor_before_a_weapon_unless_a_save_keeps_it_away(campaign: Campaign) -> None:
    monster = meet(campaign, "rust monster", armor="Chain Shirt", mainhand="Longsword")
    saved = struck(campaign, monster, "Antennae", 20)
    assert (saved["result"]["save"]["dc"], saved["result"]["save"]["ability"]) == (11, "dex")
    assert "warnings" not in saved
    for penalty in (1, 2):
        rusted = struck(campaign, monster, "Antennae", 1)
        assert rusted["warnings"] == [f"Chain Shirt of {WHO} corrodes: -{penalty} to its armor class"]
    assert struck(campaign, monster, "Antennae", 1)["warnings"] == [f"Chain Shirt of {WHO} is destroyed"]
    assert struck(campaign, monster, "Antennae", 1)["warnings"] == [f"Longsword of {WHO} corrodes: -1 to its damage"]


def test_antennae_find_nothing_on_who_bears_no_metal(campaign: Campaign) -> None:
    monster = meet(campaign, "rust monster", armor="Hide Armor", mainhand="Club")
    failed = fails(campaign, {"actor_id": monster, "action": "Antennae", "target_id": WHO})
    assert failed["reason"] == "rule_violation"
    assert "nothing that Antennae could corrode" in failed["detail"]
