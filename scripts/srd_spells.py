"""Figures of spells that the files of facts leave to words: numbers, enumerations and variants of the SRD 5.1.

The facts name what they leave out of a spell in `missing`. Where the SRD says it in figures, they are here, under the
keys of the entries; `None` takes a key away. What stays in words stays in `missing`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Json = dict[str, Any]
Patch = Mapping[str, Any]

_ABILITIES = ("str", "dex", "con", "int", "wis", "cha")
_SCHOOLS = (
    *("abjuration", "conjuration", "divination", "enchantment"),
    *("evocation", "illusion", "necromancy", "transmutation"),
)
_OUTSIDERS = ("aberration", "celestial", "elemental", "fey", "fiend", "undead")
_KINDS = (*_OUTSIDERS, "beast", "construct", "dragon", "giant", "humanoid", "monstrosity", "ooze", "plant")
_THICK = {"stone_ft": 1, "metal_in": 1, "wood_or_dirt_ft": 3, "lead": "thin"}
_KNOWLEDGE: Mapping[str, int] = {"secondhand": 5, "firsthand": 0, "familiar": -5}
_CONNECTION: Mapping[str, int] = {"": 0, "likeness": -2, "possession": -4, "body_part": -10}
_NEW_BODIES: Mapping[str, str] = {
    "4": "dragonborn",
    "13": "hill dwarf",
    "21": "mountain dwarf",
    "25": "dark elf",
    "34": "high elf",
    "42": "wood elf",
    "46": "forest gnome",
    "52": "rock gnome",
    "56": "half-elf",
    "60": "half-orc",
    "68": "lightfoot halfling",
    "76": "stout halfling",
    "96": "human",
    "100": "tiefling",
}
"""The race of a new body by the highest face of a d100 that gives it."""
_ILLUSION: Patch = {"discerned": {"skill": "investigation", "dc": "spell_save"}}
_OF_A_PLACE: Patch = {"missing": None, "figures": {**_ILLUSION, "aims_at": "place"}}
_SHUT_IN: Patch = {"missing": None, "figures": {"away": True}}
_CURSE: Patch = {"cured_as": ["curse"]}
_WARD: Patch = {"springs": {}, "aims_at": "object"}
_SYMBOL_LASTS: Patch = {"springs": {"lasts": "10 minutes"}, "aims_at": "object"}
_EVERY_SIXTH: Patch = {"effect_duration": "1 minute"}


def _symbol(ability: str, figures: Patch | None = None, **more: Any) -> Json:
    """Return a rune of Symbol: what its victims save with, and what befalls those who fail."""
    lasts = {} if figures is None else {**_EVERY_SIXTH, **figures}
    return {"save": {"ability": ability, "success": "none"}, **more, "figures": {"options": None, **lasts}}


def _failed(*conditions: str, duration: str = "1 minute") -> list[Json]:
    return [{"id": each, "on": "failed_save", "duration": duration} for each in conditions]


FURTHER: Mapping[str, Patch] = {
    "alarm": {
        "missing": None,
        "figures": {"aims_at": "place"},
        "variants": {
            "mental": {"figures": {"alerts": {"distance": 5280}}},
            "audible": {"figures": {"alerts": {"distance": 60, "seconds": 10}}},
        },
    },
    "animal-messenger": {
        "only": {"type": "beast", "max_size": "tiny"},
        "durations_by_slot": {str(slot): f"{24 + 48 * (slot - 2)} hours" for slot in range(3, 10)},
        "figures": {"max_words": 25, "travel": {"fly": 50, "other": 25, "unit": "mile"}},
    },
    "arcane-eye": {"figures": {"aims_at": "place", "grants": {"darkvision": 30}, "moves_by": 30, "gap": "1 inch"}},
    "arcanists-magic-aura": {
        "variants": {
            **{f"aura_{each}": {"figures": {"false_aura": each}} for each in ("none", *_SCHOOLS)},
            **{f"mask_{each}": {"figures": {"masked_as": each}} for each in _KINDS},
        },
    },
    "augury": {"figures": {"omen": {"percent": 25, "on": "random_reading"}}},
    "banishment": {"missing": None, "figures": {"away": True}},
    "bestow-curse": {
        "missing": None,
        "damage": None,
        "figures": {**_CURSE, "no_concentration_from": 5},
        "variants": {
            **{each: {"figures": {"disadvantage": [f"{each}_check", f"{each}_save"]}} for each in _ABILITIES},
            "attacks": {"figures": {"attacks_caster_with": "disadvantage"}},
            "turns": {"figures": {"start_save": "loses_action"}},
            "damage": {"damage": [{"dice": "1d8", "type": "necrotic", "when": "extra_when_caster_hits"}]},
        },
    },
    "blink": {"missing": None, "figures": {"roll": None, "leaves_on": 11}},
    "calm-emotions": {
        "missing": None,
        "only": {"type": "humanoid"},
        "variants": {
            "suppress": {"figures": {"no_benefit_from": ["charmed", "frightened"]}},
            "indifferent": {"figures": {"attitude": "indifferent"}},
        },
    },
    "clairvoyance": {
        "figures": {"aims_at": "place"},
        "variants": {each: {"figures": {"sensed_by": each}} for each in ("sight", "hearing")},
    },
    "commune": {"figures": {"questions": 3, "omen": {"percent": 25, "on": "no_answer"}}},
    "comprehend-languages": {"figures": {"grants": {"understands": ["spoken", "written"]}, "minutes_per_page": 1}},
    "contact-other-plane": {
        "missing": None,
        "save": {"ability": "int", "success": "none"},
        "damage": [{"dice": "6d6", "type": "psychic", "when": "failed_save"}],
        "figures": {
            "self_save": None,
            "save_dc": 15,
            "questions": 5,
            "barred_actions": {"all_but": []},
            "effect_duration": "until_long_rest",
        },
    },
    "continual-flame": {"figures": {"aims_at": "object", "light": {"bright": 20, "dim": 20}}},
    "create-or-destroy-water": {
        "missing": None,
        "figures": {"aims_at": "place"},
        "variants": {"create": {}, "destroy": {}},
    },
    "creation": {
        "figures": {"aims_at": "place"},
        "variants": {
            "vegetable": {"figures": {"matter": "vegetable"}, "duration": {"amount": 1, "unit": "day"}},
            "stone_or_crystal": {"figures": {"matter": "stone_or_crystal"}, "duration": {"amount": 12, "unit": "hour"}},
            "precious_metal": {"figures": {"matter": "precious_metal"}, "duration": {"amount": 1, "unit": "hour"}},
            "gem": {"figures": {"matter": "gem"}, "duration": {"amount": 10, "unit": "minute"}},
            "adamantine_or_mithral": {
                "figures": {"matter": "adamantine_or_mithral"},
                "duration": {"amount": 1, "unit": "minute"},
            },
        },
    },
    "dancing-lights": {
        "figures": {"aims_at": "place", "lights": 4, "light": {"dim": 10}, "moves_by": 60, "within": 20}
    },
    "detect-evil-and-good": {"figures": {"detects": {"within": 30, "kinds": [*_OUTSIDERS]}, "blocked_by": _THICK}},
    "detect-magic": {"figures": {"detects": {"within": 30, "magic": True}, "blocked_by": _THICK}},
    "detect-poison-and-disease": {
        "figures": {"detects": {"within": 30, "ailments": ["poisoned", "disease"]}, "blocked_by": _THICK}
    },
    "divination": {"figures": {"omen": {"percent": 25, "on": "random_reading"}}},
    "divine-word": {"targets": {"count": "any"}, "figures": {"banishes_for": "24 hours"}},
    "disguise-self": {"figures": {**_ILLUSION}},
    "etherealness": {
        "missing": None,
        "figures": {"ethereal": True, "ends_by": {"cost": "action"}, "companions_within": 10},
    },
    "eyebite": {
        "missing": None,
        "conditions": None,
        "repeat": "action",
        "figures": {"choose_condition": None, "options": None, "target_range": 60, "withstood": "duration"},
        "variants": {
            "asleep": {"conditions": _failed("unconscious", duration="duration"), "figures": {"ends_on": ["damage"]}},
            "panicked": {
                "conditions": _failed("frightened", duration="duration"),
                "figures": {"barred_actions": {"all_but": ["dash"]}, "ends_beyond": 60},
            },
            "sickened": {"figures": {"disadvantage": ["attack", "check"]}, "repeat_save": "turn_end"},
        },
    },
    "fabricate": {
        "figures": {"aims_at": "object"},
        "variants": {
            "soft": {"figures": {"size_limit": {"cube": 10, "or_cubes_of_5": 8}}},
            "metal_or_stone": {"figures": {"size_limit": {"cube": 5}}},
        },
    },
    "floating-disk": {
        "missing": None,
        "figures": {"aims_at": "place", "follows_within": 20, "distance": 100},
    },
    "gaseous-form": {
        "missing": None,
        "figures": {"barred_actions": ["attack", "cast_spell"]},
    },
    "glyph-of-warding": {"missing": None, "figures": {**_WARD}},
    "hallucinatory-terrain": _OF_A_PLACE,
    "imprisonment": {
        "missing": None,
        "figures": {"withstood": "forever"},
        "variants": {
            **{each: {"figures": {"away": True}} for each in ("burial", "hedged_prison", "minimus_containment")},
            "chaining": {"conditions": _failed("restrained", duration="duration")},
            "slumber": {"conditions": _failed("unconscious", duration="duration")},
        },
    },
    "enlarge-reduce": {"figures": {"willing": "no_save"}},
    "levitate": {"missing": None, "figures": {"height": None, "lifts": 20, "sets": {"speed": 0}, "willing": "no_save"}},
    "light": {
        "missing": None,
        "figures": {"aims_at": "object", "willing": "no_save"},
    },
    "locate-creature": {
        "figures": {"locates": {"what": "creature", "within": 1000}, "target_range": "unlimited"},
    },
    "locate-object": {"figures": {"locates": {"what": "object", "within": 1000}, "max_words": 25}},
    "mage-hand": {"missing": None, "figures": {"aims_at": "place", "moves_by": 30, "distance": 30}},
    "magic-mouth": {"figures": {"aims_at": "object", "max_words": 25, "distance": 30}},
    "major-image": {
        **_OF_A_PLACE,
        "figures": {**_OF_A_PLACE["figures"], "no_concentration_from": 6},
        "durations_by_slot": {"6": "until_dispelled"},
    },
    "maze": {
        "missing": None,
        "figures": {"away": True, "escape": None, "ends_by": {"cost": "action", "check": ["int"], "dc": 20}},
    },
    "mending": {"figures": {"aims_at": "object", "size_limit": {"feet": 1}}},
    "mislead": {"missing": None, "figures": {"ends_on": ["attacks", "casts_spell"], "moves_by": "twice_speed"}},
    "move-earth": {"figures": {"aims_at": "place", "size_limit": {"depth": 20, "edge": 40}, "minutes_per_change": 10}},
    "nondetection": {"figures": {"undetected": True}},
    "minor-illusion": _OF_A_PLACE,
    "passwall": {"figures": {"aims_at": "place", "passage": {"width": 5, "height": 8, "depth": 20}}},
    "programmed-illusion": _OF_A_PLACE,
    "project-image": _OF_A_PLACE,
    "purify-food-and-drink": {"figures": {"aims_at": "place", "size_limit": {"radius": 5}}},
    "reincarnate": {
        "missing": None,
        "figures": {"roll": {"die": "d100", "races": _NEW_BODIES}, "revives": {"max_dead": "10 days", "hp": "max"}},
    },
    "resilient-sphere": {**_SHUT_IN, "figures": {"away": True, "willing": "no_save"}},
    "scrying": {
        "missing": None,
        "figures": {"save_modifiers": None, "target_range": "unlimited", "withstood": "24 hours", "within": 10},
        "variants": {
            f"{knowledge}{connection and f'_{connection}'}": {
                "figures": {"target_save_bonus": _KNOWLEDGE[knowledge] + _CONNECTION[connection]}
            }
            for knowledge in _KNOWLEDGE
            for connection in _CONNECTION
        },
    },
    "seeming": {"missing": None, "targets": {"count": "any"}, "figures": {**_ILLUSION, "willing": "no_save"}},
    "sending": {"figures": {"max_words": 25, "fails_across_planes": 5}},
    "silent-image": _OF_A_PLACE,
    "speak-with-animals": {"figures": {"grants": {"speaks_with": ["beast"]}}},
    "speak-with-dead": {"figures": {"aims_at": "object", "questions": 5}},
    "speak-with-plants": {"figures": {"grants": {"speaks_with": ["plant"]}}},
    "stone-shape": {"figures": {"aims_at": "object", "size_limit": {"feet": 5}}},
    "symbol": {
        "missing": None,
        "figures": {**_SYMBOL_LASTS},
        "variants": {
            "death": _symbol(
                "con",
                save={"ability": "con", "success": "half"},
                damage=[{"dice": "10d10", "type": "necrotic", "when": "failed_save"}],
            ),
            "discord": _symbol("con", {"disadvantage": ["attack", "check"]}),
            "fear": _symbol("wis", {"effect_duration": None, "moves_away": 30}, conditions=_failed("frightened")),
            "hopelessness": _symbol("cha", {"harmless": True}),
            "insanity": _symbol("int", {"barred_actions": {"all_but": []}}),
            "pain": _symbol("con", conditions=_failed("incapacitated")),
            "sleep": _symbol("wis", conditions=_failed("unconscious", duration="10 minutes")),
            "stunning": _symbol("wis", conditions=_failed("stunned")),
        },
    },
    "telepathic-bond": {"figures": {"distance": "unlimited"}},
    "tongues": {"figures": {"grants": {"understands": ["spoken"], "is_understood": True}}},
    "true-strike": {"missing": None, "figures": {"when": "source_next_turn_end"}},
    "unseen-servant": {"missing": None, "figures": {"aims_at": "place", "moves_by": 15, "distance": 60}},
    "wind-walk": {
        "missing": None,
        "figures": {"barred_actions": {"all_but": ["dash"]}},
    },
}
"""By spell: figures beside those of the facts, other keys in their place."""


def with_spell_figures(entry: Json) -> Json:
    """Return an entry of a spell with the figures that the facts leave to words."""
    patch = FURTHER.get(entry["id"])
    if patch is None:
        return entry
    figures = {**entry.get("figures", {}), **patch.get("figures", {})}
    figures = {key: value for key, value in figures.items() if value is not None}
    merged = {**entry, **patch, "figures": figures}
    if merged.get("missing") is None:
        merged["tier"] = "full"  # until the engine says how much of it is executed
    return {key: value for key, value in merged.items() if value not in (None, {})}
