"""The fold of the log: records in, documents out.

Source: docs/stages/5-commit.md, "The log is the truth".
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING

from turnwright.model.state import patch

if TYPE_CHECKING:
    from turnwright.model.json_types import JsonObject
    from turnwright.model.wire.shapes import Changes, Record

Values = dict[str, "JsonObject"]
"""Documents as plain JSON, by path."""


def apply_changes(values: Values, changes: Changes, only: Collection[str] | None = None) -> None:
    """Bring `values` up to date with one record's `changes`, in place; `only` restricts the paths that are kept."""
    for path, operations in changes.items():
        if only is not None and path not in only:
            continue
        value = patch.apply(values.get(path), operations)
        if value is None:
            values.pop(path, None)
        else:
            values[path] = value


def fold(records: Iterable[Record], only: Collection[str] | None = None) -> Values:
    """Return the documents after these records, which begin with the first of the log."""
    values: Values = {}
    for record in records:
        apply_changes(values, record.get("changes", {}), only)
    return values
