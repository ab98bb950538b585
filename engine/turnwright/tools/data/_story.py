"""What was done with places, parties, belongings and notes, in words.

Source: docs/cli.md, "What happened, in words".
"""

from __future__ import annotations

from turnwright.rulesets.facts import Facts
from turnwright.rulesets.story_context import StoryContext, joined, listed, named_in
from turnwright.tools._phrases import counted, hp, quantity, thrown

_PLACED = {"create": "is a new place", "update": "changes", "delete": "is gone", "get": ""}


def manage_location(args: Facts, result: Facts, ctx: StoryContext) -> str:
    """Tell which place or way is new, gone or another."""
    operation = args.text("operation")
    if edge := result.one("edge"):
        ends = [ctx.place(edge.text(f"{end}_location_id")) for end in ("from", "to")]
        way = edge.word("connection_type")
        what = f"a {way}" if way in ("door", "passage", "path", "stairs") else "a way"
        verb = "no longer joins" if operation == "unlink" else "joins"
        return f"{what} {verb} {' and '.join(ends)}"
    if "locations" in result:
        rows = [ctx.with_id(row.text("name"), row.text("location_id")) for row in result.many("locations")]
        return f"looks at the places: {listed(rows) or 'none'}"
    place = result.one("location")
    name = ctx.with_id(place.text("name") or args.text("name") or "a place", place.text("location_id"))
    changed = listed(key.replace("_", " ") for key in result.one("changes"))
    verb = _PLACED.get(operation, "")
    told = f"{name} {verb}" if verb else f"looks at {name}"
    return told + (f": {changed}" if changed else "")


def move_party(args: Facts, result: Facts, ctx: StoryContext) -> str:
    """Tell where the party goes, or where it is."""
    if "history" in result:
        return f"looks back on the way: {listed(row.text('name') for row in result.many('history')) or 'none'}"
    to = result.one("to")
    name = to.text("name") or (ctx.place(args.text("to_location_id")) if args.text("to_location_id") else "")
    name = name or args.text("to_location_name")
    if result.flag("moved") is None and "location" in result and not name:
        here = result.one("location").text("name")
        return f"the party is at {here}" if here else "the party is nowhere yet"
    if result.flag("moved") is False:
        return f"the party stays at {name}" if name else "the party stays"
    start = result.one("from").text("name")
    where = f" from {start}" if start else ""
    return f"the party goes{where} to {ctx.with_id(name or 'another place', to.text('location_id'))}"


def manage_party(args: Facts, result: Facts, ctx: StoryContext) -> str:
    """Tell who joins or leaves, and who is in the party."""
    operation = args.text("operation")
    member = result.one("member")
    who = member.text("name") or ctx.who(args, "character")
    role = member.text("role") or args.text("role")
    everybody = listed(row.text("name") for row in result.many("members")) or "no one"
    members = f" (now: {everybody})" if "members" in result else ""
    return {
        "add": f"{who} joins the party" + (f" as {role}" if role else ""),
        "remove": f"{who} leaves the party",
        "clear": "the party breaks up",
        "set_role": f"{who} is now {role or 'without a role'}",
        "get": f"looks at {who}",
    }.get(operation, "looks at the party") + members


def manage_inventory(args: Facts, result: Facts, ctx: StoryContext) -> str:
    """Tell what somebody gets, hands on, uses, wears or lays down."""
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
    """Return what a thing that heals did: how it fell, and what somebody regained."""
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


def manage_notes(args: Facts, result: Facts, ctx: StoryContext) -> str:
    """Tell what was written down, or looked up."""
    operation = args.text("operation")
    note = result.one("note")
    content = (note.text("content") or args.text("content")) if ctx.reader.is_game_master else ""
    if note or operation in ("add", "delete", "get"):
        label = {"add": "note", "delete": "note deleted", "get": "looks at a note"}.get(operation, "note")
        return ctx.with_id(label, note.text("note_id")) + (f": {content}" if content else "")
    count = result.number("count")
    return "looks at the notes" + (f": {counted(count, 'note')}" if count is not None else "")


def get_session_context(args: Facts, result: Facts, ctx: StoryContext) -> str:
    """Tell that somebody looks at the session."""
    del args, result, ctx
    return "looks at the session as it stands"
