"""Who speaks when, with which tools, and to which words of a player."""

from __future__ import annotations

import re

import pytest
from tests.builders import Json
from tests.game_master.city import EVERYTHING, MOODS, REMOVED, TEXT, TOOLS, prompt, shown, stages, values, world_of

from turnwright.game_master.prompts.scene_prompt import VOICES_OF_MOODS
from turnwright.model.errors import BadRequest
from turnwright.protocol.validation.edits import campaign_problems
from turnwright.rulesets.scenes.moods import TOOLS_OF_MOOD


@pytest.mark.parametrize("name", EVERYTHING)
def test_what_is_prompted_about_is_a_sound_campaign(name: str) -> None:
    world = world_of(EVERYTHING[name])
    found = {path: world.get(path) for path in EVERYTHING[name]}
    sound = {path: document for path, document in found.items() if document is not None}
    assert [problem for problem in campaign_problems(world, sound) if not problem.warning] == []


@pytest.mark.parametrize("variant", MOODS)
def test_every_variant_of_every_mood_has_a_prompt_with_exactly_the_tools_of_its_mood(variant: str) -> None:
    mood = MOODS[variant]
    given = prompt(values(variant))
    assert given.voice == VOICES_OF_MOODS[mood["mood"]]
    expected = [name for name in TOOLS_OF_MOOD[mood["mood"]] if name != "retreat" or mood["can_retreat"]]
    assert list(given.tools) == expected
    assert (given.user, given.prompt_id, given.actor) == (TEXT, 7, "character-1")


def test_the_voices_outside_play_have_no_tools_and_no_player() -> None:
    for name, documents in stages().items():
        given = prompt(documents)
        assert (given.tools, given.user) == ((), ""), name
        assert name.startswith(given.voice), name


@pytest.mark.parametrize("name", EVERYTHING)
def test_a_prompt_speaks_of_no_tool_that_is_not_to_be_had(name: str) -> None:
    given = shown(name)
    told = set(re.findall(r"`(\w+)`", given.system)) & {*TOOLS, *REMOVED}
    assert told <= set(given.tools)


def test_every_tool_is_spoken_of_by_some_prompt() -> None:
    told = " ".join(shown(name).system for name in MOODS)
    assert [name for name in TOOLS if f"`{name}`" not in told] == []


def test_a_player_who_has_not_spoken_is_not_quoted() -> None:
    given = prompt(values("encounter", "player_text"))
    assert (given.voice, given.user) == ("weaver", "")
    assert given.tools == TOOLS_OF_MOOD["scene"]
    assert "The player has not spoken yet" in given.system


def test_the_player_s_words_stand_in_no_system_prompt_but_as_a_beat() -> None:
    for name in MOODS:
        assert TEXT not in shown(name).system


@pytest.mark.parametrize("stage", ["player_dice", "player_choice", "player_creation", "none"])
def test_while_a_player_must_answer_there_is_nothing_to_hand_in(stage: str) -> None:
    die: Json = {"index": 0, "value": 2, "tier": "partial", "hint": "out, but seen"}
    die |= {"stress_cost": 2, "heat_cost": 1, "coin_delta": 0}
    payload = {"situation": "The drawer is open", "position": "risky", "dice": [die]}
    request = {"id": "request-1", "kind": "dice", "to": "character-1", "payload": payload}
    given = prompt(values("risky", stage, request=request if stage == "player_dice" else None))
    assert (given.voice, given.tools, given.output_schema, given.user) == ("waiting", (), None, "")
    assert given.system.startswith("# The session is over" if stage == "none" else "# A player must answer")
    assert ("out, but seen" in given.system) is (stage == "player_dice")


def test_a_campaign_without_a_scene_game_has_no_prompt() -> None:
    city = values()
    del city["crew.json"]
    with pytest.raises(BadRequest, match="no scene game"):
        prompt(city)
