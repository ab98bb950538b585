"""spend_die: one future for each die, before the player spends one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import Field

from turnwright.model import crew
from turnwright.model.base import Id, ListOf, Model, SafeInt
from turnwright.model.prose import Line
from turnwright.model.request import DieShown
from turnwright.rulesets.scenes.play import Play
from turnwright.rulesets.scenes.pool import offer
from turnwright.rulesets.scenes.tools._scene_tool import PositionWord, SceneArgs, scene_tool

if TYPE_CHECKING:
    from turnwright.rulesets.scenes.shapes import OfferedDice


class DieOutcome(crew.DieOutcome):
    """One possible result: the cost of a die, and the text told when it is spent."""

    # A cost that a model left out would be a price that it did not think of.
    stress_cost: SafeInt
    heat_cost: SafeInt
    coin_delta: SafeInt


class SpendDieArgs(SceneArgs):
    """Arguments of `spend_die`."""

    situation: Line = Field(description="The situation, in one line.")
    position: PositionWord | None = Field(default=None, description="The position of the action; optional repetition.")
    outcomes: ListOf[DieOutcome] = Field(description="One for each die of the pool, in its order.")


class SpendDieResult(Model):
    """The player's choices; the narratives stay hidden."""

    request_id: Id
    dice: ListOf[DieShown]


@scene_tool(
    SpendDieArgs,
    SpendDieResult,
    example={
        "situation": "Dropping through the skylight",
        "outcomes": [
            {
                "die_value": 4,
                "hint": "in, with a scraped hand",
                "stress_cost": 1,
                "heat_cost": 0,
                "coin_delta": 0,
                "narrative": "You land hard, and nobody turns.",
            }
        ],
    },
)
def spend_die(play: Play, args: SpendDieArgs) -> OfferedDice:
    """Commit one outcome for each die of the pool; the player then chooses which die to spend.

    Write them all before the player chooses: stress_cost -3 to 4, heat_cost -1 to 3, coin_delta -4 to 8, a hint of 3 to
    8 words that the player sees, and a narrative that is told only for the chosen die. A higher face is never worse.
    Costs are paid when the die is chosen; afterwards call `resolve`.
    """
    return offer(play, args.situation, args.position, args.outcomes)
