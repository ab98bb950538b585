"""Shapes that several kinds share: damage, saves, areas, conditions, uses.

Distances are in feet. Source: docs/content.md, "Shapes".
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from pydantic import Field, model_validator

from turnwright.content.kinds.entry import (
    NO_FIGURES,
    EntryId,
    EntryName,
    Figures,
    Term,
    Tier,
    described,
    listed_as,
    refused,
    tier_agrees,
)
from turnwright.model.base import (
    ABSENT,
    ONE_LINE,
    Count,
    Flag,
    FrozenMap,
    ListOf,
    Model,
    Number,
    SafeInt,
    SomeOf,
    Text,
    is_empty,
)
from turnwright.model.sheet import Feet
from turnwright.model.vocabulary import Ability, ConditionName, DamageType, Size, Skill

Dice = Annotated[
    Text, Field(pattern=r"^[1-9][0-9]{0,2}d(4|6|8|10|12|20|100)$", json_schema_extra=ONE_LINE, examples=["2d6"])
]
"""Dice without a bonus."""
DiceOrNumber = Annotated[
    Text,
    Field(pattern=r"^-?[0-9]{1,3}(d[1-9][0-9]{0,2}([+-][0-9]{1,3})?)?$", json_schema_extra=ONE_LINE, max_length=16),
]
"""Dice, perhaps with a bonus, or a plain number, as text."""
ArmorClassValue = Annotated[int, Field(strict=True, ge=1, le=40)]
Dc = Annotated[int, Field(strict=True, ge=1, le=40)]
SlotLevel = Annotated[Text, Field(pattern=r"^[0-9]$", json_schema_extra=ONE_LINE)]
CharacterLevel = Annotated[Text, Field(pattern=r"^([1-9]|1[0-9]|20)$", json_schema_extra=ONE_LINE)]
DamageWord = DamageType | Literal["weapon"]
"""A type of damage, or that of the weapon used."""


def average_of(dice: str, bonus: int = 0) -> int:
    """Return the average of dice and a bonus, rounded down, and never below 0.

    Source: SRD 5.1, "Monsters": averages are printed beside dice.
    """
    count, _, sides = dice.partition("d")
    return max(0, int(count) * (int(sides) + 1) // 2 + bonus)


class Roll(Model):
    """Dice and a bonus, with their average, rounded down."""

    dice: Dice | None = ABSENT
    bonus: SafeInt = Field(default=0, exclude_if=is_empty)
    average: Count | None = described("Rounded down; given only where a table may use it in place of the dice.")
    flat: Count | None = described("A fixed amount in place of dice.")

    @model_validator(mode="after")
    def _adds_up(self) -> Self:
        if (self.dice is None) == (self.flat is None):
            raise refused("must have dice or flat, and not both")
        if self.dice is not None and self.average not in (None, average_of(self.dice, self.bonus)):
            due = average_of(self.dice, self.bonus)
            raise refused(f"average must be {due}, as the dice give")
        return self


class Damage(Roll):
    """One part of damage. Without `when` it is dealt on a hit, in addition to the other parts."""

    type: DamageWord | Annotated[tuple[DamageWord, ...], Field(min_length=2)] | None = described(
        "A type, or several of which the user chooses one."
    )
    when: Term | None = described("The condition it depends on, such as failed_save or two_handed.")
    instead: Flag = Field(default=False, exclude_if=is_empty, description="It replaces the first part.")
    per: Term | None = ABSENT
    within: Feet | None = ABSENT
    per_slot: DiceOrNumber | None = described("Added for each slot level above the lowest.")
    slots_per_step: Annotated[int, Field(strict=True, ge=1, le=9)] = Field(
        default=1, exclude_if=lambda value: value == 1, description="How many slot levels add `per_slot` once."
    )
    by_slot: FrozenMap[DiceOrNumber] = Field(default_factory=dict, exclude_if=is_empty, description="By slot level.")
    by_level: FrozenMap[DiceOrNumber] = Field(
        default_factory=dict, exclude_if=is_empty, description="By character level, from that level on."
    )
    figures: Figures = NO_FIGURES


class Healing(Roll):
    """Hit points that are regained."""

    plus: Term | None = described("The modifier added, such as spellcasting_modifier.")
    per_slot: DiceOrNumber | None = ABSENT
    by_slot: FrozenMap[DiceOrNumber] = Field(default_factory=dict, exclude_if=is_empty)
    kind: Term | None = ABSENT


class Save(Model):
    """A saving throw of the target. A spell has no DC: its caster's holds."""

    ability: Ability | Annotated[tuple[Ability, ...], Field(min_length=2)] = Field(
        description="An ability, or several of which the target chooses one."
    )
    dc: Dc | None = ABSENT
    success: Literal["half", "none"] = Field(default="none", description="The damage that a success leaves.")
    versus: Term | None = ABSENT
    when: Term | None = ABSENT
    only_to_end: Flag = Field(default=False, exclude_if=is_empty, description="It ends the effect and never avoids it.")
    figures: Figures = NO_FIGURES


