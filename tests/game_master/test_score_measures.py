"""Measures over runs: pass^k against counting every choice of runs, intervals, and when only counts are shown."""

from __future__ import annotations

from itertools import combinations
from math import isclose, sqrt
from statistics import fmean, stdev
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from turnwright.analysis.report.figure import wilson
from turnwright.analysis.score.measures import mean, measures_of, pass_hat, passes
from turnwright.analysis.score.table import markdown, rows_of

Json = Any
MESSAGE: Json = {
    "id": "go",
    "outcome": "answered",
    "answered": True,
    "asked": 2,
    "well_formed": 2,
    "cut_off": 0,
    "failures": {},
    "calls": {"move": 1},
    "made": 1,
    "applied": 1,
    "repaired": 0,
    "expected": 1,
    "met": 1,
    "abstained": None,
    "findings": 0,
    "tokens": 100,
    "ms": 1500,
}


def a_run(pack: str = "delve", passed: bool | None = True, messages: int = 1, **changes: Any) -> Json:
    goal = [] if passed is None else [passed]
    return {"pack": pack, "seed": 1, "messages": [MESSAGE | changes] * messages, "goal": goal, "passed": passed}


@given(st.lists(st.booleans(), min_size=1, max_size=7), st.data())
def test_pass_hat_is_the_share_of_choices_of_k_runs_that_all_passed(outcomes: list[bool], data: st.DataObject) -> None:
    k = data.draw(st.integers(1, len(outcomes)))
    chosen = [all(some) for some in combinations(outcomes, k)]
    assert isclose(pass_hat(sum(outcomes), len(outcomes), k), fmean(chosen))


def test_pass_k_of_a_pack_has_a_row_for_each_k_and_never_grows() -> None:
    told = passes([a_run(passed=number < 3) for number in range(4)])["packs"]["delve"]
    assert (told["passed"], told["n"]) == (3, 4)
    assert [row["rate"] for row in told["pass_k"]] == [0.75, 0.5, 0.25, 0.0]
    low, high = wilson(3, 4)
    for row in told["pass_k"][:3]:
        assert (row["low"], row["high"]) == (round(low ** row["k"], 4), round(high ** row["k"], 4))


@given(n=st.integers(1, 12), data=st.data())
def test_pass_k_lies_within_its_interval(n: int, data: st.DataObject) -> None:
    passed = data.draw(st.integers(0, n))
    told = passes([a_run(passed=number < passed) for number in range(n)])["packs"]["delve"]
    assert all(row["low"] <= row["rate"] <= row["high"] for row in told["pass_k"])


def test_over_all_packs_each_pack_counts_the_same() -> None:
    runs = [a_run("delve", True), a_run("delve", True), a_run("bazaar", False), a_run("bazaar", True)]
    told = passes([*runs, a_run("bazaar", False)])
    assert told["packs"]["bazaar"]["pass_k"][0]["rate"] == 0.3333
    assert [row["k"] for row in told["all"]["pass_k"]] == [1, 2], "as far as every pack has runs"
    assert told["all"]["pass_k"][0]["rate"] == round((1 + 0.3333) / 2, 4)
    assert told["all"]["pass_k"][1]["rate"] == 0.5


def test_runs_whose_goal_was_not_judged_neither_passed_nor_failed() -> None:
    told = passes([a_run(passed=None), a_run(passed=True)])
    assert (told["all"]["passed"], told["all"]["n"]) == (1, 1)
    assert passes([a_run(passed=None)]) == {"packs": {}, "all": {"passed": 0, "n": 0, "pass_k": []}}


@given(st.lists(st.floats(0, 1e6), min_size=2, max_size=50))
def test_a_mean_has_the_interval_of_the_normal_distribution(values: list[float]) -> None:
    told: Any = mean(values, enough=True)
    half = 1.959964 * stdev(values) / sqrt(len(values))
    assert told["n"] == len(values)
    assert isclose(told["mean"], fmean(values), rel_tol=1e-6, abs_tol=1e-3)
    assert isclose(told["high"], fmean(values) + half, rel_tol=1e-6, abs_tol=1e-3)
    assert isclose(told["low"], max(0.0, fmean(values) - half), rel_tol=1e-6, abs_tol=1e-3)


def test_below_a_hundred_turns_there_are_counts_and_no_rates() -> None:
    few, many = measures_of([a_run(messages=99)]), measures_of([a_run(messages=100)])
    assert (few["legal"]["count"], few["legal"]["n"], few["legal"]["rate"]) == (99, 99, None)
    assert (few["tokens"]["mean"], few["seconds"]["mean"]) == (None, None)
    assert (many["legal"]["rate"], many["legal"]["high"]) == (1.0, 1.0)
    assert (many["tokens"]["mean"], many["seconds"]["mean"]) == (100.0, 1.5)
    assert few["pass"]["all"]["pass_k"][0]["rate"] == 1.0, "runs are not turns: one is one"


def test_what_never_happened_has_no_rate() -> None:
    told = measures_of([a_run(messages=100, made=0, applied=0)])
    assert (told["legal"]["n"], told["legal"]["rate"]) == (0, None)
    assert (told["abstained"]["n"], told["repaired"]["n"]) == (0, 0)


def test_failures_are_counted_by_kind_the_most_frequent_first() -> None:
    runs = [a_run(failures={"timeout": 1}), a_run(failures={"garbage": 2})]
    assert list(measures_of(runs)["failures"].items()) == [("garbage", 2), ("timeout", 1)]


def test_no_runs_at_all_are_nothing_of_everything() -> None:
    told = measures_of([])
    assert (told["runs"], told["turns"], told["answered"]["n"]) == (0, 0, 0)
    assert rows_of([told])[0] == ["turns", "0 in 0 runs"]


# the table


def test_a_table_has_a_column_for_each_way_of_playing() -> None:
    first = measures_of([a_run(messages=100), a_run("bazaar", passed=False)])
    second = measures_of([a_run(messages=5, failures={"timeout": 1})])
    rows = {row[0]: row[1:] for row in rows_of([first, second])}
    assert rows["turns"] == ["101 in 2 runs", "5 in 1 runs"]
    assert rows["calls that were applied"] == ["100.0 % (96.3 to 100.0), 101 of 101", "5 of 5"]
    assert rows["failed calls repaired"] == ["0 of 0", "0 of 0"]
    assert rows["failures of the model"] == ["none", "timeout 5"]
    assert rows["passed, bazaar"] == ["0 of 1", "-"]
    assert rows["tokens a turn"] == ["100 (100 to 100), 101 turns", "5 turns"]
    assert rows["pass^1"] == ["50.0 % (10.3 to 89.7), 2 runs", "100.0 % (20.6 to 100.0), 1 runs"]


def test_in_markdown_every_row_has_as_many_cells() -> None:
    lines = markdown(["one", "two"], [measures_of([a_run()])] * 2).splitlines()
    assert lines[:2] == ["|  | one | two |", "| --- | --- | --- |"]
    assert {line.count("|") for line in lines} == {4}


def test_means_are_shown_with_their_interval() -> None:
    rows = {row[0]: row[1] for row in rows_of([measures_of([a_run(messages=100)])])}
    assert rows["tokens a turn"] == "100 (100 to 100), 100 turns"
    assert rows["seconds a turn"] == "1.50 (1.50 to 1.50), 100 turns"
