"""A machine that dies while a player is asked: the question is still there, and the answer leads on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.builders import Json
from tests.faults.processes import TURNWRIGHT, Child
from tests.scenes.night import ENGAGE, begin, spend

from turnwright import Campaign
from turnwright.audit.verify import verify
from turnwright.cli.main import run

WATCH = (*TURNWRIGHT, "watch", "--json")


def drop(path: Path, name: str, turn: Json) -> None:
    (path / "turns" / f".{name}").write_text(json.dumps(turn), encoding="utf-8")
    (path / "turns" / f".{name}").rename(path / "turns" / f"{name}.json")


@pytest.mark.parametrize("is_checkpoint_lost", [False, True])
def test_a_killed_watcher_leaves_the_request_open_and_the_answer_leads_on(
    tmp_path: Path, is_checkpoint_lost: bool
) -> None:
    path = tmp_path / "night"
    with Campaign.new(path, "scenes", seed="x") as campaign:
        begin(campaign)
        faces = campaign.state["crew.json"]["dice_pool"]
    with Child(*WATCH, path) as watching:
        drop(path, "1-say", {"user_input": "I go in.", "tool_calls": [ENGAGE]})
        watching.hear_of("1-say.json")
        drop(path, "2-spend", {"tool_calls": [spend(*faces)]})
        asked = watching.hear_of("2-spend.json")["request"]
        watching.kill()
    assert asked["kind"] == "dice"
    if is_checkpoint_lost:
        for file in (path / ".turnwright").glob("checkpoint*"):
            file.unlink()

    assert run(["answer", str(path), "0", "--json"]) == 0
    with Campaign.open(path) as campaign:
        crew = campaign.state["crew.json"]
    assert crew["pending_outcome"]["chosen_die"] == faces[0]
    assert crew["dice_pool"] == faces[1:]
    assert crew["request"] is None
    assert not [problem for problem in verify(path).problems if not problem.warning]
