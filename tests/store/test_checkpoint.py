"""The checkpoint may be deleted, damaged, old or of another version: what the log says holds all the same."""

from __future__ import annotations

import json
import random
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from tests import builders
from tests.store.kit import CHECKPOINT, contents, edit, forget_checkpoint, log_of

from turnwright import Campaign
from turnwright.audit.verify import verify
from turnwright.model.errors import CampaignInvalid, StorageFailed
from turnwright.model.state.log_state import LogState
from turnwright.model.strict_json import sha256
from turnwright.store.checkpoint import Checkpoint
from turnwright.store.checkpoint_file import Unreadable
from turnwright.store.files import Files
from turnwright.store.record_index import RecordRow

HIT = builders.turn(builders.hp_delta(-1))
NONE = '{"id": 5}'
SHAPES = builders.turn(
    builders.hp_delta(-1), builders.call("map_generate", parent_area_id="area_003", constraints={"size": 4})
)
PC = "characters/pc_001.json"


@pytest.fixture(name="path")
def fixture_path(campaign: Campaign, tmp_path: Path) -> Path:
    """Give the directory of a campaign with three turns and a layer of its own, which nobody has open."""
    for turn in (HIT, SHAPES, builders.turn(builders.move("area_002"), turn_id="named")):
        campaign.process(turn)
    campaign.close()
    return tmp_path / "campaign_0"


def opened(path: Path) -> Campaign:
    return Campaign.open(path, builders.clock)


def overwrite(at: float, size: int) -> Callable[[Path], None]:
    def damage(path: Path) -> None:
        data = bytearray((path / CHECKPOINT).read_bytes())
        start = int(at * (len(data) - size))
        data[start : start + size] = random.Random(at).randbytes(size)
        (path / CHECKPOINT).write_bytes(data)

    return damage


def sql(*statements: str) -> Callable[[Path], None]:
    def damage(path: Path) -> None:
        with sqlite3.connect(path / CHECKPOINT) as db:
            for statement in statements:
                db.execute(statement)
        db.close()

    return damage


def deleted_whole_folder(path: Path) -> None:
    secret = (path / ".turnwright/secret.json").read_bytes()
    shutil.rmtree(path / ".turnwright")
    (path / ".turnwright").mkdir()
    (path / ".turnwright/secret.json").write_bytes(secret)


