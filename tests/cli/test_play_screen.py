"""What `turnwright play` shows to players: the opening, what they look at, words that mean something to them."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from tests import builders
from tests.builders import Json, call, log_of
from tests.cli.conftest import Play
from tests.game_master.playing import says
from tests.scenes import night

from turnwright import Campaign
from turnwright.cli._keyboard import Keyboard
from turnwright.cli.play.slash_commands import WORDS

GO: Json = call("move", actor_id="ilse", to_area_id="shaft_head")


@pytest.fixture
def delve(tmp_path: Path) -> Path:
    with Campaign.new(tmp_path / "delve", "delve", seed="x", clock=builders.clock):
        return tmp_path / "delve"


@pytest.fixture
def barrow(tmp_path: Path) -> Path:
    with Campaign.new(tmp_path / "barrow", "barrow", seed="x", clock=builders.clock, with_turns=False):
        return tmp_path / "barrow"


def test_a_story_begins_with_its_place_and_what_one_can_do(play: Play, barrow: Path) -> None:
    out = play(barrow, [], "/quit")
    opening, _, _ = out.partition("Sigrun > ")
    assert "Moor Road\n  here: Brother Odo, Wren, Hob the Guide\n  ways: Barrow Mouth\n" in opening
    assert "type what Sigrun does or says, or /look, /move PLACE; /help lists the rest" in opening


def test_an_empty_line_where_nothing_waits_suggests_what_to_type(play: Play, barrow: Path) -> None:
    out = play(barrow, [], "", "/encounter goblin", "", model="none")
    assert "type what happens, or /look, /move PLACE" in out.partition("Sigrun > ")[2]
    assert "/attack WHOM" in out.rpartition("type what happens")[2], "in a fight it is other commands"


def test_nobody_in_the_party_is_told_with_what_to_do(play: Play, tmp_path: Path) -> None:
    lines = ["/npc Greta as rogue 2", "/join greta", "/sheet"]
    out = play(tmp_path / "own", [], *lines, model="none", options=["--new=toolkit", "--seed=x"])
    assert "nobody is in the party yet" in out
    assert "/npc NAME [as CLASS] [LEVEL], /join WHO" in out
    assert "Greta, Human Rogue, level 2" in out


def test_looking_at_things(play: Play, barrow: Path) -> None:
    lines = ["/look", "/sheet", "/inventory wren", "/spells odo", "/quests", "/fight", "/recap", "/sheet nobody"]
    out = play(barrow, [], *lines)
    assert "hit points 28/28  " in out
    assert "armor class 18" in out
    assert "Brother Odo knows\n  known: Bless, Cure Wounds, Spirit Guardians\n  spell slots: level 1: 4 of 4" in out
    assert "goal: Bring back the crown" in out
    assert "nobody fights now" in out
    assert "nothing was said or told yet" in out
    assert "whose? one of " in out
    assert log_of(barrow)[1:] == [], "looking records nothing"


def test_what_must_not_occur_is_shown(play: Play, barrow: Path) -> None:
    assert "what must not occur: nothing was named" in play(barrow, [], "/safety")
    with Campaign.open(barrow, builders.clock) as campaign:
        campaign.set({"agents.avoid": ["spiders", "harm to children"]})
    assert "what must not occur: spiders, harm to children" in play(barrow, [], "/safety")


def test_a_player_looks_at_their_own_sheet_only(play: Play, barrow: Path) -> None:
    out = play(
        barrow, [], "/sheet", "/sheet odo", options=["--as=player:sigrun"], error="error  there is no sheet of 'odo'"
    )
    assert out.count("level 3") == 1


def test_commands_are_commands_in_the_making_of_a_character(play: Play, tmp_path: Path) -> None:
    lines = ["Mira", "/help", "/undo", "back", "Mirabel", "2", "/state", "lurk", "a child", "yes", "/quit"]
    path = tmp_path / "night"
    out = play(path, [{"output": night.OPENING}], *lines, options=["--new=scenes", "--seed=x"])
    assert "/look /map /fight" in out
    assert "! /undo has to wait until this is answered; /quit leaves" in out
    assert "`back` goes to the question before" in out
    with Campaign.open(path) as campaign:
        hero = campaign.state["characters/character-1.json"]
    assert (hero["name"], "/state" in json.dumps(hero)) == ("Mirabel", False)


def test_leaving_the_making_of_a_character_by_its_command(play: Play, tmp_path: Path) -> None:
    out = play(tmp_path / "night", [], "/quit", "Mira", options=["--new=scenes", "--seed=x"])
    assert "Mira" not in out


def test_a_name_that_nobody_here_has_is_told(play: Play, delve: Path) -> None:
    out = play(delve, [says("Yes?")], "@Gandalf hello?", "@quill hello?")
    assert "! nobody called @Gandalf is here; here is Quill. It was not said" in out
    assert [record["user_input"] for record in log_of(delve) if "user_input" in record] == ["@quill hello?"]


def test_states_are_told_in_words(play: Play, tmp_path: Path) -> None:
    path = tmp_path / "own"
    with Campaign.new(path, "stage3", seed="x", clock=builders.clock) as campaign:
        hero = next(key for key in campaign.state if key.startswith("characters/"))
    document: Any = json.loads((path / hero).read_text(encoding="utf-8"))
    (path / hero).write_text(json.dumps({**document, "character_state": "restrained_permanent"}), encoding="utf-8")
    with Campaign.open(path, builders.clock) as campaign:
        campaign.process({"dm_note": "taken over"})
    out = play(path, [], "/bars", "/state", "/sheet")
    assert out.count("captive") == 3
    assert "restrained_permanent" not in out


def test_what_came_through_other_doors_appears_between_prompts(
    play: Play, delve: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain, doors = Keyboard.line, [{"tool_calls": [GO], "assistant_text": "The rails end."}, None]

    def line(self: Keyboard, prompt: str) -> str | None:
        typed = plain(self, prompt)
        if typed == "/look":
            with Campaign.open(delve, builders.clock) as other:
                turn = doors.pop(0)
                other.undo() if turn is None else other.process(turn)
        return typed

    monkeypatch.setattr(Keyboard, "line", line)
    out = play(delve, [], "/look", "/look", "/bars")
    first, second, third = out.split("Ilse > /")[1:]
    assert "The rails end.\n" in first
    assert "Ilse goes to Shaft Head" in first
    assert "somebody took back what was done since record 1" in second
    assert "took back" not in third


def test_the_help_fits_eighty_columns(play: Play, barrow: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.get_terminal_size", lambda *_: os.terminal_size((80, 24)))
    shown = play(barrow, [], "/help", model="none").partition("> /help\n")[2]
    assert all(f"/{word}" in shown for word in WORDS)
    assert [line for line in shown.splitlines() if len(line) > 80] == []
