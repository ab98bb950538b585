from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import cycle, islice

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ruamel.yaml import YAML
from tests.cached_fixtures import english
from tests.game_master.telemetry_samples import Json, Log, failure, hint, telemetry

from turnwright.analysis.learn.examples import Example, Reading, Use, examples_of, use_of
from turnwright.analysis.learn.mine import GAP, MAX_LENGTH, Mined, mined, patterns_in
from turnwright.analysis.learn.proposals import Learned, expression, intents_of, render
from turnwright.analysis.learn.reading import READING as READING_NOW
from turnwright.analysis.learn.score import Score, doubtful, tried
from turnwright.analysis.learn.slots import Names
from turnwright.analysis.report.joined import play_of
from turnwright.rulesets.suggesting import BUILT_IN
from turnwright.suggestions.pack import Pack, read_pack

GIVE = ("manage_inventory", {"operation": "give", "item_name": "lantern"})
TAKEN = Use("manage_inventory", "give")
IDLE = ("look around the hall", "talk with the guard", "listen at the door", "think about home", "count the stars")
READING = Reading(lambda _: "en", lambda text, _: text.split("."), lambda *_: frozenset())


def names() -> Names:
    found = Names()
    for name in ("lantern", "brass compass", "Mira's rope"):
        found.add(name, "ITEM")
    found.add("Old Mill", "AREA")
    found.add("Mira", "NPC")
    return found


def examples(log: Log, campaign: str = "a", entries: Sequence[Json] = (), reading: Reading = READING) -> list[Example]:
    return list(examples_of(play_of(campaign, log.records, entries), names(), reading))


def planted(
    campaign: str, said: Iterable[str], *, idle: int = 40, shown: bool = False, did: bool = True
) -> list[Example]:
    """Return the examples of a campaign in which some messages were followed by a call, among many that were not."""
    log, entries = Log(), []
    for text in said:
        turn = log.turn(*([GIVE] if did else []), said=text)
        if shown:
            shown_hint = hint("manage_inventory", 0.9, "r03_item_take", "item.take", operation="give")
            entries.append(telemetry(turn, shown_hint, message=text))
    for text in islice(cycle(IDLE), idle):
        log.turn(said=text)
    return examples(log, campaign, entries)


def yoinks(count: int) -> Iterator[str]:
    things = ("the lantern", "a brass compass", "that lantern", "my brass compass")
    return (f"i yoink {thing}" for thing in islice(cycle(things), count))


def patterns(found: Iterable[Mined]) -> list[str]:
    return [" ".join(one.pattern) for one in found]


# slots


@pytest.mark.parametrize(
    ("text", "slots"),
    [
        ("i take the Brass Compass to the old mill", "i take the ITEM to the AREA"),
        ("give mira 3 coins", "give NPC NUM coins"),
        ("mira's lantern and mira's rope", "NPC ITEM and ITEM"),
        ("i roll 2d6 for five of them", "i roll DIE for NUM of them"),
        ("a brass bell", "a brass bell"),
        ("", ""),
    ],
)
def test_names_numbers_and_dice_become_slots(text: str, slots: str) -> None:
    assert " ".join(names().filled(text, "en")) == slots


def test_people_are_known_by_the_word_they_are_called_by() -> None:
    found = Names()
    for name in ("Brannoc Vale", "Old Tom", "The Grey Wolf"):
        found.add(name, "NPC")
    found.add("Old Mill", "AREA")
    said = "I follow Brannoc and Tom's wolf by the old road to the old mill"
    assert " ".join(found.filled(said, "en")) == "i follow NPC and NPC NPC by the old road to the AREA"


def test_names_are_taken_from_what_the_log_says_of_documents() -> None:
    thing = {"name": "Sunblade", "charges": 3}
    records: list[Json] = [
        {
            "changes": {
                "characters/pc.json": [{"op": "add", "path": "", "value": {"name": "Bram", "inventory": [thing]}}]
            }
        },
        {"changes": {"characters/pc.json": [{"op": "add", "path": "/inventory/1", "value": {"name": "silver bell"}}]}},
        {"changes": {"maps/root.json": [{"op": "add", "path": "", "value": {"areas": {"a": {"name": "Deep Vault"}}}}]}},
        {"changes": {"notes/n.json": [{"op": "add", "path": "", "value": {"name": "secret"}}]}},
        {"changes": {"characters/x.json": [{"op": "replace", "path": "/name", "value": "Lady Oona"}]}},
        {"changes": {}, "applied_actions": [{"args": {"item_name": "moon pearl"}}]},
    ]
    found = Names()
    assert list(found.watching(records)) == records
    said = "bram swaps the sunblade, a silver bell and the moon pearl with lady oona in the deep vault: secret"
    assert " ".join(found.filled(said, "en")) == "NPC swaps the ITEM a ITEM and the ITEM with NPC in the AREA secret"


