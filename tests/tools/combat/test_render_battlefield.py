"""render_battlefield: the rows, the window, and what the legend tells."""

from __future__ import annotations

from typing import Any

import pytest
from tests.builders import Json, spelt
from tests.tools.conftest import HallWith
from tests.tools.hall import Hall, ephemeral, fight, linked

STANDARD = ["id", "symbol", "name", "position", "hp", "max_hp", "bloodied", "down", "dead", "current", "conditions"]


@pytest.fixture
def fighting(hall_with: HallWith) -> Hall:
    terrain = {
        "width": 12,
        "height": 6,
        "obstacles": ["0,0", "1,0"],
        "difficult_terrain": ["0,1", "0,0"],
        "water": ["1,1", "0,1"],
        "hazards": [{"position": "2,1", "type": "fire"}, {"position": "1,1", "type": "fire"}],
    }
    prop = {"id": "prop-1", "name": "Table", "type": "table", "position": {"x": 4, "y": 0}}
    people = (linked("aria", 3, 2), linked("ogg", 6, 2, is_enemy=True), ephemeral("orc", 0, 4))
    return hall_with(fight(*people, terrain=terrain, props=[prop]))


def draw(hall: Hall, /, **args: Any) -> Json:
    return hall.do("render_battlefield", encounter_id="encounter-1", **args)


def test_the_rows_hold_the_cells_and_nothing_else(fighting: Hall) -> None:
    result = draw(fighting)
    assert result["rows"] == [
        "██··◘·······",
        "░≈*·········",
        "···A··oo····",
        "······oo····",
        "1···········",
        "············",
    ]
    assert result["viewport"] == {"x": 0, "y": 0, "width": 12, "height": 6}
    assert result["symbols"] == {"aria": "A", "ogg": "o", "orc": "1"}
    assert result["header"] == ["          11", "012345678901"]


def test_in_ascii_there_is_nothing_else(fighting: Hall) -> None:
    result = draw(fighting, ascii=True)
    assert result["rows"][:2] == ["##..%.......", ":~*........."]
    assert spelt(result).isascii()


def test_the_picture_holds_one_character_a_square(fighting: Hall) -> None:
    # Twice encoded text would be three times as long.
    assert [len(row) for row in draw(fighting)["rows"]] == [12] * 6


def test_a_window_is_clipped_to_the_grid_and_one_around_somebody_is_moved_inside(fighting: Hall) -> None:
    result = draw(fighting, viewport={"x": 2, "y": -1, "width": 3, "height": 4})
    assert (result["viewport"], result["rows"]) == (
        {"x": 2, "y": 0, "width": 3, "height": 3},
        ["··◘", "*··", "·A·"],
    )
    focused = draw(fighting, focus_on="orc", viewport={"width": 3, "height": 3})
    assert focused["viewport"] == {"x": 0, "y": 3, "width": 3, "height": 3}
    assert focused["rows"] == ["···", "1··", "···"]
    assert draw(fighting, focus_on="orc")["viewport"] == {"x": 0, "y": 0, "width": 12, "height": 6}


def test_the_legend_tells_as_much_as_is_asked_for(fighting: Hall) -> None:
    assert [list(row) for row in draw(fighting)["legend"]] == [STANDARD] * 3
    assert draw(fighting)["legend"][0]["current"] is True
    assert draw(fighting, legend_detail="minimal")["legend"][0] == {"id": "aria", "symbol": "A", "name": "Aria"}
    ogre = draw(fighting, legend_detail="detailed")["legend"][1]
    assert (ogre["ac"], ogre["size"], ogre["speed"], ogre["is_enemy"]) == (11, "large", 40, True)
    assert draw(fighting, show_legend=False)["legend"] == []
    assert draw(fighting, show_elevation=False)["legend"][0]["position"] == {"x": 3, "y": 2}
    assert "header" not in draw(fighting, show_coordinates=False)


def test_who_is_down_or_hurt_is_told(fighting: Hall) -> None:
    fighting.do("update_character", character_id="aria", hp=22)
    aria = draw(fighting)["legend"][0]
    assert (aria["hp"], aria["max_hp"], aria["bloodied"], aria["down"], aria["dead"]) == (22, 44, True, False, False)
    fighting.do("update_character", character_id="aria", hp=0)
    aria = draw(fighting)["legend"][0]
    assert (aria["bloodied"], aria["down"], aria["conditions"]) == (False, True, ["unconscious", "prone"])


def test_a_character_with_an_id_of_its_own_in_the_fight_can_be_looked_for_by_either(hall: Hall) -> None:
    hall.do("create_encounter", [5], participants=[{"character_id": "aria", "id": "hero"}])
    assert draw(hall, focus_on="aria") == draw(hall, focus_on="hero")


def test_what_is_wrong_is_refused(fighting: Hall) -> None:
    failure = fighting.fail("render_battlefield", encounter_id="encounter-1", focus_on="orcc")
    assert (failure["reason"], failure["hint"]["allowed"][0]) == ("not_found", "orc")
    outside = {"x": 12, "y": 0, "width": 2, "height": 2}
    failure = fighting.fail("render_battlefield", encounter_id="encounter-1", viewport=outside)
    assert (failure["reason"], failure["hint"]) == ("invalid_args", {"field": "args.viewport", "got": outside})
    assert (
        fighting.why("render_battlefield", encounter_id="encounter-1", viewport={"width": 0, "height": 2})
        == "invalid_args"
    )
    assert fighting.why("render_battlefield", encounter_id="encounter-2") == "not_found"


def test_an_ended_fight_can_still_be_drawn_and_drawing_needs_no_turn(fighting: Hall) -> None:
    before = draw(fighting)
    fighting.do("end_encounter", encounter_id="encounter-1", outcome="victory")
    asked = fighting.campaign.query("render_battlefield", {"encounterId": "encounter-1"})
    assert asked["result"]["rows"] == [row.replace("◘", "·") for row in before["rows"]]
    assert not any(row["current"] for row in asked["result"]["legend"])
