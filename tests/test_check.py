from __future__ import annotations

import copy
import errno
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from tests import builders, json_samples
from tests.cached_fixtures import schemas
from tests.sampling import tries
from tests.shaped import SHAPED
from tests.store.kit import CHECKPOINT, forget_checkpoint

from turnwright import Campaign
from turnwright.audit.check import check_directory
from turnwright.model.errors import CampaignInvalid
from turnwright.model.wire.reason import Problem
from turnwright.schemas.faults import schema_faults
from turnwright.store.checkpoint import Checkpoint
from turnwright.store.disk import Disk
from turnwright.store.files import Files
from turnwright.store.store import Store

Json = Any
Found = set[tuple[str, str, str]]


def write(folder: Path, values: Mapping[str, Any]) -> Path:
    """Write files; bytes as they are, anything else as JSON."""
    folder.mkdir(exist_ok=True)
    for path, value in values.items():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(value if isinstance(value, bytes) else json.dumps(value).encode())
    return folder


def sound(**changed: Any) -> dict[str, Any]:
    """Return the files of a sound campaign; a keyword `a__b` replaces the file `a/b.json`."""
    replaced = {f"{name.replace('__', '/')}.json": value for name, value in changed.items()}
    return copy.deepcopy(builders.documents()) | replaced


def with_values(path: str, **values: Any) -> dict[str, Any]:
    """Return the files of a sound campaign in which one document has other values at its top."""
    documents = sound()
    documents[path] |= values
    return documents


def places(problems: list[Problem], *, warning: bool = False) -> Found:
    return {(p.file, p.path, p.rule) for p in problems if p.warning is warning}


def only(problems: list[Problem]) -> Problem:
    assert len(problems) == 1, problems
    return problems[0]


def everything_below(folder: Path) -> dict[str, Any]:
    found = sorted(folder.rglob("*"))
    return {str(path): (path.stat().st_mtime_ns, path.is_file() and path.read_bytes()) for path in found}


def test_a_sound_campaign_has_no_problems_and_is_not_touched(tmp_path: Path) -> None:
    folder = write(tmp_path / "c", sound() | {"turns/1.json": builders.turn(builders.move("area_002"))})
    before = everything_below(folder)
    assert check_directory(folder) == []
    assert everything_below(folder) == before


def everything_but_sqlites_own(folder: Path) -> dict[str, Any]:
    """Return every file but those by which SQLite knows that somebody reads, and their folder, whose time changes."""
    found = everything_below(folder)
    return {name: look for name, look in found.items() if not name.endswith((".turnwright", "-shm", "-wal"))}


def cut_short(log: bytes) -> bytes:
    return b"".join(log.splitlines(keepends=True)[:-1])


def lose_log_and_folder(path: Path) -> None:
    shutil.rmtree(path / ".turnwright")
    (path / LOG).unlink()


LOG, SECRET = "log.jsonl", ".turnwright/secret.json"
DAMAGE: dict[str, tuple[Callable[[Path], object], str, str]] = {
    "the log is gone": (lambda path: (path / LOG).unlink(), LOG, "bring log.jsonl back from a copy"),
    "another text is the log": (lambda path: (path / LOG).write_bytes(b"no log at all"), LOG, "no longer holds record"),
    "the log is cut short": (
        lambda path: (path / LOG).write_bytes(cut_short((path / LOG).read_bytes())),
        LOG,
        "otherwise bring log.jsonl back from a copy",
    ),
    "the log ends its lines in CRLF": (
        lambda path: (path / LOG).write_bytes((path / LOG).read_bytes().replace(b"\n", b"\r\n")),
        LOG,
        "CRLF",
    ),
    "the secret is gone": (lambda path: (path / SECRET).unlink(), SECRET, "bring it back from a copy"),
    "the secret cannot be read": (
        lambda path: (path / SECRET).write_bytes(b"{"),
        SECRET,
        "cannot be read; bring it back from a copy",
    ),
    "the secret is another": (
        lambda path: (path / SECRET).write_text(json.dumps({"secrets": ["00"]})),
        SECRET,
        "is not the secret this campaign was begun with",
    ),
    "the engine's folder is gone": (lambda path: shutil.rmtree(path / ".turnwright"), SECRET, "is missing"),
    "the log and the engine's folder are gone": (
        lose_log_and_folder,
        LOG,
        "is missing, but turns were taken: see results/",
    ),
}


