"""Damaged campaigns: what is wrong is named, what the log can mend is mended, and nothing else is touched."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests import builders
from tests.faults import damage
from tests.faults.damage import ALL, BESIDE, CHECKPOINT, FOLDERS, PC, RESULTS, TOGETHER
from tests.sampling import tries
from tests.store.kit import contents, forget_checkpoint, log_of, relog, unsynced

from turnwright import Campaign
from turnwright.audit.verify import Findings, repair, verify
from turnwright.cli.main import run
from turnwright.model.errors import CampaignInvalid
from turnwright.model.state.fold import fold

__all__ = ["unsynced"]
BY_NAME = {row.name: row for row in ALL}
SECRET = ".turnwright/secret.json"
KEPT = (SECRET, ".turnwright/torn/")
"""What lies in the engine's own folder and cannot be made again."""


@pytest.fixture(scope="module", name="sound")
def fixture_sound() -> Iterator[Path]:
    """Give the campaign that is damaged, and what lies beside it; never to be changed."""
    with TemporaryDirectory() as home:
        damage.begin(Path(home))
        yield Path(home)


@pytest.fixture(name="path")
def fixture_path(sound: Path, tmp_path: Path) -> Path:
    shutil.copytree(sound, tmp_path / "home")
    return tmp_path / "home/campaign"


def everything(path: Path) -> dict[str, bytes]:
    """Return every file but those of the engine that can be made again, and those of locks and waiting turns."""
    own = {f".turnwright/{file.name}": file.read_bytes() for file in (path / ".turnwright").glob("secret.json")}
    torn = {f".turnwright/torn/{file.name}": file.read_bytes() for file in (path / ".turnwright/torn").glob("*")}
    return contents(path) | own | torn


def told(found: Findings) -> list[str]:
    return [f"{problem.file}: {problem.message}" for problem in found.problems]


def begin_with(lines: list[str], beginnings: tuple[str, ...]) -> bool:
    return len(lines) == len(beginnings) and all(map(str.startswith, lines, beginnings))


def test_every_row_has_a_name_of_its_own() -> None:
    assert len(BY_NAME) == len(ALL)


def test_the_table_has_a_line_for_everything_and_says_the_same_of_what_it_puts_together() -> None:
    lines = {name: (repaired, turn) for name, _, repaired, turn in damage.rows()}
    for row in ALL:
        assert (damage._repair(row), damage._turn(row)) == lines[row.name.partition(": ")[0]]


def test_the_campaign_is_sound_before(path: Path) -> None:
    found = verify(path)
    assert (found.problems, found.notes, found.records, found.results) == ((), (), 11, 4)


@pytest.mark.parametrize("name", BY_NAME)
def test_what_is_wrong_is_named_and_what_the_log_holds_is_made_again_and_nothing_else_is_touched(
    path: Path, name: str
) -> None:
    row = BY_NAME[name]
    row.how(path)
    before = everything(path)
    found = verify(path)
    assert begin_with(told(found), row.says), told(found)
    for beginning in row.notes:
        assert any(note.startswith(beginning) for note in found.notes), found.notes
    assert found.problems or found.notes, "some word is said"
    assert everything(path) == before

    found = repair(path)
    assert begin_with(told(found), row.left), told(found)
    assert sorted(found.repaired) == sorted(row.mended)
    after = everything(path)
    changed = {file for file in before.keys() | after.keys() if before.get(file) != after.get(file)}
    assert changed == {file for file in row.mended if file != CHECKPOINT} | set(row.kept.values())
    for file, place in row.kept.items():
        assert after[place] == before[file]
    again = verify(path)
    assert (told(again), repair(path).repaired) == (told(found), ())


