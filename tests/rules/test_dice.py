"""Dice notation, dice, and what they can come to; d20 is the oracle for what both notations can say."""

import random
import sys
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from tests.sampling import tries

from turnwright.model.dice import tree as tree
from turnwright.model.dice.expression import (
    Bounds,
    DiceCode,
    DiceError,
    Expression,
    advantage,
    bounds,
    critical,
    disadvantage,
    parse,
    render,
    roll,
)
from turnwright.model.dice.tree import DiceTerm, Group, Negate, Number, Pick, Product, Sum, dice_terms

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # the parser d20 stands on imports a deprecated module
    import d20


def given_faces(faces: Sequence[int]) -> Callable[[int], int]:
    """Draw these faces in order; one draw too many fails the test."""
    left = iter(faces)
    return lambda _: next(left)


def seeded(seed: int) -> Callable[[int], int]:
    source = random.Random(seed)
    return lambda sides: source.randint(1, sides)


def total(text: str, *faces: int) -> int:
    return roll(parse(text), given_faces(faces)).total


# --- generated notation ---------------------------------------------------------------------------------------------


@st.composite
def dice_text(draw: st.DrawFn, most_dice: int = 5, explode: bool = True) -> str:
    count = draw(st.integers(1, most_dice))
    text = ("" if count == 1 and draw(st.booleans()) else str(count)) + draw(st.sampled_from("dD"))
    text += draw(st.sampled_from(["2", "3", "4", "6", "20", "%", "100"])) if explode else draw(st.sampled_from("234"))
    text += "!" if explode and draw(st.booleans()) else ""
    choices = ["", "kh", "kl"] + ["dh", "dl"] * (count > 1) + ["adv", "DIS"] * (count == 1)
    word = draw(st.sampled_from(choices))
    if word in ("kh", "kl", "dh", "dl") and draw(st.booleans()):
        word += str(draw(st.integers(1, count - (word[0] == "d"))))
    return text + word


def expressions(term: st.SearchStrategy[str], leaves: int = 8) -> st.SearchStrategy[str]:
    constant = st.integers(0, 12).map(str)
    divisor = st.one_of(st.integers(1, 9).map(str), st.sampled_from(["(1+1)", "-(2-5)"]))

    def grow(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
        factor = st.one_of(inner.map(lambda text: f"({text})"), term, constant, term.map(lambda text: f"-{text}"))
        times = st.tuples(factor, st.one_of(st.just(""), factor.map("*{}".format), divisor.map(" / {}".format)))
        return st.lists(times.map("".join), min_size=1, max_size=3).flatmap(
            lambda terms: st.lists(st.sampled_from(["+", "-", " + "]), min_size=len(terms), max_size=len(terms)).map(
                lambda signs: "".join(part for pair in zip(signs, terms, strict=True) for part in pair).lstrip(" +-")
            )
        )

    return st.recursive(st.one_of(term, constant), grow, max_leaves=leaves).filter(is_within_limits)


def is_within_limits(text: str) -> bool:
    """Leave out what is only too large; any other refusal of generated notation fails the test."""
    try:
        parse(text)
    except DiceError as error:
        if error.code not in (DiceCode.TOO_LONG, DiceCode.TOO_DEEP, DiceCode.NUMBER_TOO_BIG, DiceCode.TOO_MANY_DICE):
            raise
        return False
    return True


NOTATION = expressions(dice_text())
SMALL_NOTATION = expressions(dice_text(most_dice=2, explode=False), leaves=4)


# --- parsing --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("7", Number(7)),
        ("007", Number(7)),
        ("999999999", Number(999_999_999)),
        ("2d6", DiceTerm(2, 6)),
        ("d6", DiceTerm(1, 6)),
        ("100d1000", DiceTerm(100, 1000)),
        ("d%", DiceTerm(1, 100)),
        (" \t2 D 6\r\n", DiceTerm(2, 6)),
        ("4d6 ! DL", DiceTerm(4, 6, True, Pick.DROP_LOWEST, 1)),
        ("2d6kh2", DiceTerm(2, 6, False, Pick.KEEP_HIGHEST, 2)),
        ("3d6kl2", DiceTerm(3, 6, False, Pick.KEEP_LOWEST, 2)),
        ("3d6dh2", DiceTerm(3, 6, False, Pick.DROP_HIGHEST, 2)),
        ("d20adv", DiceTerm(2, 20, False, Pick.KEEP_HIGHEST, 1)),
        ("1d20!Dis", DiceTerm(2, 20, True, Pick.KEEP_LOWEST, 1)),
        ("d%dis", DiceTerm(2, 100, False, Pick.KEEP_LOWEST, 1)),
        ("-2d6", Negate(DiceTerm(2, 6))),
        ("(2)", Group(Number(2))),
        ("1--2", Sum(Number(1), (("-", Negate(Number(2))),))),
        ("-1*2", Product(Negate(Number(1)), (("*", Number(2)),))),
        (
            "1-2*3/4+5",
            Sum(Number(1), (("-", Product(Number(2), (("*", Number(3)), ("/", Number(4))))), ("+", Number(5)))),
        ),
        ("8/-(1-3)", Product(Number(8), (("/", Negate(Group(Sum(Number(1), (("-", Number(3)),))))),))),
    ],
)
def test_good_notation_gives_its_tree(text: str, expected: Expression) -> None:
    assert parse(text) == expected


