"""One attack: its checks, its roll and its damage. Actions and opportunity attacks both use this.

Source: SRD 5.1, "Making an Attack"; docs/toolkit.md, "Fights".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, cast

from turnwright.model.dice.expression import DiceError, Expression, Roll, render
from turnwright.model.encounter import Encounter, Participant
from turnwright.model.state.overlay import World
from turnwright.model.vocabulary import Cover, DamageType
from turnwright.model.wire.reason import CallFailed, Reason
from turnwright.rulesets.fifth_edition.battlefield import (
    are_hostile,
    can_see,
    cover_between,
    feet_between,
    living,
    values_of,
)
from turnwright.rulesets.fifth_edition.bonus_dice import count_use, throw_bonus_dice, use_up
from turnwright.rulesets.fifth_edition.condition_list import without_ended_on
from turnwright.rulesets.fifth_edition.condition_sources import charmer_of, fear_in_sight
from turnwright.rulesets.fifth_edition.damage import DamageResult, count, damage, status_of
from turnwright.rulesets.fifth_edition.damage_rules import ANYWHERE, DAMAGE_TYPES, Damage, Source
from turnwright.rulesets.fifth_edition.fights._action import ActionContext, instead_of_target, why_not_oneself
from turnwright.rulesets.fifth_edition.fights._economy import has_reaction, spend_reaction, why_unable
from turnwright.rulesets.fifth_edition.fights._weapons import Weapon
from turnwright.rulesets.fifth_edition.fights.advantage import Sources
from turnwright.rulesets.fifth_edition.fights.attack_roll import AttackResult, attack_result, is_hit
from turnwright.rulesets.fifth_edition.fights.traits import MAGIC, attack_sources, figures, hits_are_critical
from turnwright.rulesets.fifth_edition.help import take_help
from turnwright.rulesets.fifth_edition.rolls import D20, NOTHING, Save, is_dodging, save, throw, throw_dice
from turnwright.rulesets.fifth_edition.sheets import checks
from turnwright.rulesets.fifth_edition.sheets.derived_stats import Effective, counted_hp
from turnwright.rulesets.fifth_edition.sheets.race_traits import is_lucky
from turnwright.rulesets.fifth_edition.space.grid.distance import CLOSE
from turnwright.rulesets.fifth_edition.targets import (
    Creature,
    body_of,
    combatant,
    put_creature,
    put_participant,
    require_encounter,
)
from turnwright.rulesets.fifth_edition.triggers import triggers
from turnwright.rulesets.tool import Context

if TYPE_CHECKING:
    from turnwright.rulesets.fifth_edition.shapes import (
        ActionReport,
        AttackReport,
        DamagePartReport,
        DamageReport,
        HitPointsReport,
        TriggerReport,
    )


class Aim(NamedTuple):
    """An attack's attacker, target and manner.

    Attributes:
        at_range: it flies, and so suffers from enemies that are close.
        normal_range: beyond it the attack has disadvantage; None if unknown.
        extra: advantage that the call itself gives.
        manual: a face given in the call.
    """

    attacker_id: str
    target_id: str
    bonus: int
    at_range: bool = False
    normal_range: int | None = None
    extra: Sources = NOTHING
    manual: int | None = None


class Image(NamedTuple):
    """An attack that went to one of several images of its target: the d20 that led it there, and its effect."""

    natural: int
    is_destroyed: bool
    left: int


class Struck(NamedTuple):
    """An attack roll and its outcome; `triggered` are the attacker's effects to report now."""

    d20: D20
    bonus: int
    ac: int
    cover: Cover
    result: AttackResult
    triggered: tuple[TriggerReport, ...] = ()
    parry: int = 0
    kept_off: Save | None = None
    image: Image | None = None

    @property
    def hits(self) -> bool:
        """Whether it deals damage."""
        return is_hit(self.result)

    @property
    def is_critical(self) -> bool:
        """Whether every die of the damage counts twice."""
        return self.result == "critical_hit"

    def shown(self) -> AttackReport:
        """Return the roll as results hold it; `target_ac` has the cover in it."""
        told: AttackReport = {
            "natural": self.d20.natural,
            "rolls": list(self.d20.rolls),
            "mode": self.d20.mode,
            "bonus": self.bonus,
            "total": self.d20.natural + self.bonus,
            "target_ac": self.ac,
            "result": self.result,
            "advantage_reasons": list(self.d20.sources.advantage),
            "disadvantage_reasons": list(self.d20.sources.disadvantage),
        }
        told |= {} if self.cover == "none" else {"cover": self.cover}
        told |= {"parry": self.parry} if self.parry else {}
        told |= {"kept_off": self.kept_off.shown()} if self.kept_off is not None else {}
        if (image := self.image) is not None:
            told["image"] = {"natural": image.natural, "is_destroyed": image.is_destroyed, "left": image.left}
        return told


