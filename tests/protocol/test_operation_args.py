"""An argument that the chosen operation does nothing with is refused, and asked about: nothing is ignored."""

from __future__ import annotations

import pytest
from tests.builders import Json, call, documents, turn
from tests.conftest import MakeCampaign

from turnwright.rulesets.toolbox import TOOLS

FIGHT = {"encounter_id": "encounter-1", "actor_id": "pc_001"}
AT = {"x": 1, "y": 1}
UNUSED: list[tuple[str, Json, str, Json]] = [
    *(
        ("execute_action", FIGHT | {"action_type": "dodge"} | given, next(iter(given)), {"choices": choices})
        for given, choices in (
            ({"damage_expression": "1d8"}, ["attack", "cast_spell"]),
            ({"spell_name": "Light"}, ["cast_spell", "ready"]),
            ({"escape": True}, ["grapple"]),
            ({"advantage": True}, ["attack", "cast_spell", "hide", "search", "shove", "grapple"]),
            ({"item_name": "Rope"}, ["use_object", "use_magic_item"]),
            ({"dc": 12}, ["search", "hide"]),
            ({"trigger": "a door opens"}, ["ready"]),
        )
    ),
    ("execute_action", FIGHT | {"move_to": AT, "shove_direction": "prone"}, "shove_direction", {"choices": ["shove"]}),
    ("level_up", {"character_id": "pc_001", "manual_hp": 7}, "manual_hp", {"choices": ["manual"]}),
    (
        "level_up",
        {"character_id": "pc_001", "hp_method": "max", "manual_roll": 7},
        "manual_roll",
        {"choices": ["roll"]},
    ),
    ("roll_check", {"check_type": "save", "ability": "dex", "skill": "stealth"}, "skill", {"choices": ["skill"]}),
    ("calculate_aoe", {"shape": "cube", "side_length": 10, "origin": AT, "radius": 20}, "radius", {}),
    ("calculate_aoe", {"shape": "sphere", "radius": 10, "origin": AT, "direction": AT}, "direction", {}),
    ("calculate_movement", {"mode": "reach", "from_position": AT, "to_position": AT}, "to_position", {}),
    ("calculate_movement", {"mode": "adjacent", "from_position": AT, "diagonal_rule": "grid_alt"}, "diagonal_rule", {}),
]


@pytest.mark.parametrize(("tool", "args", "unused", "hint"), UNUSED)
def test_what_an_operation_does_nothing_with_is_a_question(
    make_campaign: MakeCampaign, tool: str, args: Json, unused: str, hint: Json
) -> None:
    campaign = make_campaign(documents(allowlist=[tool]))
    [failed] = campaign.process(turn(call(tool, **args)))["tool_feedback"]["failed_calls"]
    key = TOOLS[tool].args.operation_key
    chosen = {"got": args[key]} if key in args else {"add": True}
    others = list(TOOLS[tool].args.only_for[unused])
    assert failed["reason"] == "invalid_args"
    assert failed["detail"].startswith(f"args.{unused}: is for {' or '.join(others)}, and does nothing ")
    assert failed["hint"] == {"field": f"args.{key}", "choices": others, **chosen}
    assert hint.get("choices", others) == others


@pytest.mark.parametrize(
    ("tool", "args"),
    [
        ("calculate_aoe", {"shape": "sphere", "radius": 10, "origin": AT, "width": 5, "length": None}),
        ("calculate_movement", {"mode": "adjacent", "from_position": AT, "diagonal_rule": "grid_5e"}),
    ],
)
def test_the_default_of_such_an_argument_says_nothing(make_campaign: MakeCampaign, tool: str, args: Json) -> None:
    campaign = make_campaign(documents(allowlist=[tool]))
    assert campaign.process(turn(call(tool, **args)))["status"] == "applied"
