"""Facts for the check of narrations, with the effects that the tools' readers find in their calls."""

from __future__ import annotations

from dataclasses import replace

from turnwright.model.wire.shapes import Finding
from turnwright.narration import verifier
from turnwright.narration.facts import Facts
from turnwright.protocol.stage4_conflicts.evidence import effects_of
from turnwright.rulesets.registry import BUILT_IN


def with_effects(facts: Facts) -> Facts:
    """Return facts with what their calls amount to, and the tools that can make claims true."""
    return replace(facts, effects=tuple(effects_of(facts.outcomes, BUILT_IN)), tools=BUILT_IN.claims)


def findings(text: str, facts: Facts, language: str = "en") -> list[Finding]:
    """Return what in a text a turn does not bear out."""
    return verifier.findings(text, with_effects(facts), language)
