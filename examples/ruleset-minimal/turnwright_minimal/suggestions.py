"""What is suggested for a message: to spend momentum, when a player who has some speaks of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from turnwright.rulesets.api import (
    AgentKind,
    Hit,
    Resolved,
    Rule,
    RuleContext,
    Snapshot,
    SnapshotContext,
    SuggestionRows,
)
from turnwright_minimal.momentum import Momentum


def fill(seen: Snapshot, ctx: SnapshotContext) -> Snapshot:
    """Add how much momentum the acting character has."""
    momentum = ctx.world.find(Momentum, ctx.actor.id) if ctx.actor is not None else None
    return replace(seen, fields={**seen.fields, "momentum": momentum.amount if momentum is not None else 0})


class SpendMomentum(Rule):
    """The player speaks of their momentum, and has some."""

    id = "minimal_spend"
    agents = frozenset({AgentKind.NARRATIVE})
    reads_text = False  # a language pack has no words for it
    intents = ("minimal.spend",)

    def evaluate(self, look: RuleContext) -> Iterable[Hit]:
        """Read the word itself, in what the player commits to."""
        said = any("momentum" in clause.words for clause in look.message.committed(spoken=False, done=False))
        if said and look.snapshot.fields.get("momentum"):
            yield Hit("minimal.spend", 0.9, "the player speaks of momentum, and has some")


def _spend(_hit: Hit, seen: Snapshot) -> Resolved:
    if seen.actor.id is None:
        return Resolved(None, cause="no_actor")
    return Resolved("spend_momentum", {"character_id": seen.actor.id})


SUGGESTIONS = SuggestionRows(
    rules=(SpendMomentum(),),
    intents={"minimal.spend": ("spend_momentum",)},
    arguments={"spend_momentum": _spend},
)
