"""The scenario does what it is there for; what follows from a crash is compared with how it ends undisturbed."""

from __future__ import annotations

from collections import Counter

from tests.faults.crash import crash_points, undisturbed
from tests.faults.outcome import faults_in, records_of
from tests.faults.recovery import Recovery, dropped_before
from tests.faults.scenario import STEPS

REFUSED = {"turns/refused/e.json", "turns/refused/m.json", "turns/refused/r.json"}


def test_forty_turns_come_through_every_door_and_everything_else_happens_too() -> None:
    records = records_of(undisturbed().after[-1].log)
    kinds = Counter(record["kind"] for record in records)
    assert kinds["turn"] >= 40
    assert kinds - Counter({"turn": kinds["turn"]}) == {"new": 1, "attempt": 3, "edit": 3, "settings": 2, "undo": 1}
    statuses = {record["status"] for record in records if "status" in record}
    assert statuses == {"applied", "partial", "failed", "empty", "retry_needed"}
    tools = [action["tool"] for record in records for action in record.get("applied_actions", ())]
    assert Counter(tools)["map_generate"] >= 5
    assert set(tools) == {"move", "move_options", "hp_delta", "map_generate"}


def test_each_dropped_file_has_a_record_or_a_refusal_of_its_own() -> None:
    """But for `l.json`, which repeats a turn: it has that turn's reply."""
    left = undisturbed().after[-1]
    sources = [record["source"].partition("__")[2] for record in records_of(left.log) if "source" in record]
    dropped = [path.removeprefix("turns/") for path in dropped_before(len(STEPS))]
    refused = [path.rpartition("/")[2] for path in REFUSED]
    assert Counter(dropped) == Counter(sources) + Counter(refused) + Counter(["l.json"])
    put_away = Counter(path.rpartition("/")[0] for path in left.turns)
    assert put_away == {"turns/done": len(dropped) - len(REFUSED), "turns/refused": len(REFUSED)}
    assert set(left.turns) >= REFUSED
    assert set(left.reasons) == {f"{path}.reason.json" for path in REFUSED}


def test_undisturbed_everything_is_as_the_log_says(recovery: Recovery) -> None:
    seen = undisturbed()
    place = recovery.laid_out(seen.instants[-1].machine, seen.instants[-1].checkpoint).root
    assert list(faults_in(seen.after[-1], place)) == []


def test_there_are_more_than_five_thousand_crash_points() -> None:
    points = list(crash_points())
    assert len(points) >= 5_000
    assert len({(point.instant.step, point.instant.about, point.way) for point in points}) == len(points)


def test_the_log_is_torn_at_its_first_and_last_byte_and_between_all_keys() -> None:
    instants = [instant.about for instant in undisturbed().instants if "bytes of operation" in instant.about]
    torn = [about for about in instants if "(write log.jsonl)" in about]
    assert len(torn) > 20 * 40
    lengths = {about.split()[3] for about in torn}
    for length in lengths:
        at = {int(about.split()[1]) for about in torn if about.split()[3] == length}
        assert {1, int(length) // 2, int(length) - 1} <= at
    assert any("write characters/.turnwright-pc_001.json.tmp" in about for about in instants)


def test_nothing_is_left_in_the_room_of_a_recovery(recovery: Recovery) -> None:
    point = next(crash_points())
    assert list(recovery.faults(point, to_the_end=True)) == []
    assert list(recovery.room.iterdir()) == []
