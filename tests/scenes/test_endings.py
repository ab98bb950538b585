"""What a game master is told when a session is over, through the command that prints prompts."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.builders import clock
from tests.scenes.night import CHOICES, answer, begin, play

from turnwright import Campaign
from turnwright.cli.main import run

RESUME = "It goes on with `turnwright resume`."
FOR_GOOD = "cannot be resumed; `turnwright new` begins another game"


def _cancelled(campaign: Campaign) -> None:
    answer(campaign, "cancel")


def _given_up(campaign: Campaign) -> None:
    answer(campaign, CHOICES)
    for _ in range(3):
        campaign.process({"output": {}})
    answer(campaign, "give_up")


def _ended(campaign: Campaign) -> None:
    begin(campaign)
    play(campaign, narration="It is over.", continue_scene=False)
    campaign.process({"user_input": "What now?"})
    answer(campaign, "end_session")


@pytest.mark.parametrize(
    ("end", "reason", "advice", "not_said"),
    [
        (_cancelled, "creation_cancelled", FOR_GOOD, RESUME),
        (_given_up, "init_failed", FOR_GOOD, RESUME),
        (_ended, "player_choice", RESUME, FOR_GOOD),
    ],
)
def test_a_prompt_advises_to_resume_only_what_can_be_resumed(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    end: Callable[[Campaign], None],
    reason: str,
    advice: str,
    not_said: str,
) -> None:
    with Campaign.new(tmp_path / "night", template="scenes", seed="x", clock=clock) as campaign:
        end(campaign)
        assert campaign.state["crew.json"]["phase"] == {"tag": "session_ended", "reason": reason}
    assert run(["prompt", str(tmp_path / "night")]) == 0
    told = capsys.readouterr().out
    assert told.startswith("# The session is over\n")
    assert advice in told
    assert not_said not in told
