"""JSON Patch: the jsonpatch package is the oracle."""

from __future__ import annotations

import copy
from typing import Any

import jsonpatch
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from tests.builders import spelt, untyped

from turnwright.model.state.patch import PatchError, apply, diff

SCALARS = (
    st.none() | st.booleans() | st.integers(-3, 3) | st.sampled_from([0.0, -0.0, 1.0, 1.5]) | st.sampled_from("ab~/é")
)
KEYS = st.sampled_from(["a", "b", "", "~", "/", "~1", "~0", "a/b", "m~n", "0", "1", " ", "é", '"'])
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4), max_leaves=12
)
DOCUMENTS = st.dictionaries(KEYS, VALUES, max_size=4)


@given(DOCUMENTS, DOCUMENTS)
@example({"a": 1}, {"a": True})
@example({"a": [1, [0]]}, {"a": [1.0, [False]]})
@example({"a": {"b": 1.0}}, {"a": {"b": 1}})
@example({"a": 0.0, "b": [0.0]}, {"a": -0.0, "b": [-0.0]})
@example({"a": [1, 2, 3]}, {"a": [2, 3]})
@example({"a": None}, {})
def test_our_difference_applied_by_us_and_by_jsonpatch_leads_to_the_new_value(old: Any, new: Any) -> None:
    operations: Any = diff(old, new)
    assert spelt(apply(old, untyped(operations))) == spelt(new)
    assert spelt(jsonpatch.apply_patch(old, operations)) == spelt(new)


@given(DOCUMENTS, DOCUMENTS)
def test_a_patch_made_by_jsonpatch_is_applied_alike(old: Any, new: Any) -> None:
    operations = list(jsonpatch.make_patch(old, new))
    assume(all(operation["op"] in ("add", "remove", "replace") for operation in operations))
    assert spelt(apply(old, untyped(operations))) == spelt(jsonpatch.apply_patch(old, operations))


@given(DOCUMENTS, DOCUMENTS)
def test_neither_difference_nor_application_changes_what_it_is_given(old: Any, new: Any) -> None:
    before = copy.deepcopy((old, new))
    operations = diff(old, new)
    kept = copy.deepcopy(operations)
    apply(old, operations)
    assert spelt((old, new)) == spelt(before)
    assert spelt(operations) == spelt(kept)


@given(DOCUMENTS, DOCUMENTS)
def test_there_are_operations_exactly_when_the_json_differs(old: Any, new: Any) -> None:
    assert (diff(old, new) == []) == (spelt(old) == spelt(new))


@given(DOCUMENTS)
def test_a_document_that_comes_or_goes_is_one_operation_on_the_whole(value: Any) -> None:
    assert diff(None, value) == [{"op": "add", "path": "", "value": value}]
    assert diff(value, None) == [{"op": "remove", "path": ""}]
    assert diff(None, None) == []
    assert apply(None, diff(None, value)) == value
    assert apply(value, diff(value, None)) is None


@pytest.mark.parametrize(
    ("key", "pointer"), [("a/b", "/a~1b"), ("m~n", "/m~0n"), ("~1", "/~01"), ("", "/"), (" ", "/ ")]
)
def test_keys_are_escaped_as_the_rfc_says(key: str, pointer: str) -> None:
    assert diff({}, {key: 1}) == [{"op": "add", "path": pointer, "value": 1}]
    assert apply({key: 1}, [{"op": "replace", "path": pointer, "value": 2}]) == {key: 2}


def test_a_key_that_is_a_dash_means_itself_in_an_object() -> None:
    # The oracle takes a dash for the end of an array wherever it stands, so this one is told by hand.
    assert apply({"-": 1}, diff({"-": 1}, {"-": 2})) == {"-": 2}
    assert apply({"-": 1}, diff({"-": 1}, {})) == {}


@given(st.lists(st.integers(0, 3), max_size=6), st.lists(st.integers(0, 3), max_size=6))
def test_what_is_common_at_both_ends_of_an_array_is_left_alone(old: list[int], new: list[int]) -> None:
    head, tail = [7] * 40, [8] * 40
    assert len(diff({"a": head + old + tail}, {"a": head + new + tail})) <= max(len(old), len(new))


@given(st.lists(VALUES, min_size=9, max_size=14), st.integers(1, 4), st.lists(VALUES, max_size=3))
@example([*"abcdefghi"], 4, ["j"])
@example([0, 1, True, 1.0, 1, True, 1.0, 0.0, -0.0], 1, [0])
def test_of_an_array_that_slid_on_is_told_what_left_and_what_came(old: list[Any], gone: int, came: list[Any]) -> None:
    new = [*old[gone:], *came]
    operations: Any = diff({"a": old}, {"a": new})
    assert spelt(apply({"a": old}, operations)) == spelt({"a": new})
    assert spelt(jsonpatch.apply_patch({"a": old}, operations)) == spelt({"a": new})
    assert len(operations) <= gone + len(came) or spelt(old[0]) == spelt(new[0])


def test_the_last_few_of_something_cost_two_operations_each_time() -> None:
    old = [{"round": number, "target": "ogre"} for number in range(20)]
    new = [*old[1:], {"round": 20, "target": "ogre"}]
    assert diff({"actions": old}, {"actions": copy.deepcopy(new)}) == [
        {"op": "remove", "path": "/actions/0"},
        {"op": "add", "path": "/actions/19", "value": new[-1]},
    ]


@pytest.mark.parametrize(
    ("value", "operation"),
    [
        ({}, {"op": "remove", "path": "/a"}),
        ({}, {"op": "replace", "path": "/a", "value": 1}),
        ({}, {"op": "add", "path": "/a/b", "value": 1}),
        ({"a": 1}, {"op": "add", "path": "/a/b", "value": 1}),
        ({"a": []}, {"op": "add", "path": "/a/1", "value": 1}),
        ({"a": [1]}, {"op": "replace", "path": "/a/1", "value": 1}),
        ({"a": [1]}, {"op": "remove", "path": "/a/-1"}),
        ({"a": [1]}, {"op": "remove", "path": "/a/x"}),
        ({"a": [1]}, {"op": "remove", "path": "/a/-"}),
        ({"a": [1, 2]}, {"op": "remove", "path": "/a/01"}),
        ({"a": [1, 2]}, {"op": "remove", "path": "/a/+1"}),
        ({"a": [1, 2]}, {"op": "remove", "path": "/a/ 1"}),
        ({"a": [1, 2]}, {"op": "remove", "path": "/a/\u0661"}),
        ({"a": [1] * 11}, {"op": "remove", "path": "/a/1_0"}),
        ({"a": 1}, {"op": "test", "path": "/a", "value": 2}),
        ({"a": 1}, {"op": "copy", "from": "/a", "path": "/b"}),
        ({"a": 1}, {"op": "increase", "path": "/a", "value": 2}),
        (None, {"op": "remove", "path": ""}),
        (None, {"op": "replace", "path": "", "value": {}}),
        ({"a": 1}, {"op": "add", "path": "", "value": {}}),
        ({"a": 1}, {"op": "replace", "path": "a", "value": 2}),
        ({"a": 1}, {"op": "replace", "path": "/a"}),
        ({"a": 1}, {"op": "replace", "value": 1}),
        ({"a": 1}, {"path": "/a", "value": 1}),
    ],
)
def test_an_operation_that_does_not_fit_is_refused_and_nothing_is_changed(value: Any, operation: Any) -> None:
    before = copy.deepcopy(value)
    with pytest.raises(PatchError):
        apply(value, [operation])
    assert value == before
