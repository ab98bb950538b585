"""One action in progress: its request, its actor, and what is left to settle at the end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from turnwright.model.encounter import Encounter, Participant
from turnwright.model.state.overlay import World
from turnwright.model.vocabulary import ActionCost, ActionType
from turnwright.model.wire import hint
from turnwright.model.wire.reason import CallFailed, Reason
from turnwright.rulesets.fifth_edition.battlefield import are_hostile, feet_between, is_down
from turnwright.rulesets.fifth_edition.damage import DamageResult
from turnwright.rulesets.fifth_edition.fights._action_args import ExecuteActionArgs
from turnwright.rulesets.fifth_edition.fights._deeds import Deed, require_deed, way_to_end
from turnwright.rulesets.fifth_edition.targets import (
    Creature,
    body_of,
    combatant,
    put_participant,
    require_participant,
    require_running,
)
from turnwright.rulesets.tool import Context

if TYPE_CHECKING:
    from turnwright.model.wire.shapes import Correction
    from turnwright.rulesets.fifth_edition.magic.zone_acts import ZoneActs
    from turnwright.rulesets.fifth_edition.shapes import (
        ActionReport,
        AreaReport,
        EconomyChanges,
        TriggerReport,
    )

_AIMED: tuple[ActionType, ...] = ("attack", "grapple", "shove", "help")
"""Action types that require a target."""


class Prepared(NamedTuple):
    """An action that has passed all checks.

    Attributes:
        carry_out: draws, changes and reports; it cannot fail.
        booked: what it sets in the actor's economy besides its cost, or None.
    """

    carry_out: Callable[[], ActionReport]
    booked: EconomyChanges | None = None


@dataclass(slots=True)
class ActionContext:
    """One action of one participant. Every use reads the state again: earlier steps may have changed it.

    Attributes:
        world, ctx, args: of the call.
        actor_id: the acting participant.
        target_id: the target that the call names, or None.
        target_ids: all targets that the call names, `target_id` first.
        cost: what the action costs of the actor's turn.
        harms: damage that may break concentration, once everything else is done.
        triggered: effects to report now, in the order in which it happened.
        warnings: warnings for the caller.
        told: what traits of stat blocks did automatically, as rows of results.
        areas: the effects of lasting areas of spells.
        corrections: figures in the call that replace those of a stat block.
        deed: the part of the actor's stat block that the call names, or None.
        packs: the content packs that the action used, with the SHA-256 of each.
        down_at_first: ids of those targets who were at 0 hit points when it began.
    """

    world: World
    ctx: Context
    args: ExecuteActionArgs
    actor_id: str
    target_id: str | None
    target_ids: tuple[str, ...]
    cost: ActionCost
    harms: list[DamageResult] = field(default_factory=list)
    triggered: list[TriggerReport] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    corrections: list[Correction] = field(default_factory=list)
    told: list[ActionReport] = field(default_factory=list)
    areas: list[AreaReport] = field(default_factory=list)
    deed: Deed | None = None
    down_at_first: frozenset[str] = frozenset()
    packs: dict[str, str] = field(default_factory=dict)

    @property
    def encounter(self) -> Encounter:
        """The fight as it is now."""
        return require_running(self.world, self.args.encounter_id)

    @property
    def actor(self) -> Participant:
        """The acting combatant."""
        return self.person(self.actor_id)

    @property
    def is_plain_move(self) -> bool:
        """Whether the call asks only for a move."""
        return self.args.action_type is None and self.deed is None

    @property
    def moves(self) -> bool:
        """Whether movement is asked for, alone or after an action."""
        teleports = self.deed is not None and "teleport" in self.deed.part
        return (self.args.move_to is not None and not teleports) or self.args.stand_up

    @property
    def is_blow(self) -> bool:
        """Whether it is one of the attacks of an Attack action, as grapples and shoves are."""
        if self.deed is not None:
            return self.deed.group == "effect" and self.args.action_type == "attack"
        return self.args.action_type in ("attack", "grapple", "shove") and not self.args.escape

    @property
    def action_type(self) -> ActionType | None:
        """What kind of action it is; of a stat block, an attack or something special."""
        if self.deed is None:
            return self.args.action_type
        return "attack" if self.deed.is_attack else "use_special_ability"

    def person(self, identifier: str) -> Participant:
        """Return a participant by id, as it is now."""
        return require_participant(self.world, self.encounter, identifier)

    def creature(self, identifier: str) -> Creature:
        """Return a participant with their values, as they are now."""
        return combatant(self.world, self.encounter, self.person(identifier))

    def change(self, identifier: str, **changes: Any) -> None:
        """Change a participant's place in the fight."""
        put_participant(self.world, self.args.encounter_id, self.person(identifier).replace(**changes))
        if "position" in changes:
            for inside in self.encounter.participants:
                if identifier in (inside.swallowed_by, inside.attached_to):
                    moved = inside.replace(position=changes["position"])
                    put_participant(self.world, self.args.encounter_id, moved)

    def suffered(self, harm: DamageResult) -> None:
        """Record what damage has done to a combatant."""
        self.harms.append(harm)
        self.triggered += harm.triggered
        self.warnings += harm.notices

    def take_over(self, acts: ZoneActs) -> None:
        """Record what lasting areas have done."""
        self.areas += acts.rows
        self.harms += acts.harms
        self.triggered += acts.triggered
        self.warnings += acts.warnings