class Area(Model):
    """An area of effect; size is the radius, length or edge that its shape has."""

    shape: Literal[
        "cone",
        "line",
        "sphere",
        "cube",
        "cubes",
        "cylinder",
        "emanation",
        "wall",
        "square",
        "circle",
        "floor_area",
        "own_space",
    ]
    size: Count | None = ABSENT
    width: Number | None = ABSENT
    height: Count | None = ABSENT
    origin: Literal["self", "point"] | None = ABSENT
    figures: Figures = NO_FIGURES


class Escape(Model):
    """A check that frees the target."""

    check: Ability | Annotated[tuple[Ability, ...], Field(min_length=2)] | Skill
    dc: Dc | Literal["spell_save"] | None = ABSENT
    cost: Literal["action"] | None = ABSENT


class Inflicted(Model):
    """A condition that an attack, a spell or a thing gives."""

    id: ConditionName
    on: Term = Field(description="When: hit, failed_save, always, failed_by_5, hp_pool, ...")
    duration: Term | None = described("Until it is ended otherwise where it is absent.")
    repeat: Term | None = described("When the save is repeated, such as turn_end.")
    escape: Escape | None = ABSENT
    instead: Flag = Field(default=False, exclude_if=is_empty, description="It replaces the damage.")


class Recharge(Model):
    """A roll at the start of each turn that gives it back."""

    die: Literal["d6"] = "d6"
    min: Annotated[int, Field(strict=True, ge=2, le=6)]


class Uses(Model):
    """How often it can be used."""

    count: Annotated[int, Field(strict=True, ge=1, le=100)]
    per: Literal["day", "short_or_long_rest", "long_rest", "turn"]


class Targets(Model):
    """The creatures or things it affects."""

    count: Count | Literal["any"] | None = ABSENT
    kind: Term | None = ABSENT
    max_size: Size | None = ABSENT
    requires: ListOf[Term] = listed_as("What must be true of the target, all of it.")
    requires_any: ListOf[Term] = listed_as("What must be true of the target, one of it.")
    where: Term | None = ABSENT
    figures: Figures = NO_FIGURES


class Attack(Model):
    """An attack roll of a stat block."""

    kind: Literal["melee_weapon", "ranged_weapon", "melee_or_ranged_weapon", "melee_spell", "ranged_spell"]
    to_hit: Annotated[int, Field(strict=True, ge=-10, le=30)]
    reach: Feet | None = ABSENT
    range: Annotated[tuple[Feet, ...], Field(min_length=1, max_length=2)] | None = described("Normal, and long.")
    target: Targets | None = ABSENT
    to_hit_with: FrozenMap[SafeInt] = Field(default_factory=dict, exclude_if=is_empty)

    @model_validator(mode="after")
    def _reaches(self) -> Self:
        if self.reach is None and self.range is None:
            raise refused("must have reach or range")
        if self.range and len(self.range) == 2 and not 0 < self.range[0] < self.range[1]:
            raise refused("range must grow: normal, then long")
        return self


class Grapple(Model):
    """A grapple that comes with a hit."""

    escape_dc: Dc
    max_size: Size | None = ABSENT
    restrained: Flag = Field(default=False, exclude_if=is_empty)
    one_target: Flag = Field(default=False, exclude_if=is_empty)
    limbs: Count | None = ABSENT
    auto_hit: Flag = Field(default=False, exclude_if=is_empty)
    instead_of_damage: Flag = Field(default=False, exclude_if=is_empty)
    figures: Figures = NO_FIGURES


class ForcedMove(Model):
    """A move that the target does not choose."""

    ft: Feet
    dir: Literal["away", "toward", "random"]
    on: Term | None = ABSENT
    who: Term | None = ABSENT


class Resistance(Model):
    """A type of damage that does less or more."""

    type: DamageType | Literal["all"]
    source: Term | None = described("Only damage from this, such as nonmagical_attacks.")
    unless: Literal["silvered", "adamantine"] | None = described("Such a weapon goes through.")


class Only(Model):
    """The creatures that can be affected at all."""

    kind: Term | None = ABSENT
    other_than: ListOf[Term] = listed_as("Kinds that are not affected.")
    max_size: Size | None = ABSENT
    max_hp: Count | None = ABSENT
    sense: Literal["sight", "hearing"] | None = described("The sense by which the target must perceive.")
    requires: Term | None = ABSENT
    figures: Figures = NO_FIGURES


class Part(Model):
    """A named part of an entry: an action, a trait, a reaction, a feature."""

    id: EntryId
    name: EntryName
    tier: Tier = "full"
    missing: ListOf[Term] = listed_as("What the engine cannot execute of it.")

    _tier_agrees = model_validator(mode="after")(tier_agrees)


class Choice(Model):
    """So many of a list, or of a category."""

    choose: Annotated[int, Field(strict=True, ge=1, le=20)]
    options: ListOf[Any] = listed_as("Terms, items with a count, or further choices.")
    category: Term | None = ABSENT


class Counted(Model):
    """An item, so many times."""

    id: EntryId
    count: Annotated[int, Field(strict=True, ge=1, le=1000)] = 1


class Cost(Model):
    """A price."""

    amount: Count
    unit: Literal["cp", "sp", "gp"]


Slots = FrozenMap[Count]
"""Spell slots by level."""
SomeTerms = SomeOf[Term]
