"""What a prompt is about: the crew, the scene and its place, the character whose stress and coin it is.

Source: docs/tools/scenes.md, "Prompts".
"""

from __future__ import annotations

from turnwright.game_master.prompts.scene_views import PlaceView, place_view
from turnwright.model.character import Character
from turnwright.model.crew import Crew, Playing, ScenarioPhase
from turnwright.model.errors import BadRequest, CampaignInvalid
from turnwright.model.location import Location
from turnwright.model.mood import TraumaMood
from turnwright.model.scene import Scene
from turnwright.model.state.overlay import World
from turnwright.model.wire.reason import Problem
from turnwright.rulesets.scenes.play import find_crew


def require_crew(world: World) -> Crew:
    """Return the crew.

    Raises:
        BadRequest: where there is no scene game.
    """
    crew = find_crew(world)
    if crew is None:
        raise BadRequest("this campaign has no scene game: it has no crew.json, and so no prompts")
    return crew


def scene_of(world: World, crew: Crew) -> Scene | None:
    """Return the scene that the game is about now: what is to be compressed, or else what is played.

    Raises:
        CampaignInvalid: when it does not exist.
    """
    played = crew.phase.scene_id if isinstance(crew.phase, Playing) else None
    identifier = played
    if crew.awaiting.stage == "dm_compression" and crew.closed_scene_id is not None:
        identifier = crew.closed_scene_id
    if identifier is None:
        return None
    scene = world.find(Scene, identifier)
    if scene is None:
        where = "$.phase.scene_id" if identifier == played else "$.closed_scene_id"
        raise CampaignInvalid([Problem(crew.path, where, "unknown_scene", f"there is no scene {identifier}")])
    return scene


def place_of(world: World, scene: Scene) -> PlaceView:
    """Return where a scene is; of a closed one whose place is gone, as much as is known.

    Raises:
        CampaignInvalid: when there is no such place and the scene is open.
    """
    place = world.find(Location, scene.location)
    if place is None and not scene.open:
        return PlaceView(scene.location, scene.location, None, (), None)
    if place is None:
        message = f"there is no location {scene.location}"
        raise CampaignInvalid([Problem(scene.path, "$.location", "unknown_location", message)])
    return place_view(world, place)


def answered_in(world: World, crew: Crew) -> str | None:
    """Return the character whose text the game master answers; None where there is none, or they left the party."""
    answered = crew.awaiting.for_
    return answered if answered in world.campaign.selected.party_character_ids else None


def player_of(world: World, crew: Crew) -> Character | None:
    """Return the character whose stress and coin count: the breaking one, the opening's, or the author of the text."""
    mood, phase = crew.mood, crew.phase
    known = answered_in(world, crew) or world.campaign.selected.active_actor_id
    if isinstance(mood, TraumaMood):
        known = mood.for_
    elif isinstance(phase, ScenarioPhase):
        known = phase.for_
    return world.character(known) if known else None
