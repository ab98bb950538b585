"""The edges of the two machines: every change of mood and of phase, its guard, and what it does to the turn."""

from __future__ import annotations

from typing import Any

import pytest
from tests.builders import Json, call, results
from tests.scenes.beginnings import SCENARIO
from tests.scenes.doing import (
    ACCEPT,
    CHOOSE,
    CITY_OFFERS,
    ESCAPE,
    RETREAT,
    TOLD,
    answer,
    bargain,
    choose_die,
    city,
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
from tests.scenes.invariants import the_documents_are_sound
from tests.scenes.moments import (
    BROKEN,
    CHOICES,
    ECHO,
    RISKY,
    SCENE,
    at,
    due,
    forcing,
    in_aftermath,
    in_bargain,
    in_mood,
    night,
    opening,
    unborn,
)
from tests.scenes.table import TOOLS, Table, clock, started

from turnwright.model.viewer import Viewer
from turnwright.protocol.stage6_publish.publish import project

# the moods


def test_m1_engage_leads_from_the_scene_to_action() -> None:
    table = Table(started())
    say(table)
    reply = do(table, engage("Controlled"))
    assert edges(reply) == [("engage", "scene", "action")]
    assert types(reply) == ["MoodTransition"]
    assert table.mood is not None
    assert (table.mood["variant"], table.mood["advantage_source"]) == ("controlled", "the vault is below")
    assert waits(table) == ("dm_turn", "action", 2, 1)
    assert len(table.scene()["beats"]) == 1  # the input is told once, however often the turn begins anew


@pytest.mark.parametrize(("position", "can_retreat"), [("controlled", True), ("risky", True), ("desperate", False)])
def test_m2_engage_without_dice_leads_to_the_bargain(position: str, can_retreat: bool) -> None:
    table = Table(started(dice_pool=[]))
    say(table)
    reply = do(table, engage(position))
    assert edges(reply) == [("engage", "scene", "action"), ("engage", "action", "bargain")]
    assert data(reply, "DicePoolDepleted") == [{"context": "get in"}]
    assert data(reply, "BargainOffered") == [{"context": "get in", "can_retreat": can_retreat}]
    assert table.mood is not None
    assert (table.mood["can_retreat"], table.mood["what_drained"]) == (can_retreat, "get in")
    assert (table.mood["previous_mood"]["mood"], table.mood["previous_mood"]["variant"]) == ("action", position)
    assert waits(table) == ("dm_turn", "bargain", 2, 1)
    assert results(reply)[0]["transition"] == {"from": "scene", "to": "bargain"}


def test_m3_resolve_leads_from_action_to_the_aftermath() -> None:
    table = Table(started())
    to_action(table)
    choose_die(table, 1)
    reply = do(table, resolve("clean"))
    assert edges(reply) == [("resolve", "action", "aftermath")]
    assert table.crew["pending_outcome"] is None
    assert waits(table) == ("dm_turn", "aftermath", 3, 2)


def test_m3_wants_a_chosen_die() -> None:
    table = Table(started())
    to_action(table)
    assert reasons(do(table, resolve("clean"))) == ["no_outcome_to_resolve"]
    do(table, spend([2, 6]))
    assert reasons(do(table, resolve("clean"))) == ["awaiting_player"]
    assert waits(table) == ("player_dice", "action", 2, 1)


def test_m4_the_last_die_leads_to_the_bargain() -> None:
    table = Table(started(dice_pool=[3]))
    to_action(table)
    reply = choose_die(table, 0, stress_cost=1)
    assert edges(reply) == [("spend_die", "action", "bargain")]
    assert types(reply)[-3:] == ["DicePoolDepleted", "BargainOffered", "MoodTransition"]
    assert table.crew["pending_outcome"]["chosen_die"] == 3
    assert table.mood is not None
    assert table.mood["previous_mood"]["mood"] == "action"
    assert waits(table) == ("dm_turn", "bargain", 3, 2)
    assert table.crew["awaiting"]["player_text"] == "I go through the skylight."


def test_m5_a_die_that_breaks_somebody_leads_to_trauma() -> None:
    table = Table(started(pc={"stress": 7}))
    to_action(table)
    reply = choose_die(table, 0, stress_cost=2)
    assert edges(reply) == [("spend_die", "action", "trauma")]
    assert table.mood is not None
    assert (table.mood["for"], table.mood["adrenaline"], table.mood["trigger"]) == ("pc", True, "dice")
    assert waits(table) == ("dm_turn", "trauma", 3, 2)
    assert "TraumaTriggered" not in types(reply)


def test_m5_wins_over_m4() -> None:
    table = Table(started(dice_pool=[3], pc={"stress": 8}))
    to_action(table)
    reply = choose_die(table, 0, stress_cost=4)
    assert edges(reply) == [("spend_die", "action", "trauma")]
    assert data(reply, "DicePoolDepleted") == [{"context": "Through the skylight"}]
    assert "BargainOffered" not in types(reply)
    assert data(reply, "DeltaClamped") == [{"field": "stress", "requested": 4, "applied": 1}]
    tell(table, trauma_assigned="cold")
    assert waits(table)[:2] == ("player_text", "scene")  # no bargain before the next engagement
    say(table)
    assert edges(do(table, engage()))[-1] == ("engage", "action", "bargain")


def test_m6_accept_completes_the_turn_without_a_restart() -> None:
    table = in_aftermath()
    reply = tell(table, ACCEPT, stress_delta=1, cost_description="a scar")
    assert edges(reply) == [("accept", "aftermath", "scene")]
    assert reply["status"] == "applied"
    assert types(reply)[-1] == "TurnCompleted"
    assert table.mood == {
        "mood": "scene",
        "variant": "encounter",
        "source": "continuing",
        "urgency": "low",
        "escapable": True,
    }
    assert waits(table) == ("player_text", "scene", 1, 0)
    entry = table.crew["scene_entry_context"]
    assert (entry["transition_note"], entry["recent_costs"]) == ("The gallery is quiet again.", ["a scar"])


def test_m6_takes_the_variant_that_is_next() -> None:
    table = in_aftermath()
    variant = {"variant": "discovery", "what": "a door", "implications": ["more"]}
    do(table, call("accept", accept_transition="on", next_variant=variant))
    assert table.mood == {"mood": "scene", **variant}


def test_m6_an_accepted_aftermath_has_the_tools_of_the_scene_before_it_is_told() -> None:
    table = in_aftermath()
    do(table, ACCEPT)
    tried = {name: reasons(do(table, call(name, nonsense=1))) for name in TOOLS}
    assert {name for name, why in tried.items() if why == ["invalid_args"]} == {*MATRIX["scene"]}
    assert {*map(tuple, tried.values())} == {("invalid_args",), ("tool_not_in_mood",)}


def test_m6_what_is_accepted_may_lead_to_the_next_deed_in_the_same_breath() -> None:
    table = in_aftermath()
    reply = do(table, ACCEPT, engage())
    assert edges(reply) == [("accept", "aftermath", "scene"), ("engage", "scene", "action")]
    assert waits(table) == ("dm_turn", "action", 2, 1)


def test_m7_an_aftermath_is_over_after_two_turns() -> None:
    table = in_aftermath()
    assert edges(tell(table)) == []
    assert waits(table)[:2] == ("player_text", "aftermath")
    say(table, "And now?")
    reply = tell(table)
    assert edges(reply) == [("auto_accept", "aftermath", "scene")]
    assert data(reply, "AutoAccepted") == [{}]
    assert waits(table)[:2] == ("player_text", "scene")
    assert waits(table)[3] == 0
    assert table.crew["scene_entry_context"]["origin"] == "from_aftermath"


def test_m8_a_breaking_output_of_an_aftermath_queues_a_trauma_turn() -> None:
    table = in_aftermath(pc={"stress": 8})
    reply = tell(table, stress_delta=2)
    assert edges(reply) == [("stress_max", "aftermath", "trauma")]
    assert types(reply)[-1] == "TurnCompleted"
    assert table.mood is not None
    assert (table.mood["adrenaline"], table.mood["trigger"]) == (False, "turn")
    assert waits(table)[:2] == ("dm_turn", "trauma")
    assert waits(table)[3] == 0  # it does not count as a change of mood of this input
    assert table.crew["request"] is None


def test_m8_wins_over_the_scene_that_was_accepted() -> None:
    table = in_aftermath(pc={"stress": 8})
    reply = tell(table, ACCEPT, stress_delta=1)
    assert edges(reply) == [("accept", "aftermath", "scene"), ("stress_max", "scene", "trauma")]


@pytest.mark.parametrize(("mood", "adrenaline"), [("scene", False), ("action", True)])
def test_m8_a_consequence_can_break_somebody_anywhere(mood: str, adrenaline: bool) -> None:
    table = Table(started(pc={"stress": 8}, **due()))
    say(table)
    if mood == "action":
        do(table, engage())
    effects = {"consequence_id": "due", "acknowledged": True, "stress_delta": 3, "note": "They come."}
    reply = tell(table, consequence_effects=[effects])
    assert edges(reply) == [("stress_max", mood, "trauma")]
    assert table.mood is not None
    assert (table.mood["adrenaline"], table.mood["trigger"]) == (adrenaline, "consequence")
    assert waits(table)[:2] == ("dm_turn", "trauma")


@pytest.mark.parametrize(("note", "beat"), [("Boots on the stairs.", "Boots on the stairs."), (" ", "They come.")])
def test_what_a_full_clock_brings_is_a_beat_before_it_is_told(note: str, beat: str) -> None:
    table = Table(started(**due()))
    say(table)
    tell(table, consequence_effects=[{"consequence_id": "due", "heat_delta": 1, "note": note}])
    told = [(one["beat"], one["text"]) for one in table.scene()["beats"]]
    assert told[1:] == [("environment_shift", beat), ("dm_narration", TOLD["narration"])]


@pytest.mark.parametrize("silent", [{}, {"note": " "}, {"faction_shift": {"faction_id": "watch", "steps": 0}}])
def test_a_full_clock_of_which_nothing_comes_needs_a_word_about_why(silent: Json) -> None:
    table = Table(started(**due(), **{"factions/watch.json": {"id": "watch", "name": "Watch"}}))
    say(table)
    effects = {"consequence_id": "due", "acknowledged": True, **silent}
    reply = tell(table, consequence_effects=[effects])
    assert reasons(reply) == ["consequence_unaddressed"]
    hint = reply["tool_feedback"]["failed_calls"][0]["hint"]
    asked = {"got": effects["note"]} if "note" in effects else {"add": True}
    assert hint == {"field": "output.consequence_effects.0.note", **asked}
    assert reasons(tell(table, consequence_effects=[{**effects, "note": "They wait."}])) == []
    assert table.crew["pending_consequences"] == []


@pytest.mark.parametrize(
    "effects",
    [
        {"heat_delta": 1},
        {"coin_delta": -1},
        {"threat": "they know the door"},
        {"rumor": "the watch was there"},
        {"faction_shift": {"faction_id": "watch", "steps": -1}},
    ],
)
def test_a_full_clock_of_which_something_comes_needs_no_word_about_it(effects: Json) -> None:
    table = Table(started(**due(), **{"factions/watch.json": {"id": "watch", "name": "Watch"}}))
    say(table)
    reply = tell(table, consequence_effects=[{"consequence_id": "due", **effects}])
    assert reasons(reply) == []


def test_m9_a_deal_leads_back_to_what_was_going_on() -> None:
    table = in_bargain()
    reply = do(table, bargain("heat", 2, 2))
    assert edges(reply) == [("accept_bargain", "bargain", "action")]
    assert types(reply) == ["BargainAccepted", "HeatChanged", "DiceGained", "MoodTransition"]
    assert table.mood == RISKY
    assert len(table.crew["dice_pool"]) == 2
    assert waits(table) == ("dm_turn", "action", 2, 1)


def test_m10_a_deal_that_breaks_somebody_still_brings_its_dice() -> None:
    table = in_bargain(pc={"stress": 7})
    reply = do(table, bargain("stress", 3, 3))
    assert edges(reply) == [("accept_bargain", "bargain", "trauma")]
    assert len(table.crew["dice_pool"]) == 3
    assert table.mood is not None
    assert (table.mood["adrenaline"], table.mood["trigger"]) == (False, "bargain")
    assert waits(table) == ("dm_turn", "trauma", 2, 1)


def test_m11_to_pass_out_is_to_wake_up_in_a_new_scene() -> None:
    table = in_bargain(pc={"stress": 3}, **clock("wardens", 1))
    reply = do(table, pass_out())
    assert edges(reply) == [("pass_out", "bargain", "scene")]
    assert data(reply, "SceneEnded") == [{"reason": "pass_out"}]
    assert data(reply, "SceneStarted") == [{"location": "location-1"}]
    assert data(reply, "StressChanged") == [{"from": 3, "to": 5, "reason": "pass_out"}]
    assert [tick["id"] for tick in data(reply, "ClockAdvanced")] == ["wardens"]
    assert table.crew["dice_pool"] == [3, 3]
    assert table.mood == {
        "mood": "scene",
        "variant": "encounter",
        "source": "waking up",
        "urgency": "medium",
        "escapable": False,
    }
    scene = table.scene()
    assert (scene["stakes"], scene["present"]) == ("find out what happened", [])
    assert [(beat["beat"], beat["text"]) for beat in scene["beats"]] == [("environment_shift", "The lights go out.")]
    assert table.crew["scene_entry_context"]["origin"] == "from_pass_out"
    assert results(reply)[0]["clocks_advanced"] == ["wardens"]
    assert results(reply)[0]["woke_up_at"] == "location-1"


def test_m11_the_same_text_meets_the_new_scene_once_the_old_one_is_summed_up() -> None:
    table = in_bargain(**clock("wardens", 1))
    do(table, pass_out())
    assert waits(table)[0] == "dm_compression"
    do(table, output={"summary": "It went wrong.", "key_moments": ["the roof"]})
    assert waits(table) == ("dm_turn", "scene", 2, 1)
    assert table.crew["awaiting"]["player_text"] == "Go!"


def test_m11_an_old_scene_without_beats_needs_no_summary() -> None:
    table = in_bargain()
    do(table, pass_out())
    assert waits(table) == ("dm_turn", "scene", 2, 1)
    assert table.state["scenes/s.json"]["open"] is False


def test_m12_to_pass_out_can_break_somebody_in_the_new_scene() -> None:
    table = in_bargain(pc={"stress": 7})
    reply = do(table, pass_out())
    assert [edge[0] for edge in edges(reply)] == ["pass_out"] * len(edges(reply))
    assert edges(reply)[-1][2] == "trauma"
    assert table.mood is not None
    assert (table.mood["mood"], table.mood["trigger"], table.mood["adrenaline"]) == ("trauma", "pass_out", False)
    assert table.crew["phase"]["scene_id"] != "s"
    assert waits(table) == ("dm_turn", "trauma", 2, 1)


@pytest.mark.parametrize(
    ("adrenaline", "source", "urgency"), [(True, "running on adrenaline", "high"), (False, "after the break", "low")]
)
def test_m13_a_scar_leads_back_to_the_scene(adrenaline: bool, source: str, urgency: str) -> None:
    table = at({**BROKEN, "adrenaline": adrenaline}, pc={"stress": 9, "trauma": ["cold"]})
    reply = tell(table, trauma_assigned="Haunted")
    assert edges(reply) == [("trauma_complete", "trauma", "scene")]
    assert table.mood is not None
    assert (table.mood["source"], table.mood["urgency"], table.mood["escapable"]) == (source, urgency, True)
    assert (pc(table)["stress"], [name.casefold() for name in pc(table)["trauma"]]) == (0, ["haunted", "cold"])
    assert waits(table)[0] == "player_text"


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({}, "trauma_required"),
        ({"trauma_assigned": " "}, "trauma_required"),
        ({"trauma_assigned": "Pending"}, "trauma_required"),
        ({"trauma_assigned": "COLD"}, "duplicate_trauma"),
        ({"trauma_assigned": "soft", "stress_delta": -1}, "delta_not_allowed_in_mood"),
        ({"trauma_assigned": "soft", "continue_scene": False}, "scene_cannot_end"),
        ({"trauma_assigned": "x" * 41}, "invalid_args"),
    ],
)
def test_m13_wants_a_name_that_is_new(fields: Json, reason: str) -> None:
    table = at(BROKEN, pc={"stress": 9, "trauma": ["cold"]})
    for repair in range(1, 5):  # there is no fallback, however often
        assert reasons(tell(table, **fields)) == [reason]
        assert waits(table)[:2] == ("dm_turn", "trauma")
        assert table.crew["awaiting"]["repairs"] == repair


