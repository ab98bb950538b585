"""Diseases and curses that grow worse day by day, and their effects on the bearer.

Source: SRD 5.1, "Diseases", "Monsters"; docs/content.md, "Diseases and curses day by day".
"""

from __future__ import annotations

from turnwright.model.calendar import DAY
from turnwright.model.creature import Daily, Effect
from turnwright.model.state.overlay import World
from turnwright.rulesets.fifth_edition.rolls import save, throw_dice
from turnwright.rulesets.fifth_edition.sheets.derived_stats import effective
from turnwright.rulesets.fifth_edition.sheets.effect_list import effect_found, with_effect, without_effect
from turnwright.rulesets.fifth_edition.sheets.health import killed
from turnwright.rulesets.fifth_edition.targets import Creature, put_creature, reload
from turnwright.rulesets.tool import Context

DISEASE = "disease"
"""The threat of saves against diseases, in the words of traits."""


def days_pass(world: World, creature: Creature, seconds: int, ctx: Context) -> tuple[str, ...]:
    """Let time pass for a creature's daily effects, and return their results in words."""
    told: list[str] = []
    for effect in creature.character.effects:
        if effect.daily is not None:
            told += _grow_worse(world, reload(world, creature), effect, effect.daily, seconds, ctx)
    return tuple(told)


def _grow_worse(
    world: World, creature: Creature, effect: Effect, daily: Daily, seconds: int, ctx: Context
) -> list[str]:
    told: list[str] = []
    days, left = divmod(daily.passed + seconds, DAY)
    aged = effect.replace(daily=daily.replace(passed=left))
    creature = put_creature(world, creature, with_effect(creature.character, aged).character)
    for _ in range(days):
        creature = reload(world, creature)
        now = effect_found(creature.character, effect.effect_id)
        if now is None or creature.character.is_dead:
            break
        told.append(_day(world, creature, now, daily, ctx))
    return told


def _day(world: World, creature: Creature, effect: Effect, daily: Daily, ctx: Context) -> str:
    """Let a day of one effect pass: a save that spares the bearer or ends it, else a lower hit point maximum."""
    told = f"{creature.id}, {effect.name}: "
    if daily.save is not None:
        why = f"{creature.id} saves against {effect.name}"
        made = save(world, creature, daily.save.ability, daily.save.dc, ctx, why=why, versus=effect.cured_as)
        told += f"{made.total} against DC {daily.save.dc}, "
        if made.success and daily.cures:
            put_creature(world, creature, without_effect(creature.character, effect.effect_id).character)
            return told + "cured"
        if made.success:
            return told + "no worse"
    lost = throw_dice(ctx, daily.max_hp, f"{creature.id}, {effect.name}").total
    lowered = effect.replace(max_hp_modifier=effect.max_hp_modifier - lost)
    creature = put_creature(world, creature, with_effect(creature.character, lowered).character)
    if (creature.character.max_hp or 0) + sum(each.max_hp_modifier for each in creature.character.effects) <= 0:
        changes = ctx.settings["rules.hp_zero_ends_game"]
        put_creature(world, creature, killed(creature.character, changes_state=changes))
        return told + f"hit point maximum {lost} lower, dies of it"
    return told + f"hit point maximum {lost} lower, now {effective(creature.character).max_hp.effective}"
