"""Repairs a failed call as a program would that knows nothing but its hints: it answers no question."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

Json = Any


def repaired_by(call: Any, failure: Mapping[str, Any]) -> Json | None:
    """Return the call with all that a failure names, or None when it asks something, or names nothing."""
    hints = failure.get("hints") or [failure.get("hint", {})]
    for hint in hints:
        call = repaired(call, hint)
        if call is None:
            return None
    return call if isinstance(call, dict) else None


def repaired(call: Any, hint: Mapping[str, Any]) -> Json | None:
    """Return the call with the one change that the hint names, or None when it names none that can be made.

    `field` is a dotted path from the call, such as `args.to_area_id`.
    """
    if not isinstance(call, dict) or "field" not in hint:
        return None
    changed = copy.deepcopy(call)
    above: list[str]
    name: Any
    *above, name = hint["field"].split(".")
    place: Any = changed
    for step in above:
        place = _within(place, step)
    if isinstance(place, list) and name.isdecimal() and int(name) < len(place):
        name = int(name)
    elif not isinstance(place, dict):
        return None
    if hint.get("remove"):
        place.pop(name, None) if isinstance(place, dict) else place.pop(name)
        return changed
    if not hint.get("allowed"):
        return None
    place[name] = hint["allowed"][0]
    return changed


def _within(place: Any, step: str) -> Any:
    """Return what stands at a key of an object or at an index of a list, or None."""
    if isinstance(place, list):
        return place[int(step)] if step.isdecimal() and int(step) < len(place) else None
    return place.get(step) if isinstance(place, dict) else None