@pytest.mark.parametrize("name", DAMAGE)
def test_what_every_writer_refuses_is_a_problem(tmp_path: Path, name: str) -> None:
    damage, file, words = DAMAGE[name]
    with builders.begin(tmp_path / "c") as campaign:
        campaign.process(builders.turn(builders.move("area_002")))
    assert check_directory(tmp_path / "c") == []
    damage(tmp_path / "c")
    before = everything_but_sqlites_own(tmp_path / "c")
    problem = only(check_directory(tmp_path / "c"))
    assert (problem.file, problem.warning) == (file, False)
    assert words in problem.message
    assert everything_but_sqlites_own(tmp_path / "c") == before
    with Campaign.open(tmp_path / "c", builders.clock) as campaign, pytest.raises(CampaignInvalid):
        campaign.process(builders.turn(builders.hp_delta(-1)))


def taken_back(folder: Path) -> Path:
    """Begin a campaign, take two turns, and take the log back by one of them."""
    with builders.begin(folder) as campaign:
        campaign.process(builders.turn(builders.move("area_002")))
        campaign.process(builders.turn(builders.hp_delta(-1)))
    (folder / LOG).write_bytes(cut_short((folder / LOG).read_bytes()))
    return folder


@pytest.mark.parametrize("checkpoint", ["gone", "none", "never filled"])
def test_a_reply_that_the_log_has_lost_is_a_problem_where_no_checkpoint_vouches(
    tmp_path: Path, checkpoint: str
) -> None:
    folder = taken_back(tmp_path / "c")
    forget_checkpoint(folder)
    if checkpoint == "none":
        (folder / CHECKPOINT).write_bytes(b"nonsense" * 999)
    elif checkpoint == "never filled":
        Checkpoint.create(Files(folder)).close()
    before = everything_but_sqlites_own(folder)
    problem = only(check_directory(folder))
    assert (problem.file, problem.warning) == ("results/turn_0002.json", False)
    assert "is the reply to record 2, but the log ends with record 1" in problem.message
    assert everything_but_sqlites_own(folder) == before
    with Campaign.open(folder, builders.clock) as campaign, pytest.raises(CampaignInvalid, match=r"turn_0002\.json"):
        campaign.process({})
    assert only(check_directory(folder)) == problem


def test_results_that_cannot_be_read_are_warned_of(tmp_path: Path) -> None:
    folder = tmp_path / "c"
    builders.begin(folder).close()
    forget_checkpoint(folder)
    (folder / "results").write_bytes(b"")
    assert places(check_directory(folder), warning=True) == {("results", "$", "file")}


