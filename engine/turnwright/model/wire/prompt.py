"""What a model is given for one answer, as data for programs.

Source: docs/stages/0-prepare.md, "The context pack".
"""

from typing import Literal, NotRequired, TypedDict

from turnwright.model.json_schema import JsonSchema

Role = Literal["player", "game_master", "tool"]


class ToolFunction(TypedDict):
    """What the API of OpenAI is told of a tool."""

    name: str
    description: str
    parameters: JsonSchema


class ToolAnnotations(TypedDict):
    """What an MCP client is told of what a tool may do."""

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
    """What a model is given.

    Attributes:
        system: the system prompt.
        messages: the conversation, the oldest first; the last one is what is to be answered.
        tools: the tools that it may call, in the form of the OpenAI API.
        actor: on whose behalf the turn runs; None for nobody.
        agent: the agent of the game master's that answers; absent for a player's seat, as is all that follows.
        answer_schema: the JSON Schema of an answer that is one document.
        output_schema: that of the `output` of a scene game; None where none is taken.
        prompt_id: what the turn names as its `prompt_id`; None where it names none.
        speaker_id: who speaks in the text; None for the game master's voice.
        addressees: whom the text is for; empty: everybody.
        private: whether they alone hear it.
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
