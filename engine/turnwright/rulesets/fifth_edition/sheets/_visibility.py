"""What players may see of the tools of characters."""

from __future__ import annotations

from collections.abc import Mapping

from turnwright.rulesets.visibility import Visibility, visible

VISIBILITY: Mapping[str, Visibility] = {
    "roll_dice": visible(
        "expression rolls kept dropped terms total bounds natural label grand_total",
        audience="callers",
        subject="caller",
    ),
    "create_character": visible("character_id character preview", audience="caller"),
    "get_character": visible(
        "character effective conditions effects concentration spell_slots pact_slots inventory_summary "
        "characters count",
        audience="caller",
    ),
    "update_character": visible(
        "character_id participant_id name changes hp adjusted concentration_check character",
        audience="caller",
    ),
    "delete_character": visible("deleted", audience="caller"),
    "roll_check": visible(
        "check_type ability skill natural rolls mode ability_mod proficiency bonus modifier total dc success "
        "nat20 nat1 auto_fail contest",
    ),
    "manage_effect": visible("effect_id target operation effect effects expired replaced"),
    "take_rest": visible(
        "rest_type hp_before hp_after healing hit_dice_spent hit_dice_rolls hit_dice_before hit_dice_after "
        "hit_dice_max slots_restored pact_restored exhaustion_before exhaustion_after conditions_cleared "
        "effects_ended interrupted",
        subject="sheet",
    ),
    "level_up": visible(
        "old_level new_level hp_gain rolls old_max_hp new_max_hp hp old_proficiency new_proficiency hit_dice "
        "caster_type spell_slots pact_slots resource new_features new_spells "
        "classes ability_increase undecided",
        subject="sheet",
    ),
}
