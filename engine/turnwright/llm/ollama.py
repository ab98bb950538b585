"""A model of Ollama, through Ollama's own API, which reports the context size and lets the caller set it.

The OpenAI-compatible API of the same server cannot report how much context a model gets, and silently truncates longer
requests. Source: docs/agents.md, "Names of models".
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Literal, TypedDict

import httpx2

from turnwright.llm.answer_parser import answer_from_prose, answer_from_text, native_call
from turnwright.llm.conversation import inert, sides, size_of, tokens_of
from turnwright.llm.http import Wire, is_loopback
from turnwright.llm.http_errors import failure_of_connection, failure_of_status
from turnwright.llm.port import Limits, ModelAnswer, ModelFailed, ModelRequest, OnText, Usage
from turnwright.llm.stream import Listener, watched
from turnwright.model.json_types import JsonObject

MIN_CONTEXT = 8192
"""Minimum context size to request, in tokens, if supported: with less a model forgets the beginning of a request."""
SHORTER = "show it fewer tools with --set agents.profile=core or tiny, or less with --set agents.context_tokens=1000"
_LOOK = Limits(0.0, 64, 5.0)
"""Timeout of the request for a model's properties."""
_NO_TOOLS = "does not support tools"


class _Function(TypedDict, total=False):
    name: str
    arguments: Any


class _Call(TypedDict, total=False):
    function: _Function


class _Message(TypedDict, total=False):
    """The `message` of a line."""

    role: Literal["system", "user", "assistant"]
    content: str
    thinking: str
    tool_calls: list[_Call]


class OllamaModel:
    """A model of Ollama. Its only state between answers is its context size.

    Args:
        name: its name in records and messages.
        model: its name in Ollama.
        url: where Ollama listens.
        key: the server's key; empty for none.
    """

    def __init__(self, name: str, model: str, url: str, key: str = "") -> None:
        self._name = name
        self._model = model
        self._url = url.rstrip("/").removesuffix("/v1")  # as its other API is named
        self._key = key
        self._most: int | None = None
        self._has_looked = False
        self._context = MIN_CONTEXT

    @property
    def name(self) -> str:
        """The model's name in records and messages."""
        return self._name

    def context_tokens(self) -> int | None:
        """Return how many tokens the model holds at the most, as its server says; None where it does not say."""
        if not self._has_looked:
            try:
                shown = asyncio.run(self._show())
            except Exception as error:
                raise failure_of_connection(error, _LOOK, self._key) from error
            self._most, self._has_looked = _length_in(shown), True
        return self._most

    def answer(self, request: ModelRequest, on_text: OnText | None = None) -> ModelAnswer:
        """Ask, and return the answer when it is complete. Not to be called from within an event loop.

        Raises:
            ModelFailed: also where the question is longer than what the model holds: Ollama would cut it.
        """
        context = self._context_for(request)
        listener, wire = Listener(request.limits, on_text), Wire(request.limits)
        try:
            return asyncio.run(watched(self._answer(request, context, listener, wire), listener))
        except Exception as error:
            if listener.raised is not None:
                raise listener.raised from None
            raise failure_of_connection(error, request.limits, self._key) from error

    def _context_for(self, request: ModelRequest) -> int:
        """Return the context size to request; it only grows, because Ollama reloads the model for each change."""
        most, wanted = self.context_tokens(), size_of(request) + request.limits.max_tokens
        while self._context < wanted:
            self._context *= 2
        if most is None:
            return self._context
        if size_of(request) >= most:
            detail = (
                f"the question takes about {size_of(request):,} tokens, and {self._model} holds {most:,}: {SHORTER}"
            )
            raise ModelFailed("refused", detail)
        return min(self._context, most)

    async def _show(self) -> Any:
        async with Wire(_LOOK).client(_LOOK.timeout, is_near=is_loopback(self._url)) as client:
            response = await client.post(f"{self._url}/api/show", json={"model": self._model}, headers=self._headers())
            self._require_good(response.status_code, response.text)
            return response.json()

    async def _answer(self, request: ModelRequest, context: int, listener: Listener, wire: Wire) -> ModelAnswer:
        limits, heard = request.limits, _Heard(listener)
        async with (
            asyncio.timeout(limits.timeout),
            wire.client(limits.timeout, is_near=is_loopback(self._url)) as client,
            client.stream(
                "POST", f"{self._url}/api/chat", json=_body(self._model, request, context), headers=self._headers()
            ) as response,
        ):
            if response.status_code != httpx2.codes.OK:
                self._require_good(response.status_code, (await response.aread()).decode(errors="replace"))
            async for line in response.aiter_lines():
                if line.strip():
                    heard.take(json.loads(line))
        return heard.answer(request)

    def _headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self._key}"} if self._key else {}

    def _require_good(self, status: int, text: str) -> None:
        if status == httpx2.codes.OK:
            return
        body = _parsed(text)
        if _NO_TOOLS in text:
            raise ModelFailed(
                "refused", f"{self._model} knows no tools; begin again with --schema, which it can be held to"
            )
        raise failure_of_status(status, body, self._key)


