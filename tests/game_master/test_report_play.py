from __future__ import annotations

from typing import Any

import pytest
from tests.game_master.telemetry_samples import Log, failure, finding, hint, telemetry

from turnwright.analysis.report.joined import play_of
from turnwright.analysis.report.play import Exchange


def exchanges(log: Log, *entries: Any) -> list[Exchange]:
    return play_of("c", log.records, entries).exchanges


def turn_ids(log: Log, *entries: Any) -> list[list[str]]:
    return [[step.turn_id for step in exchange.steps] for exchange in exchanges(log, *entries)]


def test_an_exchange_goes_on_until_a_player_says_something_again() -> None:
    log = Log()
    log.turn("move", said="I go")
    log.turn("hp_delta")
    log.turn()
    log.turn(said="I wait")
    assert turn_ids(log) == [["t1", "t2", "t3"], ["t4"]]
    assert [exchange.text for exchange in exchanges(log)] == ["I go", "I wait"]


def test_an_answer_is_a_players_word_too() -> None:
    log = Log()
    log.turn("engage", said="I leap")
    log.turn(answer={"request_id": "r1", "value": 0})
    log.turn("resolve")
    assert turn_ids(log) == [["t1"], ["t2", "t3"]]


def test_turns_before_any_player_has_spoken_stand_alone() -> None:
    log = Log()
    log.turn("move")
    log.turn("move")
    log.turn(said="hello")
    log.turn("move")
    assert turn_ids(log) == [["t1"], ["t2"], ["t3", "t4"]]


def test_hints_for_another_message_begin_an_exchange() -> None:
    log = Log()
    for said in ("I strike", None, None, None):
        log.turn("execute_action", said=said)
    entries = (
        telemetry("t1", hint(), message="I strike"),
        telemetry("t2", hint(), message="I strike"),
        telemetry("t3", message="the ghoul's turn"),
        telemetry("t4", message=None),
    )
    assert turn_ids(log, *entries) == [["t1", "t2"], ["t3", "t4"]]


def test_attempts_of_a_turn_stay_with_it_and_its_telemetry_counts_once() -> None:
    log = Log()
    log.turn(said="I fall", kind="attempt")
    log.records[-1]["turn_id"] = "t2"
    log.turn("hp_delta", said="I fall")
    found = exchanges(log, telemetry("t2", hint()))
    assert [[step.is_attempt for step in exchange.steps] for exchange in found] == [[True, False]]
    assert found[0].was_retried
    assert len(found[0].telemetry) == 1


def test_a_hint_that_is_written_down_with_each_turn_of_an_exchange_counts_once() -> None:
    log = Log()
    log.turn("move", said="I go")
    log.turn()
    shown = hint()
    found = exchanges(log, telemetry("t1", shown), telemetry("t2", shown))
    assert [len(exchange.hints) for exchange in found] == [1]


def test_hints_of_a_later_look_at_the_same_message_count_too() -> None:
    log = Log()
    log.turn("move", said="I go")
    log.turn("hp_delta")
    found = exchanges(log, telemetry("t1", hint()), telemetry("t2", hint(tool="hp_delta")))
    assert [[one.tool for one in exchange.hints] for exchange in found] == [["move", "hp_delta"]]


def test_an_undone_turn_is_marked_and_one_whose_undo_was_undone_is_not() -> None:
    log = Log()
    log.turn("move", said="I go")
    first = log.undo(1)
    assert [exchange.undone for exchange in exchanges(log)] == [True]
    log.undo(first)
    assert [exchange.undone for exchange in exchanges(log)] == [False]


def test_an_undo_behind_an_undo_takes_back_the_turn_before() -> None:
    log = Log()
    for said in ("I go", "I run", "I fly"):
        log.turn("move", said=said)
    second = log.undo(2, 3, log.undo(3))
    assert [exchange.undone for exchange in exchanges(log)] == [False, True, True]
    log.undo(second)
    assert [exchange.undone for exchange in exchanges(log)] == [False, False, True]


def test_what_a_fork_has_from_its_parent_is_left_out() -> None:
    log = Log()
    log.turn("move", said="I go")
    log.records.append({"seq": 2, "kind": "fork"})
    log.turn("hp_delta", said="ouch")
    assert turn_ids(log, telemetry("t1")) == [["t3"]]


def test_old_names_of_tools_count_as_the_tools() -> None:
    log = Log()
    log.turn(said="I", failed=[failure("start_quest")])
    [exchange] = exchanges(log)
    assert exchange.steps[0].failed[0].tool == "manage_quest"


def test_parts_that_are_a_players_and_calls_of_a_turn_that_was_not_done_are_no_failed_calls() -> None:
    log = Log()
    failed = [failure("user_input", "stage_mismatch"), failure("answer", "answer_invalid")]
    log.turn(
        "answer",
        "output",
        said="I",
        failed=[*failed, failure("move", "turn_aborted"), failure("output", "outcome_text")],
    )
    [step] = exchanges(log)[0].steps
    assert [call.tool for call in step.failed] == ["output"]
    assert step.tools == frozenset()


def test_telemetry_that_joins_no_turn_is_counted() -> None:
    log = Log()
    log.turn(said="hello")
    assert play_of("c", log.records, [telemetry("t1"), telemetry("gone")]).unjoined == 1


def test_calls_that_were_not_handed_in_are_failed_calls_too_and_their_game_master_was_told_how_to_mend_them() -> None:
    log = Log()
    barred = failure("take_rest", "tool_not_allowed") | {"hint": {"field": "tool", "got": "take_rest"}}
    log.turn(said="I rest", failed=[failure("move", "conflict", hinted=False)], x_barred=[barred])
    [exchange] = exchanges(log)
    assert [(call.tool, call.reason, call.has_hint) for call in exchange.steps[0].failed] == [
        ("move", "conflict", False),
        ("take_rest", "tool_not_allowed", True),
    ]


@pytest.mark.parametrize("own", [None, 3, "move", {}, [3], [{"tool": "move"}], [{"tool": ["move"], "reason": {}}]])
def test_what_else_has_that_key_is_no_call(own: object) -> None:
    log = Log()
    log.turn(said="I rest", x_barred=own)
    assert exchanges(log)[0].steps[0].failed == ()


def test_a_turn_that_another_one_closed_repeats_the_calls_of_its_attempt_and_they_count_once() -> None:
    log = Log()
    barred = [failure("take_rest", "tool_not_allowed", hinted=False)]
    log.turn(said="I rest", kind="attempt", turn_id="t2", findings=[finding()], x_barred=barred)
    log.turn(said="I rest", status="failed", conflict_report={"retries": 0}, x_barred=barred)
    [exchange] = exchanges(log)
    assert [len(step.failed) for step in exchange.steps] == [1, 0]


def test_a_message_in_a_language_without_rules_was_looked_at_all_the_same() -> None:
    log = Log()
    log.turn(said="hola")
    [exchange] = exchanges(log, telemetry("t1", rules_version="", language="es"))
    assert exchange.was_advised


def test_a_turn_in_whose_message_nothing_was_looked_for_is_not_advised() -> None:
    log = Log()
    log.turn(said="hello")
    [exchange] = exchanges(log, telemetry("t1", message=None))
    assert not exchange.was_advised
