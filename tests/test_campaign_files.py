"""Campaign directories as a whole: how they begin, fork, are imported, and come out the same every time."""

from __future__ import annotations

import errno
import hashlib
import json
import shutil
from collections.abc import Callable
from copy import deepcopy
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests import builders
from tests.sampling import some, tries
from tests.store.kit import contents, ended, log_of, python, unsynced
from tests.store.machine import Killed, Machine

from turnwright import Campaign
from turnwright.audit.verify import verify
from turnwright.model.errors import BadRequest, CampaignInvalid, StorageFailed
from turnwright.model.strict_json import sha256
from turnwright.store.checkpoint import Checkpoint
from turnwright.store.files import Files, Seen

__all__ = ["unsynced"]
Json = Any
HIT = builders.turn(builders.hp_delta(-1))
PC = "characters/pc_001.json"


def new(path: Path, **options: Any) -> Campaign:
    return Campaign.new(path, clock=builders.clock, **{"seed": "x", **options})


def sound(path: Path) -> bool:
    found = verify(path)
    assert found.problems == ()
    assert found.notes == ()
    return True


# new


def test_a_new_campaign_has_the_starter_documents_and_record_0_holds_them_all(tmp_path: Path) -> None:
    with new(tmp_path / "deep/down/tale") as campaign:
        state = campaign.state
    (record,) = builders.log_of(tmp_path / "deep/down/tale")
    assert {path: operations[0]["value"] for path, operations in record["changes"].items()} == state
    assert builders.on_disk(tmp_path / "deep/down/tale") == state
    assert (record["kind"], record["campaign_id"], record["repairs"]) == ("new", "tale", [])
    assert state["campaign.json"]["created_at"] == builders.STAMP
    assert state[PC]["hp"] == 10
    assert [area["reachable_area_ids"] for area in state["maps/root.json"]["areas"].values()] == [["area_002"], []]
    assert sound(tmp_path / "deep/down/tale")


@pytest.mark.parametrize("there", ["readme.txt", "campaign.json", "turns/1.json", ".git/config", "log.jsonl"])
def test_nothing_is_begun_in_a_directory_that_holds_something(tmp_path: Path, there: str) -> None:
    (tmp_path / there).parent.mkdir(exist_ok=True)
    (tmp_path / there).write_text("precious", encoding="utf-8")
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(BadRequest, match="not empty"):
        new(tmp_path)
    assert sorted(tmp_path.rglob("*")) == before


def test_nothing_is_begun_in_place_of_a_file(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("precious", encoding="utf-8")
    with pytest.raises(BadRequest, match="no directory"):
        new(tmp_path / "file")


@pytest.mark.parametrize("options", [{"template": "stagee3"}, {"template": "stage3", "from_file": "x.json"}])
def test_a_request_that_makes_no_sense_leaves_no_directory(tmp_path: Path, options: Json) -> None:
    with pytest.raises(BadRequest):
        new(tmp_path / "tale", **options)
    assert not (tmp_path / "tale").exists()


def begun_at_last(place: Path) -> list[bytes]:
    """Begin where an earlier beginning may have been cut off, and take a turn; return the log's lines."""
    try:
        campaign = new(place)
    except BadRequest:
        campaign = Campaign.open(place, builders.clock)
    with campaign:
        assert campaign.process({})["seq"] == 1
    return (place / "log.jsonl").read_bytes().splitlines()


@pytest.mark.parametrize("tears", [False, True])
def test_a_beginning_that_was_cut_off_can_be_begun_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tears: bool
) -> None:
    with new(tmp_path / "tale") as campaign:
        campaign.process({})
    expected = (tmp_path / "tale/log.jsonl").read_bytes().splitlines()
    shutil.rmtree(tmp_path / "tale")
    for last in range(1, 100):
        place = tmp_path / "tale"
        with monkeypatch.context() as patch:
            machine = Machine(patch, last, tears=tears)
            try:
                new(place).close()
            except Killed:
                assert machine.left <= 0
        assert begun_at_last(place) == expected, f"killed at operation {last}"
        assert sound(place)
        shutil.rmtree(place)
        if machine.left > 0:
            return
    pytest.fail("it was killed every time")


