"""Stage 1: read a turn strictly, within limits, and know it again when it comes twice.

Source: docs/stages/1-intake.md.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from pydantic import ValidationError

from turnwright.model.call_shapes import DEPTH_OF_ARGS, Call, read_calls, shape_of, with_arguments
from turnwright.model.error_text import Fault, faults_of, sentence
from turnwright.model.fuzzy_match import misspelt, nearest
from turnwright.model.json_fault import JsonFault, find_json_fault
from turnwright.model.json_types import JsonObject, JsonValue
from turnwright.model.settings import MAX_CALLS, Settings
from turnwright.model.strict_json import (
    MAX_DEPTH,
    JsonError,
    TooLarge,
    checked_copy,
    copied,
    deeper_than,
    json_fault,
    may_hold_large_integer,
    measured_hash,
    parse_json,
    size_fault,
    type_name,
)
from turnwright.model.wire import hint
from turnwright.model.wire.reason import Reason
from turnwright.model.wire.turn import TURN_ID, Turn

if TYPE_CHECKING:
    from turnwright.model.json_types import JsonValue
    from turnwright.model.wire.shapes import CalledTool, Hint

_KNOWN = frozenset(Turn.model_fields)
_UNSHOWABLE = "<not JSON: {}>"
_OF_A_TEXT = ", and this is a text; hand in its bytes, or what `json.loads` makes of it"
_MAX_CALL_LENGTH = 1_048_576
"""The most bytes that a call outside a turn may have."""


class TurnRefused(Exception):
    """The turn as a whole is not taken: nothing is recorded.

    Attributes:
        reason: a turn-level reason.
        detail: a sentence for a person.
        turn_id: the id of the refused turn where one could be read.
        hint: data a program can repair the turn from.
    """

    def __init__(self, reason: Reason, detail: str, *, turn_id: str | None = None, hint: "Hint | None" = None) -> None:
        super().__init__(detail)
        self.reason = reason
        self.detail = detail
        self.turn_id = turn_id
        self.hint: Hint = {**hint} if hint else {}


class ParsedTurn(NamedTuple):
    """A parsed turn.

    Attributes:
        turn: the turn, typed.
        raw: the turn as received, as plain JSON.
        content: SHA-256 of the turn as canonical JSON, which identifies duplicates.
        calls: its calls in the engine's shape, converted from those of other protocols.
        bad_calls: places of calls whose arguments hold something JSON cannot hold, with what it is.
        max_args_depth: maximum nesting depth of arguments given as text.
    """

    turn: Turn
    raw: Mapping[str, Any]
    content: str
    calls: Sequence[Call]
    bad_calls: Mapping[int, JsonFault]
    max_args_depth: int


def read_text(data: bytes | str, settings: Settings) -> Any:
    """Return the JSON value of a turn file.

    Raises:
        TurnRefused: `invalid_turn`, with the rule that the text breaks.
    """
    try:
        return parse_json(data, max_bytes=settings["limits.turn_bytes"], max_depth=settings["limits.turn_depth"])
    except JsonError as error:
        raise TurnRefused(Reason.INVALID_TURN, str(error)) from None


def receive(given: Any, settings: Settings, is_closed: Callable[[str], bool] = lambda _: False) -> ParsedTurn:
    """Return a turn that may come from anywhere, read and checked as a whole.

    Args:
        given: the bytes of a turn file, or any value.
        settings: those in force.
        is_closed: says whether a turn id is that of a closed turn, which may have more calls than a new one now.

    Raises:
        TurnRefused: `invalid_turn`, naming the key and the rule.
    """
    is_text = type(given) is bytes
    value = read_text(given, settings) if is_text else given
    if type(value) is not dict:
        raise TurnRefused(Reason.INVALID_TURN, "a turn is a JSON object" + (_OF_A_TEXT if type(given) is str else ""))
    try:
        _refuse_unknown_keys(value)
        _refuse_many_calls(value, settings["limits.calls"], is_closed)
        is_plain = is_text and not may_hold_large_integer(given)
        raw, bad_calls = (value, {}) if is_plain else _plain_copy(value, settings)
        # The limit is one of the text where there was one: its canonical spelling may be longer.
        return _receive(raw, bad_calls, None if is_text else settings["limits.turn_bytes"], depth_of_args(settings))
    except TurnRefused as refused:
        refused.turn_id = _shown_id(value)
        raise


def _shown_id(value: "Mapping[Any, JsonValue]") -> str | None:
    """Return the id of a turn that is refused, if it can be shown."""
    found = [item for key, item in value.items() if type(key) is str and key == "turn_id"]
    shown = found[0] if found else None
    return shown if type(shown) is str and len(shown) <= 64 and json_fault(shown) is None else None


def depth_of_args(settings: Settings) -> int:
    """Return how deep the arguments of a call may nest where they are a text: as deep as those that are an object."""
    return int(settings["limits.turn_depth"]) - DEPTH_OF_ARGS


def _receive(raw: JsonObject, bad_calls: Mapping[int, JsonFault], most_bytes: int | None, most_deep: int) -> ParsedTurn:
    """Return a turn that is plain JSON."""
    try:
        turn = Turn.model_validate(_with_one_fault(raw) if "addressees" in raw else raw)
    except ValidationError as error:
        first = faults_of(error)[0]
        where = ".".join(["$", *map(str, first["loc"])])
        raise TurnRefused(Reason.INVALID_TURN, f"{where}: {_wanted(first)}") from None
    _refuse_null(raw)
    if "answer" in raw and "user_input" in raw:
        raise TurnRefused(Reason.INVALID_TURN, "$: a turn has an answer or a user_input, not both")
    _refuse_two_narrations(raw)
    content, length = measured_hash(raw)
    if most_bytes is not None and length > most_bytes:
        raise TurnRefused(Reason.INVALID_TURN, f"longer than {most_bytes} bytes")
    entries: Any = raw.get("tool_calls", ())
    calls = read_calls(entries, most_deep)
    faults = {**_faults_in_texts(entries, calls), **bad_calls}
    return ParsedTurn(turn, raw, content, calls, faults, most_deep)


def _faults_in_texts(entries: Sequence[Any], calls: Sequence[Call]) -> dict[int, JsonFault]:
    """Return what JSON cannot hold in arguments that were read from a text, by the place of the call."""
    read = [place for place, call in enumerate(calls) if call.entry is not entries[place]]
    found = {place: find_json_fault(calls[place].entry["args"]) for place in read}
    return {place: fault for place, fault in found.items() if fault is not None}


def _refuse_two_narrations(raw: JsonObject) -> None:
    output = raw.get("output")
    told = output.get("narration") if type(output) is dict else None
    if isinstance(told, str) and raw.get("assistant_text", told) != told:
        raise TurnRefused(Reason.INVALID_TURN, "$.assistant_text: differs from the narration of the output")


def _with_one_fault(raw: JsonObject) -> JsonObject:
    """Return the turn with its addressees up to the first that is no text: half a million faults take their time."""
    addressees = raw["addressees"]
    if type(addressees) is not list:
        return raw
    first = next((place for place, name in enumerate(addressees) if type(name) is not str), None)
    return raw if first is None else {**raw, "addressees": addressees[: first + 1]}


def _refuse_many_calls(value: JsonObject, most: int, is_closed: Callable[[str], bool]) -> None:
    calls, turn_id = value.get("tool_calls"), value.get("turn_id")
    if type(calls) is not list or len(calls) <= most:
        return
    may_be_closed = len(calls) <= MAX_CALLS and isinstance(turn_id, str) and re.fullmatch(TURN_ID, turn_id)
    if not (may_be_closed and is_closed(str(turn_id))):
        raise TurnRefused(Reason.INVALID_TURN, f"$.tool_calls: {len(calls)} calls; at most {most} in one turn")


def _refuse_unknown_keys(value: "Mapping[Any, JsonValue]") -> None:
    for key, got in value.items():
        if type(key) is str and (key in _KNOWN or key.startswith("x_")):
            continue
        from turnwright.protocol.stage3_tools.repair.misnamed_keys import may_be_meant  # only what fails needs it

        name = key if type(key) is str else _showable_key(key)
        known = [_SYNONYMS[name]] if name in _SYNONYMS else nearest(name, _KNOWN, 3)
        shown = name.encode(errors="backslashreplace").decode()
        goes = _WHAT_GOES_IN[known[0]] if name in _SYNONYMS else f"the nearest one is {known[0]}"
        detail = f"$: {json.dumps(shown, ensure_ascii=False)} is no key of a turn; {goes}"
        is_asked = name in _SYNONYMS or misspelt(name, known) is not None or may_be_meant(name, got, known, None)
        told = {"field": shown, "choices": known} if is_asked else hint.remove(shown)
        if name in _OF_ANSWERS:
            what = f"$: {json.dumps(name)} is a key of what a model's API answers, and of no turn"
            detail = f"{what}; hand in its tool_calls alone, and its text as assistant_text"
            is_said = name in _SAYING_OF_ANSWERS and is_asked
            meant = ["assistant_text"] if isinstance(got, str) else ["tool_calls", "assistant_text"]
            told = {"field": shown, "choices": meant} if is_said else hint.remove(shown)
        raise TurnRefused(Reason.INVALID_TURN, detail, hint=told)


_SYNONYMS = {
    **dict.fromkeys(("narration", "narrative", "text"), "assistant_text"),
    **dict.fromkeys(("player_input", "player_text"), "user_input"),
    "calls": "tool_calls",
}
"""Words for keys of a turn that no spelling leads to; `narration` is what the log and the MCP server call the text."""
_WHAT_GOES_IN = {
    "assistant_text": "the text of the game master goes in assistant_text",
    "user_input": "what a player says goes in user_input",
    "tool_calls": "calls of tools go in tool_calls",
}
_SAYING_OF_ANSWERS = frozenset(
    {"choices", "content", "function_call", "message", "messages", "output_text", "params", "refusal"}
)
"""Keys of what models' APIs answer under which calls or a text may stand."""
_OF_ANSWERS = _SAYING_OF_ANSWERS | frozenset(
    {
        *("created", "finish_reason", "index", "jsonrpc", "logprobs", "method", "model", "object", "role"),
        *("stop_reason", "stop_sequence", "system_fingerprint", "type", "usage"),
    }
)


