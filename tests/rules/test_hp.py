"""The one function that changes hit points, against the state table without a sheet and the rules with one."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwright.model.character import Character
from turnwright.model.creature import DeathSaves
from turnwright.rulesets.fifth_edition.sheets.health import with_hp_delta

STATES = ("alive", "dying", "unconscious", "restrained_permanent", "dead")
TERMINAL = ("restrained_permanent", "dead")


def plain(hp: int, state: str | None = "alive", **fields: Any) -> Character:
    return Character(id="x", hp=hp, character_state=state, **fields)


def sheet(hp: int, state: str = "alive", *, max_hp: int = 10, kind: str = "pc", **fields: Any) -> Character:
    return Character.model_validate(
        {"id": "x", "hp": hp, "max_hp": max_hp, "character_state": state, "character_type": kind, **fields}
    )


def after(character: Character, *deltas: int, changes_state: bool = True) -> Character:
    for delta in deltas:
        character = with_hp_delta(character, delta, changes_state=changes_state)
    return character


def saves(character: Character) -> tuple[int, int, bool, bool]:
    found = character.death_saves or DeathSaves()
    return found.successes, found.failures, found.stable, found.dead


# without a sheet: the table of stages 3.4


@pytest.mark.parametrize(
    ("before", "at_zero", "above"),
    [
        ("alive", "dying", "alive"),
        ("dying", "dying", "alive"),
        ("unconscious", "dying", "unconscious"),
        ("restrained_permanent", "restrained_permanent", "restrained_permanent"),
        ("dead", "dead", "dead"),
    ],
)
@pytest.mark.parametrize("hp", [0, 1, 5])
@pytest.mark.parametrize("delta", [-7, -5, -1, 0, 1, 7])
def test_every_cell_of_the_state_table(before: str, at_zero: str, above: str, hp: int, delta: int) -> None:
    changed = after(plain(hp, before), delta)
    assert changed.hp == max(0, hp + delta)
    assert changed.character_state == (at_zero if changed.hp == 0 else above)


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("delta", [-9, -5, 0, 5])
def test_with_the_rule_off_hit_points_move_and_states_never_do(state: str, delta: int) -> None:
    changed = after(plain(5, state), delta, changes_state=False)
    assert (changed.hp, changed.character_state) == (max(0, 5 + delta), state)


def test_with_the_rule_off_not_even_the_dying_come_round() -> None:
    assert after(plain(0, "dying"), 5, changes_state=False).character_state == "dying"


@pytest.mark.parametrize("state", [None, "asleep", "Alive", ""])
def test_a_state_that_is_none_of_the_five_is_left_as_it_is(state: str | None) -> None:
    assert after(plain(3, state), -9) == plain(0, state)


def test_a_zero_delta_turns_no_corpse_into_the_dying() -> None:
    assert after(plain(0, "dead"), 0, 5) == plain(5, "dead")


def test_without_a_sheet_there_is_no_ceiling_and_no_temporary_hit_point() -> None:
    assert after(plain(10), 1000).hp == 1010
    assert after(plain(10, temp_hp=5), -3) == plain(7, temp_hp=5)


# with a sheet


def test_damage_takes_temporary_hit_points_first_and_healing_gives_none_back() -> None:
    hurt = after(sheet(10, temp_hp=4), -6)
    assert (hurt.hp, hurt.temp_hp) == (8, 0)
    assert after(sheet(10, temp_hp=4), -3).temp_hp == 1
    healed = after(sheet(5, temp_hp=1), 2)
    assert (healed.hp, healed.temp_hp) == (7, 1)


def test_hit_points_above_the_maximum_that_counts_go_with_the_first_that_is_lost() -> None:
    weary = sheet(10, temp_hp=2, conditions=[{"condition": "exhaustion", "exhaustion_level": 4}])
    assert (after(weary, -2).hp, after(weary, -3).hp, after(weary, -7).hp) == (10, 4, 0)
    assert after(weary, -11).state == "dying"
    assert after(weary, -12).state == "dead"


def test_healing_stops_at_the_maximum_but_takes_nothing_from_somebody_above_it() -> None:
    assert after(sheet(9), 5).hp == 10
    assert after(sheet(12), 5).hp == 12
    assert after(sheet(12), 0).hp == 12


@pytest.mark.parametrize("state", ["alive", "unconscious"])
def test_a_player_character_that_falls_to_zero_is_dying_and_starts_its_saves_anew(state: str) -> None:
    old = {"successes": 2, "failures": 2, "stable": True}
    fallen = after(sheet(4, state, death_saves=old), -4)
    assert fallen.character_state == "dying"
    assert saves(fallen) == (0, 0, False, False)


@pytest.mark.parametrize("kind", ["npc", "enemy", "neutral"])
def test_anybody_else_that_falls_to_zero_is_dying_without_saves(kind: str) -> None:
    fallen = after(sheet(4, kind=kind), -4, -3, -3, -3)
    assert (fallen.character_state, saves(fallen)) == ("dying", (0, 0, False, False))


@pytest.mark.parametrize("kind", ["pc", "npc", "enemy", "neutral"])
@pytest.mark.parametrize(("hp", "temp_hp", "damage", "dies"), [(4, 0, 13, False), (4, 0, 14, True), (4, 3, 16, False)])
def test_what_is_left_over_at_zero_kills_when_it_is_the_maximum(
    kind: str, hp: int, temp_hp: int, damage: int, dies: bool
) -> None:
    fallen = after(sheet(hp, kind=kind, temp_hp=temp_hp), -damage)
    assert (fallen.hp, fallen.character_state) == (0, "dead" if dies else "dying")


@pytest.mark.parametrize("kind", ["pc", "enemy"])
def test_as_much_as_the_maximum_at_zero_kills_anybody(kind: str) -> None:
    assert after(sheet(0, "dying", kind=kind), -9).character_state == "dying"
    assert after(sheet(0, "dying", kind=kind), -10).character_state == "dead"
    assert after(sheet(0, "dying", kind=kind, temp_hp=1), -10).character_state == "dying"


def test_each_damage_at_zero_is_a_failed_save_and_the_third_kills() -> None:
    fallen = sheet(0, "dying")
    assert [saves(after(fallen, *[-1] * times))[1] for times in range(4)] == [0, 1, 2, 3]
    assert [after(fallen, *[-1] * times).character_state for times in range(4)] == ["dying", "dying", "dying", "dead"]
    assert saves(after(fallen, -1, -1, -1)) == (0, 3, False, True)


def test_damage_that_temporary_hit_points_take_is_no_failed_save() -> None:
    fallen = after(sheet(0, "dying", temp_hp=5), -5)
    assert (saves(fallen)[1], fallen.temp_hp) == (0, 0)


def test_damage_ends_being_stable_and_keeps_successes() -> None:
    hit = after(sheet(0, "unconscious", death_saves={"successes": 3, "failures": 1, "stable": True}), -1)
    assert (hit.character_state, saves(hit)) == ("dying", (3, 2, False, False))


@pytest.mark.parametrize("state", ["dying", "unconscious"])
def test_any_healing_above_zero_wakes_and_clears_the_saves(state: str) -> None:
    healed = after(sheet(0, state, death_saves={"successes": 1, "failures": 2}), 1)
    assert (healed.hp, healed.character_state, healed.death_saves) == (1, "alive", None)


@pytest.mark.parametrize("state", ["dying", "unconscious"])
def test_a_zero_delta_heals_nobody_and_hurts_nobody(state: str) -> None:
    person = sheet(0, state, death_saves={"failures": 2})
    assert after(person, 0) == person


@pytest.mark.parametrize("kind", ["npc", "enemy", "neutral"])
@pytest.mark.parametrize("state", ["alive", "unconscious"])
def test_whoever_makes_no_saves_is_dying_when_hit_at_zero(kind: str, state: str) -> None:
    assert after(sheet(0, state, kind=kind), -1).character_state == "dying"


@pytest.mark.parametrize("state", TERMINAL)
def test_the_dead_and_the_restrained_keep_state_and_saves_while_the_number_moves(state: str) -> None:
    person = sheet(3, state, death_saves={"failures": 3, "dead": True})
    assert after(person, -30) == person.replace(hp=0)
    assert after(person, -30, -1, 4) == person.replace(hp=4)


def test_with_the_rule_off_a_sheets_state_stays_while_its_saves_go_on() -> None:
    fallen = after(sheet(4), -4, -1, changes_state=False)
    assert (fallen.character_state, saves(fallen)) == ("alive", (0, 1, False, False))


def test_with_the_rule_off_healing_from_zero_still_clears_the_saves() -> None:
    healed = after(sheet(4), -4, -1, 2, changes_state=False)
    assert (healed.hp, healed.character_state, healed.death_saves) == (2, "alive", None)


# properties

PEOPLE = st.builds(
    Character,
    id=st.just("x"),
    character_type=st.sampled_from(["pc", "npc", "enemy", "neutral"]),
    hp=st.integers(0, 15),
    max_hp=st.none() | st.integers(1, 12),
    temp_hp=st.integers(0, 4),
    character_state=st.sampled_from([*STATES, "asleep", None]),
    death_saves=st.none() | st.builds(DeathSaves, successes=st.integers(0, 2), failures=st.integers(0, 2)),
)
DELTAS = st.lists(st.integers(-30, 30), max_size=6)


@given(PEOPLE, DELTAS, st.booleans())
def test_hit_points_stay_between_zero_and_the_maximum(person: Character, deltas: list[int], changes: bool) -> None:
    assert person.hp is not None
    ceiling = None if person.max_hp is None else max(person.max_hp, person.hp)
    for delta in deltas:
        before, person = person, after(person, delta, changes_state=changes)
        assert person.hp is not None
        assert person.hp >= 0
        assert person.temp_hp >= 0
        assert ceiling is None or person.hp <= ceiling
        assert before.replace(**_hit_point_fields(person)) == person, "something else than hit points changed"


def _hit_point_fields(person: Character) -> dict[str, Any]:
    return {key: getattr(person, key) for key in ("hp", "temp_hp", "character_state", "death_saves", "conditions")}


@given(PEOPLE, DELTAS)
def test_terminal_states_never_change_and_the_rule_off_changes_none(person: Character, deltas: list[int]) -> None:
    if person.character_state in TERMINAL:
        assert after(person, *deltas).character_state == person.character_state
    assert after(person, *deltas, changes_state=False).character_state == person.character_state


@given(PEOPLE, DELTAS)
def test_the_number_moves_alike_whether_or_not_states_do(person: Character, deltas: list[int]) -> None:
    on, off = after(person, *deltas), after(person, *deltas, changes_state=False)
    assert (on.hp, on.temp_hp) == (off.hp, off.temp_hp)


@given(PEOPLE, st.integers(-30, -1))
def test_whoever_has_the_five_states_and_is_hurt_to_zero_is_dying_or_terminal(person: Character, delta: int) -> None:
    hurt = after(person, delta)
    untouched = (hurt.hp, hurt.temp_hp) == (person.hp, person.temp_hp) or person.hp == hurt.hp == 0
    if hurt.hp == 0 and person.state is not None and not untouched:
        assert hurt.character_state in ("dying", *TERMINAL)


@given(PEOPLE)
def test_a_zero_delta_changes_nothing_but_states_that_did_not_fit(person: Character) -> None:
    changed = after(person, 0)
    assert changed.replace(character_state=person.character_state) == person
    if person.max_hp is not None:
        assert changed == person


@given(PEOPLE, st.integers(-30, 30))
def test_the_dead_mark_goes_with_the_state(person: Character, delta: int) -> None:
    changed = after(person, delta)
    if changed.character_state == "dead" and person.character_state != "dead":
        assert changed.death_saves is not None
        assert changed.death_saves.dead
