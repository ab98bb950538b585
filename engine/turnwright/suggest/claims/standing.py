"""How somebody stands: "Mira has 5 hit points left", "you are at 3 HP", held against the hit points they have."""

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
                totals = {deed.total for deed in reading.page.of_kind(DeedKind.HP) if deed.who in mention.ids}
                if not people or mention.plural or number in totals | {person.hp for person in people}:
                    continue
                if any(person.hp is None for person in people):
                    continue
                kind = FindingKind.CONTRADICTION
                expected = {"character_id": some_of(mention.ids), "hp": number}
                yield Finding(kind, None, expected, {"hp": people[0].hp}, SEVERITY[kind], reading.span(at, past))


def _stated(reading: Reading, at: int) -> tuple[int, int] | None:
    """Return the number that the verb at `at` says somebody has, and where the words end."""
    start = at + 1
    if reading.is_verb("statement.be", at):
        place = next((i for i in range(at + 1, at + 1 + _REACH) if reading.has("state_at", i)), None)
        if place is None:
            return None
        start = place + 1
    elif not reading.is_verb("statement.have", at):
        return None
    while start < len(reading.words) and reading.lexicon.is_adverb(reading.words[start]):
        start += 1
    number = reading.lexicon.number(reading.words[start]) if start < len(reading.words) else None
    past = unit_past(reading, start + 1, "hp_units") if number is not None else None
    if number is None or past is None or reading.has("of", past):
        return None
    has = reading.is_verb("statement.have", at)
    return (number, past) if not has or reading.is_end(past) or reading.has("state_left", past) else None
