"""roll_dice: the whole notation through the front door, advantage, batches, its old name."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.builders import Json
from tests.sampling import tries
from tests.tools.hall import Hall


def roll(hall: Hall, expression: str, dice: tuple[int, ...] = (), /, **args: Any) -> Json:
    return hall.do("roll_dice", dice, expression=expression, **args)


@pytest.mark.parametrize(
    ("expression", "dice", "total", "bounds"),
    [
        ("2d6+3", (4, 5), 12, (5, 15)),
        ("d20", (17,), 17, (1, 20)),
        (" 1 D 6 - 2 ", (1,), -1, (-1, 4)),
        ("4d6kh3", (1, 6, 3, 5), 14, (3, 18)),
        ("4d6dl1", (1, 6, 3, 5), 14, (3, 18)),
        ("2d20kl", (9, 3), 3, (1, 20)),
        ("1d20adv", (9, 13), 13, (1, 20)),
        ("d%", (100,), 100, (1, 100)),
        ("(1d4+1)*3", (2,), 9, (6, 15)),
        ("7/2", (), 3, (3, 3)),
        ("-1d4", (3,), -3, (-4, -1)),
        ("1d6!", (6, 6, 2), 14, (1, None)),
        ("10", (), 10, (10, 10)),
    ],
)
def test_totals_worked_out_by_hand(
    hall: Hall, expression: str, dice: tuple[int, ...], total: int, bounds: tuple[int, int | None]
) -> None:
    result = roll(hall, expression, dice)
    assert (result["total"], result["rolls"]) == (total, list(dice))
    assert (result["bounds"]["min"], result["bounds"]["max"]) == bounds


def test_what_counts_and_what_does_not_is_told(hall: Hall) -> None:
    result = roll(hall, "4d6kh3+1d8", (1, 6, 3, 5, 7))
    assert (result["kept"], result["dropped"]) == ([6, 5, 3, 7], [1])
    assert [term["value"] for term in result["terms"]] == [14, 7]
    assert result["natural"] is None


def test_the_one_kept_d20_is_told(hall: Hall) -> None:
    assert roll(hall, "1d20+5", (20,))["natural"] == 20
    assert roll(hall, "2d20", (20, 1))["natural"] is None


@pytest.mark.parametrize(
    ("flag", "natural", "as_rolled"), [("advantage", 15, "2d20kh1+2"), ("disadvantage", 4, "2d20kl1+2")]
)
def test_advantage_throws_the_d20_twice(hall: Hall, flag: str, natural: int, as_rolled: str) -> None:
    result = roll(hall, "1d20+2", (15, 4), **{flag: True})
    assert (result["natural"], result["total"], result["expression"]) == (natural, natural + 2, as_rolled)


@pytest.mark.parametrize(
    ("args", "field"),
    [
        ({"expression": "1d20", "advantage": True, "disadvantage": True}, "args.disadvantage"),
        ({"expression": "2d20", "advantage": True}, "args.advantage"),
        ({"expression": "1d6", "disadvantage": True}, "args.disadvantage"),
        ({"expression": "1d20kh1", "advantage": True}, "args.advantage"),
        ({"expression": "1d20+1d20", "advantage": True}, "args.advantage"),
    ],
)
def test_advantage_wants_just_one_plain_d20(hall: Hall, args: Json, field: str) -> None:
    told = hall.fail("roll_dice", **args)
    assert (told["reason"], told["hint"]) == ("invalid_args", {"field": field, "got": True})


@pytest.mark.parametrize(
    "expression",
    ["", " ", "0d6", "1d1", "1.5d6", "2d6kl0", "2d6dh2", "101d6", "d1001", "1d6/0", "1d6/1d4", "((1)", "x"],
)
def test_what_is_no_dice_is_refused_and_no_others_are_made_up(hall: Hall, expression: str) -> None:
    told = hall.fail("roll_dice", expression=expression)
    assert (told["reason"], told["hint"]["field"]) == ("invalid_args", "args.expression")
    assert told["hint"].keys() == {"field", "got"}


@pytest.mark.parametrize("expression", [None, 6, ["1d6"], True])
def test_an_expression_is_a_text(hall: Hall, expression: Any) -> None:
    assert hall.why("roll_dice", expression=expression) == "invalid_args"


def test_label_and_reason_are_told_in_the_log(hall: Hall) -> None:
    assert "label" not in roll(hall, "1d6", (2,), reason="a trap")
    assert hall.draws()[0]["why"] == "a trap"
    assert roll(hall, "1d6", (2,), label="fire", reason="a trap")["label"] == "fire"
    assert hall.draws()[0]["why"] == "fire"


def test_a_batch_adds_up_and_draws_in_order(hall: Hall) -> None:
    items: list[Json] = [{"expression": "1d6", "label": "first"}, {"expression": "1d1"}, {"expression": "2d4"}]
    reply = hall.reply("roll_dice", {"batch": items, "reason": "a storm"}, [3, 1, 4])
    result = reply["applied_actions"][0]["result"]
    assert reply["status"] == "partial"
    assert (result["grand_total"], result["succeeded"], result["failed"]) == (8, 2, 1)
    assert [draw["why"] for draw in hall.draws()] == ["first", "a storm", "a storm"]


def test_dice_are_drawn_from_the_campaign_and_logged(hall: Hall) -> None:
    reply = hall.campaign.process({"tool_calls": [{"id": "c", "tool": "roll_dice", "args": {"expression": "5d20"}}]})
    faces = reply["applied_actions"][0]["result"]["rolls"]
    assert [draw["value"] for draw in hall.draws()] == faces
    assert not any(draw["given"] for draw in hall.draws())
    assert len(set(faces)) > 1


@pytest.mark.parametrize("name", ["roll", "formula", "expression"])
def test_the_old_name_knows_old_arguments(hall: Hall, name: str) -> None:
    action = hall.action("quick_roll", [4], **{name: "1d6"})
    assert (action["tool"], action["alias_of"], action["args"]) == ("roll_dice", "quick_roll", {"expression": "1d6"})


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=tries(25))
@given(count=st.integers(1, 20), sides=st.integers(2, 100), plus=st.integers(-50, 50))
def test_a_total_lies_within_its_bounds(hall: Hall, count: int, sides: int, plus: int) -> None:
    call = {"id": "c", "tool": "roll_dice", "args": {"expression": f"{count}d{sides}{plus:+d}"}}
    result = hall.campaign.process({"tool_calls": [call]}, dry_run=True)["applied_actions"][0]["result"]
    assert result["total"] == sum(result["rolls"]) + plus
    assert result["bounds"] == {"min": count + plus, "max": count * sides + plus}
    assert result["bounds"]["min"] <= result["total"] <= result["bounds"]["max"]