# a directory that people wrote


def written(path: Path, documents: Json) -> Path:
    for name, value in documents.items():
        (path / name).parent.mkdir(parents=True, exist_ok=True)
        (path / name).write_text(json.dumps(value), encoding="utf-8")
    return path


def test_documents_without_a_log_become_record_0_with_the_first_turn(tmp_path: Path) -> None:
    path = written(tmp_path / "tale", builders.documents())
    with Campaign.open(path, builders.clock) as campaign:
        assert campaign.state[PC]["hp"] == 10
        assert list(campaign.records()) == []
        assert not (path / "log.jsonl").exists(), "a reader begins nothing"
        assert campaign.process(HIT)["seq"] == 1
    record = builders.log_of(path)[0]
    assert (record["kind"], record["campaign_id"]) == ("new", "plain")
    assert sorted(record["changes"]) == sorted(builders.documents())
    assert sound(path)


@pytest.mark.parametrize("folder", ["results", "turns/done"])
def test_a_log_that_is_missing_although_turns_were_taken_is_not_begun_anew(tmp_path: Path, folder: str) -> None:
    path = written(tmp_path / "tale", builders.documents() | {f"{folder}/turn_0001.json": {}})
    before = contents(path)
    with Campaign.open(path, builders.clock) as campaign:
        for _ in range(2):
            with pytest.raises(CampaignInvalid, match=f"{folder}/ shows that turns were taken"):
                campaign.process(HIT)
    assert contents(path) == before


def test_documents_that_form_no_campaign_are_not_begun_and_everything_wrong_is_said(tmp_path: Path) -> None:
    documents = deepcopy(builders.documents())
    documents["campaign.json"]["selected"]["party_character_ids"].append("nobody")
    documents["maps/root.json"]["areas"]["area_003"]["reachable_area_ids"] = ["area_003", "area_099"]
    path = written(tmp_path / "tale", documents)
    before = contents(path)
    for _ in range(2):
        with Campaign.open(path, builders.clock) as campaign, pytest.raises(CampaignInvalid) as refused:
            campaign.process(HIT)
        assert {problem.rule for problem in refused.value.problems} == {
            "unknown_character",
            "area:area_003:reachable_self_loop",
            "area:area_003:reachable_missing_target",
        }
    assert contents(path) == before


@pytest.mark.parametrize("documents", [{}, {"characters/pc_001.json": {"id": "pc_001"}}])
def test_a_directory_without_a_campaign_is_not_opened(tmp_path: Path, documents: Json) -> None:
    written(tmp_path, documents)
    with pytest.raises(CampaignInvalid, match="no campaign here"):
        Campaign.open(tmp_path)
    with pytest.raises(CampaignInvalid, match="no campaign here"):
        verify(tmp_path)


def test_a_clock_without_an_offset_begins_nothing(tmp_path: Path) -> None:
    with pytest.raises(BadRequest, match="aware"):
        Campaign.new(tmp_path / "tale", clock=lambda: builders.NOW.replace(tzinfo=None))
    assert not (tmp_path / "tale").exists()


NAMES = ["pc_001", "root", "con", "lpt9", "A", "ä", "a.b", "../up", "a/b", "", " ", "x" * 64, "x" * 65, "~0", "nul"]


