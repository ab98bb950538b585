"""Resistance, immunity, vulnerability and half damage, in their order."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwright.model.vocabulary import DamageType, words
from turnwright.rulesets.fifth_edition.damage_rules import Damage, adjust

TYPES: st.SearchStrategy[DamageType] = st.sampled_from(words(DamageType))
KINDS = st.frozensets(TYPES, max_size=5)


@pytest.mark.parametrize(
    ("amount", "traits", "half", "damage", "adjusted"),
    [
        (11, "", False, 11, "none"),
        (11, "", True, 5, "none"),
        (11, "r", False, 5, "resisted"),
        (11, "r", True, 2, "resisted"),
        (11, "v", False, 22, "vulnerable"),
        (11, "v", True, 10, "vulnerable"),
        (11, "i", False, 0, "immune"),
        (11, "irv", True, 0, "immune"),
        (11, "rv", False, 10, "resisted"),
        (12, "rv", False, 12, "none"),
        (0, "rv", False, 0, "none"),
        (0, "r", False, 0, "resisted"),
        (1, "r", False, 0, "resisted"),
        (-3, "", False, 0, "none"),
        (-3, "v", False, 0, "vulnerable"),
        (-3, "", True, 0, "none"),
    ],
)
def test_the_steps_in_their_order(amount: int, traits: str, half: bool, damage: int, adjusted: str) -> None:
    fire: tuple[DamageType, ...] = ("cold", "fire")
    cold: tuple[DamageType, ...] = ("cold",)
    resistances, immunities, vulnerabilities = (fire if trait in traits else cold for trait in "riv")
    assert adjust(amount, "fire", resistances, immunities, vulnerabilities, half=half) == (damage, adjusted)


def test_the_srd_example_of_resistance_after_a_reduction() -> None:
    # "Damage Resistance and Vulnerability": 25 bludgeoning damage, less 5 by magic, halved by resistance, is 10.
    assert adjust(25 - 5, "bludgeoning", ["bludgeoning"]) == (10, "resisted")


@given(st.integers(-9, 500), TYPES, KINDS, KINDS, KINDS, st.booleans())
def test_other_types_do_not_matter(
    amount: int, kind: DamageType, resisted: frozenset[DamageType], immune: frozenset[DamageType],
    vulnerable: frozenset[DamageType], half: bool,
) -> None:  # fmt: skip
    only = frozenset({kind})
    assert adjust(amount, kind, resisted, immune, vulnerable, half=half) == adjust(
        amount, kind, resisted & only, immune & only, vulnerable & only, half=half
    )


@given(st.integers(0, 500), TYPES, KINDS, KINDS, KINDS, st.booleans())
def test_more_damage_never_hurts_less_and_no_damage_never_hurts(
    amount: int, kind: DamageType, resisted: frozenset[DamageType], immune: frozenset[DamageType],
    vulnerable: frozenset[DamageType], half: bool,
) -> None:  # fmt: skip
    taken = adjust(amount, kind, resisted, immune, vulnerable, half=half).damage
    assert 0 <= taken <= adjust(amount + 1, kind, resisted, immune, vulnerable, half=half).damage
    assert taken <= 2 * amount
    assert adjust(0, kind, resisted, immune, vulnerable, half=half).damage == 0


def test_damage_of_no_type_is_resisted_by_who_resists_everything_alone() -> None:
    everything: list[DamageType] = list(words(DamageType))  # type: ignore[arg-type]
    assert adjust(11, None, everything) == Damage(5, "resisted")
    assert adjust(11, None, everything[1:]) == Damage(11, "none")
    assert adjust(11, None, (), everything) == Damage(0, "immune")
    assert adjust(11, None, (), (), everything[:-1]) == Damage(11, "none")
