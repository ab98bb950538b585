"""end_encounter: what a fight leaves behind, and what a rehearsal does not."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.builders import Json, call, failed
from tests.sampling import tries
from tests.tools.conftest import HallWith
from tests.tools.hall import Hall, changed, ephemeral, fight, hall_documents, linked

GOBLIN = {"id": "g", "name": "Goblin", "hp": 7, "max_hp": 7, "position": {"x": 5, "y": 5}, "is_enemy": True}


def end(hall: Hall, outcome: str = "victory", /, **args: Any) -> Json:
    return hall.do("end_encounter", encounter_id="encounter-1", outcome=outcome, **args)


@pytest.fixture
def fighting(hall: Hall) -> Hall:
    people = [{"character_id": "aria"}, {"character_id": "cyra"}, GOBLIN]
    hall.do("create_encounter", [12, 11, 10], participants=people)
    return hall


def update(result: Json, who: str) -> Json:
    found: Json = next(row for row in result["participant_updates"] if row["participant_id"] == who)
    return found


def test_what_the_fight_made_of_characters_stays(fighting: Hall) -> None:
    fighting.do("update_character", character_id="aria", hp="-10")
    fighting.do("manage_condition", target_id="aria", operation="add", condition="poisoned")
    fighting.do("manage_spell_slots", character_id="cyra", operation="expend", slot_level=1, count=2)
    before = fighting.person("aria")
    result = end(fighting)
    assert fighting.person("aria") == before
    assert (result["outcome"], result["rounds"], result["committed"]) == ("victory", 1, True)
    aria = update(result, "aria")
    assert (aria["character_id"], aria["is_ephemeral"]) == ("aria", False)
    assert aria["hp"] == {"initial": 44, "final": 34, "delta": -10}
    assert aria["conditions"] == {"initial": [], "added": ["poisoned"], "removed": [], "final": ["poisoned"]}
    assert update(result, "cyra")["spell_slots"] == {"expended": [{"level": 1, "count": 2}]}
    goblin = update(result, "g")
    assert (goblin["character_id"], goblin["is_ephemeral"], goblin["name"]) == (None, True, "Goblin")


def test_a_rehearsal_is_taken_back_but_reported(fighting: Hall) -> None:
    before = fighting.person("aria")
    fighting.do("update_character", character_id="aria", hp="-100")
    fighting.do("manage_condition", target_id="aria", operation="add", condition="exhaustion", exhaustion_levels=2)
    fighting.do("manage_spell_slots", character_id="cyra", operation="expend", slot_level=1)
    assert fighting.person("aria")["character_state"] == "dead"
    result = end(fighting, "defeat", commit=False)
    assert fighting.person("aria") == before
    assert result["committed"] is False
    assert update(result, "aria")["hp"] == {"initial": 44, "final": 0, "delta": -44}
    assert {row["id"]: row["status"] for row in result["summary"]["participants"]}["aria"] == "dead"
    assert fighting.person("cyra")["sheet"]["spell_slots"]["1"]["current"] == 3  # slots are not put back
    bodies = {person["id"]: person["body"] for person in fighting.encounter()["participants"]}
    assert bodies["aria"]["character_state"] == "dead"


def test_conditions_of_before_are_not_added_to_what_is_there(hall_with: HallWith) -> None:
    weary = {"conditions": [{"condition": "exhaustion", "exhaustion_level": 2}]}
    hall = hall_with(changed("aria", **weary))
    hall.do("create_encounter", [12, 11], participants=[{"character_id": "aria"}])
    end(hall, commit=False)
    assert hall.person("aria")["conditions"] == weary["conditions"]


def test_nobody_gets_more_hit_points_back_than_they_can_have(fighting: Hall) -> None:
    fighting.do("update_character", character_id="aria", max_hp=30)
    end(fighting, commit=False)
    assert (fighting.person("aria")["hp"], fighting.person("aria")["max_hp"]) == (30, 30)


def test_who_is_back_at_0_concentrates_on_nothing(hall_with: HallWith) -> None:
    fallen = {"hp": 0, "character_state": "dying", "death_saves": {}}
    hall = hall_with(changed("brom", **fallen))
    hall.do("create_encounter", [12], participants=[{"character_id": "brom"}])
    hall.do("update_character", character_id="brom", hp="+5")
    hall.do("manage_concentration", character_id="brom", operation="set", spell_name="Bless")
    end(hall, commit=False)
    assert (hall.person("brom")["hp"], "concentration" in hall.person("brom")) == (0, False)


def test_the_sums_are_right_and_the_first_of_the_best_is_the_best(hall_with: HallWith) -> None:
    told = {"damage_dealt": 9, "damage_taken": 4, "healing_done": 2, "attacks_made": 3, "attacks_hit": 2}
    people = (
        linked("aria", 0, 0, statistics={"damage_dealt": 5, "attacks_made": 1}),
        linked("brom", 1, 0, statistics=told),
        ephemeral("rat", 5, 5) | {"statistics": {"damage_dealt": 9}},
    )
    hall = hall_with(fight(*people, round=4, conditions_applied={"prone": 2}))
    summary = end(hall)["summary"]
    assert {key: summary[key] for key in summary if key != "participants"} == {
        "total_damage_dealt": 23,
        "total_healing_done": 2,
        "attacks_made": 4,
        "attacks_hit": 2,
        "conditions_applied": {"prone": 2},
        "most_effective": "Brom",
    }
    assert (
        summary["participants"][1] == {"id": "brom", "name": "Brom", "status": "alive", "hp": 38, "max_hp": 38} | told
    )


def test_what_0_hit_points_bring_and_the_fall_of_the_unconscious_are_counted(hall_with: HallWith) -> None:
    hall = hall_with(fight(linked("aria", 0, 0), linked("brom", 1, 0), linked("cyra", 2, 0), linked("grik", 3, 0)))
    hall.do("update_character", character_id="aria", hp="-44")
    hall.do("update_character", character_id="brom", hp=0)
    hall.do("update_character", character_id="grik", hp="-7")
    add = {"operation": "add", "target_id": "cyra"}
    hall.do("manage_condition", **add, condition="unconscious")
    hall.do("manage_condition", **add, condition="exhaustion")
    hall.do("manage_condition", **add, condition="exhaustion")
    assert end(hall)["summary"]["conditions_applied"] == {"exhaustion": 2, "prone": 3, "unconscious": 3}


def test_nobody_is_most_effective_where_nobody_did_anything(fighting: Hall) -> None:
    assert end(fighting)["summary"]["most_effective"] is None


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({}, "alive"),
        ({"hp": 0, "character_state": "dying", "death_saves": {}}, "down"),
        ({"hp": 0, "character_state": "unconscious", "death_saves": {"stable": True}}, "stable"),
        ({"hp": 0, "character_state": "dead", "death_saves": {"dead": True}}, "dead"),
    ],
)
def test_how_each_came_out_of_it(hall_with: HallWith, fields: Json, status: str) -> None:
    hall = hall_with(changed("aria", **fields), fight(linked("aria", 0, 0)))
    (row,) = end(hall)["summary"]["participants"]
    assert row["status"] == status


def test_the_summary_may_be_left_out(fighting: Hall) -> None:
    result = end(fighting, generate_summary=False)
    assert result["summary"] is None
    assert len(result["participant_updates"]) == 3


def test_what_only_counts_while_it_lasts_is_gone(hall_with: HallWith) -> None:
    aura = {"id": "aura-1", "owner_id": "brom", "spell_name": "Bless", "radius": 10}
    hall = hall_with(
        {
            "auras/aura-1.json": aura | {"encounter_id": "encounter-1"},
            "auras/aura-2.json": aura | {"id": "aura-2"},
        },
        fight(
            linked("aria", 0, 0, economy={"action": True}, dodging=True, hidden=True, surprised=True),
            linked("brom", 1, 0, helped=[{"helper_id": "aria", "kind": "check"}]),
            props=[{"id": "prop-1", "name": "Table", "type": "table", "position": {"x": 7, "y": 7}}],
        ),
    )
    end(hall, notes="A draw.")
    kept = hall.encounter()
    assert (kept["status"], kept["outcome"], kept["notes"], kept["committed"]) == ("ended", "victory", "A draw.", True)
    assert "props" not in kept
    trackers = {"economy", "dodging", "hidden", "surprised", "helped", "readied"}
    assert not any(trackers & set(person) for person in kept["participants"])
    assert all(person["body"]["id"] == person["character_id"] for person in kept["participants"])
    assert "auras/aura-1.json" not in hall.campaign.state
    assert "auras/aura-2.json" in hall.campaign.state


def test_a_dream_gives_back_hit_points_above_the_written_maximum(hall_with: HallWith) -> None:
    aid = {"effect_id": "effect-1", "name": "Aid", "max_hp_modifier": 5}
    most = hall_documents()["characters/aria.json"]["max_hp"]
    hall = hall_with(changed("aria", hp=most + 5, effects=[aid]))
    hall.do("create_encounter", (10,), participants=[{"character_id": "aria"}])
    hall.do("update_character", character_id="aria", hp="-9")
    end(hall, commit=False)
    assert hall.person("aria")["hp"] == most + 5


@pytest.mark.parametrize("commit", [True, False])
def test_what_hangs_on_who_exists_in_the_fight_alone_ends_with_it(hall_with: HallWith, commit: bool) -> None:
    held = {"duration": "concentration", "source": "g1"}
    paralyzed, grappled = {"condition": "paralyzed"} | held, {"condition": "grappled", "source": "g1"}
    slow = {"effect_id": "effect-1", "name": "Slow", "speed_modifier": -10} | held
    hall = hall_with(
        changed("aria", conditions=[paralyzed, {"condition": "prone"}], effects=[slow]),
        changed("brom", conditions=[grappled]),
        fight(
            ephemeral("g1", 1, 1, concentration={"spell_name": "Hold Person", "encounter_id": "encounter-1"}),
            linked("aria", 5, 5),
            linked("brom", 1, 2),
        ),
    )
    result = end(hall, commit=commit)
    assert hall.person("aria")["conditions"] == [{"condition": "prone"}]
    assert "effects" not in hall.person("aria")
    assert "conditions" not in hall.person("brom")
    assert update(result, "aria")["conditions"]["final"] == ["prone"]
    assert "concentration" not in hall.encounter()["participants"][0]["body"]


def test_a_grip_of_a_character_outlasts_the_fight(hall_with: HallWith) -> None:
    grappled = {"condition": "grappled", "source": "ogg"}
    hall = hall_with(changed("brom", conditions=[grappled]), fight(linked("ogg", 1, 1), linked("brom", 1, 3)))
    end(hall)
    assert hall.person("brom")["conditions"] == [grappled]


def test_what_outlasts_the_fight_names_the_character_it_comes_from(hall_with: HallWith) -> None:
    before = {"condition": "charmed", "source": "a distant voice"}
    people = [linked("ogg", 1, 1, id="giant"), linked("brom", 1, 2, id="priest")]
    hall = hall_with(changed("brom", conditions=[before]), fight(*people))
    wrestling = {"encounter_id": "encounter-1", "actor_id": "giant", "action_type": "grapple", "target_id": "priest"}
    hall.do("execute_action", [20, 1], **wrestling)
    hall.do("manage_condition", target_id="brom", operation="add", condition="frightened", source="giant")
    curse = {"name": "Curse", "type": "curse", "speed_modifier": -5, "source": "giant"}
    hall.do("manage_effect", target_id="brom", operation="add", effect=curse)
    grip = {"condition": "grappled", "source": "giant"}
    assert grip in hall.person("brom")["conditions"]
    end(hall)
    fear = {"condition": "frightened", "source": "ogg"}
    assert hall.person("brom")["conditions"] == [before, grip | {"source": "ogg"}, fear]
    assert hall.person("brom")["effects"][0]["source"] == "ogg"
    kept = next(person["body"] for person in hall.encounter()["participants"] if person["id"] == "priest")
    assert kept["conditions"] == hall.person("brom")["conditions"]


def test_what_comes_from_who_exists_in_the_fight_alone_means_nobody_of_a_later_one(hall: Hall) -> None:
    wolf = GOBLIN | {"id": "wolf", "name": "Wolf", "position": {"x": 1, "y": 0}}
    people = [{"character_id": "aria", "position": {"x": 0, "y": 0}}, wolf]
    hall.do("create_encounter", [20, 1], participants=people)
    fell: Json = {"target_id": "aria", "encounter_id": "encounter-1", "operation": "add", "source": "wolf"}
    for name in ("charmed", "poisoned"):
        hall.do("manage_condition", **fell, condition=name)
    end(hall)
    source = "wolf of encounter-1"
    charmed, poisoned = ({"condition": name, "source": source} for name in ("charmed", "poisoned"))
    assert hall.person("aria")["conditions"] == [charmed, poisoned]
    hall.do("create_encounter", [20, 20, 1], participants=people)
    blow = {"encounter_id": "encounter-2", "actor_id": "aria", "action_type": "attack", "target_id": "wolf"}
    assert hall.do("execute_action", [1, 1], **blow)["attack"]["disadvantage_reasons"] == ["poisoned"]


def test_the_source_of_what_a_deleted_character_did_is_nobody_of_a_later_fight(hall_with: HallWith) -> None:
    charmed: Json = {"condition": "charmed", "source": "giant"}
    curse: Json = {"effect_id": "e1", "name": "Curse", "type": "curse", "source": "ogg"}
    people = [linked("ogg", 1, 1, id="giant"), linked("brom", 1, 2)]
    hall = hall_with(changed("brom", conditions=[charmed], effects=[curse]), fight(*people))
    hall.do("delete_character", character_id="ogg")
    end(hall)
    assert hall.person("brom")["conditions"] == [charmed | {"source": "giant of encounter-1"}]
    assert hall.person("brom")["effects"] == [curse | {"source": "giant of encounter-1"}]


def test_an_id_that_is_a_characters_stays_the_characters(hall_with: HallWith) -> None:
    charmed = {"condition": "charmed", "source": "ogg"}
    hall = hall_with(changed("brom", conditions=[charmed]), fight(ephemeral("ogg", 1, 1), linked("brom", 1, 2)))
    end(hall)
    assert hall.person("brom")["conditions"] == [charmed]


def test_the_body_of_a_double_means_nobody_else(hall_with: HallWith) -> None:
    double = ephemeral("double", 1, 3, character_type="npc")
    double["body"]["id"] = "ogg"
    grip = {"condition": "grappled", "source": "ogg"}
    people = [double, linked("ogg", 1, 1, id="giant"), linked("brom", 1, 2)]
    hall = hall_with(changed("brom", conditions=[grip]), fight(*people))
    end(hall)
    assert hall.person("brom")["conditions"] == [grip]


@pytest.mark.parametrize("named", ["giant", "ogg"])
def test_a_grip_of_a_character_that_is_deleted_ends_with_the_fight(hall_with: HallWith, named: str) -> None:
    grip = {"condition": "grappled", "source": named}
    people = [linked("ogg", 1, 1, id="giant", name="The Giant"), linked("brom", 1, 2)]
    hall = hall_with(changed("brom", conditions=[grip]), fight(*people))
    hall.do("delete_character", character_id="ogg")
    assert hall.person("brom")["conditions"] == [grip]
    end(hall)
    assert "conditions" not in hall.person("brom")


@pytest.mark.parametrize(
    ("meanwhile", "stays"),
    [
        ((), True),
        ((("manage_concentration", {"character_id": "brom", "operation": "break"}),), False),
        ((("manage_concentration", {"character_id": "brom", "operation": "set", "spell_name": "Bless"}),), False),
        ((("delete_character", {"character_id": "brom"}),), False),
        ((("manage_condition", {"target_id": "aria", "operation": "remove", "condition": "invisible"}),), True),
    ],
)
def test_a_rehearsal_gives_no_spell_back_that_is_over(
    hall_with: HallWith, meanwhile: tuple[tuple[str, Json], ...], stays: bool
) -> None:
    invisible = {"condition": "invisible", "duration": "concentration", "source": "brom"}
    told = {"condition": "charmed", "duration": "concentration", "source": "a distant voice"}
    hall = hall_with(
        changed("brom", concentration={"spell_name": "Invisibility", "targets": ["aria"]}),
        changed("aria", conditions=[invisible, told]),
    )
    hall.do("create_encounter", [12, 11], participants=[{"character_id": "aria"}, {"character_id": "brom"}])
    for tool, args in meanwhile:
        hall.do(tool, **args)
    end(hall, commit=False)
    assert hall.person("aria")["conditions"] == ([invisible, told] if stays else [told])


def test_afterwards_a_character_is_free_and_the_fight_is_as_it_was(fighting: Hall) -> None:
    end(fighting)
    kept = fighting.encounter()
    fighting.do("update_character", character_id="aria", hp=3)
    assert fighting.encounter() == kept
    fighting.do("create_encounter", [5], participants=[{"character_id": "aria"}])


@pytest.mark.parametrize(
    ("word", "outcome"),
    [
        ("won", "victory"),
        ("Victory", "victory"),
        ("escaped", "fled"),
        ("defeet", "defeat"),
        ("Enemies defeated", "victory"),
    ],
)
def test_outcomes_are_understood_loosely(fighting: Hall, word: str, outcome: str) -> None:
    assert end(fighting, word)["outcome"] == outcome


NOBODY_WON = ["other", "fled", "negotiated", "victory", "defeat"]


@pytest.mark.parametrize("tool", ["end_encounter", "manage_encounter"])
@pytest.mark.parametrize("key", ["encounter_id", "encounterId"])
def test_the_outcome_that_is_offered_first_is_told_by_who_still_stands(fighting: Hall, tool: str, key: str) -> None:
    def offered() -> list[str]:
        operation = {"operation": "end"} if tool == "manage_encounter" else {}
        allowed: list[str] = fighting.fail(tool, **{key: "encounter-1"}, **operation)["hint"]["choices"]
        return allowed

    assert offered() == NOBODY_WON
    fighting.do("update_character", character_id="aria", hp=0)
    assert offered() == NOBODY_WON
    fighting.do("update_character", character_id="cyra", hp=0)
    assert offered()[0] == "defeat"
    fighting.do("update_character", character_id="cyra", hp=1)
    fighting.do("update_character", character_id="g", encounter_id="encounter-1", hp=0)
    assert offered()[0] == "victory"


def test_an_outcome_that_is_no_word_is_told_by_who_still_stands_too(fighting: Hall) -> None:
    assert fighting.fail("end_encounter", encounter_id="encounter-1", outcome=1)["hint"]["choices"] == NOBODY_WON


def test_a_fight_ends_once(fighting: Hall) -> None:
    one = call("end_encounter", "one", encounter_id="encounter-1", outcome="victory")
    two = call("manage_encounter", "two", operation="end", encounter_id="encounter-1", outcome="fled")
    reply = fighting.campaign.process({"tool_calls": [one, two]})
    assert failed(reply) == [("rejected", "conflict")]
    assert fighting.encounter()["outcome"] == "victory"
    assert fighting.why("end_encounter", encounter_id="encounter-1", outcome="fled") == "conflict"


def test_what_is_wrong_is_refused(fighting: Hall) -> None:
    assert fighting.why("end_encounter", encounter_id="encounter-2", outcome="fled") == "not_found"
    failure = fighting.fail("end_encounter", encounter_id="encounter-1")
    assert (failure["reason"], failure["hint"]["field"]) == ("invalid_args", "args.outcome")
    failure = fighting.fail("end_encounter", encounter_id="encounter-1", outcome="banana")
    assert (failure["reason"], failure["hint"]["field"]) == ("invalid_args", "args.outcome")
    assert fighting.why("end_encounter", encounter_id="encounter-1", outcome="fled", commit="no") == "invalid_args"


def test_the_participant_of_a_deleted_character_is_reported_as_one_of_the_fight_alone(fighting: Hall) -> None:
    fighting.do("update_character", character_id="aria", hp="-10")
    fighting.do("manage_spell_slots", character_id="cyra", operation="expend", slot_level=1)
    fighting.do("delete_character", batch=[{"character_id": "aria"}, {"character_id": "cyra"}])
    result = end(fighting, commit=False)
    aria, cyra = update(result, "aria"), update(result, "cyra")
    assert (aria["is_ephemeral"], aria["hp"]) == (True, {"initial": 44, "final": 34, "delta": -10})
    assert cyra["spell_slots"] == {"expended": [{"level": 1, "count": 1}]}
    assert "characters/aria.json" not in fighting.campaign.state


@settings(max_examples=tries(10), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(changes=st.lists(st.integers(-60, 60), max_size=5), afflictions=st.sets(st.sampled_from(["prone", "stunned"])))
def test_a_rehearsal_leaves_no_trace_on_the_sheet_whatever_happens(
    hall_with: HallWith, changes: list[int], afflictions: set[str]
) -> None:
    hall = hall_with()
    before = hall.person("dain")
    hall.do("create_encounter", [12], participants=[{"character_id": "dain"}])
    for change in changes:
        # Healing the dead fails, and that is all right.
        args = {"character_id": "dain", "hp": f"{change:+d}"}
        hall.campaign.process({"tool_calls": [call("update_character", **args)]})
    for condition in sorted(afflictions):
        hall.do("manage_condition", target_id="dain", operation="add", condition=condition)
    end(hall, commit=False)
    assert hall.person("dain") == before
