"""When a fight begins or is over: a few sentences of what one side has to know of the other, as a turn of its own.

Source: docs/agents.md, "A session".
"""

from __future__ import annotations

from typing import Any

from turnwright.dm.exchange import Stopped
from turnwright.dm.free_play import publish
from turnwright.dm.model import Message
from turnwright.dm.sitting import Sitting
from turnwright.model.agent import AgentKind
from turnwright.model.encounter import Encounter
from turnwright.world.overlay import World


def moment_of(world: World, encounter_id: str) -> Any:
    """Return a point in a fight: its round and whose turn it is."""
    fight = world.find(Encounter, encounter_id)
    return None if fight is None else (fight.round, fight.current.id)


def sum_up(sitting: Sitting) -> None:
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
