"""execute_action: what a turn allows, and who may act at all."""

from __future__ import annotations

from typing import Any

import pytest
from tests.builders import Json
from tests.tools.conftest import HallWith
from tests.tools.hall import Hall, changed, ephemeral, fight, linked

ACT = "execute_action"
FULL = {"action": True, "bonus_action": True, "reaction": True, "free_object": True, "movement": 30, "attacks": 1}


def begun(hall_with: HallWith, *more: dict[str, Json], **aria: Any) -> Hall:
    return hall_with(*more, fight(linked("aria", 5, 5, **aria), linked("grik", 6, 5, is_enemy=True)))


def act(hall: Hall, action_type: str, dice: tuple[int, ...] = (), **args: Any) -> Json:
    return hall.do(
        ACT, dice, **({"encounter_id": "encounter-1", "actor_id": "aria", "action_type": action_type} | args)
    )


def refused(hall: Hall, action_type: str, **args: Any) -> Json:
    given = {"encounter_id": "encounter-1", "actor_id": "aria", "action_type": action_type} | args
    return hall.fail(ACT, **given)


def strike(hall: Hall, die: int = 1, **args: Any) -> Json:
    return act(hall, "attack", (die,), target_id="grik", **args)


def test_each_cost_can_be_spent_once_a_turn(hall_with: HallWith) -> None:
    hall = begun(hall_with)
    assert act(hall, "dodge")["economy"] == FULL | {"action": False, "attacks": 0}
    for again in ("dodge", "attack", "dash"):
        told = refused(hall, again, **({"target_id": "grik"} if again == "attack" else {}))
        assert (told["reason"], told["detail"]) == ("rule_violation", "the action of aria has been spent")
    assert act(hall, "hide", (10,), action_cost="bonus_action", dc=10)["economy"]["bonus_action"] is False
    assert refused(hall, "dash", action_cost="bonus_action")["reason"] == "rule_violation"
    blow = act(hall, "attack", (1, 1), target_id="grik", action_cost="reaction")  # it hid, so it has advantage
    assert blow["economy"]["reaction"] is False
    assert refused(hall, "attack", target_id="grik", action_cost="reaction")["reason"] == "rule_violation"


@pytest.mark.parametrize("action_type", ["dash", "disengage", "dodge", "hide"])
def test_an_action_that_was_not_readied_cannot_be_a_reaction(hall_with: HallWith, action_type: str) -> None:
    told = refused(begun(hall_with), action_type, action_cost="reaction")
    assert told["reason"] == "rule_violation"
    assert told["hint"] == {"field": "args.action_cost", "got": "reaction", "choices": ["action"]}


@pytest.mark.parametrize("action_type", ["attack", "grapple", "shove", "help"])
def test_what_a_call_lacks_is_told_before_what_the_turn_forbids(hall_with: HallWith, action_type: str) -> None:
    hall = begun(hall_with)
    act(hall, "dodge")
    told = refused(hall, action_type)
    assert (told["reason"], told["hint"]["field"]) == ("invalid_args", "args.target_id")


def test_dashing_again_at_another_cost_adds_again(hall_with: HallWith) -> None:
    hall = begun(hall_with)
    assert act(hall, "dash")["economy"]["movement"] == 60
    assert act(hall, "dash", action_cost="bonus_action")["economy"]["movement"] == 90


def test_one_attack_action_holds_as_many_attacks_as_the_participant_has(hall_with: HallWith) -> None:
    hall = begun(hall_with, strike={"attacks": 3})
    assert strike(hall)["economy"] == FULL | {"action": False, "attacks": 2}
    act(hall, "shove", (1, 20), target_id="grik")
    act(hall, "grapple", (1, 20), target_id="grik")
    told = refused(hall, "attack", target_id="grik")
    assert (told["reason"], told["detail"]) == ("rule_violation", "the attacks of aria have been spent")


def test_what_is_no_attack_does_not_fit_into_an_attack_action(hall_with: HallWith) -> None:
    hall = begun(hall_with, strike={"attacks": 3})
    strike(hall)
    assert refused(hall, "dodge")["reason"] == "rule_violation"
    assert refused(hall, "grapple", escape=True)["reason"] == "rule_violation"


