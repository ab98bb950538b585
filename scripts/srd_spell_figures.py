"""The lasting areas of spells: figures of the facts, put together, and those of the SRD 5.1 that the facts leave out.

What the facts say of an area is spread over `figures`, `damage` and `conditions`. Here it becomes `lasting_area`, which
docs/content.md specifies.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Json = dict[str, Any]

_MOMENTS: Mapping[str, str] = {
    "appears": "appears",
    "enters": "enters",
    "enters_first_time": "enters",
    "rammed": "rammed",
    "target_turn_end": "turn_end",
    "target_turn_end_within_5": "turn_end",
    "target_turn_start": "turn_start",
}
_ENTERING_OR_ENDING: Json = {"acts": ["appears", "enters", "turn_end"], "once_a_turn": True}
FURTHER: Mapping[str, Json] = {
    "black-tentacles": {},
    "blade-barrier": {},
    "cloudkill": {"around_corners": True},
    "darkness": {"around_corners": True},
    "entangle": {"acts": ["appears"]},
    "flaming-sphere": {"within": 5},
    "fog-cloud": {"around_corners": True},
    "grease": {},
    "guardian-of-faith": {"acts": ["enters", "turn_start"], "once_a_turn": True, "affects": "foes"},
    "ice-storm": {"acts": ["appears"]},
    "incendiary-cloud": {},
    "insect-plague": {"around_corners": True},
    "moonbeam": {},
    "pass-without-trace": {"affects": "chosen"},
    "silence": {"silent": True},
    "sleet-storm": {},
    "spike-growth": {},
    "spirit-guardians": {"affects": "others"},
    "stinking-cloud": {"around_corners": True, "takes_action": True},
    "wall-of-fire": {
        **_ENTERING_OR_ENDING,
        "within": 10,
        "deals": "ends_turn_within_10_or_enters",
        "saves": False,
    },
    "web": {},
}
"""What the facts leave to words of the areas that the engine lays, by spell; spells that are not here have none."""


SUMMONS: Mapping[str, Json] = {
    "animate-dead": {"duration": "24 hours", "then": "stays", "adds_up": True},
    "conjure-animals": {},
    "conjure-celestial": {},
    "conjure-elemental": {"then": "hostile"},
    "conjure-fey": {"more_types": ["beast"], "then": "hostile"},
    "conjure-minor-elementals": {},
    "conjure-woodland-beings": {},
    "create-undead": {"duration": "24 hours", "then": "stays", "adds_up": True},
    "find-familiar": {},
    "find-steed": {},
    "giant-insect": {},
    "phantom-steed": {"ends_on": "damage"},
}
"""What the facts leave to words of the creatures that spells bring."""
CONTROL: Mapping[str, Json] = {
    "animal-friendship": {"ends_on": ["harmed"]},
    "charm-person": {"ends_on": ["harmed"]},
    "command": {
        "control": {"orders": ["approach", "drop", "flee", "grovel", "halt"]},
        "no_effect_on": ["undead"],
    },
    "compulsion": {
        "immune_if": ["charmed"],
        "repeat_save": "turn_end",
        "targets": {"count": "any"},
    },
    "confusion": {"control": {"behavior": {"wanders": 1, "stands": 6, "strikes": 8}}},
    "fear": {"control": {"drops_held": True}},
    "mass-suggestion": {"ends_on": ["harmed"], "immune_if": ["charmed"]},
    "suggestion": {"ends_on": ["harmed"], "immune_if": ["charmed"]},
}
"""What the facts leave to words of the turns that spells decide, and of what ends their charms."""
PLAYED_OUT: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(SUMMONS, ("control",)),
    "animal-friendship": ("behaviour",),
    "charm-person": ("behaviour",),
    "command": ("options",),
    "compulsion": ("movement",),
    "confusion": ("behaviour",),
    "dominate-beast": ("control",),
    "dominate-monster": ("control",),
    "dominate-person": ("control",),
    "fear": ("forced_dash",),
    "mass-suggestion": ("command",),
    "modify-memory": ("memory",),
    "suggestion": ("command",),
}
"""What the facts call missing and is no figure: what a creature is told to do, and does."""


_WORDS: Mapping[str, str] = {"behaviour": "behavior", "options": "order"}
"""Terms of the facts with better ones."""


def with_summons(raw: Json) -> Json:
    """Return the facts of a spell with all figures of the creatures that it brings."""
    return raw | {"summons": raw["summons"] | SUMMONS[raw["id"]]} if raw["id"] in SUMMONS else raw


def with_control(raw: Json) -> Json:
    """Return the facts of a spell with all figures of the turns that it decides."""
    made = raw | CONTROL.get(raw["id"], {})
    if "control" not in made:
        return made
    control = dict(made["control"])
    if "behaviour_die" in made:
        control["behavior"] = control["behavior"] | {"die": made.pop("behaviour_die")}
    return made | {"control": control}


def with_played_out(raw: Json) -> Json:
    """Return the facts of a spell with what the table plays out apart from what is missing."""
    words = PLAYED_OUT.get(raw["id"], ())
    found = [each for each in raw.get("missing", ()) if each in words]
    if not found:
        return raw
    told = [_WORDS.get(each, each.replace("_", " ")) for each in found]
    made = raw | {"played_out": told, "missing": [each for each in raw["missing"] if each not in words]}
    return made if made["missing"] else {key: value for key, value in made.items() if key not in ("exec", "missing")}


def with_lasting_area(raw: Json) -> Json:
    """Return the facts of a spell with its lasting area as one object, and without the figures that it holds."""
    if raw["id"] not in FURTHER:
        return raw
    made, area = dict(raw), dict(FURTHER[raw["id"]])
    moments = made.pop("at", ())
    area |= {"acts": [_MOMENTS[each] for each in moments]} if moments else {}
    area |= {"once_a_turn": True} if "enters_first_time" in moments else {}
    for name in ("move", "obscured", "speed_factor", "concentration_save", "cover"):
        area |= {name: made.pop(name)} if name in made else {}
    _take_ground(made, area)
    area |= {"drift": made.pop("moves")} if "moves" in made and raw["id"] != "incendiary-cloud" else {}
    area |= {"move": made.pop("moves")} if "moves" in made else {}
    area |= {"damage_limit": made.pop("ends_after_damage")} if "ends_after_damage" in made else {}
    if area.get("takes_action"):
        del made["on_failed_save"]
    if area.get("silent"):
        del made["blocks"], made["immune"]
    if made.get("shapechanger_save"):
        del made["shapechanger_save"]
        made["save_disadvantage"] = ["shapechanger"]
    if "escape" in made:
        checks = made["escape"]["check"]
        escape = made.pop("escape") | {"check": checks[0] if len(checks) == 1 else checks}
        made["conditions"] = [each | {"escape": escape} for each in made["conditions"]]
    if raw["id"] == "guardian-of-faith":
        made["area"] = made["area"] | {"shape": "sphere"}
    made["missing"] = [each for each in made.get("missing", ()) if each != "trigger"]
    return made | {"lasting_area": area}


def _take_ground(made: Json, area: Json) -> None:
    """Take over what the area makes of the ground: difficult while it lasts, or until a turn."""
    ground = made.pop("difficult_terrain", None)
    if ground is not None:
        area["difficult_terrain"] = True
    if isinstance(ground, str):
        area["until"] = ground
