"""Pass time in a campaign with a calendar: advance the clock, and end effects whose time is up.

Without the setting `rules.calendar` there is no clock, and nothing here is used.
Source: docs/toolkit.md, "The calendar"; SRD 5.1, "Time", "Resting".
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from turnwright.model.aura import Aura
from turnwright.model.base import Count, Id, ListOf, Model, Text
from turnwright.model.calendar import CALENDAR_PATH, HOUR, Calendar, TimeOfDay, time_of_day
from turnwright.model.character import Character
from turnwright.model.settings import Settings
from turnwright.model.state.overlay import World
from turnwright.rulesets.fifth_edition.condition_list import with_conditions_ticked
from turnwright.rulesets.fifth_edition.daily_effects import days_pass
from turnwright.rulesets.fifth_edition.magic._auras import ticked
from turnwright.rulesets.fifth_edition.maintained_effects import end_concentration
from turnwright.rulesets.fifth_edition.sheets.effect_list import with_effects_ticked
from turnwright.rulesets.fifth_edition.targets import creature_of, put_creature, reload
from turnwright.rulesets.tool import Context

ROUND = 6
"""Seconds of a round."""


class Outlasted(Model):
    """Something that was over as time passed: a condition, an effect, or a spell that was concentrated on."""

    target_id: Id
    name: Text


class TimePassed(Model):
    """The time that passed, and the effects that ended."""

    seconds: Count
    began: TimeOfDay
    ended: TimeOfDay
    over: ListOf[Outlasted]


class Passed(NamedTuple):
    """Time that passed, and the results of daily effects, in words."""

    time: TimePassed
    told: tuple[str, ...]


class Interval(NamedTuple):
    """From one moment of the clock to another, in seconds."""

    began: int
    ended: int


def keeps_calendar(settings: Settings) -> bool:
    """Return whether the campaign has a clock."""
    return bool(settings["rules.calendar"])


def calendar_of(world: World) -> Calendar:
    """Return the clock; by default, its beginning."""
    found = world.get(CALENDAR_PATH)
    return found if isinstance(found, Calendar) else Calendar()


def rest_interval(world: World, who: str, hours: int, seq: int) -> Interval:
    """Return the beginning and end of a character's rest: rests of several characters in one turn begin together."""
    calendar = calendar_of(world)
    began = calendar.seconds
    if calendar.rest_seq == seq and calendar.rest_began is not None and who not in calendar.rested:
        began = calendar.rest_began
    return Interval(began, began + hours * HOUR)


def rest_passes(world: World, who: str, interval: Interval, ctx: Context) -> Passed:
    """Let the time of a rest pass; time that the clock has already counted for other resters passes once."""
    before = calendar_of(world)
    is_beside = before.rest_seq == ctx.seq and before.rest_began == interval.began
    passed = pass_time(world, max(0, interval.ended - before.seconds), ctx)
    rested = (*before.rested, who) if is_beside else (who,)
    world.put(calendar_of(world).replace(rest_seq=ctx.seq, rest_began=interval.began, rested=rested))
    time = passed.time.replace(
        seconds=interval.ended - interval.began,
        began=time_of_day(interval.began),
        ended=time_of_day(interval.ended),
    )
    return passed._replace(time=time)


def pass_time(world: World, seconds: int, ctx: Context, spared: Collection[str] = ()) -> Passed:
    """Advance the clock, and end expired effects.

    Creatures in a running fight are skipped: there, turns measure time.

    Args:
        world: the campaign.
        seconds: the time to pass.
        ctx: the context of the call, with the dice for daily effects.
        spared: ids of characters for which this time has passed already, round by round.
    """
    began = calendar_of(world)
    ended = began.replace(seconds=began.seconds + seconds)
    if seconds:
        world.put(ended)
    over = _end_expired(world, seconds // ROUND, spared) if seconds >= ROUND else []
    told = [line for character in list(world.characters()) for line in _worsen(world, character, seconds, ctx)]
    time = TimePassed(
        seconds=seconds,
        began=time_of_day(began.seconds),
        ended=time_of_day(ended.seconds),
        over=tuple(over),
    )
    return Passed(time, tuple(told))


def _worsen(world: World, character: Character, seconds: int, ctx: Context) -> tuple[str, ...]:
    creature = creature_of(world, character)
    has_daily = any(effect.daily is not None for effect in character.effects)
    if not has_daily or not seconds or creature.encounter_id is not None:
        return ()
    return days_pass(world, creature, seconds, ctx)


def _end_expired(world: World, rounds: int, spared: Collection[str]) -> list[Outlasted]:
    over: list[Outlasted] = []
    for character in list(world.characters()):
        if character.id not in spared and _has_counted(character):
            over += _age(world, character, rounds)
    free = [aura for aura in world.all(Aura) if aura.encounter_id is None and aura.rounds_remaining is not None]
    _, faded = ticked(world, free, rounds)
    return over + [Outlasted(target_id=aura.owner_id, name=aura.spell_name) for aura in faded]


def _has_counted(character: Character) -> bool:
    held = character.concentration
    conditions = (each.rounds_remaining for each in character.conditions)
    effects = (each.rounds_remaining for each in character.effects)
    return (held is not None and held.duration is not None) or any(left is not None for left in (*conditions, *effects))


def _age(world: World, character: Character, rounds: int) -> list[Outlasted]:
    creature = creature_of(world, character)
    if creature.encounter_id is not None:
        return []
    conditions = with_conditions_ticked(character, rounds)
    effects = with_effects_ticked(conditions.character, rounds)
    if effects.character is not character:
        put_creature(world, creature, effects.character)
    names = [*conditions.expired, *(effect.name for effect in effects.expired)]
    held = reload(world, creature).character.concentration
    left = None if held is None else held.duration if held.rounds_remaining is None else held.rounds_remaining
    if held is not None and left is not None:
        if left > rounds:
            after = reload(world, creature)
            aged = held.replace(rounds_remaining=left - rounds)
            put_creature(world, after, after.character.replace(concentration=aged))
        else:
            end_concentration(world, creature)
            names.append(held.spell_name)
    return [Outlasted(target_id=creature.id, name=name) for name in names]