# may it be made


def why_not(world: World, encounter: Encounter, attacker: Participant, target: Participant) -> str | None:
    """Return why an attacker cannot make this attack on any target, whatever its reach; None when it can."""
    charmer = charmer_of(world, encounter, attacker)
    if charmer is not None and charmer.id == target.id:
        return f"{attacker.id} is charmed by {target.id}"
    if attacker.attached_to is not None:
        return f"{attacker.id} hangs on {attacker.attached_to}, and attacks nobody until it lets go by moving"
    if cover_between(world, encounter, attacker, target).cover == "total":
        return f"{target.id} has total cover from {attacker.id}"
    return None


def require_attackable(act: ActionContext, target: Participant, weapon: Weapon) -> None:
    """Refuse an attack on oneself, on a target out of reach or behind total cover, or on one that charmed the attacker.

    Raises:
        CallFailed: `rule_violation`, with the possible targets.
    """
    world, encounter, attacker = act.world, act.encounter, act.actor

    def why(other: Participant) -> str | None:
        itself = why_not_oneself(attacker, other)
        return itself or _beyond(world, attacker, other, weapon) or why_not(world, encounter, attacker, other)

    refused = why(target)
    if refused is not None:
        others = [other for other in living(world, encounter, {attacker.id}) if are_hostile(attacker, other)]
        within = [other.id for other in others if why(other) is None]
        raise CallFailed(Reason.RULE_VIOLATION, refused, instead_of_target(act, within))


def _beyond(world: World, attacker: Participant, target: Participant, weapon: Weapon) -> str | None:
    farthest, apart = weapon.farthest, feet_between(world, attacker, target)
    if farthest is None or apart <= farthest:
        return None
    told = "range" if weapon.at_range else "reach"
    return f"{target.id} is {apart} feet away, and the {told} is {farthest} feet"


# does it hit


def strike(world: World, encounter_id: str, aim: Aim, ctx: Context) -> Struck:
    """Roll the d20 of an attack and decide whether it hits; a hidden attacker is revealed, and help is used up."""
    encounter = require_encounter(world, encounter_id)
    attacker, target = _pair(encounter, aim)
    kept_off = kept_from(world, encounter, attacker.id, target.id, ctx)
    if kept_off is not None and not kept_off.success:
        return Struck(UNTHROWN, aim.bonus, values_of(world, target).ac.effective, "none", "miss", kept_off=kept_off)
    image = _redirected(world, encounter, attacker, target, ctx)
    sources = _sources(world, encounter, attacker, target, aim)
    sources += take_help(world, encounter_id, attacker.id, "attack", target)
    theirs = values_of(world, target)
    cover = cover_between(world, encounter, attacker, target)
    ac = theirs.ac.effective + (cover.bonus or 0)
    lucky = is_lucky(body_of(world, attacker), "attack")
    d20 = throw(ctx, f"{attacker.id} attacks {target.id}", sources, aim.manual, lucky=lucky)
    bonus = aim.bonus + throw_bonus_dice(world, combatant(world, encounter, attacker), "attack", ctx)
    critical = theirs.impairment.is_hit_critically(feet_between(world, attacker, target)) or hits_are_critical(
        encounter, attacker, target
    )
    if image is not None:
        ac = _AC_OF_IMAGE + theirs.modifier("dex")
    result = attack_result(d20.natural, d20.natural + bonus, ac, hits_are_critical=critical and image is None)
    if image is not None:
        image, result = _strike_image(world, encounter, target, image, is_destroyed=is_hit(result)), "miss"
    parry = 0
    if result == "hit" and not aim.at_range:
        parry = parried(world, encounter, attacker, target, d20.natural + bonus - ac)
        ac += parry
        result = "miss" if parry else result
    use_up(world, combatant(world, encounter, attacker), "own_attack", target.ids)
    use_up(world, combatant(world, encounter, target), "attacked")
    encounter = require_encounter(world, encounter_id)
    put_participant(world, encounter_id, _pair(encounter, aim)[0].replace(hidden=False))
    by = combatant(world, require_encounter(world, encounter_id), attacker)
    seen = without_ended_on(by.character, "attacks")
    if seen is not by.character:
        by = put_creature(world, by, seen)
    count(world, by, attacks_made=1, attacks_hit=int(is_hit(result)))
    triggered = triggers(by, "on_attack", "on_hit") if is_hit(result) else triggers(by, "on_attack")
    return Struck(d20, bonus, ac, cover.cover, result, triggered, parry, kept_off, image)


