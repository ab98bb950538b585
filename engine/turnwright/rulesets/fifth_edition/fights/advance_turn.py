"""advance_turn: end the current combatant's turn, and begin the next one's."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import Field

from turnwright.model.aura import Aura
from turnwright.model.base import Flag
from turnwright.model.encounter import Encounter, Participant
from turnwright.model.state.overlay import World
from turnwright.model.wire.reason import CallFailed, Reason
from turnwright.rulesets.fifth_edition.condition_sources import grappled, release_broken_grapples
from turnwright.rulesets.fifth_edition.fights._attaching import release_attached
from turnwright.rulesets.fifth_edition.fights._rounds import begin_round
from turnwright.rulesets.fifth_edition.fights._swallowing import loosen_in_carcasses
from turnwright.rulesets.fifth_edition.fights._turn_rows import AdvanceTurnResult
from turnwright.rulesets.fifth_edition.fights._turns import (
    Bookkeeping,
    end_turn,
    following,
    is_anybody_up,
    pass_over,
    start_turn,
    take_extra_turn,
)
from turnwright.rulesets.fifth_edition.fights._views import condition_names, named
from turnwright.rulesets.fifth_edition.magic._auras import auras_of, process_aura
from turnwright.rulesets.fifth_edition.magic.summons import settle_summons
from turnwright.rulesets.fifth_edition.magic.zone_acts import ZoneActs
from turnwright.rulesets.fifth_edition.targets import body_of, combatant, now, require_running
from turnwright.rulesets.references import RunningEncounterId
from turnwright.rulesets.tool import Applied, Context
from turnwright.rulesets.toolkit import ToolkitArgs, toolkit

_SHOWN_NEXT = 3


class AdvanceTurnArgs(ToolkitArgs):
    """Arguments of `advance_turn`."""

    encounter_id: RunningEncounterId = Field(description="The running fight.")
    process_effects: Flag = Field(
        default=True, description="Count down conditions and effects, make saves that end them, apply hazards."
    )
    process_auras: Flag = Field(default=True, description="Apply the auras that cover the combatant whose turn begins.")


@toolkit(AdvanceTurnArgs, AdvanceTurnResult, example={"encounter_id": "encounter-1"})
def advance_turn(world: World, args: AdvanceTurnArgs, ctx: Context) -> Applied:
    """End the current turn and begin the next: call it once when the acting combatant is done, never twice in one turn.

    It passes over the dead and over fallen creatures that make no death saves, counts rounds, lets conditions, effects,
    auras and terrain run out, makes the saves that end conditions, and applies hazards and auras to the next combatant.
    Look at `death_save_required` and `triggered` in the result. When all are down, the turn stays: end the fight.
    """
    encounter = require_running(world, args.encounter_id)
    _require_first(encounter, ctx)
    previous = encounter.current
    told = Bookkeeping()
    rounds = encounter.round
    if is_anybody_up(world, encounter):
        _move_on(world, args, ctx, told)
    encounter = require_running(world, encounter.id)
    return Applied(_result(world, encounter, previous, rounds, told).as_written, tuple(told.warnings))


def _require_first(encounter: Encounter, ctx: Context) -> None:
    """Refuse to advance one fight twice in one turn of the campaign."""
    for tool, done in ctx.done:
        if tool == "advance_turn" and done.get("encounter_id") == encounter.id:
            detail = f"{encounter.id} has been advanced in this turn; let what happens now be told first"
            raise CallFailed(Reason.CONFLICT, detail, {"why": "once_a_turn"})


def _move_on(world: World, args: AdvanceTurnArgs, ctx: Context, told: Bookkeeping) -> None:
    encounter = require_running(world, args.encounter_id)
    bound = grappled(world, encounter)
    end_turn(world, encounter, encounter.current, ctx, process_effects=args.process_effects, told=told)
    told.left += settle_summons(world, encounter.id)  # a dismissed creature has no turn
    encounter = require_running(world, args.encounter_id)
    before = encounter.turn_index
    # A combatant is up, so one has a turn.
    again = take_extra_turn(world, encounter, encounter.current)
    if again:
        start_turn(world, encounter, encounter.current, ctx, process_effects=args.process_effects, told=told)
        return
    after = following(world, encounter, before)[0]
    following_id = encounter.participants[after].id
    pass_over(world, encounter, [person.id for person in _between(encounter, before, after)], ctx)
    if after <= before:
        begin_round(world, encounter.id, told)
    encounter = require_running(world, args.encounter_id)
    # Look it up again: a condition or effect that ended meanwhile may have split a creature.
    place = next(n for n, person in enumerate(encounter.participants) if person.id == following_id)
    encounter = encounter.replace(turn_index=place)
    world.put(encounter)
    start_turn(world, encounter, encounter.current, ctx, process_effects=args.process_effects, told=told)
    if args.process_auras:
        _apply_auras(world, encounter, encounter.current, ctx, told)
    _let_areas_settle(world, encounter.id, ctx, told)
    release_broken_grapples(world, encounter.id)
    loosen_in_carcasses(world, encounter.id)
    release_attached(world, encounter.id)
    held = {*grappled(world, require_running(world, encounter.id)), *_already_told(told)}
    told.expired += [{"target_id": each, "condition": "grappled"} for each in bound if each not in held]


def _let_areas_settle(world: World, encounter_id: str, ctx: Context, told: Bookkeeping) -> None:
    """End lasting areas that no caster maintains any more, and dismiss creatures summoned by spells that ended."""
    if require_running(world, encounter_id).zones:
        acts = ZoneActs(world, ctx, encounter_id)
        acts.settle()
        told.areas += acts.rows
        told.warnings += acts.warnings
    told.left += settle_summons(world, encounter_id)


def _already_told(told: Bookkeeping) -> list[str]:
    return [row["target_id"] for row in told.expired if row["condition"] == "grappled"]


def _between(encounter: Encounter, before: int, after: int) -> Sequence[Participant]:
    """Return the combatants between two places in turn order, wrapping around if needed."""
    people = encounter.participants
    return people[before + 1 : after] if after > before else (*people[before + 1 :], *people[:after])


def _apply_auras(world: World, encounter: Encounter, person: Participant, ctx: Context, told: Bookkeeping) -> None:
    """Apply each aura to the combatant whose turn begins; one may end another, with the concentration that holds it."""
    for aura in auras_of(world, encounter.id):
        if world.find(Aura, aura.id) is not None:
            done = process_aura(world, aura, ctx, person.id)
            told.aura_results += done.rows
            told.triggered += done.triggered
            told.warnings += done.warnings


def _result(
    world: World, encounter: Encounter, previous: Participant, rounds: int, told: Bookkeeping
) -> AdvanceTurnResult:
    person = encounter.current
    creature = combatant(world, encounter, person)
    character, values = creature.character, now(world, creature)
    saves = character.death_saves
    is_dying = character.hp == 0 and character.character_type == "pc" and not character.is_dead
    places = following(world, encounter, encounter.turn_index)
    upcoming = [encounter.participants[place].id for place in places]
    return AdvanceTurnResult.model_validate(
        {
            "round": encounter.round,
            "new_round": encounter.round > rounds,
            "previous": named(previous),
            "current": {
                **named(person).as_written,
                "hp": values.hp,
                "max_hp": values.max_hp.effective,
                "conditions": condition_names(body_of(world, person).conditions),
            },
            **told.rows(),
            "death_save_required": is_dying and not (saves is not None and saves.stable),
            "all_down": not is_anybody_up(world, encounter),
            "next": upcoming[:_SHOWN_NEXT],
        }
    )
