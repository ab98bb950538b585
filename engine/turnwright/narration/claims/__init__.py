"""The kinds of claim a narration can make, one file each. `KINDS` has one line per kind."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Protocol

from turnwright.narration.claims import attack, death, hp, movement, outcome, roll
from turnwright.narration.claims import hp_total as standing
from turnwright.narration.claims import items as goods
from turnwright.narration.claims._clause_reader import ClauseView
from turnwright.narration.claims._finding import Finding
from turnwright.narration.claims.attack import AttackClaims
from turnwright.narration.claims.counters import CounterClaims
from turnwright.narration.claims.death import DeathClaims
from turnwright.narration.claims.fight import FightClaims
from turnwright.narration.claims.hp import HpClaims
from turnwright.narration.claims.hp_total import StandingClaims
from turnwright.narration.claims.items import GoodsClaims
from turnwright.narration.claims.map_growth import MapClaims
from turnwright.narration.claims.movement import MoveClaims
from turnwright.narration.claims.outcome import OutcomeClaims
from turnwright.narration.claims.overrides import DecreeClaims
from turnwright.narration.claims.party import PartyClaims
from turnwright.narration.claims.presence import PresenceClaims
from turnwright.narration.claims.quest import QuestClaims
from turnwright.narration.claims.rest import RestClaims
from turnwright.narration.claims.roll import RollClaims


class ClaimKind(Protocol):
    """One kind of claim: how it is worded, and when a turn bears it out."""

    name: str
    """Its name, in documents and in counts; stable."""

    def read(self, reading: ClauseView) -> Iterator[Finding]:
        """Yield the wrong claims of this kind in one clause."""
        ...


DECREE = DecreeClaims()
KINDS: tuple[ClaimKind, ...] = (
    HpClaims(),
    GoodsClaims(),
    MoveClaims(),
    DeathClaims(),
    MapClaims(),
    RollClaims(),
    OutcomeClaims(),
    AttackClaims(),
    QuestClaims(),
    PartyClaims(),
    RestClaims(),
    FightClaims(),
    PresenceClaims(),
    StandingClaims(),
    DECREE,
)
"""Every kind, in no particular order: findings are sorted by their place in the text."""
LOOSE: tuple[Callable[[ClauseView], Iterator[Finding]], ...] = (
    hp.loosely,
    standing.loosely,
    death.loosely,
    roll.loosely,
    outcome.loosely,
    attack.loosely,
    movement.loosely,
    goods.loosely,
)
"""The same claims in free wording: tried only on sentences in which no kind found anything.

They match no verbs or forms, but known entities: a person, place, thing or number that the turn knows, and
words of a class ("falls", "stays", "misses"). Their findings are never errors.
"""
COUNTER: ClaimKind = CounterClaims()
"""The kind that is read where a ruleset of the campaign keeps counters."""
ASIDE: tuple[ClaimKind, ...] = (RollClaims(), StandingClaims())
"""The kinds that also read text in brackets."""
SPOKEN: tuple[ClaimKind, ...] = (GoodsClaims(), QuestClaims())
"""The kinds that also read the speaker's own words in quotation marks."""
