"""`turnwright play`, as a person or a script meets it: lines in, a story out, and everything in the log."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from tests import builders
from tests.builders import Json, call, log_of
from tests.cli.conftest import NOW, Play, Turnwright
from tests.game_master.playing import says
from tests.scenes import night
from tests.scenes.moments import SCENE, SUMMARY
from tests.scenes.test_hand_edits import edit
from tests.tools.hall import hall_documents

from turnwright import Campaign
from turnwright.audit.verify import verify
from turnwright.llm.echo import EchoModel


@pytest.fixture
def delve(tmp_path: Path) -> Path:
    with Campaign.new(tmp_path / "delve", "delve", seed="x", clock=builders.clock):
        return tmp_path / "delve"


def go(to: str, actor: str = "ilse") -> Json:
    return call("move", actor_id=actor, to_area_id=to)


def texts(path: Path) -> list[str]:
    return [record["assistant_text"] for record in log_of(path) if "assistant_text" in record]


def state_of(path: Path) -> Json:
    with Campaign.open(path) as campaign:
        return campaign.state


# a whole session


def test_a_session_over_the_delve(play: Play, delve: Path) -> None:
    answers = [
        says("The track ends in the dark.", go("shaft_head")),
        says("Tomas groans.", {"id": "look", "tool": "move_options", "args": {"actor_id": "ilse"}}),
        says("Somebody lies there, breathing."),
    ]
    out = play(delve, answers, "I go down", "what is here?", "/state", "/map", "/bars", "/why", "/quit", "never said")
    assert out.startswith("The Delve\n")
    assert "you play Ilse, at Miners' Gate" in out
    assert "Ilse > I go down\n  Ilse goes to Shaft Head\nThe track ends in the dark.\n" in out
    assert "Tomas groans" not in out, "it was written before the results were known"
    assert texts(delve) == ["The track ends in the dark.", "Somebody lies there, breathing."]
    assert "Shaft Head" in out
    assert "[###########-]" in out
    assert "never said" not in out
    assert state_of(delve)["characters/ilse.json"]["position"] == "shaft_head"
    assert not verify(delve).problems


def test_the_next_session_begins_with_what_was_told_last(play: Play, delve: Path) -> None:
    play(delve, [says("The track ends in the dark.")], "I look down")
    out = play(delve, [], "/quit")
    assert "Last time\n  > Ilse: I look down\n    The track ends in the dark.\n" in out


def test_a_session_over_the_scene_template(play: Play, tmp_path: Path) -> None:
    path = tmp_path / "night"
    dice = (5, 1, 2, 1, 6)
    answers: list[Any] = [
        {"output": night.OPENING},
        {"tool_calls": [night.CHOOSE, night.ENGAGE]},
        {"tool_calls": [night.spend(*dice)]},
        {"output": {"narration": "Glass rains down."}},
    ]
    lines = ["Mira", "2", "lurk", "a child", "yes", "1", "99", "/dice", "0", "/state", "q"]
    out = play(path, answers, *lines, options=["--new=scenes", "--seed=x"])
    assert "Three cards, and none of them kind." in out
    assert "1  Drop through the skylight" in out
    assert "which die > 99\n! " in out, "the engine says which dice there are"
    assert "way number 0 through the glass" in out
    assert "You land at 0." in out
    assert "Glass rains down." in out
    assert night.HUSH not in out, "players are told no secrets"
    assert not verify(path).problems


BESIDE = "bram"
"""Who else plays in the night."""


@pytest.fixture
def night_of_two(tmp_path: Path) -> Path:
    """Give a scene game of two players, whose story was opened in an earlier session."""
    path = tmp_path / "night"
    with Campaign.new(path, "scenes", seed="x", clock=builders.clock) as campaign:
        night.begin(campaign)
    party = {"party_character_ids": ["character-1", BESIDE], "active_actor_id": "character-1"}
    edit(path, "campaign.json", selected=party)
    (path / "characters" / f"{BESIDE}.json").write_text(json.dumps(builders.person(BESIDE, character_type="pc")))
    with Campaign.open(path, builders.clock) as campaign:
        campaign.process({"dm_note": "Bram joins"})
    return path


def test_why_tells_the_table_nothing_of_what_stood_in_calls_of_a_scene_game(play: Play, tmp_path: Path) -> None:
    resolves = call("resolve", resolve_outcome="clean", resolve_what="the vampire is her brother")
    accepts = call("accept", accept_transition="they are followed")
    answers: list[Any] = [
        {"output": night.OPENING},
        {"tool_calls": [night.CHOOSE, night.ENGAGE]},
        {"tool_calls": [night.spend(5, 1, 2, 1, 6)]},
        {"tool_calls": [resolves]},
        {"tool_calls": [accepts], "output": {"narration": "On."}},
    ]
    lines = ["Mira", "2", "lurk", "a child", "yes", "1", "4", "/why", "/as gm", "/why"]
    out = play(tmp_path / "night", answers, *lines, options=["--new=scenes", "--seed=x"])
    of_table, of_gm = out.split("> /as gm")
    assert "resolve" in of_table.partition("> /why")[2]
    for secret in ("vampire", "followed"):
        assert secret not in of_table
        assert secret in of_gm


def test_all_that_a_scene_game_told_is_told_to_who_takes_the_keyboard(play: Play, night_of_two: Path) -> None:
    answers: list[Json] = [
        {"tool_calls": [night.ENGAGE]},
        {"tool_calls": [night.spend(*night.POOL)]},
        {"output": {"narration": "Glass rains down."}},
        {"tool_calls": [call("resolve", resolve_outcome="costly", resolve_what="in")]},
        {"output": {"narration": "You leave.", "continue_scene": False}},
        {"output": SUMMARY},
        {"output": {"text": "Hours pass."}},
        {"output": {**SCENE, "location_id": "canal"}},
    ]
    own = ["--as=player:character-1"]
    out = play(night_of_two, answers, "1", "0", "I run", "new_scene", f"/as {BESIDE}", options=own)
    assert night.OPENING["opening_thread"] in out.partition("Mira > 1")[0], "the session before"
    of_bram = out.partition(f"/as {BESIDE}")[2]
    heard = [
        "  > Mira: Drop through the skylight",
        "    You land at 0.",
        "    Glass rains down.",
        "  > Mira: I run",
        "    You leave.",
        "    Hours pass.",
        "    Morning.",
    ]
    assert [line for line in of_bram.splitlines() if line in heard] == heard
    assert "> Mira: 1\n" not in of_bram
    assert night.HUSH not in of_bram


def test_the_cards_are_read_once_somebody_is_known(play: Play, tmp_path: Path) -> None:
    lines = ["Mira", "2", "lurk", "a child", "no", "/quit"]
    out = play(tmp_path / "night", [], *lines, options=["--new=scenes", "--seed=x"])
    cards = state_of(tmp_path / "night")["crew.json"]["request"]["payload"]["tarot_spread"]
    before, _, after = out.partition("background (may stay empty)")
    for card in cards:
        assert (before.count(card["name"]), after.count(card["name"])) == (0, 1)
    assert before.count("gone before the lamp is lit") == 1, "what can be chosen is told where it is asked"


def test_a_campaign_made_to_be_played_has_no_turns_that_wait(play: Play, tmp_path: Path) -> None:
    play(tmp_path / "delve", [], "/quit", model="echo", options=["--new=delve"])
    assert list((tmp_path / "delve" / "turns").glob("*.json")) == []


def test_no_campaign_is_made_where_another_is_or_without_a_model(
    turnwright: Turnwright, delve: Path, tmp_path: Path
) -> None:
    code, _, err = turnwright("play", delve, "--new=heist", "--seed=s", "--model=echo", NOW)
    assert (code, "is a campaign already; leave --new out to go on with it" in err) == (64, True)
    for model in (["--model=script:nowhere.jsonl"], ["--model=echoo"]):
        assert turnwright("play", tmp_path / "fresh", "--new=delve", *model, NOW)[0] == 64
        assert not (tmp_path / "fresh").exists()


def test_echo_needs_nothing_and_says_the_last_words(play: Play, delve: Path) -> None:
    out = play(delve, [], "is anybody there", model="echo")
    assert "is anybody there" in texts(delve)[0]
    assert texts(delve)[0] in out


def test_after_a_message_without_dice_no_seat_is_told_more_than_that(play: Play, hall: Path) -> None:
    of_gm = play(hall, [says("All is calm.")], "/dice", "I wait", "/dice", options=["--as=gm"])
    assert "nothing was said yet, so no dice were rolled" in of_gm
    assert "no dice were rolled for the last message" in of_gm
    of_table = play(hall, [says("All is calm.")], "I wait", "/dice")
    assert "no dice were rolled in the open for the last message" in of_table


def test_dice_are_shown_when_they_are_thrown(play: Play, hall: Path) -> None:
    answers = [says("", call("roll_dice", expression="2d6+1")), says("Lucky you.")]
    out = play(hall, answers, "I try my luck", "/dice", options=["--as=gm"])
    assert out.count("⚀") + out.count("⚁") + out.count("⚂") + out.count("⚃") + out.count("⚄") + out.count("⚅") == 4


# models that fail


FAULTS: dict[str, list[Json]] = {
    "garbage": [{"text": "{{{ not an answer", "is_well_formed": False}] * 4,
    "nothing": [{"text": ""}] * 4,
    "a timeout": [{"fail": "timeout"}],
    "a disconnection": [{"text": "half a sent", "fail": "disconnected"}],
    "no end": [{"text": "and then " * 500, "fail": "too_long"}],
    "nobody there": [{"fail": "unavailable"}],
    "a refusal": [{"fail": "refused"}],
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_failing_model_changes_nothing_is_told_of_and_the_session_goes_on(
    play: Play, delve: Path, fault: str
) -> None:
    before = state_of(delve)
    out = play(delve, FAULTS[fault], "I listen", "/state", "/quit")
    assert "! the game master gave no answer" in out
    assert "what was said is kept: /again asks once more" in out
    assert out.index("! the game master") < out.index("> /state")
    assert state_of(delve) == before
    assert [(record["kind"], record.get("user_input")) for record in log_of(delve)[1:]] == [("turn", "I listen")]
    log = (delve / "log.jsonl").read_bytes()
    out = play(delve, FAULTS[fault], "/quit")
    assert (delve / "log.jsonl").read_bytes() == log, "the failure itself leaves no trace"
    again = play(delve, [says("Water drips.")], "/quit")
    assert "going on where play stopped" in again
    assert texts(delve) == ["Water drips."]


def test_a_text_that_is_cut_off_each_time_is_told_with_a_note(play: Play, delve: Path) -> None:
    out = play(delve, [{"text": "The rails end and", "is_cut_off": True}] * 4, "I look", "/quit")
    assert out.count("The rails end and") == 1
    assert "(cut off: the model may not write more than agents.narrative.max_tokens)" in out


def test_a_model_that_calls_what_does_not_exist_gets_feedback_and_why_tells(play: Play, delve: Path) -> None:
    answers = [says("", call("open_portal", to="moon")), says("Nothing opens.")]
    out = play(delve, answers, "abracadabra", "/why", "/as gm", "/why")
    assert "Nothing opens." in out
    of_players, of_master = out.split("/as gm")[0], out.partition("what the game master sees")[2]
    assert "nothing of it was done" in of_players
    assert "open_portal" not in of_players, "what it is, is on no list"
    assert "open_portal" in of_master


def test_a_model_that_never_stops_calling_is_stopped(play: Play, delve: Path) -> None:
    out = play(delve, [says("", go("shaft_head")), says("", go("gate"))] * 9, "I run", "I rest")
    assert "called tools instead of telling anything" in out
    assert "Ilse > I rest" in out


def test_what_was_applied_before_a_failure_is_not_said_to_be_nothing(play: Play, delve: Path) -> None:
    out = play(delve, [says("", go("shaft_head")), {"fail": "timeout"}], "I go down")
    assert "what was applied stands; what was said is kept: /again asks once more" in out
    assert "nothing was changed" not in out


def test_a_text_that_no_log_can_hold_costs_no_words(play: Play, delve: Path) -> None:
    script = [{"text": "x" * 1_100_000}, says("Water drips.")]
    out = play(delve, script, "I listen", "/again")
    assert "could not be recorded" in out
    assert "what was said is kept" in out
    assert texts(delve) == ["Water drips."]


# bounds


def test_a_bound_is_told_and_nothing_more_is_recorded(play: Play, delve: Path) -> None:
    bound = ["--set=agents.session_tokens=3000"]
    out = play(delve, [says("So it goes.")] * 20, *[f"message {n}" for n in range(20)], options=bound)
    assert "! no further question is allowed: this session has used" in out
    said = [record["user_input"] for record in log_of(delve) if "user_input" in record]
    assert len(said) <= len(texts(delve)) + 1
    assert "3000 tokens (agents.session_tokens)" in out


# words of the terminal


def test_undo_takes_back_the_whole_exchange(play: Play, delve: Path) -> None:
    before = state_of(delve)
    out = play(delve, [says("You are there.", go("shaft_head"))], "I go down", "/undo")
    assert state_of(delve) == before
    assert " ".join(out.split()).count("taken back: turn_0003") == 1
    assert "turn_0001: I go down" in " ".join(out.split())
    assert "it began with: I go down" in out


def test_an_unknown_word_is_not_said_to_anybody(play: Play, delve: Path) -> None:
    out = play(delve, [], "/stat")
    assert "there is no /stat; did you mean /state?" in out
    assert len(log_of(delve)) == 1


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("/xyzzy", "there is no /xyzzy; /help lists what there is. Type two slashes"),
        ("/as bartholomew", "bartholomew is not in the party\n"),
    ],
)
def test_what_resembles_nothing_is_no_guess(typed: str, told: str, play: Play, delve: Path) -> None:
    assert told in play(delve, [], typed)


def test_two_slashes_say_a_line_that_begins_with_one(play: Play, delve: Path) -> None:
    play(delve, [says("Indeed.")], "//bow to the queen")
    assert log_of(delve)[1]["user_input"] == "/bow to the queen"


def test_a_backslash_goes_on_in_the_next_line(play: Play, delve: Path) -> None:
    play(delve, [says("Indeed.")], "I write:\\", "dear Tomas")
    assert log_of(delve)[1]["user_input"] == "I write:\ndear Tomas"


def test_help_names_every_word(play: Play, delve: Path) -> None:
    out = play(delve, [], "/help")
    for word in ("map", "state", "why", "undo", "bars", "dice", "help", "quit", "again", "as", "whisper"):
        assert f"/{word}" in out


def test_help_tells_more_of_a_group_and_of_a_command(play: Play, delve: Path) -> None:
    out = play(delve, [], "/help speak", "/help /undo", "/help unod")
    assert "/whisper NAME ..." in out
    assert "hand the keyboard to a member of the party" in out
    assert "/undo [TURN]" in out
    assert "and each command; did you mean undo?" in " ".join(out.split())


def test_text_of_models_and_players_drives_no_terminal(play: Play, delve: Path) -> None:
    out = play(delve, [says("a \x1b[2Jbell \x07 and \u202eback")], "\x1b]0;title\x07 hello")
    assert not {"\x1b", "\x07", "\u202e"} & set(out)


def test_names_drive_no_terminal(play: Play, hall: Path) -> None:
    named = call("update_character", character_id="aria", name="Ar\x1b]0;owned\x07ia\u202e")
    out = play(hall, [says("", named), says("A new name.")], "call me what you like", "/bars")
    assert "␛]0;owned␇" in out
    assert not {"\x1b", "\x07", "\u202e"} & set(out)


# several people


def test_who_sat_at_the_table_is_not_told_again_what_it_read(play: Play, hall: Path) -> None:
    answers = [says("The wind is cold."), says("Rain.")]
    lines = ["I wait", "/as brom", "/as gm", "/as table", "/as brom", "I leave", "/as cyra", "/as table"]
    first, *later = play(hall, answers, *lines).split("> /as ")
    assert first.count("The wind is cold.") == 1
    assert "you are Brom; Brom is at Great Hall, with Aria, Cyra" in later[0]
    assert "you see what the game master sees; Aria is at Great Hall" in later[1]
    assert "you all play; Aria is at Great Hall" in later[2]
    assert not any("The wind is cold." in told for told in later)
    of_cyra, of_table = later[4:]
    assert "  > Brom: I leave\n    Rain.\n" in of_cyra
    assert "  > Brom: I leave\n    Rain.\n" in of_table, "one player told nobody else what was on the screen"


def test_who_takes_the_keyboard_is_told_too_that_a_text_was_not_checked(play: Play, hall: Path) -> None:
    german = says(
        "Der Wind ist kalt, und Brom verliert f\u00fcnf Trefferpunkte, weil der Pfeil ihn in die Schulter trifft."
    )
    own = ["--as=player:aria"]
    parts = play(hall, [german], "I wait", "/as brom", "/as aria", "/as brom", options=own).split("> /as ")
    assert [part.count("only English is compared with") for part in parts] == [1, 1, 0, 0]
    assert "only English is compared with" in play(hall, [], "/quit", options=own), "what was told last time"


def test_whom_a_whisper_is_for_reads_that_nobody_else_hears_it(play: Play, hall: Path) -> None:
    lines = ["/whisper brom psst", "/as brom", "/as gm"]
    parts = play(hall, [says("It is cold.")], *lines, options=["--as=player:aria"]).split("> /as ")
    assert "  > Aria (only you hear this): @brom psst\n" in parts[1]
    assert "only you hear this" not in parts[0] + parts[2], "their own words, and what the game master reads"
    assert "Aria (only you hear this): @brom psst\n" in play(hall, [], options=["--as=player:brom"])
    assert "only you hear this" not in play(hall, [], options=["--as=player:aria"])


def test_two_players_and_a_whisper(play: Play, hall: Path) -> None:
    answers = [says("Meet me at dusk."), says("The hall is full.")]
    lines = ["/whisper lena who is the traitor?", "/as brom", "I look around", "/as aria", "/as cyra", "/as table"]
    out = play(hall, answers, *lines, options=["--as=player:aria"])
    said, told = log_of(hall)[2:4]
    assert (said["private"], said["addressees"], said["actor_id"]) == (True, ["lena"], "aria")
    assert (told["private"], told["speaker_id"], told["agent"]) == (True, "lena", "npc_puppeteer")
    assert log_of(hall)[4]["authority"] == "player:brom"
    assert "(only you hear this): Meet me at dusk." in out
    for_brom = out[out.index("you are Brom") :]
    assert "Meet me at dusk" not in for_brom[: for_brom.index("/as table")]
    later = play(hall, [], "/quit", options=["--as=player:brom"])
    assert "traitor" not in later
    assert "Meet me at dusk" not in later
    assert "The hall is full." in later


def test_a_whisper_to_another_player_is_for_their_eyes_only(play: Play, hall: Path) -> None:
    out = play(hall, [], "/whisper brom I trust nobody", "/as cyra", "/as brom", options=["--as=player:aria"])
    assert "noted" in out
    for_cyra = out[out.index("> /as cyra") : out.index("> /as brom")]
    for_brom = out[out.index("> /as brom") :]
    assert "I trust nobody" not in for_cyra
    assert "I trust nobody" in for_brom


@pytest.mark.parametrize("word", ["/again", ""])
def test_why_tells_a_player_of_no_turn_but_their_own(play: Play, hall: Path, word: str) -> None:
    bad = call("manage_notes", operation="add", content="HIDDEN", importance="HIDDEN")
    answers = [{"fail": "timeout"}, says("", call("roll_dice", expression="1d6"), bad, go("cellar")), says("Fine.")]
    out = play(hall, answers, "hi", word, "/why", "/as brom", "/why", "still here", options=["--as=player:aria"])
    told = out[out.index("> /why") :]
    assert "HIDDEN" not in told
    assert "roll_dice" not in told
    assert "turn_0" not in told
    assert "> still here" in told
    assert "roll_dice" in play(hall, answers[1:], "hi", "/why", options=["--as=gm"])


def test_why_tells_a_player_of_no_document_of_the_game_master(play: Play, tmp_path: Path) -> None:
    path = tmp_path / "night"
    bad: list[Any] = [{"output": {"narration": 7}}, {"fail": "timeout"}]
    lines = ["Mira", "2", "lurk", "a child", "yes", "/as mira", "1", "/why", "", "/why", "/as gm", "/why"]
    out = play(path, [{"output": night.OPENING}, *bad, *bad], *lines, options=["--new=scenes", "--seed=x"])
    after_own, after_going_on, of_gm = out.split("> /why")[1:]
    assert "turn_" in after_own.partition("Mira >")[0]
    assert "narration" not in after_own + after_going_on
    assert "turn_" not in after_going_on.partition("Mira >")[0]
    assert "output.narration: wants text" in of_gm


def test_why_tells_a_player_why_their_words_were_refused(play: Play, hall: Path) -> None:
    leaves = says("", call("manage_party", operation="remove", character_id="aria"))
    lines = ["I leave", "Wait for me", "/why", "/as brom", "/why"]
    out = play(hall, [leaves, says("Bye.")], *lines, options=["--as=player:aria"])
    of_aria, of_brom = out.split("> /why")[1:]
    assert "refused\n  aria is not in the party\n" in of_aria
    assert "refused" not in of_brom


def test_why_tells_a_player_what_became_of_their_whisper(play: Play, hall: Path) -> None:
    out = play(hall, [], "/whisper brom I trust nobody", "/why", options=["--as=player:aria"])
    assert "turn_0001  words only\n" in out.partition("> /why")[2]


def test_why_tells_the_table_of_nothing_behind_the_screen(play: Play, hall: Path) -> None:
    note = call("manage_notes", operation="add", content="HIDDEN")
    bad = call("update_character", character_id="HIDDEN", hp=1)
    rolls = call("roll_check", character_id="brom", check_type="initiative")
    script = [says("", note, bad, rolls), says("Fine.")]
    lines = ["I look", "/why", "/as gm", "/why"]
    of_table, of_gm = play(hall, script, *lines).split("> /why")[1:]
    assert "HIDDEN" not in of_table
    assert "roll_check" in of_table
    assert "note: HIDDEN" in of_gm
    assert "there is no character HIDDEN" in of_gm


def test_a_player_s_map_shows_what_that_player_knows(play: Play, delve: Path) -> None:
    for seat in ("table", "player:ilse"):
        out = play(delve, [], "/map", options=[f"--as={seat}"])
        assert "* Ilse" in out
        assert "Shaft Head" in out, "the way out"
        assert "Warden" not in out
    assert "Warden" in play(delve, [], "/map", options=["--as=gm"])


@pytest.mark.parametrize("seat", ["table", "player:sigrun"])
def test_who_stands_there_is_told_alike_by_the_banner_the_state_and_the_map(
    play: Play, tmp_path: Path, seat: str
) -> None:
    out = play(tmp_path / "barrow", [], "/state", "/map", options=["--new=barrow", f"--as={seat}"])
    banner, state, drawn = out.split("Sigrun > ")[:3]
    assert "you play Sigrun, at Moor Road, with Hob the Guide, Brother Odo, Wren" in banner
    assert "Also here: Hob the Guide\n" in state
    assert "- Hob the Guide" in drawn
    assert "Quiet King" not in state.partition("Also here")[2] + drawn.partition("Area")[2]


def test_players_read_no_ids_but_of_who_has_no_name(play: Play, tmp_path: Path) -> None:
    of_player, of_gm = play(
        tmp_path / "crossing", [], "/state", "/map", "/as gm", "/state", options=["--new=crossing"]
    ).split("> /as gm")
    state = of_player.partition("> /state")[2].partition("> /map")[0]
    assert "_00" not in state.replace("someone unnamed (pc_002)", "")
    assert of_player.count("someone unnamed (pc_002)") == 3, "in the banner, the state and the map"
    assert "pc_002" in of_gm


def test_many_tools_are_counted_and_few_are_named(play: Play, turnwright: Turnwright, tmp_path: Path) -> None:
    out = play(tmp_path / "barrow", [], "/state", options=["--new=barrow", "--as=gm"])
    allowed = json.loads(turnwright("show", tmp_path / "barrow", "--json")[1])["allowlist"]
    assert f"tools: {len(allowed)}; `turnwright show " in out
    assert "manage_concentration" not in out
    assert "tools: move, " in play(tmp_path / "delve", [], "/state", options=["--new=delve", "--as=gm"])


def test_a_question_larger_than_most_models_hold_is_told_once_with_what_to_do(play: Play, tmp_path: Path) -> None:
    server = "openai:any@http://127.0.0.1:9/v1"
    full = ["--set", "agents.profile=full"]
    large = play(tmp_path / "barrow", [], "/state", "/quit", model=server, options=["--new=barrow", *full])
    assert large.count("a question to the model takes about ") == 1
    told = " ".join(large.partition("> /state")[0].split())
    assert re.search(r"takes about \d,\d{3} tokens, \d,\d{3} of them for the descriptions of \d\d tools", told)
    for way in ("--set agents.profile=core", "tiny", "--set agents.context_tokens=2000"):
        assert way in told
    for model, sample in ((server, "delve"), (server, "barrow"), ("echo", "barrow")):
        small = play(tmp_path / f"{sample}-{model[:4]}-small", [], "/quit", model=model, options=[f"--new={sample}"])
        assert "a question to the model takes" not in small


def test_who_left_the_party_is_shown_no_map(play: Play, hall: Path) -> None:
    leaves = says("", call("manage_party", operation="remove", character_id="aria"))
    error = "error  aria is not in the party (brom, cyra, dain)"
    out = play(hall, [leaves, says("Bye.")], "I leave", "/map", options=["--as=player:aria"], error=error)
    assert "Great Hall" not in out.partition("/map")[2]
    for word in ("/map", "/state"):
        told = play(hall, [], word).partition(f"> {word}")[2]
        assert "Brom" in told, "nobody acts now"
        assert "59" not in told, "what Ogg can take is the game master's"


def test_a_whisper_after_a_failure_leaves_what_waits(play: Play, hall: Path) -> None:
    answers = [{"fail": "timeout"}, says("It opens.")]
    out = play(hall, answers, "I open the door", "/whisper brom stay close", "/again", options=["--as=player:aria"])
    assert "noted; what was said is kept" in out
    assert texts(hall) == ["It opens."]


def test_a_player_who_is_named_in_a_whisper_does_not_hear_the_answer(play: Play, hall: Path) -> None:
    lines = ["/whisper lena what did @Brom promise you?", "/as brom"]
    out = play(hall, [says("Meet me at dusk.")], *lines, options=["--as=player:aria"])
    assert out.count("Meet me at dusk.") == 1


def test_a_whisper_is_not_for_the_table(play: Play, hall: Path) -> None:
    lines = ["/whisper lena who is the traitor?", "/as table", "/why", "/undo"]
    lie = "Brom gives you 7 coins, and his sword."
    out = play(hall, [says(lie)], *lines, options=["--as=player:aria", "--set=suggestions.enabled=off"])
    for_table = out[out.index("> /as table") :]
    assert "taken back: turn_0002; turn_0001" in for_table
    assert "traitor" not in for_table
    assert "7 coins" not in for_table


@pytest.mark.parametrize("words", [["/why"], ["/undo", "/why"]])
@pytest.mark.parametrize("answer", [says("Hush.", call("roll_dice", expression="1d6")), {"fail": "timeout"}])
def test_why_tells_the_table_nothing_of_a_whisper_it_did_not_hear(
    play: Play, hall: Path, answer: Any, words: list[str]
) -> None:
    lines = ["/whisper lena who is the traitor?", "/as table", *words, "/as gm", *words[-1:]]
    out = play(hall, [answer], *lines, options=["--as=player:aria"])
    of_table, of_gm = out.partition("> /as table")[2].split("> /as gm")
    assert "npc_puppeteer" not in of_table
    assert "roll_dice" not in of_table
    assert "turn_0001  " not in of_table
    assert "npc_puppeteer on" in of_gm


@pytest.mark.parametrize("name", ["lena", "brom"])
def test_a_whisper_of_yesterday_is_not_for_the_table(play: Play, hall: Path, name: str) -> None:
    play(hall, [says("Meet me at dusk.")], f"/whisper {name} who is the traitor?", options=["--as=player:aria"])
    for seat, is_told in (("table", False), ("player:cyra", False), ("player:aria", True), ("gm", True)):
        out = play(hall, [], "/quit", options=[f"--as={seat}"])
        assert ("traitor" in out) is is_told
        assert ("Meet me at dusk" in out) is (is_told and name == "lena")


@pytest.mark.parametrize("seat", ["player:aria", "player:brom", "table"])
def test_what_is_told_to_one_player_alone_is_not_for_whoever_acts(play: Play, hall: Path, seat: str) -> None:
    with Campaign.open(hall) as campaign:
        campaign.process({"assistant_text": "You alone see the thread.", "private": True, "addressees": ["brom"]})
        assert list(campaign.records())[-1]["actor_id"] == "aria"
    assert ("You alone see the thread." in play(hall, [], options=[f"--as={seat}"])) == (seat == "player:brom")


def test_what_the_table_whispers_is_answered_to_the_table(play: Play, hall: Path) -> None:
    lines = ["/whisper lena who is the traitor?", "/as brom", "/as table", "/again", "/why", "/undo"]
    out = play(hall, [{"fail": "timeout"}, says("Meet me at dusk.")], *lines)
    assert "(only you hear this): Meet me at dusk." in out
    assert "turn_0002  words only" in out.partition("> /why")[2]
    assert "it began with: @lena who is the traitor?" in out
    of_brom = out[out.index("> /as brom") : out.index("> /as table")]
    assert "traitor" not in of_brom


def test_who_plays_alone_reads_their_whispers_again(play: Play, tmp_path: Path) -> None:
    values = hall_documents()
    values["campaign.json"]["selected"] = {"party_character_ids": ["aria", "grik"], "active_actor_id": "aria"}
    builders.begin(tmp_path / "alone", values).close()
    play(tmp_path / "alone", [says("Hush.")], "/whisper lena what is down there?")
    out = play(tmp_path / "alone", [], "/quit")
    assert "  > Aria: @lena what is down there?\n    Lena (only you hear this): Hush.\n" in out


@pytest.mark.parametrize("said", ["Lna I think @Brom is a spy", "aria psst @Brom", "the walls have ears", ""])
def test_a_whisper_to_nobody_is_not_said_to_whoever_is_named_in_it(play: Play, hall: Path, said: str) -> None:
    out = play(hall, [], f"/whisper {said}", options=["--as=player:aria"])
    assert "! no one else by that name is here" in out
    assert len(log_of(hall)) == 1


def test_whispers_are_read_whole_and_none_is_left_out(play: Play, hall: Path) -> None:
    whispers = [f"{number} is {'very ' * 100}secret" for number in range(10)]
    lines = [f"/whisper brom {text}" for text in whispers]
    out = play(hall, [], *lines, "/as brom", options=["--as=player:aria"])
    read = " ".join(out[out.index("> /as brom") :].split())
    assert all(text in read for text in whispers)
    later = " ".join(play(hall, [], "/quit", options=["--as=player:brom"]).split())
    assert whispers[-1] in later


def test_what_is_said_at_another_terminal_is_told(play: Play, hall: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answer = EchoModel.answer

    def meanwhile(*args: Any) -> Any:
        with Campaign.open(hall) as other:
            other.process({"actor_id": "aria", "user_input": "psst", "addressees": ["brom"], "private": True})
        return answer(*args)

    monkeypatch.setattr(EchoModel, "answer", meanwhile)
    out = play(hall, [], "I look around", "I wait", model="echo", options=["--as=player:brom"])
    assert out.count("Aria: @brom") == 0
    assert out.count("  > Aria (only you hear this): psst") == 2


def test_words_at_the_table_are_those_of_whom_the_prompt_names(play: Play, night_of_two: Path) -> None:
    own = [f"--as=player:{BESIDE}"]
    out = play(night_of_two, [{"fail": "timeout"}] * 2, "I climb", "/as table", "and I wave", options=own)
    assert "Mira > and I wave" in out
    said = [(record["actor_id"], record["user_input"]) for record in log_of(night_of_two) if "user_input" in record]
    assert said[-2:] == [(BESIDE, "I climb"), ("character-1", "and I wave")]


def test_nothing_is_whispered_in_a_scene_game(play: Play, tmp_path: Path) -> None:
    lines = ["Mira", "2", "lurk", "a child", "yes", "/whisper keeper I run"]
    out = play(tmp_path / "night", [{"output": night.OPENING}], *lines, options=["--new=scenes", "--seed=x"])
    assert "! in a scene game everyone hears what is said, so there is no whispering" in out


def test_a_player_takes_nothing_back(play: Play, hall: Path) -> None:
    out = play(hall, [says("Yes.")], "I sit", "/undo", options=["--as=player:aria"])
    assert "only the table or gm can undo" in out
    assert len(log_of(hall)) == 4


# how it is begun


def test_a_model_there_is_not_is_told_at_once(turnwright: Turnwright, delve: Path) -> None:
    code, _, err = turnwright("play", delve, "--model", "nonsense")
    assert code == 64
    assert "script:FILE" in err


def test_a_player_there_is_not_is_told_at_once(turnwright: Turnwright, delve: Path) -> None:
    code, _, err = turnwright("play", delve, "--model=echo", "--as=player:ilsa")
    assert code == 64
    assert "did you mean ilse" in err


def test_the_environment_names_a_model_and_the_command_line_comes_first(
    play: Play, delve: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TURNWRIGHT_AGENTS_DEFAULT_MODEL", "nonsense")
    monkeypatch.setenv("TURNWRIGHT_AGENTS_SESSION_TOKENS", "1")
    out = play(delve, [], "hello", model="echo")
    assert "1 tokens (agents.session_tokens)" in out
    assert state_of(delve)["campaign.json"]["settings"] == {
        "lifecycle": {"enabled": True},
        "narration": {"check": "retry"},
    }


def test_a_file_is_not_given_because_a_campaign_says_so(turnwright: Turnwright, delve: Path, tmp_path: Path) -> None:
    (tmp_path / "s").write_text("", encoding="utf-8")
    assert turnwright("set", delve, f"agents.default_model=script:{tmp_path / 's'}")[0] == 0
    code, _, err = turnwright("play", delve)
    assert code == 64
    assert "give it by --model" in err


def test_hints_reach_the_model_and_the_telemetry(play: Play, hall: Path) -> None:
    play(hall, [says("You rest.", expect="Tool hints")], "We make camp and take a long rest.")
    written = json.loads((hall / "telemetry.jsonl").read_text(encoding="utf-8").splitlines()[0])
    assert written["errors"] == []
    assert [hint["tool"] for hint in written["suggestions"]] == ["take_rest"]
    play(hall, [says("You rest.", expect="")], "We take a long rest.", options=["--set=suggestions.enabled=off"])
    assert len((hall / "telemetry.jsonl").read_text(encoding="utf-8").splitlines()) == 1
