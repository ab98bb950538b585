"""The short schema of legal calls: in words that grammars follow, and whatever it admits passes checks 1 to 7."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from tests.builders import Json

from turnwright import Campaign
from turnwright.model.strict_json import compact
from turnwright.rulesets.toolbox import TOOLS
from turnwright.schemas.schemas import validator

SAMPLES = ("barrow", "delve", "heist")
UNFOLLOWED = {"not", "if", "then", "else", "propertyNames", "uniqueItems", "allOf", "format", "prefixItems", "contains"}
TURNS_TO_FIGHT = 5
MOST_BYTES = {"barrow": 22_000, "barrow's fight": 28_000, "delve": 2_000, "heist": 8_000}
"""Well above what it takes today, and a fraction of what all arguments take."""
GATES = {"invalid_call", "tool_not_allowed", "not_permitted", "invalid_actor_state", "actor_state_restricted"}
TRIES = 6
"""Calls that are drawn for each form of each tool."""


@pytest.fixture(params=["barrow", "barrow's fight", "delve", "heist"])
def sample(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[str, Campaign]]:
    """Give a sample as it begins, and one in its fight."""
    name: str = request.param
    template, is_fight = name.partition("'")[0], "fight" in name
    with Campaign.new(tmp_path / template, template=template, seed=template) as campaign:
        if is_fight:
            turns = sorted((tmp_path / template / "turns").glob("*.json")) or sorted(
                Path(__file__).parents[2].joinpath("campaigns", template, "turns").glob("*.json")
            )
            for turn in turns[:TURNS_TO_FIGHT]:
                campaign.process(json.loads(turn.read_bytes()))
            assert any(path.startswith("encounters/") for path in campaign.state)
        yield name, campaign


def schemas_in(node: Any) -> Iterator[Mapping[str, Any]]:
    """Yield every schema of a schema, itself first."""
    if isinstance(node, list):
        for item in node:
            yield from schemas_in(item)
    if isinstance(node, dict):
        yield node
        for key, value in node.items():
            if key in ("properties", "$defs"):
                for part in value.values():
                    yield from schemas_in(part)
            elif key not in ("enum", "const", "required"):
                yield from schemas_in(value)


def test_it_is_short_and_holds_only_what_grammars_follow(sample: tuple[str, Campaign]) -> None:
    name, campaign = sample
    legal = campaign.legal()
    assert len(compact(legal)) <= MOST_BYTES[name]
    for schema in schemas_in(legal):
        assert UNFOLLOWED.isdisjoint(schema), schema
        assert {"type", "enum", "const", "anyOf", "oneOf", "$ref"} & schema.keys(), schema
        assert schema.get("anyOf") != []
        if schema.get("type") == "object" and schema is not legal:
            assert schema["additionalProperties"] is False


def test_it_has_every_legal_tool_and_operation_and_every_id(sample: tuple[str, Campaign]) -> None:
    _, campaign = sample
    short, full = campaign.legal(), campaign.legal(full=True)

    def tools(schema: Json) -> list[str]:
        return [call["properties"]["tool"]["const"] for call in schema["oneOf"]]

    assert tools(short) == tools(full)
    listed = {value for schema in schemas_in(short) for value in (*schema.get("enum", ()), schema.get("const"))}
    for call in full["oneOf"]:
        model = TOOLS[call["properties"]["tool"]["const"]].args
        wanted = model.needs.keys() if model.needs else ()
        possible = {value for schema in schemas_in(full) for value in schema.get("enum", ())}
        assert possible.intersection(wanted) <= listed
    ids = {*campaign.state["campaign.json"]["selected"]["party_character_ids"]}
    assert ids <= listed


def test_whatever_it_admits_the_full_schema_admits_and_the_gate_lets_through(sample: tuple[str, Campaign]) -> None:
    _, campaign = sample
    legal, admits = campaign.legal(), validator(campaign.legal(full=True))
    definitions = legal.get("$defs", {})
    source = random.Random(20)
    for call in legal["oneOf"]:
        args, tool = call["properties"]["args"], call["properties"]["tool"]["const"]
        args = definitions[args["$ref"].rpartition("/")[2]] if "$ref" in args else args
        for form in args.get("anyOf", [args]):
            for _ in range(TRIES):
                drawn = {"id": "c", "tool": tool, "args": draw(form, definitions, source)}
                assert [error.message for error in admits.iter_errors(drawn)] == [], drawn
                reply = campaign.process({"tool_calls": [drawn]}, dry_run=True)
                for failed in reply["tool_feedback"]["failed_calls"]:
                    assert failed["reason"] not in GATES, (drawn, failed)


TEXTS = ("x", "a torch", "3,4", "+5", "2d6+3", "1d8", "north", "ten words of no consequence")


def draw(schema: Mapping[str, Any], definitions: Mapping[str, Any], source: random.Random) -> Any:
    """Return a value that a schema of this dialect admits."""
    if "$ref" in schema:
        return draw(definitions[schema["$ref"].rpartition("/")[2]], definitions, source)
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return source.choice(schema["enum"])
    if "anyOf" in schema:
        return draw(source.choice(schema["anyOf"]), definitions, source)
    kind = schema["type"]
    if kind == "object":
        needed = schema.get("required", ())
        return {
            name: draw(part, definitions, source)
            for name, part in schema["properties"].items()
            if name in needed or source.random() < 0.5
        }
    if kind == "array":
        least, most = schema.get("minItems", 0), min(schema.get("maxItems", 3), 3)
        return [draw(schema["items"], definitions, source) for _ in range(source.randint(least, max(least, most)))]
    if kind == "boolean":
        return source.random() < 0.5
    if kind == "string":
        pattern = re.compile(schema.get("pattern", ""))
        fitting = [text for text in TEXTS if pattern.search(text) and len(text) <= schema.get("maxLength", 99)]
        return source.choice(fitting)
    least = max(schema.get("minimum", -9), -9)
    most = min(schema.get("maximum", 12), max(least, 12))
    return source.choice([least, most, source.randint(least, most)])
