"""Describe the calls of a scene game. Their events describe their effects (`render/scene_story.py`).

Source: docs/cli.md, "What happened, in words".
"""

from __future__ import annotations

from turnwright.rulesets.facts import Facts
from turnwright.rulesets.phrases import counted
from turnwright.rulesets.story_context import StoryContext, joined, listed


def set_scene_style(args: Facts, result: Facts, ctx: StoryContext) -> str:
    """Describe the new style of the scene."""
    del args, ctx
    style = [f"{axis} {result.word(axis)}" for axis in ("atmosphere", "pressure", "class") if result.text(axis)]
    return f"the tone of the scene is now: {listed(style)}" if style else "the tone of the scene changes"


def choose(args: Facts, result: Facts, ctx: StoryContext) -> str:
    """Describe the result of chance."""
    del args, ctx
    return f"by chance: {result.text('chosen_label') or 'one of several'}"


def spend_die(args: Facts, result: Facts, ctx: StoryContext) -> str:
    """Describe the stakes of a die."""
    del ctx
    dice = result.many("dice")
    faces = listed(str(value) for die in dice if (value := die.number("value")) is not None)
    stake = args.text("situation")
    position = args.word("position")
    head = f"at stake: {stake}" + (f" ({position})" if position else "") if stake else "a die is to be spent"
    return head + (f"; dice: {faces}" if faces else "")


def engage(args: Facts, result: Facts, ctx: StoryContext) -> str:
    """Describe what a character is about to do, with the threat and the opportunity."""
    del ctx
    intent, approach, threat, chance = (
        args.text(f"engage_{key}") for key in ("intent", "approach", "threat", "opportunity")
    )
    if not any((intent, approach, threat, chance)):
        return ""  # a projection without the game master's notes
    head = " ".join(filter(None, (result.word("position"), args.word("engage_domain"))))
    plan = joined(intent, approach)
    notes = [f"threat: {threat}" if threat else "", f"chance: {chance}" if chance else ""]
    return "; ".join(filter(None, (f"{head}: {plan}" if head and plan else head or plan, *notes)))


def resolve(args: Facts, result: Facts, ctx: StoryContext) -> str:
    """Describe the result of an action."""
    del ctx
    what = args.text("resolve_what")
    outcome = args.word("resolve_outcome") or result.word("outcome")
    return f"{outcome}: {what}" if outcome and what else what


def accept(args: Facts, result: Facts, ctx: StoryContext) -> str:
    """Describe how an action is left behind."""
    del result, ctx
    return args.text("accept_transition")


def accept_bargain(args: Facts, result: Facts, ctx: StoryContext) -> str:
    """Describe the deal that was struck."""
    del ctx
    pool = result.number("new_pool_size")
    deal = args.text("bargain_description")
    return joined(
        f"a deal: {deal}" if deal else "a deal is struck",
        f"the pool now has {counted(pool, 'die', 'dice')}" if pool is not None else "",
    )


def retreat(args: Facts, result: Facts, ctx: StoryContext) -> str:
    """Describe the retreat of the crew."""
    del result, ctx
    return args.text("retreat_narration") or "the crew goes back"


def pass_out(args: Facts, result: Facts, ctx: StoryContext) -> str:
    """Describe that a character passes out, and where they wake."""
    del args
    woke = result.text("woke_up_at")
    return "the crew passes out" + (f", and wakes at {ctx.place(woke)}" if woke else "")


def part(tool: str, args: Facts, result: Facts, ctx: StoryContext) -> str:
    """Describe what an answer, an output or a player's text did."""
    if tool != "answer":
        return ""
    if name := result.text("name"):
        return f"{ctx.with_id(name, result.text('character_id'))} steps into the story"
    if result.flag("cancelled"):
        return "nothing is chosen"
    if (face := result.number("chosen_die_value")) is not None:
        return f"a {face} is spent" + (f": {result.word('tier')}" if result.text("tier") else "")
    chosen = result.word("chosen") or result.text("text") or args.word("value")
    return f"the answer: {chosen}" if chosen else ""
