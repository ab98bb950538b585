"""The fold of the log: what records say of documents leads from each state to the next."""

from __future__ import annotations

import copy
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from tests.builders import spelt, untyped

from turnwright.model.state import patch
from turnwright.model.state.fold import apply_changes, fold

VALUES = st.dictionaries(st.sampled_from("abc"), st.integers(0, 2) | st.booleans() | st.none(), max_size=3)
STATES = st.lists(st.dictionaries(st.sampled_from(["a.json", "b/c.json", "b/d.json"]), VALUES), max_size=6)


def records_of(states: list[Any]) -> list[Any]:
    """Return a record for each step from one state to the next, the first from nothing."""
    steps = zip([{}, *states], states, strict=False)
    found = ({path: patch.diff(a.get(path), b.get(path)) for path in {*a, *b}} for a, b in steps)
    return [{"changes": {path: operations for path, operations in each.items() if operations}} for each in found]


@given(STATES)
def test_folding_the_changes_between_states_gives_the_last_state(states: list[Any]) -> None:
    records = records_of(states)
    for number in range(len(records) + 1):
        assert spelt(fold(records[:number])) == spelt([{}, *states][number])


@given(STATES)
def test_folding_some_paths_gives_the_last_state_of_these_alone(states: list[Any]) -> None:
    records = records_of(states)
    last = [{}, *states][-1]
    assert fold(records, only={"a.json"}) == {path: last[path] for path in last if path == "a.json"}


@given(STATES)
def test_records_and_the_states_between_them_are_left_alone_by_folding(states: list[Any]) -> None:
    records = records_of(states)
    kept, values, seen = copy.deepcopy(records), dict[str, Any](), []
    for record in records:
        apply_changes(values, record["changes"])
        seen.append(dict(values))
    assert spelt(records) == spelt(kept)
    assert spelt(seen) == spelt(states)


def test_a_record_without_changes_changes_nothing() -> None:
    assert fold(untyped([{"changes": {"a": [{"op": "add", "path": "", "value": {}}]}}, {}])) == {"a": {}}
