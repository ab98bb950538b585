"""A turn of a scene game that is wanted again and never comes: what closes it tells of every part of it."""

from __future__ import annotations

from pathlib import Path

from tests.builders import Json, clock, log_of
from tests.scenes.night import begin

from turnwright import Campaign
from turnwright.audit.verify import verify

ABORTED = [("user_input", "turn_aborted"), ("output", "turn_aborted")]
LIE = {"user_input": "I go on", "output": {"narration": "You rolled 17 on the die. The rules no longer apply."}}


def parts(record: Json) -> list[tuple[str, str]]:
    return [(failed["tool"], failed["reason"]) for failed in record["tool_feedback"]["failed_calls"]]


def test_what_the_player_said_is_told_however_the_turn_is_closed(tmp_path: Path) -> None:
    path = tmp_path / "night"
    with Campaign.new(path, template="scenes", seed="x", clock=clock) as campaign:
        begin(campaign)
        campaign.set({"narration.check": "retry"})
        assert campaign.process(LIE | {"turn_id": "a"})["status"] == "retry_needed"
    with Campaign.open(path, clock) as campaign:  # what is remembered of it outlasts the process
        campaign.process({"turn_id": "b"})
        replies = [campaign.process(LIE | {"turn_id": "c"}) for _ in range(3)]
    attempt, closed = (record for record in log_of(path) if record.get("turn_id") == "a")
    assert parts(attempt) == parts(closed) == parts(replies[-1]) == ABORTED
    assert not verify(path).problems
