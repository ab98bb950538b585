"""The current values of a character: base and equipment, then additions, then multipliers.

Never written back to the sheet. Source: docs/toolkit.md, "Effective values"; SRD 5.1, "Armor".
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, cast

from turnwright.model.character import Character
from turnwright.model.creature import Condition, Effect
from turnwright.model.encounter import NO_OVERRIDES, Overrides
from turnwright.model.item import Item
from turnwright.model.sheet import Senses, Sheet
from turnwright.model.vocabulary import Ability, ConditionName, DamageType, Size, words
from turnwright.rulesets.fifth_edition.condition_rules import Mechanics, from_mechanical, mechanics_of
from turnwright.rulesets.fifth_edition.sheets.impairment import Impairment
from turnwright.rulesets.fifth_edition.sheets.rounding import bounded, floor_times
from turnwright.rulesets.fifth_edition.sheets.sheet_rules import proficiency, sheet_of
from turnwright.rulesets.fifth_edition.sheets.skills import ability_modifier

if TYPE_CHECKING:
    from turnwright.rulesets.fifth_edition.sheets.shapes import ValueReport

ABILITIES = cast("tuple[Ability, ...]", words(Ability))
_CONDITIONS = frozenset(words(ConditionName))
_SLOWED_BY_ARMOR = 10
_SHIELD = 2
_LOUD = "stealth disadvantage"
_SIZES: tuple[Size, ...] = ("tiny", "small", "medium", "large", "huge", "gargantuan")
_SENSES = ("blindsight", "darkvision", "tremorsense", "truesight")
_MEDIUM_DEX = 2


class Value(NamedTuple):
    """One value: the sheet's, the current one, and the reasons for the difference."""

    base: int
    effective: int
    modifiers: tuple[str, ...] = ()

    def plus(self, amount: int, why: str) -> Value:
        """Return the value with something added; nothing added leaves no trace."""
        if not amount:
            return self
        return Value(self.base, bounded(self.effective + amount), (*self.modifiers, f"{why} {amount:+d}"))

    def set(self, amount: int, why: str) -> Value:
        """Return the value replaced."""
        if amount == self.effective:
            return self
        return Value(self.base, bounded(amount), (*self.modifiers, f"{why} = {amount}"))

    def shown(self) -> ValueReport:
        """Return the value in the form of results."""
        modified = self.base != self.effective
        return {"base": self.base, "effective": self.effective, "modified": modified, "modifiers": list(self.modifiers)}


@dataclass(frozen=True, slots=True)
class Effective:
    """A creature's current values. Speed in feet; `max_hp` is at least 1.

    Attributes:
        hp: the current hit points: never more than the maximum; 0 if there are none.
        attack_bonus, save_bonus, check_bonus: bonuses of effects to attacks, saving throws and checks, without dice.
        roll_bonuses: bonuses of effects to single rolls, by name: (roll, amount).
        damage_bonuses: dice that effects add to the damage of an attack, by the name of the effect.
        advantage_on, disadvantage_on: advantage and disadvantage from effects and items, by name: (roll, name).
        attacks_against: advantage or disadvantage of attacks by others, and the effect behind it.
        impairment: the combined effects of the conditions.
    """

    sheet: Sheet
    hp: int
    max_hp: Value
    speed: Value
    ac: Value
    stats: Mapping[Ability, Value]
    proficiency: int
    size: Size
    senses: Senses
    resistances: frozenset[DamageType]
    immunities: frozenset[DamageType]
    vulnerabilities: frozenset[DamageType]
    condition_immunities: frozenset[ConditionName]
    attack_bonus: int
    save_bonus: int
    check_bonus: int
    roll_bonuses: tuple[tuple[str, int], ...]
    damage_bonuses: Mapping[str, str]
    advantage_on: tuple[tuple[str, str], ...]
    disadvantage_on: tuple[tuple[str, str], ...]
    attacks_against: tuple[tuple[str, str], ...]
    impairment: Impairment

    def modifier(self, ability: Ability) -> int:
        """Return the current modifier of an ability."""
        return ability_modifier(self.stats[ability].effective)


def effective(character: Character, overrides: Overrides = NO_OVERRIDES) -> Effective:
    """Return the values of a character with a hit point maximum; in a fight including those that apply only there."""
    if overrides is NO_OVERRIDES or overrides == NO_OVERRIDES:
        return character.once("effective", lambda person: _effective(person, NO_OVERRIDES))
    return _effective(character, overrides)


def counted_hp(character: Character) -> tuple[int | None, int | None]:
    """Return a character's current hit points, and their maximum; None for missing values."""
    if character.max_hp is None:
        return character.hp, None
    values = effective(character)
    return None if character.hp is None else values.hp, values.max_hp.effective


