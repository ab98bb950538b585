"""What is asked now, and of whom: the same for every door."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.builders import AREAS, PEOPLE, begin, documents, turn
from tests.mcp.worlds import scene_game
from tests.scenes import night

from turnwright import Viewer
from turnwright.model.viewer import GAME_MASTER, PARTY


@pytest.mark.parametrize(
    ("viewer", "is_asked"),
    [
        (GAME_MASTER, True),
        (PARTY, True),
        (Viewer.player("character-1"), True),
        (Viewer.player("tomas"), False),
        (Viewer.character("character-1"), False),
    ],
)
def test_a_request_is_shown_to_those_whom_it_asks(tmp_path: Path, viewer: Viewer, is_asked: bool) -> None:
    with scene_game(tmp_path / "game") as campaign:
        night.play(campaign, night.ENGAGE)
        night.play(campaign, night.spend(*campaign.state["crew.json"]["dice_pool"]))
        told = campaign.open_request(viewer=viewer)
        assert (told is not None) is is_asked
        if told is not None:
            assert (told.id, told.request["to"], told.is_table_dice) == (told.request["id"], "character-1", False)


def test_dice_of_the_table_are_asked_of_the_game_master(tmp_path: Path) -> None:
    values = documents(PEOPLE, AREAS, allowlist=["roll_dice"], settings={"dice": {"source": "table"}})
    with begin(tmp_path / "home", values) as campaign:
        assert campaign.open_request(viewer=GAME_MASTER) is None
        campaign.process(turn({"id": "r", "tool": "roll_dice", "args": {"expression": "1d6"}}))
        told = campaign.open_request(viewer=GAME_MASTER)
        assert told is not None
        assert (told.id, told.request, told.is_table_dice) == (
            told.request["request_id"],
            campaign.waiting_for_dice(),
            True,
        )
        assert campaign.open_request(viewer=Viewer.player("pc_001")) is None
