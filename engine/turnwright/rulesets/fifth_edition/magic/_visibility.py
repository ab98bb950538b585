"""Visibility of the magic tools' results for players."""

from __future__ import annotations

from collections.abc import Mapping

from turnwright.rulesets.visibility import Visibility, visible

VISIBILITY: Mapping[str, Visibility] = {
    "manage_concentration": visible(
        "target operation concentrating spell_name targets duration rounds_remaining dc natural rolls "
        "modifier total success broken previous_spell reason",
    ),
    "manage_spell_slots": visible("character_id operation caster_type slots pact expended restored", subject="sheet"),
    "use_scroll": visible(
        "character_id spell_name spell_level check_required dc natural rolls modifier total success consumed "
        "removed_item targets save_dc attack_bonus",
    ),
    "manage_aura": visible("operation aura_id aura auras results skipped remaining expired removed reason"),
    "cast_spell": visible(
        "action_type actor spell level cost target targets pool concentration rounds previous_spell "
        "concentration_checks",
        redaction="turnwright.rulesets.fifth_edition.magic._redaction:SPELL",
    ),
    "synthesize_spell": visible(
        "caster dc circumstances natural rolls mode bonus total margin outcome mishap_damage spell slot "
        "previous_spell concentration_check",
    ),
}
