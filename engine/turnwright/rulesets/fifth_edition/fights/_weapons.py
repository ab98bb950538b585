"""What a combatant attacks with: a weapon in hand, the usual attack of a participant, or a bare fist.

Source: SRD 5.1, "Weapons", "Making an Attack"; docs/toolkit.md, "Fights".
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, NamedTuple

from turnwright.model.character import Character
from turnwright.model.creature import EnchantedWeapon
from turnwright.model.dice.expression import DiceError, Expression, parse
from turnwright.model.dice.tree import Number, Sum
from turnwright.model.encounter import Participant, Strike
from turnwright.model.item import Item, WeaponStats
from turnwright.model.state.overlay import World
from turnwright.model.vocabulary import DamageType, Material, WeaponType
from turnwright.rulesets.fifth_edition.battlefield import values_of
from turnwright.rulesets.fifth_edition.belongings.equipment import MUNDANE, has_property
from turnwright.rulesets.fifth_edition.damage_rules import MATERIALS, Source
from turnwright.rulesets.fifth_edition.sheets.derived_stats import Effective
from turnwright.rulesets.fifth_edition.targets import body_of

_REACH, _LONG_REACH = 5, 10
_HANDS = ("mainhand", "offhand")
_USUAL = "1d6+2"
_AT_RANGE: tuple[WeaponType, ...] = ("ranged", "ranged_thrown")
_NO_STATS = WeaponStats()
_NO_STRIKE = Strike()
_MAGICAL: frozenset[Material] = frozenset({"magical"})


class Weapon(NamedTuple):
    """An attack as it would be made; ranges in feet, None if unknown.

    Attributes:
        name: of the item, or None.
        kind: how it is made.
        attack_bonus: all that is added to the d20.
        damage: the damage dice of a hit.
        is_light: it is one of a pair of light melee weapons.
        shooter: the weapon, if it shoots ammunition.
        materials: whether it is magical, silvered or adamantine.
        by_strength: Strength wields it.
        item: the weapon, if it is one.
    """

    name: str | None
    kind: WeaponType
    attack_bonus: int
    damage: Expression
    damage_type: DamageType
    reach: int = _REACH
    normal_range: int | None = None
    long_range: int | None = None
    is_light: bool = False
    shooter: Item | None = None
    materials: frozenset[Material] = frozenset()
    by_strength: bool = False
    item: Item | None = None

    @property
    def stats(self) -> WeaponStats:
        """The figures of the weapon; none for a fist or a usual attack."""
        return _stats(self.item)

    @property
    def source(self) -> Source:
        """Where its damage comes from, as resistances ask for it."""
        return Source(is_attack=True, materials=self.materials)

    @property
    def at_range(self) -> bool:
        """Whether it flies."""
        return self.kind in _AT_RANGE

    @property
    def farthest(self) -> int | None:
        """How far it can strike at all, or None if unknown."""
        return (self.long_range or self.normal_range) if self.at_range else self.reach


class Wish(NamedTuple):
    """Arguments of the call about the attack; None leaves it to sheet and participant.

    Attributes:
        hands: the slots in which a weapon may be.
        without_ability: a second weapon's damage lacks the ability modifier, unless that is negative.
        item: the weapon itself, wherever it is; the participant's usual attack is then ignored.
        two_handed: a versatile weapon is held with both hands.
    """

    kind: WeaponType | None = None
    attack_bonus: int | None = None
    damage: Expression | None = None
    damage_type: DamageType | None = None
    hands: tuple[str, ...] = _HANDS
    without_ability: bool = False
    item: Item | None = None
    two_handed: bool = False


def weapon_of(world: World, person: Participant, wish: Wish | None = None) -> Weapon:
    """Return the weapon or attack that a combatant uses; this never fails."""
    wish = wish or Wish()
    character, values = body_of(world, person), values_of(world, person)
    item = wish.item or next((each for each in in_hand(character, wish.hands) if _fits(each, wish.kind)), None)
    stats = _stats(item)
    kind = wish.kind or (_own_kind(item) if item else "melee")
    if stats.entangles is not None:
        kind = "ranged"  # whatever a call says: a net is not a melee weapon
    # For a participant with a sheet, attack figures given on joining describe its usual blow, not its bow.
    is_other = wish.item is not None or (item and kind in _AT_RANGE and person.has_sheet)
    strike = _NO_STRIKE if is_other else person.strike
    ability = _ability_modifier(values, kind, is_finesse=_has(item, "finesse"))
    magic = _magic_on(character, item)
    is_strong = kind not in ("ranged",) and ability == values.modifier("str")
    if magic is not None and magic.ability is not None and kind not in _AT_RANGE:
        ability, is_strong = values.modifier(magic.ability), magic.ability == "str"
    damage, damage_type = _damage(person, character, strike, item, values, ability, wish)
    if magic is not None and magic.bonus:
        damage = Sum(damage, (("+", Number(magic.bonus)),))
    if item is not None and item.corrosion and wish.damage is None:
        damage = Sum(damage, (("-", Number(item.corrosion)),))
    return Weapon(
        item.name if item else None,
        kind,
        _attack_bonus(person, strike, values, ability) + (magic.bonus if magic else 0)
        if wish.attack_bonus is None
        else wish.attack_bonus,
        damage,
        wish.damage_type or damage_type,
        _reach(person, item),
        stats.range,
        stats.long_range,
        kind not in _AT_RANGE and _has(item, "light"),
        item if kind == "ranged" and _has(item, "ammunition") else None,
        materials_of(item) | frozenset(strike.weapon_is) | (_MAGICAL if magic else frozenset()),
        is_strong,
        item,
    )


def _magic_on(character: Character, item: Item | None) -> EnchantedWeapon | None:
    """Return the combined effect on a weapon, or None; bonuses of several spells do not add up."""
    held = [each.weapon for each in character.effects if each.weapon is not None]
    on_it = [each for each in held if item is not None and each.item_id == item.id]
    if not on_it:
        return None
    first = on_it[0]
    dice = next((each.dice for each in on_it if each.dice is not None), None)
    ability = next((each.ability for each in on_it if each.ability is not None), None)
    return first.replace(bonus=max(each.bonus for each in on_it), dice=dice, ability=ability)


def materials_of(item: Item | None) -> frozenset[Material]:
    """Return whether a weapon is magical, silvered or adamantine: by its properties, or magical by its rarity."""
    if item is None:
        return frozenset()
    own: set[Material] = {word for word in MATERIALS if has_property(item, word)}
    if item.rarity is not None and item.rarity.casefold() not in MUNDANE:
        own.add("magical")
    return frozenset(own)


def melee_of(world: World, person: Participant) -> Weapon:
    """Return what a combatant uses against an adjacent target."""
    own = weapon_of(world, person)
    return weapon_of(world, person, Wish(kind="melee")) if own.at_range else own


def in_hand(character: Character, hands: Iterable[str] = _HANDS) -> list[Item]:
    """Return the weapons that a combatant holds."""
    by_id = {item.id: item for item in character.inventory}
    held = (by_id.get(character.equipped.get(slot, "")) for slot in hands)
    return [item for item in held if item is not None and item.type == "weapon"]


def versatile_dice(item: Item) -> Expression | None:
    """Return what a versatile weapon deals in both hands, as its property says it: `versatile (1d10)`; else None."""
    words = (*item.properties, *(item.weapon_stats.properties if item.weapon_stats else ()))
    for word in words:
        name, _, behind = word.strip().casefold().partition("(")
        if name.strip() == "versatile":
            return _parsed(behind.partition(")")[0].strip())
    return None


def is_light(item: Item) -> bool:
    """Return whether a weapon is light and for melee."""
    return _has(item, "light") and not _is_shot(item)


def _stats(item: Item | None) -> WeaponStats:
    return (item.weapon_stats if item else None) or _NO_STATS


def _has(item: Item | None, wanted: str) -> bool:
    return item is not None and has_property(item, wanted)


def _is_shot(item: Item) -> bool:
    """Return whether a weapon is for shooting: it has a range, and is not thrown, or cannot strike otherwise."""
    if _stats(item).entangles is not None:
        return True
    return (_stats(item).range is not None or _has(item, "ammunition")) and not _has(item, "thrown")


def _fits(item: Item, kind: WeaponType | None) -> bool:
    if kind is None:
        return True
    if kind == "ranged_thrown":
        return _has(item, "thrown")
    return _is_shot(item) == (kind == "ranged")


def _own_kind(item: Item) -> WeaponType:
    if _is_shot(item):
        return "ranged"
    return "melee_finesse" if _has(item, "finesse") else "melee"


def _reach(person: Participant, item: Item | None) -> int:
    if person.strike.reach is not None:
        return person.strike.reach
    own = _stats(item).reach
    if own is None:
        return _LONG_REACH if _has(item, "reach") else _REACH
    return own


def _ability_modifier(values: Effective, kind: WeaponType, *, is_finesse: bool) -> int:
    strength, dexterity = values.modifier("str"), values.modifier("dex")
    if kind == "ranged":
        return dexterity
    is_choice = kind == "melee_finesse" or (kind == "ranged_thrown" and is_finesse)
    return max(strength, dexterity) if is_choice else strength


def _attack_bonus(person: Participant, strike: Strike, values: Effective, ability: int) -> int:
    """Return a participant's own bonus, else the sheet's; 0 without a sheet."""
    own = strike.attack_bonus
    if own is None:
        own = ability + values.proficiency if person.has_sheet else 0
    return own + values.attack_bonus


def _damage(
    person: Participant,
    body: Character,
    strike: Strike,
    item: Item | None,
    values: Effective,
    ability: int,
    wish: Wish,
) -> tuple[Expression, DamageType]:
    """Return the damage dice of a hit, and their type.

    An expression in the call replaces everything else. Figures given on joining go before a weapon, but not before the
    second of two; a combatant with neither uses a fist, or without a sheet the default attack.
    """
    stats = _stats(item)
    said = _NO_STRIKE if item and wish.without_ability else strike
    kind = said.damage_type or stats.damage_type or (item.damage_type if item else None)
    if wish.damage is not None:
        return wish.damage, kind or "slashing"
    added = min(0, ability) if wish.without_ability else ability
    usual = _parsed(said.damage)
    magic = _magic_on(body, item)
    both = versatile_dice(item) if wish.two_handed and item else None
    own = _parsed(magic.dice if magic else None) or both or _parsed(stats.damage or (item.damage if item else None))
    if usual is not None:
        base = usual
    elif own is not None:
        base = _plus(own, added)
    elif not person.has_sheet:
        base = parse(_USUAL)
    else:
        base, kind = _plus(Number(1), added), kind or "bludgeoning"
    bonuses = [each for each in map(_signed, values.damage_bonuses.values()) if each is not None]
    return (Sum(base, tuple(bonuses)) if bonuses else base), kind or "slashing"


def _signed(text: str) -> tuple[Literal["+", "-"], Expression] | None:
    """Return what an effect adds to damage, or takes from it."""
    tree = _parsed(text.removeprefix("-"))
    return None if tree is None else ("-" if text.startswith("-") else "+", tree)


def _plus(tree: Expression, amount: int) -> Expression:
    return Sum(tree, (("+" if amount > 0 else "-", Number(abs(amount))),)) if amount else tree


def _parsed(text: str | None) -> Expression | None:
    """Return dice that a document holds, or None where it holds none that read as such."""
    try:
        return parse(text) if text else None
    except DiceError:
        return None
