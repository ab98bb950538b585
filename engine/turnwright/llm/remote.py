"""A model on a server, through pydantic-ai: any OpenAI-compatible one, and whatever else it knows.

Source: docs/agents.md, "Models".
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import TYPE_CHECKING

import httpx2
from pydantic_ai.direct import model_request_stream
from pydantic_ai.exceptions import ModelHTTPError
from pydantic_ai.messages import (
    ModelMessage,
    ModelResponse,
    PartDeltaEvent,
    PartStartEvent,
    SystemPromptPart,
    TextPart,
    TextPartDelta,
    ThinkingPart,
    ThinkingPartDelta,
    ToolCallPart,
    ToolCallPartDelta,
    UserPromptPart,
)
from pydantic_ai.messages import ModelRequest as Asked
from pydantic_ai.models import ModelRequestParameters, StreamedResponse
from pydantic_ai.output import OutputObjectDefinition
from pydantic_ai.settings import ModelSettings
from pydantic_ai.tools import ToolDefinition

from turnwright.llm.answer_parser import answer_from_prose, answer_from_text, native_call
from turnwright.llm.conversation import inert, sides, size_of, tokens_of, told_the_schema
from turnwright.llm.errors import failure_of
from turnwright.llm.http import Wire
from turnwright.llm.port import Limits, ModelAnswer, ModelFailed, ModelRequest, OnText, Usage
from turnwright.llm.provider import Server
from turnwright.llm.stream import Listener, watched

if TYPE_CHECKING:
    from turnwright.model.wire.prompt import ToolFunction

_NO_SCHEMA = (400, 404, 422, 500, 501)
_SCHEMA_WORDS = ("response_format", "schema", "grammar", "json", "structured")


class RemoteModel:
    """A model on a server. It keeps no state between answers: each uses its own connection."""

    def __init__(self, name: str, server: Server) -> None:
        self._name = name
        self._server = server

    @property
    def name(self) -> str:
        """The model's name in records and messages: the name it was given."""
        return self._name

    def answer(self, request: ModelRequest, on_text: OnText | None = None) -> ModelAnswer:
        """Ask, and return the answer when it is complete. Not to be called from within an event loop."""
        listener, wire = Listener(request.limits, on_text), Wire(request.limits)
        try:
            return asyncio.run(watched(self._answer(request, listener, wire), listener))
        except Exception as error:
            if listener.raised is not None:
                raise listener.raised from None
            raise failure_of(error, request.limits, self._server.secret) from error

    async def _answer(self, request: ModelRequest, listener: Listener, wire: Wire) -> ModelAnswer:
        limits = request.limits
        async with (
            asyncio.timeout(limits.timeout),
            wire.client(limits.timeout, is_near=self._server.is_near) as client,
        ):
            try:
                response = await self._response(request, listener, client)
            except ModelHTTPError as error:
                if request.answer_schema is None or not _wants_no_schema(error):
                    raise
                response = await self._response(told_the_schema(request), listener, client)
        if self._server.ends_with_mark and not (wire.is_complete or _has_end(response)):
            raise ModelFailed("disconnected", "the model's server closed the connection before the end of the answer")
        return _read(response, request)

    async def _response(self, request: ModelRequest, listener: Listener, client: httpx2.AsyncClient) -> ModelResponse:
        model = self._server.build(client)
        if not model.profile.get("supports_json_schema_output", False):
            request = told_the_schema(request)
        async with model_request_stream(
            model,
            _messages(request),
            model_settings=_settings(request.limits),
            model_request_parameters=_asked(request),
        ) as stream:
            async for piece, shown in _pieces(stream):
                listener.hear(piece, shown=shown)
            return stream.get()


async def _pieces(stream: StreamedResponse) -> AsyncIterator[tuple[str, bool]]:
    """Yield each piece, and whether it is text of the answer; a piece that is only a name counts as one character."""
    async for event in stream:
        if isinstance(event, PartStartEvent):
            part = event.part
            if isinstance(part, (TextPart, ThinkingPart)):
                yield part.content, isinstance(part, TextPart)
            else:
                yield str(part.args or " ") if isinstance(part, ToolCallPart) else " ", False
        elif isinstance(event, PartDeltaEvent):
            delta = event.delta
            if isinstance(delta, (TextPartDelta, ThinkingPartDelta)):
                yield delta.content_delta or "", isinstance(delta, TextPartDelta)
            else:
                yield str(delta.args_delta or " ") if isinstance(delta, ToolCallPartDelta) else " ", False


def _messages(request: ModelRequest) -> list[ModelMessage]:
    messages: list[ModelMessage] = []
    head = [SystemPromptPart(inert(request.system))] if request.system else []
    for side, text in sides(request.messages):
        if side == "user":
            messages.append(Asked(parts=[*head, UserPromptPart(text)]))
            head = []
        else:
            messages.append(ModelResponse(parts=[TextPart(text)]))
    return messages or [Asked(parts=head)]


def _settings(limits: Limits) -> ModelSettings:
    settings = ModelSettings(max_tokens=limits.max_tokens, temperature=limits.temperature, timeout=limits.timeout)
    if limits.seed is not None:
        settings["seed"] = limits.seed
    return settings


def _asked(request: ModelRequest) -> ModelRequestParameters:
    if request.answer_schema is not None:
        output = OutputObjectDefinition(json_schema=dict(request.answer_schema), name="answer", strict=False)
        return ModelRequestParameters(output_mode="native", output_object=output)
    return ModelRequestParameters(function_tools=[_tool(one["function"]) for one in request.tools])


def _tool(described: ToolFunction) -> ToolDefinition:
    return ToolDefinition(
        name=described["name"],
        description=described["description"],
        parameters_json_schema=dict(described["parameters"]),
        strict=False,
    )


def _wants_no_schema(error: ModelHTTPError) -> bool:
    """Return whether a server seems to have refused the schema, and not the request."""
    told = str(error.body).lower()
    return error.status_code in _NO_SCHEMA and any(word in told for word in _SCHEMA_WORDS)


def _has_end(response: ModelResponse) -> bool:
    return bool((response.provider_details or {}).get("finish_reason"))


def _read(response: ModelResponse, request: ModelRequest) -> ModelAnswer:
    text = "".join(part.content for part in response.parts if isinstance(part, TextPart))
    calls = [part for part in response.parts if isinstance(part, ToolCallPart)]
    read = [native_call(number, call.tool_name, call.args) for number, call in enumerate(calls, 1)]
    if request.answer_schema is not None and not calls:
        answer = answer_from_text(text, request.answer_schema)
    else:
        answer = answer_from_prose(text, read)
    return replace(answer, usage=_usage(response, request), is_cut_off=response.finish_reason == "length")


def _usage(response: ModelResponse, request: ModelRequest) -> Usage:
    """Return what the server says it took, or about what that is."""
    used = response.usage
    if not (used.input_tokens or used.output_tokens):
        written = "".join(str(getattr(part, "content", "") or getattr(part, "args", "")) for part in response.parts)
        return Usage(size_of(request), tokens_of(written))
    try:
        cost = float(response.cost().total_price)
    except (LookupError, ValueError, AssertionError):
        cost = None
    return Usage(used.input_tokens, used.output_tokens, cost)
