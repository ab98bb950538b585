"""The list of tools and the calls of them: what is offered to whom, and how a call that cannot be done is answered."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from mcp.shared.exceptions import MCPError
from tests import builders
from tests.cached_fixtures import require_a_schema
from tests.mcp.harness import ERAS, PATIENCE, Era, Heard, data, server_of, talk, text
from tests.mcp.worlds import EVERY_TOOL, FIGHT, scene_game, table
from tests.scenes import night

from mcp import Client
from turnwright import Campaign
from turnwright.mcp.door import Door
from turnwright.mcp.resources import read_resource
from turnwright.mcp.tools import list_tools
from turnwright.toolset.offered import BOUNDS, PROFILES, Profile

MIRA = "player:pc_001"


@pytest.fixture(name="campaign", scope="module")
def fixture_campaign(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Campaign, Path]]:
    path = tmp_path_factory.mktemp("mcp") / "table"
    with table(path) as campaign:
        yield campaign, path


@pytest.mark.parametrize("era", ERAS)
def test_the_server_says_that_its_lists_change(campaign: tuple[Campaign, Path], era: Era) -> None:
    async def look(client: Client) -> None:
        told = client.server_capabilities
        assert told.tools is not None
        assert told.resources is not None
        assert told.tools.list_changed
        assert told.resources.list_changed
        assert told.resources.subscribe
        assert told.logging is None

    talk(server_of(*campaign), era, look)


@pytest.mark.parametrize("profile", PROFILES)
def test_a_list_has_sound_schemas_and_a_stable_order(campaign: tuple[Campaign, Path], profile: Profile) -> None:
    lists: list[list[str]] = []

    async def look(client: Client) -> None:
        for _ in range(2):
            tools = (await client.list_tools()).tools
            lists.append([tool.name for tool in tools])
            for tool in tools:
                require_a_schema(tool.input_schema)
                assert tool.description
                assert tool.annotations is not None
                assert (tool.output_schema is None) == (profile != "full" or tool.name in OWN)
                assert "manual_" not in json.dumps(tool.input_schema)

    talk(server_of(*campaign, profile=profile), "modern", look)
    assert lists[0] == lists[1]
    if profile != "full":
        assert (bounds := BOUNDS[profile]) is not None
        assert len(lists[0]) <= bounds.tools
        assert {"find_tool", "call_tool", "submit_turn"} <= set(lists[0])


TOLERANT = ("move_options", "recall")
"""Tools that need nothing; core tools ignore arguments they do not know."""
MAX_FULL = 9000
"""Tokens of the whole list in a fight, the server's own tools among it."""
OWN = ("find_tool", "call_tool", "submit_turn", "answer_request", "recall", "undo")


@pytest.mark.parametrize("profile", ["full", "core", "tiny"])
def test_a_list_is_within_its_budget_while_a_fight_runs(tmp_path: Path, profile: Profile) -> None:
    async def look(client: Client) -> None:
        tools = (await client.list_tools()).tools
        shown = [{"name": t.name, "description": t.description, "input_schema": t.input_schema} for t in tools]
        letters = sum(len(json.dumps(one, separators=(",", ":"), ensure_ascii=False)) for one in shown)
        bounds = BOUNDS[profile]
        assert letters / 4 <= (MAX_FULL if bounds is None else bounds.tokens)

    with table(tmp_path / "table") as campaign:
        assert campaign.process({"tool_calls": [FIGHT]})["status"] == "applied"
        talk(server_of(campaign, tmp_path / "table", profile=profile), "modern", look)


def test_a_player_is_offered_the_tools_of_players(campaign: tuple[Campaign, Path]) -> None:
    async def look(client: Client) -> None:
        names = [tool.name for tool in (await client.list_tools()).tools]
        assert names == ["move", "move_options", "submit_turn", "answer_request", "recall"]
        refused = await client.call_tool("hp_delta", {"target_character_id": "pc_001", "delta": 1, "cause": "luck"})
        assert data(refused)["reason"] == "not_permitted"
        for name in ("undo", "call_tool"):
            assert (await client.call_tool(name, {"name": "hp_delta", "arguments": {}})).is_error

    talk(server_of(*campaign, MIRA), "modern", look)