def test_m14_a_full_clock_forces_action_before_anybody_is_prompted() -> None:
    table = Table(started(**forcing()))
    reply = say(table)
    assert edges(reply) == [("clock_interrupt", "scene", "action")]
    assert data(reply, "InterruptFired") == [
        {"clock_id": "wardens", "description": "They are here.", "forces_action": True}
    ]
    assert table.mood is not None
    assert (table.mood["variant"], table.mood["threat"]) == ("risky", "They are here.")
    assert table.mood["opportunity"] == "react before it lands"
    assert table.crew["pending_interrupt"] is None
    assert waits(table) == ("dm_turn", "action", 1, 1)


def test_m14_leaving_an_aftermath_so_is_to_accept_it() -> None:
    table = at(ECHO, **forcing())
    reply = say(table)
    assert edges(reply) == [("clock_interrupt", "aftermath", "action")]
    assert table.crew["scene_entry_context"]["origin"] == "from_aftermath"


def test_m15_a_full_clock_without_dice_leads_to_the_bargain() -> None:
    table = Table(started(dice_pool=[], **forcing()))
    reply = say(table)
    assert edges(reply)[-1][2] == "bargain"
    assert {edge[0] for edge in edges(reply)} == {"clock_interrupt"}
    assert table.mood is not None
    assert table.mood["previous_mood"]["variant"] == "risky"
    assert table.mood["previous_mood"]["threat"] == "They are here."
    assert [event["can_retreat"] for event in data(reply, "BargainOffered")] == [True]
    assert waits(table) == ("dm_turn", "bargain", 1, 1)


