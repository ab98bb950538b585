"""When a fight begins or ends, record a short bridge between its agent and the narrative agent as a separate turn.

Source: docs/agents.md, "A session".
"""

from __future__ import annotations

from typing import Any

from turnwright.game_master.exchange import Stopped
from turnwright.game_master.freeplay_turn import publish
from turnwright.game_master.session import Session
from turnwright.llm.port import Message
from turnwright.model.encounter import Encounter
from turnwright.model.state.overlay import World
from turnwright.model.wire.agent import AgentKind


def moment_of(world: World, encounter_id: str) -> Any:
    """Return a point in a fight: its round and whose turn it is."""
    fight = world.find(Encounter, encounter_id)
    return None if fight is None else (fight.round, fight.current.id)


def summarize(sitting: Session) -> None:
    """Let the summarizer write the bridge; play continues without one.

    Raises:
        Stopped: when the person at the table stopped it, the limits are reached, or another process continued play.
    """
    briefing = sitting.brief("", agent=AgentKind.SUMMARIZER)
    conversation: list[Message] = []
    try:
        answer = sitting.asker.ask(briefing, conversation, step=0, has_tools=False)
        if answer.is_well_formed and answer.text.strip():
            publish(sitting, briefing, answer, conversation, 0)
    except Stopped as stopped:
        if stopped.outcome in ("cancelled", "capped", "overtaken"):
            raise