def test_a_reply_whose_record_came_while_we_looked_is_no_problem(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "c"
    builders.begin(folder).close()
    forget_checkpoint(folder)
    load = Store.load_for_reading

    def load_just_before_a_turn(store: Store) -> None:
        load(store)
        with Campaign.open(folder, builders.clock) as campaign:
            campaign.process({})
        forget_checkpoint(folder)

    monkeypatch.setattr(Store, "load_for_reading", load_just_before_a_turn)
    assert check_directory(folder) == []


def test_who_may_not_read_the_secret_is_warned_of_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    builders.begin(tmp_path / "c").close()
    open_file = Disk.open

    def refuse(disk: Disk, place: str, flags: int) -> int:
        if place.endswith("secret.json"):
            raise PermissionError(errno.EACCES, "Permission denied", place)
        return open_file(disk, place, flags)

    monkeypatch.setattr(Disk, "open", refuse)
    assert places(check_directory(tmp_path / "c"), warning=True) == {(SECRET, "$", "file")}


def test_what_the_next_writer_makes_again_is_a_warning(tmp_path: Path) -> None:
    folder = tmp_path / "c"
    with builders.begin(folder) as campaign:
        campaign.process(builders.turn(builders.move("area_002")))
    (folder / "campaign.json").unlink()
    (folder / "characters" / "pc_001.json").unlink()
    (folder / "maps" / "root.json").write_bytes(b"")
    (folder / "maps" / "area_002.json").write_bytes((folder / "maps" / "area_002.json").read_bytes()[:20])
    before = [everything_below(folder / inner) for inner in ("characters", "maps", "results")]
    problems = check_directory(folder)
    assert [everything_below(folder / inner) for inner in ("characters", "maps", "results")] == before
    assert not places(problems)
    assert places(problems, warning=True) == {
        ("campaign.json", "$", "missing"),
        ("characters/pc_001.json", "$", "missing"),
        ("maps/area_002.json", "$", "cut_off"),
        ("maps/root.json", "$", "cut_off"),
    }
    with Campaign.open(folder, builders.clock) as campaign:
        campaign.process({})
    assert check_directory(folder) == []


@pytest.mark.parametrize("name", ["maps/root.json", "log.jsonl"])
def test_what_cannot_be_read_is_told_as_that(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    folder = tmp_path / "c"
    with builders.begin(folder) as campaign:
        campaign.process(builders.turn(builders.move("area_002")))
    for leftover in (folder / ".turnwright").glob("checkpoint*"):
        leftover.unlink()
    open_file = Disk.open

    def refuse(disk: Disk, place: str, flags: int) -> int:
        if place.endswith(name):
            raise PermissionError(errno.EACCES, "Permission denied", place)
        return open_file(disk, place, flags)

    monkeypatch.setattr(Disk, "open", refuse)
    assert (name, "$", "file") in places(check_directory(folder))


def test_what_no_log_vouches_for_is_a_problem(tmp_path: Path) -> None:
    folder = tmp_path / "c"
    builders.begin(folder).close()
    (folder / "log.jsonl").write_bytes(b"no log at all\n")
    (folder / "characters" / "pc_001.json").unlink()
    (folder / "maps" / "root.json").write_bytes(b"")
    assert places(check_directory(folder)) >= {
        ("campaign.json", "$.selected.party_character_ids[0]", "unknown_character"),
        ("maps/root.json", "$", "json"),
    }


# one document


def test_all_that_is_wrong_with_a_file_is_told_at_once(tmp_path: Path) -> None:
    layer = {
        "areas": {
            "area_001": {"id": "area_001", "nmae": "Ford", "reachable_area_ids": "area_002"},
            "area_002": {"id": 2, "name": None, "reachable_area_ids": [1], "parent_area_id": ""},
        },
        "connections": [{"from_area_id": "a"}],
    }
    person = {"id": "pc_001", "hp": 1.0, "max_hp": 0, "character_type": "hero", "death_saves": {"successes": 4}}
    problems = check_directory(write(tmp_path / "c", sound(maps__root=layer, characters__pc_001=person)))
    root, pc_001 = "maps/root.json", "characters/pc_001.json"
    assert places(problems) >= {
        (root, "$.areas.area_001.nmae", "additionalProperties"),
        (root, "$.areas.area_001.name", "required"),
        (root, "$.areas.area_001.reachable_area_ids", "type"),
        (root, "$.areas.area_002.id", "type"),
        (root, "$.areas.area_002.name", "type"),
        (root, "$.areas.area_002.reachable_area_ids[0]", "type"),
        (root, "$.areas.area_002.parent_area_id", "minLength"),
        (root, "$.connections[0].to_area_id", "required"),
        (pc_001, "$.hp", "type"),
        (pc_001, "$.max_hp", "minimum"),
        (pc_001, "$.character_type", "enum"),
        (pc_001, "$.death_saves.successes", "maximum"),
    }
    assert {p.file for p in problems} == {root, pc_001}
    assert len(problems) == 12
    told = {p.path: p.message for p in problems}
    assert told["$.hp"] == "wants an integer, written without a point, or null"
    assert "the nearest one is name" in told["$.areas.area_001.nmae"]


def test_a_number_that_is_none_of_those_that_may_stand_there_is_told_which_may(tmp_path: Path) -> None:
    clock = {"id": "morning", "name": "Morning", "segments": 5, "filled": 0, "type": "goal"}
    problem = only(check_directory(write(tmp_path / "c", sound(clocks__morning=clock))))
    assert (problem.path, problem.rule, problem.message) == ("$.segments", "enum", "wants one of 4, 6, 8")


def test_problems_are_sorted_by_file(tmp_path: Path) -> None:
    files = [*sound(), "turns/1.json"]
    problems = check_directory(write(tmp_path / "c", dict.fromkeys(files, b"{")))
    assert [p.file for p in problems] == sorted(files)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (b'{"id": "pc_001", "id": "pc_001"}', '"id" stands twice'),
        (b'\xef\xbb\xbf{"id": "pc_001"}', "byte order mark"),
        (b'{"id": "pc_001", "hp": NaN}', "NaN"),
        (b'{"id": "pc_001", "name": "\xff"}', "not UTF-8 (byte 26); save it as UTF-8"),
        ('{"id": "pc_001"}'.encode("utf-16-le"), "as UTF-16 does; save it as UTF-8"),
        (b'{"id": "pc_001", "name": "\\ud800"}', "surrogate"),
        (b'{\n "id" "pc_001"}', "line 2, column 7"),
        (b"", "line 1, column 1"),
        (b'{"id": ' + b"[" * 65 + b"]" * 65 + b"}", "nested more than 64 deep"),
    ],
)
def test_a_file_that_is_no_strict_json_is_told_where(tmp_path: Path, text: bytes, words: str) -> None:
    problem = only(check_directory(write(tmp_path / "c", sound(characters__pc_001=text))))
    assert (problem.file, problem.path, problem.rule) == ("characters/pc_001.json", "$", "json")
    assert words in problem.message


