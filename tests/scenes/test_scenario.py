"""The opening of the whole game: what it must hold, and what it makes of the world."""

from __future__ import annotations

from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from tests.builders import clock
from tests.golden.repairer import repaired
from tests.scenes.beginnings import CHOICES, PC, SCENARIO, Json, changed, play_of, told, values, world_of

from turnwright import Campaign
from turnwright.model.wire.reason import CallFailed, Reason
from turnwright.rulesets.scenes.play import Play
from turnwright.rulesets.scenes.scenario import ScenarioInit, apply

CREW: Json = {
    "phase": {"tag": "scenario_init", "for": "character-1"},
    "awaiting": {"stage": "dm_scenario", "for": "character-1", "prompt_id": 1},
}
TRAUMA = ["cold", "haunted", "obsessed", "paranoid", "reckless", "soft", "unstable", "vicious"]
SELECTED = {"party_character_ids": ["character-1"], "active_actor_id": "character-1"}


def due(*, settings: Json | None = None, person: Json = PC, **documents: Json) -> Play:
    people = {"characters/character-1.json": person} | {f"{path}.json": value for path, value in documents.items()}
    return play_of(world_of(CREW, people, selected=SELECTED), "character-1", settings)


def begun(output: Json = SCENARIO, **given: Any) -> Play:
    play = due(**given)
    apply(play, ScenarioInit.model_validate(output))
    return play


def fails(output: Json, play: Play | None = None) -> CallFailed:
    play = play or due()
    with pytest.raises(CallFailed) as caught:
        apply(play, ScenarioInit.model_validate(output))
    assert values(play.world) == {}
    assert play.events == []
    assert play.dice.dice.drawn == []
    return caught.value


def without(output: Json, *keys: str) -> Json:
    return {key: value for key, value in deepcopy(output).items() if key not in keys}


# what becomes of it


def test_the_opening_puts_its_world_in_place() -> None:
    made = values(begun().world)
    assert made["clocks/clock-1.json"] == {
        "id": "clock-1",
        "name": "The Debt",
        "segments": 4,
        "filled": 2,
        "visible": True,
        "type": "threat",
        "consequence": "They come to collect.",
        "forces_action": None,
    }
    assert {path: (made[path]["type"], made[path]["filled"]) for path in made if path.startswith("clocks/")} == {
        "clocks/clock-1.json": ("threat", 2),
        "clocks/clock-2.json": ("threat", 1),
        "clocks/way-out.json": ("goal", 0),
    }
    faction = made["factions/lampblacks.json"]
    assert faction["goals"] == [{"id": "goal-1", "description": "hold the canal", "status": "pursuing"}]
    assert faction["secrets"] == [{"content": "a mole", "known_by": ["lampblacks"]}]
    assert faction["resources"] == {"gold": 5, "soldiers": 5, "influence": 5}
    assert made["locations/tannery.json"]["controlled_by"] == "lampblacks"
    assert made["locations/quay.json"]["features"] == ["cranes", "fog"]


def test_people_of_the_opening_want_something_and_have_no_hit_points() -> None:
    made = values(begun().world)
    harrow, pell = made["characters/harrow.json"], made["characters/pell.json"]
    assert harrow["wants"] == [{"description": "her son", "urgency": "medium"}]
    assert (harrow["faction"], harrow["location"], harrow["character_type"]) == ("lampblacks", "tannery", "npc")
    assert (harrow["disposition"], harrow["hp"], harrow["position"]) == ("neutral", None, None)
    assert pell["fears"] == [{"description": "the dark", "severity": "moderate"}]
    assert pell["knows"] == [{"content": "the code", "known_by": ["pell"]}]
    assert "faction" not in pell


def test_the_first_scene_begins_in_the_default_mood() -> None:
    play = begun()
    assert play.mood.as_written == {
        "mood": "scene",
        "variant": "encounter",
        "source": "opening",
        "urgency": "low",
        "escapable": True,
    }
    scene = play.scene
    assert (scene.id, scene.location, scene.present, scene.stakes) == (
        *("scene-1", "tannery", ("harrow",), "get out unseen"),
    )
    assert [(beat.beat, getattr(beat, "text", None)) for beat in scene.beats] == [
        ("dm_narration", "Rain drums on the tannery roof."),
        ("dm_narration", "The watch is at the door."),
    ]
    crew = play.crew
    assert crew.scene_entry_context is not None
    assert crew.scene_entry_context.origin == "fresh"
    assert crew.suggested_actions == ("Talk to Harrow", "Through the skylight")


