"""What the party may see of a spell: of others how they look, and not their numbers.

Source: docs/stages/6-publish.md, "A fight".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from turnwright.model.json_types import JsonObject
from turnwright.rulesets.fifth_edition.fights.visible_health import VISIBLE_CONDITIONS
from turnwright.rulesets.health_words import look_at
from turnwright.rulesets.visibility import PartyView, Redaction

if TYPE_CHECKING:
    from turnwright.rulesets.fifth_edition.magic.shapes import TargetRow


class SpellRedaction(Redaction):
    """Redacts the result of `cast_spell`."""

    def hide(self, result: JsonObject, party: PartyView) -> JsonObject:
        """Return a spell without the targets that the party does not see."""
        spell: dict[str, Any] = dict(result)
        rows = [row for row in spell["targets"] if party.sees(row)]
        first = rows[0]["target_id"] if rows else None
        checks = [row for row in spell.get("concentration_checks", ()) if party.sees(row)]
        return {**spell, "targets": rows, "target": first, "concentration_checks": checks}

    def redact(self, args: JsonObject, result: JsonObject, party: PartyView) -> JsonObject:
        """Return a spell without the numbers of those who are not the party's own."""
        del args
        spell: dict[str, Any] = dict(result)
        checks = [row for row in spell.get("concentration_checks", ()) if party.is_own(row["target_id"])]
        rows = [row if party.is_own(row["target_id"]) else _of_other(row) for row in spell["targets"]]
        return {**spell, "targets": rows, "concentration_checks": checks}


def _of_other(row: TargetRow) -> JsonObject:
    """Return of what was done to somebody what can be seen of it."""
    seen: dict[str, Any] = {
        key: value for key, value in row.items() if key in ("target_id", "damage", "further_damage", "position")
    }
    if attack := row.get("attack"):
        seen["attack"] = {key: value for key, value in attack.items() if key != "target_ac"}
    if save := row.get("save"):
        seen["save"] = {"ability": save["ability"], "success": save["success"]}
    if hp := row.get("target_hp"):
        is_dead = row.get("target_status") == "dead"
        seen["target_hp"] = {"look": "dead" if is_dead else look_at(hp["after"], hp["max"])}
    names = [name for name in row.get("target_conditions", ()) if name in VISIBLE_CONDITIONS]
    return {**seen, "target_conditions": names}


SPELL = SpellRedaction()
