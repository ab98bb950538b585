"""The drop folder: files are taken in order, each exactly once, and put away; what is no file stays where it is."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
from pathlib import Path
from stat import S_IFREG
from threading import Event
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests import builders
from tests.fault_injection import break_turns
from tests.store.kit import edit

from turnwright import Campaign
from turnwright.model.errors import CampaignInvalid, StorageFailed
from turnwright.store import inbox as drop
from turnwright.store import platform
from turnwright.store.disk import Disk
from turnwright.store.files import Files, Seen

HIT = builders.turn(builders.hp_delta(-1))


@pytest.fixture(name="path")
def fixture_path(campaign: Campaign, tmp_path: Path) -> Path:
    return tmp_path / "campaign_0"


def put(path: Path, name: str, turn: object = HIT) -> Path:
    file = path / "turns" / name
    file.parent.mkdir(exist_ok=True)
    file.write_text(turn if isinstance(turn, str) else json.dumps(turn), encoding="utf-8")
    return file


def taken(campaign: Campaign) -> list[tuple[str, str]]:
    """Process the drop folder; return the name of each file and the status it got."""
    return [(name, reply["status"]) for name, reply in campaign.process_drop()]


def tree(path: Path) -> list[str]:
    """Return what lies in the drop folder, at every depth."""
    found = (path / "turns").rglob("*")
    return sorted(file.relative_to(path / "turns").as_posix() for file in found if not file.is_dir())


def hp(campaign: Campaign) -> int:
    return int(campaign.state["characters/pc_001.json"]["hp"])


def test_files_are_taken_in_byte_order_of_their_names(campaign: Campaign, path: Path) -> None:
    names = ["10.json", "9.json", "B.json", "_.json", "a b.json", "a.json", "z.json", "é.json", "ﬀ.json", "🎲.json"]
    for name in reversed(names):
        put(path, name)
    assert [name for name, _ in taken(campaign)] == names
    assert [record.get("source") for record in builders.log_of(path)[1:]] == [
        f"{seq}__{name}" for seq, name in enumerate(names, start=1)
    ]
    assert tree(path) == sorted(f"done/{name}" for name in names)


@given(st.lists(st.text(st.characters(codec="utf-8", exclude_characters="/\0"), min_size=1, max_size=20), unique=True))
def test_the_order_is_that_of_utf_8_whatever_the_disk_says(names: list[str]) -> None:
    class Disk(Files):
        def listing(self, _: str) -> dict[str, Seen]:
            return {f"{name}.json": Seen(1, 1, S_IFREG, 1, 1) for name in sorted(names, key=hash)}

    names = [name for name in names if not name.startswith(".")]
    waiting, strange = drop.waiting(Disk(Path()))
    assert waiting == sorted((f"{name}.json" for name in names), key=str.encode)
    assert strange == {}


def test_names_that_begin_with_a_dot_or_end_otherwise_are_not_looked_at(campaign: Campaign, path: Path) -> None:
    names = [".a.json", ".json", "a.json.tmp", "a.JSON", "a.txt", "json", "a.json~"]
    for name in names:
        put(path, name)
    (path / "turns/sub").mkdir()
    put(path, "sub/a.json")
    assert taken(campaign) == []
    assert tree(path) == sorted([*names, "sub/a.json"])


def test_what_is_no_ordinary_file_is_refused_in_place(campaign: Campaign, path: Path) -> None:
    put(path, "a.json")
    outside = path / "outside.json"
    outside.write_text(json.dumps(HIT), encoding="utf-8")
    (path / "turns/link.json").symlink_to(outside)
    (path / "turns/dangling.json").symlink_to("nowhere")
    (path / "turns/folder.json").mkdir()
    os.mkfifo(path / "turns/pipe.json")
    strange = ["dangling.json", "folder.json", "link.json", "pipe.json"]
    for _ in range(2):
        replies = list(campaign.process_drop())
        refused = [(name, reply["reason"]) for name, reply in replies if reply["status"] == "refused"]
        assert refused == [(name, "invalid_turn") for name in strange]
    assert tree(path) == ["dangling.json", "done/a.json", "link.json", "pipe.json"]
    assert outside.exists()
    assert hp(campaign) == 9


def test_each_entry_that_cannot_be_taken_is_told_its_own_reason(
    campaign: Campaign, path: Path, forbidden: set[str]
) -> None:
    reasons = {"a.json": "may not be read", "x" * 196 + ".json": "201 bytes; at most 200"}
    for name in reasons:
        put(path, name)
    forbidden.add("a.json")
    (path / "turns/folder.json").mkdir()
    reasons["folder.json"] = "ordinary file"
    told = {name: reply["detail"] for name, reply in campaign.process_drop()}
    assert told.keys() == reasons.keys()
    for name, reason in reasons.items():
        assert reason in told[name]
        assert [other for other in reasons.values() if other in told[name]] == [reason]


@pytest.mark.skipif(sys.platform != "linux", reason="a locale")
def test_names_are_utf_8_whatever_the_locale_says(campaign: Campaign, path: Path) -> None:
    campaign.close()
    for name, turn in (("é.json", HIT), ("🐉.json", HIT), ("ü.json", "{")):
        put(path, name, turn)
    elsewhere = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    command = [sys.executable, "-m", "turnwright", "process", str(path), "--json"]
    done = subprocess.run(command, env=os.environ | elsewhere, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (2, b"")
    assert [record["source"] for record in builders.log_of(path)[1:]] == ["1__é.json", "2__🐉.json"]
    assert tree(path) == ["done/é.json", "done/🐉.json", "refused/ü.json", "refused/ü.json.reason.json"]


def test_who_is_told_to_stop_in_a_backlog_ends_after_what_was_taken(campaign: Campaign, path: Path) -> None:
    for number in range(70):
        put(path, f"{number:02}.json", {})
    stop, told = Event(), []
    for name, _ in campaign.process_drop(stop=stop):
        told.append(name)
        stop.set()
    assert len(told) == 64
    assert len(builders.log_of(path)) == 1 + 64
    assert tree(path) == [f"{number:02}.json" for number in range(64, 70)] + [f"done/{name}" for name in told]


@pytest.mark.parametrize("name", [b"\xff.json", b"caf\xe9.json", b"x" * 250 + b".json"])
def test_a_name_that_no_record_can_hold_stops_no_other_file(campaign: Campaign, path: Path, name: bytes) -> None:
    (path / "turns").mkdir(exist_ok=True)
    strange = os.path.join(os.fsencode(path), b"turns", name)  # noqa: PTH118
    with open(strange, "wb") as file:  # noqa: PTH123
        file.write(json.dumps(HIT).encode())
    put(path, "z.json")
    replies = {os.fsencode(given): reply["status"] for given, reply in campaign.process_drop()}
    assert replies == {b"z.json": "applied", name: "refused"}
    assert os.path.exists(strange)  # noqa: PTH110


@pytest.mark.parametrize("size", [100, 200])
def test_a_long_name_has_room_for_what_is_put_around_it(campaign: Campaign, path: Path, size: int) -> None:
    good, bad = "g" * (size - 5) + ".json", "b" * (size - 5) + ".json"
    for _ in range(2):
        put(path, good)
        put(path, bad, "{")
        assert taken(campaign) == [(bad, "refused"), (good, "applied")]
    assert len(tree(path)) == 6


@pytest.fixture(name="forbidden")
def fixture_forbidden(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """Give a set for the names of files that the system does not let us read."""
    names, open_file = set[str](), Disk.open

    def refuse(self: Disk, place: str, flags: int) -> int:
        if Path(place).name in names:
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), place)
        return open_file(self, place, flags)

    monkeypatch.setattr(Disk, "open", refuse)
    return names


@pytest.mark.parametrize("patient", [False, True])
def test_a_file_that_may_not_be_read_is_refused_in_place_and_stops_no_other(
    campaign: Campaign, path: Path, forbidden: set[str], patient: bool
) -> None:
    for name in ("1.json", "2.json", "3.json"):
        put(path, name)
    forbidden.add("2.json")
    for expected in ([("1.json", "applied"), ("3.json", "applied"), ("2.json", "refused")], [("2.json", "refused")]):
        assert [(name, reply["status"]) for name, reply in campaign.process_drop(patient=patient)] == expected
    assert tree(path) == ["2.json", "done/1.json", "done/3.json"]
    forbidden.clear()
    assert taken(campaign) == [("2.json", "applied")]


def test_a_claimed_file_that_may_not_be_read_any_more_stops_the_next_run_only(
    campaign: Campaign, path: Path, forbidden: set[str]
) -> None:
    claim_by_hand(path, "a.json", 1)
    put(path, "b.json")
    forbidden |= {"1__a.json", "a.json"}
    with pytest.raises(StorageFailed):
        taken(campaign)
    assert taken(campaign) == [("b.json", "applied"), ("a.json", "refused")]


def test_a_name_that_is_taken_gets_the_number_of_the_record(campaign: Campaign, path: Path) -> None:
    for _ in range(3):
        put(path, "a.json")
        assert taken(campaign) == [("a.json", "applied")]
    assert tree(path) == ["done/a.2.json", "done/a.3.json", "done/a.json"]


def test_names_that_are_all_taken_never_overwrite_one(campaign: Campaign, path: Path) -> None:
    done = path / "turns/done"
    done.mkdir(parents=True)
    for name in ("a.json", "a.1.json"):
        (done / name).write_text("precious", encoding="utf-8")
    put(path, "a.json")
    assert taken(campaign) == [("a.json", "applied")]
    assert tree(path) == ["done/a.1-2.json", "done/a.1.json", "done/a.json"]
    assert (
        (done / "a.json").read_text(encoding="utf-8") == (done / "a.1.json").read_text(encoding="utf-8") == "precious"
    )


def test_a_refused_file_has_the_reason_beside_it_and_leaves_no_record(campaign: Campaign, path: Path) -> None:
    words = '{"dragons": 1}'
    for _ in range(2):
        put(path, "bad.json", words)
    put(path, "unreadable.json", '{"turn_id": ')
    replies = dict(campaign.process_drop())
    refused = path / "turns/refused"
    assert sorted(file.name for file in refused.iterdir()) == [
        "bad.json",
        "bad.json.reason.json",
        "unreadable.json",
        "unreadable.json.reason.json",
    ]
    assert (refused / "bad.json").read_text(encoding="utf-8") == words
    for name, reply in replies.items():
        assert json.loads((refused / f"{name}.reason.json").read_text(encoding="utf-8")) == reply
        assert (reply["status"], reply["reason"]) == ("refused", "invalid_turn")
    assert len(builders.log_of(path)) == 1


def test_refused_files_of_one_name_keep_their_own_reasons(campaign: Campaign, path: Path) -> None:
    for words in ("{", '{"dragons": 1}', "[]"):
        put(path, "bad.json", words)
        assert taken(campaign) == [("bad.json", "refused")]
    refused = path / "turns/refused"
    details = {}
    for file in sorted(refused.glob("*.json")):
        if not file.name.endswith(".reason.json"):
            reason = json.loads((refused / f"{file.name}.reason.json").read_text(encoding="utf-8"))
            details[file.read_text(encoding="utf-8")] = reason["detail"]
    assert len(details) == 3
    assert len(set(details.values())) == 3


def test_a_file_that_has_the_name_of_a_reason_is_kept(campaign: Campaign, path: Path) -> None:
    put(path, "a.json.reason.json", "[]")
    assert taken(campaign) == [("a.json.reason.json", "refused")]
    put(path, "a.json", "{")
    assert taken(campaign) == [("a.json", "refused")]
    refused = path / "turns/refused"
    assert (refused / "a.json.reason.json").read_text(encoding="utf-8") == "[]"
    assert (refused / "a.1.json").read_text(encoding="utf-8") == "{"
    assert json.loads((refused / "a.1.json.reason.json").read_text(encoding="utf-8"))["status"] == "refused"


def test_one_bad_file_does_not_stop_the_rest(campaign: Campaign, path: Path) -> None:
    for name, turn in (("1.json", HIT), ("2.json", "no JSON"), ("3.json", "\ufeff{}"), ("4.json", HIT)):
        put(path, name, turn)
    assert [status for _, status in taken(campaign)] == ["applied", "refused", "refused", "applied"]
    assert hp(campaign) == 8


def test_a_dry_run_takes_nothing(campaign: Campaign, path: Path) -> None:
    put(path, "a.json")
    put(path, "b.json", "{")
    replies = [(name, reply["status"], reply["dry_run"]) for name, reply in campaign.process_drop(dry_run=True)]
    assert replies == [("a.json", "applied", True), ("b.json", "refused", True)]
    assert tree(path) == ["a.json", "b.json"]
    assert len(builders.log_of(path)) == 1


# crashes


def claim_by_hand(path: Path, name: str, seq: int) -> Path:
    """Do what a process does before it is killed: take a file for itself."""
    claimed = path / "turns/.claimed"
    claimed.mkdir(parents=True, exist_ok=True)
    return put(path, name).rename(claimed / f"{seq}__{name}")


def test_a_file_claimed_before_a_crash_is_taken_by_the_next_run(campaign: Campaign, path: Path) -> None:
    claim_by_hand(path, "a.json", 1)
    assert taken(campaign) == [("a.json", "applied")]
    assert taken(campaign) == []
    assert hp(campaign) == 9
    assert tree(path) == ["done/a.json"]
    assert builders.log_of(path)[1]["source"] == "1__a.json"


@pytest.mark.parametrize("stays", [True, False])
def test_a_file_whose_record_is_in_the_log_is_put_away_and_not_applied_again(
    campaign: Campaign, path: Path, stays: bool
) -> None:
    put(path, "a.json")
    (first,) = (reply for _, reply in campaign.process_drop())
    campaign.process(HIT)
    (path / "turns/done/a.json").rename(path / "turns/.claimed/1__a.json")
    if not stays:
        campaign.close()
    with Campaign.open(path, builders.clock) as opened:
        assert list((campaign if stays else opened).process_drop()) == [("a.json", first)]
        assert hp(opened) == 8
    assert tree(path) == ["done/a.json"]
    assert len(builders.log_of(path)) == 3


def test_a_file_that_was_wanted_again_when_the_crash_came_is_not_handed_in_twice(
    campaign: Campaign, path: Path
) -> None:
    campaign.set({"narration.check": "retry"})
    put(path, "a.json", {"turn_id": "a", "assistant_text": "Tomas loses 30 hit points."})
    assert taken(campaign) == [("a.json", "retry_needed")]
    (path / "turns/done/a.json").rename(path / "turns/.claimed/2__a.json")
    assert taken(campaign) == [("a.json", "retry_needed")]
    assert [record["kind"] for record in builders.log_of(path)] == ["new", "settings", "attempt"]


def test_a_refused_file_whose_crash_left_only_the_reason_is_refused_once(campaign: Campaign, path: Path) -> None:
    put(path, "bad.json", "{")
    assert taken(campaign) == [("bad.json", "refused")]
    (path / "turns/refused/bad.json").rename(path / "turns/.claimed/1__bad.json")
    assert taken(campaign) == [("bad.json", "refused")]
    assert tree(path) == ["refused/bad.json", "refused/bad.json.reason.json"]


def test_what_was_claimed_first_is_finished_first(campaign: Campaign, path: Path) -> None:
    for name, seq in (("b.json", 9), ("a.json", 10), ("z.json", 2)):
        claim_by_hand(path, name, seq)
    put(path, "0.json")
    assert [name for name, _ in taken(campaign)] == ["z.json", "b.json", "a.json", "0.json"]


def taken_while_another_gives_up(
    campaign: Campaign, path: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> list[str]:
    """Take `a.json`, after another process has left one of that name unfinished since we looked."""
    monkeypatch.setattr("turnwright.campaign.runner._MAX_BATCH", 1)
    drops = campaign.process_drop()
    put(path, "0.json", "{")
    put(path, "a.json", builders.turn(builders.hp_delta(-2)))
    assert next(drops)[0] == "0.json"
    put(path, ".claimed/1__a.json", what)
    return [name for name, _ in drops]


def sources(path: Path) -> list[str]:
    return [record["source"] for record in builders.log_of(path)[1:]]


def test_a_claim_never_overwrites_one_that_was_not_finished(
    campaign: Campaign, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    theirs = json.dumps(builders.turn(builders.hp_delta(-4)))
    assert taken_while_another_gives_up(campaign, path, monkeypatch, theirs) == ["a.json"]
    assert hp(campaign) == 8
    assert taken(campaign) == [("a.json", "applied")]
    assert hp(campaign) == 4
    assert sources(path) == ["01__a.json", "1__a.json"]


def test_a_file_is_never_taken_for_an_earlier_one_of_its_name(
    campaign: Campaign, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was left unfinished is no turn, so the number of the next record is the same again after it."""
    assert taken_while_another_gives_up(campaign, path, monkeypatch, "{") == ["a.json"]
    put(path, "a.json")
    assert taken(campaign) == [("a.json", "refused"), ("a.json", "applied")]
    assert hp(campaign) == 7
    assert sources(path) == ["01__a.json", "2__a.json"]