def _wanted(fault: Fault) -> str:
    if fault["type"] == "string_pattern_mismatch":
        return "wants 1 to 64 letters, digits, dots, dashes or underscores, and no dot in front"
    return sentence(fault)


def _refuse_null(raw: JsonObject) -> None:
    for key in raw:
        if raw[key] is None and key in _KNOWN and key not in ("output", "answer"):
            raise TurnRefused(Reason.INVALID_TURN, f"$.{key}: is null; leave the key out instead")


def _plain_copy(value: JsonObject, settings: Settings) -> tuple[JsonObject, dict[int, JsonFault]]:
    """Return a copy of the turn, which its caller may change later, and what was wrong with which call.

    Arguments of calls that JSON cannot hold are replaced by what can be shown of them; anything else that it cannot
    hold refuses the turn.
    """
    max_depth, max_bytes = settings["limits.turn_depth"], settings["limits.turn_bytes"]
    try:
        return checked_copy(value, max_depth=max_depth, max_bytes=max_bytes), {}
    except TooLarge as error:
        raise TurnRefused(Reason.INVALID_TURN, str(error)) from None
    except JsonError as error:
        return _without_faults(value, str(error))


def _without_faults(value: JsonObject, fault: str) -> tuple[JsonObject, dict[int, JsonFault]]:
    calls = value.get("tool_calls")
    rest = {key: item for key, item in value.items() if key != "tool_calls"}
    if type(calls) is not list:
        raise TurnRefused(Reason.INVALID_TURN, fault)
    checked = [_plain_call(call) for call in calls]
    outside = json_fault(rest) or next((bad.why for _, bad, inside in checked if bad and not inside), None)
    if outside:
        raise TurnRefused(Reason.INVALID_TURN, outside)
    plain = {key: [call for call, _, _ in checked] if key == "tool_calls" else item for key, item in value.items()}
    return copied(plain), {place: bad for place, (_, bad, _) in enumerate(checked) if bad}


