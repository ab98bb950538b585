"""Text that is almost JSON: what has one reading is read, what has none is not, and the reason says where it breaks."""

from __future__ import annotations

import json
from typing import Any

import pytest

from turnwright.model.strict_json import parse_json
from turnwright.protocol.stage3_tools.repair.loose_json import MAX_LENGTH, read_loosely

HURT: dict[str, Any] = {"target_character_id": "pc_001", "delta": -3, "cause": "an arrow", "why": None, "sure": True}
TEXT = json.dumps(HURT)

ONE_READING = {
    "trailing comma": (TEXT[:-1] + ",}", "a comma stands before the closing bracket"),
    "python literal": (str(HURT), "a text stands in other than double quotes"),
    "closing tag": (TEXT + "</tool_call>", "a tag stands behind it"),
    "between tags": (f"<tool_call>\n{TEXT}\n</tool_call>", "a tag stands before it"),
    "end of turn": (TEXT + "<|im_end|>", "a tag stands behind it"),
    "a brace too many": (TEXT + "}", "a bracket too many stands at the end"),
    "code fence": (f"```json\n{TEXT}\n```", "it is in a code fence"),
    "open code fence": (f"```\n{TEXT}", "it is in a code fence"),
    "semicolon": (TEXT + ";", "a comma or semicolon stands at the end"),
    "bare keys": (TEXT.replace('"delta"', "delta"), "the key delta has no quotation marks"),
    "curly quotes": (TEXT.replace('"cause"', "\u201ccause\u201d"), "a text stands in other than double quotes"),
    "a comma missing": (TEXT.replace(', "delta"', ' "delta"'), "a comma is missing"),
    "a comment": (TEXT[:-1] + "} // an arrow", "a comment is not JSON"),
    "escaped once too often": (TEXT.replace('"', '\\"'), "its quotation marks are escaped once too often"),
    "text of text": (json.dumps(TEXT), ""),
}


@pytest.mark.parametrize("slip", ONE_READING)
def test_text_with_exactly_one_reading_is_read(slip: str) -> None:
    text, why = ONE_READING[slip]
    read = read_loosely(text)
    assert read.value == HURT
    assert read.why.startswith(why) if why else not read.why


NO_READING = {
    "cut off in a text": ('{"cause": "an arr', "a text has no end (line 1, column 11)"),
    "cut off behind a number": ('{"delta": 1', "the text ends before its brackets are closed"),
    "cut off in a list": ('{"ids": ["a", "b"', "the text ends before its brackets are closed"),
    "two objects": ('{"a": 1}{"b": 2}', "more text stands behind the end of the value"),
    "prose behind it": ('{"a": 1} should do', "more text stands behind the end of the value"),
    "prose": ("three arrows", "the text does not begin with an object or a list"),
    "nothing": ("", "there is no value"),
    "no object": ("12", "the text holds no object and no list"),
    "a key twice": ('{"a": 1, "a": 2,}', "the key 'a' stands twice in one object"),
    "quotation marks within": ('{"cause": "he said "no""}', "a comma or } should stand here"),
    "an apostrophe within": ("{'cause': 'Mira's arrow'}", "a comma or } should stand here"),
    "a sum": ('{"delta": 1+2}', "a comma or } should stand here"),
    "an expression": ('{"delta": min(1, 2)}', "min is not JSON"),
    "not a number": ('{"delta": NaN,}', "NaN is not JSON"),
    "too large a number": ('{"delta": 12345678901234567,}', "an integer lies beyond 2^53"),
    "something left out": ('{"delta": ...}', "a value should stand here"),
    "a value left out": ("[1,,2]", "a value should stand here"),
    "the wrong bracket": ('{"a": [1, 2}', "a comma or ] should stand here"),
    "half a character": ('{"a": "\\ud83d",}', "a text holds half of a character"),
    "too deep": ("[" * 100 + "]" * 100, "nested more than"),
}


@pytest.mark.parametrize("slip", NO_READING)
def test_text_with_no_or_several_readings_is_not_read_and_the_reason_says_where_it_breaks(slip: str) -> None:
    text, why = NO_READING[slip]
    read = read_loosely(text)
    assert read.value is None
    assert read.why.startswith(why)


def test_what_is_json_is_read_as_the_protocol_reads_it() -> None:
    assert read_loosely(TEXT).value == parse_json(TEXT)
    assert read_loosely(TEXT).why == ""


def test_what_is_cut_off_anywhere_has_no_reading() -> None:
    for end in range(len(TEXT)):
        assert read_loosely(TEXT[:end]).value is None


def test_very_long_text_that_is_no_json_is_not_looked_at_closer() -> None:
    long = '{"a": "' + "x" * MAX_LENGTH + '",}'
    assert read_loosely(long).value is None
    assert read_loosely(long.replace(",}", "}")).value == {"a": "x" * MAX_LENGTH}
