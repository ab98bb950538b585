"""The arguments of `execute_action`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from turnwright.model.base import Count, Flag, ListOf, SafeInt
from turnwright.model.creature import Rounds
from turnwright.model.encounter import Position
from turnwright.model.json_types import JsonObject
from turnwright.model.vocabulary import Ability, ActionCost, ActionType, DamageType, Material, Skill, WeaponType
from turnwright.rulesets.references import (
    D20,
    Choice,
    CombatantId,
    DiceText,
    Name,
    NewName,
    NewWords,
    RunningEncounterId,
)
from turnwright.rulesets.toolkit import ToolkitArgs

Dc = Annotated[int, Field(strict=True, ge=1, le=99)]
SlotLevel = Annotated[int, Field(strict=True, ge=0, le=9)]


_STRIKES = ("attack", "cast_spell")
_OF_BLOCKS = ("target_position", "save_dc", "spell_slot")
_SPELLS = ("cast_spell", "ready")


class ExecuteActionArgs(ToolkitArgs):
    """Arguments of `execute_action`."""

    needs: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "cast_spell": ("spell_name",),
        "ready": ("trigger", "readied_action"),
        "search": ("dc",),
        "use_object": ("item_name",),
        "use_magic_item": ("item_name",),
        "use_special_ability": ("ability_name",),
    }
    only_for: ClassVar[Mapping[str, tuple[str, ...]]] = {
        **dict.fromkeys(("attack_bonus", "weapon_type", "damage_expression", "damage_type"), _STRIKES),
        **dict.fromkeys(("weapon", "weapon_is"), ("attack",)),
        **dict.fromkeys(("manual_attack_roll", "manual_damage_roll"), _STRIKES),
        **dict.fromkeys(("advantage", "disadvantage"), (*_STRIKES, "hide", "search", "shove", "grapple")),
        **dict.fromkeys(("spell_name", "spell_slot", "pact_magic", "concentration", "duration"), _SPELLS),
        **dict.fromkeys(("target_position", "save_dc", "save_ability", "half_on_save"), ("cast_spell",)),
        **dict.fromkeys(("trigger", "readied_action"), ("ready",)),
        "shove_direction": ("shove",),
        "escape": ("grapple",),
        "item_name": ("use_object", "use_magic_item"),
        "ability_name": ("use_special_ability",),
        "skill": ("search", "help"),
        "dc": ("search", "hide"),
    }
    operation_key = "action_type"

    @classmethod
    def unused(cls, args: JsonObject) -> tuple[str, ...]:
        """Return arguments that have no effect; a stat block's action uses attack and save figures."""
        if args.get("action") is None:
            return super().unused(args)
        return tuple(name for name, kinds in cls.only_for.items() if name not in _OF_BLOCKS and "attack" not in kinds)

    encounter_id: RunningEncounterId = Field(description="The fight.")
    actor_id: CombatantId | None = Field(
        default=None,
        description="The actor: id of a participant or of its character; required unless actor_name is given.",
    )
    actor_name: Name | None = Field(default=None, description="The actor's name, in place of actor_id.")
    action_type: ActionType | None = Field(default=None, description="The action to take; omit it to move only.")
    action: Name | None = Field(
        default=None,
        description="An action of a monster's stat block: Bite, Multiattack. The block has its figures.",
    )
    form: Name | None = Field(default=None, description="With a change of shape: what the actor becomes.")
    action_cost: ActionCost | None = Field(
        default=None,
        description=(
            "The cost: action (default), bonus_action, reaction (the only one when it is not the "
            "actor's turn), free (use_object once a turn, use_special_ability), movement (a move alone), legendary."
        ),
    )
    target_id: CombatantId | None = Field(
        default=None, description="The target; required for attack, grapple, shove and help."
    )
    target_name: Name | None = Field(default=None, description="The target by name, in place of target_id.")
    target_ids: ListOf[CombatantId] = Field(default=(), max_length=100, description="All of them.")
    target_position: Position | None = Field(
        default=None, description="The point a spell spreads from, or where an area of an action points."
    )
    weapon: Name | None = Field(
        default=None,
        description="A weapon that the actor carries, by name; it is drawn if need be. Default: in hand.",
    )
    attack_bonus: SafeInt | None = Field(
        default=None, description="All that is added to the d20 of an attack. Leave it out: the sheet says it."
    )
    weapon_type: WeaponType | None = Field(
        default=None, description="How the attack is made. Default: as the equipped weapon is used, else melee."
    )
    damage_expression: DiceText | None = Field(
        default=None,
        description=(
            "All of the damage. Leave it out for attacks: the weapon says it. Give it for spells that hurt. Several "
            "types: 1d8[slashing]+2d6[fire]."
        ),
    )
    damage_type: DamageType | None = Field(default=None, description="Default: the weapon's, else slashing.")
    weapon_is: ListOf[Material] = Field(
        default=(), max_length=3, description="With an attack: the weapon is magical, silvered or adamantine."
    )
    advantage: Flag = Field(default=False, description="Something the engine does not know gives advantage.")
    disadvantage: Flag = Field(default=False, description="Something the engine does not know hinders.")
    two_handed: Flag = Field(default=False, description="The weapon is held with both hands.")
    move_to: Position | None = Field(default=None, description="Square to move to; in squares of 5 feet.")
    move_when: Literal["before", "after"] | None = Field(
        default=None,
        description="Whether the move comes before or after the action; before where only that lets it be done.",
    )
    stand_up: Flag = Field(default=False, description="Rise from prone before moving; costs half the speed.")
    drag: Flag = Field(default=False, description="Drag the creatures the actor has grappled; costs double.")
    manual_attack_roll: D20 | None = Field(default=None, description="Face of a d20 rolled at the table.")
    manual_damage_roll: Count | None = Field(
        default=None, description="Total damage rolled at the table; a critical hit does not double it."
    )
    shove_direction: Annotated[Literal["away", "prone"], Choice({"away": ("push", "back")})] = Field(
        default="away", description="What a shove does: push one square away, or knock prone."
    )
    escape: Flag = Field(default=False, description="With grapple: break free of the target's hold instead.")
    spell_slot: SlotLevel = Field(default=0, description="Level of the slot; 0 for a cantrip.")
    spell_name: NewName | None = Field(default=None, description="Required for cast_spell; also to ready a spell.")
    pact_magic: Flag = Field(default=False, description="Take a warlock's slot instead.")
    save_dc: Dc | None = Field(default=None, description="The DC of targets' saves. Default: the caster's own DC.")
    save_ability: Ability | None = Field(
        default=None, description="The ability of targets' saves; without it a spell that hurts is an attack."
    )
    half_on_save: Flag = Field(default=False, description="Targets that save take half the damage rather than none.")
    concentration: Flag = Field(default=False, description="The spell lasts by concentration; ends an earlier one.")
    duration: Rounds | None = Field(default=None, description="Rounds that concentration can last.")
    trigger: NewWords | None = Field(default=None, description="With ready: what the actor waits for.")
    readied_action: NewWords | None = Field(default=None, description="With ready: what the actor will then do.")
    item_name: NewName | None = Field(default=None, description="With use_object and use_magic_item: the item to use.")
    ability_name: NewName | None = Field(default=None, description="With use_special_ability: the ability to use.")
    skill: Skill | None = Field(
        default=None,
        description="With search: perception (default) or investigation. With help: aid a check, not an attack.",
    )
    dc: SafeInt | None = Field(
        default=None, description="With search (required) and hide (default: what the enemies notice)."
    )
    ignore_economy: Flag = Field(
        default=False, description="The referee allows it out of turn, beyond its cost or in spite of a condition."
    )
