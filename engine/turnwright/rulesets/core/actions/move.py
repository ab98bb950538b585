"""move: the acting character takes one link of the map."""

from typing import Annotated

from pydantic import BeforeValidator, ConfigDict, Field
from pydantic.config import JsonDict
from pydantic_core import PydanticCustomError

from turnwright.model.area import Area
from turnwright.model.base import MAX_ID_LENGTH, Model, Text, is_empty, name_tag
from turnwright.model.campaign import PARTY_PATH, Protocol
from turnwright.model.character import Character
from turnwright.model.state.overlay import World
from turnwright.model.wire import hint
from turnwright.rulesets.core.exits import exits_of
from turnwright.rulesets.tool import Applied, Context, CoreArgs, Legal, refuse, tool


class MoveArgs(CoreArgs):
    """Arguments of `move` under any contract."""

    actor_id: Text | None = Field(
        default=None, max_length=MAX_ID_LENGTH, description="The moving character; default: the acting character."
    )
    from_area_id: Text | None = Field(
        default=None, max_length=MAX_ID_LENGTH, description="The area they are in now; compared if given."
    )
    to_area_id: Text = Field(
        max_length=MAX_ID_LENGTH, description="An area that can be reached from there in one step."
    )


class RequiredMoveArgs(MoveArgs):
    """Arguments of `move`: the character, its area, and the target area."""

    actor_id: Text = Field(max_length=MAX_ID_LENGTH, description="The moving character: the acting one.")
    from_area_id: Text = Field(max_length=MAX_ID_LENGTH, description="The area they are in now.")


class CheckedMoveArgs(MoveArgs):
    """Arguments of `move` under `protocol.move_from` = `checked`: the first two may be left out."""


def _absent(value: object) -> None:
    del value
    raise PydanticCustomError("extra_forbidden", "may not be given")


def _say_it_is_forbidden(schema: JsonDict) -> None:
    properties = schema["properties"]
    assert isinstance(properties, dict)
    del properties["from_area_id"]
    schema["not"] = {"required": ["from_area_id"]}


class ForbiddenMoveArgs(MoveArgs):
    """Arguments of `move` under `protocol.move_from` = `forbidden`: `from_area_id` may not be given."""

    model_config = ConfigDict(json_schema_extra=_say_it_is_forbidden)

    from_area_id: Annotated[None, BeforeValidator(_absent)] = Field(default=None, description="May not be given.")


class MoveResult(Model):
    """Where the acting character is now."""

    from_area_id: Text | None = Field(default=None, exclude_if=is_empty, description="Absent under `required`.")
    to_area_id: Text


_ARGS: dict[str, type[MoveArgs]] = {
    "required": RequiredMoveArgs,
    "checked": CheckedMoveArgs,
    "forbidden": ForbiddenMoveArgs,
}


def _args_for(protocol: Protocol) -> type[MoveArgs]:
    return _ARGS[protocol.move_from]


def _legal(world: World, ctx: Context) -> Legal | None:
    actor = world.character(ctx.acting_id) if ctx.acting_id else None
    here = world.area(actor.position) if actor and actor.position else None
    exits = [area.id for area in exits_of(world, here, only_known=ctx.only_known)] if here else []
    if not actor or not here or not exits:
        return None
    legal: dict[str, list[str]] = {"actor_id": [actor.id], "from_area_id": [here.id], "to_area_id": exits}
    if ctx.protocol.move_from == "forbidden":
        del legal["from_area_id"]
    return legal


@tool(
    MoveArgs,
    MoveResult,
    family="core",
    legal=_legal,
    args_for=_args_for,
    example={"actor_id": "pc_001", "from_area_id": "area_001", "to_area_id": "area_002"},
)
def move(world: World, args: MoveArgs, ctx: Context) -> Applied:
    """Move the acting character to an area that can be reached in one step.

    Links are directed: being able to go somewhere does not mean being able to come back. One step a call; for a longer
    way make several calls in one turn, each from the end of the previous one.
    """
    actor = require_acting(world, ctx, args.actor_id)
    here = _require_position(world, actor)
    if args.from_area_id is not None and args.from_area_id != here.id:
        detail = f"{actor.id} stands in {here.id}, not in {args.from_area_id}"
        raise refuse(detail, hint.repair("args.from_area_id", args.from_area_id, here.id))
    if args.to_area_id not in here.reachable_area_ids or world.area(args.to_area_id) is None:
        detail = f"{args.to_area_id} cannot be reached from {here.id}"
        told = _another_way(world, here, args.to_area_id, ctx)
        meant = world.area(str(told["allowed"][0])) if told.get("allowed") else None
        if meant is not None and name_tag(meant.name) == name_tag(args.to_area_id):
            detail = f"{args.to_area_id} is a name; the id is {meant.id}"
        raise refuse(detail, told)

    world.put(actor.replace(position=args.to_area_id))
    _note_arrival(world, args.to_area_id)
    if ctx.protocol.move_from == "required":
        return Applied({"to_area_id": args.to_area_id})
    return Applied({"from_area_id": here.id, "to_area_id": args.to_area_id})


def require_acting(world: World, ctx: Context, named: str | None) -> Character:
    """Return the acting character; under `strict_error` a name given for it must be exactly its id.

    Under `reject` the gate has compared the name already, after trimming.
    """
    actor = ctx.actor
    if actor is None:
        raise refuse("there is no acting character")
    if named is not None and named != actor.id and ctx.protocol.actor_context == "strict_error":
        detail = f"{named} is not the acting character, {actor.id}"
        from turnwright.rulesets.reference_lookup import replace_acting  # only failed calls need it

        raise refuse(detail, replace_acting(world, "args.actor_id", named, actor.id, is_player=ctx.only_known))
    return actor


def _require_position(world: World, actor: Character) -> Area:
    here = world.area(actor.position) if actor.position is not None else None
    if here is None:
        raise refuse(f"{actor.id} stands nowhere on the map")
    return here


def _note_arrival(world: World, area_id: str) -> None:
    """Record a member's arrival for the party, in campaigns that have places or keep party documents."""
    if world.has(PARTY_PATH) or world.paths("locations/"):
        from turnwright.rulesets.core.places.lookup import note_arrival  # other campaigns do without it

        note_arrival(world, area_id)


def _another_way(world: World, here: Area, named: str, ctx: Context) -> "hint.Hint":
    """Return the hint for an area that cannot be reached; a player gets none that reveals whether it exists."""
    from turnwright.rulesets.reference_lookup import areas_called  # only failed calls need it

    field = "args.to_area_id"
    names = {area.id: area.name for area in exits_of(world, here, only_known=ctx.only_known)}
    meant = {area_id for area_id, name in names.items() if name_tag(name) == name_tag(named)}
    if ctx.only_known:
        return hint.identifier(field, named, names, meant, _areas_met(world), names)
    others = (named,) if world.area(named) is not None else ()
    return hint.identifier(field, named, names, meant or areas_called(world, named), others, names)


def _areas_met(world: World) -> set[str]:
    """Return the ids of the areas where the party stands, which players know to differ from those they can reach."""
    return {member.position for member in world.party() if member.position is not None}
