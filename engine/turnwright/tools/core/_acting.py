"""Who a core tool acts as."""

from __future__ import annotations

from turnwright.model import hint
from turnwright.model.character import Character
from turnwright.tools._base import Context, refuse
from turnwright.world.overlay import World


def require_acting(world: World, ctx: Context, named: str | None) -> Character:
    """Return the acting character; under `strict_error` a name given for it must be exactly its id.

    Under `reject` the gate has compared the name already, after trimming.
    """
    actor = world.character(ctx.acting_id) if ctx.acting_id else None
    if actor is None:
        raise refuse("there is no acting character")
    if named is not None and named != actor.id and ctx.protocol.actor_context == "strict_error":
        detail = f"{named} is not the acting character, {actor.id}"
        raise refuse(detail, replace_acting(world, "args.actor_id", named, actor.id, is_player=ctx.only_known))
    return actor


def replace_acting(world: World, field: str, got: object, acting_id: str | None, *, is_player: bool) -> hint.Hint:
    """Return the hint that names who acts in place of one.

    To a player it says the same whoever was named, lest it tell of what name somebody is there.
    """
    known = [acting_id] if acting_id else []
    if is_player:
        return hint.replace(field, got, known)
    from turnwright.tools.candidates import replace_actor  # only what fails needs it

    return replace_actor(world, field, got, known)
