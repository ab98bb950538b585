"""Data files that come with the package: words and tables that people may want to read and extend."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Any


@cache
def load(name: str) -> Any:
    """Return what `data/<name>.yaml` holds, read once; maps and lists come as read-only maps and tuples."""
    from importlib import resources

    from ruamel.yaml import YAML  # takes longer to import than most turns take

    text = resources.files("turnwright").joinpath("data", f"{name}.yaml").read_text(encoding="utf-8")
    return _frozen(YAML(typ="safe", pure=True).load(text))


def _frozen(value: Any) -> Any:
    if isinstance(value, Mapping):
        return MappingProxyType({key: _frozen(item) for key, item in value.items()})
    return tuple(map(_frozen, value)) if isinstance(value, list) else value
