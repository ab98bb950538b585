"""State shared while one player message is answered: builds model requests and submits turns.

Nothing here writes state: turns are submitted like any other. Source: docs/agents.md, "A session".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

from turnwright.campaign.campaign import Campaign
from turnwright.game_master.active_turns import ActiveTurns
from turnwright.game_master.agents import Chosen, DueTurn
from turnwright.game_master.exchange import (
    BARRED,
    REVIEWED,
    CallsRejected,
    Exchange,
    OnEvent,
    Proposal,
    Review,
    Stopped,
    Throw,
    TurnCommitted,
    leave_waiting,
)
from turnwright.game_master.hand_in import hand_in
from turnwright.game_master.knowledge.known_world import horizon_of
from turnwright.game_master.knowledge.redaction import redact_reply
from turnwright.game_master.model_client import ModelClient
from turnwright.game_master.pending_work import is_overtaken
from turnwright.game_master.prompts.request_builder import AgentRequest, build_request
from turnwright.game_master.suggestion_step import Suggest, hints_for, moment_of
from turnwright.game_master.telemetry_recorder import TelemetryRecorder
from turnwright.game_master.tool_permissions import is_whole, undone
from turnwright.model.authority import GM
from turnwright.model.settings import Settings
from turnwright.model.state.overlay import World
from turnwright.model.wire.agent import NPC_AGENTS, AgentKind
from turnwright.model.wire.record import as_received, as_reply
from turnwright.rulesets.scenes.play import find_crew
from turnwright.toolset.calls import call_of, completed_args
from turnwright.toolset.find import FoundTools, find_tool

if TYPE_CHECKING:
    from turnwright.game_master.feedback import ToolSearch
    from turnwright.model.wire.shapes import FailedCall, ReceivedTurn, Reply


@dataclass(slots=True)
class Session:
    """The state shared by the parts of one exchange.

    Attributes:
        campaign: the campaign, open.
        chronicle: the turns not undone.
        settings: those in force.
        books: the telemetry.
        outcome: the exchange so far.
        asker: asks models.
        suggest: gives hints for a message; None for none.
        tell: called with events as they happen.
        since: the turn after which nothing is submitted once another process continued play; None to skip that check.
        barred: calls that agents may not make, not recorded yet.
        throw: asks the table for dice.
        review: lets a person decide on models' proposals, under `agents.approve` = `review`; None for no review.
    """

    campaign: Campaign
    chronicle: ActiveTurns
    settings: Settings
    books: TelemetryRecorder
    outcome: Exchange
    asker: ModelClient
    suggest: Suggest | None
    tell: OnEvent
    since: int | None = None
    barred: list[FailedCall] = field(default_factory=list)
    throw: Throw = leave_waiting
    review: Review | None = None

    # what a model is given

    def brief(
        self,
        message: str,
        *,
        speaker: str | None = None,
        private: bool = False,
        agent: AgentKind | Chosen | None = None,
        due: DueTurn | None = None,
        since: int = -1,
    ) -> AgentRequest:
        """Return a model's current input, with the hints still open after the calls applied since.

        Args:
            message: the message; empty if there is none.
            speaker: its author.
            private: whether only the addressees hear it.
            agent: the answering agent, if known.
            due: the turn in a fight that is taken without a message.
            since: the record after which hints may have been followed.
        """
        turns = self.chronicle.turns()
        with self.campaign.reading() as world:
            make = partial(build_request, world, turns, self.settings, message)
            make = partial(make, agent=agent, actor_id=speaker, private=private, due=due)
            briefing = make()
            if self.suggest is None or briefing.agent is AgentKind.SUMMARIZER:
                return briefing
            acting = due.acting_id if due is not None else speaker or briefing.actor
            if isinstance(agent, Chosen) and agent.is_ally_turn:
                acting = agent.npc_id
            look = partial(hints_for, self.suggest, world, self.settings, briefing.agent, briefing.said, turns)
            played = briefing.npc_id if briefing.agent in NPC_AGENTS else None
            look = partial(look, acting, self.asker.adviser, played)
            applied = [action for turn in turns if turn["seq"] > since for action in turn["applied_actions"]]
            hints = self.books.hints(briefing.agent, briefing.said, moment_of(world, acting), applied, look)
            return make(suggestions_block=hints.block) if hints.block else briefing

    def learned(self, reply: Reply, briefing: AgentRequest, calls: Iterable[Any]) -> Reply:
        """Return the results of calls for the agent that made them: all of them, or redacted."""
        if briefing.agent not in NPC_AGENTS:
            return reply
        with self.campaign.reading() as world:
            horizon = horizon_of(world, Chosen(briefing.agent, briefing.npc_id), briefing.actor)
        return redact_reply(reply, horizon, calls)

    # handing in

    def understood(self, calls: Sequence[Any], briefing: AgentRequest) -> list[Any]:
        """Return the calls of a model as the engine takes them, where they came from a short list of tools."""
        if not briefing.takes_names:
            return list(calls)
        has_names = briefing.agent not in NPC_AGENTS  # who is played knows fewer of them than the engine
        with self.campaign.reading() as world:
            return [_completed(world, call, briefing, self.settings, has_names=has_names) for call in calls]

    def found_tools(self, searches: Sequence[ToolSearch], briefing: AgentRequest) -> list[FoundTools]:
        """Return what an agent's calls of `find_tool` find among the tools that it may call."""
        with self.campaign.reading() as world:
            return [
                find_tool(world, str(search["args"].get("query", "")), briefing.role, limit=1, settings=self.settings)
                for search in searches
            ]

    def hand_in_calls(self, turn: ReceivedTurn, calls: Sequence[Any], briefing: AgentRequest) -> Reply:
        """Hand in what a model called, but for what its agent may not; the reply tells of both.

        Calls that end a turn or a fight after something else are done with it, or none is. Where nothing may be handed
        in there is no turn: the reply then has no `seq`.
        """
        judged = [(call, briefing.refusal(call)) for call in calls]
        refused = [failed for _, failed in judged if failed]
        handed_in = [call for call, failed in judged if not failed]
        self.outcome.barred += refused
        self.barred += refused
        whole = is_whole(judged)
        if refused and (whole or not handed_in):
            nothing: dict[str, object] = {
                "turn_id": None,
                "seq": None,
                "status": "failed",
                "applied_actions": [],
                "findings": [],
            }
            failed = undone(judged)
            self.tell(CallsRejected(failed))
            return as_reply({**nothing, "tool_feedback": {"failed_calls": failed}})
        turn = {**turn, "tool_calls": handed_in}
        if whole:
            turn["atomic"] = True
        reply = self.hand_in(turn, briefing.agent)
        if refused and judged[-1][1]:
            self.tell(CallsRejected(refused))
        if not refused or reply["status"] == "refused":
            return reply
        status = {"applied": "partial"}.get(reply["status"], reply["status"])
        failed_calls = [*reply["tool_feedback"]["failed_calls"], *refused]
        return {**reply, "status": status, "tool_feedback": {"failed_calls": failed_calls}}

    def hand_in(self, turn: ReceivedTurn, agent: AgentKind | None = None, *, authority: str = GM) -> Reply:
        """Process a turn and return the reply; a model's turn is recorded as telemetry.

        Args:
            turn: the turn.
            agent: the agent that made it; None for a player's.
            authority: the authority it comes with.

        Raises:
            CampaignError: the campaign could not take any turn now.
            Stopped: when another process continued the campaign meanwhile.
        """
        if agent is not None:
            self._require_first(turn)
            turn = self._reviewed(turn, agent)
            if self.barred:
                turn = as_received({**turn, BARRED: self.barred})
        reply = hand_in(self.campaign, turn, self.throw, authority=authority, by_model=agent is not None)
        if reply["status"] == "waiting":
            self.outcome.replies.append(reply)
            raise Stopped("waiting", f"{reply['turn_id']} waits for dice ({reply['request']['request_id']})")
        self.outcome.replies.append(reply)
        if reply["seq"] is not None:
            self.tell(TurnCommitted(turn, reply, reply["seq"]))
            if agent is not None:
                self.barred = []
                self.books.write_down(reply, agent)
        return reply

    def _reviewed(self, turn: ReceivedTurn, agent: AgentKind) -> ReceivedTurn:
        """Return a turn as approved by the person at the table.

        What changes and tells nothing is not asked for: the engine refuses it, and the model is told why.

        Raises:
            Stopped: when the person rejects it, or another process continued meanwhile.
        """
        if self.review is None or self.settings["agents.approve"] != "review" or agent is AgentKind.SUMMARIZER:
            return turn
        is_edited = False
        while True:
            reply = self.campaign.process(turn, dry_run=True, by_model=True)
            if not is_edited and not _is_of_effect(turn, reply):
                return turn
            decided = self.review(Proposal(turn, reply))
            if decided is None:
                raise Stopped("declined", "nothing of it was recorded")
            if decided == turn:
                self._require_first(turn)
                return as_received({**turn, REVIEWED: "edited" if is_edited else "approved"})
            turn, is_edited = decided.copy(), True

    def _require_first(self, turn: ReceivedTurn) -> None:
        """Stop if another process continued, or if the scene game expects something else by now."""
        turns, own = self.chronicle.turns(), {reply["seq"] for reply in self.outcome.replies}
        with self.campaign.reading() as world:
            crew = find_crew(world)
            is_outdated = crew is not None and turn.get("prompt_id") not in (None, crew.awaiting.prompt_id)
            is_late = self.since is not None and is_overtaken(turns, world, self.since, own)
            if is_outdated or is_late:
                raise Stopped("overtaken", "someone else has continued this campaign in the meantime")


def _is_of_effect(turn: ReceivedTurn, reply: Reply) -> bool:
    """Return whether a turn that was tried may change or tell something; with calls, other dice may make it true."""
    is_text = not turn.get("tool_calls") and "output" not in turn
    return reply["status"] not in ("refused", "failed") and not (reply["status"] == "retry_needed" and is_text)


def _completed(world: World, call: Any, briefing: AgentRequest, settings: Settings, *, has_names: bool) -> Any:
    if not isinstance(call, Mapping) or not isinstance(call.get("tool"), str):
        return call
    meant = call_of(call["tool"], call.get("args", {}))
    args = completed_args(world, meant.tool, meant.args, briefing.role, settings=settings, has_names=has_names)
    return {**call, "tool": meant.tool, "args": args}
