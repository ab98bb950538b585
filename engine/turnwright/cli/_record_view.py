"""One record of the log on one line, for a reader who decides about it or looks for it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from turnwright.cli._output import safe
from turnwright.model.knowledge import Knowledge

if TYPE_CHECKING:
    from turnwright.model.wire.shapes import Record

_MAX_TEXT = 80
_TURNS = ("turn", "attempt")


def record_in_short(record: Record, knowledge: Knowledge) -> str:
    """Return what a record says and does, in the words of the story."""
    return "; ".join(_parts(record, knowledge)) if record["kind"] in _TURNS else change_in_short(record)


def change_in_short(record: Record) -> str:
    """Return what a record that is no turn did, in a few words."""
    kind = record["kind"]
    if kind == "undo":
        return f"took back record {safe(record['undone_from'])} and what followed"
    if kind == "settings":
        return safe(", ".join(f"{key} = {value}" for key, value in record["patch"].items()))
    if kind == "fork":
        return safe(f"from record {record['parent_seq']} of {record['parent_id']}")
    if kind == "new":
        return safe(record["campaign_id"])
    if kind == "migrate":
        return f"from format {record['from']} to {record['to']}"
    if kind == "session":
        return safe(record["session"])
    return safe(", ".join(record["changes"]))


def _parts(record: Record, knowledge: Knowledge) -> Iterator[str]:
    from turnwright.rulesets.story import describe_action

    said, told = record.get("user_input"), record.get("assistant_text")
    done = [describe_action(action, knowledge, record) for action in record["applied_actions"]]
    if said:
        yield f'"{_cut(said)}"'
    yield from (safe(words) for words in done if words)
    if told and not any(done):
        yield f"told: {_cut(told)}"
    if not said and not told and not any(done):
        yield f"nothing was done ({safe(record['status'])})"


def _cut(text: str) -> str:
    words = " ".join(text.split())
    return safe(words if len(words) <= _MAX_TEXT else f"{words[: _MAX_TEXT - 3].rstrip()}...")
