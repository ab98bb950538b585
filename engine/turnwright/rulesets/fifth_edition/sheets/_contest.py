"""Two characters who roll against each other. Source: SRD 5.1, "Contests"."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal, NamedTuple

from pydantic import Field

from turnwright.model.base import Flag, Id, Model, SafeInt, name_tag
from turnwright.model.character import Character
from turnwright.model.state.overlay import World
from turnwright.model.vocabulary import Ability, AbilityWord, Skill, SkillWord
from turnwright.model.wire import hint
from turnwright.model.wire.reason import CallFailed, Reason
from turnwright.rulesets.core.people import not_found
from turnwright.rulesets.fifth_edition.bonus_dice import throw_bonus_dice
from turnwright.rulesets.fifth_edition.rolls import NOTHING, is_out_of_sight, throw
from turnwright.rulesets.fifth_edition.sheets._modifiers import ability_of, charms, ready_check
from turnwright.rulesets.fifth_edition.sheets.checks import least_face
from turnwright.rulesets.fifth_edition.sheets.race_traits import is_lucky
from turnwright.rulesets.fifth_edition.targets import Creature, creature_of, participant_of
from turnwright.rulesets.reference_lookup import CANDIDATES
from turnwright.rulesets.references import Choice
from turnwright.rulesets.tool import Context

if TYPE_CHECKING:
    from turnwright.rulesets.fifth_edition.sheets.shapes import RolledContest

_SYNONYMS = {
    "str": ("strength",),
    "dex": ("dexterity",),
    "con": ("constitution",),
    "int": ("intelligence",),
    "wis": ("wisdom",),
    "cha": ("charisma",),
    "deception": ("deceive", "lie", "bluff"),
    "insight": ("sense motive",),
    "intimidation": ("intimidate",),
    "perception": ("notice", "spot", "listen"),
    "persuasion": ("persuade",),
    "stealth": ("sneak", "hide"),
}


class ContestArgs(Model):
    """The opponent's roll against a check."""

    type: Annotated[Literal["skill", "ability"], Choice()] = Field(description="Whether a skill or a bare ability.")
    skill_or_ability: Annotated[Literal[SkillWord, AbilityWord], Choice(_SYNONYMS)] = Field(
        description="The skill or ability."
    )


class ContestResult(Model):
    """The opponent's roll; a tie has no winner."""

    opponent: Id
    opponent_total: SafeInt
    winner: Id | None = Field(description="Null for a tie, and for a roller without a character.")
    tie: Flag


class Opponent(NamedTuple):
    """The opponent of a check, and its roll."""

    creature: Creature
    ability: Ability
    skill: Skill | None


def require_opponent(
    world: World, who: str | None, check: ContestArgs | None, roller: Creature | None
) -> Opponent | None:
    """Return the opponent of a check, or None if there is none.

    Args:
        world: the campaign.
        who: an id or a name.
        check: the opponent's roll; required with `who`, and only allowed with it.
        roller: the character who rolls the check, and cannot be the opponent.

    Raises:
        CallFailed: `invalid_args`, `not_found` or `ambiguous`.
    """
    if who is None:
        if check is not None:
            detail = "args.contested_check: wants contested_by beside it"
            raise CallFailed(
                Reason.INVALID_ARGS, detail, hint.ask_for("args.contested_by", CANDIDATES["character"](world))
            )
        return None
    if check is None:
        repair = hint.ask_for("args.contested_check")
        raise CallFailed(Reason.INVALID_ARGS, "args.contested_check: is required with contested_by", repair)
    ability, skill = ability_of(check.skill_or_ability)
    kind = "ability" if skill is None else "skill"
    if kind != check.type:
        repair = hint.repair("args.contested_check.type", check.type, kind)
        detail = f"args.contested_check.type: {check.skill_or_ability} is no {check.type}"
        raise CallFailed(Reason.INVALID_ARGS, detail, repair)
    creature = creature_of(world, _named(world, who))
    if roller is not None and creature.character.id == roller.character.id:
        others = [known for known in CANDIDATES["character"](world) if known != creature.character.id]
        repair = hint.ask("args.contested_by", who, others)
        raise CallFailed(Reason.INVALID_ARGS, f"{who} cannot roll against themselves", repair)
    return Opponent(creature, ability, skill)


def contest(world: World, ctx: Context, roller: Creature | None, total: int, opponent: Opponent) -> RolledContest:
    """Roll the opponent's die, and return a `ContestResult`."""
    creature = opponent.creature
    ready = ready_check(world, creature, opponent.ability, opponent.skill)
    sources = ready.sources + (charms(creature, roller, opponent.skill) if roller else NOTHING)
    why = f"{creature.id} {opponent.skill or opponent.ability} contest"
    hidden = is_out_of_sight(participant_of(world, creature))
    d20 = throw(ctx, why, sources, hidden=hidden, lucky=is_lucky(creature.character, "check"))
    dice = throw_bonus_dice(world, creature, "check", ctx, hidden=hidden)
    theirs = least_face(creature.character, opponent.ability, d20.natural) + ready.modifier.total + dice
    winner = None if theirs == total else creature.id if theirs > total else roller and roller.id
    return {"opponent": creature.id, "opponent_total": theirs, "winner": winner, "tie": theirs == total}


def _named(world: World, who: str) -> Character:
    found = world.character(who)
    if found is not None:
        return found
    named = world.all_tagged(Character, name_tag(who))
    if not named:
        raise not_found(world, "character", "args.contested_by", who)
    if len(named) > 1:
        ids = sorted(person.id for person in named)
        repair = hint.ask("args.contested_by", who, ids)
        raise CallFailed(Reason.AMBIGUOUS, f"{who} could be {', '.join(ids)}", repair)
    return named[0]
