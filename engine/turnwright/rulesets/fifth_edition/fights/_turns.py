"""Turns of a fight: turn order, and what the end of one turn and the start of another trigger.

Source: docs/toolkit.md, "Fights"; SRD 5.1, "The Order of Combat".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from turnwright.model.character import Character
from turnwright.model.creature import Blow, Condition, Effect, Ending, TurnBlow
from turnwright.model.encounter import Economy, Encounter, Participant
from turnwright.model.state.overlay import World
from turnwright.model.zone import ZoneMoment
from turnwright.rulesets.fifth_edition.battlefield import can_see, cover_between, feet_between
from turnwright.rulesets.fifth_edition.condition_list import with_conditions_ticked, without_condition
from turnwright.rulesets.fifth_edition.condition_rules import MAX_EXHAUSTION
from turnwright.rulesets.fifth_edition.condition_saves import shake_off, shown_save, tallied, together
from turnwright.rulesets.fifth_edition.conditions import afflict
from turnwright.rulesets.fifth_edition.damage import check_concentrations, damage, heal
from turnwright.rulesets.fifth_edition.damage_rules import ANYWHERE, Source
from turnwright.rulesets.fifth_edition.fights._action import ActionContext
from turnwright.rulesets.fifth_edition.fights._block_auras import begin_among_auras, end_in_place
from turnwright.rulesets.fifth_edition.fights._block_turns import begin_turn, withstand
from turnwright.rulesets.fifth_edition.fights._controlled import begin_controlled_turn
from turnwright.rulesets.fifth_edition.fights._hazards import suffer_hazards
from turnwright.rulesets.fifth_edition.fights._readied import let_readied_spell_go
from turnwright.rulesets.fifth_edition.fights._swallowing import spit_out
from turnwright.rulesets.fifth_edition.fights.traits import MAGIC, figures, trait
from turnwright.rulesets.fifth_edition.magic.zone_acts import ZoneActs
from turnwright.rulesets.fifth_edition.rolls import save, throw, throw_dice
from turnwright.rulesets.fifth_edition.sheets.effect_list import (
    effect_named,
    with_effect,
    with_effects_ticked,
    with_turn_counted,
    without_effect,
)
from turnwright.rulesets.fifth_edition.sheets.health import with_temp_hp
from turnwright.rulesets.fifth_edition.targets import (
    Creature,
    body_of,
    combatant,
    put_creature,
    put_participant,
    reload,
    require_encounter,
    require_participant,
)
from turnwright.rulesets.fifth_edition.triggers import triggers
from turnwright.rulesets.tool import Context

if TYPE_CHECKING:
    from turnwright.rulesets.fifth_edition.shapes import (
        ActionReport,
        AreaReport,
        AuraEndReport,
        AuraReport,
        ConcentrationReport,
        ConditionReport,
        ConditionSaveReport,
        EffectReport,
        HazardReport,
        LastingReport,
        LeftReport,
        RechargeReport,
        RegeneratedReport,
        SpellEndReport,
        TerrainReport,
        TickedReport,
        TraitReport,
        TriggerReport,
        TurnRow,
    )

_OF_A_SPELL = Source(is_spell=True)


@dataclass
class Bookkeeping:
    """What happened between two turns, as `advance_turn` reports it."""

    expired: list[ConditionReport] = field(default_factory=list)
    ticked: list[TickedReport] = field(default_factory=list)
    saves: list[ConditionSaveReport] = field(default_factory=list)
    effects_expired: list[EffectReport] = field(default_factory=list)
    triggered: list[TriggerReport] = field(default_factory=list)
    concentration_ended: list[SpellEndReport] = field(default_factory=list)
    terrain_expired: list[TerrainReport] = field(default_factory=list)
    auras_expired: list[AuraEndReport] = field(default_factory=list)
    hazard_results: list[HazardReport] = field(default_factory=list)
    aura_results: list[AuraReport] = field(default_factory=list)
    concentration_checks: list[ConcentrationReport] = field(default_factory=list)
    recharged: list[RechargeReport] = field(default_factory=list)
    regenerated: list[RegeneratedReport] = field(default_factory=list)
    traits: list[ActionReport | TraitReport] = field(default_factory=list)
    lasting: list[LastingReport] = field(default_factory=list)
    areas: list[AreaReport] = field(default_factory=list)
    left: list[LeftReport] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    def rows(self) -> dict[str, list[TurnRow]]:
        """Return what happened as the result of `advance_turn` holds it; warnings are kept separately."""
        told = {name: rows for name, rows in vars(self).items() if name != "warnings"}
        return {name: rows for name, rows in told.items() if rows or name not in _OF_CONTENT}


_OF_CONTENT = ("recharged", "regenerated", "traits", "lasting", "areas", "left")
"""Results that only content by name produces, and that are shown only then."""


# turn order


def takes_turns(character: Character) -> bool:
    """Return whether a creature has turns: the living above 0 hit points, and player characters who are down."""
    return not character.is_dead and ((character.hp or 0) > 0 or character.character_type == "pc")


def following(world: World, encounter: Encounter, index: int) -> list[int]:
    """Return the places in the order that have a turn after the one at `index`, itself last, each once."""
    people = encounter.participants
    places = [*range(index + 1, len(people)), *range(index + 1)]
    return [place for place in places if _has_turn(world, encounter, people[place])]


def _has_turn(world: World, encounter: Encounter, person: Participant) -> bool:
    """Return whether a combatant has turns; creatures that regenerate from 0 hit points have them there, too."""
    body = body_of(world, person)
    regenerates = trait(encounter.block_of(person), "regeneration") or {}
    return takes_turns(body) or (not body.is_dead and "dies_only_if" in figures(regenerates))


def is_anybody_up(world: World, encounter: Encounter) -> bool:
    """Return whether any combatant is above 0 hit points."""
    bodies = (body_of(world, person) for person in encounter.participants)
    return any((body.hp or 0) > 0 and not body.is_dead for body in bodies)


def take_extra_turn(world: World, encounter: Encounter, person: Participant) -> bool:
    """Use up one extra turn of a combatant, if it has any and is not down; return whether it had."""
    creature = combatant(world, encounter, person)
    held = next((each for each in creature.character.effects if each.extra_turns), None)
    if held is None or held.extra_turns is None or not creature.character.hp or creature.character.is_dead:
        return False
    left = held.extra_turns - 1
    fewer = (held.replace(extra_turns=left),) if left else ()
    others = tuple(each for each in creature.character.effects if each is not held)
    put_creature(world, creature, creature.character.replace(effects=(*others, *fewer)))
    return True


# the end of a turn


def end_turn(
    world: World, encounter: Encounter, person: Participant, ctx: Context, *, process_effects: bool, told: Bookkeeping
) -> None:
    """Process the end of a combatant's turn: rounds run out, saves end conditions, surprise is over."""
    creature = combatant(world, encounter, person)
    if process_effects and not creature.character.is_dead:
        _tick_conditions(world, creature, told)
        _hurt_turn_by_turn(world, encounter.id, person, "end", ctx, told)
        _save_against(world, creature, ctx, told)
        _among_zones(world, encounter.id, person, "turn_end", ctx, told)
        told.saves += spit_out(world, encounter.id, ctx)
        _add(world, end_in_place(world, ctx, encounter.id, person.id), ctx, told)
        told.triggered += triggers(reload(world, creature), "end_of_turn")
        _tick_effects(world, creature, told)
        _end_by_turns_of(world, encounter.id, person, "end", ctx, told)
        _leave_for_a_round(world, creature, ctx, told)
        _get_away(world, encounter.id, person, told)
    _no_longer_surprised(world, encounter.id, [person.id])
    _no_longer_disengaged(world, encounter.id)
    _may_be_legendary_again(world, encounter.id)


