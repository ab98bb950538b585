"""From an intent to a tool that is permitted now, with the arguments that are sure.

Source: docs/suggestions.md, "Intents and tools".
"""

from __future__ import annotations

from turnwright.suggestions.rule import Hit
from turnwright.suggestions.snapshot import Snapshot
from turnwright.suggestions.tables import Resolved, SuggestionTables


def is_permitted(tool: str, seen: Snapshot, tables: SuggestionTables) -> bool:
    """Return whether a tool is registered, allowed, the agent's, legal now, and of use in the state."""
    if seen.registry is not None and tool not in seen.registry:
        return False
    if seen.allowlist is not None and tool not in seen.allowlist:
        return False
    if tool not in tables.tools_of[seen.agent] or (seen.legal is not None and tool not in seen.legal):
        return False
    is_useful = tables.useful.get(tool)
    return is_useful is None or is_useful(seen)


def resolve_tool(hit: Hit, seen: Snapshot, tables: SuggestionTables) -> Resolved:
    """Return the first permitted tool of a hit's intent with its arguments."""
    candidates = tables.intents[hit.intent]
    if not candidates:
        return Resolved(None, cause="unmapped")
    refuse = tables.refusals.get(hit.intent)
    if refuse is not None and (refused := refuse(seen)) is not None:
        return refused
    cause, note = "not_permitted", ""
    for tool in candidates:
        if not is_permitted(tool, seen, tables):
            continue
        make = tables.arguments.get(tool)
        found = make(hit, seen) if make is not None else _as_read(tool, hit)
        operations = tables.operations_of.get(seen.agent, {}).get(tool)
        if operations is not None and found.arguments.get("operation") not in operations:
            continue
        if found.tool is not None:
            return found
        cause, note = found.cause, note or found.note
    return Resolved(None, cause=cause, note=note)


def _as_read(tool: str, hit: Hit) -> Resolved:
    """Return a tool that takes the arguments by the names the rule gave them."""
    return Resolved(tool, {key: value for key, value in hit.arguments.items() if value is not None})
