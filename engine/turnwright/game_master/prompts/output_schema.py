"""The JSON Schema of the document that is asked for: only the fields that can be used now.

Source: docs/tools/scenes.md, "Outputs".
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING, Any

from turnwright.game_master.prompts.scene_context import SceneContext
from turnwright.model.mood import MoodName
from turnwright.model.published_schema import published
from turnwright.model.request import Stage
from turnwright.model.strict_json import copied
from turnwright.rulesets.scenes.outputs import BARGAIN, HOUSEKEEPING, OPENINGS, TURN, OutputKind
from turnwright.rulesets.scenes.turn_output import MASK, NOTHING, fields_of

if TYPE_CHECKING:
    from turnwright.model.json_schema import JsonSchema

_OF_PLAY: tuple[Stage, ...] = ("dm_turn", "player_text")
_REFERENCE = "#/$defs/"


def schema_for(stage: Stage, mood: MoodName | None) -> JsonSchema | None:
    """Return the schema of the document of a stage, in play as its mood allows it; None where none is asked for.

    It is the caller's own.
    """
    schema: JsonSchema | None = copied(_schema_of(stage, mood))
    return schema


@cache
def _schema_of(stage: Stage, mood: MoodName | None) -> JsonSchema | None:
    kind = _kind_of(stage, mood)
    if kind is None:
        return None
    schema: JsonSchema = published(_without_titles(kind.load_model().model_json_schema()))
    if kind is TURN and mood is not None:
        _mask(schema, mood)
    return _pruned(schema)


def _kind_of(stage: Stage, mood: MoodName | None) -> OutputKind | None:
    if stage in _OF_PLAY and mood is not None:
        return BARGAIN if mood == "bargain" else TURN
    return HOUSEKEEPING.get(stage) or OPENINGS.get(stage)


def fitted(schema: JsonSchema, context: SceneContext) -> JsonSchema:
    """Return a schema without what would be refused now, and with the ids that there are."""
    fields = schema["properties"]
    if "suggested_actions" in fields:
        fields["suggested_actions"].setdefault("maxItems", context.rules["suggestions_max"])
    if context.mood == "bargain" and "retreat" not in context.tools:
        fields.pop("retreat_plan", None)
    if not context.unresolved_threats:
        fields.pop("threats_resolved", None)
    elif "threats_resolved" in fields:
        fields["threats_resolved"]["items"] = {"enum": list(context.unresolved_threats)}
    _ids(schema, "clock_ticks", "clock_id", [one.id for one in (*context.visible_clocks, *context.hidden_clocks)])
    _ids(schema, "consequence_effects", "consequence_id", [one.id for one in context.consequences])
    if "consequence_effects" in fields:
        schema["required"].append("consequence_effects")
        fields["consequence_effects"]["minItems"] = len(context.consequences)
    return _pruned(schema)


def _ids(schema: JsonSchema, field: str, key: str, known: list[str]) -> None:
    """Let the entries of a field name only what there is; where there is nothing, there is no such field."""
    fields = schema["properties"]
    if field in fields and known:
        entry = schema["$defs"][fields[field]["items"]["$ref"].removeprefix(_REFERENCE)]
        told = entry["properties"][key].get("description")
        entry["properties"][key] = {"enum": known, "description": told} if told else {"enum": known}
    else:
        fields.pop(field, None)


def _mask(schema: JsonSchema, mood: MoodName) -> None:
    """Leave out what the mood forbids, and narrow its numbers to what it allows."""
    allowed = fields_of(mood)
    fields = schema["properties"] = {name: schema["properties"][name] for name in allowed}
    for name, span in MASK[mood].items():
        if span != NOTHING:
            fields[name] |= {"minimum": span.low, "maximum": span.high}
    if mood == "trauma":
        # Not null: a character who breaks gets a scar.
        scar = fields["trauma_assigned"]
        text = next(branch for branch in scar.pop("anyOf") if branch["type"] == "string")
        scar.pop("default")
        fields["trauma_assigned"] = {**text, "minLength": 1, **scar}
        schema["required"].append("trauma_assigned")


def _without_titles(node: Any) -> Any:
    """Return a schema without the titles, which only repeat names."""
    if isinstance(node, list):
        return [_without_titles(item) for item in node]
    if not isinstance(node, dict):
        return node
    return {key: _without_titles(item) for key, item in node.items() if not (key == "title" and isinstance(item, str))}


def _pruned(schema: JsonSchema) -> JsonSchema:
    """Return a schema without the definitions that nothing refers to."""
    definitions = schema.pop("$defs", {})
    needed: dict[str, None] = {}
    waiting = list(_references(schema))
    while waiting:
        name = waiting.pop(0)
        if name not in needed:
            needed[name] = None
            waiting += _references(definitions[name])
    if needed:
        schema["$defs"] = {name: definitions[name] for name in definitions if name in needed}
    return schema


def _references(node: Any) -> Iterable[str]:
    if isinstance(node, dict):
        if isinstance(node.get("$ref"), str):
            yield node["$ref"].removeprefix(_REFERENCE)
        for item in node.values():
            yield from _references(item)
    elif isinstance(node, list):
        for item in node:
            yield from _references(item)
