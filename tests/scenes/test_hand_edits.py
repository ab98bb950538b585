"""Scene games on disk that somebody edits between two turns: taken over whole and played on, or refused by name."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from tests.builders import Json, call, clock, failed
from tests.sampling import sampled
from tests.scenes.beginnings import changed
from tests.scenes.doing import RETREAT, TOLD, city
from tests.scenes.moments import BARGAIN, BROKEN, CALM, ECHO, RISKY, SUMMARY
from tests.scenes.night import ENGAGE, answer, begin, spend

from turnwright import Campaign
from turnwright.audit.check import check_directory
from turnwright.audit.verify import verify
from turnwright.game_master.prompts.scene_prompt import prompt_of
from turnwright.model.errors import CampaignInvalid
from turnwright.model.settings import settings_of
from turnwright.rulesets.registry import BUILT_IN

DICE = [3, 3]
HURT = BROKEN | {"for": "character-1"}


@pytest.fixture
def night(tmp_path: Path) -> Path:
    """Give the directory of a game whose first scene has begun."""
    path = tmp_path / "night"
    with Campaign.new(path, template="scenes", seed="x", clock=clock) as campaign:
        begin(campaign)
    return path


def opened(path: Path) -> Campaign:
    return Campaign.open(path, clock=clock)


def process(path: Path, *turns: Json) -> Json:
    """Take turns as new processes would, and return the last reply."""
    reply: Json = {}
    for turn in turns:
        with opened(path) as campaign:
            reply = campaign.process(turn)
    return reply


def edit(path: Path, name: str = "crew.json", /, **changes: Any) -> None:
    """Change some keys of a document as an editor would; a double underscore leads into it."""
    value = json.loads((path / name).read_text())
    (path / name).write_text(json.dumps(changed(value, **changes)))


def crew(path: Path) -> Json:
    with opened(path) as campaign:
        found: Json = campaign.state["crew.json"]
    return found


def faults(path: Path) -> list[tuple[str, str]]:
    return [(found.path, found.rule) for found in check_directory(path) if not found.warning]


def refused(path: Path) -> list[tuple[str, str]]:
    """Return path and rule of what a turn is refused for."""
    with pytest.raises(CampaignInvalid) as error:
        process(path, {"user_input": "I wait."})
    return [(found.path, found.rule) for found in error.value.problems]


MOODS: dict[str, tuple[Json, list[int], Json]] = {
    "scene": (CALM, DICE, {"output": TOLD}),
    "action": (RISKY, DICE, {"output": TOLD}),
    "aftermath": (ECHO, DICE, {"output": TOLD}),
    "trauma": (HURT, DICE, {"output": {**TOLD, "trauma_assigned": "cold"}}),
    "bargain": (BARGAIN, [], {"output": city()}),
}
"""Mood and dice as somebody might write them, and the turn that is owed then."""


@pytest.mark.parametrize(("before", "after"), sampled(product(MOODS, MOODS), 9))
def test_whoever_edits_the_mood_is_owed_the_document_of_the_new_one(night: Path, before: str, after: str) -> None:
    for name in (before, after):
        mood, dice, owed = MOODS[name]
        edit(night, phase__mood=mood, dice_pool=dice)
        if name == before:
            process(night, {"user_input": "I go."})
    assert faults(night) == []
    (night / "turns" / "0001.json").write_text(json.dumps(owed))
    with opened(night) as campaign:
        assert [reply["status"] for _, reply in campaign.process_drop()] == ["applied"]
    assert not [*(night / "turns" / ".claimed").glob("*")]
    assert verify(night).problems == ()


def test_the_prompt_asks_for_the_document_of_an_edited_mood(night: Path) -> None:
    edit(night, phase__mood=BARGAIN, dice_pool=[])
    process(night, {"user_input": "I go."})
    edit(night, phase__mood=CALM, dice_pool=DICE)
    process(night, {"dm_note": "nothing"})
    with opened(night) as campaign, campaign.reading() as world:
        schema = prompt_of(world, settings_of({}, BUILT_IN.settings)).output_schema
    assert schema is not None
    assert "offers" not in schema["properties"]


def test_an_output_of_the_mood_before_does_not_leave_a_bargain_that_was_edited_in(night: Path) -> None:
    process(night, {"user_input": "I go."})
    edit(night, phase__mood=BARGAIN, dice_pool=[])
    reply = process(night, {"output": {**TOLD, "coin_delta": 5, "continue_scene": False}})
    assert failed(reply) == [("error", "invalid_args")]
    assert crew(night)["phase"]["mood"]["mood"] == "bargain"


def test_an_accepted_aftermath_is_still_judged_as_one(night: Path) -> None:
    edit(night, phase__mood=ECHO)
    process(night, {"user_input": "I go."}, {"tool_calls": [call("accept", accept_transition="On.")]})
    edit(night, tone="tense")
    reply = process(night, {"output": {**TOLD, "cost_description": "a rope"}})
    assert (reply["status"], crew(night)["recent_costs"]) == ("applied", ["a rope"])


def test_a_summary_is_not_awaited_of_no_scene(night: Path) -> None:
    process(night, {"user_input": "I go."}, {"output": {**TOLD, "continue_scene": False}})
    edit(night, closed_scene_id=None)
    assert faults(night) == [("$.closed_scene_id", "stage")]
    assert refused(night) == [("$.closed_scene_id", "stage")]
    edit(night, closed_scene_id="scene-1")
    assert process(night, {"output": SUMMARY})["status"] == "applied"


def test_the_longest_words_of_a_chosen_die_can_be_put_away(night: Path) -> None:
    edit(night, dice_pool=[2])
    process(night, {"user_input": "I go."}, {"tool_calls": [ENGAGE]}, {"tool_calls": [spend(2)]})
    with opened(night) as campaign:
        answer(campaign, 0)
    long = "x" * 4000
    edit(night, pending_outcome__situation=long, pending_outcome__outcomes__0__narrative=long)
    assert process(night, {"tool_calls": [RETREAT]})["status"] == "applied"


def test_nobody_pays_another_price_than_the_one_they_were_shown(night: Path) -> None:
    process(
        night, {"user_input": "I go."}, {"tool_calls": [ENGAGE]}, {"tool_calls": [spend(*crew(night)["dice_pool"])]}
    )
    edit(night, pending_outcome__outcomes__0__stress_cost=4)
    assert refused(night) == [("$.request.payload.dice[0].stress_cost", "offer")]
    edit(night, request__payload__dice__0__stress_cost=4)
    assert faults(night) == []
    with opened(night) as campaign:
        assert answer(campaign, 0)["applied_actions"][0]["result"]["stress_applied"] == 4


def test_all_the_coin_there_can_be_stays(night: Path) -> None:
    edit(night, "characters/character-1.json", coin=2**53 - 1)
    reply = process(night, {"user_input": "I go."}, {"output": {**TOLD, "coin_delta": 5}})
    assert [event["data"]["field"] for event in reply["events"] if event["type"] == "DeltaClamped"] == ["coin"]


# bounds


BOUNDS: dict[str, tuple[str, Json, Json]] = {
    "scene.pool_max": ("crew.json", {"dice_pool": [2, 6, 4]}, {"dice_pool": [2, 6, 4, 1]}),
    "scene.heat_max": ("crew.json", {"heat": 3}, {"heat": 4}),
    "scene.wanted_max": ("crew.json", {"wanted": 3}, {"wanted": 4}),
    "scene.recent_costs_max": ("crew.json", {"recent_costs": [*"abc"]}, {"recent_costs": [*"abcd"]}),
    "scene.unresolved_max": ("crew.json", {"unresolved_threats": [*"abc"]}, {"unresolved_threats": [*"abcd"]}),
    "scene.stress_max": ("characters/character-1.json", {"stress": 3}, {"stress": 4}),
}
"""Bounds, what is at 3 of them, and what is at 4."""


@pytest.mark.parametrize("key", BOUNDS)
def test_a_bound_that_is_lowered_leaves_what_is_there_and_no_edit_raises_it(night: Path, key: str) -> None:
    name, there, more = BOUNDS[key]
    edit(night, name, **there)
    with opened(night) as campaign:
        campaign.set({key: 2})
    assert [(found.rule, found.warning) for found in check_directory(night)] == [("too_much", True)]

    edit(night, tone="tense")
    edit(night, "characters/character-1.json", name="Mira of the roofs")
    assert faults(night) == []
    assert process(night, {"dm_note": "nothing"})["status"] == "empty"

    edit(night, name, **more)
    fault = [(f"$.{next(iter(more))}", "too_much")]
    assert faults(night) == fault
    assert [(found.path, found.rule) for found in verify(night).problems] == fault
    assert refused(night) == fault
    edit(night, name, **there)
    with opened(night) as campaign:
        assert campaign.set({key: 9})["settings"][key] == 9
    assert check_directory(night) == []


def test_what_begins_above_a_bound_is_refused(tmp_path: Path) -> None:
    campaign: Json = {"format": 2, "id": "c", "settings": {"scene": {"heat_max": 2}}}
    for name, value in {"campaign.json": campaign, "crew.json": {"heat": 3}}.items():
        (tmp_path / name).write_text(json.dumps(value))
    there = sorted(tmp_path.iterdir())
    assert faults(tmp_path) == [("$.heat", "too_much")]
    assert sorted(tmp_path.iterdir()) == there
    assert refused(tmp_path) == [("$.heat", "too_much")]
