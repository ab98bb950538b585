"""The character that a call means, by id or by name, and the failures if there is none or more than one.

Source: docs/toolkit.md, "Names".
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from turnwright.model.base import name_tag
from turnwright.model.character import Character
from turnwright.model.state.overlay import World
from turnwright.model.wire import hint
from turnwright.model.wire.reason import CallFailed, Reason
from turnwright.rulesets.reference_lookup import CANDIDATES, called, character_ids, replace_person


def require_character(
    world: World,
    identifier: str | None,
    name: str | None = None,
    field: str = "character",
    known: Callable[[World], Sequence[str]] = character_ids,
) -> Character:
    """Return the character that an id or a name means; with both, both must mean the same.

    Args:
        world: the campaign to search.
        identifier: the id, which takes precedence.
        name: a name, in any case.
        field: the prefix of `_id` and `_name` in the names of the arguments.
        known: the ids of the characters that the call could have meant.

    Raises:
        CallFailed: `not_found`, `ambiguous`, or `invalid_args` for neither or two different ones.
    """
    if identifier is None:
        if name is None:
            repair = hint.ask_for(f"args.{field}_id", known(world))
            raise CallFailed(Reason.INVALID_ARGS, f"args.{field}_id: is required, or {field}_name", repair)
        return _named(world, name, field, known)
    found = world.character(identifier)
    if found is None:
        repair = replace_person(world, f"args.{field}_id", identifier, known(world))
        raise CallFailed(Reason.NOT_FOUND, f"there is no character {identifier}", repair)
    if name is not None and name_tag(found.label) != name_tag(name):
        repair = hint.ask(f"args.{field}_name", name, [found.label])
        raise CallFailed(Reason.INVALID_ARGS, f"{identifier} is not {name}", repair)
    return found


def not_found(world: World, kind: str, field: str, wanted: str) -> CallFailed:
    """Return the failure for an unknown id, with the ids that could be meant."""
    repair = hint.identifier(field, wanted, CANDIDATES[kind](world), called(world, kind, wanted))
    return CallFailed(Reason.NOT_FOUND, f"there is no {kind.removeprefix('running_')} {wanted}", repair)


def ambiguous(field: str, wanted: str, ids: Sequence[str], use: str | None = None) -> CallFailed:
    """Return the failure for a name that several bear; `use` is the argument that tells them apart."""
    told = ", ".join(ids)
    repair = hint.ask_for(use, ids) | {"use": use} if use else hint.ask(field, wanted, ids)
    return CallFailed(Reason.AMBIGUOUS, f"{wanted} could be {told}", repair)


def _named(world: World, name: str, field: str, known: Callable[[World], Sequence[str]]) -> Character:
    found = world.all_tagged(Character, name_tag(name))
    if len(found) > 1:
        raise ambiguous(f"args.{field}_name", name, sorted(person.id for person in found), f"args.{field}_id")
    if not found:
        labels = [person.label for person in map(world.character, known(world)) if person]
        detail = f"nobody is called {name}"
        raise CallFailed(Reason.NOT_FOUND, detail, hint.name(f"args.{field}_name", name, labels))
    return found[0]
