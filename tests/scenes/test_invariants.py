"""That what is held to be always so would be noticed if it were not: each check meets a table that breaks it.

And nights that lead through every stage there is, on which all of them hold.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest
from tests.builders import Json
from tests.scenes import invariants
from tests.scenes.beginnings import SCENARIO
from tests.scenes.doing import (
    ACCEPT,
    RETREAT,
    answer,
    choose_die,
    city,
    do,
    engage,
    pass_out,
    resolve,
    say,
    tell,
    waits,
)
from tests.scenes.invariants import HUSH, UNTOLD, Sums
from tests.scenes.moments import (
    BROKEN,
    CHOICES,
    ECHO,
    RISKY,
    SCENE,
    SUMMARY,
    WAYS,
    at,
    in_bargain,
    unborn,
)
from tests.scenes.table import Table, clock, started

Change = Callable[[Table], Any]


def crew(**fields: Any) -> Change:
    def change(table: Table) -> None:
        table.state["crew.json"] |= fields

    return change


def mood(value: Json, **fields: Any) -> Change:
    def change(table: Table) -> None:
        table.crew["phase"]["mood"] = value
        table.state["crew.json"] |= fields

    return change


def document(path: str, **fields: Any) -> Change:
    def change(table: Table) -> None:
        table.state[path] = table.state.get(path, {}) | fields

    return change


def event(kind: str, audience: str = "player", **data: Any) -> Change:
    def change(table: Table) -> None:
        held = {key.removesuffix("_"): value for key, value in data.items()}
        told = {"type": kind, "part": 0, "segment": 1, "audience": audience, "data": held, "cause": "output"}
        table.record["events"].append(told)

    return change


def gone(path: str) -> Change:
    def change(table: Table) -> None:
        table.before[path] = {"id": "x"}

    return change


PC = "characters/pc.json"
STAGE = {"prompt_id": 0, "segment": 1, "for": None, "repairs": 0}
SPOILT: list[tuple[Callable[[Table], None], Change]] = [
    (invariants.numbers_are_in_their_bounds, document(PC, stress=10)),
    (invariants.numbers_are_in_their_bounds, document(PC, coin=-1)),
    (invariants.numbers_are_in_their_bounds, crew(heat=11)),
    (invariants.numbers_are_in_their_bounds, crew(wanted=5)),
    (invariants.numbers_are_in_their_bounds, crew(dice_pool=[1] * 7)),
    (invariants.numbers_are_in_their_bounds, crew(dice_pool=[0])),
    (invariants.lists_are_short_and_hold_nothing_twice, crew(recent_costs=["a", "b", "c", "d"])),
    (invariants.lists_are_short_and_hold_nothing_twice, crew(unresolved_threats=list("abcdef"))),
    (invariants.lists_are_short_and_hold_nothing_twice, crew(unresolved_threats=["a", "A"])),
    (invariants.full_clocks_are_complete, document("clocks/wardens.json", filled=4)),
    (invariants.full_clocks_are_complete, document("clocks/wardens.json", completed_at_turn=1)),
    (invariants.scene_and_mood_are_there_while_it_is_played, crew(phase={"tag": "playing", "scene_id": "s"})),
    (invariants.scene_and_mood_are_there_while_it_is_played, crew(phase={"tag": "between_scenes"})),
    (invariants.scene_and_mood_are_there_while_it_is_played, document("scenes/t.json", open=True)),
    (invariants.nobody_stays_at_the_brink, document(PC, stress=9)),
    (invariants.a_bargain_has_no_dice_and_three_ways_out, mood({"mood": "bargain"}, dice_pool=[1])),
    (invariants.futures_are_on_offer_while_a_die_is_awaited, crew(awaiting={**STAGE, "stage": "player_dice"})),
    (invariants.futures_are_on_offer_while_a_die_is_awaited, crew(pending_outcome={})),
    (invariants.an_action_has_dice, mood(RISKY, dice_pool=[])),
    (invariants.every_change_of_a_number_is_told, crew(heat=3)),
    (invariants.every_change_of_a_number_is_told, document(PC, stress=1)),
    (invariants.every_change_of_a_number_is_told, document(PC, coin=1)),
    (invariants.every_change_of_a_number_is_told, event("HeatChanged", from_=0, to=1)),
    (invariants.what_grows_only_grows, gone("summaries/summary-1.json")),
    (invariants.what_grows_only_grows, gone("rumors/rumor-1.json")),
    (invariants.what_grows_only_grows, lambda table: table.before["crew.json"].update(wanted=1)),
    (invariants.what_grows_only_grows, lambda table: table.before[PC].update(trauma=["cold"])),
    (invariants.what_grows_only_grows, document(PC, trauma=["cold", "Cold"])),
    (invariants.every_text_is_one_beat, crew(turn=7)),
    (invariants.every_text_is_one_beat, lambda table: table.scene()["beats"].clear()),
    (invariants.one_thing_is_awaited_and_somebody_can_give_it, crew(awaiting={**STAGE, "stage": "player_text"})),
    (invariants.one_thing_is_awaited_and_somebody_can_give_it, crew(awaiting={**STAGE, "stage": "none"})),
    (invariants.the_prompt_is_numbered, crew(awaiting={**STAGE, "stage": "dm_turn", "segment": 9})),
    (invariants.events_hold_what_they_should, event("AutoAccepted", "player")),
    (invariants.events_hold_what_they_should, event("AutoAccepted", "log", tool="x")),
]


def sound() -> Table:
    """Return a table after a player spoke, with everything in it to be changed."""
    table = Table(started(**clock("wardens", 1)))
    say(table)
    table.state, table.before = deepcopy(table.state), deepcopy(table.before)
    return table


@pytest.mark.parametrize(("holds", "change"), SPOILT)
def test_what_breaks_an_invariant_is_noticed(holds: Callable[[Table], None], change: Change) -> None:
    table = sound()
    holds(table)
    change(table)
    with pytest.raises(AssertionError):
        holds(table)


def test_that_somebody_else_breaks_is_noticed() -> None:
    table = at(BROKEN, pc={"stress": 9})
    invariants.nobody_stays_at_the_brink(table)
    table.crew["phase"]["mood"]["for"] = "pc2"
    with pytest.raises(AssertionError):
        invariants.nobody_stays_at_the_brink(table)


def test_a_bargain_that_ends_by_itself_is_noticed() -> None:
    table = in_bargain()
    tell(table)
    table.before = deepcopy(table.before)
    table.state = deepcopy(table.state)
    invariants.a_bargain_has_no_dice_and_three_ways_out(table)
    table.crew["phase"]["mood"] = ECHO
    with pytest.raises(AssertionError):
        invariants.a_bargain_has_no_dice_and_three_ways_out(table)


def test_documents_that_do_not_hold_together_are_noticed() -> None:
    values = started()
    values["crew.json"]["heat"] = 11
    with pytest.raises(AssertionError):
        invariants.the_documents_are_sound(Table(values))


@pytest.mark.parametrize("word", [f"the {HUSH} of it", f"{UNTOLD}7"])
def test_a_secret_that_is_told_is_noticed(word: str) -> None:
    table = sound()
    reply = say(table, "And?")
    invariants.what_players_see_keeps_the_secrets(table, reply, set())
    event("NarrativeAdded", text=word, source="dm")(table)
    with pytest.raises(AssertionError):
        invariants.what_players_see_keeps_the_secrets(table, {**reply, "events": table.record["events"]}, set())


def test_a_failed_part_that_changed_something_is_noticed() -> None:
    table = sound()
    reply = do(table, RETREAT)
    assert reply["status"] == "failed"
    invariants.what_fails_changes_nothing(table, reply)
    table.state = {**table.state, PC: {**table.state[PC], "coin": 1}}
    with pytest.raises(AssertionError):
        invariants.what_fails_changes_nothing(table, reply)


def test_a_failed_part_beside_others_that_changed_something_is_noticed() -> None:
    table = sound()
    turn = {"tool_calls": [{**engage(), "id": "a"}, {**RETREAT, "id": "b"}], "output": {}}
    then = table.twin()
    reply = table.process(turn)
    assert reply["status"] == "partial"
    invariants.what_fails_beside_others_changes_nothing(then.twin(), table, turn, reply)
    table.state = {**table.state, PC: {**table.state[PC], "coin": 1}}
    with pytest.raises(AssertionError):
        invariants.what_fails_beside_others_changes_nothing(then, table, turn, reply)


def test_a_turn_that_adds_up_wrongly_is_noticed() -> None:
    table = Table(started())
    say(table)
    tell(table, coin_delta=2)
    Sums().take(table)
    done = next(event for event in table.record["events"] if event["type"] == "TurnCompleted")
    done["data"]["coin_delta"] = 3
    with pytest.raises(AssertionError):
        Sums().take(table)


class Watched(Table):
    """A table at which everything is checked after each turn."""

    def process(self, turn: Any, **how: Any) -> Json:
        reply = super().process(turn, **how)
        invariants.what_players_see_keeps_the_secrets(self, reply, set())
        invariants.what_fails_changes_nothing(self, reply)
        for holds in invariants.ALWAYS:
            holds(self)
        return reply


def test_everything_holds_on_a_night_through_all_stages() -> None:
    table = Watched(unborn().state)
    stages = [waits(table)[0]]
    stages_of: list[Callable[[], Json]] = [
        lambda: answer(table, CHOICES),
        lambda: do(table, output=SCENARIO),
        lambda: say(table),
        lambda: do(table, engage()),
        lambda: choose_die(table, 0, stress_cost=1, heat_cost=3),
        lambda: do(table, resolve(_resolution(table), escape_route="out")),
        lambda: tell(table, ACCEPT, heat_delta=2),
        lambda: say(table),
        lambda: tell(table, continue_scene=False),
        lambda: do(table, output=SUMMARY),
        lambda: do(table, output={"text": "Days go by."}),
        lambda: answer(table, "new_scene"),
        lambda: do(table, output={**SCENE, "location_id": "quay"}),
        lambda: say(table),
        lambda: do(table, engage("desperate")),
        lambda: choose_die(table, 0, stress_cost=4, heat_cost=3),
    ]
    for step in stages_of:
        assert step()["status"] in ("applied", "empty"), table.record["tool_feedback"]
        stages.append(waits(table)[0])
    assert {"player_creation", "dm_scenario", "player_text", "dm_turn", "dm_compression", "dm_transition"} <= set(
        stages
    )
    assert {"player_choice", "dm_scene_init"} <= set(stages)


def _resolution(table: Table) -> str:
    allowed = {"critical": "clean", "success": "clean", "partial": "costly", "bad": "setback", "disaster": "disaster"}
    return allowed[table.crew["pending_outcome"]["chosen_tier"]]


def test_everything_holds_from_a_bargain_through_an_entanglement_to_the_end_of_the_session() -> None:
    table = Watched(in_bargain(heat=9, pc={"stress": 7, "coin": 1}, **clock("wardens", 2)).state)
    deal = {"label": "d", "hint": "h", "cost_type": "heat", "cost_amount": 1, "dice_gained": 1, "narrative": "Seen."}
    entanglement = {"eo_type": "raid", "eo_narration": "They knock.", "eo_options": WAYS}
    steps: list[Callable[[], Json]] = [
        lambda: do(table, output=city(deal, deal)),
        lambda: answer(table, "offer_1"),
        lambda: choose_die(table, 0, stress_cost=1),
        lambda: do(table, RETREAT),
        lambda: do(table, output=SUMMARY),
        lambda: do(table, output=entanglement),
        lambda: answer(table, 1),
        lambda: do(table, output={"text": "Days go by."}),
        lambda: answer(table, "end_session"),
    ]
    for step in steps:
        assert step()["status"] == "applied", table.record["tool_feedback"]
    assert waits(table)[0] == "none"
    table.resume()
    answer(table, "new_scene")
    do(table, output=SCENE)
    assert table.mood is not None
    assert table.mood["mood"] == "trauma"  # talking for hours was too much
    tell(table, trauma_assigned="soft")
    assert waits(table)[:2] == ("player_text", "scene")


def test_everything_holds_when_somebody_passes_out() -> None:
    table = Watched(in_bargain(pc={"stress": 7}, **clock("wardens", 3)).state)
    do(table, pass_out())
    while waits(table)[0] != "player_text":
        if waits(table)[0] == "dm_compression":
            do(table, output=SUMMARY)
        else:
            fields: Json = {"trauma_assigned": "soft"} if waits(table)[1] == "trauma" else {}
            tell(table, **fields)
    assert table.state["scenes/s.json"]["open"] is False
    say(table)
    assert waits(table)[1] == "action"  # the clock that filled meanwhile breaks in