def most_hp(character: Character) -> int:
    """Return the most hit points a character can be left with: a temporarily lowered maximum may rise again."""
    return max(character.max_hp or 0, effective(character).max_hp.effective)


def impairment_of(character: Character) -> Impairment:
    """Return the combined effects of a character's conditions, in order of arrival; effects of two count once."""
    moot = suppressed(character)
    done = ((each.condition, mechanics(each)) for each in character.conditions if each.condition not in moot)
    return Impairment(tuple(dict.fromkeys(done)))


def suppressed(character: Character) -> frozenset[str]:
    """Return the conditions that effects suppress in a character."""
    return frozenset(name for effect in character.effects for name in effect.suppresses)


def mechanics(condition: Condition) -> Mechanics:
    """Return the mechanics of a condition, one of the fifteen or a custom one."""
    if condition.condition in _CONDITIONS:
        return mechanics_of(cast("ConditionName", condition.condition), condition.exhaustion_level or 0)
    return from_mechanical(condition.mechanical.as_written) if condition.mechanical else Mechanics()


def worn(character: Character) -> list[Item]:
    """Return the items that are equipped, each once, in the order of their slots."""
    by_id = {item.id: item for item in character.inventory}
    return [by_id[item_id] for item_id in dict.fromkeys(character.equipped.values()) if item_id in by_id]


def _effective(character: Character, overrides: Overrides) -> Effective:
    sheet = sheet_of(character)
    items, effects, impairment = worn(character), character.effects, impairment_of(character)
    stats = {ability: _score(sheet, ability, items, character) for ability in ABILITIES}
    max_hp = _max_hp(character, impairment)
    item_effects = [item.mechanical_effects for item in items if item.mechanical_effects]
    return Effective(
        sheet=sheet,
        hp=min(character.hp or 0, max_hp.effective),
        max_hp=max_hp,
        speed=_speed(character, sheet, overrides, items, stats["str"].effective, impairment),
        ac=_ac(character, sheet, overrides, items, stats["dex"]),
        stats=stats,
        proficiency=proficiency(sheet),
        size=_size(overrides.size or sheet.size, effects),
        senses=_senses(sheet, character),
        resistances=_united(
            sheet.resistances,
            impairment.resistances,
            *(gear.resistances for gear in item_effects),
            *(effect.resistances for effect in effects),
        ),
        immunities=_united(sheet.immunities, impairment.immunities, *(effect.immunities for effect in effects)),
        vulnerabilities=_united(sheet.vulnerabilities, *(effect.vulnerabilities for effect in effects)),
        condition_immunities=frozenset(
            (
                *sheet.condition_immunities,
                *impairment.condition_immunities,
                *(word for effect in effects if not effect.versus_kinds for word in effect.condition_immunities),
            )
        ),
        attack_bonus=sum(_number(effect.attack_bonus) for effect in effects),
        save_bonus=sum(_number(effect.saving_throw_bonus) for effect in effects),
        check_bonus=sum(_number(effect.check_bonus) for effect in effects),
        roll_bonuses=tuple((roll, amount) for effect in effects for roll, amount in effect.roll_bonuses.items()),
        damage_bonuses={effect.name: effect.damage_bonus for effect in effects if effect.damage_bonus},
        advantage_on=(
            *(
                (roll, item.name)
                for item in items
                if item.mechanical_effects
                for roll in item.mechanical_effects.advantage_on
            ),
            *((roll, effect.name) for effect in effects if not effect.versus for roll in effect.advantage_on),
        ),
        disadvantage_on=(
            *(("stealth", item.name) for item in items if _hampers_stealth(item)),
            *((roll, effect.name) for effect in effects if not effect.versus for roll in effect.disadvantage_on),
        ),
        attacks_against=tuple(
            (effect.attacks_against, effect.name)
            for effect in effects
            if effect.attacks_against and not effect.versus_kinds
        ),
        impairment=impairment,
    )


def _size(own: Size, effects: Iterable[Effect]) -> Size:
    """Return a size changed by effects that enlarge or reduce, each by a number of steps."""
    step = _SIZES.index(own) + sum(effect.size_change for effect in effects)
    return _SIZES[min(max(step, 0), len(_SIZES) - 1)]


def _number(bonus: int | str) -> int:
    """Return a bonus that is a number; dice are rolled with each roll."""
    return bonus if isinstance(bonus, int) else 0


