"""The model-driven game master: one player message becomes an exchange of turns.

The model only makes requests; every turn goes through `Campaign.process`, and players see only committed texts.
Source: docs/agents.md, "A session".
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from turnwright.campaign.campaign import Campaign
from turnwright.game_master import scene_turn as scene_play
from turnwright.game_master.active_turns import ActiveTurns
from turnwright.game_master.budget import SessionBudget
from turnwright.game_master.exchange import (
    Event,
    Exchange,
    OnEvent,
    Review,
    Said,
    Stopped,
    Throw,
    TurnCommitted,
    leave_waiting,
)
from turnwright.game_master.freeplay_loop import FreeExchange
from turnwright.game_master.hand_in import hand_in
from turnwright.game_master.model_client import ModelClient
from turnwright.game_master.pending_work import last_exchange, unfinished
from turnwright.game_master.prompts.request_builder import build_request
from turnwright.game_master.session import Session
from turnwright.game_master.suggestion_step import Suggest
from turnwright.game_master.telemetry_recorder import TelemetryRecorder
from turnwright.llm.conversation import size_of
from turnwright.llm.port import LanguageModel, Message, ModelRequest
from turnwright.model.authority import GM, player_of
from turnwright.model.campaign import CREW_PATH
from turnwright.model.json_types import JsonObject
from turnwright.model.settings import Settings, has_own, patched, settings_of
from turnwright.model.state.overlay import World
from turnwright.rulesets.in_use import tables_of
from turnwright.rulesets.scenes.play import find_crew

if TYPE_CHECKING:
    from turnwright.model.wire.shapes import ReceivedTurn, Record, Reply

CHECK = "narration.check"
_ASSIST = (
    "The game master of this table is a person and is about to tell the following. Call the tools that make it true, "
    "and none where it changes nothing. Write no text of your own.\n\n{told}"
)
NO_WHISPERS = "in a scene game everyone hears what is said, so there is no whispering"


class QuestionSize(NamedTuple):
    """The approximate size of a request to a model, as characters divided by 4.

    Attributes:
        tokens: of the whole request.
        of_tools: of the descriptions of tools among them.
        tools: the number of tools described.
        max_tokens: the longest answer.
    """

    tokens: int
    of_tools: int
    tools: int
    max_tokens: int


def ignore(event: Event) -> None:
    """Ignore events."""
    del event


def session_settings(world: World, overrides: JsonObject) -> Settings:
    """Return the settings of a campaign, with a session's overrides."""
    own, rows = world.campaign.settings, tables_of(world.campaign).settings
    return settings_of(patched(own, overrides, rows)[0] if overrides else own, rows)


