"""How a scene game begins: with a place and a goal; the game asks for the character itself, with its cards."""

from __future__ import annotations

from turnwright.model.campaign import CREW_PATH
from turnwright.model.crew import Crew
from turnwright.rulesets.beginning import Beginning, Situation, Trouble, clear_words
from turnwright.rulesets.core.beginning import map_inside, place, where_in
from turnwright.rulesets.scenes.moods import SCENE_TOOLS


def trouble(text: str, situation: Situation, heroes: int) -> Trouble:
    """Return the first trouble as the goal of the session."""
    del heroes
    words = clear_words(text, "the trouble")
    crew = situation.world.get(CREW_PATH)
    if isinstance(crew, Crew):
        situation.world.put(crew.replace(session_goals=(*crew.session_goals, words)))
    return Trouble((), where_in(words), [f"the goal of the session: {words}"])


_ASKS = "a scene game asks who you are when you play it, with its cards"
SCENES = Beginning(
    title="scenes: moods, dice and bargains instead of hit points",
    needs=SCENE_TOOLS,
    allowlist=("roll_dice", *SCENE_TOOLS),
    documents={CREW_PATH: {}},
    readers={"place": place, "map": map_inside},
    missing={"hero": _ASKS, "npc": "people of a scene game come with its scenes", "monster": "scenes have no monsters"},
    trouble=trouble,
)
