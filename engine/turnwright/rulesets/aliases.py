"""Old names of tools that became part of another one, and how their arguments read there.

Source: docs/toolkit.md, "Aliases".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from turnwright.model.fuzzy_match import number_alone
from turnwright.model.json_types import JsonObject
from turnwright.model.wire import hint
from turnwright.model.wire.reason import CallFailed, Reason

Arguments = JsonObject


def _amount(damage: Any) -> hint.Hint:
    """Return the hint for an amount that is not a number of hit points: the number found in a text, if any."""
    number = number_alone(damage, ("hit", "hp", "point", "points", "pts"))
    is_amount = type(number) is int and type(damage) is not int and 0 <= number <= _MAX_DAMAGE
    return hint.repair("args.damage", damage, number) if is_amount else hint.ask("args.damage", damage)


def _unchanged(args: JsonObject) -> Arguments:
    return args


_MAX_DAMAGE = 10**15 - 1
_NO_DAMAGE = ("hp", "healing", "character_state")
"""Other arguments for a change of hit points."""


def _as_hp_loss(args: JsonObject) -> Arguments:
    """Turn an amount of damage into a change of hit points; a negative change is accepted, too."""
    loss = "damage" if "damage" in args else "hp"
    if loss == "hp" and not str(args.get("hp")).startswith("-"):
        raise CallFailed(Reason.INVALID_ARGS, "args.damage: is required", hint.ask_for("args.damage"))
    for name in _NO_DAMAGE:
        if name != loss and name in args:
            raise CallFailed(Reason.INVALID_ARGS, f"args.{name}: stands beside {loss}", hint.remove(f"args.{name}"))
    if loss == "hp":
        return args
    damage = args["damage"]
    if type(damage) is not int or not 0 <= damage <= _MAX_DAMAGE:
        repair = _amount(damage)
        raise CallFailed(Reason.INVALID_ARGS, "args.damage: wants a number of hit points from 0 up", repair)
    return {key: value for key, value in args.items() if key != "damage"} | {"hp": f"-{damage}"}


class Alias(NamedTuple):
    """One old name of a tool.

    Attributes:
        tool: the current tool.
        inject: arguments that the old name implies.
        rename: old names of arguments; with a dot, the argument becomes a part of another one.
        unless: the argument with which the old name is not an alias.
        convert: a further conversion of the arguments.
    """

    tool: str
    inject: Mapping[str, Any] = {}
    rename: Mapping[str, str] = {}
    unless: str = ""
    convert: Callable[[Arguments], Arguments] = _unchanged


_HURT = {"target_id": "character_id", "target_name": "character_name"}
_ATTACKER = {"attacker_id": "actor_id", "attacker_name": "actor_name"}
_DAMAGE = {"damage": "damage_amount", "damage_taken": "damage_amount"}
_FILTERS = {name: f"filter.{name}" for name in ("type", "class", "min_level", "max_level", "has_condition")}
_ROOMS = {"from_room_id": "from_location_id", "to_room_id": "to_location_id"}

ALIASES: Mapping[str, Alias] = {
    "apply_damage": Alias("update_character", rename=_HURT, convert=_as_hp_loss),
    "quick_roll": Alias("roll_dice", rename={"roll": "expression", "formula": "expression"}),
    "resolve_attack": Alias("execute_action", {"action_type": "attack"}, _ATTACKER),
    "batch_execute_action": Alias("execute_action", rename={"actions": "batch"}),
    "get_encounter_summary": Alias("get_encounter", {"verbosity": "summary"}),
    "list_characters": Alias(
        "get_character", {"list_all": True}, {"character_type": "filter.type", **_FILTERS}, unless="filter"
    ),
    "fetch_character_template": Alias("create_character", {"preview_template": True}),
    "check_concentration": Alias("manage_concentration", {"operation": "check"}, _DAMAGE),
    "break_concentration": Alias("manage_concentration", {"operation": "break"}),
    "get_concentration": Alias("manage_concentration", {"operation": "get"}),
    "create_aura": Alias("manage_aura", {"operation": "create"}),
    "process_aura": Alias("manage_aura", {"operation": "process"}),
    "get_adjacent_squares": Alias("calculate_movement", {"mode": "adjacent"}, {"position": "from_position"}),
    "create_location": Alias("manage_location", {"operation": "create"}),
    "get_location": Alias("manage_location", {"operation": "get"}),
    "link_rooms": Alias("manage_location", {"operation": "link"}, _ROOMS),
    "unlink_rooms": Alias("manage_location", {"operation": "unlink"}, _ROOMS),
    "add_session_note": Alias("manage_notes", {"operation": "add"}),
    "search_notes": Alias("manage_notes", {"operation": "search"}),
    "start_quest": Alias("manage_quest", {"operation": "start"}),
    "complete_objective": Alias("manage_quest", {"operation": "complete_objective"}),
    "complete_quest": Alias("manage_quest", {"operation": "complete"}),
}
"""The absorbed tools by their old names."""
