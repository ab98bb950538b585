"""One geography: whatever is called, the map has the ways that the places have, as long as they are open."""

from __future__ import annotations

import tempfile
from itertools import permutations
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st
from tests.builders import Json, begin, call, documents, turn

from turnwright import Campaign
from turnwright.audit.check import check_directory
from turnwright.model.location import Edge, Location
from turnwright.model.state.overlay import World
from turnwright.render.map_view import ClosedWay
from turnwright.rulesets.core.geography import is_open
from turnwright.views.state import map_of_player, map_view

AREAS = ("area_001", "area_002", "area_003", "area_004")
MADE = ("location-1", "location-2", "location-3")
WHERE = st.sampled_from(AREAS + MADE)
PEOPLE = st.sampled_from(["pc_001", "pc_002"])


def _manage(operation: str, **more: st.SearchStrategy[object]) -> st.SearchStrategy[Json]:
    return st.builds(lambda args: call("manage_location", operation=operation, **args), st.fixed_dictionaries(more))


FLAGS = {"locked": st.booleans(), "hidden": st.booleans(), "one_way": st.booleans()}
LINK = _manage("link", from_location_id=WHERE, to_location_id=WHERE, **FLAGS)
CREATE = _manage("create", name=st.sampled_from(["Inn", "Mill"]), parent_location_id=st.sampled_from([*AREAS, *MADE]))
PATHS = st.builds(
    lambda to, flags: call("move_party", to_location_id=to, **flags),
    WHERE,
    st.fixed_dictionaries(
        {"force": st.booleans()},
        optional={"unlocked": st.just(True), "keep_unlocked": st.just(True), "discovered": st.just(True)},
    ),
)
CALLS = st.one_of(
    CREATE,
    LINK,
    LINK,
    _manage("unlink", from_location_id=WHERE, to_location_id=WHERE),
    _manage("update", location_id=WHERE, area_id=st.sampled_from(["", *AREAS])),
    _manage("update", location_id=WHERE, name=st.sampled_from(["Gate", "Vault"])),
    _manage("delete", location_id=WHERE, force=st.booleans()),
    PATHS,
    PATHS,
    st.builds(lambda who, to: call("move", to_area_id=to, actor_id=who), PEOPLE, WHERE),
)
BEGINNING = (
    call("manage_location", operation="create", name="Inn"),
    call("manage_location", operation="create", name="Mill"),
    call("manage_location", operation="link", from_location_id="area_001", to_location_id="location-1"),
)
"""Two places, one of them with a way there from the starting area."""
PLAIN = {(one["id"], to) for one in documents()["maps/root.json"]["areas"].values() for to in one["reachable_area_ids"]}
PLAIN |= {("area_004", "area_002")}


@given(st.lists(CALLS, min_size=5, max_size=15))
def test_the_map_has_the_open_ways_of_the_places_and_no_others(calls: list[Json]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        tools = ("move", "move_options", "manage_location", "move_party")
        values = documents(allowlist=list(tools))
        with begin(Path(folder) / "plain", values) as campaign:
            for one in BEGINNING:
                assert campaign.process(turn(one))["status"] == "applied"
            for one in calls:
                _call(campaign, one)
        assert check_directory(Path(folder) / "plain") == []


def _call(campaign: Campaign, one: Json) -> None:
    who = one["args"].get("actor_id", "pc_001")
    before = _position(campaign, who)
    with campaign.reading() as world:
        linked = _links(world)
    if one["tool"] == "move":
        one = {**one, "args": {**one["args"], "from_area_id": before or "nowhere"}}
    reply = campaign.process(turn(one, actor_id=who))
    with campaign.reading() as world:
        _check(world)
    if one["tool"] == "move":
        is_way = (before, one["args"]["to_area_id"]) in linked
        assert (reply["status"] == "applied") == is_way, reply["tool_feedback"]


def test_maps_draw_doors_and_only_the_game_master_s_those_that_nobody_has_found(tmp_path: Path) -> None:
    values = documents(allowlist=["manage_location"])
    made = [call("manage_location", operation="create", name=name) for name in ("Inn", "Mill", "Vault")]
    doors = [{"to_location_id": "location-1", "locked": True}, {"to_location_id": "location-2", "hidden": True}]
    linked = [call("manage_location", operation="link", from_location_id="area_001", **door) for door in doors]
    with begin(tmp_path / "plain", values) as campaign:
        assert campaign.process(turn(*made, *linked))["status"] == "applied"
        with campaign.reading() as world:
            everything, known = map_view(world), map_of_player(world, "pc_001")
    locked = ClosedWay("area_001", "location-1", True, "locked")
    assert everything.closed == (locked, ClosedWay("area_001", "location-2", True, "hidden"))
    assert known.closed == (locked,)


def _position(campaign: Campaign, who: str) -> str | None:
    with campaign.reading() as world:
        found = world.character(who)
        return found.position if found else None


def _links(world: World) -> set[tuple[str, str]]:
    """Return the ways of the map, as from where and to where."""
    layers = [world.layer(None), *(world.layer(area_id) for area_id in (*AREAS, *MADE))]
    areas = [area for layer in layers if layer is not None for area in layer.areas.values()]
    return {(area.id, to) for area in areas for to in area.reachable_area_ids}


def _check(world: World) -> None:
    places = {place.id: place for place in world.all(Location)}
    for place in places.values():
        area = world.area(place.area_id or "")
        assert area is not None
        assert area.name == place.name
    edges = {(place.id, edge.to_location_id): edge for place in places.values() for edge in place.edges}
    links = _links(world)
    for here, there in permutations(places.values(), 2):
        out, back = edges.get((here.id, there.id)), edges.get((there.id, here.id))
        if out is not None or back is not None:
            is_link = (here.area_id, there.area_id) in links
            assert is_link == (_goes(out) or (_goes(back) and back is not None and not back.one_way))
    joined = {(places[here].area_id, places[there].area_id) for here, there in edges}
    joined |= {(there, here) for here, there in joined}
    assert links <= joined | PLAIN
    standing = {member.position for member in world.party()} - {None}
    assert all(world.area(area_id) is not None for area_id in standing if area_id is not None)


def _goes(edge: Edge | None) -> bool:
    return edge is not None and is_open(edge)
