"""The folders of a campaign: how long ago something in it changed, asked without a trace."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from tests import builders

from turnwright import Campaign
from turnwright.store.files import Files
from turnwright.store.folders import age_ns, newest_change


def listing(path: Path) -> list[str]:
    return sorted(entry.relative_to(path).as_posix() for entry in path.rglob("*"))


def test_the_age_of_a_change_is_told_by_the_file_systems_clock_and_changes_nothing_else(
    campaign: Campaign, tmp_path: Path
) -> None:
    campaign.close()
    path = tmp_path / "campaign_0"
    files, before = Files(path), listing(path)
    newest = newest_change(files)
    first, second = age_ns(files, newest), age_ns(files, newest - 5)
    assert 0 <= first < second
    assert (listing(path), newest_change(files)) == (before, newest)


@pytest.mark.parametrize("is_link", [False, True])
def test_where_there_is_no_drop_folder_no_age_is_told_and_nothing_is_made(tmp_path: Path, *, is_link: bool) -> None:
    path, elsewhere = tmp_path / "tale", tmp_path / "elsewhere"
    Campaign.new(path, clock=builders.clock).close()
    elsewhere.mkdir()
    shutil.rmtree(path / "turns")
    if is_link:
        (path / "turns").symlink_to(elsewhere)
    before, then = listing(path), elsewhere.stat().st_mtime_ns
    assert age_ns(Files(path), 0) == 0
    assert (listing(path), elsewhere.stat().st_mtime_ns) == (before, then)
