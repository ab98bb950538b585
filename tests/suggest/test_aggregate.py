"""From hits to hints: one a tool, in a fixed order, no more than wanted, and never two that exclude each other."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

import pytest
from tests.suggest.looking import look, tools_of

from turnwright.rulesets.suggesting import BUILT_IN
from turnwright.suggestions.prompt_block import MAX_LENGTH, render_block
from turnwright.suggestions.ranking import Candidate, merged, rank
from turnwright.suggestions.rule import Hit
from turnwright.suggestions.suggestion import RuleError, Suggestion, SuggestionSet, Suppressed
from turnwright.suggestions.tables import Resolved


def hit(
    rule_id: str,
    intent: str,
    confidence: float,
    tool: str | None = None,
    *,
    at: int = 0,
    subject: str = "",
    cause: str = "",
    **arguments: Any,
) -> Candidate:
    target = None if cause else tool or BUILT_IN.intents[intent][0]
    return Candidate(
        rule_id, Hit(intent, confidence, "why", {}, None, at, subject), Resolved(target, arguments, cause=cause)
    )


def shown(*hits: Candidate, threshold: float = 0.6, most: int = 3) -> tuple[list[Suggestion], list[Suppressed]]:
    return rank(hits, threshold, most, BUILT_IN)


def intents(*hits: Candidate, **how: Any) -> list[str]:
    return [one.intent for one in shown(*hits, **how)[0]]


def test_a14_two_hits_on_one_tool_are_one_suggestion_with_the_higher_confidence() -> None:
    found, left = shown(hit("r2", "travel", 0.7, "move"), hit("r1", "map.new", 0.9, "move"))
    assert [(one.tool, one.confidence, one.rule_id) for one in found] == [("move", 0.9, "r1")]
    assert left == [Suppressed("move", "travel", "same_tool")]


def test_a14_of_two_equal_ones_the_lower_rule_id_stays() -> None:
    assert [one.rule_id for one in shown(hit("r2", "travel", 0.7), hit("r1", "travel", 0.7))[0]] == ["r1"]


def test_a14_two_operations_of_one_tool_are_two_and_count_once_against_the_cap() -> None:
    hits = (
        hit("r1", "item.take", 0.9, operation="give"),
        hit("r2", "money.change", 0.8, operation="take"),
        hit("r3", "check", 0.75),
    )
    assert [(one.tool, one.operation) for one in shown(*hits, most=2)[0]] == [
        ("manage_inventory", "give"),
        ("manage_inventory", "take"),
        ("roll_check", None),
    ]


def test_a15_the_order_is_by_confidence_and_then_by_rule() -> None:
    hits = [hit("r3", "check", 0.7), hit("r1", "travel", 0.7), hit("r2", "secret.reveal", 0.9)]
    assert [one.rule_id for one in shown(*hits)[0]] == ["r2", "r1", "r3"]


def test_a15_no_order_of_rules_changes_a_byte() -> None:
    message = "I take the brass compass, give it to Bran, search the room, go to the Harbour and take a short rest."
    context: dict[str, Any] = {
        "items": {"area": ["brass compass"]},
        "npcs_present": [{"id": "npc_bran", "name": "Bran"}],
        "areas": {"reachable": [{"id": "area_002", "name": "Harbour"}]},
    }
    usual = look(message, **context)
    assert len(usual.suggestions) >= 3
    for seed in range(20):
        rules = list(BUILT_IN.rules)
        random.Random(seed).shuffle(rules)
        assert repr(look(message, rules=rules, **context)) == repr(usual)


@pytest.mark.parametrize("most", range(1, 9))
def test_a16_no_more_tools_than_wanted(most: int) -> None:
    tools = list(dict.fromkeys(tools[0] for tools in BUILT_IN.intents.values() if tools))[:9]
    hits = [hit(f"r{number}", "check", 0.9 - number / 100, tool) for number, tool in enumerate(tools)]
    found, left = shown(*hits, most=most)
    assert [one.tool for one in found] == tools[:most]
    assert [(one.tool, one.cause) for one in left] == [(tool, "over_the_cap") for tool in tools[most:]]


def test_a16_a_message_with_two_acts_may_have_one_more() -> None:
    acts = (
        "I take the rope, I pick the lock, I go to the harbour, I pay 3 gold, I cast fireball and I find a hidden door."
    )
    assert len(set(tools_of(look(acts)))) == 4
    assert len(set(tools_of(look("Mira: I cast fireball.")))) <= 3


EXCLUDING = (
    ("rest.short", "rest.long"),
    ("combat.end", "turn.advance"),
    ("combat.start", "hp.attack"),
    ("combat.start", "turn.advance"),
    ("combat.start", "death.save"),
    ("scene.engage", "scene.resolve"),
    ("scene.accept_bargain", "scene.retreat"),
    ("scene.retreat", "scene.pass_out"),
)
OF_ONE = (
    ("party.add", "party.remove"),
    ("item.take", "item.give"),
    ("item.equip", "item.unequip"),
    ("item.use", "item.give"),
)


@pytest.mark.parametrize(("one", "other"), EXCLUDING)
def test_a17_what_excludes_another_is_shown_alone_and_the_loser_is_named(one: str, other: str) -> None:
    for first, second in ((0.9, 0.7), (0.7, 0.9)):
        found, left = shown(hit("r1", one, first, "tool_a"), hit("r2", other, second, "tool_b"))
        winner = one if first > second or one == "combat.end" else other
        loser = other if winner == one else one
        assert [kept.intent for kept in found] == [winner]
        assert left == [Suppressed("tool_b" if loser == other else "tool_a", loser, f"excluded_by:{winner}")]


@pytest.mark.parametrize(("one", "other"), OF_ONE)
def test_a17_some_exclude_each_other_about_the_same_thing_only(one: str, other: str) -> None:
    same = (hit("r1", one, 0.9, "tool_a", subject="bran"), hit("r2", other, 0.7, "tool_b", subject="bran"))
    apart = (hit("r1", one, 0.9, "tool_a", subject="bran"), hit("r2", other, 0.7, "tool_b", subject="old tom"))
    assert (intents(*same), intents(*apart)) == ([one], [one, other])


def test_a17_on_a_tie_the_one_that_was_said_later_stands() -> None:
    short, long = hit("r15", "rest.short", 0.9, "a", at=4), hit("r16", "rest.long", 0.9, "b", at=30)
    assert intents(short, long) == ["rest.long"]


def test_what_is_below_the_threshold_or_without_a_tool_is_named_too() -> None:
    found, left = shown(
        hit("r1", "check", 0.5994), hit("r2", "time.advance", 0.9, cause="unmapped"), hit("r3", "travel", 0.5996)
    )
    assert [one.intent for one in found] == ["travel"]
    assert left == [Suppressed(None, "time.advance", "unmapped"), Suppressed("roll_check", "check", "below_threshold")]


# Through the whole suggestor.

RESTS = (
    "We take a short rest, or rather a long rest.",
    "We rest for an hour and then sleep until morning.",
    "We make camp and take a short rest first.",
    "A long rest it is, then a short rest.",
)


@pytest.mark.parametrize("message", RESTS)
def test_a08_short_and_long_rest_are_never_both_suggested(message: str) -> None:
    found = look(message)
    assert tools_of(found) == ["take_rest"]
    assert not {"rest.short", "rest.long"} <= {one.intent for one in found.suggestions}


@pytest.mark.parametrize(
    "message", ["Bran joins us and Bran leaves the party.", "Welcome to the party, Bran! We part ways with Bran."]
)
def test_a08_joining_and_leaving_are_never_both_suggested(message: str) -> None:
    context: Mapping[str, Any] = {"party": [{"name": "Mira"}], "npcs_present": [{"id": "npc_bran", "name": "Bran"}]}
    operations = [one.operation for one in look(message, **context).suggestions if one.tool == "manage_party"]
    assert len(operations) == 1


# Several advisers.


def told(tool: str, confidence: float, rule_id: str = "r1", intent: str = "check", **arguments: Any) -> Suggestion:
    return Suggestion(
        tool=tool,
        intent=intent,
        reason="x" * 150,
        confidence=confidence,
        arguments=arguments or None,
        rule_id=rule_id,
    )


def test_hints_of_several_advisers_are_one_set_the_most_trusted_first() -> None:
    rules = SuggestionSet((told("a", 0.7), told("b", 0.65)), ("one",), rules_version="v", language="en")
    pacing = SuggestionSet((told("c", 0.95), told("a", 0.6)), ("one", "two"), errors=(RuleError("pacing", "late"),))
    found = merged([rules, pacing], 3, BUILT_IN)
    assert [(one.tool, one.confidence) for one in found.suggestions] == [("a", 0.7), ("b", 0.65), ("c", 0.95)]
    assert (found.context_notes, found.rules_version, found.language) == (("one", "two"), "v", "en")
    assert found.errors == (RuleError("pacing", "late"),)
    assert found.suppressed == (Suppressed("a", "check", "same_tool"),)
    assert [one.tool for one in merged([rules, pacing], 2, BUILT_IN).suggestions] == ["a", "b"]


def test_advisers_that_exclude_each_other_are_decided_by_confidence_and_state_by_nothing() -> None:
    rules = SuggestionSet((told("end_encounter", 0.7, "r11_combat_over", "combat.end"),))
    other = SuggestionSet((told("advance_turn", 0.95, "llm", "turn.advance"),))
    assert [one.tool for one in merged([rules, other], 3, BUILT_IN).suggestions] == ["advance_turn"]
    kept = merged([rules, other], 3, BUILT_IN, {"r11_combat_over"})
    assert [one.tool for one in kept.suggestions] == ["end_encounter"]
    assert kept.suppressed == (Suppressed("advance_turn", "turn.advance", "excluded_by:combat.end"),)


def test_what_one_adviser_says_of_two_people_is_not_taken_apart() -> None:
    both = SuggestionSet(
        (
            told("manage_party", 0.85, "r17", "party.add", operation="add"),
            told("manage_party", 0.85, "r17", "party.remove", operation="remove"),
        )
    )
    assert merged([both, SuggestionSet()], 3, BUILT_IN).suggestions == both.suggestions


def test_what_nothing_takes_away_is_shown_beyond_the_cap() -> None:
    rules = SuggestionSet(tuple(told(name, 0.9, name) for name in "abc"))
    state = SuggestionSet((told("end_encounter", 0.95, "r11_combat_over", "combat.end"),))
    assert [one.tool for one in merged([rules, state], 2, BUILT_IN, {"r11_combat_over"}).suggestions] == [
        "a",
        "b",
        "end_encounter",
    ]


def test_all_advisers_share_one_budget_and_the_last_one_gives_way() -> None:
    sets = [SuggestionSet(tuple(told(f"{name}{i}", 0.9, f"{name}{i}") for i in range(4))) for name in "ab"]
    block = render_block(merged(sets, 8, BUILT_IN))
    assert len(block) <= MAX_LENGTH
    assert "`a3`" in block
    assert "`b3`" not in block
