"""What the party may see of a change of hit points: for others the way they look, without numbers."""

from __future__ import annotations

from collections.abc import Collection

from turnwright.model.json_types import JsonObject
from turnwright.rulesets.facts import Facts
from turnwright.rulesets.health_words import look_at
from turnwright.rulesets.hit_points import hit_points
from turnwright.rulesets.visibility import PartyView, Redaction


class HpDeltaRedaction(Redaction):
    """Redacts the result of `hp_delta`."""

    def redact(self, args: JsonObject, result: JsonObject, party: PartyView) -> JsonObject:
        """Return how a character looks that no player plays."""
        target_id = str(args["target_character_id"])
        if party.is_own(target_id):
            return result
        person = party.world.character(target_id)
        look = look_at(Facts(result).number("new_hp"), hit_points(party.world, person)[1] if person else None)
        return {} if look is None else {"look": look}

    def own_keys(self, result: JsonObject, party: PartyView) -> Collection[str]:
        """Return every key, as the result is already redacted."""
        del party
        return (*result, "look")


HP_DELTA = HpDeltaRedaction()
