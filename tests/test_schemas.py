from __future__ import annotations

import copy
import json
import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import HealthCheck, Phase, find, given, settings
from pydantic import BaseModel, ValidationError
from tests import builders, json_samples
from tests.cached_fixtures import schemas as schemas_of_all
from tests.sampling import tries

from turnwright import Campaign
from turnwright.model.campaign import Protocol
from turnwright.model.dice.expression import DiceError, parse
from turnwright.model.published_schema import DICE_PATTERN
from turnwright.model.settings import settings_of
from turnwright.model.state.overlay import InMemorySource, World
from turnwright.model.wire.reason import CallFailed
from turnwright.protocol.stage1_intake import TurnRefused, receive
from turnwright.protocol.stage3_tools.batch import Done, run_batch
from turnwright.rulesets.tool import Applied, Args, Tool
from turnwright.rulesets.toolbox import TOOLS
from turnwright.schemas import schemas
from turnwright.schemas.schemas import all_schemas, render, validator

ON_DISK = Path(__file__).resolve().parent.parent / "schemas"
SCHEMAS = schemas_of_all()
VALIDATORS = {name: validator(schema) for name, schema in SCHEMAS.items()}
ARGS = sorted(name for name in SCHEMAS if name.endswith(".args.json"))
DOCUMENTS: dict[str, type[BaseModel]] = {f"{name}.json": model for name, (_, model) in schemas.DOCUMENTS.items()}


# what the engine says


def model_takes(model: type[BaseModel], value: Any) -> bool:
    try:
        model.model_validate(value)
    except ValidationError:
        return False
    return True


def turn_is_taken(value: Any) -> bool:
    try:
        receive(value, settings_of({}))
    except TurnRefused:
        return False
    return True


def args_are_taken(name: str, value: Any) -> bool:
    tool, _, variant = name.removeprefix("tools/").removesuffix(".args.json").partition(".")
    protocol = Protocol.model_validate({"move_from": variant or "required"})
    # Under `forbidden` the tool itself refuses the key, with the same reason as ill-typed arguments.
    is_barred = variant == "forbidden" and isinstance(value, dict) and "from_area_id" in value
    if not isinstance(value, dict) or is_barred:
        return False
    model = TOOLS[tool].args_for(protocol)
    if TOOLS[tool].batch and "batch" in value:
        return batch_is_taken(TOOLS[tool], model, value)
    return one_is_taken(model, value)


def one_is_taken(model: type[Args], value: Any) -> bool:
    try:
        args = model.model_validate(value)
    except ValidationError:
        return False
    names = args.needs.get(getattr(args, args.operation_key), ()) if args.needs else ()
    return all(any(getattr(args, each) is not None for each in {name, args.instead.get(name, name)}) for name in names)


def batch_is_taken(tool: Tool[Any], model: type[Args], value: dict[str, Any]) -> bool:
    """Return whether every item of a batch gets past the checks of arguments."""
    taken: list[bool] = []

    def look_at(world: World, given: Mapping[str, Any], where: str) -> Done:
        del world, where
        taken.append(one_is_taken(model, given))
        return Done(Applied({}), {}, [])

    try:
        run_batch(replace(tool, totals=None), value, World(InMemorySource({})), look_at)
    except CallFailed:
        return False
    return all(taken) and len(taken) == len(value["batch"])


def engine_takes(name: str, value: Any) -> bool:
    if name in DOCUMENTS:
        return model_takes(DOCUMENTS[name], value)
    return turn_is_taken(value) if name == "turn.json" else args_are_taken(name, value)


# where the two differ, and why


class Beyond(NamedTuple):
    """A rule about one document that no schema can express."""

    schema: str
    why: str
    broken_by: Callable[[Any], bool]
    example: Any


def _depth(value: Any) -> int:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else None
    return 0 if inner is None else 1 + max(map(_depth, inner), default=0)


def _nested(depth: int) -> Any:
    return {} if depth == 1 else {"x": _nested(depth - 1)}


def _active_is_outside(value: Any) -> bool:
    selected = value.get("selected", {})
    return selected.get("active_actor_id") not in (None, *selected.get("party_character_ids", ()))