def test_other_things_among_the_claims_are_left_alone(campaign: Campaign, path: Path) -> None:
    claimed = path / "turns/.claimed"
    claimed.mkdir(parents=True)
    for name in ("a.json", "x__a.json", "1_a.json", ".1__a.json"):
        (claimed / name).write_text(json.dumps(HIT), encoding="utf-8")
    assert taken(campaign) == []
    assert len(list(claimed.iterdir())) == 4


def test_a_file_that_somebody_else_took_in_the_meantime_is_passed_over(
    campaign: Campaign, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("turnwright.campaign.runner._MAX_BATCH", 1)
    drops = campaign.process_drop()
    for name in ("a.json", "b.json", "c.json"):
        put(path, name)
    assert next(drops)[0] == "a.json"
    (path / "turns/b.json").unlink()
    assert [name for name, _ in drops] == ["c.json"]


@pytest.mark.parametrize("turn", [HIT, "{"])
def test_a_claim_that_somebody_else_finished_in_the_meantime_is_passed_over(
    campaign: Campaign, path: Path, turn: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    (path / "turns/.claimed").mkdir(exist_ok=True)
    put(path, "b.json", turn).rename(path / "turns/.claimed/2__b.json")
    listed = drop.claimed

    def and_then_finished(files: Files) -> list[drop.Claim]:
        claims = listed(files)
        monkeypatch.undo()
        with Campaign.open(path, builders.clock) as other:
            assert [name for name, _ in other.process_drop()] == ["b.json"]
        return claims

    monkeypatch.setattr(drop, "claimed", and_then_finished)
    assert list(campaign.process_drop()) == []


def test_before_an_edit_among_files_is_recorded_their_claims_are_durable(
    campaign: Campaign, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The edit makes the line of the first file durable, whose old name must not come back beside it."""
    put(path, "a.json")
    put(path, "b.json", builders.turn(builders.move("area_002")))
    campaign.process(HIT)
    layer, claim, synced = path / "maps/root.json", drop.claim, list[str]()

    def edited_meanwhile(files: Files, name: str, seq: int) -> drop.Claim | None:
        if name == "b.json":
            edit(layer, extra={"by": "hand"})
        return claim(files, name, seq)

    monkeypatch.setattr(drop, "claim", edited_meanwhile)
    monkeypatch.setattr(platform, "sync_file", lambda _: synced.append("log"))
    monkeypatch.setattr(platform, "sync_folder", lambda place: synced.append(Path(place).name))
    assert taken(campaign) == [("a.json", "applied"), ("b.json", "applied")]
    assert [record["kind"] for record in builders.log_of(path)] == ["new", "turn", "turn", "edit", "turn"]
    assert synced[:3] == [".claimed", "turns", "log"]


def test_what_a_failed_sync_of_an_edit_took_with_it_is_not_told(
    campaign: Campaign, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The edit that the second file meets makes the line of the first one durable, or neither."""
    put(path, "a.json")
    put(path, "b.json", builders.turn(builders.move("area_002")))
    campaign.process(HIT)
    layer, claim, sync, broken = path / "maps/root.json", drop.claim, Disk.sync, list[str]()

    def edited_meanwhile(files: Files, name: str, seq: int) -> drop.Claim | None:
        if name == "b.json":
            edit(layer, extra={"by": "hand"})
            broken.append("disk")
        return claim(files, name, seq)

    def fail_once(disk: Disk, descriptor: int) -> None:
        if broken:
            broken.clear()
            raise OSError(errno.EIO, "Input/output error")
        sync(disk, descriptor)

    with monkeypatch.context() as patched:
        patched.setattr(drop, "claim", edited_meanwhile)
        patched.setattr(Disk, "sync", fail_once)
        replies = campaign.process_drop()
        with pytest.raises(StorageFailed):
            next(replies)
    assert sorted(taken(campaign)) == [("a.json", "applied"), ("b.json", "applied")]
    assert [record["kind"] for record in builders.log_of(path)] == ["new", "turn", "edit", "turn", "turn"]
    assert hp(campaign) == 8


BREAKS = {"x_breaks": True}


@pytest.fixture(name="broken")
def fixture_broken(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let turns with `x_breaks` bring out a fault of ours."""
    break_turns(monkeypatch, "nobody thought\nof \udcff this")


@pytest.mark.usefixtures("broken")
def test_a_fault_of_ours_refuses_its_file_and_is_raised_when_the_rest_is_done(campaign: Campaign, path: Path) -> None:
    for name, turn in (("a.json", HIT), ("b.json", BREAKS), ("c.json", HIT), ("d.json", BREAKS)):
        put(path, name, turn)
    told: list[tuple[str, str]] = []
    with pytest.raises(ExceptionGroup, match=r"at b\.json, d\.json") as raised:
        told += ((name, reply["status"]) for name, reply in campaign.process_drop())
    assert [type(fault) for fault in raised.value.exceptions] == [LookupError, LookupError]
    assert told == [("a.json", "applied"), ("b.json", "refused"), ("c.json", "applied"), ("d.json", "refused")]
    refused = [f"refused/{name}.json{more}" for name in "bd" for more in ("", ".reason.json")]
    assert tree(path) == ["done/a.json", "done/c.json", *refused]
    reason = json.loads((path / "turns/refused/b.json.reason.json").read_text())
    assert (reason["reason"], "a fault of turnwright itself" in reason["detail"]) == ("invalid_turn", True)
    assert "LookupError('nobody thought\\nof \\udcff this')" in reason["detail"]
    assert taken(campaign) == []
    assert hp(campaign) == 8


@pytest.mark.usefixtures("broken")
def test_a_claimed_file_that_brings_out_a_fault_of_ours_blocks_nothing(campaign: Campaign, path: Path) -> None:
    (path / "turns/.claimed").mkdir()
    put(path, ".claimed/1__bad.json", BREAKS)
    put(path, "a.json")
    with pytest.raises(ExceptionGroup):
        taken(campaign)
    assert tree(path) == ["done/a.json", "refused/bad.json", "refused/bad.json.reason.json"]


def test_a_fault_of_ours_that_a_hand_edit_brings_out_refuses_no_file(
    campaign: Campaign, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    campaign.process(HIT)
    for name in ("a.json", "b.json", "c.json"):
        put(path, name, builders.turn(builders.move("area_002")) if name == "b.json" else HIT)
    claim = drop.claim

    def fail(*_: object) -> Any:
        raise LookupError("nobody thought of this")

    def edited_meanwhile(files: Files, name: str, seq: int) -> drop.Claim | None:
        if name == "b.json":
            edit(path / "maps/root.json", extra={"by": "hand"})
        return claim(files, name, seq)

    with monkeypatch.context() as patched:
        patched.setattr(drop, "claim", edited_meanwhile)
        patched.setattr("turnwright.protocol.validation.edits.campaign_problems", fail)
        with pytest.raises(LookupError):
            taken(campaign)
        assert tree(path) == ["b.json", "c.json", "done/a.json"]
    assert taken(campaign) == [("b.json", "applied"), ("c.json", "applied")]


@pytest.mark.usefixtures("broken")
def test_nothing_of_a_turn_that_brings_out_a_fault_of_ours_is_recorded(campaign: Campaign, path: Path) -> None:
    """It would have closed the turn that is wanted again, which stays open."""
    campaign.set({"narration.check": "retry"})
    open_turn = {"turn_id": "open", "assistant_text": "Tomas loses 30 hit points."}
    assert campaign.process(open_turn)["status"] == "retry_needed"
    put(path, "bad.json", {**BREAKS, "turn_id": "bad"})
    with pytest.raises(ExceptionGroup):
        taken(campaign)
    with pytest.raises(LookupError):
        campaign.process({**BREAKS, "turn_id": "bad"})
    assert campaign.process({**open_turn, "assistant_text": "Nothing happens."})["status"] == "empty"
    assert [record["kind"] for record in builders.log_of(path)] == ["new", "settings", "attempt", "turn"]


@pytest.mark.usefixtures("broken")
def test_a_dry_run_goes_on_after_a_fault_of_ours_too(campaign: Campaign, path: Path) -> None:
    put(path, "a.json", BREAKS)
    put(path, "b.json")
    told: list[tuple[str, str, bool]] = []
    with pytest.raises(ExceptionGroup):
        told += ((name, reply["status"], reply["dry_run"]) for name, reply in campaign.process_drop(dry_run=True))
    assert told == [("a.json", "refused", True), ("b.json", "applied", True)]
    assert tree(path) == ["a.json", "b.json"]


def test_a_record_that_cannot_be_written_leaves_nothing_behind_in_a_program_that_stays(
    campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: object) -> bytes:
        raise TypeError("no JSON")

    with monkeypatch.context() as patched:
        patched.setattr("turnwright.store.event_log.encode", fail)
        with pytest.raises(TypeError):
            campaign.process(HIT)
    assert campaign.process(HIT)["state_summary"]["hp"]["pc_001"] == 9
    assert hp(campaign) == 9


def test_an_invalid_campaign_leaves_the_files_where_they_were_dropped(campaign: Campaign, path: Path) -> None:
    campaign.close()
    put(path, "a.json")
    (path / "characters/pc_001.json").write_text("[]", encoding="utf-8")
    with Campaign.open(path, builders.clock) as opened, pytest.raises(CampaignInvalid):
        list(opened.process_drop())
    assert tree(path) == ["a.json"]


@pytest.fixture(name="immovable")
def fixture_immovable(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """Give a set for the names of files that the system does not let us rename."""
    names, rename = set[str](), Disk.rename

    def refuse(self: Disk, place: str, to: str) -> None:
        if Path(place).name in names:
            raise PermissionError(errno.EPERM, os.strerror(errno.EPERM), place)
        rename(self, place, to)

    monkeypatch.setattr(Disk, "rename", refuse)
    return names


@pytest.mark.parametrize("patient", [False, True])
def test_a_file_that_cannot_be_moved_is_refused_in_place_and_stops_no_other(
    campaign: Campaign, path: Path, immovable: set[str], patient: bool
) -> None:
    for name in ("1.json", "2.json", "3.json"):
        put(path, name)
    immovable.add("2.json")
    for expected in ([("1.json", "applied"), ("3.json", "applied"), ("2.json", "refused")], [("2.json", "refused")]):
        replies = list(campaign.process_drop(patient=patient))
        assert [(name, reply["status"]) for name, reply in replies] == expected
        assert "cannot be moved" in replies[-1][1]["detail"]
    assert tree(path) == ["2.json", "done/1.json", "done/3.json"]
    assert hp(campaign) == 8
    immovable.clear()
    assert taken(campaign) == [("2.json", "applied")]


def test_a_drop_folder_that_may_not_be_written_is_told_and_refuses_no_file(
    campaign: Campaign, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(path, "1.json")

    def refuse(_self: Disk, place: str, *_: object) -> int:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), place)

    with monkeypatch.context() as patched:
        for name in ("rename", "touch"):
            patched.setattr(Disk, name, refuse)
        with pytest.raises(StorageFailed, match="Permission denied"):
            taken(campaign)
    assert taken(campaign) == [("1.json", "applied")]


@pytest.mark.parametrize(("turn", "status", "left"), [(HIT, "applied", 9), ("{", "refused", 10)])
def test_a_claimed_file_that_cannot_be_moved_any_more_is_done_once_and_stops_no_other(
    campaign: Campaign, path: Path, immovable: set[str], turn: object, status: str, left: int
) -> None:
    put(path, "a.json", turn)
    immovable.add("1__a.json")
    assert taken(campaign) == [("a.json", status)]
    assert taken(campaign) == []
    put(path, "b.json", {})
    assert taken(campaign) == [("b.json", "empty")]
    assert hp(campaign) == left
    with Campaign.open(path, builders.clock) as another:
        assert taken(another) == [("a.json", status)]
    immovable.clear()
    with Campaign.open(path, builders.clock) as another:
        assert taken(another) == [("a.json", status)]
        assert taken(another) == []
    assert hp(campaign) == left


@pytest.mark.parametrize("words", ["my own notes", '{"status": "fine"}', "[1]"])
def test_a_file_of_somebody_else_that_has_the_name_of_a_reason_stays_as_it_is(
    campaign: Campaign, path: Path, words: str
) -> None:
    refused = path / "turns/refused"
    refused.mkdir(parents=True)
    (refused / "a.json.reason.json").write_text(words, encoding="utf-8")
    put(path, "a.json", "{")
    assert taken(campaign) == [("a.json", "refused")]
    assert (refused / "a.json.reason.json").read_text(encoding="utf-8") == words
    assert tree(path) == ["refused/a.1.json", "refused/a.1.json.reason.json", "refused/a.json.reason.json"]
