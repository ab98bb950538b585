"""Decrees: text that sets rules, map, world or time line aside, which no narration may."""

from __future__ import annotations

from collections.abc import Iterator

from turnwright.language.clauses import ClauseKind
from turnwright.narration.claims._clause_reader import ClauseView
from turnwright.narration.claims._finding import SEVERITY, Finding, FindingKind

_DECREEING = frozenset({ClauseKind.COMMIT, ClauseKind.FUTURE})


class DecreeClaims:
    """Fixed phrases of decree. Their own "never" and "no longer" are not denials; one before them is."""

    name = "decree"

    def read(self, reading: ClauseView) -> Iterator[Finding]:
        """Yield each decree of this clause."""
        if reading.clause.kind not in _DECREEING:
            return
        past_last = 0
        for first, past in reading.lexicon.phrases["decree"].find(reading.words):
            if first >= past_last and not reading.clause.is_denied(first):
                past_last = past
                kind = FindingKind.FORBIDDEN
                yield Finding(kind, None, None, None, SEVERITY[kind], reading.span(first, past))
