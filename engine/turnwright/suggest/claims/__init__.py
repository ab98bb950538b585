"""The kinds of claim a narration can make, one file each. `KINDS` has one line per kind."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Protocol

from turnwright.suggest.claims import attack, death, goods, hp, movement, outcome, roll, standing
from turnwright.suggest.claims._finding import Finding
from turnwright.suggest.claims._reading import Reading
from turnwright.suggest.claims.attack import AttackClaims
from turnwright.suggest.claims.death import DeathClaims
from turnwright.suggest.claims.decree import DecreeClaims
from turnwright.suggest.claims.fight import FightClaims
from turnwright.suggest.claims.goods import GoodsClaims
from turnwright.suggest.claims.hp import HpClaims
from turnwright.suggest.claims.map_growth import MapClaims
from turnwright.suggest.claims.movement import MoveClaims
from turnwright.suggest.claims.outcome import OutcomeClaims
from turnwright.suggest.claims.party import PartyClaims
from turnwright.suggest.claims.presence import PresenceClaims
from turnwright.suggest.claims.quest import QuestClaims
from turnwright.suggest.claims.rest import RestClaims
from turnwright.suggest.claims.roll import RollClaims
from turnwright.suggest.claims.standing import StandingClaims


class ClaimKind(Protocol):
    """One kind of claim: how it is worded, and when a turn bears it out."""

    name: str
    """What it is called, in documents and in counts; stable."""
    tools: tuple[str, ...]
    """The tools any of which can make such a claim true; empty when none can."""

    def read(self, reading: Reading) -> Iterator[Finding]:
        """Yield what is wrong with the claims of this kind in one clause."""
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
"""Every kind, in no particular order: findings are sorted by where they stand in the text."""
LOOSE: tuple[Callable[[Reading], Iterator[Finding]], ...] = (
    hp.loosely,
    standing.loosely,
    death.loosely,
    roll.loosely,
    outcome.loosely,
    attack.loosely,
    movement.loosely,
    goods.loosely,
)
"""The same claims told in whatever words: asked only of sentences in which no kind found anything.

They know neither verbs nor forms, but what is grounded: somebody, a place, a thing or a number that the turn knows, and
words of a class ("falls", "stays", "misses"). What they find is never an error.
"""
ASIDE: tuple[ClaimKind, ...] = (RollClaims(), StandingClaims())
"""The kinds that read what stands in brackets too."""
SPOKEN: tuple[ClaimKind, ...] = (GoodsClaims(), QuestClaims())
"""The kinds that read what the one who speaks says in quotation marks too."""
