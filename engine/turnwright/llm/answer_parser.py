"""Parse a model's output into an answer. Nothing is executed or repaired: unreadable output is kept as text.

Source: docs/agents.md, "What counts as an answer".
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from turnwright.llm.port import ModelAnswer
from turnwright.model.json_types import JsonObject
from turnwright.model.strict_json import MAX_DEPTH, JsonError, parse_json
from turnwright.rulesets.aliases import ALIASES
from turnwright.rulesets.toolbox import TOOLS

if TYPE_CHECKING:
    from turnwright.model.json_schema import JsonSchema
    from turnwright.model.json_types import JsonObject

FIELDS = ("tool_calls", "assistant_text", "output")
"""Keys that identify an answer in JSON.

It may also hold `keep_narration` and `dm_note`; other keys (models like to add their thoughts) are dropped.
"""

_MAX_STARTS = 50
_FENCE = re.compile(r"```[\w-]*")
_THINKING = r"(?:think(?:ing)?|thought|reasoning)"
_ATTRIBUTE = r"""\s+[\w-]+\s*=\s*(?:"[^"]*"|'[^']*'|[^\s<>"']+)"""
_CHANNEL = r"<\|channel\|>(?:analysis|commentary)"
_BEGIN = rf"<{_THINKING}(?:{_ATTRIBUTE})*\s*>|\[THINK\]|{_CHANNEL}"
_END = rf"</{_THINKING}\s*>|\[/THINK\]|<\|channel\|>final<\|message\|>"
_THOUGHT_MARK = re.compile(
    rf"(?<!\S)\\?[\"'`\u201c\u2018\u00ab](?:{_BEGIN}|{_END})[.,;:!?]?\\?[\"'`\u201d\u2019\u00bb]"
    rf"|(?P<begin>{_BEGIN})|(?P<end>{_END})",
    re.IGNORECASE,
)
"""Start and end marks of thoughts. A mark alone in quotation marks is only mentioned, and is neither."""
_RAW_CALL = re.compile(
    r"<(?:tool_call|function_call|invoke)s?\b|<function[=\s]|<[|\uff5c](?:python_tag|tool)|\[TOOL_CALLS\]",
    re.IGNORECASE,
)
"""Signs of calls in text."""
_RAW_KEY = re.compile(
    r"[\"'](?:tool_calls|assistant_text|output|args|arguments|parameters)[\"']\s*:\s*[\"'{\[]"
    r"|[{,]\s*[\"'](?:(?:tool_)?input[\"']\s*:\s*[{\[]|(?:tool(?:_name)?|function)[\"']\s*:\s*[\"'{])",
    re.IGNORECASE,
)
"""The keys by which calls in JSON are known, after a brace: so broken ones are found, too."""
_CALL_LINE = re.compile(rf"[`\[]*(?:{'|'.join((*TOOLS, *ALIASES))})\((?:.*\))?[`\];]*")
"""A line that consists of a call in program syntax, or of the beginning of one that continues on the next line."""
_MAX_FAULT_LENGTH = 200
"""Characters: a fault may name a key, and keys may be of any length."""
_BRACE = re.compile(r'[{}"]')
_STRING_END = re.compile(r'[^"\\]*(?:\\.[^"\\]*)*"', re.DOTALL)


def answer_from_text(text: str, schema: JsonSchema | None = None) -> ModelAnswer:
    """Parse an answer that should be one JSON object, alone, in a code fence or among prose.

    Args:
        text: what the model wrote.
        schema: the requested schema. When it has none of `tool_calls`, `assistant_text` and `output`, it describes a
            bare document, and the object found is the `output`.
    """
    text = _without_thoughts(text)
    if "{" not in text:
        return answer_from_prose(text)
    is_bare = schema is not None and not _names_fields(schema)
    found = [value for value in _objects(text) if is_bare or set(FIELDS) & set(value)]
    if len(found) != 1:
        return ModelAnswer(text, is_well_formed=False)
    if is_bare:
        return ModelAnswer("", output=found[0])
    return _answer(found[0]) or ModelAnswer(text, is_well_formed=False)


def answer_from_prose(text: str, calls: Iterable[Mapping[str, Any]] = ()) -> ModelAnswer:
    """Parse an answer in free text, possibly accompanied by native calls.

    Models without native calls write the JSON of the examples they were shown. Text that consists of one such object is
    parsed as one. Other JSON, and text with calls in it, is not for players and counts as unreadable.

    Args:
        text: what the model wrote.
        calls: its native calls. Unreadable text beside them is dropped: some servers leave the calls in it.
    """
    text, calls = _without_thoughts(text), tuple(calls)
    document = _document(text)
    if document is None and not _holds_calls(text):
        return ModelAnswer(text, calls, is_well_formed=bool(text.strip() or calls))
    if calls:
        return ModelAnswer("", calls)
    answer = _answer(document) if isinstance(document, dict) and set(FIELDS) & set(document) else None
    return answer or ModelAnswer(text, is_well_formed=False)


def spoken(text: str) -> str:
    """Return text without thoughts and without lone surrogates.

    Thoughts stand in it where a server does not take them out. Some templates open them in the prompt: then all before
    their end is thought. Those that do not end are known by where they begin, for prose may name a mark, too: at the
    beginning of a line or after another thought. They are all that follows.
    """
    text = whole(text)
    kept: list[str] = []
    after, begin, endless = 0, None, None
    for mark in _THOUGHT_MARK.finditer(text):
        if mark["end"]:
            kept = [] if begin is None else [*kept, text[after:begin]]
            after, begin, endless = mark.end(), None, None
        elif mark["begin"]:
            begin = mark.start() if begin is None else begin
            if endless is None and _opens_thought(text, after, mark):
                endless = mark.start()
    return "".join(kept) + text[after:endless]


