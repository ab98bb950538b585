"""The prices of the city for its dice, and the number of dice for each.

Source: docs/tools/scenes.md, "accept_bargain".
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal, NamedTuple

from turnwright.model.mood import CostType
from turnwright.model.wire.reason import Reason

if TYPE_CHECKING:
    from turnwright.rulesets.scenes.shapes import PricedOffer

TargetKind = Literal["threat_clock", "faction", "trauma_name", "item_text"]

DICE_LOW = 1
DICE_HIGH = 3


class Price(NamedTuple):
    """One row of the price list.

    Attributes:
        low: the least that can be paid.
        high: the most that can be paid.
        flat: the most dice for any amount; None where each unit paid is worth one die.
        target: what else the price must name; None if nothing.
    """

    low: int
    high: int
    flat: int | None = None
    target: TargetKind | None = None

    def max_dice(self, amount: int) -> int:
        """Return the most dice that an amount buys."""
        return amount if self.flat is None else self.flat

    @property
    def names(self) -> Literal["cost_target", "trauma_name"] | None:
        """The field of an offer that holds what else the price must name; other such fields are ignored."""
        if self.target in (None, "trauma_name"):
            return self.target
        return "cost_target"


PRICES: Mapping[CostType, Price] = MappingProxyType(
    {
        "stress": Price(1, 3),
        "heat": Price(1, 2),
        "wanted": Price(1, 1, flat=2),
        "clock": Price(1, 2, target="threat_clock"),
        "faction": Price(1, 1, flat=2, target="faction"),
        "trauma": Price(1, 1, flat=3, target="trauma_name"),
        "item": Price(1, 1, flat=2, target="item_text"),
    }
)
"""The price list, in display order."""


def fault(cost_type: CostType, amount: int, dice: int) -> Reason | None:
    """Return why a deal is not on the price list; None when it is. Fewer dice than an amount could buy are allowed."""
    price = PRICES[cost_type]
    if not (price.low <= amount <= price.high and DICE_LOW <= dice <= DICE_HIGH):
        return Reason.INVALID_ARGS
    return Reason.BARGAIN_RATE_EXCEEDED if dice > price.max_dice(amount) else None


def offer_in_words(offer: PricedOffer) -> str:
    """Return the cost and gain of an offer, such as `1 faction, The Works, for 2 dice`.

    Args:
        offer: an offer as players see it, with a name in place of an id.
    """
    names = PRICES[offer["cost_type"]].names
    named = offer.get(names) if names else None
    price = cost_in_words(offer["cost_type"], offer["cost_amount"], named)
    dice = "1 die" if offer["dice_gained"] == 1 else f"{offer['dice_gained']} dice"
    return f"{price}{',' if named else ''} for {dice}"


def cost_in_words(cost_type: str, amount: int, named: str | None) -> str:
    """Return a price in words, such as `1 faction, The Works`.

    Args:
        cost_type: a type from the price list.
        amount: the amount of that cost.
        named: what else the price names, by its display name.
    """
    return f"{amount} {cost_type}" + (f", {named}" if named else "")
