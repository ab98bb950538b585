"""Effects with a moment: whoever attacks, hits, is hurt or dies is told what should be played out."""

from __future__ import annotations

from typing import Any

import pytest
from tests.builders import Json
from tests.tools.conftest import HallWith
from tests.tools.hall import Hall, changed, ephemeral, fight, linked

ATTACK = {"encounter_id": "encounter-1", "actor_id": "aria", "action_type": "attack", "target_id": "orc"}
MOMENTS = ("on_attack", "on_hit", "on_damage_taken", "on_death", "start_of_turn")


def effects(*moments: str) -> list[Json]:
    return [
        {"effect_id": f"effect-{moment}", "name": moment.title(), "trigger": moment, "trigger_effect": f"Now: {moment}"}
        for moment in moments
    ]


def row(who: str, moment: str) -> Json:
    told = {"target_id": who, "effect_id": f"effect-{moment}", "name": moment.title()}
    return told | {"trigger": moment, "trigger_effect": f"Now: {moment}"}


@pytest.fixture
def duel(hall_with: HallWith) -> Hall:
    orc = ephemeral("orc", 6, 5, effects=effects(*MOMENTS))
    return hall_with(changed("aria", effects=effects(*MOMENTS)), fight(linked("aria", 5, 5), orc))


@pytest.mark.parametrize(
    ("dice", "expected"),
    [
        ((1,), [("aria", "on_attack")]),
        ((10, 1), [("aria", "on_attack"), ("aria", "on_hit"), ("orc", "on_damage_taken")]),
        ((10, 8), [("aria", "on_attack"), ("aria", "on_hit"), ("orc", "on_damage_taken")]),
    ],
)
def test_an_attack_sets_off_what_waits_for_it(duel: Hall, dice: tuple[int, ...], expected: list[Any]) -> None:
    assert duel.do("execute_action", dice, **ATTACK)["triggered"] == [row(*each) for each in expected]


def test_who_dies_of_a_blow_has_their_death_told(hall_with: HallWith) -> None:
    orc = ephemeral("orc", 6, 5, hp=2, effects=effects("on_death"))
    hall = hall_with(fight(linked("aria", 5, 5), orc))
    assert hall.do("execute_action", (10, 8), **ATTACK)["triggered"] == [row("orc", "on_death")]
    assert "triggered" not in hall.do("execute_action", (10, 8), **ATTACK, ignore_economy=True)  # dies but once


def test_damage_that_is_none_sets_off_nothing(hall_with: HallWith) -> None:
    orc = ephemeral("orc", 6, 5, effects=effects("on_damage_taken"), sheet={"immunities": ["slashing"]})
    hall = hall_with(fight(linked("aria", 5, 5), orc))
    assert "triggered" not in hall.do("execute_action", (10, 8), **ATTACK)


def test_a_strike_in_passing_and_a_spell_are_attacks(hall_with: HallWith) -> None:
    orc = ephemeral("orc", 6, 5, effects=effects("on_attack"))
    hall = hall_with(changed("cyra", effects=effects("on_hit")), fight(linked("cyra", 5, 5), orc))
    given = {"encounter_id": "encounter-1", "actor_id": "cyra"}
    bolt = {"action_type": "cast_spell", "spell_name": "Fire Bolt", "damage_expression": "1d10", "weapon_type": "melee"}
    told = hall.do("execute_action", (15, 1), **given, **bolt, target_id="orc")
    assert told["triggered"] == [row("cyra", "on_hit")]
    told = hall.do("execute_action", (1,), **given, move_to={"x": 2, "y": 5})
    assert told["triggered"] == [row("orc", "on_attack")]


def test_hazards_and_auras_of_a_turn_set_off_what_waits_for_damage(hall_with: HallWith) -> None:
    terrain = {"hazards": [{"position": "6,5", "type": "fire", "damage": "1d6"}]}
    aura = {"id": "aura-1", "owner_id": "aria", "spell_name": "Cold", "radius": 10, "affects_enemies": True}
    bound = {"auras/aura-1.json": aura | {"encounter_id": "encounter-1", "damage": "1d4"}}
    orc = ephemeral("orc", 6, 5, effects=effects("start_of_turn", "on_damage_taken"))
    hall = hall_with(bound, fight(linked("aria", 5, 5), orc, terrain=terrain))
    told = hall.do("advance_turn", [1, 1], encounter_id="encounter-1")
    assert told["triggered"] == [row("orc", each) for each in ("start_of_turn", "on_damage_taken", "on_damage_taken")]


@pytest.mark.parametrize(
    ("tool", "args", "moment"),
    [
        ("update_character", {"character_id": "lena", "hp": "-1"}, "on_damage_taken"),
        ("update_character", {"character_id": "brom", "hp": "-1"}, "on_damage_taken"),
        ("update_character", {"character_id": "brom", "character_state": "dead"}, "on_death"),
        (
            "manage_condition",
            {"target_id": "brom", "operation": "add", "condition": "exhaustion", "exhaustion_levels": 6},
            "on_death",
        ),
    ],
)
def test_elsewhere_it_is_told_in_words(hall_with: HallWith, tool: str, args: Json, moment: str) -> None:
    both = effects("on_damage_taken", "on_death")
    hall = hall_with(changed("brom", effects=both, equipped={}), changed("lena", effects=both))
    who = args.get("character_id", "brom")
    told = f"{moment.title()} on {who}, {moment}: Now: {moment}"
    assert hall.action(tool, **args)["warnings"] == [told]


def test_a_third_failed_death_save_is_a_death(hall_with: HallWith) -> None:
    dying = {"hp": 0, "character_state": "dying", "death_saves": {"failures": 2}}
    hall = hall_with(changed("aria", effects=effects("on_death"), **dying))
    action = hall.action("roll_death_save", (5,), character_id="aria")
    assert action["warnings"] == ["On_Death on aria, on_death: Now: on_death"]
