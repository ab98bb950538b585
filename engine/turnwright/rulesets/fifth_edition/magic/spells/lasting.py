"""Lasting effects of a spell on its targets: an effect with the figures of its entry.

The figures that become part of an effect are listed here once: `coverage` reads the same table. Source: SRD 5.1,
"Spell Descriptions"; docs/content.md, "Spells by name".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, TypeAlias

from turnwright.content.kinds.spells import Spell
from turnwright.model.creature import Effect, Ending
from turnwright.model.json_types import JsonValue
from turnwright.model.vocabulary import Ability, ActionType, ConditionName, DamageType, Skill, words
from turnwright.rulesets.fifth_edition.magic.concentration import is_same_spell
from turnwright.rulesets.fifth_edition.magic.spells.boons import (
    boon_fields,
    boon_figures,
    gives_boon,
    halves_plain_weapons,
    has_end_damage,
    is_resizing,
    is_retaliation,
    marks_target,
    own_save,
    strikes_with,
)
from turnwright.rulesets.fifth_edition.magic.spells.casting import Casting, kind_of
from turnwright.rulesets.fifth_edition.magic.spells.control import control_fields, gives_control
from turnwright.rulesets.fifth_edition.magic.spells.figures import UNTIL_DISPELLED, lasts_until_dispelled, rounds_in
from turnwright.rulesets.fifth_edition.magic.spells.told import AIMED_AT, TOLD
from turnwright.rulesets.fifth_edition.sheets.effect_list import with_effect
from turnwright.rulesets.fifth_edition.targets import Creature, put_creature

Fields: TypeAlias = dict[str, JsonValue]
"""Fields of an effect by name, as its document writes them."""
Make: TypeAlias = Callable[[Any], Fields | None]

_ABILITIES = frozenset(words(Ability))
_CONDITIONS = frozenset(words(ConditionName))
_DAMAGE = tuple(words(DamageType))
_SKILLS = frozenset(words(Skill))
_ACTIONS = tuple(words(ActionType))
_SENSES = frozenset({"blindsight", "darkvision", "tremorsense", "truesight"})
_ROLLS = MappingProxyType(
    {"attack": "attack_rolls", "check": "ability_checks", "save": "saving_throws", "death_save": "death_saves"}
)
ENDINGS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "source_next_turn_start": ("source", "start"),
        "source_next_turn_end": ("source", "end"),
        "target_next_turn_start": ("target", "start"),
        "target_next_turn_end": ("target", "end"),
    }
)
"""Moments at which something ends, as entries spell them: the combatant's turn, and which end of it."""
ENDED_BY = frozenset({"damage", "attacks", "casts_spell", "harmed"})
"""Events that end a condition, as entries spell them."""
TOLD_IMMUNITIES = frozenset({"possessed", "emotion_sensing", "thought_reading"})
"""Immunities against effects outside the engine's rules: the table tracks them."""


def roll_name(term: str) -> str | None:
    """Return what effects call a roll that an entry names; None for one that no rule looks for."""
    if term in _ROLLS:
        return _ROLLS[term]
    if term in _SKILLS:
        return term
    ability, _, kind = term.partition("_")
    if ability == "save" and kind.removeprefix("vs_") in _CONDITIONS:
        return term
    return f"{ability}_{kind}s" if ability in _ABILITIES and kind in ("check", "save") else None


def _rolls(key: str) -> Make:
    def make(value: Any) -> Fields | None:
        named = [roll_name(each) for each in value]
        return None if None in named or not named else {key: tuple(named)}

    return make


def _immune(value: Any) -> Fields | None:
    if "surprised" in value:
        return {"never_surprised": True} | (_immune([each for each in value if each != "surprised"]) or {})
    if "divination" in value:
        return {"undetected": True} | (_immune([each for each in value if each != "divination"]) or {})
    conditions = tuple(each for each in value if each in _CONDITIONS)
    damage = tuple(kind for each in value if (kind := each.removesuffix("_damage")) in _DAMAGE)
    if len(conditions) + len(damage) < len([each for each in value if each not in TOLD_IMMUNITIES]):
        return None
    return {"condition_immunities": conditions, "immunities": damage}


