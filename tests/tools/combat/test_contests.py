"""execute_action: grapple, break free, shove, and the checks of hide and search; help, ready, dodge and disengage."""

from __future__ import annotations

from typing import Any

import pytest
from tests.builders import Json
from tests.tools.conftest import HallWith
from tests.tools.hall import Hall, changed, ephemeral, fight, hall_documents, linked

ACT = "execute_action"
GIVEN = {"encounter_id": "encounter-1", "actor_id": "aria"}


def act(hall: Hall, action_type: str, dice: tuple[int, ...] = (), **args: Any) -> Json:
    return hall.do(ACT, dice, **(GIVEN | {"action_type": action_type} | args))


def refused(hall: Hall, action_type: str, **args: Any) -> Json:
    return hall.fail(ACT, **(GIVEN | {"action_type": action_type} | args))


def duel(hall_with: HallWith, *more: dict[str, Json], **aria: Any) -> Hall:
    return hall_with(*more, fight(linked("aria", 5, 5, **aria), linked("grik", 6, 5, is_enemy=True)))


def of(hall: Hall, place: int) -> Json:
    found: Json = hall.encounter()["participants"][place]
    return found


# Aria: athletics +7 (STR 18, proficient at level 5); Grik: athletics -1, acrobatics +2


def test_a_grapple_is_a_contest_and_takes_hold(hall_with: HallWith) -> None:
    hall = duel(hall_with)
    result = act(hall, "grapple", (5, 9), target_id="grik")
    assert result["contest"] == {
        "actor_total": 12,
        "target_total": 11,
        "success": True,
        "actor_skill": "athletics",
        "target_skill": "acrobatics",
    }
    assert result["target_conditions"] == ["grappled"]
    assert hall.person("grik")["conditions"] == [{"condition": "grappled", "source": "aria"}]
    assert hall.encounter()["conditions_applied"] == {"grappled": 1}


def test_a_tie_changes_nothing(hall_with: HallWith) -> None:
    hall = duel(hall_with)
    result = act(hall, "grapple", (5, 10), target_id="grik")
    assert (result["contest"]["success"], result["target_conditions"]) == (False, [])


@pytest.mark.parametrize("action_type", ["grapple", "shove"])
def test_only_who_is_near_and_not_too_large_is_wrestled(hall_with: HallWith, action_type: str) -> None:
    far = hall_with(fight(linked("aria", 5, 5), linked("grik", 7, 5, is_enemy=True), ephemeral("g1", 6, 6)))
    told = refused(far, action_type, target_id="grik")
    assert (told["reason"], told["hint"]["choices"]) == ("rule_violation", ["g1"])
    huge = ephemeral("g1", 6, 5, sheet={"size": "huge"})
    assert refused(hall_with(fight(linked("aria", 5, 5), huge)), action_type, target_id="g1")["reason"] == (
        "rule_violation"
    )
    large = hall_with(fight(linked("aria", 5, 5), linked("ogg", 6, 5, is_enemy=True)))
    act(large, action_type, (1, 20), target_id="ogg")


def test_poison_hinders_and_help_aids_a_contest(hall_with: HallWith) -> None:
    helped = {"helped": [{"helper_id": "brom", "kind": "check"}]}
    hall = duel(hall_with, changed("grik", conditions=[{"condition": "poisoned"}]), **helped)
    result = act(hall, "grapple", (2, 5, 12, 9), target_id="grik")
    assert (result["contest"]["actor_total"], result["contest"]["target_total"]) == (12, 11)
    assert "helped" not in of(hall, 0)


