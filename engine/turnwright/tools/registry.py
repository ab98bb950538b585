"""Every tool there is, one line each. A tool's module is imported when the tool is first asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

from turnwright.model.lazy import LazyMapping
from turnwright.tools._base import Tool
from turnwright.tools.visibility import HIDDEN, Visibility

if TYPE_CHECKING:
    from turnwright.tools._facts import Facts
    from turnwright.tools._story_context import StoryContext

    Story = Callable[[Facts, Facts, StoryContext], str]


PARTS = ("answer", "output", "user_input")
"""Parts of a turn beside its calls, by the names that stand in place of a tool's."""


class Toolbox(LazyMapping[Tool[Any]]):
    """Tools by name. Most turns use one or two of them, so the others are not loaded."""

    def __init__(self, folders: Mapping[str, str]) -> None:
        """Take the folder of `turnwright.tools` in which each tool has the module of its name."""
        super().__init__({name: f"turnwright.tools.{folder}.{name}:{name}" for name, folder in folders.items()})
        self.folders = dict(folders)
        self.stories: LazyMapping[Story] = LazyMapping(
            {name: f"turnwright.tools.{folder}._story:{name}" for name, folder in folders.items()}
        )
        """What a call of each tool did, in words: of its arguments, its result, and who reads. Beside the tool's own
        module, so that who tells of a call needs no tool."""

    def visibility_of(self, name: str) -> Visibility:
        """Return what players may be told of the calls of a tool, or of another part of a turn; of others nothing."""
        folder = self.folders.get(name, "scenes" if name in PARTS else None)
        if folder is None:
            return HIDDEN
        rows: Mapping[str, Visibility] = import_module(f"turnwright.tools.{folder}._visibility").VISIBILITY
        return rows.get(name, HIDDEN)


TOOLS = Toolbox(
    {
        "move": "core",
        "hp_delta": "core",
        "map_generate": "core",
        "move_options": "core",
        "create_encounter": "combat",
        "get_encounter": "combat",
        "execute_action": "combat",
        "advance_turn": "combat",
        "roll_death_save": "combat",
        "manage_condition": "combat",
        "render_battlefield": "combat",
        "modify_terrain": "combat",
        "end_encounter": "combat",
        "manage_encounter": "combat",
        "roll_dice": "characters",
        "create_character": "characters",
        "get_character": "characters",
        "update_character": "characters",
        "delete_character": "characters",
        "roll_check": "characters",
        "manage_effect": "characters",
        "take_rest": "characters",
        "level_up": "characters",
        "manage_concentration": "magic",
        "manage_spell_slots": "magic",
        "use_scroll": "magic",
        "manage_aura": "magic",
        "synthesize_spell": "magic",
        "measure_distance": "spatial",
        "calculate_aoe": "spatial",
        "check_line_of_sight": "spatial",
        "check_cover": "spatial",
        "place_prop": "spatial",
        "calculate_movement": "spatial",
        "manage_location": "data",
        "move_party": "data",
        "manage_party": "data",
        "manage_inventory": "data",
        "manage_notes": "data",
        "get_session_context": "data",
        "manage_quest": "quests",
        "set_scene_style": "scenes",
        "choose": "scenes",
        "spend_die": "scenes",
        "engage": "scenes",
        "resolve": "scenes",
        "accept": "scenes",
        "accept_bargain": "scenes",
        "retreat": "scenes",
        "pass_out": "scenes",
    }
)
