"""take_rest: a character takes a short or a long rest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from pydantic import Field

from turnwright.model.base import Count, Flag, FrozenMap, ListOf, Model, SafeInt, Text, is_none
from turnwright.model.calendar import DAY, HOUR
from turnwright.model.character import Character
from turnwright.model.state.overlay import World
from turnwright.model.vocabulary import ConditionName, RestType
from turnwright.model.wire import hint
from turnwright.model.wire.reason import CallFailed, Reason
from turnwright.rulesets.core.people import require_character
from turnwright.rulesets.fifth_edition.condition_list import EXHAUSTION, alike, found, is_of_hp, without_condition
from turnwright.rulesets.fifth_edition.condition_rules import MAX_EXHAUSTION
from turnwright.rulesets.fifth_edition.daily_effects import days_pass
from turnwright.rulesets.fifth_edition.damage import heal, is_beyond_healing, require_healable
from turnwright.rulesets.fifth_edition.maintained_effects import end_concentration
from turnwright.rulesets.fifth_edition.passing_time import (
    Interval,
    TimePassed,
    keeps_calendar,
    rest_interval,
    rest_passes,
)
from turnwright.rulesets.fifth_edition.sheets import health, rests
from turnwright.rulesets.fifth_edition.sheets import sheet_rules as sheets
from turnwright.rulesets.fifth_edition.sheets._view import hit_dice
from turnwright.rulesets.fifth_edition.sheets.derived_stats import effective
from turnwright.rulesets.fifth_edition.sheets.effect_list import effect_found, without_lasting
from turnwright.rulesets.fifth_edition.sheets.multiclass import hit_dice_sizes
from turnwright.rulesets.fifth_edition.targets import Creature, creature_of, now, put_creature, reload, require_sheet
from turnwright.rulesets.references import CharacterId, Name
from turnwright.rulesets.tool import Applied, Context
from turnwright.rulesets.toolkit import ToolkitArgs, toolkit

if TYPE_CHECKING:
    from turnwright.rulesets.fifth_edition.sheets.shapes import RestReport


class TakeRestArgs(ToolkitArgs):
    """Arguments of `take_rest`."""

    character_id: CharacterId | None = Field(default=None, description="Id of the resting character.")
    character_name: Name | None = Field(default=None, description="Name of the resting character, in place of the id.")
    rest_type: RestType = Field(description="short: an hour or more; long: a night.")
    hit_dice_to_spend: Count = Field(
        default=0, description="Short rest: how many hit dice to heal with; no more than are left are spent."
    )
    restore_hp: Flag = Field(default=True, description="False: no hit points are regained, and no hit dice are spent.")
    restore_spell_slots: Flag = Field(default=True, description="False: no spell slots are regained.")
    restore_hit_dice: Flag = Field(default=True, description="False: no hit dice are regained.")
    clear_conditions: ListOf[ConditionName] = Field(default=(), description="Conditions that this rest ends as well.")
    uninterrupted: Flag = Field(default=True, description="False: something disturbed it, and it does nothing.")
    hours: Annotated[int, Field(strict=True, ge=1, le=720)] | None = Field(
        default=None,
        description=(
            "With a calendar: how long it takes, 1 or 8 if not said; with `uninterrupted` false, hours that pass "
            "without rest, on the road or on watch."
        ),
    )


class TakeRestResult(Model):
    """The values that the rest restored."""

    rest_type: RestType
    hp_before: Count
    hp_after: Count
    healing: Count = Field(description="The healing of the hit dice, before the maximum capped it.")
    hit_dice_spent: Count
    hit_dice_rolls: ListOf[SafeInt]
    hit_dice_before: Count
    hit_dice_after: Count
    hit_dice_max: Count
    slots_restored: FrozenMap[Count] = Field(description="Regained spell slots, by spell level.")
    pact_restored: Count
    exhaustion_before: Count
    exhaustion_after: Count
    conditions_cleared: ListOf[Text]
    effects_ended: ListOf[Text] = Field(description="Names of effects that it ended.")
    interrupted: Flag
    time: TimePassed | None = Field(
        default=None, exclude_if=is_none, description="With a calendar: the time that passed."
    )


_HOURS: Mapping[RestType, int] = {"short": 1, "long": 8}
"""The least that a rest takes."""


class _Healed(NamedTuple):
    """The result of hit dice: their faces, and the total hit points."""

    faces: Sequence[int] = ()
    healing: int = 0


@toolkit(
    TakeRestArgs,
    TakeRestResult,
    example={"character_name": "Mira", "rest_type": "short", "hit_dice_to_spend": 2},
    batch=True,
)
def take_rest(world: World, args: TakeRestArgs, ctx: Context) -> Applied:
    """Let a character take a short rest (an hour) or a long one (a night): call it once for each resting character.

    Short: spend hit dice to heal; a warlock regains pact slots. Long: all hit points and slots, half of the hit dice,
    one level of exhaustion less; temporary hit points and concentration end; it takes at least 1 hit point. Characters
    in a fight cannot rest. With a calendar (`rules.calendar`) the clock advances, once for all rests in one turn, and
    there is one long rest in 24 hours; without one, you keep track of time. Returns what was regained.
    """
    creature = creature_of(world, require_character(world, args.character_id, args.character_name))
    before = require_sheet(creature, "a rest")
    _require_rest(creature, args)
    interval = _interval(world, creature, args, ctx)
    passed = rest_passes(world, before.id, interval, ctx) if interval is not None else None
    time, worse = passed or (None, ())
    if passed is None and args.uninterrupted and args.rest_type == "long":
        # There is one long rest a day, so without a calendar each long rest counts as a day.
        worse = days_pass(world, creature, DAY, ctx)
    aged = reload(world, creature).character
    if not args.uninterrupted or aged.is_dead:
        told = _told(before, aged, _Healed(), args, time)
        notes = () if aged.is_dead else (f"{creature.id} was disturbed: nothing came back",)
        return Applied(told, (*worse, *notes))

    put_creature(world, creature, _ended(aged, args))
    healed = _short(world, reload(world, creature), args, ctx) if args.rest_type == "short" else _Healed()
    if args.rest_type == "long":
        _long(world, reload(world, creature), args, ctx)
        if interval is not None:
            _note_rest(world, reload(world, creature), interval)
    return Applied(_told(before, reload(world, creature).character, healed, args, time), worse)


def _require_rest(creature: Creature, args: TakeRestArgs) -> None:
    if creature.encounter_id is not None:
        raise CallFailed(Reason.RULE_VIOLATION, f"{creature.id} is in {creature.encounter_id}: nobody rests in a fight")
    require_healable(creature)
    if args.rest_type == "long" and (creature.character.hp or 0) < 1:
        detail = f"{creature.id} has no hit points, and a long rest wants at least 1"
        raise CallFailed(Reason.RULE_VIOLATION, detail, hint.ask("args.rest_type", "long", ["short"]))


def _interval(world: World, creature: Creature, args: TakeRestArgs, ctx: Context) -> Interval | None:
    """Return beginning and end of a rest by the calendar; None without one, and for a rest that is cut short at once.

    Raises:
        CallFailed: `invalid_args` for hours without a calendar, or for too few of them; `rule_violation` for a second
            long rest in 24 hours.
    """
    if not keeps_calendar(ctx.settings):
        if args.hours is not None:
            detail = "args.hours: this campaign keeps no calendar (rules.calendar)"
            raise CallFailed(Reason.INVALID_ARGS, detail, hint.remove("args.hours"))
        return None
    who, least = creature.character.id, _HOURS[args.rest_type]
    if not args.uninterrupted:
        return rest_interval(world, who, args.hours, ctx.seq) if args.hours is not None else None
    if args.hours is not None and args.hours < least:
        detail = f"args.hours: a {args.rest_type} rest takes at least {least} hours"
        raise CallFailed(Reason.INVALID_ARGS, detail, hint.ask("args.hours", args.hours, [least]))
    interval = rest_interval(world, who, args.hours or least, ctx.seq)
    last = sheets.sheet_of(creature.character).long_rest_at
    if args.rest_type == "long" and last is not None and interval.ended - last < DAY:
        wait = -(-(DAY - (interval.ended - last)) // HOUR)
        detail = (
            f"{creature.id} has had a long rest within 24 hours, and no good of another; "
            f"it can begin in {wait} hour{'s' if wait > 1 else ''}"
        )
        raise CallFailed(Reason.RULE_VIOLATION, detail, hint.ask("args.rest_type", "long", ["short"]))
    return interval


def _note_rest(world: World, creature: Creature, interval: Interval) -> None:
    sheet = sheets.sheet_of(creature.character).replace(long_rest_at=interval.ended)
    put_creature(world, creature, creature.character.replace(sheet=sheet))


def _ended(character: Character, args: TakeRestArgs) -> Character:
    """Return a character without effects that last until a rest, and without those that the call ends."""
    over = ("until_rest", *(["until_long_rest"] if args.rest_type == "long" else []))
    kept = tuple(each for each in character.conditions if each.duration not in over)
    character = character.replace(conditions=kept)
    for name in args.clear_conditions:
        present = found(character, name)
        if present is not None and not is_of_hp(present):
            character = without_condition(character, name, MAX_EXHAUSTION).character
    for each in over:
        character = without_lasting(character, each)[0]
    return character


def _short(world: World, creature: Creature, args: TakeRestArgs, ctx: Context) -> _Healed:
    """Heal with hit dice, and restore a warlock's slots."""
    sheet = sheets.sheet_of(creature.character)
    dice = hit_dice(sheet)
    spent = rests.hit_dice_spent(args.hit_dice_to_spend, dice.current) if args.restore_hp else 0
    why, used = f"{creature.id} hit die", dice.max - dice.current
    sizes = hit_dice_sizes(sheet)[used : used + spent]
    ctx.dice.expect([(die, why) for die in sizes])
    faces = [ctx.dice.draw(die, why) for die in sizes]
    healing = rests.short_rest_healing(faces, now(world, creature).modifier("con"))
    pact = sheet.pact_slots
    changes: dict[str, Any] = {"hit_dice": dice.replace(current=dice.current - spent)} if spent else {}
    if pact is not None and args.restore_spell_slots:
        changes["pact_slots"] = pact.replace(current=pact.max)
    if changes:
        put_creature(world, creature, creature.character.replace(sheet=sheet.replace(**changes)))
    if healing:
        heal(world, reload(world, creature), healing, ctx, is_magic=False)
    return _Healed(faces, healing)


