"""What is remembered of the log; brute-force models over whole logs are the oracles."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.builders import untyped

from turnwright.model.state.log_state import MAX_WINDOW, FailureKey, LogState, failure_keys
from turnwright.model.strict_json import canonical

Json = Any


def turn_record(seq: int, parts: list[tuple[str, str, Json, str | None]], actor: str | None = "pc_001") -> Json:
    """Return a turn's record; each part is id, tool, args, and the reason it failed for (None: it was applied)."""
    return {
        "seq": seq,
        "kind": "turn",
        "actor_id": actor,
        "tool_calls": [{"id": i, "tool": tool, "args": args} for i, tool, args, _ in parts],
        "applied_actions": [
            {"id": i, "tool": tool, "args": args, "result": {}} for i, tool, args, reason in parts if reason is None
        ],
        "tool_feedback": {
            "failed_calls": [
                {"id": i, "tool": tool, "status": "error", "reason": reason} for i, tool, _, reason in parts if reason
            ]
        },
    }


def history_of(records: list[Json]) -> LogState:
    history = LogState()
    for record in records:
        history.take(record, json.dumps(record["seq"]).encode())
    return history


# undo and redo


@given(st.lists(st.none() | st.integers(0, 60), max_size=25))
def test_undone_by_agrees_with_a_model_that_replays_every_undo(moves: list[int | None]) -> None:
    """The model keeps, after each record, which undo took each record back; an undo brings an older such map back."""
    records: list[Json] = [{"seq": 0, "kind": "new", "secret_sha256": ""}]
    taken: list[dict[int, int | None]] = [{0: None}]
    for move in moves:
        seq = len(records)
        standing = [r for r, undo in taken[-1].items() if undo is None and r > 0]
        if move is None or not standing:
            records.append(turn_record(seq, []))
            taken.append({**taken[-1], seq: None})
        else:
            target = standing[move % len(standing)]
            records.append({"seq": seq, "kind": "undo", "undone_from": target})
            taken.append({**taken[target - 1], **dict.fromkeys(range(target, seq), seq), seq: None})
    history = history_of(records)
    assert [history.undone_by(seq) for seq in range(len(records))] == [taken[-1][seq] for seq in range(len(records))]


def test_undoing_an_undo_is_redo_and_undoing_that_makes_the_first_undo_stand_again() -> None:
    undo = [{"seq": seq, "kind": "undo", "undone_from": seq - 1} for seq in (2, 3, 4)]
    records = [{"seq": 0, "kind": "new", "secret_sha256": ""}, turn_record(1, []), *undo]
    assert [history_of(records[:size]).undone_by(1) for size in (2, 3, 4, 5)] == [None, 2, None, 2]


# repeated failures

PARTS = st.lists(
    st.tuples(
        st.sampled_from(["a", "b"]),
        st.sampled_from(["move", "hp_delta"]),
        st.sampled_from([{}, {"x": 1}, {"x": 1.0}, {"x": True}]),
        st.none() | st.just("invalid_args"),
    ),
    max_size=5,
)


def keys_of(parts: list[tuple[str, str, Json, str | None]], actor: str | None) -> list[FailureKey]:
    return [(tool, canonical(args), actor, reason) for _, tool, args, reason in parts if reason is not None]


@given(PARTS)
def test_failures_are_matched_to_their_calls_even_under_duplicate_ids(
    parts: list[tuple[str, str, Json, str | None]],
) -> None:
    assert sorted(failure_keys(turn_record(1, parts))) == sorted(keys_of(parts, "pc_001"))


@given(st.lists(st.tuples(PARTS, st.sampled_from(["pc_001", None])), max_size=8), st.integers(0, 5))
def test_repeated_is_what_failed_in_each_of_the_last_turns(
    turns: list[tuple[list[tuple[str, str, Json, str | None]], str | None]], window: int
) -> None:
    history = history_of([turn_record(seq, parts, actor) for seq, (parts, actor) in enumerate(turns)])
    last = [set(keys_of(parts, actor)) for parts, actor in turns][-window:] if window else []
    wanted = set.intersection(*last) if len(last) == window and last else set()
    assert history.repeated(window) == wanted


def test_a_malformed_entry_is_nobodys_repeat() -> None:
    record = turn_record(1, [("a", "move", {}, "invalid_args")])
    record["tool_calls"].insert(0, "no call")
    record["tool_feedback"]["failed_calls"].insert(0, {"id": "", "tool": "", "reason": "invalid_call"})
    assert failure_keys(record) == [("move", "{}", "pc_001", "invalid_args")]


def test_a_recorded_repeat_counts_with_its_first_reason() -> None:
    record = turn_record(1, [("a", "move", {}, "repeat_illegal_request")])
    record["tool_feedback"]["failed_calls"][0]["hint"] = {"first_reason": "invalid_args"}
    assert failure_keys(record) == [("move", "{}", "pc_001", "invalid_args")]


