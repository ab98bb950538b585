"""Print an exchange while it happens, and how it ended."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from turnwright.cli._scene_view import echo_happened
from turnwright.cli.play.account import account_of, deeds_of, dice_of, is_withheld
from turnwright.cli.play.screen import disagreement
from turnwright.cli.play.seats import TABLE
from turnwright.game_master.exchange import (
    ActorTurn,
    CallsRejected,
    Event,
    Exchange,
    ModelFinished,
    ModelStarted,
    Narrated,
    TextDelta,
    TurnCommitted,
)
from turnwright.game_master.loop import GameMaster
from turnwright.language.tokens import MAX_READ_LENGTH, gap_of
from turnwright.model.call_shapes import labelled
from turnwright.model.json_types import JsonObject
from turnwright.model.state.log_state import outcomes_of_calls
from turnwright.model.viewer import Viewer
from turnwright.model.wire.agent import AgentKind
from turnwright.model.wire.record import as_failed_call, as_record
from turnwright.narration.readable import can_read
from turnwright.protocol.stage6_publish.publish import project
from turnwright.render.finding import describe_disagreement, describe_failure, describe_finding, marked
from turnwright.rulesets.scenes.events import PROSE
from turnwright.rulesets.story import describe_failed_call

if TYPE_CHECKING:
    from turnwright.cli.play.session import Session
    from turnwright.model.json_types import JsonObject
    from turnwright.model.wire.shapes import FailedCall, ReceivedTurn, Record, RecordedEvent, Reply

Json = Mapping[str, Any]
_AT_WORK = {
    AgentKind.COMBAT: "the fight goes on",
    AgentKind.SUMMARIZER: "summing up",
    AgentKind.NPC_INDIVIDUAL: "a character is thinking of an answer",
    AgentKind.NPC_PUPPETEER: "a character is thinking of an answer",
}


class EventPrinter:
    """Shows on a session's screen what its seat may see."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._screen = session.screen
        self._failures = _Failures()
        self._has_said: set[tuple[str, str]] = set()

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
        elif outcome == "declined":
            left = "what was applied before stands" if _has_applied(exchange) else detail
            self._screen.note(f"{left}{_kept(self._session.master)}")
        elif outcome == "overtaken":
            self._screen.warn(f"{detail}: what stands is theirs, and this answer was not handed in")
        elif outcome == "capped":
            self._screen.warn(f"no further question is allowed: {detail}")
            self._screen.note("a new session starts counting at zero; `turnwright set` or --set raises the bound")
        elif outcome == "stuck":
            self._screen.warn(detail)
            self._screen.note(f"what was applied stands; /why tells more{_kept(self._session.master)}")
        elif outcome == "withheld":
            self._screen.warn("the game master's text contradicts what was applied, so here is what was done instead")
            self._screen.narrate(account_of(self._session, self._session.master.chronicle.last()), is_ours=True)
            self._screen.note(f"/why tells more{_kept(self._session.master)}")
        elif outcome == "noted":
            self._screen.note(f"noted{_kept(self._session.master)}")
        elif self._session.master.is_due():
            self._screen.note("the game master is not done: an empty line lets it go on")
        if outcome != "capped" or exchange.askings:
            self._screen.spent(exchange.askings, self._session.master.spending)

    def tell_own(self, turn: ReceivedTurn, reply: Reply) -> None:
        """Tell what came of a turn that a person handed in, beyond the deeds that were shown when it was committed."""
        if reply["status"] == "refused":
            self._screen.warn(reply["detail"])
            return
        record = None if reply["seq"] is None else self._session.master.chronicle.record(reply["seq"])
        if record is not None:
            for call in reply["tool_feedback"]["failed_calls"]:
                with self._session.campaign.reading() as world:
                    knowledge = self._session.shown(world, record).knowledge(world)
                    told = describe_failed_call(call, knowledge, names_reason=False, has_hints=False)
                self._screen.warn(told)
            self._failures.forget()
        if "assistant_text" not in turn:
            return
        if reply["status"] == "retry_needed":
            self._screen.note("it was not recorded: tell it otherwise, or first make it so with a command")
        elif record is not None:
            self._screen.mark(self._marks(record))

    def on_event(self, event: Event) -> None:
        """Print one event of an exchange."""
        match event:
            case ModelStarted():
                self._screen.think(_AT_WORK.get(event.agent, "the game master thinks"))
            case TextDelta():
                self._screen.hear(event.text)
            case ModelFinished():
                self._screen.clear()
            case ActorTurn():
                self._show_whose_turn(event)
            case TurnCommitted():
                self._show_committed(event)
            case CallsRejected():
                self._failures.bar(event.failed)
            case Narrated() if not self._session.is_scene_game and event.agent is not AgentKind.SUMMARIZER:
                self._show_narration(event)

    def _show_whose_turn(self, begun: ActorTurn) -> None:
        with self._session.campaign.reading() as world:
            is_seen = self._session.shown(world).is_seen(begun.character_id)
        self._screen.note(f"-- {begun.name if is_seen else 'someone unseen'} --")

    def _show_narration(self, told: Narrated) -> None:
        turns = self._session.master.chronicle.turns()
        record = next(one for one in reversed(turns) if one["turn_id"] == told.turn_id)
        if self._session.heard([record]):
            speaker = self._session.name_of(told.speaker_id) if told.speaker_id else None
            marks = self._marks(record)
            self._screen.narrate(told.text, speaker, private=told.private, marks=marks)
            self.say_if_unread([told.text])
            if told.is_cut_off:
                self._screen.note(f"(cut off: the model may not write more than agents.{told.agent}.max_tokens)")

    def _show_committed(self, event: TurnCommitted) -> None:
        reply = event.reply
        record = self._session.master.chronicle.record(event.seq)
        with self._session.campaign.reading() as world:
            self._session.sight.note(record or as_record(reply), world)
        is_own = "user_input" in event.turn or "answer" in event.turn
        if event.turn.get("private") and self._is_of_table(is_said=is_own):
            self._session.whispers.add(event.seq)
        self._failures.take(event.turn, reply)
        if self._session.is_scene_game:
            marks = self._marks(record) if record is not None and _prose(reply) else ()
            self._show_events(project(reply, Viewer.of(self._session.eyes()), own=is_own), marks)
            self.say_if_unread(_prose(reply))
        elif record is not None:
            self.show_deeds(record)
        if reply["status"] == "retry_needed" or (record is not None and is_withheld(record)):
            self._show_withheld(event)

    def _marks(self, record: Record) -> list[str]:
        """Return what is so where a text says otherwise, and what failed last where nothing else says how things stand.

        It is told once: what fails afterwards belongs to the next text.
        """
        failed = self._failures.last
        self._failures.forget()
        if facts := self._session.facts(record):
            return [disagreement(fact) for fact in facts]
        told = self._failed_in_words(failed.call, failed.args, failed.turn or record) if failed is not None else None
        return [] if told is None else [told]

    def say_if_unread(self, texts: Sequence[str]) -> None:
        """Say once to each seat of a session that a text could not be checked, in whole or in its middle."""
        if self._session.master.settings["narration.check"] == "off":
            return
        if not all(map(can_read, texts)):
            self._say_once("(this text was not checked: only English is compared with what was applied)")
        elif any(map(gap_of, texts)):
            self._say_once(
                f"(the middle of this text was not checked: it is longer than {MAX_READ_LENGTH:,} characters)"
            )

    def _say_once(self, told: str) -> None:
        if (self._session.seat, told) not in self._has_said:
            self._has_said.add((self._session.seat, told))
            self._screen.note(told)

    def _failed_in_words(self, call: FailedCall, args: JsonObject, record: Record) -> str | None:
        """Return what failed, and where things stand, as far as the seat may know it."""
        with self._session.campaign.reading() as world:
            if not self._session.shown(world, record).tells_failure(call, args, record):
                return None
            return describe_failure(call, args, self._session.reading(world, record, is_now=True))

    def _show_withheld(self, event: TurnCommitted) -> None:
        """Print in one line the claims of an unpublished text, and the facts."""
        turn = as_record({**event.turn, **event.reply})
        self._session.attempts[event.seq] = turn
        if event.turn.get("agent") == AgentKind.SUMMARIZER or not self._session.heard([turn]):
            return
        found = [one for one in marked(turn["findings"]) if one["severity"] == "error"]
        with self._session.campaign.reading() as world:
            reading = self._session.reading(world, turn, is_now=True)
            others = {describe_finding(one, reading) for one in found} - {describe_finding(found[0], reading)}
            told = describe_disagreement(found[0], reading)
        more = f" (and {len(others)} more)" if others else ""
        self._screen.note(f"withheld: {told}{more}")

    def _is_of_table(self, *, is_said: bool) -> bool:
        """Return whether what was committed now was said by the whole table, or answers what was."""
        if is_said:
            return self._session.seat == TABLE
        return any(turn["seq"] in self._session.whispers for turn in self._session.master.last_exchange()[:1])

    def show_deeds(self, record: Record) -> None:
        """Tell the dice and deeds of a turn, as far as the seat is shown them."""
        self._screen.dice(dice_of(self._session, record))
        for line in deeds_of(self._session, record):
            self._screen.deed(line)

    def _show_events(self, reply: Reply, marks: Sequence[str]) -> None:
        """Print what happened in a scene game; the story is typed out, what the player just said is not repeated.

        Args:
            reply: the reply, as the seat may see it.
            marks: what has to be known of its texts; it stands right below the last.
        """
        rest: list[RecordedEvent] = []
        events = reply.get("events", ())
        last = max((place for place, event in enumerate(events) if _is_told(event)), default=None)
        for place, event in enumerate(events):
            if event["type"] == "NarrativeAdded":
                self._flush_events(rest)
                if _is_told(event):
                    self._screen.narrate(event["data"]["text"], marks=marks if place == last else ())
            elif event["audience"] != "log":
                rest.append(event)
        self._flush_events(rest)
        if last is None:
            self._screen.mark(marks)

    def _flush_events(self, events: list[RecordedEvent]) -> None:
        if events:
            self._screen.clear()
            with self._session.campaign.reading() as world:
                echo_happened(events, world)
            events.clear()


