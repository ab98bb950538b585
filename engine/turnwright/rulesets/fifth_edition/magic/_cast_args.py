"""The arguments of `cast_spell`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, ClassVar

from pydantic import Field

from turnwright.model.base import Count, Flag, ListOf, SafeInt
from turnwright.model.encounter import Position
from turnwright.rulesets.references import Name, ParticipantId, RunningEncounterId
from turnwright.rulesets.toolkit import ToolkitArgs

Dc = Annotated[int, Field(strict=True, ge=1, le=99)]
SlotLevel = Annotated[int, Field(strict=True, ge=1, le=9)]


class CastSpellArgs(ToolkitArgs):
    """Arguments of `cast_spell`."""

    also: ClassVar[Mapping[str, str]] = {
        "caster": "caster_id",
        "spell_name": "spell",
        "slot_level": "slot",
        "spell_slot": "slot",
        "targets": "target_ids",
        "point": "target_position",
    }

    caster_id: ParticipantId | None = Field(default=None, description="The caster: this or caster_name is required.")
    caster_name: Name | None = Field(default=None, description="The caster's name, in place of caster_id.")
    encounter_id: RunningEncounterId | None = Field(
        default=None, description="The fight. Default: the one the caster is in."
    )
    spell: Name = Field(description="Name or id, such as fireball.", examples=["fireball"])
    slot: SlotLevel | None = Field(default=None, description="Level of the slot. Default: the spell's own.")
    pact_magic: Flag = Field(default=False, description="Take a warlock's slot.")
    target_ids: ListOf[ParticipantId] = Field(
        default=(), max_length=100, description="All targets; one entry for each ray or dart, repeated as needed."
    )
    target_position: Position | None = Field(
        default=None, description="In a fight: the point of its area, or where its cone or line points."
    )
    target_end: Position | None = Field(default=None, description="Of a wall: its other end; left out, a ring.")
    spared_ids: ListOf[ParticipantId] = Field(
        default=(), max_length=100, description="Creatures a lasting area spares, if its entry allows a choice."
    )
    choice: Name | None = Field(
        default=None,
        description="The caster's choice, such as fire or blinded; or the words of a message.",
        examples=["fire"],
    )
    amounts: ListOf[Count] = Field(
        default=(), max_length=100, description="Of a pool of healing: hit points for each of target_ids, in order."
    )
    again: Flag = Field(
        default=False, description="No new casting: reuse a lasting spell, or apply it on entering its area."
    )
    ritual: Flag = Field(default=False, description="As a ritual: no slot, ten minutes longer.")
    advantage: Flag = Field(default=False, description="Something else than the engine knows gives advantage.")
    disadvantage: Flag = Field(default=False, description="Something else than the engine knows hinders.")
    save_dc: Dc | None = Field(default=None, description="In place of the caster's.")
    attack_bonus: SafeInt | None = Field(default=None, description="In place of the caster's.")
    ignore_economy: Flag = Field(
        default=False, description="The referee allows it out of turn, without a slot or beyond its cost."
    )
