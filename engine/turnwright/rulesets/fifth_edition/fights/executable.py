"""Which figures of a stat block the engine executes; everything else is named, never made up.

Source: docs/content.md, "Tiers".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from turnwright.model.content_shapes import BlockPart, DamageShape, PartFigures, SicknessFigures, StatBlock

_ALWAYS = frozenset({"id", "name", "tier", "missing", "kind", "cost", "forms", "aliases"})
"""Keys for the name of a part, not its effect."""
_EXECUTED = frozenset(
    {
        *("attack", "damage", "save", "area", "range", "targets", "only", "conditions", "grapple", "forced_move"),
        *("teleport", "heal", "recharge", "uses", "immune_after", "options", "uses_actions", "figures"),
    }
)
_FIGURES = frozenset(
    {
        *("stable_at_0", "ends_on", "crit_dice_multiplier", "drain", "alias", "cost"),
        *(
            "check",
            "move",
            "then_move",
            "object",
            "ignites_objects",
            "options_in_order",
            "cast",
            "auto_fail",
            "contest",
        ),
    }
)
"""Further figures of actions that are executed, or that only matter to things, which the table looks after."""
_GRAPPLE = frozenset(
    {"instead_of_damage", "auto_hit", "escape_dc", "max_size", "restrained", "one_target", "limbs", "figures"}
)
_DAMAGE_WHEN = frozenset(
    {"enlarged", "small_or_medium_form", None, "failed_save", "two_handed", "half_hp", "melee", "ranged", "effect"}
)
_CONDITION_ON = frozenset(
    {"hit", "failed_save", "failed_by_5", "always", "reduced_to_0", "second_failed_save", "save_total_5_or_less"}
)
ROUNDS: Mapping[str, int] = {
    "1 minute": 10,
    "5 minutes": 50,
    "10 minutes": 100,
    "1 hour": 600,
    "24 hours": 14_400,
    "1 day": 14_400,
}
"""Durations of conditions, in rounds."""
TURNS = frozenset(
    {
        "source_next_turn_end",
        "source_next_turn_start",
        "target_turn_end",
        "target_next_turn_end",
        "target_next_turn_start",
    }
)
"""Durations that end with a turn."""
LINKED = frozenset({"while_poisoned", "while_frightened"})
"""Durations of a condition that lasts as long as another one of the same action."""
WHILE_SICK = "while_diseased"
"""Of a condition that lasts as long as the disease of the same action."""
REPEATED = "until_repeat_save"
"""Until one more save: a success ends it, a failure makes it worse."""
UNTIL_CURED = frozenset({"until_lesser_restoration"})
"""Durations that last until something takes the condition away."""
TURN_STARTS = "target_turn_start"
TURN_ENDS = "target_turn_end"
_BY_TURNS = frozenset({TURN_STARTS, TURN_ENDS})
DICE_MINUTES = frozenset({"1d10 minutes"})
LYCANTHROPY = "lycanthropy"
REDUCED = "hp_max_reduced_by_damage"
_OUTCOMES = frozenset({LYCANTHROPY, REDUCED, "dies", "hp_0", "swallowed"})
"""Effects of a failed save besides conditions."""
_SLOWED = {"action_or_bonus_action": True, "attacks": 1, "reactions": False, "speed": "half", "on": "failed_save"}
_LASTING_FIGURES = frozenset(
    {
        *("no_healing", "wound", "ignites", "cures", "slowed", "weakened", "cursed", "repeat_save"),
        *("hp_max_reduction", "on_failed_save", "target_hp", "ignores", "swallow", "regurgitate", "exit_on_death"),
        *("sickens", "raises", "ability_reduction", "armor_penalty", "stuff", "rusts", "attach", "summons"),
    }
)
SHAPES = frozenset({"cone", "line", "sphere", "cylinder", "cube", "emanation"})


CHANGE_SHAPE = "change_shape"
INVISIBLE = "turns_invisible"
ENLARGES = "enlarges"
RECKLESS = "reckless"
HASTES = "hastes"
PLANE_SHIFT = "plane_shift"
DISGUISES = "disguises"
WEAKNESSES = "weaknesses"
PLACES = frozenset({"sunlight", "running_water"})
"""Location as a condition of that name: the grid does not know it."""
IN_SUNLIGHT, IN_RUNNING_WATER = "starts_turn_in_sunlight", "ends_turn_in_running_water"
SWALLOWED_DAMAGE = "swallowed_source_turn_start"
ON_ITSELF = frozenset({DISGUISES, HASTES, INVISIBLE, ENLARGES, RECKLESS, PLANE_SHIFT})
"""Kinds of parts that their monster uses on itself."""
_SHAPE_FIGURES = frozenset({"into", "true_form", "max_cr", "keeps", "replaces"})
_EXECUTED_TRAITS = frozenset(
    {
        *("advantage_saves", "advantage_attacks", "legendary_resistance", "undead_fortitude", "relentless", "evasion"),
        *("regeneration", "absorbs", "magic_weapons", "included_in_attack", "two_heads", "charge", "extra_damage"),
        *("no_opportunity_attacks", "retaliation", "on_death", "aura", "damages_grappler", "swarm", "immune_when"),
        *(
            RECKLESS,
            PLANE_SHIFT,
            WEAKNESSES,
            "weapon_corrosion",
            "invisible",
            "gaze",
            "extra_reactions",
            "berserk",
            "rejuvenation",
        ),
    }
)
"""Kinds of trait that the engine executes in a fight."""
_TOLD_TRAITS = frozenset(
    {
        *("breathes", "movement", "false_appearance", "hold_breath", "telepathy", "jump", "speech", "recall_path"),
        *("wakeful", "carry_size", "cannot_carry", "immune_to", "light", "notice", "mimicry", "sense", "sense_limit"),
        *("advantage_checks", "bonus_actions", "ammunition", "disadvantage", "antimagic", "damage_factor"),
        *("tracks", "leaves_no_body"),
    }
)
"""Kinds of trait that no die of a fight depends on by itself: they can be read, and a call says what they mean."""
_TRAIT_FIGURES = frozenset(
    {
        *("ally_within_5_of_target_not_incapacitated", "target_below_max_hp", "target_grappled_by_self"),
        *("first_turn_target_has_not_acted", "first_round_target_surprised"),
    }
)


_NOTES = frozenset({"self-only", "any-humanoid-form"})
"""What a stat block notes of its spells: on itself alone, which is executed, or how it looks, which no rule reads."""


def _left_out_of_casting(part: BlockPart) -> Iterator[str]:
    """Yield the unexecuted parts of casting. `cast_spell` casts the spells, each as far as its own tier says."""
    casting = part["spellcasting"]
    yield from part.get("missing", ())
    without_slots = {
        *casting.get("at_will", ()),
        *(each for some in casting.get("per_day", {}).values() for each in some),
    }
    for spell, note in casting.get("figures", {}).get("notes", {}).items():
        if spell.replace("_", "-") in without_slots and note not in _NOTES:
            yield f"{spell} {note}".replace("_", " ").replace("-", " ")


def is_parry(part: BlockPart) -> bool:
    """Return whether a reaction turns a melee hit into a miss."""
    return bool(part.get("figures", {}).get("against") == "melee_attack_that_would_hit")


def catches_rocks(part: BlockPart) -> bool:
    """Return whether a reaction catches a hurled object."""
    said = part.get("figures", {})
    return bool(said.get("trigger") == "hit_by_hurled_rock" and said.get("negates") == "bludgeoning")


def splits(part: BlockPart) -> bool:
    """Return whether a reaction divides its creature in two halves, one size smaller."""
    said = part.get("figures", {})
    is_halved = (said.get("pieces"), said.get("hp"), said.get("size")) == (2, "half_rounded_down", -1)
    return is_halved and {"on_damage", "min_hp", "min_size"} <= said.keys()


def is_made_by_itself(part: BlockPart) -> bool:
    """Return whether a reaction is one that the engine makes by itself."""
    return is_parry(part) or catches_rocks(part) or splits(part)


def trait_not_executed(part: BlockPart) -> tuple[str, ...]:
    """Return the parts of a trait that the engine does not execute, one term each."""
    kind, said = part.get("kind"), part.get("figures", {})
    if kind == "spellcasting":
        return tuple(_left_out_of_casting(part))
    missing = list(part.get("missing", ()))
    if kind in ("bonus_action_kill", CHANGE_SHAPE):
        return not_executed(part)
    if kind not in _EXECUTED_TRAITS | _TOLD_TRAITS:
        missing.append(str(kind or "effect").replace("_", " "))
    elif kind == "advantage_attacks" and said.get("when") not in _TRAIT_FIGURES:
        missing.append("advantage")
    elif kind == "regeneration" and not PLACES.issuperset(said.get("stopped_in", ())):
        missing.append("where it regenerates")
    elif kind == "extra_damage" and said.get("when") not in _EXTRA_WHEN and not takes_a_slot(part):
        missing.append("extra damage")
    elif kind == PLANE_SHIFT and said.get("planes") != ["material", "ethereal"]:
        missing.append("planes")
    elif kind == "extra_reactions" and said.get("per") != "turn":
        missing.append("extra reactions")
    elif kind == WEAKNESSES:
        known = (IN_SUNLIGHT, IN_RUNNING_WATER)
        missing += [str(each.get("when")) for each in part.get("damage", ()) if each.get("when") not in known]
    elif kind == "gaze":
        missing += _left_out_of_gaze(part)
    elif kind == "charge" and not isinstance(part.get("attack"), str):
        missing.append("trigger")
    elif kind == "retaliation":
        missing += [key.replace("_", " ") for key in said if key not in ("when", "within", "weapon_penalty", "stuff")]
        missing += [str(each["when"]).replace("_", " ") for each in part.get("damage", ()) if each["when"] != _TOUCHED]
    elif kind == "on_death":
        missing += _left_out(part)
    elif kind == "aura":
        missing += _left_out_of_aura(part)
    elif kind == "weapon_corrosion" and not {"weapon_penalty", "stuff"} <= said.keys():
        missing.append("weapon corrosion")
    elif _is_immunity_left_out(kind, said):
        missing.append("immunity")
    return tuple(dict.fromkeys(missing))


def takes_a_slot(part: BlockPart) -> bool:
    """Return whether a trait spends a slot, as a bonus action, on damage of its monster's hits in this turn."""
    return bool(part.get("figures", {}).get("cost") == "bonus_action_and_slot")


