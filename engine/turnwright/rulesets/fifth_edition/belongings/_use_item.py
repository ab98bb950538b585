"""Use one item: the cost in uses or pieces, and an effect such as `Heal 2d4+2`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from turnwright.model.dice.expression import DiceError, Expression, parse, render
from turnwright.model.item import Item
from turnwright.model.state.overlay import World
from turnwright.model.wire.reason import CallFailed, Reason
from turnwright.rulesets.fifth_edition.belongings._inventory_view import shown_freed, shown_item
from turnwright.rulesets.fifth_edition.belongings.inventory import is_used_up, with_item_used
from turnwright.rulesets.fifth_edition.damage import heal, healing_from, require_healable
from turnwright.rulesets.fifth_edition.rolls import throw_dice
from turnwright.rulesets.fifth_edition.sheets.derived_stats import counted_hp
from turnwright.rulesets.fifth_edition.targets import Creature, put_creature, reload
from turnwright.rulesets.tool import Context

if TYPE_CHECKING:
    from turnwright.rulesets.fifth_edition.item_shapes import ItemHealing, UsedItem

_HEAL = re.compile(r"heals?:? (?P<dice>\S+?(?: \S+?)*?) ?(?:hp|hit points?)?\.?", re.IGNORECASE)
"""For a text whose words are separated by single blanks: several blanks could be divided in very many ways."""


def healing_of(item: Item) -> Expression | None:
    """Return the dice that an item heals with, or None if it has another effect."""
    found = _HEAL.fullmatch(" ".join((item.effect or "").split()))
    if found is None:
        return None
    try:
        return parse(found["dice"])
    except DiceError:
        return None


def require_usable(item: Item, target: Creature) -> None:
    """Refuse to use a used-up item, and to heal a target that cannot be healed; no dice are drawn here.

    Raises:
        CallFailed: `rule_violation`.
    """
    if is_used_up(item):
        raise CallFailed(Reason.RULE_VIOLATION, f"{item.name} has no use left")
    if healing_of(item) is None:
        return
    require_healable(target)
    if target.character.hp is None:
        raise CallFailed(Reason.RULE_VIOLATION, f"{target.id} has no hit points to heal")


def use_item(world: World, creature: Creature, item: Item, target: Creature | None, ctx: Context) -> UsedItem:
    """Use an item that a character carries, on a target or on themselves, and return the result.

    A consumable loses a use, or a piece if its uses are not counted, and its last use removes it; any other item with
    counted uses loses one; the rest stay as they are. An effect `Heal <dice>` is rolled and applied; the game master
    decides any other effect. `require_usable` runs first, so that no dice are drawn for a refused use.

    Args:
        world: the campaign.
        creature: the user; the item is an entry of their inventory.
        item: that entry.
        target: the target; None is the user.
        ctx: the context of the call, with the dice.

    Returns:
        `item` as it was, `quantity` 1, `remaining` uses or pieces (null if nothing is used up), `unequipped` slots and
        `healing`, which is null unless it heals.
    """
    target = target or creature
    require_usable(item, target)
    healing = _healed(world, creature, item, target, ctx)
    creature = reload(world, creature)
    used = with_item_used(creature.character, item)
    put_creature(world, creature, used.character)
    return {
        "item": shown_item(item),
        "quantity": 1,
        "remaining": used.remaining,
        "unequipped": shown_freed(item, used.unequipped),
        "healing": healing,
    }


def _healed(world: World, creature: Creature, item: Item, target: Creature, ctx: Context) -> ItemHealing | None:
    dice = healing_of(item)
    if dice is None:
        return None
    thrown = throw_dice(ctx, dice, f"{creature.id} uses {item.name}")
    regained = heal(world, target, healing_from(target, thrown), ctx, by=creature)
    hp, most = counted_hp(reload(world, target).character)
    rolls = [face for term in thrown.terms for face in term.rolls]
    return {
        "target_id": target.id,
        "expression": render(thrown.expression),
        "rolls": rolls,
        "total": max(0, thrown.total),
        "healed": regained,
        "hp": hp,
        "max_hp": most,
    }
