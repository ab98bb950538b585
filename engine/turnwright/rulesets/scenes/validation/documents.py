"""Validate the documents of a scene game: report inconsistencies before a turn meets them.

Source: docs/stages/2-settings.md, "Hand edits".
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from turnwright.model.base import Document
from turnwright.model.campaign import CREW_PATH
from turnwright.model.character import Character
from turnwright.model.clock import Clock
from turnwright.model.crew import Crew
from turnwright.model.intrigue import Faction, Thread
from turnwright.model.location import Location
from turnwright.model.scene import Scene, SceneSummary
from turnwright.model.state.overlay import World
from turnwright.model.wire.reason import Problem
from turnwright.rulesets.scenes.validation.bounds import bound_faults, in_force
from turnwright.rulesets.scenes.validation.crew import crew_faults
from turnwright.rulesets.scenes.validation.issue import Issue, refers
from turnwright.rulesets.validation import Edit


def scene_problems(edit: Edit) -> Iterator[Problem]:
    """Yield the problems of a scene game's edited documents, given the rest of the campaign and their former state.

    A changed scene causes the crew to be checked, too, as it may be the running scene.
    """
    world, paths = edit.world, {*edit.paths}
    if any(path.startswith(Scene.collection) for path in paths):
        paths.add(CREW_PATH)
    settings = in_force(world)
    for path in sorted(paths):
        document = world.get(path)
        faults = _FAULTS.get(type(document)) if document else None
        if document and faults:
            for fault in (*bound_faults(settings, document, edit.before(path)), *faults(world, document)):
                yield Problem(path, *fault)


def _scene_faults(world: World, scene: Scene) -> Iterator[Issue]:
    for fault in refers(world, Location, scene.location, "$.location"):
        yield fault._replace(warning=not scene.open)  # an open scene needs a location for its prompts
    for place, who in enumerate(scene.present):
        yield from refers(world, Character, who, f"$.present[{place}]")
    if len(set(scene.present)) < len(scene.present):
        yield Issue("$.present", "duplicate", "holds somebody twice")


def _clock_faults(world: World, clock: Clock) -> Iterator[Issue]:
    del world
    if clock.is_full and clock.completed_at_turn is None:
        yield Issue("$.filled", "full_clock", "is full, but was never completed; leave the last segment to play")
    if not clock.is_full and clock.completed_at_turn is not None:
        yield Issue("$.completed_at_turn", "full_clock", "is given, although the clock is not full")


def _thread_faults(world: World, thread: Thread) -> Iterator[Issue]:
    yield from refers(world, Clock, thread.deadline, "$.deadline")
    for place, who in enumerate(thread.involves):
        if world.find(Faction, who) is None:
            yield from refers(world, Character, who, f"$.involves[{place}]")


def _character_faults(world: World, person: Character) -> Iterator[Issue]:
    if len({name.casefold() for name in person.trauma}) < len(person.trauma):
        yield Issue("$.trauma", "duplicate", "holds the same trauma twice")
    yield from refers(world, Faction, person.faction, "$.faction")
    yield from refers(world, Location, person.location, "$.location")


def _summary_faults(world: World, summary: SceneSummary) -> Iterator[Issue]:
    yield from refers(world, Scene, summary.scene_id, "$.scene_id")
    first, after = summary.beat_range
    if first > after:
        yield Issue("$.beat_range", "beat_range", "ends before it begins")


_FAULTS: Mapping[type[Document], Callable[[World, Any], Iterator[Issue]]] = {
    Crew: crew_faults,
    Scene: _scene_faults,
    SceneSummary: _summary_faults,
    Clock: _clock_faults,
    Thread: _thread_faults,
    Character: _character_faults,
}
