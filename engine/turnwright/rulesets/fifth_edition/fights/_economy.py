"""Turn economy: one action, one bonus action, one reaction and movement; who may spend them, and what is left.

Source: SRD 5.1, "The Order of Combat", "Your Turn"; docs/toolkit.md, "Fights".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from turnwright.model.base import Count, Flag, Model
from turnwright.model.encounter import Economy, Encounter, Participant
from turnwright.model.state.overlay import World
from turnwright.model.wire import hint
from turnwright.model.wire.reason import CallFailed, Reason
from turnwright.rulesets.fifth_edition.battlefield import is_down, values_of
from turnwright.rulesets.fifth_edition.fights._action import ActionContext, Prepared
from turnwright.rulesets.fifth_edition.fights._readied import wait_no_more
from turnwright.rulesets.fifth_edition.targets import body_of

if TYPE_CHECKING:
    from turnwright.rulesets.fifth_edition.shapes import EconomyReport

_FREE = ("use_object", "use_special_ability")
_ONLY_READIED = ("dash", "disengage", "dodge", "help", "hide", "search", "ready")
"""Actions that are reactions only where they were readied."""
_COUNTED = ("action", "bonus_action", "reaction")


# what is left


class EconomyShown(Model):
    """What a combatant has left of a turn: true means unspent; movement in feet."""

    action: Flag
    bonus_action: Flag
    reaction: Flag
    free_object: Flag
    movement: Count
    attacks: Count


def movement_left(world: World, person: Participant) -> int:
    """Return how many feet a combatant can still move this turn: 0 with a speed of 0."""
    speed = values_of(world, person).speed.effective
    return max(0, speed + person.economy.dashes - person.economy.movement) if speed else 0


def attacks_left(person: Participant) -> int:
    """Return how many attacks of an Attack action a combatant has left this turn."""
    economy = person.economy
    if not economy.action:
        return person.strike.attacks
    return max(0, person.strike.attacks - economy.attacks) if economy.attacks else 0


def shown_economy(world: World, person: Participant) -> EconomyReport:
    """Return what a combatant has left of the turn, as results hold it."""
    economy, slowed = person.economy, is_slowed(world, person)
    return {
        "action": not economy.action and not (slowed and economy.bonus_action),
        "bonus_action": not economy.bonus_action and not (slowed and economy.action),
        "reaction": not economy.reaction and not slowed,
        "free_object": not economy.free_object,
        "movement": movement_left(world, person),
        "attacks": (0 if economy.action else 1) if slowed else attacks_left(person),
    }


def is_slowed(world: World, person: Participant) -> bool:
    """Return whether an effect takes reactions, and leaves one attack and one kind of action a turn."""
    return any(effect.slowed for effect in body_of(world, person).effects)


def why_unable(world: World, person: Participant) -> str | None:
    """Return why a combatant can neither act nor react, or None when it can."""
    character = body_of(world, person)
    if character.is_dead:
        return "is dead"
    if is_down(character):
        return "is at 0 hit points"
    helpless = [name for name, done in values_of(world, person).impairment.conditions if done.incapacitated]
    if helpless:
        return f"is {' and '.join(helpless)}"
    return "is surprised until its first turn has ended" if person.surprised else None


def has_reaction(world: World, person: Participant) -> bool:
    """Return whether a combatant can react at this moment."""
    return not person.economy.reaction and not is_slowed(world, person) and why_unable(world, person) is None


# what is asked for


def require_affordable(act: ActionContext) -> None:
    """Refuse a cost that the actor's turn cannot cover.

    Raises:
        CallFailed: `rule_violation`, or `invalid_args` where the cost does not go with the action.
    """
    _require_cost_fits(act)
    _require_not_barred(act)
    if act.args.ignore_economy:
        return
    encounter, actor = act.encounter, act.actor
    why = why_unable(act.world, actor)
    if why is not None:
        raise CallFailed(Reason.RULE_VIOLATION, f"{actor.id} {why}")
    if act.cost == "legendary":
        _require_legendary(act, encounter)
        return
    if act.cost != "reaction" or (act.moves and not act.is_plain_move):
        _require_turn(act, encounter)
    if act.cost == "reaction" and act.is_plain_move and actor.readied is None:
        detail = f"{actor.id} readied nothing, and moves on its own turn"
        raise CallFailed(Reason.RULE_VIOLATION, detail, hint.ask("args.action_cost", "reaction", ["movement"]))
    if act.cost == "reaction" and act.action_type in _ONLY_READIED and actor.readied is None:
        detail = f"{actor.id} readied nothing, and {act.action_type} is no reaction"
        usual = ["action"] if encounter.current.id == actor.id else []
        raise CallFailed(Reason.RULE_VIOLATION, detail, hint.ask("args.action_cost", "reaction", usual))
    _require_unspent(act, actor)


def _require_not_barred(act: ActionContext) -> None:
    """Refuse an action that an effect forbids the actor, whatever its turn allows."""
    kind = "attack" if act.is_blow else act.action_type
    for effect in body_of(act.world, act.actor).effects:
        if kind in effect.barred_actions or (effect.harmless and act.is_blow):
            told = (kind or "act").replace("_", " ")
            detail = f"{effect.name} keeps {act.actor_id} from it: {told}"
            raise CallFailed(Reason.RULE_VIOLATION, detail)


def _require_cost_fits(act: ActionContext) -> None:
    kind, cost = act.action_type, act.cost
    if (cost == "legendary") != (act.deed is not None and act.deed.group == "legendary"):
        got, usual = act.args.action_cost, act.deed.usual_cost if act.deed else "action"
        named = act.deed.name if act.deed else kind or "a move"
        told = "is no legendary action" if cost == "legendary" else "is a legendary action"
        raise CallFailed(
            Reason.INVALID_ARGS, f"args.action_cost: {named} {told}", hint.ask("args.action_cost", got, [usual])
        )
    if kind is None and cost not in ("movement", "reaction"):
        repair = hint.ask("args.action_cost", cost, ["movement"])
        raise CallFailed(Reason.INVALID_ARGS, f"args.action_cost: a move alone takes no {cost}", repair)
    if kind is not None and cost == "movement":
        repair = hint.ask("args.action_cost", cost, ["action"])
        raise CallFailed(Reason.RULE_VIOLATION, f"{kind} takes more than movement", repair)
    if cost == "free" and kind not in _FREE:
        repair = hint.ask("args.action_cost", cost, ["action"])
        raise CallFailed(Reason.RULE_VIOLATION, f"{kind} is not free", repair)


def _require_legendary(act: ActionContext, encounter: Encounter) -> None:
    """Refuse a legendary action on the actor's own turn, a second one in a turn, and more than there are."""
    assert act.deed is not None
    block, use = encounter.block_of(act.actor) or {}, act.actor.block_use
    left = block["legendary"]["count"] - use.legendary
    why = None
    if encounter.current.id == act.actor_id:
        why = "legendary actions are taken at the end of another's turn"
    elif use.legendary_now:
        why = f"{act.actor_id} has taken a legendary action in this turn"
    elif act.deed.part["cost"] > left:
        why = f"{act.deed.name} costs {act.deed.part['cost']} legendary actions, and {act.actor_id} has {left} left"
    if why is not None:
        raise CallFailed(Reason.RULE_VIOLATION, why, hint.ask("args.action", act.args.action))


