"""manage_condition: conditions of a creature."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from turnwright.model.character import Character
from turnwright.model.creature import Condition, Mechanical
from turnwright.model.fuzzy_words import spelling
from turnwright.model.state.overlay import World
from turnwright.model.vocabulary import Ability, ConditionName, words
from turnwright.model.wire import hint
from turnwright.model.wire.reason import CallFailed, Reason
from turnwright.rulesets.fifth_edition.condition_list import (
    EXHAUSTION,
    found,
    is_of_hp,
    with_conditions_ticked,
    without_condition,
)
from turnwright.rulesets.fifth_edition.condition_rules import MAX_EXHAUSTION
from turnwright.rulesets.fifth_edition.conditions import afflict
from turnwright.rulesets.fifth_edition.fights._condition_args import ManageConditionArgs, ManageConditionResult, shown
from turnwright.rulesets.fifth_edition.targets import Creature, put_creature, require_creature
from turnwright.rulesets.tool import Applied, Context
from turnwright.rulesets.toolkit import toolkit

_ALL = "all"
_FIFTEEN = words(ConditionName)


@toolkit(
    ManageConditionArgs,
    ManageConditionResult,
    example={"target_id": "brom", "operation": "add", "condition": "poisoned", "duration": 10},
    batch=True,
    shared=("encounter_id",),
)
def manage_condition(world: World, args: ManageConditionArgs, ctx: Context) -> Applied:
    """Give a creature a condition, take one away, list its conditions, or let a round pass for it.

    Use it for what the rules call conditions (blinded, prone, stunned ...), in a fight and outside; everything else
    that changes numbers for a while is `manage_effect`. In a fight `advance_turn` ticks by itself. Immune creatures do
    not get it (`blocked`); of two alike the longer one stays. Exhaustion adds up, and its sixth level kills. Creatures
    that can no longer act lose their concentration. Only healing wakes a creature at 0 hit points.
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
    return args if meant is None or args.condition else args.replace(condition=meant, custom_name=None)


def _require_sense(args: ManageConditionArgs) -> None:
    """Refuse arguments that contradict each other, or that the operation lacks."""
    if args.operation in ("add", "remove") and args.condition is None and args.custom_name is None:
        detail = f"args.condition: is required for {args.operation}, or custom_name"
        raise CallFailed(Reason.INVALID_ARGS, detail, hint.ask_for("args.condition", _FIFTEEN))
    if args.condition is not None and args.custom_name is not None:
        detail = "args.custom_name: stands beside condition"
        raise CallFailed(Reason.INVALID_ARGS, detail, hint.ask("args.custom_name", args.custom_name))
    if args.mechanical is not None and args.custom_name is None and args.operation == "add":
        detail = "args.mechanical: what the fifteen conditions do is fixed"
        raise CallFailed(Reason.INVALID_ARGS, detail, hint.ask("args.mechanical", args.mechanical.as_written))
    if args.operation == "add" and args.condition == _ALL:
        repair = hint.ask("args.condition", _ALL, _FIFTEEN)
        raise CallFailed(Reason.INVALID_ARGS, "args.condition: all can only be removed", repair)
    if args.operation == "add" and args.duration == "save_ends":
        for name, values in (("save_dc", ()), ("save_ability", words(Ability))):
            if getattr(args, name) is None:
                detail = f"args.{name}: is required for save_ends"
                raise CallFailed(Reason.INVALID_ARGS, detail, hint.ask_for(f"args.{name}", values))


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
        mechanical=args.mechanical and Mechanical(**dict(args.mechanical)),
    )
    done = afflict(world, target, wanted, ctx)
    return _told(
        done.creature,
        args,
        changed=done.changed,
        blocked=done.blocked,
        concentration_broken=done.concentration_broken is not None,
        warnings=(*done.warnings, *(_unheld(world, done.creature, wanted.condition) if done.changed else ())),
    )


def _unheld(world: World, target: Creature, name: str) -> tuple[str, ...]:
    """Return a warning where a condition needs concentration and no caster concentrates."""
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
        kept = tuple(condition for condition in target.character.conditions if is_of_hp(condition))
        after = target.character.replace(conditions=kept)
        changed = len(kept) < len(target.character.conditions)
    else:
        name = args.condition or _name_of(target.character, args.custom_name or "")
        present = found(target.character, name)
        if present is not None and is_of_hp(present):
            detail = f"{target.id} is unconscious at 0 hit points: healing ends it, nothing else"
            raise CallFailed(Reason.RULE_VIOLATION, detail)
        after, changed = without_condition(target.character, name, args.exhaustion_levels)
    return _told(put_creature(world, target, after) if changed else target, args, changed=changed)


def _name_of(character: Character, custom_name: str) -> str:
    """Return the name of a custom condition as it was spelled when the creature got it."""
    alike = (c.condition for c in character.conditions if spelling(c.condition) == spelling(custom_name))
    return next(alike, custom_name)


def _told(target: Creature, args: ManageConditionArgs, *, warnings: tuple[str, ...] = (), **told: Any) -> Applied:
    """Return the result: the operation's own fields, with the rest empty."""
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
