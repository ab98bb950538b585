"""The shapes in which programs submit calls: the engine's, and those of model APIs and MCP.

A turn may hold calls in any of them. The record keeps them as received; tools and reports see each in the engine's
shape. Source: docs/stages/3-tools.md, "Calls in other shapes".
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from turnwright.model.json_types import JsonObject
from turnwright.model.strict_json import MAX_DEPTH, JsonError, parse_json

if TYPE_CHECKING:
    from turnwright.model.wire.shapes import CalledTool

DEPTH_OF_ARGS = 3
"""Nesting depth of a call's arguments in its turn: the turn, its list of calls, and the call."""
WORDS_FOR_ARGUMENTS = ("args", "arguments", "input", "parameters")
"""The protocols' names for the arguments of a call."""


class CallShape(NamedTuple):
    """A protocol's format of a call.

    Attributes:
        protocol: the protocol's name.
        mark: the key that distinguishes it from others, and its allowed values; None if it may be omitted.
        inside: the object that holds name and arguments; empty if the entry itself does.
        arguments: the key of the arguments.
        ids: the keys that may hold the call's id; the first one present counts.
        name: the key of the tool's name.
        is_known_by_name: whether the entry itself needs a name to be recognized as a call.
    """

    protocol: str
    mark: tuple[str, tuple[str | None, ...]]
    inside: str = ""
    arguments: str = "arguments"
    ids: tuple[str, ...] = ("id",)
    name: str = "name"
    is_known_by_name: bool = False

    @property
    def path_of_arguments(self) -> tuple[str, ...]:
        """The path of the arguments in an entry."""
        return (self.inside, self.arguments) if self.inside else (self.arguments,)

    @property
    def path_of_tool(self) -> tuple[str, ...]:
        """The path of the tool's name in an entry."""
        return (self.inside, self.name) if self.inside else (self.name,)

    def holder(self, entry: JsonObject) -> Any:
        """Return what holds name and arguments."""
        return entry.get(self.inside) if self.inside else entry


OURS = CallShape("turnwright", ("tool", ()), arguments="args", name="tool")
"""A call of our own: it is known by `tool` or `args`."""
SHAPES = (
    CallShape("openai", ("type", ("function", None)), inside="function"),
    CallShape("openai", ("type", ("function_call",)), ids=("call_id", "id")),
    CallShape("anthropic", ("type", ("tool_use",)), arguments="input"),
    CallShape("mcp", ("method", ("tools/call",)), inside="params"),
    CallShape("mcp", ("type", ("function", None)), is_known_by_name=True),
)
"""The shapes of others, in the order in which an entry is held against them."""


PROTOCOLS = tuple(dict.fromkeys(shape.protocol for shape in SHAPES))
"""The protocols whose call shapes are known; replies can be had in the same shapes."""


def shape_of(entry: Any) -> CallShape | None:
    """Return the shape of an entry of `tool_calls`; None where it is a call in no shape."""
    if type(entry) is not dict or not all(type(key) is str for key in entry):
        return None
    if "tool" in entry or "args" in entry:
        return OURS
    return next((shape for shape in SHAPES if _has_shape(shape, entry)), None)


def _has_shape(shape: CallShape, entry: JsonObject) -> bool:
    key, values = shape.mark
    mark, holder = entry.get(key), shape.holder(entry)
    if not (mark is None or type(mark) is str) or mark not in values:
        return False
    if type(holder) is not dict or not all(type(key) is str for key in holder):
        return False
    if shape.is_known_by_name and shape.name not in holder:
        return False
    # Arguments under another name are not left out: the call would do something else than was asked for.
    return shape.arguments in holder or not any(word in holder for word in WORDS_FOR_ARGUMENTS)


