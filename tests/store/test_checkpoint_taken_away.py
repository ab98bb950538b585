"""A checkpoint that is taken away again while it is made again: it is made once more, or told as a `CampaignError`."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests import builders
from tests.store.kit import forget_checkpoint, log_of

from turnwright import Campaign
from turnwright.audit.verify import verify
from turnwright.model.errors import StorageFailed
from turnwright.store.checkpoint import Checkpoint
from turnwright.store.checkpoint_file import CheckpointFile, Unreadable

HIT = builders.turn(builders.hp_delta(-1))


@pytest.fixture(name="path")
def fixture_path(campaign: Campaign, tmp_path: Path) -> Path:
    campaign.close()
    return tmp_path / "campaign_0"


def spoil(monkeypatch: pytest.MonkeyPatch, owner: type, name: str, times: float) -> None:
    """Let a method find the checkpoint gone so many times."""
    left, work = [times], getattr(owner, name)

    def gone(*args: Any) -> Any:
        if left[0] > 0:
            left[0] -= 1
            raise Unreadable("gone")
        return work(*args)

    monkeypatch.setattr(owner, name, gone)


PLACES = [(Checkpoint, "save"), (Checkpoint, "history"), (Checkpoint, "release"), (CheckpointFile, "create")]


@pytest.mark.parametrize(("owner", "name"), PLACES)
@pytest.mark.parametrize("times", [1, 2, 4])
def test_what_is_taken_away_a_few_times_is_made_again(
    path: Path, monkeypatch: pytest.MonkeyPatch, owner: type, name: str, times: int
) -> None:
    forget_checkpoint(path)
    with monkeypatch.context() as patched, Campaign.open(path, builders.clock, lag=0) as campaign:
        spoil(patched, owner, name, times)
        for _ in range(2):
            assert campaign.process(HIT)["status"] == "applied"
            campaign.flush()
        assert campaign.state["characters/pc_001.json"]["hp"] == 8
    found = verify(path)
    assert (found.problems, found.notes) == ((), ())


@pytest.mark.parametrize("ask", [Campaign.flush, Campaign.close], ids=lambda ask: ask.__name__)
def test_what_is_taken_away_for_ever_is_told_and_no_turn_is_lost(
    path: Path, monkeypatch: pytest.MonkeyPatch, ask: Callable[[Campaign], None]
) -> None:
    campaign = Campaign.open(path, builders.clock)
    with monkeypatch.context() as patched:
        spoil(patched, Checkpoint, "save", float("inf"))
        assert campaign.process(HIT)["status"] == "applied"
        with pytest.raises(StorageFailed, match="keeps taking"):
            ask(campaign)
    assert [record["kind"] for record in log_of(path)] == ["new", "turn"]
    with campaign if ask is Campaign.flush else Campaign.open(path, builders.clock) as healed:
        assert healed.process(HIT)["status"] == "applied"
    assert verify(path).problems == ()


def test_who_cannot_make_one_at_all_is_told_and_nothing_is_applied(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    forget_checkpoint(path)
    with Campaign.open(path, builders.clock) as campaign:
        with monkeypatch.context() as patched:
            spoil(patched, CheckpointFile, "create", float("inf"))
            with pytest.raises(StorageFailed, match="keeps taking"):
                campaign.process(HIT)
            with pytest.raises(StorageFailed, match="keeps taking"):
                campaign.undo()
        assert campaign.process(HIT)["status"] == "applied"


def test_the_thread_that_writes_behind_raises_nothing(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    raised: list[object] = []
    monkeypatch.setattr(threading, "excepthook", raised.append)
    timer, heal = None, builders.turn(builders.hp_delta(1))
    with Campaign.open(path, builders.clock, lag=1.0) as campaign:
        while timer is None:  # on a machine that is very busy the files are written with the turn
            campaign.flush()
            assert campaign.process(heal)["status"] == "applied"
            timer = campaign._writer._behind._timer
        with monkeypatch.context() as patched:
            spoil(patched, Checkpoint, "save", float("inf"))
            timer.join()
        assert campaign._store.is_behind, "it was tried"
    assert raised == []
    assert verify(path).problems == ()
