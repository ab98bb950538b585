"""The fifth edition ruleset: sheets, fights, magic, space and belongings."""

from turnwright.rulesets.ruleset import Ruleset, tool_rows

RULESET = Ruleset(
    name="fifth_edition",
    documents={
        "encounters/": "turnwright.model.encounter:Encounter",
        "auras/": "turnwright.model.aura:Aura",
    },
    tools={
        **tool_rows(
            "turnwright.tools.combat",
            10,
            "create_encounter",
            "get_encounter",
            "execute_action",
            "advance_turn",
            "roll_death_save",
            "manage_condition",
            "render_battlefield",
            "modify_terrain",
            "end_encounter",
            "manage_encounter",
        ),
        **tool_rows(
            "turnwright.tools.characters",
            20,
            "roll_dice",
            "create_character",
            "get_character",
            "update_character",
            "delete_character",
            "roll_check",
            "manage_effect",
            "take_rest",
            "level_up",
        ),
        **tool_rows(
            "turnwright.tools.magic",
            30,
            "manage_concentration",
            "manage_spell_slots",
            "use_scroll",
            "manage_aura",
            "synthesize_spell",
        ),
        **tool_rows(
            "turnwright.tools.spatial",
            40,
            "measure_distance",
            "calculate_aoe",
            "check_line_of_sight",
            "check_cover",
            "place_prop",
            "calculate_movement",
        ),
        **tool_rows("turnwright.tools.data", 53, "manage_inventory"),
        **tool_rows("turnwright.tools.data", 55, "get_session_context"),
    },
)