@pytest.mark.parametrize("mood", [RISKY, BROKEN])
def test_m14_a_forcing_interrupt_waits_while_there_is_something_more_pressing(mood: Json) -> None:
    table = at(mood, pc={"stress": 9} if mood is BROKEN else {}, **forcing())
    reply = say(table)
    assert "InterruptFired" not in types(reply)
    assert table.crew["pending_interrupt"]["clock_id"] == "wardens"
    assert reasons(reply) == (["stage_mismatch"] if mood is BROKEN else [])


def test_m14_one_interrupt_a_turn_and_the_next_moves_up() -> None:
    second = {"clock_id": "tide", "event_type": "clock_completed", "description": "Water.", "forces_action": True}
    table = Table(started(interrupt_queue=[second], **forcing(), **clock("tide", 1)))
    say(table)
    assert (table.crew["pending_interrupt"], table.crew["interrupt_queue"]) == (None, [second])
    the_documents_are_sound(table)
    tell(table)
    reply = say(table)
    assert "InterruptFired" not in types(reply)  # the mood is action
    assert (table.crew["pending_interrupt"], table.crew["interrupt_queue"]) == (second, [])


def test_an_interrupt_without_force_is_shown_once_and_then_forgotten() -> None:
    table = Table(started(**forcing(forces_action=False)))
    assert edges(say(table)) == []
    assert table.crew["pending_interrupt"] is not None
    tell(table)
    assert table.crew["pending_interrupt"] is None


