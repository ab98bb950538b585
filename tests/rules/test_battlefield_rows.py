"""A fight as rows of symbols: who is drawn where, with which mark, and what a window shows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwright.model.encounter import Encounter
from turnwright.rulesets.fifth_edition.fights.battlefield_rows import (
    Battlefield,
    Window,
    battlefield,
    column_header,
    symbols_of,
)

Json = Any


def someone(name: str, x: int = 0, y: int = 0, z: int = 0, *, enemy: bool = False, **body: Any) -> Json:
    """Return a participant with a body of its own."""
    whole = {"id": name, "name": name, "hp": 10, "max_hp": 10} | body
    place = {"x": x, "y": y, "z": z}
    return {
        "id": name,
        "name": name,
        "position": place,
        "is_enemy": enemy,
        "initiative": 10,
        "natural": 10,
        "body": whole,
    }


def fight(*people: Json, **fields: Any) -> Encounter:
    """Return a fight on a small grid."""
    terrain = {"width": 6, "height": 5} | fields.pop("terrain", {})
    return Encounter.model_validate({"id": "e", "participants": list(people), "terrain": terrain} | fields)


def drawn(encounter: Encounter, **options: Any) -> Battlefield:
    """Draw a fight of bodies."""
    bodies = {person.id: person.body for person in encounter.participants if person.body}
    return battlefield(encounter, bodies, **options)


def test_creatures_cover_props_and_terrain_covers_by_rank() -> None:
    everywhere = ["0,0", "1,0", "2,0", "3,0"]
    terrain = {
        "obstacles": everywhere[:1],
        "difficult_terrain": everywhere[:2],
        "water": everywhere[:3],
        "hazards": [{"type": "fire", "position": key} for key in everywhere],
    }
    props = [
        {"id": "p1", "name": "Box", "type": "crate", "position": {"x": 0, "y": 1}},
        {"id": "p2", "name": "Box", "type": "crate", "position": {"x": 1, "y": 1}, "destructible": True, "hp": 0},
        {"id": "p3", "name": "Box", "type": "crate", "position": {"x": 4, "y": 4}},
    ]
    encounter = fight(someone("Ana", 4, 4), terrain=terrain, props=props)
    assert drawn(encounter).rows == ("█░≈*··", "◘·····", "······", "······", "····A·")
    assert drawn(encounter, ascii=True).rows == ("#:~*..", "%.....", "......", "......", "....A.")


def test_allies_are_upper_case_enemies_lower_case_and_clashes_take_the_next_free() -> None:
    people = [
        someone("grik", enemy=True),
        someone("Bo"),
        someone("Gul", enemy=True),
        someone("Bea"),
        someone("Gnar", enemy=True),
        someone("Ada"),
    ]
    symbols = symbols_of(fight(*people).participants)
    # Bea finds B taken and gets A, so Ada gets the next free letter.
    assert symbols == {"grik": "g", "Bo": "B", "Gul": "1", "Bea": "A", "Gnar": "2", "Ada": "C"}


@pytest.mark.parametrize(
    ("name", "symbol", "in_ascii"),
    [("Élan", "E", "E"), ("3 Rats", "R", "R"), ("Ждан", "Ж", "A"), ("龍", "A", "A"), ("!", "A", "A"), ("ßo", "A", "A")],
)
def test_a_symbol_is_one_narrow_letter_whatever_the_name(name: str, symbol: str, in_ascii: str) -> None:
    people = fight(someone(name)).participants
    assert symbols_of(people) == {name: symbol}
    assert symbols_of(people, ascii=True) == {name: in_ascii}


@given(st.lists(st.tuples(st.text(max_size=3), st.booleans()), min_size=1, max_size=100))
def test_no_ally_shares_a_symbol_with_an_enemy(people: list[tuple[str, bool]]) -> None:
    chosen = [someone(f"{n}", enemy=enemy) | {"name": name or "x"} for n, (name, enemy) in enumerate(people)]
    participants = fight(*chosen).participants
    symbols = symbols_of(participants, ascii=True)
    sides = [{symbols[p.id] for p in participants if p.is_enemy is side} for side in (False, True)]
    assert not sides[0] & sides[1]
    assert all(len(symbol) == 1 and symbol.isascii() for symbol in symbols.values())
    for side, few in ((False, 26), (True, 35)):
        own = [symbols[p.id] for p in participants if p.is_enemy is side]
        assert len(own) > few or len(set(own)) == len(own)


def test_the_highest_is_drawn_then_the_living_then_whose_turn_comes_first() -> None:
    one = fight(someone("Ana", 1, 1), someone("Bo", 1, 1, 2), someone("Cy", 1, 1))
    assert drawn(one).rows[1] == "·B····"
    two = fight(someone("Dee", 1, 1, hp=0, death_saves={"dead": True}), someone("Ana", 1, 1))
    assert drawn(two).rows[1] == "·A····"
    three = fight(someone("Ana", 1, 1), someone("Bo", 1, 1))
    assert drawn(three).rows[1] == "·A····"


def test_the_large_fill_all_their_squares() -> None:
    rows = drawn(fight(someone("Ogg", 2, 1, enemy=True, sheet={"size": "large"}))).rows
    assert rows == ("······", "··oo··", "··oo··", "······", "······")


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ({}, {"hp": 10, "bloodied": False, "down": False, "dead": False}),
        ({"hp": 6}, {"bloodied": False}),
        ({"hp": 5}, {"bloodied": True}),
        ({"hp": 0}, {"bloodied": False, "down": True, "dead": False}),
        ({"hp": 0, "death_saves": {"dead": True}}, {"down": False, "dead": True}),
        ({"conditions": [{"condition": "unconscious"}]}, {"down": True, "conditions": ["unconscious"]}),
        # The fourth level halves the maximum, and no more hit points than that count.
        ({"conditions": [{"condition": "exhaustion", "exhaustion_level": 4}]}, {"hp": 5, "max_hp": 5}),
    ],
)
def test_the_legend_tells_how_everybody_fares(body: Json, expected: Mapping[str, Any]) -> None:
    entry = dict(drawn(fight(someone("Ana", **body))).legend[0].to_result())
    assert {key: entry[key] for key in expected} == expected


def test_it_is_nobodys_turn_once_the_fight_is_over() -> None:
    people = (someone("Ana"), someone("Bo", 1))
    assert [figure.current for figure in drawn(fight(*people, turn_index=1)).legend] == [False, True]
    over = fight(*people, status="ended", outcome="fled")
    assert [figure.current for figure in drawn(over).legend] == [False, False]


def test_a_viewport_is_clipped_to_the_grid() -> None:
    field = drawn(fight(someone("Ana", 5, 4)), viewport=Window(4, 3, 10, 10))
    assert (field.viewport, field.rows) == (Window(4, 3, 2, 2), ("··", "·A"))
    assert drawn(fight(someone("Ana")), viewport=Window(-2, -2, 4, 4)).viewport == Window(0, 0, 2, 2)
    assert drawn(fight(someone("Ana")), viewport=Window(9, 9, 4, 4)).rows == ()


@pytest.mark.parametrize(
    ("at", "size", "expected"),
    [
        ((0, 0), None, Window(0, 0, 15, 15)),
        ((20, 20), None, Window(13, 13, 15, 15)),
        ((39, 29), None, Window(25, 15, 15, 15)),
        ((20, 20), (4, 3), Window(18, 19, 4, 3)),
        ((20, 20), (90, 3), Window(0, 19, 40, 3)),
    ],
)
def test_a_window_around_somebody_stays_inside(
    at: tuple[int, int], size: tuple[int, int] | None, expected: Window
) -> None:
    encounter = fight(someone("Ana", *at), terrain={"width": 40, "height": 30})
    viewport = Window(0, 0, *size) if size else None
    assert drawn(encounter, focus_on="Ana", viewport=viewport).viewport == expected


@pytest.mark.parametrize(
    ("window", "expected"),
    [
        (Window(0, 0, 10, 1), ("0123456789",)),
        (Window(0, 0, 12, 1), ("          11", "012345678901")),
        (Window(19, 0, 3, 1), ("122", "901")),
    ],
)
def test_columns_are_headed_by_their_digits(window: Window, expected: tuple[str, ...]) -> None:
    assert column_header(window) == expected
