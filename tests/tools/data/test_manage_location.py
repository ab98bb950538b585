"""manage_location: places and the ways between them, by id and by name."""

from __future__ import annotations

from typing import Any

import pytest
from tests.builders import Json
from tests.tools.conftest import HallWith
from tests.tools.hall import Hall

TOOL = "manage_location"


def make(hall: Hall, *names: str, **fields: Any) -> list[str]:
    """Create places of these names and return their ids."""
    return [hall.do(TOOL, operation="create", name=name, **fields)["location"]["location_id"] for name in names]


def link(hall: Hall, start: str, end: str, **fields: Any) -> Json:
    edge: Json = hall.do(TOOL, operation="link", from_location_id=start, to_location_id=end, **fields)["edge"]
    return edge


def test_a_new_place_gets_an_id_and_is_known_unless_said_otherwise(hall: Hall) -> None:
    shown = hall.do(TOOL, operation="create", name="Inn", location_type="indoor", tags=["rest"], properties={"beds": 4})
    assert shown["connections"] == []
    assert shown["location"] == {
        "location_id": "location-1",
        "name": "Inn",
        "description": None,
        "location_type": "indoor",
        "lighting": None,
        "terrain": None,
        "size": None,
        "hazards": [],
        "tags": ["rest"],
        "discovered": True,
        "properties": {"beds": 4},
        "area_id": "location-1",
    }
    assert not hall.do(TOOL, operation="create", name="Lair", discovered=False)["location"]["discovered"]
    assert hall.campaign.state["locations/location-1.json"]["name"] == "Inn"


def test_a_second_place_of_a_name_is_made_with_a_warning(hall: Hall) -> None:
    make(hall, "Inn")
    action = hall.action(TOOL, operation="create", name="  INN")
    assert action["result"]["location"]["location_id"] == "location-2"
    (warning,) = action["warnings"]
    assert warning.startswith("there is another place called   INN: location-1; where it is the same, delete one")


def test_a_new_place_is_not_given_an_id_by_the_call(hall: Hall) -> None:
    feedback = hall.fail(TOOL, operation="create", name="Inn", location_id="inn")
    assert feedback["reason"] == "invalid_args"
    assert feedback["hint"] == {"field": "args.location_id", "remove": True}


@pytest.mark.parametrize("named", [{"location_id": "location-1"}, {"location_id": " old mill "}, {"name": "OLD MILL"}])
def test_a_place_is_found_by_id_and_by_name(hall: Hall, named: Json) -> None:
    make(hall, "Old Mill")
    assert hall.do(TOOL, operation="get", **named)["location"]["name"] == "Old Mill"


def test_a_name_that_fits_two_places_is_ambiguous_and_an_id_decides(hall: Hall) -> None:
    make(hall, "Mill", "mill")
    for named in ({"name": "MILL"}, {"location_id": "Mill"}):
        feedback = hall.fail(TOOL, operation="get", **named)
        assert feedback["reason"] == "ambiguous"
        assert feedback["hint"]["choices"] == ["location-1", "location-2"]
    assert hall.do(TOOL, operation="get", location_id="location-2")["location"]["name"] == "mill"
    # The hint to a name says which argument decides; the name may stay beside it.
    assert hall.fail(TOOL, operation="get", name="MILL")["hint"]["field"] == "args.location_id"
    assert hall.do(TOOL, operation="get", name="MILL", location_id="location-2")["location"]["name"] == "mill"


def test_id_and_name_must_mean_the_same_place(hall: Hall) -> None:
    make(hall, "Mill", "Inn")
    feedback = hall.fail(TOOL, operation="get", location_id="location-1", name="Inn")
    assert (feedback["reason"], feedback["hint"]["choices"]) == ("invalid_args", ["Mill"])


def test_what_is_no_place_is_not_found_and_the_nearest_is_told(hall: Hall) -> None:
    make(hall, "Old Mill", "Harbour")
    feedback = hall.fail(TOOL, operation="get", location_id="Old Mil")
    assert (feedback["reason"], feedback["hint"]["allowed"][0]) == ("not_found", "Old Mill")
    assert hall.why(TOOL, operation="delete", name="Nowhere") == "not_found"
    assert hall.why(TOOL, operation="get", location_id="../../campaign") == "not_found"


