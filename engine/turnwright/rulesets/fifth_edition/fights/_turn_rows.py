"""Rows of the result of `advance_turn`."""

from __future__ import annotations

from pydantic import Field

from turnwright.model.base import ABSENT, Count, Flag, FreeMap, Id, ListOf, Model, SafeInt, Text, is_none
from turnwright.model.encounter import SquareKey
from turnwright.model.vocabulary import Ability, GridTerrain
from turnwright.rulesets.fifth_edition.fights._action_result import AreaRow, LeftRow
from turnwright.rulesets.fifth_edition.fights._views import Named
from turnwright.rulesets.fifth_edition.rolls import SaveResult
from turnwright.rulesets.fifth_edition.triggers import EffectRow, TriggerRow


class CurrentRow(Named):
    """The combatant whose turn it is."""

    hp: Count
    max_hp: Count
    conditions: ListOf[Text]


class ExpiredRow(Model):
    """A condition that ended."""

    target_id: Id
    condition: Text


class TickedRow(ExpiredRow):
    """A condition that continues."""

    remaining: Count = Field(description="Rounds.")


class SaveRow(ExpiredRow):
    """A saving throw against a condition, at the end of a turn; success ends it."""

    ability: Ability
    dc: SafeInt
    natural: SafeInt
    modifier: SafeInt
    total: SafeInt
    success: Flag


class SpellRow(Model):
    """A spell that is not concentrated on any more."""

    target_id: Id = Field(description="The caster who concentrated.")
    spell_name: Text


class TerrainRow(Model):
    """Terrain that went away."""

    terrain_type: GridTerrain
    positions: ListOf[SquareKey]


class AuraRow(Model):
    """An aura that went away."""

    aura_id: Id
    spell_name: Text


class HazardRow(Model):
    """The effect of a hazard."""

    target_id: Id
    type: Text
    position: SquareKey
    save: SaveResult | None
    damage_rolled: SafeInt | None
    damage_applied: Count
    condition: Text | None = Field(description="applied, resisted, or null for none.")


class RechargedRow(Model):
    """The die that gives an action of a stat block back, or not."""

    target_id: Id
    action: Text
    natural: SafeInt
    needed: SafeInt = Field(description="At least.")
    ready: Flag


class RegeneratedRow(Model):
    """Hit points that a trait gave back at the start of a turn."""

    target_id: Id
    trait: Text
    amount: Count
    hp: Count


class LastingRow(Model):
    """The effect of a lasting effect or condition at the start or end of a turn."""

    target_id: Id
    name: Text = Field(description="Of the effect or the condition.")
    healing: Count | None = Field(default=None, exclude_if=is_none, description="Hit points regained.")
    temp_hp: Count | None = Field(default=None, exclude_if=is_none, description="Temporary hit points now.")
    rolled: SafeInt | None = Field(
        default=None, exclude_if=is_none, description="Damage before resistances; or the d20 to leave."
    )
    damage: Count | None = Field(default=None, exclude_if=is_none, description="Damage as taken.")
    away: Flag | None = Field(default=None, exclude_if=is_none, description="Whether it left for another plane.")
    natural: SafeInt | None = Field(default=None, exclude_if=is_none, description="The die that decides.")
    outcome: Text | None = Field(default=None, exclude_if=is_none, description="The outcome for the turn.")
    direction: Text | None = ABSENT
    at: Id | None = Field(default=None, exclude_if=is_none, description="The target.")
    dropped: ListOf[Text] | None = ABSENT


class AdvanceTurnResult(Model):
    """What happened between two turns, and the current turn."""

    round: Count
    new_round: Flag
    previous: Named
    current: CurrentRow
    expired: ListOf[ExpiredRow]
    ticked: ListOf[TickedRow]
    saves: ListOf[SaveRow]
    effects_expired: ListOf[EffectRow]
    triggered: ListOf[TriggerRow] = Field(description="Effects whose text you should play out now.")
    concentration_ended: ListOf[SpellRow] = Field(description="Spells whose time ran out, or that were held in vain.")
    terrain_expired: ListOf[TerrainRow]
    auras_expired: ListOf[AuraRow]
    aura_results: ListOf[FreeMap]
    hazard_results: ListOf[HazardRow]
    concentration_checks: ListOf[FreeMap] = Field(description="Saves that hazards made necessary.")
    recharged: ListOf[RechargedRow] | None = Field(
        default=None, exclude_if=is_none, description="Actions of stat blocks that a die could give back."
    )
    regenerated: ListOf[RegeneratedRow] | None = ABSENT
    traits: ListOf[FreeMap] | None = Field(
        default=None, exclude_if=is_none, description="Effects of auras of stat blocks, as in execute_action."
    )
    lasting: ListOf[LastingRow] | None = Field(
        default=None, exclude_if=is_none, description="Healing and damage of spell effects."
    )
    areas: ListOf[AreaRow] | None = Field(
        default=None, exclude_if=is_none, description="Effects of lasting areas of spells."
    )
    left: ListOf[LeftRow] | None = Field(
        default=None, exclude_if=is_none, description="Creatures summoned by spells that ended."
    )
    death_save_required: Flag = Field(description="The current combatant must make a death save: roll_death_save.")
    all_down: Flag = Field(description="No combatant is above 0 hit points.")
    next: ListOf[Id] = Field(description="The next combatants in turn order, at most 3.")
