"""What each agent is told, and what goes first when there is little room."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.builders import Json, person
from tests.game_master.city import world_of
from tests.game_master.table import HIDDEN, PARTY, PRIVATE, Log, briefed, fight, fighter, values
from tests.sampling import tries

from turnwright.game_master.agents import due_agent_turn
from turnwright.game_master.prompts.request_builder import AgentRequest
from turnwright.game_master.prompts.token_budget import Budget, fit, rooms, tokens_of
from turnwright.model.wire.agent import SPEAKERS, AgentKind

NARRATIVE, COMBAT, INDIVIDUAL, PUPPETEER, SUMMARIZER = SPEAKERS
OWN = {"agents": {"individual_npcs": ["marrow"]}}


def section(system: str, heading: str) -> str:
    """Return what stands under a heading; empty where there is none."""
    return system.partition(f"## {heading}\n")[2].partition("\n## ")[0].strip()


def headings(system: str) -> list[str]:
    return re.findall(r"^## (.*)$", system, re.MULTILINE)


# what each is told


def test_the_narrator_knows_the_whole_table() -> None:
    system = briefed(values()).system
    assert section(system, "What it is about") == '"Find the miller\'s brother."\nSo far: "They came over the ford."'
    assert '- "The brother", id "quest-1", active, from "Old Marrow"; "objective-1": "Look' in section(system, "Quests")
    assert f'- "{HIDDEN} The wolf is the brother."' in section(system, "Notes")
    where = section(system, "Where this is")
    assert '- One step away: "The ford", area "ford"' in where
    assert '- One step away: "Granary", area "location-2" (locked)' in where
    assert f'- One step away: "{HIDDEN} cellar", area "location-3" (not found yet)' in where
    assert 'Other places that are known: "Harbour" (id "location-4").' in where
    assert '"9 x Silver piece"' in section(system, "Who speaks")
    assert '"Brom", id "brom", a player\'s character; 20 of 20 HP' in section(system, "The party")
    assert '"Grey wolf", id "wolf", enemy; 10 of 11 HP' in section(system, "Others who are here")


@pytest.mark.parametrize(("agent", "npc"), [(INDIVIDUAL, "Marrow"), (PUPPETEER, "guard")])
@pytest.mark.parametrize("party", [PARTY, [*PARTY, "marrow", "guard"]])
@pytest.mark.parametrize("running", [None, fight()])
def test_who_is_played_knows_nothing_hidden_and_no_enemy_s_hit_points(
    agent: AgentKind, npc: str, party: Sequence[str], running: Json | None
) -> None:
    told = briefed(values(party=party, settings=OWN, fight=running), f"@{npc} hello")
    assert told.agent is agent
    assert HIDDEN not in told.system
    assert '"Grey wolf", id "wolf", enemy\n' in told.system
    assert "of 11 HP" not in told.system
    assert "encounter-1" not in told.system
    assert "What it is about" not in told.system


@pytest.mark.parametrize(
    ("npc", "unseen"), [("marrow", "Grey wolf"), ("guard", "Grey wolf"), ("wolf", "Brom"), ("brom", "Grey wolf")]
)
def test_who_is_played_is_told_of_nobody_who_hides_from_them(npc: str, unseen: str) -> None:
    people = (
        fighter("mira"),
        fighter("brom", hidden=True),
        fighter("guard"),
        fighter("wolf", is_enemy=True, hidden=npc != "wolf"),  # nobody speaks to who hides from them
    )
    documents = values(fight=fight(*people))
    documents["characters/brom.json"]["character_type"] = "npc"
    system = briefed(documents, f"@{npc} who is here?").system
    assert "A guard" in system
    assert ("Grey wolf" in system, "Brom" in system) == (unseen != "Grey wolf", unseen != "Brom")
    assert unseen in briefed(documents, agent=AgentKind.NARRATIVE).system


def test_nobody_in_particular_knows_nothing_either() -> None:
    away = {f"characters/{one}.json": person(one, position="ford") for one in ("marrow", "guard", "wolf")}
    documents = values(documents=away)
    told = briefed(documents, agent=PUPPETEER)
    assert told.npc_id is None
    assert section(told.system, "Who you are") == "Nobody is here to be played."
    assert HIDDEN not in told.system
    assert "## Notes" not in told.system
    assert "## Quests" not in told.system


def test_somebody_knows_themselves() -> None:
    system = briefed(values(settings=OWN), "@Marrow hello").system
    told = section(system, "Who you are")
    assert '- "Old Marrow", id "marrow", npc; 7 of 9 HP' in told
    for line in ('Carries: "Loaf of bread"', 'Wants: "his brother back"', "Towards the party: suspicious", "in halves"):
        assert line in told
    assert section(system, "Notes") == '- "Mira lent me a knife."'
    assert section(system, "Quests").startswith('- "The brother"')
    assert "## Quests" not in briefed(values(), "@guard hello").system


def test_members_are_known_to_members_and_seen_by_others() -> None:
    inside = briefed(values(party=[*PARTY, "marrow"], settings=OWN), "@Marrow hello").system
    outside = briefed(values(settings=OWN), "@Marrow hello").system
    assert '"Rope"' in section(inside, "Who speaks")
    assert "20 of 20 HP" in section(inside, "The party")
    assert section(outside, "Who speaks") == '- "Mira", id "mira", a player\'s character'
    assert "HP" not in section(outside, "The party")


def test_who_is_no_member_is_not_told_where_members_are_whom_they_cannot_see() -> None:
    den = {"position": "ford", "character_state": "dying", "hp": 0}
    for party, is_told in ((PARTY, False), ([*PARTY, "marrow"], True)):
        table = values(party=list(party), settings=OWN)
        table["characters/brom.json"] |= den
        told = section(briefed(table, "@Marrow hello").system, "The party").splitlines()
        [row] = [line for line in told if "Brom" in line]
        assert (row == '- "Brom", id "brom", a player\'s character, not here') is not is_told
        assert ("The ford" in row) is is_told


def test_members_who_are_played_are_told_of_no_way_that_nobody_has_found() -> None:
    ford = {"id": "location-5", "name": "Ford", "area_id": "ford", "discovered": False}
    table = values(party=[*PARTY, "marrow"], settings=OWN, documents={"locations/location-5.json": ford})
    for message, is_told in (("@Marrow where to?", False), ("where to?", True)):
        told = briefed(table, message)
        assert ('area "ford"' in section(told.system, "Where this is")) == is_told
        assert ("move" in told.tool_names) == is_told, "there is no other way out"


def test_the_fight_has_its_rows_in_the_order_of_turns() -> None:
    people = [fighter("mira"), fighter("wolf", is_enemy=True), fighter("marrow")]
    system = briefed(values(fight=fight(*people, turn_index=1))).system
    told = section(system, "The fight")
    assert 'It is the turn of "Wolf", id "wolf" (enemy).' in told
    rows = re.findall(r'^- "\w+", id "(\w+)", (\w+), at 2,3', told, re.MULTILINE)
    assert rows == [("wolf", "enemy"), ("marrow", "ally"), ("mira", "player")]
    assert "Enemies still up: 1." in told
    assert "Where this is" not in system


def test_a_fight_without_enemies_is_to_be_ended() -> None:
    dead = {"characters/wolf.json": person("wolf", character_type="enemy", hp=0, max_hp=9, character_state="dead")}
    system = briefed(values(fight=fight(), documents=dead)).system
    assert "No enemy is left: end it." in section(system, "The fight")


def test_a_turn_nobody_plays_is_the_agent_s() -> None:
    documents = values(fight=fight(fighter("wolf", is_enemy=True), fighter("mira")))
    due = due_agent_turn(world_of(documents))
    told = briefed(documents, None, due=due)
    assert 'Nobody plays "Wolf": you decide what this enemy does' in told.system
    assert told.messages[-1].text == '(It is the turn of "Wolf". Play it, and end it.)'
    assert "Who speaks" not in told.system


def test_on_an_ally_s_turn_the_message_is_the_ally_s() -> None:
    documents = values(fight=fight(fighter("marrow"), fighter("wolf", is_enemy=True)))
    assert '"Old Marrow" is an ally of the party: the message' in briefed(documents, "He hides.").system


def test_a_private_word_is_marked() -> None:
    assert "nobody else hears it" in briefed(values(), "Psst.", private=True).system
    assert "nobody else hears it" not in briefed(values()).system


def test_the_summarizer_is_told_which_way_the_bridge_leads() -> None:
    log = Log()
    log.turn(user_input="I draw.", assistant_text="So it begins.", agent="narrative")
    began = briefed(values(fight=fight()), None, log, agent=SUMMARIZER)
    assert "A fight has begun." in began.system
    assert section(began.system, "What was told") == '"Mira" said:\n> I draw.\n\nThe game master told:\n> So it begins.'
    assert "A fight is over." in briefed(values(), None, log, agent=SUMMARIZER).system
    assert (began.tools, began.tool_names) == ((), ())


def test_the_summarizer_knows_the_fight_that_is_over() -> None:
    log = Log()
    change = {"encounters/encounter-1.json": [{"op": "replace", "path": "/status", "value": "ended"}]}
    log.turn(user_input="I strike.", assistant_text="It falls.", agent="combat", changes=change)
    documents = values(fight={**fight(), "status": "ended", "outcome": "victory"})
    assert "> It falls." in briefed(documents, None, log, agent=SUMMARIZER).system


def test_bridges_are_told_to_the_narrator_and_are_no_part_of_the_talk() -> None:
    log = Log()
    log.turn(assistant_text="The wolf fled.", agent="summarizer")
    told = briefed(values(), "On we go.", log)
    assert section(told.system, "What happened before") == "> The wolf fled."
    assert len(told.messages) == 1


# the conversation


def test_the_conversation_is_in_order_and_ends_with_the_message() -> None:
    log = Log()
    log.turn(user_input="I knock.", assistant_text="Nobody comes.")
    told = briefed(values(party=["mira"]), "I knock again.", log)
    said = [(one.role, one.text) for one in told.messages]
    assert said == [("player", "I knock."), ("game_master", "Nobody comes."), ("player", "I knock again.")]


def test_a_message_that_is_recorded_already_is_said_once() -> None:
    log = Log()
    log.turn(user_input="I knock.")
    log.turn(tool_calls=[], agent="narrative")
    assert [one.text for one in briefed(values(party=["mira"]), "I knock.", log).messages] == ["I knock."]
    log.turn(assistant_text="Nobody comes.", agent="narrative")
    assert len(briefed(values(party=["mira"]), "I knock.", log).messages) == 3


def test_where_several_play_each_message_says_whose_it_is() -> None:
    log = Log()
    log.turn(user_input="I knock.\nBrom: I give Mira my axe.", actor_id="mira")
    log.turn(assistant_text="Nobody comes.", agent="narrative")
    said = [one.text for one in briefed(values(), "I wait.", log, actor_id="brom").messages]
    assert said == [
        '"Mira" says:\n> I knock.\n> Brom: I give Mira my axe.',
        "Nobody comes.",
        '"Brom" says:\n> I wait.',
    ]


def test_without_words_there_is_still_something_to_answer() -> None:
    assert [one.text for one in briefed(values(), None).messages] == ["(Nobody says anything. Go on.)"]
    assert briefed(values(), "  \n").messages == briefed(values(), None).messages


def test_who_is_played_has_its_own_talk_and_hears_the_rest() -> None:
    log = Log()
    here = ["guard", "marrow", "mira"]
    log.talk("marrow", "Hello.", "Yes?", present_ids=here)
    log.talk("guard", "And you?", "Move along.", agent="npc_puppeteer", present_ids=here)
    log.talk("guard", f"{PRIVATE} psst.", f"{PRIVATE} what?", private=True, present_ids=here)
    told = briefed(values(party=["mira"], settings=OWN), "@Marrow well?", log)
    assert [one.text for one in told.messages] == ["Hello.", "Old Marrow: Yes?", "@Marrow well?"]
    heard = section(told.system, "What you have heard")
    assert heard == '"Mira" said:\n> And you?\n\nWhat happened:\n> A guard: Move along.'
    assert PRIVATE not in told.system


# the budget


def many() -> dict[str, Json]:
    """Return a table with more of everything than there is room for."""
    people = {
        f"characters/npc-{n:02}.json": person(
            f"npc-{n:02}", name=f"Villager {n}", character_type="npc", position="mill"
        )
        for n in range(60)
    }
    notes = {f"notes/note-{n}.json": {"id": f"note-{n}", "content": f"Note {n} {'x' * 250}"} for n in range(3, 40)}
    places = {f"locations/location-{n}.json": {"id": f"location-{n}", "name": f"Place {n}"} for n in range(5, 50)}
    return values(documents={**people, **notes, **places})


def talkative() -> Log:
    log = Log()
    for number in range(30):
        log.turn(user_input=f"Message {number}. {'a' * 100}", assistant_text=f"Answer {number}. {'b' * 200}")
    return log


def with_budget(tokens: int, documents: dict[str, Json] | None = None, **keys: object) -> AgentRequest:
    documents = documents or many()
    documents["campaign.json"]["settings"] = {"agents": {"context_tokens": tokens}}
    hints = "## Tool hints (advisory)\n- `move` (optional): a step.\n"
    return briefed(documents, "I look.", talkative(), **{"suggestions_block": hints, **keys})


def size(told: AgentRequest) -> int:
    return tokens_of(told.system, *(one.text for one in told.messages[:-1]))


@pytest.mark.parametrize("tokens", [700, 800, 1000, 1500, 2000, 3000, 4000, 6000, 20_000])
def test_a_prompt_keeps_within_its_budget(tokens: int) -> None:
    assert size(with_budget(tokens)) <= tokens


@settings(max_examples=tries(8), deadline=None)
@given(smaller=st.integers(256, 8000), more=st.integers(0, 4000))
def test_a_larger_budget_never_shows_less(smaller: int, more: int) -> None:
    assert size(with_budget(smaller)) <= size(with_budget(smaller + more))


def test_what_goes_first_goes_first() -> None:
    """The order of the stage page: what is dropped at each budget is dropped at all smaller ones."""

    def kept(told: AgentRequest) -> list[bool]:
        system = told.system
        return [
            "```json" in system,
            len(told.messages) > 7,
            "Other places that are known" in system,
            "## Notes" in system,
            "Wet wheels" in system,
            "when, and when not" in system,
            len(told.messages) > 3,
            '"Villager 20"' in system,
            "Your tools" in system or "when, and when not" in system,
            "## Tool hints" in system,
            len(told.messages) > 1,
        ]

    seen = {tuple(kept(with_budget(tokens))) for tokens in (300, *range(600, 2400, 90), 3000, 4000, 6500)}
    assert seen <= {tuple([False] * n + [True] * (11 - n)) for n in range(12)}
    assert len(seen) >= 7


def test_what_is_left_at_last_is_the_role_the_place_and_who_speaks() -> None:
    told = with_budget(256)
    assert headings(told.system) == [
        "How you play",
        "What to hand in",
        "Where this is",
        "Who speaks",
        "The party",
        "Others who are here",
    ]
    assert [one.text for one in told.messages] == ['"Mira" says:\n> I look.']


def test_the_message_itself_is_never_cut() -> None:
    documents = values(settings={"agents": {"context_tokens": 256}}, party=["mira"])
    assert briefed(documents, "x" * 50_000).messages[-1].text == "x" * 50_000


def test_rooms_only_shrink() -> None:
    sizes = list(rooms())
    assert sizes[0] == Budget()
    for larger, smaller in pairwise(sizes):
        assert all(int(after) <= int(before) for before, after in zip(larger, smaller, strict=True))
        assert larger != smaller
    assert not any(sizes[-1]._replace(listed=0))


def test_the_largest_room_that_fits_is_taken() -> None:
    def render(room: Budget) -> list[str]:
        return ["x" * 4 * (100 + room.examples)]

    assert fit(render, 1000) == Budget()
    assert fit(render, 105).examples == 5
    assert fit(render, 1) == list(rooms())[-1]


def test_the_same_table_gives_the_same_prompt() -> None:
    assert briefed(many(), "I look.", talkative()) == briefed(many(), "I look.", talkative())


def test_long_texts_of_the_world_are_shown_by_their_beginning() -> None:
    documents = values()
    documents["maps/root.json"]["areas"]["mill"] |= {"name": "n" * 9000, "description": "d" * 9000}
    documents["notes/note-1.json"]["content"] = "c" * 9000
    told = briefed(documents).system
    assert max(len(run) for run in re.findall(r"n{50,}|d{50,}|c{50,}", told)) < 700
