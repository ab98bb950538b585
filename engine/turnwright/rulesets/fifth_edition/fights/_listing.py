"""How lists show the tools of fights."""

from __future__ import annotations

from collections.abc import Mapping

from turnwright.rulesets.listing import Listing, listing

LISTING: Mapping[str, Listing] = {
    "create_encounter": listing(
        25,
        "participants | monsters terrain lighting",
        "Characters: only character_id. Monsters of the rules: by name, in monsters.",
        "participants.character_id participants.name participants.hp participants.max_hp participants.ac "
        "participants.initiative_bonus participants.position participants.is_enemy participants.attack_bonus "
        "participants.damage monsters.monster monsters.count terrain.width terrain.height terrain.obstacles "
        "terrain.difficult_terrain",
        words="start begin fight battle combat ambush",
    ),
    "get_encounter": listing(14, "| encounter_id verbosity"),
    "execute_action": listing(
        10,
        "actor_id action_type target_id move_to spell_name | encounter_id action action_cost spell_slot target_ids "
        "damage_expression save_ability item_name",
        "The engine rolls: give no bonuses.",
        words="attack hit strike kill shoot fight",
    ),
    "advance_turn": listing(11, "| encounter_id", words="next"),
    "roll_death_save": listing(17, "character_id"),
    "manage_condition": listing(
        18,
        "target_id operation condition | duration source encounter_id",
        words="poisoned stunned prone blinded frightened",
    ),
    "render_battlefield": listing(70, "encounter_id"),
    "modify_terrain": listing(72, "encounter_id operation terrain_type positions"),
    "end_encounter": listing(19, "outcome | encounter_id notes", words="end finish stop fight battle combat"),
    "manage_encounter": listing(95, "operation encounter_id outcome", "Other arguments as in create_encounter."),
}
