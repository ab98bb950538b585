"""When two values of a document are the same."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from turnwright.model.campaign import CAMPAIGN_PATH, CREW_PATH
from turnwright.model.documents import DocumentTable
from turnwright.model.strict_json import canonical
from turnwright.store.documents import document_from


def same_document(path: str, one: Any, other: Any, kinds: DocumentTable) -> bool:
    """Return whether two values of a document are the same once what they leave out is filled in."""
    if one is other or canonical(one) == canonical(other):
        return True
    return canonical(_filled(path, one, kinds)) == canonical(_filled(path, other, kinds))


def same_but_for_ids(path: str, one: Any, other: Any, kinds: DocumentTable) -> bool:
    """Return whether an undo may lead from one value to the other.

    A campaign keeps its id, its counters and its rulesets, a request that is open again has a new id, and prompts are
    counted on.
    """
    if isinstance(one, dict) and isinstance(other, dict):
        if path == CAMPAIGN_PATH:
            kept = ("id", "counters", "rulesets")
            one = {key: value for key, value in one.items() if key not in kept}
            one |= {key: other[key] for key in kept if key in other}
        elif path == CREW_PATH:
            one = _asked_as(_counted_as(one, other.get("awaiting")), other.get("request"))
    return same_document(path, one, other, kinds)


def _counted_as(crew: Mapping[str, Any], awaiting: Any) -> Mapping[str, Any]:
    """Return a crew whose prompt has the number of another one's."""
    before = crew.get("awaiting")
    if not isinstance(before, dict) or not isinstance(awaiting, dict) or "prompt_id" not in awaiting:
        return crew
    return {**crew, "awaiting": before | {"prompt_id": awaiting["prompt_id"]}}


def _asked_as(crew: Mapping[str, Any], request: Any) -> dict[str, Any]:
    """Return a crew whose open request has the id of another one."""
    before, pending = crew.get("request"), crew.get("pending_outcome")
    if not isinstance(before, dict) or not isinstance(request, dict):
        return dict(crew)
    new = {"request": before | {"id": request.get("id")}}
    if isinstance(pending, dict) and pending.get("request_id") == before.get("id"):
        new["pending_outcome"] = pending | {"request_id": request.get("id")}
    return {**crew, **new}


def _filled(path: str, value: Any, kinds: DocumentTable) -> Any:
    document = None if value is None else document_from(path, value, kinds)[0]
    return document.value() if document else value
