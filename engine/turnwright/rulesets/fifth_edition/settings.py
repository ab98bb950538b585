"""Settings of the fifth edition: time, cover, and improvised magic.

Source: docs/stages/2-settings.md.
"""

from turnwright.model.settings import Setting

SETTINGS = (
    Setting("rules.calendar", False, "Keep a clock: one long rest in 24 hours, and effects expire with time."),
    Setting(
        "rules.cover",
        "ray",
        "How cover is determined: one ray from center to center, or four lines from the observer's best corner.",
        choices=("ray", "corners"),
    ),
    Setting("rules.improvised_base_dc", 12, "The DC of improvised magic, before the level of the spell.", 1, 30),
    Setting(
        "rules.improvised_dc_per_two_levels",
        3,
        "The increase of the DC for each two levels of improvised magic.",
        0,
        20,
    ),
    Setting(
        "rules.improvised_mishap_die", 6, "The die that a mishap of improvised magic rolls for each level.", 2, 100
    ),
    Setting(
        "rules.improvised_mishap_margin", 10, "The margin below its DC from which improvised magic is a mishap.", 1, 30
    ),
    Setting(
        "rules.improvised_strong_margin", 10, "The margin above its DC from which improvised magic is strong.", 1, 30
    ),
)
