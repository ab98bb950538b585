"""Reject arguments by which a player would act as another character or overrule the game master.

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
"""Arguments that name the acting character, or the character whose sheet or belongings change."""
_LOOKING = frozenset(("get", "list", "query", "view"))
"""Operations that change nothing; the projection decides what they show of other characters."""
_OF_REFEREE = frozenset(("ignore_economy", "force", "unlocked", "keep_unlocked", "discovered", "show_hidden"))
"""Arguments that set a rule aside, or state what only the game master can have seen."""


def require_own_deed(args: JsonObject, where: str, world: World, player_id: str | None) -> None:
    """Require that a player's call acts as the player's character and overrides no rule.

    This belongs to check 3, and runs after parsing, which resolves aliases and batches.

    Args:
        args: the arguments, by their own names.
        where: the path of the arguments.
        world: the campaign as the player knows it.
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
