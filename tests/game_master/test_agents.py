"""Who answers, what it runs on, and which tools it may ask for."""

from __future__ import annotations

from typing import Any

import pytest
from tests.builders import Json, call, person
from tests.game_master.city import values as city
from tests.game_master.city import world_of
from tests.game_master.table import PARTY, fight, fighter, values

from turnwright.game_master.agents import (
    Chosen,
    DueTurn,
    choose_agent,
    chosen_as,
    due_agent_turn,
    limits_of,
    model_of,
)
from turnwright.game_master.tool_permissions import own_tools, permission_failure, tools_for
from turnwright.model.settings import Settings, settings_of
from turnwright.model.wire.agent import SPEAKERS, AgentKind
from turnwright.rulesets.agent_tools import OPERATIONS_OF, OWN_STEPS, TOOLS_OF
from turnwright.rulesets.toolbox import TOOLS

NARRATIVE, COMBAT, INDIVIDUAL, PUPPETEER, SUMMARIZER = SPEAKERS
OWN_AGENT = {"agents": {"individual_npcs": ["marrow"]}}


def chosen(message: str, documents: dict[str, Json] | None = None, **keys: Any) -> Chosen:
    return choose_agent(world_of(documents or values()), message, **keys)


# who answers


@pytest.mark.parametrize(
    "mention", ["@marrow", "@Old Marrow", "@old marrow", "@Old_Marrow", "@Marrow", "(@Marrow)", "Well, @Marrow,"]
)
def test_whoever_is_named_answers(mention: str) -> None:
    assert chosen(f"{mention} what now?") == Chosen(PUPPETEER, "marrow", ("marrow",))


def test_a_character_with_an_agent_of_its_own_is_played_by_it() -> None:
    assert chosen("@Marrow hello", values(settings=OWN_AGENT)).agent is INDIVIDUAL
    assert chosen("@guard hello", values(settings=OWN_AGENT)).agent is PUPPETEER
    assert chosen("@Marrow hello", settings=settings_of(OWN_AGENT)).agent is INDIVIDUAL


@pytest.mark.parametrize(
    "message",
    [
        "Hello.",
        "",
        "@nobody hello",
        "@Joss hello",
        "@Mira hello",
        "@",
        "mail me@marrow.example",
        "@@marrow",
        "@ marrow",
    ],
)
def test_otherwise_the_narrator_answers(message: str) -> None:
    assert chosen(message) == Chosen(NARRATIVE)


def test_who_is_dead_does_not_answer() -> None:
    dead = person("marrow", name="Old Marrow", character_type="npc", position="mill", hp=0, character_state="dead")
    assert chosen("@Marrow hello", values(documents={"characters/marrow.json": dead})) == Chosen(NARRATIVE)


def test_another_player_s_character_is_addressed_but_played_by_nobody() -> None:
    assert chosen("@Brom hello") == Chosen(NARRATIVE, None, ("brom",))


def test_the_first_of_several_who_is_played_answers() -> None:
    assert chosen("@Brom @guard @Marrow look") == Chosen(PUPPETEER, "guard", ("brom", "guard", "marrow"))


def test_a_word_that_two_names_share_names_nobody() -> None:
    other = person("other", name="Young Marrow", character_type="npc", position="mill")
    documents = values(documents={"characters/other.json": other})
    assert chosen("@Marrow hello", documents) == Chosen(NARRATIVE)
    assert chosen("@Young Marrow hello", documents).npc_id == "other"


def test_a_private_word_stays_private() -> None:
    assert chosen("@Marrow psst", private=True) == Chosen(PUPPETEER, "marrow", ("marrow",), True)
    assert chosen("psst", private=True) == Chosen(NARRATIVE, None, (), True)


def test_who_speaks_decides_who_is_there() -> None:
    documents = values(documents={"characters/brom.json": person("brom", name="Brom", position="ford")})
    assert chosen("@Joss hello", documents, actor_id="brom").npc_id == "far"
    assert chosen("@Marrow hello", documents, actor_id="brom").npc_id is None


def test_who_has_no_position_is_in_the_place_that_is_written_of_them() -> None:
    people = {
        "marrow": {"name": "Marrow", "character_type": "npc", "location": "location-1"},
        "guard": {"name": "Guard", "character_type": "npc"},
        "far": {"name": "Far", "character_type": "npc", "location": "location-2"},
    }
    placeless = {f"characters/{one}.json": person(one, **{**of, "position": None}) for one, of in people.items()}
    documents = values(party=["mira"], documents=placeless)
    answering = [chosen(f"@{name} hello", documents).npc_id for name in ("marrow", "guard", "far")]
    assert answering == ["marrow", None, None]


