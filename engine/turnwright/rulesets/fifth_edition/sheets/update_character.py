"""update_character: change the values of a character, including hit points."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import ConfigDict, Field, ValidationError, WrapValidator
from pydantic_core import PydanticCustomError

from turnwright.model.base import ONE_LINE, Count, Flag, FrozenMap, Id, ListOf, Model, Text, is_none
from turnwright.model.character import Character
from turnwright.model.creature import Resource
from turnwright.model.state.overlay import World
from turnwright.model.vocabulary import DamageType
from turnwright.model.wire import hint
from turnwright.model.wire.reason import CallFailed, Reason
from turnwright.rulesets.fifth_edition.sheets import health
from turnwright.rulesets.fifth_edition.sheets._changes import differences, needs_sheet, with_fields
from turnwright.rulesets.fifth_edition.sheets._sheet import sheet_fields
from turnwright.rulesets.fifth_edition.sheets._sheet_args import Amount, CharacterName, MaxHp, SheetArgs, wants
from turnwright.rulesets.fifth_edition.sheets._view import CharacterView, shown
from turnwright.rulesets.fifth_edition.sheets._wish import (
    Came,
    Decree,
    Healing,
    HpChange,
    TempHp,
    Wish,
    done,
    require_wish,
    wish_of,
)
from turnwright.rulesets.fifth_edition.sheets.derived_stats import counted_hp
from turnwright.rulesets.fifth_edition.sheets.sheet_rules import sheet_of
from turnwright.rulesets.fifth_edition.targets import Creature, is_ephemeral, put_creature, reload, require_creature
from turnwright.rulesets.references import Name, NewLabel, ParticipantId, RunningEncounterId
from turnwright.rulesets.tool import Applied, Context
from turnwright.rulesets.toolkit import toolkit

if TYPE_CHECKING:
    from turnwright.rulesets.fifth_edition.sheets.shapes import ChangedValues, ChangeReport


class ResourceArgs(Model):
    """A resource of a character's class, such as ki or rage."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"name": "ki", "current": 1, "max": 1}]})

    name: NewLabel = Field(description="Its name.")
    current: Amount = Field(description="How much is left.")
    max: Amount = Field(description="Its maximum.")


def _amount_or_resource(value: Any, handler: Callable[[Any], Any]) -> Any:
    if isinstance(value, Mapping):
        try:
            return ResourceArgs.model_validate(value)
        except ValidationError as error:
            # Values in `ctx` survive; `faults_of` reassembles the path.
            faults = error.errors(include_url=False, include_input=False)
            raise PydanticCustomError("within", "does not fit", {"faults": faults}) from None
    try:
        return handler(value)
    except ValidationError:
        raise ValueError("wants how much is left, or an object with name, current and max") from None


MAX_EXPERIENCE = 1_000_000_000
ExperienceChange = Annotated[
    Annotated[Text, Field(pattern=r"^[+-][0-9]{1,9}$", json_schema_extra=ONE_LINE, examples=["+150"])]
    | Annotated[int, Field(strict=True, ge=0, le=MAX_EXPERIENCE)],
    wants('wants a number to set, "+150" to add or "-150" to take'),
]
_OF_CHARACTERS = ("name", "character_type", "max_hp", "resource", "experience")
"""Values that participants without a character do not have."""


class UpdateCharacterArgs(SheetArgs):
    """Arguments of `update_character`."""

    character_id: ParticipantId | None = Field(default=None, description="Id of the character.")
    character_name: Name | None = Field(default=None, description="Name of the character, in place of the id.")
    encounter_id: RunningEncounterId | None = Field(
        default=None,
        description="A fight whose participants are looked at first; of those without a character only "
        "hp, healing, temp_hp, damage_type and character_state can be changed.",
    )
    name: CharacterName | None = Field(default=None, description="A new name.")
    hp: HpChange | None = Field(
        default=None, description='"-7" is 7 damage, "+5" heals 5, and a number from 0 up sets hit points to it.'
    )
    healing: Healing | None = Field(default=None, description="Hit points to heal; takes precedence over hp.")
    max_hp: MaxHp | None = Field(default=None, description="A new maximum. Creates a sheet if there is none.")
    temp_hp: TempHp | None = Field(default=None, description="Temporary hit points; the larger of old and new stays.")
    temp_hp_replace: Flag = Field(default=False, description="Take temp_hp even if it is less than before.")
    damage_type: DamageType | None = Field(
        default=None, description="Type of the damage in hp, so that resistances count."
    )
    resource: Annotated[ResourceArgs | Amount, WrapValidator(_amount_or_resource)] | None = Field(
        default=None, description="The remaining amount of the class's resource, or a whole one: name, current, max."
    )
    experience: ExperienceChange | None = Field(
        default=None, description='Experience points: "+150" adds, a number sets. The result has `level_due`.'
    )
    character_state: Decree | None = Field(
        default=None, description="The game master's decision: dead kills, alive raises (with hp or healing, else 1)."
    )


class HpReport(Model):
    """Hit points before and after; `max` is the current maximum, null without a sheet."""

    before: Count | None
    after: Count | None
    max: Count | None
    temp: Count


