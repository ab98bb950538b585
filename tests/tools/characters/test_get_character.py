"""get_character: one with all there is, or a list of who fits."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.builders import Json
from tests.sampling import tries
from tests.tools.conftest import HallWith
from tests.tools.hall import Hall, changed, fight, linked


def listed(hall: Hall, **args: Any) -> list[str]:
    result = hall.do("get_character", **args)
    ids = [row["character_id"] for row in result["characters"]]
    assert result["count"] == len(ids)
    return ids


EVERYBODY = ["aria", "aria_2", "brom", "cyra", "dain", "grik", "lena", "ogg"]


@pytest.mark.parametrize(
    "args",
    [
        {"character_id": "brom"},
        {"character_name": "Brom"},
        {"character_name": "  bROM "},
        {"characterName": "brom"},
        {"character_id": "brom", "character_name": "brom"},
    ],
)
def test_one_is_found_by_id_or_by_name(hall: Hall, args: Json) -> None:
    assert hall.do("get_character", **args)["character"]["id"] == "brom"


def test_one_is_shown_with_all_there_is(hall: Hall) -> None:
    shown = hall.do("get_character", character_id="cyra")
    assert set(shown) == {
        "character",
        "effective",
        "conditions",
        "effects",
        "concentration",
        "spell_slots",
        "pact_slots",
        "inventory_summary",
    }
    assert shown["spell_slots"]["2"] == {"current": 1, "max": 3}
    assert (shown["conditions"], shown["effects"], shown["concentration"]) == ([], [], None)
    assert shown["effective"]["stats"]["int"] == {"base": 18, "effective": 18, "modified": False, "modifiers": []}
    assert shown["character"]["ability_modifiers"]["int"] == 4
    assert shown["character"]["hit_die"] == 6


def test_who_has_no_sheet_is_shown_without_values(hall: Hall) -> None:
    shown = hall.do("get_character", character_id="lena")
    assert shown["effective"] is None
    assert shown["character"]["hp"] == 8
    assert shown["character"]["proficiency_bonus"] is None


def test_layers_are_reckoned_in_and_never_written(hall_with: HallWith) -> None:
    tired = {"condition": "exhaustion", "exhaustion_level": 4}
    blessed = {"effect_id": "e", "name": "Aid", "max_hp_modifier": 5, "ac_bonus": 1, "ability_bonuses": {"str": 2}}
    hall = hall_with(changed("aria", conditions=[tired], effects=[blessed]))
    before = hall.campaign.state
    values = hall.do("get_character", character_id="aria")["effective"]
    assert values["max_hp"] == {
        "base": 44,
        "effective": 24,
        "modified": True,
        "modifiers": ["Aid +5", "exhaustion = 24"],
    }
    assert values["hp"] == 24
    assert values["speed"]["effective"] == 15
    assert values["ac"]["effective"] == 18
    assert values["stats"]["str"]["effective"] == 20
    assert hall.campaign.state == before


def test_an_armor_class_that_dexterity_raises_is_told_from_its_base(hall_with: HallWith) -> None:
    graceful = {"effect_id": "e", "name": "Grace", "ability_bonuses": {"dex": 4}}
    own = {"stats": {"dex": 14}}
    bare = hall_with(changed("aria", effects=[graceful], sheet=own, equipped={}))
    assert bare.do("get_character", character_id="aria")["effective"]["ac"] == {
        "base": 12,
        "effective": 14,
        "modified": True,
        "modifiers": ["DEX +2"],
    }
    said = hall_with(changed("aria", effects=[graceful], sheet=own | {"ac": 15}, equipped={}))
    assert said.do("get_character", character_id="aria")["effective"]["ac"]["modifiers"] == []


def test_conditions_tell_what_they_do(hall_with: HallWith) -> None:
    hall = hall_with(changed("aria", conditions=[{"condition": "poisoned", "source": "a dart"}]))
    (row,) = hall.do("get_character", character_id="aria")["conditions"]
    assert (row["condition"], row["source"]) == ("poisoned", "a dart")
    assert row["mechanical"]["disadvantage_on"] == ["attack_rolls", "ability_checks"]


def test_values_of_a_fight_count_while_it_runs(hall_with: HallWith) -> None:
    hall = hall_with(fight(linked("aria", 0, 0, overrides={"ac": 12, "speed": 0})))
    values = hall.do("get_character", character_id="aria")["effective"]
    assert (values["ac"]["effective"], values["speed"]["effective"]) == (12, 0)


def test_belongings_are_summed_up(hall: Hall) -> None:
    summary = hall.do("get_character", character_id="aria")["inventory_summary"]
    assert summary == {"entries": 2, "total_weight": 4, "equipped": {"mainhand": "Longsword"}}


def test_a_list_is_ordered_by_name_then_id(hall: Hall) -> None:
    assert listed(hall, list_all=True) == EVERYBODY
    assert listed(hall, filter={}) == EVERYBODY


def test_rows_of_a_list_show_what_counts_now(hall_with: HallWith) -> None:
    hall = hall_with(changed("aria", conditions=[{"condition": "exhaustion", "exhaustion_level": 4}]))
    rows = {row["character_id"]: row for row in hall.do("get_character", list_all=True)["characters"]}
    assert (rows["aria"]["hp"], rows["aria"]["max_hp"], rows["aria"]["ac"]) == (22, 22, 17)
    lena = {"character_id": "lena", "name": "Lena", "type": "npc", "hp": 8}
    assert rows["lena"] == lena | dict.fromkeys(("race", "class", "level", "max_hp", "ac"))


@pytest.mark.parametrize(
    ("wanted", "ids"),
    [
        ({"type": "enemy"}, ["grik", "ogg"]),
        ({"type": "foe"}, ["grik", "ogg"]),
        ({"class": "wizard"}, ["cyra"]),
        ({"class": " CLERIC "}, ["brom"]),
        ({"min_level": 5}, ["aria", "brom", "cyra", "dain"]),
        ({"minLevel": 4, "maxLevel": 4}, ["ogg"]),
        ({"max_level": 1}, ["aria_2", "grik"]),
        ({"min_level": 5, "max_level": 4}, []),
        ({"type": "npc", "class": "fighter"}, ["aria_2"]),
        ({"has_condition": "poisoned"}, ["brom"]),
        ({"has_condition": "sick"}, None),
    ],
)
def test_filters_all_have_to_fit(hall_with: HallWith, wanted: Json, ids: list[str] | None) -> None:
    hall = hall_with(changed("brom", conditions=[{"condition": "poisoned"}]))
    if ids is None:
        assert hall.why("get_character", filter=wanted) == "invalid_args"
    else:
        assert listed(hall, filter=wanted) == ids


@pytest.mark.parametrize(
    ("args", "reason", "hint"),
    [
        ({}, "invalid_args", {"field": "args.character_id", "add": True, "choices": EVERYBODY}),
        ({"list_all": False}, "invalid_args", {"field": "args.character_id", "add": True, "choices": EVERYBODY}),
        (
            {"character_id": "brom", "character_name": "Cyra"},
            "invalid_args",
            {"field": "args.character_name", "got": "Cyra", "choices": ["Brom"]},
        ),
        ({"character_id": "brom", "list_all": True}, "invalid_args", {"field": "args.character_id", "remove": True}),
        (
            {"character_name": "ARIA"},
            "ambiguous",
            {"field": "args.character_id", "add": True, "choices": ["aria", "aria_2"], "use": "args.character_id"},
        ),
    ],
)
def test_who_is_meant_must_be_clear(hall: Hall, args: Json, reason: str, hint: Json) -> None:
    told = hall.fail("get_character", **args)
    assert (told["reason"], told["hint"]) == (reason, hint)


@pytest.mark.parametrize("name", ["character_id", "character_name"])
def test_who_is_nobody_is_not_found_with_the_nearest(hall: Hall, name: str) -> None:
    told = hall.fail("get_character", **{name: "brohm"})
    assert (told["status"], told["reason"]) == ("error", "not_found")
    assert told["hint"]["allowed"][0].lower() == "brom"


@pytest.mark.parametrize("path", ["../../campaign", "..", "characters/brom", "brom.json", "/etc/passwd", "brom\0"])
def test_an_id_never_becomes_a_path(hall: Hall, path: str) -> None:
    assert hall.why("get_character", character_id=path) == "not_found"


def test_a_batch_shows_several_and_says_who_is_nobody(hall: Hall) -> None:
    reply = hall.reply("get_character", {"batch": [{"character_id": "brom"}, {"character_id": "nobody"}]})
    assert reply["status"] == "partial"
    result = reply["applied_actions"][0]["result"]
    assert (result["succeeded"], result["failed"]) == (1, 1)
    assert result["results"][1]["reason"] == "not_found"


def test_looking_needs_no_turn(hall: Hall) -> None:
    records = len(list(hall.campaign.records()))
    assert hall.campaign.query("get_character", {"character_name": "Brom"})["ok"]
    assert len(list(hall.campaign.records())) == records


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=tries(20))
@given(
    low=st.none() | st.integers(1, 20),
    high=st.none() | st.integers(1, 20),
    kind=st.sampled_from([None, "pc", "npc", "enemy", "neutral"]),
)
def test_who_is_listed_is_among_everybody(hall: Hall, low: int | None, high: int | None, kind: str | None) -> None:
    wanted = {"min_level": low, "max_level": high, "type": kind}
    ids = [
        row["character_id"] for row in hall.campaign.query("get_character", {"filter": wanted})["result"]["characters"]
    ]
    assert ids == [who for who in EVERYBODY if who in ids]
    people = {who: hall.person(who) for who in EVERYBODY}
    types = {who for who, person in people.items() if kind is None or person["character_type"] == kind}
    assert set(ids) <= types
    assert set(ids) == types or low is not None or high is not None
