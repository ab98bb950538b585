"""Creatures that attach to others and drain them: what they drain each turn, and what makes them let go.

Source: SRD 5.1, "Monsters" (Stirge); docs/content.md, "Attached".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from turnwright.model.creature import Effect, EndsBy, TurnBlow
from turnwright.model.encounter import Encounter, Participant
from turnwright.model.state.overlay import World
from turnwright.rulesets.fifth_edition.battlefield import body_on_grid, free_near, is_down, position_of
from turnwright.rulesets.fifth_edition.fights._action import ActionContext
from turnwright.rulesets.fifth_edition.fights._inflicting import dice_of
from turnwright.rulesets.fifth_edition.fights.traits import figures
from turnwright.rulesets.fifth_edition.sheets.effect_list import with_effect, without_effect
from turnwright.rulesets.fifth_edition.targets import (
    body_of,
    combatant,
    put_creature,
    put_participant,
    require_encounter,
)

if TYPE_CHECKING:
    from turnwright.model.content_shapes import BlockPart

_NEAR = 30
"""Feet within which a creature that lets go, or is pulled off, finds room."""


def attach(act: ActionContext, part: BlockPart, target_id: str) -> str:
    """Hang the actor on a creature: it moves with it, and drains it as each of its own turns starts."""
    said, creature = figures(part)["attach"], act.creature(target_id)
    effect = Effect(
        effect_id=act.world.new_id("effect", held=[each.effect_id for each in creature.character.effects]),
        name=f"{part['name']} ({act.actor_id})",
        type="curse",
        source=act.actor_id,
        turn_damage=TurnBlow(dice=dice_of(said["drain"]), whose=act.actor_id, left=said["until_drained"]),
        ends_by=EndsBy(),
    )
    put_creature(act.world, creature, with_effect(creature.character, effect).character)
    act.change(act.actor_id, attached_to=target_id, position=act.person(target_id).position)
    return effect.name


def feet_to_let_go(encounter: Encounter, person: Participant) -> int:
    """Return the feet of movement that letting go costs a combatant: 0 when it is not attached."""
    if person.attached_to is None:
        return 0
    parts = (encounter.block_of(person) or {}).get("actions", ())
    return max((int(figures(each)["attach"]["movement"]) for each in parts if "attach" in figures(each)), default=0)


def let_go(act: ActionContext) -> None:
    """Detach the actor from its victim, as it moves away."""
    bearer = act.encounter.participant(act.actor.attached_to or "")
    if bearer is not None:
        _take_off(act.world, act.encounter, bearer, act.actor_id)
    act.change(act.actor_id, attached_to=None)


def release_attached(world: World, encounter_id: str, *, everybody: bool = False) -> None:
    """Detach creatures that are dead, were pulled off, have drained enough, or whose victim is dead."""
    for person in require_encounter(world, encounter_id).participants:
        if person.attached_to is None:
            continue
        encounter = require_encounter(world, encounter_id)
        bearer = encounter.participant(person.attached_to)
        if bearer is not None and not everybody and _holds(world, person, bearer):
            continue
        changes: dict[str, Any] = {"attached_to": None}
        if bearer is not None:
            _take_off(world, encounter, bearer, person.id)
            own = body_on_grid(world, person)
            there = free_near(world, encounter, body_on_grid(world, bearer), own, _NEAR)
            changes |= {} if there is None else {"position": position_of(there)}
        put_participant(world, encounter_id, person.replace(**changes))


def _holds(world: World, person: Participant, bearer: Participant) -> bool:
    own, theirs = body_of(world, person), body_of(world, bearer)
    if own.is_dead or is_down(own) or theirs.is_dead or (is_down(theirs) and bearer.has_block):
        return False
    return any(_hangs(each, person.id) for each in theirs.effects)


def _hangs(effect: Effect, identifier: str) -> bool:
    blow = effect.turn_damage
    return effect.source == identifier and blow is not None and blow.left is not None


def _take_off(world: World, encounter: Encounter, bearer: Participant, identifier: str) -> None:
    creature = combatant(world, encounter, bearer)
    for effect in creature.character.effects:
        if _hangs(effect, identifier):
            put_creature(world, creature, without_effect(creature.character, effect.effect_id).character)
