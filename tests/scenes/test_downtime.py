"""What can be done between two scenes, when, and what it does."""

from __future__ import annotations

from typing import Any

import pytest
from tests.scenes.beginnings import told
from tests.scenes.between import arden, at, between, choosing, clock, filled, types

from turnwright.model.crew import BetweenScenesContext, SessionEnded
from turnwright.rulesets.scenes.downtime import options
from turnwright.rulesets.scenes.interlude import answer, context_of
from turnwright.rulesets.scenes.play import Play


def keys(play: Play) -> list[str]:
    return [option.key for option in options(play)]


# what is offered


@pytest.mark.parametrize(("heat", "is_offered"), [(0, False), (1, True), (10, True)])
def test_laying_low_needs_heat(heat: int, is_offered: bool) -> None:
    assert ("lay_low" in keys(at("choosing", crew={"heat": heat}))) == is_offered


@pytest.mark.parametrize(
    ("dice", "coin", "stress", "is_offered"),
    [
        (5, 0, 0, False),
        (5, 0, 9, False),
        (5, 1, 0, False),
        (5, 1, 1, True),
        (4, 0, 0, True),
        (0, 0, 0, True),
        (6, 1, 1, True),
        (6, 0, 1, False),
    ],
)
def test_recovering_needs_room_for_dice_or_stress_and_coin(dice: int, coin: int, stress: int, is_offered: bool) -> None:
    play = at("choosing", crew={"dice_pool": [1] * dice}, actor={"coin": coin, "stress": stress})
    assert ("recover" in keys(play)) == is_offered


def test_a_breaking_point_to_come_takes_no_option_away() -> None:
    play = at("choosing", crew={"heat": 1}, actor={"coin": 1, "stress": 9, "pending_trauma": True})
    assert keys(play) == ["lay_low", "recover", "new_scene", "end_session"]


def test_without_an_acting_character_recovering_is_about_dice_alone() -> None:
    fields: dict[str, Any] = {"actor": {"coin": 1, "stress": 1}, "acting_id": None}
    assert "recover" not in keys(at("choosing", **fields))
    assert "recover" in keys(at("choosing", crew={"dice_pool": []}, **fields))


def test_goals_that_are_visible_and_not_full_can_be_worked_on() -> None:
    goals = [
        clock("b", type="goal"),
        clock("a", 3, type="goal"),
        clock("unseen", type="goal", visible=False),
        clock("full", filled=4, type="goal", completed_at_turn=1),
        clock("threat"),
    ]
    assert keys(at("choosing", *goals)) == ["work_goal:a", "work_goal:b", "new_scene", "end_session"]


def test_a_goal_with_the_longest_id_can_be_worked_on() -> None:
    play = choosing(clock("g" * 200, name="goal", type="goal"))
    key = keys(play)[0]
    assert len(key) <= 200
    answer(play, key)
    assert filled(play, "g" * 200) == 1


# what is chosen


def chosen(play: Play, value: Any) -> BetweenScenesContext:
    answer(play, value)
    assert play.crew.awaiting.stage == "dm_scene_init"
    assert play.crew.request is None
    return context_of(play)


@pytest.mark.parametrize("value", ["lay_low", " lay_low ", 0])
def test_laying_low_cools_the_heat(value: Any) -> None:
    play = choosing(crew={"heat": 10})
    context = chosen(play, value)
    assert (context.stage, context.chosen, context.options) == ("scene_init", "lay_low", ())
    assert told(play) == [
        ("InterludeChosen", {"option": "lay_low"}),
        ("HeatChanged", {"from": 10, "to": 9, "reason": "lay_low"}),
    ]


def test_laying_low_never_goes_below_no_heat() -> None:
    play = choosing(crew={"heat": 1}, settings={"lay_low_heat": 3})
    answer(play, "lay_low")
    assert play.crew.heat == 0
    assert types(play) == ["InterludeChosen", "DeltaClamped", "HeatChanged"]