def test_a_turn_that_the_game_master_begins_waits_with_interrupts() -> None:
    table = Table(started(**forcing()))
    reply = tell(table)
    assert (reply["status"], edges(reply)) == ("applied", [])
    assert table.crew["pending_interrupt"] is not None
    assert table.crew["turn"] == 0


def test_m16_a_new_scene_begins_with_who_broke_between_the_scenes() -> None:
    table = opening(pc={"stress": 9, "pending_trauma": True})
    reply = do(table, output=SCENE)
    assert [edge[0::2] for edge in edges(reply)] == [("scene_start", "trauma")]
    assert waits(table)[:2] == ("dm_turn", "trauma")
    assert table.mood is not None
    assert (table.mood["for"], table.mood["adrenaline"]) == ("pc", False)
    tell(table, trauma_assigned="cold")
    assert (pc(table)["stress"], pc(table)["pending_trauma"]) == (0, False)


TWO = {
    "campaign.json": {"selected": {"party_character_ids": ["pc", "pc2"], "active_actor_id": "pc"}},
    "characters/pc2.json": {"id": "pc2", "name": "Bram", "stress": 9, "pending_trauma": True},
}


def test_m16_several_break_in_the_order_of_the_party() -> None:
    table = opening(pc={"stress": 9, "pending_trauma": True}, **TWO)
    do(table, output=SCENE)
    assert table.mood is not None
    assert table.mood["for"] == "pc"


def test_m16_several_break_in_one_scene_each() -> None:
    table = opening(pc={"stress": 9, "pending_trauma": True}, **TWO)
    do(table, output=SCENE)
    tell(table, trauma_assigned="cold")
    assert waits(table)[:2] == ("player_text", "scene")
    assert pc(table, "pc2")["pending_trauma"] is True


def test_m14_all_that_a_text_causes_belongs_to_its_first_segment() -> None:
    table = at({"mood": "scene", "variant": "encounter", "source": "x"}, **forcing())
    awaiting = {**table.crew["awaiting"], "segment": 4}
    table = Table({**table.state, "crew.json": {**table.crew, "awaiting": awaiting}})
    assert [event["segment"] for event in say(table)["events"]] == [1, 1, 1]


@pytest.mark.parametrize("pool", [[2, 6], []])
def test_a_hidden_clock_breaks_in_without_its_name(pool: list[int]) -> None:
    hidden = clock("wardens", 3, visible=False, name="HUSH", consequence="")
    table = Table(started(mood=ECHO, dice_pool=pool, **hidden))
    tell(table, ACCEPT, clock_ticks=[{"clock_id": "wardens", "ticks": 1}])
    reply = say(table)
    assert "HUSH" not in str(project(reply, Viewer.of("player:pc")))


# the matrix: what is no edge


MATRIX = {
    "scene": ("set_scene_style", "choose", "engage"),
    "action": ("set_scene_style", "spend_die", "resolve"),
    "aftermath": ("set_scene_style", "choose", "accept"),
    "trauma": (),
    "bargain": ("accept_bargain", "retreat", "pass_out"),
}


@pytest.mark.parametrize("mood", MATRIX)
@pytest.mark.parametrize("tool", TOOLS)
def test_a_tool_is_there_in_its_moods_and_in_no_other(mood: str, tool: str) -> None:
    table = in_mood(mood)
    reply = do(table, call(tool, nonsense=1))
    assert reasons(reply) == ["invalid_args" if tool in MATRIX[mood] else "tool_not_in_mood"]
    if tool not in MATRIX[mood]:
        shown = reply["tool_feedback"]["failed_calls"][0]["hint"]
        assert (shown["mood"], sorted(shown.get("choices", ()))) == (mood, sorted(MATRIX[mood]))


@pytest.mark.parametrize("tool", ["think", "think_as_dm", "speak_as_npc", "ask_player"])
def test_removed_tools_say_what_does_their_work(tool: str) -> None:
    reply = do(in_mood("scene"), call(tool))
    assert reasons(reply) == ["tool_removed"]
    assert reply["tool_feedback"]["failed_calls"][0]["hint"]["use"]


def test_where_there_is_no_way_back_retreat_is_unavailable() -> None:
    table = in_bargain(bargain={"can_retreat": False})
    assert reasons(do(table, RETREAT)) == ["retreat_unavailable"]
    assert waits(table)[:2] == ("dm_turn", "bargain")