def _end_by_turns_of(
    world: World, encounter_id: str, person: Participant, at: str, ctx: Context, told: Bookkeeping | None = None
) -> None:
    """End the conditions, effects and areas of all participants that last until this moment of a combatant's turn."""
    if require_encounter(world, encounter_id).zones:
        ZoneActs(world, ctx, encounter_id).end_by_turn(person.ids, at)
    for other in _people(world, encounter_id):
        creature = combatant(world, require_encounter(world, encounter_id), other)
        after, conditions, effects = with_turn_counted(creature.character, person.ids, at)
        if after is creature.character:
            continue
        put_creature(world, creature, after)
        if told is not None:
            for each in effects:
                if each.end_damage is not None:
                    _strike_by_effect(world, creature, each.name, each.end_damage, ctx, told)
            told.expired += [{"target_id": creature.id, "condition": each.condition} for each in conditions]
            told.effects_expired += [_effect(creature, each) for each in effects]


def pass_over(world: World, encounter: Encounter, ids: Sequence[str], ctx: Context) -> None:
    """Skip combatants who cannot take a turn; what lasted until their turn still ends."""
    _no_longer_surprised(world, encounter.id, ids)
    _end_until_turn(world, encounter.id, ids)
    for person in encounter.participants:
        if person.id in ids:
            _end_by_turns_of(world, encounter.id, person, "start", ctx)
            _end_by_turns_of(world, encounter.id, person, "end", ctx)


