"""Places on the grid: one each, linked areas close together, the same every time."""

from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from turnwright.render.map_layout import place

Layer = tuple[int, list[tuple[int, int]]]


@st.composite
def layers(draw: st.DrawFn) -> Layer:
    size = draw(st.integers(1, 20))
    ends = st.integers(0, size - 1)
    return size, draw(st.lists(st.tuples(ends, ends), max_size=30))


@given(layers())
@settings(deadline=None)
def test_every_area_has_a_cell_of_its_own_and_no_row_or_column_is_empty(
    layer: Layer,
) -> None:
    size, links = layer
    cells = place(size, links)
    assert len(set(cells)) == len(cells) == size
    for line in ({x for x, _ in cells}, {y for _, y in cells}):
        assert line == set(range(len(line)))


@given(layers(), st.data())
@settings(deadline=None)
def test_only_the_links_matter_not_how_they_are_listed(layer: Layer, data: st.DataObject) -> None:
    size, links = layer
    shuffled = data.draw(st.permutations([*links, *((b, a) for a, b in links)]))
    assert place(size, shuffled) == place(size, links)


def test_neighbours_in_a_row_of_rooms_are_neighbours_on_the_grid() -> None:
    for size in (2, 5, 12, 40, 150, 300):
        cells = place(size, [(at, at + 1) for at in range(size - 1)])
        assert all(max(abs(a - c), abs(b - d)) == 1 for (a, b), (c, d) in pairwise(cells))


def test_a_hub_stands_amid_its_eight_spokes() -> None:
    hub, *spokes = place(9, [(0, spoke) for spoke in range(1, 9)])
    assert {(x - hub[0], y - hub[1]) for x, y in spokes} == {(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1)} - {(0, 0)}


def test_the_first_area_is_in_the_upper_left() -> None:
    for size in (2, 6, 17, 60, 200):
        cells = place(size, [(at, (at * 7 + 3) % size) for at in range(size)])
        assert 2 * cells[0][0] <= max(x for x, _ in cells)
        assert 2 * cells[0][1] <= max(y for _, y in cells)


def test_a_layer_without_areas_or_links_is_no_trouble() -> None:
    assert place(0, []) == []
    assert len(set(place(300, []))) == 300
