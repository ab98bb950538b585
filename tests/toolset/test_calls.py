"""What comes back from a list: `call_tool`, whole turns, names for ids."""

from __future__ import annotations

from typing import Any

import pytest
from tests.builders import PEOPLE, area, begin, documents, person
from tests.tools.hall import fight, hall_documents, linked

from turnwright import Campaign
from turnwright.toolset.calls import call_of, completed_args, turn_of
from turnwright.toolset.role import Role

AREAS = [area("area_001", "area_002") | {"name": "Hall"}, area("area_002", "area_001") | {"name": "Old Yard"}]


@pytest.fixture(scope="module")
def fighting(tmp_path_factory: pytest.TempPathFactory) -> Campaign:
    values = hall_documents() | fight(linked("cyra", 0, 0), linked("grik", 1, 0))
    return begin(tmp_path_factory.mktemp("calls") / "c", values)


def test_a_call_is_taken_out_of_call_tool() -> None:
    wrapped = {"name": "move", "arguments": {"to_area_id": "mill"}}
    assert call_of("call_tool", wrapped) == ("move", {"to_area_id": "mill"})
    assert call_of("call_tool", '{"tool": "move", "args": {"a": 1}}') == ("move", {"a": 1})
    assert call_of("call_tool", {"name": "call_tool", "arguments": wrapped}) == ("move", {"to_area_id": "mill"})
    assert call_of("move", {"name": "x"}) == ("move", {"name": "x"})


@pytest.mark.parametrize("args", [None, [], "{", "no json", {"name": 1}, {}, 7])
def test_a_call_of_no_tool_stays_what_it_is(args: Any) -> None:
    assert call_of("call_tool", args) == ("call_tool", args)


def test_a_nest_of_calls_has_an_end() -> None:
    args: Any = {}
    for _ in range(100):
        args = {"name": "call_tool", "arguments": args}
    assert call_of("call_tool", args).tool == "call_tool"


def test_a_turn_is_handed_in_whole() -> None:
    calls: list[Any] = [
        {"tool": "call_tool", "args": {"name": "move", "arguments": {"to": 1}}},
        {"id": "x", "tool": "choose"},
        3,
    ]
    turn = turn_of({"user_input": "Go!", "narration": "They go.", "tool_calls": calls, "atomic": True})
    assert turn == {
        "user_input": "Go!",
        "assistant_text": "They go.",
        "atomic": True,
        "tool_calls": [
            {"id": "call_001", "tool": "move", "args": {"to": 1}},
            {"id": "x", "tool": "choose", "args": {}},
            3,
        ],
    }


def completed(campaign: Campaign, tool: str, args: Any, authority: str = "gm") -> Any:
    with campaign.reading() as world:
        return completed_args(world, tool, args, Role(authority))


def test_names_stand_for_ids_and_what_can_be_one_thing_only_is_filled_in(fighting: Campaign) -> None:
    asked = {"actor_id": "Cyra", "action_type": "attack", "target_id": "Grik"}
    assert completed(fighting, "execute_action", asked) == {
        "encounter_id": "encounter-1",
        "actor_id": "cyra",
        "action_type": "attack",
        "target_id": "grik",
    }
    assert completed(fighting, "advance_turn", {}) == {"encounter_id": "encounter-1"}
    items = {"batch": [{"actor_id": "Cyra", "action_type": "dodge"}, 5]}
    assert completed(fighting, "execute_action", items) == {
        "encounter_id": "encounter-1",
        "batch": [{"actor_id": "cyra", "action_type": "dodge"}, 5],
    }


def test_what_is_given_stays_unless_it_is_a_name(fighting: Campaign) -> None:
    assert completed(fighting, "advance_turn", {"encounter_id": "another"}) == {"encounter_id": "another"}
    for name in ("Nobody Here", "Cyrra", "aria_3"):
        assert completed(fighting, "roll_check", {"character_id": name}) == {"character_id": name}
    assert completed(fighting, "no_such_tool", {"character_id": "Aria"}) == {"character_id": "Aria"}
    assert completed(fighting, "roll_check", "text") == "text"


def test_the_way_of_a_step_is_filled_in(tmp_path_factory: pytest.TempPathFactory) -> None:
    campaign = begin(tmp_path_factory.mktemp("step") / "c", documents(PEOPLE, AREAS))
    whole = {"actor_id": "pc_001", "from_area_id": "area_001", "to_area_id": "area_002"}
    assert completed(campaign, "move", {"to_area_id": "old yard"}) == whole
    assert completed(campaign, "move", {"to_area_id": "old yard"}, "player:pc_001") == whole
    delta = {"target_character_id": "Mira", "delta": -1, "cause": "a stone"}
    assert completed(campaign, "hp_delta", delta) == {**delta, "target_character_id": "pc_001"}


def test_a_name_of_two_is_left_to_the_engine(tmp_path_factory: pytest.TempPathFactory) -> None:
    twins = [person("npc_001", name="Odo", position="area_001"), person("npc_002", name="Odo", position="area_001")]
    campaign = begin(tmp_path_factory.mktemp("twins") / "c", documents([*PEOPLE, *twins], AREAS))
    assert completed(campaign, "hp_delta", {"target_character_id": "Odo"}) == {"target_character_id": "Odo"}