def _grants(value: Any) -> Fields | None:
    return {"senses": dict(value)} if value.keys() <= _SENSES else None


def _attacks(how: str) -> Make:
    return lambda value: {"attacks_against": how} if list(value) == ["attack"] else None


def _sets(value: Any) -> Fields | None:
    return {"speed_factor": 0} if dict(value) == {"speed": 0} else None


def _plain(key: str) -> Make:
    return lambda value: {key: value} if isinstance(value, int) else None


def _next_attack(value: Any) -> Fields | None:
    return {"disadvantage_on": ("attack_rolls",), "uses": 1} if list(value) == ["next_attack"] else None


def _next_attacked(value: Any) -> Fields | None:
    return {"attacks_against": "advantage", "uses": 1} if value in ENDINGS else None


def _barred(value: Any) -> Fields | None:
    """Return what a creature cannot do: the actions that are named, or all but those."""
    if isinstance(value, Mapping):
        spared = set(value.get("all_but", ()))
        return {"barred_actions": tuple(each for each in _ACTIONS if each not in spared)}
    return {"barred_actions": tuple(value)} if value and set(value) <= set(_ACTIONS) else None


def _vulnerable(value: Any) -> Fields | None:
    kinds = _DAMAGE if list(value) == ["all"] else tuple(value)
    return {"vulnerabilities": kinds} if set(kinds) <= set(_DAMAGE) else None


def _ends_by(value: Any) -> Fields | None:
    """Return the action that ends an effect; a check of an ability may decide it."""
    if value.get("cost") != "action" or not value.keys() <= {"cost", "check", "dc"}:
        return None
    asked = tuple(value.get("check", ()))
    if not asked:
        return {"ends_by": {}}
    fits = set(asked) <= _ABILITIES and isinstance(value.get("dc"), int)
    return {"ends_by": {"abilities": asked, "dc": value["dc"]}} if fits else None


def _true(key: str) -> Make:
    return lambda value: {key: True} if value is True else None


def _word(key: str) -> Make:
    return lambda value: {key: value} if isinstance(value, str) else None


def _disadvantage(value: Any) -> Fields | None:
    return _next_attack(value) or _rolls("disadvantage_on")(value)


FIGURES: Mapping[str, Make] = MappingProxyType(
    {
        "ac_base": _plain("ac_base"),
        "ac_bonus": _plain("ac_bonus"),
        "ac_min": _plain("ac_min"),
        "away": _true("away"),
        "barred_actions": _barred,
        "cured_as": lambda value: {"cured_as": tuple(value)} if set(value) <= {"curse", "disease"} else None,
        "ends_by": _ends_by,
        "ethereal": _true("ethereal"),
        "harmless": _true("harmless"),
        "leaves_on": _plain("leaves_on"),
        "false_aura": _word("false_aura"),
        "masked_as": _word("masked_as"),
        "undetected": _true("undetected"),
        "vulnerable": _vulnerable,
        "advantage": _rolls("advantage_on"),
        "advantage_against_target": _attacks("advantage"),
        "bonus": lambda value: {"roll_bonuses": dict(value)} if value.keys() == {"stealth"} else None,
        "dex_save_bonus": lambda value: {"roll_bonuses": {"dex_saves": value}},
        "disadvantage": _disadvantage,
        "disadvantage_against_self": _attacks("disadvantage"),
        "grants": _grants,
        "immune": _immune,
        "next_attack_advantage": lambda value: (
            {"attacks_against": "advantage", "uses": 1} if value in ENDINGS else None
        ),
        "save_bonus": _plain("saving_throw_bonus"),
        "sets": _sets,
        "speed_bonus": _plain("speed_modifier"),
        "speed_factor": lambda value: {"speed_factor": value},
        "speed_penalty": lambda value: {"speed_modifier": -value["ft"]} if value.get("until") in ENDINGS else None,
    }
)
"""Figures of entries by name, each with the fields of an effect that it comes to; None where it has no such form."""
BESIDE = frozenset({"ac_plus", "until"})
"""Figures that say more of another one: DEX beside `ac_base`, and the moment at which it ends."""