@given(st.text(max_size=200))
def test_any_text_can_be_filled(text: str) -> None:
    found = names().filled(text, "en")
    assert all(word and not word.isspace() for word in found)


# examples


def test_calls_of_the_whole_exchange_belong_to_its_message() -> None:
    log = Log()
    log.turn(said="i yoink it")
    log.turn(GIVE)
    [example] = examples(log)
    assert example.applied == {TAKEN}
    assert (example.turn_id, example.clauses) == ("t1", (("i", "yoink", "it"),))


def test_failed_calls_retried_and_undone_turns_teach_nothing() -> None:
    log = Log()
    log.turn(said="i yoink it", kind="attempt", turn_id="t2")
    log.turn(GIVE, said="i yoink it")
    log.turn(GIVE, said="i yoink it again")
    log.undo(3)
    log.turn(said="i fail", failed=[failure("manage_inventory")])
    assert [(example.turn_id, example.applied) for example in examples(log)] == [("t5", frozenset())]


def test_a_message_in_a_language_without_rules_is_no_example() -> None:
    log = Log()
    log.turn(GIVE, said="biorę latarnię")
    assert examples(log, reading=READING._replace(language_of=lambda _: None)) == []
    assert examples(log, entries=[telemetry("t1", language=None)]) == []


def test_uses_of_one_tool_are_told_apart() -> None:
    assert use_of("manage_inventory", {"operation": "give"}) == TAKEN
    assert use_of("start_quest", {"operation": "start"}) == Use("manage_quest", "start")
    assert use_of("move", {}) == Use("move")


# mining


def test_a_planted_pattern_is_found_once() -> None:
    found = mined([*planted("a", yoinks(6)), *planted("b", yoinks(6))])
    [one] = found
    assert one.pattern == ("yoink",)
    assert (one.use, one.agent, one.language) == (TAKEN, "narrative", "en")
    assert (one.unshown.hits, one.unshown.turns, one.unshown.campaigns) == (12, 12, 2)
    assert one.confidence == 0.758


def test_support_of_seven_is_not_enough() -> None:
    assert mined([*planted("a", yoinks(4)), *planted("b", yoinks(3))]) == []


def test_one_campaign_is_not_enough() -> None:
    assert mined(planted("a", yoinks(30), idle=100)) == []
    assert patterns(mined([*planted("a", yoinks(29), idle=100), *planted("b", yoinks(1))])) == ["yoink"]


def test_words_after_which_the_tool_is_often_not_used_are_not_proposed() -> None:
    loose = [*planted("a", yoinks(6), did=False), *planted("b", yoinks(6), did=False)]
    assert mined([*planted("a", yoinks(6)), *planted("b", yoinks(6)), *loose]) == []


def test_words_after_which_the_tool_is_not_used_more_often_than_ever_are_not_proposed() -> None:
    busy = [f"i {verb} the lantern" for verb in ("hold", "lift", "swap", "carry") for _ in range(6)]
    assert mined([*planted("a", [*yoinks(10), *busy], idle=0), *planted("b", yoinks(10), idle=0)]) == []


def test_what_rules_suggest_already_is_not_proposed() -> None:
    known = READING._replace(suggested=lambda text, _: frozenset({TAKEN}) if "yoink" in text else frozenset())
    found = []
    for campaign in ("a", "b"):
        log = Log()
        for text in (*yoinks(6), *islice(cycle(IDLE), 40)):
            log.turn(*([GIVE] if "yoink" in text else []), said=text)
        found += examples(log, campaign, reading=known)
    assert mined(found) == []


def test_calls_that_were_hinted_at_are_told_apart_and_weigh_less() -> None:
    shown = [*planted("a", yoinks(9), shown=True), *planted("b", yoinks(9), shown=True)]
    assert mined(shown) == []
    unshown = [*planted("c", yoinks(10)), *planted("d", yoinks(10))]
    [one] = mined([*shown, *unshown])
    assert (one.unshown.hits, one.all.hits) == (20, 38)
    assert one.evidence == one.unshown


def test_two_ways_of_saying_it_are_two_proposals_and_their_longer_forms_none() -> None:
    swipes = [text.replace("yoink", "swipe up") for text in yoinks(10)]
    found = mined([*planted("a", [*yoinks(10), *swipes], idle=90), *planted("b", [*yoinks(10), *swipes], idle=90)])
    assert patterns(found) == ["swipe", "yoink"]


