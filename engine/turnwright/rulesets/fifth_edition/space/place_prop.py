"""place_prop: props on the grid of a fight."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from turnwright.model.base import name_tag
from turnwright.model.encounter import Encounter, Prop
from turnwright.model.json_types import JsonObject
from turnwright.model.state.overlay import World
from turnwright.model.wire import hint
from turnwright.model.wire.reason import CallFailed, Reason
from turnwright.rulesets.fifth_edition.battlefield import body_on_grid, living, position_of, show_square, square_of
from turnwright.rulesets.fifth_edition.space._prop_args import PlacePropArgs, PlacePropResult
from turnwright.rulesets.fifth_edition.space._where import require_on_grid
from turnwright.rulesets.fifth_edition.space.grid.space import XY, Grid, Square
from turnwright.rulesets.fifth_edition.targets import require_encounter, require_running
from turnwright.rulesets.tool import Applied, Context
from turnwright.rulesets.toolkit import toolkit

if TYPE_CHECKING:
    from turnwright.rulesets.fifth_edition.space.shapes import PlacedProp, PropReport


@toolkit(
    PlacePropArgs,
    PlacePropResult,
    example={
        "encounter_id": "encounter-1",
        "name": "Oak Barrel",
        "type": "barrel",
        "position": {"x": 3, "y": 4},
        "cover_type": "half",
    },
)
def place_prop(world: World, args: PlacePropArgs, ctx: Context) -> Applied:
    """Place a prop on the grid of a fight: a barrel, a door, a trap; or remove, update, move or list props.

    Props affect attacks, sight and movement by what they cover and block, and they are drawn on the map. Use
    modify_terrain for ground and walls. A blocking prop needs a square without creatures. Gives the prop with its id.
    """
    del ctx
    if args.operation == "list":
        encounter = require_encounter(world, args.encounter_id)
        return Applied({"props": [_shown(prop) for prop in encounter.props], "count": len(encounter.props)})
    return _OPERATIONS[args.operation](world, args, require_running(world, args.encounter_id))


_FIELDS = (
    *("name", "type", "state", "locked", "lock_dc", "cover_type", "blocks_movement", "destructible"),
    *("hp", "ac", "size", "description", "hidden", "trap_dc", "trap_damage", "trigger"),
)


def _place(world: World, args: PlacePropArgs, encounter: Encounter) -> Applied:
    if args.prop_id is not None:
        raise CallFailed(Reason.INVALID_ARGS, "args.prop_id: a new prop is given its id", hint.remove("args.prop_id"))
    if args.hp is not None and args.hp < 1:
        raise CallFailed(Reason.INVALID_ARGS, "args.hp: wants at least 1", hint.ask("args.hp", args.hp))
    at = _require_square(encounter, args)
    if args.blocks_movement:
        _require_room(world, encounter, at, "args.position")

    prop_id = world.new_id("prop", held=[prop.id for prop in encounter.props])
    prop = Prop.model_validate({"id": prop_id, "position": position_of(at), **_given(args)})
    world.put(encounter.replace(props=(*encounter.props, prop)))
    return Applied({"prop": _shown(prop), "count": len(encounter.props) + 1})


def _remove(world: World, args: PlacePropArgs, encounter: Encounter) -> Applied:
    prop = _require_prop(encounter, args)
    left = [other for other in encounter.props if other.id != prop.id]
    world.put(encounter.replace(props=left))
    return Applied({"prop": _shown(prop), "count": len(left)})


def _update(world: World, args: PlacePropArgs, encounter: Encounter) -> Applied:
    before = _require_prop(encounter, args)
    changes: dict[str, Any] = {**_given(args)}
    if args.position is not None:
        changes["position"] = position_of(_require_square(encounter, args))
    prop = before.replace(**changes)
    if _blocks(prop) and not (_blocks(before) and prop.position == before.position):
        field = "args.position" if args.position is not None else "args.blocks_movement"
        _require_room(world, encounter, square_of(prop.position), field, before)
    return Applied(_put(world, encounter, before, prop))


def _move(world: World, args: PlacePropArgs, encounter: Encounter) -> Applied:
    before = _require_prop(encounter, args)
    at = _require_square(encounter, args)
    if _blocks(before):
        _require_room(world, encounter, at, "args.position", before)
    return Applied(_put(world, encounter, before, before.replace(position=position_of(at))))


_OPERATIONS: Mapping[str, Callable[[World, PlacePropArgs, Encounter], Applied]] = {
    "place": _place,
    "remove": _remove,
    "update": _update,
    "move": _move,
}


def _given(args: PlacePropArgs) -> JsonObject:
    """Return the properties that a call sets; hit points make a prop destructible unless the call says otherwise."""
    given = {name: value for name in _FIELDS if (value := getattr(args, name)) is not None}
    return {"destructible": True, **given} if "hp" in given else given


def _put(world: World, encounter: Encounter, before: Prop, prop: Prop) -> PlacedProp:
    if prop != before:
        world.put(encounter.replace(props=[prop if other.id == prop.id else other for other in encounter.props]))
    result: PlacedProp = {"prop": _shown(prop), "count": len(encounter.props)}
    if prop.position != before.position:
        here, there = square_of(before.position), square_of(prop.position)
        result["moved"] = {"from": show_square(here), "to": show_square(there)}
    return result


def _require_prop(encounter: Encounter, args: PlacePropArgs) -> Prop:
    """Return the prop that an id or a name means."""
    wanted = args.prop_id or ""
    found = [prop for prop in encounter.props if prop.id == wanted]
    found = found or [prop for prop in encounter.props if name_tag(prop.name) == name_tag(wanted)]
    if len(found) == 1:
        return found[0]
    if found:
        ids = [prop.id for prop in found]
        detail = f"{wanted} could be {', '.join(ids)}"
        raise CallFailed(Reason.AMBIGUOUS, detail, hint.ask("args.prop_id", wanted, ids))
    known = [name for prop in encounter.props for name in (prop.id, prop.name)]
    detail = f"there is no prop {wanted} in {encounter.id}"
    raise CallFailed(Reason.NOT_FOUND, detail, hint.name("args.prop_id", wanted, known))


def _require_square(encounter: Encounter, args: PlacePropArgs) -> Square:
    assert args.position is not None, "the operation needs it"
    require_on_grid(_grid(encounter), args.position, "position")
    return args.position.square


def _require_room(world: World, encounter: Encounter, at: Square, field: str, moved: Prop | None = None) -> None:
    """Refuse a solid prop in a square with a living creature or another solid prop."""
    taken = {
        (x, y): person.id for person in living(world, encounter) for x, y, _ in body_on_grid(world, person).squares
    }
    solid = (prop for prop in encounter.props if _blocks(prop) and (moved is None or prop.id != moved.id))
    taken |= {(prop.position.x, prop.position.y): prop.id for prop in solid}
    there = taken.get((at.x, at.y))
    if there is None:
        return
    detail = f"{there} is on {at.x},{at.y}, where nothing solid can stand now"
    if field == "args.position":
        free = [show_square(square) for square in _nearest_free(_grid(encounter), at, taken)]
        raise CallFailed(Reason.CONFLICT, detail, hint.ask(field, show_square(at), free[:5]))
    raise CallFailed(Reason.CONFLICT, detail, hint.ask(field, True, [False]))


def _nearest_free(grid: Grid, at: Square, taken: Mapping[XY, str]) -> list[Square]:
    """Return the free squares on the same height, the nearest first."""
    free = [Square(x, y, at.z) for y in range(grid.height) for x in range(grid.width) if (x, y) not in taken]
    return sorted(free, key=lambda square: max(abs(square.x - at.x), abs(square.y - at.y)))


def _grid(encounter: Encounter) -> Grid:
    return Grid(encounter.terrain.width, encounter.terrain.height)


def _blocks(prop: Prop) -> bool:
    return prop.blocks_movement and not prop.is_broken


def _shown(prop: Prop) -> PropReport:
    """Return a prop as results show it: with its current cover and blocking."""
    return {
        "prop_id": prop.id,
        "name": prop.name,
        "type": prop.type,
        "position": show_square(square_of(prop.position)),
        "state": prop.state,
        "locked": prop.locked,
        "lock_dc": prop.lock_dc,
        "cover_type": "none" if prop.is_broken else prop.cover_type,
        "blocks_movement": _blocks(prop),
        "destructible": prop.destructible,
        "broken": prop.is_broken,
        "hp": prop.hp,
        "ac": prop.ac,
        "size": prop.size,
        "description": prop.description,
        "hidden": prop.hidden,
        "trap_dc": prop.trap_dc,
        "trap_damage": prop.trap_damage,
        "trigger": prop.trigger,
    }
