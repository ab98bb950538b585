from __future__ import annotations

import os
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError
from tests import builders
from tests.cached_fixtures import schemas
from tests.conftest import MakeCampaign
from tests.game_master.telemetry_samples import asking, finding, hint, telemetry

from turnwright.game_master.telemetry import Asking, append, read, record_of
from turnwright.model.wire.agent import AgentKind
from turnwright.model.wire.telemetry import MAX_MESSAGE_LENGTH, TelemetryRecord
from turnwright.schemas.schemas import validator
from turnwright.store.disk import Disk
from turnwright.suggestions.snapshot import EncounterView, Offer, Snapshot
from turnwright.suggestions.suggestion import RuleError, Suggestion, SuggestionSet, Suppressed

SNAPSHOT = Snapshot(encounter=EncounterView(active=True, enemies_alive=2), pending_offer=Offer("quest"), mood="action")
SUGGESTED = SuggestionSet(
    suggestions=(
        Suggestion(
            tool="move",
            intent="travel",
            reason="goes",
            confidence=0.9,
            rule_id="R14",
            arguments={"to_area_id": "area_002"},
        ),
        Suggestion(tool="hp_delta", intent="hp.change", reason="falls", confidence=0.65, rule_id="R09"),
    ),
    context_notes=("No encounter is active.",),
    suppressed=(Suppressed("take_rest", "rest.short", "not_permitted"),),
    errors=(RuleError("R99", "ValueError: no"),),
    rules_version="abc",
    language="en",
    clauses=(("commit", 0, 12),),
    dropped_arguments=("hp_delta.amount",),
)


@cache
def schema() -> Any:
    """Return what checks records."""
    return validator(schemas()["telemetry.json"])


# records


def test_a_record_of_a_turn_says_what_was_hinted_called_and_asked_and_joins_the_log(
    make_campaign: MakeCampaign,
) -> None:
    campaign = make_campaign()
    reply = campaign.process(
        builders.turn(builders.move("area_002"), builders.move("nowhere"), user_input="I go to Area 2")
    )
    record = record_of(
        campaign="plain",
        agent=AgentKind.NARRATIVE,
        reply=reply,
        message="I go to Area 2",
        suggested=SUGGESTED,
        snapshot=SNAPSHOT,
        elapsed_us=77,
        models=[Asking("narrative", "small", 40, 100, 10)],
        errors=[("verifier", "KeyError: x")],
    )
    schema().validate(record)
    assert list(record) == [name for name in TelemetryRecord.model_fields if name != "message"]
    assert [(one["tool"], one["label"]) for one in record["suggestions"]] == [
        ("move", "highly recommended"),
        ("hp_delta", "recommended"),
    ]
    assert record["suggestions"][1]["arguments"] is None
    assert record["calls"] == [
        {"id": "call_001", "tool": "move", "status": "applied", "reason": None},
        {"id": "call_001", "tool": "move", "status": "error", "reason": "invalid_args"},
    ]
    assert record["context"] == {"encounter_active": True, "enemies": 2, "mood": "action", "pending_offer": "quest"}
    assert [fault["rule_id"] for fault in record["errors"]] == ["R99", "verifier"]
    assert record["models"] == [asking()]
    logged = next(entry for entry in campaign.records() if entry.get("turn_id") == record["turn_id"])
    assert {one["id"] for one in record["calls"]} == {call["id"] for call in logged["tool_calls"]}


def test_the_same_turn_gives_the_same_record_but_for_time(make_campaign: MakeCampaign) -> None:
    replies = [
        make_campaign().process(builders.turn(builders.hp_delta(), turn_id="t1", user_input="ouch")) for _ in range(2)
    ]
    made = [
        record_of(campaign="plain", agent=AgentKind.COMBAT, reply=reply, message="ouch", suggested=SUGGESTED)
        for reply in replies
    ]
    assert made[0] == made[1]