@pytest.mark.parametrize("operation", ["get", "delete"])
def test_some_place_must_be_named(hall: Hall, operation: str) -> None:
    make(hall, "Mill")
    feedback = hall.fail(TOOL, operation=operation)
    assert (feedback["reason"], feedback["hint"]["choices"][0]) == ("invalid_args", "location-1")


@pytest.mark.parametrize(
    ("operation", "missing"),
    [("create", "name"), ("update", "location_id"), ("link", "from_location_id"), ("unlink", "from_location_id")],
)
def test_each_operation_says_what_it_needs(hall: Hall, operation: str, missing: str) -> None:
    feedback = hall.fail(TOOL, operation=operation)
    assert (feedback["reason"], feedback["detail"]) == ("invalid_args", f"args.{missing}: is required for {operation}")


def test_an_update_replaces_fields_and_merges_properties(hall: Hall) -> None:
    make(hall, "Inn", tags=["rest"], properties={"beds": 4, "owner": "Lena"}, description="Warm.")
    shown = hall.do(
        TOOL, operation="update", location_id="inn", name="Tavern", tags=["ale"], properties={"beds": 5, "cat": None}
    )
    assert shown["changes"] == {
        "name": {"from": "Inn", "to": "Tavern"},
        "tags": {"from": ["rest"], "to": ["ale"]},
        "properties": {
            "from": {"beds": 4, "owner": "Lena"},
            "to": {"beds": 5, "cat": None, "owner": "Lena"},
        },
    }
    assert shown["location"]["description"] == "Warm."


def test_an_update_without_a_change_changes_nothing(hall: Hall) -> None:
    make(hall, "Inn", tags=["rest"])
    before = hall.campaign.state
    assert hall.do(TOOL, operation="update", location_id="Inn", tags=["rest"], description=None)["changes"] == {}
    assert hall.campaign.state == before


def test_what_other_tools_keep_in_a_place_is_left_alone(hall_with: HallWith) -> None:
    hall = hall_with({"locations/den.json": {"id": "den", "name": "Den", "extra": {"heat": 3}}})
    hall.do(TOOL, operation="update", location_id="den", lighting="dim")
    assert hall.campaign.state["locations/den.json"]["extra"] == {"heat": 3}


# areas


def test_a_place_is_bound_to_one_area_and_an_area_to_one_place(hall: Hall) -> None:
    make(hall, "Hall", area_id="area_001")
    feedback = hall.fail(TOOL, operation="create", name="Other", area_id="area_001")
    assert (feedback["reason"], feedback["hint"]["choices"]) == ("conflict", ["area_002"])
    feedback = hall.fail(TOOL, operation="create", name="Other", area_id="area_02")
    assert (feedback["reason"], feedback["hint"]["allowed"]) == ("not_found", ["area_002"])
    make(hall, "Cellar", area_id="area_002")
    feedback = hall.fail(TOOL, operation="update", location_id="Cellar", area_id="area_001")
    assert (feedback["reason"], feedback["hint"]) == ("conflict", {"field": "args.area_id", "got": "area_001"})


def test_a_place_may_be_bound_again_to_its_area_and_to_one_of_its_own(hall: Hall) -> None:
    make(hall, "Hall", area_id="area_001")
    assert hall.do(TOOL, operation="update", location_id="Hall", area_id="area_001")["changes"] == {}
    shown = hall.do(TOOL, operation="update", location_id="Hall", area_id="")
    assert shown["changes"] == {"area_id": {"from": "area_001", "to": "location-1"}}
    assert hall.do(TOOL, operation="update", location_id="location-1", area_id="")["changes"] == {}
    assert make(hall, "Other", area_id="area_001") == ["location-2"]


# links


def test_a_link_leads_both_ways_and_both_places_list_it(hall: Hall) -> None:
    make(hall, "Inn", "Gate")
    edge = link(hall, "Inn", "location-2", connection_type="gate", locked=True, lock_dc=15, description="Iron bars.")
    assert edge == {
        "edge_id": "edge-1",
        "from_location_id": "location-1",
        "to_location_id": "location-2",
        "connection_type": "door",
        "locked": True,
        "lock_dc": 15,
        "hidden": False,
        "find_dc": None,
        "discovered": False,
        "one_way": False,
        "description": "Iron bars.",
    }
    shared = {"connection_type": "door", "locked": True, "hidden": False, "one_way": False, "lock_dc": 15}
    here = hall.do(TOOL, operation="get", name="Inn")["connections"]
    there = hall.do(TOOL, operation="get", name="Gate")["connections"]
    assert here == [{"location_id": "location-2", "name": "Gate", "direction": "both"} | shared]
    assert there == [{"location_id": "location-1", "name": "Inn", "direction": "both"} | shared]


