"""Characters: who they are, where they stand and how they fare."""

from __future__ import annotations

from enum import StrEnum
from typing import ClassVar, Literal

from pydantic import Field

from turnwright.model.base import Count, Document, Flag, Id, ListOf, Model, SafeInt, Text, file_stem, is_empty

Positive = Field(ge=1)


class CharacterState(StrEnum):
    """The five states a character can be in."""

    ALIVE = "alive"
    DYING = "dying"
    UNCONSCIOUS = "unconscious"
    RESTRAINED_PERMANENT = "restrained_permanent"
    DEAD = "dead"


TERMINAL = frozenset({CharacterState.RESTRAINED_PERMANENT, CharacterState.DEAD})
"""States that hit points never change."""


class DeathSaves(Model):
    """How close to death somebody at 0 HP is."""

    successes: int = Field(default=0, ge=0, le=3, strict=True)
    failures: int = Field(default=0, ge=0, le=3, strict=True)
    stable: Flag = False
    dead: Flag = False


class Item(Model):
    """One entry of an inventory."""

    id: Id
    name: Text
    type: Text = "misc"
    quantity: Count = 1


class Character(Document):
    """One character. `max_hp` null means a Stage 3 character: hit points without a ceiling and without a sheet.

    `character_state` is kept as written even when it is none of the five, so that an import loses nothing; calls of
    such a character fail `invalid_actor_state`.
    """

    collection: ClassVar[str] = "characters/"

    id: Id
    name: Text | None = Field(default=None, exclude_if=is_empty, description="What players call them.")
    character_type: Literal["pc", "npc", "enemy", "neutral"] = "pc"
    position: Id | None = None
    hp: Count | None = Field(default=None, description="Null: this character has no hit points to change.")
    max_hp: SafeInt | None = Field(default=None, ge=1)
    temp_hp: Count = Field(default=0, exclude_if=is_empty)
    character_state: Text | None = CharacterState.ALIVE.value
    death_saves: DeathSaves | None = Field(default=None, exclude_if=is_empty)
    inventory: ListOf[Item] = Field(default=(), exclude_if=is_empty)

    @property
    def path(self) -> str:
        """See `character_path`."""
        return character_path(self.id)

    @property
    def state(self) -> CharacterState | None:
        """The stored state, or None when it is none of the five."""
        return _STATES.get(self.character_state or "")

    @property
    def label(self) -> str:
        """The name, or the id of somebody nameless."""
        return self.name or self.id


_STATES = {state.value: state for state in CharacterState}


def character_path(character_id: str) -> str:
    """Return the path of the document of this character."""
    return f"characters/{file_stem(character_id)}.json"