@pytest.mark.parametrize("depth", [0, 1, 16])
def test_parentheses_nest_to_their_limit(depth: int) -> None:
    assert total("(" * depth + "3" + ")" * depth) == 3


def test_parentheses_side_by_side_do_not_add_up_to_depth() -> None:
    assert total("+".join(["(1)"] * 40)) == 40


def test_nodes_know_where_they_began() -> None:
    node = parse(" 1 + 2d6*(3)")
    assert isinstance(node, Sum)
    times = node.rest[0][1]
    assert isinstance(times, Product)
    assert [node.at, times.at, times.first.at, times.rest[0][1].at] == [1, 5, 5, 9]


@pytest.mark.parametrize(
    ("text", "code", "position"),
    [
        ("", DiceCode.EMPTY, 0),
        (" \t ", DiceCode.EMPTY, 0),
        ("1" * 201, DiceCode.TOO_LONG, 200),
        (" " * 201, DiceCode.TOO_LONG, 200),
        ("(" * 17 + "1" + ")" * 17, DiceCode.TOO_DEEP, 16),
        ("(" * 200, DiceCode.TOO_DEEP, 16),
        ("101d6", DiceCode.TOO_MANY_DICE, 0),
        ("60d6 + 41d6", DiceCode.TOO_MANY_DICE, 7),
        ("99d6+d20adv", DiceCode.TOO_MANY_DICE, 5),
        ("1+0d6", DiceCode.BAD_COUNT, 2),
        ("2d20adv", DiceCode.BAD_COUNT, 0),
        ("1d1", DiceCode.BAD_SIDES, 2),
        ("1d0", DiceCode.BAD_SIDES, 2),
        ("d1001", DiceCode.BAD_SIDES, 1),
        ("2d6kl0", DiceCode.BAD_KEEP, 5),
        ("2d6kh3", DiceCode.BAD_KEEP, 5),
        ("2d6dh2", DiceCode.BAD_KEEP, 5),
        ("2d6dl0", DiceCode.BAD_KEEP, 5),
        ("1d6dl", DiceCode.BAD_KEEP, 3),
        ("6/0", DiceCode.BAD_DIVISOR, 2),
        ("6/-2", DiceCode.BAD_DIVISOR, 2),
        ("6/1d4", DiceCode.BAD_DIVISOR, 2),
        ("6/(1d4*0+1)", DiceCode.BAD_DIVISOR, 2),
        ("6/(1-1)", DiceCode.BAD_DIVISOR, 2),
        ("1000000000", DiceCode.NUMBER_TOO_BIG, 0),
        ("d6+1000000000d6", DiceCode.NUMBER_TOO_BIG, 3),
        ("9" * 200, DiceCode.NUMBER_TOO_BIG, 0),
        ("999999999*2000", DiceCode.NUMBER_TOO_BIG, 0),
        ("999999999*1000+1000", DiceCode.NUMBER_TOO_BIG, 0),
        ("-999999999*2000", DiceCode.NUMBER_TOO_BIG, 0),
        ("999999999*1d501", DiceCode.NUMBER_TOO_BIG, 0),
        ("1d", DiceCode.UNEXPECTED, 2),
        ("1+", DiceCode.UNEXPECTED, 2),
        ("1+ ", DiceCode.UNEXPECTED, 3),
        ("(", DiceCode.UNEXPECTED, 1),
        ("()", DiceCode.UNEXPECTED, 1),
        ("1)", DiceCode.UNEXPECTED, 1),
        ("+1", DiceCode.UNEXPECTED, 0),
        ("--1", DiceCode.UNEXPECTED, 1),
        ("1 2", DiceCode.UNEXPECTED, 2),
        ("1d6 2", DiceCode.UNEXPECTED, 4),
        ("1.5d6", DiceCode.UNEXPECTED, 1),
        ("2(3)", DiceCode.UNEXPECTED, 1),
        ("(1 2)", DiceCode.UNEXPECTED, 3),
        ("(1)d6", DiceCode.UNEXPECTED, 3),
        ("2d6d8", DiceCode.BAD_KEEP, 4),
        ("2d6d", DiceCode.UNEXPECTED, 4),
        ("2d6r", DiceCode.UNEXPECTED, 4),
        ("2d6r7", DiceCode.BAD_REROLL, 4),
        ("2d6r<5", DiceCode.BAD_REROLL, 0),
        ("2d6mi0", DiceCode.BAD_REROLL, 5),
        ("2d6[", DiceCode.UNEXPECTED, 3),
        ("2d6[1]", DiceCode.UNEXPECTED, 3),
        ("# nothing", DiceCode.EMPTY, 0),
        ("2d-6", DiceCode.UNEXPECTED, 2),
        ("2d6k h", DiceCode.UNEXPECTED, 5),
        ("2d6kh1kl1", DiceCode.UNEXPECTED, 6),
        ("2d6kh1!", DiceCode.UNEXPECTED, 6),
        ("1d6!!", DiceCode.UNEXPECTED, 4),
        ("1d20adv2", DiceCode.UNEXPECTED, 7),
        ("5%", DiceCode.UNEXPECTED, 1),
        ("2\N{KELVIN SIGN}", DiceCode.UNEXPECTED, 1),
        ("2d6\N{KELVIN SIGN}h1", DiceCode.UNEXPECTED, 3),
        ("\N{ARABIC-INDIC DIGIT THREE}d6", DiceCode.UNEXPECTED, 0),
        ("1d\N{SUPERSCRIPT TWO}", DiceCode.UNEXPECTED, 2),
        ("1\N{NO-BREAK SPACE}", DiceCode.UNEXPECTED, 1),
        ("1\ud800", DiceCode.UNEXPECTED, 1),
        ("1\0", DiceCode.UNEXPECTED, 1),
        ("1+(2*(3)", DiceCode.UNCLOSED, 2),
    ],
)
def test_bad_notation_is_refused_where_it_goes_wrong(text: str, code: DiceCode, position: int) -> None:
    with pytest.raises(DiceError) as caught:
        parse(text)
    error = caught.value
    assert (error.code, error.position) == (code, position)
    assert str(error) == error.message != ""


