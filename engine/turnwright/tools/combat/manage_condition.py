"""manage_condition: what ails somebody."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import Field

from turnwright.model import hint
from turnwright.model.base import Count, Flag, Id, ListOf, Model, SafeInt, Text
from turnwright.model.character import Character
from turnwright.model.creature import Condition, Lasting, Mechanical, RollKind, Rounds, Words
from turnwright.model.reason import CallFailed, Reason
from turnwright.model.vocabulary import Ability, ConditionName, ConditionWord, Word, words
from turnwright.rules.condition_list import AT_ZERO, EXHAUSTION, found, with_conditions_ticked, without_condition
from turnwright.rules.conditions import MAX_EXHAUSTION, mechanical
from turnwright.rules.effective import mechanics
from turnwright.rules.words import spelling
from turnwright.tools._base import Applied, Context
from turnwright.tools.afflict import afflict
from turnwright.tools.combat._bonds import loosen
from turnwright.tools.creatures import Creature, put_creature, require_creature
from turnwright.tools.marks import Choice, Name, ParticipantId, RunningEncounterId
from turnwright.tools.toolkit import ToolkitArgs, toolkit
from turnwright.world.overlay import World

Operation = Annotated[
    Literal["add", "remove", "query", "tick"],
    Choice(
        synonyms={
            "add": ("apply", "give", "inflict", "set"),
            "remove": ("clear", "cure", "delete", "end", "lift"),
            "query": ("get", "list", "show", "check", "view"),
            "tick": ("decrement", "advance", "count down"),
        }
    ),
]
ConditionOrAll = Annotated[Literal[ConditionWord, "all"], Word("condition")]
UntilWhat = Annotated[
    Literal["concentration", "until_dispelled", "until_rest", "save_ends"],
    Choice(
        synonyms={
            "concentration": ("concentrating", "while concentrating"),
            "until_dispelled": ("dispelled", "until dispel"),
            "until_rest": ("rest", "until a rest"),
            "save_ends": ("save", "until saved", "until save"),
        }
    ),
]
_ALL = "all"
_FIFTEEN = words(ConditionName)


class ManageConditionArgs(ToolkitArgs):
    """Arguments of `manage_condition`."""

    target_id: ParticipantId | None = Field(default=None, description="Who: id of a participant or a character.")
    target_name: Name | None = Field(default=None, description="Who, by name, in place of target_id.")
    encounter_id: RunningEncounterId | None = Field(
        default=None, description="The fight, when the target is somebody who exists in it alone."
    )
    operation: Operation = Field(
        description="add or remove a condition; query what they have; tick takes a round from those counted in rounds."
    )
    condition: ConditionOrAll | None = Field(
        default=None, description="Which condition, for add and remove; all removes every one."
    )
    source: Words | None = Field(
        default=None, description="Whom or what it comes from; an id or a name ties it to that creature."
    )
    description: Words | None = Field(default=None, description="What it is like, in words; no rule reads it.")
    duration: Rounds | UntilWhat | None = Field(
        default=None,
        description="Rounds, or what ends it: concentration (of the source), until_dispelled, until_rest, save_ends "
        "(then save_dc and save_ability are required). Left out: it stays until it is removed.",
        examples=[10, "save_ends"],
    )
    save_dc: Annotated[int, Field(strict=True, ge=1, le=100, examples=[13])] | None = Field(
        default=None, description="What the saving throw that ends it must reach."
    )
    save_ability: Ability | None = Field(default=None, description="The ability that saving throw is made with.")
    exhaustion_levels: Annotated[int, Field(strict=True, ge=1, le=1000)] = Field(
        default=1, description="How many levels of exhaustion are added or removed."
    )
    custom_name: Annotated[Text, Field(min_length=1, max_length=100)] | None = Field(
        default=None, description="A condition that is none of the fifteen, in place of `condition`."
    )
    mechanical: Mechanical | None = Field(default=None, description="What such a condition does to numbers.")


class MechanicalResult(Model):
    """What a condition does."""

    disadvantage_on: ListOf[RollKind]
    speed_multiplier: int | float
    max_hp_multiplier: int | float
    cannot_move: Flag
    can_only_crawl: Flag
    incapacitated: Flag
    auto_fail_saves: ListOf[Ability]
    dead: Flag


class ConditionResult(Model):
    """One condition somebody has."""

    condition: Text
    source: Text | None
    duration: Rounds | Lasting | Literal["save_ends"] | None = Field(description="Null: until it is removed.")
    rounds_remaining: Count | None
    save_dc: SafeInt | None
    save_ability: Ability | None
    exhaustion_level: SafeInt | None
    mechanical: MechanicalResult


class ManageConditionResult(Model):
    """What became of it, and what they have now."""

    target: Id
    operation: Text
    changed: Flag = Field(description="Whether anything is other than before.")
    blocked: Flag = Field(description="Whether they are immune to it.")
    condition: Text | None
    exhaustion_level: SafeInt | None = Field(description="Their level now, where the call is about exhaustion.")
    conditions: ListOf[ConditionResult]
    expired: ListOf[Text] = Field(description="What ran out.")
    ticked: ListOf[Text] = Field(description="What has rounds left.")
    concentration_broken: Flag


def shown(condition: Condition) -> dict[str, Any]:
    """Return a condition as results hold it."""
    return {
        "condition": condition.condition,
        "source": condition.source,
        "duration": condition.duration,
        "rounds_remaining": condition.rounds_remaining,
        "save_dc": condition.save_dc,
        "save_ability": condition.save_ability,
        "exhaustion_level": condition.exhaustion_level,
        "mechanical": mechanical(mechanics(condition)),
    }


@toolkit(
    ManageConditionArgs,
    ManageConditionResult,
    example={"target_id": "brom", "operation": "add", "condition": "poisoned", "duration": 10},
    batch=True,
    shared=("encounter_id",),
)
def manage_condition(world: World, args: ManageConditionArgs, ctx: Context) -> Applied:
    """Give somebody a condition, take one away, look at what they have, or let a round pass for them.

    Use it for what the rules call conditions (blinded, prone, stunned ...), in a fight and outside; everything else
    that changes numbers for a while is `manage_effect`. In a fight `advance_turn` ticks by itself. Who is immune does
    not get it (`blocked`); who has it already keeps the longer one. Exhaustion adds up, and its sixth level kills. Who
    can no longer act loses their concentration. Somebody at 0 hit points is woken by healing alone.
    """
    args = _canonical(args)
    _require_sense(args)
    target = require_creature(world, args.target_id, args.target_name, args.encounter_id)
    if args.operation == "add":
        return _add(world, target, args, ctx)
    if args.operation == "remove":
        return _remove(world, target, args)
    if args.operation == "tick":
        ticked = with_conditions_ticked(target.character)
        if ticked.character != target.character:
            target = put_creature(world, target, ticked.character)
        names = [condition.condition for condition in ticked.ticked]
        changed = bool(names or ticked.expired)
        return _told(target, args, changed=changed, expired=list(ticked.expired), ticked=names)
    return _told(target, args)


def _canonical(args: ManageConditionArgs) -> ManageConditionArgs:
    """Return the arguments with a name of their own that is one of the fifteen where it belongs."""
    known = {spelling(word): word for word in (*_FIFTEEN, _ALL)}
    meant = known.get(spelling(args.custom_name or ""))
    return args if meant is None or args.condition else args.having(condition=meant, custom_name=None)


def _require_sense(args: ManageConditionArgs) -> None:
    """Refuse arguments that contradict each other, or that the operation lacks."""
    if args.operation in ("add", "remove") and args.condition is None and args.custom_name is None:
        detail = f"args.condition: is required for {args.operation}, or custom_name"
        raise CallFailed(Reason.INVALID_ARGS, detail, hint.add("args.condition", _FIFTEEN))
    if args.condition is not None and args.custom_name is not None:
        detail = "args.custom_name: stands beside condition"
        raise CallFailed(Reason.INVALID_ARGS, detail, hint.remove("args.custom_name"))
    if args.mechanical is not None and args.custom_name is None and args.operation == "add":
        detail = "args.mechanical: what the fifteen conditions do is fixed"
        raise CallFailed(Reason.INVALID_ARGS, detail, hint.remove("args.mechanical"))
    if args.operation == "add" and args.condition == _ALL:
        repair = hint.replace_name("args.condition", _ALL, _FIFTEEN)
        raise CallFailed(Reason.INVALID_ARGS, "args.condition: all can only be removed", repair)
    if args.operation == "add" and args.duration == "save_ends":
        for name, values in (("save_dc", [13, 10, 15]), ("save_ability", words(Ability))):
            if getattr(args, name) is None:
                detail = f"args.{name}: is required for save_ends"
                raise CallFailed(Reason.INVALID_ARGS, detail, hint.add(f"args.{name}", values))


def _add(world: World, target: Creature, args: ManageConditionArgs, ctx: Context) -> Applied:
    levels = min(MAX_EXHAUSTION, args.exhaustion_levels) if args.condition == EXHAUSTION else None
    wanted = Condition(
        condition=args.condition or args.custom_name,
        source=args.source,
        description=args.description,
        duration=args.duration,
        save_dc=args.save_dc,
        save_ability=args.save_ability,
        exhaustion_level=levels,
        mechanical=args.mechanical,
    )
    done = afflict(world, target, wanted, ctx)
    if done.changed and target.encounter_id is not None:
        loosen(world, target.encounter_id)
    return _told(
        done.creature,
        args,
        changed=done.changed,
        blocked=done.blocked,
        concentration_broken=done.concentration_broken is not None,
        warnings=_unheld(world, done.creature, wanted.condition) if done.changed else (),
    )


def _unheld(world: World, target: Creature, name: str) -> tuple[str, ...]:
    """Return a warning where nobody's concentration holds what concentration should."""
    condition = found(target.character, name)
    if condition is None or condition.duration != "concentration":
        return ()
    try:
        caster = require_creature(world, condition.source, None, target.encounter_id).character
    except CallFailed:
        caster = None
    if caster is not None and caster.concentration is not None:
        return ()
    return (f"no caster who concentrates is named as source: {name} stays until it is removed",)


