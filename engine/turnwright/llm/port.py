"""The port to a language model: what it is asked, what it answers, and every way in which it can fail.

A model is asked once and answers once; it runs nothing. Source: docs/agents.md, "Models".
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
    """How long a model may take and how much it may write. `timeout` is in seconds, for the whole answer."""

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
    """What an answer took: tokens read, tokens written, and US dollars where the price is known."""

    input_tokens: int = 0
    output_tokens: int = 0
    cost: float | None = None


@dataclass(frozen=True, slots=True)
class ModelAnswer:
    """What a model answered. Nothing of it is trusted: `tool_calls` hold whatever it wrote as calls.

    Attributes:
        text: what it told, without the calls.
        tool_calls: its calls as a turn file may hold them, as far as they could be read. Who asked is given each as one
            of ours, `{"id", "tool", "args"}`, whatever shape the model wrote it in.
        output: the document of a scene game, or None.
        usage: what it took.
        is_well_formed: False where it wanted to be a JSON document and could not be read as one, and where there was
            nothing in it.
        is_cut_off: whether it ended at `max_tokens`, so what it says may stop in the middle.
        keeps_narration: whether the narration in `output` is to be kept when the calls have made the rest late.
        note: what it thinks and tells to the log alone.
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

`unavailable`: it is not there, or its server has a fault · `timeout`: not within the time · `disconnected`: it stopped
halfway · `refused`: its server said no (a key, a limit, a name, a request it cannot take) · `garbage`: what came is no
answer · `too_long`: it did not stop.
"""


class ModelFailed(Exception):
    """A model gave no answer. `kind` says how, the message says it to a person; the campaign is as it was."""

    def __init__(self, kind: FailureKind, detail: str) -> None:
        super().__init__(detail)
        self.kind = kind


OnText = Callable[[str], None]
"""Is told each piece of text as it arrives: a sign of life, not yet what players are shown.

While a model thinks, calls or is silent, pieces are empty: the callback may raise at any time to stop it.
"""


class LanguageModel(Protocol):
    """A language model."""

    @property
    def name(self) -> str:
        """What records and people call it."""

    def answer(self, request: ModelRequest, on_text: OnText | None = None) -> ModelAnswer:
        """Return the model's answer, or raise `ModelFailed` and nothing else.

        What `on_text` raises stops the model and is raised again as it is; so does Ctrl-C.
        """


@runtime_checkable
class HasContext(Protocol):
    """A model whose server may say how much it holds."""

    def context_tokens(self) -> int | None:
        """Return how many tokens a question and its answer may take together; None where nobody says.

        Raises:
            ModelFailed: the server cannot be asked.
        """