def test_breaking_free_takes_the_whole_action(hall_with: HallWith) -> None:
    held = changed("aria", conditions=[{"condition": "grappled", "source": "grik"}])
    hall = begun(hall_with, held, strike={"attacks": 3})
    act(hall, "grapple", (1, 20), escape=True)
    assert refused(hall, "attack", target_id="grik")["reason"] == "rule_violation"


# two weapons


def armed(*weapons: tuple[str, list[str]]) -> dict[str, Json]:
    inventory = [
        {
            "id": f"i{number}",
            "name": name,
            "type": "weapon",
            "weapon_stats": {"damage": "1d4", "damage_type": "piercing", "properties": properties},
        }
        for number, (name, properties) in enumerate(weapons)
    ]
    slots = dict(zip(("mainhand", "offhand"), (item["id"] for item in inventory), strict=False))
    return changed("aria", inventory=inventory, equipped=slots)


def test_the_second_light_weapon_strikes_as_a_bonus_action_without_the_ability(hall_with: HallWith) -> None:
    hall = begun(hall_with, armed(("Dagger", ["Light", "finesse", "thrown (20/60)"]), ("Sickle", ["light"])))
    first = act(hall, "attack", (9, 2), target_id="grik")
    assert (first["attack"]["weapon"], first["damage"]["expression"]) == ("Dagger", "1d4+4")
    second = act(hall, "attack", (15, 1), target_id="grik", action_cost="bonus_action")
    assert (second["attack"]["weapon"], second["attack"]["bonus"], second["damage"]["expression"]) == (
        "Sickle",
        7,
        "1d4",
    )


def test_a_negative_modifier_stays_in_the_damage_of_the_second_weapon(hall_with: HallWith) -> None:
    weak = armed(("Dagger", ["light"]), ("Sickle", ["light"]))
    weak["characters/aria.json"] |= {"sheet": {"stats": {"str": 8}, "class": "Fighter"}}
    hall = begun(hall_with, weak)
    strike(hall)
    second = act(hall, "attack", (15, 4), target_id="grik", action_cost="bonus_action")
    assert second["damage"]["expression"] == "1d4-1"


@pytest.mark.parametrize(
    "weapons",
    [
        [("Longsword", []), ("Sickle", ["light"])],
        [("Dagger", ["light"]), ("Longsword", [])],
        [("Dagger", ["light"])],
    ],
)
def test_a_second_attack_needs_light_weapons_in_both_hands(
    hall_with: HallWith, weapons: list[tuple[str, list[str]]]
) -> None:
    hall = begun(hall_with, armed(*weapons))
    strike(hall)
    assert refused(hall, "attack", target_id="grik", action_cost="bonus_action")["reason"] == "rule_violation"


def test_a_bonus_attack_follows_an_attack_action(hall_with: HallWith) -> None:
    hall = begun(hall_with, armed(("Dagger", ["light"]), ("Sickle", ["light"])))
    told = refused(hall, "attack", target_id="grik", action_cost="bonus_action")
    assert (told["reason"], told["hint"]["choices"]) == ("rule_violation", ["action"])


def test_without_weapons_on_a_sheet_an_attack_action_is_enough(hall_with: HallWith) -> None:
    hall = hall_with(fight(ephemeral("g1", 6, 5), linked("aria", 5, 5)))
    act(hall, "attack", (1,), actor_id="g1", target_id="aria")
    result = act(hall, "attack", (1,), actor_id="g1", target_id="aria", action_cost="bonus_action")
    assert result["economy"]["bonus_action"] is False


# whose turn


@pytest.mark.parametrize("cost", ["action", "bonus_action", "free"])
def test_only_whose_turn_it_is_acts(hall_with: HallWith, cost: str) -> None:
    hall = begun(hall_with)
    told = refused(hall, "use_special_ability", actor_id="grik", action_cost=cost, ability_name="Nimble")
    assert (told["reason"], told["hint"]["choices"]) == ("rule_violation", ["aria"])


