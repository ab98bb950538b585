"""How lists show the tools of magic."""

from __future__ import annotations

from collections.abc import Mapping

from turnwright.rulesets.listing import Listing, listing

LISTING: Mapping[str, Listing] = {
    "cast_spell": listing(12, "caster_id spell slot target_ids | target_position choice"),
    "manage_concentration": listing(64, "character_id operation | spell_name duration damage_amount"),
    "manage_spell_slots": listing(63, "character_id operation slot_level | count pact_magic"),
    "use_scroll": listing(66, "character_id scroll_name spell_level | target_id"),
    "manage_aura": listing(80, "operation owner_id spell_name radius | damage aura_id"),
    "synthesize_spell": listing(82, "caster_id intent proposed_spell"),
}
