"""roll_check: a check, a saving throw, an attack roll or initiative, with or without an opponent."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal, NamedTuple

from pydantic import Field

from turnwright.model.base import Flag, ListOf, Model, SafeInt
from turnwright.model.state.overlay import World
from turnwright.model.vocabulary import Ability, Skill
from turnwright.model.wire import hint
from turnwright.model.wire.reason import CallFailed, Reason
from turnwright.rulesets.core.people import require_character
from turnwright.rulesets.fifth_edition import rolls
from turnwright.rulesets.fifth_edition.bonus_dice import RollOf, throw_bonus_dice
from turnwright.rulesets.fifth_edition.fights.advantage import Mode
from turnwright.rulesets.fifth_edition.fights.attack_roll import attack_result, is_hit
from turnwright.rulesets.fifth_edition.sheets._contest import (
    ContestArgs,
    ContestResult,
    Opponent,
    contest,
    require_opponent,
)
from turnwright.rulesets.fifth_edition.sheets._modifiers import (
    Ready,
    charms,
    ready_attack,
    ready_check,
    ready_initiative,
    ready_save,
)
from turnwright.rulesets.fifth_edition.sheets._sheet_args import Points
from turnwright.rulesets.fifth_edition.sheets.checks import Modifier, least_face, senses_missed
from turnwright.rulesets.fifth_edition.sheets.race_traits import is_lucky
from turnwright.rulesets.fifth_edition.sheets.skills import SKILL_ABILITIES
from turnwright.rulesets.fifth_edition.targets import Creature, creature_of, now, participant_of
from turnwright.rulesets.references import D20, CharacterId, Choice, Name
from turnwright.rulesets.tool import Applied, Context
from turnwright.rulesets.toolkit import ToolkitArgs, toolkit

if TYPE_CHECKING:
    from turnwright.rulesets.fifth_edition.sheets.shapes import RolledCheck, RolledContest

CheckType = Annotated[
    Literal["skill", "ability", "save", "attack", "initiative"],
    Choice(
        {
            "skill": ("skill check",),
            "ability": ("ability check", "check", "raw"),
            "save": ("saving throw", "saving", "throw", "resist"),
            "attack": ("attack roll", "to hit", "hit"),
            "initiative": ("init",),
        }
    ),
]


class RollCheckArgs(ToolkitArgs):
    """Arguments of `roll_check`."""

    needs: ClassVar = {"skill": ("skill",), "ability": ("ability",), "save": ("ability",), "attack": ("ability",)}
    only_for: ClassVar = {"skill": ("skill",)}
    operation_key: ClassVar[str] = "check_type"

    character_id: CharacterId | None = Field(
        default=None, description="Id of the roller. Without one only the bonus is added to the die."
    )
    character_name: Name | None = Field(default=None, description="Name of the roller, in place of the id.")
    check_type: CheckType = Field(description="The kind of roll.")
    skill: Skill | None = Field(default=None, description="For skill: the skill.")
    ability: Ability | None = Field(default=None, description="For ability, save and attack: the ability.")
    dc: Points | None = Field(default=None, description="The total to reach; for an attack the armor class.")
    advantage: Flag = Field(default=False, description="Roll twice and keep the higher.")
    disadvantage: Flag = Field(default=False, description="Roll twice and keep the lower.")
    bonus: Points = Field(default=0, description="Added to the total.")
    contested_by: CharacterId | None = Field(default=None, description="Id or name of the opponent.")
    contested_check: ContestArgs | None = Field(default=None, description="The opponent's roll.")
    manual_roll: D20 | None = Field(default=None, description="The face of the d20 rolled at the table.")
    manual_rolls: ListOf[D20] | None = Field(
        default=None, min_length=2, max_length=2, description="Two faces, for advantage and disadvantage."
    )


class RollCheckResult(Model):
    """The dice, the modifiers, and the outcome."""

    check_type: CheckType
    ability: Ability | None
    skill: Skill | None
    natural: SafeInt = Field(description="The face of the d20 that counts.")
    rolls: ListOf[SafeInt]
    mode: Mode = Field(description="normal, advantage, disadvantage, or cancelled: both, so neither.")
    ability_mod: SafeInt
    proficiency: SafeInt
    bonus: SafeInt
    modifier: SafeInt = Field(description="Ability, proficiency and bonus together.")
    total: SafeInt
    dc: SafeInt | None
    success: Flag | None = Field(description="Null without a dc, and for a tie.")
    nat20: Flag
    nat1: Flag
    auto_fail: Flag = Field(description="A condition made the saving throw fail, whatever the die.")
    contest: ContestResult | None


_DICE: Mapping[str, RollOf] = {"save": "save", "attack": "attack"}
"""The kinds of roll to which effects add dice of their own; all others are checks."""


class _Wanted(NamedTuple):
    """The requested roll."""

    kind: str
    ability: Ability
    skill: Skill | None


@toolkit(
    RollCheckArgs,
    RollCheckResult,
    example={"character_name": "Mira", "check_type": "skill", "skill": "stealth", "dc": 15},
    batch=True,
)
def roll_check(world: World, args: RollCheckArgs, ctx: Context) -> Applied:
    """Roll a d20 to decide an uncertain attempt, with all modifiers, advantage and disadvantage.

    Modifiers, proficiency, conditions and effects of a character are looked up: do not add them as bonus. Attacks,
    grapples and hiding in a fight belong to `execute_action`, death saves to `roll_death_save`. With `contested_by` and
    `contested_check` an opponent rolls against it; a tie has no winner. Only attacks succeed on a 20 and fail on a 1.
    """
    wanted = _understood(args)
    creature = None
    if args.character_id is not None or args.character_name is not None:
        creature = creature_of(world, require_character(world, args.character_id, args.character_name))
    word = wanted.skill or wanted.ability
    opponent = require_opponent(world, args.contested_by, args.contested_check, creature)

    ready = _ready(world, creature, wanted, args.bonus)
    sources = ready.sources + rolls.mode_sources(advantage=args.advantage, disadvantage=args.disadvantage)
    sources += charms(creature, opponent.creature, wanted.skill) if creature and opponent else rolls.NOTHING
    why = f"{creature.id if creature else 'nobody'} {word} {wanted.kind}"
    hidden = creature is not None and rolls.is_out_of_sight(participant_of(world, creature))
    lucky = creature is not None and is_lucky(creature.character, _DICE.get(wanted.kind, "check"))
    d20 = rolls.throw(ctx, why, sources, args.manual_roll, args.manual_rolls or (), hidden=hidden, lucky=lucky)
    if creature is not None:
        if wanted.kind in ("ability", "skill"):
            d20 = d20._replace(natural=least_face(creature.character, wanted.ability, d20.natural))
        dice = throw_bonus_dice(world, creature, _DICE.get(wanted.kind, "check"), ctx, hidden=hidden)
        ready = ready._replace(modifier=ready.modifier._replace(bonus=ready.modifier.bonus + dice))
    total = d20.natural + ready.modifier.total
    against = contest(world, ctx, creature, total, opponent) if opponent else None
    return Applied(_told(wanted, args, ready, d20, against), _missed(world, creature, wanted, opponent))


def _understood(args: RollCheckArgs) -> _Wanted:
    """Return the requested roll; refuse a skill and an ability that do not fit together."""
    if args.check_type == "skill" and args.skill is not None:
        return _Wanted("skill", _only(args, SKILL_ABILITIES[args.skill]), args.skill)
    if args.check_type == "initiative" or args.ability is None:
        return _Wanted(args.check_type, _only(args, "dex"), None)
    return _Wanted(args.check_type, args.ability, None)


def _only(args: RollCheckArgs, ability: Ability) -> Ability:
    if args.ability not in (None, ability):
        detail = f"args.ability: {args.skill or args.check_type} goes with {ability}"
        raise CallFailed(Reason.INVALID_ARGS, detail, hint.ask("args.ability", args.ability, [ability]))
    return ability


def _ready(world: World, creature: Creature | None, wanted: _Wanted, bonus: int) -> Ready:
    if creature is None:
        return Ready(Modifier(0, 0, bonus))
    if wanted.kind == "save":
        return ready_save(world, creature, wanted.ability, bonus)
    if wanted.kind == "attack":
        return ready_attack(world, creature, wanted.ability, bonus)
    if wanted.kind == "initiative":
        return ready_initiative(world, creature, bonus)
    return ready_check(world, creature, wanted.ability, wanted.skill, bonus)


def _missed(world: World, creature: Creature | None, wanted: _Wanted, opponent: Opponent | None) -> tuple[str, ...]:
    own = senses_missed(now(world, creature), creature.id, wanted.skill) if creature else ()
    if opponent is None:
        return own
    other = opponent.creature
    return own + senses_missed(now(world, other), other.id, opponent.skill)


def _told(
    wanted: _Wanted, args: RollCheckArgs, ready: Ready, d20: rolls.D20, against: RolledContest | None
) -> RolledCheck:
    added = ready.modifier
    total = d20.natural + added.total
    return {
        "check_type": wanted.kind,
        "ability": wanted.ability,
        "skill": wanted.skill,
        "natural": d20.natural,
        "rolls": list(d20.rolls),
        "mode": d20.mode,
        "ability_mod": added.ability,
        "proficiency": added.proficiency,
        "bonus": added.bonus,
        "modifier": added.total,
        "total": total,
        "dc": args.dc,
        "success": _success(wanted.kind, d20.natural, total, args.dc, ready, against),
        "nat20": d20.natural == 20,
        "nat1": d20.natural == 1,
        "auto_fail": ready.auto_fail,
        "contest": against,
    }


def _success(
    kind: str, natural: int, total: int, dc: int | None, ready: Ready, against: RolledContest | None
) -> bool | None:
    if ready.auto_fail:
        return False
    if dc is not None:
        return is_hit(attack_result(natural, total, dc)) if kind == "attack" else total >= dc
    return None if against is None or against["tie"] else total > against["opponent_total"]