def _left_out_of_gaze(part: BlockPart) -> Iterator[str]:
    yield from (term for term in _left_out(part) if term != "at")
    if not part.get("conditions"):
        yield "what it does"


def _is_immunity_left_out(kind: str | None, said: PartFigures) -> bool:
    if kind == "immune_when":
        return bool(said.get("when") != "sees_ally_within_30")
    return kind == "advantage_saves" and not _SLEEPLESS.issuperset(said.get("immune", ()))


_SLEEPLESS = frozenset({"magical_sleep"})
_TOUCHED = "touched_or_melee_hit"
_EXTRA_WHEN = frozenset({"advantage_or_ally_within_5", "target_within_5_of_ally", "first_round_target_surprised"})


def _left_out_of_aura(part: BlockPart) -> Iterator[str]:
    yield from (term for term in _left_out(part) if term not in ("at", "damage touched or melee hit", _AURA_DAMAGE))


_AURA_DAMAGE = "damage source turn start"


_SOURCES = (None, "nonmagical_attacks", "spells")


def _spells_of(block: StatBlock) -> frozenset[str]:
    """Return the spells that a stat block casts, by id."""
    castings = [part["spellcasting"] for part in block.get("traits", ()) if "spellcasting" in part]
    groups: list[Sequence[str]] = []
    for one in castings:
        groups += [*one.get("prepared", {}).values(), *one.get("per_day", {}).values(), one.get("at_will", ())]
    return frozenset(spell for each in groups for spell in each)


