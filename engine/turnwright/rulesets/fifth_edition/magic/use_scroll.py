"""use_scroll: a spell read from a scroll."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from turnwright.model.base import Flag, Id, ListOf, Model, SafeInt, Text, name_tag
from turnwright.model.character import Character
from turnwright.model.encounter import Position
from turnwright.model.fuzzy_match import misspelt, nearest
from turnwright.model.item import Item
from turnwright.model.sheet import Level
from turnwright.model.state.overlay import World
from turnwright.model.vocabulary import RollMode, School
from turnwright.model.wire import hint
from turnwright.model.wire.reason import CallFailed, Reason
from turnwright.rulesets.core.people import require_character
from turnwright.rulesets.fifth_edition.belongings.inventory import without_item
from turnwright.rulesets.fifth_edition.magic._caster import ONE_FACE, TWO_FACES, ManualRolls, caster_check, require_able
from turnwright.rulesets.fifth_edition.magic.scrolls import SCROLLS, is_scroll, scroll_check_dc, scroll_spell
from turnwright.rulesets.fifth_edition.magic.slots import highest_spell_level
from turnwright.rulesets.fifth_edition.rolls import mode_sources
from turnwright.rulesets.fifth_edition.sheets.sheet_rules import caster_level, caster_type, casting_ability, sheet_of
from turnwright.rulesets.fifth_edition.targets import Creature, creature_of, now, put_creature, reload, require_creature
from turnwright.rulesets.references import D20, CharacterId, Name, NewName, ParticipantId
from turnwright.rulesets.tool import Applied, Context
from turnwright.rulesets.toolkit import ToolkitArgs, toolkit

if TYPE_CHECKING:
    from turnwright.rulesets.fifth_edition.magic.shapes import ScrollCheck

Bonus = Annotated[int, Field(strict=True, ge=-100, le=100)]


class UseScrollArgs(ToolkitArgs):
    """Arguments of `use_scroll`."""

    character_id: CharacterId | None = Field(default=None, description="The reader.")
    character_name: Name | None = Field(default=None, description="The reader's name, in place of character_id.")
    scroll_name: NewName = Field(description="The scroll, such as Scroll of Fireball, or just the name of its spell.")
    spell_level: Annotated[int, Field(strict=True, ge=0, le=9)] = Field(
        description="The level of the spell on it; 0 is a cantrip."
    )
    caster_level: Level | None = Field(
        default=None, description="The level the reader casts at; that of the sheet, if left out."
    )
    on_class_list: Flag | None = Field(
        default=None,
        description="Whether the spell is on the list of the reader's class: otherwise the scroll cannot be read. "
        "Left out: true for characters whose class casts spells.",
    )
    arcana_bonus: Bonus | None = Field(
        default=None, description="The modifier of the check, in place of the modifier of the casting ability."
    )
    roll_mode: RollMode = Field(default="normal", description="Advantage or disadvantage besides the reader's own.")
    manual_roll: D20 | None = Field(default=None, description=ONE_FACE)
    manual_rolls: ManualRolls = Field(default=(), description=TWO_FACES)
    target_id: ParticipantId | None = Field(default=None, description="Its target.")
    target_ids: ListOf[ParticipantId] = Field(default=(), max_length=100, description="All of them, if several.")
    target_position: Position | None = Field(default=None, description="The square it is aimed at.")
    is_attack_spell: Flag | None = Field(
        default=None, description="Whether it needs an attack roll (true) or a saving throw (false)."
    )
    spell_school: School | None = Field(default=None, description="Its school of magic.")


class UseScrollResult(Model):
    """The outcome; other tools apply the spell's effect."""

    character_id: Id
    spell_name: Text
    spell_level: SafeInt
    check_required: Flag
    dc: SafeInt | None
    natural: SafeInt | None
    rolls: ListOf[SafeInt]
    modifier: SafeInt | None
    total: SafeInt | None
    success: Flag = Field(description="Whether the spell is cast.")
    consumed: Flag = Field(description="The scroll is used up, whatever the outcome.")
    removed_item: Id | None = Field(description="The entry of the inventory it was taken from.")
    targets: ListOf[Id]
    save_dc: SafeInt | None = Field(description="The DC of targets' saves; null for an attack spell.")
    attack_bonus: SafeInt | None = Field(description="The bonus of its attack rolls; null when there are none.")


