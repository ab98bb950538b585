"""One aura applied to its targets: their saves, damage, healing and conditions.

Source: docs/toolkit.md, "Auras".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from turnwright.model.aura import Aura
from turnwright.model.creature import Condition
from turnwright.model.dice.expression import Roll
from turnwright.model.state.overlay import World
from turnwright.rulesets.fifth_edition import damage as harm
from turnwright.rulesets.fifth_edition.conditions import Afflicted, afflict
from turnwright.rulesets.fifth_edition.magic._faces import throw_with
from turnwright.rulesets.fifth_edition.magic.concentration import is_same_spell
from turnwright.rulesets.fifth_edition.rolls import Save, save, throw
from turnwright.rulesets.fifth_edition.sheets.derived_stats import counted_hp
from turnwright.rulesets.fifth_edition.targets import Creature, reload
from turnwright.rulesets.tool import Context

if TYPE_CHECKING:
    from turnwright.rulesets.fifth_edition.shapes import AuraReport


class Target(NamedTuple):
    """A creature that an aura may reach.

    Attributes:
        id: as the results name them.
        creature: the creature, or None for one the campaign does not know.
        distance: feet from the aura's owner.
        save_modifier: in place of its own.
    """

    id: str
    creature: Creature | None
    distance: int
    save_modifier: int | None = None


class Faces(NamedTuple):
    """Dice rolled at a real table: damage and healing in rolling order, saves by id."""

    damage: Sequence[int] = ()
    healing: Sequence[int] = ()
    saves: Mapping[str, int] = {}


NO_FACES = Faces()


class Touched(NamedTuple):
    """The effect of an aura on one target: the result row, the damage if there was any, and warnings and triggers."""

    row: AuraReport
    harm: harm.DamageResult | None = None
    warnings: tuple[str, ...] = ()


class AuraAct(NamedTuple):
    """One processing of an aura that surrounds `owner`; it changes no creature before its dice are `thrown`."""

    world: World
    aura: Aura
    ctx: Context
    owner: Creature | None
    damage: Roll | None = None
    healing: Roll | None = None

    def thrown(self, faces: Faces) -> AuraAct:
        """Roll the dice that all targets share."""
        aura = self.aura
        damage = throw_with(self.ctx, aura.damage, f"{aura.id} damage", faces.damage) if aura.damage else None
        healing = throw_with(self.ctx, aura.healing, f"{aura.id} healing", faces.healing) if aura.healing else None
        return self._replace(damage=damage, healing=healing)

    def save(self, target: Target, manual: int | None) -> Save | None:
        """Roll the save that the aura asks of a target, if it asks for any."""
        aura, ctx, why = self.aura, self.ctx, f"{target.id} save against {self.aura.id}"
        if aura.save_dc is None or aura.save_ability is None:
            return None
        if target.creature is None:
            d20, modifier = throw(ctx, why, manual=manual), target.save_modifier or 0
            total = d20.natural + modifier
            return Save(d20, modifier, total, total >= aura.save_dc)
        given = target.save_modifier
        ability = aura.save_ability
        creature = reload(self.world, target.creature)  # another aura may have come first
        return save(self.world, creature, ability, aura.save_dc, ctx, why=why, modifier=given, manual=manual)

    def touch(self, target: Target, made: Save | None) -> Touched:
        """Apply the aura to a target; for a target that the campaign does not know, only compute the results."""
        saved = made is not None and made.success
        row = untouched(self.aura, target) | {"in_range": True, "save": made.shown() if made else None}
        row |= self._reckoned(saved)
        creature = target.creature
        if creature is None:
            told = f"{target.id} is neither in the fight nor a character: only reckoned, nothing was changed"
            return Touched(row, None, (told,))
        done: harm.DamageResult | None = None
        if creature.character.hp is not None:
            done = self._harm(creature, saved)
            row |= {"damage_applied": done.taken if done else 0, "healing": self._heal(creature)}
        given = self._afflict(creature) if self.aura.condition is not None and not saved else None
        if given is not None:
            row["condition"] = "resisted" if given.blocked else "applied"
        elif not saved:
            row["condition"] = None
        if creature.character.hp is not None:
            row["hp"] = counted_hp(reload(self.world, creature).character)[0]
        return Touched(row, done, (*(done.notices if done else ()), *(given.warnings if given else ())))

    def _reckoned(self, saved: bool) -> AuraReport:
        """Return the dice results that apply to any target."""
        told: AuraReport = {}
        if self.damage is not None:
            rolled = max(0, self.damage.total)
            spared = rolled // 2 if self.aura.half_on_save else 0
            told |= {"damage_rolled": rolled, "damage_applied": spared if saved else rolled}
        if self.healing is not None:
            told["healing"] = max(0, self.healing.total)
        if self.aura.condition is not None:
            told["condition"] = "resisted" if saved else "applied"
        return told

    def _harm(self, creature: Creature, saved: bool) -> harm.DamageResult | None:
        if self.damage is None or self.damage.total <= 0 or (saved and not self.aura.half_on_save):
            return None
        due, kind = self.damage.total, self.aura.damage_type
        return harm.damage(self.world, reload(self.world, creature), due, kind, self.ctx, half=saved, by=self.owner)

    def _heal(self, creature: Creature) -> int:
        creature = reload(self.world, creature)
        if self.healing is None or creature.character.is_dead:  # the damage came first
            return 0
        return harm.heal(
            self.world, creature, max(0, harm.healing_from(creature, self.healing)), self.ctx, by=self.owner
        )

    def _afflict(self, creature: Creature) -> Afflicted | None:
        """Give a target the condition of the aura; None for a target that just died of it."""
        aura = self.aura
        if reload(self.world, creature).character.is_dead:
            return None
        duration = "concentration" if _is_held(self.world, aura, self.owner) else None
        given = Condition(
            condition=aura.condition, source=aura.owner_id, description=aura.spell_name, duration=duration
        )
        return afflict(self.world, creature, given, self.ctx)


def untouched(aura: Aura, target: Target) -> AuraReport:
    """Return the row of a target that the aura does not affect."""
    return {
        "aura_id": aura.id,
        "target_id": target.id,
        "in_range": False,
        "save": None,
        "damage_rolled": None,
        "damage_applied": 0,
        "healing": 0,
        "condition": None,
    }


def _is_held(world: World, aura: Aura, owner: Creature | None) -> bool:
    """Return whether its owner's concentration holds an aura."""
    held = reload(world, owner).character.concentration if owner else None
    return held is not None and is_same_spell(held.spell_name, aura.spell_name)
