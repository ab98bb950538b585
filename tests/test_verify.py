"""Verification finds what is not as the log says, and says it by name; repair mends what the log can mend."""

from __future__ import annotations

import hashlib
import hmac
import json
import shutil
import sqlite3
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests import builders
from tests.builders import untyped
from tests.sampling import tries
from tests.store.kit import CHECKPOINT, contents, edit, ended, forget_checkpoint, log_of, python, relog, unsynced

from turnwright import Campaign
from turnwright.audit.undo import Undos
from turnwright.audit.verify import Findings, repair, reveal, verify
from turnwright.model.errors import CampaignBusy, CampaignInvalid
from turnwright.model.strict_json import sha256
from turnwright.rulesets.registry import BUILT_IN
from turnwright.store.checkpoint import Checkpoint
from turnwright.store.files import Files
from turnwright.store.lock import Lock

__all__ = ["unsynced"]
Json = Any
HIT = builders.turn(builders.hp_delta(-1))
PC, NPC, LAYER = "characters/pc_001.json", "characters/npc_001.json", "maps/area_003.json"
TALL_TALE = "Tomas loses 30 hit points."


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give the folder for what `path` copies."""
    return tmp_path_factory.mktemp("verifier")


@pytest.fixture(name="path")
def fixture_path(room: Path, tmp_path: Path) -> Path:
    """Give the directory of a campaign that has every kind of record but a fork: a copy of one that was played once.

    0 new, 1 turn, 2 settings, 3 and 4 attempts, 5 turn, 6 edit, 7 turn, 8 undo of 5 and on, 9 undo of 8, 10 turn.
    """
    played = room / "campaign"
    if not played.exists():
        play(played)
    return shutil.copytree(played, tmp_path / "campaign_0")


def play(path: Path) -> None:
    with builders.begin(path) as campaign:
        generate = builders.call("map_generate", parent_area_id="area_003", constraints={"size": 3})
        turn = builders.turn(generate, builders.hp_delta(-1), builders.move("nowhere"), user_input="Down!", x_mood=1.5)
        campaign.process(turn)
        campaign.set({"narration.check": "retry", "results.keep": 3})
        for text in (TALL_TALE, TALL_TALE, "All is quiet."):
            campaign.process(builders.turn(builders.hp_delta(-1), turn_id="told", assistant_text=text))
        edit(path / NPC, name="Grell the Grim")
        hit = builders.hp_delta(-1, "npc_001")
        campaign.process(builders.turn(hit, actor_id="pc_002", dialog_type="action_prompt"))
        campaign.undo("told")
        campaign.undo("8")
        campaign.process(builders.turn(builders.move("area_002")))
    assert [record["kind"] for record in log_of(path)] == [
        *("new", "turn", "settings", "attempt", "attempt", "turn", "edit", "turn", "undo", "undo", "turn")
    ]


def wrong(found: Findings) -> list[tuple[str, str]]:
    """Return file and rule of each problem."""
    return [(problem.file, problem.rule) for problem in found.problems]


def sql(path: Path, statement: str) -> None:
    with sqlite3.connect(path / CHECKPOINT) as db:
        assert db.execute(statement).rowcount > 0
    db.close()


def change_document(path: Path, document: str, old: str, new: str) -> None:
    """Change a document in the checkpoint, as somebody would who knows that its hash stands beside it."""
    with sqlite3.connect(path / CHECKPOINT) as db:
        (value,) = db.execute("SELECT value FROM contents WHERE path = ?", (document,)).fetchone()
        assert old in value
        value = value.replace(old, new)
        db.execute("UPDATE contents SET value = ?, sha256 = ? WHERE path = ?", (value, sha256(value), document))
    db.close()


def rewrite(path: Path, change: Callable[[list[bytes]], object]) -> None:
    """Change the lines of a log without chaining them anew."""
    lines = (path / "log.jsonl").read_bytes().splitlines()
    change(lines)
    (path / "log.jsonl").write_bytes(b"".join(line + b"\n" for line in lines))


# a sound campaign


def test_a_campaign_that_was_only_played_is_sound(path: Path) -> None:
    before = contents(path)
    found = verify(path)
    assert found == Findings(records=11, turns=4, draws=0, documents=7, results=3)
    assert contents(path) == before
    assert found.to_json() == {
        **{"problems": [], "notes": [], "repaired": []},
        **{"records": 11, "turns": 4, "draws": 0, "documents": 7, "results": 3},
    }


def test_the_order_of_keys_is_no_matter(path: Path) -> None:
    def turned_round(records: list[Json]) -> None:
        records[:] = [dict(reversed(record.items())) for record in records]

    relog(path, turned_round)
    assert verify(path).problems == ()


def test_a_campaign_in_play_is_sound_whenever_it_is_looked_at(campaign: Campaign, tmp_path: Path) -> None:
    code = """
import sys, time
from tests import builders
from turnwright import Campaign
from turnwright.store import platform

