"""Free figures of entries in English: `{"darts": {"base": 3, "per_slot": 1}}` is 3 darts, and 1 more a slot level.

A figure missing from the tables here is described by its own name. Source: docs/content.md, "Read an entry".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from turnwright.model.json_types import JsonObject

ORDINALS = ("cantrip", "1st", "2nd", "3rd", "4th", "5th", "6th", "7th", "8th", "9th")
_FRACTIONS = {0.125: "1/8", 0.25: "1/4", 0.5: "1/2"}
_UNLIMITED = 9999
"""The number that class tables use for "unlimited"."""
_TURN = re.compile(r"(?P<whose>source|target)_(?P<next>next_)?turn_(?P<when>start|end)")
_SCALED = frozenset({"base", "per_slot"})


def plain(term: object) -> str:
    """Return a term as it is read: without the hyphens and underscores of ids."""
    if not isinstance(term, str):
        return number(term)
    if turn := _TURN.fullmatch(term):
        return f"the {turn['when']} of the {turn['whose']}'s {'next ' if turn['next'] else ''}turn"
    return term.replace("_", " ").replace("-", " ")


def number(value: object) -> str:
    """Return a number, a fraction, or yes and no."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value == _UNLIMITED:
        return "unlimited"
    return _FRACTIONS.get(value, str(value)) if isinstance(value, float) else str(value)


def signed(value: int) -> str:
    """Return a bonus with its sign."""
    return f"{value:+d}"


def listed(items: Iterable[object], joint: str = ", ") -> str:
    """Return terms in a row."""
    return joint.join(plain(item) for item in items)


def counted(count: int, one: str) -> str:
    """Return how many there are of something: `1 dart`, `3 darts`, `unlimited rages`."""
    return f"{number(count)} {one if count == 1 else f'{one}s'}"


def more_per_slot(amount: object, level: int) -> str:
    """Return what a higher slot adds; `level` is the lowest slot, 0 where it is not known."""
    return f"{plain(amount)} more for each {f'slot level above {ORDINALS[level]}' if level else 'higher slot level'}"


def figures(values: JsonObject, level: int = 0) -> str:
    """Return free figures in a row.

    Args:
        values: the figures by name.
        level: of the spell that has them; 0 for none.
    """
    return "; ".join(_figure(key, value, level) for key, value in values.items())


def _figure(key: str, value: Any, level: int) -> str:
    if key in _PHRASES and isinstance(value, _PHRASES[key][0]) and not isinstance(value, bool):
        return _PHRASES[key][1](value)
    name = plain(key)
    if isinstance(value, bool):
        return name if value else f"no {name}"
    if isinstance(value, Mapping):
        return _group(key, value, level)
    if key.endswith("per_slot"):
        what = plain(key.removesuffix("per_slot").rstrip("_"))
        return more_per_slot(f"{value} {what}" if what else value, level)
    if isinstance(value, (list, tuple)):
        return f"{name} {', '.join(map(_item, value))}"
    return f"{name} {plain(value)}"


def _group(key: str, value: JsonObject, level: int) -> str:
    """Return a figure that has parts."""
    name = plain(key)
    if set(value) == _SCALED and isinstance(value["base"], int):
        base = value["base"]
        what = f"1 {name.removesuffix('s')}" if base == 1 else f"{base} {name}"
        return f"{what}, {more_per_slot(value['per_slot'], level)}"
    if key.endswith("_by_slot"):
        rows = (f"{plain(told)} with a slot of level {slot}" for slot, told in value.items())
        return f"{plain(key.removesuffix('_by_slot'))} {', '.join(rows)}"
    if set(value) <= {"ability", "skill", "dc"} and key.rpartition("_")[2] in ("check", "save"):
        return f"{_roll_against(value)} {name}"
    return f"{name} ({figures(value, level)})"


def _roll_against(value: JsonObject) -> str:
    words = [f"DC {plain(value['dc'])}"] if "dc" in value else []
    words += [plain(value["ability"]).upper()] if "ability" in value else []
    words += [f"({plain(value['skill'])})"] if "skill" in value else []
    return " ".join(words)


def _item(value: Any) -> str:
    return f"({figures(value)})" if isinstance(value, Mapping) else plain(value)


def _uses(value: Any) -> str:
    if isinstance(value, int):
        return counted(value, "use")
    return f"{counted(value['count'], 'use')} per {plain(value['per'])}" if "per" in value else figures(value)


def _light(value: JsonObject) -> str:
    return ", ".join(f"{kind} light {value[kind]} ft." for kind in ("bright", "dim") if kind in value)


def _feet(words: str) -> tuple[type | tuple[type, ...], Callable[[Any], str]]:
    return int, lambda value: f"{words} {value} ft."


def _of_list(words: str) -> tuple[type | tuple[type, ...], Callable[[Any], str]]:
    return (list, tuple), lambda value: f"{words} {', '.join(map(_item, value))}"


def _of_text(words: str) -> tuple[type | tuple[type, ...], Callable[[Any], str]]:
    return str, lambda value: f"{words} {plain(value)}"


def _bonus(words: str) -> tuple[type | tuple[type, ...], Callable[[Any], str]]:
    return int, lambda value: f"{signed(value)} {words}"


def _time(unit: str) -> tuple[type | tuple[type, ...], Callable[[Any], str]]:
    return int, lambda value: counted(value, unit)


_PHRASES: Mapping[str, tuple[type | tuple[type, ...], Callable[[Any], str]]] = {
    **{
        key: _feet(plain(key))
        for key in ("area", "aura", "darkvision", "height", "land_within", "radius", "range", "run_up", "speed")
    },
    **{key: _time(key.removesuffix("s")) for key in ("minutes", "hours")},
    **{key: _bonus(plain(key.removesuffix("_bonus"))) for key in ("damage_bonus", "save_bonus", "speed_bonus")},
    "ac_bonus": _bonus("armor class"),
    "dex_save_bonus": _bonus("DEX saves"),
    "move": _feet("moves"),
    "movement_cost": (int, lambda value: f"each foot of movement costs {value}"),
    "speed_factor": ((int, float), lambda value: f"speed times {number(value)}"),
    "ac": (int, lambda value: f"armor class {value}"),
    "hp": (int, lambda value: f"{value} hit point{'' if value == 1 else 's'}"),
    "uses": ((int, Mapping), _uses),
    "light": (Mapping, _light),
    "grants": (Mapping, lambda value: f"gives {figures(value)}"),
    "per": _of_text("once per"),
    "gp": (int, lambda value: f"worth {value} gp"),
    "cost_gp": (int, lambda value: f"costs {value} gp"),
    "advantage": _of_list("advantage on"),
    "disadvantage": _of_list("disadvantage on"),
    "advantage_saves": _of_list("advantage on saves against"),
    "advantage_against_target": _of_list("advantage against the target on"),
    "disadvantage_against_self": _of_list("others have disadvantage on"),
    "immune": _of_list("immune to"),
    "resistances": _of_list("resistance to"),
    "ignores": _of_list("ignores"),
    "vs": _of_list("against"),
    "ends_on": _of_list("ends on"),
    "on_failed_save": _of_list("on a failed save:"),
    "no_effect_on": _of_list("no effect on"),
    "no_healing": _of_text("no healing until"),
    "no_reactions": _of_text("no reactions until"),
    "until": _of_text("until"),
    "repeat": _of_text("again with"),
    "repeat_save": _of_text("saves again:"),
    "trigger": _of_text("cast when"),
    "spell_save_dc": (int, lambda value: f"spell save DC {value}"),
}
"""The wording of a figure, by its name, and the types of values it fits."""
