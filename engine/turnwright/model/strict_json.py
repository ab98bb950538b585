"""JSON as the protocol reads and writes it: strict in, one spelling out.

Source: docs/stages/1-intake.md, "What is read".
"""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Iterator, Mapping
from typing import Any, NoReturn

from pydantic_core import to_json

MAX_INT = 2**53
"""The largest integer that every JSON reader holds exactly."""


class JsonError(ValueError):
    """Text that is not JSON by our rules; the message says where and why."""


def parse_json(data: bytes | str, *, max_bytes: int | None = None, max_depth: int | None = None) -> Any:
    """Parse UTF-8 JSON text strictly.

    Refused beside what JSON itself refuses: a byte order mark, bytes that are not UTF-8, lone surrogates,
    duplicate keys, NaN and Infinity (also spelt as a number too large for a float), and anything beyond the limits.

    Args:
        data: the text, as bytes from a file or as a string.
        max_bytes: the longest text that is looked at, in bytes; None for no limit.
        max_depth: the deepest nesting of arrays and objects; None for the interpreter's own limit.

    Raises:
        JsonError: with a message that names the rule and, where there is one, line and column.
    """
    text = _decode(data, max_bytes)
    try:
        value = _STRICT.decode(text)
    except json.JSONDecodeError as error:
        raise JsonError(f"not JSON: {error.msg} (line {error.lineno}, column {error.colno})") from None
    except RecursionError:
        raise JsonError("nested too deeply") from None
    except JsonError:
        raise
    except ValueError:
        raise JsonError("a number has too many digits") from None
    if max_depth is not None and text.count("{") + text.count("[") > max_depth and deeper_than(value, max_depth):
        raise JsonError(f"nested more than {max_depth} deep")
    if "\\u" in text or "\\U" in text:
        _refuse_surrogates(value)
    return value


def _decode(data: bytes | str, max_bytes: int | None) -> str:
    if isinstance(data, str):
        try:
            data = data.encode()
        except UnicodeEncodeError:
            raise JsonError("holds a lone surrogate") from None
    if max_bytes is not None and len(data) > max_bytes:
        raise JsonError(f"longer than {max_bytes} bytes")
    if data.startswith(b"\xef\xbb\xbf"):
        raise JsonError("begins with a byte order mark; save it as UTF-8 without one")
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise JsonError(f"not UTF-8 (byte {error.start})") from None


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise JsonError(f"the key {json.dumps(key)} stands twice in one object")
            seen.add(key)
    return value


def _finite(text: str) -> float:
    value = float(text)
    if math.isinf(value):
        raise JsonError(f"the number {text[:40]} is too large")
    return value


def _constant(name: str) -> NoReturn:
    raise JsonError(f"{name} is not JSON")


_STRICT = json.JSONDecoder(object_pairs_hook=_unique, parse_float=_finite, parse_constant=_constant)


def deeper_than(value: Any, limit: int) -> bool:
    """Return whether arrays and objects nest deeper than a limit; a value that holds itself does."""
    level = [value] if isinstance(value, (dict, list)) else []
    depth = 0
    while level:
        depth += 1
        if depth > limit:
            return True
        level = [child for node in level for child in _children(node) if isinstance(child, (dict, list))]
    return False


def _children(node: Any) -> Any:
    return node.values() if isinstance(node, dict) else node


def _refuse_surrogates(value: Any) -> None:
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise JsonError("holds a lone surrogate") from None


def json_fault(value: Any, max_depth: int = 64) -> str | None:
    """Return why a Python value is not JSON by our rules, or None when it is.

    Unlike the text parser this also answers for values that came through the Python door. Integers beyond
    2**53 are faults here.
    """
    if deeper_than(value, max_depth):
        return f"nested more than {max_depth} deep"
    for node in _walk(value):
        fault = _scalar_fault(node)
        if fault:
            return fault
    return None


def _walk(value: Any) -> Iterator[Any]:
    """Yield every node, keys included."""
    stack = [value]
    while stack:
        node = stack.pop()
        yield node
        if type(node) is dict:
            stack.extend(key if type(key) is str else _BadKey for key in node)
            stack.extend(node.values())
        elif type(node) is list:
            stack.extend(node)


_MANY_DIGITS = rb"[0-9]{16}"


def may_hold_large_integer(data: bytes) -> bool:
    """Return whether JSON text could hold an integer beyond 2**53, which has sixteen digits."""
    return re.search(_MANY_DIGITS, data) is not None


class _BadKey:
    """Stands for an object key that is no string."""


def _scalar_fault(node: Any) -> str | None:
    kind = type(node)
    if node is None or kind is bool or kind is dict or kind is list:
        return None
    if kind is str:
        return None if node.isascii() or _encodes(node) else "holds a lone surrogate"
    if kind is int:
        return None if -MAX_INT <= node <= MAX_INT else "an integer lies beyond 2^53"
    if kind is float:
        return None if math.isfinite(node) else "NaN and Infinity are not JSON"
    return "an object key is not a string" if node is _BadKey else f"a {kind.__name__} is not JSON"


def _encodes(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def canonical(value: Any) -> str:
    """Return the one spelling of a JSON value that hashes and comparisons use: sorted keys, no spaces."""
    return _CANONICAL.encode(value)


_CANONICAL = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)


def compact(value: Any) -> bytes:
    """Return a log line's spelling: keys in the given order, no spaces, non-ASCII as it is, floats in shortest form."""
    return to_json(value)


def pretty(value: Any) -> bytes:
    """Return a document's spelling on disk: two-space indent and a final newline."""
    return to_json(value, indent=2) + b"\n"


def sha256(data: bytes | str) -> str:
    """Return the SHA-256 of bytes, or of a string's UTF-8, in hex."""
    return hashlib.sha256(data.encode() if isinstance(data, str) else data).hexdigest()


def sorted_json(value: Any) -> Any:
    """Return the value with the keys of every object in it sorted."""
    if isinstance(value, Mapping):
        return {key: sorted_json(value[key]) for key in sorted(value)}
    if isinstance(value, (list, tuple)):
        return [sorted_json(item) for item in value]
    return value
