"""Every tool there is, one line each. A tool's module is imported when the tool is first asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any

from turnwright.tools._base import Tool


class Toolbox(Mapping[str, Tool[Any]]):
    """Tools by name. Most turns use one or two of them, so the others are not loaded."""

    def __init__(self, folders: Mapping[str, str]) -> None:
        """Take the folder of `turnwright.tools` in which each tool has the module of its name."""
        self.folders = dict(folders)
        self.loaded: dict[str, Tool[Any]] = {}

    def __getitem__(self, name: str) -> Tool[Any]:
        """Return a tool; its module is imported the first time."""
        if name not in self.loaded:
            module = import_module(f"turnwright.tools.{self.folders[name]}.{name}")
            self.loaded[name] = getattr(module, name)
        return self.loaded[name]

    def __contains__(self, name: object) -> bool:
        """Return whether there is such a tool, without loading it."""
        return name in self.folders

    def __iter__(self) -> Iterator[str]:
        """Yield the names, in the order in which tools are shown."""
        return iter(self.folders)

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self.folders)


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
    }
)
