"""The keys of the results of the sheet tools, for type checkers: plain JSON objects as the rules create them.

The models of the results, beside the tools, document each key.
"""

from collections.abc import Mapping, Sequence
from typing import Literal, NotRequired, TypedDict

from turnwright.model.json_types import JsonObject
from turnwright.model.sheet import CustomClass
from turnwright.model.vocabulary import Ability, Skill
from turnwright.rulesets.fifth_edition.entry_shapes import FeatureEntry
from turnwright.rulesets.fifth_edition.shapes import ConcentrationReport, HitPointsReport, MechanicalReport

# values that count now


class ValueReport(TypedDict):
    """One value: the sheet's, the current one, and the reasons for the difference."""

    base: int
    effective: int
    modified: bool
    modifiers: Sequence[str]


class EffectiveReport(TypedDict):
    """The values that count now."""

    hp: int
    max_hp: ValueReport
    speed: ValueReport
    ac: ValueReport
    stats: Mapping[str, ValueReport]


class CarriedCondition(TypedDict):
    """A condition as its document writes it, with further keys, and its mechanics."""

    condition: str
    mechanical: MechanicalReport


class InventoryReport(TypedDict):
    """A summary of a character's belongings."""

    entries: int
    total_weight: int | float
    equipped: Mapping[str, str]


# characters

ClassAndLevel = TypedDict("ClassAndLevel", {"race": str | None, "class": str | None, "level": int | None})
"""The values of a sheet in lists; nulls without a sheet."""


class ListedCharacter(ClassAndLevel):
    """A character of a list."""

    character_id: str
    name: str
    type: str
    hp: int | None
    max_hp: int | None
    ac: int | None


class CharacterList(TypedDict):
    """Characters, and how many."""

    characters: Sequence[ListedCharacter]
    count: int


class CastingReport(TypedDict):
    """A sheet's caster type and slots."""

    caster_type: str
    spell_slots: Mapping[str, JsonObject]
    pact_slots: JsonObject | None


class CharacterReport(TypedDict):
    """One character with all there is to know; the character, effects and slots are parts of documents."""

    character: JsonObject
    effective: EffectiveReport | None
    conditions: Sequence[CarriedCondition]
    effects: Sequence[JsonObject]
    concentration: JsonObject | None
    spell_slots: object
    pact_slots: object
    inventory_summary: InventoryReport


class ChangedValues(TypedDict):
    """A character's changed values, by field: before and after."""

    name: str
    changes: Mapping[str, Sequence[object]]
    hp: HitPointsReport
    adjusted: NotRequired[str]
    concentration_check: NotRequired[ConcentrationReport]


class ChangeReport(ChangedValues):
    """A character's changed values, and the whole character as it is now."""

    character: JsonObject


class ClassChanges(TypedDict, total=False):
    """The fields of a sheet that a new class changes."""

    class_: str
    custom_class: CustomClass | None
    save_proficiencies: tuple[Ability, ...]


OfClass = TypedDict("OfClass", {"class": str, "subclass": str, "custom_class": CustomClass}, total=False)
"""The values of a class in a new sheet; empty without a class."""


class SeenBy(TypedDict):
    """Senses that a race grants."""

    darkvision: int


class OfRace(TypedDict):
    """The values of a race in a new sheet, and the traits of race and class."""

    traits: Sequence[FeatureEntry]
    race: NotRequired[str]
    speed: NotRequired[int]
    size: NotRequired[str]
    senses: NotRequired[SeenBy]
    resistances: NotRequired[tuple[str, ...]]


# effects, rolls and rests


class EndedEffect(TypedDict):
    """An effect that is over."""

    effect_id: str
    name: str


class ChangedEffect(TypedDict):
    """The operation on an effect, and the current effects."""

    effect_id: str | None
    target: str
    operation: str
    effect: JsonObject | None
    effects: Sequence[JsonObject]
    expired: Sequence[EndedEffect]
    replaced: bool


class RolledContest(TypedDict):
    """The opponent's roll against a check; a tie has no winner."""

    opponent: str
    opponent_total: int
    winner: str | None
    tie: bool


class RolledCheck(TypedDict):
    """The die of a check, its modifiers, and the outcome."""

    check_type: str
    ability: Ability
    skill: Skill | None
    natural: int
    rolls: Sequence[int]
    mode: Literal["normal", "advantage", "disadvantage", "cancelled"]
    ability_mod: int
    proficiency: int
    bonus: int
    modifier: int
    total: int
    dc: int | None
    success: bool | None
    nat20: bool
    nat1: bool
    auto_fail: bool
    contest: RolledContest | None


class RestReport(TypedDict):
    """The values that a rest restored and ended."""

    rest_type: str
    hp_before: int
    hp_after: int
    healing: int
    hit_dice_spent: int
    hit_dice_rolls: Sequence[int]
    hit_dice_before: int
    hit_dice_after: int
    hit_dice_max: int
    slots_restored: Mapping[str, int]
    pact_restored: int
    exhaustion_before: int
    exhaustion_after: int
    conditions_cleared: Sequence[str]
    effects_ended: Sequence[str]
    interrupted: bool
    time: NotRequired[JsonObject]
