"""Automatic effects of stat block traits on others: auras, bursts at death, hides that hurt.

Source: SRD 5.1, "Monsters"; docs/content.md, "Traits that the dice know".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from turnwright.model.encounter import Participant
from turnwright.model.state.overlay import World
from turnwright.rulesets.fifth_edition.battlefield import (
    are_apart,
    are_hostile,
    can_see,
    feet_between,
    is_down,
    living,
    values_of,
)
from turnwright.rulesets.fifth_edition.condition_sources import held_by, holder_of
from turnwright.rulesets.fifth_edition.damage import DamageResult
from turnwright.rulesets.fifth_edition.damage_rules import Source
from turnwright.rulesets.fifth_edition.fights._action import ActionContext
from turnwright.rulesets.fifth_edition.fights._action_args import ExecuteActionArgs
from turnwright.rulesets.fifth_edition.fights._attack import Thrown, deal_parts, shown_target
from turnwright.rulesets.fifth_edition.fights._block_attack import expression_of
from turnwright.rulesets.fifth_edition.fights._block_effect import affect
from turnwright.rulesets.fifth_edition.fights._deeds import Deed
from turnwright.rulesets.fifth_edition.fights._inflicting import can_be_affected
from turnwright.rulesets.fifth_edition.fights.executable import IN_RUNNING_WATER, IN_SUNLIGHT, WEAKNESSES
from turnwright.rulesets.fifth_edition.fights.traits import figures, is_in, type_of
from turnwright.rulesets.fifth_edition.rolls import throw_dice
from turnwright.rulesets.fifth_edition.space.grid.distance import CLOSE
from turnwright.rulesets.fifth_edition.targets import body_of, require_encounter
from turnwright.rulesets.tool import Context

if TYPE_CHECKING:
    from turnwright.model.content_shapes import BlockPart
    from turnwright.rulesets.fifth_edition.shapes import ActionReport

_TOUCHED = "touched_or_melee_hit"
_STARTS = "source_turn_start"


def acting(world: World, ctx: Context, encounter_id: str, source_id: str) -> ActionContext:
    """Return an action that no call asked for: what a trait of a combatant does."""
    args = ExecuteActionArgs(encounter_id=encounter_id, actor_id=source_id)
    return ActionContext(world, ctx, args, source_id, None, (), "free")


def _traits(act: ActionContext, kinds: Sequence[str]) -> Iterator[BlockPart]:
    block = act.encounter.block_of(act.actor) or {}
    return (each for each in block.get("traits", ()) if each.get("kind") in kinds)


def hurt(act: ActionContext, part: BlockPart, when: str, target_id: str) -> ActionReport | None:
    """Deal the damage that a trait deals at a moment without a roll; None where it deals none."""
    due = [each for each in part.get("damage", ()) if each.get("when") == when and isinstance(each.get("type"), str)]
    if not due:
        return None
    why = f"{act.actor_id}, {part['name']}"
    thrown = [Thrown(throw_dice(act.ctx, expression_of(each), why), type_of(each)) for each in due]
    row: ActionReport = {"source_id": act.actor_id, "target_id": target_id, "action": part["name"]}
    row["damage"], done = deal_parts(act.world, act.creature(target_id), thrown, act.ctx, act.creature(act.actor_id))
    act.suffered(done)
    return row | shown_target(act.world, act.args.encounter_id, target_id, done.before)


# the attacker


def retaliate(act: ActionContext, target_id: str) -> list[ActionReport]:
    """Hurt the actor for a melee hit on a creature whose hide or fire does that, as far as it reaches."""
    burned = _burned(act, target_id)
    target = act.person(target_id)
    block = act.encounter.block_of(target)
    if block is None:
        return burned
    theirs = acting(act.world, act.ctx, act.args.encounter_id, target_id)
    rows = []
    for part in _traits(theirs, ("retaliation", "aura")):
        within = max(
            (each.get("within", 0) for each in part.get("damage", ()) if each.get("when") == _TOUCHED), default=0
        )
        if within and feet_between(act.world, act.actor, act.person(target_id)) <= within:
            row = hurt(theirs, part, _TOUCHED, act.actor_id)
            rows += [row] if row is not None else []
    _hand_over(theirs, act)
    return burned + rows


def _burned(act: ActionContext, target_id: str) -> list[ActionReport]:
    """Hurt the actor for a melee hit from near by effects of the target, such as Fire Shield."""
    rows: list[ActionReport] = []
    for effect in act.creature(target_id).character.effects:
        blow = effect.retaliation
        if blow is None or blow.type is None or feet_between(act.world, act.actor, act.person(target_id)) > CLOSE:
            continue
        thrown = [Thrown(throw_dice(act.ctx, blow.dice, f"{effect.name} of {target_id}"), blow.type)]
        row: ActionReport = {"source_id": target_id, "target_id": act.actor_id, "action": effect.name}
        own, by = act.creature(act.actor_id), act.creature(target_id)
        row["damage"], done = deal_parts(act.world, own, thrown, act.ctx, by, source=Source(is_spell=True))
        act.suffered(done)
        rows.append(row | shown_target(act.world, act.args.encounter_id, act.actor_id, done.before))
    return rows


def _hand_over(one: ActionContext, other: ActionContext) -> None:
    other.harms += one.harms
    other.triggered += one.triggered
    other.warnings += one.warnings


# falling creatures


def bursts(act: ActionContext) -> list[ActionReport]:
    """Trigger death bursts of combatants who fell in this action; one may bring down another."""
    rows: list[ActionReport] = []
    seen = 0
    while seen < len(act.harms):
        harm = act.harms[seen]
        seen += 1
        if _has_fallen(act, harm):
            theirs = acting(act.world, act.ctx, act.args.encounter_id, harm.creature.id)
            rows += _burst(theirs)
            _hand_over(theirs, act)
    return rows


def _has_fallen(act: ActionContext, harm: DamageResult) -> bool:
    if harm.before <= 0 or harm.creature.encounter_id != act.args.encounter_id:
        return False
    return act.encounter.participant(harm.creature.id) is not None and is_down(act.creature(harm.creature.id).character)


def _burst(act: ActionContext) -> list[ActionReport]:
    rows: list[ActionReport] = []
    for part in _traits(act, ("on_death",)):
        size = part["area"].get("size", 0)
        near = [
            other.id
            for other in living(act.world, act.encounter, {act.actor_id})
            if not are_apart(act.world, act.actor, other)
            and feet_between(act.world, act.actor, other) <= size
            and can_be_affected(act, part, other.id)
        ]
        rows += [{"source_id": act.actor_id, **row} for row in affect(act, Deed("trait", part, part), near)]
    return rows + [_coming_back(act, part) for part in _traits(act, ("rejuvenation",))]


def _coming_back(act: ActionContext, part: BlockPart) -> ActionReport:
    """Roll after how long a dead creature returns: after the fight, so the table brings it back."""
    dice, unit = figures(part)["after"].split()
    thrown = throw_dice(act.ctx, dice, f"{act.actor_id}, {part['name']}").total
    row: ActionReport = {"source_id": act.actor_id, "target_id": act.actor_id, "action": part["name"], "damage": None}
    told = shown_target(act.world, act.args.encounter_id, act.actor_id)
    said = figures(part)
    takes = [each.replace("_", " ") for each in said.get("requires", ())]
    takes += [f"not {each.replace('_', ' ')}" for each in said.get("unless", ())]
    when: ActionReport = {"returns_after": f"{thrown} {unit.removesuffix('s') if thrown == 1 else unit}"}
    return row | told | when | ({"returns_if": takes} if takes else {})


# the combatant whose turn begins


def begin_among_auras(world: World, ctx: Context, encounter_id: str, person_id: str) -> ActionContext | None:
    """Apply others' auras to the combatant whose turn begins, and its own to others; results go to `rows`.

    Returns:
        The harm, the warnings and the rows (`told`); None where no stat block is in the fight.
    """
    encounter = require_encounter(world, encounter_id)
    if not encounter.stat_blocks:
        return None
    own = acting(world, ctx, encounter_id, person_id)
    for source in living(world, encounter, {person_id}):
        if encounter.block_of(source) is None or is_down(body_of(world, source)):
            continue
        theirs = acting(world, ctx, encounter_id, source.id)
        for part in _traits(theirs, ("aura", "gaze")):
            if _reaches(theirs, part, own.actor):
                rows = affect(theirs, Deed("trait", part, part), [person_id])
                own.told += [{"source_id": source.id, **row} for row in rows]
        _hand_over(theirs, own)
    if not is_down(body_of(world, own.actor)):
        _harm_others(own)
    _harm_in_place(own, IN_SUNLIGHT, "sunlight")
    return own


def end_in_place(world: World, ctx: Context, encounter_id: str, person_id: str) -> ActionContext | None:
    """Let the place where a combatant ends its turn harm it by its stat block; None where no fighter has a block."""
    if not require_encounter(world, encounter_id).stat_blocks:
        return None
    own = acting(world, ctx, encounter_id, person_id)
    _harm_in_place(own, IN_RUNNING_WATER, "running_water")
    return own


def _harm_in_place(own: ActionContext, when: str, place: str) -> None:
    """Hurt the actor by its weakness where it is."""
    for part in _traits(own, (WEAKNESSES,)):
        if is_in(body_of(own.world, own.actor), place) and not body_of(own.world, own.actor).is_dead:
            row = hurt(own, part, when, own.actor_id)
            own.told += [row] if row is not None else []


def _reaches(theirs: ActionContext, part: BlockPart, person: Participant) -> bool:
    """Return whether an aura acts on a combatant: one that frightens, on foes alone."""
    if figures(part).get("at") != "target_turn_start" or "save" not in part:
        return False
    if (
        are_apart(theirs.world, theirs.actor, person)
        or body_of(theirs.world, person).is_dead
        or not can_be_affected(theirs, part, person.id)
    ):
        return False
    if part["kind"] == "gaze":
        return _meets_eyes(theirs, part, person)
    frightens = any(each["id"] == "frightened" for each in part.get("conditions", ()))
    if frightens and not are_hostile(theirs.actor, person):
        return False
    return feet_between(theirs.world, theirs.actor, person) <= int(part["area"].get("size", 0))


def _meets_eyes(theirs: ActionContext, part: BlockPart, person: Participant) -> bool:
    """Return whether a gaze meets a foe: both see each other, and the gazer can act."""
    world, encounter, source = theirs.world, theirs.encounter, theirs.actor
    return (
        are_hostile(source, person)
        and not values_of(world, source).impairment.incapacitated
        and feet_between(world, source, person) <= int(part["range"])
        and can_see(world, encounter, person, source)
        and can_see(world, encounter, source, person)
    )


def _harm_others(own: ActionContext) -> None:
    """Hurt creatures near the current combatant by its aura, and those it holds or is held by, by its hide."""
    for part in _traits(own, ("aura",)):
        for other in living(own.world, own.encounter, {own.actor_id}):
            if are_apart(own.world, own.actor, other):
                continue
            if feet_between(own.world, own.actor, other) <= part["area"].get("size", 0):
                row = hurt(own, part, _STARTS, other.id)
                own.told += [row] if row is not None else []
    for part in _traits(own, ("damages_grappler",)):
        holder = holder_of(own.world, own.encounter, own.actor)
        bound = [*held_by(own.world, own.encounter, own.actor), *([holder] if holder is not None else [])]
        for other in bound:
            row = hurt(own, part, _STARTS, other.id)
            own.told += [row] if row is not None else []
