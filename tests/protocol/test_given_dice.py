"""Dice that a call gives: people's are taken and marked, a model's are refused wherever and however it writes them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests import builders
from tests.builders import Json, call, turn
from tests.conftest import MakeCampaign
from tests.shaped import SHAPED
from tests.tools.hall import fight, hall_documents, linked

from turnwright import Campaign
from turnwright.cli.main import run
from turnwright.protocol.stage0_prepare.prepare import describe
from turnwright.rulesets.toolbox import TOOLS
from turnwright.schemas.schemas import validator

CHECK = call("roll_check", character_id="aria", check_type="initiative", manual_roll=20)
GIVEN: list[tuple[Json, str]] = [
    (CHECK, "args.manual_roll"),
    (call("roll_check", characterId="aria", checkType="initiative", manualRoll=20), "args.manualRoll"),
    (call("roll_check", character_id="aria", check_type="initiative", manual_rolls=[20, 20]), "args.manual_rolls"),
    (call("roll_check", batch=[{}, CHECK["args"]]), "args.batch.1.manual_roll"),
    (call("check_concentration", character_id="aria", damage=9, manual_roll=20), "args.manual_roll"),
    *(
        (call("roll_check", character_id="aria", check_type="initiative") | {"args": {key: 20}}, f"args.{key}")
        for key in ("manual-roll", "manual roll", "Manual Roll", "MANUAL_ROLL")
    ),
    (call("level_up", character_id="aria", hp_method="manual", manual_hp=99), "args.manual_hp"),
    (call("roll_check", character_id="aria", check_type="initiative", manual_roll="20"), "args.manual_roll"),
    (
        call(
            "execute_action",
            encounter_id="encounter-1",
            actor_id="aria",
            action_type="attack",
            target_id="grik",
            manual_attack_roll=20,
            manual_damage_roll=99,
        ),
        "args.manual_attack_roll",
    ),
]


@pytest.fixture
def hall(make_campaign: MakeCampaign) -> Campaign:
    return make_campaign(hall_documents() | fight(linked("aria", 1, 1), linked("grik", 2, 1, is_enemy=True)))


OFFERING: list[Json] = [
    call("roll_check", character_id="aria", check_type="initiative", manul_roll=20),
    call("roll_check", character_id="aria", check_type="initiative", manualroll=20),
    call("roll_check", batch=json.dumps([CHECK["args"]])),
    call("roll_check", batch=[CHECK["args"] | {"manul_roll": 20}, {"check_type": "initiative", "manul_roll": 20}]),
    call("roll_check", arguments=json.dumps(CHECK["args"])),
    call("roll_check", args=json.dumps(CHECK["args"])) | {"args": json.dumps(CHECK["args"])},
    {"id": "a", "tool": "roll_check", **CHECK["args"]},
    {"id": "a", "tool": "roll_check", "args": {"character_id": "aria"}, "check_type": "initiative", "manual_roll": 20},
    call("level_up", character_id="aria", hp_method="manual"),
]
"""Calls whose hints keep the dice that are given, for people."""


def offers(told: Any) -> list[Any]:
    """Return what hints offer anywhere in a reply, each with the field it is for."""
    if isinstance(told, list):
        return [found for each in told for found in offers(each)]
    if not isinstance(told, dict):
        return []
    own = [(told["field"], told.get("allowed"))] if "field" in told and not told.get("remove") else []
    return [*own, *(found for each in told.values() for found in offers(each))]


@pytest.mark.parametrize("asked", OFFERING, ids=range(len(OFFERING)))
def test_no_hint_offers_a_model_to_give_dice(hall: Campaign, asked: Json) -> None:
    given = [
        "manual" in json.dumps(offers(hall.process(turn(asked), by_model=by_model, dry_run=True)["tool_feedback"]))
        for by_model in (False, True)
    ]
    assert given == [True, False]


@pytest.mark.parametrize(("asked", "field"), GIVEN, ids=range(len(GIVEN)))
def test_a_model_gives_no_dice(hall: Campaign, asked: Json, field: str) -> None:
    entries = [asked, *(write(asked) for write in SHAPED.values())]
    for keys, by_model in (({"agent": "narrative"}, False), ({"agent": ""}, False), ({}, True)):
        reply = hall.process(turn(*entries, **keys), by_model=by_model)
        told = reply["tool_feedback"]["failed_calls"]
        assert [(one["status"], one["reason"]) for one in told] == [("rejected", "not_permitted")] * len(entries)
        assert [one["hint"] for one in told] == [{"field": field, "remove": True}] * len(entries)
        assert reply["applied_actions"] == []
        assert not list(hall.records())[-1].get("draws")


def test_dice_of_people_are_taken_and_marked(hall: Campaign) -> None:
    for keys in ({}, {"user_input": "I look."}):
        assert hall.process(turn(CHECK, **keys))["status"] == "applied"
        [draw] = list(hall.records())[-1]["draws"]
        assert (draw["value"], draw["given"]) == (20, True)


def test_an_argument_that_gives_nothing_is_no_die(hall: Campaign) -> None:
    asked = call("roll_check", character_id="aria", check_type="initiative", manual_roll=None)
    assert hall.process(turn(asked, agent="narrative"))["status"] == "applied"
    [draw] = list(hall.records())[-1]["draws"]
    assert draw["given"] is False


def test_the_hint_leads_to_the_same_call_with_the_engines_dice(hall: Campaign) -> None:
    asked: Json = json.loads(json.dumps(GIVEN[-1][0]))
    for _ in range(2):
        [told] = hall.process(turn(asked, agent="combat"), dry_run=True)["tool_feedback"]["failed_calls"]
        del asked["args"][told["hint"]["field"].removeprefix("args.")]
    assert hall.process(turn(asked, agent="combat"))["status"] == "applied"
    assert not [draw for draw in list(hall.records())[-1]["draws"] if draw["given"]]


@pytest.mark.parametrize("form", ["openai", "anthropic", "mcp"])
def test_no_description_for_models_has_dice_to_give(form: str) -> None:
    for tool in TOOLS.values():
        assert "manual_" not in json.dumps(describe(tool, form))
        assert "Needed by hp_method" not in json.dumps(describe(tool, form))
    level_up = json.dumps(describe(TOOLS["level_up"], form))
    assert '["roll", "average", "max"]' in level_up
    assert "manual_hp" in json.dumps(describe(TOOLS["level_up"], "jsonschema"))


def test_no_call_that_gives_dice_is_legal(hall: Campaign) -> None:
    for legal in (hall.legal(), hall.legal(full=True)):
        assert "manual_" not in json.dumps(legal)
        assert not validator(legal).is_valid(CHECK)
    assert validator(legal).is_valid({**CHECK, "args": {"character_id": "aria", "check_type": "initiative"}})


def test_the_prompt_and_the_schema_of_its_answer_have_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    builders.begin(tmp_path / "hall", hall_documents() | fight(linked("aria", 1, 1))).close()
    for agent in ("narrative", "combat"):
        assert run(["prompt", str(tmp_path / "hall"), "--agent", agent, "--message", "I look.", "--json"]) == 0
        assert "manual_" not in capsys.readouterr().out
