"""Listen to a model's stream: every piece counts towards a bound, and exceptions of the callback stay intact.

Source: docs/agents.md, "How a model fails".
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine

from turnwright.llm.port import Limits, ModelAnswer, ModelFailed, OnText

_CHARACTERS_A_TOKEN = 16
_SLACK = 4096
_BEAT = 0.1
"""Seconds between two looks at whether an answer is still wanted."""


class Listener:
    """Forwards the pieces of an answer, and stops a model that does not stop by itself.

    Attributes:
        raised: the callback's exception; libraries in between may swallow or wrap it.
    """

    def __init__(self, limits: Limits, on_text: OnText | None) -> None:
        self._on_text = on_text
        self._left = limits.max_tokens * _CHARACTERS_A_TOKEN + _SLACK
        self._most = limits.max_tokens
        self.raised: BaseException | None = None

    def hear(self, piece: str, *, shown: bool = True) -> None:
        """Take a piece of an answer; thoughts and calls count, but are not `shown`.

        Raises:
            ModelFailed: when it is far more than the model was allowed to write.
        """
        self._left -= len(piece)
        if self._left < 0:
            raise ModelFailed("too_long", f"the model did not stop: it may write {self._most} tokens")
        self._tell(piece if shown else "")

    def ask(self) -> None:
        """Raise the callback's exception when the answer is no longer wanted, even while the model is silent."""
        self._tell("")

    def _tell(self, piece: str) -> None:
        if self._on_text is not None:
            try:
                self._on_text(piece)
            except BaseException as error:
                self.raised = error
                raise


async def watched(answer: Coroutine[None, None, ModelAnswer], listener: Listener) -> ModelAnswer:
    """Wait for an answer as long as it is wanted; `asyncio.run` cancels what is left, which closes the connection."""
    asking = asyncio.ensure_future(answer)
    while not (await asyncio.wait([asking], timeout=_BEAT))[0]:
        listener.ask()
    return asking.result()
