"""`state_summary`: whole up to 200 characters, and beyond that the party and whoever the turn touched."""

from __future__ import annotations

import pytest

from turnwright.model.base import Document
from turnwright.model.campaign import CAMPAIGN_PATH, CampaignDocument, Selected
from turnwright.model.character import Character
from turnwright.model.state.overlay import InMemorySource, World
from turnwright.rulesets.core.summary import FULL_UP_TO, state_summary


def world_of(*people: Character, party: tuple[str, ...] = ("pc_1",)) -> World:
    campaign = CampaignDocument(format=2, id="c", selected=Selected(party_character_ids=party))
    documents: dict[str, Document] = {CAMPAIGN_PATH: campaign}
    return World(InMemorySource(documents | {person.path: person for person in people}))


def crowd(size: int) -> list[Character]:
    party = [Character(id="pc_1", hp=3, position="area_001")]
    return [*party, *(Character(id=f"npc_{number:03d}", hp=number) for number in range(1, size))]


def test_the_maps_of_the_summary_say_where_everybody_is_and_how_they_fare() -> None:
    world = world_of(
        Character(id="pc_1", position="area_001", hp=3),
        Character(id="npc_1", position=None, hp=None, character_state=None),
        Character(id="npc_2", position="area_002", hp=0, character_state="unknown to us"),
    )
    assert state_summary(world, "pc_1") == {
        "active_actor_id": "pc_1",
        "positions": {"npc_1": None, "npc_2": "area_002", "pc_1": "area_001"},
        "positions_parent": {"npc_1": None, "npc_2": "area_002", "pc_1": "area_001"},
        "positions_child": {"pc_1": None},
        "hp": {"npc_2": 0, "pc_1": 3},
        "character_states": {"npc_2": "unknown to us", "pc_1": "alive"},
    }


@pytest.mark.parametrize("size", [1, FULL_UP_TO])
def test_up_to_two_hundred_characters_the_maps_are_full(size: int) -> None:
    summary = state_summary(world_of(*crowd(size)), None)
    assert len(summary["positions"]) == len(summary["hp"]) == len(summary["character_states"]) == size
    assert "partial" not in summary


def test_beyond_two_hundred_characters_only_party_and_touched_are_named() -> None:
    world = world_of(*crowd(FULL_UP_TO + 1))
    touched = ["characters/npc_007.json", "maps/root.json", "campaign.json", "characters/gone.json"]
    summary = state_summary(world, "pc_1", touched)
    assert summary["partial"] is True
    assert summary["hp"] == {"npc_007": 7, "pc_1": 3}
    assert list(summary["positions"]) == list(summary["character_states"]) == ["npc_007", "pc_1"]


def test_a_character_that_came_in_this_turn_can_tip_the_summary_over() -> None:
    world = world_of(*crowd(FULL_UP_TO))
    fresh = Character(id="npc_new", hp=1)
    world.put(fresh)
    assert state_summary(world, None, [fresh.path])["hp"] == {"npc_new": 1, "pc_1": 3}


def test_the_summary_is_in_the_order_of_ids_even_under_hashed_names() -> None:
    world = world_of(Character(id="Ćuk", hp=1), Character(id="zoe", hp=1), Character(id="Anna", hp=1), party=())
    assert list(state_summary(world, None)["hp"]) == ["Anna", "zoe", "Ćuk"]
