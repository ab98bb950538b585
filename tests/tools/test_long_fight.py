"""A fight of eight against eight over many rounds: replayed, killed in its middle, and taken back."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.builders import clock
from tests.sampling import count
from tests.tools.hall import WORLD

from turnwright import Campaign
from turnwright.audit.verify import verify
from turnwright.model.state.fold import fold

Json = Any
ROUNDS = count(quick=12, thorough=30)
FIGHT = "encounter-1"
OURS = ["aria", "brom", "cyra", "dain"]
SEED = "long fight"


def fighters() -> list[Json]:
    """Return eight on each side: characters and made-up ones, sturdy enough for a long fight."""
    made_up = [("squire", False)] * 4 + [("raider", True)] * 6
    linked: list[Json] = [{"character_id": name, "position": {"x": 2, "y": 2 * i}} for i, name in enumerate(OURS)]
    linked += [{"character_id": name, "position": {"x": 9, "y": 3 * i}} for i, name in enumerate(("grik", "ogg"))]
    others = [
        {
            "id": f"{kind}{number}",
            "name": kind,
            "hp": 120,
            "max_hp": 120,
            "ac": 13,
            "attack_bonus": 4,
            "damage": "1d8+1",
            "is_enemy": is_enemy,
            "position": {"x": 8 if is_enemy else 3, "y": 8 + number},
        }
        for number, (kind, is_enemy) in enumerate(made_up)
    ]
    return linked + others


def turns(campaign: Campaign) -> list[Json]:
    """Play the fight with whoever's turn it is attacking whom it can reach; return the turns that made it."""
    begun = {"turn_id": "begin", "tool_calls": [call("create_encounter", participants=fighters())]}
    assert campaign.process(begun)["status"] == "applied"
    rng, played = Random(1), [begun]
    while True:
        with campaign.reading() as world:
            document = world.get(f"encounters/{FIGHT}.json")
        assert document is not None
        fight: Json = document.value()
        if fight["round"] > ROUNDS:
            return played
        turn = one_turn(fight, rng, len(played))
        reply = campaign.process(turn)
        assert "advance_turn" in [action["tool"] for action in reply["applied_actions"]], reply
        played.append(turn)


def one_turn(fight: Json, rng: Random, number: int) -> Json:
    """Return a turn: go for somebody of the other side, strike, and end the turn."""
    actor = fight["participants"][fight["turn_index"]]
    others = [person for person in fight["participants"] if person["is_enemy"] != actor["is_enemy"]]
    target = rng.choice(others)
    place = {"x": max(0, target["position"]["x"] - 1), "y": target["position"]["y"]}
    who = {"encounter_id": FIGHT, "actor_id": actor["id"]}
    calls = [
        call("execute_action", **who, move_to=place),
        call("execute_action", **who, action_type="attack", target_id=target["id"]),
        call("advance_turn", encounter_id=FIGHT),
    ]
    if rng.random() < 0.1:
        calls.insert(0, call("hp_delta", target_character_id=rng.choice(OURS), delta=rng.choice([-3, 5]), cause="luck"))
    return {"turn_id": f"t{number}", "tool_calls": calls}


def call(tool: str, **args: Any) -> Json:
    return {"id": tool, "tool": tool, "args": args}


def documents(path: Path) -> dict[str, bytes]:
    """Return every file of state, and the log."""
    found = (place for place in path.rglob("*.json*") if ".turnwright" not in place.parts)
    return {place.relative_to(path).as_posix(): place.read_bytes() for place in found}


@pytest.fixture(scope="module")
def fought(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Json]]:
    """Give the campaign after the fight, and the turns that made it."""
    path = tmp_path_factory.mktemp("long") / "hall"
    start(path)
    with Campaign.open(path, clock, lag=3600) as campaign:
        return path, turns(campaign)


def start(path: Path) -> None:
    """Make the hall anew with the same dice."""
    with Campaign.new(path, template="toolkit", seed=SEED, clock=clock):
        pass
    for place in WORLD.rglob("*.json"):
        there = path / place.relative_to(WORLD)
        there.parent.mkdir(exist_ok=True)
        value = json.loads(place.read_text()) | ({"created_at": None} if place.name == "campaign.json" else {})
        there.write_text(json.dumps(value, indent=2) + "\n")
    with Campaign.open(path, clock) as campaign:
        campaign.process({"turn_id": "before"})


def test_many_rounds_are_fought_and_the_log_says_all_of_it(fought: tuple[Path, list[Json]]) -> None:
    path, played = fought
    findings = verify(path)
    assert not findings.problems
    with Campaign.open(path, clock) as campaign:
        records = list(campaign.records())
        assert fold(records) == campaign.state
    attacks = [
        action["result"]["attack"]["result"]
        for record in records
        for action in record.get("applied_actions", ())
        if action["result"].get("attack")
    ]
    assert {"hit", "miss", "critical_hit"} <= set(attacks)
    assert len(played) > 8 * ROUNDS


def test_the_same_turns_with_the_same_dice_are_the_same_bytes(fought: tuple[Path, list[Json]], tmp_path: Path) -> None:
    path, played = fought
    again = tmp_path / "hall"
    start(again)
    with Campaign.open(again, clock, lag=3600) as campaign:
        for turn in played:
            campaign.process(turn)
    assert documents(again) == documents(path)


def test_undo_takes_sheets_and_fight_back_together(fought: tuple[Path, list[Json]], tmp_path: Path) -> None:
    path, _ = fought
    copy = tmp_path / "hall"
    shutil.copytree(path, copy)
    with Campaign.open(copy, clock, lag=3600) as campaign:
        for mark in (9 * ROUNDS, 5 * ROUNDS, 7):
            wanted = campaign.state_at(f"t{mark - 1}")
            campaign.undo(f"t{mark}")
            state = campaign.state
            assert without_counters(state) == without_counters(wanted)
    assert not verify(copy).problems


def without_counters(state: Json) -> Json:
    return {path: value for path, value in state.items() if path != "campaign.json"}


PROGRAM = """
import json, sys
from datetime import UTC, datetime
from turnwright import Campaign
clock = lambda: datetime(2026, 1, 14, 16, 5, 31, tzinfo=UTC)
with Campaign.open(sys.argv[1], clock) as campaign:
    for line in open(sys.argv[2], encoding="utf-8"):
        print(campaign.process(json.loads(line))["status"], flush=True)
"""


@pytest.mark.slow
def test_a_kill_in_the_middle_loses_nothing(fought: tuple[Path, list[Json]], tmp_path: Path) -> None:
    path, played = fought
    killed, script = tmp_path / "hall", tmp_path / "turns.jsonl"
    start(killed)
    script.write_text("".join(json.dumps(turn) + "\n" for turn in played), encoding="utf-8")
    rng, kills = Random(2), 0
    for _ in range(3):
        child = run(killed, script)
        time.sleep(0.6 + rng.random())
        if child.poll() is None:
            kills += 1
            child.send_signal(signal.SIGKILL)
        child.wait(60)
    assert kills, "nothing was killed"
    assert run(killed, script).wait(300) == 0
    assert (killed / "log.jsonl").read_bytes() == (path / "log.jsonl").read_bytes()
    assert not verify(killed).problems


def run(path: Path, script: Path) -> subprocess.Popen[bytes]:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    command = [sys.executable, "-c", PROGRAM, str(path), str(script)]
    return subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL)
