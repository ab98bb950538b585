"""A compact schema of the legal calls, limited to what grammars for constrained decoding support.

Such grammars support types, enums, required keys, alternatives and bounds, and reject conditions, negations and lists
of unique items. So each operation is a separate alternative with its required arguments, those that name people and
things of the campaign, and those that most calls need; all others are omitted. Every call that the schema admits passes
checks 1 to 7. Source: docs/stages/0-prepare.md, "Legal calls".
"""

from __future__ import annotations

import json
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from enum import IntEnum
from string import ascii_lowercase, ascii_uppercase
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from turnwright.model.published_schema import DICE_FORMAT
from turnwright.model.strict_json import compact
from turnwright.rulesets.listing import Listing
from turnwright.rulesets.tool import Args, Legal

if TYPE_CHECKING:
    from turnwright.model.json_schema import JsonSchema
    from turnwright.model.json_types import JsonObject


_PLAIN_DICE = r"^[1-9][0-9]?d(4|6|8|10|12|20|100)([+-][1-9][0-9]?)?$"
"""Dice as most people write them; the whole notation nests, and a text that only looks like it fails check 7."""
_LINE = r"^[^\n]*\S[^\n]*$"
_MAX_TEXT = 2000
"""Maximum length in characters of a text without a meaningful bound in its schema."""
_ENDLESS = 2**53
_BUDGET = 20_000
"""Bytes of compact JSON beyond which optional arguments are left out."""
_MOST_KEYS = 4
"""How many keys of an object are listed when the usual ones are unknown."""
_FEWEST_KEYS = 2
"""How many keys of an object without required ones are listed when space is tightest."""
_REFERENCE, _DEFINITION = 22, 6
"""Characters of a reference to a shared schema, and of its name where it is defined."""
_NAMES = ascii_lowercase + ascii_uppercase


class Room(IntEnum):
    """The space available for the optional arguments of a tool."""

    USUAL = 0
    """Those that most calls need stand with every operation."""
    WIDEST = 1
    """They stand with the most operations that need the same; objects have their required keys alone."""
    SHORTEST = 2
    """There is none for a tool that needs any argument."""


def short_arguments(args: type[Args], whole: JsonSchema, row: Listing, legal: Legal, room: Room) -> JsonSchema:
    """Return the schema of the argument objects of a tool.

    Args:
        args: the model of the arguments.
        whole: its schema, without references.
        row: which arguments are usual.
        legal: the values that are legal now, or a schema, by name of the argument.
        room: how many optional arguments to list; a call without required arguments has only those.
    """
    is_shortest = room is not Room.USUAL
    known: Mapping[str, JsonSchema] = whole.get("properties", {})
    key = args.model_fields[args.operation_key].alias or args.operation_key if args.needs else None

    def property_of(name: str) -> JsonSchema | None:
        values = legal.get(name)
        if isinstance(values, list):
            return _one_of(list(values))
        return follow(known[name] if values is None else values, row.keys_of(name), is_shortest=is_shortest)

    properties = {name: made for name in known if name != key and (made := property_of(name)) is not None}
    required = [name for name in whole.get("required", ()) if name != key]
    narrowed = {name for name in legal if name in known}
    optional = {*narrowed, *row.usual[: row.few]}
    if room is Room.WIDEST:  # a list of people can be named in several calls, one person each
        optional -= {name for name in narrowed if isinstance(legal[name], Mapping)}
    if room is Room.SHORTEST and (required or key is not None):
        optional = set()
    if key is None:
        common = {*required, *optional} & {*properties}
        return _object({name: properties[name] for name in known if name in common}, required)
    said = property_of(key) or {}
    operations = said.get("enum", [])
    forms: dict[tuple[str, ...], list[str]] = {}
    for operation in operations:
        needs = _needed(args, operation, properties)
        if needs is not None:
            forms.setdefault(tuple(dict.fromkeys([*required, *needs])), []).append(operation)
    # Arguments that an operation requires appear only with it; arguments that none requires, with all.
    common = optional.difference(*forms)
    widest = max(forms.values(), key=len, default=[])
    alternatives: list[JsonSchema] = []
    for needed, named in forms.items():
        told = {*needed} if room is Room.WIDEST and named is not widest else {*needed, *common}
        names = [name for name in known if name in properties and name in told]
        said = {"const": named[0]} if len(named) == 1 else _one_of(named)
        alternatives.append(_object({key: said} | {name: properties[name] for name in names}, [key, *needed]))
    return alternatives[0] if len(alternatives) == 1 else objects("anyOf", alternatives)


