"""One line read: a request, or why it is none.

Source: docs/other-languages.md, "What a line may hold".
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pydantic import ValidationError

from turnwright.model.error_text import Fault, faults_of, sentence
from turnwright.model.fuzzy_match import did_you_mean
from turnwright.model.settings import MAX_TURN_BYTES
from turnwright.model.strict_json import MAX_DEPTH, MAX_INT, JsonError, parse_json
from turnwright.model.wire.pipe import MAX_REQUEST_ID_LENGTH, REQUESTS, Request

if TYPE_CHECKING:
    from turnwright.model.json_types import JsonObject

MAX_LINE_BYTES = MAX_TURN_BYTES + 4096
"""The longest line: a turn of the greatest size, and what stands around it."""
_MAX_LINE_DEPTH = MAX_DEPTH + 1
_FIRST_ID = re.compile(rb'\s*\{\s*"id"\s*:\s*("(?:[^"\\\x00-\x1f]){0,200}"|-?(?:0|[1-9][0-9]{0,15}))\s*[,}]')
_MAX_SHOWN = 60

RequestId = str | int


class BadLine(Exception):
    """A line that is not a request.

    Attributes:
        request_id: its id, if readable.
        detail: the error, in a sentence.
    """

    def __init__(self, request_id: RequestId | None, detail: str) -> None:
        super().__init__(detail)
        self.request_id = request_id
        self.detail = detail


def read_request(line: bytes) -> Request:
    """Return the request on a line.

    Raises:
        BadLine: with the id of the line, if it has one that can be read.
    """
    try:
        value = parse_json(line, max_bytes=MAX_LINE_BYTES, max_depth=_MAX_LINE_DEPTH)
    except JsonError as error:
        raise BadLine(first_id(line), str(error)) from None
    if not isinstance(value, dict):
        raise BadLine(None, "a line is an object with id and op")
    request_id = _id_of(value)
    op = value.get("op")
    if not isinstance(op, str) or op not in REQUESTS:
        known = ", ".join(REQUESTS)
        detail = f"op is none of {known}{did_you_mean(op, REQUESTS) if isinstance(op, str) else ''}"
        raise BadLine(request_id, detail)
    try:
        return REQUESTS[op].model_validate(value)
    except ValidationError as error:
        fault = faults_of(error)[0]
        raise BadLine(request_id, _told(fault, REQUESTS[op])) from None


def first_id(line: bytes) -> RequestId | None:
    """Return the id with which a line begins that cannot be read as a whole; None where it begins otherwise."""
    found = _FIRST_ID.match(line)
    if found is None:
        return None
    try:
        return _id_of({"id": parse_json(found[1])})
    except JsonError:
        return None


def _id_of(value: JsonObject) -> RequestId | None:
    given = value.get("id")
    if isinstance(given, str):
        return given if len(given) <= MAX_REQUEST_ID_LENGTH else None
    if isinstance(given, int) and not isinstance(given, bool):
        return given if abs(given) <= MAX_INT else None
    return None


def _told(fault: Fault, model: type[Request]) -> str:
    path = [str(step) for step in fault["loc"]]
    if path[:1] == ["id"]:
        return f"id wants a text of at most {MAX_REQUEST_ID_LENGTH} characters, or an integer"
    field = ".".join(path[:1])[:_MAX_SHOWN]
    if fault["type"] == "extra_forbidden":
        return f"{field} is no key of this request{did_you_mean(field, model.model_fields)}"
    return f"{field} {sentence(fault)}"