@pytest.mark.parametrize("mood", ["action", "trauma", "bargain"])
def test_a_scene_ends_in_no_other_mood_than_scene_and_aftermath(mood: str) -> None:
    table = in_mood(mood)
    fields: Json = {"trauma_assigned": "cold"} if mood == "trauma" else {}
    reply = tell(table, **fields, continue_scene=False)
    assert reasons(reply) == ["invalid_args" if mood == "bargain" else "scene_cannot_end"]
    assert table.crew["phase"]["tag"] == "playing"


# the phases


@pytest.mark.parametrize("mood", ["scene", "aftermath"])
def test_a_scene_that_ends_leads_to_the_interlude(mood: str) -> None:
    table = in_mood(mood)
    reply = tell(table, continue_scene=False)
    assert [event["reason"] for event in data(reply, "SceneEnded")] == ["concluded"]
    assert table.crew["phase"]["tag"] == "between_scenes"
    assert table.crew["closed_scene_id"] == "s"
    assert waits(table)[:2] == ("dm_compression", None)
    assert edges(reply) == ([("accept", "aftermath", "scene")] if mood == "aftermath" else [])


def test_a_scene_that_ends_with_a_breaking_point_ends_after_the_trauma_turn() -> None:
    table = in_aftermath(pc={"stress": 8})
    tell(table, stress_delta=1, continue_scene=False)
    assert table.mood is not None
    assert table.mood["end_scene_after"] is True
    reply = tell(table, trauma_assigned="cold")
    assert table.crew["phase"]["tag"] == "between_scenes"
    assert "SceneEnded" in types(reply)


def test_a_retreat_leads_to_the_interlude_with_fresh_dice() -> None:
    table = in_bargain()
    reply = do(table, RETREAT)
    assert [event["reason"] for event in data(reply, "SceneEnded")] == ["retreat"]
    assert edges(reply) == [("retreat", "bargain", "between_scenes")]
    assert data(reply, "DiceGained") == [{"values": [4, 4, 4], "pool_size": 3, "source": "retreat"}]
    assert table.crew["dice_pool"] == [4, 4, 4]
    assert waits(table)[0] == "dm_transition"


@pytest.mark.parametrize("way", [RETREAT, pass_out()])
def test_no_pool_is_larger_than_the_setting_allows(way: Json) -> None:
    table = in_bargain(**{"campaign.json": {"settings": {"scene": {"pool_max": 1}}}})
    do(table, way)
    assert len(table.crew["dice_pool"]) == 1
    the_documents_are_sound(table)


def test_what_follows_a_retreat_in_the_same_turn_is_too_late() -> None:
    table = in_bargain()
    reply = do(table, RETREAT, pass_out(), output=TOLD)
    assert reasons(reply) == ["tool_not_in_phase", "after_transition"]


def test_an_open_interrupt_does_not_keep_a_scene_from_ending() -> None:
    table = at({"mood": "scene", "variant": "encounter", "source": "x"}, **forcing())
    tell(table, continue_scene=False)
    assert table.crew["phase"]["tag"] == "between_scenes"
    assert table.crew["pending_interrupt"] is not None


@pytest.mark.parametrize("option", ["recover", "new_scene"])
def test_the_interlude_leads_to_a_new_scene(option: str) -> None:
    table = night()
    answer(table, option)
    assert waits(table)[0] == "dm_scene_init"
    reply = do(table, output=SCENE)
    assert table.crew["phase"]["tag"] == "playing"
    assert data(reply, "SceneStarted") == [{"location": "roof"}]
    assert waits(table)[:2] == ("player_text", "scene")
    assert table.crew["scene_entry_context"]["origin"] == "from_interlude"


def test_lying_low_leads_to_a_new_scene() -> None:
    table = in_bargain(heat=3)
    do(table, RETREAT)
    do(table, output={"text": "Days go by."})
    reply = answer(table, "lay_low")
    assert data(reply, "HeatChanged") == [{"from": 3, "to": 2, "reason": "lay_low"}]
    assert waits(table)[0] == "dm_scene_init"


def test_a_session_that_a_player_ends_can_be_resumed() -> None:
    table = night()
    answer(table, "end_session")
    assert table.crew["phase"] == {"tag": "session_ended", "reason": "player_choice"}
    assert waits(table)[0] == "none"
    reply = table.process({"answer": {"request_id": "x", "value": 1}, "tool_calls": [CHOOSE], "output": TOLD})
    assert reasons(reply) == ["session_ended"] * 3
    assert say(table)["status"] == "empty"
    table.resume()
    assert (table.crew["phase"]["context"]["stage"], waits(table)[0]) == ("choosing", "player_choice")
    answer(table, "new_scene")
    assert waits(table)[0] == "dm_scene_init"


def test_a_character_leads_to_the_opening_and_the_opening_to_play() -> None:
    from tests.scenes.beginnings import SCENARIO

    table = unborn()
    assert waits(table)[0] == "player_creation"
    reply = answer(table, CHOICES)
    assert types(reply) == ["CharacterCreated"]
    assert table.crew["phase"]["tag"] == "scenario_init"
    assert waits(table)[0] == "dm_scenario"
    reply = do(table, output=SCENARIO)
    assert table.crew["phase"]["tag"] == "playing"
    assert (table.mood or {})["source"] == "opening"
    assert len(table.crew["dice_pool"]) == 5
    assert waits(table)[:2] == ("player_text", "scene")


def test_who_does_not_want_a_character_ends_the_session_for_good() -> None:
    table = unborn()
    answer(table, "cancel")
    assert table.crew["phase"] == {"tag": "session_ended", "reason": "creation_cancelled"}
    with pytest.raises(Exception, match="cannot be resumed"):
        table.resume()


def test_an_opening_that_does_not_hold_is_asked_for_again_and_again() -> None:
    table = unborn()
    answer(table, CHOICES)
    for _ in range(5):
        assert reasons(do(table, output={"fate_narration": "x"})) == ["invalid_args"]
        assert waits(table)[0] == "dm_scenario"


@pytest.mark.parametrize("tool", TOOLS)
def test_scene_tools_need_a_scene(tool: str) -> None:
    assert reasons(do(unborn(), call(tool))) == ["tool_not_in_phase"]


# restarts


