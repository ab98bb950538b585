"""What an earlier machine of this kind got wrong, one test for each fault; the numbers are those of the list."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.builders import Json, call, results
from tests.scenes.doing import (
    ACCEPT,
    RETREAT,
    TOLD,
    answer,
    bargain,
    choose_die,
    data,
    do,
    edges,
    engage,
    pass_out,
    pc,
    reasons,
    resolve,
    say,
    spend,
    tell,
    to_action,
    types,
    waits,
)
from tests.scenes.moments import (
    BROKEN,
    CHOICES,
    RISKY,
    SCENE,
    SUMMARY,
    WAYS,
    at,
    in_aftermath,
    in_bargain,
    in_mood,
    night,
    opening,
    unborn,
)
from tests.scenes.table import TOOLS, Table, clock, started

from turnwright.rulesets.scenes.moods import TOOLS_OF_MOOD
from turnwright.rulesets.scenes.tiers import TIERS


def narrations(count: int) -> list[Json]:
    return [{"beat": "dm_narration", "text": f"beat {n}", "mood": "scene", "seq": 0, "turn": 0} for n in range(count)]


def with_beats(count: int, **crew: Any) -> Table:
    values = started(**crew)
    values["scenes/s.json"] = {**values["scenes/s.json"], "beats": narrations(count)}
    return Table(values)


def test_01_each_mood_has_its_own_tools() -> None:
    for mood in ("scene", "action", "aftermath", "trauma", "bargain"):
        refused = [tool for tool in TOOLS if reasons(do(in_mood(mood), call(tool, x=1))) == ["tool_not_in_mood"]]
        assert sorted(set(TOOLS) - set(refused)) == sorted(TOOLS_OF_MOOD[mood])


def test_02_every_option_of_an_interlude_leads_on() -> None:
    goal = clock("ledger", 1, type="goal")
    options = ["lay_low", "recover", "work_goal:ledger", "new_scene", "end_session"]
    for option in options:
        table = in_bargain(heat=2, **goal)
        do(table, RETREAT)
        reply = do(table, output={"text": "Days go by."})
        assert [entry["key"] for entry in reply["request"]["payload"]["options"]] == options
        assert answer(table, option)["status"] == "applied"
        assert waits(table)[0] == ("none" if option == "end_session" else "dm_scene_init")


def test_03_a_retreat_is_final() -> None:
    table = in_bargain()
    do(table, RETREAT)
    assert table.crew["phase"]["tag"] == "between_scenes"
    assert table.state["scenes/s.json"]["open"] is False
    other = in_bargain()
    do(other, pass_out())
    assert other.crew["phase"]["scene_id"] != "s"
    assert other.mood is not None
    assert other.mood["source"] == "waking up"


@pytest.mark.parametrize("mood", ["scene", "aftermath"])
def test_04_a_scene_that_should_end_ends(mood: str) -> None:
    table = in_mood(mood)
    assert tell(table, continue_scene=False)["status"] == "applied"
    assert table.crew["phase"]["tag"] == "between_scenes"


def test_05_the_last_die_breaks_the_turn() -> None:
    table = Table(started(dice_pool=[3]))
    to_action(table)
    do(table, spend([3]))
    reply = answer(table, 0, tool_calls=[resolve("costly")])
    assert table.mood is not None
    assert table.mood["mood"] == "bargain"
    assert reasons(reply) == ["after_transition"]
    assert reasons(do(table, resolve("costly"))) == ["tool_not_in_mood"]


def test_06_the_end_of_the_pool_is_told_when_it_comes() -> None:
    table = Table(started(dice_pool=[3]))
    to_action(table)
    reply = choose_die(table, 0)
    assert types(reply) == ["DieSpent", "DicePoolDepleted", "BargainOffered", "MoodTransition"]


def test_07_a_full_clock_breaks_in() -> None:
    table = in_aftermath(**clock("wardens", 3))
    tell(table, ACCEPT, clock_ticks=[{"clock_id": "wardens", "ticks": 2}])
    assert table.crew["pending_interrupt"] == {
        "clock_id": "wardens",
        "event_type": "clock_completed",
        "description": "wardens comes",
        "forces_action": True,
    }
    reply = say(table)
    assert "InterruptFired" in types(reply)
    assert table.crew["pending_interrupt"] is None


def test_08_what_a_full_clock_brings_must_be_made_real() -> None:
    table = in_aftermath(**clock("wardens", 3))
    tell(table, ACCEPT, clock_ticks=[{"clock_id": "wardens", "ticks": 1}])
    assert table.state["clocks/wardens.json"]["completed_at_turn"] == 0
    assert [entry["text"] for entry in table.crew["pending_consequences"]] == ["wardens comes"]
    say(table)
    assert reasons(tell(table)) == ["consequence_unaddressed"]
    identifier = table.crew["pending_consequences"][0]["id"]
    effects = {"consequence_id": identifier, "acknowledged": True, "heat_delta": 2, "note": "They are here."}
    reply = tell(table, consequence_effects=[effects])
    assert (table.crew["heat"], table.crew["pending_consequences"]) == (2, [])
    assert types(reply)[:2] == ["ConsequenceApplied", "HeatChanged"]


def test_08_what_came_up_after_the_prompt_is_not_yet_owed() -> None:
    table = in_aftermath(**clock("wardens", 3))
    assert tell(table, clock_ticks=[{"clock_id": "wardens", "ticks": 1}])["status"] == "applied"
    assert len(table.crew["pending_consequences"]) == 1


def test_09_a_summary_changes_no_number() -> None:
    table = with_beats(19, pc={"stress": 4, "coin": 2})
    tell(table)
    reply = do(table, output={**SUMMARY, "stress_change": 3, "coin_change": -2})
    assert reply["applied_actions"][0]["warnings"] == ["lint_ledger_mismatch"]
    assert (pc(table)["stress"], pc(table)["coin"]) == (4, 2)


@pytest.mark.parametrize(
    ("deal", "stress"),
    [
        (bargain("stress", 2, 2), 6),
        (bargain("heat", 1, 1), 4),
        (bargain("wanted", 1, 2), 4),
        (bargain("clock", 1, 1, bargain_cost_target="wardens"), 4),
        (bargain("faction", 1, 2, bargain_cost_target="lampblacks"), 4),
        (bargain("item", 1, 2, bargain_cost_target="a watch"), 4),
        (bargain("trauma", 1, 3, bargain_trauma_name="cold"), 0),
    ],
)
def test_10_no_price_but_trauma_takes_stress_away(deal: Json, stress: int) -> None:
    table = in_bargain(pc={"stress": 4}, **clock("wardens"), **FACTION)
    assert do(table, deal)["status"] == "applied"
    assert pc(table)["stress"] == stress


FACTION = {"factions/lampblacks.json": {"id": "lampblacks", "name": "Lampblacks", "attitude": "neutral"}}


@pytest.mark.parametrize("kind", ["clock", "faction", "item", "trauma"])
def test_11_a_price_without_its_target_buys_nothing(kind: str) -> None:
    table = in_bargain(**clock("wardens"), **FACTION)
    assert reasons(do(table, bargain(kind))) == ["bargain_target_missing"]
    assert (table.crew["dice_pool"], waits(table)[1]) == ([], "bargain")


@pytest.mark.parametrize(
    ("kind", "target", "reason"),
    [
        ("clock", "nobody", "bargain_target_unknown"),
        ("clock", "ledger", "bargain_target_unknown"),
        ("faction", "nobody", "bargain_target_unknown"),
        ("faction", "watch", "bargain_no_effect"),
        ("heat", None, "bargain_no_effect"),
        ("wanted", None, "bargain_no_effect"),
    ],
)
def test_11_a_price_that_costs_nothing_buys_nothing(kind: str, target: str | None, reason: str) -> None:
    watch = {"factions/watch.json": {"id": "watch", "name": "The Watch", "attitude": "hostile"}}
    table = in_bargain(heat=10, wanted=4, **clock("ledger", type="goal"), **watch)
    named: dict[str, Any] = {"bargain_cost_target": target} if target else {}
    reply = do(table, bargain(kind, **named))
    assert reasons(reply) == [reason]
    assert (table.crew["dice_pool"], reply["events"]) == ([], [])


def test_12_dice_that_are_gained_are_drawn() -> None:
    table = in_bargain()
    do(table, bargain("stress", 3, 3))
    draws = table.record["draws"]
    assert [(draw["why"], draw["sides"], draw["part"]) for draw in draws] == [("pool", 6, 1)] * 3
    assert [draw["value"] for draw in draws] == table.crew["dice_pool"]
    other = night()
    answer(other, "recover")
    assert [draw["why"] for draw in other.record["draws"]] == ["pool"] * 2


@pytest.mark.parametrize(
    ("faces", "reason"),
    [
        ([2], "outcome_count_mismatch"),
        ([2, 6, 6], "outcome_count_mismatch"),
        ([2, 5], "outcome_die_not_in_pool"),
        ([6, 6], "outcome_die_not_in_pool"),
    ],
)
def test_13_every_die_needs_an_outcome_of_its_own(faces: list[int], reason: str) -> None:
    table = Table(started())
    to_action(table)
    assert reasons(do(table, spend(faces))) == [reason]
    assert (table.crew["pending_outcome"], waits(table)[0]) == (None, "dm_turn")


def test_13_outcomes_may_stand_in_another_order() -> None:
    table = Table(started())
    to_action(table)
    reply = do(table, spend([6, 2]))
    assert [(die["index"], die["value"], die["hint"]) for die in results(reply)[0]["dice"]] == [
        (0, 2, "way 1 of some"),
        (1, 6, "way 0 of some"),
    ]


def test_14_there_is_nothing_to_spend_without_dice() -> None:
    awaiting = {"stage": "dm_turn", "mood": "action", "for": "pc", "segment": 2}
    pending = {"situation": "x", "position": "risky", "request_id": "r", "chosen_die": 2, "chosen_index": 0}
    values = started(mood=RISKY, dice_pool=[], awaiting=awaiting, request=None, pending_outcome=pending)
    table = Table(values)  # no play leads there
    reply = do(table, call("spend_die", situation="x", outcomes=[]))
    assert reasons(reply) == ["pool_empty"]


def test_15_there_is_one_position() -> None:
    table = Table(started(dice_pool=[1]))
    to_action(table, "desperate")
    offer = spend([1])
    assert reasons(do(table, {**offer, "args": {**offer["args"], "position": "risky"}})) == ["position_mismatch"]
    do(table, {**offer, "args": {**offer["args"], "position": "DESPERATE"}})
    answer(table, 0)
    pending = table.crew["pending_outcome"]
    assert (pending["chosen_tier"], pending["position"]) == (TIERS["desperate"][1], "desperate")


def test_16_remaining_dice_are_computed_by_index() -> None:
    table = Table(started(dice_pool=[4, 2, 4, 4]))
    to_action(table)
    choose_die(table, 2)
    assert table.crew["dice_pool"] == [4, 2, 4]
    do(table, resolve("clean"))
    assert table.mood is not None
    assert table.mood["action_context"]["other_dice"] == [4, 2, 4]


def test_17_a_setback_keeps_what_was_said_of_it() -> None:
    table = Table(started())
    to_action(table)
    choose_die(table, 0)
    more = {"resolve_costs": ["rope"], "resolve_complications": ["a light"], "immediate_danger": True}
    do(table, resolve("setback", escape_route="the chimney", **more))
    kept = {"immediate_danger": True, "escape_route": "the chimney"}
    kept |= {"costs_paid": ["rope"], "new_complications": ["a light"], "what_went_wrong": "onto the gallery"}
    assert table.mood is not None
    assert kept.items() <= table.mood.items()


def test_18_one_die_is_spent_at_a_time() -> None:
    table = Table(started(dice_pool=[2, 6, 5]))
    to_action(table)
    choose_die(table, 0)
    assert reasons(do(table, spend([6, 5]))) == ["outcome_pending"]
    tell(table)
    say(table)
    assert reasons(do(table, spend([6, 5]))) == ["outcome_pending"]


def test_19_the_scar_is_given_by_its_name_everywhere() -> None:
    table = at({**BROKEN, "adrenaline": True}, pc={"stress": 9})
    reply = tell(table, trauma_assigned="vicious")
    assert [event["trauma"] for event in data(reply, "TraumaTriggered")] == ["vicious"]
    assert pc(table)["trauma"] == ["vicious"]
    assert table.crew["scene_entry_context"]["trauma_gained"] == "vicious"
    assert "pending" not in json.dumps(reply["events"])


def test_20_a_breaking_point_is_never_lost() -> None:
    table = at(BROKEN, pc={"stress": 9})
    for _ in range(4):
        do(table, output={"nonsense": 1})
        assert waits(table)[:2] == ("dm_turn", "trauma")
    tell(table, trauma_assigned="cold")
    assert pc(table)["stress"] == 0


def test_20_it_is_the_level_that_counts_and_not_the_step() -> None:
    table = Table(started(pc={"stress": 9}))
    reply = tell(table)  # nothing changes any stress here
    assert edges(reply) == [("stress_max", "scene", "trauma")]


@pytest.mark.parametrize("way", [bargain("stress", 1, 1), pass_out()])
def test_21_a_bargain_can_break_somebody(way: Json) -> None:
    table = in_bargain(pc={"stress": 8})
    assert edges(do(table, way))[-1][2] == "trauma"


def test_22_a_turn_ends_after_so_many_changes_of_mood() -> None:
    table = Table(started(dice_pool=[4] * 6, **{"campaign.json": {"settings": {"scene": {"max_transitions": 1}}}}))
    to_action(table)
    choose_die(table, 0)
    reply = do(table, resolve("clean"))
    assert reasons(reply) == ["transition_limit"]
    assert "TurnLimitReached" in types(reply)
    assert waits(table)[:2] == ("player_text", "action")
    assert table.crew["pending_outcome"] is not None


@pytest.mark.parametrize(
    ("mood", "given"),
    [
        ("scene", engage("reckless")),
        ("scene", engage(engage_domain="cooking")),
        ("scene", call("set_scene_style", style_class="Gutter")),
        ("action", resolve("fine")),
        ("aftermath", call("accept", accept_transition="x", next_variant={"variant": "dream"})),
        ("bargain", bargain("blood")),
    ],
)
def test_23_a_word_nobody_knows_is_refused(mood: str, given: Json) -> None:
    reply = do(in_mood(mood), given)
    assert reasons(reply) == ["invalid_args"]
    assert reply["events"] == []


def test_24_threats_are_few_and_can_be_closed() -> None:
    table = in_aftermath(unresolved_threats=["a", "b", "c", "d", "e"])
    reply = tell(table, ACCEPT, threats_resolved=[" B "], threat_description="f")
    assert table.crew["unresolved_threats"] == ["f", "a", "c", "d", "e"]
    assert data(reply, "ThreatFaded") == []
    say(table)
    reply = tell(table, threat_description="g")
    assert table.crew["unresolved_threats"] == ["g", "f", "a", "c", "d"]
    assert data(reply, "ThreatFaded") == [{"text": "e"}]
    assert reasons(tell(table, threats_resolved=["z"])) == ["invalid_args"]


def test_24_seeds_in_one_line_are_split() -> None:
    table = with_beats(19)
    tell(table)
    do(table, output={**SUMMARY, "consequence_seeds": "a debt, the watch"})
    assert table.crew["unresolved_threats"] == ["the watch", "a debt"]


def test_25_what_led_into_a_scene_is_shown_once() -> None:
    table = in_aftermath()
    tell(table, ACCEPT)
    assert table.crew["scene_entry_context"] is not None
    say(table)
    assert table.crew["scene_entry_context"] is not None
    tell(table)
    assert table.crew["scene_entry_context"] is None


def test_26_summaries_are_kept_for_later_prompts() -> None:
    table = with_beats(19)
    tell(table)
    do(table, output=SUMMARY)
    assert table.crew["recent_summary_ids"] == ["summary-1"]
    assert table.state["summaries/summary-1.json"]["key_moments"] == ["a door"]


def test_27_screen_and_rules_have_one_table_of_tiers() -> None:
    faces = [6, 5, 4, 3, 2, 1]
    for position, tiers in TIERS.items():
        table = Table(started(dice_pool=faces))
        to_action(table, position)
        reply = do(table, spend(faces))
        assert [die["tier"] for die in data(reply, "DiceOffered")[0]["dice"]] == [tiers[face] for face in faces]
        assert [die["tier"] for die in reply["request"]["payload"]["dice"]] == [tiers[face] for face in faces]


def test_28_options_of_a_choice_are_pairs_of_weight_and_label() -> None:
    table = Table(started())
    say(table)
    assert do(table, call("choose", options=[[1, "left"], [2.5, "right"]]))["status"] == "applied"
    for wrong in ([[1, 2], [3, 4]], [["left", 1], ["right", 1]], [[1, "left"]], [[0, "a"], [1, "b"]]):
        assert reasons(do(table, call("choose", options=wrong))) == ["invalid_args"]


def test_29_an_answer_counts_once_and_for_its_own_question() -> None:
    table = Table(started())
    to_action(table)
    do(table, spend([2, 6]))
    first = {"answer": {"request_id": table.request_id, "value": 0}}
    assert table.process(first)["status"] == "applied"
    before = table.crew
    assert reasons(table.process(first)) == ["request_stale"]
    assert table.crew == before
    wrong = {"answer": {"request_id": "nobody-asked", "value": 0}}
    assert reasons(table.process(wrong)) == ["request_stale"]


def test_30_a_new_scene_begins_with_something() -> None:
    table = opening()
    reply = do(table, output=SCENE)
    assert [event["text"] for event in data(reply, "NarrativeAdded")] == ["Morning."]
    assert (table.scene()["location"], table.scene()["stakes"]) == ("roof", "find out")
    assert table.crew["suggested_actions"] == ["Look", "Run"]
    assert reasons(do(opening(), output={**SCENE, "location_id": "nowhere"})) == ["scene_init_invalid"]


def test_31_a_hidden_clock_can_be_a_price_and_stays_hidden() -> None:
    table = in_bargain(**clock("deep", visible=False))
    reply = do(table, bargain("clock", 2, 2, bargain_cost_target="deep"))
    assert table.state["clocks/deep.json"]["filled"] == 2
    seen = [event for event in reply["events"] if event["audience"] == "player"]
    assert "deep" not in json.dumps(seen)


def test_32_to_pass_out_never_overfills_a_clock() -> None:
    table = in_bargain(**clock("full", 4, completed_at_turn=1), **clock("near", 3))
    reply = do(table, pass_out("x", "near", "full"))
    assert [table.state[f"clocks/{name}.json"]["filled"] for name in ("full", "near")] == [4, 4]
    assert [event["id"] for event in data(reply, "ClockAdvanced")] == ["near"]
    assert [event["clock_id"] for event in data(reply, "ClockCompleted")] == ["near"]


def test_33_an_output_that_fails_is_asked_for_again() -> None:
    table = Table(started())
    say(table)
    for repairs in (1, 2):
        do(table, output={**TOLD, "stress_delta": 1})
        assert (waits(table)[0], table.crew["awaiting"]["repairs"]) == ("dm_turn", repairs)
    assert tell(table)["status"] == "applied"
    assert table.crew["turn"] == 1


def test_34_heat_is_no_price_of_an_entanglement() -> None:
    table = in_bargain(heat=10, pc={"coin": 2})
    do(table, RETREAT)
    assert waits(table)[0] == "dm_entanglement"
    entanglement = {"eo_type": "raid", "eo_narration": "They knock.", "eo_options": WAYS}
    hot = {**entanglement, "eo_options": [{**WAYS[0], "eo_cost_type": "heat"}, *WAYS[1:]]}
    assert reasons(do(table, output=hot)) == ["invalid_args"]
    do(table, output=entanglement)
    reply = answer(table, 0)
    changes = [
        (kind, event["from"], event["to"])
        for kind in types(reply)
        if kind.endswith("Changed")
        for event in data(reply, kind)
    ]
    assert changes == [("CoinChanged", 2, 1), ("WantedChanged", 0, 1), ("HeatChanged", 10, 0)]


def test_35_clocks_move_in_play() -> None:
    table = in_aftermath(**clock("wardens", 1))
    ticks = [{"clock_id": "wardens", "ticks": 2, "reason": "the bell"}]
    reply = tell(table, clock_ticks=ticks)
    assert [(tick["from"], tick["to"]) for tick in data(reply, "ClockAdvanced")] == [(1, 3)]
    say(table)
    tell(table, ACCEPT)
    say(table)
    assert reasons(tell(table, clock_ticks=ticks)) == ["delta_not_allowed_in_mood"]


def test_36_a_narration_before_a_transition_can_be_kept() -> None:
    table = Table(started())
    say(table)
    do(table, engage(), output=TOLD, keep_narration=True)
    assert [beat["beat"] for beat in table.scene()["beats"]] == ["player_action", "dm_narration"]


def test_37_an_aftermath_ends_by_itself() -> None:
    table = in_aftermath()
    tell(table)
    say(table)
    assert "AutoAccepted" in types(tell(table))


def test_38_the_first_pool_is_rolled_once_when_the_scenario_starts() -> None:
    from tests.scenes.beginnings import SCENARIO

    table = unborn()
    assert table.crew["dice_pool"] == []
    answer(table, CHOICES)
    assert table.crew["dice_pool"] == []
    reply = do(table, output=SCENARIO)
    assert data(reply, "DiceGained") == [{"values": table.crew["dice_pool"], "pool_size": 5, "source": "init"}]
    assert [draw["why"] for draw in table.record["draws"]] == ["pool"] * 5
    pool = table.crew["dice_pool"]
    for _ in range(3):
        say(table)
        tell(table)
    assert table.crew["dice_pool"] == pool
