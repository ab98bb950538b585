"""The reader of a projection: one value for every place that decides what may be seen.

Source: docs/stages/6-publish.md, "Viewers".
"""

from typing import TYPE_CHECKING, Literal, NamedTuple, Self

from turnwright.model.authority import GM, as_player, player_of
from turnwright.model.errors import BadRequest

if TYPE_CHECKING:
    from turnwright.model.wire.shapes import ConversationRequest

Kind = Literal["game_master", "player", "party", "character"]


class Viewer(NamedTuple):
    """The game master, one player, the party together, or a character that a model plays.

    Attributes:
        kind: one of the four.
        character_id: the character that the player plays, or that the model plays; empty for the others, and for a
            player without a character, who sees only what is public.
    """

    kind: Kind
    character_id: str = ""

    @classmethod
    def of(cls, authority: str) -> Self:
        """Return the viewer of a door: `gm` or `player:<character id>`.

        Raises:
            BadRequest: when it is neither, so that a misspelled player is not taken for the game master.
        """
        if authority == GM:
            return cls("game_master")
        player = player_of(authority)
        if player is None:
            raise BadRequest("an authority is gm, or player: and the id of a character")
        return cls("player", player)

    @classmethod
    def player(cls, character_id: str) -> Self:
        """Return the player of a character."""
        return cls("player", character_id)

    @classmethod
    def character(cls, character_id: str) -> Self:
        """Return a character that a model plays."""
        return cls("character", character_id)

    @property
    def is_game_master(self) -> bool:
        """Whether everything may be seen."""
        return self.kind == "game_master"

    @property
    def authority(self) -> str | None:
        """The door of the game master or of a player; None for the others, who hand in no turns."""
        if self.kind == "player":
            return as_player(self.character_id)
        return GM if self.is_game_master else None


GAME_MASTER = Viewer("game_master")
PARTY = Viewer("party")


def require_viewer(value: object) -> None:
    """Refuse what a program gives for a viewer and is none.

    Raises:
        BadRequest: naming the class.
    """
    if not isinstance(value, Viewer):
        raise BadRequest("a viewer is a turnwright.Viewer")


def require_seat(viewer: Viewer) -> None:
    """Refuse a player without a character, who can watch but not play.

    Raises:
        BadRequest: the message says what a player needs.
    """
    if viewer.kind == "player" and not viewer.character_id:
        raise BadRequest("a player needs the id of a character: player:ID")


TABLE = "table"
"""Addressee of a request that any player at the table may answer."""


def request_for(viewer: Viewer, request: "ConversationRequest | None") -> "ConversationRequest | None":
    """Return the open request of a conversation when it asks this viewer, None otherwise.

    The game master and the party together see all requests; a character that a model plays sees none.
    """
    if request is None or viewer.kind == "character":
        return None
    return request_to(request, viewer.character_id) if viewer.kind == "player" else request.copy()


def request_to(request: "ConversationRequest | None", character_id: str) -> "ConversationRequest | None":
    """Return a request when it asks this character or the whole table, None otherwise."""
    return request.copy() if request is not None and request["to"] in (TABLE, character_id) else None
