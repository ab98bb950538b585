"""The labelled messages are well formed, of the mixture they claim, and name what there is."""

from collections import Counter
from functools import cache

import pytest
from scripts.bench_suggest.cases import KINDS, Case, Split, read_cases

from turnwright.model.wire.agent import AgentKind
from turnwright.rulesets.toolbox import TOOLS

CASES = list(read_cases("all"))
CONTEXT = {
    *("speaker", "language", "encounter", "actor", "areas", "items", "party", "npcs_present"),
    *("pending_offer", "quests", "mood", "allowlist", "recent_calls"),
}
RULES = {f"R{number:02}" for number in range(1, 25)} | {"R08b"}
NPC_NEVER = {"execute_action", "advance_turn", "end_encounter", "create_encounter", "take_rest", "move_party"}
FIGHT_NEVER = {"manage_quest", "take_rest", "move", "move_party", "manage_party"}


def half(split: Split) -> list[Case]:
    return list(read_cases(split))


@cache
def schema_of(tool: str) -> str:
    return str(TOOLS[tool].args.model_json_schema())


def test_ids_are_unique_and_their_parity_tells_the_half() -> None:
    assert len({case.id for case in CASES}) == len(CASES)
    assert {int(case.id[1:]) % 2 for case in half("tune")} == {1}
    assert {int(case.id[1:]) % 2 for case in half("test")} == {0}


def test_no_case_stands_twice() -> None:
    assert max(Counter((case.message, case.agent, str(case.context)) for case in CASES).values()) == 1


def test_both_halves_hold_the_same_mixture() -> None:
    tune, test = (Counter((case.kind, case.rule) for case in half(split)) for split in ("tune", "test"))
    assert all(abs(tune[key] - test[key]) <= 2 for key in tune | test)


def test_half_of_the_messages_are_no_triggers() -> None:
    count = Counter(case.kind for case in CASES)
    assert len(CASES) >= 560
    assert count["lure"] + count["negative"] >= len(CASES) / 2


@pytest.mark.parametrize("rule", sorted(RULES))
def test_a_rule_has_at_least_eight_positive_cases(rule: str) -> None:
    assert sum(case.rule == rule and case.kind == "positive" for case in CASES) >= 8


def test_every_case_is_well_formed() -> None:
    assert {case.kind for case in CASES} == set(KINDS)
    for case in CASES:
        require_well_formed(case)


def require_well_formed(case: Case) -> None:
    allowed = case.context["allowlist"]
    assert set(case.context) == CONTEXT
    assert case.rule in RULES | {None}
    assert case.agent in {kind.value for kind in AgentKind}
    assert case.message
    assert case.note
    assert bool(case.expected) >= (case.kind == "positive")
    assert not (case.expected and case.kind == "negative")
    assert {call.tool for call in case.expected} <= set(allowed)
    assert not {str(call) for call in (*case.expected, *case.tolerated)} & {str(call) for call in case.forbidden}
    for call in (*case.expected, *case.tolerated, *case.forbidden):
        assert call.tool in TOOLS
        if call.operation:
            assert f"'{call.operation}'" in schema_of(call.tool)


def test_nothing_is_expected_that_an_agent_never_gets() -> None:
    for case in CASES:
        tools = {call.tool for call in (*case.expected, *case.tolerated)}
        if case.agent.startswith("npc"):
            assert not tools & NPC_NEVER, case.id
        if case.agent == "combat":
            assert not tools & FIGHT_NEVER, case.id
