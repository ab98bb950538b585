"""Data files that come with the package: words and tables that people may want to read and extend."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from types import MappingProxyType
from typing import Any


@cache
def load(name: str) -> Any:
    """Return what `data/<name>.yaml` holds, read once; maps and lists come as read-only maps and tuples."""
    return _frozen(parsed(text_of(name)))


def text_of(name: str) -> str:
    """Return the text of `data/<name>.yaml`."""
    from importlib import resources

    return resources.files("turnwright").joinpath("data", f"{name}.yaml").read_text(encoding="utf-8")


def parsed(text: str) -> Any:
    """Return what a YAML text holds, as plain maps and lists.

    Raises:
        ValueError: when it is no YAML, or a map has a key twice.
    """
    from ruamel.yaml import YAML  # takes longer to import than most turns take
    from ruamel.yaml.error import YAMLError

    try:
        return YAML(typ="safe", pure=True).load(text)
    except YAMLError as error:
        raise ValueError(str(error)) from error


def line_of(text: str, path: Iterable[Any]) -> int:
    """Return the line, from 1, of a place in a YAML text: of its last part that is there."""
    from ruamel.yaml import YAML

    node: Any = YAML(typ="rt", pure=True).load(text)
    line = 1
    for part in path:
        try:
            place = node.lc.item if isinstance(part, int) else node.lc.key
            line = place(part)[0] + 1
            node = node[part]
        except (AttributeError, KeyError, IndexError, TypeError):
            break
    return line


def _frozen(value: Any) -> Any:
    if isinstance(value, Mapping):
        return MappingProxyType({key: _frozen(item) for key, item in value.items()})
    return tuple(map(_frozen, value)) if isinstance(value, list) else value
