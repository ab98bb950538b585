"""Which of the known names somebody probably meant: for hints and for "did you mean"."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from difflib import SequenceMatcher

MOST = 20
"""How many values a hint lists at the most."""


def nearest(given: object, known: Iterable[str], most: int = MOST) -> list[str]:
    """Return up to `most` known names, the most similar to `given` first, equally similar ones sorted.

    Long lists are narrowed to names that share the first letters before the costly comparison, so that a hint in a
    campaign of 100,000 areas stays cheap.
    """
    from difflib import SequenceMatcher  # only what fails needs it

    text = given if isinstance(given, str) else ""
    names = sorted(set(known))
    if len(names) > 500:
        close = [name for name in names if name[:1] == text[:1] and abs(len(name) - len(text)) <= 2]
        names = sorted(close, key=lambda name: (-_shared(text, name), name))[:500] or names[:500]
    matcher = SequenceMatcher(autojunk=False)
    matcher.set_seq2(text[:200].lower())
    return sorted(names, key=lambda name: (-_likeness(matcher, name), name))[:most]


def _shared(left: str, right: str) -> int:
    return sum(a == b for a, b in zip(left, right, strict=False))


def _likeness(matcher: SequenceMatcher[str], name: str) -> float:
    matcher.set_seq1(name[:200].lower())
    return matcher.ratio()


def nearest_int(given: object, low: int, high: int) -> int:
    """Return the integer within the bounds that lies nearest to what was given; `low` for what is no number."""
    if isinstance(given, str) and len(given) < 30:
        try:
            given = int(given)
        except ValueError:
            return 0 if low <= 0 <= high else low
    if isinstance(given, bool) or not isinstance(given, (int, float)) or given != given:
        return 0 if low <= 0 <= high else low
    return int(min(max(given, low), high))
