"""The last actions of a fight, kept so that a reader can see what happened."""

from __future__ import annotations

from typing import TYPE_CHECKING

from turnwright.model.encounter import Encounter

if TYPE_CHECKING:
    from turnwright.rulesets.fifth_edition.shapes import ActionResult, RememberedAction

_KEPT = 20


def with_action(encounter: Encounter, result: ActionResult) -> Encounter:
    """Return a fight that remembers one action more, of the last ones."""
    return encounter.replace(actions=(*encounter.actions, _entry(encounter.round, result))[-_KEPT:])


def _entry(number: int, result: ActionResult) -> RememberedAction:
    """Return a summary of what `execute_action` reports."""
    entry: RememberedAction = {
        "round": number,
        "actor": result["actor"],
        "action_type": result["action_type"] or "move",
    }
    thrown = (result.get("contest"), result.get("check"), result.get("save"))
    success = next((each["success"] for each in thrown if each), None)
    if (target := result["target"]) is not None:
        entry["target"] = target
    if attack := result.get("attack"):
        entry["result"] = attack["result"]
    if success is not None:
        entry["success"] = success
    if damage := result.get("damage"):
        entry["damage"] = damage["final"]
    if (spell := result.get("spell")) is not None:
        entry["spell"] = spell
    if (outcome := result.get("outcome")) is not None:
        entry["outcome"] = outcome
    if movement := result.get("movement"):
        entry["moved_to"] = movement["to"]
    if struck := len(result["opportunity_attacks"]):
        entry["opportunity_attacks"] = struck
    return entry
