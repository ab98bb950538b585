"""Offered tools in the forms that the APIs of models, MCP and programs have for them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal

from turnwright.model.errors import BadRequest
from turnwright.toolset.offered import OfferedTool

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


def in_form(tools: Iterable[OfferedTool], form: Form) -> list[dict[str, Any]]:
    """Return tools as a model's API, an MCP client or a program wants them.

    Args:
        tools: from `offered_tools` or `find_tool`.
        form: `openai`, `anthropic`, `mcp` or `jsonschema`.
    """
    return [_FORMS[form](tool) for tool in tools]


def _openai(tool: OfferedTool) -> dict[str, Any]:
    function = {"name": tool.name, "description": tool.description, "parameters": dict(tool.input_schema)}
    return {"type": "function", "function": function}


def _anthropic(tool: OfferedTool) -> dict[str, Any]:
    return {"name": tool.name, "description": tool.description, "input_schema": dict(tool.input_schema)}


def _mcp(tool: OfferedTool) -> dict[str, Any]:
    told = {"name": tool.name, "description": tool.description, "inputSchema": dict(tool.input_schema)}
    if tool.output_schema is not None:
        told["outputSchema"] = dict(tool.output_schema)
    return told | {"annotations": {"readOnlyHint": tool.read_only, "destructiveHint": tool.destructive}}


def _jsonschema(tool: OfferedTool) -> dict[str, Any]:
    return {"title": tool.name, "description": tool.description, **tool.input_schema}


_FORMS: Mapping[str, Callable[[OfferedTool], dict[str, Any]]] = {
    "openai": _openai,
    "anthropic": _anthropic,
    "mcp": _mcp,
    "jsonschema": _jsonschema,
}
