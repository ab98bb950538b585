"""advance_turn: who is next, and what ends and begins between two turns."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.builders import Json, call, failed, spelt
from tests.sampling import tries
from tests.tools.conftest import HallWith
from tests.tools.hall import Hall, changed, ephemeral, fight, linked, sheeted


def advance(hall: Hall, dice: list[int] | None = None, /, **args: Any) -> Json:
    return hall.do("advance_turn", dice or [], encounter_id="encounter-1", **args)


def condition(name: str, rounds: int | None = None, **fields: Any) -> Json:
    lasting = {} if rounds is None else {"duration": rounds, "rounds_remaining": rounds}
    return {"condition": name, **lasting, **fields}


def place(hall: Hall, who: str) -> Json:
    people = hall.encounter()["participants"]
    return next(person for person in people if person["id"] == who)


def fallen(participant_id: str, x: int, y: int, **fields: Any) -> Json:
    """Return a creature of the fight alone that is at 0 hit points and makes no death saves."""
    person = ephemeral(participant_id, x, y) | fields
    return person | {"body": person["body"] | {"hp": 0, "character_state": "dying"}}


DYING = {"hp": 0, "character_state": "dying", "death_saves": {}}


# who is next


def test_turns_go_round_and_each_round_is_counted(hall_with: HallWith) -> None:
    hall = hall_with(fight(linked("aria", 0, 0), ephemeral("rat", 3, 3), ephemeral("bat", 5, 5)))
    seen = [advance(hall) for _ in range(6)]
    assert [result["current"]["id"] for result in seen] == ["rat", "bat", "aria"] * 2
    assert [result["previous"]["id"] for result in seen] == ["aria", "rat", "bat"] * 2
    assert [result["round"] for result in seen] == [1, 1, 2, 2, 2, 3]
    assert [result["new_round"] for result in seen] == [False, False, True] * 2
    assert seen[0]["next"] == ["bat", "aria", "rat"]
    assert seen[0]["current"] == {"id": "rat", "name": "Rat", "hp": 10, "max_hp": 10, "conditions": []}


def test_the_dead_and_fallen_creatures_are_passed_over_but_player_characters_are_not(hall_with: HallWith) -> None:
    dead = {"hp": 0, "character_state": "dead", "death_saves": {"dead": True}}
    hall = hall_with(
        changed("brom", **dead),
        changed("cyra", **DYING),
        changed("dain", **DYING | {"death_saves": {"stable": True}, "character_state": "unconscious"}),
        fight(
            linked("aria", 0, 0),
            linked("brom", 1, 0),
            fallen("rat", 5, 5),
            linked("cyra", 2, 0),
            linked("dain", 3, 0),
        ),
    )
    first = advance(hall)
    assert (first["current"]["id"], first["death_save_required"]) == ("cyra", True)
    second = advance(hall)
    assert (second["current"]["id"], second["death_save_required"]) == ("dain", False)
    third = advance(hall)
    assert (third["current"]["id"], third["round"]) == ("aria", 2)
    assert third["next"] == ["cyra", "dain", "aria"]


def test_when_all_are_down_nothing_moves(hall_with: HallWith) -> None:
    falling = [condition("poisoned", 3)]
    hall = hall_with(changed("aria", conditions=falling, **DYING), fight(linked("aria", 0, 0), linked("grik", 5, 5)))
    hall.do("update_character", character_id="grik", hp="-20")
    before = spelt(hall.encounter())
    result = advance(hall)
    assert (result["all_down"], result["current"]["id"], result["round"]) == (True, "aria", 1)
    assert (result["ticked"], result["death_save_required"]) == ([], True)
    assert spelt(hall.encounter()) == before


def test_one_alone_goes_round_and_round(hall_with: HallWith) -> None:
    hall = hall_with(fight(linked("aria", 0, 0)))
    result = advance(hall)
    assert (result["current"]["id"], result["round"], result["next"]) == ("aria", 2, ["aria"])


# the end of a turn


def test_conditions_tick_at_the_end_of_the_bearers_turn_alone(hall_with: HallWith) -> None:
    hall = hall_with(
        changed("aria", conditions=[condition("poisoned", 2), condition("prone"), condition("blinded", 1)]),
        fight(linked("aria", 0, 0), linked("grik", 5, 5)),
    )
    first = advance(hall)
    assert first["ticked"] == [{"target_id": "aria", "condition": "poisoned", "remaining": 1}]
    assert first["expired"] == [{"target_id": "aria", "condition": "blinded"}]
    second = advance(hall)
    assert (second["ticked"], second["expired"]) == ([], [])
    assert advance(hall)["expired"] == [{"target_id": "aria", "condition": "poisoned"}]
    assert [each["condition"] for each in hall.person("aria")["conditions"]] == ["prone"]


def test_a_bodys_conditions_and_effects_tick_too(hall_with: HallWith) -> None:
    effect = {"effect_id": "effect-1", "name": "Bane", "duration": 1, "rounds_remaining": 1}
    rat = ephemeral("rat", 1, 1, conditions=[condition("stunned", 1)], effects=[effect])
    hall = hall_with(fight(rat, linked("aria", 5, 5)))
    result = advance(hall)
    assert result["expired"] == [{"target_id": "rat", "condition": "stunned"}]
    assert result["effects_expired"] == [{"target_id": "rat", "effect_id": "effect-1", "name": "Bane"}]
    assert "conditions" not in place(hall, "rat")["body"]
    assert "effects" not in place(hall, "rat")["body"]


@pytest.mark.parametrize(("face", "success"), [(8, False), (9, True)])
def test_a_save_at_the_end_of_the_turn_may_end_a_condition(hall_with: HallWith, face: int, success: bool) -> None:
    # Aria, a fighter of level 5 with CON 14: +2 +3. A save of DC 14 wants a 9.
    held = condition("paralyzed", duration="save_ends", save_dc=14, save_ability="con")
    hall = hall_with(changed("aria", conditions=[held]), fight(linked("aria", 0, 0), linked("grik", 5, 5)))
    result = advance(hall, [face])
    assert result["saves"] == [
        {
            "target_id": "aria",
            "condition": "paralyzed",
            "ability": "con",
            "dc": 14,
            "natural": face,
            "modifier": 5,
            "total": face + 5,
            "success": success,
        }
    ]
    assert result["expired"] == ([{"target_id": "aria", "condition": "paralyzed"}] if success else [])
    assert ("conditions" in hall.person("aria")) is not success


def test_effects_that_act_at_the_end_or_start_of_a_turn_are_told(hall_with: HallWith) -> None:
    burns = {"effect_id": "effect-1", "name": "Burning", "trigger": "end_of_turn", "trigger_effect": "1d4 fire"}
    grows = {"effect_id": "effect-2", "name": "Growing", "trigger": "start_of_turn", "trigger_effect": "heal 2"}
    hall = hall_with(
        changed("aria", effects=[burns]),
        changed("brom", effects=[grows]),
        fight(linked("aria", 0, 0), linked("brom", 3, 0)),
    )
    assert advance(hall)["triggered"] == [
        {"target_id": "aria", "effect_id": "effect-1", "name": "Burning"}
        | {"trigger": "end_of_turn", "trigger_effect": "1d4 fire"},
        {"target_id": "brom", "effect_id": "effect-2", "name": "Growing"}
        | {"trigger": "start_of_turn", "trigger_effect": "heal 2"},
    ]


def test_without_process_effects_nothing_is_counted_but_the_round(hall_with: HallWith) -> None:
    held = condition("poisoned", duration="save_ends", save_dc=10, save_ability="con")
    hall = hall_with(
        changed("aria", conditions=[held, condition("blinded", 1)]),
        fight(linked("aria", 0, 0), terrain={"hazards": [{"position": "0,0", "type": "fire", "damage": "1d6"}]}),
    )
    result = advance(hall, process_effects=False)
    assert (result["round"], result["expired"], result["hazard_results"]) == (2, [], [])
    assert len(hall.person("aria")["conditions"]) == 2


def test_surprise_is_over_when_the_first_turn_is(hall_with: HallWith) -> None:
    hall = hall_with(
        fight(
            linked("aria", 0, 0, surprised=True),
            fallen("rat", 5, 5, surprised=True),
            linked("brom", 3, 0, surprised=True),
        )
    )
    advance(hall)
    assert "surprised" not in place(hall, "aria")
    assert "surprised" not in place(hall, "rat")  # its turn went by
    assert place(hall, "brom")["surprised"]


# the start of a turn


def test_what_was_spent_comes_back_when_the_own_turn_begins_and_not_before(hall_with: HallWith) -> None:
    spent = {"action": True, "reaction": True, "movement": 30, "dashes": 30}
    waits = {"trigger": "the door opens", "action": "shoot"}
    hall = hall_with(
        fight(
            linked("aria", 0, 0, economy=spent, dodging=True, readied=waits, hidden=True),
            linked("brom", 3, 0, economy=spent, dodging=True, helped=[{"helper_id": "aria", "kind": "check"}]),
        )
    )
    advance(hall)
    aria, brom = place(hall, "aria"), place(hall, "brom")
    assert (aria["economy"], aria["dodging"], aria["readied"]) == (spent, True, waits)
    assert brom["helped"] == [{"helper_id": "aria", "kind": "check"}]
    assert "economy" not in brom
    assert "dodging" not in brom
    advance(hall)
    aria, brom = place(hall, "aria"), place(hall, "brom")
    assert not {"economy", "dodging", "readied"} & set(aria)
    assert aria["hidden"]
    assert "helped" not in brom  # until the helper's next turn


def test_what_lasts_until_a_turn_ends_even_if_it_is_passed_over(hall_with: HallWith) -> None:
    helped = [{"helper_id": "rat", "kind": "check"}, {"helper_id": "brom", "kind": "check"}]
    waits = {"trigger": "the door opens", "action": "bite"}
    hall = hall_with(
        fight(linked("aria", 0, 0, helped=helped), fallen("rat", 3, 3, readied=waits), linked("brom", 5, 5))
    )
    assert advance(hall)["current"]["id"] == "brom"
    assert "helped" not in place(hall, "aria")
    assert "readied" not in place(hall, "rat")


def test_a_readied_spell_that_was_held_in_vain_is_gone(hall_with: HallWith) -> None:
    waits = {"trigger": "it comes", "action": "cast it", "spell_name": "Web"}
    hall = hall_with(
        changed("cyra", concentration={"spell_name": "web"}),
        fight(linked("aria", 0, 0), linked("cyra", 3, 0, readied=waits)),
    )
    assert advance(hall)["concentration_ended"] == [{"target_id": "cyra", "spell_name": "web"}]
    assert "concentration" not in hall.person("cyra")


def in_fire(hall_with: HallWith, hazard: Json, *more: dict[str, Json], **person: Any) -> Hall:
    terrain = {"hazards": [{"position": "3,3", "type": "fire"} | hazard]}
    people = (linked("brom", 0, 0), linked("aria", 3, 3, **person))
    return hall_with(*more, fight(*people, terrain=terrain))


def test_a_hazard_hurts_who_begins_a_turn_in_it(hall_with: HallWith) -> None:
    hall = in_fire(hall_with, {"damage": "2d6", "damage_type": "fire"})
    result = advance(hall, [3, 4])
    assert result["hazard_results"] == [
        {
            "target_id": "aria",
            "type": "fire",
            "position": "3,3",
            "save": None,
            "damage_rolled": 7,
            "damage_applied": 7,
            "condition": None,
        }
    ]
    assert (hall.person("aria")["hp"], result["current"]["hp"]) == (37, 37)
    assert place(hall, "aria")["statistics"] == {"damage_taken": 7}


@pytest.mark.parametrize(("face", "hp", "given"), [(12, 37, "applied"), (13, 44, "resisted")])
def test_a_save_avoids_a_hazard_whole(hall_with: HallWith, face: int, hp: int, given: str) -> None:
    # Aria's DEX save is +2, and DEX is what counts where none is named.
    hall = in_fire(hall_with, {"damage": "2d6", "dc": 15, "condition": "prone"})
    (row,) = advance(hall, [3, 4, face])["hazard_results"]
    assert row["save"] == {"natural": face, "total": face + 2, "success": hp == 44}
    assert (row["damage_applied"], row["condition"]) == (44 - hp, given)
    assert hall.person("aria")["hp"] == hp
    assert ("conditions" in hall.person("aria")) == (given == "applied")


def test_a_hazard_minds_resistance_immunity_and_concentration(hall_with: HallWith) -> None:
    sheet = {"resistances": ["cold"], "condition_immunities": ["prone"]}
    hall = in_fire(
        hall_with,
        {"damage": "2d6", "damage_type": "cold", "condition": "prone"},
        sheeted("aria", sheet, concentration={"spell_name": "Bless"}),
    )
    result = advance(hall, [6, 5, 4])
    (row,) = result["hazard_results"]
    assert (row["damage_rolled"], row["damage_applied"], row["condition"]) == (11, 5, "resisted")
    (check,) = result["concentration_checks"]
    assert (check["dc"], check["total"], check["broken"]) == (10, 9, True)
    assert "concentration" not in hall.person("aria")


def test_a_large_body_suffers_a_hazard_once_and_a_flier_not_at_all(hall_with: HallWith) -> None:
    hazards = [{"position": at, "type": "fire", "damage": "1d6"} for at in ("3,3", "4,3", "4,4")]
    lava = {"position": "3,4", "type": "lava", "damage": "1d10"}
    people = (linked("aria", 0, 0), linked("ogg", 3, 3))
    hall = hall_with(fight(*people, terrain={"hazards": [*hazards, lava]}))
    result = advance(hall, [2, 9])
    assert [(row["type"], row["damage_applied"]) for row in result["hazard_results"]] == [("fire", 2), ("lava", 9)]
    above = linked("ogg", 3, 3) | {"position": {"x": 3, "y": 3, "z": 1}}
    assert advance(hall_with(fight(people[0], above, terrain={"hazards": hazards})))["hazard_results"] == []


def test_a_hazard_is_a_failed_death_save_for_who_lies_in_it(hall_with: HallWith) -> None:
    hall = in_fire(hall_with, {"damage": "1d6"}, changed("aria", **DYING))
    result = advance(hall, [3])
    assert result["death_save_required"]
    assert hall.person("aria")["death_saves"]["failures"] == 1


def test_who_dies_of_one_hazard_is_spared_the_next(hall_with: HallWith) -> None:
    hazards = [{"position": "3,3", "type": each, "damage": "50d6"} for each in ("fire", "acid")]
    hall = hall_with(fight(linked("brom", 0, 0), linked("dain", 3, 3), terrain={"hazards": hazards}))
    result = advance(hall, [6] * 50)
    assert [row["type"] for row in result["hazard_results"]] == ["fire"]
    assert hall.person("dain")["character_state"] == "dead"
    assert result["current"]["id"] == "dain"
    assert not result["death_save_required"]


def test_whoever_is_dropped_by_a_hazard_lets_go(hall_with: HallWith) -> None:
    terrain = {"hazards": [{"position": "5,5", "type": "fire", "damage": "4d6"}]}
    held = changed("aria", conditions=[condition("grappled", source="rat")])
    hall = hall_with(held, fight(linked("aria", 5, 4), ephemeral("rat", 5, 5), terrain=terrain))
    assert advance(hall, [6, 6, 6, 6])["expired"] == [{"target_id": "aria", "condition": "grappled"}]
    assert "conditions" not in hall.person("aria")


# a new round


def test_terrain_goes_away_when_its_rounds_are_over(hall_with: HallWith) -> None:
    hall = hall_with(fight(linked("aria", 0, 0)))
    both = {"encounter_id": "encounter-1", "operation": "add"}
    hall.do("modify_terrain", **both, terrain_type="obstacle", positions=["2,2", "2,3"], duration=2)
    acid = {"type": "acid", "damage": "1d4"}
    hall.do("modify_terrain", **both, terrain_type="hazard", positions=["9,9"], hazard_details=acid)
    hall.do(
        "modify_terrain", **both, terrain_type="hazard", positions=["9,9"], hazard_details={"type": "gas"}, duration=1
    )
    gone = advance(hall)["terrain_expired"]
    assert gone == [{"terrain_type": "hazard", "positions": ["9,9"]}]
    assert [each["type"] for each in hall.encounter()["terrain"]["hazards"]] == ["acid"]
    gone = advance(hall)["terrain_expired"]
    assert gone == [{"terrain_type": "obstacle", "positions": ["2,2", "2,3"]}]
    assert not {"obstacles", "timed"} & set(hall.encounter()["terrain"])


def test_concentration_and_all_that_hangs_on_it_run_out(hall_with: HallWith) -> None:
    blessed = {"effect_id": "effect-1", "name": "Bless", "duration": "concentration", "source": "brom"}
    held = {"spell_name": "Bless", "duration": 10, "rounds_remaining": 2}
    hall = hall_with(
        changed("aria", effects=[blessed]),
        changed("brom", concentration=held),
        fight(linked("aria", 0, 0), linked("brom", 3, 0)),
    )
    assert [advance(hall)["concentration_ended"] for _ in range(3)] == [[], [], []]
    assert hall.person("brom")["concentration"]["rounds_remaining"] == 1
    assert advance(hall)["concentration_ended"] == [{"target_id": "brom", "spell_name": "Bless"}]
    assert "concentration" not in hall.person("brom")
    assert "effects" not in hall.person("aria")


def aura(**fields: Any) -> dict[str, Json]:
    value = {
        "id": "aura-1",
        "owner_id": "brom",
        "spell_name": "Spirit Guardians",
        "radius": 15,
        "affects_enemies": True,
    }
    return {"auras/aura-1.json": value | {"encounter_id": "encounter-1", "damage": "3d8"} | fields}


def test_an_aura_acts_on_whose_turn_begins_within_it(hall_with: HallWith) -> None:
    people = (linked("brom", 0, 0), linked("aria", 1, 0), ephemeral("rat", 2, 2), ephemeral("bat", 9, 9))
    hall = hall_with(aura(), fight(*people))
    assert advance(hall)["aura_results"] == []  # an ally
    (row,) = advance(hall, [1, 2, 3])["aura_results"]
    assert (row["aura_id"], row["target_id"], row["damage_applied"]) == ("aura-1", "rat", 6)
    assert place(hall, "rat")["body"]["hp"] == 4
    assert advance(hall)["aura_results"] == []  # too far


def test_without_process_auras_they_only_grow_older(hall_with: HallWith) -> None:
    lasting = aura(duration=2, rounds_remaining=2)
    hall = hall_with(lasting, fight(linked("brom", 0, 0), ephemeral("rat", 2, 2)))
    first = advance(hall, process_auras=False)
    assert (first["aura_results"], first["auras_expired"]) == ([], [])
    assert advance(hall, process_auras=False)["auras_expired"] == []
    assert hall.campaign.state["auras/aura-1.json"]["rounds_remaining"] == 1
    advance(hall, process_auras=False)
    assert advance(hall)["auras_expired"] == [{"aura_id": "aura-1", "spell_name": "Spirit Guardians"}]
    assert "auras/aura-1.json" not in hall.campaign.state


# what is refused


def test_a_fight_is_advanced_once_in_a_turn(hall_with: HallWith) -> None:
    other = fight(linked("brom", 0, 0), encounter_id="encounter-2")
    hall = hall_with(fight(linked("aria", 0, 0), ephemeral("rat", 3, 3)), other)
    again = call("advance_turn", "again", encounter_id="encounter-1")
    elsewhere = call("advance_turn", "elsewhere", encounter_id="encounter-2")
    reply = hall.campaign.process({"tool_calls": [call("advance_turn", encounterId="encounter-1"), again, elsewhere]})
    assert failed(reply) == [("rejected", "conflict")]
    assert [action["id"] for action in reply["applied_actions"]] == ["call_001", "elsewhere"]
    assert hall.encounter()["turn_index"] == 1
    assert advance(hall)["current"]["id"] == "aria"  # the next turn may


def test_a_failed_advance_does_not_count(hall_with: HallWith) -> None:
    hall = hall_with(fight(linked("aria", 0, 0)))
    wrong = call("advance_turn", "wrong", encounter_id="encounter-1", process_effects="maybe")
    right = call("advance_turn", "right", encounter_id="encounter-1")
    reply = hall.campaign.process({"tool_calls": [wrong, right]})
    assert [action["id"] for action in reply["applied_actions"]] == ["right"]


def test_there_must_be_such_a_fight_and_it_must_go_on(hall_with: HallWith) -> None:
    hall = hall_with(fight(linked("aria", 0, 0)))
    failure = hall.fail("advance_turn", encounter_id="encounter-7")
    assert (failure["reason"], failure["hint"]["choices"]) == ("not_found", ["encounter-1"])
    assert hall.why("advance_turn") == "invalid_args"
    hall.do("end_encounter", encounter_id="encounter-1", outcome="victory")
    assert hall.why("advance_turn", encounter_id="encounter-1") == "conflict"


# whatever happens


BODY = st.sampled_from([("pc", 5), ("pc", 0), ("enemy", 5), ("enemy", 0), ("npc", 1), ("neutral", 0)])


@settings(max_examples=tries(15), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(bodies=st.lists(BODY, min_size=1, max_size=5), turns=st.integers(1, 8))
def test_only_who_has_turns_gets_one_and_rounds_never_go_back(
    hall_with: HallWith, bodies: list[tuple[str, int]], turns: int
) -> None:
    people = [ephemeral(f"p{i}", i, 0, character_type=kind) for i, (kind, _) in enumerate(bodies)]
    for person, (_, hp) in zip(people, bodies, strict=True):
        person["body"] |= {"hp": hp}
    hall = hall_with(fight(*people))
    up = any(hp for _, hp in bodies)
    rounds = 1
    for _ in range(turns):
        result = advance(hall)
        kind, hp = bodies[int(result["current"]["id"][1:])]
        assert result["all_down"] is not up
        assert (hp > 0 or kind == "pc") or not up
        assert result["death_save_required"] == (hp == 0 and kind == "pc")
        assert result["round"] - rounds == int(result["new_round"])
        rounds = result["round"]
