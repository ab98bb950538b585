"""get_character: look at one character, or list the matching ones."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from pydantic import Field

from turnwright.model.base import Count, Flag, FrozenMap, Id, ListOf, Model, Text, is_none
from turnwright.model.character import Character
from turnwright.model.creature import Concentration, Effect, PactPool, Pool
from turnwright.model.sheet import Level
from turnwright.model.state.overlay import World
from turnwright.model.vocabulary import CharacterType, ConditionName
from turnwright.model.wire import hint
from turnwright.model.wire.reason import CallFailed, Reason
from turnwright.rulesets.core.people import require_character
from turnwright.rulesets.fifth_edition.condition_list import found
from turnwright.rulesets.fifth_edition.sheets._values import (
    ConditionView,
    EffectiveView,
    InventorySummary,
    shown_conditions,
    shown_inventory,
    shown_values,
)
from turnwright.rulesets.fifth_edition.sheets._view import CharacterView, race_class_level, shown
from turnwright.rulesets.fifth_edition.sheets.derived_stats import effective
from turnwright.rulesets.fifth_edition.targets import creature_of, now
from turnwright.rulesets.reference_lookup import character_ids
from turnwright.rulesets.references import CharacterId, Name
from turnwright.rulesets.tool import Applied, Context
from turnwright.rulesets.toolkit import ToolkitArgs, toolkit

if TYPE_CHECKING:
    from turnwright.rulesets.fifth_edition.sheets.shapes import CharacterList, CharacterReport, ListedCharacter


class CharacterFilter(Model):
    """A filter for the list: characters must match all given values."""

    type: CharacterType | None = Field(default=None, description="pc, npc, enemy or neutral.")
    class_: Text | None = Field(
        default=None, alias="class", max_length=100, description="Name of the class, in any case."
    )
    min_level: Level | None = Field(default=None, description="This level or above.")
    max_level: Level | None = Field(default=None, description="This level or below.")
    has_condition: ConditionName | None = Field(default=None, description="A condition they must have.")


class GetCharacterArgs(ToolkitArgs):
    """Arguments of `get_character`."""

    character_id: CharacterId | None = Field(default=None, description="Id of the character.")
    character_name: Name | None = Field(default=None, description="Name of the character, in place of the id.")
    list_all: Flag = Field(default=False, description="List all characters, in short.")
    filter: CharacterFilter | None = Field(default=None, description="List the matching characters, in short.")


class CharacterRow(Model):
    """A character in a list; hit points and armor class as they count now."""

    character_id: Id
    name: Text
    race: Text | None
    class_: Text | None = Field(alias="class")
    level: Level | None
    type: CharacterType
    hp: Count | None
    max_hp: Count | None
    ac: Count | None


class GetCharacterResult(Model):
    """One character with all there is to know, or a list."""

    character: CharacterView | None = Field(default=None, exclude_if=is_none)
    effective: EffectiveView | None = Field(default=None, description="Null without a sheet.")
    conditions: ListOf[ConditionView] | None = Field(default=None, exclude_if=is_none)
    effects: ListOf[Effect] | None = Field(default=None, exclude_if=is_none)
    concentration: Concentration | None = Field(default=None, exclude_if=is_none)
    spell_slots: FrozenMap[Pool] | None = Field(default=None, exclude_if=is_none, description="By spell level.")
    pact_slots: PactPool | None = Field(default=None, exclude_if=is_none)
    inventory_summary: InventorySummary | None = Field(default=None, exclude_if=is_none)
    characters: ListOf[CharacterRow] | None = Field(default=None, exclude_if=is_none)
    count: Count | None = Field(default=None, exclude_if=is_none, description="How many are listed.")


@toolkit(GetCharacterArgs, GetCharacterResult, example={"character_name": "Mira"}, reads=True, batch=True)
def get_character(world: World, args: GetCharacterArgs, ctx: Context) -> Applied:
    """Look at a character's sheet, values, conditions and belongings, or list characters.

    Give an id or a name for one; `list_all` or `filter` for a list. Look before you rely on a number: do not remember
    hit points, slots or armor class from earlier. `effective` holds the current values, `character` the sheet as
    written.
    """
    del ctx
    if args.list_all or args.filter is not None:
        _refuse_one(args)
        return Applied(_listed(_fitting(world.characters(), args.filter or CharacterFilter())))
    if args.character_id is None and args.character_name is None:
        detail = "args.character_id: is required, or character_name, list_all or filter"
        raise CallFailed(Reason.INVALID_ARGS, detail, hint.ask_for("args.character_id", character_ids(world)))
    return Applied(_one(world, require_character(world, args.character_id, args.character_name)))


def _refuse_one(args: GetCharacterArgs) -> None:
    for name in ("character_id", "character_name"):
        if getattr(args, name) is not None:
            detail = f"args.{name}: names one, and a list is asked for"
            raise CallFailed(Reason.INVALID_ARGS, detail, hint.remove(f"args.{name}"))


def _one(world: World, character: Character) -> CharacterReport:
    view = shown(character)
    has_sheet = character.max_hp is not None
    held = character.concentration
    return {
        "character": view,
        "effective": shown_values(now(world, creature_of(world, character))) if has_sheet else None,
        "conditions": shown_conditions(character),
        "effects": [effect.as_written for effect in character.effects],
        "concentration": held.as_written if held is not None else None,
        "spell_slots": view["spell_slots"] or {},
        "pact_slots": view["pact_slots"],
        "inventory_summary": shown_inventory(character),
    }


def _fitting(people: Iterable[Character], wanted: CharacterFilter) -> list[Character]:
    return sorted((person for person in people if _fits(person, wanted)), key=lambda p: (p.label.casefold(), p.id))


def _fits(person: Character, wanted: CharacterFilter) -> bool:
    known = race_class_level(person)
    level = known["level"]
    its_class = (known["class"] or "").strip().casefold()
    return (
        (wanted.type is None or person.character_type == wanted.type)
        and (wanted.class_ is None or (level is not None and its_class == wanted.class_.strip().casefold()))
        and (wanted.min_level is None or (level is not None and level >= wanted.min_level))
        and (wanted.max_level is None or (level is not None and level <= wanted.max_level))
        and (wanted.has_condition is None or found(person, wanted.has_condition) is not None)
    )


def _listed(people: list[Character]) -> CharacterList:
    return {"characters": [_row(person) for person in people], "count": len(people)}


def _row(person: Character) -> ListedCharacter:
    values = effective(person) if person.max_hp is not None else None
    return {
        "character_id": person.id,
        "name": person.label,
        **race_class_level(person),
        "type": person.character_type,
        "hp": values.hp if values else person.hp,
        "max_hp": values.max_hp.effective if values else None,
        "ac": values.ac.effective if values else None,
    }
