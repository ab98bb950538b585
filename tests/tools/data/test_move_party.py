"""move_party, and core `move` where areas are places: the party's way through the story."""

from __future__ import annotations

from typing import Any

import pytest
from tests.builders import Json, call, turn
from tests.tools.conftest import HallWith
from tests.tools.hall import Hall, changed

PARTY = ["aria", "brom", "cyra", "dain"]


def place(identifier: str, *edges: Json, **fields: Any) -> dict[str, Json]:
    value: Json = {"id": identifier, "name": identifier.title()} | fields
    return {f"locations/{identifier}.json": value | ({"edges": list(edges)} if edges else {})}


def edge(number: int, to: str, **fields: Any) -> Json:
    return {"id": f"edge-{number}", "to_location_id": to} | fields


@pytest.fixture
def town(hall_with: HallWith) -> Hall:
    """Give a town: the inn leads to the gate (open), the vault (locked), the crypt (hidden), the pit (one-way)."""
    return hall_with(
        place(
            "inn",
            edge(1, "gate"),
            edge(2, "vault", locked=True, lock_dc=15),
            edge(3, "crypt", hidden=True),
            edge(4, "pit", one_way=True),
            area_id="area_001",
        ),
        place("gate", area_id="area_002", discovered=False),
        place("vault"),
        place("crypt"),
        place("pit"),
        place("moon"),
        {"party.json": {"location_id": "inn"}},
    )


def go(hall: Hall, to: str, **flags: bool) -> Json:
    return hall.do("move_party", to_location_id=to, **flags)


def exits(result: Json) -> list[str]:
    return [way["location_id"] for way in result["exits"]]


def test_the_first_place_needs_no_way(hall_with: HallWith) -> None:
    nowhere = [changed(member, position=None) for member in PARTY]
    hall = hall_with(place("inn"), place("gate"), *nowhere)
    shown = hall.do("move_party", to_location_name=" INN")
    assert shown["moved"]
    assert (shown["from"], shown["to"], shown["via"]) == (None, {"location_id": "inn", "name": "Inn"}, None)
    assert (shown["placed"], shown["exits"], shown["total_moves"]) == (PARTY, [], 1)
    assert {hall.person(member)["position"] for member in PARTY} == {"inn"}
    assert hall.campaign.state["party.json"] == {"location_id": "inn", "known_area_ids": ["inn"], "moves": 1}
    assert hall.campaign.state["moves/move-1.json"] == {"id": "move-1", "to_location_id": "inn"}


def test_a_story_apart_from_the_area_of_the_party_is_begun_without_a_way(hall_with: HallWith) -> None:
    hall = hall_with(place("inn", edge(1, "cellar")), place("cellar"))
    shown = hall.do("move_party", to_location_id="inn")
    assert (shown["from"]["location_id"], shown["to"]["location_id"], shown["via"]) == ("area_001", "inn", None)
    assert {hall.person(member)["position"] for member in PARTY} == {"inn"}
    assert hall.fail("move_party", to_location_id="area_001")["hint"]["why"] == "not_connected"


@pytest.mark.parametrize("door", [{}, {"locked": True}, {"hidden": True}])
def test_a_story_that_any_way_joins_is_not_begun_past_its_doors(hall_with: HallWith, door: Json) -> None:
    gate = place("gate", area_id="area_002")
    hall = hall_with(place("inn", edge(1, "gate", **door), edge(2, "cellar")), place("cellar"), gate)
    assert hall.fail("move_party", to_location_id="cellar")["hint"]["why"] == "not_connected"


def test_a_step_goes_into_the_history_and_the_place_is_discovered(town: Hall) -> None:
    shown = go(town, "Gate")
    assert shown["from"] == {"location_id": "inn", "name": "Inn"}
    assert shown["via"]["edge_id"] == "edge-1"
    assert shown["location"]["discovered"]
    assert exits(shown) == ["inn"]
    step = {"id": "move-1", "from_location_id": "inn", "to_location_id": "gate", "edge_id": "edge-1"}
    assert town.campaign.state["moves/move-1.json"] == step
    go(town, "inn")
    history = town.do("move_party", operation="history")
    assert [entry["location_id"] for entry in history["history"]] == ["gate", "inn"]
    assert history["total_moves"] == 2


def test_a_place_that_is_an_area_gets_every_member(town: Hall) -> None:
    assert go(town, "gate")["placed"] == PARTY
    assert {town.person(member)["position"] for member in PARTY} == {"area_002"}
    assert town.person("grik")["position"] == "area_001"


