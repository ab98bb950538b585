"""Fights in the loop: turns that agents take by themselves, and the bridges between fight and story."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests import builders
from tests.builders import Json, call
from tests.game_master.playing import Line, Table, calls, says
from tests.tools.hall import hall_documents

from turnwright.game_master.exchange import ActorTurn
from turnwright.game_master.feedback import WHOLE
from turnwright.game_master.freeplay_loop import MAX_AUTOMATIC
from turnwright.game_master.suggestion_provider import suggest
from turnwright.game_master.tool_permissions import ENDS
from turnwright.rulesets.aliases import ALIASES

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
        opened.append(Table(builders.begin(path, hall_documents()), path, *lines, **how))
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
    assert [event.name for event in play.told if isinstance(event, ActorTurn)] == ["Goblin", "Wolf"]
    assert play.campaign.state["encounters/encounter-1.json"]["round"] == 2
    assert len(exchange.narrations) == 3


def test_a_turn_that_nobody_ends_does_not_go_on_for_ever(hall: Any) -> None:
    play = hall(calls(NEXT), *[says("It growls.")] * 40, is_fighting=True)
    exchange = play.say("I wait")
    assert exchange.outcome == "stuck"
    assert exchange.detail == "it is still the same turn of the fight: nothing ended it"
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
    assert sum(isinstance(event, ActorTurn) for event in play.told) == MAX_AUTOMATIC


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


# what ends a turn beside what failed


def strikes(target: str, actor: str = "aria") -> Json:
    return call(
        "execute_action",
        encounter_id="encounter-1",
        actor_id=actor,
        action_type="attack",
        target_id=target,
        weapon_type="ranged",
        damage_expression="0",
    )


def reasons_of(record: Json) -> list[str]:
    return [failed["reason"] for failed in record["tool_feedback"]["failed_calls"]]


def test_a_turn_does_not_end_when_what_was_to_be_done_before_failed(hall: Any) -> None:
    script = [calls(strikes("gobblin"), NEXT), calls(strikes("goblin"), NEXT), says("You miss."), *PASSES, *PASSES]
    play = hall(*script, is_fighting=True)
    assert play.say("I strike at the goblin").outcome == "answered"
    wrong, mended = [record for record in play.records() if record.get("tool_calls")][1:3]
    assert (wrong["status"], reasons_of(wrong)) == ("failed", ["not_found", "turn_aborted"])
    assert [action["tool"] for action in mended["applied_actions"]] == ["execute_action", "advance_turn"]
    assert WHOLE in play.model.requests[1].messages[-1].text
    assert play.campaign.state["encounters/encounter-1.json"]["round"] == 2
    assert play.texts() == ["You miss.", "It growls.", "It growls."]


def test_an_enemy_s_turn_that_was_called_wrongly_is_mended_before_the_next_one(hall: Any) -> None:
    wrong, right = [strikes("arya", "goblin"), NEXT], [strikes("aria", "goblin"), NEXT]
    play = hall(calls(NEXT), says("You wait."), calls(*wrong), calls(*right), says("It snaps."), *PASSES)
    play.campaign.process({"tool_calls": [BEGIN]})
    assert play.say("I wait").outcome == "answered"
    assert [event.name for event in play.told if isinstance(event, ActorTurn)] == ["Goblin", "Wolf"]
    assert play.texts() == ["You wait.", "It snaps.", "It growls."]


def test_a_fight_does_not_end_when_what_was_to_be_done_before_failed(hall: Any) -> None:
    play = hall(calls(strikes("gobblin"), END), says("You miss."), is_fighting=True)
    play.say("I strike at the goblin")
    assert play.campaign.state["encounters/encounter-1.json"]["status"] == "running"


@pytest.mark.parametrize("made", [[NEXT], [NEXT, strikes("gobblin")], [strikes("goblin"), strikes("gobblin")]])
def test_calls_with_nothing_to_end_after_them_stand_alone(hall: Any, made: list[Json]) -> None:
    play = hall(calls(*made), {"fail": "timeout"}, is_fighting=True)
    play.say("I do it")
    record = play.records()[-1]
    assert "atomic" not in record
    assert len(record["applied_actions"]) == 1


def test_a_turn_does_not_end_beside_a_call_that_may_not_be_made(hall: Any) -> None:
    rests = call("take_rest", character_id="aria", rest_type="short")
    play = hall(calls(rests, "hm", NEXT), says("No rest yet."), is_fighting=True)
    exchange = play.say("I rest")
    assert [one["tool"] for one in exchange.barred] == ["take_rest"]
    told = play.model.requests[1].messages[-1].text
    assert told.count("turn_aborted") == 3, "both calls, and what to do about them"
    assert WHOLE in told
    assert "tool_calls" not in play.records()[-1]
    assert play.campaign.state["encounters/encounter-1.json"]["turn_index"] == 0


def test_what_an_agent_may_not_end_takes_nothing_from_its_other_calls(hall: Any) -> None:
    play = hall(calls(call("roll_dice", expression="1d6"), NEXT), says("A die rolls."))
    assert [one["tool"] for one in play.say("I throw a die").barred] == ["advance_turn"]
    assert [action["tool"] for action in play.records()[-2]["applied_actions"]] == ["roll_dice"]


def test_no_old_name_ends_a_turn_or_a_fight() -> None:
    assert {alias.tool for alias in ALIASES.values()}.isdisjoint(ENDS)


# what was interrupted

BREATH = call("hp_delta", target_character_id="aria", delta=-3, cause="its breath")
MINE = [calls(NEXT), says("You wait.")]
"""How the player's own turn goes."""
TIMEOUT = {"fail": "timeout"}


