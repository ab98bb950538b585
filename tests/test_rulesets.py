"""Rulesets of other distributions: declared, found, played, refused and missed."""

from __future__ import annotations

import io
import json
import re
import sys
from collections.abc import Iterator
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any, cast

import pytest
from tests import builders
from tests.builders import untyped
from tests.distributions import Distributions
from tests.game_master.playing import Table, says

from turnwright import Campaign, Viewer
from turnwright.audit.check import check_directory
from turnwright.audit.verify import verify
from turnwright.cli.main import run
from turnwright.game_master.tool_permissions import permission_failure
from turnwright.model.entry_points import Group, installed
from turnwright.model.errors import BadRequest, CampaignInvalid
from turnwright.model.json_types import JsonObject
from turnwright.model.wire.agent import AgentKind
from turnwright.model.wire.reason import CallFailed, Reason
from turnwright.protocol.stage6_publish.knowledge import WorldKnowledge
from turnwright.protocol.stage6_publish.onlookers import Onlookers
from turnwright.protocol.stage6_publish.publish import project
from turnwright.rulesets.agent_tools import tools_of_agent
from turnwright.rulesets.in_use import tables_of
from turnwright.rulesets.play_commands import PlayCommand
from turnwright.rulesets.registry import BUILT_IN, INCLUDED, RulesetTables, tables
from turnwright.rulesets.ruleset import NOBODY, Ruleset, fault_of, require_parts, tool_rows
from turnwright.rulesets.sight import unseen_by_party
from turnwright.rulesets.suggesting import suggestions_of
from turnwright.rulesets.tool import Applied
from turnwright.rulesets.toolbox import TOOLS, tools_of
from turnwright.rulesets.visibility import PartyView, Redaction

EXAMPLE = Path(__file__).parent.parent / "examples/ruleset-minimal"
DICE = [6, 5, 2, 1, 6]


@pytest.fixture(autouse=True)
def nothing_left() -> Iterator[None]:
    """Forget what a test installed."""
    yield
    _forget()


def _forget() -> None:
    installed.cache_clear()
    tables.cache_clear()
    for name in [name for name in sys.modules if name.partition(".")[0] in ("turnwright_minimal", "their_rules")]:
        del sys.modules[name]


def _install_example(distributions: Distributions) -> None:
    files = {
        str(path.relative_to(EXAMPLE)): path.read_text(encoding="utf-8")
        for path in (EXAMPLE / "turnwright_minimal").rglob("*.py")
    }
    distributions.install(
        "turnwright-ruleset-minimal", Group.RULESETS, {"minimal": "turnwright_minimal:RULESET"}, files
    )
    tables.cache_clear()


def _mill(tmp_path: Path, *, names: list[str] | None = None) -> Path:
    """Return a campaign of two areas and a miller that names rulesets and allows the example's tools."""
    mill = tmp_path / "mill"
    Campaign.new(mill, seed="mill", clock=builders.clock)
    path = mill / "campaign.json"
    document = json.loads(path.read_text(encoding="utf-8"))
    document["rulesets"] = ["core", "minimal"] if names is None else names
    document["allowlist"] = ["move", "pool_roll", "spend_momentum"]
    path.write_text(json.dumps(document), encoding="utf-8")
    return mill


def _play(mill: Path) -> Any:
    turn = json.loads((EXAMPLE / "golden/turn.json").read_text(encoding="utf-8"))
    with Campaign.open(mill, clock=builders.clock, lag=0) as campaign:
        reply: Any = campaign.process(turn, dice=DICE)
    return reply


def test_the_example_plays_its_golden_case(distributions: Distributions, tmp_path: Path) -> None:
    _install_example(distributions)
    reply = _play(_mill(tmp_path))
    golden = EXAMPLE / "golden/reply.json"
    assert reply == json.loads(golden.read_text(encoding="utf-8"))


def test_its_documents_are_hashed_logged_undone_and_verified(distributions: Distributions, tmp_path: Path) -> None:
    _install_example(distributions)
    mill = _mill(tmp_path)
    _play(mill)
    assert json.loads((mill / "momentum/pc_001.json").read_text(encoding="utf-8"))["amount"] == 0
    assert [problem for problem in check_directory(mill) if not problem.warning] == []
    assert verify(mill).problems == ()
    with Campaign.open(mill, clock=builders.clock) as campaign:
        campaign.undo()
    assert not (mill / "momentum/pc_001.json").exists()


def test_a_hand_edit_of_its_documents_is_validated(distributions: Distributions, tmp_path: Path) -> None:
    _install_example(distributions)
    mill = _mill(tmp_path)
    _play(mill)
    (mill / "momentum/pc_001.json").write_text('{"id": "pc_001", "amount": -1}', encoding="utf-8")
    with Campaign.open(mill, clock=builders.clock) as campaign, pytest.raises(CampaignInvalid) as refused:
        campaign.process({"tool_calls": []})
    assert [(problem.file, problem.path) for problem in refused.value.problems] == [
        ("momentum/pc_001.json", "$.amount")
    ]


@pytest.mark.parametrize(
    ("name", "amount", "wrong"),
    [("pc_001", 7, ("$.amount", "too_much")), ("ghost", 1, ("$.id", "unknown_character"))],
)
def test_its_validation_refuses_a_hand_edit_that_fits_its_model(
    distributions: Distributions, tmp_path: Path, name: str, amount: int, wrong: tuple[str, str]
) -> None:
    _install_example(distributions)
    mill = _mill(tmp_path)
    _play(mill)
    file = f"momentum/{name}.json"
    (mill / file).write_text(json.dumps({"id": name, "amount": amount}), encoding="utf-8")
    assert [each[:3] for each in check_directory(mill) if not each.warning] == [(file, *wrong)]
    with Campaign.open(mill, clock=builders.clock) as campaign, pytest.raises(CampaignInvalid) as refused:
        campaign.process({"tool_calls": []})
    assert [each[:3] for each in refused.value.problems] == [(file, *wrong)]


