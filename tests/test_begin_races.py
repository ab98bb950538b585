"""Two that begin a campaign in one directory at the same time: one does, and the other is told so."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests import builders
from tests.builders import hp_delta, log_of, turn

from turnwright import Campaign, CampaignError
from turnwright.audit.verify import verify
from turnwright.campaign import bootstrap as begin
from turnwright.campaign import timeline
from turnwright.model.errors import BadRequest, CampaignInvalid

Make = Callable[[Path, Path], object]
MAKERS: dict[str, Make] = {
    "new": lambda path, _: Campaign.new(path, seed="late", clock=builders.clock),
    "sample": lambda path, _: Campaign.new(path, "delve", seed="late", clock=builders.clock),
    "fork": lambda path, parent: Campaign.open(parent, builders.clock).fork(path, "#0", seed="late"),
}


@pytest.mark.parametrize("first", MAKERS)
@pytest.mark.parametrize("second", MAKERS)
def test_who_comes_second_is_refused_and_takes_nothing_from_the_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, first: str, second: str
) -> None:
    """The first begins, and takes a turn, between the second's look at the directory and its own beginning."""
    parent, path = tmp_path / "parent", tmp_path / "new"
    builders.begin(parent).close()
    lines: list[bytes] = []

    def overtaken(make_folders: Callable[[Any], None]) -> Callable[[Any], None]:
        def make(files: Any) -> None:
            monkeypatch.undo()
            MAKERS[first](path, parent)
            with Campaign.open(path, builders.clock) as campaign:
                list(campaign.process_drop())
                campaign.process({"user_input": "first"})
            lines.extend((path / "log.jsonl").read_bytes().splitlines())
            make_folders(files)

        return make

    for module in (begin, timeline):
        monkeypatch.setattr(module, "make_folders", overtaken(module.make_folders))
    with pytest.raises(BadRequest, match="is not empty"):
        MAKERS[second](path, parent)
    assert (path / "log.jsonl").read_bytes().splitlines() == lines
    assert log_of(path)[-1]["user_input"] == "first"
    assert not verify(path).problems
    with Campaign.open(path, builders.clock) as campaign:
        assert campaign.process({})["status"] == "empty"


def test_a_campaign_stays_the_same_wherever_the_process_goes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for folder in ("here", "there"):
        (tmp_path / folder).mkdir()
        builders.begin(tmp_path / folder / "game").close()
    monkeypatch.chdir(tmp_path / "here")
    with Campaign.open("game", builders.clock) as campaign:
        monkeypatch.chdir(tmp_path / "there")
        campaign.process(turn(hp_delta(-1)))
        assert campaign.state["characters/pc_001.json"]["hp"] == 9
    assert [len(log_of(tmp_path / folder / "game")) for folder in ("here", "there")] == [2, 1]


@pytest.mark.parametrize("value", [float("inf"), float("nan"), 1e300, -1, "1", True, [1]])
def test_a_time_that_is_none_is_refused_at_once(tmp_path: Path, value: Any) -> None:
    builders.begin(tmp_path / "c").close()
    for name in ("wait", "lag"):
        with pytest.raises(BadRequest, match=f"{name} is a number of seconds"):
            Campaign.open(tmp_path / "c", builders.clock, **{name: value})
    with Campaign.open(tmp_path / "c", builders.clock) as campaign:
        for work in (campaign.flush, campaign.close):
            with pytest.raises(BadRequest, match="wait is a number"):
                work(wait=value)


def test_what_else_is_none_is_refused_by_name(tmp_path: Path, campaign: Campaign) -> None:
    odd: Any
    for odd in (["stage3"], 5, {}):
        with pytest.raises(BadRequest, match="template"):
            Campaign.new(tmp_path / "new", odd)
    assert not (tmp_path / "new").exists()
    for odd in ("1", None, 1.5, True):
        with pytest.raises(BadRequest, match="after"):
            list(campaign.records(after=odd))
    for odd in ([], {}, None, 1, "\ud800"):
        with pytest.raises(BadRequest, match="name of a tool"):
            campaign.query(odd, {})
    for odd in ([10**5000], [object()], ["\ud800"], "12", 5):
        with pytest.raises(BadRequest, match="given dice"):
            campaign.process({}, dice=odd)


def test_an_error_is_the_same_after_it_went_to_another_process(tmp_path: Path) -> None:
    with pytest.raises(CampaignInvalid) as raised:
        Campaign.open(tmp_path / "nope")
    for again in (pickle.loads(pickle.dumps(raised.value)), copy.copy(raised.value)):
        assert isinstance(again, CampaignInvalid)
        assert (str(again), again.problems) == (str(raised.value), raised.value.problems)


def test_a_place_where_no_folder_can_be_made_is_told(tmp_path: Path) -> None:
    if not Path("/proc/self").exists():
        pytest.skip("there is no /proc here")
    with pytest.raises(CampaignError, match="cannot make"):
        Campaign.new("/proc/x/y", clock=builders.clock)