def block_not_executed(block: StatBlock) -> list[str]:
    """Return what of a stat block a fight does not execute: each part by name, with what is missing of it."""
    found: list[str] = []
    legendary = block.get("legendary", {}).get("actions", ())
    for part in (*block.get("actions", ()), *block.get("reactions", ()), *legendary):
        missing = () if is_made_by_itself(part) else not_executed(part)
        found += [f"{part['name']}: {', '.join(missing)}"] if missing else []
    for part in block.get("traits", ()):
        missing = trait_not_executed(part)
        found += [f"{part['name']}: {', '.join(missing)}"] if missing else []
    for use in (use for way in block.get("multiattack", ()) for use in way):
        if "form" in use:
            found.append("Multiattack: actions of another form")
            break
    defenses = {
        "Resistances": block.get("resistances", ()),
        "Immunities": block.get("immunities", ()),
        "Vulnerabilities": block.get("vulnerabilities", ()),
    }
    for name, rows in defenses.items():
        # What a spell lends is there while its bearer has cast it, and `cast_spell` sees to that.
        if any(row.get("source") not in (*_SOURCES, *_spells_of(block)) for row in rows):
            found.append(f"{name}: what depends on more than the weapon")
    return found


def not_executed(part: BlockPart) -> tuple[str, ...]:
    """Return the unexecuted parts of an action, one term each; empty where it executes all of it."""
    return tuple(dict.fromkeys([*part.get("missing", ()), *_left_out(part)]))


