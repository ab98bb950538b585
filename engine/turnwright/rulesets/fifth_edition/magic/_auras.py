"""Auras at work: whom they reach, in which order they act, and when they are over.

`manage_aura` processes auras when it is asked to, `advance_turn` when a turn begins. Source: docs/toolkit.md,
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
    """What an aura did: a row for each target, who was passed over, what else to know, and effects it set off."""

    rows: list[AuraReport]
    skipped: list[str]
    warnings: list[str]
    triggered: list[TriggerReport]

    def plus(self, other: Processed) -> Processed:
        """Return what two did one after the other."""
        return Processed(
            self.rows + other.rows,
            self.skipped + other.skipped,
            self.warnings + other.warnings,
            self.triggered + other.triggered,
        )


def process_aura(world: World, aura: Aura, ctx: Context, participant_id: str) -> Processed:
    """Let an aura of a running fight act on the participant whose turn begins, if it touches them."""
    reached = [target for target in targets_in_fight(world, aura) if target.id == participant_id]
    return run_aura(world, aura, ctx, [target for target in reached if target.distance <= aura.radius])


def auras_of(world: World, encounter_id: str) -> list[Aura]:
    """Return the auras that are bound to a fight, oldest first."""
    return sorted(world.all_tagged(Aura, encounter_tag(encounter_id)), key=lambda aura: (len(aura.id), aura.id))


def owner_of(world: World, aura: Aura, encounter: Encounter | None) -> Creature | None:
    """Return who an aura surrounds, or None when they are gone."""
    person = participant_behind(encounter, aura.owner_id) if encounter else None
    if encounter is not None and person is not None:
        return combatant(world, encounter, person)
    character = world.character(aura.owner_id)
    return creature_of(world, character) if character else None


def participant_behind(encounter: Encounter, owner_id: str) -> Participant | None:
    """Return the place in a fight of whom an aura's `owner_id` means, or None."""
    return next((person for person in encounter.participants if owner_id in (person.character_id, person.id)), None)


def targets_in_fight(world: World, aura: Aura, encounter: Encounter | None = None) -> list[Target]:
    """Return everybody in the fight of an aura, with how far they are from its owner."""
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

    Drawn in this order: the dice of damage, those of healing, a save for each target, then what concentration asks.
    Who is out of reach, dead, or of a side that the aura does not affect draws nothing.
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
    """Return whether an aura is meant for somebody, wherever they are; the dead it never touches."""
    creature = target.creature
    if creature is None:
        return True
    if reload(world, creature).character.is_dead:
        return False
    if owner is not None and (creature.id, creature.encounter_id) == (owner.id, owner.encounter_id):
        return aura.affects_self
    if owner is None or creature.encounter_id is None or creature.encounter_id != owner.encounter_id:
        return True  # who is named outside of any fight is on no side
    return aura.affects_enemies if _side(world, creature) != _side(world, owner) else aura.affects_allies


def _side(world: World, creature: Creature) -> bool:
    person = participant_of(world, creature)
    return person is not None and person.is_enemy


def ticked(world: World, auras: Iterable[Aura], by: int = 1) -> tuple[list[Aura], list[Aura]]:
    """Take rounds from auras that are counted in them; return those that go on, and those that ran out.

    What has gone meanwhile, with its owner's concentration for example, is in neither.
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
