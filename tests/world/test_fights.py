"""Who still stands in a fight."""

from __future__ import annotations

from typing import Any

import pytest

from turnwright.model.base import Document
from turnwright.model.character import Character
from turnwright.model.encounter import Encounter
from turnwright.model.state.overlay import InMemorySource, World
from turnwright.rulesets.fifth_edition.fights.running import enemies_standing


def standing(**enemy: Any) -> int:
    participants = [
        {"id": who, "name": who, "position": {"x": x, "y": 0}, "character_id": who, "is_enemy": is_enemy}
        for x, (who, is_enemy) in enumerate([("mira", False), ("grik", True), ("gone", True)])
    ]
    fight = Encounter.model_validate(
        {"id": "encounter-1", "participants": [{**one, "initiative": 1, "natural": 1} for one in participants]}
    )
    mira = Character.model_validate({"id": "mira", "hp": 9, "max_hp": 9})
    grik = Character.model_validate({"id": "grik", "hp": 5, "max_hp": 9, **enemy})
    documents: list[Document] = [fight, mira, grik]
    return enemies_standing(World(InMemorySource({one.path: one for one in documents})), fight)


def test_enemies_above_0_hit_points_stand_and_who_is_gone_does_not() -> None:
    assert standing() == 1


@pytest.mark.parametrize(
    "enemy", [{"hp": 0}, {"character_state": "dead"}, {"death_saves": {"successes": 0, "failures": 3, "dead": True}}]
)
def test_who_is_down_or_dead_does_not_stand(enemy: dict[str, Any]) -> None:
    assert standing(**enemy) == 0
