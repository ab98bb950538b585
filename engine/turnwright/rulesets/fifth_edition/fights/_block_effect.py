"""Actions of a stat block that targets save against, heal, or carry their user elsewhere.

Source: SRD 5.1, "Monsters", "Areas of Effect"; docs/content.md, "Actions of a stat block".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from turnwright.model.encounter import Participant
from turnwright.model.wire import hint
from turnwright.model.wire.reason import CallFailed, Reason
from turnwright.rulesets.fifth_edition.battlefield import (
    are_apart,
    are_hostile,
    body_on_grid,
    cover_between,
    feet_between,
    ground_for,
    is_down,
    living,
    occupant_of,
    position_of,
    show_square,
    solid_squares,
    square_of,
)
from turnwright.rulesets.fifth_edition.condition_list import found, without_condition
from turnwright.rulesets.fifth_edition.damage import heal, healing_from, require_healable
from turnwright.rulesets.fifth_edition.damage_rules import Source
from turnwright.rulesets.fifth_edition.fights._action import ActionContext, instead_of_target, require_target
from turnwright.rulesets.fifth_edition.fights._attack import Thrown, deal_parts, shown_target
from turnwright.rulesets.fifth_edition.fights._block_attack import expression_of
from turnwright.rulesets.fifth_edition.fights._block_lasting import leave
from turnwright.rulesets.fifth_edition.fights._deeds import Deed
from turnwright.rulesets.fifth_edition.fights._inflicting import (
    inflict,
    move_by_force,
    save_against,
    shown_save,
    versus,
    why_unaffected,
)
from turnwright.rulesets.fifth_edition.fights.traits import ability_of, figures, save_of, trait, type_of
from turnwright.rulesets.fifth_edition.rolls import Save, save_dice, throw_dice
from turnwright.rulesets.fifth_edition.sheets.effect_list import cured_of
from turnwright.rulesets.fifth_edition.space.grid import areas
from turnwright.rulesets.fifth_edition.space.grid.distance import between
from turnwright.rulesets.fifth_edition.space.grid.space import FEET, Body, Square
from turnwright.rulesets.fifth_edition.space.grid.spans import Area
from turnwright.rulesets.fifth_edition.targets import body_of, put_creature

if TYPE_CHECKING:
    from turnwright.model.content_shapes import BlockPart
    from turnwright.rulesets.fifth_edition.shapes import ActionReport

_SELF_SHAPES = ("emanation",)
_AIMED_SHAPES = ("cone", "line")
_TOUCH = 5


# affected creatures


def who_is_affected(act: ActionContext, deed: Deed) -> tuple[str, ...]:
    """Return the targets of an action of a stat block: all in its area, or those that the call names.

    An area affects friend and foe alike; one that frightens or charms spares those its user would spare: its friends,
    or creatures that `target_ids` does not name.

    Raises:
        CallFailed: `invalid_args` without target or place, `rule_violation` where no creature can be affected,
            `not_executable` for an area that the engine cannot lay out.
    """
    part = deed.part
    area = part.get("area")
    named = _named(act, part) if area is None else _in_area(act, part)
    able = [each for each in named if not body_of(act.world, act.person(each)).is_dead]
    for each in able:
        if (why := why_unaffected(act, part, each)) is not None:
            act.warnings.append(why)
    affected = tuple(each for each in able if why_unaffected(act, part, each) is None)
    if not affected:
        why = act.warnings[-1] if act.warnings else "nobody is there"
        detail = f"{deed.name} affects nobody: {why}"
        foes = [other.id for other in living(act.world, act.encounter, {act.actor_id}) if are_hostile(act.actor, other)]
        raise CallFailed(Reason.RULE_VIOLATION, detail, instead_of_target(act, foes if area is None else ()))
    return affected


def _named(act: ActionContext, part: BlockPart) -> tuple[str, ...]:
    """Return the targets that a call names, as many as the action can have, all within its range and its hold."""
    require_target(act)
    said = part.get("targets", {})
    count, far = said.get("count", 1), part.get("range")
    most = count if isinstance(count, int) else len(act.target_ids)
    if len(act.target_ids) > most:
        detail = f"args.target_ids: {part['name']} has at most {most} target{'s' if most > 1 else ''}"
        raise CallFailed(
            Reason.INVALID_ARGS,
            detail,
            hint.ask("args.target_ids", list(act.target_ids), [list(act.target_ids[:most])]),
        )
    farthest = far if isinstance(far, int) else _TOUCH
    for each in act.target_ids:
        target = act.person(each)
        apart = feet_between(act.world, act.actor, target)
        if apart > farthest:
            detail = f"{each} is {apart} feet away, and {part['name']} reaches {farthest} feet"
            raise CallFailed(Reason.RULE_VIOLATION, detail, instead_of_target(act, _within(act, farthest)))
        if cover_between(act.world, act.encounter, act.actor, target).cover == "total":
            detail = f"{each} has total cover from {act.actor_id}"
            raise CallFailed(Reason.RULE_VIOLATION, detail, instead_of_target(act, _within(act, farthest)))
        if figures(part).get("target_hp") == 0 and not is_down(body_of(act.world, target)):
            detail = f"{each} is not at 0 hit points, which {part['name']} needs"
            raise CallFailed(Reason.RULE_VIOLATION, detail, instead_of_target(act, ()))
        if said.get("kind") == "grappled_by_self" and not _is_held(act, target):
            detail = f"{act.actor_id} has not grappled {each}, which {part['name']} needs"
            held = [other.id for other in act.encounter.participants if _is_held(act, other)]
            raise CallFailed(Reason.RULE_VIOLATION, detail, instead_of_target(act, held))
    return act.target_ids


def _is_held(act: ActionContext, target: Participant) -> bool:
    held = found(body_of(act.world, target), "grappled")
    return held is not None and held.source == act.actor_id


def _within(act: ActionContext, feet: int) -> list[str]:
    others = living(act.world, act.encounter, {act.actor_id})
    near = [other for other in others if feet_between(act.world, act.actor, other) <= feet]
    return [other.id for other in near if are_hostile(act.actor, other)]


def is_choosy(part: BlockPart) -> bool:
    """Return whether an area affects only the targets its user wants: it deals no damage, and wears off."""
    return "immune_after" in part and not part.get("damage")


def _in_area(act: ActionContext, part: BlockPart) -> tuple[str, ...]:
    shape, size = part["area"]["shape"], part["area"].get("size", 0)
    others = [other for other in living(act.world, act.encounter, {act.actor_id}) if _is_in_line(act, other)]
    if shape in _SELF_SHAPES or (shape == "sphere" and "range" not in part and act.args.target_position is None):
        near = [other for other in others if feet_between(act.world, act.actor, other) <= size]
        if is_choosy(part):
            wanted = act.target_ids or tuple(other.id for other in near if are_hostile(act.actor, other))
            return tuple(other.id for other in near if other.id in wanted)
        return _all_named(act, part, [other.id for other in near])
    laid = [_touched(act, area, others) for area in _areas(act, part, shape, size)]
    best = max(laid, key=lambda ids: (len(set(ids) & set(act.target_ids)), -len(ids)))
    return _all_named(act, part, best)


def _is_in_line(act: ActionContext, other: Participant) -> bool:
    if are_apart(act.world, act.actor, other):
        return False
    if act.args.target_position is not None:
        return True
    return cover_between(act.world, act.encounter, act.actor, other, creatures_cover=False).cover != "total"


def _all_named(act: ActionContext, part: BlockPart, ids: Sequence[str]) -> tuple[str, ...]:
    """Return the creatures in an area, where it takes in all that the call names."""
    outside = [each for each in act.target_ids if each not in ids]
    if outside:
        detail = f"{part['name']} does not reach {' and '.join(outside)} with all others that are named"
        raise CallFailed(Reason.RULE_VIOLATION, detail, instead_of_target(act, list(ids)))
    return tuple(ids)


def _areas(act: ActionContext, part: BlockPart, shape: str, size: int) -> list[Area]:
    """Return the areas that a call can mean: at its point, or towards each target that it names."""
    point = act.args.target_position
    if shape in _AIMED_SHAPES:
        goals = (
            [square_of(point)] if point else [_middle(body_on_grid(act.world, act.person(i))) for i in act.target_ids]
        )
        if not goals:
            require_target(act)
        body = body_on_grid(act.world, act.actor)
        return [_aimed(body, goal, part, shape, size) for goal in goals]
    if point is None:
        if not act.target_ids:
            require_target(act)
        centers = [square_of(act.person(each).position) for each in act.target_ids]
    else:
        centers = [square_of(point)]
    farthest = part.get("range")
    for center in centers:
        apart = between(body_on_grid(act.world, act.actor), Body(center))
        if isinstance(farthest, int) and apart > farthest:
            detail = f"args.target_position: is {apart} feet away, and {part['name']} reaches {farthest} feet"
            raise CallFailed(Reason.RULE_VIOLATION, detail, hint.ask("args.target_position", show_square(center)))
    match shape:
        case "sphere":
            return [areas.sphere(center, size) for center in centers]
        case "cylinder":
            return [areas.cylinder(center, size, part["area"].get("height", FEET)) for center in centers]
        case "cube":
            return [areas.cube(center, size) for center in centers]
    detail = f"args.action: the engine cannot lay out the area of {part['name']} ({shape}); use calculate_aoe"
    raise CallFailed(Reason.NOT_EXECUTABLE, detail, hint.ask("args.action", act.args.action))


def _middle(body: Body) -> Square:
    return Square(body.at.x + (body.side - 1) // 2, body.at.y + (body.side - 1) // 2, body.at.z)


def _aimed(body: Body, goal: Square, part: BlockPart, shape: str, size: int) -> Area:
    """Return a cone or line from the square of a body that is nearest to where it points."""
    origin = min(body.squares, key=lambda at: ((at.x - goal.x) ** 2 + (at.y - goal.y) ** 2, at))
    direction = (goal.x - origin.x, goal.y - origin.y)
    if direction == (0, 0):
        direction = (1, 0)
    if shape == "cone":
        return areas.cone(origin, size, direction)
    return areas.line(origin, size, part["area"].get("width", FEET), direction)


def _touched(act: ActionContext, area: Area, others: Sequence[Participant]) -> list[str]:
    bodies = ((other.id, body_on_grid(act.world, other)) for other in others)
    return [each for each, body in bodies if any(area.covers(at._replace(z=area.origin.z)) for at in body.squares)]


# what befalls them


def affect(act: ActionContext, deed: Deed, ids: Sequence[str]) -> list[ActionReport]:
    """Roll the damage once, roll each target's save, and return the results for each."""
    part, world, ctx = deed.part, act.world, act.ctx
    if act.args.save_dc not in (None, save_of(part)["dc"]):
        act.corrections.append(
            {"field": "args.save_dc", "from": save_of(part)["dc"], "to": act.args.save_dc, "how": "override"}
        )
    rolled = [
        (throw_dice(ctx, expression_of(each), f"{act.actor_id}, {deed.name}"), type_of(each))
        for each in part.get("damage", ())
        if each.get("when") in (None, "failed_save") and isinstance(each.get("type"), str)
    ]
    said = save_of(part)
    ctx.dice.expect(
        die
        for each in ids
        for die in save_dice(world, act.creature(each), ability_of(said), _why(deed, each), versus(part))
    )
    saves = [(each, save_against(act, part, each)) for each in ids]
    rows = []
    for each, made in saves:
        row: ActionReport = {
            "target_id": each,
            "action": deed.name,
            "save": shown_save(act, part, made),
            "damage": None,
        }
        before = None
        drained = 0
        halves, is_hurt = _share(act, part, each, made)
        if rolled and is_hurt:
            thrown = [Thrown(roll, kind, halves) for roll, kind in rolled]
            target, by = act.creature(each), act.creature(act.actor_id)
            row["damage"], done = deal_parts(world, target, thrown, ctx, by, source=Source())
            act.suffered(done)
            before, drained = done.before, done.taken
        if not act.creature(each).character.is_dead:
            if left := leave(act, part, each, made, drained):
                row["effects"] = left
            if got := inflict(act, part, each, made):
                row["inflicted"] = got
            move_by_force(act, part, each, made)
        rows.append(row | shown_target(world, act.args.encounter_id, each, before))
    return rows