def _require_turn(act: ActionContext, encounter: Encounter) -> None:
    current = encounter.current
    if current.id == act.actor_id:
        return
    detail = f"it is the turn of {current.id}; {act.actor_id} can only react"
    key = "args.actor_id" if act.args.actor_id is not None else "args.actor_name"
    got = act.args.actor_id if act.args.actor_id is not None else act.args.actor_name
    repair = hint.ask(key, got, [current.id if key == "args.actor_id" else current.name])
    raise CallFailed(Reason.RULE_VIOLATION, detail, repair)


def _require_unspent(act: ActionContext, actor: Participant) -> None:
    economy, cost = actor.economy, act.cost
    if is_slowed(act.world, actor):
        _require_slow(act, actor)
    if cost == "free":
        if act.args.action_type == "use_object" and economy.free_object:
            repair = hint.ask("args.action_cost", cost, [] if economy.action else ["action"])
            raise CallFailed(Reason.RULE_VIOLATION, f"{actor.id} has used an object for free this turn", repair)
        return
    if cost == "action" and act.is_blow and attacks_left(actor) > 0:
        return
    if cost == "action" and act.deed is not None and act.deed.id in economy.multiattack:
        return
    if cost in _COUNTED and getattr(economy, cost):
        told = "attacks" if act.is_blow and cost == "action" and economy.attacks else cost.replace("_", " ")
        verb = "have" if told == "attacks" else "has"
        raise CallFailed(Reason.RULE_VIOLATION, f"the {told} of {actor.id} {verb} been spent")
    if cost == "bonus_action" and act.args.action_type == "attack" and act.deed is None and not economy.attacks:
        repair = hint.ask("args.action_cost", cost, [] if economy.action else ["action"])
        raise CallFailed(Reason.RULE_VIOLATION, "an attack as a bonus action follows an Attack action", repair)


def _require_slow(act: ActionContext, actor: Participant) -> None:
    """Refuse an action that a slowed creature has no time for."""
    economy, cost = actor.economy, act.cost
    why = None
    if cost == "reaction":
        why = "has no reactions"
    elif (cost == "action" and economy.bonus_action) or (cost == "bonus_action" and economy.action):
        why = "has an action or a bonus action in a turn, not both"
    elif cost == "action" and economy.action:
        why = "has one attack in a turn"
    if why is not None:
        raise CallFailed(Reason.RULE_VIOLATION, f"{actor.id} is slowed, and {why}")


# what is spent


def spend(act: ActionContext, prepared: Prepared | None) -> None:
    """Charge the cost of an action; `ignore_economy` makes it free."""
    if act.args.ignore_economy:
        return
    economy = act.actor.economy
    changes: dict[str, Any] = dict(prepared.booked or {}) if prepared else {}
    if act.cost == "reaction":
        spend_reaction(act.world, act.encounter, act.actor)
        economy = act.actor.economy
    elif act.cost == "legendary" and act.deed is not None:
        use = act.actor.block_use
        spent = use.replace(legendary=use.legendary + act.deed.part["cost"], legendary_now=True)
        act.change(act.actor_id, block_use=spent)
    elif act.cost in _COUNTED:
        changes[act.cost] = True
    if act.cost == "free" and act.args.action_type == "use_object":
        changes["free_object"] = True
    if act.cost == "action" and act.is_blow:
        changes.setdefault("attacks", economy.attacks + 1)
    if changes:
        act.change(act.actor_id, economy=economy.replace(**changes))


def spend_movement(act: ActionContext, feet: int) -> None:
    """Charge feet of the actor's movement; free under `ignore_economy`, and for a readied move."""
    if feet and not act.args.ignore_economy and act.cost not in ("reaction", "legendary"):
        economy = act.actor.economy
        act.change(act.actor_id, economy=economy.replace(movement=economy.movement + feet))


def spend_reaction(world: World, encounter: Encounter, person: Participant) -> None:
    """Spend a combatant's reaction; anything it had readied is lost with it."""
    economy: Economy = person.economy.replace(reaction=True)
    wait_no_more(world, encounter, person.replace(economy=economy))
