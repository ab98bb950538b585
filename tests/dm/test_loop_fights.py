"""Fights in the loop: turns that agents take by themselves, and the bridges between fight and story."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests import plain
from tests.dm.playing import Line, Table, calls, says
from tests.plain import call
from tests.tools.hall import hall_documents

from turnwright.dm.exchange import TurnOf
from turnwright.dm.loop import MOST_AUTOMATIC

BEGIN = call(
    "create_encounter",
    participants=[
        {"character_id": "aria", "position": {"x": 2, "y": 2}, "initiative_bonus": 60},
        {
            "id": "goblin",
            "name": "Goblin",
            "hp": 7,
            "max_hp": 7,
            "ac": 15,
            "position": {"x": 6, "y": 5},
            "is_enemy": True,
            "initiative_bonus": 30,
        },
        {
            "id": "wolf",
            "name": "Wolf",
            "hp": 9,
            "max_hp": 9,
            "ac": 12,
            "position": {"x": 7, "y": 5},
            "is_enemy": True,
            "initiative_bonus": 0,
        },
    ],
)
NEXT = call("advance_turn", encounter_id="encounter-1")
END = call("end_encounter", encounter_id="encounter-1", outcome="victory")
PASSES = [calls(NEXT), says("It growls.")]


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Any]:
    opened: list[Table] = []

    def begin(*lines: Line, is_fighting: bool = False, **how: Any) -> Table:
        path = tmp_path / f"hall_{len(opened)}"
        opened.append(Table(plain.begin(path, hall_documents()), path, *lines, **how))
        if is_fighting:
            assert opened[-1].campaign.process({"tool_calls": [BEGIN]})["status"] == "applied"
        return opened[-1]

    yield begin
    for one in opened:
        one.campaign.close()


def agents_of(play: Table) -> list[str | None]:
    return [record.get("agent") for record in play.records() if record["kind"] == "turn"]


def test_a_fight_that_begins_is_bridged_once(hall: Any) -> None:
    play = hall(calls(BEGIN), says("They leap at you."), says("Aria met a goblin and a wolf on the road."))
    assert play.say("I draw my sword").outcome == "answered"
    assert agents_of(play) == [None, "narrative", "narrative", "summarizer"]
    assert play.records()[-1]["assistant_text"] == "Aria met a goblin and a wolf on the road."


def test_the_enemies_take_their_turns_after_the_player(hall: Any) -> None:
    play = hall(calls(NEXT), says("You swing and miss."), *PASSES, *PASSES, is_fighting=True)
    exchange = play.say("I swing, and that is my turn")
    assert exchange.outcome == "answered"
    assert [event.name for event in play.told if isinstance(event, TurnOf)] == ["Goblin", "Wolf"]
    assert play.campaign.state["encounters/encounter-1.json"]["round"] == 2
    assert len(exchange.narrations) == 3


def test_a_turn_that_nobody_ends_does_not_go_on_for_ever(hall: Any) -> None:
    play = hall(calls(NEXT), *[says("It growls.")] * 40, is_fighting=True)
    exchange = play.say("I wait")
    assert exchange.outcome == "stuck"
    assert "Goblin" in exchange.detail
    assert len(play.model.requests) < 5


def test_automatic_turns_are_bounded(hall: Any) -> None:
    alone = call(
        "create_encounter",
        participants=[
            {
                "id": f"rat{number}",
                "name": f"Rat {number}",
                "hp": 3,
                "max_hp": 3,
                "ac": 10,
                "is_enemy": True,
                "position": {"x": number, "y": 0},
            }
            for number in range(2)
        ],
    )
    play = hall(calls(alone), says("Rats!"), says("A summary."), *PASSES * 40)
    exchange = play.say("I watch rats fight each other")
    assert exchange.outcome == "answered"
    assert sum(isinstance(event, TurnOf) for event in play.told) == MOST_AUTOMATIC


def test_a_fight_that_is_over_is_bridged_back(hall: Any) -> None:
    play = hall(calls(END), says("They flee."), says("Aria drove off a goblin and a wolf."), is_fighting=True)
    play.say("I frighten them away")
    assert agents_of(play) == [None, None, "combat", "combat", "summarizer"]


def test_a_bridge_that_fails_stops_nothing(hall: Any) -> None:
    play = hall(calls(END), says("They flee."), {"fail": "timeout"}, is_fighting=True)
    assert play.say("I frighten them away").outcome == "answered"
    assert "summarizer" not in agents_of(play)


def test_an_enemys_turn_is_due_when_a_session_begins(hall: Any) -> None:
    play = hall(*PASSES, *PASSES, is_fighting=True)
    play.campaign.process({"tool_calls": [NEXT]})
    assert play.master.is_due()
    assert play.say().outcome == "answered"
    assert not play.master.is_due()
