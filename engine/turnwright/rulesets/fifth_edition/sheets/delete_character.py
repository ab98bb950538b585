"""delete_character: remove a character from the campaign, with all dependent effects."""

from __future__ import annotations

from pydantic import Field

from turnwright.model.base import Id, Model, Text
from turnwright.model.quest import Quest, giver_tag
from turnwright.model.sheet import Level
from turnwright.model.state.overlay import World
from turnwright.rulesets.core.people import require_character
from turnwright.rulesets.core.places._members import leave, member_ids
from turnwright.rulesets.fifth_edition.maintained_effects import auras_around, end_concentration
from turnwright.rulesets.fifth_edition.sheets._view import race_class_level
from turnwright.rulesets.fifth_edition.targets import Creature, creature_of, participant_of, put_participant
from turnwright.rulesets.guards import require_not_in_use
from turnwright.rulesets.references import CharacterId, Name
from turnwright.rulesets.tool import Applied, Context
from turnwright.rulesets.toolkit import ToolkitArgs, toolkit


class DeleteCharacterArgs(ToolkitArgs):
    """Arguments of `delete_character`."""

    character_id: CharacterId | None = Field(default=None, description="Id of the character to delete.")
    character_name: Name | None = Field(
        default=None, description="Name of the character to delete, in place of the id."
    )


class DeletedCharacter(Model):
    """The deleted character; class and level are null without a sheet."""

    character_id: Id
    name: Text
    class_: Text | None = Field(alias="class")
    level: Level | None


class DeleteCharacterResult(Model):
    """The deleted character."""

    deleted: DeletedCharacter


@toolkit(DeleteCharacterArgs, DeleteCharacterResult, example={"character_id": "character-1"}, batch=True)
def delete_character(world: World, args: DeleteCharacterArgs, ctx: Context) -> Applied:
    """Delete a character for good: a mistake, or one that the story will never need again.

    The dead stay characters; do not delete them for dying. A deleted character leaves the party, and their auras and
    effects of their concentration end; their quests continue without a giver. In a running fight they remain as a
    participant of that fight only. Returns the deleted character.
    """
    del ctx
    character = require_character(world, args.character_id, args.character_name)
    require_not_in_use(world, character.id)
    creature = creature_of(world, character)

    end_concentration(world, creature)
    for aura in list(auras_around(world, creature)):
        world.remove(aura.path)
    warnings = (*_leave_fight(world, creature), *_leave_quests(world, character.id))
    if character.id in member_ids(world):
        leave(world, [character.id])
    world.remove(character.path)
    known = race_class_level(character)
    deleted = {"character_id": character.id, "name": character.label, "class": known["class"], "level": known["level"]}
    return Applied({"deleted": deleted}, warnings)


def _leave_fight(world: World, creature: Creature) -> tuple[str, ...]:
    """Let a character's participant continue without the character, with the current values."""
    person = participant_of(world, creature)
    body = world.character(creature.character.id)
    if person is None or body is None:
        return ()
    alone = person.replace(character_id=None, deleted_id=body.id, body=body)
    put_participant(world, creature.encounter_id or "", alone)
    return (f"{person.id} stays in {creature.encounter_id}, and will be gone when it ends",)


def _leave_quests(world: World, character_id: str) -> tuple[str, ...]:
    """Remove the character as giver from their quests, which continue."""
    given = world.all_tagged(Quest, giver_tag(character_id))
    for quest in given:
        world.put(quest.replace(giver_id=None))
    return tuple(f"{quest.id} has no giver any more" for quest in given if quest.is_open)
