"""engage: from the scene into action."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pydantic import Field

from turnwright.model.base import ABSENT, Model
from turnwright.model.mood import ActionControlled, ActionDesperate, ActionMood, ActionRisky, Domain
from turnwright.model.prose import Line
from turnwright.rulesets.scenes.moods import enter_bargain, go, require_transition
from turnwright.rulesets.scenes.play import Play
from turnwright.rulesets.scenes.tools._scene_tool import Moved, PositionWord, SceneArgs, scene_tool
from turnwright.rulesets.scenes.waiting import next_segment

if TYPE_CHECKING:
    from turnwright.rulesets.scenes.shapes import Engaged


class EngageArgs(SceneArgs):
    """Arguments of `engage`."""

    engage_intent: Line = Field(description="The character's goal.")
    engage_approach: Line = Field(description="How they go about it.")
    engage_position: PositionWord = Field(description="controlled, risky or desperate: how bad it can get.")
    engage_threat: Line = Field(description="The danger to the character.")
    engage_opportunity: Line = Field(description="The character's advantage, or the possible gain.")
    engage_domain: Domain | None = Field(default=None, description="The kind of action.")


class EngageResult(Model):
    """The position, and the change of mood."""

    position: PositionWord
    transition: Moved = ABSENT


def _action(args: EngageArgs) -> ActionMood:
    told: dict[str, Any] = {"intent": args.engage_intent, "approach": args.engage_approach}
    if args.engage_domain is not None:
        told["domain"] = args.engage_domain
    threat, opportunity = args.engage_threat, args.engage_opportunity
    if args.engage_position == "controlled":
        return ActionControlled(advantage_source=opportunity, risk_if_fails=threat, **told)
    if args.engage_position == "risky":
        return ActionRisky(threat=threat, opportunity=opportunity, **told)
    return ActionDesperate(why_desperate=threat, stakes=opportunity, **told)


@scene_tool(
    EngageArgs,
    EngageResult,
    example={
        "engage_intent": "get through the skylight unseen",
        "engage_approach": "on the rope, between two rounds of the guard",
        "engage_position": "risky",
        "engage_threat": "the guard looks up",
        "engage_opportunity": "the vault lies right below",
        "engage_domain": "infiltration",
    },
)
def engage(play: Play, args: EngageArgs) -> Engaged:
    """Turn the player's action into one that dice decide.

    Call it whenever something could fail in an interesting way. The turn starts over in the action mood, where
    `spend_die` is called; without dice the city offers a bargain first.
    """
    require_transition(play)
    action = _action(args)
    play.set_crew(scene_entry_context=None)
    go(play, "engage", action)
    if not play.crew.dice_pool:
        play.emit("DicePoolDepleted", context=action.intent)
        enter_bargain(play, "engage", action, action.intent, can_retreat=args.engage_position != "desperate")
    next_segment(play)
    return {"position": args.engage_position, "transition": {"from": "scene", "to": play.mood.mood}}
