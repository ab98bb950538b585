"""manage_concentration: the one spell a caster concentrates on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from pydantic import Field

from turnwright.model.base import Count, Flag, Id, ListOf, Model, SafeInt, Text
from turnwright.model.creature import Concentration, Rounds, Words
from turnwright.model.state.overlay import World
from turnwright.model.vocabulary import RollMode
from turnwright.model.wire import hint
from turnwright.model.wire.reason import CallFailed, Reason
from turnwright.rulesets.fifth_edition.damage import concentration_save
from turnwright.rulesets.fifth_edition.magic._caster import ONE_FACE, TWO_FACES, ManualRolls, require_able
from turnwright.rulesets.fifth_edition.magic.concentration import concentration_dc
from turnwright.rulesets.fifth_edition.magic.summons import settle_summons
from turnwright.rulesets.fifth_edition.maintained_effects import begin_concentration, end_concentration
from turnwright.rulesets.fifth_edition.rolls import mode_sources
from turnwright.rulesets.fifth_edition.targets import Creature, reload, require_creature
from turnwright.rulesets.references import D20, Choice, Name, NewName, ParticipantId, RunningEncounterId
from turnwright.rulesets.tool import Applied, Context
from turnwright.rulesets.toolkit import ToolkitArgs, toolkit

if TYPE_CHECKING:
    from turnwright.rulesets.fifth_edition.magic.shapes import HeldSpell

Operation = Annotated[
    Literal["set", "get", "check", "break"],
    Choice(
        synonyms={
            "set": ("start", "begin", "concentrate"),
            "get": ("show", "view", "query"),
            "check": ("save", "roll", "test"),
            "break": ("end", "stop", "drop", "lose", "clear"),
        }
    ),
]


class ManageConcentrationArgs(ToolkitArgs):
    """Arguments of `manage_concentration`."""

    only_for: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "spell_name": ("set",),
        "targets": ("set",),
        "duration": ("set",),
        "damage_amount": ("check",),
        "damage": ("check",),
        "con_save_modifier": ("check",),
        "roll_mode": ("check",),
        "manual_roll": ("check",),
        "manual_rolls": ("check",),
        "reason": ("break",),
    }
    needs: ClassVar[Mapping[str, tuple[str, ...]]] = {"set": ("spell_name",)}

    operation: Operation = Field(
        description="set the spell a caster concentrates on, get it, check it after damage, or break it."
    )
    character_id: ParticipantId | None = Field(default=None, description="The caster: a character or a participant.")
    character_name: Name | None = Field(default=None, description="The caster by name, in place of character_id.")
    encounter_id: RunningEncounterId | None = Field(
        default=None, description="The fight, when the caster exists in it alone."
    )
    spell_name: NewName | None = Field(default=None, description="For set: the spell.")
    targets: ListOf[ParticipantId] = Field(default=(), max_length=100, description="For set: ids of its targets.")
    duration: Rounds | None = Field(default=None, description="For set: how many rounds it lasts at most.")
    damage_amount: Count | None = Field(default=None, description="For check: the damage taken, all of one hit.")
    damage: Count | None = Field(default=None, description="Another name of damage_amount.")
    con_save_modifier: Annotated[int, Field(strict=True, ge=-100, le=100)] | None = Field(
        default=None, description="For check: the modifier of the d20, in place of the caster's own."
    )
    roll_mode: RollMode = Field(default="normal", description="For check: advantage or disadvantage besides their own.")
    manual_roll: D20 | None = Field(default=None, description=f"For check. {ONE_FACE}")
    manual_rolls: ManualRolls = Field(default=(), description=f"For check. {TWO_FACES}")
    reason: Words | None = Field(default=None, description="For break: why.")


class ManageConcentrationResult(Model):
    """The caster's concentration now, and the save if there was one."""

    target: Id
    operation: Text
    concentrating: Flag
    spell_name: Text | None = Field(description="The spell; after a break, the one that ended.")
    targets: ListOf[Id]
    duration: SafeInt | None
    rounds_remaining: SafeInt | None
    dc: SafeInt | None
    natural: SafeInt | None
    rolls: ListOf[SafeInt]
    modifier: SafeInt | None
    total: SafeInt | None
    success: Flag | None
    broken: Flag = Field(description="Whether the spell has just ended, with all that hung on it.")
    previous_spell: Text | None = Field(description="For set: the spell that ended for the new one.")
    reason: Text | None


