"""Scenario packs: the shipped ones can be won, and what is wrong with one is told by file, place and rule."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.game_master.scoring import GOAL, MESSAGES, conditions, told, written

from turnwright import Campaign
from turnwright.analysis.score.beginning import begin
from turnwright.analysis.score.measures import measures_of
from turnwright.analysis.score.packs import load_pack, read_pack, shipped_packs
from turnwright.analysis.score.run import play
from turnwright.analysis.score.shapes import Run
from turnwright.analysis.score.solution import solution_of
from turnwright.audit.verify import verify
from turnwright.llm.echo import EchoModel
from turnwright.model.errors import BadRequest, CampaignInvalid
from turnwright.model.strict_json import pretty
from turnwright.rulesets.registry import BUILT_IN
from turnwright.store.documents import find_documents, parse_document
from turnwright.store.files import Files
from turnwright.store.package_files import campaigns_folder, sample_campaigns

SHIPPED = sorted(shipped_packs())


# the shipped ones


def test_every_folder_of_packs_is_one_and_none_is_a_sample_campaign() -> None:
    folder = campaigns_folder() / "packs"
    assert (
        {place.name for place in folder.iterdir() if place.is_dir()} == set(SHIPPED) == {"bazaar", "delve", "skirmish"}
    )
    assert "packs" not in sample_campaigns()


ONCE, THREE_TIMES = (1,), pytest.param((1, 2, 3), marks=pytest.mark.slow)


@pytest.fixture(scope="module")
def solved(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> list[Run]:
    """Play the solution of every pack with these seeds; each run takes all of its answers, and leaves a sound log."""
    folder, runs = tmp_path_factory.mktemp("solved"), []
    for pack in map(read_pack, SHIPPED):
        for seed in request.param:
            solution, place = solution_of(pack), folder / f"{pack.name}-{seed}"
            runs.append(play(pack, seed, place, conditions(lambda _, one=solution: one)))  # type: ignore[misc]
            assert solution.left == 0
            assert verify(place).problems == ()
    return runs


@pytest.mark.parametrize("solved", [ONCE, THREE_TIMES], ids=["once", "three times"], indirect=True)
@pytest.mark.parametrize("name", SHIPPED)
def test_its_solution_is_perfect_whatever_the_dice(name: str, solved: list[Run]) -> None:
    measures = measures_of([run for run in solved if run["pack"] == name])
    for key in ("answered", "well_formed", "legal", "abstained", "expected"):
        assert measures[key]["count"] == measures[key]["n"] > 0, key
    assert (measures["repaired"]["n"], measures["findings"]["count"], measures["failures"]) == (0, 0, {})


@pytest.mark.parametrize("solved", [THREE_TIMES], ids=["three times"], indirect=True)
def test_all_solutions_together_score_a_hundred_percent(solved: list[Run]) -> None:
    measures = measures_of(solved)
    for key in ("answered", "well_formed", "legal", "abstained", "expected"):
        assert measures[key]["rate"] == 1.0
    assert measures["findings"]["per_100"] == 0
    assert [row["rate"] for row in measures["pass"]["all"]["pass_k"]] == [1.0, 1.0, 1.0]


@pytest.mark.parametrize("name", SHIPPED)
def test_it_can_be_lost_and_asks_for_both_deeds_and_restraint(tmp_path: Path, name: str) -> None:
    pack = read_pack(name)
    assert len(pack.scenario.messages) == 12, "six seeds of three packs are more than 200 turns"
    assert sum(message.abstain for message in pack.scenario.messages) >= 3
    assert sum(bool(message.expect) for message in pack.scenario.messages) >= 6
    assert all(len(set(message.say)) >= 3 for message in pack.scenario.messages)
    with begin(tmp_path / name, pack, 1) as campaign:
        assert not all(check.holds(campaign.state) for check in pack.scenario.goal)


@pytest.mark.parametrize("name", SHIPPED)
def test_documents_are_spelt_as_the_engine_spells_them(name: str) -> None:
    folder = shipped_packs()[name] / "start"
    paths = find_documents(Files(folder), BUILT_IN.documents)
    for path in paths:
        data = (folder / path).read_bytes()
        document, problems = parse_document(path, data, BUILT_IN.documents)
        assert document is not None, problems
        assert data == pretty(document.value()), path
    assert {file.relative_to(folder).as_posix() for file in folder.rglob("*.json")} == set(paths)


# reading


def test_a_pack_is_found_by_its_name_or_its_folder(tmp_path: Path) -> None:
    assert read_pack("delve").scenario.title == "The Old Mine"
    assert read_pack(str(written(tmp_path / "mine"))).name == "mine"
    with pytest.raises(BadRequest, match="there is no scenario pack delwe; there are delve"):
        read_pack("delwe")


def test_a_pack_may_begin_from_a_sample_campaign(tmp_path: Path) -> None:
    pack = load_pack(written(tmp_path / "p", start=None, template="crossing"))
    with begin(tmp_path / "c", pack, 1) as campaign:
        assert campaign.state["campaign.json"]["title"] == "The Crossing"
        assert campaign.state["campaign.json"]["id"] == "c"


def message(**changes: Any) -> list[dict[str, Any]]:
    return [{**MESSAGES[0], **changes}]


@pytest.mark.parametrize(
    ("changes", "place", "rule", "words"),
    [
        ({"titel": "x"}, "$.titel", "extra_forbidden", "may not be given"),
        ({"title": None}, "$.title", "missing", "is required"),
        ({"start": None}, "$", "value_error", "`template` or `start`"),
        ({"template": "delve"}, "$", "value_error", "not both"),
        ({"start": None, "template": "delwe"}, "$.template", "template", "no sample campaign"),
        ({"start": "nowhere"}, "$.start", "start", "no folder"),
        ({"start": ".."}, "$.start", "start", "no folder of this pack"),
        ({"messages": []}, "$.messages", "too_short", "at least 1"),
        ({"messages": message(say=[])}, "$.messages[0].say", "too_short", "at least 1"),
        ({"messages": message(say=["x", 3])}, "$.messages[0].say[1]", "string_type", "wants text"),
        ({"messages": message(id="No Id")}, "$.messages[0].id", "string_pattern_mismatch", "characters"),
        ({"messages": message() * 2}, "$.messages[0].id", "id", "go is there twice"),
        ({"messages": message(abstain=True)}, "$.messages[0]", "value_error", "`expect` or `abstain`"),
        ({"messages": message(expect=["mvoe"])}, "$.messages[0].expect[0]", "expect", "nearest one is move"),
        ({"messages": message(expect=[["move", "roll_check"]])}, "$.messages[0].expect[0]", "expect", "allowlist"),
        ({"messages": message(**{"as": "pc_002"})}, "$.messages[0].as", "as", "not in the party: pc_001"),
        (
            {"messages": message(solution=[{"calls": [{"tool": "dance"}]}])},
            "$.messages[0].solution[0]",
            "solution",
            "is no tool",
        ),
        ({"messages": message(solution=[{}])}, "$.messages[0].solution[0]", "value_error", "a text, or calls"),
        ({"goal": [{**GOAL[0], "document": "people/a.json"}]}, "$.goal[0].document", "document", "no document"),
        ({"goal": [{"document": "campaign.json"}]}, "$.goal[0]", "value_error", "wants one of"),
        ({"settings": {"narration.check": "off"}}, "$", "value_error", "agents"),
        ({"settings": {"agents.max_steps": 0}}, "$", "value_error", "settings.agents.max_steps"),
        ({"settings": {"agents.default_model": "echo"}}, "$", "value_error", "the command that scores"),
        ({"settings": {"suggestions.enabled": False}}, "$", "value_error", "the command that scores"),
        (
            {"settings": {"agents.combat.model": "openai:x@http://example.org"}},
            "$",
            "value_error",
            "the command that scores",
        ),
    ],
)
def test_what_is_wrong_is_told_by_place_and_rule(
    tmp_path: Path, changes: dict[str, Any], place: str, rule: str, words: str
) -> None:
    with pytest.raises(CampaignInvalid) as raised:
        load_pack(written(tmp_path / "p", **changes))
    problem = raised.value.problems[0]
    assert (problem.file, problem.path, problem.rule) == ("pack.yaml", place, rule)
    assert words in problem.message


@pytest.mark.parametrize(
    "text", ["title: [", "a: 1\na: 2\n", "- 1\n", "", "\x00", "&a [*a]", "!!python/object:os.system {}"]
)
def test_a_file_that_is_no_pack_is_a_problem_of_that_file(tmp_path: Path, text: str) -> None:
    (tmp_path / "pack.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(CampaignInvalid) as raised:
        load_pack(tmp_path)
    assert {problem.file for problem in raised.value.problems} == {"pack.yaml"}


def test_what_is_wrong_with_the_documents_is_told_with_their_files(tmp_path: Path) -> None:
    folder = written(tmp_path / "p")
    (folder / "start/characters/pc_001.json").write_text('{"id": "pc_001", "hp": "ten"}', encoding="utf-8")
    with pytest.raises(CampaignInvalid) as raised:
        load_pack(folder)
    assert ("start/characters/pc_001.json", "$.hp") in [(one.file, one.path) for one in raised.value.problems]
    (folder / "start/campaign.json").unlink()
    with pytest.raises(CampaignInvalid, match=r"start/campaign.json: \$: there is no campaign here"):
        load_pack(folder)


def test_what_leads_out_of_the_pack_is_not_followed(tmp_path: Path) -> None:
    folder = written(tmp_path / "p", start="elsewhere")
    (folder / "elsewhere").symlink_to(written(tmp_path / "other") / "start", target_is_directory=True)
    with pytest.raises(CampaignInvalid, match="no folder of this pack"):
        load_pack(folder)


def test_a_message_may_name_who_says_it(tmp_path: Path) -> None:
    folder = written(tmp_path / "p", start=None, template="crossing", messages=[{**MESSAGES[3], "as": "pc_002"}])
    run = play(load_pack(folder), 1, tmp_path / "c", conditions(lambda _: EchoModel()))
    assert told(run, "outcome") == ["answered"]
    with Campaign.open(tmp_path / "c") as campaign:
        assert [record["actor_id"] for record in campaign.records() if "user_input" in record] == ["pc_002"]
