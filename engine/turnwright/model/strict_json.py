"""JSON as the protocol reads and writes it: strict in, one spelling out.

Source: docs/stages/1-intake.md, "What is read".
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Collection, Iterator, Mapping
from itertools import accumulate
from typing import Any, NoReturn

from pydantic_core import from_json, to_json

from turnwright.model.json_types import JsonObject

MAX_INT = 2**53
"""The largest integer that every JSON reader holds exactly."""
MAX_DEPTH = 64
"""Default maximum nesting depth."""
_MAX_ANY_DEPTH = 500
"""Maximum nesting depth without a given limit: interpreters differ in what they can parse."""


class JsonError(ValueError):
    """A text or value is not JSON by the engine's rules; the message says where and why."""


class TooLarge(JsonError):
    """A value that nests too deeply, or would be too long as JSON text."""


def parse_json(data: bytes | str, *, max_bytes: int | None = None, max_depth: int | None = None) -> Any:
    """Parse UTF-8 JSON text strictly.

    Refused beside what JSON itself refuses: a byte order mark, bytes that are not UTF-8, lone surrogates,
    duplicate keys, NaN and Infinity (also spelled as a number too large for a float), and anything beyond the limits.

    Args:
        data: the text, as bytes from a file or as a string.
        max_bytes: the longest text that is looked at, in bytes; None for no limit.
        max_depth: the deepest nesting of arrays and objects; None for 500.

    Raises:
        JsonError: with a message that names the rule and, where there is one, line and column.
    """
    data = _encode(data)
    if max_bytes is not None and len(data) > max_bytes:
        raise JsonError(f"longer than {max_bytes} bytes")
    brackets = data.count(b"{") + data.count(b"[") if max_depth is not None else 0
    if max_depth is not None and brackets > _MANY_BRACKETS and _opens_more_than(max_depth, data):
        raise JsonError(f"nested more than {max_depth} deep")
    value = _parse_plain(data)
    if value is _NOT_PLAIN:
        value = parse_by_rules(data)
    if max_depth is not None and max_depth < brackets <= _MANY_BRACKETS and deeper_than(value, max_depth):
        raise JsonError(f"nested more than {max_depth} deep")
    return value


def _encode(data: bytes | str) -> bytes:
    try:
        return data if isinstance(data, bytes) else data.encode()
    except UnicodeEncodeError:
        raise JsonError("holds a lone surrogate") from None


_NOT_PLAIN = object()
_WHITESPACE = b" \t\n\r"


def _parse_plain(data: bytes) -> Any:
    """Return the value of a text that round-trips unchanged except for whitespace: such text breaks no rule.

    It has no duplicate keys, every number is exact, all is UTF-8. Other text is undecided; compiled code parses this
    kind several times faster.
    """
    try:
        value = from_json(data, allow_inf_nan=False, cache_strings="keys")
        text = to_json(value)
    except ValueError:
        return _NOT_PLAIN
    is_plain = text == data or text.translate(None, _WHITESPACE) == data.translate(None, _WHITESPACE)
    return value if is_plain else _NOT_PLAIN


def parse_by_rules(data: bytes) -> Any:
    """Parse UTF-8 JSON text rule by rule, as `parse_json` does where it has to; the limits are its own.

    Raises:
        JsonError: with a message that names the rule.
    """
    if data.startswith(b"\xef\xbb\xbf"):
        raise JsonError("begins with a byte order mark; save it as UTF-8 without one")
    try:
        text = data.decode()
        if _opens_more_than(_MAX_ANY_DEPTH, data):
            raise JsonError("nested too deeply")
        value = _STRICT.decode(text)
    except UnicodeDecodeError as error:
        raise JsonError(f"not UTF-8 (byte {error.start}); save it as UTF-8") from None
    except json.JSONDecodeError as error:
        if b"\0" in data.strip(b"\0"):
            raise JsonError("holds zero bytes, as UTF-16 does; save it as UTF-8") from None
        why, error = _explained(error)
        raise JsonError(f"not JSON: {why} (line {error.lineno}, column {error.colno})") from None
    except RecursionError:
        raise JsonError("nested too deeply") from None
    except JsonError:
        raise
    except ValueError:
        raise JsonError("a number has too many digits") from None
    if "\\u" in text:
        _refuse_surrogates(value)
    return value


def _explained(error: json.JSONDecodeError) -> tuple[str, json.JSONDecodeError]:
    """Return what is wrong with a text, and where; a trailing comma alike with every version of Python."""
    text, at = error.doc, error.pos
    if error.msg.startswith("Illegal trailing comma"):  # Python 3.13 and newer, at the comma
        at = len(text) - len(text[at + 1 :].lstrip())
    is_comma = text[:at].rstrip().endswith(",") and text[at : at + 1] in ("}", "]")
    if not is_comma:
        return error.msg, error
    return "a comma stands before the closing bracket", json.JSONDecodeError(error.msg, text, at)


def _unique(pairs: list[tuple[str, Any]]) -> JsonObject:
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


_MANY_BRACKETS = 10_000
"""Text of more is looked at before it is parsed: making that many objects takes longer than finding out is worth."""
_STEPS = bytes(1 if char in b"[{" else 255 if char in b"]}" else 0 for char in range(256))
_NO_BRACKETS = bytes(set(range(256)) - set(b"[]{}"))
_AT_A_TIME = 1 << 16