@pytest.mark.parametrize("era", ERAS)
def test_every_tool_answers_wrong_arguments_with_a_reason(campaign: tuple[Campaign, Path], era: Era) -> None:
    opened, _ = campaign
    before = opened.state

    async def call_each(client: Client) -> None:
        for tool in (await client.list_tools()).tools:
            wrong: dict[str, Any] = {key: [{}] for key in tool.input_schema["properties"]}
            for args in ({"no_such_argument": 1}, wrong):
                result = await client.call_tool(tool.name, args)
                if (
                    tool.name in ("move_options", "get_session_context", "recall", "answer_request")
                    and not result.is_error
                ):
                    continue  # ignores what it does not know, as core tools do, or needs nothing
                assert result.is_error, (tool.name, args, text(result))
                assert data(result)["reason"], tool.name
                assert text(result)

    talk(server_of(*campaign), era, call_each)
    assert opened.state == before


def test_a_failure_says_what_is_legal_instead(campaign: tuple[Campaign, Path]) -> None:
    async def fail(client: Client) -> None:
        result = await client.call_tool(
            "move", {"actor_id": "pc_001", "from_area_id": "area_001", "to_area_id": "area_009"}
        )
        assert result.is_error
        assert data(result)["hint"]["choices"] == ["area_002", "area_003"]
        assert "area_002" in text(result)
        unknown = await client.call_tool("teleport", {})
        assert data(unknown)["reason"] == "tool_not_allowed"
        assert set(data(unknown)["hint"]["choices"]) <= set(EVERY_TOOL)

    talk(server_of(*campaign), "modern", fail)


@pytest.mark.parametrize("era", ERAS)
def test_reads_leave_no_record_and_changes_are_turns_of_a_model(tmp_path: Path, era: Era) -> None:
    async def act(client: Client) -> None:
        await client.call_tool("move_options", {})
        await client.call_tool("teleport", {})
        await client.call_tool("recall", {"query": "nothing"})
        assert [record["seq"] for record in campaign.records()] == [0]
        done = await client.call_tool("roll_dice", {"expression": "2d6"})
        assert data(done)["result"]["total"] == sum(data(done)["result"]["rolls"])
        refused = await client.call_tool("roll_dice", {"expression": "2d6", "manual_rolls": [6, 6]})
        assert data(refused)["reason"] == "not_permitted"

    with table(tmp_path / "table") as campaign:
        talk(server_of(campaign, tmp_path / "table"), era, act)
        turns = [record for record in campaign.records() if record["kind"] == "turn"]
        assert [turn["status"] for turn in turns] == ["applied", "failed"]
        assert {turn["agent"] for turn in turns} == {"narrative"}
        assert not any(draw["given"] for turn in turns for draw in turn["draws"])


def test_a_whole_turn_is_one_record_with_what_was_said(tmp_path: Path) -> None:
    async def act(client: Client) -> None:
        calls = [builders.move("area_002", "area_001"), builders.move("area_009", "area_002")]
        said = {"user_input": "To the yard!", "narration": "Mira walks into the yard.", "tool_calls": calls}
        result = await client.call_tool("submit_turn", {**said, "atomic": True})
        assert result.is_error
        failed = data(result)["tool_feedback"]["failed_calls"]
        assert [call["reason"] for call in failed] == ["turn_aborted", "invalid_args"]
        whole = {**said, "tool_calls": calls[:1], "turn_id": "to-the-yard"}
        done = await client.call_tool("submit_turn", whole)
        assert data(done)["status"] == "applied"
        again = await client.call_tool("submit_turn", whole)
        assert (again.is_error, data(again)["seq"]) == (False, data(done)["seq"])
        unknown = await client.call_tool("submit_turn", {"user_inputs": "?"})
        assert data(unknown)["reason"] == "invalid_turn"

    with table(tmp_path / "table") as campaign:
        talk(server_of(campaign, tmp_path / "table"), "modern", act)
        last = list(campaign.records())[-1]
        assert (last["user_input"], last["assistant_text"]) == ("To the yard!", "Mira walks into the yard.")