def _may_be_legendary_again(world: World, encounter_id: str) -> None:
    for person in _people(world, encounter_id):
        if person.block_use.legendary_now:
            use = person.block_use.replace(legendary_now=False)
            put_participant(world, encounter_id, person.replace(block_use=use))


def _no_longer_surprised(world: World, encounter_id: str, ids: Sequence[str]) -> None:
    for person in _people(world, encounter_id):
        if person.id in ids and person.surprised:
            put_participant(world, encounter_id, person.replace(surprised=False))


def _no_longer_disengaged(world: World, encounter_id: str) -> None:
    for person in _people(world, encounter_id):
        if person.economy.disengaged:
            put_participant(world, encounter_id, person.replace(economy=person.economy.replace(disengaged=False)))


def _tick_conditions(world: World, creature: Creature, told: Bookkeeping) -> None:
    creature = reload(world, creature)
    after, expired, ticked = with_conditions_ticked(creature.character)
    if after is not creature.character:
        put_creature(world, creature, after)
    told.expired += [{"target_id": creature.id, "condition": name} for name in expired]
    told.ticked += [
        {"target_id": creature.id, "condition": each.condition, "remaining": each.rounds_remaining} for each in ticked
    ]


def _save_against(world: World, creature: Creature, ctx: Context, told: Bookkeeping) -> None:
    done: list[Condition] = []
    for condition in reload(world, creature).character.conditions:
        is_due = condition.duration == "save_ends" or condition.repeat_save is not None
        if condition not in done and is_due and not _keeps_looking(world, creature, condition):
            done += together(creature, condition)
            _save_against_one(world, reload(world, creature), condition, ctx, told)
    for effect in reload(world, creature).character.effects:
        if effect.repeat_save is not None:
            _save_against_effect(world, reload(world, creature), effect, ctx, told)


def _keeps_looking(world: World, creature: Creature, condition: Condition) -> bool:
    """Return whether a creature has the source of its fear in sight, and so cannot save against it."""
    if condition.repeat_save != "turn_end_unseen" or creature.encounter_id is None:
        return False
    encounter = require_encounter(world, creature.encounter_id)
    source = encounter.meant(condition.source) if condition.source is not None else None
    person = encounter.participant(creature.participant_id or "")
    if source is None or person is None:
        return False
    return cover_between(world, encounter, person, source, creatures_cover=False).cover != "total"


def _save_against_effect(world: World, creature: Creature, effect: Effect, ctx: Context, told: Bookkeeping) -> None:
    """Roll a creature's save against an effect that a success at the end of a turn ends."""
    asked = effect.repeat_save
    if asked is None:
        return
    why = f"{creature.id} save against {effect.name}"
    made = save(world, creature, asked.ability, asked.dc, ctx, why=why, versus=(MAGIC,))
    if made.success:
        creature = reload(world, creature)
        put_creature(world, creature, without_effect(creature.character, effect.effect_id).character)
        told.effects_expired.append(_effect(creature, effect))
    told.saves.append(shown_save(creature, effect.name, asked.ability, asked.dc, made))


