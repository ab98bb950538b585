"""turnwright content threat: how hard a fight would be, for a game master at a terminal."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.cli.conftest import Turnwright

from turnwright.cli._threat_view import monsters_named
from turnwright.model.errors import BadRequest


@pytest.fixture(name="place")
def fixture_place(tmp_path: Path, turnwright: Turnwright) -> str:
    place = str(tmp_path / "c")
    ended, _, err = turnwright("new", place, "--game", "fifth_edition", "--hero", "Greta, halfling rogue 2")
    assert ended == 0, err
    return place


def test_both_measures_are_told_with_their_sources(turnwright: Turnwright, place: str) -> None:
    ended, out, err = turnwright("content", "threat", place, "goblin", "x", "2", "--runs", "2")
    assert (ended, err) == (0, "")
    told = " ".join(out.split())
    assert told.startswith("2 x Goblin (CR 1/4) against Greta (level 2, ")
    assert "By the rules: 100 XP, 89 % of 112, no more than such a party, rested, should defeat" in told
    assert "By 2 simulations (seed 0): " in told
    assert "somebody falls in " in told
    assert turnwright("content", "threat", place, "goblin x 2", "--runs", "2")[1] == out


def test_a_program_gets_the_figures(turnwright: Turnwright, place: str) -> None:
    ended, out, _ = turnwright(
        "content", "threat", place, "2 wolves and an ogre", "--runs", "1", "--seed", "5", "--json"
    )
    found = json.loads(out)
    assert ended == 0
    assert [(row["monster"], row["count"], row["xp"]) for row in found["monsters"]] == [
        ("wolf", 2, 50),
        ("ogre", 1, 450),
    ]
    assert (found["by_simulation"]["runs"], found["by_simulation"]["seed"]) == (1, 5)
    assert (found["by_rules"]["verdict"], found["by_rules"]["above_level"]) == ("beyond", [])


def test_unknown_monsters_are_named_and_nothing_is_guessed(turnwright: Turnwright, place: str) -> None:
    ended, out, err = turnwright("content", "threat", place, "goblin, jabberwock")
    assert (ended, out) == (1, "")
    assert "monsters.1.monster: no entry of this campaign's packs is named jabberwock" in err
    assert turnwright("content", "threat", place, "3")[0] == 64
    assert turnwright("content", "threat", place, " , ")[0] == 64


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("goblin", [("goblin", 1)]),
        ("goblin x 3", [("goblin", 3)]),
        ("goblin x3", [("goblin", 3)]),
        ("Goblin \u00d7 3", [("Goblin", 3)]),
        ("3 goblins", [("goblins", 3)]),
        ("3x goblins", [("goblins", 3)]),
        ("3 x goblin", [("goblin", 3)]),
        ("an ogre, 2 wolves and the worg", [("ogre", 1), ("wolves", 2), ("worg", 1)]),
        ("xorn", [("xorn", 1)]),
        ("2 xorns + half-red dragon veteran", [("xorns", 2), ("half-red dragon veteran", 1)]),
        ("brand", [("brand", 1)]),
        ("three goblins", [("goblins", 3)]),
        ("a pair of wolves and an ogre", [("wolves", 2), ("ogre", 1)]),
        ("a dozen rats plus Two Ogres", [("rats", 12), ("Ogres", 2)]),
        ("goblins 3", [("goblins", 3)]),
        ("swarm of rats", [("swarm of rats", 1)]),
    ],
)
def test_monsters_in_words(text: str, meant: list[tuple[str, int]]) -> None:
    assert [(each["monster"], each.get("count", 1)) for each in monsters_named(text)] == meant


@pytest.mark.parametrize("text", ["", " ", ",", "3", "3 x", "goblin, 2", "a" * 1001])
def test_a_list_that_names_no_monster_is_refused(text: str) -> None:
    with pytest.raises(BadRequest):
        monsters_named(text)
