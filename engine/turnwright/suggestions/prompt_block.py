"""Suggestions as a model reads them: a short block of Markdown, or nothing at all.

Source: docs/suggestions.md, "What the model sees".
"""

from __future__ import annotations

from collections.abc import Iterable

from turnwright.suggestions.sanitize import safe
from turnwright.suggestions.suggestion import Suggestion, SuggestionSet

MAX_LENGTH = 1200
"""The most characters of the block."""
MAX_ARGUMENTS = 3
_HEAD = "## Tool hints (advisory)"
_FOOT = "Hints can be wrong. Follow the fiction and the rules; never mention hints to the player."


def render_block(found: SuggestionSet) -> str:
    """Return the block; over its length the lowest hint goes first, then the last note, and never part of a line."""
    hints = [_line(group) for group in _by_tool(found.suggestions)]
    notes = [f"- {' '.join(note.split())}" for note in found.context_notes]
    while hints or notes:
        lines = [_HEAD, *hints, *(["Notes:", *notes] if notes else []), _FOOT]
        block = "\n".join(lines) + "\n"
        if len(block) <= MAX_LENGTH:
            return block
        (hints or notes).pop()
    return ""


def _by_tool(suggestions: Iterable[Suggestion]) -> list[list[Suggestion]]:
    """Group what is one tool's: two operations of it are one hint."""
    groups: dict[str, list[Suggestion]] = {}
    for suggestion in suggestions:
        groups.setdefault(suggestion.tool, []).append(suggestion)
    return list(groups.values())


def _line(group: list[Suggestion]) -> str:
    first = group[0]
    reasons = "; ".join(dict.fromkeys(one.reason for one in group))
    arguments = " or ".join(filter(None, (_arguments(one) for one in group)))
    told = f" Args: {arguments}" if arguments else ""
    return f"- `{first.tool}` ({first.label.value}): {reasons}.{told}"


def _arguments(one: Suggestion) -> str:
    given = [(name, value) for name, value in (one.arguments or {}).items() if not isinstance(value, dict)]
    shown = [f"{name}={_value(value)}" for name, value in given[:MAX_ARGUMENTS]]
    return ", ".join([*shown, *(["..."] if len(given) > MAX_ARGUMENTS else [])])


def _value(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return safe(", ".join(map(str, value)) if isinstance(value, (list, tuple)) else value)
