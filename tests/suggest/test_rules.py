"""Each rule by itself, on messages that should make it speak and on messages that should not."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from tests.suggest.looking import RULE_OF, intents_of, look

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


MAGE: dict[str, Any] = {
    "actor": {
        "id": "pc_1",
        "name": "Ada",
        "is_caster": True,
        "is_dying": False,
        "spells": ["Slow", "Shield", "Jump", "Command"],
    }
}
DRAGON: dict[str, Any] = {
    "encounter": {"active": True, "id": "e1", "enemies_alive": 1, "round": 1, "current_actor_id": "pc_1"},
    "npcs_present": [{"id": "drg", "name": "Dragon", "hostile": True}],
    "actor": {"id": "pc_1", "name": "Ada", "is_dying": False},
}


@pytest.mark.parametrize(
    ("message", "is_spell"),
    [
        ("I use slow and careful steps.", False),
        ("I use a shield to block the doorway.", False),
        ("I use my shield.", False),
        ("I use the jump rope.", False),
        ("I use the command word.", False),
        ("I cast a slow and steady look around.", False),
        ("I use shield!", True),
        ("I use the shield spell.", True),
        ("I cast slow on the ogre.", True),
        ("I cast a slow spell.", True),
        ("I cast command and jump.", True),
        ("I use command on the guard.", True),
        ("I use my fireball.", True),
        ("I cast shield of faith.", True),
    ],
)
def test_an_everyday_word_is_a_spell_only_where_it_stands_as_one(message: str, is_spell: bool) -> None:
    assert ("slot.use" in intents_of(look(message, **MAGE))) is is_spell


@pytest.mark.parametrize(
    ("message", "is_attack"),
    [
        ("I strike with all my might!", True),
        ("I strike at the dragon with all my might.", True),
        ("I deliver the final blow.", True),
        ("I land a heavy blow on its snout.", True),
        ("I engage the dragon with my sword.", True),
        ("I focus on attacking the dragon's weak points.", True),
        ("I focus my attacks on the dragon.", True),
        ("I might strike the dragon.", False),
        ("I engage the dragon in conversation.", False),
        ("I engage him with my question.", False),
        ("I focus on staying alive.", False),
        ("I deliver the message.", False),
    ],
)
def test_attacks_in_other_words(message: str, is_attack: bool) -> None:
    assert ("hp.attack" in intents_of(look(message, "combat", **DRAGON))) is is_attack


@pytest.mark.parametrize(
    ("message", "intent", "arguments"),
    [
        ("I try to befriend the goblins.", "check", {"skill": "persuasion"}),
        ("I begin playing a lively tune.", "check", {"skill": "performance"}),
        ("We start to sing a ballad.", "check", {"skill": "performance"}),
        ("I give the squirrel some nuts.", "item.give", {"operation": "transfer"}),
        ("I take off my cloak.", "item.unequip", {"operation": "unequip"}),
        ("I equip the chain mail.", "item.equip", {"operation": "equip", "item_name": "chain mail"}),
    ],
)
def test_checks_gifts_and_gear_as_players_announce_them(message: str, intent: str, arguments: dict[str, Any]) -> None:
    (found,) = [one for one in look(message).suggestions if one.intent == intent]
    assert arguments.items() <= (found.arguments or {}).items()
