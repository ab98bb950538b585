"""`show` of a party at a place of the story and of running fights, to the game master and to players."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests import builders
from tests.builders import Json
from tests.cli.conftest import Turnwright
from tests.tools.hall import changed, ephemeral, fight, hall_documents, linked

AS_ARIA = "--as=player:aria"
STORY: dict[str, Json] = {
    "party.json": {"location_id": "location-1", "moves": 1},
    "locations/location-1.json": {
        "id": "location-1",
        "name": "Mill",
        "edges": [
            {"id": "edge-1", "to_location_id": "location-2"},
            {"id": "edge-2", "to_location_id": "location-3", "hidden": True},
            {"id": "edge-3", "to_location_id": "location-4"},
        ],
    },
    "locations/location-2.json": {"id": "location-2", "name": "Forest Road"},
    "locations/location-3.json": {"id": "location-3", "name": "Cellar"},
    "locations/location-4.json": {"id": "location-4", "name": "Grotto", "discovered": False},
}
NOWHERE: dict[str, Json] = {}
for _one in ("aria", "brom", "cyra", "dain", "ogg"):
    NOWHERE |= changed(_one, position=None)
GOBLINS = (ephemeral("grik", 3, 3), ephemeral("snag", 4, 4) | {"hidden": True})


def begun(path: Path, values: dict[str, Json]) -> Path:
    builders.begin(path / "hall", hall_documents() | values).close()
    return path / "hall"


def told(out: str, name: str) -> str:
    """Return the row of somebody."""
    return next(line for line in out.splitlines() if name in line.split())


def test_the_place_of_the_party_is_where_its_members_without_an_area_are(
    tmp_path: Path, turnwright: Turnwright
) -> None:
    _, out, _ = turnwright("show", begun(tmp_path, STORY | NOWHERE))
    assert "\nThe party is at Mill (location-1)\n\n" in out
    assert told(out, "aria").endswith("  Mill (location-1)")
    assert told(out, "ogg").endswith("  nowhere"), "who is not of the party is not with it"


def test_a_player_sees_the_ways_out_that_the_party_knows(tmp_path: Path, turnwright: Turnwright) -> None:
    _, out, _ = turnwright("show", begun(tmp_path, STORY | NOWHERE), AS_ARIA)
    assert "\nYou stand in Mill (location-1).\nWays out: Forest Road (location-2)\n\n" in out


@pytest.mark.parametrize("reader", ["--as=gm", AS_ARIA])
def test_a_running_fight_is_told_with_whose_turn_it_is(tmp_path: Path, turnwright: Turnwright, reader: str) -> None:
    home = begun(tmp_path, fight(linked("aria", 1, 1), *GOBLINS, round=2))
    assert "\nfight encounter-1: round 2, Aria's turn\n\n" in turnwright("show", home, reader)[1]


def test_the_turn_of_somebody_who_hides_is_nobodys_to_a_player(tmp_path: Path, turnwright: Turnwright) -> None:
    home = begun(tmp_path, fight(linked("aria", 1, 1), *GOBLINS, turn_index=2))
    assert "fight encounter-1: round 1, Snag's turn\n" in turnwright("show", home)[1]
    _, out, _ = turnwright("show", home, AS_ARIA)
    assert "fight encounter-1: round 1\n" in out
    assert "snag" not in (out + turnwright("show", home, AS_ARIA, "--json")[1]).lower()


def test_without_a_place_or_a_running_fight_nothing_is_told_of_them(tmp_path: Path, turnwright: Turnwright) -> None:
    home = begun(tmp_path, fight(*GOBLINS, status="ended"))
    for reader in ("--as=gm", AS_ARIA):
        _, out, _ = turnwright("show", home, reader)
        assert "The party is at" not in out
        assert "fight" not in out.split()
        assert not {"place", "fights"} & json.loads(turnwright("show", home, reader, "--json")[1]).keys()