def _why(deed: Deed, target_id: str) -> str:
    return f"{target_id} saves against {deed.name}"


def _share(act: ActionContext, part: BlockPart, target_id: str, made: Save) -> tuple[bool, bool]:
    """Return whether a target takes half of the damage, and whether it takes any."""
    halves = save_of(part).get("success") == "half"
    evades = trait(act.encounter.block_of(act.person(target_id)), "evasion")
    if evades is not None and ability_of(save_of(part)) == evades.get("save") and halves:
        return True, not made.success
    return made.success, halves or not made.success


# what needs no save


def hurt_by(act: ActionContext, part: BlockPart, target_id: str) -> ActionReport:
    """Deal the damage of a part without a roll, and give the actor the hit points it drains."""
    thrown = [
        Thrown(throw_dice(act.ctx, expression_of(each), f"{act.actor_id}, {part['name']}"), type_of(each))
        for each in part["damage"]
        if isinstance(each.get("type"), str)
    ]
    target, by = act.creature(target_id), act.creature(act.actor_id)
    shown, done = deal_parts(act.world, target, thrown, act.ctx, by)
    act.suffered(done)
    report: ActionReport = {"damage": shown}
    if figures(part).get("drain") == "damage_taken":
        own = act.creature(act.actor_id)
        report["healing"] = heal(act.world, own, done.taken, act.ctx, by=own)
    return report | shown_target(act.world, act.args.encounter_id, target_id, done.before)


