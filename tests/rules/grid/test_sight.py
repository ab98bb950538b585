"""Sight: the table of lights and senses, cell by cell."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwright.model.vocabulary import Cover, Lighting, Sense, words
from turnwright.rulesets.fifth_edition.space.grid.sight import Obscurement, Sight, sight
from turnwright.rulesets.fifth_edition.space.grid.space import Body, Square

HERE, THERE = Body(Square(0, 0)), Body(Square(3, 4))
FAR = 25
SENSES: tuple[Sense, ...] = ("blindsight", "darkvision", "tremorsense", "truesight")

TABLE: dict[tuple[Lighting, Sense | None], Obscurement] = {
    ("bright", None): "none",
    ("bright", "darkvision"): "none",
    ("bright", "blindsight"): "none",
    ("bright", "truesight"): "none",
    ("bright", "tremorsense"): "none",
    ("dim", None): "lightly",
    ("dim", "darkvision"): "none",
    ("dim", "blindsight"): "none",
    ("dim", "truesight"): "none",
    ("dim", "tremorsense"): "lightly",
    ("darkness", None): "heavily",
    ("darkness", "darkvision"): "lightly",
    ("darkness", "blindsight"): "none",
    ("darkness", "truesight"): "none",
    ("darkness", "tremorsense"): "heavily",
    ("magical_darkness", None): "heavily",
    ("magical_darkness", "darkvision"): "heavily",
    ("magical_darkness", "blindsight"): "none",
    ("magical_darkness", "truesight"): "none",
    ("magical_darkness", "tremorsense"): "heavily",
}


def test_the_table_has_every_light_with_every_sense() -> None:
    assert set(TABLE) == set(product(words(Lighting), (None, *words(Sense))))


@pytest.mark.parametrize(("case", "obscurement"), TABLE.items())
def test_light_and_one_sense_in_range(case: tuple[Lighting, Sense | None], obscurement: Obscurement) -> None:
    lighting, sense = case
    found = sight(HERE, THERE, "none", lighting, {sense: FAR} if sense else {})
    assert found.obscurement == obscurement
    assert found.can_see == (obscurement != "heavily")


@pytest.mark.parametrize(("lighting", "sense"), TABLE)
def test_a_sense_out_of_range_is_no_help(lighting: Lighting, sense: Sense | None) -> None:
    unaided = sight(HERE, THERE, "none", lighting)
    assert sight(HERE, THERE, "none", lighting, {sense: FAR - 0.5} if sense else {}) == unaided
    assert sight(HERE, HERE, "none", lighting, {sense: 0} if sense else {}) == unaided


@pytest.mark.parametrize("cover", words(Cover))
def test_only_total_cover_hides(cover: Cover) -> None:
    found = sight(HERE, THERE, cover, "bright", dict.fromkeys(SENSES, 60))
    assert found.can_see == (cover != "total")
    assert found.detected_by == (("tremorsense",) if cover == "total" else ("blindsight", "tremorsense", "truesight"))
    dark = sight(HERE, THERE, cover, "dim", dict.fromkeys(SENSES, 60))
    assert dark.detected_by == (("tremorsense",) if cover == "total" else SENSES)


@pytest.mark.parametrize("lighting", words(Lighting))
def test_the_invisible_are_seen_only_by_truesight_and_blindsight(lighting: Lighting) -> None:
    seen = [sight(HERE, THERE, "none", lighting, {sense: 60}, invisible=True).can_see for sense in SENSES]
    assert seen == [True, False, False, True]
    assert sight(HERE, THERE, "none", lighting, {"darkvision": 60}, invisible=True).detected_by == ()


def test_tremorsense_notices_without_seeing_what_touches_the_ground() -> None:
    notice: dict[Sense, float] = {"tremorsense": 60}
    assert sight(HERE, THERE, "none", "darkness", notice) == Sight(False, "heavily", ("tremorsense",))
    assert sight(HERE, THERE, "total", "bright", notice, invisible=True) == Sight(False, "none", ("tremorsense",))
    assert sight(HERE, Body(Square(3, 4, 1)), "none", "darkness", notice).detected_by == ()
    assert sight(Body(Square(0, 0, 2)), THERE, "none", "darkness", notice).detected_by == ("tremorsense",)


@pytest.mark.parametrize(
    ("lighting", "noticed"), [("bright", False), ("dim", True), ("darkness", True), ("magical_darkness", False)]
)
def test_darkvision_notices_where_it_makes_a_difference(lighting: Lighting, noticed: bool) -> None:
    found = sight(HERE, THERE, "half", lighting, {"darkvision": 60})
    assert found.detected_by == (("darkvision",) if noticed else ())


def test_ranges_reach_up_and_to_the_nearest_square_of_a_large_body() -> None:
    blind: dict[Sense, float] = {"blindsight": 10}
    assert not sight(HERE, Body(Square(0, 0, 3)), "none", "darkness", blind).can_see
    assert sight(HERE, Body(Square(-5, -1), "gargantuan"), "none", "darkness", blind).can_see
    assert not sight(HERE, Body(Square(-5, -1), "huge"), "none", "darkness", blind).can_see


@given(
    st.sampled_from(words(Lighting)),
    st.dictionaries(st.sampled_from(SENSES), st.integers(0, 60)),
    st.sampled_from(SENSES),
    st.integers(0, 60),
    st.booleans(),
    st.sampled_from(words(Cover)),
)
def test_a_better_sense_never_shows_less(
    lighting: Lighting, senses: dict[Sense, float], sense: Sense, feet: int, invisible: bool, cover: Cover
) -> None:
    less = sight(HERE, THERE, cover, lighting, senses, invisible)
    more = sight(HERE, THERE, cover, lighting, {**senses, sense: senses.get(sense, 0) + feet}, invisible)
    assert less.can_see <= more.can_see
    assert set(less.detected_by) <= set(more.detected_by)
    order: list[Obscurement] = ["none", "lightly", "heavily"]
    assert order.index(more.obscurement) <= order.index(less.obscurement)
