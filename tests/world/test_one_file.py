"""Campaigns in one file: both published shapes, what is repaired, and that nothing is lost."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwright.campaign.legacy_import import ImportFault, import_one_file
from turnwright.model.campaign import CAMPAIGN_PATH
from turnwright.rulesets.registry import BUILT_IN
from turnwright.store.documents import document_from

Json = Any
NOW = "2026-01-14T16:05:31+00:00"


def stage3(**changes: Any) -> Json:
    """Return a campaign of the Stage 3 document's own shape that needs no repair."""
    areas = {
        "area_001": {"id": "area_001", "name": "Hall", "parent_area_id": None, "reachable_area_ids": ["area_002"]},
        "area_002": {"id": "area_002", "name": "Yard", "parent_area_id": None, "reachable_area_ids": []},
        "area_003": {"id": "area_003", "name": "Well", "parent_area_id": "area_002", "reachable_area_ids": []},
    }
    return {
        "id": "camp_001",
        "selected": {
            "world_id": "w",
            "map_id": "m",
            "party_character_ids": ["pc_001"],
            "active_actor_id": "pc_001",
        },
        "settings_snapshot": {"rules": {"hp_zero_ends_game": False}, "rollback.max_checkpoints": 3},
        "settings_revision": 4,
        "allowlist": ["move"],
        "map": {"areas": areas, "connections": [{"from_area_id": "area_001", "to_area_id": "area_002"}]},
        "positions": {"pc_001": "area_001", "npc_001": "area_002"},
        "state": {"positions": {}, "positions_parent": {}, "positions_child": {"pc_001": None}},
        "hp": {"pc_001": 7, "npc_001": 3},
        "character_states": {"pc_001": "alive", "npc_001": "restrained_permanent"},
        "goal": {"text": "Out!", "status": "active"},
        "milestone": {"current": "intro", "last_advanced_turn": 0},
        "created_at": "2026-01-01T00:00:00+00:00",
    } | changes


def imported(value: Json) -> tuple[dict[str, Json], list[str]]:
    """Return the documents of an import as they are written, each accepted by its model."""
    documents, repairs = import_one_file(value, NOW)
    written = {}
    for path, item in documents.items():
        document, problems = document_from(path, item, BUILT_IN.documents)
        assert document is not None, problems
        written[path] = document.value()
    return written, repairs


def test_a_stage_3_campaign_is_read_without_repair_and_each_part_has_its_place() -> None:
    documents, repairs = imported(stage3())
    assert repairs == []
    assert sorted(documents) == [
        CAMPAIGN_PATH,
        "characters/npc_001.json",
        "characters/pc_001.json",
        "maps/area_002.json",
        "maps/root.json",
    ]
    campaign = documents[CAMPAIGN_PATH]
    assert campaign["id"] == "camp_001"
    assert campaign["allowlist"] == ["move"]
    assert campaign["settings"] == {"rules": {"hp_zero_ends_game": False}}
    assert campaign["settings_revision"] == 4
    assert campaign["goal"] == {"text": "Out!", "status": "active"}
    assert campaign["created_at"] == "2026-01-01T00:00:00+00:00"
    assert campaign["extra"] == {"settings_snapshot": {"rollback.max_checkpoints": 3}}
    npc = documents["characters/npc_001.json"]
    assert (npc["position"], npc["hp"], npc["character_state"]) == ("area_002", 3, "restrained_permanent")
    assert npc["max_hp"] is None
    assert list(documents["maps/area_002.json"]["areas"]) == ["area_003"]


def test_an_absent_allowlist_is_the_default_and_an_empty_one_allows_nothing() -> None:
    without = stage3()
    del without["allowlist"]
    assert imported(without)[0][CAMPAIGN_PATH]["allowlist"] == ["move", "hp_delta", "map_generate"]
    assert imported(stage3(allowlist=[]))[0][CAMPAIGN_PATH]["allowlist"] == []


def test_a_map_without_areas_gets_the_starter_areas() -> None:
    documents, repairs = imported(stage3(map={}))
    areas = documents["maps/root.json"]["areas"]
    assert {i: areas[i]["reachable_area_ids"] for i in areas} == {"area_001": ["area_002"], "area_002": []}
    assert len(repairs) == 1


def test_a_party_member_who_lacks_everything_is_completed_and_each_repair_is_named() -> None:
    documents, repairs = imported(stage3(positions={}, hp={}, character_states={}))
    person = documents["characters/pc_001.json"]
    assert (person["position"], person["hp"], person["character_state"]) == ("area_001", 10, "alive")
    assert len(repairs) == 3


def test_somebody_outside_the_party_is_not_completed() -> None:
    documents, repairs = imported(stage3(hp={"pc_001": 1, "npc_002": 2}))
    person = documents["characters/npc_002.json"]
    assert (person["position"], person["hp"], person["character_state"]) == (None, 2, None)
    assert documents["characters/npc_001.json"]["hp"] is None
    assert repairs == []


