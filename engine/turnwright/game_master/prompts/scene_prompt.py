"""The prompt of the awaited stage: the voice, its input, its tools, and its expected output.

A pure function of the state, evaluated for each segment. Source: docs/tools/scenes.md, "Prompts".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal, NamedTuple

from turnwright.game_master.prompts.output_schema import fitted, schema_for
from turnwright.game_master.prompts.scene_context import context_of
from turnwright.game_master.prompts.scene_lookup import require_crew
from turnwright.game_master.prompts.templates import render
from turnwright.model.crew import Crew
from turnwright.model.mood import MoodName
from turnwright.model.request import Stage
from turnwright.model.settings import Settings
from turnwright.model.state.overlay import World

if TYPE_CHECKING:
    from turnwright.model.json_schema import JsonSchema

Voice = Literal[
    "weaver",
    "precipice",
    "echo",
    "crack",
    "hungry_city",
    "archivist",
    "interlude_narrator",
    "entangler",
    "opener",
    "fate",
    "waiting",
]
VOICES_OF_MOODS: Mapping[MoodName, Voice] = {
    "scene": "weaver",
    "action": "precipice",
    "aftermath": "echo",
    "trauma": "crack",
    "bargain": "hungry_city",
}
"""The voices in play."""
VOICES: Mapping[Stage, Voice] = {
    "dm_compression": "archivist",
    "dm_transition": "interlude_narrator",
    "dm_entanglement": "entangler",
    "dm_scene_init": "opener",
    "dm_scenario": "fate",
}
"""The voices outside play."""


class Prompt(NamedTuple):
    """What a game master's model is given.

    Attributes:
        voice: who it is to be; `waiting` where a player has to answer first.
        system: the system prompt: the voice, the state of the game, what to hand in.
        user: the player's own words and nothing else; empty when there are none.
        tools: the names of the tools that may be called.
        output_schema: the JSON Schema of the turn's `output`; None where none is taken.
        prompt_id: what the turn names as its `prompt_id`.
        actor: what the turn names as its `actor_id`; None where it names none.
    """

    voice: Voice
    system: str
    user: str
    tools: tuple[str, ...]
    output_schema: JsonSchema | None
    prompt_id: int
    actor: str | None


def prompt_of(world: World, settings: Settings) -> Prompt:
    """Return the prompt of what is awaited now.

    While the player's text is awaited, it is that of a game master who acts without it.

    Raises:
        BadRequest: where there is no scene game.
        CampaignInvalid: when the scene, or the place where it is, does not exist.
    """
    crew = require_crew(world)
    voice = voice_of(crew)
    context = context_of(world, settings)
    # An aftermath that was accepted may be owed by a crew of old, which does not hold it: its output is asked for then.
    schema = schema_for(crew.awaiting.stage, crew.awaiting.mood or context.mood)
    return Prompt(
        voice=voice,
        system=render(voice, context),
        user=crew.awaiting.player_text if crew.awaiting.stage == "dm_turn" else "",
        tools=context.tools,
        output_schema=fitted(schema, context) if schema else None,
        prompt_id=context.prompt_id,
        actor=context.actor,
    )


def voice_of(crew: Crew) -> Voice:
    """Return who speaks now."""
    stage, mood = crew.awaiting.stage, crew.accepted or crew.mood
    if mood is not None and stage in ("dm_turn", "player_text"):
        return VOICES_OF_MOODS[mood.mood]
    return VOICES.get(stage, "waiting")
