"""How an exchange is told while it happens, and how it ended."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from turnwright.cli._output import safe
from turnwright.cli._play_seats import TABLE
from turnwright.cli._scene_view import echo_happened
from turnwright.dm.exchange import (
    Committed,
    Event,
    Exchange,
    Narrated,
    Thinking,
    Thought,
    TurnOf,
    Written,
)
from turnwright.dm.loop import GameMaster
from turnwright.model.agent import AgentKind
from turnwright.stages.publish import project
from turnwright.tools.story import describe_action

if TYPE_CHECKING:
    from turnwright.cli._play_session import Session

Json = Mapping[str, Any]
_AT_WORK = {
    AgentKind.COMBAT: "the fight goes on",
    AgentKind.SUMMARIZER: "summing up",
    AgentKind.NPC_INDIVIDUAL: "somebody thinks of an answer",
    AgentKind.NPC_PUPPETEER: "somebody thinks of an answer",
}


class Telling:
    """Shows on a session's screen what its seat may see."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._screen = session.screen

    def conclude(self, exchange: Exchange) -> None:
        """Tell how an exchange ended, where it did not end with an answer."""
        outcome, detail = exchange.outcome, exchange.detail
        if outcome == "refused":
            self._screen.warn(f"{detail}{_kept(self._session.master) if exchange.askings else ''}")
        elif outcome == "failed":
            self._screen.warn(f"the game master gave no answer ({exchange.failure}): {detail}")
            left = "what was applied stands" if _has_applied(exchange) else "nothing was changed by it"
            self._screen.note(f"{left}{_kept(self._session.master)}")
        elif outcome == "cancelled":
            left = "; what was applied stands" if _has_applied(exchange) else ""
            self._screen.warn(f"stopped{left}{_kept(self._session.master)}")
        elif outcome == "overtaken":
            self._screen.warn(f"{detail}: what stands is theirs, and this answer was not handed in")
        elif outcome == "capped":
            self._screen.warn(f"no more may be asked: {detail}")
            self._screen.note("a new session begins at zero; `turnwright set` or --set raises the bound")
        elif outcome == "stuck":
            self._screen.warn(detail)
            self._screen.note(f"what was applied stands; /why tells more{_kept(self._session.master)}")
        elif outcome == "noted":
            self._screen.note(f"noted{_kept(self._session.master)}")
        elif self._session.master.is_due():
            self._screen.note("there is more to come: an empty line goes on")
        if outcome != "capped" or exchange.askings:
            self._screen.spent(exchange.askings, self._session.master.spending)

    def on_event(self, event: Event) -> None:
        match event:
            case Thinking():
                self._screen.think(_AT_WORK.get(event.agent, "the game master thinks"))
            case Written():
                self._screen.hear(event.text)
            case Thought():
                self._screen.clear()
            case TurnOf():
                self._show_whose_turn(event)
            case Committed():
                self._show_committed(event)
            case Narrated() if not self._session.is_scene_game and event.agent is not AgentKind.SUMMARIZER:
                self._show_narration(event)

    def _show_whose_turn(self, begun: TurnOf) -> None:
        with self._session.campaign.reading() as world:
            is_seen = self._session.shown(world).is_seen(begun.character_id)
        self._screen.note(f"-- {begun.name if is_seen else 'somebody unseen'} --")

    def _show_narration(self, told: Narrated) -> None:
        facts = {"private": told.private, "addressees": told.addressees, "speaker_id": told.speaker_id}
        record = next(
            (one for one in reversed(self._session.master.chronicle.turns()) if one["turn_id"] == told.turn_id), facts
        )
        if self._session.heard([record]):
            speaker = self._session.name_of(told.speaker_id) if told.speaker_id else None
            self._screen.narrate(told.text, speaker, private=told.private)
            if told.is_cut_off:
                self._screen.note(f"(cut off: the model may not write more than agents.{told.agent}.max_tokens)")

    def _show_committed(self, event: Committed) -> None:
        reply = event.reply
        record = self._session.master.chronicle.record(reply["seq"])
        with self._session.campaign.reading() as world:
            self._session.sight.note(record or reply, world)
        is_own = "user_input" in event.turn or "answer" in event.turn
        if event.turn.get("private") and self._is_of_table(is_said=is_own):
            self._session.whispers.add(reply["seq"])
        if self._session.is_scene_game:
            self._show_events(project(reply, self._session.eyes(), own=is_own))
        elif record is not None:
            self._show_deeds(record)

    def _is_of_table(self, *, is_said: bool) -> bool:
        """Return whether what was committed now was said by the whole table, or answers what was."""
        if is_said:
            return self._session.seat == TABLE
        return any(turn["seq"] in self._session.whispers for turn in self._session.master.last_exchange()[:1])

    def _show_deeds(self, record: Json) -> None:
        with self._session.campaign.reading() as world:
            shown = self._session.shown(world, record)
            viewer = shown.viewer(world)
            told = [safe(describe_action(deed, viewer, record)) for deed in shown.actions(record)]
        self._screen.dice(list(shown.draws(record)))
        for line in told:
            self._screen.deed(line)

    def _show_events(self, reply: Json) -> None:
        """Print what happened in a scene game; the story is typed out, what the player just said is not repeated."""
        rest: list[Json] = []
        for event in reply.get("events", ()):
            if event["type"] == "NarrativeAdded":
                self._flush_events(rest)
                if event["data"]["source"] != "player":
                    self._screen.narrate(event["data"]["text"])
            elif event["audience"] != "log":
                rest.append(event)
        self._flush_events(rest)

    def _flush_events(self, events: list[Json]) -> None:
        if events:
            self._screen.clear()
            with self._session.campaign.reading() as world:
                echo_happened(events, world)
            events.clear()


def _has_applied(exchange: Exchange) -> bool:
    return any(reply.get("applied_actions") for reply in exchange.replies)


def _kept(master: GameMaster) -> str:
    return "; what was said is kept: /again asks once more" if master.is_due() else ""
