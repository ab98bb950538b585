"""Worn and wielded items: the slot that an item goes into, and the items that leave a slot."""

from __future__ import annotations

from typing import Any

from turnwright.model.character import Character
from turnwright.model.item import Item, Slot
from turnwright.model.state.overlay import World
from turnwright.model.wire import hint
from turnwright.model.wire.reason import CallFailed, Reason
from turnwright.rulesets.fifth_edition.belongings._inventory_args import ManageInventoryArgs
from turnwright.rulesets.fifth_edition.belongings._inventory_entries import added, require_item
from turnwright.rulesets.fifth_edition.belongings._inventory_view import shown_emptied, shown_item, told_of_armor
from turnwright.rulesets.fifth_edition.belongings.equipment import (
    MAX_ATTUNED,
    attuned,
    slots_of,
    suitable_slots,
    usual_slot,
    with_emptied,
    with_equipped,
)
from turnwright.rulesets.fifth_edition.belongings.inventory import entry, named, without_item
from turnwright.rulesets.tool import Applied, Context

# equip


def equip(world: World, character: Character, args: ManageInventoryArgs, ctx: Context) -> Applied:
    """Put an item into a slot; an item that was there leaves it."""
    del ctx
    item = require_item(character, args)
    slot = _require_slot(character, item, args)
    if item.quantity == 0:
        raise CallFailed(Reason.RULE_VIOLATION, f"no {item.name} is left")
    at_hand, item = _taken_out(world, character, item)
    after, left = with_equipped(at_hand, item, slot, both_hands=not args.force)
    worn = attuned(after)
    if item.requires_attunement and len(worn) > MAX_ATTUNED:
        others = ", ".join(other.name for other in worn if other.id != item.id)
        raise CallFailed(Reason.RULE_VIOLATION, f"{character.id} is attuned to {MAX_ATTUNED} items: {others}")
    world.put(after)
    return Applied(
        {
            "item": shown_item(item),
            "slot": slot,
            "unequipped": shown_emptied(character, left),
            "equipped": dict(after.equipped),
        },
        told_of_armor(item),
    )


def _taken_out(world: World, character: Character, item: Item) -> tuple[Character, Item]:
    """Return a character with the item to equip carried loose, and that item: a piece, or all pieces of ammunition."""
    if item.container is None:
        return character, item
    taken = without_item(character, item, item.quantity if item.type == "ammunition" else 1)
    piece = taken.item.replace(container=None)
    put = added(world, taken.character, piece, "args.item_name", own_id=None if taken.left else item.id)
    return put.character, put.item


def _require_slot(character: Character, item: Item, args: ManageInventoryArgs) -> Slot:
    slot: Any = args.slot or usual_slot(character, item)
    suitable = suitable_slots(item)
    if slot is None:
        repair = hint.ask_for("args.slot", suitable)
        if not suitable:
            raise CallFailed(Reason.RULE_VIOLATION, f"{item.name} is nothing to wear or wield")
        raise CallFailed(Reason.INVALID_ARGS, f"args.slot: {item.name} has no slot of its own", repair)
    if slot not in suitable and not args.force:
        told = " or ".join(suitable) or "no slot"
        repair = hint.ask("args.slot", slot, suitable)
        raise CallFailed(Reason.RULE_VIOLATION, f"{item.name} goes to {told}, not to {slot}", repair)
    chosen: Slot = slot
    return chosen


# unequip


def unequip(world: World, character: Character, args: ManageInventoryArgs, ctx: Context) -> Applied:
    """Empty the named slot, or all slots that hold an item."""
    del ctx
    slots = _require_equipped(character, args)
    after = with_emptied(character, slots)
    world.put(after)
    item = entry(character, character.equipped[slots[0]])
    return Applied(
        {
            "item": shown_item(item) if item else None,
            "slot": slots[0],
            "unequipped": shown_emptied(character, {slot: character.equipped[slot] for slot in slots}),
            "equipped": dict(after.equipped),
        }
    )


def _require_equipped(character: Character, args: ManageInventoryArgs) -> tuple[str, ...]:
    """Return the slots to empty: the named one, or all that hold the named item."""
    if args.slot is not None:
        return (_require_in_slot(character, args, args.slot),)
    in_use = list(character.equipped)
    if args.item_id is None and args.item_name is None:
        raise CallFailed(Reason.INVALID_ARGS, "args.slot: is required, or item_name", hint.ask_for("args.slot", in_use))
    item = _require_worn(character, args)
    return slots_of(character, item.id)


def _require_in_slot(character: Character, args: ManageInventoryArgs, slot: str) -> str:
    held = character.equipped.get(slot)
    if held is None:
        repair = hint.name("args.slot", slot, character.equipped)
        raise CallFailed(Reason.RULE_VIOLATION, f"nothing is in {slot}", repair)
    if args.item_id is not None or args.item_name is not None:
        item = _require_worn(character, args)
        if item.id != held:
            places = slots_of(character, item.id)
            raise CallFailed(
                Reason.RULE_VIOLATION, f"{item.name} is not in {slot}", hint.ask("args.slot", slot, places)
            )
    return slot


def _require_worn(character: Character, args: ManageInventoryArgs) -> Item:
    """Return the item that is meant; of several of one name, the equipped one."""
    worn = [item for item in character.inventory if slots_of(character, item.id)]
    if args.item_id is None and args.item_name is not None:
        here = [item for item in worn if item in named(character, args.item_name, args.from_container)]
        if len(here) == 1:
            return here[0]
    item = require_item(character, args)
    if item not in worn:
        field, key = ("args.item_id", "id") if args.item_id is not None else ("args.item_name", "name")
        others = [getattr(other, key) for other in worn]
        repair = hint.name(field, getattr(item, key), others)
        raise CallFailed(Reason.RULE_VIOLATION, f"{item.name} is not equipped", repair)
    return item