def test_who_cannot_be_grappled_is_not(hall_with: HallWith) -> None:
    slippery = ephemeral("g1", 6, 5, sheet={"condition_immunities": ["grappled", "prone"]})
    hall = hall_with(fight(linked("aria", 5, 5, strike={"attacks": 2}), slippery))
    action = hall.action(ACT, (20, 1), **GIVEN, action_type="grapple", target_id="g1")
    assert action["warnings"] == ["g1 cannot be grappled"]
    assert action["result"]["target_conditions"] == []
    action = hall.action(ACT, (20, 1), **GIVEN, action_type="shove", target_id="g1", shove_direction="prone")
    assert action["warnings"] == ["g1 cannot be knocked prone"]


def test_breaking_free_is_a_contest_with_the_better_of_two(hall_with: HallWith) -> None:
    held = changed("dain", conditions=[{"condition": "grappled", "source": "ogg"}])
    # Dain: acrobatics +7, athletics +0; Ogg: athletics +4
    hall = hall_with(held, fight(linked("dain", 5, 5), linked("ogg", 6, 5, is_enemy=True)))
    result = act(hall, "grapple", (8, 10), actor_id="dain", escape=True)
    assert (result["contest"]["actor_total"], result["contest"]["target_total"]) == (15, 14)
    assert result["actor_conditions"] == []
    assert "conditions" not in hall.person("dain")


def test_only_who_is_held_breaks_free_and_from_who_holds(hall_with: HallWith) -> None:
    told = refused(duel(hall_with), "grapple", escape=True)
    assert (told["reason"], told["hint"]) == ("rule_violation", {"field": "args.escape", "got": True})
    held = changed("aria", conditions=[{"condition": "grappled", "source": "ogg"}])
    people = (linked("aria", 5, 5), linked("grik", 6, 5, is_enemy=True), linked("ogg", 5, 6, is_enemy=True))
    told = refused(hall_with(held, fight(*people)), "grapple", escape=True, target_id="grik")
    assert (told["reason"], told["hint"]["choices"]) == ("rule_violation", ["ogg"])
    rope = changed("aria", conditions=[{"condition": "grappled", "source": "a rope"}])
    assert refused(duel(hall_with, rope), "grapple", escape=True)["reason"] == "rule_violation"


def test_a_grapple_ends_with_who_holds(hall_with: HallWith) -> None:
    held = changed("brom", conditions=[{"condition": "grappled", "source": "grik"}])
    people = (linked("aria", 5, 5), linked("grik", 6, 5, is_enemy=True), linked("brom", 7, 5))
    hall = hall_with(held, fight(*people))
    result = act(hall, "attack", (15, 8), target_id="grik")
    assert result["freed"] == ["brom"]
    assert "conditions" not in hall.person("brom")


def test_grapple_and_drag_in_one_call(hall_with: HallWith) -> None:
    hall = duel(hall_with)
    won = act(hall, "grapple", (20, 1), target_id="grik", move_to={"x": 3, "y": 5}, drag=True)
    assert won["movement"]["cost"] == 20
    assert of(hall, 1)["position"] == {"x": 4, "y": 5, "z": 0}
    hall = duel(hall_with)
    action = hall.action(
        ACT, (1, 20), **GIVEN, action_type="grapple", target_id="grik", move_to={"x": 3, "y": 5}, drag=True
    )
    assert "movement" not in action["result"]
    assert action["warnings"] == ["aria stays: aria has grappled nobody"]


def test_a_grapple_ends_before_the_held_moves_when_the_holder_cannot_hold(hall_with: HallWith) -> None:
    held = changed("aria", conditions=[{"condition": "grappled", "source": "grik"}])
    hall = duel(hall_with, held, changed("grik", conditions=[{"condition": "stunned"}]))
    result = hall.do(ACT, (), **GIVEN, move_to={"x": 3, "y": 5})
    assert (result["freed"], result["movement"]["cost"]) == (["aria"], 10)


def test_what_a_spell_holds_is_not_let_go_from_afar(hall_with: HallWith) -> None:
    bound = changed("aria", conditions=[{"condition": "grappled", "source": "ogg", "duration": "concentration"}])
    people = (linked("aria", 5, 5), linked("ogg", 15, 5, is_enemy=True))
    assert "freed" not in act(hall_with(bound, fight(*people)), "dodge")