def test_a_one_way_link_is_out_from_here_and_in_from_there(hall: Hall) -> None:
    make(hall, "Top", "Bottom")
    link(hall, "Top", "Bottom", one_way=True)
    directions = [
        hall.do(TOOL, operation="get", name=name)["connections"][0]["direction"] for name in ("Top", "Bottom")
    ]
    assert directions == ["out", "in"]


def test_connections_stand_in_the_order_of_linking(hall: Hall) -> None:
    names = [f"P{number}" for number in range(1, 13)]
    make(hall, "Hub", *names)
    for number, name in enumerate(names):
        link(hall, *(("Hub", name) if number % 2 else (name, "Hub")))
    assert [way["name"] for way in hall.do(TOOL, operation="get", name="Hub")["connections"]] == names


@pytest.mark.parametrize("ends", [("Inn", "Gate"), ("Gate", "Inn"), ("location-2", "inn")])
def test_two_places_have_one_link_at_the_most(hall: Hall, ends: tuple[str, str]) -> None:
    make(hall, "Inn", "Gate", "Well")
    link(hall, "Inn", "Gate")
    feedback = hall.fail(TOOL, operation="link", from_location_id=ends[0], to_location_id=ends[1])
    assert (feedback["reason"], feedback["hint"]["choices"]) == ("conflict", ["location-3"])


@pytest.mark.parametrize("end", ["Inn", "location-1", " INN"])
def test_no_place_is_linked_with_itself_however_it_is_spelt(hall: Hall, end: str) -> None:
    make(hall, "Inn", "Gate")
    feedback = hall.fail(TOOL, operation="link", from_location_id="location-1", to_location_id=end)
    assert (feedback["reason"], feedback["hint"]["choices"]) == ("invalid_args", ["location-2"])


def test_a_link_of_type_hidden_that_is_not_hidden_is_warned_of(hall: Hall) -> None:
    make(hall, "Inn", "Crypt", "Vault")
    args = {"operation": "link", "from_location_id": "Inn", "connection_type": "secret door"}
    assert hall.action(TOOL, to_location_id="Crypt", **args)["warnings"]
    assert "warnings" not in hall.action(TOOL, to_location_id="Vault", hidden=True, **args)


@pytest.mark.parametrize("ends", [("Inn", "Gate"), ("Gate", "Inn")])
def test_a_link_is_taken_away_from_either_end(hall: Hall, ends: tuple[str, str]) -> None:
    make(hall, "Inn", "Gate")
    link(hall, "Inn", "Gate")
    gone = hall.do(TOOL, operation="unlink", from_location_id=ends[0], to_location_id=ends[1])["edge"]
    assert (gone["edge_id"], gone["from_location_id"]) == ("edge-1", "location-1")
    assert hall.do(TOOL, operation="get", name="Gate")["connections"] == []
    feedback = hall.fail(TOOL, operation="unlink", from_location_id="Inn", to_location_id="Gate")
    assert feedback["reason"] == "not_found"
    assert link(hall, "Gate", "Inn")["edge_id"] == "edge-2"


def test_unlinking_what_is_not_linked_names_what_is(hall: Hall) -> None:
    make(hall, "Inn", "Gate", "Well")
    link(hall, "Gate", "Inn")
    feedback = hall.fail(TOOL, operation="unlink", from_location_id="Inn", to_location_id="Well")
    assert (feedback["reason"], feedback["hint"]["choices"]) == ("not_found", ["location-2"])


@pytest.mark.parametrize(("given", "unknown"), [("from", "to"), ("to", "from")])
def test_an_end_that_is_no_place_could_be_one_that_fits_the_other(hall: Hall, given: str, unknown: str) -> None:
    make(hall, "Inn", "Gate", "Well")
    link(hall, "Gate", "Inn")
    ends = {f"{given}_location_id": "Inn", f"{unknown}_location_id": "Inns"}
    for operation, fitting in (("link", ["Well", "location-3"]), ("unlink", ["Gate", "location-2"])):
        told = hall.fail(TOOL, operation=operation, **ends)
        assert (told["reason"], told["hint"]["field"]) == ("not_found", f"args.{unknown}_location_id")
        assert sorted(told["hint"]["choices"]) == fitting


