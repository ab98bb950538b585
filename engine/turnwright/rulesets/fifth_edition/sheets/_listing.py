"""How lists show the tools of characters and checks."""

from __future__ import annotations

from collections.abc import Mapping

from turnwright.rulesets.listing import Listing, listing

LISTING: Mapping[str, Listing] = {
    "roll_dice": listing(40, "expression | reason"),
    "create_character": listing(
        55, "name race class level character_type | stats hp max_hp ac", words="hero person npc"
    ),
    "get_character": listing(48, "character_id | list_all"),
    "update_character": listing(16, "character_id hp | temp_hp healing damage_type level character_state"),
    "delete_character": listing(96, "character_id"),
    "roll_check": listing(
        15,
        "character_id check_type skill ability dc | advantage disadvantage contested_by",
        words="try sneak climb persuade notice test",
    ),
    "manage_effect": listing(
        62,
        "target_id operation effect name",
        inner="effect.name effect.type effect.ac_bonus effect.attack_bonus effect.damage_bonus effect.duration",
    ),
    "take_rest": listing(52, "character_id rest_type | hit_dice_to_spend", words="sleep camp"),
    "level_up": listing(65, "character_id | target_level"),
}