def _has_bearer(part: BlockPart) -> bool:
    """Return whether damage turn after turn depends on something that lasts: a condition, or being on fire."""
    return bool(part.get("conditions") or "ignites" in part.get("figures", {}))


_NO_WATER = "water_fire_resistance"
"""Fire that burns under water, too: water gives no resistance to it here."""
_SICKENS = frozenset({"as", "every", "name", "healing", "hp_max_reduction", "repeat_save", "dies_at_0"})
_SPARING = (None, "cures", "spares")
"""What a daily save against a disease does that succeeds."""
_RAISES = frozenset({"monster", "after", "kind", "not_alignment", "most", "on"})
_ATTACH = frozenset({"drain", "movement", "until_drained"})
_SUMMONS = frozenset({"monster", "count", "most", "corpse", "within", "stats", "actions", "until"})
_WOUND = frozenset({"check", "dice", "ends", "stacks", "when"})


def _left_out_of_lasting(said: PartFigures) -> Iterator[str]:
    """Yield what is left out of effects that last, and of what else a failed save brings."""
    slowed = said.get("slowed")
    if slowed is not None and {key: each for key, each in slowed.items() if key != "duration"} != _SLOWED:
        yield "slowed"
    lasting = (said.get("slowed", {}), said.get("weakened", {}), said.get("cursed", {}))
    if any(each.get("duration", "1 minute") not in ROUNDS for each in lasting):
        yield "duration"
    if said.get("no_healing", True) is not True:
        yield "no healing"
    if said.get("wound", {}).keys() - _WOUND or said.get("wound", {}).get("when", TURN_STARTS) != TURN_STARTS:
        yield "wound"
    if said.get("ignites", {"ends": "action"}) != {"ends": "action"}:
        yield "ignites"
    swallow = said.get("swallow")
    if swallow is not None and not (
        {"via", "max_size"} <= swallow.keys() or "swallowed" in said.get("on_failed_save", ())
    ):
        yield "swallow"
    if swallow is not None and not {"conditions", "total_cover"} <= swallow.keys():
        yield "swallow"
    if said.get("ignores", _NO_WATER) != _NO_WATER:
        yield "ignores"
    if said.get("repeat_save") not in (None, "turn_end"):
        yield "repeat save"
    if said.get("hp_max_reduction", {}).get("until", "long_rest") not in ("long_rest", "greater_restoration"):
        yield "hp max reduction"
    if "sickens" in said and not _is_executed_sickness(said["sickens"]):
        yield "sickens"
    if "ability_reduction" in said and said["ability_reduction"].get("until") != "short_or_long_rest":
        yield "ability reduction"
    if "attach" in said and said["attach"].keys() != _ATTACH:
        yield "attach"
    if said.get("summons", {}).keys() - _SUMMONS:
        yield "summons"
    if "armor_penalty" in said and "stuff" not in said:
        yield "armor penalty"
    if said.get("raises", {}).keys() - _RAISES:
        yield "raises"
    if not _OUTCOMES.issuperset(said.get("on_failed_save", ())):
        yield "on failed save"


