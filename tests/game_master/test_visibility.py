"""Who sees which messages: each row of the table, and that what is private stays between those it was for."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.game_master.table import PARTY, Log, lines, seen

from turnwright.game_master.knowledge.visibility import EXCHANGES_OF_MINORS, prefixed
from turnwright.model.wire.agent import SPEAKERS, AgentKind

NARRATIVE, COMBAT, INDIVIDUAL, PUPPETEER, SUMMARIZER = SPEAKERS
FIGHT = {"encounters/encounter-1.json": [{"op": "add", "path": "", "value": {}}]}
BLOW = {"encounters/encounter-1.json": [{"op": "replace", "path": "/round", "value": 2}]}
OTHER = {"encounters/encounter-2.json": [{"op": "replace", "path": "/round", "value": 2}]}


@pytest.fixture
def log() -> Log:
    """Give the log of an evening: the road, two talks, a fight with its bridges, and the road again."""
    log = Log()
    log.turn(user_input="We walk on.", assistant_text="The road bends.", agent="narrative")
    log.talk("marrow", "Hello.", "Yes?", present_ids=["brom", "guard", "marrow", "mira"])
    log.talk("guard", "And you?", "Move along.", agent="npc_puppeteer", present_ids=["guard", "mira"])
    log.turn(user_input="I draw.", agent="narrative", changes=FIGHT)
    log.turn(assistant_text="Steel at the mill.", agent="summarizer")
    log.turn(user_input="I strike.", assistant_text="It yelps.", agent="combat", changes=BLOW)
    log.turn(assistant_text="Elsewhere they fight, too.", agent="combat", changes=OTHER)
    log.turn(assistant_text="The wolf fled.", agent="summarizer")
    log.turn(assistant_text="It is quiet.", agent="narrative")
    return log


ROAD = ["We walk on.", "The road bends."]
TALKS = ["Hello.", "Old Marrow: Yes?", "And you?", "A guard: Move along."]
STORY = ["I draw.", "Steel at the mill.", "The wolf fled.", "It is quiet."]


# the rows of the table


def test_the_narrator_sees_the_story_all_talk_and_of_fights_the_bridges_alone(log: Log) -> None:
    assert seen(log, NARRATIVE) == [*ROAD, *TALKS, *STORY]


def test_the_narrator_hears_what_was_whispered(log: Log) -> None:
    log.talk("marrow", "Psst.", "What?", private=True)
    assert seen(log, NARRATIVE)[-2:] == ["Psst.", "Old Marrow: What?"]


def test_the_fight_sees_its_own_words_and_the_bridge_into_it(log: Log) -> None:
    assert seen(log, COMBAT, fight="encounter-1") == ["Steel at the mill.", "I strike.", "It yelps.", "The wolf fled."]


def test_an_earlier_fight_of_the_same_name_is_another_fight() -> None:
    log = Log()
    log.turn(user_input="Old blow.", agent="combat", changes=FIGHT)
    log.turn(user_input="", changes=FIGHT)
    log.turn(user_input="New blow.", agent="combat", changes=BLOW)
    assert seen(log, COMBAT, fight="encounter-1") == ["New blow."]
    assert seen(log, COMBAT) == []


def test_somebody_outside_the_party_knows_their_talks_and_what_they_overheard(log: Log) -> None:
    assert seen(log, INDIVIDUAL, "marrow") == TALKS[:2]
    assert seen(log, INDIVIDUAL, "guard") == TALKS
    assert seen(log, INDIVIDUAL, "wolf") == []


def test_nobody_overhears_a_private_talk() -> None:
    log = Log()
    log.talk("marrow", "Psst.", "What?", private=True, present_ids=["guard", "marrow", "mira"])
    assert seen(log, INDIVIDUAL, "guard") == []
    assert seen(log, INDIVIDUAL, "guard", party_history="since_join") == []
    assert seen(log, INDIVIDUAL, "marrow") == ["Psst.", "Old Marrow: What?"]


def test_who_acts_hears_nothing_that_is_told_to_somebody_else_alone() -> None:
    log = Log()
    party = (*PARTY, "marrow")
    log.turn(actor_id="marrow", assistant_text="He is cursed.", private=True, addressees=["brom"], party=party)
    log.turn(actor_id="marrow", user_input="What do you say?", addressees=["guard"], private=True, party=party)
    log.turn(assistant_text="Nothing.", speaker_id="guard", addressees=["marrow"], private=True, party=party)
    assert seen(log, INDIVIDUAL, "brom") == ["He is cursed."]
    assert seen(log, INDIVIDUAL, "marrow") == ["What do you say?", "A guard: Nothing."]


def test_two_with_private_talks_know_nothing_of_each_other_s() -> None:
    log = Log()
    party = [*PARTY, "marrow", "guard"]
    log.talk("marrow", "To you alone.", "Mine.", private=True, party=party)
    log.talk("guard", "And to you.", "Ours.", private=True, party=party)
    assert seen(log, INDIVIDUAL, "marrow") == ["To you alone.", "Old Marrow: Mine."]
    assert seen(log, INDIVIDUAL, "guard") == ["And to you.", "A guard: Ours."]


def test_a_member_of_the_party_knows_the_whole_story(log: Log) -> None:
    log.turn(user_input="Come along.", party=[*PARTY, "marrow"])
    fights = ["I strike.", "It yelps.", "Elsewhere they fight, too."]
    story = [*ROAD, *TALKS[:2], "I draw.", *fights, "It is quiet.", "Come along."]
    assert seen(log, INDIVIDUAL, "marrow") == story


def test_since_join_shows_the_story_from_the_turn_of_joining_on(log: Log) -> None:
    log.turn(user_input="Come along.", party=[*PARTY, "marrow"])
    log.turn(assistant_text="You are three now.", party=[*PARTY, "marrow"])
    known = seen(log, INDIVIDUAL, "marrow", party_history="since_join")
    assert known == [*TALKS[:2], "Come along.", "You are three now."]


@pytest.mark.parametrize("history", ["all", "since_join"])
def test_whoever_left_keeps_what_they_saw_and_learns_no_more(history: str) -> None:
    log = Log()
    log.turn(assistant_text="Before.")
    log.turn(assistant_text="Joined.", party=[*PARTY, "marrow"])
    log.turn(assistant_text="Left.")
    log.turn(assistant_text="After.")
    before = ["Before."] if history == "all" else []
    assert seen(log, INDIVIDUAL, "marrow", party_history=history) == [*before, "Joined.", "Left."]


@pytest.mark.parametrize("is_fighting", [False, True])
def test_no_model_reads_what_players_whisper_to_each_other(is_fighting: bool) -> None:
    log = Log()
    agent = "combat" if is_fighting else "narrative"
    log.turn(assistant_text="They circle you." if is_fighting else "A door.", agent=agent, changes=FIGHT)
    log.turn(user_input="I open it.", authority="player:mira")
    log.turn(user_input="I trust nobody.", addressees=["brom"], private=True)
    log.turn(assistant_text="It creaks.", agent=agent)
    log.turn(user_input="Nor do I.", actor_id="brom", addressees=["mira"], private=True)
    for reader in (NARRATIVE, COMBAT, SUMMARIZER):
        known = seen(log, reader, fight="encounter-1")
        assert not {"I trust nobody.", "Nor do I."} & set(known)
    asked = [line for line in lines(log, agent, fight="encounter-1") if line.text in ("I open it.", "It creaks.")]
    assert len({line.exchange for line in asked}) == 1, "the answer is to what was said before the whisper"


def test_a_whisper_that_waits_is_answered_past_one_among_players() -> None:
    log = Log()
    log.turn(user_input="Psst.", addressees=["marrow"], private=True)
    log.turn(user_input="Keep close.", addressees=["brom"], private=True)
    log.turn(assistant_text="What?", agent="npc_puppeteer", speaker_id="marrow", addressees=["mira"], private=True)
    for reader, npc in ((NARRATIVE, None), (PUPPETEER, "marrow")):
        assert seen(log, reader, npc) == ["Psst.", "Old Marrow: What?"]


def test_a_joining_that_was_undone_never_was() -> None:
    log = Log()
    log.turn(assistant_text="Before.")
    joined = log.turn(assistant_text="Joined.", party=[*PARTY, "marrow"])
    undone = log.undo(joined)
    log.turn(assistant_text="After.")
    assert seen(log, INDIVIDUAL, "marrow") == []
    assert seen(log, NARRATIVE) == ["Before.", "After."]
    log.undo(undone)
    assert seen(log, NARRATIVE) == ["Before.", "Joined."]
    assert seen(log, INDIVIDUAL, "marrow") == ["Before.", "Joined."]


def test_a_member_does_not_know_talks_that_it_did_not_hear() -> None:
    log = Log()
    log.talk("guard", "Only us.", "Yes.", party=[*PARTY, "marrow"], present_ids=["guard", "mira"])
    assert seen(log, INDIVIDUAL, "marrow") == []


def test_a_member_who_was_elsewhere_saw_nothing_of_the_fight() -> None:
    log = Log()
    log.turn(assistant_text="A blow.", agent="combat", party=[*PARTY, "marrow"], present_ids=["mira"])
    log.turn(assistant_text="A fall.", agent="combat", party=[*PARTY, "marrow"], present_ids=["marrow", "mira"])
    log.turn(assistant_text="They had a blow and a fall.", agent="summarizer", party=[*PARTY, "marrow"])
    assert seen(log, INDIVIDUAL, "marrow") == ["A fall."]


def test_an_empty_id_is_never_a_member() -> None:
    log = Log()
    log.turn(assistant_text="Story.", party=["", *PARTY])
    log.talk("", "To nobody.", "Nothing.")
    assert seen(log, INDIVIDUAL, "") == []
    assert seen(log, INDIVIDUAL, None) == []
    assert seen(log, PUPPETEER, "") == []


def test_a_minor_character_knows_its_own_last_exchanges_alone() -> None:
    log = Log()
    for number in range(6):
        log.talk("guard", f"Question {number}?", f"Answer {number}.", agent="npc_puppeteer")
        log.talk("marrow", "Other.", "Words.", agent="npc_puppeteer", present_ids=["guard", "marrow", "mira"])
    known = seen(log, PUPPETEER, "guard", party_history="all")
    assert known == [
        text for n in range(6 - EXCHANGES_OF_MINORS, 6) for text in (f"Question {n}?", f"A guard: Answer {n}.")
    ]


def test_a_minor_character_never_sees_another_persona_s_lines() -> None:
    log = Log()
    log.turn(assistant_text="You there!", agent="npc_puppeteer", speaker_id="marrow", addressees=["guard"])
    assert seen(log, PUPPETEER, "guard") == []
    assert seen(log, INDIVIDUAL, "guard") == ["Old Marrow: You there!"]


def test_the_summarizer_sees_both_sides_of_the_bridge(log: Log) -> None:
    both = [*ROAD, *TALKS, *STORY[:2], "I strike.", "It yelps.", *STORY[2:]]
    assert seen(log, SUMMARIZER, fight="encounter-1") == both


@pytest.mark.parametrize("agent", [AgentKind.SUGGESTOR, AgentKind.VERIFIER])
def test_who_only_advises_sees_no_messages(log: Log, agent: AgentKind) -> None:
    assert seen(log, agent) == []


# facts of the record


def test_words_take_part_in_who_answered_them() -> None:
    log = Log()
    log.turn(user_input="I strike.", changes=FIGHT)
    log.turn(tool_calls=[], agent="combat", changes=BLOW)
    log.turn(assistant_text="It yelps.", agent="combat")
    log.turn(user_input="And now?")
    log.turn(assistant_text="Now, this.", agent="narrative")
    assert seen(log, COMBAT, fight="encounter-1") == ["I strike.", "It yelps."]
    assert seen(log, NARRATIVE) == ["And now?", "Now, this."]


def test_words_are_as_private_as_their_answer() -> None:
    log = Log()
    log.turn(user_input="Between us.", party=[*PARTY, "guard"])
    log.turn(tool_calls=[], agent="npc_individual", party=[*PARTY, "guard"])
    log.turn(assistant_text="Yes.", agent="npc_individual", speaker_id="marrow", addressees=["mira"], private=True)
    assert seen(log, INDIVIDUAL, "guard") == []
    assert seen(log, INDIVIDUAL, "marrow") == ["Between us.", "Old Marrow: Yes."]


def test_words_that_were_answered_are_not_what_somebody_whispers_later() -> None:
    log = Log()
    log.turn(user_input="What is here?", party=[*PARTY, "guard"])
    log.turn(assistant_text="Dust.", agent="narrative", party=[*PARTY, "guard"])
    log.turn(assistant_text="Psst.", agent="npc_individual", speaker_id="marrow", addressees=["mira"], private=True)
    assert seen(log, INDIVIDUAL, "guard") == ["What is here?", "Dust."]
    assert seen(log, INDIVIDUAL, "marrow") == ["Old Marrow: Psst."]


def test_what_was_whispered_to_somebody_is_not_for_whoever_answers() -> None:
    log = Log()
    log.turn(user_input="To you alone.", addressees=["marrow"], private=True)
    log.turn(assistant_text="What was that?", agent="npc_individual", speaker_id="guard", addressees=["mira"])
    assert "To you alone." not in seen(log, INDIVIDUAL, "guard")
    assert seen(log, INDIVIDUAL, "marrow") == ["To you alone."]


def test_attempts_notes_and_hints_are_no_messages() -> None:
    log = Log()
    log.turn(user_input="I go.", dm_note="a note to myself", x_hints="## Tool hints")
    log.records.append({**log.records[-1], "seq": 2, "kind": "attempt", "assistant_text": "Not told."})
    log.turn(assistant_text="You went.", dm_note="another")
    assert seen(log, NARRATIVE) == ["I go.", "You went."]


def test_blank_texts_are_no_lines() -> None:
    log = Log()
    log.turn(user_input="  ", assistant_text="\n")
    assert seen(log, NARRATIVE) == []


def test_an_agent_that_is_unknown_counts_as_the_narrator() -> None:
    log = Log()
    log.turn(assistant_text="Told.", agent="oracle")
    assert [line.agent for line in lines(log, NARRATIVE)] == [AgentKind.NARRATIVE]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Hello.", "Mira: Hello."),
        ("Mira: Hello.", "Mira: Hello."),
        ("mira : Hello.", "mira : Hello."),
        ("**Mira:** Hello.", "**Mira:** Hello."),
        ("Mira nods.", "Mira: Mira nods."),
        ("Miranda: Hello.", "Mira: Miranda: Hello."),
        ("", "Mira: "),
    ],
)
def test_a_speaker_is_named_once(text: str, said: str) -> None:
    assert prefixed(text, "Mira") == said
    assert prefixed(said, "Mira") == said


# nobody hears what was not for them

IDS = ["marrow", "guard", "far", "mira", "brom"]
SOME = st.lists(st.sampled_from(IDS), unique=True, max_size=5)
TURNS = st.fixed_dictionaries(
    {"actor_id": st.sampled_from([None, "mira", "brom", "marrow"]), "party": SOME},
    optional={
        "user_input": st.just("words"),
        "assistant_text": st.just("more words"),
        "agent": st.sampled_from([*map(str, SPEAKERS), "oracle"]),
        "speaker_id": st.sampled_from(IDS),
        "addressees": SOME,
        "private": st.booleans(),
        "present_ids": SOME,
        "changes": st.sampled_from([FIGHT, BLOW, OTHER]),
    },
)


@given(
    turns=st.lists(TURNS, max_size=12),
    undo=st.none() | st.integers(1, 12),
    agent=st.sampled_from([INDIVIDUAL, PUPPETEER]),
    npc=st.sampled_from([*IDS, ""]),
    history=st.sampled_from(["all", "since_join"]),
)
def test_nobody_ever_sees_a_private_message_they_had_no_part_in(
    turns: list[dict[str, Any]], undo: int | None, agent: AgentKind, npc: str, history: str
) -> None:
    log = Log()
    for one in turns:
        log.turn(**one)
    if undo is not None and undo < len(log.records):
        log.undo(undo)
    records = {one["seq"]: one for one in log.records}
    for line in lines(log, agent, npc, party_history=history):
        record = records[line.seq]
        people = {record.get("actor_id"), record.get("speaker_id"), *record.get("addressees", ())}
        if "agent" not in record and "assistant_text" not in record and not record.get("addressees"):
            continue  # said before it was settled who answers: see above
        assert not record.get("private") or npc in people
