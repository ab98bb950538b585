"""Find the known name that a caller probably meant: for hints and for "did you mean"."""

from __future__ import annotations

import re
from bisect import insort
from collections.abc import Callable, Collection, Iterable
from contextlib import suppress
from functools import lru_cache
from typing import TYPE_CHECKING

from turnwright.model.edit_distance import edit_distance

if TYPE_CHECKING:
    from difflib import SequenceMatcher

MAX_COUNT = 20
"""Maximum number of values in a hint."""
_ALIKE = 0.7
"""Minimum similarity for a name to count as meant: a slip or two in a word, and no other word."""


def nearest(given: object, known: Iterable[str], most: int = MAX_COUNT) -> list[str]:
    """Return up to `most` known names, the most similar to `given` first, equally similar ones sorted.

    Long lists are narrowed to names that share the first letters before the costly comparison, so that a hint in a
    campaign of 100,000 areas stays cheap.
    """
    return [name for _, name in _closest(given, known, most)]


def misspelt(given: object, known: Iterable[str]) -> str | None:
    """Return the one known name that a text is another spelling of, or None.

    Case, blanks, hyphens and underscores make no other name, nor do a few letters: none of three, one of up to five,
    two of up to eight, else three, in each word. Numbers are never misspelled: `wolf_2` is not `wolf_1`.
    """
    if not isinstance(given, str) or len(given) > _MAX_LENGTH:
        return None
    found = {name: slips for name in known if (slips := _slips(given, name)) is not None}
    least = [name for name, slips in found.items() if slips == min(found.values())]
    return least[0] if len({_plain(name) for name in least}) == 1 else None


_WORD = re.compile(r"[^\W\d_]+|\d+")
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")
_MAX_SLIPS = 3


def _slips(given: str, name: str) -> int | None:
    """Return how many letters two names differ in, or None if one is not a misspelling of the other."""
    if len(name) > _MAX_LENGTH:
        return None
    left, right = _plain(given), _plain(name)
    if "".join(left) == "".join(right):
        return 0 if left else None
    if len(left) != len(right):
        return None
    slips = [slip_of(one, other) for one, other in zip(left, right, strict=True)]
    total = sum(slip for slip in slips if slip is not None)
    return total if None not in slips and total <= _MAX_SLIPS else None


def _plain(text: str) -> tuple[str, ...]:
    """Return the words and numbers of a name."""
    return tuple(_WORD.findall(_HUMP.sub(" ", text).casefold()))


def slip_of(word: str, other: str) -> int | None:
    """Return in how many letters a word is another one misspelled, or None for what is another word or number."""
    if word == other:
        return 0
    if word.isdecimal() or other.isdecimal():
        return 0 if word.isdecimal() and other.isdecimal() and int(word) == int(other) else None
    longest = max(len(word), len(other))
    if len(word) == len(other) > 3 and _changed_places(word, other):
        return 1
    if word[:1] != other[:1] and longest <= 5:
        return None  # few letters are left: that is another name
    return edit_distance(word, other, 0 if longest <= 3 else 1 if longest <= 5 else 2 if longest <= 8 else _MAX_SLIPS)


def _changed_places(word: str, other: str) -> bool:
    """Return whether two letters that stand side by side have changed places, and nothing else."""
    at = next(place for place, pair in enumerate(zip(word, other, strict=True)) if pair[0] != pair[1])
    return word[at : at + 2][::-1] == other[at : at + 2] and word[at + 2 :] == other[at + 2 :]


def probable(given: object, known: Iterable[str]) -> str | None:
    """Return the known name that the caller probably meant; None when the given one resembles none."""
    return next((name for unlikeness, name in _closest(given, known, 1) if unlikeness <= -_ALIKE), None)


def alike(given: object, known: Iterable[str], most: int) -> list[str]:
    """Return up to `most` known names that resemble what was given, the most similar first; often none."""
    return [name for unlikeness, name in _closest(given, known, most) if unlikeness <= -_ALIKE]


