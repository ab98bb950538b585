"""`map --encounter`: a fight of a real campaign, as text and as a drawing."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest
from tests import builders
from tests.cli.conftest import Turnwright
from tests.tools.hall import fight, hall_documents, linked

AURA = {
    "id": "aura-1",
    "owner_id": "brom",
    "spell_name": "Spirit Guardians",
    "radius": 10,
    "encounter_id": "encounter-1",
}


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """Give a campaign with a fight: Aria, whose turn it is, has 30 feet; Brom has an aura; Ogg is large."""
    people = (linked("aria", 1, 1), linked("brom", 4, 1), linked("ogg", 7, 3, is_enemy=True))
    terrain = {"width": 16, "height": 6, "obstacles": ["3,0", "3,1", "3,2"], "water": ["0,5"]}
    values = hall_documents() | fight(*people, terrain=terrain) | {"auras/aura-1.json": AURA}
    builders.begin(tmp_path / "hall", values).close()
    return tmp_path / "hall"


def test_a_fight_is_drawn_as_text(place: Path, turnwright: Turnwright) -> None:
    code, out, _ = turnwright("map", place, "--encounter", "encounter-1")
    assert code == 0
    rows = out.splitlines()
    assert rows[1] == "encounter-1 · round 1 · Aria's turn · bright light"
    assert rows[3:5] == ["            111111", "  0123456789012345"]
    assert rows[6:8] == ["1 ·A·█B···········", "2 ···█············"]
    assert rows[8] == "3 ·······oo·······"
    assert "▶  A Aria  ally   (1,1)  44/44 hp" in out
    assert "aura" not in out


def test_the_map_and_the_party_show_the_hit_points_that_count(tmp_path: Path, turnwright: Turnwright) -> None:
    values = hall_documents()
    values["characters/aria.json"]["conditions"] = [{"condition": "exhaustion", "exhaustion_level": 4}]
    builders.begin(tmp_path / "hall", values).close()
    assert "22/22 hp" in turnwright("map", tmp_path / "hall")[1]
    assert "22/22" in turnwright("show", tmp_path / "hall")[1]


def test_reach_and_auras_are_shown_when_they_are_asked_for(place: Path, turnwright: Turnwright) -> None:
    _, out, _ = turnwright("map", place, "--encounter", "encounter-1", "--reach", "--auras")
    rows = out.splitlines()
    # No diagonal leads past the corner of a wall, so (5,1) and (6,1) are 30 feet away, and (5,0) is 35.
    assert rows[5:7] == ["0 +++█············", "1 +A+█B++·········"]
    assert rows[10] == "5 ≈++++++·········"
    assert "aura: Spirit Guardians of Brom, 10 ft" in out
    assert "+ within reach of Aria" in out


def test_a_window_and_plain_ascii(place: Path, turnwright: Turnwright) -> None:
    _, out, _ = turnwright("map", place, "--encounter", "encounter-1", "--focus", "ogg", "--ascii")
    assert "1 .A.#B.........." in out
    assert "#" in out
    assert ">  A Aria" in out


def test_a_fight_is_drawn_as_svg(place: Path, turnwright: Turnwright, tmp_path: Path) -> None:
    picture = tmp_path / "fight.svg"
    code, out, _ = turnwright(
        "map", place, "--encounter", "encounter-1", "--svg", picture, "--auras", "--reach", "--ascii"
    )
    assert (code, out.startswith("wrote ")) == (0, True)
    root = ElementTree.parse(picture).getroot()
    assert {element.get("data-token") for element in root.iter()} >= {"aria", "brom", "ogg"}
    assert "aura-1" in {element.get("data-aura") for element in root.iter()}


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--encounter", "encounter-2"), "did you mean encounter-1?"),
        (("--encounter", "encounter-1", "--focus", "oggg"), "did you mean ogg?"),
        (("--reach",), "want --encounter"),
        (("--focus", "ogg"), "want --encounter"),
    ],
)
def test_wrong_usage_is_told(place: Path, turnwright: Turnwright, arguments: tuple[str, ...], told: str) -> None:
    code, _, err = turnwright("map", place, *arguments)
    assert code == 64
    assert told in err
