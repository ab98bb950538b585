"""What a player does not know is answered like what does not exist: nothing tells that it is there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.builders import PEOPLE, Json, area, call, documents, move, person, turn
from tests.conftest import MakeCampaign

from turnwright import Campaign
from turnwright.model.character import Character
from turnwright.model.location import Location
from turnwright.model.state.overlay import World
from turnwright.model.viewer import Viewer
from turnwright.model.wire.hint import ask
from turnwright.model.wire.reason import CallFailed, Reason
from turnwright.protocol.stage0_prepare.prepare import describe
from turnwright.render.reason import describe_reason
from turnwright.rulesets.tool import Applied, Context
from turnwright.rulesets.toolbox import TOOLS

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
    seen = campaign.project(reply, Viewer.of(MIRA), own=True)
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
    from tests.builders import begin

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


# every tool that players may be allowed

STRANGER: dict[str, Json] = {
    "characters/zorblax.json": {
        **documents([person("zorblax", name="Zorblax", position="vault", character_type="enemy")], [])[
            "characters/zorblax.json"
        ]
    }
}
VAULT = {"id": "location-9", "name": "Vault of Zed", "area_id": "vault", "discovered": False}
NOTE = {"id": "note-1", "content": "Zorblax is a traitor.", "importance": "high", "turn": 0}
OPEN = [name for name in TOOLS if TOOLS[name].family in ("toolkit", "quests")]
"""Tools that `players.tools` may hold beside those of the core and of scene games."""
SECRETS = [
    "Zorblax",
    "zorblax",
    "Zorblux",
    "Vault of Zed",
    "Vault of Zet",
    "location-9",
    "vault",
    "note-1",
    "Zorblax is",
]


def open_documents(*, is_hidden: bool) -> dict[str, Json]:
    """Return a campaign whose players may ask for every tool, with or without what they do not know."""
    vault = area("vault", "area_001") | {"name": "Vault of Zed"}
    values = documents(
        PEOPLE, [*WAYS, vault] if is_hidden else WAYS, allowlist=OPEN, settings={"players": {"tools": OPEN}}
    )
    if not is_hidden:
        return values
    values["maps/root.json"]["areas"]["area_001"] = HALL | {"reachable_area_ids": ["area_002", "mill", "vault"]}
    return values | {**STRANGER, "locations/location-9.json": VAULT, "notes/note-1.json": NOTE}


@pytest.fixture(scope="module")
def open_tables(tmp_path_factory: pytest.TempPathFactory) -> list[Campaign]:
    from tests.builders import begin

    folder = tmp_path_factory.mktemp("open")
    return [begin(folder / str(hidden), open_documents(is_hidden=hidden)) for hidden in (False, True)]


def asking(tool: str) -> Iterator[list[dict[str, Any]]]:
    """Yield arguments of a tool that name secrets in one place, each in one of them, for each of its operations."""
    schema = describe(TOOLS[tool], "openai")["function"]["parameters"]["properties"]
    key = TOOLS[tool].args.operation_key
    operations = schema.get(key, {}).get("enum", [None])
    names = [name for name in schema if name.endswith(("_id", "_name", "_ids", "name", "title", "query", "targets"))]
    for operation in operations:
        chosen = {} if operation is None else {key: operation}
        good = {name: value for name, value in TOOLS[tool].example.items() if name != key}
        for name in names:
            values = [[secret] if schema[name].get("type") == "array" else secret for secret in SECRETS]
            alone, among_good = ([{**more, name: value} for value in values] for more in (chosen, {**good, **chosen}))
            yield alone
            if among_good != alone:
                yield among_good


@pytest.mark.parametrize("tool", OPEN)
def test_no_tool_tells_a_player_of_what_they_do_not_know(open_tables: list[Campaign], tool: str) -> None:
    plain, hidden = open_tables
    for each in asking(tool):
        _, applied, *_ = require_same(plain, hidden, tool, *each)
        for args in each if applied else ():  # calls that all fail leave each other what there was
            require_same(plain, hidden, tool, args)
        if TOOLS[tool].batch:
            require_same(plain, hidden, tool, {"batch": each})


def require_same(plain: Campaign, hidden: Campaign, tool: str, *asked: dict[str, Any]) -> Any:
    seen = [seen_by_player(campaign, tool, *asked) for campaign in (plain, hidden)]
    assert seen[0] == seen[1], asked
    return seen[0]


def seen_by_player(campaign: Campaign, tool: str, *asked: dict[str, Any]) -> Any:
    """Return what a player is told of calls: in one turn, in the shape of a model's API, and outside a turn."""
    calls = [call(tool, f"call_{number}", **args) for number, args in enumerate(asked)]
    reply = campaign.process(turn(*calls), authority=MIRA, dry_run=True, reply_as="openai")
    seen = campaign.project(reply, Viewer.of(MIRA), own=True)
    told = [seen["status"], seen["applied_actions"], seen["tool_feedback"], reply.get("tool_messages")]
    return [*told, *(campaign.query(tool, args, authority=MIRA) for args in asked if TOOLS[tool].reads)]


