"""The gates of rules: what each requires of the snapshot, and whom it advises."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from tests.suggest.looking import RULE_OF, look, seen
from tests.suggest.test_rules import Example, examples

from turnwright.model.wire.agent import AgentKind
from turnwright.rulesets.agent_tools import TOOLS_OF
from turnwright.rulesets.suggesting import BUILT_IN
from turnwright.suggestions.rule import PREDICATES

HOLDS: Mapping[str, Mapping[str, Any]] = {
    "encounter_active": {"encounter": True},
    "no_encounter": {"encounter": None},
    "speaker_is_player": {"speaker": "player"},
    "speaker_is_npc": {"speaker": "npc"},
    "offer_pending": {"pending_offer": "quest"},
    "mood_set": {"mood": "scene"},
    "has_active_quest": {"quests": ["Rats"]},
    "caster": {"actor": {"is_caster": True}},
}
FAILS: Mapping[str, Mapping[str, Any]] = {
    "encounter_active": {"encounter": None},
    "no_encounter": {"encounter": True},
    "speaker_is_player": {"speaker": "npc"},
    "speaker_is_npc": {"speaker": "player"},
    "offer_pending": {"pending_offer": None},
    "mood_set": {"mood": None},
    "has_active_quest": {"quests": [{"title": "Rats", "status": "completed"}]},
    "caster": {"actor": {"is_caster": False}},
}
UNKNOWN = ("encounter_active", "no_encounter", "has_active_quest", "caster")
"""Predicates over something that may be unknown."""


def first(rule: str) -> Example:
    return next(example for example in examples(fires=True) if example.rule == rule)


@pytest.mark.parametrize("name", PREDICATES)
def test_a_predicate_tells_what_it_says(name: str) -> None:
    assert PREDICATES[name](seen(**HOLDS[name]))
    assert not PREDICATES[name](seen(**FAILS[name]))


@pytest.mark.parametrize("name", UNKNOWN)
def test_a_gate_over_something_unknown_is_open(name: str) -> None:
    assert PREDICATES[name](seen())


GATES = [(rule.id, name) for rule in BUILT_IN.rules for name in rule.requires]


@pytest.mark.parametrize(("rule", "name"), GATES)
def test_what_a_rule_requires_is_a_gate(rule: str, name: str) -> None:
    example = first(rule)
    how: dict[str, Any] = {"agent": example.agent, "rules": [RULE_OF[rule]]}
    assert look(example.message, **how, **{**example.context, **HOLDS[name]}).suggestions != ()
    shut = look(example.message, **how, **{**example.context, **FAILS[name]})
    assert (shut.suggestions, shut.suppressed, shut.errors) == ((), (), ())


@pytest.mark.parametrize("rule", [rule.id for rule in BUILT_IN.rules])
def test_whom_a_rule_does_not_advise_it_tells_nothing(rule: str) -> None:
    example, others = first(rule), set(AgentKind) - set(RULE_OF[rule].agents)
    assert others
    for agent in others:
        found = look(example.message, agent.value, rules=[RULE_OF[rule]], **example.context)
        assert (found.suggestions, found.suppressed) == ((), ()), agent


@pytest.mark.parametrize("rule", [rule.id for rule in BUILT_IN.rules])
def test_each_agent_that_a_rule_advises_has_a_tool_for_it(rule: str) -> None:
    one = RULE_OF[rule]
    tools = {tool for intent in one.intents for tool in BUILT_IN.intents[intent]}
    assert all(TOOLS_OF[agent] & tools for agent in one.agents)


def test_advisers_and_summarizers_are_advised_by_nobody() -> None:
    advised = {agent for rule in BUILT_IN.rules for agent in rule.agents}
    assert advised == {
        AgentKind.NARRATIVE,
        AgentKind.COMBAT,
        AgentKind.NPC_INDIVIDUAL,
        AgentKind.NPC_PUPPETEER,
    }
