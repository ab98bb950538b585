"""What was looked up, in words. Source: docs/cli.md, "What happened, in words"."""

from __future__ import annotations

from turnwright.rulesets.facts import Facts
from turnwright.rulesets.story_context import StoryContext


def lookup_content(args: Facts, result: Facts, ctx: StoryContext) -> str:
    """Tell which entry was read; players learn from it what the game master prepares, so to them it is just a look."""
    if not ctx.reader.is_game_master:
        return "looks something up"
    name = result.text("name") or args.text("name")
    return f"looks up {name}" if name else "looks something up"
