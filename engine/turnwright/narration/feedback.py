"""Feedback to a model about the findings of its last turn.

Source: docs/stages/4-conflicts.md, "Modes".
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from turnwright.model.wire.shapes import Finding

MAX_LINES = 3
MAX_CLAIM_LENGTH = 60
_ORDER = ("error", "warn")
_UNWANTED = frozenset('`#"')


def feedback_lines(findings: Iterable[Finding]) -> tuple[str, ...]:
    """Return at most three lines about the findings of a turn, the worst first.

    They quote the narration without anything that could be read as more than text; mere notices are left out.
    """
    found = [finding for finding in findings if finding.get("severity") in _ORDER]
    found.sort(key=lambda finding: _ORDER.index(finding["severity"]))
    return tuple(dict.fromkeys(_line(finding) for finding in found))[:MAX_LINES]


def _line(finding: Finding) -> str:
    told = f'Last turn you told "{_plain(finding.get("claim"))}"'
    tool = _plain(finding.get("tool"))
    kind = finding.get("kind")
    if kind == "missing":
        return f"{told} without a call of {tool}." if tool else f"{told}, and nothing was done."
    if kind == "rejected":
        return f"{told}, but the call of {tool or 'the tool'} was refused."
    if kind == "mismatch":
        return f"{told}, but {tool or 'the call'} did something else."
    if kind == "invented_roll":
        return f"{told}, and no die showed that."
    if kind == "forbidden":
        return f"{told}, which no text can bring about."
    return f"{told}, but the state says otherwise."


def _plain(value: object) -> str:
    """Return text on one line, without control characters, marks of Markdown and quotation marks, and not too long."""
    text = value if isinstance(value, str) else ""
    kept = "".join(
        " " if unicodedata.category(char)[0] in "CZ" else char for char in text[:1000] if char not in _UNWANTED
    )
    words = " ".join(kept.split())
    return words if len(words) <= MAX_CLAIM_LENGTH else words[: MAX_CLAIM_LENGTH - 3].rstrip() + "..."
