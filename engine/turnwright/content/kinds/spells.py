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
    """Creatures that a spell summons: those its caster names, with initiative of their own."""

    type: Term | None = described("The kind of creature that may be named.")
    more_types: ListOf[Term] = listed_as("Further kinds of creature.")
    count: Count | None = described("How many of `choices` come; one where it is absent.")
    per_slot: Count | None = described("How many more for each slot level above the spell's own.")
    choices: ListOf[EntryId] = listed_as("Stat blocks of which one is chosen.")
    options: ListOf[Summoned] = listed_as("Groups of which one is chosen.")
    by_slot: FrozenMap[ListOf[Summoned]] = Field(default_factory=dict, exclude_if=is_empty)
    multiplier_by_slot: FrozenMap[Count] = Field(
        default_factory=dict, exclude_if=is_empty, description="How many times as many, from a slot level on."
    )
    max_cr_per_slot: Count | None = described("Added to `max_cr` for each slot level above the spell's own.")
    max_cr_by_slot: FrozenMap[Number] = Field(default_factory=dict, exclude_if=is_empty)
    speed: Feet | None = described("In place of that of the stat block.")
    duration: Term | None = described("How long its caster commands them, where the spell itself is over at once.")
    then: Literal["gone", "hostile", "stays"] = Field(
        default="gone",
        exclude_if=lambda value: value == "gone",
        description="Whether they go, turn hostile or stay when it is over.",
    )
    ends_on: Literal["damage"] | None = described("What else ends it.")
    adds_up: Flag = Field(default=False, exclude_if=is_empty, description="Those of earlier castings stay.")
    figures: Figures = NO_FIGURES


class LastingArea(Model):
    """The effects of a spell's area while it persists where it was placed, or around its caster."""

    acts: ListOf[Literal["appears", "enters", "turn_start", "turn_end", "rammed"]] = listed_as(
        "When it acts on who is in it."
    )
    once_a_turn: Flag = Field(
        default=False, exclude_if=is_empty, description="Entering it again in the same turn has no effect."
    )
    affects: Literal["all", "others", "foes", "chosen"] = Field(
        default="all",
        exclude_if=lambda value: value == "all",
        description="Those affected: `others` are all that its caster does not spare.",
    )
    within: Feet | None = described("Creatures this near to it count as inside.")
    deals: Term | None = described("Which parts of the damage it deals, by their `when`; absent: those of its casting.")
    saves: Flag = Field(
        default=True, exclude_if=lambda value: value, description="Whether that damage allows the save."
    )
    difficult_terrain: Flag = Field(default=False, exclude_if=is_empty)
    obscured: Literal["lightly", "heavily", "magical_darkness"] | None = ABSENT
    around_corners: Flag = Field(default=False, exclude_if=is_empty, description="Cover does not protect from it.")
    move: Feet | None = described("How far its caster can move it, for what `repeat` says.")
    drift: Feet | None = described("How far it moves away from its caster as each of their turns starts.")
    speed_factor: Number | None = described("The speed factor of creatures in it.")
    concentration_save: Ability | None = described("What keeps up concentration in it, as a turn starts.")
    takes_action: Flag = Field(default=False, exclude_if=is_empty, description="A failed save costs the action.")
    damage_limit: Count | None = described("After how much damage it is gone.")
    silent: Flag = Field(default=False, exclude_if=is_empty, description="No words of spells, and no thunder.")
    cover: Literal["half", "three_quarters"] | None = described("Cover for creatures behind it.")
    until: Term | None = described("When it is gone, where it lasts longer than its spell.")


class Behavior(Model):
    """A turn decided by a die: the highest face of each outcome, in this order; above all, it acts as it will."""

    die: Literal["d10"]
    wanders: Count = Field(description="It goes in a random direction, and takes no other action.")
    stands: Count = Field(description="It takes no action.")
    strikes: Count = Field(description="It strikes at random.")


class Control(Model):
    """How a spell controls the turns of its target."""

    orders: ListOf[Literal["approach", "drop", "flee", "grovel", "halt"]] = listed_as(
        "Of which the caster gives one, for the target's next turn."
    )
    behavior: Behavior | None = ABSENT
    drops_held: Flag = Field(default=False, exclude_if=is_empty, description="It drops what it holds.")


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
    lasting_area: LastingArea | None = described("The effects of the area while it lasts.")
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
    played_out: ListOf[Term] = listed_as("What of it are words: the table plays it out.")
    control: Control | None = described("How it controls its target's turns.")
    repeat_save: Term | None = described("When its save is repeated.")
    repeat: Term | None = described("The cost of repeating its effect on later turns.")
    only: FrozenMap[Any] = Field(default_factory=dict, exclude_if=is_empty, description="The possible targets.")
    no_effect_on: ListOf[Term] = listed_as("Kinds of creature that are not affected.")
    trigger: Term | None = described("The trigger of a reaction.")
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
