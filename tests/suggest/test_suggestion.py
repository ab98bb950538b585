"""A suggestion: what it may hold, and its label."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from turnwright.suggestions.suggestion import Label, RuleError, Suggestion, SuggestionSet, Suppressed, label_of


def made(**fields: Any) -> Suggestion:
    usual: dict[str, Any] = {"tool": "move", "intent": "travel", "reason": "on the way", "confidence": 0.7}
    usual["rule_id"] = "r14_travel"
    return Suggestion(**(usual | fields))


@pytest.mark.parametrize(
    "fields",
    [
        {"confidence": -0.01},
        {"confidence": 1.01},
        {"confidence": float("nan")},
        {"tool": ""},
        {"intent": ""},
        {"reason": ""},
        {"reason": "x" * 161},
        {"rule_id": ""},
        {"certainty": 1},
    ],
)
def test_a01_what_a_suggestion_cannot_be_is_refused(fields: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        made(**fields)


def test_a01_the_bounds_themselves_are_taken() -> None:
    assert (made(confidence=0.0).confidence, made(confidence=1.0).confidence) == (0, 1)
    assert len(made(reason="x" * 160).reason) == 160


@pytest.mark.parametrize(
    ("confidence", "label"),
    [
        (1.0, "highly recommended"),
        (0.8, "highly recommended"),
        (0.7996, "highly recommended"),
        (0.7994, "recommended"),
        (0.799, "recommended"),
        (0.5, "recommended"),
        (0.499, "optional"),
        (0.0, "optional"),
    ],
)
def test_a02_labels_begin_at_their_bounds(confidence: float, label: str) -> None:
    assert label_of(confidence).value == label
    assert made(confidence=confidence).label is Label(label)


def test_a_confidence_is_rounded_before_anything_is_compared() -> None:
    assert made(confidence=0.75 * 0.8).confidence == 0.6
    assert made(confidence=0.123456).confidence == 0.123


def test_the_operation_is_read_from_the_arguments() -> None:
    assert made(arguments={"operation": "give"}).operation == "give"
    assert made(arguments={"operation": 7}).operation is None
    assert made().operation is None


def test_what_is_shown_of_a_set_is_json_without_what_changes_from_run_to_run() -> None:
    found = SuggestionSet(
        (made(arguments={"to_area_id": "area_002"}, span=(0, 4)),),
        ("A note.",),
        (Suppressed("take_rest", "rest.short", "excluded_by:rest.long"),),
        (RuleError("r01_quest_accept", "RuntimeError: broken"),),
        "abc",
        "en",
    )
    assert found.as_json() == {
        "suggestions": [
            {
                "tool": "move",
                "intent": "travel",
                "reason": "on the way",
                "confidence": 0.7,
                "arguments": {"to_area_id": "area_002"},
                "rule_id": "r14_travel",
                "span": [0, 4],
                "label": "recommended",
            }
        ],
        "context_notes": ["A note."],
        "suppressed": [{"tool": "take_rest", "intent": "rest.short", "cause": "excluded_by:rest.long"}],
        "errors": [{"rule_id": "r01_quest_accept", "error": "RuntimeError: broken"}],
        "rules_version": "abc",
        "language": "en",
        "source": "heuristic",
    }
