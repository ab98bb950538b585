"""A scene game as a person at a terminal meets it: `show` and `answer`."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from tests.builders import call
from tests.cli.conftest import Turnwright
from tests.scenes import night
from tests.scenes.night import HUSH

from turnwright import Campaign
from turnwright.cli._request_view import value_of
from turnwright.model.errors import StorageFailed

NOW = "--now=2026-01-14T16:05:31+00:00"
AS_MIRA = "--as=player:character-1"
Json = Any


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Give a function that lets a person at a terminal type these lines."""

    class Keyboard(io.StringIO):
        def isatty(self) -> bool:
            return True

    def type_in(*lines: str) -> None:
        monkeypatch.setattr(sys, "stdin", Keyboard("".join(f"{line}\n" for line in lines)))

    return type_in


@pytest.fixture
def no_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO())


@pytest.fixture
def creation(tmp_path: Path, clock: Callable[[], datetime]) -> Path:
    """Give a game that asks who the first character is."""
    Campaign.new(tmp_path / "night", "scenes", seed="x", clock=clock).close()
    return tmp_path / "night"


@pytest.fixture
def text(creation: Path, clock: Callable[[], datetime]) -> Path:
    """Give a game that asks what the player does."""
    with Campaign.open(creation, clock) as campaign:
        night.begin(campaign)
    return creation


@pytest.fixture
def dice(text: Path, clock: Callable[[], datetime]) -> Path:
    """Give a game that asks which die to spend."""
    with Campaign.open(text, clock) as campaign:
        night.answer(campaign, "I go in")
        night.play(campaign, night.CHOOSE, night.ENGAGE)
        night.play(campaign, night.spend(*night.POOL))
    return text


def crew_of(path: Path) -> Json:
    with Campaign.open(path) as campaign:
        crew: Json = campaign.state["crew.json"]
        return crew


def last_turn(path: Path) -> Mapping[str, Any]:
    with Campaign.open(path) as campaign, campaign.moment() as (_, turn):
        record = turn()
        assert record is not None
        return record


# show


def test_the_game_master_sees_dice_bars_clocks_and_what_is_asked(dice: Path, turnwright: Turnwright) -> None:
    code, out, _ = turnwright("show", dice)
    assert code == 0
    for told in (
        "   at stake: Through the skylight (risky)\n",
        "The Rusty Anchor, with Old Marrow\n",
        "  at stake: get the ledger out before dawn\n",
        "playing, action; operating from strength\n",
        "Mira          stress [---------] 0/9  clean\n",
        "              coin 1\n",
        "heat          [#---------] 1/10\n",
        "dice          ⚁ 2   ⚅ 6   ⚃ 4   ⚀ 1   ⚂ 3\n",
        "clocks        [##------] 2/8 The Wardens\n",
        "              [----] 0/4 Own the ledger (goal)\n",
        f"              [#---] 1/4 {HUSH} rot below (hidden from players)\n",
        "awaited       Mira, to spend a die\n",
        "  1  ⚅ 6  critical  way number 1 through the glass  (stress +2, heat +1)\n",
        f"  answer with: turnwright answer {dice} 0\n",
    ):
        assert told in out


def test_a_player_sees_the_same_without_what_is_hidden(dice: Path, turnwright: Turnwright) -> None:
    _, told, _ = turnwright("show", dice)
    code, out, _ = turnwright("show", dice, AS_MIRA)
    assert code == 0
    hidden = [line for line in told.splitlines() if HUSH in line]
    door = f"  answer with: turnwright answer {dice}"
    seen = [line.replace(" --as player:character-1", "") for line in out.splitlines()]
    assert len(hidden) == 1
    assert seen == [line for line in told.splitlines() if line not in hidden]
    assert seen[-1].startswith(door)


def test_what_just_happened_is_the_last_turn_that_stands(dice: Path, turnwright: Turnwright) -> None:
    assert turnwright("answer", dice, "0", NOW)[0] == 0
    assert "You land at 0." in turnwright("show", dice)[1]
    assert turnwright("undo", dice, "--yes", NOW)[0] == 0
    out = turnwright("show", dice)[1]
    assert "You land at 0." not in out
    assert "at stake: Through the skylight" in out
    assert "You land at 0." in turnwright("show", dice, "--at", "6")[1], "it stood then"


