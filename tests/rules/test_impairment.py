"""What conditions do together, in every column of their table."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwright.model.vocabulary import Ability, ConditionName, words
from turnwright.rulesets.fifth_edition.condition_rules import ALL_DAMAGE, CONDITIONS, Mechanics
from turnwright.rulesets.fifth_edition.fights.advantage import Mode, Sources
from turnwright.rulesets.fifth_edition.sheets.impairment import Impairment, impairment

ABILITIES: tuple[Ability, ...] = words(Ability)  # type: ignore[assignment]
CONDITION: st.SearchStrategy[tuple[ConditionName, int]] = st.tuples(
    st.sampled_from(list(CONDITIONS)), st.integers(1, 6)
)


def having(*names: ConditionName, exhaustion: int = 0) -> Impairment:
    tired: list[tuple[ConditionName, int]] = [("exhaustion", exhaustion)] if exhaustion else []
    return impairment([(name, 0) for name in names] + tired)


def test_who_has_no_condition_is_not_impaired() -> None:
    fit = having()
    assert fit.own_attacks() == fit.attacks_against(5) == fit.checks() == fit.saves("dex") == Sources()
    assert not any((fit.incapacitated, fit.cannot_move, fit.can_only_crawl, fit.dead, fit.is_hit_critically(5)))
    assert not any((fit.fails_sight, fit.fails_hearing, fit.auto_fail_saves, fit.resistances, fit.immunities))


# attacks

OWN: dict[ConditionName, Mode] = {
    "blinded": "disadvantage",
    "frightened": "disadvantage",
    "invisible": "advantage",
    "poisoned": "disadvantage",
    "prone": "disadvantage",
    "restrained": "disadvantage",
}
AGAINST: dict[ConditionName, tuple[Mode, Mode]] = {
    "blinded": ("advantage", "advantage"),
    "invisible": ("disadvantage", "disadvantage"),
    "paralyzed": ("advantage", "advantage"),
    "petrified": ("advantage", "advantage"),
    "prone": ("advantage", "disadvantage"),
    "restrained": ("advantage", "advantage"),
    "stunned": ("advantage", "advantage"),
    "unconscious": ("advantage", "advantage"),
}


@pytest.mark.parametrize("condition", CONDITIONS)
def test_how_one_attacks_and_is_attacked_from_near_and_far(condition: ConditionName) -> None:
    one = having(condition)
    assert one.own_attacks().mode == OWN.get(condition, "normal")
    modes = tuple(one.attacks_against(distance).mode for distance in (5, 10))
    assert modes == AGAINST.get(condition, ("normal", "normal"))
    assert one.attacks_against(0) == one.attacks_against(5)
    assert one.attacks_against(6) == one.attacks_against(600)


@pytest.mark.parametrize("condition", CONDITIONS)
@pytest.mark.parametrize(("distance", "critical"), [(0, True), (5, True), (10, False)])
def test_the_helpless_are_hit_critically_from_near(condition: ConditionName, distance: int, critical: bool) -> None:
    helpless = condition in ("paralyzed", "unconscious")
    assert having(condition).is_hit_critically(distance) == (helpless and critical)


def test_reasons_are_the_conditions_in_the_order_they_came() -> None:
    torn = having("restrained", "invisible", "blinded", "charmed", exhaustion=3)
    assert torn.own_attacks() == Sources(("invisible",), ("restrained", "blinded", "exhaustion"))
    assert torn.own_attacks().mode == "cancelled"
    assert torn.attacks_against(5) == Sources(("restrained", "blinded"), ("invisible",))


def test_the_unconscious_lie_prone_and_are_hard_to_shoot() -> None:
    fallen = having("unconscious", "prone")
    assert fallen.attacks_against(5) == Sources(("unconscious", "prone"))
    assert fallen.attacks_against(30) == Sources(("unconscious",), ("prone",))


def test_invisibility_is_nothing_to_who_sees_it() -> None:
    hidden = having("invisible", "prone")
    assert hidden.own_attacks(seen=True) == Sources((), ("prone",))
    assert hidden.attacks_against(5, seen=True) == Sources(("prone",))
    assert hidden.attacks_against(5).mode == "cancelled"


def test_fear_hinders_while_its_source_is_in_sight() -> None:
    afraid = having("frightened", "poisoned")
    assert afraid.own_attacks().disadvantage == afraid.checks().disadvantage == ("frightened", "poisoned")
    assert afraid.own_attacks(fear_in_sight=False).disadvantage == ("poisoned",)
    assert afraid.checks(fear_in_sight=False).disadvantage == ("poisoned",)


# checks and saves


@pytest.mark.parametrize("condition", CONDITIONS)
def test_checks_and_saves_by_condition(condition: ConditionName) -> None:
    one = having(condition)
    assert one.checks().disadvantage == ((condition,) if condition in ("frightened", "poisoned") else ())
    hindered = {ability for ability in ABILITIES if one.saves(ability).disadvantage}
    assert hindered == ({"dex"} if condition == "restrained" else set())
    fails = condition in ("paralyzed", "petrified", "stunned", "unconscious")
    assert one.auto_fail_saves == ({"str", "dex"} if fails else set())
    assert (one.fails_sight, one.fails_hearing) == (condition == "blinded", condition == "deafened")


@pytest.mark.parametrize(
    ("level", "checks", "rolls", "cannot_move", "dead"),
    [
        (0, False, False, False, False),
        (1, True, False, False, False),
        (2, True, False, False, False),
        (3, True, True, False, False),
        (4, True, True, False, False),
        (5, True, True, True, False),
        (6, True, True, True, True),
    ],
)
def test_exhaustion_gathers_level_by_level(
    level: int, checks: bool, rolls: bool, cannot_move: bool, dead: bool
) -> None:
    tired = having(exhaustion=level)
    assert (tired.checks().mode == "disadvantage") == checks
    assert (tired.own_attacks().mode == "disadvantage") == rolls
    assert {tired.saves(ability).mode == "disadvantage" for ability in ABILITIES} == {rolls}
    assert (tired.cannot_move, tired.dead, tired.incapacitated) == (cannot_move, dead, False)


def test_a_save_hindered_twice_names_each_reason_once() -> None:
    assert having("restrained", exhaustion=3).saves("dex").disadvantage == ("exhaustion", "restrained")
    both = impairment([], [("cursed", Mechanics(("saving_throws", "dex_saves")))])
    assert both.saves("dex").disadvantage == ("cursed",)
    assert both.saves("str").disadvantage == ("cursed",)


# movement, defences, death


@pytest.mark.parametrize("condition", CONDITIONS)
def test_who_cannot_move_or_act(condition: ConditionName) -> None:
    one = having(condition)
    helpless = condition in ("paralyzed", "petrified", "stunned", "unconscious")
    assert one.cannot_move == (helpless or condition in ("grappled", "restrained"))
    assert one.incapacitated == (helpless or condition == "incapacitated")
    assert one.can_only_crawl == (condition == "prone")
    assert not one.dead


def test_stone_is_hard_to_hurt() -> None:
    stone = having("prone", "petrified")
    assert stone.resistances == ALL_DAMAGE
    assert stone.immunities == {"poison"}
    assert stone.condition_immunities == {"poisoned"}


def test_a_condition_of_ones_own_counts_like_the_others() -> None:
    hexed = impairment(
        [("prone", 0)], [("hexed", Mechanics(("ability_checks",), incapacitated=True, auto_fail_saves=("wis",)))]
    )
    assert hexed.checks() == Sources((), ("hexed",))
    assert (hexed.incapacitated, hexed.can_only_crawl) == (True, True)
    assert hexed.auto_fail_saves == {"wis"}


@given(st.lists(CONDITION, max_size=4, unique_by=lambda one: one[0]), CONDITION, st.integers(0, 60))
def test_another_condition_never_takes_a_burden_away(
    borne: list[tuple[ConditionName, int]], more: tuple[ConditionName, int], distance: int
) -> None:
    before, after = impairment(borne), impairment([*borne, more])
    for name in ("incapacitated", "cannot_move", "can_only_crawl", "dead", "fails_sight", "fails_hearing"):
        assert getattr(before, name) <= getattr(after, name)
    assert before.auto_fail_saves <= after.auto_fail_saves
    assert before.resistances <= after.resistances
    for fewer, greater in (
        (before.own_attacks(), after.own_attacks()),
        (before.attacks_against(distance), after.attacks_against(distance)),
        (before.checks(), after.checks()),
        (before.saves("dex"), after.saves("dex")),
    ):
        assert set(fewer.advantage) <= set(greater.advantage)
        assert set(fewer.disadvantage) <= set(greater.disadvantage)


def test_in_whatever_order_conditions_come_they_do_the_same() -> None:
    results = {
        (one.own_attacks().mode, one.attacks_against(5).mode, one.cannot_move, one.auto_fail_saves)
        for order in permutations([("blinded", 0), ("stunned", 0), ("exhaustion", 3), ("prone", 0)])
        for one in [impairment(order)]  # type: ignore[arg-type]
    }
    assert len(results) == 1
