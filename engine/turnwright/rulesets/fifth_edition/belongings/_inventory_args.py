"""The arguments and results of manage_inventory."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from turnwright.model.base import ABSENT, Count, Flag, FrozenMap, Id, ListOf, Model, Number, SafeInt, Text, is_none
from turnwright.model.creature import Words
from turnwright.model.item import ArmorStats, ItemEffects, ItemType, Slot, WeaponStats
from turnwright.rulesets.fifth_edition.belongings._item_args import SLOT, TYPE, Container, NewItem, Pieces
from turnwright.rulesets.references import CharacterId, Choice, Name, ParticipantId
from turnwright.rulesets.toolkit import ToolkitArgs

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
_RECEIVER = frozenset(
    {"beneficiary", "destination", "for", "gets", "receiver", "receives", "receiving", "recipient", "target", "to"}
)
"""Words of keys that name a receiver, in addition to those for a person."""
_GIVER = frozenset({"donor", "from", "giver", "sender", "source"})


class ManageInventoryArgs(ToolkitArgs):
    """Arguments of `manage_inventory`."""

    only_for: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "item": ("give",),
        "slot": ("equip", "unequip"),
        "force": ("equip",),
        "to_character_id": ("transfer",),
        "to_character_name": ("transfer",),
        "target_id": ("use",),
        "target_name": ("use",),
        "to_container": ("move",),
        "filter_type": ("list",),
        "show_equipped": ("list",),
        "show_inventory": ("list",),
        "show_stats": ("list",),
        "quantity": ("give", "take", "transfer", "move"),
        "item_id": ("take", "equip", "unequip", "transfer", "use", "move"),
    }
    needs: ClassVar[Mapping[str, tuple[str, ...]]] = {"give": ("item",), "move": ("to_container",)}
    instead: ClassVar[Mapping[str, str]] = {"item": "item_name"}
    meant_by: ClassVar[Mapping[str, Mapping[str, str]]] = {
        **{each: {"item": "item_name"} for each in ("take", "equip", "unequip", "use", "move")},
        "transfer": {"item": "item_name", "target_id": "to_character_id", "target_name": "to_character_name"},
    }
    handed_by: ClassVar[Mapping[str, tuple[str, frozenset[str]]]] = {
        "give": ("transfer", _RECEIVER | _GIVER),
        "take": ("transfer", _RECEIVER),
    }

    operation: Annotated[Operation, _OPERATION] = Field(
        description="give: put a new item into the inventory; take: remove pieces from the game; equip, unequip: wear "
        "or wield, and stop; list: show; transfer: give to another character; use: consume or activate; move: to "
        "another container."
    )
    character_id: CharacterId | None = Field(default=None, description="Whose inventory; or character_name.")
    character_name: Name | None = Field(default=None, description="Whose inventory, by name.")
    item: NewItem | None = Field(default=None, description="For give: the item.")
    item_id: Id | None = Field(default=None, description="Which entry of the inventory; or item_name.")
    item_name: Name | None = Field(default=None, description="Which entry, by name; for give also instead of item.")
    quantity: Pieces | None = Field(
        default=None, description="Number of pieces, for give, take, transfer, move; 1 if absent, for move all."
    )
    slot: Annotated[Slot, SLOT] | None = Field(
        default=None,
        description="For equip: the slot, unless the item's own or usual one is meant. For unequip: the slot.",
    )
    force: Flag = Field(default=False, description="For equip: into a slot that does not suit the item.")
    to_character_id: CharacterId | None = Field(default=None, description="For transfer: the receiver.")
    to_character_name: Name | None = Field(default=None, description="For transfer: the receiver, by name.")
    target_id: ParticipantId | None = Field(default=None, description="For use: the target; absent: the user.")
    target_name: Name | None = Field(default=None, description="For use: the target, by name.")
    to_container: Container | None = Field(
        default=None, description="For move: the container, such as backpack; empty text: carried loose."
    )
    from_container: Container | None = Field(default=None, description="Look for item_name in this container only.")
    filter_type: Annotated[ItemType, TYPE] | None = Field(default=None, description="For list: this kind only.")
    show_equipped: Flag = Field(default=True, description="For list: include equipped items.")
    show_inventory: Flag = Field(default=True, description="For list: include items that are not equipped.")
    show_stats: Flag = Field(default=True, description="For list: include each item's figures, not just its name.")


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
    """An item that left a slot."""

    slot: Text
    item_id: Id
    name: Text


class Healing(Model):
    """The healing by an item."""

    target_id: Id
    expression: Text
    rolls: ListOf[SafeInt]
    total: SafeInt
    healed: Count = Field(description="Hit points regained.")
    hp: Count
    max_hp: Count | None


class ManageInventoryResult(Model):
    """The resulting inventory; its keys depend on the operation."""

    operation: Text = Field(description="The operation that was done.")
    character_id: Id = Field(description="Whose inventory.")
    item: ShownItem | None = Field(
        default=None, exclude_if=is_none, description="The item as it is now; a taken or used item as it was."
    )
    quantity: Count | None = Field(default=None, exclude_if=is_none, description="The number of pieces concerned.")
    remaining: Count | None = Field(
        default=None,
        exclude_if=is_none,
        description="Pieces left in the former place; for use: uses left, null if nothing is used up.",
    )
    slot: Text | None = Field(
        default=None, exclude_if=is_none, description="The slot it is equipped in, or was until now."
    )
    unequipped: ListOf[Unequipped] | None = Field(
        default=None, exclude_if=is_none, description="The items that left their slots."
    )
    items: ListOf[ShownItem] | None = Field(
        default=None, exclude_if=is_none, description="The carried items, in order."
    )
    count: Count | None = Field(default=None, exclude_if=is_none, description="The number of entries.")
    equipped: FrozenMap[Id] | None = Field(default=None, exclude_if=is_none, description="Ids of items, by slot.")
    total_weight: Number | None = Field(default=None, exclude_if=is_none, description="Pounds carried.")
    capacity: Number | None = Field(
        default=None, exclude_if=is_none, description="Pounds that can be carried; null without a sheet."
    )
    encumbered: Flag | None = Field(
        default=None, exclude_if=is_none, description="Carries more than that; reported without effect."
    )
    from_: Text | None = Field(
        default=None, alias="from", exclude_if=is_none, description="The former owner or container; null: loose."
    )
    to: Text | None = Field(default=None, exclude_if=is_none, description="The new owner or container.")
    healing: Healing | None = Field(
        default=None, exclude_if=is_none, description="The healing by its use, if it heals."
    )
