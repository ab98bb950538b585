"""How much of what was rolled is taken as damage. Source: SRD 5.1, "Damage Resistance and Vulnerability"."""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal, NamedTuple

from turnwright.model.vocabulary import DamageType
from turnwright.rulesets.fifth_edition.condition_rules import ALL_DAMAGE

Adjusted = Literal["none", "resisted", "immune", "vulnerable"]


class Damage(NamedTuple):
    """Damage as it is taken, before temporary hit points, and what made it more or less."""

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

    Who is both resistant and vulnerable takes half, rounded down, twice; that is called resisted when something was
    lost in rounding.

    Args:
        amount: dice and modifiers; less than 0 counts as 0.
        kind: None for damage of no type, which only somebody proof against every type resists.
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