def _opens_more_than(limit: int, data: bytes) -> bool:
    """Return whether so many arrays and objects are open at once, going by brackets outside of strings alone."""
    data = data.replace(rb"\\", b"").replace(rb"\"", b"")
    steps = memoryview(b"".join(data.split(b'"')[::2]).translate(_STEPS, _NO_BRACKETS)).cast("b")
    depth = 0
    for start in range(0, len(steps), _AT_A_TIME):
        depths = list(accumulate(steps[start : start + _AT_A_TIME], initial=depth))
        if max(depths) > limit:
            return True
        depth = depths[-1]
    return False


def deeper_than(value: Any, limit: int) -> bool:
    """Return whether arrays and objects nest deeper than a limit; a cyclic value does.

    Shared values on a level are followed once. Only plain lists and dicts are containers: others are not JSON.
    """
    level = [value] if type(value) in _CONTAINERS else []
    depth = 0
    while level:
        depth += 1
        if depth > limit:
            return True
        inner = (child for node in level for child in _children(node) if type(child) in _CONTAINERS)
        level = list({id(child): child for child in inner}.values())
    return False


def size_fault(value: Any, *, max_depth: int, max_bytes: int) -> str | None:
    """Return why a value nests too deeply or is surely too long as JSON text, or None; it need not be JSON."""
    if deeper_than(value, max_depth):
        return f"nested more than {max_depth} deep"
    return f"longer than {max_bytes} bytes" if longer_than(value, max_bytes) else None


_CONTAINERS = frozenset({dict, list})


def _children(node: Any) -> Any:
    return node.values() if type(node) is dict else node


def longer_than(value: Any, limit: int) -> bool:
    """Return whether the JSON text of a value is certainly longer than so many bytes, without writing it.

    Shared values count as often as they would be written. The value must not be cyclic.
    """
    level: dict[int, tuple[Any, int]] = {0: ([value], 1)}
    size = -1  # after the value itself comes nothing
    while level:
        inner: dict[int, tuple[Any, int]] = {}
        for node, times in level.values():
            for child in (*node, *node.values()) if type(node) is dict else node:
                kind = type(child)
                if kind in _CONTAINERS:
                    inner[id(child)] = child, times + inner.get(id(child), (child, 0))[1]
                size += times * _least_size(kind, child)
            if size > limit:
                return True
        level = inner
    return False


def _least_size(kind: type, node: Any) -> int:
    """Return a bound of what a node takes, with what parts it from the next."""
    if kind is str:
        return len(node) + 3
    return max(2, int(node.bit_length()) // 4) if kind is int else 2


def _refuse_surrogates(value: Any) -> None:
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise JsonError("holds a lone surrogate") from None


def json_fault(value: Any, max_depth: int = MAX_DEPTH) -> str | None:
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
    """Yield every node, keys included; shared nodes are walked once."""
    stack = [value]
    walked: set[int] = set()
    while stack:
        node = stack.pop()
        yield node
        if type(node) not in _CONTAINERS or id(node) in walked:
            continue
        walked.add(id(node))
        if type(node) is dict:
            stack.extend(key if type(key) is str else _BadKey for key in node)
        stack.extend(_children(node))


_ALL_DIGITS_ALIKE = bytes.maketrans(b"123456789", b"000000000")
_MANY_DIGITS = b"0" * 16


def may_hold_large_integer(data: bytes) -> bool:
    """Return whether JSON text could hold an integer beyond 2**53, which has sixteen digits."""
    return _MANY_DIGITS in data.translate(_ALL_DIGITS_ALIKE)


class _BadKey:
    """Represents an object key that is not a string."""


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
    return "an object key is not a string" if node is _BadKey else f"a {type_name(node)} is not JSON"


def type_name(value: Any) -> str:
    """Return the name of a value's type, whatever that type says of itself."""
    return str(type.__dict__["__name__"].__get__(type(value)))[:100]


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


def reread(written: bytes) -> Any:
    """Return what `compact` has written."""
    return from_json(written)


def checked_copy(value: Any, *, max_depth: int, max_bytes: int) -> Any:
    """Return a deep copy of a value received through the Python API.

    Raises:
        TooLarge: when it is beyond a limit; its length is only estimated, from below.
        JsonError: when it is not JSON.
    """
    if fault := size_fault(value, max_depth=max_depth, max_bytes=max_bytes):
        raise TooLarge(fault)
    if fault := json_fault(value):
        raise JsonError(fault)
    return copied(value)


def measured_hash(value: Any) -> tuple[str, int]:
    """Return the SHA-256 of the canonical spelling of a JSON value, and the length of that in bytes."""
    text = canonical(value).encode()
    return hashlib.sha256(text).hexdigest(), len(text)


def copied(value: Any) -> Any:
    """Return a deep copy of JSON."""
    return reread(compact(value))  # by compiled code: results may have thousands of parts


def texts_in(value: Any, but: Collection[str] = ()) -> Iterator[str]:
    """Yield every text in a JSON value, keys of objects among them, but nothing that stands under some keys."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        yield from value
        for key, each in value.items():
            if key not in but:
                yield from texts_in(each, but)
    elif isinstance(value, list):
        for each in value:
            yield from texts_in(each, but)


def sorted_json(value: Any) -> Any:
    """Return the value with the keys of every object in it sorted."""
    if isinstance(value, Mapping):
        return {key: sorted_json(value[key]) for key in sorted(value)}
    if isinstance(value, (list, tuple)):
        return [sorted_json(item) for item in value]
    return value
