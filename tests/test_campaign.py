"""The public class, as a program meets it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import assert_type

import pytest
from tests import builders

import turnwright
from turnwright import Campaign, CampaignError, CampaignInvalid


class Table(Campaign):
    """A campaign of a program's own."""


def test_a_subclass_is_opened_as_what_it_is(tmp_path: Path) -> None:
    made = assert_type(Table.new(tmp_path / "table", seed="table", clock=builders.clock), Table)
    made.close()
    with assert_type(Table.open(tmp_path / "table", builders.clock), Table) as table:
        assert type(assert_type(table, Table)) is type(made) is Table


def test_all_public_names_can_be_imported_and_all_errors_are_campaign_errors() -> None:
    public = {name: getattr(turnwright, name) for name in turnwright.__all__}
    errors = {name for name, value in public.items() if issubclass(value, CampaignError)}
    assert set(public) - errors == {"Campaign", "Problem"}
    assert errors >= {one.__name__ for one in CampaignError.__subclasses__()}
    with pytest.raises(AttributeError, match="has no attribute 'Champaign'"):
        turnwright.Champaign  # noqa: B018


def test_a_campaign_of_a_newer_version_is_refused_and_left_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "later"
    turn = {"tool_calls": [builders.move("area_002")]}
    with Campaign.new(path, seed="later", clock=builders.clock) as campaign:
        assert campaign.process(turn)["status"] == "applied"
    log = (path / "log.jsonl").read_bytes()
    monkeypatch.setattr("turnwright.store.documents.FORMAT", 0)
    refusals: tuple[Callable[[Campaign], object], ...] = (
        lambda campaign: campaign.process(turn),
        lambda campaign: campaign.process(turn, dry_run=True),
        lambda campaign: list(campaign.process_drop()),
        Campaign.undo,
        lambda campaign: campaign.set({"results.keep": 9}),
        Campaign.legal,
        lambda campaign: campaign.state,
    )
    for refused in refusals:
        with Campaign.open(path, builders.clock) as campaign:
            for _ in range(2):  # what failed half way the first time is not built upon
                with pytest.raises(CampaignInvalid, match="a newer turnwright is needed"):
                    refused(campaign)
    assert (path / "log.jsonl").read_bytes() == log
