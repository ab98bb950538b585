"""Offered tools in the forms that the APIs of models, MCP and programs have for them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Literal, cast

from turnwright.model.errors import BadRequest
from turnwright.toolset.offered import OfferedTool

if TYPE_CHECKING:
    from turnwright.model.wire.prompt import ToolDefinition, ToolFunction

    pass

Form = Literal["openai", "anthropic", "mcp", "jsonschema"]

FORMS: tuple[Form, ...] = ("openai", "anthropic", "mcp", "jsonschema")


def form_of(text: str) -> Form:
    """Return the form of this name.

    Raises:
        BadRequest: naming those that there are.
    """
    for form in FORMS:
        if text == form:
            return form
    raise BadRequest(f"tools come in the form {', '.join(FORMS)}")


def in_form(tools: Iterable[OfferedTool], form: Form) -> list[ToolDefinition]:
    """Return tools as a model's API, an MCP client or a program wants them.

    Args:
        tools: from `offered_tools` or `find_tool`.
        form: `openai`, `anthropic`, `mcp` or `jsonschema`.
    """
    return [_FORMS[form](tool) for tool in tools]


def _openai(tool: OfferedTool) -> ToolDefinition:
    function: ToolFunction = {
        "name": tool.name,
        "description": tool.description,
        "parameters": tool.input_schema.copy(),
    }
    return {"type": "function", "function": function}


def _anthropic(tool: OfferedTool) -> ToolDefinition:
    return {"name": tool.name, "description": tool.description, "input_schema": tool.input_schema.copy()}


def _mcp(tool: OfferedTool) -> ToolDefinition:
    told: ToolDefinition = {"name": tool.name, "description": tool.description, "inputSchema": tool.input_schema.copy()}
    if tool.output_schema is not None:
        told["outputSchema"] = tool.output_schema.copy()
    told["annotations"] = {"readOnlyHint": tool.read_only, "destructiveHint": tool.destructive}
    return told


def _jsonschema(tool: OfferedTool) -> ToolDefinition:
    return cast("ToolDefinition", {"title": tool.name, "description": tool.description, **tool.input_schema})


_FORMS: Mapping[str, Callable[[OfferedTool], ToolDefinition]] = {
    "openai": _openai,
    "anthropic": _anthropic,
    "mcp": _mcp,
    "jsonschema": _jsonschema,
}
