"""Campaigns of earlier versions: this version reads them, takes their last turn back, and continues them."""

from __future__ import annotations

import io
import json
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests import builders

from turnwright import Campaign
from turnwright.audit.verify import verify
from turnwright.cli.main import run

ARCHIVE = Path(__file__).parent / "archive"
FROZEN = sorted(path.parent for path in ARCHIVE.glob("*/*/log.jsonl"))
Json = Any
Told = Callable[..., str]

ROLL = {"id": "next", "tool": "roll_dice", "args": {"expression": "1d20"}}


def next_turn(state: Json) -> Json:
    """Return a turn that any campaign of the archive applies: a die, or a wound that heals by one."""
    campaign = state["campaign.json"]
    if "roll_dice" in campaign["allowlist"]:
        return {"tool_calls": [ROLL]}
    request = state.get("crew.json", {}).get("request")
    if request:
        return {"answer": {"request_id": request["id"], "value": "cancel"}}
    able = next(
        who
        for who in campaign["selected"]["party_character_ids"]
        if state[f"characters/{who}.json"]["character_state"] in ("alive", "dying")
    )
    args = {"target_character_id": able, "delta": 1, "cause": "a rest by the road"}
    return {"actor_id": able, "tool_calls": [{"id": "next", "tool": "hp_delta", "args": args}]}


@pytest.fixture(params=FROZEN, ids=lambda path: f"{path.parent.name}-{path.name}")
def frozen(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    origin: Path = request.param
    return Path(shutil.copytree(origin, tmp_path / origin.name))


@pytest.fixture
def told(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Told:
    """Give a function that runs a command, which must succeed, and returns its output."""

    def call(*arguments: object, typed: str = "") -> str:
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        code = run([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        assert code == 0, captured.out + captured.err
        return captured.out

    return call


def test_the_archive_is_there() -> None:
    assert {path.name for path in FROZEN} >= {"barrow_mid_fight", "heist_dice", "retried", "edited", "undone", "forked"}


def test_an_archived_campaign_is_sound_and_every_command_reads_it(frozen: Path, told: Told) -> None:
    before = (frozen / "log.jsonl").read_bytes()
    campaign = json.loads((frozen / "campaign.json").read_bytes())
    title = campaign["title"] or campaign["id"]
    assert verify(frozen).problems == ()
    assert title in told("show", frozen)
    assert title in told("map", frozen)
    records = before.count(b"\n")
    assert len(told("log", frozen, "--json").splitlines()) == records
    assert len(told("log", frozen).splitlines()) >= records
    assert title in told("play", frozen, "--model", "echo", typed="/state\n/why\n/quit\n")
    assert (frozen / "log.jsonl").read_bytes().startswith(before)
    assert verify(frozen).problems == ()


def test_the_last_turn_of_an_archived_campaign_can_be_taken_back(frozen: Path, told: Told) -> None:
    before = builders.log_of(frozen)
    told("undo", frozen)
    assert builders.log_of(frozen)[: len(before)] == before
    assert builders.log_of(frozen)[-1]["kind"] == "undo"
    assert verify(frozen).problems == ()


def test_an_archived_campaign_applies_its_next_turn(frozen: Path) -> None:
    with Campaign.open(frozen, builders.clock) as campaign:
        reply = campaign.process(next_turn(campaign.state))
        assert reply["status"] == "applied", reply
    assert verify(frozen).problems == ()
