"""create_character: make a character with a full sheet."""

from __future__ import annotations

from pydantic import Field

from turnwright.model.base import Count, Flag, Id, Model, is_none, name_tag
from turnwright.model.character import Character
from turnwright.model.state.overlay import World
from turnwright.model.wire import hint
from turnwright.model.wire.reason import CallFailed, Reason
from turnwright.rulesets.core.places.lookup import require_location
from turnwright.rulesets.fifth_edition.sheets import health
from turnwright.rulesets.fifth_edition.sheets import sheet_rules as sheets
from turnwright.rulesets.fifth_edition.sheets._built import BuiltRow, base_of
from turnwright.rulesets.fifth_edition.sheets._sheet import refreshed, sheet_with
from turnwright.rulesets.fifth_edition.sheets._sheet_args import CharacterName, MaxHp, SheetArgs
from turnwright.rulesets.fifth_edition.sheets._view import CharacterView, shown
from turnwright.rulesets.references import LocationId
from turnwright.rulesets.tool import Applied, Context
from turnwright.rulesets.toolkit import toolkit

_PREVIEW_ID = "preview"


class CreateCharacterArgs(SheetArgs):
    """Arguments of `create_character`."""

    name: CharacterName = Field(description="Their display name.")
    hp: Count | None = Field(default=None, description="Current hit points. Absent: the maximum.")
    max_hp: MaxHp | None = Field(default=None, description="Maximum hit points. Absent: by class, level and CON.")
    location_id: LocationId | None = Field(
        default=None, description="The place where they are, by id or name. Absent: nowhere on the map yet."
    )
    preview_template: Flag = Field(default=False, description="Only show the result, and store nothing.")


class CreateCharacterResult(Model):
    """The new character."""

    character_id: Id | None = Field(description="The id for other calls; null in a preview.")
    character: CharacterView
    preview: Flag
    built: BuiltRow | None = Field(
        default=None, exclude_if=is_none, description="The campaign's content entries it was built from."
    )


@toolkit(
    CreateCharacterArgs,
    CreateCharacterResult,
    example={"name": "Mira", "class": "Wizard", "level": 3, "stats": {"int": 16, "con": 14}},
)
def create_character(world: World, args: CreateCharacterArgs, ctx: Context) -> Applied:
    """Create a character: a hero, an NPC, or a foe who should outlast one fight.

    Give a name, and what differs from a level 1 human fighter with 10 in every ability. Hit points, armor class, spell
    slots and proficiencies follow from class, level and scores unless they are given. If the campaign has content, a
    race or class by name supplies its scores, skills, spells and gear, except for values you give. Foes of a single
    fight need no character: name them in `create_encounter`. This adds no one to the party; see `manage_party`. Returns
    the id and the whole sheet.
    """
    place = require_location(world, args.location_id) if args.location_id is not None else None
    base = base_of(world, args, ctx)
    sheet = refreshed(sheet_with(base.sheet, args).replace(**base.names))
    most = args.max_hp if args.max_hp is not None else sheets.max_hp(sheet) + base.extra_hp
    hp = most if args.hp is None else args.hp
    if hp > most:
        repair = hint.ask("args.hp", hp)
        raise CallFailed(Reason.INVALID_ARGS, f"args.hp: is above the maximum of {most}", repair)

    identifier = _PREVIEW_ID if args.preview_template else world.new_id("character", Character)
    character = Character(
        id=identifier,
        name=args.name,
        character_type=args.character_type or "pc",
        position=place.area_id if place else None,
        hp=hp,
        max_hp=most,
        sheet=sheet,
        inventory=base.inventory,
        equipped=base.equipped,
    )
    if hp == 0:
        character = health.at_zero(character, changes_state=ctx.settings["rules.hp_zero_ends_game"])
    result = {"character_id": identifier, "character": shown(character), "preview": args.preview_template}
    if base.row is not None:
        result["built"] = base.row.as_written
    corrections = base.corrections(args, args.max_hp)
    if args.preview_template:
        return Applied({**result, "character_id": None}, packs=base.packs, corrections=corrections)
    warnings = _same_name(world, args.name)
    world.put(character)
    return Applied(result, warnings, packs=base.packs, corrections=corrections)


def _same_name(world: World, name: str) -> tuple[str, ...]:
    others = sorted(other.id for other in world.all_tagged(Character, name_tag(name)))
    return (f"{', '.join(others)} bears the same name: only ids tell them apart",) if others else ()
