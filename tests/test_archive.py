"""Campaigns of earlier versions: this version reads them, takes their last turn back, and continues them."""

from __future__ import annotations

import io
import json
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests import builders

from turnwright import Campaign
from turnwright.audit.check import check_directory
from turnwright.audit.verify import verify
from turnwright.cli.main import run
from turnwright.model.location import Location
from turnwright.rulesets.core.geography import is_open

ARCHIVE = Path(__file__).parent / "archive"
FROZEN = sorted(path.parent for path in ARCHIVE.glob("*/*/log.jsonl"))
Json = Any
Told = Callable[..., str]

ROLL = {"id": "next", "tool": "roll_dice", "args": {"expression": "1d20"}}


def next_turn(state: Json) -> Json:
    """Return a turn that any campaign of the archive applies: a die, or a wound that heals by one."""
    campaign = state["campaign.json"]
    if "roll_dice" in campaign["allowlist"]:
        return {"tool_calls": [ROLL]}
    request = state.get("crew.json", {}).get("request")
    if request:
        return {"answer": {"request_id": request["id"], "value": "cancel"}}
    able = next(
        who
        for who in campaign["selected"]["party_character_ids"]
        if state[f"characters/{who}.json"]["character_state"] in ("alive", "dying")
    )
    args = {"target_character_id": able, "delta": 1, "cause": "a rest by the road"}
    return {"actor_id": able, "tool_calls": [{"id": "next", "tool": "hp_delta", "args": args}]}


@pytest.fixture(params=FROZEN, ids=lambda path: f"{path.parent.name}-{path.name}")
def frozen(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    origin: Path = request.param
    return Path(shutil.copytree(origin, tmp_path / origin.name))


@pytest.fixture
def told(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Told:
    """Give a function that runs a command, which must succeed, and returns its output."""

    def call(*arguments: object, typed: str = "") -> str:
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        code = run([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        assert code == 0, captured.out + captured.err
        return captured.out

    return call


def test_the_archive_is_there() -> None:
    assert {path.name for path in FROZEN} >= {"barrow_mid_fight", "heist_dice", "retried", "edited", "undone", "forked"}


def test_an_archived_campaign_is_sound_and_every_command_reads_it(frozen: Path, told: Told) -> None:
    before = (frozen / "log.jsonl").read_bytes()
    campaign = json.loads((frozen / "campaign.json").read_bytes())
    title = campaign["title"] or campaign["id"]
    assert verify(frozen).problems == ()
    assert title in told("show", frozen)
    assert title in told("map", frozen)
    records = before.count(b"\n")
    assert len(told("log", frozen, "--json").splitlines()) == records
    assert len(told("log", frozen).splitlines()) >= records
    assert title in told("play", frozen, "--model", "echo", typed="/state\n/why\n/quit\n")
    assert (frozen / "log.jsonl").read_bytes().startswith(before)
    assert verify(frozen).problems == ()


def test_the_last_turn_of_an_archived_campaign_can_be_taken_back(frozen: Path, told: Told) -> None:
    before = builders.log_of(frozen)
    told("undo", frozen)
    assert builders.log_of(frozen)[: len(before)] == before
    assert builders.log_of(frozen)[-1]["kind"] == "undo"
    assert verify(frozen).problems == ()


def test_an_archived_campaign_applies_its_next_turn(frozen: Path) -> None:
    with Campaign.open(frozen, builders.clock) as campaign:
        reply = campaign.process(next_turn(campaign.state))
        assert reply["status"] == "applied", reply
    assert verify(frozen).problems == ()


def ways(campaign: Campaign) -> tuple[set[tuple[str, str]], set[tuple[str, str]]]:
    """Return the pairs of areas that an open way of the story joins, and those that a closed one does not."""
    opened, closed = set[tuple[str, str]](), set[tuple[str, str]]()
    with campaign.reading() as world:
        for place in world.all(Location):
            for edge in place.edges:
                other = world.find(Location, edge.to_location_id)
                assert other is not None
                pair = (str(place.area_id), str(other.area_id))
                (opened if is_open(edge) else closed).add(pair)
                (opened if is_open(edge) and not edge.one_way else closed).add(pair[::-1])
    return opened, closed


def links(campaign: Campaign) -> set[tuple[str, str]]:
    """Return the ways of the map, as from where and to where."""
    layers = [value for path, value in campaign.state.items() if path.startswith("maps/")]
    areas = [area for layer in layers for area in layer["areas"].values()]
    return {(area["id"], to) for area in areas for to in area["reachable_area_ids"]}


@pytest.mark.parametrize("name", ["barrow", "heist"])
def test_a_campaign_with_two_geographies_gets_one_in_one_record(name: str, tmp_path: Path) -> None:
    place = Path(shutil.copytree(ARCHIVE / "2026-11" / name, tmp_path / name))
    before, files = builders.log_of(place), builders.on_disk(place)
    with Campaign.open(place, builders.clock) as campaign:
        state = campaign.state
        opened, closed = ways(campaign)
        assert opened <= links(campaign)
        assert not closed & links(campaign)
        assert all(value["area_id"] for path, value in state.items() if path.startswith("locations/"))
        assert builders.log_of(place) == before
        assert builders.on_disk(place) == files

        assert campaign.process(next_turn(state))["status"] == "applied"
    added = builders.log_of(place)[len(before) :]
    spelling, migration, _ = added
    assert [record["kind"] for record in added] == ["edit", "migrate", "turn"]
    assert spelling["changes"] == {}  # the files are as an older version spelled them
    assert (migration["from"], migration["to"]) == (1, 2)
    assert {"campaign.json", "maps/root.json"} <= set(migration["changes"])
    with Campaign.open(place, builders.clock) as campaign:
        geography = {path: value for path, value in campaign.state.items() if path.startswith(("maps/", "locations/"))}
        assert geography == {path: value for path, value in state.items() if path in geography}
    assert verify(place).problems == ()
    assert [problem for problem in check_directory(place) if not problem.warning] == []


@pytest.mark.parametrize("name", ["barrow", "heist"])
def test_a_campaign_with_two_geographies_is_taken_back_and_goes_on_with_one(name: str, tmp_path: Path) -> None:
    place = Path(shutil.copytree(ARCHIVE / "2026-11" / name, tmp_path / name))
    before = builders.log_of(place)
    with Campaign.open(place, builders.clock) as campaign:
        campaign.undo()
        opened, closed = ways(campaign)
        assert opened <= links(campaign)
        assert not closed & links(campaign)
        assert campaign.process(next_turn(campaign.state))["status"] == "applied"
    added = builders.log_of(place)[len(before) :]
    assert [record["kind"] for record in added] == ["edit", "migrate", "undo", "turn"]
    assert "maps/root.json" in added[2]["migrated"]
    assert verify(place).problems == ()