@toolkit(
    UseScrollArgs,
    UseScrollResult,
    example={"character_id": "cyra", "scroll_name": "Scroll of Fireball", "spell_level": 3},
)
def use_scroll(world: World, args: UseScrollArgs, ctx: Context) -> Applied:
    """Read a spell scroll: make the check it may need, and use it up.

    A spell of a higher level than the reader could cast asks for a check of the casting ability, DC 10 + its level; if
    that fails the scroll is lost all the same. The result gives the numbers of the scroll in place of the reader's own:
    roll and apply what the spell does with other tools. No slot is spent.
    """
    character = require_character(world, args.character_id, args.character_name)
    reader = creature_of(world, character)
    targets = _targets(world, reader, args)
    require_able(reader, "read a scroll")
    _require_on_list(character, args)
    scroll = _scroll_in(character, args.scroll_name)

    sheet = sheet_of(character)
    best = highest_spell_level(caster_type(sheet), args.caster_level or caster_level(sheet) or sheet.level)
    dc = scroll_check_dc(args.spell_level, best)
    check = _check(world, reader, args, dc, ctx) if dc is not None else _UNCHECKED
    if scroll is not None:
        reader = reload(world, reader)
        put_creature(world, reader, without_item(reader.character, scroll, 1).character)
    numbers = SCROLLS[args.spell_level]
    return Applied(
        {
            "character_id": character.id,
            "spell_name": scroll_spell(scroll.name if scroll else args.scroll_name),
            "spell_level": args.spell_level,
            "check_required": dc is not None,
            "dc": dc,
            **check,
            "consumed": True,
            "removed_item": scroll.id if scroll else None,
            "targets": targets,
            "save_dc": None if args.is_attack_spell else numbers.save_dc,
            "attack_bonus": None if args.is_attack_spell is False else numbers.attack_bonus,
        },
        () if scroll else (f"{character.id} carries no such scroll: nothing was taken from the inventory",),
    )


_UNCHECKED: ScrollCheck = {"natural": None, "rolls": [], "modifier": None, "total": None, "success": True}


def _check(world: World, reader: Creature, args: UseScrollArgs, dc: int, ctx: Context) -> ScrollCheck:
    ability = casting_ability(sheet_of(reader.character))
    modifier = args.arcana_bonus
    if modifier is None:
        modifier = now(world, reader).modifier(ability) if ability else 0
    thrown = caster_check(
        world,
        reader,
        ability or "int",
        None,
        ctx,
        why=f"{reader.id} scroll",
        extra=mode_sources(args.roll_mode),
        manual=args.manual_roll,
        manuals=args.manual_rolls,
    )
    total = thrown.natural + modifier
    return {
        "natural": thrown.natural,
        "rolls": list(thrown.rolls),
        "modifier": modifier,
        "total": total,
        "success": total >= dc,
    }


def _targets(world: World, reader: Creature, args: UseScrollArgs) -> list[str]:
    """Return the ids of the spell's targets, each once."""
    named = [("args.target_id", args.target_id)] if args.target_id is not None else []
    named += [(f"args.target_ids.{i}", each) for i, each in enumerate(args.target_ids)]
    found: list[str] = []
    for field, target in named:
        try:
            found.append(require_creature(world, target, None, reader.encounter_id).id)
        except CallFailed as failure:
            raise CallFailed(failure.reason, failure.detail, {**failure.hint, "field": field}) from None
    return list(dict.fromkeys(found))


def _require_on_list(character: Character, args: UseScrollArgs) -> None:
    """Refuse a scroll that the reader's class does not know; it stays unread."""
    sheet = sheet_of(character)
    if args.on_class_list is False:
        detail = f"the spell is not on the list of {character.id}'s class: the scroll cannot be read"
        raise CallFailed(Reason.RULE_VIOLATION, detail)
    if args.on_class_list is None and caster_type(sheet) == "none":
        detail = f"{character.id} ({sheet.class_}) casts no spells, and cannot read the scroll"
        raise CallFailed(Reason.RULE_VIOLATION, detail, hint.ask_for("args.on_class_list", [True]))


def _scroll_in(character: Character, scroll_name: str) -> Item | None:
    """Return the scroll in a reader's inventory, under the name that was given or its full one.

    None for a reader who carries no scroll at all: such scrolls are not tracked.
    """
    for name in (scroll_name, f"Scroll of {scroll_spell(scroll_name)}"):
        for item in character.inventory:
            if name_tag(item.name) == name_tag(name) and item.quantity > 0:
                return item
    _require_no_other_scroll(character, scroll_name)
    return None


def _require_no_other_scroll(character: Character, scroll_name: str) -> None:
    """Refuse a scroll that is not among the reader's scrolls: it would be read, and the intended one be kept."""
    carried = [item.name for item in character.inventory if item.quantity > 0 and is_scroll(item.name)]
    if not carried:
        return
    by_spell = {scroll_spell(name): name for name in carried}
    meant = misspelt(scroll_spell(scroll_name), by_spell)
    near = [by_spell[spell] for spell in nearest(scroll_spell(scroll_name), by_spell)]
    field = "args.scroll_name"
    told = hint.repair(field, scroll_name, by_spell[meant]) if meant else hint.ask(field, scroll_name, near)
    raise CallFailed(Reason.NOT_FOUND, f"{character.id} carries scrolls, but none of {scroll_spell(scroll_name)}", told)