def _senses(sheet: Sheet, character: Character) -> Senses:
    """Return the senses of a sheet with those that effects grant; the longer range of each counts."""
    lent = [effect.senses for effect in character.effects if effect.senses]
    if not lent:
        return sheet.senses
    farthest = {sense: max(getattr(sheet.senses, sense), *(each.get(sense, 0) for each in lent)) for sense in _SENSES}
    return Senses(**farthest)


def _united(*kinds: Iterable[DamageType]) -> frozenset[DamageType]:
    return frozenset(kind for group in kinds for kind in group)


def _score(sheet: Sheet, ability: Ability, items: Collection[Item], character: Character) -> Value:
    base = getattr(sheet.stats, ability)
    value = Value(base, base)
    for item in items:
        if item.mechanical_effects:
            value = value.plus(item.mechanical_effects.ability_bonuses.get(ability, 0), item.name)
    for item in items:
        if item.mechanical_effects:
            value = value.set(max(value.effective, item.mechanical_effects.ability_minimums.get(ability, 0)), item.name)
    for effect in character.effects:
        value = value.plus(effect.ability_bonuses.get(ability, 0), effect.name)
    return value.set(max(1, value.effective), "least")


def _max_hp(character: Character, impairment: Impairment) -> Value:
    base = character.max_hp or 0
    value = Value(base, base)
    for effect in character.effects:
        value = value.plus(effect.max_hp_modifier, effect.name)
    for name, done in impairment.conditions:
        value = value.set(floor_times(value.effective, done.max_hp_multiplier), name)
    return value.set(max(1, value.effective), "least")


def _speed(
    character: Character,
    sheet: Sheet,
    overrides: Overrides,
    items: Collection[Item],
    strength: int,
    impairment: Impairment,
) -> Value:
    base = sheet.speed if overrides.speed is None else overrides.speed
    value = Value(base, base)
    for item in items:
        if item.armor_stats and strength < item.armor_stats.min_str:
            value = value.plus(-_SLOWED_BY_ARMOR, item.name)
        if item.mechanical_effects:
            value = value.plus(item.mechanical_effects.speed_bonus, item.name)
    for effect in character.effects:
        value = value.plus(effect.speed_modifier, effect.name)
    for effect in character.effects:
        if effect.speed_factor is not None:
            value = value.set(floor_times(value.effective, effect.speed_factor), effect.name)
    for name, done in impairment.conditions:
        value = value.set(floor_times(value.effective, done.speed_multiplier), name)
    for name, done in impairment.conditions:
        value = value.set(0, name) if done.cannot_move else value
    return value.set(max(0, value.effective), "least")


def _ac(character: Character, sheet: Sheet, overrides: Overrides, items: Collection[Item], score: Value) -> Value:
    dex, base_dex = ability_modifier(score.effective), ability_modifier(score.base)
    said = sheet.ac if overrides.ac is None else overrides.ac
    value = Value(10 + base_dex, 10 + base_dex).plus(dex - base_dex, "DEX") if said is None else Value(said, said)
    for item in items:
        if overrides.ac is None and item.armor_stats:
            value = value.set(
                item.armor_stats.base_ac - item.corrosion + _dex_in(item.armor_stats.category, dex), item.name
            )
    wears_armor = any(item.armor_stats for item in items)
    for effect in character.effects:
        if effect.ac_base is not None and overrides.ac is None and not wears_armor:
            value = value.set(max(value.effective, effect.ac_base + dex), effect.name)
    for item in items:
        if overrides.ac is None and item.type == "shield":
            value = value.plus((_SHIELD if item.ac is None else item.ac) - item.corrosion, item.name)
        if item.mechanical_effects:
            value = value.plus(item.mechanical_effects.ac_bonus, item.name)
    for effect in character.effects:
        value = value.plus(effect.ac_bonus, effect.name)
    for effect in character.effects:
        if effect.ac_min is not None:
            value = value.set(max(value.effective, effect.ac_min), effect.name)
    return value.set(max(0, value.effective), "least")


def protects_nothing(item: Item) -> bool:
    """Return whether armor leaves the armor class of its wearer unchanged; `ac` counts only for shields."""
    is_magic = item.mechanical_effects is not None and item.mechanical_effects.ac_bonus != 0
    return item.type == "armor" and item.armor_stats is None and not is_magic


def _hampers_stealth(item: Item) -> bool:
    """Return whether armor is loud: by its figures, or by the property that armor of content had before there were."""
    if item.armor_stats is None:
        return False
    return item.armor_stats.stealth_disadvantage or _LOUD in map(str.casefold, item.properties)


def _dex_in(category: str, dex: int) -> int:
    return {"light": dex, "medium": min(dex, _MEDIUM_DEX)}.get(category, 0)