def test_what_was_done_in_an_interrupted_turn_is_told_to_the_model_that_goes_on(hall: Any) -> None:
    rest = [calls(NEXT), says("It breathes."), *PASSES]
    play = hall(*MINE, calls(BREATH), TIMEOUT, *rest, is_fighting=True)
    assert play.say("I wait").outcome == "failed"
    asked = len(play.model.requests)
    assert play.say().outcome == "answered"
    before = [message.text for message in play.model.requests[asked].messages[-2:]]
    assert "its breath" in before[0]
    assert '"new_hp": 41' in before[1]
    assert play.campaign.state["characters/aria.json"]["hp"] == 41
    assert "its breath" not in "".join(message.text for message in play.model.requests[-1].messages), "the wolf's turn"


def test_what_a_message_brought_is_not_taken_for_the_turn_after_it(hall: Any) -> None:
    play = hall(calls(NEXT), calls(BREATH), says("You wait, and it burns."), *PASSES, *PASSES, is_fighting=True)
    assert play.say("I wait").outcome == "answered"
    assert "(It is the turn of" in play.model.requests[3].messages[-1].text
    assert len(play.model.requests) == 7


def test_a_turn_that_was_ended_but_not_told_is_told_and_nothing_more_is_done(hall: Any) -> None:
    play = hall(*MINE, *PASSES, calls(BREATH, NEXT), TIMEOUT, says("The wolf breathes.", BREATH), is_fighting=True)
    assert play.say("I wait").outcome == "failed"
    assert play.master.is_due()
    assert play.say().outcome == "answered"
    assert play.model.requests[-1].tools == ()
    assert play.texts()[-1] == "The wolf breathes."
    assert play.campaign.state["characters/aria.json"]["hp"] == 41
    assert not play.master.is_due()


def test_what_is_told_late_is_told_again_without_calls(hall: Any) -> None:
    again = says("The wolf breathes.", BREATH)
    play = hall(*MINE, *PASSES, calls(BREATH, NEXT), TIMEOUT, says("Brom takes 9 damage."), again, is_fighting=True)
    play.campaign.set({"narration.check": "retry"})
    play.say("I wait")
    assert play.say().outcome == "answered"
    assert play.model.requests[-1].tools == ()
    assert play.texts()[-1] == "The wolf breathes."
    assert play.campaign.state["characters/aria.json"]["hp"] == 41


def test_what_was_ended_is_told_before_the_next_turn_begins(hall: Any) -> None:
    play = hall(*MINE, calls(BREATH, NEXT), TIMEOUT, says("The goblin spits."), *PASSES, is_fighting=True)
    play.say("I wait")
    assert play.say().outcome == "answered"
    assert play.texts()[-2:] == ["The goblin spits.", "It growls."]


@pytest.mark.parametrize("by", ["the player", "an enemy"])
def test_a_fight_that_ended_before_an_interruption_is_bridged_all_the_same(hall: Any, by: str) -> None:
    script = [calls(END), TIMEOUT, says("They flee."), says("Aria drove them off.")]
    play = hall(*(script if by == "the player" else [*MINE, *script]), is_fighting=True)
    play.say("I frighten them away")
    assert play.say().outcome == "answered"
    assert agents_of(play)[-2:] == ["combat", "summarizer"]
    assert play.texts()[-1] == "Aria drove them off."


