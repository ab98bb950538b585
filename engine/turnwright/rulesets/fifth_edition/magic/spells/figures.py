"""The figures of a spell's entry at one slot level and one character level.

Source: SRD 5.1, "Casting a Spell", "Cantrips"; docs/content.md, "Spells by name".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from turnwright.content.kinds.shapes import Damage, Healing
from turnwright.content.kinds.spells import Lasting, Spell
from turnwright.model.vocabulary import Ability, DamageType

ROUNDS: Mapping[str, int] = {"round": 1, "minute": 10, "hour": 600, "day": 14_400}
"""Rounds of six seconds in each unit of time."""
UNTIL_DISPELLED = "until_dispelled"
"""A duration that only magic ends."""
STRUCK = frozenset({None, "hit", "failed_save", "automatic"})
"""When damage is dealt as the spell is cast, as entries say it."""


class DamagePart(NamedTuple):
    """One part of the damage: dice as notation, and the types of which one is dealt."""

    dice: str
    types: tuple[DamageType, ...]


class Level(NamedTuple):
    """The levels that a spell's dice depend on: the level of its slot, and the level of its caster for cantrips."""

    slot: int
    caster: int = 1


def damage_parts(spell: Spell, level: Level, chosen_part: int = 0) -> list[DamagePart]:
    """Return the damage that is dealt as the spell is cast, part by part.

    Args:
        spell: the entry.
        level: of slot and caster.
        chosen_part: where the further dice of a slot go to one part alone, which.
    """
    parts = [part for part in spell.damage if part.when in STRUCK]
    only_one = bool(spell.figures.get("per_slot_choose_one"))
    made = []
    for index, part in enumerate(parts):
        grows = not only_one or index == chosen_part
        at = level if grows else level._replace(slot=spell.level)
        made.append(DamagePart(damage_dice(spell, part, at), _types(part)))
    return made


def _types(part: Damage) -> tuple[DamageType, ...]:
    words = part.type if isinstance(part.type, tuple) else (part.type,)
    return tuple(word for word in words if word is not None and word != "weapon")


def damage_dice(spell: Spell, part: Damage, level: Level) -> str:
    """Return the dice of one part of damage."""
    if part.by_level:
        reached = max(int(key) for key in part.by_level if int(key) <= max(1, level.caster))
        return part.by_level[str(reached)]
    if str(level.slot) in part.by_slot and str(spell.level) in part.by_slot:
        return _with_bonus(part.by_slot[str(level.slot)], part.bonus)
    steps = max(0, level.slot - spell.level) // part.slots_per_step
    base = str(part.flat) if part.flat is not None else _with_bonus(part.dice or "0", part.bonus)
    return grown(base, part.per_slot, steps)


def _with_bonus(dice: str, bonus: int) -> str:
    """Return dice with a bonus; a table by slot has it in its dice already."""
    return f"{dice}{bonus:+d}" if bonus and not _has_bonus(dice) else dice


def _has_bonus(dice: str) -> bool:
    return "+" in dice or "-" in dice[1:]


def grown(base: str, per_step: str | None, steps: int) -> str:
    """Return dice or a number with so many times what each step adds."""
    if not per_step or steps <= 0:
        return base
    count, die, sides = per_step.partition("d")
    if not die:
        return str(int(base) + int(per_step) * steps) if base.isdecimal() else f"{base}+{int(per_step) * steps}"
    more = int(count) * steps
    own, own_die, rest = base.partition("d")
    same, sign, bonus = _split(rest)
    if own_die and same == sides and own.isdecimal():
        return f"{int(own) + more}d{sides}{sign}{bonus}"
    return f"{base}+{more}d{sides}"


def _split(rest: str) -> tuple[str, str, str]:
    for sign in ("+", "-"):
        if sign in rest:
            sides, _, bonus = rest.partition(sign)
            return sides, sign, bonus
    return rest, "", ""


def healing_dice(spell: Spell, heal: Healing, level: Level, modifier: int) -> str:
    """Return the hit points that a spell gives back, with the caster's modifier where the entry adds it."""
    steps = max(0, level.slot - spell.level)
    base = heal.by_slot.get(str(level.slot))
    if base is None:
        start = str(heal.flat) if heal.flat is not None else heal.dice or "0"
        base = grown(start, heal.per_slot, steps)
    base = _with_bonus(base, heal.bonus)
    return f"{base}{modifier:+d}" if heal.plus == "spellcasting_modifier" and modifier else base


