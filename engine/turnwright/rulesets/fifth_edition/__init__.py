"""The fifth edition ruleset: sheets, fights, magic, space and belongings."""

from turnwright.content.kinds import MODELS
from turnwright.rulesets.ruleset import FIGHT, NOBODY, PEOPLE, RULING, RULING_AND_PEOPLE, STORY, Ruleset, tool_rows

RULESET = Ruleset(
    name="fifth_edition",
    settings="turnwright.rulesets.fifth_edition.settings:SETTINGS",
    vitals="turnwright.rulesets.fifth_edition.vitals:VITALS",
    templates={"toolkit": "turnwright.rulesets.fifth_edition.template:TOOLKIT"},
    beginning="turnwright.rulesets.fifth_edition.beginning:FIFTH_EDITION",
    sight="turnwright.rulesets.fifth_edition.sight:SIGHT",
    documents={
        "encounters/": "turnwright.model.encounter:Encounter",
        "auras/": "turnwright.model.aura:Aura",
        "calendar.json": "turnwright.model.calendar:Calendar",
    },
    door_tools=tool_rows(
        "turnwright.rulesets.fifth_edition.imports", 90, {"import_character": NOBODY}, group="characters"
    ),
    imports="turnwright.rulesets.fifth_edition.imports.hook:IMPORTS",
    content=MODELS,
    snapshot="turnwright.rulesets.fifth_edition.suggestions.snapshot:fill",
    suggestions="turnwright.rulesets.fifth_edition.suggestions.rows:SUGGESTIONS",
    commands="turnwright.rulesets.fifth_edition.play_commands:COMMANDS",
    validation={
        "characters/": "turnwright.rulesets.fifth_edition.validation:character_problems",
        "encounters/": "turnwright.rulesets.fifth_edition.validation.fights:fight_problems",
        "auras/": "turnwright.rulesets.fifth_edition.validation.fights:aura_problems",
    },
    effects="turnwright.rulesets.fifth_edition.effects:EFFECTS",
    claims={
        "hit_point_change": (
            "execute_action",
            "cast_spell",
            "update_character",
            "manage_inventory",
            "take_rest",
            "manage_aura",
        ),
        "death": ("execute_action", "cast_spell", "update_character"),
        "death_save": ("roll_death_save",),
        "goods": ("manage_inventory", "update_character"),
        "attack_outcome": ("execute_action", "cast_spell", "roll_check"),
        "check_outcome": ("roll_check", "roll_death_save"),
        "rest": ("take_rest",),
        "fight": ("end_encounter", "manage_encounter"),
        "fight_turn": ("advance_turn",),
    },
    operations={  # changing operations only: the prompt holds what a character may know
        "manage_inventory": dict.fromkeys(PEOPLE, ("give", "take", "equip", "unequip", "transfer", "use", "move")),
    },
    evidence={"encounters/": "turnwright.rulesets.fifth_edition.evidence:evidence"},
    changes={
        "encounters/": "turnwright.rulesets.fifth_edition.evidence:fight_changes",
        "characters/": "turnwright.rulesets.fifth_edition.belongings.changes:belongings_changes",
    },
    tools={
        **tool_rows(
            "turnwright.rulesets.fifth_edition.fights",
            10,
            {
                "create_encounter": STORY,
                "get_encounter": FIGHT,
                "execute_action": FIGHT,
                "advance_turn": FIGHT,
                "roll_death_save": RULING,
                "manage_condition": RULING,
                "render_battlefield": FIGHT,
                "modify_terrain": FIGHT,
                "end_encounter": FIGHT,
                "manage_encounter": NOBODY,
            },
            group="combat",
        ),
        **tool_rows(
            "turnwright.rulesets.fifth_edition.sheets",
            20,
            {
                "roll_dice": RULING,
                "create_character": STORY,
                "get_character": RULING,
                "update_character": RULING,
                "delete_character": NOBODY,
                "roll_check": RULING,
                "manage_effect": RULING,
                "take_rest": STORY,
                "level_up": STORY,
            },
            group="characters",
        ),
        **tool_rows(
            "turnwright.rulesets.fifth_edition.magic",
            30,
            {
                "manage_concentration": RULING,
                "manage_spell_slots": RULING,
                "use_scroll": RULING,
                "manage_aura": RULING,
                "synthesize_spell": RULING,
                "cast_spell": RULING,
            },
            group="magic",
        ),
        **tool_rows(
            "turnwright.rulesets.fifth_edition.space",
            40,
            {
                "measure_distance": FIGHT,
                "calculate_aoe": FIGHT,
                "check_line_of_sight": FIGHT,
                "check_cover": FIGHT,
                "place_prop": FIGHT,
                "calculate_movement": FIGHT,
            },
            group="spatial",
        ),
        **tool_rows(
            "turnwright.rulesets.fifth_edition.belongings",
            53,
            {
                "manage_inventory": RULING_AND_PEOPLE,
            },
            group="data",
        ),
        **tool_rows(
            "turnwright.rulesets.fifth_edition.belongings",
            55,
            {
                "get_session_context": STORY,
            },
            group="data",
        ),
        **tool_rows(
            "turnwright.rulesets.fifth_edition.content",
            56,
            {
                "lookup_content": RULING,
            },
            group="data",
        ),
    },
)
