"""The shapes in which programs hand in calls: ours, and those that the APIs of models and MCP have for them.

A turn may hold calls in any of them. The record keeps them as received; what runs, and all that tells of it, sees each
as one of ours. Source: docs/stages/3-tools.md, "Calls in other shapes".
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from turnwright.model.json_types import JsonObject
from turnwright.model.strict_json import MAX_DEPTH, JsonError, parse_json

if TYPE_CHECKING:
    from turnwright.model.wire.shapes import CalledTool

DEPTH_OF_ARGS = 3
"""How deep the arguments of a call of ours lie in its turn: within the turn, its list of calls, and the call."""
WORDS_FOR_ARGUMENTS = ("args", "arguments", "input", "parameters")
"""What protocols call the arguments of a call."""


class CallShape(NamedTuple):
    """How a protocol writes a call.

    Attributes:
        protocol: whose shape it is.
        mark: the key that tells it from others, and the values it may have there; None where it may be left out.
        inside: the object that holds name and arguments; empty where the entry itself does.
        arguments: the key of the arguments.
        ids: the keys that may hold the id of the call, the first that is there counts.
        name: the key of the tool's name.
        is_known_by_name: whether the entry itself needs a name to be taken for a call.
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
        """Where the arguments stand in an entry."""
        return (self.inside, self.arguments) if self.inside else (self.arguments,)

    @property
    def path_of_tool(self) -> tuple[str, ...]:
        """Where the name of the tool stands in an entry."""
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
    """Return an entry of `tool_calls` as a call of ours: an object with `id`, `tool` and `args` as far as it says them.

    What is ours already, and what has no shape, comes back as it is. So do arguments that are no object and no JSON
    text of one: the first check refuses them.

    Args:
        entry: as it was received.
        place: which entry it is, from 1; a call without an id is called after it.
        max_depth: how deep arguments that are a text may nest.
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
    """Yield the arguments that an entry has beside those of its shape, each with where they stand.

    What holds none is left out: nothing is lost with it.
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
    """An entry of `tool_calls`, as it is understood.

    Attributes:
        entry: the whole entry; any JSON value where it is no call.
        id: its label; empty where it has none.
        tool: the name of the tool; empty where it has none.
        args: the arguments; empty where it has none, or they are no object.
    """

    entry: Any
    id: str
    tool: str
    args: dict[str, Any]


def read_calls(entries: Iterable[Any], max_depth: int) -> list[Call]:
    """Return each entry of a turn's `tool_calls` as a call of ours; see `understood`."""
    return [read_call(understood(entry, place, max_depth)) for place, entry in enumerate(entries, start=1)]


def read_call(entry: Any) -> Call:
    """Return an entry that is a call of ours, or none at all, with what it is reported by."""
    return Call(entry, **labelled(entry))


def understood_calls(entries: Iterable[Any], max_depth: int = MAX_DEPTH) -> list[Any]:
    """Return each entry of a turn's `tool_calls` as a call of ours; see `understood`."""
    return [understood(entry, place, max_depth) for place, entry in enumerate(entries, start=1)]


def labelled(call: Any) -> "CalledTool":
    """Return the id, the tool and the arguments that a call is reported by; what it does not say is empty."""
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
