"""When a fight begins or is over: a few sentences of what one side has to know of the other, as a turn of its own.

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
    """Let the summarizer write the bridge; without one play goes on all the same.

    Raises:
        Stopped: when the person at the table stopped it, nothing more may be asked, or somebody else went on.
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