class _Heard:
    """Collects an answer line by line."""

    def __init__(self, listener: Listener) -> None:
        self._listener = listener
        self._text: list[str] = []
        self._calls: list[_Call] = []
        self._last: Mapping[str, Any] = {}

    def take(self, line: Any) -> None:
        """Take one line of the stream."""
        if not isinstance(line, Mapping):
            raise ModelFailed("garbage", "what the model's server sent is no answer")
        if "error" in line:
            raise ModelFailed("unavailable", f"the model's server gave up: {str(line['error'])[:300]}")
        message: _Message = line.get("message") or {}
        self._listener.hear(message.get("thinking") or "", shown=False)
        piece = message.get("content") or ""
        self._text.append(piece)
        self._listener.hear(piece)
        for call in message.get("tool_calls") or ():
            self._calls.append(call)
            self._listener.hear(json.dumps(call), shown=False)
        if line.get("done"):
            self._last = line

    def answer(self, request: ModelRequest) -> ModelAnswer:
        """Return the answer.

        Raises:
            ModelFailed: when the stream ended before the answer did.
        """
        if not self._last:
            raise ModelFailed("disconnected", "the model's server closed the connection before the end of the answer")
        text = "".join(self._text)
        functions = (call.get("function") or {} for call in self._calls)
        calls = [native_call(n, one.get("name"), one.get("arguments")) for n, one in enumerate(functions, 1)]
        if request.answer_schema is not None and not calls:
            answer = answer_from_text(text, request.answer_schema)
        else:
            answer = answer_from_prose(text, calls)
        read, written = self._last.get("prompt_eval_count"), self._last.get("eval_count")
        took = read if isinstance(read, int) else size_of(request)
        usage = Usage(took, written if isinstance(written, int) else tokens_of(text))
        return replace(answer, usage=usage, is_cut_off=self._last.get("done_reason") == "length")


def _body(model: str, request: ModelRequest, context: int) -> JsonObject:
    messages: list[_Message] = [{"role": "system", "content": inert(request.system)}] if request.system else []
    messages += [{"role": side, "content": text} for side, text in sides(request.messages)]
    limits = request.limits
    options: dict[str, float] = {
        "num_ctx": context,
        "num_predict": limits.max_tokens,
        "temperature": limits.temperature,
    }
    if limits.seed is not None:
        options["seed"] = limits.seed
    body: dict[str, Any] = {"model": model, "messages": messages, "options": options, "stream": True}
    if request.answer_schema is not None:
        body["format"] = dict(request.answer_schema)
    elif request.tools:
        body["tools"] = [dict(tool) for tool in request.tools]
    return body


def _length_in(shown: Any) -> int | None:
    """Return the length of the context that Ollama tells of a model: `llama.context_length` and the like."""
    told = shown.get("model_info") if isinstance(shown, Mapping) else None
    lengths = [
        value
        for key, value in (told.items() if isinstance(told, Mapping) else ())
        if str(key).endswith(".context_length") and type(value) is int and value > 0
    ]
    return min(lengths, default=None)


def _parsed(text: str) -> object:
    try:
        return json.loads(text)
    except ValueError:
        return text
