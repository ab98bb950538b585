"""Traits of a stat block that change damage: staying up, healing from it, and what it stops.

Source: SRD 5.1, "Monsters"; docs/content.md, "Traits that the dice know".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from turnwright.model.character import Character
from turnwright.model.state.overlay import World
from turnwright.model.vocabulary import DamageType
from turnwright.rulesets.fifth_edition.condition_list import without_ended_on
from turnwright.rulesets.fifth_edition.fights.traits import (
    ability_of,
    block_of,
    figures,
    save_of,
    spend,
    trait,
    uses_left,
)
from turnwright.rulesets.fifth_edition.rolls import save
from turnwright.rulesets.fifth_edition.sheets.effect_list import without_effect
from turnwright.rulesets.fifth_edition.sheets.health import healed
from turnwright.rulesets.fifth_edition.sheets.race_traits import held_up
from turnwright.rulesets.fifth_edition.targets import Creature, participant_of, put_participant
from turnwright.rulesets.tool import Context


class Harm(NamedTuple):
    """Damage of one blow.

    Attributes:
        taken: all of it, after resistances.
        kinds: the types of which something was taken.
        rolled: each part as it was rolled, with its type.
        is_critical: it came from a critical hit.
    """

    taken: int
    kinds: frozenset[DamageType | None]
    rolled: Sequence[tuple[int, DamageType | None]]
    is_critical: bool


class Stood(NamedTuple):
    """A creature after damage and the traits that reacted to it, and what happened, in words."""

    after: Character
    told: tuple[str, ...] = ()


def suffer(world: World, creature: Creature, after: Character, harm: Harm, ctx: Context) -> Stood:
    """Return a creature as traits leave it after damage.

    Args:
        world: the campaign.
        creature: the damaged creature, as it was before.
        after: the same, as the damage alone leaves it.
        harm: the damage.
        ctx: source of the dice.
    """
    if harm.taken:
        after = without_ended_on(after, "damage")
    warded = kept_by_effect(creature.character, after)
    if warded is not None:
        return warded
    if block_of(world, creature) is None:
        held = held_up(creature.character, after)
        return Stood(held.character, (f"{creature.id}, {held.trait}: stays at 1 hit point",)) if held else Stood(after)
    _stop_regeneration(world, creature, harm)
    absorbed = _absorbed(world, creature, after, harm, ctx)
    if absorbed.told:
        return absorbed
    if after.is_dead or after.hp != 0 or not creature.character.hp:
        return Stood(after)
    told = _relents_not(world, creature, harm) or _endures(world, creature, harm, ctx)
    return Stood(creature.character.replace(hp=1, temp_hp=0), (told,)) if told else Stood(after)


def kept_by_effect(before: Character, after: Character) -> Stood | None:
    """Return a creature that an effect keeps from falling or dying, without that effect; None where none does."""
    if not before.hp or not (after.is_dead or after.hp == 0):
        return None
    ward = next((each for each in before.effects if each.hp_at_zero is not None), None)
    if ward is None:
        return None
    kept = without_effect(before, ward.effect_id).character
    return Stood(kept.replace(hp=ward.hp_at_zero, temp_hp=0), (f"{before.id}, {ward.name}: stays up, and it ends",))


def _stop_regeneration(world: World, creature: Creature, harm: Harm) -> None:
    person, part = participant_of(world, creature), trait(block_of(world, creature), "regeneration")
    if person is None or part is None or not harm.kinds & {*figures(part).get("stopped_by", ())}:
        return
    stopped = person.replace(block_use=person.block_use.replace(regeneration_stopped=True))
    put_participant(world, creature.encounter_id or "", stopped)


def _absorbed(world: World, creature: Creature, after: Character, harm: Harm, ctx: Context) -> Stood:
    part = trait(block_of(world, creature), "absorbs")
    amount = sum(max(0, n) for n, kind in harm.rolled if part is not None and kind == figures(part).get("type"))
    if part is None or not amount or after.is_dead:
        return Stood(after)
    better = healed(after, amount, changes_state=ctx.settings["rules.hp_zero_ends_game"])
    return Stood(better, (f"{creature.id}, {part['name']}: {(better.hp or 0) - (after.hp or 0)} hit points regained",))


def _relents_not(world: World, creature: Creature, harm: Harm) -> str | None:
    person, part = participant_of(world, creature), trait(block_of(world, creature), "relentless")
    if person is None or part is None or not uses_left(part, person.block_use):
        return None
    if harm.taken > figures(part)["damage_max"]:
        return None
    spend(world, creature, part)
    return f"{creature.id}, {part['name']}: stays at 1 hit point"


def _endures(world: World, creature: Creature, harm: Harm, ctx: Context) -> str | None:
    """Return the save that keeps a creature up, in words; None where there is none, or it fails."""
    part = trait(block_of(world, creature), "undead_fortitude")
    if part is None or harm.is_critical or "radiant" in harm.kinds:
        return None
    dc = save_of(part)["figures"]["dc_base"] + harm.taken
    made = save(world, creature, ability_of(save_of(part)), dc, ctx, why=f"{creature.id} {part['name']}")
    if not made.success:
        return None
    return f"{creature.id}, {part['name']}: save {made.total} against DC {dc}, stays at 1 hit point"