def test_a_split_party_starts_where_the_acting_character_stands(town: Hall) -> None:
    town.do("move", to_area_id="area_002")
    assert town.do("move_party", operation="status") == {
        "location": None,
        "exits": [],
        "split": [
            {"area_id": "area_002", "name": "Gate", "character_ids": ["aria"]},
            {"area_id": "area_001", "name": "Inn", "character_ids": PARTY[1:]},
        ],
        "total_moves": 0,
    }
    assert town.fail("move_party", to_location_id="pit")["hint"]["why"] == "not_connected"
    shown = go(town, "inn")
    assert (shown["moved"], shown["from"]["location_id"], shown["via"]["edge_id"]) == (True, "gate", "edge-1")
    assert shown["placed"] == PARTY
    assert town.person("aria")["position"] == "area_001"


def test_a_split_party_gathers_where_the_acting_character_stands(town: Hall) -> None:
    town.do("move", to_area_id="area_002")
    shown = go(town, "gate")
    assert (shown["moved"], shown["from"]["location_id"], shown["via"]) == (True, "gate", None)
    assert {town.person(member)["position"] for member in PARTY} == {"area_002"}


@pytest.mark.parametrize(
    ("to", "why"),
    [
        ("moon", {"why": "not_connected"}),
        ("crypt", {"why": "not_connected"}),
        ("vault", {"why": "locked", "lock_dc": 15}),
    ],
)
def test_a_way_that_is_not_open_breaks_the_rules(town: Hall, to: str, why: Json) -> None:
    feedback = town.fail("move_party", to_location_id=to)
    assert feedback["reason"] == "rule_violation"
    assert sorted(feedback["hint"].pop("choices")) == ["gate", "pit"]
    assert feedback["hint"] == {"field": "args.to_location_id", "got": to} | why


def test_a_hidden_way_is_refused_in_the_words_of_no_way(town: Hall) -> None:
    hidden = town.fail("move_party", to_location_name="Crypt")["detail"].replace("crypt", "moon")
    assert hidden == town.fail("move_party", to_location_name="Moon")["detail"]


def test_a_refusal_by_name_offers_names(town: Hall) -> None:
    hint = town.fail("move_party", to_location_name="Vault")["hint"]
    assert (hint["field"], sorted(hint["choices"])) == ("args.to_location_name", ["Gate", "Pit"])


def test_a_way_is_not_gone_against_its_one_way(town: Hall) -> None:
    assert go(town, "pit")["exits"] == []
    feedback = town.fail("move_party", to_location_id="inn")
    nowhere = {"field": "args.to_location_id", "got": "inn", "why": "one_way"}
    assert (feedback["reason"], feedback["hint"]) == ("rule_violation", nowhere)


def test_force_goes_anywhere_and_uses_no_way(town: Hall) -> None:
    for to in ("moon", "crypt", "pit", "inn", "vault"):
        shown = go(town, to, force=True)
        assert (shown["to"]["location_id"], shown["via"]) == (to, None)


def test_an_unlocked_way_is_locked_again_unless_it_is_kept(town: Hall) -> None:
    assert go(town, "vault", unlocked=True)["via"]["locked"]
    assert town.why("move_party", to_location_id="inn") == "rule_violation"
    assert not go(town, "inn", unlocked=True, keep_unlocked=True)["via"]["locked"]
    assert go(town, "vault")["moved"]


def test_keep_unlocked_alone_opens_nothing(town: Hall) -> None:
    assert town.why("move_party", to_location_id="vault", keep_unlocked=True) == "rule_violation"


def test_a_hidden_way_once_discovered_stays_so(town: Hall) -> None:
    assert exits(town.do("move_party", operation="status")) == ["gate", "vault", "pit"]
    assert exits(town.do("move_party", operation="status", show_hidden=True)) == ["gate", "vault", "crypt", "pit"]
    assert go(town, "crypt", discovered=True)["via"]["discovered"]
    assert exits(go(town, "inn")) == ["gate", "vault", "crypt", "pit"]


def test_going_to_where_one_is_moves_nobody(town: Hall) -> None:
    before = town.campaign.state
    shown = go(town, "Inn")
    assert (shown["moved"], shown["from"], shown["to"], shown["total_moves"]) == (
        False,
        {"location_id": "inn", "name": "Inn"},
        {"location_id": "inn", "name": "Inn"},
        0,
    )
    assert town.campaign.state == before


def test_the_status_of_a_party_that_is_nowhere(hall_with: HallWith) -> None:
    hall = hall_with(*(changed(member, position=None) for member in PARTY))
    assert hall.do("move_party", operation="status") == {"location": None, "exits": [], "total_moves": 0}
    assert hall.do("move_party", operation="history") == {"history": [], "total_moves": 0}