def executed_figures(spell: Spell) -> frozenset[str]:
    """Return the figures of a spell that become part of an effect."""
    named = {name for name, value in spell.figures.items() if name in FIGURES and FIGURES[name](value) is not None}
    if "option" in spell.figures or "options" in spell.figures:
        named |= _option_figures(spell)
    if is_retaliation(spell):
        named.add("resistance_options")
    if is_resizing(spell):
        named.add("options")
    if named and "versus" in spell.figures:
        named.add("versus")
    named |= boon_figures(spell)
    if named and "effect_duration" in spell.figures:
        named.add("effect_duration")
    if named and spell.figures.get("until") in (None, *ENDINGS):
        named |= BESIDE & spell.figures.keys()
    return frozenset(named)


def _option_figures(spell: Spell) -> set[str]:
    """Return the figures by which the caster chooses one kind of check, as of Enhance Ability."""
    options = spell.figures.get("options")
    if spell.figures.get("advantage") != ["chosen_check"] and spell.figures.get("advantage") != ("chosen_check",):
        return set()
    checks = isinstance(options, Mapping) and all(
        isinstance(each, str) and roll_name(each) for each in options.values()
    )
    return {"advantage", "options"} if checks else set()


def option_fields(spell: Spell, choice: str | None) -> Fields:
    """Return the fields of an effect that an option of the entry gives."""
    options = spell.figures.get("options")
    if choice is None or not _option_figures(spell) or not isinstance(options, Mapping):
        return {}
    name = roll_name(str(options[choice]))
    return {"advantage_on": (name,)} if name else {}


def resistances_of(spell: Spell, choice: str | None) -> tuple[str, ...] | None:
    """Return the damage that a spell's targets take half of; None where its entry says it in no such form."""
    if halves_plain_weapons(spell):
        return ()
    if any(row.source is not None or row.unless is not None for row in spell.resistance):
        return None
    found = [kind for row in spell.resistance for kind in (_DAMAGE if row.type == "all" else (row.type,))]
    options = spell.figures.get("resistance_choice", ())
    if choice is not None and choice in options:
        found.append(choice)
    return tuple(dict.fromkeys(found))


def gives_effect(spell: Spell) -> bool:
    """Return whether a spell leaves an effect that the engine reads."""
    has_rolls = spell.roll_modifier is not None or gives_boon(spell) or gives_control(spell)
    has_resistance = bool(spell.resistance or "resistance_choice" in spell.figures)
    return has_rolls or bool(executed_figures(spell)) or (has_resistance and resistances_of(spell, None) is not None)


def _modifier(spell: Spell) -> Fields:
    modifier = spell.roll_modifier
    if modifier is None:
        return {}
    keys = {"attack": "attack_bonus", "save": "saving_throw_bonus", "check": "check_bonus"}
    fields: Fields = {keys[each]: modifier.dice for each in modifier.to}
    return fields | ({"uses": modifier.uses} if modifier.uses else {})


def effect_fields(spell: Spell, choice: str | None) -> Fields:
    """Return the fields of the effect that a spell leaves."""
    fields = _modifier(spell)
    for name in spell.figures:
        if name in executed_figures(spell) and name in FIGURES:
            fields |= FIGURES[name](spell.figures[name]) or {}
    fields |= option_fields(spell, choice)
    if "versus" in spell.figures:
        fields["versus_kinds"] = tuple(spell.figures["versus"])
    resistances = resistances_of(spell, choice)
    return fields | ({"resistances": resistances} if resistances else {})


def ending_of(spell: Spell) -> str | None:
    """Return the moment at which a turn ends the effect of a spell; None for one that lasts as the spell does."""
    for name in ("speed_penalty", "until", "next_attack_advantage", "no_healing", "when"):
        value = spell.figures.get(name)
        moment = value.get("until") if isinstance(value, Mapping) else value
        if moment in ENDINGS:
            return str(moment)
    is_obeyed = spell.control is not None and spell.control.orders
    return "target_next_turn_end" if has_end_damage(spell) or is_obeyed else None


