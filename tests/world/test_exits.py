"""Ways out: nobody but the game master is told of those that nobody has found, whatever door they come through."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from tests.builders import Json, area, call, documents, move, results, turn
from tests.conftest import MakeCampaign

from turnwright import Campaign
from turnwright.views.state import map_of_player, player_view

MIRA = "player:pc_001"


def place(identifier: str, area_id: str, *edges: Json, **fields: Any) -> Json:
    return {"id": identifier, "name": identifier.title(), "area_id": area_id, "edges": list(edges)} | fields


def way(to: str, **fields: Any) -> Json:
    return {"id": "way-1", "to_location_id": to} | fields


SECRET_PLACE: dict[str, Json] = {"locations/vault.json": place("vault", "area_003", discovered=False)}
CLOSED: dict[str, Json] = {
    "a locked way": {
        "locations/gate.json": place("gate", "area_001", way("vault", locked=True)),
        "locations/vault.json": place("vault", "area_003"),
    },
    "a way": {
        "locations/gate.json": place("gate", "area_001", way("vault", hidden=True)),
        "locations/vault.json": place("vault", "area_003"),
    },
    "a way back": {
        "locations/gate.json": place("gate", "area_001"),
        "locations/vault.json": place("vault", "area_003", way("gate", hidden=True)),
    },
}
"""What keeps everybody from going from area_001 to area_003."""
SECRETS: dict[str, Json] = {"a place": SECRET_PLACE} | CLOSED
"""What keeps area_003 from being known as a way out of area_001."""
NO_SECRETS: dict[str, Json] = {
    "no places": {},
    "a place": {"locations/vault.json": place("vault", "area_003")},
    "an unknown place here": {"locations/gate.json": place("gate", "area_001", discovered=False)},
    "an open way": {
        "locations/gate.json": place("gate", "area_001", way("vault")),
        "locations/vault.json": place("vault", "area_003"),
    },
    "a way that was found": {
        "locations/gate.json": place("gate", "area_001", way("vault", hidden=True, discovered=True)),
        "locations/vault.json": place("vault", "area_003"),
    },
    "a hidden way elsewhere": {
        "locations/gate.json": place("gate", "area_001", way("attic", hidden=True)),
        "locations/vault.json": place("vault", "area_003"),
        "locations/attic.json": place("attic", "area_004"),
    },
}


def by_turn(campaign: Campaign, authority: str) -> list[str]:
    options = results(campaign.process(turn(call("move_options")), authority=authority))[0]["options"]
    return [option["to_area_id"] for option in options]


def by_query(campaign: Campaign, authority: str) -> list[str]:
    options = campaign.query("move_options", {}, authority=authority)["result"]["options"]
    return [option["to_area_id"] for option in options]


def by_schema(campaign: Campaign, authority: str) -> list[str]:
    calls = campaign.legal(authority)["oneOf"]
    steps = next(one["properties"]["args"] for one in calls if one["properties"]["tool"]["const"] == "move")
    found: list[str] = steps["properties"]["to_area_id"]["enum"]
    return found


def by_view(campaign: Campaign, authority: str) -> list[str]:
    with campaign.reading() as world:
        return [one["id"] for one in player_view(world, authority.partition(":")[2])["exits"]]


def by_map(campaign: Campaign, authority: str) -> list[str]:
    with campaign.reading() as world:
        drawn = {one.id: one for one in map_of_player(world, authority.partition(":")[2]).areas}
    assert drawn.keys() >= {"area_001", *drawn["area_001"].exits}
    return list(drawn["area_001"].exits)


Door = Callable[[Campaign, str], list[str]]
OF_EVERYBODY: list[Door] = [by_turn, by_query, by_schema]


@pytest.mark.parametrize("door", [*OF_EVERYBODY, by_view, by_map])
@pytest.mark.parametrize("secret", SECRETS)
def test_a_player_is_told_of_no_way_that_nobody_has_found(make_campaign: MakeCampaign, secret: str, door: Door) -> None:
    assert door(make_campaign(documents() | SECRETS[secret]), MIRA) == ["area_002"]


@pytest.mark.parametrize("door", [*OF_EVERYBODY, by_view, by_map])
@pytest.mark.parametrize("plain", NO_SECRETS)
def test_a_player_is_told_of_every_other_way(make_campaign: MakeCampaign, plain: str, door: Door) -> None:
    assert door(make_campaign(documents() | NO_SECRETS[plain]), MIRA) == ["area_002", "area_003"]


@pytest.mark.parametrize("door", OF_EVERYBODY)
def test_the_game_master_is_told_of_places_that_nobody_has_discovered(make_campaign: MakeCampaign, door: Door) -> None:
    assert door(make_campaign(documents() | SECRET_PLACE), "gm") == ["area_002", "area_003"]


def test_who_names_a_place_that_nobody_has_discovered_can_go_there(make_campaign: MakeCampaign) -> None:
    campaign = make_campaign(documents() | SECRET_PLACE)
    assert campaign.process(turn(move("area_003")), authority=MIRA)["status"] == "applied"
    assert campaign.state["locations/vault.json"]["discovered"]


@pytest.mark.parametrize("authority", ["gm", MIRA])
@pytest.mark.parametrize("closed", CLOSED)
def test_nobody_goes_through_a_closed_way(make_campaign: MakeCampaign, closed: str, authority: str) -> None:
    campaign = make_campaign(documents() | CLOSED[closed])
    assert campaign.process(turn(move("area_003")), authority=authority)["status"] == "failed"
    assert by_turn(campaign, authority) == ["area_002"]


def test_where_every_way_is_secret_no_move_is_legal_for_a_player(make_campaign: MakeCampaign) -> None:
    areas = [area("area_001", "area_003"), area("area_003")]
    calls = make_campaign(documents(areas=areas) | SECRETS["a place"]).legal(MIRA)["oneOf"]
    assert [one["properties"]["tool"]["const"] for one in calls] == ["move_options"]
