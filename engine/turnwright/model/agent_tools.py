"""Which tools each agent may ask for: names only, so that suggestions, prompts and the loop read the same lists.

The allowlist of a campaign narrows them further. Source: docs/agents.md, "The agents".
"""

from __future__ import annotations

from collections.abc import Mapping

from turnwright.model.wire.agent import AgentKind

_SCENES = frozenset(
    {"set_scene_style", "choose", "spend_die", "engage", "resolve", "accept", "accept_bargain", "retreat", "pass_out"}
)
_RULINGS = frozenset(
    {
        "hp_delta",
        "manage_condition",
        "roll_death_save",
        "roll_dice",
        "roll_check",
        "get_character",
        "update_character",
        "manage_effect",
        "manage_concentration",
        "manage_spell_slots",
        "use_scroll",
        "manage_aura",
        "synthesize_spell",
        "manage_inventory",
        "manage_notes",
    }
)
"""What the game master rules on, in a fight and outside."""
_STORY = frozenset(
    {
        "move",
        "move_options",
        "map_generate",
        "create_encounter",
        "create_character",
        "take_rest",
        "level_up",
        "manage_location",
        "move_party",
        "manage_party",
        "manage_quest",
        "get_session_context",
    }
)
_FIGHT = frozenset(
    {
        "get_encounter",
        "execute_action",
        "advance_turn",
        "end_encounter",
        "render_battlefield",
        "modify_terrain",
        "measure_distance",
        "calculate_aoe",
        "check_line_of_sight",
        "check_cover",
        "place_prop",
        "calculate_movement",
    }
)
_PERSON = frozenset({"manage_inventory", "manage_notes", "manage_quest", "manage_location", "move", "move_options"})

TOOLS_OF: Mapping[AgentKind, frozenset[str]] = {
    AgentKind.NARRATIVE: _STORY | _RULINGS | _SCENES,
    AgentKind.COMBAT: _FIGHT | _RULINGS,
    AgentKind.NPC_INDIVIDUAL: _PERSON,
    AgentKind.NPC_PUPPETEER: _PERSON,
    AgentKind.SUMMARIZER: frozenset(),
    AgentKind.SUGGESTOR: frozenset(),
    AgentKind.VERIFIER: frozenset(),
}
"""The tools of each agent. `delete_character` and `manage_encounter` are nobody's: the one is for people, and other
tools do what the other does."""

OWN_STEPS = frozenset({"move", "move_options"})
"""Tools that act as the acting character: somebody who is played by an agent has them as a member of the party only."""

_QUESTS_OF_MINORS = ("offer", "start", "decline")
_OF_PERSONS = {
    "manage_inventory": ("give", "take", "equip", "unequip", "transfer", "use", "move"),
    "manage_location": ("update", "link"),
    "manage_notes": ("add",),
}
"""What changes something: what a character may know is in the prompt, and no list may show more."""
OPERATIONS_OF: Mapping[AgentKind, Mapping[str, tuple[str, ...]]] = {
    AgentKind.NPC_INDIVIDUAL: {
        **_OF_PERSONS,
        "manage_quest": (*_QUESTS_OF_MINORS, "complete_objective", "complete"),
    },
    AgentKind.NPC_PUPPETEER: {**_OF_PERSONS, "manage_quest": _QUESTS_OF_MINORS},
}
"""Where an agent has a tool for some operations only: these."""