def _holds_no_dice(value: Any) -> bool:
    """Return whether some text has the characters of dice notation alone, and is none."""
    if isinstance(value, (dict, list)):
        return any(map(_holds_no_dice, value.values() if isinstance(value, dict) else value))
    return isinstance(value, str) and bool(re.search(DICE_PATTERN, value)) and not _is_dice(value)


def _is_dice(text: str) -> bool:
    try:
        parse(text)
    except DiceError:
        return False
    return True


DICE_IN: dict[str, Any] = {
    name: {**TOOLS[name.split("/")[1].split(".")[0]].example, "expression": "a"}
    if name == "tools/roll_dice.args.json"
    else None
    for name, schema in SCHEMAS.items()
    if name.endswith(".args.json") and '"pattern": ' + json.dumps(DICE_PATTERN) in json.dumps(schema)
}
"""Arguments with dice in them, by the name of their schema; with an example where dice are asked for at the top."""

BEYOND_A_SCHEMA = (
    Beyond(
        "campaign.json",
        "a schema cannot compare `active_actor_id` with the items of another key",
        _active_is_outside,
        {"format": 2, "id": "a", "selected": {"party_character_ids": ["b"], "active_actor_id": "c"}},
    ),
    Beyond(
        "turn.json",
        "how many calls a turn may hold is a setting of the campaign",
        lambda value: len(value.get("tool_calls", ())) > 64,
        {"tool_calls": [{}] * 65},
    ),
    Beyond(
        "turn.json",
        "how deep a turn may nest is a setting of the campaign, and no keyword counts depth",
        lambda value: _depth(value) > 32,
        {"x_deep": _nested(32)},
    ),
    Beyond(
        "turn.json",
        "how long a turn may be is a setting of the campaign, and no keyword counts bytes",
        lambda value: len(json.dumps(value)) > 1_048_576,
        {"user_input": "x" * 1_048_577},
    ),
    *(
        Beyond(name, "dice notation nests, which no pattern can say", _holds_no_dice, example)
        for name, example in DICE_IN.items()
    ),
)


# the differential test


def disagreement(name: str, value: Any) -> str | None:
    fits, taken = VALIDATORS[name].is_valid(value), engine_takes(name, value)
    if fits == taken:
        return None
    if fits and any(rule.schema == name and rule.broken_by(value) for rule in BEYOND_A_SCHEMA):
        return None
    return f"schema {'takes' if fits else 'refuses'}, engine {'takes' if taken else 'refuses'}: {value!r}"