def test_six_changes_of_mood_are_enough_for_one_input() -> None:
    table = in_bargain()
    awaiting = {**table.crew["awaiting"], "transition_count": 5}
    table = in_bargain()
    table = Table({**table.state, "crew.json": {**table.crew, "awaiting": awaiting}})
    assert do(table, bargain())["status"] == "applied"
    assert waits(table)[3] == 6
    choose_die(table, 0)
    assert waits(table)[:2] == ("dm_turn", "bargain")  # an answer of a player is never refused
    assert waits(table)[3] == 7
    reply = do(table, bargain())
    assert reasons(reply) == ["transition_limit"]
    assert len(data(reply, "TurnLimitReached")) == 1
    assert waits(table)[:2] == ("player_text", "bargain")
    assert table.crew["pending_outcome"]["chosen_die"]
    say(table, "On!")
    assert waits(table) == ("dm_turn", "bargain", 1, 0)
    assert do(table, bargain())["status"] == "applied"


def test_a_request_that_is_open_stays_open_when_the_limit_is_met_again() -> None:
    table = in_bargain()
    awaiting = {**table.crew["awaiting"], "transition_count": 6}
    table = Table({**table.state, "crew.json": {**table.crew, "awaiting": awaiting}})
    do(table, bargain())
    first = table.request_id
    reply = do(table, bargain())
    assert (reasons(reply), types(reply)) == (["transition_limit"], ["TurnLimitReached"])
    assert table.request_id == first


def test_dice_stay_on_offer_when_an_atomic_turn_meets_the_limit_after_their_answer() -> None:
    table = Table(started(**{"campaign.json": {"settings": {"scene": {"max_transitions": 1}}}}))
    to_action(table)
    do(table, spend(table.crew["dice_pool"]))
    before = table.crew
    reply = answer(table, 0, tool_calls=[resolve("costly")], atomic=True)
    assert reasons(reply) == ["turn_aborted", "transition_limit"]
    assert types(reply) == []
    assert table.crew == before
    the_documents_are_sound(table)
    answer(table, 0)
    assert reasons(do(table, resolve("costly"))) == ["transition_limit"]
    say(table, "On!")
    assert do(table, resolve("costly"))["status"] == "applied"


def test_what_comes_after_a_transition_is_too_late() -> None:
    table = Table(started())
    say(table)
    reply = do(table, engage(), CHOOSE, output=TOLD)
    assert reasons(reply) == ["after_transition", "after_transition"]
    assert table.crew["awaiting"]["repairs"] == 0
    assert len(table.scene()["beats"]) == 1


@pytest.mark.parametrize("opened", [False, True])
def test_a_narration_that_came_too_late_can_be_kept(opened: bool) -> None:
    table = Table(started())
    say(table)
    if opened:
        do(table, engage())
    late = {**TOLD, "narration": "Too late.", "coin_delta": 3, "heat_delta": 99}
    reply = do(table, spend([2, 6]) if opened else engage(), output=late, keep_narration=True)
    assert reply["status"] == "applied"
    assert reply["applied_actions"][-1]["warnings"] == ["output_after_break"]
    beat = table.scene()["beats"][-1]
    assert (beat["beat"], beat["text"], beat["mood"]) == ("dm_narration", "Too late.", "action" if opened else "scene")
    assert (pc(table)["coin"], table.crew["heat"]) == (0, 0)
    assert waits(table)[0] == ("player_dice" if opened else "dm_turn")


def rolling() -> Table:
    """Return a table at which dice are on offer."""
    table = at(RISKY)
    do(table, spend(table.crew["dice_pool"]))
    return table


@pytest.mark.parametrize("table", [unborn(), night(), rolling()])
def test_a_narration_that_nothing_overtook_is_not_kept_while_a_player_has_to_answer(table: Table) -> None:
    before = table.crew
    for _ in range(2):
        assert reasons(do(table, output=TOLD, keep_narration=True)) == ["awaiting_player"]
    assert table.crew == before


def test_neither_a_question_about_a_hint_nor_its_answer_shows_players_a_future() -> None:
    table = at(RISKY)
    offered = spend(table.crew["dice_pool"])
    for place, outcome in enumerate(offered["args"]["outcomes"]):
        outcome["hint"] = " "
        reply = do(table, offered)
        told = reply["tool_feedback"]["failed_calls"][0]["hint"]
        assert told == {"field": f"args.outcomes.{place}.hint", "got": " "}
        outcome["hint"] = f"what {place} brings"
    reply = do(table, offered)
    shown = project(reply, Viewer.of("player:pc"))
    assert shown["request"]["kind"] == "dice"
    assert [outcome["narrative"] for outcome in offered["args"]["outcomes"] if outcome["narrative"] in str(shown)] == []


@pytest.mark.parametrize("cost", ["stress_cost", "heat_cost", "coin_delta"])
def test_a_price_that_is_not_named_is_not_taken_for_nothing(cost: str) -> None:
    table = at(RISKY)
    offered = spend(table.crew["dice_pool"])
    del offered["args"]["outcomes"][1][cost]
    reply = do(table, offered)
    assert reasons(reply) == ["invalid_args"]
    assert reply["tool_feedback"]["failed_calls"][0]["hint"]["field"] == f"args.outcomes.1.{cost}"


def test_every_offer_stands_or_falls_with_its_price() -> None:
    table = in_bargain()
    dear = {"label": "d", "hint": "h", "cost_type": "heat", "cost_amount": 1, "dice_gained": 2, "narrative": "n"}
    fair = {**dear, "dice_gained": 1}
    reply = do(table, output=city(fair, dear))
    assert reasons(reply) == ["bargain_rate_exceeded"]
    assert reply["tool_feedback"]["failed_calls"][0]["hint"]["index"] == 1
    assert do(table, output=city(fair, fair))["status"] == "applied"