def test_a_file_must_have_the_name_of_what_it_holds(tmp_path: Path) -> None:
    values = sound(
        characters__Ana=builders.person("Ana"),
        characters__two={"id": "three", "hp": -1},
        maps__area_003={"parent_area_id": "area_004", "areas": {}},
    )
    problems = check_directory(write(tmp_path / "c", values))
    assert places(problems) == {
        ("characters/Ana.json", "$", "file_name"),
        ("characters/two.json", "$", "file_name"),
        ("characters/two.json", "$.hp", "minimum"),
        ("maps/area_003.json", "$", "file_name"),
    }
    assert {p.message for p in problems if p.rule == "file_name"} >= {
        "holds a document whose file would be characters/three.json"
    }


@pytest.mark.parametrize(
    "name", ["pc_001 (1)", "pc_001 copy", "Copy of pc_001", "pc_001.sync-conflict-2026", "pc_001_2"]
)
def test_a_copy_of_a_document_is_called_one(tmp_path: Path, name: str) -> None:
    files = sound() | {f"characters/{name}.json": builders.person("pc_001")}
    problem = only(check_directory(write(tmp_path / "c", files)))
    told = "holds a document whose file would be characters/pc_001.json; it looks like a copy of that: move it out"
    assert (problem.file, problem.rule) == (f"characters/{name}.json", "file_name")
    assert problem.message.startswith(told)
    with builders.begin(tmp_path / "begun") as campaign:
        write(tmp_path / "begun", {f"characters/{name}.json": builders.person("pc_001")})
        with pytest.raises(CampaignInvalid, match="looks like a copy"):
            campaign.process({})


@pytest.mark.parametrize("name", ["pc_0012", "pc_002b", "ana"])
def test_a_document_under_another_name_is_not_called_a_copy(tmp_path: Path, name: str) -> None:
    files = sound() | {f"characters/{name}.json": builders.person("pc_001")}
    assert "copy" not in only(check_directory(write(tmp_path / "c", files))).message


def test_an_id_that_is_wrong_itself_says_nothing_about_the_name(tmp_path: Path) -> None:
    values = sound(characters__a={"id": 1}, characters__b={"hp": 1}, characters__c=[], maps__d={"parent_area_id": 1})
    problems = check_directory(write(tmp_path / "c", values))
    assert "file_name" not in {p.rule for p in problems}
    assert {p.file for p in problems} == {f"characters/{name}.json" for name in "abc"} | {"maps/d.json"}


def test_a_newer_format_is_told_in_clear_words_and_alone(tmp_path: Path) -> None:
    values = with_values("campaign.json", format=3, shape="of things to come")
    problem = only(check_directory(write(tmp_path / "c", values)))
    assert (problem.file, problem.path, problem.rule) == ("campaign.json", "$.format", "format")
    assert "newer turnwright" in problem.message


@pytest.mark.parametrize("number", [0, "1", None, True, 1.0])
def test_a_format_that_is_none_is_a_problem(tmp_path: Path, number: Any) -> None:
    problems = check_directory(write(tmp_path / "c", with_values("campaign.json", format=number)))
    assert {path for _, path, _ in places(problems)} == {"$.format"}


# the campaign as a whole


def test_what_ties_documents_together_is_checked_over_all_of_them(tmp_path: Path) -> None:
    values = with_values(
        "campaign.json",
        allowlist=["move", "mvoe", "quick_roll"],
        selected={"party_character_ids": ["pc_001", "ghost"]},
        settings={"limits": {"calls": 0}, "narration": {"chek": "off"}},
    )
    values["maps/root.json"]["areas"]["area_003"]["reachable_area_ids"] = ["nowhere"]
    values["characters/pc_002.json"]["position"] = "elsewhere"
    values["characters/npc_001.json"]["character_state"] = "asleep"
    problems = check_directory(write(tmp_path / "c", values))
    guesses = [problem.message.rpartition(" ")[2] for problem in problems if problem.rule == "unknown_tool"]
    assert guesses == ["move", "roll_dice"]
    assert places(problems) == {
        ("campaign.json", "$.selected.party_character_ids[1]", "unknown_character"),
        ("campaign.json", "$.settings.limits.calls", "setting"),
        ("campaign.json", "$.settings.narration.chek", "setting"),
        ("maps/root.json", "$.areas.area_003", "area:area_003:reachable_missing_target"),
    }
    assert places(problems, warning=True) == {
        ("campaign.json", "$.allowlist[1]", "unknown_tool"),
        ("campaign.json", "$.allowlist[2]", "unknown_tool"),
        ("characters/pc_002.json", "$.position", "unknown_area"),
        ("characters/npc_001.json", "$.character_state", "unknown_state"),
    }


