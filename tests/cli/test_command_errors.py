"""What stops a command, as a program meets it: one object of a declared shape, after what stands."""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from tests.cached_fixtures import schemas
from tests.cli.conftest import NOW, Turnwright

from turnwright import Campaign
from turnwright.model.errors import StorageFailed
from turnwright.schemas.schemas import validator
from turnwright.store.files import Files, Seen
from turnwright.store.lock import Lock


@pytest.fixture
def home(tmp_path: Path, turnwright: Turnwright) -> Path:
    """Give a new campaign in which three turns were taken."""
    assert turnwright("new", tmp_path / "home", "--seed", "x", NOW)[0] == 0
    with Campaign.open(tmp_path / "home") as campaign:
        for _ in range(3):
            assert campaign.process({"tool_calls": [HIT]})["status"] == "applied"
    return tmp_path / "home"


HIT = {"id": "a", "tool": "hp_delta", "args": {"target_character_id": "pc_001", "delta": -1, "cause": "x"}}


@pytest.fixture
def full(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Give a function after which no file can be written; the log still can."""
    replace = Files.replace

    def refuse(self: Files, path: str, data: bytes) -> Seen:
        if path.startswith(".turnwright/"):
            return replace(self, path, data)
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), path)

    return lambda: monkeypatch.setattr(Files, "replace", refuse)


def lines(out: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in out.splitlines()]


def is_error(told: dict[str, Any]) -> bool:
    return validator(schemas()["error.json"]).is_valid(told)


def is_reply(told: dict[str, Any]) -> bool:
    return validator(schemas()["reply.json"]).is_valid(told)


def seqs(home: Path) -> list[int]:
    return [json.loads(line)["seq"] for line in (home / "log.jsonl").read_text().splitlines()]


@pytest.mark.parametrize(
    ("command", "key"), [(["undo"], "record"), (["set", "narration.check=off"], "settings_revision")]
)
def test_what_is_in_the_log_is_told_although_its_files_cannot_be_written(
    home: Path, turnwright: Turnwright, full: Callable[[], None], command: list[str], key: str
) -> None:
    full()
    code, out, err = turnwright(command[0], home, *command[1:], "--json", NOW)
    done, error = lines(out)
    assert (code, key in done, seqs(home)) == (74, True, [0, 1, 2, 3, 4])
    assert is_error(error)
    assert error["reason"] == "storage_failed"
    assert "the log has everything" in err


def test_people_are_told_too(home: Path, turnwright: Turnwright, full: Callable[[], None]) -> None:
    full()
    code, out, err = turnwright("undo", home, NOW)
    assert (code, "undone by record 4" in out, err.count("error")) == (74, True, 1)
    code, out, err = turnwright("set", home, "narration.check=off", NOW)
    assert (code, "changed: narration.check" in out, err.count("error")) == (74, True, 1)


def test_another_error_is_told_in_place_of_files_that_are_behind(
    home: Path, turnwright: Turnwright, full: Callable[[], None]
) -> None:
    full()
    turnwright("set", home, "narration.check=off", NOW)
    code, out, _ = turnwright("undo", home, "turn_0009", "--json", NOW)
    assert (code, lines(out)[0]["reason"]) == (64, "bad_request")


def test_the_python_door_answers_and_closing_raises(home: Path, full: Callable[[], None]) -> None:
    full()
    campaign = Campaign.open(home)
    assert campaign.undo()["record"] == 4
    assert campaign.set({"narration.check": "off"})["changed"] == ["narration.check"]
    with pytest.raises(StorageFailed, match="the log has everything"):
        campaign.flush()
    with pytest.raises(StorageFailed, match="the log has everything"):
        campaign.close()


@pytest.mark.parametrize(
    ("command", "code", "reason"),
    [
        ("undo HOME turn_0009 --json", 64, "bad_request"),
        ("set HOME narration.chek=off --json", 64, "bad_request"),
        ("undo HOME --jsom --json", 64, "bad_request"),
        ("show HOME --as nobody --json", 64, "bad_request"),
        ("process HOME/turns --json", 3, "campaign_invalid"),
    ],
)
def test_an_error_has_a_declared_shape(
    home: Path, turnwright: Turnwright, command: str, code: int, reason: str
) -> None:
    left, out, err = turnwright(*(word.replace("HOME", str(home)) for word in command.split()))
    (told,) = lines(out)
    assert (left, told["reason"], is_error(told), bool(err)) == (code, reason, True, True)
    assert "status" not in told


def test_a_turn_for_a_busy_or_invalid_campaign_is_refused_and_anything_else_is_an_error(
    home: Path, turnwright: Turnwright
) -> None:
    with Lock(Files(home)).held(0):
        left, refused, err = turnwright("process", home, "--wait", "0", "--json")
        code, out, _ = turnwright("undo", home, "--wait", "0", "--json")
    (reply,), (told,) = lines(refused), lines(out)
    assert (left, reply["reason"], is_reply(reply), bool(err)) == (4, "campaign_busy", True, True)
    assert (code, told["reason"], is_error(told)) == (4, "campaign_busy", True)
    (home / "campaign.json").write_text("[]")
    left, refused, err = turnwright("process", home, "--json")
    (reply,) = lines(refused)
    assert (left, reply["reason"], is_reply(reply), bool(err)) == (3, "campaign_invalid", True, True)
    assert [problem["file"] for problem in reply["problems"]] == ["campaign.json"]


def test_a_dry_run_that_takes_nothing_says_that_it_is_one(home: Path, turnwright: Turnwright) -> None:
    (home / "turns" / "a.json").write_text("{}")
    with Lock(Files(home)).held(0):
        _, busy, _ = turnwright("process", home, "--dry-run", "--wait", "0", "--json")
    _, unread, _ = turnwright("process", home, home / "nowhere.json", "--dry-run", "--json")
    for out in (busy, unread):
        (reply,) = lines(out)
        assert (reply["status"], reply.get("dry_run"), is_reply(reply)) == ("refused", True, True)


def test_secrets_are_revealed_after_what_verifying_found(home: Path, turnwright: Turnwright) -> None:
    secret = sha256(b"x").hexdigest()
    code, out, _ = turnwright("verify", home, "--reveal", "--json")
    (told,) = lines(out)
    assert (code, told["records"], told["secrets"]) == (0, 4, [{"record": 0, "secret": secret}])
    code, out, _ = turnwright("verify", home, "--reveal")
    assert (code, out.splitlines()) == (
        0,
        ["sound: 4 records, 3 turns, 0 draws, 3 documents", f"from record 0: {secret}"],
    )


def test_a_campaign_is_repaired_before_its_secrets_are_revealed(home: Path, turnwright: Turnwright) -> None:
    (home / "results" / "turn_0002.json").unlink()
    code, out, _ = turnwright("verify", home, "--reveal", "--json")
    assert (code, len(lines(out)[0]["problems"]), len(lines(out)[0]["secrets"])) == (3, 1, 1)
    code, out, _ = turnwright("verify", home, "--repair", "--reveal", "--json")
    assert (code, lines(out)[0]["repaired"], len(lines(out)[0]["secrets"])) == (0, ["results/turn_0002.json"], 1)


def test_of_a_damaged_log_no_secret_is_revealed(home: Path, turnwright: Turnwright) -> None:
    log = home / "log.jsonl"
    log.write_bytes(log.read_bytes().replace(b'"seq":2', b'"seq":7'))
    code, out, err = turnwright("verify", home, "--reveal", "--json")
    (told,) = lines(out)
    assert (code, told["secrets"], "log.jsonl" in err) == (3, [], False)
    assert told["problems"]


def test_a_campaign_that_cannot_begin_leaves_nothing_behind(tmp_path: Path, turnwright: Turnwright) -> None:
    broken = {"id": "old", "map": {"areas": {"a": {"id": "a", "name": "A", "reachable_area_ids": ["nowhere"]}}}}
    (tmp_path / "old.json").write_text(json.dumps(broken))
    assert turnwright("new", tmp_path / "new", "--from", tmp_path / "old.json", NOW)[0] == 3
    assert turnwright("new", tmp_path / "new", "--seed", "\udcff", NOW)[0] == 64
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["old.json"]


@pytest.mark.parametrize("kind", ["folder", "pipe"])
@pytest.mark.parametrize("name", ["log.jsonl", ".turnwright/secret.json"])
def test_one_damage_has_one_exit_code_in_every_command(
    home: Path, turnwright: Turnwright, name: str, kind: str
) -> None:
    (home / name).unlink()
    (home / name).mkdir() if kind == "folder" else os.mkfifo(home / name)
    (home.parent / "turn.json").write_text('{"user_input": "hi"}')
    commands: list[list[object]] = [["check"], ["verify"], ["process", home.parent / "turn.json"]]
    if name == "log.jsonl":
        commands += [
            ["undo"],
            ["set", "narration.check=off"],
            ["show"],
            ["log"],
            ["map"],
            ["legal"],
            ["prompt"],
            ["report"],
        ]
    told = {str(command[0]): turnwright(command[0], home, *command[1:]) for command in commands}
    assert {command: code for command, (code, _, _) in told.items()} == dict.fromkeys(told, 3)
    assert all("is not an ordinary file" in out + err for _, out, err in told.values()), told
