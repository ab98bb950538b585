"""Results of the fifth edition's tools as plain JSON, for type checkers: rows and reports as the rules create them.

The models of the results (`fights/_action_result.py`, `fights/_turn_rows.py` and others) document each key.
"""

from collections.abc import Mapping, Sequence
from typing import Literal, NotRequired, TypeAlias, TypedDict

from turnwright.model.json_types import JsonObject
from turnwright.model.vocabulary import AbilityWord, Cover, DamageType, GridTerrain, SkillWord
from turnwright.rulesets.fifth_edition.damage_rules import Adjusted
from turnwright.rulesets.fifth_edition.fights.advantage import Mode
from turnwright.rulesets.fifth_edition.fights.attack_roll import AttackResult
from turnwright.rulesets.fifth_edition.item_shapes import UsedItem

# rolls and effects


class SaveReport(TypedDict):
    """A saving throw in short."""

    natural: int
    total: int
    success: bool


class FullSaveReport(SaveReport):
    """A saving throw with all its figures."""

    ability: AbilityWord
    dc: int
    rolls: Sequence[int]
    modifier: int
    legendary_resistance: NotRequired[bool]


class TargetReport(TypedDict):
    """The creature that the report is about."""

    target_id: str


class EffectReport(TargetReport):
    """An effect on a creature."""

    effect_id: str
    name: str


class TriggerReport(EffectReport):
    """An effect that does something at this moment, in words."""

    trigger: str
    trigger_effect: str | None


class ConcentrationReport(TargetReport):
    """The save that damage requires of a concentrating creature."""

    spell_name: str
    dc: int
    natural: int
    modifier: int
    total: int
    success: bool
    broken: bool


# actions


class ImageReport(TypedDict):
    """One of several images of a creature, which an attack hit instead."""

    natural: int
    is_destroyed: bool
    left: int


class AmmunitionReport(TypedDict):
    """The ammunition used, and the number of pieces left."""

    name: str
    remaining: int


class AttackReport(TypedDict):
    """An attack roll."""

    natural: int
    rolls: Sequence[int]
    mode: Mode
    bonus: int
    total: int
    target_ac: int
    result: AttackResult
    advantage_reasons: Sequence[str]
    disadvantage_reasons: Sequence[str]
    cover: NotRequired[Cover]
    parry: NotRequired[int]
    kept_off: NotRequired[SaveReport]
    image: NotRequired[ImageReport]
    weapon: NotRequired[str]
    ammunition: NotRequired[AmmunitionReport]


class DamagePartReport(TypedDict):
    """One type of the damage of a blow."""

    type: DamageType
    raw: int
    final: int
    adjusted: Adjusted


class DamageReport(TypedDict):
    """Damage as rolled, and as taken."""

    expression: str | None
    rolls: Sequence[int]
    raw: int
    final: int
    type: DamageType
    adjusted: Adjusted
    parts: NotRequired[Sequence[DamagePartReport]]


class HitPointsReport(TypedDict):
    """Hit points of a target."""

    before: int | None
    after: int | None
    max: int | None
    temp: int


class CheckReport(TypedDict):
    """A check; without a target number if the table decides."""

    skill: SkillWord | None
    ability: NotRequired[AbilityWord]
    natural: int
    rolls: Sequence[int]
    mode: Mode
    modifier: int
    total: int
    dc: int | None
    success: bool | None


class ContestReport(TypedDict):
    """Two checks against each other."""

    actor_total: int
    target_total: int
    success: bool
    actor_skill: SkillWord | None
    target_skill: SkillWord | None


class SlotReport(TypedDict):
    """A slot that was spent."""

    level: int
    remaining: int


SquareWay = TypedDict("SquareWay", {"from": Mapping[str, int], "to": Mapping[str, int]})
"""From one square to another."""


class MovementReport(SquareWay):
    """A move, in feet."""

    cost: int
    remaining: int


class OpportunityReport(TypedDict):
    """An attack that a move provoked."""

    attacker_id: str
    result: AttackResult
    damage: int


class ResourceReport(TypedDict):
    """A resource of which one unit was spent."""

    name: str
    current: int
    max: int


class EconomyReport(TypedDict):
    """The remaining economy of a creature's turn."""

    action: bool
    bonus_action: bool
    reaction: bool
    free_object: bool
    movement: int
    attacks: int


class RisesReport(TypedDict):
    """The monster that a slain creature returns as, and when."""

    monster: str
    after: str


class EconomyChanges(TypedDict, total=False):
    """The changes of an action to the economy of its actor's turn beside its cost."""

    attacks: int
    free_object: bool
    light_attack: bool
    multiattack: tuple[str, ...]
    action_spell: int
    bonus_spell: bool


class AreaReport(TypedDict, total=False):
    """The effect of a spell's lasting area on a creature."""

    spell: str
    source_id: str
    target_id: str
    moment: str
    save: FullSaveReport
    damage: DamageReport
    further_damage: Sequence[DamageReport]
    conditions: Sequence[str]
    loses_action: bool
    concentration_check: "ConcentrationReport"
    target_hp: HitPointsReport
    target_status: str
    target_conditions: Sequence[str]


class LeftReport(TypedDict):
    """A summoned creature that left, and how."""

    id: str
    spell: str
    outcome: str


