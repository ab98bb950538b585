"""Each rule by itself, on messages that should make it speak and on messages that should not."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from tests.suggest.looking import RULE_OF, look

from turnwright.model.data import parsed
from turnwright.rulesets.suggesting import BUILT_IN

TABLE: dict[str, Any] = parsed((Path(__file__).parent / "rule_examples.yaml").read_text(encoding="utf-8"))
KINDS = ("negation", "question", "quotation", "hypothetical", "recap")


class Example(NamedTuple):
    """A message for a rule; `intents` are those that it may answer with."""

    rule: str
    kind: str
    message: str
    agent: str
    context: dict[str, Any]
    intents: frozenset[str]


def examples(fires: bool) -> Iterator[Example]:
    for rule, row in TABLE.items():
        told = [("fires", one) for one in row["fires"]]
        if not fires:
            kinds = row["silent"]
            told = [(kind, kinds[kind]) for kind in KINDS] + [("more", one) for one in kinds.get("more", ())]
        usual = row["context"] if fires else row.get("otherwise", row["context"])
        for kind, one in told:
            one = {"message": one} if isinstance(one, str) else one
            intents = one.get("intent", row["intent"])
            yield Example(
                rule,
                kind,
                one["message"],
                row["agent"],
                {**usual, **one.get("context", {})},
                frozenset([intents] if isinstance(intents, str) else intents),
            )


def spoken(example: Example) -> set[str]:
    """Return the intents that the rule of an example suggests."""
    found = look(example.message, example.agent, rules=[RULE_OF[example.rule]], **example.context)
    assert found.errors == ()
    return {one.intent for one in found.suggestions}


def test_every_rule_has_five_messages_of_each_side() -> None:
    assert list(TABLE) == sorted(rule.id for rule in BUILT_IN.rules)
    for rule, row in TABLE.items():
        assert len(row["fires"]) >= 5, rule
        assert set(KINDS) <= set(row["silent"]), rule
        assert ("otherwise" in row) is not RULE_OF[rule].reads_text, rule
        assert (
            not {one for one in row["fires"] if isinstance(one, str)}
            & set(row["silent"].values() if "more" not in row["silent"] else ())
            or "otherwise" in row
        )


@pytest.mark.parametrize("rule", TABLE)
def test_a_rule_speaks(rule: str) -> None:
    for example in examples(fires=True):
        if example.rule == rule:
            told = spoken(example)
            assert told, example
            assert told <= example.intents, example


@pytest.mark.parametrize("rule", TABLE)
def test_a_rule_is_silent(rule: str) -> None:
    for example in examples(fires=False):
        if example.rule == rule:
            assert spoken(example) == set(), example
