"""Effects as a list: they come, take each other's place, run out and go."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from turnwright.model.character import Character
from turnwright.model.creature import Effect
from turnwright.rulesets.fifth_edition.sheets.effect_list import (
    effect_found,
    effect_named,
    with_effect,
    with_effects_ticked,
    without_effect,
    without_lasting,
)


def effect(number: int, name: str | None = None, **fields: Any) -> Effect:
    return Effect(effect_id=f"effect-{number}", name=name or f"Effect {number}", **fields)


def bearer(*effects: Effect) -> Character:
    return Character(id="mira", hp=5, max_hp=5, effects=effects)


def ids(character: Character) -> list[str]:
    return [each.effect_id for each in character.effects]


def test_nobody_without_effects_changes_by_a_tick_a_rest_or_a_removal() -> None:
    plain = bearer()
    assert with_effects_ticked(plain) == (plain, (), ())
    assert without_effect(plain, "effect-1") == (plain, None)
    assert without_lasting(plain, "until_rest") == (plain, ())


def test_an_effect_comes_last() -> None:
    after, replaced = with_effect(bearer(effect(1)), effect(2))
    assert (ids(after), replaced) == (["effect-1", "effect-2"], False)


def test_the_newer_of_one_name_takes_the_place_of_the_older() -> None:
    before = bearer(effect(1, "Bless"), effect(2))
    after, replaced = with_effect(before, effect(3, " BLESS"))
    assert (ids(after), replaced) == (["effect-2", "effect-3"], True)
    assert ids(before) == ["effect-1", "effect-2"]


def test_an_effect_is_found_by_id_exactly_and_by_name_loosely() -> None:
    one = bearer(effect(1, "Bless"))
    assert effect_found(one, "effect-1") == effect_named(one, " bless ") == one.effects[0]
    assert effect_found(one, "EFFECT-1") is None
    assert effect_named(one, "curse") is None


def test_a_removal_gives_back_what_was_removed() -> None:
    after, gone = without_effect(bearer(effect(1), effect(2)), "effect-1")
    assert (ids(after), gone) == (["effect-2"], effect(1))


def test_rounds_count_down_and_other_durations_do_not() -> None:
    before = bearer(
        effect(1, rounds_remaining=1, duration=3),
        effect(2, rounds_remaining=2, duration=2),
        effect(3, duration="until_rest"),
        effect(4),
        effect(5, rounds_remaining=0),
    )
    after, expired, ticked = with_effects_ticked(before)
    assert ids(after) == ["effect-2", "effect-3", "effect-4"]
    assert [each.effect_id for each in expired] == ["effect-1", "effect-5"]
    assert ticked == (effect(2, rounds_remaining=1, duration=2),)


def test_a_rest_ends_what_lasts_until_one() -> None:
    after, gone = without_lasting(bearer(effect(1, duration="until_rest"), effect(2)), "until_rest")
    assert (ids(after), [each.effect_id for each in gone]) == (["effect-2"], ["effect-1"])


ROUNDS = st.lists(st.none() | st.integers(1, 6), max_size=6)


@given(ROUNDS, st.integers(0, 8))
def test_an_effect_lasts_just_as_many_ticks_as_it_has_rounds(rounds: list[int | None], ticks: int) -> None:
    character = bearer(*(effect(number, rounds_remaining=left) for number, left in enumerate(rounds)))
    ended: list[str] = []
    for _ in range(ticks):
        character, expired, ticked = with_effects_ticked(character)
        assert all(each in character.effects for each in ticked)
        ended += [each.effect_id for each in expired]
    kept = [f"effect-{number}" for number, left in enumerate(rounds) if left is None or left > ticks]
    assert ids(character) == kept
    assert sorted(ended + kept) == sorted(f"effect-{number}" for number in range(len(rounds)))


@given(st.lists(st.sampled_from(["Bless", "bless ", "Curse", "CURSE", "Haste"]), max_size=8))
def test_no_name_ever_stands_twice(names: list[str]) -> None:
    character = bearer()
    for number, name in enumerate(names):
        before = len(character.effects)
        character, replaced = with_effect(character, effect(number, name))
        assert len(character.effects) == before + (not replaced)
    spelt = [each.name.strip().lower() for each in character.effects]
    assert len(set(spelt)) == len(spelt)