def _long(world: World, creature: Creature, args: TakeRestArgs, ctx: Context) -> None:
    end_concentration(world, creature)
    character = without_condition(reload(world, creature).character, EXHAUSTION).character.replace(temp_hp=0)
    sheet = sheets.sheet_of(character)
    changes: dict[str, Any] = {"spent_traits": ()} if sheet.spent_traits else {}
    if args.restore_hit_dice:
        left = rests.hit_dice_after_long_rest(hit_dice(sheet).current, sheet.level)
        changes["hit_dice"] = hit_dice(sheet).replace(current=left)
    if args.restore_spell_slots:
        changes["spell_slots"] = {level: pool.replace(current=pool.max) for level, pool in sheet.spell_slots.items()}
        changes["pact_slots"] = sheet.pact_slots and sheet.pact_slots.replace(current=sheet.pact_slots.max)
    new = sheet.replace(**changes) if changes else sheet
    character = character.replace(sheet=new) if new != sheet else character
    character = character.replace(effects=rests.faded(character.effects))
    if args.restore_hp and not is_beyond_healing(world, creature, is_magic=False):
        most = effective(character).max_hp.effective
        character = health.healed(character, most, changes_state=ctx.settings["rules.hp_zero_ends_game"])
    put_creature(world, creature, character)