@pytest.mark.parametrize(
    "text", ["100d6", "98d6+d20adv", "2d2*499999999", "999999999*1000+999", "999999999*1d500", " " * 199 + "1"]
)
def test_what_lies_just_inside_a_limit_is_read(text: str) -> None:
    parse(text)


@settings(max_examples=tries(125))
@given(st.one_of(st.text(max_size=210), st.text("0123456789dDkKhHlLadvis%!()+-*/. ", max_size=210)))
def test_any_text_is_read_or_is_a_dice_error(text: str) -> None:
    try:
        node = parse(text)
    except DiceError as error:
        position = error.position
    else:
        position = 0
        assert parse(render(node)) == node
    assert 0 <= position <= len(text)


# --- rendering ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        (" D20 ADV + 5 ", "2d20kh1+5"),
        ("d%dis", "2d100kl1"),
        ("4d6dl", "4d6dl1"),
        ("( -3d6! kh2 ) * 02 / 3 - -1", "(-3d6!kh2)*2/3--1"),
    ],
)
def test_rendering_spells_everything_out(text: str, canonical: str) -> None:
    assert render(parse(text)) == canonical


@given(NOTATION)
def test_parse_after_render_is_the_identity(text: str) -> None:
    node = parse(text)
    assert parse(render(node)) == node