def test_names_in_settings_that_stand_for_nothing_are_warned_of(tmp_path: Path) -> None:
    settings = {
        "players": {"tools": ["mvoe", "move", "quick_roll"]},
        "suggestions": {"disabled_rules": ["r14_travel", "r14_trvel"], "llm": "default"},
        "agents": {
            "individual_npcs": ["npc_001", "npc_0001"],
            "default_model": "echo",
            "larger_model": "openai:llama3.2@http://127.0.0.1:11434/v1",
            "combat": {"model": "larger"},
            "narrative": {"model": "qq"},
            "summarizer": {"model": "openrouter:some/model"},
        },
    }
    problems = check_directory(write(tmp_path / "c", with_values("campaign.json", settings=settings)))
    assert not places(problems)
    told = {(problem.path.removeprefix("$.settings."), problem.rule): problem.message for problem in problems}
    assert told.keys() == {
        ("players.tools[0]", "unknown_tool"),
        ("players.tools[2]", "unknown_tool"),
        ("suggestions.disabled_rules[1]", "unknown_rule"),
        ("suggestions.llm", "unknown_model"),
        ("agents.individual_npcs[1]", "unknown_character"),
        ("agents.narrative.model", "unknown_model"),
    }
    assert told["players.tools[2]", "unknown_tool"].endswith("the nearest tool is roll_dice")
    assert told["suggestions.disabled_rules[1]", "unknown_rule"].endswith("the nearest rule is r14_travel")
    assert told["agents.individual_npcs[1]", "unknown_character"].endswith("; did you mean npc_001?")
    assert "default, larger, echo" in told["agents.narrative.model", "unknown_model"]
    assert "larger" not in told["suggestions.llm", "unknown_model"]


def test_a_character_whose_file_cannot_be_read_may_still_have_an_agent(tmp_path: Path) -> None:
    values = with_values("campaign.json", settings={"agents": {"individual_npcs": ["npc_009"]}})
    problems = check_directory(write(tmp_path / "c", values | {"characters/npc_009.json": b"{"}))
    assert {problem.rule for problem in problems} == {"json"}


def test_a_rule_that_no_schema_can_express_is_told_too(tmp_path: Path) -> None:
    values = with_values("campaign.json", selected={"party_character_ids": ["pc_001"], "active_actor_id": "pc_002"})
    problem = only(check_directory(write(tmp_path / "c", values)))
    assert (problem.file, problem.path) == ("campaign.json", "$.selected")
    assert "active_actor_id is not in the party" in problem.message


def test_a_file_that_cannot_be_read_is_not_blamed_on_others(tmp_path: Path) -> None:
    broken = sound(maps__root=b"{", characters__pc_002=b"{")
    broken["maps/area_002.json"]["areas"]["area_004"]["id"] = "area_005"
    problems = check_directory(write(tmp_path / "c", broken))
    assert places(problems) == {
        ("characters/pc_002.json", "$", "json"),
        ("maps/root.json", "$", "json"),
        ("maps/area_002.json", "$.areas.area_004", "area:area_004:id_mismatch"),
    }
    assert not places(problems, warning=True)


def test_without_campaign_json_the_other_files_are_checked_all_the_same(tmp_path: Path) -> None:
    values = sound(characters__pc_001={"id": "pc_001", "hp": "1"})
    del values["campaign.json"]
    problems = check_directory(write(tmp_path / "c", values))
    assert places(problems) == {("campaign.json", "$", "missing"), ("characters/pc_001.json", "$.hp", "type")}


def test_a_directory_that_is_not_there_has_no_campaign(tmp_path: Path) -> None:
    assert places(check_directory(tmp_path / "nothing")) == {("campaign.json", "$", "missing")}


def test_a_file_is_no_campaign_directory(tmp_path: Path) -> None:
    assert places(check_directory(write(tmp_path, {"file": b""}) / "file")) == {(".", "$", "file")}


# what lies where a file should


def test_only_ordinary_files_are_read(tmp_path: Path) -> None:
    folder = write(tmp_path / "c", sound() | {"turns/9.json": {}, "elsewhere/a.txt": b"{}"})
    (folder / "characters" / "link.json").symlink_to(folder / "characters" / "pc_001.json")
    (folder / "characters" / "folder.json").mkdir()
    os.mkfifo(folder / "maps" / "pipe.json")
    (folder / "turns" / "link.json").symlink_to(folder / "turns" / "9.json")
    os.mkfifo(folder / "turns" / "pipe.json")
    (folder / "turns" / "folder.json").mkdir()
    strange = {"characters/link", "characters/folder", "maps/pipe", "turns/link", "turns/pipe", "turns/folder"}
    assert places(check_directory(folder)) == {(f"{name}.json", "$", "file") for name in strange}


