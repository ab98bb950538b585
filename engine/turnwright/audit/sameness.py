"""When two values of a document are the same."""

from __future__ import annotations

from typing import Any

from turnwright.model.campaign import CAMPAIGN_PATH
from turnwright.model.strict_json import canonical
from turnwright.store.documents import document_from


def same_document(path: str, one: Any, other: Any) -> bool:
    """Return whether two values of a document are the same once what they leave out is filled in."""
    if one is other:
        return True
    return canonical(one) == canonical(other) or canonical(_filled(path, one)) == canonical(_filled(path, other))


def same_but_for_ids(path: str, one: Any, other: Any) -> bool:
    """Return whether an undo may lead from one value to the other: a campaign keeps its id and its counters."""
    if path != CAMPAIGN_PATH or not isinstance(one, dict) or not isinstance(other, dict):
        return same_document(path, one, other)
    kept = {key: other[key] for key in ("id", "counters") if key in other}
    return same_document(path, one | kept, other)


def _filled(path: str, value: Any) -> Any:
    document = None if value is None else document_from(path, value)[0]
    return document.value() if document else value