# what a player does to somebody whom the party knows, whatever else is called like that

NAMESAKES: list[tuple[str, dict[str, Json]]] = [
    ("nobody", {}),
    ("a stranger of that name", hidden_person("npc_002", "Grell")),
    ("a stranger whose id is that name", hidden_person("Grell", "Odo")),
]


@pytest.mark.parametrize("others", [values for _, values in NAMESAKES], ids=[name for name, _ in NAMESAKES])
def test_a_deed_is_done_to_whom_the_player_knows_by_that_name(
    make_campaign: MakeCampaign, others: dict[str, Json]
) -> None:
    people = {file_of(path): value for path, value in others.items() if path.startswith("characters/")}
    campaign = make_campaign(open_documents(is_hidden=True) | people)
    trip = call("manage_condition", operation="add", target_name="Grell", condition="prone")
    reply = campaign.process(turn(trip), authority=MIRA)
    assert reply["status"] == "applied", reply["tool_feedback"]
    with campaign.reading() as world:
        lying = [one.id for one in world.characters() if one.conditions]
    assert lying == ["npc_001"]


def file_of(path: str) -> str:
    """Return the path of a character's document as its id has it."""
    return Character.path_of(path.removeprefix("characters/").removesuffix(".json"))


def test_what_a_player_makes_never_takes_the_place_of_something_hidden(make_campaign: MakeCampaign) -> None:
    hidden = {"locations/location-1.json": VAULT | {"id": "location-1", "area_id": None}}
    campaign = make_campaign(open_documents(is_hidden=True) | hidden)
    made = call("manage_location", operation="create", name="location-1")
    reply = campaign.process(turn(made), authority=MIRA)
    assert reply["applied_actions"][0]["result"]["location"]["location_id"] == "location-2"
    with campaign.reading() as world:
        kept = world.find(Location, "location-1")
    assert kept is not None
    assert kept.name == "Vault of Zed"


def test_what_is_called_like_the_id_of_something_hidden_is_meant_by_it(make_campaign: MakeCampaign) -> None:
    hidden = {"locations/location-1.json": VAULT | {"id": "location-1", "area_id": None}}
    porch = {"locations/porch.json": {"id": "porch", "name": "Porch"}}
    campaign = make_campaign(open_documents(is_hidden=True) | hidden | porch)
    made = call("manage_location", operation="create", name="location-1")
    link = call("manage_location", operation="link", from_location_id="porch", to_location_id="location-1")
    for each in (made, link):
        reply = campaign.process(turn(each), authority=MIRA)
        assert reply["status"] == "applied", reply["tool_feedback"]
    with campaign.reading() as world:
        edges = [edge for place in world.all(Location) for edge in place.edges]
        assert {"porch", "location-2"} >= {edge.to_location_id for edge in edges} != set()


def test_a_deed_mends_what_is_hidden_too(make_campaign: MakeCampaign) -> None:
    way = {"id": "edge-1", "to_location_id": "porch"}
    values = open_documents(is_hidden=True)
    values["locations/location-9.json"] = VAULT | {"edges": [way]}
    values["locations/porch.json"] = {"id": "porch", "name": "Porch"}
    campaign = make_campaign(values)
    delete = call("manage_location", operation="delete", location_id="porch")
    campaign.process(turn(delete), authority=MIRA)
    with campaign.reading() as world:
        assert world.find(Location, "porch") is None
        vault = world.find(Location, "location-9")
    assert vault is not None
    assert not vault.edges


def test_what_fails_for_something_hidden_alone_is_a_conflict_that_names_nothing(
    make_campaign: MakeCampaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    tool = TOOLS["manage_notes"]

    def apply(world: World, args: Any, ctx: Context) -> Applied:
        done = tool.apply(world, args, ctx)
        if any(person.id == "zorblax" for person in world.characters()):
            raise CallFailed(Reason.LIMIT_EXCEEDED, "Zorblax forbids it", ask("args.content", "A note."))
        return done

    monkeypatch.setitem(TOOLS.loaded, "manage_notes", replace(tool, apply=apply))
    asked = {"operation": "add", "content": "A note."}
    for args in (asked, {"batch": [asked]}):
        campaign = make_campaign(open_documents(is_hidden=True))
        seen = seen_by_player(campaign, "manage_notes", args)
        [failed] = seen[2]["failed_calls"]
        assert failed["reason"] == "conflict"
        assert failed["detail"] == describe_reason(Reason.CONFLICT)
        assert "hint" not in failed
        assert "Zorblax" not in str(seen)
        reply = campaign.process(turn(call("manage_notes", **args)), authority=MIRA)
        assert "Zorblax forbids it" in reply["tool_feedback"]["failed_calls"][0]["detail"]  # for the game master
