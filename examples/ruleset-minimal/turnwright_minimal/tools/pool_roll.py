"""pool_roll: roll a pool and count successes."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from turnwright.rulesets.api import Applied, Args, CharacterId, Context, Count, ListOf, Model, SafeInt, World, tool
from turnwright_minimal.momentum import MAX_MOMENTUM, momentum_of


class PoolRollArgs(Args):
    """Arguments of `pool_roll`."""

    character_id: CharacterId
    dice: Annotated[int, Field(strict=True, ge=1, le=12)] = Field(
        description="How many six-sided dice; each 5 or 6 is a success."
    )


class PoolRollResult(Model):
    """The faces, the successes, and the momentum after them."""

    faces: ListOf[SafeInt]
    successes: Count
    momentum: Count


@tool(PoolRollArgs, PoolRollResult, example={"character_id": "pc_001", "dice": 4})
def pool_roll(world: World, args: PoolRollArgs, ctx: Context) -> Applied:
    """Roll a pool of six-sided dice; each 5 or 6 is a success, and each success beyond the first gives 1 momentum."""
    before = momentum_of(world, args.character_id)
    faces = [ctx.dice.draw(6, "pool") for _ in range(args.dice)]
    successes = sum(face >= ctx.settings["minimal.success_from"] for face in faces)
    after = before.replace(amount=min(MAX_MOMENTUM, before.amount + max(0, successes - 1)))
    world.put(after)
    return Applied({"faces": faces, "successes": successes, "momentum": after.amount})
