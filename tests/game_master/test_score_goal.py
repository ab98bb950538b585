"""Checks on the final state: where they look, and what each comparison takes for true."""

from __future__ import annotations

from typing import Any

import jsonpointer
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from turnwright.analysis.score.goal import _MISSING, Check, value_at

STATE: dict[str, Any] = {
    "characters/a.json": {
        "hp": 8,
        "name": "A/B",
        "is_up": True,
        "inventory": [{"name": "Rope", "quantity": 2, "tags": {"old": True}}, {"name": "Coin", "quantity": 9}],
        "roles": ["scout", "healer"],
        "a/b": {"~": 1.0},
        "none": None,
    }
}


def holds(**check: Any) -> bool:
    return Check.model_validate({"document": "characters/a.json", **check}).holds(STATE)


@pytest.mark.parametrize(
    ("at", "equals", "expected"),
    [
        ("/hp", 8, True),
        ("/hp", 8.0, True),
        ("/hp", 9, False),
        ("/hp", "8", False),
        ("/is_up", True, True),
        ("/is_up", 1, False),
        ("/none", None, True),
        ("/hp", None, False),
        ("/missing", None, False),
        ("/inventory/1/name", "Coin", True),
        ("/inventory/2/name", "Coin", False),
        ("/inventory/-1/name", "Coin", False),
        ("/a~1b/~0", 1, True),
        ("/roles", ["scout", "healer"], True),
        ("/roles", ["healer", "scout"], False),
        ("/roles/0/0", "s", False),
    ],
)
def test_a_value_is_itself_and_nothing_that_only_looks_like_it(at: str, equals: Any, expected: bool) -> None:
    assert holds(at=at, equals=equals) is expected


@pytest.mark.parametrize(
    ("check", "expected"),
    [
        ({"at": "/hp", "at_least": 8}, True),
        ({"at": "/hp", "at_least": 8.5}, False),
        ({"at": "/hp", "at_most": 8}, True),
        ({"at": "/hp", "at_least": 1, "at_most": 7}, False),
        ({"at": "/name", "at_least": 0}, False),
        ({"at": "/is_up", "at_least": 0}, False),
        ({"at": "/inventory", "includes": {"name": "Rope"}}, True),
        ({"at": "/inventory", "includes": {"name": "Rope", "quantity": 2}}, True),
        ({"at": "/inventory", "includes": {"name": "Rope", "quantity": 9}}, False),
        ({"at": "/inventory", "includes": {"tags": {"old": True}}}, True),
        ({"at": "/inventory", "includes": {"nothing": None}}, False),
        ({"at": "/roles", "includes": "scout"}, True),
        ({"at": "/roles", "includes": "thief"}, False),
        ({"includes": {"hp": 8}}, True),
        ({"at": "/hp", "exists": True}, True),
        ({"at": "/none", "exists": True}, True),
        ({"at": "/missing", "exists": True}, False),
        ({"at": "/missing", "exists": False}, True),
        ({"at": "/hp", "exists": False}, False),
        ({"document": "characters/b.json", "exists": False}, True),
        ({"document": "characters/b.json", "at": "/hp", "at_least": 0}, False),
    ],
)
def test_each_comparison_holds_where_it_should(check: dict[str, Any], expected: bool) -> None:
    assert holds(**check) is expected


@pytest.mark.parametrize(
    "check",
    [{}, {"at": "/hp"}, {"at": "hp", "equals": 8}, {"exists": False, "equals": 8}, {"at_least": "8"}, {"is": 8}],
)
def test_a_check_that_makes_no_sense_is_refused(check: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        holds(**check)


keys = st.text(alphabet="ab/~01", max_size=3)
values = st.recursive(
    st.none() | st.integers(0, 3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=3),
    max_leaves=8,
)


@given(values, st.lists(keys, max_size=4))
def test_pointers_lead_where_the_standard_says(value: Any, parts: list[str]) -> None:
    pointer = jsonpointer.JsonPointer.from_parts(parts)
    try:
        expected = pointer.resolve(value)
    except jsonpointer.JsonPointerException:
        expected = _MISSING
    found = value_at(value, pointer.path)
    assert found is expected or found == expected
