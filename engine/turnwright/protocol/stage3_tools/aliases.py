"""Arguments of calls by an old name, made those of the tool that does it now.

Source: docs/toolkit.md, "Aliases".
"""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import BaseModel

from turnwright.model.json_types import JsonObject
from turnwright.model.wire import hint
from turnwright.model.wire.reason import CallFailed, Reason
from turnwright.protocol.stage3_tools.normalize import means, snake
from turnwright.rulesets.aliases import ALIASES, Alias


def batch_of(name: str, args: JsonObject) -> tuple[str | None, JsonObject]:
    """Return the argument that is a batch as it was written, or None, and the arguments; a batch of null is none.

    Args:
        name: what the tool was called by.
        args: the arguments as they came.

    Raises:
        CallFailed: `invalid_args`, when two are.
    """
    alias = ALIASES.get(name)
    names = {"batch": "batch", **(alias.rename if alias else {})}
    keys = [key for key in args if names.get(snake(key)) == "batch"]
    given = [key for key in keys if args[key] is not None]
    if len(given) > 1:
        old = next(key for key in given if key != "batch")
        raise CallFailed(Reason.INVALID_ARGS, f"args.{old}: stands beside batch", hint.remove(f"args.{old}"))
    absent = [key for key in keys if key not in given]
    rest = {key: value for key, value in args.items() if key not in absent} if absent else args
    return next(iter(given), None), rest


def canonicalize(name: str, model: type[BaseModel], args: JsonObject, where: str = "args") -> JsonObject:
    """Return the arguments of an old name as those of the tool that does it now.

    Raises:
        CallFailed: `invalid_args`, when an argument contradicts what the old name stands for.
    """
    alias = ALIASES[name]
    given_as = _given_as(alias, args, where)
    renamed = alias.convert(_put_together(given_as, args, where))
    if renamed.get(alias.unless) is not None:
        return renamed
    for key, value in alias.inject.items():
        if key in renamed and not means(model, key, renamed[key], value):
            field = f"{where}.{given_as[key]}"
            repair = hint.ask(field, renamed[key], [value])
            raise CallFailed(Reason.INVALID_ARGS, f"{field}: {name} stands for {value}", repair)
    return {**alias.inject, **renamed}


def _given_as(alias: Alias, args: JsonObject, where: str) -> dict[str, str]:
    """Return each argument by the name that the tool has for it now, as it was written."""
    given_as: dict[str, str] = {}
    for key in args:
        place = alias.rename.get(snake(key), snake(key))
        if place in given_as:
            # Of two spellings or names, the one to be taken away is that which is less the argument's own.
            other = max(key, given_as[place], key=lambda name: (name != place, name != snake(name)))
            detail = f"{where}.{key}: stands beside {given_as[place]}"
            raise CallFailed(Reason.INVALID_ARGS, detail, hint.remove(f"{where}.{other}"))
        given_as[place] = key
    return given_as


def _put_together(given_as: Mapping[str, str], args: JsonObject, where: str) -> JsonObject:
    """Return arguments by the tool's own names; each that is now a part of another one stands in it."""
    parts = {place: key for place, key in given_as.items() if "." in place and place != snake(key)}
    together = {place: args[key] for place, key in given_as.items() if place not in parts}
    for place, key in parts.items():
        outer, _, inner = place.partition(".")
        whole = {} if together.get(outer) is None else together[outer]
        if not isinstance(whole, Mapping):
            continue  # what is no object is left for the checks to refuse
        if inner in map(snake, whole):
            detail = f"{where}.{key}: stands beside {place}"
            raise CallFailed(Reason.INVALID_ARGS, detail, hint.remove(f"{where}.{key}"))
        together[outer] = {**whole, inner: args[key]}
    return together


def other_names(name: str, model: type[BaseModel]) -> dict[str, str]:
    """Return the names that arguments of a tool may have beside their own, under the name it was called by."""
    alias = ALIASES.get(name)
    return {**getattr(model, "also", {}), **(alias.rename if alias else {})}
