"""What a player may not say in a call that is for players: whose deed it is, and what only a referee decides.

Source: docs/stages/2-settings.md, "Authority".
"""

from __future__ import annotations

from turnwright.model.json_types import JsonObject
from turnwright.model.state.overlay import World
from turnwright.model.wire import hint
from turnwright.model.wire.reason import CallFailed, Reason

_WHO_ACTS = frozenset(
    ("actor_id", "actor_name", "caster_id", "caster_name", "character_id", "character_name", "owner_id", "owner_name")
)
"""The arguments that say who does it, or whose belongings and sheet it is."""
_LOOKING = frozenset(("list", "get"))
"""The operations that change nothing; the projection decides what they show of others."""
_OF_REFEREE = frozenset(("ignore_economy", "force", "unlocked", "keep_unlocked", "discovered"))
"""The arguments that set a rule aside, or say what only the game master has seen happen."""


def require_own_deed(args: JsonObject, where: str, world: World, player_id: str | None) -> None:
    """Check 3, for the calls of players that change something: they act as their character, and are no referees.

    Args:
        args: the arguments, by their own names.
        where: the path of the arguments.
        world: what the player knows.
        player_id: the player's character.

    Raises:
        CallFailed: `not_permitted`.
    """
    character = world.character(player_id) if player_id else None
    is_looking = args.get("operation") in _LOOKING
    own = {player_id, character.label.casefold() if character else player_id}
    for key, value in args.items():
        field = f"{where}.{key}"
        if key in _WHO_ACTS and not is_looking and isinstance(value, str) and {value, value.casefold()}.isdisjoint(own):
            told = hint.ask(field, value, [player_id] if player_id else [])
            raise CallFailed(Reason.NOT_PERMITTED, f"{field}: a player acts as their own character alone", told)
        if key in _OF_REFEREE and value:
            detail = f"{field}: only the game master says that"
            raise CallFailed(Reason.NOT_PERMITTED, detail, hint.remove(field))