def whole(text: str) -> str:
    """Return text without halves of characters: servers cut some in two, and no file can hold one half."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def fault_in(text: str) -> str:
    """Return why a text that was meant to be one JSON object is none, with the place in the text without blanks around.

    Empty where it is one, and where it was meant to be something else.
    """
    before, brace, rest = text.strip().partition("{")
    if not brace or (before and not _FENCE.fullmatch(before.strip())):
        return ""
    blanks = re.sub(r"[^\n]", " ", before)
    try:
        parse_json(blanks + brace + rest.removesuffix("```"), max_depth=MAX_DEPTH)
    except JsonError as error:
        return str(error).removeprefix("not JSON: ")[:_MAX_FAULT_LENGTH]
    return ""


def native_call(number: int, tool: Any, arguments: Any) -> JsonObject:
    """Return a native call as a turn file holds it.

    Arguments that are not JSON stay the text they are; the engine then refuses the call and says so to the model.
    Ids are counted, because those of servers differ with each answer.
    """
    tool = whole(tool) if isinstance(tool, str) else tool
    text = whole(arguments) if isinstance(arguments, str) else json.dumps(arguments)
    args: Any = text
    with suppress(JsonError):
        args = parse_json(text, max_depth=MAX_DEPTH) if text.strip() else {}
    return {"id": f"call_{number:03}", "tool": tool, "args": {} if args is None else args}


def _opens_thought(text: str, after: int, mark: re.Match[str]) -> bool:
    """Return whether a mark opens an unclosed thought. Channel marks always do: prose never contains them."""
    line = max(after, text.rfind("\n", after, mark.start()) + 1)
    return not text[line : mark.start()].strip() or mark["begin"].startswith("<|")


def _without_thoughts(text: str) -> str:
    """Return text without thoughts; one document stays, for what its texts hold is taken out as they are read."""
    text = whole(text)
    return spoken(text) if _document(text) is None else text


def _document(text: str) -> JsonObject | list[Any] | None:
    """Return the JSON that a text is, alone or in a code fence, and nothing else."""
    return _parsed(_unfenced(text.strip()).strip())


def _unfenced(text: str) -> str:
    """Return what stands between the two lines of a code fence, or the text itself when it is none."""
    first, _, rest = text.partition("\n")
    inner, line_feed, blanks = rest.removesuffix("```").rpartition("\n")
    is_fenced = _FENCE.fullmatch(first.rstrip()) and rest.endswith("```") and line_feed and not blanks.strip()
    return inner if is_fenced else text


def _holds_calls(text: str) -> bool:
    brace = text.find("{")
    has_key = brace != -1 and _RAW_KEY.search(text, brace)
    return bool(_RAW_CALL.search(text) or has_key) or any(map(_is_call, text.splitlines()))


def _is_call(line: str) -> bool:
    return _CALL_LINE.fullmatch(line.strip()) is not None


def _names_fields(schema: JsonSchema) -> bool:
    """Return whether a schema, or one of the forms it leaves the choice of, is that of an answer with calls or text."""
    forms = [schema, *schema.get("anyOf", ()), *schema.get("oneOf", ())]
    return any(set(FIELDS) & set(form.get("properties", ())) for form in forms)


def _answer(value: JsonObject) -> ModelAnswer | None:
    calls, told, note = value.get("tool_calls"), value.get("assistant_text"), value.get("dm_note")
    if not (calls is None or isinstance(calls, list)) or not (told is None or isinstance(told, str)):
        return None
    return ModelAnswer(
        told or "",
        tuple(calls or ()),
        value.get("output"),
        keeps_narration=value.get("keep_narration") is True,
        note=note.strip() if isinstance(note, str) else "",
    )


def _objects(text: str) -> Iterator[JsonObject]:
    """Yield the outermost JSON objects in a text."""
    start, tried = text.find("{"), 0
    while start != -1 and tried < _MAX_STARTS:
        tried += 1
        end = _end_of(text, start)
        value = _parsed(text[start:end]) if end else None
        if isinstance(value, dict):
            yield value
        start = text.find("{", end if value is not None and end else start + 1)


def _end_of(text: str, start: int) -> int | None:
    """Return where the object that begins at a brace ends, going by braces outside of strings.

    One that is nested too deep to be parsed has no end.
    """
    depth, at = 0, start
    while depth <= MAX_DEPTH and (mark := _BRACE.search(text, at)):
        at = mark.end()
        if mark[0] == '"':
            string = _STRING_END.match(text, at)
            if string is None:
                return None
            at = string.end()
            continue
        depth += 1 if mark[0] == "{" else -1
        if depth == 0:
            return at
    return None


def _parsed(text: str) -> JsonObject | list[Any] | None:
    """Return an object or an array, its texts without thoughts."""
    try:
        value = parse_json(text, max_depth=MAX_DEPTH)
    except JsonError:
        return None
    return _spoken_in(value) if isinstance(value, (dict, list)) else None


def _spoken_in(value: Any) -> Any:
    if isinstance(value, str):
        return spoken(value)
    if isinstance(value, list):
        return [_spoken_in(item) for item in value]
    return {key: _spoken_in(item) for key, item in value.items()} if isinstance(value, dict) else value
