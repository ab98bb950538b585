"""Which name was probably meant."""

from __future__ import annotations

import random
from difflib import SequenceMatcher
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwright.model.edit_distance import edit_distance
from turnwright.model.fuzzy_match import MAX_COUNT, did_you_mean, misspelt, nearest, number_alone, number_in, probable

NAMES = st.lists(st.text("abc_01é", min_size=1, max_size=6), max_size=30)


@given(st.text("abc_01é", max_size=6) | st.none() | st.integers(), NAMES, st.integers(0, 30))
def test_the_nearest_names_are_known_ones_each_once_and_not_too_many(
    given_name: Any, names: list[str], most: int
) -> None:
    found = nearest(given_name, names, most)
    assert len(found) == len(set(found)) == min(most, len(set(names)))
    assert set(found) <= set(names)


@given(NAMES.filter(bool), st.integers(0, 10**6), st.text("abc", max_size=4))
def test_the_order_in_which_names_are_known_does_not_matter(names: list[str], seed: int, given_name: str) -> None:
    shuffled = random.Random(seed).sample(names, len(names))
    assert nearest(given_name, names) == nearest(given_name, shuffled)
    assert nearest(names[0], names)[0].lower() == names[0].lower()


@pytest.mark.parametrize(
    ("given_name", "meant"),
    [("mov", "move"), ("hpdelta", "hp_delta"), ("Map_Generate", "map_generate"), ("moveoptions", "move_options")],
)
def test_a_misspelt_tool_is_recognised(given_name: str, meant: str) -> None:
    assert nearest(given_name, ["move", "hp_delta", "map_generate", "move_options"])[0] == meant


@pytest.mark.parametrize(
    ("given_name", "known", "meant"),
    [
        ("mvoe", ["move", "hp_delta"], "move"),
        ("shwo", ["show", "set"], "show"),
        ("PC_01", ["pc_001", "npc_001"], "pc_001"),
        ("help", ["check", "schemas"], None),
        ("version", ["verify"], None),
        ("mcp", ["map"], None),
        ("99", ["turn_0009"], None),
        ("title", ["limits.calls"], None),
        ("g", ["auras"], None),
        ("x", [], None),
        (None, ["move"], None),
    ],
)
def test_nobody_is_asked_whether_they_meant_another_word(given_name: Any, known: list[str], meant: str | None) -> None:
    assert probable(given_name, known) == meant
    assert did_you_mean(given_name, known) == (f"; did you mean {meant}?" if meant else "")


@pytest.mark.parametrize("given_name", ["area_50777", "area_5O777", "area_507777"])
def test_among_very_many_names_a_slip_is_still_found(given_name: str) -> None:
    names = [f"area_{number}" for number in range(50_000, 60_000)]
    found = nearest(given_name, names)
    assert "area_50777" in found
    assert len(found) == MAX_COUNT


@given(
    st.lists(st.text("abc_01", min_size=1, max_size=9), max_size=40), st.text("abc_01", max_size=9), st.integers(0, 30)
)
def test_short_names_are_ranked_by_what_they_share_with_what_was_given(
    names: list[str], given_name: str, most: int
) -> None:
    def likeness(name: str) -> float:
        return SequenceMatcher(None, name, given_name, autojunk=False).ratio()

    assert nearest(given_name, names, most) == sorted(set(names), key=lambda name: (-likeness(name), name))[:most]


@given(st.integers(0, 180), st.integers(0, 19))
def test_a_slip_in_a_long_name_is_recognised(place: int, number: int) -> None:
    names = [f"{'the_road_to_' * 15}{n:03}_and_back" for n in range(20)]
    meant = names[number]
    assert nearest(meant[:place] + meant[place + 1 :], names, 1) == [meant]


def test_among_very_many_names_something_is_named_even_for_what_resembles_none() -> None:
    assert len(nearest("zzz", [f"area_{number}" for number in range(1000)])) == MAX_COUNT
    assert len(nearest(None, [f"area_{number}" for number in range(1000)])) == MAX_COUNT


