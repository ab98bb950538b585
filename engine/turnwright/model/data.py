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
    """Return the content of a YAML text as plain maps and lists.

    Raises:
        ValueError: when it is not YAML, or a map has a key twice.
    """
    from ruamel.yaml import YAML  # takes longer to import than most turns take
    from ruamel.yaml.error import YAMLError

    try:
        return YAML(typ="safe", pure=True).load(text)
    except YAMLError as error:
        raise ValueError(str(error)) from error


def parsed_untrusted(text: str, max_depth: int) -> Any:
    """Return the content of an untrusted YAML text as plain maps, lists, texts, numbers, booleans and nulls.

    One document, without anchors, aliases, tags and merge keys: no node can be shared, instantiated or expanded. The
    caller must reject values outside JSON, such as dates (`strict_json.json_fault`).

    Raises:
        ValueError: when it is not such YAML, nests deeper than `max_depth`, or a map has a key twice.
    """
    from ruamel.yaml import YAML
    from ruamel.yaml.error import YAMLError

    try:
        _refuse_more_than_plain(YAML(typ="safe", pure=True).parse(text), max_depth)
        return YAML(typ="safe", pure=True).load(text)
    except YAMLError as error:
        raise ValueError(_explained(error)) from error
    except RecursionError:
        raise ValueError("nested too deeply") from None


def _refuse_more_than_plain(events: Iterable[Any], max_depth: int) -> None:
    """Refuse what a plain text of YAML does not need, event by event, before anything is made of it."""
    depth = documents = 0
    for event in events:
        kind, line = type(event).__name__, event.start_mark.line + 1
        documents += kind == "DocumentStartEvent"
        depth += kind.endswith("StartEvent") and kind[:3] in ("Map", "Seq")
        depth -= kind.endswith("EndEvent") and kind[:3] in ("Map", "Seq")
        if kind == "AliasEvent" or getattr(event, "anchor", None) is not None:
            raise ValueError(f"anchors and aliases are not read (line {line})")
        if _has_tag(event):
            raise ValueError(f"tags are not read (line {line})")
        if documents > 1:
            raise ValueError(f"holds more than one document (line {line})")
        if depth > max_depth:
            raise ValueError(f"nested more than {max_depth} deep (line {line})")
        if kind == "ScalarEvent" and event.value == "<<":
            raise ValueError(f"merge keys are not read (line {line})")


def _has_tag(event: Any) -> bool:
    tag = getattr(event, "ctag", None) or getattr(event, "tag", None)
    return bool(tag) and str(tag) not in ("None", "")


def _explained(error: Any) -> str:
    """Return what is wrong with a text of YAML, and where, on one line."""
    problem, mark = getattr(error, "problem", None), getattr(error, "problem_mark", None)
    told = " ".join(str(problem or error).split("\n")[0].split())[:200]
    return f"not YAML: {told}" + (f" (line {mark.line + 1})" if mark is not None else "")


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
