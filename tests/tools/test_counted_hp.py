"""Hit points as every tool tells and hurts them: above the maximum that counts now they are neither shown nor lost."""

from __future__ import annotations

from typing import Any

import pytest
from tests.builders import Json
from tests.tools.conftest import HallWith
from tests.tools.hall import Hall, ephemeral, fight, hall_documents, linked

# Aria: 44 of 44 hit points, and 22 that count
WEARY = {"conditions": [{"condition": "exhaustion", "exhaustion_level": 4}]}


def weary(hall_with: HallWith, *more: dict[str, Json], **fields: Any) -> Hall:
    path = "characters/aria.json"
    return hall_with({path: hall_documents()[path] | WEARY | fields}, *more)


def test_damage_is_taken_from_what_counts(hall_with: HallWith) -> None:
    hall = weary(hall_with)
    told = hall.do("update_character", character_id="aria", hp="-3")
    assert told["hp"] == {"before": 22, "after": 19, "max": 22, "temp": 0}
    assert hall.person("aria")["hp"] == 19
    hall.do("manage_condition", target_id="aria", operation="remove", condition="exhaustion", exhaustion_levels=4)
    assert hall.do("get_character", character_id="aria")["effective"]["hp"] == 19


def test_without_damage_nothing_is_written(hall_with: HallWith) -> None:
    hall = weary(hall_with, temp_hp=5)
    told = hall.do("update_character", character_id="aria", hp="-3")
    assert told["hp"] == {"before": 22, "after": 22, "max": 22, "temp": 2}
    assert hall.person("aria")["hp"] == 44
    assert hall.do("update_character", character_id="aria", healing=5)["hp"]["after"] == 22
    hall.do("manage_condition", target_id="aria", operation="remove", condition="exhaustion", exhaustion_levels=4)
    assert hall.do("get_character", character_id="aria")["effective"]["hp"] == 44


@pytest.mark.parametrize(
    ("delta", "hp", "state"), [(-3, 19, "alive"), (-22, 0, "dying"), (-44, 0, "dead"), (3, 22, "alive")]
)
def test_hp_delta_tells_what_counts(hall_with: HallWith, delta: int, hp: int, state: str) -> None:
    hall = weary(hall_with)
    told = hall.do("hp_delta", target_character_id="aria", delta=delta, cause="a stone")
    assert told == {"new_hp": hp, "hp_before": 22}
    assert hall.person("aria")["character_state"] == state


def test_blows_and_the_end_of_a_fight_tell_what_counts(hall_with: HallWith) -> None:
    known = {"hp": 44, "conditions": WEARY["conditions"]}
    hall = weary(hall_with, fight(ephemeral("rat", 1, 0), linked("aria", 0, 0, remembered=known)))
    blow = {"encounter_id": "encounter-1", "actor_id": "rat", "action_type": "attack", "target_id": "aria"}
    hit = hall.do("execute_action", [19], **blow, damage_expression="5")
    assert hit["target_hp"] == {"before": 22, "after": 17, "max": 22, "temp": 0}
    potion = {"actor_id": "aria", "action_type": "use_object", "item_name": "Potion of Healing"}
    drunk = hall.do("execute_action", [4, 4], **(blow | potion), ignore_economy=True)
    assert (drunk["target_hp"]["before"], drunk["target_hp"]["after"]) == (17, 22)
    ended = hall.do("end_encounter", encounter_id="encounter-1", outcome="fled")
    update = ended["participant_updates"][1]
    assert update["hp"] == {"initial": 22, "final": 22, "delta": 0}
    assert update["statistics"]["damage_taken"] == 5


def test_a_level_and_an_item_tell_what_counts(hall_with: HallWith) -> None:
    assert weary(hall_with).do("level_up", character_id="aria", hp_method="average")["hp"] == 26
    use = {"character_id": "aria", "operation": "use", "item_id": "item-a2"}
    assert weary(hall_with).do("manage_inventory", [1, 1], **use)["healing"]["hp"] == 22


def test_an_aura_tells_what_counts(hall_with: HallWith) -> None:
    aura = {"id": "aura-1", "owner_id": "grik", "spell_name": "Chill", "radius": 10, "damage": "3"}
    hall = weary(hall_with, {"auras/aura-1.json": aura | {"affects_enemies": True}})
    told = hall.do("manage_aura", operation="process", aura_id="aura-1", targets=[{"target_id": "aria", "distance": 5}])
    assert told["results"][0]["hp"] == 19
