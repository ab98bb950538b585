"""Locate a part of a value that JSON cannot hold, so that a program can repair it.

Source: docs/stages/1-intake.md, "What is read".
"""

from collections.abc import Iterable
from typing import Any, NamedTuple

from turnwright.model.strict_json import json_fault


class JsonFault(NamedTuple):
    """Why a value is not JSON by the engine's rules.

    Attributes:
        why: the reason, in words.
        path: the keys and indexes that lead to it; empty for the value as a whole.
    """

    why: str
    path: tuple[str | int, ...] = ()


def find_json_fault(value: Any) -> JsonFault | None:
    """Return the first thing in a value that is not JSON, or None; `json_fault` says faster whether there is one.

    The value must not be nested too deeply. A key that is none is a fault of the object that has it.
    """
    why = json_fault(value)
    if why is None:
        return None
    path: list[str | int] = []
    while (step := _faulty_step(value)) is not None:
        path.append(step)
        value = value[step]
    if type(value) is dict:
        return JsonFault(json_fault(dict.fromkeys(value)) or why, tuple(path))
    return JsonFault(json_fault(value) or why, tuple(path))


def _faulty_step(node: Any) -> str | int | None:
    """Return what leads from a node to the first child with a fault in it."""
    children: Iterable[tuple[Any, Any]] = ()
    if type(node) is dict:
        children = ((key, child) for key, child in node.items() if type(key) is str and json_fault(key) is None)
    elif type(node) is list:
        children = enumerate(node)
    return next((step for step, child in children if json_fault(child) is not None), None)