class UpdateCharacterResult(Model):
    """The changes, and the character as it is now."""

    character_id: Id | None = Field(description="Null for a participant without a character.")
    participant_id: Id | None = Field(default=None, exclude_if=is_none, description="The id in a running fight.")
    name: Text
    changes: FrozenMap[ListOf[Any]] = Field(description="By field: before and after.")
    hp: HpReport
    adjusted: Text | None = Field(default=None, exclude_if=is_none, description="The effect of resistances on damage.")
    concentration_check: FrozenMap[Any] | None = Field(default=None, exclude_if=is_none)
    character: CharacterView


@toolkit(
    UpdateCharacterArgs,
    UpdateCharacterResult,
    example={"character_name": "Mira", "hp": "-7", "damage_type": "fire"},
    batch=True,
    shared=("encounter_id",),
)
def update_character(world: World, args: UpdateCharacterArgs, ctx: Context) -> Applied:
    """Change a character: damage and healing outside of attacks, a new level or score, a name, a state.

    Give only changed values. `hp: "-7"` deals 7 damage with all its consequences (temporary hit points, resistances by
    `damage_type`, falling at 0, concentration), `hp: "+5"` or `healing` heals, `hp: 12` sets. A new level, class or CON
    changes the maximum unless `max_hp` is given. Do not use it for attacks and spells of a fight (`execute_action`),
    rests (`take_rest`), levels with rolled hit points (`level_up`), slots, conditions or belongings.
    """
    creature = require_creature(world, args.character_id, args.character_name, args.encounter_id, "character")
    before = creature.character
    _require_possible(world, creature, args)
    resource = args.resource
    pool = Resource(**resource.model_dump()) if isinstance(resource, ResourceArgs) else resource
    after = _with_temp_hp(with_fields(before, args, args.max_hp, pool, args.name), args)
    after = _with_experience(after, args.experience)
    wish = wish_of(args.hp, args.healing, args.character_state)
    require_wish(after, wish)

    creature = put_creature(world, creature, after) if after is not before else creature
    came = done(world, creature, wish, args.damage_type, ctx)
    result = _told(before, reload(world, creature), came)
    ids = {"character_id": None if is_ephemeral(world, creature) else before.id}
    ids |= {} if creature.participant_id is None else {"participant_id": creature.participant_id}
    return Applied({**ids, **result}, (*_warnings(args, wish), *came.warnings))


def _require_possible(world: World, creature: Creature, args: UpdateCharacterArgs) -> None:
    if is_ephemeral(world, creature):
        given = [name for name in _OF_CHARACTERS if getattr(args, name) is not None]
        for name in [*given, *sheet_fields(args)]:
            detail = f"args.{name}: {creature.id} exists in the fight only, where it cannot be changed"
            raise CallFailed(Reason.INVALID_ARGS, detail, hint.ask(f"args.{name}", args.as_written.get(name)))
    if args.temp_hp is not None and creature.character.max_hp is None and args.max_hp is None:
        raise needs_sheet(creature.character, "temp_hp")
    if args.experience is not None and creature.character.max_hp is None and args.max_hp is None:
        raise needs_sheet(creature.character, "experience")
    if args.temp_hp_replace and args.temp_hp is None:
        detail = "args.temp_hp_replace: wants temp_hp beside it"
        raise CallFailed(Reason.INVALID_ARGS, detail, hint.remove("args.temp_hp_replace"))


def _with_experience(character: Character, change: int | str | None) -> Character:
    """Return a character with experience points set or changed, with a minimum of 0."""
    if change is None:
        return character
    sheet = sheet_of(character)
    points = int(change) + (sheet.experience or 0) if isinstance(change, str) else change
    return character.replace(sheet=sheet.replace(experience=max(0, min(MAX_EXPERIENCE, points))))


def _with_temp_hp(character: Character, args: UpdateCharacterArgs) -> Character:
    if args.temp_hp is None:
        return character
    return (
        character.replace(temp_hp=args.temp_hp)
        if args.temp_hp_replace
        else health.with_temp_hp(character, args.temp_hp)
    )


def _told(before: Character, creature: Creature, came: Came) -> ChangeReport:
    after = creature.character
    hp, most = counted_hp(after)
    told: ChangedValues = {
        "name": after.label,
        "changes": differences(before, after),
        "hp": {
            "before": counted_hp(before)[0],
            "after": hp,
            "max": most,
            "temp": after.temp_hp,
        },
    }
    if came.adjusted:
        told["adjusted"] = came.adjusted
    if came.concentration_check:
        told["concentration_check"] = came.concentration_check
    return {**told, "character": shown(after)}


def _warnings(args: UpdateCharacterArgs, wish: Wish) -> tuple[str, ...]:
    ignored = []
    if args.healing is not None and args.hp is not None:
        ignored.append("hp was not looked at: healing goes before it")
    if args.damage_type is not None and wish.kind != "harm":
        ignored.append("damage_type was not looked at: there is no damage")
    return tuple(ignored)
