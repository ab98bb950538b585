"""A crew between two scenes, or about to be: what tests of interludes begin with."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from turnwright.model.base import Document
from turnwright.model.campaign import CampaignDocument, Selected
from turnwright.model.character import Character
from turnwright.model.clock import Clock
from turnwright.model.crew import BetweenScenes, BetweenScenesContext, Crew, Playing
from turnwright.model.dice.draws import Dice
from turnwright.model.mood import SceneEncounter
from turnwright.model.scene import Beat, DmNarration, Scene
from turnwright.model.settings import settings_of
from turnwright.model.state.overlay import InMemorySource, World
from turnwright.rulesets.registry import BUILT_IN
from turnwright.rulesets.scenes.interlude import go_on
from turnwright.rulesets.scenes.play import Play


def clock(clock_id: str, filled: int = 0, **fields: Any) -> Clock:
    return Clock.model_validate({"id": clock_id, "name": clock_id, "segments": 4, "type": "threat"} | fields).replace(
        filled=filled
    )


def narrations(count: int) -> list[Beat]:
    return [DmNarration(text=f"beat {number}", mood="scene", seq=1, turn=1) for number in range(count)]


def scene(beats: Iterable[Beat] = (), **fields: Any) -> Scene:
    return Scene.model_validate({"id": "scene-1", "location": "docks", **fields}).replace(beats=tuple(beats))


def play_of(
    *documents: Document,
    crew: dict[str, Any] | None = None,
    actor: dict[str, Any] | None = None,
    settings: dict[str, Any] | None = None,
    given: Iterable[int] = (),
    acting_id: str | None = "pc",
) -> Play:
    """Return one part of a turn at work on a campaign with the character `pc` and these documents."""
    selected = Selected(party_character_ids=("pc",), active_actor_id="pc")
    shelf: list[Document] = [
        CampaignDocument(format=2, id="c", selected=selected),
        Character.model_validate({"id": "pc", "name": "Arden"} | (actor or {})),
        Crew.model_validate(crew or {}),
        *documents,
    ]
    dice = Dice(b"secret", "1")
    dice.given.extend(given)
    world = World(InMemorySource({document.path: document for document in shelf}))
    return Play(
        world, dice.part(1), settings_of({"scene": settings or {}}, BUILT_IN.settings), acting_id, seq=7, cause="output"
    )


def between(stage: str = "entering", **fields: Any) -> BetweenScenes:
    return BetweenScenes(context=BetweenScenesContext.model_validate({"stage": stage} | fields))


def playing(scene_id: str = "scene-1") -> Playing:
    return Playing(scene_id=scene_id, mood=SceneEncounter(source="somebody"))


def types(play: Play) -> list[str]:
    return [event.type for event in play.events]


def arden(play: Play) -> Character:
    found = play.world.character("pc")
    assert found is not None
    return found


FULL_POOL = [1, 2, 3, 4, 5]


def at(stage: str, *documents: Document, crew: dict[str, Any] | None = None, **fields: Any) -> Play:
    """Return a play between scenes with all the dice it can have, so that nothing is offered but what is asked for."""
    return play_of(*documents, crew={"phase": between(stage), "dice_pool": FULL_POOL} | (crew or {}), **fields)


def choosing(*documents: Document, crew: dict[str, Any] | None = None, **fields: Any) -> Play:
    play = at("narrating", *documents, crew=crew, **fields)
    go_on(play)
    play.events.clear()
    return play


def filled(play: Play, clock_id: str) -> int:
    found = play.world.find(Clock, clock_id)
    assert found is not None
    return found.filled