@pytest.mark.parametrize(
    ("given_value", "found"),
    [
        (7, 7),
        ("7", 7),
        (" 7 ", 7),
        (6.5, 6.5),
        ("6.5", 6.5),
        ("six", 6),
        ("minus twenty-five", -25),
        ("+7", 7),
        ("\u22127", -7),
        ("minus twenty-five hp", None),
        ("level 3", None),
        ("2nd", None),
        ("10 ft.", None),
        ("five negative", None),
        ("<5", None),
        ("1.000", None),
        ("10 damage", None),
        ("half of 10", None),
        ("10%", None),
        ("1/2", None),
        ("2 minutes", None),
        ("1,000", None),
        ("a few", None),
        ("9" * 40, None),
        (True, None),
        (None, None),
    ],
)
def test_a_number_is_read_only_where_a_text_says_no_more(given_value: Any, found: float | None) -> None:
    assert number_alone(given_value) == found


@pytest.mark.parametrize(
    ("written", "known", "meant"),
    [
        ("Mirra", ["Mira", "Bran"], "Mira"),
        ("imra", ["Mira", "Bran"], "Mira"),
        ("Mria", ["Mira", "Bran"], "Mira"),
        ("scout nela", ["Scout Nela", "Bran"], "Scout Nela"),
        ("Scout Nella", ["Scout Nela", "Bran"], "Scout Nela"),
        ("Nela", ["Scout Nela", "Bran"], None),
        ("Tilda", ["Scout Nela", "Bran", "Mila"], None),
        ("Gran", ["Bran"], None),
        ("area_2", ["area_001", "area_002"], "area_002"),
        ("area_004", ["area_001", "area_002"], None),
        ("wolf2", ["wolf_1", "wolf_2"], "wolf_2"),
        ("hpDelta", ["hp_delta", "move"], "hp_delta"),
        ("tan", ["tin", "ten"], None),
        ("Marta", ["Marda", "Marka"], None),
        ("x" * 300, ["x" * 299], None),
        (None, ["Mira"], None),
    ],
)
def test_a_misspelt_name_is_known_again_and_another_name_is_not(
    written: Any, known: list[str], meant: str | None
) -> None:
    assert misspelt(written, known) == meant


@given(st.text(max_size=12), st.lists(st.text(max_size=12), max_size=6))
def test_what_is_misspelt_differs_in_three_letters_and_in_half_of_it_at_most(written: str, known: list[str]) -> None:
    meant = misspelt(written, known)
    if meant is not None:
        left, right = ("".join(filter(str.isalpha, text.casefold())) for text in (written, meant))
        slips = edit_distance(left, right, 99)
        assert slips is not None
        assert slips <= 3
        assert 2 * slips <= max(len(left), len(right))


@pytest.mark.parametrize(
    ("given_value", "found"),
    [
        ("-5hp", -5),
        ("minus 5", -5),
        ("\u22125", -5),
        ("hp: -5", -5),
        ("+5 hp", 5),
        ("10 rounds", 10),
        ("2.5 hours", 2.5),
        ("d8", 8),
        ("five", 5),
        ("Five damage.", 5),
        ("minus three", -3),
        ("-three", -3),
        ("negative two hp", -2),
        ("plus four", 4),
        ("twenty-five feet", 25),
        ("twenty", 20),
        ("five hundred", None),
        ("one or two", None),
        ("some five", None),
        ("minus", None),
        ("-", None),
        ("1d8 slashing", None),
        ("5-10", None),
        ("1,000", None),
        ("level-5", None),
        ("+-5", None),
        ("--5", None),
        ("a lot", None),
        ("", None),
        (True, None),
        (None, None),
        ("9" * 40, None),
        ("five " + "x" * 60, None),
    ],
)
def test_the_only_number_in_a_text_is_found_with_its_sign(given_value: Any, found: float | None) -> None:
    assert number_in(given_value) == found


@given(st.text(max_size=80) | st.text("-+. 15onetwmius\u2212", max_size=40))
def test_a_number_is_found_in_any_text_or_none_is(text: str) -> None:
    assert isinstance(number_in(text), (int, float, type(None)))
