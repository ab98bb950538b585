"""Describe look-ups of content. Source: docs/cli.md, "What happened, in words"."""

from __future__ import annotations

from turnwright.rulesets.facts import Facts
from turnwright.rulesets.story_context import StoryContext


def lookup_content(args: Facts, result: Facts, ctx: StoryContext) -> str:
    """Describe which entry was read; players learn only of a look-up, lest it reveal the game master's plans."""
    if not ctx.reader.is_game_master:
        return "looks something up"
    name = result.text("name") or args.text("name")
    return f"looks up {name}" if name else "looks something up"
