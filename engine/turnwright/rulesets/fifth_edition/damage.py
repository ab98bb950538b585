"""Deal damage and healing for tools: the hit points, their effects on a fight, and the end of concentration.

Every change of hit points is made here; `hp_delta` leads here, too. Source: docs/stages/3-tools.md, "Hit points".
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from turnwright.model.base import Flag, Id, Model, SafeInt, Text
from turnwright.model.character import Character
from turnwright.model.creature import Moment, Shared
from turnwright.model.dice.expression import Roll
from turnwright.model.encounter import Encounter, Participant, Statistics
from turnwright.model.state.overlay import World
from turnwright.model.strict_json import MAX_INT
from turnwright.model.vocabulary import DamageType
from turnwright.model.wire.reason import CallFailed, Reason
from turnwright.rulesets.fifth_edition.battlefield import feet_between
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
from turnwright.rulesets.fifth_edition.fights.splitting import split
from turnwright.rulesets.fifth_edition.fights.survival import Harm, suffer
from turnwright.rulesets.fifth_edition.fights.traits import block_of, figures, trait
from turnwright.rulesets.fifth_edition.magic.concentration import concentration_dc
from turnwright.rulesets.fifth_edition.magic.improvised import maximum
from turnwright.rulesets.fifth_edition.maintained_effects import end_concentration, end_maintained_effects
from turnwright.rulesets.fifth_edition.rolls import NOTHING, Save, save
from turnwright.rulesets.fifth_edition.sheets import health
from turnwright.rulesets.fifth_edition.sheets.derived_stats import Effective, effective
from turnwright.rulesets.fifth_edition.sheets.effect_list import undisguised, without_effect
from turnwright.rulesets.fifth_edition.sheets.health import with_hp_delta
from turnwright.rulesets.fifth_edition.targets import (
    Creature,
    combatant,
    count_conditions,
    creature_of,
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
    """The effect of damage on concentration: the result of `check_concentration` as a model."""

    target_id: Id
    spell_name: Text
    dc: SafeInt
    natural: SafeInt
    modifier: SafeInt
    total: SafeInt
    success: Flag
    broken: Flag


class DamageResult(NamedTuple):
    """The effect of damage on a creature.

    Attributes:
        creature: the creature after the damage.
        before: the hit points in effect before.
        taken: the damage after resistances, before temporary hit points.
        lost: hit points and temporary hit points that are really gone.
        adjusted: the reason that changed the amount; of several parts, the first changed one.
        must_save: whether concentration is at stake: `check_concentration` decides it.
        notices: what else the game master should know, in words.
        triggered: effects to report now, as results hold them.
        parts: the damage taken of each type.
        shared: the damage to other creatures that share it.
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
    shared: tuple[DamageResult, ...] = ()

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
    """Deal the damage of one blow; dice are drawn only for traits of a stat block that need them.

    Resistances and halving apply to each part separately; death saves and concentration treat it as one blow.

    Args:
        world: the campaign.
        creature: the creature that takes it; it has hit points.
        amount: as rolled, before resistances.
        kind: its type, or None.
        ctx: the settings in force.
        half: the creature saved for half.
        is_critical: it came from a critical hit.
        by: the attacker, for the statistics of the fight.
        more: further parts of the same blow, with their types.
        source: the source of the damage.
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
    after = undisguised(stood.after) if stood.after.hp == 0 else stood.after
    lost = values.hp - effective(after).hp + before.temp_hp - after.temp_hp
    hurt = put_creature(world, creature, after)
    count_conditions(world, hurt, gained(before, after))
    count(world, hurt, damage_taken=max(0, lost))
    if by is not None:
        count(world, by, damage_dealt=max(0, lost))
        _count_from_within(world, hurt, by, taken)
    notices = (*stood.told, *end_maintained_effects(world, hurt).notices(hurt))
    notices += split(world, reload(world, hurt), {kind for part, kind in rolled if part > 0})
    if taken > 0 and by is not None:
        _end_friendship(world, hurt, by)
    if taken > 0:
        notices += save_when_damaged(world, hurt, ctx)
    hurt = reload(world, hurt)
    must_save = taken > 0 and hurt.character.concentration is not None
    triggered = triggers(creature, *_moments(before, after, taken))
    adjusted: Adjusted = next((part.adjusted for part in parts if part.adjusted != "none"), "none")
    shared = _share(world, hurt, taken, ctx, by) if taken > 0 else ()
    for other in shared:
        notices += (f"{other.creature.id} takes {other.taken} damage as well", *other.notices)
        triggered += other.triggered
    return DamageResult(
        reload(world, hurt), values.hp, taken, lost, adjusted, must_save, notices, triggered, parts, shared
    )


def _share(world: World, hurt: Creature, taken: int, ctx: Context, by: Creature | None) -> tuple[DamageResult, ...]:
    """Deal the damage to creatures that share it, too; a bond that has stretched too far ends."""
    done = []
    for effect in hurt.character.effects:
        bond = effect.shares_damage
        other = None if bond is None or bond.with_id == hurt.id else _sharer(world, hurt, bond)
        if bond is None or other is None:
            continue
        one, two = participant_of(world, hurt), participant_of(world, other)
        if one is not None and two is not None and feet_between(world, one, two) > bond.within:
            put_creature(world, hurt, without_effect(reload(world, hurt).character, effect.effect_id).character)
            continue
        shared = damage(world, other, taken, None, ctx, by=by)
        done.append(shared)
        if not shared.creature.character.hp:
            put_creature(world, hurt, without_effect(reload(world, hurt).character, effect.effect_id).character)
    return tuple(done)


def _sharer(world: World, hurt: Creature, bond: Shared) -> Creature | None:
    """Return the creature that shares another's damage; None if it no longer exists."""
    encounter = world.find(Encounter, hurt.encounter_id) if hurt.encounter_id else None
    person = encounter.meant(bond.with_id) if encounter is not None else None
    if encounter is not None and person is not None:
        return combatant(world, encounter, person)
    character = world.character(bond.with_id)
    return None if character is None else creature_of(world, character)


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
    """Return one part as it is taken; stat block or sheet define what depends on the weapon."""
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


