"""import_character: put a character that was read from a file into the campaign; a tool of doors."""

from __future__ import annotations

from typing import Any

from pydantic import Field, ValidationError

from turnwright.model.base import Flag, FreeMap, FrozenMap, Id, ListOf, Model, Text
from turnwright.model.character import Character
from turnwright.model.error_text import faults_of, sentence
from turnwright.model.state.overlay import World
from turnwright.model.wire.reason import CallFailed, Reason
from turnwright.rulesets.core.places._members import join, member_ids
from turnwright.rulesets.fifth_edition.targets import fight_of
from turnwright.rulesets.fifth_edition.validation import character_problems
from turnwright.rulesets.tool import Applied, Context
from turnwright.rulesets.toolkit import ToolkitArgs, toolkit
from turnwright.rulesets.validation import Edit


class ImportCharacterArgs(ToolkitArgs):
    """Arguments of `import_character`."""

    character: FreeMap = Field(description="The whole document of the character.")
    format: Text = Field(description="The format of the file that it was read from.")
    version: Text = Field(default="", description="The version that the file is stamped with.")
    file: Text = Field(description="The name of the file.")
    keep: ListOf[Text] = Field(default=(), description="Fields that the replaced character keeps.")
    replacing: Flag = Field(default=False, description="Whether a character with this id may be replaced.")
    joining: Flag = Field(default=False, description="Whether the character joins the party.")
    packs: FrozenMap[Text] = Field(default_factory=dict, description="Content packs that it was taken from.")


class ImportCharacterResult(Model):
    """The imported character."""

    character_id: Id
    name: Text
    format: Text
    version: Text
    replaced: Flag
    joined: Flag
    position: Id | None = Field(description="The area where the character is; null for nowhere.")


@toolkit(
    ImportCharacterArgs,
    ImportCharacterResult,
    example={"character": {"id": "mira", "name": "Mira"}, "format": "sheet", "file": "mira.json"},
)
def import_character(world: World, args: ImportCharacterArgs, ctx: Context) -> Applied:
    """Put a character that was read from a file into the campaign."""
    del ctx
    character = _character(args)
    before = world.character(character.id)
    if before is not None:
        _require_replaceable(world, before, args)
        kept = {name: getattr(before, name) for name in args.keep}
        character = character.replace(**kept)
    _require_sound(world, character)
    joins = args.joining and character.id not in member_ids(world)
    world.put(character)
    if joins:
        join(world, character)
    return Applied(
        {
            "character_id": character.id,
            "name": character.label,
            "format": args.format,
            "version": args.version,
            "replaced": before is not None,
            "joined": joins,
            "position": _standing(world, character.id),
        },
        packs=args.packs,
    )


def _character(args: ImportCharacterArgs) -> Character:
    try:
        return Character.model_validate(dict(args.character))
    except ValidationError as error:
        first = faults_of(error)[0]
        where = ".".join(map(str, ("args.character", *first["loc"])))
        raise CallFailed(Reason.INVALID_ARGS, f"{where}: {sentence(first)}") from None


def _require_replaceable(world: World, before: Character, args: ImportCharacterArgs) -> None:
    if not args.replacing:
        ways = "--replace puts the new one in its place, --as gives it another id"
        detail = f"there is a character {before.id} already ({before.label}); {ways}"
        raise CallFailed(Reason.CONFLICT, detail)
    if fight_of(world, before.id) is not None:
        raise CallFailed(Reason.CONFLICT, f"{before.id} is in a fight that goes on; end it first")
    if before.concentration is not None:
        detail = f"{before.id} concentrates on {before.concentration.spell_name}; end that first"
        raise CallFailed(Reason.CONFLICT, detail)
    if unknown := sorted(set(args.keep) - set(Character.model_fields)):
        raise CallFailed(Reason.INVALID_ARGS, f"args.keep: {unknown[0]} is no field of a character")


def _standing(world: World, character_id: str) -> str | None:
    character = world.character(character_id)
    return character.position if character is not None else None


def _require_sound(world: World, character: Character) -> None:
    """Refuse a document that would not be valid as a hand edit, either."""
    draft = World(world)
    draft.put(character)
    problems: list[Any] = [
        problem for problem in character_problems(Edit(draft, [character.path], world.get)) if not problem.warning
    ]
    if problems:
        raise CallFailed(Reason.INVALID_ARGS, f"{problems[0].path}: {problems[0].message}")
