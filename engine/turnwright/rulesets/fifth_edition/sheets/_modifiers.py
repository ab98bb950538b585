"""The modifiers of a character's roll before the die is rolled: bonuses, advantage and disadvantage.

Source: docs/toolkit.md, "Rolls"; SRD 5.1, "Using Ability Scores".
"""

from __future__ import annotations

from typing import NamedTuple, cast

from turnwright.model.state.overlay import World
from turnwright.model.vocabulary import Ability, Skill
from turnwright.rulesets.fifth_edition.condition_sources import fear_in_sight
from turnwright.rulesets.fifth_edition.fights.advantage import Sources
from turnwright.rulesets.fifth_edition.help import take_help
from turnwright.rulesets.fifth_edition.rolls import NOTHING, is_dodging
from turnwright.rulesets.fifth_edition.sheets import checks
from turnwright.rulesets.fifth_edition.sheets.checks import Modifier
from turnwright.rulesets.fifth_edition.sheets.skills import SKILL_ABILITIES
from turnwright.rulesets.fifth_edition.targets import Creature, now, participant_of, require_encounter

CHARMED = "charmed"
_SOCIAL = frozenset({"deception", "intimidation", "performance", "persuasion"})


class Ready(NamedTuple):
    """A roll ready to be made.

    Attributes:
        auto_fail: it fails regardless of the die.
    """

    modifier: Modifier
    sources: Sources = NOTHING
    auto_fail: bool = False


def ready_check(world: World, creature: Creature, ability: Ability, skill: Skill | None, bonus: int = 0) -> Ready:
    """Return a check of an ability, or of a skill of it; a granted help is used up."""
    values = now(world, creature)
    modifier = checks.skill_check(values, skill, bonus) if skill else checks.ability_check(values, ability, bonus)
    sources = checks.check_sources(values, ability, skill, fear_in_sight=_sees_its_fear(world, creature))
    return Ready(_own(creature, modifier), sources + _lent(world, creature))


def ready_initiative(world: World, creature: Creature, bonus: int = 0) -> Ready:
    """Return initiative, a DEX check with bonuses of its own; a granted help is used up."""
    values = now(world, creature)
    modifier = checks.ability_check(values, "dex", bonus)
    sources = checks.initiative_sources(values, fear_in_sight=_sees_its_fear(world, creature))
    return Ready(_own(creature, modifier), sources + _lent(world, creature))


def ready_save(world: World, creature: Creature, ability: Ability, bonus: int = 0) -> Ready:
    """Return a saving throw."""
    values = now(world, creature)
    person = participant_of(world, creature)
    modifier = checks.saving_throw(values, ability, person.save_bonuses if person else {}, bonus)
    dodges = ability == "dex" and person is not None and is_dodging(person, values)
    fails = ability in values.impairment.auto_fail_saves
    sources = checks.save_sources(values, ability) + (Sources(("dodging",)) if dodges else NOTHING)
    return Ready(_own(creature, modifier), sources, fails)


def ready_attack(world: World, creature: Creature, ability: Ability, bonus: int = 0) -> Ready:
    """Return an attack, as far as the attacker itself is concerned."""
    values = now(world, creature)
    modifier = Modifier(values.modifier(ability), values.proficiency, bonus + values.attack_bonus)
    return Ready(_own(creature, modifier), checks.attack_sources(values, fear_in_sight=_sees_its_fear(world, creature)))


def _lent(world: World, creature: Creature) -> Sources:
    """Return the help with a check that a creature was granted in a fight, and use it up."""
    if creature.encounter_id is None or creature.participant_id is None:
        return NOTHING
    return take_help(world, creature.encounter_id, creature.participant_id, "check")


def _own(creature: Creature, modifier: Modifier) -> Modifier:
    """Return the current modifier of an ability; 0 without a sheet."""
    return modifier if creature.character.max_hp is not None else Modifier(0, 0, modifier.bonus)


def charms(creature: Creature, opponent: Creature, skill: Skill | None) -> Sources:
    """Return the advantage of a charmer in dealing with the charmed."""
    ids = {creature.id, creature.character.id}
    is_charmed = any(each.condition == CHARMED and each.source in ids for each in opponent.character.conditions)
    return Sources((CHARMED,)) if skill in _SOCIAL and is_charmed else NOTHING


def ability_of(word: str) -> tuple[Ability, Skill | None]:
    """Return the ability that a word for a check means, and the skill if it is one."""
    skill = next((skill for skill in SKILL_ABILITIES if skill == word), None)
    return (SKILL_ABILITIES[skill], skill) if skill else (cast("Ability", word), None)


def _sees_its_fear(world: World, creature: Creature) -> bool:
    """Return whether a creature sees the source of its fear; outside of fights always."""
    person = participant_of(world, creature)
    if creature.encounter_id is None or person is None:
        return True
    return fear_in_sight(world, require_encounter(world, creature.encounter_id), person)
