"""Through whose door something comes, and whose eyes see it: the game master's, or those of one player's character.

Source: docs/stages/2-settings.md, "Authority".
"""

from __future__ import annotations

GM = "gm"
_PLAYER = "player:"
NOBODY = _PLAYER
"""A player without a character: an onlooker at a table without a party."""


def as_player(character_id: str) -> str:
    """Return the authority of the player of a character."""
    return f"{_PLAYER}{character_id}"


def player_of(authority: str) -> str | None:
    """Return the character of a player's authority; None for any other."""
    return authority.removeprefix(_PLAYER) if authority.startswith(_PLAYER) else None
