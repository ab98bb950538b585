"""Short facts that keep a model from wrong arguments; none states what its agent may not see.

Source: docs/suggestions.md, "Notes".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from turnwright.model.wire.agent import NPC_AGENTS, AgentKind
from turnwright.suggestions.sanitize import safe
from turnwright.suggestions.snapshot import Snapshot
from turnwright.suggestions.tool_resolver import Resolved, is_permitted

MAX_COUNT, MAX_LENGTH = 4, 119
"""How many notes there are at most, and how many characters each has."""


def notes_on(seen: Snapshot, found: Iterable[Resolved], *, truncated: bool, has_words: bool) -> tuple[str, ...]:
    """Return the notes for an agent, the most useful first."""
    notes = dict.fromkeys(note[:MAX_LENGTH] for note in _notes(seen, found, truncated, has_words) if note)
    return tuple(notes)[:MAX_COUNT]


def _notes(seen: Snapshot, found: Iterable[Resolved], truncated: bool, has_words: bool) -> Iterator[str]:
    yield from (one.note for one in found if one.tool is None)
    fight = seen.encounter
    if fight.active and seen.agent is AgentKind.COMBAT:
        turn = f", round {fight.round}" if fight.round is not None else ""
        actor = f", turn of {safe(fight.current_actor_id)}" if fight.current_actor_id else ""
        yield f"Encounter {safe(fight.id or 'running')}{turn}{actor}."
    if seen.agent in NPC_AGENTS:
        yield f"{_may_use(seen)}fights, rests and travel are not yours."
    offer = seen.pending_offer
    if offer is not None:
        which = f" {safe(offer.id)}" if offer.id else ""
        yield f"An offer is open: {safe(offer.kind)}{which}."
    if truncated:
        yield "message_truncated: the message was read in part."
    if not has_words:
        yield "The message is in a language without word lists; hints come from the state alone."


_GROUPS = {
    "manage_inventory": "items",
    "manage_notes": "notes",
    "manage_quest": "quests",
    "manage_location": "places",
    "move": "your own movement",
}


def _may_use(seen: Snapshot) -> str:
    permitted = [group for tool, group in _GROUPS.items() if is_permitted(tool, seen)]
    return f"You may use {', '.join(permitted)}; " if permitted else "No tools are yours now; "
