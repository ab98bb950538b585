"""Settings of the scene game.

Source: docs/stages/2-settings.md.
"""

from turnwright.model.settings import Setting

SETTINGS = (
    Setting("scene.aftermath_max_turns", 2, "The number of turns after which an aftermath ends by itself.", 1, 100),
    Setting("scene.compress_at", 20, "The number of beats from which a scene is compressed.", 4, 1000),
    Setting("scene.empty_scene_pool", [4, 4, 4], "The dice of a scene that would otherwise begin with none."),
    Setting("scene.heat_max", 10, "The most heat; it brings an entanglement between scenes.", 1, 100),
    Setting("scene.lay_low_heat", 1, "The heat that laying low removes.", 0, 100),
    Setting("scene.max_repairs", 2, "How often a failed output is requested again.", 0, 20),
    Setting("scene.max_transitions", 6, "How often the mood may change for one input of a player.", 1, 100),
    Setting("scene.pass_out_pool", [3, 3], "The dice after passing out."),
    Setting("scene.pass_out_stress", 2, "The stress of passing out.", 0, 100),
    Setting("scene.pool_max", 6, "The most dice in the pool.", 1, 12),
    Setting("scene.pool_start", 5, "The number of dice at the beginning of a scenario and after recovering.", 1, 12),
    Setting("scene.recent_costs_max", 3, "How many costs are remembered.", 1, 50),
    Setting("scene.recover_coin", 1, "The cost of recovering.", 0, 100),
    Setting("scene.recover_stress", 1, "The stress that recovering removes.", 0, 100),
    Setting("scene.retreat_pool", [4, 4, 4], "The dice after a retreat."),
    Setting("scene.stress_max", 9, "The stress at which a character breaks.", 1, 100),
    Setting("scene.suggestions_max", 5, "The most suggestions in one output.", 1, 20),
    Setting("scene.unresolved_max", 5, "How many unresolved threats are kept.", 1, 50),
    Setting("scene.wanted_max", 4, "The highest wanted level.", 1, 100),
)