@toolkit(
    ManageConcentrationArgs,
    ManageConcentrationResult,
    example={
        "operation": "set",
        "character_id": "cyra",
        "spell_name": "Haste",
        "targets": ["aria"],
        "duration": 10,
    },
    batch=True,
    shared=("encounter_id",),
)
def manage_concentration(world: World, args: ManageConcentrationArgs, ctx: Context) -> Applied:
    """Begin, look at, test or end the one spell that a caster concentrates on.

    The conditions, effects and auras that depend on it end with it. A new spell ends the old one. Damage dealt by other
    tools makes its saving throw automatically, and a caster who falls, dies or is incapacitated loses the spell without
    one, so check is only for narrated damage: DC 10 or half the damage, one check for each hit.
    """
    caster = require_creature(world, args.character_id, args.character_name, args.encounter_id, "character")
    done = _done(world, caster, args, ctx)
    if caster.encounter_id is not None:
        settle_summons(world, caster.encounter_id)
    return done


def _done(world: World, caster: Creature, args: ManageConcentrationArgs, ctx: Context) -> Applied:
    if args.operation == "set":
        return _set(world, caster, args)
    if args.operation == "check":
        return _check(world, caster, args, ctx)
    held = caster.character.concentration
    if args.operation == "break" and held is not None:
        end_concentration(world, caster)
        return _told(caster, args, None, **_spell(held), broken=True)
    return _told(caster, args, held)


def _set(world: World, caster: Creature, args: ManageConcentrationArgs) -> Applied:
    targets = [_target_id(world, caster, target, i) for i, target in enumerate(args.targets)]
    require_able(caster, "concentrate")
    previous = begin_concentration(world, caster, args.spell_name or "", targets, args.duration)
    caster = reload(world, caster)
    return _told(caster, args, caster.character.concentration, previous_spell=previous)


def _target_id(world: World, caster: Creature, target: str, index: int) -> str:
    try:
        return require_creature(world, target, None, caster.encounter_id).id
    except CallFailed as failure:
        repair: hint.Hint = {**failure.hint, "field": f"args.targets.{index}"}
        raise CallFailed(failure.reason, failure.detail, repair) from None


def _check(world: World, caster: Creature, args: ManageConcentrationArgs, ctx: Context) -> Applied:
    damage = _damage(args)
    held = caster.character.concentration
    if held is None or damage == 0:
        return _told(caster, args, held)
    made = concentration_save(
        world,
        caster,
        concentration_dc(damage),
        ctx,
        modifier=args.con_save_modifier,
        extra=mode_sources(args.roll_mode),
        manual=args.manual_roll,
        manuals=args.manual_rolls,
    )
    if not made.success:
        end_concentration(world, caster)
    return _told(
        caster,
        args,
        held if made.success else None,
        **_spell(held),
        dc=concentration_dc(damage),
        natural=made.d20.natural,
        rolls=list(made.d20.rolls),
        modifier=made.modifier,
        total=made.total,
        success=made.success,
        broken=not made.success,
    )


def _damage(args: ManageConcentrationArgs) -> int:
    if args.damage_amount is None and args.damage is None:
        repair = hint.ask_for("args.damage_amount")
        raise CallFailed(Reason.INVALID_ARGS, "args.damage_amount: is required for check", repair)
    if args.damage_amount is not None and args.damage not in (None, args.damage_amount):
        detail = "args.damage: is not what damage_amount says"
        raise CallFailed(Reason.INVALID_ARGS, detail, hint.remove("args.damage"))
    return (args.damage if args.damage_amount is None else args.damage_amount) or 0


def _spell(held: Concentration | None) -> HeldSpell:
    return {
        "spell_name": held.spell_name if held else None,
        "targets": list(held.targets) if held else [],
        "duration": held.duration if held else None,
        "rounds_remaining": held.rounds_remaining if held else None,
    }


def _told(caster: Creature, args: ManageConcentrationArgs, held: Concentration | None, **told: Any) -> Applied:
    """Return the result: the concentration now, the operation's own fields, and the rest empty."""
    result = {
        "target": caster.id,
        "operation": args.operation,
        "concentrating": held is not None,
        **_spell(held),
        "dc": None,
        "natural": None,
        "rolls": [],
        "modifier": None,
        "total": None,
        "success": None,
        "broken": False,
        "previous_spell": None,
        "reason": args.reason,
    }
    return Applied({**result, **told})