def objects(word: Literal["anyOf", "oneOf"], forms: Sequence[JsonSchema]) -> JsonSchema:
    """Return the schema of objects of several forms. It says once that they are objects, for all of them."""
    told: Any = [{key: part for key, part in form.items() if key != "type"} for form in forms]
    return {"type": "object", "anyOf": told} if word == "anyOf" else {"type": "object", "oneOf": told}


def _needed(args: type[Args], operation: str, properties: Collection[str]) -> list[str] | None:
    """Return the arguments that an operation needs; None where one of them was taken out, and it with them."""
    found = []
    for name in args.needs.get(operation, ()):
        ways = [args.model_fields[each].alias or each for each in filter(None, (name, args.instead.get(name)))]
        way = next((each for each in ways if each in properties), None)
        if way is None:
            return None
        found.append(way)
    return found


def follow(node: JsonSchema, keys: Collection[str], *, is_shortest: bool = False) -> JsonSchema | None:
    """Return a schema in words that grammars follow; None where it cannot be said in them.

    Args:
        node: a schema without references.
        keys: the keys of objects that are named beside the required ones; none: the first few.
        is_shortest: name the required keys alone, where there are any.
    """
    branches = [each for each in node.get("anyOf") or node.get("oneOf") or () if each != {"type": "null"}]
    if branches:
        made = [one for each in branches if (one := follow(each, keys, is_shortest=is_shortest)) is not None]
        return None if not made else made[0] if len(made) == 1 else {"anyOf": made}
    if "const" in node:
        return _one_of([node["const"]])
    if "enum" in node:
        return _one_of([value for value in node["enum"] if value is not None])
    kind = node.get("type")
    if isinstance(kind, list):
        kind = next(each for each in kind if each != "null")
    if kind == "string":
        return _text(node)
    if kind in ("integer", "number"):
        return _number(node, kind)
    if kind == "boolean":
        return {"type": "boolean"}
    if kind == "array":
        return _list(node, keys, is_shortest)
    return _map(node, keys, is_shortest) if kind == "object" else None


def _text(node: JsonSchema) -> JsonSchema:
    if node.get("format") == DICE_FORMAT:
        return {"type": "string", "pattern": _PLAIN_DICE}
    pattern = node.get("pattern")
    if node.get("not") == {"pattern": r"\n"} and pattern in (None, r"\S"):
        pattern = _LINE
    made: JsonSchema = {"type": "string"}
    if pattern:
        made["pattern"] = pattern
    if (least := node.get("minLength")) and not pattern:
        made["minLength"] = least
    if (most := node.get("maxLength")) and most <= _MAX_TEXT:
        made["maxLength"] = most
    return made


def _number(node: JsonSchema, kind: str) -> JsonSchema:
    made: JsonSchema = {"type": kind}
    least = node.get("minimum", node["exclusiveMinimum"] + 1 if "exclusiveMinimum" in node else None)
    if least is not None:
        made["minimum"] = max(least, -_ENDLESS)
    if "maximum" in node:
        made["maximum"] = min(node["maximum"], _ENDLESS)
    return made


def _list(node: JsonSchema, keys: Collection[str], is_shortest: bool) -> JsonSchema | None:
    if "prefixItems" in node:  # a tuple: one schema for each place
        places = [one for each in node["prefixItems"] if (one := follow(each, (), is_shortest=is_shortest)) is not None]
        if len(places) < len(node["prefixItems"]):
            return None
        return {"type": "array", "prefixItems": places, "minItems": len(places), "maxItems": len(places)}
    items = follow(node["items"], keys, is_shortest=is_shortest) if "items" in node else None
    if items is None:
        return None
    made: JsonSchema = {"type": "array", "items": items}
    if "minItems" in node:
        made["minItems"] = node["minItems"]
    if "maxItems" in node:
        made["maxItems"] = node["maxItems"]
    if node.get("uniqueItems"):  # no grammar counts what a list has held: one item is never there twice
        made["maxItems"] = 1
    return made


