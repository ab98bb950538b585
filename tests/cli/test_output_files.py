"""No command writes its output over a file of a campaign, nor over a file of another kind unless it is told to."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any

import pytest
from tests import builders
from tests.cached_fixtures import schemas
from tests.cli.conftest import Turnwright

from turnwright.rulesets.registry import BUILT_IN

OPTIONS = {
    "map --svg": ("map", "--svg"),
    "report --html": ("report", "--html"),
    "report --svg": ("report", "--svg"),
    "learn -o": ("learn", "-o"),
}
PLACES = [
    "log.jsonl",
    "LOG.jsonl",
    "telemetry.jsonl",
    ".turnwright/secret.json",
    ".turnwright/checkpoint.sqlite3",
    ".turnwright/anything.svg",
    "turns/x.svg",
    "turns/done/x.svg",
    "results/x.svg",
    *BUILT_IN.documents.single,
    *(f"{folder}x.svg" for folder in BUILT_IN.documents.collections),
]


@pytest.fixture(name="home")
def fixture_home(tmp_path: Path) -> Path:
    home = tmp_path / "c"
    with builders.begin(home) as campaign:
        campaign.process(builders.turn(builders.hp_delta(-1)))
    return home


def files_of(folder: Path) -> dict[str, bytes]:
    return {str(file.relative_to(folder)): file.read_bytes() for file in sorted(folder.rglob("*")) if file.is_file()}


def run(turnwright: Turnwright, option: str, campaign: Path, *rest: Any) -> tuple[int, str, str]:
    name, flag = OPTIONS[option]
    return turnwright(name, campaign, flag, *rest)


@pytest.mark.parametrize("option", OPTIONS)
def test_no_output_takes_the_place_of_a_file_of_a_campaign_even_by_force(
    home: Path, turnwright: Turnwright, option: str
) -> None:
    before = files_of(home)
    for place in PLACES:
        for force in ((), ("--force",)):
            code, _, err = run(turnwright, option, home, home / place, *force)
            assert (code, "is a place of the campaign" in err) == (64, True), place
    assert files_of(home) == before


@pytest.mark.parametrize("way", ["link", "link to the folder", "another campaign", "roundabout"])
def test_no_output_reaches_a_campaign_by_another_way(
    home: Path, turnwright: Turnwright, tmp_path: Path, way: str
) -> None:
    other = tmp_path / "other"
    shutil.copytree(home, other)
    before = files_of(home), files_of(other)
    target = {
        "link": tmp_path / "picture.svg",
        "link to the folder": tmp_path / "folder" / "log.jsonl",
        "another campaign": other / "log.jsonl",
        "roundabout": home / "maps" / ".." / "log.jsonl",
    }[way]
    if way == "link":
        target.symlink_to(home / "log.jsonl")
    elif way == "link to the folder":
        target.parent.symlink_to(home)
    for option in OPTIONS:
        assert run(turnwright, option, home, target, "--force")[0] == 64
    assert (files_of(home), files_of(other)) == before


def test_another_name_of_a_log_is_replaced_and_the_log_stays(
    home: Path, turnwright: Turnwright, tmp_path: Path
) -> None:
    name, before = tmp_path / "backup.jsonl", (home / "log.jsonl").read_bytes()
    os.link(home / "log.jsonl", name)
    assert run(turnwright, "map --svg", home, name)[0] == 64
    assert run(turnwright, "map --svg", home, name, "--force")[0] == 0
    assert name.read_bytes().startswith(b"<svg")
    assert (home / "log.jsonl").read_bytes() == before


@pytest.mark.parametrize("option", OPTIONS)
def test_a_file_of_another_kind_stays_unless_it_is_forced(
    home: Path, turnwright: Turnwright, tmp_path: Path, option: str
) -> None:
    target = tmp_path / "notes.txt"
    target.write_text("what nobody wants to lose", encoding="utf-8")
    code, _, err = run(turnwright, option, home, target)
    assert (code, "--force" in err) == (64, True)
    assert target.read_text(encoding="utf-8") == "what nobody wants to lose"
    assert run(turnwright, option, home, target, "--force")[0] == 0
    forced = target.read_bytes()
    assert run(turnwright, option, home, target)[0] == 0, "what it wrote itself is of the same kind"
    assert target.read_bytes() == forced
    fresh = home / "picture.svg"
    assert run(turnwright, option, home, fresh)[0] == 0, "a new name that no campaign uses is free"
    assert fresh.read_bytes() == forced


@pytest.mark.parametrize("option", OPTIONS)
def test_no_output_makes_a_folder_above_campaigns_look_like_one(
    home: Path, turnwright: Turnwright, option: str
) -> None:
    for name in ("log.jsonl", "campaign.json", "LOG.jsonl"):
        for force in ((), ("--force",)):
            code, _, err = run(turnwright, option, home, home.parent / name, *force)
            assert (code, "is taken for a campaign" in err) == (64, True), name
    assert [turnwright(look, home.parent)[0] for look in ("check", "verify")] == [0, 0]


def test_a_folder_of_schemas_hides_no_campaign_and_is_none(
    home: Path, turnwright: Turnwright, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("turnwright.schemas.schemas.all_schemas", schemas)
    assert turnwright("schemas", home.parent)[0] == 0
    assert turnwright("schemas", home.parent / "schemas")[0] == 0
    code, out, _ = turnwright("check", home.parent)
    assert (code, out) == (0, f"{home}: nothing is wrong\n")
    assert turnwright("watch", home.parent, "--once")[0] == 0


def test_a_report_of_which_one_file_is_refused_writes_neither(
    home: Path, turnwright: Turnwright, tmp_path: Path
) -> None:
    page = tmp_path / "page.html"
    assert turnwright("report", home, "--html", page, "--svg", home / "log.jsonl")[0] == 64
    assert not page.exists()


READS_AND_WRITES = {
    **{option: (name, "CAMPAIGN", flag, "FILE", "--force") for option, (name, flag) in OPTIONS.items()},
    "new --from": ("new", "NEW", "--from", "FILE"),
    "play --model": ("play", "CAMPAIGN", "--model", "script:FILE"),
    "process": ("process", "CAMPAIGN", "FILE"),
    "score --model": ("score", "--model", "script:FILE", "--scenario", "delve", "--seeds", "1"),
}


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes with names")
@pytest.mark.parametrize("kind", ["pipe", "device"])
@pytest.mark.parametrize("command", READS_AND_WRITES)
def test_what_is_no_ordinary_file_is_refused_at_once(
    home: Path, turnwright: Turnwright, tmp_path: Path, command: str, kind: str
) -> None:
    file = tmp_path / "pipe" if kind == "pipe" else Path(os.devnull)
    if kind == "pipe":
        os.mkfifo(file)  # to open it would wait for somebody at its other end
    words = {"CAMPAIGN": str(home), "NEW": str(tmp_path / "new"), "FILE": str(file), "script:FILE": f"script:{file}"}
    code, out, err = turnwright(*(words.get(word, word) for word in READS_AND_WRITES[command]))
    assert code == (2 if command == "process" else 64)
    assert f"{file} is not an ordinary file" in out + err
    assert not (tmp_path / "new" / "log.jsonl").exists()


def test_a_folder_that_is_missing_is_told_and_not_made(home: Path, turnwright: Turnwright, tmp_path: Path) -> None:
    code, _, err = run(turnwright, "map --svg", home, tmp_path / "nowhere" / "map.svg")
    assert (code, "nowhere" in err) == (74, True)
    assert not (tmp_path / "nowhere").exists()


def test_schemas_leave_a_file_that_is_none_unless_forced(
    turnwright: Turnwright, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("turnwright.schemas.schemas.all_schemas", schemas)
    folder = tmp_path / "schemas"
    folder.mkdir()
    mine = folder / "turn.json"
    mine.write_text('{"mine": true}', encoding="utf-8")
    assert turnwright("schemas", folder)[0] == 64
    assert files_of(folder) == {"turn.json": b'{"mine": true}'}
    assert turnwright("schemas", folder, "--force")[0] == 0
    assert b"$schema" in mine.read_bytes()


def test_runs_of_a_score_are_not_kept_inside_a_campaign(home: Path, turnwright: Turnwright) -> None:
    before = files_of(home)
    code, _, err = turnwright("score", "--model", "echo", "--scenario", "delve", "--seeds", 1, "--keep", home / "maps")
    assert (code, "lies in" in err) == (64, True)
    assert files_of(home) == before