class ActionReport(TypedDict, total=False):
    """A part of the result of `execute_action`, or its effect on one of several targets."""

    source_id: str
    target_id: str
    action: str
    target: str | None
    attack: AttackReport
    save: FullSaveReport
    damage: DamageReport | None
    inflicted: Sequence[str]
    effects: Sequence[str]
    caught: SaveReport
    healing: int
    target_hp: HitPointsReport
    target_status: str
    target_conditions: Sequence[str]
    target_position: JsonObject
    targets: "Sequence[ActionReport]"
    traits: "Sequence[ActionReport]"
    areas: "Sequence[AreaReport]"
    left: "Sequence[LeftReport]"
    attacks_left: Sequence[str]
    teleported: SquareWay
    not_executed: Sequence[str]
    returns_after: str
    returns_if: Sequence[str]
    rises: RisesReport
    summoned: Sequence[str]
    contest: ContestReport
    actor_conditions: Sequence[str]
    check: CheckReport
    found: Sequence[str]
    helps_with: Literal["check", "attack"]
    readied: JsonObject
    spell: str | None
    slot: SlotReport | None
    item: str | None
    used: UsedItem | None
    ability: str
    resource: ResourceReport | None
    outcome: str
    move_when: Literal["before"]
    movement: MovementReport
    opportunity_attacks: Sequence[OpportunityReport]
    freed: Sequence[str]
    triggered: Sequence[TriggerReport]
    concentration_check: ConcentrationReport | None
    concentration_checks: Sequence[ConcentrationReport]


class ActionResult(ActionReport):
    """The result of an action; a spell cast by name is remembered as one."""

    actor: str
    action_type: str | None
    action_cost: str
    economy: EconomyReport


class RememberedAction(TypedDict):
    """The record of an action in a fight."""

    round: int
    actor: str
    action_type: str
    target: NotRequired[str]
    result: NotRequired[AttackResult]
    success: NotRequired[bool]
    damage: NotRequired[int]
    spell: NotRequired[str]
    outcome: NotRequired[str]
    moved_to: NotRequired[Mapping[str, int]]
    opportunity_attacks: NotRequired[int]


# changes of turns


class ConditionReport(TargetReport):
    """A condition that ended."""

    condition: str


class TickedReport(ConditionReport):
    """A condition that continues for so many rounds."""

    remaining: int | None


class ConditionSaveReport(ConditionReport, SaveReport):
    """A saving throw against a condition or an effect, at the end of a turn."""

    ability: str
    dc: int
    modifier: int


class SpellEndReport(TargetReport):
    """A spell that is not concentrated on any more."""

    spell_name: str


class TerrainReport(TypedDict):
    """Terrain that went away."""

    terrain_type: GridTerrain
    positions: Sequence[str]


class AuraEndReport(TypedDict):
    """An aura that went away."""

    aura_id: str
    spell_name: str


class AuraReport(TypedDict, total=False):
    """The effect of an aura on a creature."""

    aura_id: str
    target_id: str
    in_range: bool
    save: SaveReport | None
    damage_rolled: int | None
    damage_applied: int
    healing: int
    condition: str | None
    hp: int | None
    concentration_check: ConcentrationReport


class TurnOwner(TypedDict):
    """The creature whose turn it is."""

    id: str
    name: str
    conditions: NotRequired[Sequence[str]]


class HazardReport(TargetReport):
    """The effect of a hazard."""

    type: str
    position: str
    save: SaveReport | None
    damage_rolled: int | None
    damage_applied: int
    condition: str | None


class RechargeReport(TargetReport):
    """The recharge die of a stat block's action, and its outcome."""

    action: str
    natural: int
    needed: int
    ready: bool


class RegeneratedReport(TargetReport):
    """Hit points that a trait gave back."""

    trait: str
    amount: int
    hp: int | None


class TraitReport(TypedDict):
    """The effect of a trait on its bearer: the die, and the outcome."""

    source_id: str
    action: str
    natural: NotRequired[int]
    needed: NotRequired[int]
    outcome: NotRequired[str]


class LastingReport(TargetReport):
    """The effect of a lasting effect or condition at one end of a turn."""

    name: str
    healing: NotRequired[int]
    temp_hp: NotRequired[int]
    rolled: NotRequired[int]
    damage: NotRequired[int]
    away: NotRequired[bool]
    natural: NotRequired[int]
    outcome: NotRequired[str]
    direction: NotRequired[str]
    at: NotRequired[str]
    dropped: NotRequired[Sequence[str]]


TurnRow: TypeAlias = (
    TargetReport | TerrainReport | AuraEndReport | AuraReport | ActionReport | TraitReport | AreaReport | LeftReport
)
"""A row of the events between two turns; most are about a target."""

# conditions


class MechanicalReport(TypedDict):
    """The mechanics of a condition."""

    disadvantage_on: Sequence[str]
    speed_multiplier: int | float
    max_hp_multiplier: int | float
    cannot_move: bool
    can_only_crawl: bool
    incapacitated: bool
    auto_fail_saves: Sequence[AbilityWord]
    dead: bool


class HeldConditionReport(TypedDict):
    """A condition of a creature."""

    condition: str
    source: str | None
    duration: int | str | None
    rounds_remaining: int | None
    save_dc: int | None
    save_ability: AbilityWord | None
    exhaustion_level: int | None
    mechanical: MechanicalReport


# drawings


class FigureReport(TypedDict):
    """A creature in the legend of a drawing."""

    id: str
    symbol: str
    name: str
    position: JsonObject
    hp: int | None
    max_hp: int | None
    bloodied: bool
    down: bool
    dead: bool
    current: bool
    conditions: Sequence[str]
