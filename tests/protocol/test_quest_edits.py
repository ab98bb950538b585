"""What quests written by hand must be like before a tool meets them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests import builders
from tests.builders import Json
from tests.tools.hall import hall_documents

from turnwright import Campaign
from turnwright.audit.check import check_directory
from turnwright.model.errors import CampaignInvalid
from turnwright.model.state.overlay import InMemorySource, World
from turnwright.protocol.validation.edits import campaign_problems
from turnwright.rulesets.registry import BUILT_IN
from turnwright.store.documents import document_from

PATH = "quests/rats.json"


def quest(*done: bool, **fields: Any) -> Json:
    objectives = [{"id": f"o{number}", "text": "x", "done": each} for number, each in enumerate(done)]
    return {"id": "rats", "title": "Rats", "objectives": objectives} | fields


def faults(edited: Json) -> list[tuple[str, str, str]]:
    """Return file, JSON path and rule of all that is wrong with the hall and this quest."""
    parsed = {}
    for path, value in (hall_documents() | {PATH: edited}).items():
        parsed[path], problems = document_from(path, value, BUILT_IN.documents)
        assert not problems, problems
    world = World(InMemorySource({path: document for path, document in parsed.items() if document is not None}))
    return [(each.file, each.path, each.rule) for each in campaign_problems(world, [PATH]) if not each.warning]


@pytest.mark.parametrize(
    "sound",
    [
        quest(),
        quest(False, giver_id="lena"),
        quest(True, False, status="active", offered_turn=9),
        quest(True, False, status="completed", offered_turn=2, closed_turn=2),
        quest(False, status="failed"),
        quest(status="declined", closed_turn=4, extra={"why": "no pay"}),
    ],
)
def test_sound_quests_have_no_faults(sound: Json) -> None:
    assert faults(sound) == []


@pytest.mark.parametrize(
    ("edited", "where", "rule"),
    [
        (quest(giver_id="nobody"), "$.giver_id", "unknown_character"),
        (
            quest(objectives=[{"id": "o", "text": "x"}, {"id": "o", "text": "y"}]),
            "$.objectives[1].id",
            "objective_twice",
        ),
        (quest(False, True), "$.objectives[1].done", "never_started"),
        (quest(True, status="declined"), "$.objectives[0].done", "never_started"),
        (quest(closed_turn=3), "$.closed_turn", "still_open"),
        (quest(status="active", closed_turn=3), "$.closed_turn", "still_open"),
        (quest(status="failed", offered_turn=4, closed_turn=3), "$.closed_turn", "closed_too_early"),
    ],
)
def test_each_fault_is_told_with_its_place(edited: Json, where: str, rule: str) -> None:
    assert faults(edited) == [(PATH, where, rule)]


def write(home: Path, value: Json) -> None:
    (home / PATH).parent.mkdir(exist_ok=True)
    (home / PATH).write_text(json.dumps(value), encoding="utf-8")


def test_a_sound_edit_is_taken_over_and_another_refused(tmp_path: Path) -> None:
    home = tmp_path / "campaign"
    with builders.begin(home, hall_documents()):
        pass
    write(home, quest(False, status="active"))
    with Campaign.open(home, builders.clock) as campaign:
        campaign.process({"tool_calls": []})
        assert [record["kind"] for record in campaign.records()] == ["new", "edit", "turn"]
        assert campaign.state[PATH]["status"] == "active"
    write(home, quest(status="active", closed_turn=1, giver_id="nobody"))
    expected = {("$.giver_id", "unknown_character"), ("$.closed_turn", "still_open")}
    assert {(each.path, each.rule) for each in check_directory(home) if not each.warning} == expected
    with Campaign.open(home, builders.clock) as campaign, pytest.raises(CampaignInvalid) as refused:
        campaign.process({"tool_calls": []})
    assert {(each.path, each.rule) for each in refused.value.problems} == expected


@pytest.mark.parametrize(
    "odd", [{"status": "open"}, {"title": " "}, {"objectives": [{"id": "o"}]}, {"closed_turn": -1}, {"givr_id": "lena"}]
)
def test_a_document_of_another_shape_is_a_problem(tmp_path: Path, odd: Json) -> None:
    home = tmp_path / "campaign"
    with builders.begin(home, hall_documents()):
        pass
    write(home, quest() | odd)
    (problem,) = (each for each in check_directory(home) if not each.warning)
    assert problem.file == PATH