@pytest.mark.parametrize("name", [name for name in NAMES if name])
def test_any_id_has_a_file_inside_its_folder(tmp_path: Path, name: str) -> None:
    one_file = {
        "id": "tale",
        "selected": {"party_character_ids": [name], "active_actor_id": name},
        "map": {"areas": {name: {"name": "Here", "reachable_area_ids": []}}},
        "positions": {name: name},
    }
    source = tmp_path / "source.json"
    source.write_text(json.dumps(one_file), encoding="utf-8")
    with new(tmp_path / "tale", from_file=source) as campaign:
        campaign.process(builders.turn(builders.hp_delta(-1, name), builders.call("map_generate", parent_area_id=name)))
        state = campaign.state
    (person,) = (path for path in state if path.startswith("characters/"))
    plain_name = name in ("pc_001", "x" * 64)
    stem = name if plain_name else "~" + hashlib.sha256(name.encode()).hexdigest()[:16]
    assert person == f"characters/{stem}.json"
    assert state[person]["hp"] == 9
    assert set(state) == {"campaign.json", "maps/root.json", f"maps/{stem}.json", person}
    assert builders.on_disk(tmp_path / "tale") == state
    assert sound(tmp_path / "tale")


# import


def imported(folder: Path, one_file: object) -> Json:
    """Import a campaign in one file, take a turn, and return the state before it."""
    source = folder / "source.json"
    text = json.dumps(one_file)
    source.write_text(text, encoding="utf-8")
    with new(folder / "tale", from_file=source) as campaign:
        state = campaign.state
        campaign.process({})
        after = campaign.state
    assert after == state
    assert source.read_text(encoding="utf-8") == text
    assert sound(folder / "tale")
    return state


IDS = st.sampled_from([f"area_{number:03d}" for number in range(1, 7)] + ["cave", "Hall of Kings"])
PEOPLE = st.sampled_from(["pc_001", "pc_002", "npc_001", "Grell the Grim"])
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-99, 99) | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=4), inner, max_size=2),
    max_leaves=4,
)


@st.composite
def maps(draw: st.DrawFn) -> Json:
    """A map of the old kind: connected, some areas without links of their own."""
    ids = draw(st.lists(IDS, min_size=1, max_size=5, unique=True))
    connections = [{"from_area_id": start, "to_area_id": end} for start, end in pairwise(ids)]
    areas: Json = {}
    for place, area_id in enumerate(ids):
        areas[area_id] = {"id": area_id, "name": draw(st.text(max_size=5)), "parent_area_id": None}
        if draw(st.booleans()):
            areas[area_id]["reachable_area_ids"] = ids[place + 1 : place + 2]
    return {"areas": areas, "connections": connections}


@st.composite
def one_files(draw: st.DrawFn, *, later: bool) -> Json:
    source = draw(maps())
    party = draw(st.lists(PEOPLE, max_size=3, unique=True))
    areas = st.sampled_from(sorted(source["areas"]))
    states = st.sampled_from(["alive", "dying", "unconscious", "restrained_permanent", "dead", "asleep"])
    value: Json = {
        "id": draw(st.text(min_size=1, max_size=8)),
        "selected": {"party_character_ids": party, "active_actor_id": party[0] if party else None, "world_id": "w"},
        "settings_revision": draw(st.integers(0, 9)),
        "map": source,
        "goal": {"text": draw(st.text(max_size=8)), "status": "active"},
        "milestone": {"current": "intro", "last_advanced_turn": 0},
        "created_at": "2026-01-02T03:04:05+00:00",
        **draw(st.dictionaries(st.sampled_from(["notes", "x", "party"]), JSON, max_size=2)),
    }
    if draw(st.booleans()):
        value["allowlist"] = draw(st.lists(st.sampled_from(["move", "hp_delta", "inventory_add"]), unique=True))
    if later:
        fields = {
            "position": areas,
            "hp": st.integers(-5, 30),
            "character_state": states,
            "inventory": st.just({"rope": 2}),
        }
        actor = st.fixed_dictionaries({}, optional={**fields, "meta": JSON})
        value["actors"] = draw(st.dictionaries(PEOPLE, actor, max_size=3))
    else:
        value["positions"] = draw(st.dictionaries(PEOPLE, areas, max_size=3))
        value["hp"] = draw(st.dictionaries(PEOPLE, st.integers(-5, 30), max_size=3))
        value["character_states"] = draw(st.dictionaries(PEOPLE, states, max_size=3))
        value["state"] = {
            "positions": value["positions"],
            "positions_parent": value["positions"],
            "positions_child": {},
        }
    return value