def ending(casting: Casting, target_id: str, moment: str) -> Ending:
    """Return the turn at which something ends that begins now; the turn that runs now is not the next one."""
    who, at = ENDINGS[moment]
    whose = casting.caster_id if who == "source" else target_id
    encounter = casting.encounter
    runs_now = encounter is not None and encounter.current.id == whose
    return Ending(whose=whose, at=at, turns=2 if at == "end" and runs_now else 1)


def is_kept_by_name(spell: Spell) -> bool:
    """Return whether a spell lasts and no rule reads what it does: the engine keeps its name and time.

    What such a spell does is the table's. Without figures that tell it, it is never executed in full.
    """
    acts = (spell.attack, spell.damage, spell.conditions, spell.heal, spell.temp_hp, spell.hp_pool)
    more = (
        spell.lasting_area,
        spell.control,
        spell.roll_modifier,
        spell.resistance,
        spell.forced_move,
        spell.summons,
    )
    limits = (spell.save, spell.only, *spell.figures)
    is_left = not any(limits) or (bool(spell.figures) and spell.figures.keys() <= TOLD | _OF_KEEPING)
    return spell.duration not in ("instantaneous", "special") and is_left and not any((*acts, *more))


def is_told(spell: Spell) -> bool:
    """Return whether the figures of what a spell does are such that no rule reads: the result tells them."""
    return bool(spell.figures.keys() & TOLD) and spell.figures.keys() <= TOLD | _OF_KEEPING


_OF_KEEPING = frozenset(
    {
        "aims_at",
        "detects",
        "fails_across_planes",
        "locates",
        "max_words",
        "no_concentration_from",
        "omen",
        "save_dc",
        "target_range",
        "target_save_bonus",
        "willing",
        "withstood",
    }
)
"""Figures of how a spell is cast and what it finds out, which leave no effect on a creature."""


def needs_nobody(spell: Spell) -> bool:
    """Return whether a spell is on no creature, so that its caster maintains it where the call names no target."""
    if spell.figures.get("aims_at") in AIMED_AT:
        return True
    return is_kept_by_name(spell) and not spell.figures and spell.targets is None


def _place(casting: Casting) -> Fields:
    """Return the square that a spell is cast on, in a fight, where it is on a place."""
    point = casting.args.target_position
    is_there = point is not None and casting.spell.figures.get("aims_at") == "place"
    return {"at": (point.x, point.y, point.z)} if point is not None and is_there else {}


def _lasts(casting: Casting, rounds: int | None) -> int | str | None:
    """Return how long something lasts that no concentration holds."""
    said = casting.spell.figures.get("effect_duration")
    if said == "until_long_rest":
        return str(said)
    return UNTIL_DISPELLED if lasts_until_dispelled(casting.spell, casting.level) else rounds


def keep_up(casting: Casting) -> None:
    """Note on the caster the level of a spell that lasts without concentration, so that it can be used again."""
    creature, spell = casting.caster, casting.spell
    held = [each.effect_id for each in creature.character.effects]
    held_by = "concentration" if spell.concentration else None
    effect = Effect(
        effect_id=casting.world.new_id("effect", held=held),
        name=spell.name,
        type="neutral",
        source=casting.source_id,
        duration=held_by or _lasts(casting, casting.rounds),
        rounds_remaining=None if held_by else casting.rounds,
        slot_level=casting.level.slot,
        at=casting.made_at,
        chosen=casting.choice if "springs" in spell.figures else None,
    )
    put_creature(casting.world, creature, with_effect(creature.character, effect).character)


def spring(casting: Casting) -> None:
    """Trigger a waiting spell: it then ends, or lasts for as long as its entry says."""
    creature, said = casting.caster, casting.spell.figures["springs"]
    kept = next(each for each in creature.character.effects if is_same_spell(casting.spell.name, each.name))
    rounds = rounds_in(said.get("lasts"))
    if kept.duration != UNTIL_DISPELLED and rounds is not None:
        return  # it has been triggered already, and continues
    others = tuple(each for each in creature.character.effects if each is not kept)
    going_on = (kept.replace(duration=rounds, rounds_remaining=rounds),) if rounds is not None else ()
    put_creature(casting.world, creature, creature.character.replace(effects=(*others, *going_on)))


