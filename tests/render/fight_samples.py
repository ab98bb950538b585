"""Fights to draw."""

from __future__ import annotations

from typing import Any

from turnwright.model.encounter import Encounter
from turnwright.render.battlefield_view import AuraView, FightView
from turnwright.rulesets.fifth_edition.fights.battlefield_rows import Window, battlefield


def fight_view(name: str = "Ana", title: str = "The Hall", *, ascii: bool = False, **options: Any) -> FightView:
    """Return a fight of two with everything on its grid; `name` is borne by all that has one."""
    name = name[:100]
    bodies: dict[str, dict[str, Any]] = {
        "a": {"hp": 4, "temp_hp": 3},
        "b": {"hp": 0, "death_saves": {"dead": True}},
        "c": {"hp": 0},
    }
    people = [
        {
            "id": key,
            "name": name or "x",
            "is_enemy": key != "a",
            "position": {"x": place, "y": 1, "z": 2 if key == "c" else 0},
            "initiative": 9,
            "natural": 9,
            "body": {"id": key, "max_hp": 10, "conditions": [{"condition": "prone"}]} | bodies[key],
        }
        for place, key in enumerate(bodies)
    ]
    prop = {"id": "prop-1", "name": name or "x", "type": "door", "position": {"x": 4, "y": 4}, "locked": True}
    hazard = {"type": name or "x", "damage": "2d6", "damage_type": "fire", "dc": 12, "save_ability": "dex"}
    terrain = {
        "width": 8,
        "height": 6,
        "obstacles": ["5,0", "5,1"],
        "difficult_terrain": ["6,5"],
        "water": ["7,5"],
        "hazards": [{"position": "0,5", **hazard}, {"position": "1,5", **hazard}, {"position": "2,5", "type": "mist"}],
    }
    encounter = Encounter.model_validate(
        {
            "id": options.pop("encounter_id", "encounter-1")[:200],
            "participants": people,
            "terrain": terrain,
            "props": [prop | {"cover_type": "half", "blocks_movement": True, "state": "shut"}],
            "lighting": "dim",
            "round": 2,
        }
    )
    field = battlefield(encounter, {p.id: p.body for p in encounter.participants if p.body}, ascii=ascii)
    shown: dict[str, Any] = {
        "outcome": None,
        "lighting": encounter.lighting,
        "auras": (AuraView("aura-1", name, name, 10, Window(-2, -1, 5, 5)),),
        "reach": frozenset({(0, 1), (0, 2), (1, 2), (5, 0)}),
    }
    return FightView(
        title=title,
        encounter_id=encounter.id,
        round=encounter.round,
        field=field,
        terrain=encounter.terrain,
        props=encounter.props,
        **(shown | options),
    )