@pytest.mark.parametrize("action_type", ["grapple", "shove"])
def test_nobody_wrestles_with_its_charmer(hall_with: HallWith, action_type: str) -> None:
    charmed = changed("aria", conditions=[{"condition": "charmed", "source": "grik"}])
    assert refused(duel(hall_with, charmed), action_type, target_id="grik")["reason"] == "rule_violation"


@pytest.mark.parametrize("action_type", ["grapple", "shove", "help"])
def test_nobody_does_that_to_itself(hall_with: HallWith, action_type: str) -> None:
    people = (linked("ogg", 15, 5, is_enemy=True), linked("brom", 5, 6), linked("aria", 5, 5), ephemeral("g1", 4, 5))
    told = refused(hall_with(fight(*people, turn_index=2)), action_type, target_id="aria")
    assert (told["reason"], told["detail"]) == ("rule_violation", "aria cannot do that to itself")
    assert told["hint"]["choices"] == (["brom"] if action_type == "help" else ["g1"])


def test_who_helps_nobody_is_told_of_friends_first(hall_with: HallWith) -> None:
    people = (linked("aria", 5, 5), linked("grik", 6, 5, is_enemy=True), linked("brom", 9, 5))
    assert refused(hall_with(fight(*people)), "help")["hint"]["choices"] == ["brom", "grik"]


# shove


@pytest.mark.parametrize(("x", "y", "to"), [(6, 5, (7, 5)), (6, 6, (7, 7)), (5, 4, (5, 3)), (4, 6, (3, 7))])
def test_a_shove_pushes_straight_away(hall_with: HallWith, x: int, y: int, to: tuple[int, int]) -> None:
    hall = hall_with(fight(linked("aria", 5, 5), linked("grik", x, y, is_enemy=True)))
    result = act(hall, "shove", (20, 1), target_id="grik")
    assert result["target_position"] == {"x": to[0], "y": to[1], "z": 0}
    assert result["opportunity_attacks"] == []
    assert of(hall, 1)["position"] == result["target_position"]


def test_a_shove_against_a_wall_or_somebody_moves_nobody(hall_with: HallWith) -> None:
    people = (linked("aria", 5, 5), linked("grik", 6, 5, is_enemy=True))
    walled = fight(*people, terrain={"obstacles": ["7,5"]})
    crowded = fight(*people, ephemeral("g1", 7, 5))
    for there in (walled, crowded):
        action = hall_with(there).action(ACT, (20, 1), **GIVEN, action_type="shove", target_id="grik")
        assert action["result"]["target_position"] == {"x": 6, "y": 5, "z": 0}
        assert action["warnings"] == ["grik is shoved, but there is no room behind"]
    edge = fight(linked("aria", 1, 5), linked("grik", 0, 5, is_enemy=True))
    result = act(hall_with(edge), "shove", (20, 1), target_id="grik")
    assert result["target_position"] == {"x": 0, "y": 5, "z": 0}


@pytest.mark.parametrize("direction", ["prone", "Prone", "proen"])
def test_a_shove_throws_down(hall_with: HallWith, direction: str) -> None:
    hall = duel(hall_with)
    result = act(hall, "shove", (20, 1), target_id="grik", shove_direction=direction)
    assert (result["target_conditions"], result["target_position"]) == (["prone"], {"x": 6, "y": 5, "z": 0})


def test_who_is_shoved_from_a_grip_is_free(hall_with: HallWith) -> None:
    held = changed("grik", conditions=[{"condition": "grappled", "source": "aria"}])
    result = act(duel(hall_with, held), "shove", (20, 1), target_id="grik")
    assert (result["freed"], result["target_conditions"]) == (["grik"], [])


