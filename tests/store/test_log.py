"""The log: appended to at the end one knows, never rewritten, and trusted only as a chain."""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests import builders
from tests.builders import untyped
from tests.sampling import tries
from tests.store.kit import contents, forget_checkpoint, relog

from turnwright import Campaign
from turnwright.model.errors import CampaignInvalid, StorageFailed
from turnwright.model.strict_json import parse_json, sha256
from turnwright.rulesets.registry import BUILT_IN
from turnwright.store.files import Files
from turnwright.store.log import LOG_PATH, TORN_FOLDER, Log, decode, encode

Json = builders.Json
HIT = builders.turn(builders.hp_delta(-1))


@pytest.fixture(name="log")
def fixture_log(tmp_path: Path) -> Iterator[Log]:
    log = Log(Files(tmp_path), BUILT_IN.documents)
    yield log
    log.close()


@pytest.fixture(name="path")
def fixture_path(campaign: Campaign, tmp_path: Path) -> Path:
    """Give the directory of a campaign with three turns, which nobody has open."""
    for _ in range(3):
        campaign.process(HIT)
    campaign.close()
    return tmp_path / "campaign_0"


def hp_of(path: Path) -> int:
    with Campaign.open(path, builders.clock) as campaign:
        return int(campaign.state["characters/pc_001.json"]["hp"])


def hp_or_refused(path: Path) -> int | str:
    try:
        return hp_of(path)
    except CampaignInvalid as refused:
        return refused.problems[0].file


def taken(path: Path) -> str:
    with Campaign.open(path, builders.clock) as campaign:
        return str(campaign.process(HIT)["turn_id"])


def test_a_line_is_compact_json_with_its_keys_in_order_and_letters_as_they_are() -> None:
    assert encode(untyped({"seq": 0, "b": [1.0, 1e22], "a": {"å": None, "c": "🎲\n"}})) == (
        '{"seq":0,"b":[1.0,1e+22],"a":{"å":null,"c":"🎲\\n"}}'.encode()
    )


@given(
    st.dictionaries(st.text(max_size=5), st.none() | st.booleans() | st.integers() | st.text(max_size=9), max_size=5)
)
def test_what_is_encoded_is_one_line_and_decodes_to_itself(fields: Json) -> None:
    record = fields | {"seq": 0, "prev": "0" * 64}
    line = encode(record)
    assert b"\n" not in line
    assert list(parse_json(line).items()) == list(record.items())
    with pytest.raises(CampaignInvalid, match="is not what a record holds"):
        decode(line, 0, "0" * 64, BUILT_IN.documents)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"", "record 3: not JSON"),
        (b"[]", "record 3 is not here"),
        (b'{"seq":2,"prev":"aa"}', "record 3 is not here"),
        (b'{"seq":3.0,"prev":"aa"}', "record 3 is not here"),
        (b'{"seq":3,"prev":"ab"}', "was not written after the line"),
        (b'{"seq":3}', "was not written after the line"),
        (b'{"seq":3,"prev":"aa","prev":"aa"}', "stands twice"),
        (b'{"seq":3,"prev":"aa","x":NaN}', "NaN is not JSON"),
        (b'{"seq":3,"prev":"aa","x":"\xff"}', "not UTF-8"),
    ],
)
def test_a_line_that_is_not_the_record_that_belongs_there_is_named(line: bytes, message: str) -> None:
    with pytest.raises(CampaignInvalid, match=message) as refused:
        decode(line, 3, "aa", BUILT_IN.documents)
    (problem,) = refused.value.problems
    assert (problem.file, problem.path, problem.rule) == (LOG_PATH, "line 4", "log")


def test_lines_are_appended_one_after_another(log: Log, tmp_path: Path) -> None:
    log.append(b"one", 0)
    log.append(b"two", 4)
    assert (log.line_at(0), log.line_at(4)) == (b"one", b"two")
    assert not (tmp_path / LOG_PATH).exists()
    log.write_out()
    assert (tmp_path / LOG_PATH).read_bytes() == b"one\ntwo\n"
    assert list(log.lines()) == [(0, b"one"), (4, b"two")]
    assert log.line_at(4) == b"two"


def test_lines_that_are_forgotten_are_never_written(log: Log, tmp_path: Path) -> None:
    log.append(b"one", 0)
    assert log.forget_lines()
    assert not log.forget_lines()
    log.write_out()
    assert not (tmp_path / LOG_PATH).exists()


def test_lines_before_an_offset_are_not_forgotten_with_those_after_it(log: Log, tmp_path: Path) -> None:
    log.append(b"one", 0)
    log.append(b"two", 4)
    assert log.forget_lines(4)
    assert not log.forget_lines(4)
    log.write_out()
    assert (tmp_path / LOG_PATH).read_bytes() == b"one\n"


@pytest.mark.parametrize("expected", [0, 3, 5])
def test_appending_anywhere_but_at_the_end_one_knows_is_refused(log: Log, tmp_path: Path, expected: int) -> None:
    log.append(b"one", 0)
    log.write_out()
    log.append(b"two", expected)
    with pytest.raises(CampaignInvalid, match="somebody else"):
        log.write_out()
    assert (tmp_path / LOG_PATH).read_bytes() == b"one\n"


