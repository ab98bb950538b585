"""The JSON Schema of a whole answer, for a model that answers with one document.

Source: docs/stages/0-prepare.md, "Prompts".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from turnwright.model.json_schema import JsonSchema


MAX_CALLS = 8
MAX_ID_LENGTH, MAX_NOTE_LENGTH = 24, 240
"""Maximum length of a call's label and of a note: a small model constrained by a schema may write them endlessly."""
TOKENS_A_CALL = 96
"""An answer may hold a call for each so many tokens of its length, and one at least."""


def schema_of_answer(call: JsonSchema, max_tokens: int) -> JsonSchema:
    """Return the schema of an answer in free play: calls and a text.

    Calls come first, because their results decide the text.

    Args:
        call: the schema of one call, as `legal_schema` gives it.
        max_tokens: how long the answer may be.
    """
    most = _most_calls(max_tokens)
    text: JsonSchema = {"type": "string", "maxLength": _longest_text(max_tokens, most)}
    fields: dict[str, JsonSchema] = {"tool_calls": _calls(call, most), "assistant_text": text}
    return _whole(_object(fields, ["tool_calls", "assistant_text"]), call)


def schema_of_turn_file(
    call: JsonSchema, max_tokens: int, output: JsonSchema, *, prompt_id: int, actor: str | None
) -> JsonSchema:
    """Return the schema of an answer in a scene game: a turn file with calls, the document that is owed, or both.

    The note comes first, while a thought can still help the rest of the answer.

    Args:
        call: the schema of one call, as `legal_schema` gives it.
        max_tokens: how long the answer may be.
        output: the schema of the document.
        prompt_id: the prompt it answers.
        actor: the character it acts for, if any.
    """
    output = output.copy()
    definitions = output.pop("$defs", {})
    calls = _calls(call, _most_calls(max_tokens))
    head: dict[str, JsonSchema] = {} if actor is None else {"actor_id": {"const": actor}}
    head |= {"prompt_id": {"const": prompt_id}, "dm_note": {"type": "string", "maxLength": MAX_NOTE_LENGTH}}
    if "items" not in calls:
        return _whole(_object({**head, "output": output}, ["output"]), call, definitions)
    handed_in: dict[str, JsonSchema] = {
        **head,
        "tool_calls": calls,
        "keep_narration": {"type": "boolean"},
        "output": output,
    }
    called: dict[str, JsonSchema] = {**head, "tool_calls": {**calls, "minItems": 1}}
    forms = [_object(handed_in, ["output"]), _object(called, ["tool_calls"])]
    return _whole({"type": "object", "anyOf": forms}, call, definitions)


def _whole(schema: JsonSchema, call: JsonSchema, definitions: dict[str, JsonSchema] | None = None) -> JsonSchema:
    """Return a schema with its name and with all that it refers to."""
    schema = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "An answer", **schema}
    defined = {**call.get("$defs", {}), **(definitions or {})}
    return {**schema, "$defs": defined} if defined else schema


def _most_calls(max_tokens: int) -> int:
    return min(MAX_CALLS, max(1, max_tokens // TOKENS_A_CALL))


def _calls(call: JsonSchema, most: int) -> JsonSchema:
    """Return the schema of a list of calls, which stays empty where none is legal."""
    if "oneOf" not in call:
        return {"type": "array", "maxItems": 0}
    one = [_bounded(form) for form in call["oneOf"]]
    items: JsonSchema = {"type": "object", **one[0]} if len(one) == 1 else {"type": "object", "oneOf": one}
    return {"type": "array", "items": items, "maxItems": most}


def _longest_text(max_tokens: int, calls: int) -> int:
    """Return how many characters a text may have so that the document is closed before the answer is cut off.

    Calls are counted at half of what they may take, a token of text at three characters.
    """
    return 3 * max(32, max_tokens - calls * TOKENS_A_CALL // 2 - 16)


def _bounded(form: JsonSchema) -> JsonSchema:
    """Return the schema of a call whose label ends."""
    fields = form["properties"]
    return {**form, "properties": {**fields, "id": {**fields["id"], "maxLength": MAX_ID_LENGTH}}}


def _object(fields: dict[str, JsonSchema], required: list[str]) -> JsonSchema:
    return {"type": "object", "properties": fields, "required": required, "additionalProperties": False}
