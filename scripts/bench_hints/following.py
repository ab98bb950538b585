"""Do what hints say, as a program would that knows nothing else: repairs are made, questions are left alone."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

Json = Any
_TURN = "turn"
"""What the path of a field begins with that belongs to the turn and not to the call."""


def repairs(failed: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the repairs in the hints of a failed call, those of its batch items included."""
    return [one for one in _hints(failed) if one.get("remove") or one.get("allowed")]


def follow(turn: Mapping[str, Any], made: Sequence[Mapping[str, Any]]) -> Json | None:
    """Return a turn of one call with these repairs made in order, or None when there is nothing to make.

    Every repair speaks of the call as it was handed in, so what is taken out of a list is taken out last, from its end.
    """
    changed: Json = copy.deepcopy(dict(turn))
    last = [one for one in made if one.get("remove") and _is_item(changed, one["field"])]
    ordered = [one for one in made if one not in last]
    done = [_make(changed, one) for one in [*ordered, *sorted(last, key=_index, reverse=True)]]
    return changed if any(done) else None


def _hints(failed: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    hint = failed.get("hint") or {}
    if items := hint.get("items"):
        for item in items:
            yield from _hints(item)
    else:
        yield from failed.get("hints") or ([hint] if "field" in hint else [])


def _make(turn: Json, repair: Mapping[str, Any]) -> bool:
    """Make a repair where its field can be found; whether it could be."""
    *above, last = repair["field"].split(".")
    around = _place(turn, above)
    if isinstance(around, list):
        if not last.isdecimal() or int(last) > len(around):
            return False
        index = int(last)
        around[index : index + 1] = [] if repair.get("remove") else [copy.deepcopy(repair["allowed"][0])]
        return True
    if not isinstance(around, dict):
        return False
    if repair.get("remove"):
        around.pop(last, None)
    else:
        around[last] = copy.deepcopy(repair["allowed"][0])
    return True


def _place(turn: Json, path: Sequence[str]) -> Any:
    """Return what stands at a path; None where nothing does."""
    first, rest = (turn, path[1:]) if path[:1] == [_TURN] else (turn["tool_calls"][0], path)
    place: Any = first
    for step in rest:
        if isinstance(place, list):
            place = place[int(step)] if step.isdecimal() and int(step) < len(place) else None
        else:
            place = place.get(step) if isinstance(place, dict) else None
    return place


def _is_item(turn: Json, field: str) -> bool:
    return isinstance(_place(turn, field.split(".")[:-1]), list)


def _index(repair: Mapping[str, Any]) -> int:
    last = repair["field"].rpartition(".")[2]
    return int(last) if last.isdecimal() else 0