@pytest.mark.parametrize("operation", ["link", "unlink"])
@pytest.mark.parametrize(
    ("given", "missing"),
    [
        ({"from_location_id": "location-1"}, "to_location_id"),
        ({"toLocationId": "Inn"}, "from_location_id"),
        ({"to_location_id": "inn", "description": "Gate"}, "from_location_id"),
    ],
)
def test_a_missing_end_could_be_any_place_but_the_other_end(
    hall: Hall, operation: str, given: Json, missing: str
) -> None:
    make(hall, "Inn", "Gate", "Well")
    told = hall.fail(TOOL, operation=operation, **given)
    assert (told["reason"], told["hint"]["field"]) == ("invalid_args", f"args.{missing}")
    assert told["hint"]["choices"] == ["location-2", "location-3"]
    repaired = given | {missing: told["hint"]["choices"][0]}
    assert hall.do(TOOL, operation="link", **repaired)["edge"]["edge_id"] == "edge-1"


# deleting and listing


def test_a_deleted_place_takes_its_links_along_and_the_party_stands_nowhere(hall: Hall) -> None:
    make(hall, "Inn", "Gate", "Well")
    link(hall, "Inn", "Gate")
    link(hall, "Well", "Inn")
    hall.do("move_party", to_location_name="Inn", force=True)
    feedback = hall.fail(TOOL, operation="delete", location_id="Inn")
    assert feedback["reason"] == "conflict"
    assert feedback["hint"] == {"field": "args.force", "add": True, "choices": [True]}
    action = hall.action(TOOL, operation="delete", location_id="Inn", force=True)
    assert [way["name"] for way in action["result"]["connections"]] == ["Gate", "Well"]
    assert action["result"]["location"]["name"] == "Inn"
    assert action["warnings"][0] == "Aria stood there, and now stands nowhere"
    state = hall.campaign.state
    assert "location-1" not in state["maps/root.json"]["areas"]
    assert {person["position"] for path, person in state.items() if path.startswith("characters/")} >= {None}
    assert "locations/location-1.json" not in state
    assert "edges" not in state["locations/location-3.json"]
    assert "location_id" not in state["party.json"]
    assert hall.do("move_party", operation="status")["location"] is None
    assert make(hall, "Inn") == ["location-4"]


def test_places_are_listed_in_the_order_of_their_making_by_tag_and_by_type(hall: Hall) -> None:
    make(hall, *(f"P{number}" for number in range(1, 11)), tags=["Far Away"], location_type="town")
    make(hall, "Den", location_type="dungeon", discovered=False)
    link(hall, "P1", "Den")
    listed = hall.do(TOOL, operation="list")
    assert [place["location_id"] for place in listed["locations"]] == [f"location-{n}" for n in range(1, 12)]
    assert listed["count"] == 11
    assert hall.do(TOOL, operation="list", filter_tag="far away")["count"] == 10
    assert hall.do(TOOL, operation="list", filter_tag="far")["count"] == 0
    den = {
        "location_id": "location-11",
        "name": "Den",
        "location_type": "dungeon",
        "discovered": False,
        "connection_count": 1,
    }
    assert hall.do(TOOL, operation="list", filter_type="crypt")["locations"] == [den]


def test_an_id_that_somebody_gave_a_way_by_hand_is_not_given_again(hall_with: HallWith) -> None:
    edges = [{"id": "edge-1", "to_location_id": "pit"}]
    den = {"id": "den", "name": "Den", "edges": edges}
    hall = hall_with({"locations/den.json": den, "locations/pit.json": {"id": "pit", "name": "Pit"}})
    make(hall, "Inn")
    assert link(hall, "den", "Inn")["edge_id"] == "edge-2"
    hall.do(TOOL, operation="unlink", from_location_id="den", to_location_id="pit")
    assert [edge["id"] for edge in hall.campaign.state["locations/den.json"]["edges"]] == ["edge-2"]


# spelling