def test_what_is_not_there_is_in_doubt_while_its_folder_cannot_be_read(
    distributions: Distributions, tmp_path: Path
) -> None:
    _install_example(distributions)
    mill = _mill(tmp_path)
    _play(mill)
    (mill / "momentum/ghost.json").write_text('{"id": "ghost"}', encoding="utf-8")
    (mill / "characters/ghost.json").write_text("{", encoding="utf-8")
    assert {problem.rule for problem in check_directory(mill) if problem.file.startswith("momentum/")} == set()


def test_a_validation_that_fails_is_a_problem_of_the_campaign(
    distributions: Distributions, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _install_example(distributions)
    mill = _mill(tmp_path)
    _play(mill)
    (mill / "momentum/pc_001.json").write_text('{"id": "pc_001", "amount": 2}', encoding="utf-8")
    monkeypatch.setattr(import_module("turnwright_minimal.validation"), "MAX_MOMENTUM", None)
    (problem,) = (each for each in check_directory(mill) if not each.warning)
    assert (problem.file, problem.rule) == ("momentum/pc_001.json", "ruleset")
    assert problem.message.startswith("validation of the ruleset minimal failed by itself: TypeError")


def test_its_tools_are_legal_and_told_in_words(
    distributions: Distributions, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _install_example(distributions)
    mill = _mill(tmp_path)
    _play(mill)
    assert run(["legal", str(mill)]) == 0
    assert "pool_roll" in capsys.readouterr().out
    assert run(["tools", "pool_roll", "--campaign", str(mill)]) == 0
    assert "each 5 or 6 is a success" in capsys.readouterr().out
    assert run(["log", str(mill)]) == 0
    assert "rolls 6, 5, 2, 1: 2 successes" in capsys.readouterr().out


def test_a_model_may_call_its_tools_in_play(
    distributions: Distributions, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _install_example(distributions)
    mill = _mill(tmp_path)
    with Campaign.open(mill, clock=builders.clock) as campaign:
        campaign.process({"tool_calls": []})  # adopts the edited campaign.json
    assert run(["prompt", str(mill), "--agent", "narrative"]) == 0
    assert "pool_roll" in capsys.readouterr().out.rpartition("Tools")[2]
    call = {"id": "c1", "tool": "pool_roll", "args": {"character_id": "pc_001", "dice": 2}}
    with Campaign.open(mill, clock=builders.clock) as campaign:
        table = Table(campaign, mill, says("The mill creaks.", call), says("It turns."))
        table.say("I push the wheel.")
        kinds = [action["tool"] for record in table.records() for action in record.get("applied_actions", ())]
    assert kinds == ["pool_roll"]


def test_an_agent_without_its_tool_may_not_call_it(distributions: Distributions, tmp_path: Path) -> None:
    _install_example(distributions)
    mill = _mill(tmp_path)
    call = {"tool": "pool_roll", "args": {"character_id": "pc_001", "dice": 2}}
    with Campaign.open(mill, clock=builders.clock) as campaign:
        campaign.process({"tool_calls": []})  # adopts the edited campaign.json
        with campaign.reading() as world:
            own = tools_of_agent(tables_of(world.campaign), AgentKind.NPC_INDIVIDUAL)
            refused = permission_failure(call, own, {}, known=tools_of(world.campaign))
    assert refused is not None
    assert refused["detail"] == "pool_roll is not for this agent"


def test_a_campaign_that_does_not_name_it_has_none_of_its_tools(distributions: Distributions, tmp_path: Path) -> None:
    _install_example(distributions)
    reply = _play(_mill(tmp_path, names=["core"]))
    assert {call["reason"] for call in reply["tool_feedback"]["failed_calls"]} == {"tool_not_allowed"}


def test_a_missing_ruleset_says_what_to_install(
    distributions: Distributions, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _install_example(distributions)
    mill = _mill(tmp_path)
    _play(mill)
    before = (mill / "log.jsonl").read_bytes()
    distributions.remove("turnwright-ruleset-minimal")
    _forget()
    with Campaign.open(mill, clock=builders.clock) as campaign:
        with pytest.raises(CampaignInvalid, match="minimal is not installed"):
            campaign.process({"tool_calls": []})
        with pytest.raises(CampaignInvalid, match="minimal is not installed"):
            campaign.query("move_options", {})
    assert any(problem.rule == "unknown_ruleset" for problem in check_directory(mill))
    assert verify(mill).problems == ()
    assert run(["show", str(mill), "--json"]) == 0
    assert run(["log", str(mill)]) == 0
    assert "pool_roll" in capsys.readouterr().out
    assert (mill / "log.jsonl").read_bytes() == before


def test_only_named_distributions_are_imported(
    distributions: Distributions, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    distributions.install(
        "bomb", Group.RULESETS, {"bomb": "their_rules:RULESET"}, {"their_rules.py": "raise SystemExit('imported')"}
    )
    assert run(["rulesets"]) == 0
    assert "bomb" in capsys.readouterr().out
    assert run(["check", str(_mill(tmp_path, names=["core"]))]) == 0
    assert "their_rules" not in sys.modules


def test_a_failing_import_names_the_distribution(distributions: Distributions, tmp_path: Path) -> None:
    distributions.install(
        "bomb", Group.RULESETS, {"minimal": "their_rules:RULESET"}, {"their_rules.py": "raise ValueError('no luck')"}
    )
    mill = _mill(tmp_path)
    problems = [problem for problem in check_directory(mill) if problem.rule == "unknown_ruleset"]
    assert [problem.message for problem in problems] == ["minimal of bomb 1.0 cannot be used: ValueError: no luck"]


def test_no_distribution_takes_a_built_in_name(
    distributions: Distributions, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    distributions.install("thief", Group.RULESETS, {"core": "their_rules:RULESET"}, {"their_rules.py": ""})
    assert run(["rulesets"]) == 1
    assert "a name of turnwright's own" in capsys.readouterr().err
    assert _play(_mill(tmp_path, names=["core"]))["status"] == "failed"


@pytest.mark.parametrize(
    ("ruleset", "wrong"),
    [
        ("no ruleset", "must be a Ruleset (got str)"),
        (Ruleset(name="other"), "calls itself 'other'"),
        (Ruleset(name="mine", documents={"turns/": "a:B"}), "cannot own documents at 'turns/'"),
        (Ruleset(name="mine", documents={"../up/": "a:B"}), "cannot own documents at '../up/'"),
        (Ruleset(name="mine", documents={"quests/": "a:B"}), "takes the documents quests/ of the ruleset core"),
        (Ruleset(name="mine", documents={"things/": "/etc/a.py"}), "'/etc/a.py' must be package.module:attribute"),
        (Ruleset(name="mine", claims={"goods": ("move",)}), "has no tool 'move' for a claim"),
        (Ruleset(name="mine", claims=cast("Any", {"goods": "move"})), "has a field of a wrong type"),
        (Ruleset(name="mine", own_steps=("move",)), "has a field of a wrong type"),
        (Ruleset(name="mine", operations=cast("Any", {"move": ("add",)})), "has a field of a wrong type"),
        (Ruleset(name="mine", operations={"move": {AgentKind.NARRATIVE: ("add",)}}), "has a field of a wrong type"),
        (Ruleset(name="mine", evidence={"../up/": "a:b"}), "cannot read documents at '../up/'"),
        (Ruleset(name="mine", changes={"quests/": "/etc/a.py"}), "'/etc/a.py' must be package.module:attribute"),
        (Ruleset(name="mine", evidence=["quests/"]), "has a field of a wrong type"),  # type: ignore[arg-type]
        (Ruleset(name="mine", validation={"../up/": "a:B"}), "no documents can be at '../up/'"),
        (Ruleset(name="mine", validation={"things/": "a.B"}), "'a.B' must be package.module:attribute"),
        (Ruleset(name="mine", absence=cast("Any", [])), "has a field of a wrong type"),
        (Ruleset(name="mine", opened={"": "a:B"}), "no documents can be at ''"),
        (Ruleset(name="mine", templates={"scenes": "a:B"}), "takes the template scenes of the ruleset scenes"),
        (
            Ruleset(name="mine", templates={"a/b": "a:B"}),
            "cannot have a template, a view or a removed tool named 'a/b'",
        ),
        (
            Ruleset(name="mine", restored={"crew.json": "a:B"}),
            "restored is for single documents of its own (got 'crew.json')",
        ),
        (Ruleset(name="mine", tools=tool_rows("mine", 0, {"undo": NOBODY})), "cannot have a tool named 'undo'"),
        (Ruleset(name="mine", tools=tool_rows("mine", 0, {"move": NOBODY})), "takes the tool move of the ruleset core"),
    ],
)
def test_a_ruleset_that_takes_what_is_not_its_own_is_refused(ruleset: object, wrong: str) -> None:
    assert fault_of(ruleset, "mine", INCLUDED.values()) == wrong


def test_built_in_rulesets_take_nothing_from_one_another() -> None:
    rulesets = list(INCLUDED.values())
    for place, ruleset in enumerate(rulesets):
        assert fault_of(ruleset, ruleset.name, rulesets[:place]) is None


def test_an_error_of_its_tool_fails_that_call_alone(
    distributions: Distributions, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _install_example(distributions)
    mill = _mill(tmp_path)
    momentum = import_module("turnwright_minimal.momentum")
    monkeypatch.setattr(momentum, "MAX_MOMENTUM", None)
    turn = {"tool_calls": [{"id": "roll", "tool": "pool_roll", "args": {"character_id": "pc_001", "dice": 1}}]}
    with Campaign.open(mill, clock=builders.clock) as campaign:
        reply = campaign.process(turn)
        assert campaign.process({"turn_id": "next", "tool_calls": []})["status"] == "empty"
    (failed,) = reply["tool_feedback"]["failed_calls"]
    assert (failed["id"], failed["reason"], failed["status"]) == ("roll", "internal_error", "error")
    assert failed["detail"].startswith("pool_roll of the ruleset minimal failed by itself: TypeError")
    assert untyped(reply).get("draws", []) == []
    assert not (mill / "momentum").exists()


CHAOS = """
from __future__ import annotations
from turnwright.rulesets.api import *
from turnwright.rulesets.ruleset import RULING


class Chaos(Document):
    factor: Count = 5

    @property
    def path(self):
        return "chaos.json"


class StirArgs(Args):
    pass


class StirResult(Model):
    factor: Count


@tool(StirArgs, StirResult, example={})
def stir(world, args, ctx):
    \"\"\"Raise the chaos factor.\"\"\"
    before = world.get("chaos.json") or Chaos()
    world.put(before.replace(factor=before.factor + 1))
    return Applied({"factor": before.factor + 1})


RULESET = Ruleset(name="chaos", documents={"chaos.json": "their_rules:Chaos"}, tools=tool_rows("their_rules", 0, {}))
"""


def test_a_single_file_of_a_missing_ruleset_is_kept(
    distributions: Distributions, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = {
        "their_rules/__init__.py": CHAOS.replace(
            'tool_rows("their_rules", 0, {})', 'tool_rows("their_rules", 0, {"stir": RULING})'
        ),
        "their_rules/stir.py": "from their_rules import stir\n",
        "their_rules/_story.py": "def stir(args, result, ctx):\n    raise ZeroDivisionError\n",
        "their_rules/_visibility.py": "from turnwright.rulesets.api import HIDDEN\nVISIBILITY = {'stir': HIDDEN}\n",
    }
    distributions.install("chaos", Group.RULESETS, {"chaos": "their_rules:RULESET"}, files)
    tables.cache_clear()
    mill = _mill(tmp_path, names=["core", "chaos"])
    path = mill / "campaign.json"
    path.write_text(path.read_text(encoding="utf-8").replace("pool_roll", "stir"), encoding="utf-8")
    with Campaign.open(mill, clock=builders.clock, lag=0) as campaign:
        reply = campaign.process({"tool_calls": [{"id": "s", "tool": "stir", "args": {}}]})
    assert reply["status"] == "applied"
    assert run(["log", str(mill)]) == 0
    assert "stir" in capsys.readouterr().out, "a story that fails costs its words and nothing else"
    distributions.remove("chaos")
    _forget()
    assert verify(mill).problems == ()
    assert run(["log", str(mill)]) == 0
    assert run(["process", str(mill)]) == 3
    assert "chaos is not installed" in capsys.readouterr().err
    assert json.loads((mill / "chaos.json").read_text(encoding="utf-8"))["factor"] == 6


HOOKS = """
from __future__ import annotations
from turnwright.model.errors import BadRequest
from turnwright.rulesets.api import *
from turnwright.rulesets.sight import Figure


class Chaos(Document):
    factor: Count = 0
    undone: Count = 0
    lurker: Text = ""

    @property
    def path(self):
        return "chaos.json"


def opened(world, dice):
    chaos = world.get("chaos.json")
    if chaos.factor == 0:
        world.put(chaos.replace(factor=dice.draw(6, "chaos")))


def resumed(world, dice, seq):
    chaos = world.get("chaos.json")
    if chaos is None:
        raise BadRequest("there is no chaos")
    world.put(chaos.replace(factor=9))
    return Resumed({"session": "resumed", "events": [], "request": None}, world.touched)


class Restored:
    def restore(self, world, documents):
        now = world.get("chaos.json")
        return {"chaos.json": documents["chaos.json"].replace(undone=now.undone + 1)}

    def as_restored(self, before, after):
        return {**before, "undone": after["undone"]}


class Lurkers:
    def figures(self, world):
        lurker = world.get("chaos.json") and world.get("chaos.json").lurker
        return [Figure("chaos", lurker, (lurker,), "a lurker", None, None, True, True)] if lurker else []

    def met(self, world):
        return ()

    def called(self, world, identifier, encounter_id):
        return next((one.name for one in self.figures(world) if one.id == identifier), None)

    def names(self, world):
        return [(one.id, one.name) for one in self.figures(world)]


SIGHT, RESTORED = Lurkers(), Restored()
TEMPLATE = Template(("move",), {"chaos.json": {"factor": 3}})
RULESET = Ruleset(
    name="chaos",
    documents={"chaos.json": "their_rules:Chaos"},
    opened={"chaos.json": "their_rules:opened"},
    restored={"chaos.json": "their_rules:RESTORED"},
    resumed="their_rules:resumed",
    sight="their_rules:SIGHT",
    templates={"chaos": "their_rules:TEMPLATE"},
    removed={"old_chaos": "chaos.json"},
)
"""


def _install_chaos(distributions: Distributions, tmp_path: Path, text: str = HOOKS) -> Path:
    """Return a campaign with a ruleset that has a part for each moment of its life, and a document of it."""
    distributions.install("chaos", Group.RULESETS, {"chaos": "their_rules:RULESET"}, {"their_rules.py": text})
    tables.cache_clear()
    mill = _mill(tmp_path, names=["core", "chaos"])
    (mill / "chaos.json").write_text("{}", encoding="utf-8")
    return mill


def test_it_acts_when_people_write_its_documents(distributions: Distributions, tmp_path: Path) -> None:
    mill = _install_chaos(distributions, tmp_path)
    with Campaign.open(mill, clock=builders.clock) as campaign:
        campaign.process({"tool_calls": []})
        factor = campaign.state["chaos.json"]["factor"]
    records = [json.loads(line) for line in (mill / "log.jsonl").read_bytes().splitlines()]
    edit = next(record for record in records if record["kind"] == "edit")
    assert [draw["value"] for draw in edit["draws"]] == [factor]
    assert json.loads((mill / "chaos.json").read_text(encoding="utf-8"))["factor"] == factor
    assert verify(mill).problems == ()


def test_its_session_goes_on_and_an_undo_keeps_what_it_says(distributions: Distributions, tmp_path: Path) -> None:
    mill = _install_chaos(distributions, tmp_path)
    with Campaign.open(mill, clock=builders.clock) as campaign:
        campaign.process({"tool_calls": []})
        before = campaign.state["chaos.json"]
        record = campaign.resume()["record"]
        assert campaign.state["chaos.json"]["factor"] == 9
        campaign.undo(str(record))
        assert campaign.state["chaos.json"] == {**before, "undone": 1}
    assert verify(mill).problems == ()
    distributions.remove("chaos")
    _forget()
    assert verify(mill).problems == (), "nothing can be said of documents without their ruleset"


def test_an_undo_that_keeps_what_nobody_says_is_found(
    distributions: Distributions, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mill = _install_chaos(distributions, tmp_path)
    with Campaign.open(mill, clock=builders.clock) as campaign:
        campaign.process({"tool_calls": []})
        campaign.undo(str(campaign.resume()["record"]))
    restored = type(import_module("their_rules").RESTORED)
    monkeypatch.setattr(restored, "as_restored", lambda _, before, after: {**after, **before})
    assert [problem.rule for problem in verify(mill).problems] == ["undo"]


def test_a_campaign_without_sessions_resumes_none(tmp_path: Path) -> None:
    mill = _mill(tmp_path, names=["core"])
    wrong = pytest.raises(BadRequest, match="no ruleset of this campaign has sessions")
    with Campaign.open(mill, clock=builders.clock) as campaign, wrong:
        campaign.resume()


def test_who_hides_in_its_encounters_is_hidden_from_the_party(distributions: Distributions, tmp_path: Path) -> None:
    mill = _install_chaos(distributions, tmp_path)
    (mill / "chaos.json").write_text('{"factor": 1, "lurker": "shade"}', encoding="utf-8")
    with Campaign.open(mill, clock=builders.clock) as campaign:
        campaign.process({"tool_calls": []})
        with campaign.reading() as world:
            assert unseen_by_party(world) == {"shade"}
            assert WorldKnowledge(world, Viewer("party")).person("shade") is None
            assert WorldKnowledge(world, Viewer("game_master")).called("shade") == "a lurker"


def test_a_tool_that_is_no_more_says_what_does_its_work(distributions: Distributions, tmp_path: Path) -> None:
    text = HOOKS.replace('removed={"old', 'tools=tool_rows("their_rules", 1000, {"stir": RULING}), removed={"old')
    files = {
        "their_rules/__init__.py": text + CHAOS[CHAOS.index("class StirArgs") : CHAOS.index("RULESET")],
        "their_rules/stir.py": "from their_rules import stir\n",
        "their_rules/_story.py": "def stir(args, result, ctx):\n    return ''\n",
        "their_rules/_visibility.py": "from turnwright.rulesets.api import HIDDEN\nVISIBILITY = {'stir': HIDDEN}\n",
    }
    distributions.install("chaos", Group.RULESETS, {"chaos": "their_rules:RULESET"}, files)
    tables.cache_clear()
    mill = _mill(tmp_path, names=["core", "chaos"])
    path = mill / "campaign.json"
    path.write_text(path.read_text(encoding="utf-8").replace("pool_roll", "stir"), encoding="utf-8")
    with Campaign.open(mill, clock=builders.clock) as campaign:
        reply = campaign.process({"tool_calls": [{"id": "c", "tool": "old_chaos", "args": {}}]})
    (failed,) = reply["tool_feedback"]["failed_calls"]
    assert (failed["reason"], failed["detail"]) == ("tool_removed", "old_chaos is no more: chaos.json")


def _live(campaign: Campaign) -> None:
    """Adopt documents, let a session go on, and undo that."""
    campaign.process({"tool_calls": []})
    campaign.undo(str(campaign.resume()["record"]))


@pytest.mark.parametrize(
    ("part", "broken"),
    [
        ("opened", HOOKS.replace("chaos.factor == 0", "chaos.factor / 0")),
        (
            "opened",
            HOOKS.replace('world.put(chaos.replace(factor=dice.draw(6, "chaos")))', "world.remove('no/x.json')"),
        ),
        ("resumed", HOOKS.replace("factor=9", "factor=-9")),
        ("restored", HOOKS.replace("now.undone + 1", "now.nothing")),
    ],
)
def test_a_part_that_fails_by_itself_is_a_problem_and_changes_nothing(
    distributions: Distributions, tmp_path: Path, part: str, broken: str
) -> None:
    mill = _install_chaos(distributions, tmp_path, broken)
    with Campaign.open(mill, clock=builders.clock) as campaign:
        with pytest.raises(CampaignInvalid) as refused:
            _live(campaign)
        assert [problem.rule for problem in refused.value.problems] == ["ruleset"]
        assert refused.value.problems[0].message.startswith(f"{part} of the ruleset chaos failed by itself: ")
    assert [each.message for each in verify(mill).problems if each.file == "log.jsonl"] == []


def test_players_see_the_events_that_it_declares(distributions: Distributions, tmp_path: Path) -> None:
    _install_example(distributions)
    mill = _mill(tmp_path)
    reply = _play(mill)
    with Campaign.open(mill, clock=builders.clock) as campaign:
        seen = campaign.project(reply, Viewer.of("player:pc_001"))
    assert [event["data"] for event in seen["events"]] == [{"character_id": "pc_001", "left": 0}]
    assert project(reply, Viewer.of("player:pc_001"))["events"] == [], "nothing is known of its campaign"


@pytest.mark.parametrize("wrong", ["1 / 0", "[]", "{'dice': 4}", "{'dice': [float('nan')]}", "exit(3)"])
def test_a_tool_that_cannot_say_what_is_legal_is_named_and_the_others_are_listed(
    distributions: Distributions,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    wrong: str,
) -> None:
    _install_example(distributions)
    mill = _mill(tmp_path)
    _play(mill)
    module = import_module("turnwright_minimal.tools.pool_roll")
    broken = replace(module.pool_roll, legal=lambda *_: eval(wrong))  # noqa: S307
    monkeypatch.setattr(module, "pool_roll", broken)
    tables.cache_clear()
    assert run(["legal", str(mill)]) == 0
    out, err = capsys.readouterr()
    assert {call["properties"]["tool"]["const"] for call in json.loads(out)["oneOf"]} == {"move", "spend_momentum"}
    assert "left out: pool_roll of the ruleset minimal failed by itself: " in err
    assert run(["legal", str(mill), "--as", "player:pc_001"]) == 0
    with Campaign.open(mill, clock=builders.clock) as campaign:
        call = {"id": "c", "tool": "pool_roll", "args": {"character_id": "pc_002", "dice": 2}}
        reply = campaign.process({"tool_calls": [call]})
    assert [each["reason"] for each in reply["tool_feedback"]["failed_calls"]] == ["not_found"]


def test_its_settings_are_set_listed_checked_and_in_force(
    distributions: Distributions, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _install_example(distributions)
    mill = _mill(tmp_path)
    assert run(["set", str(mill)]) == 0
    assert "The lowest face that is a success." in capsys.readouterr().out
    assert run(["set", str(mill), "minimal.success_from=2", "scene.heat_max=8"]) == 0
    assert run(["set", str(mill), "minimal.success_from=7"]) == 64
    assert "minimal.success_from: wants integer 2 to 6" in capsys.readouterr().err
    assert run(["set", str(mill), "minimal.sucess_from=3"]) == 64
    assert "did you mean minimal.success_from?" in capsys.readouterr().err
    assert json.loads((mill / "campaign.json").read_text(encoding="utf-8"))["settings"] == {
        "minimal": {"success_from": 2},
        "scene": {"heat_max": 8},
    }
    reply = _play(mill)
    assert reply["applied_actions"][0]["result"]["successes"] == 3, "a 2 is a success, and a 1 is none"
    assert [problem for problem in check_directory(mill) if not problem.warning] == []
    assert run(["prompt", str(mill), "--agent", "narrative"]) == 0
    path = mill / "campaign.json"
    path.write_text(path.read_text(encoding="utf-8").replace('"success_from": 2', '"success_from": 1'), "utf-8")
    assert [each.path for each in check_directory(mill) if not each.warning] == ["$.settings.minimal.success_from"]


@pytest.mark.parametrize(
    ("row", "wrong"),
    [
        ('Setting("scene.heat_max", 5, "Heat.", 2, 6)', "the key of a setting must be minimal. and a word"),
        ('Setting("minimal.x", 9, "Too much.", 2, 6)', "the default of minimal.x does not fit it"),
        ("5", "must be a tuple of Setting"),
    ],
)
def test_a_setting_that_is_not_its_own_is_refused(
    distributions: Distributions, tmp_path: Path, row: str, wrong: str
) -> None:
    _install_example(distributions)
    mill = _mill(tmp_path)
    site = next(Path(place) for place in sys.path if place.endswith("turnwright-ruleset-minimal"))
    text = f"from turnwright.rulesets.api import Setting\nSETTINGS = ({row},)\n"
    (site / "turnwright_minimal/settings.py").write_text(text, encoding="utf-8")
    _forget()
    (problem,) = (each for each in check_directory(mill) if each.rule == "unknown_ruleset")
    assert wrong in problem.message


def test_show_has_its_views(
    distributions: Distributions, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _install_example(distributions)
    mill = _mill(tmp_path)
    _play(mill)
    (mill / "momentum/pc_001.json").write_text('{"id": "pc_001", "amount": 2}', encoding="utf-8")
    with Campaign.open(mill, clock=builders.clock) as campaign:
        campaign.process({"tool_calls": []})

    def shown(*options: str) -> str:
        assert run(["show", str(mill), *options]) == 0
        return capsys.readouterr().out

    assert "momentum\npc_001: 2" in shown()
    assert json.loads(shown("--json"))["views"] == {"momentum": "pc_001: 2"}
    assert "momentum\npc_001: 2" in shown("--as", "player:pc_001")
    views = import_module("turnwright_minimal.views")
    monkeypatch.setattr(views, "MOMENTUM", views.MOMENTUM._replace(for_players=False))
    assert "momentum" not in shown("--as", "player:pc_001"), "hidden unless it says otherwise"
    monkeypatch.setattr(views, "MOMENTUM", views.MOMENTUM._replace(text=lambda *_: 5, for_players=True))
    assert "the view momentum of the ruleset minimal failed by itself: TypeError" in shown()
    assert "momentum" not in shown("--as", "player:pc_001")


def test_an_event_that_it_does_not_declare_fails_the_call(
    distributions: Distributions, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _install_example(distributions)
    mill = _mill(tmp_path)
    with Campaign.open(mill, clock=builders.clock) as campaign:
        campaign.process({"tool_calls": []})
        monkeypatch.setattr(import_module("turnwright_minimal.events"), "EVENTS", {})
        reply = campaign.process(json.loads((EXAMPLE / "golden/turn.json").read_text(encoding="utf-8")), dice=DICE)
    failed = {call["id"]: call["detail"] for call in reply["tool_feedback"]["failed_calls"]}
    assert failed["spend"].endswith("its ruleset declares no event 'MomentumSpent'")


def test_a_redaction_of_its_own_decides_what_of_a_result_is_shown(
    distributions: Distributions, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _install_example(distributions)
    mill = _mill(tmp_path)
    reply = _play(mill)
    visibility = import_module("turnwright_minimal.tools._visibility")

    class Coarse(Redaction):
        def redact(self, args: Any, result: JsonObject, party: PartyView) -> dict[str, Any]:
            del result
            return {"successes": "some"} if party.is_own(args["character_id"]) else {}

    monkeypatch.setattr(visibility, "COARSE", Coarse(), raising=False)
    row = visibility.VISIBILITY["pool_roll"]._replace(redaction="turnwright_minimal.tools._visibility:COARSE")
    monkeypatch.setitem(visibility.VISIBILITY, "pool_roll", row._replace(subject="people"))
    with Campaign.open(mill, clock=builders.clock) as campaign, campaign.reading() as world:
        action = reply["applied_actions"][0]
        assert builders.untyped(Onlookers(world).action(action))["result"] == {"successes": "some"}
        monkeypatch.setattr(Coarse, "redact", lambda *_: 1 / 0)
        assert builders.untyped(Onlookers(world).action(action))["result"] == {}, "a redaction that fails shows nothing"


def test_players_see_what_its_tools_list(
    distributions: Distributions, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _install_example(distributions)
    mill = _mill(tmp_path)
    reply = _play(mill)
    with Campaign.open(mill, clock=builders.clock) as campaign:
        seen = campaign.project(reply, Viewer.of("player:pc_001"), own=True)
    assert seen["applied_actions"][0]["result"] == {"faces": [6, 5, 2, 1], "successes": 2, "momentum": 1}


STOLEN_RULE = """
from types import SimpleNamespace
from turnwright.rulesets.api import SuggestionRows
fill = print
SUGGESTIONS = SuggestionRows(rules=(SimpleNamespace(id="r08_attack"),))
"""


@pytest.mark.parametrize(
    ("part", "text", "wrong"),
    [
        ("turnwright_minimal/momentum.py", "1 / 0", "ZeroDivisionError"),
        ("turnwright_minimal/tools/pool_roll.py", "pool_roll = 1", "must be a tool named pool_roll"),
        ("turnwright_minimal/tools/_story.py", "", "has no attribute 'pool_roll'"),
        ("turnwright_minimal/tools/_visibility.py", "VISIBILITY = {}", "must have a row for pool_roll"),
        ("turnwright_minimal/narration.py", "EFFECTS = {}\nevidence = 1", "narration:evidence must be a function"),
        ("turnwright_minimal/narration.py", "EFFECTS = {'move': print}\nevidence = print", "by tools of minimal"),
        ("turnwright_minimal/suggestions.py", "fill = SUGGESTIONS = print", "must be SuggestionRows"),
        ("turnwright_minimal/suggestions.py", STOLEN_RULE, "the id of the rule r08_attack must begin with minimal_"),
    ],
)
def test_a_broken_part_is_a_problem_of_the_campaign(
    distributions: Distributions, tmp_path: Path, part: str, text: str, wrong: str
) -> None:
    _install_example(distributions)
    mill = _mill(tmp_path)
    site = next(Path(place) for place in sys.path if place.endswith("turnwright-ruleset-minimal"))
    (site / part).write_text(text, encoding="utf-8")
    _forget()
    problems = [problem.message for problem in check_directory(mill) if problem.rule == "unknown_ruleset"]
    assert len(problems) == 1
    assert wrong in problems[0]
    assert "turnwright-ruleset-minimal 1.0" in problems[0]
    with Campaign.open(mill, clock=builders.clock) as campaign, pytest.raises(CampaignInvalid):
        campaign.process({"tool_calls": []})


BAD_ROLLS = {
    "NaN in a document": "world.put(before.replace(extra={'x': float('nan')})); return good",
    "a die without sides": "ctx.dice.draw(0, 'pool'); return good",
    "a die for nothing": "ctx.dice.draw(6, None); return good",
    "no report": "return [1]",
    "another result": "return Applied({'faces': []})",
    "events that are none": "return good._replace(events=(5,))",
    "a failure without a reason": "raise CallFailed('nope', 'x')",
    "a failure with NaN": "raise CallFailed(Reason.NOT_FOUND, 'd', {'x': float('nan')})",
    "an exit": "raise SystemExit(3)",
    "an error of the engine": "raise CampaignInvalid([])",
    "other rulesets": "world.put(world.campaign.replace(rulesets=['core'])); return good",
}


@pytest.mark.parametrize("body", BAD_ROLLS.values(), ids=BAD_ROLLS)
def test_whatever_its_tool_does_the_log_stays_sound(
    distributions: Distributions, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, body: str
) -> None:
    _install_example(distributions)
    mill = _mill(tmp_path)
    with Campaign.open(mill, clock=builders.clock) as campaign:
        campaign.process({"tool_calls": []})
    code = f"""
def apply(world, args, ctx):
    before = momentum_of(world, args.character_id)
    good = Applied({{"faces": [6], "successes": 1, "momentum": 0}})
    {body}
"""
    names: Any = {"momentum_of": import_module("turnwright_minimal.momentum").momentum_of}
    names |= {"Applied": Applied, "CallFailed": CallFailed, "Reason": Reason, "CampaignInvalid": CampaignInvalid}
    exec(compile(code, "body", "exec"), names)  # noqa: S102
    module = import_module("turnwright_minimal.tools.pool_roll")
    monkeypatch.setattr(module, "pool_roll", replace(module.pool_roll, apply=names["apply"]))
    tables.cache_clear()
    call = {"id": "roll", "tool": "pool_roll", "args": {"character_id": "pc_001", "dice": 1}}
    with Campaign.open(mill, clock=builders.clock, lag=0) as campaign:
        reply = campaign.process({"turn_id": "bad", "tool_calls": [call]})
        assert [call["reason"] for call in reply["tool_feedback"]["failed_calls"]] == ["internal_error"]
        assert reply["applied_actions"] == []
    tables.cache_clear()
    assert verify(mill).problems == ()
    assert not (mill / "momentum").exists()


def test_its_dice_are_asked_of_the_table(distributions: Distributions, tmp_path: Path) -> None:
    _install_example(distributions)
    mill = _mill(tmp_path)
    call = {"id": "roll", "tool": "pool_roll", "args": {"character_id": "pc_001", "dice": 2}}
    with Campaign.open(mill, clock=builders.clock) as campaign:
        campaign.set({"dice.source": "table"})
        reply = campaign.process({"turn_id": "t", "tool_calls": [call]})
        faces = []
        while reply["status"] == "waiting":
            faces = [5] * len(reply["request"]["dice"])
            reply = campaign.process({"answer": {"request_id": reply["request"]["request_id"], "value": faces}})
    assert reply["applied_actions"][0]["result"]["faces"] == [5, 5]


def test_an_undo_keeps_the_rulesets_that_the_log_needs(distributions: Distributions, tmp_path: Path) -> None:
    _install_example(distributions)
    mill = _mill(tmp_path)
    _play(mill)
    with Campaign.open(mill, clock=builders.clock, lag=0) as campaign:
        campaign.undo("1")
        assert campaign.state["campaign.json"]["rulesets"] == ["core", "minimal"]
    assert verify(mill).problems == ()
    assert run(["log", str(mill)]) == 0


# what it adds to the check of narrations and to suggestions

POOL = {"id": "roll", "tool": "pool_roll", "args": {"character_id": "pc_001", "dice": 4}}


def _after_a_pool(mill: Path) -> None:
    """Roll a pool that leaves `pc_001` with 2 momentum."""
    with Campaign.open(mill, clock=builders.clock, lag=0) as campaign:
        campaign.process({"turn_id": "pool", "user_input": "Now!", "tool_calls": [POOL]}, dice=[6, 5, 6, 1])
    assert json.loads((mill / "momentum/pc_001.json").read_text(encoding="utf-8"))["amount"] == 2


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("You have 2 momentum left.", []),
        ("You have two momentum.", []),
        ("You had no momentum, and now you have 2 momentum.", []),
        ("You have 5 momentum left.", [("contradiction", {"amount": 2})]),
        ("You still have three momentum.", [("contradiction", {"amount": 2})]),
        ("You would have 5 momentum.", []),
        ("Have you 5 momentum?", []),
    ],
)
def test_a_lie_about_its_document_is_caught(
    distributions: Distributions, tmp_path: Path, text: str, expected: list[Any]
) -> None:
    _install_example(distributions)
    mill = _mill(tmp_path)
    _after_a_pool(mill)
    with Campaign.open(mill, clock=builders.clock) as campaign:
        reply = campaign.process({"assistant_text": text, "user_input": "And?"})
    found = [finding for finding in reply["findings"] if finding["severity"] != "info"]
    assert [(finding["kind"], finding["actual"]) for finding in found] == expected


def test_its_calls_bear_out_what_is_told_of_a_roll(distributions: Distributions, tmp_path: Path) -> None:
    _install_example(distributions)
    mill = _mill(tmp_path)
    turn = {"assistant_text": "You fail your check.", "user_input": "Now!", "tool_calls": [POOL]}
    with Campaign.open(mill, clock=builders.clock) as campaign:
        reply = campaign.process(turn, dice=[6, 5, 6, 1])
    assert [(each["kind"], each["tool"], each["actual"]) for each in reply["findings"]] == [
        ("mismatch", "pool_roll", {"successes": 3})
    ]


def test_a_claim_that_nothing_bears_out_names_its_tool(distributions: Distributions, tmp_path: Path) -> None:
    _install_example(distributions)
    with Campaign.open(_mill(tmp_path), clock=builders.clock) as campaign:
        reply = campaign.process({"assistant_text": "You fail your check.", "user_input": "Now!"})
    assert [(each["kind"], each["tool"]) for each in reply["findings"]] == [("missing", "pool_roll")]


@pytest.mark.parametrize(
    "error", [ValueError("no luck"), SystemExit(3), CampaignInvalid([]), CallFailed(Reason.CONFLICT, "no")]
)
@pytest.mark.parametrize("part", ["evidence", "effects"])
def test_a_reader_that_raises_costs_the_check_of_that_turn_alone(
    distributions: Distributions, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, part: str, error: BaseException
) -> None:
    _install_example(distributions)
    mill = _mill(tmp_path)
    _after_a_pool(mill)

    def raises(_: Any) -> Any:
        raise error

    narration = import_module("turnwright_minimal.narration")
    if part == "evidence":
        monkeypatch.setattr(narration, "evidence", raises)
    else:
        monkeypatch.setitem(narration.EFFECTS, "pool_roll", raises)
    told = {"assistant_text": "You have 5 momentum left.", "user_input": "And?", "tool_calls": [POOL]}
    with Campaign.open(mill, clock=builders.clock) as campaign:
        reply = campaign.process(told, dice=[6, 1, 1, 1])
    assert (reply["status"], reply["findings"]) == ("applied", [])


def test_evidence_cannot_change_the_campaign(
    distributions: Distributions, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _install_example(distributions)
    mill = _mill(tmp_path)
    _after_a_pool(mill)
    narration = import_module("turnwright_minimal.narration")
    read = narration.evidence

    def meddling(turn: Any) -> Any:
        turn.world.remove("momentum/pc_001.json")
        return read(turn)

    monkeypatch.setattr(narration, "evidence", meddling)
    with Campaign.open(mill, clock=builders.clock, lag=0) as campaign:
        campaign.process({"assistant_text": "You have 5 momentum left.", "user_input": "And?"})
        assert campaign.state["momentum/pc_001.json"]["amount"] == 2


def test_its_rule_suggests_its_tool(
    distributions: Distributions, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _install_example(distributions)
    mill = _mill(tmp_path)
    message = "I use my momentum."
    with Campaign.open(mill, clock=builders.clock, lag=0) as campaign:
        campaign.process({"tool_calls": []})  # adopts the edited campaign.json
    assert run(["suggest", str(mill), message]) == 0
    assert "nothing to suggest" in capsys.readouterr().out, "there is no momentum to spend"
    _after_a_pool(mill)
    assert run(["suggest", str(mill), message]) == 0
    assert "spend_momentum" in capsys.readouterr().out
    assert run(["suggest", str(mill), "I walk on."]) == 0
    assert "spend_momentum" not in capsys.readouterr().out


def test_a_campaign_without_it_has_none_of_its_rules(distributions: Distributions, tmp_path: Path) -> None:
    _install_example(distributions)
    with_it, without = (suggestions_of(tables(names)) for names in (("core", "minimal"), ("core",)))
    assert set(with_it.rules_by_id) - set(without.rules_by_id) == {"minimal_spend"}
    assert "r08_attack" not in with_it.rules_by_id


def test_tables_keep_their_toolbox_however_many_there_are() -> None:
    others = [RulesetTables(BUILT_IN.rulesets) for _ in range(100)]
    assert len({id(one.toolbox) for one in others}) == 100
    assert BUILT_IN.toolbox is TOOLS


# commands of play


def test_a_person_plays_by_its_commands(
    distributions: Distributions, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    _install_example(distributions)
    mill = _mill(tmp_path)
    with Campaign.open(mill, clock=builders.clock) as campaign:
        campaign.process({"dm_note": "the hand edit is taken over"})
    monkeypatch.setattr(sys, "stdin", io.StringIO("/help pool\n/pool pc_001\n3\n"))
    assert run(["play", str(mill), "--model=none"]) == 0
    out = capsys.readouterr().out
    assert "/pool WHO N" in out
    assert "how many dice > 3" in out
    last = builders.log_of(mill)[-1]
    assert [action["tool"] for action in last["applied_actions"]] == ["pool_roll"]


@pytest.mark.parametrize(
    ("commands", "told"),
    [
        ({"pool": "pool_roll"}, "must have a PlayCommand for 'pool'"),
        ({"pool": PlayCommand("move", "dice", "roll")}, "must call a tool of minimal (got 'move')"),
        ({"note": PlayCommand("pool_roll", "dice", "roll")}, "it takes the command note of the ruleset core"),
    ],
)
def test_a_ruleset_whose_commands_are_none_is_refused(
    distributions: Distributions, monkeypatch: pytest.MonkeyPatch, commands: Any, told: str
) -> None:
    _install_example(distributions)
    monkeypatch.setattr(import_module("turnwright_minimal.commands"), "COMMANDS", commands)
    ruleset = import_module("turnwright_minimal").RULESET
    with pytest.raises(TypeError, match=re.escape(told)):
        require_parts(ruleset, [INCLUDED["core"]])
