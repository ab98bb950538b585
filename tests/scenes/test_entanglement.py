"""Entanglements: three prices, what they cost, and what follows."""

from __future__ import annotations

from itertools import permutations, product
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError
from tests.scenes.beginnings import told
from tests.scenes.between import arden, between, clock, play_of, types

from turnwright.model.character import Character
from turnwright.model.crew import BetweenScenes
from turnwright.model.request import ChoiceRequest
from turnwright.model.wire.reason import CallFailed, Reason
from turnwright.rulesets.scenes.entanglement import HOLDING_LINE, EntanglementOutput, answer, apply, fallback
from turnwright.rulesets.scenes.interlude import context_of, enter
from turnwright.rulesets.scenes.play import Play

Price = tuple[Literal["coin", "stress"], int]
CHEAP: list[Price] = [("coin", 1), ("coin", 2), ("stress", 1)]
MODERATE: list[Price] = [("coin", 2), ("coin", 3), ("stress", 2)]
DESPERATE: list[Price] = [("stress", 3), ("stress", 4)]
ALL: list[Price] = [(kind, amount) for kind in ("coin", "stress") for amount in range(1, 5)]


def way(kind: str, amount: int, name: str = "way") -> dict[str, Any]:
    return {"eo_label": f" {name} ", "eo_cost_type": kind, "eo_cost_amount": amount, "eo_resolution": f" done: {name} "}


def output(*prices: Price, **fields: Any) -> EntanglementOutput:
    used = prices or (("coin", 1), ("stress", 2), ("stress", 4))
    ways = [way(kind, amount, f"{kind} {amount} at {place}") for place, (kind, amount) in enumerate(used)]
    plain = {"eo_type": "raid", "eo_narration": " Boots on the stairs. ", "eo_options": ways}
    return EntanglementOutput.model_validate(plain | fields)


def entangled(**fields: Any) -> Play:
    crew = {"phase": between("entanglement"), "heat": 10, "awaiting": {"stage": "dm_entanglement", "for": "pc"}}
    return play_of(clock("raid"), crew=crew | fields.pop("crew", {}), **fields)


def asked(*prices: Price, **fields: Any) -> Play:
    play = entangled(**fields)
    apply(play, output(*prices))
    play.events.clear()
    return play


def request_of(play: Play) -> ChoiceRequest:
    assert isinstance(play.crew.request, ChoiceRequest)
    return play.crew.request


# prices


def is_one_of_each(prices: tuple[Price, ...]) -> bool:
    return any(
        first in CHEAP and second in MODERATE and third in DESPERATE for first, second, third in permutations(prices)
    )


def failure_of(ways: list[dict[str, Any]]) -> CallFailed | None:
    play = entangled()
    try:
        apply(play, output(eo_options=ways))
    except CallFailed as failure:
        assert (play.events, dict(play.world.touched)) == ([], {})
        return failure
    return None


@pytest.mark.parametrize("first", ALL)
def test_one_of_each_is_wanted_in_any_order_and_a_refusal_can_be_repaired(first: Price) -> None:
    for prices in product([first], ALL, ALL):
        ways = [way(kind, amount) for kind, amount in prices]
        repairs = 0
        while failure := failure_of(ways):
            place = int(failure.hint["field"].removeprefix("output.eo_options."))
            assert (failure.reason, failure.hint["got"]) == (Reason.INVALID_ARGS, trimmed(ways[place]))
            choice: Any = failure.hint["choices"][0]
            ways[place] = choice
            repairs += 1
            assert repairs <= 3
        assert (repairs == 0) == is_one_of_each(prices)
        assert is_one_of_each(tuple((one["eo_cost_type"], one["eo_cost_amount"]) for one in ways))


def trimmed(option: dict[str, Any]) -> dict[str, Any]:
    return option | {"eo_resolution": option["eo_resolution"].strip()}


@pytest.mark.parametrize(
    "wrong",
    [
        {"eo_options": [way("coin", 1), way("stress", 2)]},
        {"eo_options": [way("coin", 1), way("stress", 2), way("stress", 3), way("stress", 3)]},
        {"eo_options": [way("coin", 0), way("stress", 2), way("stress", 3)]},
        {"eo_options": [way("coin", 1), way("stress", 2), way("stress", 5)]},
        {"eo_options": [way("heat", 1), way("stress", 2), way("stress", 3)]},
        {"eo_options": [way("coin", 1) | {"eo_label": " "}, way("stress", 2), way("stress", 3)]},
        {"eo_type": "audit"},
        {"eo_narration": " "},
        {"heat_delta": 1},
    ],
)
def test_what_is_no_entanglement_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        output(**wrong)


