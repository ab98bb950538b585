"""The opening of a scene after an interlude."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.builders import begin
from tests.scenes.beginnings import PC, SCENE, Json, changed, play_of, told, values, world_of

from turnwright.model.wire.reason import CallFailed, Reason
from turnwright.rulesets.scenes.opening import SceneInit, apply
from turnwright.rulesets.scenes.play import Play

CONTEXT: Json = {
    "stage": "scene_init",
    "chosen": "work_goal:way-out",
    "transition_narration": "Two nights pass.",
    "completed_clocks": ["way-out"],
}
CREW: Json = {
    "phase": {"tag": "between_scenes", "context": CONTEXT},
    "dice_pool": [2, 6],
    "awaiting": {"stage": "dm_scene_init", "for": "character-1", "prompt_id": 9, "segment": 3},
    "ledger": {"heat": -1},
}
WORLD: dict[str, Json] = {
    "characters/character-1.json": PC,
    "characters/character-2.json": PC | {"id": "character-2", "name": "Bo"},
    "characters/harrow.json": {"id": "harrow", "name": "Mother Harrow", "character_type": "npc"},
    "characters/guard.json": {"id": "guard", "name": "A guard", "character_type": "enemy"},
    "locations/quay.json": {"id": "quay", "name": "The Quay"},
    "factions/watch.json": {"id": "watch", "name": "The Watch"},
}
SELECTED = {"party_character_ids": ["character-2", "character-1"], "active_actor_id": "character-1"}
NEW = {"name": "The Ferry", "description": "It leaks.", "features": ["a winch"], "controlled_by": "watch"}


def due(crew: Json = CREW, settings: Json | None = None, **documents: Json) -> Play:
    found = WORLD | {f"characters/{name}.json": PC | value | {"id": name} for name, value in documents.items()}
    return play_of(world_of(crew, found, selected=SELECTED), "character-1", settings)


def begun(output: Json = SCENE, **given: Any) -> Play:
    play = due(**given)
    apply(play, SceneInit.model_validate(output))
    return play


def fails(output: Json, **given: Any) -> CallFailed:
    play = due(**given)
    with pytest.raises(CallFailed) as caught:
        apply(play, SceneInit.model_validate(output))
    assert values(play.world) == {}
    assert play.events == []
    assert caught.value.reason is Reason.SCENE_INIT_INVALID
    return caught.value


def test_a_scene_begins_where_it_says() -> None:
    scene = begun().scene
    assert (scene.location, scene.present, scene.stakes, scene.open) == ("quay", ("harrow",), "find the ship", True)
    assert scene.style.as_written == {"atmosphere": "mundane", "pressure": "watchful", "class": "gutter"}
    assert [(beat.beat, getattr(beat, "text", "")) for beat in scene.beats] == [
        ("dm_narration", SCENE["opening_narration"])
    ]


def test_events_and_what_is_asked_next() -> None:
    play = begun()
    assert told(play) == [
        ("SceneStarted", {"location": "quay"}),
        ("NarrativeAdded", {"text": SCENE["opening_narration"], "source": "dm"}),
    ]
    crew = play.crew
    assert (crew.awaiting.stage, crew.awaiting.for_) == ("player_text", None)
    assert crew.request is not None
    assert crew.request.for_ == "character-1"
    assert crew.request.payload.as_written == {"suggestions": SCENE["suggested_actions"]}
    assert list(crew.suggested_actions) == SCENE["suggested_actions"]
    assert crew.ledger.heat == 0


def test_what_the_interlude_was_about_is_carried_over() -> None:
    entry = begun().crew.scene_entry_context
    assert entry is not None
    assert entry.as_written == {
        "origin": "from_interlude",
        "option": "work_goal:way-out",
        "narration": "Two nights pass.",
        "completed_clocks": ["way-out"],
    }


def test_dice_that_are_left_stay() -> None:
    assert begun().crew.dice_pool == (2, 6)


def test_an_empty_pool_is_filled() -> None:
    play = begun(crew=CREW | {"dice_pool": []})
    assert play.crew.dice_pool == (4, 4, 4)
    assert ("DiceGained", {"values": [4, 4, 4], "pool_size": 3, "source": "init"}) in told(play)
    assert begun(crew=CREW | {"dice_pool": []}, settings={"scene": {"empty_scene_pool": [1]}}).crew.dice_pool == (1,)


@pytest.mark.parametrize(
    ("variant", "mood"),
    [
        (
            {"variant": "opportunity", "nature": "a job", "catch": "no questions", "offered_by": "harrow"},
            {"mood": "scene", "variant": "opportunity", "offered_by": "harrow", "nature": "a job"}
            | {"catch": "no questions"},
        ),
        (
            {"variant": "discovery", "what": "a hatch"},
            {"mood": "scene", "variant": "discovery", "what": "a hatch", "implications": []},
        ),
        (
            {"variant": "encounter", "source": "rats"},
            {"mood": "scene", "variant": "encounter", "source": "rats", "urgency": "medium", "escapable": True},
        ),
    ],
)
def test_the_mood_is_the_variant(variant: Json, mood: Json) -> None:
    play = begun(SCENE | {"variant": variant})
    assert play.mood.as_written == mood
    assert type(play.mood).__module__ == "turnwright.model.mood"


def test_a_new_place_is_made() -> None:
    output = changed(SCENE, location_id=None, new_location=NEW)
    play = begun(output)
    assert play.scene.location == "location-1"
    assert values(play.world)["locations/location-1.json"] == NEW | {
        "id": "location-1",
        "discovered": True,
        "area_id": "location-1",
    }
    named = begun(changed(output, new_location__id="ferry"))
    assert (named.scene.location, "locations/ferry.json" in values(named.world)) == ("ferry", True)


def test_enemies_and_neutral_people_may_be_there_too() -> None:
    assert begun(SCENE | {"present_npcs": ["guard"]}).scene.present == ("guard",)


# who broke between the scenes


BROKEN = {"stress": 9, "pending_trauma": True}


def test_whoever_broke_between_the_scenes_breaks_as_the_next_one_begins() -> None:
    play = begun(**{"character-1": BROKEN})
    assert play.mood.as_written == {
        "mood": "trauma",
        "variant": "breaking",
        "for": "character-1",
        "what_broke": "what happened between the scenes",
        "trigger": "entanglement",
        "adrenaline": False,
    }
    assert [name for name, _ in told(play)] == ["SceneStarted", "MoodTransition", "NarrativeAdded"]
    assert told(play)[1][1] == {"tool": "scene_start", "from_mood": "between_scenes", "to_mood": "trauma"}
    awaiting = play.crew.awaiting
    assert (awaiting.stage, awaiting.for_, awaiting.mood) == ("dm_turn", "character-1", "trauma")
    assert play.crew.request is None
    person = play.world.character("character-1")
    assert person is not None
    assert person.pending_trauma


def test_of_several_the_first_in_the_party_breaks() -> None:
    play = begun(**{"character-1": BROKEN, "character-2": BROKEN})
    assert play.mood.as_written["for"] == play.crew.awaiting.for_ == "character-2"


def test_what_broke_somebody_is_the_entanglement() -> None:
    entanglement = {"type": "raid", "narration": "They took the stove.", "options": []}
    crew = changed(CREW, phase__context__entanglement=entanglement)
    assert begun(crew=crew, **{"character-1": BROKEN}).mood.as_written["what_broke"] == "They took the stove."


def test_somebody_with_all_the_stress_there_is_breaks_although_nobody_noted_it() -> None:
    play = begun(**{"character-1": {"stress": 9}})
    assert play.mood.as_written["for"] == "character-1"
    assert play.crew.awaiting.stage == "dm_turn"


# what it must hold


@pytest.mark.parametrize(
    ("changes", "field", "first"),
    [
        ({"location_id": None}, "location_id", "quay"),
        ({"location_id": "kay"}, "location_id", "quay"),
        ({"present_npcs": ["character-1"]}, "present_npcs.0", "harrow"),
    ],
)
def test_what_is_not_there_is_told_with_what_is(changes: Json, field: str, first: Any) -> None:
    hint = fails(changed(SCENE, **changes)).hint
    assert hint["field"] == f"output.{field}"
    assert first in hint["choices"][:2]
    assert "allowed" not in hint


@pytest.mark.parametrize(
    ("changes", "field", "meant"),
    [
        ({"location_id": None, "new_location": NEW | {"controlled_by": "wach"}}, "new_location.controlled_by", "watch"),
        (
            {"variant": {"variant": "opportunity", "nature": "x", "catch": "y", "offered_by": "haro"}},
            *("variant.offered_by", "harrow"),
        ),
    ],
)
def test_what_is_misspelt_is_told_with_what_is_meant(changes: Json, field: str, meant: str) -> None:
    hint = fails(changed(SCENE, **changes)).hint
    assert (hint["field"], hint["allowed"]) == (f"output.{field}", [meant])


@pytest.mark.parametrize(
    ("changes", "field", "got"),
    [
        ({"location_id": None, "new_location": NEW | {"id": "quay"}}, "new_location.id", "quay"),
        ({"location_id": None, "new_location": NEW | {"id": "X Y"}}, "new_location.id", "X Y"),
        ({"variant": {"variant": "opportunity", "nature": "a job"}}, "variant.catch", ""),
        ({"variant": {"variant": "opportunity", "nature": "x", "catch": " "}}, "variant.catch", " "),
        ({"suggested_actions": ["a"]}, "suggested_actions", ["a"]),
        ({"suggested_actions": [*"abcde"]}, "suggested_actions", [*"abcde"]),
    ],
)
def test_what_the_game_master_has_to_write_is_made_up_by_nobody(changes: Json, field: str, got: Any) -> None:
    assert fails(changed(SCENE, **changes)).hint == {"field": f"output.{field}", "got": got}


def test_two_places_at_once_are_one_too_many() -> None:
    hint = fails(SCENE | {"new_location": NEW}).hint
    got: Any = hint["got"]
    assert (hint["field"], got["name"]) == ("output.new_location", NEW["name"])
    assert not {"remove", "allowed", "choices"} & {*hint}


def test_somebody_present_twice_is_to_be_taken_out() -> None:
    assert fails(SCENE | {"present_npcs": ["harrow", "harrow"]}).hint["field"] == "output.present_npcs.1"


# through the front door


def test_a_scene_opens_as_an_output(tmp_path: Path) -> None:
    campaign: Json = {"format": 2, "id": "c", "allowlist": ["engage"], "selected": SELECTED}
    with begin(tmp_path / "c", {"campaign.json": campaign, "crew.json": CREW, **WORLD}) as opened:
        for _ in range(4):  # nothing stands in for it
            wrong = opened.process({"output": changed(SCENE, location_id="nowhere")})
            assert wrong["tool_feedback"]["failed_calls"][0]["reason"] == "scene_init_invalid"
        reply = opened.process({"output": changed(SCENE, location_id=None, newLocation={"name": "The Ferry"})})
        assert (reply["status"], reply["request"]["kind"]) == ("applied", "text")
        assert opened.state["crew.json"]["phase"]["tag"] == "playing"


def test_camel_case_is_understood_inside_a_variant(tmp_path: Path) -> None:
    campaign: Json = {"format": 2, "id": "c", "selected": SELECTED}
    variant = {"variant": "opportunity", "nature": "a job", "catch": "no questions", "offeredBy": "harrow"}
    with begin(tmp_path / "c", {"campaign.json": campaign, "crew.json": CREW, **WORLD}) as opened:
        assert opened.process({"output": SCENE | {"variant": variant}})["status"] == "applied"
