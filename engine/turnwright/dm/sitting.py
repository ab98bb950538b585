"""One exchange as it goes on: asking a model within bounds, and handing in turns.

Nothing here writes state: a turn goes the way of every turn. Source: docs/agents.md, "A session".
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from turnwright.campaign import Campaign
from turnwright.dm.bookkeeping import Books
from turnwright.dm.briefing import Briefing
from turnwright.dm.chronicle import Chronicle
from turnwright.dm.exchange import Cancelled, Committed, Exchange, OnEvent, Stopped, Thinking, Thought, Written
from turnwright.dm.model import Message, Model, ModelAnswer, ModelFailed, ModelRequest, OnText, Usage
from turnwright.dm.models.conversation import size_of
from turnwright.dm.spending import CapReached, Spending
from turnwright.dm.telemetry import Asking
from turnwright.dm.unfinished import is_overtaken
from turnwright.model.agent import AgentKind
from turnwright.model.errors import BadRequest
from turnwright.model.settings import Settings
from turnwright.stages.settings import GM

Reply = dict[str, Any]
_FREE_FAILURES = ("unavailable", "refused")
"""How a model fails before it has read anything."""


class Sitting:
    """What the parts of one exchange share.

    Attributes:
        since: the turn after which nothing is handed in once somebody else went on; None where that does not matter.
    """

    def __init__(
        self,
        campaign: Campaign,
        books: Books,
        chronicle: Chronicle,
        settings: Settings,
        open_model: Callable[[str], Model],
        spending: Spending,
        clock_ms: Callable[[], float],
        on_event: OnEvent,
        *,
        seed: int | None = None,
        has_schema: bool = False,
    ) -> None:
        self.campaign = campaign
        self.books = books
        self.chronicle = chronicle
        self.settings = settings
        self.tell = on_event
        self.outcome = Exchange()
        self.has_schema = has_schema
        self.since: int | None = None
        self._open_model = open_model
        self._spending = spending
        self._clock_ms = clock_ms
        self._seed = seed

    # asking

    def ask(
        self,
        briefing: Briefing,
        conversation: Sequence[Message],
        *,
        step: int,
        has_tools: bool = True,
        wants_document: bool = False,
    ) -> ModelAnswer:
        """Return what the agent's model answers.

        Args:
            briefing: what it is given.
            conversation: what followed in this exchange.
            step: which question of the exchange this is.
            has_tools: whether it may call tools.
            wants_document: whether the answer has to be one JSON document.

        Raises:
            Stopped: when the session's bounds, the person at the table or the model itself put an end to it.
        """
        schema = briefing.answer_schema if wants_document or (self.has_schema and has_tools) else None
        request = self._request(briefing, conversation, schema, has_tools=has_tools)
        model = self._model(briefing)
        try:
            request = self._spending.within(request, self.settings)
        except CapReached as reached:
            raise Stopped("capped", str(reached)) from None
        self.tell(Thinking(briefing.agent, model.name, step))
        began, written = self._clock_ms(), 0

        def on_text(piece: str) -> None:
            nonlocal written
            written += len(piece)
            self.tell(Written(piece))

        try:
            answer = model.answer(request, on_text)
        except ModelFailed as failure:
            free = failure.kind in _FREE_FAILURES
            usage = Usage() if free else Usage(size_of(request), -(-written // 4))
            self._took(briefing.agent, model, began, usage, step, failure.kind)
            if isinstance(failure, Cancelled):
                raise Stopped("cancelled", "the game master was stopped") from None
            raise Stopped("failed", str(failure), failure.kind) from None
        self._took(briefing.agent, model, began, answer.usage, step, None)
        return answer

    def adviser(self, name: str) -> Model:
        """Return a model that is asked for advice on what to do, within the same bounds.

        Raises:
            BadRequest: there is no such model.
        """
        return _Adviser(self._open_model(name), self._advised)

    def _advised(self, model: Model, request: ModelRequest) -> ModelAnswer:
        try:
            request = self._spending.within(request, self.settings)
        except CapReached as reached:
            raise ModelFailed("refused", str(reached)) from None
        began = self._clock_ms()
        try:
            answer = model.answer(request)
        except ModelFailed as failure:
            usage = Usage() if failure.kind in _FREE_FAILURES else Usage(size_of(request))
            self._took(AgentKind.SUGGESTOR, model, began, usage, 0, failure.kind)
            if isinstance(failure, Cancelled):
                raise Stopped("cancelled", "the game master was stopped") from None
            raise
        self._took(AgentKind.SUGGESTOR, model, began, answer.usage, 0, None)
        return answer

    def _request(
        self, briefing: Briefing, conversation: Sequence[Message], schema: Any, *, has_tools: bool
    ) -> ModelRequest:
        seed = None if self._seed is None else self._seed + self._spending.questions
        return ModelRequest(
            system=briefing.system,
            messages=(*briefing.messages, *conversation),
            tools=tuple(briefing.tools) if has_tools else (),
            answer_schema=schema,
            limits=replace(briefing.limits, seed=seed),
        )

    def _model(self, briefing: Briefing) -> Model:
        name = briefing.model
        if not name:
            raise Stopped(
                "failed", f"no model is named for {briefing.agent} (agents.{briefing.agent}.model)", "unavailable"
            )
        try:
            return self._open_model(name)
        except BadRequest as error:
            raise Stopped("failed", str(error), "unavailable") from None

    def _took(self, agent: AgentKind, model: Model, began: float, usage: Usage, step: int, failure: str | None) -> None:
        self._spending.add(usage)
        spent = round(self._clock_ms() - began)
        asking = Asking(
            str(agent), model.name, spent, usage.input_tokens, usage.output_tokens, usage.cost, failure, step
        )
        self.outcome.askings.append(asking)
        self.books.asked(asking)
        self.tell(Thought(asking))

    # handing in

    def hand_in_calls(self, turn: dict[str, Any], calls: Sequence[Any], briefing: Briefing) -> Reply:
        """Hand in what a model called, but for what its agent may not; the reply tells of both.

        Without a call that may be handed in there is no turn: the reply then has no `seq`.
        """
        found = [(call, briefing.refusal(call)) for call in calls]
        refused = [failed for _, failed in found if failed]
        handed_in = [call for call, failed in found if not failed]
        self.outcome.barred += refused
        if refused and not handed_in:
            nothing: Reply = {"turn_id": None, "seq": None, "status": "failed", "applied_actions": [], "findings": []}
            return nothing | _failed(refused)
        reply = self.hand_in(turn | {"tool_calls": handed_in}, briefing.agent, barred=refused)
        if not refused or reply["status"] == "refused":
            return reply
        status = {"applied": "partial"}.get(reply["status"], reply["status"])
        return {**reply, "status": status} | _failed([*reply["tool_feedback"]["failed_calls"], *refused])

    def hand_in(
        self,
        turn: dict[str, Any],
        agent: AgentKind | None = None,
        *,
        authority: str = GM,
        barred: Sequence[dict[str, Any]] = (),
    ) -> Reply:
        """Send a turn through the stages and return the reply; what a model handed in is written down as telemetry.

        Args:
            turn: the turn.
            agent: whose turn it is; None for a player's.
            authority: the door it comes through.
            barred: calls that were not handed in with it.

        Raises:
            CampaignError: the campaign could not take any turn now.
            Stopped: when somebody else went on with the campaign meanwhile.
        """
        if agent is not None:
            self._require_first()
        reply = self.campaign.process(turn, authority=authority)
        self.outcome.replies.append(reply)
        if reply["seq"] is not None:
            self.tell(Committed(turn, reply))
            if agent is not None:
                self.books.write_down(reply, agent, barred)
        return reply

    def _require_first(self) -> None:
        """Stop where somebody else went on."""
        turns, own = self.chronicle.turns(), {reply["seq"] for reply in self.outcome.replies}
        with self.campaign.reading() as world:
            if self.since is not None and is_overtaken(turns, world, self.since, own):
                raise Stopped("overtaken", "somebody else has gone on with this campaign meanwhile")


class _Adviser:
    """A model whose every question is counted."""

    def __init__(self, model: Model, ask: Callable[[Model, ModelRequest], ModelAnswer]) -> None:
        self._model = model
        self._ask = ask

    @property
    def name(self) -> str:
        """What records call it."""
        return self._model.name

    def answer(self, request: ModelRequest, on_text: OnText | None = None) -> ModelAnswer:
        """Return its answer; nobody is told its text."""
        del on_text
        return self._ask(self._model, request)


def _failed(calls: Sequence[Any]) -> dict[str, Any]:
    return {"tool_feedback": {"failed_calls": list(calls)}}
