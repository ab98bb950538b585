"""Changes to an input that keep it JSON, so that what lies behind the parser is reached, too."""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random
from typing import Any

from turnwright.model.campaign import CampaignDocument
from turnwright.model.character import Character
from turnwright.model.wire.turn import Turn
from turnwright.rulesets.registry import BUILT_IN

JSON_TARGETS = frozenset({"turn", "read", "directory", "one_file", "settings", "log", "character"})
_HEADED = frozenset({"directory", "log"})
"""Targets whose first byte is no part of the JSON."""
_MAX = 2**53
_WORDS = ("pc_001", "area_001", "area_999", "root", "con", "..", "~", "a/b", "alive", "dead", "move", "hp_delta", "gm")
_VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, 1, -1, 5, _MAX, _MAX + 1, -_MAX - 1, 10**30, 0.5, 1e300, -0.0),
    *("", " ", "\x00", "\x1b[2J", "\u202e", "é", "😀", "x" * 201, "a\nb", "\U0010ffff", *_WORDS),
    *([], {}, [[]], [None], {"": ""}, {"id": "a"}, ["a", "a"]),
)
_KEYS = (
    "",
    "id",
    "x_",
    "extra",
    *Turn.model_fields,
    *CampaignDocument.model_fields,
    *Character.model_fields,
    *BUILT_IN.settings,
)


def mutated(target: str, data: bytes, randomness: Random) -> bytes | None:
    """Return an input with one to four changes inside its JSON; None when it holds none."""
    if target not in JSON_TARGETS:
        return None
    head, body = (data[:1], data[1:]) if target in _HEADED else (b"", data)
    lines = body.split(b"\n") if target == "log" else [body]
    place = randomness.randrange(len(lines))
    try:
        value = json.loads(lines[place])
    except (ValueError, RecursionError):
        return None
    for _ in range(randomness.randint(1, 4)):
        value = _changed(value, randomness)
    try:
        lines[place] = json.dumps(value, ensure_ascii=False).encode(errors="surrogatepass")
    except (ValueError, RecursionError):
        return None
    if target == "log" and randomness.random() < 0.2:
        lines.insert(randomness.randrange(len(lines) + 1), randomness.choice(lines))
    return head + b"\n".join(lines)


def _changed(value: Any, randomness: Random) -> Any:
    """Walk down at random, and change something where the walk ends."""
    if isinstance(value, (dict, list)) and value and randomness.random() < 0.75:
        key = randomness.choice(list(value) if isinstance(value, dict) else range(len(value)))
        value[key] = _changed(value[key], randomness)
        return value
    return randomness.choice(_CHANGES)(value, randomness)


def _replaced(_: Any, randomness: Random) -> Any:
    return json.loads(json.dumps(randomness.choice(_VALUES)))


def _wrapped(value: Any, randomness: Random) -> Any:
    return [value] if randomness.random() < 0.5 else {randomness.choice(_KEYS): value}


def _more(value: Any, randomness: Random) -> Any:
    if isinstance(value, dict):
        value[randomness.choice(_KEYS)] = _replaced(None, randomness)
    elif isinstance(value, list):
        value.insert(randomness.randint(0, len(value)), value[0] if value else _replaced(None, randomness))
    elif isinstance(value, str):
        return value + randomness.choice(_WORDS)
    elif isinstance(value, (int, float)):
        return -value
    return value


def _less(value: Any, randomness: Random) -> Any:
    if isinstance(value, (dict, list)) and value:
        del value[randomness.choice(list(value) if isinstance(value, dict) else range(len(value)))]
    return value[: len(value) // 2] if isinstance(value, str) else value


_CHANGES: tuple[Callable[[Any, Random], Any], ...] = (_replaced, _replaced, _more, _more, _less, _wrapped)