class _Failed(NamedTuple):
    """A call that failed.

    Attributes:
        call: what the reply says of it.
        args: as it was called with; empty where it was not handed in.
        turn: its turn with the reply to it; None where it was not handed in.
    """

    call: FailedCall
    args: Json
    turn: Record | None


class _Failures:
    """The last call of an exchange, where it failed and nothing was told since."""

    def __init__(self) -> None:
        self.last: _Failed | None = None

    def take(self, turn: ReceivedTurn, reply: Reply) -> None:
        """Note the result of the last call of a turn; a turn without calls changes nothing.

        Which call an entry of the reply is about follows from its place: ids may repeat.
        """
        if not turn.get("tool_calls"):
            return
        told = as_record({**turn, **reply})
        call, entry = outcomes_of_calls(told)[-1]
        failed = entry is not None and "reason" in entry
        self.last = _Failed(as_failed_call(entry), labelled(call)["args"], told) if failed else None

    def bar(self, failed: Sequence[FailedCall]) -> None:
        """Note a call that was not handed in."""
        self.last = _Failed(failed[-1], {}, None) if failed else None

    def forget(self) -> None:
        """Begin anew: something was told."""
        self.last = None


def _prose(reply: Reply) -> list[str]:
    """Return the texts of the game master's that the events of a turn told."""
    told = (event for event in reply.get("events", ()) if event["type"] in PROSE and event["audience"] != "log")
    return [event["data"][PROSE[event["type"]]] for event in told if event["data"].get("source") != "player"]


def _is_told(event: RecordedEvent) -> bool:
    """Return whether an event is a text of the game master's."""
    return bool(event["type"] == "NarrativeAdded" and event["data"]["source"] != "player")


def _has_applied(exchange: Exchange) -> bool:
    return any(reply.get("applied_actions") for reply in exchange.replies)


def _kept(master: GameMaster) -> str:
    return "; what was said is kept: /again asks once more" if master.is_due() else ""
