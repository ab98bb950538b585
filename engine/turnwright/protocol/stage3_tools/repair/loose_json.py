"""Read text that is almost JSON: return its only possible value, and describe what is wrong with it.

Models and clients submit objects as text, with slips from other languages: a comma before the closing bracket, single
quotes, `None`, a code fence, a closing tag. Text with exactly one reading has a value. Text that is cut off, or
continues after its end, has none: the missing part is unknown. Source: docs/stages/3-tools.md, "Text in place of JSON".
"""

import re
from contextlib import suppress
from typing import Any, NamedTuple, NoReturn

from turnwright.model.json_types import JsonObject
from turnwright.model.strict_json import MAX_DEPTH, JsonError, json_fault, parse_json

MAX_LENGTH = 65_536
"""Characters: longer text is read as JSON or not at all."""
_ROUNDS = 3
"""How often text may stand within text."""
_MAX_TAGS = 8
_FENCE = re.compile(r"```[\w-]*[ \t]*\n?")
_TAG_BEFORE = re.compile(r"\A\s*<[|\w][\w|:.=\"' -]{0,60}>\s*")
_TAG_BEHIND = re.compile(r"<[|/][\w|:. -]{0,60}>\Z")
_BLANK = re.compile(r"(?:\s+|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_NUMERAL = re.compile(r"[+-]?(?:(?:0|[1-9]\d*+)(?:\.\d*+)?|\.\d++)(?:[eE][+-]?\d++)?(?![\w.])")
_WORD = re.compile(r"[A-Za-z_$][\w$]*")
_CLOSERS = re.compile(r"[\s}\]);,]*")
_HEX = re.compile(r"[0-9a-fA-F]{4}")
_CONSTANTS = {"true": True, "false": False, "null": None, "True": True, "False": False, "None": None, "undefined": None}
_QUOTES = {'"': '"', "'": "'", "\u201c": "\u201d", "\u2018": "\u2019", "`": "`"}
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}
_COMMA = "a comma stands before the closing bracket"


class Reading(NamedTuple):
    """The reading of a text.

    Attributes:
        value: its object or list; None unless there is exactly one reading.
        why: the JSON error, with line and column if known; empty when it is valid JSON.
    """

    value: dict[str, Any] | list[Any] | None
    why: str = ""


def read_loosely(text: str, max_depth: int = MAX_DEPTH) -> Reading:
    """Read text that should be one JSON object or list.

    Args:
        text: the submitted text.
        max_depth: maximum nesting depth of the value.
    """
    why = ""
    for _ in range(_ROUNDS):
        read = _read_once(text, max_depth)
        why = why or read.why
        if not isinstance(read.value, str):
            break
        text = read.value
    value = read.value
    if not isinstance(value, (dict, list)):
        return Reading(None, why or "the text holds no object and no list")
    fault = json_fault(value, max_depth)
    return Reading(None, fault) if fault else Reading(value, why)


class _Read(NamedTuple):
    """The value of one level of text, which may be another text."""

    value: Any
    why: str = ""


def _read_once(text: str, max_depth: int) -> _Read:
    try:
        return _Read(parse_json(text, max_depth=max_depth))
    except JsonError as error:
        plain = str(error)
    if len(text) > MAX_LENGTH:
        return _Read(None, f"longer than {MAX_LENGTH} characters, and no JSON")
    reader = _Reader(text, max_depth)
    try:
        value = reader.whole()
    except _Unreadable as fault:
        escaped = _unescaped(text)
        if escaped is not None:
            return _Read(escaped, "its quotation marks are escaped once too often")
        return _Read(None, reader.why or str(fault))
    return _Read(value, reader.why or plain)


def _unescaped(text: str) -> str | None:
    """Return text in which each quotation mark has a backslash before it, without these."""
    if '\\"' not in text or re.search(r'(?<!\\)"', text):
        return None
    with suppress(JsonError):
        inner = parse_json(f'"{text}"', max_depth=1)
        return inner if isinstance(inner, str) else None
    return None


class _Unreadable(Exception):
    """The text has no one reading; the message says why."""


