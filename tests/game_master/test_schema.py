"""What is asked for: exactly what would be taken."""

from __future__ import annotations

import pytest
from jsonschema import Draft202012Validator
from tests.cached_fixtures import require_a_schema
from tests.game_master.city import BREAK_IN, DUE, EVERYTHING, MOODS, accepted, between, prompt, shown, values

from turnwright.game_master.prompts.output_schema import schema_for
from turnwright.model.mood import MOODS as MOOD_NAMES
from turnwright.protocol.stage0_prepare.prepare import args_schema
from turnwright.rulesets.scenes.moods import TOOLS_OF_MOOD
from turnwright.rulesets.scenes.turn_output import MASK, TurnOutput, fields_of
from turnwright.rulesets.toolbox import TOOLS


@pytest.mark.parametrize("mood", [mood for mood in MOOD_NAMES if mood != "bargain"])
def test_the_schema_of_a_mood_has_exactly_the_fields_and_numbers_of_its_mask(mood: str) -> None:
    schema = schema_for("dm_turn", mood)  # type: ignore[arg-type]
    assert schema is not None
    assert list(schema["properties"]) == fields_of(mood)  # type: ignore[arg-type]
    for name, span in MASK[mood].items():  # type: ignore[index]
        if name in schema["properties"]:
            node = schema["properties"][name]
            assert (node["minimum"], node["maximum"]) == span


@pytest.mark.parametrize("name", [name for name in EVERYTHING if not name.startswith("waiting")])
def test_every_schema_is_sound_and_refers_to_all_it_defines(name: str) -> None:
    schema = shown(name).output_schema
    assert schema is not None
    require_a_schema(schema)
    text = str(schema)
    assert [one for one in schema.get("$defs", {}) if f"#/$defs/{one}'" not in text] == []


def test_who_breaks_must_be_given_a_scar() -> None:
    schema = prompt(values("breaking")).output_schema
    assert schema is not None
    assert schema["required"] == ["narration", "trauma_assigned"]
    valid = Draft202012Validator(schema).is_valid
    assert valid({"narration": "x", "trauma_assigned": "cold"})
    assert not valid({"narration": "x", "trauma_assigned": None})
    assert not valid({"narration": "x"})


def test_the_schema_names_the_clocks_and_threats_there_are() -> None:
    schema = prompt(values("costly")).output_schema
    assert schema is not None
    valid = Draft202012Validator(schema).is_valid
    assert valid({"narration": "x", "clock_ticks": [{"clock_id": "the-cold", "ticks": 1}]})
    assert not valid({"narration": "x", "clock_ticks": [{"clock_id": "old-debt", "ticks": 1}]})
    assert valid({"narration": "x", "threats_resolved": ["the gate is closed for a count"]})
    assert not valid({"narration": "x", "threats_resolved": ["another"]})


def test_consequences_that_are_due_are_told_and_asked_for() -> None:
    given = prompt(values("encounter", pending_consequences=[DUE]))
    assert given.output_schema is not None
    assert '- "An old debt", id "c-1", threat:\n> They come.' in given.system
    valid = Draft202012Validator(given.output_schema).is_valid
    assert valid({"narration": "x", "consequence_effects": [{"consequence_id": "c-1", "note": "it passes"}]})
    assert not valid({"narration": "x"})
    assert not valid({"narration": "x", "consequence_effects": []})
    assert not valid({"narration": "x", "consequence_effects": [{"consequence_id": "c-2"}]})


def test_without_consequences_there_is_no_field_for_them() -> None:
    schema = prompt(values("encounter")).output_schema
    assert schema is not None
    assert "consequence_effects" not in schema["properties"]
    assert "consequence_effects" in TurnOutput.model_fields


@pytest.mark.parametrize("variant", [name for name, mood in MOODS.items() if mood["mood"] == "aftermath"])
def test_an_accepted_aftermath_asks_for_its_output_and_for_nothing_else(variant: str) -> None:
    before, given = prompt(values(variant)), prompt(accepted(variant))
    assert given.voice == "echo"
    assert given.tools == TOOLS_OF_MOOD["scene"]
    assert given.output_schema == before.output_schema
    deed = before.system.partition("## The deed")[2]
    assert given.system.endswith(f"## The deed{deed}")
    assert "> The shift carries you out." in given.system


def test_a_clock_that_does_not_force_anybody_is_shown_as_breaking_in() -> None:
    assert "It will not be shown again." in prompt(values("encounter", pending_interrupt=BREAK_IN)).system
    forcing = prompt(values("risky", pending_interrupt={**BREAK_IN, "forces_action": True})).system
    assert "let it be heard coming" in forcing
    assert "They come." not in prompt(values("breaking", pending_interrupt=BREAK_IN)).system


@pytest.mark.parametrize("forces", [True, False])
def test_the_opener_is_told_whether_what_breaks_in_forces_itself_on_them(forces: bool) -> None:
    city = between("dm_scene_init", "scene_init")
    city["crew.json"]["pending_interrupt"] = {**BREAK_IN, "forces_action": forces}
    system = prompt(city).system
    assert "> They come." in system
    assert ("It forces itself on them" in system) is forces


def test_a_schema_has_no_room_for_more_than_is_taken() -> None:
    city = values("encounter")
    city["campaign.json"]["settings"] = {"scene": {"suggestions_max": 3}}
    schema = prompt(city).output_schema
    assert schema is not None
    valid = Draft202012Validator(schema).is_valid
    assert valid({"narration": "x", "suggested_actions": ["a", "b", "c"]})
    assert not valid({"narration": "x", "suggested_actions": ["a", "b", "c", "d"]})
    schema = prompt(values("bargaining")).output_schema
    assert schema is not None
    assert schema["$defs"]["PassOutPlan"]["properties"]["clocks_to_advance"]["maxItems"] == 2
    amount = args_schema(TOOLS["accept_bargain"])["properties"]["bargain_cost_amount"]
    assert (amount["minimum"], amount["maximum"]) == (1, 3)


def test_no_prompt_is_longer_than_it_has_to_be() -> None:
    """With this small world in it, each stays below 2,000 tokens, counted as characters / 4."""
    assert [name for name in EVERYTHING if len(shown(name).system) // 4 >= 2000] == []