def compare(name: str, examples: int, *, anew: bool = False) -> None:
    seen: Counter[bool] = Counter()

    @settings(max_examples=examples, derandomize=not anew, database=None, suppress_health_check=[HealthCheck.too_slow])
    @given(json_samples.fitting(SCHEMAS[name]) | json_samples.slipping(SCHEMAS[name]))
    def agree(value: Any) -> None:
        seen[engine_takes(name, value)] += 1
        assert disagreement(name, value) is None

    agree()
    assert min(seen[True], seen[False]) > min(10, examples // 40), f"too one-sided to mean much: {seen}"


@pytest.mark.parametrize("name", [*DOCUMENTS, "turn.json"])
def test_schema_and_engine_agree_about_a_document(name: str) -> None:
    compare(name, tries(25))


@pytest.mark.parametrize("name", ARGS)
def test_schema_and_engine_agree_about_arguments(name: str) -> None:
    compare(name, tries(20))


@pytest.mark.slow
@pytest.mark.parametrize("name", [*DOCUMENTS, "turn.json", *ARGS])
def test_schema_and_engine_agree_about_many_more(name: str) -> None:
    compare(name, 2_000, anew=True)


@pytest.mark.parametrize(
    ("given", "is_enough"), [({}, False), ({"item_name": "a"}, True), ({"item": {"name": "a"}}, True)]
)
def test_one_argument_may_stand_in_place_of_another(given: Any, is_enough: bool) -> None:
    name, value = "tools/manage_inventory.args.json", {"operation": "give", **given}
    assert (VALIDATORS[name].is_valid(value), engine_takes(name, value)) == (is_enough, is_enough)


@pytest.mark.parametrize(
    "rule", [rule for rule in BEYOND_A_SCHEMA if rule.example is not None], ids=lambda rule: rule.why[:40]
)
def test_a_rule_beyond_a_schema_is_the_engines_alone(rule: Beyond) -> None:
    assert rule.broken_by(rule.example)
    assert VALIDATORS[rule.schema].is_valid(rule.example)
    assert not engine_takes(rule.schema, rule.example)


@pytest.mark.parametrize(
    ("name", "definition", "key", "wrong"),
    [
        ("campaign.json", "Selected", "uniqueItems", None),
        pytest.param("campaign.json", None, "required", ["id"], marks=pytest.mark.slow),
        ("character.json", None, "maxLength", 201),
        pytest.param("character.json", None, "type", "number", marks=pytest.mark.slow),
        pytest.param("layer.json", "Area", "additionalProperties", True, marks=pytest.mark.slow),
        ("turn.json", "json", "maximum", 2**53 + 1),
        ("tools/hp_delta.args.json", None, "type", "number"),
    ],
)
def test_examples_find_a_schema_that_is_a_little_wrong(name: str, definition: str | None, key: str, wrong: Any) -> None:
    broken = copy.deepcopy(SCHEMAS[name])
    put_everywhere(broken["$defs"][definition] if definition else broken, key, wrong)
    loose = validator(broken)
    find(
        json_samples.slipping(SCHEMAS[name]),
        lambda value: loose.is_valid(value) and not VALIDATORS[name].is_valid(value),
        settings=settings(max_examples=20_000, phases=[Phase.generate], derandomize=True, database=None),
    )


def put_everywhere(node: Any, key: str, wrong: Any) -> None:
    """Put a wrong value wherever a schema has a keyword; a `type` is wrong only where it is `integer`."""
    if isinstance(node, dict):
        if key in node and (key != "type" or node[key] == "integer"):
            node[key] = wrong
            if wrong is None:
                del node[key]
        for name in node:
            put_everywhere(node[name], key, wrong)


# single values


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("turn.json", {"turn_id": "a\n"}),
        ("turn.json", {"prompt_id": 1.0}),
        ("turn.json", {"prompt_id": True}),
        ("turn.json", {"atomic": 1}),
        ("turn.json", {"actor_id": None}),
        ("turn.json", {"tool_calls": None}),
        ("turn.json", {"x_big": [2**53 + 1]}),
        ("turn.json", {"tool_calls": [2**53 + 1]}),
        ("turn.json", {"tool_calls": [{"args": {}, "id": 2**53 + 1}]}),
        ("turn.json", {"tool_calls": [{"type": "tool_use", "name": "a", "input": {}, "id": 2**53 + 1}]}),
        ("turn.json", {"tool_calls": [{"function": {"arguments": {}, "name": 2**53 + 1}}]}),
        ("turn.json", {"tool_calls": [{"function": {"parameters": {"n": 2**60}}}]}),
        ("turn.json", {"tool_calls": [{"arguments": {"n": 2**60}}]}),
        ("turn.json", {"tool_calls": [{"tool": "a", "arguments": {"n": 2**60}}]}),
        ("turn.json", {"tool_calls": [{"type": "tool_use", "name": "a", "arguments": {"n": 2**60}}]}),
        ("turn.json", {"tool_calls": [{"function": {"arguments": ""}, "name": "a", "arguments": {"n": 2**60}}]}),
        ("turn.json", {"answer": None, "user_input": ""}),
        ("turn.json", {"tool_call": []}),
        ("character.json", {"id": "a", "hp": 1.0}),
        ("character.json", {"id": "a", "hp": True}),
        ("character.json", {"id": "x" * 201}),
        ("campaign.json", {"format": 2, "id": "a", "selected": {"party_character_ids": ["b", "b"]}}),
        ("campaign.json", {"format": 1, "id": "a"}),
        ("campaign.json", {"format": 3, "id": "a"}),
        ("layer.json", {"areas": {"a": {"id": "a", "name": "A"}}}),
        ("tools/hp_delta.args.json", {"target_character_id": "a", "delta": 1.0, "cause": "b"}),
        ("tools/move.forbidden.args.json", {"to_area_id": "a", "from_area_id": "b"}),
        ("tools/move.args.json", {"to_area_id": "a", "from_area_id": None, "actor_id": "b"}),
    ],
)
def test_both_refuse(name: str, value: Any) -> None:
    assert not VALIDATORS[name].is_valid(value)
    assert not engine_takes(name, value)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("turn.json", {}),
        ("turn.json", {"output": None, "answer": None, "x_": None}),
        ("turn.json", {"tool_calls": [1, None, {"args": {"n": 2**60}}, {"tool": 1}]}),
        ("turn.json", {"tool_calls": [{"type": "function", "function": {"name": "a", "arguments": {"n": 2**60}}}]}),
        ("turn.json", {"tool_calls": [{"type": "function_call", "arguments": {"n": 2**60}}]}),
        ("turn.json", {"tool_calls": [{"type": "tool_use", "name": "a", "input": {"n": 2**60}}]}),
        ("turn.json", {"tool_calls": [{"name": None, "arguments": {"n": 2**60}, "input": {}}]}),
        ("turn.json", {"tool_calls": [{"method": "tools/call", "params": {"name": "a", "arguments": {"n": 2**60}}}]}),
        ("turn.json", {"x_float": 1e300}),
        ("character.json", {"id": "a", "hp": None, "character_state": "spellbound", "extra": {"n": 2**60}}),
        ("tools/move.args.json", {"to_area_id": "a", "from_area_id": "b", "actor_id": "c", "shoes": 2}),
        ("tools/move.checked.args.json", {"to_area_id": "a", "from_area_id": None}),
        ("tools/map_generate.args.json", {"parent_area_id": None, "constraints": {"two_way": True, "x": 1}}),
    ],
)
def test_both_take(name: str, value: Any) -> None:
    assert VALIDATORS[name].is_valid(value)
    assert engine_takes(name, value)