def test_answer_and_output_are_parts_around_the_calls() -> None:
    record = turn_record(1, [("a", "move", {"x": 1}, "invalid_args")])
    record |= {"answer": {"request_id": "r"}, "output": {}}
    failures = record["tool_feedback"]["failed_calls"]
    failures.insert(0, {"id": "answer", "tool": "answer", "reason": "stage_mismatch"})
    failures.append({"id": "output", "tool": "output", "reason": "stage_mismatch"})
    assert [(tool, args) for tool, args, _, _ in failure_keys(record)] == [
        ("answer", "{}"),
        ("move", '{"x":1}'),
        ("output", "{}"),
    ]


def test_the_memory_of_failures_is_as_long_as_the_longest_window() -> None:
    parts: list[tuple[str, str, Json, str | None]] = [("a", "move", {}, "invalid_args")]
    history = history_of([turn_record(seq, parts) for seq in range(MAX_WINDOW + 5)])
    assert len(history.failures) == MAX_WINDOW
    assert history.repeated(MAX_WINDOW) == {("move", "{}", "pc_001", "invalid_args")}


def test_records_that_are_no_turns_do_not_count_for_the_window() -> None:
    parts: list[tuple[str, str, Json, str | None]] = [("a", "move", {}, "invalid_args")]
    records = [turn_record(0, parts), {"seq": 1, "kind": "edit"}, {"seq": 2, "kind": "settings"}, turn_record(3, parts)]
    assert history_of(records).repeated(2)


# numbers, attempts, and the checkpoint


def test_the_next_turn_id_is_the_number_of_closed_turns_plus_one_or_the_next_free_one() -> None:
    history = history_of([turn_record(seq, []) for seq in range(3)])
    assert history.next_turn_id(lambda _: None) == "turn_0004"
    assert history.next_turn_id({"turn_0004": 1, "turn_0005": 1}.get) == "turn_0006"
    history.closed_turns = 9999
    assert history.next_turn_id(lambda _: None) == "turn_10000"


def attempt(seq: int, claim: str) -> Json:
    findings = [{"severity": "error", "claim": claim}, {"severity": "warn", "claim": "never a conflict"}]
    head = {"seq": seq, "kind": "attempt", "turn_id": "t", "actor_id": "pc_001", "content": "c"}
    told = {"applied_actions": [], "tool_feedback": {"failed_calls": []}, "findings": findings}
    return head | {"status": "retry_needed"} | told


def test_attempts_are_counted_and_the_last_ones_conflicts_are_kept_until_the_turn_is_closed() -> None:
    records = [attempt(5, "first"), attempt(6, "second")]
    history = history_of(records)
    assert history.open_turn is not None
    assert (history.open_turn.seq, history.open_turn.attempts) == (5, 2)
    assert [finding["claim"] for finding in history.open_turn.conflicts] == ["second"]
    history.take(untyped({"seq": 7, "kind": "undo", "undone_from": 3}), b"")
    assert history.open_turn is not None, "only a turn closes a turn"
    history.take(turn_record(8, []), b"")
    assert history.open_turn is None


@pytest.mark.parametrize("closing", [[], [attempt(3, "x")], [attempt(3, "x"), turn_record(4, [])]])
def test_a_history_comes_back_from_json_as_it_was(closing: list[Json]) -> None:
    parts: list[tuple[str, str, Json, str | None]] = [("a", "move", {"é": 1}, "invalid_args")]
    records = [turn_record(0, parts), {"seq": 1, "kind": "new", "secret_sha256": "s"}]
    history = history_of([*records, {"seq": 2, "kind": "undo", "undone_from": 1}, *closing])
    assert LogState.from_json(json.loads(json.dumps(history.to_json()))) == history


def test_offsets_and_size_follow_the_lines_with_their_line_feeds() -> None:
    history = LogState()
    history.take(untyped({"seq": 0, "kind": "new", "secret_sha256": "s"}), "é".encode())
    history.take(untyped({"seq": 1, "kind": "edit"}), b"abc")
    assert (history.head_offset, history.size, history.secret_hash) == (3, 7, "s")


def test_failures_are_matched_where_one_call_was_spelt_as_another_was_understood() -> None:
    def call(tool: str, **args: Any) -> Json:
        return {"id": "c", "tool": tool, "args": args}

    went = call("move_party", to="inn")
    calls = [went, call("move_party", TO="inn"), call("move", to="nowhere")]
    failed = {"id": "c", "tool": "move", "status": "error", "reason": "invalid_args"}
    record = turn_record(1, []) | {
        "tool_calls": calls,
        "applied_actions": [went, went],
        "tool_feedback": {"failed_calls": [failed]},
    }
    assert failure_keys(record) == [("move", canonical({"to": "nowhere"}), "pc_001", "invalid_args")]
