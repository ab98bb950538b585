"""Actions and traits of stat blocks in a fight, with dice that are given."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.builders import Json, clock
from tests.tools.blocks import POST, act, advance, begin, call, fails, person, reply_to

from turnwright import Campaign, Viewer
from turnwright.content.registry import built_in


@pytest.fixture(name="campaign")
def fixture_campaign(tmp_path: Path) -> Iterator[Campaign]:
    with Campaign.new(tmp_path / "c", template="toolkit", seed="blocks", clock=clock) as campaign:
        yield campaign


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


def test_forced_moves_go_away_or_near_as_far_as_there_is_room(campaign: Campaign) -> None:
    begin(campaign, {"monster": "adult bronze dragon"}, {"monster": "balor", "positions": [{"x": 16, "y": 3}]})
    free = {"ignore_economy": True}
    act(campaign, "adult-bronze-dragon", "Repulsion Breath", 1, **free)
    far = person(campaign, "post")["position"]
    assert far["x"] == 0
    there = {"x": far["x"], "y": far["y"] + 5}
    args: Json = {"encounter_id": "encounter-1", "actor_id": "balor", "move_to": {**there, "z": 0}, **free}
    call(campaign, "execute_action", args)
    act(campaign, "balor", "Whip", 15, *[1] * 6, 1, **free)
    assert person(campaign, "post")["position"] == {"x": far["x"], "y": there["y"] - 1, "z": 0}


def test_a_charge_adds_its_damage_and_its_save_after_a_straight_run(campaign: Campaign) -> None:
    begin(campaign, {"monster": "boar", "positions": [{"x": 16, "y": 10}]})
    done = act(campaign, "boar", "Tusk", 15, 2, 3, 1, move_to={"x": 11, "y": 10})
    assert done["move_when"] == "before"
    assert [part["final"] for part in done["damage"]["parts"]] == [3, 3]
    assert done["inflicted"] == ["prone"]
    advance(campaign)
    advance(campaign)
    again = act(campaign, "boar", "Tusk", 15, 15, 2)
    assert (again["damage"]["final"], "save" in again) == (3, False)


def test_extra_damage_comes_once_a_turn_where_a_friend_is_near(campaign: Campaign) -> None:
    begin(campaign, {"monster": "hobgoblin"}, {"monster": "wolf"})
    advance(campaign)
    done = act(campaign, "hobgoblin", "Longsword", 15, 1, 2, 2, ignore_economy=True)
    assert done["damage"]["raw"] == 6
    assert act(campaign, "hobgoblin", "Longsword", 15, 1, ignore_economy=True)["damage"]["raw"] == 2


def test_a_parry_turns_a_hit_into_a_miss_and_takes_the_reaction(campaign: Campaign) -> None:
    begin(campaign, {"monster": "knight"})
    args: Json = {"encounter_id": "encounter-1", "actor_id": "post", "action_type": "attack", "target_id": "knight"}
    args |= {"attack_bonus": 5, "damage_expression": "1", "ignore_economy": True}
    parried = call(campaign, "execute_action", args, 14)["result"]["attack"]
    assert (parried["result"], parried["target_ac"], parried["parry"]) == ("miss", 20, 2)
    assert call(campaign, "execute_action", args, 14)["result"]["attack"]["result"] == "hit"


def test_fire_answers_a_blow_and_a_death_bursts(campaign: Campaign) -> None:
    begin(campaign, {"monster": "azer"}, {"monster": "ice mephit"})
    args: Json = {"encounter_id": "encounter-1", "actor_id": "post", "action_type": "attack", "target_id": "azer"}
    args |= {"attack_bonus": 9, "damage_expression": "1", "ignore_economy": True}
    burnt = call(campaign, "execute_action", args, 14, 7)["result"]["traits"]
    assert [(row["source_id"], row["target_id"], row["damage"]["final"]) for row in burnt] == [("azer", "post", 7)]
    killed = call(
        campaign,
        "execute_action",
        {**args, "target_id": "ice-mephit", "damage_expression": "21", "damage_type": "force"},
        *(14, 6, 1),
    )["result"]
    assert [(row["action"], row["target_id"], row["damage"]["final"]) for row in killed["traits"]] == [
        ("Death Burst", "post", 6)
    ]


def test_an_aura_acts_on_who_begins_a_turn_in_it(campaign: Campaign) -> None:
    begin(campaign, {"monster": "ghast"})
    row = advance(campaign, 2)["traits"][0]
    assert (row["source_id"], row["action"], row["save"]["success"], row["inflicted"]) == (
        *("ghast", "Stench", False),
        ["poisoned"],
    )
    advance(campaign)
    assert advance(campaign, 20)["traits"][0]["save"]["success"]
    advance(campaign)
    assert "traits" not in advance(campaign)


def test_a_swarm_shares_its_space_is_weaker_at_half_and_cannot_be_healed(campaign: Campaign) -> None:
    begin(campaign, {"monster": "swarm of rats"})
    done = act(campaign, "swarm-of-rats", "Bites", 15, 3, 3, move_to={"x": 10, "y": 10})
    assert done["damage"]["expression"] == "2d6"
    args: Json = {"encounter_id": "encounter-1", "actor_id": "post", "action_type": "attack", "ignore_economy": True}
    args |= {"attack_bonus": 9, "damage_expression": "13", "damage_type": "force", "target_id": "swarm-of-rats"}
    call(campaign, "execute_action", args, 14)
    weak = act(campaign, "swarm-of-rats", "Bites", 15, 3, ignore_economy=True)
    assert weak["damage"]["expression"] == "1d6"


def test_nobody_strikes_at_what_flies_by(campaign: Campaign) -> None:
    begin(campaign, {"monster": "owl"})
    args: Json = {"encounter_id": "encounter-1", "actor_id": "owl", "move_to": {"x": 15, "y": 10}}
    assert call(campaign, "execute_action", args)["result"]["opportunity_attacks"] == []


@pytest.mark.parametrize(
    ("more", "final"),
    [({}, 0), ({"weapon_is": ["silvered"]}, 6), ({"weapon_is": ["adamantine"]}, 0), ({"weapon_is": ["magical"]}, 6)],
)
def test_a_call_says_what_the_weapon_is(campaign: Campaign, more: Json, final: int) -> None:
    begin(campaign, {"monster": "werewolf, hybrid form"})
    wolf = next(each for each in campaign.state["encounters/encounter-1.json"]["participants"] if each["id"] != "post")
    args: Json = {"encounter_id": "encounter-1", "actor_id": "post", "action_type": "attack", "target_id": wolf["id"]}
    args |= {"attack_bonus": 20, "damage_expression": "6", "damage_type": "slashing", "ignore_economy": True}
    assert call(campaign, "execute_action", {**args, **more}, 10)["result"]["damage"]["final"] == final


def test_an_item_says_what_the_weapon_is(campaign: Campaign) -> None:
    hero = call(campaign, "create_character", {"name": "Ada", "class": "Fighter"})["result"]["character_id"]
    item = {"name": "Moon Blade", "type": "weapon", "weapon_stats": {"damage": "1d8", "damage_type": "slashing"}}
    for name, more in (
        ("Plain Blade", {}),
        ("Moon Blade", {"rarity": "rare"}),
        ("Silver", {"properties": ["silvered"]}),
    ):
        call(
            campaign,
            "manage_inventory",
            {"operation": "give", "character_id": hero, "item": {**item, **more, "name": name}},
        )
    square = {"character_id": hero, "position": {"x": 10, "y": 10}, "attack_bonus": 30}
    begun: Json = {"participants": [square], "monsters": [{"monster": "gargoyle", "positions": [{"x": 11, "y": 10}]}]}
    call(campaign, "create_encounter", begun, 20, 1)
    found = []
    for name in ("Plain Blade", "Moon Blade", "Silver"):
        call(campaign, "manage_inventory", {"operation": "equip", "character_id": hero, "item_name": name})
        args: Json = {"encounter_id": "encounter-1", "actor_id": hero, "action_type": "attack", "target_id": "gargoyle"}
        found.append(call(campaign, "execute_action", {**args, "ignore_economy": True}, 10, 8)["result"]["damage"])
    assert [each["adjusted"] for each in found] == ["resisted", "none", "resisted"]


def test_casters_with_slots_cast_with_the_figures_of_their_blocks(campaign: Campaign) -> None:
    blocks = [row.id for row in built_in("srd-5.1").rows() if row.kind == "monsters"]
    found = (built_in("srd-5.1").entry("monsters", each) for each in blocks)
    cast = 0
    for value in (each.value for each in found if each is not None):
        casting: Json = next((each["spellcasting"] for each in value.get("traits", ()) if "spellcasting" in each), {})
        if not casting.get("slots"):
            continue
        cast += 1
        wanted = {"monster": f"monsters/{value['id']}", "positions": [{"x": 11, "y": 10}]}
        begun = call(campaign, "create_encounter", {"participants": [POST], "monsters": [wanted]})["result"]
        caster = begun["monsters"][0]["ids"][0]
        people = campaign.state[f"encounters/{begun['encounter_id']}.json"]["participants"]
        sheet = next(each for each in people if each["id"] == caster)["body"]["sheet"]
        assert {level: pool["max"] for level, pool in sheet["spell_slots"].items()} == casting["slots"]
        highest = max(map(int, casting["slots"]))
        args: Json = {"encounter_id": begun["encounter_id"], "caster_id": caster, "target_ids": ["post"]}
        args |= {"spell": "hold person" if highest > 1 else "inflict wounds", "slot": highest, "ignore_economy": True}
        done = call(campaign, "cast_spell", args)["result"]
        row = (done.get("targets") or [done])[0]
        dc, bonus = row.get("save", {}).get("dc"), row.get("attack", {}).get("bonus")
        assert (dc or casting["dc"], bonus or casting["attack"]) == (casting["dc"], casting["attack"]), value["id"]
        call(campaign, "end_encounter", {"encounter_id": begun["encounter_id"], "outcome": "other"})
    assert cast == 12


def test_players_see_nothing_of_what_traits_of_others_count(campaign: Campaign) -> None:
    hero = call(campaign, "create_character", {"name": "Ada", "class": "Fighter"})["result"]["character_id"]
    call(campaign, "manage_party", {"operation": "add", "character_id": hero})
    square = {"character_id": hero, "position": {"x": 10, "y": 10}, "attack_bonus": 30}
    begun: Json = {
        "participants": [square],
        "monsters": [
            {"monster": "ice mephit", "positions": [{"x": 11, "y": 10}]},
            {"monster": "ogre", "positions": [{"x": 12, "y": 10}]},
        ],
    }
    call(campaign, "create_encounter", begun, 20, 1, 2)
    args: Json = {"encounter_id": "encounter-1", "actor_id": hero, "action_type": "attack", "target_id": "ice-mephit"}
    args |= {"damage_expression": "30", "damage_type": "force", "ignore_economy": True}
    reply = reply_to(campaign, "execute_action", args, 10, 4, 1, 1)
    assert [row["target_id"] for row in reply["applied_actions"][0]["result"]["traits"]] == [hero, "ogre"]
    seen = campaign.project(reply, Viewer.player(hero))
    assert "Death Burst" not in str(seen)
