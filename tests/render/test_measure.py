"""Widths of text and cutting to them; rich is the oracle for terminal columns."""

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from turnwright.render.measure import clip, column_width, columns, em_width, ems, wrap

LETTERS = st.text(st.sampled_from(string.printable[:94] + " éß漢字かなカナ한글Я\u0301"))


@given(LETTERS)
def test_columns_agree_with_rich(text: str) -> None:
    assert columns(text) == cell_len(text)


@given(LETTERS, st.integers(1, 40))
def test_a_clipped_text_fits_and_is_the_text_or_its_start_with_an_ellipsis(text: str, limit: int) -> None:
    cut = clip(text, limit, column_width)
    assert columns(cut) <= limit
    assert cut == text or (columns(text) > limit and cut.endswith("…") and text.startswith(cut[:-1]))


@given(LETTERS, st.integers(1, 40))
def test_a_clipped_text_leaves_no_room_for_another_character(text: str, limit: int) -> None:
    cut = clip(text, limit, column_width)
    if cut != text:
        assert columns(cut) + column_width(text[len(cut) - 1]) > limit


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("Short", ["Short"]),
        ("Crypt of the Last Keeper", ["Crypt of", "the Last…"]),
        ("Crypt of Kings", ["Crypt of", "Kings"]),
        ("Exactly 9 wide", ["Exactly 9", "wide"]),
        ("Unbrokenword", ["Unbrokenw", "ord"]),
        ("", [""]),
    ],
)
def test_a_long_name_is_broken_at_spaces_into_two_lines(text: str, lines: list[str]) -> None:
    assert wrap(text, 9, 2, column_width) == lines


def test_wide_scripts_are_reckoned_wider_than_narrow_ones() -> None:
    assert ems("iiii") < ems("nnnn") < ems("NNNN") < ems("MMMM")
    assert em_width("漢") >= 1
    assert em_width("\ufdfd") > 4
    assert em_width("\u0301") == 0


def test_a_joiner_takes_no_room() -> None:
    assert columns("\u0645\u06cc\u200c\u0631\u0648\u0645") == 5
