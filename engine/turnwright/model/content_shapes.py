"""Entries of content as plain JSON, for type checkers: the keys of stat blocks, and the shapes that they are made of.

`content/kinds` holds the models that check entries and say what each key means. A fight keeps the stat blocks that it
took as they were written, so rules read these keys. Keys with a usual value are left out where they have it, and
`figures` may have further keys that no rule reads.
"""

from collections.abc import Mapping, Sequence
from typing import Literal, NotRequired, TypedDict

from turnwright.model.vocabulary import AbilityWord, ConditionWord, DamageType, Size, SkillWord

# shapes that several kinds share


class DiceShape(TypedDict, total=False):
    """Dice and a bonus, or a fixed amount."""

    dice: str
    bonus: int
    average: int
    flat: int


class DamageShape(DiceShape, total=False):
    """One part of damage; several types are a choice."""

    type: DamageType | Sequence[DamageType]
    when: str
    instead: bool
    per: str
    within: int
    per_slot: str
    slots_per_step: int
    by_level: Mapping[str, str]


class HealingShape(DiceShape, total=False):
    """Hit points that are regained."""

    plus: str
    kind: str


class SaveFigures(TypedDict, total=False):
    """Further figures of a saving throw: a DC that the damage raises."""

    dc_base: int
    dc_plus: str


class SaveShape(TypedDict):
    """A saving throw; several abilities are a choice."""

    ability: AbilityWord | Sequence[AbilityWord]
    dc: NotRequired[int]
    success: NotRequired[Literal["half", "none"]]
    versus: NotRequired[str]
    figures: NotRequired[SaveFigures]


class AreaShape(TypedDict):
    """An area of effect, in feet."""

    shape: str
    size: NotRequired[int]
    width: NotRequired[int]
    height: NotRequired[int]
    origin: NotRequired[Literal["self", "point"]]


class ConditionShape(TypedDict):
    """A condition that an attack or a failed save gives."""

    id: ConditionWord
    on: str
    duration: NotRequired[str]
    repeat: NotRequired[str]
    instead: NotRequired[bool]
    escape: NotRequired["EscapeShape"]


class EscapeShape(TypedDict):
    """A check that ends a condition; several abilities or skills are a choice."""

    check: str | Sequence[str]
    dc: NotRequired[int | str]


class TargetsShape(TypedDict, total=False):
    """The creatures or objects affected."""

    count: int | Literal["any"]
    kind: str


class OnlyShape(TypedDict, total=False):
    """The creatures that can be affected at all."""

    kind: str
    other_than: Sequence[str]
    max_size: Size
    max_hp: int
    sense: Literal["sight", "hearing"]
    requires: str


class ForcedMoveShape(TypedDict):
    """A move that the target does not choose."""

    ft: int
    dir: Literal["away", "toward", "random"]
    on: NotRequired[str]
    who: NotRequired[str]


class ResistanceShape(TypedDict):
    """A type of damage that does less or more."""

    type: DamageType | Literal["all"]
    source: NotRequired[str]
    unless: NotRequired[str]


# parts of stat blocks


class AttackTarget(TypedDict, total=False):
    """The target of an attack."""

    count: int | Literal["any"]
    kind: str
    max_size: Size
    requires: Sequence[str]
    requires_any: Sequence[str]


class BlockAttack(TypedDict):
    """An attack roll."""

    kind: Literal["melee_weapon", "ranged_weapon", "melee_or_ranged_weapon", "melee_spell", "ranged_spell"]
    to_hit: int
    to_hit_with: NotRequired[Mapping[str, int]]
    target: NotRequired[AttackTarget]
    reach: NotRequired[int]
    range: NotRequired[Sequence[int]]


class GrappleFigures(TypedDict, total=False):
    """Further figures of a grapple."""

    advantage_vs_grappled: bool


class BlockGrapple(TypedDict, total=False):
    """A grapple that comes with a hit."""

    escape_dc: int
    max_size: Size
    restrained: bool
    one_target: bool
    limbs: int
    auto_hit: bool
    instead_of_damage: bool
    figures: GrappleFigures


class BlockRecharge(TypedDict):
    """The least face of the die that gives a part back."""

    die: NotRequired[Literal["d6"]]
    min: int


class BlockUses(TypedDict):
    """The number of uses of a part."""

    count: int
    per: Literal["day", "short_or_long_rest", "long_rest", "turn"]


class ActionUse(TypedDict):
    """An action that another one consists of, made so many times."""

    action: str
    count: NotRequired[int | str]
    when: NotRequired[str | None]
    optional: NotRequired[bool]
    form: NotRequired[str]