@pytest.mark.parametrize("row", [BESIDE[0], *BESIDE[2:5], *TOGETHER[1:3]], ids=lambda row: row.name)
def test_the_command_says_the_same_and_its_exit_code_tells_sound_from_damaged(
    path: Path, row: damage.Damage, capsys: pytest.CaptureFixture[str]
) -> None:
    row.how(path)
    assert run(["verify", str(path)]) == (3 if row.says else 0)
    printed = capsys.readouterr()
    for text in row.says:
        file, _, message = text.partition(": ")
        assert any(file in line and message in line for line in printed.err.splitlines())
    told = printed.err if row.says else printed.out
    assert all(f"note  {note}" in told for note in row.notes)
    assert told.splitlines()[-1].startswith("damaged (" if row.says else "sound: ")
    assert (printed.out if row.says else printed.err) == "", "what was found and what it comes to stay together"
    assert run(["verify", str(path), "--repair"]) == (3 if row.left else 0)
    printed = capsys.readouterr()
    told = printed.err if row.left else printed.out
    assert all(f"made again  {file}\n" in told for file in row.mended)


@pytest.mark.parametrize("name", BY_NAME)
def test_the_next_turn_is_taken_or_refused_as_the_table_says_and_nothing_is_lost(path: Path, name: str) -> None:
    row = BY_NAME[name]
    before, refusal, replies = next_turn(path, row)
    after = everything(path)
    lose_nothing(before, after)
    if row.turn == "refused":
        assert (row.refusal or row.says[0].partition(": ")[2]) in refusal
        assert after == before
        return
    assert [reply["status"] for reply in replies] == ["applied"]
    assert after["turns/done/next.json"] == before["turns/next.json"]
    kinds = [json.loads(line)["kind"] for line in added(before, after)]
    assert kinds == {"adopts": ["edit", "turn"], "begins": ["new", "turn"]}.get(row.turn, ["turn"])
    found = verify(path)
    if row.turn == "taken":
        assert begin_with(told(found), row.says)
    else:
        assert told(found) == []


def next_turn(path: Path, row: damage.Damage) -> tuple[dict[str, bytes], str, list[damage.Json]]:
    """Let a turn be taken after the damage; return what lay there before, why it was refused, and the replies."""
    row.how(path)
    (path / "turns/next.json").write_text(json.dumps(builders.turn(builders.hp_delta(-1))), encoding="utf-8")
    before = everything(path)
    with Campaign.open(path, builders.clock) as campaign:
        try:
            return before, "", [reply for _, reply in campaign.process_drop()]
        except CampaignInvalid as error:
            return before, str(error), []


def lose_nothing(before: dict[str, bytes], after: dict[str, bytes]) -> None:
    """Require the log to be continued, and all that the log does not hold to lie somewhere."""
    log = before.get("log.jsonl", b"")
    whole = log[: log.rfind(b"\n") + 1]
    assert after.get("log.jsonl", b"").startswith(whole)
    kept = set(after.values())
    assert after.get("log.jsonl") == log or log == whole or log[len(whole) :] in kept
    for file, data in before.items():
        if file.startswith(("turns/", *KEPT)) or (file.startswith("results/") and is_nobodys(data, whole)):
            assert file == SECRET or data in kept, file
    secrets = [json.loads(files.get(SECRET, b'{"secrets": []}'))["secrets"] for files in (before, after)]
    assert set(secrets[0]) <= set(secrets[1]), "an old secret proves what was drawn from it"


def added(before: dict[str, bytes], after: dict[str, bytes]) -> list[bytes]:
    whole = before.get("log.jsonl", b"").rpartition(b"\n")
    return after["log.jsonl"].removeprefix(whole[0] + whole[1]).splitlines()


def is_nobodys(result: bytes, log: bytes) -> bool:
    """Return whether the log does not hold a reply, so that the file is all that is left of it."""
    content = json.loads(result).get("state_summary")
    return json.dumps(content, separators=(",", ":"), ensure_ascii=False).encode() not in log


# properties


