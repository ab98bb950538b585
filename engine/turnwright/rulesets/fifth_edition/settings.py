"""Settings of the fifth edition: time, cover, and improvised magic.

Source: docs/stages/2-settings.md.
"""

from turnwright.model.settings import Setting

SETTINGS = (
    Setting("rules.calendar", False, "Keep a clock: one long rest in 24 hours, and what lasts so long is over."),
    Setting(
        "rules.cover",
        "ray",
        "What cover goes by: one ray from middle to middle, or four lines from the observer's best corner.",
        choices=("ray", "corners"),
    ),
    Setting("rules.improvised_base_dc", 12, "The DC of improvised magic, before the level of the spell.", 1, 30),
    Setting("rules.improvised_dc_per_two_levels", 3, "What two levels of improvised magic add to its DC.", 0, 20),
    Setting("rules.improvised_mishap_die", 6, "The die a mishap of improvised magic throws for each level.", 2, 100),
    Setting("rules.improvised_mishap_margin", 10, "From so much below its DC improvised magic is a mishap.", 1, 30),
    Setting("rules.improvised_strong_margin", 10, "From so much above its DC improvised magic is strong.", 1, 30),
)