def test_old_names_and_camel_case_do_the_same(hall: Hall) -> None:
    action = hall.action("create_location", name="Inn", locationType="tavern", properties={"someKey": 1})
    assert (action["tool"], action["alias_of"]) == ("manage_location", "create_location")
    assert action["args"]["operation"] == "create"
    assert action["result"]["location"]["properties"] == {"someKey": 1}
    assert [correction["to"] for correction in action["corrections"]] == ["indoor"]
    hall.do("create_location", name="Gate")
    assert hall.do("link_rooms", fromRoomId="Inn", to_room_id="Gate")["edge"]["edge_id"] == "edge-1"
    assert hall.do("get_location", location_id="Inn")["connections"][0]["name"] == "Gate"
    assert hall.do("unlink_rooms", from_room_id="Inn", toRoomId="Gate")["edge"]["edge_id"] == "edge-1"


@pytest.mark.parametrize(
    "args",
    [
        {"operation": "create", "name": ""},
        {"operation": "create", "name": "   "},
        {"operation": "create", "name": "Inn", "tags": ["  "]},
        {"operation": "create", "name": "Inn", "hazards": ["\t"]},
        {"operation": "create", "name": "x" * 101},
        {"operation": "create", "name": "Inn", "colour": "red"},
        {"operation": "create", "name": "Inn", "terrain": "banana"},
        {"operation": "create", "name": "Inn", "discovered": 1},
        {"operation": "link", "from_location_id": "a", "to_location_id": "b", "lock_dc": 31},
        {"operation": "delet", "name": "Inn"},
        {"operation": "burn"},
        {},
    ],
)
def test_ill_formed_arguments_are_refused(hall: Hall, args: Json) -> None:
    assert hall.why(TOOL, **args) == "invalid_args"


def test_a_road_is_outdoors(hall: Hall) -> None:
    made = hall.do(TOOL, operation="create", name="Forest Road", location_type="road")
    assert made["location"]["location_type"] == "outdoor"


# the map


def areas(hall: Hall) -> dict[str, Json]:
    found: dict[str, Json] = hall.campaign.state["maps/root.json"]["areas"]
    return found


def reached(hall: Hall, area_id: str) -> list[str]:
    found: list[str] = areas(hall)[area_id]["reachable_area_ids"]
    return found


def test_a_place_is_an_area_of_the_map_and_lies_in_that_of_its_parent(hall: Hall) -> None:
    make(hall, "Oxbow")
    make(hall, "Mill", parent_location_id="oxbow")
    assert (areas(hall)["location-1"]["name"], reached(hall, "location-1")) == ("Oxbow", [])
    assert hall.campaign.state["maps/location-1.json"]["areas"]["location-2"]["parent_area_id"] == "location-1"
    assert hall.why(TOOL, operation="create", name="Loft", parent_location_id="nowhere") == "not_found"
    args = {"operation": "create", "name": "Loft", "area_id": "area_002", "parent_location_id": "Oxbow"}
    assert hall.fail(TOOL, **args)["hint"] == {"field": "args.parent_location_id", "remove": True}


def test_a_place_and_its_area_have_one_name(hall: Hall) -> None:
    make(hall, "Oxbow")
    hall.do(TOOL, operation="update", location_id="Oxbow", name="Old Oxbow")
    make(hall, "Hall of Kings", area_id="area_001")
    assert [areas(hall)[area_id]["name"] for area_id in ("location-1", "area_001")] == ["Old Oxbow", "Hall of Kings"]


def test_a_link_makes_the_ways_of_the_map_and_unlinking_takes_them_away(hall: Hall) -> None:
    make(hall, "Inn", "Gate", "Pit")
    link(hall, "Inn", "Gate")
    link(hall, "Inn", "Pit", one_way=True)
    assert reached(hall, "location-1") == ["location-2", "location-3"]
    assert (reached(hall, "location-2"), reached(hall, "location-3")) == (["location-1"], [])
    hall.do(TOOL, operation="unlink", from_location_id="Gate", to_location_id="Inn")
    assert (reached(hall, "location-1"), reached(hall, "location-2")) == (["location-3"], [])


@pytest.mark.parametrize("closed", [{"locked": True}, {"hidden": True, "find_dc": 12}])
def test_a_closed_way_is_not_on_the_map_until_it_is_open(hall: Hall, closed: Json) -> None:
    make(hall, "Hall", area_id="area_001")
    make(hall, "Vault")
    link(hall, "Hall", "Vault", **closed)
    assert "location-2" not in reached(hall, "area_001")
    assert hall.why("move", to_area_id="location-2") == "invalid_args"
    hall.do("move_party", to_location_id="Vault", unlocked=True, keep_unlocked=True, discovered=True)
    assert "location-2" in reached(hall, "area_001")
    hall.do("move", to_area_id="area_001")
    assert hall.person("aria")["position"] == "area_001"


