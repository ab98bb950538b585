"""Creatures inside another creature: swallowed whole, regurgitated, or climbing out of the carcass.

Source: SRD 5.1, "Monsters" (Swallow); docs/content.md, "Swallowed".
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from turnwright.model.creature import Condition, Effect, TurnBlow
from turnwright.model.encounter import Encounter, Participant
from turnwright.model.state.overlay import World
from turnwright.model.wire import hint
from turnwright.model.wire.reason import CallFailed, Reason
from turnwright.rulesets.fifth_edition.battlefield import (
    body_on_grid,
    free_near,
    is_down,
    is_free,
    position_of,
    values_of,
)
from turnwright.rulesets.fifth_edition.condition_list import found
from turnwright.rulesets.fifth_edition.condition_saves import shown_save
from turnwright.rulesets.fifth_edition.condition_sources import let_go
from turnwright.rulesets.fifth_edition.conditions import afflict
from turnwright.rulesets.fifth_edition.fights._action import ActionContext, instead_of_target
from turnwright.rulesets.fifth_edition.fights._inflicting import dice_of
from turnwright.rulesets.fifth_edition.fights.executable import SWALLOWED_DAMAGE
from turnwright.rulesets.fifth_edition.fights.traits import ability_of, figures, type_of
from turnwright.rulesets.fifth_edition.rolls import save
from turnwright.rulesets.fifth_edition.sheets.effect_list import effect_named, with_effect, without_effect
from turnwright.rulesets.fifth_edition.space.grid.distance import between
from turnwright.rulesets.fifth_edition.space.grid.space import FEET, SIZES, Square
from turnwright.rulesets.fifth_edition.targets import (
    body_of,
    combatant,
    put_creature,
    put_participant,
    require_encounter,
)
from turnwright.rulesets.tool import Context

if TYPE_CHECKING:
    from turnwright.model.content_shapes import BlockPart
    from turnwright.rulesets.fifth_edition.shapes import ConditionSaveReport

SWALLOWED = "Swallowed"


def swallowed_by(encounter: Encounter, holder: Participant) -> list[Participant]:
    """Return the creatures inside a participant, in turn order."""
    return [person for person in encounter.participants if person.swallowed_by == holder.id]


def require_swallowable(act: ActionContext, part: BlockPart, target: Participant) -> None:
    """Refuse to swallow a target that is not held or too large, or more targets than there is room for.

    Raises:
        CallFailed: `rule_violation`.
    """
    said = figures(part)["swallow"]
    held = found(body_of(act.world, target), "grappled")
    why = None
    if held is None or held.source != act.actor_id:
        why = f"{act.actor_id} has not grappled {target.id}, which {part['name']} needs"
    elif SIZES.index(values_of(act.world, target).size) > SIZES.index(said["max_size"]):
        why = f"{target.id} is too large for {act.actor_id} to swallow"
    elif "capacity" in said and len(swallowed_by(act.encounter, act.actor)) >= said["capacity"]:
        why = f"{act.actor_id} has somebody inside already"
    if why is not None:
        raise CallFailed(Reason.RULE_VIOLATION, why, instead_of_target(act, ()))


def swallow(act: ActionContext, part: BlockPart, target_id: str) -> str:
    """Swallow a creature: no longer held, but blinded, restrained, and hurt as each turn of the actor starts."""
    creature = act.creature(target_id)
    put_creature(act.world, creature, let_go(creature.character))
    for name in figures(part)["swallow"]["conditions"]:
        afflict(act.world, act.creature(target_id), Condition(condition=name, source=act.actor_id), act.ctx)
    blow = next(each for each in part["damage"] if each.get("when") == SWALLOWED_DAMAGE)
    creature = act.creature(target_id)
    effect = Effect(
        effect_id=act.world.new_id("effect", held=[each.effect_id for each in creature.character.effects]),
        name=SWALLOWED,
        type="curse",
        source=act.actor_id,
        turn_damage=TurnBlow(dice=dice_of(blow), type=type_of(blow), whose=act.actor_id),
    )
    put_creature(act.world, creature, with_effect(creature.character, effect).character)
    act.change(target_id, swallowed_by=act.actor_id, position=act.actor.position)
    return SWALLOWED


def _part_of(encounter: Encounter, holder: Participant) -> BlockPart | None:
    actions = (encounter.block_of(holder) or {}).get("actions", ())
    return next((each for each in actions if "swallow" in figures(each)), None)


# out again


def spit_out(world: World, encounter_id: str, ctx: Context) -> Iterator[ConditionSaveReport]:
    """Roll the saves, as a turn ends, of swallowers that took much damage from within; a failure spits out all inside.

    Yields:
        each save, as results show it.
    """
    for holder in require_encounter(world, encounter_id).participants:
        hurt = holder.block_use.from_within
        if not hurt:
            continue
        encounter = require_encounter(world, encounter_id)
        put_participant(world, encounter_id, holder.replace(block_use=holder.block_use.replace(from_within=0)))
        part = _part_of(encounter, holder)
        said = figures(part).get("regurgitate") if part is not None else None
        if said is None or hurt < said["damage_in_turn"] or is_down(body_of(world, holder)):
            continue
        creature = combatant(world, encounter, holder)
        ability, dc = ability_of(said["save"]), said["save"]["dc"]
        made = save(world, creature, ability, dc, ctx, why=f"{holder.id} keeps down whom it swallowed")
        yield shown_save(creature, SWALLOWED, ability, dc, made)
        if not made.success:
            for person in swallowed_by(encounter, holder):
                _release(
                    world, encounter_id, person.id, _free_near(world, encounter, holder, person, said["within"]), ctx
                )


def let_all_out(world: World, encounter_id: str, ctx: Context) -> None:
    """Release all swallowed creatures beside their swallowers as the fight ends."""
    for holder in require_encounter(world, encounter_id).participants:
        encounter = require_encounter(world, encounter_id)
        for person in swallowed_by(encounter, holder):
            _release(world, encounter_id, person.id, _free_near(world, encounter, holder, person, FEET), ctx)


def loosen_in_carcasses(world: World, encounter_id: str) -> None:
    """Free the movement of creatures inside one that has died."""
    encounter = require_encounter(world, encounter_id)
    for person in encounter.participants:
        holder = encounter.participant(person.swallowed_by or "")
        bound = found(body_of(world, person), "restrained")
        if holder is None or not is_carcass(world, holder) or bound is None or bound.source != holder.id:
            continue
        creature = combatant(world, encounter, person)
        kept = tuple(each for each in creature.character.conditions if each is not bound)
        put_creature(world, creature, creature.character.replace(conditions=kept))


def is_carcass(world: World, holder: Participant) -> bool:
    """Return whether a creature is dead, or down for good at 0 hit points."""
    body = body_of(world, holder)
    return body.is_dead or is_down(body)


def way_out(act: ActionContext, goal: Square) -> int:
    """Return the feet that climbing out of a carcass to a square beside it costs.

    Raises:
        CallFailed: `rule_violation` while it lives, or for a square farther off; `conflict` for an occupied square.
    """
    holder = act.person(act.actor.swallowed_by or "")
    part = _part_of(act.encounter, holder)
    if part is None or not is_carcass(act.world, holder):
        raise CallFailed(Reason.RULE_VIOLATION, f"{act.actor_id} is inside {holder.id}, which lives")
    there = body_on_grid(act.world, act.actor)._replace(at=goal)
    got = act.args.move_to.as_written if act.args.move_to is not None else None
    if between(body_on_grid(act.world, holder), there) > FEET:
        detail = f"args.move_to: {act.actor_id} comes out beside {holder.id}"
        raise CallFailed(Reason.RULE_VIOLATION, detail, hint.ask("args.move_to", got))
    if not is_free(act.world, act.encounter, there):
        detail = f"args.move_to: there is no room for {act.actor_id}"
        raise CallFailed(Reason.CONFLICT, detail, hint.ask("args.move_to", got))
    return int(figures(part)["exit_on_death"]["movement"])


def come_out(act: ActionContext) -> None:
    """Put the actor prone on the square where it came out of a carcass."""
    _release(act.world, act.encounter.id, act.actor_id, None, act.ctx)


def _release(world: World, encounter_id: str, person_id: str, at: Square | None, ctx: Context) -> None:
    """Put a swallowed creature outside, prone, and end the effects of being inside."""
    encounter = require_encounter(world, encounter_id)
    person = encounter.participant(person_id)
    if person is None:
        return
    creature, holder_id = combatant(world, encounter, person), person.swallowed_by
    kept = tuple(
        each
        for each in creature.character.conditions
        if each.source != holder_id or each.condition not in ("blinded", "restrained")
    )
    body = creature.character.replace(conditions=kept)
    gone = effect_named(body, SWALLOWED)
    body = body if gone is None else without_effect(body, gone.effect_id).character
    put_creature(world, creature, body)
    person = require_encounter(world, encounter_id).participant(person_id) or person
    moved = person.replace(swallowed_by=None, **({"position": position_of(at)} if at is not None else {}))
    put_participant(world, encounter_id, moved)
    person = require_encounter(world, encounter_id).participant(person_id) or moved
    afflict(world, combatant(world, require_encounter(world, encounter_id), person), Condition(condition="prone"), ctx)


def _free_near(world: World, encounter: Encounter, holder: Participant, person: Participant, feet: int) -> Square:
    """Return the nearest free square around the holder; the person's own where there is none."""
    own = body_on_grid(world, person)
    return free_near(world, encounter, body_on_grid(world, holder), own, feet) or own.at