def test_words_that_only_mean_it_together_are_proposed_together() -> None:
    told = [f"i make {thing} mine" for thing in ("the lantern", "it", "one brass compass") for _ in range(5)]
    lures = [text for text in ("i make camp", "that horse is mine", "i make tea", "the mine is dark") for _ in range(8)]
    quiet = [*planted("a", lures, did=False), *planted("b", lures, did=False)]
    found = mined([*planted("a", told), *planted("b", told), *quiet])
    assert patterns(found) == [f"make {GAP} mine"]


def test_agents_are_mined_apart() -> None:
    found = mined([*planted("a", yoinks(6)), *planted("b", yoinks(6))])
    others = [
        Example(e.campaign, e.turn_id, "combat", e.language, e.clauses, e.applied, e.shown, e.known)
        for e in planted("a", yoinks(12))
    ]
    assert patterns(mined([*planted("a", yoinks(6)), *planted("b", yoinks(6)), *others])) == patterns(found)


@given(st.lists(st.sampled_from(["grab", "the", "ITEM", "now", "i"]), max_size=8))
def test_a_pattern_stands_in_the_clause_it_comes_from(clause: list[str]) -> None:
    for pattern in patterns_in([tuple(clause)], "en"):
        words = [word for word in pattern if word != GAP]
        assert 1 <= len(words) <= MAX_LENGTH
        assert pattern.count(GAP) <= 1
        assert set(words) & {"grab"}, "it needs a word with a meaning of its own"
        rest = iter(clause)
        assert all(word in rest for word in words)


def test_mining_does_not_depend_on_the_order_of_campaigns() -> None:
    first, second = planted("a", yoinks(9)), planted("b", yoinks(9))
    assert mined([*first, *second])[0]._replace(example=()) == mined([*second, *first])[0]._replace(example=())


# trying and doubting


def test_proposals_are_tried_on_campaigns_they_were_not_learned_from() -> None:
    proposals = mined([*planted("a", yoinks(6)), *planted("b", yoinks(6))])
    others = [*planted("c", yoinks(5), idle=10), *planted("d", yoinks(2), idle=0, did=False)]
    trial = tried(proposals, others)
    assert (trial.messages, trial.before, trial.after) == (17, Score(0, 0, 5), Score(5, 7, 5))
    assert [(one.campaign, one.turn_id, one.pattern) for one in trial.wrong] == [
        ("d", "t1", "yoink"),
        ("d", "t2", "yoink"),
    ]
    assert trial.after.as_json()["precision"] == 0.7143
    assert trial.before.as_json()["precision"] is None


def test_rules_whose_hints_are_rarely_followed_are_named() -> None:
    log, entries = Log(), []
    for number in range(10):
        turn = log.turn(*(["move"] if number < 5 else []), said=f"m{number}")
        entries.append(telemetry(turn, hint(), hint("hp_delta", rule="R09", intent="hp.change"), message=f"m{number}"))
    assert doubtful([play_of("c", log.records, entries)]) == [
        {"rule": "R09", "intent": "hp.change", "shown": 10, "used": 0, "bound": 0.0},
        {"rule": "R14", "intent": "travel", "shown": 10, "used": 5, "bound": 0.237},
    ]
    assert doubtful([play_of("c", log.records, entries[:7])]) == []


# the file


def learned(proposals: list[Mined], doubts: list[Json] | None = None) -> Learned:
    trial = tried(proposals, planted("d", yoinks(2), idle=0, did=False))
    return Learned(92, 0, proposals, list(doubts or []), trial)


BASES = {"r03_item_take": {"known": 0.9}}


def test_proposals_are_written_as_a_pack_writes_patterns_with_the_evidence_beside_them() -> None:
    text = render(learned(mined([*planted("a", yoinks(6)), *planted("b", yoinks(6))])), BUILT_IN.rules, BASES)
    [[name, entry]] = YAML(typ="safe").load(text)["rules"]["r03_item_take"]["patterns"].items()
    assert name == "learned_yoink"
    assert entry["intents"] == ["item.take"]
    assert entry["weight"] == 0.84
    assert entry["match"] == ["i yoink the item"]
    assert "# without a hint: 12 of 12 messages in 2 campaigns, at least 0.76" in text
    assert "newly wrong: d t1: manage_inventory give, by `yoink`" in text
    assert "lantern" not in text