@pytest.mark.parametrize(
    "text", ["+".join(["d%"] * 66), "+".join(["d6adv"] * 33), "+".join(["2d6kl"] * 33), "d6+" * 62 + "3d6kl2"]
)
def test_text_that_would_outgrow_the_limit_is_rendered_short(text: str) -> None:
    node = parse(text)
    assert len(render(node)) <= 200
    assert parse(render(node)) == node


# --- rolling --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "faces", "expected"),
    [
        ("5", [], 5),
        ("2d6+3", [1, 6], 10),
        ("2d6-1d4", [3, 4, 2], 5),
        ("-2d6", [3, 4], -7),
        ("2+3*4", [], 14),
        ("(2+3)*4", [], 20),
        ("10-2-3", [], 5),
        ("7/2", [], 3),
        ("-7/2", [], -4),
        ("-(7/2)", [], -3),
        ("1d6/2*3", [5], 6),
        ("3d6kh2", [2, 6, 3], 9),
        ("3d6kl2", [2, 6, 3], 5),
        ("3d6dh", [2, 6, 3], 5),
        ("4d6dl1", [2, 6, 3, 1], 11),
        ("d20adv", [4, 17], 17),
        ("d20dis", [4, 17], 4),
        ("2d6!", [6, 1, 6, 2], 15),
        ("2d6!dl1", [6, 1, 2], 8),
        ("2d6!kl1", [6, 6, 5, 6, 3], 3),
    ],
)
def test_faces_give_the_total(text: str, faces: list[int], expected: int) -> None:
    left = iter(faces)
    assert roll(parse(text), lambda _: next(left)).total == expected
    assert list(left) == []


def test_dice_are_drawn_from_left_to_right() -> None:
    asked: list[int] = []

    def draw(sides: int) -> int:
        asked.append(sides)
        return 1

    roll(parse("2d6*(1d8-d%)/2+1d12adv"), draw)
    assert asked == [6, 6, 8, 100, 12, 12]


@pytest.mark.parametrize(("text", "dice"), [("1d6!", 101), ("3d6!kl1", 103), ("2d6!+1d4!", 203)])
def test_each_exploding_term_adds_at_most_a_hundred_dice(text: str, dice: int) -> None:
    assert len(roll(parse(text), lambda sides: sides).to_result()["rolls"]) == dice


@pytest.mark.parametrize(
    ("text", "faces", "kept"),
    [
        ("3d6kh1", [6, 2, 6], [True, False, False]),
        ("3d6kl1", [5, 2, 2], [False, True, False]),
        ("3d6dh1", [6, 2, 6], [False, True, True]),
        ("3d6dl1", [2, 2, 6], [False, True, True]),
    ],
)
def test_of_equal_faces_the_earlier_is_picked(text: str, faces: list[int], kept: list[bool]) -> None:
    thrown = roll(parse(text), given_faces(faces))
    assert [die.kept for die in thrown.terms[0].dice] == kept


