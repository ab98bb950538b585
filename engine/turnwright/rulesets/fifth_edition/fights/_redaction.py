"""The party's view of a turn and an action in a fight: others' visible health, but not their numbers.

Source: docs/stages/6-publish.md, "A fight".
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Any

from turnwright.model.json_types import JsonObject
from turnwright.rulesets.fifth_edition.fights.visible_health import VISIBLE_CONDITIONS
from turnwright.rulesets.health_words import look_at
from turnwright.rulesets.visibility import PartyView, Redaction

if TYPE_CHECKING:
    from turnwright.rulesets.fifth_edition.shapes import TurnOwner

_OF_TURN = ("round", "new_round", "previous", "current", "next", "death_save_required", "all_down")
"""The keys shown to a player who ended a turn: the current turn, and not what happened to others."""
_NOBODY: TurnOwner = {"id": "", "name": "someone unseen"}
"""The keys for the current turn, when a hidden combatant has it."""


class TurnRedaction(Redaction):
    """Redacts the result of `advance_turn`."""

    def hide(self, result: JsonObject, party: PartyView) -> JsonObject:
        """Return what happened between two turns, also when one of them is a hidden combatant's."""
        turn: dict[str, Any] = dict(result)
        whose = {key: turn[key] if party.sees(turn[key]) else _NOBODY for key in ("previous", "current")}
        if not party.is_own(turn["current"]["id"]):
            whose["current"] = _of_other(whose["current"])
        return {**turn, **whose, "next": [each for each in turn["next"] if each not in party.unseen]}

    def own_keys(self, result: JsonObject, party: PartyView) -> Collection[str]:
        """Return the combatants whose turn it was and is."""
        del result, party
        return _OF_TURN


def _of_other(whose: TurnOwner) -> TurnOwner:
    """Return the visible facts of the combatant whose turn begins."""
    conditions = [name for name in whose.get("conditions", ()) if name in VISIBLE_CONDITIONS]
    return {"id": whose["id"], "name": whose["name"], "conditions": conditions}


class ActionRedaction(Redaction):
    """Redacts the result of `execute_action`."""

    def redact(self, args: JsonObject, result: JsonObject, party: PartyView) -> JsonObject:
        """Return an action without the number that a check had to reach, and of others without armor class and hp."""
        del args
        seen: dict[str, Any] = dict(result)
        if check := seen.get("check"):
            seen["check"] = {**check, "dc": None}
        if party.is_own(seen["target"]):
            return seen
        if attack := seen.get("attack"):
            seen["attack"] = {key: value for key, value in attack.items() if key != "target_ac"}
        if hp := seen.get("target_hp"):
            is_dead = seen.get("target_status") == "dead"
            seen["target_hp"] = {"look": "dead" if is_dead else look_at(hp["after"], hp["max"])}
        return seen

    def own_keys(self, result: JsonObject, party: PartyView) -> Collection[str] | None:
        """Return every key of an action by a player-controlled combatant, except what traits of others did."""
        if not party.is_own(str(result["actor"])):
            return None
        return [key for key in result if key not in ("traits", "areas", "left")]


TURN = TurnRedaction()
ACTION = ActionRedaction()
