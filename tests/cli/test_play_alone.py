"""`turnwright play` without a model: the person is the game master, and acts by short forms of tools."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests import builders
from tests.builders import Json, log_of
from tests.cli.conftest import NOW, Play, Turnwright

from turnwright import Campaign
from turnwright.audit.verify import verify
from turnwright.rulesets.play_commands import PlayMoment, read_line
from turnwright.rulesets.registry import BUILT_IN


@pytest.fixture
def barrow(tmp_path: Path) -> Path:
    with Campaign.new(tmp_path / "barrow", "barrow", seed="x", clock=builders.clock, with_turns=False):
        return tmp_path / "barrow"


def calls_of(path: Path) -> list[Json]:
    return [call for record in log_of(path) for call in record.get("tool_calls", ())]


def alone(play: Play, path: Path, *lines: str, options: tuple[str, ...] = (), model: str = "none") -> str:
    out = play(path, [], *lines, model=model, options=options)
    assert not verify(path).problems
    return out


def test_an_evening_alone(play: Play, barrow: Path) -> None:
    out = alone(
        play,
        barrow,
        "/move barrow mouth",
        "A door of stone stands half open.",
        "/check perception 10",
        "/hp brother odo -3 falling stones",
        "/gain rope 2",
        "/give rope to wren",
        "/encounter goblin 2",
        "/next",
        "/endfight fled",
        "/rest long",
    )
    assert "Sigrun goes to Barrow Mouth" in out
    assert "Sigrun, Perception" in out
    assert "Brother Odo 24 -> 21 hp (falling stones)" in out
    assert "a fight begins, in order:" in out
    assert "Sigrun takes a long rest" in out
    made = [(call["tool"], call["args"].get("operation")) for call in calls_of(barrow)]
    assert made == [
        ("move", None),
        ("roll_check", None),
        ("hp_delta", None),
        ("manage_inventory", "give"),
        ("manage_inventory", "transfer"),
        ("create_encounter", None),
        ("advance_turn", None),
        ("end_encounter", None),
        ("take_rest", None),
    ]
    told = [record for record in log_of(barrow) if "assistant_text" in record]
    assert [record["assistant_text"] for record in told] == ["A door of stone stands half open."]
    assert "agent" not in told[0], "a person told it"


def test_no_model_is_told_with_how_to_name_one(play: Play, barrow: Path) -> None:
    out = alone(play, barrow, "/quit")
    assert "game master: you" in out
    assert "--model NAME" in out
    assert "tokens" not in out


def test_only_what_is_missing_is_asked_for(play: Play, barrow: Path) -> None:
    out = alone(play, barrow, "/hp", "odo", "-2", "/hp odo", "lots", "-1", "/check stealth")
    assert "whose hit points > odo" in out
    assert "how many (-5 hurts, 5 heals) > -2" in out
    assert out.count("whose hit points > ") == 1, "what was typed is not asked for"
    assert "! a number, please" in out
    assert [call["args"].get("delta") for call in calls_of(barrow)] == [-2, -1, None]


def test_a_question_says_how_to_go_back_and_how_to_leave(play: Play, barrow: Path) -> None:
    out = alone(play, barrow, "/give", "torch", "", "longsword", "2", "/hp", "", "/give", "/quit", "never said")
    assert "an empty line goes back, /quit leaves" in out
    assert "/hp was given up" in out, "back from the first question is back to the line"
    assert [call["args"]["item_name"] for call in calls_of(barrow)] == ["Longsword"]
    assert "never said" not in out


def test_another_command_in_place_of_an_answer_is_that_command(play: Play, barrow: Path) -> None:
    out = alone(play, barrow, "/give", "/move barrow mouth")
    assert "/give was given up" in out
    assert [call["tool"] for call in calls_of(barrow)] == ["move"]


def test_what_the_engine_would_refuse_is_told_and_not_recorded(play: Play, barrow: Path) -> None:
    lines = ["/move nowhere", "", "/encounter goblin", "/rest long", "/move nowhere", "/nonsense", "/atack goblin"]
    out = alone(play, barrow, *lines)
    assert "the party is in a fight: /step moves within it, and /endfight fled leaves it" in out
    assert "nobody rests in a fight" in out
    assert "which of these is 'nowhere'?" in out
    assert "there is no /nonsense" in out
    assert "did you mean /attack?" in out
    assert [call["tool"] for call in calls_of(barrow)] == ["create_encounter"]
    assert not any(record["tool_feedback"]["failed_calls"] for record in log_of(barrow) if record["kind"] == "turn")


def test_any_tool_may_be_called_by_its_name(play: Play, barrow: Path) -> None:
    alone(play, barrow, "/manage_notes operation=add content=the king lies", '/roll_dice {"expression": "2d6"}')
    first, second = calls_of(barrow)
    assert first["args"] == {"operation": "add", "content": "the king lies"}
    assert second["args"] == {"expression": "2d6"}


def test_trying_a_call_shows_and_spends_no_die(play: Play, barrow: Path, tmp_path: Path) -> None:
    alone(play, barrow, "/check", "stealth")
    other = tmp_path / "other"
    with Campaign.new(other, "barrow", seed="x", clock=builders.clock, with_turns=False) as campaign:
        args = {"check_type": "skill", "skill": "stealth", "character_id": "sigrun"}
        turn = {"actor_id": "sigrun", "tool_calls": [{"id": "call_001", "tool": "roll_check", "args": args}]}
        campaign.process(turn)
    draws = [[record["draws"] for record in log_of(path) if record["kind"] == "turn"] for path in (barrow, other)]
    assert draws[0] == draws[1]


def test_a_hero_is_chosen_and_speaks(play: Play, barrow: Path) -> None:
    alone(play, barrow, "/hero wren", "/say I listen.", "/check stealth")
    said, checked = [record for record in log_of(barrow) if record["kind"] == "turn"]
    assert (said["actor_id"], said["user_input"]) == ("wren", "I listen.")
    assert checked["actor_id"] == "wren"


def test_a_player_has_no_short_forms_but_those_players_may_call(play: Play, barrow: Path) -> None:
    out = alone(play, barrow, "/hp odo 5", "/move barrow mouth", options=("--as=player:sigrun",))
    assert "the game master does that" in out
    assert [call["tool"] for call in calls_of(barrow)] == ["move"]


def test_with_a_model_the_table_moves_and_leaves_the_rest_to_it(play: Play, barrow: Path) -> None:
    out = alone(play, barrow, "/move barrow mouth", "/hp odo 5", model="echo")
    assert "the game master does that" in out
    assert [call["tool"] for call in calls_of(barrow)] == ["move"]


def test_words_that_contradict_the_log_are_marked(play: Play, barrow: Path) -> None:
    out = alone(play, barrow, "Brother Odo regains 5 hit points.")
    assert "! the books disagree: the record shows no healing of Brother Odo" in out
    with Campaign.open(barrow, builders.clock) as campaign:
        campaign.set({"narration.check": "retry"})
    out = alone(play, barrow, "/hp odo -1", "Brother Odo regains 9 hit points.", "Brother Odo winces.")
    assert "it was not recorded: tell it otherwise" in out
    turns = [record for record in log_of(barrow) if record["kind"] == "turn"]
    told = [record["assistant_text"] for record in turns if "assistant_text" in record]
    assert told == ["Brother Odo regains 5 hit points.", "Brother Odo winces."]


def test_undo_takes_back_what_was_typed_last(play: Play, barrow: Path) -> None:
    out = alone(play, barrow, "/move barrow mouth", "/hp odo -3", "/undo", "/undo")
    assert out.count("taken back: ") == 2
    with Campaign.open(barrow) as campaign:
        assert campaign.state["characters/sigrun.json"]["position"] == "moor_road"


def test_a_scene_game_needs_a_model(turnwright: Turnwright, tmp_path: Path) -> None:
    with Campaign.new(tmp_path / "night", "scenes", seed="x", clock=builders.clock):
        pass
    code, _, err = turnwright("play", tmp_path / "night", "--model=none")
    assert (code, "a scene game needs a model" in err) == (64, True)


@pytest.mark.parametrize("name", sorted(BUILT_IN.commands))
def test_every_short_form_names_a_tool_and_asks_in_words(name: str) -> None:
    command = BUILT_IN.commands[name]
    assert command.tool in BUILT_IN.tools
    assert command.summary
    for slot in command.slots:
        assert slot.question.strip(), slot
        assert not slot.question.endswith("?")


WORDS_TYPED = st.sampled_from(
    ["odo", "wren", "goblin", "to", "at", "on", "-3", "7", "torch", "stealth", "{", "a=1", "é", "🜁"]
)
LINES_TYPED = st.tuples(
    st.sampled_from([*sorted(BUILT_IN.commands), "roll_dice", "manage_notes"]), st.lists(WORDS_TYPED, max_size=5)
).map(lambda typed: f"/{typed[0]} {' '.join(typed[1])}")


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(name=st.sampled_from(sorted(BUILT_IN.commands)), line=st.text(max_size=60))
def test_whatever_is_typed_says_something_of_the_slots_or_nothing(barrow: Path, name: str, line: str) -> None:
    command = BUILT_IN.commands[name]
    with Campaign.open(barrow) as campaign, campaign.reading() as world:
        values, rest = read_line(command, PlayMoment(world, "sigrun", {}), line)
    slots = {slot.argument: slot for slot in command.slots}
    assert values.keys() <= slots.keys()
    assert all(isinstance(value, int) == (slots[key].kind == "number") for key, value in values.items())
    assert all(isinstance(value, list) == slots[key].is_list for key, value in values.items())
    assert set(rest.split()) <= set(line.split())


@settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(lines=st.lists(LINES_TYPED, min_size=4, max_size=8))
def test_whatever_is_typed_leaves_a_sound_campaign(
    lines: list[str], turnwright: Turnwright, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("typed") / "barrow"
    with Campaign.new(path, "barrow", seed="x", clock=builders.clock, with_turns=False):
        pass
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        code, out, err = turnwright("play", path, "--model=none", NOW)
    assert code == 0, out + err
    assert not verify(path).problems
    assert not any(record["tool_feedback"]["failed_calls"] for record in log_of(path) if record["kind"] == "turn")


def test_a_spell_is_cast_by_its_name(play: Play, turnwright: Turnwright, tmp_path: Path) -> None:
    path = tmp_path / "tower"
    assert turnwright("new", path, "--hero", "Bo, elf wizard 1", "--place", "Tower", "--seed", "x")[0] == 0
    out = alone(play, path, "/encounter goblin", "/next", "/cast magic missile at goblin", "/cast")
    made = [(call["tool"], call["args"]) for call in calls_of(path)]
    assert ("cast_spell", {"caster_id": "bo", "spell": "Magic Missile", "target_ids": ["goblin"]}) in made, out


@pytest.fixture
def oxbow(turnwright: Turnwright, tmp_path: Path) -> Path:
    """Give a village with two giant rats that are ready in its mill."""
    path = tmp_path / "oxbow"
    options = ("--hero", "Greta, halfling rogue 2", "--place", "Oxbow", "--trouble", "two giant rats in the mill")
    assert turnwright("new", path, *options, "--seed", "s1")[0] == 0
    return path


@pytest.mark.parametrize("typed", ["/attack giant rat", "/act dodge", "/step 3 4", "/next", "/endfight victory"])
def test_without_a_fight_it_is_told_how_one_begins(play: Play, oxbow: Path, typed: str) -> None:
    out = alone(play, oxbow, typed)
    assert "nobody fights now; /encounter 2 giant rat begins a fight" in out
    assert not [call for call in calls_of(oxbow) if call["tool"] in ("execute_action", "advance_turn")]


def test_an_attack_goes_to_whom_it_strikes_at(play: Play, oxbow: Path) -> None:
    with Campaign.open(oxbow) as campaign:
        monsters = {"monsters": [{"monster": "giant rat"}], "participants": [{"character_id": "greta"}]}
        campaign.process({"tool_calls": [{"id": "a", "tool": "create_encounter", "args": monsters}]})
        fight = campaign.state["encounters/encounter-1.json"]
    if fight["participants"][0]["id"] != "greta":
        alone(play, oxbow, "/next")
    alone(play, oxbow, "/attack giant rat")
    (attack,) = [call for call in calls_of(oxbow) if call["tool"] == "execute_action"]
    with Campaign.open(oxbow) as campaign:
        people = {one["id"]: one for one in campaign.state["encounters/encounter-1.json"]["participants"]}
    goal = people["giant-rat"]["position"] if "giant-rat" in people else people["giant-rat-1"]["position"]
    assert people["greta"]["position"] == attack["args"]["move_to"]
    assert max(abs(goal["x"] - attack["args"]["move_to"]["x"]), abs(goal["y"] - attack["args"]["move_to"]["y"])) == 1


def test_an_attack_in_reach_does_not_move(play: Play, oxbow: Path) -> None:
    near = [
        {"character_id": "greta", "position": {"x": 0, "y": 0}, "initiative_bonus": 500},
        {"id": "rat", "name": "Rat", "hp": 3, "max_hp": 3, "ac": 10, "is_enemy": True, "position": {"x": 1, "y": 1}},
    ]
    with Campaign.open(oxbow) as campaign:
        campaign.process({"tool_calls": [{"id": "a", "tool": "create_encounter", "args": {"participants": near}}]})
    alone(play, oxbow, "/attack rat")
    (attack,) = [call for call in calls_of(oxbow) if call["tool"] == "execute_action"]
    assert "move_to" not in attack["args"]
