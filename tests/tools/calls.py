"""Calls that a careless model might make: mostly right, now and then wrong in any way.

Made from the tools' own schemas, so a new tool is called without a word here. A call follows from a seed, so that what
hypothesis finds it finds again, and tools are called about equally often.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from hypothesis import strategies as st

from turnwright.model.base import Model
from turnwright.rulesets.aliases import ALIASES
from turnwright.rulesets.tool import Tool
from turnwright.rulesets.toolbox import TOOLS
from turnwright.schemas.schemas import of_model

Json = Any
IDS = {
    "character": ["aria", "brom", "cyra", "dain", "grik", "ogg", "lena", "character-1", "nobody"],
    "encounter": [*["encounter-1"] * 12, "encounter-2", "encounter-99"],
    "aura": ["aura-1", "aura-2"],
    "effect": ["effect-1", "effect-2"],
    "prop": ["prop-1", "prop-2"],
    "location": ["location-1", "location-2", "location-3"],
    "note": ["note-1", "note-2"],
    "quest": ["quest-1", "quest-2", "quest-3"],
    "objective": ["objective-1", "objective-2"],
    "item": ["item-a1", "item-a2", "item-1", "item-2"],
    "area": ["area_001", "area_002", "nowhere"],
}
FIGHTERS = ["aria", "brom", "cyra", "dain", "ogg", "g1", "g2"]
PEOPLE = [*FIGHTERS, *FIGHTERS, *IDS["character"]]
NAMES = ["Bless", "Web", "Longsword", "Potion of Healing", "Cellar", "Gate", "fire"]
DICE = ["1d6", "2d6+3", "1d20", "4d6kh3", "10", "1d4-1", "2d8", "0d6", "d"]
_DICE = {"expression", "damage", "healing", "damage_expression", "trap_damage", "damage_bonus"}
_SQUARES = {"positions", "position", "obstacles", "difficult_terrain", "water", "obstacle"}
_SURE = {"character_id", "target_id", "actor_id", "owner_id", "caster_id", "combatant_id", "encounter_id"}
_SURE |= {"from", "to", "attacker_id", "item_name", "to_position", "name", "spell_name", "action_type", "slot_level"}
_SURE |= {"from_location_id", "to_location_id"}
_RARE = {"end_encounter", "delete_character", "manage_encounter"}


def tool_calls() -> st.SearchStrategy[Json]:
    """Return calls of every tool under its own name or an old one, single or in a batch."""
    names = [name for name in (*TOOLS, *ALIASES) for _ in range(1 if name in _RARE else 6)]
    return st.builds(_call, st.sampled_from(names), st.integers(0, 2**32 - 1))


def _call(name: str, seed: int) -> Json:
    rng = Random(seed)
    alias = ALIASES.get(name)
    tool = TOOLS[alias.tool if alias else name]
    injected = dict(alias.inject) if alias else {}
    args = _arguments(rng, tool, injected)
    if tool.batch and rng.random() < 0.25:
        args = {"batch": [args, *(_arguments(rng, tool, injected) for _ in range(rng.randrange(3)))]}
        if rng.random() < 0.3:
            args["atomic"] = True
    return {"id": "c", "tool": name, "args": args}


def _arguments(rng: Random, tool: Tool[Any], injected: Json) -> Json:
    """Return arguments of a tool: whom it is about, what its operation needs, and little else."""
    model: type[Model] = tool.args
    schema = of_model(model)
    properties = {key: part for key, part in schema["properties"].items() if key not in injected}
    given: Json = {}
    key = tool.args.operation_key
    if key in properties:
        given[key] = _value(rng, key, properties[key], schema)
    wanted = {*schema.get("required", ()), *tool.args.needs.get((injected | given).get(key, ""), ()), *_SURE}
    for name, part in properties.items():
        # An id and a name that differ are refused, and most do.
        often = 0.02 if name.endswith("_name") and name.replace("_name", "_id") in properties else 0.08
        if name not in given and (name in wanted or rng.random() < often):
            given[name] = _value(rng, name, part, schema)
    if tool.name == "move":
        given.pop("from_area_id", None)
    if tool.family == "core" and "actor_id" in given:
        given["actor_id"] = rng.choice(["aria", "aria", "brom"])
    return given


def _value(rng: Random, key: str, node: Mapping[str, Any], root: Mapping[str, Any]) -> Any:
    if "$ref" in node:
        return _value(rng, key, root["$defs"][node["$ref"].rpartition("/")[2]], root)
    if "anyOf" in node:
        return _value(rng, key, rng.choice([branch for branch in node["anyOf"] if branch != {"type": "null"}]), root)
    if "enum" in node:
        word = rng.choice(node["enum"])
        return rng.choices([word, str(word)[:-1] + "x", str(word).upper()], [18, 1, 1])[0]
    if "const" in node:
        return node["const"]
    kind = node.get("type")
    if kind == "object":
        return _object(rng, node, root)
    if kind == "array":
        items = range(rng.choice([1, 1, 2, 3] if node.get("minItems") or rng.random() < 0.9 else [0]))
        if "prefixItems" in node or node.get("maxItems") == node.get("minItems", 0) == 2:
            items = range(2)
        return [_value(rng, key, node.get("items", node.get("prefixItems", [{}])[0]), root) for _ in items]
    if kind == "boolean":
        return rng.random() < 0.5
    if kind in ("integer", "number"):
        low, high = max(node.get("minimum", 0), -3), min(node.get("maximum", 12), 12)
        return rng.choices([rng.randint(low, max(low, high)), rng.randint(-2, 25)], [12, 1])[0]
    return _text(rng, key) if kind == "string" else rng.choice(["+3", "-4", 5])


def _object(rng: Random, node: Mapping[str, Any], root: Mapping[str, Any]) -> Json:
    properties, required = node.get("properties", {}), node.get("required", ())
    if "character_id" in properties and "max_hp" in properties and rng.random() < 0.5:
        required = ("character_id",)
    elif {"hp", "max_hp", "position", "id"} <= properties.keys():
        required = ("id", "name", "hp", "max_hp", "position")
    return {
        key: _value(rng, key, part, root) for key, part in properties.items() if key in required or rng.random() < 0.1
    }


def _text(rng: Random, key: str) -> str:
    if key in _DICE:
        return rng.choice(DICE)
    if key in _SQUARES:
        return f"{rng.randrange(12)},{rng.randrange(12)}"
    for kind, ids in IDS.items():
        if kind != "character" and kind in key and key.endswith("id"):
            return rng.choice(ids)
    if key.endswith(("_id", "_ids", "ids")) or key in ("from", "to", "contested_by", "surprise", "targets"):
        return rng.choice(PEOPLE)
    if key == "id":
        return f"x{rng.randrange(20)}"
    return rng.choice(NAMES)