def test_players_see_what_an_offer_costs_by_name() -> None:
    moths = {"factions/moths.json": {"id": "moths", "name": "The Moths"}}
    table = in_bargain(**moths, **clock("wardens", 1), **clock("cold", 1, name="HUSH", visible=False))
    deal = {"label": "d", "hint": "h", "dice_gained": 1, "narrative": "n"}
    named = {"moths": "The Moths", "wardens": "The wardens", "cold": None, "a ring": "a ring"}
    kinds = ["faction", "clock", "clock", "item"]
    first = [{**deal, "cost_type": kind, "cost_target": target} for kind, target in zip(kinds, named, strict=True)]
    scar = {**deal, "cost_type": "trauma", "trauma_name": "Cold", "dice_gained": 3}
    reply = project(do(table.twin(), output=city(*first)), Viewer.of("player:pc"))
    assert [offer["cost_target"] for offer in data(reply, "BargainOptionsPresented")[0]["offers"]] == [*named.values()]
    assert [option.get("hint") for option in reply["request"]["payload"]["options"]][:4] == [
        "h (1 faction, The Moths, for 1 die)",
        "h (1 clock, The wardens, for 1 die)",
        "h (1 clock for 1 die)",
        "h (1 item, a ring, for 1 die)",
    ]
    assert "HUSH" not in str(reply)
    reply = do(table, output=city(scar, first[0]))
    assert data(reply, "BargainOptionsPresented")[0]["offers"][0]["trauma_name"] == "Cold"
    assert reply["request"]["payload"]["options"][0]["hint"] == "h (1 trauma, Cold, for 3 dice)"
    reply = answer(table, "offer_2")
    deal = {"description": "d", "cost_type": "faction", "amount": 1, "target": "moths", "name": "The Moths"}
    assert data(reply, "BargainAccepted") == [deal]


def test_what_a_price_does_not_name_is_no_part_of_the_deal() -> None:
    stray = {"cost_target": "marrow-betrays", "trauma_name": "Cold"}
    deal = {"label": "d", "hint": "h", "dice_gained": 1, "narrative": "n", **stray}
    table = in_bargain(**clock("marrow-betrays", 1, visible=False))
    offered = do(table, output=city(*({**deal, "cost_type": kind} for kind in ("stress", "heat", "trauma", "clock"))))
    shown = project(offered, Viewer.of("player:pc"))
    assert "marrow" not in str(shown)
    assert [option.get("hint") for option in shown["request"]["payload"]["options"]][:4] == [
        "h (1 stress for 1 die)",
        "h (1 heat for 1 die)",
        "h (1 trauma, Cold, for 1 die)",
        "h (1 clock for 1 die)",
    ]
    for place, name in enumerate([None, None, "Cold", None], start=1):
        twin = table.twin()
        reply = project(answer(twin, f"offer_{place}"), Viewer.of("player:pc"), own=True)
        assert [(told["target"], told["name"]) for told in data(reply, "BargainAccepted")] == [(None, name)]
        assert "marrow" not in str(reply)


def test_what_the_price_of_an_agreed_deal_does_not_name_is_no_part_of_it() -> None:
    table = in_bargain(**clock("marrow-betrays", 1, visible=False))
    agreed = bargain(bargain_cost_target="marrow-betrays", bargain_trauma_name="Cold")
    reply = project(do(table, agreed), Viewer.of("player:pc"), own=True)
    deal = {"description": "a deal", "cost_type": "stress", "amount": 1, "target": None, "name": None}
    assert data(reply, "BargainAccepted") == [deal]
    assert "marrow" not in str(reply)


def test_after_three_failures_the_city_makes_plain_offers() -> None:
    table = in_bargain(pc={"stress": 8})
    for _ in range(3):
        reply = do(table, output={})
    assert "TurnFallback" in types(reply)
    assert [told["source"] for told in data(reply, "NarrativeAdded")] == ["system"]
    assert [option["key"] for option in reply["request"]["payload"]["options"]] == ["offer_1", "retreat", "pass_out"]
    assert [offer["cost_type"] for offer in data(reply, "BargainOptionsPresented")[0]["offers"]] == ["heat"]
    taken = data(answer(table, "offer_1"), "NarrativeAdded")
    assert taken == [{"text": "Somebody will remember you.", "source": "system"}]


def test_after_three_failures_a_turn_is_told_by_a_holding_line() -> None:
    table = Table(started(suggested_actions=["Wait"]))
    say(table)
    for _ in range(2):
        assert "TurnFallback" not in types(do(table, output={}))
        assert waits(table)[0] == "dm_turn"
    reply = do(table, output={})
    assert types(reply) == ["TurnFallback", "NarrativeAdded", "TurnCompleted"]
    assert data(reply, "NarrativeAdded")[0]["source"] == "system"
    assert data(reply, "TurnCompleted")[0]["suggested_actions"] == ["Wait"]
    assert waits(table)[:2] == ("player_text", "scene")


def test_calls_alone_are_no_failed_output() -> None:
    table = Table(started())
    say(table)
    for _ in range(4):
        do(table, call("resolve"))
        do(table, call("output", "output"))
    assert (table.crew["awaiting"]["repairs"], waits(table)[0]) == (0, "dm_turn")


def test_a_setback_needs_a_way_out_before_anything_else_is_looked_at() -> None:
    table = Table(started())
    to_action(table)
    choose_die(table, 1)
    assert reasons(do(table, resolve("setback"))) == ["invalid_args"]
    assert reasons(do(table, resolve("setback", **ESCAPE))) == ["outcome_tier_mismatch"]


# what an output may do in which mood


FIELDS: dict[str, tuple[Any, tuple[str, ...]]] = {
    "stress_delta": (1, ("aftermath",)),
    "heat_delta": (1, ("aftermath",)),
    "coin_delta": (-3, ("scene", "aftermath")),
    "cost_description": ("rope", ("aftermath",)),
    "threat_description": ("the watch", ("scene", "aftermath")),
    "clock_ticks": ([{"clock_id": "wardens", "ticks": 1}], ("aftermath",)),
    "continue_scene": (False, ("scene", "aftermath")),
    "trauma_assigned": ("cold", ("trauma",)),
    "consequence_effects": ([{"consequence_id": "due", "note": "Not tonight."}], ("scene", "action", "aftermath")),
    "threats_resolved": (["fire"], ("scene", "aftermath")),
    "scene_variant": ({"variant": "discovery", "what": "a door"}, ("scene", "aftermath")),
}
REFUSED = {"continue_scene": "scene_cannot_end", "trauma_assigned": "trauma_not_allowed"}