@pytest.mark.parametrize("later", [False, True])
@given(st.data())
@settings(max_examples=tries(15))
def test_a_campaign_in_one_file_is_imported_without_loss_and_every_repair_is_told(
    tmp_path_factory: pytest.TempPathFactory, later: bool, data: st.DataObject
) -> None:
    one_file = data.draw(one_files(later=later))
    folder = tmp_path_factory.mktemp("import")
    state = imported(folder, one_file)
    told = "\n".join(log_of(folder / "tale")[0]["repairs"])
    campaign = state["campaign.json"]
    for key in ("id", "settings_revision", "created_at"):
        assert campaign[key] == one_file[key]
    assert campaign["allowlist"] == one_file.get("allowlist", ["move", "hp_delta", "map_generate"])
    assert {key: campaign["extra"].get(key) for key in ("notes", "x", "party") if key in one_file} == {
        key: one_file[key] for key in ("notes", "x", "party") if key in one_file
    }
    areas = state["maps/root.json"]["areas"]
    for area_id, area in one_file["map"]["areas"].items():
        links = [link["to_area_id"] for link in one_file["map"]["connections"] if link["from_area_id"] == area_id]
        assert areas[area_id]["name"] == area["name"]
        assert areas[area_id]["reachable_area_ids"] == area.get("reachable_area_ids", links)
        assert ("reachable_area_ids" in area) != (f"{area_id} had no reachable_area_ids" in told)
    people = {value["id"]: value for path, value in state.items() if path.startswith("characters/")}
    for name, actor in _actors(one_file).items():
        person = people.pop(name)
        expected = {"position": None, "hp": None, "character_state": None} | actor
        in_party = name in one_file["selected"]["party_character_ids"]
        for key in ("position", "hp", "character_state"):
            if expected[key] is None and in_party:
                assert f"{name} had no {key}" in told
            elif key == "hp" and expected["hp"] is not None and expected["hp"] < 0:
                assert (person["hp"], f"{name} were {expected['hp']}" in told) == (0, True)
            else:
                assert person[key] == expected[key]
    assert set(people) <= set(one_file["selected"]["party_character_ids"])


def _actors(one_file: Json) -> Json:
    """Return who is in a one-file campaign of either shape, with what is said of them."""
    actors = dict(one_file.get("actors", {}))
    for source, key in (("positions", "position"), ("hp", "hp"), ("character_states", "character_state")):
        for name, item in one_file.get(source, {}).items():
            actors[name] = actors.get(name, {}) | {key: item}
    return actors


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("[]", "shape"),
        ('{"id": 5}', "shape"),
        ('{"id": "a", "id": "b"}', "json"),
        ('{"id": "a", "map": []}', "shape"),
        ('{"id": "a", "hp": {"x": "five"}, "selected": {"party_character_ids": [5]}}', "string_type"),
        ('{"id": "a", "map": {"areas": {"a": {"reachable_area_ids": ["b"]}}}}', "area:a:reachable_missing_target"),
        ('{"id": "a", "selected": {"active_actor_id": "x", "party_character_ids": []}}', "value_error"),
    ],
)
def test_what_cannot_be_imported_is_named_and_leaves_nothing_that_hinders(tmp_path: Path, text: str, rule: str) -> None:
    source = tmp_path / "source.json"
    source.write_text(text, encoding="utf-8")
    for _ in range(2):
        with pytest.raises(CampaignInvalid) as refused:
            new(tmp_path / "tale", from_file=source)
        assert rule in {problem.rule for problem in refused.value.problems}
    new(tmp_path / "tale").close()


# fork


