"""Schemas as others are given them: in words of the dialect alone, whole, and with lists that say what they hold."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator, SchemaError
from tests import builders
from tests.cached_fixtures import require_a_schema, schemas
from tests.game_master import city
from tests.sampling import sampled
from tests.tools.hall import fight, hall_documents, linked

from turnwright import Campaign
from turnwright.game_master.prompts.output_schema import schema_for
from turnwright.model.dice.expression import parse
from turnwright.model.published_schema import DICE_PATTERN, published
from turnwright.protocol.stage0_prepare.prepare import describe
from turnwright.rulesets.toolbox import TOOLS
from turnwright.schemas.schemas import validator

NAMES = ("properties", "$defs", "patternProperties")
VALUES = ("const", "default", "enum", "examples", "required")
FORMS = {"openai": "parameters", "anthropic": "input_schema", "mcp": "inputSchema", "jsonschema": ""}
SAMPLES = ("crossing", "barrow", "heist", "delve")


WORDS = frozenset(
    [
        "$defs",
        "$id",
        "$ref",
        "$schema",
        "additionalProperties",
        "allOf",
        "anyOf",
        "const",
        "default",
        "description",
        "else",
        "enum",
        "examples",
        "exclusiveMaximum",
        "exclusiveMinimum",
        "format",
        "if",
        "items",
        "maxItems",
        "maxLength",
        "maxProperties",
        "maximum",
        "minItems",
        "minLength",
        "minProperties",
        "minimum",
        "multipleOf",
        "not",
        "oneOf",
        "pattern",
        "patternProperties",
        "prefixItems",
        "properties",
        "propertyNames",
        "required",
        "then",
        "title",
        "type",
        "uniqueItems",
    ]
)
"""Words of JSON Schema 2020-12, as far as any schema of ours has a use for them."""


def nodes(node: Any) -> Iterator[dict[str, Any]]:
    """Yield every schema in a schema."""
    if isinstance(node, list):
        for item in node:
            yield from nodes(item)
    if not isinstance(node, dict):
        return
    yield node
    for key, value in node.items():
        if key in NAMES:
            yield from nodes(list(value.values()))
        elif key not in VALUES:
            yield from nodes(value)


def faults(schema: Any) -> list[str]:
    """Return what those who read it could not read."""
    require_a_schema(schema)
    found = []
    for node in nodes(schema):
        found += [f"the word {key}" for key in node if key not in WORDS]
        if node.get("type") == "array" and "items" not in node:
            found.append(f"a list of nobody knows what: {node}")
        if "format" in node:
            found.append(f"the format {node['format']}")
        where = node.get("$ref", "#")
        if where != "#" and where.removeprefix("#/$defs/") not in schema.get("$defs", {}):
            found.append(f"nothing is at {where}")
    return found


@pytest.mark.parametrize("form", FORMS)
def test_every_tool_can_be_read_in_every_form(form: str) -> None:
    for tool in TOOLS.values():
        described = describe(tool, form)
        inner = described.get("function", described)
        schema = inner[FORMS[form]] if FORMS[form] else inner
        assert faults(schema) == [], tool.name
        if form != "jsonschema":
            assert not [node for node in nodes(schema) if "prefixItems" in node], tool.name


def test_every_published_schema_can_be_read() -> None:
    assert {name: found for name, schema in schemas().items() if (found := faults(schema))} == {}


@pytest.mark.parametrize("name", sampled(SAMPLES, 2))
def test_legal_calls_of_samples_can_be_read(tmp_path: Path, name: str) -> None:
    with Campaign.new(tmp_path / name, template=name, seed="legal", clock=builders.clock) as campaign:
        assert faults(campaign.legal()) == []
        assert [*campaign.process_drop()]
        assert faults(campaign.legal()) == []


def test_legal_calls_in_a_fight_can_be_read(tmp_path: Path) -> None:
    people = (linked("aria", 1, 1), linked("grik", 2, 1, is_enemy=True))
    with builders.begin(tmp_path / "hall", hall_documents() | fight(*people)) as campaign:
        assert faults(campaign.legal()) == []
        assert len(campaign.legal()["oneOf"]) > 20


@pytest.mark.parametrize("moment", city.stages())
def test_documents_that_a_scene_game_asks_for_can_be_read(moment: str) -> None:
    schema = city.prompt(city.stages()[moment]).output_schema
    assert schema is None or faults(schema) == []


def test_documents_of_every_mood_can_be_read() -> None:
    for mood in ("scene", "action", "aftermath", "trauma", "bargain"):
        assert faults(schema_for("dm_turn", mood)) == []


def test_the_test_finds_what_is_wrong() -> None:
    wrong = {
        "type": "object",
        "properties": {"format": {"type": "array"}, "discriminator": {"discriminator": {"propertyName": "x"}}},
        "anyOf": [{"$ref": "#/$defs/gone"}, {"type": "string", "format": "dice"}],
    }
    assert len(faults(wrong)) == 5
    assert faults(published({**wrong, "$defs": {"gone": {}}})) == []


@pytest.mark.parametrize(
    "wrong",
    [
        {"type": "nobody"},
        {"required": "name"},
        {"required": ["a", "a"]},
        {"maxLength": -1},
        {"enum": "a"},
        {"description": 1},
        {"pattern": "["},
        {"$defs": {"a": 1}},
        {"properties": []},
        {"anyOf": []},
        {"anyOf": {}},
        {"items": []},
    ],
    ids=json.dumps,
)
@pytest.mark.parametrize("key", ["$defs", "properties", "patternProperties", "anyOf", "items", "not"])
def test_what_is_no_schema_is_found_wherever_it_stands(wrong: dict[str, Any], key: str) -> None:
    within = {"anyOf": [wrong], "items": wrong, "not": wrong}.get(key, {"a": wrong})
    for schema in (wrong, {key: within}, {"properties": {"b": {key: within}}}):
        with pytest.raises(SchemaError):
            require_a_schema(schema)
        with pytest.raises(SchemaError):
            Draft202012Validator.check_schema(schema)


def test_what_others_are_given_takes_what_the_mark_takes_and_what_was_given_stays() -> None:
    marked = {"type": "string", "format": "dice"}
    given = {"items": {"anyOf": [marked]}, "type": "array", "default": [{"format": "dice"}]}
    before = json.dumps(given)
    told = published(given)
    assert json.dumps(given) == before
    assert told["default"] == [{"format": "dice"}]
    assert told["items"] == {"anyOf": [{"type": "string", "pattern": DICE_PATTERN}]}
    for dice in ("2d6+3", "4D6KH3", "d%", "(1d8 + 2) * 3", "1d20adv", "3d6!/2", "-7/2", "d20dis\n"):
        parse(dice)
        assert validator(told["items"]).is_valid(dice)
    assert not validator(told["items"]).is_valid("two d6")


def test_a_list_with_places_says_what_its_items_are_in_other_words_too() -> None:
    text, number = {"type": "string"}, {"type": "number"}
    for places, items in (([number, text], {"anyOf": [number, text]}), ([text, text], text), ([], {})):
        assert published({"type": "array", "prefixItems": places})["items"] == items
    assert published({"type": "array", "items": text}) == {"type": "array", "items": text}
