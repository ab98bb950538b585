"""JSON Patch (RFC 6902): the difference between two values of a document, and its application.

Only `add`, `remove` and `replace` are made, and only these are applied. Source: docs/stages/5-commit.md, "Changes".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from turnwright.model.json_types import JsonObject

if TYPE_CHECKING:
    from turnwright.model.wire.shapes import Operation

_KINDS = frozenset({"add", "remove", "replace"})
_INDEX = r"0|[1-9][0-9]*"
_MAX_GONE = 4
"""Maximum number of items searched for that left an array at the front; bounds the running time."""


class PatchError(ValueError):
    """A patch that does not fit the value it is applied to."""


def diff(old: Any, new: Any) -> list[Operation]:
    """Return the operations that turn `old` into `new`; None stands for a document that does not exist."""
    if old is None:
        return [] if new is None else [{"op": "add", "path": "", "value": new}]
    if new is None:
        return [{"op": "remove", "path": ""}]
    operations: list[Operation] = []
    _compare(old, new, "", operations)
    return operations


def _compare(old: Any, new: Any, path: str, out: list[Operation]) -> None:
    if type(old) is dict and type(new) is dict:
        _compare_objects(old, new, path, out)
    elif type(old) is list and type(new) is list:
        _compare_arrays(old, new, path, out)
    elif not _same(old, new):
        out.append({"op": "replace", "path": path, "value": new})


def _compare_objects(old: JsonObject, new: JsonObject, path: str, out: list[Operation]) -> None:
    for key in sorted(old.keys() - new.keys()):
        out.append({"op": "remove", "path": f"{path}/{_escape(key)}"})
    changed = [key for key, value in new.items() if key not in old or old[key] is not value]
    for key in sorted(changed):
        value = new[key]
        if key not in old:
            out.append({"op": "add", "path": f"{path}/{_escape(key)}", "value": value})
        else:
            _compare(old[key], value, f"{path}/{_escape(key)}", out)


def _compare_arrays(old: Sequence[Any], new: Sequence[Any], path: str, out: list[Operation]) -> None:
    """Keep the common head and tail; between them replace pairwise, then add or remove the surplus.

    Items that only shifted, as in a list of the last few, are kept as well.
    """
    if gone := _gone(old, new):
        out.extend({"op": "remove", "path": f"{path}/{index}"} for index in reversed(range(gone)))
        for index in range(len(old) - gone, len(new)):
            out.append({"op": "add", "path": f"{path}/{index}", "value": new[index]})
        return
    shorter = min(len(old), len(new))
    head = 0
    while head < shorter and _same(old[head], new[head]):
        head += 1
    tail = 0
    while tail < shorter - head and _same(old[-1 - tail], new[-1 - tail]):
        tail += 1
    paired = shorter - head - tail
    for index in range(head, head + paired):
        _compare(old[index], new[index], f"{path}/{index}", out)
    for index in reversed(range(head + paired, len(old) - tail)):
        out.append({"op": "remove", "path": f"{path}/{index}"})
    for index in range(head + paired, len(new) - tail):
        out.append({"op": "add", "path": f"{path}/{index}", "value": new[index]})


def _gone(old: Sequence[Any], new: Sequence[Any]) -> int:
    """Return how many items, at most a few, left an array at the front while all others, and more, stayed."""
    if not old or not new or _same(old[0], new[0]):
        return 0
    for gone in range(1, min(_MAX_GONE, (len(old) - 1) // 2) + 1):
        if len(old) - gone <= len(new) and all(map(_same, old[gone:], new)):
            return gone
    return 0


def _same(left: Any, right: Any) -> bool:
    """Compare as JSON is written: unlike in Python, 1, 1.0 and true differ, and so do 0.0 and -0.0."""
    if left is right:
        return True
    if type(left) is not type(right):
        return False
    if type(left) is dict:
        return left.keys() == right.keys() and all(
            _same(value, right[key]) for key, value in left.items() if value is not right[key]
        )
    if type(left) is list:
        return len(left) == len(right) and all(map(_same, left, right))
    return bool(left == right) and (type(left) is not float or repr(left) == repr(right))


def _escape(key: str) -> str:
    return key.replace("~", "~0").replace("/", "~1")


def apply(value: Any, operations: Iterable[Operation]) -> Any:
    """Return `value` with the operations applied; the value given is left as it was.

    Raises:
        PatchError: when an operation names a place that is not there.
    """
    for operation in operations:
        kind, path = operation.get("op"), operation.get("path")
        try:
            value = _applied(value, _tokens(path), operation)
        except (KeyError, IndexError, ValueError, TypeError) as error:
            raise PatchError(f"{kind} {path or '(whole document)'} does not fit") from error
    return value


def _tokens(path: Any) -> list[str]:
    if not isinstance(path, str) or path[:1] not in ("", "/"):
        raise ValueError(path)
    return [token.replace("~1", "/").replace("~0", "~") for token in path.split("/")[1:]]


def _applied(node: Any, tokens: Sequence[str], operation: Operation) -> Any:
    """Return a copy of `node` with one operation done; only the nodes along the path are copied."""
    kind = operation["op"]
    if kind not in _KINDS:
        raise ValueError(kind)
    if not tokens:
        if (kind == "add") != (node is None):
            raise ValueError(kind)
        return None if kind == "remove" else operation["value"]
    key, rest = tokens[0], tokens[1:]
    if isinstance(node, list):
        return _applied_to_array(node, key, rest, operation)
    if not isinstance(node, dict):
        raise TypeError(key)
    changed = dict(node)
    if rest:
        changed[key] = _applied(node[key], rest, operation)
    elif kind == "remove":
        del changed[key]
    elif kind == "replace" and key not in node:
        raise KeyError(key)
    else:
        changed[key] = operation["value"]
    return changed


def _applied_to_array(node: list[Any], key: str, rest: Sequence[str], operation: Operation) -> list[Any]:
    if not re.fullmatch(_INDEX, key, re.ASCII):
        raise ValueError(key)
    index = int(key)
    if index > len(node) - (operation["op"] != "add" or bool(rest)):
        raise IndexError(key)
    changed = list(node)
    if rest:
        changed[index] = _applied(node[index], rest, operation)
    elif operation["op"] == "add":
        changed.insert(index, operation["value"])
    elif operation["op"] == "remove":
        del changed[index]
    else:
        changed[index] = operation["value"]
    return changed
