"""The first question of a scene game, and the character that answers it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.builders import clock
from tests.golden.repairer import repaired
from tests.scenes.beginnings import CHOICES, PC, Json, play_of, told, values, world_of

from turnwright import Campaign
from turnwright.model.crew import Crew
from turnwright.model.request import CreationRequest
from turnwright.model.wire.reason import CallFailed, Reason
from turnwright.rulesets.scenes.creation import answer, open_creation
from turnwright.rulesets.scenes.play import Play
from turnwright.rulesets.scenes.tarot import deck

FRESH: Json = {}
SOMEBODY: Json = {"name": "Nobody", "pronouns": "they_them", "archetype": "cutter"}


def asked(world: Any = None) -> Play:
    play = play_of(world or world_of(FRESH))
    open_creation(play)
    return play


def payload(play: Play) -> Any:
    request = play.crew.request
    assert isinstance(request, CreationRequest)
    return request.payload


def dealt(play: Play) -> list[str]:
    return [card.card for card in payload(play).tarot_spread]


def fails(play: Play, value: Any) -> CallFailed:
    before = values(play.world)
    with pytest.raises(CallFailed) as caught:
        answer(play, value)
    assert values(play.world) == before
    assert play.events == []
    assert caught.value.reason is Reason.ANSWER_INVALID
    return caught.value


def test_three_cards_are_dealt_as_it_asks() -> None:
    play = asked()
    drawn = play.dice.dice.drawn
    assert [(draw["sides"], draw["why"]) for draw in drawn] == [(78, "tarot"), (77, "tarot"), (76, "tarot")]
    left = [card.id for card in deck()]
    assert dealt(play) == [left.pop(int(draw["value"]) - 1) for draw in drawn]
    assert [card.position for card in payload(play).tarot_spread] == ["past", "present", "future"]


def test_the_request_shows_archetypes_pronouns_and_what_the_cards_mean() -> None:
    play = asked()
    shown = payload(play)
    assert [preset.key for preset in shown.archetypes] == [
        *("cutter", "hound", "leech", "lurk", "slide", "spider", "whisper")
    ]
    assert all(preset.label for preset in shown.archetypes)
    assert [preset.label for preset in shown.pronouns] == ["he/him", "she/her", "they/them"]
    meanings = {card.id: card.meaning for card in deck()}
    assert [card.meaning for card in shown.tarot_spread] == [meanings[card] for card in dealt(play)]
    assert play.crew.awaiting.stage == "player_creation"
    assert play.crew.request is not None
    assert play.crew.request.to == "table"


def test_the_answer_makes_a_character_of_the_party_who_acts() -> None:
    play = asked()
    result = answer(play, dict(CHOICES))
    made = values(play.world)
    assert made["characters/character-1.json"] == {
        "id": "character-1",
        "name": "Ash Vale",
        "character_type": "pc",
        "position": None,
        "hp": 10,
        "max_hp": None,
        "character_state": "alive",
        "choices": {**CHOICES, "tarot_spread": dealt(asked())},
    }
    selected = made["campaign.json"]["selected"]
    assert (selected["party_character_ids"], selected["active_actor_id"]) == (["character-1"], "character-1")
    assert result == {"character_id": "character-1", "name": "Ash Vale"}
    assert told(play) == [("CharacterCreated", result)]


def test_the_opening_is_awaited_for_that_character() -> None:
    play = asked()
    answer(play, dict(CHOICES))
    crew = play.crew
    assert crew.phase.as_written == {"tag": "scenario_init", "for": "character-1"}
    assert (crew.awaiting.stage, crew.awaiting.for_, crew.awaiting.prompt_id) == ("dm_scenario", "character-1", 1)
    assert crew.request is None


def test_somebody_who_acts_already_goes_on_acting() -> None:
    selected = {"party_character_ids": ["old"], "active_actor_id": "old"}
    people = {"characters/old.json": PC | {"id": "old"}, "characters/character-1.json": PC}
    play = asked(world_of(FRESH, people, selected=selected))
    assert answer(play, dict(CHOICES)).get("character_id") == "character-2"
    now = play.world.campaign.selected
    assert (now.party_character_ids, now.active_actor_id) == (("old", "character-2"), "old")


def test_cancelling_ends_the_session() -> None:
    play = asked()
    assert answer(play, "cancel") == {"cancelled": True}
    crew = play.crew
    assert crew.phase.as_written == {"tag": "session_ended", "reason": "creation_cancelled"}
    assert (crew.awaiting.stage, crew.awaiting.for_, crew.request) == ("none", None, None)
    assert "characters/" not in " ".join(values(play.world))


def test_own_pronouns_and_no_background_are_fine() -> None:
    play = asked()
    answer(play, {"name": " Wren ", "pronouns": {"custom": " xe/xem "}, "archetype": "whisper"})
    choices = values(play.world)["characters/character-1.json"]["choices"]
    assert (choices["name"], choices["pronouns"], choices["background"]) == ("Wren", {"custom": "xe/xem"}, "")


@pytest.mark.parametrize("key", ["tarot_spread", "tarotSpread"])
def test_the_cards_may_be_repeated_as_they_were_dealt_and_in_no_other_way(key: str) -> None:
    play = asked()
    cards = dealt(play)
    failure = fails(play, CHOICES | {key: cards[::-1]})
    assert failure.hint == {"field": "answer.value.tarot_spread", "got": cards[::-1], "allowed": [cards]}
    assert answer(play, CHOICES | {key: cards}).get("character_id") == "character-1"


@pytest.mark.parametrize(
    ("value", "field", "first"),
    [
        (None, "answer.value", SOMEBODY),
        ("Cancel", "answer.value", "cancel"),
        (3, "answer.value", SOMEBODY),
        ([], "answer.value", SOMEBODY),
        (" ", "answer.value", SOMEBODY),
        (" Mira ", "answer.value", SOMEBODY | {"name": "Mira"}),
        ({}, "answer.value.name", "Nobody"),
        (CHOICES | {"name": "  "}, "answer.value.name", "Nobody"),
        (CHOICES | {"name": "x" * 61}, "answer.value.name", "x" * 60),
        (CHOICES | {"name": 7}, "answer.value.name", "Nobody"),
        (CHOICES | {"pronouns": "they/them"}, "answer.value.pronouns", "they_them"),
        (CHOICES | {"pronouns": {"custom": ""}}, "answer.value.pronouns", None),
        (CHOICES | {"pronouns": {"custom": "x" * 41}}, "answer.value.pronouns", None),
        (CHOICES | {"archetype": "Lurk"}, "answer.value.archetype", "lurk"),
        (CHOICES | {"background": None}, "answer.value.background", ""),
        (CHOICES | {"background": "x" * 4001}, "answer.value.background", "x" * 4000),
    ],
)
def test_what_is_no_choice_is_told_with_what_would_be(value: Any, field: str, first: Any) -> None:
    hint = fails(asked(), value).hint
    assert hint["field"] == field
    assert hint.get("allowed", [first])[0] == first


@pytest.mark.parametrize("value", [CHOICES | {"stress": 4}, CHOICES | {"tarot_spread": "the_fool"}])
def test_what_does_not_belong_there_is_to_be_taken_out(value: Json) -> None:
    assert fails(asked(), value).hint["remove"] is True


def test_following_the_hints_always_leads_to_a_character() -> None:
    play, call = asked(), {"answer": {"value": CHOICES | {"stress": 4, "archetype": "Lurkk", "tarot_spread": [1]}}}
    for _ in range(20):
        try:
            answer(play, call["answer"]["value"])
            break
        except CallFailed as failure:
            told = failure.hint
        mended = repaired(call, told)
        assert mended is not None, told
        call = mended
    assert isinstance(play.world.get("crew.json"), Crew)
    assert play.crew.phase.tag == "scenario_init"


@pytest.mark.parametrize("value", ["Mira", "x" * 90, "request-1", None, 0, ["lurk"]])
def test_for_what_is_no_choice_at_all_none_is_made_up_nor_the_end_of_the_game_named(tmp_path: Path, value: Any) -> None:
    with Campaign.new(tmp_path / "c", "scenes", seed="x", clock=clock) as campaign:
        wrong = campaign.process({"answer": {"request_id": "request-1", "value": value}})
        assert wrong["tool_feedback"]["failed_calls"][0]["hint"] == {"field": "answer.value", "got": value}
        assert campaign.state["crew.json"]["phase"]["tag"] == "character_creation"


def test_a_player_makes_a_character_through_the_front_door(tmp_path: Path) -> None:
    with Campaign.new(tmp_path / "c", "scenes", seed="x", clock=clock) as campaign:
        wrong = campaign.process({"answer": {"request_id": "request-1", "value": {"name": "Ash"}}})
        assert wrong["tool_feedback"]["failed_calls"][0]["reason"] == "answer_invalid"
        assert wrong["request"]["id"] == "request-1"
        reply = campaign.process({"answer": {"request_id": "request-1", "kind": "creation", "value": CHOICES}})
        assert (reply["status"], reply["request"]) == ("applied", None)
        assert [event["type"] for event in reply["events"]] == ["CharacterCreated"]
        assert campaign.state["crew.json"]["awaiting"]["stage"] == "dm_scenario"
