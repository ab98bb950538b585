"""level_up: a character gains one or more levels."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from pydantic import Field

from turnwright.model.base import Count, FrozenMap, ListOf, Model, SafeInt, Text, is_empty, is_none, name_tag
from turnwright.model.creature import PactPool, Pool, Resource
from turnwright.model.sheet import Level, Sheet
from turnwright.model.state.overlay import World
from turnwright.model.vocabulary import Ability
from turnwright.model.wire import hint
from turnwright.model.wire.reason import CallFailed, Reason
from turnwright.rulesets.content_library import library_in, packs_used
from turnwright.rulesets.core.people import require_character
from turnwright.rulesets.fifth_edition.sheets import classes
from turnwright.rulesets.fifth_edition.sheets import sheet_rules as sheets
from turnwright.rulesets.fifth_edition.sheets._sheet import grown_from
from turnwright.rulesets.fifth_edition.sheets._view import shown_slots
from turnwright.rulesets.fifth_edition.sheets.derived_stats import counted_hp
from turnwright.rulesets.fifth_edition.sheets.leveling import HpMethod, hp_gain, raised_hp
from turnwright.rulesets.fifth_edition.sheets.multiclass import class_levels, level_in, why_not
from turnwright.rulesets.fifth_edition.sheets.rounding import bounded
from turnwright.rulesets.fifth_edition.targets import creature_of, put_creature, require_sheet
from turnwright.rulesets.references import CharacterId, Choice, Name, NewLabel
from turnwright.rulesets.tool import Applied, Context
from turnwright.rulesets.toolkit import ToolkitArgs, toolkit

if TYPE_CHECKING:
    from turnwright.rulesets.fifth_edition.sheets.building.growth import Growth

_HIGHEST = 20
_HIGHEST_SCORE = 20
_POINTS = 2
"""By how much an Ability Score Improvement raises scores."""
Method = Annotated[
    Literal["roll", "average", "max", "manual"],
    Choice(
        {"average": ("fixed", "avg", "mean"), "roll": ("rolled", "dice"), "max": ("maximum",), "manual": ("given",)}
    ),
]


class LevelUpArgs(ToolkitArgs):
    """Arguments of `level_up`."""

    needs: ClassVar = {"manual": ("manual_hp",)}
    only_for: ClassVar = {"manual_hp": ("manual",), "manual_roll": ("roll",)}
    operation_key: ClassVar[str] = "hp_method"

    character_id: CharacterId | None = Field(default=None, description="Id of the character.")
    character_name: Name | None = Field(default=None, description="Name of the character, in place of the id.")
    target_level: Annotated[int, Field(strict=True, ge=2, le=_HIGHEST)] | None = Field(
        default=None, description="The level to reach. Absent: the next one."
    )
    class_: NewLabel | None = Field(
        default=None, alias="class", description="The class of the new levels, if not the current one: Wizard."
    )
    hp_method: Method = Field(
        default="average", description="How hit points are found: roll the hit die, its average, its maximum, or given."
    )
    manual_hp: Annotated[int, Field(strict=True, ge=1, le=1000)] | None = Field(
        default=None, description="For manual: hit points for each level, CON included already."
    )
    manual_roll: Annotated[int, Field(strict=True, ge=1, le=12)] | None = Field(
        default=None, description="For roll: the face of the hit die rolled at the table, for each level."
    )
    new_features: ListOf[NewLabel] = Field(default=(), description="Names of new features.")
    new_spells: ListOf[NewLabel] = Field(default=(), description="Names of spells they know now.")
    ability_increase: ListOf[Ability] = Field(
        default=(), description="Abilities that rise by 1, of an Ability Score Improvement: two, or one twice."
    )


class LevelUpResult(Model):
    """The gains of the level."""

    old_level: Level
    new_level: Level
    hp_gain: Count = Field(description="By how much the maximum rose.")
    rolls: ListOf[SafeInt] = Field(description="Faces of the hit dice; empty unless they were rolled.")
    old_max_hp: Count
    new_max_hp: Count
    hp: Count
    old_proficiency: SafeInt
    new_proficiency: SafeInt
    hit_dice: Pool
    caster_type: Text = Field(description="full, half, third, warlock or none.")
    spell_slots: FrozenMap[Pool] = Field(description="By spell level; spent slots stay spent.")
    pact_slots: PactPool | None
    resource: Resource | None
    new_features: ListOf[NewLabel]
    new_spells: ListOf[NewLabel]
    classes: FrozenMap[Level] | None = Field(
        default=None, exclude_if=is_none, description="Levels by class, for several classes."
    )
    ability_increase: ListOf[Ability] = Field(
        default=(), exclude_if=is_empty, description="Abilities that rose by 1, those twice that rose by 2."
    )
    undecided: ListOf[Text] = Field(
        default=(), exclude_if=is_empty, description="Choices left to the player, for a class from content."
    )


@toolkit(LevelUpArgs, LevelUpResult, example={"character_name": "Mira", "new_spells": ["Fireball"]}, batch=True)
def level_up(world: World, args: LevelUpArgs, ctx: Context) -> Applied:
    """Raise a character's level: hit points, hit dice, spell slots, proficiency and the class's resource follow.

    Call it when the story says a level has been earned. A character made from content gains the features of the class;
    make the choices that come with the level with the player, in `ability_increase`, `new_features` and `new_spells`.
    `class` takes the level in another class. It is not a rest: spent resources stay spent. To correct a wrong level,
    use `update_character`.
    """
    person = require_sheet(
        creature_of(world, require_character(world, args.character_id, args.character_name)), "a level"
    )
    old = sheets.sheet_of(person)
    level = _target(old, args)
    levels = level - old.level
    other = _other_class(old, args)
    die = sheets.hit_die(old) if other is None else classes.hit_die(other)
    if args.manual_roll is not None and args.hp_method == "roll" and args.manual_roll > die:
        repair = hint.ask("args.manual_roll", args.manual_roll)
        raise CallFailed(Reason.INVALID_ARGS, f"args.manual_roll: the hit die is a d{die}", repair)
    growth = _growth(world, ctx, old, other, levels)
    _check_increase(old, other, levels, growth, args)

    rolls = _faces(args, die, person.id, levels, ctx) if args.hp_method == "roll" else []
    new = _raised(old, level, other, growth, args)
    if growth is not None:
        new = growth.added_to(new, old, person.inventory)
    gain = sum(_gains(args, die, sheets.modifier(new, "con"), rolls, levels)) + sheets.trait_hp(old) * levels
    gain += (sheets.modifier(new, "con") - sheets.modifier(old, "con")) * old.level
    most = bounded((person.max_hp or 0) + gain)
    after = person.replace(sheet=new, max_hp=most, hp=raised_hp(person.hp or 0, gain))
    put_creature(world, creature_of(world, person), after)
    result = {
        "old_level": old.level,
        "new_level": level,
        "hp_gain": gain,
        "rolls": rolls,
        "old_max_hp": person.max_hp,
        "new_max_hp": most,
        "hp": counted_hp(after)[0],
        "old_proficiency": sheets.proficiency(old),
        "new_proficiency": sheets.proficiency(new),
        "hit_dice": new.hit_dice.as_written,
        **shown_slots(new),
        "resource": new.resource and new.resource.as_written,
        "new_features": _named(growth, args),
        "new_spells": list(args.new_spells),
        **({"classes": class_levels(new)} if new.other_classes else {}),
        **({"ability_increase": list(args.ability_increase)} if args.ability_increase else {}),
        **({"undecided": undecided} if (undecided := _undecided(growth, args)) else {}),
    }
    return Applied(result, packs=packs_used(growth.found, ctx) if growth else {})


def _growth(world: World, ctx: Context, old: Sheet, other: str | None, levels: int) -> Growth | None:
    """Return the gains from the class's content entry; None for a sheet that is maintained by hand."""
    if not old.features or (library := library_in(world, ctx, "args.class")) is None:
        return None
    from turnwright.rulesets.fifth_edition.sheets.building.growth import growth_in

    name = other or old.class_
    before = level_in(old, name)
    return growth_in(library, old, name, before, before + levels)


