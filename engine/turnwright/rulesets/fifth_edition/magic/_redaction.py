"""The party's view of a spell: others' visible health, but not their numbers.

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
    from turnwright.rulesets.fifth_edition.magic.shapes import TargetRow


_OF_OTHERS = ("areas", "left", "summoned")
"""Keys that reveal the numbers and stat blocks of others."""


class SpellRedaction(Redaction):
    """Redacts the result of `cast_spell`."""

    def hide(self, result: JsonObject, party: PartyView) -> JsonObject:
        """Return a spell without the targets that the party does not see."""
        spell: dict[str, Any] = dict(result)
        rows = [row for row in spell["targets"] if party.sees(row)]
        first = rows[0]["target_id"] if rows else None
        checks = [row for row in spell.get("concentration_checks", ()) if party.sees(row)]
        told = {key: value for key, value in spell.items() if key not in _OF_OTHERS}
        return {**told, "targets": rows, "target": first, "concentration_checks": checks}

    def own_keys(self, result: JsonObject, party: PartyView) -> Collection[str] | None:
        """Return all keys of a spell that tells its game master more than its caster, so that it is redacted."""
        del party
        spell: dict[str, Any] = dict(result)
        return tuple(spell) if any("omen" in row for row in spell["targets"]) else None

    def redact(self, args: JsonObject, result: JsonObject, party: PartyView) -> JsonObject:
        """Return a spell without the numbers of creatures outside the party."""
        del args
        spell: dict[str, Any] = dict(result)
        checks = [row for row in spell.get("concentration_checks", ()) if party.is_own(row["target_id"])]
        rows = [_of_own(row) if party.is_own(row["target_id"]) else _of_other(row) for row in spell["targets"]]
        return {**spell, "targets": rows, "concentration_checks": checks}


def _of_own(row: TargetRow) -> JsonObject:
    """Return a row without what the game master alone knows: how sure an answer is."""
    shown: dict[str, Any] = {key: value for key, value in row.items() if key != "omen"}
    return shown


def _of_other(row: TargetRow) -> JsonObject:
    """Return the visible part of a spell's effect on a creature."""
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