# asking


def test_the_ways_out_are_committed_told_and_asked_for() -> None:
    play = entangled(actor={"coin": 1})
    result = apply(play, output(("coin", 1), ("coin", 2), ("stress", 3)))
    assert told(play) == [
        ("EntanglementStarted", {"type": "raid"}),
        ("NarrativeAdded", {"text": "Boots on the stairs.", "source": "dm"}),
    ]
    request = request_of(play)
    assert (request.for_, request.to, play.crew.awaiting.stage) == ("pc", "table", "player_choice")
    assert [option.as_written for option in request.payload.options] == [
        {"index": 0, "key": "option_1", "label": "coin 1 at 0", "hint": "1 coin"},
        {"index": 1, "key": "option_2", "label": "coin 2 at 1", "hint": "2 coin", "disabled": True},
        {"index": 2, "key": "option_3", "label": "stress 3 at 2", "hint": "3 stress"},
    ]
    assert result == {"type": "raid", "options": ["option_1", "option_2", "option_3"]}


def test_what_comes_of_a_way_out_is_hidden_until_it_is_taken() -> None:
    play = entangled()
    result = apply(play, output())
    assert "done" not in str((result, told(play), request_of(play)))
    kept = context_of(play).entanglement
    assert kept is not None
    assert [one.resolution for one in kept.options] == [
        "done: coin 1 at 0",
        "done: stress 2 at 1",
        "done: stress 4 at 2",
    ]


def test_without_somebody_who_could_pay_nothing_is_asked() -> None:
    play = entangled(acting_id=None)
    with pytest.raises(CallFailed) as failure:
        apply(play, output())
    assert failure.value.reason is Reason.INVALID_ACTOR_STATE
    assert (play.events, dict(play.world.touched)) == ([], {})


# answering


@pytest.mark.parametrize("value", [0, "option_1"])
def test_coin_is_paid_and_the_law_lets_go(value: Any) -> None:
    play = asked(actor={"coin": 1}, crew={"wanted": 1})
    result = answer(play, value)
    assert told(play)[:5] == [
        ("CoinChanged", {"from": 1, "to": 0, "reason": "entanglement"}),
        ("NarrativeAdded", {"text": "done: coin 1 at 0", "source": "dm"}),
        ("WantedChanged", {"from": 1, "to": 2, "reason": "entanglement"}),
        ("HeatChanged", {"from": 10, "to": 0, "reason": "entanglement"}),
        ("EntanglementResolved", {"option": "coin 1 at 0"}),
    ]
    assert types(play)[5:] == ["ClockAdvanced"]
    assert (play.crew.awaiting.stage, context_of(play).stage, play.crew.request) == ("dm_transition", "narrating", None)
    assert result == {
        "chosen": "option_1",
        "cost_type": "coin",
        "cost_amount": 1,
        "resolution": "done: coin 1 at 0",
    }


@pytest.mark.parametrize(
    ("before", "index", "after", "breaks"),
    [(0, 1, 2, False), (6, 1, 8, False), (7, 1, 9, True), (5, 2, 9, True), (8, 1, 9, True), (9, 1, 9, True)],
)
def test_all_the_stress_there_is_breaks_somebody_in_the_next_scene(
    before: int, index: int, after: int, breaks: bool
) -> None:
    play = asked(actor={"stress": before, "pending_trauma": before == 9})
    answer(play, index)
    assert (arden(play).stress, arden(play).pending_trauma) == (after, breaks)
    assert isinstance(play.crew.phase, BetweenScenes)
    assert not {"TraumaTriggered", "MoodTransition"} & set(types(play))


def test_stress_that_meets_its_bound_is_told() -> None:
    play = asked(actor={"stress": 8})
    answer(play, 1)
    assert types(play)[:3] == ["DeltaClamped", "StressChanged", "NarrativeAdded"]


def test_where_nobody_can_be_wanted_more_a_manhunt_begins() -> None:
    play = asked(crew={"wanted": 4, "unresolved_threats": ["1", "2", "3", "4", "5"]})
    answer(play, "option_2")
    assert play.crew.wanted == 4
    assert play.crew.unresolved_threats == ("manhunt", "1", "2", "3", "4")
    assert types(play)[:5] == ["StressChanged", "NarrativeAdded", "ThreatFaded", "HeatChanged", "EntanglementResolved"]


