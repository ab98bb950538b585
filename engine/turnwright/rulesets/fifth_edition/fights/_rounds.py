"""Start a new round: terrain, auras and concentration are a round older. Source: docs/toolkit.md, "Fights"."""

from __future__ import annotations

from turnwright.model.encounter import Encounter
from turnwright.model.state.overlay import World
from turnwright.rulesets.fifth_edition.fights._terrain import one_round_later
from turnwright.rulesets.fifth_edition.fights._turns import Bookkeeping
from turnwright.rulesets.fifth_edition.magic._auras import auras_of, ticked
from turnwright.rulesets.fifth_edition.maintained_effects import end_concentration
from turnwright.rulesets.fifth_edition.targets import fighters, put_creature, reload


def begin_round(world: World, encounter_id: str, told: Bookkeeping) -> None:
    """Count down everything that lasts for rounds; it ends when none are left."""
    encounter = world.find(Encounter, encounter_id)
    if encounter is None:
        raise LookupError(f"{encounter_id} is not there")
    terrain, over = one_round_later(encounter.terrain)
    encounter = encounter.replace(round=encounter.round + 1, terrain=terrain)
    world.put(encounter)
    told.terrain_expired += [{"terrain_type": each.terrain_type, "positions": list(each.positions)} for each in over]
    _, faded = ticked(world, auras_of(world, encounter_id))
    told.auras_expired += [{"aura_id": aura.id, "spell_name": aura.spell_name} for aura in faded]
    _age_concentration(world, encounter, told)


def _age_concentration(world: World, encounter: Encounter, told: Bookkeeping) -> None:
    for creature in fighters(world, encounter):
        creature = reload(world, creature)
        held = creature.character.concentration
        left = None if held is None else held.duration if held.rounds_remaining is None else held.rounds_remaining
        if held is None or left is None:
            continue
        if left > 1:
            put_creature(
                world, creature, creature.character.replace(concentration=held.replace(rounds_remaining=left - 1))
            )
            continue
        end_concentration(world, creature)
        told.concentration_ended.append({"target_id": creature.id, "spell_name": held.spell_name})