class GameMaster:
    """Answers for the game master's side of one campaign, with one model or several.

    Args:
        campaign: the campaign, open.
        directory: its directory, which also holds the telemetry.
        open_model: returns the model of a name; called for each request, so it should cache models.
        suggest: returns hints for a message; None for none.
        overrides: settings `agents.*` and `suggestions.*` that override the campaign's own.
        clock_ms: a monotonic clock in milliseconds, for timing answers.
        seed: makes models with seed support repeatable.
        has_schema: request one JSON document that fits the legal calls in free play, too.
        throw: asks the table for the dice of a turn, under `dice.source` = `table`; default: such a turn waits.

    Attributes:
        review: lets a person decide on models' proposals, under `agents.approve` = `review`; None for no review.
    """

    def __init__(
        self,
        campaign: Campaign,
        directory: str | Path,
        open_model: Callable[[str], LanguageModel],
        *,
        suggest: Suggest | None = None,
        overrides: JsonObject | None = None,
        clock_ms: Callable[[], float] = lambda: 0.0,
        seed: int | None = None,
        has_schema: bool = False,
        throw: Throw = leave_waiting,
    ) -> None:
        self.spending = SessionBudget()
        self.chronicle = ActiveTurns(campaign)
        self._campaign = campaign
        self._directory = Path(directory)
        self._open_model = open_model
        self._suggest = suggest
        self._overrides = dict(overrides or {})
        self._clock_ms = clock_ms
        self._seed = seed
        self._has_schema = has_schema
        self.throw = throw
        self.review: Review | None = None
        self._is_check_settled = False

    @property
    def settings(self) -> Settings:
        """The settings in force, with what overrides them."""
        with self._campaign.reading() as world:
            return session_settings(world, self._overrides)

    def choose(self, key: str, value: Any) -> None:
        """Set a setting of the campaign for good, whatever was given for this session.

        Raises:
            CampaignError: when the campaign cannot be changed now.
        """
        self._campaign.set({key: value})
        self._overrides.pop(key, None)

    def override(self, key: str, value: Any) -> None:
        """Have a setting `agents.*` count for this session only."""
        self._overrides[key] = value

    def is_overridden(self, key: str) -> bool:
        """Return whether a setting was given for this session."""
        return key in self._overrides

    def begin_to_check(self) -> bool:
        """Turn on rewriting of texts that contradict the results; return whether the setting changed.

        A campaign with an explicit setting keeps it. A value that equals its default is not stored, so only the log
        shows whether it was set.

        Raises:
            CampaignError: when the campaign cannot be changed now.
        """
        if self._is_check_settled:
            return False
        with self._campaign.reading() as world:
            own, revision = world.campaign.settings, world.campaign.settings_revision
        was_told = has_own(own, CHECK) or (
            revision > 0 and any(CHECK in record.get("patch", ()) for record in self._campaign.records())
        )
        if not was_told:
            self._campaign.set({CHECK: "retry"})
        self._is_check_settled = True
        return not was_told

    def question_size(self) -> QuestionSize:
        """Return about how large the next question to a model is, with the longest answer."""
        settings, turns = self.settings, self.chronicle.turns()
        with self._campaign.reading() as world:
            briefing = build_request(world, turns, settings, None)
        is_document = self._has_schema or bool(briefing.voice)
        schema = briefing.answer_schema if is_document else None
        whole = ModelRequest(briefing.system, briefing.messages, tuple(briefing.tools), schema, briefing.limits)
        tokens = size_of(whole)
        of_tools = tokens - size_of(replace(whole, tools=()))
        return QuestionSize(tokens, of_tools, len(briefing.tools), briefing.limits.max_tokens)

    def is_due(self) -> bool:
        """Return whether the game master has work: an unanswered message, a scene, an NPC's turn."""
        turns = self.chronicle.turns()
        with self._campaign.reading() as world:
            if (crew := find_crew(world)) is not None:
                return scene_play.owed_by_master(crew) is not None
            return unfinished(turns, world).is_waiting

    def last_exchange(self) -> list[Record]:
        """Return the turns since the last message, that one first; empty if there is none."""
        turns = self.chronicle.turns()
        with self._campaign.reading() as world:
            return last_exchange(turns, world)

    def exchange(self, said: Said, on_event: OnEvent = ignore) -> Exchange:
        """Process a player's message or answer, and let the game master's side act until a player has to speak.

        The message is committed first and stays, even if the model fails: `Said()` continues with it.

        Args:
            said: the player's input.
            on_event: called with events as they happen.

        Raises:
            CampaignError: when the campaign cannot take a turn; turns committed before stay.
        """
        return self._in_session(on_event, lambda sitting: self._exchange(sitting, said))

    def propose_calls(self, told: str, on_event: OnEvent = ignore) -> tuple[list[Any], Exchange]:
        """Ask the model which calls a person's text needs; nothing is submitted.

        Args:
            told: the person's text as the game master.
            on_event: called with events while the model works.

        Returns:
            The calls that its agent may make, and the outcome of the request.
        """
        calls: list[Any] = []

        def ask(sitting: Session) -> None:
            if why := self.spending.spent(sitting.settings):
                raise Stopped("capped", why)
            briefing = sitting.brief("")
            answer = sitting.asker.ask(briefing, [Message("player", _ASSIST.format(told=told))], step=0)
            understood = sitting.understood(answer.tool_calls, briefing)
            calls.extend(call for call in understood if briefing.refusal(call) is None)
            sitting.outcome.outcome = "answered"

        return calls, self._in_session(on_event, ask)

    def _in_session(self, on_event: OnEvent, run: Callable[[Session], None]) -> Exchange:
        settings, before = self.settings, self.chronicle.turns()[-1:]
        outcome, books = Exchange(), TelemetryRecorder(self._campaign, self._directory, settings, self._clock_ms)
        asker = ModelClient(
            settings,
            books,
            outcome,
            self._open_model,
            self.spending,
            self._clock_ms,
            on_event,
            seed=self._seed,
            has_schema=self._has_schema,
        )
        sitting = Session(
            self._campaign,
            self.chronicle,
            settings,
            books,
            outcome,
            asker,
            self._suggest,
            on_event,
            throw=self.throw,
            review=self.review,
        )
        try:
            run(sitting)
        except Stopped as stopped:
            outcome.outcome, outcome.detail, outcome.failure = stopped.outcome, stopped.detail, stopped.failure
        finally:
            books.close([*before, *outcome.replies])
        return outcome

    def hand_in(self, turn: ReceivedTurn, on_event: OnEvent = ignore, *, authority: str = GM) -> Reply:
        """Submit a turn that a person made, without asking any model.

        Args:
            turn: the turn.
            on_event: called when it is committed.
            authority: the authority it comes with.

        Returns:
            The reply; its status is `waiting` if it needs dice that are not rolled now.

        Raises:
            CampaignError: the campaign could not take a turn.
        """
        reply = hand_in(self._campaign, turn, self.throw, authority=authority)
        if reply["seq"] is not None and reply["status"] != "waiting":
            on_event(TurnCommitted(turn, reply, reply["seq"]))
        return reply

    def _exchange(self, sitting: Session, said: Said) -> None:
        if why := self.spending.spent(sitting.settings):
            raise Stopped("capped", why)
        if said.text is not None or said.answer is not None:
            _take(sitting, said)
        if _is_scene_game(sitting):
            self._play_scene(sitting)
        else:
            FreeExchange(sitting).run()

    # scene games

    def _play_scene(self, sitting: Session) -> None:
        if not scene_play.is_awaited(sitting):
            sitting.outcome.outcome = "waiting"
            return
        sitting.since = self.chronicle.last()
        since = next((record["seq"] for record in self.last_exchange()), -1)
        scene_play.go_on(sitting, since)
        sitting.outcome.outcome = "answered" if sitting.outcome.narrations else "waiting"


def _is_scene_game(sitting: Session) -> bool:
    with sitting.campaign.reading() as world:
        return world.get(CREW_PATH) is not None


def _take(sitting: Session, said: Said) -> None:
    """Commit a player's input, before any model is asked.

    A player's authority accepts no addressees; a message to some characters is submitted with the game master's
    authority, as that player. In a scene game all messages are played openly.
    """
    if said.private and _is_scene_game(sitting):
        raise Stopped("refused", NO_WHISPERS)
    is_aside = bool(said.addressees) or said.private
    turn, authority = said.turn(), said.authority
    if is_aside and (player := player_of(authority)) is not None:
        turn["actor_id"], authority = player, GM
    reply = sitting.hand_in(turn, authority=authority)
    if reply["status"] == "refused":
        raise Stopped("refused", reply["detail"])
    if failed := reply["tool_feedback"]["failed_calls"]:
        raise Stopped("refused", failed[0]["detail"])
