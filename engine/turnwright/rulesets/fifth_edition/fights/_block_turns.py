"""Update a monster's stat block at the start of its turn: recharge, regenerate and reset counts.

Source: SRD 5.1, "Monsters", "Recharge", "Legendary Actions"; docs/content.md, "Actions of a stat block".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from turnwright.model.creature import Condition, Effect, EndsBy
from turnwright.model.encounter import Encounter, Participant
from turnwright.model.state.overlay import World
from turnwright.rulesets.fifth_edition.condition_sources import source_among
from turnwright.rulesets.fifth_edition.damage import heal
from turnwright.rulesets.fifth_edition.fights.traits import figures, is_in, trait
from turnwright.rulesets.fifth_edition.sheets.effect_list import effect_named, with_effect, without_effect
from turnwright.rulesets.fifth_edition.sheets.health import killed
from turnwright.rulesets.fifth_edition.targets import (
    Creature,
    body_of,
    combatant,
    now,
    put_creature,
    put_participant,
    require_encounter,
)
from turnwright.rulesets.tool import Context

if TYPE_CHECKING:
    from turnwright.model.content_shapes import BlockPart, StatBlock
    from turnwright.rulesets.fifth_edition.shapes import RechargeReport, RegeneratedReport, TraitReport

_RECHARGE_DIE = 6


class Began(NamedTuple):
    """Events at the start of a turn, as `advance_turn` reports them."""

    recharged: list[RechargeReport]
    regenerated: list[RegeneratedReport]
    traits: list[TraitReport]
    warnings: list[str]


def begin_turn(world: World, encounter: Encounter, person_id: str, ctx: Context) -> Began:
    """Give a monster its legendary actions back, roll recharge dice, and let it regenerate."""
    began = Began([], [], [], [])
    person = encounter.participant(person_id)
    block = encounter.block_of(person) if person else None
    if person is None or block is None:
        return began
    if not body_of(world, person).is_dead and (body_of(world, person).hp or 0) > 0:
        person = _recharge(block, person, ctx, began)
    stopped = person.block_use.regeneration_stopped
    use = person.block_use.replace(legendary=0, regeneration_stopped=False)
    put_participant(world, encounter.id, person.replace(block_use=use))
    _rage(world, encounter.id, person_id, trait(block, "berserk"), ctx, began)
    _regenerate(world, encounter.id, person_id, trait(block, "regeneration"), ctx, began, is_stopped=stopped)
    return began


def _recharge(block: StatBlock, person: Participant, ctx: Context, began: Began) -> Participant:
    """Roll a die for each action that has to recharge; players do not see those of foes."""
    for part in (*block.get("actions", ()), *block.get("traits", ())):
        if part["id"] not in person.block_use.recharging:
            continue
        why = f"{person.id} recharges {part['name']}"
        face = ctx.dice.draw(_RECHARGE_DIE, why, hidden=person.is_enemy)
        least = part["recharge"]["min"]
        began.recharged.append(
            {
                "target_id": person.id,
                "action": part["name"],
                "natural": face,
                "needed": least,
                "ready": face >= least,
            }
        )
        if face >= least:
            left = tuple(each for each in person.block_use.recharging if each != part["id"])
            person = person.replace(block_use=person.block_use.replace(recharging=left))
    return person


def _rage(world: World, encounter_id: str, person_id: str, part: BlockPart | None, ctx: Context, began: Began) -> None:
    """Roll whether a hurt monster goes berserk; it is itself again once it has all its hit points."""
    person = require_person(world, encounter_id, person_id)
    creature = combatant(world, require_encounter(world, encounter_id), person)
    hp, rages = creature.character.hp or 0, effect_named(creature.character, part["name"]) if part else None
    if part is None or creature.character.is_dead or not hp:
        return
    said = figures(part)
    row: TraitReport = {"source_id": person_id, "action": part["name"]}
    if rages:
        if hp >= now(world, creature).max_hp.effective:
            put_creature(world, creature, without_effect(creature.character, rages.effect_id).character)
            began.traits.append({**row, "outcome": f"{person_id} is itself again"})
        return
    if hp > said["hp_max"]:
        return
    why = f"{person_id}, {part['name']}"
    face = ctx.dice.draw(int(said["die"].removeprefix("d")), why, hidden=person.is_enemy)
    row |= {"natural": face, "needed": said["on"]}
    if face >= said["on"]:
        calm = said.get("calm_check")
        effect = Effect(
            effect_id=world.new_id("effect", held=[each.effect_id for each in creature.character.effects]),
            name=part["name"],
            source=person_id,
            ends_by=EndsBy(skill=calm["skill"], dc=calm["dc"], within=calm["within"]) if calm else None,
        )
        put_creature(world, creature, with_effect(creature.character, effect).character)
        row["outcome"] = f"{person_id} goes berserk"
    began.traits.append(row)


def _regenerate(
    world: World,
    encounter_id: str,
    person_id: str,
    part: BlockPart | None,
    ctx: Context,
    began: Began,
    *,
    is_stopped: bool,
) -> None:
    encounter = require_encounter(world, encounter_id)
    person = encounter.participant(person_id)
    if part is None or person is None:
        return
    creature, said = combatant(world, encounter, person), figures(part)
    if creature.character.is_dead:
        return
    lives_on = "dies_only_if" in said
    is_stopped = is_stopped or any(is_in(creature.character, place) for place in said.get("stopped_in", ()))
    if is_stopped:
        began.warnings.append(f"{person_id} does not regenerate this turn")
        if lives_on and creature.character.hp == 0:
            _die(world, creature, ctx)
            began.warnings.append(f"{person_id} dies")
        return
    if creature.character.hp == 0 and not lives_on:
        return
    amount = heal(world, creature, said["amount"], ctx, is_magic=False)
    if amount:
        hp = body_of(world, require_person(world, encounter_id, person_id)).hp
        began.regenerated.append({"target_id": person_id, "trait": part["name"], "amount": amount, "hp": hp})


def require_person(world: World, encounter_id: str, person_id: str) -> Participant:
    """Return a participant who is present."""
    person = require_encounter(world, encounter_id).participant(person_id)
    if person is None:
        raise LookupError(f"{person_id} is not in {encounter_id}")
    return person


def _die(world: World, creature: Creature, ctx: Context) -> None:
    changes = ctx.settings["rules.hp_zero_ends_game"]
    put_creature(world, creature, killed(creature.character, changes_state=changes))


def withstand(world: World, creature: Creature, condition: Condition) -> None:
    """Record that a creature saved against something that does not affect it again."""
    encounter = require_encounter(world, creature.encounter_id or "") if creature.encounter_id else None
    source = source_among(encounter, condition.source) if encounter else None
    if encounter is None or source is None:
        return
    for part in (encounter.block_of(source) or {}).get("actions", ()):
        brings = any(each["id"] == condition.condition for each in part.get("conditions", ()))
        known = source.block_use.proof.get(part["id"], ())
        if "immune_after" in part and brings and creature.id not in known:
            proof = {**source.block_use.proof, part["id"]: (*known, creature.id)}
            put_participant(world, encounter.id, source.replace(block_use=source.block_use.replace(proof=proof)))
            source = require_person(world, encounter.id, source.id)
