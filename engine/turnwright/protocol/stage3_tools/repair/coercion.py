"""Interpret a text given in place of another type: a number, dice, a boolean, a side.

Only equivalent values are suggested: a text that says more than a value can hold gets none. Source:
docs/stages/3-tools.md, "Hints".
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from typing import Any

from turnwright.model.fuzzy_match import NUMBERS, number_alone
from turnwright.model.json_types import JsonObject
from turnwright.protocol.stage3_tools.normalize import snake

NUMERIC = frozenset({"integer", "number"})
_YES = frozenset({"1", "enabled", "on", "t", "true", "y", "yeah", "yep", "yes"})
_NO = frozenset({"0", "disabled", "f", "false", "n", "never", "no", "nope", "off"})
_MAX_COUNT = 10**15 - 1
"""The largest number that is read as a signed change or as dice."""
_SIGN_FIRST = "^[+-]"
"""How the patterns of numbers begin that are told from others by their sign."""

# yes or no, and numbers


def yes_or_no(got: Any) -> bool | None:
    """Return what was given for true or false, where it says one of them."""
    if isinstance(got, str):
        word = got.strip().strip(".,;:!\"'").casefold()
        return True if word in _YES else False if word in _NO else None
    return bool(got) if type(got) in (int, float) and got in (0, 1) else None


_OF_HIT_POINTS = frozenset({"hit", "hp", "point", "points", "pts"})
_OF_LENGTHS = frozenset({"feet", "foot", "ft"})
_UNITS: Mapping[str, Collection[str]] = {
    **dict.fromkeys(("damage", "delta", "healing", "hp"), _OF_HIT_POINTS),
    **dict.fromkeys(("distance", "height", "length", "movement", "radius", "range", "reach"), _OF_LENGTHS),
    **dict.fromkeys(("speed", "width"), _OF_LENGTHS),
    **dict.fromkeys(("blindsight", "darkvision", "tremorsense", "truesight"), _OF_LENGTHS),
    **dict.fromkeys(("level", "slot"), ("level", "lvl")),
    **dict.fromkeys(("price", "value"), ("gp",)),
    "ac": ("ac",),
    "dc": ("dc",),
}
"""The units that amounts under a key with such a word have anyway."""
_COUNTED = frozenset({"grid", "multiplier"})
"""Words of keys whose amounts have no unit."""


def units_of(key: str) -> frozenset[str]:
    """Return the units that say no more than the key of an amount does."""
    words = snake(key).split("_")
    return frozenset() if _COUNTED.intersection(words) else frozenset().union(*(_UNITS.get(word, ()) for word in words))


def number_of_kind(kind: str, got: Any, units: Collection[str] = ()) -> int | float | None:
    """Return the number that a text or a value of another number type states; never a different number.

    Args:
        kind: of number that is expected.
        got: what was given.
        units: words that may stand beside it, as for `number_alone`.
    """
    number = number_alone(got, units)
    if number is None or kind == "number":
        return number
    return int(number) if number == int(number) else None


def signed(pattern: str, got: Any) -> str | None:
    """Return the whole number in a text with its sign, where that is what a pattern wants: a change of hit points."""
    number = number_alone(got, _OF_HIT_POINTS)
    if type(number) is not int or abs(number) > _MAX_COUNT or not pattern.startswith(_SIGN_FIRST):
        return None
    is_told = number < 0 or (isinstance(got, str) and got.strip().startswith(("+", "plus ")))
    return f"{number:+d}" if is_told else None


_LOSSES = frozenset({"damage", "dmg", "harm", "loss", "lose", "wound"})
_GAINS = frozenset({"cure", "gain", "heal", "healing", "restore"})
_AMOUNTS = frozenset({"amount", "hit", "hp", "number", "points", "quantity", "value"})


def signs_meant(words: Collection[str], got: Any) -> list[int]:
    """Return the changes that a whole number may mean under a key of these words; never applied unasked."""
    number = number_of_kind("integer", got, _OF_HIT_POINTS)
    if type(number) is not int or not number:
        return []
    if number > 0 and _AMOUNTS.issuperset(words):
        return [-number, number]
    is_loss = not _LOSSES.isdisjoint(words)
    return [-abs(number) if is_loss else number] if is_loss or not _GAINS.isdisjoint(words) else []


# whose side

_ENEMIES = frozenset(
    {"adversary", "enemies", "enemy", "evil", "foe", "foes", "hostile", "monster", "monsters", "opponent"}
)
_FRIENDS = frozenset(
    {"allied", "allies", "ally", "friend", "friendly", "good", "hero", "heroes", "party", "pc", "player", "players"}
)
_OF_ENEMIES = frozenset({"enemy", "foe", "hostile", "is_foe", "is_hostile", "is_monster", "monster", "opponent"})
"""Keys under which true means an enemy."""
_OF_FRIENDS = frozenset({"ally", "friend", "friendly", "is_ally", "is_friend", "is_friendly", "is_player", "player"})
_OF_KINDS = frozenset({"kind", "role", "type"})
"""Keys that tell the side where they hold a word for one."""
_OF_SIDES = frozenset(
    {"affiliation", "alignment", "allegiance", "attitude", "camp", "disposition", "faction", "group", "side", "team"}
)
"""Keys under which a word tells the side."""


def enemy_by(key: str, value: Any) -> bool | None:
    """Return whether a key for a creature's side marks it as an enemy; None if it does not say."""
    told = yes_or_no(value)
    if isinstance(value, bool):
        told = value
    if key in _OF_ENEMIES and told is not None:
        return told
    if key in _OF_FRIENDS and told is not None:
        return not told
    if key not in _OF_SIDES | _OF_KINDS | _OF_ENEMIES | _OF_FRIENDS or not isinstance(value, str):
        return None
    word = value.strip().casefold()
    return True if word in _ENEMIES else False if word in _FRIENDS else None