def _save_against_one(world: World, creature: Creature, condition: Condition, ctx: Context, told: Bookkeeping) -> None:
    name, ability, dc = condition.condition, condition.save_ability, condition.save_dc
    if ability is None or dc is None:
        return
    made = save(world, creature, ability, dc, ctx, why=f"{creature.id} save against {name}", versus=(name,))
    counted = tallied(condition, success=made.success)
    if not counted.is_decided:
        _keep(world, creature, condition, counted.condition)
    elif made.success:
        withstand(world, creature, condition)
        gone = shake_off(world, creature, condition)
        told.expired += [{"target_id": creature.id, "condition": each} for each in gone]
    elif condition.worsens_to is not None:
        creature = reload(world, creature)
        put_creature(world, creature, without_condition(creature.character, name, MAX_EXHAUSTION).character)
        told.expired.append({"target_id": creature.id, "condition": name})
        lasts = condition.duration if condition.tally is not None else None
        worse = Condition(condition=condition.worsens_to, source=condition.source, duration=lasts)
        told.warnings += afflict(world, reload(world, creature), worse, ctx).warnings
        told.warnings.append(f"{creature.id} is now {condition.worsens_to}")
    if not made.success and condition.failed_save_damage is not None:
        _strike_by_effect(world, creature, name, condition.failed_save_damage, ctx, told)
    told.saves.append(shown_save(creature, name, ability, dc, made))


def _keep(world: World, creature: Creature, old: Condition, new: Condition) -> None:
    """Replace a condition by its changed version."""
    creature = reload(world, creature)
    kept = tuple(new if each == old else each for each in creature.character.conditions)
    put_creature(world, creature, creature.character.replace(conditions=kept))


def _strike_by_effect(
    world: World,
    creature: Creature,
    name: str,
    blow: Blow,
    ctx: Context,
    told: Bookkeeping,
    source: Source = _OF_A_SPELL,
) -> int:
    """Deal the damage of a lasting effect, report it, and return the damage taken."""
    creature = reload(world, creature)
    if creature.character.is_dead or creature.character.hp is None:
        return 0
    thrown = throw_dice(ctx, blow.dice, f"{name} hurts {creature.id}").total
    harm = damage(world, creature, thrown, blow.type, ctx, source=source)
    told.triggered += harm.triggered
    told.warnings += harm.notices
    told.lasting.append({"target_id": creature.id, "name": name, "rolled": thrown, "damage": harm.taken})
    told.concentration_checks += check_concentrations(world, [harm], ctx)
    return harm.taken


def _hurt_turn_by_turn(
    world: World, encounter_id: str, person: Participant, at: str, ctx: Context, told: Bookkeeping
) -> None:
    """Deal the damage that conditions and effects deal at this moment of a turn: to the bearer, or to their victim."""
    for other in _people(world, encounter_id):
        body = body_of(world, other)
        named = [(each.condition, each.turn_damage) for each in body.conditions]
        named += [(each.name, each.turn_damage) for each in body.effects]
        for name, blow in named:
            if blow is None or blow.at != at:
                continue
            if blow.whose in person.ids if blow.whose is not None else other.id == person.id:
                creature = combatant(world, require_encounter(world, encounter_id), other)
                taken = _strike_by_effect(world, creature, name, blow, ctx, told, source=ANYWHERE)
                if blow.left is not None:
                    _drain(world, reload(world, creature), name, blow, taken)


def _drain(world: World, creature: Creature, name: str, blow: TurnBlow, taken: int) -> None:
    """Count what an effect drains; it ends once it has drained enough."""
    effect = effect_named(creature.character, name)
    if effect is None or blow.left is None:
        return
    if taken >= blow.left:
        put_creature(world, creature, without_effect(creature.character, effect.effect_id).character)
        return
    thirsty = effect.replace(turn_damage=blow.replace(left=blow.left - taken))
    put_creature(world, creature, with_effect(creature.character, thirsty).character)


