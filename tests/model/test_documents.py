"""Documents: what they refuse, that they are written as they were read, and that they cannot be changed."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError
from tests.builders import Json, spelt

from turnwright.model.area import Area, Layer, area_number, layer_path
from turnwright.model.base import Model
from turnwright.model.campaign import CampaignDocument
from turnwright.model.character import Character, CharacterState
from turnwright.rulesets.registry import BUILT_IN

AREA: Json = {"id": "area_001", "name": "Hall", "reachable_area_ids": []}
CAMPAIGN: Json = {"format": 2, "id": "c"}


@pytest.mark.parametrize(
    ("path", "model"),
    [
        ("campaign.json", CampaignDocument),
        ("characters/pc_001.json", Character),
        ("characters/~0123456789abcdef.json", Character),
        ("maps/root.json", Layer),
        ("maps/area_001.json", Layer),
        ("maps/.area_001.json", None),
        ("maps/deep/area_001.json", None),
        ("maps/area_001.txt", None),
        ("maps", None),
        ("maps/", None),
        ("turns/a.json", None),
        ("Campaign.json", None),
        ("/campaign.json", None),
    ],
)
def test_a_path_tells_which_model_its_file_has(path: str, model: Any) -> None:
    assert BUILT_IN.documents.model_of(path) is model


BAD: dict[type[Model], list[Json]] = {
    Character: [
        {},
        {"id": ""},
        {"id": "a", "hp": -1},
        {"id": "a", "hp": True},
        {"id": "a", "hp": 1.0},
        {"id": "a", "hp": "1"},
        {"id": "a", "max_hp": 0},
        {"id": "a", "temp_hp": -1},
        {"id": "a", "character_type": "PC"},
        {"id": "a", "character_state": 5},
        {"id": "a", "position": ""},
        {"id": "a", "position": 5},
        {"id": "a", "death_saves": {"failures": 4}},
        {"id": "a", "mood": "grim"},
    ],
    Area: [
        {"id": "a", "name": "b"},
        AREA | {"id": ""},
        AREA | {"name": None},
        AREA | {"parent_area_id": 5},
        AREA | {"reachable_area_ids": [5]},
        AREA | {"reachable_area_ids": "b"},
        AREA | {"colour": "red"},
    ],
    Layer: [{}, {"areas": []}, {"areas": {"a": {}}}, {"areas": {}, "name": "x"}],
    CampaignDocument: [
        {"id": "c"},
        CAMPAIGN | {"format": 0},
        CAMPAIGN | {"format": 3},
        CAMPAIGN | {"format": 3},
        CAMPAIGN | {"format": True},
        CAMPAIGN | {"id": ""},
        CAMPAIGN | {"allowlist": "move"},
        CAMPAIGN | {"settings": []},
        CAMPAIGN | {"settigns": {}},
        CAMPAIGN | {"protocol": {"move_from": "maybe"}},
        CAMPAIGN | {"protocol": {"repeat_window": -1}},
        CAMPAIGN | {"protocol": {"repeat_window": True}},
        CAMPAIGN | {"protocol": {"repeat": 3}},
        CAMPAIGN | {"selected": {"party_character_ids": ["a", "a"]}},
        CAMPAIGN | {"selected": {"party_character_ids": ["a"], "active_actor_id": "b"}},
        CAMPAIGN | {"counters": {"note": -1}},
    ],
}


@pytest.mark.parametrize(("model", "value"), [(model, value) for model, values in BAD.items() for value in values])
def test_a_document_that_does_not_fit_is_refused(model: type[Model], value: Json) -> None:
    with pytest.raises(ValidationError):
        model.model_validate(value)


def test_a_campaign_without_a_protocol_has_the_seeds_contract_and_no_repeats() -> None:
    plain = CampaignDocument(format=2, id="c").contract
    assert (plain.move_from, plain.actor_context, plain.repeat_window) == ("required", "strict_error", 0)
    given = CampaignDocument.model_validate(CAMPAIGN | {"protocol": {}}).contract
    assert (given.move_from, given.actor_context, given.repeat_window) == ("required", "strict_error", 3)


@pytest.mark.parametrize(
    ("stored", "state"),
    [*((state.value, state) for state in CharacterState), ("Alive", None), ("", None), (None, None), ("asleep", None)],
)
def test_a_stored_state_is_one_of_five_exact_names_or_none(stored: str | None, state: CharacterState | None) -> None:
    person = Character(id="a", character_state=stored)
    assert (person.state, person.value()["character_state"]) == (state, stored)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3),
    lambda v: st.lists(v, max_size=2) | st.dictionaries(st.text(max_size=2), v, max_size=2),
    max_leaves=4,
)
EXTRA = st.dictionaries(st.text(max_size=3), JSON, max_size=3)
CHARACTERS = st.fixed_dictionaries(
    {"id": st.text(min_size=1, max_size=5)},
    optional={
        "name": st.text(min_size=1, max_size=4),
        "character_type": st.sampled_from(["pc", "npc", "enemy", "neutral"]),
        "position": st.none() | st.just("area_001"),
        "hp": st.none() | st.integers(0, 9),
        "max_hp": st.none() | st.integers(1, 9),
        "temp_hp": st.integers(1, 9),
        "character_state": st.none() | st.text(max_size=3),
        "death_saves": st.just({"successes": 1, "failures": 2, "stable": False, "dead": False}),
        "inventory": st.just([{"id": "rope", "name": "Rope", "type": "misc", "quantity": 1}]),
        "extra": EXTRA.filter(bool),
    },
)
AREAS = st.dictionaries(
    st.sampled_from(["b", "a", "area_003"]), st.lists(st.sampled_from("xyz"), max_size=3), max_size=3
)


@given(CHARACTERS)
def test_a_character_is_written_as_it_was_read(value: Json) -> None:
    person = Character.model_validate(value)
    written = person.value()
    assert {key: written[key] for key in value} == value
    assert set(written) - set(value) <= {"character_type", "position", "hp", "max_hp", "character_state"}
    assert Character.model_validate(json.loads(json.dumps(written))) == person
    assert person.path == Character.path_of(value["id"])


@given(AREAS, st.none() | st.text(min_size=1, max_size=4), EXTRA)
def test_a_layer_is_written_sorted_and_read_back_the_same(
    areas: dict[str, list[str]], parent: Any, extra: Json
) -> None:
    value = {i: {"id": i, "name": i, "parent_area_id": parent, "reachable_area_ids": areas[i]} for i in areas}
    layer = Layer.model_validate({"parent_area_id": parent, "areas": value, "extra": extra})
    written = layer.value()
    assert list(written["areas"]) == sorted(areas)
    assert spelt(Layer.model_validate(json.loads(json.dumps(written))).value()) == spelt(written)
    assert layer.path == layer_path(parent)
    assert written.get("extra", {}) == extra


def test_a_document_does_not_share_its_parts_with_what_it_was_made_from() -> None:
    value: Json = {"id": "a", "extra": {"list": [1]}}
    person = Character.model_validate(value)
    value["extra"]["list"].append(2)
    value["extra"]["more"] = 1
    person.value()["extra"]["list"].append(3)
    assert person.value()["extra"] == {"list": [1]}


def test_a_document_cannot_be_changed() -> None:
    layer = Layer.model_validate({"areas": {"area_001": AREA}})
    with pytest.raises(ValidationError):
        layer.parent_area_id = "x"  # type: ignore[misc]
    with pytest.raises(TypeError):
        layer.areas["b"] = layer.areas["area_001"]  # type: ignore[index]
    with pytest.raises(ValidationError):
        Character(id="a").replace(hp=-1)


@pytest.mark.parametrize(
    ("area_id", "number"),
    [
        ("area_001", 1),
        ("area_0", 0),
        ("area_1000", 1000),
        ("area_00000000012", 12),
        ("area_" + "9" * 100, 10**100 - 1),
        ("area_" + "9" * 101, None),
        ("area_", None),
        ("area_1a", None),
        ("Area_1", None),
        ("area_-1", None),
        ("area_1\n", None),
        ("area_²", None),
        ("area_٣", None),
        ("xarea_1", None),
    ],
)
def test_only_ascii_digits_make_a_number(area_id: str, number: int | None) -> None:
    assert area_number(area_id) == number