@pytest.mark.parametrize("field", FIELDS)
@pytest.mark.parametrize("mood", ["scene", "action", "aftermath", "trauma"])
def test_an_output_uses_the_fields_of_its_mood(mood: str, field: str) -> None:
    value, moods = FIELDS[field]
    waiting = due() if field == "consequence_effects" else clock("wardens", 1)
    table = in_mood(mood, unresolved_threats=["fire"], **waiting)
    fields: Json = {"trauma_assigned": "soft"} if mood == "trauma" else {}
    reply = tell(table, **(fields | {field: value}))
    wanted = [] if mood in moods else [REFUSED.get(field, "delta_not_allowed_in_mood")]
    assert reasons(reply) == wanted


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"stress_delta": 2}, None),
        ({"stress_delta": 3}, "delta_not_allowed_in_mood"),
        ({"stress_delta": -10}, "delta_out_of_range"),
        ({"heat_delta": 2}, None),
        ({"heat_delta": 3}, "delta_not_allowed_in_mood"),
        ({"heat_delta": -1}, "delta_out_of_range"),
        ({"heat_delta": 5}, "delta_out_of_range"),
        ({"coin_delta": 20}, None),
        ({"coin_delta": 21}, "delta_out_of_range"),
        ({"stress_delta": 1.5}, "invalid_args"),
        ({"stress_delta": True}, "invalid_args"),
        ({"heat": 3}, "invalid_args"),
        ({"narration": " "}, "invalid_args"),
        ({"narration": "x" * 4001}, "invalid_args"),
        ({"suggested_actions": ["a"] * 6}, "invalid_args"),
        ({"suggested_actions": ["  ", "run"]}, "invalid_args"),
        ({"suggested_actions": ["x" * 81]}, "invalid_args"),
        ({"suggested_actions": [f" {'x' * 80} "]}, None),
        ({"scene_variant": {"variant": "opportunity", "nature": "a job", "catch": " "}}, "invalid_args"),
        ({"clock_ticks": [{"clock_id": "nobody", "ticks": 1}]}, "clock_unknown"),
        ({"clock_ticks": [{"clock_id": "nobody", "ticks": 3}]}, "delta_out_of_range"),
        ({"consequence_effects": [{"consequence_id": "nobody", "acknowledged": True}]}, "consequence_unknown"),
        ({"stress_delta": 10, "narration": ""}, "invalid_args"),
        ({"stress_delta": 9, "coin_delta": 21}, "delta_out_of_range"),
        ({"trauma_assigned": "cold", "stress_delta": 9}, "trauma_not_allowed"),
        ({"stress_delta": 3, "clock_ticks": [{"clock_id": "nobody", "ticks": 1}]}, "delta_not_allowed_in_mood"),
    ],
)
def test_the_first_rule_that_an_output_breaks_decides_and_all_of_it_falls(fields: Json, reason: str | None) -> None:
    table = in_aftermath(heat=1, pc={"stress": 3, "coin": 5}, **clock("wardens", 1))
    before = table.state
    reply = tell(table, **fields)
    assert reasons(reply) == ([reason] if reason else [])
    if reason:
        assert {path for path in before if before[path] != table.state[path]} == {"crew.json"}
        assert reply["events"] == []


@pytest.mark.parametrize(
    "blank", [{"suggested_actions": [" ", "Run"]}, {"stakes": " "}, {"new_location": {"name": "  "}}]
)
def test_the_opening_of_a_scene_says_something_wherever_it_must(blank: Json) -> None:
    assert reasons(do(opening(), output={**SCENE, **blank})) == ["invalid_args"]


@pytest.mark.parametrize(
    "blank",
    [
        {"suggested_actions": [" ", "Run"]},
        {"scene_stakes": " "},
        {"clocks": [{**clock, "name": " "} for clock in SCENARIO["clocks"]]},
    ],
)
def test_the_opening_of_a_game_says_something_wherever_it_must(blank: Json) -> None:
    table = unborn()
    answer(table, CHOICES)
    assert reasons(do(table, output={**SCENARIO, **blank})) == ["invalid_args"]


def test_an_offer_has_a_label_and_a_hint_that_say_something() -> None:
    for blank in ({"label": " "}, {"hint": "\n"}):
        assert reasons(do(in_bargain(), output=city({**CITY_OFFERS[0], **blank}, CITY_OFFERS[1]))) == ["invalid_args"]


# what a player says


@pytest.mark.parametrize(
    ("value", "said"), [(1, "Run"), (2, "Hide"), ("2", "Hide"), (" 1 ", "Run"), ("9", "9"), ("0", "0"), ("two", "two")]
)
def test_a_number_picks_a_suggestion_and_other_text_is_taken_as_it_is(value: Any, said: str) -> None:
    table = suggesting("Run", "Hide")
    assert results(answer(table, value)) == [{"text": said}]


@pytest.mark.parametrize("value", [0, 3, 9, -1, 10**15])
def test_an_integer_without_a_suggestion_is_no_answer(value: int) -> None:
    table = suggesting("Run", "Hide")
    reply = answer(table, value)
    assert reasons(reply) == ["answer_invalid"]
    assert reply["tool_feedback"]["failed_calls"][0]["hint"]["choices"] == [1, 2]
    assert (waits(table)[0], table.crew["turn"]) == ("player_text", 0)


def test_a_blank_suggestion_says_nothing() -> None:
    table = suggesting("  ", "Run")
    assert reasons(answer(table, 1)) == ["answer_invalid"]
    assert reasons(say(table, "1")) == ["answer_invalid"]


def suggesting(*suggestions: str) -> Table:
    request = {"id": "asked", "kind": "text", "for": "pc", "payload": {"suggestions": suggestions}}
    return Table(started(suggested_actions=suggestions, request=request))


def test_nobody_is_deleted_for_whom_the_game_waits() -> None:
    table = at(BROKEN, pc={"stress": 9}, **{"campaign.json": {"allowlist": [*TOOLS, "delete_character"]}})
    assert reasons(do(table, call("delete_character", character_id="pc"))) == ["conflict"]
    assert tell(table, trauma_assigned="cold")["status"] == "applied"
