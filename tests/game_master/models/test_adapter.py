"""Model adapters of other distributions: named by `--model`, and whatever is wrong with them is told by their name."""

from __future__ import annotations

import io
import re
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.builders import begin
from tests.distributions import Distributions
from tests.game_master.models.asking import asking

from turnwright.audit.check import check_directory
from turnwright.cli.main import run
from turnwright.llm.catalog import open_model
from turnwright.llm.port import ModelFailed
from turnwright.model.entry_points import Group
from turnwright.model.errors import BadRequest
from turnwright.model.model_name import OWN_NAMES

PARROT = """
from turnwright.llm.port import ModelAnswer, ModelFailed

class Parrot:
    def __init__(self, env):
        self.name = "parrot of " + env.get("PARROT_OWNER", "nobody")

    def answer(self, request, on_text=None):
        if on_text is not None:
            on_text("Squawk.")
        return ModelAnswer("Squawk.")

class Broken(Parrot):
    def answer(self, request, on_text=None):
        raise KeyError("feathers")

class Refusing(Parrot):
    def answer(self, request, on_text=None):
        raise ModelFailed("refused", "no crackers")

class Silent(Parrot):
    def answer(self, request, on_text=None):
        return "Squawk."

def of_nothing(env):
    return object()

def failing(env):
    raise RuntimeError("no perch")

NUMBER = 7
"""

Install = Callable[[str], None]


@pytest.fixture
def install(distributions: Distributions, monkeypatch: pytest.MonkeyPatch) -> Install:
    """Give a function that installs the adapter `parrot` with a value."""
    monkeypatch.delitem(sys.modules, "parrot_code", raising=False)

    def registered(value: str) -> None:
        distributions.install("aviary", Group.MODELS, {"parrot": value}, {"parrot_code.py": PARROT})

    return registered


def test_an_installed_adapter_is_opened_by_its_name_with_the_environment(install: Install) -> None:
    install("parrot_code:Parrot")
    model = open_model("parrot", env={"PARROT_OWNER": "Ana"})
    heard: list[str] = []
    assert (model.answer(asking(), heard.append).text, heard, model.name) == ("Squawk.", ["Squawk."], "parrot of Ana")


def test_it_plays(
    install: Install, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    install("parrot_code:Parrot")
    begin(tmp_path / "c").close()
    monkeypatch.setattr("sys.stdin", io.StringIO("I look\n"))
    assert run(["play", str(tmp_path / "c"), "--model", "parrot"]) == 0
    assert "Squawk." in capsys.readouterr().out


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ("parrot_code:of_nothing", "parrot_code:of_nothing must return a model with `name` and `answer`"),
        ("parrot_code:failing", "RuntimeError: no perch"),
        ("parrot_code:NUMBER", "parrot_code:NUMBER is no function"),
        ("parrot_code:Missing", "AttributeError"),
        ("no_such_code:Parrot", "ModuleNotFoundError"),
    ],
)
def test_an_adapter_that_cannot_be_opened_is_wrong_usage_and_names_its_distribution(
    value: str, told: str, install: Install, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    install(value)
    begin(tmp_path / "c").close()
    assert run(["play", str(tmp_path / "c"), "--model", "parrot"]) == 64
    err = capsys.readouterr().err
    assert "the model parrot of aviary 1.0 cannot be used: " in err
    assert told in err
    assert "Traceback" not in err


@pytest.mark.parametrize(
    ("value", "kind", "told"),
    [
        ("parrot_code:Broken", "garbage", "parrot of aviary 1.0 cannot be used: KeyError: 'feathers'"),
        ("parrot_code:Silent", "garbage", "must be a ModelAnswer (got str)"),
        ("parrot_code:Refusing", "refused", "no crackers"),
    ],
)
def test_an_adapter_that_fails_is_a_model_that_fails(value: str, kind: str, told: str, install: Install) -> None:
    install(value)
    with pytest.raises(ModelFailed) as failed:
        open_model("parrot", env={}).answer(asking())
    assert failed.value.kind == kind
    assert told in str(failed.value)


def test_what_stops_a_model_is_raised_as_it_is(install: Install) -> None:
    class Stop(Exception):
        pass

    def stop(_: str) -> None:
        raise Stop

    install("parrot_code:Parrot")
    with pytest.raises(Stop):
        open_model("parrot", env={}).answer(asking(), stop)


def test_no_adapter_takes_the_place_of_echo(distributions: Distributions) -> None:
    distributions.install(
        "thief", Group.MODELS, {"echo": "thief_code:Parrot"}, {"thief_code.py": "raise RuntimeError\n"}
    )
    assert open_model("echo", env={}).name == "echo"


@pytest.mark.parametrize("name", sorted(OWN_NAMES - {"echo", "local"}))
def test_no_adapter_takes_a_word_that_means_something_among_models(name: str, distributions: Distributions) -> None:
    distributions.install("thief", Group.MODELS, {name: "thief_code:Parrot"}, {"thief_code.py": "raise RuntimeError\n"})
    with pytest.raises(BadRequest, match="there is no model"):
        open_model(name, env={})


def test_check_tells_what_is_wrong_with_a_name(install: Install, distributions: Distributions, tmp_path: Path) -> None:
    install("parrot_code:Parrot")
    distributions.install("thief", Group.MODELS, {"echo": "thief_code:Parrot", "raven": "thief_code:Parrot"})
    distributions.install("other", Group.MODELS, {"raven": "other_code:Parrot"})
    with begin(tmp_path / "c") as campaign:
        campaign.set(
            {"agents.default_model": "parrot", "agents.larger_model": "echo", "agents.combat.model": "raven"}
            | {"agents.narrative.model": "magpie"}
        )
    told = {one.path.removeprefix("$.settings.agents."): one.message for one in check_directory(tmp_path / "c")}
    assert told.keys() == {"larger_model", "combat.model", "narrative.model"}
    assert told["larger_model"].startswith("thief 1.0 registers echo, which is a name of turnwright's own")
    assert told["combat.model"].startswith("raven is registered more than once, by other 1.0 and thief 1.0")
    assert "can be no model" in told["narrative.model"]
    assert "thief_code" not in sys.modules


def test_the_adapter_that_the_page_describes_works(
    distributions: Distributions, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = (Path(__file__).parents[3] / "docs" / "extending.md").read_text(encoding="utf-8")
    toml, code = (
        re.findall(rf"^```{kind}\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)[0] for kind in ("toml", "python")
    )
    [(group, points)] = tomllib.loads(toml)["project"]["entry-points"].items()
    distributions.install("parrots", group, points, {"parrot_adapter.py": code})
    monkeypatch.delitem(sys.modules, "parrot_adapter", raising=False)
    assert open_model("parrot", env={}).answer(asking("Hello.")).text == "Hello."


def test_the_page_names_every_word_that_is_taken() -> None:
    page = (Path(__file__).parents[3] / "docs" / "extending.md").read_text(encoding="utf-8")
    [line] = [line for line in page.splitlines() if line.endswith("are taken.")]
    assert set(re.findall(r"`(\w+)`", line)) == OWN_NAMES
