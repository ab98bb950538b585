"""Add pieces to an inventory, remove them, transfer them or change their container."""

from __future__ import annotations

from turnwright.model.character import Character
from turnwright.model.state.overlay import World
from turnwright.model.wire import hint
from turnwright.model.wire.reason import CallFailed, Reason
from turnwright.rulesets.core.people import require_character
from turnwright.rulesets.fifth_edition.belongings._catalog import Catalogued, catalogued
from turnwright.rulesets.fifth_edition.belongings._inventory_args import ManageInventoryArgs
from turnwright.rulesets.fifth_edition.belongings._inventory_entries import added, require_enough, require_item, where
from turnwright.rulesets.fifth_edition.belongings._inventory_view import (
    shown_freed,
    shown_item,
    shown_load,
    told_of_armor,
)
from turnwright.rulesets.fifth_edition.belongings._item_args import UNNAMED, NewItem, made
from turnwright.rulesets.fifth_edition.belongings.inventory import entry, named, spelt, without_item
from turnwright.rulesets.reference_lookup import other_ids
from turnwright.rulesets.tool import Applied, Context


def give(world: World, character: Character, args: ManageInventoryArgs, ctx: Context) -> Applied:
    """Put a new item into an inventory; an item given only by name equals a carried one of that name.

    If the campaign's content has the item, its entry supplies what the call leaves out.
    """
    wanted = args.item or _called(character, args)
    quantity = wanted.quantity
    if args.quantity is not None:
        if "quantity" in wanted.model_fields_set and quantity != args.quantity:
            detail = f"args.quantity: is {args.quantity}, but the item's own is {quantity}"
            raise CallFailed(Reason.INVALID_ARGS, detail, hint.ask("args.quantity", args.quantity))
        quantity = args.quantity
    item = made(wanted, quantity)
    held = named(character, item.name, args.from_container) if args.item is None else []
    bought = Catalogued(item)
    if held:
        item = item.replace(type=held[0].type, container=held[0].container)
    else:
        bought = catalogued(world, ctx, item, wanted.model_fields_set, "args.item" if args.item else "args.item_name")
        item = bought.item
    given = added(world, character, item, "args.quantity" if args.quantity is not None else "args.item.quantity")
    world.put(given.character)
    told = {"item": shown_item(given.item), "quantity": quantity}
    return Applied(
        {**told, **shown_load(given.character)},
        (*given.warnings, *told_of_armor(given.item)),
        packs=bought.packs,
        corrections=bought.corrections,
    )


def _called(character: Character, args: ManageInventoryArgs) -> NewItem:
    """Return an item that is given only by name."""
    name = args.item_name or ""
    if not name.strip():
        known = dict.fromkeys(item.name for item in character.inventory)
        raise CallFailed(Reason.INVALID_ARGS, "args.item_name: is blank", hint.ask("args.item_name", name, known))
    return NewItem(name=name)


def take(world: World, character: Character, args: ManageInventoryArgs, ctx: Context) -> Applied:
    """Remove pieces from the game."""
    del ctx
    item = require_item(character, args)
    quantity = require_enough(item, args.quantity or 1)
    taken = without_item(character, item, quantity)
    world.put(taken.character)
    told = {"item": shown_item(taken.item), "quantity": quantity, "remaining": taken.left}
    return Applied({**told, "unequipped": shown_freed(item, taken.unequipped), **shown_load(taken.character)})


def transfer(world: World, character: Character, args: ManageInventoryArgs, ctx: Context) -> Applied:
    """Transfer pieces to another character, who carries them loose."""
    del ctx
    item = require_item(character, args)
    taker = _require_taker(world, character, args)
    quantity = require_enough(item, args.quantity or 1)
    taken = without_item(character, item, quantity)
    piece = taken.item.replace(container=None, id=UNNAMED)
    keeps_id = not taken.left and entry(taker, item.id) is None
    given = added(world, taker, piece, "args.quantity", own_id=item.id if keeps_id else None)
    world.put(taken.character)
    world.put(given.character)
    warnings, load = given.warnings, shown_load(given.character)
    if load["encumbered"]:
        warnings = (*warnings, f"{taker.label} now carries more than {load['capacity']} pounds")
    return Applied(
        {
            "item": shown_item(given.item),
            "quantity": quantity,
            "remaining": taken.left,
            "unequipped": shown_freed(item, taken.unequipped),
            "from": character.id,
            "to": taker.id,
            **shown_load(taken.character),
        },
        warnings,
    )


def _require_taker(world: World, giver: Character, args: ManageInventoryArgs) -> Character:
    """Return the receiver of a transfer: any character but the owner."""
    identifier, name = args.to_character_id, args.to_character_name
    taker = require_character(world, identifier, name, "to_character", lambda world: other_ids(world, {giver.id}))
    if taker.id != giver.id:
        return taker
    others = other_ids(world, {giver.id})
    if identifier is None:
        labels = [person.label for person in map(world.character, others) if person]
        field, repair = "args.to_character_name", hint.ask("args.to_character_name", name, labels)
    else:
        field, repair = "args.to_character_id", hint.ask("args.to_character_id", identifier, others)
    raise CallFailed(Reason.INVALID_ARGS, f"{field}: is who has it already", repair)


def move(world: World, character: Character, args: ManageInventoryArgs, ctx: Context) -> Applied:
    """Put pieces into another container, or take them out."""
    del ctx
    item = require_item(character, args)
    container = (args.to_container or "").strip() or None
    if spelt(container) == spelt(item.container):
        raise CallFailed(Reason.CONFLICT, f"{item.name} is {where(item.container)} already")
    quantity = require_enough(item, item.quantity if args.quantity is None else args.quantity)
    taken = without_item(character, item, quantity)
    piece = taken.item.replace(container=container)
    put = added(world, taken.character, piece, "args.quantity", own_id=None if taken.left else item.id)
    world.put(put.character)
    return Applied(
        {
            "item": shown_item(put.item),
            "quantity": quantity,
            "remaining": taken.left,
            "unequipped": shown_freed(item, taken.unequipped),
            "from": item.container,
            "to": container,
        },
        put.warnings,
    )