def test_a_message_is_kept_only_on_demand_and_only_its_beginning(make_campaign: MakeCampaign) -> None:
    reply = make_campaign().process(builders.turn(user_input="x"))
    told = [
        record_of(campaign="plain", agent=AgentKind.NARRATIVE, reply=reply, message="ü" * 900, keep_message=keep)
        for keep in (False, True)
    ]
    assert "message" not in told[0]
    assert told[1]["message"] == "ü" * MAX_MESSAGE_LENGTH
    assert told[0]["message_sha256"] == told[1]["message_sha256"]
    for record in told:
        schema().validate(record)


def test_without_a_suggestor_a_record_holds_the_calls_and_models_alone(make_campaign: MakeCampaign) -> None:
    reply = make_campaign().process(builders.turn(builders.hp_delta()))
    record = record_of(campaign="plain", agent=AgentKind.SUMMARIZER, reply=reply)
    schema().validate(record)
    assert (record["rules_version"], record["suggestions"], record["message_sha256"]) == ("", [], None)
    assert record["context"] == dict.fromkeys(("encounter_active", "enemies", "mood", "pending_offer"))


@pytest.mark.parametrize(
    "wrong",
    [
        {"v": 2},
        {"surprise": 1},
        {"turn_id": "a/b"},
        {"agent": "npc"},
        {"message": "x" * 501},
        {"message": None},
        {"elapsed_us": 1.5},
        {"elapsed_us": True},
        {"ts": "2026-01-14"},
        {"source": "guess"},
        {"suggestions": [hint(confidence=1.2)]},
        {"suggestions": [hint() | {"tool": ""}]},
        {"suppressed": [{"tool": None, "intent": "travel"}]},
        {"clauses": [["commit", 0]]},
        {"findings": [finding() | {"severity": "bad"}]},
        {"models": [asking(cost=-1)]},
        {"models": [asking(ms=None)]},
        {"calls": [{"id": "c1", "tool": "move", "status": "error", "reason": "because"}]},
    ],
    ids=str,
)
def test_model_and_schema_refuse_what_is_no_record(wrong: dict[str, Any]) -> None:
    good = telemetry("t1", hint(), findings=[finding()], models=[asking()])
    TelemetryRecord.model_validate(good)
    schema().validate(good)
    with pytest.raises(ValidationError):
        TelemetryRecord.model_validate(good | wrong)
    assert not schema().is_valid(good | wrong)


