"""Which of the known names somebody probably meant: for hints and for "did you mean"."""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Collection, Iterable
from contextlib import suppress
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from difflib import SequenceMatcher

MOST = 20
"""How many values a hint lists at the most."""
_ALIKE = 0.7
"""How alike a name must be for somebody to have meant it: a slip or two in a word, and no other word."""


def nearest(given: object, known: Iterable[str], most: int = MOST) -> list[str]:
    """Return up to `most` known names, the most similar to `given` first, equally similar ones sorted.

    Long lists are narrowed to names that share the first letters before the costly comparison, so that a hint in a
    campaign of 100,000 areas stays cheap.
    """
    return [name for _, name in _closest(given, known, most)]


def nearest_id(given: object, known: Iterable[str], called: Collection[str]) -> list[str]:
    """Return known ids, best first: what is called as was given, then the most similar ids.

    Args:
        given: an id, misspelt perhaps, or a name in its place.
        known: the ids that would do.
        called: the ids of all that has exactly this name. Where they are none of the known, none would do: the most
            similar id is somebody else's.
    """
    ids = list(known)
    meant = [identifier for identifier in ids if identifier in called]
    if called and not meant:
        return []
    return [*meant, *nearest(given, (identifier for identifier in ids if identifier not in called))]


def probable(given: object, known: Iterable[str]) -> str | None:
    """Return the known name that somebody probably meant; None when what was given resembles none."""
    return next((name for unlikeness, name in _closest(given, known, 1) if unlikeness <= -_ALIKE), None)


def did_you_mean(given: object, known: Iterable[str]) -> str:
    """Return the end of a sentence that asks whether a known name was meant; empty when none probably was."""
    meant = probable(given, known)
    return f"; did you mean {meant}?" if meant else ""


def _closest(given: object, known: Iterable[str], most: int) -> tuple[tuple[float, str], ...]:
    """Return the most similar names, the first first; before each stands its likeness as a negative number."""
    text = given if isinstance(given, str) else ""
    names = sorted(set(known))
    if len(names) > 500:
        close = [name for name in names if name[:1] == text[:1] and abs(len(name) - len(text)) <= 2]
        names = sorted(close, key=lambda name: (-_shared(text, name), name))[:500] or names[:500]
    return _ranked(text[:_LONGEST].lower(), tuple(names), most)


def _shared(left: str, right: str) -> int:
    return sum(a == b for a, b in zip(left, right, strict=False))


_LONGEST = 200
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
    name = name[:_LONGEST].lower()
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


def number_in(given: object) -> int | float | None:
    """Return the number that was given, as such or as a text; None for what is no number."""
    if isinstance(given, str) and len(given) < 30:
        for kind in (int, float):
            with suppress(ValueError):
                return number_in(kind(given))
    if isinstance(given, bool) or not isinstance(given, (int, float)) or given != given:
        return None
    return given


def nearest_number(given: object, low: int, high: int) -> int | float:
    """Return the number within the bounds that lies nearest to what was given; to 0 for what is no number."""
    return min(max(number_in(given) or 0, low), high)


def nearest_int(given: object, low: int, high: int) -> int:
    """Return what `nearest_number` does, cut to an integer."""
    return int(nearest_number(given, low, high))