def _check_increase(old: Sheet, other: str | None, levels: int, growth: Growth | None, args: LevelUpArgs) -> None:
    """Raise `rule_violation` for scores that no level raises, or not so high."""
    raised = args.ability_increase
    if not raised:
        return
    name = other or old.class_
    before = level_in(old, name)
    times = growth.improvements if growth else classes.improvements(name, before, before + levels)
    if len(raised) > _POINTS * times:
        what = f"raises scores by {_POINTS * times} in all" if times else "raises no ability score"
        detail = f"args.ability_increase: level {before + levels} of {name} {what}"
        raise CallFailed(Reason.RULE_VIOLATION, detail, hint.ask("args.ability_increase", list(raised)))
    for ability, points in Counter(raised).items():
        if getattr(old.stats, ability) + points > _HIGHEST_SCORE:
            detail = (
                f"args.ability_increase: {ability} is {getattr(old.stats, ability)}, and {_HIGHEST_SCORE} is the most"
            )
            raise CallFailed(Reason.RULE_VIOLATION, detail, hint.ask("args.ability_increase", list(raised)))


def _named(growth: Growth | None, args: LevelUpArgs) -> list[str]:
    return list(dict.fromkeys((*(growth.features if growth else ()), *args.new_features)))


def _undecided(growth: Growth | None, args: LevelUpArgs) -> list[str]:
    """Return the choices left to the player, in words."""
    if growth is None:
        return []
    left = _POINTS * growth.improvements - len(args.ability_increase)
    spells = () if args.new_spells else growth.spells
    return [*([classes.IMPROVES] if left > 0 else []), *growth.options, *spells]