def test_a_wanted_level_above_a_bound_that_was_lowered_does_not_fall() -> None:
    play = asked(crew={"wanted": 4}, settings={"wanted_max": 2})
    answer(play, "option_2")
    assert (play.crew.wanted, play.crew.unresolved_threats) == (4, ("manhunt",))


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ("option_1", Reason.OPTION_UNAVAILABLE),
        (0, Reason.OPTION_UNAVAILABLE),
        ("option_4", Reason.OPTION_UNAVAILABLE),
        (3, Reason.ANSWER_INVALID),
        (None, Reason.ANSWER_INVALID),
        (True, Reason.ANSWER_INVALID),
    ],
)
def test_what_cannot_be_paid_or_is_no_option_is_refused(value: Any, reason: Reason) -> None:
    play = asked(actor={"coin": 0})
    before = dict(play.world.touched)
    with pytest.raises(CallFailed) as failure:
        answer(play, value)
    assert failure.value.reason is reason
    assert failure.value.hint["choices"] == ["option_2", "option_3"]
    assert (play.events, dict(play.world.touched)) == ([], before)


def test_coin_that_was_spent_meanwhile_cannot_be_paid() -> None:
    play = asked(actor={"coin": 1})
    play.world.put(arden(play).replace(coin=0))
    with pytest.raises(CallFailed) as failure:
        answer(play, 0)
    assert failure.value.reason is Reason.OPTION_UNAVAILABLE
    assert failure.value.hint["choices"] == ["option_2", "option_3"]


def test_somebody_who_is_gone_cannot_pay() -> None:
    play = asked()
    play.world.remove(Character.path_of("pc"))
    with pytest.raises(CallFailed) as failure:
        answer(play, 1)
    assert failure.value.reason is Reason.INVALID_ACTOR_STATE


# what stands in


@pytest.mark.parametrize(
    ("wanted", "after", "threats", "told_of"),
    [(0, 1, (), ["WantedChanged", "HeatChanged"]), (4, 4, ("manhunt",), ["HeatChanged"])],
)
def test_the_engines_entanglement_costs_nothing_but_a_name(
    wanted: int, after: int, threats: tuple[str, ...], told_of: list[str]
) -> None:
    play = entangled(crew={"wanted": wanted}, actor={"coin": 2, "stress": 3}, acting_id=None)
    before = arden(play)
    fallback(play)
    assert types(play) == ["TurnFallback", "NarrativeAdded", *told_of, "ClockAdvanced"]
    assert told(play)[1][1] == {"text": HOLDING_LINE, "source": "system"}
    assert (play.crew.wanted, play.crew.heat, play.crew.unresolved_threats) == (after, 0, threats)
    assert arden(play) == before
    assert play.crew.awaiting.stage == "dm_transition"


# whatever happens


@given(
    stress=st.integers(0, 9),
    coin=st.integers(0, 4),
    wanted=st.integers(0, 4),
    prices=st.tuples(st.sampled_from(CHEAP), st.sampled_from(MODERATE), st.sampled_from(DESPERATE)),
    order=st.permutations([0, 1, 2]),
)
def test_there_is_always_a_way_out_and_each_leads_on(
    stress: int, coin: int, wanted: int, prices: tuple[Price, ...], order: list[int]
) -> None:
    shuffled = [prices[place] for place in order]
    play = play_of(
        clock("raid"),
        crew={"phase": between(), "heat": 10, "wanted": wanted},
        actor={"stress": stress, "coin": coin},
    )
    enter(play)
    apply(play, output(*shuffled))
    payable = [option for option in request_of(play).payload.options if not option.disabled]
    assert [option.index for option in payable] == [
        place for place, (kind, amount) in enumerate(shuffled) if kind == "stress" or amount <= coin
    ]
    kind, amount = shuffled[payable[0].index]
    answer(play, payable[0].key)
    after = arden(play)
    assert after.coin == coin - (amount if kind == "coin" else 0)
    assert after.stress == min(9, stress + (amount if kind == "stress" else 0))
    assert after.pending_trauma == (kind == "stress" and after.stress == 9)
    assert (play.crew.heat, play.crew.wanted) == (0, min(4, wanted + 1))
    assert ("manhunt" in play.crew.unresolved_threats) == (wanted == 4)
    assert play.crew.awaiting.stage == "dm_transition"