def test_an_area_serves_wherever_a_place_is_asked_for(hall: Hall) -> None:
    shown = hall.do(TOOL, operation="get", location_id="cellar")
    assert (shown["location"]["location_id"], shown["location"]["area_id"]) == ("area_002", "area_002")
    assert "locations/area_002.json" not in hall.campaign.state
    hall.do(TOOL, operation="update", location_id="area_002", lighting="dim")
    assert hall.campaign.state["locations/area_002.json"]["lighting"] == "dim"
    make(hall, "Well")
    link(hall, "Great Hall", "Well")
    assert reached(hall, "area_001") == ["area_002", "location-1"]


def test_a_way_of_the_map_can_be_described_and_taken_away(hall: Hall) -> None:
    link(hall, "Great Hall", "Cellar", locked=True)
    assert (reached(hall, "area_001"), reached(hall, "area_002")) == ([], [])
    hall.do(TOOL, operation="unlink", from_location_id="Great Hall", to_location_id="Cellar")
    assert hall.why(TOOL, operation="unlink", from_location_id="Great Hall", to_location_id="Cellar") == "not_found"


def test_a_place_with_areas_inside_goes_with_them_only_by_force(hall: Hall) -> None:
    make(hall, "Oxbow")
    make(hall, "Mill", parent_location_id="Oxbow")
    make(hall, "Loft", parent_location_id="Mill")
    link(hall, "Loft", "Great Hall")
    assert hall.why(TOOL, operation="delete", location_id="Oxbow") == "conflict"
    hall.do(TOOL, operation="delete", location_id="Oxbow", force=True)
    state = hall.campaign.state
    assert [path for path in state if path.startswith("maps/")] == ["maps/root.json"]
    assert [path for path in state if path.startswith("locations/")] == ["locations/area_001.json"]
    assert "edges" not in state["locations/area_001.json"]
    assert set(areas(hall)) == {"area_001", "area_002"}
    assert reached(hall, "area_001") == ["area_002"]


def test_an_id_of_a_generated_area_is_left_to_the_generator(hall_with: HallWith) -> None:
    hall = hall_with({"locations/area_007.json": {"id": "area_007", "name": "Odd"}})
    assert hall.campaign.state["locations/area_007.json"]["area_id"] == "place-area_007"
    hall.do("map_generate", parent_area_id=None, constraints={"size": 1, "seed": "a"})
    assert {"area_001", "area_002", "area_003", "place-area_007"} == set(areas(hall))


def test_a_place_apart_is_no_fault_of_the_map(hall: Hall) -> None:
    make(hall, "Island")
    assert hall.do("map_generate", parent_area_id=None, constraints={"size": 2})["created_area_ids"]
    assert reached(hall, "location-1") == []


def test_who_stands_in_a_place_comes_along_when_it_becomes_another_area(hall: Hall) -> None:
    make(hall, "Inn")
    make(hall, "Well")
    link(hall, "Inn", "Well")
    hall.do("move_party", to_location_name="Inn", force=True)
    hall.do(TOOL, operation="update", location_id="Inn", area_id="area_002")
    assert hall.person("aria")["position"] == "area_002"
    assert "location-1" not in areas(hall)
    assert reached(hall, "location-2") == ["area_002"]


def test_a_way_that_holds_the_map_together_is_not_taken_away(hall_with: HallWith) -> None:
    cellar = {"id": "area_002", "name": "Cellar", "parent_area_id": None, "reachable_area_ids": ["area_001"]}
    vault = {"id": "area_003", "name": "Vault", "parent_area_id": None, "reachable_area_ids": ["area_001"]}
    between = {"id": "area_001", "name": "Hall", "parent_area_id": None, "reachable_area_ids": ["area_002", "area_003"]}
    areas = {one["id"]: one for one in (between, cellar, vault)}
    hall = hall_with({"maps/root.json": {"parent_area_id": None, "areas": areas}})
    assert hall.why(TOOL, operation="unlink", from_location_id="area_001", to_location_id="area_002") == "conflict"
    assert reached(hall, "area_001") == ["area_002", "area_003"]