def did_you_mean(given: object, known: Iterable[str]) -> str:
    """Return the end of a sentence that asks whether a known name was meant; empty when none probably was."""
    meant = probable(given, known)
    return f"; did you mean {meant}?" if meant else ""


def _closest(given: object, known: Iterable[str], most: int) -> tuple[tuple[float, str], ...]:
    """Return the most similar names, the first first; before each stands its likeness as a negative number."""
    text = given if isinstance(given, str) else ""
    names = sorted(set(known))
    if len(names) > 500:
        first = text[:1].lower()
        close = [name for name in names if name[:1].lower() == first and abs(len(name) - len(text)) <= 2]
        names = sorted(close, key=lambda name: (-_shared(text, name), name))[:500] or names[:500]
    return _ranked(text[:_MAX_LENGTH].lower(), tuple(names), most)


def _shared(left: str, right: str) -> int:
    return sum(a == b for a, b in zip(left, right, strict=False))


_MAX_LENGTH = 200
_COSTLY = 1024
"""Names whose lengths multiply to more are compared by how they begin and end alone."""
_BUDGET = 64_000
"""About how many pairs of letters one search compares."""


@lru_cache(maxsize=64)
def _ranked(text: str, names: tuple[str, ...], most: int) -> tuple[tuple[float, str], ...]:
    """Return what `_closest` does; names that cannot be among the most similar are not compared in full."""
    from difflib import SequenceMatcher  # only what fails needs it

    matcher = SequenceMatcher(autojunk=False)
    matcher.set_seq2(text)
    # A quick ratio is never lower than the true one.
    bounds = sorted((-_likeness(matcher, text, name, matcher.quick_ratio), name) for name in names)
    ranked: list[tuple[float, str]] = []
    budget = max(most, _BUDGET // (len(text) + 1) ** 2) if most else 0
    for bound, name in bounds[:budget]:
        if len(ranked) >= most and bound > ranked[most - 1][0]:
            break
        insort(ranked, (-_likeness(matcher, text, name, matcher.ratio), name))
    if len(ranked) < most:
        ranked += bounds[len(ranked) :]
    return tuple(ranked[:most])


def _likeness(matcher: SequenceMatcher[str], text: str, name: str, ratio: Callable[[], float]) -> float:
    """Return how alike two texts are from 0 to 1, by one of the matcher's ratios where that is not too costly."""
    name = name[:_MAX_LENGTH].lower()
    if len(text) * len(name) > _COSTLY:
        return _likeness_of_ends(text, name)
    matcher.set_seq1(name)
    return ratio()


def _likeness_of_ends(left: str, right: str) -> float:
    """Return how much of two texts is the same beginning and the same end, from 0 to 1."""
    start = _same_start(left, right)
    end = _same_start(left[start:][::-1], right[start:][::-1])
    return 2 * (start + end) / (len(left) + len(right))


def _same_start(left: str, right: str) -> int:
    """Return how many letters two texts begin with alike, by halving."""
    low, high = 0, min(len(left), len(right))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if left[low:middle] == right[low:middle] else (low, middle - 1)
    return low


_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_MAX_AMOUNT_LENGTH = 60
"""Letters: no amount is said in more."""
_MAX_DIGITS = 15
_MINUS = "\u2212-"
_TEENS = ("ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen")
_SMALL = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", *_TEENS)
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
NUMBERS = {word: value for value, word in enumerate(_SMALL)} | {word: 10 * ten for ten, word in enumerate(_TENS, 2)}
"""The numbers that are one word."""
_MORE = frozenset({*NUMBERS, "hundred", "thousand", "million", "dozen", "half", "point"})
"""Words that make another number of one before them."""


def number_in(given: object) -> int | float | None:
    """Return the number that was given, as such, as a text, in words or as the only one in a text; None for none."""
    if isinstance(given, str) and len(given) < 30:
        for kind in (int, float):
            with suppress(ValueError):
                return number_in(kind(given))
    if isinstance(given, str):
        return _number_said(given) if len(given) <= _MAX_AMOUNT_LENGTH else None
    if isinstance(given, bool) or not isinstance(given, (int, float)) or given != given:
        return None
    return given


_NUMERAL = rf"(?:{'|'.join(NUMBERS)})(?:[ -](?:{'|'.join(_SMALL[1:10])}))?"
_AMOUNT = re.compile(
    rf"(?:(?P<label>ac|dc|level|lvl):? )?(?P<sign>minus |negative |plus |[+{_MINUS}] ?)?"
    rf"(?:(?P<digits>\d++(?:\.\d*+)?|\.\d++)(?P<ordinal>st|nd|rd|th)?|(?P<words>{_NUMERAL}))(?P<units>(?: [a-z]+)*)"
)
_THOUSANDS = re.compile(r"[1-9]\d{0,2}\.\d{3}")
"""Numbers like `1.500`, which mean a thousand times as much where a dot groups digits."""


_NOTHING = frozenset({"", "-", "--", "n/a", "nil", "none", "null", "undefined"})


def says_nothing(text: str) -> bool:
    """Return whether a text is a word for nothing at all, or blank."""
    return text.strip().casefold() in _NOTHING


def number_alone(given: object, units: Collection[str] = ()) -> int | float | None:
    """Return the given number, as such or as a text that says nothing else; None for anything else.

    A text may name the sign before the number. Anything else (`half of 10`, `about 5`, `<5`, `five negative`,
    `2 minutes`) makes another amount of it, or may, and leaves no number.

    Args:
        given: the given value.
        units: words that may stand beside the number because amounts of this kind have no other; ordinals are levels.
    """
    if not isinstance(given, str):
        return number_in(given)
    text = " ".join(given.casefold().split()).rstrip(".,;:")
    found = _AMOUNT.fullmatch(text) if len(text) <= _MAX_AMOUNT_LENGTH else None
    if found is None or not set(found["units"].split()) <= set(units):
        return None
    if (found["label"] and found["label"] not in units) or (found["ordinal"] and "level" not in units):
        return None
    sign = -1 if (found["sign"] or "").strip() in ("minus", "negative", *_MINUS) else 1
    if (words := found["words"]) is not None:
        said = _number_in_words(words)
        return None if said is None else sign * said
    digits = found["digits"]
    if _THOUSANDS.fullmatch(digits) or any(len(part) > _MAX_DIGITS for part in digits.split(".")):
        return None
    return sign * (float(digits) if "." in digits else int(digits))


def _number_said(text: str) -> int | float | None:
    found = [*_NUMBER.finditer(text)]
    if not found:
        return _number_in_words(text)
    digits = found[0][0]
    if len(found) > 1 or any(len(part) > _MAX_DIGITS for part in digits.split(".")):
        return None
    sign = _sign_at_end(text[: found[0].start()])
    return sign and sign * (float(digits) if "." in digits else int(digits))


def _sign_at_end(text: str) -> int | None:
    """Return 1 or -1 for the sign that a text ends with; None for what may be one or not, as in `level-5`."""
    words = text.split()
    if text[-1:] in (".", ",") or not words:
        return None if words else 1
    if words[-1].lower() in ("minus", "negative"):
        return -1
    if words[-1][-1] not in f"+{_MINUS}":
        return 1
    before = text.rstrip()[-2:-1]
    if before.isalnum() or before in tuple(f"_+{_MINUS}"):
        return None
    return -1 if words[-1][-1] in _MINUS else 1


def _number_in_words(text: str) -> int | None:
    """Return the number that a text begins with, as `minus twenty-five hp` does."""
    said = text.strip().lower().replace("\u2212", "-")
    sign, *words = (("minus " + said[1:]) if said.startswith("-") else said).replace("-", " ").split() or [""]
    if sign not in ("minus", "negative", "plus"):
        sign, words = "", [sign, *words]
    value, ones = [*(NUMBERS.get(word.strip("+.,!;:")) for word in words[:2]), None, None][:2]
    if value is not None and value >= 20 and ones in range(1, 10):
        value, words = value + (ones or 0), words[1:]
    if value is None or not _MORE.isdisjoint(word.strip(".,!;:") for word in words[1:]):
        return None
    return -value if sign in ("minus", "negative") else value
