"""Requests that people answer: through a form where their client shows one, and never by what is no answer."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import mcp_types as types
import pytest
from tests.mcp.harness import ERAS, Era, data, server_of, talk, text
from tests.mcp.worlds import scene_game, table
from tests.scenes import night

from mcp import Client
from turnwright import Campaign
from turnwright.mcp.elicitation import AskedFor

Answer = Callable[[types.ElicitRequestFormParams], types.ElicitResult]


class Player:
    """Somebody at the client who is asked by forms."""

    def __init__(self, answer: Answer) -> None:
        self.forms: list[types.ElicitRequestFormParams] = []
        self._answer = answer

    async def __call__(self, _: Any, params: Any) -> types.ElicitResult:
        """Answer a form."""
        assert isinstance(params, types.ElicitRequestFormParams)
        self.forms.append(params)
        return self._answer(params)


def accepts(**content: Any) -> Player:
    return Player(lambda _: types.ElicitResult(action="accept", content=content))


def throws(*faces: int) -> Player:
    """Return a player who throws these faces, whatever is asked for."""
    content = {f"die_{place}": face for place, face in enumerate(faces, start=1)}
    return Player(lambda _: types.ElicitResult(action="accept", content=content))


NO_ANSWERS: dict[str, types.ElicitResult] = {
    "declined": types.ElicitResult(action="decline"),
    "dismissed": types.ElicitResult(action="cancel"),
    "empty": types.ElicitResult(action="accept", content={}),
    "another die": types.ElicitResult(action="accept", content={"die": "9"}),
    "no die": types.ElicitResult(action="accept", content={"die": "the left one"}),
}


def waiting(path: Path) -> Campaign:
    """Begin a scene game in which a die is to be spent."""
    campaign = scene_game(path)
    assert night.play(campaign, night.ENGAGE)["status"] == "applied"
    return campaign


def spend(campaign: Campaign) -> dict[str, Any]:
    """Return the call that asks the player for a die."""
    call: dict[str, Any] = night.spend(*campaign.state["crew.json"]["dice_pool"])
    return call


@pytest.mark.parametrize("era", ERAS)
def test_a_die_is_chosen_in_a_form_and_is_the_next_turn(tmp_path: Path, era: Era) -> None:
    player = accepts(die="1")
    with waiting(tmp_path / "night") as campaign:
        call = spend(campaign)

        async def act(client: Client) -> None:
            result = await client.call_tool(call["tool"], call["args"])
            assert "the player answered 1" in text(result)
            assert data(result)["status"] == "applied"

        talk(server_of(campaign, tmp_path / "night"), era, act, elicitation_callback=player)
        (form,) = player.forms
        assert list(form.requested_schema["properties"]) == ["die"]
        assert "way number 0 through the glass" in form.message
        asked, answered = list(campaign.records())[-2:]
        assert (asked["agent"], asked["tool_calls"][0]["tool"]) == ("narrative", "spend_die")
        assert (answered["answer"]["value"], "agent" in answered) == (1, False)


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize("how", NO_ANSWERS)
def test_what_is_no_answer_leaves_the_request_open(tmp_path: Path, how: str, era: Era) -> None:
    player = Player(lambda _: NO_ANSWERS[how])
    with waiting(tmp_path / "night") as campaign:
        call = spend(campaign)

        async def act(client: Client) -> None:
            result = await client.call_tool(call["tool"], call["args"])
            assert not result.is_error
            assert data(result)["request"]["kind"] == "dice"
            assert "way number 0 through the glass" in text(result)

        before = len(list(campaign.records()))
        talk(server_of(campaign, tmp_path / "night"), era, act, elicitation_callback=player)
        assert len(player.forms) == 1
        assert len(list(campaign.records())) == before + 1
        assert campaign.state["crew.json"]["request"]["kind"] == "dice"


@pytest.mark.parametrize("era", ERAS)
def test_a_client_without_forms_gets_the_request_as_data_and_answers_by_a_tool(tmp_path: Path, era: Era) -> None:
    with waiting(tmp_path / "night") as campaign:
        call = spend(campaign)

        async def act(client: Client) -> None:
            asked = await client.call_tool(call["tool"], call["args"])
            request = data(asked)["request"]
            assert data(await client.call_tool("answer_request", {}))["request"] == request
            stale = await client.call_tool("answer_request", {"request_id": "request-999", "value": 0})
            assert stale.is_error
            done = await client.call_tool("answer_request", {"request_id": request["id"], "value": 0})
            assert data(done)["status"] == "applied"

        talk(server_of(campaign, tmp_path / "night"), era, act)
        answered = list(campaign.records())[-1]
        assert (answered["answer"]["value"], answered["agent"]) == (0, "narrative")


@pytest.mark.parametrize("era", ERAS)
def test_people_throw_the_dice_of_their_table(tmp_path: Path, era: Era) -> None:
    player = throws(3, 5)
    with table(tmp_path / "table") as campaign:
        campaign.set({"dice.source": "table"})

        async def act(client: Client) -> None:
            result = await client.call_tool("roll_dice", {"expression": "2d6"})
            assert data(result)["applied_actions"][0]["result"]["rolls"] == [3, 5]

        talk(server_of(campaign, tmp_path / "table"), era, act, elicitation_callback=player)
        turn = list(campaign.records())[-1]
        assert [(draw["value"], draw["given"]) for draw in turn["draws"]] == [(3, True), (5, True)]


@pytest.mark.parametrize("era", ERAS)
def test_a_face_that_no_die_has_is_no_answer(tmp_path: Path, era: Era) -> None:
    with table(tmp_path / "table") as campaign:
        campaign.set({"dice.source": "table"})

        async def act(client: Client) -> None:
            result = await client.call_tool("roll_dice", {"expression": "1d6"})
            assert data(result)["status"] == "waiting"
            assert data(result)["request"]["dice"][0]["sides"] == 6

        talk(server_of(campaign, tmp_path / "table"), era, act, elicitation_callback=throws(7))
        assert campaign.waiting_for_dice() is not None


def test_a_player_who_let_a_form_be_is_asked_again_only_when_the_model_asks(tmp_path: Path) -> None:
    player = Player(lambda _: types.ElicitResult(action="decline"))
    with table(tmp_path / "table") as campaign:
        campaign.set({"dice.source": "table"})

        async def act(client: Client) -> None:
            await client.call_tool("roll_dice", {"expression": "1d6"})
            await client.call_tool("answer_request", {"value": "cancel"})
            await client.call_tool("roll_dice", {"expression": "1d6"})
            assert len(player.forms) == 1
            await client.call_tool("answer_request", {})
            assert len(player.forms) == 2

        talk(server_of(campaign, tmp_path / "table"), "legacy", act, elicitation_callback=player)


@pytest.mark.parametrize("state", ["", "x", "1", ":", "-1:request-1", "1e3:a", "99:request-1", "\u00b2:a"])
def test_a_state_that_the_server_did_not_give_changes_nothing(tmp_path: Path, state: str) -> None:
    with waiting(tmp_path / "night") as campaign:
        before = len(list(campaign.records()))

        async def act(client: Client) -> None:
            answer = types.ElicitResult(action="accept", content={"die": "0"})
            params = types.CallToolRequestParams(
                name="choose",
                arguments={"options": [[1, "a"], [1, "b"]]},
                request_state=state,
                input_responses={"answer": answer},
            )
            try:
                await client.session.send_request(types.CallToolRequest(params=params), types.CallToolResult)
            except Exception as error:
                assert "requestState" in str(error)  # noqa: PT017 - both ends are right

        talk(server_of(campaign, tmp_path / "night"), "modern", act)
        assert len(list(campaign.records())) == before


def test_a_state_reads_as_it_was_written() -> None:
    for asked in (AskedFor(3, "request-7"), AskedFor(None, "dice-4")):
        assert AskedFor.decode(asked.encode()) == asked