def test_after_a_shove_into_the_way_nobody_runs_into_the_other(hall_with: HallWith) -> None:
    hall = duel(hall_with)
    action = hall.action(ACT, (20, 1), **GIVEN, action_type="shove", target_id="grik", move_to={"x": 7, "y": 5})
    assert "movement" not in action["result"]
    assert action["warnings"] == ["aria stays: grik stands on 7,5"]


# hide and search


def test_hiding_is_stealth_against_what_the_enemies_notice(hall_with: HallWith) -> None:
    # Aria: perception +4, so passive 14; Grik: stealth +4
    hall = hall_with(fight(linked("grik", 6, 5, is_enemy=True), linked("aria", 15, 15), linked("brom", 15, 16)))
    result = act(hall, "hide", (10,), actor_id="grik")
    assert result["check"] == {
        "skill": "stealth",
        "natural": 10,
        "rolls": [10],
        "mode": "normal",
        "modifier": 4,
        "total": 14,
        "dc": 14,
        "success": True,
    }
    assert of(hall, 0)["hidden"] is True


def test_who_fails_to_hide_is_seen(hall_with: HallWith) -> None:
    hall = duel(hall_with, hidden=True)
    result = act(hall, "hide", (2,), dc=5)
    assert result["check"]["success"] is False
    assert "hidden" not in of(hall, 0)


def test_the_poisoned_notice_less_and_the_unconscious_nothing(hall_with: HallWith) -> None:
    dull = changed("aria", conditions=[{"condition": "poisoned"}])
    there = fight(linked("grik", 6, 5, is_enemy=True), linked("aria", 15, 15))
    assert act(hall_with(dull, there), "hide", (10,), actor_id="grik")["check"]["dc"] == 9
    asleep = changed("aria", conditions=[{"condition": "unconscious"}])
    assert act(hall_with(asleep, there), "hide", (10,), actor_id="grik")["check"]["dc"] == 0


def test_searching_finds_whom_it_is_for(hall_with: HallWith) -> None:
    people = (linked("aria", 5, 5), linked("grik", 16, 5, is_enemy=True, hidden=True))
    hall = hall_with(fight(*people))
    result = act(hall, "search", (8,), dc=12, target_id="grik")
    assert (result["check"]["skill"], result["check"]["total"], result["found"]) == ("perception", 12, ["grik"])
    assert "hidden" not in of(hall, 1)
    hall = hall_with(fight(*people))
    result = act(hall, "search", (8,), dc=13, target_id="grik", skill="investigation")
    assert (result["check"]["success"], result["found"], result["check"]["modifier"]) == (False, [], 0)
    assert of(hall, 1)["hidden"] is True


def test_a_search_without_sight_or_hearing_is_thrown_with_a_warning(hall_with: HallWith) -> None:
    dazed = [{"condition": "blinded"}, {"condition": "deafened"}]
    hall = duel(hall_with, changed("aria", conditions=dazed))
    args = {"encounter_id": "encounter-1", "actor_id": "aria", "action_type": "search", "dc": 12}
    warnings = hall.action(ACT, [8], **args)["warnings"]
    assert warnings == ["aria cannot see: what needs sight fails", "aria cannot hear: what needs hearing fails"]


def test_nobody_searches_with_another_skill(hall_with: HallWith) -> None:
    told = refused(duel(hall_with), "search", dc=10, skill="stealth")
    assert (told["reason"], told["hint"]["choices"]) == ("invalid_args", ["perception", "investigation"])


# help, ready, dodge


