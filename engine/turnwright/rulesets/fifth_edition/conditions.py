"""Apply conditions from tools: immunities, effects that they end, and their sources.

Every new condition is applied here, except those caused by hit points. Source: docs/toolkit.md, "Conditions"; SRD 5.1,
"Appendix PH-A: Conditions".
"""

from __future__ import annotations

from typing import NamedTuple

from turnwright.model.base import name_tag
from turnwright.model.character import Character
from turnwright.model.creature import Condition
from turnwright.model.encounter import Encounter, Participant
from turnwright.model.state.overlay import World
from turnwright.rulesets.fifth_edition.condition_list import EXHAUSTION, gained, with_condition
from turnwright.rulesets.fifth_edition.fights.traits import is_steadfast
from turnwright.rulesets.fifth_edition.maintained_effects import end_maintained_effects
from turnwright.rulesets.fifth_edition.sheets import health
from turnwright.rulesets.fifth_edition.sheets.derived_stats import impairment_of, mechanics
from turnwright.rulesets.fifth_edition.targets import Creature, count_conditions, now, put_creature, reload
from turnwright.rulesets.fifth_edition.triggers import told, triggers
from turnwright.rulesets.tool import Context


class Afflicted(NamedTuple):
    """The result of applying a condition.

    Attributes:
        changed: whether the condition is new, stronger or longer than before.
        blocked: whether the creature is immune to it.
        concentration_broken: the spell whose concentration it broke, or None.
        creature: the creature after the change.
        warnings: what else the game master should know, in words.
    """

    changed: bool
    blocked: bool
    concentration_broken: str | None
    creature: Creature
    warnings: tuple[str, ...] = ()


def afflict(world: World, creature: Creature, condition: Condition, ctx: Context) -> Afflicted:
    """Apply a condition to a creature; this draws no dice and cannot fail.

    A duration in rounds starts to run, a first level of exhaustion is filled in, and a source that names a creature
    becomes its id. An unconscious creature falls prone; the sixth level of exhaustion kills.

    Args:
        world: the campaign.
        creature: the creature that gets it.
        condition: the condition as the call or the rules state it.
        ctx: the settings in force.
    """
    creature = reload(world, creature)
    if (
        condition.condition in now(world, creature).condition_immunities
        or _is_warded(world, creature, condition)
        or is_steadfast(world, creature, condition.condition)
    ):
        return Afflicted(False, True, None, creature)
    wanted = _complete(world, creature, condition)
    after, changed = with_condition(creature.character, wanted)
    if not changed:
        return Afflicted(False, False, None, creature)
    if mechanics(wanted).falls_prone and "prone" not in now(world, creature).condition_immunities:
        after = with_condition(after, Condition(condition="prone")).character
    dies = impairment_of(after).dead and not after.is_dead
    hurt = put_creature(world, creature, _killed(after, ctx) if dies else after)
    count_conditions(world, hurt, {wanted.condition, *gained(creature.character, after)})
    lost = end_maintained_effects(world, hurt)
    triggered = told(triggers(creature, "on_death")) if dies else ()
    return Afflicted(True, False, lost.spell, reload(world, hurt), (*lost.notices(hurt), *triggered))


def _is_warded(world: World, creature: Creature, condition: Condition) -> bool:
    """Return whether an effect protects from a condition that a creature of some kind causes."""
    wards = [each for each in creature.character.effects if condition.condition in each.condition_immunities]
    wards = [each for each in wards if each.versus_kinds]
    encounter = world.find(Encounter, creature.encounter_id) if wards and creature.encounter_id else None
    source = encounter.meant(condition.source or "") if encounter else None
    kind = (encounter.block_of(source) or {}).get("type") if encounter and source else None
    return any(kind in each.versus_kinds for each in wards)


def source_id(
    world: World, source: str | None, encounter_id: str | None = None, *, lasting: bool = False
) -> str | None:
    """Return the id of the creature that the source of a condition or effect names; any other text as it is.

    Args:
        world: the campaign.
        source: an id, a name or any text.
        encounter_id: the fight whose participants are tried first.
        lasting: whether the id must be valid after the fight, as for a caster's concentration.
    """
    if source is None:
        return None
    encounter = world.find(Encounter, encounter_id) if encounter_id else None
    person = _participant(encounter, source) if encounter else None
    if person is not None:
        return person.character_id if lasting and person.character_id else person.id
    if world.character(source) is not None:
        return source
    named = world.all_tagged(Character, name_tag(source))
    return named[0].id if len(named) == 1 else source


def _participant(encounter: Encounter, source: str) -> Participant | None:
    by_id = [person for person in encounter.participants if source in (person.id, person.character_id)]
    found = by_id or [person for person in encounter.participants if name_tag(person.name) == name_tag(source)]
    return found[0] if len(found) == 1 else None


def _complete(world: World, creature: Creature, condition: Condition) -> Condition:
    """Return a condition with the values that the call leaves to the rules."""
    lasting = condition.duration == "concentration"
    changes: dict[str, object] = {}
    source = source_id(world, condition.source, creature.encounter_id, lasting=lasting)
    if source != condition.source:
        changes["source"] = source
    if isinstance(condition.duration, int) and condition.rounds_remaining is None:
        changes["rounds_remaining"] = condition.duration
    if condition.condition == EXHAUSTION and condition.exhaustion_level is None:
        changes["exhaustion_level"] = 1
    return condition.replace(**changes) if changes else condition


def _killed(character: Character, ctx: Context) -> Character:
    dead = health.killed(character, changes_state=ctx.settings["rules.hp_zero_ends_game"])
    return dead if character.hp is not None else dead.replace(hp=None)