def test_result_lists_kept_dice_highest_first_only_where_some_are_picked() -> None:
    thrown = roll(parse("4D6 dl + 2d8 - d20"), given_faces([2, 5, 1, 6, 3, 7, 11]))
    assert thrown.to_result() == {
        "expression": "4d6dl1+2d8-1d20",
        "rolls": [2, 5, 1, 6, 3, 7, 11],
        "kept": [6, 5, 2, 3, 7, 11],
        "dropped": [1],
        "terms": [
            {"notation": "4d6dl1", "rolls": [2, 5, 1, 6], "kept": [6, 5, 2], "value": 13},
            {"notation": "2d8", "rolls": [3, 7], "kept": [3, 7], "value": 10},
            {"notation": "1d20", "rolls": [11], "kept": [11], "value": 11},
        ],
        "total": 12,
        "bounds": {"min": -15, "max": 33},
        "natural": 11,
    }


@pytest.mark.parametrize(
    ("text", "faces", "natural"),
    [
        ("1d20+1d6", [20, 3], 20),
        ("-d20*2", [7], 7),
        ("d20dis", [4, 17], 4),
        ("1d20!", [20, 3], None),
        ("1d20!adv", [20, 3, 2], 20),
        ("2d20", [4, 5], None),
        ("1d20+1d20", [4, 5], None),
        ("1d6", [4], None),
        ("20", [], None),
    ],
)
def test_natural_is_the_one_kept_d20(text: str, faces: list[int], natural: int | None) -> None:
    assert roll(parse(text), given_faces(faces)).natural == natural


@given(NOTATION, st.integers(0, 2**32))
def test_kept_and_dropped_are_the_rolls_and_the_total_is_within_bounds(text: str, seed: int) -> None:
    thrown = roll(parse(text), seeded(seed))
    result = thrown.to_result()
    assert Counter(result["kept"]) + Counter(result["dropped"]) == Counter(result["rolls"])
    assert result["rolls"] == [face for term in result["terms"] for face in term["rolls"]]
    assert all(term["value"] == sum(term["kept"]) for term in result["terms"])
    low, high = result["bounds"]["min"], result["bounds"]["max"]
    assert low <= result["total"]
    assert (high is None) == ("!" in text)
    assert high is None or result["total"] <= high


# --- bounds ---------------------------------------------------------------------------------------------------------


def all_totals(expression: Expression) -> set[int]:
    dice = [term for term in dice_terms(expression) for _ in range(term.count)]
    in_draw_order = sorted(dice, key=lambda term: term.wave)
    faces = product(*(range(1, term.sides + 1) for term in in_draw_order))
    return {roll(expression, given_faces(fallen)).total for fallen in faces}


@pytest.mark.parametrize(
    "text",
    [
        "3",
        "2d4-1d6*2",
        "-(1d4+1)*1d3",
        "(1d6-3)*(1d4-2)",
        "(1d6-4)/2",
        "-1d6/4",
        "(2-1d6)*-3/2",
        "3d4dl1-2d3kh1",
        "3d3dh2*(1-2d3kl1)",
        "0*1d6",
        "1-(1d6-3)/2*(2-1d4adv)",
    ],
)
def test_bounds_are_the_least_and_greatest_of_all_faces(text: str) -> None:
    totals = all_totals(parse(text))
    assert bounds(parse(text)) == Bounds(min(totals), max(totals))


@settings(max_examples=tries(40))
@given(SMALL_NOTATION, st.booleans())
def test_bounds_are_exact_for_any_small_expression_and_its_critical(text: str, is_critical: bool) -> None:
    node = critical(parse(text)) if is_critical else parse(text)
    count = 1
    for term in dice_terms(node):
        count *= term.sides**term.count
    assume(count <= 600)
    totals = all_totals(node)
    assert bounds(node) == Bounds(min(totals), max(totals))


