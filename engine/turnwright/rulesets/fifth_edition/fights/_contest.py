"""Checks in a fight, and contests of strength: grapple, shove, break free.

Source: SRD 5.1, "Contests", "Grappling", "Shoving a Creature".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from turnwright.model.encounter import Participant
from turnwright.model.vocabulary import Ability, Skill
from turnwright.model.wire.reason import CallFailed, Reason
from turnwright.rulesets.fifth_edition.battlefield import feet_between, living, values_of
from turnwright.rulesets.fifth_edition.bonus_dice import throw_bonus_dice
from turnwright.rulesets.fifth_edition.condition_sources import charmer_of, fear_in_sight, hand_reach
from turnwright.rulesets.fifth_edition.fights import traits
from turnwright.rulesets.fifth_edition.fights._action import ActionContext, instead_of_target, why_not_oneself
from turnwright.rulesets.fifth_edition.fights.advantage import Sources
from turnwright.rulesets.fifth_edition.help import take_help
from turnwright.rulesets.fifth_edition.rolls import D20, NOTHING, is_out_of_sight, mode_sources, throw
from turnwright.rulesets.fifth_edition.sheets import checks
from turnwright.rulesets.fifth_edition.sheets.race_traits import is_lucky
from turnwright.rulesets.fifth_edition.sheets.skills import SKILL_ABILITIES
from turnwright.rulesets.fifth_edition.space.grid.space import SIZES

if TYPE_CHECKING:
    from turnwright.rulesets.fifth_edition.shapes import CheckReport, ContestReport


class Check(NamedTuple):
    """A check as it was rolled: of a skill, or of an ability alone."""

    skill: Skill | None
    d20: D20
    modifier: int
    ability: Ability | None = None

    @property
    def total(self) -> int:
        """The face and all that is added."""
        return self.d20.natural + self.modifier

    def shown(self, dc: int) -> CheckReport:
        """Return the check as results hold it."""
        told: CheckReport = {
            "skill": self.skill,
            "natural": self.d20.natural,
            "rolls": list(self.d20.rolls),
            "mode": self.d20.mode,
            "modifier": self.modifier,
            "total": self.total,
            "dc": dc,
            "success": self.total >= dc,
        }
        if self.ability is not None:
            told["ability"] = self.ability
        return told


class Contest(NamedTuple):
    """An opposed check of two skills; a tie changes nothing."""

    actor: Check
    target: Check

    @property
    def success(self) -> bool:
        """Whether the initiator wins."""
        return self.actor.total > self.target.total

    def shown(self) -> ContestReport:
        """Return the contest as results hold it."""
        return {
            "actor_total": self.actor.total,
            "target_total": self.target.total,
            "success": self.success,
            "actor_skill": self.actor.skill,
            "target_skill": self.target.skill,
        }


def check(act: ActionContext, participant_id: str, *skills: Skill) -> Check:
    """Roll a combatant's check of the best of these skills; the call's advantage applies to the actor."""
    world, encounter, person = act.world, act.encounter, act.person(participant_id)
    values = values_of(world, person)
    own = (encounter.block_of(person) or {}).get("skills", {})
    modifiers = {skill: own.get(skill, checks.skill_check(values, skill).total) for skill in skills}
    skill = max(skills, key=lambda each: modifiers[each])
    sources = checks.check_sources(
        values, SKILL_ABILITIES[skill], skill, fear_in_sight=fear_in_sight(world, encounter, person)
    )
    sources += traits.check_sources(world, encounter, person, skill)
    sources += take_help(world, encounter.id, participant_id, "check")
    sources += _said(act) if participant_id == act.actor_id else NOTHING
    hidden = is_out_of_sight(person) or (person.is_enemy and act.args.action_type == "hide")
    lucky = is_lucky(act.creature(participant_id).character, "check")
    d20 = throw(act.ctx, f"{participant_id} {skill}", sources, hidden=hidden, lucky=lucky)
    dice = throw_bonus_dice(world, act.creature(participant_id), "check", act.ctx, hidden=hidden)
    return Check(skill, d20, modifiers[skill] + dice)


def ability_check(act: ActionContext, participant_id: str, *abilities: Ability) -> Check:
    """Roll a check of the best of some bare abilities; the call's advantage applies to the actor."""
    values = values_of(act.world, act.person(participant_id))
    ability = max(abilities, key=lambda each: checks.ability_check(values, each).total)
    said = _said(act) if participant_id == act.actor_id else NOTHING
    return _of_ability(act, participant_id, ability, ability, said)


def strength(act: ActionContext, participant_id: str) -> int:
    """Roll a check of bare strength, and return its total."""
    return _of_ability(act, participant_id, "str", "strength", NOTHING).total


def _of_ability(act: ActionContext, participant_id: str, ability: Ability, called: str, said: Sources) -> Check:
    """Roll a check of a bare ability; `called` names it in the record of the die."""
    world, encounter, person = act.world, act.encounter, act.person(participant_id)
    values = values_of(world, person)
    sources = checks.check_sources(values, ability, fear_in_sight=fear_in_sight(world, encounter, person))
    sources += take_help(world, encounter.id, participant_id, "check")
    sources += said
    hidden, lucky = is_out_of_sight(person), is_lucky(act.creature(participant_id).character, "check")
    d20 = throw(act.ctx, f"{participant_id} {called}", sources, hidden=hidden, lucky=lucky)
    dice = throw_bonus_dice(world, act.creature(participant_id), "check", act.ctx, hidden=hidden)
    return Check(None, d20, checks.ability_check(values, ability).total + dice, ability)


def contest(act: ActionContext, skills: tuple[Skill, ...], target_id: str, against: tuple[Skill, ...]) -> Contest:
    """Let the actor and a target contend, each with the better of these skills."""
    return Contest(check(act, act.actor_id, *skills), check(act, target_id, *against))


def require_wrestling(act: ActionContext, target: Participant) -> None:
    """Refuse a target that is the actor, out of reach, over one size larger, or that charmed the actor.

    Raises:
        CallFailed: `rule_violation`, with the possible targets.
    """
    why = _why_not(act, target)
    if why is not None:
        others = living(act.world, act.encounter, {act.actor_id, target.id})
        could = [other.id for other in others if other.is_enemy != act.actor.is_enemy and _why_not(act, other) is None]
        raise CallFailed(Reason.RULE_VIOLATION, why, instead_of_target(act, could))


def _why_not(act: ActionContext, target: Participant) -> str | None:
    if act.actor_id == target.id:
        return why_not_oneself(act.actor, target)
    charmer = charmer_of(act.world, act.encounter, act.actor)
    if charmer is not None and charmer.id == target.id:
        return f"{act.actor_id} is charmed by {target.id}"
    apart, own_reach = feet_between(act.world, act.actor, target), hand_reach(act.actor)
    if apart > own_reach:
        return f"{target.id} is {apart} feet away, and the reach is {own_reach} feet"
    own, theirs = (values_of(act.world, person).size for person in (act.actor, target))
    if SIZES.index(theirs) > SIZES.index(own) + 1:
        return f"{target.id} is {theirs}, too large for {own}"
    return None


def _said(act: ActionContext) -> Sources:
    return mode_sources(advantage=act.args.advantage, disadvantage=act.args.disadvantage)