DAMAGES: dict[str, Callable[[Path], object]] = {
    "deleted": forget_checkpoint,
    "deleted with all of .turnwright but the secret": deleted_whole_folder,
    "empty": lambda path: (path / CHECKPOINT).write_bytes(b""),
    "cut in half": lambda path: (path / CHECKPOINT).write_bytes((path / CHECKPOINT).read_bytes()[:9000]),
    "random bytes": lambda path: (path / CHECKPOINT).write_bytes(random.Random(1).randbytes(20_000)),
    "random header": overwrite(0, 100),
    **{f"random page {page}": overwrite(page / 8, 4096) for page in range(9)},
    **{f"random spot {spot}": overwrite(spot / 13 + 0.01, 64) for spot in range(12)},
    "of another version": sql("PRAGMA user_version = 99"),
    "without tables": sql("DROP TABLE documents", "DROP TABLE records"),
    "never filled": sql("DELETE FROM meta"),
    "history that is none": sql("UPDATE meta SET value = '{}' WHERE key = 'history'"),
    "history that is no JSON": sql("UPDATE meta SET value = '{' WHERE key = 'history'"),
    "document that is no JSON": sql(f"UPDATE contents SET value = '{{', sha256 = '{sha256('{')}' WHERE path = '{PC}'"),
    "document that is none": sql(
        f"UPDATE contents SET value = '{NONE}', sha256 = '{sha256(NONE)}' WHERE path = '{PC}'"
    ),
    "records that stand elsewhere": sql("UPDATE records SET offset = 3"),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_play_goes_on_from_the_log_whatever_became_of_the_checkpoint(path: Path, damage: str) -> None:
    before = contents(path)
    DAMAGES[damage](path)
    with opened(path) as campaign:
        reply = campaign.process(
            builders.turn(builders.hp_delta(-1), builders.call("map_generate", parent_area_id=None))
        )
        again = campaign.process(builders.turn(builders.move("area_002"), turn_id="named"))
        assert reply["state_summary"]["hp"]["pc_001"] == 7
        assert reply["applied_actions"][1]["result"]["created_area_ids"][0] == "area_009"
        assert (again["seq"], again["status"]) == (3, "applied"), "a turn that was closed is known"
        assert campaign.state[PC]["hp"] == 7
    assert contents(path)["log.jsonl"].startswith(before["log.jsonl"])
    with opened(path) as campaign:
        assert campaign.process({})["turn_id"] == "turn_0005"


@pytest.mark.parametrize("damage", [name for name in DAMAGES if not name.startswith("random page")])
def test_a_reader_reads_on_from_the_log_whatever_became_of_the_checkpoint(path: Path, damage: str) -> None:
    with opened(path) as campaign:
        before = campaign.state
    DAMAGES[damage](path)
    files = contents(path)
    with opened(path) as campaign:
        assert campaign.state == before
        assert campaign.query("move_options", {})["ok"]
        assert [record["seq"] for record in campaign.records(after=1)] == [2, 3]
    assert contents(path) == files


def test_damage_that_shows_while_a_process_stays_is_mended_on_the_way(campaign: Campaign, tmp_path: Path) -> None:
    path = tmp_path / "campaign_0"
    campaign.process(HIT)
    sql("UPDATE contents SET value = '{' WHERE path = 'characters/npc_001.json'")(path)
    with opened(path) as other:
        assert other.process(builders.turn(builders.hp_delta(-1, "npc_001")))["status"] == "applied"
        assert other.process(HIT)["state_summary"]["hp"] == {"npc_001": 4, "pc_001": 8, "pc_002": 8}
    assert campaign.process(HIT)["state_summary"]["hp"]["pc_001"] == 7


@pytest.mark.parametrize("what", [".turnwright", CHECKPOINT])
def test_a_checkpoint_deleted_under_a_process_that_stays_is_made_again(
    campaign: Campaign, tmp_path: Path, what: str
) -> None:
    path = tmp_path / "campaign_0"
    campaign.process(HIT)
    deleted_whole_folder(path) if what == ".turnwright" else forget_checkpoint(path)
    assert campaign.process(HIT)["state_summary"]["hp"]["pc_001"] == 8
    with opened(path) as other:
        assert other.process(HIT)["state_summary"]["hp"]["pc_001"] == 7
    assert campaign.process(HIT)["state_summary"]["hp"]["pc_001"] == 6
    checkpoint = Checkpoint.open(Files(path), writable=False)
    assert checkpoint.history().seq == 4
    checkpoint.close()


def test_a_hand_edit_survives_a_checkpoint_deleted_under_a_process_that_stays(
    campaign: Campaign, tmp_path: Path
) -> None:
    path = tmp_path / "campaign_0"
    campaign.process(HIT)
    edit(path / "characters/npc_001.json", hp=77)
    forget_checkpoint(path)
    campaign.process(HIT)
    assert campaign.state["characters/npc_001.json"]["hp"] == 77


def test_a_checkpoint_restored_from_an_earlier_backup_catches_up(path: Path, tmp_path: Path) -> None:
    backup = tmp_path / "backup"
    shutil.copy(path / CHECKPOINT, backup)
    with opened(path) as campaign:
        for turn in (HIT, builders.turn(builders.move("area_001", "area_002"), turn_id="later"), HIT):
            campaign.process(turn)
        campaign.set({"results.keep": 100})
        state = campaign.state
    files = contents(path)
    shutil.copy(backup, path / CHECKPOINT)
    with opened(path) as campaign:
        assert campaign.state == state
        assert campaign.process(builders.turn(builders.move("area_001", "area_002"), turn_id="later"))["seq"] == 5
        assert campaign.state == state
    assert contents(path) == files
    with opened(path) as campaign:
        assert campaign.process({})["seq"] == 8


def test_a_checkpoint_of_another_campaign_is_refused(path: Path, tmp_path: Path) -> None:
    other = builders.begin(tmp_path / "other", seed="another")
    other.process(HIT)
    other.close()
    shutil.copy(tmp_path / "other" / CHECKPOINT, path / CHECKPOINT)
    files = contents(path)
    with opened(path) as campaign, pytest.raises(CampaignInvalid, match="no longer holds record 1"):
        campaign.process(HIT)
    assert contents(path) == files


def test_who_went_back_to_an_older_log_on_purpose_is_told_the_way(path: Path, tmp_path: Path) -> None:
    """Like `git checkout` of an older commit, where `.turnwright/` is not under version control."""
    older = tmp_path / "older"
    shutil.copytree(path, older)
    last = len(log_of(path)) - 1
    with opened(path) as campaign:
        campaign.process(HIT)
        later = campaign.process(HIT)["turn_id"]
    shutil.copytree(older / "characters", path / "characters", dirs_exist_ok=True)
    shutil.copy(older / "log.jsonl", path / "log.jsonl")
    way = rf"if you went back to an older log on purpose, delete {CHECKPOINT} and the results of later turns"
    way += "; otherwise bring log.jsonl back from a copy"
    with opened(path) as campaign, pytest.raises(CampaignInvalid, match=way):
        campaign.process(HIT)
    (problem,) = verify(path).problems
    assert problem.message.endswith(way)
    (path / CHECKPOINT).unlink()
    with opened(path) as campaign, pytest.raises(CampaignInvalid, match=r"or take results/.* away"):
        campaign.process(HIT)
    for record in range(last + 1, last + 3):
        (path / f"results/turn_{record:04}.json").unlink()
    assert later == f"turn_{last + 2:04}"
    with opened(path) as campaign:
        assert campaign.process(HIT)["seq"] == last + 1
    assert (verify(path).problems, verify(path).notes) == ((), ())


def test_a_full_disk_in_the_middle_of_saving_costs_nothing(
    campaign: Campaign, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "campaign_0"

    def full(*_: object) -> None:
        error = sqlite3.OperationalError("database or disk is full")
        error.sqlite_errorcode = sqlite3.SQLITE_FULL
        raise error

    with monkeypatch.context() as patch:
        patch.setattr(Checkpoint, "_save_areas", full)
        assert campaign.process(SHAPES | {"turn_id": "once"})["status"] == "applied"
        with pytest.raises(StorageFailed, match="disk is full"):
            campaign.flush()
    for door in (campaign, opened(path)):
        assert door.process(SHAPES | {"turn_id": "once"})["seq"] == 1
        assert door.state[PC]["hp"] == 9
        door.close()


def test_a_checkpoint_that_turns_out_damaged_in_the_middle_of_saving_is_made_again(
    campaign: Campaign, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "campaign_0"
    edit(path / "characters/npc_001.json", hp=77)
    save, failures = Checkpoint.save, [sqlite3.DatabaseError("database disk image is malformed")]

    def damaged(self: Checkpoint, *args: object) -> None:
        if failures:
            with self._file.writing() as db:
                db.execute("DROP TABLE areas")
        failures.clear()
        save(self, *args)  # type: ignore[arg-type]

    monkeypatch.setattr(Checkpoint, "save", damaged)
    assert campaign.process(SHAPES)["status"] == "applied"
    monkeypatch.undo()
    assert campaign.process(HIT)["status"] == "applied"
    assert campaign.state["characters/npc_001.json"]["hp"] == 77
    assert builders.on_disk(path)[PC]["hp"] == 8


def test_damage_that_is_met_between_two_dropped_files_loses_neither(campaign: Campaign, tmp_path: Path) -> None:
    """The line of the first waits to be written together with the others when all is made again from the log."""
    path = tmp_path / "campaign_0"
    campaign.close()
    turns = {"a": HIT, "b": builders.turn(builders.move("area_002"), builders.move("area_004", "area_002")), "c": HIT}
    for name, turn in turns.items():
        (path / f"turns/{name}.json").write_text(json.dumps(turn), encoding="utf-8")
    layer = "maps/area_002.json"
    sql(f"UPDATE contents SET value = replace(value, 'Area 004', 'Area 044') WHERE path = '{layer}'")(path)
    with opened(path) as again:
        assert [reply["seq"] for _, reply in again.process_drop()] == [1, 2, 3]
        assert again.state[PC]["hp"] == 8
    assert [record.get("source") for record in builders.log_of(path)] == [None, "1__a.json", "2__b.json", "3__c.json"]
    assert (verify(path).problems, verify(path).notes) == ((), ())


def test_damage_that_is_met_while_an_edit_is_adopted_does_not_keep_dropped_files_waiting(path: Path) -> None:
    edit(path / "characters/npc_001.json", hp=77)
    (path / "turns/a.json").write_text(json.dumps(HIT), encoding="utf-8")
    sql("UPDATE contents SET value = replace(value, 'Area 00', 'Area 04') WHERE path LIKE 'maps/%'")(path)
    with opened(path) as campaign:
        assert [name for name, _ in campaign.process_drop()] == ["a.json"]
        assert campaign.state["characters/npc_001.json"]["hp"] == 77


# the file itself


def records(*rows: tuple[str, str]) -> list[RecordRow]:
    return [RecordRow(seq, seq * 10, kind, turn_id or None, None) for seq, (kind, turn_id) in enumerate(rows)]


def test_a_turn_that_was_wanted_again_counts_once_among_the_newest(tmp_path: Path) -> None:
    (tmp_path / ".turnwright").mkdir()
    checkpoint = Checkpoint.create(Files(tmp_path))
    closed = records(
        ("new", ""), ("turn", "a"), ("attempt", "b"), ("attempt", "b"), ("turn", "b"), ("edit", ""), ("turn", "c")
    )
    checkpoint.save(LogState(), [], [], closed)
    assert [checkpoint.records.last_before_newest(keep) for keep in (3, 2, 1)] == [None, 1, 4]
    assert checkpoint.records.turns_between(-1, 4, 4) == ["a", "b", "b", "b"]
    assert checkpoint.records.turns_between(1, 3, 4) == ["b", "b"]
    assert checkpoint.records.turns_between(-1, 3, 3) == ["a"], "of b there is a newer record, whose reply is the file"
    checkpoint.save(LogState(), [], [], [RecordRow(7, 70, "attempt", "d", None)])
    assert [checkpoint.records.last_before_newest(keep) for keep in (3, 1)] == [1, 6]
    checkpoint.close()


def test_what_is_saved_is_saved_whole_or_not_at_all(tmp_path: Path) -> None:
    (tmp_path / ".turnwright").mkdir()
    checkpoint = Checkpoint.create(Files(tmp_path))
    checkpoint.save(LogState(seq=0), [], [], records(("new", "")))
    with pytest.raises(Unreadable):
        checkpoint.save(LogState(seq=1), [], [], [RecordRow(1, 10, None, "a", None)])  # type: ignore[arg-type]
    assert checkpoint.history().seq == 0
    assert checkpoint.records.of_turn("a") is None
    checkpoint.save(LogState(seq=1), [], [], [RecordRow(1, 10, "turn", "a", None)])
    assert checkpoint.history().seq == 1
    checkpoint.close()


def test_documents_that_come_and_go_cost_no_new_listing_of_all_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    listed: list[str] = []
    real = Checkpoint.paths

    def paths(self: Checkpoint, folder: str) -> list[str]:
        listed.append(folder)
        return real(self, folder)

    monkeypatch.setattr(Checkpoint, "paths", paths)
    everything = builders.call("manage_notes", operation="list")
    with builders.begin(tmp_path / "c", builders.documents(allowlist=["manage_location", "manage_notes"])) as campaign:
        for number in range(3):
            place = builders.call("manage_location", operation="create", name=f"Inn {number}", location_type="indoor")
            added = builders.call("manage_notes", "b", operation="add", content=f"note {number}")
            assert builders.failed(campaign.process(builders.turn(place, added))) == []
        campaign.process(builders.turn(builders.call("manage_notes", operation="delete", note_id="note-2")))
        (told,) = builders.results(campaign.process(builders.turn(everything)))
        assert [listed.count(folder) for folder in ("locations/", "notes/")] == [1, 1]
    with opened(tmp_path / "c") as other:
        assert builders.results(other.process(builders.turn(everything))) == [told]
    assert sorted(note["note_id"] for note in told["notes"]) == ["note-1", "note-3"]


def test_a_reader_sees_the_record_it_began_with_while_a_writer_goes_on(tmp_path: Path) -> None:
    (tmp_path / ".turnwright").mkdir()
    writer = Checkpoint.create(Files(tmp_path))
    writer.save(LogState(seq=0), [], [], records(("new", "")))
    reader = Checkpoint.open(Files(tmp_path), writable=False)
    assert reader.history().seq == 0
    writer.save(LogState(seq=1), [], [], [RecordRow(1, 10, "turn", "a", None)])
    assert reader.history().seq == 0
    assert reader.records.of_turn("a") is None
    reader.close()
    writer.close()


@pytest.mark.parametrize(
    "ids", [["area_2", "area_10"], ["area_0999", "area_1000", "area_99"], ["cave", "area_x", "area_²"]]
)
def test_the_highest_area_is_found_by_number_and_not_by_letter(tmp_path: Path, ids: list[str]) -> None:
    areas = [builders.area(ids[0], *ids[1:]), *(builders.area(other, ids[0]) for other in ids[1:])]
    people = [builders.person("pc_001", position=ids[0])]
    builders.begin(tmp_path / "c", builders.documents(people, areas, party=["pc_001"])).close()
    checkpoint = Checkpoint.open(Files(tmp_path / "c"), writable=False)
    highest = {"area_2": 10, "area_0999": 1000, "cave": 0}[ids[0]]
    assert checkpoint.highest_area() == highest
    below = {"area_2": 2, "area_0999": 999, "cave": 0}[ids[0]]
    assert checkpoint.highest_area({"area_10", "area_1000"}) == below
    checkpoint.close()
