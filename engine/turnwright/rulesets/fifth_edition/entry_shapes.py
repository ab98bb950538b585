"""Entries of content as plain JSON, for type checkers: the keys of entries that the rules of the fifth edition read.

`content/kinds` holds the models, which validate entries and document each key.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NotRequired, TypedDict

from turnwright.model.vocabulary import Ability

# goods


class CostShape(TypedDict):
    """A price."""

    amount: int
    unit: Literal["cp", "sp", "gp"]


class GoodsEntry(TypedDict):
    """The keys that all goods have; keys with the default value are left out."""

    id: str
    name: str
    cost: NotRequired[CostShape]
    weight: NotRequired[int | float]
    bundle: NotRequired[int]


class WeaponDamage(TypedDict, total=False):
    """The damage of a weapon; several types are a choice."""

    dice: str
    flat: int
    bonus: int
    type: str | Sequence[str]


class WeaponRules(TypedDict, total=False):
    """Figures of weapons with rules of their own."""

    disadvantage_within: int
    two_handed_unless: str
    max_size: str
    ac: int
    hp: int


class EscapeShape(TypedDict):
    """The check that ends a weapon's condition."""

    check: str
    dc: int


class WeaponCondition(TypedDict):
    """A condition caused by a hit."""

    id: str
    escape: EscapeShape


class WeaponEntry(GoodsEntry):
    """A weapon."""

    damage: NotRequired[WeaponDamage]
    versatile: NotRequired[str]
    properties: NotRequired[Sequence[str]]
    reach: NotRequired[int]
    range: NotRequired[tuple[int, int]]
    thrown: NotRequired[tuple[int, int]]
    conditions: NotRequired[Sequence[WeaponCondition]]
    figures: NotRequired[WeaponRules]


class ArmorValue(TypedDict):
    """The armor class that armor begins with."""

    base: int


class ArmorEntry(GoodsEntry):
    """Armor or a shield."""

    category: str
    ac: NotRequired[ArmorValue]
    ac_bonus: NotRequired[int]
    str_minimum: NotRequired[int]
    stealth_disadvantage: NotRequired[bool]


class DrinkHealing(TypedDict, total=False):
    """The healing of a drink."""

    dice: str
    bonus: int


class MagicItemEntry(GoodsEntry):
    """A magic item."""

    kind: str
    rarity: str
    attunement: NotRequired[bool]
    heal: NotRequired[DrinkHealing]


# races, classes and backgrounds


class CountedEntry(TypedDict):
    """An item, with its number."""

    id: str
    count: NotRequired[int]


class ChoiceEntry(TypedDict, total=False):
    """A number of some options, or of a category; options are terms, items with a count, or further choices."""

    choose: int
    options: Sequence[Any]
    category: str


TraitChoice = TypedDict("TraitChoice", {"choose": int, "from": Sequence[str]})
"""Proficiencies that a trait lets one choose."""


class GrantedSpell(TypedDict, total=False):
    """A spell that a trait grants."""

    id: str
    level: int


class FeatureFigures(TypedDict, total=False):
    """Figures of features and traits that making a character reads; there are many more."""

    ac_base: int
    ac_plus: Ability | Sequence[Ability]
    cantrips: int
    choose_proficiencies: TraitChoice
    darkvision: int
    hp_per_level: int
    languages: int
    list: str
    proficiencies: Sequence[str]
    resistances: Sequence[str]
    skills: Sequence[str]
    speed: int | Mapping[str, int]
    spells: Sequence[GrantedSpell]


class FeatureEntry(TypedDict, total=False):
    """A feature of a class, or a trait of a race."""

    id: str
    name: str
    level: int
    subclass: str
    parent: str
    choose: ChoiceEntry
    figures: FeatureFigures


class AbilityChoice(TypedDict):
    """Scores that the player raises."""

    choose: int
    options: Sequence[Ability]
    bonus: NotRequired[int]


class SubraceEntry(TypedDict, total=False):
    """A part of a race; empty if there is none."""

    id: str
    name: str
    ability_bonuses: Mapping[Ability, int]
    traits: Sequence[FeatureEntry]


class AncestryEntry(TypedDict, total=False):
    """A line of descent; empty if there is none."""

    id: str
    name: str
    damage_type: str


class RaceEntry(SubraceEntry, total=False):
    """A race; empty if there is none."""

    size: str
    speed: int
    ability_choice: AbilityChoice
    languages: Sequence[str]
    language_choices: int
    ancestries: Sequence[AncestryEntry]
    subraces: Sequence[SubraceEntry]


class ClassLevelEntry(TypedDict, total=False):
    """A row of the table of a class; empty if there is none."""

    level: int
    proficiency_bonus: int
    features: Sequence[str]
    slots: Mapping[str, int]
    cantrips_known: int
    spells_known: int


class SubclassSpell(TypedDict):
    """A spell that a subclass grants, with its requirements."""

    id: str
    requires: NotRequired[Sequence[str]]


class SubclassEntry(TypedDict, total=False):
    """A subclass; empty if there is none."""

    id: str
    name: str
    levels: Sequence[ClassLevelEntry]
    spells: Sequence[SubclassSpell]


class SpellcastingEntry(TypedDict, total=False):
    """The spellcasting of a class; empty if it has none."""

    ability: Ability
    kind: Literal["full", "half", "third", "pact"]
    from_level: int


class MulticlassEntry(TypedDict, total=False):
    """The requirements of a level in another class, all of these scores or one of the others, and what it grants."""

    prerequisites: Sequence[Mapping[Ability, int]]
    any_of: Sequence[Mapping[Ability, int]]
    proficiencies: Sequence[str]


class ClassEntry(TypedDict, total=False):
    """A class; empty if there is none."""

    id: str
    name: str
    hit_die: int
    saves: Sequence[Ability]
    proficiencies: Sequence[str]
    proficiency_choices: Sequence[ChoiceEntry]
    multiclass: MulticlassEntry
    starting_equipment: Sequence[CountedEntry]
    starting_equipment_choices: Sequence[ChoiceEntry]
    spellcasting: SpellcastingEntry
    levels: Sequence[ClassLevelEntry]
    features: Sequence[FeatureEntry]
    subclasses: Sequence[SubclassEntry]
    spells: Sequence[str]


class BackgroundEntry(TypedDict, total=False):
    """A background; empty if there is none."""

    id: str
    name: str
    skills: Sequence[str]
    tools: Sequence[str]
    languages: int
    gold: int
    equipment: Sequence[CountedEntry]
    equipment_choices: Sequence[ChoiceEntry]
