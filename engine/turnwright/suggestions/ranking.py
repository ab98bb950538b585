"""From hits to the few suggestions that are shown.

Resolve, round, drop, exclude, deduplicate, sort, cap. Source: docs/suggestions.md, "From hits to hints".
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from turnwright.suggestions.notes import MAX_COUNT as MAX_NOTES
from turnwright.suggestions.rule import Hit
from turnwright.suggestions.suggestion import Suggestion, SuggestionSet, Suppressed
from turnwright.suggestions.tables import Resolved, SuggestionTables


class Candidate(NamedTuple):
    """A hit of a rule with what it resolved to."""

    rule_id: str
    hit: Hit
    found: Resolved

    @property
    def confidence(self) -> float:
        """Its confidence, rounded before anything is compared."""
        return round(self.hit.confidence, 3)


def rank(
    judged: Iterable[Candidate], threshold: float, most: int, tables: SuggestionTables
) -> tuple[list[Suggestion], list[Suppressed]]:
    """Return the ranked suggestions, and those left out.

    Args:
        judged: the hits, in any order.
        threshold: the lowest confidence to show.
        most: the maximum number of tools to show.
        tables: which intents exclude one another.
    """
    suppressed = []
    kept = []
    for one in sorted(judged, key=_order):
        if one.found.tool is None:
            suppressed.append(Suppressed(None, one.hit.intent, one.found.cause))
        elif one.confidence < threshold:
            suppressed.append(Suppressed(one.found.tool, one.hit.intent, "below_threshold"))
        else:
            kept.append(one)
    kept, losers = _without_excluded(kept, tables)
    suppressed += losers
    shown: dict[tuple[str, str], Candidate] = {}
    for one in kept:
        key = (one.found.tool or "", str(one.found.arguments.get("operation", "")))
        if key not in shown:
            shown[key] = one
        elif shown[key].hit.intent != one.hit.intent:
            suppressed.append(Suppressed(one.found.tool, one.hit.intent, "same_tool"))
    tools = list(dict.fromkeys(tool for tool, _ in shown))
    suppressed += [
        Suppressed(tool, one.hit.intent, "over_the_cap") for (tool, _), one in shown.items() if tool in tools[most:]
    ]
    return [_suggested(one) for (tool, _), one in shown.items() if tool in tools[:most]], suppressed


def _order(one: Candidate) -> tuple[float, str, str, str]:
    return -one.confidence, one.rule_id, one.found.tool or "", one.hit.intent


def _without_excluded(kept: list[Candidate], tables: SuggestionTables) -> tuple[list[Candidate], list[Suppressed]]:
    """Let the surer of two that exclude each other stand; on a tie the one that was said later."""
    winners: list[Candidate] = []
    losers = []
    rank = sorted(kept, key=lambda one: (not _always(one, kept, tables), -one.confidence, -one.hit.at, one.rule_id))
    for one in rank:
        over = next((winner for winner in winners if tables.excludes(winner.hit, one.hit)), None)
        if over is None:
            winners.append(one)
        else:
            losers.append(Suppressed(one.found.tool, one.hit.intent, f"excluded_by:{over.hit.intent}"))
    return sorted(winners, key=_order), losers


def _always(one: Candidate, kept: list[Candidate], tables: SuggestionTables) -> bool:
    pairs = (frozenset({one.hit.intent, other.hit.intent}) for other in kept)
    return any(tables.always_wins.get(pair) == one.hit.intent for pair in pairs)


def _suggested(one: Candidate) -> Suggestion:
    return Suggestion(
        tool=one.found.tool or "",
        intent=one.hit.intent,
        reason=one.hit.reason,
        confidence=one.confidence,
        arguments=dict(one.found.arguments) or None,
        rule_id=one.rule_id,
        span=one.hit.span,
    )


# advisers


def merged(
    sets: Sequence[SuggestionSet], most: int, tables: SuggestionTables, always: Collection[str] = ()
) -> SuggestionSet:
    """Merge the suggestions of several advisers into one set with a common limit.

    Args:
        sets: what each suggests, the most trusted first: what comes last is the first to go where there is no room.
        most: the maximum number of tools to show.
        tables: which intents exclude one another.
        always: ids of rules whose hints nothing takes away.
    """
    ranked = [(rank, one) for rank, found in enumerate(sets) for one in found.suggestions]
    ranked.sort(key=lambda entry: (entry[1].rule_id not in always, -entry[1].confidence, entry[1].rule_id))
    kept: dict[tuple[str, str | None], tuple[int, Suggestion]] = {}
    left = []
    for rank, one in ranked:
        over = next((other for at, other in kept.values() if at != rank and _excluded(other, one, tables)), None)
        if over is not None:
            left.append(Suppressed(one.tool, one.intent, f"excluded_by:{over.intent}"))
        elif (one.tool, one.operation) in kept:
            left.append(Suppressed(one.tool, one.intent, "same_tool"))
        else:
            kept[one.tool, one.operation] = rank, one
    order = sorted(kept.values(), key=lambda entry: (entry[0], -entry[1].confidence, entry[1].rule_id, entry[1].tool))
    tools = list(dict.fromkeys(one.tool for _, one in order))
    shown = {one.tool for _, one in order if one.rule_id in always} | set(tools[:most])
    left += [Suppressed(one.tool, one.intent, "over_the_cap") for _, one in order if one.tool not in shown]
    return sets[0]._replace(
        suggestions=tuple(one for _, one in order if one.tool in shown),
        context_notes=tuple(dict.fromkeys(note for found in sets for note in found.context_notes))[:MAX_NOTES],
        suppressed=(*(entry for found in sets for entry in found.suppressed), *left),
        errors=tuple(error for found in sets for error in found.errors),
        dropped_arguments=tuple(name for found in sets for name in found.dropped_arguments),
    )


def _excluded(one: Suggestion, other: Suggestion, tables: SuggestionTables) -> bool:
    hits = [Hit(each.intent, each.confidence, each.reason) for each in (one, other)]
    return tables.excludes(*hits)
