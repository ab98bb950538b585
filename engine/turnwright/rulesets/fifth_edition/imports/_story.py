"""Describe imports of characters from files. Source: docs/cli.md, "What happened, in words"."""

from __future__ import annotations

from turnwright.rulesets.facts import Facts
from turnwright.rulesets.story_context import StoryContext

_FORMATS = {
    "sheet": "a sheet",
    "foundry": "Foundry VTT",
    "dnd_beyond": "D&D Beyond",
    "csv": "a table",
    "yaml": "a YAML file",
}


def import_character(args: Facts, result: Facts, ctx: StoryContext) -> str:
    """Describe which character came from which kind of file."""
    name = ctx.with_id(result.text("name") or "someone", result.text("character_id"))
    source = _FORMATS.get(result.text("format"), "a file")
    told = f"{name} is replaced from {source}" if result.flag("replaced") else f"{name} comes from {source}"
    file = args.text("file") if ctx.reader.is_game_master else ""
    return told + (f" ({file})" if file else "") + (", and joins the party" if result.flag("joined") else "")