def test_every_tools_own_example_fits_its_schema() -> None:
    for tool in TOOLS.values():
        VALIDATORS[f"tools/{tool.name}.args.json"].validate(dict(tool.example))


def test_the_documented_shape_of_a_call_is_what_the_first_check_wants(campaign: Campaign) -> None:
    shape = validator(SCHEMAS["turn.json"]["$defs"]["tool_call"])
    good: dict[str, Any] = {"id": "", "tool": "", "args": {}}
    entries: list[Any] = [good, good | {"reason": None}, good | {"reason": "so"}, good | {"other": 1}, None, [], 1, {}]
    slips: list[dict[str, Any]] = [{"reason": 1}, {"id": 1}, {"tool": None}, {"args": []}]
    entries += [good | slip for slip in slips]
    for entry in entries:
        reply = campaign.process({"tool_calls": [entry]}, dry_run=True)
        assert shape.is_valid(entry) == (builders.failed(reply) != [("error", "invalid_call")]), entry


@pytest.mark.parametrize("number", [True, 1.0])
def test_a_format_that_is_no_integer_is_refused(number: Any) -> None:
    assert not engine_takes("campaign.json", {"format": number, "id": "a"})


# the files


def test_schemas_on_disk_are_those_of_the_models() -> None:
    found = {path.relative_to(ON_DISK).as_posix(): path.read_bytes() for path in ON_DISK.rglob("*.json")}
    assert found == {name: render(schema) for name, schema in SCHEMAS.items()}, "run `make generate`"


def test_schemas_are_sorted_and_the_same_every_time() -> None:
    found = all_schemas()
    assert list(found) == sorted(SCHEMAS)
    for schema in found.values():
        data = render(schema)
        assert data.endswith(b"}\n")
        assert json.dumps(json.loads(data), ensure_ascii=False, indent=2, sort_keys=True).encode() + b"\n" == data


def test_a_schema_says_what_it_is() -> None:
    for name, schema in SCHEMAS.items():
        assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
        assert schema["$id"] == f"urn:turnwright:schema:{name.removesuffix('.json')}"
        assert schema["title"], name
        assert "1.0 is none" in schema["description"], name


def test_every_tool_has_schemas_of_its_arguments_and_its_result() -> None:
    names = {name.removeprefix("tools/") for name in SCHEMAS if name.startswith("tools/")}
    assert {f"{tool}.{kind}.json" for tool in TOOLS for kind in ("args", "result")} <= names
    assert {"move.checked.args.json", "move.forbidden.args.json"} <= names
