"""A campaign asked for something by the very thread that is in the middle of a turn: a signal handler, a clock."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from tests import builders
from tests.builders import hp_delta, log_of, turn

from turnwright import Campaign, CampaignError
from turnwright.audit.verify import verify
from turnwright.model.errors import CampaignBusy
from turnwright.store.store import Store

Ask = Callable[[Campaign], Any]


def answer_of(ask: Ask, campaign: Campaign) -> Any:
    try:
        return ask(campaign)
    except CampaignError as error:
        return type(error)


WRITING: list[Ask] = [
    lambda campaign: campaign.process(turn(hp_delta(-5))),
    lambda campaign: list(campaign.process_drop()),
    lambda campaign: campaign.set({"narration.check": "off"}),
    lambda campaign: campaign.undo(),
    lambda campaign: campaign.flush(),
    lambda campaign: campaign.close(),
]
READING: list[Ask] = [
    lambda campaign: campaign.state["characters/pc_001.json"]["hp"],
    lambda campaign: len(list(campaign.records())),
]
MOMENTS = ("begin_writing", "append", "sync", "end_writing")


def is_right(ask: Ask, answer: Any, read: Sequence[int]) -> bool:
    """Return whether an answer in the middle of a turn is what it must be; what has nothing to do may say so."""
    return answer == read[READING.index(ask)] if ask in READING else answer in (CampaignBusy, [], None)


@pytest.fixture
def interrupted(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str, Campaign, Ask], list[Any]]]:
    """Give a function that has something asked by a signal handler at one moment of the next turn."""
    before = signal.getsignal(signal.SIGTERM)

    def interrupt(moment: str, campaign: Campaign, ask: Ask) -> list[Any]:
        answers: list[Any] = []
        whole = getattr(Store, moment)

        def with_signal(self: Store, *args: Any, **keys: Any) -> Any:
            monkeypatch.setattr(Store, moment, whole)
            result = whole(self, *args, **keys) if moment == "begin_writing" else None
            signal.raise_signal(signal.SIGTERM)
            return result if moment == "begin_writing" else whole(self, *args, **keys)

        signal.signal(signal.SIGTERM, lambda *_: answers.append(answer_of(ask, campaign)))
        monkeypatch.setattr(Store, moment, with_signal)
        return answers

    yield interrupt
    signal.signal(signal.SIGTERM, before)


@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize("ask", [*WRITING, *READING], ids=range(8))
def test_a_signal_handler_in_the_middle_of_a_turn_takes_nothing_from_it(
    campaign: Campaign, tmp_path: Path, interrupted: Callable[..., list[Any]], moment: str, ask: Ask
) -> None:
    campaign.process(turn(hp_delta(-1)))
    answers = interrupted(moment, campaign, ask)
    reply = campaign.process(turn(hp_delta(-2)))
    assert reply["applied_actions"][0]["result"] == {"new_hp": 7}
    [answer] = answers
    assert is_right(ask, answer, (7, 3) if moment == "end_writing" else (9, 2))
    campaign.close()
    assert [record["seq"] for record in log_of(tmp_path / "campaign_0")] == [0, 1, 2]
    assert not verify(tmp_path / "campaign_0").problems
    with Campaign.open(tmp_path / "campaign_0", builders.clock) as again:
        assert again.state["characters/pc_001.json"]["hp"] == 7


def test_a_clock_that_uses_the_campaign_can_read_it_and_nothing_else(tmp_path: Path) -> None:
    builders.begin(tmp_path / "c").close()
    answers: list[Any] = []

    def clock() -> datetime:
        answers.append([answer_of(ask, campaign) for ask in (*WRITING, *READING)])
        return builders.clock()

    with Campaign.open(tmp_path / "c", clock) as campaign:
        campaign.process(turn(hp_delta(-1)))
        campaign.set({"narration.check": "off"})
    for told, read in zip(answers, ((10, 1), (9, 2)), strict=True):
        assert all(is_right(ask, answer, read) for ask, answer in zip((*WRITING, *READING), told, strict=True))
        assert told[0] is CampaignBusy
    assert [record["kind"] for record in log_of(tmp_path / "c")] == ["new", "turn", "settings"]
    assert not verify(tmp_path / "c").problems
