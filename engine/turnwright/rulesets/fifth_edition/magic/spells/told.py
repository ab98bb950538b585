"""Figures of spells that no rule reads: the result tells them, and the table plays them out.

Source: docs/content.md, "Spells by name".
"""

from __future__ import annotations

TOLD = frozenset(
    {
        "advantage_against",
        "alerts",
        "attitude",
        "bonus_actions",
        "blocked_by",
        "breathes",
        "carries_weight",
        "count",
        "destroys_object_cube",
        "distance",
        "fall_damage",
        "fall_speed",
        "follows_within",
        "food_lb",
        "gallons",
        "gap",
        "grants",
        "heal_each",
        "ignites_objects",
        "jump_factor",
        "light",
        "lights",
        "matter",
        "max_weight",
        "minutes_per_change",
        "minutes_per_page",
        "moves_away",
        "moves_by",
        "notice",
        "object_stats",
        "passage",
        "plants",
        "questions",
        "sensed_by",
        "size_limit",
        "throw_range",
        "travel",
        "walks_on",
        "water_gallons",
        "within",
    }
)
"""Figures that no rule of a fight reads."""
AIMED_AT = frozenset({"object", "place"})
"""Targets of spells that are not creatures: the call need not name a target, and the caster maintains the spell."""
WILLING = "no_save"
"""The save wording for creatures on the caster's side: they make no save."""