def kept_from(world: World, encounter: Encounter, attacker_id: str, target_id: str, ctx: Context) -> Save | None:
    """Make the save that an effect of the target asks of its attackers; None where none does."""
    attacker, target = encounter.participant(attacker_id), encounter.participant(target_id)
    if attacker is None or target is None or attacker.id == target.id:
        return None
    asked = next((each for each in body_of(world, target).effects if each.attackers_save is not None), None)
    if asked is None or asked.attackers_save is None:
        return None
    why = f"{attacker.id} saves against {asked.name} of {target.id}"
    ability, dc = asked.attackers_save.ability, asked.attackers_save.dc
    return save(world, combatant(world, encounter, attacker), ability, dc, ctx, why=why, versus=(MAGIC,))


def _redirected(
    world: World, encounter: Encounter, attacker: Participant, target: Participant, ctx: Context
) -> Image | None:
    """Roll whether an attack goes to an image of its target; attackers that do not rely on sight are not deceived."""
    images = next((each.duplicates for each in body_of(world, target).effects if each.duplicates), None)
    own = values_of(world, attacker)
    apart = feet_between(world, attacker, target)
    sees_through = max(own.senses.blindsight, own.senses.truesight) >= apart
    if images is None or not images.left or sees_through or not can_see(world, encounter, attacker, target):
        return None
    why = f"{attacker.id} attacks {target.id} or an image"
    natural = throw(ctx, why).natural
    return Image(natural, False, images.left) if natural >= images.redirect[str(images.left)] else None


def _strike_image(
    world: World, encounter: Encounter, target: Participant, image: Image, *, is_destroyed: bool
) -> Image:
    """Take an image away where the attack hits it; the last one takes the effect with it."""
    if not is_destroyed:
        return image
    creature = combatant(world, encounter, target)
    kept = []
    for each in creature.character.effects:
        if each.duplicates is None:
            kept.append(each)
        elif each.duplicates.left > 1:
            kept.append(each.replace(duplicates=each.duplicates.replace(left=each.duplicates.left - 1)))
    put_creature(world, creature, creature.character.replace(effects=tuple(kept)))
    return Image(image.natural, True, image.left - 1)


def parried(world: World, encounter: Encounter, attacker: Participant, target: Participant, over: int) -> int:
    """Spend the target's reaction where a parry of its stat block turns a melee hit into a miss; return its bonus.

    Args:
        world: the campaign.
        encounter: the fight.
        attacker: the attacking combatant.
        target: the combatant that is hit.
        over: by how much the attack exceeds the armor class.
    """
    for part in (encounter.block_of(target) or {}).get("reactions", ()):
        said = figures(part)
        if said.get("against") != "melee_attack_that_would_hit" or over >= said["ac_bonus"]:
            continue
        if has_reaction(world, target) and can_see(world, encounter, target, attacker):
            spend_reaction(world, encounter, target)
            return int(said["ac_bonus"])
    return 0


def _pair(encounter: Encounter, aim: Aim) -> tuple[Participant, Participant]:
    attacker, target = encounter.participant(aim.attacker_id), encounter.participant(aim.target_id)
    if attacker is None or target is None:
        raise LookupError(f"{aim.attacker_id} or {aim.target_id} is not in {encounter.id}")
    return attacker, target