def test_recovering_rolls_what_is_missing_and_eases_one_stress_for_one_coin() -> None:
    play = choosing(crew={"dice_pool": [2, 2]}, actor={"coin": 2, "stress": 5}, given=[6, 1, 3])
    chosen(play, "recover")
    assert told(play) == [
        ("InterludeChosen", {"option": "recover"}),
        ("StressChanged", {"from": 5, "to": 4, "reason": "recover"}),
        ("CoinChanged", {"from": 2, "to": 1, "reason": "recover"}),
        ("DiceGained", {"values": [6, 1, 3], "pool_size": 5, "source": "recover"}),
    ]
    assert play.crew.dice_pool == (2, 2, 6, 1, 3)
    assert [draw["why"] for draw in play.dice.dice.drawn] == ["pool"] * 3


@pytest.mark.parametrize(("coin", "stress"), [(0, 5), (3, 0)])
def test_recovering_without_coin_or_stress_rolls_dice_alone(coin: int, stress: int) -> None:
    play = choosing(crew={"dice_pool": [2]}, actor={"coin": coin, "stress": stress})
    chosen(play, "recover")
    assert types(play) == ["InterludeChosen", "DiceGained"]
    assert (arden(play).coin, arden(play).stress, len(play.crew.dice_pool)) == (coin, stress, 5)


def test_recovering_with_all_dice_rolls_none() -> None:
    play = choosing(actor={"coin": 1, "stress": 1})
    chosen(play, "recover")
    assert types(play) == ["InterludeChosen", "StressChanged", "CoinChanged"]
    assert play.dice.dice.drawn == []


@pytest.mark.parametrize(("dice", "events"), [(5, ["InterludeChosen"]), (4, ["InterludeChosen", "DiceGained"])])
def test_recovering_cannot_buy_off_a_breaking_point(dice: int, events: list[str]) -> None:
    play = choosing(crew={"dice_pool": [1] * dice}, actor={"coin": 3, "stress": 9, "pending_trauma": True})
    chosen(play, "recover")
    assert types(play) == events
    assert (arden(play).coin, arden(play).stress) == (3, 9)


def test_a_pool_never_grows_beyond_what_it_takes() -> None:
    play = choosing(crew={"dice_pool": [1]}, settings={"pool_start": 5, "pool_max": 3})
    chosen(play, "recover")
    assert (len(play.crew.dice_pool), len(play.dice.dice.drawn)) == (3, 2)


def test_working_on_a_goal_moves_that_goal() -> None:
    play = choosing(clock("a", 1, type="goal"), clock("b", 1, type="goal"))
    context = chosen(play, "work_goal:b")
    assert (filled(play, "a"), filled(play, "b")) == (1, 2)
    assert types(play) == ["InterludeChosen", "ClockAdvanced"]
    assert told(play)[1][1]["cause"] == "work_goal"
    assert context.chosen == "work_goal:b"
    assert [one.filled for one in context.clocks] == [1, 2]


def test_working_on_a_goal_can_complete_it() -> None:
    play = choosing(clock("a", 3, type="goal"), crew={"phase": between("narrating", completed_clocks=["raid"])})
    context = chosen(play, "work_goal:a")
    assert types(play) == ["InterludeChosen", "ClockAdvanced", "ClockCompleted"]
    assert context.completed_clocks == ("raid", "a")
    assert play.crew.pending_interrupt is not None
    assert not play.crew.pending_interrupt.forces_action


def test_a_new_scene_costs_nothing() -> None:
    play = choosing(crew={"phase": between("narrating", transition_narration="Rain.")})
    context = chosen(play, "new_scene")
    assert told(play) == [("InterludeChosen", {"option": "new_scene"})]
    assert (context.chosen, context.transition_narration) == ("new_scene", "Rain.")


def test_the_session_ends_and_waits_for_nothing() -> None:
    play = choosing()
    assert answer(play, "end_session") == {"chosen": "end_session"}
    assert play.crew.phase == SessionEnded(reason="player_choice")
    assert (play.crew.awaiting.stage, play.crew.awaiting.for_, play.crew.request) == ("none", None, None)
    assert told(play) == [("InterludeChosen", {"option": "end_session"})]
