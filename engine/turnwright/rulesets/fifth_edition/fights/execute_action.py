"""execute_action: any action of a combatant in a fight."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

from turnwright.model.dice.expression import DiceError, has_unlabeled, labels, parse, split_by_label
from turnwright.model.state.overlay import World
from turnwright.model.vocabulary import ActionType
from turnwright.model.wire import hint
from turnwright.model.wire.reason import CallFailed, Reason
from turnwright.rulesets.fifth_edition.battlefield import square_of
from turnwright.rulesets.fifth_edition.condition_sources import grappled, release_broken_grapples
from turnwright.rulesets.fifth_edition.damage import check_concentrations
from turnwright.rulesets.fifth_edition.damage_rules import DAMAGE_TYPES
from turnwright.rulesets.fifth_edition.fights._action import ActionContext, Prepared, begin
from turnwright.rulesets.fifth_edition.fights._action_args import ExecuteActionArgs
from turnwright.rulesets.fifth_edition.fights._action_log import with_action
from turnwright.rulesets.fifth_edition.fights._action_result import ExecuteActionResult
from turnwright.rulesets.fifth_edition.fights._actions.attack import attack
from turnwright.rulesets.fifth_edition.fights._actions.block_action import block_action
from turnwright.rulesets.fifth_edition.fights._actions.cast_spell import cast_spell
from turnwright.rulesets.fifth_edition.fights._actions.dash import dash, gained
from turnwright.rulesets.fifth_edition.fights._actions.disengage import disengage
from turnwright.rulesets.fifth_edition.fights._actions.dodge import dodge
from turnwright.rulesets.fifth_edition.fights._actions.grapple import grapple
from turnwright.rulesets.fifth_edition.fights._actions.help import help_action
from turnwright.rulesets.fifth_edition.fights._actions.hide import hide
from turnwright.rulesets.fifth_edition.fights._actions.ready import ready
from turnwright.rulesets.fifth_edition.fights._actions.search import search
from turnwright.rulesets.fifth_edition.fights._actions.shove import shove
from turnwright.rulesets.fifth_edition.fights._actions.use_item import use_object
from turnwright.rulesets.fifth_edition.fights._actions.use_special_ability import use_special_ability
from turnwright.rulesets.fifth_edition.fights._attaching import release_attached
from turnwright.rulesets.fifth_edition.fights._block_auras import bursts
from turnwright.rulesets.fifth_edition.fights._economy import require_affordable, shown_economy, spend, why_unable
from turnwright.rulesets.fifth_edition.fights._movement import Walk, planned
from turnwright.rulesets.fifth_edition.fights._swallowing import loosen_in_carcasses
from turnwright.rulesets.fifth_edition.fights._walking import walk
from turnwright.rulesets.fifth_edition.magic.summons import settle_summons
from turnwright.rulesets.fifth_edition.magic.zone_acts import ZoneActs
from turnwright.rulesets.tool import Applied, Context
from turnwright.rulesets.toolkit import toolkit

if TYPE_CHECKING:
    from turnwright.rulesets.fifth_edition.shapes import ActionReport, ActionResult

_ACTIONS: Mapping[ActionType, Callable[[ActionContext], Prepared]] = {
    "attack": attack,
    "cast_spell": cast_spell,
    "dash": dash,
    "disengage": disengage,
    "dodge": dodge,
    "help": help_action,
    "hide": hide,
    "ready": ready,
    "search": search,
    "use_object": use_object,
    "use_magic_item": use_object,
    "use_special_ability": use_special_ability,
    "shove": shove,
    "grapple": grapple,
}


@toolkit(
    ExecuteActionArgs,
    ExecuteActionResult,
    example={"encounter_id": "encounter-1", "actor_id": "aria", "action_type": "attack", "target_id": "grik"},
    batch=True,
    shared=("encounter_id",),
)
def execute_action(world: World, args: ExecuteActionArgs, ctx: Context) -> Applied:
    """Act in a fight: attack, cast, move.

    The engine rolls all dice, knows weapons, armor, cover, reach, light and conditions, deals the damage and keeps
    track of a turn's limits: one action, one bonus action, one reaction, movement up to the speed. So leave out
    bonuses and damage of known weapons, and never roll beforehand. A monster added by name does what its stat block
    says: `action` Bite, Multiattack, Fire Breath. Movement goes with `move_to`, alone, or after or before an
    action; enemies that are left behind strike by themselves. Only the current combatant acts, others react
    (`action_cost: reaction`); `advance_turn` moves to the next. Spells: give targets, `damage_expression` and
    `save_ability` (or none, for a spell attack); add conditions that a spell causes with `manage_condition`.
    """
    act = begin(world, _with_types(args), ctx)
    bound = grappled(world, act.encounter)
    release_broken_grapples(world, args.encounter_id)
    require_affordable(act)
    hampered = why_unable(world, act.actor)
    if _goes_first(act):
        report = _go_and_act(act, hampered)
    else:
        prepared = _prepared(act)
        way = planned(act, gained(act) if args.action_type == "dash" else 0)
        spend(act, prepared)
        report = prepared.carry_out() if prepared is not None else {}
        report |= _moved(act, way, hampered)
    report |= _settled(act, report, bound)
    result: ActionResult = {
        "action_type": act.action_type,
        "actor": act.actor_id,
        "target": act.target_id,
        "action_cost": act.cost,
        "opportunity_attacks": [],
        **report,
        "economy": shown_economy(world, act.actor),
    }
    world.put(with_action(act.encounter, result))
    return Applied(dict(result), tuple(act.warnings), packs=act.packs, corrections=tuple(act.corrections))


def _with_types(args: ExecuteActionArgs) -> ExecuteActionArgs:
    """Return arguments whose damage has the type that labels its dice, as in `2d6[fire]`.

    Of several types the first applies to unlabeled dice, unless `damage_type` says it.

    Raises:
        CallFailed: `invalid_args` where every label says another type than `damage_type`, where a product has several,
            and where a total rolled at the table would have several.
    """
    field, got = "args.damage_expression", args.damage_expression
    if got is None:
        return args
    dice = parse(got)
    kinds = labels(dice, DAMAGE_TYPES)
    if not kinds:
        return args
    has_rest = has_unlabeled(dice, DAMAGE_TYPES)
    if args.damage_type is not None and args.damage_type not in kinds and not has_rest:
        detail = f"{field}: says {' and '.join(kinds)}, and args.damage_type {args.damage_type}"
        raise CallFailed(Reason.INVALID_ARGS, detail, hint.ask(field, got))
    try:
        parts = split_by_label(dice, DAMAGE_TYPES, args.damage_type or kinds[0])
    except DiceError as error:
        raise CallFailed(Reason.INVALID_ARGS, f"{field}: {error}", hint.ask(field, got)) from None
    if len(parts) > 1 and args.manual_damage_roll is not None:
        detail = "args.manual_damage_roll: one total of several types cannot be told apart; give one type"
        raise CallFailed(Reason.INVALID_ARGS, detail, hint.ask("args.manual_damage_roll", args.manual_damage_roll))
    return args if args.damage_type is not None else args.model_copy(update={"damage_type": kinds[0]})


def _prepared(act: ActionContext) -> Prepared | None:
    if act.deed is not None:
        return block_action(act)
    return _ACTIONS[act.args.action_type](act) if act.args.action_type is not None else None


def _goes_first(act: ActionContext) -> bool:
    """Return whether the actor moves before it acts: as the call says, else if it can act only from the goal.

    Nothing is rolled; where it can act from neither square, the failure is the one for its present square.
    """
    if act.is_plain_move or not act.moves or act.args.move_when == "after":
        return False
    if act.args.move_when == "before":
        return True
    if act.args.action_type == "dash":
        return False
    try:
        with _nothing_told(act):
            _prepared(act)
    except CallFailed:
        try:
            with _nothing_told(act):
                planned(act)
                with _at_goal(act):
                    _prepared(act)
        except CallFailed:
            return False
        return True
    return False


def _go_and_act(act: ActionContext, hampered: str | None) -> ActionReport:
    """Move, and then act from there; a mover that falls or is stopped on the way does not act."""
    way = planned(act)
    with _nothing_told(act), _at_goal(act):
        _prepared(act)
    report: ActionReport = {"move_when": "before", **(walk(act, way) if way is not None else {})}
    try:
        _require_still_able(act, hampered)
        if way is not None and square_of(act.actor.position) != way.squares[-1]:
            raise CallFailed(Reason.RULE_VIOLATION, f"{act.actor_id} is stopped on the way")
        prepared = _prepared(act)
    except CallFailed as failure:
        act.warnings.append(f"{act.actor_id} goes, and does no more: {failure.detail}")
        return report
    spend(act, prepared)
    return {**(prepared.carry_out() if prepared is not None else {}), **report}


@contextmanager
def _at_goal(act: ActionContext) -> Iterator[None]:
    """Look at the fight as if the actor stood where it wants to go."""
    before = act.actor.position
    if act.args.move_to is not None:
        act.change(act.actor_id, position=act.args.move_to)
    try:
        yield
    finally:
        act.change(act.actor_id, position=before)


@contextmanager
def _nothing_told(act: ActionContext) -> Iterator[None]:
    """Look ahead without recording what was noticed: the real action reports it."""
    warnings, corrections = list(act.warnings), list(act.corrections)
    try:
        yield
    finally:
        act.warnings[:], act.corrections[:] = warnings, corrections


def _moved(act: ActionContext, way: Walk | None, hampered: str | None) -> ActionReport:
    """Go where the call wants to; the action itself may have felled or slowed the actor, or closed the way.

    `hampered` is why the actor could not act in the first place, which a referee has passed over.
    """
    if way is None:
        return {}
    if act.is_plain_move:
        return walk(act, way)
    try:
        _require_still_able(act, hampered)
        again = planned(act, afterwards=True)
    except CallFailed as failure:
        act.warnings.append(f"{act.actor_id} stays: {failure.detail}")
        return {}
    return walk(act, again) if again is not None else {}


def _require_still_able(act: ActionContext, hampered: str | None) -> None:
    why = why_unable(act.world, act.actor)
    if why not in (None, hampered):
        raise CallFailed(Reason.RULE_VIOLATION, f"{act.actor_id} {why}")


def _let_areas_settle(act: ActionContext) -> None:
    """Apply lasting areas to creatures that the action moved into them, and end areas that no caster maintains."""
    if act.encounter.zones:
        acts = ZoneActs(act.world, act.ctx, act.args.encounter_id)
        acts.settle()
        act.take_over(acts)


def _settled(act: ActionContext, report: ActionReport, bound: list[str]) -> ActionReport:
    """Settle the rest: concentration that damage may break, grapples without a grappler.

    `bound` holds those grappled when it began; the contest reports those who break free by themselves.
    """
    act.told += bursts(act)
    _let_areas_settle(act)
    told: ActionReport = {"traits": act.told} if act.told else {}
    if act.areas:
        told["areas"] = act.areas
    made = check_concentrations(act.world, act.harms, act.ctx)
    if made:
        told["concentration_check"] = made[0]
    if len(made) > 1:
        told["concentration_checks"] = made
    left = settle_summons(act.world, act.args.encounter_id)
    if left:
        told["left"] = left
    release_broken_grapples(act.world, act.args.encounter_id)
    loosen_in_carcasses(act.world, act.args.encounter_id)
    release_attached(act.world, act.args.encounter_id)
    held = {*grappled(act.world, act.encounter), *([act.actor_id] if act.args.escape else [])}
    freed = [each for each in bound if each not in held]
    if freed:
        told["freed"] = freed
    if "target_conditions" in report and act.target_id in freed:
        told["target_conditions"] = [each for each in report["target_conditions"] if each != "grappled"]
    if act.triggered:
        told["triggered"] = act.triggered
    return told