platform.sync_file = platform.sync_folder = lambda _: None
with Campaign.open(sys.argv[1], builders.clock) as campaign:
    print("ready", flush=True)
    for number in range(30):
        campaign.process(builders.turn(builders.hp_delta(1), builders.call("map_generate", parent_area_id=None)))
        time.sleep(0.01)  # so that others get the lock, too
        if number % 10 == 9:
            campaign.undo()
            sys.stdin.readline()
"""
    path = tmp_path / "campaign_0"
    writer = python(code, path)
    assert writer.stdout is not None
    assert writer.stdin is not None
    assert writer.stdout.readline() == "ready\n"
    pauses = {12, 23, 34}  # after so many records it waits to be looked at
    seen: set[int] = set()
    while writer.poll() is None:
        found = verify(path)
        assert found.problems == ()
        assert all(note.endswith("is behind the log; the next turn brings it up to date") for note in found.notes)
        if found.records in pauses - seen:
            print(file=writer.stdin, flush=True)
        seen.add(found.records)
    ended(writer)
    assert pauses <= seen
    assert verify(path) == Findings(records=34, turns=30, documents=6, results=30)


def test_progress_is_told_up_to_the_end(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("turnwright.audit.inspection.STEP", 2)
    told: list[tuple[int, int]] = []
    verify(path, lambda done, total: told.append((done, total)))
    size = (path / "log.jsonl").stat().st_size
    assert told == sorted(told)
    assert len(told) > 5
    assert told[-1] == (size, size)
    assert {total for _, total in told} == {size}


def test_the_memory_it_takes_does_not_grow_with_the_log(tmp_path: Path) -> None:
    peaks = []
    for number, turns in enumerate((60, 300)):
        builders.begin(tmp_path / f"campaign_{number}").close()
        campaign = Campaign.open(tmp_path / f"campaign_{number}", builders.clock, lag=3600)
        campaign.set({"results.keep": 5})
        for _ in range(turns):
            campaign.process(builders.turn(builders.hp_delta(1), user_input="A quiet day. " * 30))
        campaign.undo()
        campaign.close()
        if number == 0:
            verify(tmp_path / "campaign_0")  # what is made once and kept is none of it
        tracemalloc.start()
        assert verify(tmp_path / f"campaign_{number}").turns == turns
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    size = (tmp_path / "campaign_1/log.jsonl").stat().st_size
    assert peaks[1] - peaks[0] < size / 20


def lengthen(path: Path, count: int) -> None:
    """Put many more turns at the end of a log that ends with a walk to `area_002`, and take the checkpoint away."""
    log = path / "log.jsonl"
    last = log.read_bytes().split(b"\n")[-2]
    record, prev = json.loads(last), hashlib.sha256(last).hexdigest()
    calls = record["tool_calls"][0]["args"]
    with log.open("ab") as file:
        for seq in range(record["seq"] + 1, record["seq"] + 1 + count):
            calls["from_area_id"], calls["to_area_id"] = calls["to_area_id"], calls["from_area_id"]
            turn = {"turn_id": f"t{seq}", "tool_calls": record["tool_calls"]}
            content = json.dumps(turn, sort_keys=True, separators=(",", ":")).encode()
            record |= {"seq": seq, "prev": prev, "turn_id": turn["turn_id"]}
            record["content"] = hashlib.sha256(content).hexdigest()
            record["applied_actions"][0] |= {"args": calls, "result": {"to_area_id": calls["to_area_id"]}}
            record["changes"][PC][0]["value"] = calls["to_area_id"]
            line = json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode()
            prev = hashlib.sha256(line).hexdigest()
            file.write(line + b"\n")
    forget_checkpoint(path)


@pytest.mark.slow
def test_a_log_ten_times_as_long_takes_no_more_memory(path: Path, tmp_path: Path) -> None:
    peaks = []
    for count in (5_000, 50_000):
        shutil.copytree(path, tmp_path / str(count))
        lengthen(tmp_path / str(count), count)
        assert repair(tmp_path / str(count)).problems == ()
        tracemalloc.start()
        found = verify(tmp_path / str(count))
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
        assert (found.problems, found.notes, found.records) == ((), (), 11 + count)
    assert peaks[1] < peaks[0] + 500_000


def test_who_keeps_the_lock_is_waited_for(path: Path) -> None:
    lock = Lock(Files(path))
    with lock.held(0):
        for door in (verify, repair):
            forget_checkpoint(path)
            with pytest.raises(CampaignBusy):
                door(path, wait=0)
    lock.close()


# the chain

CHAIN: dict[str, tuple[Callable[[list[bytes]], object], int, str]] = {
    "a changed word": (
        lambda lines: lines.__setitem__(5, lines[5].replace(b"quiet", b"quite")),
        6,
        "was not written after",
    ),
    "a removed line": (lambda lines: lines.pop(4), 4, "record 4 is not here"),
    "a doubled line": (lambda lines: lines.insert(4, lines[4]), 5, "record 5 is not here"),
    "two lines swapped": (lambda lines: lines.insert(4, lines.pop(5)), 4, "record 4 is not here"),
    "an empty line": (lambda lines: lines.insert(4, b""), 4, "record 4: not JSON"),
    "a key twice": (lambda lines: lines.__setitem__(4, lines[4][:-1] + b',"seq":4}'), 4, 'the key "seq" stands twice'),
    "NaN": (lambda lines: lines.__setitem__(1, lines[1].replace(b"1.5", b"NaN")), 1, "NaN is not JSON"),
    "no first line": (lambda lines: lines.pop(0), 0, "record 0 is not here"),
    "the last line changed": (
        lambda lines: lines.__setitem__(10, lines[10].replace(b"area_002", b"area_003")),
        10,
        "as it was written",
    ),
    "the last line removed": (lambda lines: lines.pop(), 10, "ends with record 9, but the checkpoint knows record 10"),
    "nothing left": (lambda lines: lines.clear(), 0, "holds no record, but the checkpoint knows record 10"),
}


HASH = {"a changed word": 5, "the last line changed": 10}
"""Whose turn is no longer the one that its hash is of."""


@pytest.mark.parametrize("name", CHAIN)
def test_the_first_damage_of_the_chain_is_named_and_nothing_is_compared_or_repaired(path: Path, name: str) -> None:
    damage, seq, message = CHAIN[name]
    rewrite(path, damage)
    edit(path / PC, hp=99)
    (path / NPC).unlink()
    before = contents(path)
    for door in (verify, repair):
        found = door(path)
        (problem,) = found.problems
        assert (problem.file, problem.path, problem.rule) == ("log.jsonl", f"line {seq + 1}", "log")
        assert message in problem.message
        assert found.notes[0] == "nothing but the log before the damage was checked"
        said = [note for note in found.notes[1:] if not note.startswith(f"record {HASH.get(name)}: the turn it holds")]
        assert [note.partition(":")[0] for note in said] == (["nothing was repaired"] if door is repair else [])
        assert found.repaired == ()
    assert contents(path) == before


@given(st.integers(0, 10_000_000), st.integers(1, 255))
@settings(max_examples=tries(40), suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_changed_byte_of_the_log_goes_unseen(path: Path, at: int, by: int) -> None:
    whole = bytearray((path / "log.jsonl").read_bytes())
    changed = bytearray(whole)
    changed[at % len(whole)] ^= by
    (path / "log.jsonl").write_bytes(changed)
    found = verify(path)
    (path / "log.jsonl").write_bytes(whole)
    assert ("log.jsonl", "log") in wrong(found)


@pytest.mark.parametrize("torn", [b"{", b'{"seq":11,"kind":"turn"', b"\xff" * 9])
def test_a_torn_last_line_is_a_note_and_stays_where_it_is(path: Path, torn: bytes) -> None:
    with (path / "log.jsonl").open("ab") as log:
        log.write(torn)
    (path / NPC).unlink()
    before = (path / "log.jsonl").read_bytes()
    note = f"the log ends with a torn line of {len(torn)} bytes; the next writer sets it aside"
    assert verify(path).notes == (note,)
    found = repair(path)
    assert (found.problems, found.notes, found.repaired) == ((), (note,), (NPC,))
    assert (path / "log.jsonl").read_bytes() == before
    with Campaign.open(path, builders.clock) as campaign:
        assert campaign.process(HIT)["seq"] == 11
    assert verify(path).notes == ()


# undos


@given(
    st.lists(
        st.tuples(st.sampled_from("abc"), st.integers(0, 3) | st.none(), st.integers(0, 12) | st.none()), max_size=25
    )
)
def test_an_undo_is_held_against_how_everything_was(steps: list[tuple[str, int | None, int | None]]) -> None:
    """Each step is a record: it changes a document, or it undoes everything from a record on, rightly or not."""
    undos = Undos((target for _, _, target in steps if target is not None), BUILT_IN.documents)
    values: dict[str, Any] = {}
    then: list[dict[str, Any]] = []
    for seq, (name, number, target) in enumerate(steps):
        path = f"characters/{name}.json"
        then.append(dict(values))
        undos.pass_by(seq, values, [path])
        values[path] = number
        if target is not None:
            faults = list(undos.faults(untyped({"seq": seq, "undone_from": target}), values))
            if not 0 < target < seq:
                assert len(faults) == 1
            else:
                before = then[target]
                wrong = [f for f in sorted({*before, *values}) if before.get(f) != values.get(f)]
                assert faults == [f"leaves {f} other than it was before record {target}" for f in wrong]


# single records


def change(seq: int, **fields: Any) -> Callable[[list[Json]], object]:
    return lambda records: records[seq].update(fields)


def drop(seq: int, key: str) -> Callable[[list[Json]], object]:
    return lambda records: records[seq].pop(key)


RECORDS: dict[str, tuple[Callable[[list[Json]], object], int, str, str]] = {
    "a reply without its feedback": (drop(7, "state_summary"), 7, "record", "$.state_summary: is required"),
    "a turn without a status": (drop(10, "events"), 10, "record", "$.events"),
    "an unknown key": (change(2, colour="red"), 2, "record", "$.colour"),
    "an unknown status": (change(10, status="fine"), 10, "record", "$.status"),
    "an unknown kind": (change(6, kind="edits"), 6, "record", "$.kind: is no kind of record"),
    "a second beginning": (
        lambda records: records.__setitem__(6, {**records[0], "seq": 6, "changes": records[6]["changes"]}),
        6, "record", "the first record, and no other, is of kind new",
    ),
    "a fork from nowhere": (
        lambda records: records.__setitem__(
            6,
            {
                **{key: records[6][key] for key in ("seq", "timestamp", "changes")},
                **{"kind": "fork", "prev": "", "parent_id": "x", "parent_seq": 4, "parent_head": "0" * 64},
                **{"campaign_id": "plain", "secret_sha256": records[0]["secret_sha256"]},
            },
        ),
        6,
        "fork",
        "the parent's head is not the line before",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", RECORDS)
def test_a_record_that_is_not_what_its_kind_holds_is_named(path: Path, name: str) -> None:
    forge, seq, rule, message = RECORDS[name]
    relog(path, forge)
    problem = verify(path).problems[0]
    assert (problem.path, problem.rule) == (f"line {seq + 1}", rule)
    assert f"record {seq}: " in problem.message
    assert message in problem.message


@pytest.mark.parametrize(
    "forge",
    [
        change(7, changes={PC: [{"op": "replace", "path": "/nothing", "value": 1}]}),
        change(7, changes={PC: [{"op": "add", "path": "", "value": {}}]}),
        change(7, changes={PC: 5}),
        change(7, changes=None),
        drop(5, "tool_feedback"),
        drop(8, "undone_from"),
        drop(4, "kind"),
    ],
)
def test_a_record_that_nothing_can_be_made_of_ends_the_reading(
    path: Path, forge: Callable[[list[Json]], object]
) -> None:
    relog(path, forge)
    found = verify(path)
    assert wrong(found)[-1] == ("log.jsonl", "log")
    assert found.notes == ("nothing but the log before the damage was checked",)


def test_a_document_in_the_log_that_is_none_is_named(path: Path) -> None:
    relog(path, change(10, changes={PC: [{"op": "replace", "path": "/hp", "value": -5}]}))
    found = verify(path)
    assert (PC, "greater_than_equal") in wrong(found)
    assert any(problem.message.startswith("in the log, ") for problem in found.problems)


def test_an_undo_that_leads_elsewhere_is_named_with_the_document(path: Path) -> None:
    def forge(records: list[Json]) -> None:
        records[9]["changes"].pop(NPC)
        records[9]["changes"]["campaign.json"] = [{"op": "replace", "path": "/counters", "value": {"item": 3}}]

    relog(path, forge)
    undo = [problem for problem in verify(path).problems if problem.rule == "undo"]
    assert [problem.message for problem in undo] == [f"record 9: leaves {NPC} other than it was before record 8"]


@pytest.mark.parametrize("target", [9, 11, 1000, 0])
def test_an_undo_of_what_does_not_stand_before_it_is_named(path: Path, target: int) -> None:
    relog(path, change(9, undone_from=target))
    assert ("log.jsonl", "undo") in wrong(verify(path))


def test_many_undos_of_the_same_and_of_each_other_are_followed(campaign: Campaign, tmp_path: Path) -> None:
    for _ in range(4):
        campaign.process(HIT)
    for mark in ("2", "5", "1", "9", None, "13", "4"):
        campaign.undo(mark)
        campaign.process(builders.turn(builders.hp_delta(-1, "npc_001")))
    assert [record["kind"] for record in log_of(tmp_path / "campaign_0")][5:] == ["undo", "turn"] * 7
    assert wrong(verify(tmp_path / "campaign_0")) == []


@pytest.mark.parametrize(
    "forge",
    [
        change(1, user_input="Up!"),
        change(1, x_mood=2.5),
        change(7, actor_id="pc_001"),
        change(10, content="0" * 64),
        change(3, assistant_text="Tomas loses 31 hit points."),
        lambda records: records[10]["tool_calls"][0]["args"].update(to_area_id="area_003"),
    ],
)
def test_a_turn_whose_hash_is_another_is_noted(path: Path, forge: Callable[[list[Json]], object]) -> None:
    before = log_of(path)
    relog(path, forge)
    (seq,) = (
        old["seq"] for old, new in zip(before, log_of(path), strict=True) if {**old, "prev": ""} != {**new, "prev": ""}
    )
    assert [note for note in verify(path).notes if note.startswith(f"record {seq}: the turn it holds")]


@pytest.mark.parametrize("dialog_type", ["scene_description", "no such type", "  ", None])
@pytest.mark.parametrize("keys", [{}, {"actor_id": "pc_001"}, {"turn_id": "a"}, {"actor_id": "pc_001", "turn_id": "a"}])
def test_the_hash_of_an_ordinary_turn_is_found_again(
    campaign: Campaign, tmp_path: Path, keys: Json, dialog_type: str | None
) -> None:
    turn = {**HIT, **keys, "user_input": "Grüße 🎲", "x_f": [1.0, 1e300, -0.0, 1e-7], "output": None}
    campaign.process(turn | ({"dialog_type": dialog_type} if dialog_type else {}))
    is_kept = dialog_type in ("scene_description", None)
    assert (verify(tmp_path / "campaign_0").notes == ()) is is_kept


def test_a_turn_closed_in_conflict_is_sound(campaign: Campaign, tmp_path: Path) -> None:
    campaign.set({"narration.check": "retry"})
    for turn_id, attempts in (("a", 3), ("b", 1)):
        for _ in range(attempts):
            campaign.process(
                builders.turn(builders.hp_delta(-1), turn_id=turn_id, assistant_text=TALL_TALE, x_a=1, prompt_id=3)
            )
    campaign.process({})
    assert [record["kind"] for record in log_of(tmp_path / "campaign_0")][-3:] == ["attempt", "turn", "turn"]
    found = verify(tmp_path / "campaign_0")
    assert (found.problems, found.notes) == ((), ())


# dice


def number(seed: str, label: str) -> int:
    """The formula of the protocol, written down once more."""
    secret = hashlib.sha256(seed.encode()).digest()
    return int.from_bytes(hmac.digest(secret, label.encode(), "sha256")[:8], "big")


def die(seed: str, label: str, sides: int) -> Json:
    _, part, draw = map(int, label.split("/"))
    value = 1 + (number(seed, label) * sides >> 64)
    return {"part": part, "draw": draw, "why": "attack", "sides": sides, "value": value, "given": False}


def real(seed: str, label: str) -> Json:
    return die(seed, label, 1) | {"sides": None, "value": (number(seed, label) >> 11) / 2**53}


def throws(records: list[Json]) -> None:
    """Let turns throw what the secret gives them: by their own number, or by that of their first attempt."""
    records[1]["draws"] = [die("fixed", "1/1/0", 20), die("fixed", "1/1/1", 6), real("fixed", "1/3/0")]
    records[5]["draws"] = [die("fixed", "3/1/0", 100)]
    total = {"part": 1, "draw": 2, "why": "damage", "sides": None, "value": 31, "given": True}
    given = die("fixed", "10/1/0", 20) | {"value": 20, "given": True}
    records[10]["draws"] = [given, die("fixed", "10/1/1", 20), total]


def test_every_die_is_thrown_again(path: Path) -> None:
    relog(path, throws)
    found = verify(path)
    assert (found.problems, found.draws) == ((), 7)


@pytest.mark.parametrize(
    ("seq", "place", "fields", "label"),
    [
        (1, 0, {"value": 21}, "1/1/0"),
        (1, 0, {"sides": 12}, "1/1/0"),
        (1, 1, {"draw": 2}, "1/1/2"),
        (1, 1, {"part": 2}, "1/2/1"),
        (1, 2, {"value": 0.5}, "1/3/0"),
        (5, 0, {"value": 101}, "3/1/0"),
        (10, 0, {"value": 21}, "10/1/0"),
        (10, 0, {"given": False, "value": 21}, "10/1/0"),
        (10, 2, {"given": False}, "10/1/2"),
    ],
)
def test_a_die_that_shows_another_face_is_named(path: Path, seq: int, place: int, fields: Json, label: str) -> None:
    def forge(records: list[Json]) -> None:
        throws(records)
        records[seq]["draws"][place] |= fields

    relog(path, forge)
    dice = [problem for problem in verify(path).problems if problem.rule == "dice"]
    assert dice
    for problem in dice:
        assert problem.path == f"line {seq + 1}"
        assert f"the draw {label} " in problem.message


def test_a_closed_turn_does_not_lend_its_number_to_the_next(path: Path) -> None:
    def forge(records: list[Json]) -> None:
        records[7]["draws"] = [die("fixed", "3/1/0", 100)]

    relog(path, forge)
    assert ("log.jsonl", "dice") in wrong(verify(path))


def test_dice_of_a_fork_come_from_its_own_secret_and_those_before_from_the_old(path: Path, tmp_path: Path) -> None:
    with Campaign.open(path, builders.clock) as campaign:
        fork = campaign.fork(tmp_path / "fork", "10", seed="other")
    with Campaign.open(fork, builders.clock) as campaign:
        campaign.process(HIT)

    def own(records: list[Json]) -> None:
        throws(records)
        records[12]["draws"] = [die("other", "12/1/0", 20)]

    def old(records: list[Json]) -> None:
        records[12]["draws"] = [die("fixed", "12/1/0", 1000)]

    def parents(records: list[Json]) -> None:
        records[11]["parent_head"] = hashlib.sha256(line_of(records[10])).hexdigest()

    for forge, is_sound in ((own, True), (old, False)):
        relog(fork, forge)
        relog(fork, parents)
        assert (wrong(verify(fork)) == []) is is_sound


def line_of(record: Json) -> bytes:
    return json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode()


def test_dice_without_their_secret_are_not_checked_and_that_is_said(path: Path) -> None:
    relog(path, throws)
    forget_checkpoint(path)
    repair(path)
    (path / ".turnwright/secret.json").unlink()
    found = verify(path)
    assert wrong(found) == [(".turnwright/secret.json", "secret")]
    assert found.notes == ("without the dice secret, 5 draws were not checked",)


def test_a_secret_that_is_another_than_record_0_speaks_of_is_a_problem(path: Path, tmp_path: Path) -> None:
    builders.begin(tmp_path / "other", seed="another").close()
    shutil.copy(tmp_path / "other/.turnwright/secret.json", path / ".turnwright/secret.json")
    assert wrong(verify(path)) == [(".turnwright/secret.json", "secret")]
    (path / ".turnwright/secret.json").write_text("{}", encoding="utf-8")
    assert wrong(verify(path)) == [(".turnwright/secret.json", "secret")]


def test_secrets_are_revealed_with_the_record_from_which_they_hold(path: Path, tmp_path: Path) -> None:
    fixed, other = (hashlib.sha256(seed.encode()).hexdigest() for seed in ("fixed", "other"))
    assert reveal(path) == [(0, fixed)]
    with Campaign.open(path, builders.clock) as campaign:
        fork = campaign.fork(tmp_path / "fork", "told", seed="other")
    assert reveal(fork) == [(0, fixed), (6, other)]
    secret = fork / ".turnwright/secret.json"
    secret.write_text(json.dumps({"secrets": [other]}), encoding="utf-8")
    assert reveal(fork) == [(0, None), (6, other)]
    secret.unlink()
    with pytest.raises(CampaignInvalid, match="secret is missing"):
        reveal(fork)
    (path / "log.jsonl").unlink()
    with pytest.raises(CampaignInvalid, match="what was drawn"):
        reveal(path)


# what lies beside the log: each damage, what is found, and what repair makes again


def cut_off(path: Path) -> None:
    """Leave what a writer does that is killed right after the append."""
    shutil.copytree(path, path.with_name("further"))
    with Campaign.open(path.with_name("further"), builders.clock) as campaign:
        campaign.process(builders.turn(builders.hp_delta(-1), builders.call("map_generate", parent_area_id="area_001")))
    shutil.copy(path.with_name("further") / "log.jsonl", path / "log.jsonl")


def damaged_result(path: Path) -> None:
    (path / "results/turn_0003.json").write_text("{}", encoding="utf-8")


SPOILT: dict[str, Callable[[Path], object]] = {
    "is none": lambda path: (path / CHECKPOINT).write_bytes(b"nonsense" * 999),
    "holds another document": lambda path: change_document(path, PC, ":8", ":7"),
    "lacks a document": lambda path: sql(path, f"DELETE FROM documents WHERE path = '{PC}'"),
    "lacks a record": lambda path: sql(path, "DELETE FROM records WHERE seq = 5"),
    "forgot a turn": lambda path: sql(path, "UPDATE records SET turn_id = 'x' WHERE seq = 5"),
    "lacks an area": lambda path: sql(path, "DELETE FROM areas WHERE id = 'area_006'"),
    "knows an area too many": lambda path: sql(
        path, "INSERT INTO areas VALUES ('area_100', 'maps/root.json', '003:100')"
    ),
    "remembers another past": lambda path: sql(
        path, "UPDATE meta SET value = replace(value, '\"closed_turns\": 4', '\"closed_turns\": 5')"
    ),
}
Wrong = list[tuple[str, str]]
MENDED: dict[str, tuple[Callable[[Path], object], Wrong, list[str]]] = {
    "a document is missing": (lambda path: (path / NPC).unlink(), [(NPC, "missing")], [NPC]),
    "the campaign is missing": (
        lambda path: (path / "campaign.json").unlink(),
        [("campaign.json", "missing")],
        ["campaign.json"],
    ),
    "a folder is missing": (
        lambda path: shutil.rmtree(path / "maps"),
        [("maps/area_002.json", "missing"), (LAYER, "missing"), ("maps/root.json", "missing")],
        ["maps/area_002.json", LAYER, "maps/root.json"],
    ),
    "a result is missing": (
        lambda path: (path / "results/told.json").unlink(),
        [("results/told.json", "missing")],
        ["results/told.json"],
    ),
    "a result is another": (damaged_result, [("results/turn_0003.json", "differs")], ["results/turn_0003.json"]),
    "the results are missing": (
        lambda path: shutil.rmtree(path / "results"),
        [(f"results/{name}.json", "missing") for name in ("told", "turn_0003", "turn_0004")],
        [f"results/{name}.json" for name in ("told", "turn_0003", "turn_0004")],
    ),
    "the checkpoint is missing": (forget_checkpoint, [], [CHECKPOINT]),
    "the checkpoint was never filled": (lambda path: Checkpoint.create(Files(path)).close(), [], [CHECKPOINT]),
    **{f"the checkpoint {what}": (spoil, [(CHECKPOINT, "checkpoint")], [CHECKPOINT]) for what, spoil in SPOILT.items()},
    "a document is no JSON": (
        lambda path: (path / PC).write_text("hp: 5", encoding="utf-8"),
        [(PC, "json")],
        [PC],
    ),
    "a document is not valid": (lambda path: edit(path / PC, hp=-5), [(PC, "greater_than_equal")], [PC]),
    "a document is half-written": (lambda path: (path / PC).write_text('{\n  "id": "pc', encoding="utf-8"), [], [PC]),
    "a writer was cut off": (
        cut_off, [], [CHECKPOINT, PC, "maps/area_001.json", "maps/root.json"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", MENDED)
def test_what_the_log_can_mend_is_found_by_name_and_made_again(path: Path, name: str) -> None:
    expected = contents(path)
    damage, problems, repaired = MENDED[name]
    damage(path)
    before = contents(path)
    found = verify(path)
    assert wrong(found) == problems
    assert contents(path) == before, "looking changes nothing"
    assert problems or found.notes

    log = before["log.jsonl"]
    found = repair(path)
    assert (wrong(found), list(found.repaired)) == ([], repaired)
    after = contents(path)
    assert after["log.jsonl"] == log
    if name != "a writer was cut off":
        assert {file: data for file, data in after.items() if not file.endswith(".unusable")} == expected
    assert verify(path) == Findings(records=len(log_of(path)), turns=found.turns, documents=found.documents, results=3)
    with Campaign.open(path, builders.clock) as campaign:
        reply = campaign.process(HIT)
    assert reply["state_summary"]["hp"]["pc_001"] == (6 if name == "a writer was cut off" else 7)
    assert verify(path).problems == ()


def test_what_was_no_document_is_kept_beside_its_place(path: Path) -> None:
    (path / PC).write_text("precious notes", encoding="utf-8")
    (path / f"{PC}.unusable").write_text("older ones", encoding="utf-8")
    found = repair(path)
    assert found.notes == (f"{PC} was no document; it lies now in {PC}.unusable-2",)
    assert (path / f"{PC}.unusable-2").read_text(encoding="utf-8") == "precious notes"
    assert (path / f"{PC}.unusable").read_text(encoding="utf-8") == "older ones"


def test_every_damage_is_found_at_once(path: Path) -> None:
    (path / NPC).unlink()
    (path / PC).write_text("[]", encoding="utf-8")
    shutil.rmtree(path / "results")
    (path / CHECKPOINT).write_bytes(b"nonsense")
    (path / "characters/folder.json").mkdir()
    assert {file for file, _ in wrong(verify(path))} == {
        *(NPC, PC, CHECKPOINT, "characters/folder.json"),
        *(f"results/{name}.json" for name in ("told", "turn_0003", "turn_0004")),
    }


# what repair leaves alone


@pytest.mark.parametrize("has_checkpoint", [True, False])
@pytest.mark.parametrize("is_new", [True, False])
def test_a_hand_edit_that_waits_is_noted_and_left_alone(path: Path, has_checkpoint: bool, is_new: bool) -> None:
    name = "characters/new.json" if is_new else PC
    (path / name).write_text(json.dumps({"id": "new" if is_new else "pc_001", "hp": 99}), encoding="utf-8")
    words = (path / name).read_bytes()
    (path / "results/told.json").unlink()
    if not has_checkpoint:
        forget_checkpoint(path)
    note = f"{name} was edited by hand; the next turn would adopt it"
    assert note in verify(path).notes
    found = repair(path)
    assert (wrong(found), found.notes) == ([], (note,))
    assert "results/told.json" in found.repaired
    assert (path / name).read_bytes() == words
    with Campaign.open(path, builders.clock) as campaign:
        assert campaign.process({})["state_summary"]["hp"]["new" if is_new else "pc_001"] == 99
    assert log_of(path)[11]["kind"] == "edit"
    assert (verify(path).problems, verify(path).notes) == ((), ())


def test_a_hand_edit_back_to_an_earlier_state_is_known_for_one_while_the_checkpoint_says_so(path: Path) -> None:
    with Campaign.open(path, builders.clock) as campaign:
        earlier = (path / PC).read_bytes()
        campaign.process(HIT)
    (path / PC).write_bytes(earlier)
    (path / NPC).unlink()
    note = f"{PC} was edited by hand; the next turn would adopt it"
    assert verify(path).notes == (note,)
    found = repair(path)
    assert (wrong(found), found.notes, found.repaired) == ([], (note,), (NPC,))
    assert (path / PC).read_bytes() == earlier


def test_a_document_that_is_behind_is_known_for_that_without_a_checkpoint(path: Path) -> None:
    with Campaign.open(path, builders.clock) as campaign:
        earlier = (path / PC).read_bytes()
        campaign.process(HIT)
    (path / PC).write_bytes(earlier)
    forget_checkpoint(path)
    found = verify(path)
    assert wrong(found) == []
    assert f"{PC} is behind the log; the next turn brings it up to date" in found.notes
    assert repair(path).repaired == (CHECKPOINT, PC)
    assert builders.on_disk(path)[PC]["hp"] == 7


def test_edits_that_do_not_fit_together_are_problems_and_are_left_alone(path: Path) -> None:
    layer = json.loads((path / "maps/root.json").read_text(encoding="utf-8"))
    layer["areas"]["area_001"]["reachable_area_ids"] = ["area_099"]
    (path / "maps/root.json").write_text(json.dumps(layer), encoding="utf-8")
    edit(path / NPC, hp=50)
    (path / PC).unlink()
    words = {name: (path / name).read_bytes() for name in ("maps/root.json", NPC)}
    rules = {"area:area_001:reachable_missing_target", "parent:root:disconnected"}
    assert {problem.rule for problem in verify(path).problems} == {*rules, "missing"}
    found = repair(path)
    assert {problem.rule for problem in found.problems} == rules
    assert found.repaired == (PC,)
    assert found.notes == tuple(
        f"{name} was edited by hand; the next turn is refused with it" for name in (NPC, "maps/root.json")
    )
    assert {name: (path / name).read_bytes() for name in words} == words


def link(path: Path) -> None:
    (path / PC).rename(path / "elsewhere")
    (path / PC).symlink_to(path / "elsewhere")


LEFT: dict[str, tuple[Callable[[Path], object], tuple[str, str]]] = {
    "a document that never was": (
        lambda path: (path / "characters/new.json").write_text('{"id": "new", "hp": -1}', encoding="utf-8"),
        ("characters/new.json", "greater_than_equal"),
    ),
    "a folder in a document's place": (lambda path: (path / "maps/x.json").mkdir(), ("maps/x.json", "file")),
    "a link in a document's place": (link, (PC, "file")),
    "a reply to nothing": (
        lambda path: (path / "results/never.json").write_text("{}", encoding="utf-8"),
        ("results/never.json", "extra"),
    ),
}


@pytest.mark.parametrize("name", LEFT)
def test_what_the_log_cannot_mend_is_said_and_left_alone(path: Path, name: str) -> None:
    damage, problem = LEFT[name]
    damage(path)
    (path / NPC).unlink()
    before = contents(path)
    found = repair(path)
    assert (wrong(found), found.repaired) == ([problem], (NPC,))
    after = contents(path)
    assert after.pop(NPC)
    assert after == before
    assert repair(path).problems == found.problems


def test_files_that_are_nobodys_do_not_matter(path: Path) -> None:
    for name in ("notes.txt", "characters/.swp", "characters/pc_001.json~", "results/x.tmp", "maps/sub/x.json"):
        (path / name).parent.mkdir(exist_ok=True)
        (path / name).write_text("nothing", encoding="utf-8")
    assert (verify(path).problems, verify(path).notes) == ((), ())


def test_a_copy_of_the_log_that_a_service_left_is_told_of(path: Path) -> None:
    for name in ("log (conflicted copy).jsonl", "logbook.jsonl", "telemetry.jsonl"):
        (path / name).write_text("{}\n", encoding="utf-8")
    assert verify(path).problems == ()
    (note,) = verify(path).notes
    assert note.startswith("log (conflicted copy).jsonl looks like a copy of the log")


def test_results_that_need_not_lie_there_any_more_may(path: Path) -> None:
    (reply,) = (record for record in log_of(path) if record.get("turn_id") == "turn_0001")
    from turnwright.model.wire.record import reply_of

    older = path / "results/turn_0001.json"
    assert not older.exists()
    older.write_text(json.dumps(reply_of(reply)), encoding="utf-8")
    assert verify(path).problems == ()
    older.write_text(json.dumps(reply_of(reply) | {"status": "applied"}), encoding="utf-8")
    assert wrong(verify(path)) == [("results/turn_0001.json", "differs")]
    assert wrong(repair(path)) == []


# before the log begins


def test_a_directory_whose_log_has_not_begun_has_nothing_to_verify(tmp_path: Path) -> None:
    for name, value in builders.documents().items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(json.dumps(value), encoding="utf-8")
    before = contents(tmp_path)
    for door in (verify, repair):
        found = door(tmp_path)
        assert (found.problems, found.records, found.documents) == ((), 0, 6)
        assert found.notes == ("the log has not begun; the first turn begins it with the documents that lie here",)
    assert contents(tmp_path) == before
    (tmp_path / "log.jsonl").write_bytes(b'{"seq":0')
    assert len(verify(tmp_path).notes) == 2
    (tmp_path / "results").mkdir()
    (tmp_path / "results/turn_0001.json").write_text("{}", encoding="utf-8")
    assert wrong(verify(tmp_path)) == [("log.jsonl", "log")]


def test_a_log_that_is_missing_is_a_problem(path: Path) -> None:
    (path / "log.jsonl").unlink()
    shutil.rmtree(path / "results")
    before = contents(path)
    for door in (verify, repair):
        (problem,) = door(path).problems
        assert (problem.file, problem.rule) == ("log.jsonl", "log")
        assert CHECKPOINT in problem.message
    assert contents(path) == before


def test_where_there_is_no_campaign_there_is_nothing_to_look_at(tmp_path: Path) -> None:
    for door in (verify, repair):
        with pytest.raises(CampaignInvalid, match="no campaign here"):
            door(tmp_path)
        with pytest.raises(CampaignInvalid, match="no campaign here"):
            door(tmp_path / "nowhere")