def _sources(world: World, encounter: Encounter, attacker: Participant, target: Participant, aim: Aim) -> Sources:
    own, theirs = values_of(world, attacker), values_of(world, target)
    sees, is_seen = can_see(world, encounter, attacker, target), can_see(world, encounter, target, attacker)
    apart = feet_between(world, attacker, target)
    helps, hinders = [], []
    if attacker.hidden and are_hostile(attacker, target):
        helps.append("hidden")
    elif not is_seen:
        helps.append("unseen")
    if is_dodging(target, theirs) and is_seen:
        hinders.append("dodging")
    if not sees:
        hinders.append("target unseen")
    if aim.at_range:
        hinders += _of_range(world, encounter, attacker, apart, aim.normal_range)
    return (
        aim.extra
        + checks.attack_sources(own, fear_in_sight=fear_in_sight(world, encounter, attacker), seen=is_seen)
        + theirs.impairment.attacks_against(apart, seen=sees)
        + _by_effects(theirs)
        + _between(world, encounter, attacker, target)
        + attack_sources(world, encounter, attacker, target)
        + Sources(tuple(helps), tuple(hinders))
    )


def _by_effects(theirs: Effective) -> Sources:
    """Return how the target's effects let others attack it."""
    return Sources(
        tuple(name for how, name in theirs.attacks_against if how == "advantage"),
        tuple(name for how, name in theirs.attacks_against if how == "disadvantage"),
    )


def _between(world: World, encounter: Encounter, attacker: Participant, target: Participant) -> Sources:
    """Return what effects do to attacks of the one at the other alone, or of a kind of creature."""
    own = [each for each in body_of(world, attacker).effects if set(each.versus) & set(target.ids)]
    kind = (encounter.block_of(attacker) or {}).get("type")
    wards = [each for each in body_of(world, target).effects if kind in each.versus_kinds]
    helps = [each.name for each in own if "attack_rolls" in each.advantage_on]
    helps += [each.name for each in wards if each.attacks_against == "advantage"]
    hinders = [each.name for each in own if "attack_rolls" in each.disadvantage_on]
    hinders += [each.name for each in wards if each.attacks_against == "disadvantage"]
    return Sources(tuple(helps), tuple(hinders))


def _of_range(
    world: World, encounter: Encounter, attacker: Participant, apart: int, normal_range: int | None
) -> list[str]:
    beset = any(
        are_hostile(attacker, other)
        and feet_between(world, attacker, other) <= CLOSE
        and _is_awake(world, other)
        and can_see(world, encounter, other, attacker)
        for other in living(world, encounter, {attacker.id})
    )
    is_far = normal_range is not None and apart > normal_range
    return [*(["enemy close"] if beset else []), *(["long range"] if is_far else [])]


def _is_awake(world: World, person: Participant) -> bool:
    return why_unable(world, person.replace(surprised=False)) is None


# what it does


def throw_damage(
    ctx: Context, expression: Expression, why: str, manual: int | None, *, is_critical: bool
) -> Roll | int:
    """Roll damage, or return a total that was rolled at the table, which a critical does not double."""
    if manual is not None:
        return ctx.dice.take_total(manual, why)
    return throw_dice(ctx, expression, why, is_critical=is_critical)


UNTHROWN = D20(0, (), "normal")
"""The die of an attack that is lost before the roll."""
_AC_OF_IMAGE = 10


class Thrown(NamedTuple):
    """One part of the damage of a blow: the roll, its type, and whether a save halves it."""

    roll: Roll | int
    kind: DamageType
    is_halved: bool = False

    @property
    def amount(self) -> int:
        """Its total before resistances."""
        raw = self.raw
        return max(0, raw) // 2 if self.is_halved else raw

    @property
    def raw(self) -> int:
        """The total of the roll."""
        return self.roll if isinstance(self.roll, int) else self.roll.total

    @property
    def expression(self) -> str | None:
        """The dice rolled; None for a total rolled at the table."""
        return None if isinstance(self.roll, int) else render(self.roll.expression)

    @property
    def faces(self) -> list[int]:
        """Every face, in the order rolled."""
        return [] if isinstance(self.roll, int) else [face for term in self.roll.terms for face in term.rolls]


def by_type(thrown: Roll | int, kind: DamageType) -> list[Thrown]:
    """Return rolled damage, split by the types that its labels name; dice without a label get the given type.

    A total rolled at the table has that type as a whole, and so are dice that no rule can take apart.
    """
    if isinstance(thrown, int):
        return [Thrown(thrown, kind)]
    try:
        parts = thrown.split(DAMAGE_TYPES, kind)
    except DiceError:
        parts = [(kind, thrown)]
    if len(parts) == 1:  # as it was thrown, its parentheses included
        parts = [(parts[0][0], thrown)]
    return [Thrown(roll, cast("DamageType", label)) for label, roll in parts]


