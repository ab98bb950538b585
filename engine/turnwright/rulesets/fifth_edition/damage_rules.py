"""How much rolled damage is taken. Source: SRD 5.1, "Damage Resistance and Vulnerability"."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING, Literal, NamedTuple, cast

from turnwright.model.vocabulary import DamageType, Material, WeaponDefense, words
from turnwright.rulesets.fifth_edition.condition_rules import ALL_DAMAGE

if TYPE_CHECKING:
    from turnwright.model.content_shapes import ResistanceShape

DAMAGE_TYPES: tuple[DamageType, ...] = cast("tuple[DamageType, ...]", words(DamageType))
Adjusted = Literal["none", "resisted", "immune", "vulnerable"]


MATERIALS: tuple[Material, ...] = ("magical", "silvered", "adamantine")


class Source(NamedTuple):
    """The source of damage, as far as resistances depend on it.

    Attributes:
        is_attack: a weapon, natural or not, deals it.
        is_spell: a spell deals it.
        materials: the materials of the weapon.
    """

    is_attack: bool = False
    is_spell: bool = False
    materials: frozenset[Material] = frozenset()


ANYWHERE = Source()
"""Damage of unknown origin."""


def applies(row: ResistanceShape, kind: DamageType | None, source: Source) -> bool:
    """Return whether a resistance of a stat block applies to damage of a type from a source.

    Args:
        row: `type`, and perhaps `source` and `unless`, as an entry of content has them.
        kind: the type of the damage.
        source: the source of the damage.
    """
    if row["type"] not in ("all", kind):
        return False
    match row.get("source"):
        case None:
            return row.get("unless") not in source.materials
        case "nonmagical_attacks":
            is_plain = "magical" not in source.materials and row.get("unless") not in source.materials
            return source.is_attack and is_plain
        case "spells":
            return source.is_spell
    return False


def defense_rows(defense: WeaponDefense | None) -> list[ResistanceShape]:
    """Return a defense against plain weapons as the rows of a stat block."""
    if defense is None:
        return []
    metal = defense.removeprefix("nonmagical").removeprefix("_not_")
    kinds: tuple[DamageType, ...] = ("bludgeoning", "piercing", "slashing")
    rows: list[ResistanceShape] = [{"type": kind, "source": "nonmagical_attacks"} for kind in kinds]
    return [{**row, "unless": metal} for row in rows] if metal else rows


def kinds_against(rows: Iterable[ResistanceShape], kind: DamageType | None, source: Source) -> list[DamageType]:
    """Return the type of damage in a list if one of these rows applies to it; else nothing."""
    return [kind] if kind is not None and any(applies(row, kind, source) for row in rows) else []


class Damage(NamedTuple):
    """Damage as taken, before temporary hit points, and the reason that changed it."""

    damage: int
    adjusted: Adjusted


def adjust(
    amount: int,
    kind: DamageType | None,
    resistances: Collection[DamageType] = (),
    immunities: Collection[DamageType] = (),
    vulnerabilities: Collection[DamageType] = (),
    *,
    half: bool = False,
) -> Damage:
    """Return the damage taken.

    Targets that are both resistant and vulnerable take half, rounded down, twice; the result is called resisted if
    rounding lost a point.

    Args:
        amount: dice and modifiers; less than 0 counts as 0.
        kind: None for damage without a type, which only targets resistant to every type resist.
        resistances, immunities, vulnerabilities: the target's.
        half: the target saved for half.
    """
    damage = max(0, amount) // 2 if half else max(0, amount)
    if _holds(immunities, kind):
        return Damage(0, "immune")
    resisted, doubled = _holds(resistances, kind), _holds(vulnerabilities, kind)
    taken = damage // 2 if resisted else damage
    taken = taken * 2 if doubled else taken
    if resisted and (not doubled or taken < damage):
        return Damage(taken, "resisted")
    return Damage(taken, "vulnerable" if doubled and not resisted else "none")


def _holds(kinds: Collection[DamageType], kind: DamageType | None) -> bool:
    return kind in kinds if kind else frozenset(kinds) >= ALL_DAMAGE
