"""How much of a spell's entry the engine carries out: what it executes, what the table keeps, and what is missing.

The one list of what `cast_spell` executes. Tests compare it with the tiers of the pack.
Source: docs/content.md, "Spells by name".
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from turnwright.content.kinds.shapes import Inflicted
from turnwright.content.kinds.spells import Spell
from turnwright.rulesets.fifth_edition.magic.spells.boons import (
    boon_figures,
    gives_turn_temp_hp,
    is_retaliation,
)
from turnwright.rulesets.fifth_edition.magic.spells.control import gives_control
from turnwright.rulesets.fifth_edition.magic.spells.figures import STRUCK, rounds_in
from turnwright.rulesets.fifth_edition.magic.spells.finding import can_detect, can_locate
from turnwright.rulesets.fifth_edition.magic.spells.lasting import (
    ENDINGS,
    executed_figures,
    gives_effect,
    is_kept_by_name,
    is_told,
    resistances_of,
)
from turnwright.rulesets.fifth_edition.magic.spells.special import executed_specials
from turnwright.rulesets.fifth_edition.magic.spells.summoning import brings
from turnwright.rulesets.fifth_edition.magic.spells.told import AIMED_AT, TOLD, WILLING
from turnwright.rulesets.fifth_edition.magic.spells.zoning import escape_abilities, lays_zone, zone_damage

EXECUTED = frozenset(
    {
        "choose_condition",
        "companions_within",
        "damage_save",
        "darts",
        "failures_to_worsen",
        "max_words",
        "no_concentration_from",
        "order",
        "outdoor_storm_bonus",
        "per_slot_choose_one",
        "rays",
        "resistance_choice",
        "save_dc",
        "save_disadvantage",
        "springs",
        "successes_to_end",
        "target_range",
        "target_save_bonus",
        "withstood",
    }
)
"""Further figures that are carried out."""
_AT_ONCE = frozenset({"always", "failed_save", "hit", "hp_pool", "max_hp"})
"""When a condition is given as the spell is cast."""
_UNTIL = frozenset({None, "duration", *ENDINGS})
REPEATS = frozenset({"turn_end", "turn_end_or_damage", "when_damaged"})
"""When a save that ends a condition is made again, as entries say it."""
BY_ACTION, UNSEEN = "action", "turn_end_without_line_of_sight"
"""When a save that ends a condition takes an action, and when it is made only out of sight of the source."""
_DEALT_LATER = frozenset(
    {
        "extra_weapon_hit",
        "extra_when_caster_hits",
        "melee_hit_within_5",
        "next_weapon_hit",
        "target_next_turn_end",
        "turn_end_failed_save",
    }
)
"""The moments at which a spell's lasting effect deals damage."""
_COUNTED = "failed_saves_"
"""Before the number of failed saves, of a condition that another one worsens to."""
_MEASURED = frozenset({"circle", "cone", "cube", "cylinder", "emanation", "line", "sphere", "square"})


STORM, NO_STORM = "storm", "no_storm"
"""Whether a spell that calls lightning is cast outdoors in a storm: the table says it."""


def strikes_from_afar(spell: Spell) -> bool:
    """Return whether a spell makes something that strikes where it is, and moves so far when it strikes again."""
    return spell.attack == "melee" and isinstance(spell.range, int) and isinstance(spell.figures.get("move"), int)


def is_harmful(spell: Spell) -> bool:
    """Return whether a spell is one that its target would rather be spared."""
    return bool(spell.damage or spell.save or spell.attack) and "attacker_save" not in spell.figures


class Coverage(NamedTuple):
    """How the engine treats the figures of an entry.

    Attributes:
        effects: the effects that the engine carries out.
        missing: figures that dice or numbers decide, but the engine does not carry out.
        told: figures that the result reports and the table plays out.
    """

    effects: tuple[str, ...]
    missing: tuple[str, ...]
    told: tuple[str, ...]

    @property
    def tier(self) -> str:
        """The tier that an entry with such figures has."""
        if not self.effects:
            return "reference"
        return "partly" if self.missing else "full"


