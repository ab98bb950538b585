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
"""The tools of each agent, among the built-in ones. `delete_character` and `manage_encounter` are for people only:
other tools do what the second does."""


def own_steps_of(tables: RulesetTables) -> frozenset[str]:
    """Return the tools that act as the acting character: a model has them for a character in the party only."""
    return frozenset(name for each in tables.rulesets for name in each.own_steps)


OWN_STEPS = own_steps_of(BUILT_IN)
"""The built-in tools among them."""


def operations_of_agent(tables: RulesetTables, agent: AgentKind) -> Mapping[str, tuple[str, ...]]:
    """Return the operations that an agent may use, for tools that it has for some operations only."""
    rows = (row for each in tables.rulesets for row in each.operations.items())
    return {name: by_agent[agent] for name, by_agent in rows if agent in by_agent}


OPERATIONS_OF: Mapping[AgentKind, Mapping[str, tuple[str, ...]]] = {
    agent: operations_of_agent(BUILT_IN, agent) for agent in AgentKind
}
"""The operations of each agent, for the built-in tools that it may use for some operations only."""
