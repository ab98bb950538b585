"""Resources, templates, completion and prompts, and long calls that tell how far they are."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import mcp_types as types
import pytest
from mcp.shared.exceptions import MCPError
from tests.mcp.harness import ERAS, Era, begin_sample, data, server_of, talk, turns_of_sample
from tests.mcp.worlds import FIGHT, scene_game, table

from mcp import Client
from turnwright import Campaign
from turnwright.mcp import prompts, resources, server
from turnwright.mcp.door import Door

MIRA = "player:pc_001"
FIGHTING = 10
"""The turns of the barrow after which its fight runs."""


@pytest.fixture(name="barrow", scope="module")
def fixture_barrow(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Campaign, Path]]:
    path = tmp_path_factory.mktemp("resources") / "barrow"
    with begin_sample(path, "barrow") as campaign:
        for turn in turns_of_sample("barrow")[:FIGHTING]:
            campaign.process(turn.read_bytes())
        yield campaign, path


def read(result: types.ReadResourceResult) -> str:
    (contents,) = result.contents
    assert isinstance(contents, types.TextResourceContents)
    return contents.text


@pytest.mark.parametrize("authority", ["gm", "player:sigrun"])
@pytest.mark.parametrize("era", ERAS)
def test_every_listed_resource_can_be_read(barrow: tuple[Campaign, Path], authority: str, era: Era) -> None:
    async def look(client: Client) -> None:
        listed = (await client.list_resources()).resources
        assert "turnwright://battlefield/encounter-1" in [one.uri for one in listed]
        for one in listed:
            text = read(await client.read_resource(one.uri))
            assert text
            if one.mime_type == "application/json":
                json.loads(text)
        for missing in ("turnwright://scene", "turnwright://sheet/nobody", "turnwright://log/99x", "http://x", ""):
            with pytest.raises(MCPError):
                await client.read_resource(missing)

    talk(server_of(*barrow, authority), era, look)


def test_resources_show_the_campaign_as_the_role_knows_it(barrow: tuple[Campaign, Path]) -> None:
    campaign, _ = barrow
    master, player = Door(campaign, "gm"), Door(campaign, "player:sigrun")

    def shown(door: Door, name: str) -> str:
        return resources.read_resource(door, f"turnwright://{name}").text

    king = next(one for one in json.loads(shown(master, "state"))["characters"] if one["id"] == "quiet_king")
    assert king["hp"] > 0
    others = json.loads(shown(player, "state"))["others"]
    assert {"id": king["id"], "name": king["name"]} in others
    assert json.loads(shown(player, "party"))[0]["id"] == "sigrun"
    assert json.loads(shown(player, "sheet/sigrun"))["character"]["sheet"]["class"] == "Fighter"
    assert "Burial Hall" in shown(master, "map")
    assert shown(master, "map.svg").startswith("<svg")
    assert "execute_action" in shown(master, "log")
    assert "manual_" not in shown(master, "tool/roll_death_save")


@pytest.mark.parametrize("era", ERAS)
def test_variables_of_addresses_are_completed(barrow: tuple[Campaign, Path], era: Era) -> None:
    async def complete(client: Client) -> None:
        templates = {one.name: one.uri_template for one in (await client.list_resource_templates()).resource_templates}
        for name, begun, expected in (
            ("sheet", "si", ["sigrun"]),
            ("battlefield", "", ["encounter-1"]),
            ("log", "", ["0"]),
            ("tool", "roll_d", ["roll_death_save", "roll_dice"]),
        ):
            ref = types.ResourceTemplateReference(uri=templates[name])
            variable = resources.FAMILIES[name].variable
            assert (await client.complete(ref, {"name": variable, "value": begun})).completion.values == expected
            assert (await client.complete(ref, {"name": "other", "value": ""})).completion.values == []
        prompt = types.PromptReference(name="persona")
        agents = (await client.complete(prompt, {"name": "agent", "value": "npc"})).completion.values
        assert agents == ["npc_individual", "npc_puppeteer"]

    talk(server_of(*barrow), era, complete)


def test_a_scene_game_has_a_resource_of_its_own(tmp_path: Path) -> None:
    with scene_game(tmp_path / "night") as campaign:
        for authority in ("gm", f"player:{campaign.state['campaign.json']['selected']['party_character_ids'][0]}"):
            scene = json.loads(resources.read_resource(Door(campaign, authority), "turnwright://scene").text)
            assert scene["awaiting"]["stage"] == "player_text"


def test_pages_of_the_log_hold_every_record_once(tmp_path: Path) -> None:
    with table(tmp_path / "table") as campaign:
        for _ in range(120):
            campaign.process({"user_input": "I wait."})
        door = Door(campaign, "gm")
        pages = [resources.read_resource(door, f"turnwright://log/{page}").text for page in range(4)]
        heads = [line.split()[0] for page in pages for line in page.splitlines() if line.startswith("#")]
        assert heads == [f"#{seq}" for seq in range(121)]
        assert resources.read_resource(door, "turnwright://log").text == pages[2]
        assert resources.complete(door, "turnwright://log/{page}", "page", "") == ["2", "1", "0"]


@pytest.mark.parametrize("authority", ["gm", "player:sigrun"])
@pytest.mark.parametrize("era", ERAS)
def test_every_prompt_can_be_had(barrow: tuple[Campaign, Path], authority: str, era: Era) -> None:
    async def look(client: Client) -> None:
        listed = (await client.list_prompts()).prompts
        assert ("persona" in [one.name for one in listed]) == (authority == "gm")
        for one in listed:
            (message,) = (await client.get_prompt(one.name)).messages
            assert isinstance(message.content, types.TextContent)
            assert message.content.text
        with pytest.raises(MCPError):
            await client.get_prompt("persona", {"agent": "narrator"})
        with pytest.raises(MCPError):
            await client.get_prompt("recap", {"agent": "narrative"})

    talk(server_of(*barrow, authority), era, look)


def test_the_prompt_that_begins_asks_for_the_words_of_the_table(barrow: tuple[Campaign, Path]) -> None:
    campaign, _ = barrow
    (message,) = prompts.get_prompt(Door(campaign, "gm"), "start_session", {}).messages
    assert isinstance(message.content, types.TextContent)
    for word in ("submit_turn", "user_input", "narration", "retry_needed", "answer_request"):
        assert word in message.content.text


def test_a_long_call_tells_that_it_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "_PROGRESS_EVERY", 0.01)
    heard: list[float] = []

    async def note(progress: float, total: float | None, message: str | None) -> None:
        heard.append(progress)
        assert message

    async def act(client: Client) -> None:
        while not heard:  # as long as it takes for one to be long enough
            result = await client.call_tool(FIGHT["tool"], FIGHT["args"], progress_callback=note)
            assert data(result)["turn_id"]

    with table(tmp_path / "table") as campaign:
        talk(server_of(campaign, tmp_path / "table"), "legacy", act)
    assert heard[0] == 1