def coverage_of(spell: Spell) -> Coverage:
    """Return the parts of a spell, with all its variants, that the engine carries out."""
    if spell.variants:
        return _of_variants(spell)
    effects = list(dict.fromkeys(_effects(spell)))
    executed = executed_figures(spell)
    told = tuple(name for name in spell.figures if name in TOLD | _told_advantage(spell) and name not in executed)
    is_named = bool(effects) and effects != ["duration"]
    missing = [*spell.missing, *_missing(spell), *([] if is_named or spell.missing else ["effect"])]
    return Coverage(tuple(effects), tuple(dict.fromkeys(missing)), told)


def _of_variants(spell: Spell) -> Coverage:
    """Return the coverage of all variants of a spell together: a part missing in one is missing in the spell."""
    each = [coverage_of(spell.variant(name)) for name in spell.variants]
    effects, missing, told = (dict.fromkeys(word for one in each for word in one[index]) for index in range(3))
    if not all(one.effects for one in each):
        missing["effect"] = None
    return Coverage(tuple(effects), tuple(dict.fromkeys((*spell.missing, *missing))), tuple(told))


def _effects(spell: Spell) -> Iterator[str]:
    if any(part.when in STRUCK for part in spell.damage):
        yield "damage"
    if any(is_at_once(condition) for condition in spell.conditions):
        yield "conditions"
    if spell.heal is not None and spell.heal.kind is None:
        yield "healing"
    if spell.temp_hp is not None and spell.temp_hp.when is None:
        yield "temporary_hit_points"
    if gives_effect(spell) or (spell.heal is not None and spell.heal.kind == "hp_and_max_hp"):
        yield "effect"
    if executed_specials(spell) or is_push(spell):
        yield "special"
    if lays_zone(spell):
        yield "area"
    if brings(spell):
        yield "summons"
    if is_kept_by_name(spell):
        yield "duration"
    if is_told(spell) or set(spell.figures.get("removes", ())) == {"curse"}:
        yield "told"


def acts_again(spell: Spell) -> str | None:
    """Return what it costs to use a spell once more: an action, a bonus action, or `free` for an area; else None."""
    if spell.duration == "instantaneous":
        return None
    if spell.repeat in ("action", "bonus_action"):
        return spell.repeat
    if can_detect(spell) or can_locate(spell):
        return "free"
    return "free" if spell.lasting_area is not None or "springs" in spell.figures else None


def acts_at_once(spell: Spell) -> bool:
    """Return whether a spell does something when cast, and not only to creatures entering its area later."""
    if "springs" in spell.figures:
        return False
    return spell.lasting_area is None or "appears" in spell.lasting_area.acts


def is_push(spell: Spell) -> bool:
    """Return whether a spell pushes its targets straight away from its caster."""
    move = spell.forced_move
    return move is not None and move.dir == "away" and move.on in (None, "failed_save") and move.who is None


def is_at_once(condition: Inflicted) -> bool:
    """Return whether a condition is given as the spell is cast, and ended by what the engine counts."""
    return condition.on in _AT_ONCE and _is_timed(condition)


def _is_timed(condition: Inflicted) -> bool:
    return condition.duration in _UNTIL or rounds_in(condition.duration) is not None


