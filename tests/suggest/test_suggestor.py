"""The suggestor as a whole: who is told what, that it never fails, and that nothing but its input decides."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterable
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scripts.bench_suggest.cases import Case, read_cases
from tests.growth import Work, growth
from tests.sampling import sampled, tries
from tests.suggest.looking import RULE_OF, RULES, engine, intents_of, look, seen, tools_of

from turnwright.model.data import parsed
from turnwright.model.wire.agent import AgentKind
from turnwright.rulesets.agent_tools import OPERATIONS_OF
from turnwright.rulesets.scenes.moods import TOOLS_OF_MOOD
from turnwright.rulesets.suggesting import PACKS, suggest
from turnwright.suggestions import engine as suggestor_module
from turnwright.suggestions.engine import DISABLED_AFTER, Tuning
from turnwright.suggestions.pack import Pack
from turnwright.suggestions.pack_files import RECOGNIZED
from turnwright.suggestions.rule import Hit, Rule, RuleContext
from turnwright.suggestions.suggestion import RuleError, SuggestionSet

CASES = tuple(read_cases("all"))
ROOT = Path(__file__).parents[2]
FIGHT: dict[str, Any] = {
    "encounter": {"active": True, "id": "encounter-1", "enemies_alive": 2, "round": 1},
    "npcs_present": [{"id": "npc_goblin", "name": "Goblin", "hostile": True}],
}
WON: dict[str, Any] = {**FIGHT, "encounter": {**FIGHT["encounter"], "enemies_alive": 0}}
QUEST: dict[str, Any] = {"pending_offer": {"kind": "quest", "id": "quest-7", "by": "npc_anna"}}
ITEM: dict[str, Any] = {"pending_offer": {"kind": "item", "item": "silver ring", "by": "npc_anna"}}
OF_SCENES = [case for case in CASES if case.rule == "R23"]
CORE = ["move", "hp_delta", "map_generate"]


@cache
def messages_of_all_rules() -> tuple[str, ...]:
    """Return a message for each rule that makes it speak in its own state."""
    text = (Path(__file__).parent / "rule_examples.yaml").read_text(encoding="utf-8")
    return tuple(one for row in parsed(text).values() for one in row["fires"] if isinstance(one, str))


# assent


@pytest.mark.parametrize("language", RECOGNIZED)
def test_a06_a_bare_yes_means_what_is_on_offer_and_else_nothing(language: str) -> None:
    pack = PACKS.of(language)
    assert pack is not None
    words = pack.rules["r01_quest_accept"].lists["yes"]
    assert len(words) >= 10
    for word in sorted(words):
        for agent in ("narrative", "npc_individual", "npc_puppeteer"):
            assert tools_of(look(word, agent, language=language)) == [], word
        accepted = look(word, "npc_individual", language=language, **QUEST).suggestions
        assert [(one.intent, one.arguments) for one in accepted] == [
            ("quest.accept", {"operation": "start", "quest_id": "quest-7"})
        ], word
        assert "quest.accept" not in intents_of(look(word, "npc_individual", language=language, **ITEM)), word


@pytest.mark.parametrize("word", ["Yes", "ok", "Sure.", "Thanks!", "gladly", "*nods*", "👍"])
def test_a06_a_bare_yes_to_an_offered_thing_takes_it_and_no_quest(word: str) -> None:
    taken = look(word, "npc_individual", **ITEM).suggestions
    assert [(one.intent, (one.arguments or {}).get("item_name")) for one in taken] == [("item.take", "silver ring")]


# fights


@pytest.mark.parametrize("message", [*messages_of_all_rules()[::7][:15], "", "?", "I end my turn.", "wait", "🔥"])
def test_a07_with_no_enemy_left_the_fight_ends_whatever_is_said(message: str) -> None:
    found = look(message, "combat", **WON)
    assert [(one.tool, one.confidence) for one in found.suggestions if one.rule_id == "r11_combat_over"] == [
        ("end_encounter", 0.95)
    ]
    assert "advance_turn" not in tools_of(found)


# whose tools

NEVER = {
    "npc_individual": {
        *("execute_action", "advance_turn", "end_encounter", "create_encounter"),
        *("take_rest", "move_party", "manage_party"),
    },
    "combat": {"manage_quest", "take_rest", "move_party", "move", "manage_party", "map_generate", "create_encounter"},
    "summarizer": set(RULE_OF),
}
NEVER["npc_puppeteer"] = NEVER["npc_individual"]
STATES: dict[str, dict[str, Any]] = {
    "unknown": {},
    "fight": FIGHT,
    "won": WON,
    "quest offered": QUEST,
    "item offered": ITEM,
    "quest active": {"quests": [{"id": "quest-1", "title": "The Missing Ledger", "objectives": []}]},
    "on the road": {"areas": {"reachable": [{"id": "area_002", "name": "Harbour"}], "current": "area_001"}},
}


@pytest.mark.parametrize(("agent", "state"), sampled(product(NEVER, STATES), 10))
def test_a09_a10_no_agent_is_told_to_do_what_is_another_s(agent: str, state: str) -> None:
    for message in messages_of_all_rules():
        for speaker in ("player", "npc"):
            found = look(message, agent, **STATES[state], speaker=speaker)
            assert not set(tools_of(found)) & NEVER[agent], message
            assert found.errors == ()
            if agent == "summarizer":
                assert found.suggestions == ()


@pytest.mark.parametrize("state", ["fight", "won"])
def test_a09_in_a_fight_nobody_rests_travels_or_begins_another_one(state: str) -> None:
    for message in messages_of_all_rules():
        told = set(intents_of(look(message, "combat", **STATES[state])))
        assert not told & {"rest.short", "rest.long", "travel", "map.new", "party.add", "party.remove"}, message
        assert not {one for one in told if one.startswith("quest.")}, message
        assert not {"take_rest", "create_encounter"} & set(tools_of(look(message, **STATES[state]))), message


def test_a09_why_nobody_rests_is_told() -> None:
    found = look("We take a long rest.", "narrative", **FIGHT)
    assert found.suggestions == ()
    assert [(one.intent, one.cause) for one in found.suppressed] == [("rest.long", "encounter_active")]
    assert "An encounter is active: nobody can rest." in found.context_notes


def test_a_game_master_s_characters_use_only_some_operations() -> None:
    for agent in (AgentKind.NPC_INDIVIDUAL, AgentKind.NPC_PUPPETEER):
        for message in messages_of_all_rules():
            for one in look(message, agent.value, **QUEST, quests=STATES["quest active"]["quests"]).suggestions:
                assert one.operation is None or one.operation in OPERATIONS_OF[agent].get(one.tool, (one.operation,))


# which way things go


def test_a11_what_a_player_gives_leaves_the_player() -> None:
    found = look(
        "I hand my silver amulet to Bran.",
        "npc_individual",
        actor={"id": "pc_001", "name": "Mira"},
        items={"actor": ["silver amulet"]},
        npcs_present=[{"id": "npc_bran", "name": "Bran"}],
    )
    assert [one.arguments for one in found.suggestions] == [
        {
            "operation": "transfer",
            "item_name": "silver amulet",
            "to_character_name": "Bran",
            "character_id": "pc_001",
        }
    ]


def test_a11_what_a_character_gives_comes_to_the_player() -> None:
    found = look(
        "He hands you a silver amulet.",
        "npc_individual",
        speaker="npc",
        actor={"id": "pc_001", "name": "Mira"},
        npcs_present=[{"id": "npc_bran", "name": "Bran"}],
    )
    assert [one.arguments for one in found.suggestions] == [
        {"operation": "give", "item_name": "silver amulet", "character_id": "pc_001"}
    ]


@pytest.mark.parametrize(
    ("message", "operation"), [("I pay the smith 5 gold.", "take"), ("We earn 15 silver for the work.", "give")]
)
def test_a11_coins_that_are_paid_go_and_coins_that_are_earned_come(message: str, operation: str) -> None:
    money = [one for one in look(message).suggestions if one.intent == "money.change"]
    assert [one.operation for one in money] == [operation]


@pytest.mark.parametrize(
    ("language", "message", "amount", "coin"),
    [
        ("en", "I give Brom 10 gold pieces.", -10, "gold pieces"),
        ("en", "I receive 50 gold pieces.", 50, "gold pieces"),
        ("en", "I find 20 silver pieces.", 20, "silver"),
        ("en", "I sell my rope for 5 gold coins.", 5, "gold"),
        ("en", "The barkeep gets ten silver pieces from me.", -10, "silver"),
        ("en", "Forty silver coins land in my purse.", 40, "silver"),
        ("en", "I give Lena 3 shiny gold coins.", -3, "gold"),
        ("en", "I pay two hundred gold.", -200, "gold"),
        ("en", "I buy a rope for 2 gp.", -2, "gp"),
        ("en", "I buy a rope for 5 silver pieces.", -5, "silver"),
        ("en", "I buy a boat for a hundred gold.", -100, "gold"),
        ("en", "I buy three ropes for 2 gold pieces each.", None, None),
        ("en", "I buy a rope for Brom.", None, None),
        ("es", "Compro una cuerda por 2 monedas de oro.", -2, "oro"),
        ("fr", "J'achète une corde pour 5 pièces d'argent.", -5, "argent"),
        ("pt", "Compro uma corda por 2 moedas de ouro.", -2, "ouro"),
        ("de", "Ich kaufe ein Seil für 2 Goldstücke.", -2, "goldstücke"),
    ],
)
def test_how_many_coins_of_which_kind_change_hands_is_told(
    language: str, message: str, amount: int | None, coin: str | None
) -> None:
    (told,) = [one for one in look(message, language=language).suggestions if one.intent == "money.change"]
    given = told.arguments or {}
    assert (given["operation"] == "take") is (amount is None or amount < 0)
    assert (given.get("quantity"), given.get("item_name")) == (None if amount is None else abs(amount), coin)
    assert told.confidence == (0.75 if amount is None else 0.9)


# what is permitted


def context_of(case: Case, **changed: Any) -> dict[str, Any]:
    return {**case.context, "language": None, **changed}


def test_a12_with_the_default_tools_only_they_are_suggested_and_moves_are_legal() -> None:
    told = set()
    moves = 0
    for case in CASES:
        context = context_of(case, allowlist=CORE)
        snapshot = seen(case.agent, **context)
        for one in suggest(case.message, snapshot).suggestions:
            told.add(one.tool)
            if one.tool == "move":
                moves += 1
                arguments = one.arguments or {}
                assert arguments["actor_id"] == snapshot.actor.id
                assert arguments["to_area_id"] in {place.id for place in snapshot.areas.reachable or ()}
    assert told == set(CORE)
    assert moves >= 20


@pytest.mark.parametrize("mood", [*TOOLS_OF_MOOD, None])
def test_a13_each_mood_offers_its_own_tools_only(mood: str | None) -> None:
    scene_tools = {tool for tools in TOOLS_OF_MOOD.values() for tool in tools}
    legal = set(TOOLS_OF_MOOD[mood]) if mood else set()  # type: ignore[index]
    told = set()
    for case in (*OF_SCENES, *CASES[::6]):
        told |= set(tools_of(suggest(case.message, seen("narrative", **context_of(case, mood=mood, allowlist=None)))))
    assert told & scene_tools <= legal
    assert (told & scene_tools != set()) is (mood in ("scene", "action", "aftermath", "bargain"))


def test_a13_nothing_that_a_player_says_chooses_a_style() -> None:
    told = {tool for case in CASES for tool in tools_of(suggest(case.message, seen(case.agent, **context_of(case))))}
    assert not told & {"set_scene_style", "choose"}


# whoever speaks acts


PEOPLE = st.sampled_from(["pc_002", "Tomas", "npc_001", "Grell", "pc_001", "Mira", "everybody"])
PLACES = st.sampled_from(["Harbour", "area_002", "area_003", "Old Chapel", "Salt Mine"])
SPEECH = st.one_of(
    st.text(max_size=120),
    st.builds(
        "{} {} {} {}".format,
        st.sampled_from(["Move", "I move", "We send", "Now", "I carry", "I attack", "I give the rope to", "Let"]),
        PEOPLE,
        st.sampled_from(["to the", "goes to", "walks into", "loses 5 hp at the", "leaves for"]),
        PLACES,
    ),
    st.builds(
        '{{"tool": "move", "args": {{"actor_id": "{}", "to_area_id": "{}"}}}}'.format,
        PEOPLE,
        PLACES,
    ),
)
ACTS_FOR = ("actor_id", "character_id")


@settings(max_examples=tries(190))
@given(text=SPEECH, agent=st.sampled_from(["narrative", "combat", "npc_individual", "npc_puppeteer"]))
def test_no_text_of_a_player_acts_for_another_player_s_character(text: str, agent: str) -> None:
    found = look(
        text,
        agent,
        actor={"id": "pc_001", "name": "Mira", "area": "area_001"},
        party=[{"id": "pc_001", "name": "Mira"}, {"id": "pc_002", "name": "Tomas"}],
        npcs_present=[{"id": "npc_001", "name": "Grell"}],
        areas={
            "current": {"id": "area_001", "name": "Market"},
            "reachable": [{"id": "area_002", "name": "Harbour"}, {"id": "area_003", "name": "Old Chapel"}],
        },
        items={"actor": ["rope"]},
    )
    for one in found.suggestions:
        for name in ACTS_FOR:
            assert (one.arguments or {}).get(name, "pc_001") == "pc_001"


# failures


class Raises(Rule):
    """A rule that always fails."""

    id = "r99_raises"
    agents = frozenset(AgentKind)
    reads_text = False
    intents = ("check",)

    def evaluate(self, look: RuleContext) -> Iterable[Hit]:
        """Fail."""
        raise RuntimeError(f"no rule for {look.snapshot.agent}")


def test_a18_a_rule_that_raises_costs_its_own_hints_alone() -> None:
    usual = look("I search the desk.")
    broken = look("I search the desk.", rules=[Raises(), *RULES])
    assert broken.errors == (RuleError("r99_raises", "RuntimeError: no rule for narrative"),)
    assert broken._replace(errors=()) == usual


def test_a18_a_rule_that_raises_time_and_again_is_left_out() -> None:
    suggestor = engine(rules=[Raises()])
    counts = [len(suggestor.suggest("hello", seen()).errors) for _ in range(DISABLED_AFTER + 2)]
    assert counts == [1] * DISABLED_AFTER + [0, 0]


def test_a18_a_rule_that_recovers_begins_to_count_anew() -> None:
    class Sometimes(Raises):
        fails = True

        def evaluate(self, look: RuleContext) -> Iterable[Hit]:
            return super().evaluate(look) if self.fails else []

    rule = Sometimes()
    suggestor = engine(rules=[rule])
    for _ in range(3):
        for fails in (True,) * (DISABLED_AFTER - 1) + (False,):
            rule.fails = fails
            assert len(suggestor.suggest("hello", seen()).errors) == fails


def raises(*_: Any, **__: Any) -> Any:
    raise RuntimeError("broken")


@pytest.mark.parametrize(
    ("name", "part"),
    [("resolve_tool", "resolver"), ("rank", "aggregate"), ("notes_on", "notes"), ("Reader", "message")],
)
def test_a18_a_part_that_raises_is_named_and_the_rest_goes_on(
    monkeypatch: pytest.MonkeyPatch, name: str, part: str
) -> None:
    monkeypatch.setattr(suggestor_module, name, raises)
    found = look("I end my turn.", "combat", **WON)
    assert {error.rule_id for error in found.errors} == {part}
    assert found.language == "en"
    if part in ("notes", "message"):
        assert tools_of(found) == ["end_encounter"]


def test_a18_a_pack_that_cannot_be_read_leaves_what_the_state_alone_says() -> None:
    found = engine(packs=raises).suggest("I attack the goblin", seen("combat", **WON))
    assert tools_of(found) == ["end_encounter"]
    assert [error.rule_id for error in found.errors] == ["pack"]


def test_arguments_that_a_tool_does_not_take_are_dropped_and_counted() -> None:
    def fit(tool: str, arguments: Any) -> tuple[dict[str, Any], tuple[str, ...]]:
        assert tool == "manage_inventory"
        return {"operation": arguments["operation"]}, ("item_name",)

    found = engine(fit_arguments=fit).suggest("I take the lantern.", seen())
    assert [one.arguments for one in found.suggestions] == [{"operation": "give"}]
    assert found.dropped_arguments == ("manage_inventory.item_name",)
    broken = engine(fit_arguments=raises).suggest("I take the lantern.", seen())
    assert [one.arguments for one in broken.suggestions] == [None]
    assert [error.rule_id for error in broken.errors] == ["arguments"]


def test_a23_no_rule_fails_on_any_labelled_message() -> None:
    suggestor = engine()
    assert [
        case.id for case in CASES if suggestor.suggest(case.message, seen(case.agent, **context_of(case))).errors
    ] == []
    assert set(suggestor.failed_in_a_row.values()) <= {0}


# settings


def test_rules_can_be_switched_off() -> None:
    tuning = Tuning(disabled_rules=("r18_check", "r99_none"))
    assert tools_of(look("I search the desk.")) == ["roll_check"]
    assert tools_of(look("I search the desk.", tuning=tuning)) == []


def test_the_threshold_is_what_is_asked_for() -> None:
    request = "May I take the lantern?"
    assert tools_of(look(request)) == []
    assert [one.confidence for one in look(request, tuning=Tuning(min_confidence=0.4)).suggestions] == [0.45]
    assert tools_of(look("I take the lantern.", tuning=Tuning(min_confidence=0.95))) == []


# languages


def test_a_language_without_a_pack_leaves_what_the_state_alone_says_and_is_told() -> None:
    found = look("Ich greife an", "combat", **WON, language="xx")
    assert tools_of(found) == ["end_encounter"]
    assert [one.cause for one in found.suppressed] == ["lang_unsupported"]
    assert "The message is in a language without word lists; hints come from the state alone." in found.context_notes


def test_what_a_pack_of_another_language_lacks_is_silent() -> None:
    def packs(_: str) -> Pack | None:
        pack = PACKS.of("en")
        assert pack is not None
        return Pack("en", pack.grammar, {}, {}, "none")

    assert engine(packs=packs).suggest("I take the lantern", seen()).suggestions == ()


# notes


def test_notes_are_few_and_short() -> None:
    found = look("x" * 5000, "combat", **FIGHT, **QUEST, language="xx")
    assert 1 <= len(found.context_notes) <= 4
    assert all(len(note) < 120 for note in found.context_notes)


def test_a_place_that_cannot_be_reached_gets_no_hint_but_a_note() -> None:
    found = look(
        "I go to the Salt Mine.",
        allowlist=["move"],
        actor={"id": "pc_001"},
        areas={
            "reachable": [{"id": "area_002", "name": "Harbour"}],
            "known": [{"id": "area_009", "name": "Salt Mine"}],
        },
    )
    assert found.suggestions == ()
    assert found.context_notes == ("Reachable from here: Harbour.",)
    assert [one.cause for one in found.suppressed] == ["not_reachable"]


AREAS = {
    "current": {"id": "area_001", "name": "Starting Area"},
    "reachable": [{"id": "area_002", "name": "Next Area"}, {"id": "area_004", "name": "Broken Bridge"}],
    "known": [
        {"id": "area_001", "name": "Starting Area"},
        {"id": "area_003", "name": "Forbidden Area"},
        {"id": "area_005", "name": "Old Bridge"},
        {"id": "area_006", "name": "Damp Cellar"},
        {"id": "area_007", "name": "Tower of Sighs"},
    ],
}


@pytest.mark.parametrize(
    ("message", "area_id"),
    [
        ("I go back to the Starting Area.", None),
        ("I head for the Forbidden Area.", None),
        ("I go to the Next Area.", "area_002"),
        ("I go to the area.", None),
        ("I walk to the Old Bridge.", None),
        ("I head north to the old bridge.", None),
        ("I walk to the Broken Bridge.", "area_004"),
        ("I walk to the broken bridge, of course.", "area_004"),
        ("I walk to the bridge.", None),
        ("I cross the bridge of sorrows.", None),
        ("I follow the old bridge.", None),
    ],
)
def test_a_move_leads_where_the_message_says_and_to_no_other_place_of_that_kind(
    message: str, area_id: str | None
) -> None:
    found = look(message, allowlist=["move"], actor={"id": "pc_001"}, areas=AREAS)
    assert [(one.arguments or {}).get("to_area_id") for one in found.suggestions] == ([area_id] if area_id else [])


@pytest.mark.parametrize(
    ("language", "message", "place"),
    [
        ("en", "I walk to the Old Bridge.", "Old Bridge"),
        ("en", "I walk to the bridge.", None),
        ("en", "I walk to the cellar.", "Damp Cellar"),
        ("en", "I walk to the wine cellar.", "wine cellar"),
        ("en", "I walk to the Gate of Sighs.", "Gate"),
        ("de", "Ich gehe zur alten Brücke.", "Alte Brücke"),
        ("de", "Ich gehe zur steinernen Brücke.", "steinernen Brücke"),
        ("es", "Voy al puente.", "Puente de Hierro"),
        ("es", "Voy al puente roto.", "puente roto"),
        ("es", "Voy a la puerta de hierro.", "puerta"),
    ],
)
def test_a_place_is_known_by_its_last_word_alone_where_no_other_word_speaks_against_it(
    language: str, message: str, place: str | None
) -> None:
    known = {"de": ["Alte Brücke"], "es": ["Puente de Hierro"]}.get(language, AREAS["known"])
    areas = {"reachable": ["Broken Bridge"], "known": known}
    (told,) = [one for one in look(message, language=language, areas=areas).suggestions if one.intent == "travel"]
    assert (told.arguments or {}).get("to_location_name") == place


def test_which_of_several_known_places_is_meant_is_no_reason_to_draw_a_new_one() -> None:
    found = look("I walk to the bridge.", areas=AREAS, actor={"id": "pc_001"})
    assert [one.intent for one in found.suggestions] == ["travel"]


GROUNDS = (
    "Market Square",
    "Temple of Dawn",
    "Distrito de los Muelles",
    "Place du Marché",
    "Distrito do Cemitério",
    "Castle Road",
)


@pytest.mark.parametrize(
    ("language", "message", "place"),
    [
        ("en", "I walk to the market.", "Market Square"),
        ("en", "We head for the temple.", "Temple of Dawn"),
        ("es", "Vamos a los muelles.", "Distrito de los Muelles"),
        ("fr", "Nous allons au marché.", "Place du Marché"),
        ("pt", "Vamos ao cemitério.", "Distrito do Cemitério"),
    ],
)
def test_a_place_is_meant_by_what_its_name_is_about(language: str, message: str, place: str) -> None:
    known = [{"id": f"l{i}", "name": name} for i, name in enumerate(GROUNDS)]
    for near in ("reachable", "known"):
        [told] = look(message, language=language, areas={near: known}).suggestions
        assert (told.intent, (told.arguments or {}).get("to_location_name")) == ("travel", place)


@pytest.mark.parametrize(
    ("message", "name"),
    [
        ("I walk to the fish market.", "fish market"),
        ("I walk to the market hall.", "market hall"),
        ("We go to the temple of Night.", "temple"),
        ("We ride to the castle.", "castle"),
    ],
)
def test_and_not_where_another_word_says_otherwise(message: str, name: str) -> None:
    found = look(message, areas={"known": [{"id": f"l{i}", "name": one} for i, one in enumerate(GROUNDS)]})
    assert {one.intent: (one.arguments or {}).get("to_location_name", name) for one in found.suggestions} == {
        "travel": name,
        "map.new": name,
    }


def test_of_several_places_about_one_thing_none_is_named() -> None:
    found = look("I walk to the market.", areas={"known": ["Market Square", "Market Ward"]})
    assert [(one.intent, one.arguments) for one in found.suggestions] == [("travel", {"operation": "move"})]


TAVERN: dict[str, Any] = {
    "actor": {"id": "pc_001", "name": "Mira"},
    "party": [{"id": "pc_001", "name": "Mira"}, {"id": "pc_002", "name": "Tobin"}],
    "npcs_present": [{"id": "npc_1", "name": "Gruff"}],
    "items": {"area": []},
}


@pytest.mark.parametrize(
    "message",
    [
        "I hit on Gruff.",
        "I hit Gruff up for information.",
        "I fire Gruff.",
        "I loot the chest.",
        "We loot the bodies.",
        "Gruff joins us at the table.",
        "I leave Gruff to his drink.",
        "I dismiss Gruff.",
        "I spend the night drinking with Gruff.",
        "I camp it up for the crowd.",
        "I take a swig of ale.",
        "Take this, you fiend!",
        "Take that you fiend!",
        "Here, take this, fiend!",
        "I swing my lantern at the wall.",
        "Quick rest?",
        "A quick rest would be nice.",
        "I take a napkin off my lap?",
    ],
)
def test_a_fixed_phrase_is_not_what_its_verb_says_alone(message: str) -> None:
    assert look(message, **TAVERN).suggestions == ()


@pytest.mark.parametrize(
    ("message", "tool"),
    [
        ("I hit Gruff.", "create_encounter"),
        ("I swing my longsword at Gruff.", "create_encounter"),
        ("I thrust my rusty spear into the guard.", "create_encounter"),
        ("Quick rest.", "take_rest"),
        ("I take a nap.", "take_rest"),
        ("I fire an arrow at Gruff.", "create_encounter"),
        ("We loot the bodies' weapons.", "manage_inventory"),
        ("Gruff joins us.", "manage_party"),
        ("We leave Tobin behind.", "manage_party"),
        ("We spend the night at the inn.", "take_rest"),
        ("We spend the night keeping watch.", "take_rest"),
        ("We spend the night tending our wounds.", "take_rest"),
        ("I spend the night healing.", "take_rest"),
        ("I buy a round for 3 gp.", "manage_inventory"),
    ],
)
def test_and_the_same_verbs_keep_their_hints(message: str, tool: str) -> None:
    assert tools_of(look(message, **TAVERN)) == [tool]


@pytest.mark.parametrize(
    ("language", "message"),
    [
        ("en", '"We accept your quest," Mira says.'),
        ("en", '"I\'ll do it," Mira tells Lena.'),
        ("en", '"I\'ll do it," says Mira.'),
        ("de", '"Ich nehme den Auftrag an", sagt Mira.'),
        ("es", '"Acepto la misión", dice Mira.'),
        ("fr", '"J\'accepte la mission", dit Mira.'),
        ("pt", '"Aceito a missão", diz Mira.'),
    ],
)
def test_words_that_the_speaker_is_told_to_say_are_its_own(language: str, message: str) -> None:
    people: dict[str, Any] = {
        "actor": {"id": "pc_001", "name": "Mira"},
        "party": [{"id": "pc_001", "name": "Mira"}, {"id": "pc_002", "name": "Tobin"}],
        "npcs_present": [{"id": "npc_1", "name": "Lena"}],
        "pending_offer": {"kind": "quest", "id": "quest-1"},
    }
    for agent in ("narrative", "npc_individual"):
        assert intents_of(look(message, agent, language=language, **people)) == ["quest.accept"]
        for other in ("Tobin", "Lena", "the guard"):
            theirs = message.replace("Lena", "Mira") if other == "Lena" else message
            said = theirs.replace("Mira", other, 1)
            assert look(said, agent, language=language, **people).suggestions == ()


def test_a_thing_that_is_named_for_a_quest_is_none() -> None:
    found = look("I take the quest poster off the wall.", **QUEST)
    assert intents_of(found) == ["item.take"]


@pytest.mark.parametrize(
    ("language", "message", "arguments"),
    [
        ("en", "roll perception", {"check_type": "skill", "skill": "perception"}),
        ("en", "Stealth check, please.", {"check_type": "skill", "skill": "stealth"}),
        ("en", "I roll sleight of hand.", {"check_type": "skill", "skill": "sleight_of_hand"}),
        ("en", "I make a strength check.", {"check_type": "ability", "ability": "strength"}),
        ("en", "I make a strength check to save Gruff.", {"check_type": "ability", "ability": "strength"}),
        ("en", "I make a dexterity saving throw.", {"check_type": "save", "ability": "dexterity"}),
        ("en", "Wisdom save!", {"check_type": "save", "ability": "wisdom"}),
        ("en", "I make a saving throw.", {"check_type": "save"}),
        ("en", "I make a check.", None),
        ("de", "Ich würfle auf Wahrnehmung.", {"check_type": "skill", "skill": "perception"}),
        ("es", "Hago una tirada de juego de manos.", {"check_type": "skill", "skill": "sleight_of_hand"}),
        ("fr", "Je lance discrétion.", {"check_type": "skill", "skill": "stealth"}),
        ("pt", "Faço um teste de furtividade.", {"check_type": "skill", "skill": "stealth"}),
    ],
)
def test_a_check_that_is_called_for_is_of_the_skill_that_is_named(
    language: str, message: str, arguments: dict[str, str] | None
) -> None:
    [told] = look(message, language=language).suggestions
    assert (told.tool, told.arguments) == ("roll_check", arguments)


RATS: dict[str, Any] = {
    "quests": [
        {
            "id": "quest-1",
            "title": "Rats in the cellar",
            "giver_id": "npc_lena",
            "objectives": [
                {"id": "objective-1", "text": "Kill the rat king"},
                {"id": "objective-2", "text": "Reach the old well"},
            ],
        }
    ],
    "areas": {"known": ["Wine Cellar"]},
    "allowlist": ["manage_quest"],
}


@pytest.mark.parametrize(
    "message",
    [
        "I light a torch in the cellar.",
        "I open the cellar door.",
        "I head back to the cellar stairs and rest my feet.",
        "I head back to the inn.",
        "I open the well.",
    ],
)
def test_a_deed_where_a_quest_takes_place_is_no_objective_done(message: str) -> None:
    assert look(message, **RATS).suggestions == ()


@pytest.mark.parametrize(
    ("message", "objective"),
    [
        ("I kill the rat king.", "objective-1"),
        ("We reach the well.", "objective-2"),
        ("I return to Lena.", None),
        ("I tell Lena that the rats are dead.", None),
    ],
)
def test_an_objective_that_is_named_is_told_by_its_id(message: str, objective: str | None) -> None:
    [told] = look(message, **RATS).suggestions
    assert told.operation == "complete_objective"
    assert (told.arguments or {}).get("objective_id") == objective


@pytest.mark.parametrize(
    ("message", "objective"),
    [
        ("I tell Lena the rats are dead.", None),
        ("We report back to Lena.", None),
        ("I tell Lena that we found the crown.", "objective-1"),
        ("I give the crown to Lena.", "objective-1"),
    ],
)
def test_whom_one_speaks_to_is_not_what_an_objective_is_about(message: str, objective: str | None) -> None:
    lost = {
        "id": "quest-1",
        "title": "The Lost Heirloom",
        "giver_id": "npc_lena",
        "objectives": [{"id": "objective-1", "text": "Bring the crown to Lena"}],
    }
    here = {**TAVERN, "quests": [lost], "npcs_present": [{"id": "npc_lena", "name": "Lena"}]}
    [told] = [one for one in look(message, **here).suggestions if one.tool == "manage_quest"]
    assert (told.arguments or {}).get("objective_id") == objective


@pytest.mark.parametrize(
    ("language", "message", "place"),
    [
        ("en", "I leave the tavern.", None),
        ("en", "We exit the tavern and walk to the market.", "market"),
        ("en", "We leave the tavern and head north.", None),
        ("en", "I leave the Rusty Anchor.", "Harbour"),
        ("en", "We leave the Rusty Anchor at dawn.", "Harbour"),
        ("en", "I leave the Rusty Anchor through the back door, humming.", "Harbour"),
        ("en", "Down the stairs I go.", None),
        ("en", "I go outside.", None),
        ("en", "I head north.", None),
        ("de", "Wir verlassen das Gasthaus.", None),
        ("de", "Wir verlassen das Gasthaus und gehen zum Markt.", "Markt"),
        ("de", "Wir verlassen den Rusty Anchor.", "Harbour"),
        ("de", "Ich gehe die Treppe hinunter.", None),
        ("es", "Salimos de la taberna.", None),
        ("es", "Salimos del Rusty Anchor.", "Harbour"),
        ("fr", "Nous quittons la taverne.", None),
        ("fr", "Nous quittons le Rusty Anchor.", "Harbour"),
        ("fr", "Je prends l'escalier.", None),
        ("pt", "Saímos da taverna.", None),
        ("pt", "Saímos do Rusty Anchor.", "Harbour"),
    ],
)
def test_what_is_left_and_what_one_goes_through_is_not_where_the_way_leads(
    language: str, message: str, place: str | None
) -> None:
    areas = {"place": {"id": "l1", "name": "Rusty Anchor"}, "exits": ["Harbour"]}
    told = {one.intent: one.arguments or {} for one in look(message, language=language, areas=areas).suggestions}
    assert told.pop("travel").get("to_location_name") == place
    assert [one.get("theme") for one in told.values()] == ([place] if place not in (None, "Harbour") else [])


@pytest.mark.parametrize(
    "message",
    [
        "I leave the sword in the Rusty Anchor.",
        "I leave Gruff.",
        "I leave the bench.",
        "I leave the Rusty Anchor to Gruff.",
        "I leave the tavern to Gruff.",
        "I leave the Rusty Anchor in peace.",
        "I leave Castle Black out of the story.",
        "I leave Castle Black.",
    ],
)
def test_who_leaves_a_thing_or_somebody_behind_goes_nowhere(message: str) -> None:
    areas = {"place": {"id": "l1", "name": "Rusty Anchor"}, "exits": ["Harbour"], "known": ["Castle Black"]}
    assert look(message, **TAVERN, areas=areas).suggestions == ()


def test_a_character_is_told_nothing_of_a_fight() -> None:
    for agent in ("npc_individual", "npc_puppeteer"):
        assert not any(
            "Encounter" in note or "Reachable" in note for note in look("Hello", agent, **FIGHT).context_notes
        )


def test_a_message_that_is_too_long_is_read_at_both_ends() -> None:
    found = look("I take the lantern. " + "The rain falls. " * 400 + "I pick the lock.")
    assert {"manage_inventory", "roll_check"} <= set(tools_of(found))
    assert any(note.startswith("message_truncated") for note in found.context_notes)
    middle = look("The rain falls. " * 400 + "I take the lantern. " + "The rain falls. " * 400)
    assert tools_of(middle) == []


# the same in, the same out


def test_a19_the_same_message_gives_the_same_bytes() -> None:
    for case in CASES[::5]:
        snapshot = seen(case.agent, **context_of(case))
        assert repr(suggest(case.message, snapshot)) == repr(suggest(case.message, snapshot))


PRINTED = """
import hashlib, json, sys
from scripts.bench_suggest.cases import read_cases
from turnwright.suggestions.snapshot import Snapshot, agent_kind
from turnwright.rulesets.suggesting import suggest
from turnwright.suggestions.snapshot_overrides import with_overrides
from turnwright.rulesets.toolbox import TOOLS
for case in [case for case in read_cases("all") if case.context["language"] == "en"][::3]:
    seen, _ = with_overrides(Snapshot(agent=agent_kind(case.agent), registry=frozenset(TOOLS)), case.context)
    print(repr(suggest(case.message, seen)))
