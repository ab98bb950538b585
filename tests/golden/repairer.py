"""Repairs a failed call as a program would that knows nothing but its hint."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

Json = dict[str, Any]


def repaired(call: Any, hint: Mapping[str, Any]) -> Json | None:
    """Return the call with the one change that the hint names, or None when it names none that can be made.

    `field` is a dotted path from the call, such as `args.to_area_id`.
    """
    if not isinstance(call, dict) or "field" not in hint:
        return None
    changed = copy.deepcopy(call)
    *above, name = hint["field"].split(".")
    place: Any = changed
    for step in above:
        place = place.get(step) if isinstance(place, dict) else None
    if not isinstance(place, dict):
        return None
    if hint.get("remove"):
        place.pop(name, None)
        return changed
    if not hint.get("allowed"):
        return None
    place[name] = hint["allowed"][0]
    return changed
