"""A model's input for one answer, as data for programs.

Source: docs/stages/0-prepare.md, "The context pack".
"""

from typing import Literal, NotRequired, TypedDict

from turnwright.model.json_schema import JsonSchema

Role = Literal["player", "game_master", "tool"]


class ToolFunction(TypedDict):
    """A tool as the API of OpenAI describes it."""

    name: str
    description: str
    parameters: JsonSchema


class ToolAnnotations(TypedDict):
    """The side effects of a tool, for MCP clients."""

    readOnlyHint: bool
    destructiveHint: bool


class ToolDefinition(JsonSchema, TypedDict, total=False):
    """A tool as the API of a model, an MCP client or a program wants it; the form says which of the keys there are.

    Attributes:
        function: in the form `openai`, beside a `type` that is `function`.
        name: in the forms `anthropic` and `mcp`.
        input_schema: its arguments, in the form `anthropic`.
        inputSchema: the same in the form `mcp`.
        outputSchema: its result, in the form `mcp`.
        annotations: in the form `mcp`.
    """

    function: ToolFunction
    name: str
    input_schema: JsonSchema
    inputSchema: JsonSchema
    outputSchema: JsonSchema
    annotations: ToolAnnotations


class PromptMessage(TypedDict):
    """One message: words of a player's, words of the game master's side, or results of calls."""

    role: Role
    text: str


class Prompt(TypedDict):
    """A model's input.

    Attributes:
        system: the system prompt.
        messages: the conversation, oldest first; the last message is the one to answer.
        tools: the tools that it may call, in the form of the OpenAI API.
        actor: the character that the turn acts for, if any.
        agent: the game master's agent that answers; absent for a player's seat, like all fields below.
        answer_schema: the JSON Schema of an answer that is one document.
        output_schema: that of the `output` of a scene game; None if no output is accepted.
        prompt_id: the `prompt_id` of the turn, if any.
        speaker_id: the character who speaks the text; None for the game master's voice.
        addressees: the characters the text is for; empty for all.
        private: whether only they hear it.
    """

    system: str
    messages: list[PromptMessage]
    tools: list[ToolDefinition]
    actor: str | None
    agent: NotRequired[str]
    answer_schema: NotRequired[JsonSchema]
    output_schema: NotRequired[JsonSchema | None]
    prompt_id: NotRequired[int | None]
    speaker_id: NotRequired[str | None]
    addressees: NotRequired[list[str]]
    private: NotRequired[bool]
