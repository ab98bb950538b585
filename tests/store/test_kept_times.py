"""A hand edit of the same length that keeps the time of change is seen, in whichever way it was made."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from tests import builders
from tests.store.kit import kinds

from turnwright import Campaign
from turnwright.store import hand_edits as guard

PC = "characters/pc_001.json"
TURN = builders.turn(builders.hp_delta(-1))


def put_in_place(file: Path, text: str) -> None:
    """Write over the file itself, as an editor may."""
    file.write_text(text, encoding="utf-8")


def put_another(file: Path, text: str) -> None:
    """Put another file there, as `rsync -t` does."""
    beside = file.with_suffix(".new")
    beside.write_text(text, encoding="utf-8")
    beside.replace(file)


@pytest.mark.parametrize("put", [put_in_place, put_another], ids=lambda put: put.__name__)
@pytest.mark.parametrize("stays", [True, False], ids=["a program that stays", "opened anew"])
def test_an_edit_that_keeps_length_and_time_is_taken_over(
    campaign: Campaign, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, put: Callable[[Path, str], None], stays: bool
) -> None:
    monkeypatch.setattr(guard, "SETTLED_NS", -(10**18))  # every file counts as old enough to be known by its look
    path = tmp_path / "campaign_0"
    assert campaign.process(TURN)["status"] == "applied"
    campaign.close()
    opened = Campaign.open(path, builders.clock)
    assert opened.set({"goal.text": "x"})["changed"]  # whose looks are kept
    opened.flush()
    if not stays:
        opened.close()
    before = (path / PC).stat()
    put(path / PC, (path / PC).read_text(encoding="utf-8").replace('"area_001"', '"area_002"'))
    os.utime(path / PC, ns=(before.st_atime_ns, before.st_mtime_ns))
    after = (path / PC).stat()
    assert (after.st_size, after.st_mtime_ns) == (before.st_size, before.st_mtime_ns)
    if not stays:
        opened = Campaign.open(path, builders.clock)
    assert opened.process(TURN)["status"] == "applied"
    person = opened.state[PC]
    opened.close()
    assert (person["position"], person["hp"]) == ("area_002", 8)
    assert kinds(path) == ["new", "turn", "settings", "edit", "turn"]