def _tick_effects(world: World, creature: Creature, told: Bookkeeping) -> None:
    creature = reload(world, creature)
    after, expired, _ = with_effects_ticked(creature.character)
    if after is not creature.character:
        put_creature(world, creature, after)
    told.effects_expired += [_effect(creature, effect) for effect in expired]


def _effect(creature: Creature, effect: Effect) -> EffectReport:
    return {"target_id": creature.id, "effect_id": effect.effect_id, "name": effect.name}


# the start of a turn


def start_turn(
    world: World, encounter: Encounter, person: Participant, ctx: Context, *, process_effects: bool, told: Bookkeeping
) -> None:
    """Process the start of a combatant's turn: reset its turn economy, and apply hazards where it stands."""
    _refresh(world, encounter, person, told)
    _end_by_turns_of(world, encounter.id, person, "start", ctx, told)
    _let_effects_give(world, combatant(world, encounter, person), ctx, told)
    told.lasting += begin_controlled_turn(world, encounter.id, person.id, ctx)
    if process_effects:
        _save_for_action(world, encounter.id, person, ctx, told)
    if process_effects:
        _hurt_turn_by_turn(world, encounter.id, person, "start", ctx, told)
    if person.has_block:
        began = begin_turn(world, require_encounter(world, encounter.id), person.id, ctx)
        told.recharged += began.recharged
        told.regenerated += began.regenerated
        told.traits += began.traits
        told.warnings += began.warnings
    if process_effects:
        _among_auras(world, encounter.id, person, ctx, told)
    creature = reload(world, combatant(world, encounter, person))
    if process_effects:
        told.triggered += triggers(creature, "start_of_turn")
        done = suffer_hazards(world, creature, ctx)
        told.hazard_results += done.results
        told.concentration_checks += done.checks
        told.triggered += done.triggered
        told.warnings += done.warnings
        _among_zones(world, encounter.id, person, "turn_start", ctx, told)


def _among_zones(
    world: World, encounter_id: str, person: Participant, moment: ZoneMoment, ctx: Context, told: Bookkeeping
) -> None:
    """Apply lasting areas to a combatant who starts or ends a turn in them, and move those that move by themselves."""
    if not require_encounter(world, encounter_id).zones:
        return
    acts = ZoneActs(world, ctx, encounter_id)
    if moment == "turn_start":
        acts.drift(person.id)
    acts.at_turn(person.id, moment)
    told.areas += acts.rows
    told.triggered += acts.triggered
    told.warnings += acts.warnings
    told.concentration_checks += check_concentrations(world, acts.harms, ctx)


def _save_for_action(world: World, encounter_id: str, person: Participant, ctx: Context, told: Bookkeeping) -> None:
    """Roll a creature's save to keep its action, where an effect takes it on a failure."""
    for effect in body_of(world, person).effects:
        asked = effect.start_save
        creature = combatant(world, require_encounter(world, encounter_id), person)
        if asked is None or creature.character.is_dead:
            continue
        why = f"{creature.id} save against {effect.name}"
        made = save(world, creature, asked.ability, asked.dc, ctx, why=why, versus=(MAGIC,))
        told.saves.append(shown_save(creature, effect.name, asked.ability, asked.dc, made))
        if not made.success:
            now_there = require_participant(world, require_encounter(world, encounter_id), person.id)
            put_participant(world, encounter_id, now_there.replace(economy=now_there.economy.replace(action=True)))


def _get_away(world: World, encounter_id: str, person: Participant, told: Bookkeeping) -> None:
    """Free a creature far enough from an effect's source and out of its sight, with all that came with the effect."""
    encounter = require_encounter(world, encounter_id)
    here = require_participant(world, encounter, person.id)
    creature = combatant(world, encounter, here)
    for effect in creature.character.effects:
        source = encounter.meant(effect.flees.whose) if effect.flees is not None else None
        if effect.flees is None or source is None or feet_between(world, here, source) < effect.flees.feet:
            continue
        if can_see(world, encounter, here, source):
            continue
        creature = reload(world, creature)
        character = creature.character
        gone = [each for each in character.conditions if (each.spell, each.source) == (effect.name, effect.source)]
        kept = tuple(each for each in character.conditions if each not in gone)
        freed = without_effect(character, effect.effect_id).character.replace(conditions=kept)
        put_creature(world, creature, freed)
        told.expired += [{"target_id": creature.id, "condition": each.condition} for each in gone]
        told.effects_expired.append(_effect(creature, effect))