@pytest.mark.parametrize(("name", "why"), [("x" * 200 + ".json", "at most 200"), ("\udcff.json", "not UTF-8")])
@pytest.mark.skipif(sys.platform != "linux", reason="names that are no UTF-8")
def test_a_dropped_file_whose_name_cannot_be_kept_is_told_for_its_name(tmp_path: Path, name: str, why: str) -> None:
    folder = write(tmp_path / "c", sound() | {"turns/1.json": {}})
    (folder / "turns" / "1.json").rename(folder / "turns" / name)
    (problem,) = check_directory(folder)
    assert why in problem.message


def test_a_linked_campaign_json_is_not_followed(tmp_path: Path) -> None:
    folder = write(tmp_path / "c", sound())
    (folder / "campaign.json").rename(tmp_path / "real.json")
    (folder / "campaign.json").symlink_to(tmp_path / "real.json")
    assert places(check_directory(folder)) == {("campaign.json", "$", "file")}


@pytest.mark.parametrize("name", ["characters", "results", "turns", "turns/done"])
def test_a_folder_that_is_a_link_is_what_every_writer_says_it_is(tmp_path: Path, name: str) -> None:
    folder = write(tmp_path / "c", sound() | {"results/a.json": {}, "turns/a.json": {}})
    (folder / "turns" / "done").mkdir()
    (folder / name).rename(tmp_path / "elsewhere")
    (folder / name).symlink_to(tmp_path / "elsewhere")
    found = check_directory(folder)
    with pytest.raises(CampaignInvalid) as refused:
        Campaign.open(folder).process({})
    assert places(found) == {(name, "$", "link")}
    assert found == list(refused.value.problems)


def test_a_file_where_a_folder_should_be_is_a_problem(tmp_path: Path) -> None:
    values = {path: value for path, value in sound().items() if not path.startswith("maps/")} | {"maps": b"{}"}
    assert places(check_directory(write(tmp_path / "c", values))) == {("maps", "$", "file")}


def test_a_file_that_may_not_be_read_is_a_problem(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: Files, path: str, at_most: int | None = None) -> bytes:
        if path in ("characters/pc_001.json", "turns/1.json"):
            raise PermissionError(13, "Permission denied")
        if path == "turns/2.json":
            raise FileNotFoundError(2, "taken since")
        return read(self, path, at_most)

    read: Callable[[Files, str, int | None], bytes] = Files.read
    monkeypatch.setattr(Files, "read", refuse)
    folder = write(tmp_path / "c", sound() | {"turns/1.json": {}, "turns/2.json": {}})
    problems = check_directory(folder)
    assert places(problems) == {("characters/pc_001.json", "$", "file"), ("turns/1.json", "$", "file")}
    assert all("Permission denied" in p.message for p in problems)


def test_names_that_nobody_reads_are_warned_of(tmp_path: Path) -> None:
    strangers = {
        "campain.json": {},
        "character/a.json": {},
        "log (conflicted copy).jsonl": b"",
        "logbook.jsonl": b"",
        "notes/read.me": b"",
        ".hidden.json": b"{",
        "LICENSE": b"",
    }
    quiet = {"results/turn_0001.json": b"{", "turns/done/1.json": b"{", "maps/.swap.json": b"{", "maps/old.txt": b"{"}
    builders.begin(tmp_path / "c").close()
    problems = check_directory(write(tmp_path / "c", strangers | quiet))
    unknown = {"campain.json", "character", "log (conflicted copy).jsonl"}
    assert places(problems, warning=True) == {(name, "$", "unknown_file") for name in unknown}
    assert not places(problems)
    assert problems[0].message.endswith("; did you mean campaign.json?")
    assert problems[1].message.endswith("; did you mean characters?")


@pytest.mark.skipif(sys.platform != "linux", reason="names that are no UTF-8")
def test_a_name_in_no_encoding_can_be_printed(tmp_path: Path) -> None:
    folder = write(tmp_path / "c", sound() | {"turns/1.json": {}})
    (folder / "turns" / "1.json").rename(folder / "turns" / "\udcff.json")
    for problem in check_directory(folder):
        str(problem).encode()


# waiting turns


def turn_problems(tmp_path: Path, turn: Any, **campaign: Any) -> list[Problem]:
    return check_directory(write(tmp_path / "c", with_values("campaign.json", **campaign) | {"turns/1.json": turn}))


