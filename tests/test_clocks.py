"""A clock that gives what no record can hold is the caller's fault, and told as that."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from tests import builders

from turnwright import Campaign
from turnwright.model.errors import BadRequest


@pytest.mark.parametrize(
    "moment",
    [
        datetime.max.replace(tzinfo=timezone(timedelta(hours=-1))),
        datetime.min.replace(tzinfo=timezone(timedelta(hours=1))),
        datetime(2026, 1, 1),
        None,
        "2026-01-01T00:00:00+00:00",
        0,
    ],
    ids=str,
)
def test_a_clock_that_gives_no_moment_in_utc_is_told_and_nothing_is_applied(tmp_path: Path, moment: Any) -> None:
    builders.begin(tmp_path / "c").close()
    before = (tmp_path / "c" / "log.jsonl").read_bytes()
    with (
        Campaign.open(tmp_path / "c", lambda: moment) as campaign,
        pytest.raises(BadRequest, match="the clock"),
    ):
        campaign.process(builders.turn(builders.hp_delta(-1)))
    assert (tmp_path / "c" / "log.jsonl").read_bytes() == before
    with pytest.raises(BadRequest):
        Campaign.new(tmp_path / "new", clock=lambda: moment)


def test_the_last_moment_of_all_is_taken(tmp_path: Path) -> None:
    builders.begin(tmp_path / "c").close()
    with Campaign.open(tmp_path / "c", lambda: datetime.max.replace(tzinfo=UTC)) as campaign:
        assert campaign.process({})["timestamp"] == "9999-12-31T23:59:59+00:00"
