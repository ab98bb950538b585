"""Die results: "you rolled 23", "the die shows 17" when nothing drawn says so."""

from __future__ import annotations

from collections.abc import Iterator

from turnwright.suggest.claims._finding import SEVERITY, Finding, FindingKind
from turnwright.suggest.claims._reading import Reading

_REACH = 5
_SHOWN = 20
"""How many of the values drawn a finding lists."""


class RollClaims:
    """Stated results of dice."""

    tools: tuple[str, ...] = ()

    def read(self, reading: Reading) -> Iterator[Finding]:
        """Yield the results this clause states that no draw and no total was."""
        is_rule = any(reading.has("roll_needed", i) for i in range(len(reading.words)))
        stated: set[int] = set()
        for at in range(len(reading.words)):
            if is_rule and not _is_own_roll(reading, at):
                continue
            number = _result(reading, at) if reading.asserts(at) else None
            while number is not None:
                if number not in stated:
                    stated.add(number)
                    yield from _judge(reading, at, number)
                number = _number_after(reading, number + 2, "roll_fillers") if reading.has("and", number + 1) else None


def _judge(reading: Reading, at: int, number: int) -> Iterator[Finding]:
    value = reading.lexicon.number(reading.words[number])
    if value is not None and value not in reading.page.rolled:
        kind = FindingKind.INVENTED_ROLL
        faces = {"faces": list((reading.page.scene.faces or sorted(reading.page.rolled))[:_SHOWN])}
        yield Finding(kind, None, {"face": value}, faces, SEVERITY[kind], reading.span(at, number + 1))


def _result(reading: Reading, at: int) -> int | None:
    """Return where the number stands that the words from `at` on give as a result, or None."""
    if reading.is_verb("roll", at) and not reading.is_command(at):
        return _number_after(reading, at + 1, "roll_fillers")
    if reading.has("dice", at) and (reading.has("roll_verbs", at + 1) or _colon(reading, at + 1)):
        return _number_after(reading, at + 2, "roll_gap")
    if _is_check(reading, at) and (reading.has("comes", at + 1) or _heads(reading, at)):
        return _number_after(reading, at + 2, "roll_gap")
    if reading.has("got", at):
        number = _number_after(reading, at + 1, "roll_fillers")
        return number if number and (_speaks_of_dice(reading) or _is_on_check(reading, number + 1)) else None
    if reading.has("natural", at) and len(reading.words) <= _REACH and reading.is_end(at + 2):
        return _number_after(reading, at + 1, "roll_fillers")
    return None


def _is_check(reading: Reading, at: int) -> bool:
    """Whether "perception check" ends at `at`: not its difficulty, and no passive one, for which nobody rolls."""
    if not (reading.has("roll_checks", at - 1) and reading.has("checks", at)):
        return False
    return not any(reading.has("roll_fixed", i) for i in range(at))


def _heads(reading: Reading, at: int) -> bool:
    """Whether the check that ends at `at` is the heading of what it came to: "Stealth check: 17"."""
    return _colon(reading, at + 1) and not any(reading.lexicon.forms(word) for word in reading.words[: at - 1])


def _is_on_check(reading: Reading, at: int) -> bool:
    """Whether "on the stealth check" begins at `at`: no passive one, for which nobody rolls."""
    named = range(at + 1, min(at + 1 + _REACH, len(reading.words)))
    past = next((i for i in named if reading.has("checks", i)), at)
    return reading.has("on_for", at) and past > at and not any(reading.has("roll_fixed", i) for i in range(at, past))


def _is_own_roll(reading: Reading, at: int) -> bool:
    """Whether a roll that was made is meant: "your roll of 17 beats the lock", not "a roll of 17"."""
    return reading.has("dice", at) and any(m.owner and reading.noun_after(m) == at for m in reading.mentions)


def _speaks_of_dice(reading: Reading) -> bool:
    return reading.page.said_in(reading.clause.sentence, "dice")


def _colon(reading: Reading, at: int) -> bool:
    return at < len(reading.words) and reading.words[at].norm in (":", "=")


def _number_after(reading: Reading, at: int, fillers: str) -> int | None:
    end = min(at + _REACH, len(reading.words))
    found = next((i for i in range(at, end) if not (reading.has(fillers, i) or _colon(reading, i))), end)
    if found >= end or reading.lexicon.number(reading.words[found]) is None:
        return None
    return found if _closes(reading, found + 1) else None


def _closes(reading: Reading, at: int) -> bool:
    """Whether a number that ends here is a result: not "20 feet", "3 dice" or "5 to 6"."""
    if reading.has("infinitive", at):
        return reading.has("hit_verb", at + 1)
    return reading.is_end(at) or reading.has("roll_after", at)