@pytest.mark.parametrize(
    ("turn", "path", "rule"),
    [
        (b"{", "$", "json"),
        (b'{"turn_id": "a", "turn_id": "b"}', "$", "json"),
        ([], "$", "type"),
        ({"tool_call": []}, "$.tool_call", "additionalProperties"),
        ({"turn_id": "a b"}, "$.turn_id", "pattern"),
        ({"turn_id": "a\n"}, "$.turn_id", "not"),
        ({"actor_id": None}, "$.actor_id", "type"),
        ({"tool_calls": {}}, "$.tool_calls", "type"),
        ({"answer": 1, "user_input": ""}, "$", "not"),
        ({"x_big": [2**53 + 1]}, "$.x_big[0]", "maximum"),
        ({"tool_calls": [{}] * 65}, "$", "invalid_turn"),
    ],
)
def test_a_turn_that_would_be_refused_is_a_problem(tmp_path: Path, turn: Any, path: str, rule: str) -> None:
    assert places(turn_problems(tmp_path, turn)) == {("turns/1.json", path, rule)}


def test_limits_of_turns_are_those_of_the_campaign(tmp_path: Path) -> None:
    calls = builders.turn(builders.hp_delta(), builders.hp_delta())
    assert not turn_problems(tmp_path, calls)
    assert places(turn_problems(tmp_path, calls, settings={"limits": {"calls": 1}}))
    assert places(turn_problems(tmp_path, {"user_input": "x" * 1024}, settings={"limits": {"turn_bytes": 1024}}))
    assert places(turn_problems(tmp_path, {"x_": [[[[[[[[]]]]]]]]}, settings={"limits": {"turn_depth": 8}}))


def test_all_that_is_wrong_with_a_turn_is_told_at_once(tmp_path: Path) -> None:
    turn = {
        "tool_calls": [{"tool": "mvoe", "args": {}}, builders.call("mvoe")],
        "atomic": 1,
        "agnet": "",
        "dm_note": None,
    }
    problems = turn_problems(tmp_path, turn)
    paths = {"$.atomic": "type", "$.agnet": "additionalProperties", "$.dm_note": "type"}
    assert places(problems) == {("turns/1.json", path, rule) for path, rule in paths.items()}
    assert places(problems, warning=True) == {
        ("turns/1.json", "$.tool_calls[0].id", "required"),
        ("turns/1.json", "$.tool_calls[1].tool", "unknown_tool"),
    }


@pytest.mark.parametrize(
    ("call", "path", "rule"),
    [
        (None, "", "type"),
        ({"id": "a", "tool": "move"}, ".args", "required"),
        (builders.move("a") | {"reason": 1}, ".reason", "type"),
        (builders.call("Move"), ".tool", "unknown_tool"),
        (builders.call("move", to_area_id="a", actor_id="b"), ".args.from_area_id", "required"),
        (builders.hp_delta(1.0), ".args.delta", "type"),
        (builders.hp_delta(2**53 + 1) | {"args": {"n": 2**60}}, ".args", "json"),
        (
            builders.call("map_generate", parent_area_id=None, constraints={"size": 31}),
            ".args.constraints.size",
            "maximum",
        ),
    ],
)
def test_a_call_that_could_never_be_applied_is_a_warning(tmp_path: Path, call: Any, path: str, rule: str) -> None:
    problems = turn_problems(tmp_path, {"tool_calls": [builders.hp_delta(), call]})
    assert not places(problems)
    assert ("turns/1.json", f"$.tool_calls[1]{path}", rule) in places(problems, warning=True)


@pytest.mark.parametrize(
    "call",
    [
        builders.call("create_character", name="A", maxHp=7),
        builders.call("roll_check", characterName="A", checkType="Skill", skill="sleight of hand"),
        builders.call("quick_roll", roll="d6"),
        builders.call("apply_damage", target_name="A", damage=3),
        builders.call("roll_dice", batch=[{"expression": "d6"}, {}]),
        builders.call("batch_execute_action", actions=[]),
    ],
    ids=lambda call: str(call["tool"]),
)
def test_what_the_engine_understands_is_nothing_to_warn_of(tmp_path: Path, call: Json) -> None:
    assert turn_problems(tmp_path, {"tool_calls": [call]}) == []