def _map(node: JsonSchema, keys: Collection[str], is_shortest: bool) -> JsonSchema | None:
    known: Mapping[str, JsonSchema] = node.get("properties", {})
    names: JsonSchema = node.get("propertyNames", {})
    others = node.get("additionalProperties", False)
    if not known and "enum" in names and not isinstance(others, bool):
        value = follow(others, (), is_shortest=is_shortest)
        return None if value is None else _object(dict.fromkeys(names["enum"], value), [])
    required = list(node.get("required", ()))
    usual: Collection[str] = keys or list(known)[:_MOST_KEYS]
    if is_shortest:
        usual = () if required else [*usual][:_FEWEST_KEYS]
    wanted = [name for name in known if name in required or name in usual]
    made = {name: one for name in wanted if (one := follow(known[name], (), is_shortest=is_shortest)) is not None}
    return _object(made, required) if made and made.keys() >= set(required) else None


def _one_of(values: list[Any]) -> JsonSchema:
    return {"enum": values}


def _object(properties: dict[str, JsonSchema], required: Iterable[str]) -> JsonSchema:
    names = list(dict.fromkeys(required))
    needed: JsonSchema = {"required": names} if names else {}
    return {"type": "object", "properties": properties, **needed, "additionalProperties": False}


class ShortCall(NamedTuple):
    """The schemas of a tool's calls.

    Attributes:
        rank: the tool's priority in a short list; the smallest first.
        form: returns the schema for the available space.
    """

    rank: int
    form: Callable[[Room], JsonSchema]


def within_budget(calls: Sequence[ShortCall]) -> JsonSchema:
    """Return the schema of one of these calls.

    If they exceed the budget together, as few tools as possible are shortened, the least needed first. Tools,
    operations and ids stay even if that is not enough.
    """
    whole = _one_call([call.form(Room.USUAL) for call in calls])
    if _fits(whole):
        return whole
    forms = [[call.form(room) for room in Room] for call in calls]
    last_first = sorted(range(len(calls)), key=lambda place: (-calls[place].rank, -place))
    cuts = [place for _ in range(len(Room) - 1) for place in last_first]

    def cut(count: int) -> JsonSchema:
        room = Counter(cuts[:count])
        return _one_call([form[room[place]] for place, form in enumerate(forms)])

    return cut(bisect_left(range(len(cuts)), True, key=lambda count: _fits(cut(count))))


def _one_call(forms: Sequence[JsonSchema]) -> JsonSchema:
    told, definitions = shared(forms)
    return {**objects("oneOf", told), **({"$defs": definitions} if definitions else {})}


def _fits(schema: JsonSchema) -> bool:
    return len(compact(schema)) <= _BUDGET


def shared(calls: Sequence[JsonSchema]) -> tuple[list[JsonSchema], dict[str, JsonSchema]]:
    """Return schemas that refer to what several of them hold, such as the people of the campaign, and these parts."""
    counts: Counter[bytes] = Counter()
    for call in calls:
        _count(call, counts)
    often = sorted((one for one, count in counts.items() if _is_worth_it(one, count)), key=lambda one: -counts[one])
    names = {spelled: _name(number) for number, spelled in enumerate(often)}
    definitions = {name: json.loads(spelled) for spelled, name in names.items()}
    told = [_referring(call, names) for call in calls]
    return told, {name: _referring(part, names, own=name) for name, part in definitions.items()}


def _is_worth_it(spelled: bytes, count: int) -> bool:
    return count * (len(spelled) - _REFERENCE) > len(spelled) + _DEFINITION


def _name(number: int) -> str:
    return _NAMES[number] if number < len(_NAMES) else str(number)


def _count(node: Any, counts: Counter[bytes]) -> None:
    """Count the subschemas of a schema; those in a shared one count once."""
    if isinstance(node, list):
        for item in node:
            _count(item, counts)
    if not isinstance(node, dict):
        return
    if _is_schema(node) and len(spelled := compact(node)) > _REFERENCE:
        counts[spelled] += 1
        if counts[spelled] > 1:
            return
    for key, value in node.items():
        if key not in ("enum", "const", "required"):
            _count(value, counts)


def _referring(node: Any, names: Mapping[bytes, str], own: str = "") -> Any:
    if isinstance(node, list):
        return [_referring(item, names) for item in node]
    if not isinstance(node, dict):
        return node
    if _is_schema(node):
        name = names.get(compact(node))
        if name is not None and name != own:
            return {"$ref": f"#/$defs/{name}"}
    return {
        key: value if key in ("enum", "const", "required") else _referring(value, names) for key, value in node.items()
    }


def _is_schema(node: JsonObject) -> bool:
    """Return whether an object is a schema and not the properties of one, whose values are all objects."""
    return any(not isinstance(value, dict) for value in node.values())
