"""Deals with the city, which give dice when the pool is empty.

Source: docs/tools/scenes.md, "Bargains".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from turnwright.model.clock import Clock
from turnwright.model.intrigue import ATTITUDES, Faction
from turnwright.model.mood import BargainMood, BargainOffer, CostType
from turnwright.model.wire import hint
from turnwright.model.wire.reason import CallFailed, Reason
from turnwright.rulesets.scenes.beats import add_cost, add_threat
from turnwright.rulesets.scenes.clocks import check_completion, threat_clocks, tick
from turnwright.rulesets.scenes.closing import roll_into_pool
from turnwright.rulesets.scenes.moods import check_trauma, go
from turnwright.rulesets.scenes.play import Play, Source
from turnwright.rulesets.scenes.prices import PRICES
from turnwright.rulesets.scenes.prices import fault as price_fault
from turnwright.rulesets.scenes.scars import assign, scar_named
from turnwright.rulesets.scenes.stats import change_heat, change_stress, change_wanted
from turnwright.rulesets.scenes.waiting import next_segment

if TYPE_CHECKING:
    from turnwright.rulesets.scenes.shapes import DealTaken


class Terms(NamedTuple):
    """The cost and gain of a deal.

    Attributes:
        description: the deal in words.
        cost_type: a type from the price list.
        amount: the amount of that cost.
        target: the clock, faction or item it is about.
        dice: the number of dice it brings.
        trauma: the scar, if that is the price.
        narrative: the text told when it is taken.
        source: the author of the text.
    """

    description: str
    cost_type: CostType
    amount: int
    target: str | None
    dice: int
    trauma: str | None
    narrative: str = ""
    source: Source = "dm"

    def pruned(self) -> Terms:
        """Return the terms without a target or scar that the price does not name: models fill in optional fields."""
        names = PRICES[self.cost_type].names
        target = (self.target or "").strip() if names == "cost_target" else None
        return self._replace(target=target or None, trauma=self.trauma if names == "trauma_name" else None)


class Places(NamedTuple):
    """The paths of the terms in the submitted arguments, for hints."""

    amount: str
    target: str
    dice: str
    trauma: str


def terms_of(offer: BargainOffer) -> Terms:
    """Return the terms of an offer."""
    return Terms(
        offer.label,
        offer.cost_type,
        offer.cost_amount,
        offer.cost_target,
        offer.dice_gained,
        offer.trauma_name,
        offer.narrative,
        offer.source,
    ).pruned()


def require_terms(play: Play, terms: Terms, places: Places) -> None:
    """Refuse a deal that the price list does not know, or that would cost nothing.

    Raises:
        CallFailed: with the first rule it breaks.
    """
    require_numbers(terms, places)
    price = PRICES[terms.cost_type]
    wrong = price_fault(terms.cost_type, terms.amount, terms.dice)
    if wrong is not None:
        most = price.max_dice(terms.amount)
        repair = hint.ask(places.dice, terms.dice)
        raise CallFailed(wrong, f"{terms.amount} {terms.cost_type} buys at most {most} dice", repair)
    if terms.cost_type in ("stress", "trauma"):
        play.require_actor()
    _TARGETS.get(terms.cost_type, _needs_nothing)(play, terms, places)


def require_numbers(terms: Terms, places: Places) -> None:
    """Refuse an amount that is not on the price list, and dice that no deal brings."""
    if price_fault(terms.cost_type, terms.amount, terms.dice) is not Reason.INVALID_ARGS:
        return
    price = PRICES[terms.cost_type]
    low, high = price.low, price.high
    if not low <= terms.amount <= high:
        repair = hint.ask(places.amount, terms.amount)
        detail = f"{places.amount}: {terms.cost_type} is paid from {low} to {high}"
        raise CallFailed(Reason.INVALID_ARGS, detail, repair)
    repair = hint.ask(places.dice, terms.dice)
    raise CallFailed(Reason.INVALID_ARGS, f"{places.dice}: a deal brings 1 to 3 dice", repair)


def _needs_nothing(play: Play, terms: Terms, places: Places) -> None:
    del play, terms, places


def _needs_heat(play: Play, terms: Terms, places: Places) -> None:
    del terms, places
    if play.crew.heat >= play.rule("heat_max"):
        raise CallFailed(Reason.BARGAIN_NO_EFFECT, "there can be no more heat")


def _needs_wanted(play: Play, terms: Terms, places: Places) -> None:
    del terms, places
    if play.crew.wanted >= play.rule("wanted_max"):
        raise CallFailed(Reason.BARGAIN_NO_EFFECT, "nobody can be wanted more")


def _needs_clock(play: Play, terms: Terms, places: Places) -> None:
    known = [clock.id for clock in threat_clocks(play)]
    wanted = _named_target(terms, places, known)
    clock = play.world.find(Clock, wanted)
    if clock is None or clock.type != "threat":
        repair = hint.name(places.target, wanted, known)
        raise CallFailed(Reason.BARGAIN_TARGET_UNKNOWN, f"{wanted} is no clock that threatens", repair)
    if clock.is_full:
        repair = hint.ask(places.target, wanted, known)
        raise CallFailed(Reason.BARGAIN_NO_EFFECT, f"{wanted} is full already", repair)


def _needs_faction(play: Play, terms: Terms, places: Places) -> None:
    factions = list(play.world.all(Faction))
    known = [faction.id for faction in factions if faction.attitude != "hostile"]
    wanted = _named_target(terms, places, known)
    faction = play.world.find(Faction, wanted)
    if faction is None:
        repair = hint.name(places.target, wanted, known)
        raise CallFailed(Reason.BARGAIN_TARGET_UNKNOWN, f"{wanted} is no faction", repair)
    if faction.attitude == "hostile":
        raise CallFailed(
            Reason.BARGAIN_NO_EFFECT, f"{wanted} is hostile already", hint.ask(places.target, wanted, known)
        )


def _needs_item(play: Play, terms: Terms, places: Places) -> None:
    del play
    _named_target(terms, places, [])


def _named_target(terms: Terms, places: Places, known: list[str]) -> str:
    if terms.target is None:
        detail = f"{places.target}: which {terms.cost_type}?"
        raise CallFailed(Reason.BARGAIN_TARGET_MISSING, detail, hint.ask_for(places.target, known))
    return terms.target


def _needs_trauma(play: Play, terms: Terms, places: Places) -> None:
    scar_named(play, terms.trauma, places.trauma, missing=Reason.BARGAIN_TARGET_MISSING)


_TARGETS = {
    "heat": _needs_heat,
    "wanted": _needs_wanted,
    "clock": _needs_clock,
    "faction": _needs_faction,
    "item": _needs_item,
    "trauma": _needs_trauma,
}


def take(play: Play, terms: Terms) -> DealTaken:
    """Take a deal whose terms are valid: pay, roll, and return to the former mood."""
    mood = play.mood
    assert isinstance(mood, BargainMood)
    known_as = target_name(play, terms)
    play.emit(
        "BargainAccepted",
        description=terms.description,
        cost_type=terms.cost_type,
        amount=terms.amount,
        target=terms.target if known_as is not None else None,
        name=known_as or terms.trauma,
    )
    paid = _pay(play, terms)
    roll_into_pool(play, terms.dice, "bargain")
    check_completion(play)
    if not check_trauma(play, "bargain", terms.description):
        go(play, "accept_bargain", mood.previous_mood)
    play.tell(terms.narrative, terms.source)
    next_segment(play)
    return {
        "new_pool_size": len(play.crew.dice_pool),
        "cost_applied": {"type": terms.cost_type, "amount": paid, "target": terms.target},
        "transition": {"from": "bargain", "to": play.mood.mood},
    }


def target_name(play: Play, terms: Terms) -> str | None:
    """Return the subject of a deal as players know it; None for a clock that they do not see."""
    target = terms.target or ""
    if terms.cost_type == "clock":
        clock = play.world.find(Clock, target)
        return clock.name if clock is not None and clock.visible else None
    if terms.cost_type == "faction":
        faction = play.world.find(Faction, target)
        return faction.name if faction is not None else None
    return terms.target if terms.cost_type == "item" else None


def _pay(play: Play, terms: Terms) -> int:
    """Pay the price and return the amount that was really paid."""
    reason = "bargain"
    target = terms.target or ""
    if terms.cost_type == "stress":
        return change_stress(play, terms.amount, reason)
    if terms.cost_type == "heat":
        return change_heat(play, terms.amount, reason)
    if terms.cost_type == "wanted":
        return change_wanted(play, terms.amount, reason)
    if terms.cost_type == "clock":
        clock = play.world.find(Clock, target)
        assert clock is not None
        return tick(play, clock, terms.amount, reason)
    if terms.cost_type == "faction":
        _worsen(play, target)
    elif terms.cost_type == "trauma":
        assign(play, scar_named(play, terms.trauma, ""), "bargain", terms.description)
    else:
        add_cost(play, target)
    return terms.amount


def _worsen(play: Play, faction_id: str) -> None:
    faction = play.world.find(Faction, faction_id)
    assert faction is not None
    play.world.put(faction.replace(attitude=ATTITUDES[ATTITUDES.index(faction.attitude) - 1]))
    add_threat(play, f"debt to {faction.name}")