def test_help_gives_advantage_on_one_attack_against_who_is_near_the_helper(hall_with: HallWith) -> None:
    people = (linked("aria", 5, 5), linked("grik", 6, 5, is_enemy=True), linked("brom", 7, 5), ephemeral("g1", 8, 5))
    hall = hall_with(fight(*people))
    assert act(hall, "help", target_id="brom")["helps_with"] == "attack"
    blow = {"actor_id": "brom", "action_cost": "reaction"}
    assert act(hall, "attack", (1,), target_id="g1", **blow)["attack"]["mode"] == "normal"
    assert of(hall, 2)["helped"] == [{"helper_id": "aria", "kind": "attack"}]
    again = {"actor_id": "brom", "ignore_economy": True}
    assert act(hall, "attack", (1, 1), target_id="grik", **again)["attack"]["advantage_reasons"] == ["helped"]
    assert act(hall, "attack", (1,), target_id="grik", **again)["attack"]["mode"] == "normal"


def test_help_with_a_check_when_no_enemy_is_near_or_a_skill_is_named(hall_with: HallWith) -> None:
    calm = hall_with(fight(linked("aria", 5, 5), linked("brom", 7, 5), linked("grik", 15, 5, is_enemy=True)))
    assert act(calm, "help", target_id="brom")["helps_with"] == "check"
    near = hall_with(fight(linked("aria", 5, 5), linked("brom", 7, 5), linked("grik", 6, 5, is_enemy=True)))
    assert act(near, "help", target_id="brom", skill="athletics")["helps_with"] == "check"


def test_nobody_helps_an_enemy(hall_with: HallWith) -> None:
    people = (linked("aria", 5, 5), linked("grik", 6, 5, is_enemy=True), linked("brom", 7, 5))
    told = refused(hall_with(fight(*people)), "help", target_id="grik")
    assert (told["reason"], told["hint"]["choices"]) == ("rule_violation", ["brom"])


def test_dodging_helps_saves_of_dexterity_too(hall_with: HallWith) -> None:
    hall = duel(hall_with)
    act(hall, "dodge")
    spell = {"actor_id": "grik", "action_cost": "reaction", "spell_name": "Acid Splash", "target_id": "aria"}
    result = act(hall, "cast_spell", (4, 5, 9), **spell, damage_expression="1d6", save_ability="dex", save_dc=11)
    assert result["save"] == {
        "ability": "dex",
        "dc": 11,
        "natural": 9,
        "rolls": [5, 9],
        "modifier": 2,
        "total": 11,
        "success": True,
    }


def test_who_cannot_move_does_not_dodge_a_spell_either(hall_with: HallWith) -> None:
    held = changed("aria", conditions=[{"condition": "grappled"}])
    hall = duel(hall_with, held, dodging=True)
    spell = {"actor_id": "grik", "action_cost": "reaction", "spell_name": "Acid Splash", "target_id": "aria"}
    result = act(hall, "cast_spell", (4, 9), **spell, damage_expression="1d6", save_ability="dex", save_dc=11)
    assert result["save"]["rolls"] == [9]


def test_ready_stores_what_is_waited_for_until_the_reaction(hall_with: HallWith) -> None:
    hall = duel(hall_with)
    result = act(hall, "ready", trigger="Grik moves", readied_action="strike him")
    assert result["readied"] == {"trigger": "Grik moves", "action": "strike him"}
    assert of(hall, 0)["readied"] == result["readied"]
    act(hall, "attack", (1,), target_id="grik", action_cost="reaction")
    assert "readied" not in of(hall, 0)


# objects and abilities


def test_a_potion_is_drunk_and_heals(hall_with: HallWith) -> None:
    hall = duel(hall_with, changed("aria", hp=20))
    result = act(hall, "use_object", (1, 4), item_name="potion of healing ")
    assert (result["item"], result["used"]["remaining"]) == ("Potion of Healing", 1)
    assert result["target_hp"] == {"before": 20, "after": 27, "max": 44, "temp": 0}
    assert hall.person("aria")["hp"] == 27


def test_a_potion_is_given_to_somebody_else(hall_with: HallWith) -> None:
    down = changed("brom", hp=0, character_state="dying", death_saves={})
    hall = hall_with(down, fight(linked("aria", 5, 5), linked("brom", 6, 5)))
    result = act(hall, "use_magic_item", (1, 1), item_name="Potion of Healing", target_id="brom")
    assert (result["target_status"], hall.person("brom")["character_state"]) == ("critical", "alive")


