"""Death: "Mira dies", "the arrow kills you", told of somebody who lives on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from turnwright.suggest.claims._finding import SEVERITY, Finding, FindingKind, some_of
from turnwright.suggest.claims._reading import Reading
from turnwright.suggest.names import Mention

TOOLS = ("hp_delta", "execute_action", "update_character")
STATES = ("dying", "dead")
"""States after the turn that bear a death out: at 0 hit points a character is dying, whatever the text calls it."""


class DeathClaims:
    """Claims that a known character is dead or dying."""

    tools: tuple[str, ...] = TOOLS

    def read(self, reading: Reading) -> Iterator[Finding]:
        """Yield the deaths of this clause that the state after the turn denies."""
        for at, word in enumerate(reading.words):
            if not reading.lexicon.forms(word) or not reading.asserts(at):
                continue
            who, past = _fallen(reading, at)
            for mention in who:
                states = [person.state for person in reading.page.scene.people if person.id in mention.ids]
                if states and not any(state is None or state in STATES for state in states) and not mention.plural:
                    yield _finding(reading, mention, states, reading.span(min(at, _start(reading, mention, at)), past))


def _start(reading: Reading, mention: Mention, at: int) -> int:
    return mention.first if mention in reading.mentions else at


def _fallen(reading: Reading, at: int) -> tuple[Sequence[Mention], int]:
    """Return who dies by the verb at `at`, and where the claim ends."""
    if reading.is_verb("die", at) and not _is_figure(reading, at + 1, "die_tail"):
        return reading.subjects(at), at + 1
    if reading.is_verb("kill", at) and not reading.is_verb("be", at - 1) and not reading.is_command(at):
        who = reading.object_at(at + 1)
        return who, max((m.past for m in who), default=at + 1)
    if reading.is_verb("fall.dead", at):
        dead = at + 1
        while dead < len(reading.words) and reading.lexicon.is_adverb(reading.words[dead]):
            dead += 1
        if reading.has("dead", dead) and reading.asserts(dead) and not _is_figure(reading, dead + 1, "dead_tail"):
            return reading.subjects(at), dead + 1
    return (), at


def _is_figure(reading: Reading, at: int, tails: str) -> bool:
    """Whether what follows makes a figure of speech of it: "dead tired", "dies of laughter" but not "of her wounds"."""
    return reading.has(tails, at) and not any(reading.has("die_of_death", i) for i in range(at + 1, at + 4))


def _finding(reading: Reading, mention: Mention, states: Sequence[str | None], span: tuple[int, int]) -> Finding:
    kind = FindingKind.CONTRADICTION
    expected = {"character_id": some_of(mention.ids), "state": list(STATES)}
    actual = {"state": states[0] if len(states) == 1 else list(states)}
    return Finding(kind, reading.page.tool_among(*TOOLS), expected, actual, SEVERITY[kind], span)
