"""When a campaign is over and how milestones advance, against the rules of stages 4.7."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwright.model.campaign import CampaignDocument, Goal, Lifecycle, Milestone
from turnwright.model.character import CharacterState
from turnwright.protocol.lifecycle import advance_milestone, after_turn, end_reason, next_label

STATES = [None, *CharacterState]
NOW = "2026-01-14T16:05:31+00:00"


def campaign(status: str = "active", *, ended: bool = False, reason: str | None = None) -> CampaignDocument:
    lifecycle = Lifecycle(ended=ended, reason=reason)
    return CampaignDocument(format=2, id="c", goal=Goal(status=status), lifecycle=lifecycle)


@pytest.mark.parametrize(
    ("label", "following"),
    [
        ("intro", "milestone_1"),
        ("milestone_1", "milestone_2"),
        ("milestone_9", "milestone_10"),
        ("milestone_99", "milestone_100"),
        ("", "milestone_1"),
        ("Milestone_3", "milestone_1"),
        ("milestone_", "milestone_1"),
        ("milestone_2 ", "milestone_1"),
        ("milestone_²", "milestone_1"),
        ("milestone_٣", "milestone_1"),
        ("milestone_-1", "milestone_1"),
        ("the end", "milestone_1"),
    ],
)
def test_labels_count_upward_and_any_other_label_leads_to_the_first(label: str, following: str) -> None:
    assert next_label(label) == following


MILESTONES = st.builds(
    Milestone,
    current=st.sampled_from(["intro", "milestone_2", "odd"]),
    last_advanced_turn=st.integers(0, 20),
    turn_trigger_interval=st.integers(-3, 8),
    pressure=st.integers(0, 3),
    pressure_threshold=st.integers(-3, 4),
    summary=st.sampled_from(["", "so far"]),
)


@given(MILESTONES, st.integers(0, 40), st.integers(0, 2))
def test_a_milestone_advances_when_its_turns_or_its_pressure_are_due(old: Milestone, number: int, retries: int) -> None:
    new = advance_milestone(old, number, retries)
    interval = old.turn_trigger_interval if old.turn_trigger_interval > 1 else 1
    threshold = old.pressure_threshold if old.pressure_threshold > 1 else 1
    if number - old.last_advanced_turn >= interval or old.pressure + retries >= threshold:
        assert (new.current, new.last_advanced_turn, new.pressure, new.summary) == (
            next_label(old.current),
            number,
            0,
            "",
        )
    else:
        assert new == Milestone(**{**dict(old), "pressure": old.pressure + retries})
    assert (new.turn_trigger_interval, new.pressure_threshold) == (old.turn_trigger_interval, old.pressure_threshold)


@pytest.mark.parametrize("status", ["achieved", "goal_achieved", "completed"])
def test_a_reached_goal_ends_the_campaign_before_anything_else(status: str) -> None:
    assert end_reason(campaign(status), [CharacterState.DEAD]) == "goal_achieved"
    assert end_reason(campaign(status), []) == "goal_achieved"


@pytest.mark.parametrize("status", ["", "active", "Achieved", "failed"])
def test_any_other_goal_does_not(status: str) -> None:
    assert end_reason(campaign(status), [CharacterState.ALIVE]) is None


@given(st.lists(st.sampled_from(STATES), max_size=4))
def test_a_party_that_is_restrained_or_fallen_to_the_last_ends_the_campaign(
    party: list[CharacterState | None],
) -> None:
    words = [str(state) for state in party]
    wanted = None
    if words and all(word == "restrained_permanent" for word in words):
        wanted = "restrained_permanent"
    elif words and all(word in ("dead", "dying") for word in words):
        wanted = "party_dead"
    assert end_reason(campaign(), party) == wanted


@pytest.mark.parametrize(("reason", "told"), [("party_dead", "party_dead"), (None, "ended")])
def test_what_has_ended_stays_ended_for_the_reason_it_had(reason: str | None, told: str) -> None:
    assert end_reason(campaign(ended=True, reason=reason), [CharacterState.ALIVE]) == told


def test_the_turn_that_ends_the_campaign_books_reason_and_time() -> None:
    after = after_turn(campaign(), [CharacterState.DYING], 1, 0, NOW)
    assert after.lifecycle == Lifecycle(ended=True, reason="party_dead", ended_at=NOW)


def test_a_turn_that_does_not_end_it_books_the_milestone_alone() -> None:
    before = campaign()
    after = after_turn(before, [CharacterState.ALIVE], 3, 1, NOW)
    assert after.lifecycle == before.lifecycle
    assert after.milestone == advance_milestone(before.milestone, 3, 1)
