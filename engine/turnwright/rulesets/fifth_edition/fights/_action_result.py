"""The result of `execute_action`."""

from __future__ import annotations

from typing import Literal

from pydantic import ConfigDict, Field

from turnwright.model.base import ABSENT, Count, Flag, FreeMap, Id, ListOf, Model, SafeInt, Text, is_empty, is_none
from turnwright.model.encounter import Position
from turnwright.model.vocabulary import Ability, ActionCost, ActionType, Cover, DamageType, Skill
from turnwright.rulesets.fifth_edition.damage import ConcentrationCheck
from turnwright.rulesets.fifth_edition.damage_rules import Adjusted
from turnwright.rulesets.fifth_edition.fights._economy import EconomyShown
from turnwright.rulesets.fifth_edition.fights.advantage import Mode
from turnwright.rulesets.fifth_edition.fights.attack_roll import AttackResult
from turnwright.rulesets.fifth_edition.rolls import SaveResult
from turnwright.rulesets.fifth_edition.triggers import TriggerRow


class AmmunitionShown(Model):
    """The ammunition used, and how many pieces are left."""

    name: Text
    remaining: Count


class ImageShown(Model):
    """One of a target's mirror images, which an attack hit or missed instead of the target."""

    natural: SafeInt = Field(description="The d20 that led the attack to it.")
    is_destroyed: Flag
    left: Count


class AttackShown(Model):
    """An attack roll."""

    natural: SafeInt
    rolls: ListOf[SafeInt]
    mode: Mode
    bonus: SafeInt
    total: SafeInt
    target_ac: SafeInt = Field(description="Cover included.")
    result: AttackResult
    advantage_reasons: ListOf[Text]
    disadvantage_reasons: ListOf[Text]
    cover: Cover | None = ABSENT
    parry: SafeInt | None = Field(
        default=None, exclude_if=is_none, description="The armor class added by a reaction of the target."
    )
    kept_off: SaveResult | None = Field(
        default=None, exclude_if=is_none, description="A save that an effect of the target asks for; failed: no attack."
    )
    image: ImageShown | None = Field(
        default=None, exclude_if=is_none, description="The image of the target that was attacked in its place."
    )
    weapon: Text | None = ABSENT
    ammunition: AmmunitionShown | None = ABSENT


class DamagePart(Model):
    """One type of the damage of a blow."""

    type: DamageType
    raw: SafeInt
    final: Count
    adjusted: Adjusted


class DamageShown(Model):
    """Damage: as rolled, and as taken; of several types, the total, with the first type."""

    expression: Text | None = Field(description="Null when the total was rolled at the table.")
    rolls: ListOf[SafeInt]
    raw: SafeInt
    final: Count = Field(description="The damage taken, after resistances.")
    type: DamageType
    adjusted: Adjusted
    parts: ListOf[DamagePart] | None = Field(
        default=None, exclude_if=is_none, description="Each type, where there are several."
    )


class TargetHp(Model):
    """Hit points of a target."""

    before: Count
    after: Count
    max: Count
    temp: Count


class SaveShown(Model):
    """A saving throw against a spell."""

    ability: Ability
    dc: SafeInt
    natural: SafeInt
    rolls: ListOf[SafeInt]
    modifier: SafeInt
    total: SafeInt
    success: Flag
    legendary_resistance: Flag | None = Field(
        default=None, exclude_if=is_none, description="It failed, and a trait made it a success."
    )


class ContestShown(Model):
    """A contest; a tie is not a success."""

    actor_total: SafeInt
    target_total: SafeInt
    success: Flag
    actor_skill: Skill
    target_skill: Skill


class SlotShown(Model):
    """A slot that was spent."""

    level: SafeInt
    remaining: Count


class MovementShown(Model):
    """A move."""

    model_config = ConfigDict(serialize_by_alias=True)

    from_: Position = Field(alias="from")
    to: Position
    cost: Count = Field(description="Feet.")
    remaining: Count = Field(description="Feet left this turn.")


class OpportunityShown(Model):
    """An attack that the move provoked."""

    attacker_id: Id
    result: AttackResult
    damage: Count


class CheckShown(Model):
    """A check, of hide or search; one from a stat block has no DC."""

    skill: Skill | None = Field(description="Null for a check of an ability alone.")
    ability: Ability | None = ABSENT
    natural: SafeInt
    rolls: ListOf[SafeInt]
    mode: Mode
    modifier: SafeInt
    total: SafeInt
    dc: SafeInt | None
    success: Flag | None


class Teleported(Model):
    """A move without a way."""

    model_config = ConfigDict(serialize_by_alias=True)

    from_: Position = Field(alias="from")
    to: Position


class Rises(Model):
    """What a slain creature comes back as: the table brings it in when it is due."""

    monster: Id
    after: Text


class TargetRow(Model):
    """The effect of a spell, or of one attack of several, on a target."""

    source_id: Id | None = Field(default=None, exclude_if=is_none, description="The creature whose trait did it.")
    target_id: Id
    action: Text | None = Field(default=None, exclude_if=is_none, description="Which action of the stat block.")
    save: SaveShown | None = ABSENT
    attack: AttackShown | None = ABSENT
    damage: DamageShown | None = None
    inflicted: ListOf[Text] | None = Field(default=None, exclude_if=is_none, description="Conditions that it caused.")
    effects: ListOf[Text] | None = Field(default=None, exclude_if=is_none, description="Effects that it left.")
    caught: SaveResult | None = Field(default=None, exclude_if=is_none, description="The save to catch the rock.")
    healing: Count | None = Field(default=None, exclude_if=is_none, description="Hit points that the actor drained.")
    not_executed: ListOf[Text] | None = ABSENT
    returns_after: Text | None = Field(
        default=None, exclude_if=is_none, description="When the dead creature is alive again: the table brings it back."
    )
    returns_if: ListOf[Text] | None = Field(
        default=None, exclude_if=is_none, description="Its requirements, and what prevents it (`not ...`)."
    )
    rises: Rises | None = Field(default=None, exclude_if=is_none, description="What the slain creature comes back as.")
    target_hp: TargetHp
    target_status: Literal["dead", "down", "critical", "bloodied", "ok"]
    target_conditions: ListOf[Text]


