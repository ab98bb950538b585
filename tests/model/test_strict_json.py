"""JSON strictly read and spelt in one way; the standard library is the oracle for what both take."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.builders import spelt
from tests.json_samples import any_json
from tests.sampling import tries

from turnwright.model.strict_json import (
    MAX_INT,
    JsonError,
    canonical,
    compact,
    deeper_than,
    json_fault,
    longer_than,
    parse_by_rules,
    parse_json,
    pretty,
    sorted_json,
)

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-MAX_INT, MAX_INT)
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXTS
)
VALUES = st.recursive(SCALARS, lambda v: st.lists(v, max_size=3) | st.dictionaries(TEXTS, v, max_size=3), max_leaves=10)
SPELLINGS = [canonical, compact, pretty, json.dumps, lambda value: json.dumps(value, indent=3)]


@given(VALUES, st.sampled_from(SPELLINGS))
def test_reading_is_the_inverse_of_every_way_of_writing(value: Any, spelling: Any) -> None:
    written = spelling(value)
    assert spelt(parse_json(written if isinstance(written, bytes) else written.encode())) == spelt(value)


@given(VALUES)
def test_the_canonical_spelling_is_that_of_sorted_keys_without_spaces(value: Any) -> None:
    assert canonical(value) == json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert canonical(sorted_json(value)) == canonical(value)


_FLOAT = re.compile(r"-?\d+(?:\.\d+(?:e[+-]?\d+)?|e[+-]?\d+)")


@given(VALUES)
def test_a_line_is_spelt_like_the_canonical_text_but_for_the_order_and_the_spelling_of_floats(value: Any) -> None:
    def respelt(text: str) -> str:
        return canonical(json.loads(text))

    line = compact(sorted_json(value)).decode()
    assert respelt(line) == canonical(value)
    assert _FLOAT.sub("0.5", line) == _FLOAT.sub("0.5", canonical(value))


@pytest.mark.parametrize(("value", "line"), [(1e-7, b"1e-7"), (1.0, b"1.0"), (0.1, b"0.1"), (1e16, b"1e+16")])
def test_floats_are_spelt_in_the_shortest_form(value: float, line: bytes) -> None:
    assert compact(value) == line


@pytest.mark.parametrize(("left", "right"), [(1, 1.0), (1, True), (0, False), (0, None), ([], {}), ("1", 1)])
def test_what_json_tells_apart_is_spelt_apart(left: Any, right: Any) -> None:
    assert canonical([left]) != canonical([right])


@given(st.binary(max_size=12) | TEXTS.map(str.encode) | VALUES.map(lambda value: json.dumps(value).encode()))
@example(b'{"a":1,"a":1}')
@example(b'{"a":{"b":1},"c":{"b":1}}')
@example(b"NaN")
@example(b'"\\ud800"')
@example(b'"\\ud83d\\ude00"')
@example(b"-0")
@example(b"\xef\xbb\xbf1")
def test_a_text_is_read_as_the_standard_library_reads_it_or_refused(data: bytes) -> None:
    try:
        value = parse_json(data)
    except JsonError:
        return
    assert spelt(value) == spelt(json.loads(data.decode("utf-8")))


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "nul",
        "[1,]",
        "{'a':1}",
        "1 2",
        "01",
        "+1",
        ".5",
        "1.",
        "0x1",
        '"\t"',
        '"\\x41"',
        "[NaN]",
        "[Infinity]",
        "[-Infinity]",
        "[1e400]",
        "[-1e400]",
        '{"a":1,"b":2,"a":1}',
        '[{"\\u0061":1,"a":1}]',
        '"\\ud800"',
        '{"\\udfff":1}',
        '"\ud800"',
        "\ufeff{}",
        "9" * 5000,
        "[" * 501 + "]" * 501,
        "[" * 5000 + "]" * 5000,
    ],
    ids=lambda text: repr(text)[:20],
)
def test_what_is_not_strict_json_is_refused(text: str) -> None:
    with pytest.raises(JsonError):
        parse_json(text)


@pytest.mark.parametrize(
    ("text", "where"), [('{"a": 1,}', "(line 1, column 9)"), ("[1,\n ]", "(line 2, column 2)"), ("[{},]", "column 5")]
)
def test_a_comma_too_many_is_called_that(text: str, where: str) -> None:
    with pytest.raises(JsonError, match="a comma stands before the closing bracket") as raised:
        parse_json(text)
    assert where in str(raised.value)


@pytest.mark.parametrize(
    "text", ["{}", "[" * 500 + "]" * 500, '{"a":"\\\\ud800"}', "[1e308, -0.0, 0, 1E5]", '"\\u00e9"', '{"A":1,"a":1}']
)
def test_what_only_looks_suspicious_is_taken(text: str) -> None:
    assert spelt(parse_json(text)) == spelt(json.loads(text))


def depth_of(value: Any) -> int:
    children = value.values() if isinstance(value, dict) else value if isinstance(value, list) else None
    return 0 if children is None else 1 + max(map(depth_of, children), default=0)


@given(VALUES, st.integers(0, 6))
def test_depth_counts_arrays_and_objects_however_little_they_hold(value: Any, limit: int) -> None:
    too_deep = depth_of(value) > limit
    assert deeper_than(value, limit) == too_deep
    assert (json_fault(value, limit) is not None) == too_deep
    if too_deep:
        with pytest.raises(JsonError):
            parse_json(canonical(value), max_depth=limit)
    else:
        assert spelt(parse_json(canonical(value), max_depth=limit)) == spelt(value)


@settings(max_examples=tries(15))
@given(VALUES, st.integers(0, 6))
def test_the_depth_of_long_text_is_found_before_it_is_parsed(value: Any, limit: int) -> None:
    many = [value, 'a string of "[{" \\', [[]] * 10_000]
    text = json.dumps(many, ensure_ascii=False)
    if depth_of(many) > limit:
        with pytest.raises(JsonError, match=f"nested more than {limit} deep"):
            parse_json(text, max_depth=limit)
    else:
        assert parse_json(text, max_depth=limit) == many


@given(VALUES)
def test_no_value_is_called_longer_than_it_is(value: Any) -> None:
    assert not longer_than(value, len(canonical(value).encode()))


@given(st.lists(st.text("ab", max_size=3), min_size=1, max_size=5), st.integers(0, 12))
def test_what_is_shared_is_as_long_as_it_would_be_written(value: list[Any], levels: int) -> None:
    for _ in range(levels):
        value = [{"a": value}, value]
    assert longer_than(value, len(canonical(value).encode()) - 1)


@given(VALUES)
def test_the_limit_of_bytes_counts_bytes(value: Any) -> None:
    data = canonical(value).encode()
    parse_json(data, max_bytes=len(data))
    parse_json(data.decode(), max_bytes=len(data))
    for text in (data, data.decode()):
        with pytest.raises(JsonError):
            parse_json(text, max_bytes=len(data) - 1)


@given(VALUES)
def test_json_has_no_fault(value: Any) -> None:
    assert json_fault(value) is None


class Text(str):
    __slots__ = ()


@pytest.mark.parametrize(
    "fault",
    [
        math.nan,
        math.inf,
        -math.inf,
        MAX_INT + 1,
        -MAX_INT - 1,
        (1,),
        {1},
        b"",
        object(),
        "\udc80",
        {1: 1},
        {None: 1},
        {"\ud800": 1},
        Text("a"),
    ],
    ids=lambda value: type(value).__name__,
)
@given(value=VALUES, where=st.sampled_from(["bare", "list", "value"]))
def test_one_thing_that_json_cannot_hold_is_a_fault_wherever_it_hides(fault: Any, value: Any, where: str) -> None:
    hidden = {"bare": fault, "list": [value, [fault], value], "value": {"a": value, "b": {"c": fault}}}[where]
    assert json_fault(hidden) is not None


def test_the_largest_integers_are_no_fault() -> None:
    assert json_fault([MAX_INT, -MAX_INT]) is None


# text that is spelt plainly

STYLES: list[dict[str, Any]] = [
    {"ensure_ascii": ascii_only, **spacing}
    for ascii_only in (True, False)
    for spacing in ({"separators": (",", ":")}, {}, {"indent": 2}, {"indent": "\t"})
]


@given(any_json | st.floats(), st.sampled_from(STYLES), st.integers(0, 255), st.integers(0, 1000))
@settings(max_examples=tries(125))
def test_a_plain_spelling_is_read_as_strictly_as_any(
    value: Any, spelling: dict[str, Any], byte: int, place: int
) -> None:
    line = json.dumps(value, **spelling).encode()
    at = place % len(line)
    for data in (line, line[:at] + bytes([byte]) + line[at + 1 :]):
        assert outcome(parse_json, data) == outcome(parse_by_rules, data)


@pytest.mark.parametrize(
    "data",
    [
        *(b'{"a":1,"a":1}', b'{"a":{"b":1,"b":1}}', b"NaN", b"[Infinity]", b"-Infinity", b"1e400", b"'a'", b"{'a':1}"),
        *(b'"\\ud800"', b'"\xff"', b"\xef\xbb\xbf1", b'"\\u0041"', b'"\\/"', b'"a\x01"', b'"\x7f"', b"[1,]", b"nul"),
        *(b"[" * 5000, b"[" * 300 + b"]" * 300, b"1" * 5000, b" 1", b"1 ", b"01", b"-0", b"1E5", b"", b"1.0", b"1e16"),
        *(b"[1 2]", b"1 2", b'["a" "b"]', b'{"a" 1}', b'"a\nb"', b'"a\tb"', b'"a\rb"', b"tr ue", b"1. 5", b"- 1", b" "),
        *(b'{"a b":1,"ab":1}', b'{"a b":1 , "a b":1}', b'{"a":1 , "a":1}', b'{"a":{"a":1},\n"a":{"a":1}}', b"[ ]"),
        *(b"123456789012345678901234567890", b"0.1000000000000000055511151231257827"),
    ],
)  # fmt: skip
def test_text_that_is_spelt_strangely_is_read_as_strictly(data: bytes) -> None:
    assert outcome(parse_json, data) == outcome(parse_by_rules, data)


def outcome(read: Callable[[bytes], Any], data: bytes) -> str:
    try:
        return spelt(read(data))
    except JsonError as error:
        return f"fault: {error}"
