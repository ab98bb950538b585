"""Sheets as calls make and change them: race and class merged in, and what hangs on level, class and scores.

Source: SRD 5.1, "Beyond 1st Level"; docs/toolkit.md, "Sheets".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from turnwright.model.base import Model
from turnwright.model.creature import PactPool, Pool, Stats
from turnwright.model.sheet import CustomClass, CustomRace, Sheet
from turnwright.rules import sheets
from turnwright.rules.effective import ABILITIES
from turnwright.rules.levelling import Slots, grown, grown_slots
from turnwright.tools.characters._sheet_args import SheetArgs

T = TypeVar("T")
M = TypeVar("M", bound=Model)
_LOWEST, _HIGHEST = 1, 30
_PLAIN = (
    "background",
    "ac",
    "speed",
    "size",
    "resistances",
    "immunities",
    "vulnerabilities",
    "condition_immunities",
    "spellcasting_ability",
    "known_spells",
    "prepared_spells",
    "cantrips",
    "equipment",
    "skill_proficiencies",
    "skill_expertise",
    "save_proficiencies",
)
_DEFENCES = ("resistances", "immunities", "vulnerabilities", "condition_immunities")


def sheet_fields(args: SheetArgs) -> list[str]:
    """Return the arguments that were given and that need a sheet to stand on, by their names on the wire."""
    fields = {name: field.alias or name for name, field in SheetArgs.model_fields.items() if name != "character_type"}
    return [shown for name, shown in fields.items() if getattr(args, name) is not None]


def sheet_with(before: Sheet, args: SheetArgs) -> Sheet:
    """Return a sheet with what a call says of it; slots, hit dice and resource are not looked at."""
    race = _race_taken(before, args)
    changes: dict[str, Any] = {name: given for name in _PLAIN if (given := getattr(args, name)) is not None}
    changes = {name: _once(given) if isinstance(given, tuple) else given for name, given in changes.items()}
    changes |= {"level": args.level} if args.level is not None else {}
    changes |= _class_changes(before, args)
    changes |= {"race": args.race} if args.race is not None else {}
    changes["stats"] = _stats(before, args, race)
    if race is not None:
        changes = _outgrown(before) | changes | _race_changes(before, race)
        changes["custom_race"] = race if args.custom_race is not None else None
    known_race = race or before.custom_race
    for name in _DEFENCES:
        if known_race is not None and (its := getattr(known_race, name)):
            changes[name] = _once((*changes.get(name, getattr(before, name)), *its))
    return before.having(**changes)


def refreshed(sheet: Sheet) -> Sheet:
    """Return a sheet with everything that is spent and comes back, unspent."""
    return sheet.having(
        hit_dice=Pool(current=sheet.level, max=sheet.level),
        spell_slots=sheets.full_slots(sheet),
        pact_slots=sheets.full_pact_slots(sheet),
        resource=sheets.full_resource(sheet),
    )


def grown_from(before: Sheet, after: Sheet) -> Sheet:
    """Return a sheet whose level or class has changed: what is spent stays spent under the new maxima."""
    dice = before.hit_dice.current + max(0, after.level - before.level)
    return after.having(
        hit_dice=Pool(current=min(dice, after.level), max=after.level),
        spell_slots=_grown_slots(before, after),
        pact_slots=_grown_pact(before, after),
        resource=sheets.full_resource(after)
        or (before.resource if after.custom_class == before.custom_class else None),
    )


def _grown_slots(before: Sheet, after: Sheet) -> Mapping[str, Pool]:
    kept = {int(level): Slots(pool.current, pool.max) for level, pool in before.spell_slots.items()}
    maxima = [pool.max for pool in sheets.full_slots(after).values()]
    return {str(level): Pool(current=left, max=most) for level, (left, most) in grown_slots(kept, maxima).items()}


def _grown_pact(before: Sheet, after: Sheet) -> PactPool | None:
    full = sheets.full_pact_slots(after)
    had = before.pact_slots
    return full and full.having(current=grown(had.current, had.max, full.max) if had else full.max)


def _class_changes(before: Sheet, args: SheetArgs) -> dict[str, Any]:
    """Return the class of a call; who takes another class leaves a custom one behind."""
    custom = _custom(CustomClass, args.custom_class)
    changes: dict[str, Any] = {}
    if custom is not None:
        changes |= {"class_": custom.name, "custom_class": custom}
    elif args.class_ is not None:
        changes["class_"] = args.class_
        if before.custom_class is not None and not _is_named(before.custom_class, args.class_):
            changes["custom_class"] = None
    own = changes.get("custom_class", before.custom_class)
    if args.save_proficiencies is not None and own is not None:
        changes["save_proficiencies"] = _once((*args.save_proficiencies, *own.save_proficiencies))
    return changes


def _race_taken(before: Sheet, args: SheetArgs) -> CustomRace | None:
    """Return the race that a call gives in place of the one before, or None; one of the book brings nothing of its own.

    Whose race is given by the name that their custom one has already, stays of it; without a custom one, a race is a
    word.
    """
    had = before.custom_race
    if args.custom_race is not None or args.race is None or had is None or _is_named(had, args.race):
        return _custom(CustomRace, args.custom_race)
    return CustomRace(name=args.race)


def _outgrown(before: Sheet) -> dict[str, Any]:
    """Return what becomes of all that came with a custom race, for somebody who is of it no more."""
    had = before.custom_race
    if had is None:
        return {}
    changes: dict[str, Any] = {
        name: tuple(each for each in getattr(before, name) if each not in getattr(had, name)) for name in _DEFENCES
    }
    plain = CustomRace(name=had.name)
    its_own = (name for name in ("speed", "size") if name in had.model_fields_set)
    return changes | {name: getattr(plain, name) for name in its_own if getattr(before, name) == getattr(had, name)}


def _race_changes(before: Sheet, race: CustomRace) -> dict[str, Any]:
    changes: dict[str, Any] = {"race": race.name}
    given = race.model_fields_set
    for name in ("fly_speed", "swim_speed", "climb_speed"):
        changes[name] = getattr(race, name)
    changes |= {name: getattr(race, name) for name in ("speed", "size") if name in given}
    return changes | {"senses": before.senses.having(darkvision=race.darkvision)}


def _stats(before: Sheet, args: SheetArgs, race: CustomRace | None) -> Stats:
    """Return the scores of a call; those of a race come on top, in place of those of the race before."""
    given = args.stats.given if args.stats else {}
    had = before.custom_race.ability_bonuses if before.custom_race else {}
    scores = {}
    for ability in ABILITIES:
        now = getattr(before.stats, ability)
        if race is None:
            scores[ability] = given.get(ability, now)
        else:
            base = given.get(ability, now - had.get(ability, 0))
            scores[ability] = max(_LOWEST, min(_HIGHEST, base + race.ability_bonuses.get(ability, 0)))
    return Stats.model_validate(scores)


def _custom(model: type[M], given: Model | None) -> M | None:
    """Return a race or class of a call as documents hold it."""
    return None if given is None else model.model_validate(given.model_dump(exclude_unset=True))


def _is_named(own: CustomClass | CustomRace, name: str) -> bool:
    return own.name.strip().casefold() == name.strip().casefold()


def _once(values: Iterable[T]) -> tuple[T, ...]:
    return tuple(dict.fromkeys(values))
