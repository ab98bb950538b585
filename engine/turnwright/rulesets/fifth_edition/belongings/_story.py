"""Describe the calls about belongings. Source: docs/cli.md, "What happened, in words"."""

from __future__ import annotations

from turnwright.rulesets.facts import Facts
from turnwright.rulesets.phrases import hp, quantity, thrown
from turnwright.rulesets.story_context import StoryContext, joined, listed, named_in


def manage_inventory(args: Facts, result: Facts, ctx: StoryContext) -> str:
    """Describe a change of belongings, or list them."""
    named = result.text("character_id") or named_in(args, "character")
    who, operation = ctx.person(named), args.text("operation") or result.text("operation")
    item = result.one("item")
    name = item.text("name") or args.text("item_name") or args.one("item").text("name") or "belongings"
    pieces = quantity(result.number("quantity"), name)
    slot = result.word("slot")
    to = ctx.person(result.text("to") or named_in(args, "to_character"))
    container = result.text("to") or args.text("to_container")
    if operation == "list" or "items" in result:
        things = listed(quantity(row.number("quantity"), row.text("name")) for row in result.many("items"))
        return f"looks at what {who} carries: {things or 'nothing'}" if ctx.reader.knows(named) else f"looks at {who}"
    told = {
        "give": f"{who} gets {ctx.with_id(pieces, item.text('item_id'))}",
        "take": f"{who} gives up {pieces}",
        "remove": f"{who} gives up {pieces}",
        "transfer": f"{who} hands {pieces} to {to}",
        "equip": f"{who} equips {name}" + (f" ({slot})" if slot else ""),
        "unequip": f"{who} takes off {name}",
        "move": f"{who} puts {pieces} " + (f"into {container}" if container else "back"),
        "use": f"{who} uses {name}",
    }.get(operation, f"{who}: {operation.replace('_', ' ') or 'belongings'} {name}")
    return joined(told, _healing(result.one("healing"), args, ctx))


def _healing(healing: Facts, args: Facts, ctx: StoryContext) -> str:
    """Return the effect of a thing that heals: the dice, and the hit points regained."""
    if not healing:
        return ""
    named = healing.text("target_id")
    after, regained = healing.number("hp"), healing.number("healed")
    before = after - regained if after is not None and regained is not None else None
    change = Facts({"before": before, "after": after, "max": healing.number("max_hp")})
    if not ctx.reader.knows(named):
        return hp(ctx, named, change)
    total = healing.number("total")
    dice = f"{healing.text('expression') or 'dice'}{thrown(ctx, healing.numbers('rolls'), args)}"
    return joined(f"{dice} = {total}" if total is not None else "", hp(ctx, named, change))


def get_session_context(args: Facts, result: Facts, ctx: StoryContext) -> str:
    """Say that the session was looked at."""
    del args, result, ctx
    return "looks at the session as it stands"