def _other_class(sheet: Sheet, args: LevelUpArgs) -> str | None:
    """Return the class of the new levels as the sheet spells it; None for the character's first class.

    Raises:
        CallFailed: `invalid_args` for a class outside the twelve, `rule_violation` for scores that are too low.
    """
    wanted = args.class_
    if wanted is None or name_tag(wanted) == name_tag(sheet.class_):
        return None
    for known in sheet.other_classes:
        if name_tag(known) == name_tag(wanted):
            return known
    if wanted.strip().lower() not in classes.CLASSES:
        names = [name.title() for name in classes.CLASSES]
        detail = f"args.class: {wanted} is none of the classes that a level can be added in: {', '.join(names)}"
        raise CallFailed(Reason.INVALID_ARGS, detail, hint.name("args.class", wanted, names))
    if (why := why_not(sheet, wanted)) is not None:
        raise CallFailed(Reason.RULE_VIOLATION, f"args.class: {why}", hint.ask("args.class", wanted, [sheet.class_]))
    return wanted.strip().title()


def _target(sheet: Sheet, args: LevelUpArgs) -> int:
    level = sheet.level + 1 if args.target_level is None else args.target_level
    if sheet.level == _HIGHEST:
        raise CallFailed(Reason.RULE_VIOLATION, f"level {_HIGHEST} is the highest there is")
    if level <= sheet.level:
        detail = f"args.target_level: level {level} is not above level {sheet.level}"
        repair = hint.ask("args.target_level", level, [sheet.level + 1])
        raise CallFailed(Reason.RULE_VIOLATION, detail, repair)
    return level


def _faces(args: LevelUpArgs, die: int, who: str, levels: int, ctx: Context) -> list[int]:
    why = f"{who} hit die"
    if args.manual_roll is not None:
        return [ctx.dice.take(args.manual_roll, die, why) for _ in range(levels)]
    ctx.dice.expect([(die, why)] * levels)
    return [ctx.dice.draw(die, why) for _ in range(levels)]


def _gains(args: LevelUpArgs, die: int, con: int, rolls: list[int], levels: int) -> list[int]:
    method: HpMethod = args.hp_method
    given = rolls or [args.manual_hp or 0] * levels
    return [hp_gain(method, die, con, face) for face in given]


def _raised(old: Sheet, level: int, other: str | None, growth: Growth | None, args: LevelUpArgs) -> Sheet:
    """Return the sheet at its new level; the class's resource is whole again."""
    points = Counter(args.ability_increase)
    learnt: dict[str, Any] = {
        "features": tuple(dict.fromkeys((*old.features, *_named(growth, args)))),
        "known_spells": tuple(dict.fromkeys((*old.known_spells, *args.new_spells))),
    }
    if points:
        learnt["stats"] = old.stats.replace(**{name: getattr(old.stats, name) + points[name] for name in points})
    if other is not None:
        learnt["other_classes"] = {**old.other_classes, other: old.other_classes.get(other, 0) + level - old.level}
    return grown_from(old, old.replace(level=level, **learnt))
