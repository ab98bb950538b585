"""The modifiers, advantage and disadvantage of a d20, for checks, saves and attacks.

Source: SRD 5.1, "Using Ability Scores"; docs/toolkit.md, "Rolls".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from turnwright.model.character import Character
from turnwright.model.fuzzy_words import spelling
from turnwright.model.vocabulary import Ability, Skill
from turnwright.rulesets.fifth_edition.fights.advantage import Sources
from turnwright.rulesets.fifth_edition.sheets.derived_stats import Effective
from turnwright.rulesets.fifth_edition.sheets.sheet_rules import casting_ability, saves
from turnwright.rulesets.fifth_edition.sheets.skills import SKILL_ABILITIES

_BY_SENSES = frozenset({"perception", "investigation"})
ATTACKS = ("attack_rolls", "attacks")
CHECKS = ("ability_checks", "checks")
SAVES = ("saving_throws", "saves")
INITIATIVE = ("initiative", "initiative_rolls")
DEATH_SAVES = ("death_saves",)
"""The names that effects use for rolls of each kind; single abilities and skills have their own names beside these."""


class Modifier(NamedTuple):
    """The modifier of a roll, in parts."""

    ability: int = 0
    proficiency: int = 0
    bonus: int = 0

    @property
    def total(self) -> int:
        """The sum of the parts."""
        return self.ability + self.proficiency + self.bonus


def ability_check(now: Effective, ability: Ability, bonus: int = 0) -> Modifier:
    """Return the modifier of an ability check; initiative is a DEX check."""
    return Modifier(
        now.modifier(ability), 0, bonus + now.check_bonus + _granted_bonus(now, (ability, f"{ability}_checks"))
    )


def skill_check(now: Effective, skill: Skill, bonus: int = 0) -> Modifier:
    """Return the modifier of a skill check; expertise counts proficiency twice."""
    times = 2 if skill in now.sheet.skill_expertise else int(skill in now.sheet.skill_proficiencies)
    added = now.check_bonus + _granted_bonus(now, (skill, f"{skill}_checks", f"{SKILL_ABILITIES[skill]}_checks"))
    return Modifier(now.modifier(SKILL_ABILITIES[skill]), now.proficiency * times, bonus + added)


def saving_throw(now: Effective, ability: Ability, own: Mapping[str, int], bonus: int = 0) -> Modifier:
    """Return the modifier of a saving throw; `own` are a participant's save bonuses, which are whole modifiers."""
    added = bonus + now.save_bonus + _granted_bonus(now, (f"{ability}_saves",))
    if ability in own:
        return Modifier(own[ability], 0, added)
    proficient = now.proficiency if ability in saves(now.sheet) else 0
    return Modifier(now.modifier(ability), proficient, added)


def spell_attack(now: Effective) -> int:
    """Return the modifier of a spell attack."""
    ability = casting_ability(now.sheet)
    return now.proficiency + (now.modifier(ability) if ability else 0) + now.attack_bonus


def spell_save_dc(now: Effective) -> int:
    """Return the DC of saves against a caster's spells."""
    ability = casting_ability(now.sheet)
    return 8 + now.proficiency + (now.modifier(ability) if ability else 0)


def check_sources(
    now: Effective, ability: Ability, skill: Skill | None = None, *, fear_in_sight: bool = True
) -> Sources:
    """Return the sources of advantage and disadvantage of an ability check."""
    rolls = [*CHECKS, ability, f"{ability}_checks", *([skill, f"{skill}_checks"] if skill else [])]
    return now.impairment.checks(fear_in_sight=fear_in_sight) + _granted(now, rolls)


def senses_missed(now: Effective, who: str, skill: Skill | None) -> tuple[str, ...]:
    """Return in words which senses fail a searching creature; no rule can tell whether the search needs them."""
    if skill not in _BY_SENSES:
        return ()
    senses = (("see", "sight", now.impairment.fails_sight), ("hear", "hearing", now.impairment.fails_hearing))
    return tuple(f"{who} cannot {verb}: what needs {sense} fails" for verb, sense, is_lost in senses if is_lost)


def initiative_sources(now: Effective, *, fear_in_sight: bool = True) -> Sources:
    """Return the sources of advantage and disadvantage of initiative, a DEX check with a name of its own."""
    return check_sources(now, "dex", fear_in_sight=fear_in_sight) + _granted(now, INITIATIVE)


def save_sources(now: Effective, ability: Ability) -> Sources:
    """Return the sources of advantage and disadvantage of a saving throw."""
    return now.impairment.saves(ability) + _granted(now, [*SAVES, f"{ability}_saves"])


def sources_against(now: Effective, versus: Iterable[str]) -> Sources:
    """Return the effects on a saving throw against something, such as a condition."""
    return _granted(now, [f"save_vs_{word}" for word in versus])


def least_face(now: Character, ability: Ability, natural: int) -> int:
    """Return the face that counts for the d20 of a check: at least the minimum that effects set."""
    return max([natural, *(each.check_floors[ability] for each in now.effects if ability in each.check_floors)])


def death_save_sources(now: Effective) -> Sources:
    """Return the sources of advantage and disadvantage of a death save, a saving throw without an ability."""
    return now.impairment.saves("con") + _granted(now, [*SAVES, *DEATH_SAVES])


def attack_sources(now: Effective, *, fear_in_sight: bool = True, seen: bool = False) -> Sources:
    """Return the sources of advantage and disadvantage of an attack that lie with the attacker."""
    own = now.impairment.own_attacks(fear_in_sight=fear_in_sight, seen=seen)
    return own + _granted(now, ATTACKS)


def weapon_attack_sources(now: Effective, *, by_strength: bool, is_melee: bool) -> Sources:
    """Return the effects that apply to weapon attacks only: those with Strength, those from nearby."""
    rolls = ["str_attack_rolls"] if by_strength else []
    return _granted(now, [*rolls, *(["melee_weapon_attack_rolls"] if is_melee else [])])


def _granted_bonus(now: Effective, rolls: Iterable[str]) -> int:
    """Return the bonuses of effects to single rolls of these names."""
    wanted = {spelling(roll) for roll in rolls}
    return sum(amount for roll, amount in now.roll_bonuses if spelling(roll) in wanted)


def _granted(now: Effective, rolls: Iterable[str]) -> Sources:
    wanted = {spelling(roll) for roll in rolls}
    return Sources(
        tuple(name for roll, name in now.advantage_on if spelling(roll) in wanted),
        tuple(name for roll, name in now.disadvantage_on if spelling(roll) in wanted),
    )