def test_programs_get_the_game_beside_what_they_always_got(dice: Path, turnwright: Turnwright) -> None:
    seen = json.loads(turnwright("show", dice, AS_MIRA, "--json")[1])
    assert seen["you"]["name"] == "Mira"
    game = seen["scene_game"]
    assert (game["phase"], game["mood"], game["request"]["kind"]) == ("playing", "action", "dice")
    assert [event["type"] for event in game["last_turn"]["events"]] == ["DiceOffered"]
    assert HUSH not in json.dumps(seen)
    full = json.loads(turnwright("show", dice, "--json")[1])
    assert full["active_actor_id"] == "character-1"
    assert len(full["scene_game"]["clocks"]) == len(game["clocks"]) + 1


def test_a_game_that_has_not_begun_shows_the_cards_and_nothing_to_measure(
    creation: Path, turnwright: Turnwright
) -> None:
    out = turnwright("show", creation)[1]
    assert "awaited       a player, to make a character\n" in out
    assert "heat" not in out
    cards = crew_of(creation)["request"]["payload"]["tarot_spread"]
    assert all(card["name"] in out for card in cards)


def test_a_campaign_without_a_scene_game_shows_what_it_always_did(tmp_path: Path, turnwright: Turnwright) -> None:
    turnwright("new", tmp_path / "home", "--seed", "x", NOW)
    assert "awaited" not in turnwright("show", tmp_path / "home")[1]
    assert "scene_game" not in json.loads(turnwright("show", tmp_path / "home", "--json")[1])
    code, _, err = turnwright("answer", tmp_path / "home", "1")
    assert (code, "no scene game" in err) == (64, True)


def test_people_with_hit_points_are_listed_below_the_game(dice: Path, turnwright: Turnwright) -> None:
    assert "hp" not in turnwright("show", dice)[1].split()
    mira = dice / "characters" / "character-1.json"
    mira.write_text(json.dumps(json.loads(mira.read_text("utf-8")) | {"max_hp": 12}), encoding="utf-8")
    assert turnwright("answer", dice, "0", NOW)[0] == 0
    assert "hp" in turnwright("show", dice)[1].split()
    assert "The Rusty Anchor (anchor)" in turnwright("show", dice, AS_MIRA)[1]


