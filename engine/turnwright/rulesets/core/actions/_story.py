"""Describe the calls of core tools. Source: docs/cli.md, "What happened, in words"."""

from __future__ import annotations

from turnwright.rulesets.facts import Facts
from turnwright.rulesets.story_context import StoryContext, listed


def move(args: Facts, result: Facts, ctx: StoryContext) -> str:
    """Describe which character went where."""
    to = result.text("to_area_id") or args.text("to_area_id")
    named = args.text("actor_id") or ctx.actor_id
    return f"{ctx.person(named)} goes to {ctx.area(to)}" if named else f"the way goes to {ctx.area(to)}"


def move_options(args: Facts, result: Facts, ctx: StoryContext) -> str:
    """Describe the available ways."""
    del args
    ways = [ctx.with_id(way.text("name"), way.text("to_area_id")) for way in result.many("options")]
    return f"ways from here: {listed(ways) or 'none'}"


def map_generate(args: Facts, result: Facts, ctx: StoryContext) -> str:
    """Describe the new areas."""
    del args
    return f"the map grows: {listed(map(ctx.area, result.texts('created_area_ids'))) or 'by nothing'}"


def hp_delta(args: Facts, result: Facts, ctx: StoryContext) -> str:
    """Describe whose hit points changed, by how much, and why.

    For a character with a maximum the result holds the former hit points, but not in records of older versions. Without
    a maximum, every loss that leaves some, and every gain, is exactly the requested amount.
    """
    named, delta, now = args.text("target_character_id"), args.number("delta"), result.number("new_hp")
    who = ctx.person(named)
    cause = f" ({args.text('cause')})" if args.text("cause") else ""
    if not ctx.reader.knows(named):
        return f"{who}: {result.text('look') or _way(delta)}{cause}"
    if now is None:
        return f"{who} {delta:+d} hp{cause}" if delta is not None else f"the hit points of {who} change{cause}"
    if not delta:
        return f"{who}: {now} hp{cause}"
    if spared := result.number("temp_hp_lost"):
        lost = f"loses {-delta - spared} hp" if -delta > spared else "loses no hp"
        what = "the rest" if -delta > spared else "it"
        points = "hit point" if spared == 1 else "hit points"
        return f"{who} {lost}, now {now}; {spared} temporary {points} took {what}{cause}"
    was = result.number("hp_before")
    if was is None and ctx.reader.has_no_maximum(named) and (delta > 0 or now > 0):
        was = now - delta
    if was is not None and was != now:
        return f"{who} {was} -> {now} hp{cause}"
    return f"{who} {delta:+d} hp, now {now}{cause}"


def _way(delta: int | None) -> str:
    return "hurt" if delta is not None and delta < 0 else "healed" if delta else "as before"
