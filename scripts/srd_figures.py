"""Figures of stat blocks that the files of facts leave to words: numbers, enumerations and references of the SRD 5.1.

The facts name what they leave out of a part in `missing`. Where the SRD says it in figures, they are here, under the
keys of the facts; `None` takes a key away. What stays in words stays in `missing`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

Json = dict[str, Any]
Patch = Mapping[str, Any]

_GROUPS = ("traits", "actions", "reactions")
_LYCANTHROPES = ("werebear", "wereboar", "wererat", "weretiger", "werewolf")
_ANY_BODY: Patch = {"kind": "change_shape", "into": ["beast", "humanoid"], "max_cr": "own"}
_OF_DRAGONS: Patch = {
    **_ANY_BODY,
    "keeps": ["int", "wis", "cha", "proficiencies", "legendary_resistance"],
}
_WEAKENING: Patch = {"on_failed_save": None}
_GOLD: Mapping[str, Patch] = {"breath-weapons": {}, "breath-weapons/weakening-breath": _WEAKENING}
_INVISIBLE: Patch = {"kind": "turns_invisible", "ends_on": ["attacks"]}
_STONE: Patch = {
    "conditions": [
        {"id": "petrified", "on": "failed_by_5"},
        {"id": "petrified", "on": "second_failed_save"},
        {"id": "restrained", "on": "failed_save", "duration": "until_repeat_save"},
    ]
}
_OUTSIDERS = ["celestial", "fiend", "undead"]
_DAILY: Patch = {"as": "disease", "every": "24 hours", "dies_at_0": True}
_SICK: Patch = {"conditions": [{"id": "poisoned", "on": "failed_save", "duration": "while_diseased"}]}
_ROT: Patch = {
    "on_failed_save": None,
    "sickens": {**_DAILY, "as": "curse", "name": "mummy_rot", "healing": "none", "hp_max_reduction": "3d6"},
}
_DISGUISE: Patch = {"kind": "disguises", "ends": "bonus_action"}
_WEAKNESSES: Patch = {
    "vampire-weaknesses": {
        "kind": "weaknesses",
        "disadvantage": {"when": "sunlight", "on": ["attack", "check"]},
        "forbidden_uninvited": "residence",
        "destroyed_by": "stake_while_incapacitated_in_resting_place",
    },
}
_TUSKS: Patch = {"attack": "tusks", "move": 15}

FURTHER: Mapping[str, Mapping[str, Patch]] = {
    "adult-gold-dragon": _GOLD,
    "ancient-brass-dragon": {"change-shape": _OF_DRAGONS},
    "ancient-bronze-dragon": {"change-shape": _OF_DRAGONS},
    "ancient-copper-dragon": {"change-shape": _OF_DRAGONS},
    "ancient-gold-dragon": {"change-shape": _OF_DRAGONS, **_GOLD},
    "ancient-silver-dragon": {"change-shape": _OF_DRAGONS},
    "black-pudding": {
        "corrosive-form": {"stuff": ["metal", "wood"]},
        "pseudopod": {"stuff": ["any"]},
    },
    "clay-golem": {"berserk": {}, "haste": {"kind": "hastes"}},
    "couatl": {"change-shape": {**_ANY_BODY, "replaces": ["ac", "speeds", "str", "dex", "actions"]}},
    "death-dog": {
        "bite": {
            **_SICK,
            "sickens": {**_DAILY, "name": "death_dog_disease", "hp_max_reduction": "1d10", "repeat_save": "spares"},
        }
    },
    "deva": {"change-shape": {**_ANY_BODY, "replaces": ["ac", "speeds", "str", "dex", "senses"]}},
    "duergar": {
        "enlarge": {
            "kind": "enlarges",
            "size_change": 1,
            "advantage": ["str_check", "str_save"],
            "duration": "1 minute",
        },
        "invisibility": {**_INVISIBLE, "ends_on": ["attacks", "casts_spell", "enlarge"], "duration": "1 hour"},
    },
    "flesh-golem": {
        "berserk": {"calm_check": {"ability": "cha", "skill": "persuasion", "dc": 15, "within": 60}},
    },
    "giant-rat-diseased": {
        "bite": {
            "on_failed_save": None,
            "sickens": {**_DAILY, "name": "rat_disease", "healing": "magic", "hp_max_reduction": "1d6"},
        },
    },
    "gold-dragon-wyrmling": _GOLD,
    "gray-ooze": {"corrode-metal": {"stuff": ["metal"]}, "pseudopod": {"stuff": ["metal"]}},
    "green-hag": {
        "illusory-appearance": {
            **_DISGUISE,
            "check": {"ability": "int", "skill": "investigation", "dc": 20},
        },
        "invisible-passage": {**_INVISIBLE, "ends_on": ["attacks", "casts_spell"], "leaves_tracks": False},
    },
    "guardian-naga": {"rejuvenation": {}},
    "imp": {
        "invisibility": _INVISIBLE,
        "shapechanger": {
            "kind": "change_shape",
            "into": {
                "rat": {"speeds": {"walk": 20}},
                "raven": {"speeds": {"walk": 20, "fly": 60}},
                "spider": {"speeds": {"walk": 20, "climb": 20}},
            },
        },
    },
    "invisible-stalker": {"faultless-tracker": {"kind": "tracks"}},
    "lemure": {
        "hellish-rejuvenation": {
            "requires": ["died_in_the_nine_hells"],
            "unless": ["killed_by_a_good_creature_under_bless", "holy_water_on_its_remains"],
        },
    },
    "lich": {"rejuvenation": {"requires": ["phylactery"]}},
    "medusa": {"petrifying-gaze": _STONE},
    "mummy": {"rotting-fist": _ROT},
    "mummy-lord": {"rejuvenation": {"requires": ["heart"]}, "rotting-fist": _ROT},
    "oni": {
        "change-shape": {
            "kind": "change_shape",
            "into": {
                "small_humanoid": {"size": "small"},
                "medium_humanoid": {"size": "medium"},
                "large_giant": {"size": "large"},
            },
        },
    },
    "otyugh": {
        "bite": {
            **_SICK,
            "sickens": {**_DAILY, "name": "otyugh_disease", "hp_max_reduction": "1d10", "repeat_save": "cures"},
        }
    },
    "quasit": {
        "invisibility": {**_INVISIBLE, "ends_on": ["attacks", "scare"]},
        "shapechanger": {
            "kind": "change_shape",
            "into": {
                "bat": {"speeds": {"walk": 10, "fly": 40}},
                "centipede": {"speeds": {"walk": 40, "climb": 40}},
                "toad": {"speeds": {"walk": 40, "swim": 40}},
            },
        },
    },
    "rust-monster": {
        "antennae": {
            "stuff": ["metal"],
            "rusts": {"per_touch": 1, "armor_destroyed_at_ac": 10, "weapon_destroyed_at": 5, "destroys_cube_feet": 1},
            "targets": {"count": 1, "kind": "creature"},
        },
        "rust-metal": {"stuff": ["metal"]},
    },
    "sea-hag": {
        "illusory-appearance": {
            **_DISGUISE,
            "check": {"ability": "int", "skill": "investigation", "dc": 16},
        },
    },
    "shadow": {
        "strength-drain": {
            "raises": {"monster": "shadow", "after": "1d4 hours", "kind": "humanoid", "not_alignment": "evil"},
        },
    },
    "spirit-naga": {"rejuvenation": {}},
    "sprite": {
        "heart-sight": {"range": 5, "targets": {"count": 1, "kind": "creature"}, "auto_fail": _OUTSIDERS},
        "invisibility": {**_INVISIBLE, "ends_on": ["attacks", "casts_spell"]},
        "shortbow": {
            "conditions": [
                {"id": "poisoned", "on": "failed_save", "duration": "1 minute"},
                {"id": "unconscious", "on": "save_total_5_or_less", "duration": "while_poisoned"},
            ]
        },
    },
    "stirge": {
        "blood-drain": {
            "drain": None,
            "attach": {"drain": {"dice": "1d4", "bonus": 3, "average": 5}, "movement": 5, "until_drained": 10},
        },
    },
    "treant": {
        "animate-trees": {
            "summons": {
                "count": 2,
                "within": 60,
                "stats": {"int": 1, "cha": 1},
                "actions": ["slam"],
                "until": ["1_day", "summoner_dies", "summoner_over_120_feet_away", "bonus_action"],
            },
        },
    },
    "vampire-spawn": _WEAKNESSES,
    "wereboar-boar": {"charge": _TUSKS},
    "wereboar-hybrid": {"charge": _TUSKS},
    "wight": {
        "life-drain": {"raises": {"monster": "zombie", "after": "24 hours", "kind": "humanoid", "most": 12}},
    },
    "will-o-wisp": {"invisibility": {**_INVISIBLE, "ends_on": ["attacks", "consume-life"]}},
    "wraith": {
        "create-specter": {
            "summons": {
                "monster": "specter",
                "count": 1,
                "most": 7,
                "corpse": {"kind": "humanoid", "within": 10, "dead_for": "1 minute"},
            },
        },
    },
    "young-gold-dragon": _GOLD,
}
"""By stat block and part; an option of a part stands behind a slash."""


def with_figures(raw: Json) -> Json:
    """Return a stat block of the facts with the figures that they leave to words."""
    patches = {**dict(_of_lycanthrope(raw)), **FURTHER.get(raw["id"], {})}
    made = dict(raw)
    for group in _GROUPS:
        if group in made:
            made[group] = [_patched(part, patches, part["id"]) for part in made[group]]
    unknown = patches.keys() - set(_ids(raw))
    if unknown:
        raise ValueError(f"{raw['id']} has no {', '.join(sorted(unknown))}")
    return made


def _of_lycanthrope(raw: Json) -> Iterator[tuple[str, Patch]]:
    """Yield what a lycanthrope's forms and its curse are: the forms are stat blocks of their own."""
    strain = raw["id"].partition("-")[0]
    if strain not in _LYCANTHROPES:
        return
    yield "shapechanger", {"kind": "change_shape", "into": "forms", "true_form": f"{strain}-human"}
    for part in raw["actions"]:
        if "lycanthropy" in part.get("on_failed_save", ()):
            yield part["id"], {}


def _ids(raw: Json) -> Iterator[str]:
    for part in (part for group in _GROUPS for part in raw.get(group, ())):
        yield part["id"]
        yield from (f"{part['id']}/{option['id']}" for option in part.get("options", ()))


def _patched(part: Json, patches: Mapping[str, Patch], path: str) -> Json:
    made = dict(part)
    if "options" in made:
        made["options"] = [_patched(option, patches, f"{path}/{option['id']}") for option in made["options"]]
    if path not in patches:
        return made
    made |= {"exec": "full", "missing": None, **patches[path]}
    return {key: value for key, value in made.items() if value is not None}
