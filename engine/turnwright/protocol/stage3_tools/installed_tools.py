"""Calls of tools that an installed ruleset brings: their faults fail the call, and never the engine.

Source: docs/rulesets.md, "What is checked".
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, get_args

from pydantic import ValidationError

from turnwright.model.base import Document
from turnwright.model.dice.draws import Draw, PartDice, UnfitFace
from turnwright.model.error_text import faults_of, sentence
from turnwright.model.lazy import load
from turnwright.model.state.overlay import World
from turnwright.model.strict_json import compact, json_fault
from turnwright.model.wire.event import Audience as EventAudience
from turnwright.model.wire.event import Event
from turnwright.model.wire.reason import CallFailed, Reason
from turnwright.rulesets.events import EventType
from turnwright.rulesets.in_use import tables_of
from turnwright.rulesets.ruleset import Ruleset
from turnwright.rulesets.tool import Applied, Context, Legal, Tool

_MAX_LENGTH = 200
_MAX_DETAIL = 2000
_MAX_BYTES = 4_194_304
"""The most bytes of one result, and of one document, of an installed tool."""
_MAX_SIDES = 1_000_000


def apply_guarded(
    tool: Tool[Any], ruleset: Ruleset, world: World, dice: PartDice, apply: Callable[[], Applied]
) -> Applied:
    """Return what a tool of an installed ruleset did.

    Args:
        tool: the tool.
        ruleset: its ruleset.
        world: the overlay of the call, which is dropped when this raises.
        dice: the draws of the call.
        apply: runs the tool.

    Raises:
        CallFailed: as the tool raises it; `internal_error` for any other exception, and for a result, a failure, a draw
            or a document that a record cannot hold.
        UnfitFace: when a face that was given for a draw does not fit the die.
    """
    rulesets, drawn = world.campaign.rulesets, len(dice.dice.drawn)
    try:
        applied = apply()
        wrong = next(_faults(tool, ruleset, applied, world, rulesets, dice.dice.drawn[drawn:]), "")
    except UnfitFace:
        raise
    except CallFailed as failure:
        wrong = _fault_of_failure(failure)
        if not wrong:
            raise
    except (Exception, SystemExit) as error:  # whatever the code of another distribution does
        wrong = f"{type(error).__name__}: {error}"
    if wrong:
        told = ascii(wrong)[1:-1][:_MAX_LENGTH]
        raise CallFailed(Reason.INTERNAL_ERROR, f"{tool.name} of the ruleset {ruleset.name} failed by itself: {told}")
    return applied


class LegalFailed(Exception):
    """A tool of an installed ruleset could not say what is legal; the message says which one, and what it raised."""


def legal_values(tool: Tool[Any], world: World, ctx: Context) -> Legal | None:
    """Return the values that are legal now, as a tool says; None where no call of it is.

    Raises:
        LegalFailed: when a tool of an installed ruleset raises anything, or returns what no schema holds.
    """
    owner = tables_of(world.campaign).installed_owner(tool.name)
    if owner is None:
        return tool.legal(world, ctx)
    try:
        legal = tool.legal(World(world), ctx)
        if legal is not None and not _is_legal(legal):
            raise TypeError("legal must return lists and schemas by argument, or None")
    except (Exception, SystemExit) as error:  # whatever the code of another distribution does
        told = ascii(f"{type(error).__name__}: {error}")[1:-1][:_MAX_LENGTH]
        raise LegalFailed(f"{tool.name} of the ruleset {owner.name} failed by itself: {told}") from error
    return legal


def _is_legal(legal: object) -> bool:
    if not isinstance(legal, Mapping):
        return False
    return all(isinstance(name, str) and isinstance(rows, (list, Mapping)) for name, rows in legal.items()) and (
        json_fault(dict(legal)) is None
    )


def legal_values_for_hints(tool: Tool[Any], world: World, ctx: Context) -> Legal | None:
    """Return the legal values; if the tool fails to list them, no argument is narrowed."""
    try:
        return legal_values(tool, world, ctx)
    except LegalFailed:
        return {}


def _fault_of_failure(failure: CallFailed) -> str:
    reason: object = failure.reason
    detail: object = failure.detail
    if not isinstance(reason, Reason) or not isinstance(detail, str):
        return "it failed without a reason and a detail"
    if len(failure.detail) > _MAX_DETAIL:
        return f"its detail has more than {_MAX_DETAIL} characters"
    fault = json_fault([failure.detail, failure.hints])
    return f"its failure {fault}" if fault else ""


def _faults(
    tool: Tool[Any],
    ruleset: Ruleset,
    applied: object,
    world: World,
    rulesets: Sequence[str] | None,
    drawn: Sequence[Draw],
) -> Iterator[str]:
    """Yield what is wrong with what a tool did: first its report, then its draws, then its documents."""
    if not isinstance(applied, Applied):
        yield f"it returned {type(applied).__name__}, not Applied"
        return
    yield from _faults_of_report(tool, applied, load(ruleset.events) if ruleset.events else {})
    for draw in drawn:
        sides: object = draw["sides"]  # its code may have said anything
        why: object = draw["why"]
        fits = sides is None or (type(sides) is int and 1 <= sides <= _MAX_SIDES)
        if not fits or not isinstance(why, str) or json_fault(why):
            yield "it drew a die that is none"
    if tool.reads and (world.touched or drawn):
        yield "it only reads, and changed or drew something"
    if world.campaign.rulesets != rulesets:
        yield "it changed the rulesets of the campaign"
    kinds = tables_of(world.campaign).documents
    for path, document in world.touched.items():
        model = kinds.model_of(path)
        if model is None or (document is not None and (not isinstance(document, model) or document.path != path)):
            yield f"it changed {path}, which is no place of the campaign for that"
        elif document is not None and (wrong := _fault_of_document(model, document)):
            yield f"{path}: {wrong}"


def _faults_of_report(tool: Tool[Any], applied: Applied, kinds: Mapping[str, EventType]) -> Iterator[str]:
    result: object = applied.result
    if not isinstance(result, dict):
        yield "its result is no object"
    elif fault := json_fault(applied.result):
        yield f"its result {fault}"
    elif len(compact(applied.result)) > _MAX_BYTES:
        yield f"its result has more than {_MAX_BYTES} bytes"
    else:
        try:
            tool.result.model_validate(applied.result)
        except ValidationError as error:
            first = faults_of(error)[0]
            yield f"its result: {'.'.join(map(str, first['loc']))}: {sentence(first)}"
    warnings: object = applied.warnings
    events: object = applied.events
    if not _is_tuple_of(warnings, str) or json_fault(list(applied.warnings)):
        yield "its warnings are no texts"
    if not _is_tuple_of(events, Event):
        yield "its events are none"
        return
    for event in applied.events:
        kind = kinds.get(event.type)
        if kind is None:
            yield f"its ruleset declares no event {event.type!a}"
        elif event.audience not in get_args(EventAudience) or not isinstance(event.data, Mapping):
            yield f"its event {event.type} is none"
        elif fault := json_fault(dict(event.data)):
            yield f"its event {event.type} {fault}"


def _is_tuple_of(value: object, kind: type) -> bool:
    return isinstance(value, tuple) and all(isinstance(each, kind) for each in value)


def _fault_of_document(model: type[Document], document: Document) -> str | None:
    written = document.as_written
    if fault := json_fault(written):
        return fault
    if len(compact(written)) > _MAX_BYTES:
        return f"has more than {_MAX_BYTES} bytes"
    model.model_validate(written)
    return None