def test_a_text_that_contradicts_what_happened_is_withheld_until_it_is_right(tmp_path: Path) -> None:
    async def act(client: Client) -> None:
        wrong = await client.call_tool("submit_turn", {"narration": "Mira loses 5 hit points."})
        assert (wrong.is_error, data(wrong)["status"]) == (True, "retry_needed")
        assert "Mira" in text(wrong)
        right = await client.call_tool("submit_turn", {"turn_id": data(wrong)["turn_id"], "narration": "Mira waits."})
        assert data(right)["status"] == "empty"

    with table(tmp_path / "table") as campaign:
        campaign.set({"narration.check": "retry"})
        talk(server_of(campaign, tmp_path / "table"), "modern", act)


def test_names_do_for_ids_where_the_list_is_tiny(tmp_path: Path) -> None:
    async def act(client: Client) -> None:
        moved = await client.call_tool("move", {"to_area_id": "Area 002"})
        assert data(moved)["result"] == {"to_area_id": "area_002"}
        called = await client.call_tool("call_tool", {"name": "roll_dice", "arguments": {"expression": "1d4"}})
        assert data(called)["status"] == "applied"
        found = await client.call_tool("find_tool", {"query": "hit points"})
        assert data(found)["result"]["tools"][0]["input_schema"]["properties"]
        assert (await client.call_tool("call_tool", {"name": "undo", "arguments": {}})).is_error

    with table(tmp_path / "table") as campaign:
        talk(server_of(campaign, tmp_path / "table", profile="tiny"), "modern", act)


def test_undo_says_what_went_with_its_dice_and_only_where_it_is_allowed(tmp_path: Path) -> None:
    async def refused(client: Client) -> None:
        assert "undo" not in [tool.name for tool in (await client.list_tools()).tools]
        assert data(await client.call_tool("undo", {}))["reason"] == "not_permitted"

    async def undone(client: Client) -> None:
        rolled = data(await client.call_tool("roll_dice", {"expression": "1d20"}))
        done = await client.call_tool("undo", {})
        (entry,) = data(done)["undone"]
        assert [draw["value"] for draw in entry["draws"]] == rolled["result"]["rolls"]
        assert f"d20 showed {rolled['result']['rolls'][0]}" in text(done)
        assert (await client.call_tool("undo", {"turn": "no-such-turn"})).is_error

    with table(tmp_path / "table") as campaign:
        talk(server_of(campaign, tmp_path / "table"), "modern", refused)
        assert len(list(campaign.records())) == 1
        talk(server_of(campaign, tmp_path / "table", can_undo=True), "modern", undone)
        assert [record["kind"] for record in campaign.records()] == ["new", "turn", "undo"]


# changes of the list


@pytest.mark.filterwarnings("ignore::mcp.shared.exceptions.MCPDeprecationWarning")  # of the versions it tests
@pytest.mark.parametrize("by_another", [False, True])
def test_a_client_of_the_handshake_hears_that_the_tools_changed(tmp_path: Path, by_another: bool) -> None:
    path, heard = tmp_path / "table", Heard()

    async def act(client: Client) -> None:
        before = {tool.name for tool in (await client.list_tools()).tools}
        await client.subscribe_resource("turnwright://state")
        await begin_fight(client, path, by_another=by_another)
        await heard.wait_for("notifications/tools/list_changed")
        await heard.wait_for("notifications/resources/updated")
        assert "advance_turn" in {tool.name for tool in (await client.list_tools()).tools} - before

    with table(path) as campaign:
        talk(server_of(campaign, path), "legacy", act, message_handler=heard)


