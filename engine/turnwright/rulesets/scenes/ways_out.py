"""The two ways out of a bargain that take nothing on credit: to retreat, and to pass out.

Source: docs/tools/scenes.md, "Bargains".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from turnwright.model.base import name_tag
from turnwright.model.clock import Clock
from turnwright.model.crew import FromPassOut
from turnwright.model.location import Location
from turnwright.model.mood import BargainMood
from turnwright.model.scene import Style
from turnwright.model.wire import hint
from turnwright.model.wire.reason import CallFailed, Reason
from turnwright.rulesets.core.geography import settle
from turnwright.rulesets.scenes.beats import add_shift
from turnwright.rulesets.scenes.clocks import check_completion, threat_clocks, tick
from turnwright.rulesets.scenes.closing import close_scene, fold_outcome, set_pool, start_scene
from turnwright.rulesets.scenes.moods import check_trauma, continuing
from turnwright.rulesets.scenes.play import Play, Source
from turnwright.rulesets.scenes.stats import change_stress
from turnwright.rulesets.scenes.waiting import next_segment

if TYPE_CHECKING:
    from turnwright.rulesets.scenes.shapes import MoodChanged, PassedOut

MAX_CLOCKS = 2
_MAX_NAME_LENGTH = 100
WAKING_STAKES = "find out what happened"


def retreat(play: Play, narration: str, source: Source = "dm") -> MoodChanged:
    """Leave the scene and go from play to the interlude."""
    from turnwright.rulesets.scenes.interlude import enter

    mood = play.mood
    assert isinstance(mood, BargainMood)
    if not mood.can_retreat:
        raise CallFailed(Reason.RETREAT_UNAVAILABLE, "there is no way back from here")
    fold_outcome(play)
    close_scene(play, "retreat")
    set_pool(play, play.rule("retreat_pool"), "retreat")
    play.emit("MoodTransition", tool="retreat", from_mood="bargain", to_mood="between_scenes")
    play.tell(narration, source)
    play.broke = True
    enter(play)
    return {"transition": {"from": "bargain", "to": "between_scenes"}}


def require_clocks(play: Play, clock_ids: Sequence[str], where: str) -> list[Clock]:
    """Return the threat clocks that passing out advances: the named ones, or else the one nearest to full.

    Raises:
        CallFailed: `clock_unknown`; `invalid_args` for too many, a duplicate, or one that is not a threat.
    """
    require_few(clock_ids, where)
    known = threat_clocks(play)
    names = [clock.id for clock in known]
    found = []
    for place, clock_id in enumerate(clock_ids):
        clock = play.world.find(Clock, clock_id)
        if clock is None:
            repair = hint.name(f"{where}.{place}", clock_id, names)
            raise CallFailed(Reason.CLOCK_UNKNOWN, f"there is no clock {clock_id}", repair)
        if clock.type != "threat":
            repair = hint.ask(f"{where}.{place}", clock_id, names)
            raise CallFailed(Reason.INVALID_ARGS, f"{clock_id} is no clock that threatens", repair)
        found.append(clock)
    if not found and known:
        found = [max(known, key=lambda clock: clock.filled / clock.segments)]
    return found


def require_few(clock_ids: Sequence[str], where: str) -> None:
    """Refuse more clocks than passing out moves on, and the same one twice."""
    if len(clock_ids) > MAX_CLOCKS:
        repair = hint.ask(where, list(clock_ids))
        raise CallFailed(Reason.INVALID_ARGS, f"{where}: at most {MAX_CLOCKS} clocks", repair)
    if len(set(clock_ids)) < len(clock_ids):
        repair = hint.repair(where, list(clock_ids), list(dict.fromkeys(clock_ids)))
        raise CallFailed(Reason.INVALID_ARGS, f"{where}: the same clock twice", repair)


def require_place(where: str, wanted: str) -> str:
    """Return the id or name of the place to wake up in; a name must not be longer than that of a place."""
    place = wanted.strip()
    if not place or len(place) > _MAX_NAME_LENGTH:
        repair = hint.ask(where, wanted)
        raise CallFailed(Reason.INVALID_ARGS, f"{where}: wants 1 to {_MAX_NAME_LENGTH} characters", repair)
    return place


def pass_out(
    play: Play,
    narration: str,
    place: str,
    clocks: Sequence[Clock],
    stakes: str = WAKING_STAKES,
    source: Source = "dm",
) -> PassedOut:
    """Collapse, and wake up in a new scene; time has passed meanwhile."""
    if play.rule("pass_out_stress"):
        play.require_actor()
    fold_outcome(play)
    old = play.scene.id
    close_scene(play, "pass_out")
    advanced = [clock.id for clock in clocks if tick(play, clock, 1, "pass_out")]
    _compress_later(play, old)
    change_stress(play, play.rule("pass_out_stress"), "pass_out")
    set_pool(play, play.rule("pass_out_pool"), "pass_out")
    location = _location(play, place)
    play.emit("MoodTransition", tool="pass_out", from_mood="bargain", to_mood="scene")
    start_scene(play, location, (), stakes, Style(), continuing("waking up", "medium", escapable=False))
    add_shift(play, narration)
    play.set_crew(scene_entry_context=FromPassOut(narration=narration, clocks_advanced=tuple(advanced)))
    check_completion(play)
    check_trauma(play, "pass_out", narration)
    play.tell(narration, source)
    next_segment(play)
    if play.crew.closed_scene_id is not None and play.mood.mood != "trauma":
        from turnwright.rulesets.scenes.compression import compression_due

        compression_due(play)
    return {
        "clocks_advanced": advanced,
        "woke_up_at": location,
        "transition": {"from": "bargain", "to": play.mood.mood},
    }


def _compress_later(play: Play, scene_id: str) -> None:
    """Add the changes of the clocks while the scene ended to its compression."""
    if play.scene.beats:
        play.set_crew(closed_scene_id=scene_id)


def _location(play: Play, place: str) -> str:
    if play.world.find(Location, place):
        return place
    if named := play.world.all_tagged(Location, name_tag(place)):
        return named[0].id
    return settle(play.world, Location(id=play.world.new_id("location", Location), name=place)).id
