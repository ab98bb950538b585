"""JSON that fits a schema, and JSON with a slip here and there: what two readers must agree about."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

from hypothesis import strategies as st

Schema = Mapping[str, Any]
Strategy = st.SearchStrategy[Any]
MAX = 2**53
JUNK: tuple[Any, ...] = (
    *(None, True, False, "", "a", "1", "true", "é", "a\n", ".a", "x" * 65, "x" * 201),
    *(0, 1, 3, 4, -1, 31, 101, MAX + 1, -MAX - 1, 10**30, 0.0, 1.0, 0.5, 1e300, float(MAX)),
    *([], [None], ["a"], ["a", "a"], [1], [[]], [MAX + 1], {}, {"a": 1}, {"a": [MAX + 1]}, {"id": "a"}),
    *({"id": "a", "tool": "b", "args": {"n": MAX + 1}}, {"args": [MAX + 1]}, {"id": MAX + 1, "args": {}}),
)
"""Values that are wrong nearly everywhere, or at the edge of what is taken."""
KEYS = ("extra", "x_note", "x_", "X_note", "id", "ID", "", "from_area_id", "actor_id", "args", "é")
_NAMES = ("a", "b", "pc_001", "area_001", "x" * 200)
_SHAPES = ("json", "entry")
"""Definitions that any JSON fits but for its integers."""

_PATTERNED = ("a", "-", "_", "turn_0001", "a.b", "x" * 64, "3,4", "0,0", "+5", "2d6+3", "1d20", "7", "1d")

any_json = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.floats(-1, 1) | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=4), inner, max_size=2),
    max_leaves=4,
)
junk = st.sampled_from(JUNK).map(copy.deepcopy)


def fitting(schema: Schema) -> Strategy:
    """Return values that fit one of our schemas, as far as their keywords are known here."""
    return _drawn(_Samples(schema, slips=False))


def slipping(schema: Schema) -> Strategy:
    """Return values that fit a schema but for a few slips: a wrong type, a bound passed, a key too many."""
    return _drawn(_Samples(schema, slips=True))


@st.composite
def _drawn(draw: st.DrawFn, samples: _Samples) -> Any:
    # Hypothesis prints strategies, and those of a whole schema are long; this one's name is short.
    return draw(samples.whole)


def _not_null(node: Schema) -> Schema:
    branches = [branch for branch in node.get("anyOf", ()) if branch != {"type": "null"}]
    return {**node, "anyOf": branches} if branches else node


def _kind(node: Schema) -> str:
    if "type" in node:
        return str(node["type"])
    words = node.get("enum", [node["const"]] if "const" in node else [])
    return "string" if words and all(isinstance(word, str) for word in words) else "any"


@st.composite
def _sparse(draw: st.DrawFn, required: Mapping[str, Strategy], optional: Mapping[str, Strategy]) -> dict[str, Any]:
    """Return an object with a few of its optional keys: with all of them, of forty, nearly every one would slip."""
    few = draw(st.lists(st.sampled_from(sorted(optional)), max_size=5, unique=True)) if optional else []
    return {key: draw(value) for key, value in {**required, **{key: optional[key] for key in few}}.items()}


@st.composite
def _now_and_then(draw: st.DrawFn, slip: Strategy, usual: Strategy) -> Any:
    return draw(slip if draw(st.integers(0, 7)) == 5 else usual)


class _Samples:
    def __init__(self, root: Schema, *, slips: bool) -> None:
        self.root = root
        self.slips = slips
        self.whole = self.of(root)

    def of(self, node: Schema) -> Strategy:
        """Return values for one place of the schema."""
        if "$ref" in node and node["$ref"].rpartition("/")[2] not in _SHAPES:
            return self._referred(node)
        if branches := node.get("anyOf") or node.get("oneOf"):
            return st.one_of([self.of(branch) for branch in branches])
        if isinstance(node.get("type"), list):
            return st.one_of([self.of({**node, "type": kind}) for kind in node["type"]])
        scalars = {"null": st.none(), "boolean": st.booleans(), "any": any_json | junk if self.slips else any_json}
        kind = _kind(node)
        made = scalars[kind] if kind in scalars else getattr(self, f"_{kind}")(node)
        return _now_and_then(junk | _near_misses(node), made) if self.slips else made

    def _referred(self, node: Schema) -> Strategy:
        """Follow a reference; what stands beside it asks for more of the keys of an object."""
        found = self.root["$defs"][node["$ref"].rpartition("/")[2]]
        more = [*found.get("required", ()), *node.get("required", ())]
        return self.of({**found, "required": more} if more else found)

    def _integer(self, node: Schema) -> Strategy:
        if "const" in node:
            return st.just(node["const"])
        if "enum" in node:
            return st.sampled_from(node["enum"])
        low, high = node["minimum"], node["maximum"]
        return st.sampled_from([low, high]) | st.integers(max(low, -10), max(low, min(high, 110)))

    def _number(self, node: Schema) -> Strategy:
        low, high = node.get("minimum", node.get("exclusiveMinimum", -5)), node.get("maximum", 5)
        few = [value for value in (low, high, 0, 1, 0.5, 2.25) if low <= value <= high]
        return st.sampled_from([value for value in few if value != node.get("exclusiveMinimum")])

    def _string(self, node: Schema) -> Strategy:
        if "const" in node:
            return st.just(node["const"])
        if "enum" in node:
            return st.sampled_from(node["enum"])
        if "pattern" in node or "format" in node:
            return st.sampled_from([*node.get("examples", ()), *_PATTERNED])
        least, most = node.get("minLength", 0), node.get("maxLength", 300)
        names = [name for name in (*_NAMES, "") if least <= len(name) <= most]
        return st.sampled_from(names) | st.text(min_size=least, max_size=6)

    def _array(self, node: Schema) -> Strategy:
        if "prefixItems" in node:
            return st.tuples(*map(self.of, node["prefixItems"])).map(list)
        items, unique = self.of(node.get("items", {})), node.get("uniqueItems")
        least, most = node.get("minItems", 0), min(3, node.get("maxItems", 3))
        lists = st.lists(items, min_size=least, max_size=most, unique_by=repr if unique else None)
        if not self.slips:
            return lists
        twice = items.map(lambda item: [item, copy.deepcopy(item)])
        many = items.map(lambda item: [copy.deepcopy(item) for _ in range(node.get("maxItems", 3) + 1)])
        slip = _now_and_then(many, twice)
        return lists | slip if unique else _now_and_then(slip, lists)  # nothing else finds out whether it is asked for

    def _object(self, node: Schema) -> Strategy:
        properties = {key: self.of(value) for key, value in node.get("properties", {}).items()}
        inner = node.get("additionalProperties")
        if not properties and inner is not None:
            values = any_json if inner is True else self.of(inner or {})
            return st.dictionaries(
                st.sampled_from(node.get("propertyNames", {}).get("enum", _NAMES)), values, max_size=2
            )
        required = {key: properties[key] for key in node.get("required", ()) if key in properties}
        optional = {key: value for key, value in properties.items() if key not in required}
        usual = st.one_of(
            [
                _sparse(required | more, {key: value for key, value in optional.items() if key not in more})
                for more in self._conditions(node)
            ]
        )
        if not self.slips:
            return usual
        strange = {key: junk for key in KEYS if key not in required}
        too_many = _sparse(required, strange | optional)
        too_few = _sparse({}, properties)
        return _now_and_then(too_many | too_few, usual)

    def _conditions(self, node: Schema) -> list[dict[str, Strategy]]:
        """Return what each operation asks for: its name, and the arguments it needs."""
        asked = [rule for rule in node.get("allOf", ()) if "then" in rule]
        found = [
            {key: st.just(value["const"]) for key, value in rule["if"]["properties"].items()}
            | {key: self.of(_not_null(node["properties"][key])) for key in way.get("required", ())}
            for rule in asked
            for way in rule["then"].get("anyOf", (rule["then"],))
        ]
        return [{}, *found]


def _near_misses(node: Schema) -> Strategy:
    """Return values just beyond what a place takes."""
    missed: list[Any] = [float(node[bound]) for bound in ("minimum", "maximum") if bound in node]
    missed += [node["minimum"] - 1] if "minimum" in node else []
    missed += [node["maximum"] + 1] if "maximum" in node else []
    missed += ["x" * (node["maxLength"] + 1)] if "maxLength" in node else []
    missed += ["a\n", "", "x" * 65] if "pattern" in node else []
    missed += [word.upper() if isinstance(word, str) else float(word) for word in node.get("enum", ())]
    return st.sampled_from(missed) if missed else junk