def _told(
    before: Character, after: Character, healed: _Healed, args: TakeRestArgs, time: TimePassed | None
) -> RestReport:
    old, new = sheets.sheet_of(before), sheets.sheet_of(after)
    slots = {level: new.spell_slots[level].current - pool.current for level, pool in old.spell_slots.items()}
    told: RestReport = {
        "rest_type": args.rest_type,
        "hp_before": effective(before).hp,
        "hp_after": effective(after).hp,
        "healing": healed.healing,
        "hit_dice_spent": len(healed.faces),
        "hit_dice_rolls": list(healed.faces),
        "hit_dice_before": hit_dice(old).current,
        "hit_dice_after": hit_dice(new).current,
        "hit_dice_max": new.level,
        "slots_restored": _gained(slots),
        "pact_restored": new.pact_slots.current - old.pact_slots.current if new.pact_slots and old.pact_slots else 0,
        "exhaustion_before": _exhaustion(before),
        "exhaustion_after": _exhaustion(after),
        "conditions_cleared": [each.condition for each in before.conditions if alike(after, each) is None],
        "effects_ended": [each.name for each in before.effects if effect_found(after, each.effect_id) is None],
        "interrupted": not args.uninterrupted,
    }
    if time is not None:
        told["time"] = time.as_written
    return told


def _gained(slots: Mapping[str, int]) -> dict[str, int]:
    return {level: count for level, count in slots.items() if count}


def _exhaustion(character: Character) -> int:
    present = found(character, EXHAUSTION)
    return (present.exhaustion_level or 1) if present else 0