def test_five_dice_are_rolled_once_for_the_pool() -> None:
    play = begun()
    drawn = play.dice.dice.drawn
    assert [(draw["sides"], draw["why"]) for draw in drawn] == [(6, "pool")] * 5
    assert list(play.crew.dice_pool) == [draw["value"] for draw in drawn]


def test_starting_values_are_those_of_the_character_and_the_crew() -> None:
    play = begun()
    actor = play.world.character("character-1")
    assert actor is not None
    assert (actor.stress, actor.coin, actor.trauma) == (2, 1, ("Haunted",))
    assert (play.crew.heat, play.crew.wanted) == (2, 1)


def test_what_was_there_from_the_beginning_is_no_change_of_the_first_turn() -> None:
    play = begun()
    assert play.crew.ledger.as_written == play.scene.ledger.as_written == {"stress": 0, "heat": 0, "coin": 0}


def test_events_come_in_their_order() -> None:
    play = begun()
    assert [name for name, _ in told(play)] == [
        "ScenarioGenerated",
        "StressChanged",
        "HeatChanged",
        "WantedChanged",
        "CoinChanged",
        "TraumaTriggered",
        "DiceGained",
        "SceneStarted",
        *["NarrativeAdded"] * 3,
    ]
    events = dict(told(play))
    assert events["StressChanged"] == {"from": 0, "to": 2, "reason": "init"}
    assert events["DiceGained"]["source"] == "init"
    assert events["SceneStarted"] == {"location": "tannery"}


def test_the_player_is_asked_next() -> None:
    play = begun()
    crew = play.crew
    assert (crew.awaiting.stage, crew.awaiting.for_, crew.awaiting.prompt_id) == ("player_text", None, 2)
    assert crew.request is not None
    assert crew.request.kind == "text"
    assert crew.request.for_ == "character-1"
    assert crew.request.payload.suggestions == ("Talk to Harrow", "Through the skylight")


def test_no_text_is_told_twice_and_a_blank_one_not_at_all() -> None:
    play = begun(changed(SCENARIO, opening_hook=" ", fate_narration=SCENARIO["opening_thread"]))
    texts = [data["text"] for name, data in told(play) if name == "NarrativeAdded"]
    assert texts == [SCENARIO["opening_thread"]]


def test_nothing_but_zeros_changes_nothing_and_needs_nobody() -> None:
    output = without(SCENARIO, "starting_stress", "starting_coin", "starting_heat", "starting_wanted")
    output = without(output, "starting_trauma", "opening_hook", "scene_present_npcs")
    play = play_of(world_of(CREW))  # the character is gone
    apply(play, ScenarioInit.model_validate(output))
    assert [name for name, _ in told(play)] == [
        *("ScenarioGenerated", "DiceGained", "SceneStarted", "NarrativeAdded", "NarrativeAdded"),
    ]


def test_without_the_character_whose_stress_it_would_be_nothing_begins() -> None:
    assert fails(SCENARIO, play_of(world_of(CREW))).reason is Reason.INVALID_ACTOR_STATE


def test_values_are_those_of_the_phase_whoever_hands_in_the_opening() -> None:
    play = due()
    play.acting_id = None
    apply(play, ScenarioInit.model_validate(SCENARIO))
    actor = play.world.character("character-1")
    assert actor is not None
    assert actor.stress == 2


def test_an_alias_of_a_trauma_is_resolved() -> None:
    actor = begun(changed(SCENARIO, starting_trauma="volatile")).world.character("character-1")
    assert actor is not None
    assert actor.trauma == ("unstable",)


def test_a_small_maximum_of_stress_breaks_at_once() -> None:
    play = begun(settings={"scene": {"stress_max": 2}})
    assert play.mood.mood == "trauma"
    assert (play.crew.awaiting.stage, play.crew.awaiting.for_, play.crew.request) == ("dm_turn", "character-1", None)


def test_settings_decide_how_many_dice_there_are() -> None:
    assert len(begun(settings={"scene": {"pool_start": 2}}).crew.dice_pool) == 2


def test_ids_on_the_edge_of_what_is_allowed_are_kept() -> None:
    longest = "a" * 61 + "_-9"
    output = changed(SCENARIO, locations__1__id=longest, npcs__1__id="0")
    made = values(begun(output).world)
    assert made[f"locations/{longest}.json"]["id"] == longest
    assert made["characters/0.json"]["id"] == "0"


# what it must hold