class AreaRow(Model):
    """The effect of a spell's lasting area on a creature."""

    spell: Text
    source_id: Id = Field(description="The caster.")
    target_id: Id
    moment: Literal["enters", "turn_start", "turn_end", "moves"]
    save: SaveShown | None = ABSENT
    damage: DamageShown | None = ABSENT
    further_damage: ListOf[DamageShown] = Field(default=(), exclude_if=is_empty)
    conditions: ListOf[Text] = Field(default=(), exclude_if=is_empty, description="Conditions that it gave.")
    loses_action: Flag | None = Field(default=None, exclude_if=is_none, description="The action of this turn is spent.")
    concentration_check: ConcentrationCheck | None = ABSENT
    target_hp: TargetHp
    target_status: Literal["dead", "down", "critical", "bloodied", "ok"]
    target_conditions: ListOf[Text]


class LeftRow(Model):
    """A creature summoned by a spell, and whether it left, turned hostile or stayed when the spell ended."""

    id: Id
    spell: Text
    outcome: Literal["gone", "hostile", "stays"]


class ExecuteActionResult(Model):
    """The result of the action."""

    action_type: ActionType | None = Field(description="Null for a plain move.")
    actor: Id
    target: Id | None
    action_cost: ActionCost
    action: Text | None = Field(default=None, exclude_if=is_none, description="The part of the stat block used.")
    attack: AttackShown | None = ABSENT
    save: SaveShown | None = ABSENT
    damage: DamageShown | None = ABSENT
    inflicted: ListOf[Text] | None = Field(default=None, exclude_if=is_none, description="Conditions that it caused.")
    effects: ListOf[Text] | None = Field(default=None, exclude_if=is_none, description="Effects that it left.")
    caught: SaveResult | None = Field(default=None, exclude_if=is_none, description="The save to catch the rock.")
    rises: Rises | None = Field(default=None, exclude_if=is_none, description="What the slain creature comes back as.")
    summoned: ListOf[Id] | None = Field(default=None, exclude_if=is_none, description="Creatures that it brought in.")
    healing: Count | None = Field(default=None, exclude_if=is_none, description="Hit points that were regained.")
    target_hp: TargetHp | None = ABSENT
    target_status: Literal["dead", "down", "critical", "bloodied", "ok"] | None = ABSENT
    target_conditions: ListOf[Text] | None = ABSENT
    target_position: Position | None = ABSENT
    targets: ListOf[TargetRow] | None = Field(
        default=None,
        exclude_if=is_none,
        description="All targets or all attacks, when there are several.",
    )
    traits: ListOf[TargetRow] | None = Field(
        default=None, exclude_if=is_none, description="Automatic effects of traits of stat blocks."
    )
    areas: ListOf[AreaRow] | None = Field(
        default=None, exclude_if=is_none, description="Effects of lasting areas of spells."
    )
    left: ListOf[LeftRow] | None = Field(
        default=None, exclude_if=is_none, description="Creatures summoned by spells that ended."
    )
    attacks_left: ListOf[Text] | None = Field(
        default=None, exclude_if=is_none, description="Attacks of Multiattack that can still be made, each by its name."
    )
    teleported: Teleported | None = ABSENT
    not_executed: ListOf[Text] | None = Field(
        default=None, exclude_if=is_none, description="What else the stat block says of it: the table decides that."
    )
    contest: ContestShown | None = ABSENT
    actor_conditions: ListOf[Text] | None = ABSENT
    check: CheckShown | None = ABSENT
    found: ListOf[Id] | None = Field(default=None, exclude_if=is_none, description="Hidden creatures that were found.")
    helps_with: Literal["check", "attack"] | None = ABSENT
    readied: FreeMap | None = ABSENT
    spell: Text | None = ABSENT
    slot: SlotShown | None = ABSENT
    item: Text | None = ABSENT
    used: FreeMap | None = Field(default=None, exclude_if=is_none, description="As manage_inventory reports it.")
    ability: Text | None = ABSENT
    resource: FreeMap | None = ABSENT
    outcome: Text | None = Field(default=None, exclude_if=is_none, description="In words, where no rule decides.")
    move_when: Literal["before"] | None = Field(
        default=None, exclude_if=is_none, description="The move came before the action."
    )
    movement: MovementShown | None = ABSENT
    opportunity_attacks: ListOf[OpportunityShown]
    freed: ListOf[Id] | None = Field(default=None, exclude_if=is_none, description="Creatures whose grapple it ended.")
    triggered: ListOf[TriggerRow] | None = Field(
        default=None, exclude_if=is_none, description="Effects whose text you should play out now."
    )
    concentration_check: ConcentrationCheck | None = ABSENT
    concentration_checks: ListOf[ConcentrationCheck] | None = Field(
        default=None, exclude_if=is_none, description="All of them, when there are several."
    )
    economy: EconomyShown
