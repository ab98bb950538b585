"""The rules of a valid crew: phase, mood, dice and awaited stage fit together, and all references exist.

Source: docs/stages/2-settings.md, "Hand edits".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from turnwright.model.base import Entry
from turnwright.model.campaign import CAMPAIGN_PATH, CampaignDocument
from turnwright.model.character import Character
from turnwright.model.clock import Clock
from turnwright.model.crew import BetweenScenes, Crew, Playing, ScenarioPhase
from turnwright.model.intrigue import Faction
from turnwright.model.mood import BargainMood, Mood, SceneOpportunity, TraumaMood
from turnwright.model.request import KIND_AWAITED
from turnwright.model.scene import Scene, SceneSummary
from turnwright.model.state.overlay import World
from turnwright.model.viewer import TABLE
from turnwright.rulesets.scenes.validation.issue import Issue, refers
from turnwright.rulesets.scenes.validation.offers import choice_faults, offer_faults

STAGES: Mapping[str, frozenset[str]] = {
    "character_creation": frozenset({"player_creation"}),
    "scenario_init": frozenset({"dm_scenario"}),
    "playing": frozenset({"player_text", "dm_turn", "player_dice", "player_choice", "dm_compression"}),
    "between_scenes": frozenset(
        {"dm_compression", "dm_entanglement", "dm_transition", "player_choice", "dm_scene_init"}
    ),
    "session_ended": frozenset({"none"}),
}
"""The stages that can be awaited in each phase."""
STEPS: Mapping[str, frozenset[str]] = {
    "dm_compression": frozenset({"entering"}),
    "dm_entanglement": frozenset({"entanglement"}),
    "dm_transition": frozenset({"narrating"}),
    "player_choice": frozenset({"entanglement", "choosing"}),
    "dm_scene_init": frozenset({"scene_init"}),
}
"""The possible steps of an interlude while a stage is awaited."""


def crew_faults(world: World, crew: Crew) -> Iterator[Issue]:
    """Yield the faults of a crew, given the rest of the campaign."""
    yield from _repeats(crew)
    yield from _stage_faults(crew)
    yield from offer_faults(crew)
    yield from choice_faults(crew)
    yield from _counter_faults(world, crew)
    if isinstance(crew.phase, Playing):
        yield from _play_faults(world, crew, crew.phase)
        yield from _mood_faults(world, crew.phase.mood)
    yield from _reference_faults(world, crew)
    yield from _people_faults(world, crew)


def _repeats(crew: Crew) -> Iterator[Issue]:
    for name, texts in (("recent_costs", crew.recent_costs), ("unresolved_threats", crew.unresolved_threats)):
        if len({" ".join(text.split()).casefold() for text in texts}) < len(texts):
            yield Issue(f"$.{name}", "duplicate", "holds the same text twice")


def _stage_faults(crew: Crew) -> Iterator[Issue]:
    stage, phase = crew.awaiting.stage, crew.phase.tag
    if stage not in STAGES[phase]:
        allowed = ", ".join(sorted(STAGES[phase]))
        yield Issue("$.awaiting.stage", "stage", f"{stage} does not fit the phase {phase}, which waits for {allowed}")
    if isinstance(crew.phase, BetweenScenes):
        yield from _step_faults(crew, crew.phase.context.stage)
    wanted = KIND_AWAITED.get(stage)
    kind = crew.request.kind if crew.request else None
    # The engine asks a crew that waits for its first character when the edit is adopted.
    # A crew whose opening never arrives may stop waiting for it.
    may_stop = stage == "dm_scenario" and kind == "choice"
    if kind != wanted and not may_stop and not (stage == "player_creation" and kind is None):
        expected = f"wants a request of kind {wanted}" if wanted else "wants none"
        yield Issue("$.request", "request", f"{expected} while {stage} is awaited")


def _step_faults(crew: Crew, step: str) -> Iterator[Issue]:
    stage = crew.awaiting.stage
    if stage in STEPS and step not in STEPS[stage]:
        allowed = ", ".join(sorted(STEPS[stage]))
        yield Issue("$.phase.context.stage", "stage", f"is {step} while {stage} is awaited, which wants {allowed}")
    if stage == "dm_compression" and crew.closed_scene_id is None:
        yield Issue("$.closed_scene_id", "stage", f"wants the scene that is to be summed up while {stage} is awaited")


def _counter_faults(world: World, crew: Crew) -> Iterator[Issue]:
    """Yield ids that were not given out yet, and so would be given to something else."""
    campaign = world.get(CAMPAIGN_PATH)
    counters = campaign.counters if isinstance(campaign, CampaignDocument) else {}
    given = [("$.request.id", crew.request.id)] if crew.request else []
    given += [(f"$.pending_consequences[{i}].id", due.id) for i, due in enumerate(crew.pending_consequences)]
    for path, identifier in given:
        numbered = re.fullmatch(r"(request|consequence)-([1-9][0-9]{0,14})", identifier)
        if numbered and int(numbered[2]) > counters.get(numbered[1], 0):
            key = f"counters.{numbered[1]} of campaign.json"
            yield Issue(path, "counter", f"would be given out again; {key} must be at least {numbered[2]}")


def _play_faults(world: World, crew: Crew, phase: Playing) -> Iterator[Issue]:
    scene = world.find(Scene, phase.scene_id)
    if scene is None:
        yield Issue("$.phase.scene_id", "unknown_scene", f"there is no scene {phase.scene_id}")
    elif not scene.open:
        yield Issue("$.phase.scene_id", "closed_scene", f"{phase.scene_id} is closed")
    mood = phase.mood.mood
    if mood == "bargain" and crew.dice_pool:
        yield Issue("$.dice_pool", "dice_pool", "holds dice, although the mood is bargain")
    chosen = crew.pending_outcome.chosen_die if crew.pending_outcome else None
    if mood == "action" and not crew.dice_pool and chosen is None:
        yield Issue("$.dice_pool", "dice_pool", "is empty, although the mood is action and no die was chosen")
    if mood != "action" and crew.awaiting.stage == "player_dice":
        yield Issue("$.phase.mood", "mood", "dice are on offer in the mood action alone")


def _mood_faults(world: World, mood: Mood) -> Iterator[Issue]:
    if isinstance(mood, TraumaMood):
        for fault in refers(world, Character, mood.for_, "$.phase.mood.for"):
            yield fault._replace(warning=False)  # only a scar ends the trauma
    elif isinstance(mood, SceneOpportunity):
        yield from refers(world, Character, mood.offered_by, "$.phase.mood.offered_by")
    elif isinstance(mood, BargainMood):
        models: Mapping[str, type[Entry]] = {"clock": Clock, "faction": Faction}
        for place, offer in enumerate(mood.offers):
            if model := models.get(offer.cost_type):
                target = offer.cost_target or ""
                yield from refers(world, model, target, f"$.phase.mood.offers[{place}].cost_target")
        for place, clock_id in enumerate(mood.pass_out_plan.clocks_to_advance if mood.pass_out_plan else ()):
            yield from refers(world, Clock, clock_id, f"$.phase.mood.pass_out_plan.clocks_to_advance[{place}]")


def _reference_faults(world: World, crew: Crew) -> Iterator[Issue]:
    yield from refers(world, Scene, crew.closed_scene_id, "$.closed_scene_id")
    closed = world.find(Scene, crew.closed_scene_id) if crew.closed_scene_id is not None else None
    if closed is not None and closed.open:
        yield Issue("$.closed_scene_id", "open_scene", f"{closed.id} is open")
    for place, summary_id in enumerate(crew.recent_summary_ids):
        yield from refers(world, SceneSummary, summary_id, f"$.recent_summary_ids[{place}]")
    if crew.pending_interrupt is not None:
        yield from refers(world, Clock, crew.pending_interrupt.clock_id, "$.pending_interrupt.clock_id")
    for place, interrupt in enumerate(crew.interrupt_queue):
        yield from refers(world, Clock, interrupt.clock_id, f"$.interrupt_queue[{place}].clock_id")
    for place, due in enumerate(crew.pending_consequences):
        yield from refers(world, Clock, due.clock_id, f"$.pending_consequences[{place}].clock_id")


def _people_faults(world: World, crew: Crew) -> Iterator[Issue]:
    if isinstance(crew.phase, ScenarioPhase):
        for fault in refers(world, Character, crew.phase.for_, "$.phase.for"):
            yield fault._replace(warning=False)  # an opening that changes their stress would never do
    named = [("$.awaiting.for", crew.awaiting.for_)]
    if crew.request is not None:
        addressee = None if crew.request.to == TABLE else crew.request.to
        named += [("$.request.for", crew.request.for_), ("$.request.to", addressee)]
    if crew.pending_outcome is not None:
        named.append(("$.pending_outcome.for", crew.pending_outcome.for_))
    for path, who in named:
        yield from refers(world, Character, who, path)