def tells_side(key: str, value: Any) -> bool:
    """Return whether a key states a side."""
    return key in _OF_SIDES | _OF_ENEMIES | _OF_FRIENDS or (key in _OF_KINDS and enemy_by(key, value) is not None)


# dice

_MAX_DICE_LENGTH = 200
_WORDS = {"advantage": "adv", "and": "+", "disadvantage": "dis", "minus": "-", "plus": "+", "times": "*", "x": "*"}
_IDLE = frozenset({"a", "an", "roll", "/r", "/roll", "with"})
_KINDS = frozenset(
    {
        *("acid", "bludgeoning", "cold", "fire", "force", "lightning", "necrotic", "piercing", "poison", "psychic"),
        *("radiant", "slashing", "thunder"),
    }
)
"""Words behind dice that say what their damage is of, and throw nothing else."""
_DROP = re.compile(r"\b(drop|keep)(?:ping|s)? (?:the )?(lowest|highest|worst|best|low|high)(?: (\d+|one|two|three))?\b")
_DIALECT = re.compile(r"(?<=d)(?P<sides>\d+|%)\s*(?P<what>[dk])(?P<count>\d+)\b")
_OF_ONE_TERM = re.compile(r"[\s(](?:dis)?adv\w*|\A(?:dis)?adv\w*|\bdis\b|[\s(](?:drop|keep|[kd][hl])\w*")
_TERM = re.compile(r"d(?:\d+|%|f\b)")
_LABEL = re.compile(r"\[([a-z ]*)\]")
_AROUND = re.compile(r"\A(?:\[\[(?P<inline>[^\[\]]*)\]\]|roll\((?P<call>[^()]*)\))\Z")
_D20 = re.compile(r"(?<![\dd%!])1?d20(?![\d!])")