def test_a_terminal_without_dice_gets_numbers(dice: Path) -> None:
    environment = os.environ | {"PYTHONIOENCODING": "ascii"}
    command = [sys.executable, "-m", "turnwright", "show", str(dice)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert "dice          [2]   [6]   [4]   [1]   [3]\n" in done.stdout
    assert "  1  [6]  critical" in done.stdout


def test_what_players_and_models_write_cannot_steer_the_terminal(text: Path, turnwright: Turnwright) -> None:
    with Campaign.open(text) as campaign:
        night.answer(campaign, "I say \x1b[2Jhush\nand \u202ego")
    _, out, _ = turnwright("show", text)
    assert "\x1b" not in out
    assert "\u202e" not in out
    assert "> I say \u241b[2Jhush\n" in out


# answer


def test_a_die_is_spent_from_the_command_line(dice: Path, turnwright: Turnwright) -> None:
    code, out, _ = turnwright("answer", dice, "0", AS_MIRA, NOW)
    assert code == 0
    assert out.splitlines() == [
        "turn_0006  applied",
        "  applied  answer",
        "   a 2, partial: You land at 0.",
        "   stress 0 -> 2",
        "   heat 1 -> 2",
    ]
    assert last_turn(dice)["authority"] == "player:character-1"
    assert last_turn(dice)["answer"] == {"request_id": "request-3", "kind": "dice", "value": 0}


@pytest.mark.parametrize("reader", [AS_MIRA, "--as=gm"])
def test_a_committed_answer_is_told_although_nothing_can_be_read_any_more(
    dice: Path, turnwright: Turnwright, monkeypatch: pytest.MonkeyPatch, reader: str
) -> None:
    reading = Campaign.reading

    def once(self: Campaign, **options: Any) -> Any:
        monkeypatch.setattr(Campaign, "reading", fail)
        return reading(self, **options)

    def fail(self: Campaign, **options: Any) -> Any:
        raise StorageFailed("cannot read the campaign")

    monkeypatch.setattr(Campaign, "reading", once)
    code, out, _ = turnwright("answer", dice, "0", reader, "--json", NOW)
    assert (code, json.loads(out)["status"]) == (0, "applied")


def test_programs_get_the_reply_and_players_their_projection(dice: Path, turnwright: Turnwright) -> None:
    code, out, _ = turnwright("answer", dice, "7", AS_MIRA, "--json", NOW)
    seen = json.loads(out)
    assert (code, seen["status"]) == (1, "failed")
    hint = seen["tool_feedback"]["failed_calls"][0]["hint"]
    assert hint == {"field": "answer.value", "got": 7, "choices": [0, 1, 2, 3, 4]}
    assert "state_summary" not in seen
    code, out, _ = turnwright("answer", dice, "0", "--json", NOW)
    assert (code, json.loads(out)["state_summary"]["active_actor_id"]) == (0, "character-1")


def test_an_answer_is_no_attempt_at_the_game_masters_turn_that_waits(
    text: Path, turnwright: Turnwright, clock: Callable[[], datetime]
) -> None:
    lie = {"assistant_text": "You rolled 99 on the die.", "tool_calls": [call("roll_dice", expression="1d20")]}
    with Campaign.open(text, clock) as campaign:
        campaign.set({"narration.check": "retry"})
        waiting = campaign.process(lie)
    assert waiting["status"] == "retry_needed"
    code, out, _ = turnwright("answer", text, "I look around", "--json", NOW)
    assert (code, json.loads(out)["turn_id"] != waiting["turn_id"]) == (0, True)
    with Campaign.open(text, clock) as campaign:
        attempt, closed, answered = list(campaign.records())[-3:]
    assert [attempt["turn_id"], closed["turn_id"]] == [waiting["turn_id"]] * 2
    assert (closed["status"], closed["request"]) == ("failed", attempt["request"])
    assert closed["request"]["kind"] == "text"
    assert (answered["status"], answered["applied_actions"][0]["tool"]) == ("applied", "answer")


@pytest.mark.parametrize("value", ["seven", "0.0", "true", '"0"', "[0]", "99"])
def test_what_is_no_die_is_sent_and_fails(dice: Path, turnwright: Turnwright, value: str) -> None:
    code, out, _ = turnwright("answer", dice, value, NOW)
    assert (code, "answer invalid" in out) == (1, True)
    assert crew_of(dice)["request"]["kind"] == "dice"


@pytest.mark.parametrize("word", ["q", "quit", "EXIT", " q "])
def test_words_of_the_terminal_are_never_sent(dice: Path, turnwright: Turnwright, word: str) -> None:
    before = last_turn(dice)["seq"]
    assert turnwright("answer", dice, word, NOW) == (0, "", "nothing was sent\n")
    assert last_turn(dice)["seq"] == before


@pytest.mark.usefixtures("no_terminal")
def test_without_a_value_and_a_terminal_the_request_is_shown(dice: Path, turnwright: Turnwright) -> None:
    code, out, _ = turnwright("answer", dice, AS_MIRA)
    assert code == 64
    assert out.startswith("? Through the skylight\n  0  ")
    assert out.endswith(f"  answer with: turnwright answer {dice} --as player:character-1 0\n")
    code, out, _ = turnwright("answer", dice, "--json")
    assert (code, json.loads(out)["kind"]) == (64, "dice")
    assert last_turn(dice)["seq"] == 5


@pytest.mark.usefixtures("no_terminal")
def test_where_nobody_is_asked_step_by_step_a_creation_is_shown_whole(creation: Path, turnwright: Turnwright) -> None:
    payload = crew_of(creation)["request"]["payload"]
    code, out, _ = turnwright("answer", creation)
    assert code == 64
    assert all(card["name"] in out for card in payload["tarot_spread"])
    assert all(archetype["key"] in out for archetype in payload["archetypes"])


def test_nobody_else_is_shown_or_takes_a_request(dice: Path, turnwright: Turnwright) -> None:
    _join(dice, "tomas")
    code, out, err = turnwright("answer", dice, "--as=player:tomas")
    assert (code, out) == (64, "")
    assert "nothing is asked of tomas now; character-1 is asked" in err
    assert "way number" not in turnwright("show", dice, "--as=player:tomas")[1]
    code, out, _ = turnwright("answer", dice, "0", "--as=player:tomas", NOW)
    assert (code, "not permitted" in out) == (1, True)
    assert turnwright("answer", dice, "0", "--as=player:tom", NOW)[0] == 64


def _join(path: Path, name: str) -> None:
    (path / "characters" / f"{name}.json").write_text(json.dumps({"id": name}), encoding="utf-8")
    campaign = json.loads((path / "campaign.json").read_text("utf-8"))
    campaign["selected"]["party_character_ids"].append(name)
    (path / "campaign.json").write_text(json.dumps(campaign), encoding="utf-8")
    with Campaign.open(path) as opened:
        opened.process({})


def test_when_nothing_is_asked_it_says_what_is_awaited(dice: Path, turnwright: Turnwright) -> None:
    turnwright("answer", dice, "0", NOW)
    code, _, err = turnwright("answer", dice, "0", NOW)
    assert (code, "awaited is the game master, to go on" in err) == (64, True)


@pytest.mark.parametrize(
    ("kind", "written", "value"),
    [
        ("text", "I go in", "I go in"),
        ("text", "2", 2),
        ("text", '"quoted"', "quoted"),
        ("text", "true", "true"),
        ("text", "[1]", "[1]"),
        ("dice", "3", 3),
        ("dice", "3.0", "3.0"),
        ("dice", '"3"', '"3"'),
        ("choice", "offer_1", "offer_1"),
        ("choice", "0", 0),
        ("creation", "cancel", "cancel"),
        ("creation", '{"name": "Mira"}', {"name": "Mira"}),
        ("creation", "7", "7"),
        ("custom", "[1, null]", [1, None]),
        ("custom", "{broken", "{broken"),
        ("text", "NaN", "NaN"),
    ],
)
def test_a_value_is_json_where_its_type_fits_and_text_otherwise(kind: str, written: str, value: object) -> None:
    read = value_of(kind, written)
    assert (read, type(read)) == (value, type(value))


def test_a_new_character_that_is_no_json_is_told_so(creation: Path, turnwright: Turnwright) -> None:
    before = (creation / "log.jsonl").read_bytes()
    code, out, err = turnwright("answer", creation, ' {"name": "Mira"', NOW)
    assert (code, out) == (64, "")
    assert "the new character is no JSON: " in err
    assert (creation / "log.jsonl").read_bytes() == before


# asking at a terminal

Typing = Callable[..., None]


def test_a_person_is_asked_until_a_die_is_named(dice: Path, turnwright: Turnwright, terminal: Typing) -> None:
    terminal("", "9", "six", "0")
    code, out, _ = turnwright("answer", dice, NOW)
    assert code == 0
    assert out.count("one of 0, 1, 2, 3, 4, or q to leave") == 3
    assert "You land at 0." in out


def test_a_person_says_something_or_picks_a_suggestion(text: Path, turnwright: Turnwright, terminal: Typing) -> None:
    terminal("", "2")
    code, out, _ = turnwright("answer", text, AS_MIRA, NOW)
    assert (code, "  1  Drop through the skylight\n" in out) == (0, True)
    assert crew_of(text)["awaiting"]["player_text"] == "Talk to Marrow"


@pytest.mark.parametrize("typed", [("q",), ("9", "quit")])
def test_a_person_leaves_without_answering(
    dice: Path, turnwright: Turnwright, terminal: Typing, typed: tuple[str, ...]
) -> None:
    terminal(*typed)
    code, _, err = turnwright("answer", dice, NOW)
    assert (code, err) == (0, "nothing was sent\n")
    assert crew_of(dice)["request"] is not None


def test_the_end_of_input_leaves_too(dice: Path, turnwright: Turnwright, terminal: Typing) -> None:
    terminal()
    assert turnwright("answer", dice, NOW)[0] == 130
    assert crew_of(dice)["request"] is not None


def test_an_option_is_chosen_by_index_or_key_and_a_closed_one_is_not(
    text: Path, turnwright: Turnwright, terminal: Typing
) -> None:
    _to_a_choice(text)
    keys = [option["key"] for option in crew_of(text)["request"]["payload"]["options"]]
    assert keys[-2:] == ["new_scene", "end_session"]
    terminal("recover_all", "99", "end_session")
    code, out, _ = turnwright("answer", text, NOW)
    assert code == 0
    assert out.count("or q to leave") == 2
    assert crew_of(text)["phase"] == {"tag": "session_ended", "reason": "player_choice"}
    assert "awaited       nobody: the session is over" in turnwright("show", text)[1]


def test_play_says_that_the_session_is_over_and_records_nothing_of_what_is_typed(
    text: Path, turnwright: Turnwright, monkeypatch: pytest.MonkeyPatch
) -> None:
    _to_a_choice(text)
    for option in ("recover_all", "end_session"):
        turnwright("answer", text, NOW, option)
    assert crew_of(text)["phase"]["tag"] == "session_ended"
    before = (text / "log.jsonl").read_bytes()
    monkeypatch.setattr(sys, "stdin", io.StringIO("hello?\n/quit\n"))
    out = turnwright("play", text, "--model=echo", NOW)[1]
    assert out.count("the session is over (player_choice); /resume goes on with it") == 2
    assert (text / "log.jsonl").read_bytes() == before


def test_options_that_cannot_be_had_are_said_to_be_so(
    text: Path, turnwright: Turnwright, terminal: Typing, monkeypatch: pytest.MonkeyPatch
) -> None:
    _to_a_choice(text)
    crew = crew_of(text)
    crew["request"]["payload"]["options"][0]["disabled"] = True
    (text / "crew.json").write_text(json.dumps(crew), encoding="utf-8")
    with Campaign.open(text) as campaign:
        campaign.process({})
    terminal("0", "q")
    _, out, err = turnwright("answer", text, NOW)
    assert "(not to be had)" in out.splitlines()[1]
    assert "one of 1, " in out
    assert err == "nothing was sent\n"


def _to_a_choice(path: Path) -> None:
    with Campaign.open(path) as campaign:
        night.answer(campaign, "Enough for tonight")
        night.play(campaign, narration="You leave.", continue_scene=False)
        night.play(campaign, summary="It was a night.", key_moments=["the night"])
        assert night.play(campaign, text="Hours pass.")["request"]["kind"] == "choice"


CHOSEN = ["Mira", "2", "lurk", "a sailor's child", "yes"]


@pytest.mark.parametrize(
    ("typed", "pronouns"),
    [
        (CHOSEN, "she_her"),
        (["", *CHOSEN], "she_her"),
        (["Mira", "9", "xe", "lurk", "", "y"], {"custom": "xe"}),
        (["Mira", "they_them", "nobody", "4", "", "no", *CHOSEN], "she_her"),
        (["cancel", "n", *CHOSEN], "she_her"),
        (["Mira", "Cancel", "n", *CHOSEN], "she_her"),
    ],
)
def test_a_person_makes_a_character(
    creation: Path, turnwright: Turnwright, terminal: Typing, typed: list[str], pronouns: object
) -> None:
    card = crew_of(creation)["request"]["payload"]["tarot_spread"][0]["name"]
    terminal(*typed)
    code, out, _ = turnwright("answer", creation, NOW)
    assert code == 0
    assert card not in out.partition("background")[0], "the cards are read at the end"
    assert card in out
    assert "Mira steps into the story" in out
    with Campaign.open(creation) as campaign:
        mira = campaign.state["characters/character-1.json"]
    assert (mira["name"], mira["choices"]["archetype"], mira["choices"]["pronouns"]) == ("Mira", "lurk", pronouns)


@pytest.mark.parametrize("step", range(len(CHOSEN)))
def test_making_a_character_can_be_given_up_at_any_step(
    creation: Path, turnwright: Turnwright, terminal: Typing, step: int
) -> None:
    terminal(*CHOSEN[:step], "cancel", "y")
    assert turnwright("answer", creation, NOW)[0] == 0
    assert crew_of(creation)["phase"] == {"tag": "session_ended", "reason": "creation_cancelled"}


@pytest.mark.parametrize("step", range(len(CHOSEN)))
def test_making_a_character_can_be_left_at_any_step(
    creation: Path, turnwright: Turnwright, terminal: Typing, step: int
) -> None:
    terminal(*CHOSEN[:step], "q")
    assert turnwright("answer", creation, NOW)[2] == "nothing was sent\n"
    assert crew_of(creation)["phase"]["tag"] == "character_creation"
