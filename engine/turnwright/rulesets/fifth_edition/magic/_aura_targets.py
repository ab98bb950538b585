"""Targets of an aura processed by hand: those that the call names, or all participants of its fight.

Source: docs/toolkit.md, "Auras".
"""

from __future__ import annotations

from collections.abc import Sequence

from turnwright.model.aura import Aura
from turnwright.model.encounter import Encounter
from turnwright.model.state.overlay import World
from turnwright.model.wire import hint
from turnwright.model.wire.reason import CallFailed, Reason
from turnwright.rulesets.fifth_edition.magic._aura_act import Target
from turnwright.rulesets.fifth_edition.magic._aura_args import AuraTarget
from turnwright.rulesets.fifth_edition.magic._auras import targets_in_fight
from turnwright.rulesets.fifth_edition.targets import Creature, fight_of, require_creature


def chosen_targets(
    world: World, aura: Aura, encounter: Encounter | None, named: Sequence[AuraTarget] | None
) -> list[Target]:
    """Return the targets that an aura may reach, and how far each is from its owner; no dice are rolled.

    Raises:
        CallFailed: `invalid_args`, when no target is named outside a fight, or one twice, or without a distance.
    """
    everybody = targets_in_fight(world, aura, encounter) if encounter else []
    if named is None:
        if encounter is None:
            raise _no_target_named(world, aura)
        return everybody
    found: list[Target] = []
    for i, wanted in enumerate(named):
        target = _target(world, wanted, encounter, everybody, f"args.targets.{i}")
        if any(target.id == other.id for other in found):
            field = f"args.targets.{i}"
            raise CallFailed(Reason.INVALID_ARGS, f"{field}: {target.id} is there twice", hint.remove(field))
        found.append(target)
    return found


def _no_target_named(world: World, aura: Aura) -> CallFailed:
    fight = fight_of(world, aura.owner_id)
    detail = f"{aura.id} is bound to no fight: who is near must be told"
    if fight is not None:
        return CallFailed(Reason.INVALID_ARGS, detail, hint.ask_for("args.encounter_id", [fight.id]))
    repair = hint.ask_for("args.targets")
    return CallFailed(Reason.INVALID_ARGS, f"args.targets: is required, as {detail}", repair)


def _target(
    world: World,
    wanted: AuraTarget,
    encounter: Encounter | None,
    everybody: Sequence[Target],
    field: str,
) -> Target:
    creature = _found(world, wanted.target_id, encounter)
    identifier = creature.id if creature else wanted.target_id
    here = next((target for target in everybody if creature and target.id == creature.id), None)
    distance = here.distance if here and wanted.distance is None else wanted.distance
    if distance is None:
        detail = f"{field}.distance: is required, as no position tells it"
        raise CallFailed(Reason.INVALID_ARGS, detail, hint.ask_for(f"{field}.distance"))
    return Target(identifier, creature, distance, wanted.save_modifier)


def meant_id(world: World, identifier: str, encounter: Encounter | None) -> str:
    """Return the id that results use for the creature with this id: in a fight, the participant's."""
    creature = _found(world, identifier, encounter)
    return creature.id if creature else identifier


def _found(world: World, identifier: str, encounter: Encounter | None) -> Creature | None:
    """Return the creature with this id, or None for one the campaign does not know."""
    try:
        return require_creature(world, identifier, None, encounter.id if encounter else None)
    except CallFailed as failure:
        if failure.reason is Reason.NOT_FOUND:
            return None
        raise
