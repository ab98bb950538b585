"""Describe the events of a scene game in words for readers, each with its weight.

Built from events and never logged. Source: docs/cli.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, NotRequired, TypedDict

from turnwright.model.json_types import JsonObject
from turnwright.rulesets.scenes import prices
from turnwright.rulesets.scenes.events import PROSE

if TYPE_CHECKING:
    from turnwright.model.mood import CostType
    from turnwright.model.wire.shapes import RecordedEvent
    from turnwright.rulesets.scenes.shapes import ShownDie, ShownOffer

Json = Mapping[str, Any]
Weight = Literal["critical", "warning", "positive", "bargain", "info"]
_ALARMING, _WORRYING = 8, 5
"""Stress or heat from which on a rise is critical, or a warning."""


class Line(NamedTuple):
    """One described event, with hints for its display.

    Attributes:
        weight: its importance.
        text: the description.
        is_prose: whether it is the story itself, as opposed to the rules' report on it.
        is_told: whether it contains the game master's words, which may hold any characters.
    """

    weight: Weight
    text: str
    is_prose: bool = False
    is_told: bool = False


def happened(events: Iterable[RecordedEvent], places: JsonObject) -> list[Line]:
    """Return the descriptions of events, in order; events without a description are omitted, and no prose is repeated.

    Args:
        events: the events of a reply.
        places: names of places, by id.
    """
    return list(_lines(events, places))


def _lines(events: Iterable[RecordedEvent], places: JsonObject) -> Iterator[Line]:
    told: set[str] = set()
    for event in events:
        data = event["data"]
        if event["type"] == "NarrativeAdded" and data["text"] in told:
            continue
        told |= {text for key in ("narrative", "description", "text") if isinstance(text := data.get(key), str)}
        if words := in_words(event, places):
            is_told = event["type"] in PROSE and event["data"].get("source") != "player"
            yield Line(weight(event), words, event["type"] == "NarrativeAdded", is_told)


def weight(event: RecordedEvent) -> Weight:
    """Return how much an event weighs."""
    kind, data = event["type"], event["data"]
    if kind in ("TraumaTriggered", "ClockCompleted", "WantedChanged"):
        return "critical"
    if kind in ("StressChanged", "HeatChanged"):
        return _weight_of_rise(data["from"], data["to"])
    if kind == "CoinChanged":
        return "positive" if data["to"] > data["from"] else "warning"
    return "bargain" if kind.startswith("Bargain") else "info"


def _weight_of_rise(before: int, after: int) -> Weight:
    if after < before:
        return "positive"
    if after >= _ALARMING:
        return "critical"
    return "warning" if after >= _WORRYING else "info"


def in_words(event: RecordedEvent, places: JsonObject) -> str | None:
    """Return the description of an event, or None for one that readers do not need."""
    tell = _WORDS.get(event["type"])
    return tell(event["data"], places) if tell else None


def price_in_words(costs: ShownDie | JsonObject) -> str:
    """Return the cost and gain of a die, such as `stress +2, coin -1`; empty if there is none."""
    named = (("stress", costs["stress_cost"]), ("heat", costs["heat_cost"]), ("coin", costs["coin_delta"]))
    return ", ".join(f"{name} {cost:+d}" for name, cost in named if cost)


def futures_in_words(event: RecordedEvent) -> list[str]:
    """Return what each die would bring, of an event that offers dice; nothing of any other event."""
    return [_future(die) for die in event["data"]["dice"]] if event["type"] == "DiceOffered" else []


def _future(die: JsonObject) -> str:
    price = price_in_words(die)
    return f"{die['value']}, {die['tier']}: {die['hint']}" + (f" ({price})" if price else "")


class PoolGained(TypedDict):
    """The dice added to the pool."""

    values: Sequence[int]
    pool_size: int


class OffersMade(TypedDict):
    """The offers."""

    offers: Sequence[ShownOffer]


class DealMade(TypedDict):
    """A deal; an event of an older log has no name."""

    cost_type: CostType
    amount: int
    name: NotRequired[str | None]
    description: str


StyleChanged = TypedDict("StyleChanged", {"from": "Mapping[str, str]", "to": "Mapping[str, str]"})
"""The narrative style before and now, by axis."""


def _change(name: str) -> Callable[[JsonObject, JsonObject], str]:
    return lambda data, _: f"{name} {data['from']} -> {data['to']}"


def _dice(data: PoolGained, _: JsonObject) -> str:
    faces = ", ".join(map(str, data["values"]))
    return f"dice: {faces} (the pool now has {data['pool_size']})"


def _offers(data: OffersMade, _: JsonObject) -> str:
    return "on offer: " + "; ".join(map(_offer, data["offers"]))


def _offer(offer: ShownOffer) -> str:
    return f"{offer['label']} ({prices.offer_in_words(offer)})"


def _deal(data: DealMade, _: JsonObject) -> str:
    price = prices.cost_in_words(data["cost_type"], data["amount"], data.get("name"))
    return f"a deal: {data['description']} ({price})"


def _full(data: JsonObject, _: JsonObject) -> str:
    return f"{data['clock_name']} is full" + (f": {data['consequence']}" if data["consequence"] else "")


def _style(data: StyleChanged, _: JsonObject) -> str:
    changed = ", ".join(f"{axis} {now}" for axis, now in data["to"].items() if data["from"].get(axis) != now)
    return f"the scene is told in another way: {changed}"


def _breaking(data: JsonObject, _: JsonObject) -> str | None:
    return "it is too much: somebody breaks" if data["to_mood"] == "trauma" else None


def _lines_of(key: str, before: str) -> Callable[[JsonObject, JsonObject], str]:
    return lambda data, _: f"{before}{data[key]}".replace("_", " ")


_WORDS: Mapping[str, Callable[[Any, Any], str | None]] = {
    "NarrativeAdded": lambda data, _: str(data["text"]),
    "RandomChoice": lambda data, _: f"by chance: {data['label']}",
    "DiceOffered": lambda data, _: f"at stake: {data['situation']} ({data['position']})",
    "DieSpent": lambda data, _: f"a {data['value']}, {data['tier']}: {data['narrative']}",
    "DicePoolDepleted": lambda _data, _: "no dice are left",
    "DiceGained": _dice,
    "StressChanged": _change("stress"),
    "HeatChanged": _change("heat"),
    "WantedChanged": _change("wanted"),
    "CoinChanged": _change("coin"),
    "DeltaClamped": lambda data, _: f"{data['field']}: {data['requested']:+d} asked, {data['applied']:+d} done",
    "TraumaTriggered": lambda data, _: f"a scar for good: {data['trauma']}",
    "MoodTransition": _breaking,
    "BargainOffered": lambda _data, _: "the city offers to lend",
    "BargainOptionsPresented": _offers,
    "BargainAccepted": _deal,
    "ClockAdvanced": lambda data, _: f"{data['name']}: {data['from']} -> {data['to']} of {data['segments']}",
    "ClockCompleted": _full,
    "ConsequenceApplied": lambda data, _: str(data["note"]),
    "InterruptFired": lambda data, _: f"it breaks in: {data['description']}",
    "SceneStarted": lambda data, places: f"a scene begins: {places.get(data['location'], data['location'])}",
    "SceneEnded": _lines_of("reason", "the scene ends: "),
    "SceneStyleChanged": _style,
    "SceneCompressed": lambda data, _: f"what remains: {data['summary']}",
    "CompressionFailed": lambda data, _: f"nothing remains yet: {'; '.join(data['errors'])}",
    "InterludeEntered": lambda _data, _: "between scenes: what does the crew do?",
    "InterludeChosen": _lines_of("option", "the crew's choice: "),
    "EntanglementStarted": _lines_of("type", "the law closes in: "),
    "EntanglementResolved": _lines_of("option", "out of it: "),
    "CharacterCreated": lambda data, _: f"{data['name']} steps into the story",
    "ScenarioGenerated": lambda _data, _: "the story is set",
    "ThreatFaded": lambda data, _: f"no longer pressing: {data['text']}",
    "AutoAccepted": lambda _data, _: "that is over and done with",
    "TurnFallback": lambda data, _: f"the engine goes on by itself: {data['reason']}",
    "TurnLimitReached": lambda data, _: f"the player speaks first: {data['reason']}",
}
"""The only event not here, `TurnCompleted`, repeats other events."""
