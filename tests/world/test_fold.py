"""The fold of the log; `changes_between` is its inverse."""

from __future__ import annotations

import copy
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from tests.plain import spelt

from turnwright.world.fold import apply_changes, changes_between, fold

VALUES = st.dictionaries(st.sampled_from("abc"), st.integers(0, 2) | st.booleans() | st.none(), max_size=3)
STATES = st.lists(st.dictionaries(st.sampled_from(["a.json", "b/c.json", "b/d.json"]), VALUES), max_size=6)


@given(STATES)
def test_folding_the_changes_between_states_gives_the_last_state(states: list[dict[str, Any]]) -> None:
    records = [{"changes": changes_between(a, b)} for a, b in zip([{}, *states], states, strict=False)]
    for number in range(len(records) + 1):
        assert spelt(fold(records[:number])) == spelt([{}, *states][number])


@given(STATES)
def test_folding_some_paths_gives_the_last_state_of_these_alone(states: list[dict[str, Any]]) -> None:
    records = [{"changes": changes_between(a, b)} for a, b in zip([{}, *states], states, strict=False)]
    last = [{}, *states][-1]
    assert fold(records, only={"a.json"}) == {path: last[path] for path in last if path == "a.json"}


@given(STATES)
def test_records_and_the_states_between_them_are_left_alone_by_folding(states: list[dict[str, Any]]) -> None:
    records = [{"changes": changes_between(a, b)} for a, b in zip([{}, *states], states, strict=False)]
    kept, values, seen = copy.deepcopy(records), dict[str, Any](), []
    for record in records:
        apply_changes(values, record["changes"])
        seen.append(dict(values))
    assert spelt(records) == spelt(kept)
    assert spelt(seen) == spelt(states)


@given(VALUES)
def test_what_did_not_change_is_left_out_and_paths_are_sorted(value: dict[str, Any]) -> None:
    changes = changes_between({"b": value, "a": {}}, {"b": value, "c": {}, "a": {"x": 1}})
    assert list(changes) == ["a", "c"]


def test_a_record_without_changes_changes_nothing() -> None:
    assert fold([{"changes": {"a": [{"op": "add", "path": "", "value": {}}]}}, {}]) == {"a": {}}