def test_others_may_react_but_not_move(hall_with: HallWith) -> None:
    hall = begun(hall_with)
    there = {"move_to": {"x": 7, "y": 5}}
    given = {"actor_id": "grik", "target_id": "aria", "action_cost": "reaction"}
    assert refused(hall, "attack", **given, **there)["reason"] == "rule_violation"
    assert act(hall, "attack", (1,), **given)["economy"]["reaction"] is False
    told = hall.fail(ACT, encounter_id="encounter-1", actor_name="Grik", **there)
    assert (told["reason"], told["hint"]) == (
        "rule_violation",
        {"field": "args.actor_name", "got": "Grik", "choices": ["Aria"]},
    )


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"conditions": [{"condition": "stunned"}]}, "stunned"),
        ({"conditions": [{"condition": "incapacitated"}]}, "incapacitated"),
        ({"hp": 0, "character_state": "dying", "death_saves": {}}, "0 hit points"),
        ({"hp": 0, "character_state": "dead"}, "dead"),
    ],
)
@pytest.mark.parametrize("cost", ["action", "reaction"])
def test_the_helpless_do_nothing(hall_with: HallWith, changes: Json, why: str, cost: str) -> None:
    told = refused(begun(hall_with, changed("aria", **changes)), "dodge", action_cost=cost)
    assert told["reason"] == "rule_violation"
    assert why in told["detail"]


def test_the_surprised_do_nothing_in_their_first_turn(hall_with: HallWith) -> None:
    hall = begun(hall_with, surprised=True)
    assert "surprised" in refused(hall, "dodge")["detail"]
    assert refused(hall, "attack", target_id="grik", action_cost="reaction")["reason"] == "rule_violation"
    assert hall.why(ACT, encounter_id="encounter-1", actor_id="aria", move_to={"x": 5, "y": 6}) == "rule_violation"


def test_the_referee_allows_what_the_turn_does_not_and_books_nothing(hall_with: HallWith) -> None:
    hall = begun(hall_with, changed("grik", conditions=[{"condition": "stunned"}]))
    given = {"actor_id": "grik", "target_id": "aria", "ignore_economy": True}
    for _ in range(2):
        result = act(hall, "attack", (1,), **given)
        assert result["economy"]["action"] is True
    moved = hall.do(
        ACT, (1, 1), encounter_id="encounter-1", actor_id="grik", ignore_economy=True, move_to={"x": 18, "y": 5}
    )
    assert moved["movement"]["to"] == {"x": 18, "y": 5, "z": 0}


# what costs what


@pytest.mark.parametrize("action_type", ["dodge", "disengage", "dash", "hide"])
def test_only_objects_and_abilities_are_free(hall_with: HallWith, action_type: str) -> None:
    dc = {"dc": 10} if action_type in ("hide", "search") else {}
    told = refused(begun(hall_with), action_type, action_cost="free", **dc)
    assert (told["reason"], told["hint"]["choices"]) == ("rule_violation", ["action"])


def test_one_object_a_turn_is_free(hall_with: HallWith) -> None:
    hall = begun(hall_with)
    result = act(hall, "use_object", action_cost="free", item_name="the lever")
    assert (result["economy"]["free_object"], result["economy"]["action"]) == (False, True)
    told = refused(hall, "use_object", action_cost="free", item_name="the lever")
    assert (told["reason"], told["hint"]["choices"]) == ("rule_violation", ["action"])
    for _ in range(2):
        act(hall, "use_special_ability", action_cost="free", ability_name="Shout")


def test_an_action_costs_more_than_movement_and_a_move_costs_nothing_else(hall_with: HallWith) -> None:
    hall = begun(hall_with)
    told = refused(hall, "dodge", action_cost="movement")
    assert (told["reason"], told["hint"]["choices"]) == ("rule_violation", ["action"])
    told = hall.fail(ACT, encounter_id="encounter-1", actor_id="aria", action_cost="action", move_to={"x": 5, "y": 6})
    assert (told["reason"], told["hint"]["choices"]) == ("invalid_args", ["movement"])


def test_neither_action_nor_move_is_nothing(hall_with: HallWith) -> None:
    told = begun(hall_with).fail(ACT, encounter_id="encounter-1", actor_id="aria")
    assert (told["reason"], told["hint"]["field"], told["hint"]["add"]) == ("invalid_args", "args.action_type", True)