class _Reader:
    """Reads one value, and keeps the first deviation from JSON."""

    def __init__(self, text: str, max_depth: int) -> None:
        self._text, self._at, self._max_depth = text, 0, max_depth
        self._offset = 0
        self._source = text
        self.why = ""

    def whole(self) -> Any:
        """Return the value that all of the text is."""
        self._unwrap()
        self._blank()
        if self._at == len(self._text):
            self._fail("there is no value")
        if self._text[self._at] not in "{[":
            self._fail("the text does not begin with an object or a list")
        value = self._value(0)
        end = self._at
        self._at = _end_of(_CLOSERS.match(self._text, self._at), self._at)
        self._blank()
        if self._at < len(self._text):
            self._fail("more text stands behind the end of the value", end)
        if self._text[end:].strip():
            self._slip("a bracket too many stands at the end" if _has_bracket(self._text[end:]) else _TRAILING, end)
        return value

    def _unwrap(self) -> None:
        """Leave out a code fence and the tags that calls stand between."""
        if (bare := self._text.rstrip()).endswith("```") and not bare.lstrip().startswith("```"):
            self._slip("the end of a code fence stands behind it", len(bare) - 3)
            self._cut(bare[:-3])
        bare = self._text.strip()
        if fence := _FENCE.match(bare):
            self._slip("it is in a code fence", 0)
            self._cut(bare[fence.end() :].removesuffix("```").rstrip())
        if tag := _TAG_BEFORE.match(self._text):
            self._slip("a tag stands before it", 0)
            self._cut(self._text[tag.end() :])
        for _ in range(_MAX_TAGS):
            bare = self._text.rstrip()
            tag = _TAG_BEHIND.match(bare, max(bare.rfind("<"), 0))
            if tag is None:
                break
            self._slip("a tag stands behind it", tag.start())
            self._cut(bare[: tag.start()].rstrip())

    def _cut(self, text: str) -> None:
        self._offset += max(self._text.find(text), 0)
        self._text = text

    def _value(self, depth: int) -> Any:
        self._blank()
        char = self._text[self._at : self._at + 1]
        if char == "{":
            return self._object(depth + 1)
        if char in ("[", "("):
            return self._list(depth + 1, char)
        if char and char in _QUOTES:
            return self._string()
        if number := _NUMERAL.match(self._text, self._at):
            return self._number(number[0])
        if (word := _WORD.match(self._text, self._at)) and word[0] in _CONSTANTS:
            if word[0] not in ("true", "false", "null"):
                self._slip(f"{word[0]} is not JSON", self._at)
            self._at = word.end()
            return _CONSTANTS[word[0]]
        return self._fail(f"{word[0][:40]} is not JSON" if word else self._expected("a value"))

    def _object(self, depth: int) -> JsonObject:
        found: dict[str, Any] = {}
        self._open(depth)
        while not self._closes("}", depth, is_empty=not found):
            key = self._key()
            if key in found:
                self._fail(f"the key {key[:40]!r} stands twice in one object")
            self._blank()
            if not self._takes(":"):
                self._fail(self._expected("a colon"))
            found[key] = self._value(depth)
        return found

    def _list(self, depth: int, opening: str) -> list[Any]:
        found: list[Any] = []
        if opening == "(":
            self._slip("a list stands in parentheses", self._at)
        self._open(depth)
        while not self._closes("]" if opening == "[" else ")", depth, is_empty=not found):
            found.append(self._value(depth))
        return found

    def _open(self, depth: int) -> None:
        if depth > self._max_depth:
            self._fail(f"nested more than {self._max_depth} deep")
        self._at += 1

    def _closes(self, bracket: str, depth: int, *, is_empty: bool) -> bool:
        """Take the closing bracket, or what parts one member from the next; return whether it was the bracket."""
        self._blank()
        if self._takes(bracket):
            return True
        if is_empty:
            return False
        if depth == 1 and self._is_only_missing(bracket):
            return True
        comma = self._at
        if not self._takes(","):
            if bracket == "}" and self._text[self._at : self._at + 1] == '"':
                self._slip("a comma is missing", self._at)
                return False
            self._fail(self._expected(f"a comma or {bracket}"))
        self._blank()
        if self._takes(bracket):
            self._slip(_COMMA, comma)
            return True
        return False

    def _is_only_missing(self, bracket: str) -> bool:
        """Return whether the last bracket of all is missing, behind one that closed a part of the value."""
        is_end = self._at >= len(self._text) and self._text.rstrip()[-1:] in ("}", "]")
        if is_end:
            self._slip(f"the last {bracket} is missing", self._at)
        return is_end

    def _key(self) -> str:
        self._blank()
        if self._text[self._at : self._at + 1] in tuple(_QUOTES):
            return self._string()
        if not (word := _WORD.match(self._text, self._at)):
            self._fail(self._expected("a key in double quotes"))
        self._slip(f"the key {word[0][:40]} has no quotation marks", self._at)
        self._at = word.end()
        return word[0]

    def _string(self) -> str:
        start, quote = self._at, self._text[self._at]
        if quote != '"':
            self._slip("a text stands in other than double quotes", start)
        end, pieces = _QUOTES[quote], list[str]()
        self._at += 1
        while True:
            char = self._text[self._at : self._at + 1]
            if not char:
                self._fail("a text has no end", start)
            self._at += 1
            if char == end:
                return self._joined(pieces)
            if char == "\\":
                char = self._escaped()
            elif char < " ":
                self._slip("a text holds a line break or control character", self._at - 1)
            pieces.append(char)

    def _joined(self, pieces: list[str]) -> str:
        """Return a text with the halves of characters that were escaped one by one put together."""
        try:
            return "".join(pieces).encode("utf-16", "surrogatepass").decode("utf-16")
        except UnicodeDecodeError:
            self._fail("a text holds half of a character")

    def _escaped(self) -> str:
        char = self._text[self._at : self._at + 1]
        self._at += 1
        if char in _ESCAPES and char:
            return _ESCAPES[char]
        if char == "u" and (digits := _HEX.match(self._text, self._at)):
            self._at = digits.end()
            return chr(int(digits[0], 16))
        if char and char in "\"'\\/`":
            if char in "'`":
                self._slip("a backslash stands before a character that needs none", self._at - 2)
            return char
        return self._fail("a backslash stands before a character that cannot be escaped", self._at - 2)

    def _number(self, digits: str) -> int | float:
        is_plain = not digits.startswith(("+", ".", "-.")) and not digits.endswith(".") and ".e" not in digits.lower()
        if not is_plain:
            self._slip(f"the number {digits[:40]} is not written as JSON has it", self._at)
        self._at += len(digits)
        if digits.lstrip("+-").isdigit():
            return int(digits) if len(digits) <= 20 else self._fail("a number has too many digits")
        return float(digits)

    def _blank(self) -> None:
        end = _end_of(_BLANK.match(self._text, self._at), self._at)
        if "/" in self._text[self._at : end]:
            self._slip("a comment is not JSON", self._at)
        self._at = end

    def _takes(self, char: str) -> bool:
        is_there = self._text.startswith(char, self._at)
        self._at += is_there
        return is_there

    def _expected(self, what: str) -> str:
        is_end = self._at >= len(self._text)
        return "the text ends before its brackets are closed" if is_end else f"{what} should stand here"

    def _slip(self, why: str, at: int) -> None:
        self.why = self.why or why + self._place(at)

    def _fail(self, why: str, at: int | None = None) -> NoReturn:
        self.why = why + self._place(self._at if at is None else at)
        raise _Unreadable(self.why)

    def _place(self, at: int) -> str:
        before = self._source[: self._offset + at]
        return f" (line {before.count(chr(10)) + 1}, column {len(before) - before.rfind(chr(10))})"


_TRAILING = "a comma or semicolon stands at the end"


def _end_of(found: re.Match[str] | None, at: int) -> int:
    return found.end() if found else at


def _has_bracket(text: str) -> bool:
    return any(char in text for char in "}])")
