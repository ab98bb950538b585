"""The price list of bargains."""

from __future__ import annotations

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwright.model.mood import CostType
from turnwright.rulesets.scenes.prices import PRICES, fault, offer_in_words
from turnwright.rulesets.scenes.shapes import PricedOffer

LIST = [
    ("stress", {1: 1, 2: 2, 3: 3}, None),
    ("heat", {1: 1, 2: 2}, None),
    ("wanted", {1: 2}, None),
    ("clock", {1: 1, 2: 2}, "threat_clock"),
    ("faction", {1: 2}, "faction"),
    ("trauma", {1: 3}, "trauma_name"),
    ("item", {1: 2}, "item_text"),
]
"""Cost type, the most dice for each amount that can be paid, target."""


@pytest.mark.parametrize(("cost_type", "most", "target"), LIST)
def test_each_row_of_the_list(cost_type: CostType, most: dict[int, int], target: str | None) -> None:
    price = PRICES[cost_type]
    assert range(price.low, price.high + 1) == range(min(most), max(most) + 1)
    assert {amount: price.max_dice(amount) for amount in most} == most
    assert price.target == target


@pytest.mark.parametrize(("cost_type", "most", "target"), LIST)
@given(amount=st.integers(-2, 6), dice=st.integers(-2, 6))
def test_amount_and_dice_are_judged_before_the_rate(
    cost_type: CostType, most: dict[int, int], target: str | None, amount: int, dice: int
) -> None:
    expected = None
    if amount not in most or dice not in (1, 2, 3):
        expected = "invalid_args"
    elif dice > most[amount]:
        expected = "bargain_rate_exceeded"
    assert fault(cost_type, amount, dice) == expected


@pytest.mark.parametrize(("cost_type", "most", "target"), LIST)
def test_an_offer_says_what_its_price_names_and_nothing_else(
    cost_type: CostType, most: dict[int, int], target: str | None
) -> None:
    offer: PricedOffer = {"cost_type": cost_type, "cost_amount": 1, "dice_gained": 2}
    named = {None: "", "trauma_name": ", Cold,"}.get(target, ", The Moths,")
    told = offer_in_words(offer | {"cost_target": "The Moths", "trauma_name": "Cold"})
    assert told == f"1 {cost_type}{named} for 2 dice"
    assert offer_in_words(offer | {"dice_gained": 1}) == f"1 {cost_type} for 1 die"
    del most


def test_every_cost_type_of_the_documents_has_its_price() -> None:
    assert tuple(PRICES) == get_args(CostType)