def heal_by(act: ActionContext, part: BlockPart, target_id: str) -> ActionReport:
    """Heal a target by the dice of a part."""
    thrown = throw_dice(act.ctx, expression_of(part["heal"]), f"{act.actor_id}, {part['name']}")
    target, by = act.creature(target_id), act.creature(act.actor_id)
    before = act.creature(target_id).character.hp or 0
    gained = 0
    if not target.character.is_dead:
        require_healable(target)
        gained = heal(act.world, target, healing_from(target, thrown), act.ctx, by=by)
        _cure(act, target_id, figures(part).get("cures", ()))
    return {"healing": gained, **shown_target(act.world, act.args.encounter_id, target_id, before)}


_CURED = {"poison": "poisoned", "blinded": "blinded", "deafened": "deafened"}


def _cure(act: ActionContext, target_id: str, cures: Sequence[str]) -> None:
    """Cure a creature of poison, blindness, deafness, curses and diseases, as the block says."""
    for cure in cures:
        creature = act.creature(target_id)
        after = cured_of(creature.character, cure).character
        after = without_condition(after, _CURED.get(cure, cure)).character
        put_creature(act.world, creature, after)


def require_place(act: ActionContext, part: BlockPart) -> None:
    """Refuse a teleport to no square, beyond its range, or to an occupied one.

    Raises:
        CallFailed: `invalid_args` without `move_to`, `rule_violation` too far, `conflict` where there is no room.
    """
    if act.args.move_to is None:
        raise CallFailed(
            Reason.INVALID_ARGS, f"args.move_to: is required for {part['name']}", hint.ask_for("args.move_to")
        )
    body = body_on_grid(act.world, act.actor)
    there = body._replace(at=square_of(act.args.move_to))
    got = act.args.move_to.as_written
    apart = between(body, there)
    if apart > part["teleport"]:
        detail = f"args.move_to: is {apart} feet away, and {part['name']} reaches {part['teleport']} feet"
        raise CallFailed(Reason.RULE_VIOLATION, detail, hint.ask("args.move_to", got))
    solid = {(x, y) for x, y, _ in there.squares} & solid_squares(act.encounter)
    standing = occupant_of(act.world, act.encounter, there.squares, {act.actor_id})
    if solid or standing or not ground_for(act.world, act.encounter).grid.has(there):
        detail = f"args.move_to: there is no room for {act.actor_id}"
        raise CallFailed(Reason.CONFLICT, detail, hint.ask("args.move_to", got))


def teleport(act: ActionContext) -> ActionReport:
    """Put the actor where the call says; a teleport provokes no opportunity attacks."""
    assert act.args.move_to is not None
    start = square_of(act.actor.position)
    goal = square_of(act.args.move_to)
    act.change(act.actor_id, position=position_of(goal))
    return {"teleported": {"from": show_square(start), "to": show_square(goal)}}
