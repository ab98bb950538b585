"""Nothing shows players whom they never met: what a seat is shown is the same with and without these."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests import builders
from tests.builders import Json, call
from tests.cli.conftest import Play, Turnwright
from tests.game_master.playing import says
from tests.tools.hall import ephemeral, fight, hall_documents, linked

Documents = dict[str, Json]
SEATS = ["table", "player:aria"]
WORDS = (
    "/state",
    "/map",
    "/bars",
    "/dice",
    "/why",
    "/whisper Gorm psst",
    "/as gorm",
    "/as Gorm",
    "/map encounter-1",
    "/quit",
)
NO_FIGHT = "error  there is no encounter 'encounter-1'"
OF_THE_MODEL = re.compile(r"script:\S+|[\d,]+( \+ [\d,]+)? tokens")
"""How much a model is asked is the game master's, and depends on everything there is."""


def planted(**gorm: Any) -> Documents:
    """Return the hall with an enemy in a vault that nobody has found, which is a place of the story too."""
    values = hall_documents()
    layer = values["maps/root.json"]
    vault = {"id": "vault", "name": "Sunless Vault", "parent_area_id": None, "reachable_area_ids": ["area_001"]}
    enemy = {"id": "gorm", "name": "Gorm", "character_type": "enemy", "hp": 77, "max_hp": 78, "position": "vault"}
    return {
        **values,
        "maps/root.json": {
            **layer,
            "areas": {**layer["areas"], "vault": vault},
        },
        "characters/gorm.json": {**enemy, **gorm},
        "locations/location-1.json": {
            "id": "location-1",
            "name": "Sunless Vault",
            "discovered": False,
            "area_id": "vault",
        },
    }


def in_a_fight() -> Documents:
    """Return the same with the enemy in a fight that nobody of the party is in, and that nobody goes on with."""
    return planted(hp=0) | fight(linked("gorm", 1, 1, is_enemy=True), ephemeral("ghoul", 2, 2, hp=0, max_hp=9))


def of_nobody(values: Documents) -> Documents:
    """Return documents without a party."""
    campaign = values["campaign.json"]
    selected = {**campaign["selected"], "party_character_ids": [], "active_actor_id": None}
    return {**values, "campaign.json": {**campaign, "selected": selected}}


def shown(play: Play, path: Path, values: Documents, seat: str, *calls: Json, says_it: bool = True) -> str:
    """Return what a seat is shown of an exchange, if there is one, and of every word, in one line."""
    builders.begin(path, values).close()
    answers = [says("The wind turns.", *calls), says("It is quiet.")]
    lines = ("@Gorm, are you there?", *WORDS) if says_it else WORDS
    out = play(path, answers, *lines, options=[f"--as={seat}"], error="" if seat == "gm" else NO_FIGHT)
    return OF_THE_MODEL.sub("-", " ".join(out.split()))


PLANTS: dict[str, Callable[[], Documents]] = {
    "elsewhere": planted,
    "nowhere": lambda: planted(position=None),
    "in a fight elsewhere": in_a_fight,
}


@pytest.mark.parametrize("plant", PLANTS)
@pytest.mark.parametrize("seat", SEATS)
def test_a_seat_is_shown_the_same_whoever_is_planted_out_of_sight(
    play: Play, tmp_path: Path, seat: str, plant: str
) -> None:
    says_it = plant != "in a fight elsewhere"
    bare = shown(play, tmp_path / "bare", hall_documents(), seat, says_it=says_it)
    assert shown(play, tmp_path / "full", PLANTS[plant](), seat, says_it=says_it) == bare


@pytest.mark.parametrize("seat", SEATS)
def test_what_is_done_to_an_enemy_out_of_sight_is_not_told(play: Play, tmp_path: Path, seat: str) -> None:
    hurt = call("hp_delta", target_character_id="gorm", delta=-7, cause="a fall")
    out = shown(play, tmp_path / "hall", planted(), seat, hurt)
    assert "Gorm" not in out.replace("@Gorm", "").replace("Gorm psst", "").replace("/as Gorm", "").replace(
        "! Gorm is not in the party", ""
    )


@pytest.mark.parametrize("plant", PLANTS)
def test_a_table_without_a_party_is_shown_nobody_and_no_place(play: Play, tmp_path: Path, plant: str) -> None:
    says_it = plant != "in a fight elsewhere"
    bare = shown(play, tmp_path / "bare", of_nobody(hall_documents()), "table", says_it=says_it)
    full = shown(play, tmp_path / "full", of_nobody(PLANTS[plant]()), "table", says_it=says_it)
    assert full == bare
    assert [known for known in ("Ogg", "59", "Great Hall", "Cellar", "Aria", "78", "Vault") if known in full] == []


def test_the_game_master_s_seat_is_shown_everybody(play: Play, tmp_path: Path) -> None:
    out = shown(play, tmp_path / "hall", of_nobody(in_a_fight()), "gm", says_it=False)
    assert [known for known in ("gorm Gorm enemy", "0/78", "Sunless Vault (vault)") if known not in out] == []


def test_a_player_who_is_shown_a_campaign_is_shown_nobody_out_of_sight(turnwright: Turnwright, tmp_path: Path) -> None:
    builders.begin(tmp_path / "bare", hall_documents()).close()
    builders.begin(tmp_path / "full", in_a_fight()).close()
    outs = [turnwright("show", tmp_path / place, "--as", "player:aria", "--json") for place in ("bare", "full")]
    assert outs[0] == outs[1]


def test_a_player_without_a_name_is_shown_nothing(turnwright: Turnwright, hall: Path) -> None:
    code, out, err = turnwright("show", hall, "--as", "player:")
    assert (code, out) == (64, "")
    assert "wants the id of a character" in err
