"""Weapons with rules of their own: the conditions of a lance, and the effects of a net on a target."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.builders import Json, clock
from tests.tools.blocks import call, fails, person

from turnwright import Campaign
from turnwright.content.registry import built_in

ABILITIES = dict.fromkeys(("str", "dex", "con", "int", "wis", "cha"), 14)
FIGHTER: Json = {"name": "Mara", "class": "fighter", "level": 5, "stats": ABILITIES, "hp": 40, "max_hp": 40}
FOE: Json = {"id": "foe", "name": "Foe", "hp": 60, "max_hp": 60, "ac": 10, "is_enemy": True}


@pytest.fixture(name="campaign")
def fixture_campaign(tmp_path: Path) -> Iterator[Campaign]:
    with Campaign.new(tmp_path / "c", template="toolkit", seed="weapons", clock=clock) as campaign:
        yield campaign


def armed(campaign: Campaign, *items: str, apart: int = 1, foe: Json | None = None, attacks: int = 1) -> None:
    """Let a fighter carry these and meet a foe so many squares away; she goes first, with the first in her hand."""
    call(campaign, "create_character", FIGHTER)
    for item in items:
        call(campaign, "manage_inventory", {"operation": "give", "character_id": "character-1", "item_name": item})
    call(campaign, "manage_inventory", {"operation": "unequip", "character_id": "character-1", "item_name": "Shield"})
    wield(campaign, items[0], "mainhand")
    own = {"character_id": "character-1", "position": {"x": 5, "y": 5}, "attacks": attacks}
    there = {"position": {"x": 5 + apart, "y": 5}}
    people = [own, {**FOE, **there}] if foe is None else [own]
    monsters = [] if foe is None else [{**foe, "positions": [{"x": 5 + apart, "y": 5}]}]
    dice = (20, 1)
    call(campaign, "create_encounter", {"participants": people, "monsters": monsters}, *dice)


def wield(campaign: Campaign, item: str, slot: str) -> None:
    args = {"operation": "equip", "character_id": "character-1", "item_name": item, "slot": slot}
    call(campaign, "manage_inventory", args)


def attack(campaign: Campaign, target: str, *dice: int, **more: object) -> Json:
    args = {"encounter_id": "encounter-1", "actor_id": "character-1", "target_id": target, "action_type": "attack"}
    found: Json = call(campaign, "execute_action", {**args, **more}, *dice)["result"]
    return found


def refused(campaign: Campaign, target: str, **more: object) -> str:
    args = {"actor_id": "character-1", "target_id": target, "action_type": "attack", **more}
    return str(fails(campaign, args)["detail"])


def hero(campaign: Campaign) -> Json:
    found: Json = campaign.state["characters/character-1.json"]
    return found


def test_every_weapon_of_the_pack_is_full() -> None:
    pack = built_in("srd-5.1")
    entries = [pack.entry("weapons", row.id) for row in pack.rows() if row.kind == "weapons"]
    assert [each.id for each in entries if each is not None and each.value["tier"] != "full"] == []


# a lance


def test_a_lance_strikes_with_disadvantage_within_5_feet_and_without_beyond(campaign: Campaign) -> None:
    armed(campaign, "Lance")
    near = attack(campaign, "foe", 15, 12, 6)
    assert near["attack"]["disadvantage_reasons"] == ["Lance within 5 feet"]
    assert (near["attack"]["rolls"], near["damage"]["expression"]) == ([15, 12], "1d12+2")


def test_a_lance_strikes_at_its_reach_plainly(campaign: Campaign) -> None:
    armed(campaign, "Lance", apart=2)
    far = attack(campaign, "foe", 15, 6)
    assert (far["attack"]["mode"], far["damage"]["final"]) == ("normal", 8)


def test_a_lance_takes_both_hands_unless_its_bearer_is_mounted(campaign: Campaign) -> None:
    armed(campaign, "Lance", apart=2)
    wield(campaign, "Shield", "offhand")
    assert refused(campaign, "foe").startswith(
        "Lance takes both hands of character-1, who holds Shield; who is mounted"
    )
    given = {"encounter_id": "encounter-1", "target_id": "character-1", "operation": "add", "custom_name": "Mounted"}
    call(campaign, "manage_condition", given)
    assert attack(campaign, "foe", 15, 6)["damage"]["final"] == 8


# a net


def test_a_net_restrains_whom_it_hits_and_hurts_nobody(campaign: Campaign) -> None:
    armed(campaign, "Net", apart=2, attacks=2)
    hit = attack(campaign, "foe", 15, 14)
    assert hit["attack"]["disadvantage_reasons"] == ["long range"]
    assert (hit["damage"], hit["inflicted"], hit["effects"]) == (None, ["restrained"], ["Net"])
    assert hit["target_conditions"] == ["restrained"]
    assert hit["economy"]["attacks"] == 0
    assert refused(campaign, "foe") == "the attacks of character-1 have been spent"


def test_a_net_has_disadvantage_from_near_and_reaches_no_farther_than_15_feet(campaign: Campaign) -> None:
    armed(campaign, "Net", apart=1)
    assert attack(campaign, "foe", 15, 2)["attack"]["disadvantage_reasons"] == ["enemy close"]
    call(campaign, "end_encounter", {"encounter_id": "encounter-1", "outcome": "fled"})


def test_a_net_does_not_fly_20_feet(campaign: Campaign) -> None:
    armed(campaign, "Net", apart=4)
    assert refused(campaign, "foe") == "foe is 20 feet away, and the range is 15 feet"


def test_a_net_is_no_second_attack_of_an_action(campaign: Campaign) -> None:
    armed(campaign, "Dagger", "Net", attacks=2)
    attack(campaign, "foe", 2)
    assert refused(campaign, "foe", weapon="Net") == (
        "Net is the only attack of an action, and character-1 has made one"
    )


def test_a_strength_check_frees_from_a_net_and_a_failed_one_does_not(campaign: Campaign) -> None:
    armed(campaign, "Net", apart=2)
    attack(campaign, "foe", 15, 14)
    assert refused(campaign, "foe", ignore_economy=True) == "Net of character-1 lies on foe"
    call(campaign, "advance_turn", {"encounter_id": "encounter-1"})
    free = {"encounter_id": "encounter-1", "actor_id": "foe", "action": "Net", "ignore_economy": True}
    fails_to = call(campaign, "execute_action", free, 9)["result"]
    assert (fails_to["check"]["ability"], fails_to["check"]["dc"], fails_to["check"]["success"]) == ("str", 10, False)
    assert fails_to["outcome"] == "Net of foe goes on"
    freed = call(campaign, "execute_action", free, 10)["result"]
    assert (freed["check"]["success"], freed["outcome"]) == (True, "Net of foe is over")
    assert {"effects", "conditions"}.isdisjoint(person(campaign, "foe")["body"])


def test_5_slashing_damage_destroys_a_net_and_blunt_things_do_not_cut_it(campaign: Campaign) -> None:
    armed(campaign, "Net", "Mace", "Shortsword", "Scimitar", apart=1)
    attack(campaign, "foe", 15, 14)
    cut = {"action": "Net", "ignore_economy": True}
    assert refused(campaign, "foe", **cut, weapon="Mace") == (
        "Mace deals bludgeoning damage, and only slashing damage cuts Net"
    )
    missed = attack(campaign, "foe", 2, **cut, weapon="Scimitar")
    assert (missed["attack"]["target_ac"], missed["outcome"]) == (10, "Net of foe goes on")
    torn = attack(campaign, "foe", 12, 1, **cut, weapon="Scimitar")
    assert torn["outcome"] == "Net of foe holds: 3 damage, 2 more destroys it"
    done = attack(campaign, "foe", 12, 4, **cut, weapon="Scimitar")
    assert done["outcome"] == "Net of foe is destroyed: 6 damage"
    assert {"effects", "conditions"}.isdisjoint(person(campaign, "foe")["body"])
    assert person(campaign, "foe")["body"]["hp"] == 60
    assert "Net" not in [each["name"] for each in hero(campaign)["inventory"]]


@pytest.mark.parametrize(
    ("monster", "why"), [("mammoth", "it is huge"), ("ochre jelly", "it is formless"), ("ghost", "it is formless")]
)
def test_a_net_does_nothing_to_the_formless_and_the_huge(campaign: Campaign, monster: str, why: str) -> None:
    armed(campaign, "Net", apart=2, foe={"monster": monster})
    who = monster.replace(" ", "-")
    args = {"encounter_id": "encounter-1", "actor_id": "character-1", "target_id": who, "action_type": "attack"}
    told = call(campaign, "execute_action", args, 19, 19)
    assert f"Net does nothing to {who}: {why}" in told["warnings"]
    assert told["result"]["target_conditions"] == []
