"""Create and change sheets for calls: merge race and class, and update values that depend on level, class and scores.

Source: SRD 5.1, "Beyond 1st Level"; docs/toolkit.md, "Sheets".
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from turnwright.model.base import Model
from turnwright.model.creature import PactPool, Pool
from turnwright.model.sheet import CustomClass, CustomRace, RaceGains, Sheet
from turnwright.rulesets.fifth_edition.sheets import sheet_rules as sheets
from turnwright.rulesets.fifth_edition.sheets._sheet_args import SheetArgs
from turnwright.rulesets.fifth_edition.sheets.leveling import Slots, grown, grown_slots

if TYPE_CHECKING:
    from turnwright.rulesets.fifth_edition.sheets.shapes import ClassChanges

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
    "halved_weapons",
    "harmless_weapons",
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
_REPLACED = ("speed", "fly_speed", "swim_speed", "climb_speed", "size")
"""Values of a character that a race replaces."""


def sheet_fields(args: SheetArgs) -> list[str]:
    """Return the given arguments that require a sheet, by their names in calls."""
    fields = {name: field.alias or name for name, field in SheetArgs.model_fields.items() if name != "character_type"}
    return [shown for name, shown in fields.items() if getattr(args, name) is not None]


def sheet_with(before: Sheet, args: SheetArgs) -> Sheet:
    """Return a sheet with the values of a call; slots, hit dice and resource are not updated."""
    race = _custom(CustomRace, args.custom_race)
    own = _without_race(before) if race is not None or _is_of_another(before, args.race) else before
    changes: dict[str, Any] = {name: given for name in _PLAIN if (given := getattr(args, name)) is not None}
    changes = {name: _once(given) if isinstance(given, tuple) else given for name, given in changes.items()}
    changes |= {"level": args.level} if args.level is not None else {}
    changes |= {"race": args.race} if args.race is not None else {}
    changes |= _class_changes(before, args)
    if args.stats is not None:
        changes["stats"] = own.stats.replace(**args.stats.given)
    after = own.replace(**changes)
    return _still_of_race(after, changes) if race is None else _with_race(after, race)


def refreshed(sheet: Sheet) -> Sheet:
    """Return a sheet with everything that rests restore, fully restored."""
    return sheet.replace(
        hit_dice=Pool(current=sheet.level, max=sheet.level),
        spell_slots=sheets.full_slots(sheet),
        pact_slots=sheets.full_pact_slots(sheet),
        resource=sheets.full_resource(sheet),
    )


def grown_from(before: Sheet, after: Sheet) -> Sheet:
    """Return a sheet after a change of level or class: spent amounts stay spent under the new maxima."""
    dice = before.hit_dice.current + max(0, after.level - before.level)
    return after.replace(
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
    return full and full.replace(current=grown(had.current, had.max, full.max) if had else full.max)


def _class_changes(before: Sheet, args: SheetArgs) -> ClassChanges:
    """Return the class of a call; a change of class removes a custom one."""
    custom = _custom(CustomClass, args.custom_class)
    changes: ClassChanges = {}
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


def _is_of_another(before: Sheet, race: str | None) -> bool:
    """Return whether a character of a custom race gets another race's name; other races are only a word."""
    return race is not None and before.custom_race is not None and not _is_named(before.custom_race, race)


def _with_race(own: Sheet, race: CustomRace) -> Sheet:
    """Return a sheet with a custom race; the sheet records the real changes if they differ from the stated ones."""
    changes: dict[str, Any] = {"race": race.name, "custom_race": race}
    gains: dict[str, Any] = {name: _missing(getattr(race, name), getattr(own, name)) for name in _DEFENCES}
    changes |= {name: (*getattr(own, name), *gained) for name, gained in gains.items()}

    base = dict(own.stats)
    scores = {ability: _score(base[ability] + race.ability_bonuses.get(ability, 0)) for ability in base}
    changes["stats"] = scores
    gains["ability_bonuses"] = {ability: scores[ability] - base[ability] for ability in race.ability_bonuses}

    replaced = {name: value for name in _REPLACED if (value := getattr(race, name)) is not None}
    gains |= {name: getattr(own, name) for name in replaced}
    changes |= replaced
    if race.darkvision is not None:
        gains["darkvision"] = own.senses.darkvision
        changes["senses"] = own.senses.replace(darkvision=race.darkvision)
    return own.replace(**changes, race_gains=_unless_said(RaceGains(**gains), race))


def _without_race(sheet: Sheet) -> Sheet:
    """Return a character without the gains of their custom race; later changes stay."""
    had = sheet.custom_race
    if had is None:
        return sheet
    gains = _gains(sheet, had)
    changes: dict[str, Any] = {"custom_race": None, "race_gains": None}
    changes |= {name: _missing(getattr(sheet, name), getattr(gains, name)) for name in _DEFENCES}
    changes["stats"] = {ability: _score(now - gains.ability_bonuses.get(ability, 0)) for ability, now in sheet.stats}
    changes |= {name: getattr(gains, name) for name in _REPLACED if getattr(sheet, name) == getattr(had, name)}
    if sheet.senses.darkvision == had.darkvision:
        changes["senses"] = sheet.senses.replace(darkvision=gains.darkvision)
    return sheet.replace(**changes)


def _still_of_race(sheet: Sheet, given: Collection[str]) -> Sheet:
    """Return a character who keeps their custom race: newly given defenses get the race's own added again."""
    had, listed = sheet.custom_race, [name for name in _DEFENCES if name in given]
    if had is None or not listed:
        return sheet
    gained = {name: _missing(getattr(had, name), getattr(sheet, name)) for name in listed}
    changes: dict[str, Any] = {name: (*getattr(sheet, name), *new) for name, new in gained.items()}
    return sheet.replace(**changes, race_gains=_unless_said(_gains(sheet, had).replace(**gained), had))


def _gains(sheet: Sheet, race: CustomRace) -> RaceGains:
    """Return the gains of a custom race in a sheet."""
    return _said(race) if sheet.race_gains is None else sheet.race_gains


def _said(race: CustomRace) -> RaceGains:
    """Return the gains that a custom race states for a character without any of them."""
    return RaceGains(ability_bonuses=race.ability_bonuses, **{name: _once(getattr(race, name)) for name in _DEFENCES})


def _unless_said(gains: RaceGains, race: CustomRace) -> RaceGains | None:
    return None if gains == _said(race) else gains


def _missing(wanted: Iterable[T], there: Collection[T]) -> tuple[T, ...]:
    return tuple(each for each in dict.fromkeys(wanted) if each not in there)


def _score(value: int) -> int:
    return max(_LOWEST, min(_HIGHEST, value))


def _custom(model: type[M], given: Model | None) -> M | None:
    """Return a race or class of a call in the form of documents."""
    return None if given is None else model.model_validate(given.model_dump(exclude_unset=True))


def _is_named(own: CustomClass | CustomRace, name: str) -> bool:
    return own.name.strip().casefold() == name.strip().casefold()


def _once(values: Iterable[T]) -> tuple[T, ...]:
    return tuple(dict.fromkeys(values))
