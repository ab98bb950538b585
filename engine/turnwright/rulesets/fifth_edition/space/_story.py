"""Describe measurements and props. Source: docs/cli.md, "What happened, in words"."""

from __future__ import annotations

from turnwright.rulesets.facts import Facts
from turnwright.rulesets.phrases import counted, square
from turnwright.rulesets.story_context import StoryContext, joined, listed


def measure_distance(args: Facts, result: Facts, ctx: StoryContext) -> str:
    """Describe a distance."""
    del args, ctx
    feet = result.number("distance_feet")
    return f"{feet} feet apart" if feet is not None else "a distance is measured"


def calculate_aoe(args: Facts, result: Facts, ctx: StoryContext) -> str:
    """Describe how large an area is, and which creatures are in it."""
    shape = result.word("shape") or args.word("shape") or "area"
    count = result.number("footprint_count")
    inside = [each for each in result.texts("creatures") if ctx.reader.sees(each)]
    size = f"a {shape} of {counted(count, 'square')}" if count is not None else f"a {shape}"
    return joined(size, f"in it: {ctx.people(inside)}" if inside else "")


def check_line_of_sight(args: Facts, result: Facts, ctx: StoryContext) -> str:
    """Describe whether a target is in sight."""
    del args, ctx
    seen = result.flag("can_see")
    return "a look along a line" if seen is None else "in sight" if seen else "not in sight"


def check_cover(args: Facts, result: Facts, ctx: StoryContext) -> str:
    """Describe the cover."""
    del args, ctx
    return f"cover: {result.word('cover')}" if result.text("cover") else "cover is looked for"


def place_prop(args: Facts, result: Facts, ctx: StoryContext) -> str:
    """Describe where a prop was placed, or that it was removed."""
    operation = args.text("operation") or "place"
    if operation == "list" or "props" in result:
        props = [ctx.with_id(row.text("name"), row.text("id", "prop_id")) for row in result.many("props")]
        return f"looks at the things: {listed(props) or 'none'}" if ctx.reader.is_game_master else "looks at the things"
    prop = result.one("prop")
    name = ctx.with_id(prop.text("name") or args.text("name") or "a thing", prop.text("id", "prop_id"))
    at = square(prop.one("position"))
    where = f" at {at}" if at else ""
    return {
        "remove": f"{name} is taken away",
        "update": f"{name} changes",
        "move": f"{name} is moved" + (f" to {at}" if at else ""),
    }.get(operation, f"{name} stands{where or ' there'}")


def calculate_movement(args: Facts, result: Facts, ctx: StoryContext) -> str:
    """Describe the length of a path, or the number of reachable squares."""
    del args
    feet, count = result.number("cost_feet"), result.number("count")
    if feet is not None:
        far = "" if result.flag("within_movement") is not False else "farther than one turn"
        risk = ctx.people(result.texts("opportunity_attacks_from"))
        return joined(f"a way of {feet} feet", far, f"past {risk}" if risk else "")
    if result.flag("reachable") is False:
        return "no way there"
    return counted(count, "square") if count is not None else "a way is looked for"
