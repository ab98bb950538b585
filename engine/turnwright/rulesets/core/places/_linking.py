"""Connect or separate two places, and determine which places the ends may be."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from turnwright.model.location import Edge, Location
from turnwright.model.state.overlay import World
from turnwright.model.wire import hint
from turnwright.model.wire.reason import CallFailed, Reason
from turnwright.rulesets.core.geography import draw_way, require_sound_map
from turnwright.rulesets.core.places import lookup as places
from turnwright.rulesets.core.places._location_args import ManageLocationArgs
from turnwright.rulesets.core.places.lookup import Way, require_location
from turnwright.rulesets.reference_lookup import legal_ids
from turnwright.rulesets.tool import Applied, Context, Legal

_ENDS = ("from_location_id", "to_location_id")


def link(world: World, args: ManageLocationArgs) -> Applied:
    """Connect two places by a way, if none connects them yet."""
    here, there = _ends(world, args, _unlinked)
    if here.id == there.id:
        repair = _other_end(args, _unlinked(world, here))
        raise CallFailed(Reason.INVALID_ARGS, f"args.to_location_id: is {here.id} itself", repair)
    way = places.way_between(world, here, there)
    if way is not None and not way.is_plain:
        repair = _other_end(args, _unlinked(world, here))
        raise CallFailed(Reason.CONFLICT, f"{here.id} and {there.id} are linked already", repair)

    edge = Edge(
        id=world.new_id("edge", held=[edge.id for edge in here.edges]),
        to_location_id=there.id,
        connection_type=args.connection_type,
        locked=args.locked,
        lock_dc=args.lock_dc,
        hidden=bool(args.hidden),
        find_dc=args.find_dc,
        one_way=args.one_way,
        description=args.description,
    )
    here = here.replace(edges=[*here.edges, edge])
    world.put(here)
    if not world.has(there.path):
        world.put(there)  # a plain area becomes a place once a way of the story leads there
    draw_way(world, here, there, edge)
    open_secret = args.connection_type == "hidden" and args.hidden is None
    warnings = ("the way is of type hidden, but not hidden: say so with `hidden`",) if open_secret else ()
    return Applied({"edge": places.show_way(Way(edge, here, here, there))}, warnings)


def unlink(world: World, args: ManageLocationArgs) -> Applied:
    """Take away the way between two places, from whichever end."""
    here, there = _ends(world, args, _linked)
    way = places.way_between(world, here, there)
    if way is None:
        repair = _other_end(args, _linked(world, here))
        raise CallFailed(Reason.NOT_FOUND, f"{here.id} and {there.id} are not linked", repair)
    places.put_way(world, way, None)
    require_sound_map(world)  # a mere area must not be left without a way
    return Applied({"edge": places.show_way(way)})


_Others = Callable[[World, Location], list[Location]]


def _ends(world: World, args: ManageLocationArgs, others: _Others) -> tuple[Location, Location]:
    """Return both ends of a way; `others` returns the possible places for one end, for hints."""
    here, there = args.from_location_id, args.to_location_id
    return (
        require_location(world, here, field="from_location_id", known=_beyond(there, others)),
        require_location(world, there, field="to_location_id", known=_beyond(here, others)),
    )


def _beyond(end: str | None, others: _Others) -> Callable[[World], list[Location]]:
    def known(world: World) -> list[Location]:
        found = places.find_location(world, end) if end is not None else None
        return others(world, found) if found else places.some_places(world)

    return known


def _other_end(args: ManageLocationArgs, known: Iterable[Location]) -> hint.Hint:
    return hint.ask("args.to_location_id", args.to_location_id, [place.id for place in known])


def _linked(world: World, here: Location) -> list[Location]:
    return [way.other for way in places.ways_of(world, here)]


def _unlinked(world: World, here: Location) -> list[Location]:
    linked = {way.other.id for way in places.ways_of(world, here) if not way.is_plain} | {here.id}
    return [place for place in places.all_places(world) if place.id not in linked]


# before a call


def legal(world: World, ctx: Context) -> Legal | None:
    """Return the places that a call may name; the end of a way that it names already is not the other end, too."""
    known = legal_ids(ManageLocationArgs, world)
    if known is None:
        return None
    # However the call spells them, the names of the ends begin like this.
    ends = (value for key, value in ctx.received.items() if key.casefold().startswith(("from", "to")))
    named = {place.id for end in ends if isinstance(end, str) and (place := places.find_location(world, end))}
    return {**known, **{end: [each for each in known[end] if each not in named] for end in _ENDS if end in known}}
