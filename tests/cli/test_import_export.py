"""turnwright import and turnwright export: tables for people, JSON for programs, and files that are left alone."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.imports.shapes import actor, weapon

from turnwright.cli.main import run

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def turnwright(capsys: pytest.CaptureFixture[str]) -> Run:
    def call(*arguments: object) -> tuple[int, str, str]:
        code = run([str(each) for each in arguments])
        told = capsys.readouterr()
        return code, told.out, told.err

    return call


@pytest.fixture
def game(tmp_path: Path, turnwright: Run) -> Path:
    place = tmp_path / "game"
    assert turnwright("new", place, "--template", "toolkit", "--seed", "1")[0] == 0
    return place


@pytest.fixture
def mira(tmp_path: Path) -> Path:
    path = tmp_path / "mira.json"
    value = actor("Mira", (16, 12, 14, 10, 10, 8), "Fighter", race="Human", die="d10", hp=99)
    value["items"].append(actor("x", (10,) * 6, "x", race="x", goods=[weapon("Sword", "1d8", "slashing")])["items"][-1])
    path.write_text(json.dumps(value))
    return path


def test_a_table_says_what_became_of_each_field(game: Path, mira: Path, turnwright: Run) -> None:
    code, told, _ = turnwright("import", mira, "--into", game, "--party")

    assert code == 0
    lines = [line.split() for line in told.splitlines()]
    assert lines[0][:2] == ["Mira", "mira"]
    assert ["taken", "sheet.stats", "$.system.abilities.str.value", "and", "5", "more"] in lines
    assert ["dropped", "$.prototypeToken", "2", "values"] in lines
    assert ["max_hp", "12"] in lines
    assert "attack  Sword +5, 1d8+3 slashing" in told
    assert "difference  hp: the file says 99, the rules give 12; kept: 12" in told
    assert "turn turn_0001 brought 1 into the campaign" in told
    assert "Mira (mira) comes from Foundry VTT (mira.json), and joins the party" in turnwright("log", game)[1]


def test_json_has_everything_on_one_line(game: Path, mira: Path, turnwright: Run) -> None:
    code, told, _ = turnwright("import", mira, "--into", game, "--json")

    (line,) = told.splitlines()
    answer = json.loads(line)
    assert code == 0
    assert set(answer) == {"imported", "reply"}
    assert set(answer["imported"][0]) == {
        *("format", "version", "character_id", "name", "fields", "derived", "differences"),
    }


def test_a_dry_run_and_a_refusal_change_nothing(game: Path, mira: Path, turnwright: Run) -> None:
    assert "dry run, nothing was changed" in turnwright("import", mira, "--into", game, "--dry-run")[1]
    assert not (game / "characters" / "mira.json").exists()
    assert turnwright("import", mira, "--into", game)[0] == 0

    code, told, error = turnwright("import", mira, "--into", game, "--json")

    assert code == 64
    assert json.loads(told)["reason"] == "bad_request"
    assert "there is a character mira already (Mira); --replace puts the new one in its place" in error
    assert turnwright("import", mira, "--into", game, "--replace")[0] == 0
    assert turnwright("import", game, "--into", game)[0] == 64
    assert turnwright("import", game / "nothing.json", "--into", game)[0] == 74


@pytest.mark.parametrize("form", ["sheet", "foundry", "html", "csv"])
def test_a_character_is_written_to_a_file_or_printed(
    game: Path, mira: Path, tmp_path: Path, turnwright: Run, form: str
) -> None:
    turnwright("import", mira, "--into", game)
    path = tmp_path / f"out.{form}"

    assert turnwright("export", game, "Mira", "--to", form, "-o", path)[0] == 0
    printed = turnwright("export", game, "mira", "--to", form)[1]

    assert printed.replace("\r\n", "\n") == path.read_text()
    assert turnwright("export", game, "mira", "--to", form, "-o", path)[0] == 0, "a file of the same kind may go"
    path.write_text("my own words")
    code, _, error = turnwright("export", game, "mira", "--to", form, "-o", path)
    assert (code, path.read_text()) == (64, "my own words")
    assert "--force writes over it" in error
    inside = turnwright("export", game, "mira", "--to", form, "-o", game / "characters" / "mira.json")
    assert inside[0] == 64


def test_somebody_who_is_not_there_is_guessed(game: Path, mira: Path, turnwright: Run) -> None:
    turnwright("import", mira, "--into", game)

    code, _, error = turnwright("export", game, "mirra")

    assert code == 64
    assert "there is no character 'mirra'; did you mean mira?" in error
    code, _, error = turnwright("export", game, "bruna")
    assert code == 64
    assert "there is no character 'bruna'; there are " in error
    assert "mira (Mira" in error


def test_somebody_is_exported_by_a_word_of_their_name(tmp_path: Path, turnwright: Run) -> None:
    place = tmp_path / "evening"
    turnwright("new", place, "--hero", "Bruna Hale, dwarf cleric 1", "--hero", "Tom Hale, elf bard 1", "--seed", "x")
    whole = turnwright("export", place, "bruna-hale")
    assert whole[0] == 0
    for name in ("Bruna Hale", "bruna", "BRUNA-HALE"):
        assert turnwright("export", place, name) == whole
    code, _, error = turnwright("export", place, "hale")
    assert code == 64
    assert "'hale' is the name of several characters; give an id: bruna-hale, tom-hale" in error


def test_words_of_a_file_cannot_steer_a_terminal(game: Path, tmp_path: Path, turnwright: Run) -> None:
    path = tmp_path / "evil.json"
    value: Any = actor("M\x1b[2Jira", (10,) * 6, "Fighter", race="Human", die="d10")
    value["system"]["\x1b]0;evil\x07"] = 1
    path.write_text(json.dumps(value))

    told = turnwright("import", path, "--into", game)[1]

    assert "\x1b]" not in told
    assert "\x1b[2J" not in told


def test_a_pipe_is_refused_at_once(game: Path, turnwright: Run, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.json"
    os.mkfifo(pipe)
    code, _, error = turnwright("import", pipe, "--into", game)
    assert code == 64
    assert "is not an ordinary file" in error