class Dice:
    """A dice expression in another dialect: its equivalent in this one, and its damage type."""

    def __init__(self, got: Any) -> None:
        """Read what was given; `text` is None where no notation throws the same."""
        self.kinds: set[str] = set()
        self.text = self._read(got)

    def _read(self, got: Any) -> str | None:
        if type(got) is int:
            return _notation(str(got)) if abs(got) <= _MAX_COUNT else None
        if not isinstance(got, str) or len(got) > _MAX_DICE_LENGTH:
            return None
        text = got.split("#")[0].strip().strip("\"'`").casefold().translate(_LETTERS)
        if around := _AROUND.match(text):
            text = around["inline"] or around["call"] or ""
        text = _LABEL.sub(self._label, re.sub(r"(?<![a-z])w(?=\d)", "d", text))
        text = text[1:] if text.startswith("(") and ")" not in text else text
        if not _tells_which(text):
            return None
        text = _DROP.sub(_dropped, text)
        words = [_WORDS.get(word, word) for word in self._kept(re.sub(r"\((adv\w*|disadv\w*)\)", r"\1", text).split())]
        text = " ".join(str(NUMBERS.get(word, word)) for word in words)
        text = re.sub(r"\b(\d+) d(?=\d)", r"\1d", text)
        text = re.sub(r"(\d) (kh|kl|dh|dl)", r"\1\2", text)
        text = _DIALECT.sub(_in_notation, text)
        return _notation(_with_mode(text))

    def _label(self, found: re.Match[str]) -> str:
        self.kinds |= set(found[1].split()) or {"?"}
        return " "

    def _kept(self, words: Iterable[str]) -> Iterable[str]:
        for word in words:
            plain = word.strip(",.;:")
            if plain in _KINDS or plain == "damage":
                self.kinds |= {plain} - {"damage"}
            elif plain not in _IDLE:
                yield plain


_LETTERS = str.maketrans({"\u2212": "-", "\u2013": "-", "\u00d7": "*", "\u00f7": "/"})


def _tells_which(text: str) -> bool:
    """Return whether each word for advantage, or for dice that count, is of one term of dice and of no other.

    `1d20+1d4 with advantage` may throw either twice, or both.
    """
    *pieces, rest = _OF_ONE_TERM.split(text)
    terms = [len(_TERM.findall(piece)) for piece in pieces]
    alone = len(terms) == 1 and terms[0] + len(_TERM.findall(rest)) == 1
    return alone or all(count == 1 for count in terms)


def _dropped(found: re.Match[str]) -> str:
    what, which, count = found[1], found[2], found[3] or "1"
    end = "l" if which in ("lowest", "worst", "low") else "h"
    return f"{what[0]}{end}{NUMBERS.get(count, count)}"


def _in_notation(found: re.Match[str]) -> str:
    """Return `4d6d1` and `4d6k3` as they are written here: lowest dropped, highest kept."""
    return f"{found['sides']}{'dl' if found['what'] == 'd' else 'kh'}{found['count']}"


def _with_mode(text: str) -> str:
    """Return dice with advantage said behind them as one die with advantage, where there is only one d20 to have it."""
    words = text.split()
    modes = [word for word in words if word in ("adv", "dis")]
    if not modes:
        return text
    rest = " ".join(word for word in words if word not in ("adv", "dis"))
    is_one = len(modes) == 1 and len(_D20.findall(rest)) == 1 and rest.count("d") == 1
    return _D20.sub(f"1d20{modes[0]}", rest) if is_one else text


def _notation(text: str) -> str | None:
    """Return a text as dice notation where it is one."""
    from turnwright.model.dice.expression import DiceError, parse, render  # only what fails needs it

    with suppress(DiceError):
        return render(parse(text))
    return None


def dice_meant(got: Any, beside: JsonObject, key: str) -> str | None:
    """Return the equivalent notation for the given value, if nothing is lost.

    Args:
        got: what was given.
        beside: the other arguments; a kind of damage in the expression must be the one that they name.
        key: the argument that holds the expression.
    """
    read = Dice(got)
    of_damage = "damage" in key or "damage_type" in beside
    if read.kinds and of_damage and read.kinds != {beside.get("damage_type")}:
        return None
    return read.text