"""


def test_a19_the_hash_seed_of_the_process_decides_nothing() -> None:
    outputs = set()
    for hash_seed in ("1", "4242"):
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONUTF8": "1"}
        done = subprocess.run(
            [sys.executable, "-c", PRINTED], cwd=ROOT, env=environment, capture_output=True, check=True, timeout=120
        )
        outputs.add(done.stdout)
    assert len(outputs) == 1
    assert len(next(iter(outputs)).splitlines()) >= 200


@settings(max_examples=tries(190))
@given(text=st.text(max_size=600), agent=st.sampled_from(list(AgentKind)), speaker=st.sampled_from(["player", "npc"]))
def test_a24_no_text_makes_it_fail(text: str, agent: AgentKind, speaker: str) -> None:
    found_in_any_state(text, agent, speaker)


@pytest.mark.slow
@settings(max_examples=10_000)
@given(text=st.text(max_size=5000), agent=st.sampled_from(list(AgentKind)), speaker=st.sampled_from(["player", "npc"]))
def test_a24_no_text_makes_it_fail_in_ten_thousand_trials(text: str, agent: AgentKind, speaker: str) -> None:
    found_in_any_state(text, agent, speaker)


def found_in_any_state(text: str, agent: AgentKind, speaker: str) -> None:
    for state in ({}, {**FIGHT, **QUEST}):
        found: SuggestionSet = look(text, agent.value, speaker=speaker, language=None, **state)
        assert found.errors == ()
        json.dumps(found.as_json())


@pytest.mark.parametrize("name", ["Captain Voss", "Voss", "Voss the Lame", "captain voss"])
def test_an_order_to_somebody_present_is_no_act_of_the_player(name: str) -> None:
    given: dict[str, Any] = {"items": {"actor": ["key"]}, "npcs_present": [{"id": "npc_voss", "name": name}]}
    assert tools_of(look("Hand over the key, Voss, or I walk.", **given)) == []
    assert tools_of(look("I hand Voss the key.", **given)) == ["manage_inventory"]


# time


LONG = {
    "a trigger again and again": "take the sword ",
    "open quotes": '"',
    "open quotes and words": '"I take ',
    "prose": "The rain falls on the old harbour, and nobody but the gulls is about. ",
    "many clauses": "I take it and go and ",
    "negations": "not never no ",
    "dashes": "- -- ",
    "one long word": "a",
    "spaces": " ",
    "questions": "do I? ",
    "names": "@bran ",
    "adverbs in one word": "ly",
    "adverbs": "really ",
    "commas": ", ",
    "leads": "and, well, ",
    "own reports": "I say so and ",
    "reports": "he says he says ",
    "memories": "when I was once ",
    "names before verbs": "Bran takes ",
    "articles": "the ",
    "coins": "5 gold 5 ",
    "yes": "yes ",
    "everybody": "they all both ",
    "hyphens": "a-b-",
    "apostrophes": "i'm i've ",
    "quotations of others": '"a" he says ',
    "signs": 'the sign says "x" ',
    "stars": "*nods* ",
    "thumbs": "👍",
    "thumbs and hands": "👍 👌",
    "words in quotation marks": '"a" ',
    "sentences of a letter": "a. ",
    "lines": "\n",
    "letters that grow when lowered": "\u0130",
    "letters of full width": "\uff41\uff42",
}


def looked_at(text: str, language: str = "en") -> Callable[[int], Work]:
    """Return what gives a look at the beginning of a text, by its length."""
    snapshot = seen(language=language)
    return lambda size: lambda: suggest(text[:size], snapshot)


@pytest.mark.parametrize("name", sampled(LONG, 9))
def test_a21_time_grows_no_faster_than_the_message(name: str) -> None:
    look_at = looked_at(LONG[name] * 40_000)
    assert growth(look_at, 125, 500, 2.5, repeat=3) < 2.5
    assert growth(look_at, 4_000, 40_000, 2) < 2


@pytest.mark.parametrize("language", sampled(RECOGNIZED, 2))
def test_a21_no_words_of_a_pack_take_long(language: str) -> None:
    pack = PACKS.of(language)
    assert pack is not None
    groups = [*pack.grammar.data.get("words", {}).values(), *map(" ".join, map(sorted, pack.lists.values()))]
    for words in groups:
        look_at = looked_at((words.replace("_", " ") + " ") * 4000, language)
        assert growth(look_at, 1000, 4000, 2) < 2, words[:40]


BLOW = {"tool": "execute_action", "round": 2, "result": {"target": "pc_001", "damage": 7}}
SAVE = {"tool": "manage_concentration", "round": 2}


@pytest.mark.parametrize(("calls", "is_due"), [([BLOW], True), ([BLOW, SAVE], False), ([BLOW, SAVE, BLOW], True)])
def test_a_save_for_concentration_is_due_once_a_blow_and_named_as_the_tool_has_it(
    calls: list[Any], is_due: bool
) -> None:
    fight = {"active": True, "id": "encounter-1", "enemies_alive": 1, "round": 2}
    mira = {"id": "pc_001", "name": "Mira", "hp": 9, "concentration": "Bless"}
    found = look("Hm.", "combat", encounter=fight, actor=mira, recent_calls=calls)
    due = {"operation": "check", "character_id": "pc_001", "damage_amount": 7}
    assert [one.arguments for one in found.suggestions] == ([due] if is_due else [])
