"""Dice that effects add to rolls of a d20, such as Bless and Bane; rolled once for any number of d20s.

Source: SRD 5.1, "Bless", "Bane", "Guidance", "Bardic Inspiration"; docs/toolkit.md, "Effects".
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal

from turnwright.model.creature import Effect
from turnwright.model.dice.expression import dice_ahead, parse, roll
from turnwright.model.state.overlay import World
from turnwright.rulesets.fifth_edition.sheets.effect_list import without_effect
from turnwright.rulesets.fifth_edition.targets import Creature, put_creature, reload
from turnwright.rulesets.tool import Context

RollOf = Literal["attack", "save", "check"]
"""A kind of roll that effects add dice to."""


def throw_bonus_dice(world: World, creature: Creature, kind: RollOf, ctx: Context, *, hidden: bool = False) -> int:
    """Roll the dice that effects add to a creature's roll, and return their sum; without any, nothing is rolled.

    An effect ends with its last use, and with it the concentration that maintains it.

    Args:
        world: the campaign.
        creature: the roller.
        kind: the kind of roll.
        ctx: the context of the call, with the dice.
        hidden: whether to hide the dice from the players.
    """
    creature = reload(world, creature)
    total = 0
    for effect in creature.character.effects:
        dice = _dice(effect, kind)
        if dice is None:
            continue
        why, tree = f"{effect.name} of {creature.id}", parse(dice)
        if not hidden:
            ctx.dice.expect((sides, why) for sides in dice_ahead(tree))
        total += roll(tree, lambda sides, why=why: ctx.dice.draw(sides, why, hidden=hidden)).total  # type: ignore[misc]
        if effect.uses is not None:
            count_use(world, creature, effect)
    return total


def use_up(world: World, creature: Creature, word: str, target_ids: Collection[str] = ()) -> None:
    """Use up one use of the effects that modify a single attack, after the attack.

    Args:
        world: the campaign.
        creature: the bearer of the effects.
        word: `own_attack` for effects on the attacker, `attacked` for those on the target.
        target_ids: every id of the target.
    """
    for effect in reload(world, creature).character.effects:
        decides = effect.attacks_against if word == "attacked" else effect.advantage_on or effect.disadvantage_on
        if word != "attacked" and effect.versus and not set(effect.versus) & set(target_ids):
            continue
        if effect.uses is not None and decides:
            count_use(world, creature, effect)


def _dice(effect: Effect, kind: RollOf) -> str | None:
    bonus = {"attack": effect.attack_bonus, "save": effect.saving_throw_bonus, "check": effect.check_bonus}[kind]
    return bonus if isinstance(bonus, str) else None


def count_use(world: World, creature: Creature, effect: Effect) -> None:
    """Count one use of an effect; the last one ends it, and the concentration that maintains it."""
    creature = reload(world, creature)
    left = (effect.uses or 1) - 1
    if left:
        kept = tuple(each.replace(uses=left) if each is effect else each for each in creature.character.effects)
        put_creature(world, creature, creature.character.replace(effects=kept))
        return
    put_creature(world, creature, without_effect(creature.character, effect.effect_id).character)
    if effect.duration == "concentration" and effect.source is not None:
        _end_concentration_of(world, creature, effect)


def _end_concentration_of(world: World, creature: Creature, effect: Effect) -> None:
    """End the spell that maintained a used effect, if its caster still concentrates on it."""
    from turnwright.model.wire.reason import CallFailed
    from turnwright.rulesets.fifth_edition.magic.concentration import is_same_spell
    from turnwright.rulesets.fifth_edition.maintained_effects import end_concentration
    from turnwright.rulesets.fifth_edition.targets import require_creature

    try:
        caster = require_creature(world, effect.source, None, creature.encounter_id)
    except CallFailed:
        return
    held = caster.character.concentration
    if held is not None and is_same_spell(effect.name, held.spell_name):
        end_concentration(world, caster)
