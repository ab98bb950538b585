"""When two values of a document are the same."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from turnwright.model.campaign import CAMPAIGN_PATH
from turnwright.model.strict_json import canonical
from turnwright.rulesets.lifetime import Restoration
from turnwright.store.document_table import DocumentTable, OpaqueDocument
from turnwright.store.documents import document_from


def same_document(path: str, one: Any, other: Any, kinds: DocumentTable) -> bool:
    """Return whether two values of a document are the same once what they leave out is filled in."""
    if one is other or canonical(one) == canonical(other):
        return True
    return canonical(_filled(path, one, kinds)) == canonical(_filled(path, other, kinds))


def same_when_restored(
    path: str, one: Any, other: Any, kinds: DocumentTable, restorations: Mapping[str, Restoration]
) -> bool:
    """Return whether an undo may lead from one value to the other.

    A campaign keeps its id, its counters and its rulesets; what else is kept, rulesets say for their documents.
    """
    if isinstance(one, dict) and isinstance(other, dict):
        if kinds.model_of(path) is OpaqueDocument:
            return True  # its ruleset is not installed, and may keep something of it
        if path == CAMPAIGN_PATH:
            kept = ("id", "counters", "rulesets")
            one = {key: value for key, value in one.items() if key not in kept}
            one |= {key: other[key] for key in kept if key in other}
        elif path in restorations:
            one = restorations[path].as_restored(one, other)
    return same_document(path, one, other, kinds)


def _filled(path: str, value: Any, kinds: DocumentTable) -> Any:
    document = None if value is None else document_from(path, value, kinds)[0]
    return document.value() if document else value
