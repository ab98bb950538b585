"""spend_momentum: turn momentum into one more die, rolled at once."""

from __future__ import annotations

from turnwright.rulesets.api import (
    Applied,
    Args,
    CallFailed,
    CharacterId,
    Context,
    Count,
    Flag,
    Model,
    Reason,
    SafeInt,
    World,
    tool,
)
from turnwright_minimal.momentum import momentum_of


class SpendMomentumArgs(Args):
    """Arguments of `spend_momentum`."""

    character_id: CharacterId


class SpendMomentumResult(Model):
    """The face of the die, whether it is a success, and the momentum that is left."""

    face: SafeInt
    success: Flag
    momentum: Count


@tool(SpendMomentumArgs, SpendMomentumResult, example={"character_id": "pc_001"})
def spend_momentum(world: World, args: SpendMomentumArgs, ctx: Context) -> Applied:
    """Spend 1 momentum to roll one more die of the last pool."""
    before = momentum_of(world, args.character_id)
    if before.amount == 0:
        raise CallFailed(Reason.RULE_VIOLATION, f"{args.character_id} has no momentum to spend")
    face = ctx.dice.draw(6, "momentum")
    world.put(before.replace(amount=before.amount - 1))
    spent = ctx.event("MomentumSpent", "spend_momentum", character_id=args.character_id, left=before.amount - 1)
    success = face >= ctx.settings["minimal.success_from"]
    return Applied({"face": face, "success": success, "momentum": before.amount - 1}, events=(spent,))
