"""Hazards of the ground: their effect on combatants who start a turn in them. Source: docs/toolkit.md, "Fights"."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from turnwright.model.creature import Condition
from turnwright.model.encounter import Encounter, Hazard
from turnwright.model.state.overlay import World
from turnwright.model.vocabulary import Ability
from turnwright.rulesets.fifth_edition.conditions import afflict
from turnwright.rulesets.fifth_edition.damage import DamageResult, check_concentrations, damage
from turnwright.rulesets.fifth_edition.rolls import Save, save, throw_dice
from turnwright.rulesets.fifth_edition.space.grid.space import Body, Square, render_key
from turnwright.rulesets.fifth_edition.targets import Creature, now, participant_of, reload
from turnwright.rulesets.tool import Context

if TYPE_CHECKING:
    from turnwright.rulesets.fifth_edition.shapes import ConcentrationReport, HazardReport, TriggerReport

_SAVE: Ability = "dex"
"""The ability of a save for which a hazard names none."""


class Suffered(NamedTuple):
    """Effects of hazards: a row for each, concentration saves they cost, effects they triggered, and warnings."""

    results: list[HazardReport]
    checks: list[ConcentrationReport]
    triggered: list[TriggerReport]
    warnings: list[str]


def suffer_hazards(world: World, creature: Creature, ctx: Context) -> Suffered:
    """Apply the hazards below a combatant.

    Hazards lie on the ground and spare creatures above it. However many squares of one hazard a large body fills, it
    suffers it once.
    """
    done = Suffered([], [], [], [])
    harms: list[DamageResult] = []
    for hazard in hazards_under(world, creature):
        creature = reload(world, creature)
        if creature.character.is_dead:
            break
        harm = _suffer(world, creature, hazard, ctx, done)
        harms += [harm] if harm else []
    done.checks.extend(check_concentrations(world, harms, ctx))
    return done


def hazards_under(world: World, creature: Creature) -> list[Hazard]:
    """Return the hazards in a combatant's squares, each kind once."""
    person = participant_of(world, creature)
    encounter = world.find(Encounter, creature.encounter_id or "")
    if person is None or encounter is None or person.position.z > 0:
        return []
    at = Square(person.position.x, person.position.y)
    squares = {render_key(x, y) for x, y, _ in Body(at, now(world, creature).size).squares}
    found: dict[str, Hazard] = {}
    for hazard in encounter.terrain.hazards:
        if hazard.position in squares:
            found.setdefault(hazard.type.casefold(), hazard)
    return list(found.values())


def _suffer(world: World, creature: Creature, hazard: Hazard, ctx: Context, done: Suffered) -> DamageResult | None:
    """Roll a hazard's damage, then the save that avoids it, and deal the rest."""
    why = f"{hazard.type} at {hazard.position}"
    rolled = throw_dice(ctx, hazard.damage, why).total if hazard.damage is not None else None
    made: Save | None = None
    if hazard.dc is not None:
        made = save(world, creature, hazard.save_ability or _SAVE, hazard.dc, ctx, why=f"{creature.id} save, {why}")
    is_hit = made is None or not made.success
    harm = damage(world, creature, rolled, hazard.damage_type, ctx) if rolled is not None and is_hit else None
    result: HazardReport = {
        "target_id": creature.id,
        "type": hazard.type,
        "position": hazard.position,
        "save": made.shown() if made else None,
        "damage_rolled": rolled,
        "damage_applied": harm.taken if harm else 0,
        "condition": None,
    }
    if harm is not None:
        done.triggered.extend(harm.triggered)
        done.warnings.extend(harm.notices)
    if hazard.condition is not None:
        result["condition"] = _condition(world, creature, hazard, ctx, done) if is_hit else "resisted"
    done.results.append(result)
    return harm


def _condition(world: World, creature: Creature, hazard: Hazard, ctx: Context, done: Suffered) -> str | None:
    """Give the condition of a hazard to a combatant, unless its damage killed the combatant."""
    creature = reload(world, creature)
    if creature.character.is_dead:
        return None
    given = afflict(world, creature, Condition(condition=hazard.condition, source=hazard.type), ctx)
    done.warnings.extend(given.warnings)
    return "resisted" if given.blocked else "applied"