def with_effects(
    world: World,
    encounter: Encounter,
    attacker_id: str,
    target_id: str,
    parts: Sequence[Thrown],
    ctx: Context,
    *,
    is_critical: bool,
    by_strength: bool,
) -> list[Thrown]:
    """Return the damage of a hit with a weapon, with what effects of the attacker add or subtract."""
    attacker, target = encounter.participant(attacker_id), encounter.participant(target_id)
    if attacker is None or target is None:
        raise LookupError(f"{attacker_id} or {target_id} is not in {encounter.id}")
    creature = combatant(world, encounter, attacker)
    found = [*parts]
    for effect in creature.character.effects:
        blow = effect.hit_damage
        if blow is None or (effect.versus and not set(effect.versus) & set(target.ids)):
            continue
        thrown = throw_dice(ctx, blow.dice, f"{effect.name} of {attacker_id}", is_critical=is_critical)
        found.append(Thrown(thrown, blow.type or found[0].kind))
        if effect.uses is not None:
            count_use(world, creature, effect)
    for effect in combatant(world, encounter, target).character.effects:
        more = effect.damage_from
        if more is not None and more.whose in attacker.ids:
            thrown = throw_dice(ctx, more.dice, f"{effect.name} of {target_id}", is_critical=is_critical)
            found.append(Thrown(thrown, more.type or found[0].kind))
    is_lessened = any((each.damage_bonus or "").startswith("-") for each in creature.character.effects)
    if is_lessened and found and found[0].raw < 1:
        found[0] = found[0]._replace(roll=1)  # however small the attacker is made, a hit deals damage
    if by_strength and any(each.halves_strength_weapons for each in creature.character.effects):
        found = [each._replace(is_halved=True) for each in found]
    return found


def deal(
    world: World,
    target: Creature,
    thrown: Roll | int,
    kind: DamageType,
    ctx: Context,
    by: Creature,
    *,
    is_critical: bool = False,
    half: bool = False,
    source: Source = ANYWHERE,
) -> tuple[DamageReport, DamageResult]:
    """Deal rolled damage, split by the labels of its dice; return it as results show it, and its effect."""
    parts = [part._replace(is_halved=half) for part in by_type(thrown, kind)]
    return deal_parts(world, target, parts, ctx, by, is_critical=is_critical, source=source)


def deal_parts(
    world: World,
    target: Creature,
    thrown: Sequence[Thrown],
    ctx: Context,
    by: Creature,
    *,
    is_critical: bool = False,
    source: Source = ANYWHERE,
) -> tuple[DamageReport, DamageResult]:
    """Deal damage of several types as one blow, each with its own resistance; return it as results hold it."""
    first, *others = thrown
    more = [(each.amount, each.kind) for each in others]
    done = damage(
        world, target, first.amount, first.kind, ctx, is_critical=is_critical, by=by, more=more, source=source
    )
    shown: DamageReport = {
        "expression": None if first.expression is None else " + ".join(each.expression or "" for each in thrown),
        "rolls": [face for each in thrown for face in each.faces],
        "raw": sum(each.raw for each in thrown),
        "final": done.taken,
        "type": first.kind,
        "adjusted": done.adjusted,
    }
    if not others:
        return shown, done
    parts = done.parts or tuple(Damage(each.amount, "none") for each in thrown)
    rows: list[DamagePartReport] = [
        {"type": each.kind, "raw": each.raw, "final": part.damage, "adjusted": part.adjusted}
        for each, part in zip(thrown, parts, strict=True)
    ]
    return shown | {"parts": rows}, done


def shown_target(world: World, encounter_id: str, target_id: str, before: int | None = None) -> ActionReport:
    """Return how a target fares, as results hold it."""
    encounter = require_encounter(world, encounter_id)
    person = encounter.participant(target_id)
    if person is None:
        raise LookupError(f"{target_id} is not in {encounter_id}")
    character = body_of(world, person)
    hp, most = counted_hp(character)
    told: HitPointsReport = {
        "before": hp if before is None else before,
        "after": hp,
        "max": most,
        "temp": character.temp_hp,
    }
    return {
        "target_hp": told,
        "target_status": status_of(combatant(world, encounter, person)),
        "target_conditions": list(character.condition_names),
    }
