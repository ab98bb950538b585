"""`find_tool`: what a short list leaves out, and nothing that the role may not call."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.builders import begin
from tests.tools.hall import hall_documents

from turnwright import BadRequest, Campaign
from turnwright.rulesets.argument_schema import is_given_dice
from turnwright.toolset.find import MAX_FOUND, find_tool
from turnwright.toolset.role import Role


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Campaign:
    return begin(tmp_path_factory.mktemp("find") / "c", hall_documents())


def found(campaign: Campaign, query: str, role: Role = Role()) -> list[str]:  # noqa: B008 - frozen
    with campaign.reading() as world:
        return [tool["name"] for tool in find_tool(world, query, role)["tools"]]


@pytest.mark.parametrize(
    ("query", "best"),
    [
        ("give a sword to somebody", "manage_inventory"),
        ("put up a wall", "modify_terrain"),
        ("rest for the night", "take_rest"),
        ("begin a fight", "create_encounter"),
        ("start a fight", "create_encounter"),
        ("begin combat", "create_encounter"),
        ("start a battle", "create_encounter"),
        ("attack", "execute_action"),
        ("kill the goblin", "execute_action"),
        ("heal", "hp_delta"),
        ("someone is poisoned", "manage_condition"),
        ("pick up an item", "manage_inventory"),
        ("make a place", "manage_location"),
        ("complete a quest", "manage_quest"),
        ("remember a note", "manage_notes"),
        ("cone of fire: which squares", "calculate_aoe"),
        ("manage_inventory", "manage_inventory"),
        ("Manage Inventory", "manage_inventory"),
        ("manage_inventry", "manage_inventory"),
        ("apply_damage", "update_character"),
    ],
)
def test_the_best_tool_comes_first(hall: Campaign, query: str, best: str) -> None:
    assert found(hall, query)[0] == best


@pytest.mark.parametrize("query", ["", "   ", "the and for", "xyzzy", "\x00", "ß" * 5000])
def test_words_that_name_nothing_find_nothing_and_list_all(hall: Campaign, query: str) -> None:
    with hall.reading() as world:
        answer = find_tool(world, query)
        assert answer["tools"] == []
        assert answer["others"] == [name for name in answer["others"] if name in world.campaign.allowlist]
        assert len(answer["others"]) > 30


def test_a_tool_is_found_whole(hall: Campaign) -> None:
    with hall.reading() as world:
        tool = find_tool(world, "execute_action")["tools"][0]
    assert "(`action_cost: reaction`)" in tool["description"]
    assert "description" in tool["input_schema"]["properties"]["shove_direction"]
    assert not any(map(is_given_dice, tool["input_schema"]["properties"]))


def test_no_more_are_found_than_asked_for(hall: Campaign) -> None:
    with hall.reading() as world:
        assert len(find_tool(world, "character")["tools"]) == MAX_FOUND
        assert len(find_tool(world, "character", limit=5)["tools"]) == 5
        assert find_tool(world, "character", limit=0)["tools"] == []


def test_a_role_finds_only_what_it_may_call(hall: Campaign) -> None:
    player, agent = Role("player:aria"), Role(tools=frozenset({"roll_dice"}))
    assert found(hall, "begin a fight", player) == []
    assert found(hall, "create_encounter", agent) == []
    with hall.reading() as world:
        answer = find_tool(world, "roll dice", agent)
        assert [tool["name"] for tool in answer["tools"]] == ["roll_dice"]
        assert answer["others"] == []
        with pytest.raises(BadRequest):
            find_tool(world, "roll", Role("aria"))


def test_an_agent_finds_its_own_operations(hall: Campaign) -> None:
    role = Role(tools=frozenset({"manage_quest"}), operations={"manage_quest": ("offer", "start")})
    with hall.reading() as world:
        tool = find_tool(world, "manage_quest", role)["tools"][0]
        assert tool["input_schema"]["properties"]["operation"]["enum"] == ["offer", "start"]
        whole = find_tool(world, "manage_quest")["tools"][0]
        assert len(whole["input_schema"]["properties"]["operation"]["enum"]) > 2


def test_the_answer_depends_on_nothing_but_its_input(hall: Campaign, tmp_path: Path) -> None:
    again = begin(tmp_path / "c", hall_documents())
    with hall.reading() as one, again.reading() as other:
        assert json.dumps(find_tool(one, "damage somebody")) == json.dumps(find_tool(other, "damage somebody"))
