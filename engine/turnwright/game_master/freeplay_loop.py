"""Run one exchange outside scene games: earlier unfinished work, the answer, bridges, and the turns of NPCs.

Source: docs/agents.md, "A session".
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from turnwright.game_master import encounter_recap as bridge
from turnwright.game_master import freeplay_turn as free_play
from turnwright.game_master.agents import Chosen, DueTurn, choose_agent, chosen_as
from turnwright.game_master.exchange import ActorTurn, Stopped
from turnwright.game_master.feedback import done_before
from turnwright.game_master.pending_work import Unfinished, unfinished
from turnwright.game_master.session import Session
from turnwright.model.wire.agent import NPC_AGENTS, AgentKind
from turnwright.protocol.table_talk import is_aside

if TYPE_CHECKING:
    from turnwright.model.wire.shapes import Record

MAX_AUTOMATIC = 20
"""Maximum number of NPC turns in a fight after a player's message."""
_TELLERS = (AgentKind.NARRATIVE, AgentKind.COMBAT)


class FreeExchange:
    """Continues until a player has to speak."""

    def __init__(self, sitting: Session) -> None:
        self._sitting = sitting
        self._bridged = -1

    def run(self) -> None:
        """Answer the message, or else continue where play stopped.

        Raises:
            Stopped: when it cannot continue; committed turns stay.
        """
        sitting = self._sitting
        if self._was_aside():
            sitting.outcome.outcome = "noted"
            return
        sitting.since = sitting.chronicle.last()
        left = self._left()
        if left.message is not None:
            self._bridge(before=left.message["seq"])
            self._answer(left.message, left.done)
        elif left.untold:
            self._tell_late(left.untold)
        self._bridge()
        self._take_turns_of_others()

    def _left(self) -> Unfinished:
        turns = self._sitting.chronicle.turns()
        with self._sitting.campaign.reading() as world:
            return unfinished(turns, world)

    def _was_aside(self) -> bool:
        """Return whether what was brought was said among players."""
        replies = self._sitting.outcome.replies
        seq = replies[0]["seq"] if replies else None
        said = None if seq is None else self._sitting.chronicle.record(seq)
        with self._sitting.campaign.reading() as world:
            return said is not None and is_aside(said, world)

    def _answer(self, record: Record, done: Sequence[Record]) -> None:
        said = self._chosen(record, done)
        make = partial(self._sitting.brief, record["user_input"], speaker=record["actor_id"], since=record["seq"])
        free_play.play(self._sitting, partial(make, private=said.private, agent=said), done_before(done))
        self._sitting.outcome.outcome = "answered"

    def _chosen(self, record: Record, done: Sequence[Record]) -> Chosen:
        """Return who answers; the agent that began continues, even if a fight began or ended meanwhile."""
        settings = self._sitting.settings
        with self._sitting.campaign.reading() as world:
            chosen = choose_agent(
                world,
                record["user_input"],
                settings=settings,
                actor_id=record["actor_id"],
                addressees=record.get("addressees", ()),
                private=bool(record.get("private")),
            )
            began = next((turn["agent"] for turn in done if turn.get("agent") in _TELLERS), None)
            if began is None or chosen.agent in NPC_AGENTS:
                return chosen
            return chosen_as(world, settings, AgentKind(began), chosen)

    def _tell_late(self, untold: Sequence[Record]) -> None:
        """Have told what was done in a fight before the game master was interrupted; nothing more is done."""
        make = partial(self._sitting.brief, "", agent=AgentKind.COMBAT, since=untold[0]["seq"] - 1)
        free_play.play(self._sitting, make, done_before(untold, is_last=True), may_call=False)
        self._sitting.outcome.outcome = "answered"

    def _bridge(self, before: int | None = None) -> None:
        """Sum up for a fight that began, and for the story when one is over; without success once an exchange.

        Args:
            before: only for what lies before this record.
        """
        at = self._left().bridge
        if at is None or at <= self._bridged or (before is not None and at > before):
            return
        self._bridged = at
        bridge.summarize(self._sitting)

    def _take_turns_of_others(self) -> None:
        last: tuple[DueTurn, Any] | None = None
        for _ in range(MAX_AUTOMATIC):
            left = self._left()
            due = left.due
            if due is None:
                return
            with self._sitting.campaign.reading() as world:
                moment = bridge.moment_of(world, due.encounter_id)
            if (due, moment) == last:
                raise Stopped("stuck", "it is still the same turn of the fight: nothing ended it")
            last = (due, moment)
            self._sitting.tell(ActorTurn(due.acting_id, due.name))
            make = partial(self._sitting.brief, "", due=due, since=left.turn_since)
            free_play.play(self._sitting, make, done_before(left.of_turn))
            self._sitting.outcome.outcome = "answered"
            self._bridge()