def test_with_a_party_that_is_nowhere_everybody_who_is_nowhere_is_there() -> None:
    people = {
        "mira": {"name": "Mira"},
        "guard": {"name": "Guard", "character_type": "npc"},
    }
    placeless = {f"characters/{one}.json": person(one, **{**of, "position": None}) for one, of in people.items()}
    assert chosen("@guard hello", values(party=["mira"], documents=placeless)).npc_id == "guard"


def test_in_a_fight_the_agent_of_fights_answers() -> None:
    documents = values(fight=fight())
    assert chosen("I strike.", documents) == Chosen(COMBAT)
    assert chosen("@Marrow run!", documents).agent is PUPPETEER


def test_a_fight_that_has_ended_is_none() -> None:
    assert chosen("I go.", values(fight={**fight(), "status": "ended", "outcome": "fled"})) == Chosen(NARRATIVE)


def test_on_an_ally_s_turn_the_message_is_what_the_ally_does() -> None:
    documents = values(fight=fight(fighter("marrow"), fighter("wolf", is_enemy=True)))
    assert chosen("He strikes.", documents) == Chosen(COMBAT, "marrow", (), False, True)


def test_in_a_scene_game_the_game_master_plays_everybody() -> None:
    assert chosen("@Marrow hello", city("encounter")).agent is NARRATIVE


def test_another_agent_can_be_asked_for() -> None:
    world, settings = world_of(values(settings=OWN_AGENT)), settings_of(OWN_AGENT)
    default = choose_agent(world, "Hello.")
    assert chosen_as(world, settings, NARRATIVE, default) is default
    assert chosen_as(world, settings, COMBAT, default) == Chosen(COMBAT)
    assert chosen_as(world, settings, INDIVIDUAL, default) == Chosen(INDIVIDUAL, "marrow", ("marrow",))
    assert chosen_as(world, settings, PUPPETEER, default) == Chosen(PUPPETEER, "guard", ("guard",))


# turns that nobody plays


@pytest.mark.parametrize(
    ("people", "due"),
    [
        ([fighter("wolf", is_enemy=True), fighter("mira")], ("wolf", "enemy")),
        ([fighter("marrow"), fighter("wolf", is_enemy=True)], ("marrow", "ally")),
        ([fighter("mira"), fighter("wolf", is_enemy=True)], None),
    ],
)
def test_enemies_and_allies_take_their_turns_unasked(people: list[Json], due: tuple[str, str] | None) -> None:
    found = due_agent_turn(world_of(values(fight=fight(*people))))
    assert (found and (found.character_id, found.side)) == due


def test_somebody_who_exists_in_the_fight_alone_has_a_turn_too() -> None:
    body = person("goblin", name="Goblin", character_type="enemy", hp=5, max_hp=7, position=None)
    goblin = {**fighter("goblin", is_enemy=True), "body": body}
    del goblin["character_id"]
    found = due_agent_turn(world_of(values(fight=fight(goblin, fighter("mira")))))
    assert found == DueTurn("encounter-1", "goblin", None, "Goblin", "enemy")


def test_without_a_fight_or_with_all_down_nobody_s_turn_is_due() -> None:
    assert due_agent_turn(world_of(values())) is None
    down = {
        f"characters/{one}.json": person(one, hp=0, max_hp=9, character_type=kind, character_state="dying")
        for one, kind in (("wolf", "enemy"), ("mira", "pc"))
    }
    documents = values(fight=fight(fighter("wolf", is_enemy=True), fighter("mira")), documents=down)
    assert due_agent_turn(world_of(documents)) is None


# what it runs on


@pytest.mark.parametrize(
    ("agents", "models"),
    [
        ({}, ["", "", "", "", ""]),
        ({"default_model": "small"}, ["small"] * 5),
        ({"default_model": "small", "larger_model": "big"}, ["small", "small", "big", "big", "small"]),
        ({"default_model": "small", "combat": {"model": "own"}}, ["small", "own", "small", "small", "small"]),
    ],
)
def test_each_agent_has_a_model(agents: Json, models: list[str]) -> None:
    settings = Settings({"agents": agents})
    assert [model_of(settings, agent) for agent in SPEAKERS] == models


def test_those_who_are_somebody_run_on_the_larger_model_a_little_cooler() -> None:
    settings = Settings({"agents": {"default_model": "small", "larger_model": "big"}})
    assert [limits_of(settings, agent).temperature for agent in (INDIVIDUAL, PUPPETEER)] == [0.7, 0.7]
    assert limits_of(settings, NARRATIVE, seed=4).seed == 4
    assert limits_of(Settings({"agents": {"timeout_seconds": 9}}), COMBAT).timeout == 9.0


# what it may ask for


def test_all_tools_of_all_agents_exist() -> None:
    assert {name for tools in TOOLS_OF.values() for name in tools} <= set(TOOLS)
    assert set(TOOLS) - {name for tools in TOOLS_OF.values() for name in tools} == {
        "delete_character",
        "manage_encounter",
    }