def test_what_was_used_up_is_proposed_to_the_rule_that_means_it() -> None:
    log, other = Log(), Log()
    for one in (log, other):
        for _ in range(6):
            one.turn(("manage_inventory", {"operation": "use", "item_name": "potion"}), said="i glug it all")
        for text in islice(cycle(IDLE), 40):
            one.turn(said=text)
    found = mined([*examples(log, "a"), *examples(other, "b")])
    rules = YAML(typ="safe").load(render(learned(found), BUILT_IN.rules, BASES))["rules"]
    assert {name: [entry["intents"] for entry in rules[name]["patterns"].values()] for name in rules} == {
        "r09_hp_change": [["item.use"]]
    }


def test_a_tool_that_no_rule_suggests_is_proposed_apart_and_doubts_are_listed() -> None:
    log, other = Log(), Log()
    for one in (log, other):
        for _ in range(6):
            one.turn("level_up", said="i ding at last")
        for text in islice(cycle(IDLE), 40):
            one.turn(said=text)
    found = mined([*examples(log, "a"), *examples(other, "b")])
    doubts = [{"rule": "r14_travel", "intent": "travel", "shown": 10, "used": 1, "bound": 0.02}]
    told = YAML(typ="safe").load(render(learned(found, doubts), BUILT_IN.rules, BASES))
    assert told["rules"] == {}
    assert [entry["tool"] for entry in told["without_a_rule"].values()] == ["level_up"]
    assert told["doubtful"] == doubts


def test_nothing_learned_is_a_file_too() -> None:
    text = render(Learned(0, 0, [], [], None), BUILT_IN.rules, {})
    assert YAML(typ="safe").load(text) == {"rules": {}}
    assert "--holdout" in text


@pytest.mark.parametrize(
    "pattern",
    [
        ("yoink",),
        ("make", GAP, "mine"),
        ("swap", "ITEM", "for", "ITEM"),
        ("pay", "NUM", "NPC"),
        ("go-to", "AREA"),
        ("roll", "DIE"),
    ],
)
def test_an_expression_is_taken_by_a_pack_and_finds_what_it_was_made_from(pattern: tuple[str, ...]) -> None:
    filled = {"ITEM": "brass bell", "AREA": "old mill", "NPC": "mira", "NUM": "three", "DIE": "2d6", GAP: "the bell"}
    said = "i " + " ".join(filled.get(word, word) for word in pattern)
    entry = {
        "pattern": expression(pattern),
        "intents": ["item.take"],
        "at": "anywhere",
        "weight": 0.9,
        "match": [said],
        "no_match": [f"{said}?", "i sit down"],
    }
    assert "learned" in pack_with({"learned": entry}).rules["r03_item_take"].patterns


def test_a_proposal_can_be_copied_into_a_pack_as_it_is() -> None:
    text = render(learned(mined([*planted("a", yoinks(6)), *planted("b", yoinks(6))])), BUILT_IN.rules, BASES)
    told = YAML(typ="safe").load(text)["rules"]["r03_item_take"]["patterns"]
    assert list(pack_with(told).rules["r03_item_take"].patterns) == ["learned_yoink"]


def pack_with(patterns: Json) -> Pack:
    """Return the English pack with one rule that has these patterns alone."""
    rules = {"r03_item_take": english()["rules"]["r03_item_take"] | {"patterns": patterns}}
    text = json.dumps({**english(), "rules": rules}, ensure_ascii=False)  # which is YAML, too
    return read_pack(text, "en.yaml", BUILT_IN)


@pytest.mark.parametrize(
    ("use", "intents"),
    [
        (TAKEN, ["item.take"]),
        (Use("take_rest", "long"), ["rest.long"]),
        (Use("execute_action", "attack"), ["hp.attack"]),
        (Use("execute_action", "dash"), ["act.combat"]),
        (Use("move"), ["travel"]),
        (Use("hp_delta"), ["hp.change", "hp.attack"]),
        (Use("level_up"), []),
    ],
)
def test_what_a_use_of_a_tool_is_meant_by(use: Use, intents: list[str]) -> None:
    assert intents_of(use) == intents


def test_messages_are_read_by_the_packs_there_are() -> None:
    assert READING_NOW.language_of("I take the lantern and walk to the mill") == "en"
    assert list(READING_NOW.committed("I take the lantern. I don't sit down. Should I run?", "en")) == [
        "i take the lantern"
    ]
    assert list(READING_NOW.committed("whatever", "tlh")) == []
    assert Use("take_rest", "long") in READING_NOW.suggested("I take a long rest until morning.", "narrative")
