"""resolve: from action to aftermath."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from turnwright.model.base import Flag, ListOf, Model, Text
from turnwright.model.mood import (
    ActionDesperate,
    AftermathClean,
    AftermathCostly,
    AftermathDisaster,
    AftermathMood,
    AftermathSetback,
    Tier,
)
from turnwright.model.prose import Line
from turnwright.model.wire import hint
from turnwright.model.wire.reason import CallFailed, Reason
from turnwright.rulesets.scenes.moods import go, require_transition
from turnwright.rulesets.scenes.play import Play
from turnwright.rulesets.scenes.tiers import RESOLUTIONS, Resolution
from turnwright.rulesets.scenes.tools._scene_tool import Moved, SceneArgs, scene_tool
from turnwright.rulesets.scenes.turn import context_of_action
from turnwright.rulesets.scenes.waiting import next_segment

if TYPE_CHECKING:
    from turnwright.rulesets.scenes.shapes import ActionResolved

Few = Annotated[ListOf[Line], Field(max_length=4)]


class ResolveArgs(SceneArgs):
    """Arguments of `resolve`."""

    resolve_outcome: Resolution = Field(description="clean, costly, setback or disaster; the die's tier limits it.")
    resolve_what: Line = Field(description="The achievement, or the failure.")
    resolve_costs: Few = Field(default=(), description="The costs that were paid.")
    resolve_complications: Few = Field(default=(), description="New complications; seeds for later scenes.")
    immediate_danger: Flag = Field(
        default=False, description="Whether the danger continues at once; after a disaster it always does."
    )
    escape_route: Line | None = Field(default=None, description="The way out, for a setback.")


class ResolveResult(Model):
    """How it was resolved."""

    outcome: Resolution
    tier: Tier
    immediate_danger: Flag
    complications: ListOf[Text]
    transition: Moved


@scene_tool(
    ResolveArgs,
    ResolveResult,
    example={
        "resolve_outcome": "costly",
        "resolve_what": "Through the skylight, onto the gallery",
        "resolve_costs": ["a torn sleeve left on the glass"],
    },
)
def resolve(play: Play, args: ResolveArgs) -> ActionResolved:
    """Report the result of the chosen die, and continue with its consequences.

    Only after the player has spent a die. A critical is clean; a success clean or costly; a partial costly or a
    setback; a bad one a setback or a disaster; a disaster always a disaster. The costs of the die are already paid.
    """
    if args.resolve_outcome == "setback" and args.escape_route is None:
        repair = hint.ask_for("args.escape_route")
        raise CallFailed(Reason.INVALID_ARGS, "args.escape_route: is required for a setback", repair)
    require_transition(play)
    pending = play.crew.pending_outcome
    if pending is None or pending.chosen_tier is None:
        raise CallFailed(Reason.NO_OUTCOME_TO_RESOLVE, "no die was spent; call spend_die first")
    allowed = RESOLUTIONS[pending.chosen_tier]
    if args.resolve_outcome not in allowed:
        repair = hint.ask("args.resolve_outcome", args.resolve_outcome, allowed)
        detail = f"a {pending.chosen_tier} die is {' or '.join(allowed)}, not {args.resolve_outcome}"
        raise CallFailed(Reason.OUTCOME_TIER_MISMATCH, detail, repair)
    mood = _aftermath(play, args)
    play.set_crew(pending_outcome=None)
    go(play, "resolve", mood)
    next_segment(play)
    return {
        "outcome": args.resolve_outcome,
        "tier": pending.chosen_tier,
        "immediate_danger": args.immediate_danger or args.resolve_outcome == "disaster",
        "complications": list(args.resolve_complications),
        "transition": {"from": "action", "to": "aftermath"},
    }


def _aftermath(play: Play, args: ResolveArgs) -> AftermathMood:
    what, context = args.resolve_what, context_of_action(play)
    costs = args.resolve_costs
    complications = args.resolve_complications
    if args.resolve_outcome == "clean":
        return AftermathClean(what_achieved=what, action_context=context)
    if args.resolve_outcome == "costly":
        return AftermathCostly(
            what_achieved=what, costs_paid=costs, new_complications=complications, action_context=context
        )
    if args.resolve_outcome == "setback":
        return AftermathSetback(
            what_went_wrong=what,
            immediate_danger=args.immediate_danger,
            escape_route=args.escape_route or "",
            costs_paid=costs,
            new_complications=complications,
            action_context=context,
        )
    action = play.mood
    return AftermathDisaster(
        catastrophe=what,
        trauma_risk=isinstance(action, ActionDesperate) and action.potential_trauma,
        costs_paid=costs,
        world_state_changes=complications,
        action_context=context,
    )
