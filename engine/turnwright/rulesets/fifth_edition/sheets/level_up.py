"""level_up: somebody gains a level, or several."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from turnwright.model.base import Count, FrozenMap, ListOf, Model, SafeInt, Text, is_none, name_tag
from turnwright.model.creature import PactPool, Pool, Resource
from turnwright.model.sheet import Level, Sheet
from turnwright.model.state.overlay import World
from turnwright.model.wire import hint
from turnwright.model.wire.reason import CallFailed, Reason
from turnwright.rulesets.core.people import require_character
from turnwright.rulesets.fifth_edition.sheets import classes
from turnwright.rulesets.fifth_edition.sheets import sheet_rules as sheets
from turnwright.rulesets.fifth_edition.sheets._sheet import grown_from
from turnwright.rulesets.fifth_edition.sheets._view import shown_slots
from turnwright.rulesets.fifth_edition.sheets.derived_stats import counted_hp
from turnwright.rulesets.fifth_edition.sheets.leveling import HpMethod, hp_gain, raised_hp
from turnwright.rulesets.fifth_edition.sheets.multiclass import class_levels, why_not
from turnwright.rulesets.fifth_edition.sheets.rounding import bounded
from turnwright.rulesets.fifth_edition.targets import creature_of, put_creature, require_sheet
from turnwright.rulesets.references import CharacterId, Choice, Name, NewLabel
from turnwright.rulesets.tool import Applied, Context
from turnwright.rulesets.toolkit import ToolkitArgs, toolkit

_HIGHEST = 20
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

    character_id: CharacterId | None = Field(default=None, description="Id of who gains a level.")
    character_name: Name | None = Field(default=None, description="Name of who gains it, in place of the id.")
    target_level: Annotated[int, Field(strict=True, ge=2, le=_HIGHEST)] | None = Field(
        default=None, description="The level to reach. Absent: the next one."
    )
    class_: NewLabel | None = Field(
        default=None, alias="class", description="The class of the new levels, if it is another one: Wizard."
    )
    hp_method: Method = Field(
        default="average", description="How hit points are found: roll the hit die, its average, its maximum, or given."
    )
    manual_hp: Annotated[int, Field(strict=True, ge=1, le=1000)] | None = Field(
        default=None, description="For manual: hit points for each level, CON included already."
    )
    manual_roll: Annotated[int, Field(strict=True, ge=1, le=12)] | None = Field(
        default=None, description="For roll: the face of the hit die that fell at the table, for each level."
    )
    new_features: ListOf[NewLabel] = Field(default=(), description="Names of what they can do now.")
    new_spells: ListOf[NewLabel] = Field(default=(), description="Names of spells they know now.")


class LevelUpResult(Model):
    """What the level brought."""

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
    spell_slots: FrozenMap[Pool] = Field(description="By spell level; what was spent stays spent.")
    pact_slots: PactPool | None
    resource: Resource | None
    new_features: ListOf[NewLabel]
    new_spells: ListOf[NewLabel]
    classes: FrozenMap[Level] | None = Field(
        default=None, exclude_if=is_none, description="Levels by class, of who has several."
    )


@toolkit(LevelUpArgs, LevelUpResult, example={"character_name": "Mira", "new_spells": ["Fireball"]}, batch=True)
def level_up(world: World, args: LevelUpArgs, ctx: Context) -> Applied:
    """Raise a character's level: hit points, hit dice, spell slots, proficiency and the class's resource follow.

    Ask for it when the story says somebody has earned a level. Choices that come with it are yours to make with the
    player: name them in `new_features` and `new_spells`, and raise scores with `update_character`. `class` takes the
    level in another class. It is no rest: what was spent stays spent. To correct a level that was written down wrong,
    use `update_character`.
    """
    person = require_sheet(
        creature_of(world, require_character(world, args.character_id, args.character_name)), "a level"
    )
    old = sheets.sheet_of(person)
    level = _target(old, args)
    other = _other_class(old, args)
    die = sheets.hit_die(old) if other is None else classes.hit_die(other)
    if args.manual_roll is not None and args.hp_method == "roll" and args.manual_roll > die:
        repair = hint.ask("args.manual_roll", args.manual_roll)
        raise CallFailed(Reason.INVALID_ARGS, f"args.manual_roll: the hit die is a d{die}", repair)

    rolls = _faces(args, die, person.id, level - old.level, ctx) if args.hp_method == "roll" else []
    gain = sum(_gains(args, die, sheets.modifier(old, "con"), rolls, level - old.level))
    gain += sheets.trait_hp(old) * (level - old.level)
    new = _raised(old, level, other, args)
    most = bounded((person.max_hp or 0) + gain)
    after = person.replace(sheet=new, max_hp=most, hp=raised_hp(person.hp or 0, gain))
    put_creature(world, creature_of(world, person), after)
    return Applied(
        {
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
            "new_features": list(args.new_features),
            "new_spells": list(args.new_spells),
            **({"classes": class_levels(new)} if new.other_classes else {}),
        }
    )


def _other_class(sheet: Sheet, args: LevelUpArgs) -> str | None:
    """Return the class of the new levels as the sheet spells it; None for the one that they began with.

    Raises:
        CallFailed: `invalid_args` for what is none of the twelve, `rule_violation` for scores that are too low.
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


def _raised(old: Sheet, level: int, other: str | None, args: LevelUpArgs) -> Sheet:
    """Return the sheet at its new level; the class's resource is whole again."""
    learnt: dict[str, Any] = {
        "features": tuple(dict.fromkeys((*old.features, *args.new_features))),
        "known_spells": tuple(dict.fromkeys((*old.known_spells, *args.new_spells))),
    }
    if other is not None:
        levels = old.other_classes.get(other, 0) + level - old.level
        learnt["other_classes"] = {**old.other_classes, other: levels}
    return grown_from(old, old.replace(level=level, **learnt))
