"""What a narration is compared with: how pools fell, and how much momentum everybody has."""

from __future__ import annotations

from collections.abc import Iterator

from turnwright.rulesets.api import CallOutcome, Counter, Effect, EffectKind, Evidence, EvidenceContext
from turnwright_minimal.momentum import Momentum


def _pool_roll(call: CallOutcome) -> Iterator[Effect]:
    successes = call.result.get("successes")
    if call.applied and isinstance(successes, int):
        who, shown = call.text("character_id"), {"successes": successes}
        yield Effect(EffectKind.CHECK, tool=call.tool, who=who, success=successes > 0, total=successes, shown=shown)


EFFECTS = {"pool_roll": _pool_roll}


def evidence(turn: EvidenceContext) -> Evidence:
    """Return the momentum that everybody has after the turn, and had before it."""
    counters = []
    for momentum in turn.world.all(Momentum):
        earlier = turn.before.find(Momentum, momentum.id)
        was = earlier.amount if earlier is not None else 0
        counters.append(Counter(("momentum",), momentum.id, momentum.amount, was))
    return Evidence(counters=tuple(counters))
