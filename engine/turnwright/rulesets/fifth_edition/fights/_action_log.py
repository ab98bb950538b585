"""What a fight remembers of the last actions, so that a reader can tell what happened."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from turnwright.model.encounter import Encounter

_KEPT = 20


def with_action(encounter: Encounter, result: Mapping[str, Any]) -> Encounter:
    """Return a fight that remembers one action more, of the last ones."""
    return encounter.replace(actions=(*encounter.actions, _entry(encounter.round, result))[-_KEPT:])


def _entry(number: int, result: Mapping[str, Any]) -> dict[str, Any]:
    """Return the gist of what `execute_action` reports."""
    attack, damage, movement = (result.get(key) for key in ("attack", "damage", "movement"))
    contest, check, save = (result.get(key) for key in ("contest", "check", "save"))
    entry: dict[str, Any] = {"round": number, "actor": result["actor"], "action_type": result["action_type"] or "move"}
    found = {
        "target": result["target"],
        "result": attack["result"] if attack else None,
        "success": next((each["success"] for each in (contest, check, save) if each), None),
        "damage": damage["final"] if damage else None,
        "spell": result.get("spell"),
        "outcome": result.get("outcome"),
        "moved_to": movement["to"] if movement else None,
        "opportunity_attacks": len(result["opportunity_attacks"]) or None,
    }
    return entry | {key: value for key, value in found.items() if value is not None}
