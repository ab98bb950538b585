"""Ask the people at the table through the client: a form for the open request, and the meaning of their answer.

A form that is declined, dismissed or ignored is not an answer; the request stays open, and is in the result as data.
Source: docs/mcp.md, "Requests".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import mcp_types as types

from turnwright.mcp.door import Door
from turnwright.model.open_request import OpenRequest

if TYPE_CHECKING:
    from turnwright.model.json_schema import JsonSchema

    pass

FORM_KEY = "answer"
"""The key of the one form that a result asks for."""
_MAX_DICE = 20
"""The most dice that one form asks for; more are handed in through `answer_request`."""


class AskedFor(NamedTuple):
    """The data that a client keeps for the server while it asks: ids, never state.

    Attributes:
        seq: the record of the turn whose result is returned afterwards; None if there is none.
        request_id: the request.
    """

    seq: int | None
    request_id: str

    def encode(self) -> str:
        """Return it as the text that the client gives back."""
        return f"{'' if self.seq is None else self.seq}:{self.request_id}"

    @classmethod
    def decode(cls, text: str) -> AskedFor | None:
        """Return the data that a client sent back; None if it is not the server's."""
        seq, colon, request_id = text.partition(":")
        if not colon or not request_id or not (seq == "" or (seq.isascii() and seq.isdigit() and len(seq) < 16)):
            return None
        return cls(int(seq) if seq else None, request_id)


def can_ask(capabilities: types.ClientCapabilities | None) -> bool:
    """Return whether a client says that it shows forms."""
    elicitation = capabilities.elicitation if capabilities is not None else None
    return elicitation is not None and (elicitation.form is not None or elicitation.url is None)


def form_for(door: Door, request: OpenRequest) -> types.ElicitRequestFormParams | None:
    """Return the form of a request; None for a request that no form fits, such as a free text."""
    properties = _fields(request)
    if properties is None:
        return None
    schema = {"type": "object", "properties": properties, "required": list(properties)}
    return types.ElicitRequestFormParams(message=door.describe(request), requested_schema=schema)


def _fields(request: OpenRequest) -> dict[str, JsonSchema] | None:
    if request.is_table_dice:
        dice = request.request["dice"]
        if len(dice) > _MAX_DICE or not all(die["sides"] for die in dice):
            return None
        return {
            f"die_{place}": {"type": "integer", "title": f"d{die['sides']}", "minimum": 1, "maximum": die["sides"]}
            for place, die in enumerate(dice, start=1)
        }
    payload = request.request["payload"]
    if request.request["kind"] == "dice":
        return {"die": {"type": "string", "title": "Die", "enum": [str(die["index"]) for die in payload["dice"]]}}
    if request.request["kind"] == "choice":
        keys = [option["key"] for option in payload["options"] if not option.get("disabled")]
        return {"choice": {"type": "string", "title": "Choice", "enum": keys}} if keys else None
    return None


def value_of(request: OpenRequest, result: types.ElicitResult | None) -> Any:
    """Return the answer that people gave in a form; None where they gave none, or none that fits."""
    if result is None or result.action != "accept" or not isinstance(result.content, Mapping):
        return None
    fields, content = _fields(request), result.content
    if fields is None or not all(_fits(schema, content.get(name)) for name, schema in fields.items()):
        return None
    if request.is_table_dice:
        return [content[name] for name in fields]
    return int(str(content["die"])) if "die" in fields else content["choice"]


def _fits(schema: JsonSchema, value: Any) -> bool:
    if schema["type"] == "integer":
        return type(value) is int and schema["minimum"] <= value <= schema["maximum"]
    return value in schema["enum"]
