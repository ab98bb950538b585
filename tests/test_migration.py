"""Campaigns of an older format: read, written, undone, forked and checked by a version with a newer one.

The older format is a toy: `chaos.json` once had `level`, which a migration of its ruleset renames to `factor`.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests import builders
from tests.cached_fixtures import schemas
from tests.distributions import Distributions

from turnwright import Campaign, Reply
from turnwright.audit.check import check_directory
from turnwright.audit.verify import verify
from turnwright.campaign import timeline
from turnwright.cli.main import run
from turnwright.model.campaign import FORMAT
from turnwright.model.entry_points import Group, installed
from turnwright.model.errors import CampaignInvalid
from turnwright.model.state.fold import Values
from turnwright.model.strict_json import sha256
from turnwright.rulesets.registry import tables
from turnwright.rulesets.ruleset import Ruleset, fault_of
from turnwright.schemas.schemas import validator
from turnwright.store.log import encode
from turnwright.store.store import Store

RULES = """
from turnwright.rulesets.api import Count, Document, Ruleset


class Chaos(Document):
    factor: Count = 0

    @property
    def path(self):
        return "chaos.json"


def to_format_1(values):
    chaos = values.get("chaos.json")
    return {} if chaos is None else {"chaos.json": {"factor": chaos["level"]}}


