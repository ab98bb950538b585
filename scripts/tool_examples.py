"""What the tools of the toolkit really answer: the example of each, called in a small campaign made for it."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

from tests.golden.case import WORLDS
from tests.golden.failures import failures
from tests.golden.harness import begin_log

from turnwright.campaign.campaign import Campaign
from turnwright.content.kinds import BUILT_IN_PACKS
from turnwright.model.wire.reason import Reason
from turnwright.rulesets.aliases import ALIASES
from turnwright.rulesets.tool import Tool
from turnwright.rulesets.toolbox import TOOLS

Json = Any
NOW = datetime(2026, 1, 14, 16, 0, tzinfo=UTC)
SEED = "examples"
_MAX_DETAIL_LENGTH = 160
_OWN = (
    Reason.INVALID_ARGS,
    Reason.NOT_FOUND,
    Reason.AMBIGUOUS,
    Reason.CONFLICT,
    Reason.RULE_VIOLATION,
    Reason.LIMIT_EXCEEDED,
)
"""Reasons that are the tools' own, and not those of the gate before them."""

_FIGHT: Json = {
    "participants": [
        {"character_id": "aria", "position": {"x": 2, "y": 2}},
        {"character_id": "grik", "position": {"x": 3, "y": 2}},
        {"id": "wolf", "name": "Wolf", "hp": 11, "max_hp": 11, "position": {"x": 6, "y": 5}, "is_enemy": True},
    ],
    "terrain": {"width": 10, "height": 7, "obstacles": ["5,2", "5,3"], "water": ["8,6", "9,6"]},
}
_FIRST_IN_THE_FIGHT = (18, 7, 5)
"""Faces for initiative: Aria begins."""
_MIRA: Json = {"name": "Mira", "class": "Wizard", "level": 3, "stats": {"int": 16, "con": 14}}
_PLACES: Sequence[tuple[str, Json]] = (
    (
        "manage_location",
        {"operation": "create", "name": "The Rusty Flagon", "location_type": "indoor", "area_id": "area_001"},
    ),
    ("manage_location", {"operation": "create", "name": "The Mill", "description": "It stands still."}),
    ("manage_location", {"operation": "link", "from_location_id": "location-1", "to_location_id": "location-2"}),
)
_BEFORE: Mapping[str, Sequence[tuple[str, Json]]] = {
    "roll_death_save": (("hp_delta", {"target_character_id": "aria", "delta": -50, "cause": "a fall"}),),
    "use_scroll": (
        (
            "manage_inventory",
            {
                "operation": "give",
                "character_id": "cyra",
                "item": {"name": "Scroll of Fireball", "type": "consumable", "quantity": 2},
            },
        ),
    ),
    "move_party": _PLACES,
    "get_session_context": (*_PLACES, ("move_party", {"to_location_id": "location-1"})),
    "take_rest": (("update_character", {"character_name": "Mira", "hp": 5}),),
}
"""What has to happen before some of the examples."""


@cache
def answered() -> Mapping[str, Json]:
    """Return what each tool of the toolkit and of quests answers to its example: the action, without its time."""
    return {tool.name: _answer(tool) for tool in TOOLS.values() if tool.family in ("toolkit", "quests")}


def _answer(tool: Tool[Any]) -> Json:
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "hall"
        shutil.copytree(WORLDS / "hall", place)
        _allow(place / "campaign.json", tool.name)
        begin_log(place, NOW, SEED)
        with Campaign.open(place, clock=lambda: NOW) as campaign:
            example = json.dumps(dict(tool.example))
            if '"encounter-1"' in example or tool.name == "manage_encounter":
                _call(campaign, "create_encounter", _FIGHT, _FIRST_IN_THE_FIGHT)
            if ("Mira" in example or "character-1" in example) and tool.name != "create_character":
                _call(campaign, "create_character", _MIRA)
            for name, args in _BEFORE.get(tool.name, ()):
                _call(campaign, name, args)
            action = _call(campaign, tool.name, tool.example)
    return {key: value for key, value in action.items() if key != "timestamp"}


def _allow(file: Path, name: str) -> None:
    """Let a campaign allow a tool and use the content that comes with turnwright, as an author would."""
    campaign = json.loads(file.read_bytes())
    campaign["content"] = list(BUILT_IN_PACKS)
    if name not in campaign["allowlist"]:
        campaign["allowlist"].append(name)
    file.write_text(json.dumps(campaign), encoding="utf-8")


def _call(campaign: Campaign, tool: str, args: Mapping[str, Any], dice: Sequence[int] = ()) -> Json:
    call = {"id": "call_001", "tool": tool, "args": dict(args)}
    reply = campaign.process({"tool_calls": [call]}, dice=list(dice))
    if reply["status"] != "applied":
        raise SystemExit(f"the example of {tool} is no good call: {reply['tool_feedback']}")
    action: Json = reply["applied_actions"][0]
    return action


@cache
def reasons_of() -> Mapping[str, Mapping[str, str]]:
    """Return the reasons for which each tool failed in the golden cases, each with what was said the first time."""
    found: dict[str, dict[str, str]] = {name: {} for name in TOOLS}
    failed = (failure.feedback for failure in failures())
    for call in sorted(failed, key=lambda call: _OWN.index(call["reason"]) if call["reason"] in _OWN else len(_OWN)):
        name = ALIASES[call["tool"]].tool if call["tool"] in ALIASES else call["tool"]
        if name in found and call["reason"] in _OWN:
            found[name].setdefault(call["reason"], _short(call["detail"]))
    return found


def _short(detail: str) -> str:
    return detail if len(detail) <= _MAX_DETAIL_LENGTH else detail[: _MAX_DETAIL_LENGTH - 1] + "\u2026"