@pytest.mark.parametrize(
    ("call", "path", "rule"),
    [
        (builders.call("quick_roll", rol="d6"), ".args.rol", "additionalProperties"),
        (builders.call("roll_check", check_type="weather"), ".args", "invalid_args"),
        (builders.call("apply_damage", target_name="A"), ".args", "invalid_args"),
    ],
    ids=lambda value: str(value["tool"]) if isinstance(value, dict) else value,
)
def test_what_the_engine_does_not_understand_is_warned_of(tmp_path: Path, call: Json, path: str, rule: str) -> None:
    found = places(turn_problems(tmp_path, {"tool_calls": [call]}), warning=True)
    assert ("turns/1.json", f"$.tool_calls[0]{path}", rule) in found


@pytest.mark.parametrize(
    ("shape", "args", "tool"),
    [
        ("openai", "function.arguments", "function.name"),
        ("openai, an object", "function.arguments", "function.name"),
        ("openai responses", "arguments", "name"),
        ("anthropic", "input", "name"),
        ("mcp", "arguments", "name"),
        ("mcp request", "params.arguments", "params.name"),
    ],
)
def test_calls_in_other_shapes_are_warned_of_where_they_stand(tmp_path: Path, shape: str, args: str, tool: str) -> None:
    write = SHAPED[shape]
    asked = [builders.hp_delta(), builders.hp_delta(1.0), builders.call("mvoe"), builders.hp_delta() | {"args": ["a"]}]
    problems = turn_problems(tmp_path, {"tool_calls": [write(one) for one in asked]})
    assert not places(problems)
    assert places(problems, warning=True) == {
        ("turns/1.json", f"$.tool_calls[1].{args}.delta", "type"),
        ("turns/1.json", f"$.tool_calls[2].{tool}", "unknown_tool"),
        ("turns/1.json", f"$.tool_calls[3].{args}", "type"),
    }


def test_arguments_are_those_of_the_campaigns_protocol(tmp_path: Path) -> None:
    with_from, without = builders.turn(builders.move("a")), builders.turn(builders.call("move", to_area_id="a"))
    wanted = {"required": (0, 2), "checked": (0, 0), "forbidden": (1, 0)}
    for word, counts in wanted.items():
        found = [turn_problems(tmp_path, turn, protocol={"move_from": word}) for turn in (with_from, without)]
        assert tuple(map(len, found)) == counts, word


def test_turns_are_checked_although_the_campaign_is_broken(tmp_path: Path) -> None:
    values = sound(campaign=b"{") | {
        "turns/1.json": {"tool_call": []},
        "turns/2.json": builders.turn(builders.hp_delta()),
    }
    problems = check_directory(write(tmp_path / "c", values))
    assert places(problems) == {("campaign.json", "$", "json"), ("turns/1.json", "$.tool_call", "additionalProperties")}


# against the engine


SCHEMAS = schemas()
slips = st.one_of(
    st.tuples(st.just("campaign.json"), json_samples.slipping(SCHEMAS["campaign.json"])),
    st.tuples(st.just("characters/pc_001.json"), json_samples.slipping(SCHEMAS["character.json"])),
    st.tuples(st.just("maps/root.json"), json_samples.slipping(SCHEMAS["layer.json"])),
    st.tuples(st.just("campaign.json"), st.fixed_dictionaries({"format": st.just(2), "id": st.just("a")})),
)


def engine_takes(folder: Path) -> bool:
    try:
        with Campaign.open(folder, builders.clock) as campaign:
            campaign.process({}, dry_run=True)
    except CampaignInvalid:
        return False
    return True


@settings(max_examples=tries(40), derandomize=True, database=None, suppress_health_check=list(HealthCheck))
@given(slips, st.booleans())
def test_check_and_engine_agree_whether_a_campaign_is_valid(
    tmp_path_factory: pytest.TempPathFactory, slip: tuple[str, Any], merged: bool
) -> None:
    path, value = slip
    documents = sound()
    changed = documents[path] | value if merged and isinstance(value, dict) else value
    folder = write(tmp_path_factory.mktemp("c"), documents | {path: changed})
    problems = [problem for problem in check_directory(folder) if not problem.warning]
    assert engine_takes(folder) == (not problems), problems


def test_the_checker_is_quick_to_import() -> None:
    code = "import sys, turnwright.audit.check, turnwright.schemas.schemas; sys.exit('jsonschema' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize(("count", "more"), [(20, ""), (23, " and 3 more")])
def test_of_many_words_it_is_told_how_many_more_there_are(count: int, more: str) -> None:
    words = [f"word_{number:02}" for number in range(count)]
    [problem] = schema_faults("a.json", "$", Draft202012Validator({"enum": words}), "word_00x")
    listed, _, rest = problem.message.removeprefix("wants one of ").partition(" and ")
    assert len(listed.split(", ")) == 20
    assert problem.message.endswith(f"{listed}{more}")
    assert bool(rest) == bool(more)
