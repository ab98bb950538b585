"""Quests as `show` tells them: to the game master, to a player, and beside a scene game."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests import builders
from tests.cli.conftest import Turnwright

QUESTS: dict[str, Any] = {
    "quests/quest-1.json": {
        "id": "quest-1",
        "title": "Rats \x1b[31m",
        "giver_id": "npc_001",
        "status": "active",
        "objectives": [{"id": "objective-1", "text": "Find the nest", "done": True}, {"id": "o2", "text": "Burn it"}],
        "reward": "a ring",
    },
    "quests/quest-2.json": {"id": "quest-2", "title": "The heir"},
    "quests/quest-10.json": {"id": "quest-10", "title": "Old feud", "status": "failed", "closed_turn": 3},
}


@pytest.fixture
def home(tmp_path: Path) -> Path:
    builders.begin(tmp_path / "c", builders.documents() | QUESTS).close()
    return tmp_path / "c"


def test_the_game_master_sees_every_quest_the_newest_first(home: Path, turnwright: Turnwright) -> None:
    code, out, _ = turnwright("show", home)
    assert code == 0
    table = out[out.index("quest ") :]
    assert [line.split()[0] for line in table.splitlines()] == ["quest", "quest-10", "quest-2", "quest-1"]
    assert "1/2   Burn it" in table
    assert "\x1b[31m" not in out
    shown = json.loads(turnwright("show", home, "--json")[1])["quests"]
    assert [quest["reward"] for quest in shown] == [None, None, "a ring"]


def test_a_player_sees_what_the_party_took_on_and_not_what_was_promised(home: Path, turnwright: Turnwright) -> None:
    _, out, _ = turnwright("show", home, "--as", "player:pc_001")
    assert "Burn it" in out
    assert "Old feud" in out
    assert "The heir" not in out
    shown = json.loads(turnwright("show", home, "--as", "player:pc_001", "--json")[1])["quests"]
    assert [sorted(quest) for quest in shown] == [["id", "objectives", "status", "title"]] * 2


def test_nothing_is_said_of_quests_where_there_are_none(tmp_path: Path, turnwright: Turnwright) -> None:
    builders.begin(tmp_path / "c").close()
    assert "quest" not in turnwright("show", tmp_path / "c")[1]
    assert "quests" not in json.loads(turnwright("show", tmp_path / "c", "--json")[1])


def test_quests_stand_beside_a_scene_game(tmp_path: Path, turnwright: Turnwright) -> None:
    builders.begin(tmp_path / "c", builders.documents() | QUESTS | {"crew.json": {}}).close()
    assert "The heir" in turnwright("show", tmp_path / "c")[1]