class CastingFigures(TypedDict, total=False):
    """Further figures of casting: what the block notes of spells, by their ids in snake_case."""

    notes: Mapping[str, str]


class BlockCasting(TypedDict, total=False):
    """The spellcasting of a stat block."""

    ability: AbilityWord
    dc: int
    dc_derived: int
    attack: int
    caster_level: int
    list: str
    slots: Mapping[str, int]
    prepared: Mapping[str, Sequence[str]]
    at_will: Sequence[str]
    per_day: Mapping[str, Sequence[str]]
    figures: CastingFigures


class BlockCheck(TypedDict, total=False):
    """A check that a part asks for."""

    ability: AbilityWord
    skill: SkillWord
    dc: int
    within: int
    cost: str


class LastingFigures(TypedDict, total=False):
    """Effects that slow, weaken or curse for a while."""

    action_or_bonus_action: bool
    attacks: int
    reactions: bool
    speed: str
    on: str
    disadvantage: Sequence[str]
    duration: str | None


class WoundFigures(TypedDict, total=False):
    """Hit points that a wound takes turn after turn, and the check that tends it."""

    check: BlockCheck
    dice: str
    stacks: str
    ends: Sequence[str]
    when: str


class MaximumFigures(TypedDict, total=False):
    """Effects that lower the hit point maximum."""

    by: str
    on: str
    until: str
    dies_at_0: bool


class SwallowFigures(TypedDict, total=False):
    """Swallowing a creature."""

    via: str
    max_size: Size
    capacity: int
    conditions: Sequence[ConditionWord]
    total_cover: bool
    requires: str


class RegurgitateFigures(TypedDict):
    """Conditions under which a monster regurgitates a swallowed creature."""

    damage_in_turn: int
    save: SaveShape
    within: int


class CarcassFigures(TypedDict):
    """The movement needed to leave a carcass, in feet."""

    movement: int
    prone: NotRequired[bool]


class FormFigures(TypedDict, total=False):
    """A form that changes the speeds or the size of its block, and nothing else."""

    size: Size
    speeds: "Speeds"


SicknessKind = TypedDict("SicknessKind", {"as": Literal["disease", "curse"]})
"""Which of the two it is."""


class SicknessFigures(SicknessKind):
    """A disease or a curse that works day by day."""

    hp_max_reduction: str
    every: str
    name: NotRequired[str]
    healing: NotRequired[Literal["none", "magic"]]
    repeat_save: NotRequired[Literal["cures", "spares"]]
    dies_at_0: NotRequired[bool]


class RisingFigures(TypedDict):
    """The creature that a slain one rises as."""

    monster: str
    after: str
    kind: NotRequired[str]
    not_alignment: NotRequired[str]
    most: NotRequired[int]


class ReductionFigures(TypedDict):
    """Effects that lower an ability score."""

    ability: AbilityWord
    dice: str
    until: NotRequired[str]
    dies_at_0: NotRequired[bool]


class AttachFigures(TypedDict):
    """A monster that attaches itself to a creature it hits."""

    drain: DamageShape
    movement: int
    until_drained: int


class CorpseFigures(TypedDict):
    """The corpses from which a creature can be summoned."""

    kind: str
    within: int
    dead_for: NotRequired[str]


class SummonFigures(TypedDict):
    """The creatures that an action brings into the fight."""

    count: int
    monster: NotRequired[str]
    most: NotRequired[int]
    within: NotRequired[int]
    corpse: NotRequired[CorpseFigures]
    stats: NotRequired[Mapping[str, int]]
    actions: NotRequired[Sequence[str]]


class WeaponPenalty(TypedDict):
    """The damage that a weapon loses with each hit."""

    per_hit: int
    destroyed_at: int


class ArmorPenalty(TypedDict):
    """The armor class that armor loses with each hit."""

    per_hit: int
    destroyed_at_ac: int


class RustFigures(TypedDict):
    """The penalty that a touch gives armor, a shield or a weapon."""

    per_touch: int
    armor_destroyed_at_ac: int
    weapon_destroyed_at: int


class HindranceFigures(TypedDict, total=False):
    """Where a creature is hindered, and in which rolls."""

    when: str
    on: Sequence[str]