@pytest.mark.parametrize(
    ("text", "least"),
    [("2d6!", 2), ("2d6!dh1", 1), ("3d6!dl1", 2), ("20-1d6!", 20 - 606), ("1d6!*(1-1d4!)", 606 * (1 - 404))],
)
def test_exploding_dice_have_no_maximum_and_an_exact_minimum(text: str, least: int) -> None:
    assert bounds(parse(text)) == Bounds(least, None)


def test_the_minimum_with_subtracted_exploding_dice_is_reached() -> None:
    node = parse("20-1d6!")
    assert roll(node, lambda sides: sides).total == bounds(node).min


# --- advantage and criticals ----------------------------------------------------------------------------------------


def test_advantage_and_disadvantage_throw_the_d20_twice() -> None:
    node = parse("2d4 + (d20-1)*2")
    assert render(advantage(node)) == "2d4+(2d20kh1-1)*2"
    assert render(disadvantage(node)) == "2d4+(2d20kl1-1)*2"
    assert roll(advantage(node), given_faces([1, 2, 8, 13])).total == 27
    assert roll(disadvantage(node), given_faces([1, 2, 8, 13])).natural == 8


@pytest.mark.parametrize("change", [advantage, disadvantage])
@pytest.mark.parametrize(
    ("text", "position"),
    [("2d6+3", 0), ("7", 0), ("d20-1d20", 4), ("1+2d20", 2), ("1+d20!", 2), ("1+d20adv", 2), ("1d20kh1", 0)],
)
def test_advantage_needs_one_plain_d20(change: Callable[[Expression], Expression], text: str, position: int) -> None:
    with pytest.raises(DiceError) as caught:
        change(parse(text))
    assert (caught.value.code, caught.value.position) == (DiceCode.NO_PLAIN_D20, position)


@pytest.mark.parametrize(
    ("text", "twice"),
    [
        ("5", "5"),
        ("2d6", "2d6+2d6"),
        ("1d6+1d8+3", "1d6+1d6+1d8+1d8+3"),
        ("10-1d6", "10-1d6-1d6"),
        ("-1d6", "-(1d6+1d6)"),
        ("(1d6)/2", "(1d6+1d6)/2"),
        ("2*1d6*1d4", "2*(1d6+1d6)*(1d4+1d4)"),
        ("3d6!kh1-1d4*2", "3d6!kh1+3d6!kh1-(1d4+1d4)*2"),
    ],
)
def test_a_critical_adds_every_dice_term_again(text: str, twice: str) -> None:
    node = critical(parse(text))
    assert render(node) == twice
    assert bounds(node) == bounds(parse(twice))


def test_the_extra_dice_of_a_critical_are_drawn_last() -> None:
    asked: list[int] = []

    def draw(sides: int) -> int:
        asked.append(sides)
        return len(asked)

    thrown = roll(critical(parse("1d6-(1d8+2)*3")), draw)
    assert asked == [6, 8, 6, 8]
    assert thrown.total == (1 + 3) - (2 + 4 + 2) * 3
    assert [(term.term.sides, term.rolls) for term in thrown.terms] == [(6, [1]), (8, [2]), (6, [3]), (8, [4])]


@pytest.mark.parametrize("text", ["100d6", "+".join(["1d6"] * 50), "999999999*1d500", "(" * 16 + "-d6" + ")" * 16])
def test_a_critical_of_the_largest_dice_does_not_fail(text: str) -> None:
    node = critical(parse(text))
    thrown = roll(node, lambda sides: sides)
    assert thrown.total <= tree.MAX_TOTAL
    assert thrown.to_result()["bounds"]["max"] is not None


# --- against d20 ----------------------------------------------------------------------------------------------------

D20_PICKS = {Pick.KEEP_HIGHEST: "kh", Pick.KEEP_LOWEST: "kl", Pick.DROP_HIGHEST: "ph", Pick.DROP_LOWEST: "pl"}


