"""Models by name; those that need no model; and what is said where something is missing."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from tests.game_master.models.asking import asking

from turnwright.llm.catalog import FORMS, GET_LOCAL, REMOTE, open_model
from turnwright.llm.port import ModelAnswer, ModelFailed, Usage
from turnwright.model.errors import BadRequest
from turnwright.model.extras import install_command


def script(tmp_path: Path, text: str) -> str:
    path = tmp_path / "answers.jsonl"
    path.write_text(text, encoding="utf-8")
    return f"script:{path}"


@pytest.mark.parametrize("spec", ["", "gpt", "echo:x", "script", "script:", "local:", "openai:", ":x"])
def test_an_unknown_name_is_told_what_there_is(spec: str) -> None:
    with pytest.raises(BadRequest) as told:
        open_model(spec, env={})
    assert all(form in str(told.value) for form in FORMS)


def test_echo_says_the_last_words_back() -> None:
    heard: list[str] = []
    answer = open_model("echo", env={}).answer(asking("Hello.", "Hi.", "[ana says]\nI sit down. \n"), heard.append)
    assert (answer.text, answer.tool_calls, heard) == ("I sit down.", (), ["I sit down."])
    assert answer.usage.input_tokens > 0


def test_a_script_answers_in_its_order(tmp_path: Path) -> None:
    call = {"id": "c", "tool": "fly", "args": 7}
    lines = ["# two answers", '{"text": "One.\\nTwo.", "expect": "the door"}', "", json.dumps({"tool_calls": [call]})]
    model = open_model(script(tmp_path, "\n".join(lines)), env={})
    assert model.name.startswith("script:")
    heard: list[str] = []
    first = model.answer(asking(), heard.append)
    assert (first.text, heard) == ("One.\nTwo.", ["One.\n", "Two."])
    assert first.usage == Usage(11, 3)
    assert model.answer(asking()).tool_calls == (call,)
    with pytest.raises(ModelFailed, match="no more answers") as failed:
        model.answer(asking())
    assert failed.value.kind == "unavailable"


def test_a_script_fails_where_the_prompt_is_another_and_where_it_says_so(tmp_path: Path) -> None:
    lines = (
        '{"expect": "a window"}\n{"text": "The", "fail": "disconnected"}\n{"is_well_formed": false, "output": [1]}\n'
    )
    model = open_model(script(tmp_path, lines), env={})
    for kind in ("refused", "disconnected"):
        with pytest.raises(ModelFailed) as failed:
            model.answer(asking())
        assert failed.value.kind == kind
    assert model.answer(asking()) == ModelAnswer("", output=[1], usage=Usage(11, 0), is_well_formed=False)


def test_a_script_writes_all_that_a_turn_file_of_a_scene_game_may_hold(tmp_path: Path) -> None:
    line = '{"tool_calls": [], "output": {"narration": "Rain."}, "keep_narration": true, "dm_note": "She lies."}'
    answer = open_model(script(tmp_path, line), env={}).answer(asking())
    assert (answer.output, answer.keeps_narration, answer.note) == ({"narration": "Rain."}, True, "She lies.")


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("{", r"^line 2 of script:.*answers\.jsonl: not JSON"),
        ("[]", r"^line 2 of script:.*answers\.jsonl is no JSON object"),
        ('{"txet": ""}', "an answer has no 'txet'"),
        ('{"keep_narration": 1}', "'keep_narration' has a value of the wrong kind"),
        ('{"text": 7}', "'text' has a value of the wrong kind"),
        ('{"fail": "sometimes"}', "`fail` is one of unavailable"),
    ],
)
def test_a_script_that_cannot_be_read_is_told_by_its_line(tmp_path: Path, line: str, told: str) -> None:
    with pytest.raises(BadRequest, match=told):
        open_model(script(tmp_path, f"{{}}\n{line}\n"), env={})


def test_files_that_are_not_there(tmp_path: Path) -> None:
    with pytest.raises(BadRequest, match="cannot be read: No such file"):
        open_model(f"script:{tmp_path / 'none'}", env={})


@pytest.mark.parametrize(
    ("module", "spec", "told"),
    [
        ("pydantic_ai", "openai:x@http://127.0.0.1:1/v1", install_command(REMOTE)),
        pytest.param("openai", "openai:x@http://127.0.0.1:1/v1", install_command(REMOTE), marks=pytest.mark.slow),
        ("xllamacpp", "local", GET_LOCAL),
    ],
)
def test_a_missing_package_is_told_with_the_command_that_gets_it(module: str, spec: str, told: str) -> None:
    program = (
        "import sys; sys.modules[sys.argv[1]] = None\n"
        "from turnwright.llm.catalog import open_model\n"
        "from turnwright.model.errors import BadRequest\n"
        "try: open_model(sys.argv[2], env={})\n"
        "except BadRequest as error: print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", program, module, spec], capture_output=True, text=True, check=True)
    assert told in done.stdout


@pytest.mark.parametrize(
    ("spec", "told"),
    [
        ("openai:x@http://user:secret@127.0.0.1/v1", "TURNWRIGHT_API_KEY"),
        ("openai:x@http://", "like http"),
        ("openai:x@http://127.0.0.1/secret@h/v1", "TURNWRIGHT_API_KEY"),
        ("nosuchprovider:x@http://user:secret@127.0.0.1/v1", "TURNWRIGHT_API_KEY"),
        ("openai:x@user:secret@127.0.0.1/v1", "openai:NAME@URL"),
        ("openai:x@http://user:secret/v1", "openai:NAME@URL"),
        ("openai:x@http://[secret/v1", "openai:NAME@URL"),
        ("https://127.0.0.1/v1?key=secret", "openai:NAME@URL"),
        ("openai:x@notaurl", "where the URL is that of a server"),
        ("openai:x@http://h/v1?key=1", "like http://127.0.0.1:11434/v1"),
        ("nosuchprovider:x", "no model 'nosuchprovider:x'"),
        ("anthropic:claude-x", "anthropic"),
    ],
)
def test_a_server_that_cannot_be_meant(spec: str, told: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for key in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(key, raising=False)
    with pytest.raises(BadRequest, match=told) as refused:
        open_model(spec, env={})
    assert "secret" not in str(refused.value)


def test_a_provider_without_its_key_names_the_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    for key in ("OPENROUTER_API_KEY", "OPENAI_API_KEY"):
        monkeypatch.delenv(key, raising=False)
    with pytest.raises(BadRequest, match="OPENROUTER_API_KEY"):
        open_model("openrouter:some/model", env={})
    with pytest.raises(BadRequest, match=r"^no model 'openai:x': Set the `OPENAI_API_KEY` environment variable$"):
        open_model("openai:x", env={})
    assert open_model("openrouter:some/model", env={"OPENROUTER_API_KEY": "k"}).name == "openrouter:some/model"