@pytest.mark.parametrize(("given", "kept"), [(-5, 0), (0, 0), ("7", 10), (True, 10), (1.0, 10)])
def test_hit_points_below_zero_become_zero_and_what_is_no_integer_becomes_ten(given: Any, kept: int) -> None:
    documents, repairs = imported(stage3(hp={"pc_001": given}))
    assert documents["characters/pc_001.json"]["hp"] == kept
    assert len(repairs) == (0 if given == 0 and given is not False else 1)


def test_old_areas_get_their_links_from_the_connections_sorted_and_only_if_they_have_none() -> None:
    links = [("a", "c"), ("a", "b"), ("a", "c"), ("b", "a")]
    areas = {
        "a": {"id": "a", "name": "A", "parent_area_id": None},
        "b": {"id": "b", "name": "B", "parent_area_id": None, "reachable_area_ids": ["c"]},
        "c": {"id": "c", "name": "C", "parent_area_id": None},
    }
    connections = [{"from_area_id": start, "to_area_id": end} for start, end in links]
    value = stage3(map={"areas": areas, "connections": connections}, positions={"pc_001": "a"})
    layer = imported(value)[0]["maps/root.json"]["areas"]
    assert {i: layer[i]["reachable_area_ids"] for i in layer} == {"a": ["b", "c"], "b": ["c"], "c": []}


def test_the_later_shapes_actors_are_read_with_inventory_and_meta() -> None:
    actors = {
        "pc_001": {
            "position": "area_001",
            "hp": -2,
            "character_state": "dying",
            "inventory": {" rope ": 2, "": 4, "coin": 0, "lamp": True, "rope": 1, "key": 1},
            "meta": {"mood": "grim"},
        },
        "npc_001": {"position": "the moon", "hp": 4, "character_state": "alive", "inventory": {}, "meta": {}},
    }
    documents, _ = imported(stage3(actors=actors, positions={}, hp={}, character_states={}))
    person = documents["characters/pc_001.json"]
    assert (person["hp"], person["character_state"]) == (0, "dying")
    assert [(item["id"], item["type"], item["quantity"]) for item in person["inventory"]] == [
        ("key", "misc", 1),
        ("rope", "misc", 3),
    ]
    assert person["extra"] == {"inventory": actors["pc_001"]["inventory"], "meta": {"mood": "grim"}}
    assert documents["characters/npc_001.json"]["position"] is None


@pytest.mark.parametrize(("given", "kept"), [(True, "retry"), (False, None)])
def test_the_peers_text_check_becomes_the_retry_protocol(given: bool, kept: str | None) -> None:
    value = stage3(settings_snapshot={"dialog": {"conflict_text_checks_enabled": given}})
    settings = imported(value)[0][CAMPAIGN_PATH]["settings"]
    assert settings == ({"narration": {"check": kept}} if kept else {})


EXTRA_KEYS = st.sampled_from(["notes", "counters", "protocol", "title", "x_y", "é", "extra"])
JSON = st.recursive(st.none() | st.booleans() | st.integers() | st.text(), lambda inner: st.lists(inner, max_size=2))


@given(st.dictionaries(EXTRA_KEYS, JSON, max_size=4))
def test_any_other_key_is_kept_verbatim(more: Json) -> None:
    assert imported(stage3(**more) | {"settings_snapshot": {}})[0][CAMPAIGN_PATH].get("extra", {}) == more


def test_the_file_of_a_campaign_that_is_a_directory_is_no_campaign_in_one_file() -> None:
    with pytest.raises(ImportFault, match="turnwright fork"):
        import_one_file({"format": 2, "id": "camp_001", "allowlist": ["move"]}, NOW)
    assert imported(stage3(format="x", settings_snapshot={}))[0][CAMPAIGN_PATH]["extra"] == {"format": "x"}


def test_unknown_keys_inside_the_parts_are_kept_too() -> None:
    value = stage3(settings_snapshot={})
    value["selected"]["region"] = "north"
    value["goal"]["hint"] = "under the well"
    value["milestone"]["mood"] = 1
    value["map"]["scale"] = "1:100"
    value["map"]["areas"]["area_001"]["smell"] = "damp"
    value["state"]["weather"] = "rain"
    documents, _ = imported(value)
    assert documents[CAMPAIGN_PATH]["extra"] == {
        "selected": {"region": "north"},
        "goal": {"hint": "under the well"},
        "milestone": {"mood": 1},
        "map": {"scale": "1:100"},
        "state": {"weather": "rain"},
    }
    assert documents["maps/root.json"]["areas"]["area_001"]["extra"] == {"smell": "damp"}


def test_an_import_leaves_what_it_is_given_alone() -> None:
    value = stage3(actors={"pc_001": {"hp": -1}}, extra={"a": 1})
    before = copy.deepcopy(value)
    import_one_file(value, NOW)
    assert json.dumps(value) == json.dumps(before)
