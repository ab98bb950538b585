"""How a scene begins and ends.

Source: docs/tools/scenes.md, "Scenes".
"""

from __future__ import annotations

from collections.abc import Sequence

from turnwright.model.crew import Playing
from turnwright.model.location import Location
from turnwright.model.mood import Mood
from turnwright.model.scene import Scene, Style
from turnwright.rulesets.core.places.lookup import note_arrival
from turnwright.rulesets.scenes.beats import add_shift
from turnwright.rulesets.scenes.play import Play


def close_scene(play: Play, reason: str) -> None:
    """End the running scene; its beats must be compressed before the game continues.

    The caller must change the phase: without a scene there is no play.
    """
    scene = play.scene
    play.world.put(scene.replace(open=False))
    play.set_crew(closed_scene_id=scene.id if scene.beats else None)
    play.emit("SceneEnded", reason=reason)


def fold_outcome(play: Play) -> None:
    """Set aside a chosen outcome that will not be resolved any more; it remains as a beat."""
    pending = play.crew.pending_outcome
    if pending is None:
        return
    if pending.chosen_die is not None:
        chosen = pending.outcomes[pending.chosen_index or 0]
        add_shift(play, f"{pending.situation}: {chosen.narrative}")
    play.set_crew(pending_outcome=None)


def start_scene(play: Play, location_id: str, present: Sequence[str], stakes: str, style: Style, mood: Mood) -> Scene:
    """Begin a scene at the party's location, and make it the running one.

    Args:
        play: the game.
        location_id: the place of the scene.
        present: ids of the characters who are present.
        stakes: the stakes of the scene.
        style: the narrative style.
        mood: the initial mood.
    """
    scene = Scene(
        id=play.world.new_id("scene", Scene),
        location=location_id,
        present=tuple(present),
        stakes=stakes,
        style=style,
    )
    play.world.put(scene)
    play.set_crew(phase=Playing(scene_id=scene.id, mood=mood), mood_turns=0)
    play.emit("SceneStarted", location=location_id)
    _put_party(play, location_id)
    return scene


def _put_party(play: Play, location_id: str) -> None:
    """Move every member to the location of the scene."""
    place = play.world.find(Location, location_id)
    if place is None or place.area_id is None:
        return  # a hand edit took the place, or its area, away
    for member in play.world.party():
        if member.position != place.area_id:
            play.world.put(member.replace(position=place.area_id))
    note_arrival(play.world, place.area_id)


def set_pool(play: Play, faces: Sequence[int], source: str) -> None:
    """Put these dice in the place of the pool, as many as it takes."""
    kept = list(faces)[: play.rule("pool_max")]
    play.set_crew(dice_pool=kept)
    play.emit("DiceGained", values=kept, pool_size=len(kept), source=source)


def roll_into_pool(play: Play, count: int, source: str) -> list[int]:
    """Roll dice into the pool, as far as it takes them; return the faces."""
    pool = play.crew.dice_pool
    play.dice.expect([(6, "pool")] * count)
    faces = [play.dice.draw(6, "pool") for _ in range(count)]
    kept = (*pool, *faces)[: play.rule("pool_max")]
    play.set_crew(dice_pool=kept)
    play.emit("DiceGained", values=faces, pool_size=len(kept), source=source)
    return faces