@given(st.data())
@settings(max_examples=tries(75), suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_flipped_byte_is_found_and_its_record_named_or_the_next(path: Path, data: st.DataObject) -> None:
    whole = (path / "log.jsonl").read_bytes()
    at = data.draw(st.integers(0, len(whole) - 1))
    changed = bytearray(whole)
    changed[at] ^= data.draw(st.integers(1, 255))
    (path / "log.jsonl").write_bytes(changed)
    found = verify(path)
    (path / "log.jsonl").write_bytes(whole)
    record = whole.count(b"\n", 0, at)
    named = {problem.path for problem in found.problems if problem.file == "log.jsonl"}
    assert named & {f"line {record + 1}", f"line {record + 2}"}


@given(st.integers(1, 10), st.integers(0, 3000), st.sets(st.sampled_from(["checkpoint", "results", "documents"])))
@settings(max_examples=tries(25), suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_log_cut_short_is_noticed_while_anything_of_a_later_record_is_left(
    sound: Path, tmp_path: Path, records: int, torn: int, left: set[str]
) -> None:
    path = tmp_path / "cut"
    shutil.rmtree(path, ignore_errors=True)
    shutil.copytree(sound / "campaign", path)
    whole = verify(path)
    damage.cut(records, torn)(path)
    if "checkpoint" not in left:
        forget_checkpoint(path)
    if "results" not in left:
        shutil.rmtree(path / "results")
    if "documents" not in left:
        damage.delete(*FOLDERS)(path)
    found = verify(path)
    last = found.records - 1
    is_shown = ["checkpoint" in left]
    is_shown += [json.loads((path / name).read_bytes())["seq"] > last for name in RESULTS if "results" in left]
    assert found.records < whole.records
    if any(is_shown):
        assert any(f"record {last}" in problem.message for problem in found.problems)
    elif "documents" in left and documents_at(sound, last) != documents_at(sound, 10):
        assert any("was edited by hand" in note or "is behind the log" in note for note in found.notes)
    if not left:
        assert any(note.startswith(damage.NOTHING_LEFT) for note in found.notes)
    elif "checkpoint" not in left:
        names = " and ".join(name for name in ("documents", "results") if name in left)
        assert any(note.startswith(damage.LEFT.format(names)) for note in found.notes)


def documents_at(sound: Path, seq: int) -> object:
    return fold(log_of(sound / "campaign")[: seq + 1])


# what no table holds


def test_a_result_that_shows_lost_records_is_left_alone_by_repair(path: Path) -> None:
    damage.both(damage.cut(3), damage.delete(CHECKPOINT))(path)
    later = (path / RESULTS[3]).read_bytes()
    repair(path)
    assert (path / RESULTS[3]).read_bytes() == later
    assert damage.LATER.format(7) in told(verify(path))[0]


def test_a_log_whose_lines_are_whole_but_another_is_not_blamed_on_the_index(path: Path) -> None:
    """The index of a checkpoint would not fit such a log either; but rebuilding it would bless the change."""
    kept = (path / CHECKPOINT).read_bytes()
    relog(path, lambda records: records[1].update(user_input="Up, up and away!"))
    (path / CHECKPOINT).write_bytes(kept)
    for door in (verify, repair):
        assert told(door(path)) == [f"log.jsonl: {damage.CHANGED}"]
    assert (path / CHECKPOINT).read_bytes() == kept


def test_a_foreign_checkpoint_of_a_longer_log_is_told_from_a_log_cut_short(sound: Path, path: Path) -> None:
    other = path.parent / "other"
    shutil.copy(sound / "campaign" / CHECKPOINT, other / CHECKPOINT)
    assert told(verify(other)) == [f"{CHECKPOINT}: is of another campaign"]
    assert repair(other).repaired == (CHECKPOINT,)
    assert told(verify(other)) == []


def test_hundreds_of_faulty_records_are_counted_and_not_all_listed(path: Path) -> None:
    def forge(records: list[damage.Json]) -> None:
        last = records[-1]
        records += [
            {**last, "seq": last["seq"] + 1 + n, "turn_id": f"f{n}", "status": "fine", "changes": {}}
            for n in range(150)
        ]

    relog(path, forge)
    found = verify(path)
    assert sum(problem.rule == "record" for problem in found.problems) == 100
    assert any(note.startswith("50 more problems") for note in found.notes)


def test_the_table_names_the_files_that_the_contract_speaks_of() -> None:
    printed = "\n".join(cell for row in damage.rows() for cell in row)
    assert all(name in printed for name in ("log.jsonl", CHECKPOINT, damage.SECRET, "results/", PC))
