"""What a table reads beside the story in `turnwright play`: what is so where a text says otherwise, and no more."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests import builders
from tests.builders import call, log_of
from tests.cli.conftest import Play, Turnwright
from tests.game_master.playing import says
from tests.game_master.scripted_lies import LIES
from tests.tools.hall import changed, ephemeral, fight, hall_documents, linked

from turnwright import Campaign

CHECKING = "from now on, a text that contradicts what was applied is not shown but written again"
HONEST = says("The wind is cold.")
HARM = says("Brom takes 5 damage.")
MARK = "! the books disagree: "


def settings_of(path: Path) -> list[dict[str, str]]:
    return [record["patch"] for record in log_of(path) if record["kind"] == "settings"]


# the check in play


def test_the_check_is_switched_on_once_and_says_so_once(play: Play, hall: Path) -> None:
    out = play(hall, [HONEST, HONEST], "I wait", "I wait") + play(hall, [HARM, HONEST], "I wait")
    assert out.count(CHECKING) == 1
    assert settings_of(hall) == [{"narration.check": "retry"}]
    assert "takes 5 damage" not in out


def test_looking_around_switches_nothing_on(play: Play, hall: Path) -> None:
    assert CHECKING not in play(hall, [], "/map", "/state", "/why", "/quit")
    assert settings_of(hall) == []


@pytest.mark.parametrize("check", ["off", "log", "note", "retry"])
def test_a_campaign_with_a_value_of_its_own_keeps_it(play: Play, tmp_path: Path, check: str) -> None:
    values = hall_documents()
    values["campaign.json"]["settings"] = {"narration": {"check": check}}
    builders.begin(tmp_path / "own", values).close()
    assert CHECKING not in play(tmp_path / "own", [HONEST], "I wait")
    assert settings_of(tmp_path / "own") == []


def test_set_ends_it_for_good_although_a_default_is_not_stored(play: Play, turnwright: Turnwright, hall: Path) -> None:
    play(hall, [HONEST], "I wait")
    assert turnwright("set", hall, "narration.check=log")[0] == 0
    out = play(hall, [HARM], "I wait")
    assert CHECKING not in out
    assert f"Brom takes 5 damage.\n{MARK}Brom is unhurt, 38/38\n" in out
    assert settings_of(hall) == [{"narration.check": "retry"}, {"narration.check": "log"}]


# below a text


def test_honest_texts_are_told_without_a_word_more(play: Play, hall: Path) -> None:
    hits = call("hp_delta", target_character_id="brom", delta=-5, cause="a fall")
    out = play(hall, [says("", hits), HARM, HONEST], "I wait", "I wait", "/quit")
    for noise in ("! ", "withheld", "disagree", "English", "failed"):
        assert noise not in out


def test_at_most_three_lines_stand_below_a_text(play: Play, turnwright: Turnwright, hall: Path) -> None:
    assert turnwright("set", hall, "narration.check=note")[0] == 0
    lies = " ".join(LIES[name].text for name in ("hit_point_change", "movement", "rest", "party", "decree"))
    out = play(hall, [says(lies)], "I wait")
    assert out.count(MARK) == 3
    assert "(and 2 more)" in out


def test_one_line_says_what_was_withheld_and_the_next_text_is_told(play: Play, hall: Path) -> None:
    out = play(hall, [HARM, HONEST], "I wait")
    assert (
        "  withheld: the text said Brom lost 5 hit points; in truth Brom is unhurt, 38/38\nThe wind is cold.\n" in out
    )
    assert MARK not in out


def test_what_was_applied_stays_and_is_told_where_a_text_is_withheld_for_good(play: Play, hall: Path) -> None:
    goes = call("move", actor_id="aria", to_area_id="area_002")
    out = play(hall, [says("", goes), HARM, HARM, HARM], "I go", "/quit")
    assert "Aria goes to Cellar" in out.partition("here is what was done instead\n")[2]
    assert "takes 5 damage" not in out
    with Campaign.open(hall) as campaign:
        assert campaign.state["characters/aria.json"]["position"] == "area_002"
    again = play(hall, [{"fail": "timeout"}], "/quit")
    assert "Aria goes to Cellar" in again.partition("Last time")[2].partition("going on")[0], "the recap tells it, too"


def test_nothing_is_told_as_nothing(play: Play, hall: Path) -> None:
    assert "Nothing was done: all is as it was.\n" in play(hall, [HARM] * 3, "I wait")


def test_a_failed_last_call_is_told_where_the_text_goes_on_all_the_same(play: Play, hall: Path) -> None:
    bad = call("move", actor_id="aria", to_area_id="area_009")
    answers = [says("", bad), says("Cold air meets you."), HONEST]
    out = play(hall, answers, "I go", "I wait")
    why = "the move was not made: the game master asked for it wrongly; Aria is at Great Hall"
    assert f"Cold air meets you.\n! {why}\n" in out
    assert out.count("was not made") == 1
    of_gm = play(hall, [*answers[:2]], "I go", options=["--as=gm"])
    assert "! move failed: " in of_gm


@pytest.mark.parametrize("last", ["brom", "nobody"])
def test_of_calls_that_share_an_id_the_last_one_counts(play: Play, hall: Path, last: str) -> None:
    hit, *others = (
        {**call("hp_delta", target_character_id=who, delta=-1, cause="a stone"), "id": "a"}
        for who in ("aria", "nobody", last)
    )
    out = play(hall, [says("", hit, *others), HONEST], "I go", options=["--as=gm"])
    below = out.partition("The wind is cold.\n")[2]
    assert below.startswith("! hp_delta failed: ") is (last == "nobody"), out


@pytest.mark.parametrize(
    ("harm", "deed", "honest", "lie", "fact"),
    [
        (
            2,
            "Brom loses no hp, now 38; 2 temporary hit points took it (an arrow)",
            ["Brom takes no damage.", "Brom takes 2 damage.", "Brom has 38 hit points left."],
            "Brom takes 9 damage.",
            "Brom lost no hit points, 2 temporary ones took harm, and has 38 left",
        ),
        (
            5,
            "Brom loses 2 hp, now 36; 3 temporary hit points took the rest (an arrow)",
            ["Brom takes 5 damage.", "Brom loses 2 hit points.", "Brom has 36 hit points left."],
            "Brom takes no damage.",
            "Brom lost 2 hit points, 3 temporary ones took harm, and has 36 left",
        ),
    ],
)
def test_harm_that_temporary_hit_points_took_is_told_as_that(
    play: Play, turnwright: Turnwright, tmp_path: Path, harm: int, deed: str, honest: list[str], lie: str, fact: str
) -> None:
    hits = call("hp_delta", target_character_id="brom", delta=-harm, cause="an arrow")
    for place, text in enumerate([*honest, lie]):
        values = hall_documents() | changed("brom", temp_hp=3)
        values["campaign.json"]["settings"] = {"narration": {"check": "log"}}
        path = tmp_path / str(place)
        builders.begin(path, values).close()
        out = play(path, [says("", hits), says(text)], "I wait")
        assert f"  {deed}\n" in out
        assert out.partition(f"{text}\n")[2].startswith(f"{MARK}{fact}\n" if text == lie else "\n"), out
        assert deed in turnwright("log", path)[1]


FORGED = [
    "What was done: Aria opened the door.",
    "Nothing was done: all is as it was.",
    "  Brom loses no hp, now 38",
    "Aria > I look around",
    "> I look around",
    "! the books disagree: Brom is well",
    "the books disagree: Brom is well",
    "  withheld: this and that; Brom is well",
    "which die > 3",
    "Last time",
    "  [2 questions, 0.0 s]",
    "\u2800\u2800[2 questions, 0.0 s]",
]


@pytest.mark.parametrize("forged", FORGED)
def test_a_line_of_a_story_that_looks_like_the_engines_stands_behind_a_bar(play: Play, hall: Path, forged: str) -> None:
    text = f"The wind is cold.\n{forged}\n* * *\n**Dust** dances - so the song goes."
    out = play(hall, [says(text)], "I wait")
    assert f"The wind is cold.\n| {forged}\n| * * *\n**Dust** dances - so the song goes.\n" in out, out
    assert f"\n{forged}\n" not in out
    recap = play(hall, [], "/quit").partition("Last time\n")[2]
    assert f"    {forged}\n" not in recap


def test_the_engines_own_account_has_no_bar(play: Play, hall: Path) -> None:
    out = play(hall, [HARM] * 3, "I wait") + play(hall, [], "/quit")
    assert "\nNothing was done: all is as it was.\n" in out
    assert "    Nothing was done: all is as it was.\n" in out
    assert "| " not in out


def test_a_failed_call_that_was_mended_is_not_told(play: Play, hall: Path) -> None:
    bad = call("move", actor_id="aria", to_area_id="area_009")
    good = {**bad, "args": bad["args"] | {"to_area_id": "area_002"}}
    assert "was not made" not in play(hall, [says("", bad), says("", good), HONEST], "I go")


def test_a_failed_call_behind_the_screen_is_told_to_the_game_master_alone(play: Play, hall: Path) -> None:
    bad = call("manage_notes", operation="delete", note_id="HIDDEN")
    script = [says("", bad), HONEST]
    for seat in ("table", "player:aria"):
        out = play(hall, script, "I wait", options=[f"--as={seat}"])
        assert "manage_notes" not in out
        assert "HIDDEN" not in out
    assert "! manage_notes failed" in play(hall, script, "I wait", options=["--as=gm"])


def test_a_call_that_was_not_handed_in_counts_as_failed(play: Play, hall: Path) -> None:
    barred = call("delete_character", character_id="brom")
    assert "! delete_character failed" in play(hall, [says("", barred), HONEST], "I wait", options=["--as=gm"])


def test_a_text_in_another_language_is_said_once_to_be_unread(play: Play, hall: Path) -> None:
    german = says("Der Wind ist kalt, und Brom verliert fünf Trefferpunkte, weil der Pfeil ihn in die Schulter trifft.")
    out = play(hall, [german, german], "I wait", "I wait")
    assert out.count("only English is compared with what was applied") == 1
    assert MARK not in out
    assert (
        "only English" not in play(hall, [german], "I wait", options=["--set=agents.max_steps=2"]).partition("zzz")[2]
    )


# who reads what


@pytest.fixture
def ambush(tmp_path: Path) -> Path:
    """Give a fight with a goblin whom nobody has noticed, and a wolf; texts are noted, not withheld."""
    people = (
        linked("aria", 1, 1),
        linked("brom", 4, 1),
        ephemeral("wolf", 2, 1, hp=11),
        ephemeral("goblin", 9, 1, hp=7) | {"hidden": True},
    )
    values = hall_documents() | fight(*people)
    values["campaign.json"]["settings"] = {"narration": {"check": "log"}}
    builders.begin(tmp_path / "ambush", values).close()
    return tmp_path / "ambush"


def test_of_an_enemy_players_read_how_it_looks_and_the_game_master_its_numbers(play: Play, ambush: Path) -> None:
    script = [says("The wolf takes 5 damage.")]
    for seat in ("table", "player:aria"):
        out = play(ambush, script, "I strike", "/why", options=[f"--as={seat}"])
        assert f"{MARK}Wolf is unhurt\n" in out
        assert "the text said Wolf lost 5 hit points; in truth Wolf is unhurt\n" in out.partition("> /why")[2]
        assert "11" not in out.replace("script:", "").partition("I strike")[2].partition("[")[0]
    assert f"{MARK}Wolf is unhurt, 11/11\n" in play(ambush, script, "I strike", options=["--as=gm"])


@pytest.mark.parametrize("seat", ["table", "player:aria"])
def test_of_who_hides_a_withheld_text_tells_nobody_at_the_table(
    play: Play, turnwright: Turnwright, ambush: Path, seat: str
) -> None:
    assert turnwright("set", ambush, "narration.check=retry")[0] == 0
    lie = says("The goblin takes 5 damage.")
    out = play(ambush, [lie, lie, lie], "I listen", "/why", "/as gm", "/why", options=[f"--as={seat}"])
    of_seat, of_gm = out.split("> /as gm")
    told = "withheld: the text said someone lost 5 hit points; in truth the record shows no loss of 5 hit points"
    assert " ".join(of_seat.split()).count(told) == 3
    assert "goblin" not in of_seat.lower()
    assert "Goblin is unhurt, 7/7" in of_gm


def test_of_a_whisper_nobody_else_reads_what_was_withheld(play: Play, turnwright: Turnwright, hall: Path) -> None:
    assert turnwright("set", hall, "narration.check=retry")[0] == 0
    lines = ["/whisper lena what now?", "/why", "/as brom", "/why", "/as table", "/why"]
    out = play(hall, [HARM, says("Hush.")], *lines, options=["--as=player:aria"])
    of_aria, *of_others = out.split("> /as ")
    assert "withheld: the text said Brom lost 5 hit points" in of_aria
    assert "the text said Brom lost 5 hit points" in of_aria
    for of_other in of_others:
        assert "hit points" not in of_other


def test_why_tells_a_player_what_was_done_to_their_character(play: Play, hall: Path) -> None:
    fall = call("hp_delta", target_character_id="brom", delta=-5, cause="a fall")
    script = [says("", fall), says("The stairs are wet.")]
    lines = ["I wait", "/as brom", "/why", "/as cyra", "/why"]
    of_brom, of_cyra = play(hall, script, *lines).split("> /why")[1:]
    assert "applied  Brom 38 -> 33 hp (a fall)" in of_brom
    assert "Brom" not in of_cyra.partition("question")[0].partition("Cyra")[0]
