"""How somebody stands: "Mira has 5 hit points left", "you are down to 3 HP", held against the hit points they have."""

from __future__ import annotations

from collections.abc import Iterator

from turnwright.suggest.claims._finding import SEVERITY, Finding, FindingKind, some_of
from turnwright.suggest.claims._quantity import unit_past
from turnwright.suggest.claims._reading import Reading
from turnwright.suggest.scene import DeedKind

_REACH = 3


class StandingClaims:
    """Claims of how many hit points somebody has."""

    tools: tuple[str, ...] = ()

    def read(self, reading: Reading) -> Iterator[Finding]:
        """Yield the numbers of this clause that nobody has and had at no time in the turn."""
        for at, word in enumerate(reading.words):
            if not reading.lexicon.forms(word) or not reading.asserts(at):
                continue
            stated = _stated(reading, at)
            if stated is None:
                continue
            number, past = stated
            for mention in reading.subjects(at):
                people = [p for p in reading.page.scene.people if p.id in mention.ids]
                deeds = [deed for deed in reading.page.of_kind(DeedKind.HP) if deed.who in mention.ids]
                totals = {deed.total for deed in deeds}
                if "past" in reading.lexicon.forms(word):  # what they had when the turn began
                    totals |= {deed.total - (deed.delta or 0) for deed in deeds if deed.total is not None}
                if not people or mention.plural or number in totals | {person.hp for person in people}:
                    continue
                if any(person.hp is None for person in people):
                    continue
                kind = FindingKind.CONTRADICTION
                expected = {"character_id": some_of(mention.ids), "hp": number}
                yield Finding(kind, None, expected, {"hp": people[0].hp}, SEVERITY[kind], reading.span(at, past))


def _stated(reading: Reading, at: int) -> tuple[int, int] | None:
    """Return the number that the verb at `at` says somebody has, and where the words end."""
    start, has = at + 1, reading.is_verb("statement.have", at)
    if reading.is_verb("statement.be", at):
        near = range(at + 1, min(at + 1 + _REACH, len(reading.words)))
        lengths = ((i, reading.lexicon.phrases["state_at"].length_at(reading.words, i)) for i in near)
        start = next((i + length for i, length in lengths if length), len(reading.words))
    elif not has:
        return None
    while start < len(reading.words) and reading.lexicon.is_adverb(reading.words[start]):
        start += 1
    number = _number_at(reading, start)
    most = start + 2 if reading.has("state_of", start + 1) else start  # "7/16 HP", "7 of 16 HP"
    past = unit_past(reading, most + 1, "hp_units") if _number_at(reading, most) is not None else None
    # "3 HP from the top" are lost, not left.
    if number is None or past is None or reading.has("of", past) or reading.has("from", past):
        return None
    ends = reading.is_end(past) or reading.has("state_left", past) or (not has and reading.has("unit_tail", past))
    return (number, past) if ends else None


def _number_at(reading: Reading, at: int) -> int | None:
    return reading.lexicon.number(reading.words[at]) if at < len(reading.words) else None