@pytest.mark.parametrize("agent", [INDIVIDUAL, PUPPETEER])
def test_nobody_who_is_played_fights_rests_travels_or_changes_the_party(agent: AgentKind) -> None:
    never = {"execute_action", "advance_turn", "end_encounter", "create_encounter", "manage_encounter"}
    never |= {"take_rest", "move_party", "manage_party", "hp_delta", "update_character", "create_character"}
    assert not TOOLS_OF[agent] & never


def test_the_agent_of_fights_has_no_quests_rests_or_travel() -> None:
    assert not TOOLS_OF[COMBAT] & {"manage_quest", "take_rest", "move", "move_party", "manage_party", "map_generate"}


def test_the_narrator_does_not_run_fights() -> None:
    assert not TOOLS_OF[NARRATIVE] & {"execute_action", "advance_turn", "end_encounter"}


@pytest.mark.parametrize("agent", [SUMMARIZER, AgentKind.SUGGESTOR, AgentKind.VERIFIER])
def test_who_only_advises_or_sums_up_has_no_tools(agent: AgentKind) -> None:
    assert TOOLS_OF[agent] == frozenset()


def test_the_puppeteer_completes_no_quests() -> None:
    assert {"complete", "complete_objective"} <= set(OPERATIONS_OF[INDIVIDUAL]["manage_quest"])
    assert not {"complete", "complete_objective"} & set(OPERATIONS_OF[PUPPETEER]["manage_quest"])


def test_only_members_of_the_party_take_steps_of_their_own() -> None:
    inside = world_of(values(party=[*PARTY, "marrow"]))
    assert set(tools_for(inside, Chosen(INDIVIDUAL, "marrow"))) >= OWN_STEPS
    assert not set(tools_for(inside, Chosen(INDIVIDUAL, "guard"))) & OWN_STEPS
    assert not set(tools_for(inside, Chosen(INDIVIDUAL, None))) & OWN_STEPS


def test_the_allowlist_narrows_what_an_agent_has() -> None:
    world = world_of(values(allowlist=["move", "hp_delta", "execute_action", "no_tool"]))
    assert tools_for(world, Chosen(NARRATIVE)) == ("move", "hp_delta")
    assert tools_for(world, Chosen(COMBAT)) == ("hp_delta", "execute_action")
    assert tools_for(world, Chosen(PUPPETEER, "guard")) == ()


# what it may not


@pytest.mark.parametrize(
    ("given", "agent"),
    [
        (call("manage_inventory", operation="give"), PUPPETEER),
        (call("manage_inventory", operation="Hand over"), PUPPETEER),
        (call("manage_quest", operation="offer", title="x"), PUPPETEER),
        (call("manage_quest", operation="complete", quest_id="quest-1"), INDIVIDUAL),
        (call("manage_quest", batch=[{"operation": "offer"}, {"operation": "start"}]), PUPPETEER),
        (call("manage_quest"), PUPPETEER),
        (call("no_such_tool"), PUPPETEER),
        ("no call", PUPPETEER),
        ({"id": 1, "tool": 2}, PUPPETEER),
    ],
)
def test_calls_that_an_agent_may_make_are_left_to_the_engine(given: Any, agent: AgentKind) -> None:
    world = world_of(values())
    chosen = Chosen(agent, "guard")
    assert permission_failure(given, own_tools(world, chosen), OPERATIONS_OF[agent]) is None


@pytest.mark.parametrize(
    "given",
    [
        call("execute_action", encounter_id="encounter-1"),
        call("resolve_attack", attacker_id="mira"),
        call("apply_damage", target_id="mira", damage=3),
        call("create_location", name="x"),
        call("manage_quest", operation="complete", quest_id="quest-1"),
        call("manage_quest", operation="Complete Objective"),
        call("manage_quest", operation="finish"),
        call("manage_inventory", operation="list"),
        call("manage_inventory", operation="View"),
        call("manage_notes", operation="look"),
        call("search_notes", query="wolf"),
        call("manage_quest", batch=[{"operation": "offer"}, {"operation": "complete"}]),
        call("manage_quest", Batch=[{"operation": "offer"}, {"Operation": "complete"}]),
        call("manage_quest", Operation="complete", quest_id="quest-1"),
        call("complete_quest", quest_id="quest-1"),
        call("complete_quest", quest_id="quest-1", operation="offer"),
    ],
)
def test_calls_beyond_an_agent_are_refused_as_the_engine_would(given: Json) -> None:
    world = world_of(values())
    chosen = Chosen(PUPPETEER, "guard")
    feedback = permission_failure(given, own_tools(world, chosen), OPERATIONS_OF[PUPPETEER], ["manage_quest"])
    assert feedback is not None
    assert (feedback["id"], feedback["tool"]) == ("call_001", given["tool"])
    assert (feedback["status"], feedback["reason"]) == ("rejected", "tool_not_allowed")
    assert feedback["hint"]["choices"]