class PartFigures(TypedDict, total=False):
    """Further figures of a part: those that rules read."""

    ability_reduction: ReductionFigures
    also: Sequence[str]
    armor_penalty: ArmorPenalty
    attach: AttachFigures
    disadvantage: HindranceFigures
    hp: str
    min_hp: int
    min_size: Size
    on_damage: Sequence[DamageType]
    pieces: int
    raises: RisingFigures
    requires: Sequence[str]
    rusts: RustFigures
    sickens: SicknessFigures
    size: int
    stuff: Sequence[str]
    squeeze_inches: int
    summons: SummonFigures
    through: Sequence[str]
    unless: Sequence[str]
    weapon_penalty: WeaponPenalty
    abilities: Sequence[AbilityWord]
    ac_bonus: int
    advantage: Sequence[str]
    after: str
    against: str | Sequence[str]
    amount: int
    at: str
    aura: int
    auto_fail: Sequence[str]
    calm_check: BlockCheck
    cast: str
    check: BlockCheck
    condition: str
    contest: BlockCheck
    cost: str
    crit_dice_multiplier: int
    critical_when: str
    cures: Sequence[str]
    cursed: LastingFigures
    damage_max: int
    die: str
    dies_only_if: str
    drain: str | DamageShape
    duration: str
    ends_on: Sequence[str]
    exit_on_death: CarcassFigures
    heads: int
    hp_max: int
    hp_max_reduction: MaximumFigures
    ignites: Mapping[str, str]
    ignores: str | Sequence[str]
    immune: Sequence[str]
    into: "Literal['forms'] | Sequence[str] | Mapping[str, FormFigures]"
    keeps: Sequence[str]
    move: int | str
    negates: DamageType
    no_healing: bool | str
    on: int
    on_failed_save: Sequence[str]
    options_in_order: bool
    per: str
    per_slot_above_1st: str
    planes: Sequence[str]
    regurgitate: RegurgitateFigures
    repeat_save: str
    replaces: Sequence[str]
    saves_vs: Sequence[str]
    size_change: int
    slowed: LastingFigures
    stable_at_0: bool
    stopped_by: Sequence[str]
    stopped_in: Sequence[str]
    swallow: SwallowFigures
    target_hp: int
    then_move: str
    trigger: str
    type: DamageType
    true_form: str
    vs: Sequence[str]
    weakened: LastingFigures
    when: str
    wound: WoundFigures


class BlockPart(TypedDict, total=False):
    """An action, a trait, a reaction or a legendary action; also a variant of one.

    The `attack` of a trait may be the name of the attack that it belongs to, and its `save` the ability that it is of.
    """

    id: str
    name: str
    tier: Literal["full", "partly", "reference"]
    missing: Sequence[str]
    kind: str
    attack: BlockAttack | str
    damage: Sequence[DamageShape]
    save: SaveShape | AbilityWord
    more_saves: Sequence[SaveShape]
    area: AreaShape
    range: int | str
    targets: TargetsShape
    only: OnlyShape | str
    conditions: Sequence[ConditionShape]
    grapple: BlockGrapple
    forced_move: ForcedMoveShape
    teleport: int
    heal: HealingShape
    recharge: BlockRecharge
    uses: BlockUses
    immune_after: str
    figures: PartFigures
    options: "Sequence[BlockPart]"
    uses_actions: Sequence[ActionUse]
    forms: Sequence[str]
    spellcasting: BlockCasting
    cost: int


class BlockArmorClass(TypedDict):
    """An armor class and where it comes from."""

    value: int
    kind: NotRequired[str]


class BlockHitPoints(TypedDict):
    """Hit points: the average, and the dice that it is of."""

    average: int
    dice: str
    bonus: NotRequired[int]


class Speeds(TypedDict, total=False):
    """Feet a turn, by way of moving."""

    walk: int
    burrow: int
    climb: int
    fly: int
    swim: int
    hover: bool


class BlockLegendary(TypedDict, total=False):
    """Legendary actions: the number per round, and the list."""

    count: int
    actions: Sequence[BlockPart]


class StatBlock(TypedDict, total=False):
    """A stat block as in an entry of content; empty for creatures without one."""

    id: str
    name: str
    tier: Literal["full", "partly", "reference"]
    missing: Sequence[str]
    size: Size
    type: str
    subtype: str
    alignment: str
    ac: BlockArmorClass
    hp: BlockHitPoints
    speeds: Speeds
    stats: Mapping[str, int]
    saves: Mapping[str, int]
    skills: Mapping[str, int]
    vulnerabilities: Sequence[ResistanceShape]
    resistances: Sequence[ResistanceShape]
    immunities: Sequence[ResistanceShape]
    condition_immunities: Sequence[ConditionWord]
    senses: Mapping[str, int | bool]
    cr: int | float
    xp: int
    proficiency_bonus: int
    traits: Sequence[BlockPart]
    multiattack: Sequence[Sequence[ActionUse]]
    actions: Sequence[BlockPart]
    reactions: Sequence[BlockPart]
    legendary: BlockLegendary
    forms_of: Sequence[str]
