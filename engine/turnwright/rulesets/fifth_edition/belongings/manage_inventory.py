"""manage_inventory: the items that a character carries, wears and uses."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from turnwright.model.character import Character
from turnwright.model.state.overlay import World
from turnwright.rulesets.core.people import require_character
from turnwright.rulesets.fifth_edition.belongings._equipment import equip, unequip
from turnwright.rulesets.fifth_edition.belongings._inventory_args import ManageInventoryArgs, ManageInventoryResult
from turnwright.rulesets.fifth_edition.belongings._inventory_entries import require_item
from turnwright.rulesets.fifth_edition.belongings._inventory_view import shown_item, shown_load
from turnwright.rulesets.fifth_edition.belongings._pieces import give, move, take, transfer
from turnwright.rulesets.fifth_edition.belongings._use_item import require_usable, use_item
from turnwright.rulesets.fifth_edition.magic._caster import require_able
from turnwright.rulesets.fifth_edition.targets import creature_of, require_creature
from turnwright.rulesets.tool import Applied, Context
from turnwright.rulesets.toolkit import toolkit


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
    """Change or list a character's items: use this whenever a thing changes hands or is used up.

    Equipped items count at once: armor and shields in armor class, weapons in attacks, magic in scores and speed. With
    content, a name alone supplies its figures. Equal names of one type in one container stack. Using a consumable
    removes one, and healing is rolled here: never heal with update_character for a potion. In a fight, execute_action
    use_object spends the turn's action for it too.
    """
    character = require_character(world, args.character_id, args.character_name)
    done = _OPERATIONS[args.operation](world, character, args, ctx)
    return done._replace(result={"operation": args.operation, "character_id": character.id, **done.result})


def _use(world: World, character: Character, args: ManageInventoryArgs, ctx: Context) -> Applied:
    user = creature_of(world, character)
    item = require_item(character, args)
    target = user
    if args.target_id is not None or args.target_name is not None:
        target = require_creature(world, args.target_id, args.target_name, user.encounter_id)
    require_able(user, f"use {item.name}; somebody else can, with target_id {user.id}")
    require_usable(item, target)
    return Applied(use_item(world, user, item, target, ctx))


def _list(world: World, character: Character, args: ManageInventoryArgs, ctx: Context) -> Applied:
    del world, ctx
    worn = set(character.equipped.values())
    items = [
        item
        for item in character.inventory
        if (args.show_equipped if item.id in worn else args.show_inventory) and args.filter_type in (None, item.type)
    ]
    shown: list[Mapping[str, object]] = [shown_item(item) for item in items]
    if not args.show_stats:
        shown = [{key: item[key] for key in _BRIEF if key in item} for item in shown]
    equipped = dict(character.equipped) if args.show_equipped else None
    return Applied({"items": shown, "count": len(shown), "equipped": equipped, **shown_load(character)})


_BRIEF = ("item_id", "name", "type", "quantity", "container")

_Operation = Callable[[World, Character, ManageInventoryArgs, Context], Applied]
_OPERATIONS: Mapping[str, _Operation] = {
    "give": give,
    "take": take,
    "equip": equip,
    "unequip": unequip,
    "list": _list,
    "transfer": transfer,
    "use": _use,
    "move": move,
}