def _end_friendship(world: World, creature: Creature, by: Creature) -> None:
    """End conditions that end when their source, or a companion of the source, hurts the bearer."""
    creature = reload(world, creature)
    own = participant_of(world, by)
    encounter = world.find(Encounter, by.encounter_id) if by.encounter_id else None
    kept = tuple(
        each
        for each in creature.character.conditions
        if "harmed" not in each.ends_on or not _is_companion(encounter, own, by, each.source)
    )
    if len(kept) != len(creature.character.conditions):
        put_creature(world, creature, creature.character.replace(conditions=kept))


def _is_companion(encounter: Encounter | None, own: Participant | None, by: Creature, source: str | None) -> bool:
    if source in (by.id, by.character.id):
        return True
    other = encounter.meant(source) if encounter is not None and source is not None else None
    return own is not None and other is not None and own.is_enemy == other.is_enemy


def _moments(before: Character, after: Character, taken: int) -> list[Moment]:
    moments: list[Moment] = ["on_damage_taken"] if taken > 0 else []
    return [*moments, "on_death"] if after.is_dead and not before.is_dead else moments


def heal(
    world: World, creature: Creature, amount: int, ctx: Context, *, by: Creature | None = None, is_magic: bool = True
) -> int:
    """Heal a creature and return the regained hit points; magical healing also ends what healing ends.

    Raises:
        CallFailed: `rule_violation` for the dead; check before drawing dice (`require_healable`).
    """
    require_healable(creature)
    if is_beyond_healing(world, creature, is_magic=is_magic):
        return 0
    before = creature.character
    room = MAX_INT - (before.hp or 0)  # without a sheet there is no maximum
    after = with_hp_delta(before, min(max(0, amount), room), changes_state=ctx.settings["rules.hp_zero_ends_game"])
    if is_magic and amount > 0:
        after = without_ended_on(after, "healed")
    put_creature(world, creature, after)
    gained = (after.hp or 0) - (before.hp or 0)
    if by is not None:
        count(world, by, healing_done=gained)
    return gained


def healing_from(creature: Creature, thrown: Roll) -> int:
    """Return the healing that a creature gains from rolled dice: their maximum, if an effect says so."""
    if any(effect.healing == "maximum" for effect in creature.character.effects):
        return maximum(thrown.expression)
    return thrown.total


def is_beyond_healing(world: World, creature: Creature, *, is_magic: bool) -> bool:
    """Return whether a trait or effect prevents a creature from regaining hit points, as of a swarm."""
    barred = ("none",) if is_magic else ("none", "magic")
    if any(effect.healing in barred for effect in creature.character.effects):
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
    """Make the saving throw that damage requires of a concentrating creature; None if it requires none."""
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
    made = [check_concentration(world, each, ctx) for harm in harms for each in (harm, *harm.shared)]
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
    """Add to a creature's statistics in the fight."""
    person = participant_of(world, creature)
    if person is None or not any(more.values()):
        return
    kept = person.statistics
    summed = Statistics(**{**kept.model_dump(), **{name: getattr(kept, name) + n for name, n in more.items()}})
    put_participant(world, creature.encounter_id or "", person.replace(statistics=summed))


def _count_from_within(world: World, hurt: Creature, by: Creature, taken: int) -> None:
    """Count the damage that a creature takes this turn from creatures it has swallowed."""
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