def _missing(spell: Spell) -> Iterator[str]:
    later = {when for when in _DEALT_LATER if when != "turn_end_failed_save" or spell.repeat_save == "turn_end"}
    later |= {"arrives_in_occupied_space"} if "teleport" in executed_specials(spell) else set()
    later |= zone_damage(spell)
    later -= set() if is_retaliation(spell) else {"melee_hit_within_5"}
    yield from (f"damage_{part.when}" for part in spell.damage if part.when not in STRUCK | later)
    for condition in spell.conditions:
        if not is_at_once(condition) and not is_counted(spell, condition) and not _is_inside(spell, condition):
            yield f"{condition.id}_{condition.on}"
        if condition.repeat not in {None, *REPEATS, BY_ACTION, UNSEEN}:
            yield f"save_again_{condition.repeat}"
        if condition.escape is not None and not escape_abilities(spell):
            yield "escape"
    if spell.lasting_area is not None and not lays_zone(spell):
        yield "lasting_area"
    if spell.area is not None and spell.area.shape == "emanation" and is_lasting(spell) and acts_again(spell) is None:
        yield "area_that_moves"
    if spell.more_saves:
        yield "further_saves"
    if spell.heal is not None and spell.heal.kind not in (None, "hp_and_max_hp"):
        yield "healing"
    if spell.temp_hp is not None and not (spell.temp_hp.when is None or gives_turn_temp_hp(spell)):
        yield "temporary_hit_points"
    if spell.save is not None and (spell.save.when or spell.save.figures):
        yield "save"
    is_ended = any(is_at_once(each) for each in spell.conditions) or gives_effect(spell)
    is_ended = is_ended or gives_control(spell)
    if spell.repeat_save is not None and not (is_ended and spell.repeat_save == "turn_end"):
        yield "repeated_save"
    if spell.forced_move is not None and not is_push(spell):
        yield "forced_move"
    if spell.resistance and resistances_of(spell, None) is None:
        yield "resistance"
    if spell.repeat is not None and acts_again(spell) is None:
        yield "repeat"
    if spell.summons is not None and not brings(spell):
        yield "summons"
    if spell.weapon_ability is not None and "weapon_damage_factor" not in boon_figures(spell):
        yield "weapon_ability"
    known = {"armor", "max_int", "max_size", "min_int", "type"}
    yield from (f"only_{name}" for name in spell.only if name not in known)
    if spell.targets is not None:
        yield from (
            f"targets_{name}"
            for name in spell.targets.figures
            if name not in ("within_of_each_other", "within_of_first")
        )
        if spell.targets.requires or spell.targets.requires_any or spell.targets.where:
            yield "targets_limited"
    known_figures = (
        TOLD
        | _told_advantage(spell)
        | ({"move"} if strikes_from_afar(spell) else frozenset())
        | EXECUTED
        | executed_figures(spell)
        | executed_specials(spell)
    )
    if set(spell.figures.get("ends_on", ())) <= {"damage", "action_to_wake", "attacks", "casts_spell", "harmed"}:
        known_figures |= {"ends_on"}
    if spell.figures.get("aims_at") in AIMED_AT:
        known_figures |= {"aims_at"}
    if spell.figures.get("willing") == WILLING:
        known_figures |= {"willing"}
    if spell.figures.get("save_advantage") == "fighting_caster":
        known_figures |= {"save_advantage"}
    if set(spell.figures.get("ignores", ())) == {"cover"}:
        known_figures |= {"ignores"}
    yield from (name for name in spell.figures if name not in known_figures)


def _is_inside(spell: Spell, condition: Inflicted) -> bool:
    """Return whether a condition applies only while a creature is in a lasting area."""
    return condition.on == "inside" and condition.duration == "duration" and lays_zone(spell)


def is_counted(spell: Spell, condition: Inflicted) -> bool:
    """Return whether a condition is what another one worsens to after so many failed saves."""
    needed = condition.on.removeprefix(_COUNTED) if condition.on and condition.on.startswith(_COUNTED) else ""
    return needed.isdecimal() and int(needed) == spell.figures.get("failures_to_worsen")


def _told_advantage(spell: Spell) -> frozenset[str]:
    """Return `advantage` where it applies to finding a creature: the table knows when that is."""
    named = spell.figures.get("advantage", ())
    return frozenset({"advantage"} if named and all(each.endswith("_find") for each in named) else ())


def is_lasting(spell: Spell) -> bool:
    """Return whether a spell persists after it was cast, so that it can be dispelled."""
    return spell.duration != "instantaneous"


def is_measured(spell: Spell) -> bool:
    """Return whether the engine finds the creatures in the spell's area; else the call names them."""
    return spell.area is not None and spell.area.shape in _MEASURED and not spell.area.figures
