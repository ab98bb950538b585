"""Scene games in the loop: turn documents, one a segment, until a player has to speak."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests import builders
from tests.game_master.city import EVERYTHING
from tests.game_master.playing import Line, Once, Table, calls
from tests.scenes import night
from tests.scenes.doing import CITY_OFFERS, TOLD
from tests.scenes.doing import city as bargains
from tests.scenes.moments import BARGAIN, BROKEN
from tests.scenes.test_hand_edits import edit

from turnwright import Campaign
from turnwright.game_master.exchange import Narrated
from turnwright.game_master.suggestion_provider import suggest
from turnwright.llm.port import ModelAnswer
from turnwright.model.strict_json import sha256


def hands_in(*made: Any, **output: Any) -> Line:
    return {"tool_calls": list(made), "output": output or None}


@pytest.fixture
def city(tmp_path: Path) -> Iterator[Any]:
    opened: list[Table] = []

    def begin(*lines: Line, is_opened: bool = True, settings: Any = None, own: Any = None, **how: Any) -> Table:
        path = tmp_path / f"night_{len(opened)}"
        campaign = Campaign.new(path, "scenes", seed="x", clock=builders.clock)
        if is_opened:
            night.begin(campaign)
        if own:
            campaign.set(own)
        opened.append(Table(campaign, path, *lines, settings=settings or {}, **how))
        return opened[-1]

    yield begin
    for one in opened:
        one.campaign.close()


def stage(play: Table) -> str:
    found: str = play.campaign.state["crew.json"]["awaiting"]["stage"]
    return found


def told(play: Table) -> list[str]:
    return [event.text for event in play.told if isinstance(event, Narrated)]


def test_the_story_opens_once_somebody_is_there(city: Any) -> None:
    play = city(hands_in(**night.OPENING), is_opened=False)
    assert play.answer(night.CHOICES).outcome == "answered"
    assert stage(play) == "player_text"
    assert night.OPENING["opening_thread"] in told(play)


def test_segments_follow_each_other_until_a_die_is_asked_for(city: Any) -> None:
    pool = (1, 3, 4, 4, 5)
    play = city(calls(night.CHOOSE, night.ENGAGE), calls(night.spend(*pool)), hands_in(narration="You land softly."))
    play.campaign.set({"narration.check": "off"})
    crew = play.campaign.state["crew.json"]
    lines = [calls(night.CHOOSE, night.ENGAGE), calls(night.spend(*crew["dice_pool"]))]
    play.model._model._lines = [*lines, hands_in(narration="You land softly.")]
    assert play.say("I go in").outcome == "waiting"
    assert stage(play) == "player_dice"
    assert play.answer(0).outcome == "answered"
    assert told(play)[-1] == "You land softly."
    prompts = [request.system for request in play.model.requests]
    assert len(set(prompts)) == 3, "each segment has its own prompt"


def test_hints_are_for_what_the_player_said_and_for_the_mood(city: Any) -> None:
    play = city(calls(night.CHOOSE, night.ENGAGE), {"fail": "timeout"}, suggest=suggest)
    play.say("I rush the guards")
    first, second = (request.system.partition("## Tool hints")[2] for request in play.model.requests)
    assert "`engage`" in first
    assert "`engage`" not in second
    assert play.telemetry()[0]["message_sha256"] == sha256(b"I rush the guards")


def test_a_bad_output_goes_back_and_is_mended(city: Any) -> None:
    play = city(hands_in(narration=7), hands_in(narration="Rain."))
    assert play.say("I wait").outcome == "answered"
    assert "output.narration" in play.model.last
    assert told(play) == ["Rain."]


def drawn(play: Table) -> list[str]:
    actions = [action for record in play.records() for action in record.get("applied_actions", ())]
    return [action["result"]["chosen_label"] for action in actions if action["tool"] == "choose"]


def test_what_chance_chose_is_told_and_the_narration_follows_it(city: Any) -> None:
    play = city(calls(night.CHOOSE), hands_in(narration="Rain."))
    assert play.say("I listen").outcome == "answered"
    assert len(play.model.requests) == 2
    assert len(drawn(play)) == 1
    assert f'"chosen_label": "{drawn(play)[0]}"' in play.model.last
    assert "stands" in play.model.last


def test_what_chance_chose_is_told_beside_an_output_that_failed(city: Any) -> None:
    play = city(hands_in(night.CHOOSE, narration=7), hands_in(narration="Rain."))
    assert play.say("I listen").outcome == "answered"
    assert f'"chosen_label": "{drawn(play)[0]}"' in play.model.last
    assert "output.narration" in play.model.last
    assert "the whole turn" not in play.model.last


def test_a_turn_of_which_nothing_was_applied_is_handed_in_anew(city: Any) -> None:
    play = city(hands_in(narration=7), hands_in(narration="Rain."))
    play.say("I listen")
    assert "the whole turn" in play.model.last


OWED: dict[str, tuple[Any, Line]] = {
    "scene": ({}, hands_in(**TOLD)),
    "trauma": ({"phase__mood": BROKEN | {"for": "character-1"}}, hands_in(**TOLD, trauma_assigned="cold")),
    "bargain": ({"phase__mood": BARGAIN, "dice_pool": []}, hands_in(**bargains(CITY_OFFERS[1], CITY_OFFERS[1]))),
}
"""What is edited in `crew.json`, and the document that is owed then."""


@pytest.mark.parametrize("mood", OWED)
@pytest.mark.parametrize("is_followed", [False, True])
def test_who_left_the_party_is_answered_all_the_same(city: Any, mood: str, is_followed: bool) -> None:
    edits, owed = OWED[mood]
    play = city(owed)
    play.campaign.process({"user_input": "I go."})
    party = ["character-2"] if is_followed else []
    selected = {"party_character_ids": party, "active_actor_id": party[0] if party else None}
    play.campaign.flush()
    edit(play.path, **edits)
    edit(play.path, "campaign.json", selected=selected)
    if is_followed:
        (play.path / "characters" / "character-2.json").write_text(json.dumps({"id": "character-2", "hp": 10}))
    play.campaign.process({"dm_note": "Mira is gone"})
    exchange = play.say()
    assert (exchange.outcome, exchange.detail) == ("answered", "")
    assert stage(play) == ("player_choice" if mood == "bargain" else "player_text")
    assert len(play.model.requests) == 1


def test_prose_alone_is_the_narration_where_nothing_else_is_owed(city: Any) -> None:
    play = city({"text": "Rain, and the smell of eels."})
    assert play.say("I wait").outcome == "answered"
    assert told(play) == ["Rain, and the smell of eels."]


def test_prose_that_was_cut_off_is_no_narration(city: Any) -> None:
    answers = iter([ModelAnswer("Rain, and the", is_cut_off=True), ModelAnswer("Rain.")])
    play = city(model=Once(lambda _: next(answers)))
    assert play.say("I wait").outcome == "answered"
    assert "in fewer words" in play.model.last
    assert told(play) == ["Rain."]


def test_a_narration_before_the_plunge_is_kept_where_the_model_says_so(city: Any) -> None:
    plunge = {**hands_in(night.CHOOSE, night.ENGAGE, narration="You breathe in."), "keep_narration": True}
    play = city(plunge, {"fail": "timeout"})
    play.say("I go in")
    assert told(play) == ["You breathe in."]


def test_after_too_many_bad_outputs_the_engine_goes_on_by_itself(city: Any) -> None:
    play = city(*[hands_in(narration=7)] * 9)
    exchange = play.say("I wait")
    assert stage(play) == "player_text"
    assert exchange.outcome == "answered", "the engine's holding line"
    assert any(event["type"] == "TurnFallback" for reply in exchange.replies for event in reply["events"])


PROSE: Line = {"text": "The city leans in, and smiles."}
GARBAGE: Line = {"text": "{{{", "is_well_formed": False}
UNREADABLE: dict[str, tuple[Line, str]] = {
    "encounter": (GARBAGE, "player_text"),
    "bargaining": (PROSE, "player_choice"),
    "cornered": ({"text": "The city leans", "is_cut_off": True}, "player_choice"),
    "archivist": (PROSE, "player_text"),
    "entangler": (PROSE, "player_choice"),
    "interlude_narrator": (GARBAGE, "player_choice"),
}
"""What a model writes again and again, and what the game waits for then."""


@pytest.mark.parametrize("name", UNREADABLE)
@pytest.mark.parametrize("most", [6, 1])
def test_what_cannot_be_read_again_and_again_stops_no_game(tmp_path: Path, name: str, most: int) -> None:
    written, awaited = UNREADABLE[name]
    with builders.begin(tmp_path / "city", EVERYTHING[name]) as campaign:
        play = Table(campaign, tmp_path / "city", *[written] * 9, settings={"agents.max_steps": most})
        exchanges = [play.say() for _ in range(1 if most > 1 else 4) if stage(play).startswith("dm_")]
        assert exchanges[-1].outcome in ("answered", "waiting")
        assert stage(play) == awaited
        assert written["text"] not in told(play) or name == "entangler", "prose is how time passes, and nothing else"


def test_players_can_give_up_on_an_opening_that_cannot_be_read(tmp_path: Path) -> None:
    with builders.begin(tmp_path / "city", EVERYTHING["fate"]) as campaign:
        play = Table(campaign, tmp_path / "city", *[PROSE] * 9)
        assert play.say().outcome == "waiting"
        play.answer("give_up")
        assert stage(play) == "none"


def test_no_model_is_asked_while_the_table_is_asked_whether_to_go_on_waiting(tmp_path: Path) -> None:
    with builders.begin(tmp_path / "city", EVERYTHING["fate"]) as campaign:
        play = Table(campaign, tmp_path / "city", *[PROSE] * 9)
        play.say()
        assert len(play.model.requests) == 3
        assert not play.master.is_due()
        assert play.say().outcome == "waiting"
        assert len(play.model.requests) == 3
        play.answer("keep_waiting")
        assert len(play.model.requests) == 6


TOO_MUCH = hands_in(*[night.CHOOSE] * 65, narration="Rain.")


@pytest.mark.parametrize("name", ["encounter", "bargaining", "archivist"])
def test_what_is_refused_as_a_whole_again_and_again_stops_no_game(tmp_path: Path, name: str) -> None:
    with builders.begin(tmp_path / "city", EVERYTHING[name]) as campaign:
        play = Table(campaign, tmp_path / "city", *[TOO_MUCH] * 9)
        play.say()
        assert (stage(play), len(play.model.requests)) == (UNREADABLE[name][1], 3)
        assert "65 tool calls" in play.model.last or "64" in play.model.last


@pytest.mark.parametrize("name", ["breaking", "opener"])
def test_what_is_refused_where_nothing_can_stand_in_ends_the_exchange(tmp_path: Path, name: str) -> None:
    with builders.begin(tmp_path / "city", EVERYTHING[name]) as campaign:
        play = Table(campaign, tmp_path / "city", *[TOO_MUCH] * 9)
        exchange = play.say()
        assert (exchange.outcome, exchange.failure, len(play.model.requests)) == ("failed", "garbage", 3)


@pytest.mark.parametrize("name", ["breaking", "opener"])
def test_garbage_where_nothing_can_stand_in_changes_nothing_and_is_asked_for_again(tmp_path: Path, name: str) -> None:
    with builders.begin(tmp_path / "city", EVERYTHING[name]) as campaign:
        play = Table(campaign, tmp_path / "city", *[GARBAGE] * 9)
        before = play.everything()
        exchange = play.say()
        assert (exchange.outcome, exchange.failure, len(play.model.requests)) == ("failed", "garbage", 3)
        assert play.everything() == before
        assert play.master.is_due()


def test_what_cannot_be_read_once_is_asked_for_again(city: Any) -> None:
    play = city(GARBAGE, hands_in(narration="Rain."))
    assert play.say("I wait").outcome == "answered"
    assert "one JSON object under `output`" in play.model.last
    assert told(play) == ["Rain."]


def test_a_model_is_told_what_is_wrong_with_its_document(city: Any) -> None:
    written = {"text": '{"output": {"narration": "Rain.",}}', "is_well_formed": False}
    play = city(written, hands_in(narration="Rain."))
    assert play.say("I wait").outcome == "answered"
    assert play.model.last.endswith("a comma stands before the closing bracket (line 1, column 34).")


def test_a_text_where_a_die_is_awaited_is_refused(city: Any) -> None:
    play = city(calls(night.CHOOSE, night.ENGAGE))
    crew = play.campaign.state["crew.json"]
    play.model._model._lines.append(calls(night.spend(*crew["dice_pool"])))
    play.say("I go in")
    exchange = play.say("I would rather talk")
    assert exchange.outcome == "refused"
    assert stage(play) == "player_dice"


def test_a_contradiction_is_handed_in_again_under_the_same_turn_id(city: Any) -> None:
    lie = hands_in(narration="Mira takes 7 points of damage.")
    play = city(lie, hands_in(narration="Rain."), own={"narration.check": "retry"})
    assert play.say("I wait").outcome == "answered"
    kinds = [(record["kind"], record["turn_id"]) for record in play.records()[-2:]]
    assert kinds[0][0] == "attempt"
    assert kinds[0][1] == kinds[1][1]
    assert told(play) == ["Rain."]


def test_a_game_that_is_over_asks_nobody(city: Any) -> None:
    play = city(is_opened=False)
    play.answer("cancel")
    exchange = play.say("hello?")
    assert exchange.outcome in ("waiting", "refused")
    assert play.model.requests == []


def test_nothing_can_be_whispered(city: Any) -> None:
    play = city()
    before = play.everything()
    exchange = play.say("I run with the jar", addressees=("character-1",), private=True)
    assert exchange.outcome == "refused"
    assert "there is no whispering" in exchange.detail
    assert play.everything() == before


# two sessions at once


MEANWHILE: dict[str, tuple[Any, str]] = {
    "answers": (lambda play: Table(play.campaign, play.path, hands_in(narration="Snow.")).say(), "overtaken"),
    "says": (lambda play: play.campaign.process({"user_input": "I wait, too"}), "overtaken"),
    "takes back": (lambda play: play.campaign.undo(), "overtaken"),
    "calls": (
        lambda play: play.campaign.process({"tool_calls": [night.CHOOSE], "prompt_id": prompt(play)}),
        "overtaken",
    ),
    "fails": (lambda play: play.campaign.process({"output": {"narration": 7}, "prompt_id": prompt(play)}), "answered"),
    "answers nothing": (lambda play: play.campaign.process({"answer": {"request_id": "x", "value": 1}}), "answered"),
}
"""What somebody else does while the model writes, and what becomes of its answer then."""


def prompt(play: Table) -> int:
    found: int = play.campaign.state["crew.json"]["awaiting"]["prompt_id"]
    return found


@pytest.mark.parametrize("what", MEANWHILE)
def test_what_answers_another_prompt_is_not_handed_in(city: Any, what: str) -> None:
    play = city()
    act, outcome = MEANWHILE[what]

    def meanwhile(_: Any) -> ModelAnswer:
        act(play)
        return ModelAnswer("Rain.")

    play.model._model = Once(meanwhile)
    assert play.say("I wait").outcome == outcome
    assert told(play) == (["Rain."] if outcome == "answered" else [])
    assert "stage_mismatch" not in str(play.records())