@pytest.mark.parametrize(
    ("changes", "field", "told"),
    [
        ({"starting_stress": 5}, "starting_stress", {"got": 5}),
        ({"starting_stress": -1}, "starting_stress", {"got": -1}),
        ({"starting_coin": 5}, "starting_coin", {"got": 5}),
        ({"starting_heat": 3}, "starting_heat", {"got": 3}),
        ({"starting_wanted": 2}, "starting_wanted", {"got": 2}),
        ({"clocks__0__segments": 5}, "clocks.0.segments", {"got": 5, "choices": [4, 6, 8]}),
        ({"clocks__0__segments": 99}, "clocks.0.segments", {"got": 99, "choices": [4, 6, 8]}),
        ({"clocks__0__filled": 0}, "clocks.0.filled", {"got": 0}),
        ({"clocks__1__filled": 3}, "clocks.1.filled", {"got": 3}),
        ({"clocks__2__filled": 1}, "clocks.2.filled", {"got": 1}),
        ({"locations__0__id": "The Tannery"}, "locations.0.id", {"got": "The Tannery"}),
        ({"locations__0__id": ""}, "locations.0.id", {"got": ""}),
        ({"locations__0__id": "../x"}, "locations.0.id", {"got": "../x"}),
        ({"locations__0__id": "tannery\n"}, "locations.0.id", {"got": "tannery\n"}),
        ({"locations__1__id": "a" * 65}, "locations.1.id", {"got": "a" * 65}),
        ({"locations__1__id": "tannery"}, "locations.1.id", {"got": "tannery"}),
        ({"factions__1__id": "lampblacks"}, "factions.1.id", {"got": "lampblacks"}),
        ({"npcs__1__id": "harrow"}, "npcs.1.id", {"got": "harrow"}),
        ({"npcs__1__id": "character-1"}, "npcs.1.id", {"got": "character-1"}),
        ({"locations__0__controlled_by": "lampblack"}, "locations.0.controlled_by", {"allowed": ["lampblacks"]}),
        ({"npcs__0__faction": "wach"}, "npcs.0.faction", {"allowed": ["watch"]}),
        ({"npcs__0__location": "the_quay"}, "npcs.0.location", {"choices": ["quay", "tannery"]}),
        ({"scene_location": "character-1"}, "scene_location", {"choices": ["tannery", "quay"]}),
        ({"scene_present_npcs": ["pel"]}, "scene_present_npcs.0", {"allowed": ["pell"]}),
        ({"scene_present_npcs": ["character-1"]}, "scene_present_npcs.0", {"choices": ["harrow", "pell"]}),
        ({"starting_trauma": "Pending"}, "starting_trauma", {"choices": TRAUMA}),
        ({"starting_trauma": "  "}, "starting_trauma", {"choices": TRAUMA}),
    ],
)
def test_what_does_not_hold_is_asked_about_unless_it_is_misspelt(changes: Json, field: str, told: Json) -> None:
    failure = fails(changed(SCENARIO, **changes))
    assert failure.reason is Reason.SCENARIO_INVALID
    (given,) = changes.values()
    assert failure.hint == {"field": f"output.{field}", "got": given[0] if isinstance(given, list) else given, **told}


HOW_MANY = {
    "locations": (2, 3),
    "factions": (2, 3),
    "npcs": (2, 4),
    "suggested_actions": (2, 4),
}


@pytest.mark.parametrize("name", [*HOW_MANY, "clocks"])
@pytest.mark.parametrize("count", range(6))
def test_of_a_list_that_is_too_short_or_too_long_nothing_is_made_up_or_cut(name: str, count: int) -> None:
    items = [changed(SCENARIO[name][0], id=f"x{i}") if name != "suggested_actions" else f"x{i}" for i in range(count)]
    play = due()
    least, most = HOW_MANY.get(name, (6, 0))  # clocks of one card are never right
    wants = "one clock for each of past, present and future" if name == "clocks" else f"{least} to {most}, not {count}"
    try:
        apply(play, ScenarioInit.model_validate(changed(SCENARIO, **{name: items})))
        told, hint = "", None
    except CallFailed as failure:
        told, hint = failure.detail, failure.hint
    if least <= count <= most:
        assert f"output.{name}: wants" not in told
        return
    assert told.split("; ")[0] == f"output.{name}: wants {wants}"
    assert hint is not None
    assert hint.keys() == {"field", "got"}
    assert hint["field"] == f"output.{name}"
    got: Any = hint["got"]
    assert [each["id"] if isinstance(each, dict) else each for each in got] == [f"x{i}" for i in range(count)]


def test_two_clocks_of_one_card_are_refused() -> None:
    failure = fails(changed(SCENARIO, clocks__1__from_card="past"))
    got: Any = failure.hint["got"]
    cards = [clock["from_card"] for clock in got]
    assert (failure.hint["field"], cards) == ("output.clocks", ["past", "past", "future"])
    assert not {"allowed", "choices", "remove"} & {*failure.hint}


