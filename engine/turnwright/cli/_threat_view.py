"""How hard a fight would be, for a terminal: the monsters as words name them, and both measures as lines."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from turnwright.model.errors import BadRequest

_JOINS_OF_MONSTERS = re.compile(r"[,;&+]|\band\b", re.IGNORECASE)
_TIMES = ("x", "\u00d7")
_ARTICLES = ("a", "an", "the", "one")
_MAX_TEXT = 1000


def monsters_in(text: str) -> list[dict[str, Any]]:
    """Return the monsters that a list in words names, each with its number: "goblin x 3, an ogre and 2 wolves".

    Raises:
        BadRequest: when it names none, or a part of it has only a number.
    """
    if len(text) > _MAX_TEXT:
        raise BadRequest(f"the monsters are at most {_MAX_TEXT} characters")
    found = [_kind(part) for part in _JOINS_OF_MONSTERS.split(text) if part.strip()]
    if not found:
        raise BadRequest('name the monsters, such as "goblin x 3, ogre"')
    return found


def _kind(part: str) -> dict[str, Any]:
    words, count = part.split(), 1
    first, last = words[0].casefold(), words[-1].casefold()
    if _number(first) is not None:
        count, words = _number(first) or 0, words[1:]
        words = words[1:] if words and words[0].casefold() in _TIMES else words
    elif first in _ARTICLES and len(words) > 1:
        words = words[1:]
    elif _number(last) is not None and (last[:1] in _TIMES or (len(words) > 2 and words[-2].casefold() in _TIMES)):
        count, words = _number(last) or 0, words[: -1 if last[:1] in _TIMES else -2]
    if not words:
        raise BadRequest(f"{part.strip()}: names no monster")
    return {"monster": " ".join(words), "count": count}


def _number(word: str) -> int | None:
    """Return a number of up to four digits, as in `3`, `3x` and `x3`; None for other words."""
    digits = word.strip("".join(_TIMES))
    return int(digits) if digits.isascii() and digits.isdecimal() and len(digits) <= 4 else None


def threat_lines(threat: Mapping[str, Any]) -> Iterator[str]:
    """Yield a threat check as lines for people."""
    rules, played = threat["by_rules"], threat["by_simulation"]
    yield ", ".join(f"{row['count']} x {row['name']} (CR {_rating(row['cr'])})" for row in threat["monsters"])
    yield "against " + ", ".join(
        f"{row['name']} (level {row['level']}, {row['hp']}/{row['max_hp']} hp)" for row in threat["party"]
    )
    yield ""
    verdict = "no more than" if rules["verdict"] == "within" else "more than"
    yield (
        f"By the rules: {rules['xp']} XP, {rules['percent']} % of {rules['party_xp']}, {verdict} such a party, rested, "
        "should defeat without a death (SRD 5.1, Challenge: a monster of a rating is for four of that level)."
    )
    if rules["above_level"]:
        yield f"Rated above the level of everybody: {', '.join(rules['above_level'])}."
    yield ""
    rounds = f"{played['mean_rounds']} rounds at the mean ({played['least_rounds']} to {played['most_rounds']})"
    yield (
        f"By {played['runs']} simulations (seed {played['seed']}): {rounds}; the party wins "
        f"{played['party_wins_percent']} %, somebody falls in {played['somebody_falls_percent']} %, somebody dies in "
        f"{played['somebody_dies_percent']} %."
    )
    if played["undecided_percent"]:
        yield f"{played['undecided_percent']} % were left undecided."
    falls = [f"{row['name']} {row['falls_percent']} %" for row in threat["party"] if row["falls_percent"]]
    yield f"Who falls: {', '.join(falls) or 'nobody'}."
    yield ""
    yield f"How it is played: {played['plays']}."


_FRACTIONS = {0.125: "1/8", 0.25: "1/4", 0.5: "1/2"}


def _rating(cr: float) -> str:
    return _FRACTIONS.get(cr) or f"{cr:g}"