@pytest.fixture(name="parent")
def fixture_parent(campaign: Campaign, tmp_path: Path) -> Path:
    for turn in (HIT, builders.turn(builders.move("area_002"), turn_id="crossing"), HIT):
        campaign.process(turn)
    campaign.close()
    return tmp_path / "campaign_0"


def forked(parent: Path, path: Path, at: str, **options: Any) -> Path:
    with Campaign.open(parent, builders.clock) as campaign:
        return campaign.fork(path, at, **options)


@pytest.mark.parametrize(("at", "seq"), [("crossing", 2), ("2", 2), ("#2", 2), ("0", 0), ("turn_0003", 3)])
def test_a_fork_is_the_campaign_as_it_was_then_under_a_name_of_its_own(
    parent: Path, tmp_path: Path, at: str, seq: int
) -> None:
    before = contents(parent)
    with Campaign.open(parent) as campaign:
        then = campaign.state_at(str(seq))
    path = forked(parent, tmp_path / "fork", at)
    assert contents(parent) == before
    with Campaign.open(path, builders.clock) as fork:
        state = fork.state
        assert state["campaign.json"].pop("id") == f"plain-{seq + 1}"
        assert then["campaign.json"].pop("id") == "plain"
        assert state == then
    lines = before["log.jsonl"].splitlines()
    assert (path / "log.jsonl").read_bytes().splitlines()[:-1] == lines[: seq + 1]
    record = builders.log_of(path)[-1]
    assert (record["seq"], record["kind"], record["parent_id"]) == (seq + 1, "fork", "plain")
    assert (record["parent_seq"], record["parent_head"]) == (seq, sha256(lines[seq]))
    assert record["secret_sha256"] != builders.log_of(path)[0]["secret_sha256"]
    assert sound(path)


def test_a_fork_and_its_parent_go_their_own_ways(parent: Path, tmp_path: Path) -> None:
    path = forked(parent, tmp_path / "fork", "crossing", seed="other")
    with Campaign.open(parent, builders.clock) as campaign, Campaign.open(path, builders.clock) as fork:
        crossing = campaign.process(builders.turn(builders.move("area_002"), turn_id="crossing"))
        assert fork.process(builders.turn(builders.move("area_002"), turn_id="crossing")) == crossing
        assert fork.process(builders.turn(builders.hp_delta(-5)))["turn_id"] == "turn_0003"
        assert fork.process(builders.turn(builders.hp_delta(-5), turn_id="turn_0001"))["reason"] == "turn_conflict"
        assert campaign.process(HIT)["turn_id"] == "turn_0004"
        assert (campaign.state[PC]["hp"], fork.state[PC]["hp"]) == (7, 4)
        fork.undo("crossing")
        assert fork.state[PC]["position"] == "area_001"
        assert fork.state["campaign.json"]["id"] == "plain-3"
    assert sound(parent)
    assert sound(path)


def test_a_fork_of_a_fork_brings_every_secret_along(parent: Path, tmp_path: Path) -> None:
    child = forked(parent, tmp_path / "child", "crossing", seed="a")
    grandchild = forked(child, tmp_path / "grandchild", "3", seed="b")
    secrets = json.loads((grandchild / ".turnwright/secret.json").read_text(encoding="utf-8"))["secrets"]
    assert secrets == [hashlib.sha256(seed.encode()).hexdigest() for seed in ("fixed", "a", "b")]
    assert builders.on_disk(grandchild)["campaign.json"]["id"] == "plain-3-4"
    with Campaign.open(grandchild, builders.clock) as campaign:
        assert campaign.process(HIT)["seq"] == 5
    assert sound(grandchild)


