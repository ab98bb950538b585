"""The port to a language model: requests, answers, and every way in which it can fail.

A model gets one request and gives one answer; it runs nothing. Source: docs/agents.md, "Models".
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, Protocol, runtime_checkable

if TYPE_CHECKING:
    from turnwright.model.json_schema import JsonSchema
    from turnwright.model.wire.prompt import ToolDefinition

Role = Literal["player", "game_master", "tool"]


@dataclass(frozen=True, slots=True)
class Message:
    """One message of the conversation so far, already in the words the model is to see.

    `role` is `player` for what people said, `game_master` for what was told, `tool` for results of calls.
    """

    role: Role
    text: str


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits on a model's time and output. `timeout` is in seconds, for the whole answer."""

    temperature: float
    max_tokens: int
    timeout: float
    seed: int | None = None


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """One question to a model.

    Attributes:
        system: the system prompt.
        messages: the conversation, oldest first; the last one is what is to be answered.
        tools: the tools it may ask for, in the form of the OpenAI API.
        answer_schema: JSON Schema of the whole answer for a model that answers with one JSON document
            (`{"tool_calls": [...], "assistant_text": ...}`, or a turn file with `output`); None: free text and native
            tool calls.
        limits: its limits.
    """

    system: str
    messages: tuple[Message, ...]
    tools: tuple[ToolDefinition, ...]
    answer_schema: JsonSchema | None
    limits: Limits


@dataclass(frozen=True, slots=True)
class Usage:
    """The cost of an answer: tokens read, tokens written, and US dollars if the price is known."""

    input_tokens: int = 0
    output_tokens: int = 0
    cost: float | None = None


@dataclass(frozen=True, slots=True)
class ModelAnswer:
    """A model's answer. It is untrusted: `tool_calls` hold whatever the model wrote as calls.

    Attributes:
        text: its prose, without the calls.
        tool_calls: its readable calls, as a turn file may hold them. Each has the engine's shape, `{"id", "tool",
            "args"}`, whatever shape the model wrote it in.
        output: the document of a scene game, or None.
        usage: its cost.
        is_well_formed: False when it should be a JSON document and could not be parsed, and when it was empty.
        is_cut_off: whether it ended at `max_tokens`, so the text may stop in the middle.
        keeps_narration: whether the narration in `output` is to be kept when the calls have made the rest late.
        note: its thoughts, recorded only in the log.
    """

    text: str
    tool_calls: tuple[Any, ...] = ()
    output: Any = None
    usage: Usage = field(default_factory=Usage)
    is_well_formed: bool = True
    is_cut_off: bool = False
    keeps_narration: bool = False
    note: str = ""


FailureKind = Literal["unavailable", "timeout", "disconnected", "refused", "garbage", "too_long"]
"""How a model failed.

`unavailable`: not reachable, or a server error · `timeout`: no answer in time · `disconnected`: it stopped halfway ·
`refused`: the server rejected the request (key, limit, name, format) · `garbage`: the output is not an answer ·
`too_long`: it did not stop.
"""


class ModelFailed(Exception):
    """A model gave no answer. `kind` says how, the message says it to a person; the campaign is as it was."""

    def __init__(self, kind: FailureKind, detail: str) -> None:
        super().__init__(detail)
        self.kind = kind


OnText = Callable[[str], None]
"""Called with each piece of text as it arrives: a sign of life, not yet text for players.

While a model thinks, calls or is silent, pieces are empty: the callback may raise at any time to stop it.
"""


class LanguageModel(Protocol):
    """A language model."""

    @property
    def name(self) -> str:
        """The model's name in records and messages."""

    def answer(self, request: ModelRequest, on_text: OnText | None = None) -> ModelAnswer:
        """Return the model's answer, or raise `ModelFailed` and nothing else.

        An exception of `on_text` stops the model and is re-raised unchanged; so is Ctrl-C.
        """


@runtime_checkable
class HasContext(Protocol):
    """A model whose server may say how much it holds."""

    def context_tokens(self) -> int | None:
        """Return the maximum number of tokens of a request and its answer together; None if unknown.

        Raises:
            ModelFailed: when the server cannot be reached.
        """
