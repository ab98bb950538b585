"""Calls of tools that an installed ruleset brings: their faults fail the call, and never the engine.

Source: docs/rulesets.md, "What is checked".
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pydantic import ValidationError

from turnwright.model.error_text import faults_of, sentence
from turnwright.model.errors import CampaignError
from turnwright.model.state.overlay import World
from turnwright.model.strict_json import json_fault
from turnwright.model.wire.reason import CallFailed, Reason
from turnwright.rulesets.in_use import tables_of
from turnwright.rulesets.ruleset import Ruleset
from turnwright.rulesets.tool import Applied, Tool

_MAX_LENGTH = 200


def apply_guarded(tool: Tool[Any], ruleset: Ruleset, world: World, apply: Callable[[], Applied]) -> Applied:
    """Return what a tool of an installed ruleset did.

    Args:
        tool: the tool.
        ruleset: its ruleset.
        world: the overlay of the call, which is dropped when this raises.
        apply: runs the tool.

    Raises:
        CallFailed: as the tool raises it; `internal_error` for any other exception, for a result that does not fit the
            tool's model, and for a document that its campaign has no place for.
    """
    try:
        applied = apply()
        wrong = _fault(tool, applied, world)
    except (CallFailed, CampaignError):
        raise
    except Exception as error:  # whatever the code of another distribution does
        wrong = f"{type(error).__name__}: {error}"
    if wrong:
        told = ascii(wrong)[1:-1][:_MAX_LENGTH]
        raise CallFailed(Reason.INTERNAL_ERROR, f"{tool.name} of the ruleset {ruleset.name} failed by itself: {told}")
    return applied


def _fault(tool: Tool[Any], applied: object, world: World) -> str | None:
    if not isinstance(applied, Applied) or not isinstance(applied.result, dict):
        return f"it returned {type(applied).__name__} where Applied is due"
    if fault := json_fault(applied.result):
        return f"its result {fault}"
    try:
        tool.result.model_validate(applied.result)
    except ValidationError as error:
        first = faults_of(error)[0]
        return f"its result: {'.'.join(map(str, first['loc']))}: {sentence(first)}"
    kinds = tables_of(world.campaign).documents
    for path, document in world.touched.items():
        model = kinds.model_of(path)
        if model is None or (document is not None and (not isinstance(document, model) or document.path != path)):
            return f"it changed {path}, which is no place of the campaign for that"
    return None
