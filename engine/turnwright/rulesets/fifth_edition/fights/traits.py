"""Traits of stat blocks that dice know: advantage and disadvantage on a monster's rolls, and its used-up parts.

No dice are rolled here. Source: SRD 5.1, "Monsters"; docs/content.md, "Traits that the dice know".
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, cast

from turnwright.model.character import Character
from turnwright.model.encounter import BlockUse, Encounter, Participant
from turnwright.model.state.overlay import World
from turnwright.model.vocabulary import Ability, DamageType, Material
from turnwright.rulesets.fifth_edition.battlefield import are_hostile, can_see, feet_between, is_down, living, values_of
from turnwright.rulesets.fifth_edition.condition_list import found
from turnwright.rulesets.fifth_edition.fights.advantage import Sources
from turnwright.rulesets.fifth_edition.fights.executable import PLACES, WEAKNESSES
from turnwright.rulesets.fifth_edition.space.grid.distance import CLOSE
from turnwright.rulesets.fifth_edition.targets import Creature, body_of, participant_of, put_participant

if TYPE_CHECKING:
    from turnwright.content.pack import Found
    from turnwright.model.content_shapes import (
        BlockAttack,
        BlockPart,
        DamageShape,
        HindranceFigures,
        PartFigures,
        SaveShape,
        StatBlock,
    )

MAGIC = "magic"
"""What a save is against, when it is a spell or another magical effect."""
_STEADFAST = 30
_MAGICAL = frozenset({"spells", "magical_effects", "magic"})


def block_of(world: World, creature: Creature) -> StatBlock | None:
    """Return the stat block of a combatant, or None where it has none."""
    encounter = world.find(Encounter, creature.encounter_id) if creature.encounter_id else None
    person = encounter.participant(creature.participant_id or "") if encounter else None
    return encounter.block_of(person) if encounter and person else None


def block_in(entry: Found) -> StatBlock:
    """Return the stat block that an entry of content is."""
    return cast("StatBlock", entry.value)


def trait(block: StatBlock | None, kind: str) -> BlockPart | None:
    """Return the first trait of a kind, or None."""
    return next((each for each in (block or {}).get("traits", ()) if each.get("kind") == kind), None)


def figures(part: BlockPart) -> PartFigures:
    """Return the further figures of a part."""
    return part.get("figures", {})


def sickness_of(part: BlockPart) -> str:
    """Return the name of the disease or the curse that a part causes."""
    name: str | None = figures(part)["sickens"].get("name")
    return f"Disease ({part['name']})" if name is None else name.replace("_", " ").capitalize()


def attack_of(part: BlockPart) -> BlockAttack:
    """Return the attack roll of a part that is an attack."""
    attack = part["attack"]
    assert not isinstance(attack, str)
    return attack


def save_of(part: BlockPart) -> SaveShape:
    """Return the saving throw that a part asks of others."""
    asked = part["save"]
    assert not isinstance(asked, str)
    return asked


def ability_of(asked: SaveShape) -> Ability:
    """Return the ability of a saving throw that leaves no choice."""
    ability = asked["ability"]
    assert isinstance(ability, str)
    return ability


def type_of(damage: DamageShape) -> DamageType:
    """Return the type of a part of damage that leaves no choice."""
    kind = damage["type"]
    assert isinstance(kind, str)
    return kind


def block_materials(block: StatBlock | None) -> frozenset[Material]:
    """Return what the weapons of a stat block are by a trait."""
    return frozenset({"magical"}) if trait(block, "magic_weapons") is not None else frozenset()


# what is used up


def uses_left(part: BlockPart, use: BlockUse) -> int | None:
    """Return how often a part can be used again, or None where its uses are not counted."""
    counted = part.get("uses")
    return None if counted is None else max(0, counted["count"] - use.uses.get(part["id"], 0))


def with_use(use: BlockUse, part: BlockPart) -> BlockUse:
    """Return what is used up after a part was used: a counted use, and what a die has to give back."""
    if "uses" in part:
        use = use.replace(uses={**use.uses, part["id"]: use.uses.get(part["id"], 0) + 1})
    if "recharge" in part and part["id"] not in use.recharging:
        use = use.replace(recharging=(*use.recharging, part["id"]))
    return use


def spend(world: World, creature: Creature, part: BlockPart) -> None:
    """Count one use of a part of a combatant's stat block."""
    person = participant_of(world, creature)
    if person is not None:
        after = person.replace(block_use=with_use(person.block_use, part))
        put_participant(world, creature.encounter_id or "", after)


def is_in(character: Character, place: str) -> bool:
    """Return whether a creature is in a place that the grid does not know, such as `sunlight`: a condition says it."""
    named = {name.strip().casefold().replace(" ", "_") for name in character.condition_names}
    return place in named


def _hindered(world: World, encounter: Encounter, person: Participant, roll: str) -> tuple[str, ...]:
    """Return the traits that hinder a kind of roll where a creature is."""
    found_traits = []
    for each in (encounter.block_of(person) or {}).get("traits", ()):
        # One trait is all about it, and the other has it beside what else it does.
        said = cast("HindranceFigures", figures(each).get("disadvantage", figures(each)))
        is_one = each.get("kind") in ("disadvantage", WEAKNESSES) and said.get("when") in PLACES
        if is_one and roll in said.get("on", ()) and is_in(body_of(world, person), said["when"]):
            found_traits.append(each["name"])
    return tuple(found_traits)


