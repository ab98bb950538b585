"""The settings registry: what each setting takes, and the patch that is all or nothing."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwright.model.settings import Rows, Settings, SettingsFault, patched, settings_faults, settings_of
from turnwright.rulesets.registry import BUILT_IN

REGISTRY = BUILT_IN.settings
NEVER: list[Any] = [None, 1.0, {}, {"a": 1}, float("nan")]
GOOD: dict[str, list[Any]] = {
    "agents.context_tokens": [256, 6000],
    "agents.individual_npcs": [[], ["npc_001"]],
    "agents.larger_model": ["", "openai:big"],
    "agents.narrative.temperature": [0, 0.8, 2.0],
    "agents.session_cost": [0.0, 2.5],
    "dialog.strict_semantic_guard": [True, False],
    "lifecycle.enabled": [True, False],
    "limits.calls": [1, 64, 1024],
    "limits.turn_bytes": [1024, 1_048_576],
    "limits.turn_depth": [8, 32, 64],
    "narration.check": ["off", "log", "note", "retry"],
    "players.tools": [[], ["move"], ["move", "anything"]],
    "results.keep": [1, 500],
    "rules.hp_zero_ends_game": [True, False],
    "rules.improvised_base_dc": [1, 12, 30],
    "rules.improvised_dc_per_two_levels": [0, 3, 20],
    "rules.improvised_mishap_die": [2, 6, 100],
    "rules.improvised_mishap_margin": [1, 10, 30],
    "rules.improvised_strong_margin": [1, 10, 30],
    "suggestions.enabled": [True, False],
    "suggestions.max": [1, 8],
    "suggestions.min_confidence": [0, 0.45, 1],
    "suggestions.party_history": ["all", "since_join"],
}
BAD: dict[str, list[Any]] = {
    "agents.context_tokens": [True, 255, "6000"],
    "agents.individual_npcs": ["npc_001", [1]],
    "agents.larger_model": [5, ["x"]],
    "agents.narrative.temperature": [True, -0.1, 2.1, "0.8"],
    "agents.session_cost": [-0.5, "1"],
    "dialog.strict_semantic_guard": [0, 1, "true", ""],
    "lifecycle.enabled": [0, 1, "false"],
    "limits.calls": [True, 0, -1, 1025, "64"],
    "limits.turn_bytes": [True, 0, 1023, 2**53],
    "limits.turn_depth": [True, 7, 65, "32"],
    "narration.check": ["", "Log", " log", 1, True],
    "players.tools": ["move", [5], [""], [None], ("move",)],
    "results.keep": [False, 0, "500"],
    "rules.hp_zero_ends_game": [0, 1, "on"],
    "rules.improvised_base_dc": [True, 0, 31, "12"],
    "rules.improvised_dc_per_two_levels": [False, -1, 21],
    "rules.improvised_mishap_die": [True, 0, 1, 101, "1d6"],
    "rules.improvised_mishap_margin": [True, 0, 31],
    "rules.improvised_strong_margin": [True, 0, 31],
    "suggestions.enabled": [0, "yes"],
    "suggestions.max": [0, 9, 2.5],
    "suggestions.min_confidence": [-0.1, 1.1, True],
    "suggestions.party_history": ["none", True],
}


def never(key: str) -> list[Any]:
    """Return what no setting of this kind takes; a number may be 1.0, an integer may not."""
    return [value for value in NEVER if not (value == 1.0 and isinstance(REGISTRY[key].default, float))]


KNOWN = {key for key in REGISTRY if key in GOOD}


def test_the_registry_holds_what_these_tests_speak_of() -> None:
    assert set(GOOD) <= set(REGISTRY)
    assert set(GOOD) == set(BAD)
    assert [key for key in REGISTRY if REGISTRY[key].fault(REGISTRY[key].default)] == []
    assert [key for key in REGISTRY if not REGISTRY[key].hint or "." not in key] == []


@pytest.mark.parametrize("key", GOOD)
def test_a_setting_takes_what_fits(key: str) -> None:
    assert [value for value in GOOD[key] if REGISTRY[key].fault(value) is not None] == []


@pytest.mark.parametrize("key", BAD)
def test_a_setting_refuses_what_does_not_and_a_boolean_is_no_integer(key: str) -> None:
    assert [value for value in [*BAD[key], *never(key)] if not REGISTRY[key].fault(value)] == []


PATCHES = st.lists(
    st.one_of(*(st.tuples(st.just(key), st.sampled_from(GOOD[key])) for key in sorted(KNOWN))),
    max_size=5,
    unique_by=lambda pair: pair[0],
).map(dict)
SPOILS = st.one_of(
    *(st.tuples(st.just(key), st.sampled_from(BAD[key])) for key in sorted(KNOWN)),
    st.tuples(st.sampled_from(["limits", "limits.", ".calls", "limits.cals", "", "extra.key"]), st.just(1)),
)


def flattened(nested: dict[str, Any], prefix: str = "") -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for name, value in nested.items():
        flat |= flattened(value, f"{prefix}{name}.") if isinstance(value, dict) else {prefix + name: value}
    return flat


@given(st.lists(PATCHES, max_size=5))
def test_patches_add_up_and_only_differences_from_the_defaults_are_stored(patches: list[dict[str, Any]]) -> None:
    nested: Mapping[str, Any] = {}
    model = {key: row.default for key, row in REGISTRY.items()}
    for patch in patches:
        before = copy.deepcopy(nested)
        result, changed = patched(nested, patch, REGISTRY)
        assert nested == before, "the settings given were changed in place"
        assert changed == [key for key in patch if patch[key] != model[key]]
        nested, model = result, model | patch
        assert settings_of(nested, REGISTRY).in_force() == model
        assert settings_faults(nested, REGISTRY) == []
        assert flattened(dict(nested)) == {key: value for key, value in model.items() if value != REGISTRY[key].default}


@given(PATCHES, PATCHES, SPOILS, st.integers(0, 5))
def test_one_bad_key_spoils_the_patch_and_is_named(
    first: dict[str, Any], patch: dict[str, Any], spoil: tuple[str, Any], place: int
) -> None:
    nested, _ = patched({}, first, REGISTRY)
    before = copy.deepcopy(nested)
    pairs = [pair for pair in patch.items() if pair[0] != spoil[0]]
    pairs.insert(place, spoil)
    with pytest.raises(SettingsFault) as raised:
        patched(nested, dict(pairs), REGISTRY)
    assert [key for key, _ in raised.value.faults] == [spoil[0]]
    assert nested == before


def test_a_stored_setting_that_is_bad_spoils_every_patch() -> None:
    with pytest.raises(SettingsFault) as raised:
        patched({"limits": {"calls": True}}, {"results.keep": 7}, REGISTRY)
    assert [key for key, _ in raised.value.faults] == ["limits.calls"]


@pytest.mark.parametrize(
    ("nested", "keys"),
    [
        ({"limits": {"calls": 0}, "rules": {"hp_zero_ends_game": 1}}, ["limits.calls", "rules.hp_zero_ends_game"]),
        ({"limits": 5}, ["limits"]),
        ({"limits": {"cals": 5}}, ["limits.cals"]),
        ({"limits.calls": 5}, []),
        ({"limits": {}, "agents": {"combat": {}}}, []),
        ({"narration": {"chek": {}}}, ["narration.chek"]),
        ({"bogus": {}, "agents": {"bard": {}}}, ["bogus", "agents.bard"]),
        ({"results": {"keep": {}}, "players": {"tools": {}}}, ["results.keep", "players.tools"]),
        ({"results": {"keep": 3}, "results.keep": 1}, ["results.keep"]),
        ({}, []),
    ],
)
def test_faults_of_stored_settings_are_told_by_dotted_key(nested: dict[str, Any], keys: list[str]) -> None:
    assert [key for key, _ in settings_faults(nested, REGISTRY)] == keys


def test_what_is_not_stored_is_the_default() -> None:
    settings = Settings({"limits": {"calls": 9}}, REGISTRY)
    assert (settings["limits.calls"], settings["limits.turn_depth"]) == (9, 32)


def test_rows_of_a_ruleset_are_loaded_when_one_of_them_is_asked_for() -> None:
    rows = Rows(["no_such_module:ROWS"])
    settings = settings_of({"limits": {"calls": 9}, "narration": {}}, rows)
    assert (settings["limits.calls"], settings["narration.check"]) == (9, "log")
    with pytest.raises(ModuleNotFoundError):
        settings["scene.pool_max"]


def test_what_a_campaign_changes_of_a_ruleset_is_in_force_and_the_rest_is_the_default() -> None:
    settings = settings_of({"scene": {"pool_max": 4}}, REGISTRY)
    assert (settings["scene.pool_max"], settings["scene.pool_start"]) == (4, 5)
    assert settings.in_force()["rules.improvised_base_dc"] == 12