def _remove(world: World, target: Creature, args: ManageConditionArgs) -> Applied:
    if args.condition == _ALL:
        kept = tuple(condition for condition in target.character.conditions if _is_of_hp(condition))
        after = target.character.having(conditions=kept)
        changed = len(kept) < len(target.character.conditions)
    else:
        name = args.condition or _name_of(target.character, args.custom_name or "")
        present = found(target.character, name)
        if present is not None and _is_of_hp(present):
            detail = f"{target.id} is unconscious at 0 hit points: healing ends it, nothing else"
            raise CallFailed(Reason.RULE_VIOLATION, detail)
        after, changed = without_condition(target.character, name, args.exhaustion_levels)
    return _told(put_creature(world, target, after) if changed else target, args, changed=changed)


def _is_of_hp(condition: Condition) -> bool:
    return (condition.condition, condition.source) == ("unconscious", AT_ZERO)


def _name_of(character: Character, custom_name: str) -> str:
    """Return the name of somebody's own condition as it was given when they got it."""
    alike = (c.condition for c in character.conditions if spelling(c.condition) == spelling(custom_name))
    return next(alike, custom_name)


def _told(target: Creature, args: ManageConditionArgs, *, warnings: tuple[str, ...] = (), **told: Any) -> Applied:
    """Return the result: what the operation tells, and nothing of everything else."""
    level = None
    if args.condition == EXHAUSTION:
        present = found(target.character, EXHAUSTION)
        level = present.exhaustion_level if present else 0
    result: Mapping[str, Any] = {
        "target": target.id,
        "operation": args.operation,
        "changed": False,
        "blocked": False,
        "condition": args.condition or args.custom_name,
        "exhaustion_level": level,
        "conditions": [shown(condition) for condition in target.character.conditions],
        "expired": [],
        "ticked": [],
        "concentration_broken": False,
    }
    return Applied({**result, **told}, warnings)