def test_a_bridge_that_failed_is_written_before_the_next_message_is_answered(hall: Any) -> None:
    script = [calls(END), says("They flee."), TIMEOUT, says("Aria drove them off."), says("It is quiet.")]
    play = hall(*script, is_fighting=True)
    play.say("I frighten them away")
    play.say("I look around")
    assert play.texts() == ["They flee.", "Aria drove them off.", "It is quiet."]
    told = play.model.requests[-1]
    assert "Aria drove them off." in told.system + "".join(message.text for message in told.messages)
    assert sum("I look around" in message.text for message in told.messages) == 1


# hints


def hints_of(play: Table) -> list[list[str]]:
    """Return the tools that were hinted at, question by question."""
    blocks = (request.system.partition("## Tool hints")[2] for request in play.model.requests)
    return [[line.split("`")[1] for line in block.splitlines() if line.startswith("- `")] for block in blocks]


def turns_told(play: Table) -> list[str]:
    """Return whose turn it is, as the note of each question's hints has it."""
    return [request.system.rpartition(", turn of ")[2].partition(".")[0] for request in play.model.requests]


def test_hints_follow_the_fight(hall: Any) -> None:
    play = hall(calls(NEXT), says("You swing and miss."), *PASSES, *PASSES, is_fighting=True, suggest=suggest)
    play.say("I swing at the goblin, and that is my turn")
    assert hints_of(play) == [["execute_action", "advance_turn"], [], [], [], [], []]
    assert turns_told(play) == ["aria", "goblin", "goblin", "wolf", "wolf", "aria"]
    assert all(line["message_sha256"] for line in play.telemetry()), "each was looked at"


def test_a_hint_that_was_followed_is_not_given_again(hall: Any) -> None:
    dodge = call("execute_action", encounter_id="encounter-1", actor_id="aria", action_type="dodge")
    play = hall(calls(dodge), {"fail": "timeout"}, is_fighting=True, suggest=suggest)
    play.say("I dodge, and that is my turn")
    assert hints_of(play) == [["advance_turn", "execute_action"], ["advance_turn"]]


def test_one_death_save_a_turn_is_enough(hall: Any) -> None:
    save = call("roll_death_save", character_id="aria")
    play = hall(calls(save), {"fail": "timeout"}, is_fighting=True, suggest=suggest)
    play.campaign.process({"tool_calls": [call("hp_delta", target_character_id="aria", delta=-44, cause="a fall")]})
    play.say("I lie still")
    assert hints_of(play) == [["roll_death_save"], []]


OGG_LAST = call(
    "create_encounter",
    participants=[
        {"character_id": "aria", "position": {"x": 2, "y": 2}, "initiative_bonus": 60},
        {"character_id": "ogg", "position": {"x": 3, "y": 3}, "is_enemy": False, "initiative_bonus": 20},
        {"id": "rat", "name": "Rat", "hp": 1, "max_hp": 1, "ac": 5, "position": {"x": 3, "y": 2}, "is_enemy": True},
    ],
)


@pytest.fixture
def beside_ogg(tmp_path: Path) -> Iterator[Any]:
    """Give a function that begins a fight in which an ally whom nobody plays stands between Aria and a rat."""
    opened: list[Table] = []

    def begin(*lines: Line) -> Table:
        documents = hall_documents()
        documents["characters/ogg.json"]["character_type"] = "npc"
        campaign = builders.begin(tmp_path / "beside", documents)
        assert campaign.process({"tool_calls": [OGG_LAST]})["status"] == "applied"
        opened.append(Table(campaign, tmp_path / "beside", *lines, suggest=suggest))
        return opened[-1]

    yield begin
    for one in opened:
        one.campaign.close()


def test_a_fight_that_is_won_in_another_s_turn_is_to_be_ended(beside_ogg: Any) -> None:
    crushes = call(
        "execute_action",
        encounter_id="encounter-1",
        actor_id="ogg",
        action_type="attack",
        target_id="rat",
        attack_bonus=30,
        damage_expression="9",
    )
    play = beside_ogg(calls(NEXT), says("You wait."), calls(crushes), {"fail": "timeout"})
    play.say("I end my turn")
    assert hints_of(play)[2:] == [[], ["end_encounter"]]


def test_what_a_player_says_on_an_ally_s_turn_is_the_ally_s_act(beside_ogg: Any) -> None:
    play = beside_ogg(says("He strikes."))
    play.campaign.process({"tool_calls": [NEXT]})
    play.say("Ogg attacks the rat, and that ends the turn.")
    assert "advance_turn" in hints_of(play)[0]


def test_nobody_ends_another_player_s_turn(hall: Any) -> None:
    play = hall(says("It is Aria's turn."), is_fighting=True, suggest=suggest)
    play.say("I end my turn", authority="player:brom")
    assert hints_of(play)[0] == []
