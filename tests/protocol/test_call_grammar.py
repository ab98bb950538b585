"""The short schema of legal calls: in words that grammars follow, and whatever it admits passes checks 1 to 7."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

import pytest
from tests.builders import Json
from tests.legal_moments import MOMENTS, campaign_at

from turnwright import Campaign, Viewer
from turnwright.model.campaign import Protocol
from turnwright.model.strict_json import compact
from turnwright.rulesets.toolbox import TOOLS
from turnwright.schemas.schemas import validator

UNFOLLOWED = {"not", "if", "then", "else", "propertyNames", "uniqueItems", "allOf", "format", "contains"}
MOST_BYTES = 20_000
GATES = {"invalid_call", "tool_not_allowed", "not_permitted", "invalid_actor_state", "actor_state_restricted"}
TRIES = 6
"""Calls that are drawn for each form of each tool."""


@pytest.fixture(params=MOMENTS, scope="module")
def campaign(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Campaign]:
    """Give a moment of a sample, in which nobody does anything."""
    with campaign_at(request.param, tmp_path_factory.mktemp("moment")) as opened:
        yield opened


def schemas_in(node: Any) -> Iterator[Mapping[str, Any]]:
    """Yield every schema of a schema, itself first; forms of one typed schema with its type."""
    if isinstance(node, list):
        for item in node:
            yield from schemas_in(item)
    if isinstance(node, dict):
        yield node
        for key, value in node.items():
            if key in ("properties", "$defs"):
                for part in value.values():
                    yield from schemas_in(part)
            elif key in ("anyOf", "oneOf"):
                yield from schemas_in(forms_of(node))
            elif key not in ("enum", "const", "required"):
                yield from schemas_in(value)


def forms_of(schema: Mapping[str, Any]) -> list[Any]:
    """Return the alternatives of a schema, each with the type that it says for all of them."""
    forms = schema.get("oneOf") or schema.get("anyOf") or ()
    return [{**({"type": schema["type"]} if "type" in schema else {}), **form} for form in forms]


def test_it_is_short_and_holds_only_what_grammars_follow(campaign: Campaign) -> None:
    legal = campaign.legal()
    assert len(compact(legal)) <= MOST_BYTES
    assert_followed(legal)


def test_so_does_the_schema_of_answers(campaign: Campaign) -> None:
    assert_followed(campaign.prompt(viewer=Viewer.of("gm"))["answer_schema"])


def assert_followed(whole: Json) -> None:
    """Fail where a grammar would not know a word of a schema, or a schema does not say of what type it is."""
    for schema in schemas_in(whole):
        assert UNFOLLOWED.isdisjoint(schema), schema
        assert {"type", "enum", "const", "anyOf", "oneOf", "$ref"} & schema.keys(), schema
        assert schema.get("anyOf") != []
        if "properties" in schema and "oneOf" not in schema:
            assert schema["additionalProperties"] is False
        if "oneOf" in schema and "tool" in schema["oneOf"][0].get("properties", {}):
            tools = [form["properties"]["tool"]["const"] for form in schema["oneOf"]]
            assert len({*tools}) == len(tools)  # so no call fits two of them


def test_it_has_every_legal_tool_and_operation_and_every_id(campaign: Campaign) -> None:
    short, full = campaign.legal(), campaign.legal(full=True)

    def tools(schema: Json) -> list[str]:
        return [call["properties"]["tool"]["const"] for call in schema["oneOf"]]

    assert tools(short) == tools(full)
    listed, possible = words_of(short), words_of(full)
    for call in full["oneOf"]:
        model = TOOLS[call["properties"]["tool"]["const"]].args
        wanted = model.needs.keys() if model.needs else ()
        assert possible.intersection(wanted) <= listed
    # What no tool has of its own is of this campaign.
    assert possible - words_of_tools() - {None} <= listed


@cache
def words_of_tools() -> set[Any]:
    """Return the words in what tools take in any campaign."""
    return words_of([tool.args_for(Protocol()).model_json_schema() for tool in TOOLS.values()])


def words_of(schema: Any) -> set[Any]:
    found = list(schemas_in(schema))
    return {value for each in found for value in (*each.get("enum", ()), each.get("const"))}


def test_whatever_it_admits_the_full_schema_admits_and_the_gate_lets_through(campaign: Campaign) -> None:
    legal, full = campaign.legal(), campaign.legal(full=True)
    of_tool = {form["properties"]["tool"]["const"]: form for form in full.pop("oneOf")}
    assert of_tool.keys() == {call["properties"]["tool"]["const"] for call in legal["oneOf"]}
    definitions = legal.get("$defs", {})
    source = random.Random(20)
    for call in legal["oneOf"]:
        args, tool = call["properties"]["args"], call["properties"]["tool"]["const"]
        args = definitions[args["$ref"].rpartition("/")[2]] if "$ref" in args else args
        admits = validator({**full, **of_tool[tool]})  # every other form wants another tool
        for form in forms_of(args) or [args]:
            assert {*form.get("required", ())} <= form["properties"].keys()
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
    if forms := forms_of(schema):
        return draw(source.choice(forms), definitions, source)
    kind = schema["type"]
    if kind == "object":
        needed = schema.get("required", ())
        return {
            name: draw(part, definitions, source)
            for name, part in schema["properties"].items()
            if name in needed or source.random() < 0.5
        }
    if kind == "array" and "prefixItems" in schema:
        return [draw(each, definitions, source) for each in schema["prefixItems"]]
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
