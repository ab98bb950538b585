"""What a text says that stands where a value of another kind is wanted: a number, dice, yes or no.

Source: docs/stages/3-tools.md, "Hints".
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from turnwright.model.nearest import NUMBERS, nearest_int, nearest_number, number_in
from turnwright.model.published_schema import DICE_FORMAT
from turnwright.model.strict_json import MAX_INT

NUMERIC = frozenset({"integer", "number"})
_NO = frozenset({"", "0", "disabled", "f", "false", "n", "never", "no", "none", "nope", "not", "null", "off"})
"""Words for false, in small letters."""
_SIGNS = {"advantage": "adv", "and": "+", "disadvantage": "dis", "minus": "-", "plus": "+", "times": "*", "x": "*"}
_IDLE = frozenset({"a", "an", "at", "with"})
_MOST_WORDS = 12
_LONGEST_WORD = 30
_MOST = 10**15 - 1
"""The largest number that is told by its sign, or stands for dice."""
_SIGN_FIRST = "^[+-]"
"""How the patterns of numbers begin that are told from others by their sign."""


def said(schema: Mapping[str, Any], got: Any) -> list[Any]:
    """Return the value that fits a schema and was meant by one that does not; empty where there is no telling."""
    kind = schema.get("type")
    if schema.get("format") == DICE_FORMAT:
        return dice_in(got)
    if kind in NUMERIC and number_in(got) is not None:
        number = near(schema, got)
        return [number] if number > schema.get("exclusiveMinimum", -MAX_INT - 1) else []
    if kind == "boolean" and isinstance(got, str):
        return [is_yes(got)]
    return _signed(schema, got) if kind == "string" and "pattern" in schema else []


def near(schema: Mapping[str, Any], got: Any) -> int | float:
    """Return the number within the bounds of a schema that lies nearest to the one that was given, or to 0."""
    nearest = nearest_int if schema["type"] == "integer" else nearest_number
    return nearest(got, schema.get("minimum", -MAX_INT), schema.get("maximum", MAX_INT))


def is_yes(got: Any) -> bool:
    """Return whether what was given for true or false means true: whatever does not begin with a word for false."""
    if not isinstance(got, str):
        return got not in (0, None)
    first = next(iter(got.lower().split()), "")
    return first.strip(".,;:!") not in _NO


def _signed(schema: Mapping[str, Any], got: Any) -> list[Any]:
    """Return the whole number in a text with its sign, where that is what the schema wants."""
    number = number_in(got)
    if not isinstance(got, str) or type(number) is not int or not schema["pattern"].startswith(_SIGN_FIRST):
        return []
    is_told = number < 0 or got.strip().startswith(("+", "plus "))
    return [f"{min(max(number, -_MOST), _MOST):+d}"] if is_told else []


def dice_in(got: Any) -> list[str]:
    """Return the dice expression in a text, as the only one of a list; of several, the longest of the first."""
    text = str(got) if isinstance(got, str) or (type(got) is int and abs(got) <= _MOST) else ""
    words = [_as_notation(word) for word in text.lower().split()[:_MOST_WORDS]]
    words = [word for word in words if word not in _IDLE and len(word) <= _LONGEST_WORD]
    for start in range(len(words)):
        for end in range(len(words), start, -1):
            found = _dice(" ".join(words[start:end]))
            if found and "d" in found:
                return [found]
    found = _dice(words[0]) if words else None
    return [found] if found else []


def _as_notation(word: str) -> str:
    plain = word.strip(",.;:")
    return str(NUMBERS[plain]) if plain in NUMBERS else _SIGNS.get(plain, plain)


def _dice(text: str) -> str | None:
    """Return a text as dice notation where it is one."""
    from turnwright.rules.dice import DiceError, parse, render  # only what fails needs it

    with suppress(DiceError):
        return render(parse(text))
    return None
