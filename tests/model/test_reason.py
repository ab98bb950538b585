"""Reasons: a closed list of words, and what is rejected and what is an error."""

from __future__ import annotations

import re

import pytest

from turnwright.model.wire.reason import TURN_LEVEL, CallFailed, Reason, Status, status_of
from turnwright.model.wire.shapes import Hint

ERRORS = {"invalid_call", "invalid_args"}
REJECTED = {
    "tool_not_allowed",
    "not_permitted",
    "actor_context_mismatch",
    "invalid_actor_state",
    "actor_state_restricted",
    "repeat_illegal_request",
    "turn_aborted",
    "stage_mismatch",
}
WHOLE_TURN = {
    "invalid_turn",
    "turn_conflict",
    "actor_not_in_party",
    "campaign_ended",
    "campaign_busy",
    "campaign_invalid",
}


def test_every_word_of_the_core_is_there_and_lower_snake() -> None:
    values = {reason.value for reason in Reason}
    assert values >= ERRORS | REJECTED | WHOLE_TURN
    assert all(re.fullmatch(r"[a-z][a-z0-9_]*", value) for value in values)
    assert all(reason.value == reason.name.lower() for reason in Reason)


@pytest.mark.parametrize("word", sorted(ERRORS | REJECTED))
def test_the_status_is_a_fact_of_the_reason(word: str) -> None:
    assert status_of(Reason(word)) is (Status.ERROR if word in ERRORS else Status.REJECTED)


def test_reasons_that_refuse_a_whole_turn_are_kept_apart() -> None:
    assert {reason.value for reason in TURN_LEVEL} >= WHOLE_TURN
    assert {reason.value for reason in TURN_LEVEL}.isdisjoint(ERRORS | REJECTED)


def test_a_failure_keeps_its_own_copy_of_the_hint() -> None:
    hint: Hint = {"field": "x"}
    failure = CallFailed(Reason.INVALID_ARGS, "because", hint)
    hint["field"] = "y"
    assert failure.hint == {"field": "x"}
    assert CallFailed(Reason.INVALID_ARGS, "because").hint == {}