def _leave_for_a_round(world: World, creature: Creature, ctx: Context, told: Bookkeeping) -> None:
    """Roll whether an effect takes a creature to another plane until its next turn starts."""
    held = next((each for each in reload(world, creature).character.effects if each.leaves_on), None)
    if held is None or held.leaves_on is None:
        return
    natural = throw(ctx, f"{creature.id} {held.name}").natural
    leaves = natural >= held.leaves_on
    told.lasting.append({"target_id": creature.id, "name": held.name, "rolled": natural, "away": leaves})
    if not leaves:
        return
    creature = reload(world, creature)
    gone = Effect(
        effect_id=world.new_id("effect", held=[each.effect_id for each in creature.character.effects]),
        name=f"{held.name} away",
        source=held.source,
        ethereal=True,
        ends=Ending(whose=creature.id, at="start"),
    )
    put_creature(world, creature, with_effect(creature.character, gone).character)


def _let_effects_give(world: World, creature: Creature, ctx: Context, told: Bookkeeping) -> None:
    """Give a creature the hit points that effects give as each of its turns starts."""
    for effect in creature.character.effects:
        creature = reload(world, creature)
        if creature.character.is_dead or (effect.turn_hp is None and effect.turn_temp_hp is None):
            continue
        row: LastingReport = {"target_id": creature.id, "name": effect.name}
        if effect.turn_hp is not None:
            row["healing"] = heal(world, creature, effect.turn_hp, ctx)
        if effect.turn_temp_hp is not None:
            creature = reload(world, creature)
            row["temp_hp"] = put_creature(
                world, creature, with_temp_hp(creature.character, effect.turn_temp_hp)
            ).character.temp_hp
        told.lasting.append(row)


def _among_auras(world: World, encounter_id: str, person: Participant, ctx: Context, told: Bookkeeping) -> None:
    """Let the auras of stat blocks act."""
    _add(world, begin_among_auras(world, ctx, encounter_id, person.id), ctx, told)


def _add(world: World, done: ActionContext | None, ctx: Context, told: Bookkeeping) -> None:
    """Report automatic effects of traits."""
    if done is not None:
        told.traits += done.told
        told.triggered += done.triggered
        told.warnings += done.warnings
        told.concentration_checks += check_concentrations(world, done.harms, ctx)


def _refresh(world: World, encounter: Encounter, person: Participant, told: Bookkeeping) -> None:
    """Give back what a turn brings, and end what lasted until this one."""
    spell = let_readied_spell_go(world, encounter, person)
    if spell is not None:
        told.concentration_ended.append({"target_id": person.id, "spell_name": spell})
    _end_until_turn(world, encounter.id, [person.id])
    for own in _people(world, encounter.id):
        if own.id == person.id:
            put_participant(world, encounter.id, own.replace(economy=Economy()))
        elif own.economy.reaction and trait(encounter.block_of(own), "extra_reactions") is not None:
            put_participant(world, encounter.id, own.replace(economy=own.economy.replace(reaction=False)))


def _end_until_turn(world: World, encounter_id: str, ids: Sequence[str]) -> None:
    """End what these combatants maintain until their own turn: a dodge, a readied action, their help to others."""
    for person in _people(world, encounter_id):
        own = person.replace(dodging=False, readied=None) if person.id in ids else person
        after = own.replace(helped=tuple(each for each in own.helped if each.helper_id not in ids))
        if after != person:
            put_participant(world, encounter_id, after)


def _people(world: World, encounter_id: str) -> tuple[Participant, ...]:
    encounter = world.find(Encounter, encounter_id)
    return encounter.participants if encounter else ()
