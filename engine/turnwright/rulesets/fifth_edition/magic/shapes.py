"""The keys of the magic tools' results, for type checkers: plain JSON objects as the rules make them.

The models of the results (`_cast_result.py`, and those beside the other tools) say what each key means.
"""

from collections.abc import Mapping, Sequence
from typing import Literal, NotRequired, TypedDict

from turnwright.model.json_types import JsonObject
from turnwright.model.vocabulary import Ability, CasterType, ConditionName
from turnwright.rulesets.fifth_edition.shapes import (
    AreaReport,
    AttackReport,
    ConcentrationReport,
    DamageReport,
    EconomyReport,
    FullSaveReport,
    HitPointsReport,
    LeftReport,
    SlotReport,
    TriggerReport,
)

# figures of spells


class HpStep(TypedDict):
    """What a spell does to targets with no more than so many hit points."""

    max_hp: int
    effect: NotRequired[Literal["dies"]]
    conditions: Sequence[ConditionName]
    duration: str


class DetectionFigures(TypedDict):
    """What a spell finds, and how many feet away."""

    within: int
    kinds: NotRequired[Sequence[str]]
    ailments: NotRequired[Sequence[Literal["poisoned", "disease"]]]
    magic: NotRequired[bool]


# spells by name


class HealingReport(TypedDict):
    """Hit points that a spell gives back."""

    expression: str
    rolls: Sequence[int]
    raw: int
    gained: int


class DispelCheck(TypedDict):
    """The caster's check to end a spell of a higher level."""

    dc: int
    natural: int
    total: int
    success: bool


class CounterReport(TypedDict):
    """The result of a spell that waited for another one; no check where none was needed."""

    by: str | None
    check: NotRequired[DispelCheck]
    success: bool


class DispelledReport(TypedDict):
    """A spell that lasted on a creature, and whether it was ended; no check where none was needed."""

    spell: str
    level: int
    check: NotRequired[DispelCheck]
    ended: bool


class DetectedReport(TypedDict):
    """A creature that a spell found, and what it found out."""

    id: str
    signs: Sequence[str]


class LocatedReport(TypedDict):
    """The location of a creature or an object, if a spell finds it."""

    found: bool
    feet: NotRequired[int]
    direction: NotRequired[str]
    location: NotRequired[str]


class OmenReport(TypedDict):
    """Whether an answer is right; no dice are rolled where it cannot be wrong."""

    castings: int
    chance: int
    rolled: NotRequired[int]
    goes_wrong: bool


class CrossingReport(TypedDict):
    """A message to another plane."""

    rolled: int
    is_lost: bool


class NewRaceReport(TypedDict):
    """The race of a new body."""

    rolled: int
    race: str


class TargetRow(TypedDict, total=False):
    """The effect of a spell on one target, filled in step by step; `resolve` adds its identity and state."""

    target_id: str
    unaffected: str
    save: FullSaveReport
    attack: AttackReport
    damage: DamageReport
    further_damage: Sequence[DamageReport]
    healing: HealingReport
    temp_hp: int
    conditions: Sequence[str]
    effect: str | None
    ended: Sequence[str]
    dispelled: Sequence[DispelledReport]
    caster_healed: int
    position: JsonObject
    detected: Sequence[DetectedReport]
    located: LocatedReport
    omen: OmenReport
    crossing: CrossingReport
    new_race: NewRaceReport
    target_hp: HitPointsReport
    target_status: str
    target_conditions: Sequence[str]


class SpellReport(TypedDict):
    """The result of a spell."""

    action_type: Literal["cast_spell"]
    actor: str
    spell: str
    spell_id: str
    tier: Literal["full", "partly"]
    level: int
    slot: SlotReport | None
    cost: str
    target: str | None
    targets: Sequence[TargetRow]
    pool: NotRequired[int]
    concentration: bool
    rounds: int | None
    previous_spell: NotRequired[str]
    countered: NotRequired[CounterReport]
    figures: NotRequired[JsonObject]
    materials: NotRequired[JsonObject]
    summoned: NotRequired[Sequence[JsonObject]]
    areas: NotRequired[Sequence[AreaReport]]
    left: NotRequired[Sequence[LeftReport]]
    played_out: NotRequired[Sequence[str]]
    not_executed: NotRequired[Sequence[str]]
    triggered: NotRequired[Sequence[TriggerReport]]
    concentration_checks: NotRequired[Sequence[ConcentrationReport]]
    economy: NotRequired[EconomyReport]


class SizeOption(TypedDict):
    """A change of the target's size by a spell, as its entry says, and its other effects."""

    size: int
    weapon_damage: str
    advantage: NotRequired[Sequence[str]]
    disadvantage: NotRequired[Sequence[str]]


# other tools


class HeldSpell(TypedDict):
    """The spell that a caster concentrates on; nulls for none."""

    spell_name: str | None
    targets: Sequence[str]
    duration: int | None
    rounds_remaining: int | None


class MovedSlots(TypedDict):
    """Slots of a level that were spent or given back."""

    level: int
    count: int
    pact: bool


class SlotCount(TypedDict):
    """Slots of a level, and how many there are at most."""

    current: int
    max: int


class PactSlots(SlotCount):
    """Slots of a pact, and their level."""

    slot_level: int


class SlotsReport(TypedDict):
    """All slots of a caster."""

    caster_type: CasterType
    slots: Mapping[str, SlotCount]
    pact: PactSlots | None


class AskedSave(TypedDict):
    """A save that an improvised spell asks for."""

    ability: Ability
    dc: int


class ImprovisedSpell(TypedDict):
    """An improvised spell; the dice of its effect are rolled if it succeeded."""

    name: str
    level: int
    school: str | None
    effect: Mapping[str, object]
    range: object
    area: JsonObject | None
    saving_throw: AskedSave | None
    concentration: bool
    duration: object


class ScrollCheck(TypedDict):
    """The check that a scroll may need; nulls where it needs none."""

    natural: int | None
    rolls: Sequence[int]
    modifier: int | None
    total: int | None
    success: bool
