"""The entries of an inventory: find the one that a call means, and add items within the limits."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from turnwright.model.character import Character
from turnwright.model.item import Item
from turnwright.model.state.overlay import World
from turnwright.model.wire import hint
from turnwright.model.wire.reason import CallFailed, Reason
from turnwright.rulesets.fifth_edition.belongings._inventory_args import ManageInventoryArgs
from turnwright.rulesets.fifth_edition.belongings.inventory import (
    MAX_ENTRIES,
    MAX_PIECES,
    alike,
    entry,
    named,
    spelt,
    with_item,
)

# find an entry


def require_item(character: Character, args: ManageInventoryArgs) -> Item:
    """Return the entry that is meant by id, by name, or by both."""
    held = character.inventory
    if args.item_id is not None:
        found = entry(character, args.item_id)
        if found is None:
            meant = {item.id for item in held if spelt(item.name) == spelt(args.item_id)}
            repair = hint.identifier("args.item_id", args.item_id, [item.id for item in held], meant)
            raise CallFailed(Reason.NOT_FOUND, f"{character.id} carries no {args.item_id}", repair)
        if args.item_name is not None and spelt(found.name) != spelt(args.item_name):
            repair = hint.ask("args.item_name", args.item_name, [found.name])
            raise CallFailed(Reason.INVALID_ARGS, f"{args.item_id} is not {args.item_name}", repair)
        return found
    names = list(dict.fromkeys(item.name for item in held))
    if args.item_name is None:
        repair = hint.ask_for("args.item_name", names)
        raise CallFailed(Reason.INVALID_ARGS, f"args.item_name: is required for {args.operation}", repair)
    entries = named(character, args.item_name, args.from_container)
    if len(entries) > 1:
        told = ", ".join(f"{item.id} ({where(item.container)})" for item in entries)
        repair = hint.ask_for("args.item_id", [item.id for item in entries])
        raise CallFailed(Reason.AMBIGUOUS, f"{args.item_name} could be {told}", repair)
    if not entries:
        raise _missing(character, args.item_name, args.from_container, names)
    return entries[0]


def _missing(character: Character, name: str, container: str | None, names: Iterable[str]) -> CallFailed:
    if container is not None and named(character, name):
        places = [item.container or "" for item in named(character, name)]
        detail = f"{character.id} has no {name} {where(container)}"
        return CallFailed(Reason.NOT_FOUND, detail, hint.name("args.from_container", container, places))
    detail = f"{character.id} carries no {name}"
    return CallFailed(Reason.NOT_FOUND, detail, hint.name("args.item_name", name, names))


def where(container: str | None) -> str:
    """Return the place of an entry, in words."""
    return f"in {container}" if container else "loose"


def require_enough(item: Item, quantity: int) -> int:
    """Return the requested number of pieces, if an entry has as many."""
    if quantity < 1 or item.quantity < quantity:
        repair = hint.ask("args.quantity", quantity)
        raise CallFailed(Reason.RULE_VIOLATION, f"there are {item.quantity} of {item.name}, not {quantity}", repair)
    return quantity


# additions


class Added(NamedTuple):
    """A character with an added item, the entry that holds it, and the differences that were not kept."""

    character: Character
    item: Item
    warnings: tuple[str, ...]


def added(world: World, character: Character, piece: Item, field: str, own_id: str | None = None) -> Added:
    """Return a character with an added item, on the entry that equals it or on a new one.

    Args:
        world: the campaign.
        character: the receiver.
        piece: the added item.
        field: the argument for the quantity, for hints.
        own_id: the id of a new entry; None generates one.

    Raises:
        CallFailed: `limit_exceeded`.
    """
    _require_room(character, piece, field)
    warnings = _differences(character, piece)
    if alike(character, piece) is None:
        piece = piece.replace(id=own_id or world.new_id("item", held={item.id for item in character.inventory}))
    return Added(*with_item(character, piece), warnings)


def _require_room(character: Character, item: Item, field: str) -> None:
    """Refuse more pieces on one entry, or more entries, than an inventory holds."""
    onto = alike(character, item)
    if onto is None and len(character.inventory) >= MAX_ENTRIES:
        raise CallFailed(Reason.LIMIT_EXCEEDED, f"{character.id} has {MAX_ENTRIES} entries, which is the most")
    room = MAX_PIECES - (onto.quantity if onto else 0)
    if item.quantity > room:
        repair = hint.ask(field, item.quantity)
        raise CallFailed(Reason.LIMIT_EXCEEDED, f"one entry holds {MAX_PIECES} pieces at most", repair)


_COUNTED = frozenset({"id", "name", "type", "container", "quantity", "uses_remaining"})


def _differences(character: Character, item: Item) -> tuple[str, ...]:
    """Warn about values of an item that differ from the entry it is added to, and are not kept."""
    onto = alike(character, item)
    if onto is None:
        return ()
    held = onto.as_written
    lost = [key for key, value in item.as_written.items() if key not in _COUNTED and held.get(key) != value]
    return (f"{onto.name} was there already, and keeps its own {', '.join(lost)}",) if lost else ()
