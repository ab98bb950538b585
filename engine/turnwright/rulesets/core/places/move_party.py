"""move_party: the party goes from place to place."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from turnwright.model.base import Flag, Id, ListOf, Model, SafeInt, Text, is_none
from turnwright.model.json_types import JsonObject
from turnwright.model.location import Label, Location
from turnwright.model.numbered import number_of
from turnwright.model.party import Step
from turnwright.model.state.overlay import World
from turnwright.model.wire import hint
from turnwright.model.wire.reason import CallFailed, Reason
from turnwright.rulesets.core.geography import place_at
from turnwright.rulesets.core.places import lookup as places
from turnwright.rulesets.core.places._location_args import EdgeResult, ExitResult, LocationResult
from turnwright.rulesets.core.places.lookup import Way, require_location
from turnwright.rulesets.references import Choice, LocationId
from turnwright.rulesets.tool import Applied, Context
from turnwright.rulesets.toolkit import ToolkitArgs, toolkit

Operation = Annotated[
    Literal["move", "status", "history"],
    Choice(
        synonyms={
            "move": ("go", "travel", "walk"),
            "status": ("where", "get", "show", "current"),
            "history": ("path", "log", "steps"),
        }
    ),
]


_MAX_SEARCHED = 1000
"""Places that are looked at for a way to one."""


class MovePartyArgs(ToolkitArgs):
    """Arguments of `move_party`."""

    only_for: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "to_location_id": ("move",),
        "to_location_name": ("move",),
        "force": ("move",),
        "unlocked": ("move",),
        "keep_unlocked": ("move",),
        "discovered": ("move",),
        "show_hidden": ("status",),
    }
    needs: ClassVar[Mapping[str, tuple[str, ...]]] = {"move": ("to_location_id",)}
    instead: ClassVar[Mapping[str, str]] = {"to_location_id": "to_location_name"}

    operation: Operation = Field(
        default="move", description="move the party, tell where it stands (status), or where it has been (history)."
    )
    to_location_id: LocationId | None = Field(default=None, description="The destination, by id or name.")
    to_location_name: Label | None = Field(default=None, description="The destination, by name.")
    force: Flag = Field(default=False, description="Go there whether or not a way leads there: a jump in the story.")
    unlocked: Flag = Field(default=False, description="The way was unlocked or broken open for this step.")
    keep_unlocked: Flag = Field(default=False, description="With `unlocked`: it stays so.")
    discovered: Flag = Field(default=False, description="The hidden way has been found; it stays so.")
    show_hidden: Flag = Field(default=False, description="For status: also list hidden ways that have not been found.")


class PlaceName(Model):
    """A place by id and name; the name is null if the place no longer exists."""

    location_id: Id
    name: Text | None


class Standing(Model):
    """Some members in one area."""

    area_id: Id | None = Field(description="Null: not on the map.")
    name: Text | None
    character_ids: ListOf[Id]


class MovePartyResult(Model):
    """Where the party is now; its parts depend on the operation."""

    moved: Flag | None = Field(default=None, exclude_if=is_none, description="False: it was there already.")
    from_: PlaceName | None = Field(default=None, alias="from", description="Null: it was nowhere.")
    to: PlaceName | None = Field(default=None, exclude_if=is_none)
    via: EdgeResult | None = Field(default=None, description="The way it took; null if none.")
    location: LocationResult | None = Field(default=None, description="Where it is; null: nowhere yet.")
    split: ListOf[Standing] | None = Field(
        default=None, exclude_if=is_none, description="Where each member is, while they are in different areas."
    )
    placed: ListOf[Id] | None = Field(default=None, exclude_if=is_none, description="The members who are there now.")
    exits: ListOf[ExitResult] | None = Field(default=None, exclude_if=is_none)
    history: ListOf[PlaceName] | None = Field(default=None, exclude_if=is_none, description="The oldest first.")
    total_moves: SafeInt


@toolkit(MovePartyArgs, MovePartyResult, example={"to_location_id": "location-2"})
def move_party(world: World, args: MovePartyArgs, ctx: Context) -> Applied:
    """Move the whole party to another place, or report where it is and where it has been.

    `force` and the first placement (the party stands nowhere, or has gone nowhere and no ways join its area to the
    place) need no way; otherwise a way must lead there from where the party is, or from where the acting character is
    if it is split: not against a one-way, not locked unless `unlocked`, and found if it is hidden. Set these flags only
    for what happened in play, never to get past a refusal. Every member is put there. Gives where it came from and is
    now, and the exits.
    """
    if args.operation == "move":
        return _move(world, args, ctx)
    party = places.party_of(world)
    if args.operation == "history":
        return Applied({"history": _history(world), "total_moves": party.moves})
    here = places.standing_of_party(world)
    shown = places.show_place(here) if here else None
    result = {"location": shown, "exits": _exits(world, here, args.show_hidden), "total_moves": party.moves}
    return Applied(result if here else {**result, **_split(world)})


def _split(world: World) -> JsonObject:
    """Return where each member is, if the members are in different areas."""
    standing = places.members_by_area(world)
    if len(standing) < 2:
        return {}
    areas = {area_id: place_at(world, area_id) for area_id in standing if area_id is not None}
    groups = []
    for area_id, ids in standing.items():
        area = areas.get(area_id or "")
        groups.append({"area_id": area_id, "name": area.name if area else None, "character_ids": ids})
    return {"split": groups}


def _move(world: World, args: MovePartyArgs, ctx: Context) -> Applied:
    there = require_location(
        world,
        args.to_location_id,
        args.to_location_name,
        field="to_location_id",
        name_field="to_location_name",
        known=_destinations,
    )
    together = places.standing_of_party(world)
    here = together or _place_of_acting(world, ctx)
    moved = together is None or together.id != there.id
    way = None
    if here is not None and here.id != there.id and not args.force and not _is_first_placement(world, here, there):
        way = _require_way(world, here, there, args)

    way = _remembered(world, way, args) if way else None
    placed = _put_members(world, there)
    if moved:
        places.enter(world, there, here.id if here else None, way.edge if way else None)
    places.learn_area(world, there.area_id or there.id)
    now = world.find(Location, there.id) or there
    result: dict[str, Any] = {
        "moved": moved,
        "from": {"location_id": here.id, "name": here.name} if here else None,
        "to": {"location_id": now.id, "name": now.name},
        "via": places.show_way(way) if way and not way.is_plain else None,
        "location": places.show_place(now),
        "placed": placed,
        "exits": _exits(world, now),
        "total_moves": places.party_of(world).moves,
    }
    return Applied(result)


def _place_of_acting(world: World, ctx: Context) -> Location | None:
    """Return where the acting character is, or else the first member who has a position."""
    acting = world.character(ctx.acting_id) if ctx.acting_id else None
    standing = [person.position for person in (acting, *world.party()) if person is not None and person.position]
    return place_at(world, standing[0]) if standing else None


def _is_first_placement(world: World, here: Location, there: Location) -> bool:
    """Return whether the story begins with this move: the party has gone nowhere, and no ways lead from here to there.

    A template's bare area is where a first member has to start; places of a story made later are not connected to it.
    Closed ways count, so that a locked or hidden door is never got around.
    """
    if (
        places.party_of(world).moves
        or world.has(Location.path_of(here.id))
        or not world.has(Location.path_of(there.id))
    ):
        return False
    seen, queue = {there.id}, [there]
    while queue:
        for way in places.ways_of(world, queue.pop()):
            if way.other.id == here.id:
                return False
            if way.other.id not in seen:
                seen.add(way.other.id)
                queue.append(way.other)
    return True


def _require_way(world: World, here: Location, there: Location, args: MovePartyArgs) -> Way:
    """Return the way that the party may take; a way hidden from it is refused as if it did not exist."""
    way = places.way_between(world, here, there)
    if way is None or (way.is_secret and not args.discovered):
        between = _first_step(world, here, there)
        by = f"; the way there goes by {between.id}" if between is not None else ""
        raise _refused(world, here, args, f"no way leads from {here.id} to {there.id}{by}", {"why": "not_connected"})
    if way.direction == "in":
        detail = f"the way between {here.id} and {there.id} leads only from there to here"
        raise _refused(world, here, args, detail, {"why": "one_way"})
    if way.edge.locked and not args.unlocked:
        why: hint.Hint = {"why": "locked"}
        if way.edge.lock_dc is not None:
            why["lock_dc"] = way.edge.lock_dc
        raise _refused(world, here, args, f"the way from {here.id} to {there.id} is locked", why)
    return way


def _first_step(world: World, here: Location, there: Location) -> Location | None:
    """Return the first place on the shortest known open path from here to there, or None."""
    first = {place.id: place for place in _within_reach(world, here)}
    seen, queue = {here.id, *first}, [(place, place) for place in first.values()]
    for place, step in queue:  # it grows on the way
        if place.id == there.id:
            return step
        for other in _within_reach(world, place):
            if other.id not in seen and len(seen) < _MAX_SEARCHED:
                seen.add(other.id)
                queue.append((other, step))
    return None


def _refused(world: World, here: Location, args: MovePartyArgs, detail: str, why: hint.Hint) -> CallFailed:
    """Return the failure for a way that cannot be taken, with the places that can be reached from here."""
    near = _within_reach(world, here)
    if args.to_location_id is not None:
        repair = hint.name("args.to_location_id", args.to_location_id, [place.id for place in near])
    else:
        names = [place.name for place in near]
        repair = hint.name("args.to_location_name", args.to_location_name, names)
    return CallFailed(Reason.RULE_VIOLATION, detail, {**repair, **why})


def _destinations(world: World) -> list[Location]:
    """Return the places that the party could mean by a name: reachable ones first, without its own place."""
    here = places.standing_of_party(world)
    near = _within_reach(world, here) if here else []
    others = {place.id: place for place in (*near, *places.some_places(world)) if here is None or place.id != here.id}
    return [*others.values()]


def _within_reach(world: World, here: Location) -> list[Location]:
    """Return the places that an open way leads to from here, as far as the party knows."""
    return [way.other for way in places.exits(places.ways_of(world, here)) if not way.edge.locked]


def _remembered(world: World, way: Way, args: MovePartyArgs) -> Way:
    """Return the way with what the party learned about it or changed."""
    edge = way.edge
    if args.discovered and way.is_secret:
        edge = edge.replace(discovered=True)
    if args.unlocked and args.keep_unlocked and edge.locked:
        edge = edge.replace(locked=False)
    if edge != way.edge:
        places.put_way(world, way, edge)
    return way._replace(edge=edge)


def _put_members(world: World, there: Location) -> list[str]:
    if there.area_id is None or world.area(there.area_id) is None:
        return []  # a hand edit took its area away
    members = world.party()
    for member in members:
        if member.position != there.area_id:
            world.put(member.replace(position=there.area_id))
    return [member.id for member in members]


def _exits(world: World, here: Location | None, show_hidden: bool = False) -> list[JsonObject]:
    ways = places.exits(places.ways_of(world, here), show_hidden) if here else []
    return [places.show_exit(way) for way in ways]


def _history(world: World) -> list[JsonObject]:
    steps = sorted(world.all(Step), key=lambda step: number_of(step.id))
    found = {step.to_location_id: places.place_with_id(world, step.to_location_id) for step in steps}
    names = {place_id: place.name if place else None for place_id, place in found.items()}
    return [{"location_id": step.to_location_id, "name": names[step.to_location_id]} for step in steps]