def test_the_id_of_a_fork_is_no_longer_than_an_id_may_be(parent: Path, tmp_path: Path) -> None:
    campaign = json.loads((parent / "campaign.json").read_text(encoding="utf-8"))
    (parent / "campaign.json").write_text(json.dumps(campaign | {"id": "i" * 199}), encoding="utf-8")
    with Campaign.open(parent, builders.clock) as opened:
        opened.process(HIT)
    path = forked(parent, tmp_path / "fork", "5")
    assert builders.on_disk(path)["campaign.json"]["id"] == "i" * 198 + "-6"
    assert sound(path)


def test_a_fork_has_the_newest_results_of_its_past(parent: Path, tmp_path: Path) -> None:
    path = forked(parent, tmp_path / "fork", "turn_0003")
    shared = {name: data for name, data in contents(parent).items() if name.startswith("results/")}
    assert {name: data for name, data in contents(path).items() if name.startswith("results/")} == shared


def test_no_fork_is_made_where_something_is_or_of_what_never_was(parent: Path, tmp_path: Path) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full/file").touch()
    for path, at in ((tmp_path / "full", "1"), (tmp_path / "fork", "4"), (tmp_path / "fork", "turn_9"), (parent, "1")):
        with pytest.raises(BadRequest):
            forked(parent, path, at)
    assert not (tmp_path / "fork").exists()


