"""New places: "a new area opens up", "you discover a hidden cave" without a map that grew."""

from __future__ import annotations

from collections.abc import Iterator

from turnwright.narration.claims._clause_reader import NP_REACH, ClauseView
from turnwright.narration.claims._finding import SEVERITY, Finding, unmet
from turnwright.narration.facts import EffectKind

CLAIM = "new_place"


class MapClaims:
    """Claims that the map has new areas."""

    name = CLAIM

    def read(self, reading: ClauseView) -> Iterator[Finding]:
        """Yield claims of this clause that no call supports."""
        for at, word in enumerate(reading.words):
            if not reading.lexicon.forms(word) or not reading.asserts(at):
                continue
            span = _growth(reading, at)
            verdict = span and unmet(reading.page.of_kind(EffectKind.PLACE), lambda _: True, lambda _: True)
            if span and verdict:
                kind, blamed = verdict
                actual = {"reason": blamed.reason} if blamed else None
                tool = (blamed.tool if blamed else "") or reading.page.tool_for(CLAIM)
                yield Finding(kind, tool, {"created_area_ids": None}, actual, SEVERITY[kind], reading.span(*span))
                return


def _growth(reading: ClauseView, at: int) -> tuple[int, int] | None:
    """Return the words that say a new place came about through the verb at `at`, or None."""
    if reading.is_verb("grow", at) and reading.has("map", at - 1):
        return (at - 1, at + 1) if reading.is_end(at + 1) or reading.has("function", at + 1) else None
    passive = reading.is_verb("be", at - 1)
    if reading.is_verb("appear", at) or (reading.is_verb("found", at) and passive):
        noun = at - 1 - passive
        first = _new_before(reading, noun)
        return (first, at + 1) if first is not None else None
    if reading.is_verb("found", at) and not reading.is_command(at):
        found = next((i for i in range(at + 1, at + 2 + NP_REACH) if reading.has("map_places", i)), at)
        first = _new_before(reading, found)
        if first is not None and first > at and not reading.has("map_tail", found + 1):
            return at, found + 1
    return None


def _new_before(reading: ClauseView, noun: int) -> int | None:
    """Return where the noun phrase ending with a place at `noun` is called new, or None."""
    if not reading.has("map_places", noun):
        return None
    return next((i for i in range(noun - 1, max(noun - 1 - NP_REACH, -1), -1) if reading.has("hidden", i)), None)
