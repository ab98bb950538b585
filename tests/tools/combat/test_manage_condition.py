"""manage_condition: who gets what, for how long, and what it ends."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.builders import Json
from tests.sampling import tries
from tests.tools.conftest import HallWith
from tests.tools.hall import Hall, changed, ephemeral, fight, hall_documents, linked

FIFTEEN = [
    "blinded",
    "charmed",
    "deafened",
    "frightened",
    "grappled",
    "incapacitated",
    "invisible",
    "paralyzed",
    "petrified",
    "poisoned",
    "prone",
    "restrained",
    "stunned",
    "unconscious",
    "exhaustion",
]
ENDS_CONCENTRATION = ("incapacitated", "paralyzed", "petrified", "stunned", "unconscious")


def add(hall: Hall, who: str, condition: str, **more: Any) -> Json:
    return hall.do("manage_condition", target_id=who, operation="add", condition=condition, **more)


def names(result: Json) -> list[str]:
    return [row["condition"] for row in result["conditions"]]


def concentrating(who: str, spell: str = "Bless", **more: Any) -> dict[str, Json]:
    path = f"characters/{who}.json"
    return {path: hall_documents()[path] | {"concentration": {"spell_name": spell} | more}}


@pytest.mark.parametrize("condition", FIFTEEN)
def test_each_of_the_fifteen_is_added_shown_and_removed(hall: Hall, condition: str) -> None:
    added = add(hall, "brom", condition)
    assert (added["target"], added["changed"], added["blocked"]) == ("brom", True, False)
    assert names(added) == [condition, "prone"] if condition == "unconscious" else [condition]
    row = added["conditions"][0]
    assert row["exhaustion_level"] == (1 if condition == "exhaustion" else None)
    assert hall.person("brom")["conditions"][0]["condition"] == condition
    removed = hall.do("manage_condition", target_id="brom", operation="remove", condition=condition)
    assert removed["changed"]
    assert condition not in names(removed)


def test_what_a_condition_does_is_told_with_it(hall: Hall) -> None:
    done = add(hall, "brom", "restrained", source="a net")["conditions"][0]
    assert done["mechanical"] == {
        "disadvantage_on": ["attack_rolls", "dex_saves"],
        "speed_multiplier": 1,
        "max_hp_multiplier": 1,
        "cannot_move": True,
        "can_only_crawl": False,
        "incapacitated": False,
        "auto_fail_saves": [],
        "dead": False,
    }
    assert (done["source"], done["duration"], done["rounds_remaining"]) == ("a net", None, None)


def test_a_second_time_changes_nothing_unless_it_lasts_longer(hall: Hall) -> None:
    add(hall, "brom", "poisoned", duration=3)
    assert not add(hall, "brom", "poisoned", duration=2)["changed"]
    longer = add(hall, "brom", "poisoned", duration=5)
    assert longer["changed"]
    assert longer["conditions"][0]["rounds_remaining"] == 5
    forever = add(hall, "brom", "poisoned")
    assert forever["changed"]
    assert forever["conditions"][0]["duration"] is None
    assert not add(hall, "brom", "poisoned", duration=1000)["changed"]


def test_the_immune_do_not_get_it(hall_with: HallWith) -> None:
    path = "characters/ogg.json"
    ogg = hall_documents()[path]
    hall = hall_with({path: ogg | {"sheet": ogg["sheet"] | {"condition_immunities": ["charmed", "prone"]}}})
    result = add(hall, "ogg", "charmed")
    assert (result["changed"], result["blocked"], result["conditions"]) == (False, True, [])
    assert "conditions" not in hall.person("ogg")
    assert names(add(hall, "ogg", "unconscious")) == ["unconscious"]
    assert add(hall, "aria", "petrified")["changed"]
    assert add(hall, "aria", "poisoned")["blocked"]


def test_exhaustion_adds_up_goes_down_and_disappears(hall: Hall) -> None:
    assert add(hall, "dain", "exhaustion", exhaustion_levels=2)["exhaustion_level"] == 2
    assert add(hall, "dain", "exhaustion")["exhaustion_level"] == 3
    remove = {"target_id": "dain", "operation": "remove", "condition": "exhaustion"}
    assert hall.do("manage_condition", **remove, exhaustion_levels=2)["exhaustion_level"] == 1
    last = hall.do("manage_condition", **remove, exhaustion_levels=9)
    assert (last["exhaustion_level"], last["conditions"], last["changed"]) == (0, [], True)
    again = hall.do("manage_condition", **remove)
    assert (again["exhaustion_level"], again["changed"]) == (0, False)


@pytest.mark.parametrize("who", ["brom", "grik", "lena"])
def test_the_sixth_level_of_exhaustion_kills_anybody(hall: Hall, who: str) -> None:
    assert add(hall, who, "exhaustion", exhaustion_levels=5)["exhaustion_level"] == 5
    assert hall.person(who)["character_state"] == "alive"
    assert add(hall, who, "exhaustion", exhaustion_levels=3)["exhaustion_level"] == 6
    dead = hall.person(who)
    assert (dead["hp"], dead["character_state"], dead["death_saves"]["dead"]) == (0, "dead", True)


def test_six_levels_kill_without_a_state_where_the_rule_is_off(hall: Hall) -> None:
    hall.campaign.set({"rules.hp_zero_ends_game": False})
    add(hall, "brom", "exhaustion", exhaustion_levels=6)
    assert hall.person("brom")["character_state"] == "alive"
    assert hall.person("brom")["death_saves"]["dead"]


def test_all_removes_everything_but_what_hit_points_did(hall: Hall) -> None:
    hall.do("hp_delta", target_character_id="brom", delta=-38, cause="a falling stone")
    add(hall, "brom", "poisoned")
    add(hall, "brom", "exhaustion", exhaustion_levels=3)
    result = hall.do("manage_condition", target_id="brom", operation="remove", condition="all")
    assert result["changed"]
    assert names(result) == ["unconscious"]
    again = hall.do("manage_condition", target_id="brom", operation="remove", condition="all")
    assert not again["changed"]


def test_only_healing_wakes_who_is_at_no_hit_points(hall: Hall) -> None:
    hall.do("hp_delta", target_character_id="brom", delta=-38, cause="a falling stone")
    assert hall.why("manage_condition", target_id="brom", operation="remove", condition="unconscious") == (
        "rule_violation"
    )
    add(hall, "dain", "unconscious", source="a sleeping draught")
    woken = hall.do("manage_condition", target_id="dain", operation="remove", condition="unconscious")
    assert names(woken) == ["prone"]


def struck_down(hall: Hall, who: str = "brom") -> None:
    hall.do("hp_delta", target_character_id=who, delta=-38, cause="a falling stone")


def sources(hall: Hall, who: str = "brom") -> list[str | None]:
    return [each.get("source") for each in hall.person(who)["conditions"] if each["condition"] == "unconscious"]


@pytest.mark.parametrize("lasting", [{}, {"duration": "until_dispelled"}, {"duration": 10}])
@pytest.mark.parametrize("is_first", [True, False])
def test_healing_ends_what_hit_points_brought_and_nothing_else(hall: Hall, lasting: Json, is_first: bool) -> None:
    steps: list[Callable[[], object]] = [
        lambda: add(hall, "brom", "unconscious", source="poison", **lasting),
        lambda: struck_down(hall),
    ]
    for step in steps if is_first else reversed(steps):
        step()
    assert sorted(map(str, sources(hall))) == ["hp_zero", "poison"]
    hall.do("hp_delta", target_character_id="brom", delta=5, cause="a prayer")
    assert sources(hall) == ["poison"]
    assert hall.person("brom")["character_state"] == "alive"
    hall.do("manage_condition", target_id="brom", operation="remove", condition="unconscious")
    assert sources(hall) == []


@pytest.mark.parametrize("condition", ["unconscious", "all"])
@pytest.mark.parametrize("is_first", [True, False])
def test_who_is_at_no_hit_points_stays_unconscious_when_a_curse_ends(
    hall: Hall, condition: str, is_first: bool
) -> None:
    steps: list[Callable[[], object]] = [
        lambda: add(hall, "brom", "unconscious", source="a curse"),
        lambda: struck_down(hall),
    ]
    for step in steps if is_first else reversed(steps):
        step()
    ended = hall.do("manage_condition", target_id="brom", operation="remove", condition=condition)
    assert ended["changed"]
    assert sources(hall) == ["hp_zero"]
    assert hall.why("manage_condition", target_id="brom", operation="remove", condition="unconscious") == (
        "rule_violation"
    )


def test_unconsciousness_that_runs_out_is_told_though_hit_points_go_on_with_theirs(hall: Hall) -> None:
    add(hall, "brom", "unconscious", source="poison", duration=1)
    struck_down(hall)
    ticked = hall.do("manage_condition", target_id="brom", operation="tick")
    assert (ticked["expired"], ticked["changed"], sources(hall)) == (["unconscious"], True, ["hp_zero"])


def test_two_causes_are_one_unconsciousness_to_others(hall_with: HallWith) -> None:
    hall = hall_with(fight(ephemeral("g1", 1, 0), linked("brom", 0, 0)))
    add(hall, "brom", "unconscious", source="poison")
    struck_down(hall)
    context = hall.do("get_session_context", format="detailed", include=["combat"])
    names_seen = context["combat"]["encounters"][0]["participants"][1]["conditions"]
    assert names_seen == ["unconscious", "prone"]
    blow = {"encounter_id": "encounter-1", "actor_id": "g1", "target_id": "brom", "action_type": "attack"}
    attack = hall.do("execute_action", [1, 1], **blow)["attack"]
    assert attack["advantage_reasons"].count("unconscious") == 1


def test_rounds_tick_down_and_what_is_not_counted_stays(hall: Hall) -> None:
    add(hall, "brom", "poisoned", duration=2)
    add(hall, "brom", "blinded", duration="save_ends", save_dc=13, save_ability="con")
    add(hall, "brom", "prone")
    first = hall.do("manage_condition", target_id="brom", operation="tick")
    assert (first["ticked"], first["expired"], first["changed"]) == (["poisoned"], [], True)
    second = hall.do("manage_condition", target_id="brom", operation="tick")
    assert (second["ticked"], second["expired"]) == ([], ["poisoned"])
    third = hall.do("manage_condition", target_id="brom", operation="tick")
    assert (third["ticked"], third["expired"], third["changed"]) == ([], [], False)
    assert names(third) == ["blinded", "prone"]


def test_a_query_changes_nothing(hall: Hall) -> None:
    add(hall, "brom", "poisoned", duration=2)
    before = hall.campaign.state
    result = hall.do("manage_condition", target_name="brom", operation="query")
    assert names(result) == ["poisoned"]
    assert result["condition"] is None
    assert hall.campaign.state == before


@pytest.mark.parametrize("condition", FIFTEEN)
def test_who_cannot_act_cannot_concentrate(hall_with: HallWith, condition: str) -> None:
    hall = hall_with(concentrating("cyra"))
    broken = add(hall, "cyra", condition)["concentration_broken"]
    assert broken is (condition in ENDS_CONCENTRATION)
    assert ("concentration" in hall.person("cyra")) is not broken


def test_what_concentration_holds_goes_with_it(hall_with: HallWith) -> None:
    hall = hall_with(concentrating("cyra", "Hold Person"))
    held = add(hall, "brom", "paralyzed", source="Cyra", duration="concentration")
    assert held["conditions"][0]["source"] == "cyra"
    assert names(add(hall, "brom", "prone", source="Cyra")) == ["paralyzed", "prone"]
    assert add(hall, "cyra", "stunned")["concentration_broken"]
    left = hall.do("manage_condition", target_id="brom", operation="query")
    assert names(left) == ["prone"]


def test_a_source_that_is_nobodys_name_stays_as_it_is(hall: Hall) -> None:
    assert add(hall, "brom", "poisoned", source="a bad oyster")["conditions"][0]["source"] == "a bad oyster"
    assert add(hall, "dain", "charmed", source="aria")["conditions"][0]["source"] == "aria"
    assert add(hall, "dain", "prone", source="Aria ")["conditions"][1]["source"] == "Aria "  # there are two


def test_concentration_that_nobody_keeps_is_warned_of(hall_with: HallWith) -> None:
    hall = hall_with(concentrating("cyra"))
    args = {"target_id": "brom", "operation": "add", "condition": "charmed", "duration": "concentration"}
    assert "warnings" in hall.action("manage_condition", **args, source="a dryad")
    assert "warnings" in hall.action("manage_condition", **args | {"target_id": "dain"})
    assert "warnings" not in hall.action("manage_condition", **args | {"target_id": "aria"}, source="cyra")


def test_a_condition_outside_the_fifteen_does_what_it_says(hall: Hall) -> None:
    slowed = {"speed_multiplier": 0.5, "disadvantage_on": ["dex_saves"]}
    made = {"target_id": "brom", "custom_name": "Mired"}
    added = hall.do("manage_condition", operation="add", **made, mechanical=slowed, duration=3)
    assert added["condition"] == "Mired"
    assert added["conditions"][0]["mechanical"]["speed_multiplier"] == 0.5
    assert added["conditions"][0]["mechanical"]["disadvantage_on"] == ["dex_saves"]
    removed = hall.do("manage_condition", operation="remove", target_id="brom", custom_name="mired")
    assert removed["changed"]
    assert removed["conditions"] == []


def test_no_condition_outside_the_fifteen_kills(hall: Hall) -> None:
    told = hall.fail(
        "manage_condition",
        target_id="brom",
        operation="add",
        custom_name="Soul torn",
        mechanical={"dead": True, "cannot_move": True},
    )
    assert told["reason"] == "invalid_args"
    assert told["hint"] == {"field": "args.mechanical.dead", "got": True}


def test_who_was_raised_does_not_die_again_of_what_an_older_document_says(hall_with: HallWith) -> None:
    torn = {"condition": "Soul torn", "mechanical": {"dead": True}}
    hall = hall_with(changed("brom", conditions=[torn]))
    assert names(add(hall, "brom", "poisoned")) == ["Soul torn", "poisoned"]
    assert (hall.person("brom")["hp"], hall.person("brom")["character_state"]) == (38, "alive")


def test_a_custom_name_of_the_fifteen_is_that_condition(hall: Hall) -> None:
    added = hall.do("manage_condition", target_id="brom", operation="add", custom_name="Stunned")
    assert added["condition"] == "stunned"
    assert added["conditions"][0]["mechanical"]["incapacitated"]


def test_in_a_fight_the_character_has_the_condition_and_the_fight_counts_it(hall_with: HallWith) -> None:
    hall = hall_with(fight(linked("aria", 0, 0), ephemeral("goblin", 2, 2), linked("brom", 4, 4, id="priest")))
    add(hall, "aria", "prone")
    add(hall, "aria", "prone")
    for target in ("goblin", "priest"):
        assert add(hall, target, "poisoned", encounter_id="encounter-1", duration=2)["target"] == target
    assert hall.person("brom")["conditions"] == [{"condition": "poisoned", "duration": 2, "rounds_remaining": 2}]
    body = hall.encounter()["participants"][1]["body"]
    assert body["conditions"] == [{"condition": "poisoned", "duration": 2, "rounds_remaining": 2}]
    assert hall.encounter()["conditions_applied"] == {"poisoned": 2, "prone": 1}
    by_name = hall.do("manage_condition", target_name="Goblin", encounter_id="encounter-1", operation="tick")
    assert by_name["ticked"] == ["poisoned"]


def test_a_source_in_the_fight_is_found_again_after_it_where_it_holds_a_spell(hall_with: HallWith) -> None:
    people = [linked("cyra", 0, 0, id="mage", name="The Mage"), ephemeral("goblin", 2, 2), linked("brom", 3, 3)]
    hall = hall_with(concentrating("cyra"), fight(*people))
    held = add(hall, "brom", "charmed", source="the mage", duration="concentration")
    assert held["conditions"][0]["source"] == "cyra"
    assert add(hall, "brom", "frightened", source="the mage")["conditions"][1]["source"] == "mage"
    add(hall, "goblin", "charmed", source="mage", duration="concentration", encounter_id="encounter-1")
    assert add(hall, "mage", "stunned", encounter_id="encounter-1")["concentration_broken"]
    assert "conditions" not in hall.encounter()["participants"][1]["body"]
    assert [row["condition"] for row in hall.person("brom")["conditions"]] == ["frightened"]


@pytest.mark.parametrize("condition", ["stunned", "poisoned"])
def test_who_cannot_act_lets_go_of_whom_they_hold(hall_with: HallWith, condition: str) -> None:
    hall = hall_with(fight(linked("aria", 0, 0), linked("grik", 1, 0)))
    add(hall, "grik", "grappled", source="aria")
    add(hall, "aria", condition)
    assert ("conditions" in hall.person("grik")) is (condition == "poisoned")


@pytest.mark.parametrize(
    ("args", "reason", "field"),
    [
        ({"operation": "add", "condition": "prone"}, "invalid_args", "args.target_id"),
        ({"target_id": "nobody", "operation": "query"}, "not_found", "args.target_id"),
        ({"target_name": "Nobody", "operation": "query"}, "not_found", "args.target_name"),
        ({"target_name": "Aria", "operation": "query"}, "ambiguous", "args.target_id"),
        ({"target_id": "brom", "target_name": "Cyra", "operation": "query"}, "invalid_args", "args.target_name"),
        ({"target_id": "brom", "encounter_id": "encounter-9", "operation": "query"}, "not_found", "args.encounter_id"),
        ({"target_id": "brom"}, "invalid_args", "args.operation"),
        ({"target_id": "brom", "operation": "juggle"}, "invalid_args", "args.operation"),
        ({"target_id": "brom", "operation": "remve", "condition": "prone"}, "invalid_args", "args.operation"),
        ({"target_id": "brom", "operation": "add"}, "invalid_args", "args.condition"),
        ({"target_id": "brom", "operation": "remove"}, "invalid_args", "args.condition"),
        ({"target_id": "brom", "operation": "add", "condition": "all"}, "invalid_args", "args.condition"),
        ({"target_id": "brom", "operation": "add", "condition": "banana"}, "invalid_args", "args.condition"),
        ({"target_id": "brom", "operation": "add", "condition": "prone", "duration": 0}, "invalid_args", None),
        ({"target_id": "brom", "operation": "add", "condition": "prone", "duration": 1.5}, "invalid_args", None),
        ({"target_id": "brom", "operation": "add", "condition": "prone", "duration": True}, "invalid_args", None),
        ({"target_id": "brom", "operation": "add", "condition": "prone", "duration": "zzz"}, "invalid_args", None),
        (
            {"target_id": "brom", "operation": "add", "condition": "prone", "duration": "save_ends", "save_dc": 12},
            "invalid_args",
            "args.save_ability",
        ),
        (
            {"target_id": "brom", "operation": "add", "condition": "prone", "duration": "save_ends"},
            "invalid_args",
            "args.save_dc",
        ),
        (
            {"target_id": "brom", "operation": "add", "condition": "exhaustion", "exhaustion_levels": 0},
            "invalid_args",
            "args.exhaustion_levels",
        ),
        (
            {"target_id": "brom", "operation": "add", "condition": "prone", "custom_name": "Dizzy"},
            "invalid_args",
            "args.custom_name",
        ),
        (
            {"target_id": "brom", "operation": "add", "condition": "prone", "mechanical": {}},
            "invalid_args",
            "args.mechanical",
        ),
        ({"target_id": "brom", "operation": "query", "nonsense": 1}, "invalid_args", "args.nonsense"),
    ],
)
def test_what_is_wrong_is_told_and_changes_nothing(hall: Hall, args: Json, reason: str, field: str | None) -> None:
    feedback = hall.fail("manage_condition", **args)
    assert feedback["reason"] == reason
    assert feedback["hint"].get("field") == (field or "args.duration")


def test_an_ended_fight_cannot_be_changed(hall_with: HallWith) -> None:
    hall = hall_with(fight(ephemeral("goblin", 0, 0), status="ended"))
    args = {"target_id": "goblin", "encounter_id": "encounter-1", "operation": "add", "condition": "prone"}
    assert hall.why("manage_condition", **args) == "conflict"


def test_words_may_be_spelt_loosely_and_keys_in_both_ways(hall: Hall) -> None:
    action = hall.action(
        "manage_condition",
        targetName="BROM",
        operation="Apply",
        condition="poisond",
        duration="Save Ends",
        saveDC=13,
        saveAbility="constitution",
    )
    assert action["args"] == {
        "target_name": "BROM",
        "operation": "add",
        "condition": "poisoned",
        "duration": "save_ends",
        "save_dc": 13,
        "save_ability": "con",
    }
    told = {(row["field"], row["how"]) for row in action["corrections"]}
    assert told == {
        ("args.operation", "alias"),
        ("args.condition", "fuzzy"),
        ("args.duration", "case"),
        ("args.save_ability", "alias"),
    }


def test_a_batch_does_each_item_by_itself(hall_with: HallWith) -> None:
    hall = hall_with(fight(linked("aria", 0, 0), ephemeral("goblin", 2, 2)))
    items = [
        {"target_id": "goblin", "operation": "add", "condition": "prone"},
        {"target_id": "nobody", "operation": "add", "condition": "prone"},
        {"target_id": "aria", "operation": "add", "condition": "exhaustion"},
        {"target_id": "aria", "operation": "add", "condition": "exhaustion"},
    ]
    reply = hall.reply("manage_condition", {"encounter_id": "encounter-1", "batch": items})
    assert reply["status"] == "partial"
    result = reply["applied_actions"][0]["result"]
    assert [row["ok"] for row in result["results"]] == [True, False, True, True]
    assert result["results"][3]["result"]["exhaustion_level"] == 2
    assert hall.why("manage_condition", encounter_id="encounter-1", batch=items, atomic=True) == "not_found"


@given(
    steps=st.lists(
        st.tuples(st.sampled_from(["add", "remove", "tick"]), st.sampled_from(FIFTEEN), st.sampled_from([None, 1, 3])),
        max_size=6,
    )
)
@settings(max_examples=tries(10), suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_condition_is_had_twice_and_exhaustion_stays_within_six(
    hall_with: HallWith, steps: list[tuple[str, str, int | None]]
) -> None:
    hall = hall_with()
    for operation, condition, duration in steps:
        args: Json = {"target_id": "ogg", "operation": operation, "condition": condition}
        result = hall.do("manage_condition", **args | ({"duration": duration} if duration else {}))
        assert len(names(result)) == len(set(names(result)))
        assert all((row["exhaustion_level"] or 0) <= 6 for row in result["conditions"])
        assert all(row["rounds_remaining"] is None or row["rounds_remaining"] > 0 for row in result["conditions"])
