"""The rules of valid offers of dice and options: players see what would really happen.

Source: docs/stages/2-settings.md, "Hand edits".
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from turnwright.model.crew import BetweenScenes, Crew, PendingOutcome, ScenarioPhase
from turnwright.model.mood import BargainMood
from turnwright.model.request import DicePayload, DiceRequest
from turnwright.rulesets.scenes.entanglement import keyed
from turnwright.rulesets.scenes.pool import shown_dice
from turnwright.rulesets.scenes.scenario import STOPPING
from turnwright.rulesets.scenes.validation.issue import Issue


def offer_faults(crew: Crew) -> Iterator[Issue]:
    """Yield the faults of offered dice, or of a chosen die that waits for its result."""
    pending, is_awaited = crew.pending_outcome, crew.awaiting.stage == "player_dice"
    if pending is None or pending.chosen_die is not None:
        if is_awaited:
            yield Issue("$.pending_outcome", "offer", "wants futures on offer while player_dice is awaited")
        if pending is not None and not (pending.chosen_index or 0) < len(pending.outcomes):
            yield Issue("$.pending_outcome.chosen_index", "offer", "there is no such outcome")
        if pending is not None and pending.chosen_tier is None:
            yield Issue("$.pending_outcome.chosen_tier", "offer", "wants the tier of the chosen die")
        return
    if not is_awaited:
        yield Issue("$.pending_outcome", "offer", f"are futures on offer, although {crew.awaiting.stage} is awaited")
    if crew.request is not None and pending.request_id != crew.request.id:
        yield Issue("$.pending_outcome.request_id", "offer", f"the open request is {crew.request.id}")
    if len(pending.outcomes) != len(crew.dice_pool):
        yield Issue("$.pending_outcome.outcomes", "offer", f"wants one for each of {len(crew.dice_pool)} dice")
    elif isinstance(crew.request, DiceRequest):
        yield from _shown_faults(crew.dice_pool, pending, crew.request.payload)


def _shown_faults(pool: Sequence[int], pending: PendingOutcome, shown: DicePayload) -> Iterator[Issue]:
    """Yield offers that show the player another die, or another price, than would be spent."""
    for place, (face, outcome) in enumerate(zip(pool, pending.outcomes, strict=True)):
        if outcome.die_value != face:
            where = f"$.pending_outcome.outcomes[{place}].die_value"
            yield Issue(where, "offer", f"is {outcome.die_value}, but this die of the pool shows {face}")
    if shown.position != pending.position:
        yield Issue("$.request.payload.position", "offer", f"is {shown.position}, but {pending.position} was committed")
    committed = shown_dice(pending.position, pool, pending.outcomes)
    if len(shown.dice) != len(committed):
        yield Issue("$.request.payload.dice", "offer", f"wants one for each of {len(committed)} dice")
        return
    for place, (die, wanted) in enumerate(zip(shown.dice, committed, strict=True)):
        told = die.as_written
        for key, value in wanted.items():
            if key != "hint" and told[key] != value:
                where = f"$.request.payload.dice[{place}].{key}"
                yield Issue(where, "offer", f"is {told[key]}, but {value} was committed")


def choice_faults(crew: Crew) -> Iterator[Issue]:
    """Yield options of an open choice that have no effect when chosen."""
    if crew.request is None or crew.request.kind != "choice":
        return
    if all(option.disabled for option in crew.request.payload.options):
        yield Issue("$.request.payload.options", "option", "holds nothing that could be chosen")
    known = _choosable(crew)
    for place, option in enumerate(crew.request.payload.options):
        if option.key not in known:
            where = f"$.request.payload.options[{place}].key"
            yield Issue(where, "option", f"{option.key} stands for nothing that could be chosen now")


def _choosable(crew: Crew) -> Collection[str]:
    """Return the keys of the possible options, as far as the phase determines them."""
    phase, mood = crew.phase, crew.mood
    if isinstance(mood, BargainMood):
        ways_out = ("pass_out", "retreat") if mood.can_retreat else ("pass_out",)
        return {*(offer.id for offer in mood.offers), *ways_out}
    if isinstance(phase, ScenarioPhase):
        return STOPPING
    if not isinstance(phase, BetweenScenes):
        return ()
    context = phase.context
    if context.stage == "entanglement":
        return keyed(context.entanglement.options) if context.entanglement else ()
    return {option.key for option in context.options} if context.stage == "choosing" else ()
