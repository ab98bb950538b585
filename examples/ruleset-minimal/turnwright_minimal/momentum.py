"""The momentum of one character."""

from __future__ import annotations

from typing import ClassVar

from turnwright.rulesets.api import CallFailed, Character, Count, Entry, Reason, World, hint

MAX_MOMENTUM = 6


class Momentum(Entry):
    """How much momentum a character has. Its id is the character's."""

    collection: ClassVar[str] = "momentum/"

    amount: Count = 0


def momentum_of(world: World, character_id: str) -> Momentum:
    """Return the momentum of a character; 0 where there is no document yet.

    Raises:
        CallFailed: `not_found`, when there is no such character.
    """
    if world.find(Character, character_id) is None:
        known = [character.id for character in world.characters()]
        detail = f"there is no character {character_id}"
        raise CallFailed(Reason.NOT_FOUND, detail, hint.ask("args.character_id", character_id, known))
    return world.find(Momentum, character_id) or Momentum(id=character_id)
