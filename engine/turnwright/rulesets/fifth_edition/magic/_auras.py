"""Process auras: the creatures they reach, the order in which they act, and when they end.

`manage_aura` processes auras on request, `advance_turn` when a turn begins. Source: docs/toolkit.md,
"Auras".
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from turnwright.model.aura import Aura, encounter_tag
from turnwright.model.encounter import Encounter, Participant
from turnwright.model.state.overlay import World
from turnwright.rulesets.fifth_edition import damage as harm
from turnwright.rulesets.fifth_edition.magic._aura_act import NO_FACES, AuraAct, Faces, Target, Touched, untouched
from turnwright.rulesets.fifth_edition.space.grid.distance import between
from turnwright.rulesets.fifth_edition.space.grid.space import Body, Square
from turnwright.rulesets.fifth_edition.targets import Creature, combatant, creature_of, now, participant_of, reload
from turnwright.rulesets.tool import Context

if TYPE_CHECKING:
    from turnwright.rulesets.fifth_edition.shapes import AuraReport, TriggerReport


class Processed(NamedTuple):
    """The effects of an aura: a row for each target, the skipped targets, warnings, and effects it triggered."""

    rows: list[AuraReport]
    skipped: list[str]
    warnings: list[str]
    triggered: list[TriggerReport]

    def plus(self, other: Processed) -> Processed:
        """Return the effects of two auras, one after the other."""
        return Processed(
            self.rows + other.rows,
            self.skipped + other.skipped,
            self.warnings + other.warnings,
            self.triggered + other.triggered,
        )


def process_aura(world: World, aura: Aura, ctx: Context, participant_id: str) -> Processed:
    """Apply an aura of a running fight to the participant whose turn begins, if the aura reaches it."""
    reached = [target for target in targets_in_fight(world, aura) if target.id == participant_id]
    return run_aura(world, aura, ctx, [target for target in reached if target.distance <= aura.radius])


def auras_of(world: World, encounter_id: str) -> list[Aura]:
    """Return the auras that are bound to a fight, oldest first."""
    return sorted(world.all_tagged(Aura, encounter_tag(encounter_id)), key=lambda aura: (len(aura.id), aura.id))


def owner_of(world: World, aura: Aura, encounter: Encounter | None) -> Creature | None:
    """Return the creature at the center of an aura, or None when it is gone."""
    person = participant_behind(encounter, aura.owner_id) if encounter else None
    if encounter is not None and person is not None:
        return combatant(world, encounter, person)
    character = world.character(aura.owner_id)
    return creature_of(world, character) if character else None


def participant_behind(encounter: Encounter, owner_id: str) -> Participant | None:
    """Return the place in a fight of the creature with an aura's `owner_id`, or None."""
    return next((person for person in encounter.participants if owner_id in (person.character_id, person.id)), None)


def targets_in_fight(world: World, aura: Aura, encounter: Encounter | None = None) -> list[Target]:
    """Return all participants of an aura's fight, with their distances from its owner."""
    encounter = encounter or (world.find(Encounter, aura.encounter_id) if aura.encounter_id else None)
    person = participant_behind(encounter, aura.owner_id) if encounter else None
    if encounter is None or person is None or not encounter.is_running:
        return []
    centre = _body(world, encounter, person)
    return [
        Target(other.id, combatant(world, encounter, other), between(centre, _body(world, encounter, other)))
        for other in encounter.participants
    ]


def _body(world: World, encounter: Encounter, person: Participant) -> Body:
    at = person.position
    return Body(Square(at.x, at.y, at.z), now(world, combatant(world, encounter, person)).size)


def run_aura(world: World, aura: Aura, ctx: Context, targets: Sequence[Target], faces: Faces = NO_FACES) -> Processed:
    """Let an aura act on these targets, in their order.

    Dice are rolled in this order: damage, healing, a save for each target, then concentration saves.
    No dice are rolled for targets that are out of reach, dead, or on a side that the aura does not affect.
    """
    encounter = world.find(Encounter, aura.encounter_id) if aura.encounter_id else None
    owner = owner_of(world, aura, encounter)
    chosen: list[Target] = []
    skipped: list[str] = []
    for target in targets:
        if _affects(world, aura, owner, target):
            chosen.append(target)
        else:
            skipped.append(target.id)
    within = [target for target in chosen if target.distance <= aura.radius]
    done = Processed([], skipped, [], [])
    act = AuraAct(world, aura, ctx, owner).thrown(faces) if within else None
    saves = {target.id: act.save(target, faces.saves.get(target.id)) for target in within} if act else {}
    touched = {target.id: act.touch(target, saves[target.id]) for target in within} if act else {}
    for target in chosen:
        touch = touched.get(target.id, Touched(untouched(aura, target)))
        check = harm.check_concentration(world, touch.harm, ctx) if touch.harm else None
        done.rows.append(touch.row | ({"concentration_check": check} if check else {}))
        done.warnings.extend(touch.warnings)
        done.triggered.extend(touch.harm.triggered if touch.harm else ())
    return done


def _affects(world: World, aura: Aura, owner: Creature | None, target: Target) -> bool:
    """Return whether an aura affects a creature, whatever its position; it never affects the dead."""
    creature = target.creature
    if creature is None:
        return True
    if reload(world, creature).character.is_dead:
        return False
    if owner is not None and (creature.id, creature.encounter_id) == (owner.id, owner.encounter_id):
        return aura.affects_self
    if owner is None or creature.encounter_id is None or creature.encounter_id != owner.encounter_id:
        return True  # targets named outside a fight have no side
    return aura.affects_enemies if _side(world, creature) != _side(world, owner) else aura.affects_allies


def _side(world: World, creature: Creature) -> bool:
    person = participant_of(world, creature)
    return person is not None and person.is_enemy


def ticked(world: World, auras: Iterable[Aura], by: int = 1) -> tuple[list[Aura], list[Aura]]:
    """Count rounds down for auras that last a number of rounds; return those that continue, and those that ran out.

    Auras that ended meanwhile, for example with their owner's concentration, are in neither.
    """
    left: list[Aura] = []
    expired: list[Aura] = []
    for aura in filter(None, [world.find(Aura, aura.id) for aura in auras]):
        rounds = aura.rounds_remaining
        if rounds is None:
            left.append(aura)
        elif rounds > by:
            left.append(aura.replace(rounds_remaining=rounds - by))
            world.put(left[-1])
        else:
            expired.append(aura)
            world.remove(aura.path)
    return left, expired