def test_the_dead_drink_no_potion(hall_with: HallWith) -> None:
    dead = changed("brom", hp=0, character_state="dead")
    hall = hall_with(dead, fight(linked("aria", 5, 5), linked("brom", 6, 5)))
    assert refused(hall, "use_object", item_name="Potion of Healing", target_id="brom")["reason"] == "rule_violation"


def carrying(*names: str) -> dict[str, Json]:
    """Return Aria with these in her pack, unequipped."""
    pack = [{"id": f"item-{number}", "name": name, "quantity": 2} for number, name in enumerate(names)]
    return changed("aria", inventory=pack, equipped={})


@pytest.mark.parametrize("name", ["healing potion", "the Potion of Healing", "my healing  potion", "HEALING POTION"])
def test_a_thing_is_known_by_the_words_of_its_name(hall_with: HallWith, name: str) -> None:
    hall = duel(hall_with, changed("aria", hp=20))
    action = hall.action(ACT, (1, 4), **GIVEN, action_type="use_object", item_name=name)
    assert (action["result"]["item"], action["result"]["used"]["remaining"]) == ("Potion of Healing", 1)
    assert (hall.person("aria")["hp"], "warnings" in action) == (27, False)


@pytest.mark.parametrize("name", ["healing potoin", "potions of healing", "Potion of Heling", "potion", "the potion"])
def test_a_name_that_is_nearly_that_of_something_carried_costs_no_action(hall_with: HallWith, name: str) -> None:
    hall = duel(hall_with)
    told = refused(hall, "use_object", item_name=name)
    assert (told["reason"], told["hint"]["field"]) == ("not_found", "args.item_name")
    assert told["hint"]["choices"] == ["Potion of Healing"]
    assert act(hall, "use_object", (1, 4), item_name=told["hint"]["choices"][0])["used"]["remaining"] == 1


def test_words_that_two_things_have_name_neither(hall_with: HallWith) -> None:
    hall = duel(hall_with, carrying("Potion of Fire", "Fire Potion", "Rope"))
    told = refused(hall, "use_object", item_name="a fire potion")
    assert (told["reason"], told["hint"]["choices"]) == ("not_found", ["Potion of Fire", "Fire Potion"])
    assert act(hall, "use_object", item_name="fire potion")["item"] == "Fire Potion"


@pytest.mark.parametrize("name", ["the lever", "the door", "healing", "of the", "!"])
def test_what_is_in_no_inventory_is_only_told_with_a_warning(hall_with: HallWith, name: str) -> None:
    hall = duel(hall_with, carrying("Door Key", "Potion of Healing", "The", "?"))
    action = hall.action(ACT, **GIVEN, action_type="use_object", item_name=name)
    result = action["result"]
    assert (result["item"], result["used"], result["outcome"]) == (name, None, f"aria uses {name}")
    assert action["warnings"] == [f"aria carries nothing called {name}: nothing was used up"]


def test_an_ability_spends_the_resource_of_its_name(hall_with: HallWith) -> None:
    sheet = hall_documents()["characters/aria.json"]["sheet"]
    sheet |= {"resource": {"name": "Grit", "current": 1, "max": 2}}
    hall = duel(hall_with, changed("aria", sheet=sheet))
    slip = refused(hall, "use_special_ability", ability_name="Girt")
    assert (slip["reason"], slip["hint"]["allowed"]) == ("not_found", ["Grit"])
    result = act(hall, "use_special_ability", ability_name="grit", action_cost="free")
    assert result["resource"] == {"name": "Grit", "current": 0, "max": 2}
    assert refused(hall, "use_special_ability", ability_name="Grit")["reason"] == "rule_violation"
    assert act(hall, "use_special_ability", ability_name="Second Wind")["resource"] is None