def check_sources(world: World, encounter: Encounter, person: Participant, skill: str) -> Sources:
    """Return what traits do to a combatant's check."""
    hinders = _hindered(world, encounter, person, "check")
    by_sight = _hindered(world, encounter, person, "perception_sight") if skill == "perception" else ()
    return Sources((), (*hinders, *by_sight))


# attacks


def attack_sources(world: World, encounter: Encounter, attacker: Participant, target: Participant) -> Sources:
    """Return what traits of attacker and target do to an attack roll."""
    helps = [
        each["name"]
        for each in (encounter.block_of(attacker) or {}).get("traits", ())
        if each.get("kind") == "advantage_attacks" and _helps(world, encounter, attacker, target, figures(each))
    ]
    return Sources(tuple(helps), _hindered(world, encounter, attacker, "attack"))


def _helps(world: World, encounter: Encounter, attacker: Participant, target: Participant, said: PartFigures) -> bool:
    match said.get("when"):
        case "ally_within_5_of_target_not_incapacitated":
            return has_ally_beside(world, encounter, attacker, target)
        case "target_below_max_hp":
            values = values_of(world, target)
            return values.hp < values.max_hp.effective
        case "target_grappled_by_self":
            held = found(body_of(world, target), "grappled")
            return held is not None and held.source == attacker.id
        case "first_turn_target_has_not_acted":
            return encounter.round == 1 and _comes_after(encounter, target)
        case "first_round_target_surprised":
            return encounter.round == 1 and target.surprised
    return False


def has_ally_beside(world: World, encounter: Encounter, attacker: Participant, target: Participant) -> bool:
    """Return whether a friend of the attacker who can act is within 5 feet of the target."""
    return any(
        not are_hostile(attacker, other)
        and not is_down(body_of(world, other))
        and not values_of(world, other).impairment.incapacitated
        and feet_between(world, other, target) <= CLOSE
        for other in living(world, encounter, {attacker.id, target.id})
    )


def _comes_after(encounter: Encounter, target: Participant) -> bool:
    """Return whether a combatant's first turn is still to come."""
    return encounter.turn_index < [person.id for person in encounter.participants].index(target.id)


def hits_are_critical(encounter: Encounter, attacker: Participant, target: Participant) -> bool:
    """Return whether every hit is a critical one by a trait of the attacker."""
    return target.surprised and any(
        figures(each).get("critical_when") == "target_surprised"
        for each in (encounter.block_of(attacker) or {}).get("traits", ())
    )


# saves


def save_sources(world: World, creature: Creature, ability: Ability, versus: Collection[str]) -> Sources:
    """Return what traits do to a saving throw.

    Args:
        world: the campaign.
        creature: the saving creature.
        ability: the ability of the save.
        versus: what against: conditions, `poison`, or `magic` for spells and other magical effects.
    """
    helps = []
    for each in (*(block_of(world, creature) or {}).get("traits", ()), *_lent(world, creature)):
        said = figures(each)
        against: Collection[str] = ()
        if each.get("kind") == "advantage_saves":
            against = {MAGIC if word in _MAGICAL else word for word in said.get("vs", ())}
        elif each.get("kind") in ("two_heads", "heads"):
            against = said.get("saves_vs", ())
        if ability in said.get("abilities", (ability,)) and any(word in versus for word in against):
            helps.append(each["name"])
    person = participant_of(world, creature)
    encounter = world.find(Encounter, creature.encounter_id or "")
    hinders = _hindered(world, encounter, person, "save") if encounter and person else ()
    return Sources(tuple(helps), hinders)


def _lent(world: World, creature: Creature) -> Iterator[BlockPart]:
    """Yield the traits of others that help a creature's saves: of those near, for creatures that the trait names."""
    encounter, own = world.find(Encounter, creature.encounter_id or ""), participant_of(world, creature)
    if encounter is None or own is None or own.stat_block is None:
        return
    for other in living(world, encounter, {own.id}):
        for each in (encounter.block_of(other) or {}).get("traits", ()):
            said = figures(each)
            if "aura" in said and each.get("kind") == "advantage_saves" and own.stat_block in said.get("also", ()):
                near = not is_down(body_of(world, other)) and feet_between(world, own, other) <= said["aura"]
                yield from [each] if near else ()


def is_sleepless(world: World, creature: Creature) -> bool:
    """Return whether magic cannot put a creature to sleep."""
    parts = (block_of(world, creature) or {}).get("traits", ())
    return any("magical_sleep" in figures(each).get("immune", ()) for each in parts)


def is_steadfast(world: World, creature: Creature, condition: str) -> bool:
    """Return whether a trait keeps a condition away from a creature that sees a friend within 30 feet."""
    parts = (block_of(world, creature) or {}).get("traits", ())
    if not any(each.get("kind") == "immune_when" and figures(each).get("condition") == condition for each in parts):
        return False
    encounter, own = world.find(Encounter, creature.encounter_id or ""), participant_of(world, creature)
    return (
        encounter is not None
        and own is not None
        and any(
            not are_hostile(own, other)
            and feet_between(world, own, other) <= _STEADFAST
            and can_see(world, encounter, own, other)
            for other in living(world, encounter, {own.id})
        )
    )


def resists(world: World, creature: Creature) -> bool:
    """Turn a failed save into a success where a trait can, and count that; return whether it did."""
    person, part = participant_of(world, creature), trait(block_of(world, creature), "legendary_resistance")
    if person is None or part is None or not uses_left(part, person.block_use):
        return False
    spend(world, creature, part)
    return True
