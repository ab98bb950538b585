"""Auras: effects that surround a creature and affect creatures near it. Source: docs/toolkit.md, "Auras"."""

from __future__ import annotations

from collections.abc import Collection
from typing import Annotated, ClassVar

from pydantic import Field

from turnwright.model.base import ABSENT, Count, Entry, Flag, Id, Text, is_none
from turnwright.model.creature import Words
from turnwright.model.vocabulary import Ability, ConditionName, DamageType


class Aura(Entry):
    """One aura; `radius` in feet."""

    collection: ClassVar[str] = "auras/"

    owner_id: Id
    spell_name: Annotated[Text, Field(min_length=1, max_length=200)]
    radius: Annotated[int, Field(strict=True, ge=1, le=10_000)]
    encounter_id: Id | None = ABSENT
    duration: Count | None = ABSENT
    rounds_remaining: Count | None = ABSENT
    damage: Text | None = Field(default=None, exclude_if=is_none, description="Dice.")
    damage_type: DamageType | None = ABSENT
    healing: Text | None = Field(default=None, exclude_if=is_none, description="Dice.")
    condition: ConditionName | None = ABSENT
    effect: Words | None = ABSENT
    save_dc: Count | None = ABSENT
    save_ability: Ability | None = ABSENT
    half_on_save: Flag = False
    affects_enemies: Flag = False
    affects_allies: Flag = False
    affects_self: Flag = False

    @property
    def lookup(self) -> Collection[str]:
        """Auras are found by owner and by fight."""
        owner = owner_tag(self.owner_id)
        return (owner,) if self.encounter_id is None else (owner, encounter_tag(self.encounter_id))


def owner_tag(owner_id: str) -> str:
    """Return the tag of a creature's auras."""
    return f"owner:{owner_id}"


def encounter_tag(encounter_id: str) -> str:
    """Return the tag of what is bound to a fight."""
    return f"encounter:{encounter_id}"
