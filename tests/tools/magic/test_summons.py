"""Spells that bring creatures: how many of which come at each level, where, on whose side, and how they leave."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

import pytest
from tests.builders import Json
from tests.tools.conftest import HallWith
from tests.tools.hall import Hall, ephemeral, fight, hall_documents, linked, sheeted

from turnwright.content.registry import built_in

CASTER, FOE, FIGHT = "cyra", "thug", "encounter-1"
ROUNDS = {"round": 1, "minute": 10, "hour": 600, "day": 14400}


@cache
def entries(kind: str) -> Mapping[str, Json]:
    """Return the entries of a kind by id."""
    pack = built_in("srd-5.1")
    found = (pack.entry(kind, row.id) for row in pack.rows() if row.kind == kind)
    return {entry.id: dict(entry.value) for entry in found if entry is not None}


def summoning() -> Mapping[str, Json]:
    return {k: v for k, v in entries("spells").items() if "summons" in v and v["tier"] == "full"}


def limit_of(said: Json, option: Json, slot: int, steps: int) -> float:
    raised = [cr for at, cr in said.get("max_cr_by_slot", {}).items() if int(at) <= slot]
    return float(max([option["max_cr"], *raised]) + said.get("max_cr_per_slot", 0) * steps)


def groups(spell: Json, slot: int) -> Iterator[tuple[str, int]]:
    """Yield creatures that a spell brings at a level, with their number: of each option one."""
    said, steps = spell["summons"], slot - spell["level"]
    for choice in said.get("choices", ()):
        yield choice, said.get("count", 1) + said.get("per_slot", 0) * steps
    reached = [int(at) for at in said.get("by_slot", {}) if int(at) <= slot]
    options = said["by_slot"][str(max(reached))] if reached else said.get("options", ())
    times = max([n for at, n in said.get("multiplier_by_slot", {}).items() if int(at) <= slot], default=1)
    fewer = 0.0
    for option in reversed(options):
        if "id" in option:
            yield option["id"], option["count"] * times
            continue
        limit = limit_of(said, option, slot, steps)
        kinds = {said["type"], *said.get("more_types", ())}
        fitting = [m for m in entries("monsters").values() if m["type"] in kinds and fewer < m["cr"] <= limit]
        if fitting:
            yield max(fitting, key=lambda monster: (monster["cr"], monster["id"]))["id"], option["count"] * times
        fewer = limit


CASES = [
    (name, slot, monster, count)
    for name, spell in sorted(summoning().items())
    for slot in range(spell["level"], 10)
    for monster, count in groups(spell, slot)
    if slot == spell["level"] or monster == next(groups(spell, slot))[0] or "by_slot" in spell["summons"]
]


@pytest.fixture(name="table")
def fixture_table(hall_with: HallWith) -> Hall:
    """Give a fight of a wizard and a foe, in a large hall."""
    values = {"campaign.json": hall_documents()["campaign.json"] | {"content": ["srd-5.1"]}}
    values |= sheeted(CASTER, {}, hp=90, max_hp=90)
    people = [linked(CASTER, 10, 4) | {"initiative": 30}, ephemeral(FOE, 20, 30, 200, "enemy") | {"initiative": 1}]
    return hall_with(values, fight(*people, terrain={"width": 60, "height": 60}))


def call(table: Hall, tool: str, /, **args: Any) -> Json:
    """Return the result of a call that must be applied, with the dice as they fall."""
    reply = table.campaign.process({"tool_calls": [{"id": "call_001", "tool": tool, "args": args}]})
    assert reply["status"] == "applied", reply["tool_feedback"]
    result: Json = reply["applied_actions"][0]["result"]
    return result


def summon(table: Hall, spell: str, choice: str, **more: Any) -> Json:
    args: Json = {"caster_id": CASTER, "spell": f"spells/{spell}", "choice": choice, "ignore_economy": True}
    return call(table, "cast_spell", **args | more)


def brought(table: Hall) -> list[Json]:
    return [each for each in table.encounter()["participants"] if each["id"] not in (CASTER, FOE)]


def burn(table: Hall, who: str, amount: int) -> Json:
    """Let the foe hurt somebody."""
    hit: Json = {"encounter_id": FIGHT, "actor_id": FOE, "action_type": "cast_spell", "spell_name": "Spark"}
    hit |= {"target_id": who, "damage_type": "fire", "save_ability": "dex", "save_dc": 99, "ignore_economy": True}
    return call(table, "execute_action", **hit, damage_expression=str(amount))


def break_off(table: Hall) -> None:
    call(table, "manage_concentration", operation="break", character_id=CASTER)


def lasts(spell: Json) -> Any:
    """Return the duration of the effect that keeps the creatures."""
    said = spell["summons"].get("duration")
    if spell.get("concentration"):
        return "concentration"
    if said is not None:
        amount, unit = said.split()
        return int(amount) * ROUNDS[unit.removesuffix("s")]
    time = spell["duration"]
    return time["amount"] * ROUNDS[time["unit"]] if isinstance(time, dict) else None


@pytest.mark.parametrize(("name", "slot", "monster", "count"), CASES)
def test_as_many_come_as_the_entry_says_and_leave_when_it_is_over(
    name: str, slot: int, monster: str, count: int, table: Hall
) -> None:
    spell = summoning()[name]
    block = entries("monsters")[monster]
    result = summon(table, name, monster, slot=slot, target_position={"x": 10, "y": 5})
    assert (result["tier"], result["level"]) == ("full", slot)
    assert result["concentration"] is spell.get("concentration", False)
    assert result["played_out"] == spell["played_out"] == ["control"]
    (row,) = result["summoned"]
    assert (row["monster"], len(row["ids"])) == (monster, count)
    own = brought(table)
    assert len(own) == count
    for person in own:
        assert person["stat_block"] == monster
        assert not person.get("is_enemy")
        assert person["body"]["hp"] == block["hp"]["average"]
        assert person["initiative"] == person["natural"] + person.get("initiative_bonus", 0)
        speed = max(block["speeds"].get("walk", 0), block["speeds"].get("fly", 0)) or max(block["speeds"].values())
        assert person["body"]["sheet"].get("speed", 30) == spell["summons"].get("speed", speed)
    order = [each["initiative"] for each in table.encounter()["participants"]]
    assert order == sorted(order, reverse=True)
    (effect,) = table.person(CASTER)["effects"]
    assert effect.get("duration") == lasts(spell)
    then = spell["summons"].get("then", "gone")
    kept = {"monster": monster, "count": count} | ({"then": then} if then != "gone" else {})
    kept |= {"ends_on": spell["summons"]["ends_on"]} if "ends_on" in spell["summons"] else {}
    assert effect["summons"] == [kept]
    args = {"operation": "remove", "effect_id": effect["effect_id"], "target_id": CASTER, "encounter_id": FIGHT}
    call(table, "manage_effect", **args)
    told = call(table, "advance_turn", encounter_id=FIGHT)
    assert {each["outcome"] for each in told["left"]} == {then}
    left = brought(table)
    assert [each.get("is_enemy", False) for each in left] == [then == "hostile"] * (0 if then == "gone" else count)


def test_the_point_is_within_range_and_all_stand_near_it(table: Hall) -> None:
    far = {"x": 10, "y": 40}
    args = {"caster_id": CASTER, "spell": "conjure animals", "choice": "wolf", "ignore_economy": True}
    assert table.why("cast_spell", **args, target_position=far) == "rule_violation"
    summon(table, "conjure-animals", "wolf", target_position={"x": 10, "y": 10})
    places = [(each["position"]["x"], each["position"]["y"]) for each in brought(table)]
    assert len(set(places)) == 8
    assert all(max(abs(x - 10), abs(y - 10)) <= 1 for x, y in places)


def test_who_is_no_creature_of_the_spell_does_not_come(table: Hall) -> None:
    args = {"caster_id": CASTER, "spell": "conjure animals", "ignore_economy": True}
    asked = table.fail("cast_spell", **args)
    assert (asked["reason"], asked["hint"]["field"]) == ("invalid_args", "args.choice")
    for other in ("goblin", "mammoth"):
        assert table.why("cast_spell", **args, choice=other) == "rule_violation"
    familiar = table.fail("cast_spell", caster_id=CASTER, spell="find familiar", ignore_economy=True)
    known = entries("spells")["find-familiar"]["summons"]["choices"]
    assert {*familiar["hint"]["choices"]} <= {*known}


def test_concentration_that_breaks_sends_beasts_away_and_turns_an_elemental(table: Hall) -> None:
    summon(table, "conjure-animals", "brown bear")
    assert len(brought(table)) == 2
    break_off(table)
    assert brought(table) == []
    summon(table, "conjure-elemental", "fire elemental")
    break_off(table)
    (elemental,) = brought(table)
    assert elemental["is_enemy"] is True


def test_who_falls_is_gone_and_comes_into_no_later_fight(table: Hall) -> None:
    summon(table, "conjure-animals", "wolf")
    first = brought(table)[0]["id"]
    told = burn(table, first, 20)
    assert told["left"] == [{"id": first, "spell": "Conjure Animals", "outcome": "gone"}]
    assert len(brought(table)) == 7
    call(table, "end_encounter", encounter_id=FIGHT, outcome="victory")
    heroes = [{"character_id": CASTER}]
    again = call(table, "create_encounter", participants=heroes, monsters=[{"monster": "goblin"}])
    wolves = next(row for row in again["monsters"] if row["monster"] == "wolf")
    assert len(wolves["ids"]) == 7
    fighting = table.encounter("encounter-2")["participants"]
    assert all(not each.get("is_enemy") for each in fighting if each["id"] in wolves["ids"])
    break_off(table)
    assert len(table.encounter("encounter-2")["participants"]) == 2


def test_the_dead_of_several_castings_obey_together_and_a_steed_vanishes_when_hurt(table: Hall) -> None:
    summon(table, "animate-dead", "skeleton")
    summon(table, "animate-dead", "zombie", slot=4)
    (effect,) = table.person(CASTER)["effects"]
    assert [(each["monster"], each["count"]) for each in effect["summons"]] == [("skeleton", 1), ("zombie", 3)]
    summon(table, "phantom-steed", "riding horse")
    steed = next(each["id"] for each in brought(table) if each["stat_block"] == "riding-horse")
    assert [each["id"] for each in burn(table, steed, 1)["left"]] == [steed]


def test_outside_of_fights_they_are_noted_for_the_next_one(hall_with: HallWith) -> None:
    hall = hall_with({"campaign.json": hall_documents()["campaign.json"] | {"content": ["srd-5.1"]}})
    result = call(hall, "cast_spell", caster_id=CASTER, spell="find familiar", choice="owl")
    assert (result["targets"], "summoned" in result) == ([], False)
    foes = [{"monster": "goblin", "count": 2}]
    begun = call(hall, "create_encounter", participants=[{"character_id": CASTER}], monsters=foes)
    assert [row["monster"] for row in begun["monsters"]] == ["goblin", "owl"]
    owl = next(each for each in hall.encounter()["participants"] if each["id"] == "owl")
    assert owl["summoned"] == {"spell": "Find Familiar", "source": CASTER, "monster": "owl"}