def _is_executed_sickness(said: SicknessFigures) -> bool:
    """Return whether a disease or a curse works as the engine knows it: day by day, on the hit point maximum."""
    known = said.keys() <= _SICKENS and said.get("every") == "24 hours" and said.get("dies_at_0") is True
    return known and said.get("healing", "none") in ("none", "magic") and said.get("repeat_save") in _SPARING


def _left_out_of_shape(said: PartFigures) -> Iterator[str]:
    """Yield what of a change of shape is left out: figures of how it is done that no rule reads."""
    yield from (key.replace("_", " ") for key in said if key not in _SHAPE_FIGURES)
    if "into" not in said:
        yield "transform"


def _is_with_spell(part: BlockPart, damage: DamageShape) -> bool:
    """Return whether damage is that of an attack under a spell, with a bonus of its own."""
    spell, attack = str(damage.get("when", "")).removeprefix("with_"), part.get("attack")
    return not isinstance(attack, str | None) and spell in attack.get("to_hit_with", {})


def _left_out(part: BlockPart) -> Iterator[str]:
    if part.get("kind") in ON_ITSELF:
        return
    if part.get("kind") == CHANGE_SHAPE:
        yield from _left_out_of_shape(part.get("figures", {}))
        return
    yield from (key for key in part if key not in _EXECUTED | _ALWAYS)
    yield from (key.replace("_", " ") for key in part.get("figures", {}) if key not in _FIGURES | _LASTING_FIGURES)
    yield from _left_out_of_lasting(part.get("figures", {}))
    for damage in part.get("damage", ()):
        if damage.get("when") in _BY_TURNS and _has_bearer(part):
            continue
        if damage.get("when") == SWALLOWED_DAMAGE and "swallow" in part.get("figures", {}):
            continue
        if _is_with_spell(part, damage):
            continue
        if damage.get("when") not in _DAMAGE_WHEN or not isinstance(damage.get("type"), str):
            yield f"damage {damage.get('when', 'of a chosen type')}".replace("_", " ")
    for condition in part.get("conditions", ()):
        if condition["on"] not in _CONDITION_ON:
            yield f"{condition['id']} {condition['on']}".replace("_", " ")
        duration = condition.get("duration")
        if duration is not None and duration not in {
            *ROUNDS,
            *TURNS,
            *LINKED,
            WHILE_SICK,
            *DICE_MINUTES,
            *UNTIL_CURED,
            REPEATED,
        }:
            yield f"{condition['id']} {duration}".replace("_", " ")
        if condition.get("repeat") not in (None, "turn_end"):
            yield f"{condition['id']} repeat"
    if part.get("area", {}).get("shape", "cone") not in SHAPES:
        yield "area"
    if part.get("forced_move", {}).get("dir") == "random":
        yield "forced move"
    for save in (part.get("save"),):
        if isinstance(save, Mapping) and not isinstance(save.get("ability"), str):
            yield "save of choice"
    if not isinstance(part.get("figures", {}).get("drain", ""), str):
        yield "drain"
    grapple = part.get("grapple", {})
    yield from (key.replace("_", " ") for key in grapple if key not in _GRAPPLE)
    yield from (key.replace("_", " ") for key in grapple.get("figures", {}) if key != "advantage_vs_grappled")
    if any("form" in use for use in part.get("uses_actions", ())):
        yield "another form"
    for option in part.get("options", ()):
        yield from (f"{option['name']}: {term}" for term in not_executed(option))
