"""How close to the edge."""

from __future__ import annotations

import pytest

from turnwright.rulesets.scenes.precarity import (
    HEAT,
    LABELS,
    STRESS,
    WANTED,
    heat_band,
    precarity,
    score,
    stress_band,
    wanted_band,
)


@pytest.mark.parametrize(
    ("stress", "heat", "wanted", "expected"), [(0, 0, 0, 0), (1, 2, 0, 3), (0, 0, 3, 6), (9, 10, 4, 27)]
)
def test_each_level_of_wanted_counts_twice(stress: int, heat: int, wanted: int, expected: int) -> None:
    assert score(stress, heat, wanted) == expected


@pytest.mark.parametrize(
    ("scores", "label"),
    [
        (range(5), "operating_from_strength"),
        (range(5, 10), "room_to_maneuver"),
        (range(10, 15), "walls_closing_in"),
        (range(15, 28), "hanging_by_thread"),
    ],
)
def test_each_score_has_its_label(scores: range, label: str) -> None:
    assert {precarity(score).word for score in scores} == {label}


@pytest.mark.parametrize(
    ("values", "word"),
    [(range(3), "clean"), (range(3, 5), "functional"), (range(5, 8), "wearing"), (range(8, 10), "fraying")],
)
def test_stress_shows(values: range, word: str) -> None:
    assert {stress_band(stress).word for stress in values} == {word}


@pytest.mark.parametrize(
    ("values", "word"), [(range(3, 5), "ripples"), (range(5, 8), "watching"), (range(8, 11), "hunting")]
)
def test_heat_is_noticed(values: range, word: str) -> None:
    assert {band.word for heat in values if (band := heat_band(heat))} == {word}


@pytest.mark.parametrize(
    ("values", "word"), [([1], "flagged"), ([2], "person of interest"), ([3, 4], "priority target")]
)
def test_the_law_has_words_for_it(values: list[int], word: str) -> None:
    assert {band.word for wanted in values if (band := wanted_band(wanted))} == {word}


def test_little_heat_and_no_warrant_have_no_word() -> None:
    assert [heat_band(heat) for heat in range(3)] == [None] * 3
    assert wanted_band(0) is None


def test_every_band_has_a_voice_of_its_own() -> None:
    bands = [*LABELS, *STRESS, *HEAT, *WANTED]
    assert all(band.voice.strip() for band in bands)
    assert len({band.voice for band in bands}) == len(bands)