def in_d20_words(node: Expression) -> str:
    match node:
        case Number(value):
            return str(value)
        case DiceTerm():
            explode = f"e{node.sides}" if node.explode else ""
            pick = f"{D20_PICKS[node.pick]}{node.amount}" if node.pick else ""
            return f"{node.count}d{node.sides}{explode}{pick}"
        case Negate(inner):
            return f"-{in_d20_words(inner)}"
        case Group(inner):
            return f"({in_d20_words(inner)})"
        case Product(first, rest) | Sum(first, rest):
            signs = {"/": "//"}
            tail = [signs.get(sign, sign) + in_d20_words(operand) for sign, operand in rest]
            return in_d20_words(first) + "".join(tail)


def d20_dice(node: Any) -> Iterator[list[tuple[int, bool]]]:
    if isinstance(node, d20.Dice):
        yield [(die.number, die.kept) for die in node.values]
    for child in node.children:
        yield from d20_dice(child)


@settings(max_examples=tries(190))
@given(NOTATION, st.integers(0, 2**32))
@example("3d6!dl1-2d4kl1*(d20dis-7)/2", 1)
@example("5d2!kh3+5d2!dh2", 5)
def test_the_same_faces_give_what_d20_makes_of_them(text: str, seed: int) -> None:
    node = parse(text)
    ours = roll(node, seeded(seed))
    faces = ((term.term.sides, face) for term in ours.terms for face in term.rolls)

    def randrange(sides: int) -> int:
        wanted, face = next(faces)
        assert wanted == sides
        return face - 1

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys.modules["d20.expression"], "random", SimpleNamespace(randrange=randrange))
        theirs = d20.roll(in_d20_words(node))

    assert next(faces, None) is None
    assert ours.total == theirs.total
    assert [[(die.face, die.kept) for die in term.dice] for term in ours.terms] == list(d20_dice(theirs.expr))


# dialects


@pytest.mark.parametrize(
    ("text", "canonical", "faces", "total", "least", "most"),
    [
        ("4d6k3", "4d6kh3", (1, 5, 4, 3), 12, 3, 18),
        ("4d6d1", "4d6dl1", (1, 5, 4, 3), 12, 3, 18),
        ("2d6r1", "2d6r1", (1, 1, 4, 5), 9, 4, 12),
        ("2d6ro<3", "2d6ro<3", (1, 2, 6), 8, 2, 12),
        ("1d20mi10", "1d20mi10", (3,), 10, 10, 20),
        ("1d6ma5", "1d6ma5", (6,), 5, 1, 5),
        ("2d20r1kh1+5", "2d20kh1r1+5", (1, 7, 12), 17, 7, 25),
        ("1d8[Slashing] + 2d6[fire] # flame tongue", "1d8[slashing]+2d6[fire]", (5, 4, 4), 13, 3, 20),
        ("1d20 \u2212 2", "1d20-2", (9,), 7, -1, 18),
    ],
)
def test_dialects_of_other_programs_are_read(
    text: str, canonical: str, faces: tuple[int, ...], total: int, least: int, most: int
) -> None:
    tree = parse(text)
    assert render(tree) == canonical
    assert parse(canonical) == tree
    falling = iter(faces)
    thrown = roll(tree, lambda _: next(falling))
    assert (thrown.total, list(falling)) == (total, [])
    assert (thrown.bounds.min, thrown.bounds.max) == (least, most)


@given(st.integers(2, 12), st.data())
def test_what_is_thrown_again_counts_once_at_the_most(sides: int, data: st.DataObject) -> None:
    face = data.draw(st.integers(1, sides))
    source = data.draw(st.randoms(use_true_random=False))
    for text in (f"3d{sides}ro{face}", f"3d{sides}r{face}"):
        thrown = roll(parse(text), lambda faces: source.randint(1, faces))
        (term,) = thrown.terms
        assert len(term.kept) == 3
        assert len(term.rolls) <= 6 or "ro" not in text
