"""A session's use of its models, and its limits.

Source: docs/agents.md, "Bounds".
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from turnwright.llm.conversation import size_of
from turnwright.llm.port import ModelRequest, Usage
from turnwright.model.settings import Settings


class CapReached(Exception):
    """Nothing more may be asked of a model in this session."""


@dataclass(slots=True)
class SessionBudget:
    """The usage so far. The price may be known for only some answers."""

    input_tokens: int = 0
    output_tokens: int = 0
    cost: float = 0.0
    is_cost_known: bool = False
    questions: int = 0
    full_at: int = 0
    """The bound of tokens under which a question did not fit any more."""
    granted: int = 0
    """How many times the person at the table extended the session's token limit."""

    @property
    def tokens(self) -> int:
        """Tokens read and written."""
        return self.input_tokens + self.output_tokens

    def add(self, usage: Usage) -> None:
        """Count what an answer took."""
        self.questions += 1
        self.input_tokens += usage.input_tokens
        self.output_tokens += usage.output_tokens
        if usage.cost is not None:
            self.cost += usage.cost
            self.is_cost_known = True

    def bound(self, settings: Settings) -> int:
        """Return how many tokens the session may use; 0 for as many as it likes."""
        most: int = settings["agents.session_tokens"]
        return most * (1 + self.granted)

    def spent(self, settings: Settings) -> str | None:
        """Return which bound is reached, in words; None while there is room."""
        most_tokens, most_cost = self.bound(settings), settings["agents.session_cost"]
        if most_tokens and (self.tokens >= most_tokens or self.full_at == most_tokens):
            return f"this session has used {self.tokens} of {most_tokens} tokens (agents.session_tokens)"
        if most_cost and self.cost >= most_cost:
            return f"this session has cost ${self.cost:.4f} of ${most_cost:.4f} (agents.session_cost)"
        return None

    def within(self, request: ModelRequest, settings: Settings) -> ModelRequest:
        """Return a request whose answer cannot take the session over its bound of tokens.

        Raises:
            CapReached: when not even the question fits.
        """
        if why := self.spent(settings):
            raise CapReached(why)
        most = self.bound(settings)
        if not most:
            return request
        size = size_of(request)
        left = most - self.tokens - size
        if left < 1:
            self.full_at = most
            told = f"this session has used {self.tokens} of {most} tokens (agents.session_tokens)"
            raise CapReached(f"{told}, and the next question alone takes about {size}")
        limits = request.limits
        return replace(request, limits=replace(limits, max_tokens=min(limits.max_tokens, left)))