def _plain_call(call: Any) -> tuple[Any, JsonFault | None, bool]:
    """Return a call as plain JSON, what is wrong with it, and whether that lies inside its arguments."""
    fault = json_fault(call)
    if fault is None:
        return call, None, False
    shape = shape_of(call)
    args = shape.holder(call).get(shape.arguments) if shape else None
    if shape is None or type(args) is not dict:
        return call, JsonFault(fault), False
    if other := json_fault(with_arguments(call, shape.path_of_arguments, None)):
        return call, JsonFault(other), False
    return with_arguments(call, shape.path_of_arguments, _showable(args)), find_json_fault(args), True


def reported_parts(given: Any) -> JsonObject:
    """Return the parts of a turn that are reported one by one, as in a record: calls, answer, output.

    Args:
        given: an accepted or refused turn, as submitted; for a value that is not a turn, nothing is returned.
    """
    value = given
    if type(given) is bytes:
        try:
            value = parse_json(given, max_depth=MAX_DEPTH)
        except JsonError:
            return {}
    if type(value) is not dict:
        return {}
    parts = {key: item for key, item in value.items() if type(key) is str and key in ("tool_calls", "answer", "output")}
    given_calls = parts.get("tool_calls")
    calls = given_calls if type(given_calls) is list else []
    return parts | {"tool_calls": [call if deeper_than(call, MAX_DEPTH) else _plain_call(call)[0] for call in calls]}


def plain_call(call: "CalledTool") -> tuple["CalledTool", JsonFault | None]:
    """Return a call that did not come in a turn as plain JSON, and what is wrong with it."""
    if fault := size_fault(call, max_depth=MAX_DEPTH, max_bytes=_MAX_CALL_LENGTH):
        return _labelled(call), JsonFault(fault)
    if json_fault(call) is None:
        return call, None
    return {**call, "args": _showable(call["args"])}, find_json_fault(call["args"])


def _labelled(call: "CalledTool") -> "CalledTool":
    """Return a call whose arguments are more than can be shown: lists and objects are named by their type."""
    args = {
        _showable_key(key): _UNSHOWABLE.format(type_name(item)) if type(item) in (dict, list) else _showable(item)
        for key, item in call["args"].items()
    }
    return {**call, "args": args}


def _showable(value: Any) -> Any:
    """Return what a record can hold of a value: JSON as it is, anything else named by its type."""
    if type(value) is dict:
        return {_showable_key(key): _showable(item) for key, item in value.items()}
    if type(value) is list:
        return [_showable(item) for item in value]
    if type(value) is int:
        return value if value.bit_length() < 4096 else _UNSHOWABLE.format("integer")
    return value if json_fault(value) is None else _UNSHOWABLE.format(type_name(value))


def _showable_key(key: Any) -> str:
    return key if type(key) is str and json_fault(key) is None else _UNSHOWABLE.format("key")