def made_at(creature: Creature, spell: Spell) -> tuple[int, int, int] | None:
    """Return the square of what a creature's spell made; None where it was not made in this fight."""
    return next((each.at for each in creature.character.effects if is_same_spell(spell.name, each.name)), None)


def note_where(casting: Casting) -> None:
    """Note on the caster where what the spell has made is now."""
    creature, spell = casting.caster, casting.spell
    kept = [each for each in creature.character.effects if is_same_spell(spell.name, each.name)]
    if not kept:
        keep_up(casting)
        return
    moved = kept[0].replace(at=casting.made_at)
    put_creature(casting.world, creature, with_effect(creature.character, moved).character)


def kept_level(creature: Creature, spell: Spell) -> int | None:
    """Return the level of a spell that a caster maintains; None where it is no longer maintained."""
    held = creature.character.concentration
    if held is not None and is_same_spell(spell.name, held.spell_name):
        return held.slot_level
    return next((each.slot_level for each in creature.character.effects if is_same_spell(spell.name, each.name)), None)


def leave_effect(casting: Casting, target_id: str, extra: Fields) -> str | None:
    """Put the effect of a spell on a creature, and return its name; None where it leaves none."""
    spell = casting.spell
    if casting.zone is not None and spell.lasting_area is not None and spell.lasting_area.affects == "chosen":
        return None  # it applies in the area, and to those in it
    fields = effect_fields(spell, casting.choice) | boon_fields(casting, target_id) | control_fields(casting) | extra
    if spell.repeat_save == "turn_end" and spell.save is not None and fields and not spell.conditions:
        fields["repeat_save"] = {"ability": own_save(spell), "dc": casting.save_dc}
    if not fields and not is_kept_by_name(spell) and not strikes_with(casting, target_id):
        return None
    if marks_target(spell):
        meant = casting.person(target_id)
        fields["versus"] = tuple(dict.fromkeys(meant.ids if meant is not None else (target_id,)))
    creature = casting.caster if marks_target(spell) else casting.creature(target_id)
    held = [each.effect_id for each in creature.character.effects]
    moment = ending_of(spell) if casting.encounter_id else None
    rounds = casting.rounds if moment is None else None
    lasts = _lasts(casting, rounds)
    timing: dict[str, Any] = {"duration": "concentration" if spell.concentration else lasts, "rounds_remaining": None}
    if moment is not None:
        timing = {"ends": ending(casting, target_id, moment)}
        timing |= {"duration": "concentration"} if spell.concentration and marks_target(spell) else {}
    elif not spell.concentration:
        timing["rounds_remaining"] = rounds
    kind = "neutral" if not fields else "curse" if spell.save is not None or spell.attack is not None else "boon"
    effect = Effect(
        effect_id=casting.world.new_id("effect", held=held),
        name=spell.name,
        type=kind,
        source=casting.source_id,
        slot_level=casting.level.slot,
        trigger_effect=casting.words,
        **_place(casting),
        **timing,
        **fields,
    )
    put_creature(casting.world, creature, with_effect(creature.character, effect).character)
    if spell.figures.get("undead_disadvantage_against_caster") in ENDINGS and kind_of(casting, creature) == "undead":
        _hamper_against_caster(casting, creature.id)
    return spell.name


def _hamper_against_caster(casting: Casting, target_id: str) -> None:
    """Make a creature attack the caster with disadvantage for as long as the entry says."""
    creature, moment = casting.creature(target_id), casting.spell.figures["undead_disadvantage_against_caster"]
    caster = casting.person(casting.caster_id)
    effect = Effect(
        effect_id=casting.world.new_id("effect", held=[each.effect_id for each in creature.character.effects]),
        name=f"{casting.spell.name} on the undead",
        type="curse",
        source=casting.source_id,
        disadvantage_on=("attack_rolls",),
        versus=caster.ids if caster is not None else (casting.caster_id,),
        ends=ending(casting, target_id, moment),
    )
    put_creature(casting.world, creature, with_effect(creature.character, effect).character)
