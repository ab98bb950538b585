"""What the tools did, in words."""

from __future__ import annotations

from turnwright.rulesets.api import Facts, StoryContext


def pool_roll(args: Facts, result: Facts, ctx: StoryContext) -> str:
    """Say how a pool fell."""
    faces = ", ".join(map(str, result.numbers("faces")))
    return f"{ctx.person(args.text('character_id'))} rolls {faces}: {result.number('successes')} successes"


def spend_momentum(args: Facts, result: Facts, ctx: StoryContext) -> str:
    """Say what the extra die brought."""
    outcome = "a success" if result.flag("success") else "no success"
    return f"{ctx.person(args.text('character_id'))} spends momentum: {result.number('face')}, {outcome}"