def understood(entry: Any, place: int, max_depth: int = MAX_DEPTH) -> Any:
    """Return an entry of `tool_calls` in the engine's shape: an object with those of `id`, `tool` and `args` it has.

    An entry in the engine's shape, or in no known shape, is returned unchanged. So are arguments that are neither an
    object nor the JSON text of one: the first check rejects them.

    Args:
        entry: as it was received.
        place: the number of the entry, from 1, which names a call without an id.
        max_depth: maximum nesting depth of arguments given as text.
    """
    shape = shape_of(entry)
    if shape is None or shape is OURS:
        return entry
    holder = shape.holder(entry)
    call: dict[str, Any] = {"id": _id_of(entry, shape, place)}
    if shape.name in holder:
        call["tool"] = holder[shape.name]
    call["args"] = _arguments(holder.get(shape.arguments), max_depth)
    for path, value in further_arguments(entry, shape):
        # Under the keys that it came under: the first check refuses it.
        call |= with_arguments({key: {} for key in path[:-1]}, path, value)
    return call


def further_arguments(entry: JsonObject, shape: CallShape = OURS) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yield the arguments of an entry outside those of its shape, each with its path.

    Empty ones are omitted, because nothing is lost with them.
    """
    holders = {shape.inside: shape.holder(entry) for shape in (OURS, *SHAPES)}
    for inside, holder in holders.items():
        for word in WORDS_FOR_ARGUMENTS if isinstance(holder, Mapping) else ():
            path = (inside, word) if inside else (word,)
            if path != shape.path_of_arguments and _holds_arguments(holder.get(word)):
                yield path, holder[word]


def _holds_arguments(value: Any) -> bool:
    if isinstance(value, str):
        return value.lstrip()[:1] == "{" and "".join(value.split()) != "{}"
    return isinstance(value, Mapping) and bool(value)


class Call(NamedTuple):
    """A normalized entry of `tool_calls`.

    Attributes:
        entry: the whole entry; any JSON value if it is not a call.
        id: its label; empty if it has none.
        tool: the name of the tool; empty if it has none.
        args: the arguments; empty if it has none, or they are not an object.
    """

    entry: Any
    id: str
    tool: str
    args: dict[str, Any]


def read_calls(entries: Iterable[Any], max_depth: int) -> list[Call]:
    """Return each entry of a turn's `tool_calls` as a call of ours; see `understood`."""
    return [read_call(understood(entry, place, max_depth)) for place, entry in enumerate(entries, start=1)]


def read_call(entry: Any) -> Call:
    """Return an entry in the engine's shape, or of no valid shape, with its label, tool and arguments."""
    return Call(entry, **labelled(entry))


def understood_calls(entries: Iterable[Any], max_depth: int = MAX_DEPTH) -> list[Any]:
    """Return each entry of a turn's `tool_calls` as a call of ours; see `understood`."""
    return [understood(entry, place, max_depth) for place, entry in enumerate(entries, start=1)]


def labelled(call: Any) -> "CalledTool":
    """Return the id, tool and arguments that identify a call in reports; missing ones are empty."""
    given = call if type(call) is dict else {}
    call_id, tool, args = given.get("id"), given.get("tool"), given.get("args")
    return {
        "id": call_id if isinstance(call_id, str) else "",
        "tool": tool if isinstance(tool, str) else "",
        "args": args if isinstance(args, dict) else {},
    }


def with_arguments(entry: JsonObject, path: Sequence[str], args: Any) -> JsonObject:
    """Return an entry with other arguments, which stand at a path in it."""
    key, *rest = path
    if not rest:
        return {**entry, key: args}
    inner = entry[key]
    return {**entry, key: with_arguments(inner if isinstance(inner, Mapping) else {}, rest, args)}


def _id_of(entry: JsonObject, shape: CallShape, place: int) -> Any:
    given = next((entry[key] for key in shape.ids if entry.get(key) is not None), None)
    if given is None:
        return f"call_{place:03d}"
    # Requests of JSON-RPC, which MCP is made of, may be numbered.
    return str(given) if shape.protocol == "mcp" and type(given) is int else given


def _arguments(given: Any, max_depth: int) -> Any:
    """Return arguments as the object that they are or say; as they are where they say none."""
    if given is None:
        return {}
    if type(given) is str:
        if not given.strip():
            return {}
        with suppress(JsonError):
            read = parse_json(given, max_depth=max_depth)
            return {} if read is None else read if type(read) is dict else given
    return given
