"""Dice that a call gives itself: people throw them at their table, and a model has none.

Source: docs/toolkit.md, "Rolls".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from turnwright.model import hint
from turnwright.model.reason import CallFailed, Reason
from turnwright.stages.spelling import snake
from turnwright.tools.argument_schema import is_given_dice


def refuse_given_dice(args: Mapping[str, Any]) -> None:
    """Check 3, for the turns of models: no argument, in whatever spelling or item of a batch, gives what dice showed.

    Raises:
        CallFailed: `not_permitted`; its hint takes the first one away.
    """
    field = next(_given(args, "args"), None)
    if field is not None:
        detail = f"{field}: a model gives no dice; the engine throws them"
        raise CallFailed(Reason.NOT_PERMITTED, detail, hint.remove(field))


def _given(node: Any, where: str) -> Iterator[str]:
    if isinstance(node, Mapping):
        for key, value in node.items():
            if is_given_dice(snake(key)) and value not in (None, []):
                yield f"{where}.{key}"
            yield from _given(value, f"{where}.{key}")
    elif isinstance(node, list):
        for place, item in enumerate(node):
            yield from _given(item, f"{where}.{place}")
