"""Hints for failed calls: a repair, which does not change the meaning, or a question.

A repair may be applied blindly. It says the same in the right form or place, or removes what cannot be meant. A
question lists choices, and the hint alone is not enough to answer it. So code that builds a hint has to know which of
the two it is. Source: docs/stages/3-tools.md, "Hints".
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from turnwright.model.fuzzy_match import MAX_COUNT, misspelt, nearest

if TYPE_CHECKING:
    from turnwright.model.wire.shapes import Hint as Hint

__all__ = [
    "NONE",
    "Bearers",
    "ask",
    "ask_for",
    "identifier",
    "name",
    "remove",
    "repair",
    "supply",
]

Bearers = Mapping[str, str]
"""The ids that a name leads to, and whose each of them is."""

NONE: Hint = {}
"""No hint."""

# repairs


def repair(field: str, got: Any, *same: Any) -> Hint:
    """Say that `field` should hold a value that says the same as what stands there, in the right form."""
    return {"field": field, "got": got, "allowed": [*same]}


def supply(field: str, value: Any) -> Hint:
    """Say that `field` is missing, and the value that was given elsewhere or that follows from the rest of the call."""
    return {"field": field, "add": True, "allowed": [value]}


def remove(field: str) -> Hint:
    """Say that `field` should not be there: it cannot be meant, or says again what stands elsewhere."""
    return {"field": field, "remove": True}


# questions


def ask(field: str, got: Any, choices: Iterable[Any] = ()) -> Hint:
    """Say that the value of `field` is wrong, and what there is to choose from, best first."""
    return _with_choices({"field": field, "got": got}, choices)


def ask_for(field: str, choices: Iterable[Any] = ()) -> Hint:
    """Say that `field` is missing, and what there is to choose from, best first."""
    return _with_choices({"field": field, "add": True}, choices)


def _with_choices(question: Hint, values: Iterable[Any]) -> Hint:
    some = list(values)[:MAX_COUNT]
    if some:
        question["choices"] = some
    return question


# one or the other


def name(field: str, got: Any, known: Iterable[str], others: Collection[str] = ()) -> Hint:
    """Return the repair of a known name that was misspelled, else the question with all of them, nearest first.

    Args:
        field: where it stands.
        got: what was given.
        known: the names that would do.
        others: names that would not do: what is one of them is no misspelling.
    """
    near = nearest(got, known)
    meant = None if got in others else misspelt(got, near)
    return ask(field, got, near) if meant is None else repair(field, got, meant)


def identifier(
    field: str,
    got: Any,
    known: Iterable[str],
    called: Bearers | Collection[str] = (),
    others: Collection[str] = (),
    labels: Mapping[str, str] = MappingProxyType({}),
) -> Hint:
    """Return the repair of an id that was misspelled or given as a name; else the question.

    Args:
        field: where it stands.
        got: what was given.
        known: the ids that would do.
        called: the ids of everything with exactly the given name; several may belong to the same one. If the name
            belongs to several, to none that would do, or is itself a known id, no other name is meant.
        others: ids that would not do: what is one of them is no misspelling.
        labels: what the known ones are called: a name may be misspelled, too.
    """
    ids = list(known)
    meant = [each for each in ids if each in called]
    bearers = set(called.values()) if isinstance(called, Mapping) else set(called)
    if meant and len(bearers) == 1:
        return repair(field, got, meant[0])
    if called:
        return ask(field, got, [*meant, *nearest(got, (each for each in ids if each not in called))])
    by_name = None if got in others else misspelt(got, labels.values())
    bearing = [each for each in ids if labels.get(each) == by_name]
    if by_name is not None and len(bearing) == 1 and misspelt(got, ids) in (None, *bearing):
        return repair(field, got, *bearing)
    return name(field, got, ids, others)
