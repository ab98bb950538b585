"""Stat blocks. Source: SRD 5.1, "Monsters"; docs/content.md, "Monsters"."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Annotated, ClassVar, Literal, Self

from pydantic import Field, model_validator

from turnwright.content.kinds.entry import (
    NO_FIGURES,
    ContentEntry,
    EntryId,
    Figures,
    Term,
    described,
    listed_as,
    refused,
)
from turnwright.content.kinds.shapes import (
    Area,
    ArmorClassValue,
    Attack,
    Damage,
    Dc,
    Dice,
    ForcedMove,
    Grapple,
    Healing,
    Inflicted,
    Only,
    Part,
    Recharge,
    Resistance,
    Save,
    Slots,
    Targets,
    Uses,
    average_of,
)
from turnwright.model.base import ABSENT, Count, Flag, FrozenMap, ListOf, Model, Number, SafeInt, is_empty
from turnwright.model.creature import Stats
from turnwright.model.sheet import Feet, Senses
from turnwright.model.vocabulary import Ability, ConditionName, Size

XP: dict[float, tuple[int, ...]] = {
    0: (0, 10),
    0.125: (25,),
    0.25: (50,),
    0.5: (100,),
    **dict(
        enumerate(
            (
                (value,)
                for value in (
                    *(200, 450, 700, 1100, 1800, 2300, 2900, 3900, 5000, 5900),
                    *(7200, 8400, 10000, 11500, 13000, 15000, 18000, 20000, 22000, 25000),
                    *(33000, 41000, 50000, 62000, 75000, 90000, 105000, 120000, 135000, 155000),
                )
            ),
            1,
        )
    ),
}
"""Experience points by challenge rating. Source: SRD 5.1, "Experience Points by Challenge Rating"."""


def proficiency_of(cr: float) -> int:
    """Return the proficiency bonus of a challenge rating."""
    return max(2, 2 + (math.ceil(cr) - 1) // 4)


class ArmorClass(Model):
    """An armor class and where it comes from."""

    value: ArmorClassValue
    kind: Literal["natural", "dex", "armor", "spell", "condition"] = "natural"
    armor: ListOf[EntryId] = listed_as("Armor and shield that are worn.")
    spell: EntryId | None = ABSENT
    condition: ConditionName | None = ABSENT


class HitPoints(Model):
    """Hit points: the average, and the dice that it is of."""

    average: Annotated[int, Field(strict=True, ge=1, le=10_000)]
    dice: Dice
    bonus: SafeInt = Field(default=0, exclude_if=is_empty)

    @model_validator(mode="after")
    def _adds_up(self) -> Self:
        due = max(1, average_of(self.dice, self.bonus))
        if self.average != due:
            raise refused(f"average must be {due}, as the dice give")
        return self


class Speeds(Model):
    """Feet a turn, by way of moving."""

    walk: Feet | None = ABSENT
    burrow: Feet | None = ABSENT
    climb: Feet | None = ABSENT
    fly: Feet | None = ABSENT
    swim: Feet | None = ABSENT
    hover: Flag = Field(default=False, exclude_if=is_empty)


class MonsterSenses(Senses):
    """Special senses in feet."""

    blind_beyond: Flag = Field(default=False, exclude_if=is_empty, description="Blind beyond its blindsight.")
    blindsight_deafened: Feet | None = ABSENT


class Languages(Model):
    """The languages it speaks and understands."""

    speaks: ListOf[Term] = listed_as("Languages.")
    understands: ListOf[Term] = listed_as("Languages that it does not speak.")
    telepathy: Feet | None = ABSENT
    any: Count | None = described("How many further languages of the game master's choice.")
    speaks_special: Term | None = ABSENT
    understands_special: Term | None = ABSENT


class MonsterCasting(Model):
    """How a stat block casts: by slots, at will, or so often a day."""

    ability: Ability
    dc: Dc | None = ABSENT
    dc_derived: Dc | None = described("Not printed: 8, proficiency and modifier.")
    attack: SafeInt | None = ABSENT
    caster_level: Annotated[int, Field(strict=True, ge=1, le=20)] | None = ABSENT
    list: EntryId | None = described("The class whose spell list it uses.")
    slots: Slots = Field(default_factory=dict, exclude_if=is_empty, description="Slots by level.")
    prepared: FrozenMap[ListOf[EntryId]] = Field(default_factory=dict, exclude_if=is_empty)
    at_will: ListOf[EntryId] = listed_as("Spells.")
    per_day: FrozenMap[ListOf[EntryId]] = Field(default_factory=dict, exclude_if=is_empty)
    components: ListOf[Literal["V", "S", "M"]] = listed_as("Components that it needs.")
    figures: Figures = NO_FIGURES

    @property
    def spells(self) -> Iterator[str]:
        """Every spell it casts."""
        yield from self.at_will
        for group in (*self.prepared.values(), *self.per_day.values()):
            yield from group


class ActionUse(Model):
    """An action of the stat block, made so many times."""

    action: EntryId
    count: Annotated[int, Field(strict=True, ge=1, le=20)] | Literal["heads"] | Dice = 1
    when: Term | None = ABSENT
    optional: Flag = Field(default=False, exclude_if=is_empty)
    form: EntryId | None = described("The stat block that has the action.")
    grapple_escape_dc: Dc | None = ABSENT


class Effect(Part):
    """The effects of an action, a trait or one of its options."""

    kind: Term | None = described("The kind of trait, such as pack_tactics or regeneration.")
    attack: Attack | Term | None = ABSENT
    damage: ListOf[Damage] = listed_as("Parts of damage.")
    save: Save | Term | None = ABSENT
    more_saves: ListOf[Save] = listed_as("Further saves.")
    area: Area | None = ABSENT
    range: Feet | Term | None = ABSENT
    targets: Targets | None = ABSENT
    only: Only | Term | None = ABSENT
    conditions: ListOf[Inflicted] = listed_as("Conditions that it gives.")
    grapple: Grapple | None = ABSENT
    forced_move: ForcedMove | None = ABSENT
    teleport: Feet | None = ABSENT
    heal: Healing | None = ABSENT
    recharge: Recharge | None = ABSENT
    uses: Uses | None = ABSENT
    immune_after: Term | None = described("How long a target that saved cannot be affected.")
    figures: Figures = NO_FIGURES


class Action(Effect):
    """An action; of `options` one is chosen."""

    options: ListOf[Effect] = listed_as("Variants, of which one is chosen each time.")
    uses_actions: ListOf[ActionUse] = listed_as("Actions of the block that it consists of.")
    forms: ListOf[Term] = listed_as("Forms in which it can be used.")
    spellcasting: MonsterCasting | None = ABSENT


class LegendaryAction(Action):
    """One way to spend legendary actions."""

    cost: Annotated[int, Field(strict=True, ge=1, le=3)] = 1


class Legendary(Model):
    """Legendary actions: how many a round, and which."""

    count: Annotated[int, Field(strict=True, ge=1, le=10)] = 3
    actions: ListOf[LegendaryAction]


class Monster(ContentEntry):
    """A stat block."""

    collection: ClassVar[str] = "content/monsters/"

    size: Size
    type: Term
    subtype: Term | None = ABSENT
    swarm_of: Size | None = ABSENT
    alignment: Term = "unaligned"
    ac: ArmorClass
    ac_other: ListOf[ArmorClass] = listed_as("Armor class under a spell, a condition or other armor.")
    hp: HitPoints
    speeds: Speeds = Field(default={}, validate_default=True)
    stats: Stats = Field(description="Ability scores.")
    saves: FrozenMap[SafeInt] = Field(default_factory=dict, exclude_if=is_empty, description="Whole bonuses.")
    skills: FrozenMap[SafeInt] = Field(default_factory=dict, exclude_if=is_empty, description="Whole bonuses.")
    vulnerabilities: ListOf[Resistance] = listed_as("Damage it takes double of.")
    resistances: ListOf[Resistance] = listed_as("Damage it takes half of.")
    immunities: ListOf[Resistance] = listed_as("Damage it takes none of.")
    condition_immunities: ListOf[ConditionName] = listed_as("Conditions it cannot get.")
    senses: MonsterSenses = Field(default={}, validate_default=True, exclude_if=lambda value: value == MonsterSenses())
    passive_perception: Count = 10
    languages: Languages = Field(default={}, validate_default=True, exclude_if=lambda value: value == Languages())
    cr: Annotated[Number, Field(ge=0, le=30, description="Challenge rating: 0.125, 0.25, 0.5, 1 and so on.")]
    xp: Count
    proficiency_bonus: Annotated[int, Field(strict=True, ge=2, le=9)]
    traits: ListOf[Action] = listed_as("Traits.")
    multiattack: ListOf[ListOf[ActionUse]] = listed_as("Ways to make several attacks with one action; one is chosen.")
    multiattack_rule: Literal["different_targets", "different_weapons"] | None = ABSENT
    actions: ListOf[Action] = listed_as("Actions.")
    reactions: ListOf[Action] = listed_as("Reactions.")
    legendary: Legendary | None = ABSENT
    forms_of: ListOf[EntryId] = listed_as("The stat blocks of its other forms.")

    @model_validator(mode="after")
    def _coherent(self) -> Self:
        if self.cr not in XP:
            raise refused("cr must be 0, 0.125, 0.25, 0.5 or a whole number up to 30")
        if self.xp not in XP[self.cr]:
            due = " or ".join(map(str, XP[self.cr]))
            raise refused(f"xp must be {due} for this cr")
        if self.proficiency_bonus != proficiency_of(self.cr):
            raise refused(f"proficiency_bonus must be {proficiency_of(self.cr)} for this cr")
        for group in (self.traits, self.actions, self.reactions):
            ids = [part.id for part in group]
            if double := next((name for name in ids if ids.count(name) > 1), None):
                raise refused(f"{double} is there twice")
        usable = {part.id for part in (*self.actions, *self.traits)}
        legendary = self.legendary.actions if self.legendary else ()
        uses = [use for way in self.multiattack for use in way]
        uses += [use for part in (*self.actions, *self.traits, *legendary) for use in part.uses_actions]
        for use in uses:
            if use.action not in usable and use.form is None:
                raise refused(f"{use.action} is no action of this stat block")
        return self