@pytest.mark.parametrize(
    ("action_type", "missing"),
    [
        ("cast_spell", "spell_name"),
        ("ready", "trigger"),
        ("search", "dc"),
        ("use_object", "item_name"),
        ("use_magic_item", "item_name"),
        ("use_special_ability", "ability_name"),
        ("help", "target_id"),
        ("grapple", "target_id"),
        ("shove", "target_id"),
    ],
)
def test_what_an_action_needs_is_asked_for(hall_with: HallWith, action_type: str, missing: str) -> None:
    told = refused(begun(hall_with), action_type)
    assert (told["reason"], told["hint"]["field"]) == ("invalid_args", f"args.{missing}")


# the next turn


def test_everything_comes_back_when_the_turn_comes_round(hall_with: HallWith) -> None:
    hall = begun(hall_with)
    strike(hall)
    act(hall, "disengage", action_cost="bonus_action")
    hall.do(ACT, (), encounter_id="encounter-1", actor_id="aria", move_to={"x": 5, "y": 8})
    hall.do("advance_turn", encounter_id="encounter-1")
    assert strike_back(hall)["economy"]["reaction"] is True
    hall.do("advance_turn", encounter_id="encounter-1")
    assert act(hall, "dodge")["economy"] == FULL | {"action": False, "attacks": 0}


def strike_back(hall: Hall) -> Json:
    return act(hall, "dodge", actor_id="grik")


# batches


def test_a_batch_is_for_one_fight_and_its_items_succeed_or_fail_alone(hall_with: HallWith) -> None:
    hall = begun(hall_with, strike={"attacks": 2})
    blow = {"actor_id": "aria", "action_type": "attack", "target_id": "grik"}
    result = hall.do(ACT, (1, 2), encounter_id="encounter-1", batch=[blow, blow])
    assert (result["succeeded"], result["failed"]) == (2, 0)
    reply = hall.reply(
        "batch_execute_action",
        {"encounter_id": "encounter-1", "actions": [blow, blow | {"action_cost": "reaction"}]},
        (2,),
    )
    assert reply["status"] == "partial"
    assert reply["applied_actions"][0]["result"]["results"][0]["reason"] == "rule_violation"
    assert reply["applied_actions"][0]["alias_of"] == "batch_execute_action"


def test_an_atomic_batch_is_done_wholly_or_not_at_all(hall_with: HallWith) -> None:
    hall = begun(hall_with)
    blow = {"actor_id": "aria", "action_type": "attack", "target_id": "grik"}
    assert hall.why(ACT, encounter_id="encounter-1", atomic=True, batch=[blow, blow]) == "rule_violation"


def test_a_fight_that_is_over_takes_no_action(hall_with: HallWith) -> None:
    hall = hall_with(fight(ephemeral("g1", 5, 5), status="ended", outcome="victory"))
    assert refused(hall, "dodge", actor_id="g1")["reason"] == "conflict"
    assert refused(hall, "dodge", encounter_id="encounter-9")["reason"] == "not_found"


def test_the_fight_remembers_the_last_twenty_actions(hall_with: HallWith) -> None:
    hall = begun(hall_with)
    for number in range(22):
        act(hall, "use_special_ability", ability_name=f"trick {number}", action_cost="free")
    actions = hall.encounter()["actions"]
    assert len(actions) == 20
    assert actions[-1] == {
        "round": 1,
        "actor": "aria",
        "action_type": "use_special_ability",
        "outcome": "aria uses trick 21",
    }


@pytest.mark.parametrize("index", [0, 1])
def test_without_an_actor_only_the_one_whose_turn_it_is_is_offered(hall_with: HallWith, index: int) -> None:
    hall = hall_with(fight(linked("aria", 5, 5), linked("grik", 6, 5, is_enemy=True), turn_index=index))
    failed = hall.fail(ACT, encounter_id="encounter-1", action_type="attack", target_id="grik")
    assert failed["hint"] == {"field": "args.actor_id", "add": True, "choices": [("aria", "grik")[index]]}


def test_without_an_actor_anybody_may_be_meant_to_react(hall_with: HallWith) -> None:
    args = {"encounter_id": "encounter-1", "action_type": "attack", "action_cost": "reaction", "target_id": "grik"}
    assert begun(hall_with).fail(ACT, **args)["hint"]["choices"] == ["aria", "grik"]
