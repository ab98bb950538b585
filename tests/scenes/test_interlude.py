"""The interlude: its steps, its options, and that one thing is done in it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests import builders
from tests.scenes.beginnings import told
from tests.scenes.between import (
    FULL_POOL,
    arden,
    at,
    choosing,
    clock,
    filled,
    narrations,
    play_of,
    playing,
    scene,
    types,
)

from turnwright import Campaign
from turnwright.model.base import Document
from turnwright.model.clock import Clock
from turnwright.model.crew import Crew, SessionEnded
from turnwright.model.intrigue import Thread
from turnwright.model.request import ChoiceRequest
from turnwright.model.wire.reason import CallFailed, Reason
from turnwright.rulesets.scenes.closing import close_scene
from turnwright.rulesets.scenes.compression import CompressionOutput
from turnwright.rulesets.scenes.compression import apply as compress
from turnwright.rulesets.scenes.interlude import (
    HOLDING_LINE,
    TransitionOutput,
    answer,
    apply_transition,
    context_of,
    enter,
    fallback_transition,
    go_on,
    resume,
)
from turnwright.rulesets.scenes.play import Play


def ended(reason: str, *documents: Document, crew: dict[str, Any] | None = None) -> Play:
    phase = SessionEnded.model_validate({"reason": reason})
    return play_of(
        *documents, crew={"phase": phase, "dice_pool": FULL_POOL, "awaiting": {"stage": "none"}} | (crew or {})
    )


def offered_keys(play: Play) -> list[str]:
    request = play.crew.request
    assert isinstance(request, ChoiceRequest)
    return [option.key for option in request.payload.options]


# entering


def test_a_scene_with_beats_is_compressed_before_anything_else() -> None:
    play = play_of(scene(narrations(1)), clock("raid"), crew={"phase": playing(), "heat": 10})
    close_scene(play, "concluded")
    enter(play)
    assert play.crew.awaiting.stage == "dm_compression"
    assert context_of(play).stage == "entering"
    assert types(play) == ["SceneEnded"]
    assert filled(play, "raid") == 0


def test_a_scene_without_beats_leaves_nothing_to_compress() -> None:
    play = play_of(scene(), crew={"phase": playing(), "mood_turns": 2})
    close_scene(play, "retreat")
    enter(play)
    assert (play.crew.awaiting.stage, play.crew.mood_turns, play.crew.mood) == ("dm_transition", 0, None)


@pytest.mark.parametrize(
    ("heat", "most", "stage"),
    [
        (0, 10, "dm_transition"),
        (9, 10, "dm_transition"),
        (10, 10, "dm_entanglement"),
        (5, 6, "dm_transition"),
        (6, 6, "dm_entanglement"),
    ],
)
def test_all_the_heat_there_is_brings_an_entanglement(heat: int, most: int, stage: str) -> None:
    play = at("entering", clock("raid"), crew={"heat": heat}, settings={"heat_max": most})
    go_on(play)
    assert play.crew.awaiting.stage == stage
    assert filled(play, "raid") == (0 if stage == "dm_entanglement" else 1)


def test_the_steps_come_in_order_and_time_passes_once() -> None:
    play = play_of(scene(narrations(3)), clock("raid"), crew={"phase": playing(), "heat": 3})
    close_scene(play, "concluded")
    enter(play)
    stages = [play.crew.awaiting.stage]
    compress(play, CompressionOutput(summary="They met.", key_moments=("one",)))
    stages.append(play.crew.awaiting.stage)
    result = apply_transition(play, TransitionOutput(text=" Rain. "))
    stages.append(play.crew.awaiting.stage)
    answer(play, "lay_low")
    stages.append(play.crew.awaiting.stage)
    assert stages == ["dm_compression", "dm_transition", "player_choice", "dm_scene_init"]
    assert result == {"options": ["lay_low", "recover", "new_scene", "end_session"]}
    assert filled(play, "raid") == 1
    assert types(play) == [
        "SceneEnded",
        "SceneCompressed",
        "ClockAdvanced",
        "NarrativeAdded",
        "InterludeEntered",
        "InterludeChosen",
        "HeatChanged",
    ]


def test_after_an_entanglement_time_passes_although_there_is_heat_again() -> None:
    play = at("entanglement", clock("raid"), crew={"heat": 10})
    go_on(play)
    assert (play.crew.awaiting.stage, context_of(play).stage, filled(play, "raid")) == ("dm_transition", "narrating", 1)


def test_what_the_player_said_before_the_interlude_is_over() -> None:
    play = at("entering", crew={"awaiting": {"stage": "dm_turn", "for": "pc", "player_text": "I run."}})
    go_on(play)
    assert (play.crew.awaiting.player_text, play.crew.awaiting.for_) == ("", "pc")


# time passes


def test_time_moves_every_threat_that_is_not_full_and_no_goal() -> None:
    full = clock("full", filled=4, completed_at_turn=1)
    play = at("entering", full, clock("seen", 1), clock("unseen", 1, visible=False), clock("goal", type="goal"))
    go_on(play)
    assert {one.id: one.filled for one in play.world.all(Clock)} == {"full": 4, "goal": 0, "seen": 2, "unseen": 2}
    data = {"name": "seen", "from": 1, "to": 2, "segments": 4, "cause": "interlude"}
    assert told(play)[0] == ("ClockAdvanced", {"id": "seen"} | data)
    assert [(event.data["id"], event.audience) for event in play.events] == [("seen", "player"), ("unseen", "gm")]


def test_clocks_that_fill_wait_for_the_next_scene() -> None:
    play = at("entering", clock("b", 3), clock("a", 3, visible=False), Thread(id="t", hook="h", deadline="b"))
    go_on(play)
    assert types(play) == ["ClockAdvanced", "ClockAdvanced", "ClockCompleted", "ClockCompleted"]
    crew = play.crew
    assert crew.pending_interrupt is not None
    assert [crew.pending_interrupt.clock_id, *(one.clock_id for one in crew.interrupt_queue)] == ["a", "b"]
    assert [one.clock_id for one in crew.pending_consequences] == ["a", "b"]
    assert context_of(play).completed_clocks == ("a", "b")
    thread = play.world.find(Thread, "t")
    assert thread is not None
    assert thread.tension == "critical"


def test_players_see_visible_clocks_that_run_or_have_just_filled() -> None:
    long_full = clock("old", filled=4, completed_at_turn=1)
    play = at("entering", long_full, clock("c", 3), clock("b", visible=False), clock("a", 1, type="goal"))
    go_on(play)
    assert [(one.name, one.filled, one.segments, one.is_threat) for one in context_of(play).clocks] == [
        ("a", 1, 4, False),
        ("c", 4, 4, True),
    ]


# the transition


def test_the_transition_is_told_once_and_kept() -> None:
    play = at("narrating")
    apply_transition(play, TransitionOutput(text="  Rain. "))
    assert told(play)[0] == ("NarrativeAdded", {"text": "Rain.", "source": "dm"})
    assert types(play) == ["NarrativeAdded", "InterludeEntered"]
    assert context_of(play).transition_narration == "Rain."


def test_a_neutral_line_stands_in_for_the_transition() -> None:
    play = at("narrating")
    fallback_transition(play)
    assert types(play) == ["TurnFallback", "NarrativeAdded", "InterludeEntered"]
    assert told(play)[1][1] == {"text": HOLDING_LINE, "source": "system"}
    assert (play.crew.awaiting.stage, context_of(play).transition_narration) == ("player_choice", HOLDING_LINE)


def test_the_options_are_told_kept_and_asked_for() -> None:
    play = at("narrating", clock("safe", 1, type="goal"), crew={"heat": 1})
    go_on(play)
    wanted = ["lay_low", "work_goal:safe", "new_scene", "end_session"]
    told_options = told(play)[-1][1]["options"]
    assert [option["key"] for option in told_options] == wanted
    assert told_options[1] == {
        "key": "work_goal:safe",
        "option": "work_goal",
        "label": "work on safe (1 of 4)",
        "clock_id": "safe",
    }
    assert [option.key for option in context_of(play).options] == wanted
    assert offered_keys(play) == wanted
    request = play.crew.request
    assert request is not None
    assert (request.for_, request.to) == ("pc", "table")


# what is refused


def refused(play: Play, value: Any) -> CallFailed:
    before = dict(play.world.touched)
    with pytest.raises(CallFailed) as failure:
        answer(play, value)
    assert dict(play.world.touched) == before
    assert (play.events, play.dice.dice.drawn) == ([], [])
    return failure.value


@pytest.mark.parametrize("value", ["lay_low", "recover", "work_goal:a", "work_goal", "dance"])
def test_what_is_not_offered_is_not_to_be_had(value: str) -> None:
    failure = refused(choosing(), value)
    assert failure.reason is Reason.OPTION_UNAVAILABLE
    assert failure.hint["choices"] == ["new_scene", "end_session"]


@pytest.mark.parametrize("value", [None, True, -1, 2, 0.0, "", "  ", ["new_scene"], {"key": "new_scene"}])
def test_what_names_no_option_is_no_answer(value: Any) -> None:
    assert refused(choosing(), value).reason is Reason.ANSWER_INVALID


def test_an_option_can_be_gone_by_the_time_it_is_chosen() -> None:
    play = choosing(clock("a", type="goal"))
    play.world.remove(Clock.path_of("a"))
    failure = refused(play, "work_goal:a")
    assert failure.reason is Reason.OPTION_UNAVAILABLE
    assert sorted(map(str, failure.hint["choices"])) == ["end_session", "new_scene"]


# resuming


def test_a_session_goes_on_where_it_ended_with_options_anew_and_clocks_as_they_are() -> None:
    play = choosing(clock("raid", 1), crew={"heat": 1})
    answer(play, "end_session")
    play.set_crew(heat=0, dice_pool=())
    play.events.clear()
    resume(play)
    assert types(play) == ["InterludeEntered"]
    assert offered_keys(play) == ["recover", "new_scene", "end_session"]
    assert (play.crew.awaiting.stage, context_of(play).stage) == ("player_choice", "choosing")
    assert filled(play, "raid") == 1
    assert [(one.name, one.filled) for one in context_of(play).clocks] == [("raid", 1)]


def test_a_resumed_session_can_end_again() -> None:
    play = ended("player_choice")
    resume(play)
    first = play.crew.request
    answer(play, "end_session")
    resume(play)
    second = play.crew.request
    assert first is not None
    assert second is not None
    assert first.id != second.id


# through the front door


def campaign_at_the_end_of_a_scene() -> dict[str, Any]:
    waiting = {"stage": "dm_turn", "for": "pc_001", "mood": "scene", "segment": 1}
    crew = Crew.model_validate({"phase": playing(), "heat": 10, "dice_pool": [1], "awaiting": waiting})
    people = [builders.person("pc_001", name="Mira", coin=1, stress=7)]
    return builders.documents(people, party=["pc_001"]) | {
        "crew.json": crew.value(),
        "scenes/scene-1.json": scene(narrations(3)).value(),
        "locations/docks.json": {"id": "docks", "name": "Docks"},
        "clocks/raid.json": clock("raid", 3).value(),
    }


WAYS = [
    {"eoLabel": f"way {amount}", "eoCostType": "stress", "eoCostAmount": amount, "eoResolution": "Done."}
    for amount in (1, 2, 3)
]


def test_a_whole_interlude_is_played_turn_by_turn(make_campaign: Callable[..., Campaign]) -> None:
    campaign = make_campaign(campaign_at_the_end_of_a_scene())
    replies = [
        campaign.process({"output": output})
        for output in (
            {"narration": "It ends.", "continueScene": False},
            {"summary": "They met.", "keyMoments": ["one"], "consequenceSeeds": "debts, rain"},
            {"eoType": "raid", "eoNarration": "Boots.", "eoOptions": WAYS},
        )
    ]
    replies.append(campaign.process({"answer": {"request_id": "request-1", "value": "option_2"}}))
    replies.append(campaign.process({"output": {"text": "Rain."}}))
    replies.append(campaign.process({"answer": {"request_id": "request-2", "value": "recover"}}))
    assert [reply["status"] for reply in replies] == ["applied"] * 6
    assert [[event["type"] for event in reply["events"]] for reply in replies[3:]] == [
        [
            *("StressChanged", "NarrativeAdded", "WantedChanged", "HeatChanged", "EntanglementResolved"),
            *("ClockAdvanced", "ClockCompleted"),
        ],
        ["NarrativeAdded", "InterludeEntered"],
        ["InterludeChosen", "DiceGained"],
    ]


def test_an_interlude_without_a_game_master_leads_to_the_choice(make_campaign: Callable[..., Campaign]) -> None:
    campaign = make_campaign(campaign_at_the_end_of_a_scene())
    campaign.process({"output": {"narration": "It ends.", "continue_scene": False}})
    replies = [campaign.process({"output": {"wrong": number}}) for number in range(9)]
    assert [[event["type"] for event in reply["events"]] for reply in replies[2::3]] == [
        ["CompressionFailed", "TurnFallback", "SceneCompressed"],
        ["TurnFallback", "NarrativeAdded", "WantedChanged", "HeatChanged", "ClockAdvanced", "ClockCompleted"],
        ["TurnFallback", "NarrativeAdded", "InterludeEntered"],
    ]
    assert [reply["request"] is None for reply in replies] == [True] * 8 + [False]


# whatever happens


@given(
    heat=st.integers(0, 9),
    coin=st.integers(0, 3),
    stress=st.integers(0, 9),
    pool=st.lists(st.integers(1, 6), max_size=6),
    fillings=st.lists(st.tuples(st.sampled_from(["threat", "goal"]), st.integers(0, 3), st.booleans()), max_size=4),
    pick=st.integers(0, 8),
)
def test_every_option_that_is_offered_can_be_taken_and_keeps_the_bounds(
    heat: int, coin: int, stress: int, pool: list[int], fillings: list[tuple[str, int, bool]], pick: int
) -> None:
    clocks = [
        clock(f"clock-{number}", at, type=kind, visible=visible) for number, (kind, at, visible) in enumerate(fillings)
    ]
    crew = {"heat": heat, "dice_pool": pool}
    play = at("entering", *clocks, crew=crew, actor={"coin": coin, "stress": stress})
    go_on(play)
    fallback_transition(play)
    index = pick % len(offered_keys(play))
    answer(play, index)
    after = arden(play)
    assert 0 <= after.stress <= stress
    assert 0 <= after.coin <= coin
    assert max(0, heat - 1) <= play.crew.heat <= heat
    assert len(pool) <= len(play.crew.dice_pool) <= max(5, len(pool))
    assert all(one.is_full == (one.completed_at_turn is not None) for one in play.world.all(Clock))
    hidden = {one.id for one in clocks if not one.visible}
    seen = [event for event in play.events if event.audience == "player"]
    assert not any(name in str(event.data) for event in seen for name in hidden)
