"""No text in a call is without a bound: it would stand in documents, in names, and in every record."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from tests import builders
from tests.builders import call, move
from tests.tools.hall import hall_documents

from turnwright.rulesets.toolbox import TOOLS

BOUNDS = frozenset({"maxLength", "enum", "const"})
UNENDING = ("*", "+", ",}")
"""What in a pattern lets a text grow. Blanks around prose are taken off before it is kept."""
BLANKS = (r"^\s*", r"\s*$")
OPEN = {("manage_location", "properties")}
"""Objects of any keys, whose whole length is bounded instead: see the test below."""


def unbounded(schema: Mapping[str, Any], known: Mapping[str, Any], path: str = "") -> Iterator[str]:
    """Yield where a schema takes text, or an object of any keys, of any length."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        if name in known:  # a schema within itself is looked at once
            yield from unbounded(known[name], {key: value for key, value in known.items() if key != name}, path)
        return
    if schema.get("type") == "string" and BOUNDS.isdisjoint(schema) and not is_bounded(schema.get("pattern")):
        yield path
    if schema.get("additionalProperties") is True:
        yield path
    for name, inner in schema.get("properties", {}).items():
        yield from unbounded(inner, known, f"{path}.{name}".strip("."))
    for key in ("items", "additionalProperties", "propertyNames"):
        if isinstance(schema.get(key), dict):
            yield from unbounded(schema[key], known, path)
    for key in ("anyOf", "oneOf", "allOf", "prefixItems"):
        for inner in schema.get(key, ()):
            yield from unbounded(inner, known, path)


def is_bounded(pattern: str | None) -> bool:
    if pattern is None or not (pattern.startswith("^") and pattern.endswith("$")):
        return False
    core = pattern.removeprefix(BLANKS[0]).removesuffix(BLANKS[1])
    return not any(sign in core.replace("[+-]", "") for sign in UNENDING)


@pytest.mark.parametrize("name", sorted(TOOLS))
def test_each_text_of_each_tool_has_a_bound(name: str) -> None:
    schema = TOOLS[name].args.model_json_schema()
    found = {(name, path) for path in unbounded(schema, schema.get("$defs", {}))}
    assert found - OPEN == set()


LONG = "Z" * 9000


@pytest.mark.parametrize(
    "asked",
    [
        call("map_generate", parent_area_id=None, theme=LONG),
        call("map_generate", parent_area_id=None, constraints={"seed": LONG}),
        call("map_generate", parent_area_id=LONG),
        call("hp_delta", target_character_id="aria", delta=-1, cause=LONG),
        call("hp_delta", target_character_id=LONG, delta=-1, cause="x"),
        call("get_character", filter={"class": LONG}),
        call("manage_location", operation="create", name="Attic", properties={"a": LONG}),
        call("manage_location", operation="create", name="Attic", properties={LONG: 1}),
        move(LONG),
    ],
)
def test_what_is_longer_is_a_failed_call(tmp_path: Path, asked: builders.Json) -> None:
    with builders.begin(tmp_path / "hall", hall_documents()) as campaign:
        reply = campaign.process(builders.turn(asked))
        assert [one["reason"] for one in reply["tool_feedback"]["failed_calls"]] == ["invalid_args"]
        assert (tmp_path / "hall/log.jsonl").stat().st_size < 300_000