@pytest.mark.parametrize(
    "wrong",
    [
        {"suggestions": [hint(confidence=0.799) | {"label": "highly recommended"}]},
        {"calls": [{"id": "c1", "tool": "move", "status": "applied", "reason": "conflict"}]},
        {"calls": [{"id": "c1", "tool": "move", "status": "error", "reason": None}]},
    ],
    ids=str,
)
def test_label_and_reason_have_to_fit_what_they_stand_beside(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        TelemetryRecord.model_validate(telemetry("t1") | wrong)


# writing


def test_what_is_appended_is_read_back_in_order(tmp_path: Path) -> None:
    records = [telemetry(f"t{number}", hint(to_area_id="é\u2028"), message="hi") for number in range(3)]
    assert [append(tmp_path, record) for record in records] == [None] * 3
    assert read(tmp_path) == (records, [])
    assert (tmp_path / "telemetry.jsonl").read_bytes().count(b"\n") == 3


def test_each_record_is_one_write_of_one_line_and_nothing_is_synced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    writes: list[bytes] = []
    real = Disk.write

    def write(self: Disk, descriptor: int, data: bytes | memoryview) -> int:
        writes.append(bytes(data))
        return real(self, descriptor, data)

    def sync(self: Disk, descriptor: int) -> None:
        raise AssertionError("synced")

    monkeypatch.setattr(Disk, "write", write)
    monkeypatch.setattr(Disk, "sync", sync)
    for number in range(2):
        assert append(tmp_path, telemetry(f"t{number}")) is None
    assert b"".join(writes) == (tmp_path / "telemetry.jsonl").read_bytes()
    assert [line.count(b"\n") for line in writes] == [1, 1]


def test_a_link_is_not_followed_by_writer_or_reader(tmp_path: Path) -> None:
    campaign, elsewhere = tmp_path / "c", tmp_path / "elsewhere.jsonl"
    campaign.mkdir()
    elsewhere.write_text("kept\n")
    (campaign / "telemetry.jsonl").symlink_to(elsewhere)
    assert "was not written" in (append(campaign, telemetry("t1")) or "")
    assert elsewhere.read_text() == "kept\n"
    found = read(campaign)
    assert (found.records, len(found.warnings)) == ([], 1)


def test_a_pipe_or_a_folder_in_its_place_is_told_and_waited_for_by_nobody(tmp_path: Path) -> None:
    (tmp_path / "telemetry.jsonl").mkdir()
    assert append(tmp_path, telemetry("t1")) is not None
    assert len(read(tmp_path).warnings) == 1
    (tmp_path / "telemetry.jsonl").rmdir()
    os.mkfifo(tmp_path / "telemetry.jsonl")
    assert append(tmp_path, telemetry("t1")) is not None
    assert len(read(tmp_path).warnings) == 1


@pytest.mark.parametrize("record", [telemetry("t1") | {"notes": ["\ud800"]}, telemetry("t1") | {"notes": [object()]}])
def test_what_cannot_be_written_is_returned_and_not_raised(tmp_path: Path, record: Any) -> None:
    assert "was not written" in (append(tmp_path, record) or "")
    assert read(tmp_path).records == []


def test_a_full_disk_is_told_and_the_next_record_stands_on_a_line_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = Disk.write
    with monkeypatch.context() as patch:
        patch.setattr(Disk, "write", lambda self, descriptor, data: real(self, descriptor, bytes(data)[:30]))
        assert "only a part" in (append(tmp_path, telemetry("t1")) or "")
    assert append(tmp_path, telemetry("t2")) is None
    found = read(tmp_path)
    assert [record["turn_id"] for record in found.records] == ["t2"]
    assert len(found.warnings) == 1


# reading


def test_a_campaign_without_telemetry_has_none(tmp_path: Path) -> None:
    assert read(tmp_path) == ([], [])


def test_a_torn_last_line_is_left_out_with_a_warning(tmp_path: Path) -> None:
    append(tmp_path, telemetry("t1"))
    append(tmp_path, telemetry("t2"))
    path = tmp_path / "telemetry.jsonl"
    path.write_bytes(path.read_bytes()[:-20])
    found = read(tmp_path)
    assert [record["turn_id"] for record in found.records] == ["t1"]
    assert found.warnings == ["telemetry.jsonl, line 2: is torn; left out"]


def test_bad_lines_are_left_out_and_the_first_few_are_named(tmp_path: Path) -> None:
    path = tmp_path / "telemetry.jsonl"
    append(tmp_path, telemetry("t1"))
    bad = [b"{", b"[]", b'{"v":2}', b"\xff", b'"' + b"x" * (1 << 21) + b'"', b"null", b"7"]
    path.write_bytes(b"\n\n".join([*bad, path.read_bytes()]))
    found = read(tmp_path)
    assert [record["turn_id"] for record in found.records] == ["t1"]
    assert len(found.warnings) == 6
    assert found.warnings[-1] == "telemetry.jsonl: 2 more lines were left out"
    assert all(len(warning) < 300 for warning in found.warnings)


@given(cut=st.integers(0, 3000))
def test_wherever_a_file_is_cut_the_whole_lines_before_are_read(
    cut: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("cut")
    for number in range(3):
        append(path, telemetry(f"t{number}"))
    whole = (path / "telemetry.jsonl").read_bytes()
    kept = whole[:cut]
    (path / "telemetry.jsonl").write_bytes(kept)
    found = read(path)
    complete = kept.count(b"\n")
    assert [record["turn_id"] for record in found.records][:complete] == [f"t{number}" for number in range(complete)]
    assert append(path, telemetry("next")) is None
    assert read(path).records[-1]["turn_id"] == "next"
