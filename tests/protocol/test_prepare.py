"""What a model and a program are told of the tools: exactly what the engine takes, or one plain object."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest
from tests.conftest import MakeCampaign
from tests.scenes.moments import BARGAIN
from tests.scenes.table import started
from tests.tools.hall import fight, hall_documents, linked

from turnwright.protocol.stage0_prepare.prepare import args_schema, describe, tokens_of
from turnwright.rulesets.toolbox import TOOLS
from turnwright.schemas.schemas import validator

BATCH = sorted(name for name, tool in TOOLS.items() if tool.batch)


@pytest.mark.parametrize(
    ("tool", "args", "fits"),
    [
        ("roll_dice", {"expression": "1d6"}, True),
        ("roll_dice", {"expression": "1q6"}, False),
        ("roll_dice", {"batch": [{"expression": "1d6"}]}, True),
        ("roll_dice", {"batch": [{"expression": "1d6"}] * 20, "atomic": True, "reason": "fun"}, True),
        ("roll_dice", {"batch": [{"expression": "1d6"}] * 21}, False),
        ("roll_dice", {"batch": []}, False),
        ("roll_dice", {"batch": [{"expression": "1d6"}], "expression": "1d6"}, False),
        ("roll_dice", {"expression": "1d6", "atomic": True}, False),
        ("roll_dice", {}, False),
        ("execute_action", {"batch": [{"actor_id": "a", "action_type": "dash"}]}, False),
        ("execute_action", {"batch": [{"actor_id": "a", "action_type": "dash"}], "encounter_id": "e"}, True),
        ("execute_action", {"batch": [{"actor_id": "a", "action_type": "dash", "encounter_id": "e"}]}, True),
        ("manage_inventory", {"operation": "give", "character_id": "a"}, False),
        ("manage_inventory", {"operation": "give", "character_id": "a", "item": None}, False),
        ("manage_inventory", {"operation": "give", "character_id": "a", "item": {"name": "Rope"}}, True),
        ("manage_inventory", {"batch": [{"operation": "move", "character_id": "a"}]}, False),
        ("manage_inventory", {"operation": "list", "characterId": "a"}, False),
        ("advance_turn", {"batch": [{"encounter_id": "e"}]}, False),
    ],
)
def test_the_exact_schema_takes_one_call_or_a_batch(tool: str, args: Any, fits: bool) -> None:
    assert validator(args_schema(TOOLS[tool])).is_valid(args) is fits


@pytest.mark.parametrize("form", ["openai", "anthropic", "mcp"])
def test_apis_of_models_get_one_plain_object(form: str) -> None:
    for tool in TOOLS:
        require_plain_object(tool, describe(TOOLS[tool], form))


def require_plain_object(tool: str, described: dict[str, Any]) -> None:
    inner = described.get("function", described)
    schema = inner.get("parameters") or inner.get("input_schema") or inner["inputSchema"]
    assert schema["type"] == "object"
    assert not {"oneOf", "anyOf", "allOf", "$ref", "$defs"} & set(schema)
    assert "$ref" not in json.dumps(schema)
    assert ("batch" in schema["properties"]) is TOOLS[tool].batch
    check = jsonschema.Draft202012Validator(schema)
    assert check.is_valid(dict(TOOLS[tool].example))
    assert not TOOLS[tool].batch or check.is_valid({"batch": [dict(TOOLS[tool].example)]})
    assert not check.is_valid({"no such argument": 1})


def test_what_a_plain_object_cannot_say_is_said_in_words() -> None:
    told = describe(TOOLS["manage_inventory"], "openai")["function"]["description"]
    needed = "give: item or item_name; move: to_container."
    assert told.endswith(f"Required without batch: operation. Needed by operation: {needed}")
    assert "May stand once beside batch: encounter_id." in describe(TOOLS["execute_action"], "mcp")["description"]


def test_a_plain_object_is_shorter_and_says_the_same() -> None:
    for tool in TOOLS.values():
        if tool.family == "toolkit":
            assert tokens_of(tool) < len(json.dumps(describe(tool, "jsonschema"))) / 4 + 300


@pytest.mark.parametrize("tool", BATCH)
def test_people_are_told_of_batches(tool: str) -> None:
    page = describe(TOOLS[tool], "markdown")
    assert "| `batch` |" in page
    assert "| `atomic` |" in page


def test_people_are_told_the_words_and_bounds_of_arguments_and_what_objects_hold() -> None:
    page = describe(TOOLS["roll_check"], "markdown")
    assert "| `check_type` | `skill` · `ability` · `save` · `attack` · `initiative` | yes |" in page
    assert "| `manual_roll` | integer 1 to 20 or null | no |" in page
    assert "| `contested_check.type` | `skill` · `ability` | yes |" in page


def test_legal_calls_may_be_batches_of_ids_there_are(make_campaign: MakeCampaign) -> None:
    people = (linked("aria", 1, 1), linked("grik", 2, 1, is_enemy=True))
    legal = validator(make_campaign(hall_documents() | fight(*people)).legal(full=True))

    def is_legal(tool: str, args: Any) -> bool:
        return legal.is_valid({"id": "c", "tool": tool, "args": args})

    assert is_legal("take_rest", {"batch": [{"character_id": "aria", "rest_type": "short"}]})
    assert not is_legal("take_rest", {"batch": [{"character_id": "nobody", "rest_type": "short"}]})
    dash = {"actor_id": "aria", "action_type": "dash"}
    assert is_legal("execute_action", {"batch": [dash], "encounter_id": "encounter-1"})
    assert not is_legal("execute_action", {"batch": [dash], "encounter_id": "encounter-2"})
    assert not is_legal("execute_action", {"batch": [dash]})
    assert is_legal("execute_action", {**dash, "encounter_id": "encounter-1"})


LISTS_OF_IDS: list[tuple[str, str, Any]] = [
    ("execute_action", "target_ids", {"encounter_id": "encounter-1", "actor_id": "aria", "action_type": "help"}),
    (
        "manage_concentration",
        "targets",
        {"operation": "set", "character_id": "cyra", "spell_name": "Bless", "duration": 10},
    ),
    ("use_scroll", "target_ids", {"character_id": "cyra", "scroll_name": "Scroll of Bless", "spell_level": 1}),
]


@pytest.mark.parametrize(("tool", "name", "args"), LISTS_OF_IDS)
def test_a_list_of_ids_is_legal_and_one_id_is_none(
    make_campaign: MakeCampaign, tool: str, name: str, args: Any
) -> None:
    campaign = make_campaign(hall_documents() | fight(linked("aria", 1, 1), linked("grik", 2, 1, is_enemy=True)))
    legal = validator(campaign.legal(full=True))

    def is_legal(value: Any) -> bool:
        return legal.is_valid({"id": "c", "tool": tool, "args": args | {name: value}})

    assert is_legal(["grik"])
    assert is_legal([])
    assert not is_legal("grik")
    assert not is_legal(["nobody"])
    assert not is_legal(["grik"] * 101)

    def hint_for(value: Any) -> Any:
        reply = campaign.process({"tool_calls": [{"id": "c", "tool": tool, "args": args | {name: value}}]})
        return reply["tool_feedback"]["failed_calls"][0]["hint"]

    assert hint_for("grik") == {"field": f"args.{name}", "got": "grik", "allowed": [["grik"]]}
    assert hint_for("grikk") == {"field": f"args.{name}", "got": "grikk", "allowed": [["grik"]]}
    assert hint_for("Grikk, Arria") == {"field": f"args.{name}", "got": "Grikk, Arria", "allowed": [["grik", "aria"]]}
    told = hint_for(["grikk"])
    assert (told["field"], told["allowed"]) == (f"args.{name}.0", ["grik"])
    told = hint_for([5])
    assert (told["field"], told["got"], "allowed" in told) == (f"args.{name}.0", 5, False)
    assert "grik" in told["choices"]
    assert all(is_legal([each]) for each in told["choices"])


IN_A_FIGHT: list[tuple[str, str, Any]] = [
    ("execute_action", "actor_id", {"action_type": "dodge"}),
    ("execute_action", "target_id", {"actor_id": "aria", "action_type": "help"}),
    ("execute_action", "target_ids.0", {"actor_id": "aria", "action_type": "help"}),
    ("render_battlefield", "focus_on", {}),
    ("check_cover", "attacker_id", {"target_id": "grik"}),
    ("check_line_of_sight", "to_id", {"from_id": "grik"}),
    ("calculate_movement", "combatant_id", {"mode": "reach"}),
    ("calculate_aoe", "exclude_ids.0", {"shape": "sphere", "origin": {"x": 0, "y": 0}, "radius": 5}),
]


@pytest.mark.parametrize(("tool", "place", "args"), IN_A_FIGHT)
def test_where_only_combatants_will_do_nobody_else_is_offered(
    make_campaign: MakeCampaign, tool: str, place: str, args: Any
) -> None:
    people = fight(linked("aria", 1, 1), linked("grik", 2, 1, is_enemy=True) | {"id": "goblin"})
    campaign = make_campaign(hall_documents() | people)
    name = place.removesuffix(".0")
    given = {"encounter_id": "encounter-1", **args, name: [5] if place != name else 5}
    reply = campaign.process({"tool_calls": [{"id": "c", "tool": tool, "args": given}]})
    hint = reply["tool_feedback"]["failed_calls"][0]["hint"]
    assert hint == {"field": f"args.{place}", "got": 5, "choices": ["aria", "goblin", "grik"]}


def test_what_is_done_to_a_schema_of_legal_calls_stays_there(make_campaign: MakeCampaign) -> None:
    campaign = make_campaign(hall_documents())
    found: list[Any] = [campaign.legal()]
    while found:
        node = found.pop()
        found += node.values() if isinstance(node, dict) else node if isinstance(node, list) else ()
        if isinstance(node, dict):
            node["mine"] = True
    assert '"mine"' not in json.dumps(campaign.legal())


@pytest.mark.parametrize("can_retreat", [True, False])
def test_nobody_is_offered_a_retreat_without_a_way_back(make_campaign: MakeCampaign, can_retreat: bool) -> None:
    bargain = started(mood={**BARGAIN, "can_retreat": can_retreat}, dice_pool=[])
    legal = validator(make_campaign(bargain).legal())
    retreat: Any = {"id": "c", "tool": "retreat", "args": {"retreat_narration": "Back to the roofs."}}
    assert legal.is_valid(retreat) is can_retreat
