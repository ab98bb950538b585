"""What a player does not know is answered like what does not exist: nothing tells that it is there."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.conftest import MakeCampaign
from tests.plain import PEOPLE, Json, area, call, documents, move, person, turn

from turnwright import Campaign
from turnwright.stages.player_hints import known_to
from turnwright.stages.publish import project

MIRA = "player:pc_001"
HALL = area("area_001", "area_002", "mill") | {"name": "Hall"}
WAYS = [HALL, area("area_002", "area_001") | {"name": "Old Yard"}, area("mill", "area_001") | {"name": "Old Mill"}]
NAMES = ["Old Mill", "Old Hill", "Hidden Vault", "Hall", "Mira", "Tomas", "Tomass", "Grell", "Odo"]
IDS = [
    "mill",
    "mil",
    "vault",
    "vaults",
    "area_002",
    "area_02",
    "area_003",
    "pc_001",
    "pc_02",
    "npc_001",
    "npc_01",
    "odo",
]


def hidden_area(area_id: str, name: str) -> dict[str, Json]:
    """Return a place that nobody has discovered; the way to it is none that the party knows."""
    values = documents(PEOPLE, [*WAYS, area(area_id, "area_001") | {"name": name}])
    values["maps/root.json"]["areas"]["area_001"] = HALL | {"reachable_area_ids": ["area_002", "mill", area_id]}
    place = {"id": "location-1", "name": name, "area_id": area_id, "discovered": False}
    return values | {"locations/location-1.json": place}


def hidden_person(character_id: str, name: str) -> dict[str, Json]:
    """Return somebody in an area where the party never was."""
    somebody = person(character_id, name=name, position="mill", character_type="npc")
    return documents([*PEOPLE, somebody], WAYS)


PLAIN = documents(PEOPLE, WAYS)
PLANTED: dict[str, dict[str, Json]] = {
    "a place of another name": hidden_area("vault", "Hidden Vault"),
    "a place nearly named like a way out": hidden_area("mils", "Old Hill"),
    "a place named like a way out": hidden_area("area_003", "Old Mill"),
    "a person of another name": hidden_person("odo", "Odo"),
    "a person named like one of the party": hidden_person("npc_002", "Tomas"),
    "a person nearly named like one of the party": hidden_person("tomas", "Tomass"),
}


def told(campaign: Campaign, asked: Any) -> Any:
    """Return what a player is told of their call, be it done or not."""
    reply = campaign.process(turn(asked), authority=MIRA, dry_run=True)
    with campaign.reading() as world:
        seen = project(reply, MIRA, own=True, known=known_to(world, "pc_001"))
    return seen["status"], seen["tool_feedback"]["failed_calls"]


def calls(name: str, other: str) -> list[Json]:
    """Return calls that name somebody or some place where it may be named."""
    return [
        move(name, "area_001"),
        move("area_002", name),
        move(name, other),
        move("area_002", "area_001", actor=name),
        call("move_options", actor_id=name),
        call("move", actor_id="pc_001", to=name),
        call("move", arguments={"actor_id": "pc_001", "from_area_id": name, "to_area_id": other}),
        call(name),
    ]


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Campaign]:
    from tests.plain import begin

    folder = tmp_path_factory.mktemp("secrets")
    worlds = {"plain": PLAIN, **PLANTED}
    return {name: begin(folder / str(number), values) for number, (name, values) in enumerate(worlds.items())}


@pytest.mark.parametrize("secret", PLANTED)
@given(name=st.sampled_from(NAMES + IDS), other=st.sampled_from(NAMES + IDS))
def test_nothing_that_a_player_is_told_depends_on_what_is_hidden(
    tables: dict[str, Campaign], secret: str, name: str, other: str
) -> None:
    hidden = {"vault", "mils", "area_003"}  # ids of hidden places: who names one exactly can go there
    for asked in calls(name, other):
        if asked["args"].get("to_area_id") in hidden:
            continue
        assert told(tables[secret], asked) == told(tables["plain"], asked)


def test_the_planted_worlds_differ_for_the_game_master(make_campaign: MakeCampaign) -> None:
    values = PLANTED["a place nearly named like a way out"]
    reply = make_campaign(values).process(turn(move("Old Hil", "area_001")))
    assert "mils" in str(reply["tool_feedback"]["failed_calls"][0]["hint"])
