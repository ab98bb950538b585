"""Old names of tools that became part of another one, and how their arguments read there.

Source: docs/toolkit.md, "Aliases".
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any, NamedTuple

from turnwright.model import hint
from turnwright.model.nearest import nearest_int
from turnwright.model.reason import CallFailed, Reason
from turnwright.model.strict_json import MAX_INT

Arguments = dict[str, Any]


def _unchanged(args: Arguments) -> Arguments:
    return args


def _as_hp_loss(args: Arguments) -> Arguments:
    """Turn an amount of damage into the change of hit points it is."""
    if "damage" not in args:
        return args
    if "hp" in args:
        raise CallFailed(Reason.INVALID_ARGS, "args.hp: stands beside damage", hint.remove("args.hp"))
    damage = args["damage"]
    if type(damage) is not int or damage < 0:
        repair = hint.replace("args.damage", damage, [nearest_int(damage, 0, MAX_INT)])
        raise CallFailed(Reason.INVALID_ARGS, "args.damage: wants a number of hit points from 0 up", repair)
    return {key: value for key, value in args.items() if key != "damage"} | {"hp": f"-{damage}"}


_FILTERS = {"character_type": "type", "type": "type", "class": "class", "min_level": "min_level"}
_FILTERS |= {"max_level": "max_level", "has_condition": "has_condition"}


def _as_filter(args: Arguments) -> Arguments:
    """List everybody, or those who fit the fields that are given."""
    given = {_FILTERS[key]: args.pop(key) for key in list(args) if key in _FILTERS}
    if not given and "filter" not in args:
        return {"list_all": True} | args
    return (
        {**args, "filter": args["filter"] | given}
        if isinstance(args.get("filter"), dict)
        else {**args, "filter": given}
    )


class Alias(NamedTuple):
    """One old name.

    Attributes:
        tool: the tool that does it now.
        inject: arguments that the old name stands for.
        rename: old names of arguments.
        convert: what else becomes of them.
        converts: the arguments that `convert` looks at.
    """

    tool: str
    inject: Mapping[str, Any] = {}
    rename: Mapping[str, str] = {}
    convert: Callable[[Arguments], Arguments] = _unchanged
    converts: Collection[str] = ()


_ROOMS = {"from_room_id": "from_location_id", "to_room_id": "to_location_id"}

ALIASES: Mapping[str, Alias] = {
    "apply_damage": Alias("update_character", rename={"target_id": "character_id"}, convert=_as_hp_loss),
    "quick_roll": Alias("roll_dice", rename={"roll": "expression", "formula": "expression"}),
    "resolve_attack": Alias("execute_action", {"action_type": "attack"}, {"attacker_id": "actor_id"}),
    "batch_execute_action": Alias("execute_action", rename={"actions": "batch"}),
    "get_encounter_summary": Alias("get_encounter", {"verbosity": "summary"}),
    "list_characters": Alias("get_character", convert=_as_filter, converts=_FILTERS),
    "fetch_character_template": Alias("create_character", {"preview_template": True}),
    "check_concentration": Alias(
        "manage_concentration", {"operation": "check"}, {"damage": "damage_amount", "damage_taken": "damage_amount"}
    ),
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
