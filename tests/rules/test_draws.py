"""Dice: the formula of the contract recomputed from its sentence, and whether the faces look fair."""

from __future__ import annotations

import hashlib
import math
from collections import Counter, deque
from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwright.model.dice.draws import Dice, face, real, uniform
from turnwright.model.errors import BadRequest

BLOCK = 64


def hmac_sha256(key: bytes, message: bytes) -> bytes:
    """RFC 2104, written out."""
    key = (hashlib.sha256(key).digest() if len(key) > BLOCK else key).ljust(BLOCK, b"\0")
    inner = hashlib.sha256(bytes(byte ^ 0x36 for byte in key) + message).digest()
    return hashlib.sha256(bytes(byte ^ 0x5C for byte in key) + inner).digest()


def number_of(secret: bytes, n: int | str, part: int, draw: int) -> int:
    number = 0
    for byte in hmac_sha256(secret, f"{n}/{part}/{draw}".encode())[:8]:
        number = number * 256 + byte
    return number


SECRETS = st.binary(max_size=80)
NUMBERS = st.integers(0, 2**64 - 1)


@given(SECRETS, st.integers(0, 10**6), st.integers(0, 70), st.lists(st.integers(1, 1000), min_size=1, max_size=5))
def test_faces_follow_the_formula_with_record_part_and_draw(secret: bytes, n: int, part: int, sides: list[int]) -> None:
    dice = Dice(secret, str(n)).part(part)
    faces = [dice.draw(side, "x") for side in sides]
    wanted = [1 + int(Fraction(number_of(secret, n, part, i), 2**64) * side) for i, side in enumerate(sides)]
    assert faces == wanted


@given(SECRETS, st.integers(0, 100), st.integers(0, 9))
def test_reals_follow_the_formula(secret: bytes, n: int, part: int) -> None:
    dice = Dice(secret, str(n)).part(part)
    found = [dice.draw_real("x") for _ in range(3)]
    assert found == [float(Fraction(number_of(secret, n, part, i) // 2**11, 2**53)) for i in range(3)]


@given(NUMBERS, st.integers(1, 10**9))
def test_a_face_lies_on_the_die_and_a_real_below_one(number: int, sides: int) -> None:
    assert 1 <= face(number, sides) <= sides
    assert 0 <= real(number) < 1


@pytest.mark.parametrize("sides", [1, 2, 6, 20, 100])
def test_the_ends_of_the_numbers_are_the_ends_of_the_die(sides: int) -> None:
    assert (face(0, sides), face(2**64 - 1, sides)) == (1, sides)
    assert (real(0), real(2**64 - 1)) == (0.0, 1 - 2**-53)


def chi_square_limit(freedom: int) -> float:
    """Return what chance exceeds once in about 100,000 times (Wilson and Hilferty's approximation)."""
    spread = 2 / (9 * freedom)
    return float(freedom * (1 - spread + 4.26 * math.sqrt(spread)) ** 3)


@pytest.mark.parametrize("sides", [2, 6, 20, 100])
def test_faces_are_evenly_spread(sides: int) -> None:
    dice = Dice(b"a fixed secret", "1").part(1)
    counts = Counter(dice.draw(sides, "x") for _ in range(500 * sides))
    assert sum((counts[n] - 500) ** 2 / 500 for n in range(1, sides + 1)) < chi_square_limit(sides - 1)


def test_following_faces_do_not_hang_together() -> None:
    dice = Dice(b"a fixed secret", "1").part(1)
    counts = Counter(pairwise(dice.draw(6, "x") for _ in range(36 * 200 + 1)))
    assert sum((counts[a, b] - 200) ** 2 / 200 for a in range(1, 7) for b in range(1, 7)) < chi_square_limit(35)


@given(SECRETS)
def test_every_label_has_a_number_of_its_own(secret: bytes) -> None:
    labels = [
        f"{label}{n}/{part}/{draw}" for label in ("", "dry/") for n in (1, 11) for part in (0, 1) for draw in (0, 1)
    ]
    assert len({uniform(secret, label) for label in labels}) == len(labels)


def test_parts_draw_from_zero_each_whatever_the_others_drew() -> None:
    alone = Dice(b"s", "4").part(2).draw(1000, "x")
    dice = Dice(b"s", "4")
    for _ in range(5):
        dice.part(1).draw(20, "x")
    assert dice.part(2).draw(1000, "x") == alone


def test_every_draw_is_kept_as_the_record_holds_it() -> None:
    dice = Dice(b"s", "9", deque([3]))
    part = dice.part(2)
    first, second, third = part.draw(6, "a"), part.draw(6, "b"), part.draw_real("c")
    assert dice.drawn == [
        {"part": 2, "draw": 0, "why": "a", "sides": 6, "value": 3, "given": True},
        {"part": 2, "draw": 1, "why": "b", "sides": 6, "value": second, "given": False},
        {"part": 2, "draw": 2, "why": "c", "sides": None, "value": third, "given": False},
    ]
    assert first == 3
    assert second == 1 + (number_of(b"s", 9, 2, 1) * 6 >> 64), "a given face still takes the place of a draw"


def test_given_faces_are_used_in_the_order_of_drawing_across_parts() -> None:
    dice = Dice(b"s", "1", deque([6, 1, 20]))
    assert [dice.part(1).draw(6, "x"), dice.part(2).draw(6, "x"), dice.part(2).draw(20, "x")] == [6, 1, 20]
    assert not dice.given


@pytest.mark.parametrize("value", [0, 7, -1, True, 3.0, "3", None])
def test_a_given_face_that_is_not_on_the_die_is_refused(value: Any) -> None:
    dice = Dice(b"s", "1", deque([value]))
    with pytest.raises(BadRequest):
        dice.part(1).draw(6, "x")
    assert dice.drawn == []


def test_forgetting_returns_to_an_earlier_point_with_the_faces_that_were_left() -> None:
    dice = Dice(b"s", "1", deque([1, 2, 3]))
    dice.part(1).draw(6, "x")
    given = tuple(dice.given)
    dice.part(2).draw(6, "x")
    dice.forget(1, given)
    assert [draw["value"] for draw in dice.drawn] == [1]
    assert list(dice.given) == [2, 3]
