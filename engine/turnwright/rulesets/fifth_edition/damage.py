"""Damage and healing as tools deal them: the hit points, what they mean for a fight, and the end of concentration.

The one way to anybody's hit points beside `hp_delta`, which leads here too. Source: docs/stages/3-tools.md,
"Hit points".
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from turnwright.model.base import Flag, Id, Model, SafeInt, Text
from turnwright.model.character import Character
from turnwright.model.creature import Moment
from turnwright.model.dice.expression import Roll
from turnwright.model.encounter import Statistics
from turnwright.model.state.overlay import World
from turnwright.model.strict_json import MAX_INT
from turnwright.model.vocabulary import DamageType
from turnwright.model.wire.reason import CallFailed, Reason
from turnwright.rulesets.fifth_edition.condition_list import gained, without_ended_on
from turnwright.rulesets.fifth_edition.condition_saves import save_when_damaged
from turnwright.rulesets.fifth_edition.damage_rules import (
    ANYWHERE,
    Adjusted,
    Damage,
    Source,
    adjust,
    defense_rows,
    kinds_against,
)
from turnwright.rulesets.fifth_edition.fights.advantage import Sources
from turnwright.rulesets.fifth_edition.fights.survival import Harm, suffer
from turnwright.rulesets.fifth_edition.fights.traits import block_of, figures, trait
from turnwright.rulesets.fifth_edition.magic.concentration import concentration_dc
from turnwright.rulesets.fifth_edition.magic.improvised import maximum
from turnwright.rulesets.fifth_edition.maintained_effects import end_concentration, end_maintained_effects
from turnwright.rulesets.fifth_edition.rolls import NOTHING, Save, save
from turnwright.rulesets.fifth_edition.sheets import health
from turnwright.rulesets.fifth_edition.sheets.derived_stats import Effective, effective
from turnwright.rulesets.fifth_edition.sheets.health import with_hp_delta
from turnwright.rulesets.fifth_edition.targets import (
    Creature,
    count_conditions,
    now,
    participant_of,
    put_creature,
    put_participant,
    reload,
)
from turnwright.rulesets.fifth_edition.triggers import told, triggers
from turnwright.rulesets.tool import Context

if TYPE_CHECKING:
    from turnwright.rulesets.fifth_edition.shapes import ConcentrationReport, TriggerReport


class ConcentrationCheck(Model):
    """What damage did to concentration: the result of `check_concentration` as a model."""

    target_id: Id
    spell_name: Text
    dc: SafeInt
    natural: SafeInt
    modifier: SafeInt
    total: SafeInt
    success: Flag
    broken: Flag


class DamageResult(NamedTuple):
    """What damage did to somebody.

    Attributes:
        creature: as they are now.
        before: hit points that counted before.
        taken: the damage after resistances, before temporary hit points.
        lost: hit points and temporary hit points that are really gone.
        adjusted: what made it more or less; of several parts, the first that was.
        must_save: whether their concentration is at stake: `check_concentration` decides it.
        notices: what else the game master should know, in words.
        triggered: effects to report now, as results hold them.
        parts: each type of damage as it was taken.
    """

    creature: Creature
    before: int
    taken: int
    lost: int
    adjusted: Adjusted
    must_save: bool
    notices: tuple[str, ...] = ()
    triggered: tuple[TriggerReport, ...] = ()
    parts: tuple[Damage, ...] = ()

    @property
    def warnings(self) -> tuple[str, ...]:
        """Everything the game master should know, for results that have no place of their own for triggers."""
        return (*self.notices, *told(self.triggered))


def damage(
    world: World,
    creature: Creature,
    amount: int,
    kind: DamageType | None,
    ctx: Context,
    *,
    half: bool = False,
    is_critical: bool = False,
    by: Creature | None = None,
    more: Sequence[tuple[int, DamageType | None]] = (),
    source: Source = ANYWHERE,
) -> DamageResult:
    """Deal damage of one blow; nothing is drawn but what traits of a stat block ask for.

    Each part has its own resistance, and is halved by itself; a death save and concentration see one blow.

    Args:
        world: the campaign.
        creature: who takes it; somebody with hit points.
        amount: as rolled, before resistances.
        kind: its type, or None.
        ctx: the settings in force.
        half: they saved for half.
        is_critical: it came from a critical hit.
        by: who dealt it, for the statistics of the fight.
        more: further parts of the same blow, with their types.
        source: where it comes from.
    """
    before = creature.character
    rolled = ((amount, kind), *more)
    if before.max_hp is None:
        whole = sum(part for part, _ in rolled)
        return _without_sheet(world, creature, whole // 2 if half else whole, ctx, by)
    values = now(world, creature)
    parts = tuple(_adjusted(world, creature, values, part, each, source, half=half) for part, each in rolled)
    taken = sum(part.damage for part in parts)
    changes = ctx.settings["rules.hp_zero_ends_game"]
    after = health.harmed(before, taken, changes_state=changes, critical=is_critical)
    dealt = {each for part, (_, each) in zip(parts, rolled, strict=True) if part.damage > 0}
    stood = suffer(world, creature, after, Harm(taken, frozenset(dealt), rolled, is_critical), ctx)
    after = stood.after
    lost = values.hp - effective(after).hp + before.temp_hp - after.temp_hp
    hurt = put_creature(world, creature, after)
    count_conditions(world, hurt, gained(before, after))
    count(world, hurt, damage_taken=max(0, lost))
    if by is not None:
        count(world, by, damage_dealt=max(0, lost))
        _count_from_within(world, hurt, by, taken)
    notices = (*stood.told, *end_maintained_effects(world, hurt).notices(hurt))
    if taken > 0:
        notices += save_when_damaged(world, hurt, ctx)
    hurt = reload(world, hurt)
    must_save = taken > 0 and hurt.character.concentration is not None
    triggered = triggers(creature, *_moments(before, after, taken))
    adjusted: Adjusted = next((part.adjusted for part in parts if part.adjusted != "none"), "none")
    return DamageResult(hurt, values.hp, taken, lost, adjusted, must_save, notices, triggered, parts)


def _adjusted(
    world: World,
    creature: Creature,
    values: Effective,
    amount: int,
    kind: DamageType | None,
    source: Source,
    *,
    half: bool,
) -> Damage:
    """Return one part as it is taken; what depends on the weapon is said by the stat block, or the sheet."""
    block, sheet = block_of(world, creature) or {}, values.sheet
    lent = [row for effect in creature.character.effects for row in defense_rows(effect.halved_weapons)]
    resistances, immunities, vulnerabilities = (
        [*own, *kinds_against([*printed, *defense_rows(defense), *more], kind, source)]
        for printed, own, defense, more in (
            (block.get("resistances", ()), values.resistances, sheet.halved_weapons, lent),
            (block.get("immunities", ()), values.immunities, sheet.harmless_weapons, ()),
            (block.get("vulnerabilities", ()), values.vulnerabilities, None, ()),
        )
    )
    return adjust(amount, kind, resistances, immunities, vulnerabilities, half=half)


def _moments(before: Character, after: Character, taken: int) -> list[Moment]:
    moments: list[Moment] = ["on_damage_taken"] if taken > 0 else []
    return [*moments, "on_death"] if after.is_dead and not before.is_dead else moments


def heal(
    world: World, creature: Creature, amount: int, ctx: Context, *, by: Creature | None = None, is_magic: bool = True
) -> int:
    """Heal a creature and return the hit points it regained; magical healing ends what healing ends.

    Raises:
        CallFailed: `rule_violation` for the dead; to be asked before anything is drawn (`require_healable`).
    """
    require_healable(creature)
    if is_beyond_healing(world, creature):
        return 0
    before = creature.character
    room = MAX_INT - (before.hp or 0)  # who has no sheet has no ceiling either
    after = with_hp_delta(before, min(max(0, amount), room), changes_state=ctx.settings["rules.hp_zero_ends_game"])
    if is_magic and amount > 0:
        after = without_ended_on(after, "healed")
    put_creature(world, creature, after)
    gained = (after.hp or 0) - (before.hp or 0)
    if by is not None:
        count(world, by, healing_done=gained)
    return gained


def healing_from(creature: Creature, thrown: Roll) -> int:
    """Return what thrown healing gives somebody: all that the dice can, where an effect says so."""
    if any(effect.healing == "maximum" for effect in creature.character.effects):
        return maximum(thrown.expression)
    return thrown.total


def is_beyond_healing(world: World, creature: Creature) -> bool:
    """Return whether a trait or an effect keeps somebody from regaining hit points, as of a swarm."""
    if any(effect.healing == "none" for effect in creature.character.effects):
        return True
    if any(condition.no_healing for condition in creature.character.conditions):
        return True
    swarm = trait(block_of(world, creature), "swarm")
    return swarm is not None and bool(figures(swarm).get("no_healing"))


def require_healable(creature: Creature) -> None:
    """Refuse to heal the dead."""
    if creature.character.is_dead:
        raise CallFailed(Reason.RULE_VIOLATION, f"{creature.id} is dead, and cannot be healed")


def check_concentration(world: World, harm: DamageResult, ctx: Context) -> ConcentrationReport | None:
    """Make the saving throw that damage asks of somebody who concentrates; None when it asks none."""
    creature = reload(world, harm.creature)
    held = creature.character.concentration
    if not harm.must_save or held is None:
        return None
    dc = concentration_dc(harm.taken)
    made = concentration_save(world, creature, dc, ctx)
    if not made.success:
        end_concentration(world, creature)
    return {
        "target_id": creature.id,
        "spell_name": held.spell_name,
        "dc": dc,
        "natural": made.d20.natural,
        "modifier": made.modifier,
        "total": made.total,
        "success": made.success,
        "broken": not made.success,
    }


def check_concentrations(world: World, harms: Iterable[DamageResult], ctx: Context) -> list[ConcentrationReport]:
    """Make the saves of several, in their order."""
    made = [check_concentration(world, harm, ctx) for harm in harms]
    return [each for each in made if each is not None]


def concentration_save(
    world: World,
    creature: Creature,
    dc: int,
    ctx: Context,
    *,
    modifier: int | None = None,
    extra: Sources = NOTHING,
    manual: int | None = None,
    manuals: Sequence[int] = (),
) -> Save:
    """Make a constitution save for concentration."""
    return save(
        world,
        creature,
        "con",
        dc,
        ctx,
        why=f"{creature.id} concentration",
        modifier=modifier,
        extra=extra,
        manual=manual,
        manuals=manuals,
    )


def count(world: World, creature: Creature, **more: int) -> None:
    """Add to the statistics that the fight keeps of somebody."""
    person = participant_of(world, creature)
    if person is None or not any(more.values()):
        return
    kept = person.statistics
    summed = Statistics(**{**kept.model_dump(), **{name: getattr(kept, name) + n for name, n in more.items()}})
    put_participant(world, creature.encounter_id or "", person.replace(statistics=summed))


def _count_from_within(world: World, hurt: Creature, by: Creature, taken: int) -> None:
    """Count the damage that a creature takes this turn from those it has swallowed."""
    holder, inside = participant_of(world, hurt), participant_of(world, by)
    if holder is not None and inside is not None and inside.swallowed_by == holder.id:
        use = holder.block_use.replace(from_within=holder.block_use.from_within + taken)
        put_participant(world, hurt.encounter_id or "", holder.replace(block_use=use))


def _without_sheet(world: World, creature: Creature, amount: int, ctx: Context, by: Creature | None) -> DamageResult:
    before = creature.character
    after = with_hp_delta(before, -max(0, amount), changes_state=ctx.settings["rules.hp_zero_ends_game"])
    lost = (before.hp or 0) - (after.hp or 0)
    if by is not None:
        count(world, by, damage_dealt=lost)
    taken = max(0, amount)
    triggered = triggers(creature, *_moments(before, after, taken))
    return DamageResult(put_creature(world, creature, after), before.hp or 0, taken, lost, "none", False, (), triggered)


def status_of(creature: Creature) -> str:
    """Return `dead`, `down`, `critical`, `bloodied` or `ok`."""
    if creature.character.is_dead:
        return "dead"
    values = effective(creature.character)
    hp, most = values.hp, values.max_hp.effective
    if hp == 0:
        return "down"
    return "critical" if 4 * hp <= most else "bloodied" if 2 * hp <= most else "ok"