RULESET = Ruleset(
    name="chaos", documents={"chaos.json": "their_rules:Chaos"}, migrations={1: "their_rules:to_format_1"}
)
"""


@pytest.fixture(autouse=True)
def nothing_left() -> Iterator[None]:
    """Forget what a test installed."""
    yield
    installed.cache_clear()
    tables.cache_clear()


@pytest.fixture
def mill(distributions: Distributions, tmp_path: Path) -> Path:
    """A campaign of format 0 with a move in its log."""
    distributions.install("chaos", Group.RULESETS, {"chaos": "their_rules:RULESET"}, {"their_rules.py": RULES})
    tables.cache_clear()
    mill = tmp_path / "mill"
    Campaign.new(mill, seed="mill", clock=builders.clock).close()
    (mill / "log.jsonl").unlink()
    shutil.rmtree(mill / ".turnwright")
    document = json.loads((mill / "campaign.json").read_text(encoding="utf-8"))
    (mill / "campaign.json").write_text(json.dumps({**document, "rulesets": ["core", "chaos"]}), encoding="utf-8")
    (mill / "chaos.json").write_text('{"factor": 3}', encoding="utf-8")
    with Campaign.open(mill, clock=builders.clock, lag=0) as campaign:
        campaign.process({"turn_id": "first", "tool_calls": _calls("move", MOVE)})
    _age(mill)
    return mill


MOVE = {"actor_id": "pc_001", "from_area_id": "area_001", "to_area_id": "area_002"}
HURT = {"target_character_id": "pc_001", "delta": -1, "cause": "a stone"}


def _calls(tool: str, args: dict[str, Any]) -> list[dict[str, Any]]:
    return [{"id": "c", "tool": tool, "args": args}]


def _age(mill: Path) -> None:
    """Rewrite a campaign as a version with format 0 would have written it, without its checkpoint."""
    prev, lines = "0" * 64, []
    for line in (mill / "log.jsonl").read_bytes().splitlines():
        record = json.loads(line)
        for path, operations in record["changes"].items():
            if operations[0]["path"] == "":
                operations[0]["value"] = _older(path, operations[0]["value"])
        lines.append(encode(record | {"prev": prev}))
        prev = sha256(lines[-1])
    (mill / "log.jsonl").write_bytes(b"".join(line + b"\n" for line in lines))
    for path in ("campaign.json", "chaos.json"):
        value = json.loads((mill / path).read_text(encoding="utf-8"))
        (mill / path).write_text(json.dumps(_older(path, value), indent=2) + "\n", encoding="utf-8")
    for file in (mill / ".turnwright").iterdir():
        if file.is_file() and "secret" not in file.name:
            file.unlink()


def _older(path: str, value: dict[str, Any]) -> dict[str, Any]:
    if path == "campaign.json":
        return {**value, "format": 0}
    return {"level": value["factor"]} if path == "chaos.json" else value


def _records(mill: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (mill / "log.jsonl").read_bytes().splitlines()]


def _snapshot(mill: Path) -> dict[str, bytes]:
    return {str(path.relative_to(mill)): path.read_bytes() for path in sorted(mill.rglob("*")) if path.is_file()}


def _turn(mill: Path, turn_id: str = "second") -> Reply:
    with Campaign.open(mill, clock=builders.clock, lag=0) as campaign:
        return campaign.process({"turn_id": turn_id, "tool_calls": _calls("hp_delta", HURT)})


def test_a_reader_migrates_in_memory_and_writes_nothing(mill: Path) -> None:
    before = _snapshot(mill)
    with Campaign.open(mill, clock=builders.clock) as campaign:
        assert campaign.state["chaos.json"] == {"factor": 3}
        assert campaign.state["campaign.json"]["format"] == FORMAT
        with campaign.reading() as world:
            assert world.campaign.rulesets == ("core", "chaos")
            character = world.character("pc_001")
            assert character is not None
            assert character.position == "area_002"
        with campaign.reading(at="0") as world:
            assert world.get("chaos.json").value() == {"factor": 3}  # type: ignore[union-attr]
        assert campaign.state_at("0")["chaos.json"] == {"factor": 3}
        assert [record["kind"] for record in campaign.records()] == ["new", "turn"]
    assert {**_snapshot(mill), **before} == _snapshot(mill)


def test_a_reader_migrates_once_for_each_record_that_a_log_ends_with(
    mill: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[int] = []
    values_at = timeline.values_at

    def counted(store: Store, seq: int) -> Values:
        read.append(seq)
        return values_at(store, seq)

    monkeypatch.setattr(timeline, "values_at", counted)
    with Campaign.open(mill, clock=builders.clock) as campaign:
        for _ in range(3):
            assert campaign.state["chaos.json"] == {"factor": 3}
            with campaign.moment() as (world, _):
                assert world.character("pc_001") is not None
    assert read == [1]


def test_the_first_writer_appends_one_record(mill: Path) -> None:
    lines = (mill / "log.jsonl").read_bytes()
    assert _turn(mill)["status"] == "applied"
    records = _records(mill)
    assert (mill / "log.jsonl").read_bytes().startswith(lines)
    assert [record["kind"] for record in records] == ["new", "turn", "migrate", "turn"]
    migrate = records[2]
    assert list(migrate) == ["seq", "kind", "prev", "timestamp", "from", "to", "changes"]
    assert (migrate["from"], migrate["to"]) == (0, FORMAT)
    assert list(validator(schemas()["record.json"]).iter_errors(migrate)) == []
    assert sorted(migrate["changes"]) == ["campaign.json", "chaos.json"]
    assert json.loads((mill / "chaos.json").read_text(encoding="utf-8")) == {"factor": 3}
    assert json.loads((mill / "campaign.json").read_text(encoding="utf-8"))["format"] == FORMAT
    assert verify(mill).problems == ()
    assert [problem for problem in check_directory(mill) if not problem.warning] == []
    _turn(mill, "third")
    assert [record["kind"] for record in _records(mill)].count("migrate") == 1


def test_one_that_stays_open_goes_on_in_the_newest_format(mill: Path) -> None:
    with Campaign.open(mill, clock=builders.clock) as one, Campaign.open(mill, clock=builders.clock) as other:
        assert other.state["chaos.json"] == {"factor": 3}
        one.process({"turn_id": "second", "tool_calls": _calls("hp_delta", HURT)})
        one.flush()
        assert one.state["chaos.json"] == {"factor": 3}
        with other.reading() as world:
            assert world.character("pc_001").hp == 9  # type: ignore[union-attr]
        other.process({"turn_id": "third", "tool_calls": _calls("hp_delta", HURT)})
        one.process({"turn_id": "fourth", "tool_calls": _calls("hp_delta", HURT)})
    assert [record["kind"] for record in _records(mill)] == ["new", "turn", "migrate", "turn", "turn", "turn"]
    assert verify(mill).problems == ()


def test_hand_edits_of_the_older_format_are_recorded_before_it(mill: Path) -> None:
    (mill / "chaos.json").write_text('{"level": 7}', encoding="utf-8")
    _turn(mill)
    records = _records(mill)
    assert [record["kind"] for record in records] == ["new", "turn", "edit", "migrate", "turn"]
    assert records[2]["files"] == ["chaos.json"]
    assert json.loads((mill / "chaos.json").read_text(encoding="utf-8")) == {"factor": 7}
    assert verify(mill).problems == ()


def test_what_would_be_no_valid_campaign_is_refused_and_nothing_is_written(mill: Path) -> None:
    (mill / "chaos.json").write_text('{"level": -7}', encoding="utf-8")
    before = (mill / "log.jsonl").read_bytes()
    with Campaign.open(mill, clock=builders.clock) as campaign, pytest.raises(CampaignInvalid) as refused:
        campaign.process({"tool_calls": []})
    assert [(problem.file, problem.path) for problem in refused.value.problems] == [("chaos.json", "$.factor")]
    assert (mill / "log.jsonl").read_bytes() == before
    assert ("chaos.json", "$.factor") in [(each.file, each.path) for each in check_directory(mill)]


def test_an_undo_to_before_it_migrates_again_in_the_same_record(mill: Path) -> None:
    _turn(mill)
    with Campaign.open(mill, clock=builders.clock, lag=0) as campaign:
        campaign.undo("first")
        assert campaign.state["chaos.json"] == {"factor": 3}
        with campaign.reading() as world:
            assert world.character("pc_001").position == "area_001"  # type: ignore[union-attr]
    undo = _records(mill)[-1]
    assert (undo["kind"], undo["from"], undo["to"]) == ("undo", 0, FORMAT)
    assert undo["migrated"] == ["campaign.json", "chaos.json"]
    assert undo["undone"] == [3, 2, 1]
    assert list(validator(schemas()["record.json"]).iter_errors(undo)) == []
    assert verify(mill).problems == ()


def test_a_fork_from_before_it_migrates_in_its_record(mill: Path, tmp_path: Path) -> None:
    with Campaign.open(mill, clock=builders.clock) as campaign:
        early = campaign.fork(tmp_path / "early", "0")  # of a campaign that nobody has migrated
    _turn(mill)
    with Campaign.open(mill, clock=builders.clock) as campaign:
        late = campaign.fork(tmp_path / "late", "0")
    for fork in (early, late):
        record = _records(fork)[-1]
        assert (record["kind"], record["from"], record["to"]) == ("fork", 0, FORMAT)
        assert list(validator(schemas()["record.json"]).iter_errors(record)) == []
        with Campaign.open(fork, clock=builders.clock) as campaign:
            assert campaign.state["chaos.json"] == {"factor": 3}
        _turn(fork)
        assert [record["kind"] for record in _records(fork)] == ["new", "fork", "turn"]
        assert verify(fork).problems == ()


def test_a_crash_after_its_record_loses_nothing(mill: Path) -> None:
    before = _snapshot(mill)
    _turn(mill)
    lines = (mill / "log.jsonl").read_bytes().splitlines(keepends=True)
    shutil.rmtree(mill)
    for path, data in before.items():
        (mill / path).parent.mkdir(parents=True, exist_ok=True)
        (mill / path).write_bytes(data)
    (mill / "log.jsonl").write_bytes(b"".join(lines[:3]))  # the record is durable, and no file was written
    with Campaign.open(mill, clock=builders.clock) as campaign:
        assert campaign.state["chaos.json"] == {"factor": 3}
    assert _turn(mill)["status"] == "applied"
    assert [record["kind"] for record in _records(mill)] == ["new", "turn", "migrate", "turn"]
    assert json.loads((mill / "chaos.json").read_text(encoding="utf-8")) == {"factor": 3}
    assert verify(mill).problems == ()


def test_check_and_verify_read_it_as_it_is(mill: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert verify(mill).problems == ()
    warned = [(problem.file, problem.rule, problem.warning) for problem in check_directory(mill)]
    assert warned == [("campaign.json", "format", True)]
    assert run(["log", str(mill)]) == 0
    assert run(["show", str(mill)]) == 0
    _turn(mill)
    assert run(["log", str(mill)]) == 0
    assert f"from format 0 to {FORMAT}" in capsys.readouterr().out


def test_a_dry_run_of_it_is_refused(mill: Path) -> None:
    with Campaign.open(mill, clock=builders.clock) as campaign, pytest.raises(CampaignInvalid, match="dry run"):
        campaign.process({"tool_calls": []}, dry_run=True)
    assert [record["kind"] for record in _records(mill)] == ["new", "turn"]


def test_a_format_that_no_migration_begins_at_is_refused_as_ever(mill: Path) -> None:
    path = mill / "campaign.json"
    document = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps({**document, "format": -1}), encoding="utf-8")
    with Campaign.open(mill, clock=builders.clock) as campaign, pytest.raises(CampaignInvalid):
        campaign.process({"tool_calls": []})
    assert [record["kind"] for record in _records(mill)] == ["new", "turn"]


def test_a_migration_that_fails_names_its_ruleset(mill: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import their_rules  # type: ignore[import-not-found]

    monkeypatch.setattr(their_rules, "to_format_1", lambda _: 1 / 0)
    with Campaign.open(mill, clock=builders.clock) as campaign, pytest.raises(CampaignInvalid) as refused:
        campaign.process({"tool_calls": []})
    (problem,) = refused.value.problems
    assert problem.message.startswith("the migration to format 1 of the ruleset chaos failed by itself: ZeroDivision")


def test_migrations_are_declared_by_the_number_of_a_format() -> None:
    assert fault_of(Ruleset(name="mine", migrations={0: "a:b"}), "mine", []) == "has a field of a wrong type"
