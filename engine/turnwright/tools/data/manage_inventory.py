"""manage_inventory: what somebody carries, wears and uses."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from turnwright.model import hint
from turnwright.model.base import Count, Flag, FrozenMap, Id, ListOf, Model, Number, SafeInt, Text, is_none
from turnwright.model.character import Character
from turnwright.model.creature import ABSENT, Words
from turnwright.model.item import ArmorStats, Item, ItemEffects, ItemType, Slot, WeaponStats
from turnwright.model.nearest import nearest
from turnwright.model.reason import CallFailed, Reason
from turnwright.rules.effective import effective
from turnwright.rules.inventory import (
    MOST_ATTUNED,
    MOST_ENTRIES,
    MOST_PIECES,
    alike,
    attuned,
    capacity,
    entry,
    named,
    slots_of,
    spelt,
    suitable_slots,
    total_weight,
    usual_slot,
    with_emptied,
    with_equipped,
    with_item,
    without_item,
)
from turnwright.tools._base import Applied, Context
from turnwright.tools.candidates import other_ids
from turnwright.tools.creatures import creature_of, require_character, require_creature
from turnwright.tools.data._item_args import SLOT, TYPE, UNNAMED, Container, NewItem, Pieces, made
from turnwright.tools.data._use_item import require_usable, shown_item, use_item
from turnwright.tools.marks import CharacterId, Choice, Name, ParticipantId
from turnwright.tools.toolkit import ToolkitArgs, toolkit
from turnwright.world.overlay import World

Operation = Literal["give", "take", "equip", "unequip", "list", "transfer", "use", "move"]
_OPERATION = Choice(
    {
        "give": ("add", "receive", "gain"),
        "take": ("remove", "drop", "discard", "lose"),
        "equip": ("wear", "wield", "don"),
        "unequip": ("doff", "sheathe", "take_off"),
        "list": ("view", "show", "inspect"),
        "transfer": ("hand_over", "trade"),
        "use": ("consume", "drink"),
        "move": ("stow", "store"),
    }
)


class ManageInventoryArgs(ToolkitArgs):
    """Arguments of `manage_inventory`."""

    needs: ClassVar[Mapping[str, tuple[str, ...]]] = {"give": ("item",), "move": ("to_container",)}

    operation: Annotated[Operation, _OPERATION] = Field(
        description="give: put a new item into the inventory; take: remove pieces from the game; equip, unequip: wear "
        "or wield, and stop; list: tell; transfer: hand to somebody else; use: consume or activate; move: into another "
        "container."
    )
    character_id: CharacterId | None = Field(default=None, description="Whose inventory; or character_name.")
    character_name: Name | None = Field(default=None, description="Whose inventory, by name.")
    item: NewItem | None = Field(default=None, description="For give: the item.")
    item_id: Id | None = Field(default=None, description="Which entry of the inventory; or item_name.")
    item_name: Name | None = Field(default=None, description="Which entry, by name.")
    quantity: Pieces | None = Field(
        default=None, description="How many pieces, for give, take, transfer, move; 1 if absent, for move all."
    )
    slot: Annotated[Slot, SLOT] | None = Field(
        default=None, description="For equip: where, unless the item's own or usual slot is meant. For unequip: which."
    )
    force: Flag = Field(default=False, description="For equip: into a slot that does not suit the item.")
    to_character_id: CharacterId | None = Field(default=None, description="For transfer: who gets it.")
    to_character_name: Name | None = Field(default=None, description="For transfer: who gets it, by name.")
    target_id: ParticipantId | None = Field(default=None, description="For use: on whom; absent: on the user.")
    target_name: Name | None = Field(default=None, description="For use: on whom, by name.")
    to_container: Container | None = Field(
        default=None, description="For move: what to put it in, such as backpack; empty text: carried loose."
    )
    from_container: Container | None = Field(default=None, description="Look for item_name in this container only.")
    filter_type: Annotated[ItemType, TYPE] | None = Field(default=None, description="For list: this kind only.")
    show_equipped: Flag = Field(default=True, description="For list: what is equipped.")
    show_inventory: Flag = Field(default=True, description="For list: what is carried and not equipped.")
    show_stats: Flag = Field(default=True, description="For list: what each item does and is, not just its name.")


class ShownItem(Model):
    """One entry of an inventory."""

    item_id: Id
    name: Text
    type: Text
    quantity: Count
    weight: Number | None = ABSENT
    value: Number | Text | None = ABSENT
    description: Words | None = ABSENT
    properties: ListOf[Text] = ABSENT
    damage: Text | None = ABSENT
    damage_type: Text | None = ABSENT
    ac: Count | None = ABSENT
    container: Text | None = ABSENT
    rarity: Text | None = ABSENT
    requires_attunement: Flag | None = ABSENT
    slot: Text | None = ABSENT
    weapon_stats: WeaponStats | None = ABSENT
    armor_stats: ArmorStats | None = ABSENT
    mechanical_effects: ItemEffects | None = ABSENT
    uses_remaining: Count | None = ABSENT
    effect: Words | None = ABSENT


class Unequipped(Model):
    """What left a slot."""

    slot: Text
    item_id: Id
    name: Text


class Healing(Model):
    """What an item healed."""

    target_id: Id
    expression: Text
    rolls: ListOf[SafeInt]
    total: SafeInt
    healed: Count = Field(description="Hit points regained.")
    hp: Count
    max_hp: Count | None


class ManageInventoryResult(Model):
    """What became of the inventory; which keys there are depends on the operation."""

    operation: Text = Field(description="What was done.")
    character_id: Id = Field(description="Whose inventory.")
    item: ShownItem | None = Field(
        default=None, exclude_if=is_none, description="As it is now; what was taken or used, as it was."
    )
    quantity: Count | None = Field(default=None, exclude_if=is_none, description="How many pieces it was about.")
    remaining: Count | None = Field(
        default=None,
        exclude_if=is_none,
        description="Pieces left where they were; of use: uses left, null where nothing is used up.",
    )
    slot: Text | None = Field(
        default=None, exclude_if=is_none, description="Where it is equipped now, or was until now."
    )
    unequipped: ListOf[Unequipped] | None = Field(default=None, exclude_if=is_none, description="What left its slot.")
    items: ListOf[ShownItem] | None = Field(default=None, exclude_if=is_none, description="What is carried, in order.")
    count: Count | None = Field(default=None, exclude_if=is_none, description="How many entries those are.")
    equipped: FrozenMap[Id] | None = Field(default=None, exclude_if=is_none, description="Ids of items, by slot.")
    total_weight: Number | None = Field(default=None, exclude_if=is_none, description="Pounds carried.")
    capacity: Number | None = Field(
        default=None, exclude_if=is_none, description="Pounds that can be carried; null without a sheet."
    )
    encumbered: Flag | None = Field(default=None, exclude_if=is_none, description="Carries more than that; only told.")
    from_: Text | None = Field(
        default=None, alias="from", exclude_if=is_none, description="Who had it, or the container; null: loose."
    )
    to: Text | None = Field(default=None, exclude_if=is_none, description="Who has it now, or the container.")
    healing: Healing | None = Field(default=None, exclude_if=is_none, description="What using it healed, if it heals.")


_Operation = Callable[[World, Character, ManageInventoryArgs, Context], Applied]


@toolkit(
    ManageInventoryArgs,
    ManageInventoryResult,
    example={
        "operation": "give",
        "character_id": "aria",
        "item": {"name": "Rope", "type": "equipment", "quantity": 1, "weight": 10},
    },
    batch=True,
)
def manage_inventory(world: World, args: ManageInventoryArgs, ctx: Context) -> Applied:
    """Change or list what a character carries, wears and uses: use this whenever a thing changes hands or is used up.

    What is equipped counts at once: armor and shields in armor class, weapons in attacks, magic in scores and speed.
    Equal names of one type in one container stack. Using a consumable takes one away, and healing is rolled here: never
    heal with update_character for a potion. In a fight, execute_action use_object spends the turn's action for it too.
    """
    character = require_character(world, args.character_id, args.character_name)
    done = _OPERATIONS[args.operation](world, character, args, ctx)
    return Applied({"operation": args.operation, "character_id": character.id, **done.result}, done.warnings)


# the operations


def _give(world: World, character: Character, args: ManageInventoryArgs, ctx: Context) -> Applied:
    del ctx
    assert args.item is not None
    quantity = args.item.quantity
    if args.quantity is not None:
        if "quantity" in args.item.model_fields_set and quantity != args.quantity:
            detail = f"args.quantity: is {args.quantity}, but the item's own is {quantity}"
            raise CallFailed(Reason.INVALID_ARGS, detail, hint.remove("args.quantity"))
        quantity = args.quantity
    if not args.item.name.strip():
        repair = hint.replace("args.item.name", args.item.name, ["unspecified"])
        raise CallFailed(Reason.INVALID_ARGS, "args.item.name: is blank", repair)
    item = made(args.item, quantity)
    _require_room(character, item, "args.quantity" if args.quantity is not None else "args.item.quantity")
    warnings = _differences(character, item)
    if alike(character, item) is None:
        item = item.having(id=_fresh_id(world, character))
    after, held = with_item(character, item)
    world.put(after)
    return Applied({"item": shown_item(held), "quantity": quantity, **_load(after)}, warnings)


def _take(world: World, character: Character, args: ManageInventoryArgs, ctx: Context) -> Applied:
    del ctx
    item = _require_item(character, args)
    quantity = _require_enough(item, args.quantity or 1)
    taken = without_item(character, item, quantity)
    world.put(taken.character)
    told = {"item": shown_item(taken.item), "quantity": quantity, "remaining": taken.left}
    return Applied({**told, "unequipped": _freed(item, taken.unequipped), **_load(taken.character)})


def _equip(world: World, character: Character, args: ManageInventoryArgs, ctx: Context) -> Applied:
    del ctx
    item = _require_item(character, args)
    slot = _require_slot(character, item, args)
    if item.quantity == 0:
        raise CallFailed(Reason.RULE_VIOLATION, f"no {item.name} is left")
    at_hand, item = _taken_out(world, character, item)
    after, left = with_equipped(at_hand, item, slot, both_hands=not args.force)
    worn = attuned(after)
    if item.requires_attunement and len(worn) > MOST_ATTUNED:
        others = ", ".join(other.name for other in worn if other.id != item.id)
        raise CallFailed(Reason.RULE_VIOLATION, f"{character.id} is attuned to {MOST_ATTUNED} items: {others}")
    world.put(after)
    return Applied(
        {
            "item": shown_item(item),
            "slot": slot,
            "unequipped": [_unequipped(character, held, item_id) for held, item_id in left.items()],
            "equipped": dict(after.equipped),
        }
    )


def _taken_out(world: World, character: Character, item: Item) -> tuple[Character, Item]:
    """Return somebody who carries loose what they are about to equip, and that: a piece, or all of ammunition."""
    if item.container is None:
        return character, item
    taken = without_item(character, item, item.quantity if item.type == "ammunition" else 1)
    piece = taken.item.having(container=None)
    _require_room(taken.character, piece, "args.item_name")
    if taken.left and alike(taken.character, piece) is None:
        piece = piece.having(id=_fresh_id(world, taken.character))
    put = with_item(taken.character, piece)
    return put.character, put.item


def _unequip(world: World, character: Character, args: ManageInventoryArgs, ctx: Context) -> Applied:
    del ctx
    slots = _require_equipped(character, args)
    after = with_emptied(character, slots)
    world.put(after)
    item = entry(character, character.equipped[slots[0]])
    return Applied(
        {
            "item": shown_item(item) if item else None,
            "slot": slots[0],
            "unequipped": [_unequipped(character, slot, character.equipped[slot]) for slot in slots],
            "equipped": dict(after.equipped),
        }
    )


def _list(world: World, character: Character, args: ManageInventoryArgs, ctx: Context) -> Applied:
    del world, ctx
    worn = set(character.equipped.values())
    items = [
        item
        for item in character.inventory
        if (args.show_equipped if item.id in worn else args.show_inventory) and args.filter_type in (None, item.type)
    ]
    shown = [shown_item(item) for item in items]
    if not args.show_stats:
        shown = [{key: item[key] for key in _BRIEF if key in item} for item in shown]
    equipped = dict(character.equipped) if args.show_equipped else None
    return Applied({"items": shown, "count": len(shown), "equipped": equipped, **_load(character)})


_BRIEF = ("item_id", "name", "type", "quantity", "container")


def _transfer(world: World, character: Character, args: ManageInventoryArgs, ctx: Context) -> Applied:
    del ctx
    item = _require_item(character, args)
    taker = _require_taker(world, character, args)
    quantity = _require_enough(item, args.quantity or 1)
    taken = without_item(character, item, quantity)
    piece = taken.item.having(container=None, id=UNNAMED)
    _require_room(taker, piece, "args.quantity")
    warnings = _differences(taker, piece)
    if alike(taker, piece) is None:
        keeps_id = not taken.left and entry(taker, item.id) is None
        piece = piece.having(id=item.id if keeps_id else _fresh_id(world, taker))
    given = with_item(taker, piece)
    world.put(taken.character)
    world.put(given.character)
    load = _load(given.character)
    if load["encumbered"]:
        warnings = (*warnings, f"{taker.label} now carries more than {load['capacity']} pounds")
    return Applied(
        {
            "item": shown_item(given.item),
            "quantity": quantity,
            "remaining": taken.left,
            "unequipped": _freed(item, taken.unequipped),
            "from": character.id,
            "to": taker.id,
            **_load(taken.character),
        },
        warnings,
    )


def _use(world: World, character: Character, args: ManageInventoryArgs, ctx: Context) -> Applied:
    user = creature_of(world, character)
    item = _require_item(character, args)
    target = user
    if args.target_id is not None or args.target_name is not None:
        target = require_creature(world, args.target_id, args.target_name, user.encounter_id)
    require_usable(item, target)
    return Applied(use_item(world, user, item, target, ctx))


def _move(world: World, character: Character, args: ManageInventoryArgs, ctx: Context) -> Applied:
    del ctx
    item = _require_item(character, args)
    container = (args.to_container or "").strip() or None
    if spelt(container) == spelt(item.container):
        raise CallFailed(Reason.CONFLICT, f"{item.name} is {_where(item.container)} already")
    quantity = _require_enough(item, item.quantity if args.quantity is None else args.quantity)
    taken = without_item(character, item, quantity)
    piece = taken.item.having(container=container)
    _require_room(taken.character, piece, "args.quantity")
    warnings = _differences(taken.character, piece)
    if taken.left and alike(taken.character, piece) is None:
        piece = piece.having(id=_fresh_id(world, taken.character))
    put = with_item(taken.character, piece)
    world.put(put.character)
    return Applied(
        {
            "item": shown_item(put.item),
            "quantity": quantity,
            "remaining": taken.left,
            "unequipped": _freed(item, taken.unequipped),
            "from": item.container,
            "to": container,
        },
        warnings,
    )


_OPERATIONS: Mapping[str, _Operation] = {
    "give": _give,
    "take": _take,
    "equip": _equip,
    "unequip": _unequip,
    "list": _list,
    "transfer": _transfer,
    "use": _use,
    "move": _move,
}


# what they refuse


def _require_item(character: Character, args: ManageInventoryArgs) -> Item:
    """Return the entry that is meant by id, by name, or by both."""
    held = character.inventory
    if args.item_id is not None:
        found = entry(character, args.item_id)
        if found is None:
            repair = hint.replace_name("args.item_id", args.item_id, [item.id for item in held])
            raise CallFailed(Reason.NOT_FOUND, f"{character.id} carries no {args.item_id}", repair)
        if args.item_name is not None and spelt(found.name) != spelt(args.item_name):
            repair = hint.replace("args.item_name", args.item_name, [found.name])
            raise CallFailed(Reason.INVALID_ARGS, f"{args.item_id} is not {args.item_name}", repair)
        return found
    names = list(dict.fromkeys(item.name for item in held))
    if args.item_name is None:
        repair = hint.add("args.item_name", names)
        raise CallFailed(Reason.INVALID_ARGS, f"args.item_name: is required for {args.operation}", repair)
    entries = named(character, args.item_name, args.from_container)
    if len(entries) > 1:
        told = ", ".join(f"{item.id} ({_where(item.container)})" for item in entries)
        repair = hint.add("args.item_id", [item.id for item in entries])
        raise CallFailed(Reason.AMBIGUOUS, f"{args.item_name} could be {told}", repair)
    if not entries:
        raise _missing(character, args.item_name, args.from_container, names)
    return entries[0]


def _missing(character: Character, name: str, container: str | None, names: Iterable[str]) -> CallFailed:
    if container is not None and named(character, name):
        places = [item.container or "" for item in named(character, name)]
        detail = f"{character.id} has no {name} {_where(container)}"
        return CallFailed(Reason.NOT_FOUND, detail, hint.replace_name("args.from_container", container, places))
    detail = f"{character.id} carries no {name}"
    return CallFailed(Reason.NOT_FOUND, detail, hint.replace_name("args.item_name", name, names))


def _where(container: str | None) -> str:
    return f"in {container}" if container else "loose"


def _require_taker(world: World, giver: Character, args: ManageInventoryArgs) -> Character:
    """Return who gets what is handed over: anybody but who has it."""
    identifier, name = args.to_character_id, args.to_character_name
    taker = require_character(world, identifier, name, "to_character", lambda world: other_ids(world, {giver.id}))
    if taker.id != giver.id:
        return taker
    others = other_ids(world, {giver.id})
    if identifier is None:
        labels = [person.label for person in map(world.character, others) if person]
        field, repair = "args.to_character_name", hint.replace("args.to_character_name", name, labels)
    else:
        field, repair = "args.to_character_id", hint.replace("args.to_character_id", identifier, others)
    raise CallFailed(Reason.INVALID_ARGS, f"{field}: is who has it already", repair)


def _require_enough(item: Item, quantity: int) -> int:
    if quantity < 1 or item.quantity < quantity:
        repair = hint.replace("args.quantity", quantity, [item.quantity]) if item.quantity else {}
        raise CallFailed(Reason.RULE_VIOLATION, f"there are {item.quantity} of {item.name}, not {quantity}", repair)
    return quantity


def _require_room(character: Character, item: Item, field: str) -> None:
    """Refuse more pieces on one entry, or more entries, than an inventory holds."""
    onto = alike(character, item)
    if onto is None and len(character.inventory) >= MOST_ENTRIES:
        raise CallFailed(Reason.LIMIT_EXCEEDED, f"{character.id} has {MOST_ENTRIES} entries, which is the most")
    room = MOST_PIECES - (onto.quantity if onto else 0)
    if item.quantity > room:
        repair = hint.replace(field, item.quantity, [room]) if room > 0 else {}
        raise CallFailed(Reason.LIMIT_EXCEEDED, f"one entry holds {MOST_PIECES} pieces at most", repair)


def _require_slot(character: Character, item: Item, args: ManageInventoryArgs) -> Slot:
    slot: Any = args.slot or usual_slot(character, item)
    suitable = suitable_slots(item)
    if slot is None:
        repair = hint.add("args.slot", suitable)
        if not suitable:
            raise CallFailed(Reason.RULE_VIOLATION, f"{item.name} is nothing to wear or wield")
        raise CallFailed(Reason.INVALID_ARGS, f"args.slot: {item.name} has no slot of its own", repair)
    if slot not in suitable and not args.force:
        told = " or ".join(suitable) or "no slot"
        repair = hint.replace("args.slot", slot, suitable) if suitable else {}
        raise CallFailed(Reason.RULE_VIOLATION, f"{item.name} goes to {told}, not to {slot}", repair)
    chosen: Slot = slot
    return chosen


def _require_equipped(character: Character, args: ManageInventoryArgs) -> tuple[str, ...]:
    """Return the slots that are to be emptied: the one named, or all that hold the item named."""
    if args.slot is not None:
        return (_require_in_slot(character, args, args.slot),)
    in_use = list(character.equipped)
    if args.item_id is None and args.item_name is None:
        raise CallFailed(Reason.INVALID_ARGS, "args.slot: is required, or item_name", hint.add("args.slot", in_use))
    item = _require_worn(character, args)
    return slots_of(character, item.id)


def _require_in_slot(character: Character, args: ManageInventoryArgs, slot: str) -> str:
    held = character.equipped.get(slot)
    if held is None:
        in_use = nearest(slot, list(character.equipped))
        repair = hint.replace("args.slot", slot, in_use) if in_use else {}
        raise CallFailed(Reason.RULE_VIOLATION, f"nothing is in {slot}", repair)
    if args.item_id is not None or args.item_name is not None:
        item = _require_worn(character, args)
        if item.id != held:
            places = slots_of(character, item.id)
            raise CallFailed(
                Reason.RULE_VIOLATION, f"{item.name} is not in {slot}", hint.replace("args.slot", slot, places)
            )
    return slot


def _require_worn(character: Character, args: ManageInventoryArgs) -> Item:
    """Return the item that is meant; of several of one name, the equipped one."""
    worn = [item for item in character.inventory if slots_of(character, item.id)]
    if args.item_id is None and args.item_name is not None:
        here = [item for item in worn if item in named(character, args.item_name, args.from_container)]
        if len(here) == 1:
            return here[0]
    item = _require_item(character, args)
    if item not in worn:
        field, key = ("args.item_id", "id") if args.item_id is not None else ("args.item_name", "name")
        others = [getattr(other, key) for other in worn]
        repair = hint.replace_name(field, getattr(item, key), others) if others else {}
        raise CallFailed(Reason.RULE_VIOLATION, f"{item.name} is not equipped", repair)
    return item


# what they tell


def _load(character: Character) -> dict[str, Any]:
    """Return what somebody carries against what they can; nobody knows what somebody without a sheet can."""
    weight = total_weight(character)
    if character.max_hp is None:
        return {"total_weight": weight, "capacity": None, "encumbered": False}
    values = effective(character)
    most = capacity(values.stats["str"].effective, values.size)
    return {"total_weight": weight, "capacity": most, "encumbered": weight > most}


def _freed(item: Item, slots: Iterable[str]) -> list[dict[str, Any]]:
    return [{"slot": slot, "item_id": item.id, "name": item.name} for slot in slots]


def _unequipped(character: Character, slot: str, item_id: str) -> dict[str, Any]:
    item = entry(character, item_id)
    return {"slot": slot, "item_id": item_id, "name": item.name if item else item_id}


_COUNTED = frozenset({"id", "name", "type", "container", "quantity", "uses_remaining"})


def _differences(character: Character, item: Item) -> tuple[str, ...]:
    """Warn of what an item says of itself that the entry it is put on says otherwise, and which is not kept."""
    onto = alike(character, item)
    if onto is None:
        return ()
    held = onto.as_written
    lost = [key for key, value in item.as_written.items() if key not in _COUNTED and held.get(key) != value]
    return (f"{onto.name} was there already, and keeps its own {', '.join(lost)}",) if lost else ()


def _fresh_id(world: World, character: Character) -> str:
    """Return an id that no entry of this inventory has; a hand edit may have used any."""
    held = {item.id for item in character.inventory}
    item_id = world.new_id("item")
    while item_id in held:
        item_id = world.new_id("item")
    return item_id