def begin(world: World, args: ExecuteActionArgs, ctx: Context) -> ActionContext:
    """Resolve the combatants that a call names.

    Raises:
        CallFailed: `not_found`, `ambiguous` or `invalid_args`.
    """
    encounter = require_running(world, args.encounter_id)
    if args.actor_id is None and args.actor_name is None and args.action_cost != "reaction":
        repair = hint.ask_for("args.actor_id", [encounter.current.id])  # only the current combatant can act now
        raise CallFailed(Reason.INVALID_ARGS, "args.actor_id: is required", repair)
    actor = require_participant(world, encounter, args.actor_id, args.actor_name)
    named = []
    if args.target_id is not None or args.target_name is not None:
        named.append(require_participant(world, encounter, args.target_id, args.target_name, "target").id)
    several = [_among(world, encounter, index, identifier) for index, identifier in enumerate(args.target_ids)]
    target_ids = tuple(dict.fromkeys([*named, *several]))
    _require_one_action(args)
    if args.action_type is None and args.action is None and args.move_to is None and not args.stand_up:
        repair = hint.ask_for("args.action_type", ["dodge", "attack", "dash", "disengage", "help", "hide"])
        raise CallFailed(Reason.INVALID_ARGS, "args.action_type: is required, unless somebody only moves", repair)
    if args.drag and args.move_to is None:
        raise CallFailed(Reason.INVALID_ARGS, "args.drag: wants move_to", hint.ask_for("args.move_to"))
    deed = None
    if args.action is not None:
        bodies = [body_of(world, require_participant(world, encounter, each)) for each in (*target_ids, actor.id)]
        deed = way_to_end(bodies, args.action) or require_deed(encounter, actor, args.action, args.action_cost)
    usual: ActionCost = deed.usual_cost if deed else "movement" if args.action_type is None else "action"
    act = ActionContext(
        world,
        ctx,
        args,
        actor.id,
        target_ids[0] if target_ids else None,
        target_ids,
        args.action_cost or usual,
        deed=deed,
        down_at_first=frozenset(each for each in target_ids if _is_down(world, encounter, each)),
    )
    if deed is None and args.action_type in _AIMED and not (args.action_type == "grapple" and args.escape):
        require_target(act)
    return act


def _require_one_action(args: ExecuteActionArgs) -> None:
    """Refuse an action of a stat block together with another kind of action: a call takes only one of them."""
    if args.action is not None and args.action_type not in (None, "attack", "grapple", "use_special_ability"):
        detail = f"args.action_type: {args.action} is an action of the stat block, and no {args.action_type}"
        raise CallFailed(Reason.INVALID_ARGS, detail, hint.remove("args.action_type"))


def _is_down(world: World, encounter: Encounter, identifier: str) -> bool:
    body = body_of(world, require_participant(world, encounter, identifier))
    return body.is_dead or is_down(body)


def _among(world: World, encounter: Encounter, index: int, identifier: str) -> str:
    try:
        return require_participant(world, encounter, identifier, None, "target").id
    except CallFailed as failure:
        field_name = f"args.target_ids.{index}"
        raise CallFailed(failure.reason, failure.detail, {**failure.hint, "field": field_name}) from None


def require_target(act: ActionContext) -> Participant:
    """Return the target of the action.

    Raises:
        CallFailed: `invalid_args` when the call names no target.
    """
    if act.target_id is None:
        repair = hint.ask_for("args.target_id", _likely_targets(act))
        wanted = act.deed.name if act.deed else act.args.action_type
        raise CallFailed(Reason.INVALID_ARGS, f"args.target_id: is required for {wanted}", repair)
    return act.person(act.target_id)


def _likely_targets(act: ActionContext) -> list[str]:
    """Return all other combatants: first those the action is meant for (foes or friends), nearest first."""
    actor, helps = act.actor, act.args.action_type == "help"
    others = [person for person in act.encounter.participants if person.id != actor.id]
    others.sort(key=lambda other: (are_hostile(actor, other) == helps, feet_between(act.world, actor, other)))
    return [other.id for other in others]


def why_not_oneself(actor: Participant, target: Participant) -> str | None:
    """Return why a combatant cannot target itself, or None for any other target."""
    return f"{actor.id} cannot do that to itself" if actor.id == target.id else None


def instead_of_target(act: ActionContext, ids: Sequence[str]) -> hint.Hint:
    """Return how to aim at one of these instead, in the argument that the call names its target by."""
    if act.args.target_id is not None:
        return hint.ask("args.target_id", act.args.target_id, ids)
    if act.args.target_name is not None:
        return hint.ask("args.target_name", act.args.target_name, [act.person(each).name for each in ids])
    return hint.ask("args.target_ids", list(act.args.target_ids), [[each] for each in ids])