async def begin_fight(client: Client, path: Path, *, by_another: bool) -> None:
    """Begin a fight through the client, or as another process does."""
    if by_another:
        with Campaign.open(path) as other:
            assert other.process({"tool_calls": [FIGHT]})["status"] == "applied"
    else:
        assert not (await client.call_tool(FIGHT["tool"], FIGHT["args"])).is_error


@pytest.mark.parametrize("by_another", [False, True])
def test_a_client_that_listens_hears_that_the_tools_changed(tmp_path: Path, by_another: bool) -> None:
    import anyio

    path = tmp_path / "table"

    async def act(client: Client) -> None:
        before = {tool.name for tool in (await client.list_tools()).tools}
        wanted = {"ToolsListChanged", "ResourcesListChanged", "ResourceUpdated"}
        async with client.listen(
            tools_list_changed=True, resources_list_changed=True, resource_subscriptions=["turnwright://state"]
        ) as stream:
            await begin_fight(client, path, by_another=by_another)
            with anyio.fail_after(PATIENCE):
                async for event in stream:
                    wanted.discard(type(event).__name__)
                    if not wanted:
                        break
        assert "advance_turn" in {tool.name for tool in (await client.list_tools()).tools} - before

    with table(path) as campaign:
        talk(server_of(campaign, path), "modern", act)


def test_the_list_follows_the_mood_of_a_scene(tmp_path: Path) -> None:
    lists: list[set[str]] = []

    async def look(client: Client) -> None:
        lists.append({tool.name for tool in (await client.list_tools()).tools} - set(OWN))

    with scene_game(tmp_path / "night") as campaign:
        talk(server_of(campaign, tmp_path / "night"), "modern", look)
        assert night.play(campaign, night.ENGAGE)["status"] == "applied"
        talk(server_of(campaign, tmp_path / "night"), "modern", look)
    assert "engage" in lists[0] - lists[1]
    assert "spend_die" in lists[1] - lists[0]


@pytest.mark.parametrize("cursor", ["1", ""])
def test_there_is_one_page_of_each_list(campaign: tuple[Campaign, Path], cursor: str) -> None:
    async def look(client: Client) -> None:
        for listing in (client.list_tools, client.list_resources, client.list_prompts, client.list_resource_templates):
            with pytest.raises(MCPError):
                await listing(cursor=cursor)

    talk(server_of(*campaign), "modern", look)


def test_a_player_of_a_new_game_may_move_and_is_shown_the_keys_of_players(tmp_path: Path) -> None:
    with Campaign.new(tmp_path / "game", "toolkit", seed="fixed") as campaign:
        made = [
            builders.call("create_character", name="Aria"),
            builders.call("manage_party", operation="add", character_name="Aria"),
        ]
        assert campaign.process({"tool_calls": made})["status"] == "applied"
        player = Door(campaign, "player:character-1")
        assert "move" in [tool.name for tool in list_tools(player)]
        doors = (player, Door(campaign, "gm"))
        shown, whole = (read_resource(door, "turnwright://tool/submit_turn").text for door in doors)
        assert ("`narration`" in shown, "`narration`" in whole) == (False, True)
        assert ("`output`" in shown, "`user_input`" in shown) == (False, True)


@pytest.mark.parametrize("args", [{"limit": True}, {"limit": "3"}, {"before": True}, {"query": 7}, {"limit": 101}])
def test_a_search_with_wrong_arguments_is_refused(campaign: tuple[Campaign, Path], args: dict[str, Any]) -> None:
    async def look(client: Client) -> None:
        result = await client.call_tool("recall", {"query": "the", **args})
        assert (result.is_error, data(result)["reason"]) == (True, "bad_request")

    talk(server_of(*campaign), "modern", look)
