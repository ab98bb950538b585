"""`turnwright score`: a table for people, one object for programs, and campaigns that may be kept."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from tests.cli.conftest import Turnwright
from tests.game_master.scoring import written

from turnwright.audit.verify import verify


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    return written(tmp_path / "tiny")


def scored(turnwright: Turnwright, *arguments: object) -> dict[str, Any]:
    code, out, _ = turnwright("score", "--seeds", 2, "--json", *arguments)
    assert code == 0
    (line,) = out.splitlines()
    value: dict[str, Any] = json.loads(line)
    return value


def test_people_see_a_row_for_each_measure_and_how_far_it_is(turnwright: Turnwright, pack: Path) -> None:
    code, out, err = turnwright("score", "--model", "echo", "--scenario", pack, "--seeds", 2)
    assert code == 0
    assert err == "tiny, seed 1: not passed\ntiny, seed 2: not passed\n"
    rows = dict(re.split(r"  +", line, maxsplit=1) for line in out.splitlines()[:-1])
    assert rows["turns"] == "8 in 2 runs"
    assert rows["abstained when it should"] == "2 of 2"
    assert rows["pass^2"] == "0.0 % (0.0 to 43.2), 2 runs"
    assert out.endswith("Fewer than 100 turns: counts only.\n")


def test_programs_get_the_conditions_the_measures_and_every_run(turnwright: Turnwright, pack: Path) -> None:
    told = scored(turnwright, "--model", "echo", "--scenario", pack, "--set", "agents.max_steps=3")
    assert told["model"] == "echo"
    assert (told["packs"], told["seeds"], told["turns"]) == (["tiny"], 2, None)
    assert (told["schema"], told["suggestions"], told["settings"]) == (True, True, {"agents.max_steps": 3})
    assert told["measures"]["turns"] == sum(len(run["messages"]) for run in told["runs"]) == 8
    assert [run["seed"] for run in told["runs"]] == [1, 2]


def test_the_solution_of_a_shipped_pack_passes(turnwright: Turnwright) -> None:
    told = scored(turnwright, "--model", "solution", "--scenario", "delve", "--scenario", "bazaar")
    assert told["measures"]["pass"]["all"]["passed"] == 4


def test_what_is_switched_off_is_off_and_campaigns_are_kept_where_one_says(
    turnwright: Turnwright, pack: Path, tmp_path: Path
) -> None:
    arguments = ["--model", "echo", "--scenario", pack, "--no-legal-schema", "--turns", 1]
    told = scored(turnwright, *arguments, "--no-suggestions", "--keep", tmp_path / "kept")
    assert (told["schema"], told["suggestions"], told["turns"]) == (False, False, 1)
    assert sorted(place.name for place in (tmp_path / "kept").iterdir()) == ["tiny-1", "tiny-2"]
    assert not (tmp_path / "kept/tiny-1/telemetry.jsonl").exists()
    assert verify(tmp_path / "kept/tiny-2").problems == ()
    scored(turnwright, *arguments, "--keep", tmp_path / "hinted")
    assert (tmp_path / "hinted/tiny-1/telemetry.jsonl").exists()


@pytest.mark.parametrize("variable", [None, "TURNWRIGHT_SUGGESTIONS_ENABLED"])
def test_suggestions_are_switched_off_by_their_setting_too(
    turnwright: Turnwright, pack: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, variable: str | None
) -> None:
    arguments = ["--model", "echo", "--scenario", pack, "--keep", tmp_path / "kept"]
    if variable is None:
        arguments += ["--set", "suggestions.enabled=false"]
    else:
        monkeypatch.setenv(variable, "false")
    told = scored(turnwright, *arguments)
    assert (told["suggestions"], told["settings"]) == (False, {})
    assert not (tmp_path / "kept/tiny-1/telemetry.jsonl").exists()


def test_the_model_of_the_environment_counts_less_than_the_one_that_is_scored(
    turnwright: Turnwright, pack: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TURNWRIGHT_AGENTS_DEFAULT_MODEL", "solution")
    told = scored(turnwright, "--model", "echo", "--scenario", pack)
    assert (told["model"], told["settings"]) == ("echo", {})


def test_two_packs_of_one_name_are_refused(turnwright: Turnwright, pack: Path, tmp_path: Path) -> None:
    other = written(tmp_path / "others" / "tiny")
    code, out, err = turnwright("score", "--model", "echo", "--scenario", pack, "--scenario", other, "--seeds", 1)
    assert (code, out) == (64, "")
    assert "two packs are called tiny" in err


def test_a_folder_that_holds_earlier_runs_is_noticed_before_anything_is_played(
    turnwright: Turnwright, pack: Path, tmp_path: Path
) -> None:
    taken = tmp_path / "kept/tiny-2/notes.txt"
    taken.parent.mkdir(parents=True)
    taken.write_text("mine", encoding="utf-8")
    code, _, err = turnwright("score", "--model", "echo", "--scenario", pack, "--seeds", 2, "--keep", tmp_path / "kept")
    assert code == 64
    assert "is not empty" in err
    assert sorted(place.name for place in (tmp_path / "kept").iterdir()) == ["tiny-2"]


def test_each_run_begins_its_script_anew(turnwright: Turnwright, pack: Path, tmp_path: Path) -> None:
    script = tmp_path / "lines.jsonl"
    script.write_text('{"text": "One."}\n{"text": "Two."}\n{"text": "Three."}\n{"text": "Four."}\n', encoding="utf-8")
    told = scored(turnwright, "--model", f"script:{script}", "--scenario", pack)
    assert (told["measures"]["answered"]["count"], told["measures"]["failures"]) == (8, {})


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["--scenario", "delve", "--seeds", "1"], 64, "--model"),
        (["--model", "echo", "--seeds", "1"], 64, "--scenario"),
        (["--model", "echo", "--scenario", "delve"], 64, "--seeds"),
        (["--model", "echo", "--scenario", "delve", "--seeds", "0"], 64, "0 is not in the range"),
        (["--model", "ecko", "--scenario", "delve", "--seeds", "1"], 64, "there is no model 'ecko'"),
        (["--model", "echo", "--scenario", "delwe", "--seeds", "1"], 64, "there is no scenario pack delwe"),
        (
            ["--model", "echo", "--scenario", "delve", "--seeds", "1", "--set", "narration.check=log"],
            64,
            "only agents.*",
        ),
        (
            ["--model", "echo", "--scenario", "delve", "--seeds", "1", "--set", "agents.default_model=echo"],
            64,
            "given by --model",
        ),
    ],
)
def test_what_cannot_be_scored_is_told(turnwright: Turnwright, arguments: list[str], code: int, words: str) -> None:
    ended, out, err = turnwright("score", *arguments)
    assert (ended, out) == (code, "")
    assert words in err


def test_a_pack_with_faults_names_them_all(turnwright: Turnwright, tmp_path: Path) -> None:
    folder = written(tmp_path / "p", titel="x", title=None)
    code, _, err = turnwright("score", "--model", "echo", "--scenario", folder, "--seeds", 1)
    assert code == 3
    assert "pack.yaml  $.title" in err
    assert "pack.yaml  $.titel" in err
