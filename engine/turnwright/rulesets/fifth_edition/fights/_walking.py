"""A move as it is made, step by step, with the attacks of opportunity that it provokes.

Source: SRD 5.1, "Opportunity Attacks"; docs/toolkit.md, "Fights".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from turnwright.model.encounter import Encounter, Participant
from turnwright.rulesets.fifth_edition.battlefield import (
    are_hostile,
    body_on_grid,
    can_see,
    feet_between,
    is_down,
    position_of,
    show_square,
    square_of,
    values_of,
)
from turnwright.rulesets.fifth_edition.condition_list import without_condition
from turnwright.rulesets.fifth_edition.fights._action import ActionContext
from turnwright.rulesets.fifth_edition.fights._attaching import let_go
from turnwright.rulesets.fifth_edition.fights._attack import (
    Aim,
    by_type,
    deal_parts,
    strike,
    throw_damage,
    why_not,
    with_effects,
)
from turnwright.rulesets.fifth_edition.fights._corroding import corrode_weapon
from turnwright.rulesets.fifth_edition.fights._economy import (
    has_reaction,
    movement_left,
    spend_movement,
    spend_reaction,
)
from turnwright.rulesets.fifth_edition.fights._extra_damage import straight_run
from turnwright.rulesets.fifth_edition.fights._movement import Walk, placed
from turnwright.rulesets.fifth_edition.fights._special_weapons import awkwardness
from turnwright.rulesets.fifth_edition.fights._swallowing import come_out
from turnwright.rulesets.fifth_edition.fights._weapons import melee_of
from turnwright.rulesets.fifth_edition.fights.traits import block_materials, trait
from turnwright.rulesets.fifth_edition.magic.zone_acts import ZoneActs
from turnwright.rulesets.fifth_edition.space.grid.ground import leaves_reach
from turnwright.rulesets.fifth_edition.targets import body_of, put_creature

if TYPE_CHECKING:
    from turnwright.rulesets.fifth_edition.shapes import ActionReport, MovementReport, OpportunityReport


def walk(act: ActionContext, way: Walk) -> ActionReport:
    """Make a move: rise, go, be struck at, stop where it was the last blow; return the outcome."""
    start = square_of(act.actor.position)
    if act.actor.attached_to is not None and len(way.squares) > 1:
        let_go(act)
    if way.rise is not None:
        creature = act.creature(act.actor_id)
        put_creature(act.world, creature, without_condition(creature.character, "prone").character)
    struck: list[OpportunityReport] = []
    steps = len(way.squares) - 1
    trail = _Trail(act, way)
    for index, attacker_id in _provoked(act, way):
        if not trail.go(index - 1):
            break
        blow = _struck_by(act, attacker_id)
        if blow is not None:
            struck.append(blow)
        fallen = body_of(act.world, act.actor)
        if fallen.is_dead or is_down(fallen):
            trail.is_stopped = True
            break
    trail.go(steps)
    steps = trail.at
    if act.actor.swallowed_by is not None:
        come_out(act)
    if act.actor.has_block:
        began = straight_run(way.squares[: steps + 1])
        ran_from = position_of(began) if began is not None else None
        act.change(act.actor_id, economy=act.actor.economy.replace(ran_from=ran_from))
    _take_along(act, way, steps)
    spend_movement(act, way.cost(steps))
    movement: MovementReport = {
        "from": show_square(start),
        "to": show_square(way.squares[steps]),
        "cost": way.cost(steps),
        "remaining": movement_left(act.world, act.actor),
    }
    return {"movement": movement, "opportunity_attacks": struck}


class _Trail:
    """How far the mover has come; lasting areas act on each step, and may stop it."""

    def __init__(self, act: ActionContext, way: Walk) -> None:
        self._act, self._way = act, way
        self.at = 0
        self.is_stopped = False

    def go(self, index: int) -> bool:
        """Take a step of the way, and return whether the mover gets there."""
        if not self._act.encounter.zones and not self.is_stopped and index != self.at:
            self.at = index
            _stand(self._act, self._way, index)
        while self.at < index and not self.is_stopped:
            self.at += 1
            _stand(self._act, self._way, self.at)
            acts = ZoneActs(self._act.world, self._act.ctx, self._act.args.encounter_id)
            acts.step(self._act.actor_id, self._way.squares[self.at - 1])
            self._act.take_over(acts)
            self.is_stopped = bool(acts.rows) and self._is_held()
        return not self.is_stopped

    def _is_held(self) -> bool:
        """Return whether the mover can go no further: fallen, held, or brought down."""
        body = body_of(self._act.world, self._act.actor)
        values = values_of(self._act.world, self._act.actor)
        return body.is_dead or is_down(body) or not values.speed.effective or "prone" in body.condition_names


def _provoked(act: ActionContext, way: Walk) -> list[tuple[int, str]]:
    """Return the opportunity attackers, and at which step each strikes, in the order in which it happens."""
    world, encounter, mover = act.world, act.encounter, act.actor
    if (
        mover.swallowed_by is not None
        or mover.economy.disengaged
        or len(way.squares) == 1
        or _flies_by(encounter, mover)
    ):
        return []
    body = body_on_grid(world, mover)
    blows = []
    for enemy in encounter.participants:
        if are_hostile(mover, enemy) and enemy.id not in way.dragged and has_reaction(world, enemy):
            index = leaves_reach(way.squares, body, body_on_grid(world, enemy), melee_of(world, enemy).reach)
            if index is not None:
                blows.append((index, enemy.id))
    return sorted(blows, key=lambda blow: blow[0])  # stable: at one step, in the order of turns


def _flies_by(encounter: Encounter, mover: Participant) -> bool:
    """Return whether leaving provokes no opportunity attacks: a trait of some flying creatures."""
    return trait(encounter.block_of(mover), "no_opportunity_attacks") is not None


def _struck_by(act: ActionContext, attacker_id: str) -> OpportunityReport | None:
    """Make an enemy's opportunity attack on the mover where it stands, if it sees and can reach it."""
    world, ctx, encounter = act.world, act.ctx, act.encounter
    attacker, mover = act.person(attacker_id), act.actor
    if not can_see(world, encounter, attacker, mover) or why_not(world, encounter, attacker, mover) is not None:
        return None
    weapon = melee_of(world, attacker)
    spend_reaction(world, encounter, attacker)
    extra = awkwardness(weapon, feet_between(world, attacker, mover))
    blow = strike(world, encounter.id, Aim(attacker_id, mover.id, weapon.attack_bonus, extra=extra), ctx)
    act.triggered += blow.triggered
    taken = 0
    if blow.hits:
        why = f"{attacker_id} strikes {mover.id}"
        thrown = throw_damage(ctx, weapon.damage, why, None, is_critical=blow.is_critical)
        by = act.creature(attacker_id)
        target = act.creature(mover.id)
        parts = with_effects(
            world,
            encounter,
            attacker_id,
            mover.id,
            by_type(thrown, weapon.damage_type),
            ctx,
            is_critical=blow.is_critical,
            by_strength=weapon.by_strength,
        )
        _, harm = deal_parts(
            world,
            target,
            parts,
            ctx,
            by,
            is_critical=blow.is_critical,
            source=weapon.source._replace(materials=weapon.materials | block_materials(encounter.block_of(attacker))),
        )
        act.suffered(harm)
        taken = harm.taken
        corrode_weapon(act, attacker_id, weapon, mover.id)
    return {"attacker_id": attacker_id, "result": blow.result, "damage": taken}


def _stand(act: ActionContext, way: Walk, index: int) -> None:
    act.change(act.actor_id, position=position_of(way.squares[index]))


def _take_along(act: ActionContext, way: Walk, steps: int) -> None:
    if not way.dragged or not steps:
        return
    places = placed(act.world, act.encounter, act.actor, way.squares[: steps + 1], way.dragged)
    for identifier, square in (places or {}).items():
        act.change(identifier, position=position_of(square))