def test_somebody_present_twice_is_to_be_taken_out() -> None:
    hint = fails(changed(SCENARIO, scene_present_npcs=["harrow", "pell", "harrow"])).hint
    assert hint == {"field": "output.scene_present_npcs.2", "remove": True}


def test_ids_in_use_are_refused() -> None:
    quay = {"locations/quay": {"id": "quay", "name": "Quay"}}
    failure = fails(SCENARIO, due(**quay))
    assert failure.hint == {"field": "output.locations.1.id", "got": "quay"}


def test_a_trauma_that_the_character_has_already_is_refused() -> None:
    failure = fails(SCENARIO, due(person=PC | {"trauma": ["haunted"]}))
    assert (failure.reason, failure.hint["field"]) == (Reason.SCENARIO_INVALID, "output.starting_trauma")
    assert "haunted" not in failure.hint["choices"]


def test_all_faults_are_told_at_once_up_to_ten() -> None:
    output = changed(SCENARIO, scene_location="x", npcs__0__faction="y", starting_heat=9)
    detail = fails(output).detail
    assert all(field in detail for field in ("output.scene_location", "output.npcs.0.faction", "output.starting_heat"))
    output = changed(output, scene_present_npcs=[f"nobody{i}" for i in range(9)])
    detail = fails(output).detail
    assert detail.count("output.") == 10
    assert detail.endswith("; and 2 more")


def test_following_the_hints_ends_with_an_opening_that_is_taken() -> None:
    present = {"scene_location": "Tanery", "scene_present_npcs": ["harow", "pell", "pell"]}
    output = changed(SCENARIO, npcs__0__faction="wach", locations__0__controlled_by="Lampblack", **present)
    for _ in range(40):
        try:
            apply(due(), ScenarioInit.model_validate(output))
            return
        except CallFailed as failure:
            told = failure.hint
        mended = repaired({"output": output}, told)
        assert mended is not None, told
        output = mended["output"]
    pytest.fail("the hints lead nowhere")


# through the front door


def test_an_opening_is_handed_in_as_an_output(tmp_path: Path) -> None:
    with Campaign.new(tmp_path / "c", "scenes", seed="x", clock=clock) as campaign:
        campaign.process({"answer": {"request_id": "request-1", "value": CHOICES}})
        for _ in range(4):  # it is asked for again and again, and nothing stands in for it
            wrong = campaign.process({"output": changed(SCENARIO, scene_location="nowhere")})
            assert wrong["tool_feedback"]["failed_calls"][0]["reason"] == "scenario_invalid"
        assert campaign.state["crew.json"]["awaiting"]["stage"] == "dm_scenario"
        broken = campaign.process({"output": changed(SCENARIO, clocks__0__from_card="yesterday")})
        assert broken["tool_feedback"]["failed_calls"][0]["reason"] == "invalid_args"
        loud = {"startingStress": 1, "starting_stress": None}
        camel = changed({key: value for key, value in SCENARIO.items() if key not in loud}, startingStress=1)
        reply = campaign.process({"output": camel})
        assert reply["status"] == "applied"
        assert reply["request"]["kind"] == "text"
        assert campaign.state["characters/character-1.json"]["stress"] == 1
        assert campaign.state["crew.json"]["dice_pool"] == [draw["value"] for draw in _last(campaign)["draws"]]


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ((None, None, "clock-2"), ["clock-1", "clock-3", "clock-2"]),
        ((None, "clock-1", None), ["clock-2", "clock-1", "clock-3"]),
        (("clock-2", "clock-1", None), ["clock-2", "clock-1", "clock-3"]),
    ],
)
def test_no_clock_of_an_opening_takes_the_place_of_another(
    tmp_path: Path, given: tuple[str | None, ...], kept: list[str]
) -> None:
    named = {f"clocks__{place}__id": identifier for place, identifier in enumerate(given)}
    with Campaign.new(tmp_path / "c", "scenes", seed="x", clock=clock) as campaign:
        campaign.process({"answer": {"request_id": "request-1", "value": CHOICES}})
        reply = campaign.process({"output": changed(SCENARIO, **named)})
        assert reply["applied_actions"][0]["result"]["clocks"] == kept
        names = [campaign.state[f"clocks/{identifier}.json"]["name"] for identifier in kept]
        assert names == ["The Debt", "The Raid", "A Way Out"]
        assert sorted(path for path in campaign.state if path.startswith("clocks/")) == [
            f"clocks/{identifier}.json" for identifier in sorted(kept)
        ]


def _last(campaign: Campaign) -> Json:
    *_, last = campaign.records()
    return last