def test_a_line_that_could_not_be_written_whole_is_taken_back(
    log: Log, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log.append(b"one", 0)
    log.write_out()
    write = os.write

    def full(descriptor: int, data: memoryview) -> int:
        if len(data) < 4:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return write(descriptor, data[:4])

    monkeypatch.setattr(os, "write", full)
    log.append(b"a longer one", 4)
    with pytest.raises(OSError, match="No space"):
        log.write_out()
    assert not log.forget_lines()
    assert (tmp_path / LOG_PATH).read_bytes() == b"one\n"


def test_a_line_is_written_whole_although_the_machine_takes_it_in_pieces(
    log: Log, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = os.write
    monkeypatch.setattr(os, "write", lambda descriptor, data: write(descriptor, data[:3]))
    log.append(b"a longer one", 0)
    log.write_out()
    assert (tmp_path / LOG_PATH).read_bytes() == b"a longer one\n"


def test_a_last_line_without_a_line_feed_is_not_there(log: Log, tmp_path: Path) -> None:
    (tmp_path / LOG_PATH).write_bytes(b"one\ntw")
    assert list(log.lines()) == [(0, b"one")]
    assert log.line_at(4) == b""


def test_what_is_torn_is_set_aside_and_kept(log: Log, tmp_path: Path) -> None:
    (tmp_path / LOG_PATH).write_bytes(b"one\ntw")
    log.prepare(4)
    log.prepare(4)
    assert (tmp_path / LOG_PATH).read_bytes() == b"one\n"
    assert [file.read_bytes() for file in (tmp_path / TORN_FOLDER).iterdir()] == [b"tw"]


def test_a_whole_line_is_never_set_aside(log: Log, tmp_path: Path) -> None:
    """Somebody wrote it who broke the lock, and may have been told that it is there."""
    (tmp_path / LOG_PATH).write_bytes(b"one\ntwo\nthr")
    with pytest.raises(CampaignInvalid, match="somebody else has written"):
        log.prepare(4)
    assert (tmp_path / LOG_PATH).read_bytes() == b"one\ntwo\nthr"
    assert not (tmp_path / TORN_FOLDER).exists()


def test_a_log_that_is_a_link_or_a_folder_is_refused(log: Log, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").touch()
    (tmp_path / LOG_PATH).symlink_to("elsewhere")
    with pytest.raises(CampaignInvalid, match="ordinary file"):
        log.size()
    log.append(b"one", 0)
    with pytest.raises(OSError, match="symbolic links"):
        log.write_out()


# through the campaign


@pytest.mark.parametrize("kept", [1, 40, -1])
@pytest.mark.parametrize("has_checkpoint", [True, False])
def test_a_torn_line_is_set_aside_and_play_goes_on(path: Path, kept: int, has_checkpoint: bool) -> None:
    log = path / "log.jsonl"
    whole = log.read_bytes()
    torn = (whole.splitlines()[-1].replace(b'"seq":3', b'"seq":4'))[:kept]
    log.write_bytes(whole + torn)
    if not has_checkpoint:
        forget_checkpoint(path)
    assert hp_of(path) == 7
    assert log.read_bytes() == whole + torn, "a reader changes nothing"
    assert taken(path) == "turn_0004"
    assert log.read_bytes().startswith(whole)
    assert [record["seq"] for record in builders.log_of(path)] == [0, 1, 2, 3, 4]
    assert [file.read_bytes() for file in (path / TORN_FOLDER).iterdir()] == [torn]


@pytest.mark.parametrize("writes", [True, False])
def test_a_line_torn_while_a_process_stays_is_set_aside_too(campaign: Campaign, tmp_path: Path, writes: bool) -> None:
    campaign.process(HIT)
    with (tmp_path / "campaign_0/log.jsonl").open("ab") as log:
        log.write(b'{"seq":2,')
    if writes:
        assert campaign.process(HIT)["turn_id"] == "turn_0002"
    assert campaign.state["characters/pc_001.json"]["hp"] == 9 - writes
    assert len(list(campaign.records())) == 2 + writes


def _cut_off(lines: list[bytes]) -> None:
    del lines[-1]


def _edited(lines: list[bytes]) -> None:
    lines[-1] = lines[-1].replace(b"a falling stone", b"a fallinG stone")


def _lengthened(lines: list[bytes]) -> None:
    lines[-1] = lines[-1].replace(b"a falling stone", b"a big falling stone")


def _emptied(lines: list[bytes]) -> None:
    lines.clear()


@pytest.mark.parametrize("damage", [_cut_off, _edited, _lengthened, _emptied])
def test_a_log_other_than_the_checkpoint_knows_is_refused_and_nothing_is_touched(
    path: Path, damage: Callable[[list[bytes]], None]
) -> None:
    log = path / "log.jsonl"
    lines = log.read_bytes().splitlines()
    damage(lines)
    log.write_bytes(b"".join(line + b"\n" for line in lines))
    (path / "characters/pc_001.json").write_bytes(b'{"id": "pc_001", "hp": 99}')
    before = contents(path)
    for attempt in (hp_of, taken, taken):
        with pytest.raises(CampaignInvalid) as refused:
            attempt(path)
        (problem,) = refused.value.problems
        assert (problem.file, problem.path, problem.rule) == (LOG_PATH, "line 4", "log")
    assert contents(path) == before


def test_a_log_that_is_gone_is_refused(path: Path) -> None:
    (path / "log.jsonl").unlink()
    before = contents(path)
    with pytest.raises(CampaignInvalid, match="log is missing"):
        taken(path)
    forget_checkpoint(path)
    with pytest.raises(CampaignInvalid, match="results/ shows that turns were taken"):
        taken(path)
    assert contents(path) == before


def test_a_line_changed_in_the_middle_is_named_where_the_log_is_read_from_its_beginning(path: Path) -> None:
    log = path / "log.jsonl"
    lines = log.read_bytes().splitlines()
    lines[1] = lines[1].replace(b"a falling stone", b"a fallinG stone")
    log.write_bytes(b"".join(line + b"\n" for line in lines))
    forget_checkpoint(path)
    for attempt in (hp_of, taken):
        with pytest.raises(CampaignInvalid, match="record 2 was not written after"):
            attempt(path)


@pytest.mark.parametrize(
    "record",
    [
        {},
        {"kind": "turn"},
        {"kind": "undo", "changes": {}},
        {"kind": "edit", "changes": []},
        {"kind": "edit", "changes": {"campaign.json": [{"op": "remove", "path": "/nothing"}]}},
        {"kind": "edit", "changes": {"characters/x.json": [{"op": "add", "path": "", "value": {"id": "y"}}]}},
        {"kind": "edit", "changes": {"characters/../../x.json": [{"op": "add", "path": "", "value": {"id": "y"}}]}},
        {"kind": "edit", "changes": {"dragons/x.json": [{"op": "add", "path": "", "value": {"id": "x"}}]}},
    ],
)
def test_a_well_chained_line_that_makes_no_sense_is_refused_by_name(path: Path, record: Json) -> None:
    log = path / "log.jsonl"
    whole = log.read_bytes()
    line = {"seq": 4, "prev": sha256(whole.splitlines()[-1])} | record
    log.write_bytes(whole + json.dumps(line).encode() + b"\n")
    before = contents(path)
    for attempt in (hp_of, taken):
        with pytest.raises(CampaignInvalid):
            attempt(path)
    assert contents(path) == before


def test_a_turn_that_tells_of_a_call_it_does_not_list_is_refused_by_name(path: Path) -> None:
    with Campaign.open(path, builders.clock) as campaign:
        assert campaign.process(builders.turn(builders.move("nowhere")))["status"] == "failed"
    relog(path, lambda records: records[4]["tool_feedback"]["failed_calls"][0].update(tool="hp_delta"))
    for attempt in (hp_of, taken):
        with pytest.raises(CampaignInvalid, match="record 4 tells of other calls than it lists"):
            attempt(path)


def test_a_process_goes_on_soundly_once_a_log_it_stumbled_over_is_mended(campaign: Campaign, tmp_path: Path) -> None:
    path = tmp_path / "campaign_0"
    campaign.process(HIT)
    log = path / "log.jsonl"
    with Campaign.open(path, builders.clock) as other:
        for _ in range(2):
            other.process(HIT)
    whole = log.read_bytes()
    log.write_bytes(whole[:-2] + b" }\n")
    for _ in range(2):
        with pytest.raises(CampaignInvalid):
            campaign.process(HIT)
    log.write_bytes(whole)
    assert campaign.process(HIT)["state_summary"]["hp"]["pc_001"] == 6
    assert campaign.state["characters/pc_001.json"]["hp"] == 6


def test_a_record_that_is_in_the_log_holds_although_nobody_was_told(
    campaign: Campaign, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_: int) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    with monkeypatch.context() as patch:
        patch.setattr("turnwright.store.platform.sync_file", refuse)
        with pytest.raises(StorageFailed):
            campaign.process(HIT | {"turn_id": "once"})
    assert campaign.process(HIT | {"turn_id": "once"})["seq"] == 1
    assert campaign.process(HIT)["state_summary"]["hp"]["pc_001"] == 8


@given(st.integers(0, 10_000), st.binary(min_size=1, max_size=30))
@settings(max_examples=tries(25), suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_whatever_becomes_of_a_log_a_campaign_is_as_before_or_refused(path: Path, at: int, junk: bytes) -> None:
    """Junk anywhere in the log never changes the state and never raises anything but a refusal."""
    log = path / "log.jsonl"
    whole = log.read_bytes()
    at %= len(whole)
    log.write_bytes(whole[:at] + junk + whole[at + len(junk) :])
    found = hp_or_refused(path)
    log.write_bytes(whole)
    assert found in (7, LOG_PATH)
