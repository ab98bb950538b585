"""Which tools each agent may call: the rows of the rulesets say so, and a campaign's allowlist narrows them further.

Source: docs/agents.md, "The agents".
"""

from __future__ import annotations

from collections.abc import Mapping

from turnwright.model.wire.agent import AgentKind
from turnwright.rulesets.registry import BUILT_IN, RulesetTables


def tools_of_agent(tables: RulesetTables, agent: AgentKind) -> frozenset[str]:
    """Return the tools of a set of rulesets that an agent may call."""
    return frozenset(name for name, row in tables.tools.items() if agent in row.agents)


TOOLS_OF: Mapping[AgentKind, frozenset[str]] = {agent: tools_of_agent(BUILT_IN, agent) for agent in AgentKind}
"""The tools of each agent among those that come with turnwright. `delete_character` and `manage_encounter` are for
people alone: other tools do what the second does."""

OWN_STEPS = frozenset({"move", "move_options"})
"""Tools that act as the acting character: somebody who is played by an agent has them as a member of the party only."""

_QUESTS_OF_MINORS = ("offer", "start", "decline")
_OF_PERSONS = {
    "manage_inventory": ("give", "take", "equip", "unequip", "transfer", "use", "move"),
    "manage_location": ("update", "link"),
    "manage_notes": ("add",),
}
"""What changes something: what a character may know is in the prompt, and no list may show more."""
OPERATIONS_OF: Mapping[AgentKind, Mapping[str, tuple[str, ...]]] = {
    AgentKind.NPC_INDIVIDUAL: {
        **_OF_PERSONS,
        "manage_quest": (*_QUESTS_OF_MINORS, "complete_objective", "complete"),
    },
    AgentKind.NPC_PUPPETEER: {**_OF_PERSONS, "manage_quest": _QUESTS_OF_MINORS},
}
"""Where an agent has a tool for some operations only: these."""