def test_a_fork_that_was_cut_off_can_be_made_again(
    parent: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = contents(forked(parent, tmp_path / "expected", "crossing", seed="x"))
    for last in range(1, 100):
        place = tmp_path / "fork"
        with monkeypatch.context() as patch:
            machine = Machine(patch, last, tears=False)
            try:
                forked(parent, place, "crossing", seed="x")
            except Killed:
                assert machine.left <= 0
        try:
            forked(parent, place, "crossing", seed="x")
        except BadRequest:
            with Campaign.open(place, builders.clock) as campaign:
                campaign.set({"goal.text": ""})  # changes nothing, but brings everything up to date
        assert contents(place) == expected, f"killed at operation {last}"
        shutil.rmtree(place)
        if machine.left > 0:
            return
    pytest.fail("it was killed every time")


def test_a_campaign_whose_files_could_not_be_written_is_said_to_be_there(
    parent: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_space(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    for name, make in (("fork", partial(forked, parent, at="1")), ("new", new)):
        place = tmp_path / name
        with monkeypatch.context() as patch:
            patch.setattr(Checkpoint, "save", no_space)
            with pytest.raises(StorageFailed, match=r"is begun, and its next turn writes .*: No space left on device"):
                make(place)
        with Campaign.open(place, builders.clock) as campaign:
            campaign.process({})
        assert sound(place)


def test_the_turn_files_of_a_sample_wait_although_no_other_file_could_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_space(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(Checkpoint, "save", no_space)
        with pytest.raises(StorageFailed, match="is begun, and its next turn writes"):
            new(tmp_path / "tale", template="crossing")
    new(tmp_path / "other", template="crossing").close()
    tale, other = contents(tmp_path / "tale"), contents(tmp_path / "other")
    expected = {name: data for name, data in other.items() if name.startswith("turns/")}
    assert {name: data for name, data in tale.items() if name.startswith("turns/")} == expected
    assert not list(tmp_path.glob("*/.turnwright/turn-*"))


def test_a_sample_whose_turn_files_find_no_room_is_not_begun_and_can_be_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    replace = Files.replace

    def little_space(self: Files, path: str, data: bytes) -> Seen:
        if "0005" in path:
            raise OSError(errno.ENOSPC, "No space left on device")
        return replace(self, path, data)

    path = tmp_path / "tale"
    with monkeypatch.context() as patch:
        patch.setattr(Files, "replace", little_space)
        with pytest.raises(StorageFailed, match=r"cannot make .*: No space left on device"):
            new(path, template="crossing")
    assert not (path / "log.jsonl").exists()
    new(path, template="crossing").close()
    assert len(list(path.glob("turns/*.json"))) == 12
    assert not list(path.glob(".turnwright/turn-*"))


def test_a_sample_that_is_begun_without_its_turn_files_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.EIO, "Input/output error")

    with monkeypatch.context() as patch:
        patch.setattr(Files, "rename", refuse)
        with pytest.raises(StorageFailed, match="is begun without some of its turn files: delete it, and"):
            new(tmp_path / "tale", template="crossing")


# the same every time


def made(folder: Path) -> dict[str, bytes]:
    """Return what a play made, but for SQLite's file: what was saved in how many goes shows in its bytes."""
    return {name: data for name, data in contents(folder).items() if "/.turnwright/checkpoint" not in name}


PLAY = """
import json, sys
from pathlib import Path
from tests import builders
from tests.store.kit import edit
from turnwright import Campaign
from turnwright.store import platform

platform.sync_file = platform.sync_folder = lambda _: None
path = Path(sys.argv[1])
with Campaign.new(path, seed="x", clock=builders.clock) as campaign:
    campaign.set({"narration.check": "retry", "results.keep": 4, "goal.text": "Cross the river"})
    how = {"size": 9, "seed": "s"}
    generate = builders.call("map_generate", parent_area_id="area_002", theme="Cave", constraints=how)
    calls = (generate, builders.hp_delta(-3), builders.move("nowhere"), builders.call("fly"), 5)
    campaign.process(builders.turn(*calls, x_note={"b": 1, "a": 2}))
    for text in ("You lose 30 hit points.", "You lose 40 hit points.", "All is quiet."):
        campaign.process({"turn_id": "told", "assistant_text": text})
    edit(path / "characters/pc_001.json", name="Mira", extra={"z": 1, "a": [1.5, 1e300]})
    for name in ("b", "a"):
        (path / f"turns/{name}.json").write_text(json.dumps(builders.turn(builders.hp_delta(1))), encoding="utf-8")
    (path / "turns/c.json").write_text("{", encoding="utf-8")
    list(campaign.process_drop())
    campaign.undo()
    campaign.process(builders.turn(builders.move("area_002"), turn_id="gone"))
    campaign.fork(path.with_name("fork"), "told", seed="y")
"""


def test_the_same_play_gives_the_same_bytes_every_time_and_under_any_hashing(tmp_path: Path) -> None:
    places = {}
    for name, seed in some([("one", "0"), ("two", "0"), ("three", "1"), ("four", "4242")], 2):
        (tmp_path / name).mkdir()
        places[name] = python(PLAY, tmp_path / name / "tale", PYTHONHASHSEED=seed)
    for process in places.values():
        ended(process)
    played = {name: made(tmp_path / name) for name in places}
    first = played["one"]
    assert {
        "tale/log.jsonl",
        "tale/turns/refused/c.json.reason.json",
        "fork/log.jsonl",
        "tale/maps/area_002.json",
    } < set(first)
    for name in places:
        assert played[name] == first
        assert sound(tmp_path / name / "tale")
        assert sound(tmp_path / name / "fork")


def test_a_campaign_can_be_moved_and_copied(parent: Path, tmp_path: Path) -> None:
    shutil.copytree(parent, tmp_path / "copy")
    shutil.move(parent, tmp_path / "moved")
    replies = []
    for name in ("copy", "moved"):
        with Campaign.open(tmp_path / name, builders.clock) as campaign:
            replies.append(campaign.process(HIT))
        assert sound(tmp_path / name)
    assert replies[0] == replies[1]
    assert contents(tmp_path / "copy") == contents(tmp_path / "moved")


def test_a_campaign_deleted_under_a_process_that_stays_is_missed(parent: Path) -> None:
    with Campaign.open(parent, builders.clock) as campaign:
        campaign.process(HIT)
        shutil.rmtree(parent)
        doors: list[Callable[[], object]] = [
            lambda: campaign.process(HIT),
            lambda: campaign.set({"goal.text": "x"}),
            lambda: campaign.undo(),
        ]
        for door in doors:
            with pytest.raises(CampaignInvalid, match="the log is missing"):
                door()
