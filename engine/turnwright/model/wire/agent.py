"""The agents that speak for the game master, and those that only advise: one enumeration for rules, records and
prompts.

Source: docs/agents.md, "The agents".
"""

from __future__ import annotations

from enum import StrEnum


class AgentKind(StrEnum):
    """Kinds of agents. The last two advise and never speak."""

    NARRATIVE = "narrative"
    """Narrates the world, and plays every character without another player."""
    COMBAT = "combat"
    """Runs an encounter."""
    NPC_INDIVIDUAL = "npc_individual"
    """Is one major character, with a memory of its own."""
    NPC_PUPPETEER = "npc_puppeteer"
    """Lends its voice to any minor character, one at a time."""
    SUMMARIZER = "summarizer"
    """Tells in short what one side of a fight has to know of the other."""
    SUGGESTOR = "suggestor"
    VERIFIER = "verifier"


SPEAKERS = (
    AgentKind.NARRATIVE,
    AgentKind.COMBAT,
    AgentKind.NPC_INDIVIDUAL,
    AgentKind.NPC_PUPPETEER,
    AgentKind.SUMMARIZER,
)
"""The agents that a model plays, in the order of documentation."""

NPC_AGENTS = (AgentKind.NPC_INDIVIDUAL, AgentKind.NPC_PUPPETEER)
"""The agents that play characters, and know what those characters know."""
