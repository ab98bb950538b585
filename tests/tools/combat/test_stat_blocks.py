"""Actions and traits of stat blocks in a fight, with dice that are given."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.builders import Json, clock

from turnwright import Campaign

POST: Json = {"id": "post", "name": "Post", "hp": 200, "max_hp": 200, "ac": 10, "position": {"x": 10, "y": 10}}


@pytest.fixture(name="campaign")
def fixture_campaign(tmp_path: Path) -> Iterator[Campaign]:
    with Campaign.new(tmp_path / "c", template="toolkit", seed="blocks", clock=clock) as campaign:
        yield campaign


def reply_to(campaign: Campaign, tool: str, args: Json, *dice: int) -> Json:
    found: Json = campaign.process({"tool_calls": [{"id": "a", "tool": tool, "args": args}]}, dice=list(dice))
    return found


def call(campaign: Campaign, tool: str, args: Json, *dice: int) -> Json:
    reply = reply_to(campaign, tool, args, *dice)
    assert reply["status"] == "applied", reply["tool_feedback"]
    action: Json = reply["applied_actions"][0]
    return action


def fails(campaign: Campaign, args: Json) -> Json:
    reply = reply_to(campaign, "execute_action", {"encounter_id": "encounter-1", **args})
    failed: Json = reply["tool_feedback"]["failed_calls"][0]
    return failed


def begin(campaign: Campaign, *monsters: Json, post: Json | None = None) -> None:
    """Begin a fight in which the monsters have their turns before the post, in the order of the call."""
    squares = [{"x": 11, "y": 10}, {"x": 9, "y": 10}, {"x": 10, "y": 12}]
    placed = [{**each, "positions": [squares[n]]} for n, each in enumerate(monsters)]
    args = {"participants": [{**POST, **(post or {})}], "monsters": placed}
    call(campaign, "create_encounter", args, 1, *range(20, 20 - len(monsters), -1))


def act(campaign: Campaign, actor: str, action: str, *dice: int, **more: Any) -> Json:
    args = {"encounter_id": "encounter-1", "actor_id": actor, "action": action, "target_id": "post", **more}
    found: Json = call(campaign, "execute_action", args, *dice)["result"]
    return found


def advance(campaign: Campaign, *dice: int) -> Json:
    found: Json = call(campaign, "advance_turn", {"encounter_id": "encounter-1"}, *dice)["result"]
    return found


def person(campaign: Campaign, identifier: str) -> Json:
    people = campaign.state["encounters/encounter-1.json"]["participants"]
    found: Json = next(each for each in people if each["id"] == identifier)
    return found


def test_each_type_of_one_blow_has_its_own_resistance_and_a_critical_doubles_all_dice(campaign: Campaign) -> None:
    begin(campaign, {"monster": "adult red dragon"}, post={"resistances": ["fire"]})
    done = act(campaign, "adult-red-dragon", "Bite", 20, 1, 2, 1, 2, 3, 5, 4, 1)
    assert done["attack"]["result"] == "critical_hit"
    assert done["damage"]["expression"] == "2d10+2d10+8 + 2d6+2d6"
    assert done["damage"]["parts"] == [
        {"type": "piercing", "raw": 14, "final": 14, "adjusted": "none"},
        {"type": "fire", "raw": 13, "final": 6, "adjusted": "resisted"},
    ]
    assert (done["damage"]["final"], done["target_hp"]["after"]) == (20, 180)


def test_a_save_halves_what_depends_on_it_and_a_critical_does_not_double_that(campaign: Campaign) -> None:
    begin(campaign, {"monster": "giant spider"})
    done = act(campaign, "giant-spider", "Bite", 20, 4, 4, 20, 5, 6)
    assert (done["save"]["success"], done["save"]["dc"]) == (True, 11)
    assert [(part["type"], part["final"]) for part in done["damage"]["parts"]] == [("piercing", 11), ("poison", 5)]


def test_a_victim_brought_to_0_is_stable_and_paralyzed_where_the_block_says_so(campaign: Campaign) -> None:
    begin(campaign, {"monster": "giant spider"}, post={"hp": 5, "max_hp": 50, "character_type": "pc"})
    done = act(campaign, "giant-spider", "Bite", 15, 4, 2, 5, 6)
    assert done["target_hp"]["after"] == 0
    assert set(done["inflicted"]) == {"poisoned", "paralyzed"}
    body = person(campaign, "post")["body"]
    assert body["death_saves"]["stable"]
    assert {each["condition"]: each.get("duration") for each in body["conditions"]}["paralyzed"] == 600


def test_multiattack_makes_each_attack_in_turn_and_leaves_what_is_optional(campaign: Campaign) -> None:
    begin(campaign, {"monster": "adult red dragon"})
    done = act(campaign, "adult-red-dragon", "multiattack", 1, 10, 2, 3, 20, 1, 2, 3, 4)
    assert [(row["action"], row["attack"]["result"]) for row in done["targets"]] == [
        ("Bite", "critical_miss"),
        ("Claw", "hit"),
        ("Claw", "critical_hit"),
    ]
    assert [row["damage"] and row["damage"]["final"] for row in done["targets"]] == [None, 13, 18]
    assert done["attacks_left"] == ["Frightful Presence"]
    again = fails(campaign, {"actor_id": "adult-red-dragon", "action": "Claw", "target_id": "post"})
    assert again["reason"] == "rule_violation"
    feared = act(campaign, "adult-red-dragon", "Frightful Presence", 1)
    assert feared["inflicted"] == ["frightened"]


def test_one_attack_leaves_the_others_of_its_multiattack(campaign: Campaign) -> None:
    begin(campaign, {"monster": "troll"})
    act(campaign, "troll", "Claw", 1)
    act(campaign, "troll", "Bite", 1)
    act(campaign, "troll", "Claw", 1)
    args = {"actor_id": "troll", "action": "Claw", "target_id": "post"}
    assert fails(campaign, args)["reason"] == "rule_violation"


def test_what_recharges_is_gone_until_a_die_gives_it_back(campaign: Campaign) -> None:
    begin(campaign, {"monster": "young red dragon"})
    done = act(campaign, "young-red-dragon", "Fire Breath", *[3] * 16, 20, target_id="post")
    assert (done["save"]["success"], done["damage"]["raw"], done["damage"]["final"]) == (True, 48, 24)
    args = {"actor_id": "young-red-dragon", "action": "Fire Breath", "target_id": "post", "ignore_economy": False}
    assert "recharge" in fails(campaign, args)["detail"] or "spent" in fails(campaign, args)["detail"]
    advance(campaign)
    assert advance(campaign, 4)["recharged"] == [
        {"target_id": "young-red-dragon", "action": "Fire Breath", "natural": 4, "needed": 5, "ready": False}
    ]
    assert "recharge" in fails(campaign, args)["detail"]
    advance(campaign)
    assert advance(campaign, 5)["recharged"][0]["ready"]
    act(campaign, "young-red-dragon", "Fire Breath", *[1] * 16, 1)


def test_a_hold_restrains_and_is_broken_by_a_check_against_its_dc(campaign: Campaign) -> None:
    begin(campaign, {"monster": "constrictor snake"})
    done = act(campaign, "constrictor-snake", "Constrict", 15, 3)
    assert done["inflicted"] == ["grappled", "restrained"]
    advance(campaign)
    args = {"encounter_id": "encounter-1", "actor_id": "post", "action_type": "grapple", "escape": True}
    freed = call(campaign, "execute_action", args, 14)["result"]
    assert (freed["check"]["dc"], freed["check"]["success"], freed["actor_conditions"]) == (14, True, [])


def test_resistance_to_nonmagical_attacks_asks_for_the_weapon(campaign: Campaign) -> None:
    begin(campaign, {"monster": "stone golem"}, {"monster": "wolf"}, {"monster": "planetar"})
    free = {"ignore_economy": True, "target_id": "stone-golem"}
    there = {"encounter_id": "encounter-1", "ignore_economy": True}
    call(campaign, "execute_action", {**there, "actor_id": "wolf", "move_to": {"x": 11, "y": 9}})
    call(campaign, "execute_action", {**there, "actor_id": "planetar", "move_to": {"x": 11, "y": 12}})
    bitten = act(campaign, "wolf", "Bite", 18, 18, 1, 1, 20, **free)
    assert (bitten["damage"]["adjusted"], bitten["damage"]["final"]) == ("immune", 0)
    struck = act(campaign, "planetar", "Greatsword", 15, *[1] * 9, **free)
    assert {part["adjusted"] for part in struck["damage"]["parts"]} == {"none"}


def test_undead_fortitude_keeps_up_but_for_radiant_damage(campaign: Campaign) -> None:
    begin(campaign, {"monster": "zombie", "max_hp": 8})
    args: Json = {"encounter_id": "encounter-1", "actor_id": "post", "action_type": "attack", "target_id": "zombie"}
    args |= {"damage_expression": "8", "damage_type": "slashing", "attack_bonus": 30, "ignore_economy": True}
    endured = call(campaign, "execute_action", args, 10, 10)
    assert endured["result"]["target_hp"]["after"] == 1
    assert endured["warnings"] == ["zombie, Undead Fortitude: save 13 against DC 13, stays at 1 hit point"]
    killed = call(campaign, "execute_action", {**args, "damage_type": "radiant"}, 10)
    assert killed["result"]["target_hp"]["after"] == 0


def test_a_troll_regenerates_from_0_and_dies_of_nothing_but_acid_and_fire(campaign: Campaign) -> None:
    begin(campaign, {"monster": "troll"})
    args: Json = {"encounter_id": "encounter-1", "actor_id": "post", "action_type": "attack", "target_id": "troll"}
    args |= {"damage_expression": "90", "damage_type": "slashing", "attack_bonus": 30, "ignore_economy": True}
    assert call(campaign, "execute_action", args, 10)["result"]["target_hp"]["after"] == 0
    advance(campaign)
    assert advance(campaign)["regenerated"] == [{"target_id": "troll", "trait": "Regeneration", "amount": 10, "hp": 10}]
    call(campaign, "execute_action", {**args, "damage_type": "fire"}, 10)
    advance(campaign)
    assert "regenerated" not in advance(campaign)
    assert person(campaign, "troll")["body"]["death_saves"]["dead"]


def test_legendary_resistance_turns_failures_into_successes_until_it_is_used_up(campaign: Campaign) -> None:
    begin(campaign, {"monster": "adult red dragon"})
    args: Json = {"encounter_id": "encounter-1", "actor_id": "post", "action_type": "cast_spell"}
    args |= {"spell_name": "Hold", "target_id": "adult-red-dragon", "save_ability": "wis", "save_dc": 30}
    args |= {"ignore_economy": True}
    made = [call(campaign, "execute_action", args, 2)["result"]["save"]["success"] for _ in range(4)]
    assert made == [True, True, True, False]


def test_legendary_actions_are_for_the_turns_of_others_and_come_back(campaign: Campaign) -> None:
    begin(campaign, {"monster": "adult red dragon"})
    wing = {"actor_id": "adult-red-dragon", "action": "Wing Attack"}
    assert "another's turn" in fails(campaign, wing)["detail"]
    advance(campaign)
    done = act(campaign, "adult-red-dragon", "Wing Attack", 2, 3, 1)
    assert (done["action_cost"], done["damage"]["final"], done["inflicted"]) == ("legendary", 13, ["prone"])
    assert person(campaign, "adult-red-dragon")["block_use"]["legendary"] == 2
    assert "in this turn" in fails(campaign, {**wing, "target_id": "post"})["detail"]
    advance(campaign)
    assert "block_use" not in person(campaign, "adult-red-dragon")


def test_pack_tactics_wants_a_friend_beside_the_target(campaign: Campaign) -> None:
    begin(campaign, {"monster": "wolf"})
    alone = act(campaign, "wolf", "Bite", 2)
    assert alone["attack"]["mode"] == "normal"


def test_a_fight_with_stat_blocks_goes_back_and_on(campaign: Campaign) -> None:
    begin(campaign, {"monster": "wolf"})
    before = campaign.state["encounters/encounter-1.json"]
    act(campaign, "wolf", "Bite", 15, 2, 2, 1)
    assert "prone" in [each["condition"] for each in person(campaign, "post")["body"]["conditions"]]
    campaign.undo()
    assert campaign.state["encounters/encounter-1.json"] == before


def test_who_is_felled_on_the_way_does_not_strike(campaign: Campaign) -> None:
    begin(campaign, {"monster": "ogre"}, {"monster": "goblin"}, post={"hp": 5, "max_hp": 50})
    advance(campaign)
    advance(campaign)
    args: Json = {"encounter_id": "encounter-1", "actor_id": "post", "action_type": "attack", "target_id": "goblin"}
    call(
        campaign,
        "execute_action",
        {"encounter_id": "encounter-1", "actor_id": "goblin", "ignore_economy": True} | {"move_to": {"x": 4, "y": 10}},
        1,
    )
    done = call(campaign, "execute_action", {**args, "move_to": {"x": 5, "y": 10}}, 15, 4, 4)
    assert done["result"]["opportunity_attacks"] == [{"attacker_id": "ogre", "result": "hit", "damage": 12}]
    assert "attack" not in done["result"]
    assert "goes, and does no more" in done["warnings"][-1]
    assert "action" not in person(campaign, "post").get("economy", {})
