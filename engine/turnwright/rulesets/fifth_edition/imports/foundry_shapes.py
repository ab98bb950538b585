"""An actor of Foundry VTT's dnd5e system as plain JSON, for type checkers: the keys that are written."""

from collections.abc import Mapping, Sequence
from typing import Literal, NotRequired, TypedDict


class Pool(TypedDict):
    """The remaining amount of something; its maximum if not the usual one."""

    value: int
    override: int | None


class ArmorClass(TypedDict):
    """How the armor class is worked out."""

    calc: Literal["default", "natural"]
    flat: int | None


class HitPointBonuses(TypedDict):
    """The additions to the hit point maximum."""

    level: str
    overall: str


class HitPoints(TypedDict):
    """Hit points; without a maximum if the system computes it."""

    value: int | None
    max: int | None
    temp: int | None
    bonuses: HitPointBonuses


class DeathSaves(TypedDict):
    """Death saving throws so far."""

    success: int
    failure: int


class Movement(TypedDict):
    """Speeds."""

    walk: int
    fly: int | None
    swim: int | None
    climb: int | None
    units: Literal["ft"]


class Attributes(TypedDict):
    """The attributes of an actor."""

    ac: ArmorClass
    hp: HitPoints
    death: DeathSaves
    movement: Movement
    senses: Mapping[str, int | str | None]
    spellcasting: str
    exhaustion: int


class AbilityScore(TypedDict):
    """A score, and whether its saves are proficient."""

    value: int
    proficient: int


class SkillRank(TypedDict):
    """0, 1 for proficient, 2 for expertise."""

    value: int


class Details(TypedDict):
    """The identity and description of an actor."""

    race: str
    background: str
    originalClass: str


class Words(TypedDict):
    """A list of words."""

    value: Sequence[str]


class Traits(TypedDict):
    """Size, defenses and languages."""

    size: str
    dr: Words
    di: Words
    dv: Words
    ci: Words
    languages: Words


class ActorSystem(TypedDict):
    """The system data of an actor."""

    abilities: Mapping[str, AbilityScore]
    attributes: Attributes
    details: Details
    traits: Traits
    skills: Mapping[str, SkillRank]
    spells: Mapping[str, Pool]
    currency: Mapping[str, int]


class ActorItem(TypedDict):
    """An item of an actor: a class, a spell, a thing and more; its type determines its system data."""

    _id: str
    name: str
    type: str
    system: "Mapping[str, object]"


class DiceShape(TypedDict, total=False):
    """Custom dice, which are not evaluated."""

    enabled: bool
    formula: str


class DamagePart(TypedDict, total=False):
    """Dice of a weapon; empty for none."""

    number: int
    denomination: int
    bonus: str
    custom: DiceShape
    types: Sequence[str]


class WeaponDamage(TypedDict):
    """The dice of a weapon with one hand, and with two."""

    base: DamagePart
    versatile: NotRequired[DamagePart]


class WeaponSystem(TypedDict):
    """The system data of a weapon."""

    damage: WeaponDamage
    range: Mapping[str, int | str | None]
    proficient: int
    activities: Mapping[str, object]


class ArmorValue(TypedDict):
    """The protection of armor or a shield."""

    value: int
    dex: NotRequired[int | None]
    magicalBonus: NotRequired[int]


class Protection(TypedDict, total=False):
    """The system data of armor; empty for other things."""

    armor: ArmorValue
    properties: Sequence[str]
    strength: int


class Price(TypedDict):
    """A price in coins of one kind."""

    value: int | float
    denomination: str


class EffectChange(TypedDict):
    """One value that an effect adds to."""

    key: str
    mode: int
    value: str


class ActorEffect(TypedDict):
    """An effect of an actor."""

    _id: str
    name: str
    disabled: bool
    transfer: NotRequired[bool]
    statuses: Sequence[str]
    changes: Sequence[EffectChange]
