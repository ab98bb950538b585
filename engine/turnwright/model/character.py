"""Characters: identity, position and condition."""

from collections.abc import Collection
from enum import StrEnum
from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import Field

from turnwright.model.base import Count, Entry, Flag, FrozenMap, Id, ListOf, SafeInt, Text, is_empty, is_none, name_tag
from turnwright.model.lazy import later

if TYPE_CHECKING:
    from turnwright.model.creature import Concentration, Condition, DeathSaves, Effect
    from turnwright.model.item import Item
    from turnwright.model.person import CharacterChoices, Fear, Secret, Want
    from turnwright.model.sheet import Sheet
else:
    Concentration, Condition, DeathSaves, Effect = (
        later("turnwright.model.creature", name) for name in ("Concentration", "Condition", "DeathSaves", "Effect")
    )
    Item = later("turnwright.model.item", "Item")
    CharacterChoices, Fear, Secret, Want = (
        later("turnwright.model.person", name) for name in ("CharacterChoices", "Fear", "Secret", "Want")
    )
    Sheet = later("turnwright.model.sheet", "Sheet")


class CharacterState(StrEnum):
    """The five states a character can be in."""

    ALIVE = "alive"
    DYING = "dying"
    UNCONSCIOUS = "unconscious"
    RESTRAINED_PERMANENT = "restrained_permanent"
    DEAD = "dead"


TERMINAL = frozenset({CharacterState.RESTRAINED_PERMANENT, CharacterState.DEAD})
"""States that hit points never change."""


Disposition = Literal["hostile", "suspicious", "neutral", "friendly", "loyal"]


class Character(Entry):
    """One character. `max_hp` null means a Stage 3 character: hit points without a ceiling and without a sheet.

    A character with `max_hp` and without `sheet` has the default sheet.

    `character_state` is kept as written even if it is not one of the five, so that an import loses nothing; calls of
    such a character fail with `invalid_actor_state`.
    """

    collection: ClassVar[str] = "characters/"
    shared = frozenset({"sheet", "conditions", "effects", "concentration", "inventory", "choices"})

    id: Id
    name: Text | None = Field(default=None, exclude_if=is_empty, description="What players call them.")
    character_type: Literal["pc", "npc", "enemy", "neutral"] = "pc"
    position: Id | None = None
    hp: Count | None = Field(default=None, description="Null: this character has no hit points to change.")
    max_hp: SafeInt | None = Field(default=None, ge=1)
    temp_hp: Count = Field(default=0, exclude_if=is_empty)
    character_state: Text | None = CharacterState.ALIVE.value
    death_saves: DeathSaves | None = Field(default=None, exclude_if=is_none)
    sheet: Sheet | None = Field(default=None, exclude_if=is_none)
    conditions: ListOf[Condition] = Field(default=(), exclude_if=is_empty)
    effects: ListOf[Effect] = Field(default=(), exclude_if=is_empty)
    concentration: Concentration | None = Field(default=None, exclude_if=is_none)
    inventory: ListOf[Item] = Field(default=(), exclude_if=is_empty)
    equipped: FrozenMap[Id] = Field(default_factory=dict, exclude_if=is_empty, description="Ids of items, by slot.")
    stress: Count = Field(default=0, exclude_if=is_empty, description="In a scene game: how near to breaking.")
    coin: Count = Field(default=0, exclude_if=is_empty, description="In a scene game; not what lies in the inventory.")
    trauma: ListOf[Text] = Field(default=(), exclude_if=is_empty, description="Scars of the mind, newest first.")
    pending_trauma: Flag = Field(default=False, exclude_if=is_empty, description="Broke outside play.")
    choices: CharacterChoices | None = Field(default=None, exclude_if=is_none)
    faction: Id | None = Field(default=None, exclude_if=is_none)
    disposition: Disposition | None = Field(default=None, exclude_if=is_none)
    wants: ListOf[Want] = Field(default=(), exclude_if=is_empty)
    fears: ListOf[Fear] = Field(default=(), exclude_if=is_empty)
    knows: ListOf[Secret] = Field(default=(), exclude_if=is_empty)
    location: Id | None = Field(default=None, exclude_if=is_none, description="Id of a place.")
    voice_notes: Text | None = Field(default=None, exclude_if=is_none)

    @property
    def lookup(self) -> Collection[str]:
        """Characters are found by name, by where they stand, and by whose concentration holds what is on them."""
        held = {condition.source for condition in self.conditions if condition.duration == "concentration"}
        held |= {effect.source for effect in self.effects if effect.duration == "concentration"}
        found = [name_tag(self.label), *sorted(held_tag(source) for source in held if source is not None)]
        return found if self.position is None else [*found, position_tag(self.position)]

    @property
    def state(self) -> CharacterState | None:
        """The stored state, or None when it is not one of the five."""
        return _STATES.get(self.character_state or "")

    @property
    def is_dead(self) -> bool:
        """Whether the character is dead; if hit points do not change the state, the death saves decide."""
        return self.character_state == CharacterState.DEAD or (self.death_saves is not None and self.death_saves.dead)

    @property
    def condition_names(self) -> tuple[str, ...]:
        """The names of their conditions in the order in which they came, each once whatever brought it."""
        return tuple(dict.fromkeys(condition.condition for condition in self.conditions))

    @property
    def label(self) -> str:
        """The name, or the id of a character without one."""
        return self.name or self.id


_STATES = {state.value: state for state in CharacterState}


def held_tag(caster_id: str) -> str:
    """Return the tag of all creatures under an effect of this caster's concentration."""
    return f"held_by:{caster_id}"


def position_tag(area_id: str) -> str:
    """Return the tag of all characters in an area."""
    return f"at:{area_id}"


def fights_tag(character_id: str) -> str:
    """Return the tag of the running fight that a character is in."""
    return f"fights:{character_id}"
