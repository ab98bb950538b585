"""Describe calls about places, parties and notes. Source: docs/cli.md, "What happened, in words"."""

from __future__ import annotations

from turnwright.rulesets.facts import Facts
from turnwright.rulesets.phrases import counted
from turnwright.rulesets.story_context import StoryContext, listed

_PLACED = {"create": "is a new place", "update": "changes", "delete": "is gone", "get": ""}


def manage_location(args: Facts, result: Facts, ctx: StoryContext) -> str:
    """Describe which place or way was created, deleted or changed."""
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
    """Describe where the party goes, or where it is."""
    if "history" in result:
        return f"looks back on the way: {listed(row.text('name') for row in result.many('history')) or 'none'}"
    to = result.one("to")
    name = to.text("name") or (ctx.place(args.text("to_location_id")) if args.text("to_location_id") else "")
    name = name or args.text("to_location_name")
    if result.flag("moved") is None and "location" in result and not name:
        here = result.one("location").text("name")
        return f"the party is at {here}" if here else _split(result, ctx)
    if result.flag("moved") is False:
        return f"the party stays at {name}" if name else "the party stays"
    start = result.one("from").text("name")
    where = f" from {start}" if start else ""
    return f"the party goes{where} to {ctx.with_id(name or 'another place', to.text('location_id'))}"


def _split(result: Facts, ctx: StoryContext) -> str:
    """Describe where each member is, while they are in different areas."""
    groups = []
    for group in result.many("split"):
        where = group.text("name") or group.text("area_id")
        people = ctx.people(group.texts("character_ids"))
        groups.append(f"{people} at {where}" if where else f"{people} nowhere")
    return f"the party is split: {'; '.join(groups)}" if groups else "the party is nowhere yet"


def manage_party(args: Facts, result: Facts, ctx: StoryContext) -> str:
    """Describe who joins or leaves, and who is in the party."""
    operation = args.text("operation")
    member = result.one("member")
    who = member.text("name") or ctx.who(args, "character")
    role = member.text("role") or args.text("role")
    everyone = listed(row.text("name") for row in result.many("members")) or "no one"
    members = f" (now: {everyone})" if "members" in result else ""
    return {
        "add": f"{who} joins the party" + (f" as {role}" if role else ""),
        "remove": f"{who} leaves the party",
        "clear": "the party breaks up",
        "set_role": f"{who} is now {role or 'without a role'}",
        "get": f"looks at {who}",
    }.get(operation, "looks at the party") + members


def manage_notes(args: Facts, result: Facts, ctx: StoryContext) -> str:
    """Describe which note was taken or looked up."""
    operation = args.text("operation")
    note = result.one("note")
    content = (note.text("content") or args.text("content")) if ctx.reader.is_game_master else ""
    if note or operation in ("add", "delete", "get"):
        label = {"add": "note", "delete": "note deleted", "get": "looks at a note"}.get(operation, "note")
        return ctx.with_id(label, note.text("note_id")) + (f": {content}" if content else "")
    count = result.number("count")
    return "looks at the notes" + (f": {counted(count, 'note')}" if count is not None else "")