def test_the_status_of_a_party_in_an_area_that_is_no_place_of_the_story(hall: Hall) -> None:
    shown = hall.do("move_party", operation="status")
    assert (shown["location"]["location_id"], shown["location"]["name"]) == ("area_001", "Great Hall")
    assert [(way["location_id"], way["name"]) for way in shown["exits"]] == [("area_002", "Cellar")]
    assert hall.do("move_party", to_location_name="cellar")["via"] is None
    assert {hall.person(member)["position"] for member in PARTY} == {"area_002"}


def test_the_history_knows_places_that_are_gone_by_their_id(town: Hall) -> None:
    go(town, "moon", force=True)
    town.do("manage_location", operation="delete", location_id="moon", force=True)
    assert town.do("move_party", operation="history")["history"] == [{"location_id": "moon", "name": None}]


def test_the_history_is_in_the_order_of_the_steps(town: Hall) -> None:
    there_and_back = ["gate", "inn"] * 6
    for to in there_and_back:
        go(town, to)
    history = town.do("move_party", operation="history")["history"]
    assert [entry["location_id"] for entry in history] == there_and_back


def test_somewhere_must_be_named(town: Hall) -> None:
    feedback = town.fail("move_party")
    assert (feedback["reason"], feedback["hint"]["field"]) == ("invalid_args", "args.to_location_id")
    # Those within reach come first, and the inn, where the party is, not at all.
    assert feedback["hint"]["choices"][:5] == ["gate", "pit", "crypt", "moon", "vault"]
    assert not {"inn", "Inn"} & {*feedback["hint"]["choices"]}
    assert town.why("move_party", to_location_id="gate", to_location_name="Vault") == "invalid_args"
    assert town.why("move_party", to_location_id="Gaet") == "not_found"
    assert "Inn" not in town.fail("move_party", to_location_name="Ins")["hint"]["choices"]
    assert town.why("move_party", to_location_id="gate", foot="left") == "invalid_args"


def test_a_name_that_fits_two_places_is_ambiguous(hall_with: HallWith) -> None:
    hall = hall_with(place("one", name="Inn"), place("two", name="inn "))
    feedback = hall.fail("move_party", toLocationName="Inn")
    assert (feedback["reason"], feedback["hint"]["choices"]) == ("ambiguous", ["one", "two"])


# core move


def walk(hall: Hall, *people: str, to: str = "area_002") -> list[Json]:
    """Let people walk one after another, each in a turn of their own."""
    replies = []
    for who in people:
        replies.append(hall.campaign.process(turn(call("move", to_area_id=to), actor_id=who)))
        assert replies[-1]["status"] == "applied"
    return replies


def where(hall: Hall) -> Any:
    return hall.campaign.state.get("party.json", {}).get("location_id")


def test_the_party_follows_its_last_member_into_a_bound_area_in_the_same_action(town: Hall) -> None:
    walk(town, *PARTY[:-1])
    assert where(town) == "inn"
    (reply,) = walk(town, PARTY[-1])
    assert where(town) == "gate"
    assert [action["result"] for action in reply["applied_actions"]] == [
        {"from_area_id": "area_001", "to_area_id": "area_002"}
    ]
    assert town.campaign.state["locations/gate.json"]["discovered"]
    history = town.do("move_party", operation="history")
    assert (history["history"][0]["location_id"], history["total_moves"]) == ("gate", 1)


def test_the_party_is_placed_by_walking_into_a_bound_area(hall_with: HallWith) -> None:
    hall = hall_with(place("gate", area_id="area_002"))
    walk(hall, *PARTY)
    assert where(hall) == "gate"


def test_the_party_comes_to_an_area_that_is_no_place_of_the_story(hall_with: HallWith) -> None:
    hall = hall_with(place("inn", area_id="area_001"), {"party.json": {"location_id": "inn"}})
    walk(hall, *PARTY)
    assert where(hall) == "area_002"
    assert hall.do("move_party", operation="history")["history"] == [{"location_id": "area_002", "name": "Cellar"}]


def test_walking_back_into_the_place_of_the_party_is_no_step(town: Hall) -> None:
    walk(town, "aria")
    walk(town, "aria", to="area_001")
    assert where(town) == "inn"
    assert "moves/move-1.json" not in town.campaign.state


def test_a_campaign_without_places_loads_nothing_of_them(hall: Hall) -> None:
    walk(hall, *PARTY)
    assert "party.json" not in hall.campaign.state
