"""What is asked for: exactly what would be taken."""

from __future__ import annotations

import pytest
from jsonschema import Draft202012Validator
from tests.dm.city import BREAK_IN, DUE, EVERYTHING, prompt, shown, values

from turnwright.dm.schema import schema_for
from turnwright.model.mood import MOODS as MOOD_NAMES
from turnwright.scenes.moods import TOOLS_OF_MOOD
from turnwright.scenes.turn_output import MASK, TurnOutput, fields_of


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
    Draft202012Validator.check_schema(schema)
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


def test_an_output_is_asked_for_by_the_mood_in_which_its_segment_began() -> None:
    city = values("encounter")
    city["crew.json"]["awaiting"]["mood"] = "aftermath"
    given = prompt(city)
    assert given.voice == "weaver"
    assert given.tools == TOOLS_OF_MOOD["scene"]
    assert given.output_schema is not None
    assert "stress_delta" in given.output_schema["properties"]


def test_a_clock_that_does_not_force_anybody_is_shown_as_breaking_in() -> None:
    assert "It will not be shown again." in prompt(values("encounter", pending_interrupt=BREAK_IN)).system
    forcing = prompt(values("risky", pending_interrupt={**BREAK_IN, "forces_action": True})).system
    assert "let it be heard coming" in forcing
    assert "They come." not in prompt(values("breaking", pending_interrupt=BREAK_IN)).system


def test_no_prompt_is_longer_than_it_has_to_be() -> None:
    """With this small world in it, each stays below 2,000 tokens, counted as characters / 4."""
    assert [name for name in EVERYTHING if len(shown(name).system) // 4 >= 2000] == []
