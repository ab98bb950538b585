"""Short facts that keep a model from wrong arguments; none states what its agent may not see.

Source: docs/suggestions.md, "Notes".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from turnwright.model.wire.agent import NPC_AGENTS, AgentKind
from turnwright.suggestions.sanitize import safe
from turnwright.suggestions.snapshot import Snapshot
from turnwright.suggestions.tables import Resolved, SuggestionTables
from turnwright.suggestions.tool_resolver import is_permitted

MAX_COUNT, MAX_LENGTH = 4, 119
"""Maximum number of notes, and of characters in each."""


def notes_on(
    seen: Snapshot, tables: SuggestionTables, found: Iterable[Resolved], *, truncated: bool, has_words: bool
) -> tuple[str, ...]:
    """Return the notes for an agent, the most useful first."""
    notes = dict.fromkeys(note[:MAX_LENGTH] for note in _notes(seen, tables, found, truncated, has_words) if note)
    return tuple(notes)[:MAX_COUNT]


def _notes(
    seen: Snapshot, tables: SuggestionTables, found: Iterable[Resolved], truncated: bool, has_words: bool
) -> Iterator[str]:
    yield from (one.note for one in found if one.tool is None)
    fight = seen.encounter
    if fight.active and seen.agent is AgentKind.COMBAT:
        turn = f", round {fight.round}" if fight.round is not None else ""
        actor = f", turn of {safe(fight.current_actor_id)}" if fight.current_actor_id else ""
        yield f"Encounter {safe(fight.id or 'running')}{turn}{actor}."
    if seen.agent in NPC_AGENTS:
        yield f"{_may_use(seen, tables)}fights, rests and travel are not yours."
    offer = seen.pending_offer
    if offer is not None:
        which = f" {safe(offer.id)}" if offer.id else ""
        yield f"An offer is open: {safe(offer.kind)}{which}."
    if truncated:
        yield "message_truncated: the message was read in part."
    if not has_words:
        yield "The message is in a language without word lists; hints come from the state alone."


def _may_use(seen: Snapshot, tables: SuggestionTables) -> str:
    permitted = [subject for tool, subject in tables.subjects.items() if is_permitted(tool, seen, tables)]
    return f"You may use {', '.join(permitted)}; " if permitted else "No tools are yours now; "
