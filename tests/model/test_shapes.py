"""The typed dicts of the wire against the models of the same: their keys, and which of these may be absent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from turnwright.model.wire import log_record, reply, shapes
from turnwright.model.wire.reply import Written

ABSENT_IN_A_PROJECTION = {"args"}
"""Keys of actions that players do not see."""
PAIRS: Sequence[tuple[type, type[Written]]] = [
    (shapes.Hint, reply.Hint),
    (shapes.Correction, reply.Correction),
    (shapes.AppliedAction, reply.Action),
    (shapes.FailedCall, reply.FailedCall),
    (shapes.ToolFeedback, reply.ToolFeedback),
    (shapes.Finding, reply.Finding),
    (shapes.ConflictReport, reply.ConflictReport),
    (shapes.RecordedEvent, reply.Event),
    (shapes.StateSummary, reply.StateSummary),
    (shapes.ProblemEntry, reply.ProblemEntry),
    (shapes.CommandFailure, reply.CommandError),
]
RECORDS: Sequence[type[Written]] = [
    log_record.NewRecord,
    log_record.TurnRecord,
    log_record.AttemptRecord,
    log_record.EditRecord,
    log_record.SettingsRecord,
    log_record.UndoRecord,
    log_record.ForkRecord,
    log_record.SessionRecord,
    log_record.MigrateRecord,
]


def keys_of(models: Sequence[type[Written]]) -> tuple[set[str], set[str]]:
    """Return all keys of some models, and those that each of them always has."""
    fields: list[Mapping[str, Any]] = [model.model_fields for model in models]
    names = [{field.alias or name for name, field in each.items()} for each in fields]
    needed = [{field.alias or name for name, field in each.items() if field.is_required()} for each in fields]
    return set().union(*names), set.intersection(*needed)


@pytest.mark.parametrize(("shape", "model"), PAIRS, ids=lambda each: each.__name__)
def test_a_shape_has_the_keys_of_its_model(shape: Any, model: type[Written]) -> None:
    every, needed = keys_of([model])
    assert set(shape.__annotations__) == every
    assert set(shape.__required_keys__) == needed - ABSENT_IN_A_PROJECTION


def test_a_record_has_the_keys_of_all_kinds_of_records() -> None:
    every, needed = keys_of(RECORDS)
    assert set(shapes.Record.__annotations__) == every
    assert set(shapes.Record.__required_keys__) == needed - {"timestamp"}, (
        "the head of a record is made before its time is known"
    )


def test_a_reply_has_the_keys_of_taken_and_refused_ones() -> None:
    every, needed = keys_of([reply.TakenReply, reply.RefusedReply])
    assert set(shapes.Reply.__annotations__) == every | {"hints"}, "what a player sees of a refusal may hold several"
    assert set(shapes.Reply.__required_keys__) == needed
