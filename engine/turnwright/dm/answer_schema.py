"""The JSON Schema of a whole answer, for a model that answers with one document.

Source: docs/stages/0-prepare.md, "Prompts".
"""

from __future__ import annotations

from turnwright.stages.prepare import Schema

MOST_CALLS = 8
LONGEST_ID, LONGEST_REASON = 24, 80
"""How long a call's label and reason may be: a small model, held to a schema, writes them without end."""
TOKENS_A_CALL = 96
"""An answer may hold a call for each so many tokens of its length, and one at least."""


def schema_of_answer(call: Schema, max_tokens: int, output: Schema | None = None) -> Schema:
    """Return the schema of a whole answer: calls and a text; or, in a scene game, calls and the document owed.

    Calls come first: what a model asks for decides what it can tell.

    Args:
        call: the schema of one call, as `legal_schema` gives it.
        max_tokens: how long the answer may be.
        output: the schema of the document that is owed.
    """
    most = min(MOST_CALLS, max(1, max_tokens // TOKENS_A_CALL))
    calls: Schema = {"type": "array", "maxItems": 0}
    if "oneOf" in call:
        one = [_bounded(form) for form in call["oneOf"]]
        calls = {"type": "array", "items": one[0] if len(one) == 1 else {"oneOf": one}, "maxItems": most}
    definitions: Schema = {**call.get("$defs", {})}
    if output is None:
        text = {"type": "string", "maxLength": _longest_text(max_tokens, most)}
        schema = _object({"tool_calls": calls, "assistant_text": text}, ["tool_calls", "assistant_text"])
    else:
        output = dict(output)
        definitions |= output.pop("$defs", {})
        keep = {"type": "boolean"}
        handed_in = _object({"tool_calls": calls, "keep_narration": keep, "output": output}, ["output"])
        forms = [handed_in, _object({"tool_calls": {**calls, "minItems": 1}}, ["tool_calls"])]
        schema = {"type": "object", "anyOf": forms} if "items" in calls else _object({"output": output}, ["output"])
    schema = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "An answer", **schema}
    return {**schema, "$defs": definitions} if definitions else schema


def _longest_text(max_tokens: int, calls: int) -> int:
    """Return how many characters a text may have so that the document is closed before the answer is cut off.

    Calls are counted at half of what they may take, a token of text at three characters.
    """
    return 3 * max(32, max_tokens - calls * TOKENS_A_CALL // 2 - 16)


def _bounded(form: Schema) -> Schema:
    """Return the schema of a call whose label and reason end."""
    fields = form["properties"]
    bounds = {
        "id": {**fields["id"], "maxLength": LONGEST_ID},
        "reason": {**fields["reason"], "maxLength": LONGEST_REASON},
    }
    return {**form, "properties": {**fields, **bounds}}


def _object(fields: Schema, required: list[str]) -> Schema:
    return {"type": "object", "properties": fields, "required": required, "additionalProperties": False}
