"""Spells. Source: SRD 5.1, "Spellcasting"; docs/content.md, "Spells"."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field, model_validator

from turnwright.content.kinds.entry import NO_FIGURES, ContentEntry, EntryId, Figures, Term, described, listed_as
from turnwright.content.kinds.shapes import (
    Area,
    Damage,
    DiceOrNumber,
    ForcedMove,
    Healing,
    Inflicted,
    Resistance,
    Save,
    Targets,
)
from turnwright.model.base import ABSENT, Count, Flag, FrozenMap, ListOf, Model, Number, is_empty
from turnwright.model.sheet import Feet
from turnwright.model.vocabulary import Ability, School


class CastingTime(Model):
    """How long casting takes."""

    amount: Annotated[int, Field(strict=True, ge=1, le=100)] = 1
    unit: Literal["action", "bonus_action", "reaction", "minute", "hour"]


class Lasting(Model):
    """How long it lasts."""

    amount: Annotated[int, Field(strict=True, ge=1, le=1000)]
    unit: Literal["round", "minute", "hour", "day"]


class MaterialCost(Model):
    """Costly material components."""

    gp: Number | None = ABSENT
    consumed: Flag | Term = Field(default=False, exclude_if=is_empty)
    per: Term | None = ABSENT
    parts: ListOf[Count] = listed_as("Prices of several components in gp.")


class Summoned(Model):
    """Creatures that come: so many of this one, or of a rating."""

    id: EntryId | None = ABSENT
    count: Count | DiceOrNumber
    max_cr: Number | None = ABSENT


class Summons(Model):
    """What a spell brings."""

    type: Term | None = ABSENT
    count: Count | None = ABSENT
    choices: ListOf[EntryId] = listed_as("Stat blocks of which one is chosen.")
    options: ListOf[Summoned] = listed_as("Groups of which one is chosen.")
    by_slot: FrozenMap[ListOf[Summoned]] = Field(default_factory=dict, exclude_if=is_empty)
    figures: Figures = NO_FIGURES


class RollModifier(Model):
    """Dice that are added to rolls."""

    dice: DiceOrNumber
    to: ListOf[Literal["attack", "save", "check"]]
    uses: Count | None = ABSENT


class TemporaryHitPoints(Model):
    """Temporary hit points."""

    dice: DiceOrNumber | None = ABSENT
    bonus: Count | Term | None = ABSENT
    per_slot: Count | None = ABSENT
    when: Term | None = ABSENT
    option: Term | None = ABSENT


class HitPointPool(Model):
    """Hit points of creatures that are affected, fewest first."""

    dice: DiceOrNumber
    per_slot: DiceOrNumber | None = ABSENT


class Spell(ContentEntry):
    """A spell. Its attack bonus and save DC are its caster's."""

    collection: ClassVar[str] = "content/spells/"

    level: Annotated[int, Field(strict=True, ge=0, le=9, description="0 is a cantrip.")]
    school: School
    casting_time: CastingTime
    range: Literal["self", "touch", "sight", "special", "unlimited"] | Count = Field(description="A word, or feet.")
    components: ListOf[Literal["V", "S", "M"]] = ()
    material_cost: MaterialCost | None = ABSENT
    duration: Lasting | Literal["instantaneous", "until_dispelled", "special"]
    concentration: Flag = Field(default=False, exclude_if=is_empty)
    ritual: Flag = Field(default=False, exclude_if=is_empty)
    classes: ListOf[EntryId] = listed_as("Classes whose list has it.")
    subclasses: ListOf[Term] = listed_as("Subclasses that get it beside their class's list.")
    attack: Literal["melee", "ranged"] | None = described("The kind of spell attack it is.")
    save: Save | None = ABSENT
    more_saves: ListOf[Save] = listed_as("Further saves.")
    area: Area | None = ABSENT
    damage: ListOf[Damage] = listed_as("Parts of damage.")
    damage_modifier: Literal["spellcasting"] | None = ABSENT
    conditions: ListOf[Inflicted] = listed_as("Conditions that it gives.")
    heal: Healing | None = ABSENT
    temp_hp: TemporaryHitPoints | None = ABSENT
    hp_pool: HitPointPool | None = ABSENT
    roll_modifier: RollModifier | None = ABSENT
    resistance: ListOf[Resistance] = listed_as("Damage of which its target takes half.")
    forced_move: ForcedMove | None = ABSENT
    targets: Targets | None = ABSENT
    targets_per_slot: Count | None = described("Further targets for each slot level above its own.")
    area_per_slot: Feet | None = ABSENT
    attacks_by_level: FrozenMap[Count] = Field(default_factory=dict, exclude_if=is_empty)
    durations_by_slot: FrozenMap[Term] = Field(default_factory=dict, exclude_if=is_empty)
    summons: Summons | None = ABSENT
    repeat_save: Term | None = described("When its save is repeated.")
    repeat: Term | None = described("What repeating its effect costs on later turns.")
    only: FrozenMap[Any] = Field(default_factory=dict, exclude_if=is_empty, description="Who can be affected at all.")
    no_effect_on: ListOf[Term] = listed_as("Kinds of creature that are not affected.")
    trigger: Term | None = described("What a reaction answers.")
    weapon_ability: Ability | None = ABSENT
    variants: FrozenMap[FrozenMap[Any]] = Field(
        default_factory=dict,
        exclude_if=is_empty,
        description="What its caster chooses of, each with the keys that it changes of the entry; null takes one away.",
    )

    @model_validator(mode="after")
    def _variants_are_spells(self) -> Spell:
        for name in self.variants:
            self.variant(name)
        return self

    def variant(self, name: str) -> Spell:
        """Return the spell as its caster chose it: figures beside its own, all other keys in their place."""
        own, changes = self.as_written, self.variants[name]
        merged = {**own, **changes, "figures": {**own.get("figures", {}), **changes.get("figures", {})}}
        figures = {key: value for key, value in merged["figures"].items() if value is not None}
        kept = {key: value for key, value in merged.items() if value is not None and key != "variants"}
        return Spell.model_validate({**kept, "figures": figures, "tier": "full", "missing": ()})
