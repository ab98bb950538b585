"""Waiting for a model: a sign of life while it works, and a way to stop it that stops nothing else."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable
from typing import Any

from turnwright.cli._interrupt import StopSign
from turnwright.game_master.exchange import Cancelled
from turnwright.llm.port import LanguageModel, ModelAnswer, ModelFailed, ModelRequest, OnText

_TICK = 0.1
_GRACE = 5.0
"""Seconds that a model may take beyond its own limit before it is left to itself."""


class _Abandoned(Exception):
    """Ends the answer of a model whose caller is gone."""


class PatientModel:
    """A model that is waited for in small steps. It works in a thread of its own, and is left behind when stopped."""

    def __init__(self, model: LanguageModel, tick: Callable[[], None], stop: StopSign) -> None:
        self._model = model
        self._tick = tick
        self._stop = stop

    @property
    def name(self) -> str:
        """What records and people call it."""
        return self._model.name

    @property
    def bare(self) -> LanguageModel:
        """The model itself."""
        return self._model

    def answer(self, request: ModelRequest, on_text: OnText | None = None) -> ModelAnswer:
        """Return the model's answer.

        Raises:
            ModelFailed: as the model does, and when it takes longer than it may.
            Canceled: when the person at the terminal stopped it.
        """
        news: queue.SimpleQueue[tuple[str, Any]] = queue.SimpleQueue()
        left = threading.Event()
        threading.Thread(target=self._work, args=(request, news, left), daemon=True).start()
        latest = time.monotonic() + request.limits.timeout + _GRACE
        try:
            return self._await(news, latest, on_text)
        finally:
            left.set()

    def _await(self, news: queue.SimpleQueue[tuple[str, Any]], latest: float, on_text: OnText | None) -> ModelAnswer:
        while True:
            if self._stop.is_up:
                raise Cancelled
            if time.monotonic() > latest:
                raise ModelFailed("timeout", f"{self.name} did not answer in time")
            try:
                kind, value = news.get(timeout=_TICK)
            except queue.Empty:
                self._tick()
                continue
            if kind == "text":
                if on_text is not None:
                    on_text(value)
            elif kind == "failed":
                raise value
            else:
                answer: ModelAnswer = value
                return answer

    def _work(self, request: ModelRequest, news: queue.SimpleQueue[tuple[str, Any]], left: threading.Event) -> None:
        def hear(piece: str) -> None:
            if left.is_set():
                raise _Abandoned
            if piece:
                news.put(("text", piece))

        try:
            news.put(("done", self._model.answer(request, hear)))
        except ModelFailed as failure:
            news.put(("failed", failure))
        except _Abandoned:
            return
        except Exception as error:  # whatever a library raises, the session goes on
            detail = f"{type(error).__name__}: {error}"
            news.put(("failed", ModelFailed("garbage", f"{self.name} could not be used: {detail[:300]}")))
