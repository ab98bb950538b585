"""Arguments for a participant who joins a fight."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from turnwright.model.base import Count, Flag, ListOf, Model, SafeInt
from turnwright.model.creature import Stats
from turnwright.model.encounter import Position
from turnwright.model.sheet import Feet, Senses
from turnwright.model.vocabulary import CharacterType, ConditionName, DamageType, Material, Size, WeaponDefense
from turnwright.rulesets.references import D20, CharacterId, Choice, DiceText, Name, NewId, NewName

Bonus = Annotated[int, Field(strict=True, ge=-1000, le=1000)]
"""A modifier of a d20, within reason."""


class SaveBonuses(Model):
    """Modifiers of saving throws, by ability; whole modifiers, in place of what the scores give."""

    str: Bonus | None = None
    dex: Bonus | None = None
    con: Bonus | None = None
    int: Bonus | None = None
    wis: Bonus | None = None
    cha: Bonus | None = None


class JoiningArgs(Model):
    """One participant: a character by `character_id` or `character_name`, or `id`, `name`, `hp`, `max_hp`, `position`.

    A character brings its own values. Beside it only `id`, `position`, `is_enemy`, `surprised`, dice, and what holds
    for this fight alone can be said: ac, speed, size, initiative_bonus, attack_bonus, damage, damage_type, weapon_is,
    reach, attacks.
    """

    character_id: CharacterId | None = Field(default=None, description="The character to add.")
    character_name: Name | None = Field(default=None, description="The character's name, in place of its id.")
    id: NewId | None = Field(default=None, description="Unique in this fight; a character's id unless given.")
    name: NewName | None = Field(default=None, description="The displayed name.")
    hp: Count | None = Field(default=None, description="Hit points now, at most max_hp; 0 is dying already.")
    max_hp: Annotated[SafeInt, Field(ge=1)] | None = Field(default=None, description="Hit points when unhurt.")
    ac: Count | None = Field(default=None, description="Armor class; 10 unless given.")
    initiative_bonus: Bonus | None = Field(default=None, description="0, or a character's DEX modifier, unless given.")
    manual_initiative: D20 | None = Field(default=None, description="Face of its initiative d20, rolled at the table.")
    position: Position | None = Field(
        default=None, description="Its square (of a large body: the smallest x and y); characters may leave it out."
    )
    is_enemy: Flag | None = Field(default=None, description="Which side it is on; true: against the party.")
    surprised: Flag = Field(default=False, description="It cannot act until its first turn has ended.")
    character_type: CharacterType | None = Field(
        default=None, description="enemy when is_enemy, else pc, unless given; only a pc makes death saves."
    )
    size: Size | None = Field(default=None, description="medium unless given; large and more fill several squares.")
    speed: Feet | None = Field(default=None, description="Feet a turn; 30 unless given.")
    resistances: ListOf[DamageType] = Field(default=(), description="Damage it takes half of.")
    immunities: ListOf[DamageType] = Field(default=(), description="Damage it takes none of.")
    vulnerabilities: ListOf[DamageType] = Field(default=(), description="Damage it takes double of.")
    halved_weapons: Annotated[WeaponDefense, Choice()] | None = Field(
        default=None, description="Bludgeoning, piercing, slashing that it takes half of: from which weapons."
    )
    harmless_weapons: Annotated[WeaponDefense, Choice()] | None = Field(
        default=None, description="The same, taking none."
    )
    condition_immunities: ListOf[ConditionName] = Field(default=(), description="Conditions it cannot get.")
    attack_bonus: Bonus | None = Field(default=None, description="Of its usual attack.")
    damage: DiceText | None = Field(default=None, description="Of its usual attack; 1d6+2 unless given.")
    damage_type: DamageType | None = Field(default=None, description="Of its usual attack; slashing unless given.")
    weapon_is: ListOf[Material] = Field(default=(), max_length=3, description="Of its usual attack.")
    reach: Feet | None = Field(default=None, description="How many feet its usual attack reaches; 5 unless given.")
    attacks: Annotated[int, Field(strict=True, ge=1, le=20)] = Field(
        default=1, description="How many attacks one Attack action holds."
    )
    stats: Stats | None = Field(default=None, description="Ability scores; each 10 unless given.")
    save_bonuses: SaveBonuses | None = Field(default=None, description="Whole save modifiers, where not the scores'.")
    senses: Senses | None = Field(default=None, description="Special senses, in feet.")

    @model_validator(mode="before")
    @classmethod
    def _is_described(cls, value: Any) -> Any:
        """Refuse a bare name, naming the object that identifies the participant, so that no stranger joins instead."""
        if isinstance(value, str):
            told = {"told": "wants an object", "meant": {"character_id": value}}
            raise PydanticCustomError("misspelt", "{told}", told)
        return value
