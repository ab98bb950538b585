"""Questions to models, within the bounds of the session: each is counted, told and noted.

Source: docs/agents.md, "Bounds".
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from turnwright.game_master.budget import CapReached, SessionBudget
from turnwright.game_master.exchange import (
    Cancelled,
    Exchange,
    ModelFinished,
    ModelStarted,
    OnEvent,
    Stopped,
    TextDelta,
)
from turnwright.game_master.prompts.request_builder import AgentRequest
from turnwright.game_master.telemetry import Asking
from turnwright.game_master.telemetry_recorder import TelemetryRecorder
from turnwright.llm.conversation import size_of
from turnwright.llm.port import LanguageModel, Message, ModelAnswer, ModelFailed, ModelRequest, OnText, Usage
from turnwright.model.call_shapes import understood_calls
from turnwright.model.errors import BadRequest
from turnwright.model.settings import Settings
from turnwright.model.wire.agent import AgentKind

_FREE_FAILURES = ("unavailable", "refused")
"""Failures of a model before it has read anything."""


@dataclass(frozen=True, slots=True)
class ModelClient:
    """Asks the models of one exchange.

    Attributes:
        settings: those in force.
        books: records requests.
        outcome: the exchange so far.
        open_model: returns the model of a name.
        spending: the session's usage.
        clock_ms: a monotonic clock in milliseconds.
        tell: called with events as they happen.
        seed: makes models with seed support repeatable.
        has_schema: whether to request one document in free play, too.
    """

    settings: Settings
    books: TelemetryRecorder
    outcome: Exchange
    open_model: Callable[[str], LanguageModel]
    spending: SessionBudget
    clock_ms: Callable[[], float]
    tell: OnEvent
    seed: int | None
    has_schema: bool

    def ask(
        self,
        briefing: AgentRequest,
        conversation: Sequence[Message],
        *,
        step: int,
        has_tools: bool = True,
        wants_document: bool = False,
    ) -> ModelAnswer:
        """Return the answer of the agent's model.

        Args:
            briefing: its input.
            conversation: the later messages of this exchange.
            step: the number of the request in the exchange.
            has_tools: whether it may call tools.
            wants_document: whether the answer has to be one JSON document.

        Raises:
            Stopped: when the session's limits, the person at the table or the model itself end it.
        """
        schema = briefing.answer_schema if wants_document or (self.has_schema and has_tools) else None
        request = self._request(briefing, conversation, schema, has_tools=has_tools)
        model = self._model(briefing)
        try:
            request = self.spending.within(request, self.settings)
        except CapReached as reached:
            raise Stopped("capped", str(reached)) from None
        self.tell(ModelStarted(briefing.agent, model.name, step))
        try:
            return self._answer(model, request, briefing.agent, step, is_heard=True)
        except ModelFailed as failure:
            raise Stopped("failed", str(failure), failure.kind) from None

    def adviser(self, name: str) -> LanguageModel:
        """Return a model for advice on actions, within the same limits.

        Raises:
            BadRequest: when there is no such model.
        """
        return _Adviser(self.open_model(name), self._advise)

    def _advise(self, model: LanguageModel, request: ModelRequest) -> ModelAnswer:
        try:
            request = self.spending.within(request, self.settings)
        except CapReached as reached:
            raise ModelFailed("refused", str(reached)) from None
        return self._answer(model, request, AgentKind.SUGGESTOR, 0, is_heard=False)

    def _request(
        self, briefing: AgentRequest, conversation: Sequence[Message], schema: Any, *, has_tools: bool
    ) -> ModelRequest:
        seed = None if self.seed is None else self.seed + self.spending.questions
        return ModelRequest(
            system=briefing.system,
            messages=(*briefing.messages, *conversation),
            tools=tuple(briefing.tools) if has_tools else (),
            answer_schema=schema,
            limits=replace(briefing.limits, seed=seed),
        )

    def _model(self, briefing: AgentRequest) -> LanguageModel:
        name = briefing.model
        if not name:
            raise Stopped(
                "failed", f"no model is named for {briefing.agent} (agents.{briefing.agent}.model)", "unavailable"
            )
        try:
            return self.open_model(name)
        except BadRequest as error:
            raise Stopped("failed", str(error), "unavailable") from None

    def _answer(
        self, model: LanguageModel, request: ModelRequest, agent: AgentKind, step: int, *, is_heard: bool
    ) -> ModelAnswer:
        """Return a model's answer; its usage counts even if it fails."""
        began, written = self.clock_ms(), 0

        def on_text(piece: str) -> None:
            nonlocal written
            written += len(piece)
            self.tell(TextDelta(piece))

        try:
            answer = model.answer(request, on_text if is_heard else None)
        except ModelFailed as failure:
            usage = Usage() if failure.kind in _FREE_FAILURES else Usage(size_of(request), -(-written // 4))
            self._took(agent, model, began, usage, step, failure.kind)
            if isinstance(failure, Cancelled):
                raise Stopped("cancelled", "the game master was stopped") from None
            raise
        self._took(agent, model, began, answer.usage, step, None)
        return replace(answer, tool_calls=tuple(understood_calls(answer.tool_calls)))

    def _took(
        self, agent: AgentKind, model: LanguageModel, began: float, usage: Usage, step: int, failure: str | None
    ) -> None:
        self.spending.add(usage)
        spent = round(self.clock_ms() - began)
        asking = Asking(
            str(agent), model.name, spent, usage.input_tokens, usage.output_tokens, usage.cost, failure, step
        )
        self.outcome.askings.append(asking)
        self.books.asked(asking)
        self.tell(ModelFinished(asking))


@dataclass(frozen=True, slots=True)
class _Adviser:
    """A model whose every question is counted."""

    model: LanguageModel
    ask: Callable[[LanguageModel, ModelRequest], ModelAnswer]

    @property
    def name(self) -> str:
        """The model's name in records."""
        return self.model.name

    def answer(self, request: ModelRequest, on_text: OnText | None = None) -> ModelAnswer:
        """Return its answer; the text is not shown to players."""
        del on_text
        return self.ask(self.model, request)
