"""Beats of a scene, costs and threats that echo: the short memory of play.

Source: docs/tools/scenes.md, "Scenes" and "Echoes".
"""

from __future__ import annotations

from collections.abc import Sequence

from turnwright.model.crew import Playing
from turnwright.model.mood import MAX_LENGTH
from turnwright.model.scene import Beat, EnvironmentShift, Scene
from turnwright.rulesets.scenes.play import Play


def add_beat(play: Play, beat: Beat) -> None:
    """Add a beat to the scene that is played, or else to the one that has just ended."""
    closed_id = play.crew.closed_scene_id
    is_over = closed_id is not None and not isinstance(play.crew.phase, Playing)
    scene = play.world.find(Scene, closed_id) if closed_id is not None and is_over else play.scene
    if scene is not None:
        play.world.put(scene.replace(beats=(*scene.beats, beat)))


def add_shift(play: Play, text: str) -> None:
    """Add a change of the surroundings as a beat."""
    add_beat(play, EnvironmentShift(text=text[:MAX_LENGTH], seq=play.seq, turn=play.crew.turn))


def add_cost(play: Play, text: str) -> None:
    """Put a cost at the front of the remembered costs."""
    costs = _in_front(text, play.crew.recent_costs)
    play.set_crew(recent_costs=costs[: play.rule("recent_costs_max")])


def add_threat(play: Play, text: str) -> None:
    """Put a threat at the front of the unresolved ones; the oldest is dropped when there are too many."""
    threats = _in_front(text, play.crew.unresolved_threats)
    most = play.rule("unresolved_max")
    play.set_crew(unresolved_threats=threats[:most])
    for faded in threats[most:]:
        play.emit("ThreatFaded", text=faded)


def resolve_threats(play: Play, texts: Sequence[str]) -> None:
    """Take threats off the list."""
    gone = set(map(_folded, texts))
    kept = [threat for threat in play.crew.unresolved_threats if _folded(threat) not in gone]
    play.set_crew(unresolved_threats=kept)


def is_threat(play: Play, text: str) -> bool:
    """Return whether this threat is on the list."""
    return _folded(text) in map(_folded, play.crew.unresolved_threats)


def _in_front(text: str, texts: Sequence[str]) -> list[str]:
    text = text.strip()
    return [text, *(other for other in texts if _folded(other) != _folded(text))]


def _folded(text: str) -> str:
    return " ".join(text.split()).casefold()