def temporary_hp_dice(spell: Spell, level: Level, modifier: int) -> str | None:
    """Return the temporary hit points that a spell gives at once; None where it gives none."""
    given = spell.temp_hp
    if given is None:
        return None
    bonus = modifier if given.bonus == "spellcasting_modifier" else given.bonus
    more = (bonus if isinstance(bonus, int) else 0) + (given.per_slot or 0) * max(0, level.slot - spell.level)
    if given.dice is None:
        return str(max(0, more))
    return f"{given.dice}{more:+d}" if more else given.dice


def pool_dice(spell: Spell, level: Level) -> str | None:
    """Return the hit points of creatures that a spell affects; None where it counts none."""
    pool = spell.hp_pool
    return None if pool is None else grown(pool.dice, pool.per_slot, max(0, level.slot - spell.level))


def max_targets(spell: Spell, level: Level) -> int | None:
    """Return how many targets a spell can have; None where an area limits them, or no limit applies."""
    more = (spell.targets_per_slot or 0) * max(0, level.slot - spell.level)
    if spell.targets is not None and isinstance(spell.targets.count, int):
        return spell.targets.count + more
    if "heal_pool" in spell.figures:
        return None
    if isinstance(spell.figures.get("passengers"), int):
        return int(spell.figures["passengers"])
    if spell.area is not None or (spell.targets is not None and spell.targets.count == "any"):
        return None
    return missiles(spell, level) or 1 + more


def missiles(spell: Spell, level: Level) -> int | None:
    """Return how many attacks, rays or darts a spell sends out, each at a target of its own; None for other spells."""
    steps = max(0, level.slot - spell.level)
    for name in ("rays", "darts"):
        sent = spell.figures.get(name)
        if isinstance(sent, Mapping):
            return int(sent["base"]) + int(sent.get("per_slot", 0)) * steps
    if spell.attacks_by_level:
        reached = max(int(key) for key in spell.attacks_by_level if int(key) <= max(1, level.caster))
        return int(spell.attacks_by_level[str(reached)])
    return None


def area_size(spell: Spell, level: Level) -> int:
    """Return the size of a spell's area in feet."""
    size = spell.area.size or 0 if spell.area is not None else 0
    return size + (spell.area_per_slot or 0) * max(0, level.slot - spell.level)


def rounds_of(spell: Spell, level: Level) -> int | None:
    """Return for how many rounds a spell lasts; None where it ends at once, or is not counted in rounds."""
    if "effect_duration" in spell.figures:
        return rounds_in(spell.figures["effect_duration"])
    reached = [int(key) for key in spell.durations_by_slot if int(key) <= level.slot]
    if reached:
        return rounds_in(spell.durations_by_slot[str(max(reached))])
    if isinstance(spell.duration, Lasting):
        return spell.duration.amount * ROUNDS[spell.duration.unit]
    return None


def lasts_until_dispelled(spell: Spell, level: Level) -> bool:
    """Return whether only magic ends a spell that was cast with such a slot."""
    reached = [int(key) for key in spell.durations_by_slot if int(key) <= level.slot]
    if reached:
        return spell.durations_by_slot[str(max(reached))] == UNTIL_DISPELLED
    return spell.duration == UNTIL_DISPELLED


def rounds_in(words: str | None) -> int | None:
    """Return the rounds of a duration in words such as `1 minute`; None for other words."""
    amount, _, unit = (words or "").partition(" ")
    rounds = ROUNDS.get(unit.removesuffix("s"))
    return int(amount) * rounds if amount.isdecimal() and rounds else None


def save_abilities(spell: Spell) -> tuple[Ability, ...]:
    """Return the abilities that targets save with, of which each takes its best; none without an initial save."""
    if spell.save is None or spell.save.only_to_end or "attacker_save" in spell.figures:
        return ()
    return spell.save.ability if isinstance(spell.save.ability, tuple) else (spell.save.ability,)


def casting_cost(spell: Spell) -> str | None:
    """Return the cost of casting in a turn; None where it takes longer than one."""
    unit = spell.casting_time.unit
    return unit if unit in ("action", "bonus_action", "reaction") else None
