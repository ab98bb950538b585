"""Casters: whether they can cast, and the ability check that some magic requires.

Source: docs/toolkit.md, "Rolls"; SRD 5.1, "Casting a Spell".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from pydantic import Field

from turnwright.model.base import ListOf
from turnwright.model.state.overlay import World
from turnwright.model.vocabulary import Ability, Skill
from turnwright.model.wire.reason import CallFailed, Reason
from turnwright.rulesets.fifth_edition import rolls
from turnwright.rulesets.fifth_edition.condition_sources import fear_in_sight
from turnwright.rulesets.fifth_edition.fights.advantage import Sources
from turnwright.rulesets.fifth_edition.help import take_help
from turnwright.rulesets.fifth_edition.rolls import NOTHING, throw
from turnwright.rulesets.fifth_edition.sheets import checks
from turnwright.rulesets.fifth_edition.sheets.derived_stats import impairment_of
from turnwright.rulesets.fifth_edition.sheets.race_traits import is_lucky
from turnwright.rulesets.fifth_edition.targets import Creature, now, participant_of, require_encounter
from turnwright.rulesets.references import D20
from turnwright.rulesets.tool import Context

ManualRolls = Annotated[ListOf[D20], Field(min_length=1, max_length=2, examples=[[12, 7]])]
"""The faces of one or two d20s rolled at a real table."""
ONE_FACE = "The face of a d20 that fell on a real table, in place of the throw; counts whatever the mode."
TWO_FACES = "Two such faces, for advantage or disadvantage; otherwise the first counts."


def require_able(creature: Creature, what: str) -> None:
    """Refuse a caster who is dead, at 0 hit points or incapacitated."""
    character = creature.character
    why = "is dead" if character.is_dead else "is at 0 hit points" if character.hp == 0 else None
    if why is None and impairment_of(character).incapacitated:
        why = "is incapacitated"
    if why is not None:
        raise CallFailed(Reason.RULE_VIOLATION, f"{creature.id} {why}, and cannot {what}")


def caster_check(
    world: World,
    creature: Creature,
    ability: Ability,
    skill: Skill | None,
    ctx: Context,
    *,
    why: str,
    extra: Sources = NOTHING,
    manual: int | None = None,
    manuals: Sequence[int] = (),
) -> rolls.D20:
    """Roll the d20 of a check, with advantage and disadvantage; the caller adds the modifier."""
    in_sight, helped = True, NOTHING
    person = participant_of(world, creature)
    if creature.encounter_id is not None and person is not None:
        in_sight = fear_in_sight(world, require_encounter(world, creature.encounter_id), person)
        helped = take_help(world, creature.encounter_id, person.id, "check")
    sources = checks.check_sources(now(world, creature), ability, skill, fear_in_sight=in_sight)
    lucky = is_lucky(creature.character, "check")
    return throw(ctx, why, sources + helped + extra, manual, manuals, lucky=lucky)
