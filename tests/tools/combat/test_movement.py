"""execute_action: moving, and the blows that moving provokes."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.builders import Json
from tests.sampling import tries
from tests.tools.conftest import HallWith
from tests.tools.hall import Hall, changed, ephemeral, fight, linked, sheeted

from turnwright.rulesets.fifth_edition.fights._movement import step_costs
from turnwright.rulesets.fifth_edition.space.grid.ground import Gait, Ground
from turnwright.rulesets.fifth_edition.space.grid.paths import find_path
from turnwright.rulesets.fifth_edition.space.grid.space import Body, Square

ACT = "execute_action"


def at(x: int, y: int, z: int = 0) -> Json:
    return {"x": x, "y": y, "z": z}


def move(hall: Hall, x: int, y: int, dice: tuple[int, ...] = (), z: int = 0, **args: Any) -> Json:
    given = {"encounter_id": "encounter-1", "actor_id": "aria", "move_to": at(x, y, z)} | args
    return hall.do(ACT, dice, **given)


def refused(hall: Hall, x: int, y: int, z: int = 0, **args: Any) -> Json:
    return hall.fail(ACT, **({"encounter_id": "encounter-1", "actor_id": "aria", "move_to": at(x, y, z)} | args))


def alone(hall_with: HallWith, *more: dict[str, Json], **fields: Any) -> Hall:
    return hall_with(*more, fight(linked("aria", 5, 5), linked("brom", 19, 19), **fields))


def test_a_plain_move_costs_five_feet_a_square_diagonals_too(hall_with: HallWith) -> None:
    hall = alone(hall_with)
    result = move(hall, 8, 7)
    assert result["movement"] == {"from": at(5, 5), "to": at(8, 7), "cost": 15, "remaining": 15}
    assert (result["action_type"], result["target"], result["action_cost"]) == (None, None, "movement")
    assert (result["opportunity_attacks"], result["economy"]["action"]) == ([], True)
    assert move(hall, 11, 7)["movement"]["remaining"] == 0
    assert refused(hall, 12, 7)["reason"] == "rule_violation"
    assert hall.encounter()["participants"][0]["position"] == at(11, 7)


def test_standing_still_costs_nothing(hall_with: HallWith) -> None:
    assert move(alone(hall_with), 5, 5)["movement"] == {"from": at(5, 5), "to": at(5, 5), "cost": 0, "remaining": 30}


def test_too_far_is_told_with_the_nearest_that_can_be_reached(hall_with: HallWith) -> None:
    told = refused(alone(hall_with), 12, 5)
    assert (told["reason"], told["hint"]["field"]) == ("rule_violation", "args.move_to")
    assert told["hint"]["choices"][0] == at(11, 5)


@pytest.mark.parametrize("kind", ["difficult_terrain", "water"])
def test_rough_ground_costs_double(hall_with: HallWith, kind: str) -> None:
    column = {kind: [f"6,{y}" for y in range(20)]}
    assert move(alone(hall_with, terrain=column), 7, 5)["movement"]["cost"] == 15


def test_walls_and_props_are_gone_around(hall_with: HallWith) -> None:
    crate = {"id": "prop-1", "name": "Crate", "type": "crate", "position": at(6, 6), "blocks_movement": True}
    hall = alone(hall_with, terrain={"obstacles": ["6,4", "6,5"]}, props=[crate])
    assert move(hall, 7, 5)["movement"]["cost"] == 30  # by 5,6 - 5,7 - 6,7 is no corner to cut
    assert hall.why(ACT, encounter_id="encounter-1", actor_id="aria", move_to=at(6, 5)) == "rule_violation"


def test_the_way_may_be_closed_altogether(hall_with: HallWith) -> None:
    told = refused(alone(hall_with, terrain={"obstacles": [f"7,{y}" for y in range(20)]}), 8, 5)
    assert (told["reason"], told["hint"]["choices"][0]) == ("rule_violation", at(6, 5))


@pytest.mark.parametrize(("x", "y"), [(20, 5), (5, 20), (-1, 5)])
def test_off_the_grid_is_no_goal(hall_with: HallWith, x: int, y: int) -> None:
    assert refused(alone(hall_with), x, y)["reason"] == "invalid_args"


def test_two_do_not_stand_on_one_square(hall_with: HallWith) -> None:
    hall = hall_with(fight(linked("aria", 5, 5), linked("brom", 7, 5)))
    told = refused(hall, 7, 5)
    assert (told["reason"], told["detail"]) == ("conflict", "brom stands on 7,5")
    assert told["hint"]["choices"]
    assert move(hall, 7, 5, z=1)["movement"]["cost"] == 20


def test_a_friend_is_crossed_as_rough_ground_and_an_enemy_not_at_all(hall_with: HallWith) -> None:
    corridor = {"width": 20, "height": 5, "obstacles": [f"{x},{y}" for x in range(20) for y in (0, 1, 3, 4)]}
    friend = hall_with(fight(linked("aria", 5, 2), linked("brom", 6, 2), terrain=corridor))
    assert move(friend, 7, 2)["movement"]["cost"] == 15
    enemy = hall_with(fight(linked("aria", 5, 2), ephemeral("g1", 6, 2), terrain=corridor))
    assert refused(enemy, 7, 2)["reason"] == "rule_violation"


@pytest.mark.parametrize(
    ("body", "passes", "cost"),
    [
        ({"sheet": {"size": "tiny"}}, True, 15),
        ({"sheet": {"size": "small"}}, False, 0),
        ({"hp": 0, "max_hp": 5, "character_state": "dying"}, True, 15),
        ({"hp": 0, "max_hp": 5, "character_state": "dead"}, True, 10),
    ],
)
def test_an_enemy_of_another_size_or_down_is_crossed_and_the_dead_hinder_nobody(
    hall_with: HallWith, body: Json, passes: bool, cost: int
) -> None:
    corridor = {"width": 20, "height": 5, "obstacles": [f"{x},{y}" for x in range(20) for y in (0, 1, 3, 4)]}
    stunned = {"conditions": [{"condition": "incapacitated"}]}  # so that it does not strike
    foe = ephemeral("g1", 6, 2)
    foe["body"] |= stunned | body
    hall = hall_with(fight(linked("aria", 5, 2), foe, terrain=corridor))
    if passes:
        assert move(hall, 7, 2)["movement"]["cost"] == cost
    else:
        assert refused(hall, 7, 2)["reason"] == "rule_violation"


def test_a_large_body_needs_room_for_all_of_it(hall_with: HallWith) -> None:
    terrain = {"obstacles": ["8,6"]}
    hall = hall_with(fight(linked("ogg", 5, 5, is_enemy=True), linked("aria", 15, 15), terrain=terrain))
    assert refused(hall, 7, 5, actor_id="ogg")["reason"] == "rule_violation"
    assert refused(hall, 19, 5, actor_id="ogg")["reason"] == "invalid_args"
    assert move(hall, 8, 4, actor_id="ogg")["movement"]["cost"] == 15


# speed, prone, height


@pytest.mark.parametrize("name", ["grappled", "restrained", "paralyzed"])
def test_who_is_held_goes_nowhere(hall_with: HallWith, name: str) -> None:
    told = refused(alone(hall_with, changed("aria", conditions=[{"condition": name}])), 6, 5)
    assert told["reason"] == "rule_violation"
    assert name in told["detail"]


def test_no_speed_is_no_movement_even_after_a_dash(hall_with: HallWith) -> None:
    hall = alone(hall_with, changed("aria", conditions=[{"condition": "grappled"}]))
    result = hall.do(ACT, (), encounter_id="encounter-1", actor_id="aria", action_type="dash")
    assert result["economy"]["movement"] == 0


def test_a_speed_of_0_is_0(hall_with: HallWith) -> None:
    hall = hall_with(fight(linked("aria", 5, 5, overrides={"speed": 0})))
    assert refused(hall, 6, 5)["reason"] == "rule_violation"


def test_crawling_costs_five_feet_more_a_square(hall_with: HallWith) -> None:
    prone = changed("aria", conditions=[{"condition": "prone"}])
    rough = {"difficult_terrain": [f"7,{y}" for y in range(20)]}
    hall = alone(hall_with, prone, terrain=rough)
    assert move(hall, 6, 5)["movement"]["cost"] == 10
    assert move(hall, 7, 5)["movement"]["cost"] == 15
    assert hall.person("aria")["conditions"] == [{"condition": "prone"}]


def test_standing_up_costs_half_the_speed(hall_with: HallWith) -> None:
    prone = changed("aria", conditions=[{"condition": "prone"}])
    hall = alone(hall_with, prone)
    told = refused(hall, 9, 5, stand_up=True)
    assert told["reason"] == "rule_violation"
    result = move(hall, 8, 5, stand_up=True)
    assert result["movement"] == {"from": at(5, 5), "to": at(8, 5), "cost": 30, "remaining": 0}
    assert "conditions" not in hall.person("aria")


def test_somebody_may_stand_up_and_stay(hall_with: HallWith) -> None:
    hall = alone(hall_with, changed("aria", conditions=[{"condition": "prone"}]))
    result = hall.do(ACT, (), encounter_id="encounter-1", actor_id="aria", stand_up=True)
    assert result["movement"] == {"from": at(5, 5), "to": at(5, 5), "cost": 15, "remaining": 15}
    told = hall.fail(ACT, encounter_id="encounter-1", actor_id="aria", stand_up=True)
    assert (told["reason"], told["hint"]) == ("rule_violation", {"field": "args.stand_up", "remove": True})


@pytest.mark.parametrize(("more", "cost"), [({}, 25), ({"fly_speed": 60}, 15), ({"climb_speed": 30}, 15)])
def test_height_costs_ten_feet_a_square_or_five(hall_with: HallWith, more: Json, cost: int) -> None:
    assert move(alone(hall_with, sheeted("aria", more)), 6, 5, z=2)["movement"]["cost"] == cost


def test_who_flies_goes_over_the_heads_of_others(hall_with: HallWith) -> None:
    corridor = {"width": 20, "height": 5, "obstacles": [f"{x},{y}" for x in range(20) for y in (0, 1, 3, 4)]}
    stunned = {"conditions": [{"condition": "incapacitated"}]}
    foe = ephemeral("g1", 6, 2) | {"body": ephemeral("g1", 6, 2)["body"] | stunned}
    hall = hall_with(sheeted("aria", {"fly_speed": 60}), fight(linked("aria", 5, 2), foe, terrain=corridor))
    assert refused(hall, 7, 2)["reason"] == "rule_violation"
    assert move(hall, 7, 2, z=1)["movement"]["cost"] == 15


def test_fear_keeps_away_from_its_source(hall_with: HallWith) -> None:
    afraid = changed("aria", conditions=[{"condition": "frightened", "source": "Ogg"}])
    hall = hall_with(afraid, fight(linked("aria", 5, 5), linked("ogg", 9, 5, is_enemy=True)))
    assert refused(hall, 6, 5)["reason"] == "rule_violation"
    assert move(hall, 4, 5)["movement"]["cost"] == 5
    assert refused(hall, 5, 5)["reason"] == "rule_violation"


def test_moving_after_an_action_and_after_a_dash(hall_with: HallWith) -> None:
    hall = alone(hall_with)
    result = move(hall, 16, 5, action_type="dash")
    assert (result["movement"]["cost"], result["movement"]["remaining"]) == (55, 5)
    assert result["action_cost"] == "action"


HURTS_HERSELF = {"action_type": "cast_spell", "spell_name": "Fireball", "target_id": "cyra", "save_ability": "dex"}


@pytest.mark.parametrize(("damage", "why"), [("35", "cyra is at 0 hit points"), ("64", "cyra is dead")])
@pytest.mark.parametrize("referee", [{}, {"ignore_economy": True}])
def test_who_is_felled_by_an_action_of_their_own_stays(
    hall_with: HallWith, damage: str, why: str, referee: Json
) -> None:
    hall = hall_with(fight(linked("cyra", 5, 5)))
    asked = HURTS_HERSELF | referee | {"save_dc": 99, "damage_expression": damage}
    action = hall.action(ACT, (1,), encounter_id="encounter-1", actor_id="cyra", move_to=at(1, 5), **asked)
    assert action["result"]["target_hp"]["after"] == 0
    assert "movement" not in action["result"]
    assert action["warnings"] == [f"cyra stays: {why}"]
    assert hall.encounter()["participants"][0]["position"] == at(5, 5)


def test_who_was_down_before_moves_where_the_referee_wants(hall_with: HallWith) -> None:
    hall = hall_with(changed("aria", conditions=[{"condition": "stunned"}]), fight(linked("aria", 5, 5)))
    result = move(hall, 4, 5, action_type="search", dc=10, dice=(5,), ignore_economy=True)
    assert result["movement"]["to"] == at(4, 5)


def test_speed_that_an_action_takes_away_is_gone_before_the_move(hall_with: HallWith) -> None:
    haste = {"effect_id": "effect-1", "name": "Haste", "speed_modifier": 30}
    haste |= {"duration": "concentration", "source": "cyra"}
    hall = hall_with(
        changed("cyra", concentration={"spell_name": "Haste"}, effects=[haste]), fight(linked("cyra", 5, 5))
    )
    asked: Json = {"action_type": "cast_spell", "spell_name": "Fly", "spell_slot": 3, "concentration": True}
    action = hall.action(ACT, (), encounter_id="encounter-1", actor_id="cyra", move_to=at(17, 5), **asked)
    assert action["warnings"] == [
        "cyra no longer concentrates on Haste",
        "cyra stays: moving there costs 60 feet, and cyra has 30 left",
    ]
    assert hall.encounter()["participants"][0]["position"] == at(5, 5)


# opportunity attacks: Grik has 1 + STR 8 (-1) with bare hands, +1 to hit


def beside(hall_with: HallWith, *more: dict[str, Json], grik: Json | None = None, **aria: Any) -> Hall:
    foe = linked("grik", 6, 5, is_enemy=True, strike={"attack_bonus": 4, "damage": "1d6+2"}, **(grik or {}))
    return hall_with(*more, fight(linked("aria", 5, 5, **aria), foe))


def test_who_leaves_the_reach_of_an_enemy_is_struck_at_once(hall_with: HallWith) -> None:
    hall = beside(hall_with)
    result = move(hall, 3, 5, (13, 5))
    assert result["opportunity_attacks"] == [{"attacker_id": "grik", "result": "hit", "damage": 7}]
    assert hall.person("aria")["hp"] == 37
    assert hall.encounter()["participants"][1]["economy"] == {"reaction": True}
    assert move(hall, 5, 5)["opportunity_attacks"] == []
    assert move(hall, 3, 5)["opportunity_attacks"] == []


def test_who_stays_in_reach_or_comes_near_provokes_nothing(hall_with: HallWith) -> None:
    assert move(beside(hall_with), 5, 4)["opportunity_attacks"] == []
    assert move(beside(hall_with), 7, 4)["opportunity_attacks"] == []


def test_any_move_provokes_also_after_an_action(hall_with: HallWith) -> None:
    result = move(beside(hall_with), 3, 5, (1,), action_type="use_object", item_name="the lever")
    assert result["opportunity_attacks"] == [{"attacker_id": "grik", "result": "critical_miss", "damage": 0}]


def test_a_dodge_before_the_move_helps_against_the_blow(hall_with: HallWith) -> None:
    result = move(beside(hall_with), 3, 5, (20, 2), action_type="dodge")
    assert result["opportunity_attacks"] == [{"attacker_id": "grik", "result": "miss", "damage": 0}]


@pytest.mark.parametrize(
    "grik",
    [{"surprised": True}, {"economy": {"reaction": True}}, {"is_enemy": False}],
)
def test_who_cannot_react_or_is_no_enemy_does_not_strike(hall_with: HallWith, grik: Json) -> None:
    foe = linked("grik", 6, 5, **({"is_enemy": True} | grik))
    assert move(hall_with(fight(linked("aria", 5, 5), foe)), 3, 5)["opportunity_attacks"] == []


@pytest.mark.parametrize(
    "changes",
    [
        {"conditions": [{"condition": "incapacitated"}]},
        {"conditions": [{"condition": "blinded"}]},
        {"conditions": [{"condition": "charmed", "source": "aria"}]},
        {"hp": 0, "character_state": "dying"},
    ],
)
def test_the_helpless_the_blind_the_charmed_and_the_fallen_do_not_strike(hall_with: HallWith, changes: Json) -> None:
    assert move(beside(hall_with, changed("grik", **changes)), 3, 5)["opportunity_attacks"] == []


def test_who_is_not_seen_is_not_struck(hall_with: HallWith) -> None:
    assert (
        move(beside(hall_with, changed("aria", conditions=[{"condition": "invisible"}])), 3, 5)["opportunity_attacks"]
        == []
    )
    assert move(beside(hall_with, hidden=True), 3, 5)["opportunity_attacks"] == []


def test_who_disengages_is_not_struck(hall_with: HallWith) -> None:
    hall = beside(hall_with)
    assert move(hall, 4, 5, action_type="disengage")["opportunity_attacks"] == []
    assert move(hall, 2, 5)["opportunity_attacks"] == []


def test_disengaging_lasts_for_the_rest_of_the_turn_and_not_into_anothers(hall_with: HallWith) -> None:
    hall = beside(hall_with)
    act: Json = {"encounter_id": "encounter-1", "actor_id": "aria"}
    hall.do(ACT, (), **act, action_type="disengage", action_cost="bonus_action")
    hall.do(ACT, (), **act, action_type="ready", trigger="it comes", readied_action="step back")
    hall.do("advance_turn", encounter_id="encounter-1")
    struck = move(hall, 3, 5, (1,), action_cost="reaction")["opportunity_attacks"]
    assert [blow["attacker_id"] for blow in struck] == ["grik"]


def test_who_drops_stops_where_the_blow_fell(hall_with: HallWith) -> None:
    hall = beside(hall_with, changed("aria", hp=5))
    result = move(hall, 1, 5, (19, 4))
    assert result["movement"] == {"from": at(5, 5), "to": at(5, 5), "cost": 0, "remaining": 0}
    assert hall.person("aria")["character_state"] == "dying"


def test_the_way_until_the_blow_is_paid_for(hall_with: HallWith) -> None:
    hall = hall_with(
        changed("aria", hp=5),
        fight(linked("aria", 5, 5), ephemeral("g1", 3, 4), terrain={"width": 20, "height": 6}),
    )
    result = move(hall, 0, 5, (19, 4))
    assert (result["movement"]["to"], result["movement"]["cost"]) == (at(2, 3), 15)


def test_several_strike_in_the_order_of_their_turns_step_by_step(hall_with: HallWith) -> None:
    hall = hall_with(
        fight(
            linked("aria", 5, 5),
            ephemeral("g3", 3, 4),
            ephemeral("g2", 6, 6),
            ephemeral("g1", 6, 4),
            terrain={"width": 20, "height": 10},
        )
    )
    asked = {"encounter_id": "encounter-1", "combatant_id": "aria", "to_position": {"x": 0, "y": 5}}
    foreseen = hall.do("calculate_movement", **asked)["opportunity_attacks_from"]
    result = move(hall, 0, 5, (2, 2, 2))
    assert [blow["attacker_id"] for blow in result["opportunity_attacks"]] == foreseen == ["g2", "g1", "g3"]


def test_a_long_arm_strikes_later_and_never_with_a_bow(hall_with: HallWith) -> None:
    long = ephemeral("g1", 6, 5) | {"strike": {"reach": 10}}
    result = move(hall_with(fight(linked("aria", 5, 5), long)), 4, 5)
    assert result["opportunity_attacks"] == []
    result = move(hall_with(fight(linked("aria", 5, 5), long)), 3, 5, (2,))
    assert len(result["opportunity_attacks"]) == 1
    bow = {"id": "i1", "name": "Shortbow", "type": "weapon", "weapon_stats": {"damage": "1d6", "range": 80}}
    archer = changed("grik", inventory=[bow], equipped={"mainhand": "i1"})
    hall = hall_with(archer, fight(linked("aria", 5, 5), linked("grik", 6, 5, is_enemy=True)))
    result = move(hall, 3, 5, (19,))
    assert result["opportunity_attacks"] == [{"attacker_id": "grik", "result": "hit", "damage": 0}]


def test_going_up_leaves_the_reach_too(hall_with: HallWith) -> None:
    result = move(beside(hall_with), 5, 5, (2,), z=2)
    assert len(result["opportunity_attacks"]) == 1


def test_blows_on_the_way_break_concentration_last_of_all(hall_with: HallWith) -> None:
    hall = beside(hall_with, changed("aria", concentration={"spell_name": "Hex"}))
    result = move(hall, 3, 5, (13, 5, 1))
    assert (result["concentration_check"]["target_id"], result["concentration_check"]["broken"]) == ("aria", True)


# readied moves


def test_a_readied_move_takes_the_reaction_and_no_movement(hall_with: HallWith) -> None:
    hall = hall_with(fight(linked("brom", 19, 19), linked("aria", 5, 5)))
    assert refused(hall, 6, 5, action_cost="reaction")["reason"] == "rule_violation"
    readied = {"trigger": "the door opens", "action": "go there"}
    hall = hall_with(fight(linked("brom", 19, 19), linked("aria", 5, 5, readied=readied)))
    result = move(hall, 9, 5, action_cost="reaction")
    assert (result["movement"]["cost"], result["economy"]["reaction"], result["economy"]["movement"]) == (20, False, 30)
    assert "readied" not in hall.encounter()["participants"][1]


# dragging


def holding(hall_with: HallWith, *more: dict[str, Json], size: str = "medium") -> Hall:
    held = ephemeral("g1", 6, 5, conditions=[{"condition": "grappled", "source": "aria"}], sheet={"size": size})
    return hall_with(*more, fight(linked("aria", 5, 5), held))


@pytest.mark.parametrize(("size", "cost"), [("medium", 20), ("small", 20), ("tiny", 10)])
def test_dragging_costs_double_unless_the_victim_is_two_sizes_smaller(
    hall_with: HallWith, size: str, cost: int
) -> None:
    hall = holding(hall_with, size=size)
    result = move(hall, 3, 5, drag=True)
    assert (result["movement"]["cost"], result["opportunity_attacks"]) == (cost, [])  # it comes along
    victim = hall.encounter()["participants"][1]
    assert victim["position"] == at(4, 5)
    assert victim["body"]["conditions"][0]["condition"] == "grappled"
    assert "freed" not in result


def test_leaving_whom_one_holds_lets_go(hall_with: HallWith) -> None:
    hall = holding(hall_with)
    result = move(hall, 3, 5, action_type="disengage")
    assert result["freed"] == ["g1"]
    assert "conditions" not in hall.encounter()["participants"][1]["body"]


def test_nobody_is_dragged_who_is_not_held(hall_with: HallWith) -> None:
    told = refused(alone(hall_with), 6, 5, drag=True)
    assert (told["reason"], told["hint"]) == ("rule_violation", {"field": "args.drag", "got": True})


def test_dragging_wants_to_go_somewhere(hall_with: HallWith) -> None:
    told = holding(hall_with).fail(ACT, encounter_id="encounter-1", actor_id="aria", action_type="dodge", drag=True)
    assert (told["reason"], told["hint"]) == ("invalid_args", {"field": "args.move_to", "add": True})


# properties


@settings(max_examples=tries(40), deadline=None)
@given(
    rough=st.sets(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=40),
    walls=st.sets(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=15),
    goal=st.tuples(st.integers(0, 9), st.integers(0, 9)),
    surcharge=st.sampled_from([0, 5]),
    factor=st.sampled_from([1, 2]),
)
def test_the_steps_of_a_way_cost_together_what_the_way_costs(
    rough: set[tuple[int, int]], walls: set[tuple[int, int]], goal: tuple[int, int], surcharge: int, factor: int
) -> None:
    ground = Ground(10, 10, frozenset(walls - {(0, 0)}), frozenset(rough))
    body, gait = Body(Square(0, 0)), Gait(surcharge=surcharge, factor=factor)
    path = find_path(ground, body, goal, gait)
    if path is not None:
        assert sum(step_costs(ground, body, path.squares, gait)) == path.cost_feet


@settings(max_examples=tries(15), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=4))
def test_no_turn_moves_farther_than_the_speed(hall_with: HallWith, goals: list[tuple[int, int]]) -> None:
    hall = hall_with(fight(linked("aria", 5, 5), linked("brom", 3, 3), terrain={"width": 10, "height": 10}))
    for x, y in goals:
        hall.campaign.process(
            {
                "tool_calls": [
                    {
                        "id": "m",
                        "tool": ACT,
                        "args": {"encounter_id": "encounter-1", "actor_id": "aria", "move_to": at(x, y)},
                    }
                ]
            }
        )
        aria, brom = hall.encounter()["participants"]
        assert aria.get("economy", {}).get("movement", 0) <= 30
        assert aria["position"] != brom["position"]
