"""move_options: the areas that the acting character could go to."""

from __future__ import annotations

from operator import attrgetter

from pydantic import Field

from turnwright.model.base import MAX_ID_LENGTH, ListOf, Model, Text
from turnwright.model.state.overlay import World
from turnwright.rulesets.core.actions.move import require_acting
from turnwright.rulesets.core.exits import exits_of
from turnwright.rulesets.tool import Applied, Context, CoreArgs, Legal, refuse, tool


class MoveOptionsArgs(CoreArgs):
    """Arguments of `move_options`."""

    actor_id: Text | None = Field(
        default=None,
        max_length=MAX_ID_LENGTH,
        description="The character whose ways are listed; default: the acting character.",
    )


class MoveOption(Model):
    """One area that can be reached in one step."""

    to_area_id: Text
    name: Text


class MoveOptionsResult(Model):
    """The ways out of the acting character's area, sorted by id."""

    options: ListOf[MoveOption]


def _legal(world: World, ctx: Context) -> Legal | None:
    actor = world.character(ctx.acting_id) if ctx.acting_id else None
    stands = actor is not None and actor.position is not None and world.area(actor.position) is not None
    return {"actor_id": [actor.id]} if actor and stands else None


@tool(MoveOptionsArgs, MoveOptionsResult, family="core", legal=_legal, example={"actor_id": "pc_001"}, reads=True)
def move_options(world: World, args: MoveOptionsArgs, ctx: Context) -> Applied:
    """List the areas that the acting character can reach in one step. Changes nothing."""
    actor = require_acting(world, ctx, args.actor_id)
    here = world.area(actor.position) if actor.position is not None else None
    if here is None:
        raise refuse(f"{actor.id} stands nowhere on the map")
    exits = exits_of(world, here, only_known=ctx.only_known)
    options = [{"to_area_id": area.id, "name": area.name} for area in sorted(exits, key=attrgetter("id"))]
    return Applied({"options": options})
