from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.builders import begin, hp_delta, move, turn
from tests.cli.conftest import Play, Turnwright
from tests.game_master.telemetry_samples import hint, telemetry

from turnwright.cli._lists import _repeated
from turnwright.game_master.telemetry import append


def played(path: Path, *, hinted: bool = True) -> Path:
    """Play two messages, each with a hint, and return the campaign's directory."""
    with begin(path) as campaign:
        campaign.process(turn(move("area_002"), turn_id="t1", user_input="I go"))
        campaign.process(turn(hp_delta(delta="x"), turn_id="t2", user_input="I fall"))
    if hinted:
        append(path, telemetry("t1", hint(rule="r14_travel"), message="I go"))
        append(path, telemetry("t2", hint("hp_delta", 0.65, "r09_hp_change", "hp.change"), message="I fall"))
    return path


def test_a_report_for_people_begins_with_campaigns_and_counters(tmp_path: Path, turnwright: Turnwright) -> None:
    code, out, err = turnwright("report", played(tmp_path / "c"))
    assert (code, err) == (0, "")
    titles = [line for line in out.splitlines() if line and not line.startswith(" ")]
    assert titles[:3] == ["Campaigns", "Counters", "Rules"]
    assert "Fewer than 100 turns: counts only." in out
    assert "  highly recommended  1 of 1\n" in out
    assert "invalid_args  1 in 2 turns" in out
    assert "%" not in out


def test_a_report_for_programs_is_one_object(tmp_path: Path, turnwright: Turnwright) -> None:
    code, out, err = turnwright("report", played(tmp_path / "c"), "--json")
    assert (code, err) == (0, "")
    told = json.loads(out)
    assert (told["turns"], told["exchanges"], told["use"]["all"]["count"]) == (2, 2, 1)
    assert told["suggestor"]["enabled"]["r14_travel"] is True
    assert told["suggestor"]["rules"] == len(told["suggestor"]["enabled"])


def test_a_rule_that_the_campaign_has_switched_off_is_told(tmp_path: Path, turnwright: Turnwright) -> None:
    path = played(tmp_path / "c")
    turnwright("set", path, 'suggestions.disabled_rules=["r14_travel"]')
    assert json.loads(turnwright("report", path, "--json")[1])["suggestor"]["enabled"]["r14_travel"] is False


def test_the_same_logs_give_the_same_bytes(tmp_path: Path, turnwright: Turnwright) -> None:
    path = played(tmp_path / "c")
    reports = [turnwright("report", path, "--json") for _ in range(2)]
    assert reports[0] == reports[1]


def test_a_campaign_without_telemetry_has_a_report_from_its_log_alone(tmp_path: Path, turnwright: Turnwright) -> None:
    path = played(tmp_path / "c", hinted=False)
    told = json.loads(turnwright("report", path, "--json")[1])
    assert (told["failures"]["failed"]["count"], told["suggestions"]["suggestions"]) == (1, 0)


def test_two_groups_stand_beside_each_other(tmp_path: Path, turnwright: Turnwright) -> None:
    paths = [played(tmp_path / name, hinted=name in "ab") for name in "abcd"]
    told = json.loads(turnwright("report", *paths[:2], "--against", *paths[2:], "--json")[1])
    assert [len(told[group]["campaigns"]) for group in ("this", "against")] == [2, 2]
    rows = {row["measure"]: row for row in told["comparison"]}
    assert (rows["failed calls"]["this"]["n"], rows["failed calls"]["difference"]) == (4, None)
    code, out, _ = turnwright("report", *paths[:2], "--against", *paths[2:])
    assert code == 0
    assert out.startswith("Compared\n")


@pytest.mark.parametrize(
    ("words", "taken"),
    [
        (["a", "--against", "b", "c", "--json"], ["a", "--against", "b", "--against", "c", "--json"]),
        (["--against", "b", "--html", "f", "a"], ["--against", "b", "--html", "f", "a"]),
        (["a", "--against=b", "c"], ["a", "--against=b", "c"]),
        (["a", "--against", "-", "b"], ["a", "--against", "-", "--against", "b"]),
    ],
)
def test_an_option_takes_every_word_up_to_the_next(words: list[str], taken: list[str]) -> None:
    assert list(_repeated(words, ("--against",))) == taken


def test_pages_and_drawings_are_written(tmp_path: Path, turnwright: Turnwright) -> None:
    path, page, drawing = played(tmp_path / "c"), tmp_path / "r.html", tmp_path / "r.svg"
    code, out, _ = turnwright("report", path, "--html", page, "--svg", drawing)
    assert (code, out) == (0, f"wrote {page}\nwrote {drawing}\n")
    assert page.read_text().startswith("<!DOCTYPE html>")
    assert drawing.read_text().startswith("<svg ")


def test_a_torn_line_is_warned_of_and_the_rest_is_counted(tmp_path: Path, turnwright: Turnwright) -> None:
    path = played(tmp_path / "c")
    written = path / "telemetry.jsonl"
    written.write_bytes(written.read_bytes()[:-9])
    code, out, err = turnwright("report", path, "--json")
    assert code == 0
    assert json.loads(out)["use"]["all"]["n"] == 1
    assert "telemetry.jsonl, line 2: is torn" in err


def test_a_campaign_named_twice_and_one_that_is_none_are_refused(tmp_path: Path, turnwright: Turnwright) -> None:
    path = played(tmp_path / "c")
    assert turnwright("report", path, tmp_path / "x" / ".." / "c")[0] == 64
    assert turnwright("report", tmp_path / "nothing")[0] == 3
    assert turnwright("report")[0] == 64


@pytest.mark.parametrize("suggestions", ["true", "false"])
def test_calls_of_tools_that_are_not_the_agents_count_with_suggestions_and_without(
    tmp_path: Path, turnwright: Turnwright, play: Play, suggestions: str
) -> None:
    barred = {"id": "a", "tool": "delete_character", "args": {}}
    step = {"id": "b", "tool": "move", "args": {"to_area_id": "shaft_head"}}
    answers = [{"tool_calls": [barred]}, {"tool_calls": [barred, step]}, {"text": "The wind moves."}]
    options = ["--new", "delve", "--set", f"suggestions.enabled={suggestions}"]
    play(tmp_path / "c", answers, "Hi.", "/quit", options=options)
    told = json.loads(turnwright("report", tmp_path / "c", "--json")[1])["failures"]
    assert told["by_reason"]["tool_not_allowed"]["count"] == 2
    assert told["repaired_after_hint"]["n"] == told["failed"]["count"]


def test_a_report_changes_nothing(tmp_path: Path, turnwright: Turnwright) -> None:
    path = played(tmp_path / "c")
    before = {
        file: file.read_bytes() for file in sorted(path.rglob("*")) if file.is_file() and file.suffix != ".sqlite"
    }
    turnwright("report", path)
    assert {file: file.read_bytes() for file in before} == before


def test_telemetry_is_no_matter_for_check_and_verify(tmp_path: Path, turnwright: Turnwright) -> None:
    path = played(tmp_path / "c")
    (path / "telemetry.jsonl").write_text("not even json\n")
    assert turnwright("check", path)[0] == 0
    assert turnwright("verify", path)[0] == 0
