"""Who a core tool acts as."""

from __future__ import annotations

from turnwright.model.character import Character
from turnwright.model.state.overlay import World
from turnwright.rulesets.tool import Context, refuse


def require_acting(world: World, ctx: Context, named: str | None) -> Character:
    """Return the acting character; under `strict_error` a name given for it must be exactly its id.

    Under `reject` the gate has compared the name already, after trimming.
    """
    actor = ctx.actor
    if actor is None:
        raise refuse("there is no acting character")
    if named is not None and named != actor.id and ctx.protocol.actor_context == "strict_error":
        detail = f"{named} is not the acting character, {actor.id}"
        from turnwright.rulesets.reference_lookup import replace_acting  # only what fails needs it

        raise refuse(detail, replace_acting(world, "args.actor_id", named, actor.id, is_player=ctx.only_known))
    return actor
