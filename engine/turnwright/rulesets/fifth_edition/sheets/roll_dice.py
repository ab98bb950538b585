"""roll_dice: roll any dice."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import Field

from turnwright.model.base import Flag, ListOf, Model, SafeInt, Text, is_none
from turnwright.model.creature import Words
from turnwright.model.dice.expression import DiceError, Expression, advantage, disadvantage, parse
from turnwright.model.json_types import JsonObject
from turnwright.model.state.overlay import World
from turnwright.model.wire import hint
from turnwright.model.wire.reason import CallFailed, Reason
from turnwright.rulesets.facts import Facts
from turnwright.rulesets.fifth_edition.rolls import throw_dice
from turnwright.rulesets.references import DiceText
from turnwright.rulesets.tool import Applied, Context
from turnwright.rulesets.toolkit import ToolkitArgs, toolkit


class RollDiceArgs(ToolkitArgs):
    """Arguments of `roll_dice`."""

    expression: DiceText = Field(description="Dice notation, such as 2d6+3, 4d6kh3, 1d20adv, 3d6!, d%.")
    advantage: Flag = Field(default=False, description="Roll the one d20 twice and keep the higher.")
    disadvantage: Flag = Field(default=False, description="Roll the one d20 twice and keep the lower.")
    reason: Words | None = Field(default=None, description="The purpose of the roll.")
    label: Text | None = Field(default=None, max_length=200, description="A name for it among others.")


class TermResult(Model):
    """One dice term of the expression."""

    notation: Text
    rolls: ListOf[SafeInt]
    kept: ListOf[SafeInt]
    value: SafeInt


class BoundsResult(Model):
    """The possible range of the total; `max` is null with exploding dice."""

    min: SafeInt
    max: SafeInt | None


class RollDiceResult(Model):
    """The rolled dice and the total."""

    expression: Text = Field(description="As it was rolled.")
    rolls: ListOf[SafeInt] = Field(description="Every face, in the order of drawing.")
    kept: ListOf[SafeInt]
    dropped: ListOf[SafeInt]
    terms: ListOf[TermResult]
    total: SafeInt
    bounds: BoundsResult
    natural: SafeInt | None = Field(description="The face of the one kept d20, if there is one.")
    label: Text | None = Field(default=None, exclude_if=is_none)


def _totals(results: Sequence[JsonObject]) -> JsonObject:
    return {"grand_total": sum(Facts(result).number("total") or 0 for result in results)}


@toolkit(
    RollDiceArgs,
    RollDiceResult,
    example={"expression": "2d6+3", "reason": "longsword damage"},
    batch=True,
    shared=("reason",),
    totals=_totals,
)
def roll_dice(world: World, args: RollDiceArgs, ctx: Context) -> Applied:
    """Roll dice with results that no one can choose: use this whenever chance decides and no other tool rolls for you.

    Never make up a result. Advantage and disadvantage require exactly one d20 in the expression. Roll several at once
    with `batch`.
    """
    del world
    thrown = throw_dice(ctx, _expression(args), args.label or args.reason or "roll_dice")
    result = thrown.to_result()
    return Applied({**result, "label": args.label} if args.label is not None else result)


def _expression(args: RollDiceArgs) -> Expression:
    tree = parse(args.expression)
    if args.advantage and args.disadvantage:
        detail = "args.disadvantage: stands beside advantage"
        raise CallFailed(Reason.INVALID_ARGS, detail, hint.ask("args.disadvantage", True))
    try:
        return advantage(tree) if args.advantage else disadvantage(tree) if args.disadvantage else tree
    except DiceError as error:
        field = "args.advantage" if args.advantage else "args.disadvantage"
        raise CallFailed(Reason.INVALID_ARGS, f"{field}: {error.message}", hint.ask(field, True)) from None
