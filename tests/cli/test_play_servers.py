"""`turnwright play` with models on servers: who is asked, how much they hold, and what they may use up."""

from __future__ import annotations

import io
import sys
from pathlib import Path
from typing import Any

import pytest
from tests import builders
from tests.builders import log_of
from tests.cli.conftest import NOW, Play, Turnwright
from tests.game_master.models.fake_server import Line, fake_server
from tests.game_master.models.test_ollama import DONE, ollama
from tests.game_master.playing import says

from turnwright import Campaign
from turnwright.llm.echo import EchoModel

THEIRS = "openai:x@http://elsewhere.example/v1"


class Terminal(io.StringIO):
    """What a person types."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def delve(tmp_path: Path) -> Path:
    with Campaign.new(tmp_path / "delve", "delve", seed="x", clock=builders.clock):
        return tmp_path / "delve"


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[tuple[str, bool]]:
    """Give the names of the models that were opened, each with whether it got a key; none is really asked."""
    opened: list[tuple[str, bool]] = []

    def open_model(name: str, *, env: Any) -> Any:
        opened.append((name, "TURNWRIGHT_API_KEY" in env))
        return EchoModel()

    monkeypatch.setattr("turnwright.llm.catalog.open_model", open_model)
    monkeypatch.setenv("TURNWRIGHT_API_KEY", "secret")
    monkeypatch.setattr("click.get_app_dir", lambda name: str(tmp_path / "home" / name))
    return opened


@pytest.fixture
def theirs(turnwright: Turnwright, delve: Path) -> Path:
    """Give a campaign whose settings name a server."""
    assert turnwright("set", delve, f"agents.default_model={THEIRS}", NOW)[0] == 0
    return delve


def _typed(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr(sys, "stdin", Terminal(text))
    monkeypatch.setattr("builtins.input", lambda _="": sys.stdin.readline().rstrip("\n") or "/quit")


def test_a_server_that_only_the_campaign_names_is_refused_without_a_terminal(
    turnwright: Turnwright, theirs: Path, seen: list[tuple[str, bool]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("I look\n"))
    code, _, err = turnwright("play", theirs, NOW)
    assert (code, seen) == (64, [])
    assert f"nobody agreed to ask it: name it yourself with --model {THEIRS}" in err


def test_it_is_shown_and_agreed_to_once_and_gets_no_key_before(
    turnwright: Turnwright, theirs: Path, seen: list[tuple[str, bool]], monkeypatch: pytest.MonkeyPatch
) -> None:
    _typed(monkeypatch, "n\n")
    code, out, err = turnwright("play", theirs, NOW)
    assert (code, seen) == (64, [])
    assert f"This campaign names the model {THEIRS}" in out
    assert "is not asked" in err
    _typed(monkeypatch, "y\n/quit\n")
    assert turnwright("play", theirs, NOW)[0] == 0
    _typed(monkeypatch, "/quit\n")
    code, out, _ = turnwright("play", theirs, NOW)
    assert (code, "This campaign names" in out) == (0, False)
    assert seen == [(THEIRS, True)] * 2


def test_what_was_agreed_for_one_campaign_and_server_is_for_no_other(
    turnwright: Turnwright, theirs: Path, seen: list[tuple[str, bool]], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    _typed(monkeypatch, "y\n/quit\n")
    assert turnwright("play", theirs, NOW)[0] == 0
    monkeypatch.setattr(sys, "stdin", io.StringIO("/quit\n"))
    turnwright("set", theirs, "agents.default_model=openai:x@http://another.example/v1", NOW)
    assert turnwright("play", theirs, NOW)[0] == 64
    with Campaign.new(tmp_path / "other", "delve", seed="x", clock=builders.clock) as campaign:
        campaign.set({"agents.default_model": THEIRS})
    assert turnwright("play", tmp_path / "other", NOW)[0] == 64
    assert len(seen) == 1


def test_a_server_that_the_person_names_is_not_asked_about(
    turnwright: Turnwright, theirs: Path, seen: list[tuple[str, bool]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("/quit\n"))
    assert turnwright("play", theirs, "--model", THEIRS, NOW)[0] == 0
    monkeypatch.setattr(sys, "stdin", io.StringIO("/quit\n"))
    monkeypatch.setenv("TURNWRIGHT_AGENTS_DEFAULT_MODEL", THEIRS)
    assert turnwright("play", theirs, NOW)[0] == 0
    assert seen == [(THEIRS, True)] * 2


# how much a model holds


@pytest.mark.parametrize(
    ("holds", "told"),
    [
        (131072, None),
        (5000, "holds 5,000 tokens, so it is shown fewer tools (agents.profile = core)"),
        (3000, "holds 3,000 tokens, so it is shown fewer tools (agents.profile = tiny)"),
        (1000, "holds 1,000. Where the model refuses or forgets"),
    ],
)
def test_questions_fit_what_the_server_says_that_its_model_holds(
    play: Play, tmp_path: Path, holds: int, told: str | None
) -> None:
    path = tmp_path / "barrow"
    with Campaign.new(path, "barrow", seed="x", clock=builders.clock, with_turns=False):
        pass
    with fake_server(ollama(DONE, info={"llama.context_length": holds})) as server:
        out = play(path, [], "/quit", model=f"ollama:small@{server.url.removesuffix('/v1')}")
    flat = " ".join(out.split())
    assert (told or "game master: ollama:small") in flat
    assert ("holds" in flat) == (told is not None)


def test_a_profile_that_somebody_chose_is_kept(play: Play, tmp_path: Path) -> None:
    path = tmp_path / "barrow"
    with Campaign.new(path, "barrow", seed="x", clock=builders.clock, with_turns=False):
        pass
    with fake_server(ollama(DONE, info={"llama.context_length": 3000})) as server:
        model = f"ollama:small@{server.url.removesuffix('/v1')}"
        out = play(path, [], "/quit", model=model, options=["--set=agents.profile=moment"])
    assert "shown fewer tools (" not in " ".join(out.split())
    assert "Where the model refuses or forgets" in " ".join(out.split())


def test_an_evening_with_ollama(play: Play, delve: Path) -> None:
    def answers(line: Line) -> None:
        if line.path == "/api/chat" and any("results" in one["content"] for one in line.body["messages"][-1:]):
            ollama({"message": {"content": "It is dark."}, **DONE})(line)
        else:
            ollama({"message": {"content": "The track ends in the dark."}, **DONE})(line)

    with fake_server(answers) as server:
        out = play(delve, [], "I look down", model=f"ollama:llama3.2@{server.url.removesuffix('/v1')}")
    assert "The track ends in the dark." in out
    assert "18 tokens" in out


# what it may use up


def test_cost_tells_the_last_question_and_the_session(play: Play, delve: Path) -> None:
    out = play(delve, [says("Dark."), says("Darker.")], "/cost", "I look", "I look again", "/cost")
    first, _, last = out.partition("Darker.")
    assert "this session: 0 questions, 0 tokens read" in first
    assert "the last question to script:" in last
    assert "this session: 2 questions" in last
    assert "the next question takes about" in last
    assert "no model is asked" in play(delve, [], "/cost", model="none")


@pytest.mark.parametrize(("answer", "told"), [("yes", 2), ("no", 1)])
def test_at_its_bound_a_session_asks_whether_to_go_on(play: Play, delve: Path, answer: str, told: int) -> None:
    options = ["--set=agents.session_tokens=1500", "--set=agents.profile=tiny"]
    out = play(delve, [says("Dark."), says("Darker.")], "I look", "I look again", answer, "/cost", options=options)
    assert "use up to 1,500 tokens more, yes or no > " in out
    assert ("Darker." in out) == (told == 2)
    assert "error" not in out
    texts = [record["assistant_text"] for record in log_of(delve) if "assistant_text" in record]
    assert len(texts) == told
    assert f"of {1500 * told:,} (agents.session_tokens)" in " ".join(out.split())
