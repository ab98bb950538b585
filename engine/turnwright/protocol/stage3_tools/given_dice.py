"""Dice that a call gives itself: people throw them at their table, and a model has none.

Source: docs/toolkit.md, "Rolls".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from turnwright.model.json_types import JsonObject
from turnwright.model.wire import hint
from turnwright.model.wire.reason import CallFailed, Reason
from turnwright.protocol.stage3_tools.normalize import snake
from turnwright.protocol.stage3_tools.repair.loose_json import read_loosely
from turnwright.rulesets.argument_schema import is_given_dice


def refuse_given_dice(args: JsonObject) -> None:
    """Check 3, for the turns of models: no argument, in whatever spelling or item of a batch, gives what dice showed.

    Raises:
        CallFailed: `not_permitted`; its hint takes the first one away.
    """
    field = next(_find_given_dice(args, "args"), None)
    if field is not None:
        detail = f"{field}: a model gives no dice; the engine throws them"
        raise CallFailed(Reason.NOT_PERMITTED, detail, hint.remove(field))


def _find_given_dice(node: Any, where: str) -> Iterator[str]:
    if isinstance(node, Mapping):
        for key, value in node.items():
            if _is_given(key) and value not in (None, []):
                yield f"{where}.{key}"
            yield from _find_given_dice(value, f"{where}.{key}")
    elif isinstance(node, list):
        for place, item in enumerate(node):
            yield from _find_given_dice(item, f"{where}.{place}")
    elif isinstance(node, str) and node.lstrip()[:1] in ("{", "["):
        yield from _find_given_dice(read_loosely(node).value, where)


def _is_given(key: Any) -> bool:
    """Return whether a key gives dice in whatever spelling."""
    return isinstance(key, str) and is_given_dice(snake(key).casefold().replace("-", "_").replace(" ", "_"))


def without_offered_dice(failure: CallFailed) -> CallFailed:
    """Return a failure as it is reported to a model: no hint offers it to give dice.

    A key that is not known and resembles one that gives some is still taken away; a value that holds some is asked
    about.
    """
    return failure.replace(hints=[kept for each in failure.hints if (kept := _without_dice(each)) is not None])


def _without_dice(told: hint.Hint) -> hint.Hint | None:
    if told.get("add") and _is_given(str(told.get("field")).rpartition(".")[2]):
        return None
    if next(_find_given_dice(told.get("allowed"), ""), None) is None:
        return told
    kept = told.copy()
    del kept["allowed"]
    return kept
