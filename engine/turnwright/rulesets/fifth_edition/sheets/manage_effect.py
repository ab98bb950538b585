"""manage_effect: boons, curses and other lasting effects."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal

from pydantic import Field

from turnwright.model.base import Flag, Id, ListOf, Model, Text, name_tag
from turnwright.model.character import Character
from turnwright.model.creature import Effect
from turnwright.model.state.overlay import World
from turnwright.model.wire import hint
from turnwright.model.wire.reason import CallFailed, Reason
from turnwright.rulesets.fifth_edition.conditions import source_id
from turnwright.rulesets.fifth_edition.sheets._effect_args import EffectArgs, effect_of, unknown_rolls
from turnwright.rulesets.fifth_edition.sheets.effect_list import (
    effect_found,
    effect_named,
    with_effect,
    with_effects_ticked,
    without_effect,
)
from turnwright.rulesets.fifth_edition.targets import Creature, put_creature, require_creature
from turnwright.rulesets.references import Choice, Name, ParticipantId, RunningEncounterId
from turnwright.rulesets.tool import Applied, Context
from turnwright.rulesets.toolkit import ToolkitArgs, toolkit

if TYPE_CHECKING:
    from turnwright.rulesets.fifth_edition.sheets.shapes import ChangedEffect

Operation = Annotated[
    Literal["add", "remove", "query", "tick"],
    Choice(
        {
            "add": ("apply", "give", "create", "set"),
            "remove": ("clear", "delete", "end", "dispel"),
            "query": ("get", "list", "show", "view"),
            "tick": ("decrement", "advance", "count down"),
        }
    ),
]


class ManageEffectArgs(ToolkitArgs):
    """Arguments of `manage_effect`."""

    only_for: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "effect": ("add",),
        "effect_id": ("remove",),
        "name": ("remove",),
    }
    needs: ClassVar = {"add": ("effect",)}

    target_id: ParticipantId | None = Field(default=None, description="The bearer of the effects.")
    target_name: Name | None = Field(default=None, description="The bearer by name, in place of target_id.")
    encounter_id: RunningEncounterId | None = Field(
        default=None, description="The fight, if the target exists only in it."
    )
    operation: Operation = Field(
        description="add or remove an effect; query all of them; tick takes a round from those counted in rounds."
    )
    effect: EffectArgs | None = Field(default=None, description="To add.")
    effect_id: Id | None = Field(default=None, description="For remove: the effect.")
    name: Name | None = Field(default=None, description="For remove: the effect by name, in place of effect_id.")


class EffectRef(Model):
    """An effect that is over."""

    effect_id: Id
    name: Text


class ManageEffectResult(Model):
    """The operation, and the current effects."""

    effect_id: Id | None = Field(description="Of the effect that was added or removed.")
    target: Id
    operation: Operation
    effect: Effect | None = Field(description="The effect that was added or removed.")
    effects: ListOf[Effect]
    expired: ListOf[EffectRef] = Field(description="Effects that a tick ended.")
    replaced: Flag = Field(description="Whether one of the same name was replaced.")


@toolkit(
    ManageEffectArgs,
    ManageEffectResult,
    example={
        "target_name": "Mira",
        "operation": "add",
        "effect": {"name": "Bless", "type": "boon", "saving_throw_bonus": 2, "duration": 10},
    },
    batch=True,
    shared=("encounter_id",),
)
def manage_effect(world: World, args: ManageEffectArgs, ctx: Context) -> Applied:
    """Add, remove or look at lasting effects: boons, curses and others.

    The bonuses of an effect are included in armor class, speed, scores, attacks, saving throws and checks from then on;
    do not add them a second time. Conditions such as poisoned belong to `manage_condition`, the effects of items to
    `manage_inventory`. Rounds count down by themselves at the end of the bearer's turn in a fight; elsewhere tick them.
    """
    del ctx
    creature = require_creature(world, args.target_id, args.target_name, args.encounter_id)
    if args.operation == "add" and args.effect is not None:
        return _add(world, creature, args.effect)
    if args.operation == "remove":
        return _remove(world, creature, args)
    if args.operation == "tick":
        return _tick(world, creature)
    return Applied(_told(creature, creature.character, "query"))


def _add(world: World, creature: Creature, wanted: EffectArgs) -> Applied:
    lasting = wanted.duration == "concentration"
    source = source_id(world, wanted.source, creature.encounter_id, lasting=lasting)
    held = [each.effect_id for each in creature.character.effects]
    effect = effect_of(wanted, world.new_id("effect", held=held), source)
    after, replaced = with_effect(creature.character, effect)
    put_creature(world, creature, after)
    warnings = [f"{roll} is no roll that any rule looks for" for roll in unknown_rolls(wanted)]
    if lasting and not _is_creature(world, creature, source):
        warnings.append("no concentration ends it: name in source who concentrates")
    return Applied(_told(creature, after, "add", effect, replaced=replaced), tuple(warnings))


def _is_creature(world: World, creature: Creature, source: str | None) -> bool:
    if source is None or world.character(source) is not None:
        return source is not None
    try:
        require_creature(world, source, None, creature.encounter_id)
    except CallFailed:
        return False
    return True


def _remove(world: World, creature: Creature, args: ManageEffectArgs) -> Applied:
    effect = _required(creature.character, args)
    after = without_effect(creature.character, effect.effect_id).character
    put_creature(world, creature, after)
    return Applied(_told(creature, after, "remove", effect))


def _required(character: Character, args: ManageEffectArgs) -> Effect:
    if args.effect_id is None:
        if args.name is None:
            repair = hint.ask_for("args.effect_id", [effect.effect_id for effect in character.effects])
            raise CallFailed(Reason.INVALID_ARGS, "args.effect_id: is required for remove, or name", repair)
        found = effect_named(character, args.name)
        if found is None:
            repair = hint.name("args.name", args.name, [effect.name for effect in character.effects])
            raise CallFailed(Reason.NOT_FOUND, f"there is no effect {args.name} on {character.id}", repair)
        return found
    found = effect_found(character, args.effect_id)
    if found is None:
        known = [effect.effect_id for effect in character.effects]
        meant = effect_named(character, args.effect_id)
        repair = hint.identifier("args.effect_id", args.effect_id, known, {meant.effect_id} if meant else ())
        raise CallFailed(Reason.NOT_FOUND, f"there is no effect {args.effect_id} on {character.id}", repair)
    if args.name is not None and name_tag(args.name) != name_tag(found.name):
        repair = hint.ask("args.name", args.name, [found.name])
        raise CallFailed(Reason.INVALID_ARGS, f"{args.effect_id} is not {args.name}", repair)
    return found


def _tick(world: World, creature: Creature) -> Applied:
    after, expired, _ = with_effects_ticked(creature.character)
    if after is not creature.character:
        put_creature(world, creature, after)
    return Applied(_told(creature, after, "tick", expired=expired))


def _told(
    creature: Creature,
    after: Character,
    operation: str,
    effect: Effect | None = None,
    *,
    expired: Sequence[Effect] = (),
    replaced: bool = False,
) -> ChangedEffect:
    return {
        "effect_id": effect.effect_id if effect is not None else None,
        "target": creature.id,
        "operation": operation,
        "effect": effect.as_written if effect is not None else None,
        "effects": [each.as_written for each in after.effects],
        "expired": [{"effect_id": each.effect_id, "name": each.name} for each in expired],
        "replaced": replaced,
    }
