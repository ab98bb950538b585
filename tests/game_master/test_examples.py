"""The turn files that prompts show as good ones are: handed in where they are shown, all of them apply."""

from __future__ import annotations

import json
import re
from functools import cache

import pytest
from jsonschema import Draft202012Validator
from tests.builders import Json
from tests.conftest import MakeCampaign
from tests.game_master.city import CHOSEN, accepted, prompt, stages, values

from turnwright.game_master.prompts.scene_prompt import Prompt

CITY = {
    "weaver": values("encounter"),
    "precipice": values("risky"),
    "precipice after the die": values("risky", pending_outcome=CHOSEN, dice_pool=[5]),
    "echo": values("costly"),
    "echo after accept": accepted(),
    "crack": values("breaking"),
    "hungry_city": values("bargaining"),
    "hungry_city without a way back": values("cornered"),
    **{name: stages()[name] for name in ("archivist", "interlude_narrator", "entangler", "opener", "fate")},
}


@cache
def prompt_at(name: str) -> Prompt:
    """Return the prompt of one of these."""
    return prompt(CITY[name])


def shown(name: str) -> list[Json]:
    """Return the turn files that a prompt shows."""
    return [json.loads(block) for block in re.findall(r"^```json\n(.*)\n```$", prompt_at(name).system, re.M)]


@pytest.mark.parametrize("name", CITY)
def test_turn_files_that_are_shown_apply(name: str, make_campaign: MakeCampaign) -> None:
    assert shown(name)
    for example in shown(name):
        reply = make_campaign(CITY[name]).process({**example, "prompt_id": prompt_at(name).prompt_id})
        assert reply["status"] == "applied", reply["tool_feedback"]
        warnings = [warning for action in reply["applied_actions"] for warning in action.get("warnings", ())]
        assert [warning for warning in warnings if warning.startswith("lint_")] == []


@pytest.mark.parametrize("name", CITY)
def test_outputs_that_are_shown_fit_the_schema(name: str) -> None:
    schema = prompt_at(name).output_schema
    assert schema is not None
    for example in shown(name):
        if "output" in example:
            Draft202012Validator(schema).validate(example["output"])
